//! No heap allocation in a step whose list of contacts is no longer than any before it, however often the list changes.
#![allow(non_snake_case)]

use crate::common::disks::Disks;
use crate::counting::counted;
use carom_dynamics::*;

/// Steps in which something is allocated although the list did not grow: contacts that press share more bodies than ever before, so that
/// the matrix of the solver has more blocks, or the recording takes room for events. Each doubles what it has, so a few steps do.
const DOUBLINGS: usize = 8;

#[test]
fn lists_that_change_take_no_memory_unless_they_grow() {
    for name in ["moreau-jean", "moreau-explicit", "moreau-midpoint", "newmark", "hht", "generalized-alpha"] {
        let disks = Disks::new(6, true);
        let (q, v) = disks.start();
        let state = State::new(&disks, 0.0, q, v);
        let solver = carom_solve::solver("gauss-seidel").unwrap();
        let settings = Settings { step: 1e-3, end: 0.8, accuracy: None, output: Some(0.01) };
        let scheme = scheme(name, &[]).unwrap();
        let mut simulation = Simulation::new(&disks, &*scheme, solver, state, settings).unwrap();
        // warm: the first contacts have been met
        while simulation.summary().impacts < 5 {
            simulation.advance();
        }
        let generation = simulation.stage().contacts().generation();
        let (mut steps, mut took) = (0, 0);
        while !simulation.is_done() && simulation.state().t < 0.79 {
            let (before, growths, most) =
                (counted(), simulation.stage().growths(), simulation.stage().active().len());
            simulation.advance();
            let grew = simulation.stage().growths() > growths || simulation.stage().active().len() > most;
            steps += 1;
            took += usize::from(!grew && counted() > before);
        }
        let changes = simulation.stage().contacts().generation() - generation;
        assert!(steps > 200 && changes > 10, "{name}: {steps} steps, {changes} lists");
        assert!(took <= DOUBLINGS, "{name}: {took} of {steps} steps took memory");
    }
}
