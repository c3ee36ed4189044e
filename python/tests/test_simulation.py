"""Runs step by step: the same bits as a run, states that are taken up again, forces applied from outside."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import carom
from models import bouncing_disk, cart, pendulum, spinning_ball

SCHEMES = list(carom.schemes())
# These take no restitution, or no friction: the disk stays where it falls, or slides freely.
NO_BOUNCE = {"stewart-trinkle", "position-lcp-euler", "position-lcp-rk4", "position-lcp-radau5", "velocity-lcp"}
NO_FRICTION = {"half-explicit-acceleration"}
# Falls from 300 mm to 20 mm.
IMPACT = math.sqrt(2 * 280 / 9810)


def disk_for(scheme: str) -> carom.Model:
    model = bouncing_disk(scheme=scheme, step=1e-3, end=0.5)
    if scheme in NO_BOUNCE:
        model = model.set({"contacts.floor.restitution": 0})
    if scheme in NO_FRICTION:
        model = model.set({"contacts.floor.friction": 0})
    return model


def bits(simulation: carom.Simulation) -> bytes:
    return np.concatenate([[simulation.t], simulation.q, simulation.v]).tobytes()


# --- as a run does it


@pytest.mark.parametrize("scheme", ["moreau-jean", "generalized-alpha", "hem5", "radau5"])
def test_steps_make_the_same_recording_as_a_run(scheme: str) -> None:
    model = disk_for(scheme)
    simulation = model.simulation()
    while simulation.step():
        pass
    assert simulation.is_over and not simulation.step()
    assert simulation.result.digest == model.run(estimate=False).digest
    in_pieces = model.simulation()
    while in_pieces.step(7):
        pass
    assert in_pieces.result.digest == simulation.result.digest


def test_run_until_stops_at_the_first_step_that_reaches_it() -> None:
    simulation = bouncing_disk(step=3e-3).simulation()
    assert simulation.run_until(0.1)
    assert simulation.t == pytest.approx(0.102)
    assert simulation.run_until(0.05)  # that is behind it
    assert simulation.t == pytest.approx(0.102)
    assert not simulation.run_until(7)
    assert simulation.t == 1.0 and simulation.is_over


def test_run_until_meets_the_time_where_steps_are_chosen() -> None:
    simulation = bouncing_disk(scheme="dopri5", accuracy=1e-6).simulation()
    simulation.run_until(0.1)
    assert simulation.t == 0.1
    assert simulation["disk.y"] == pytest.approx(300 - 0.5 * 9810 * 0.01, abs=1e-6)


def test_times_and_channels_are_in_the_units_of_the_model() -> None:
    model = carom.Model(units={"length": "mm", "time": "ms", "angle": "deg"})
    # 1 mm/ms, 90 deg/ms
    model.body("a", mass=1, inertia=1, velocity=[1, 0], angular_velocity=90)
    model.settings(step=0.5, end=10)
    simulation = model.simulation()
    simulation.run_until(2)
    assert simulation.t == pytest.approx(2)
    assert simulation["a.x"] == pytest.approx(2) and simulation["a.angle"] == pytest.approx(180)
    assert simulation.q == pytest.approx([2e-3, 0, math.pi])
    assert dict(zip(simulation.channels, simulation.values))["a.x"] == simulation["a.x"]
    assert simulation.result.t[-1] == pytest.approx(2) and simulation.result.units["t"] == "ms"


# --- states


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_state_goes_on_with_the_same_bits_before_in_and_after_an_impact(scheme: str) -> None:
    model = disk_for(scheme)
    for begin in (IMPACT - 0.02, IMPACT - 1e-3, IMPACT, IMPACT + 1e-3, IMPACT + 0.02):
        simulation = model.simulation()
        simulation.run_until(begin)
        if scheme in ("hem5", "penalty"):
            simulation.step()
        saved = simulation.state
        simulation.run_until(begin + 0.05)
        there, events = bits(simulation), len(simulation.result.events)
        simulation.state = saved
        assert simulation.state == saved
        simulation.run_until(begin + 0.05)
        assert bits(simulation) == there, f"back at {begin}"
        other = model.simulation()
        other.state = pickle.loads(pickle.dumps(saved))
        other.run_until(begin + 0.05)
        assert bits(other) == there, f"in another simulation at {begin}"
        assert events >= 0


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s not in ("verlet",)])
def test_a_state_in_every_step_of_a_pendulum(scheme: str) -> None:
    model = pendulum(scheme=scheme, step=1e-2, end=1.0)
    simulation = model.simulation()
    for _ in range(3):
        simulation.step(3)
        saved = simulation.state
        simulation.step(5)
        there = bits(simulation)
        simulation.state = saved
        simulation.step(5)
        assert bits(simulation) == there


def test_saving_does_not_change_a_run_of_fixed_steps() -> None:
    model = disk_for("generalized-alpha")
    plain, saving = model.simulation(), model.simulation()
    plain.step(300)
    for _ in range(300):
        saving.step()
        assert saving.state
    assert saving.result.digest == plain.result.digest


def test_a_state_mid_impact_holds_the_impulses() -> None:
    """The state right after the step with the impact: contact closed, impulses kept for the next step."""
    model = bouncing_disk(step=1e-3, end=0.5)
    simulation = model.simulation()
    while simulation.result.contacts["floor"]["impulse_n"][-1] == 0:
        simulation.step()
    saved = simulation.state
    assert '"closed":[0]' in saved._text or simulation["disk.vy"] > 0
    simulation.run_until(0.5)
    there = bits(simulation)
    simulation.state = saved
    simulation.run_until(0.5)
    assert bits(simulation) == there


def test_a_state_is_taken_up_in_another_process(tmp_path: Path) -> None:
    model = spinning_ball()
    simulation = model.simulation()
    simulation.run_until(0.15)
    model.save(tmp_path / "model.toml")
    simulation.state.save(tmp_path / "state")
    simulation.run_until(0.4)
    code = f"""
