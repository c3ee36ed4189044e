"""Where the numbers in the gallery's facts come from when no formula gives them: exact solutions pieced together at
impacts, and small integrators of other formulations that share no code with Carom. Needs NumPy, and mpmath for one.

    python3 gallery/reference.py
"""
import numpy as np
from math import acos, asin, atan, cos, pi, sin, sqrt


def bisect(f, a, b):
    fa = f(a)
    for _ in range(200):
        c = 0.5 * (a + b)
        if (f(c) > 0) == (fa > 0):
            a = c
        else:
            b = c
    return 0.5 * (a + b)


def oscillator(m=1.0, k=1e4, l=1.0, g=10.0, R=0.2, h0=1.001, e=0.8, samples=(0.5, 0.7, 0.9, 1.0)):
    """Free flight in closed form: the centre of mass falls, the pair vibrates with omega² = 2k/m."""
    w = sqrt(2 * k / m)
    t0, s, d, vs, vd = 0.0, h0 + 0.5 * l, 0.0, 0.0, 0.0  # mean height, stretch and their rates
    impacts = []

    def lower(t):
        mean = s + vs * t - 0.5 * g * t * t
        stretch = d * cos(w * t) + vd / w * sin(w * t)
        return mean - 0.5 * (l + stretch)

    out = {}
    while True:
        # next time the lower ball touches, scanned finer than the vibration
        step, t = 1e-5, 1e-9
        while lower(t + step) > R:
            t += step
        hit = bisect(lambda x: lower(x) - R, t, t + step)
        for x in samples:
            if t0 <= x < t0 + hit:
                out[x] = lower(x - t0)
        if t0 + hit > max(samples):
            break
        s, vs, d, vd = (s + vs * hit - 0.5 * g * hit**2, vs - g * hit,
                        d * cos(w * hit) + vd / w * sin(w * hit), -d * w * sin(w * hit) + vd * cos(w * hit))
        v1, v2 = vs - 0.5 * vd, vs + 0.5 * vd
        v1 = -e * v1
        vs, vd = 0.5 * (v1 + v2), v2 - v1
        t0 += hit
        impacts.append(t0)
    return impacts, out


def oscillator_accumulation(digits, longer=0.0):
    """Instant at which the impacts of the oscillator accumulate, and their number down to rebounds of 10^(-digits/3) m/s. The
    motion amplifies a change of the spring's first length 1e14 times, so doubles cannot tell it. q1'' = -g + A cos(w t - p) has
    its zeros in closed form; between them q1' is monotone, and between the zeros of that q1 is: no impact can be missed."""
    from mpmath import acos as arccos, atan2, hypot, mp, mpf, pi as half_turn
    from mpmath import cos as cosine, sin as sine, sqrt as root
    mp.dps = digits
    g, e, R, l, w, end = mpf(10), mpf(8) / 10, mpf(2) / 10, mpf(1), root(2 * mpf(10)**4), mpf(4)
    t, q1, v1, q2, v2 = mpf(0), mpf(1001) / 1000, mpf(0), mpf(2001) / 1000 + longer, mpf(0)
    n = 0
    while True:
        c, vc, r, vr = (q1 + q2) / 2, (v1 + v2) / 2, q2 - q1 - l, v2 - v1
        gap = lambda s: c + vc * s - g * s * s / 2 - (l + r * cosine(w * s) + vr / w * sine(w * s)) / 2 - R
        speed = lambda s: vc - g * s - (vr * cosine(w * s) - r * w * sine(w * s)) / 2
        slope = lambda s: -g + w * (r * w * cosine(w * s) + vr * sine(w * s)) / 2

        def zero(f, df, a, b):
            fa, x = f(a), (a + b) / 2
            while True:
                fx = f(x)
                if (fx > 0) == (fa > 0):
                    a = x
                else:
                    b = x
                y = x - fx / df(x)
                if not a < y < b:
                    y = (a + b) / 2
                if abs(y - x) <= mpf(10)**(3 - digits) * (abs(x) + mpf(10)**-8):
                    return y
                x = y

        A, p, cuts = w * w * hypot(r, vr / w) / 2, atan2(vr / w, r), [mpf(0)]
        if A > g:
            d, k = arccos(g / A), -1
            while cuts[-1] < end:
                cuts += [z for z in ((p + 2 * half_turn * k - d) / w, (p + 2 * half_turn * k + d) / w) if z > cuts[-1]]
                k += 1
        else:
            cuts.append(end)
        hit = None
        for a, b in zip(cuts, cuts[1:]):
            if (speed(a) > 0) != (speed(b) > 0):
                z = zero(speed, slope, a, b)
                parts = [(a, z), (z, b)]
            else:
                parts = [(a, b)]
            for a, b in parts:
                if hit is None and gap(b) <= 0 and (a > 0 or n == 0):
                    hit = zero(gap, speed, a, b)
            if hit is not None:
                break
        s = hit
        stretch, rate = r * cosine(w * s) + vr / w * sine(w * s), vr * cosine(w * s) - r * w * sine(w * s)
        q1, q2, v1, v2 = R, c + vc * s - g * s * s / 2 + (l + stretch) / 2, -e * speed(s), vc - g * s + rate / 2
        t, n = t + s, n + 1
        if v1 < mpf(10)**(-mpf(digits) / 3):
            return t + 2 * v1 / ((g - w * w / 2 * (q2 - q1 - l)) * (1 - e)), n


