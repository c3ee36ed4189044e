//! What a contact obeys, as data: an interval for its first row and up to two disks whose radius is μ times that row.
//!
//! The rows of a contact are (N), (N, T) or (N, T, R). P_N lies in an interval: everything (a joint), a half line (a contact) or
//! [low, high] (dry friction with a given bound, a stop that gives way). Each disk has one row or two, |P_T| ≤ μ P_N and
//! |M_R| ≤ μ_r P_N. With K the set of all P that are allowed, every law is the projection equation
//!
//! ```text
//!   P = proj_K( P − ρ (U + s e_N) ),      s = μ |U_T| + μ_r |Ω_R|,      any ρ > 0              [DeSaxce1998]
//! ```
//!
//! and, with z = P − ρ U, equally the Alart–Curnier equation P = A(z),                              [Alart1991]
//!
//! ```text
//!   A_N = proj of z_N onto its interval,      A_T = proj of z_T onto the disk of radius μ A_N,      A_R of z_R onto that of μ_r A_N.
//! ```
//!
//! A is piecewise smooth: [`Law::piece`] names the piece z lies in, which is all a Newton method needs to know.
//!
//! | law | interval | disks |
//! |---|---|---|
//! | [`bilateral`](Law::bilateral) | free | |
//! | [`unilateral`](Law::unilateral) | half line | |
//! | [`dry`](Law::dry), [`limited`](Law::limited) | [−bound, bound], [low, high] | |
//! | [`planar_coulomb`](Law::planar_coulomb) | half line | 1 row |
//! | [`spatial_coulomb`](Law::spatial_coulomb) | half line | 2 rows |
//! | [`spatial_rolling`](Law::spatial_rolling) | half line | 2 rows, 2 rows |
//!
//! Any other is written down as it is: `Law::unilateral().and_disk(1, mu).and_disk(1, mu_r)` is rolling resistance in the plane,
//! `and_disk(2, mu).and_disk(1, mu_d)` drilling friction, two disks of one row each a friction that differs along two axes.
//! A second disk may have a unit of its own (`matrix/row_units.rs`).

use serde::{Deserialize, Serialize};

/// Most rows a contact has.
pub(crate) const MOST_ROWS: usize = 5;

/// The law of one contact, in its own rows of (U, P).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Words", into = "Words")]
pub struct Law {
    normal: Normal,
    /// Rows of each disk, 0 where there is none.
    rows: [u8; 2],
    /// Rows of U and P: one, and those of the disks.
    dim: u8,
    /// low and high of an interval; μ of each disk of a half line.
    numbers: [f64; 2],
}

/// Where P of the first row may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Normal {
    /// Everywhere: U = 0.
    Free,
    /// P ≥ 0: 0 ≤ U ⊥ P ≥ 0. Alone among the three it may carry disks.
    HalfLine,
    /// low ≤ P ≤ high: U = 0 between the ends, U ≥ 0 at the low one, U ≤ 0 at the high one.
    Interval,
}

/// A disk |P_T| ≤ μ P_N in one row, where it is the interval from −μ P_N to μ P_N, or in two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Its first row among those of the contact.
    pub first: usize,
    /// 1 or 2.
    pub rows: usize,
    /// μ ≥ 0; of a second disk with moments in it a length.
    pub mu: f64,
}

/// The smooth piece of the Alart–Curnier map that a point z = P − ρ U lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LawPiece {
    /// P = 0.
    Open,
    /// U = 0 in every row: a joint, a closed frictionless contact, or one that sticks.
    Closed,
    /// P at this end of its interval.
    AtEnd(f64),
    /// With one disk, U_N = 0 and P_T on its bound, pointing along this unit vector (against the sliding velocity).
    Slide([f64; 2]),
    /// With two disks, U_N = 0 and one or both of P_T and M_R on their bound, pointing along z_T and z_R; U = 0 in a disk that
    /// is not.
    OnDisks([bool; 2]),
}

impl Law {
    const fn of(normal: Normal, rows: [u8; 2], numbers: [f64; 2]) -> Self {
        Self { normal, rows, dim: 1 + rows[0] + rows[1], numbers }
    }

    /// U = 0, P free. One row.
    pub const fn bilateral() -> Self {
        Self::of(Normal::Free, [0; 2], [0.0; 2])
    }

