//! Contacts: which places touch, and the rows they push along.

mod plane;

pub(crate) use plane::*;