import carom
s = carom.load({str(tmp_path / "model.toml")!r}).simulation()
s.state = carom.State.load({str(tmp_path / "state")!r})
s.run_until(0.4)
print(s.t.hex(), *[x.hex() for x in s.q.tolist() + s.v.tolist()])
"""
    path = ":".join(sys.path)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path}, check=True)
    here = [simulation.t, *simulation.q.tolist(), *simulation.v.tolist()]
    assert said.stdout.split() == [x.hex() for x in here]


def test_a_state_carries_the_forces_that_are_applied() -> None:
    model = cart(scheme="generalized-alpha")
    simulation = model.simulation(apply=["cart"])
    simulation.apply("cart", force=[5, 0])
    simulation.step(20)
    simulation.apply("cart", force=[-3, 0])  # changed and not yet stepped with
    saved = simulation.state
    simulation.step(20)
    there = bits(simulation)
    simulation.apply("cart", force=[100, 0])
    simulation.step(20)
    simulation.state = saved
    simulation.step(20)
    assert bits(simulation) == there


def test_place_puts_it_elsewhere() -> None:
    simulation = pendulum().simulation()
    angle = 0.3
    q = [math.sin(angle), -math.cos(angle)]
    simulation.place(q, [0, 0], t=0.5)
    assert simulation.t == 0.5 and simulation.q == pytest.approx(q) and len(simulation.result) == 1
    simulation.run_until(1.0)
    assert simulation.is_over
    # energy: v²/2 = g (cos φ − cos 0.3)
    height = simulation.q[1] - q[1]
    assert 0.5 * simulation.v @ simulation.v == pytest.approx(-9.81 * height, rel=5e-3)


# --- forces from outside


def test_an_applied_force_accelerates_a_body_until_told_otherwise() -> None:
    model = carom.Model(units="mm", name="puck")
    model.body("puck", mass=2, inertia=100, points={"edge": [10, 0]})
    model.settings(scheme="dopri5", accuracy=1e-8, end=1.0)
    simulation = model.simulation(apply=["puck", "puck.edge"])
    simulation.apply("puck", force=[4, 0], torque=0.5)  # N, N mm
    simulation.run_until(0.1)
    # 4 N on 2 kg: 2000 mm/s²; 0.5 N mm on 100 kg mm²: 0.005 N m on 1e-4 kg m²
    assert simulation["puck.x"] == pytest.approx(0.5 * 2000 * 0.01)
    assert simulation["puck.angle"] == pytest.approx(0.5 * (0.5e-3 / 1e-4) * 0.01)
    simulation.apply("puck", force=[0, 0], torque=0)
    speed = simulation["puck.vx"]
    simulation.run_until(0.2)
    assert simulation["puck.vx"] == pytest.approx(speed)
    simulation.apply("puck.edge", force=[0, 4])
    simulation.run_until(0.21)
    assert simulation["puck.vy"] == pytest.approx(2000 * 0.01, rel=1e-3)
    assert simulation["puck.omega"] > 0.05


def test_an_applied_force_in_space() -> None:
    model = carom.Model(units="mm", gravity=[0, 0, 0], name="probe")
    model.body("probe", mass=2, inertia=[100, 100, 100], points={"fin": [10, 0, 0]})
    model.settings(scheme="rk4", step=1e-2, end=1.0)
    simulation = model.simulation(apply=["probe", "probe.fin"])
    simulation.apply("probe", force=[0, 4, 0])
    simulation.run_until(0.1)
    # 4 N on 2 kg for 0.1 s
    assert simulation["probe.y"] == pytest.approx(10) and simulation["probe.wz"] == 0
    simulation.apply("probe", force=[0, 0, 0])
    simulation.apply("probe.fin", force=[0, 0.05, 0])
    simulation.run_until(0.11)
    # 0.05 N at 10 mm: 0.5 N mm on 100 kg mm²
    assert simulation["probe.wz"] == pytest.approx(0.5e-3 / 1e-4 * 0.01, rel=1e-6)
    with pytest.raises(carom.InputError, match="2 numbers, not 3"):
        simulation.apply("probe", force=[1, 2])
    with pytest.raises(carom.InputError, match="not a sequence of numbers"):
        simulation.apply("probe", torque=1)
    with pytest.raises(carom.InputError, match="a torque acts on a body that turns"):
        simulation.apply("probe.fin", torque=[0, 0, 1])


def test_an_applied_torque_in_space() -> None:
    model = carom.Model(units="mm", gravity=[0, 0, 0], name="wheel")
    model.body("wheel", mass=2, inertia=[100, 100, 200])
    model.settings(scheme="rk4", step=1e-2, end=1.0)
    simulation = model.simulation(apply=["wheel"])
    simulation.apply("wheel", torque=[0, 0, 0.5])
    simulation.run_until(0.1)
    # 0.5 N mm on 200 kg mm² for 0.1 s
    assert simulation["wheel.wz"] == pytest.approx(0.5e-3 / 2e-4 * 0.1, rel=1e-9)


def test_a_function_pulls_at_a_body_in_space() -> None:
    model = carom.Model(gravity=[0, 0, 0])
    model.body("m", mass=1, position=[1, 0, 0])
    model.force("f", "force", on="m", force=["=pull(m.x)", 0, 0])
    model.function("pull", lambda x: -25 * x)
    result = model.run(scheme="dopri5", accuracy=1e-9, end=1.0)
    assert result["m.x"] == pytest.approx(np.cos(5 * result.t), abs=1e-7)


@pytest.mark.parametrize("scheme", ["moreau-jean", "generalized-alpha", "bathe", "bdf", "adams-bashforth", "hem5"])
def test_a_force_that_jumps_costs_no_order(scheme: str) -> None:
    """Zero-order hold: constant within an interval, x(1) = Σ over intervals in closed form."""
    forces, every = [3.0, -7.0, 2.0, 0.0, 11.0], 0.2
    x = v = 0.0
    for f in forces:
        x, v = x + v * every + 0.5 * f * every**2, v + f * every
    model = carom.Model(name="mass")
    model.body("m", mass=1)
    model.settings(scheme=scheme, step=0.01, end=1.0)
    simulation = model.simulation(apply=["m"])
    for i, f in enumerate(forces):
        simulation.apply("m", force=[f, 0])
        simulation.run_until((i + 1) * every)
    assert simulation["m.vx"] == pytest.approx(v, abs=1e-9)
    # positions are exact for constant forces with all but the first-order methods
    assert simulation["m.x"] == pytest.approx(x, abs=1e-9)


def test_an_input_that_formulas_call() -> None:
    push = carom.Input(2.0)
    model = carom.Model()
    model.body("m", mass=1)
    model.function("push", push)
    model.force("f", "force", on="m", force=["=push()", 0])
    model.settings(step=1e-2, end=2)
    simulation = model.simulation()
    simulation.run_until(1)
    assert simulation["m.vx"] == pytest.approx(2)
    push.value = 0
    simulation.run_until(2)
    assert simulation["m.vx"] == pytest.approx(2) and push.value == 0
    assert repr(carom.Input(1.5)) == "Input(1.5)"


# --- bad input


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    simulation = pendulum().simulation(apply=["bob"])
    simulation.step(10)
    before = bits(simulation)
    refused = [
        (lambda: simulation["bob.xx"], carom.UnknownName, "did you mean `bob.x`"),
        (lambda: simulation[3], carom.UnknownName, "no channel"),
        (lambda: simulation.run_until(float("nan")), carom.InputError, "finite"),
        (lambda: simulation.place([1], [0, 0]), carom.InputError, "q has 2 numbers, not 1"),
        (lambda: simulation.place([1, 0], [0, float("nan")]), carom.InputError, "finite"),
        (lambda: simulation.place("ab", [0, 0]), carom.InputError, "sequence of numbers"),
        (lambda: simulation.place([0, -2], [0, 0]), carom.InputError, "joint `rod` is open by 1.000e0 m"),
        (lambda: simulation.place([0, -1], [0, 1]), carom.InputError, "tear joint `rod` open"),
        (lambda: setattr(simulation, "state", "text"), carom.InputError, "carom.State"),
        (lambda: setattr(simulation, "state", carom.State("{}")), carom.InputError, "no saved state"),
        (lambda: setattr(simulation, "state", cart().simulation().state), carom.InputError, "another model"),
        (
            lambda: setattr(simulation, "state", pendulum(scheme="hem5").simulation(apply=["bob"]).state),
            carom.InputError,
            "saved with `hem5",
        ),
        (lambda: simulation.apply("bib", force=[0, 1]), carom.UnknownName, "apply=['bib']"),
        (lambda: simulation.apply("bob", force=[0, 1, 2]), carom.InputError, "3 numbers, not 2"),
        (lambda: simulation.apply("bob", force=[0, float("nan")]), carom.InputError, "finite"),
        (lambda: simulation.apply("bob", force=1.0), carom.InputError, "sequence"),
        (lambda: simulation.apply("bob", force=[1, 1], torque=1), carom.InputError, "a body that turns"),
        (lambda: pendulum().simulation(apply=["bib"]), carom.ModelError, "did you mean `bob`"),
        (lambda: carom.load("stiff-3dof-spring").simulation(apply=["crank"]), carom.InputError, "coded system"),
        (lambda: setattr(carom.Input(), "value", float("inf")), carom.InputError, "finite"),
    ]
    for act, kind, words in refused:
        with pytest.raises(kind) as caught:
            act()
        assert words in str(caught.value)
        assert bits(simulation) == before
    # the refused force did not count half
    simulation.step(10)
    undisturbed = pendulum().simulation()
    undisturbed.step(20)
    assert simulation.q == pytest.approx(undisturbed.q, abs=1e-12)


def test_a_simulation_in_two_threads_is_refused_and_lives() -> None:
    simulation = carom.load("stacked-boxes").simulation(step=1e-5)
    caught: list[BaseException] = []
    thread = threading.Thread(target=lambda: simulation.run_until(0.02))
    thread.start()
    while thread.is_alive():
        try:
            simulation.step()
        except carom.InputError as error:
            caught.append(error)
    thread.join()
    assert caught and "stepping already" in str(caught[0])
    assert simulation.step()


def test_many_simulations_at_once_have_the_bits_of_one() -> None:
    model = bouncing_disk(step=1e-4, end=0.5)
    alone = model.simulation()
    alone.run_until(0.5)
    found: dict[int, bytes] = {}

    def work(i: int) -> None:
        one = model.simulation()
        one.run_until(0.5)
        found[i] = bits(one)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found.values()) == {bits(alone)}
