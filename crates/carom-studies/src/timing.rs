//! Time per step of several schemes, measured so that a busy machine matters little.
//!
//! The contestants take turns, and of every block of steps the fastest repeat counts: a block is shorter than the turns
//! that other programs get. Only ratios mean anything.

use crate::running::{Method, Trouble, start};
use carom_dynamics::{ContactStage, State, System, scheme};
use std::time::{Duration, Instant};

/// Steps per block.
const BLOCK: usize = 250;

/// What a step of a method takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepTime {
    /// Of a simulation, with recording and audit (s).
    pub whole: f64,
    /// Of the scheme alone (s).
    pub scheme: f64,
    /// Iterations of the scheme.
    pub iterations: f64,
}

/// Mean time of the steps of a run, per method, over `repeats` runs in turn.
pub fn step_times(
    system: &dyn System,
    methods: &[Method],
    start_at: (&[f64], &[f64]),
    step: f64,
    end: f64,
    repeats: usize,
) -> Result<Vec<StepTime>, Trouble> {
    let steps = (end / step * (1.0 + 1e-12)) as usize;
    let blocks = steps / BLOCK;
    let mut whole = vec![vec![Duration::MAX; blocks]; methods.len()];
    let mut alone = whole.clone();
    let mut iterations = vec![0.0; methods.len()];
    for _ in 0..repeats {
        for (i, &method) in methods.iter().enumerate() {
            let mut simulation = start(system, method, start_at, step, end)?;
            for best in &mut whole[i] {
                fastest(best, || {
                    simulation.advance();
                    Ok(())
                })?;
            }
            let summary = simulation.summary();
            iterations[i] = summary.newton_iterations as f64 / summary.steps as f64;

            let mut state = State::new(system, 0.0, start_at.0.to_vec(), start_at.1.to_vec());
            let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
            let mut stage = ContactStage::new(system, solver);
            let scheme = scheme(method.scheme, method.parameters).map_err(|e| e.to_string())?;
            let mut stepper = scheme.start(system, &mut stage, &mut state).map_err(|e| e.to_string())?;
            for best in &mut alone[i] {
                fastest(best, || {
                    stepper.step(system, &mut stage, &mut state, step).map(|_| ()).map_err(|e| e.to_string())
                })?;
            }
        }
    }
    let mean =
        |blocks_of: &[Duration]| blocks_of.iter().sum::<Duration>().as_secs_f64() / (blocks * BLOCK) as f64;
    Ok((0..methods.len())
        .map(|i| StepTime { whole: mean(&whole[i]), scheme: mean(&alone[i]), iterations: iterations[i] })
        .collect())
}

/// Makes a block of steps and keeps its time if it is the fastest so far.
fn fastest(best: &mut Duration, mut advance: impl FnMut() -> Result<(), Trouble>) -> Result<(), Trouble> {
    let clock = Instant::now();
    for _ in 0..BLOCK {
        advance()?;
    }
    *best = clock.elapsed().min(*best);
    Ok(())
}
