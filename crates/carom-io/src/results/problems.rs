//! What people should know of a run before they look at it, in plain sentences.

use crate::RunInfo;
use carom_dynamics::{Complaint, Recording, Stop, Summary};

/// How a run ended unless well, and channels with gaps.
pub(crate) fn of_run(summary: Option<&Summary>, run: &RunInfo, recording: &Recording) -> Vec<String> {
    summary.and_then(|s| stop(s, run)).into_iter().chain(gaps(recording)).collect()
}

fn stop(summary: &Summary, run: &RunInfo) -> Option<String> {
    let reached = format!("at t = {} of {} s", summary.t, run.end);
    match &summary.stop {
        Stop::Done => None,
        Stop::Interrupted => Some(format!("The run was interrupted {reached}.")),
        Stop::Failed(why) => {
            // the time is said already
            let why = Complaint { t: None, ..why.clone() }.to_string();
            Some(format!("The run stopped {reached}: {}.", why.trim_end_matches('.')))
        }
    }
}

fn gaps(recording: &Recording) -> Option<String> {
    /// More names than this are counted and not listed.
    const LISTED: usize = 5;
    let named = recording.channels.iter().zip(&recording.columns).filter(|(c, _)| c.is_plotted());
    let counted = named.map(|(c, column)| (c.name(), column.iter().filter(|x| !x.is_finite()).count()));
    let with_gaps: Vec<(&str, usize)> = counted.filter(|(_, gaps)| *gaps > 0).collect();
    if with_gaps.is_empty() {
        return None;
    }
    let total: usize = with_gaps.iter().map(|(_, gaps)| gaps).sum();
    let mut names: Vec<&str> = with_gaps.iter().take(LISTED).map(|(name, _)| *name).collect();
    let more = format!("{} more", with_gaps.len().saturating_sub(LISTED));
    if with_gaps.len() > LISTED {
        names.push(&more);
    }
    let values = match total {
        1 => "value is not a number and is shown as a gap",
        _ => "values are not numbers and are shown as gaps",
    };
    Some(format!("{total} {values}: in {}.", names.join(", ")))
}

/// Says it if a file does not hold as much as the run recorded.
pub(super) fn compare(
    file: &str,
    found: usize,
    what: &str,
    expected: Option<usize>,
    problems: &mut Vec<String>,
) {
    if let Some(expected) = expected.filter(|n| *n != found) {
        problems.push(format!("The {file} has {found} {what}, and the run recorded {expected}."));
    }
}
