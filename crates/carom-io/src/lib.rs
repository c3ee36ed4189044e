//! Model files in, results out.
