"""Mechanisms that hit, rub and bend.

>>> import carom
>>> result = carom.load("ball").run(end=1.0)
>>> result.stop
'done'
>>> len(result.t) == len(result["ball.y"])
True

`load` reads a model file or one of the gallery; `Model` builds one. `Model.run` gives a `Result`, `Model.simulation` a run
that is made step by step. Numbers are in the units of the model. What goes wrong is an `Error`: `ModelError` before a run,
`SimulationError` on the way, `InputError` for an argument.
"""

from __future__ import annotations

from ._analyse import Fit, fit, morris, sobol
from ._carom import Input, __version__
from ._errors import Error, InputError, InternalError, Interrupted, ModelError, SimulationError, UnknownName
from ._lists import gallery, schemes, solvers, studies, systems
from ._model import Model, load, loads
from ._result import Result
from ._simulation import Simulation, State
from ._solve import Solution, solve
from ._study import Study, check, modes, spectrum, study
from ._sweep import Sweep, grid, latin_hypercube, sweep
from ._system import System
from ._uncertainty import Uncertainty, uncertainty

__all__ = [
    "Error",
    "Fit",
    "Input",
    "InputError",
    "InternalError",
    "Interrupted",
    "Model",
    "ModelError",
    "Result",
    "Simulation",
    "SimulationError",
    "Solution",
    "State",
    "Study",
    "Sweep",
    "System",
    "Uncertainty",
    "UnknownName",
    "__version__",
    "check",
    "fit",
    "gallery",
    "grid",
    "latin_hypercube",
    "load",
    "loads",
    "modes",
    "morris",
    "schemes",
    "sobol",
    "solve",
    "solvers",
    "spectrum",
    "studies",
    "study",
    "sweep",
    "systems",
    "uncertainty",
]
