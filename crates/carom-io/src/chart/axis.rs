//! From values to pixels, and where the ticks are.

use super::Axis;
use crate::write::rounded;

/// Room beside the data, relative to their range.
const AIR: f64 = 0.04;
/// Ranges below this, relative to the values, are rounding and not worth a magnifying glass.
const CONSTANT: f64 = 1e-12;
/// Largest values below the first and from the second on are written with a common power of ten.
const PLAIN: [f64; 2] = [1e-2, 1e5];

/// An axis with its range on pixels.
#[derive(Clone, Copy, Debug)]
pub struct Ruler {
    logarithmic: bool,
    /// What is shown, in logarithms if logarithmic.
    range: [f64; 2],
    pixels: [f64; 2],
}

/// A tick: value as drawn, label if it has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Pixel.
    pub at: f64,
    /// Empty for the small ones between.
    pub label: String,
}

/// The ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// From the smallest on.
    pub all: Vec<Tick>,
    /// What all labels are to be multiplied with, for the end of the axis; empty if they are not.
    pub factor: String,
}

impl Ticks {
    /// Those that have a label.
    pub fn labelled(&self) -> impl Iterator<Item = &Tick> {
        self.all.iter().filter(|t| !t.label.is_empty())
    }
}

impl Ruler {
    /// Over the range of the axis, or of the data.
    pub fn new(axis: &Axis, data: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        let mut ruler = Self { logarithmic: axis.logarithmic, range: [0.0, 1.0], pixels };
        let seen = data.filter_map(|x| ruler.measure(x)).fold(None, |r: Option<[f64; 2]>, x| {
            Some(r.map_or([x, x], |[low, high]| [low.min(x), high.max(x)]))
        });
        let given = axis.range.and_then(|[a, b]| Some([ruler.measure(a)?, ruler.measure(b)?]));
        ruler.range = match (given, seen) {
            (Some([low, high]), _) if high > low => [low, high],
            (_, Some([low, high])) if high - low > CONSTANT * low.abs().max(high.abs()) => {
                let air = if axis.logarithmic { 0.0 } else { AIR * (high - low) };
                [low - air, high + air]
            }
            (_, Some([x, _])) => {
                let half = if axis.logarithmic || x == 0.0 { 0.5 } else { 0.1 * x.abs() };
                [x - half, x + half]
            }
            _ => [0.0, 1.0],
        };
        ruler
    }

    /// The same over another range.
    pub fn over(self, range: [f64; 2]) -> Self {
        Self { range, ..self }
    }

    /// What is shown, in logarithms if logarithmic.
    pub fn range(&self) -> [f64; 2] {
        self.range
    }

    /// Measure per pixel.
    pub fn scale(&self) -> f64 {
        (self.range[1] - self.range[0]) / (self.pixels[1] - self.pixels[0]).abs()
    }

    /// The value in the measure of the axis; none where it has no place.
    fn measure(&self, x: f64) -> Option<f64> {
        let x = if self.logarithmic { if x > 0.0 { x.log10() } else { f64::NAN } } else { x };
        x.is_finite().then_some(x)
    }

    /// Pixel of a value, also outside the frame.
    pub fn pixel(&self, x: f64) -> Option<f64> {
        self.measure(x).map(|x| self.place(x))
    }

    fn place(&self, measured: f64) -> f64 {
        let [low, high] = self.range;
        let [from, to] = self.pixels;
        from + (measured - low) / (high - low) * (to - from)
    }

    /// Ticks inside the range, labels about `spacing` pixels apart.
    pub fn ticks(&self, spacing: f64) -> Ticks {
        let [low, high] = self.range;
        let count = ((self.pixels[1] - self.pixels[0]).abs() / spacing).max(2.0);
        if self.logarithmic {
            Ticks { all: self.decades(low, high, count), factor: String::new() }
        } else {
            self.plain(low, high, count)
        }
    }

    fn plain(&self, low: f64, high: f64, count: f64) -> Ticks {
        let largest = low.abs().max(high.abs());
        let common = if largest > 0.0 && !(PLAIN[0]..PLAIN[1]).contains(&largest) {
            3 * (largest.log10().floor() as i32).div_euclid(3)
        } else {
            0
        };
        let (step, values) = round_numbers([low, high], count);
        // as many decimals as the step has
        let unit = 10f64.powi(common);
        let decimals = (-(step / unit).log10() - 1e-9).ceil().max(0.0) as usize;
        let label = |x: f64| {
            let text = format!("{:.*}", decimals, x / unit);
            let text =
                if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            if text == "-0" { "0".into() } else { text.replace('-', "−") }
        };
        Ticks {
            all: values.into_iter().map(|x| Tick { at: self.place(x), label: label(x) }).collect(),
            factor: if common == 0 { String::new() } else { format!("×{}", power(common)) },
        }
    }

