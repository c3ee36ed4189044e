//! How wrong every channel of a run may be, sample by sample: the run beside the one before it.
//!
//! ```text
//!   d(t)  = |y(t) − y'(t)|                       y' the run before, f the factor of the estimate
//!   b(t)  = f max d(s)        |s − t| ≤ T/100, with events s ≤ t + T/100, without their surroundings
//!   near an event at t₁ in one run and t₂ in the other, |t − t₁| ≤ f |t₁ − t₂| and a sample on each side:
//!   b(t)  = max(b, min(f max d(s), range of y and y' there + b))
//! ```
//!
//! Two runs that differ by a curve that swings cross each other; that they agree at the crossing says nothing, so the samples around
//! it speak. Where in its step an impact falls is luck: over some flights two runs agree better than either does with the truth. After the
//! first event the largest difference so far counts, as in the estimate; bands then do not narrow again. With T/100
//! instead, a ball that bounces had 2 % of its samples outside at one step; with T/20, 6 % at another.
//!
//! What jumps at an event is wrong by the jump between the event of the run and the true one, on either side of it, and not by
//! more than the jump.
//!
//! Facts about the run itself (`audit.*`, `solver.*`) are not wrong: they have bands of no width. A band is not narrower than round-off.

use crate::{EventKind, Recording};
use std::collections::BTreeMap;

/// Share of a run whose samples speak for one another, and within which events are the same.
const AROUND: f64 = 0.01;
/// Least half-width as a share of the channel's largest value: iterations and the search for events end about there. A ball whose
/// flights are exact and whose impacts are located was off by 8e-14, while the two runs agreed to the last bits.
const ROUND_OFF: f64 = 1e-12;
/// Times that are nearer than this share of the sample interval are the same.
const SAME_TIME: f64 = 1e-6;

/// Half-widths with the times and names of `run`: how far the truth may be from it on either side. What `beside` has no sample for is
/// NaN. `factor` is what a difference of the two is multiplied by.
pub fn bands(run: &Recording, beside: &Recording, factor: f64) -> Recording {
    let partners = partners(run, beside);
    let reach = (AROUND * run.samples() as f64).ceil().max(1.0) as usize;
    let windows = windows(run, beside, factor, reach);
    let column = |i: usize| -> Vec<f64> {
        let (name, y) = (run.channels[i].name(), &run.columns[i]);
        let Some(other) = beside.column(name) else { return vec![f64::NAN; y.len()] };
        let other: Vec<f64> = partners.iter().map(|p| p.map_or(f64::NAN, |k| other[k])).collect();
        if i == 0 {
            return y.clone();
        }
        if name.starts_with("audit.") || name.starts_with("solver.") {
            return other.iter().map(|x| if x.is_nan() { f64::NAN } else { 0.0 }).collect();
        }
        half_widths(y, &other, factor, reach, &windows)
    };
    let columns = (0..run.channels.len()).map(column).collect();
    Recording { channels: run.channels.clone(), columns, events: Vec::new() }
}

/// For each sample of a run the one of the other at the same time.
fn partners(run: &Recording, beside: &Recording) -> Vec<Option<usize>> {
    let none = Vec::new();
    let [t, s] = [run, beside].map(|r| r.columns.first().unwrap_or(&none));
    let close = SAME_TIME * interval(t);
    let mut k = 0;
    let partner = |t: &f64| {
        while k < s.len() && s[k] < t - close {
            k += 1;
        }
        (k < s.len() && (s[k] - t).abs() <= close).then_some(k)
    };
    t.iter().map(partner).collect()
}

/// Mean time between samples.
fn interval(t: &[f64]) -> f64 {
    match t {
        [first, .., last] => (last - first) / (t.len() - 1) as f64,
        _ => 0.0,
    }
}

/// First and last sample that may be on the other side of an event, with one more on each side.
fn windows(run: &Recording, beside: &Recording, factor: f64, reach: usize) -> Vec<(usize, usize)> {
    let Some(t) = run.columns.first().filter(|t| !t.is_empty()) else { return Vec::new() };
    let mut others: BTreeMap<(&str, u8), Vec<f64>> = BTreeMap::new();
    let key = |kind: EventKind| kind as u8;
    for event in &beside.events {
        others.entry((&event.subject, key(event.kind))).or_default().push(event.t);
    }
    let most = reach as f64 * interval(t);
    let mut windows = Vec::new();
    for event in run.events.iter().filter(|e| e.kind != EventKind::Retry) {
        // the same event of the other run: the nearest of its kind
        let times = others.get(&(event.subject.as_str(), key(event.kind))).map_or(&[][..], Vec::as_slice);
        let next = times.partition_point(|s| *s < event.t);
        let near = times[next.saturating_sub(1)..(next + 1).min(times.len())].iter();
        let shift = near.map(|s| (s - event.t).abs()).fold(f64::INFINITY, f64::min);
        let wide = (factor.max(1.0) * shift).min(most);
        let from = t.partition_point(|s| *s < event.t - wide).saturating_sub(1);
        let to = t.partition_point(|s| *s <= event.t + wide).min(t.len() - 1);
        windows.push((from, to));
    }
    windows.sort_unstable();
    windows.dedup();
    windows
}

