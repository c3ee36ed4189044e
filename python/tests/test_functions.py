"""Python functions as forces, controllers and event functions."""

from __future__ import annotations

import functools
import math
import traceback

import numpy as np
import pytest

import carom
from models import cart

SMOOTH = ["moreau-jean", "generalized-alpha", "newmark-implicit", "bathe", "hem5", "dopri5", "radau5", "bdf"]


def oscillator(force: str, guided: bool = True, **settings: object) -> carom.Model:
    model = carom.Model(name="oscillator")
    model.body("m", mass=1, position=[1, 0])
    if guided:
        model.joint("rail", "motion", of="m", coordinate="y", function=0)
    model.force("f", "force", on="m", force=[force, 0])
    model.settings(**{"step": 1e-3, "end": 2.0, **settings})
    return model


@pytest.mark.parametrize("scheme", SMOOTH)
def test_a_force_in_python_does_what_the_formula_does(scheme: str) -> None:
    by_formula = oscillator("=-25*m.x - 0.5*m.vx*abs(m.vx) + sin(3*t)", scheme=scheme)
    by_function = oscillator("=pull(m.x, m.vx, t)", scheme=scheme)
    by_function.function("pull", lambda x, v, t: -25 * x - 0.5 * v * abs(v) + math.sin(3 * t))
    a, b = by_formula.run(estimate=False), by_function.run(estimate=False)
    # tangents are difference quotients: Newton's iterations end elsewhere within their tolerance
    assert np.abs(a["m.x"] - b["m.x"]).max() < 1e-7


def test_numbers_are_in_the_units_of_the_model() -> None:
    seen: list[tuple[float, float]] = []
    model = carom.Model(units={"length": "mm", "angle": "deg"})
    model.body("a", mass=1, inertia=1e4, position=[5, 0], angle=90)
    model.force("f", "torque", on="a", torque="=f(a.x, a.angle)")
    model.function("f", lambda x, angle: seen.append((x, angle)) or 0.0)
    model.run(step=0.1, end=0.2)
    assert seen[0] == pytest.approx((5, 90))


def test_a_controller_holds_a_pole_upright() -> None:
    """State feedback through a callable, in mm and rad, against the weight of the pole."""
    model = cart(scheme="dopri5", accuracy=1e-6, end=6.0)
    falls = model.set({"bodies.pole.angle": 0.02}).run(estimate=False, end=3.0)
    assert np.abs(falls["pole.angle"]).max() > 1
    held = model.set({"bodies.pole.angle": 0.02})
    # poles placed about −2 … −4 1/s; N per mm, mm/s, rad, rad/s
    held.function("hold", lambda x, vx, a, w: 0.004 * x + 0.006 * vx - 40 * a - 9 * w)
    held.force("motor", "force", on="cart", force=["=hold(cart.x, cart.vx, pole.angle, pole.omega)", 0])
    result = held.run(estimate=False)
    assert np.abs(result["pole.angle"]).max() < 0.1
    assert abs(result["pole.angle"][-1]) < 1e-3


def test_an_event_function_in_python_ends_a_run() -> None:
    model = carom.Model(gravity=[0, -10])
    model.body("stone", mass=1, velocity=[3, 4])
    model.event("far", "gate(stone.x, stone.y)", stop=True)
    model.function("gate", lambda x, y: math.hypot(x, y) - 1.0)
    result = model.run(scheme="dopri5", accuracy=1e-10, end=5.0)
    assert result.events.kind[0] == "event" and result.events.subject[0] == "far"
    # |(3t, 4t − 5t²)| = 1
    t = result.t[-1]
    assert math.hypot(3 * t, 4 * t - 5 * t * t) == pytest.approx(1, abs=1e-9)


def test_functions_of_every_kind_and_number_of_arguments() -> None:
    def default(x: float, gain: float = 2.0) -> float:
        return gain * x

    class Callable:
        def __call__(self, x: float) -> float:
            return 2 * x

    def two(gain: float, x: float) -> float:
        return gain * x

    kinds = {
        "default": default,
        "callable": Callable(),
        "partial": functools.partial(two, 2.0),
        "cached": functools.lru_cache(lambda x: 2 * x),
        "numpy": lambda x: np.float64(2) * x,
        "integer": lambda x: int(2 * x) if x == int(x) else 2 * x,
        "array": lambda x: np.array(2 * x),
    }
    exact = oscillator("=2*m.x").run(end=0.1, estimate=False)["m.x"]
    for name, function in kinds.items():
        model = oscillator(f"={name}(m.x)")
        model.function(name, function)
        assert model.run(end=0.1, estimate=False)["m.x"] == pytest.approx(exact, rel=1e-9), name
    nothing = oscillator("=f()")
    nothing.function("f", lambda: 2.0)
    assert nothing.run(end=0.1, estimate=False)["m.vx"][-1] == pytest.approx(0.2)
    names = [f"x{i}" for i in range(16)]
    most = oscillator("=f(" + ", ".join(["m.x"] * 16) + ")")
    most.function("f", eval(f"lambda {', '.join(names)}: {' + '.join(names)} - 14*x0"))
    assert most.run(end=0.1, estimate=False)["m.x"] == pytest.approx(exact, rel=1e-9)


