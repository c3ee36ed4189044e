//! The contact formulations of [Ebrahimi2007]: orders, what they do to a rigid and to an elastic body that hits a floor,
//! springs against their closed forms, rest and friction.
#![allow(non_snake_case)]

use crate::common::*;
use carom_dynamics::*;

/// Without restitution, from forces that are constant over the step.
const CONSTANT: [&str; 4] = ["position-lcp-euler", "position-lcp-rk4", "position-lcp-radau5", "velocity-lcp"];

/// Two masses with a spring on a vertical line, the lower one above a floor: the simplest elastic body.
struct Dumbbell {
    masses: [f64; 2],
    stiffness: f64,
    gravity: f64,
    structure: Structure,
}

impl Dumbbell {
    const LENGTH: f64 = 1.0;

    fn new(masses: [f64; 2], stiffness: f64, gravity: f64) -> Self {
        let kind = ContactKind::Unilateral { restitution: 0.0 };
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 1 };
        let tangent = vec![(0, 0), (0, 1), (1, 0), (1, 1)];
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], tangent, ..Default::default() };
        let structure = Structure {
            mass_is_constant: true,
            contacts: vec![ContactInfo::new("floor", kind)],
            channels: vec![Channel::new("lower", "y", "m")],
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { masses, stiffness, gravity, structure }
    }
}

impl System for Dumbbell {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&self.masses);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        let pull = self.stiffness * (at.q()[1] - at.q()[0] - Self::LENGTH);
        h[0] = pull - self.masses[0] * self.gravity;
        h[1] = -pull - self.masses[1] * self.gravity;
    }
    fn tangents(&self, _: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let k = self.stiffness;
        K.copy_from_slice(&[k, -k, -k, k]);
        C.fill(0.0);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = at.q()[0];
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            W.begin_row(0.0);
            W.push(0, 1.0);
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let each = |i: usize| 0.5 * self.masses[i] * at.v[i].powi(2);
        Energy {
            kinetic: each(0) + each(1),
            potential: self.gravity * (self.masses[0] * at.q()[0] + self.masses[1] * at.q()[1]),
            strain: 0.5 * self.stiffness * (at.q()[1] - at.q()[0] - Self::LENGTH).powi(2),
        }
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out[0] = at.q()[0];
    }
}

