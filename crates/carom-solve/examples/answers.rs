//! Every solver's answer to every kept and some generated problems, as one line of digest each: two builds that print the same
//! text have the same bits, the same ends and the same iterations.
//!
//! `cargo run --release -p carom-solve --example answers > before.txt`
//!
//! With a solver, a problem and a number it solves that one so many times and says nothing, for counting instructions:
//! `valgrind --tool=callgrind answers auto disks-6 1000`
#![allow(non_snake_case, missing_docs, clippy::print_stdout)]

use carom_solve::generate::{GENERATORS, KEPT};
use carom_solve::{SOLVERS, SolverForm, solver};

/// Contacts of the generated problems: dense ones and ones by blocks.
const SIZES: [usize; 2] = [6, 40];

fn problems() -> Vec<(String, SolverForm)> {
    let mut all: Vec<_> =
        KEPT.iter().map(|kept| (kept.name.to_string(), SolverForm::Dense(kept.problem()))).collect();
    for generator in GENERATORS {
        for size in SIZES {
            let problem = generator.problem(size);
            let name = format!("{}-{size}", generator.name);
            all.push((name, problem.for_solvers().expect("a mechanism")));
        }
    }
    all
}

/// FNV-1a over the bits.
fn digest(numbers: &[f64]) -> u64 {
    let bytes = numbers.iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let problems = problems();
    if let [by, name, times] = &arguments[..] {
        let mut solver = solver(by).expect("the name of a solver");
        let (_, form) = problems.iter().find(|(n, _)| n == name).expect("the name of a problem");
        let problem = form.as_problem();
        let mut P = vec![0.0; problem.U_free.len()];
        for _ in 0..times.parse().expect("a number") {
            P.fill(0.0);
            solver.solve(&problem, &mut P);
        }
        return;
    }
    for (name, form) in &problems {
        let problem = form.as_problem();
        for entry in SOLVERS {
            let mut solver = (entry.make)();
            let mut P = vec![0.0; problem.U_free.len()];
            // from zero, then from the answer
            for start in ["cold", "warm"] {
                let report = solver.solve(&problem, &mut P);
                let numbers = [&P[..], &[report.residual]].concat();
                println!(
                    "{name} {} {start} {:?} {} {} {:016x}",
                    entry.name,
                    report.status,
                    report.solver,
                    report.iterations,
                    digest(&numbers)
                );
            }
        }
    }
}
