//! Model files in; results, figures and pages out.

mod common;
mod dimensions;
mod drawing;
mod fclib;
mod figures;
mod groups;
mod laws;
mod model;
mod page;
mod read;
mod results;
mod run;
mod space;
mod space_files;
mod space_laws;
mod units;
mod write;