def pendulum(m=1.0, J=0.1, l=1.0, g=10.0, e=0.8, stop=sqrt(0.5)):
    """Times of the first impacts by quadrature of dt = dphi / omega(phi), with the ends' square roots substituted."""
    I, phi_s = J + m * l * l, acos(stop / l)
    def fall(phi0, n=200000):
        # from rest at phi0 to phi_s: omega² = 2 m g l (sin phi - sin phi0)/I ; phi = phi0 + u²
        u = (np.arange(n) + 0.5) * sqrt(phi_s - phi0) / n
        phi = phi0 + u * u
        w = np.sqrt(2 * m * g * l / I * (np.sin(phi) - sin(phi0)))
        return float(np.sum(2 * u / w) * sqrt(phi_s - phi0) / n)
    t = fall(0.0)
    times, level = [t], sin(phi_s)
    loss = e * e
    for _ in range(4):
        top = asin(sin(phi_s) - loss * level)  # e² of the last height, measured down from the stop
        t += 2 * fall(top)
        times.append(t)
        loss *= e * e
    w1 = sqrt(2 * m * g * l * sin(phi_s) / I)
    # rest: closed form of the sum is not elementary; the later swings are ever shorter
    return times, w1, asin(sin(phi_s) * (1 - e * e))


def slider_crank(mu, g, h=1e-6, samples=(0.02, 0.04, 0.06, 0.08, 0.137, 0.1375)):
    """Moreau's midpoint rule in (theta1, theta2): the slider does not turn (both corners of a side meet together)."""
    l1, l2, c, e = 0.153, 0.306, 0.001, 0.4
    m1, m2, m3, J1, J2 = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4
    q = [0.0, 0.0]; v = [150.0, -75.0]; out = {}; most = 0.0
    n = round(max(samples) / h); marks = {round(x / h): x for x in samples}
    for i in range(n):
        a, b = q[0] + 0.5 * h * v[0], q[1] + 0.5 * h * v[1]
        c1, s1, c2, s2 = cos(a), sin(a), cos(b), sin(b)
        M11 = J1 + l1 * l1 * (m1 / 4 + m2 + m3); M22 = J2 + l2 * l2 * (m2 / 4 + m3)
        k = l1 * l2 * (m2 / 2 + m3); M12 = k * (c1 * c2 + s1 * s2)
        r = k * (s1 * c2 - c1 * s2)
        f1 = -r * v[1] ** 2 - g * l1 * c1 * (m1 / 2 + m2 + m3)
        f2 = r * v[0] ** 2 - g * l2 * c2 * (m2 / 2 + m3)
        D = M11 * M22 - M12 * M12
        inv = lambda x, y: ((M22 * x - M12 * y) / D, (M11 * y - M12 * x) / D)
        da, db = inv(h * f1, h * f2)
        u = [v[0] + da, v[1] + db]
        y = l1 * s1 + l2 * s2
        side = 1 if y >= c else -1 if y <= -c else 0
        if side:
            wn = (-side * l1 * c1, -side * l2 * c2)     # normal velocity away from the wall
            wt = (-l1 * s1, -l2 * s2)                   # slider velocity along x
            nn, tt = inv(*wn), inv(*wt)
            Nn = wn[0] * nn[0] + wn[1] * nn[1]; Nt = wn[0] * tt[0] + wn[1] * tt[1]; Tt = wt[0] * tt[0] + wt[1] * tt[1]
            un = wn[0] * u[0] + wn[1] * u[1]; ut = wt[0] * u[0] + wt[1] * u[1]
            u0 = wn[0] * v[0] + wn[1] * v[1]
            P, best = 0.0, None     # stick, or slide one way or the other
            if un + e * u0 < 0:
                det = Nn * Tt - Nt * Nt
                b1, b2 = -e * u0 - un, -ut
                p, s = (Tt * b1 - Nt * b2) / det, (Nn * b2 - Nt * b1) / det
                if mu > 0 and p >= 0 and abs(s) <= mu * p:
                    best = (p, s)
                for sg in (-1, 1):
                    if best is None:
                        p = (-e * u0 - un) / (Nn + sg * mu * Nt)
                        if p >= 0 and sg * (ut + Nt * p + Tt * sg * mu * p) <= 1e-14:
                            best = (p, sg * mu * p)
                P, T = best
                u[0] += nn[0] * P + tt[0] * T; u[1] += nn[1] * P + tt[1] * T
        q = [a + 0.5 * h * u[0], b + 0.5 * h * u[1]]; v = u
        y = abs(l1 * sin(q[0]) + l2 * sin(q[1])); most = max(most, y)
        if i + 1 in marks:
            out[marks[i + 1]] = (q[0], q[1], v[0], l1 * cos(q[0]) + l2 * cos(q[1]))
    return out, most


