"""The progress bar: in a terminal, in a notebook, nowhere else."""

from __future__ import annotations

import io
import sys
import types

import pytest

import carom
from carom import _progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars from the beginning."""
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)


def long_run() -> carom.Model:
    """Some tenths of a second."""
    return carom.load("ball").set({"simulation.end": 100})


@pytest.mark.usefixtures("eager")
def test_a_terminal_gets_a_line_that_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    long_run().run()
    lines = sys.stderr.getvalue().split("\r")  # type: ignore[attr-defined]
    assert any("█" in line and "%" in line and line.startswith("ball ") for line in lines)
    assert all(len(line) <= _progress._LINE for line in lines)
    assert lines[-2].strip() == "" and lines[-1] == ""


@pytest.mark.usefixtures("eager")
def test_a_file_gets_nothing_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    long_run().run()
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]
    long_run().run(progress=True)
    assert "%" in sys.stderr.getvalue()  # type: ignore[attr-defined]


def test_a_short_run_needs_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    carom.load("ball").run(end=0.5)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.usefixtures("eager")
def test_nobody_looks_where_asked_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    long_run().run(progress=False)
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.usefixtures("eager")
def test_a_terminal_without_blocks_gets_plain_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, encoding="ascii"))
    long_run().run(progress=True)
    assert b"#" in raw.getvalue() or b"." in raw.getvalue()


@pytest.mark.usefixtures("eager")
def test_a_notebook_gets_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, thing: str) -> None:
            shown.append(thing)

    class ZMQInteractiveShell:
        pass

    def display(thing: str, display_id: bool) -> Handle:
        shown.append(thing)
        return Handle()

    ipython, show = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = ZMQInteractiveShell  # type: ignore[attr-defined]
    show.display, show.HTML = display, str  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", show)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    long_run().run()
    assert "<progress value=" in shown[0] and shown[-1] == "" and len(shown) >= 3
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.usefixtures("eager")
def test_what_a_bar_raises_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(Terminal):
        def write(self, text: str) -> int:
            raise BrokenPipeError("nobody reads")

    monkeypatch.setattr(sys, "stderr", Closed())
    bar = _progress.Bar("ball")
    with pytest.raises(BrokenPipeError):
        long_run()._setup().run(None, True, bar.run)
