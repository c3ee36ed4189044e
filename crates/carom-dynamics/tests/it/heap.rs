//! Heaps of disks, with Ŵ by blocks and in full: the same motion, and what no contact may change.
#![allow(non_snake_case)]

use crate::common::heap::Heap;
use carom_dynamics::*;
use std::sync::{Arc, Mutex};

/// From no contact on, and never.
const ALWAYS: usize = 1;
const NEVER: usize = usize::MAX;

/// What was seen of the problems of a run: how many contacts the largest had, how many were by blocks, how wrong Ŵ was.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    most: usize,
    by_blocks: usize,
    in_full: usize,
    asymmetry: f64,
}

#[derive(Debug)]
struct Look(Arc<Mutex<Seen>>);

impl ProblemWatch for Look {
    fn see(&mut self, seen: &SeenProblem<'_>) {
        let mut sum = self.0.lock().expect("one thread");
        sum.most = sum.most.max(seen.problem.laws.len());
        match seen.problem.W_hat.blocks() {
            Some(blocks) => {
                sum.by_blocks += 1;
                sum.asymmetry = sum.asymmetry.max(blocks.to_sparse().asymmetry());
            }
            None => sum.in_full += 1,
        }
    }
}

/// Runs a heap from (q, v) until `end`; `each` sees the state after every step.
fn run(
    heap: &Heap,
    scheme: &str,
    v: Vec<f64>,
    blocks_from: usize,
    end: f64,
    mut each: impl FnMut(&State),
) -> (State, Summary, Seen) {
    let state = State::new(heap, 0.0, heap.q(), v);
    let settings = Settings { step: 1e-3, end, accuracy: None, output: Some(0.1) };
    let solver = carom_solve::solver("auto").expect("a known name");
    let scheme = carom_dynamics::scheme(scheme, &[]).expect("a known scheme");
    let mut simulation = Simulation::new(heap, &*scheme, solver, state, settings).expect("a good start");
    simulation.look_for_blocks_from(blocks_from);
    let seen = Arc::new(Mutex::new(Seen::default()));
    simulation.watch_problems(Box::new(Look(seen.clone())));
    while !simulation.is_done() {
        simulation.advance();
        each(simulation.state());
    }
    let seen = *seen.lock().expect("one thread");
    (simulation.state().clone(), simulation.summary(), seen)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Impulses differ where contacts depend on each other; the motion does not, to what the first impacts make of the
/// solver's 1e-12.
#[test]
fn blocks_and_the_full_matrix_give_the_same_motion() {
    for (scheme, friction) in
        [("moreau-jean", 0.0), ("moreau-jean", 0.3), ("half-explicit", 0.3), ("moreau-jean-ggl", 0.3)]
    {
        let heap = Heap::in_box(40, 0.0, friction);
        let still = vec![0.0; 120];
        let end = 0.1;
        let (full, _, seen_full) = run(&heap, scheme, still.clone(), NEVER, end, |_| ());
        let (blocks, summary, seen) = run(&heap, scheme, still, ALWAYS, end, |_| ());
        assert_eq!(summary.stop, Stop::Done, "{scheme}");
        assert!(seen.by_blocks > 0 && seen.most > 20, "{scheme}: {seen:?}");
        assert!(seen_full.by_blocks == 0 && seen_full.in_full > 0, "{scheme}: {seen_full:?}");
        assert!(apart(&full.q, &blocks.q) < 1e-9, "{scheme}: {:e} m", apart(&full.q, &blocks.q));
        assert!(apart(&full.v, &blocks.v) < 1e-8, "{scheme}: {:e} m/s", apart(&full.v, &blocks.v));
        // along W at both ends, Ŵ is symmetric to the last bit
        if scheme == "moreau-jean" {
            assert_eq!(seen.asymmetry, 0.0);
        }
    }
}

/// Nothing acts from outside: momentum stays to rounding, and plastic impacts with friction never make energy.
#[test]
fn momentum_stays_and_energy_falls() {
    let heap = Heap::in_space(100, 0.4);
    let v = heap.thrown();
    let start = Heap::momentum(&heap.q(), &v);
    let kinetic = |s: &State| heap.energy(&Configuration::new(&heap, s.t, &s.q, &s.v)).kinetic;
    let mut before = f64::INFINITY;
    let (_, summary, seen) = run(&heap, "moreau-jean", v, ALWAYS, 0.3, |state| {
        let now = kinetic(state);
        assert!(now <= before * (1.0 + 1e-12), "{before} J, then {now} J at {} s", state.t);
        before = now;
        let momentum = Heap::momentum(&state.q, &state.v);
        // linear momentum is at most some hundred kg m/s, its moment as large again
        for i in 0..2 {
            assert!((momentum[i] - start[i]).abs() < 1e-11, "{momentum:?} is not {start:?}");
        }
    });
    assert_eq!(summary.stop, Stop::Done);
    assert!(seen.most > 100 && seen.by_blocks > 200, "{seen:?}");
}

/// The same bits twice, above the usual number of contacts.
#[test]
fn the_same_bits_twice() {
    let heap = Heap::in_box(100, 0.2, 0.3);
    let bits = || {
        let (state, _, seen) = run(&heap, "moreau-jean", vec![0.0; 300], 40, 0.2, |_| ());
        assert!(seen.by_blocks > 50 && seen.most > 80, "{seen:?}");
        state.q.iter().chain(&state.v).map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(bits(), bits());
}

/// Three disks on the floor: of nine blocks at least three are there, and the full matrix is the better one.
#[test]
fn few_contacts_stay_full() {
    let heap = Heap::in_box(3, 0.0, 0.3);
    let (_, _, seen) = run(&heap, "moreau-jean", vec![0.0; 9], ALWAYS, 0.1, |_| ());
    assert!(seen.by_blocks == 0 && seen.in_full > 50, "{seen:?}");
}
