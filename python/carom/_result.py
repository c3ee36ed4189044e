"""What came out of a run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import InputError, UnknownName, near, need

if TYPE_CHECKING:
    import numpy
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from . import _carom

    Array = NDArray[numpy.float64]

# Height of the page in a notebook cell (pixels).
_CELL = 640


class Result:
    """Samples, events and verdict of a run, in the units of the model.

    >>> import carom
    >>> result = carom.load("ball").run(end=0.5)
    >>> y = result["ball.y"]            # a NumPy array over Carom's own memory
    >>> bool(y[-1] < y[0])
    True
    >>> result.units["ball.y"]
    'm'
    """

    def __init__(self, done: _carom.Done, command: str = "") -> None:
        self._done = done
        #: What made it, for the record.
        self._command = command
        self._arrays: dict[int, Array] = {}
        channels = done.channels()
        self._place = {name: i for i, (name, *_) in enumerate(channels)}
        self._channels = channels

    def __getitem__(self, name: str) -> Array:
        """The samples of a channel: the same array every time, without a copy. It cannot be written; `.copy()` can."""
        place = self._place.get(name) if isinstance(name, str) else None
        if place is None:
            hint = near(str(name), self._place, "`channels` lists them")
            raise UnknownName(f"there is no channel `{name}`; {hint}")
        return self._array(place)

    def _array(self, place: int) -> Array:
        if place not in self._arrays:
            self._arrays[place] = self._done.column(place)
        return self._arrays[place]

    def __contains__(self, name: object) -> bool:
        return name in self._place

    def __len__(self) -> int:
        return len(self.t)

    @property
    def t(self) -> Array:
        """Times of the samples."""
        return self["t"]

    @property
    def channels(self) -> list[str]:
        """Names of what was recorded."""
        return [name for name, _, _, _, plotted in self._channels if plotted]

    @property
    def units(self) -> dict[str, str]:
        """Unit of every channel."""
        return {name: unit for name, unit, *_ in self._channels}

    @property
    def contacts(self) -> dict[str, dict[str, Array]]:
        """Channels of every contact by name and quantity.

        >>> import carom
        >>> result = carom.load("ball").run(end=0.5)
        >>> sorted(result.contacts["floor"])[:3]
        ['force_n', 'gap', 'impulse_n']
        """
        found: dict[str, dict[str, Array]] = {}
        for i, (_, _, subject, quantity, _) in enumerate(self._channels):
            found.setdefault(subject, {})[quantity] = self._array(i)
        return {subject: own for subject, own in found.items() if "gap" in own}

    def band(self, name: str) -> Array:
        """How wrong a channel of a certified run may be: half-widths beside its samples."""
        self[name]
        band = self._done.band(self._place[name])
        if band is None:
            raise InputError("only a certified run has bands: run(certify=1e-3)")
        return band

    @property
    def events(self) -> Any:
        """Impacts, releases, stick and slip, with the relative velocity before and after: a DataFrame where pandas or polars
        is there (pandas if both are), else a list of dictionaries.

        >>> import carom
        >>> events = carom.load("ball").run(end=1.0).events
        >>> events.kind[0], events.subject[0]
        ('impact', 'floor')
        """
        columns = self._done.events()
        for package in ("pandas", "polars"):
            try:
                return need(package, "table").DataFrame(columns)
            except ImportError:
                pass
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    @property
    def summary(self) -> dict[str, Any]:
        """Counters, audit and estimate, as in summary.json."""
        answer: dict[str, Any] = json.loads(self._done.summary())
        return answer

    @property
    def verdict(self) -> str:
        """How wrong it may be, in a sentence."""
        return self._done.verdict

    @property
    def stop(self) -> str:
        """Why it ended: "done", "interrupted" (so is a run step by step that is not over) or "failed"."""
        return self._done.stop

    @property
    def digest(self) -> str:
        """Digest of all that was recorded: the same bits, the same digest."""
        return self._done.digest

    @property
    def wall_seconds(self) -> float:
        """Time it took on the clock (s); NaN of a run made step by step."""
        return self._done.wall_seconds

    def frame(self) -> Any:
        """All channels as a DataFrame: of pandas, with the time as its index, or of polars, with a column `t`."""
        columns = {name: self[name] for name in self.channels}
        try:
            pandas = need("pandas", "table")
        except ImportError:
            return need("polars", "table").DataFrame(columns)
        times = columns.pop("t")
        return pandas.DataFrame(columns, index=pandas.Index(times, name="t"))

    def plot(self, *channels: str, x: str = "t", ax: Axes | None = None, **style: Any) -> Axes:
        """Draws channels over time, or over another channel, with matplotlib; answers the axes. `style` goes to `Axes.plot`."""
        if not channels:
            raise InputError(f"which channels? There are {', '.join(self.channels[1:13])}, ...")
        lines = [(name, self[name]) for name in channels]
        over = self[x]
        if ax is None:
            ax = need("matplotlib.pyplot", "plot").subplots()[1]
        units = {self.units[name] for name in channels}
        for name, values in lines:
            label = name if len(units) == 1 else f"{name} ({self.units[name]})"
            ax.plot(over, values, **{"label": label, **style})
        ax.set_xlabel(f"{x} ({self.units[x]})")
        if len(channels) == 1:
            ax.set_ylabel(f"{channels[0]} ({self.units[channels[0]]})")
        else:
            ax.legend()
            if len(units) == 1:
                ax.set_ylabel(f"({units.pop()})")
        ax.grid(True, alpha=0.3)
        return ax

    @property
    def html(self) -> str:
        """The report page: one file, without a network."""
        return self._done.html(self._command)

    def show(self) -> None:
        """Opens the report page in a browser, or in the notebook."""
        show_page(self)

    def _repr_html_(self) -> str:
        return cell(self.html)

    def __repr__(self) -> str:
        return f"<carom.Result {len(self)} samples, {self.stop}: {self.verdict}>"

    def save(
        self,
        folder: str | os.PathLike[str],
        *,
        csv: bool = True,
        report: bool = True,
        npz: bool = False,
        vtk: bool = False,
        gltf: bool = False,
    ) -> list[Path]:
        """Writes the files that `carom run` writes, and answers their paths."""
        return [Path(file) for file in self._done.write(Path(folder), self._command, csv, report, npz, vtk, gltf)]


def cell(page: str) -> str:
    """A page inside a notebook cell."""
    import html

    page = html.escape(page, quote=True)
    return f'<iframe srcdoc="{page}" style="width:100%;height:{_CELL}px;border:1px solid #8884"></iframe>'


def show_page(thing: Any) -> None:
    """Opens the page of a thing in a browser, or shows the thing in the notebook."""
    try:
        from IPython import get_ipython
        from IPython.display import display

        if get_ipython() is not None:
            display(thing)
            return
    except ImportError:
        pass
    import tempfile
    import webbrowser

    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(thing.html)
    webbrowser.open(Path(file.name).as_uri())
