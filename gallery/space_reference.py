"""Independent references for gallery models in space: other coordinates, other methods than Carom's.

    hinges          chains of bodies and hinges in their angles: M(q) q'' = Q, Jacobians by cross products, their rates by
                    complex steps; DOP853 to 1e-12
    bricard         one angle; all other angles from the closure of the ring
    governor        one angle
    tippe_top       free body with Coulomb friction at the sliding point, slip never zero
    cube_flight     lowest corner of a cube that turns at a constant rate

    python space_reference.py        needs numpy and scipy
"""

from math import acos, asin, cos, pi, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve

g = 9.81


def turn(axis, angle):
    """Matrix of a rotation; the angle may be complex."""
    x = np.asarray(axis, dtype=float)
    x = x / sqrt(x @ x)
    K = np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K)


def hinges(links, q, q1, torque):
    """Angular accelerations. A link: axis of its hinge and place of it in the frame before, (m, J, centre) of the body behind
    it or None, all in the frame that turns with the hinge, which at angle 0 is that of the frame before."""
    n = len(links)

    def columns(q):
        A, p = np.eye(3, dtype=complex), np.zeros(3, dtype=complex)
        axes, places, out = [], [], []
        for k, (axis, place, body) in enumerate(links):
            p = p + A @ np.asarray(place)
            axes.append(A @ (np.asarray(axis) / np.linalg.norm(axis)))
            places.append(p)
            A = A @ turn(axis, q[k])
            if body is not None:
                c = p + A @ np.asarray(body[2])
                JR, JT = np.zeros((3, n), dtype=complex), np.zeros((3, n), dtype=complex)
                for j in range(k + 1):
                    JR[:, j], JT[:, j] = axes[j], np.cross(axes[j], c - places[j])
                out.append((body[0], A @ np.diag(body[1]) @ A.T, JT, JR))
        return out

    h = 1e-30
    now, moved = columns(q), columns(q + 1j * h * q1)
    M, Q = np.zeros((n, n)), np.array(torque, dtype=float)
    for (m, J, T, R), (_, _, Th, Rh) in zip(now, moved):
        J, T, R, dT, dR = J.real, T.real, R.real, Th.imag / h, Rh.imag / h
        w = R @ q1
        M += m * T.T @ T + R.T @ J @ R
        Q += T.T @ (m * np.array([0, 0, -g]) - m * dT @ q1) - R.T @ (J @ dR @ q1 + np.cross(w, J @ w))
    return np.linalg.solve(M, Q)


def ends(links, q):
    """Place of a point (place in the last frame) at the end of the chain."""
    A, p = np.eye(3), np.zeros(3)
    for (axis, place, _), angle in zip(links, q):
        p = p + A @ np.asarray(place)
        A = A @ turn(axis, angle)
    return A, p


def integrate(rate, y0, times):
    out = solve_ivp(rate, (0, times[-1]), y0, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times)
    return out.y.T


def double_pendulum(times, m=1.0, l=0.5, r=0.02):
    J = (m * l * l / 12 + m * r * r / 4, m * l * l / 12 + m * r * r / 4, m * r * r / 2)
    rod = (m, J, (0, 0, -l / 2))
    links = [((1, 0, 0), (0, 0, 0), None), ((0, 1, 0), (0, 0, 0), rod), ((1, 1, 0), (0, 0, -l), rod)]
    y = integrate(lambda t, y: np.r_[y[3:], hinges(links, y[:3], y[3:], np.zeros(3))], [pi / 2, 0, 0, 0, 0, 0], times)
    for t, s in zip(times, y):
        A, p = ends(links, s[:3])
        print("  ", t, "knee angle", repr(float(s[2])), "rate", repr(float(s[5])), "tip", (p + A @ [0, 0, -l]).tolist())


