"""Runs the contact solvers of Carom and of Siconos' numerics on the same files and prints tables for `benches/README.md`.

Usage: friction.py [SECONDS] [ROUNDS]                            limit for each solve (2), how often each is timed (3)
       friction.py --one FILE SOLVER TOLERANCE SECONDS ROUNDS    one solver of Siconos, used by the first form

Wants `cargo build --release -p carom-cli -p carom-solve --example solve_times --bins`, numpy, and Siconos with Python
(Debian: python3-siconos; run with the python3 it is made for). Problems come from `carom solve --generate`, spatial, as
blocks. Every solve begins from zero. An answer counts as a solution if the error that this script computes is below the
tolerance:

    err = |P - proj_K(P - (U + mu |U_T| e_N))| / max(|U_free|, |P|, |U|)            natural map, de Saxce's shift

Both codes may go on from their answer, at most three times, with a tolerance that is smaller by as much as is missing;
the time of this is added. Times are CPU times of the solvers alone, one thread each, in a process that has solved the
problem before; the least of all rounds, each of which repeats what is too short for the clock. The limit is one of CPU
time. Carom looks at the wall clock and is given ten times as long there, so that other work on the machine does not decide.
"""

import json
import os
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

HERE = Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "target/release"

PROBLEMS = (
    "table:8 grasp:30 heavy-top:50 spheres:10 spheres:100 spheres:500 spheres:2000 "
    "boxes:20 boxes:100 boxes:1000 wall:50 wall:500 wall:2000 mesh:100"
).split()
TOLERANCES = [1e-4, 1e-8]
OURS = ["auto", "gauss-seidel", "newton", "admm"]
# name: solver, its most iterations (the clock ends it before), its solver for one contact if not the default
THEIRS = {
    "NSGS": ("NSGS", 10**7, None),
    "NSGS, projection": ("NSGS", 10**7, "ONECONTACT_ProjectionOnConeWithLocalIteration"),
    "NSN_AC": ("NSN_AC", 10**5, None),
    "ADMM": ("ADMM", 10**7, None),
}
ONE_THREAD = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
# As `carom solve` does it: rounds with a smaller tolerance, and what each aims at.
TIGHTER, MARGIN = 3, 0.5
# Shortest round (s), and wall clock over CPU time.
LEAST_ROUND, PATIENCE = 0.05, 10


class Problem:
    """A local problem in blocks of 3 × 3, as `carom solve --out` writes it."""

    def __init__(self, file):
        words = iter(Path(file).read_text().split())
        whole = lambda count: np.array([int(next(words)) for _ in range(count)])
        real = lambda count: np.array([float(next(words)) for _ in range(count)])
        dim, self.contacts, storage, rows, _ = whole(5)
        assert (dim, storage) == (3, 1), "spatial, by blocks"
        count, block_rows, block_columns = whole(3)
        whole(block_rows + block_columns + 2)
        first, self.column = whole(block_rows + 1), whole(count)
        self.row = np.repeat(np.arange(block_rows), np.diff(first))
        self.block = np.empty((count, 3, 3))
        for k in range(count):
            next(words)
            self.block[k] = real(9).reshape(3, 3).T
        self.U_free, self.mu = real(rows), real(self.contacts)

    def error(self, P):
        P = np.asarray(P).reshape(-1, 3)
        U = self.U_free.reshape(-1, 3).copy()
        np.add.at(U, self.row, np.einsum("kij,kj->ki", self.block, P[self.column]))
        z = P - U
        z[:, 0] -= self.mu * np.hypot(U[:, 1], U[:, 2])
        # Onto the cone: inside it stays, in the polar cone it goes to the tip, else to the nearest ray.
        mu, t = self.mu, np.hypot(z[:, 1], z[:, 2])
        tip, inside = mu * t <= -z[:, 0], t <= mu * z[:, 0]
        n = np.where(inside, z[:, 0], np.where(tip, 0, (z[:, 0] + mu * t) / (1 + mu**2)))
        shrink = np.where(inside, 1, mu * n / np.where(t > 0, t, 1))
        projected = np.stack([n, shrink * z[:, 1], shrink * z[:, 2]], axis=1)
        norm = np.linalg.norm
        return norm(P - projected) / max(norm(self.U_free), norm(P), norm(U))


