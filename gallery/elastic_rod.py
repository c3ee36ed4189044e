"""The slider-crank with an elastic rod in the coordinates of its source, [RezaeiSchindler] App. C with its misprints put
right: crank angle, angle of the rod at the crank pin, elastic nodal coordinates. Shares no code with Carom and needs
NumPy only. Masses sit in Gauss points, so M and h come from Jacobians, not from shape integrals.

    python3 gallery/elastic_rod.py            numbers of the facts of slider-crank-ffr, about four minutes
    python3 gallery/elastic_rod.py alpha      the source's generalized-alpha: is it unstable?
"""
import sys
import numpy as np
from math import cos, sin, sqrt

l1, l2, g = 0.153, 0.306, 9.81
m1, m2, m3, J1, J2, rho = 0.038, 0.038, 0.076, 7.4e-5, 5.9e-4, 7800.0
TABLE_1 = dict(c=0.001, e=0.4, mu=0.01, T=0.0, w=150.0)
TABLE_2 = dict(c=0.0005, e=0.1, mu=0.1, T=1.0, w=0.0)


class Rod:
    """n elements, clamped to the frame at the crank pin; the slider is a point mass at the other end."""

    def __init__(self, n, E=2e11, printed_148=False):
        D = sqrt(12 * J2 / m2 - l2**2); H = m2 / (rho * l2 * D); A = H * D; I = H * D**3 / 12
        L = l2 / n; N = 3 * (n + 1)
        xi, wi = np.polynomial.legendre.leggauss(4); xi = 0.5 * (xi + 1); wi = 0.5 * wi
        x, Su, Sw, m, K = [], [], [], [], np.zeros((N, N))
        for k in range(n):
            own = slice(3 * k, 3 * k + 6)
            for s, w in zip(xi, wi):
                u, v = np.zeros(N), np.zeros(N)
                u[own] = [1 - s, 0, 0, s, 0, 0]
                v[own] = [0, 1 - 3*s**2 + 2*s**3, L*(s - 2*s**2 + s**3), 0, 3*s**2 - 2*s**3, L*(s**3 - s**2)]
                x.append((k + s) * L); Su.append(u); Sw.append(v); m.append(rho * A * L * w)
                du = np.array([-1, 0, 0, 1, 0, 0]) / L
                dd = np.array([0, -6 + 12*s, L*(-4 + 6*s), 0, 6 - 12*s, L*(6*s - 2)]) / L**2
                K[own, own] += L * w * (E * A * np.outer(du, du) + E * I * np.outer(dd, dd))
        u, v = np.zeros(N), np.zeros(N); u[3*n] = 1; v[3*n + 1] = 1
        x.append(l2); Su.append(u); Sw.append(v); m.append(m3)
        self.x, self.m = np.array(x), np.array(m)
        self.Su, self.Sw = np.array(Su)[:, 3:], np.array(Sw)[:, 3:]
        self.n = N - 1                                    # theta1, theta2, elastic
        self.K = np.zeros((self.n, self.n)); self.K[2:, 2:] = K[3:, 3:]
        self.rotary, self.printed_148 = rho * I * l2, printed_148
        self.root = lambda q: (E*A*q[2]/L, E*I/L**2 * (6*q[3] - 2*L*q[4]))    # normal force, moment

    def motion(self, q, v, T):
        """M, h without elastic forces, Jacobian of the slider."""
        c1, s1, c2, s2 = cos(q[0]), sin(q[0]), cos(q[1]), sin(q[1])
        Su, Sw, m = self.Su, self.Sw, self.m
        ux, uy = self.x + Su @ q[2:], Sw @ q[2:]
        Jx, Jy = np.empty((len(m), self.n)), np.empty((len(m), self.n))
        Jx[:, 0], Jy[:, 0] = -l1 * s1, l1 * c1
        Jx[:, 1], Jy[:, 1] = -s2 * ux - c2 * uy, c2 * ux - s2 * uy
        Jx[:, 2:], Jy[:, 2:] = c2 * Su - s2 * Sw, s2 * Su + c2 * Sw
        M = Jx.T @ (m[:, None] * Jx) + Jy.T @ (m[:, None] * Jy)
        M[0, 0] += J1 + m1 * l1**2 / 4; M[1, 1] += self.rotary
        du, dw = Su @ v[2:], Sw @ v[2:]
        bx = -l1*c1*v[0]**2 - (c2*ux - s2*uy)*v[1]**2 - 2*v[1]*(s2*du + c2*dw)
        by = -l1*s1*v[0]**2 - (s2*ux + c2*uy)*v[1]**2 + 2*v[1]*(c2*du - s2*dw)
        h = -(Jx.T @ (m * bx) + Jy.T @ (m * (by + g))); h[0] += T - m1 * g * l1 / 2 * c1
        if self.printed_148:                              # u0 + S q_f' in the place of u0 + S q_f
            px, py = Su @ (v[2:] - q[2:]), Sw @ (v[2:] - q[2:])
            dx, dy = -(c2*px - s2*py) * v[1], -(s2*px + c2*py) * v[1]
            h[1] -= np.sum(m * (dx * (Jx @ v) + dy * (Jy @ v)))
            h -= Jx.T @ (m * dx * v[1]) + Jy.T @ (m * dy * v[1])
        return M, h, Jx[-1], Jy[-1]

    def slider(self, q):
        return (l1*cos(q[0]) + cos(q[1])*(l2 + q[-3]) - sin(q[1])*q[-2],
                l1*sin(q[0]) + sin(q[1])*(l2 + q[-3]) + cos(q[1])*q[-2])

    def start(self, w):
        q, v = np.zeros(self.n), np.zeros(self.n)
        v[0], v[1] = w, -w * l1 / l2
        return q, v


