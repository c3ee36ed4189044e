//! The flexible bodies of the plane.

mod bar;
mod exact_beam;
mod floating;

pub(crate) use bar::Bar;
pub(crate) use exact_beam::ExactBeam;
pub(crate) use floating::Floating;

use super::{Flexible, Local, Start, shape_points};
