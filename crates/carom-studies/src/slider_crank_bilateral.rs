//! The slider-crank without play, exact: one degree of freedom and its energy, nothing in common with the schemes.
//!
//! With θ2 = −asin(l1 sin θ1 / l2) everything depends on θ1 alone; ′ is the derivative by θ1, r the centres of mass:
//!
//! ```text
//!   I = J1 + m1 |r1′|² + m2 |r2′|² + J2 θ2′² + m3 x3′²,     V = g (m1 y1 + m2 y2)
//!   ω1² = 2 (E − V)/I,       t = ∫ dθ1/ω1                   energy; Gauss quadrature, inverted by Newton's iteration
//!   α1 = −(½ I′ ω1² + V′)/I                                 power
//!   x3 λ = d(ℓ ω1)/dt + g (m1 x1 + m2 x2 + m3 x3)           moment of momentum about the pin of the crank
//!   ℓ = J1 + m1 |r1|² + m2 r2 × r2′ + J2 θ2′
//! ```
//!
//! λ is the force of the guide on the slider, upwards; its torque is zero. [RezaeiSchindler] has a Simpack run instead.

use crate::running::{Method, Trouble, watch};
use carom_systems::{SliderCrank, SliderCrankBilateral};

/// End of all runs of [RezaeiSchindler] §4.4 (s).
pub const END: f64 = 0.05;

/// How finely t is integrated; the default is far beyond round-off.
#[derive(Clone, Copy, Debug)]
pub struct Precision {
    /// Angle of the crank per panel (rad).
    pub panel: f64,
    /// Gauss points per panel.
    pub points: usize,
}

impl Default for Precision {
    fn default() -> Self {
        Self { panel: 0.1, points: 12 }
    }
}

/// The motion at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// θ1, θ2 (rad).
    pub theta: [f64; 2],
    /// ω1, ω2 (rad/s).
    pub omega: [f64; 2],
    /// Normal force of the guide (N).
    pub force: f64,
}

/// What depends on θ1 alone.
struct Shape {
    /// θ2 and its derivatives.
    theta2: [f64; 3],
    inertia: [f64; 2],
    potential: [f64; 2],
    /// ℓ and ℓ′.
    momentum: [f64; 2],
    /// Σ m x and x3.
    lever: [f64; 2],
}

/// The exact motion from the start of the data on; the crank must not stop.
#[derive(Clone, Debug)]
pub struct Bilateral {
    data: SliderCrank,
    precision: Precision,
    /// Nodes and weights on [0, 1].
    gauss: Vec<[f64; 2]>,
    energy: f64,
    /// Time at the beginning of every panel.
    times: Vec<f64>,
}

impl Bilateral {
    /// Up to `end` at least.
    pub fn new(data: SliderCrank, end: f64, precision: Precision) -> Self {
        assert!(data.torque == 0.0 && data.speeds[0] > 0.0, "a crank that turns by itself");
        let mut motion =
            Self { data, precision, gauss: gauss(precision.points), energy: 0.0, times: vec![0.0] };
        let shape = motion.shape(data.angles[0]);
        motion.energy = 0.5 * shape.inertia[0] * data.speeds[0].powi(2) + shape.potential[0];
        let mut t = 0.0;
        while t <= end {
            let from = motion.panel_start(motion.times.len() - 1);
            t += motion.duration(from, precision.panel);
            motion.times.push(t);
        }
        motion
    }

    fn panel_start(&self, k: usize) -> f64 {
        self.data.angles[0] + k as f64 * self.precision.panel
    }

