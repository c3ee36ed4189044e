"""What came out of a run."""

from __future__ import annotations

import csv
import html
import io
import json
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

    def __init__(self, done: _carom.Done) -> None:
        self._done = done
        channels = done.channels()
        self._place = {name: i for i, (name, *_) in enumerate(channels)}
        self._channels = channels

    def __getitem__(self, name: str) -> Array:
        """The samples of a channel. The same array every time; it cannot be written, `.copy()` can."""
        place = self._place.get(name)
        if place is None:
            import difflib

            near = difflib.get_close_matches(name, self._place, 3)
            hint = f"; did you mean {' or '.join(near)}?" if near else "; `channels` lists them"
            raise KeyError(f"there is no channel `{name}`{hint}")
        return self._done.column(place)

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
        """Channels of every contact: `contacts["bounce"]["gap"]`."""
        found: dict[str, dict[str, Array]] = {}
        for i, (_, _, subject, quantity, _) in enumerate(self._channels):
            found.setdefault(subject, {})[quantity] = self._done.column(i)
        return {subject: own for subject, own in found.items() if "gap" in own}

    def band(self, name: str) -> Array:
        """How wrong a channel of a certified run may be: half-widths beside its samples."""
        self[name]
        band = self._done.band(self._place[name])
        if band is None:
            raise ValueError("only a certified run has bands: run(certify=1e-3)")
        return band

    @property
    def events(self) -> Any:
        """Impacts, releases, stick and slip: a DataFrame where pandas or polars is there, else a list of dictionaries."""
        text = self._done.events_csv()
        try:
            import pandas

            return pandas.read_csv(io.StringIO(text), keep_default_na=False, na_values={"before": [""], "after": [""], "impulse": [""]})
        except ImportError:
            pass
        try:
            import polars

            return polars.read_csv(io.StringIO(text))
        except ImportError:
            return [
                {key: _number(key, value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(text))
            ]

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
        """Why it ended: "done", "interrupted" or "failed"."""
        return self._done.stop

    @property
    def digest(self) -> str:
        """Digest of all that was recorded: the same bits, the same digest."""
        return self._done.digest

    @property
    def wall_seconds(self) -> float:
        """Time it took on the clock (s)."""
        return self._done.wall_seconds

    def frame(self) -> Any:
        """All channels as a pandas DataFrame over time."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self.channels if name != "t"}, index=pandas.Index(self.t, name="t"))

    def plot(self, *channels: str, x: str = "t", ax: Axes | None = None, **style: Any) -> Axes:
        """Draws channels over time, or over another channel, with matplotlib; answers the axes."""
        import matplotlib.pyplot as plt

        if not channels:
            raise ValueError(f"which channels? There are {', '.join(self.channels[:12])} ...")
        if ax is None:
            _, ax = plt.subplots()
        for name in channels:
            ax.plot(self[x], self[name], **{"label": name, **style})
        units = {self.units[name] for name in channels}
        ax.set_xlabel(f"{x} ({self.units[x]})")
        ax.set_ylabel(f"{channels[0]} ({units.pop()})" if len(channels) == 1 else f"({', '.join(sorted(units))})")
        if len(channels) > 1:
            ax.legend()
        ax.grid(True, alpha=0.3)
        return ax

    @property
    def html(self) -> str:
        """The report page: one file, without a network."""
        return self._done.html()

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
        return [Path(file) for file in self._done.write(Path(folder), "", csv, report, npz, vtk, gltf)]


def cell(page: str) -> str:
    """A page inside a notebook cell."""
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
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(thing.html)
    webbrowser.open(Path(file.name).as_uri())


def _number(key: str, value: str) -> Any:
    if key in ("kind", "subject"):
        return value
    return float(value) if value else float("nan")
