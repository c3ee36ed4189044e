//! Joint coordinates in space.

mod articulated;
mod kinematics;
mod mass;
mod relative;
mod start;
mod tangents;
mod tree;

pub use relative::SpaceRelative;
