"""A sweep that was interrupted, killed or cut into shards: nothing run twice, nothing counted twice, nothing missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import carom
from sweeping import Note, ball, own

CASES = [own(i) for i in range(40)]

#: What a user runs: it takes seconds, and leaves a line for every run.
SCRIPT = """
import sys
import carom
from sweeping import Note, ball, own
carom.sweep(ball(), [own(i) for i in range(40)], measure={"who": Note(sys.argv[1], 0.1)}, out=sys.argv[2], jobs=2)
print("complete")
"""


def _start(notes: Path, table: Path) -> subprocess.Popen[str]:
    paths = [str(Path(carom.__file__).parents[1]), str(Path(__file__).parent)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    words = [sys.executable, "-c", SCRIPT, str(notes), str(table)]
    return subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _until(there: object, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not there():  # type: ignore[operator]
        assert time.monotonic() < end, "it does not get there"
        time.sleep(0.02)


def _kept(table: Path) -> list[float]:
    rows = table.with_name(table.name + ".rows")
    whole = rows.read_text().rpartition("\n")[0].split("\n")[1:] if rows.exists() else []
    return [json.loads(line)["e"] for line in whole]


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_that_is_ended_in_the_middle_goes_on(end: signal.Signals, tmp_path: Path) -> None:
    notes, table = Note(tmp_path / "notes"), tmp_path / "table.csv"
    child = _start(tmp_path / "notes", table)
    _until(lambda: len(_kept(table)) >= 6 or child.poll() is not None)
    child.send_signal(end)
    asked = time.monotonic()
    out, err = child.communicate(timeout=30)
    assert "complete" not in out and child.returncode != 0, err
    assert time.monotonic() - asked < 5, "it ends soon"
    kept, before = _kept(table), len(notes.seen())
    assert 6 <= len(kept) < 40 and not table.exists()

    # on here, and in this process
    swept = carom.sweep(ball(), CASES, measure={"who": Note(tmp_path / "notes", 0.1)}, out=table, jobs=2)
    later = notes.seen()[before:]
    assert not set(later) & set(kept), "what was kept is not run again"
    assert sorted(later + kept) == [case["e"] for case in CASES], "everything else is run, once"
    assert swept["e"] == [case["e"] for case in CASES] and not swept.failed
    assert swept["digest"] == carom.sweep(ball(), CASES)["digest"]
    assert carom.Sweep.read(table)["digest"] == swept["digest"]

    # what is complete is not run at all
    again = carom.sweep(ball(), CASES, measure={"who": Note(tmp_path / "notes", 0.1)}, out=table)
    assert again.rows == swept.rows and len(notes.seen()) == before + len(later)


def test_rows_of_another_sweep_are_not_taken(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    run = {"end": 0.01}
    few = CASES[:3]

    def one(result: carom.Result) -> float:
        return 1.0

    limit = 2.0

    def bounded(result: carom.Result) -> float:
        return min(limit, 1.0)

    carom.sweep(ball(), few, out=table, run=run, measure={"m": one})
    assert carom.sweep(ball(), few, out=table, run=run, measure={"m": one})["m"] == [1.0] * 3

    def one_else(result: carom.Result) -> float:
        return 2.0

    for model, cases, options in [
        (ball().set(h=2), few, {"run": run, "measure": {"m": one}}),
        (ball(), few[:2], {"run": run, "measure": {"m": one}}),
        (ball(), few, {"run": {"end": 0.02}, "measure": {"m": one}}),
        (ball(), few, {"run": run, "measure": {"m": one_else}}),
        (ball(), few, {"run": run, "measure": {"n": one}}),
    ]:
        with pytest.raises(carom.InputError, match=r"rows of another sweep.*resume=False"):
            carom.sweep(model, cases, out=table, **options)  # type: ignore[arg-type]
    anew = carom.sweep(ball(), few, out=table, run=run, measure={"m": one_else}, resume=False)
    assert anew["m"] == [2.0] * 3
    # a value that a function holds counts as well
    carom.sweep(ball(), few, out=tmp_path / "b.csv", run=run, measure={"m": bounded})
    limit = 0.5
    with pytest.raises(carom.InputError, match="rows of another sweep"):
        carom.sweep(ball(), few, out=tmp_path / "b.csv", run=run, measure={"m": bounded})


def test_a_file_that_the_model_names_counts(tmp_path: Path) -> None:
    """The same model file, another curve beside it: other rows."""
    (tmp_path / "push.csv").write_text("t,f\n0,0\n1,1\n")
    (tmp_path / "model.toml").write_text(
        'gravity = [0, 0]\n[tables.push]\nfile = "push.csv"\n[bodies.cart]\nmass = 1\n'
        '[forces.push]\ntype = "force"\non = "cart"\nforce = ["=push(t)", 0]\n[simulation]\nstep = 1e-2\nend = 1\n'
    )
    table = tmp_path / "t.csv"
    sweep = lambda: carom.sweep(tmp_path / "model.toml", {"bodies.cart.mass": [1, 2]}, measure="cart.x:last", out=table)  # noqa: E731
    first = sweep()
    # x'' = t/m: x(1) = 1/(6 m)
    assert first["cart.x:last"] == pytest.approx([1 / 6, 1 / 12], rel=2e-2)
    (tmp_path / "push.csv").write_text("t,f\n0,0\n1,2\n")
    with pytest.raises(carom.InputError, match="rows of another sweep"):
        sweep()


def test_a_line_that_was_cut_off_is_run_again(tmp_path: Path) -> None:
    notes, table = Note(tmp_path / "notes"), tmp_path / "table.csv"
    sweep = lambda: carom.sweep(ball(), CASES[:4], measure={"who": Note(tmp_path / "notes")}, out=table, jobs=1)  # noqa: E731
    whole = sweep().rows
    rows = tmp_path / "table.csv.rows"
    text = rows.read_text()
    for cut in (len(text) - 1, len(text) - 30, text.index("\n") + 1, 7, 0):
        rows.write_text(text[:cut])
        kept, before = text[:cut].count("\n") - 1, len(notes.seen())
        assert sweep().rows == whole and rows.read_text() == text
        assert len(notes.seen()) - before == 4 - max(kept, 0), cut


def test_two_programs_do_not_write_the_same_rows(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    table = tmp_path / "table.csv"
    child = _start(tmp_path / "notes", table)
    try:
        _until(lambda: len(_kept(table)) >= 1)
        with pytest.raises(carom.InputError, match="another program is writing"):
            carom.sweep(ball(), CASES, measure={"who": Note(tmp_path / "notes", 0.1)}, out=table)
        assert child.poll() is None
    finally:
        child.kill()
        child.communicate()


def test_shards_are_the_whole(tmp_path: Path) -> None:
    measure = ["ball.y:mean"]
    whole = carom.sweep(ball(), CASES[:10], measure=measure)
    for suffix in (".csv", ".parquet"):
        if suffix == ".parquet":
            pytest.importorskip("pyarrow")
        for k in (1, 2, 3):
            carom.sweep(ball(), CASES[:10], measure=measure, out=tmp_path / f"t{suffix}", shard=(k, 3))
        parts = [tmp_path / f"t-{k}-of-3{suffix}" for k in (1, 2, 3)]
        assert carom.Sweep.read(*parts).rows == whole.rows
        with pytest.raises(carom.InputError, match="case 2: name all shards"):
            carom.Sweep.read(parts[0], parts[2])
        with pytest.raises(carom.InputError, match="so does a table before it"):
            carom.Sweep.read(*parts, parts[1])
    assert carom.Sweep.read(whole.save(tmp_path / "whole.csv")).rows == whole.rows


def test_tables_hold_what_rows_hold(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    cases = [{"e": 0.5, "bodies.ball.position": [0, 1.0]}, {"e": 1.5, "bodies.ball.position": [0, 2]}, {"simulation.scheme": "bathe"}]
    measure = {"nan": lambda r: float("nan"), "word": lambda r: 'a "word", too', "yes": lambda r: True}
    swept = carom.sweep(ball(), cases, measure=measure, run={"end": 0.01}, out=tmp_path / "t.parquet")
    frame = pandas.read_parquet(tmp_path / "t.parquet")
    assert list(frame.columns) == swept.columns[1:] and list(frame["stop"]) == ["done", "failed", "done"]
    assert frame.loc[1, "bodies.ball.position"] == "[0, 1.0]" and frame.loc[1, "word"] == 'a "word", too'
    swept.save(tmp_path / "t.csv")
    frame = pandas.read_csv(tmp_path / "t.csv", index_col="case")
    assert frame.loc[1, "word"] == 'a "word", too' and frame["nan"].isna().all() and frame.loc[2, "reason"]


def test_results_of_every_run_can_be_kept(tmp_path: Path) -> None:
    carom.sweep(ball(), {"e": [0.5, 0.6]}, run={"end": 0.05}, keep=tmp_path / "runs")
    for case, e in (("case-0001", 0.5), ("case-0002", 0.6)):
        summary = json.loads((tmp_path / "runs" / case / "summary.json").read_text())
        assert summary["parameters"]["e"] == e
