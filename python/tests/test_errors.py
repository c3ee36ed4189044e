"""One tree of errors; a bug in Rust ends nothing but the call."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import carom
from carom import _carom
from models import bouncing_disk, pendulum


def test_the_tree() -> None:
    for one in (carom.InputError, carom.ModelError, carom.SimulationError, carom.InternalError, carom.UnknownName):
        assert issubclass(one, carom.Error)
    assert issubclass(carom.InputError, ValueError) and issubclass(carom.UnknownName, KeyError)
    # Ctrl-C passes whoever catches errors
    assert issubclass(carom.Interrupted, KeyboardInterrupt) and not issubclass(carom.Interrupted, Exception)


def failing() -> carom.Model:
    """v' = v² runs away at t = 1 s: 1000 in the time unit of the model."""
    model = carom.Model(units={"time": "ms"}, name="runaway")
    model.body("m", mass=1, velocity=[1e-3, 0])
    # in SI: F = m v²/1 m; numbers in ms: v is a thousandth, F stays N
    model.force("f", "force", on="m", force=["=(1000*m.vx)^2", 0])
    model.settings(scheme="dopri5", accuracy=1e-6, end=2000)
    return model


def test_a_run_that_fails_says_when_where_and_keeps_what_it_has() -> None:
    with pytest.raises(carom.SimulationError) as caught:
        failing().run()
    error = caught.value
    assert error.time == pytest.approx(1000, rel=1e-2)
    assert error.subject == "m.vx" and error.remedy
    assert error.result.stop == "failed" and error.result.t[-1] > 900
    # v = 1/(1 − t)
    early = error.result.t < 900
    assert error.result["m.vx"][early] == pytest.approx(1e-3 / (1 - error.result.t[early] / 1000), rel=1e-3)
    assert "runaway" in str(error)


def test_a_step_that_fails_ends_a_simulation_likewise() -> None:
    simulation = failing().simulation()
    with pytest.raises(carom.SimulationError):
        while simulation.step():
            pass
    assert simulation.is_over and len(simulation.result) > 10
    with pytest.raises(carom.SimulationError):
        failing().simulation().run_until(2000)


def test_errors_are_pickled() -> None:
    with pytest.raises(carom.ModelError) as model_error:
        carom.loads("[bodies.a]\nmas = 1").check()
    again = pickle.loads(pickle.dumps(model_error.value))
    assert (again.line, again.remedy, str(again)) == (2, model_error.value.remedy, str(model_error.value))
    with pytest.raises(carom.SimulationError) as failure:
        failing().run()
    other = pickle.loads(pickle.dumps(failure.value))
    assert (other.time, other.subject) == (failure.value.time, "m.vx")
    with pytest.raises(AttributeError, match="stayed in the process"):
        other.result


# --- panics


def test_a_panic_is_an_error_that_says_it_is_a_bug(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(carom.InternalError) as caught:
        _carom.panic_for_tests("the invariant")
    message = str(caught.value)
    assert "bug in Carom" in message and "the invariant" in message and "errors.rs" in message
    assert capfd.readouterr() == ("", "")
    assert carom.load("ball").run(end=0.1).stop == "done"


def test_a_simulation_that_a_panic_left_half_way_is_not_used_again() -> None:
    simulation = bouncing_disk().simulation()
    simulation.step(10)
    saved, before = simulation.state, simulation.q
    with pytest.raises(carom.InternalError, match="half way at t = 0.01"):
        simulation._inner.panic_for_tests()
    for act in (simulation.step, lambda: simulation.q, lambda: simulation.result, lambda: simulation.state):
        with pytest.raises(carom.InternalError, match="set its state"):
            act()
    simulation.state = saved
    assert (simulation.q == before).all() and simulation.step()


def test_a_panic_kills_no_interpreter_and_no_other_thread() -> None:
    code = """
import threading, carom
from carom import _carom
caught = []
def work():
    try: _carom.panic_for_tests("x")
    except carom.InternalError as e: caught.append(e)
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
print(len(caught), carom.load("ball").run(end=0.1).stop)
"""
    env = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "8 done\n", "")


# --- contact problems


W = [[2.08, -1.44], [-1.44, 2.92]]


@pytest.mark.parametrize("solver", list(carom.solvers()))
def test_every_solver_answers_a_contact_problem(solver: str) -> None:
    answer = carom.solve(W, [-1.0, 0.1], ("planar", 0.5), solver=solver)
    # it sticks: W P = −U_free
    assert answer.converged and answer.P == pytest.approx(np.linalg.solve(W, [1.0, -0.1]), rel=1e-5)
    assert answer.residual < 1e-6


