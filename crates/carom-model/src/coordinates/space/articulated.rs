//! a = M⁻¹ f in O(n): articulated bodies in space.                        [Haddouni2015] §1.1.2 (recursive algorithms)
//!
//! A subtree seen through its root is a body with an inertia Â of 6×6 about a point and a force p̂ it pushes back with,
//!
//! ```text
//!   (F, T) = Â (a, α) + p̂,      Â = [ L  N; Nᵀ  J ]
//!   at a point c away:          N ← N + L c~,    J ← J + Wᵀ c~ + (Wᵀ c~)ᵀ,   W = N + L c~/2,     p̂_T ← p̂_T − c×p̂_F
//! ```
//!
//! all in inertial components: from link to link only the point changes. From the leaves to the ground,
//!
//! ```text
//!   one velocity, screw S       U = Â S,   D = S·U,   u = f − S·p̂,     Â ← Â − U Uᵀ/D,   p̂ ← p̂ + U u/D
//!   a ball, at its centre       α = α_0 − Y a,   Y = J⁻¹ Nᵀ,   α_0 = J⁻¹ (A f − p̂_T),      L ← L − N Y,   p̂_F ← p̂_F + N α_0,   p̂_T ← A f
//! ```
//!
//! after a ball L and p̂ alone are left: it hands on no torque but f. From the ground to the leaves e' = (u − U·a)/D, a ← a + S e', and
//! e' = Aᵀ (α − α_P) of a ball. A free body is a ball on three slides, L a = f − p̂_F. No accelerations but those of the
//! velocities e are in it: ν is part of the force already.
//!
//! Exact, no factorisation, no fill; a link costs the same however long the chain.

use super::kinematics::{Frames, add6, dot6, halves, six};
use super::tree::{Hinge, Link, Tree};
use crate::geometry::space::{M3, V3, times, transposed_times};
use crate::geometry::{Vector, add, scale, sub};
use carom_dynamics::rotation::cross;

/// Symmetric: xx, xy, xz, yy, yz, zz.
type Sym = [f64; 6];

/// Numbers of a body: L, N, J, p̂; of the elimination of a velocity: U, D, u; a ball has three of these for Y and α_0.
const BODY: usize = 27;
const ELIMINATED: usize = 8;

/// An articulated body about a point.
#[derive(Clone, Copy, Debug)]
struct Body {
    L: Sym,
    N: M3,
    J: Sym,
    p: [f64; 6],
}

#[inline]
fn rows(S: &Sym) -> M3 {
    [[S[0], S[1], S[2]], [S[1], S[3], S[4]], [S[2], S[4], S[5]]]
}

#[inline]
fn sym_times(S: &Sym, x: V3) -> V3 {
    [
        S[0] * x[0] + S[1] * x[1] + S[2] * x[2],
        S[1] * x[0] + S[3] * x[1] + S[4] * x[2],
        S[2] * x[0] + S[4] * x[1] + S[5] * x[2],
    ]
}

#[inline]
fn inverse(S: &Sym) -> Sym {
    let [xx, xy, xz, yy, yz, zz] = *S;
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let s = 1.0 / (xx * a + xy * b + xz * c);
    [s * a, s * b, s * c, s * (xx * zz - xz * xz), s * (xy * xz - xx * yz), s * (xx * yy - xy * xy)]
}

impl Body {
    /// Of one rigid body about its centre, without the force.
    #[inline]
    fn of(link: &Link, A: &M3) -> Self {
        let m = link.mass;
        // A J Aᵀ
        let B = [0, 1, 2].map(|i| times(&link.inertia, A[i]));
        let J =
            [A[0].dot(B[0]), A[1].dot(B[0]), A[2].dot(B[0]), A[1].dot(B[1]), A[2].dot(B[1]), A[2].dot(B[2])];
        Self { L: [m, 0.0, 0.0, m, 0.0, m], N: [[0.0; 3]; 3], J, p: [0.0; 6] }
    }

    #[inline]
    fn read(x: &[f64; BODY]) -> Self {
        let mut new = Self { L: [0.0; 6], N: [[0.0; 3]; 3], J: [0.0; 6], p: [0.0; 6] };
        new.L.copy_from_slice(&x[..6]);
        (0..3).for_each(|i| new.N[i].copy_from_slice(&x[6 + 3 * i..9 + 3 * i]));
        new.J.copy_from_slice(&x[15..21]);
        new.p.copy_from_slice(&x[21..]);
        new
    }