#[test]
fn derivatives_are_exact() {
    let wrong = check_derivatives(&Dumbbell::new([1.0, 2.0], 30.0, 9.0), 0.0, &[0.3, 1.2], &[0.1, 0.7], 1e-6);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Free vibration 1 + ½ cos ω t against the exact one: order 4 of Runge–Kutta, 5 of RADAU5, 1 of Euler.
#[test]
fn orders_in_free_flight() {
    let body = Dumbbell::new([1.0, 1.0], 12.5, 0.0);
    let exact = 0.5 * 5.0_f64.cos();
    for (name, order) in [
        ("acceleration-lcp", 4.0),
        ("acceleration-lcp-radau5", 5.0),
        ("multiplier", 4.0),
        ("position-lcp-euler", 1.0),
        ("position-lcp-rk4", 4.0),
        ("position-lcp-radau5", 5.0),
        ("velocity-lcp", 4.0),
        ("penalty", 4.0),
        ("hunt-crossley", 4.0),
    ] {
        let from = if order == 1.0 { 1e-3 } else { 0.1 };
        let steps: Vec<f64> = (0..12).map(|k| from * 0.8_f64.powi(k)).collect();
        let errors: Vec<f64> = steps
            .iter()
            .map(|&step| {
                let done = run(&body, name, &[], &[5.0, 6.5], &[0.0, 0.0], fixed(step, 1.0));
                let q = &done.state().q;
                (q[1] - q[0] - 1.0 - exact).abs()
            })
            .collect();
        let found = slope(&steps, &errors);
        assert!((found - order).abs() < 0.15, "{name}: order {found}, errors {errors:?}");
    }
}

/// RADAU5 takes steps of fifty times the period and forgets the vibration at once; explicit methods burst.
#[test]
fn radau_takes_stiff_bodies() {
    let omega = 1e4_f64;
    let body = Dumbbell::new([1.0, 1.0], 0.5 * omega * omega, 10.0);
    let still = 0.0;
    // lies on the floor, pressed together by its own weight
    let rest = 1.0 - 10.0 / body.stiffness;
    for name in ["position-lcp-radau5", "acceleration-lcp-radau5"] {
        let done = run(&body, name, &[], &[still, rest], &[0.0; 2], fixed(0.03, 3.0));
        assert!(done.state().q[0].abs() < 1e-12 && (done.state().q[1] - rest).abs() < 1e-12, "{name}");
        assert!((done.state().lambda[0] - 20.0).abs() < 1e-6, "{name} {:?}", done.state().lambda);
        // thrown with its spring stretched: only the parabola is left
        let done = run(&body, name, &[], &[5.0, 6.01], &[3.0; 2], fixed(0.03, 0.3));
        let (q, v) = (&done.state().q, &done.state().v);
        assert!((q[1] - q[0] - 1.0).abs() < 1e-9 && (v[1] - v[0]).abs() < 1e-6, "{name}: {q:?} {v:?}");
        assert!((0.5 * (q[0] + q[1]) - 5.505 - 0.9 + 0.45).abs() < 1e-9, "{name}: {q:?}");
    }
}

/// A mass on a spring that rubs on the floor: slides as a cosine about the place where friction and spring balance, turns twice,
/// stops exactly at −½ of that place and stays; with RADAU5 as with Runge–Kutta.
#[test]
fn friction_by_accelerations_stops_what_it_can_hold() {
    let (mu, k) = (0.3, 50.0_f64);
    let slider = Slider::new(mu, 0.0, k, 0.0, 0.0);
    let (omega, shift) = ((k / Slider::MASS).sqrt(), mu * Slider::MASS * Slider::GRAVITY / k);
    // from x = 3.5 shift at rest: one half period to −1.5 shift, another to −0.5 shift, where friction holds
    let from = 3.5 * shift;
    for name in ["acceleration-lcp", "acceleration-lcp-radau5"] {
        let t = 0.4 * std::f64::consts::PI / omega;
        let exact = shift + (from - shift) * (omega * t).cos();
        let done = run(&slider, name, &[], &[from, 0.0], &[0.0; 2], fixed(t / 40.0, t));
        assert!((done.state().q[0] - exact).abs() < 1e-6 * from, "{name}: {} {exact}", done.state().q[0]);
        let done = run(&slider, name, &[], &[from, 0.0], &[0.0; 2], fixed(1e-3, 3.0));
        let (q, v) = (&done.state().q, &done.state().v);
        assert!((q[0] + 0.5 * shift).abs() < 0.02 * shift, "{name}: {} {shift}", q[0]);
        assert!(v[0].abs() < 1e-12 && q[1].abs() < 1e-12, "{name}: {v:?} {q:?}");
    }
}

/// A rigid ball without weight that would arrive g/(dt |U|) into its step.
fn bounce(name: &str, part: f64) -> f64 {
    let ball = Ball::new(2.0, 0.0, 0.0);
    let (dt, U) = (0.01, 3.0);
    // ten steps of flight, then `part` of a step
    let simulation = run(&ball, name, &[], &[(10.0 + part) * dt * U], &[-U], fixed(dt, 0.2));
    simulation.state().v[0] / U
}

/// What becomes of rigid bodies, who have no elasticity to give back: the formulas at the head of the scheme.
#[test]
fn rigid_bodies_do_what_is_said() {
    for part in [0.1, 0.3, 0.45, 0.7, 0.95] {
        for name in ["position-lcp-rk4", "position-lcp-radau5"] {
            let back = bounce(name, part);
            assert!((back - (1.0 - 2.0 * part).abs()).abs() < 1e-9, "{name}: {back} at {part}");
        }
        for name in ["position-lcp-euler", "velocity-lcp"] {
            assert!(bounce(name, part).abs() < 1e-12, "{name}: {}", bounce(name, part));
        }
    }
}

/// The lower mass stops, the upper one turns around on the spring and takes the lower one with it when the spring is
/// relaxed again: the centre leaves with half its speed, after π/ω, half of the energy gone for good.
#[test]
fn an_elastic_body_rebounds_by_its_own_spring() {
    let (omega, U) = (20.0_f64, 2.0);
    let body = Dumbbell::new([1.0, 1.0], omega * omega, 0.0);
    for name in
        ["position-lcp-euler", "velocity-lcp", "acceleration-lcp", "acceleration-lcp-radau5", "multiplier"]
    {
        let centre = |step: f64| {
            let done = run(&body, name, &[], &[0.1, 1.1], &[-U; 2], fixed(step, 0.6));
            0.5 * (done.state().v[0] + done.state().v[1])
        };
        let steps: Vec<f64> = (0..10).map(|k| 2e-3 * 0.7_f64.powi(k)).collect();
        let errors: Vec<f64> = steps.iter().map(|&step| (centre(step) - 0.5 * U).abs().max(1e-9)).collect();
        assert!(errors[9] < 4e-3 && errors[9] < 0.1 * errors[0].max(1e-2), "{name}: {errors:?}");
    }
}

/// Momentum balance: the force of the contact is what turns the motion around, whatever the formulation.
#[test]
fn impulses_of_contacts_are_the_change_of_momentum() {
    let body = Dumbbell::new([0.5, 1.5], 300.0, 0.0);
    let names = CONSTANT.into_iter().chain([
        "acceleration-lcp",
        "acceleration-lcp-radau5",
        "multiplier",
        "penalty",
        "hunt-crossley",
    ]);
    for name in names {
        let state = State::new(&body, 0.0, vec![0.05, 1.05], vec![-1.0; 2]);
        let mut simulation = Simulation::new(
            &body,
            &*scheme(name, &[]).unwrap(),
            carom_solve::solver("auto").unwrap(),
            state,
            fixed(1e-3, 1.0),
        )
        .unwrap();
        let mut sum = 0.0;
        while !simulation.is_done() {
            simulation.advance();
            sum += simulation.state().P[0];
        }
        let v = &simulation.state().v;
        let gained = 0.5 * v[0] + 1.5 * v[1] + 2.0;
        assert!(sum > 1.0 && (sum - gained).abs() < 1e-9, "{name}: {sum} {gained}");
    }
}

#[test]
fn restitution_is_refused_where_there_is_none() {
    let ball = Ball::new(1.0, 10.0, 0.5);
    for name in CONSTANT {
        let state = State::new(&ball, 0.0, vec![1.0], vec![0.0]);
        let solver = carom_solve::solver("auto").unwrap();
        let refused = Simulation::new(&ball, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 1.0));
        let Err(why) = refused else { panic!("{name} takes restitution") };
        let why = why.to_string();
        assert!(why.contains("floor") && why.contains(name) && why.contains("restitution"), "{why}");
    }
}

