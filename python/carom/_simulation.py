"""A run step by step."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _carom
from ._errors import InputError, UnknownName, near
from ._result import Result

if TYPE_CHECKING:
    from ._model import Model
    from ._result import Array


class State:
    """All that a run needs to go on from here with the same bits: where it is, what the scheme remembers, its inputs and applied
    forces. Plain text inside: it can be saved and pickled, and compared.

    >>> import carom
    >>> simulation = carom.load("ball").simulation(step=1e-3)
    >>> before = simulation.state
    >>> simulation.step(100)
    True
    >>> before == simulation.state
    False
    """

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

    def __repr__(self) -> str:
        return f"<carom.State of {len(self._text)} characters>"


class Simulation:
    """A run in your hands. Times and channels are in the units of the model, coordinates `q` and `v` in SI.

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

    def __init__(self, inner: _carom.Simulation, pushes: dict[str, list[_carom.Input]], lever: int) -> None:
        self._inner = inner
        self._step = inner.step
        self._place = {name: i for i, name in enumerate(inner.channels())}
        self._pushes = pushes
        self._lever = lever

    def step(self, n: int = 1) -> bool:
        """Makes a step, or `n` of them, fewer if the run ends; answers whether it goes on. With an accuracy, and with schemes that
        choose their steps, a step is as long as they choose."""
        return self._step(n)

    def run_until(self, t: float) -> bool:
        """Runs until t: to the first step that reaches it where steps have one size, else to t itself. Answers whether the run
        goes on after it. After Ctrl-C it can be called again."""
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
        """A channel now."""
        place = self._place.get(name) if isinstance(name, str) else None
        if place is None:
            hint = near(str(name), self._place, "`channels` lists them")
            raise UnknownName(f"there is no channel `{name}` of the motion; {hint}")
        return float(self._inner.values()[place])

    @property
    def state(self) -> State:
        """All that it needs to go on from here. Setting it goes back there, with a recording that begins anew.

        With event-driven schemes and with an accuracy, reading it begins a new piece of integration, here as in the run that is
        taken up, so that both have the same bits.
        """
        return State(self._inner.save())

    @state.setter
    def state(self, state: State) -> None:
        if not isinstance(state, State):
            raise InputError(f"a state is a carom.State, not {state!r}; `place` takes q and v")
        self._inner.restore(state._text)

    def place(self, q: Sequence[float], v: Sequence[float], t: float | None = None) -> None:
        """Puts it elsewhere (SI); a recording of its own begins. Joints must be closed there, and velocities must not open them."""
        self._inner.place(_numbers("q", q), _numbers("v", v), self.t if t is None else float(t))

    def apply(self, on: str, force: Sequence[float] | None = None, torque: float | Sequence[float] | None = None) -> None:
        """Pushes at a body or point with a force, and turns a body with a torque (in space three numbers, in the axes of space), from
        now on until told otherwise. The body must be named when the simulation is made:

        >>> import carom
        >>> simulation = carom.load("ball").simulation(step=1e-3, apply=["ball"])
        >>> simulation.apply("ball", force=[0.0, 100.0])        # more than it weighs
        >>> simulation.run_until(0.2)
        True
        >>> simulation["ball.vy"] > 0
        True
        """
        inputs = self._pushes.get(on)
        if inputs is None:
            raise UnknownName(f"say at the start that `{on}` will be pushed at: model.simulation(apply=[{on!r}])")
        size = self._lever
        pull = [] if force is None else _numbers("the force", force, size)
        turn: list[float] = []
        if torque is not None:
            if len(inputs) == size:
                raise InputError(f"`{on}` takes no torque: a torque acts on a body that turns")
            turn = _numbers("the torque", torque if size == 3 else [torque], len(inputs) - size)
        # all of it is right: now it counts
        for held, value in [*zip(inputs, pull), *zip(inputs[size:], turn)]:
            held.value = value

    @property
    def result(self) -> Result:
        """What is recorded so far."""
        return Result(self._inner.result())

    def __repr__(self) -> str:
        return f"<carom.Simulation at t = {self.t:.6g}>"


def _numbers(what: str, values: Any, count: int | None = None) -> list[float]:
    import math

    try:
        numbers = [float(x) for x in values]
    except (TypeError, ValueError):
        raise InputError(f"{what} is {values!r}, not a sequence of numbers") from None
    if count is not None and len(numbers) != count:
        raise InputError(f"{what} has {len(numbers)} numbers, not {count}")
    if not all(map(math.isfinite, numbers)):
        raise InputError(f"{what} is {values!r}: its numbers must be finite")
    return numbers


def simulation(model: Model, pushed: list[str]) -> Simulation:
    """A simulation of the model that pushes at bodies or points."""
    if not pushed:
        return Simulation(model._setup().simulation(), {}, 0)
    in_space = model._setup().choices()["in_space"]
    size = 3 if in_space else 2
    model = model.set()
    bodies = model._changed_tree().get("bodies", {})
    pushes: dict[str, list[_carom.Input]] = {}
    for number, on in enumerate(pushed):
        turns = on in bodies and bool({"inertia", "density"} & set(bodies[on]))
        held = [_carom.Input() for _ in range(size + (3 if in_space else 1) * turns)]
        names = [f"applied_{number}_{i}" for i in range(len(held))]
        for name, one in zip(names, held):
            model.function(name, one)
        calls = [f"={name}()" for name in names]
        model.force(f"applied-{number}", "force", on=on, force=calls[:size])
        if turns:
            model.force(f"applied-{number}-torque", "torque", on=on, torque=calls[size:] if in_space else calls[size])
        pushes[on] = held
    return Simulation(model._setup().simulation(), pushes, size)
