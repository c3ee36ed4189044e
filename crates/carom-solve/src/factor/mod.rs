//! Factors of matrices of contacts.

pub(crate) mod block_lu;
