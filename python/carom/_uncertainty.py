"""How far results scatter when parameters do: many runs, as bands around one."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _workers
from ._cases import Case, Range, latin_hypercube, quantile
from ._errors import Error, InputError, ModelError, SimulationError, UnknownName, near
from ._model import Model, load
from ._progress import Bar
from ._result import Result, cell, show_page
from ._sweep import _Task, in_a_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._result import Array

#: Curves above this size (bytes) are too many for the memory of a desk.
_MOST = 2 * 1024**3
#: Channels that are no motion and no force.
_OWN = ("audit.", "solver.")


class Uncertainty:
    """Curves of many runs of one model with different parameters, at the times of the run with its own.

    >>> import carom
    >>> scatter = carom.uncertainty("ball", {"e": (0.7, 0.9)}, n=8, run={"end": 1.0})
    >>> low, high = scatter.span("ball.y")
    >>> bool((low <= high).all())
    True
    """

    def __init__(self, result: Result, names: list[str], curves: Array, words: str, share: float, failed: list[str]) -> None:
        #: The run with the parameters of the model itself.
        self.result = result
        #: Share of the runs that bands hold.
        self.share = share
        #: What varied, in a sentence.
        self.words = words
        #: Why runs failed; they are not in the bands.
        self.failed = failed
        self._place = {name: i for i, name in enumerate(names)}
        self._curves = curves

    @property
    def t(self) -> Array:
        """Times of the samples."""
        return self.result.t

    @property
    def channels(self) -> list[str]:
        """What has bands."""
        return list(self._place)

    def curves(self, name: str) -> Array:
        """A channel of all runs: runs by samples."""
        if name not in self._place:
            raise UnknownName(f"there is no channel `{name}` with bands; {near(name, self.channels, '`channels` lists them')}")
        curves: Array = self._curves[:, self._place[name]]
        return curves

    def span(self, name: str, share: float | None = None) -> tuple[Array, Array]:
        """From where to where the middle of the runs goes at each time, such as 90 % of them."""
        import numpy as np

        tail = 0.5 * (1 - _share(self.share if share is None else share))
        low, high = np.quantile(self.curves(name), [tail, 1 - tail], axis=0)
        return low, high

    def band(self, name: str, share: float | None = None) -> Array:
        """Half-widths around the run with the parameters of the model, such that this share of the runs lies within."""
        import numpy as np

        off = np.abs(self.curves(name) - self.result[name])
        half: Array = np.quantile(off, _share(self.share if share is None else share), axis=0)
        return half

    def plot(self, *channels: str, ax: Axes | None = None, **style: Any) -> Axes:
        """Draws channels over time with their spans; answers the axes."""
        ax = self.result.plot(*channels, ax=ax, **style)
        for name, line in zip(channels, ax.lines[-len(channels) :]):
            low, high = self.span(name)
            ax.fill_between(self.t, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
        return ax

    @property
    def html(self) -> str:
        """The report page of the run, with bands that say how far the inputs move it."""
        places = self.result._place
        bands = [(places[name], self.band(name)) for name in self.channels]
        return self.result._done.html_with_bands(bands, self.words)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the report page."""
        path = Path(path)
        if path.suffix != ".html":
            raise InputError(f"`{path}`: the page is a file that ends in .html")
        path.write_text(self.html, encoding="utf-8")
        return path

    def show(self) -> None:
        """Opens the report page in a browser, or in the notebook."""
        show_page(self)

    def _repr_html_(self) -> str:
        return cell(self.html)

    def __repr__(self) -> str:
        return f"<carom.Uncertainty: {self.words}>"


def uncertainty(
    model: str | Model,
    ranges: Mapping[str, Range],
    n: int = 100,
    *,
    share: float = 0.9,
    channels: Sequence[str] | None = None,
    run: Mapping[str, Any] | None = None,
    seed: int = 0,
    executor: Any = None,
    jobs: int | None = None,
    progress: bool | None = None,
) -> Uncertainty:
    """Runs the model with `n` samples of its parameters (`latin_hypercube`) and tells how far the results scatter.

    `ranges` are parameters or keys of the model, each from a value to another, or a function such as
    `scipy.stats.norm(0.8, 0.02).ppf`. Bands hold a `share` of the runs. `channels` are those that get bands; all unless told.
    """
    import numpy as np

    model = model if isinstance(model, Model) else load(model)
    _share(share)
    latin_hypercube(ranges, 1)  # complains of ranges
    task = _Curves(model, dict(run or {}), channels)
    result = task.nominal()
    size = n * len(task.names) * len(result) * 8
    if size > _MOST:
        raise InputError(f"the curves of {n} runs would take {size / 1e9:.1f} GB: name the `channels` that you need")
    cases = latin_hypercube(ranges, n, seed)
    curves = np.empty((n, len(task.names), len(result)))
    good, failed = np.zeros(n, bool), [""] * n
    batches = _workers.each(task, list(enumerate(cases)), lost=_lost, executor=executor, jobs=jobs)
    with Bar("runs") as bar, contextlib.closing(batches):
        done = 0
        for some in batches:
            for index, curve, reason in some:
                good[index], failed[index] = curve is not None, reason
                if curve is not None:
                    curves[index] = curve
            done += len(some)
            if Bar.wanted(progress):
                bar.at(done / n, f"{done} of {n}")
    reasons = [reason for reason in failed if reason]
    if not good.any():
        raise Error(f"all {n} runs failed; the first: {reasons[0]}")
    varied = ", ".join(
        f"{key} around {quantile(key, span)(0.5):g}" if callable(span) else f"{key} from {span[0]:g} to {span[1]:g}"
        for key, span in ranges.items()
    )
    lost = f"; {len(reasons)} more failed" if reasons else ""
    words = (
        f"Bands, as wide above each line as below, hold {100 * share:g} % of {good.sum()} runs with {varied}{lost}: how far the "
        "inputs move the result."
    )
    return Uncertainty(result, task.names, curves[good], words, share, reasons)


class _Curves(_Task):
    """One run as curves at the times of another."""

    def __init__(self, model: Model, run: dict[str, Any], channels: Sequence[str] | None) -> None:
        super().__init__(model, {}, run, None)
        self.asked = channels
        self.names: list[str] = []
        self.t: Array | None = None

    def nominal(self) -> Result:
        """The run with the parameters of the model."""
        result = Result(self.run(self.setup({}), threading.Event()))
        known = [name for name in result.channels if name != "t" and not name.startswith(_OWN)]
        for name in self.asked or ():
            if name not in known:
                raise UnknownName(f"there is no channel `{name}`; {near(name, known, '`channels` of a result lists them')}")
        self.names = known if self.asked is None else list(self.asked)
        self.t = result.t.copy()
        return result

    def __call__(self, item: tuple[int, Case], stop: threading.Event) -> Any:
        import numpy as np

        index, case = item
        try:
            result = Result(self.run(self.setup(case), stop))
        except (ModelError, SimulationError) as error:
            return index, None, in_a_line(error)
        assert self.t is not None
        t = result.t
        same = len(t) == len(self.t) and bool((t == self.t).all())
        columns = [result[name] for name in self.names]
        return index, np.array(columns if same else [np.interp(self.t, t, y) for y in columns]), ""


def _lost(item: tuple[int, Case], why: str) -> Any:
    return item[0], None, why


def _share(share: float) -> float:
    if not 0 < share <= 1:
        raise InputError(f"the share is {share!r}; above 0, and 1 at most")
    return share
