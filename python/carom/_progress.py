"""A line that says how far a run is: in a terminal and in a notebook, not in a file."""

from __future__ import annotations

import sys
import time
from typing import Any

# Runs shorter than this (s) need no bar.
_PATIENCE = 0.5
_WIDTH = 30


class Bar:
    """Shows a part of the whole, on standard error, once the run takes longer than half a second."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._begin = time.monotonic()
        self._shown = False

    @staticmethod
    def wanted(asked: bool | None) -> bool:
        """Whether somebody looks."""
        return asked if asked is not None else sys.stderr.isatty() or _in_notebook()

    def at(self, part: float, words: str = "") -> None:
        """Shows how far it is, 0 to 1."""
        seconds = time.monotonic() - self._begin
        if seconds < _PATIENCE and not self._shown:
            return
        self._shown = True
        part = min(max(part, 0.0), 1.0)
        full = round(_WIDTH * part)
        left = f", {seconds / part - seconds:.0f} s left" if part > 0.02 else ""
        line = f"{self._what} {'█' * full}{'·' * (_WIDTH - full)} {100 * part:3.0f} %{left} {words}"
        sys.stderr.write(f"\r{line:<78}")
        sys.stderr.flush()

    def run(self, t: float, end: float, steps: int, purpose: str) -> None:
        """Shows a run, as the extension calls it."""
        self.at(t / end if end > 0 else 1.0, purpose or f"t = {t:.4g} s")

    def close(self) -> None:
        """Wipes the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * 78 + "\r")
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
