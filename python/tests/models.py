"""Models that several tests build, written as a user would."""

from __future__ import annotations

import carom


def bouncing_disk(**settings: object) -> carom.Model:
    """A disk of 20 mm falls from 300 mm, in mm: it meets the floor after √(2·280/9810) s."""
    model = carom.Model(title="A disk on a floor", units="mm", gravity=[0, -9810], name="disk")
    model.ground(shapes={"floor": {"type": "line", "through": [0, 0], "normal": [0, 1]}})
    model.body(
        "disk",
        mass=0.5,
        inertia=100,
        position=[0, 300],
        velocity=[200, 0],
        shapes={"rim": {"type": "disk", "radius": 20}},
    )
    model.contact("floor", between=["disk.rim", "ground.floor"], restitution=0.6, friction=0.3)
    model.settings(**{"step": 1e-3, "end": 1.0, **settings})
    return model


def pendulum(angle: float = 1.0, **settings: object) -> carom.Model:
    """A point mass on a rod of 1 m, in SI; the angle is against the hanging position."""
    import math

    model = carom.Model(gravity=[0, -9.81], name="pendulum")
    model.ground(points={"pivot": [0, 0]})
    model.body("bob", mass=1, position=[math.sin(angle), -math.cos(angle)])
    model.joint("rod", "distance", between=["ground.pivot", "bob"])
    model.settings(**{"scheme": "moreau-jean", "step": 1e-3, "end": 1.0, **settings})
    return model


def cart(**settings: object) -> carom.Model:
    """A pole on a cart, in mm: both rigid, the pole almost upright."""
    model = carom.Model(title="A pole on a cart", units="mm", gravity=[0, -9810], name="cart-pole")
    model.ground(points={"rail": [0, 0]})
    model.body("cart", mass=1.0, inertia=2000, position=[0, 0], points={"hinge": [0, 0]})
    # a rod of 1000 mm: J = m l²/12
    model.body(
        "pole", mass=0.1, inertia=0.1 * 1000**2 / 12, position=[0, 500], points={"foot": [0, -500], "tip": [0, 500]}
    )
    model.joint("rail", "prismatic", between=["ground.rail", "cart"])
    model.joint("hinge", "revolute", between=["cart.hinge", "pole.foot"])
    model.settings(**{"step": 5e-3, "end": 10.0, **settings})
    return model


def spinning_ball(**settings: object) -> carom.Model:
    """A ball in space is thrown on a table with friction, in mm."""
    model = carom.Model(units="mm", gravity=[0, 0, -9810], name="ball in space")
    model.ground(shapes={"table": {"type": "plane", "through": [0, 0, 0], "normal": [0, 0, 1]}})
    # a solid ball of 30 mm: J = 2/5 m r²
    model.body(
        "ball",
        mass=0.2,
        inertia=[0.4 * 0.2 * 30**2] * 3,
        position=[0, 0, 130],
        velocity=[500, 0, 0],
        angular_velocity=[0, 0, 40],
        shapes={"skin": {"type": "sphere", "radius": 30}},
    )
    model.contact("table", between=["ball.skin", "ground.table"], restitution=0.5, friction=0.2)
    model.settings(**{"step": 1e-3, "end": 0.6, **settings})
    return model
