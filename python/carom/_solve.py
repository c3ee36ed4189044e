"""Contact problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from . import _carom
from ._errors import InputError, UnknownName, near

if TYPE_CHECKING:
    from ._result import Array

Law = Union[str, "tuple[str, float]"]


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
    U = _vector("U_free", U_free)
    entries = _entries(W, len(U))
    listed = _laws(laws, len(U))
    _checked(solver, tolerance, seconds)
    start = None if guess is None else _vector("guess", guess)
    return Solution(*_carom.solve(entries, U, listed, solver, tolerance, seconds, start))


def _checked(solver: str, tolerance: float | None, seconds: float | None) -> None:
    known = [name for name, _ in _carom.listed("solvers")]
    if solver not in known:
        raise UnknownName(f"there is no solver `{solver}`; {near(str(solver), known, 'carom.solvers() lists them')}")
    for what, value in (("tolerance", tolerance), ("seconds", seconds)):
        if value is not None and not 0 < value < float("inf"):
            raise InputError(f"{what} is {value}; it must be positive and finite")


def _floats(name: str, values: Any) -> Array:
    import numpy as np

    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} has rows of different lengths") from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name} holds {array.dtype}, not real numbers")
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds numbers that are not finite")
    return np.ascontiguousarray(array, dtype=np.float64)


def _vector(name: str, values: Any) -> Array:
    array = _floats(name, values)
    if array.ndim != 1:
        raise InputError(f"{name} has {array.ndim} dimensions, not one")
    return array


def _entries(W: Any, n: int) -> tuple[Any, Any, Any]:
    import numpy as np

    if hasattr(W, "tocoo"):
        sparse = W.tocoo()
        shape, rows, columns, values = sparse.shape, sparse.row, sparse.col, _floats("W", sparse.data)
    else:
        dense = _floats("W", W)
        shape = dense.shape
        dense = dense if dense.ndim == 2 else np.empty((0, 0))
        rows, columns = np.nonzero(dense)
        values = dense[rows, columns]
    if shape != (n, n):
        words = " by ".join(map(str, shape)) if len(shape) == 2 else f"an array of {len(shape)} dimensions"
        raise InputError(f"W is {words}, and U_free has {n} rows")

    def index(of: Any) -> Any:
        return np.ascontiguousarray(of, dtype=np.int64)

    return index(rows), index(columns), np.ascontiguousarray(values)


def _laws(laws: Any, rows: int) -> list[tuple[str, float]]:
    sizes = {"unilateral": 1, "planar": 2, "spatial": 3, "dry": 1}

    def one(law: Any) -> tuple[str, float]:
        try:
            name, number = (law, 0.0) if isinstance(law, str) else law
        except (TypeError, ValueError):
            raise InputError(f"{law!r} is no law; one is 'unilateral', another ('planar', 0.3)") from None
        if name not in sizes:
            raise UnknownName(f"there is no law `{name}`; {near(str(name), sizes, 'the laws are ' + ', '.join(sizes))}")
        if isinstance(law, str) and name != "unilateral":
            raise InputError(f"the law `{name}` needs a number: ({name!r}, 0.3)")
        if not (hasattr(number, "__float__") and 0 <= float(number) < float("inf")):
            raise InputError(f"the law `{name}` has the number {number!r}; it must be 0 or more and finite")
        return str(name), float(number)

    if isinstance(laws, str) or (isinstance(laws, tuple) and len(laws) == 2 and isinstance(laws[0], str)):
        law = one(laws)
        if rows % sizes[law[0]]:
            raise InputError(f"{rows} rows are no whole number of contacts of {sizes[law[0]]}")
        return [law] * (rows // sizes[law[0]])
    listed = [one(law) for law in laws]
    if sum(sizes[name] for name, _ in listed) != rows:
        raise InputError(f"the laws have {sum(sizes[name] for name, _ in listed)} rows together, and U_free {rows}")
    return listed
