//! When a solver has to stop.

use std::time::{Duration, Instant};

/// What a solve may cost and how good it has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Residual at which the answer is accepted.
    pub tolerance: f64,
    /// Longest time in seconds; infinite unless told otherwise, because an answer that depends on the clock is not the
    /// same twice. Looked at between iterations.
    pub seconds: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { tolerance: crate::DEFAULT_TOLERANCE, seconds: f64::INFINITY }
    }
}

/// The time at which a solve has to end, if ever.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// So many seconds from now; a number that is no time means never.
    #[inline]
    pub fn after(seconds: f64) -> Self {
        if seconds == f64::INFINITY { Self(None) } else { Self::at_last(seconds) }
    }

    fn at_last(seconds: f64) -> Self {
        let time = Duration::try_from_secs_f64(if seconds < 0.0 { 0.0 } else { seconds }).ok();
        Self(time.and_then(|time| Instant::now().checked_add(time)))
    }

    /// Whether it is over.
    pub fn passed(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Seconds that are left.
    pub fn left(&self) -> f64 {
        self.0.map_or(f64::INFINITY, |end| end.saturating_duration_since(Instant::now()).as_secs_f64())
    }
}