def woodpecker(h, end=0.6, linear=False):
    """(y, phi_M, phi_S) with finite angles, or linearised as published; Moreau's midpoint rule, Gauss-Seidel."""
    g, r0, rM, hM, lM, lG, hS, lS = 9.81, 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
    mM, JM, mS, JS, k, mu = 0.0003, 5e-9, 0.0045, 7e-7, 0.0056, 0.3
    e = [0.5, 0, 0]
    jam = -0.1036 if linear else asin(r0 / sqrt(rM**2 + hM**2)) - atan(rM / hM)
    q = np.array([0, jam, -0.2788]); v = np.array([-0.3411, 0, -7.4583])
    beaks, was, rows = [], False, []
    for i in range(round(end / h)):
        qm = q + 0.5 * h * v
        (c1, s1), (c2, s2) = ((1.0, 0.0), (1.0, 0.0)) if linear else [(cos(x), sin(x)) for x in qm[1:]]
        X = np.array([0, -lM * s1, -lG * s2]); Y = np.array([1, lM * c1, lG * c2])  # Jacobian of the bird's centre
        M = mS * (np.outer(X, X) + np.outer(Y, Y)) + np.diag([mM, JM, JS])
        f = -k * (qm[1] - qm[2]) * np.array([0, 1, -1]) - mS * g * Y - np.array([mM * g, 0, 0])
        if linear:
            gN = [lM + lG - lS - r0 - hS * qm[2], rM - r0 + hM * qm[1], rM - r0 - hM * qm[1]]
        else:
            w1, w2 = v[1] ** 2, v[2] ** 2
            f = f + mS * (X * (lM * w1 * c1 + lG * w2 * c2) + Y * (lM * w1 * s1 + lG * w2 * s2))
            gN = [lM * c1 + (lG - lS) * c2 - hS * s2 - r0, rM * c1 + hM * s1 - r0, rM * c1 - hM * s1 - r0]
        b = lG - lS  # the beak from the spring, along the bird
        WN = [[0, -lM * s1, -b * s2 - hS * c2], [0, -rM * s1 + hM * c1, 0], [0, -rM * s1 - hM * c1, 0]]
        WT = [[1, lM * c1, b * c2 - hS * s2], [1, rM * c1 + hM * s1, 0], [1, rM * c1 - hM * s1, 0]]
        Mi = np.linalg.inv(M)
        u = v + h * Mi @ f
        act = [j for j in range(3) if gN[j] <= 0]
        beak = False
        if act:
            W = np.array([w for j in act for w in (WN[j], WT[j])])
            D = W @ Mi @ W.T
            free, u0 = W @ u, W @ v
            P = np.zeros(len(free))
            for _ in range(5000):
                old = P.copy()
                for n, j in enumerate(act):
                    a = 2 * n
                    P[a] = max(0.0, P[a] - (D[a] @ P + free[a] + e[j] * u0[a]) / D[a, a])
                    z = P[a + 1] - (D[a + 1] @ P + free[a + 1]) / D[a + 1, a + 1]
                    P[a + 1] = min(max(z, -mu * P[a]), mu * P[a])
                if np.max(np.abs(P - old)) < 1e-15:
                    break
            u = u + Mi @ W.T @ P
            beak = act[0] == 0 and P[0] > 0
        if beak and not was:
            beaks.append((i + 1) * h)
        was = beak
        q = qm + 0.5 * h * u; v = u
        rows.append(q[0])
    return np.array(beaks), np.array(rows)


