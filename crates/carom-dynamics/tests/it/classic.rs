//! Schatzman–Paoli, Stewart–Trinkle and Anitescu–Potra: what each of them promises, against exact solutions.
//! [Haddouni2015] §2.1.2.2, §2.1.2.3
#![allow(non_snake_case)]

use crate::common::*;
use carom_dynamics::*;

const CLASSIC: [&str; 3] = ["schatzman-paoli", "stewart-trinkle", "anitescu-potra"];

/// Unit masses on a line under a constant force; contacts between two of them, or one of them and a wall at 0.
/// g_N = x_right − x_left.
struct Line {
    force: f64,
    between: Vec<(Option<usize>, Option<usize>)>,
    structure: Structure,
}

impl Line {
    fn new(masses: usize, force: f64, contacts: &[(Option<usize>, Option<usize>, f64)]) -> Self {
        let info = |k: usize, restitution: f64| {
            ContactInfo::new(format!("touch{k}"), ContactKind::Unilateral { restitution })
        };
        let sizes = Sizes { q: masses, v: masses, constraints: 0, contacts: contacts.len() };
        let pattern = Pattern { mass: (0..masses as u32).map(|i| (i, i)).collect(), ..Default::default() };
        let structure = Structure {
            mass_is_constant: true,
            contacts: contacts.iter().enumerate().map(|(k, c)| info(k, c.2)).collect(),
            channels: (0..masses).map(|i| Channel::new(&format!("m{i}"), "x", "m")).collect(),
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { force, between: contacts.iter().map(|c| (c.0, c.1)).collect(), structure }
    }
}

impl System for Line {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.fill(self.force);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let x = |side: Option<usize>| side.map_or(0.0, |i| at.q()[i]);
        for (g, &(left, right)) in g_N.iter_mut().zip(&self.between) {
            *g = x(right) - x(left);
        }
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for &contact in active {
            W.begin_row(0.0);
            let (left, right) = self.between[contact];
            for (side, sign) in [(left, -1.0), (right, 1.0)] {
                if let Some(i) = side {
                    W.push(i, sign);
                }
            }
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let sum = |x: &[f64], f: fn(f64) -> f64| x.iter().map(|x| f(*x)).sum::<f64>();
        Energy {
            kinetic: 0.5 * sum(&at.v, |v| v * v),
            potential: -self.force * sum(at.q(), |q| q),
            strain: 0.0,
        }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice(at.q());
    }
}

/// A block of mass 2 on a slope of the given angle, q = (along, across) it.
struct Block {
    angle: f64,
    structure: Structure,
}

impl Block {
    fn new(angle: f64, friction: f64, tangential_restitution: f64) -> Self {
        let kind = ContactKind::Frictional { restitution: 0.0, tangential_restitution, friction };
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], ..Default::default() };
        let structure = Structure {
            mass_is_constant: true,
            contacts: vec![ContactInfo::new("slope", kind)],
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { angle, structure }
    }
}

impl System for Block {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(2.0);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[20.0 * self.angle.sin(), -20.0 * self.angle.cos()]);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[1];
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            W.begin_row(0.0);
            W.push(1, 1.0);
            W.begin_row(0.0);
            W.push(0, 1.0);
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let (q, v) = (at.q(), &at.v);
        Energy {
            kinetic: v[0] * v[0] + v[1] * v[1],
            potential: 20.0 * (q[1] * self.angle.cos() - q[0] * self.angle.sin()),
            strain: 0.0,
        }
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

/// Steps of ratio 0.7 from `first`.
fn steps(first: f64) -> Vec<f64> {
    (0..12).map(|k| first * 0.7_f64.powi(k)).collect()
}

