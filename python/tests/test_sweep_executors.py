"""Sweeps on executors: processes, and a cluster of Dask that is really started and loses workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import carom
from sweeping import BALL, Deadly, Note, ball, own

CASES = [own(i) for i in range(30)]


def _digests() -> list[str]:
    return [ball().run(**case, estimate=False).digest for case in CASES]


@pytest.fixture(autouse=True)
def _found_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes find what this one found."""
    paths = [str(Path(carom.__file__).parents[1]), str(Path(__file__).parent)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))


def test_threads_of_somebody_else() -> None:
    with ThreadPoolExecutor(3) as executor:
        swept = carom.sweep(ball(), CASES, executor=executor)
        assert swept["digest"] == _digests()
        assert executor.submit(int, 3).result() == 3, "it is theirs, and still open"


@pytest.mark.skipif(os.name == "nt", reason="slow to start there")
def test_processes_and_one_that_dies(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    table = tmp_path / "table.csv"
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        swept = carom.sweep(ball(), CASES, executor=executor, measure={"who": Note(tmp_path / "notes")})
        assert swept["digest"] == _digests()
        assert os.getpid() not in swept["who"] and len(Note(tmp_path / "notes").seen()) == len(CASES)
        with pytest.raises(carom.Error, match="lost a worker"):
            carom.sweep(ball(), CASES, executor=executor, measure={"e_seen": Deadly(CASES[20]["e"])}, out=table, batch=2)
    kept = (tmp_path / "table.csv.rows").read_text().count("\n") - 1
    assert 0 < kept < 30
    # the rows are there; what is left runs here, with the same measure and a case less
    assert not table.exists()


def test_what_cannot_travel_is_told_first() -> None:
    class Odd:
        def __call__(self, result: carom.Result) -> float:
            return 1.0

        def __reduce__(self) -> Any:
            raise TypeError("I stay here")

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor, pytest.raises(carom.InputError, match="I stay here.*leave out"):
        carom.sweep(ball(), CASES, executor=executor, measure={"x": Odd()})


# --- Dask


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    paths = os.pathsep.join([str(Path(carom.__file__).parents[1]), str(Path(__file__).parent)])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = paths
    quiet = {"distributed.scheduler.allowed-failures": 1, "distributed.nanny.pre-spawn-environ.PYTHONPATH": paths}
    with dask.config.set(quiet):
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster, distributed.Client(cluster) as client:
            yield client
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def test_dask_gives_the_same_bits(client: Any, tmp_path: Path) -> None:
    swept = carom.sweep(
        ball(), CASES, executor=client, out=tmp_path / "t.csv", measure={"who": Note(tmp_path / "notes"), "top": "ball.y:max"}
    )
    assert swept["digest"] == _digests()
    here = carom.sweep(ball(), CASES, measure={"top": "ball.y:max"})
    assert swept["top"] == here["top"] and swept["energy_loss"] == here["energy_loss"]
    assert len(set(swept["who"])) == 2 and os.getpid() not in swept["who"], "both workers had a part"
    # functions that were written at the prompt travel too, and so do those of the model
    model = ball()
    gain = 0.5
    model.function("push", lambda t: gain * t)
    model.force("wind", "force", on="ball", force=["=push(t)", 0])
    pushed = carom.sweep(model, CASES[:4], executor=client, measure={"x": lambda r: float(r["ball.x"][-1])})
    # x'' = g t: x = g t³/6, but for the first order of the scheme
    assert pushed["x"] == pytest.approx([gain * 0.5**3 / 6] * 4, rel=1e-2)
    assert pushed["digest"] == carom.sweep(model, CASES[:4])["digest"]


def test_dask_gets_a_large_model_once(client: Any) -> None:
    padded = carom.Model.from_text(BALL + "#" + "x" * 400_000, name="ball.toml", files={})
    swept = carom.sweep(padded, CASES[:8], executor=client, batch=1)
    assert swept["digest"] == _digests()[:8]


def test_dask_loses_a_worker_in_the_middle(client: Any, tmp_path: Path) -> None:
    notes = Note(tmp_path / "notes", 0.05)
    victim: list[int] = []

    def kill() -> None:
        while len(notes.seen()) < 8:
            time.sleep(0.01)
        pids = client.run(os.getpid)
        victim.append(next(iter(pids.values())))
        os.kill(victim[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    swept = carom.sweep(ball(), CASES, executor=client, measure={"who": notes}, out=tmp_path / "t.csv", batch=3)
    killer.join()
    assert swept["digest"] == _digests() and not swept.failed, "its runs are repeated"
    rows = (tmp_path / "t.csv.rows").read_text().splitlines()[1:]
    assert len(rows) == len(CASES) == len(swept), "nothing is counted twice"
    # a worker that took up the work of the dead one, which may have finished runs that nobody heard of
    extra = len(notes.seen()) - len(CASES)
    assert 0 <= extra <= 3 * 3 and len(set(swept["who"])) >= 2, extra


def test_a_case_that_kills_its_workers_is_a_row(client: Any) -> None:
    swept = carom.sweep(ball(), CASES[:8], executor=client, measure={"e_seen": Deadly(CASES[5]["e"])}, batch=4)
    assert [row["case"] for row in swept.failed] == [6]
    assert "lost its worker every time" in swept[5]["reason"]
    assert [swept["e_seen"][i] for i in range(8) if i != 5] == [CASES[i]["e"] for i in range(8) if i != 5]


def test_dask_that_goes_away_leaves_the_rows(client: Any, tmp_path: Path) -> None:
    notes = Note(tmp_path / "notes", 0.05)

    def close() -> None:
        while len(notes.seen()) < 6:
            time.sleep(0.01)
        client.close()

    closer = threading.Thread(target=close)
    closer.start()
    table = tmp_path / "t.csv"
    with pytest.raises(carom.Error):
        carom.sweep(ball(), CASES, executor=client, measure={"who": notes}, out=table, batch=1)
    closer.join()
    kept = (tmp_path / "t.csv.rows").read_text().count("\n") - 1
    assert 0 < kept < len(CASES)
    # workers finish what they have begun, although nobody asks for it any more
    before = -1
    while before < len(notes.seen()):
        before = len(notes.seen())
        time.sleep(0.5)
    swept = carom.sweep(ball(), CASES, measure={"who": notes}, out=table)
    assert swept["digest"] == _digests() and len(notes.seen()) - before == len(CASES) - kept