def robot_arm(times, m1=4.0, m2=2.0, l1=0.5, l2=0.4, k=400.0, d=40.0, target=(1.5, -0.5, 1.0), h=0.4, weight=0):
    stiff, damp = np.array([k, k, k / 4]), np.array([d, d, d / 10])
    links = [((0, 0, 1), (0, 0, 0), (5.0, (0.1, 0.1, 0.05), (0, 0, h / 2))),
             ((0, 1, 0), (0, 0, h), (m1, (0.01, m1 * l1**2 / 12, m1 * l1**2 / 12), (l1 / 2, 0, 0))),
             ((0, 1, 0), (l1, 0, 0), (m2, (0.005, m2 * l2**2 / 12, m2 * l2**2 / 12), (l2 / 2, 0, 0)))]

    def load(s, e):
        elbow = g * m2 * l2 / 2 * cos(s + e)
        return np.array([0, g * (m1 * l1 / 2 + m2 * l1) * cos(s) + elbow, elbow])

    def rate(t, y):
        torque = stiff * (np.array(target) - y[:3]) - damp * y[3:] - weight * load(*target[1:])
        return np.r_[y[3:], hinges(links, y[:3], y[3:], torque)]

    for t, s in zip(times, integrate(rate, np.zeros(6), times)):
        A, p = ends(links, s[:3])
        print("  ", t, "angles", s[:3].tolist(), "tool", (p + A @ [l2, 0, 0]).tolist())
    rest = fsolve(lambda x: stiff[1:] * (np.array(target[1:]) - x) + load(*x)[1:], target[1:], xtol=1e-12)
    A, p = ends(links, [target[0], *rest])
    print("   rest", rest.tolist(), "tool", (p + A @ [l2, 0, 0]).tolist())


def bricard(times, m=1.0, l=1.0, r=0.03):
    """Angle x of the first hinge; those of the others are +-x and +-y, sin y = sin x/(1 + sin x)."""
    Ja, Jl = m * l * l / 12 + m * r * r / 4, m * r * r / 2
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    bars = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0)]

    def ring(x):
        y = np.arcsin(np.sin(x) / (1 + np.sin(x)))
        return np.array([x, y, -x, -y, -x, y])

    def closure(x):
        A, p = np.eye(3), np.zeros(3)
        for k in range(5):
            A = A @ turn(axes[k], ring(x)[k])
            p = p + A @ (l * np.array(bars[k]))
        A = A @ turn(axes[5], ring(x)[5])
        return max(np.abs(p - [0, 0, l]).max(), np.abs(A - np.eye(3)).max())

    def parts(x):
        """Rates of angles and of centres per dx by complex steps; places of centres."""
        h = 1e-30

        def places(x):
            A, p, out = np.eye(3, dtype=complex), np.zeros(3, dtype=complex), []
            for k in range(5):
                A = A @ turn(axes[k], ring(x)[k])
                e = A @ (l * np.array(bars[k]))
                out.append((p + e / 2, A))
                p = p + e
            return out

        now, moved = places(x), places(x + 1j * h)
        inertia, height = 0.0, 0.0
        for k, ((c, A), (ch, Ah)) in enumerate(zip(now, moved)):
            v, W = ch.imag / h, A.T.real @ (Ah.imag / h)
            w = np.array([W[2, 1], W[0, 2], W[1, 0]])
            J = np.array([Jl if bars[k][i] else Ja for i in range(3)])
            inertia += m * v @ v + w @ (J * w)
            height += c.real[2]
        return inertia, m * g * height

    def acceleration(x, x1):
        d = 1e-4  # fourth-order differences of smooth functions: 1e-12
        f = [parts(x + k * d) for k in (-2, -1, 1, 2)]
        dI, dV = ((f[0][i] - 8 * f[1][i] + 8 * f[2][i] - f[3][i]) / (12 * d) for i in (0, 1))
        return -(dV + 0.5 * dI * x1 * x1) / parts(x)[0]

    print("   closure", max(closure(x) for x in (0.3, 0.9, 1.5, 2.4)), "energy at the start", parts(0.0)[1])
    out = solve_ivp(lambda t, y: (y[1], acceleration(*y)), (0, times[-1]), (0.0, 0.0), method="DOP853", rtol=1e-11, atol=1e-11, t_eval=times)
    for t, (x, x1) in zip(times, out.y.T):
        print("  ", t, "hinge0", repr(float(x)), "rate", repr(float(x1)), "hinge1", repr(float(ring(x)[1])))


