//! Units of a model file. Inside everything is SI; a file may say `units = "mm"` or
//! `units = { length = "mm", mass = "g", time = "ms", angle = "deg", force = "kN" }`.
//!
//! What is not named stays SI, so with `"mm"` a stiffness is N/mm, a torque N mm and gravity mm/s². A quantity with
//! exponents (l, m, t, a, f) of length, mass, time, angle and force is read as
//!
//! ```text
//!   value_SI = value · length^l · mass^m · time^t · angle^a · force^f
//! ```
//!
//! and written with the inverse. Arguments of `sin` and its like inside a formula are radians in any case.

mod speak;

pub use carom_model::Dimension;

use carom_dynamics::{Event, EventKind, Recording};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

macro_rules! unit_words {
    ($(#[$doc:meta])* $name:ident, $si:ident; $($(#[$word_doc:meta])* $variant:ident = $word:literal, $factor:expr;)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$word_doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// As it is written.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// One of it in SI.
            pub fn factor(self) -> f64 {
                match self { $(Self::$variant => $factor,)+ }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$si
            }
        }
    };
}

unit_words! {
    /// Unit of length.
    Length, Metre;
    /// Metre.
    Metre = "m", 1.0;
    /// Centimetre.
    Centimetre = "cm", 1e-2;
    /// Millimetre.
    Millimetre = "mm", 1e-3;
    /// Micrometre.
    Micrometre = "um", 1e-6;
    /// Kilometre.
    Kilometre = "km", 1e3;
    /// Inch.
    Inch = "in", 0.0254;
    /// Foot.
    Foot = "ft", 0.3048;
}

unit_words! {
    /// Unit of mass.
    Mass, Kilogram;
    /// Kilogram.
    Kilogram = "kg", 1.0;
    /// Gram.
    Gram = "g", 1e-3;
    /// Milligram.
    Milligram = "mg", 1e-6;
    /// Tonne.
    Tonne = "t", 1e3;
    /// Pound.
    Pound = "lb", 0.45359237;
}

unit_words! {
    /// Unit of time.
    Time, Second;
    /// Second.
    Second = "s", 1.0;
    /// Millisecond.
    Millisecond = "ms", 1e-3;
    /// Microsecond.
    Microsecond = "us", 1e-6;
    /// Minute.
    Minute = "min", 60.0;
}

unit_words! {
    /// Unit of angle.
    Angle, Radian;
    /// Radian.
    Radian = "rad", 1.0;
    /// Degree.
    Degree = "deg", std::f64::consts::PI / 180.0;
    /// Full turn.
    Turn = "turn", std::f64::consts::TAU;
}

unit_words! {
    /// Unit of force.
    ForceUnit, Newton;
    /// Newton.
    Newton = "N", 1.0;
    /// Millinewton.
    Millinewton = "mN", 1e-3;
    /// Kilonewton.
    Kilonewton = "kN", 1e3;
    /// Pound-force.
    PoundForce = "lbf", 4.4482216152605;
}

/// The units a model file is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Units {
    /// Lengths.
    pub length: Length,
    /// Masses.
    pub mass: Mass,
    /// Times.
    pub time: Time,
    /// Angles; inside formulas `sin` and its like take radians in any case.
    pub angle: Angle,
    /// Forces; a torque is force times length.
    pub force: ForceUnit,
}

impl Units {
    /// Metre, kilogram, second, radian, newton.
    pub fn si() -> Self {
        Self::default()
    }

    /// Millimetres, the rest SI.
    pub fn millimetres() -> Self {
        Self { length: Length::Millimetre, ..Self::default() }
    }

    /// One of this dimension in SI.
    pub fn factor(&self, dimension: Dimension) -> f64 {
        // Numerator and denominator apart: each is a product of exact or nearly exact factors, so g mm/ms² is 1 N.
        let factors = [
            self.length.factor(),
            self.mass.factor(),
            self.time.factor(),
            self.angle.factor(),
            self.force.factor(),
        ];
        let (mut above, mut below) = (1.0, 1.0);
        for (f, &e) in factors.iter().zip(&dimension.exponents()) {
            if e > 0 {
                above *= f.powi(e.into());
            } else {
                below *= f.powi(-i32::from(e));
            }
        }
        above / below
    }

