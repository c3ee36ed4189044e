//! Table 4.2 and Fig. 4.7 of [Haddouni2015]: the slider-crank with play and friction, hybrid against adaptive Moreau–Jean.
//!
//! The source takes the mechanism of the literature, which is the coded `slider-crank-minimal`, and prints neither its start nor
//! how long it ran; here 0.05 s from the start of [RezaeiSchindler] Table 1, somewhat more than a revolution at 150 rad/s. Truth:
//! the motion event by event ([`Unilateral`]).

use crate::haddouni::{
    PARTS, RULE, against_stepping, costs, diagram, parts, parts_and, path_error, phases, tell,
};
use crate::report::StudyReport;
use crate::running::Trouble;
use crate::slider_crank_bilateral::END;
use crate::slider_crank_unilateral::{Happening, Precision, Unilateral};
use carom_dynamics::{EventKind, Simulation};
use carom_systems::{SliderCrank, SliderCrankMinimal};

/// Table 4.2: tolerance, mean step of the hybrid and of adaptive Moreau–Jean (s).
const TABLE: [(f64, f64, f64); 4] =
    [(1e-2, 1.75e-2, 3.99e-4), (1e-4, 7.15e-3, 2.66e-3), (1e-6, 2.97e-3, 4.20e-4), (1e-8, 1.11e-3, 8.62e-5)];
/// Step of Moreau–Jean inside the hybrid, as published (s).
const LEAST: f64 = 1e-7;
/// The published rule: h_min, and every change between sticking and sliding stepped over.
const PUBLISHED: [(&str, f64); 5] = [RULE[0], RULE[1], RULE[2], ("least_step", LEAST), ("transitions", 1.0)];
/// Mean steps agree within this factor: neither the start nor the length of the run is printed.
const CLOSE: f64 = 3.0;
/// Times are measured to this; less than that is not less.
const LESS: f64 = 1.2;
/// Samples that errors are measured on.
const SAMPLES: usize = 500;
/// Accuracies of the diagram.
const ACCURACIES: [f64; 7] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        let data = SliderCrank::default();
        let exact = Unilateral::new(&data, END, Precision::default());
        let system = SliderCrankMinimal::new(data);
        let (q, v) = system.start();
        progress(0.1);
        mean_steps(report, &system, (&q, &v))?;
        events(report, &system, (&q, &v), &exact)?;
        progress(0.2);
        work_precision(report, &system, (&q, &v), &exact, &mut |p| progress(0.2 + 0.8 * p))
    })
}

/// Table 4.2.
fn mean_steps(
    report: &mut StudyReport,
    system: &SliderCrankMinimal,
    start: (&[f64], &[f64]),
) -> Result<(), Trouble> {
    for (tolerance, hybrid, stepping) in TABLE {
        let [.., theirs, ours] = parts_and(&PUBLISHED, tolerance, END, 1);
        let mean = |done: &Simulation| END / done.summary().steps as f64;
        let (ours, theirs) = (ours.finished(system, start)?, theirs.finished(system, start)?);
        // two half steps are counted as two
        let (a, b) = (mean(&ours), 2.0 * mean(&theirs));
        report.compare(
            format!("mean step of hybrid with the published rule over that of adaptive moreau-jean at {tolerance:.0e}"),
            format!("{:.1} ({hybrid:.2e} over {stepping:.2e} s, Table 4.2)", hybrid / stepping),
            format!("{:.3} ({a:.2e} over {b:.2e} s; {})", a / b, phases(&ours.summary())),
            (1.0 / CLOSE..=CLOSE).contains(&((a / b) / (hybrid / stepping))),
            "the mechanism here turns at 150 rad/s, and its impacts and transitions, each stepped over with h_min, bound the mean step of the hybrid; \
             a mean step of 1.8e-2 s, as published, would be half a revolution, so the source ran a slower one",
        );
    }
    Ok(())
}

/// The sequence of events.
fn events(
    report: &mut StudyReport,
    system: &SliderCrankMinimal,
    start: (&[f64], &[f64]),
    exact: &Unilateral,
) -> Result<(), Trouble> {
    let [hybrid, ..] = parts(1e-10, END, 1);
    let recording = hybrid.finished(system, start)?.recording();
    let closed: Vec<f64> = exact
        .events()
        .iter()
        .filter(|event| matches!(event.what, Happening::Impact(_)))
        .map(|event| event.t)
        .collect();
    let mut found: Vec<f64> =
        recording.events.iter().filter(|e| e.kind == EventKind::Impact).map(|e| e.t).collect();
    // both corners of a side hit together
    found.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
    let first: Vec<(f64, f64)> = closed.iter().copied().zip(found.iter().copied()).take(5).collect();
    let off = first.iter().fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    report.compare(
        "first five impacts, hybrid at 1e-10 (s), against the exact motion",
        first.iter().map(|(a, _)| format!("{a:.9}")).collect::<Vec<_>>().join(", "),
        format!("off by {off:.1e} at most"),
        first.len() == 5 && off < 1e-9,
        "they are elsewhere",
    );
    Ok(())
}

/// Fig. 4.7.
fn work_precision(
    report: &mut StudyReport,
    system: &SliderCrankMinimal,
    start: (&[f64], &[f64]),
    exact: &Unilateral,
    progress: &mut dyn FnMut(f64),
) -> Result<(), Trouble> {
    let error = |done: &Simulation| {
        let all: [(&str, &dyn Fn(f64) -> f64); 2] =
            [("crank.angle", &|t| exact.at(t).theta[0]), ("rod.angle", &|t| exact.at(t).theta[1])];
        path_error(done, &all)
    };
    let runs = |accuracy| parts_and(&PUBLISHED, accuracy, END, SAMPLES);
    let curves = diagram(system, start, &ACCURACIES, &runs, &error, progress)?;
    tell(report, "Fig. 4.7", "rad, mean over the run", &PARTS, &curves);
    let [hybrid, hem5, stepping, published] = curves;
    against_stepping(report, ("more than the hybrid (Fig. 4.7)", LESS), &ACCURACIES, &stepping, &published);
    let finest = hybrid.last().map_or(f64::NAN, |run| run.0);
    costs(report, &[hybrid, hem5, stepping], "rad");
    report.compare(
        "mean error of hybrid at 1e-8 against the exact motion (rad)",
        "0",
        format!("{finest:.1e}"),
        finest < 1e-6,
        "the two motions differ",
    );
    Ok(())
}
