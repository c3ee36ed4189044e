//! Contact solvers, their laws, problems and files.

mod agreement;
mod blocks;
mod bodies;
mod both;
mod common;
mod cones;
mod ends;
mod files;
mod generated;
mod hard;
mod kept;
mod laws;
mod many;
mod natural_map;
mod nature;
mod residual;
mod rolling;
mod tables;
mod threads;
