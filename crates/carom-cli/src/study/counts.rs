//! How many results agree.

use carom_studies::{StudyReport, Verdict};

/// Verdicts, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Agree with the source.
    pub agree: usize,
    /// Differ from it.
    pub differ: usize,
    /// Facts of our own.
    pub ours: usize,
}

impl Counts {
    /// Of a report.
    pub fn of(report: &StudyReport) -> Self {
        let mut counts = Self::default();
        for row in &report.rows {
            match row.verdict {
                Verdict::Agrees => counts.agree += 1,
                Verdict::Differs(_) => counts.differ += 1,
                Verdict::Ours => counts.ours += 1,
            }
        }
        counts
    }

    /// Of both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            agree: self.agree + other.agree,
            differ: self.differ + other.differ,
            ours: self.ours + other.ours,
        }
    }

    /// As a sentence.
    pub fn words(self) -> String {
        let Self { agree, differ, ours } = self;
        format!("{agree} agree, {differ} differ, {ours} without a published counterpart")
    }

    /// For a page: sign, number and word, each in its colour.
    pub fn badges(self) -> String {
        let Self { agree, differ, ours } = self;
        format!(
            "<span class=\"badge agrees\">✓ {agree} agree</span> <span class=\"badge differs\">✗ {differ} differ</span> \
             <span class=\"badge ours\">· {ours} without a published counterpart</span>"
        )
    }
}
