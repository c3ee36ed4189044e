//! An entry of a printed table beside ours, where impacts make the error jump with their place in the step.
//!
//! The verdict is on the entry itself, at the printed step. Steps a few percent longer and shorter only help to say why an
//! entry differs: if what is printed lies among theirs, the place of the impacts can explain it, which is not to say that
//! it does.

use crate::measure::range;
use crate::report::StudyReport;

/// The neighbours differ from the nominal step by up to this part of it.
const SPREAD: f64 = 0.1;
/// What two printed digits, and a few samples more or fewer, may leave.
pub const CLOSE: f64 = 0.1;

/// `count` steps around the nominal one, which is in the middle.
pub fn neighbours(step: f64, count: usize) -> impl Iterator<Item = f64> {
    let middle = (count / 2) as f64;
    (0..count).map(move |k| step * (1.0 + SPREAD * (k as f64 / middle - 1.0)))
}

/// Adds the row; `ours` are the errors of the [`neighbours`], the nominal one in the middle; `close`: the part that it may be off by.
pub fn compare(report: &mut StudyReport, what: String, published: f64, ours: &[f64], close: f64) {
    let nominal = ours[ours.len() / 2];
    let (least, most) = range(ours.iter().copied());
    let inside = (least..=most).contains(&published);
    let reason = format!(
        "{:.2} of the printed; {} steps within 10 % give {least:.1e} to {most:.1e}, {}",
        nominal / published,
        ours.len(),
        if inside {
            "so the place of the impacts in their steps can explain it"
        } else {
            "so their place in the steps does not explain it"
        }
    );
    report.compare(
        what,
        format!("{published:.1e}"),
        format!("{nominal:.1e}"),
        (nominal / published - 1.0).abs() < close,
        &reason,
    );
}
