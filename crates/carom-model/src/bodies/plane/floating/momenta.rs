//! Momenta of a body in a floating frame, and their change over a step.
//!
//! The place of the body is its centre of mass r_c, that of the deformed body. With c, a, p, J, B of `floating.rs` and
//! S̄ = ∫ρS:
//!
//! ```text
//!   r_c = R + A c/m,      ṙ_c = Ṙ + A (θ̇ z×c + S̄ q̇_f)/m                        the map T of `carom_dynamics::Momenta`
//!   J_c = J − c·c/m    a_c = a − S̄ᵀc/m    p_c = p − S̄ᵀ(z×c)/m    M_c = M_ff − S̄ᵀS̄/m    B_c = B + S̄ᵀ(z×S̄)/m
//!   T = ½ m ṙ_c² + ½ J_c θ̇² + θ̇ p_c·q̇_f + ½ q̇_fᵀ M_c q̇_f                     no θ, no r_c in it
//!   s = J_c θ̇ + p_c·q̇_f      π = p_c θ̇ + M_c q̇_f                            spin about r_c, momenta of the shape
//!
//!   D = ( m Δṙ_c,  Δs,  Δπ − dt [ θ̇_n θ̇_{n+1} a_c(q̄_f) + ½ B_c (θ̇_n q̇_{f,n+1} + θ̇_{n+1} q̇_{f,n}) ] )
//! ```
//!
//! The bracket is the difference quotient of ½ v_nᵀ M v_{n+1}: T is quadratic in q_f, so its slope in the middle is exact.
//! M_c is full, but only by a matrix of rank 2, and stands here in products alone: all costs as much as M_ff has entries.

use super::super::Local;
use super::{Derived, FRAME, Floating, product, sum};
use crate::geometry::plane::{V2, add, dot, perp, scale, sub, to_local, turn};
use crate::secant::Turn;

/// T̄ of one body: A' c̄/m and, for vectors seen from the frame, Āᵀ.
struct Secant {
    turn: Turn,
    c: V2,
}

impl Secant {
    fn new(from: Local, to: Local) -> Self {
        let (f, t) = (Derived::of(from), Derived::of(to));
        let turn = Turn::new(to.q[2] - from.q[2], [f.cos, f.sin], [t.cos, t.sin]);
        Self { turn, c: scale(0.5, add(f.c, t.c)) }
    }
}

impl Floating {
    /// A c: from R to the centre of mass, times the mass.
    fn lever(&self, q: &[f64]) -> V2 {
        let (sin, cos) = q[2].sin_cos();
        turn(cos, sin, add(self.inertia().first, sum(&self.inertia().S, &q[FRAME..])))
    }

    /// x: R becomes r_c.
    pub fn to_centre(&self, q: &[f64], x: &mut [f64]) {
        let lever = scale(1.0 / self.inertia().mass, self.lever(q));
        x[0] = q[0] + lever[0];
        x[1] = q[1] + lever[1];
    }

    /// q: r_c becomes R.
    pub fn back_from_centre(&self, q: &mut [f64]) {
        let lever = scale(1.0 / self.inertia().mass, self.lever(q));
        q[0] -= lever[0];
        q[1] -= lever[1];
    }

    /// ṙ_c − Ṙ for velocities v, of which the first two do not matter.
    pub fn centre_rate(&self, at: Local, v: &[f64]) -> V2 {
        let d = Derived::of(at);
        let c_dot = add(scale(v[2], perp(d.c)), sum(&self.inertia().S, &v[FRAME..]));
        scale(1.0 / self.inertia().mass, d.turn(c_dot))
    }

    /// f ← T⁻ᵀ f.
    pub fn rows_of_centre(&self, at: Local, f: &mut [f64]) {
        let d = Derived::of(at);
        let (inertia, push) = (self.inertia(), to_local(d.cos, d.sin, [f[0], f[1]]));
        let push = scale(1.0 / inertia.mass, push);
        f[2] -= dot(perp(d.c), push);
        for (f, S) in f[FRAME..].iter_mut().zip(&inertia.S) {
            *f -= dot(*S, push);
        }
    }

