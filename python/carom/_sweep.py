"""One model, many cases: on threads here, on any executor elsewhere, resumable.

A run is a function of its case alone, so neither threads nor workers change a digit. A row is written down as soon as it is
there; a sweep that was cut off goes on where it was.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from ._errors import ModelError, SimulationError
from ._model import Model, load
from ._progress import Bar

if TYPE_CHECKING:
    from ._result import Result

Case = Mapping[str, Any]
Measure = Union[str, "Callable[[Result], Any]"]
Row = dict[str, Any]

#: Batches that wait for each worker.
_AHEAD = 4
#: Most runs in a batch.
_LARGEST = 256
#: How often a batch is sent again after its worker was lost.
_AGAIN = 2



def grid(axes: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations, the last axis the fastest.

    >>> import carom
    >>> carom.grid({"e": [0.5, 0.9], "h0": [1, 2]})[1]
    {'e': 0.5, 'h0': 2}
    """
    return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]


def latin_hypercube(ranges: Mapping[str, tuple[float, float]], n: int, seed: int = 0) -> list[dict[str, float]]:
    """`n` cases spread evenly: each range is cut into `n` parts, and every part of every range is met once.

    >>> import carom
    >>> cases = carom.latin_hypercube({"e": (0.0, 1.0)}, 4)
    >>> sorted(int(4 * case["e"]) for case in cases)
    [0, 1, 2, 3]
    """
    chance = random.Random(seed)
    columns: dict[str, list[float]] = {}
    for key, (low, high) in ranges.items():
        places = [(i + chance.random()) / n for i in range(n)]
        chance.shuffle(places)
        columns[key] = [low + (high - low) * place for place in places]
    return [{key: column[i] for key, column in columns.items()} for i in range(n)]


class Sweep:
    """The rows of a sweep, in the order of the cases: index, the values of the case, status, reason, digest, measures."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, name: str) -> list[Any]:
        """A column."""
        return [row.get(name) for row in self.rows]

    @property
    def failed(self) -> list[Row]:
        """Rows of runs that failed, each with its reason."""
        return [row for row in self.rows if row["status"] != "done"]

    def frame(self) -> Any:
        """As a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows).set_index("index")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the table: `.csv`, or `.parquet` where pandas and pyarrow are there."""
        path = Path(path)
        if path.suffix == ".parquet":
            self.frame().to_parquet(path)
        elif path.suffix == ".csv":
            import csv

            names = list(dict.fromkeys(name for row in self.rows for name in row))
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, names)
                writer.writeheader()
                writer.writerows(self.rows)
        else:
            raise ValueError(f"`{path}` does not say what to write: a name that ends in .csv or .parquet")
        return path

    def __repr__(self) -> str:
        return f"<carom.Sweep of {len(self)} cases, {len(self.failed)} failed>"


def sweep(
    model: str | Model,
    cases: Iterable[Case],
    *,
    measure: Mapping[str, Measure] | Sequence[str] = (),
    run: Mapping[str, Any] | None = None,
    executor: Any = None,
    jobs: int | None = None,
    batch: int | None = None,
    out: str | os.PathLike[str] | None = None,
    shard: tuple[int, int] | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Runs the model once for every case.

    `cases` are dictionaries of parameters or keys of the model: `grid`, `latin_hypercube`, or your own. `measure` says what to
    note of each run: `"ball.y:max"` (max, min, last, mean, rms), or a function of the result under a name. `run` are keywords of
    `Model.run`; the estimate of the error is left out unless it says otherwise.

    Without an executor, `jobs` threads run at the same time. `executor` is anything with the interface of
    `concurrent.futures`, or a `distributed.Client` of Dask; runs then travel in batches. With `out`, rows are kept beside it as
    soon as they are there, and a sweep that was interrupted goes on there. `shard=(k, n)` runs every n-th case from the k-th on.

    >>> import carom
    >>> swept = carom.sweep("ball", carom.grid({"e": [0.5, 0.8]}), measure=["ball.y:max"], run={"end": 0.5})
    >>> [row["status"] for row in swept]
    ['done', 'done']
    """
    model = load(model) if isinstance(model, str) else model
    listed = [dict(case) for case in cases]
    measures = dict(measure) if isinstance(measure, Mapping) else {name: name for name in measure}
    for name, how in measures.items():
        if isinstance(how, str):
            _split(how)
        if name in _OWN or any(name in case for case in listed):
            raise ValueError(f"`{name}` is the name of a column already: call the measure otherwise")
    options = {"estimate": False, **(run or {}), "progress": False}
    mine = list(range(len(listed)))
    if shard is not None:
        k, n = shard
        if not 1 <= k <= n:
            raise ValueError(f"shard ({k}, {n}): k goes from 1 to n")
        mine = mine[k - 1 :: n]
    journal = _Journal(out, model, listed, measures, options, shard)
    rows = journal.rows
    left = [i for i in mine if i not in rows]
    task = _Task(model, measures, options)
    with Bar("sweep") as bar:
        show = bar.at if Bar.wanted(progress) else None
        for row in _run(task, [(i, listed[i]) for i in left], executor, jobs, batch):
            if row["index"] not in rows:  # a batch that was repeated is counted once
                rows[row["index"]] = row
                journal.add(row)
            if show is not None:
                show(len(rows) / max(len(mine), 1), f"{len(rows)} of {len(mine)} cases")
    swept = Sweep([rows[i] for i in mine])
    journal.close(swept)
    return swept