/// Rebound of a ball without weight from a spring: e to the accuracy of the method, for both laws, with the stiffness
/// from the step and with one that is given.
#[test]
fn springs_give_back_what_restitution_says() {
    for (name, parameters) in [
        ("penalty", &[][..]),
        ("penalty", &[("stiffness", 4e4)]),
        ("hunt-crossley", &[]),
        ("hunt-crossley", &[("exponent", 1.0)]),
        ("hunt-crossley", &[("stiffness", 4e6)]),
    ] {
        for e in [1.0, 0.9, 0.7, 0.5, 0.3, 0.2] {
            let ball = Ball::new(2.0, 0.0, e);
            let done = run(&ball, name, parameters, &[0.013], &[-3.0], fixed(1e-4, 0.05));
            let back = done.state().v[0] / 3.0;
            // ten steps per contact
            assert!((back - e).abs() < 3e-3, "{name} {parameters:?}: {back} for {e}");
        }
    }
}

/// Depth and duration of a contact with a given spring: |U| √(m/k) and π √(m/k).
#[test]
fn a_given_spring_is_that_spring() {
    let (m, k, U): (f64, f64, f64) = (2.0, 8e4, 3.0);
    let ball = Ball::new(m, 0.0, 1.0);
    let done = run(&ball, "penalty", &[("stiffness", k)], &[0.01], &[-U], fixed(1e-5, 0.05));
    let recording = done.recording();
    let y = recording.column("ball.y").unwrap();
    let deepest = y.iter().fold(0.0_f64, |least, y| least.min(*y));
    let force = recording.column("floor.force_n").unwrap().iter().fold(0.0_f64, |most, f| most.max(*f));
    let inside = y.iter().filter(|y| **y < 0.0).count() as f64 * 1e-5;
    assert!((deepest + U * (m / k).sqrt()).abs() < 1e-6, "{deepest}");
    assert!((force - U * (m * k).sqrt()).abs() < 1e-3 * force, "{force}");
    assert!((inside - std::f64::consts::PI * (m / k).sqrt()).abs() < 3e-5, "{inside}");
}