    fn shape(&self, theta1: f64) -> Shape {
        let SliderCrank { l1, l2, m1, m2, m3, J1, J2, gravity: g, .. } = self.data;
        let (s1, c1) = theta1.sin_cos();
        // sin θ2 = −l1/l2 sin θ1, differentiated twice
        let s2 = -l1 / l2 * s1;
        let c2 = (1.0 - s2 * s2).sqrt();
        let p = -l1 / l2 * c1 / c2;
        let pp = (-s2 + s2 * p * p) / c2;
        // half the rod from the pin, and the whole of it, each with two derivatives
        let rod = |l: f64| {
            [
                [l1 * c1 + l * c2, l1 * s1 + l * s2],
                [-l1 * s1 - l * s2 * p, l1 * c1 + l * c2 * p],
                [-l1 * c1 - l * (c2 * p * p + s2 * pp), -l1 * s1 - l * (s2 * p * p - c2 * pp)],
            ]
        };
        let (r2, r3) = (rod(0.5 * l2), rod(l2));
        let crank = J1 + 0.25 * m1 * l1 * l1;
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        Shape {
            theta2: [s2.asin(), p, pp],
            inertia: [
                crank + m2 * dot(r2[1], r2[1]) + J2 * p * p + m3 * r3[1][0].powi(2),
                2.0 * (m2 * dot(r2[1], r2[2]) + J2 * p * pp + m3 * r3[1][0] * r3[2][0]),
            ],
            potential: [g * (m1 * 0.5 * l1 * s1 + m2 * r2[0][1]), g * (m1 * 0.5 * l1 * c1 + m2 * r2[1][1])],
            momentum: [crank + m2 * cross(r2[0], r2[1]) + J2 * p, m2 * cross(r2[0], r2[2]) + J2 * pp],
            lever: [m1 * 0.5 * l1 * c1 + m2 * r2[0][0] + m3 * r3[0][0], r3[0][0]],
        }
    }

    fn speed(&self, shape: &Shape) -> f64 {
        (2.0 * (self.energy - shape.potential[0]) / shape.inertia[0]).sqrt()
    }

    /// Time from θ1 = `from` over the angle `by`.
    fn duration(&self, from: f64, by: f64) -> f64 {
        let slowness = |x: f64| 1.0 / self.speed(&self.shape(from + x * by));
        by * self.gauss.iter().map(|[x, w]| w * slowness(*x)).sum::<f64>()
    }

    /// The motion at t, between 0 and the end.
    pub fn at(&self, t: f64) -> Place {
        let k = self.times.partition_point(|begin| *begin <= t).clamp(1, self.times.len() - 1) - 1;
        let (from, begin) = (self.panel_start(k), self.times[k]);
        let mut by = self.precision.panel * (t - begin) / (self.times[k + 1] - begin);
        for _ in 0..6 {
            let step = (t - begin - self.duration(from, by)) * self.speed(&self.shape(from + by));
            by += step;
            if step.abs() < 1e-15 {
                break;
            }
        }
        let theta1 = from + by;
        let shape = self.shape(theta1);
        let omega1 = self.speed(&shape);
        let [alpha1, _] = acceleration(&shape, omega1);
        let [theta2, p, _] = shape.theta2;
        let momentum_rate = shape.momentum[0] * alpha1 + shape.momentum[1] * omega1 * omega1;
        Place {
            theta: [theta1, theta2],
            omega: [omega1, p * omega1],
            force: (momentum_rate + self.data.gravity * shape.lever[0]) / shape.lever[1],
        }
    }
}

/// α1, α2.
fn acceleration(shape: &Shape, omega1: f64) -> [f64; 2] {
    let square = omega1 * omega1;
    let alpha1 = -(0.5 * shape.inertia[1] * square + shape.potential[1]) / shape.inertia[0];
    [alpha1, shape.theta2[1] * alpha1 + shape.theta2[2] * square]
}

/// Gauss–Legendre nodes and weights on [0, 1], by Newton's iteration on the Legendre polynomial.
fn gauss(points: usize) -> Vec<[f64; 2]> {
    let n = points as f64;
    let legendre = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for k in 2..=points {
            let k = k as f64;
            (before, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k);
        }
        (now, n * (x * now - before) / (x * x - 1.0))
    };
    let node = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        for _ in 0..10 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        let slope = legendre(x).1;
        [0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope)]
    };
    (0..points).map(node).collect()
}

/// The slider-crank of [RezaeiSchindler] Table 1 with c = 0, its start, and its exact motion up to [`END`].
pub struct Case {
    pub system: SliderCrankBilateral,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub exact: Bilateral,
}

impl Case {
    /// Table 1.
    pub fn table_1() -> Result<Self, Trouble> {
        let data = SliderCrank::default();
        let system = SliderCrankBilateral::new(data);
        let (q, v) = system.start()?;
        Ok(Self { system, q, v, exact: Bilateral::new(data, END, Precision::default()) })
    }

