//! A mass matrix that is full and changes with q: the double pendulum in two angles, with a wall for its tip.
#![allow(non_snake_case)]

use crate::common::*;
use carom_dynamics::*;

/// Unit point masses on unit rods; q = (φ₁, φ₂) from the vertical.
///
/// ```text
///   M = [ 2  c ; c  1 ],   c = cos(φ₁ − φ₂),  s = sin(φ₁ − φ₂)
///   h = ( −s ω₂² − 2 g sin φ₁,  s ω₁² − g sin φ₂ )
/// ```
struct DoublePendulum {
    wall: f64,
    structure: Structure,
}

const G: f64 = 9.81;

impl DoublePendulum {
    fn new(wall: f64, restitution: f64, friction: f64) -> Self {
        let kind = if friction > 0.0 {
            ContactKind::Frictional { restitution, tangential_restitution: 0.0, friction }
        } else {
            ContactKind::Unilateral { restitution }
        };
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 1 };
        let pattern = Pattern {
            mass: vec![(0, 0), (1, 0), (1, 1)],
            tangent: vec![(0, 0), (0, 1), (1, 0), (1, 1)],
            ..Default::default()
        };
        let channel = |n: &str| Channel::new(n, "angle", "rad");
        let structure = Structure {
            contacts: vec![ContactInfo::new("wall", kind)],
            channels: ["a", "b"].map(channel).into(),
            ..Structure::new(sizes, pattern, 2.0).of_angles()
        };
        Self { wall, structure }
    }
}

impl System for DoublePendulum {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&[2.0, (at.q()[0] - at.q()[1]).cos(), 1.0]);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let (q, v) = (at.q(), &at.v);
        let s = (q[0] - q[1]).sin();
        h[0] = -s * v[1] * v[1] - 2.0 * G * q[0].sin();
        h[1] = s * v[0] * v[0] - G * q[1].sin();
    }
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let (q, v) = (at.q(), &at.v);
        let (s, c) = (q[0] - q[1]).sin_cos();
        K[0] = c * v[1] * v[1] + 2.0 * G * q[0].cos();
        K[1] = -c * v[1] * v[1];
        K[2] = -c * v[0] * v[0];
        K[3] = c * v[0] * v[0] + G * q[1].cos();
        C.copy_from_slice(&[0.0, 2.0 * s * v[1], -2.0 * s * v[0], 0.0]);
    }
    // the tip is at (sin φ₁ + sin φ₂, −cos φ₁ − cos φ₂); the wall is vertical, the tip stays right of it
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[0].sin() + at.q()[1].sin() - self.wall;
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let q = at.q();
        for _ in active {
            W.begin_row(0.0);
            W.push(0, q[0].cos());
            W.push(1, q[1].cos());
            if let ContactKind::Frictional { .. } = self.structure.contacts[0].kind {
                W.begin_row(0.0);
                W.push(0, q[0].sin());
                W.push(1, q[1].sin());
            }
        }
    }
    fn contact_bias(&self, at: &Configuration, _: &[usize], bias: &mut [f64]) {
        let (q, v) = (at.q(), &at.v);
        bias[0] = -q[0].sin() * v[0].powi(2) - q[1].sin() * v[1].powi(2);
        if let Some(tangential) = bias.get_mut(1) {
            *tangential = q[0].cos() * v[0].powi(2) + q[1].cos() * v[1].powi(2);
        }
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let (q, v) = (at.q(), &at.v);
        let c = (q[0] - q[1]).cos();
        Energy {
            kinetic: v[0] * v[0] + 0.5 * v[1] * v[1] + c * v[0] * v[1],
            potential: -G * (2.0 * q[0].cos() + q[1].cos()),
            strain: 0.0,
        }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice(at.q());
    }
}

const START: [f64; 2] = [1.0, 1.4];