/// A stiffness from the largest penetration: a single impact goes as deep as asked, whatever mass, speed and restitution.
#[test]
fn springs_go_as_deep_as_asked() {
    for (name, parameters) in
        [("penalty", &[][..]), ("hunt-crossley", &[]), ("hunt-crossley", &[("exponent", 2.5)])]
    {
        for (m, U, depth) in [(2.0, 3.0, 1e-3), (5e-3, 0.2, 1e-5), (4e3, 10.0, 0.05)] {
            for e in [1.0, 0.8, 0.5, 0.2] {
                let ball = Ball::new(m, 0.0, e);
                let parameters = [parameters, &[("penetration", depth)]].concat();
                let step = 0.02 * depth / U;
                let done =
                    run(&ball, name, &parameters, &[10.3 * step * U], &[-U], fixed(step, 1200.0 * step));
                let recording = done.recording();
                let y = recording.column("ball.y").unwrap();
                let deepest = -y.iter().fold(0.0_f64, |least, y| least.min(*y)) / depth;
                assert!((deepest - 1.0).abs() < 0.01, "{name} {parameters:?} e = {e}: {deepest}");
                let back = done.state().v[0] / U;
                assert!((back - e).abs() < 0.01, "{name} {parameters:?}: {back} for {e}");
            }
        }
    }
}

/// With weight: what is laid down goes as deep as asked at most, what falls too, and stays above it while it bounces to rest.
#[test]
fn springs_under_load_stay_above_the_penetration() {
    let depth = 1e-3;
    for name in ["penalty", "hunt-crossley"] {
        for (e, height) in [(1.0, 0.0), (0.5, 0.0), (1.0, 0.3), (0.5, 0.3), (0.2, 1e-3)] {
            let ball = Ball::new(2.0, 10.0, e);
            let parameters = [("penetration", depth)];
            let done = run(&ball, name, &parameters, &[height], &[0.0], fixed(2e-5, 0.5));
            let recording = done.recording();
            let y = recording.column("ball.y").unwrap();
            let deepest = -y.iter().fold(0.0_f64, |least, y| least.min(*y)) / depth;
            // without damping both laws are exact
            let least = if e == 1.0 { 0.99 } else { 0.5 };
            assert!((least..1.01).contains(&deepest), "{name} e = {e} from {height}: {deepest}");
        }
    }
}

/// A spring that the step cannot resolve: the step is divided until it can, and where it is too stiff for that, said so. Two ways to
/// say one thing are refused.
#[test]
fn springs_too_stiff_for_the_step() {
    let ball = Ball::new(2.0, 0.0, 1.0);
    let done = run(&ball, "penalty", &[("penetration", 1e-4)], &[0.01], &[-1.0], fixed(1e-3, 0.05));
    assert!((done.state().v[0] - 1.0).abs() < 0.02, "{}", done.state().v[0]);
    let state = State::new(&ball, 0.0, vec![0.01], vec![-1.0]);
    let solver = carom_solve::solver("auto").unwrap();
    let parameters = [("penetration", 1e-9)];
    let mut simulation =
        Simulation::new(&ball, &*scheme("penalty", &parameters).unwrap(), solver, state, fixed(1e-3, 0.05))
            .unwrap();
    let why = format!("{:?}", simulation.run(|_| true));
    assert!(why.contains("too stiff for this step") && why.contains("floor"), "{why}");
    let twice = scheme("penalty", &[("stiffness", 1e6), ("penetration", 1e-4)]).unwrap_err().to_string();
    assert!(twice.contains("stiffness") && twice.contains("penetration"), "{twice}");
}