    /// 0 ≤ U ⊥ P ≥ 0. One row.
    pub const fn unilateral() -> Self {
        Self::of(Normal::HalfLine, [0; 2], [0.0; 2])
    }

    /// Signorini and Coulomb in the plane, rows (N, T): 0 ≤ U_N ⊥ P_N ≥ 0, −P_T ∈ μ P_N Sgn(U_T), μ ≥ 0.
    pub const fn planar_coulomb(friction: f64) -> Self {
        Self::of(Normal::HalfLine, [1, 0], [friction, 0.0])
    }

    /// Signorini and Coulomb in space, rows (N, T1, T2): the friction disk.
    pub const fn spatial_coulomb(friction: f64) -> Self {
        Self::of(Normal::HalfLine, [2, 0], [friction, 0.0])
    }

    /// The same with rolling resistance, rows (N, T1, T2, R1, R2): P = (P_N, P_T, M_R), U = (U_N, U_T, Ω_R), where Ω_R is the
    /// tangential part of the relative angular velocity and M_R the moment against it, −M_R ∈ μ_r P_N ∂|Ω_R|. μ_r is a
    /// length: the lever arm of the resistance.
    pub const fn spatial_rolling(friction: f64, rolling: f64) -> Self {
        Self::of(Normal::HalfLine, [2, 2], [friction, rolling])
    }

    /// Dry friction with a given bound: −P ∈ bound · Sgn(U). One row; joints that rub. An infinite bound holds like a joint.
    pub const fn dry(bound: f64) -> Self {
        Self::limited(-bound, bound)
    }

    /// low ≤ P ≤ high: a row that holds until it gives way. `limited(0.0, most)` is a stop, `dry` has both ends alike. Both ends
    /// are finite or neither is.
    pub const fn limited(low: f64, high: f64) -> Self {
        Self::of(Normal::Interval, [0; 2], [low, high])
    }

    /// The same law with one more disk of one row or two behind the rows it has. Panics where there is no room for it: only a half
    /// line carries disks, and two at most.
    pub const fn and_disk(mut self, rows: usize, mu: f64) -> Self {
        assert!(matches!(self.normal, Normal::HalfLine), "only P_N ≥ 0 is a radius");
        assert!(rows == 1 || rows == 2, "a disk has one row or two");
        assert!(self.rows[1] == 0, "a law has two disks at most");
        let place = if self.rows[0] == 0 { 0 } else { 1 };
        self.rows[place] = rows as u8;
        self.dim += rows as u8;
        self.numbers[place] = mu;
        self
    }

    /// Where P_N may lie.
    #[inline]
    pub fn normal(&self) -> Normal {
        self.normal
    }

    /// low and high, where P_N lies in an interval.
    #[inline]
    pub fn interval(&self) -> Option<[f64; 2]> {
        if self.normal == Normal::Interval { Some(self.numbers) } else { None }
    }

    /// The largest P of dry friction; none of other laws.
    #[inline]
    pub fn bound(&self) -> Option<f64> {
        if self.normal == Normal::Interval { Some(self.numbers[1]) } else { None }
    }

    /// Rows of the first disk and of the second, 0 where there is none: what closed forms are chosen by.
    #[inline]
    pub fn disk_rows(&self) -> [u8; 2] {
        self.rows
    }

    /// The disks, in the order of their rows.
    #[inline]
    pub fn disks(&self) -> impl Iterator<Item = Disk> {
        self.two_disks().into_iter().filter(|disk| disk.rows > 0)
    }

    /// Both disks, of which one that is not there has no rows.
    #[inline]
    pub(crate) fn two_disks(&self) -> [Disk; 2] {
        let (rows, mu) = (self.rows.map(usize::from), self.numbers);
        [Disk { first: 1, rows: rows[0], mu: mu[0] }, Disk { first: 1 + rows[0], rows: rows[1], mu: mu[1] }]
    }

    /// Whether it has two disks: the second may be of another unit.
    #[inline]
    pub(crate) fn has_two_disks(&self) -> bool {
        self.rows[1] > 0
    }

    /// Rows of U and P.
    #[inline]
    pub fn dim(&self) -> usize {
        usize::from(self.dim)
    }

