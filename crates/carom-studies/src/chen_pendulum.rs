//! The rigid pendulum with a stop of [Chen2013] §5.5 (Figs 13-15).
//!
//! ```text
//!   q = (x, y, θ),  Φ = (x − l cos θ, y + l sin θ) = 0,  M = diag(m, m, J),  x ≥ √2/2,  e = 0.8
//!   m = 1 kg, J = 0.1 kg m², l = 1 m, g = 10 m/s², from rest at (1, 0, 0), dt = 1e-3 s
//! ```
//!
//! Truth is not a scheme of ours with a small step but the same pendulum in one coordinate,
//!
//! ```text
//!   (m l² + J) θ'' = m g l cos θ,      θ'⁺ = −e θ'⁻ at θ = π/4,
//! ```
//!
//! by Runge–Kutta of order 4 with the impacts located on it. The inertia about the pivot is 1.1 kg m²: the rod has no
//! mass but the concentrated mass has the moment of inertia J.

use crate::figure::{Panel, linear, logarithmic};
use crate::measure::{L1, Order, Ratio, steps};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::{CHEN, Method, NONSMOOTH_NEWMARK, watch};
use carom_dynamics::{Configuration, System};
use carom_model::Description;
use carom_model::description::{Body, Contact, Ground, Joint, Point, Revolute, Shape};
use indexmap::IndexMap;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_4};

const MASS: f64 = 1.0;
const INERTIA: f64 = 0.1;
const LENGTH: f64 = 1.0;
const GRAVITY: f64 = 10.0;
const RESTITUTION: f64 = 0.8;
const STEP: f64 = 1e-3;
/// Drift is watched through the accumulation, errors on [0, 1] s.
const END: f64 = 5.0;
const WINDOW: f64 = 1.0;
/// Step sizes for Fig. 15: 1e-3 s down to 1e-5 s; many, because a single impact makes the error.
const SIZES: usize = 28;
const RATIO: f64 = 0.85;
/// Drift that the text allows (m).
const DRIFT: f64 = 5e-6;

fn pendulum() -> Description {
    let bob = Body {
        mass: MASS,
        inertia: Some(INERTIA),
        position: [LENGTH, 0.0],
        points: IndexMap::from([
            ("pivot".to_string(), Point::At([-LENGTH, 0.0])),
            ("tip".to_string(), Point::At([0.0, 0.0])),
        ]),
        ..Default::default()
    };
    let stop = Shape::Line { through: [FRAC_1_SQRT_2, 0.0], normal: [1.0, 0.0] };
    let pivot = Joint::Revolute(Revolute {
        between: ["ground.pivot".into(), "bob.pivot".into()],
        clearance: None,
        restitution: 0.0,
        friction: 0.0,
        pin_radius: 0.0,
        friction_torque: 0.0,
        ..Revolute::default()
    });
    let contact = Contact {
        between: ["bob.tip".into(), "ground.stop".into()],
        restitution: RESTITUTION,
        ..Contact::default()
    };
    Description {
        version: 1,
        gravity: [0.0, -GRAVITY],
        ground: Ground {
            points: IndexMap::from([("pivot".to_string(), Point::At([0.0, 0.0]))]),
            shapes: IndexMap::from([("stop".to_string(), stop)]),
        },
        bodies: IndexMap::from([("bob".to_string(), bob)]),
        joints: IndexMap::from([("pivot".to_string(), pivot)]),
        contacts: IndexMap::from([("stop".to_string(), contact)]),
        ..Default::default()
    }
}

/// The pendulum in one coordinate, advanced from sample to sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    t: f64,
    angle: f64,
    rate: f64,
    resting: bool,
}

impl Reference {
    /// Longest step (s): 2e-4 leaves errors near 1e-13.
    const LONGEST: f64 = 2e-4;
    /// A rebound slower than this is the end of the accumulation (rad/s); it rises 1e-13 rad, near round-off.
    const SLOWEST: f64 = 1e-6;

    fn new() -> Self {
        Self { t: 0.0, angle: 0.0, rate: 0.0, resting: false }
    }

    fn acceleration(angle: f64) -> f64 {
        MASS * GRAVITY * LENGTH * angle.cos() / (MASS * LENGTH * LENGTH + INERTIA)
    }

