//! Closing the joints before a run.
//!
//! ```text
//!   Φ(0, q) = 0     q ← q − M⁻¹ Gᵀ D (S + μ I)⁻¹ D Φ       Newton in the metric of M, damped by μ while it does not help
//!   G v + Φ_t = 0   v ← v − M⁻¹ Gᵀ D S⁺ D (G v + Φ_t)      the nearest velocities in the metric of M
//! ```
//!
//! A mechanism that fits already is left as it is, to the bit. Dependent rows are no obstacle; rows that contradict
//! each other leave a residual, and the joints with the largest are named.

use crate::error::ModelError;
use crate::geometry::{norm, sub};
use crate::linear::{LEAST_MU, Rows};
use crate::mechanics::Mechanics;
use crate::model::Model;
use carom_dynamics::{Complaint, Configuration, GAP_ROUND_OFF, Quantity, System};
use std::fmt;

/// Joints fit if Φ is below this, relative to the length scale (radians as they are).
const FIT: f64 = 1e-12;

/// Velocities fit if G v + Φ_t is below this, relative to the velocities.
const VELOCITY_FIT: f64 = 1e-12;

/// What is left of G v + Φ_t after projection that counts as contradiction and not as round-off.
const VELOCITY_CONTRADICTION: f64 = 1e-8;

/// How far nodes may be moved before a body counts as bent, relative to the length scale or the fastest node.
const STRAIGHT: f64 = 1e-8;

/// Newton steps, refused ones included, after which joints count as impossible to close.
const STEPS: usize = 200;

/// A step that comes this much below the fit asked for has arrived: another would only stir round-off.
const ARRIVED: f64 = 1e-3;

/// What an accepted step leaves of the damping μ: Newton's own speed is back after few.
const TRUST: f64 = 1e-2;

/// What a refused step makes of μ, from at least [`FIRST_MU`]: S has a unit diagonal, so below it μ changes no digit that counts.
const DISTRUST: f64 = 10.0;
const FIRST_MU: f64 = 1e-6;

/// At this μ a step is a millionth of steepest descent: Φ does not fall in any direction.
const LAST_MU: f64 = 1e6;

/// Of joints that cannot be closed those within this share of the worst are told, and no more than so many.
const AMONG_THE_WORST: f64 = 0.1;
const TOLD: usize = 4;

/// A misfit below this (m, rad) looks like numbers typed with few digits; for the advice only.
const TYPED_DIGITS: f64 = 1e-4;

/// Projections of the velocities: the first, and what takes the round-off of the ones before.
const PROJECTIONS: usize = 6;

/// How far a body in space turns in one step (rad).
const FURTHEST: f64 = 0.5;

/// A joint that did not fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The joint.
    pub joint: String,
    /// Largest residual of its rows: m, rad, m/s or rad/s.
    pub residual: f64,
    /// What the row with that residual measures.
    pub quantity: Quantity,
}

/// A body that was moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The body.
    pub body: String,
    /// How far its centre of mass went (m).
    pub displacement: f64,
    /// How far it turned (rad).
    pub rotation: f64,
    /// How much the velocity of its centre of mass changed (m/s).
    pub velocity: f64,
    /// How much its angular velocity changed (rad/s).
    pub angular_velocity: f64,
}

/// A consistent start, and what had to be changed for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// Coordinates with Φ(0, q) = 0.
    pub q: Vec<f64>,
    /// Velocities with G v + Φ_t = 0.
    pub v: Vec<f64>,
    /// Joints that did not fit as described.
    pub misfits: Vec<Misfit>,
    /// Bodies that were moved or given another velocity.
    pub moved: Vec<Moved>,
    /// Newton steps.
    pub iterations: usize,
}

impl Assembly {
    /// Whether anything had to be changed.
    pub fn changed(&self) -> bool {
        !self.moved.is_empty()
    }
}

/// Why a mechanism cannot start.
#[derive(Clone, Debug, PartialEq)]
pub enum AssemblyError {
    /// Joints cannot all be closed.
    Joints {
        /// Joints with the largest residuals, largest first.
        misfits: Vec<Misfit>,
        /// Newton steps, refused ones included.
        iterations: usize,
    },
    /// Joints and prescribed motions contradict each other in their velocities.
    Velocities {
        /// Joints with the largest residuals, largest first.
        misfits: Vec<Misfit>,
    },
    /// A body without a frame of its own would have to start deformed.
    Bent {
        /// The body.
        body: String,
        /// The coordinate or velocity that changes most.
        coordinate: String,
        /// By how much.
        change: f64,
    },
    /// A contact is closed beyond touching once the joints are.
    Contact(ModelError),
}

