//! Whatever the book names exists, whatever it shows runs, whatever it measures is measured again.
//!
//! Conventions of the pages in `docs/src`, all checked here:
//! - a fence ` ```toml model ` holds a complete model: it loads, assembles and runs ten steps;
//! - a fence ` ```diff ` changes one file (`+++ path`); its unchanged lines stand in that file, in order;
//! - `` `crates/…/file.rs` `` exists, `` `crates/…/file.rs: name` `` names a word of that file;
//! - a table row `` `NAME` | value | `file` | reason `` is a constant of that file;
//! - `` `carom word --option` `` is a command of the command line.
#![allow(clippy::print_stdout, non_snake_case)]

mod exact;
mod examples;
mod house;
mod names;
mod orders;
mod orders_of_methods;
mod solvers;
