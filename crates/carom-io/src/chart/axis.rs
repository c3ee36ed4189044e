//! From values to pixels, and where the ticks are.

use super::Axis;
use crate::picture::ticks;
use crate::write::{number_text, rounded};

/// Pixels between labelled ticks, about.
const SPACING: f64 = 36.0;

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
            (_, Some([low, high])) if high > low => {
                let air = if axis.logarithmic { 0.0 } else { 0.04 * (high - low) };
                [low - air, high + air]
            }
            (_, Some([x, _])) => [x - 0.5, x + 0.5],
            _ => [0.0, 1.0],
        };
        ruler
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

    /// Ticks inside the range.
    pub fn ticks(&self) -> Vec<Tick> {
        let [low, high] = self.range;
        let count = ((self.pixels[1] - self.pixels[0]).abs() / SPACING).max(2.0);
        if self.logarithmic { self.decades(low, high, count) } else { self.plain(low, high, count) }
    }

    fn plain(&self, low: f64, high: f64, count: f64) -> Vec<Tick> {
        let label = |x: f64| number_text(rounded(x, 6)).replace('-', "−");
        ticks([low, high], count).into_iter().map(|x| Tick { at: self.place(x), label: label(x) }).collect()
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

    fn labels(axis: Axis) -> Vec<String> {
        let ruler = Ruler::new(&axis, [].into_iter(), [0.0, 300.0]);
        ruler.ticks().into_iter().map(|t| t.label).filter(|l| !l.is_empty()).collect()
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