    /// Euclidean projection of P onto the admissible set K.
    #[inline]
    pub fn project(&self, P: &mut [f64]) {
        match self.rows {
            [0, _] => match self.normal {
                Normal::Free => {}
                Normal::HalfLine => P[0] = P[0].max(0.0),
                Normal::Interval => P[0] = P[0].clamp(self.numbers[0], self.numbers[1]),
            },
            [1, 0] => project_planar(self.numbers[0], P),
            [_, 0] => project_spatial(self.numbers[0], P),
            _ => self.project_two(P),
        }
    }

    /// The Alart–Curnier map: overwrites z = P − ρ U by A(z). A contact obeys its law exactly when A(z) = P.
    pub fn alart_curnier(&self, z: &mut [f64]) {
        match self.piece(z) {
            LawPiece::Open => z[..self.dim()].fill(0.0),
            LawPiece::Closed => {}
            LawPiece::AtEnd(end) => z[0] = end,
            LawPiece::Slide(t) => {
                let mu = self.numbers[0];
                z[1] = mu * z[0] * t[0];
                if self.rows[0] == 2 {
                    z[2] = mu * z[0] * t[1];
                }
            }
            LawPiece::OnDisks(on_bound) => self.onto_disks(on_bound, z),
        }
    }

    /// z onto the bounds of these disks. Out of line, as all that two disks need: the others are to stay small.
    #[inline(never)]
    fn onto_disks(&self, on_bound: [bool; 2], z: &mut [f64]) {
        for (disk, on_bound) in self.two_disks().into_iter().zip(on_bound) {
            if on_bound {
                let t = disk.direction(z);
                (0..disk.rows).for_each(|k| z[disk.first + k] = disk.mu * z[0] * t[k]);
            }
        }
    }

    /// An element of the generalised Jacobian ∂A(z), as rows of a D × D matrix J, D ≥ dim (unused entries are zero).
    pub fn alart_curnier_jacobian<const D: usize>(&self, z: &[f64]) -> [[f64; D]; D] {
        let mut J = [[0.0; D]; D];
        match self.piece(z) {
            LawPiece::Open | LawPiece::AtEnd(_) => {}
            LawPiece::Closed => (0..self.dim()).for_each(|i| J[i][i] = 1.0),
            LawPiece::Slide(t) => {
                J[0][0] = 1.0;
                self.disks().for_each(|disk| disk.jacobian(&mut J, t, z));
            }
            LawPiece::OnDisks(on_bound) => {
                J[0][0] = 1.0;
                for (disk, on_bound) in self.two_disks().into_iter().zip(on_bound) {
                    match on_bound {
                        true => disk.jacobian(&mut J, disk.direction(z), z),
                        false => (0..disk.rows).for_each(|k| J[disk.first + k][disk.first + k] = 1.0),
                    }
                }
            }
        }
        J
    }

    /// The piece of the Alart–Curnier map that z = P − ρ U lies in; boundaries count as open or sliding.
    #[inline]
    pub fn piece(&self, z: &[f64]) -> LawPiece {
        let mu = self.numbers[0];
        match self.rows {
            [0, _] => self.piece_of_a_row(z[0]),
            [1, 0] => {
                if z[0] <= 0.0 {
                    LawPiece::Open
                } else if z[1].abs() < mu * z[0] {
                    LawPiece::Closed
                } else {
                    LawPiece::Slide([1f64.copysign(z[1]), 0.0])
                }
            }
            [_, 0] => {
                let norm = z[1].hypot(z[2]);
                if z[0] <= 0.0 {
                    LawPiece::Open
                } else if norm < mu * z[0] {
                    LawPiece::Closed
                } else if norm > 0.0 {
                    LawPiece::Slide([z[1] / norm, z[2] / norm])
                } else {
                    LawPiece::Slide([1.0, 0.0])
                }
            }
            _ => self.piece_of_two(z),
        }
    }

    #[inline(never)]
    fn piece_of_two(&self, z: &[f64]) -> LawPiece {
        if z[0] <= 0.0 {
            return LawPiece::Open;
        }
        let on_bound = self.two_disks().map(|disk| disk.norm(z) >= disk.mu * z[0]);
        if on_bound == [false; 2] { LawPiece::Closed } else { LawPiece::OnDisks(on_bound) }
    }

