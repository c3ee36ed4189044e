"""Models: read, changed, built, run."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _carom, _toml
from ._errors import InputError, ModelError, near
from ._progress import Bar
from ._result import Result

if TYPE_CHECKING:
    from ._simulation import Simulation
    from ._system import System

Number = Union[float, str]
Function = Union[Callable[..., float], _carom.Input]


class Model:
    """A mechanism and how to run it.

    Build one by names; keywords are those of the model file, and so are the units:

    >>> import carom
    >>> model = carom.Model(gravity=[0, -10])
    >>> model.ground(shapes={"floor": {"type": "line", "through": [0, 0], "normal": [0, 1]}})
    >>> model.body("ball", mass=1.0, position=[0, 1.2], shapes={"skin": {"type": "disk", "radius": 0.2}})
    >>> model.contact("bounce", between=["ball.skin", "ground.floor"], restitution=0.8)
    >>> result = model.run(step=1e-3, end=2.0)
    >>> result.events.subject[0]
    'bounce'

    What is built can be written (`save`) and read back (`carom.load`) to the same digest. Names and numbers are checked when it is
    used: `check`, `run` and `simulation` raise `ModelError` with all that is wrong.
    """

    def __init__(
        self,
        *,
        title: str | None = None,
        units: str | Mapping[str, str] | None = None,
        gravity: Sequence[Number] | None = None,
        parameters: Mapping[str, Number] | None = None,
        space: bool | None = None,
        name: str = "model",
    ) -> None:
        tree: dict[str, Any] = {
            "title": title,
            "units": units,
            "space": space,
            "gravity": gravity,
            "parameters": dict(parameters) if parameters else None,
        }
        self._name = name
        # what `load` was given, until something is added
        self._origin: str | None = None
        self._tree: dict[str, Any] | None = {key: value for key, value in tree.items() if value is not None}
        self._text: str | None = None
        self._files: list[tuple[str, str]] | None = None
        self._system: str | System | None = None
        self._changes: dict[str, str] = {}
        self._functions: dict[str, Function] = {}

    # --- where models come from

    @classmethod
    def from_text(cls, text: str, name: str = "model.toml", files: Mapping[str, str] | None = None) -> Model:
        """A model from the text of a model file. `name` is shown in messages and says where files that it names lie, unless
        their texts are given in `files`."""
        model = cls(name=name)
        model._text, model._tree = text, None
        model._files = list(files.items()) if files is not None else None
        return model

    @classmethod
    def from_system(cls, system: System, name: str | None = None) -> Model:
        """A model of a system of one's own; see `carom.System`."""
        model = cls(name=name or type(system).__name__)
        model._system, model._tree = system, None
        return model

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._name

    @property
    def text(self) -> str:
        """The text of the model file: as it was read, or written anew where it was built or changed."""
        return _toml.write(self._changed_tree()) if self._changes else self._written()

    def _written(self) -> str:
        """The text without what `set` changed."""
        if self._text is None:
            self._text = _toml.write(self._plain_tree())
        return self._text

    def _changed_tree(self) -> dict[str, Any]:
        """The tree with what `set` changed."""
        tree = copy.deepcopy(self._plain_tree())
        for key, value in self._changes.items():
            path = [word.strip() for word in key.split(".")]
            if path[0] in tree.get("parameters", {}) and len(path) == 1:
                path.insert(0, "parameters")
            *above, last = path
            place: Any = tree
            for word in above:
                place = place[int(word)] if isinstance(place, list) else place.setdefault(word, {})
            place[int(last) if isinstance(place, list) else last] = _toml.read_value(value)
        if "simulation.scheme" in self._changes:
            # what the scheme of the file knows and this one does not
            for name in self._setup().choices()["unused"]:
                tree["simulation"]["parameters"].pop(name, None)
        return tree

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the model file, and beside it the files that it names if it came with them. Python functions stay here.

        >>> import carom, tempfile
        >>> model = carom.load("ball").set(h0=2.0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = carom.load(model.save(f"{folder}/ball.toml"))
        ...     model.run(end=1.0).digest == again.run(end=1.0).digest
        True
        """
        path = Path(path)
        path.write_text(self.text, encoding="utf-8")
        for name, text in self._files or []:
            beside = path.parent / name
            beside.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, encoding="utf-8")
        return path

    def __repr__(self) -> str:
        changed = "".join(f", {key}={value}" for key, value in self._changes.items())
        return f"<carom.Model {self._name}{changed}>"

    # --- changing it

    def set(self, changes: Mapping[str, Any] | None = None, /, **parameters: Any) -> Model:
        """Another model with other values: parameters by keyword, any key of the file by its path. This one stays as it is.

        >>> import carom
        >>> carom.load("ball").set({"contacts.floor.restitution": 0.9}, h0=2)
        <carom.Model ball, contacts.floor.restitution=0.9, h0=2>
        """
        other = copy.copy(self)
        other._changes = {**self._changes, **_changes(changes), **_changes(parameters)}
        other._functions = dict(self._functions)
        other._tree = copy.deepcopy(self._tree)
        return other

    def function(self, name: str, function: Function) -> None:
        """Lets formulas of forces and events call a Python function of numbers, or an `Input`, by a name:
        `torque = "=controller(t, angle, rate)"`. Numbers are in the units of the model.

        A run calls it several times per step, for tangents and for steps that are taken back too, so it must depend on its
        arguments alone. A controller that remembers something, or that is sampled, steps the simulation itself and sets an
        `Input`.

        >>> import carom
        >>> model = carom.load("ball")
        >>> model.function("fan", lambda y: 50.0 if y < 0.5 else 0.0)
        >>> model.force("fan", "force", on="ball", force=[0, "=fan(ball.y)"])
        >>> bool(model.run(end=1.0)["ball.y"].min() > 0.3)
        True
        """
        if not isinstance(function, _carom.Input) and not callable(function):
            raise InputError(f"`{name}` is {function!r}, neither a function nor an Input")
        self._functions[name] = function

    # --- building it

    def body(self, name: str, **keys: Any) -> None:
        """Adds a body: `mass`, `inertia`, `position`, `angle`, `velocity`, `points`, `shapes`, `elastic`, ... as in the model file."""
        self._add("bodies", name, keys)

    def ground(self, *, points: Mapping[str, Any] | None = None, shapes: Mapping[str, Any] | None = None) -> None:
        """Adds points and shapes to the ground."""
        ground = self._plain_tree().setdefault("ground", {})
        for section, things in (("points", points), ("shapes", shapes)):
            for name, thing in (things or {}).items():
                self._put(ground.setdefault(section, {}), f"ground.{section}", name, thing)

    def joint(self, name: str, type: str, between: Sequence[str] | None = None, **keys: Any) -> None:
        """Adds a joint between two points: `type` is `"revolute"`, `"prismatic"`, `"weld"`, `"distance"`, `"motion"`, ..."""
        self._add("joints", name, {"type": type, "between": between, **keys})

    def force(self, name: str, type: str, **keys: Any) -> None:
        """Adds a force: `type` is `"spring"`, `"torsion-spring"`, `"force"`, `"torque"`, `"motor"`, ..."""
        self._add("forces", name, {"type": type, **keys})

    def contact(self, name: str, between: Sequence[str], **keys: Any) -> None:
        """Adds a contact between two shapes or points, with `restitution`, `friction`, ..."""
        self._add("contacts", name, {"between": between, **keys})

    def event(self, name: str, when: str, **keys: Any) -> None:
        """Adds an event where the formula `when` crosses zero; `direction`, `stop`. The formula may call Python functions."""
        self._add("events", name, {"when": when, **keys})

    def table(self, name: str, points: Sequence[Sequence[float]] | None = None, **keys: Any) -> None:
        """Adds a curve that formulas may call: pairs of numbers, or `file`."""
        self._add("tables", name, {"points": points, **keys})

    def parameter(self, name: str, value: Number) -> None:
        """Adds a parameter that formulas may name."""
        self._put(self._plain_tree().setdefault("parameters", {}), "parameters", name, value)

    def settings(self, **keys: Any) -> None:
        """Says how to run it: scheme, step, end, accuracy, output, record, parameters, ... as in `[simulation]`."""
        keys = _without_none(keys)
        _toml.value_text(keys, ("simulation",))  # complain here, not when it is run
        self._plain_tree().setdefault("simulation", {}).update(copy.deepcopy(keys))
        self._text = self._origin = None

    def _plain_tree(self) -> dict[str, Any]:
        if self._system is not None:
            raise InputError(f"{self._name} is a coded system, not a model file: it has nothing to add to or to write")
        if self._tree is None:
            self._tree = _parse(self._text or "", self._name)
        return self._tree

    def _add(self, section: str, name: str, keys: Mapping[str, Any]) -> None:
        self._put(self._plain_tree().setdefault(section, {}), section, name, _without_none(keys))

    def _put(self, table: dict[str, Any], where: str, name: str, value: Any) -> None:
        if name in table:
            raise InputError(f"there is `{where}.{name}` already; `set` changes it")
        _toml.value_text(value, (where, name))  # complain here, not when it is run
        table[name] = copy.deepcopy(value)
        self._text = self._origin = None

    # --- using it

    def run(
        self,
        *,
        scheme: str | None = None,
        step: float | None = None,
        end: float | None = None,
        accuracy: float | None = None,
        solver: str | None = None,
        certify: float | None = None,
        estimate: bool = True,
        progress: bool | None = None,
        **parameters: Any,
    ) -> Result:
        """Runs to the end.

        `scheme`, `step`, `end`, `accuracy` and `solver` stand in for those of the model; further keywords are parameters.
        `certify` asks for an estimated error of every channel below this part of its size. `estimate=False` leaves out the further
        runs that tell how wrong the result may be. Raises `ModelError`, or `SimulationError` and `Interrupted` with what was
        recorded.
        """
        asked = {"scheme": scheme, "step": step, "end": end, "accuracy": accuracy, "solver": solver}
        setup = self.set(_settings(asked), **parameters)._setup()
        command = self._command({**asked, "certify": certify, **parameters})
        if not Bar.wanted(progress):
            return Result(setup.run(certify, estimate, None), command)
        with Bar(self._name) as bar:
            return Result(setup.run(certify, estimate, bar.run), command)

    def simulation(
        self,
        *,
        scheme: str | None = None,
        step: float | None = None,
        end: float | None = None,
        accuracy: float | None = None,
        solver: str | None = None,
        apply: Iterable[str] = (),
        **parameters: Any,
    ) -> Simulation:
        """A run that is made step by step. `apply` names bodies or points that `Simulation.apply` will push at."""
        from ._simulation import simulation

        asked = {"scheme": scheme, "step": step, "end": end, "accuracy": accuracy, "solver": solver}
        return simulation(self.set(_settings(asked), **parameters), [apply] if isinstance(apply, str) else list(apply))

    def check(self) -> dict[str, Any]:
        """All that can be known without running: bodies, freedoms, redundant joints, assembly, warnings."""
        answer: dict[str, Any] = json.loads(self._setup().check())
        return answer

    def modes(self, body: str | None = None, count: int | None = None) -> list[dict[str, Any]]:
        """How the elastic bodies vibrate: frequencies (Hz), shares of the mass, shapes."""
        answer: list[dict[str, Any]] = json.loads(self._setup().modes(body, count))["bodies"]
        return answer

    def warnings(self) -> list[str]:
        """What is suspicious about it and what is good to know, a sentence each."""
        return [warning["words"] for warning in self._setup().warnings()]

    def _setup(self) -> _carom.Setup:
        changes = list(self._changes.items())
        if isinstance(self._system, str):
            return _carom.Setup.of_system(self._system, changes)
        if self._system is not None:
            return _carom.Setup.of_own(self._name, self._system, changes)
        functions = {name: _with_arguments(name, f) for name, f in self._functions.items()}
        return _carom.Setup.of_text(self._name, self._written(), self._files, changes, functions)

    def _command(self, keywords: Mapping[str, Any]) -> str:
        """What repeats a run, for the record."""
        given = ", ".join(f"{key}={value!r}" for key, value in keywords.items() if value is not None)
        read = "model" if self._origin is None else f"carom.load({self._origin!r})"
        changed = f".set({self._changes!r})" if self._changes else ""
        return f"{read}{changed}.run({given})"

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        # what lies beside the file must be found elsewhere too
        if self._files is None and self._text is not None and Path(self._name).exists():
            state["_name"] = str(Path(self._name).resolve())
        return state


def load(source: str | os.PathLike[str], **parameters: Any) -> Model:
    """Reads a model: a file, a folder with a `model.toml`, or the name of a gallery model or coded system. Keywords are
    parameters.

    >>> import carom
    >>> carom.load("slider-crank")
    <carom.Model slider-crank>
    """
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    if not isinstance(name, str) or "\n" in name:
        raise InputError(f"`load` takes the name of a model, not {source!r}; `loads` takes its text")
    path = Path(name)
    file = path if path.is_file() else path / "model.toml"
    known = [name for kind in ("systems", "gallery") for name, _ in _carom.listed(kind)]
    if file.is_file():
        model = Model.from_text(_read(file), name=str(file))
    elif (found := _carom.gallery(name)) is not None:
        model = Model.from_text(found[0], name=name, files=dict(found[1]))
    elif name in known:
        model = Model(name=name)
        model._system, model._tree = name, None
    elif path.is_dir():
        raise _unreadable(name, f"`{name}` is a folder without a model.toml", "name a model file")
    else:
        remedy = near(name, known, "carom.gallery() and carom.systems() list what there is")
        message = f"there is no model file `{name}`, and no gallery model or coded system of this name"
        raise _unreadable(name, message, remedy)
    model._origin = name
    return model.set(parameters)


def loads(text: str, name: str = "model.toml", /, **parameters: Any) -> Model:
    """Reads a model from the text of a model file. `name` is shown in messages.

    >>> import carom
    >>> model = carom.loads('''
    ... gravity = [0, -10]
    ... [bodies.stone]
    ... mass = 1
    ... velocity = [3, 4]
    ... ''')
    >>> round(float(model.run(end=0.4)["stone.y"][-1]), 6)
    0.8
    """
    return Model.from_text(text, name).set(parameters)


def _read(file: Path) -> str:
    bytes = file.read_bytes()
    try:
        return bytes.decode("utf-8")
    except UnicodeDecodeError as error:
        line = bytes.count(b"\n", 0, error.start) + 1
        message = f"{file}:{line}: the file is not text in UTF-8 from here on"
        raise _unreadable(str(file), message, "a model file in TOML, saved as UTF-8 by the editor", line) from error


def _unreadable(file: str, message: str, remedy: str, line: int = 0) -> ModelError:
    fault = {"file": file, "line": line, "column": 0, "text": "", "message": message, "remedy": remedy}
    return ModelError(f"{message}; {remedy}", [fault])


def _settings(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {f"simulation.{key}": value for key, value in asked.items() if value is not None}


def _changes(changes: Mapping[str, Any] | None) -> dict[str, str]:
    return {key: value if isinstance(value, str) else _toml.value_text(value, (key,)) for key, value in (changes or {}).items()}


def _without_none(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


def _with_arguments(name: str, function: Function) -> Any:
    if isinstance(function, _carom.Input):
        return function
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise InputError(f"`{name}`: nobody can tell how many arguments {function!r} takes; wrap it in a lambda") from error
    fixed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise InputError(f"`{name}` takes any number of arguments; wrap it in a lambda with as many as the formula gives")
    return function, len(fixed)


def _parse(text: str, name: str) -> dict[str, Any]:
    try:
        return _toml.read(text)
    except ValueError:
        # Carom says more about it
        _carom.Setup.of_text(name, text, None, [], {})
        raise
