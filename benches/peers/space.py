"""The problems in space that Carom shares with its peers: data, references, timing.

Chains of N round rods with ball joints (0.1 m, 0.1 kg, radius 0.01 m), the first at the origin, level along x at the start; joint k
has the velocity 2 sin(π k/N) m/s along y. A slider-crank: crank 0.08 m about x through (0, 0.1, 0.12), up at the start with
6 rad/s, ball joint, rod 0.3 m, universal joint, slider on the x axis. A heavy top: 15 kg, centre 1 m from its ball joint,
150 rad/s. Weight 9.81 m/s² along −z, steps of 1e-3 s. The same as in `benches/src/models/space.rs`.
"""

import re
import sys
import time
from math import pi, sin
from pathlib import Path

import numpy as np

STEP = 1e-3
GRAVITY = 9.81
RUNS = 7

LENGTH, MASS, RADIUS = 0.1, 0.1, 0.01
ALONG = 0.5 * MASS * RADIUS**2
ACROSS = MASS * (3 * RADIUS**2 + LENGTH**2) / 12

BEARING = np.array([0.0, 0.1, 0.12])
CRANK = dict(length=0.08, mass=0.12, inertia=(1e-4, 1e-4, 1e-5), speed=6.0)
ROD = dict(length=0.3, mass=0.5, inertia=(4e-4, 4e-3, 4e-3))
SLIDER = dict(mass=2.0, inertia=(1e-4, 1e-4, 1e-4))
# at the start: columns are the rod from ball to cross, the arm of the cross on it, and the third axis
PIN, CROSS = np.array([0.0, 0.1, 0.2]), np.array([0.2, 0.0, 0.0])
ROD_X = (CROSS - PIN) / ROD["length"]
ROD_Y = np.cross([1.0, 0.0, 0.0], ROD_X)
ROD_Y = ROD_Y / np.linalg.norm(ROD_Y)
ROD_AXES = np.array([ROD_X, ROD_Y, np.cross(ROD_X, ROD_Y)]).T
SLIDER_SPEED = 0.24  # r_B·v_B = (r_C − r_B)·… with v_B = −0.48 y
ROD_VELOCITY = np.array([0.12, -0.24, 0.0])

TOP = dict(mass=15.0, centre=(0.0, 1.0, 0.0), inertia=(0.234375, 0.46875, 0.234375), omega=(0.0, 150.0, -4.61538))


def rod_spin():
    """ω of the rod in inertial axes: its ends move as ball and cross do, and its arm of the cross stays square to x."""
    # ω × (C − B) = v_C − v_B and ω·(x × y_rod) = 0, the latter from (x·y_rod)' = x·(ω × y_rod) = 0
    along = CROSS - PIN
    S = np.array([[0, along[2], -along[1]], [-along[2], 0, along[0]], [along[1], -along[0], 0]])
    rows = np.vstack([S, np.cross(ROD_Y, [1.0, 0.0, 0.0])])
    right = np.append(np.array([SLIDER_SPEED, 0.48, 0.0]), 0.0)
    omega, *_ = np.linalg.lstsq(rows, right, rcond=None)
    assert np.abs(rows @ omega - right).max() < 1e-12
    return omega


def links(row):
    return int(row.rsplit("-", 1)[1])


def chain(n):
    """Of each rod: centre, velocity, angular velocity about z."""
    v = [2 * sin(pi * k / n) for k in range(n + 1)]
    return [((i + 0.5) * LENGTH, 0.5 * (v[i] + v[i + 1]), (v[i + 1] - v[i]) / LENGTH) for i in range(n)]


def watched(n):
    """The rods whose far ends are looked at."""
    return range(n // 10 - 1, n, n // 10)


def references():
    """From `benches/src/references.rs`: steps, values."""
    text = (Path(__file__).resolve().parents[1] / "src/references.rs").read_text()
    found = re.findall(r"pub const (\w+): \[f64; \d+\] =\s*\[([^\]]*)\]", text)
    values = {name: [float(x) for x in body.replace("_", "").split(",") if x.strip()] for name, body in found}
    rows = {f"chain-space-{n}": (1000, values[f"CHAIN_{n}"]) for n in (10, 50, 200)}
    return rows | {"slider-crank-space": (5000, values["SLIDER_CRANK"]), "heavy-top": (1000, values["TOP"])}


def error(row, check):
    return max(abs(a - b) for a, b in zip(check, references()[row][1]))


def arguments(*defaults):
    """ROW STEPS [SPLIT …] with defaults for what is left out."""
    row, steps, *rest = sys.argv[1:]
    given = [type(d)(x) for d, x in zip(defaults, rest)]
    return row, int(steps), *given, *defaults[len(given) :]


def least(make, steps, runs=RUNS):
    """Least CPU time per step of several runs in µs, and what the last one came to; `make` gives a run and its result."""
    best = float("inf")
    for _ in range(runs):
        run, result = make()
        start = time.process_time()
        run()
        best = min(best, (time.process_time() - start) / steps * 1e6)
        check = result()
    return best, check


def tell(best, check):
    print(f"{best:.3f} µs/step  check {' '.join(f'{x:.10f}' for x in check)}")
