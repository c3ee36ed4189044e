//! Contact solvers, their laws, problems and files.

mod agreement;
mod blocks;
mod bodies;
mod common;
mod cones;
mod diagnosis;
mod ends;
mod files;
mod generated;
mod hard;
mod kept;
mod laws;
mod many;
mod new_laws;
mod residual;
mod rolling;
mod siconos;
mod tables;
mod threads;
mod two_measures;
