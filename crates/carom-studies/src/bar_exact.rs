//! An elastic bar that flies against a wall, exactly: as a continuum, and as a chain of linear elements.
//!
//! ```text
//!   ρ ü = E u'',   u'(L) = 0,   0 ≤ u(0) ⊥ −E u'(0) ≥ 0,   from u̇ = −v_0 at the touch, s = 0;   c² = E/ρ
//!   u(X, s) = v_0 [ −s + (s − X/c)₊ + (s − (2L − X)/c)₊ ]                                            d'Alembert
//! ```
//!
//! The wall sends one front up, the free end sends it back, and when it is home at s = 2L/c the bar flies off undeformed
//! with v_0: this one line holds before and after. The wall is pressed with ρ c v_0 all the while.
//!
//! Linear elements with the consistent mass matrix, the foot stopped at s = 0 (e = 0), are a sum of modes in closed form:
//!
//! ```text
//!   ω² = 6 (c/l)² (1 − cos β)/(2 + cos β)
//!   foot held:   u_i = Σ_k b_k/ω_k sin ω_k s · sin β_k i,   β_k = (k − ½) π/n,   b_k = −3 v_0/n · cot(β_k/2)/(2 + cos β_k)
//!   foot free:   u_i = Σ_k (p_k cos ω_k s + p'_k/ω_k sin ω_k s) cos β_k i,   β_k = k π/n
//!   force        λ = ρ A l ü_1/6 − E A u_1/l,    free from its first zero on
//! ```
//!
//! What the stop takes from the trapezoidal rule with time step h is ½ m̂ v_0², m̂ the first entry of (M + h² K/4)⁻¹
//! inverted: m̂ = ½ ρ A l (⅓ + C²)^½ (lumped: 1 for ⅓), C = c h/l. The rest it keeps. Backward Euler turns the front of height 2 v_0
//! (in u̇ ∓ c u') into one that diffuses with h c²/2, and so loses ρ A/2 · (2 v_0)² · (h c² s/4π)^½ by s.

use std::f64::consts::{FRAC_PI_2, PI};

/// A bar of `length` whose foot comes from `height` with `speed`, SI units.
#[derive(Clone, Copy, Debug)]
pub struct Wave {
    pub young: f64,
    pub density: f64,
    pub area: f64,
    pub length: f64,
    pub height: f64,
    pub speed: f64,
}

impl Wave {
    /// Speed of waves.
    pub fn c(&self) -> f64 {
        (self.young / self.density).sqrt()
    }

    /// When the foot touches.
    pub fn touch(&self) -> f64 {
        self.height / self.speed
    }

    /// How long it does.
    pub fn lasts(&self) -> f64 {
        2.0 * self.length / self.c()
    }

    /// When it leaves.
    pub fn release(&self) -> f64 {
        self.touch() + self.lasts()
    }

    /// Height of the material point X above the wall.
    pub fn place(&self, X: f64, t: f64) -> f64 {
        let s = t - self.touch();
        let front = |way: f64| (s - way / self.c()).max(0.0);
        X + self.speed * (-s + front(X) + front(2.0 * self.length - X))
    }

    /// ρ c v_0.
    pub fn pressure(&self) -> f64 {
        self.density * self.c() * self.speed
    }

    /// What the wall bears at t.
    pub fn force(&self, t: f64) -> f64 {
        if t > self.touch() && t < self.release() { self.pressure() * self.area } else { 0.0 }
    }

    /// Energy, which stays.
    pub fn energy(&self) -> f64 {
        0.5 * self.density * self.area * self.length * self.speed * self.speed
    }

    /// What the stop of the foot costs the trapezoidal rule.
    pub fn stop_loss(&self, elements: usize, step: f64) -> f64 {
        let l = self.length / elements as f64;
        let courant = self.c() * step / l;
        let mass = 0.5 * self.density * self.area * l * (1.0 / 3.0 + courant * courant).sqrt();
        0.5 * mass * self.speed * self.speed
    }

    /// What backward Euler loses between touch and release, for steps and elements that are small.
    pub fn euler_loss(&self, step: f64) -> f64 {
        let way = step * self.c() * self.c() * self.lasts();
        2.0 * self.density * self.area * self.speed * self.speed * (way / (4.0 * PI)).sqrt()
    }
}

