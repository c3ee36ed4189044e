//! Factors of sparse saddle points whose pattern is fixed: analysed once, factored at every step.

mod chains;
mod ldl;
mod lu;
mod supernodes;

pub use ldl::{Ldl, RANK_TOLERANCE, Slot, symbolic};
pub use lu::{Lu, LuSlot};