def push(G, F, mu):
    """P with 0 <= P_N, F_N + (G P)_N >= 0 complementary, and Coulomb friction."""
    if F[0] >= 0:
        return np.zeros(2)
    P = np.linalg.solve(G, -F)
    if P[0] >= 0 and abs(P[1]) <= mu * P[0]:
        return P
    for s in (-1, 1):
        p = -F[0] / (G[0, 0] + s * mu * G[0, 1])
        if p >= 0 and s * (F[1] + G[1, 0] * p + G[1, 1] * s * mu * p) <= 1e-12:
            return np.array([p, s * mu * p])
    raise ArithmeticError("no solution")


def sides(y, c):
    return [s for s in (1, -1) if s * y >= c]


def runge_kutta(n, h, end, samples, c, e, mu, T, w):
    """Order four between impacts; Newton's law at the end of every step that finds the slider beyond a wall."""
    rod = Rod(n); q, v = rod.start(w)
    marks = {round(t / h): t for t in samples}; first = None

    def a(q, v):
        M, f, _, _ = rod.motion(q, v, T)
        return np.linalg.solve(M, f - rod.K @ q)

    for i in range(1, round(end / h) + 1):
        a1 = a(q, v); v2 = v + 0.5*h*a1
        a2 = a(q + 0.5*h*v, v2); v3 = v + 0.5*h*a2
        a3 = a(q + 0.5*h*v2, v3); v4 = v + h*a3
        a4 = a(q + h*v3, v4)
        q, v = q + h/6*(v + 2*v2 + 2*v3 + v4), v + h/6*(a1 + 2*a2 + 2*a3 + a4)
        for s in sides(rod.slider(q)[1], c):
            M, _, Jx, Jy = rod.motion(q, v, T)
            W = np.stack([-s * Jy, Jx], 1); X = np.linalg.solve(M, W); U = W.T @ v
            P = push(W.T @ X, U + np.array([e * U[0], 0]), mu)
            v = v + X @ P
            first = first or (i * h, P[0])
        if i in marks:
            x, y = rod.slider(q); normal, moment = rod.root(q)
            print(f"t {marks[i]:g}  theta1 {q[0]:.7f}  omega1 {v[0]:.5f}  x {x:.8f}  y {y:.7e}  "
                  f"normal {normal:.4f}  moment {moment:.5f}", flush=True)
    print("first impact: t %.7f, impulse %.6f" % first)