def governor(times, m=0.5, M=1.0, l=0.2, c=20.0, low=pi / 4, high=pi / 3):
    """m l² (th'' - w² sin th cos th) + 2 M l² (sin² th th'' + sin th cos th th'²) = -(m + M) g l sin th - 2 c l² sin² th th'."""
    w1, w2 = (sqrt((m + M) * g / (m * l * cos(x))) for x in (low, high))

    def rate(t, y):
        th, th1 = y
        w = w1 + (w2 - w1) * min(max(t - 1, 0), 1)
        inertia = m + 2 * M * sin(th) ** 2
        force = m * w * w * sin(th) * cos(th) - 2 * M * sin(th) * cos(th) * th1**2 - (m + M) * g / l * sin(th) - 2 * c * sin(th) ** 2 * th1
        return th1, force / inertia

    y, at = (low, 0.0), 0.0
    for t in times:
        y = solve_ivp(rate, (at, t), y, method="DOP853", rtol=1e-12, atol=1e-13, max_step=0.05).y[:, -1]
        at = t
        print("  ", t, "theta", repr(float(y[0])), "sleeve", repr(float(-2 * l * cos(y[0]))))


def tippe_top(times, m=0.02, r=0.02, a=0.003, spin=200.0, tilt=0.1, mu=0.3):
    """Sphere with its centre of mass a below its centre, inertia 2/5 m r² about all axes, sliding on a plane. State: the
    axis e (unit), w, v of the centre of mass (x, y); the height follows from e. Friction mu N against the slip."""
    J = 0.4 * m * r * r
    z = np.array([0.0, 0.0, 1.0])

    def forces(e, w, v):
        arm = a * e - r * z                                # contact from the centre of mass
        e1 = np.cross(w, e)
        vz = -a * e1[2]                                    # height of the centre of mass: r - a e_z
        slip = np.array([v[0], v[1], vz]) + np.cross(w, arm)
        size = sqrt(slip[0] ** 2 + slip[1] ** 2)
        F = z - mu * np.array([slip[0], slip[1], 0.0]) / max(size, 1e-12)   # times N
        # m z'' = N - m g with z'' = -a (w' x e + w x e1)_z, w' = arm x F N/J
        turn_ = -a * np.cross(np.cross(arm, F) / J, e)[2]
        N = m * (g - a * np.cross(w, e1)[2]) / (1 - m * turn_)
        return arm, F * N, e1

    def rate(t, y):
        e, w, v = y[:3], y[3:6], y[6:8]
        arm, F, e1 = forces(e, w, v)
        return np.r_[e1, np.cross(arm, F) / J, F[:2] / m]

    e0 = np.array([0, -sin(tilt), cos(tilt)])
    y = solve_ivp(rate, (0, times[-1]), np.r_[e0, spin * z, 0, 0], method="DOP853", rtol=1e-10, atol=1e-12, t_eval=times).y.T
    for t, s in zip(times, y):
        e, w = s[:3], s[3:6]
        print("  ", t, "tilt", repr(float(acos(e[2] / sqrt(e @ e)))), "height", repr(float(r - a * e[2])), "spin", repr(float(w @ e)),
              "Jellett", J * float(w @ (r * z - a * e)))


def cube_flight(a=0.1, z0=0.4, axis=(1, 2, 3), angle=1.0, w=(5, -3, 8)):
    A, w = turn(axis, angle), np.array(w, dtype=float)
    corners = [a / 2 * np.array([i, j, k]) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]

    def lowest(t):
        R = A @ turn(w, t * sqrt(w @ w))
        return z0 - g / 2 * t * t + min((R @ c)[2] for c in corners)

    t = brentq(lowest, 0.1, 0.3, xtol=1e-12)
    R = A @ turn(w, t * sqrt(w @ w))
    c = min((R @ c for c in corners), key=lambda c: c[2])
    print("   first impact", t, "velocity of the corner", -g * t + np.cross(A @ w, c)[2])


if __name__ == "__main__":
    print("spatial-double-pendulum"), double_pendulum([0.5, 1.0, 1.5, 2.0])
    print("robot-arm"), robot_arm([0.1, 0.2, 0.5, 4.0])
    print("robot-arm, weight told"), robot_arm([0.1, 0.2, 4.0], weight=1)
    print("bricard-linkage"), bricard([0.4, 0.8, 2.0])
    print("flyball-governor"), governor([1.0, 1.5, 2.0, 3.0, 5.0])
    print("tippe-top"), tippe_top([0.2, 0.6, 1.0])
    print("cube-toss"), cube_flight()