class Beams:
    """Geometrically exact beams of linear elements, joined where they share a point, by central differences with
    Newton's impact law for one coordinate at a time. `sections` are (E, b, d, rho); a beam is (points, section): its
    elements join neighbouring points; every beam has angles of its own."""

    def __init__(self, places, beams, fixed=(), masses=(), g=10.0, nu=0.3, lumped=False):
        self.x = np.array(places, float)
        n = len(places)
        left, right, a, b, data = [], [], [], [], []
        angles = 0
        for points, (E, width, height, rho) in beams:
            A, I = width * height, width * height**3 / 12
            for k in range(len(points) - 1):
                l = np.linalg.norm(self.x[points[k + 1]] - self.x[points[k]])
                left.append(points[k]); right.append(points[k + 1])
                a.append(angles + k); b.append(angles + k + 1)
                data.append((l, E * A, E / (2 + 2 * nu) * A * 5 / 6, E * I, rho * A, rho * I))
            angles += len(points)
        self.left, self.right, self.a, self.b = map(np.array, (left, right, a, b))
        self.l, self.EA, self.GA, self.EI, rhoA, rhoI = np.array(data).T
        self.phi = np.zeros(angles)
        # what elements do to points and angles
        each = np.arange(len(left))
        self.D, self.T, self.S = np.zeros((n, len(left))), np.zeros((angles, len(left))), np.zeros((angles, len(left)))
        self.D[self.left, each], self.D[self.right, each] = 1, -1
        self.T[self.a, each], self.T[self.b, each] = 1, -1
        self.S[self.a, each], self.S[self.b, each] = -0.5 * self.l, -0.5 * self.l
        M, J = np.zeros((n, n)), np.zeros((angles, angles))
        block = np.array([[3, 0], [0, 3]]) if lumped else np.array([[2, 1], [1, 2]])
        for k in range(len(left)):
            ij = np.ix_((left[k], right[k]), (left[k], right[k]))
            M[ij] += rhoA[k] * self.l[k] / 6 * block
            M_a = np.ix_((a[k], b[k]), (a[k], b[k]))
            J[M_a] += rhoI[k] * self.l[k] / 6 * block
        for point, mass in masses:
            M[point, point] += mass
        self.M, self.J, self.g = M, J, g
        free = [i for i in range(n) if i not in fixed]
        self.M_inv = np.zeros((n, n))
        self.M_inv[np.ix_(free, free)] = np.linalg.inv(M[np.ix_(free, free)])
        self.J_inv = np.linalg.inv(J)
        self.fall = self.M_inv @ (-g * M @ np.ones(n))
        self.v, self.omega = np.zeros_like(self.x), np.zeros(angles)

    def strains(self):
        d = (self.x[self.right] - self.x[self.left]) / self.l[:, None]
        phi = 0.5 * (self.phi[self.a] + self.phi[self.b])
        c, s = np.cos(phi), np.sin(phi)
        g1, g2 = c * d[:, 0] + s * d[:, 1], c * d[:, 1] - s * d[:, 0]
        N, Q, m = self.EA * (g1 - 1), self.GA * g2, self.EI * (self.phi[self.b] - self.phi[self.a]) / self.l
        return c, s, g1, g2, N, Q, m

    def accelerations(self):
        c, s, g1, g2, N, Q, m = self.strains()
        n = np.stack((c * N - s * Q, s * N + c * Q), 1)
        a = self.M_inv @ (self.D @ n)
        a[:, 1] += self.fall
        return a, self.J_inv @ (self.T @ m + self.S @ (N * g2 - Q * g1))

    def energy(self):
        _, _, _, _, N, Q, m = self.strains()
        strain = 0.5 * np.sum(self.l * (N**2 / self.EA + Q**2 / self.GA + m**2 / self.EI))
        kinetic = 0.5 * np.sum(self.v * (self.M @ self.v)) + 0.5 * self.omega @ self.J @ self.omega
        return kinetic + strain + self.g * np.ones(len(self.x)) @ self.M @ self.x[:, 1]

    def run(self, h, end, stops=(), e=0.0, samples=()):
        """stops: (point, axis, sign, bound): sign * (coordinate - bound) >= 0. Returns impacts (t, velocity) and states."""
        impacts, out = [], {}
        marks = {round(t / h): t for t in samples}
        a, alpha = self.accelerations()
        for k in range(1, round(end / h) + 1):
            self.v += 0.5 * h * a; self.omega += 0.5 * h * alpha
            self.x += h * self.v; self.phi += h * self.omega
            a, alpha = self.accelerations()
            self.v += 0.5 * h * a; self.omega += 0.5 * h * alpha
            for point, axis, sign, bound in stops:
                gap, rate = sign * (self.x[point, axis] - bound), sign * self.v[point, axis]
                if gap <= 0 and rate < 0:
                    impacts.append((k * h - gap / rate, rate))
                    jump = -(1 + e) * self.v[point, axis] / self.M_inv[point, point]
                    self.v[:, axis] += self.M_inv[:, point] * jump
            if k in marks:
                out[marks[k]] = (self.x.copy(), self.phi.copy(), self.v.copy(), self.omega.copy(), self.energy())
        return impacts, out


