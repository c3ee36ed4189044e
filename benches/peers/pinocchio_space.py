"""The chains of `space.py` in Pinocchio: joint coordinates, the articulated-body algorithm, Runge–Kutta of order 4.

Usage: pinocchio_space.py ROW STEPS [SPLIT [RUNS]]

The loop is Python's, so only the four calls of the algorithm in a step are timed, over and over in one state of the motion; what
Runge–Kutta itself costs is left out.
"""

import time

import numpy as np
import pinocchio as pin
import space


def chain(n):
    made = pin.Model()
    made.gravity.linear = np.array([0, 0, -space.GRAVITY])
    inertia = pin.Inertia(
        space.MASS, np.array([0.5 * space.LENGTH, 0, 0]), np.diag([space.ALONG, space.ACROSS, space.ACROSS])
    )
    last = 0
    for i in range(n):
        at = pin.SE3(np.eye(3), np.array([space.LENGTH if i else 0.0, 0, 0]))
        last = made.addJoint(last, pin.JointModelSpherical(), at, f"ball{i}")
        made.appendBodyToJoint(last, inertia, pin.SE3.Identity())
    v = np.zeros((n, 3))
    v[:, 2] = np.diff([0.0, *(w for _, _, w in space.chain(n))])
    return made, pin.neutral(made), v.ravel()


def main():
    row, steps, split, runs = space.arguments(1, space.RUNS)
    n, h = space.links(row), space.STEP / split
    made, q, v = chain(n)
    data, none = made.createData(), np.zeros(made.nv)

    def f(q, v):
        return pin.aba(made, data, q, v, none).copy()

    # classical Runge–Kutta; increments of q add up in the chart at the beginning of the step
    for _ in range(steps * split):
        k1, l1 = v, f(q, v)
        k2 = v + 0.5 * h * l1
        l2 = f(pin.integrate(made, q, 0.5 * h * k1), k2)
        k2 = rate(0.5 * h * k1, k2)
        k3 = v + 0.5 * h * l2
        l3 = f(pin.integrate(made, q, 0.5 * h * k2), k3)
        k3 = rate(0.5 * h * k2, k3)
        k4 = v + h * l3
        l4 = f(pin.integrate(made, q, h * k3), k4)
        k4 = rate(h * k3, k4)
        q = pin.integrate(made, q, h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
        v = v + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    best, calls = float("inf"), max(100, 20000 // n)
    for _ in range(runs):
        start = time.process_time()
        for _ in range(calls):
            pin.aba(made, data, q, v, none)
        best = min(best, (time.process_time() - start) / calls * 1e6)
    pin.forwardKinematics(made, data, q)
    ends = [data.oMi[i + 1].act(np.array([space.LENGTH, 0, 0])) for i in space.watched(n)]
    space.tell(4 * best, [x for end in ends for x in end])


def rate(delta, omega):
    """δ' of three body rates each: ω + ½ δ × ω + δ × (δ × ω)/12, short of δ⁴."""
    d, w = delta.reshape(-1, 3), omega.reshape(-1, 3)
    once = np.cross(d, w)
    return (w + 0.5 * once + np.cross(d, once) / 12).ravel()


main()
