"""The problems of `space.py` in Exudyn: rigid bodies in absolute coordinates, joints with Lagrange multipliers.

Usage: exudyn_space.py ROW STEPS [SPLIT [TOLERANCE [FORM [NODE [NEWTON [RUNS]]]]]]
  ROW        chain-space-N, slider-crank-space, heavy-top
  STEPS      steps of 1e-3 s
  SPLIT      each of them cut in so many (1)
  TOLERANCE  of Newton's iteration, relative (1e-6)
  FORM       index2 (trapezoidal rule, joints at velocity level) or index3 (generalized-α, ρ_∞ = 0.9) (index2)
  NODE       euler (Euler parameters) or lie (rotation vector, Lie group) (euler)
  NEWTON     modified or full (modified)
"""

import sys
from math import atan2, tau

import numpy as np
import space

sys.exudynFast = True  # the build without range checks
import exudyn as exu
from exudyn.itemInterface import (
    LoadMassProportional,
    MarkerBodyMass,
    MarkerBodyRigid,
    NodeRigidBodyEP,
    NodeRigidBodyRotVecLG,
    ObjectGround,
    ObjectJointGeneric,
    ObjectJointSpherical,
    ObjectRigidBody,
)
from exudyn.rigidBodyUtilities import RotationMatrix2EulerParameters, RotationMatrix2RotationVector

exu.config.printToConsole = False
exu.config.suppressWarnings = True
OUT = exu.OutputVariableType


def body(mbs, node, mass, inertia, position, velocity=(0, 0, 0), omega=(0, 0, 0), axes=np.eye(3)):
    """A body at its centre of mass; ω in inertial axes."""
    axes, omega = np.asarray(axes, float), np.asarray(omega, float)
    if node == "euler":
        p = np.asarray(RotationMatrix2EulerParameters(axes), float)
        rate = 0.5 * np.concatenate(([-(p[1:] @ omega)], p[0] * omega + np.cross(omega, p[1:])))
        number = mbs.AddNode(
            NodeRigidBodyEP(referenceCoordinates=[*position, *p], initialVelocities=[*velocity, *rate])
        )
    else:
        number = mbs.AddNode(
            NodeRigidBodyRotVecLG(
                referenceCoordinates=[*position, *RotationMatrix2RotationVector(axes)],
                initialVelocities=[*velocity, *(axes.T @ omega)],
            )
        )
    made = mbs.AddObject(
        ObjectRigidBody(physicsMass=mass, nodeNumber=number, physicsInertia=[*inertia, 0, 0, 0])
    )
    weight = mbs.AddMarker(MarkerBodyMass(bodyNumber=made))
    mbs.AddLoad(LoadMassProportional(markerNumber=weight, loadVector=[0, 0, -space.GRAVITY]))
    return made


def mark(mbs, on, at):
    return mbs.AddMarker(MarkerBodyRigid(bodyNumber=on, localPosition=[float(x) for x in at]))


def ball(mbs, a, b):
    mbs.AddObject(ObjectJointSpherical(markerNumbers=[a, b]))


def hold(mbs, a, b, axes):
    mbs.AddObject(ObjectJointGeneric(markerNumbers=[a, b], constrainedAxes=axes))


def place(mbs, number, at):
    return np.array(mbs.GetObjectOutputBody(number, OUT.Position, localPosition=[float(x) for x in at]))


def chain(mbs, node, n):
    last = mark(mbs, mbs.AddObject(ObjectGround()), (0, 0, 0))
    rods = []
    for x, v, w in space.chain(n):
        inertia = (space.ALONG, space.ACROSS, space.ACROSS)
        rod = body(mbs, node, space.MASS, inertia, (x, 0, 0), (0, v, 0), (0, 0, w))
        ball(mbs, last, mark(mbs, rod, (-0.5 * space.LENGTH, 0, 0)))
        last = mark(mbs, rod, (0.5 * space.LENGTH, 0, 0))
        rods.append(rod)
    ends = [rods[i] for i in space.watched(n)]
    return lambda: [x for rod in ends for x in place(mbs, rod, (0.5 * space.LENGTH, 0, 0))]


