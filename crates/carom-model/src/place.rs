//! Material frames and points of planar bodies, rigid or not.
//!
//! A [`Place`] is a frame that moves with the matter around it: origin x_P and angle φ. A [`Marker`] is a point held
//! rigidly by it, at l:
//!
//! ```text
//!   r = x_P + A(φ) l                      arm a = A(φ) l,   z× turns a vector by +90°
//!   ṙ = ẋ_P + φ̇ z×a                       column of the Jacobian for q_k:  ∂x_P/∂q_k + s_k z×a,   s_k = ∂φ/∂q_k
//!   r̈ = Σ (column) v'_k + bias            bias of x_P, and −φ̇² a
//! ```
//!
//! The frame of a rigid body is its coordinates. A frame on a flexible body is *carried* by shapes S_k, s_k:
//!
//! ```text
//!   in the inertial frame:     x_P = u_0 + Σ S_k q_k,              φ = φ_0 + Σ s_k q_k
//!   on a floating frame R, θ:  x_P = R + A(θ) (u_0 + Σ S_k q_k),   φ = θ + φ_0 + Σ s_k q_k
//!   then   ρ = x_P − R:        ẋ_P = Ṙ + θ̇ z×ρ + A Σ S_k q̇_k,     bias = −θ̇² ρ + 2 θ̇ z×(A Σ S_k q̇_k)
//! ```
//!
//! Joints, forces and contacts know places and markers only. Every place has a slot of four derived numbers
//! (x, y, cos φ, sin φ), ground too, so that asking where it is needs no question about what it is on. φ is linear in q
//! for every body; the angle of a point mass stays 0.

use carom_dynamics::Configuration;
use std::sync::Arc;

/// Derived numbers per place: x, y, cos φ, sin φ.
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

/// a seen from a frame turned by the angle with cosine c and sine s.
pub(crate) fn to_local(c: f64, s: f64, a: V2) -> V2 {
    turn(c, -s, a)
}

/// A material frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// Number of the body; ground comes after the last.
    pub body: u32,
    /// Where its derived numbers begin.
    pub slot: u32,
    pub carrier: Carrier,
}

/// What moves a frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Carrier {
    Ground,
    /// A point mass, by its first coordinate: no angle.
    Point(u32),
    /// A rigid body, by its first coordinate: x, y, φ.
    Rigid(u32),
    /// Shapes of a flexible body.
    Shapes(Arc<Carried>),
}

/// A frame carried by shapes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carried {
    /// First coordinate of the floating frame (R, θ) and where its derived numbers begin; none: the inertial frame.
    pub floating: Option<(u32, u32)>,
    /// u_0.
    pub origin: V2,
    /// φ_0, its cosine and sine.
    pub angle: f64,
    pub turned: V2,
    pub shapes: Vec<Shape>,
    /// Whether φ changes against the frame it is carried by.
    pub bends: bool,
}

/// What one coordinate does to a carried frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub column: u32,
    /// S_k.
    pub S: V2,
    /// s_k.
    pub s: f64,
}

/// Column of the Jacobian of a marker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub index: usize,
    /// ∂r/∂q_k.
    pub J: V2,
    /// Its rate, ∂ṙ/∂q_k.
    pub J_dot: V2,
    /// ∂φ/∂q_k.
    pub s: f64,
}

impl Carried {
    /// cos θ and sin θ of the frame the shapes are written in.
    #[inline]
    fn axes(&self, at: &Configuration) -> (f64, f64) {
        match self.floating {
            Some((_, slot)) => (at.derived()[slot as usize + 2], at.derived()[slot as usize + 3]),
            None => (1.0, 0.0),
        }
    }

    /// Σ S_k x_k.
    #[inline]
    fn sum(&self, x: &[f64]) -> V2 {
        self.shapes.iter().fold([0.0; 2], |sum, shape| add(sum, scale(x[shape.column as usize], shape.S)))
    }

    /// u = u_0 + Σ S_k q_k.
    #[inline]
    pub fn local(&self, q: &[f64]) -> V2 {
        add(self.origin, self.sum(q))
    }

