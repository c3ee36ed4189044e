//! Linear algebra of the step: kernels that know their pattern, add up in one order and allocate nothing.
//!
//! [`dot`] and its like are the only sums of products over slices; [`dense`] factors small full matrices; [`sparse`]
//! factors matrices with a pattern that is fixed for a run; [`eigenvalues`] are those of small matrices that are not symmetric.
//!
//! ```
//! use carom_linear::sparse::Ldl;
//!
//! // a mass of 2 kg on a joint: [2 1; 1 0] (a, λ) = (6, 1)
//! let (mut factor, slots) = Ldl::new(1, 1, &[(0, 0), (1, 0)]);
//! factor.add(slots[0], 2.0);
//! factor.add(slots[1], 1.0);
//! assert!(factor.factor());
//! let (mut x, mut scratch) = ([0.0; 2], [0.0; 2]);
//! factor.solve(&[6.0, 1.0], &mut x, &mut scratch);
//! assert_eq!(x, [1.0, 4.0]);
//! ```
#![allow(non_snake_case)]

pub mod dense;
pub mod sparse;

mod eigenvalues;
mod vector;

pub use eigenvalues::eigenvalues;
pub use vector::{axpy, dot, dot_8, dot_long};