impl AssemblyError {
    /// In words.
    pub fn complaint(&self) -> Complaint {
        match self {
            AssemblyError::Joints { misfits, iterations } => Complaint::new(format!(
                "the joints cannot all be closed: {} left after {iterations} Newton steps",
                list(misfits, "m", "rad")
            ))
            .or(if misfits.iter().all(|misfit| misfit.residual.abs() < TYPED_DIGITS) {
                "a misfit this small comes from rounded numbers where joints hold the same thing twice: write them as formulas, \
                 such as \"=0.4*cos(pi/6)\", or take a joint that holds less"
            } else {
                "check the lengths of the bodies or leave out a joint that contradicts the others"
            }),
            AssemblyError::Velocities { misfits } => Complaint::new(format!(
                "no velocities satisfy all joints: {} left",
                list(misfits, "m/s", "rad/s")
            ))
            .or("leave out a prescribed motion or joint that contradicts the others"),
            AssemblyError::Bent { body, coordinate, change } => Complaint::new(format!(
                "`{body}` would have to start bent or torn to fit the joints: its {coordinate} changes by {change:.3e}"
            ))
            .or("give it a position, angle, velocity and angular velocity that fit"),
            AssemblyError::Contact(error) => {
                let wrong = format!("with the joints closed, {}: {}", error.path.join("."), error.problem);
                Complaint::new(wrong).or(error.remedy())
            }
        }
    }

    /// Keys from the top of the description to the place that is to blame most.
    pub fn path(&self) -> Vec<String> {
        match self {
            AssemblyError::Joints { misfits, .. } | AssemblyError::Velocities { misfits } => {
                vec!["joints".into(), misfits[0].joint.clone()]
            }
            AssemblyError::Bent { body, .. } => vec!["bodies".into(), body.clone()],
            AssemblyError::Contact(error) => error.path.clone(),
        }
    }
}

impl fmt::Display for AssemblyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.complaint().fmt(f)
    }
}

impl std::error::Error for AssemblyError {}

