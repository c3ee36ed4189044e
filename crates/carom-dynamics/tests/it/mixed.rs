//! The mixed schemes: restitution, forces apart from impulses, order with contacts that stay closed and slide.
#![allow(non_snake_case)]

use crate::common::*;
use carom_dynamics::*;

/// A scheme, its parameters, its order.
type Row = (&'static str, &'static [(&'static str, f64)], f64);

/// Every mixed scheme that takes friction, and its order with a contact that stays closed on a curved wall. The methods
/// of order 3 and 4 keep theirs with joints; a contact may be open by round-off of the position in one of their stages.
const MIXED: &[Row] = &[
    ("mixed-alpha", &[], 2.0),
    ("mixed-alpha", &[("rho", 0.0)], 2.0),
    ("bathe", &[], 2.0),
    ("ed-alpha", &[], 2.0),
    ("ed-alpha", &[("rho", 0.8)], 2.0),
    ("half-explicit", &[], 2.0),
    ("half-explicit", &[("predicted_contacts", 1.0)], 2.0),
    ("half-explicit-3", &[], 2.0),
    ("half-explicit-4", &[], 2.0),
    ("acceleration-lcp", &[], 4.0),
    // fitted over steps from 0.04 s: 4.84 without friction, 4.73 with; from 0.12 s on 4.55 and 4.32. Whether it is 5 here is not settled
    ("acceleration-lcp-radau5", &[], 4.6),
    ("multiplier", &[], 4.0),
];

/// A bead of mass 1 in a bowl of radius R around the origin, gravity along −y, with friction.
struct Bowl {
    radius: f64,
    gravity: f64,
    friction: f64,
    structure: Structure,
}

impl Bowl {
    fn new(friction: f64) -> Self {
        let kind = ContactKind::Frictional { restitution: 0.5, tangential_restitution: 0.0, friction };
        let contacts = vec![ContactInfo::new("bowl", kind)];
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], ..Default::default() };
        let structure = Structure { mass_is_constant: true, contacts, ..Structure::new(sizes, pattern, 2.0) };
        Self { radius: 2.0, gravity: 10.0, friction, structure }
    }

    /// φ'' from the vertical while it slides with φ' < 0: the wall presses with g cos φ + R φ'².
    fn angle(&self, phi: f64, end: f64) -> [f64; 2] {
        let f = |s: [f64; 2]| {
            let press = self.gravity * s[0].cos() + self.radius * s[1] * s[1];
            [s[1], (-self.gravity * s[0].sin() + self.friction * press) / self.radius]
        };
        let n = 20_000;
        let dt = end / f64::from(n);
        let along = |s: [f64; 2], k: [f64; 2], c: f64| [s[0] + c * k[0], s[1] + c * k[1]];
        let mut s = [phi, 0.0];
        for _ in 0..n {
            let k1 = f(s);
            let k2 = f(along(s, k1, 0.5 * dt));
            let k3 = f(along(s, k2, 0.5 * dt));
            let k4 = f(along(s, k3, dt));
            for i in 0..2 {
                s[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        s
    }
}

impl System for Bowl {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -self.gravity]);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = self.radius - at.q()[0].hypot(at.q()[1]);
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let r = at.q()[0].hypot(at.q()[1]);
        let (x, y) = (at.q()[0] / r, at.q()[1] / r);
        for _ in active {
            W.begin_row(0.0);
            W.push(0, -x);
            W.push(1, -y);
            W.begin_row(0.0);
            W.push(0, -y);
            W.push(1, x);
        }
    }
    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        // d/dt of the two rows, times v
        let r = at.q()[0].hypot(at.q()[1]);
        let (x, y) = (at.q()[0] / r, at.q()[1] / r);
        let (along, across) = (x * at.v[0] + y * at.v[1], x * at.v[1] - y * at.v[0]);
        for _ in active {
            bias[0] = -across * across / r;
            bias[1] = -along * across / r;
        }
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let kinetic = 0.5 * (at.v[0] * at.v[0] + at.v[1] * at.v[1]);
        Energy { kinetic, potential: self.gravity * at.q()[1], strain: 0.0 }
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

#[test]
fn bowl_derivatives() {
    let bowl = Bowl::new(0.1);
    let wrong = check_derivatives(&bowl, 0.0, &[1.2, -1.5], &[0.3, 0.8], 1e-7);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A bead slides down a round wall, with friction and without: positions and velocities are of order two although
/// the direction of the contact turns. Twelve step sizes.
#[test]
fn sliding_contact_is_of_second_order() {
    let (start, end) = (1.2_f64, 0.6);
    for friction in [0.0, 0.1] {
        let bowl = Bowl::new(friction);
        let [phi, omega] = bowl.angle(start, end);
        // starts exactly on the wall
        let q0 = [bowl.radius * start.sin(), -bowl.radius * start.cos()];
        for &(name, parameters, order) in MIXED {
            // at order 5 smaller steps have nothing but round-off; above 0.04 two steps differ in more than the leading term
            let from = if order > 4.0 { 0.04 } else { 0.01 };
            let steps: Vec<f64> = (0..12).map(|k| from * 0.8_f64.powi(k)).collect();
            let (mut in_q, mut in_v) = (Vec::new(), Vec::new());
            for &step in &steps {
                let simulation = run(&bowl, name, parameters, &q0, &[0.0, 0.0], fixed(step, end));
                let State { q, v, .. } = simulation.state();
                in_q.push((q[0].atan2(-q[1]) - phi).abs());
                in_v.push(((q[0] * v[1] - q[1] * v[0]) / (q[0] * q[0] + q[1] * q[1]) - omega).abs());
            }
            let (in_q, in_v) = (slope(&steps, &in_q), slope(&steps, &in_v));
            assert!(in_q > order - 0.15, "{name}, friction {friction}: order {in_q} of the angle");
            assert!(in_v > order - 0.15, "{name}, friction {friction}: order {in_v} of its rate");
        }
    }
}

/// The wall's force at the end of the run against g cos φ + R φ'².
#[test]
fn contact_forces_converge() {
    let (start, end) = (1.2_f64, 0.6);
    let bowl = Bowl::new(0.1);
    let [phi, omega] = bowl.angle(start, end);
    let exact = bowl.gravity * phi.cos() + bowl.radius * omega * omega;
    let q0 = [bowl.radius * start.sin(), -bowl.radius * start.cos()];
    for &(name, parameters, _) in MIXED {
        let error = |step: f64| {
            let simulation = run(&bowl, name, parameters, &q0, &[0.0, 0.0], fixed(step, end));
            let state = simulation.state();
            // friction against the motion, at its bound
            assert!((state.lambda[1].abs() - 0.1 * state.lambda[0]).abs() < 1e-9, "{name}");
            (state.lambda[0] - exact).abs() / exact
        };
        let (coarse, fine) = (error(2e-3), error(2e-4));
        assert!(
            fine < 2e-3 && fine < (0.2 * coarse).max(1e-12),
            "{name}: force off by {coarse:e}, then {fine:e}"
        );
    }
}

/// −U⁺/U⁻ is e for every phase of the step in which the ball arrives, at several scales, with parts and without.
#[test]
fn restitution_is_what_was_asked_for() {
    let e = 0.7;
    for scale in [1e-3, 1.0, 1e3] {
        let ball = Ball::new(1.0, 0.0, e);
        for &(name, parameters, _) in MIXED {
            for parts in [1.0, 10.0] {
                let parameters: Vec<(&str, f64)> =
                    parameters.iter().copied().chain([("parts", parts)]).collect();
                for phase in 0..20 {
                    let height = scale * (0.1 + 1e-3 * f64::from(phase) / 20.0);
                    let simulation = run(&ball, name, &parameters, &[height], &[-scale], fixed(1e-3, 0.2));
                    let v = simulation.state().v[0];
                    assert!((v / scale - e).abs() < 1e-13, "{name}, phase {phase}: v⁺ = {v}");
                    let events = simulation.recording().events;
                    let impacts = events.iter().filter(|e| e.kind == EventKind::Impact).count();
                    assert_eq!(impacts, 1, "{name}, phase {phase}");
                }
            }
        }
    }
}

/// Forces and impulses are told apart: the weight at rest, m (1 + e) v at impacts, nothing of the one in the other.
#[test]
fn forces_and_impulses_have_their_own_channels() {
    let (m, g, e, h0) = (2.0, 10.0, 0.5, 0.801);
    let ball = Ball::new(m, g, e);
    for &(name, parameters, _) in MIXED {
        let simulation = run(&ball, name, parameters, &[h0], &[0.0], fixed(1e-3, 3.0));
        let recording = simulation.recording();
        let (force, impulse) =
            (recording.column("floor.force_n").unwrap(), recording.column("floor.impulse_n").unwrap());
        assert!((force.last().unwrap() - m * g).abs() < 1e-9, "{name}: {}", force.last().unwrap());
        assert_eq!(*impulse.last().unwrap(), 0.0, "{name}");
        // every impact takes (1 + e) m v_k with v_k = v e^k
        let v = (2.0 * g * h0).sqrt();
        let sum: f64 = impulse.iter().sum();
        let exact = (1.0 + e) * m * v / (1.0 - e);
        assert!((sum / exact - 1.0).abs() < 2e-2, "{name}: {sum} of {exact}");
        let flying = recording.column("floor.gap").unwrap().iter().zip(force).filter(|(gap, _)| **gap > 1e-2);
        assert!(flying.into_iter().all(|(_, force)| *force == 0.0), "{name}: a force in flight");
    }
}

/// m (v_{n+1} − v_n) = P − m g dt in every step, also in those that are made in parts: the impulses of all parts count.
#[test]
fn impulses_of_all_parts_count() {
    let (m, g, dt) = (2.0, 10.0, 1e-3);
    let ball = Ball::new(m, g, 0.8);
    for name in ["half-explicit", "half-explicit-3", "half-explicit-4"] {
        let state = State::new(&ball, 0.0, vec![0.801], vec![0.0]);
        let scheme = scheme(name, &[("parts", 10.0)]).expect("a known scheme");
        let solver = carom_solve::solver("auto").expect("a known solver");
        let settings = fixed(dt, 4.0);
        let mut simulation = Simulation::new(&ball, &*scheme, solver, state, settings).expect("a good start");
        let (mut v_n, mut hit) = (0.0, 0);
        while !simulation.is_done() {
            simulation.advance();
            let state = simulation.state();
            let P = m * (state.v[0] - v_n) + m * g * dt;
            assert!((state.P[0] - P).abs() < 1e-12, "{name} at {}: {} and {P}", state.t, state.P[0]);
            hit += usize::from(P > 2.0 * m * g * dt);
            v_n = state.v[0];
        }
        assert!(hit > 10, "{name}: {hit}");
    }
}

/// Ten parts divide the error of the impact's time by about ten, with the impact in a step of its own.
#[test]
fn parts_sharpen_impacts() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    let error = |parts: f64| {
        let mut sum = 0.0;
        for k in 0..12 {
            let step = 3e-3 * 0.9_f64.powi(k);
            let simulation =
                run(&ball, "half-explicit", &[("parts", parts)], &[0.801], &[0.0], fixed(step, 0.6));
            sum += (simulation.state().q[0] - Ball::exact(0.801, 10.0, 0.8, 0.6).0).abs() / step;
        }
        sum
    };
    let (whole, parts) = (error(1.0), error(10.0));
    assert!(parts < 0.2 * whole, "{whole} {parts}");
}

/// A contact that is closed and approaches at the start hits, with its restitution.
#[test]
fn a_start_in_contact_can_be_an_impact() {
    let ball = Ball::new(1.0, 0.0, 0.5);
    for &(name, parameters, _) in MIXED {
        let simulation = run(&ball, name, parameters, &[0.0], &[-2.0], fixed(1e-3, 0.1));
        assert!((simulation.state().v[0] - 1.0).abs() < 1e-13, "{name}: {}", simulation.state().v[0]);
    }
}

/// What is not half-explicit is refused with what would be right.
#[test]
fn tableaux_are_checked() {
    assert_eq!(Tableau::new(&[&[]], &[1.0]), Err(TableauError::Stages { stages: 1 }));
    let implicit = Tableau::new(&[&[], &[0.5, 0.5]], &[0.5, 0.5]);
    assert_eq!(implicit, Err(TableauError::NotExplicit { row: 1, given: 2 }));
    let no_push = Tableau::new(&[&[], &[1.0]], &[1.0, 0.0]).unwrap_err();
    assert_eq!(no_push, TableauError::NoPush { row: 2, value: 0.0 });
    assert!(no_push.to_string().contains("must be positive"));
    assert_eq!(Tableau::new(&[&[], &[1.0]], &[0.5, 0.4]), Err(TableauError::Weights { sum: 0.9 }));
    assert_eq!(Tableau::new(&[&[], &[f64::NAN]], &[0.5, 0.5]), Err(TableauError::NotFinite));
}

/// Parameters out of range are refused with the range.
#[test]
fn parameters_are_checked() {
    for (name, parameter, value, range) in [
        ("mixed-alpha", "rho", 1.1, "between 0 and 1"),
        ("mixed-alpha", "rho", -0.1, "between 0 and 1"),
        ("bathe", "parts", 0.0, "between 1 and 1000"),
        ("bathe", "parts", 1.5, "whole number between 1 and 1000"),
        ("mixed-alpha", "restart", 0.5, "whole number between 0 and 1"),
        ("half-explicit", "predicted_contacts", 2.0, "between 0 and 1"),
    ] {
        let said = scheme(name, &[(parameter, value)]).unwrap_err().to_string();
        assert!(said.contains(range) && said.contains(parameter), "{said}");
    }
}

/// Friction is refused where the scheme does not know it, by the name of the contact.
#[test]
fn acceleration_level_refuses_friction() {
    let bowl = Bowl::new(0.1);
    let state = State::new(&bowl, 0.0, vec![0.0, -2.0], vec![0.0, 0.0]);
    let solver = carom_solve::solver("auto").unwrap();
    let scheme = scheme("half-explicit-acceleration", &[]).unwrap();
    let said = Simulation::new(&bowl, &*scheme, solver, state, fixed(1e-3, 1.0)).unwrap_err().to_string();
    assert!(said.contains("bowl") && said.contains("half-explicit"), "{said}");
}

/// The same with steps chosen by their error: a step that is only tried must not take the impact away.
#[test]
fn a_start_in_contact_is_an_impact_with_error_control_too() {
    let ball = Ball::new(1.0, 0.0, 0.5);
    for (name, parameters, _) in MIXED {
        let settings = Settings { step: 1e-3, end: 0.1, accuracy: Some(1e-5), output: None };
        let simulation = run(&ball, name, parameters, &[0.0], &[-2.0], settings);
        assert!((simulation.state().v[0] - 1.0).abs() < 1e-13, "{name}: {}", simulation.state().v[0]);
        assert_eq!(simulation.summary().impacts, 1, "{name}");
    }
}

/// A bead that slides on a round wall without friction: the wall does no work, and the audit says so.
#[test]
fn a_wall_does_no_work() {
    let bowl = Bowl::new(0.0);
    let start = 1.2_f64;
    let q0 = [bowl.radius * start.sin(), -bowl.radius * start.cos()];
    for (name, parameters, _) in MIXED {
        let audit = run(&bowl, name, parameters, &q0, &[0.0, 0.0], fixed(1e-3, 0.6)).summary().audit;
        let moved = audit.energy_scale;
        assert!(audit.impact_loss.abs() < 1e-4 * moved, "{name}: {:e} of {moved}", audit.impact_loss);
    }
}
