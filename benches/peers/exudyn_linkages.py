"""The four-bar linkage and the chains of `benches/src/models.rs` in Exudyn.

Usage: exudyn_linkages.py ROW STEPS [SPLIT [TOLERANCE [SOLVER [NEWTON]]]]
  ROW        four-bar, or chain-N
  STEPS      steps of 1e-3 s
  SPLIT      each of them cut in so many; below 1 for larger steps (1)
  TOLERANCE  of Newton's iteration, relative (1e-8)
  SOLVER     dense or sparse (dense)
  NEWTON     when the Jacobian is made anew: kept (only if the iteration is slow), step (in every step) or
             full (in every iteration) (step)

Prints the least CPU time per step of several runs, in µs, then what is checked: the angle of the crank, or the
position of the chain's free end. Rigid bodies in the plane with redundant coordinates, revolute joints with Lagrange
multipliers at position level (index 3), generalized-α with ρ_∞ = 0.8: Exudyn's usual way.
"""

import sys
import time
from math import atan, cos, pi, sin, sqrt

sys.exudynFast = True  # the build without range checks
import exudyn as exu
from exudyn.utilities import (
    LoadMassProportional,
    LoadTorqueVector,
    MarkerBodyMass,
    MarkerBodyRigid,
    MarkerBodyPosition,
    ObjectGround,
    ObjectJointRevolute2D,
    ObjectRigidBody2D,
    NodeRigidBody2D,
)

STEP = 1e-3


def bar(mbs, mass, length, foot, angle):
    """A uniform bar; returns its node and the markers of its two ends."""
    centre = [foot[0] + 0.5 * length * cos(angle), foot[1] + 0.5 * length * sin(angle)]
    node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[*centre, angle]))
    body = mbs.AddObject(
        ObjectRigidBody2D(nodeNumber=node, mass=mass, inertia=mass * length**2 / 12)
    )
    weight = mbs.AddMarker(MarkerBodyMass(bodyNumber=body))
    mbs.AddLoad(LoadMassProportional(markerNumber=weight, loadVector=[0, -9.81, 0]))
    ends = [
        mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))
        for x in (-0.5 * length, 0.5 * length)
    ]
    return node, body, ends


def pin(mbs, a, b):
    mbs.AddObject(ObjectJointRevolute2D(markerNumbers=[a, b]))


def ground(mbs, x):
    body = mbs.AddObject(ObjectGround(referencePosition=[x, 0, 0]))
    return mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))


def four_bar(mbs):
    l1, l2, l3, d = 0.3, sqrt(0.13), 0.4, 0.7
    knee = [l1 * cos(pi / 3), l1 * sin(pi / 3)]
    crank, crank_body, (a, b) = bar(mbs, 1, l1, [0, 0], pi / 3)
    _, _, (c, e) = bar(mbs, 1, l2, knee, atan(sqrt(3) / 7))
    _, _, (f, g) = bar(mbs, 1, l3, [d, 0], 2 * pi / 3)
    pin(mbs, ground(mbs, 0), a)
    pin(mbs, b, c)
    pin(mbs, e, g)
    pin(mbs, f, ground(mbs, d))
    shaft = mbs.AddMarker(MarkerBodyRigid(bodyNumber=crank_body))
    mbs.AddLoad(LoadTorqueVector(markerNumber=shaft, loadVector=[0, 0, 6]))
    return crank, lambda q: [q[2]]


def chain(mbs, n):
    length = 0.1
    before = ground(mbs, 0)
    for i in range(n):
        node, _, (a, b) = bar(mbs, 0.1, length, [i * length, 0], 0)
        pin(mbs, before, a)
        before = b
    return node, lambda q: [q[0] + 0.5 * length * cos(q[2]), q[1] + 0.5 * length * sin(q[2])]


def run(row, steps, split, tolerance, solver, newton):
    count = round(steps * split)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    node, check = four_bar(mbs) if row == "four-bar" else chain(mbs, int(row.removeprefix("chain-")))
    mbs.Assemble()

    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps = count
    integration.endTime = steps * STEP
    integration.adaptiveStep = False
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.newton.useModifiedNewton = newton != "full"
    integration.newton.modifiedNewtonJacUpdatePerStep = newton == "step"
    integration.newton.relativeTolerance = tolerance
    integration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = steps * STEP
    settings.show.statistics = False
    settings.linearSolver.solverType = (
        exu.LinearSolverType.EigenDense if solver == "dense" else exu.LinearSolverType.EigenSparse
    )
    settings.parallel.numberOfThreads = 1

    start = time.process_time()
    mbs.SolveDynamic(settings)
    cpu = (time.process_time() - start) * 1e6 / count
    q = mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)
    reference = mbs.GetNode(node)["referenceCoordinates"]
    statistics = mbs.sys["dynamicSolver"].it
    iterations = statistics.newtonStepsCount / count
    return cpu, iterations, check([a + b for a, b in zip(q, reference)])


def main():
    row, steps = sys.argv[1], int(sys.argv[2])
    given = dict(enumerate(sys.argv[3:]))
    split, tolerance = float(given.get(0, 1)), float(given.get(1, 1e-8))
    solver, newton = given.get(2, "dense"), given.get(3, "step")
    runs = [run(row, steps, split, tolerance, solver, newton) for _ in range(5 if split == 1 else 3)]
    _, iterations, check = runs[0]
    values = " ".join(f"{value:.10f}" for value in check)
    print(f"{min(r[0] for r in runs):.3f} µs/step  {iterations:.2f} Newton/step  check {values}")


if __name__ == "__main__":
    main()
