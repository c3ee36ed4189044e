//! No heap allocation in warm steps. Counted per thread, so that tests may run beside each other.

#[path = "../it/common/mod.rs"]
mod common;
mod counting;

mod changing;
mod events;
mod heap;
mod implicit;
mod methods;
mod steps;
