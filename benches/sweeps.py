"""What a sweep costs beside its runs, and what more workers bring.

Usage: sweeps.py [RUNS]        (wants the package installed, a release build, and dask[distributed]; default 400 runs)

Prints, each from several turns of all ways one after the other, the least:
  - the time of a run in a loop, and what a run costs more by `carom.sweep` on one thread, and on a local Dask cluster of one
    worker: (sweep - loop) / runs;
  - how many times faster two workers are than one, threads and Dask, with runs that take some 50 ms;
  - bytes: of a row, of what is sent with a batch and what comes back, of a case in memory.
Other load on the machine shows in all of them alike; the ratio of two ways in one turn is what can be compared.
"""

import os
import pickle
import sys
import time

import carom
import psutil  # comes with Dask
from carom import _sweep, _workers

MODEL = """
gravity = [0, -10]
[parameters]
e = 0.8
[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]
[bodies.ball]
mass = 1
position = [0, 1]
[contacts.floor]
between = ["ball", "ground.floor"]
restitution = "=e"
[simulation]
scheme = "moreau-jean"
step = 1e-3
end = 0.05
"""
TURNS = 5
MEASURE = ["ball.y:max"]


def cases(n):
    return [{"e": 0.1 + 0.8 * i / n} for i in range(n)]


def cpu():
    """CPU time of this process and of the workers (s): what other load does not change."""
    children = psutil.Process().children(recursive=True)
    return time.process_time() + sum(c.cpu_times().user + c.cpu_times().system for c in children)


def least(ways):
    """The least time of every way on the clock, and of the CPU; they take turns."""
    wall, busy = {name: [] for name in ways}, {name: [] for name in ways}
    for _ in range(TURNS):
        for name, work in ways.items():
            begin, used = time.perf_counter(), cpu()
            work()
            wall[name].append(time.perf_counter() - begin)
            busy[name].append(cpu() - used)
    return {name: min(seen) for name, seen in wall.items()}, {name: min(seen) for name, seen in busy.items()}, wall


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    model = carom.Model.from_text(MODEL, name="ball.toml", files={})
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")

    def loop():
        for case in cases(n):
            result = model.set(case).run(estimate=False, progress=False)
            result._done.measures(MEASURE)

    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        first = next(iter(client.nthreads()))
        one = Pinned(client, first)
        carom.sweep(model, cases(20), executor=client)  # workers import what they need

        def sweep(**options):
            carom.sweep(model, cases(n), measure=MEASURE, progress=False, **options)

        ways = {
            "loop": loop,
            "one thread": lambda: sweep(jobs=1),
            "Dask, one worker": lambda: sweep(executor=one),
            "Dask, one worker, a task for each run": lambda: sweep(executor=one, batch=1),
        }
        best, busy, _ = least(ways)
        print(f"{n} runs of {1e3 * best['loop'] / n:.2f} ms each (CPU {1e3 * busy['loop'] / n:.2f})")
        for name in list(ways)[1:]:
            wall, used = (1e3 * (times[name] - times["loop"]) / n for times in (best, busy))
            print(f"  {name}: {wall:+.2f} ms for each run (CPU {used:+.2f})")

        long, few = {"step": 1e-5, "end": 0.5}, cases(40)

        def heavy(**options):
            carom.sweep(model, few, measure=MEASURE, run=long, progress=False, **options)

        ways = {
            "1 thread": lambda: heavy(jobs=1),
            "2 threads": lambda: heavy(jobs=2),
            "Dask 1": lambda: heavy(executor=one),
            "Dask 2": lambda: heavy(executor=client),
        }
        best, _, all_times = least(ways)
        print(f"{len(few)} runs of {1e3 * best['1 thread'] / len(few):.0f} ms each")
        for a, b in (("1 thread", "2 threads"), ("Dask 1", "Dask 2")):
            ratios = sorted(x / y for x, y in zip(all_times[a], all_times[b]))
            print(f"  {b} over {a}: {best[a] / best[b]:.2f} (turn by turn {', '.join(f'{r:.2f}' for r in ratios)})")

    task = _sweep._Task(model, {name: name for name in MEASURE}, {}, None)
    packed = _workers._pack(task)
    swept = carom.sweep(model, cases(100), measure=MEASURE)
    answer = pickle.dumps((swept.rows, 0.1))
    asked = pickle.dumps(list(enumerate(cases(100))))
    print(f"bytes: {len(packed)} with each batch, {len(asked) // 100} for each case there, {len(answer) // 100} for each row back")
    print(f"a row takes {row_memory(swept):.0f} bytes in memory, {row_file(swept):.0f} in <out>.rows")


def row_memory(swept):
    import tracemalloc

    packed = pickle.dumps(swept.rows)
    tracemalloc.start()
    rows = pickle.loads(packed)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(rows)


def row_file(swept):
    import json

    return sum(len(json.dumps(row)) + 1 for row in swept.rows) / len(swept)


class Pinned:
    """A Client that sends all work to one of its workers."""

    asynchronous = False

    def __init__(self, client, worker):
        self._client, self._worker = client, worker

    def submit(self, *words, **options):
        return self._client.submit(*words, workers=[self._worker], **options)

    def scatter(self, data, broadcast):
        return self._client.scatter(data, workers=[self._worker])

    def nthreads(self):
        return {self._worker: 1}

    def scheduler_info(self):
        return self._client.scheduler_info()


if __name__ == "__main__":
    main()