/// (φ, φ') at `end` by RK4 on the explicit form with a tiny step: an independent method.
fn reference(end: f64) -> [f64; 4] {
    let acceleration = |x: [f64; 4]| {
        let (s, c) = (x[0] - x[1]).sin_cos();
        let h = [-s * x[3] * x[3] - 2.0 * G * x[0].sin(), s * x[2] * x[2] - G * x[1].sin()];
        let determinant = 2.0 - c * c;
        [x[2], x[3], (h[0] - c * h[1]) / determinant, (2.0 * h[1] - c * h[0]) / determinant]
    };
    let n = 20_000;
    let dt = end / f64::from(n);
    let mut x = [START[0], START[1], 0.0, 0.0];
    for _ in 0..n {
        let along = |x: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| x[i] + h * k[i]);
        let k1 = acceleration(x);
        let k2 = acceleration(along(x, k1, 0.5 * dt));
        let k3 = acceleration(along(x, k2, 0.5 * dt));
        let k4 = acceleration(along(x, k3, dt));
        x = std::array::from_fn(|i| x[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x
}

#[test]
fn derivatives_are_exact() {
    for friction in [0.0, 0.3] {
        let system = DoublePendulum::new(-1.0, 0.5, friction);
        let wrong = check_derivatives(&system, 0.0, &[0.7, -0.4], &[1.3, -2.1], 1e-6);
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// Orders in free flight, fitted over twelve step sizes: 2 for the trapezoidal and generalized-α rules, 1 for implicit
/// Euler, the fully implicit Newmark rule and the explicit schemes (their forces see an old velocity).
#[test]
fn orders() {
    let system = DoublePendulum::new(-10.0, 0.0, 0.0);
    let exact = reference(1.0);
    let expected = [2, 1, 1, 1, 2, 2, 2, 1, 1];
    for ((name, parameters), expected) in ALL.iter().zip(expected) {
        let steps: Vec<f64> = (0..12).map(|k| 0.02 * 0.7_f64.powi(k)).collect();
        let errors: Vec<f64> = steps
            .iter()
            .map(|&step| {
                let q = run(&system, name, parameters, &START, &[0.0; 2], fixed(step, 1.0)).state().q.clone();
                (q[0] - exact[0]).abs().max((q[1] - exact[1]).abs())
            })
            .collect();
        let order = slope(&steps, &errors);
        assert!(
            (order - f64::from(expected)).abs() < 0.25,
            "{name} {parameters:?}: order {order}, {errors:?}"
        );
    }
}

/// α_m and α_f as one likes: order 2 in φ as long as γ = ½ + α_f − α_m, order 1 with more.
#[test]
fn orders_with_free_parameters() {
    let system = DoublePendulum::new(-10.0, 0.0, 0.0);
    let exact = reference(1.0);
    let order = |name: &str, parameters: &[(&str, f64)]| {
        let steps: Vec<f64> = (0..12).map(|k| 0.02 * 0.7_f64.powi(k)).collect();
        let error = |&step: &f64| {
            let q = run(&system, name, parameters, &START, &[0.0; 2], fixed(step, 1.0)).state().q.clone();
            (q[0] - exact[0]).hypot(q[1] - exact[1])
        };
        slope(&steps, &steps.iter().map(error).collect::<Vec<_>>())
    };
    for name in ["generalized-alpha", "generalized-alpha-ggl", "mixed-alpha"] {
        for (alpha_m, alpha_f) in [(-1.0, 0.0), (0.0, 0.3), (0.2, 0.4), (0.5, 0.5), (-0.3, -0.1)] {
            let pair = [("alpha_m", alpha_m), ("alpha_f", alpha_f)];
            let found = order(name, &pair);
            assert!((found - 2.0).abs() < 0.1, "{name} {pair:?}: order {found}");
        }
        let damped = [("alpha_m", 0.2), ("alpha_f", 0.4), ("gamma", 0.9)];
        let found = order(name, &damped);
        assert!((found - 1.0).abs() < 0.15, "{name} {damped:?}: order {found}");
    }
    let found = order("newmark", &[("beta", 0.4)]);
    assert!((found - 2.0).abs() < 0.1, "newmark with another β: order {found}");
}

/// The implicit bases of the mixed schemes are of order 2 in φ and φ'.
#[test]
fn orders_of_implicit_bases() {
    let system = DoublePendulum::new(-10.0, 0.0, 0.0);
    let exact = reference(1.0);
    for name in ["mixed-alpha", "bathe", "ed-alpha"] {
        let steps: Vec<f64> = (0..12).map(|k| 0.02 * 0.7_f64.powi(k)).collect();
        let (mut of_q, mut of_v) = (Vec::new(), Vec::new());
        for &step in &steps {
            let simulation = run(&system, name, &[], &START, &[0.0; 2], fixed(step, 1.0));
            let State { q, v, .. } = simulation.state();
            of_q.push((q[0] - exact[0]).hypot(q[1] - exact[1]));
            of_v.push((v[0] - exact[2]).hypot(v[1] - exact[3]));
        }
        let orders = (slope(&steps, &of_q), slope(&steps, &of_v));
        assert!((orders.0 - 2.0).abs() < 0.1 && (orders.1 - 2.0).abs() < 0.1, "{name}: {orders:?}");
    }
}

/// Against the wall: the velocity ratio is e, the balance closes, the gap stays shut only from outside.
#[test]
fn hits_the_wall() {
    for friction in [0.0, 0.3] {
        let system = DoublePendulum::new(0.2, 0.6, friction);
        // with friction, Poisson's law is another one than Newton's
        let newton = one_step().filter(|(name, _)| *name != "anitescu-potra" || friction == 0.0);
        for (name, parameters) in newton {
            let simulation = run(&system, name, parameters, &START, &[0.0; 2], fixed(2e-4, 2.0));
            let recording = simulation.recording();
            let impact =
                recording.events.iter().find(|e| e.kind == EventKind::Impact).expect("it gets there");
            assert!((impact.after / impact.before + 0.6).abs() < 1e-8, "{name}: {impact:?}");
            let audit = simulation.summary().audit;
            assert!(audit.impact_loss > 0.0 && audit.friction_loss >= -1e-9, "{name}: {audit:?}");
            assert!(audit.penetration.value < 3e-3, "{name}: {audit:?}");
            assert!(audit.relative_numerical_loss().abs() < 2e-2, "{name}: {audit:?}");
        }
    }
}