def alpha(n, rho_inf, dt, end, tolerance, iterations, printed_148, c, e, mu, T, w):
    """(20)-(55): generalized-alpha, fixed point, contact forces from velocities, impulses at new contacts."""
    rod = Rod(n, printed_148=printed_148); q, v = rod.start(w); K = rod.K
    am, af = (2*rho_inf - 1)/(rho_inf + 1), rho_inf/(rho_inf + 1)
    gamma, beta, r = 0.5 - am + af, 0.25*(1 - am + af)**2, (1 - af)/(1 - am)
    M, h, _, _ = rod.motion(q, v, T); a = np.linalg.solve(M, h - K @ q); A = a.copy()
    for i in range(round(end / dt)):
        y = rod.slider(q)[1]; closed = sides(y, c)
        old = (af*a - am*A)/(1 - am)
        q0 = q + dt*v + dt**2*((0.5 - beta)*A + beta*old); v0 = v + dt*((1 - gamma)*A + gamma*old)
        qk, vk = q, v
        for _ in range(iterations):
            M, h, Jx, Jy = rod.motion(qk, vk, T); M_hat = M + dt**2*beta*r*K
            ak = np.linalg.solve(M_hat, h - K @ q0)
            if closed:
                W = np.stack([-closed[0]*Jy, Jx], 1); X = np.linalg.solve(M_hat, W)
                ak = ak + X @ push(dt*gamma*r*W.T @ X, W.T @ (v0 + dt*gamma*r*ak), mu)
            before = vk; vk, qk = v0 + dt*gamma*r*ak, q0 + dt**2*beta*r*ak
            if np.linalg.norm(vk - before) < tolerance:
                break
        for s in sides(rod.slider(qk)[1], c):
            if s not in closed:
                M, _, Jx, Jy = rod.motion(qk, vk, T)
                W = np.stack([-s*Jy, Jx], 1); X = np.linalg.solve(M, W); U = W.T @ vk
                vk = vk + X @ push(W.T @ X, U + np.array([e*U[0], 0]), mu)
        q, v, a, A = qk, vk, ak, r*ak + old
        energy = 0.5 * v @ rod.motion(q, v, T)[0] @ v + 0.5 * q @ K @ q
        if not energy < 10:
            return f"unstable at {(i + 1)*dt:.4f} s"
    return f"stable to {end} s: theta1 {q[0]:.5f}, omega1 {v[0]:.3f}"


if __name__ == "__main__" and "alpha" in sys.argv:
    for rho_inf, tolerance, iterations, printed in (
            (0.8, 1e-8, 100, False), (0.5, 1e-8, 100, False), (0.0, 1e-8, 100, False), (0.8, 1e-8, 1, False),
            (0.8, 1e-8, 100, True), (0.0, 1e-8, 100, True)):
        words = alpha(20, rho_inf, 1e-5, 0.1, tolerance, iterations, printed, **TABLE_2)
        print(f"rho = {rho_inf}, at most {iterations} iterations, (148) {'printed' if printed else 'right'}: {words}",
              flush=True)
elif __name__ == "__main__":
    print("Table 1, four elements"); runge_kutta(4, 2e-7, 0.003, (0.001, 0.0025), **TABLE_1)
    runge_kutta(4, 4e-7, 0.01, (0.005, 0.01), **TABLE_1)
    print("Table 2, four elements"); runge_kutta(4, 4e-7, 0.05, (0.006, 0.01, 0.02, 0.05), **TABLE_2)
