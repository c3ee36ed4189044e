//! A ball on a plane in space, by every scheme: it slides for 2 v₀/(7 μ g), then rolls with 5 v₀/7.
#![allow(non_snake_case)]

use crate::common::{fixed, run};
use carom_dynamics::rotation::{cross, dot, turn, turn_back};
use carom_dynamics::*;

const GRAVITY: f64 = 9.81;
const MASS: f64 = 0.5;
const RADIUS: f64 = 0.1;
/// Where the ball touches, seen from its centre.
const ARM: [f64; 3] = [0.0, 0.0, -RADIUS];

/// A homogeneous ball; `basis` is the angle by which the tangents are turned in the plane.
struct Ball {
    basis: f64,
    structure: Structure,
}

impl Ball {
    fn new(friction: f64, basis: f64) -> Self {
        let kind = ContactKind::Spatial {
            restitution: 0.0,
            tangential_restitution: 0.0,
            friction,
            resistance: Resistance::None,
        };
        let sizes = Sizes { q: 7, v: 6, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: (0..6).map(|i| (i, i)).collect(), ..Pattern::default() };
        let mut structure = Structure {
            mass_is_constant: true,
            rotations: vec![Rotation { q: 3, v: 3 }],
            contacts: vec![ContactInfo::new("plane", kind)],
            ..Structure::new(sizes, pattern, 1.0)
        };
        structure.velocities[3..].iter_mut().for_each(|v| v.quantity = Quantity::Angle);
        Self { basis, structure }
    }
}

impl System for Ball {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M[..3].fill(MASS);
        M[3..].fill(0.4 * MASS * RADIUS * RADIUS);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, 0.0, -MASS * GRAVITY, 0.0, 0.0, 0.0]);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[2] - RADIUS;
    }
    /// U = ṙ + ω × arm, each row d·ṙ + B_ω · Rᵀ (arm × d).
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let q = at.q();
        let (s, c) = self.basis.sin_cos();
        for _ in active {
            for d in [[0.0, 0.0, 1.0], [c, s, 0.0], [-s, c, 0.0]] {
                W.begin_row(0.0);
                let lever = turn_back([q[3], q[4], q[5], q[6]], cross(ARM, d));
                (0..3).for_each(|i| W.push(i, d[i]));
                (0..3).for_each(|i| W.push(3 + i, lever[i]));
            }
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let (v, w) = at.v.split_at(3);
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let kinetic = 0.5 * MASS * (square(v) + 0.4 * RADIUS * RADIUS * square(w));
        Energy { kinetic, potential: MASS * GRAVITY * at.q()[2], strain: 0.0 }
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

const SPEED: f64 = 2.0;
const FRICTION: f64 = 0.3;
const HEADING: f64 = 0.4;
const STEP: f64 = 1e-3;
const END: f64 = 0.4;

fn start() -> ([f64; 7], [f64; 6]) {
    let (s, c) = HEADING.sin_cos();
    ([0.0, 0.0, RADIUS, 1.0, 0.0, 0.0, 0.0], [SPEED * c, SPEED * s, 0.0, 0.0, 0.0, 0.0])
}

/// Every scheme of the registry runs it right, or says before it starts why not and what to take instead.
#[test]
fn it_slides_and_then_rolls_or_is_refused() {
    let ball = Ball::new(FRICTION, 0.7);
    let (q, v) = start();
    let stop = 2.0 * SPEED / (7.0 * FRICTION * GRAVITY);
    let rolls = 5.0 / 7.0 * SPEED;
    let way = SPEED * stop - 0.5 * FRICTION * GRAVITY * stop * stop + rolls * (END - stop);
    let mut ran = Vec::new();
    for info in SCHEMES {
        let name = info.name;
        let state = State::new(&ball, 0.0, q.to_vec(), v.to_vec());
        let (solver, scheme) = (carom_solve::solver("auto").unwrap(), scheme(name, &[]).unwrap());
        if let Err(refused) = Simulation::new(&ball, &*scheme, solver, state, fixed(STEP, END)) {
            let text = refused.to_string();
            assert!(text.contains("plane") && text.contains("hybrid"), "{name}: {text}");
            continue;
        }
        ran.push(name);
        let run = run(&ball, name, &[], &q, &v, fixed(STEP, END));
        let State { q, v, .. } = run.state();
        let (s, c) = HEADING.sin_cos();
        // one step's way may be missing where the slip ends
        assert!((q[0] * c + q[1] * s - way).abs() < 2.0 * SPEED * STEP, "{name}: {q:?} {way}");
        assert!((q[0] * s - q[1] * c).abs() < 1e-8, "{name}: {q:?}");
        assert!((v[0].hypot(v[1]) - rolls).abs() < 2e-3 * SPEED, "{name}: {v:?} {rolls}");
        let omega = turn([q[3], q[4], q[5], q[6]], [v[3], v[4], v[5]]);
        let slip = cross(omega, ARM);
        let slip = [v[0] + slip[0], v[1] + slip[1], 0.0];
        // springs creep below their slip speed
        assert!(dot(slip, slip).sqrt() < 2e-3, "{name}: {slip:?}");
    }
    for name in ["moreau-jean", "generalized-alpha", "half-explicit", "penalty", "hunt-crossley", "hybrid"] {
        assert!(ran.contains(&name), "{name} was refused");
    }
}

/// What happens does not depend on how the plane is spanned.
#[test]
fn tangents_may_be_any() {
    let (q, v) = start();
    for name in ["moreau-jean", "generalized-alpha", "half-explicit", "penalty", "hunt-crossley", "hybrid"] {
        let end =
            |basis| run(&Ball::new(FRICTION, basis), name, &[], &q, &v, fixed(STEP, 0.3)).state().clone();
        let (a, b) = (end(0.0), end(1.9));
        let apart = a.q.iter().zip(&b.q).chain(a.v.iter().zip(&b.v)).map(|(a, b)| (a - b).abs());
        let apart = apart.fold(0.0, f64::max);
        // solvers stop at 1e-12 of their problems, some hundred of them
        assert!(apart < 1e-8, "{name}: {apart:e}");
    }
}