#: Columns of every row.
_OWN = ("index", "status", "reason", "digest")
_HOW: dict[str, Callable[[Any], float]] = {
    "max": lambda x: float(x.max()),
    "min": lambda x: float(x.min()),
    "last": lambda x: float(x[-1]),
    "mean": lambda x: float(x.mean()),
    "rms": lambda x: math.sqrt(float((x * x).mean())),
}


def _split(measure: str) -> tuple[str, str]:
    channel, _, how = measure.rpartition(":")
    if how not in _HOW or not channel:
        raise ValueError(f"`{measure}` is no measure; CHANNEL:HOW, with {', '.join(_HOW)}")
    return channel, how


class _Task:
    """What a worker needs to know."""

    def __init__(self, model: Model, measures: Mapping[str, Measure], options: Mapping[str, Any]) -> None:
        self.model, self.measures, self.options = model, dict(measures), dict(options)

    def __call__(self, cases: Sequence[tuple[int, Case]]) -> list[Row]:
        return [self.one(index, case) for index, case in cases]

    def one(self, index: int, case: Case) -> Row:
        row: Row = {"index": index, **case, "status": "done", "reason": "", "digest": ""}
        try:
            result = self.model.set(case).run(**self.options)
        except ModelError as error:
            return {**row, "status": "not started", "reason": str(error)}
        except SimulationError as error:
            row, result = {**row, "status": "failed", "reason": str(error)}, error.result
        row["digest"] = result.digest
        for name, how in self.measures.items():
            if isinstance(how, str):
                channel, word = _split(how)
                row[name] = _HOW[word](result[channel])
            else:
                row[name] = how(result)
        return row


def _run(
    task: _Task, cases: list[tuple[int, Case]], executor: Any, jobs: int | None, batch: int | None
) -> Iterator[Row]:
    own = executor is None
    if own:
        workers = jobs or os.cpu_count() or 1
        executor = ThreadPoolExecutor(workers)
        batch = batch or 1
    else:
        workers = _workers(executor, jobs)
        if hasattr(executor, "get_executor"):  # a Client of Dask
            executor = executor.get_executor(pure=False, retries=_AGAIN)
        batch = batch or max(1, min(_LARGEST, math.ceil(len(cases) / (2 * _AHEAD * workers))))
    batches = iter([cases[i : i + batch] for i in range(0, len(cases), batch)])
    waiting: dict[Future[list[Row]], tuple[list[tuple[int, Case]], int]] = {}

    def send(some: list[tuple[int, Case]], tried: int) -> None:
        waiting[executor.submit(task, some)] = (some, tried)

    try:
        for some in itertools.islice(batches, _AHEAD * workers):
            send(some, 0)
        while waiting:
            ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                some, tried = waiting.pop(future)
                error = future.exception()
                if error is None:
                    yield from future.result()
                elif _lost(error) and tried < _AGAIN:
                    send(some, tried + 1)
                    continue
                else:
                    raise error
                for more in itertools.islice(batches, 1):
                    send(more, 0)
    finally:
        for future in waiting:
            future.cancel()
        if own:
            executor.shutdown(wait=True, cancel_futures=True)


def _workers(executor: Any, jobs: int | None) -> int:
    if jobs:
        return jobs
    if hasattr(executor, "nthreads"):  # a Client of Dask
        return max(1, int(sum(executor.nthreads().values())))
    return int(getattr(executor, "_max_workers", None) or os.cpu_count() or 1)


def _lost(error: BaseException) -> bool:
    """Whether a worker was lost, and not a run."""
    return type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError", "CommClosedError")


class _Journal:
    """Rows on disk as soon as they are there: a line of JSON each, below a line that tells whose they are."""

    def __init__(
        self,
        out: str | os.PathLike[str] | None,
        model: Model,
        cases: list[dict[str, Any]],
        measures: Mapping[str, Measure],
        options: Mapping[str, Any],
        shard: tuple[int, int] | None,
    ) -> None:
        self.rows: dict[int, Row] = {}
        self.out = None if out is None else Path(out)
        self._file = None
        if self.out is None:
            return
        if self.out.suffix not in (".csv", ".parquet"):
            raise ValueError(f"`{self.out}` does not say what to write: a name that ends in .csv or .parquet")
        self.out.parent.mkdir(parents=True, exist_ok=True)
        words = [
            model._text if model._tree is None else model.text,
            repr(model._system),
            sorted(model._changes.items()),
            cases,
            [(name, how if isinstance(how, str) else "function") for name, how in measures.items()],
            sorted(options.items(), key=str),
            shard,
        ]
        mark = hashlib.sha256(json.dumps(words, default=str).encode()).hexdigest()
        self._path = self.out.with_name(self.out.name + ".rows")
        if self._path.exists():
            lines = self._path.read_text(encoding="utf-8").splitlines()
            if not lines or lines[0] != mark:
                raise ValueError(f"`{self._path}` holds rows of another sweep: remove it, or choose another `out`")
            for line in lines[1:]:
                try:
                    row = json.loads(line)
                except json.JSONDecodeError:
                    continue  # the line that was being written when it was cut off
                self.rows[row["index"]] = row
            whole = [mark, *(json.dumps(row, default=_plain) for row in self.rows.values())]
            self._path.write_text("\n".join(whole) + "\n", encoding="utf-8")
        else:
            self._path.write_text(mark + "\n", encoding="utf-8")
        self._file = self._path.open("a", encoding="utf-8")

    def add(self, row: Row) -> None:
        if self._file is not None:
            self._file.write(json.dumps(row, default=_plain) + "\n")
            self._file.flush()

    def close(self, swept: Sweep) -> None:
        if self._file is not None and self.out is not None:
            swept.save(self.out)
            self._file.close()
            self._path.unlink()


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
