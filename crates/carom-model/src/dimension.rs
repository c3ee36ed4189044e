//! Dimensions of the numbers of a description: exponents of length, mass, time, angle and force.
//!
//! Whatever has numbers shows each of them with its dimension to a [`Numbers`]: the reader of model files, which turns
//! them into SI, and whoever looks for lengths.

use crate::description::Expression;

/// Exponents of length, mass, time, angle and force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    exponents: [i8; 5],
}

impl Dimension {
    /// A plain number.
    pub const NONE: Self = Self { exponents: [0; 5] };
    /// Length.
    pub const LENGTH: Self = Self { exponents: [1, 0, 0, 0, 0] };
    /// Mass.
    pub const MASS: Self = Self { exponents: [0, 1, 0, 0, 0] };
    /// Time.
    pub const TIME: Self = Self { exponents: [0, 0, 1, 0, 0] };
    /// Angle.
    pub const ANGLE: Self = Self { exponents: [0, 0, 0, 1, 0] };
    /// Force.
    pub const FORCE: Self = Self { exponents: [0, 0, 0, 0, 1] };
    /// Velocity.
    pub const VELOCITY: Self = Self::LENGTH.per(Self::TIME);
    /// Frequency, and whatever is per time.
    pub const FREQUENCY: Self = Self::NONE.per(Self::TIME);
    /// Torque, and energy.
    pub const TORQUE: Self = Self::FORCE.times(Self::LENGTH);
    /// Area.
    pub const AREA: Self = Self::LENGTH.times(Self::LENGTH);
    /// Stress.
    pub const STRESS: Self = Self::FORCE.per(Self::AREA);
    /// Density.
    pub const DENSITY: Self = Self::MASS.per(Self::AREA).per(Self::LENGTH);

    /// Product of two dimensions.
    pub const fn times(self, other: Self) -> Self {
        self.add(other, 1)
    }

    /// Quotient of two dimensions.
    pub const fn per(self, other: Self) -> Self {
        self.add(other, -1)
    }

    const fn add(self, other: Self, sign: i8) -> Self {
        let mut exponents = self.exponents;
        let mut i = 0;
        while i < 5 {
            exponents[i] += sign * other.exponents[i];
            i += 1;
        }
        Self { exponents }
    }

    /// Exponents of length, mass, time, angle and force.
    pub const fn exponents(self) -> [i8; 5] {
        self.exponents
    }

    /// Dimension of an SI unit such as `N m s/rad` or `m/s²`; `None` if a symbol is unknown.
    pub fn of_unit(unit: &str) -> Option<Self> {
        let mut total = Self::NONE;
        let mut sign = 1;
        let spaced = unit.replace('/', " / ").replace('·', " ");
        for word in spaced.split_whitespace() {
            if word == "/" {
                sign = -1;
                continue;
            }
            let (symbol, power) = match word {
                w if w.ends_with('²') => (&w[..w.len() - '²'.len_utf8()], 2),
                w if w.ends_with("^2") => (&w[..w.len() - 2], 2),
                w => (w, 1),
            };
            let one = match symbol {
                "1" => Self::NONE,
                "m" => Self::LENGTH,
                "kg" => Self::MASS,
                "s" => Self::TIME,
                "rad" => Self::ANGLE,
                "N" => Self::FORCE,
                "J" => Self::TORQUE,
                "W" => Self::TORQUE.per(Self::TIME),
                _ => return None,
            };
            total = total.add(one, sign * power);
        }
        Some(total)
    }
}

/// Somebody to whom every number of a description is shown with its dimension, to be read or changed.
pub trait Numbers {
    /// A number.
    fn number(&mut self, x: &mut f64, dimension: Dimension);

    /// A function of time.
    fn function(&mut self, function: &mut Expression, dimension: Dimension);

    /// A function of time and motion: a formula speaks in the units of the terms of the description and stays as it is.
    fn law(&mut self, law: &mut Expression, dimension: Dimension) {
        if let Expression::Constant(x) = law {
            self.number(x, dimension);
        }
    }
}

impl dyn Numbers + '_ {
    /// Several numbers of the same dimension.
    pub fn all<'x>(&mut self, numbers: impl IntoIterator<Item = &'x mut f64>, dimension: Dimension) {
        numbers.into_iter().for_each(|x| self.number(x, dimension));
    }
}
