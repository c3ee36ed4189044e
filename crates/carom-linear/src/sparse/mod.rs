//! Sparse matrices with a fixed pattern: analysed once, factored at every step.

mod chains;
mod conjugate_gradients;
mod dependence;
mod ldl;
mod lu;
mod matrix;
mod skyline;
mod supernodes;

pub use conjugate_gradients::conjugate_gradients;
pub use dependence::Dependence;
pub use ldl::{Ldl, RANK_TOLERANCE, Slot, symbolic};
pub use lu::{Lu, LuSlot};
pub use matrix::{Skew, Symmetric};
pub use skyline::Skyline;
