//! How long a heap of disks takes with Ŵ by blocks and in full.
//!
//! `cargo run --release -p carom-dynamics --example heap_speed -- DISKS FROM END [SOLVER]` runs one heap to the time END (s)
//! with blocks from FROM contacts on, and prints contacts, problems, fallbacks and seconds.
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

#[path = "../tests/it/common/heap.rs"]
mod heap;

use carom_dynamics::*;
use heap::Heap;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, usual: &str| arguments.get(k).map_or(usual, |a| a).to_string();
    let disks: usize = number(0, "50").parse().expect("a number of disks");
    let from: usize = number(1, "40").parse().expect("a number of contacts");
    let end: f64 = number(2, "0.2").parse().expect("a time");
    let heap = Heap::in_box(disks, 0.0, 0.3);
    let state = State::new(&heap, 0.0, heap.q(), vec![0.0; 3 * disks]);
    let settings = Settings { step: 1e-3, end, accuracy: None, output: Some(0.1) };
    let solver = carom_solve::solver(&number(3, "auto")).expect("the name of a solver");
    let scheme = scheme("moreau-jean", &[]).expect("a known scheme");
    let begun = Instant::now();
    let mut simulation = Simulation::new(&heap, &*scheme, solver, state, settings).expect("a good start");
    simulation.look_for_blocks_from(from);
    let (mut most, mut sum, mut steps) = (0, 0, 0);
    while !simulation.is_done() {
        simulation.advance();
        let active = simulation.stage().active().len();
        most = most.max(active);
        sum += active;
        steps += 1;
    }
    let (summary, seconds) = (simulation.summary(), begun.elapsed().as_secs_f64());
    println!(
        "{disks} disks, {} to {most} contacts, {} problems, {} iterations, {} by a fallback: {seconds:.2} s, {:?}",
        sum / steps,
        summary.contact_problems,
        summary.contact_iterations,
        summary.audit.fallbacks,
        summary.stop
    );
}
