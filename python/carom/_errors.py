"""What can go wrong, as one tree: `Error` above all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import _carom
    from ._result import Result


class Error(Exception):
    """Anything that Carom complains of."""


class InputError(Error, ValueError):
    """An argument that cannot be: of the wrong type, shape or range."""


class UnknownName(InputError, KeyError):
    """A name that nothing has; the message says which is near.

    >>> import carom
    >>> try:
    ...     carom.load("ball").run(end=0.1)["ball.yy"]
    ... except carom.UnknownName as error:
    ...     print(error)
    there is no channel `ball.yy`; did you mean `ball.y`?
    """

    # a KeyError shows its message in quotes
    __str__ = Exception.__str__


class ModelError(Error):
    """A model that cannot be run.

    The text shows every fault at its line; `errors` holds them one by one, as dictionaries with file, line, column, text,
    message and remedy. `file`, `line` and `remedy` are those of the first.

    >>> import carom
    >>> try:
    ...     carom.loads("[bodies.ball]\\nmas = 1").run()
    ... except carom.ModelError as error:
    ...     print(error.line, error.remedy)
    2 did you mean `mass`?...
    """

    def __init__(self, message: str, errors: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.errors = errors or []

    @property
    def file(self) -> str | None:
        """Where the first fault is: a file, what a built model is called, or `--set` for a change."""
        return self.errors[0]["file"] if self.errors else None

    @property
    def line(self) -> int | None:
        """Line of the first fault, from 1; none of a file that cannot be read at all."""
        return (self.errors[0]["line"] or None) if self.errors else None

    @property
    def remedy(self) -> str | None:
        """What would be right."""
        return self.errors[0]["remedy"] if self.errors else None

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.errors)


class SimulationError(Error):
    """A run that failed on the way.

    >>> import carom
    >>> class Runaway(carom.System):
    ...     q, v = [0.0], [1.0]
    ...     def mass(self, t, q): return [[1.0]]
    ...     def force(self, t, q, v): return [v[0] ** 2]       # v = 1/(1 - t)
    >>> try:
    ...     Runaway().model().run(scheme="hem5", accuracy=1e-6, end=2.0)
    ... except carom.SimulationError as error:
    ...     print(round(error.time, 2), error.subject, len(error.result) > 10)
    1.0 velocity 0 True
    """

    #: When, in the unit of the model.
    time: float | None
    #: The body, joint or contact where it failed, if it is one in particular.
    subject: str | None
    #: What would help.
    remedy: str | None

    def __init__(
        self,
        message: str,
        result: _carom.Done | None = None,
        time: float | None = None,
        subject: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message)
        self._result = _recorded(result)
        self.time = time
        self.subject = subject
        self.remedy = remedy

    @property
    def result(self) -> Result:
        """What was recorded up to then. It stays in the process that made the run."""
        return _here(self._result)

    def __reduce__(self) -> Any:
        return type(self), (str(self), None, self.time, self.subject, self.remedy)


class InternalError(Error):
    """A bug in Carom. The interpreter lives; please report the message and the model."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. Like any `KeyboardInterrupt` it passes `except Exception` and `except carom.Error`."""

    def __init__(self, message: str, result: _carom.Done | None = None) -> None:
        super().__init__(message)
        self._result = _recorded(result)

    @property
    def result(self) -> Result:
        """What was recorded up to then. It stays in the process that made the run."""
        return _here(self._result)


def _recorded(done: _carom.Done | None) -> Result | None:
    if done is None:
        return None
    from ._result import Result

    return Result(done)


def _here(result: Result | None) -> Result:
    if result is None:
        raise AttributeError("what was recorded stayed in the process that made the run")
    return result


def keep_result(error: BaseException, done: _carom.Done, when: str) -> None:
    """Lets what a function of somebody's raised carry what was recorded, and when it was."""
    try:
        error.result = _recorded(done)  # type: ignore[attr-defined]
        error.add_note(f"raised in a run at {when}; `result` of this error holds what was recorded")  # type: ignore[attr-defined, unused-ignore]
    except AttributeError:
        pass  # no room for it, or a Python before notes (3.11)


def near(name: str, known: Any, where: str) -> str:
    """The end of a message about an unknown name."""
    import difflib

    close = difflib.get_close_matches(name, list(known), 1)
    return f"did you mean `{close[0]}`?" if close else where


def need(module: str, extra: str) -> Any:
    """A package that is not always there."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(f"this needs {package}: pip install {package}, or carom[{extra}]") from error