    fn decades(&self, low: f64, high: f64, count: f64) -> Vec<Tick> {
        let slack = 1e-9 * (high - low);
        let inside = |x: f64| x >= low - slack && x <= high + slack;
        let every = ((high - low) / count).ceil().max(1.0) as i32;
        let few = high - low < 1.5;
        let mut found = Vec::new();
        for decade in (low.floor() as i32)..=(high.ceil() as i32) {
            let labelled = decade.rem_euclid(every) == 0;
            if inside(f64::from(decade)) {
                let label = if labelled { power(decade) } else { String::new() };
                found.push(Tick { at: self.place(f64::from(decade)), label });
            }
            if every > 1 {
                continue;
            }
            for digit in 2..10 {
                let x = f64::from(decade) + f64::from(digit).log10();
                if inside(x) {
                    let named = few && [2, 5].contains(&digit);
                    let label = match decade {
                        _ if !named => String::new(),
                        0 => format!("{digit}"),
                        1 => format!("{digit}0"),
                        _ => format!("{digit}·{}", power(decade)),
                    };
                    found.push(Tick { at: self.place(x), label });
                }
            }
        }
        found
    }
}

/// About `count` numbers in the range at 1, 2 or 5 times a power of ten, and how far they are apart.
fn round_numbers([low, high]: [f64; 2], count: f64) -> (f64, Vec<f64>) {
    let raw = (high - low) / count.max(1.0);
    if !(raw > 0.0 && raw.is_finite()) {
        return (1.0, Vec::new());
    }
    let power = 10f64.powi(raw.log10().floor() as i32);
    let step = power * [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= raw).unwrap_or(10.0);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (step, (first..=last).map(|i| rounded(i as f64 * step, 15)).collect())
}

/// 10 to a power, as people write it.
fn power(exponent: i32) -> String {
    if exponent == 0 {
        return "1".into();
    }
    if exponent == 1 {
        return "10".into();
    }
    let raised = |c: char| match c {
        '-' => '⁻',
        _ => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c as usize - '0' as usize],
    };
    std::iter::once('1').chain(['0']).chain(exponent.to_string().chars().map(raised)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: Axis) -> Ticks {
        Ruler::new(&axis, [].into_iter(), [0.0, 300.0]).ticks(36.0)
    }

    fn labels(axis: Axis) -> Vec<String> {
        ticks(axis).labelled().map(|t| t.label.clone()).collect()
    }

    #[test]
    fn round_numbers_are_round_and_inside() {
        assert_eq!(round_numbers([0.0, 1.0], 5.0), (0.2, vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0]));
        assert_eq!(round_numbers([-3e-6, 9e-6], 4.0).1, [0.0, 5e-6]);
        assert!(round_numbers([1.0, 1.0], 4.0).1.is_empty());
    }

    #[test]
    fn small_and_large_numbers_share_a_power_of_ten() {
        let small = ticks(Axis::linear("").between(-1e-6, 4e-6));
        assert_eq!(small.factor, "×10⁻⁶");
        assert_eq!(labels(Axis::linear("").between(-1e-6, 4e-6)), ["−1", "0", "1", "2", "3", "4"]);
        assert_eq!(ticks(Axis::linear("").between(0.0, 2.1e11)).factor, "×10⁹");
        assert_eq!(ticks(Axis::linear("").between(0.0, 99_000.0)).factor, "");
        // far from zero the digits that differ are shown
        assert_eq!(labels(Axis::linear("").between(100.0, 100.0004))[1], "100.00005");
    }

    #[test]
    fn ticks_are_where_people_expect_them() {
        assert_eq!(
            labels(Axis::logarithmic("").between(1e-3, 1e3)),
            ["10⁻³", "10⁻²", "10⁻¹", "1", "10", "10²", "10³"]
        );
        assert_eq!(
            labels(Axis::logarithmic("").between(1e-12, 1.0)),
            ["10⁻¹²", "10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "1"]
        );
        assert_eq!(labels(Axis::logarithmic("").between(0.1, 1.0)), ["10⁻¹", "2·10⁻¹", "5·10⁻¹", "1"]);
        assert_eq!(labels(Axis::logarithmic("").between(1.0, 20.0)), ["1", "2", "5", "10", "20"]);
        assert_eq!(labels(Axis::linear("").between(-1.0, 1.0)), ["−1", "−0.5", "0", "0.5", "1"]);
    }

    #[test]
    fn a_place_for_every_value_that_has_one() {
        let ruler =
            Ruler::new(&Axis::logarithmic(""), [1.0, 100.0, -5.0, f64::NAN].into_iter(), [0.0, 200.0]);
        assert_eq!(ruler.pixel(10.0), Some(100.0));
        assert_eq!(ruler.pixel(1000.0), Some(300.0));
        assert_eq!([0.0, -1.0, f64::NAN, f64::INFINITY].map(|x| ruler.pixel(x)), [None; 4]);
        // one value, or none: still a range
        assert!(Ruler::new(&Axis::linear(""), [7.0].into_iter(), [0.0, 1.0]).pixel(7.0).is_some());
        assert!(Ruler::new(&Axis::linear(""), [].into_iter(), [0.0, 1.0]).pixel(0.5).is_some());
    }
}
