//! Whether an iteration still gets anywhere.
//!
//! ```text
//!   after every `window` looks:   smallest residual ≤ progress · that of the window before,   or it stalls
//! ```

/// Watches the smallest residual.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stall {
    window: usize,
    progress: f64,
    looks: usize,
    before: f64,
}

impl Stall {
    /// From this residual on, over so many looks, by this factor.
    pub fn new(residual: f64, window: usize, progress: f64) -> Self {
        Self { window, progress, looks: 0, before: residual }
    }

    /// Looks at the smallest residual so far; true if it has stopped falling.
    pub fn stalls(&mut self, smallest: f64) -> bool {
        self.looks += 1;
        if self.looks < self.window {
            return false;
        }
        let stalls = smallest > self.progress * self.before;
        (self.looks, self.before) = (0, smallest);
        stalls
    }
}

#[cfg(test)]
mod tests {
    use super::Stall;

    #[test]
    fn looks_back_over_a_window() {
        let mut stall = Stall::new(1.0, 3, 0.9);
        let looks = [1.0, 1.0, 0.89, 0.89, 0.89, 0.81, 0.81];
        assert_eq!(looks.map(|r| stall.stalls(r)), [false, false, false, false, false, true, false]);
    }
}
