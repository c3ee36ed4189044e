"""What can go wrong, as one tree: `CaromError` above all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import _carom
    from ._result import Result


class CaromError(Exception):
    """Anything that Carom complains of."""


class ModelError(CaromError):
    """A model that cannot be run.

    The text shows every fault at its line; `errors` holds them one by one, as dictionaries with file, line, column, text,
    message and remedy. `file`, `line` and `remedy` are those of the first.

    >>> import carom
    >>> try:
    ...     carom.Model.from_text("[bodies.ball]\\nmas = 1").run()
    ... except carom.ModelError as error:
    ...     print(error.line, error.remedy)
    2 did you mean `mass`?...
    """

    def __init__(self, message: str, errors: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.errors = errors or []

    @property
    def file(self) -> str | None:
        """Where the first fault is."""
        return self.errors[0]["file"] if self.errors else None

    @property
    def line(self) -> int | None:
        """Line of the first fault, from 1."""
        return self.errors[0]["line"] if self.errors else None

    @property
    def remedy(self) -> str | None:
        """What would be right."""
        return self.errors[0]["remedy"] if self.errors else None


class SimulationError(CaromError):
    """A run that failed on the way: when (`t`, s), at which body, joint or contact (`subject`), what would help (`remedy`).
    `result` holds what was recorded up to then."""

    result: Result

    def __init__(
        self,
        message: str,
        result: _carom.Done,
        t: float | None = None,
        subject: str | None = None,
        remedy: str | None = None,
    ) -> None:
        from ._result import Result

        super().__init__(message)
        self.result = Result(result)
        self.t = t
        self.subject = subject
        self.remedy = remedy


class Interrupted(CaromError, KeyboardInterrupt):
    """Ctrl-C during a run. `result` holds what was recorded up to then."""

    result: Result

    def __init__(self, message: str, result: _carom.Done) -> None:
        from ._result import Result

        super().__init__(message)
        self.result = Result(result)
