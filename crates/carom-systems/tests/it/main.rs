//! Systems written in code.

mod common;
mod dae;
mod systems;
mod tops;