def test_sparse_and_dense_problems_have_one_answer() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    random = np.random.default_rng(1)
    A = random.normal(size=(12, 12))
    big, U = A @ A.T + np.eye(12), random.normal(size=12)
    dense = carom.solve(big, U, ("spatial", 0.4), tolerance=1e-10)
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix):
        assert carom.solve(kind(big), U, ("spatial", 0.4), tolerance=1e-10).P == pytest.approx(dense.P, rel=1e-12)
    velocity = big @ dense.P + U
    P = dense.P.reshape(4, 3)
    assert (P[:, 0] >= -1e-9).all() and (velocity[::3] >= -1e-6).all()
    assert (np.hypot(P[:, 1], P[:, 2]) <= 0.4 * P[:, 0] + 1e-6).all()
    guessed = carom.solve(big, U, ("spatial", 0.4), guess=dense.P, tolerance=1e-10)
    assert guessed.iterations <= dense.iterations
    mixed = carom.solve(np.eye(3), [-1.0, -2.0, 1.0], ["unilateral", ("planar", 0.1)])
    assert mixed.P == pytest.approx([1.0, 2.0, -0.2], abs=1e-6)
    integers = carom.solve(np.eye(2, dtype=int), [-1, 2], "unilateral")
    assert integers.P == pytest.approx([1, 0], abs=1e-8)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[1.0]], [1.0, 2.0], "unilateral"), "W is 1 by 1, and U_free has 2 rows"),
        (([1.0, 2.0], [1.0, 2.0], "unilateral"), "array of 1 dimensions"),
        ((W, [[1.0, 2.0]], "unilateral"), "U_free has 2 dimensions"),
        ((W, [1.0, float("nan")], "unilateral"), "U_free holds numbers that are not finite"),
        (([[1.0, float("inf")], [0.0, 1.0]], [1.0, 2.0], "unilateral"), "W holds numbers that are not finite"),
        ((np.eye(2) * 1j, [1.0, 2.0], "unilateral"), "W holds complex128"),
        ((W, ["1", "2"], "unilateral"), "U_free holds <U1"),
        ((W, [1.0, None], "unilateral"), "U_free holds object"),
        (([[1.0], [1.0, 2.0]], [1.0, 2.0], "unilateral"), "rows of different lengths"),
        ((W, [1.0, 2.0], "planer"), "did you mean `planar`"),
        ((W, [1.0, 2.0], "planar"), "needs a number"),
        ((W, [1.0, 2.0], ("planar", -1.0)), "0 or more"),
        ((W, [1.0, 2.0], ("planar", float("nan"))), "0 or more"),
        ((W, [1.0, 2.0], ("spatial", 0.3)), "no whole number of contacts of 3"),
        ((W, [1.0, 2.0], ["unilateral"]), "the laws have 1 rows together, and U_free 2"),
        ((W, [1.0, 2.0], [3, 4]), "3 is no law"),
    ],
)
def test_contact_problems_that_cannot_be(arguments: tuple, words: str) -> None:
    with pytest.raises(carom.InputError) as caught:
        carom.solve(*arguments)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"solver": "npgs"}, "there is no solver"),
        ({"tolerance": 0.0}, "tolerance is 0.0"),
        ({"tolerance": float("nan")}, "tolerance is nan"),
        ({"seconds": -1.0}, "seconds is -1.0"),
        ({"guess": [1.0]}, "the guess has 1 rows, U_free 2"),
        ({"guess": [1.0, float("nan")]}, "guess holds"),
    ],
)
def test_options_of_a_solver_that_cannot_be(keywords: dict, words: str) -> None:
    with pytest.raises(carom.InputError) as caught:
        carom.solve(W, [-1.0, 2.0], ("planar", 0.5), **keywords)
    assert words in str(caught.value)


def test_a_problem_without_answer_says_so() -> None:
    # U = −1 whatever P is
    answer = carom.solve([[0.0]], [-1.0], "unilateral")
    assert not answer.converged and answer.status != "converged"


# --- lists, spectra, studies


def test_lists_have_words_for_everything() -> None:
    for listed in (carom.schemes, carom.solvers, carom.systems, carom.studies, carom.gallery):
        names = listed()
        assert len(names) > 3 and all(names.values())


def test_a_spectrum_is_that_of_the_scheme() -> None:
    [alpha] = carom.spectrum("generalized-alpha:rho=0.5", steps=[1e-2, 1e4])
    # spectral radius: 1 for small steps, ρ∞ for long ones
    radius = [point["radius"] for point in alpha["points"]]
    assert radius == pytest.approx([1, 0.5], abs=1e-3)
    with pytest.raises(carom.InputError, match="baathe"):
        carom.spectrum("baathe")


def test_a_study_that_does_not_exist() -> None:
    with pytest.raises(carom.InputError, match="no study `nothing`"):
        carom.study("nothing")


def test_pendulum_energy_is_the_work_of_gravity() -> None:
    result = pendulum(scheme="hem5").run()
    assert np.ptp(result["energy.total"]) < 1e-6 * np.ptp(result["energy.kinetic"])
