//! No heap allocation in a warm step with Ŵ by blocks, whatever contacts come and go.
#![allow(non_snake_case)]

#[path = "common/counting.rs"]
mod counting;
#[path = "common/heap.rs"]
mod heap;

use carom_dynamics::*;
use carom_solve::{ContactSolver, Limits};
use counting::counted;
use heap::Heap;

/// Steps a heap to `warm`, then to `end`; allocations in between, and the patterns met: (contacts, steps) that changed.
fn allocations(
    mut solver: Box<dyn ContactSolver>,
    tolerance: f64,
    warm: f64,
    end: f64,
) -> (usize, usize, usize) {
    solver.limit(Limits { tolerance, ..Limits::default() });
    let heap = Heap::in_box(64, 0.5, 0.3);
    let state = State::new(&heap, 0.0, heap.q(), vec![0.0; 192]);
    let settings = Settings { step: 1e-3, end: 2.0 * end, accuracy: None, output: Some(0.01) };
    let scheme = scheme("moreau-jean", &[]).expect("a known scheme");
    let mut simulation = Simulation::new(&heap, scheme, solver, state, settings).expect("a good start");
    simulation.look_for_blocks_from(1);
    while simulation.state().t < warm {
        simulation.advance();
    }
    let before = counted();
    let (mut most, mut changes, mut last) = (0, 0, 0);
    while simulation.state().t < end {
        simulation.advance();
        let active = simulation.stage().active().len();
        most = most.max(active);
        changes += usize::from(active != last);
        last = active;
    }
    (counted() - before, most, changes)
}

/// Sweeps keep no pattern, so that what is counted is the forming of Ŵ.
#[test]
fn warm_steps_with_changing_blocks_do_not_allocate() {
    let solver = carom_solve::solver("gauss-seidel").expect("a known name");
    let (allocations, most, changes) = allocations(solver, 1e-5, 0.6, 0.9);
    println!("{allocations} {most} {changes}");
    assert!(most > 40 && changes > 50, "{most} contacts, {changes} changes");
    assert_eq!(allocations, 0);
}
