"""Parameters from measurements, and which parameters matter."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._cases import bounds as _bounds
from ._errors import Error, InputError, SimulationError, UnknownName, near, need
from ._model import Model, load
from ._result import Result
from ._sweep import Measure, _Task, sweep

if TYPE_CHECKING:
    from ._result import Array

#: Steps of the difference quotients, as part of the size of a parameter: well above what the steps of a run leave as noise.
_STEP = 1e-3
#: What a run that fails counts as, in spreads of the data.
_FAR = 10.0


@dataclass(frozen=True)
class Fit:
    """Parameters that fit measured data best."""

    parameters: dict[str, float]
    #: Standard deviations, if the errors of the data are alike and independent.
    deviations: dict[str, float]
    #: Root of the mean square of what is left, by channel, in its unit.
    rms: dict[str, float]
    #: The run with these parameters.
    result: Result = field(repr=False)
    runs: int
    #: Whether the search ended because nothing gets better, and what it says of that.
    converged: bool
    message: str = field(repr=False)


def fit(
    model: str | Model,
    start: Mapping[str, float],
    data: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    run: Mapping[str, Any] | None = None,
    step: float = _STEP,
    jobs: int | None = None,
) -> Fit:
    """Finds the parameters with which channels of the model come closest to measured data, by least squares (SciPy).

    `start` are parameters or keys of the model and where the search begins, `bounds` where it stays, `data` times and values of
    channels, in the units of the model; each channel is weighted by the spread of its values. `run` are keywords of
    `Model.run`. `step` is that of the difference quotients, as part of each parameter: times of impacts jump from one step of
    the run to the next, so it must be larger than that shows. A run that fails counts as far off.

    >>> import carom
    >>> truth = carom.load("ball", e=0.7).run(end=1.0, scheme="hybrid", accuracy=1e-6)
    >>> found = carom.fit("ball", {"e": 0.8}, {"ball.y": (truth.t, truth["ball.y"])},
    ...                   run={"end": 1.0, "scheme": "hybrid", "accuracy": 1e-6})
    >>> round(found.parameters["e"], 3)
    0.7
    """
    import numpy as np

    least_squares = need("scipy.optimize", "study").least_squares

    model = model if isinstance(model, Model) else load(model)
    if not start:
        raise InputError("which parameters? start={'e': 0.8} begins at 0.8")
    if not 0 < step < 1:
        raise InputError(f"step is {step!r}, a part of each parameter: between 0 and 1")
    names = list(start)
    begin = np.array([_number(name, start[name]) for name in names])
    wanted = {key: _samples(key, pair) for key, pair in data.items()}
    if not wanted:
        raise InputError("there are no data: data={'ball.y': (times, values)}")
    scale = {key: float(np.ptp(y)) or float(np.max(np.abs(y))) or 1.0 for key, (_, y) in wanted.items()}
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    for name, span in (bounds or {}).items():
        if name not in start:
            raise UnknownName(f"there are bounds for `{name}`, which is not among the parameters; {near(name, names, 'those of `start`')}")
        i = names.index(name)
        low[i], high[i] = _bounds(name, span)
        if not low[i] <= begin[i] <= high[i]:
            raise InputError(f"`{name}` starts at {begin[i]:g}, outside its bounds {low[i]:g} to {high[i]:g}")
    task = _Task(model, {}, dict(run or {}), None)
    count = itertools.count(1)
    runs = 0

    def at(x: Array) -> Result:
        nonlocal runs
        runs = next(count)
        return Result(task.run(task.setup(dict(zip(names, map(float, x)))), threading.Event()))

    def gaps(result: Result) -> list[Array]:
        return [(np.interp(t, result.t, result[key]) - y) / scale[key] for key, (t, y) in wanted.items()]

    def left(x: Array) -> Array:
        try:
            return np.concatenate(gaps(at(x)))
        except SimulationError:
            return np.full(sum(len(t) for t, _ in wanted.values()), _FAR)

    first = at(begin)
    for key, (t, _) in wanted.items():
        if key not in first:
            raise UnknownName(f"there is no channel `{key}` to compare with; {near(key, first.channels, '`channels` of a result lists them')}")
        if t.min() < first.t[0] or t.max() > first.t[-1]:
            raise InputError(
                f"the data of `{key}` go from {t.min():g} to {t.max():g}, the run from {first.t[0]:g} to {first.t[-1]:g}: "
                "run={'end': ...} says how long it is"
            )
    size = np.where(begin == 0, np.where(np.isfinite(high - low), high - low, 1.0), np.abs(begin))

    def slopes(x: Array) -> Array:
        """∂left/∂x by central differences, one-sided at a bound; all runs at the same time."""
        reach = step * size
        above, below = np.minimum(x + reach, high), np.maximum(x - reach, low)
        points = []
        for i in range(len(x)):
            for end in (above, below):
                points.append(np.where(np.arange(len(x)) == i, end, x))
        values = list(pool.map(left, points))
        columns = [(values[2 * i] - values[2 * i + 1]) / (above[i] - below[i]) for i in range(len(x))]
        return np.array(columns).T

    with ThreadPoolExecutor(jobs) as pool:
        found = least_squares(left, begin, jac=slopes, bounds=(low, high), x_scale=size)
    result = at(found.x)
    freedom = max(len(found.fun) - len(names), 1)
    spread = np.linalg.pinv(found.jac.T @ found.jac) * (2 * found.cost / freedom)
    rms = {key: float(np.sqrt(np.mean(gap**2))) * scale[key] for key, gap in zip(wanted, gaps(result))}
    return Fit(
        dict(zip(names, map(float, found.x))),
        dict(zip(names, map(float, np.sqrt(np.diag(spread))))),
        rms,
        result,
        runs,
        bool(found.success),
        str(found.message),
    )


def sobol(
    model: str | Model,
    ranges: Mapping[str, tuple[float, float]],
    measure: Measure,
    n: int = 64,
    seed: int = 0,
    **options: Any,
) -> dict[str, dict[str, float]]:
    """Which parameters matter: first-order and total indices of Sobol' (SALib), each with its confidence (95 %).

    Parameters vary between their bounds, all values as likely. `n`, a power of two, says how fine: n (k + 2) runs for k
    parameters. `options` are those of `carom.sweep`.
    """
    if not (isinstance(n, int) and n > 0 and n & (n - 1) == 0):
        raise InputError(f"n is {n!r}; a power of two, such as 64")
    sample, analyse = _salib("sobol")
    problem = _problem(ranges)
    points = sample.sample(problem, n, calc_second_order=False, seed=seed)
    measured = _measured(model, ranges, points, measure, options)
    found = analyse.analyze(problem, measured, calc_second_order=False, seed=seed)
    columns = {"first": "S1", "first_confidence": "S1_conf", "total": "ST", "total_confidence": "ST_conf"}
    return {name: {word: float(found[key][i]) for word, key in columns.items()} for i, name in enumerate(ranges)}


def morris(
    model: str | Model,
    ranges: Mapping[str, tuple[float, float]],
    measure: Measure,
    n: int = 20,
    seed: int = 0,
    **options: Any,
) -> dict[str, dict[str, float]]:
    """Which parameters matter, with fewer runs: the elementary effects of Morris (SALib), the change of the measure while one
    parameter goes through its whole range.

    `mu` is their mean, `mu_star` the mean of their sizes, `sigma` their spread: 0 where the measure is linear in the parameter
    and no other has a say. n (k + 1) runs for k parameters; `options` are those of `carom.sweep`.
    """
    if not (isinstance(n, int) and n > 1):
        raise InputError(f"n is {n!r}; so many paths through the ranges, a whole number from 2 on")
    sample, analyse = _salib("morris")
    problem = _problem(ranges)
    points = sample.sample(problem, n, seed=seed)
    found = analyse.analyze(problem, points, _measured(model, ranges, points, measure, options), seed=seed)
    columns = ("mu", "mu_star", "sigma")
    return {name: {word: float(found[word][i]) for word in columns} for i, name in enumerate(ranges)}


def _salib(method: str) -> tuple[Any, Any]:
    return need(f"SALib.sample.{method}", "study"), need(f"SALib.analyze.{method}", "study")


def _problem(ranges: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    if not ranges:
        raise InputError("which parameters? ranges={'e': (0.7, 0.9)}")
    return {"num_vars": len(ranges), "names": list(ranges), "bounds": [list(_bounds(k, r)) for k, r in ranges.items()]}


def _measured(
    model: str | Model,
    ranges: Mapping[str, tuple[float, float]],
    points: Any,
    measure: Measure,
    options: Mapping[str, Any],
) -> Array:
    import numpy as np

    cases = [dict(zip(ranges, map(float, point))) for point in points]
    swept = sweep(model, cases, measure={"measured": measure}, **options)
    if swept.failed:
        row = swept.failed[0]
        raise Error(f"{len(swept.failed)} of {len(swept)} runs failed; case {row['case']}: {row['reason']}")
    values = np.array([np.nan if x is None else x for x in swept["measured"]], float)
    if not np.isfinite(values).all():
        raise Error(f"the measure of case {int(np.argmin(np.isfinite(values))) + 1} is no finite number")
    if np.ptp(values) == 0:
        raise Error(f"the measure is {values[0]:g} in all {len(values)} runs: it depends on none of the parameters")
    return values


def _number(name: str, value: Any) -> float:
    import math

    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"`{name}` starts at {value!r}, not at a number") from None
    if not math.isfinite(number):
        raise InputError(f"`{name}` starts at {number}, not at a finite number")
    return number


def _samples(key: str, pair: Any) -> tuple[Array, Array]:
    import numpy as np

    try:
        t, y = (np.asarray(part, dtype=np.float64) for part in pair)
    except (TypeError, ValueError):
        raise InputError(f"the data of `{key}` must be two sequences of numbers: (times, values)") from None
    if t.shape != y.shape or t.ndim != 1 or not len(t):
        raise InputError(f"the data of `{key}` have {t.shape} times and {y.shape} values: two sequences of one length")
    for what, array in (("times", t), ("values", y)):
        if not np.isfinite(array).all():
            raise InputError(f"the {what} of `{key}` hold numbers that are not finite: leave those samples out")
    return t, y