def rotating_beam(lumped=False, h=5e-7, end=0.33):
    steel = (2.1e11, 0.01, 0.01, 7800.0)
    beam = Beams([(k / 4, 0) for k in range(5)], [(range(5), steel)], fixed=(0,), lumped=lumped)
    impacts, out = beam.run(h, end, [(4, 0, 1, sqrt(0.5))], 0.8, (0.3,))
    return impacts[:1], out[0.3][0][4]


def crank_slider_flex(h=2e-7, end=0.02, samples=(0.002, 0.005, 0.01, 0.015, 0.02), E=2.1e11, n=2):
    """The slider keeps upright (see crank-slider-rigid), so it is a point mass between two walls."""
    l1, l2, w1 = 0.153, 0.306, 150.0
    places = [(l1 * k / n, 0) for k in range(n)] + [(l1 + l2 * k / n, 0) for k in range(n + 1)]
    beams = [(range(n + 1), (E, 0.0064, 0.005, 7800.0)), (range(n, 2 * n + 1), (E, 0.0032, 0.005, 7800.0))]
    m = Beams(places, beams, fixed=(0,), masses=[(2 * n, 0.076)])
    w2 = -w1 * l1 / l2
    for k, (x, _) in enumerate(places):
        m.v[k, 1] = w1 * x if x <= l1 else w1 * l1 + w2 * (x - l1)
    m.omega[:n + 1], m.omega[n + 1:] = w1, w2
    return m.run(h, end, [(2 * n, 1, 1, -0.001), (2 * n, 1, -1, 0.001)], 0.4, samples)