    /// One step of Runge–Kutta.
    fn step(&self, h: f64) -> Self {
        let (a, r) = (self.angle, self.rate);
        let k1 = (r, Self::acceleration(a));
        let k2 = (r + 0.5 * h * k1.1, Self::acceleration(a + 0.5 * h * k1.0));
        let k3 = (r + 0.5 * h * k2.1, Self::acceleration(a + 0.5 * h * k2.0));
        let k4 = (r + h * k3.1, Self::acceleration(a + h * k3.0));
        Self {
            t: self.t + h,
            angle: a + h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0),
            rate: r + h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1),
            resting: false,
        }
    }

    /// Goes to t and gives (x, x').
    fn advance_to(&mut self, t: f64) -> (f64, f64) {
        while self.t < t && !self.resting {
            let h = (t - self.t).min(Self::LONGEST);
            let next = self.step(h);
            if next.angle <= FRAC_PI_4 {
                *self = Self { t: if h < Self::LONGEST { t } else { next.t }, ..next };
                continue;
            }
            // the instant of the impact, to the last bit
            let (mut before, mut after) = (0.0, h);
            loop {
                let middle = 0.5 * (before + after);
                if middle <= before || middle >= after {
                    break;
                }
                if self.step(middle).angle <= FRAC_PI_4 { before = middle } else { after = middle }
            }
            let impact = self.step(after);
            self.t = impact.t;
            self.angle = FRAC_PI_4;
            self.rate = -RESTITUTION * impact.rate;
            self.resting = self.rate > -Self::SLOWEST;
            if self.resting {
                self.rate = 0.0;
            }
        }
        (LENGTH * self.angle.cos(), -LENGTH * self.angle.sin() * self.rate)
    }
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let pendulum = Mechanism::new(&pendulum())?;
    drift(report, &pendulum)?;
    progress(0.1);
    convergence(report, &pendulum, &mut |p| progress(0.1 + 0.9 * p))?;
    report.note(
        "The reference of the source is Moreau-Jean with 1e-7 s; here it is the pendulum in one coordinate, \
         integrated by Runge-Kutta with located impacts, which shares nothing with the schemes.",
    );
    Ok(())
}

/// Largest |Φ| over the run, and (t, x, x', |Φ|) at every 10th step.
fn watch_drift(pendulum: &Mechanism, method: Method) -> Result<(f64, Vec<[f64; 4]>), String> {
    let model = &pendulum.model;
    let mut at = Configuration::new(model, 0.0, &pendulum.q, &pendulum.v);
    let mut phi = [0.0; 2];
    let (mut most, mut curve, mut n) = (0.0_f64, Vec::new(), 0);
    watch(model, method, pendulum.start(), STEP, END, |state, _| {
        at.move_to(model, state.t, &state.q);
        model.constraints(&at, &mut phi);
        let drift = phi[0].hypot(phi[1]);
        most = most.max(drift);
        if n % 10 == 0 {
            curve.push([state.t, state.q[0], state.v[0], drift]);
        }
        n += 1;
    })?;
    Ok((most, curve))
}

fn drift(report: &mut StudyReport, pendulum: &Mechanism) -> Result<(), String> {
    let mut most = Vec::new();
    for method in CHEN {
        let (drift, curve) = watch_drift(pendulum, method)?;
        most.push(drift);
        let column = |i: usize| curve.iter().map(|x| x[i]).collect::<Vec<_>>();
        let mut series = Series::new(
            &format!("Fig. 13: {}", method.label),
            [
                ("t (s)".to_string(), column(0)),
                ("x (m)".to_string(), column(1)),
                ("x' (m/s)".to_string(), column(2)),
                ("drift (m)".to_string(), column(3)),
            ],
        );
        let figure = "[Chen2013] Figs 13 and 14: motion and drift of the joint";
        for (name, up) in [
            ("x (m)", linear("x (m)")),
            ("x' (m/s)", linear("x' (m/s)")),
            ("drift (m)", logarithmic("drift of the joint (m)")),
        ] {
            let panel = Panel::new(figure, "", linear("t (s)"), up).of(name);
            series = series.drawn(panel, |column| (column == name).then(|| method.label.to_string()));
        }
        report.series.push(series);
    }
    for i in [0, 2] {
        report.compare(
            format!("largest drift without projection, {}", CHEN[i].label),
            "below 5e-6 m (Fig. 13)",
            format!("{:.2e} m", most[i]),
            most[i] < DRIFT,
            "larger drift",
        );
    }
    report.compare(
        "largest drift without projection, Moreau-Jean",
        "larger than the other two (Fig. 13)",
        format!("{:.2e} m", most[1]),
        most[1] > most[0].max(most[2]),
        "not the largest",
    );
    let (drift, _) = watch_drift(pendulum, NONSMOOTH_NEWMARK)?;
    report.fact(
        format!("largest drift without projection, {}", NONSMOOTH_NEWMARK.label),
        format!("{drift:.2e} m"),
    );
    let projected = Method { scheme: "moreau-jean-projected", ..CHEN[1] };
    let (drift, _) = watch_drift(pendulum, projected)?;
    report.compare(
        "largest drift with projection, Moreau-Jean",
        "0 (Fig. 13)",
        format!("{drift:.1e} m"),
        drift < 1e-12,
        "drift is left",
    );
    Ok(())
}

