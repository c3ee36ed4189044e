//! No heap allocation in a warm step with Ŵ by blocks, whatever contacts come and go.
#![allow(non_snake_case)]

use crate::common::heap::Heap;
use crate::counting::counted;
use carom_dynamics::*;
use carom_solve::Limits;

/// Steps a heap to `warm`, then to `end`: allocations on the way from one to the other, and (most contacts, how often their
/// number changed).
fn allocations(
    name: &str,
    tolerance: f64,
    [restitution, friction]: [f64; 2],
    [warm, end]: [f64; 2],
) -> (usize, usize, usize) {
    let mut solver = carom_solve::solver(name).expect("a known name");
    solver.limit(Limits { tolerance, ..Limits::default() });
    let heap = Heap::in_box(36, restitution, friction);
    let state = State::new(&heap, 0.0, heap.q(), vec![0.0; 108]);
    let settings = Settings { step: 1e-3, end: 2.0 * end, accuracy: None, output: Some(0.01) };
    let scheme = scheme("moreau-jean", &[]).expect("a known scheme");
    let mut simulation = Simulation::new(&heap, &*scheme, solver, state, settings).expect("a good start");
    simulation.look_for_blocks_from(1);
    while simulation.state().t < warm && !simulation.is_done() {
        simulation.advance();
    }
    let before = counted();
    let (mut most, mut changes, mut last) = (0, 0, 0);
    while simulation.state().t < end && !simulation.is_done() {
        simulation.advance();
        let active = simulation.stage().active().len();
        most = most.max(active);
        changes += usize::from(active != last);
        last = active;
    }
    let count = counted() - before;
    assert!(!simulation.is_done(), "{:?}", simulation.summary().stop);
    (count, most, changes)
}

/// Sweeps remember no pattern, so that what is counted is the forming of Ŵ. The list of events has room for a thousand and
/// doubles once.
#[test]
fn warm_steps_with_changing_blocks_do_not_allocate() {
    let (allocations, most, changes) = allocations("gauss-seidel", 1e-3, [0.5, 0.3], [0.45, 0.7]);
    assert!(most > 40 && changes > 30, "{most} contacts, {changes} changes");
    assert!(allocations <= 1, "{allocations} allocations");
}

/// A heap at rest keeps its contacts, and then `auto` allocates nothing either. Where they change, Newton's method by
/// blocks looks for a new order of elimination, which takes memory.
#[test]
fn a_heap_at_rest_does_not_allocate() {
    let (allocations, most, changes) = allocations("auto", 1e-12, [0.0, 0.3], [1.4, 1.5]);
    assert!(most > 40 && changes == 1, "{most} contacts, {changes} changes");
    assert_eq!(allocations, 0);
}