/// The half-widths of one channel.
fn half_widths(y: &[f64], other: &[f64], factor: f64, reach: usize, windows: &[(usize, usize)]) -> Vec<f64> {
    let d: Vec<f64> = y.iter().zip(other).map(|(a, b)| (a - b).abs()).collect();
    let mut smooth = d.clone();
    for &(from, to) in windows {
        smooth[from..=to].fill(f64::NAN);
    }
    let largest = y.iter().filter(|y| y.is_finite()).fold(0.0_f64, |most, y| most.max(y.abs()));
    let round_off = ROUND_OFF * largest;
    let mut around = largest_around(&smooth, reach);
    if let Some(&(first, _)) = windows.first() {
        // from the first event on the largest so far
        for k in first.max(1)..around.len() {
            around[k] = around[k].max(around[k - 1]);
        }
    }
    let around: Vec<f64> = around.into_iter().map(|d| (factor * d).max(round_off)).collect();
    let mut band = around.clone();
    for &(from, to) in windows {
        let jump = d[from..=to].iter().fold(0.0, |most: f64, d| most.max(*d));
        let values = || y[from..=to].iter().chain(&other[from..=to]).filter(|y| y.is_finite());
        let (low, high) =
            values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(*y), b.max(*y)));
        for k in from..=to {
            band[k] = band[k].max((factor * jump).min(high - low + around[k]));
        }
    }
    // nothing is known where there is no other run
    band.iter().zip(&d).map(|(b, d)| if d.is_nan() { f64::NAN } else { *b }).collect()
}

/// The largest of the numbers at most `reach` places away; 0 if there is none.
fn largest_around(d: &[f64], reach: usize) -> Vec<f64> {
    // places whose numbers fall, the largest first
    let mut falling = std::collections::VecDeque::new();
    let mut next = 0;
    let mut largest = Vec::with_capacity(d.len());
    for k in 0..d.len() {
        while next < d.len() && next <= k + reach {
            if !d[next].is_nan() {
                while falling.back().is_some_and(|&last: &usize| d[last] <= d[next]) {
                    falling.pop_back();
                }
                falling.push_back(next);
            }
            next += 1;
        }
        while falling.front().is_some_and(|&first| first + reach < k) {
            falling.pop_front();
        }
        largest.push(falling.front().map_or(0.0, |&first| d[first]));
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Event};

    fn recording(end: usize, y: impl Fn(f64) -> f64, events: &[f64]) -> Recording {
        let t: Vec<f64> = (0..=end).map(|k| 1e-3 * k as f64).collect();
        let y = t.iter().map(|t| y(*t)).collect::<Vec<_>>();
        let channels = ["t", "ball.v", "solver.step"].map(|n| Channel::read(n, "m"));
        let event = |t: &f64| Event {
            t: *t,
            kind: EventKind::Impact,
            subject: "floor".into(),
            before: 0.0,
            after: 0.0,
            impulse: 0.0,
        };
        let events = events.iter().map(event).collect();
        let steps = t.iter().map(|t| 1e-3 + t).collect();
        Recording { channels: channels.into(), columns: vec![t, y, steps], events }
    }

    #[test]
    fn the_largest_of_the_neighbours() {
        let d = [1.0, 5.0, 2.0, f64::NAN, 0.0, 0.0, 3.0];
        assert_eq!(largest_around(&d, 1), [5.0, 5.0, 5.0, 2.0, 0.0, 3.0, 3.0]);
        assert_eq!(largest_around(&d, 2), [5.0, 5.0, 5.0, 5.0, 3.0, 3.0, 3.0]);
        assert_eq!(largest_around(&[f64::NAN; 2], 1), [0.0, 0.0]);
    }

    #[test]
    fn a_swing_that_is_late_stays_in_its_band() {
        // second order: the run is late by 1e-3 and the one before by 4e-3; they cross four times
        let late = |by: f64| move |t: f64| (7.0 * (t - by)).sin();
        let (run, beside) = (recording(1000, late(1e-3), &[]), recording(1000, late(4e-3), &[]));
        let band = bands(&run, &beside, 2.0 / 3.0);
        for (k, t) in run.columns[0].iter().enumerate() {
            let (off, b) = ((run.columns[1][k] - late(0.0)(*t)).abs(), band.columns[1][k]);
            assert!(off <= b, "t = {t}: {off} > {b}");
            assert!(b <= 2.0 / 3.0 * 7.0 * 3e-3 * 1.01);
        }
        assert!(band.columns[2].iter().all(|b| *b == 0.0), "the step is what it is");
        assert_eq!(band.columns[0], run.columns[0]);
    }

    #[test]
    fn a_jump_that_is_late_is_covered_on_both_sides_and_by_no_more_than_the_jump() {
        // first order: the truth jumps at 0.4, the run at 0.407, the one before at 0.414
        let jump = |at: f64| move |t: f64| if t < at { -4.0 } else { 3.0 };
        let (run, beside) = (recording(1000, jump(0.407), &[0.407]), recording(1000, jump(0.414), &[0.414]));
        let band = bands(&run, &beside, 2.0);
        for (k, t) in run.columns[0].iter().enumerate() {
            let (off, b) = ((run.columns[1][k] - jump(0.4)(*t)).abs(), band.columns[1][k]);
            assert!(off <= b, "t = {t}: {off} > {b}");
            assert!(b <= 7.0 + 1e-9);
            assert!((t - 0.407).abs() < 0.017 || b < 1e-10, "t = {t}: {b}");
        }
    }

    #[test]
    fn bands_end_where_the_other_run_does() {
        let y = |t: f64| t;
        let (run, beside) = (recording(100, y, &[0.09]), recording(60, y, &[]));
        let band = bands(&run, &beside, 2.0);
        assert!(band.columns[1][..=60].iter().all(|b| *b < 1e-10));
        assert!(band.columns[1][61..].iter().all(|b| b.is_nan()));
        assert!(band.columns[2][61..].iter().all(|b| b.is_nan()));
        let nothing = Recording { columns: vec![Vec::new(); 3], events: Vec::new(), ..beside };
        assert!(bands(&run, &nothing, 2.0).columns[1].iter().all(|b| b.is_nan()));
        assert_eq!(bands(&nothing, &run, 2.0).samples(), 0);
    }
}
