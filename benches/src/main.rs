//! Time per step of the mechanisms that other codes were measured on.
//!
//! `carom-bench` prints a table; `carom-bench ROW STEPS` makes that many steps of one row and prints nothing, for
//! counting instructions from outside (`benches/instructions.sh`). `carom-bench ROW STEPS SPLIT` cuts each of the steps
//! in SPLIT and prints the time per step and what the peers in `benches/peers` print too, for comparing results; a
//! fourth word names another scheme.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod landmarks;
mod models;
mod references;

use carom_dynamics::{Settings, Simulation, State, System, scheme};
use carom_model::{Assembly, Description, Mechanics, Model, SpaceRelative, description};
use landmarks::Landmark;
use models::space;
use std::sync::Arc;

/// What is timed.
#[derive(Clone, Copy)]
enum Mechanism {
    /// A described model.
    Described(fn() -> Description),
    /// A described model in space, and what is looked at.
    InSpace(fn() -> description::space::Description, Landmark),
    /// The same in the coordinates of its joints.
    OfJoints(fn() -> description::space::Description, Landmark),
    /// A coded system of this name.
    Coded(&'static str),
}

/// A mechanism that is ready to run.
struct Ready {
    system: Arc<dyn System>,
    q: Vec<f64>,
    v: Vec<f64>,
    step: f64,
    /// Coordinates of the body that is looked at.
    watched: std::ops::Range<usize>,
    /// Where q and v are those of joints.
    of_joints: Option<Arc<SpaceRelative>>,
}

/// The first of some bodies that a model has.
fn watched<S: Mechanics>(model: &Model<S>, links: usize) -> std::ops::Range<usize> {
    let last = format!("link{}", links - 1);
    let names = ["ball", "crank", "bar", "beam", "top", &last];
    names.into_iter().find_map(|name| model.coordinates_of(name)).expect("one of these bodies")
}

impl Ready {
    fn described<S: Mechanics>(model: Model<S>, start: Assembly, links: usize) -> Self {
        Self {
            step: model.simulation().step,
            watched: watched(&model, links),
            system: Arc::new(model),
            q: start.q,
            v: start.v,
            of_joints: None,
        }
    }