    /// (92): the 2-norm of the relative errors of θ2 at the times `every`, 2 `every`, .. up to [`END`]. The first sample
    /// is not t = 0, where the relative error is 0/0.
    pub fn error_of_rod(&self, method: Method, step: f64, every: f64) -> Result<f64, Trouble> {
        let stride = (every / step).round() as usize;
        let (mut n, mut sum) = (0, 0.0);
        watch(&self.system, method, (&self.q, &self.v), step, END, |state, _| {
            if n > 0 && n % stride == 0 {
                let exact = self.exact.at(state.t).theta[1];
                sum += ((state.q[1] - exact) / exact).powi(2);
            }
            n += 1;
        })?;
        Ok(sum.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// θ1 and ω1 by the classic Runge–Kutta method on the power equation alone, one step against two for the error.
    fn runge_kutta(motion: &Bilateral, end: f64, steps: usize) -> [f64; 2] {
        let dt = end / steps as f64;
        let slope = |[theta, omega]: [f64; 2]| {
            let shape = motion.shape(theta);
            [omega, acceleration(&shape, omega)[0]]
        };
        let plus = |y: [f64; 2], c: f64, k: [f64; 2]| [y[0] + c * k[0], y[1] + c * k[1]];
        let mut y = [motion.data.angles[0], motion.data.speeds[0]];
        for _ in 0..steps {
            let k1 = slope(y);
            let k2 = slope(plus(y, 0.5 * dt, k1));
            let k3 = slope(plus(y, 0.5 * dt, k2));
            let k4 = slope(plus(y, dt, k3));
            for i in 0..2 {
                y[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        y
    }

    #[test]
    fn two_precisions_and_another_method_agree() {
        let data = SliderCrank::default();
        let fine = Bilateral::new(data, END, Precision::default());
        let coarse = Bilateral::new(data, END, Precision { panel: 0.17, points: 10 });
        for k in 1..=50 {
            let t = END * f64::from(k) / 50.0;
            let (a, b) = (fine.at(t), coarse.at(t));
            assert!(
                (a.theta[0] - b.theta[0]).abs() < 1e-13 && (a.force - b.force).abs() < 1e-10,
                "{a:?} {b:?}"
            );
        }
        let end = fine.at(END);
        let [theta, omega] = runge_kutta(&fine, END, 40_000);
        assert!((theta / end.theta[0] - 1.0).abs() < 1e-12, "{theta} {end:?}");
        assert!((omega / end.omega[0] - 1.0).abs() < 1e-12, "{omega} {end:?}");
    }

    /// M a = h + Gᵀ λ row by row, with M and h as [RezaeiSchindler] App. C derives them.
    #[test]
    fn the_force_balances_both_rows() {
        let d = SliderCrank::default();
        let motion = Bilateral::new(d, END, Precision::default());
        for k in 0..=50 {
            let Place { theta, omega, force } = motion.at(END * f64::from(k) / 50.0);
            let alpha = acceleration(&motion.shape(theta[0]), omega[0]);
            let half = 0.5 * d.m2 + d.m3;
            let kappa = d.l1 * d.l2 * half;
            let delta = theta[0] - theta[1];
            let row1 = (d.J1 + d.l1 * d.l1 * (0.25 * d.m1 + d.m2 + d.m3)) * alpha[0]
                + kappa * (delta.cos() * alpha[1] + delta.sin() * omega[1].powi(2))
                + d.l1 * theta[0].cos() * (d.gravity * (0.5 * d.m1 + d.m2 + d.m3) - force);
            let row2 = (d.J2 + d.l2 * d.l2 * (0.25 * d.m2 + d.m3)) * alpha[1]
                + kappa * (delta.cos() * alpha[0] - delta.sin() * omega[0].powi(2))
                + d.l2 * theta[1].cos() * (d.gravity * half - force);
            let size = kappa * omega[0].powi(2);
            assert!(row1.abs() < 1e-13 * size && row2.abs() < 1e-13 * size, "{k}: {row1} {row2} of {size}");
            let drift = d.l1 * theta[0].sin() + d.l2 * theta[1].sin();
            assert!(drift.abs() < 1e-15, "{drift}");
        }
    }
}