fn list(misfits: &[Misfit], length: &str, angle: &str) -> String {
    let one = |m: &Misfit| {
        let unit = if m.quantity == Quantity::Length { length } else { angle };
        format!("`{}` by {:.3e} {unit}", m.joint, m.residual)
    };
    misfits.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl<S: Mechanics> Model<S> {
    /// A consistent start: joints closed, velocities compatible, contacts not penetrated.
    pub fn assemble(&self) -> Result<Assembly, AssemblyError> {
        let mut at = Configuration::new(self, 0.0, &self.q, &self.v);
        let mut rows = Rows::new(self);
        let mut phi = vec![0.0; self.structure().sizes.constraints];
        self.constraints(&at, &mut phi);
        let misfits = self.misfits(&phi, self.fit());
        let iterations = if misfits.is_empty() { 0 } else { self.close(&mut at, &mut rows, &mut phi)? };
        self.make_compatible(&mut at, &mut rows)?;
        self.stays_straight(&at)?;
        if let Some(error) = self.penetrated(&at).into_iter().next() {
            return Err(AssemblyError::Contact(error));
        }
        let moved = self.moved(&at);
        Ok(Assembly { q: at.q().to_vec(), v: at.v.clone(), misfits, moved, iterations })
    }

    /// What counts as fitting: [`FIT`], or the round-off of places far from the origin.
    fn fit(&self) -> f64 {
        FIT.max(GAP_ROUND_OFF * self.structure.far / self.structure.length_scale)
    }

    /// Joints closed from the positions described, whatever the contacts say: where the search for an equilibrium begins.
    pub fn close_joints(&self) -> Result<Vec<f64>, AssemblyError> {
        let mut at = Configuration::new(self, 0.0, &self.q, &vec![0.0; self.v.len()]);
        let mut phi = vec![0.0; self.structure().sizes.constraints];
        self.constraints(&at, &mut phi);
        if !self.misfits(&phi, self.fit()).is_empty() {
            let mut rows = Rows::new(self);
            self.close(&mut at, &mut rows, &mut phi)?;
        }
        Ok(at.q().to_vec())
    }

    /// The least velocities that the joints allow at q: none, unless a motion is prescribed.
    pub fn velocities_at_rest(&self, q: &[f64]) -> Result<Vec<f64>, AssemblyError> {
        let mut at = Configuration::new(self, 0.0, q, &vec![0.0; self.v.len()]);
        let mut rows = Rows::new(self);
        self.make_compatible(&mut at, &mut rows)?;
        Ok(at.v.clone())
    }

    /// The start at other coordinates, at rest, and what moved.
    pub fn assembled_at(&self, q: Vec<f64>) -> Result<Assembly, AssemblyError> {
        let v = self.velocities_at_rest(&q)?;
        let at = Configuration::new(self, 0.0, &q, &v);
        let moved = self.moved(&at);
        Ok(Assembly { q, v, misfits: Vec::new(), moved, iterations: 0 })
    }

    /// Φ without dimension: lengths over the length scale, angles as they are.
    fn size(&self, phi: &[f64]) -> f64 {
        let mut most: f64 = 0.0;
        for info in &self.structure.constraints {
            for (row, (quantity, _)) in info.rows.clone().zip(&info.quantities) {
                let size = phi[row].abs()
                    / if *quantity == Quantity::Length { self.structure.length_scale } else { 1.0 };
                // NaN must not pass as small.
                most = if size <= most { most } else { size };
            }
        }
        most
    }

    /// Joints whose residual is above a fraction `least` of the scale, largest first.
    fn misfits(&self, phi: &[f64], least: f64) -> Vec<Misfit> {
        let mut misfits: Vec<(f64, Misfit)> = Vec::new();
        for info in &self.structure.constraints {
            let relative = |row: usize, quantity: Quantity| {
                phi[row].abs() / if quantity == Quantity::Length { self.structure.length_scale } else { 1.0 }
            };
            let worst = info
                .rows
                .clone()
                .zip(&info.quantities)
                .map(|(row, (quantity, _))| (relative(row, *quantity), phi[row].abs(), *quantity))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((size, residual, quantity)) = worst.filter(|w| w.0 > least || w.0.is_nan()) {
                misfits.push((size, Misfit { joint: info.name.clone(), residual, quantity }));
            }
        }
        misfits.sort_by(|a, b| b.0.total_cmp(&a.0));
        misfits.into_iter().map(|m| m.1).collect()
    }

    /// Newton on Φ; every accepted step makes Φ smaller.
    fn close(
        &self,
        at: &mut Configuration,
        rows: &mut Rows,
        phi: &mut Vec<f64>,
    ) -> Result<usize, AssemblyError> {
        let (mut mu, fit) = (LEAST_MU, self.fit());
        let mut size = self.size(phi);
        let mut trial = phi.clone();
        rows.update(self, at);
        for iteration in 1..=STEPS {
            let step = rows.correction(phi, mu);
            let from = at.q().to_vec();
            let part = self.part_of_step(&step);
            let delta: Vec<f64> = step.iter().map(|d| -part * d).collect();
            at.retract_to(self, 0.0, &from, &delta);
            self.constraints(at, &mut trial);
            let next = self.size(&trial);
            if next < size {
                std::mem::swap(phi, &mut trial);
                // The last step from a fit as good as asked for brings it to round-off.
                let done = size <= fit || next <= ARRIVED * fit;
                size = next;
                mu = (mu * TRUST).max(LEAST_MU);
                rows.update(self, at);
                if done {
                    return Ok(iteration);
                }
            } else {
                at.move_to(self, 0.0, &from);
                if size <= fit {
                    return Ok(iteration);
                }
                mu = (mu * DISTRUST).max(FIRST_MU);
                if mu > LAST_MU {
                    break;
                }
            }
        }
        if size <= fit {
            return Ok(STEPS);
        }
        let mut misfits = self.misfits(phi, AMONG_THE_WORST * size);
        misfits.truncate(TOLD);
        Err(AssemblyError::Joints { misfits, iterations: STEPS })
    }

    /// Axes that are to agree also fit where they oppose each other, and a full step of Newton's, the tangent of the angle between them,
    /// goes there from afar: no body turns further than [`FURTHEST`] at once.
    fn part_of_step(&self, step: &[f64]) -> f64 {
        let turns = |rotation: &carom_dynamics::Rotation| norm([0, 1, 2].map(|k| step[rotation.v + k]));
        let most = self.structure.rotations.iter().map(turns).fold(0.0, f64::max);
        if most > FURTHEST { FURTHEST / most } else { 1.0 }
    }

    fn make_compatible(&self, at: &mut Configuration, rows: &mut Rows) -> Result<(), AssemblyError> {
        rows.update(self, at);
        let residual = |rows: &Rows, v: &[f64]| -> Vec<f64> {
            rows.times(v).iter().zip(&rows.phi_t).map(|(a, b)| a + b).collect()
        };
        // D makes all rows comparable: their unit is that of √(kinetic energy).
        let worst = |rows: &Rows, r: &[f64]| {
            r.iter().zip(&rows.row_scale).fold(0.0, |m: f64, (r, d)| m.max((r * d).abs()))
        };
        let energy: f64 = (0..at.v.len()).map(|i| self.mass[i] * at.v[i] * at.v[i]).sum();
        let scale = energy.sqrt() + worst(rows, &rows.phi_t);
        let mut r = residual(rows, &at.v);
        // a row that nothing moves, such as a motion across a bar, is met or not
        let stuck: Vec<f64> =
            r.iter().zip(&rows.row_scale).map(|(r, d)| if *d == 0.0 { *r } else { 0.0 }).collect();
        if stuck.iter().any(|r| *r != 0.0) {
            let mut misfits = self.misfits(&stuck, 0.0);
            misfits.truncate(TOLD);
            return Err(AssemblyError::Velocities { misfits });
        }
        let mut size = worst(rows, &r);
        if size <= VELOCITY_FIT * scale {
            return Ok(());
        }
        for _ in 0..PROJECTIONS {
            let correction = rows.correction(&r, LEAST_MU);
            let v: Vec<f64> = at.v.iter().zip(&correction).map(|(v, c)| v - c).collect();
            let trial = residual(rows, &v);
            let next = worst(rows, &trial);
            if next >= size {
                break;
            }
            (at.v, r, size) = (v, trial, next);
        }
        if size <= VELOCITY_CONTRADICTION * scale {
            return Ok(());
        }
        let mut misfits = self.misfits(&r, AMONG_THE_WORST * self.size(&r));
        misfits.truncate(TOLD);
        Err(AssemblyError::Velocities { misfits })
    }

    /// A bar or exact beam has nodes and no frame: the least change moves single nodes, which is no way to begin. What
    /// floats is moved as a whole instead.
    fn stays_straight(&self, at: &Configuration) -> Result<(), AssemblyError> {
        for (body, flexible) in self.flexible().filter(|(_, f)| !f.body.floats()) {
            let fastest = at.v[body.v.clone()].iter().fold(0.0, |most: f64, v| most.max(v.abs()));
            // nodes have as many coordinates as velocities
            for (k, (i, j)) in body.q.clone().zip(body.v.clone()).enumerate() {
                let name = flexible.body.coordinate_name(k);
                let (moved, faster) = ((at.q()[i] - self.q[i]).abs(), (at.v[j] - self.v[j]).abs());
                let bent = |coordinate: String, change: f64| {
                    Err(AssemblyError::Bent { body: body.name.clone(), coordinate, change })
                };
                if moved > STRAIGHT * self.structure.length_scale.max(1.0) {
                    return bent(name, moved);
                }
                if faster > STRAIGHT * fastest.max(self.v[j].abs()) {
                    return bent(format!("velocity of {name}"), faster);
                }
            }
        }
        Ok(())
    }

    fn moved(&self, at: &Configuration) -> Vec<Moved> {
        let described = Configuration::new(self, 0.0, &self.q, &self.v);
        // what is only round-off was not moved
        let fastest = self.v.iter().chain(&at.v).fold(0.0, |most: f64, v| most.max(v.abs()));
        let (far, fast) = (FIT * self.structure.length_scale, VELOCITY_FIT * fastest);
        let mut moved = Vec::new();
        for body in &self.bodies {
            let origin = |at: &Configuration| S::origin(&body.place.frame(at));
            let velocity_at = |at: &Configuration| body.place.velocity(at);
            let spin = |at: &Configuration| body.place.omega(at);
            let displacement = norm(sub(origin(at), origin(&described)));
            let velocity = norm(sub(velocity_at(at), velocity_at(&described)));
            let rotation = S::rotation(&body.place, &described, at);
            let angular_velocity = S::speed_of_rotation(sub(spin(at), spin(&described)));
            let changes = [
                (displacement, far),
                (rotation.abs(), FIT),
                (velocity, fast),
                (angular_velocity.abs(), fast),
            ];
            if changes.iter().any(|(change, least)| change > least) {
                let body = body.name.clone();
                // of the four what is only round-off is none
                let [displacement, turned, velocity, spun] =
                    changes.map(|(change, least)| if change > least { change } else { 0.0 });
                let (rotation, angular_velocity) =
                    (turned.copysign(rotation), spun.copysign(angular_velocity));
                moved.push(Moved { body, displacement, rotation, velocity, angular_velocity });
            }
        }
        moved
    }
}
