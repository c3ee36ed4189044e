//! Rolling and drilling resistance in space against closed forms.
//!
//! ```text
//!   rolling    m v̇ = −f,  ⅖ m R² v̇/R = f R − r m g      v̇ = −r g/(R (1 + ⅖)),  f = −m v̇ ≤ μ m g
//!   drilling   ⅖ m R² ω̇ = −r m g                          stops after ⅖ R² ω/(r g)
//!   incline    stays where tan α < r/R and tan α < μ
//! ```

use crate::space::{last, moved, numbers, read, run};
use carom::{Model, SCHEMES, Settings, Simulation, State, load_text, scheme, solver};
use carom_dynamics::rotation::{exp, turn};

const RADIUS: f64 = 0.1;
const ARM: f64 = 0.002;
const G: f64 = 9.81;

/// A ball on a floor whose normal leans by α in x, given a speed (rolling), a spin and what the contact says.
fn ball(lean: f64, velocity: [f64; 3], spin: [f64; 3], law: &str) -> String {
    let n = [lean.sin(), 0.0, lean.cos()];
    let at = n.map(|n| RADIUS * n);
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [ground.shapes.floor]
        type = "plane"
        through = [0, 0, 0]
        normal = {n:?}
        [bodies.ball]
        density = 1000
        position = {at:?}
        velocity = {velocity:?}
        angular_velocity = {spin:?}
        shapes.skin = {{ type = "sphere", radius = {RADIUS} }}
        [contacts.touch]
        between = ["ball.skin", "ground.floor"]
        {law}"#
    )
}

/// In some direction of the floor, rolling from the start.
fn rolling(law: &str) -> String {
    let (s, c) = 0.4f64.sin_cos();
    let v = 0.5;
    ball(0.0, [v * c, v * s, 0.0], [-v * s / RADIUS, v * c / RADIUS, 0.0], law)
}

const ROLLING: &str = "friction = 0.3\nrolling = 0.002";
const DRILLING: &str = "friction = 0.3\ndrilling = 0.002";

/// Whether a scheme takes a model; if not, what it says.
fn refusal(text: &str, name: &str, by: &str) -> Option<String> {
    let model = Model::in_space(&read(text)).unwrap();
    let assembly = model.assemble().unwrap();
    let state = State::new(&model, 0.0, assembly.q, assembly.v);
    let settings = Settings { step: 1e-3, end: 1.0, accuracy: None, output: None };
    Simulation::new(&model, &*scheme(name, &[]).unwrap(), solver(by).unwrap(), state, settings)
        .err()
        .map(|e| e.to_string())
}

#[test]
fn a_ball_rolls_out_or_the_scheme_says_why_not() {
    let text = rolling(ROLLING);
    let slows = ARM * G / (RADIUS * 1.4);
    let (rests, mut ran) = (0.5 / slows, Vec::new());
    for info in SCHEMES {
        if let Some(refused) = refusal(&text, info.name, "auto") {
            assert!(refused.contains("touch") && refused.contains("moreau-jean"), "{}: {refused}", info.name);
            continue;
        }
        ran.push(info.name);
        let half = run(&read(&text), info.name, 2e-3, 0.5 * rests);
        let [x, y, vx, vy] = numbers(&half, "ball", ["x", "y", "vx", "vy"]);
        let speed = vx.hypot(vy);
        assert!((speed - 0.25).abs() < 1e-4, "{}: {speed}", info.name);
        let way = 0.5 * 0.5 * rests - 0.5 * slows * (0.5 * rests).powi(2);
        assert!((x.hypot(y) - way).abs() < 2e-3, "{}: {x} {y} {way}", info.name);
        // straight on, and r m g is what is recorded
        let (s, c) = 0.4f64.sin_cos();
        assert!((x * s - y * c).abs() < 1e-9, "{}: {x} {y}", info.name);
        let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
        let torque = last(&half, "touch.torque");
        assert!((torque - ARM * mass * G).abs() < 1e-6 * torque, "{}: {torque}", info.name);
    }
    for name in ["moreau-jean", "generalized-alpha", "bathe", "half-explicit", "moreau-explicit"] {
        assert!(ran.contains(&name), "{name} was refused");
    }
    for name in ["dopri5", "hem5", "hybrid", "penalty", "hunt-crossley"] {
        assert!(!ran.contains(&name), "{name} was not refused");
    }
}

/// It comes to rest at the closed form's place and stays there to the last digits.
#[test]
fn a_ball_comes_to_rest_and_stays() {
    let slows = ARM * G / (RADIUS * 1.4);
    let (rests, way) = (0.5 / slows, 0.5 * 0.25 / slows);
    for name in ["moreau-jean", "generalized-alpha", "half-explicit"] {
        let [there, later] = [rests + 0.1, rests + 2.1].map(|end| {
            let at_rest = run(&read(&rolling(ROLLING)), name, 2e-3, end);
            numbers(&at_rest, "ball", ["x", "y", "vx", "vy"])
        });
        assert!((there[0].hypot(there[1]) - way).abs() < 2e-3, "{name}: {there:?} {way}");
        assert!(there[2].hypot(there[3]) < 1e-12, "{name}: {there:?}");
        let crept = (later[0] - there[0]).hypot(later[1] - there[1]);
        assert!(crept < 1e-12, "{name}: {crept:e}");
    }
}

