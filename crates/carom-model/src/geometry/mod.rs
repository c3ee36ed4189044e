//! What a model must know of the space it moves in.
//!
//! Everything that is one formula in any number of dimensions (places, points that coincide, springs, the assembly of a
//! model) is written once against [`Geometry`]. What differs in kind, not in size, is a vocabulary of its own: joints that
//! hold an orientation, shapes that touch, elements that bend.
//!
//! ```text
//!   V           a vector: place, velocity, force
//!   W           an angular velocity or a torque, in inertial components
//!   Frame       origin r and axes A of a material frame;   ȧ = Ω × a for an arm a = A l
//!   q, v        of a rigid body: place and orientation; ṙ, then the angular velocity in body components ω = Aᵀ Ω
//!   q ⊕ δ       δ an increment like v; inside a step positions are δ in the chart at q
//!   δ' = T⁻¹(δ) v
//! ```
//!
//! In the plane Ω is a number, rotations commute, and ⊕ is addition.

pub(crate) mod plane;
pub(crate) mod space;
#[cfg(test)]
pub(crate) mod space_rig;

pub use plane::Plane;
pub use space::Space;

use std::fmt::Debug;

/// Numbers that add and scale: places, forces, angular velocities.
pub trait Vector: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// How many numbers.
    const LEN: usize;
    /// All zero.
    const ZERO: Self;

    /// By component.
    fn from_fn(component: impl FnMut(usize) -> f64) -> Self;

    /// The numbers.
    fn numbers(&self) -> &[f64];

    /// a·b.
    fn dot(self, b: Self) -> f64;

    /// |a|.
    fn norm(self) -> f64;

    /// The first numbers of a slice.
    #[inline]
    fn read(x: &[f64]) -> Self {
        let x = &x[..Self::LEN];
        Self::from_fn(|i| x[i])
    }

    /// Unit vector number i.
    #[inline]
    fn axis(i: usize) -> Self {
        Self::from_fn(|k| if k == i { 1.0 } else { 0.0 })
    }
}

/// Velocity and angular velocity of space in one.
impl Vector for [f64; 6] {
    const LEN: usize = 6;
    const ZERO: Self = [0.0; 6];

    #[inline]
    fn from_fn(component: impl FnMut(usize) -> f64) -> Self {
        std::array::from_fn(component)
    }

    #[inline]
    fn numbers(&self) -> &[f64] {
        self
    }

    #[inline]
    fn dot(self, b: Self) -> f64 {
        (0..6).map(|i| self[i] * b[i]).sum()
    }

    #[inline]
    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

impl Vector for [f64; 3] {
    const LEN: usize = 3;
    const ZERO: Self = [0.0; 3];

    #[inline]
    fn from_fn(component: impl FnMut(usize) -> f64) -> Self {
        std::array::from_fn(component)
    }

    #[inline]
    fn numbers(&self) -> &[f64] {
        self
    }

    #[inline]
    fn dot(self, b: Self) -> f64 {
        self[0] * b[0] + self[1] * b[1] + self[2] * b[2]
    }

    #[inline]
    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

#[inline]
pub(crate) fn add<V: Vector>(a: V, b: V) -> V {
    V::from_fn(|i| a.numbers()[i] + b.numbers()[i])
}

#[inline]
pub(crate) fn sub<V: Vector>(a: V, b: V) -> V {
    V::from_fn(|i| a.numbers()[i] - b.numbers()[i])
}

#[inline]
pub(crate) fn scale<V: Vector>(s: f64, a: V) -> V {
    V::from_fn(|i| s * a.numbers()[i])
}

#[inline]
pub(crate) fn dot<V: Vector>(a: V, b: V) -> f64 {
    a.dot(b)
}

#[inline]
pub(crate) fn norm<V: Vector>(a: V) -> f64 {
    a.norm()
}

/// The algebra of a space. Frames are handed over as closures where the plane does not look at them.
pub trait Geometry: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// A vector.
    type V: Vector;
    /// An angular velocity or a torque.
    type W: Vector;
    /// Origin and axes, as they are kept in a slot of derived numbers.
    type Frame: Copy + Debug + AsRef<[f64]>;
    /// The orientation of a frame against another that carries it.
    type Held: Copy + Debug + PartialEq + Send + Sync;
    /// Directions that complete a normal to a basis.
    type Tangents: AsRef<[Self::V]>;

    /// Numbers per frame.
    const SLOT: usize;
    /// Coordinates and velocities of a rigid body.
    const RIGID: (usize, usize);
    /// Rotations commute: q ⊕ δ = q + δ and T = 1. Otherwise a rigid body has its orientation in q as a quaternion, and the
    /// structure of a model says where ([`Structure::rotations`](carom_dynamics::Structure::rotations)).
    const FLAT: bool;
    /// The inertial frame.
    const INERTIAL: Self::Frame;

    /// The frame kept in a slot.
    fn read(slot: &[f64]) -> Self::Frame;

    /// The frame of a rigid body with coordinates q.
    fn of_rigid(q: &[f64]) -> Self::Frame;

    /// A frame with the inertial axes.
    fn of_point(r: Self::V) -> Self::Frame;

    /// r.
    fn origin(frame: &Self::Frame) -> Self::V;

    /// A a.
    fn turn(frame: &Self::Frame, a: Self::V) -> Self::V;

    /// Aᵀ a.
    fn to_local(frame: &Self::Frame, a: Self::V) -> Self::V;

    /// A ω.
    fn turn_spin(frame: impl FnOnce() -> Self::Frame, omega: Self::W) -> Self::W;

    /// Aᵀ Ω.
    fn spin_to_local(frame: impl FnOnce() -> Self::Frame, omega: Self::W) -> Self::W;

    /// Ω × a.
    fn swing(omega: Self::W, a: Self::V) -> Self::V;

    /// u × (w × a).
    fn swing_twice(u: Self::W, w: Self::W, a: Self::V) -> Self::V;

    /// d·(u × (w × a)).
    fn along_swing_twice(d: Self::V, u: Self::W, w: Self::W, a: Self::V) -> f64;

    /// u·(Ω × d).
    fn along_swing(u: Self::V, omega: Self::W, d: Self::V) -> f64;

    /// u × w of two angular velocities; zero where rotations commute.
    fn cross_spins(u: Self::W, w: Self::W) -> Self::W;

    /// a × f.
    fn moment(a: Self::V, f: Self::V) -> Self::W;

    /// One completion of a normal to a right-handed basis, continuous wherever it can be.
    fn tangents(n: Self::V) -> Self::Tangents;

    /// The frame at r that a frame carries: axes A exp(θ) A_0. `coordinates` are those of the carrying frame where it is a
    /// rigid body's; no θ: zero.
    fn carried(
        frame: &Self::Frame,
        coordinates: Option<&[f64]>,
        theta: Option<Self::W>,
        held: &Self::Held,
        r: Self::V,
    ) -> Self::Frame;

    /// T_l(θ) s: the spin, before A, that a rate s of θ gives to axes A exp(θ).
    fn spin_of_rate(theta: impl FnOnce() -> Self::W, s: Self::W) -> Self::W;

    /// (∂T_l/∂θ · η) s; never asked where rotations commute.
    fn rate_of_spin(theta: Self::W, eta: Self::W, s: Self::W) -> Self::W;
}
