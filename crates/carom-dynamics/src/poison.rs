//! Stale numbers fail at once.

/// In debug builds what is no longer true becomes NaN: who reads it before it is computed anew gets nowhere.
#[inline]
pub(crate) fn poison(stale: &mut [f64]) {
    if cfg!(debug_assertions) {
        stale.fill(f64::NAN);
    }
}
