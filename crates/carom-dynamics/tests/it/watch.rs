//! Contact problems are shown as they are solved, and a file made of one is the same problem.
#![allow(non_snake_case)]

use crate::common::Slider;
use carom_dynamics::*;
use carom_solve::files::{FileProblem, Storage, parse, write_local};
use carom_solve::{GaussSeidel, SparseMatrix, StoredProblem, residual};
use std::sync::{Arc, Mutex};

/// A problem as it was shown: time, step, whether it was hard, its text, its answer, the residual that was claimed.
type Kept = (f64, usize, bool, String, Vec<f64>, f64);

#[derive(Debug)]
struct Keep(Arc<Mutex<Vec<Kept>>>);

impl ProblemWatch for Keep {
    fn see(&mut self, seen: &SeenProblem<'_>) {
        let problem = StoredProblem {
            W_hat: seen.problem.W_hat.dense().expect("the stage stores it dense").clone(),
            U_free: seen.problem.U_free.to_vec(),
            laws: seen.problem.laws.to_vec(),
        };
        let text = write_local(&StoredProblem::<SparseMatrix>::from(&problem), Storage::Dense)
            .expect("planar friction has a layout");
        let kept = (seen.t, seen.step, seen.is_hard(), text, seen.P.to_vec(), seen.report.residual);
        self.0.lock().expect("one thread").push(kept);
    }
}

/// The problems of two hundred steps of a slider on a floor.
fn problems(solver: Box<dyn carom_solve::ContactSolver>) -> (Vec<Kept>, Summary) {
    let slider = Slider::new(0.2, 0.0, 40.0, 1.0, 0.5);
    let state = State::new(&slider, 0.0, vec![0.0, 0.0], vec![0.0; 2]);
    let settings = Settings { step: 1e-3, end: 0.2, accuracy: None, output: None };
    let scheme = scheme("moreau-jean", &[]).expect("a known scheme");
    let mut simulation = Simulation::new(&slider, &*scheme, solver, state, settings).expect("a good start");
    let kept = Arc::new(Mutex::new(Vec::new()));
    simulation.watch_problems(Box::new(Keep(kept.clone())));
    simulation.run(|_| true);
    let kept = std::mem::take(&mut *kept.lock().expect("one thread"));
    (kept, simulation.summary())
}

#[test]
fn a_problem_that_was_seen_reads_back_to_the_last_bit() {
    let (kept, summary) = problems(carom_solve::solver("auto").expect("a known name"));
    assert_eq!(kept.len(), summary.contact_problems);
    assert!(kept.len() > 150 && kept.iter().all(|kept| !kept.2), "{} problems", kept.len());
    assert!(kept.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1));
    assert_eq!((kept[0].1, kept[kept.len() - 1].1), (1, summary.steps));
    for (_, _, _, text, P, claimed) in &kept {
        let Ok(FileProblem::Local(problem)) = parse(text) else { panic!("{text}") };
        assert_eq!(residual(&problem.dense().as_problem(), P), *claimed);
    }
}

/// A solver that may not sweep solves nothing: every problem it meets is hard, and the run ends with one.
#[test]
fn a_problem_that_was_not_solved_is_hard() {
    let solver = GaussSeidel { max_sweeps: 0, ..GaussSeidel::default() }.solver();
    let (kept, summary) = problems(solver);
    assert!(matches!(summary.stop, Stop::Failed(_)));
    assert!(!kept.is_empty() && kept.iter().all(|kept| kept.2));
    let (.., text, P, claimed) = kept.last().expect("at least one");
    let Ok(FileProblem::Local(problem)) = parse(text) else { panic!("{text}") };
    assert_eq!(residual(&problem.dense().as_problem(), P), *claimed);
    assert!(*claimed > 1e-3);
}