def block_path(mu, r=10.0, slope=pi / 6, L=2.0, H=1.0, g=9.81, h=1e-3, end=10.0):
    """The rigid block of mass 1 with both lower corners on the path: one coordinate s, the arc length of the rear
    corner; s'' and the two normal forces from the equations of Newton and Euler. Ends where the block rests."""
    half = r * slope
    a, b = np.array([-r * sin(slope), -r * cos(slope)]), np.array([r * sin(slope), -r * cos(slope)])
    ta, tb = np.array([cos(slope), -sin(slope)]), np.array([cos(slope), sin(slope)])

    def path(s):  # place and tangent, s = 0 at the lowest point
        if s < -half:
            return a + (s + half) * ta, ta
        if s > half:
            return b + (s - half) * tb, tb
        return r * np.array([sin(s / r), -cos(s / r)]), np.array([cos(s / r), sin(s / r)])

    def front(s):
        f = s + L
        for _ in range(30):
            p, q = path(s)[0], path(f)
            d = q[0] - p
            step = (sqrt(d @ d) - L) * sqrt(d @ d) / (d @ q[1])
            f -= step
            if abs(step) < 1e-14:
                break
        return f

    def motion(s):  # centre and angle, and what moves them per ds
        (p, tp), (q, tq) = path(s), path(front(s))
        e = (q - p) / L
        n = np.array([-e[1], e[0]])
        rate = (tp @ e) / (tq @ e)
        turn = (rate * tq - tp) @ n / L
        arm = 0.5 * L * e + 0.5 * H * n
        return np.array([*(tp + turn * np.array([-arm[1], arm[0]])), turn]), (p, tp), (q, tq), p + arm, e

    J = (L * L + H * H) / 12

    def solve(s, v, sign):
        G, (p, tp), (q, tq), c, _ = motion(s)
        dG = (motion(s + 1e-5)[0] - motion(s - 1e-5)[0]) / 2e-5
        M = np.zeros((3, 3))
        M[:, 0] = G * [1, 1, J]
        for k, (x, t) in enumerate(((p, tp), (q, tq)), 1):
            f = np.array([-t[1], t[0]]) - mu * sign * t
            M[:, k] = -f[0], -f[1], -((x - c)[0] * f[1] - (x - c)[1] * f[0])
        return np.linalg.solve(M, np.array([0, -g, 0]) - dG * [1, 1, J] * v * v)

    s, v, t, rows = -half - 10.0, 0.0, 0.0, []
    sign = 1
    least = np.inf
    while t < end:
        N = solve(s, v, sign)[1:]
        least = min(least, *N)
        _, (p, _), (q, _), c, e = motion(s)
        rows.append((t, s, front(s), p[0], atan(e[1] / e[0]), v, *N))
        k1 = solve(s, v, sign)[0]
        k2 = solve(s + h / 2 * v, v + h / 2 * k1, sign)[0]
        k3 = solve(s + h / 2 * (v + h / 2 * k1), v + h / 2 * k2, sign)[0]
        s, v, t = s + h * v + h * h / 6 * (k1 + k2 + k3), v + h / 6 * (k1 + 4 * k2 + k3), t + h
        if sign * v < 0:
            if solve(s, 0.0, -sign)[0] * -sign > 0:
                sign = -sign
            else:
                break
    return np.array(rows), half, least


def crossings(rows, column, level=0.0):
    y = rows[:, column] - level
    return [round(float(rows[k, 0]), 3) for k in range(1, len(y)) if y[k - 1] * y[k] < 0]


def first_domino(omega=4.0, L=0.3, H=1.0, free=0.4, g=9.81, n=100000):
    """A rigid block turns about its lower right corner until its upper one is `free` further: dt = dphi / omega(phi)."""
    phi = (np.arange(n) + 0.5) * asin(free / H) / n
    rise = H / 2 * np.cos(phi) + L / 2 * np.sin(phi) - H / 2
    return np.sum(asin(free / H) / n / np.sqrt(omega**2 - 6 * g * rise / (L * L + H * H)))


