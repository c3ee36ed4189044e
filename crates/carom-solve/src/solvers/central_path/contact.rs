//! One contact on the central path: its point, its Nesterov–Todd scaling, its part of a step.
//!
//! A cone of friction is Lorentz' cone in x̂ = (μ x_N, x_T), ŷ = (y_N / μ, y_T). Rows without friction are half lines, rows with a
//! bound are boxes with one multiplier for each side, u = y₁ − y₀; joints are free.

use crate::factor::block_lu::Block;
use crate::{Law, Normal};

pub(super) type V3 = [f64; 3];

/// The tip of ‖u_T‖ is rounded over this share of the barrier, so that it has a slope.
const ROUND: f64 = 1e-3;
/// On the diagonal of joints: dependent ones have no unique force.
const PROXIMAL: f64 = 1e-9;
/// Determinants do not fall below this: rounding can bring a point onto the border of its cone.
const TINY: f64 = 1e-300;

/// What a contact is to the path.
#[derive(Clone, Copy, Debug)]
enum PathLaw {
    /// x free, u = 0.
    Free,
    /// x is this.
    Given(f64),
    /// x_N, y_N ≥ 0; further rows of x are zero.
    Half,
    /// The cone of friction with this μ.
    Cone(f64),
    /// x between these.
    Box([f64; 2]),
}

/// A contact in scaled rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    kind: PathLaw,
    dim: usize,
    /// Impulse, velocity, velocity with its shift as the path has it.
    pub x: V3,
    pub u: V3,
    y: V3,
    dx: V3,
    dy: V3,
    /// S⁻¹ D V² D: what stands beside Ŵ on the diagonal.
    pub theta: Block,
    /// V = η [[w₀, w₁ᵀ], [w₁, 1 + w₁ w₁ᵀ/(1 + w₀)]] and λ = V x̂ = V⁻¹ ŷ.
    eta: f64,
    w: V3,
    lambda: V3,
    /// κ t, the slope of ‖u_T‖ as far as the step knows it.
    t: V3,
}

