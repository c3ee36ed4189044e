"""Models and measures of the tests of sweeps. Functions that travel to other processes stand in a module."""

from __future__ import annotations

import os
import time
from pathlib import Path

import carom

#: Falls h (m) under 10 m/s², so that it rises to e² h above the floor after its first impact.
BALL = """
gravity = [0, -10]

[parameters]
e = 0.8
h = 1.0

[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]

[bodies.ball]
mass = 1
position = [0, "=h"]

[contacts.floor]
between = ["ball", "ground.floor"]
restitution = "=e"

[simulation]
scheme = "moreau-jean"
step = 1e-3
end = 0.5
"""


def ball() -> carom.Model:
    return carom.Model.from_text(BALL, name="ball.toml", files={})


def own(case: int) -> dict[str, float]:
    """A case that no other is equal to."""
    return {"e": round(0.3 + 0.0001 * case, 6)}


class Note:
    """Leaves a line in a file for every run, so that somebody can count."""

    def __init__(self, path: Path, pause: float = 0.0) -> None:
        self.path, self.pause = str(path), pause

    def __call__(self, result: carom.Result) -> int:
        e = result.summary["parameters"]["e"]
        time.sleep(self.pause)
        with open(self.path, "a") as file:  # one short write is whole
            file.write(f"{e!r}\n")
        return os.getpid()

    def seen(self) -> list[float]:
        path = Path(self.path)
        return [float(line) for line in path.read_text().split()] if path.exists() else []


class Deadly:
    """Ends its process at one value."""

    def __init__(self, e: float) -> None:
        self.e = e

    def __call__(self, result: carom.Result) -> float:
        e = float(result.summary["parameters"]["e"])
        if abs(e - self.e) < 1e-9:
            os._exit(7)
        return e
