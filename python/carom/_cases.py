"""Cases of a sweep: which values are tried."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

from . import _toml
from ._errors import InputError

Case = Mapping[str, Any]
Cases = Union[Iterable[Case], Mapping[str, Sequence[Any]]]
#: From and to, every value between them as likely as any other; or the value below which a share of all lie, 0 to 1.
Range = Union["tuple[float, float]", Callable[[float], float]]


def grid(axes: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations, the last axis the fastest.

    >>> import carom
    >>> carom.grid({"e": [0.5, 0.9], "h0": [1, 2]})[1]
    {'e': 0.5, 'h0': 2}
    """
    for key, values in axes.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise InputError(f"`{key}` is {values!r}, not a list of values: [{values!r}]")
    listed = {key: list(values) for key, values in axes.items()}
    empty = [key for key, values in listed.items() if not values]
    if empty or not listed:
        raise InputError(f"`{empty[0]}` has no values" if empty else "a grid needs a key with values: {'e': [0.5, 0.9]}")
    return [dict(zip(listed, values)) for values in itertools.product(*listed.values())]


def latin_hypercube(ranges: Mapping[str, Range], n: int, seed: int = 0) -> list[dict[str, float]]:
    """`n` cases spread evenly: each range is cut into `n` parts, and every part of every range is met once.

    A range is a pair (from, to), or a function that tells the value below which a share of all lie, such as
    `scipy.stats.norm(0.8, 0.02).ppf`: then the parts are equally likely. The same seed gives the same cases.

    >>> import carom
    >>> cases = carom.latin_hypercube({"e": (0.0, 1.0)}, 4)
    >>> sorted(int(4 * case["e"]) for case in cases)
    [0, 1, 2, 3]
    """
    if not (isinstance(n, int) and n > 0):
        raise InputError(f"n is {n!r}: so many cases, a whole number from 1 on")
    if not ranges:
        raise InputError("a sample needs a key with a range: {'e': (0.5, 0.9)}")
    chance = random.Random(seed)
    columns: dict[str, list[float]] = {}
    for key, span in ranges.items():
        value_at = quantile(key, span)
        places = [(i + chance.random()) / n for i in range(n)]
        chance.shuffle(places)
        columns[key] = [value_at(place) for place in places]
    return [{key: column[i] for key, column in columns.items()} for i in range(n)]


def quantile(key: str, span: Range) -> Callable[[float], float]:
    """The value below which a share of all lie."""
    if callable(span):
        function = span
        return lambda share: float(function(share))
    low, high = bounds(key, span)
    return lambda share: low + (high - low) * share


def bounds(key: str, span: Any) -> tuple[float, float]:
    """From and to, checked."""
    try:
        low, high = (float(x) for x in span)
    except (TypeError, ValueError):
        raise InputError(f"the range of `{key}` is {span!r}; a range is two numbers: (0.5, 0.9)") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"the range of `{key}` goes from {low:g} to {high:g}; it must go up, between finite numbers")
    return low, high


def listed(cases: Cases) -> list[dict[str, Any]]:
    """The cases one by one: a dictionary of lists is a grid, a DataFrame has a case in each row."""
    if isinstance(cases, Mapping):
        return grid(cases)
    if hasattr(cases, "to_dict"):  # pandas
        cases = cases.to_dict("records")
    elif hasattr(cases, "to_dicts"):  # polars
        cases = cases.to_dicts()
    found = []
    for number, case in enumerate(cases, 1):
        if not isinstance(case, Mapping):
            raise InputError(f"case {number} is {case!r}, not a dictionary of keys and values: {{'e': 0.5}}")
        found.append({key: _plain(number, key, value) for key, value in case.items()})
    if not found:
        raise InputError("there are no cases to run")
    return found


def _plain(number: int, key: Any, value: Any) -> Any:
    """A value as Python has it, and one that a model can hold."""
    if not isinstance(key, str):
        raise InputError(f"case {number} has the key {key!r}; keys are parameters or paths of the model, as text")
    if hasattr(value, "tolist"):  # NumPy
        value = value.tolist()
    try:
        _toml.value_text(value, (key,))
    except (TypeError, ValueError) as error:
        raise InputError(f"case {number}: {error}") from None
    return value