def test_a_builtin_function() -> None:
    model = oscillator("=-f(m.x)")
    model.function("f", math.sinh)
    plain = oscillator("=-sinh(m.x)")
    a, b = model.run(end=0.5, estimate=False), plain.run(end=0.5, estimate=False)
    assert a["m.x"] == pytest.approx(b["m.x"], rel=1e-9)


# --- functions that go wrong


class Broken(RuntimeError):
    """Somebody's own error."""


HOW = ["run", "run with estimate", "step", "many steps", "run_until", "accuracy"]
FAMILIES = ["moreau-jean", "generalized-alpha", "hem5", "radau5", "bdf", "verlet"]


# verlet takes steps of one size
@pytest.mark.parametrize(("scheme", "how"), [(s, h) for s in FAMILIES for h in HOW if (s, h) != ("verlet", "accuracy")])
def test_what_a_function_raises_reaches_the_user_with_the_recording(scheme: str, how: str) -> None:
    def pull(x: float, t: float) -> float:
        if t > 0.5:
            raise Broken(f"at {t}")
        return -x

    model = oscillator("=pull(m.x, t)", guided=scheme != "verlet", scheme=scheme, step=1e-2)
    model.function("pull", pull)
    simulation = model.simulation()
    act = {
        "run": lambda: model.run(estimate=False),
        "run with estimate": lambda: model.run(),
        "accuracy": lambda: model.run(accuracy=1e-5),
        "step": lambda: [simulation.step() for _ in range(1000)],
        "many steps": lambda: simulation.step(1000),
        "run_until": lambda: simulation.run_until(1.5),
    }[how]
    with pytest.raises(Broken) as caught:
        act()
    error = caught.value
    assert "pull" in [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    assert "at 0.5" in str(error)
    result = error.result  # type: ignore[attr-defined]
    assert isinstance(result, carom.Result) and 0.4 < result.t[-1] < 0.6 and len(result) > 10
    assert result["m.x"][0] == 1 and np.isfinite(result["m.x"]).all()
    assert "raised in a run at t = 0." in error.__notes__[0]


def test_a_function_that_raises_before_the_first_step() -> None:
    def pull(x: float) -> float:
        raise Broken("at once")

    model = oscillator("=pull(m.x)")
    model.function("pull", pull)
    for act in (model.run, model.simulation, model.check):
        with pytest.raises(Broken, match="at once"):
            act()


def test_a_simulation_lives_on_after_a_function_raised() -> None:
    broken = False

    def pull(x: float) -> float:
        if broken:
            raise Broken
        return -x

    model = oscillator("=pull(m.x)")
    model.function("pull", pull)
    simulation = model.simulation()
    simulation.step(10)
    saved = simulation.state
    simulation.step(10)
    there = simulation["m.x"]
    broken = True
    with pytest.raises(Broken):
        simulation.step()
    broken = False
    simulation.state = saved
    simulation.step(10)
    assert simulation["m.x"] == there


@pytest.mark.parametrize("answer", [math.nan, None, "3", 1j, [1.0, 2.0], np.array([1.0, 2.0])])
def test_an_answer_that_is_no_number_names_the_function(answer: object) -> None:
    model = oscillator("=pull(m.x)")
    model.function("pull", lambda x: -x if x > 0.9 else answer)
    with pytest.raises(carom.InputError, match="`pull` answered .*, not a number") as caught:
        model.run(estimate=False)
    assert len(caught.value.result) > 5  # type: ignore[attr-defined]


def test_an_infinite_answer_is_a_step_that_fails() -> None:
    model = oscillator("=pull(m.x)")
    model.function("pull", lambda x: -x if x > 0.9 else math.inf)
    with pytest.raises(carom.SimulationError) as caught:
        model.run(estimate=False)
    assert caught.value.subject == "m.vx" and len(caught.value.result) > 5


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda *x: 1.0, "any number of arguments"),
        (max, "how many arguments"),
        (3, "neither a function nor an Input"),
    ],
)
def test_functions_that_cannot_be_called_are_refused(function: object, words: str) -> None:
    model = oscillator("=f(m.x)")
    with pytest.raises(carom.InputError, match=words):
        model.function("f", function)  # type: ignore[arg-type]
        model.run()


@pytest.mark.parametrize(
    ("name", "formula", "words"),
    [
        ("f", "=f(m.x, m.x)", "f"),
        ("f", "=g(m.x)", "no function `g`"),
        ("sin", "=sin(m.x)", "cannot call a function `sin`"),
        ("a b", "=1", "cannot call a function"),
    ],
)
def test_wrong_calls_are_told_at_their_line(name: str, formula: str, words: str) -> None:
    model = oscillator(formula)
    model.function(name, lambda x: x)
    with pytest.raises(carom.ModelError) as caught:
        model.run()
    assert words in str(caught.value)
