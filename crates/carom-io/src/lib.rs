//! Model files in, results out.

pub mod drawing;
pub mod picture;
pub mod units;
pub mod write;

pub use drawing::{Drawing, Figure, Mark, Stroke};
pub use units::Units;
pub use write::summary::RunInfo;
pub use write::{Formats, Results, WriteError, write_results};