def eccentric_beam(samples, L=20.0, d=0.1, E=2.1e11, rho=7850.0, a=0.02, s=6.0, n=12):
    """Tip of the beam beside its rotating line. Bending in Ritz functions x² times Legendre's, with the pull of the
    centrifugal force along the beam as given, N = rho A w² (L² - x²)/2; a sum of modes. The beam stretches at once by
    u(x), while the rotation pushes it sideways (Coriolis): a velocity -2 w u at the start."""
    from numpy.polynomial import Polynomial, legendre
    T = L * L * sqrt(12 * rho / E) / d  # unit of time; unit of length is L
    x, g = legendre.leggauss(60)
    x, g = 0.5 * (x + 1), 0.5 * g
    shapes = [Polynomial(legendre.leg2poly([0] * k + [1]))(Polynomial([-1, 2])) * Polynomial([0, 0, 1]) for k in range(n)]
    W, W1, W2 = (np.array([p.deriv(k)(x) if k else p(x) for p in shapes]) for k in (0, 1, 2))
    M = (W * g) @ W.T
    K = (W2 * g) @ W2.T + s * s * ((W1 * g * 0.5 * (1 - x * x)) @ W1.T - M)
    stretch = s * s * (d / L) ** 2 / 12 * (x / 2 - x**3 / 6)
    load, speed = (W * g) @ np.full_like(x, s * s * a / L), (W * g) @ (-2 * s * stretch)
    C = np.linalg.inv(np.linalg.cholesky(M))
    w2, V = np.linalg.eigh(C @ K @ C.T)
    w, V = np.sqrt(w2), C.T @ V
    tip = L * (np.array([p(1.0) for p in shapes]) @ V)
    tips = [float(sum(tip * ((V.T @ load) / w2 * (1 - np.cos(w * t / T)) + (V.T @ speed) / w * np.sin(w * t / T))))
            for t in samples]
    return s / T, w[:3], tips