def one(file, name, tolerance, limit, rounds):
    """Siconos on one file; a line of JSON per round. The alarm ends this process, as nothing else ends Siconos."""
    import siconos.numerics as sn

    problem, theirs = Problem(file), sn.frictionContact_new_from_filename(file)
    solver, most, inner = THEIRS[name]
    constant = lambda word: getattr(sn, f"SICONOS_FRICTION_3D_{word}")

    def solve():
        """Seconds and error."""
        P, U = np.zeros(3 * problem.contacts), np.zeros(3 * problem.contacts)
        seconds, wanted = 0.0, tolerance
        for _ in range(TIGHTER + 1):
            options = sn.SolverOptions(constant(solver))
            if inner:
                sn.solver_options_update_internal(options, 0, constant(inner))
            options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = most
            options.dparam[sn.SICONOS_DPARAM_TOL] = wanted
            signal.setitimer(signal.ITIMER_PROF, max(limit - seconds, 1e-3))
            start = time.process_time()
            sn.fc3d_driver(theirs, P, U, options)
            seconds += time.process_time() - start
            signal.setitimer(signal.ITIMER_PROF, 0)
            error = problem.error(P)
            if not tolerance < error < inf:
                break
            wanted *= min(MARGIN * tolerance / error, MARGIN)
        return seconds, error

    for _ in range(rounds):
        runs = [solve()]
        while sum(seconds for seconds, _ in runs) < LEAST_ROUND and len(runs) < 1000:
            runs.append(solve())
        mean = sum(seconds for seconds, _ in runs) / len(runs)
        print(json.dumps({"seconds": mean, "error": runs[-1][1]}), flush=True)


def siconos(file, name, tolerance, limit, rounds):
    """Least time; infinite if the limit, or Siconos, ends it before the answer is good."""
    words = [sys.executable, __file__, "--one", file, name, str(tolerance), str(limit), str(rounds)]
    out = subprocess.run(words, env=ONE_THREAD, capture_output=True, text=True).stdout
    runs = [json.loads(line) for line in out.splitlines() if line.startswith('{"seconds"')]
    best = min(runs, key=lambda run: run["seconds"], default={"seconds": inf, "error": inf})
    return best["seconds"] if best["error"] <= tolerance else inf


def carom(file, problem, tolerance, limit, rounds):
    """The same for all solvers of Carom, by name."""
    words = [BUILT / "examples/solve_times", file, tolerance, PATIENCE * limit, rounds, *OURS]
    out = subprocess.run([str(w) for w in words], env=ONE_THREAD, capture_output=True, text=True, check=True).stdout
    times = {}
    for answer in map(json.loads, out.splitlines()):
        solved = answer["seconds"] <= limit and problem.error(answer["P"]) <= tolerance
        times[answer["solver"]] = answer["seconds"] if solved else inf
    return times


def tables(limit, rounds):
    times = {}
    contacts = {}
    with TemporaryDirectory() as folder:
        for name in PROBLEMS:
            file = str(Path(folder) / f"{name.replace(':', '-')}.dat")
            subprocess.run([str(BUILT / "carom"), "solve", "--generate", name, "--out", file], capture_output=True, check=True)
            problem = Problem(file)
            contacts[name] = problem.contacts
            for tolerance in TOLERANCES:
                row = {f"Carom {k}": v for k, v in carom(file, problem, tolerance, limit, rounds).items()}
                for solver in THEIRS:
                    row[f"Siconos {solver}"] = siconos(file, solver, tolerance, limit, rounds)
                times[name, tolerance] = row
                print(f"{name} {tolerance:.0e} " + " ".join(f"{k}={v:.2g}" for k, v in row.items()), file=sys.stderr)
    solvers = [f"Carom {name}" for name in OURS] + [f"Siconos {name}" for name in THEIRS]
    digits = lambda ratio: f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
    print("| solver | " + " | ".join(f"solved to {t:.0e} | time over `auto`, median" for t in TOLERANCES) + " |")
    print("|---|" + "---|---|" * len(TOLERANCES))
    for solver in solvers:
        cells = []
        for tolerance in TOLERANCES:
            rows = [times[name, tolerance] for name in PROBLEMS]
            solved = [row for row in rows if row[solver] < inf]
            both = [row[solver] / row["Carom auto"] for row in solved if row["Carom auto"] < inf]
            cells += [f"{len(solved)} of {len(rows)}", digits(median(both)) if both else "–"]
        print(f"| {solver} | " + " | ".join(cells) + " |")
    print("\n| problem | contacts | tolerance | fastest of Carom | fastest of Siconos | Siconos over Carom | over `auto` |")
    print("|---|---|---|---|---|---|---|")
    shown = lambda ratio: digits(ratio) if 0 < ratio < inf else "–"
    for (name, tolerance), row in times.items():
        fastest = lambda code: min((k for k in row if k.startswith(code)), key=row.get)
        a, b = fastest("Carom"), fastest("Siconos")
        label = lambda key: key.split(" ", 1)[1] if row[key] < inf else "none"
        ratios = [row[b] / row[k] if row[k] < inf else 0.0 for k in (a, "Carom auto")]
        cells = [name, contacts[name], f"{tolerance:.0e}", label(a), label(b), *map(shown, ratios)]
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        file, name, tolerance, limit, rounds = sys.argv[2:]
        one(file, name, float(tolerance), float(limit), int(rounds))
    else:
        tables(float(sys.argv[1]) if sys.argv[1:] else 2.0, int(sys.argv[2]) if sys.argv[2:] else 3)
