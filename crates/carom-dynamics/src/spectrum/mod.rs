//! Spectral analysis of schemes: how an oscillation of given frequency is damped and delayed.
//!
//! ```text
//!   λ = e^{−ξ̄ Ω̄ ± i Ω̄ √(1−ξ̄²)}      principal pair: the one that tends to e^{(−ξ ± i √(1−ξ²)) Ω} as Ω = ω dt → 0
//!   ρ = max |λ_i|                        spectral radius                                 [RezaeiSchindler] (99)
//!   ξ̄ = −ln |λ| / |ln λ|                 damping ratio that the scheme shows
//!   T̄/T − 1 = Ω √(1−ξ²) / arg λ − 1      relative error of the period
//! ```
//!
//! The definitions return ξ and 0 for the exact solution. The principal pair is followed from small Ω; where it meets the
//! real axis the oscillation ends, and with it ξ̄ and T̄, also for larger Ω. The analysis holds for motion without joints
//! and contacts; with them the order of a scheme is what `carom convergence` measures.

mod amplification;
mod growth;
mod oscillator;

pub use amplification::{Amplification, SpectrumError};
pub use carom_linear::eigenvalues;
pub use growth::growth;

use crate::Scheme;
use num_complex::Complex64;
use std::f64::consts::TAU;
use std::fmt;

/// Following the pair begins here: all of the family e^{iΩ} looks like 1 + iΩ.
const FIRST: f64 = 1e-2;
/// Largest factor between neighbouring Ω while a curve is followed or searched.
const RATIO: f64 = 1.02;
/// An imaginary part below this part of the modulus is none: round-off splits a real double root by about 1e-8.
const REAL: f64 = 1e-6;
/// Stability is searched from here to [`INFINITE`].
const LEAST: f64 = 1e-3;
/// This ω dt stands for infinity. Larger is not better: the arithmetic of a step has errors of about ε Ω².
const INFINITE: f64 = 1e3;
/// Growth per step that counts as growth: above the errors of neutral double roots at large Ω.
const GROWTH: f64 = 1e-7;
/// Growth per step that is more than round-off of the eigenvalues.
const GROWTH_SEEN: f64 = 1e-12;

/// A scheme at one step size.
#[derive(Clone, Debug, PartialEq)]
pub struct SpectrumPoint {
    /// dt/T, the step relative to the undamped period T = 2π/ω.
    pub step: f64,
    /// Spectral radius ρ.
    pub radius: f64,
    /// Damping ratio ξ̄ of the principal pair; none where it is real.
    pub damping: Option<f64>,
    /// Relative error T̄/T − 1 of the period; none where the principal pair is real.
    pub period_error: Option<f64>,
    /// The upper one of the principal pair.
    pub principal: Option<Complex64>,
    /// All eigenvalues, largest modulus first.
    pub eigenvalues: Vec<Complex64>,
}

/// For which steps oscillations do not grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stability {
    /// For all, as far as ω dt = 1000.
    Always,
    /// For ω dt up to this.
    UpTo(f64),
    /// For none.
    Never,
}

impl fmt::Display for Stability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stability::Always => write!(f, "stable at every step"),
            Stability::UpTo(Omega) => {
                write!(f, "stable up to ω dt = {:.4}, which is dt = {:.4} T", Omega, Omega / TAU)
            }
            Stability::Never => write!(f, "unstable at every step"),
        }
    }
}

/// What a scheme does to oscillations.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// One for each step size asked for.
    pub points: Vec<SpectrumPoint>,
    /// For which steps oscillations do not grow.
    pub stability: Stability,
    /// ρ_∞, the spectral radius for steps that are long against the period; infinite if it grows with the step.
    pub radius_at_infinity: f64,
    /// ω dt from which the principal pair is real: no oscillation any more.
    pub oscillates_up_to: Option<f64>,
    /// Largest departure from linearity met, see [`Amplification::nonlinearity`]; a spectrum means little above 1e-8.
    pub nonlinearity: f64,
}

