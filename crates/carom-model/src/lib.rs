//! Mechanics: bodies, markers, joints, forces and contact geometry, assembled into a [`System`](carom_dynamics::System). What is
//! one formula in any geometry is written once; the plane is the geometry there is.
//!
//! A [`Description`] is plain data; [`Model::new`] checks it and builds the system; [`Model::assemble`] closes joints
//! that do not fit and makes the velocities consistent. Joints, forces and contacts are written against markers only.
#![allow(non_snake_case)]

pub mod description;
pub mod expression;
pub mod suggest;

mod any;
mod area;
mod assembly;
mod bodies;
mod build;
mod check;
mod contacts;
mod coordinates;
mod dimension;
mod error;
mod events;
mod forces;
mod freedom;
mod gear;
mod geometry;
mod joints;
mod kinds;
mod law;
mod layout;
mod linear;
mod measure;
mod mechanics;
mod model;
mod momenta;
mod outer;
mod outline;
mod place;
mod scale;
mod secant;
mod system;
mod table;
mod vibrations;

pub use any::{AnyDescription, AnyModel};
pub use assembly::{Assembly, AssemblyError, Misfit, Moved};
pub use carom_elastic::MeshError;
pub use coordinates::{Natural, Relative, SpaceRelative, Unreachable};
pub use description::Description;
pub use dimension::{Dimension, Numbers};
pub use error::{ModelError, Problem};
pub use freedom::{Freedom, Redundancy};
pub use geometry::{Plane, Space};
pub use layout::{Anchor, Attachment, BodyLayout, Layout, Mark, SpaceAnchor};
pub use mechanics::Mechanics;
pub use model::Model;
pub use outer::{Functions, MOST_ARGUMENTS, OuterFunction};
pub use outline::space::{PlacedSolid, Solid, SpaceOutline};
pub use outline::{Circle, Outline};
pub use vibrations::BodyVibrations;
