//! Bodies, markers, joints, forces and contact geometry, assembled into a system.
#![allow(non_snake_case)]

pub mod description;

pub use description::Description;