    #[inline]
    fn piece_of_a_row(&self, z: f64) -> LawPiece {
        match self.normal {
            Normal::Free => LawPiece::Closed,
            Normal::HalfLine => {
                if z > 0.0 {
                    LawPiece::Closed
                } else {
                    LawPiece::Open
                }
            }
            Normal::Interval => {
                let [low, high] = self.numbers;
                if z > low && z < high {
                    LawPiece::Closed
                } else {
                    let below = if low == -high { z.is_sign_negative() } else { z <= low };
                    LawPiece::AtEnd(if below { low } else { high })
                }
            }
        }
    }

    /// |P − proj_K(P − ρ (U + s e_N))|, zero exactly when (U, P) obeys the law.
    #[inline]
    pub fn residual(&self, U: &[f64], P: &[f64], rho: f64) -> f64 {
        let mu = self.numbers[0];
        match self.rows {
            [0, _] => match self.normal {
                Normal::Free => rho * U[0].abs(),
                // Half line: P − max(0, P − ρ U) = min(P, ρ U), without the cancellation.
                Normal::HalfLine => P[0].min(rho * U[0]).abs(),
                Normal::Interval => {
                    (P[0] - (P[0] - rho * U[0]).clamp(self.numbers[0], self.numbers[1])).abs()
                }
            },
            [1, 0] => {
                let mut z = [P[0] - rho * (U[0] + mu * U[1].abs()), P[1] - rho * U[1]];
                project_planar(mu, &mut z);
                let (d_N, d_T) = (P[0] - z[0], P[1] - z[1]);
                (d_N * d_N + d_T * d_T).sqrt()
            }
            [_, 0] => {
                let shift = mu * U[1].hypot(U[2]);
                let mut z = [P[0] - rho * (U[0] + shift), P[1] - rho * U[1], P[2] - rho * U[2]];
                project_spatial(mu, &mut z);
                z.iter().zip(P).map(|(z, p)| (p - z) * (p - z)).sum::<f64>().sqrt()
            }
            _ => self.residual_of_two(U, P, rho),
        }
    }

    /// The shift s = μ |U_T| + μ_r |Ω_R| of de Saxcé; 0 without friction.
    #[inline]
    pub fn shift(&self, U: &[f64]) -> f64 {
        let [mu, mu_r] = self.numbers;
        match self.rows {
            [0, _] => 0.0,
            [1, 0] => mu * U[1].abs(),
            [2, 0] => mu * (U[1] * U[1] + U[2] * U[2]).sqrt(),
            _ => self.shift_of_two(mu, mu_r, U),
        }
    }

    #[inline(never)]
    fn shift_of_two(&self, mu: f64, mu_r: f64, U: &[f64]) -> f64 {
        let [first, second] = self.rows;
        let size = |at: usize, rows: u8| match rows {
            1 => U[at].abs(),
            _ => (U[at] * U[at] + U[at + 1] * U[at + 1]).sqrt(),
        };
        mu * size(1, first) + mu_r * size(1 + usize::from(first), second)
    }

    /// The same law with its coefficients of friction multiplied.
    pub(crate) fn with_friction_times(mut self, factor: f64) -> Law {
        for (mu, rows) in self.numbers.iter_mut().zip(self.rows) {
            if rows > 0 {
                *mu *= factor;
            }
        }
        self
    }

    /// The same law with lengths of the second disk in multiples of this one.
    pub(crate) fn with_length(mut self, length: f64) -> Law {
        if self.has_two_disks() {
            self.numbers[1] /= length;
        }
        self
    }

    /// Contacts among laws: joints do not count.
    pub fn contacts(laws: &[Law]) -> usize {
        laws.iter().filter(|law| law.normal != Normal::Free).count()
    }

    /// μ of the first disk, 0 without one.
    #[inline]
    pub fn friction(&self) -> f64 {
        if self.rows[0] > 0 { self.numbers[0] } else { 0.0 }
    }

    /// μ_r of the second disk, 0 without one.
    #[inline]
    pub fn rolling(&self) -> f64 {
        if self.rows[1] > 0 { self.numbers[1] } else { 0.0 }
    }

    /// Whether P_N lends something to other rows: a disk with μ > 0.
    #[inline]
    pub(crate) fn rubs(&self) -> bool {
        self.friction() > 0.0 || self.rolling() > 0.0
    }

