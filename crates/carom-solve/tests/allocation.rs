//! A warm solve allocates nothing: the second solve of a problem, and any of a smaller one, by every solver.
#![allow(non_snake_case, missing_docs)]

#[path = "it/common/mod.rs"]
mod common;

use carom_solve::generate::{generator, kept};
use carom_solve::{SOLVERS, StoredProblem, residual};
use common::scene::{BlockProblem, packing, stack, tangle};
use common::{Seeded, planar, slider_corners, spatial, table};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Of this thread alone: what the test harness does meanwhile is not counted.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// Counts and passes on to the system.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // a thread that ends has no counter any more
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// By blocks: any problem again, and few contacts of whatever pattern after more of them.
#[test]
fn warm_solves_by_blocks_do_not_allocate() {
    let mut rng = Seeded(7);
    let mut few: Vec<BlockProblem> = vec![tangle(&mut rng, 5, 20, 0.5).problem("tangle", 0.0)];
    for height in (1..=5).rev() {
        few.push(stack(&mut rng, height, 1.0, 0.4).problem("stack", 0.0));
    }
    let many = packing(&mut rng, 3, 0.5, 0.5).problem("packing", 0.0);
    let heap = generator("rolling").expect("a known name").problem(6).condense().expect("a mechanism");
    let StoredProblem { W_hat, U_free, laws } = heap.blocks();
    let rolling = BlockProblem { name: "rolling".into(), W_hat, U_free, laws };
    for entry in SOLVERS.iter().filter(|entry| entry.name != "interior-point") {
        let mut solver = (entry.make)();
        for problems in [&few[..], std::slice::from_ref(&many), std::slice::from_ref(&rolling)] {
            let mut P = vec![0.0; 3 * 100];
            let mut allocations = [0; 2];
            for count in &mut allocations {
                let before = ALLOCATIONS.with(Cell::get);
                for problem in problems {
                    let P = &mut P[..problem.U_free.len()];
                    P.fill(0.0);
                    solver.solve(&problem.as_problem(), P);
                    residual(&problem.as_problem(), P);
                }
                *count = ALLOCATIONS.with(Cell::get) - before;
            }
            assert_eq!(allocations[1], 0, "{}: {allocations:?}", entry.name);
        }
    }
}

#[test]
fn warm_solves_do_not_allocate() {
    let table = table();
    let mut problems: Vec<StoredProblem> = vec![slider_corners(0.5, [0.01, -0.1, 0.3])];
    problems.extend(table.friction3d.iter().map(|case| case.problem(spatial)));
    problems.extend(table.friction2d.iter().map(|case| case.problem(planar)));
    problems.push(slider_corners(0.9, [0.3, 0.0, 5.0]));
    for name in ["random_high_friction_third", "redundant_joint_rows", "random_spatial_unsolved"] {
        problems.push(kept(name).expect("it is kept").problem());
    }
    problems.push(
        generator("rolling").expect("a known name").problem(6).condense().expect("a mechanism").dense(),
    );
    assert!(problems.iter().any(|problem| problem.laws.iter().any(|law| law.bound().is_some())));
    // Clarabel, behind `interior-point`, allocates in every solve.
    for entry in SOLVERS.iter().filter(|entry| entry.name != "interior-point") {
        let mut solver = (entry.make)();
        let mut P = vec![0.0; 100];
        for problem in &problems {
            let P = &mut P[..problem.U_free.len()];
            P.fill(0.0);
            solver.solve(&problem.as_problem(), P);
        }
        let before = ALLOCATIONS.with(Cell::get);
        for problem in &problems {
            let P = &mut P[..problem.U_free.len()];
            P.fill(0.0);
            solver.solve(&problem.as_problem(), P);
            solver.solve(&problem.as_problem(), P);
            residual(&problem.as_problem(), P);
        }
        let allocations = ALLOCATIONS.with(Cell::get) - before;
        assert_eq!(allocations, 0, "{}", entry.name);
    }
    // The counter counts.
    let before = ALLOCATIONS.with(Cell::get);
    std::hint::black_box(vec![0.0; 10]);
    assert!(ALLOCATIONS.with(Cell::get) > before);
}
