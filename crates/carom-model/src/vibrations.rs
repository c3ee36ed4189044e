//! The vibrations of the elastic bodies of a model, each by itself.
//!
//! ```text
//!   K φ = ω² M φ          all coordinates of the body, its frame included; rigid motions taken off
//! ```
//!
//! K, M where the run begins, the body free: joints and what hangs on it make no frequency higher, and shift each to between
//! its neighbours.

use crate::Model;
use crate::bodies::{Flexible, Local};
use carom_elastic::{Symmetric, Vibrations};

/// The vibrations of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyVibrations {
    /// The body.
    pub body: String,
    /// How many, and how fast.
    pub vibrations: Vibrations,
    /// Whether `modes` can reduce it: it has a floating frame.
    pub reducible: bool,
}

impl Model {
    /// Vibrations of every elastic body at coordinates q, against a limit (rad/s).
    pub fn vibrations(&self, q: &[f64], omega: f64) -> Vec<BodyVibrations> {
        let one = |name: &str, body: &dyn Flexible, q: &[f64]| BodyVibrations {
            body: name.into(),
            vibrations: vibrations(body, q, omega),
            reducible: body.elastic().is_some(),
        };
        self.flexible().map(|(body, flexible)| one(&body.name, &*flexible.body, &q[body.q.clone()])).collect()
    }
}

fn vibrations(body: &dyn Flexible, q: &[f64], omega: f64) -> Vibrations {
    let (v, mut derived) = (vec![0.0; q.len()], vec![0.0; body.derived_len()]);
    body.derive(q, &mut derived);
    let at = Local { q, v: &v, derived: &derived };
    let whole = |entries: &[(u32, u32)], values: &[f64]| {
        let lower = entries.iter().zip(values).filter(|((i, j), _)| i >= j);
        Symmetric::from_triplets(q.len(), lower.map(|(&(i, j), &a)| (i as usize, j as usize, a)))
    };
    let mass = body.mass_pattern();
    let mut M = vec![0.0; mass.len()];
    body.mass(at, &mut M);
    let M = whole(&mass, &M);
    if let Some(elastic) = body.elastic() {
        // the frame comes first and has no stiffness; its three motions are rigid
        let frame = q.len() - elastic.n();
        let behind = |A: &Symmetric| {
            Symmetric::from_triplets(q.len(), A.entries().map(|(i, j, a)| (frame + i, frame + j, a)))
        };
        return Vibrations::new(&behind(elastic.stiffness()), &M, &behind(elastic.damping()), frame, omega);
    }
    let tangent = body.tangent_pattern();
    let (mut K, mut C) = (vec![0.0; tangent.len()], vec![0.0; tangent.len()]);
    body.tangents(at, &mut K, &mut C);
    Vibrations::new(&whole(&tangent, &K), &M, &whole(&tangent, &C), body.rigid_motions(), omega)
}
