"""How far a run is: a line in a terminal, a bar in a notebook, nothing in a file."""

from __future__ import annotations

import html
import sys
import time
from typing import Any

# Runs shorter than this (s) need no bar.
_PATIENCE = 0.5
# Columns of the bar, and of the line that is wiped.
_WIDTH = 30
_LINE = 78


class Bar:
    """Shows a part of the whole once the run takes longer than half a second: on standard error, or in the cell."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._begin = time.monotonic()
        self._shown = False
        self._cell: Any = None

    @staticmethod
    def wanted(asked: bool | None) -> bool:
        """Whether somebody looks."""
        return asked if asked is not None else _in_notebook() or bool(sys.stderr and sys.stderr.isatty())

    def at(self, part: float, words: str = "") -> None:
        """Shows how far it is, 0 to 1."""
        seconds = time.monotonic() - self._begin
        if seconds < _PATIENCE and not self._shown:
            return
        part = min(max(part, 0.0), 1.0)
        left = f", {seconds / part - seconds:.0f} s left" if part > 0.02 else ""
        if _in_notebook():
            self._in_cell(part, f"{100 * part:3.0f} %{left} {words}")
        else:
            full = round(_WIDTH * part)
            line = f"{self._what} {'█' * full}{'·' * (_WIDTH - full)} {100 * part:3.0f} %{left} {words}"
            self._write(f"\r{line:<{_LINE}}")
        self._shown = True

    def run(self, t: float, end: float, steps: int, purpose: str) -> None:
        """Shows a run, as the extension calls it."""
        self.at(t / end if end > 0 else 1.0, purpose or f"t = {t:.4g} s")

    def close(self) -> None:
        """Wipes it."""
        if self._cell is not None:
            from IPython.display import HTML

            self._cell.update(HTML(""))
        elif self._shown:
            self._write("\r" + " " * _LINE + "\r")

    def _in_cell(self, part: float, words: str) -> None:
        from IPython.display import HTML, display

        label = html.escape(self._what)
        bar = HTML(f'<label>{label} <progress value="{part:.4f}" max="1"></progress> {html.escape(words)}</label>')
        if self._cell is None:
            self._cell = display(bar, display_id=True)
        else:
            self._cell.update(bar)

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
        except UnicodeEncodeError:  # a terminal without blocks and dots
            sys.stderr.write(text.replace("█", "#").replace("·", "."))
        sys.stderr.flush()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"
