//! Sparse LDLᵀ.