    fn new(row: &Row<'_>) -> Self {
        match row.mechanism {
            Mechanism::Described(build) => {
                let model = Model::new(&build()).expect("a good model");
                let start = model.assemble().expect("the benchmark models fit");
                Self::described(model, start, row.links)
            }
            Mechanism::InSpace(build, _) => {
                let model = Model::in_space(&build()).expect("a good model");
                let start = model.assemble().expect("the benchmark models fit");
                Self::described(model, start, row.links)
            }
            Mechanism::OfJoints(build, _) => {
                let model = Model::in_space(&build()).expect("a good model");
                let start = model.assemble().expect("the benchmark models fit");
                let (step, watched) = (model.simulation().step, watched(&model, row.links));
                let system = Arc::new(SpaceRelative::new(Arc::new(model)));
                let (q, v) = system.start(&start.q, &start.v).expect("closed joints");
                Self { step, watched, q, v, of_joints: Some(system.clone()), system }
            }
            Mechanism::Coded(name) => {
                let info = carom_systems::SystemInfo::find(name).expect("a known system");
                let coded = info.build(&[]).expect("defaults are fine");
                Self {
                    system: coded.system,
                    q: coded.q,
                    v: coded.v,
                    step: info.step,
                    watched: 0..1,
                    of_joints: None,
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Row<'a> {
    name: &'static str,
    scheme: &'a str,
    mechanism: Mechanism,
    /// Best time measured with another code on the same kind of machine, µs per step, and which.
    peer: &'static str,
    /// Links, where the target is per link.
    links: usize,
    /// What the time should stay below, µs per step.
    target: f64,
}

const fn chain(
    name: &'static str,
    links: usize,
    build: fn() -> Description,
    peer: &'static str,
) -> Row<'static> {
    let mechanism = Mechanism::Described(build);
    Row { name, scheme: "generalized-alpha", mechanism, peer, links, target: 0.5 * links as f64 }
}

const fn flexible(
    name: &'static str,
    scheme: &'static str,
    elements: usize,
    build: fn() -> Description,
    target: f64,
    peer: &'static str,
) -> Row<'static> {
    Row { name, scheme, mechanism: Mechanism::Described(build), peer, links: elements, target }
}

const fn in_space(
    name: &'static str,
    links: usize,
    build: fn() -> description::space::Description,
    landmark: Landmark,
    target: f64,
    peer: &'static str,
) -> Row<'static> {
    let mechanism = Mechanism::InSpace(build, landmark);
    Row { name, scheme: "generalized-alpha", mechanism, peer, links, target }
}

/// In the coordinates of its joints, by Runge–Kutta.
const fn of_joints(
    name: &'static str,
    links: usize,
    build: fn() -> description::space::Description,
    target: f64,
    peer: &'static str,
) -> Row<'static> {
    let mechanism = Mechanism::OfJoints(build, Landmark::Rods);
    Row { name, scheme: "rk4", mechanism, peer, links, target }
}

const BAR_PEERS: &str = "14 Exudyn with a penalty, 137-160 Siconos C++";
const LONG_BAR_PEERS: &str = "66 Exudyn with a penalty, 3400 Siconos C++";

const ROWS: &[Row<'static>] = &[
    Row {
        name: "ball",
        scheme: "moreau-jean",
        mechanism: Mechanism::Described(models::plane::ball),
        peer: "2.6 Siconos C++",
        links: 1,
        target: 0.15,
    },
    Row {
        name: "slider-crank",
        scheme: "moreau-jean",
        mechanism: Mechanism::Described(models::plane::slider_crank),
        peer: "13-15 Siconos C++ (minimal coordinates)",
        links: 1,
        target: 4.0,
    },
    Row {
        name: "slider-crank-minimal",
        scheme: "moreau-jean",
        mechanism: Mechanism::Coded("slider-crank-minimal"),
        peer: "12-15 Siconos C++",
        links: 1,
        target: 1.2,
    },
    Row {
        name: "slider-crank-bilateral",
        scheme: "moreau-jean",
        mechanism: Mechanism::Coded("slider-crank-bilateral"),
        peer: "",
        links: 1,
        target: 1.0,
    },
    Row {
        name: "four-bar",
        scheme: "generalized-alpha",
        mechanism: Mechanism::Described(models::plane::four_bar),
        peer: "8-11 Exudyn, 17 Siconos C++",
        links: 1,
        target: 1.5,
    },
    flexible("bar-200", "moreau-jean", 200, || models::plane::bar(200), 4.0, BAR_PEERS),
    flexible("bar-200-alpha", "generalized-alpha", 200, || models::plane::bar(200), 4.0, BAR_PEERS),
    flexible("bar-1000", "moreau-jean", 1000, || models::plane::bar(1000), 22.0, LONG_BAR_PEERS),
    flexible("bar-1000-alpha", "generalized-alpha", 1000, || models::plane::bar(1000), 22.0, LONG_BAR_PEERS),
    flexible("beam-4", "generalized-alpha", 4, || models::plane::beam(4), 2.5, "10-15 Exudyn"),
    flexible("beam-32", "generalized-alpha", 32, || models::plane::beam(32), 15.0, "85-125 Exudyn"),
    chain("chain-10", 10, || models::plane::chain(10), "35-45 Exudyn"),
    chain("chain-50", 50, || models::plane::chain(50), "138-238 Exudyn"),
    chain("chain-200", 200, || models::plane::chain(200), "524-967 Exudyn"),
    chain("chain-500", 500, || models::plane::chain(500), ""),
    chain("chain-1000", 1000, || models::plane::chain(1000), ""),
    chain("chain-2000", 2000, || models::plane::chain(2000), ""),
    in_space("chain-space-10", 10, || space::chain(10), Landmark::Rods, 10.0, "105 Exudyn"),
    in_space("chain-space-50", 50, || space::chain(50), Landmark::Rods, 50.0, "507 Exudyn"),
    in_space("chain-space-200", 200, || space::chain(200), Landmark::Rods, 200.0, "1862 Exudyn"),
    in_space("chain-space-1000", 1000, || space::chain(1000), Landmark::Rods, 1000.0, ""),
    in_space("chain-space-2000", 2000, || space::chain(2000), Landmark::Rods, 2000.0, ""),
    of_joints("chain-space-10-relative", 10, || space::chain(10), 7.0, "14.5 Pinocchio"),
    of_joints("chain-space-50-relative", 50, || space::chain(50), 35.0, "78 Pinocchio"),
    of_joints("chain-space-200-relative", 200, || space::chain(200), 140.0, "882 Drake"),
    Row {
        mechanism: Mechanism::OfJoints(space::slider_crank, Landmark::SliderCrank),
        ..of_joints("slider-crank-space-relative", 1, space::slider_crank, 4.0, "12 MuJoCo")
    },
    in_space("slider-crank-space", 1, space::slider_crank, Landmark::SliderCrank, 4.0, "48-58 Exudyn"),
    Row {
        scheme: "moreau-jean",
        ..in_space("heavy-top", 1, space::top, Landmark::Centre, 0.5, "6.4-13 Exudyn, 5.1 MuJoCo")
    },
    in_space("four-bar-space", 1, || space::four_bar(false), Landmark::Angle, 4.0, ""),
    in_space("four-bar-space-hinges", 1, || space::four_bar(true), Landmark::Angle, 4.0, ""),
];

/// A simulation of a row, ready to step; it records only its first and last state.
fn prepare<'m>(ready: &'m Ready, row: &Row<'_>, steps: usize, split: usize) -> Simulation<'m> {
    let system = &*ready.system;
    let state = State::new(system, 0.0, ready.q.clone(), ready.v.clone());
    let end = ready.step * steps as f64;
    let settings = Settings { step: ready.step / split as f64, end, accuracy: None, output: Some(end) };
    let scheme = scheme(row.scheme, &[]).expect("a known scheme");
    let solver = carom_solve::solver("auto").expect("a known solver");
    Simulation::new(system, &*scheme, solver, state, settings).expect("good settings")
}

/// Where a mechanism has got to: the height of the ball, the angle of the crank, the lower end of the bar, the free end
/// of the chain or beam; in space what its [`Landmark`] says.
fn landmark(ready: &Ready, row: &Row<'_>, q: &[f64], v: &[f64]) -> Vec<f64> {
    match (row.mechanism, &ready.of_joints) {
        (Mechanism::OfJoints(_, landmark), Some(system)) => {
            let (q, v) = system.absolute(q, v);
            return landmark.of(ready.watched.start, &q, &v);
        }
        (Mechanism::InSpace(_, landmark), _) => return landmark.of(ready.watched.start, q, v),
        _ => {}
    }
    let place = &q[ready.watched.clone()];
    match row.name {
        "ball" => vec![place[1]],
        "slider-crank" | "four-bar" => vec![place[2]],
        _ if matches!(row.mechanism, Mechanism::Coded(_)) => vec![place[0]],
        name if name.starts_with("bar") => vec![place[0]],
        name if name.starts_with("beam") => place[place.len() - 3..].to_vec(),
        _ => vec![place[0] + 0.05 * place[2].cos(), place[1] + 0.05 * place[2].sin()],
    }
}

/// Least CPU time per step of several runs in µs, Newton iterations per step, and q and v at the end.
fn measure(
    ready: &Ready,
    row: &Row<'_>,
    steps: usize,
    split: usize,
    runs: usize,
) -> (f64, f64, Vec<f64>, Vec<f64>) {
    let mut best = f64::INFINITY;
    let mut newton = 0.0;
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let mut simulation = prepare(ready, row, steps, split);
        let start = cpu_time();
        simulation.run(|_| true);
        // the least of several runs: what is above it is the machine's noise
        best = best.min((cpu_time() - start) / (steps * split) as f64);
        let summary = simulation.summary();
        newton = summary.newton_iterations as f64 / summary.steps as f64;
        q.clone_from(&simulation.state().q);
        v.clone_from(&simulation.state().v);
    }
    (best, newton, q, v)
}

