"""What comes out of a run: arrays without copies, tables, plots, pages, files."""

from __future__ import annotations

import gc
import html
import json
import re
import sys
import types
import weakref
from pathlib import Path

import numpy as np
import pytest

import carom
from models import bouncing_disk, pendulum, spinning_ball


@pytest.fixture(scope="module")
def disk() -> carom.Result:
    return bouncing_disk().run()


@pytest.fixture(scope="module")
def bob() -> carom.Result:
    return pendulum().run()


# --- arrays


@pytest.mark.parametrize("build", [pendulum, bouncing_disk])
def test_arrays_are_views_of_the_memory_of_the_recording(build) -> None:
    result = build().run(end=0.2, estimate=False)
    name = result.channels[1]
    array = result[name]
    assert array.base is result._done and not array.flags.owndata
    assert result[name] is array
    # a second question to the recording leads to the same memory
    assert np.shares_memory(array, result._done.column(1))
    assert array.ctypes.data == result._done.column(1).ctypes.data
    assert array.dtype == np.float64 and array.flags.c_contiguous and array.flags.aligned


def test_arrays_cannot_be_written(bob: carom.Result) -> None:
    array = bob["bob.x"]
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    with pytest.raises(ValueError):
        array.flags.writeable = True
    copy = array.copy()
    copy[0] = 7
    assert array[0] != 7


def test_an_array_outlives_its_result() -> None:
    result = pendulum().run(end=0.2, estimate=False)
    array, values = result["bob.x"], result["bob.x"].copy()
    gone = weakref.ref(result)
    del result
    gc.collect()
    assert gone() is None
    assert [bytes(1000) for _ in range(1000)]  # somebody else may use memory that is free
    assert (array == values).all()


def test_nothing_keeps_a_result_alive() -> None:
    before = sum(isinstance(thing, carom.Result) for thing in gc.get_objects())
    for _ in range(3):
        result = pendulum().run(end=0.05, estimate=False)
        result["bob.x"], result.contacts, result.events, result.html
    del result
    gc.collect()
    assert sum(isinstance(thing, carom.Result) for thing in gc.get_objects()) == before


def test_values_are_in_the_units_of_the_model(disk: carom.Result) -> None:
    assert disk["disk.y"][0] == 300 and disk.units["disk.y"] == "mm" and disk.units["t"] == "s"
    assert disk.t[-1] == 1.0 and len(disk) == len(disk.t) == len(disk["disk.y"])
    assert disk.summary["t"] == 1.0 and disk.summary["scheme"].startswith("moreau-jean")


def test_samples_are_those_of_the_command_line(tmp_path: Path, disk: carom.Result) -> None:
    files = disk.save(tmp_path, npz=True)
    assert {"series.csv", "events.csv", "summary.json", "report.html", "series.npz"} <= {f.name for f in files}
    table = np.genfromtxt(tmp_path / "series.csv", delimiter=",", names=True)
    assert (table["t"] == disk.t).all() and (table["diskvx"] == disk["disk.vx"]).all()
    lines = (tmp_path / "events.csv").read_text().splitlines()
    assert lines[0] == ",".join(disk.events.columns) and len(lines) == 1 + len(disk.events)
    assert json.loads((tmp_path / "summary.json").read_text())["digest"] == disk.digest


def test_a_folder_that_cannot_be_written_is_an_os_error(tmp_path: Path, bob: carom.Result) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="cannot write"):
        bob.save(tmp_path / "file" / "out")


def test_contacts_by_name(disk: carom.Result) -> None:
    floor = disk.contacts["floor"]
    assert set(disk.contacts) == {"floor"}
    assert floor["gap"] is disk["floor.gap"] and floor["gap"][0] == pytest.approx(280)
    # momentum: Σ impulses = m g T + m (v₁ − v₀), N s with velocities in mm/s
    v = disk["disk.vy"]
    assert floor["impulse_n"].sum() == pytest.approx(0.5 * 9.81 * 1.0 + 0.5 * (v[-1] - v[0]) / 1000, rel=1e-9)


def test_names_that_are_not_there(disk: carom.Result) -> None:
    assert "disk.y" in disk and "disk.yy" not in disk and 3 not in disk
    with pytest.raises(carom.UnknownName, match="did you mean `disk.y`"):
        disk["disk.yy"]
    with pytest.raises(KeyError):
        disk[0]
    with pytest.raises(carom.InputError, match="which channels"):
        disk.plot()
    with pytest.raises(carom.UnknownName):
        disk.plot("disk.y", x="time")
    with pytest.raises(carom.InputError, match="certified"):
        disk.band("disk.y")


