//! Bilateral joints, each a file with its equations.
//!
//! What is written with points alone is here, for any geometry; what needs the angle of the plane is in [`plane`].

mod along;
mod coincident;
mod distance;
mod plane;

pub(crate) use along::Along;
pub(crate) use coincident::Coincident;
pub(crate) use distance::Distance;
pub(crate) use plane::*;
