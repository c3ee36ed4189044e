//! Smooth forces, each a file with its equations.
//!
//! What is written with points alone is here, for any geometry; what needs the angle of the plane is in [`plane`].

mod applied;
mod plane;
mod spring;

pub(crate) use applied::Applied;
pub(crate) use plane::*;
pub(crate) use spring::Spring;
