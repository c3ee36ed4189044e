//! Bilateral joints, each a file with its equations.
//!
//! What is written with points alone is here, for any geometry; what needs the angle of the plane is in [`plane`].

mod coincident;
mod distance;
mod motion;
mod plane;

pub(crate) use coincident::Revolute;
pub(crate) use distance::Distance;
pub(crate) use motion::{Coordinate as MotionCoordinate, Motion};
pub(crate) use plane::*;