#[test]
fn derivatives_are_exact() {
    let line = Line::new(2, -10.0, &[(None, Some(0), 0.5), (Some(0), Some(1), 0.0)]);
    let block = Block::new(0.3, 0.5, 0.0);
    let systems: [&dyn System; 2] = [&line, &block];
    for system in systems {
        let wrong = check_derivatives(system, 0.0, &[0.3, 0.7], &[0.4, -1.1], 1e-6);
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// The apexes of the bouncing ball follow e² (its order is in `tests/it/ball.rs`).
#[test]
fn apexes() {
    let (h0, e) = (0.801, 0.8);
    let ball = Ball::new(1.0, 10.0, e);
    for name in ["schatzman-paoli", "anitescu-potra"] {
        let recording = run(&ball, name, &[], &[h0], &[0.0], fixed(1e-4, 4.0)).recording();
        let y = recording.column("ball.y").unwrap();
        let higher = |y: &&[f64]| y[0] < y[1] && y[1] >= y[2];
        let apexes: Vec<f64> = y.windows(3).filter(higher).map(|y| y[1]).take(4).collect();
        assert_eq!(apexes.len(), 4);
        let mut height = h0;
        for apex in apexes {
            height *= e * e;
            assert!((apex - height).abs() < 5e-3 * height, "{name}: apex {apex}, exact {height}");
        }
    }
}

/// Without forces the motion is turned around within two steps, with e to round-off wherever in a step it arrives.
#[test]
fn schatzman_paoli_restores_in_two_steps() {
    for e in [0.0, 0.3, 0.8, 1.0] {
        let ball = Ball::new(2.0, 0.0, e);
        for start in [0.5, 0.5003, 0.50071] {
            let simulation = run(&ball, "schatzman-paoli", &[], &[start], &[-1.0], fixed(1e-3, 1.0));
            assert!((simulation.state().v[0] - e).abs() < 1e-11, "e = {e}: {}", simulation.state().v[0]);
            let recording = simulation.recording();
            let v = recording.column("ball.vy").unwrap();
            let between = v.iter().filter(|v| (**v + 1.0).abs() > 1e-9 && (**v - e).abs() > 1e-9).count();
            // two steps for the position, one more for the velocity, which is a mean over two
            assert!(between <= 3, "e = {e}: {between} samples neither before nor after");
            let impulse: f64 = recording.column("floor.impulse_n").unwrap().iter().sum();
            assert!((impulse - 2.0 * (1.0 + e)).abs() < 1e-11, "e = {e}: impulse {impulse}");
            // inside by less than the way of two steps
            assert!(simulation.summary().audit.penetration.value <= 2e-3);
        }
    }
}

/// Each contact has its own z: two balls in one system move as each does alone.
#[test]
fn schatzman_paoli_tells_coefficients_apart() {
    let both = Line::new(2, -10.0, &[(None, Some(0), 0.9), (None, Some(1), 0.2)]);
    let of_both = run(&both, "schatzman-paoli", &[], &[1.0, 0.7], &[0.0; 2], fixed(1e-3, 2.0));
    for (i, e, y) in [(0, 0.9, 1.0), (1, 0.2, 0.7)] {
        let ball = Ball::new(1.0, 10.0, e);
        let alone = run(&ball, "schatzman-paoli", &[], &[y], &[0.0], fixed(1e-3, 2.0));
        assert!((of_both.state().q[i] - alone.state().q[0]).abs() < 1e-12, "e = {e}");
    }
}

/// Steps that change: a parabola stays one to round-off.
#[test]
fn schatzman_paoli_takes_any_sequence_of_steps() {
    let ball = Ball::new(1.0, 10.0, 0.5);
    let mut state = State::new(&ball, 0.0, vec![100.0], vec![3.0]);
    let method = scheme("schatzman-paoli", &[]).unwrap();
    let mut stage = ContactStage::new(&ball, carom_solve::solver("auto").unwrap());
    let mut method = method.start(&ball, &mut stage, &mut state).unwrap();
    for k in 0..200 {
        method.step(&ball, &mut stage, &mut state, 1e-3 * f64::from(1 + k * k % 7)).unwrap();
        let exact = 100.0 + 3.0 * state.t - 5.0 * state.t.powi(2);
        assert!((state.q[0] - exact).abs() < 1e-11, "{} at {}, exact {exact}", state.q[0], state.t);
    }
}

/// One contact without friction: Poisson's law is Newton's, whatever the mass that stands behind it.
#[test]
fn poisson_is_newton_for_one_contact() {
    for e in [0.0, 0.4, 1.0] {
        let line = Line::new(2, 0.0, &[(Some(0), Some(1), e)]);
        for name in ["anitescu-potra", "moreau-jean"] {
            let v = run(&line, name, &[], &[0.0, 0.1005], &[2.0, -1.0], fixed(1e-3, 0.2)).state().v.clone();
            let exact = [0.5 - 1.5 * e, 0.5 + 1.5 * e];
            assert!((v[0] - exact[0]).abs() < 1e-12 && (v[1] - exact[1]).abs() < 1e-12, "{name}: {v:?}");
        }
    }
}

/// Three balls in a row, the first one arriving with speed 1. With one e for both contacts the laws agree; with e = 0
/// at the first and 1 at the second, Newton's second contact, which does not approach, gives nothing back, while
/// Poisson's gives back the 1/3 stored in it: (1/3, 0, 2/3), and then the first two balls meet again.
#[test]
fn poisson_gives_back_what_is_stored() {
    let after = |name: &str, e: [f64; 2]| {
        let line = Line::new(3, 0.0, &[(Some(0), Some(1), e[0]), (Some(1), Some(2), e[1])]);
        run(&line, name, &[], &[-0.1005, 0.0, 0.0], &[1.0, 0.0, 0.0], fixed(1e-3, 0.2)).state().v.clone()
    };
    let third = 1.0 / 3.0;
    for (name, e, expected) in [
        ("anitescu-potra", [1.0, 1.0], [-third, 2.0 * third, 2.0 * third]),
        ("moreau-jean", [1.0, 1.0], [-third, 2.0 * third, 2.0 * third]),
        ("anitescu-potra", [0.0, 1.0], [0.5 * third, 0.5 * third, 2.0 * third]),
        ("moreau-jean", [0.0, 1.0], [third, third, third]),
    ] {
        let v = after(name, e);
        for i in 0..3 {
            assert!((v[i] - expected[i]).abs() < 1e-12, "{name} with {e:?}: {v:?}, expected {expected:?}");
        }
    }
}

/// A block thrown onto the floor: friction takes μ times the normal impulse of both phases, or all that moves.
#[test]
fn poisson_with_friction() {
    let (mu, e, fall) = (0.3, 0.5, 2.0);
    let slider = Slider::new(mu, e, 0.0, 0.0, 0.0);
    for along in [0.1, 0.7, 5.0] {
        let simulation =
            run(&slider, "anitescu-potra", &[], &[0.0, 0.5e-3], &[along, -fall], fixed(1e-3, 2e-3));
        let left = (along - mu * (1.0 + e) * fall).max(0.0);
        assert!((simulation.state().v[0] - left).abs() < 1e-12, "{along}: {:?}", simulation.state().v);
        let recording = simulation.recording();
        let impact = recording.events.iter().find(|e| e.kind == EventKind::Impact).unwrap();
        assert!((impact.after - e * fall).abs() < 1e-12, "{impact:?}");
    }
}

/// On the slope below the friction angle a block stays where it is to the last bit; above it, it slides with
/// a = g (sin α − μ cos α): v is exact, and x up to the first-order part of its rule.
#[test]
fn block_on_a_slope() {
    let mu = 0.5_f64;
    let (dt, n) = (1e-3, 1000.0);
    for name in CLASSIC {
        let stay = Block::new(mu.atan() - 1e-6, mu, 0.0);
        let q = run(&stay, name, &[], &[0.0; 2], &[0.0; 2], fixed(dt, 1.0)).state().q.clone();
        assert!(q[0].abs() < 1e-15 && q[1].abs() < 1e-15, "{name}: {q:?}");

        let slide = Block::new(mu.atan() + 0.1, mu, 0.0);
        let a = 10.0 * (slide.angle.sin() - mu * slide.angle.cos());
        let state = run(&slide, name, &[], &[0.0; 2], &[0.0; 2], fixed(dt, 1.0)).state().clone();
        // the two-step scheme begins on the parabola and stays there, with v one step late; the others are Euler's
        let (x, v) = match name {
            "schatzman-paoli" => (0.5 * a, a * (1.0 - dt)),
            _ => (0.5 * a * dt * dt * n * (n + 1.0), a),
        };
        assert!(
            (state.q[0] - x).abs() < 1e-11 && (state.v[0] - v).abs() < 1e-11,
            "{name}: {state:?}, {x} {v}"
        );
        assert!(state.q[1].abs() < 1e-15, "{name}: {state:?}");
    }
}

/// θ(1) of the pendulum by RK4 in one coordinate: θ'' = 10/1.1 cos θ.
fn pendulum_angle() -> f64 {
    let rate = |x: [f64; 2]| [x[1], 10.0 / 1.1 * x[0].cos()];
    let dt = 5e-5;
    let mut x = [0.0, 0.0];
    for _ in 0..20_000 {
        let along = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let k1 = rate(x);
        let k2 = rate(along(k1, 0.5 * dt));
        let k3 = rate(along(k2, 0.5 * dt));
        let k4 = rate(along(k3, dt));
        x = std::array::from_fn(|i| x[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    x[0]
}

/// Order 1 with joints. Drift: none at position level, second order where positions are linearised, first order at
/// velocity level.
#[test]
fn joints() {
    let pendulum = Pendulum::new(1, -5.0, 0.0);
    let exact = pendulum_angle();
    let steps = steps(0.02);
    for (name, drift_order) in [("schatzman-paoli", 0.0), ("stewart-trinkle", 2.0), ("anitescu-potra", 1.0)] {
        let (mut errors, mut drifts) = (Vec::new(), Vec::new());
        for &step in &steps {
            let simulation = run(&pendulum, name, &[], &[1.0, 0.0, 0.0], &[0.0; 3], fixed(step, 1.0));
            errors.push((simulation.state().q[2] - exact).abs());
            drifts.push(simulation.summary().audit.drift_length.value);
        }
        let order = slope(&steps, &errors);
        assert!((order - 1.0).abs() < 0.1, "{name}: order {order}, {errors:?}");
        if drift_order == 0.0 {
            assert!(drifts.iter().all(|d| *d < 1e-13), "{name}: {drifts:?}");
        } else {
            let order = slope(&steps, &drifts);
            assert!((order - drift_order).abs() < 0.1, "{name}: drift of order {order}, {drifts:?}");
        }
    }
}

/// A flat floor is never left below by more than round-off; behind the stop of a pendulum, which comes on an arc, only
/// by what the line misses of the arc, O(dt²).
#[test]
fn nothing_sinks_in() {
    for h0 in [0.3, 0.801, 1.7] {
        let ball = Ball::new(1.0, 10.0, 0.0);
        let simulation = run(&ball, "stewart-trinkle", &[], &[h0], &[0.0], fixed(3.1e-3, 1.0));
        assert!(simulation.summary().audit.penetration.value < 1e-15);
        assert!(simulation.state().q[0].abs() < 1e-15 && simulation.state().v[0].abs() < 1e-12);
    }
    let pendulum = Pendulum::new(1, 0.5_f64.sqrt(), 0.0);
    let steps = steps(0.01);
    let depths: Vec<f64> = steps
        .iter()
        .map(|&step| {
            let simulation =
                run(&pendulum, "stewart-trinkle", &[], &[1.0, 0.0, 0.0], &[0.0; 3], fixed(step, 0.6));
            simulation.summary().audit.penetration.value
        })
        .collect();
    for (step, depth) in steps.iter().zip(&depths) {
        // the bob moves with 3.2 m/s or less on a circle of radius 1, and is accelerated by 30 m/s² or less
        assert!(*depth < 30.0 * step * step, "{depth:e} at {step:e}");
    }
}

/// A ball drives another into the wall within one step, whose contact nobody could foresee: it is taken in.
#[test]
fn stewart_trinkle_takes_in_what_others_drive_together() {
    // x_0 flies to the left onto x_1, which rests just off the wall
    let line = Line::new(2, 0.0, &[(None, Some(1), 0.0), (Some(1), Some(0), 0.0)]);
    let simulation = run(&line, "stewart-trinkle", &[], &[0.1, 1e-5], &[-5.0, 0.0], fixed(1e-3, 0.1));
    assert!(simulation.summary().audit.penetration.value < 1e-15);
    assert!(simulation.state().q.iter().chain(&simulation.state().v).all(|x| x.abs() < 1e-12));
}

/// No impact makes energy: the work of every one of them is a loss, with friction and joints.
#[test]
fn impacts_lose_energy() {
    let pendulum = Pendulum::new(1, 0.5_f64.sqrt(), 0.8);
    let slider = Slider::new(0.2, 0.5, 40.0, 1.0, 0.5);
    let line = Line::new(3, 0.0, &[(Some(0), Some(1), 0.3), (Some(1), Some(2), 0.9), (None, Some(0), 0.7)]);
    let systems: [(&dyn System, &[f64], &[f64]); 3] = [
        (&pendulum, &[1.0, 0.0, 0.0], &[0.0; 3]),
        (&slider, &[0.0, 0.1], &[0.4, 0.0]),
        (&line, &[0.1, 0.3, 0.5], &[1.0, 0.5, -2.0]),
    ];
    for (system, q, v) in systems {
        for name in ["anitescu-potra", "schatzman-paoli"] {
            let simulation = run(system, name, &[], q, v, fixed(1e-3, 2.0));
            let recording = simulation.recording();
            let hits: Vec<_> = recording.events.iter().filter(|e| e.kind == EventKind::Impact).collect();
            assert!(!hits.is_empty(), "{name}");
            let audit = simulation.summary().audit;
            assert!(audit.impact_loss > 0.0 && audit.friction_loss >= 0.0, "{name}: {audit:?}");
            if name == "anitescu-potra" {
                for hit in hits {
                    assert!(hit.impulse * 0.5 * (hit.before + hit.after) <= 1e-12, "{hit:?}");
                }
            }
        }
    }
}

/// What a scheme is not made for is refused before anything runs, by the name of the contact and with a way out.
#[test]
fn refusals_name_the_contact() {
    let bouncing = Line::new(2, -10.0, &[(None, Some(0), 0.0), (Some(0), Some(1), 0.5)]);
    let spinning = Block::new(0.1, 0.5, 0.3);
    let cases: [(&dyn System, &str, &str, &str); 4] = [
        (&bouncing, "stewart-trinkle", "touch1", "anitescu-potra"),
        (&spinning, "stewart-trinkle", "slope", "moreau-jean"),
        (&spinning, "schatzman-paoli", "slope", "tangential_restitution"),
        (&spinning, "anitescu-potra", "slope", "tangential_restitution"),
    ];
    for (system, name, contact, remedy) in cases {
        let state = State::new(system, 0.0, vec![1.0, 2.0], vec![0.0; 2]);
        let solver = carom_solve::solver("auto").unwrap();
        let refused =
            Simulation::new(system, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 1.0)).err();
        let Some(StartError::Step(why)) = refused else { panic!("{name}: {refused:?}") };
        let why = why.to_string();
        let told = [name, &format!("contact {contact}"), remedy].iter().all(|word| why.contains(word));
        assert!(told, "{why}");
    }
}

/// A step that is cut short while a contact is inside does not kick it out over the shorter step; steps chosen by their
/// error are refused.
#[test]
fn schatzman_paoli_takes_a_shorter_step() {
    let (h0, g, e) = (0.801, 10.0, 0.8);
    let ball = Ball::new(1.0, g, e);
    let before = (2.0 * g * h0).sqrt();
    let hit = (2.0 * h0 / g).sqrt();
    for cut in 0..40 {
        // the last step is a thousandth of the others
        let end = ((hit / 1e-3).floor() - 2.0 + f64::from(cut / 8)) * 1e-3 + 1e-6 * f64::from(1 + cut % 8);
        let simulation = run(&ball, "schatzman-paoli", &[], &[h0], &[0.0], fixed(1e-3, end));
        let v = simulation.state().v[0].abs();
        assert!(v < 1.01 * before, "v = {v} after an approach with {before}");
    }
    let state = State::new(&ball, 0.0, vec![h0], vec![0.0]);
    let solver = carom_solve::solver("auto").unwrap();
    let settings = Settings { step: 1e-3, end: 1.0, accuracy: Some(1e-5), output: None };
    let scheme = scheme("schatzman-paoli", &[]).unwrap();
    let said = Simulation::new(&ball, &*scheme, solver, state, settings).unwrap_err().to_string();
    assert!(said.contains("schatzman-paoli") && said.contains("step"), "{said}");
}