    #[inline]
    fn add_to(&self, x: &mut [f64; BODY]) {
        (0..6).for_each(|i| x[i] += self.L[i]);
        (0..9).for_each(|i| x[6 + i] += self.N[i / 3][i % 3]);
        (0..6).for_each(|i| x[15 + i] += self.J[i]);
        (0..6).for_each(|i| x[21 + i] += self.p[i]);
    }

    /// About the point c away.
    #[inline]
    fn moved(&self, c: V3) -> Self {
        let L = rows(&self.L);
        // rows of L c~
        let Z = L.map(|row| cross(row, c));
        let N = [0, 1, 2].map(|i| add(self.N[i], Z[i]));
        let W = [0, 1, 2].map(|i| add(self.N[i], scale(0.5, Z[i])));
        let V = [0, 1, 2].map(|i| cross([W[0][i], W[1][i], W[2][i]], c));
        let J = [
            self.J[0] + 2.0 * V[0][0],
            self.J[1] + V[0][1] + V[1][0],
            self.J[2] + V[0][2] + V[2][0],
            self.J[3] + 2.0 * V[1][1],
            self.J[4] + V[1][2] + V[2][1],
            self.J[5] + 2.0 * V[2][2],
        ];
        let (F, T) = halves(&self.p);
        Self { L: self.L, N, J, p: six(F, sub(T, cross(c, F))) }
    }

    /// Â S.
    #[inline]
    fn times(&self, S: &[f64; 6]) -> [f64; 6] {
        let (c, a) = halves(S);
        six(
            add(sym_times(&self.L, c), times(&self.N, a)),
            add(transposed_times(&self.N, c), sym_times(&self.J, a)),
        )
    }

    /// Â − s U Uᵀ.
    #[inline]
    fn less(&mut self, s: f64, U: &[f64; 6]) {
        let (f, t) = halves(U);
        let (sf, st) = (scale(s, f), scale(s, t));
        let own = |S: &mut Sym, x: V3, y: V3| {
            S[0] -= x[0] * y[0];
            S[1] -= x[0] * y[1];
            S[2] -= x[0] * y[2];
            S[3] -= x[1] * y[1];
            S[4] -= x[1] * y[2];
            S[5] -= x[2] * y[2];
        };
        own(&mut self.L, sf, f);
        own(&mut self.J, st, t);
        (0..3).for_each(|i| (0..3).for_each(|j| self.N[i][j] -= sf[i] * t[j]));
    }

    /// Takes a ball at the point out: L and p̂_F are left. Gives Y and α_0.
    #[inline]
    fn release(&mut self, torque: V3) -> (M3, V3) {
        let inverse = inverse(&self.J);
        let (F, T) = halves(&self.p);
        let alpha_0 = sym_times(&inverse, sub(torque, T));
        // columns of Y are J⁻¹ (rows of N)
        let Y = self.N.map(|row| sym_times(&inverse, row));
        let N = &self.N;
        // (N Y)_ij = N_i · J⁻¹ N_j
        self.L[0] -= N[0].dot(Y[0]);
        self.L[1] -= N[0].dot(Y[1]);
        self.L[2] -= N[0].dot(Y[2]);
        self.L[3] -= N[1].dot(Y[1]);
        self.L[4] -= N[1].dot(Y[2]);
        self.L[5] -= N[2].dot(Y[2]);
        // whatever turns it in the joint, the parent has to hold against
        self.p = six(add(F, times(N, alpha_0)), torque);
        self.N = [[0.0; 3]; 3];
        self.J = [0.0; 6];
        (Y, alpha_0)
    }
}

/// How many numbers the work takes.
pub(super) fn room(links: usize, coordinates: usize) -> usize {
    BODY * links + ELIMINATED * coordinates
}

/// a = M⁻¹ force.
pub(super) fn solve(tree: &Tree, frames: Frames<'_>, work: &mut [f64], force: &[f64], a: &mut [f64]) {
    let (bodies, rest) = work.split_at_mut(BODY * tree.links.len());
    let bodies = bodies.as_chunks_mut::<BODY>().0;
    let eliminated = rest[..ELIMINATED * tree.coordinates.len()].as_chunks_mut::<ELIMINATED>().0;
    bodies.as_flattened_mut().fill(0.0);
    eliminate(tree, frames, bodies, eliminated, force);
    substitute(tree, frames, bodies, eliminated, a);
}