    /// How a dimension is written in these units, such as `N mm` or `mm/ms²`.
    pub fn word(&self, dimension: Dimension) -> String {
        let words =
            [self.length.word(), self.mass.word(), self.time.word(), self.angle.word(), self.force.word()];
        let exponents = dimension.exponents();
        let side = |sign: i8| {
            // Force first: N m, not m N.
            [4, 1, 0, 2, 3]
                .into_iter()
                .filter(|&i| exponents[i] * sign > 0)
                .map(|i| match exponents[i] * sign {
                    1 => words[i].to_string(),
                    2 => format!("{}²", words[i]),
                    n => format!("{}^{n}", words[i]),
                })
                .collect::<Vec<_>>()
                .join(" ")
        };
        match (side(1), side(-1)) {
            (above, below) if below.is_empty() => above,
            (above, below) if above.is_empty() => format!("1/{below}"),
            (above, below) => format!("{above}/{below}"),
        }
    }

    /// A recording in these units; borrowed as it is if they are SI.
    pub fn present<'a>(&self, recording: &'a Recording) -> Cow<'a, Recording> {
        if *self == Self::si() {
            return Cow::Borrowed(recording);
        }
        let dimensions: Vec<_> = recording.channels.iter().map(|c| Dimension::of_unit(&c.unit)).collect();
        let channels = recording
            .channels
            .iter()
            .zip(&dimensions)
            .map(|(c, d)| match d {
                Some(d) => c.clone().in_unit(self.word(*d)),
                None => c.clone(),
            })
            .collect();
        let columns = recording
            .columns
            .iter()
            .zip(&dimensions)
            .map(|(column, d)| {
                let factor = d.map_or(1.0, |d| self.factor(d));
                column.iter().map(|x| x / factor).collect()
            })
            .collect();
        let events = recording.events.iter().map(|e| self.present_event(recording, e)).collect();
        Cow::Owned(Recording { channels, columns, events })
    }

    fn present_event(&self, recording: &Recording, event: &Event) -> Event {
        let [velocity, impulse] = event_dimensions(recording, event).map(|d| self.factor(d));
        Event {
            t: event.t / self.time.factor(),
            before: event.before / velocity,
            after: event.after / velocity,
            impulse: event.impulse / impulse,
            ..event.clone()
        }
    }
}

/// Velocity and impulse of an event. A contact slides; a joint that rubs has a channel `velocity`, which says whether
/// it slides or turns, and a stop of an angle a `gap` that is one. If its unit does not say, the event stays in SI.
fn event_dimensions(recording: &Recording, event: &Event) -> [Dimension; 2] {
    const SPIN: Dimension = Dimension::ANGLE.per(Dimension::TIME);
    const SPEED: Dimension = Dimension::LENGTH.per(Dimension::TIME);
    const IMPULSE: Dimension = Dimension::FORCE.times(Dimension::TIME);
    if matches!(event.kind, EventKind::Retry | EventKind::Switch | EventKind::Event) {
        return [Dimension::NONE; 2];
    }
    let channel = |quantity: &str| {
        let name = format!("{}.{quantity}", event.subject);
        let own = recording.channels.iter().find(|c| c.name() == name);
        own.map(|c| Dimension::of_unit(&c.unit))
    };
    if channel("gap") == Some(Some(Dimension::ANGLE)) {
        return [SPIN, IMPULSE.times(Dimension::LENGTH)];
    }
    match channel("velocity") {
        None | Some(Some(SPEED)) => [SPEED, IMPULSE],
        Some(Some(SPIN)) => [SPIN, IMPULSE.times(Dimension::LENGTH)],
        Some(_) => [Dimension::NONE; 2],
    }
}

/// Without the last digits, which conversions leave behind.
pub(crate) fn rounded(x: f64) -> f64 {
    format!("{x:.12e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gram_millimetre_per_square_millisecond_is_a_newton() {
        let units = Units { mass: Mass::Gram, time: Time::Millisecond, ..Units::millimetres() };
        let inertial = Dimension::MASS.times(Dimension::LENGTH).per(Dimension::TIME).per(Dimension::TIME);
        assert!((units.factor(inertial) - 1.0).abs() < 1e-15);
        assert_eq!(units.word(inertial), "g mm/ms²");
    }

    #[test]
    fn units_are_read_as_they_are_written() {
        for unit in ["m", "rad/s", "N m", "N s", "kg m²", "m/s²", "N m s/rad", "N"] {
            let dimension = Dimension::of_unit(unit).unwrap();
            assert_eq!(Units::si().word(dimension), unit);
        }
        assert_eq!(Dimension::of_unit("J"), Dimension::of_unit("N m"));
        assert_eq!(Dimension::of_unit("furlong"), None);
        assert_eq!(Units::millimetres().word(Dimension::of_unit("J").unwrap()), "N mm");
    }
}