impl Contact {
    /// In the middle of its cone; `scale` turns P into x.
    pub fn new(law: &Law, scale: f64) -> Self {
        let kind = match (law.normal(), law.interval()) {
            (_, Some([low, high])) if low.is_infinite() || high.is_infinite() => PathLaw::Free,
            (_, Some([low, high])) if low == high => PathLaw::Given(high * scale),
            (_, Some([low, high])) => PathLaw::Box([low * scale, high * scale]),
            (Normal::HalfLine, _) if law.friction() != 0.0 => PathLaw::Cone(law.friction()),
            (Normal::HalfLine, _) => PathLaw::Half,
            _ => PathLaw::Free,
        };
        let (x, y) = match kind {
            PathLaw::Free => ([0.0; 3], [0.0; 3]),
            PathLaw::Given(x) => ([x, 0.0, 0.0], [0.0; 3]),
            PathLaw::Half => ([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            PathLaw::Cone(mu) => ([1.0 / mu.max(1.0), 0.0, 0.0], [mu.max(1.0), 0.0, 0.0]),
            PathLaw::Box([low, high]) => ([0.5 * (low + high), 0.0, 0.0], [1.0, 1.0, 0.0]),
        };
        Self {
            kind,
            dim: law.dim(),
            x,
            u: [0.0; 3],
            y,
            dx: [0.0; 3],
            dy: [0.0; 3],
            theta: [[0.0; 3]; 3],
            eta: 1.0,
            w: [1.0, 0.0, 0.0],
            lambda: [0.0; 3],
            t: [0.0; 3],
        }
    }

    /// Near a point with this x and u: pushed inside so far that x ∘ y is about `room`² everywhere.
    pub fn near(&mut self, x: V3, u: V3, room: f64) {
        match self.kind {
            PathLaw::Free => self.x = x,
            PathLaw::Given(_) => {}
            PathLaw::Half => (self.x[0], self.y[0]) = (x[0].max(0.0) + room, u[0].max(0.0) + room),
            PathLaw::Box([low, high]) => {
                let (middle, inside) = (0.5 * (low + high), 0.5 * (high - low) / (1.0 + room));
                self.x[0] = x[0].clamp(middle - inside, middle + inside);
                self.y = [(-u[0]).max(0.0) + room, u[0].max(0.0) + room, 0.0];
            }
            PathLaw::Cone(mu) => {
                let (x, t) = (lorentz(mu, &x), u[1].hypot(u[2]));
                let y = dual_lorentz(mu, &[u[0] + mu * t, u[1], u[2]]);
                self.x = [x[0].max(x[1].hypot(x[2])) / mu + room, x[1], x[2]];
                self.y = [mu * y[0].max(t) + room, y[1], y[2]];
            }
        }
    }

    /// Whether a row of x stays zero.
    pub fn fixed(&self, row: usize) -> bool {
        match self.kind {
            PathLaw::Given(_) => row < self.dim,
            PathLaw::Half => row > 0 && row < self.dim,
            PathLaw::Free | PathLaw::Cone(_) | PathLaw::Box(_) => false,
        }
    }

    /// Products that are τ on the path.
    pub fn degree(&self) -> f64 {
        match self.kind {
            PathLaw::Free | PathLaw::Given(_) => 0.0,
            PathLaw::Half | PathLaw::Cone(_) => 1.0,
            PathLaw::Box(_) => 2.0,
        }
    }

    /// x · y after this much of the step.
    pub fn gap(&self, alpha: f64) -> f64 {
        let x: V3 = std::array::from_fn(|k| self.x[k] + alpha * self.dx[k]);
        let y: V3 = std::array::from_fn(|k| self.y[k] + alpha * self.dy[k]);
        match self.kind {
            PathLaw::Free | PathLaw::Given(_) => 0.0,
            PathLaw::Half => x[0] * y[0],
            PathLaw::Cone(_) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2],
            PathLaw::Box([low, high]) => (high - x[0]) * y[0] + (x[0] - low) * y[1],
        }
    }

    /// Goes this much of the step.
    pub fn go(&mut self, alpha: f64) {
        for k in 0..3 {
            self.x[k] += alpha * self.dx[k];
            self.y[k] += alpha * self.dy[k];
        }
    }

    /// ‖u_T‖, rounded at its tip.
    fn sliding(&self, tau: f64) -> f64 {
        let round = ROUND * tau.min(1.0);
        (self.u[1] * self.u[1] + self.u[2] * self.u[2] + round * round).sqrt()
    }

    /// r = y − u − μ ‖u_T‖ e_N.
    pub fn lack(&self, tau: f64) -> V3 {
        let (u, y) = (&self.u, &self.y);
        match self.kind {
            PathLaw::Given(_) => [0.0; 3],
            PathLaw::Free => u.map(|u| -u),
            PathLaw::Half => [y[0] - u[0], 0.0, 0.0],
            PathLaw::Cone(mu) => [y[0] - u[0] - mu * self.sliding(tau), y[1] - u[1], y[2] - u[2]],
            PathLaw::Box(_) => [y[1] - y[0] - u[0], 0.0, 0.0],
        }
    }

    /// The Nesterov–Todd point and the block of the diagonal.
    pub fn scale(&mut self, tau: f64, kappa: f64) {
        self.theta = [[0.0; 3]; 3];
        for i in 0..self.dim {
            if self.fixed(i) {
                self.theta[i][i] = 1.0;
            }
        }
        match self.kind {
            PathLaw::Free => (0..self.dim).for_each(|i| self.theta[i][i] = PROXIMAL),
            PathLaw::Given(_) => {}
            PathLaw::Half => self.theta[0][0] = self.y[0] / self.x[0],
            PathLaw::Box([low, high]) => {
                self.theta[0][0] = self.y[0] / (high - self.x[0]) + self.y[1] / (self.x[0] - low);
            }
            PathLaw::Cone(mu) => {
                let (x, y) = (lorentz(mu, &self.x), dual_lorentz(mu, &self.y));
                let (size_x, size_y) = (determinant(&x).max(TINY).sqrt(), determinant(&y).max(TINY).sqrt());
                let (x_unit, y_unit) = (x.map(|x| x / size_x), y.map(|y| y / size_y));
                let gamma = (0.5 * (1.0 + dot(&x_unit, &y_unit))).sqrt();
                self.w = std::array::from_fn(|k| {
                    let reflected = if k == 0 { x_unit[k] } else { -x_unit[k] };
                    (y_unit[k] + reflected) / (2.0 * gamma)
                });
                self.eta = (size_y / size_x).sqrt();
                self.lambda = self.V(&x);
                let speed = self.sliding(tau);
                self.t = [0.0, kappa * self.u[1] / speed, kappa * self.u[2] / speed];
                // V² = η² (2 w wᵀ − diag(1, −1, −1)), D on both sides
                let D = [mu, 1.0, 1.0];
                let mut theta: [V3; 3] = std::array::from_fn(|i| {
                    std::array::from_fn(|j| {
                        let own = if i != j {
                            0.0
                        } else if i == 0 {
                            -1.0
                        } else {
                            1.0
                        };
                        self.eta * self.eta * (2.0 * self.w[i] * self.w[j] + own) * D[i] * D[j]
                    })
                });
                // S⁻¹ = 1 − μ e_N tᵀ
                for j in 0..3 {
                    theta[0][j] -= mu * (self.t[1] * theta[1][j] + self.t[2] * theta[2][j]);
                }
                for i in 0..self.dim {
                    self.theta[i][..self.dim].copy_from_slice(&theta[i][..self.dim]);
                }
            }
        }
    }

    fn V(&self, x: &V3) -> V3 {
        let w = &self.w;
        let inner = w[1] * x[1] + w[2] * x[2];
        let along = x[0] + inner / (1.0 + w[0]);
        [w[0] * x[0] + inner, x[1] + along * w[1], x[2] + along * w[2]].map(|v| self.eta * v)
    }

    fn V_inverse(&self, x: &V3) -> V3 {
        let w = &self.w;
        let inner = w[1] * x[1] + w[2] * x[2];
        let along = inner / (1.0 + w[0]) - x[0];
        [w[0] * x[0] - inner, x[1] + along * w[1], x[2] + along * w[2]].map(|v| v / self.eta)
    }

    /// λ \ c, with the products of the step before where there was one.
    fn target(&self, mu: f64, goal: f64, corrector: bool) -> V3 {
        let mut c = circle(&self.lambda, &self.lambda).map(|l| -l);
        if corrector {
            let dx = self.V(&lorentz(mu, &self.dx));
            let dy = self.V_inverse(&dual_lorentz(mu, &self.dy));
            let second = circle(&dx, &dy);
            (0..3).for_each(|k| c[k] -= second[k]);
            c[0] += goal;
        }
        divide(&self.lambda, &c)
    }

    /// dy of a half line for dx = 0.
    fn half_target(&self, goal: f64, corrector: bool) -> f64 {
        let second = if corrector { self.dx[0] * self.dy[0] } else { 0.0 };
        (goal - second) / self.x[0] - self.y[0]
    }

    /// dy of a box for dx = 0.
    fn box_target(&self, [low, high]: [f64; 2], goal: f64, corrector: bool) -> [f64; 2] {
        let second = if corrector { self.dx[0] } else { 0.0 };
        [
            (goal + second * self.dy[0]) / (high - self.x[0]) - self.y[0],
            (goal - second * self.dy[1]) / (self.x[0] - low) - self.y[1],
        ]
    }

    /// The right-hand side of the step: `goal` is the barrier it aims at.
    pub fn right(&self, goal: f64, corrector: bool, tau: f64) -> V3 {
        let r = self.lack(tau);
        match self.kind {
            PathLaw::Given(_) | PathLaw::Free => r,
            PathLaw::Half => [self.half_target(goal, corrector) + r[0], 0.0, 0.0],
            PathLaw::Box(ends) => {
                let [up, down] = self.box_target(ends, goal, corrector);
                [down - up + r[0], 0.0, 0.0]
            }
            PathLaw::Cone(mu) => {
                let v = self.V(&self.target(mu, goal, corrector));
                let (T1, T2) = (v[1] + r[1], v[2] + r[2]);
                [mu * v[0] + r[0] - mu * (self.t[1] * T1 + self.t[2] * T2), T1, T2]
            }
        }
    }

    /// Keeps dx and the dy that belongs to it.
    pub fn step(&mut self, dx: V3, goal: f64, corrector: bool) {
        match self.kind {
            PathLaw::Given(_) | PathLaw::Free => {}
            PathLaw::Half => self.dy[0] = self.half_target(goal, corrector) - self.theta[0][0] * dx[0],
            PathLaw::Box([low, high]) => {
                let [up, down] = self.box_target([low, high], goal, corrector);
                self.dy[0] = up + self.y[0] / (high - self.x[0]) * dx[0];
                self.dy[1] = down - self.y[1] / (self.x[0] - low) * dx[0];
            }
            PathLaw::Cone(mu) => {
                let target = self.target(mu, goal, corrector);
                let v = self.V(&lorentz(mu, &dx));
                let dy = self.V(&std::array::from_fn(|k| target[k] - v[k]));
                self.dy = [mu * dy[0], dy[1], dy[2]];
            }
        }
        self.dx = std::array::from_fn(|i| if self.fixed(i) { 0.0 } else { dx[i] });
    }

    /// How much of the step stays inside.
    pub fn longest(&self) -> f64 {
        let half = |x: f64, d: f64| if d < 0.0 { -x / d } else { f64::INFINITY };
        let (x, y, dx, dy) = (&self.x, &self.y, &self.dx, &self.dy);
        match self.kind {
            PathLaw::Free | PathLaw::Given(_) => f64::INFINITY,
            PathLaw::Half => half(x[0], dx[0]).min(half(y[0], dy[0])),
            PathLaw::Box([low, high]) => half(high - x[0], -dx[0])
                .min(half(x[0] - low, dx[0]))
                .min(half(y[0], dy[0]))
                .min(half(y[1], dy[1])),
            PathLaw::Cone(mu) => to_border(&lorentz(mu, x), &lorentz(mu, dx))
                .min(to_border(&dual_lorentz(mu, y), &dual_lorentz(mu, dy))),
        }
    }
}

/// x̂.
fn lorentz(mu: f64, x: &V3) -> V3 {
    [mu * x[0], x[1], x[2]]
}

/// ŷ.
fn dual_lorentz(mu: f64, y: &V3) -> V3 {
    [y[0] / mu, y[1], y[2]]
}

fn dot(x: &V3, y: &V3) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// x ∘ y.
fn circle(x: &V3, y: &V3) -> V3 {
    [dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// x \ y: the z with x ∘ z = y.
fn divide(x: &V3, y: &V3) -> V3 {
    let z_0 = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / determinant(x).max(TINY);
    [z_0, (y[1] - z_0 * x[1]) / x[0], (y[2] - z_0 * x[2]) / x[0]]
}

/// x₀² − |x₁|², without cancelling more than it must.
fn determinant(x: &V3) -> f64 {
    let t = (x[1] * x[1] + x[2] * x[2]).sqrt();
    (x[0] - t) * (x[0] + t)
}

/// The α > 0 at which x + α d leaves Lorentz' cone: the smallest root of a α² + 2 b α + c, or where x₀ changes its sign.
fn to_border(x: &V3, d: &V3) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = determinant(x).max(0.0);
    let positive = |root: f64| if root > 0.0 { root } else { f64::INFINITY };
    let tip = if d[0] < 0.0 { -x[0] / d[0] } else { f64::INFINITY };
    let square = b * b - a * c;
    if square < 0.0 {
        return tip;
    }
    let q = -(b + square.sqrt().copysign(b));
    let first = if a == 0.0 { f64::INFINITY } else { positive(q / a) };
    let second = if q == 0.0 { f64::INFINITY } else { positive(c / q) };
    tip.min(first).min(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Seeded;

    fn inside(rng: &mut Seeded) -> V3 {
        let t = [rng.next(), rng.next()];
        [t[0].hypot(t[1]) + 1e-3 + rng.next().abs(), t[0], t[1]]
    }

    /// V maps x̂ and its inverse maps ŷ to the same λ; λ \ is the inverse of λ ∘; the border is where the determinant vanishes.
    #[test]
    fn scaling_and_border() {
        let mut rng = Seeded(3);
        for _ in 0..2000 {
            let mu = rng.between(0.05, 1.5);
            let mut contact = Contact::new(&Law::spatial_coulomb(mu), 1.0);
            let (x, y) = (inside(&mut rng), inside(&mut rng));
            (contact.x, contact.y) = ([x[0] / mu, x[1], x[2]], [y[0] * mu, y[1], y[2]]);
            contact.scale(1e-3, 1.0);
            let same = contact.V_inverse(&y);
            let back = circle(&contact.lambda, &divide(&contact.lambda, &y));
            for k in 0..3 {
                assert!((contact.lambda[k] - same[k]).abs() < 1e-9 * (1.0 + same[0]));
                assert!((back[k] - y[k]).abs() < 1e-9 * (1.0 + y[0]));
            }
            let d = [rng.next(), rng.next(), rng.next()];
            let alpha = to_border(&x, &d);
            if alpha.is_finite() {
                let at: V3 = std::array::from_fn(|k| x[k] + alpha * d[k]);
                assert!(determinant(&at).abs() < 1e-9 * (1.0 + dot(&at, &at)), "{x:?} {d:?}");
            } else {
                assert!(d[0] >= d[1].hypot(d[2]));
            }
        }
    }
}
