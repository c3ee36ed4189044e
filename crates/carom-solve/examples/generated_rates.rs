//! How many generated problems each solver solves to 1e-4, 1e-8 and 1e-12, and how long it takes.
//!
//! `cargo run --release -p carom-solve --example generated_rates [seconds] [planar|spatial|all] [contacts,contacts...] [solver...]`
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

use carom_solve::generate::GENERATORS;
use carom_solve::{ContactProblem, Limits, SOLVERS, StoredProblem, residual};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(5.0);
    let kind = arguments.get(1).map_or("all", String::as_str);
    let sizes: Vec<usize> = arguments
        .get(2)
        .map_or(vec![1, 3, 8, 20, 60], |list| list.split(',').filter_map(|word| word.parse().ok()).collect());
    let names = arguments.get(3..).unwrap_or_default();
    let wanted = |dim: usize| kind == "all" || (kind == "planar") == (dim == 2);
    let problems: Vec<(String, StoredProblem<_>)> = GENERATORS
        .iter()
        .filter(|generator| wanted(generator.dim))
        .flat_map(|generator| sizes.iter().map(move |&size| (generator, size)))
        .map(|(generator, size)| {
            let condensed = generator.problem(size).condense().expect("a mechanism");
            (format!("{} {size}", generator.name), condensed.blocks())
        })
        .collect();
    for entry in SOLVERS.iter().filter(|entry| names.is_empty() || names.iter().any(|n| n == entry.name)) {
        let (mut solved, mut time_of_all, mut failed) = ([0; 3], 0.0, Vec::new());
        for (name, stored) in &problems {
            let problem: ContactProblem<'_> = stored.as_problem();
            let mut P = vec![0.0; problem.U_free.len()];
            let mut solver = (entry.make)();
            solver.limit(Limits { tolerance: 1e-12, seconds });
            let start = std::time::Instant::now();
            let report = solver.solve(&problem, &mut P);
            let time = start.elapsed().as_secs_f64();
            time_of_all += time;
            let measured = residual(&problem, &P);
            for (solved, tolerance) in solved.iter_mut().zip([1e-4, 1e-8, 1e-12]) {
                *solved += usize::from(measured <= tolerance);
            }
            if measured > 1e-12 || time > 0.2 * seconds {
                failed.push(format!("    {name}, {} contacts: {report:?} {time:.2} s", problem.laws.len()));
            }
        }
        let percent = solved.map(|n| 100.0 * n as f64 / problems.len() as f64);
        println!("{:14} {percent:5.1?} % of {} in {time_of_all:.2} s", entry.name, problems.len());
        failed.iter().for_each(|line| println!("{line}"));
    }
}
