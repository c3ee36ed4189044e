//! CPU time of solvers on one problem, from zero, with their answers, as a line of JSON per solver:
//! `solve_times FILE TOLERANCE SECONDS ROUNDS SOLVER...`; used by `benches/peers/friction.py`.
//!
//! Where an answer is good by the residual and not yet by the measure of Siconos, the solver goes on as in `carom solve`. A
//! round repeats the solve until its time can be told from the ticks of the clock; the least mean of the rounds counts.
#![allow(non_snake_case, clippy::print_stdout)]

use carom_solve::files::{FileProblem, parse};
use carom_solve::{ContactProblem, Limits, natural_map_error, solve_by_both, solver};

/// The clock moves in steps of some ms; a round takes at least so long (s).
const LEAST_ROUND: f64 = 0.05;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, tolerance, seconds, rounds, names @ ..] = &words[..] else {
        panic!("solve_times FILE TOLERANCE SECONDS ROUNDS SOLVER...")
    };
    let text = std::fs::read_to_string(file).expect("a problem file");
    let local = match parse(&text).expect("a sound problem") {
        FileProblem::Local(local) => local,
        FileProblem::Global(global) => global.condense().expect("a positive definite M"),
    };
    let limits = Limits {
        tolerance: tolerance.parse().expect("a number"),
        seconds: seconds.parse().expect("a number"),
    };
    let rounds: usize = rounds.parse().expect("a whole number");
    // One thread, and all of the work in it, so that its clock sees everything.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let run = |problem: &ContactProblem<'_>| {
        names.iter().for_each(|name| println!("{}", line(problem, name, limits, rounds)));
    };
    pool.install(|| run(&local.for_solvers().as_problem()));
}

/// The least time of the rounds, and P.
fn line(problem: &ContactProblem<'_>, name: &str, limits: Limits, rounds: usize) -> String {
    let mut least = f64::INFINITY;
    let mut P = Vec::new();
    for _ in 0..rounds {
        let (start, mut solves) = (cpu_seconds(), 0);
        while solves == 0 || cpu_seconds() - start < LEAST_ROUND {
            P = answer(problem, name, limits);
            solves += 1;
        }
        least = least.min((cpu_seconds() - start) / f64::from(solves));
        // Once is enough for what is not solved.
        if natural_map_error(problem, &P) > limits.tolerance {
            break;
        }
    }
    let P: Vec<String> = P.iter().map(|p| format!("{p:e}")).collect();
    format!("{{\"solver\": \"{name}\", \"seconds\": {least:e}, \"P\": [{}]}}", P.join(", "))
}

fn answer(problem: &ContactProblem<'_>, name: &str, limits: Limits) -> Vec<f64> {
    let mut solver = solver(name).expect("a known solver");
    let mut P = vec![0.0; problem.U_free.len()];
    solve_by_both(&mut *solver, problem, limits, &mut P);
    P
}

/// CPU time of this thread so far: what others do to the machine counts less than with a wall clock.
fn cpu_seconds() -> f64 {
    /// Its first number is in ns.
    const PLACE: &str = "/proc/thread-self/schedstat";
    let text = std::fs::read_to_string(PLACE).expect("Linux tells");
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).expect("a number") * 1e-9
}
