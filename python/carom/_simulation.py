"""A run step by step."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _carom
from ._result import Result

if TYPE_CHECKING:
    from ._model import Model
    from ._result import Array


class State:
    """All that a run needs to go on from here with the same bits. Plain text inside: it can be saved and pickled."""

    def __init__(self, text: str) -> None:
        self._text = text

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it to a file."""
        path = Path(path)
        path.write_text(self._text, encoding="utf-8")
        return path

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> State:
        """Reads it from a file."""
        return cls(Path(path).read_text(encoding="utf-8"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


class Simulation:
    """A run in your hands.

    >>> import carom
    >>> simulation = carom.load("ball").simulation(step=1e-3)
    >>> while simulation.t < 0.2:
    ...     goes_on = simulation.step()
    >>> saved = simulation.state
    >>> simulation.run_until(0.5)
    True
    >>> there = simulation["ball.y"]
    >>> simulation.state = saved        # back to 0.2 s
    >>> simulation.run_until(0.5)
    True
    >>> there == simulation["ball.y"]   # the same bits
    True
    """

    #: Makes a step, or `n` of them; answers whether the run goes on.
    step: Callable[..., bool]

    def __init__(self, inner: _carom.Simulation, pushes: dict[str, list[_carom.Input]], lever: int) -> None:
        self._inner = inner
        self._place = {name: i for i, name in enumerate(inner.channels())}
        self._pushes = pushes
        self._lever = lever
        self.step = inner.step  # no Python between the two: a step takes microseconds

    def run_until(self, t: float) -> bool:
        """Runs until t: to the first step that reaches it where steps have one size, else to t itself. Answers whether the run
        goes on after it."""
        return self._inner.run_until(t)

    @property
    def t(self) -> float:
        """Time."""
        return self._inner.t

    @property
    def is_over(self) -> bool:
        """Whether the end was reached."""
        return self._inner.is_over

    @property
    def q(self) -> Array:
        """Coordinates (SI): a copy."""
        return self._inner.q

    @property
    def v(self) -> Array:
        """Velocities (SI): a copy."""
        return self._inner.v

    @property
    def channels(self) -> list[str]:
        """What `simulation[name]` knows: the motion itself. Reactions and contacts are in `result`."""
        return list(self._place)

    @property
    def values(self) -> Array:
        """All channels now, in the order of `channels`."""
        return self._inner.values()

    def __getitem__(self, name: str) -> float:
        try:
            return float(self._inner.values()[self._place[name]])
        except KeyError:
            raise KeyError(f"there is no channel `{name}` of the motion; `channels` lists them") from None

    @property
    def state(self) -> State:
        """All that it needs to go on from here. Setting it goes back there, with a recording that begins anew.

        With event-driven schemes and with an accuracy, reading it begins a new piece of integration, here as in the run that is
        taken up, so that both have the same bits.
        """
        return State(self._inner.save())

    @state.setter
    def state(self, state: State) -> None:
        self._inner.restore(state._text)

    def place(self, q: Sequence[float], v: Sequence[float], t: float | None = None) -> None:
        """Puts it elsewhere (SI); a recording of its own begins. Joints must be closed there."""
        self._inner.place([float(x) for x in q], [float(x) for x in v], self.t if t is None else t)

    def apply(self, on: str, force: Sequence[float] | None = None, torque: Any = None) -> None:
        """Pushes at a body or point with a force, and turns it with a torque, from now on until told otherwise. The body must be
        named when the simulation is made: `model.simulation(apply=["cart"])`."""
        inputs = self._pushes.get(on)
        if inputs is None:
            raise ValueError(f"say at the start that `{on}` will be pushed at: model.simulation(apply=[{on!r}])")
        size = self._lever
        if force is not None:
            values = [float(x) for x in force]
            if len(values) != size:
                raise ValueError(f"the force has {len(values)} numbers, not {size}")
            for held, value in zip(inputs, values):
                held.value = value
        if torque is not None:
            values = [float(x) for x in torque] if size == 3 else [float(torque)]
            if len(inputs) == size:
                raise ValueError(f"`{on}` is a point: a torque acts on a body")
            if len(values) != len(inputs) - size:
                raise ValueError(f"the torque has {len(values)} numbers, not {len(inputs) - size}")
            for held, value in zip(inputs[size:], values):
                held.value = value

    @property
    def result(self) -> Result:
        """What is recorded so far."""
        return Result(self._inner.result())

    def __repr__(self) -> str:
        return f"<carom.Simulation at t = {self.t:.6g}>"


def simulation(model: Model, pushed: list[str]) -> Simulation:
    """A simulation of the model that pushes at bodies or points."""
    if not pushed:
        return Simulation(model._setup().simulation(), {}, 0)
    in_space = bool(model.check().get("in_space"))
    size = 3 if in_space else 2
    model = model.set()
    bodies = model._plain_tree().get("bodies", {})
    pushes: dict[str, list[_carom.Input]] = {}
    for number, on in enumerate(pushed):
        turns = on in bodies and bool({"inertia", "density"} & set(bodies[on]))
        held = [_carom.Input() for _ in range(size + ((3 if in_space else 1) if turns else 0))]
        names = [f"applied_{number}_{i}" for i in range(len(held))]
        for name, one in zip(names, held):
            model.function(name, one)
        calls = [f"={name}()" for name in names]
        model.force(f"applied-{number}", "force", on=on, force=calls[:size])
        if turns:
            model.force(f"applied-{number}-torque", "torque", on=on, torque=calls[size:] if in_space else calls[size])
        pushes[on] = held
    return Simulation(model._setup().simulation(), pushes, size)
