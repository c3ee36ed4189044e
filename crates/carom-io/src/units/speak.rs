//! Sentences of the library, which is in SI throughout, in the units of a file.
//!
//! A number before an SI unit is converted with it, `0.002 m` becomes `2 mm`, and so are numbers of a list before it,
//! `0, -9.81 m/s²`. Times after `t =` have no unit and get that of the file. Numbers keep their digits and their notation.

use super::{Dimension, Units};
use std::borrow::Cow;

/// Most words of a unit: `N m s/rad`.
const WORDS: usize = 3;
/// What may stand around a number or after a unit.
const OPENING: [char; 3] = ['(', '`', '['];
const CLOSING: [char; 8] = [',', ';', ':', '.', ')', '`', ']', '?'];

impl Units {
    /// A sentence with its quantities in these units.
    pub fn speak(&self, text: &str) -> String {
        if *self == Self::si() {
            return text.into();
        }
        text.split('\n').map(|line| self.line(line)).collect::<Vec<_>>().join("\n")
    }

    fn line(&self, line: &str) -> String {
        let mut words: Vec<Cow<'_, str>> = line.split(' ').map(Cow::Borrowed).collect();
        let mut k = 0;
        while k < words.len() {
            let Some(number) = Number::of(&words[k]) else {
                k += 1;
                continue;
            };
            let units = if number.after.is_empty() { self.unit(&words[k + 1..]) } else { None };
            if let Some((taken, dimension, tail)) = units {
                let factor = self.factor(dimension);
                words[k] = number.divided(factor).into();
                // numbers of a list before it
                let mut before = k;
                while before > 0 {
                    match Number::of(&words[before - 1]).filter(|n| n.after == ",") {
                        Some(n) => words[before - 1] = n.divided(factor).into(),
                        None => break,
                    }
                    before -= 1;
                }
                let unit = format!("{}{tail}", self.word(dimension));
                words.splice(k + 1..k + 1 + taken, [Cow::Owned(unit)]);
                k += 2;
                continue;
            }
            let is_time = k >= 2 && words[k - 1] == "=" && words[k - 2].trim_start_matches(OPENING) == "t";
            if is_time {
                let unit = self.time.word();
                let after = number.after.to_string();
                words[k] = format!("{} {unit}{after}", number.bare(self.time.factor())).into();
            }
            k += 1;
        }
        words.join(" ")
    }

    /// An SI unit at the beginning of some words: how many they are, its dimension, and what stands after it.
    fn unit(&self, words: &[Cow<'_, str>]) -> Option<(usize, Dimension, String)> {
        (1..=WORDS.min(words.len())).rev().find_map(|n| {
            let joined = words[..n].join(" ");
            let unit = joined.trim_end_matches(CLOSING);
            let tail = joined[unit.len()..].to_string();
            let dimension = Dimension::of_unit(unit).filter(|d| *d != Dimension::NONE)?;
            Some((n, dimension, tail))
        })
    }
}

/// A word that is a number.
struct Number<'a> {
    before: &'a str,
    digits: &'a str,
    after: &'a str,
    value: f64,
}

impl<'a> Number<'a> {
    fn of(word: &'a str) -> Option<Self> {
        let inner = word.trim_start_matches(OPENING);
        let before = &word[..word.len() - inner.len()];
        let digits = inner.trim_end_matches(CLOSING);
        let after = &inner[digits.len()..];
        let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        let value = digits.parse().ok().filter(|_| plain)?;
        Some(Self { before, digits, after, value })
    }

    /// In another unit, with what stands around it.
    fn divided(&self, factor: f64) -> String {
        format!("{}{}", self.bare(factor), self.after)
    }

    /// The same without what stands after it: as many digits as it had, three at least where they can be had.
    fn bare(&self, factor: f64) -> String {
        let value = self.value / factor;
        let number = match self.digits.split_once('e') {
            Some((mantissa, _)) => {
                let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len());
                format!("{value:.decimals$e}")
            }
            None => {
                let digits = self.digits.chars().filter(char::is_ascii_digit).count().clamp(3, 17);
                let rounded: f64 = format!("{value:.*e}", digits - 1).parse().unwrap_or(value);
                rounded.to_string()
            }
        };
        format!("{}{number}", self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Angle, Time};
    use super::*;

    #[test]
    fn quantities_are_said_in_the_units_of_the_file() {
        let mm = Units::millimetres();
        let ms = Units { time: Time::Millisecond, angle: Angle::Degree, ..mm };
        for (units, si, said) in [
            (
                mm,
                "the deepest penetration was 1.2e-5 m (floor), 3e-4 of it",
                "the deepest penetration was 1.2e-2 mm (floor), 3e-4 of it",
            ),
            (mm, "gravity 0, -9.81 m/s²", "gravity 0, -9810 mm/s²"),
            (mm, "the energy that moved (7.496 J).", "the energy that moved (7496 N mm)."),
            (mm, "at t = 0.25: nothing", "at t = 0.25 s: nothing"),
            (ms, "at t = 0.25: nothing", "at t = 250 ms: nothing"),
            (ms, "turned by 3.14159 rad, moved by 0.5 m", "turned by 180 deg, moved by 500 mm"),
            (ms, "12 steps to t = 0.5 s in 3 parts", "12 steps to t = 500 ms in 3 parts"),
            (ms, "the torque 2 N m; more", "the torque 2000 N mm; more"),
            (mm, "1 m\n2 mm 3 of 4", "1000 mm\n2 mm 3 of 4"),
        ] {
            assert_eq!(units.speak(si), said);
            assert_eq!(Units::si().speak(si), si);
        }
    }
}