    /// What is wrong with its numbers: their name, value, and the rule they break.
    pub(crate) fn fault(&self) -> Option<(&'static str, f64, &'static str)> {
        if let Some([low, high]) = self.interval() {
            // without bound it is a joint
            if low == -high || high.is_nan() {
                return (high < 0.0 || high.is_nan()).then_some(("bound", high, "it is never negative"));
            }
            if low > high || low.is_nan() {
                return Some(("upper end", high, "it is never below the lower one"));
            }
            return (!(low.is_finite() && high.is_finite())).then_some((
                "upper end",
                high,
                "both ends are finite or neither is",
            ));
        }
        let named = ["friction", "rolling resistance"].into_iter().zip([self.friction(), self.rolling()]);
        for (name, mu) in named {
            if !(0.0..=f64::MAX).contains(&mu) {
                let rule = if mu == f64::INFINITY { "it is finite" } else { "it is never negative" };
                return Some((name, mu, rule));
            }
        }
        None
    }

    /// Projects (z_N, z_T, z_R) onto { |P_T| ≤ μ p, |M_R| ≤ μ_r p, p ≥ 0 }. With p given, the rest is cut to its disks, so
    /// p is where the increasing function
    ///
    /// ```text
    ///   g(p) = p − z_N − μ (|z_T| − μ p)⁺ − μ_r (|z_R| − μ_r p)⁺
    /// ```
    ///
    /// has its root, or 0 if that is negative. g is the smallest of four increasing lines, so its root is the largest of theirs.
    #[inline(never)]
    fn project_two(&self, z: &mut [f64]) {
        let [mu, mu_r] = self.numbers;
        let (a, b) = (usize::from(self.rows[0]), usize::from(self.rows[1]));
        let [t, r] = [norm(&z[1..1 + a]), norm(&z[1 + a..1 + a + b])];
        let slide = (z[0] + mu * t) / (1.0 + mu * mu);
        let roll = (z[0] + mu_r * r) / (1.0 + mu_r * mu_r);
        let both = (z[0] + mu * t + mu_r * r) / (1.0 + mu * mu + mu_r * mu_r);
        let p = z[0].max(slide).max(roll).max(both).max(0.0);
        let cut = |norm: f64, radius: f64| if norm > radius { radius / norm } else { 1.0 };
        let (cut_t, cut_r) = (cut(t, mu * p), cut(r, mu_r * p));
        z[0] = p;
        z[1..1 + a].iter_mut().for_each(|z| *z *= cut_t);
        z[1 + a..1 + a + b].iter_mut().for_each(|z| *z *= cut_r);
    }

    /// |P − proj_K(P − ρ (U + s e_N))| with two disks.
    #[inline(never)]
    fn residual_of_two(&self, U: &[f64], P: &[f64], rho: f64) -> f64 {
        let mut z = [0.0; MOST_ROWS];
        let z = &mut z[..self.dim()];
        for ((z, P), U) in z.iter_mut().zip(P).zip(U) {
            *z = P - rho * U;
        }
        z[0] -= rho * self.shift(U);
        self.project_two(z);
        z.iter().zip(P).map(|(z, p)| (p - z) * (p - z)).sum::<f64>().sqrt()
    }
}

impl Disk {
    /// |z| in its rows, of all the rows of the contact.
    #[inline]
    pub(crate) fn norm(&self, z: &[f64]) -> f64 {
        norm(&z[self.first..self.first + self.rows])
    }

    /// The unit vector along z in its rows, any if z is zero there.
    pub(crate) fn direction(&self, z: &[f64]) -> [f64; 2] {
        if self.rows == 1 {
            return [1f64.copysign(z[self.first]), 0.0];
        }
        let norm = self.norm(z);
        if norm > 0.0 { [z[self.first] / norm, z[self.first + 1] / norm] } else { [1.0, 0.0] }
    }

    /// κ = μ z_N / |z| where z lies on its bound: what is left of a change of z across its direction.
    pub(crate) fn kappa(&self, z: &[f64]) -> f64 {
        let norm = self.norm(z);
        if norm > 0.0 { self.mu * z[0] / norm } else { 0.0 }
    }

    /// Rows and columns of ∂A where z lies on its bound in direction t: A = μ z_N t, ∂t/∂z = (1 − t tᵀ) / |z|.
    fn jacobian<const D: usize>(&self, J: &mut [[f64; D]; D], t: [f64; 2], z: &[f64]) {
        let at = self.first;
        if self.rows == 1 {
            J[at][0] = self.mu * t[0];
            return;
        }
        let kappa = self.kappa(z);
        for i in 0..2 {
            J[at + i][0] = self.mu * t[i];
            for j in 0..2 {
                J[at + i][at + j] = kappa * (f64::from(u8::from(i == j)) - t[i] * t[j]);
            }
        }
    }
}