def test_a_certified_run_has_bands_that_are_views() -> None:
    result = bouncing_disk(scheme="hem5", end=0.4).run(certify=1e-4)
    band = result.band("disk.y")
    assert band.shape == result.t.shape and not band.flags.writeable and band.base is result._done
    t = np.sqrt(2 * 280 / 9810)
    exact = 300 - 0.5 * 9810 * result.t**2
    falling = result.t < t
    assert (np.abs(result["disk.y"] - exact)[falling] <= band[falling] + 1e-9).all()


# --- tables


def test_events_are_a_frame_of_pandas(disk: carom.Result) -> None:
    import pandas

    events = disk.events
    assert isinstance(events, pandas.DataFrame)
    assert list(events.columns) == ["t", "kind", "subject", "before", "after", "impulse"]
    assert events.kind[0] == "impact" and events.subject[0] == "floor"
    assert events.before[0] < 0 < events.after[0] and events.before.dtype == np.float64


def test_events_are_a_list_where_there_is_no_package_for_tables(disk: carom.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    events = disk.events
    assert isinstance(events, list) and events[0]["kind"] == "impact" and events[0]["before"] < 0
    with pytest.raises(ImportError, match=r"carom\[table\]"):
        disk.frame()


def test_events_and_samples_are_frames_of_polars_where_there_is_no_pandas(
    disk: carom.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    polars = pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pandas", None)
    events, frame = disk.events, disk.frame()
    assert isinstance(events, polars.DataFrame) and events["kind"][0] == "impact"
    assert (frame["t"].to_numpy() == disk.t).all()


def test_a_run_without_events_has_an_empty_table(bob: carom.Result) -> None:
    assert len(bob.events) == 0 and list(bob.events.columns)[0] == "t"


def test_samples_as_a_frame_over_time(bob: carom.Result) -> None:
    frame = bob.frame()
    assert frame.index.name == "t" and (frame["bob.x"].to_numpy() == bob["bob.x"]).all()
    assert "t" not in frame.columns


# --- plots


def test_plots_have_names_and_units(disk: carom.Result) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = disk.plot("disk.y")
    assert ax.get_xlabel() == "t (s)" and ax.get_ylabel() == "disk.y (mm)"
    assert (ax.lines[0].get_ydata() == disk["disk.y"]).all()
    same = disk.plot("disk.x", "disk.y", ax=ax, linestyle="--")
    assert same is ax and len(ax.lines) == 3 and ax.get_ylabel() == "(mm)"
    mixed = disk.plot("disk.y", "disk.vy")
    assert [text.get_text() for text in mixed.get_legend().get_texts()] == ["disk.y (mm)", "disk.vy (mm/s)"]
    path = disk.plot("disk.y", x="disk.x", label="path")
    assert path.get_xlabel() == "disk.x (mm)" and path.lines[0].get_label() == "path"
    matplotlib.pyplot.close("all")


def test_a_plot_without_matplotlib_says_what_to_install(disk: carom.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"carom\[plot\]"):
        disk.plot("disk.y")


# --- pages


@pytest.mark.parametrize("build", [bouncing_disk, spinning_ball])
def test_a_notebook_cell_shows_the_page_without_a_network(build) -> None:
    result = build().run(end=0.3)
    cell = result._repr_html_()
    page = html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*"></iframe>', cell, re.S).group(1))
    assert page == result.html and page.lower().startswith("<!doctype html>")
    loaded = re.findall(r'(?:src|href)\s*=\s*["\']?(https?:)?//[^"\']*', page)
    assert loaded == [] and "@import" not in page


def test_show_opens_the_page_in_a_browser(bob: carom.Result, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setitem(sys.modules, "IPython", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    bob.show()
    [uri] = opened
    assert uri.startswith("file://") and Path(uri.removeprefix("file://")).read_text() == bob.html


def test_show_displays_in_a_notebook(bob: carom.Result, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[object] = []
    ipython, display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: object()  # type: ignore[attr-defined]
    display.display = shown.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    bob.show()
    assert shown == [bob]


def test_verdict_stop_and_repr(bob: carom.Result) -> None:
    assert bob.stop == "done" and bob.verdict.endswith(".") and bob.wall_seconds > 0
    assert repr(bob).startswith(f"<carom.Result {len(bob)} samples, done: ")
    quick = pendulum().run(end=0.1, estimate=False)
    assert quick.verdict != bob.verdict
    by_hand = pendulum().simulation()
    by_hand.step(10)
    assert np.isnan(by_hand.result.wall_seconds) and len(by_hand.result) == 11
    assert by_hand.result.stop == "interrupted"


def test_sentences_are_in_the_units_of_the_model_step_by_step_too() -> None:
    simulation = bouncing_disk().simulation()
    simulation.run_until(0.5)
    assert " mm (floor)" in simulation.result.verdict and "N mm" in simulation.result.verdict
