"""Rows of a sweep on disk as they come, so that one that was cut off goes on where it was.

A line of JSON for each row, below a line that tells whose they are. A line that was cut off itself is run again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from ._errors import InputError

Row = dict[str, Any]


class Journal:
    """The file beside the table."""

    def __init__(self, path: Path, mark: str, resume: bool) -> None:
        self.path = path
        self.rows: dict[int, Row] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
        try:
            _lock(file, path)
            if not resume:
                file.truncate(0)
            file.seek(0)
            whole, _, cut_off = file.read().rpartition(b"\n")
            if cut_off:
                file.truncate(len(whole) + 1 if whole else 0)
            head, *lines = whole.decode("utf-8").split("\n")
            if not head:
                file.write(mark.encode() + b"\n")
                file.flush()
            elif head != mark:
                raise InputError(
                    f"`{path}` holds rows of another sweep (model, cases, measures, options or Carom changed): "
                    "choose another `out`, or say resume=False to begin anew"
                )
            for row in map(json.loads, lines):
                self.rows[row["case"]] = row
        except BaseException:
            file.close()
            raise
        self._file = file

    def add(self, rows: Iterable[Row]) -> None:
        """Keeps rows; they are there even if this program is killed."""
        self._file.write("".join(json.dumps(row) + "\n" for row in rows).encode())
        self._file.flush()

    def close(self) -> None:
        """Lets others have the file."""
        self._file.close()


def _lock(file: IO[bytes], path: Path) -> None:
    """Two programs must not write the same rows. Where a file system knows no locks, nobody is kept away."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"another program is writing `{path}`: wait for it, or choose another `out`") from None
    except OSError:
        pass


def replace(path: Path, write: Any) -> None:
    """Writes a file under another name and puts it in place at once: nobody sees half of it."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        write(new)
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)
