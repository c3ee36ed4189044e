//! How long a step of many bodies takes: spheres in a box, a wall of bricks.
//!
//! `cargo run --release -p carom-model --example heap_speed -- FILE STEPS [SCHEME [SOLVER [TOLERANCE [SETTLE]]]]` runs the bodies of a file, a line
//! for each: `s x y z radius` or `b x y z length width height` (`benches/peers/p6_model.py` writes them), and prints contacts, residual
//! and processor time. Spheres are in a box 1.12 m wide with friction 0.3, bricks on a floor with friction 0.5; 1000 kg/m³, steps of 1 ms.
#![allow(missing_docs, clippy::print_stdout)]

use carom_dynamics::{Settings, Simulation, State, System, scheme};
use carom_model::Model;
use carom_model::description::space::{Body, Contact, Description, Shape};

const DENSITY: f64 = 1000.0;
const HALF: f64 = 0.56;

/// Processor time so far (s); 0 where the system does not tell.
fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let of_both: f64 = ticks.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    of_both / 100.0
}

fn body(line: &str) -> Body {
    let words: Vec<&str> = line.split_whitespace().collect();
    let numbers: Vec<f64> = words[1..].iter().map(|word| word.parse().expect("a number")).collect();
    let shape = match (words[0], &numbers[3..]) {
        ("s", &[radius]) => Shape::Sphere { center: [0.0; 3], radius, hole: false },
        ("b", &[x, y, z]) => Shape::Box { center: [0.0; 3], size: [x, y, z], rotation: None },
        _ => panic!("a line begins with s or b and ends with the size: {line}"),
    };
    let position = [numbers[0], numbers[1], numbers[2]];
    Body { density: Some(DENSITY), position, ..Body::default() }.with_shape("shape", shape)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |k: usize, usual: &str| arguments.get(k).map_or(usual, |a| a).to_string();
    let text = std::fs::read_to_string(word(0, "")).expect("a file of bodies");
    let steps: usize = word(1, "500").parse().expect("a number of steps");
    let spheres = text.starts_with('s');
    let bodies = text.lines().enumerate().map(|(i, line)| (format!("b{i}"), body(line)));
    let friction = if spheres { 0.3 } else { 0.5 };
    let mut all = Contact::between("all", "all");
    (all.friction, all.restitution) = (Some(friction), Some(0.0));
    // the packing is that of a program with soft contacts
    all.overlap = 1e-2;
    let mut description = Description {
        gravity: [0.0, 0.0, -9.81],
        bodies: bodies.collect(),
        contacts: [("touch".to_string(), all)].into_iter().collect(),
        ..Description::default()
    };
    let planes = [
        ("floor", [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ("left", [-HALF, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ("right", [HALF, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ("front", [0.0, -HALF, 0.0], [0.0, 1.0, 0.0]),
        ("back", [0.0, HALF, 0.0], [0.0, -1.0, 0.0]),
    ];
    for (name, through, normal) in planes.into_iter().take(if spheres { 5 } else { 1 }) {
        description.ground.shapes.insert(name.into(), Shape::Plane { through, normal });
    }
    let begun = seconds();
    let model = Model::in_space(&description).expect("a good description");
    println!("model: {:.3} s", seconds() - begun);
    let (q, v) = (model.described_position().to_vec(), model.described_velocity().to_vec());
    let settle: usize = word(5, "0").parse().expect("a number of steps before those that are timed");
    let end = (settle + steps) as f64 * 1e-3;
    let settings = Settings { step: 1e-3, end, accuracy: None, output: Some(end) };
    let tolerance: f64 = word(4, "1e-6").parse().expect("a tolerance");
    let mut solver = carom_solve::solver(&word(3, "auto")).expect("the name of a solver");
    solver.limit(carom_solve::Limits { tolerance, seconds: f64::INFINITY });
    let scheme = scheme(&word(2, "moreau-midpoint"), &[]).expect("a known scheme");
    let state = State::new(&model, 0.0, q, v);
    let mut simulation = Simulation::new(&model, &*scheme, solver, state, settings).expect("a good start");
    let (mut sum, mut listed, mut iterations, mut worst) = (0, 0, 0, 0.0f64);
    for _ in 0..settle {
        simulation.advance();
    }
    let begun = seconds();
    let mut done = 0;
    while !simulation.is_done() {
        simulation.advance();
        let stage = simulation.stage();
        sum += stage.active().len();
        listed += stage.contacts().len();
        iterations += stage.work().iterations;
        worst = worst.max(stage.work().residual);
        done += 1;
    }
    let taken = seconds() - begun;
    let state = simulation.state();
    let fastest = state.v.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    let summary = simulation.summary();
    println!(
        "{done} steps, {:.0} us each; contacts {}, listed {}, iterations {:.1} a step, worst residual {worst:.1e}, fallbacks {}, \
         fastest {fastest:.3}, {:?}",
        1e6 * taken / done as f64,
        sum / done,
        listed / done,
        iterations as f64 / done as f64,
        summary.audit.fallbacks,
        summary.stop,
    );
    let heights = state.q.chunks(7).map(|q| q[2]);
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(z), h.max(z)));
    println!(
        "lowest {low:.6} m, highest {high:.6} m, energy {:.6}",
        model.energy(&carom_dynamics::Configuration::new(&model, state.t, &state.q, &state.v)).total()
    );
}
