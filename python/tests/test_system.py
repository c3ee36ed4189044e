"""Systems written in Python: they run with every scheme, and what they answer wrongly is told."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom

SCHEMES = list(carom.schemes())


class Pendulum(carom.System):
    """A point mass at the end of a rod of 1 m: the angle is the coordinate."""

    q, v = [1.0], [0.0]
    mass_is_constant = True

    def mass(self, t, q):
        return [[1.0]]

    def force(self, t, q, v):
        return [-9.81 * math.sin(q[0])]

    def energy(self, t, q, v):
        return 0.5 * v[0] ** 2, -9.81 * math.cos(q[0])


class Constrained(carom.System):
    """The same in x and y with a rod that is a constraint."""

    q, v = [math.sin(1.0), -math.cos(1.0)], [0.0, 0.0]
    constraints = [("rod", "length")]

    def mass(self, t, q):
        return np.eye(2)

    def force(self, t, q, v):
        return np.array([0.0, -9.81])

    def closure(self, t, q):
        return [0.5 * (q @ q - 1.0)]

    def jacobian(self, t, q):
        return q[np.newaxis, :]

    def energy(self, t, q, v):
        return 0.5 * (v @ v), 9.81 * q[1]


class Ball(carom.System):
    """Falls from 1 m on a floor."""

    q, v = [1.0], [0.0]
    restitution = 0.5
    mass_is_constant = True

    @property
    def contacts(self):
        return [("floor", self.restitution, None)]

    def mass(self, t, q):
        return [[1.0]]

    def force(self, t, q, v):
        return [-10.0]

    def gaps(self, t, q):
        return [q[0]]

    def directions(self, t, q):
        return [[1.0]]

    def energy(self, t, q, v):
        return 0.5 * v[0] ** 2, 10.0 * q[0]


class Slider(carom.System):
    """Slides on a floor with friction μ = 0.2 and comes to rest."""

    q, v = [0.0, 0.0], [2.0, 0.0]
    contacts = [("floor", 0.0, 0.2)]

    def mass(self, t, q):
        return np.eye(2)

    def force(self, t, q, v):
        return [0.0, -10.0]

    def gaps(self, t, q):
        return [q[1]]

    def directions(self, t, q):
        return [[0.0, 1.0], [1.0, 0.0]]

    def energy(self, t, q, v):
        return 0.5 * (v @ v), 10.0 * q[1]


def exact_angle(t: float) -> float:
    """φ'' = −g sin φ from φ(0) = 1, φ'(0) = 0, by Jacobi's functions: sin(φ/2) = k cd(ω t, k), k = sin(1/2)."""
    special = pytest.importorskip("scipy.special")
    k = math.sin(0.5)
    _, cn, dn, _ = special.ellipj(math.sqrt(9.81) * t, k * k)
    return 2 * math.asin(k * cn / dn)


# order of the scheme on smooth motion, and a step at which it shows
@pytest.mark.parametrize(
    ("scheme", "order"),
    [
        ("moreau-jean", 2),
        ("moreau-explicit", 1),
        ("generalized-alpha", 2),
        ("bathe", 2),
        ("hht", 2),
        ("verlet", 2),
        ("rk4", 4),
    ],
)
def test_a_pendulum_in_python_has_the_order_of_the_scheme(scheme: str, order: int) -> None:
    exact = exact_angle(1.0)
    steps = [1 / n for n in (20, 28, 40, 56, 80, 113, 160)]
    errors = []
    for step in steps:
        simulation = Pendulum().model().simulation(scheme=scheme, step=step, end=1.0)
        simulation.run_until(1.0)
        errors.append(abs(simulation.q[0] - exact))
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert slope == pytest.approx(order, abs=0.3)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_pendulum_in_python_runs_with_every_scheme(scheme: str) -> None:
    simulation = Pendulum().model().simulation(scheme=scheme, step=1e-3, end=1.0)
    simulation.run_until(1.0)
    # φ(1) in digits of the period 2.14: first-order schemes are off by a few steps
    assert simulation.q[0] == pytest.approx(exact_angle(1.0), abs=2e-2)


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s != "verlet"])
def test_a_constraint_in_python_runs_with_every_scheme(scheme: str) -> None:
    simulation = Constrained().model().simulation(scheme=scheme, step=1e-3, end=1.0)
    simulation.run_until(1.0)
    angle = math.atan2(simulation.q[0], -simulation.q[1])
    assert angle == pytest.approx(exact_angle(1.0), abs=2e-2)
    force = simulation.result["rod.force"]
    # the rod carries m g cos φ + m v² (per metre of Φ = (q² − 1)/2)
    drawn = 9.81 * math.cos(angle) + simulation.v @ simulation.v
    assert abs(force[-1]) == pytest.approx(drawn, rel=2e-2)


# these take no contact that bounces
NO_BOUNCE = {"stewart-trinkle", "position-lcp-euler", "position-lcp-rk4", "position-lcp-radau5", "velocity-lcp"}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_ball_in_python_bounces_with_every_scheme_as_one_of_a_model(scheme: str) -> None:
    ball = Ball()
    if scheme in NO_BOUNCE:
        ball.restitution = 0.0
    model = carom.Model(gravity=[0, -10])
    model.ground(shapes={"floor": {"type": "line", "through": [0, 0], "normal": [0, 1]}})
    model.body("ball", mass=1, position=[0, 1])
    model.contact("floor", between=["ball", "ground.floor"], restitution=ball.restitution)
    asked = {"scheme": scheme, "step": 1e-3, "end": 0.6}
    here, there = ball.model().simulation(**asked), model.simulation(**asked)
    here.run_until(0.6), there.run_until(0.6)
    # tangents by differences, and another typical length, leave something below the tolerances
    assert here.q[0] == pytest.approx(there.q[1], abs=1e-6)
    if ball.restitution:
        t = math.sqrt(2 / 10)
        exact = 0.5 * 10 * t * (0.6 - t) - 5 * (0.6 - t) ** 2
        # schemes with springs let it in, first-order ones bounce at the end of the step
        assert here.q[0] == pytest.approx(exact, abs=1.5e-2)


def test_friction_in_python_brings_a_slider_to_rest() -> None:
    result = Slider().model().run(scheme="hem5", step=1e-3, end=2.0, estimate=False)
    # v₀²/(2 μ g) after v₀/(μ g)
    assert result["q.0"][-1] == pytest.approx(1.0, abs=1e-9)
    [stick] = [e for e in result.events.to_dict("records") if e["kind"] == "stick"]
    assert stick["t"] == pytest.approx(1.0, abs=1e-9)


def test_tangents_by_differences_are_close_to_exact_ones() -> None:
    class Exact(Pendulum):
        def tangents(self, t, q, v):
            return [[9.81 * math.cos(q[0])]], [[0.0]]

    K, C = Pendulum().tangents(0.0, np.array([0.7]), np.array([0.3]))
    assert K[0][0] == pytest.approx(9.81 * math.cos(0.7), rel=1e-9) and C[0][0] == 0
    a, b = (s.model().run(scheme="generalized-alpha", step=1e-2, estimate=False) for s in (Pendulum(), Exact()))
    assert a["q.0"] == pytest.approx(b["q.0"], abs=1e-8)


@pytest.mark.parametrize("system", [Pendulum(), Constrained(), Ball(), Slider()])
def test_derivatives_of_these_systems_are_right(system: carom.System) -> None:
    assert system.wrong_derivatives() == []


def test_a_wrong_derivative_is_told() -> None:
    class Wrong(Ball):
        def directions(self, t, q):
            return [[2.0]]

    assert any("given 2e0, by differences 9.99" in sentence for sentence in Wrong().wrong_derivatives())


def test_biases_by_differences_are_close_to_exact_ones() -> None:
    q, v = np.array([0.6, -0.8]), np.array([0.4, 0.3])
    # Φ = (q² − 1)/2: Φ'' without q'' is v²
    assert Constrained().closure_bias(0.0, q, v) == pytest.approx([v @ v], rel=1e-8)


def test_the_audit_balances_the_energy_that_the_system_tells() -> None:
    result = Pendulum().model().run(scheme="generalized-alpha", step=1e-3, end=1.0)
    total = result["energy.total"]
    assert np.ptp(total) < 1e-5
    assert result["energy.kinetic"] == pytest.approx(0.5 * result["v.0"] ** 2)
    assert result.verdict.startswith("Good to about")


def test_channels_of_ones_own() -> None:
    class Named(Pendulum):
        channels = [("bob", "x", "m"), ("bob", "angle", "rad")]

        def observe(self, t, q, v):
            return [math.sin(q[0]), q[0]]

    result = Named().model("my pendulum").run(step=1e-2, end=0.1)
    assert result.channels[1:3] == ["bob.x", "bob.angle"] and result.units["bob.angle"] == "rad"
    assert result["bob.x"] == pytest.approx(np.sin(result["bob.angle"]))


def test_a_system_steps_and_saves_like_any_model() -> None:
    simulation = Ball().model().simulation(step=1e-3, end=1.0)
    simulation.run_until(0.45)
    saved = simulation.state
    simulation.run_until(0.8)
    there = simulation.q.tobytes() + simulation.v.tobytes()
    simulation.state = saved
    simulation.run_until(0.8)
    assert simulation.q.tobytes() + simulation.v.tobytes() == there
    assert Ball().model().check()["velocities"] == 1


# --- systems that are wrong


def wrong(**parts: object) -> carom.System:
    return type("Wrong", (Ball,), parts)()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"q": [0.0, 1.0]}, "q has 2 numbers and v 1"),
        ({"q": [], "v": []}, "one at least"),
        ({"q": [float("nan")]}, "`q` holds NaN"),
        ({"q": ["one"]}, "`q` must be a sequence of numbers"),
        ({"contacts": [("floor", 2.0, None)]}, "restitution 2"),
        ({"contacts": [("floor", 0.5, -1.0)]}, "friction -1"),
        ({"contacts": ["floor"]}, "`contacts` must be"),
        ({"contacts": [("a", 0.5, None), ("a", 0.5, None)]}, "two of the `contacts` are called `a`"),
        ({"constraints": [("c", "width")]}, "length or angle"),
        ({"constraints": [3]}, "`constraints` must be"),
        ({"channels": [("a", "b")]}, "`channels` must be"),
        ({"length": -1.0}, "must be positive"),
        ({"length": "long"}, "`length` must be"),
        ({"mass": lambda self, t, q: [1.0]}, "`mass` must answer a matrix of 1 by 1"),
        ({"mass": lambda self, t, q: np.eye(2)}, "`mass` answers a matrix of 2 by 2, not 1 by 1"),
        ({"mass": lambda self, t, q: [[float("nan")]]}, "`mass` answers NaN"),
        ({"mass": lambda self, t, q: [[1j]]}, "`mass` must answer"),
        (
            {"q": [1.0, 0.0], "v": [0.0, 0.0], "mass": lambda self, t, q: [[1.0, 0.1], [0.2, 1.0]]},
            "`mass` is not symmetric: M[1, 0] = 0.2, M[0, 1] = 0.1",
        ),
        ({"force": lambda self, t, q, v: [1.0, 2.0]}, "`force` answers 2 numbers, not 1"),
        ({"force": lambda self, t, q, v: None}, "`force` must answer 1 real numbers"),
        ({"force": lambda self, t, q, v: ["a"]}, "`force` must answer"),
        ({"force": lambda self, t, q, v: [float("nan")]}, "`force` answers NaN"),
        ({"gaps": lambda self, t, q: [1.0, 2.0]}, "`gaps` answers 2 numbers, not 1"),
        ({"observe": lambda self, t, q, v: [1.0]}, "`observe` answers 1 numbers, not 2"),
    ],
)
def test_what_a_system_answers_wrongly_is_told(parts: dict[str, object], words: str) -> None:
    with pytest.raises(carom.InputError) as caught:
        wrong(**parts).model().run(step=1e-2, end=0.6, estimate=False)
    assert words in str(caught.value)


def test_directions_of_the_wrong_shape_are_told_with_what_was_recorded() -> None:
    with pytest.raises(carom.InputError, match="`directions` answers a matrix of 1 by 2, not 1 by 1") as caught:
        wrong(directions=lambda self, t, q: [[1.0, 0.0]]).model().run(step=1e-2, end=0.6, estimate=False)
    assert len(caught.value.result) > 0  # type: ignore[attr-defined]


def test_a_function_that_is_missing_says_which() -> None:
    class Bare(carom.System):
        q, v = [0.0], [0.0]

    with pytest.raises(NotImplementedError, match="a system needs `mass"):
        Bare().model().run()


@pytest.mark.parametrize("name", ["mass", "force", "gaps", "directions", "energy", "observe", "tangents"])
@pytest.mark.parametrize("scheme", ["moreau-jean", "generalized-alpha", "hem5"])
def test_what_a_function_of_a_system_raises_reaches_the_user(name: str, scheme: str) -> None:
    def broken(self, t, *rest):
        if t > 0.2:
            raise ZeroDivisionError(f"in {name}")
        return getattr(Ball, name)(self, t, *rest)

    parts = {name: broken}
    if name == "mass":
        parts["mass_is_constant"] = False
    try:
        wrong(**parts).model().run(scheme=scheme, step=1e-3, end=0.6, estimate=False)
    except ZeroDivisionError as error:
        assert str(error) == f"in {name}" and error.result.t[-1] > 0.15
    else:
        # schemes that are explicit ask for no tangents
        assert name == "tangents"
