"""Parameters from measurements, and which parameters matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import ModelError, SimulationError
from ._model import Model, load
from ._sweep import Measure, sweep

if TYPE_CHECKING:
    from ._result import Array, Result


@dataclass(frozen=True)
class Fit:
    """Parameters that fit measured data best."""

    parameters: dict[str, float]
    #: Standard deviations, if the errors of the data are alike and independent.
    deviations: dict[str, float]
    #: Root of the mean square of what is left.
    rms: float
    #: The run with these parameters.
    result: Result
    runs: int


def fit(
    model: str | Model,
    start: Mapping[str, float],
    data: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    run: Mapping[str, Any] | None = None,
) -> Fit:
    """Finds the parameters with which channels of the model come closest to measured data, by least squares (SciPy).

    `data` are times and values of channels; each channel is weighted by the spread of its values. A run that fails counts as far
    off.
    """
    import numpy as np
    from scipy.optimize import least_squares

    model = load(model) if isinstance(model, str) else model
    names = list(start)
    wanted = {key: (np.asarray(t, float), np.asarray(y, float)) for key, (t, y) in data.items()}
    for key, (t, y) in wanted.items():
        if t.shape != y.shape or t.ndim != 1 or not len(t):
            raise ValueError(f"`{key}`: times and values must be sequences of one length")
    weight = {key: 1.0 / (float(np.ptp(y)) or 1.0) for key, (_, y) in wanted.items()}
    options = {"estimate": False, **(run or {}), "progress": False}
    runs = 0

    def at(x: Array) -> Result:
        nonlocal runs
        runs += 1
        return model.set(dict(zip(names, map(float, x)))).run(**options)

    def left(x: Array) -> Array:
        try:
            result = at(x)
        except SimulationError:
            return np.concatenate([np.full(len(t), 10.0) for t, _ in wanted.values()])
        parts = [weight[key] * (np.interp(t, result.t, result[key]) - y) for key, (t, y) in wanted.items()]
        return np.concatenate(parts)

    begin = np.array([float(start[name]) for name in names])
    low = [bounds.get(name, (-np.inf, np.inf))[0] if bounds else -np.inf for name in names]
    high = [bounds.get(name, (-np.inf, np.inf))[1] if bounds else np.inf for name in names]
    scale = np.where(begin == 0, 1.0, np.abs(begin))
    # steps of the difference quotient above what the step size of the run leaves as noise
    found = least_squares(left, begin, bounds=(low, high), x_scale=scale, diff_step=1e-4)
    freedom = max(len(found.fun) - len(names), 1)
    spread = np.linalg.pinv(found.jac.T @ found.jac) * (2 * found.cost / freedom)
    best = dict(zip(names, map(float, found.x)))
    result = at(found.x)
    gaps = np.concatenate([np.interp(t, result.t, result[key]) - y for key, (t, y) in wanted.items()])
    deviations = dict(zip(names, map(float, np.sqrt(np.diag(spread)))))
    return Fit(best, deviations, float(np.sqrt(np.mean(gaps**2))), result, runs)


def sobol(
    model: str | Model,
    ranges: Mapping[str, tuple[float, float]],
    measure: Measure,
    n: int = 64,
    seed: int = 0,
    **options: Any,
) -> dict[str, dict[str, float]]:
    """Which parameters matter: first-order and total indices of Sobol' (SALib), each with its confidence.

    Makes n (2 k + 2) runs for k parameters; `options` are those of `carom.sweep`.
    """
    from SALib.analyze import sobol as analyse
    from SALib.sample import sobol as sample

    problem = _problem(ranges)
    points = sample.sample(problem, n, seed=seed)
    found = analyse.analyze(problem, _measured(model, ranges, points, measure, options), seed=seed)
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
    """Which parameters matter, with fewer runs: mean and spread of elementary effects (Morris, SALib). n (k + 1) runs."""
    from SALib.analyze import morris as analyse
    from SALib.sample import morris as sample

    problem = _problem(ranges)
    points = sample.sample(problem, n, seed=seed)
    found = analyse.analyze(problem, points, _measured(model, ranges, points, measure, options), seed=seed)
    return {name: {"mu_star": float(found["mu_star"][i]), "sigma": float(found["sigma"][i])} for i, name in enumerate(ranges)}


def _problem(ranges: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    return {"num_vars": len(ranges), "names": list(ranges), "bounds": [list(r) for r in ranges.values()]}


def _measured(
    model: str | Model,
    ranges: Mapping[str, tuple[float, float]],
    points: Any,
    measure: Measure,
    options: Mapping[str, Any],
) -> Array:
    import numpy as np

    cases = [dict(zip(ranges, map(float, point))) for point in points]
    swept = sweep(model, cases, measure={"measure": measure}, **options)
    if swept.failed:
        raise ModelError(f"{len(swept.failed)} of {len(swept)} runs failed: {swept.failed[0]['reason']}")
    return np.array(swept["measure"], float)