def slider_crank(mbs, node):
    c, r, s = space.CRANK, space.ROD, space.SLIDER
    ground = mbs.AddObject(ObjectGround())
    half = np.array([0, 0, 0.5 * c["length"]])
    spin = (c["speed"], 0, 0)
    crank = body(mbs, node, c["mass"], c["inertia"], space.BEARING + half, np.cross(spin, half), spin)
    centre = 0.5 * (space.PIN + space.CROSS)
    rod = body(mbs, node, r["mass"], r["inertia"], centre, space.ROD_VELOCITY, space.rod_spin(), space.ROD_AXES)
    slider = body(mbs, node, s["mass"], s["inertia"], space.CROSS, (space.SLIDER_SPEED, 0, 0))
    hold(mbs, mark(mbs, ground, space.BEARING), mark(mbs, crank, -half), [1, 1, 1, 0, 1, 1])
    ball(mbs, mark(mbs, crank, half), mark(mbs, rod, (-0.5 * r["length"], 0, 0)))
    # rotation about z held: x of the slider stays square to y of the rod
    hold(mbs, mark(mbs, slider, (0, 0, 0)), mark(mbs, rod, (0.5 * r["length"], 0, 0)), [1, 1, 1, 0, 0, 1])
    hold(mbs, mark(mbs, ground, (0, 0, 0)), mark(mbs, slider, (0, 0, 0)), [0, 1, 1, 1, 1, 1])

    def result():
        arm = place(mbs, crank, half) - space.BEARING
        angle = atan2(-arm[1], arm[2])
        angle += tau * round((space.references()["slider-crank-space"][1][0] - angle) / tau)
        speed = mbs.GetObjectOutputBody(crank, OUT.AngularVelocity, localPosition=[0, 0, 0])[0]
        return [angle, float(speed), place(mbs, slider, (0, 0, 0))[0]]

    return result


def top(mbs, node):
    t = space.TOP
    ground = mbs.AddObject(ObjectGround())
    velocity = np.cross(t["omega"], t["centre"])
    made = body(mbs, node, t["mass"], t["inertia"], t["centre"], velocity, t["omega"])
    ball(mbs, mark(mbs, ground, (0, 0, 0)), mark(mbs, made, (0, -1, 0)))
    return lambda: list(place(mbs, made, (0, 0, 0)))


def build(mbs, row, node):
    if row.startswith("chain"):
        return chain(mbs, node, space.links(row))
    return slider_crank(mbs, node) if row.startswith("slider") else top(mbs, node)


def settings(row, steps, split, tolerance, form, newton):
    s = exu.SimulationSettings()
    integration = s.timeIntegration
    integration.numberOfSteps, integration.endTime = steps * split, steps * space.STEP
    integration.adaptiveStep, integration.verboseMode = False, 0
    s.solutionSettings.writeSolutionToFile = False
    s.solutionSettings.sensorsWritePeriod = 1e3
    s.displayStatistics = s.displayComputationTime = False
    s.parallel.numberOfThreads = 1
    integration.newton.useModifiedNewton = newton == "modified"
    integration.newton.relativeTolerance, integration.newton.absoluteTolerance = tolerance, 1e-10
    alpha = integration.generalizedAlpha
    alpha.spectralRadius = 0.9
    alpha.useIndex2Constraints = alpha.useNewmark = form == "index2"
    alpha.computeInitialAccelerations = True
    sparse = row.startswith("chain")
    s.linearSolverType = exu.LinearSolverType.EigenSparse if sparse else exu.LinearSolverType.EXUdense
    return s


def main():
    row, steps, split, tolerance, form, node, newton, runs = space.arguments(
        1, 1e-6, "index2", "euler", "modified", space.RUNS
    )

    def make():
        container = exu.SystemContainer()
        mbs = container.AddSystem()
        result = build(mbs, row, node)
        mbs.Assemble()
        s = settings(row, steps, split, tolerance, form, newton)
        solver = exu.MainSolverImplicitSecondOrder()
        if not solver.InitializeSolver(mbs, s):
            sys.exit("Exudyn does not start")

        def run(container=container):
            if not solver.SolveSteps(mbs, s):
                sys.exit("Exudyn does not converge")

        def collect():
            solver.FinalizeSolver(mbs, s)
            return result()

        return run, collect

    space.tell(*space.least(make, steps * split, runs))


main()
