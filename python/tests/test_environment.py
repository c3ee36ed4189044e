"""The environment of the examples: it behaves as Gymnasium asks, with and without it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "cart_pole.py"


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cart_pole", EXAMPLE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Without Gymnasium."""
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    return example()


def test_a_law_of_feedback_holds_the_pole_and_chance_does_not(plain: ModuleType) -> None:
    environment = plain.CartPole()
    random = np.random.default_rng(0)
    assert all(plain.episode(environment, plain.feedback, seed) == plain.EPISODE for seed in range(3))
    assert all(plain.episode(environment, lambda _: int(random.integers(2)), seed) < 150 for seed in range(3))


def test_an_episode_begins_anew_from_its_seed(plain: ModuleType) -> None:
    environment = plain.CartPole()

    def run() -> list[bytes]:
        seen = [environment.reset(seed=5)[0]]
        seen += [environment.step(i % 2)[0] for i in range(30)]
        return [one.tobytes() for one in seen]

    first = run()
    environment.step(1)
    assert run() == first
    assert environment.reset(seed=6)[0].tobytes() != first[0]


def test_the_cart_falls_as_the_textbook_says(plain: ModuleType) -> None:
    """Against the equations of the cart-pole, integrated by hand with small steps of Runge–Kutta."""
    environment = plain.CartPole()
    seen, _ = environment.reset(seed=1)
    state = np.array(seen, float)
    m, M, half, g = 0.1, 1.0, 0.5, 9.81

    def rate(y: np.ndarray, F: float) -> np.ndarray:
        # with θ against the vertical, counter-clockwise positive, the pole to the left of the hinge
        _, v, a, w = y
        s, c = np.sin(a), np.cos(a)
        A = np.array([[M + m, -m * half * c], [-m * half * c, m * half**2 * 4 / 3]])
        b = np.array([F - m * half * w**2 * s, m * g * half * s])
        acceleration, alpha = np.linalg.solve(A, b)
        return np.array([v, acceleration, w, alpha])

    for i in range(20):
        force = plain.PUSH if i % 3 else -plain.PUSH
        seen = environment.step(1 if i % 3 else 0)[0]
        dt = plain.HOLD / 20
        for _ in range(20):
            k1 = rate(state, force)
            k2 = rate(state + dt / 2 * k1, force)
            k3 = rate(state + dt / 2 * k2, force)
            k4 = rate(state + dt * k3, force)
            state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    # steps of 2.5 ms of a method of second order
    assert seen == pytest.approx(state, abs=2e-3)


def test_the_buffers_hold_the_cart(plain: ModuleType) -> None:
    environment = plain.CartPole()
    environment.reset(seed=0)
    places = [environment.step(1)[0][0] for _ in range(200)]
    assert plain.RAIL / 1000 - 0.02 < max(places) < plain.RAIL / 1000 + 1e-3


def test_it_renders_as_a_page(plain: ModuleType) -> None:
    environment = plain.CartPole(render_mode="html")
    environment.reset(seed=0)
    environment.step(1)
    assert environment.render().lower().startswith("<!doctype html>")


def test_gymnasium_takes_it() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    module = example()
    check_env(module.CartPole(), skip_render_check=True)
    gymnasium.register("Carom/CartPole-v0", entry_point=module.CartPole, max_episode_steps=50)
    environment = gymnasium.make("Carom/CartPole-v0")
    environment.reset(seed=0)
    for _ in range(50):
        seen, _, terminated, truncated, _ = environment.step(module.feedback(environment.unwrapped._look()))
    assert truncated and not terminated and environment.observation_space.contains(seen)
