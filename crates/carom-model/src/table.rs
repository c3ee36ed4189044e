//! A curve through the points of a table, for formulas.
//!
//! ```text
//!   a cubic between two points, f and f' and f'' continuous where they meet, f'' = 0 at both ends:
//!
//!   f(x) = [(x_1−x) y_0 + (x−x_0) y_1]/h + [(a³−a) m_0 + (b³−b) m_1] h²/6,     a = (x_1−x)/h,  b = (x−x_0)/h,  h = x_1−x_0
//!   m of the points inside:   h_0 m_0 + 2 (h_0+h_1) m_1 + h_1 m_2 = 6 [(y_2−y_1)/h_1 − (y_1−y_0)/h_0]
//! ```
//!
//! Beyond its ends the curve goes on straight, with the slope that it has there; f'' stays continuous. Nothing switches.

/// The natural cubic spline through points with rising x.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    x: Vec<f64>,
    y: Vec<f64>,
    /// f'' at the points.
    m: Vec<f64>,
}

impl Table {
    /// Through two points or more, finite, x rising.
    pub fn new(points: &[[f64; 2]]) -> Self {
        debug_assert!(points.len() > 1 && points.windows(2).all(|two| two[0][0] < two[1][0]));
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|&[x, y]| (x, y)).unzip();
        let n = x.len();
        let mut m = vec![0.0; n];
        // elimination of a tridiagonal matrix that is dominated by its diagonal
        let mut above = vec![0.0; n];
        for i in 1..n - 1 {
            let (h_0, h_1) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            let bend = 6.0 * ((y[i + 1] - y[i]) / h_1 - (y[i] - y[i - 1]) / h_0);
            let pivot = 2.0 * (h_0 + h_1) - h_0 * above[i - 1];
            above[i] = h_1 / pivot;
            m[i] = (bend - h_0 * m[i - 1]) / pivot;
        }
        for i in (1..n - 1).rev() {
            m[i] -= above[i] * m[i + 1];
        }
        Self { x, y, m }
    }

    /// f, f', f'' at x.
    pub fn at(&self, x: f64) -> [f64; 3] {
        let last = self.x.len() - 1;
        let end = if x < self.x[0] {
            Some(self.x[0])
        } else if x > self.x[last] {
            Some(self.x[last])
        } else {
            None
        };
        if let Some(end) = end {
            let [f, slope, _] = self.at(end);
            return [f + slope * (x - end), slope, 0.0];
        }
        let i = self.x.partition_point(|knot| *knot <= x).clamp(1, last);
        let (x_0, x_1) = (self.x[i - 1], self.x[i]);
        let (y_0, y_1, m_0, m_1) = (self.y[i - 1], self.y[i], self.m[i - 1], self.m[i]);
        let h = x_1 - x_0;
        let (a, b) = ((x_1 - x) / h, (x - x_0) / h);
        let f = a * y_0 + b * y_1 + ((a * a * a - a) * m_0 + (b * b * b - b) * m_1) * h * h / 6.0;
        let slope = (y_1 - y_0) / h + ((1.0 - 3.0 * a * a) * m_0 + (3.0 * b * b - 1.0) * m_1) * h / 6.0;
        [f, slope, a * m_0 + b * m_1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_stays_one() {
        let table = Table::new(&[[-1.0, 3.0], [0.5, 0.0], [0.6, -0.2], [4.0, -7.0]]);
        for x in [-3.0, -1.0, -0.2, 0.5, 0.55, 2.0, 4.0, 9.0] {
            let [f, slope, bend] = table.at(x);
            assert!((f - (1.0 - 2.0 * x)).abs() < 1e-13 && (slope + 2.0).abs() < 1e-13 && bend.abs() < 1e-12);
        }
        assert_eq!(Table::new(&[[0.0, 1.0], [1.0, 3.0]]).at(0.5), [2.0, 2.0, 0.0]);
    }

    /// A sine over half a wave has f'' = 0 at both ends: the error falls with the fourth power of the distance of points.
    #[test]
    fn a_smooth_curve_is_met_to_fourth_order() {
        let error = |n: usize| {
            let x = |i: usize, of: usize| std::f64::consts::PI * i as f64 / of as f64;
            let points: Vec<[f64; 2]> = (0..=n).map(|i| [x(i, n), x(i, n).sin()]).collect();
            let table = Table::new(&points);
            (0..=997).map(|i| (table.at(x(i, 997))[0] - x(i, 997).sin()).abs()).fold(0.0, f64::max)
        };
        let order = (error(10) / error(40)).log2() / 2.0;
        assert!((3.9..4.1).contains(&order), "{order}");
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let table = Table::new(&[[0.0, 0.0], [1.0, 2.0], [1.5, 1.0], [3.0, 1.2], [3.1, 4.0]]);
        let e = 1e-5;
        for i in 0..60 {
            let x = -0.7 + 0.077 * f64::from(i);
            let (low, high) = (table.at(x - e), table.at(x + e));
            let [_, slope, bend] = table.at(x);
            assert!((slope - (high[0] - low[0]) / (2.0 * e)).abs() < 1e-6);
            // f''' jumps at points: half of that times e
            assert!((bend - (high[1] - low[1]) / (2.0 * e)).abs() < 1e-2);
        }
    }
}
