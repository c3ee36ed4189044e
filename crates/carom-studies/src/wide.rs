//! Numbers of 32 digits: the unevaluated sum of two doubles, for motions that amplify round-off.          [Dekker1971]
//!
//! ```text
//!   x = hi + lo,   |lo| ≤ ½ ulp(hi);      errors of + and × by two_sum and fused multiply-add, about 2⁻¹⁰⁴ relative
//! ```

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Doubles, or wider ones.
pub trait Number:
    Copy
    + PartialOrd
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The decimal number that x is written as, as well as it can be told.
    fn decimal(x: f64) -> Self;
    /// The nearest double.
    fn round(self) -> f64;
    fn sqrt(self) -> Self;
    fn sin_cos(self) -> (Self, Self);

    fn least(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    fn most(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Number for f64 {
    fn decimal(x: f64) -> Self {
        x
    }

    fn round(self) -> f64 {
        self
    }

    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Wide {
    hi: f64,
    lo: f64,
}

/// a + b and its error.
fn two_sum(a: f64, b: f64) -> Wide {
    let hi = a + b;
    let of_b = hi - a;
    Wide { hi, lo: (a - (hi - of_b)) + (b - of_b) }
}

/// The same where |a| ≥ |b|.
fn quick_sum(a: f64, b: f64) -> Wide {
    let hi = a + b;
    Wide { hi, lo: b - (hi - a) }
}

impl Wide {
    const PI: Self = Self { hi: std::f64::consts::PI, lo: 1.224_646_799_147_353_2e-16 };
    /// Terms of the series of sine and cosine below π/4 that are above 2⁻¹⁰⁶.
    const TERMS: usize = 28;
}

impl Number for Wide {
    /// The decimal number that x is written as: 0.1 is a tenth, not the double next to it.
    fn decimal(x: f64) -> Self {
        let text = format!("{x:e}");
        let (digits, exponent) = text.split_once('e').expect("{:e} writes an exponent");
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: f64 = format!("{whole}{fraction}").parse().expect("at most 17 digits");
        let exponent = exponent.parse::<i32>().expect("a whole number") - fraction.len() as i32;
        // exact up to 10²² and 2⁵³
        let ten = |n: i32| Self::from(10.0_f64.powi(n));
        if exponent < 0 {
            Self::from(mantissa) / ten(-exponent)
        } else {
            Self::from(mantissa) * ten(exponent)
        }
    }

    /// The nearest double.
    fn round(self) -> f64 {
        self.hi
    }

    fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        let rest = self - Self::from(root) * Self::from(root);
        Self::from(root) + Self::from(rest.hi / (2.0 * root))
    }

    fn sin_cos(self) -> (Self, Self) {
        let quarter = Self::PI * Self::from(0.5);
        let turns = (self.hi / quarter.hi).round();
        let x = self - quarter * Self::from(turns);
        let (mut sin, mut cos, mut term) = (Self::from(0.0), Self::from(1.0), Self::from(1.0));
        for n in 1..=Self::TERMS {
            // xⁿ/n!, with the signs + − − + of every four
            term = term * x / Self::from(n as f64);
            let signed = if n % 4 < 2 { term } else { -term };
            if n % 2 == 1 { sin = sin + signed } else { cos = cos + signed }
        }
        match turns.rem_euclid(4.0) as i32 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }
}

impl From<f64> for Wide {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.hi, other.hi), two_sum(self.lo, other.lo));
        let sum = quick_sum(high.hi, high.lo + low.hi);
        quick_sum(sum.hi, sum.lo + low.lo)
    }
}

impl Neg for Wide {
    type Output = Self;

    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Wide {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let hi = self.hi * other.hi;
        let lo = self.hi.mul_add(other.hi, -hi);
        quick_sum(hi, lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Wide {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        quick_sum(first, second) + Self::from(rest.hi / other.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits from tables: √2, sin 1, cos 1, and what is left of identities.
    #[test]
    fn to_thirty_digits() {
        let one = Wide::from(1.0);
        let off = |x: Wide, hi: f64, lo: f64| (x - Wide { hi, lo }).round().abs();
        // 1.41421356237309504880168872420969807857
        assert!(off(Wide::from(2.0).sqrt(), std::f64::consts::SQRT_2, -9.667_293_313_452_913e-17) < 1e-31);
        let (sin, cos) = one.sin_cos();
        // 0.84147098480789650665250232163029899962, 0.54030230586813971740093660744297660373
        let digits = |text: &str| {
            text.bytes()
                .fold(Wide::from(0.0), |x, digit| x * Wide::from(10.0) + Wide::from(f64::from(digit - b'0')))
                / (0..text.len()).fold(one, |x, _| x * Wide::from(10.0))
        };
        for (x, text) in
            [(sin, "84147098480789650665250232163029899962"), (cos, "54030230586813971740093660744297660373")]
        {
            assert!((x - digits(text)).round().abs() < 1e-31, "{text}: {x:?}");
        }
        for x in [0.3, 2.0, -5.0, 84.7, 1e3] {
            let (sin, cos) = Wide::from(x).sin_cos();
            assert!((sin * sin + cos * cos - one).round().abs() < 1e-30, "{x}");
            assert!((sin.round() - x.sin()).abs() < 1e-15 && (cos.round() - x.cos()).abs() < 1e-15, "{x}");
        }
        // a tenth, ten times; 1001 thousandths
        assert!((Wide::decimal(0.1) * Wide::from(10.0) - one).round().abs() < 1e-31);
        assert!((Wide::decimal(1.001) * Wide::from(1000.0) - Wide::from(1001.0)).round().abs() < 1e-28);
        assert_eq!(Wide::decimal(-2.5e4).round(), -25_000.0);
        assert!((one / Wide::from(3.0) * Wide::from(3.0) - one).round().abs() < 1e-31);
    }
}
