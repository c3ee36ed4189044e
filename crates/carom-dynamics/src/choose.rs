//! Which scheme for which mechanism: the rules of the book's page on choosing, as measured by the study `work-precision`.
//!
//! ```text
//!   Ω = dt √ρ(P M⁻¹ K),    Δ = dt ρ(P M⁻¹ C)        P: onto velocities that the joints admit, by the saddle point (M, G)
//! ```
//!
//! ρ by power iteration from a fixed start, at the beginning of the run. Same mechanism, same answer.

use crate::{Configuration, ContactKind, Operator, State, System};
use std::fmt;

/// In the place of a scheme's name: have one chosen.
pub const AUTO: &str = "auto";

/// A step that turns the fastest vibration by more than this (Ω, rad), or brakes it by more (Δ), is too long for the
/// half-explicit schemes: a quarter of Ω = 2, where the second-order one becomes unstable, because springs may get
/// stiffer than they are at the start.
const STIFF: f64 = 0.5;
/// More contacts than this are a heap: something hits in most steps, and parts would multiply the effort.
const FEW_CONTACTS: usize = 8;
/// Parts of a step that ends in an impact: its error goes down by as much. For the same error 10 cost four times as much
/// where impacts are rare, 100 nearly three times where they are not.
const PARTS_AT_IMPACT: f64 = 50.0;
/// Power iterations; a frequency is met to a few percent, a threshold asks for no more.
const ITERATIONS: usize = 40;

/// A scheme, and why this one.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Name in the registry.
    pub scheme: &'static str,
    /// Parameters that are not left at their defaults.
    pub parameters: Vec<(&'static str, f64)>,
    /// Why, in one plain sentence.
    pub reason: String,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, x)| format!("{name} = {x}")).collect();
        let with =
            if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join(", ")) };
        write!(f, "{AUTO} took {}{with}: {}", self.scheme, self.reason)
    }
}

/// How fast the mechanism is by itself, seen from a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stiffness {
    /// Ω = dt ω of the fastest vibration.
    pub vibration: f64,
    /// Δ = dt times the fastest rate of damping.
    pub damping: f64,
}

impl Stiffness {
    /// At a state, for a step dt.
    pub fn new(system: &dyn System, state: &State, dt: f64) -> Self {
        let pattern = &system.structure().pattern.tangent;
        let mut operator = Operator::new(system);
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        if pattern.is_empty()
            || !operator.evaluate_mass(system, &at, true)
            || !operator.factor_at(system, &at)
        {
            return Self::default();
        }
        let (mut K, mut C) = (vec![0.0; pattern.len()], vec![0.0; pattern.len()]);
        system.tangents(&at, &mut K, &mut C);
        Self {
            vibration: dt * radius(&operator, pattern, &K).sqrt(),
            damping: dt * radius(&operator, pattern, &C),
        }
    }
}

/// ρ(P M⁻¹ A), about.
fn radius(operator: &Operator, pattern: &[(u32, u32)], A: &[f64]) -> f64 {
    let (nv, n) = (operator.nv(), operator.nv() + operator.nc());
    let (mut b, mut x, mut scratch) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    // a start without symmetry, so that no mode is missed
    for i in 0..nv {
        x[i] = 1.0 + 0.5 * (1.0 + i as f64).sin();
    }
    let norm = |x: &[f64]| x[..nv].iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut found = 0.0;
    for _ in 0..ITERATIONS {
        let size = norm(&x);
        if size == 0.0 {
            return 0.0;
        }
        b.fill(0.0);
        for (&(row, column), a) in pattern.iter().zip(A) {
            b[row as usize] += a * x[column as usize] / size;
        }
        operator.ldl().solve(&b, &mut x, &mut scratch);
        found = norm(&x);
    }
    found
}

/// What to take for a mechanism at its start and a step dt, or an accuracy with dt as the first step.
pub fn choose(system: &dyn System, state: &State, dt: f64, accuracy: Option<f64>) -> Choice {
    let Stiffness { vibration, damping } = Stiffness::new(system, state, dt);
    let contacts = system.structure().contacts.len();
    let rubs = system.structure().contacts.iter().any(|c| matches!(c.kind, ContactKind::Dry { .. }));
    let stiff = if vibration > STIFF {
        Some(format!("a step turns the fastest vibration by {vibration:.3} rad, more than {STIFF}"))
    } else if damping > STIFF {
        Some(format!(
            "a step is {damping:.3} of the time in which the fastest motion is damped, more than {STIFF}"
        ))
    } else {
        None
    };
    let take = |scheme, parameters, reason| Choice { scheme, parameters, reason };
    if accuracy.is_some() && contacts <= FEW_CONTACTS {
        match &stiff {
            Some(why) if contacts == 0 => {
                let why = format!(
                    "an accuracy is asked for, {why}, and nothing hits or rubs: implicit, of order 5"
                );
                return take("radau5", vec![], why);
            }
            None if contacts == 0 => {
                let why = "an accuracy is asked for, every vibration is soft, and nothing hits or rubs: order 5, joints hold";
                return take("phem56", vec![], why.into());
            }
            None => {
                let few = if contacts == 1 { "one contact".into() } else { format!("{contacts} contacts") };
                let why = format!(
                    "an accuracy is asked for, every vibration is soft, and there are few contacts ({few}): order 5 from event to \
                     event, and steps where they crowd"
                );
                return take("hybrid", vec![], why);
            }
            Some(_) => {}
        }
    }
    match stiff {
        Some(why) if contacts == 0 => {
            let why =
                format!("{why}, and nothing hits or rubs: implicit, accurate where resolved, damps the rest");
            take("ed-alpha", vec![], why)
        }
        Some(why) => {
            let why = format!(
                "{why}, and there are contacts: implicit, damps what is not resolved, impacts stay right"
            );
            take("generalized-alpha", vec![], why)
        }
        None if contacts == 0 => {
            let why = "the step resolves every vibration and nothing hits or rubs: the highest order pays";
            take("half-explicit-4", vec![], why.into())
        }
        None if rubs => {
            let why = "joints rub, which makes every scheme first order where they turn: the cheapest step";
            take("moreau-jean", vec![], why.into())
        }
        None if contacts > FEW_CONTACTS => {
            let why = format!(
                "{contacts} contacts, more than {FEW_CONTACTS}: something hits in most steps, and this one copes best"
            );
            take("half-explicit", vec![], why)
        }
        None => {
            let few =
                if contacts == 1 { "one contact hits".into() } else { format!("{contacts} contacts hit") };
            let why = format!(
                "the step resolves every vibration, and {few} now and then: second order in between, and steps with impacts \
                 in parts"
            );
            take("half-explicit", vec![("parts", PARTS_AT_IMPACT)], why)
        }
    }
}
