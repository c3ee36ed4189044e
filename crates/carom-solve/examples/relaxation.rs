//! What relaxation, order and acceleration do for Gauss–Seidel: sweeps to 1e-6 on the generated problems.
//!
//! `cargo run --release -p carom-solve --example relaxation [most sweeps] [contacts,contacts...]`
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

use carom_solve::generate::GENERATORS;
use carom_solve::{GaussSeidel, Limits, Order, SolveStatus};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let most = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(2000);
    let sizes: Vec<usize> = arguments
        .get(1)
        .map_or(vec![100, 600], |list| list.split(',').filter_map(|word| word.parse().ok()).collect());
    let problems: Vec<_> = GENERATORS
        .iter()
        .flat_map(|generator| sizes.iter().map(move |&size| generator.problem(size)))
        .map(|problem| problem.condense().expect("a mechanism").blocks())
        .collect();
    println!("{} problems, at most {most} sweeps each; mean is geometric", problems.len());
    for accelerated in [true, false] {
        for order in [Order::Given, Order::ToAndFro, Order::ByResidual] {
            for omega in [0.8, 1.0, 1.2, 1.4] {
                let mut solver = GaussSeidel { max_sweeps: most, omega, order, accelerated }.solver();
                solver.limit(Limits { tolerance: 1e-6, ..Limits::default() });
                let (mut solved, mut sweeps) = (0, 0.0);
                for problem in &problems {
                    let mut P = vec![0.0; problem.U_free.len()];
                    let report = solver.solve(&problem.as_problem(), &mut P);
                    solved += usize::from(report.status == SolveStatus::Converged);
                    sweeps += (report.iterations.max(1) as f64).ln();
                }
                let mean = (sweeps / problems.len() as f64).exp();
                let way = if accelerated { "accelerated" } else { "plain" };
                println!("{way:12} {order:?} ω = {omega}: {solved} solved, {mean:.0} sweeps in the mean");
            }
        }
    }
}
