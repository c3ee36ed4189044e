//! The bar of the studies: the model, and what is watched of a run.

use crate::bar_exact::Wave;
use crate::mechanism::Mechanism;
use crate::running::{Method, watch};
use carom_dynamics::{Configuration, System};
use carom_model::description::{Bar, Body, Contact, Damping, Description, Elastic, Point, Shape};
use std::f64::consts::FRAC_PI_2;

/// How the bar is made.
#[derive(Clone, Copy, Debug)]
pub struct Make {
    /// Elements.
    pub elements: usize,
    /// e of the contact.
    pub restitution: f64,
    /// Factor of K in the damping (s).
    pub damping: f64,
}

/// What is kept of a run, step by step.
#[derive(Debug, Default)]
pub struct Trace {
    pub t: Vec<f64>,
    pub foot: Vec<f64>,
    pub top: Vec<f64>,
    /// Speed of the foot.
    pub speed: Vec<f64>,
    /// Force of the wall as the scheme knows it: without the impulse of an impact in the mixed schemes.
    pub force: Vec<f64>,
    pub energy: Vec<f64>,
    /// Impulse over the first step that has one: in the mixed schemes that of the impact alone.
    pub impulse: f64,
    /// Momentum at the end less that at the start.
    pub turned: f64,
    pub impact_loss: f64,
}

/// A bar that stands above the floor and falls on its foot.
pub fn model(wave: &Wave, make: Make) -> Result<Mechanism, String> {
    let bar = Bar {
        length: wave.length,
        elements: make.elements,
        young: wave.young,
        area: wave.area,
        density: wave.density,
        lumped: false,
        damping: Damping { mass: 0.0, stiffness: make.damping, ..Damping::default() },
    };
    let body = Body {
        elastic: Some(Elastic::Bar(bar)),
        position: [0.0, wave.height],
        angle: FRAC_PI_2,
        velocity: [0.0, -wave.speed],
        points: [("foot".to_string(), Point::Node { node: 0, angle: 0.0 })].into(),
        ..Body::default()
    };
    let mut description = Description { version: 1, ..Description::default() };
    description.bodies.insert("bar".into(), body);
    let floor = Shape::Line { through: [0.0; 2], normal: [0.0, 1.0] };
    description.ground.shapes.insert("floor".into(), floor);
    let contact = Contact { restitution: make.restitution, ..Contact::between("bar.foot", "ground.floor") };
    description.contacts.insert("foot".into(), contact);
    Mechanism::new(&description)
}

/// Runs until `end`.
pub fn trace(wave: &Wave, make: Make, method: Method, step: f64, end: f64) -> Result<Trace, String> {
    let mechanism = model(wave, make)?;
    let model = &mechanism.model;
    let mut at = Configuration::new(model, 0.0, &mechanism.q, &mechanism.v);
    let mut trace = Trace::default();
    let simulation = watch(model, method, mechanism.start(), step, end, |state, _| {
        at.move_to(model, state.t, &state.q);
        at.v.copy_from_slice(&state.v);
        trace.t.push(state.t);
        trace.foot.push(wave.height + state.q[0]);
        trace.top.push(wave.height + wave.length + state.q[make.elements]);
        trace.speed.push(state.v[0]);
        trace.force.push(state.lambda[0]);
        trace.energy.push(model.energy(&at).total());
        if trace.impulse == 0.0 {
            trace.impulse = state.P[0];
        }
    })?;
    trace.turned = momentum(wave, &simulation.state().v) - momentum(wave, &mechanism.v);
    trace.impact_loss = simulation.summary().audit.impact_loss;
    Ok(trace)
}

impl Trace {
    /// End of the last step in which the wall pressed.
    pub fn release(&self) -> f64 {
        let last = self.force.iter().rposition(|force| *force > 0.0);
        last.map_or(f64::NAN, |i| self.t[i])
    }

    /// Mean and standard deviation of the force between two instants.
    pub fn force_between(&self, from: f64, to: f64) -> (f64, f64) {
        spread(self.t.iter().zip(&self.force).filter(|(t, _)| (from..to).contains(*t)).map(|(_, f)| *f))
    }

    /// The same of the speed of the foot, from an instant on.
    pub fn speed_after(&self, from: f64) -> (f64, f64) {
        spread(self.t.iter().zip(&self.speed).filter(|(t, _)| **t >= from).map(|(_, v)| *v))
    }

    /// Part of the energy that is gone at the end.
    pub fn lost(&self) -> f64 {
        1.0 - self.energy[self.energy.len() - 1] / self.energy[0]
    }

    /// Largest energy over that of the start.
    pub fn most(&self) -> f64 {
        self.energy.iter().fold(0.0_f64, |most, e| most.max(*e)) / self.energy[0]
    }

    /// Deepest the foot goes.
    pub fn penetration(&self) -> f64 {
        self.foot.iter().fold(0.0_f64, |deepest, y| deepest.max(-y))
    }

    /// About `count` of the samples of a column.
    pub fn thinned(&self, column: &[f64], count: usize) -> Vec<f64> {
        column.iter().step_by(column.len().div_ceil(count)).copied().collect()
    }
}

/// 1ᵀ M v: half an element's mass at each end, a whole one between.
fn momentum(wave: &Wave, v: &[f64]) -> f64 {
    let last = v.len() - 1;
    let sum = v.iter().sum::<f64>() - 0.5 * (v[0] + v[last]);
    wave.density * wave.area * wave.length / last as f64 * sum
}

fn spread(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
}
