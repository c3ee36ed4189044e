//! The mechanisms that are timed, as descriptions.

pub mod plane;
pub mod space;
