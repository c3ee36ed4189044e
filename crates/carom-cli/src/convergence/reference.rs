//! The fine run that others are compared with, at any time.
//!
//! Between its samples it is a polynomial through the nearest [`POINTS`] of them, so that a scheme of high order is not measured
//! with a ruler of order two. A polynomial does not reach over an event, where velocities jump: what is left of its points on this
//! side is used, and in the interval of the event itself the straight line.

use carom::{EventKind, Recording};

/// Samples of a polynomial: order six.
const POINTS: usize = 6;

pub struct Reference<'a> {
    recording: &'a Recording,
    t: &'a [f64],
    /// Whether something happens after sample k, up to and at sample k + 1.
    kink: Vec<bool>,
}

impl<'a> Reference<'a> {
    pub fn new(recording: &'a Recording) -> Self {
        let t = recording.column("t").unwrap_or_default();
        let mut kink = vec![false; t.len()];
        let jumps = |kind| !matches!(kind, EventKind::Event | EventKind::Retry);
        for event in recording.events.iter().filter(|event| jumps(event.kind)) {
            let after = t.partition_point(|t| *t < event.t);
            if after < t.len() {
                kink[after.saturating_sub(1)] = true;
            }
        }
        Self { recording, t, kink }
    }

    /// ‖e‖₁ of a channel over the samples of a run.  [Chen2013] (42)
    pub fn error(&self, run: &Recording, channel: &str) -> f64 {
        let (t, f) = (run.column("t").unwrap_or_default(), run.column(channel).unwrap_or_default());
        let exact = self.recording.column(channel).unwrap_or_default();
        let (mut difference, mut size) = (0.0, 0.0);
        for (&t, &f) in t.iter().zip(f) {
            let value = self.value(exact, t);
            difference += (f - value).abs();
            size += value.abs();
        }
        difference / size
    }

    fn value(&self, f: &[f64], t: f64) -> f64 {
        let last = self.t.len() - 1;
        let k = self.t.partition_point(|x| *x <= t).clamp(1, last) - 1;
        let t = t.clamp(self.t[0], self.t[last]);
        let (mut from, mut to) = (k, k + 1);
        // to both sides in turn, as far as nothing happens
        while !self.kink[k] && to - from + 1 < POINTS {
            let left = from > 0 && !self.kink[from - 1];
            let right = to < last && !self.kink[to];
            match (left, right) {
                (true, true) if k - from < to - k => from -= 1,
                (_, true) => to += 1,
                (true, false) => from -= 1,
                (false, false) => break,
            }
        }
        // Lagrange
        (from..=to).fold(0.0, |sum, i| {
            let others = (from..=to).filter(|j| *j != i);
            sum + others.fold(f[i], |p, j| p * (t - self.t[j]) / (self.t[i] - self.t[j]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::{Channel, Event};

    fn record(t: Vec<f64>, y: Vec<f64>) -> Recording {
        Recording {
            channels: ["t", "y"].map(|n| Channel::new("", n, "")).to_vec(),
            columns: vec![t, y],
            events: Vec::new(),
        }
    }

    #[test]
    fn the_error_of_a_shifted_line_is_its_shift() {
        // f(t) = 1 + t known at 0, 1, 2; ours is 0.1 too high at 0.5, 1.5 and 2
        let reference = record(vec![0.0, 1.0, 2.0], vec![1.0, 2.0, 3.0]);
        let ours = record(vec![0.5, 1.5, 2.0], vec![1.6, 2.6, 3.1]);
        assert!((Reference::new(&reference).error(&ours, "y") - 0.3 / 7.0).abs() < 1e-15);
    }

    #[test]
    fn a_polynomial_of_degree_five_is_met_and_a_kink_is_kept() {
        let p = |t: f64| 1.0 + t * (2.0 - t * (0.5 + t * t * (0.3 - 0.1 * t)));
        let t: Vec<f64> = (0..20).map(|k| 0.1 * f64::from(k) + 0.01 * f64::from(k % 3)).collect();
        let smooth = record(t.clone(), t.iter().map(|t| p(*t)).collect());
        let between: Vec<f64> = (0..37).map(|k| 0.05 * f64::from(k) + 0.013).collect();
        let ours = record(between.clone(), between.iter().map(|t| p(*t)).collect());
        assert!(Reference::new(&smooth).error(&ours, "y") < 1e-14);
        // |t − 1| with the kink at a sample, where something happens
        let t: Vec<f64> = (0..21).map(|k| 0.1 * f64::from(k)).collect();
        let mut bent = record(t.clone(), t.iter().map(|t| (t - 1.0).abs()).collect());
        let ours = record(between.clone(), between.iter().map(|t| (t - 1.0).abs()).collect());
        let across = Reference::new(&bent).error(&ours, "y");
        let impact = EventKind::Impact;
        bent.events.push(Event {
            t: t[10],
            kind: impact,
            subject: "stop".into(),
            before: 0.0,
            after: 0.0,
            impulse: 1.0,
        });
        assert!(Reference::new(&bent).error(&ours, "y") < 1e-14 && across > 1e-3);
    }
}
