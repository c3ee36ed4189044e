"""A pole on a cart as an environment to learn in, with the interface of Gymnasium.

    python cart_pole.py

The rail ends at two buffers that the cart bounces off, which the usual cart-pole has not: what is beyond the textbook equations
(impacts, friction in the hinge, a second pole) is a line of the model, and not another derivation.

Runs without Gymnasium too. With it, `gymnasium.make` and its wrappers take it:

    gymnasium.register("Carom/CartPole-v0", entry_point="cart_pole:CartPole")
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

import carom

try:
    import gymnasium

    Base: Any = gymnasium.Env
except ImportError:
    gymnasium = None  # type: ignore[assignment]
    Base = object

Observation = NDArray[np.float32]

# Half a rail and a pole (mm); the time that an action holds (s); an episode (actions); the push (N).
RAIL = 1200.0
POLE = 1000.0
HOLD = 0.02
EPISODE = 500
PUSH = 10.0
# Beyond these the pole has fallen, and the cart is off (rad, mm).
FALLEN = 0.3
OFF = 2 * RAIL


def model() -> carom.Model:
    """A cart of 1 kg and a pole of 0.1 kg, in mm."""
    model = carom.Model(title="A pole on a cart between buffers", units="mm", gravity=[0, -9810], name="cart-pole")
    model.ground(points={"rail": [0, 0]})
    model.body("cart", mass=1.0, inertia=2000, points={"hinge": [0, 0]}, shapes={"box": {"type": "rectangle", "size": [200, 100]}})
    model.body(
        "pole",
        mass=0.1,
        inertia=0.1 * POLE**2 / 12,
        position=[0, POLE / 2],
        points={"foot": [0, -POLE / 2]},
        shapes={"rod": {"type": "capsule", "from": [0, -POLE / 2], "to": [0, POLE / 2], "radius": 10}},
    )
    model.joint("rail", "prismatic", between=["ground.rail", "cart"], limits=[-RAIL, RAIL], limit_restitution=0.3)
    model.joint("hinge", "revolute", between=["cart.hinge", "pole.foot"])
    model.settings(scheme="moreau-jean", step=HOLD / 8, end=HOLD * (EPISODE + 1))
    return model


class CartPole(Base):  # type: ignore[misc]
    """Observations: place (m) and speed (m/s) of the cart, angle (rad) and rate (rad/s) of the pole. Actions: push left, push
    right. A reward of 1 for every action that the pole stands."""

    metadata = {"render_modes": ["html"], "render_fps": round(1 / HOLD)}

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self._simulation = model().simulation(apply=["cart"])
        self._looks = [self._simulation.channels.index(name) for name in ("cart.x", "cart.vx", "pole.angle", "pole.omega")]
        self._actions = 0
        self._random = np.random.default_rng()
        if gymnasium is not None:
            high = np.array([2 * OFF / 1000, np.inf, math.pi, np.inf], np.float32)
            self.observation_space = gymnasium.spaces.Box(-high, high, dtype=np.float32)
            self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode a little off the upright position."""
        if gymnasium is not None:
            super().reset(seed=seed)
            random = self.np_random
        else:
            self._random = np.random.default_rng(seed) if seed is not None else self._random
            random = self._random
        x, speed, angle, rate = random.uniform(-0.05, 0.05, 4)
        half = POLE / 2000
        sine, cosine = math.sin(angle), math.cos(angle)
        # centres of mass in m: the pole stands on the hinge, and moves with it
        q = [x, 0.0, 0.0, x - half * sine, half * cosine, angle]
        v = [speed, 0.0, 0.0, speed - half * cosine * rate, -half * sine * rate, rate]
        self._simulation.place(q, v, t=0.0)
        self._actions = 0
        return self._look(), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Pushes for the time of an action."""
        self._simulation.apply("cart", force=[PUSH if action else -PUSH, 0])
        self._actions += 1
        self._simulation.run_until(self._actions * HOLD)
        seen = self._look()
        fallen = bool(abs(seen[2]) > FALLEN)
        return seen, 1.0, fallen, self._actions >= EPISODE, {}

    def render(self) -> str:
        """The report page of the episode so far."""
        return self._simulation.result.html

    def close(self) -> None:
        """Nothing to give back."""

    def _look(self) -> Observation:
        x, speed, angle, rate = self._simulation.values[self._looks]
        return np.array([x / 1000, speed / 1000, angle, rate], np.float32)


def feedback(seen: Observation) -> int:
    """Pushes to the side that the pole falls to: a law of thumb that holds it."""
    x, speed, angle, rate = seen
    return int(0.1 * x + 0.3 * speed - 4.0 * angle - 1.0 * rate > 0)


def episode(environment: CartPole, policy: Any, seed: int) -> float:
    """The reward of an episode."""
    seen, _ = environment.reset(seed=seed)
    total = 0.0
    while True:
        seen, reward, terminated, truncated, _ = environment.step(policy(seen))
        total += reward
        if terminated or truncated:
            return total


if __name__ == "__main__":
    environment = CartPole()
    random = np.random.default_rng(0)
    by_chance = [episode(environment, lambda _: int(random.integers(2)), seed) for seed in range(5)]
    by_law = [episode(environment, feedback, seed) for seed in range(5)]
    print(f"by chance {by_chance}\nby feedback {by_law}")
