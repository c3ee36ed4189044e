//! Model files in, results out.

pub mod diagnostic;
pub mod drawing;
mod parameters;
pub mod picture;
pub mod read;
pub mod units;
pub mod write;

pub use diagnostic::{Diagnostic, Diagnostics};
pub use drawing::{Drawing, Figure, Mark, Stroke};
pub use read::{LoadedModel, load, load_text, schema};
pub use units::Units;
pub use write::summary::RunInfo;
pub use write::{Formats, Results, WriteError, write_results};
