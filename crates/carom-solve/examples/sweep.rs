//! A Gauss–Seidel sweep over 20 000 spatial contacts against the memory bandwidth of this machine.
//!
//! A sweep has to read, per contact with b blocks in its row: b blocks of 72 bytes and b indices of 4, the row's
//! bookkeeping (2 words), U_free, the law and its scale; and to read and write P and what P was. The bound is these bytes
//! at the speed at which as many threads sum up an array larger than all caches.
//!
//! A sweep is the difference of a long run and a short one, the best of several each, its share of the looks at the residual
//! included; the first sweeps contain what is done once: colours, and a copy of the problem in their order.
//!
//! `cargo run --release -p carom-solve --example sweep`
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

#[path = "../tests/it/common/mod.rs"]
mod common;

use carom_solve::{GaussSeidel, Limits};
use common::Seeded;
use common::scene::BlockProblem;
use rayon::prelude::*;
use std::time::Instant;

/// Runs of each kind, of which the best counts.
const REPEATS: usize = 12;
/// Sweeps before the clock starts: P is then near its answer, and few contacts open or close.
const BEFORE: usize = 200;
/// Sweeps of the short run and of the long one.
const RUNS: [usize; 2] = [4, 36];

/// Seconds of the fastest of some runs.
fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..REPEATS).map(time).fold(f64::INFINITY, f64::min)
}

/// Bytes per second of a sum over 256 MB by all threads of the pool.
fn bandwidth() -> f64 {
    let numbers = vec![1.0_f64; 32 << 20];
    let time = best(|| {
        numbers.par_chunks(1 << 18).for_each(|numbers| {
            let sum: [f64; 8] = numbers.as_chunks::<8>().0.iter().fold([0.0; 8], |mut sum, x| {
                (0..8).for_each(|k| sum[k] += x[k]);
                sum
            });
            std::hint::black_box(sum);
        });
    });
    8.0 * numbers.len() as f64 / time
}

fn sweeps(problem: &BlockProblem, from: &[f64], sweeps: usize) -> Vec<f64> {
    let mut solver = GaussSeidel { max_sweeps: sweeps, ..GaussSeidel::default() }.solver();
    solver.limit(Limits { tolerance: 0.0, ..Limits::default() });
    let mut P = from.to_vec();
    solver.solve(&problem.as_problem(), &mut P);
    P
}

fn main() {
    let problem = common::scene::packing(&mut Seeded(3), 16, 0.4, 0.3).problem("packing", 0.0);
    let (contacts, blocks) = (problem.W_hat.contacts() as f64, problem.W_hat.blocks() as f64);
    let vectors = 2.0 * 8.0 + 24.0 + 16.0 + 8.0 + 4.0 * 24.0;
    let bytes = blocks * (72.0 + 4.0) + contacts * vectors;
    println!(
        "{contacts} contacts, {:.1} blocks each: {:.0} bytes per contact, {:.1} MB per sweep",
        blocks / contacts,
        bytes / contacts,
        bytes / 1e6
    );
    let zero = vec![0.0; problem.U_free.len()];
    let P = sweeps(&problem, &zero, BEFORE);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let bound = bytes / bandwidth();
            println!("{threads} threads: {:.1} GB/s, at least {:.2} ms", bytes / bound / 1e9, 1e3 * bound);
            let [short, long] = RUNS.map(|n| best(|| drop(sweeps(&problem, &P, n))));
            let sweep = (long - short) / (RUNS[1] - RUNS[0]) as f64;
            println!("  a sweep: {:.2} ms, {:.2} times the bound", 1e3 * sweep, sweep / bound);
            let first = best(|| drop(sweeps(&problem, &zero, 20))) / 20.0;
            println!("  the first 20, all included: {:.2} ms, {:.2} times", 1e3 * first, first / bound);
        });
    }
}
