"""`carom.sweep` on threads: right numbers, the same bits as a loop, failures as rows, slips before the first run."""

from __future__ import annotations

import csv
import gc
import math
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

import carom
from sweeping import BALL, ball, own


# --- right numbers


def test_heights_are_those_of_newton() -> None:
    """Fall through h, rise by e² h: event-driven, so that nothing but the time between two samples is in between."""
    axes = {"e": [0.3, 0.5, 0.9], "h": [0.5, 1.0]}
    swept = carom.sweep(
        ball(), axes, measure={"rise": _rise}, run={"scheme": "hybrid", "accuracy": 1e-8, "end": 1.2, "step": 1e-3}
    )
    assert swept.columns[:4] == ["case", "e", "h", "stop"] and len(swept) == 6
    for row in swept:
        exact = row["e"] ** 2 * row["h"]
        # the top lies between two samples at most 1e-3 s apart: g/2 (5e-4)² below
        assert abs(row["rise"] - exact) < 2e-6, row


def _rise(result: carom.Result) -> float:
    events = result.events
    first = float(events[events.kind == "impact"].t.iloc[0])
    return float(result["ball.y"][result.t > first].max())


def test_means_are_over_time() -> None:
    """Of a free fall h − g t²/2 to T: mean h − g T²/6, rms from ∫ (h − g t²/2)² dt."""
    end = 0.4
    measure = ["ball.y:mean", "ball.y:rms", "ball.y:max", "ball.y:min", "ball.y:last"]
    [row] = carom.sweep(ball(), {"h": [2.0]}, measure=measure, run={"scheme": "hybrid", "end": end, "step": 1e-4})
    h, g = 2.0, 10.0
    mean = h - g * end**2 / 6
    rms = math.sqrt(h * h - h * g * end**2 / 3 + g * g * end**4 / 20)
    # the trapezoids of 1e-4 s are wrong by g dt²/12
    assert abs(row["ball.y:mean"] - mean) < 1e-7 and abs(row["ball.y:rms"] - rms) < 1e-7
    last = h - g * end**2 / 2
    assert row["ball.y:max"] == h and abs(row["ball.y:min"] - last) < 1e-9 and row["ball.y:last"] == row["ball.y:min"]


def test_units_are_those_of_the_model() -> None:
    """The same fall written in mm: measures in mm, t of the audit in s as on the command line."""
    text = BALL.replace("gravity = [0, -10]", 'units = "mm"\ngravity = [0, -10000]').replace("h = 1.0", "h = 1000")
    model = carom.Model.from_text(text, name="mm.toml", files={})
    [row] = carom.sweep(model, {"h": [2000]}, measure="ball.y:max")
    assert row["ball.y:max"] == pytest.approx(2000, rel=1e-12) and row["t"] == pytest.approx(0.5)


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_digests_are_those_of_single_runs(jobs: int) -> None:
    cases = carom.grid({"e": [0.5, 0.8], "h": [0.3, 0.7, 1.0]})
    swept = carom.sweep(ball(), cases, jobs=jobs)
    alone = [ball().run(**case).digest for case in cases]
    assert swept["digest"] == alone and len(set(alone)) == 6


def test_an_accuracy_is_that_of_the_result() -> None:
    """Then a single run is no answer, in a sweep as in a run."""
    options = {"scheme": "hybrid", "accuracy": 1e-6}
    swept = carom.sweep("pendulum-stop", [{}], run=options)
    assert swept["digest"] == [carom.load("pendulum-stop").run(**options).digest]


def test_the_table_is_that_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "ball.toml").write_text(BALL)
    measure = ["ball.y:mean", "ball.vy:max"]
    words = ["sweep", "ball.toml", "--vary", "e=0.5,0.8", "--vary", "h=0.5:2:4", "--out", "out", "--quiet"]
    for word in measure:
        words += ["--measure", word]
    env = {**os.environ, "PYTHONPATH": str(Path(carom.__file__).parents[1])}
    subprocess.run([sys.executable, "-m", "carom", *words], cwd=tmp_path, env=env, check=True)
    model = carom.load(tmp_path / "ball.toml")
    carom.sweep(model, {"e": [0.5, 0.8], "h": [0.5, 1.0, 1.5, 2.0]}, measure=measure, out=tmp_path / "ours.csv")
    theirs, ours = (_cells(tmp_path / name) for name in ("out/sweep.csv", "ours.csv"))
    assert theirs[0] == ours[0] and len(theirs) == len(ours) == 9
    for a, b in zip(theirs[1:], ours[1:]):
        assert [_value(x) for x in a] == [_value(x) for x in b]
    # and each reads the other's
    rows = carom.Sweep.read(tmp_path / "out" / "sweep.csv").rows
    assert rows == carom.Sweep.read(tmp_path / "ours.csv").rows


