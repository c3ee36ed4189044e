//! How many of a set of spatial problems each solver solves to 1e-4, 1e-8 and 1e-12, and how long it takes.
//!
//! `cargo run --release -p carom-solve --example success_rates [rounds, 0 for large ones] [solver...]`
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

#[path = "../tests/it/common/mod.rs"]
mod common;

use carom_solve::{Limits, SOLVERS, residual};

/// Time for each problem.
const SECONDS: f64 = 20.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(20);
    let problems = if rounds == 0 { common::scene::large(97) } else { common::scene::set(97, rounds) };
    for entry in SOLVERS {
        if arguments.len() > 1 && !arguments[1..].iter().any(|name| name == entry.name) {
            continue;
        }
        let mut solved = [0; 3];
        let (mut seconds, mut failed) = (0.0, Vec::new());
        for problem in &problems {
            let mut P = vec![0.0; problem.U_free.len()];
            let mut solver = (entry.make)();
            solver.limit(Limits { tolerance: 1e-12, seconds: SECONDS });
            let start = std::time::Instant::now();
            let report = solver.solve(&problem.as_problem(), &mut P);
            let time = start.elapsed().as_secs_f64();
            seconds += time;
            let true_residual = residual(&problem.as_problem(), &P);
            assert!((true_residual - report.residual).abs() <= 1e-13 * (1.0 + true_residual), "{report:?}");
            for (solved, tolerance) in solved.iter_mut().zip([1e-4, 1e-8, 1e-12]) {
                *solved += usize::from(true_residual <= tolerance);
            }
            if true_residual > 1e-8 {
                let c = problem.laws.len();
                failed.push(format!("    {} ({c} contacts): {report:?} {time:.2} s", problem.name));
            }
        }
        let percent = solved.map(|n| 100.0 * n as f64 / problems.len() as f64);
        println!("{:14} {percent:5.1?} % of {} in {seconds:.2} s", entry.name, problems.len());
        failed.iter().take(12).for_each(|line| println!("{line}"));
    }
}