/// From the tips to the ground: articulated bodies, and what is left of each coordinate.
#[inline]
fn eliminate(
    tree: &Tree,
    frames: Frames<'_>,
    bodies: &mut [[f64; BODY]],
    eliminated: &mut [[f64; ELIMINATED]],
    force: &[f64],
) {
    for (k, link) in tree.links.iter().enumerate().rev() {
        let A = frames.A(k);
        Body::of(link, &A).add_to(&mut bodies[k]);
        let mut body = Body::read(&bodies[k]);
        let v = link.v.clone();
        match link.way.hinge {
            Hinge::Free | Hinge::FreePoint => {
                let first = v.start;
                let mut released = ([[0.0; 3]; 3], [0.0; 3]);
                if link.way.hinge == Hinge::Free {
                    released = body.release(times(&A, V3::read(&force[first + 3..])));
                }
                let push = sub(V3::read(&force[first..]), halves(&body.p).0);
                let lin = sym_times(&inverse(&body.L), push);
                // Y and α_0, where the ball is; then the acceleration
                if link.way.hinge == Hinge::Free {
                    keep(&mut eliminated[first + 3..first + 6], released);
                }
                eliminated[first][..3].copy_from_slice(&lin);
                continue;
            }
            Hinge::Ball => {
                let first = v.start;
                let to_joint = frames.to_joint(k);
                body = body.moved(to_joint);
                let released = body.release(times(&A, V3::read(&force[first..])));
                keep(&mut eliminated[first..first + 3], released);
                if let Some(parent) = link.parent {
                    // the joint seen from the parent
                    let arm = add(frames.arm(link, k), to_joint);
                    body.moved(scale(-1.0, arm)).add_to(&mut bodies[parent]);
                }
                continue;
            }
            _ => {}
        }
        for i in v.rev() {
            let S = frames.screw(i);
            let U = body.times(S);
            let (D, u) = (dot6(S, &U), force[i] - dot6(S, &body.p));
            body.less(1.0 / D, &U);
            add6(&mut body.p, u / D, &U);
            eliminated[i] = [U[0], U[1], U[2], U[3], U[4], U[5], D, u];
        }
        if let Some(parent) = link.parent {
            body.moved(scale(-1.0, frames.arm(link, k))).add_to(&mut bodies[parent]);
        }
    }
}

/// From the ground to the tips: accelerations.
#[inline]
fn substitute(
    tree: &Tree,
    frames: Frames<'_>,
    bodies: &mut [[f64; BODY]],
    eliminated: &[[f64; ELIMINATED]],
    a: &mut [f64],
) {
    for (k, link) in tree.links.iter().enumerate() {
        let (mut lin, mut ang) = ([0.0; 3], [0.0; 3]);
        let first = link.v.start;
        if let Some(parent) = link.parent {
            let of = &bodies[parent];
            (lin, ang) = ([of[0], of[1], of[2]], [of[3], of[4], of[5]]);
        }
        let acceleration = match link.way.hinge {
            Hinge::FreePoint => {
                let lin = V3::read(&eliminated[first]);
                a[first..first + 3].copy_from_slice(&lin);
                six(lin, [0.0; 3])
            }
            Hinge::Free => {
                let lin = V3::read(&eliminated[first]);
                a[first..first + 3].copy_from_slice(&lin);
                let alpha = turned(&eliminated[first + 3..first + 6], lin);
                a[first + 3..first + 6].copy_from_slice(&transposed_times(&frames.A(k), alpha));
                six(lin, alpha)
            }
            Hinge::Ball => {
                let to_joint = frames.to_joint(k);
                let at_joint = add(lin, cross(ang, add(frames.arm(link, k), to_joint)));
                let alpha = turned(&eliminated[first..first + 3], at_joint);
                let own = transposed_times(&frames.A(k), sub(alpha, ang));
                a[first..first + 3].copy_from_slice(&own);
                six(sub(at_joint, cross(alpha, to_joint)), alpha)
            }
            _ => {
                let mut acceleration = six(add(lin, cross(ang, frames.arm(link, k))), ang);
                for i in link.v.clone() {
                    let [x, y, z, p, q, r, D, u] = eliminated[i];
                    a[i] = (u - dot6(&[x, y, z, p, q, r], &acceleration)) / D;
                    add6(&mut acceleration, a[i], frames.screw(i));
                }
                acceleration
            }
        };
        bodies[k][..6].copy_from_slice(&acceleration);
    }
}

/// Y and α_0 in the place of three eliminated velocities.
#[inline]
fn keep(place: &mut [[f64; ELIMINATED]], (Y, alpha_0): (M3, V3)) {
    for i in 0..3 {
        place[i][..3].copy_from_slice(&Y[i]);
        place[i][3] = alpha_0[i];
    }
}

/// α_0 − Y a; the columns of Y are kept.
#[inline]
fn turned(place: &[[f64; ELIMINATED]], a: V3) -> V3 {
    [0, 1, 2].map(|n| place[n][3] - place[0][n] * a[0] - place[1][n] * a[1] - place[2][n] * a[2])
}
