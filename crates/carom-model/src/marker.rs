//! Material points of planar bodies.
//!
//! ```text
//!   r = x_B + A(φ) l                 arm a = A(φ) l,   z× turns a vector by +90°
//!   ṙ = ẋ_B + ω z×a                  rows of the Jacobian along d:  (d_x, d_y, d·(z×a))
//!   r̈ = ẍ_B + ω̇ z×a − ω² a           bias −ω² a
//! ```
//!
//! Every body has a slot of four derived numbers (x, y, cos φ, sin φ). Ground has one too, the last, so that asking
//! for a place needs no question about what the body is. The angle of a point mass stays 0.

use carom_dynamics::Configuration;

/// Derived numbers per body: x, y, cos φ, sin φ.
pub(crate) const SLOT: usize = 4;

/// A vector of the plane.
pub(crate) type V2 = [f64; 2];

pub(crate) fn add(a: V2, b: V2) -> V2 {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn sub(a: V2, b: V2) -> V2 {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn scale(s: f64, a: V2) -> V2 {
    [s * a[0], s * a[1]]
}

pub(crate) fn dot(a: V2, b: V2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// z-component of a × b.
pub(crate) fn cross(a: V2, b: V2) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// z × a: a turned by +90°.
pub(crate) fn perp(a: V2) -> V2 {
    [-a[1], a[0]]
}

pub(crate) fn norm(a: V2) -> f64 {
    a[0].hypot(a[1])
}

/// a turned by the angle with cosine c and sine s.
pub(crate) fn turn(c: f64, s: f64, a: V2) -> V2 {
    [c * a[0] - s * a[1], s * a[0] + c * a[1]]
}

/// Where a body's coordinates are. Ground has none, a point mass has no angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Number of the slot of derived numbers.
    pub slot: u32,
    /// First coordinate; angle is the third.
    pub v: u32,
    /// 0 for ground, 2 for a point mass, 3 for a rigid body.
    pub dofs: u8,
}

impl Place {
    pub fn moves(&self) -> bool {
        self.dofs > 0
    }

    pub fn turns(&self) -> bool {
        self.dofs == 3
    }

    /// Column of the angle; only for bodies that turn.
    pub fn angle_column(&self) -> usize {
        self.v as usize + 2
    }

    /// (x, y, cos, sin).
    #[inline]
    pub fn frame(&self, at: &Configuration) -> [f64; SLOT] {
        let from = SLOT * self.slot as usize;
        at.derived()[from..from + SLOT].try_into().expect("a slot has four numbers")
    }

    /// φ.
    #[inline]
    pub fn angle(&self, at: &Configuration) -> f64 {
        if self.turns() { at.q()[self.angle_column()] } else { 0.0 }
    }

    /// ω.
    #[inline]
    pub fn omega(&self, at: &Configuration) -> f64 {
        if self.turns() { at.v[self.angle_column()] } else { 0.0 }
    }

    /// Velocity of the origin.
    #[inline]
    pub fn velocity(&self, at: &Configuration) -> V2 {
        if self.moves() { [at.v[self.v as usize], at.v[self.v as usize + 1]] } else { [0.0; 2] }
    }

    /// Entries of the row that measures the velocity along d of the material point at `arm`, plus `turn` · ω.
    #[inline]
    pub fn row(&self, d: V2, arm: V2, turn: f64, mut entry: impl FnMut(usize, f64)) {
        if self.moves() {
            let v = self.v as usize;
            entry(v, d[0]);
            entry(v + 1, d[1]);
            if self.turns() {
                entry(v + 2, cross(arm, d) + turn);
            }
        }
    }

    /// h += force f at `arm`.
    #[inline]
    pub fn push(&self, f: V2, arm: V2, h: &mut [f64]) {
        self.row(f, arm, 0.0, |i, value| h[i] += value);
    }
}

/// A point of a body, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Marker {
    pub place: Place,
    pub local: V2,
}

/// A marker at one configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    /// r.
    pub r: V2,
    /// A(φ) l.
    pub arm: V2,
}

impl Marker {
    #[inline]
    pub fn at(&self, at: &Configuration) -> Placed {
        let [x, y, c, s] = self.place.frame(at);
        let arm = turn(c, s, self.local);
        Placed { r: [x + arm[0], y + arm[1]], arm }
    }

    /// ṙ.
    #[inline]
    pub fn velocity(&self, at: &Configuration, placed: &Placed) -> V2 {
        add(self.place.velocity(at), scale(self.place.omega(at), perp(placed.arm)))
    }

    /// −ω² a.
    #[inline]
    pub fn bias(&self, at: &Configuration, placed: &Placed) -> V2 {
        let omega = self.place.omega(at);
        scale(-omega * omega, placed.arm)
    }

    /// Whether the angle of the body changes the place of the point.
    pub fn has_arm(&self) -> bool {
        self.place.turns() && self.local != [0.0, 0.0]
    }
}