fn convergence(
    report: &mut StudyReport,
    pendulum: &Mechanism,
    progress: &mut dyn FnMut(f64),
) -> Result<(), String> {
    let sizes = steps(STEP, RATIO, SIZES);
    let mut table: Vec<[Vec<f64>; 2]> = Vec::new();
    for (i, method) in CHEN.into_iter().enumerate() {
        let mut columns = [Vec::new(), Vec::new()];
        for (k, &step) in sizes.iter().enumerate() {
            let mut reference = Reference::new();
            let (mut position, mut velocity) = (L1::default(), L1::default());
            watch(&pendulum.model, method, pendulum.start(), step, WINDOW, |state, _| {
                let (x, x_dot) = reference.advance_to(state.t);
                position.add(state.q[0], x);
                velocity.add(state.v[0], x_dot);
            })?;
            columns[0].push(position.relative());
            columns[1].push(velocity.relative());
            progress((i * SIZES + k + 1) as f64 / (3 * SIZES) as f64);
        }
        table.push(columns);
    }
    for (i, what) in ["position", "velocity"].iter().enumerate() {
        for (method, columns) in CHEN.iter().zip(&table) {
            let order = Order::fit(&sizes, &columns[i]);
            report.compare(
                format!("order in L1, {what}, {}", method.label),
                "1 (Fig. 15)",
                format!("{order} (error at 1e-3 s: {:.1e})", columns[i][0]),
                order.is_one(),
                "the slope is not that of a first-order method",
            );
        }
        for j in [0, 2] {
            let ratio = Ratio::of(&table[1][i], &table[j][i]);
            report.compare(
                format!("error of Moreau-Jean over {}, {what}", CHEN[j].label),
                "larger (Fig. 15)",
                format!("{ratio}"),
                ratio.is_larger(),
                "Moreau-Jean is not the less accurate of the two, or not by more than its errors scatter",
            );
        }
        let columns = std::iter::once(("dt (s)".to_string(), sizes.clone()))
            .chain(CHEN.iter().zip(&table).map(|(m, columns)| (m.label.to_string(), columns[i].clone())));
        let panel = Panel::orders(
            "[Chen2013] Fig. 15: error over the step",
            what,
            "dt (s)",
            "relative L1 error",
            &[1.0],
        );
        report.series.push(
            Series::new(&format!("Fig. 15: relative L1 error of the {what}"), columns).all_drawn(panel),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Energy is a constant of each flight and loses the factor e² at each impact: θ'² = 2 m g l (sin θ − sin θ_0)/1.1.
    #[test]
    fn reference_keeps_energy() {
        let energy = |r: &Reference| 0.5 * 1.1 * r.rate.powi(2) - 10.0 * r.angle.sin();
        let at_stop = -10.0 * FRAC_PI_4.sin();
        let mut reference = Reference::new();
        reference.advance_to(0.4);
        assert!(energy(&reference).abs() < 1e-12);
        // the first impact comes near 0.45 s; the next one a second later
        reference.advance_to(0.9);
        let expected = at_stop + RESTITUTION.powi(2) * (0.0 - at_stop);
        assert!((energy(&reference) - expected).abs() < 1e-12);
        reference.advance_to(20.0);
        assert!(reference.resting && reference.angle == FRAC_PI_4);
    }
}