    /// Σ s_k x_k.
    #[inline]
    fn turning(&self, x: &[f64]) -> f64 {
        self.shapes.iter().fold(0.0, |sum, shape| sum + shape.s * x[shape.column as usize])
    }

    /// φ.
    fn angle(&self, q: &[f64]) -> f64 {
        let frame = self.floating.map_or(0.0, |(v, _)| q[v as usize + 2]);
        frame + self.angle + if self.bends { self.turning(q) } else { 0.0 }
    }

    /// (x, y, cos φ, sin φ), with the numbers of the floating frame already derived.
    pub fn derive(&self, q: &[f64], derived: &[f64]) -> [f64; SLOT] {
        let u = self.local(q);
        let (R, c, s) = match self.floating {
            Some((_, slot)) => {
                let frame = &derived[slot as usize..slot as usize + SLOT];
                ([frame[0], frame[1]], frame[2], frame[3])
            }
            None => ([0.0; 2], 1.0, 0.0),
        };
        let r = add(R, turn(c, s, u));
        let [cos, sin] = if self.bends {
            let (sin, cos) = self.angle(q).sin_cos();
            [cos, sin]
        } else {
            turn(c, s, self.turned)
        };
        [r[0], r[1], cos, sin]
    }

    /// θ̇ and A Σ S_k q̇_k; θ̇ = 0 where nothing floats.
    #[inline]
    fn motion(&self, at: &Configuration) -> (f64, V2) {
        let (c, s) = self.axes(at);
        let omega = self.floating.map_or(0.0, |(v, _)| at.v[v as usize + 2]);
        (omega, turn(c, s, self.sum(&at.v)))
    }

    /// x_P − R; zero where nothing floats.
    #[inline]
    fn lever(&self, at: &Configuration, slot: u32) -> V2 {
        match self.floating {
            Some((_, frame)) => {
                let (d, slot, frame) = (at.derived(), slot as usize, frame as usize);
                [d[slot] - d[frame], d[slot + 1] - d[frame + 1]]
            }
            None => [0.0; 2],
        }
    }
}

impl Place {
    pub fn moves(&self) -> bool {
        self.carrier != Carrier::Ground
    }