#[test]
fn a_spinning_ball_drills_to_a_stop() {
    let spin = 5.0;
    let stops = 0.4 * RADIUS * RADIUS * spin / (ARM * G);
    let text = ball(0.0, [0.0; 3], [0.0, 0.0, spin], DRILLING);
    for name in ["moreau-jean", "generalized-alpha", "half-explicit"] {
        let half = last(&run(&read(&text), name, 1e-3, 0.5 * stops), "ball.wz");
        assert!((half - 0.5 * spin).abs() < 1e-6, "{name}: {half}");
        let after = last(&run(&read(&text), name, 1e-3, stops + 0.2), "ball.wz");
        assert!(after.abs() < 1e-12, "{name}: {after:e}");
        // rolling resistance knows nothing of it
        let other = text.replace("drilling", "rolling");
        let free = last(&run(&read(&other), name, 1e-3, stops), "ball.wz");
        assert!((free - spin).abs() < 1e-9, "{name}: {free}");
    }
    // and a ball that drills rolls on
    let rolls = run(&read(&rolling(DRILLING)), "moreau-jean", 1e-3, 0.5);
    assert!((last(&rolls, "ball.vx").hypot(last(&rolls, "ball.vy")) - 0.5).abs() < 1e-9);
}

/// r/R = 0.02: held on a slope of 0.019, on one of 0.03 it rolls with g (sin α − r/R cos α)/1.4.
#[test]
fn a_slope_holds_or_lets_roll() {
    for name in ["moreau-jean", "generalized-alpha"] {
        let end = |lean: f64| {
            let done = run(&read(&ball(lean, [0.0; 3], [0.0; 3], ROLLING)), name, 1e-3, 1.0);
            (last(&done, "ball.x"), numbers(&done, "ball", ["vx", "vy", "vz"]))
        };
        let (x, v) = end(0.019f64.atan());
        assert!((x - RADIUS * 0.019f64.atan().sin()).abs() < 1e-12, "{name}: {x}");
        assert!(v.iter().all(|v| v.abs() < 1e-12), "{name}: {v:?}");
        let lean = 0.03f64.atan();
        let exact = G * (lean.sin() - ARM / RADIUS * lean.cos()) / 1.4;
        let (_, v) = end(lean);
        let speed = v.iter().map(|v| v * v).sum::<f64>().sqrt();
        assert!((speed - exact).abs() < 1e-3 * exact, "{name}: {speed} {exact}");
    }
}

/// The world turned: another basis in the floor, the same motion.
#[test]
fn it_does_not_depend_on_the_tangents() {
    let (p, shift) = (exp([0.4, -0.9, 0.7]), [0.3, -0.2, 0.5]);
    let slides = ball(0.1, [0.4, -0.3, 0.0], [1.0, 2.0, 9.0], ROLLING);
    let drills = slides.replace("rolling", "drilling");
    for text in [rolling(ROLLING), slides, drills] {
        let straight = read(&text);
        for name in ["moreau-jean", "generalized-alpha", "half-explicit"] {
            let [a, b] = [&straight, &moved(&straight, p, shift)].map(|d| run(d, name, 1e-3, 0.4));
            let (r, s) = (numbers(&a, "ball", ["x", "y", "z"]), numbers(&b, "ball", ["x", "y", "z"]));
            let r = turn(p, r);
            for i in 0..3 {
                let off = s[i] - r[i] - shift[i];
                assert!(off.abs() < 1e-10, "{name}: {off:e}");
            }
        }
    }
}

#[test]
fn solvers_that_cannot_say_so_before_the_run() {
    let text = rolling(ROLLING);
    let mut refused = 0;
    for entry in carom_solve::SOLVERS {
        match refusal(&text, "moreau-jean", entry.name) {
            None => assert!(!["lemke", "polyhedral"].contains(&entry.name), "{}", entry.name),
            Some(why) => {
                refused += 1;
                assert!(why.contains(entry.name) && why.contains("auto") && why.contains("touch"), "{why}");
            }
        }
    }
    assert!(refused > 2 && refused < carom_solve::SOLVERS.len());
    assert_eq!(refusal(&text, "moreau-jean", "auto"), None);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (law, place, why) in [
        ("rolling = 0.002", "contacts.touch.rolling", "no friction"),
        ("friction = 0.3\nrolling = 0.002\ndrilling = 0.001", "contacts.touch.drilling", "carry one of them"),
        ("friction = 0.3\nrolling = -0.002", "contacts.touch.rolling", "0 or more"),
    ] {
        let text = ball(0.0, [0.0; 3], [0.0; 3], law);
        let error =
            load_text("m.toml", &text, &[]).and_then(|loaded| loaded.build()).unwrap_err().to_string();
        let _ = place;
        assert!(error.contains(why), "{law}: {error}");
    }
}
