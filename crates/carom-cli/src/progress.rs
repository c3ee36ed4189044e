//! How far long work is: a bar on a terminal; in a pipe or a log a line now and then, and nothing for work that is soon done.

use carom::{Progress, Units};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Parts of the bar: finer than any terminal is wide.
const PARTS: u64 = 10_000;
/// Redraws per second.
const RATE: u8 = 10;
/// Time between lines in a log, and before the first one.
const LINES: Duration = Duration::from_secs(30);
/// Before this much time or this much work the time left is a guess.
const GUESS: (Duration, f64) = (Duration::from_millis(500), 0.002);

/// Shows how far something is.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    begun: Instant,
    /// When the last line was written, where lines are.
    lines: Option<Mutex<Instant>>,
}

impl Bar {
    /// On standard error unless `quiet` is asked for.
    pub fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = match terminal && !quiet {
            true => ProgressDrawTarget::stderr_with_hz(RATE),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(PARTS), target);
        let style = ProgressStyle::with_template("{wide_bar:.cyan/dim} {percent:>3} %  {msg}")
            .expect("the template is well-formed");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(250));
        let begun = Instant::now();
        Self { bar, begun, lines: (!terminal && !quiet).then(|| Mutex::new(begun)) }
    }

    /// How far a run is, in the unit of the model.
    pub fn show(&self, progress: &Progress, units: &Units) {
        self.part_with(progress.t / progress.end, || about(progress, units));
    }

    /// How far something else is, 0 to 1.
    pub fn part(&self, part: f64, message: &str) {
        self.part_with(part, || message.to_string());
    }

    /// The message is made only if it is shown.
    pub fn part_with(&self, part: f64, message: impl FnOnce() -> String) {
        let elapsed = self.begun.elapsed();
        if !self.bar.is_hidden() {
            self.bar.set_position((part.clamp(0.0, 1.0) * PARTS as f64) as u64);
            self.bar.set_message(format!("{}{}", left(part, elapsed), message()));
        } else if let Some(last) = self.lines.as_ref().and_then(|lines| lines.try_lock().ok()) {
            let mut last = last;
            if last.elapsed() >= LINES {
                *last = Instant::now();
                crate::colour::grumble(&line(part, elapsed, &message()));
            }
        }
    }

    /// Does something that prints, with the bar out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }
}

/// Simulated time, impacts, worst residual so far.
fn about(progress: &Progress, units: &Units) -> String {
    let second = units.time.factor();
    let (t, end) = (progress.t / second, progress.end / second);
    // as many digits as show a thousandth of the run
    let digits = (3.0 - end.log10().floor()).clamp(0.0, 9.0) as usize;
    let impacts = match progress.impacts {
        1 => "1 impact".to_string(),
        n => format!("{n} impacts"),
    };
    let unit = units.time.word();
    let residual = progress.worst_residual;
    let purpose = if progress.purpose.is_empty() { String::new() } else { format!("{}: ", progress.purpose) };
    format!("{purpose}t = {t:.digits$} of {end} {unit}, {impacts}, worst residual {residual:.0e}")
}

/// Time left by the mean speed so far: it does not jump with every stick and slip.
fn left(part: f64, elapsed: Duration) -> String {
    if elapsed < GUESS.0 || part < GUESS.1 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() * (1.0 - part).max(0.0) / part;
    format!("{} left  ", clock(seconds))
}

/// 42 s, 3 min 20 s, 2 h 5 min.
fn clock(seconds: f64) -> String {
    let s = seconds.round() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

/// One line of a log.
fn line(part: f64, elapsed: Duration, message: &str) -> String {
    format!("{:.1} % after {}, {}{message}", 100.0 * part, clock(elapsed.as_secs_f64()), left(part, elapsed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_how_long_and_what() {
        let progress =
            Progress { t: 0.25e-3, end: 1e-3, steps: 10, impacts: 1, worst_residual: 3e-12, purpose: "" };
        let units = Units { time: carom::units::Time::Millisecond, ..Units::si() };
        let said = line(0.25, Duration::from_secs(100), &about(&progress, &units));
        let expected =
            "25.0 % after 1 min 40 s, 5 min 0 s left  t = 0.250 of 1 ms, 1 impact, worst residual 3e-12";
        assert_eq!(said, expected);
        assert_eq!(left(0.5, Duration::from_millis(10)), "", "no guess from nothing");
        assert_eq!(clock(7500.0), "2 h 5 min");
    }
}
