"""One model, many cases: on threads here, on any executor elsewhere, resumable.

A run is a function of its case alone, so neither threads nor workers change a digit. Columns of the table, their names and
numbers are those of `carom sweep` on the command line.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import json
import os
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _carom, _toml, _workers
from ._cases import Case, Cases, Range, grid, latin_hypercube, listed
from ._errors import Error, InputError, ModelError, SimulationError, UnknownName, near
from ._journal import Journal, Row, replace
from ._model import Model, _settings, load
from ._progress import Bar
from ._result import Result

__all__ = ["Case", "Cases", "Measure", "Measures", "Range", "Row", "Sweep", "grid", "latin_hypercube", "sweep"]

Measure = Union[str, Callable[[Result], Any]]
Measures = Union[str, Sequence[str], Mapping[str, Measure]]

#: Numbers of every run, between `stop` and the measures: SI.
_NUMBERS = ("t", "steps", "impacts", "energy_loss", "drift_length", "drift_angle", "penetration")
_COUNTS = ("steps", "impacts")
#: Columns of every row that a case or a measure cannot be called.
_OWN = ("case", "stop", *_NUMBERS, "digest", "reason")
#: So many cases are tried before the first one runs, and so many runs in which Python fails, and no other, end a sweep.
_TRIED, _BROKEN = 8, 3
#: Least time between two looks of the progress bar (s).
_SHOWN = 0.05


class Sweep:
    """The rows of a sweep, in the order of the cases.

    Each has the number of its `case`, the values that were varied, `stop` ("done" or "failed"), t, steps, impacts, energy_loss,
    drift_length, drift_angle, penetration (SI), what was measured (in the units of the model), `digest`, and `reason`, why it
    failed.

    >>> import carom
    >>> swept = carom.sweep("ball", {"e": [0.5, 0.8]}, measure="ball.y:min", run={"end": 0.5})
    >>> swept["e"], len(swept.failed)
    ([0.5, 0.8], 0)
    >>> swept[1]["case"]
    2
    """

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, which: Any) -> Any:
        """A column by its name, a row by its number from 0."""
        if isinstance(which, str):
            if which not in self.columns:
                raise UnknownName(f"there is no column `{which}`; {near(which, self.columns, '`columns` lists them')}")
            return [row.get(which) for row in self.rows]
        return self.rows[which]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        # the last two are last although a row that failed early knows no measures
        return [name for name in names if name not in _OWN[-2:]] + [name for name in _OWN[-2:] if name in names]

    @property
    def failed(self) -> list[Row]:
        """Rows of runs that failed, each with its reason."""
        return [row for row in self.rows if row["stop"] != "done"]

    def frame(self) -> Any:
        """As a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows, columns=self.columns).set_index("case")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the table: `.csv`, or `.parquet` where pandas and pyarrow are there."""
        path = _table(path)
        replace(path, self._write_parquet if path.suffix == ".parquet" else self._write_csv)
        return path

    def _write_csv(self, path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            columns = self.columns
            writer.writerow(columns)
            writer.writerows([_cell(row.get(name)) for name in columns] for row in self.rows)

    def _write_parquet(self, path: Path) -> None:
        frame = self.frame()
        for name, column in frame.items():
            # lists, and numbers among words
            if len({type(value) for value in column if value is not None}) > 1 or column.map(_is_list).any():
                if column.dtype == object and not column.map(lambda x: x is None or _is_number(x)).all():
                    frame[name] = [None if value is None else _cell(value) for value in column]
        frame.to_parquet(path)

    @classmethod
    def read(cls, *paths: str | os.PathLike[str]) -> Sweep:
        """Reads tables that were written by `save`, by `out` or by `carom sweep`, those of shards as one.

        >>> import carom, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> for k in (1, 2):
        ...     part = carom.sweep("ball", {"e": [0.5, 0.7, 0.9]}, run={"end": 0.1}, out=f"{folder}/t.csv", shard=(k, 2))
        >>> carom.Sweep.read(f"{folder}/t-1-of-2.csv", f"{folder}/t-2-of-2.csv")["e"]
        [0.5, 0.7, 0.9]
        """
        rows: dict[int, Row] = {}
        for path in map(_table, paths):
            for row in _read_parquet(path) if path.suffix == ".parquet" else _read_csv(path):
                if row["case"] in rows:
                    raise InputError(f"`{path}` holds case {row['case']}, and so does a table before it")
                rows[row["case"]] = row
        missing = max(rows, default=0) - len(rows)
        if missing:
            first = next(i for i in range(1, len(rows) + 2) if i not in rows)
            raise InputError(f"{missing} cases are in none of the tables, the first is case {first}: name all shards")
        return cls([rows[i] for i in sorted(rows)])

    def __repr__(self) -> str:
        return f"<carom.Sweep of {len(self)} cases, {len(self.failed)} failed>"


def sweep(
    model: str | os.PathLike[str] | Model,
    cases: Cases,
    *,
    measure: Measures | Callable[[Result], Mapping[str, Any]] = (),
    run: Mapping[str, Any] | None = None,
    executor: Any = None,
    jobs: int | None = None,
    batch: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = True,
    shard: tuple[int, int] | None = None,
    keep: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> Sweep:
    """Runs the model once for every case.

    `cases` are dictionaries of parameters or keys of the model: a grid (`{"e": [0.5, 0.9]}`, or `carom.grid`), a list of
    dictionaries, a sample (`carom.latin_hypercube`), or the rows of a DataFrame. `measure` says what to note of each run:
    `"ball.y:max"` (max, min, last, and over time mean, rms), a list of such words, functions of the result by names
    (`{"peak": lambda r: r["ball.y"].max()}`), or one function that answers a dictionary. `run` are keywords of `Model.run`. Runs
    are single runs, as with estimate=False, unless the model has an accuracy; digests are those of the same runs one by one.

    Without an executor, `jobs` threads run at the same time. `executor` is anything with the interface of
    `concurrent.futures`, or a `distributed.Client` of Dask; runs then travel in batches of about half a second, or of `batch`
    runs.

    With `out`, a table (.csv or .parquet) is written in the end, and rows are kept beside it, in `<out>.rows`, as soon as they
    are there: a sweep that was interrupted goes on there, one that is complete runs nothing. `shard=(k, n)` runs every n-th case
    from the k-th on, into a table of its own, `<out>-k-of-n`. `keep` is a folder for the files of every run.

    A run that fails is a row with its reason, and so is one after which a measure raises. If Python fails in the first runs and
    none goes well, the sweep ends with the traceback.

    >>> import carom
    >>> swept = carom.sweep("ball", {"e": [0.5, 0.8]}, measure=["ball.y:max"], run={"end": 0.5})
    >>> [row["stop"] for row in swept]
    ['done', 'done']
    """
    model = model if isinstance(model, Model) else load(model)
    all_cases = listed(cases)
    measures = _measures(measure)
    _check_names(all_cases, measures)
    mine = list(range(len(all_cases)))
    if shard is not None:
        k, n = shard
        if not (isinstance(k, int) and isinstance(n, int) and 1 <= k <= n):
            raise InputError(f"shard ({k}, {n}): two whole numbers, the first from 1 to the second")
        mine = mine[k - 1 :: n]
    table = None if out is None else _sharded(_table(out), shard)
    task = _Task(model, measures, dict(run or {}), None if keep is None else Path(keep).absolute())
    known = _check(task, all_cases, measures)
    journal = None
    rows: dict[int, Row] = {}
    if table is not None:
        journal = Journal(table.with_name(table.name + ".rows"), _mark(task, known, all_cases, measures, run, shard), resume)
        rows = {i - 1: row for i, row in journal.rows.items()}
    left = [(i, all_cases[i]) for i in mine if i not in rows]
    broken: list[Row] = []
    batches = _workers.each(task, left, lost=task.lost, executor=executor, jobs=jobs, batch=batch)
    try:
        with Bar("sweep") as bar, contextlib.closing(batches):
            show, shown = Bar.wanted(progress), 0.0
            for some in batches:
                # a batch that was repeated is counted once
                new = [row for row in some if row["case"] - 1 not in rows]
                _judge(new, rows, broken, len(left))
                rows.update((row["case"] - 1, row) for row in new)
                if journal is not None:
                    journal.add(new)
                if show and time.monotonic() > shown + _SHOWN:
                    shown = time.monotonic()
                    bar.at(len(rows) / max(len(mine), 1), f"{len(rows)} of {len(mine)} cases")
        swept = Sweep([rows[i] for i in mine])
        if table is not None:
            swept.save(table)
        return swept
    finally:
        if journal is not None:
            journal.close()


# --- one run


class _Task:
    """What a worker needs to know."""

    def __init__(
        self, model: Model, measures: Mapping[str, Measure | None], run: dict[str, Any], keep: Path | None
    ) -> None:
        self.measures, self.keep = dict(measures), keep
        for word in ("progress", "estimate"):
            if word in run and not isinstance(run[word], (bool, type(None))):
                raise InputError(f"`{word}` is {run[word]!r}, neither True nor False")
        run.pop("progress", None)
        self.certify, self.estimate = run.pop("certify", None), run.pop("estimate", None)
        asked = {word: run.pop(word, None) for word in ("scheme", "step", "end", "accuracy", "solver")}
        self.model = model.set(_settings(asked), **run)
        if self.model._system is None:
            # a text is copied faster than a tree
            self.model._text, self.model._tree = self.model._written(), None

    def setup(self, case: Case) -> _carom.Setup:
        return self.model.set(case)._setup()

    def run(self, setup: _carom.Setup, stop: threading.Event) -> _carom.Done:
        """A run that ends when it is told to."""

        def look(*_: Any) -> None:
            if stop.is_set():
                raise _workers.Stopped

        look()
        estimate = setup.is_accurate() if self.estimate is None else self.estimate
        return setup.run(self.certify, estimate, look)

    def __call__(self, item: tuple[int, Case], stop: threading.Event) -> Row:
        """The row of a case. What goes wrong in it is its reason."""
        index, case = item
        row: Row = {"case": index + 1, **case, "stop": "done", "digest": "", "reason": ""}
        try:
            done = self.run(self.setup(case), stop)
        except ModelError as error:
            return _failed(row, in_a_line(error))
        except SimulationError as error:
            row = _failed(row, in_a_line(error))
            if error.result is None:
                return row
            if self.keep is not None:
                error.result.save(self._folder(index))
            return self._filled(row, error.result._done, None)
        except BaseException as error:
            if not _is_case(error):
                raise
            return _failed(row, _reason("the run", error), broken=error)
        try:
            result = Result(done)
            if self.keep is not None:
                result.save(self._folder(index))
            return self._filled(row, done, result)
        except OSError:
            raise  # what cannot be written now cannot be written later
        except Exception as error:
            row = self._filled(row, done, None)
            if isinstance(error, _NoMeasure):
                return _failed(row, str(error))
            return _failed(row, _reason("a measure", error), broken=error)

    def _folder(self, index: int) -> Path:
        assert self.keep is not None
        return self.keep / f"case-{index + 1:04}"

    def _filled(self, row: Row, done: _carom.Done, result: Result | None) -> Row:
        """The row with the numbers of the run; functions are called where there is a result of a run that reached its end."""
        row = dict(row)
        digest, reason = done.digest, row.pop("reason")
        del row["digest"]
        row.update((name, int(x) if name in _COUNTS else x) for name, x in done.numbers())
        words = {name: how for name, how in self.measures.items() if isinstance(how, str)}
        row.update(zip(words, done.measures(list(words.values()))))
        # in the order that was asked for
        for name, how in self.measures.items():
            if isinstance(how, str):
                row[name] = row.pop(name)
                if row[name] is None and result is not None:
                    raise _NoMeasure(f"there is no channel `{how.rpartition(':')[0]}` in this run")
            elif result is not None:
                row.update(_answers(name, how(result)) if how is not None else {})
        return {**row, "digest": digest, "reason": reason}

    def lost(self, item: tuple[int, Case], why: str) -> Row:
        """The row of a case that kills its workers."""
        return _failed({"case": item[0] + 1, **item[1], "stop": "done", "digest": "", "reason": ""}, why)


class _NoMeasure(Exception):
    """A channel that this run has not."""


def _failed(row: Row, why: str, broken: BaseException | None = None) -> Row:
    row = {**row, "stop": "failed", "reason": why}
    if broken is not None:
        row["_broken"] = "".join(traceback.format_exception(type(broken), broken, broken.__traceback__))
    return row


def in_a_line(error: ModelError | SimulationError) -> str:
    """What went wrong and what would be right, as the table of `carom sweep` says it."""
    if isinstance(error, SimulationError):
        stop = None if error.result is None else error.result.summary["stop"]
        return str(stop["failed"] if isinstance(stop, dict) else error)
    if not error.errors:
        return str(error)
    first, more = error.errors[0], len(error.errors) - 1
    said = f"{first['message']}; {first['remedy']}" if first["remedy"] else str(first["message"])
    return said + (f" (and {more} more)" if more else "")


def _is_case(error: BaseException) -> bool:
    """Whether it is a matter of one case: what Python functions raise, and a bug in Carom."""
    return isinstance(error, Exception) and not isinstance(error, (_workers.Stopped, OSError, MemoryError))


def _reason(where: str, error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" ({Path(last[0].filename).name}, line {last[0].lineno})" if last else ""
    return f"{where} raised {type(error).__name__}: {error}{place}"


def _judge(new: list[Row], rows: Mapping[int, Row], broken: list[Row], cases: int) -> None:
    """Ends a sweep in which Python fails and nothing goes well: that is a slip, and not a case."""
    tracebacks = [row.pop("_broken", None) for row in new]
    if len(broken) >= _BROKEN or any(row["stop"] == "done" for row in rows.values()):
        return
    if any(row["stop"] == "done" for row in new):
        broken.extend(new * _BROKEN)  # no slip
        return
    broken.extend(row for row, told in zip(new, tracebacks) if told)
    if len(broken) >= min(_BROKEN, cases):
        told = next(told for told in tracebacks if told)
        raise Error(f"every run fails in Python: {broken[0]['reason']}\n\nThe first time:\n{told}")


# --- checks before the first run


def _measures(measure: Any) -> dict[str, Measure | None]:
    if isinstance(measure, str):
        measure = [measure]
    if callable(measure):
        measure = {"": measure}
    named = dict(measure) if isinstance(measure, Mapping) else {how: how for how in measure}
    for name, how in named.items():
        if not isinstance(how, str) and not callable(how):
            raise InputError(f"the measure `{name}` is {how!r}, neither CHANNEL:HOW nor a function of the result")
        if isinstance(how, str) and (how.rpartition(":")[2] not in _HOW or not how.rpartition(":")[0]):
            raise InputError(f"`{how}` is no measure; CHANNEL:HOW with {', '.join(_HOW)}, such as `ball.y:max`")
    return named


_HOW = ("max", "min", "last", "mean", "rms")


def _answers(name: str, answer: Any) -> dict[str, Any]:
    """What a function answers, as cells."""
    if isinstance(answer, Mapping):
        prefix = f"{name}." if name else ""
        return {f"{prefix}{key}": _answers(f"{prefix}{key}", value)[f"{prefix}{key}"] for key, value in answer.items()}
    if not name:
        raise InputError(f"a measure without a name must answer a dictionary of names and numbers, not {answer!r}")
    if hasattr(answer, "item") and getattr(answer, "size", 1) == 1:  # a number of NumPy
        answer = answer.item()
    if answer is not None and not isinstance(answer, (bool, int, float, str)):
        raise InputError(f"the measure `{name}` answers {type(answer).__name__}, not a number or text")
    if name in _OWN:
        raise InputError(f"`{name}` is the name of a column already: call the measure otherwise")
    return {name: answer}


def _check_names(cases: list[dict[str, Any]], measures: Mapping[str, Any]) -> None:
    keys = dict.fromkeys(key for case in cases for key in case)
    for key in keys:
        if key in _OWN:
            raise InputError(f"`{key}` is the name of a column already: vary the parameter by its path, `parameters.{key}`")
    for name in measures:
        if name in _OWN or name in keys:
            raise InputError(f"`{name}` is the name of a column already: call the measure otherwise")


def _check(task: _Task, cases: list[dict[str, Any]], measures: Mapping[str, Any]) -> str:
    """Wrong keys, wrong words and wrong channels are found before the first run: some cases of each kind are made ready, and every
    value that is no number. A number that makes no model is a matter of its case. Answers the digest of the model."""
    kinds: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for case in cases:
        kinds.setdefault(tuple(case), []).append(case)
    fingerprints, channels = [], []
    for same in kinds.values():
        wrong, good = None, None
        for i in sorted({j * (len(same) - 1) // max(_TRIED - 1, 1) for j in range(_TRIED)}):
            try:
                setup = task.setup(same[i])
                channels += [name for name, *_ in setup.simulation().result().channels()]
            except ModelError as error:
                wrong = wrong or error
                continue
            fingerprints.append(setup.fingerprint())
            good = same[i]
            break
        if good is None:
            assert wrong is not None
            raise wrong
        words = {(key, repr(value)): value for case in same for key, value in case.items() if not _is_number(value)}
        for (key, _), value in words.items():
            if value != good[key]:
                task.setup({**good, key: value})
    for how in measures.values():
        channel = how.rpartition(":")[0] if isinstance(how, str) else None
        if channel is not None and channel not in channels:
            raise UnknownName(f"there is no channel `{channel}` to measure; {near(channel, channels, _some(channels))}")
    return " ".join(fingerprints)


def _some(names: Sequence[str]) -> str:
    return f"there are {', '.join(list(names)[:12])}, ..."


# --- tables


def _table(path: str | os.PathLike[str]) -> Path:
    path = Path(path)
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"`{path}` does not say what to write: a name that ends in .csv or .parquet")
    return path


def _sharded(path: Path, shard: tuple[int, int] | None) -> Path:
    return path if shard is None else path.with_name(f"{path.stem}-{shard[0]}-of-{shard[1]}{path.suffix}")


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, dict))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return "NaN" if value != value else str(value) if value in (float("inf"), -float("inf")) else _toml.value_text(value)


def _read_csv(path: Path) -> list[Row]:
    def value(name: str, text: str) -> Any:
        if name in ("stop", "digest", "reason"):
            return text
        if name == "case":
            return int(text)
        if not text:
            return None
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return {"true": True, "false": False}.get(text, text)

    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames is None or "case" not in reader.fieldnames:
            raise InputError(f"`{path}` is no table of a sweep: it has no column `case`")
        return [{name: value(name, text) for name, text in row.items()} for row in reader]


def _read_parquet(path: Path) -> list[Row]:
    import pandas

    frame = pandas.read_parquet(path)
    if frame.index.name != "case":
        raise InputError(f"`{path}` is no table of a sweep: it has no column `case`")
    frame = frame.reset_index()
    rows: list[Row] = frame.to_dict("records")
    return [{name: None if value is pandas.NA else value for name, value in row.items()} for row in rows]


# --- whose rows they are


def _mark(
    task: _Task,
    fingerprint: str,
    cases: list[dict[str, Any]],
    measures: Mapping[str, Any],
    run: Mapping[str, Any] | None,
    shard: tuple[int, int] | None,
) -> str:
    words = [
        _carom.__version__,
        fingerprint,
        sorted((name, _code(function)) for name, function in task.model._functions.items()),
        _code(task.model._system),
        cases,
        [(name, _code(how)) for name, how in measures.items()],
        sorted((run or {}).items(), key=str),
        shard,
    ]
    digest = hashlib.sha256(json.dumps(words, default=str).encode()).hexdigest()
    return f"# carom {_carom.__version__} sweep {digest[:32]}"


def _code(thing: Any) -> Any:
    """What a function does, so that rows of another function are not taken for its own: its code and the values that it holds,
    not where it stands."""
    code = getattr(thing, "__code__", None)
    if code is None:
        methods = [(name, _code(f)) for name, f in vars(type(thing)).items() if hasattr(f, "__code__")]
        held = sorted((name, repr(value)) for name, value in getattr(thing, "__dict__", {}).items())
        return [type(thing).__qualname__, methods, held] if methods else repr(thing)

    def parts(code: Any) -> Any:
        constants = [parts(c) if hasattr(c, "co_code") else repr(c) for c in code.co_consts]
        return [code.co_code.hex(), constants, code.co_names]

    held = [cell.cell_contents for cell in getattr(thing, "__closure__", None) or ()]
    return [parts(code), [_code(x) if callable(x) else repr(x) for x in held], repr(getattr(thing, "__defaults__", None))]