/// Analyses a scheme on q'' + 2ξω q' + ω² q = 0 for the relative steps dt/T, ascending.
pub fn spectrum(scheme: &dyn Scheme, xi: f64, steps: &[f64]) -> Result<Spectrum, SpectrumError> {
    if !(0.0..1.0).contains(&xi) {
        return Err(SpectrumError::Input {
            what: "the damping ratio",
            value: xi,
            right: "at least 0 and below 1",
        });
    }
    for (i, &step) in steps.iter().enumerate() {
        if !(step > 0.0 && step.is_finite() && (i == 0 || step > steps[i - 1])) {
            return Err(SpectrumError::Input {
                what: "a step dt/T",
                value: step,
                right: "positive, finite and above the one before",
            });
        }
    }
    let mut nonlinearity: f64 = 0.0;
    let mut all = |Omega: f64| {
        let amplification = Amplification::new(scheme, Omega, xi)?;
        nonlinearity = nonlinearity.max(amplification.nonlinearity);
        Ok(amplification.eigenvalues())
    };
    let mut pair = Pair::new(xi);
    let mut points = Vec::with_capacity(steps.len());
    for &step in steps {
        let Omega = TAU * step;
        let eigenvalues = pair.follow(Omega, &mut all)?;
        points.push(SpectrumPoint {
            step,
            radius: eigenvalues.first().map_or(0.0, |z| z.norm()),
            damping: pair.value.map(|z| -z.ln().re / z.ln().norm()),
            period_error: pair.value.map(|z| Omega * (1.0 - xi * xi).sqrt() / z.arg() - 1.0),
            principal: pair.value,
            eigenvalues,
        });
    }
    let oscillates_up_to = pair.end;
    let mut radius =
        |Omega: f64| -> Result<f64, SpectrumError> { Ok(all(Omega)?.first().map_or(0.0, |z| z.norm())) };
    let stability = stability(&mut radius)?;
    let far = [radius(0.25 * INFINITE)?, radius(0.5 * INFINITE)?, radius(INFINITE)?];
    Ok(Spectrum { points, stability, radius_at_infinity: limit(far), oscillates_up_to, nonlinearity })
}

/// The limit of ρ ≈ ρ_∞ + c Ω^(−p) from three values, Ω doubled between them: Aitken's Δ².
fn limit([a, b, c]: [f64; 3]) -> f64 {
    if c > 1.0 && c > 1.5 * b {
        return f64::INFINITY;
    }
    let (before, last) = (b - a, c - b);
    let rate = last / before;
    // not a power: as near as round-off lets it come
    if !(0.0..0.9).contains(&rate) || last.abs() < 1e-9 {
        return c;
    }
    (c + last * rate / (1.0 - rate)).max(0.0)
}

/// The upper one of the principal pair, followed upwards in Ω.
struct Pair {
    xi: f64,
    Omega: f64,
    value: Option<Complex64>,
    /// Where it became real.
    end: Option<f64>,
}

impl Pair {
    fn new(xi: f64) -> Self {
        Self { xi, Omega: 0.0, value: None, end: None }
    }

    /// Follows to Ω in steps of at most [`RATIO`] and returns all eigenvalues there.
    fn follow(
        &mut self,
        Omega: f64,
        all: &mut dyn FnMut(f64) -> Result<Vec<Complex64>, SpectrumError>,
    ) -> Result<Vec<Complex64>, SpectrumError> {
        if self.Omega == 0.0 {
            // the exact value, where all schemes are near it
            self.Omega = Omega.min(FIRST);
            let exact = Complex64::new(-self.xi, (1.0 - self.xi * self.xi).sqrt()) * self.Omega;
            self.value = next(exact.exp(), all(self.Omega)?);
            self.end = self.value.is_none().then_some(self.Omega);
        }
        while let Some(before) = self.value
            && self.Omega < Omega
        {
            let from = self.Omega;
            self.Omega = (from * RATIO).min(Omega);
            self.value = next(before, all(self.Omega)?);
            if self.value.is_none() {
                self.end = Some(meeting(before, from, self.Omega, all)?);
            }
        }
        all(Omega)
    }
}

/// The eigenvalue next to where it was, if it is still above the real axis.
fn next(before: Complex64, among: Vec<Complex64>) -> Option<Complex64> {
    let away = |z: &Complex64| (z - before).norm();
    let nearest = among.into_iter().filter(|z| z.im >= 0.0).min_by(|a, b| away(a).total_cmp(&away(b)))?;
    (nearest.im > REAL * nearest.norm()).then_some(nearest)
}

/// Where the pair meets the real axis, by bisection.
fn meeting(
    mut value: Complex64,
    mut low: f64,
    mut high: f64,
    all: &mut dyn FnMut(f64) -> Result<Vec<Complex64>, SpectrumError>,
) -> Result<f64, SpectrumError> {
    while high - low > 1e-9 * high {
        let middle = 0.5 * (low + high);
        match next(value, all(middle)?) {
            Some(still) => (value, low) = (still, middle),
            None => high = middle,
        }
    }
    Ok(high)
}

/// The first Ω with ρ > 1, by search and bisection.
fn stability(radius: &mut dyn FnMut(f64) -> Result<f64, SpectrumError>) -> Result<Stability, SpectrumError> {
    let (mut low, mut high) = (0.0, LEAST);
    while radius(high)? <= 1.0 + GROWTH {
        if high >= INFINITE {
            return Ok(Stability::Always);
        }
        (low, high) = (high, (high * RATIO).min(INFINITE));
    }
    while high - low > 1e-10 * high && low > 0.0 {
        let middle = 0.5 * (low + high);
        if radius(middle)? <= 1.0 + GROWTH { low = middle } else { high = middle }
    }
    // growth like a power of Ω from the beginning: below the threshold is not stable, only slow
    if low == 0.0 || radius(0.5 * low)? > 1.0 + GROWTH_SEEN {
        return Ok(Stability::Never);
    }
    Ok(Stability::UpTo(low))
}