    /// Whether a velocity turns it.
    pub fn turns(&self) -> bool {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => false,
            Carrier::Rigid(_) => true,
            Carrier::Shapes(carried) => carried.floating.is_some() || carried.bends,
        }
    }

    /// Whether it can take a torque: it turns, or it is ground, which takes all.
    pub fn takes_torque(&self) -> bool {
        self.turns() || !self.moves()
    }

    pub fn is_flexible(&self) -> bool {
        matches!(self.carrier, Carrier::Shapes(_))
    }

    /// (x, y, cos, sin).
    #[inline]
    pub fn frame(&self, at: &Configuration) -> [f64; SLOT] {
        let from = self.slot as usize;
        at.derived()[from..from + SLOT].try_into().expect("a slot has four numbers")
    }

    /// φ.
    #[inline]
    pub fn angle(&self, at: &Configuration) -> f64 {
        match &self.carrier {
            Carrier::Rigid(v) => at.q()[*v as usize + 2],
            Carrier::Shapes(carried) => carried.angle(at.q()),
            Carrier::Ground | Carrier::Point(_) => 0.0,
        }
    }

    /// φ̇.
    #[inline]
    pub fn omega(&self, at: &Configuration) -> f64 {
        match &self.carrier {
            Carrier::Rigid(v) => at.v[*v as usize + 2],
            Carrier::Shapes(carried) => {
                let frame = carried.floating.map_or(0.0, |(v, _)| at.v[v as usize + 2]);
                frame + if carried.bends { carried.turning(&at.v) } else { 0.0 }
            }
            Carrier::Ground | Carrier::Point(_) => 0.0,
        }
    }

    /// Velocity of the origin.
    #[inline]
    pub fn velocity(&self, at: &Configuration) -> V2 {
        match &self.carrier {
            Carrier::Ground => [0.0; 2],
            Carrier::Point(v) | Carrier::Rigid(v) => [at.v[*v as usize], at.v[*v as usize + 1]],
            Carrier::Shapes(carried) => {
                let (omega, deforming) = carried.motion(at);
                let Some((v, _)) = carried.floating else { return deforming };
                let R_dot = [at.v[v as usize], at.v[v as usize + 1]];
                add(add(R_dot, scale(omega, perp(carried.lever(at, self.slot)))), deforming)
            }
        }
    }

    /// The part of the acceleration of the origin that contains no v'.
    #[inline]
    pub fn bias(&self, at: &Configuration) -> V2 {
        match &self.carrier {
            Carrier::Shapes(carried) if carried.floating.is_some() => {
                let (omega, deforming) = carried.motion(at);
                let centripetal = scale(-omega * omega, carried.lever(at, self.slot));
                add(centripetal, scale(2.0 * omega, perp(deforming)))
            }
            _ => [0.0; 2],
        }
    }

    /// Entries of the row that measures the velocity along d of the material point at `arm`, plus `turn` · φ̇.
    #[inline]
    pub fn row(&self, at: &Configuration, d: V2, arm: V2, turn: f64, mut entry: impl FnMut(usize, f64)) {
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(v) => {
                entry(*v as usize, d[0]);
                entry(*v as usize + 1, d[1]);
            }
            Carrier::Rigid(v) => {
                entry(*v as usize, d[0]);
                entry(*v as usize + 1, d[1]);
                entry(*v as usize + 2, cross(arm, d) + turn);
            }
            Carrier::Shapes(carried) => {
                let torque = cross(arm, d) + turn;
                let (c, s) = carried.axes(at);
                if let Some((v, _)) = carried.floating {
                    entry(v as usize, d[0]);
                    entry(v as usize + 1, d[1]);
                    entry(v as usize + 2, cross(carried.lever(at, self.slot), d) + torque);
                }
                let local = to_local(c, s, d);
                for shape in &carried.shapes {
                    entry(shape.column as usize, dot(local, shape.S) + torque * shape.s);
                }
            }
        }
    }

    /// Entries (row, column, value) of the rows that measure the velocity of the material point at `arm` along x and y.
    #[inline]
    pub fn rows(&self, at: &Configuration, arm: V2, mut entry: impl FnMut(usize, usize, f64)) {
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(v) | Carrier::Rigid(v) => {
                let v = *v as usize;
                entry(0, v, 1.0);
                entry(1, v + 1, 1.0);
                if self.turns() {
                    entry(0, v + 2, -arm[1]);
                    entry(1, v + 2, arm[0]);
                }
            }
            Carrier::Shapes(_) => {
                self.row(at, [1.0, 0.0], arm, 0.0, |column, value| entry(0, column, value));
                self.row(at, [0.0, 1.0], arm, 0.0, |column, value| entry(1, column, value));
            }
        }
    }

    /// Entries of φ̇.
    #[inline]
    pub fn turning_row(&self, mut entry: impl FnMut(usize, f64)) {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => {}
            Carrier::Rigid(v) => entry(*v as usize + 2, 1.0),
            Carrier::Shapes(carried) => {
                if let Some((v, _)) = carried.floating {
                    entry(v as usize + 2, 1.0);
                }
                if carried.bends {
                    carried.shapes.iter().for_each(|shape| entry(shape.column as usize, shape.s));
                }
            }
        }
    }

    /// Columns of the Jacobian of the material point at `arm`.
    #[inline]
    pub fn columns(&self, at: &Configuration, arm: V2, mut each: impl FnMut(Column)) {
        let along = |v: u32, each: &mut dyn FnMut(Column)| {
            each(Column { index: v as usize, J: [1.0, 0.0], J_dot: [0.0; 2], s: 0.0 });
            each(Column { index: v as usize + 1, J: [0.0, 1.0], J_dot: [0.0; 2], s: 0.0 });
        };
        match &self.carrier {
            Carrier::Ground => {}
            Carrier::Point(v) => along(*v, &mut each),
            Carrier::Rigid(v) => {
                along(*v, &mut each);
                let omega = at.v[*v as usize + 2];
                each(Column { index: *v as usize + 2, J: perp(arm), J_dot: scale(-omega, arm), s: 1.0 });
            }
            Carrier::Shapes(carried) => {
                let (omega, deforming) = carried.motion(at);
                let phi_dot = self.omega(at);
                if let Some((v, _)) = carried.floating {
                    along(v, &mut each);
                    // ∂ṙ/∂θ = z×(ṙ − Ṙ)
                    let lever = carried.lever(at, self.slot);
                    let relative = add(add(scale(omega, perp(lever)), deforming), scale(phi_dot, perp(arm)));
                    let J = perp(add(lever, arm));
                    each(Column { index: v as usize + 2, J, J_dot: perp(relative), s: 1.0 });
                }
                let (c, s) = carried.axes(at);
                for shape in &carried.shapes {
                    let S = turn(c, s, shape.S);
                    let J = add(S, scale(shape.s, perp(arm)));
                    let J_dot = sub(scale(omega, perp(S)), scale(shape.s * phi_dot, arm));
                    each(Column { index: shape.column as usize, J, J_dot, s: shape.s });
                }
            }
        }
    }

    /// Entries (i, j, d·∂²r/∂q_i∂q_j) of the material point at `arm`; those that are always zero are left out.
    #[inline]
    pub fn curvature(&self, at: &Configuration, d: V2, arm: V2, mut entry: impl FnMut(usize, usize, f64)) {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => {}
            Carrier::Rigid(v) => entry(*v as usize + 2, *v as usize + 2, -dot(d, arm)),
            Carrier::Shapes(carried) => {
                let d_arm = dot(d, arm);
                if let Some((v, _)) = carried.floating {
                    let theta = v as usize + 2;
                    entry(theta, theta, -dot(d, carried.lever(at, self.slot)) - d_arm);
                    let (c, s) = carried.axes(at);
                    for shape in &carried.shapes {
                        let value = dot(d, perp(turn(c, s, shape.S))) - shape.s * d_arm;
                        entry(theta, shape.column as usize, value);
                        entry(shape.column as usize, theta, value);
                    }
                }
                if carried.bends {
                    for i in &carried.shapes {
                        for j in &carried.shapes {
                            entry(i.column as usize, j.column as usize, -i.s * j.s * d_arm);
                        }
                    }
                }
            }
        }
    }

    /// h += force f at `arm`.
    #[inline]
    pub fn push(&self, at: &Configuration, f: V2, arm: V2, h: &mut [f64]) {
        self.row(at, f, arm, 0.0, |i, value| h[i] += value);
    }

    /// h += torque.
    #[inline]
    pub fn push_torque(&self, torque: f64, h: &mut [f64]) {
        self.turning_row(|i, value| h[i] += torque * value);
    }
}

