//! Elastic bodies in their own frame: elements, meshes, matrices, shape integrals, modes. Nothing here moves: a body
//! of `carom-model` carries what this crate computes once.
//!
//! ```text
//!   u(x) = u_0 + S(x) q_f        place of the material point x in the body's frame
//! ```
#![allow(non_snake_case)]

mod beam;
mod eigen;
mod error;
mod exact_beam;
mod inertia;
mod interface;
mod krylov;
mod mesh;
mod modes;
mod reduced;
mod rigid;
mod solid;
mod statics;
mod stress;
mod vibrations;

pub use beam::{Beam, RotaryInertia, Section, Stiffening};
pub use carom_linear::sparse::{Skew, Symmetric};
pub use eigen::{Eigenmodes, residual, slowest};
pub use error::ElasticError;
pub use exact_beam::{CrossSection, End, ExactBeam, MassKind, Order};
pub use inertia::Inertia;
pub use mesh::{FiniteElements, Material, Output, PointShapes, Reference, Unit};
pub use modes::{Choice, Modes, Shape};
pub use reduced::{Damping, Elastic, Map};
pub use solid::{Element, Mesh, MeshError, Origin, Plane, PlaneElement, Properties, Row, Solid};
pub use stress::{Gauge, Measure, extreme_fibre};
pub use vibrations::Vibrations;