/// The chain of elements, from its touch on.
#[derive(Clone, Debug)]
pub struct Chain {
    wave: Wave,
    n: usize,
    /// (β, ω, b) with the foot held.
    held: Vec<[f64; 3]>,
    /// (β, ω, p, p') with the foot free.
    free: Vec<[f64; 4]>,
    /// How long the foot is held.
    lasts: f64,
}

impl Chain {
    /// Of n elements; none if the foot is never let go.
    pub fn new(wave: Wave, n: usize) -> Option<Self> {
        let held = (0..n)
            .map(|k| {
                let beta = (k as f64 + 0.5) * PI / n as f64;
                let b = -3.0 * wave.speed / n as f64 / (0.5 * beta).tan() / (2.0 + beta.cos());
                [beta, frequency(&wave, n, beta), b]
            })
            .collect();
        let mut chain = Self { wave, n, held, free: Vec::new(), lasts: f64::INFINITY };
        chain.lasts = chain.first_zero()?;
        let (u, v): (Vec<f64>, Vec<f64>) = (0..=n).map(|i| chain.while_held(i, chain.lasts)).unzip();
        chain.free = (0..=n)
            .map(|k| {
                let beta = k as f64 * PI / n as f64;
                let ends = |i: usize| if i == 0 || i == n { 0.5 } else { 1.0 };
                let onto = |x: &[f64]| -> f64 {
                    let sum: f64 =
                        x.iter().enumerate().map(|(i, x)| ends(i) * x * (beta * i as f64).cos()).sum();
                    2.0 * ends(k) * sum / n as f64
                };
                [beta, frequency(&wave, n, beta), onto(&u), onto(&v)]
            })
            .collect();
        Some(chain)
    }

    /// How long the foot is held.
    pub fn lasts(&self) -> f64 {
        self.lasts
    }

    /// Height of node i above the wall.
    pub fn place(&self, i: usize, t: f64) -> f64 {
        let s = t - self.wave.touch();
        let X = self.wave.length * i as f64 / self.n as f64;
        let u = if s < 0.0 {
            -self.wave.speed * s
        } else if s < self.lasts {
            self.while_held(i, s).0
        } else {
            let s = s - self.lasts;
            let mode = |&[beta, omega, p, p_dot]: &[f64; 4]| {
                // the first mode does not vibrate: it is the flight
                let swing = if omega == 0.0 { s } else { (omega * s).sin() / omega };
                (p * (omega * s).cos() + p_dot * swing) * (beta * i as f64).cos()
            };
            self.free.iter().map(mode).sum()
        };
        X + u
    }

    /// u_i and its rate while the foot is held.
    fn while_held(&self, i: usize, s: f64) -> (f64, f64) {
        self.held.iter().fold((0.0, 0.0), |(u, v), &[beta, omega, b]| {
            let (sin, cos) = (omega * s).sin_cos();
            let shape = b * (beta * i as f64).sin();
            (u + shape * sin / omega, v + shape * cos)
        })
    }

    /// λ while the foot is held.
    pub fn force(&self, s: f64) -> f64 {
        let Wave { young, density, area, length, .. } = self.wave;
        let l = length / self.n as f64;
        let mode = |&[beta, omega, b]: &[f64; 3]| {
            let u_1 = b * beta.sin() * (omega * s).sin() / omega;
            (-density * l / 6.0 * omega * omega - young / l) * area * u_1
        };
        self.held.iter().map(mode).sum()
    }

