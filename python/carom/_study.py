"""Published studies, spectra of schemes, modes, contact problems."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _carom
from ._model import Model, load
from ._progress import Bar


@dataclass(frozen=True)
class Study:
    """Published beside ours."""

    name: str
    #: what, published, ours, verdict ("agrees", "differs: why", "ours")
    rows: list[tuple[str, str, str, str]]
    notes: list[str]
    #: Curves of the figures: name, and columns by their names.
    series: list[tuple[str, dict[str, list[float]]]]

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not any(verdict.startswith("differs") for *_, verdict in self.rows)

    def frame(self) -> Any:
        """The rows as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows, columns=["what", "published", "ours", "verdict"])


def study(name: str, progress: bool | None = None) -> Study:
    """Recomputes a published table or figure; `carom.studies()` lists them."""
    with Bar(name) as bar:
        report = json.loads(_carom.study(name, bar.at if Bar.wanted(progress) else None))

    def verdict(said: Any) -> str:
        return said if isinstance(said, str) else f"differs: {said['differs']}"

    rows = [(row["what"], row["published"], row["ours"], verdict(row["verdict"])) for row in report["rows"]]
    series = [(s["name"], {c["name"]: c["values"] for c in s["columns"]}) for s in report["series"]]
    return Study(name, rows, report["notes"], series)


def spectrum(*schemes: str, damping: float = 0.0, steps: Sequence[float] | None = None) -> list[dict[str, Any]]:
    """How schemes damp and delay oscillations, over steps in periods. A scheme may have parameters: `"hht:alpha=0.1"`.

    >>> import carom
    >>> [newmark] = carom.spectrum("newmark", steps=[0.01, 0.1])
    >>> newmark["stability"]
    'always'
    """
    if steps is None:
        steps = [10 ** (-2 + 3 * i / 60) for i in range(61)]
    answer: list[dict[str, Any]] = json.loads(
        _carom.spectrum(list(schemes), damping, [float(step) for step in steps])
    )["schemes"]
    return answer


def check(model: str | Model) -> dict[str, Any]:
    """What `Model.check` says, of a model or its name."""
    return (model if isinstance(model, Model) else load(model)).check()


def modes(model: str | Model, body: str | None = None, count: int | None = None) -> list[dict[str, Any]]:
    """What `Model.modes` says, of a model or its name."""
    return (model if isinstance(model, Model) else load(model)).modes(body, count)