/// Friction by the parabola (6.6): below the slip speed x = v/v_ε obeys x' = −(μ g/v_ε) x (2 − x), so x/(2 − x) falls like
/// exp(−2 μ g t/v_ε); above it, it is Coulomb's. Either way round.
#[test]
fn friction_by_the_parabola() {
    let (mu, slip) = (0.3, 0.5);
    let slider = Slider::new(mu, 0.0, 0.0, 0.0, 0.0);
    for name in ["penalty", "hunt-crossley"] {
        for sign in [1.0, -1.0] {
            // lies as deep as its weight presses it
            let parameters = [("slip_speed", slip), ("parabola", 1.0), ("stiffness", 1e7), ("damping", 1e3)];
            let depth = match name {
                "penalty" => Slider::MASS * Slider::GRAVITY / 1e7,
                _ => (Slider::MASS * Slider::GRAVITY / 1e7).powf(1.0 / 1.5),
            };
            let t = 0.1;
            let done = run(&slider, name, &parameters, &[0.0, -depth], &[sign * 0.4, 0.0], fixed(1e-4, t));
            let ratio = 0.8 / 1.2 * (-2.0 * mu * Slider::GRAVITY * t / slip).exp();
            let exact = sign * slip * 2.0 * ratio / (1.0 + ratio);
            let found = done.state().v[0];
            assert!((found - exact).abs() < 1e-3 * exact.abs(), "{name}: {found} for {exact}");
            let done = run(&slider, name, &parameters, &[0.0, -depth], &[sign * 2.0, 0.0], fixed(1e-4, t));
            let exact = sign * (2.0 - mu * Slider::GRAVITY * t);
            assert!((done.state().v[0] - exact).abs() < 1e-3, "{name}: {}", done.state().v[0]);
        }
    }
}

/// The bouncing ball with springs that stiffen with the steps: order 1 towards hard contacts.
#[test]
fn springs_from_the_step_converge_to_hard_contacts() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    for name in ["penalty", "hunt-crossley"] {
        let error = |step: f64| {
            let done = run(&ball, name, &[], &[0.801], &[0.0], fixed(step, 2.0));
            let recording = done.recording();
            let (t, y) = (recording.column("t").unwrap(), recording.column("ball.y").unwrap());
            let sum: f64 =
                t.iter().zip(y).map(|(t, y)| (y - Ball::exact(0.801, 10.0, 0.8, *t).0).abs()).sum();
            sum / t.len() as f64
        };
        let steps: Vec<f64> = (0..12).map(|k| 1e-3 * 0.7_f64.powi(k)).collect();
        let errors: Vec<f64> = steps.iter().map(|&step| error(step)).collect();
        let order = slope(&steps, &errors);
        assert!((0.8..1.2).contains(&order) && errors[11] < 2e-3, "{name}: {order} {errors:?}");
    }
}

/// A box thrown along the floor comes to rest near v²/2μg; then it creeps by less than the slip speed.
#[test]
fn springs_slide_and_creep() {
    let (mu, v0) = (0.3, 2.0);
    let slider = Slider::new(mu, 0.0, 0.0, 0.0, 0.0);
    let exact = v0 * v0 / (2.0 * mu * Slider::GRAVITY);
    for (name, softer) in [("penalty", 1.0), ("hunt-crossley", 3.0_f64.cbrt())] {
        let done = run(&slider, name, &[], &[0.0, 0.0], &[v0, 0.0], fixed(1e-4, 2.0));
        let (q, v) = (&done.state().q, &done.state().v);
        assert!((q[0] - exact).abs() < 2e-3, "{name}: {} of {exact}", q[0]);
        assert!(v[0].abs() < 1e-3 && v[1].abs() < 1e-6, "{name}: {v:?}");
        // the depth of a spring that carries the weight
        let depth = softer * Slider::GRAVITY * (1e-4_f64 / 0.3).powi(2);
        assert!((q[1] + depth).abs() < 0.01 * depth, "{name}: {} of {depth}", q[1]);
    }
}
