//! Kinds of joints and forces in space. A file each, as in the plane: data, dimensions, checks, building, drawing.

pub mod force;
pub mod joint;
