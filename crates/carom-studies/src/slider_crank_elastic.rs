//! The slider-crank with play and friction whose rod is elastic, for the studies of it.  [RezaeiSchindler] §3, Tables 1, 2
//!
//! ```text
//!   D = √(12 J2/m2 − l2²),   H = m2/(ρ l2 D),   A = H D,   I = H D³/12
//! ```
//!
//! This section is a sheet 0.304 m deep in the plane and 0.05 mm thick, no rod; it is what the source computes with. Its
//! rotary inertia counts for turning with the frame (J2), not for bending: (134) has ∫ρy², (110) has no −y w'.

use crate::mechanism::Mechanism;
use crate::running::{Method, Trouble};
use carom_dynamics::{Recording, Settings, Simulation, State, Stop, Summary, scheme};
use carom_model::Description;
use carom_model::description::{
    Beam, Body, ChosenModes, Elastic, Expression, Force, Ground, Joint, Modes, Point, Prismatic, Reference,
    Revolute, RotaryInertia, Torque,
};
use indexmap::IndexMap;

const CRANK: f64 = 0.153;
const ROD: f64 = 0.306;
const SLIDER: [f64; 2] = [0.1, 0.05];
const MASSES: [f64; 3] = [0.038, 0.038, 0.076];
const INERTIAS: [f64; 3] = [7.4e-5, 5.9e-4, 2.7e-6];
const DENSITY: f64 = 7800.0;
const GRAVITY: f64 = 9.81;

/// What Table 2 changes of Table 1.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    clearance: f64,
    restitution: f64,
    friction: f64,
    /// On the crank (N m).
    torque: f64,
    /// Of the crank at the start (rad/s).
    speed: f64,
}

/// A fast crank left to itself.
pub const TABLE_1: Case =
    Case { clearance: 1e-3, restitution: 0.4, friction: 0.01, torque: 0.0, speed: 150.0 };
/// From rest, driven. The torque is printed in N/m.
pub const TABLE_2: Case = Case { clearance: 5e-4, restitution: 0.1, friction: 0.1, torque: 1.0, speed: 0.0 };

/// How the rod is modelled.
#[derive(Clone, Debug)]
pub struct Rod {
    /// Number of elements.
    pub elements: usize,
    /// Young's modulus (Pa).
    pub young: f64,
    /// Whether sections turn with the frame alone, as in the source.
    pub rotary: RotaryInertia,
    /// How the frame is tied to the rod.
    pub reference: Reference,
    /// Eigenmodes instead of nodal coordinates.
    pub modes: Option<ChosenModes>,
}

impl Rod {
    /// The rod of the source, tangential frame.
    pub fn published(elements: usize) -> Self {
        Self {
            elements,
            young: 2e11,
            rotary: RotaryInertia::Rigid,
            reference: Reference::Clamped,
            modes: None,
        }
    }

    /// Depth and thickness of the sheet (m).
    pub fn section() -> [f64; 2] {
        let depth = (12.0 * INERTIAS[1] / MASSES[1] - ROD * ROD).sqrt();
        [depth, MASSES[1] / (DENSITY * ROD * depth)]
    }

    /// ρ I l2, the part of J2 that comes from the depth of the section (kg m²).
    pub fn rotary_inertia() -> f64 {
        let [depth, thickness] = Self::section();
        DENSITY * ROD * thickness * depth.powi(3) / 12.0
    }

    fn beam(&self) -> Beam {
        let [depth, thickness] = Self::section();
        Beam {
            length: ROD,
            elements: self.elements,
            young: self.young,
            area: thickness * depth,
            second_moment: thickness * depth.powi(3) / 12.0,
            density: DENSITY,
            rotary_inertia: self.rotary,
            reference: self.reference,
            modes: self.modes.clone().map(Modes::Chosen),
            ..Default::default()
        }
    }
}

/// The mechanism, with coordinates of the rod besides those of its frame.
#[derive(Debug)]
pub struct ElasticCrank {
    mechanism: Mechanism,
    /// Number of elastic coordinates.
    pub shapes: usize,
}

impl ElasticCrank {
    /// Builds it.
    pub fn new(case: &Case, rod: &Rod) -> Result<Self, Trouble> {
        let mechanism = Mechanism::new(&describe(case, rod))?;
        let shapes = mechanism.model.coordinates_of("rod").ok_or("no rod")?.len() - 3;
        Ok(Self { mechanism, shapes })
    }