/// CPU time of this thread so far, µs: what others do to the machine counts less than with a wall clock.
fn cpu_time() -> f64 {
    // the kernel brings its count up to date when the thread offers to pause, otherwise only some times a second
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")
        .expect("Linux tells the time on the processor");
    let nanoseconds: f64 = text.split(' ').next().and_then(|n| n.parse().ok()).expect("its first number");
    nanoseconds * 1e-3
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, steps, rest @ ..] = &arguments[..] {
        let mut row = *ROWS.iter().find(|r| r.name == name).expect("one of the rows that the table shows");
        if let [_, name] = rest {
            row.scheme = name;
        }
        let row = &row;
        let steps: usize = steps.parse().expect("a number of steps");
        let ready = Ready::new(row);
        let Some(split) = rest.first() else {
            prepare(&ready, row, steps, 1).run(|_| true);
            return;
        };
        let split: usize = split.parse().expect("a number of parts");
        let (best, newton, q, v) = measure(&ready, row, steps, split, if split == 1 { 7 } else { 3 });
        let check = landmark(&ready, row, &q, &v);
        let error = landmarks::error(row.name, steps, &check);
        let error = error.map_or(String::new(), |error| format!("  error {error:.1e}"));
        let check: Vec<String> = check.iter().map(|x| format!("{x:.10}")).collect();
        println!("{best:.3} µs/step  {newton:.2} Newton/step{error}  check {}", check.join(" "));
        return;
    }
    println!(
        "{:<22} {:<18} {:>10} {:>8} {:>10} {:>8}  best peer, µs",
        "model", "scheme", "µs/step", "target", "per link", "Newton"
    );
    for row in ROWS {
        if let [filter] = &arguments[..]
            && !row.name.contains(filter.as_str())
        {
            continue;
        }
        let ready = Ready::new(row);
        // chains: the first second of their fall; later they whip about and no two codes agree where
        let steps = match row.name {
            // as long as it bounces
            "ball" => 36_000,
            // falls, touches the floor for 2/3 s, flies off
            name if name.starts_with("bar") => 750,
            // a swing
            name if name.starts_with("beam") => 2000,
            _ if row.links == 1 => 50_000,
            _ => (200_000 / row.links).clamp(200, 1000),
        };
        let (best, newton, ..) = measure(&ready, row, steps, 1, 7);
        println!(
            "{:<22} {:<18} {:>10.3} {:>8.2} {:>10.3} {:>8.2}  {}",
            row.name,
            row.scheme,
            best,
            row.target,
            best / row.links as f64,
            newton,
            row.peer
        );
    }
}