    /// r ← T̄ᵀ r.
    pub fn rows_of_frame(&self, from: Local, to: Local, r: &mut [f64]) {
        let secant = Secant::new(from, to);
        let inertia = self.inertia();
        let push = scale(1.0 / inertia.mass, [r[0], r[1]]);
        r[2] += dot(secant.turn.rate_of(secant.c), push);
        let push = to_local(secant.turn.mean[0], secant.turn.mean[1], push);
        for (r, S) in r[FRAME..].iter_mut().zip(&inertia.S) {
            *r += dot(*S, push);
        }
    }

    /// D += factor · f̄ of the strain energy of second order, U_2. It is of degree 4 in q_f, so that two points of Gauss on the way
    /// give ∫ ∂U_2/∂q_f, and with it ΔU_2, exactly.
    pub fn add_secant_forces(&self, from: &[f64], to: &[f64], factor: f64, D: &mut [f64]) {
        if let Some(stretching) = &self.stretching {
            let (from, to) = (&from[FRAME..], &to[FRAME..]);
            stretching.add_secant_force(from, to, factor, &mut D[FRAME..]);
        }
    }

    /// D.
    pub fn change(&self, from: Local, to: Local, dt: f64, D: &mut [f64]) {
        let inertia = self.inertia();
        let (S, m) = (&inertia.S, inertia.mass);
        let (d_n, d_n1) = (Derived::of(from), Derived::of(to));
        let (omega_n, omega_n1) = (from.v[2], to.v[2]);
        let (v_n, v_n1) = (&from.v[FRAME..], &to.v[FRAME..]);
        let (c_dot_n, c_dot_n1) = (sum(S, v_n), sum(S, v_n1));
        // ṙ_c and s
        let centre = |d: &Derived, v: &[f64], c_dot: V2| {
            add([v[0], v[1]], scale(1.0 / m, d.turn(add(scale(v[2], perp(d.c)), c_dot))))
        };
        let speed = sub(centre(&d_n1, to.v, c_dot_n1), centre(&d_n, from.v, c_dot_n));
        let spin = |d: &Derived, omega: f64, v: &[f64], c_dot: V2| {
            (d.J - dot(d.c, d.c) / m) * omega + product(d.p, v) - dot(perp(d.c), c_dot) / m
        };
        D[0] = m * speed[0];
        D[1] = m * speed[1];
        D[2] = spin(&d_n1, omega_n1, v_n1, c_dot_n1) - spin(&d_n, omega_n, v_n, c_dot_n);
        // what S_k is multiplied with: −Δ(θ̇ z×c + S̄ q̇_f)/m + dt [θ̇_n θ̇_{n+1} c̄ − ½ z×(S̄ y)]/m
        let squared = omega_n * omega_n1;
        let y_c = add(scale(omega_n, c_dot_n1), scale(omega_n1, c_dot_n));
        let moved = |d: &Derived, omega: f64, c_dot: V2| add(scale(omega, perp(d.c)), c_dot);
        let turned = sub(scale(0.5 * squared, add(d_n.c, d_n1.c)), scale(0.5, perp(y_c)));
        let by_S =
            sub(scale(dt, turned), sub(moved(&d_n1, omega_n1, c_dot_n1), moved(&d_n, omega_n, c_dot_n)));
        let by_S = scale(1.0 / m, by_S);
        for (i, row) in self.rows.iter() {
            let mut sum = 0.0;
            for entry in row {
                let j = entry.column as usize;
                let y = omega_n * v_n1[j] + omega_n1 * v_n[j];
                sum += entry.M * (v_n1[j] - v_n[j]) - 0.5 * dt * entry.B * y;
            }
            let own = d_n1.p[i] * omega_n1 - d_n.p[i] * omega_n;
            let pulled = 0.5 * dt * squared * (d_n.a[i] + d_n1.a[i]);
            D[FRAME + i] = sum + own - pulled + dot(S[i], by_S);
        }
    }
}
