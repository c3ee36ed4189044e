"""Runs Carom and its peers in turn on the problems of `space.py` and prints the table of `benches/README.md`.

Usage: compare_space.py [ROUNDS]        (3)

Wants `cargo build --release -p carom-bench` and the packages `exudyn`, `mujoco` and `pin`. CPU times, the least of seven runs of each code in every round; errors
are the largest component against the references of `benches/src/references.rs`.
"""

import re
import subprocess
import sys
from math import inf
from pathlib import Path

import space

HERE = Path(__file__).resolve().parent
CAROM = [HERE.parents[1] / "target/release/carom-bench"]
EXUDYN, MUJOCO, PINOCCHIO = ([sys.executable, HERE / f"{peer}_space.py"] for peer in ("exudyn", "mujoco", "pinocchio"))
CHAIN = {
    "Carom, generalized-α": (CAROM, "1"),
    "Carom, joint coordinates, RK4": (CAROM, "1 rk4", "-relative"),
    "Carom, joint coordinates, Dormand–Prince": (CAROM, "1 dopri5", "-relative"),
    "Exudyn, index 2, modified Newton to 1e-4": (EXUDYN, "1 1e-4 index2 euler modified 7"),
    "Exudyn, index 3, modified Newton to 1e-4": (EXUDYN, "1 1e-4 index3 euler modified 7"),
    "MuJoCo, RK4": (MUJOCO, "1 RK4 7"),
    "Pinocchio, RK4, its four ABA calls alone": (PINOCCHIO, "1 7"),
}
ROWS = {
    "chain-space-10": CHAIN,
    "chain-space-50": CHAIN,
    # MuJoCo takes half a minute here, and Pinocchio ends in NaN
    "chain-space-200": {name: run for name, run in CHAIN.items() if name.startswith(("Carom", "Exudyn"))},
    "slider-crank-space": {
        "Carom, generalized-α": (CAROM, "1"),
        "Carom, Adams–Moulton": (CAROM, "1 adams-moulton"),
        "Carom, joint coordinates, Adams–Moulton": (CAROM, "1 adams-moulton", "-relative"),
        "Carom, joint coordinates, RK4": (CAROM, "1 rk4", "-relative"),
        "Exudyn, index 3, modified Newton to 1e-8": (EXUDYN, "1 1e-8 index3 euler modified 7"),
        "Exudyn, index 2, modified Newton to 1e-8": (EXUDYN, "1 1e-8 index2 euler modified 7"),
        "MuJoCo, RK4, soft loop": (MUJOCO, "1 RK4 7"),
    },
    "heavy-top": {
        "Carom, Moreau–Jean": (CAROM, "1"),
        "Exudyn, index 2, full Newton to 1e-8": (EXUDYN, "1 1e-8 index2 euler full 7"),
        "Exudyn, index 2, Lie group, modified Newton to 1e-6": (EXUDYN, "1 1e-6 index2 lie modified 7"),
        "MuJoCo, RK4": (MUJOCO, "1 RK4 7"),
    },
}


def call(row, steps, program, rest, suffix=""):
    """A code with the words behind ROW and STEPS; what Carom calls the row in joint coordinates has a suffix."""
    words = [*map(str, program), row + suffix, str(steps), *rest.split()]
    out = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    check = [float(x) for x in out.split("check")[1].split()]
    return float(re.match(r"[\d.]+", out)[0]), space.error(row, check)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print("| row | code | µs/step | over Carom | error |\n|---|---|---|---|---|")
    for row, codes in ROWS.items():
        steps = space.references()[row][0]
        times, errors = dict.fromkeys(codes, inf), {}
        for _ in range(rounds):
            for name, code in codes.items():
                time, errors[name] = call(row, steps, *code)
                times[name] = min(times[name], time)
        ours = next(iter(times.values()))
        for name, time in times.items():
            print(f"| {row} | {name} | {time:.3g} | {time / ours:.1f} | {errors[name]:.1e} |", flush=True)


main()