    /// Runs it and records every `output`.
    pub fn run(&self, method: Method, step: f64, end: f64, output: f64) -> Result<Run, Trouble> {
        let model = &self.mechanism.model;
        let settings = Settings { step, end, accuracy: None, output: Some(output) };
        let state = State::new(model, 0.0, self.mechanism.q.clone(), self.mechanism.v.clone());
        let scheme = scheme(method.scheme, method.parameters).map_err(|e| e.to_string())?;
        let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
        let mut simulation =
            Simulation::new(model, &*scheme, solver, state, settings).map_err(|e| e.to_string())?;
        match simulation.run(|_| true) {
            Stop::Done => Ok(Run { recording: simulation.recording(), summary: simulation.summary() }),
            Stop::Interrupted => Err("interrupted".into()),
            Stop::Failed(why) => Err(why.to_string()),
        }
    }
}

/// A run that came to its end.
#[derive(Debug)]
pub struct Run {
    /// Channels and events.
    pub recording: Recording,
    /// Audit.
    pub summary: Summary,
}

impl Run {
    /// A channel.
    pub fn get(&self, channel: &str) -> &[f64] {
        self.recording.column(channel).expect("the mechanism has this channel")
    }

    /// A quantity of the four corners together.
    pub fn corners(&self, quantity: &str) -> Vec<f64> {
        let of = |i: usize| self.get(&format!("guide.{i}.{quantity}"));
        (0..self.recording.samples()).map(|k| (1..=4).map(|i| of(i)[k]).sum()).collect()
    }

    /// Impulse of the first impact, both corners together (N s).
    pub fn first_impulse(&self) -> f64 {
        let impacts = || self.recording.events.iter().filter(|e| e.kind == carom_dynamics::EventKind::Impact);
        let t = impacts().next().map_or(f64::NAN, |e| e.t);
        impacts().filter(|e| e.t == t).map(|e| e.impulse).sum()
    }

    /// Largest difference in a channel, over the samples before `until`.
    pub fn distance(&self, other: &Self, channel: &str, until: f64) -> f64 {
        let pairs = self.get(channel).iter().zip(other.get(channel)).zip(self.get("t"));
        pairs.filter(|(_, t)| **t < until).fold(0.0, |most, ((a, b), _)| most.max((a - b).abs()))
    }
}

fn describe(case: &Case, rod: &Rod) -> Description {
    let points = |list: &[(&str, [f64; 2])]| -> IndexMap<String, Point> {
        list.iter().map(|(name, at)| (name.to_string(), Point::At(*at))).collect()
    };
    let tip = case.speed * CRANK;
    let crank = Body {
        mass: MASSES[0],
        inertia: Some(INERTIAS[0]),
        position: [0.5 * CRANK, 0.0],
        velocity: [0.0, 0.5 * tip],
        angular_velocity: case.speed,
        points: points(&[("bearing", [-0.5 * CRANK, 0.0]), ("pin", [0.5 * CRANK, 0.0])]),
        ..Default::default()
    };
    let rod = Body {
        elastic: Some(Elastic::Beam(rod.beam())),
        position: [CRANK, 0.0],
        velocity: [0.0, tip],
        // leaves the slider at rest
        angular_velocity: -tip / ROD,
        points: points(&[("pin", [0.0, 0.0]), ("wrist", [ROD, 0.0])]),
        ..Default::default()
    };
    let slider = Body {
        mass: MASSES[2],
        inertia: Some(INERTIAS[2]),
        position: [CRANK + ROD, 0.0],
        points: points(&[("wrist", [0.0, 0.0])]),
        ..Default::default()
    };
    let pivot = |a: &str, b: &str| {
        Joint::Revolute(Revolute {
            between: [a.into(), b.into()],
            clearance: None,
            restitution: 0.0,
            friction: 0.0,
            pin_radius: 0.0,
            friction_torque: 0.0,
            ..Revolute::default()
        })
    };
    let guide = Joint::Prismatic(Prismatic {
        between: ["ground.bearing".into(), "slider.wrist".into()],
        clearance: Some(case.clearance),
        size: Some(SLIDER),
        restitution: case.restitution,
        friction: case.friction,
        friction_force: 0.0,
        ..Prismatic::default()
    });
    let drive = Force::Torque(Torque {
        on: "crank".into(),
        against: None,
        torque: Expression::Constant(case.torque),
    });
    Description {
        version: 1,
        gravity: [0.0, -GRAVITY],
        ground: Ground { points: points(&[("bearing", [0.0, 0.0])]), ..Default::default() },
        bodies: IndexMap::from([("crank".into(), crank), ("rod".into(), rod), ("slider".into(), slider)]),
        joints: IndexMap::from([
            ("bearing".into(), pivot("ground.bearing", "crank.bearing")),
            ("pin".into(), pivot("crank.pin", "rod.pin")),
            ("wrist".into(), pivot("rod.wrist", "slider.wrist")),
            ("guide".into(), guide),
        ]),
        forces: IndexMap::from([("drive".into(), drive)]),
        ..Default::default()
    }
}
