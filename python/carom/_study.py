"""Published studies, spectra of schemes, modes, contact problems."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from . import _carom
from ._model import Model, load
from ._progress import Bar

if TYPE_CHECKING:
    from ._result import Array

Law = Union[str, "tuple[str, float]"]


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


@dataclass(frozen=True)
class Solution:
    """An answer of a contact solver."""

    #: Impulses.
    P: Array
    #: "converged", or why not.
    status: str
    #: The measure of Carom, at P.
    residual: float
    iterations: int
    #: The solver that answered.
    solver: str

    @property
    def converged(self) -> bool:
        """Whether the residual is below the tolerance."""
        return self.status == "converged"


def solve(
    W: Any,
    U_free: Any,
    laws: Sequence[Law] | Law,
    *,
    solver: str = "auto",
    tolerance: float | None = None,
    seconds: float | None = None,
    guess: Any = None,
) -> Solution:
    """Solves U = W P + U_free with a law per contact.

    `W` is a NumPy array or a SciPy sparse matrix; a law is `"unilateral"`, `("planar", mu)`, `("spatial", mu)` or
    `("dry", bound)`; one law stands for all contacts. Rows of a contact follow each other, normal first.

    >>> import carom
    >>> answer = carom.solve([[2.08, -1.44], [-1.44, 2.92]], [-1.0, 2.0], ("planar", 0.5))
    >>> answer.converged, round(float(answer.P[0]), 6)
    (True, 0.357143)
    """
    import numpy as np

    U = _vector("U_free", U_free)
    entries = _entries(W, len(U))
    listed = _laws(laws, len(U))
    start = None if guess is None else _vector("guess", guess)
    return Solution(*_carom.solve(entries, U, listed, solver, tolerance, seconds, start))


def _vector(name: str, values: Any) -> Array:
    import numpy as np

    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, not one")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    return array


def _entries(W: Any, n: int) -> tuple[Any, Any, Any]:
    import numpy as np

    if hasattr(W, "tocoo"):
        sparse = W.tocoo()
        if sparse.shape != (n, n):
            raise ValueError(f"W is {sparse.shape[0]} by {sparse.shape[1]}, and U_free has {n} rows")
        rows, columns, values = sparse.row, sparse.col, sparse.data
    else:
        dense = np.asarray(W, dtype=np.float64)
        if dense.shape != (n, n):
            raise ValueError(f"W has the shape {dense.shape}, and U_free {n} rows")
        rows, columns = np.nonzero(dense)
        values = dense[rows, columns]
    as_index = lambda index: np.ascontiguousarray(index, dtype=np.int64)  # noqa: E731
    return as_index(rows), as_index(columns), np.ascontiguousarray(values, dtype=np.float64)


def _laws(laws: Any, rows: int) -> list[tuple[str, float]]:
    sizes = {"unilateral": 1, "planar": 2, "spatial": 3, "dry": 1}

    def one(law: Any) -> tuple[str, float]:
        name, number = (law, 0.0) if isinstance(law, str) else law
        if name not in sizes:
            raise ValueError(f"there is no law `{name}`; the laws are {', '.join(sizes)}")
        if isinstance(law, str) and name != "unilateral":
            raise ValueError(f"the law `{name}` needs a number: ({name!r}, 0.3)")
        return str(name), float(number)

    if isinstance(laws, str) or (isinstance(laws, tuple) and len(laws) == 2 and isinstance(laws[0], str)):
        law = one(laws)
        if rows % sizes[law[0]]:
            raise ValueError(f"{rows} rows are no whole number of contacts of {sizes[law[0]]}")
        return [law] * (rows // sizes[law[0]])
    return [one(law) for law in laws]