/// |x| of one number or two.
#[inline]
fn norm(x: &[f64]) -> f64 {
    match x {
        [x] => x.abs(),
        [x, y] => x.hypot(*y),
        _ => unreachable!("a disk has one row or two"),
    }
}

/// Projects (P_N, P_T) onto the cone in the plane.
#[inline(always)]
fn project_planar(mu: f64, P: &mut [f64]) {
    let (p_N, p_t) = project_cone(mu, P[0], P[1].abs());
    (P[0], P[1]) = (p_N, p_t.copysign(P[1]));
}

/// Projects (P_N, P_T) onto the cone in space.
#[inline(always)]
fn project_spatial(mu: f64, P: &mut [f64]) {
    let norm = P[1].hypot(P[2]);
    let (p_N, p_t) = project_cone(mu, P[0], norm);
    let shrink = if norm > 0.0 { p_t / norm } else { 0.0 };
    (P[0], P[1], P[2]) = (p_N, shrink * P[1], shrink * P[2]);
}

/// Projects (z_N, |z_T|) onto the cone |P_T| ≤ μ P_N: inside it stays, in the polar cone it goes to the tip,
/// between them to the nearest point of the boundary ray (1, μ).
#[inline]
fn project_cone(mu: f64, z_N: f64, z_t: f64) -> (f64, f64) {
    // the polar cone first: with μ = 0 and z_t = 0 the test for the inside holds for negative z_N as well
    if mu * z_t <= -z_N {
        (0.0, 0.0)
    } else if z_t <= mu * z_N {
        (z_N, z_t)
    } else {
        let p_N = (z_N + mu * z_t) / (1.0 + mu * mu);
        (p_N, mu * p_N)
    }
}

/// Laws as files say them: by name where they have one.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Words {
    Bilateral,
    Unilateral,
    PlanarCoulomb {
        friction: f64,
    },
    SpatialCoulomb {
        friction: f64,
    },
    SpatialRolling {
        friction: f64,
        rolling: f64,
    },
    Dry {
        bound: f64,
    },
    Limited {
        low: f64,
        high: f64,
    },
    /// P_N ≥ 0 and two disks, each its rows and μ.
    TwoDisks {
        rows: [u8; 2],
        friction: [f64; 2],
    },
}

impl From<Law> for Words {
    fn from(law: Law) -> Self {
        let [a, b] = law.numbers;
        match (law.normal, law.rows) {
            (Normal::Free, _) => Words::Bilateral,
            (Normal::Interval, _) if a == -b => Words::Dry { bound: b },
            (Normal::Interval, _) => Words::Limited { low: a, high: b },
            (Normal::HalfLine, [0, _]) => Words::Unilateral,
            (Normal::HalfLine, [1, 0]) => Words::PlanarCoulomb { friction: a },
            (Normal::HalfLine, [_, 0]) => Words::SpatialCoulomb { friction: a },
            (Normal::HalfLine, [2, 2]) => Words::SpatialRolling { friction: a, rolling: b },
            (Normal::HalfLine, rows) => Words::TwoDisks { rows, friction: [a, b] },
        }
    }
}

impl TryFrom<Words> for Law {
    type Error = &'static str;
    fn try_from(words: Words) -> Result<Self, Self::Error> {
        Ok(match words {
            Words::Bilateral => Law::bilateral(),
            Words::Unilateral => Law::unilateral(),
            Words::PlanarCoulomb { friction } => Law::planar_coulomb(friction),
            Words::SpatialCoulomb { friction } => Law::spatial_coulomb(friction),
            Words::SpatialRolling { friction, rolling } => Law::spatial_rolling(friction, rolling),
            Words::Dry { bound } => Law::dry(bound),
            Words::Limited { low, high } => Law::limited(low, high),
            Words::TwoDisks { rows: rows @ [1 | 2, 1 | 2], friction } => {
                Law::of(Normal::HalfLine, rows, friction)
            }
            Words::TwoDisks { .. } => return Err("a disk has one row or two"),
        })
    }
}
