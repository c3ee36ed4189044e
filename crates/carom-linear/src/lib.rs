//! Linear algebra of the step: kernels that know their pattern, add up in one order and allocate nothing.
//!
//! [`sparse`] factors saddle points with a pattern that is fixed for a run; [`dense`] factors small full matrices.
#![allow(non_snake_case)]

pub mod dense;
pub mod sparse;
