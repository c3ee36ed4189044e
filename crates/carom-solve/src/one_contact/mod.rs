//! A single contact: its law solved in closed form or by a few Newton steps, and written as an equation.

pub(crate) mod closed_form;
pub(crate) mod equation;
pub(crate) mod two_disks;
pub(crate) mod warm;
