//! A Gauss–Seidel sweep over 20 000 spatial contacts against the memory bandwidth of this machine.
//!
//! A sweep has to read, per contact with b blocks in its row: b blocks of 72 bytes and b indices of 4, the row's
//! bookkeeping (4 words), U_free and the law; and to read and write P. The bound is these bytes at the speed at which a
//! sum over an array larger than all caches runs.
//!
//! `cargo run --release -p carom-solve --example sweep`
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use carom_solve::{BlockMatrix, ContactSolver, GaussSeidel};
use common::Seeded;
use std::time::Instant;

/// Bytes per second of a sum over 512 MB, the best of five.
fn bandwidth() -> f64 {
    let numbers = vec![1.0_f64; 64 << 20];
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let sum: [f64; 8] = numbers.as_chunks::<8>().0.iter().fold([0.0; 8], |mut sum, x| {
            (0..8).for_each(|k| sum[k] += x[k]);
            sum
        });
        std::hint::black_box(sum);
        best = best.min(start.elapsed().as_secs_f64());
    }
    8.0 * numbers.len() as f64 / best
}

fn main() {
    let problem = common::scene::packing(&mut Seeded(3), 16, 0.4, 0.3).problem("packing", 0.0);
    let W: &BlockMatrix = &problem.W_hat;
    let contacts = W.contacts() as f64;
    let bytes = W.blocks() as f64 * (72.0 + 4.0) + contacts * (4.0 * 8.0 + 24.0 + 16.0 + 2.0 * 24.0);
    let speed = bandwidth();
    println!(
        "{contacts} contacts, {:.1} blocks per contact, {:.1} MB",
        W.blocks() as f64 / contacts,
        bytes / 1e6
    );
    println!("bandwidth {:.2} GB/s: at least {:.2} ms per sweep", speed / 1e9, 1e3 * bytes / speed);
    let mut solver = GaussSeidel::default();
    solver.tolerance = 0.0;
    let mut P = vec![0.0; problem.U_free.len()];
    // past the first sweeps, in which contacts still open and close
    for (from, sweeps) in [("the start", 20), ("there", 200), ("there", 200)] {
        solver.max_sweeps = sweeps;
        let start = Instant::now();
        let report = solver.solve(&problem.as_problem(), &mut P);
        let time = start.elapsed().as_secs_f64() / report.iterations as f64;
        println!(
            "{} sweeps from {from}: {:.2} ms each, {:.2} of the bound, residual {:.1e}",
            report.iterations,
            1e3 * time,
            time * speed / bytes,
            report.residual
        );
    }
}