/// A point held by a place, in its frame.
#[derive(Clone, Debug, PartialEq)]
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

    /// The part of r̈ that contains no v'.
    #[inline]
    pub fn bias(&self, at: &Configuration, placed: &Placed) -> V2 {
        let omega = self.place.omega(at);
        add(self.place.bias(at), scale(-omega * omega, placed.arm))
    }

    /// Whether it sits in the origin of a rigid body, so that turning does not move it.
    fn is_centre(&self) -> bool {
        self.local == [0.0; 2] && matches!(self.place.carrier, Carrier::Rigid(_))
    }

    /// Columns of its Jacobian; that of an angle which does not move it is left out.
    #[inline]
    pub fn columns(&self, at: &Configuration, placed: &Placed, mut each: impl FnMut(Column)) {
        let centre = self.is_centre();
        self.place.columns(at, placed.arm, |column| {
            if !(centre && column.s != 0.0) {
                each(column);
            }
        });
    }

    /// Entries (i, j, d·∂²r/∂q_i∂q_j); those that are always zero are left out.
    #[inline]
    pub fn curvature(
        &self,
        at: &Configuration,
        d: V2,
        placed: &Placed,
        entry: impl FnMut(usize, usize, f64),
    ) {
        if !self.is_centre() {
            self.place.curvature(at, d, placed.arm, entry);
        }
    }
}
