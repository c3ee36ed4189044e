"""Runs Carom and its peers in turn on the same problems and prints tables for `benches/README.md`.

Usage: compare.py [ROUNDS]        (3)

Wants `cargo build --release -p carom-bench`, the package `exudyn`, and `siconos_ball` and `siconos_linkages` built as
the README says (their places in SICONOS_BALL and SICONOS_LINKAGES); a missing Siconos is left out. Times are the least
of all rounds.
"""

import os
import re
import subprocess
import sys
from math import inf, sqrt
from pathlib import Path

HERE = Path(__file__).resolve().parent
CAROM = HERE.parents[1] / "target/release/carom-bench"
EXUDYN = HERE / "exudyn_linkages.py"
SICONOS = os.environ.get("SICONOS_BALL", "")
SICONOS_LINKAGES = os.environ.get("SICONOS_LINKAGES", "")

# row, steps that are timed, steps to the check
LINKAGES = [
    ("four-bar", 1000, 1000),
    ("chain-10", 1000, 200),
    ("chain-50", 400, 200),
    ("chain-200", 200, 200),
    ("chain-500", 100, 100),
]


def call(*words):
    """CPU µs per step and the values checked."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    out = subprocess.run([str(w) for w in words], env=environment, capture_output=True, text=True, check=True)
    line = out.stdout.strip().splitlines()[-1]
    values = [float(x) for x in line.split("check")[1].split()]
    return float(re.match(r"[\d.]+", line)[0]), values


def carom(row, steps, split=1, *scheme):
    return call(CAROM, row, steps, split, *scheme)


def exudyn(row, steps, split=1, tolerance=1e-8, solver="dense", newton="step"):
    return call(sys.executable, EXUDYN, row, steps, split, tolerance, solver, newton)


def distance(a, b):
    return sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def ball_height(t):
    """Exact: free flights between impacts with e = 0.8, g = 10 from 0.801 m."""
    y, v = 0.801, 0.0
    while True:
        flight = (v + sqrt(v * v + 20 * y)) / 10
        if t <= flight:
            return y + v * t - 5 * t * t
        t, y, v = t - flight, 0.0, 0.8 * (10 * flight - v)


def settings(row):
    """Exudyn's choices worth trying: the fastest one counts."""
    solvers = ["dense", "sparse"] if row in ("four-bar", "chain-10") else ["sparse"]
    return [(solver, newton) for solver in solvers for newton in ("kept", "step", "full")]


def per_step(rounds):
    print("| row | Carom µs/step | peer µs/step | factor | error of Carom | error of the peer |")
    print("|---|---|---|---|---|---|")
    if SICONOS:
        ours = theirs = inf
        for _ in range(rounds):
            ours = min(ours, carom("ball", 50000)[0])
            theirs = min(theirs, call(SICONOS, 50000)[0])
        exact = [ball_height(1.0)]
        errors = [distance(run[1], exact) for run in (carom("ball", 10000), call(SICONOS, 10000))]
        print(f"| ball | {ours:.2f} | {theirs:.2f} Siconos | {theirs / ours:.0f} | {errors[0]:.1e} m | {errors[1]:.1e} m |")
    for row, timed, checked in LINKAGES:
        ours, theirs = inf, {}
        for _ in range(rounds):
            for choice in settings(row):
                ours = min(ours, carom(row, timed)[0])
                for tolerance in (1e-4, 1e-8):
                    time = exudyn(row, timed, 1, tolerance, *choice)[0]
                    theirs[tolerance] = min(theirs.get(tolerance, (inf,)), (time, choice))
        reference = exudyn(row, checked, 20, 1e-10, *theirs[1e-8][1])[1]
        unit = "rad" if row == "four-bar" else "m"
        error = distance(carom(row, checked)[1], reference)
        for tolerance, (time, choice) in theirs.items():
            its = distance(exudyn(row, checked, 1, tolerance, *choice)[1], reference)
            print(
                f"| {row} | {ours:.2f} | {time:.1f} Exudyn, Newton to {tolerance:.0e} ({', '.join(choice)}) "
                f"| {time / ours:.0f} | {error:.1e} {unit} | {its:.1e} {unit} |",
                flush=True,
            )


def for_accuracy(row, steps, splits_ours, splits_theirs):
    unit = "rad" if row == "four-bar" else "m"
    reference = exudyn(row, steps, 50, 1e-10)[1]
    print(f"\n{row} to t = {steps * 1e-3:g} s: step, CPU time of the whole run, error\n")
    print("| code | step, s | CPU ms | error |")
    print("|---|---|---|---|")
    for name, code, splits in (("Carom", carom, splits_ours), ("Exudyn", exudyn, splits_theirs)):
        for split in splits:
            time, check = code(row, steps, split)
            total = time * steps * split * 1e-3
            print(f"| {name} | {1e-3 / split:.0e} | {total:.2f} | {distance(check, reference):.1e} {unit} |", flush=True)
    # the limit that Carom's own steps point to, by extrapolation of errors of order 1 and 2
    a, b, c = (carom(row, steps, split)[1] for split in (25, 50, 100))
    limit = [(x - 6 * y + 8 * z) / 3 for x, y, z in zip(a, b, c)]
    print(f"\nCarom extrapolated to step 0 is {distance(limit, reference):.1e} {unit} from the reference.")


def against_siconos(row, peers_row, timed, checked, splits, rounds):
    """Both by Moreau–Jean; errors against the mean of what each code extrapolates to with order 1."""

    def ours(steps, split=1):
        return carom(row, steps, split, "moreau-jean")

    def theirs(steps, split=1, tolerance=1e-10):
        return call(SICONOS_LINKAGES, peers_row, steps, split, tolerance)

    times = {"Carom": inf, 1e-6: inf, 1e-10: inf}
    for _ in range(rounds):
        times["Carom"] = min(times["Carom"], ours(timed)[0])
        for tolerance in (1e-6, 1e-10):
            times[tolerance] = min(times[tolerance], theirs(timed, 1, tolerance)[0])
    a, b = splits
    limits = [(b * code(checked, b)[1][0] - a * code(checked, a)[1][0]) / (b - a) for code in (ours, theirs)]
    limit = sum(limits) / 2
    error = abs(ours(checked)[1][0] - limit)
    for tolerance in (1e-6, 1e-10):
        its = abs(theirs(checked, 1, tolerance)[1][0] - limit)
        print(
            f"| {row} | {times['Carom']:.2f} | {times[tolerance]:.1f} Siconos, Newton to {tolerance:.0e} "
            f"| {times[tolerance] / times['Carom']:.0f} | {error:.1e} rad | {its:.1e} rad |",
            flush=True,
        )
    print(f"{row}: the limits of the two codes are {abs(limits[0] - limits[1]):.0e} rad apart")


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    if SICONOS_LINKAGES:
        against_siconos("slider-crank-minimal", "slider-crank", 50000, 2000, (50, 100), rounds)
        against_siconos("slider-crank", "slider-crank", 50000, 2000, (50, 100), rounds)
        against_siconos("four-bar", "four-bar", 50000, 1000, (50, 100), rounds)
    per_step(rounds)
    for_accuracy("four-bar", 1000, (1, 5, 20, 100), (0.1, 0.2, 0.5, 1, 5))
    for_accuracy("chain-10", 200, (1, 5, 20, 100), (0.1, 0.2, 0.5, 1, 5))