def rotor_runup(samples, L=0.4, r=0.01, E=2e11, rho=7800.0, M=16.47, J=0.0943, k_b=5e6, zeta=0.02, mu_e=1.5e-4,
                alpha=80.0, end=6.0):
    """Disk on its shaft as one degree of freedom: stiffness of shaft and bearing in a row, mass of the disk and of the
    shaft as they move with the static deflection, in which the soft bearing tilts the disk; Runge-Kutta.
    Values, and the peak with its time."""
    I, A = pi * r**4 / 4, pi * r * r
    shaft, bearing = L**3 / (48 * E * I), 1 / (4 * k_b)
    x = (np.arange(20000) + 0.5) / 20000
    half = np.minimum(x, 1 - x)
    shape = (shaft * (3 * half - 4 * half**3) + bearing * 2 * x) / (shaft + bearing)
    k = 1 / (shaft + bearing)
    m = M + rho * A * L * np.mean(shape**2) + J * (k * 2 * bearing / L) ** 2
    w = sqrt(k / m)
    c = 2 * zeta * sqrt(k * (M + 0.49 * rho * A * L))

    def rate(t, y):
        phi, omega = 0.5 * alpha * t * t, alpha * t
        F = mu_e * (omega * omega * sin(phi) - alpha * cos(phi))
        return np.array([y[1], (F - c * y[1] - k * y[0]) / m])

    y, t, h, out, peak = np.zeros(2), 0.0, 1e-4, {}, (0.0, 0.0)
    for i in range(round(end / h)):
        t = i * h
        for sample in samples:
            if abs(sample - t) < 0.5 * h:
                out[sample] = float(y[0])
        k1 = rate(t, y)
        k2 = rate(t + 0.5 * h, y + 0.5 * h * k1)
        k3 = rate(t + 0.5 * h, y + 0.5 * h * k2)
        k4 = rate(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if y[0] > peak[0]:
            peak = (float(y[0]), t + h)
    return w, c, peak, out


def bead(x0, x1, energy, sign, g=9.81, n=20000):
    """Time of a bead on y = sign x²/2 from x0 to x1: (1 + x²) vx² + sign g x² = energy, Simpson's rule."""
    x = np.linspace(x0, x1, 2 * n + 1)
    f = np.sqrt((1 + x * x) / (energy - sign * g * x * x))
    return (x1 - x0) / (6 * n) * (f[0] + f[-1] + 4 * np.sum(f[1::2]) + 2 * np.sum(f[2:-1:2]))


if __name__ == "__main__":
    impacts, at = oscillator()
    print("oscillator: impacts", impacts[:6], "lower.y", at)
    times, w1, top = pendulum()
    print("pendulum-stop: impacts", times, "omega at the first", w1, "angle at the first top", top)
    for digits in (20, 40, 60):
        print("oscillator: accumulation in", digits, "digits, impacts", *oscillator_accumulation(digits))
    moved = [oscillator_accumulation(60, sign * 1e-40)[0] for sign in (1, -1)]
    print("oscillator: accumulation moved by a longer spring, s per m", (moved[0] - moved[1]) / 2e-40)
    for name, mu, g in (("crank-slider-rigid", 0.0, 10.0), ("slider-crank", 0.01, 9.81),
                        ("slider-crank, mu = 0", 0.0, 9.81)):
        (coarse, _), (fine, _) = slider_crank(mu, g, 2e-6), slider_crank(mu, g, 1e-6)
        print(name, "theta1, theta2, omega1, x, from steps of 2e-6 and 1e-6 s extrapolated to 0:")
        for t in fine:
            print("  ", t, [round(2 * a - b, 6) for a, b in zip(fine[t], coarse[t])])
    for linear in (True, False):
        beaks, y = woodpecker(2e-5, linear=linear)
        falls = [y[round(b / 2e-5) - 1] - y[round(a / 2e-5) - 1] for a, b in zip(beaks, beaks[1:])]
        print("woodpecker", "linear" if linear else "finite angles", "beak", beaks, np.diff(beaks), "falls", falls, "y at 0.4743 s", y[round(0.4743 / 2e-5) - 1])
    for lumped in (False, True):
        print("rotating-beam", "lumped" if lumped else "consistent", "first impact, tip at 0.3 s:", rotating_beam(lumped))
    impacts, at = crank_slider_flex()
    print("crank-slider-flex: impacts", impacts)
    for t, (x, phi, v, omega, energy) in at.items():
        print("  ", t, "crank angle", phi[0], "pin", x[2], "slider", x[4], "energy", energy)
    for mu in (0.1, 0.2):
        rows, half, least = block_path(mu)
        print("block-path, mu", mu, "least normal force", least, "farthest rear corner", max(rows[:, 3]),
              "largest angle", max(rows[:, 4]), "last t, x", rows[-1, [0, 3]], "x at 5.6 and 8 s",
              np.interp((5.6, 8.0), rows[:, 0], rows[:, 3]))
        for what, column, level in (("front enters", 2, -half), ("rear on the left incline", 1, -half),
                                    ("front on the right incline", 2, half), ("rear on it", 1, half),
                                    ("level", 4, 0.0), ("turns", 5, 0.0)):
            print("   ", what, crossings(rows, column, level))
    print("dominoes: first impact", first_domino())
    print("eccentric-beam: speed, frequencies in its units, tip at 2, 4, 9, 15 s", eccentric_beam((2.0, 4.0, 9.0, 15.0)))
    print("rotor-runup: frequency, damper, peak and its time, disk at", rotor_runup((2.4, 3.2, 3.4, 4.0)))
    print("parabola-plane: at x = 1", bead(1, 2, 5 + 4 * 9.81, 1), "at the joint", bead(0, 2, 5 + 4 * 9.81, 1))
    end = bisect(lambda x: bead(0, x, 4, -1) - 1, 1.0, 4.0)
    print("plane-parabola: at x = -0.2, -2", 1 + bead(0, 0.2, 4, -1), 1 + bead(0, 2, 4, -1), "at 2 s x", -end,
          "vx", -sqrt((4 + 9.81 * end**2) / (1 + end**2)))
