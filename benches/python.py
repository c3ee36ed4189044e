"""What Python costs: import, a run against the command line, a step, a function that Rust calls, arrays.

    python benches/python.py [path of the `carom` program]

Wants the package built for release. Everything is compared within one run, so a busy machine changes little; the best of
several tries counts. The last column is what it may be.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import carom

TRIES = 9


def best(work: Callable[[], object], tries: int = TRIES) -> float:
    """The shortest time (s)."""
    times = []
    for _ in range(tries):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def row(what: str, measured: str, bar: str, fine: bool) -> None:
    """One line of the table."""
    print(f"{'ok  ' if fine else 'OVER'}  {what:<58} {measured:>22}   {bar}")


def importing() -> None:
    """Processor time of a process that imports, without that of one that does nothing."""
    import resource

    def process(code: str) -> float:
        times = []
        for _ in range(TRIES):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", code], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return min(times)

    seconds = process("import carom") - process("pass")
    row("import carom", f"{1e3 * seconds:.0f} ms", "100 ms", seconds < 0.1)


def against_the_command_line(program: str, model: str, words: dict[str, float]) -> None:
    """The same run with the same files: load().run().save() against `carom run`, which is a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        options = [text for key, value in words.items() for text in (f"--{key}", repr(value))]
        command = [program, "run", model, *options, "--out", f"{folder}/command"]
        shell = best(lambda: subprocess.run(command, check=True, capture_output=True))
        here = best(lambda: carom.load(model).run(**words).save(f"{folder}/python"))
        done = json.loads(Path(folder, "command", "summary.json").read_text())
        same = done["digest"] == carom.load(model).run(**words).digest
    over = here - shell
    row(
        f"load().run().save() of {model} over `carom run`",
        f"{1e3 * here:.1f} - {1e3 * shell:.1f} ms",
        "5 ms + 2 %, same digest",
        same and over < 5e-3 + 0.02 * shell,
    )


def step(model: str) -> None:
    """A step called from Python against one of many that Rust makes."""
    n = 20_000  # of 1e-3 s and less: within 1e3 s

    def loop() -> None:
        simulation = carom.load(model).simulation(end=1e3)
        one = simulation.step
        begin = time.perf_counter()
        for _ in range(n):
            one()
        loops.append(time.perf_counter() - begin)

    def many() -> None:
        simulation = carom.load(model).simulation(end=1e3)
        begin = time.perf_counter()
        simulation.step(n)
        alls.append(time.perf_counter() - begin)

    loops: list[float] = []
    alls: list[float] = []
    for _ in range(TRIES):
        loop(), many()
    by_python, by_rust = min(loops) / n, min(alls) / n
    above = by_python - by_rust
    row(f"sim.step() of {model} above the step of Rust", f"{1e6 * above:.2f} us + {1e6 * by_rust:.2f}", "2 us", above < 2e-6)


def function() -> None:
    """A force in Python against the same formula: the difference over the number of calls."""

    def oscillator(force: str) -> carom.Model:
        model = carom.Model()
        model.body("m", mass=1, position=[1, 0])
        model.force("f", "force", on="m", force=[force, 0])
        model.settings(scheme="moreau-jean", step=1e-4, end=1.0)
        return model

    calls = 0

    def count(x: float, v: float) -> float:
        nonlocal calls
        calls += 1
        return -25.0 * x - v

    def pull(x: float, v: float) -> float:
        return -25.0 * x - v

    formula, counted, called = oscillator("=-25*m.x - m.vx"), oscillator("=pull(m.x, m.vx)"), oscillator("=pull(m.x, m.vx)")
    counted.function("pull", count)
    called.function("pull", pull)
    counted.run(estimate=False)
    plain = best(lambda: formula.run(estimate=False))
    with_python = best(lambda: called.run(estimate=False))
    each = (with_python - plain) / calls
    alone = best(lambda: [pull(1.0, 0.5) for _ in range(calls)]) / calls
    row(
        "a force in Python, a call",
        f"{1e6 * each:.2f} us ({1e6 * alone:.2f} in Python)",
        "3 us",
        each < 3e-6,
    )
    print(f"      {calls / 1e4:.1f} calls a step: {1e6 * plain * 1e-4:.2f} us with the formula, {1e6 * with_python * 1e-4:.2f} us with the function")


def system() -> None:
    """The price of a whole System in Python."""

    class Ball(carom.System):
        q, v = [1.0], [0.0]
        mass_is_constant = True
        contacts = [("floor", 0.8, None)]

        def mass(self, t, q):  # type: ignore[no-untyped-def]
            return [[1.0]]

        def force(self, t, q, v):  # type: ignore[no-untyped-def]
            return [-10.0]

        def gaps(self, t, q):  # type: ignore[no-untyped-def]
            return [q[0]]

        def directions(self, t, q):  # type: ignore[no-untyped-def]
            return [[1.0]]

    n = 2000
    model = Ball().model()

    def many() -> None:
        model.simulation(step=1e-3, end=1e9).step(n)

    print(f"      a bouncing ball whose System is in Python: {1e6 * best(many, 3) / n:.0f} us a step")


def views() -> None:
    """Asking for all channels of a long run, against copying them."""
    result = carom.load("slider-crank").run(end=0.05, estimate=False)

    def fresh() -> None:
        again = carom.Result(result._done)
        for name in again.channels:
            again[name]

    asked = best(fresh)
    copied = best(lambda: [result[name].copy() for name in result.channels])
    shared = all(np.shares_memory(result[name], result._done.column(i)) for i, name in enumerate(result.channels[:5]))
    row(
        f"arrays of {len(result.channels)} channels of {len(result)} samples, against copies",
        f"{1e6 * asked:.0f} us, {1e6 * copied:.0f} us",
        "views",
        shared,
    )


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(sys.executable), "carom")
    importing()
    against_the_command_line(program, "ball", {"end": 4.0})
    against_the_command_line(program, "slider-crank", {"end": 0.05})
    step("ball")
    step("slider-crank")
    function()
    system()
    views()
