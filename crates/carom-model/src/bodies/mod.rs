//! Flexible bodies, each a file with its equations.
//!
//! A flexible body owns a range of coordinates, their inertia and internal forces, and says how its material points
//! move with them. It is asked with its own coordinates only ([`Local`]); what joints, forces and contacts see are
//! places carried by its shapes (`place.rs`). Rigid bodies and point masses need no file: a diagonal of M and a weight.

mod plane;

pub(crate) use plane::*;

use crate::geometry::Plane;
use crate::mechanics::Mechanics;
use carom_dynamics::Quantity;
use carom_elastic::{ElasticError, Material};
use std::fmt::Debug;

/// The points of an outline, each once, in the order they are first named: shape point n is number n.
pub(crate) fn shape_points(chains: &[Vec<Material>]) -> Vec<Material> {
    let mut points: Vec<Material> = Vec::new();
    for &material in chains.iter().flatten() {
        if !points.contains(&material) {
            points.push(material);
        }
    }
    points
}

/// A body's own coordinates, velocities and derived numbers.
#[derive(Clone, Copy, Debug)]
pub struct Local<'a> {
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub derived: &'a [f64],
}

/// Initial place and motion of the undeformed body's frame, and gravity.
#[derive(Clone, Copy, Debug)]
pub struct Start<S: Mechanics = Plane> {
    pub position: S::V,
    pub angle: S::Turned,
    pub velocity: S::V,
    pub angular_velocity: S::W,
}

/// A flexible body. Indices are local: 0 is its first coordinate.
pub trait Flexible<S: Mechanics = Plane>: Debug + Send + Sync {
    /// Coordinates, as many as velocities.
    fn len(&self) -> usize;

    /// Whether its first three coordinates are a floating frame (R, θ) that carries all its shapes.
    fn floats(&self) -> bool;

    /// What deforms in the floating frame.
    fn elastic(&self) -> Option<&S::Elastic> {
        None
    }

    /// Motions of its coordinates that deform nothing, where it has no floating frame.
    fn rigid_motions(&self) -> usize {
        0
    }

    /// Angle of the frames of its points where its coordinates are zero; a floating frame has its own.
    fn frame_angle(&self) -> S::Turned {
        S::UNTURNED
    }

    /// q and v of the undeformed body.
    fn start(&self, start: &Start<S>) -> (Vec<f64>, Vec<f64>);

    /// Numbers it wants to know again at the same q.
    fn derived_len(&self) -> usize {
        0
    }

    /// Fills them.
    fn derive(&self, q: &[f64], derived: &mut [f64]) {
        let _ = (q, derived);
    }

    /// Mass of the whole (kg).
    fn total_mass(&self) -> f64;

    /// (row ≥ column) of M, diagonal complete.
    fn mass_pattern(&self) -> Vec<(u32, u32)>;

    /// Whether M never changes.
    fn mass_is_constant(&self) -> bool;

    /// M in pattern order.
    fn mass(&self, at: Local, M: &mut [f64]);

    /// h += internal forces, forces of inertia that M v' does not contain, weight.
    fn add_force(&self, at: Local, h: &mut [f64]);

    /// h += the same without forces of inertia, of which there are none where M never changes, and without those of a potential
    /// that [`Momenta::add_secant_forces`](carom_dynamics::Momenta::add_secant_forces) knows.
    fn add_load(&self, at: Local, h: &mut [f64]) {
        self.add_force(at, h);
    }

    /// The body, where M changes with a floating frame.
    fn floating(&self) -> Option<&S::Floating> {
        None
    }

    /// (row, column) of K and C, each once.
    fn tangent_pattern(&self) -> Vec<(u32, u32)>;

    /// Whether K and C never change.
    fn tangents_are_constant(&self) -> bool {
        false
    }

    /// K = −∂h/∂q and C = −∂h/∂v in pattern order; come in with any content.
    fn tangents(&self, at: Local, K: &mut [f64], C: &mut [f64]);

    /// ½ vᵀ M v.
    fn kinetic(&self, at: Local) -> f64;

    /// What coordinate i counts for in the momentum of the whole: p = Σ carries(i) (M v)_i, linear along x and y, and angular
    /// about the origin of the inertial frame. For a body that can move freely this is the rate of the coordinate where the
    /// whole moves with unit speed along x, along y, or turns about the origin with unit rate.
    fn carries(&self, at: Local, i: usize) -> S::Twist;

    /// Potential of the weight.
    fn potential(&self, at: Local) -> f64;

    /// Strain energy.
    fn strain(&self, at: Local) -> f64;

    /// Whether `loss` can be other than zero.
    fn has_damping(&self) -> bool;

    /// Power that internal damping takes; not negative.
    fn loss(&self, at: Local) -> f64;

    /// How a material point moves: columns count the coordinates after the floating frame, or all where none floats.
    fn point(&self, at: S::Material) -> Result<S::PointShapes, ElasticError>;

    /// What coordinate i measures.
    fn quantity(&self, i: usize) -> Quantity;

    /// Name of coordinate i after the name of the body.
    fn coordinate_name(&self, i: usize) -> String;

    /// Chains of material points to draw; a closed one repeats its first.
    fn outline(&self) -> Vec<Vec<S::Material>>;

    /// Whether it can tell the stress at the points of its outline.
    fn knows_stress(&self) -> bool;

    /// Stress (Pa) at the points of its outline in the order of [`shape_points`], not negative: the largest over the
    /// section of bars and beams, von Mises' in solids.
    fn stresses(&self, at: Local, out: &mut [f64]);

    /// Named chains of nodes that may touch, the inside on their left; the first is the whole boundary.
    fn boundaries(&self) -> Vec<(String, Vec<usize>)> {
        Vec::new()
    }

    /// (name, unit) of what is recorded of it besides its points: strain energy, section forces, stresses.
    fn outputs(&self) -> Vec<(String, &'static str)>;

    /// Values of the outputs.
    fn observe(&self, at: Local, out: &mut [f64]);
}

/// The worked example of the book, compiled and tested with the rest.
#[cfg(test)]
#[path = "../../../../docs/examples/body.rs"]
mod example;
