//! What is recorded: whose, what of it, in which unit, and what for.
//!
//! Writers, plots and the page ask a channel for these; none of them takes a name apart. Only a file has nothing but the name,
//! and [`Channel::read`] is the one place that reads it.

use serde::Serialize;

/// What a channel is recorded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Purpose {
    /// People look at it: it is plotted, and written to `series.csv`.
    #[default]
    Plot,
    /// Pictures are made of it: a point of an outline, or the place where a contact acts.
    Draw,
}

/// One recorded quantity, such as `x` of `crank` in `m`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    name: String,
    /// Length of the subject within the name.
    #[serde(skip)]
    subject: usize,
    /// Its unit.
    pub unit: String,
    /// What it is for.
    #[serde(skip)]
    pub purpose: Purpose,
}

/// Parts of a body or contact that are recorded for drawing, before the quantity itself.
const DRAWN: [&str; 2] = [".shape.", ".touch."];

impl Channel {
    /// A quantity of a subject: of a body (`crank`), of a point of it (`crank.tip`), of a joint or contact, or of one of the
    /// balances (`energy`, `work`, `audit`, `solver`). Without a subject it stands alone.
    pub fn new(subject: &str, quantity: &str, unit: &str) -> Self {
        let name = if subject.is_empty() { quantity.into() } else { format!("{subject}.{quantity}") };
        Self { name, subject: subject.len(), unit: unit.into(), purpose: Purpose::Plot }
    }

    /// The time, the first channel of every run.
    pub fn time() -> Self {
        Self::new("", "t", "s")
    }

    /// The same for drawing alone.
    pub fn for_drawing(self) -> Self {
        Self { purpose: Purpose::Draw, ..self }
    }

    /// The same in another unit.
    pub fn in_unit(self, unit: String) -> Self {
        Self { unit, ..self }
    }

    /// From the name in a file: the quantity stands behind the last dot, but for what is drawn.
    pub fn read(name: &str, unit: &str) -> Self {
        let drawn = DRAWN.iter().find_map(|part| name.find(part));
        let split = drawn.or_else(|| name.rfind('.'));
        let (subject, quantity) = split.map_or(("", name), |at| (&name[..at], &name[at + 1..]));
        let purpose = if drawn.is_some() { Purpose::Draw } else { Purpose::Plot };
        Self { purpose, ..Self::new(subject, quantity, unit) }
    }

    /// Its name in files and on the command line, `<subject>.<quantity>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whose it is; empty for the time.
    pub fn subject(&self) -> &str {
        &self.name[..self.subject]
    }

    /// What it is of the subject.
    pub fn quantity(&self) -> &str {
        self.name[self.subject..].trim_start_matches('.')
    }

    /// Whether people look at it.
    pub fn is_plotted(&self) -> bool {
        self.purpose == Purpose::Plot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_file_says_whose_what_and_what_for() {
        for (name, subject, quantity, plotted) in [
            ("t", "", "t", true),
            ("ball.x", "ball", "x", true),
            ("crank.tip.vy", "crank.tip", "vy", true),
            ("guide.2.force_n", "guide.2", "force_n", true),
            ("rod.shape.12.stress", "rod", "shape.12.stress", false),
            ("floor.touch.angle", "floor", "touch.angle", false),
        ] {
            let read = Channel::read(name, "m");
            assert_eq!((read.subject(), read.quantity(), read.is_plotted()), (subject, quantity, plotted));
            let made = Channel::new(subject, quantity, "m");
            assert_eq!(if plotted { made } else { made.for_drawing() }, read);
            assert_eq!(read.name(), name);
        }
    }
}
