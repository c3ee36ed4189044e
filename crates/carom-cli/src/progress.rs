//! A bar on a terminal, nothing in a pipe.

use carom::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Parts of the bar: finer than any terminal is wide.
const PARTS: u64 = 10_000;
/// Redraws per second.
const RATE: u8 = 10;

/// Shows how far something is.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// On standard error if that is a terminal and `quiet` is not asked for.
    pub fn new(quiet: bool) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(RATE) };
        let bar = ProgressBar::with_draw_target(Some(PARTS), target);
        let style = ProgressStyle::with_template("{wide_bar:.cyan/dim} {percent:>3} %  {eta} left  {msg}")
            .expect("the template is well-formed");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(bar)
    }

    /// How far a run is.
    pub fn show(&self, progress: &Progress) {
        if self.0.is_hidden() {
            return;
        }
        self.0.set_position((progress.t / progress.end * PARTS as f64) as u64);
        self.0.set_message(format!(
            "t = {:.4} of {} s, {} impacts, residual {:.0e}",
            progress.t, progress.end, progress.impacts, progress.worst_residual
        ));
    }

    /// How far something else is, 0 to 1.
    pub fn part(&self, part: f64, message: &str) {
        if !self.0.is_hidden() {
            self.0.set_position((part * PARTS as f64) as u64);
            self.0.set_message(message.to_string());
        }
    }

    /// Takes the bar away.
    pub fn clear(self) {
        self.0.finish_and_clear();
    }
}
