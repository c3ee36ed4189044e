//! Whether an iteration still gets anywhere.
//!
//! ```text
//!   stalled:  after a window of looks   smallest residual > progress · smallest residual when the window began
//! ```

/// Watches the smallest residual of an iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stall {
    window: usize,
    progress: f64,
    start: f64,
    looks: usize,
}

impl Stall {
    /// So many looks may pass before the smallest residual, now this one, must have fallen by this factor.
    pub fn new(window: usize, progress: f64, smallest: f64) -> Self {
        Self { window, progress, start: smallest, looks: 0 }
    }

    /// One look at the smallest residual so far: whether a window has ended without progress.
    pub fn look(&mut self, smallest: f64) -> bool {
        self.looks += 1;
        if self.looks < self.window {
            return false;
        }
        let stalled = smallest > self.progress * self.start;
        (self.start, self.looks) = (smallest, 0);
        stalled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_without_progress_is_a_stall() {
        let mut stall = Stall::new(3, 0.9, 1.0);
        // lowered by a fifth, then by a twentieth
        let seen = [1.0, 0.8, 0.8, 0.78, 0.77, 0.76].map(|smallest| stall.look(smallest));
        assert_eq!(seen, [false, false, false, false, false, true]);
    }
}