    /// First zero of λ after s = 0: walked up to with a fraction of the shortest period, then bisected.
    fn first_zero(&self) -> Option<f64> {
        let fastest = self.held[self.n - 1][1];
        let step = 0.1 * FRAC_PI_2 / fastest;
        let walk = (1..).map(|k| k as f64 * step).take_while(|s| *s < 2.0 * self.wave.lasts());
        let beyond = walk.into_iter().find(|s| self.force(*s) < 0.0)?;
        let (mut low, mut high) = (beyond - step, beyond);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.force(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(0.5 * (low + high))
    }
}

fn frequency(wave: &Wave, n: usize, beta: f64) -> f64 {
    let rate = wave.c() * n as f64 / wave.length;
    // 1 − cos β = 2 sin²(β/2), which does not cancel
    rate * (0.5 * beta).sin() * (12.0 / (2.0 + beta.cos())).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAVE: Wave = Wave { young: 7.0, density: 3.0, area: 0.5, length: 2.0, height: 0.4, speed: 1.3 };

    /// Momentum and energy: the wall turns 2 m v_0 round; energy by quadrature of rate and slope, off the fronts.
    #[test]
    fn wave_keeps_energy_and_turns_momentum() {
        let mass = WAVE.density * WAVE.area * WAVE.length;
        let impulse = WAVE.pressure() * WAVE.area * WAVE.lasts();
        assert!((impulse - 2.0 * mass * WAVE.speed).abs() < 1e-12);
        let (cells, d) = (4000, 1e-7);
        let l = WAVE.length / f64::from(cells);
        for part in [-0.3, 0.2, 0.7, 1.3, 1.9, 2.4] {
            let t = WAVE.touch() + 0.5 * part * WAVE.lasts();
            let cell = |i: i32| {
                let X = (f64::from(i) + 0.5) * l;
                let v = (WAVE.place(X, t + d) - WAVE.place(X, t - d)) / (2.0 * d);
                let strain = (WAVE.place(X + d, t) - WAVE.place(X - d, t)) / (2.0 * d) - 1.0;
                0.5 * WAVE.area * l * (WAVE.density * v * v + WAVE.young * strain * strain)
            };
            let energy: f64 = (0..cells).map(cell).sum();
            assert!((energy / WAVE.energy() - 1.0).abs() < 1e-3, "at {part}: {energy}");
        }
        assert!((WAVE.place(0.0, WAVE.release() + 1.0) - WAVE.speed).abs() < 1e-12);
    }

    /// Elements go to the wave, and the foot neither sinks nor comes back.
    #[test]
    fn chain_goes_to_the_wave() {
        let off = |n: usize| {
            let chain = Chain::new(WAVE, n).expect("it is let go");
            let times = (0..60).map(|k| WAVE.touch() + 0.05 * f64::from(k) * WAVE.lasts());
            times.map(|t| (chain.place(n, t) - WAVE.place(WAVE.length, t)).abs()).fold(0.0, f64::max)
        };
        assert!(off(80) < 0.6 * off(20), "{} {}", off(20), off(80));
        let chain = Chain::new(WAVE, 30).expect("it is let go");
        assert!((chain.lasts() / WAVE.lasts() - 1.0).abs() < 0.03);
        let flight = (1..100).map(|k| WAVE.touch() + chain.lasts() + 0.02 * f64::from(k) * WAVE.lasts());
        assert!(flight.map(|t| chain.place(0, t)).all(|y| y > 0.0));
    }

    /// The modes solve M ü + K u = λ e_0, held and free: residual by differences at every node.
    #[test]
    fn chain_moves_as_its_elements_say() {
        let n = 6;
        let chain = Chain::new(WAVE, n).expect("it is let go");
        let l = WAVE.length / n as f64;
        let (m, k) = (WAVE.density * WAVE.area * l / 6.0, WAVE.young * WAVE.area / l);
        for s in [0.3 * chain.lasts(), 0.8 * chain.lasts(), 1.2 * chain.lasts()] {
            let (t, d) = (WAVE.touch() + s, 1e-4);
            let X = |i: usize| l * i as f64;
            let u = |i: usize| chain.place(i, t) - X(i);
            let a = |i: usize| {
                (chain.place(i, t + d) - 2.0 * chain.place(i, t) + chain.place(i, t - d)) / (d * d)
            };
            for i in 0..=n {
                let mut residual = 0.0;
                for j in [i.wrapping_sub(1), i + 1].into_iter().filter(|j| *j <= n) {
                    residual += m * (2.0 * a(i) + a(j)) + k * (u(i) - u(j));
                }
                if i == 0 && s < chain.lasts() {
                    residual -= chain.force(s);
                }
                assert!(residual.abs() < 1e-5, "node {i} at {s}: {residual}");
            }
        }
    }
}