def _cells(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def _value(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


# --- cases


def test_cases_come_in_many_forms() -> None:
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    run = {"end": 0.01}
    as_grid = carom.sweep(ball(), {"e": numpy.array([0.5, 0.6])}, run=run)
    as_list = carom.sweep(ball(), [{"e": 0.5}, {"e": 0.6}], run=run)
    as_frame = carom.sweep(ball(), pandas.DataFrame({"e": [0.5, 0.6]}), run=run)
    as_stream = carom.sweep(ball(), ({"e": e} for e in (0.5, 0.6)), run=run)
    assert as_grid.rows == as_list.rows == as_frame.rows == as_stream.rows
    mixed = carom.sweep(ball(), [{"simulation.scheme": "bathe"}, {"bodies.ball.position": [0.5, 1.0]}], run=run)
    assert not mixed.failed and mixed[1]["bodies.ball.position"] == [0.5, 1.0]


def test_a_latin_hypercube_meets_every_part_once() -> None:
    n = 25
    cases = carom.latin_hypercube({"a": (2.0, 4.0), "b": (-1.0, 0.0)}, n, seed=3)
    for key, low, size in (("a", 2.0, 2.0), ("b", -1.0, 1.0)):
        assert sorted(int(n * (case[key] - low) / size) for case in cases) == list(range(n))
    assert cases == carom.latin_hypercube({"a": (2.0, 4.0), "b": (-1.0, 0.0)}, n, seed=3)
    assert cases != carom.latin_hypercube({"a": (2.0, 4.0), "b": (-1.0, 0.0)}, n, seed=4)
    # of a normal distribution as many lie below each decile
    from statistics import NormalDist

    drawn = [case["c"] for case in carom.latin_hypercube({"c": NormalDist(5, 2).inv_cdf}, 100)]
    for decile in range(1, 10):
        assert sum(x < NormalDist(5, 2).inv_cdf(decile / 10) for x in drawn) == 10 * decile


# --- what goes wrong in a case


def test_a_case_that_fails_is_a_row_with_its_reason() -> None:
    """An explicit scheme on a spring: stable for the soft one, not for the stiff one. And a value that makes no model."""
    text = BALL.replace('scheme = "moreau-jean"', 'scheme = "moreau-explicit"').replace("[contacts.floor]", SPRING)
    model = carom.Model.from_text(text, name="spring.toml", files={})
    key = "forces.spring.stiffness"
    swept = carom.sweep(
        model,
        [{key: 10.0}, {key: 1e12}, {key: -1.0}, {key: 100.0}],
        measure={"top": "ball.y:max", "own": lambda r: float(r.t[-1])},
    )
    assert swept["stop"] == ["done", "failed", "failed", "done"]
    _, unstable, negative, _ = swept
    assert "ball" in unstable["reason"] and unstable["t"] < 0.5 and unstable["digest"] and unstable["top"] > 0
    assert "own" not in unstable, "functions are for runs that reached their end"
    assert "stiffness" in negative["reason"] and negative["digest"] == "" and "t" not in negative
    assert swept["own"] == [0.5, None, None, 0.5]
    assert [row["case"] for row in swept.failed] == [2, 3]
    assert swept.frame().loc[3, "reason"] == negative["reason"]


def test_reasons_are_those_of_the_command_line(tmp_path: Path) -> None:
    text = BALL.replace('scheme = "moreau-jean"', 'scheme = "moreau-explicit"').replace("[contacts.floor]", SPRING)
    (tmp_path / "spring.toml").write_text(text)
    env = {**os.environ, "PYTHONPATH": str(Path(carom.__file__).parents[1])}
    words = ["sweep", "spring.toml", "--vary", "forces.spring.stiffness=10,1e12", "--out", ".", "--quiet"]
    assert subprocess.run([sys.executable, "-m", "carom", *words], cwd=tmp_path, env=env, capture_output=True).returncode == 1
    theirs = carom.Sweep.read(tmp_path / "sweep.csv")
    ours = carom.sweep(tmp_path / "spring.toml", {"forces.spring.stiffness": [10, 1e12]})
    assert ours["reason"] == theirs["reason"] and ours["t"] == theirs["t"] and "smaller step" in ours[1]["reason"]


SPRING = """[ground.points]
hook = [0, 2]

[forces.spring]
type = "spring"
between = ["ball", "ground.hook"]
stiffness = 10
length = 0.9

[contacts.floor]"""


def test_a_measure_that_raises_now_and_then_is_a_reason() -> None:
    def touchy(result: carom.Result) -> float:
        if result.summary["parameters"]["e"] > 0.7:
            raise LookupError("there is no such peak")
        return 1.0

    swept = carom.sweep(ball(), {"e": [0.5, 0.9, 0.6]}, measure={"peak": touchy, "ball.y:max": "ball.y:max"}, jobs=1)
    assert swept["stop"] == ["done", "failed", "done"]
    assert "LookupError: there is no such peak" in swept[1]["reason"] and "test_sweep.py" in swept[1]["reason"]
    assert swept[1]["ball.y:max"] == 1.0, "what could be measured is there"


def test_a_measure_that_always_raises_ends_the_sweep_with_its_traceback() -> None:
    called = []

    def wrong(result: carom.Result) -> float:
        called.append(1)
        return result["ball.z"].max()

    with pytest.raises(carom.Error, match=r"(?s)every run fails in Python.*in wrong.*ball\.z"):
        carom.sweep(ball(), {"e": [0.01 * i for i in range(1, 100)]}, measure={"top": wrong}, jobs=2)
    assert len(called) < 30, "it ended early"


def test_a_force_of_python_that_raises() -> None:
    def push(t: float) -> float:
        raise ZeroDivisionError("no push today")

    model = ball()
    model.function("push", push)
    model.force("wind", "force", on="ball", force=["=push(t)", 0])
    with pytest.raises((carom.Error, ZeroDivisionError), match="no push today"):
        carom.sweep(model, {"e": [0.5, 0.6, 0.7, 0.8]})


def test_a_function_without_a_name_answers_many_numbers() -> None:
    swept = carom.sweep(ball(), {"e": [0.5]}, measure=lambda r: {"top": r["ball.y"].max(), "n": len(r)})
    assert swept[0]["top"] == 1.0 and swept[0]["n"] == 501 and type(swept[0]["top"]) is float


# --- slips, before anything runs


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"cases": []}, carom.InputError, "no cases"),
        ({"cases": {"e": []}}, carom.InputError, "`e` has no values"),
        ({"cases": {"e": 0.5}}, carom.InputError, "not a list of values"),
        ({"cases": {"e": "0.5"}}, carom.InputError, "not a list of values"),
        ({"cases": [0.5]}, carom.InputError, "case 1 is 0.5"),
        ({"cases": [{"e": 0.5}, {"e": math.nan}]}, carom.InputError, "case 2: e is nan"),
        ({"cases": [{"e": math.inf}]}, carom.InputError, "case 1: e is inf"),
        ({"cases": [{"e": object()}]}, carom.InputError, "case 1: e is <object"),
        ({"cases": [{3: 0.5}]}, carom.InputError, "the key 3"),
        ({"cases": {"ee": [0.5]}}, carom.ModelError, "ee"),
        ({"cases": [{"e": 0.5}, {"bodies.bal.mass": 2}]}, carom.ModelError, "bal"),
        ({"cases": {"e": [1.5, 2.5]}}, carom.ModelError, "restitution"),
        ({"cases": {"simulation.scheme": ["bathe", "baathe"]}}, carom.ModelError, "did you mean `bathe`"),
        ({"cases": {"e": [0.5, "=1.5"]}}, carom.ModelError, "restitution"),
        ({"cases": {"digest": [1]}}, carom.InputError, "parameters.digest"),
        ({"measure": "ball.y"}, carom.InputError, "CHANNEL:HOW"),
        ({"measure": "ball.y:top"}, carom.InputError, "max, min, last, mean, rms"),
        ({"measure": "bal.y:max"}, carom.InputError, "did you mean `ball.y`"),
        ({"measure": {"top": 3}}, carom.InputError, "neither CHANNEL:HOW nor a function"),
        ({"measure": {"e": "ball.y:max"}}, carom.InputError, "column already"),
        ({"measure": {"t": "ball.y:max"}}, carom.InputError, "column already"),
        ({"run": {"stepp": 1e-3}}, carom.ModelError, "stepp"),
        ({"run": {"step": -1.0}}, carom.ModelError, "step"),
        ({"run": {"estimate": "yes"}}, carom.InputError, "estimate"),
        ({"jobs": 0}, carom.InputError, "jobs is 0"),
        ({"batch": 2.5}, carom.InputError, "batch is 2.5"),
        ({"shard": (0, 3)}, carom.InputError, "from 1"),
        ({"shard": (4, 3)}, carom.InputError, "from 1"),
        ({"out": "table.xlsx"}, carom.InputError, ".csv or .parquet"),
        ({"executor": object()}, carom.InputError, "has no `submit`"),
    ],
)
def test_slips_are_told_before_the_first_run(
    options: dict[str, object], error: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran: list[int] = []
    monkeypatch.setattr("carom._sweep._Task.__call__", lambda *_: ran.append(1))
    given: dict[str, object] = {"cases": {"e": [0.5]}, **options}
    with pytest.raises(error) as told:
        carom.sweep(ball(), given.pop("cases"), **given)  # type: ignore[arg-type]
    assert words in str(told.value), told.value
    assert not ran and not list(tmp_path.iterdir()), "nothing ran, nothing was written"


@pytest.mark.parametrize(
    ("ranges", "n", "words"),
    [
        ({}, 3, "a key with a range"),
        ({"e": (0.5, 0.9)}, 0, "from 1 on"),
        ({"e": (0.9, 0.5)}, 3, "must go up"),
        ({"e": (0.5, math.nan)}, 3, "finite"),
        ({"e": 0.5}, 3, "two numbers"),
    ],
)
def test_samples_need_ranges(ranges: dict[str, object], n: int, words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        carom.latin_hypercube(ranges, n)  # type: ignore[arg-type]


def test_a_column_that_is_not_there() -> None:
    swept = carom.sweep(ball(), {"e": [0.5]}, run={"end": 0.01})
    with pytest.raises(carom.UnknownName, match="energy_loss"):
        swept["energy_los"]


# --- memory, threads


def test_results_are_not_kept() -> None:
    """Of 3000 runs no more results are alive than threads and those that wait for a look."""
    alive: weakref.WeakSet[carom.Result] = weakref.WeakSet()
    most = 0

    def count(result: carom.Result) -> int:
        nonlocal most
        alive.add(result)
        most = max(most, len(alive))
        return len(result)

    swept = carom.sweep(ball(), [own(i) for i in range(3000)], measure={"n": count}, run={"end": 0.005}, jobs=2)
    assert not swept.failed and most <= 3, most
    gc.collect()
    assert not alive


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_does_not_grow_with_the_runs() -> None:
    """200 runs whose recordings would take 130 MB together."""

    def resident() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    seen: list[float] = []

    def look(result: carom.Result) -> float:
        seen.append(resident())
        return sum(len(result[name]) for name in result.channels) * 8 / 1e6

    swept = carom.sweep(ball(), [own(i) for i in range(200)], measure={"megabytes": look}, run={"step": 5e-5}, jobs=2)
    produced = sum(swept["megabytes"])
    assert produced > 120, produced
    grown = max(seen) - seen[10]
    assert grown < 0.2 * produced, f"{grown:.0f} MB for {produced:.0f} MB of results"


def test_threads_run_while_others_do() -> None:
    """Two runs are on their way at the same time: each waits for the other in its measure."""
    meeting = threading.Barrier(2, timeout=20)
    swept = carom.sweep(ball(), {"e": [0.5, 0.6]}, measure={"met": lambda r: meeting.wait() >= 0}, jobs=2)
    assert swept["met"] == [True, True]


def test_a_sweep_that_is_left_stops_its_threads() -> None:
    """An error in the middle does not leave hours of runs behind."""

    def no(result: carom.Result) -> float:
        raise OSError("the disk is full")

    before = threading.active_count()
    long = [{"simulation.end": 0.01}, *({"simulation.end": 1e4, "e": 0.5 + 0.01 * i} for i in range(5))]
    begin = time.monotonic()
    with pytest.raises(OSError, match="the disk is full"):
        carom.sweep(ball(), long, measure={"x": no}, run={"step": 1e-3, "simulation.output": 1.0}, jobs=2)
    assert time.monotonic() - begin < 10 and threading.active_count() <= before
