//! The slider-crank with an elastic rod in modal coordinates: [RezaeiSchindler] §4.5, App. D, Figs 30–32.
//!
//! Eigenmodes of the rod alone under four reference conditions: clamped (tangential), pinned, articulated-free and
//! free-free (mean axis). With all modes each frame spans the same deformations; what is left between them is of second
//! order in the deflection, provided that the kinetic energy does not know the frame. That of the source does: it gives
//! the sections a rotary inertia that turns with the frame alone, and each frame turns a little differently.

use crate::figure::{Panel, between, linear};
use crate::report::{Series, StudyReport};
use crate::running::{Method, Trouble};
use crate::slider_crank_elastic::{ElasticCrank, Rod, Run, TABLE_1, TABLE_2};
use carom_model::description::{ChosenModes, Reference, RotaryInertia};

const BATHE: Method =
    Method { label: "Bathe", scheme: "bathe", parameters: &[("restart", 0.0), ("published", 1.0)] };
const STEP: f64 = 1e-5;
const SAMPLE: f64 = 1e-4;
/// As in the source: 63 nodal coordinates.
const ELEMENTS: usize = 20;
const HELD: usize = 3;
/// Frequencies that Bathe's method leaves alive at 1e-5 s (Hz).
const EFFECTIVE: f64 = 1e7;
const MODES: [usize; 6] = [2, 5, 10, 20, 40, 52];
/// Before the first impacts of Tables 1 and 2 (s).
const BEFORE: [f64; 2] = [2.65e-3, 7.4e-3];
const END: f64 = 0.02;
/// What a figure of the slider's path shows: 0.1 % of the way (m).
const DRAWN: f64 = 5e-4;
const FRAMES: [(&str, Reference); 4] = [
    ("clamped", Reference::Clamped),
    ("pinned", Reference::Pinned),
    ("articulated-free", Reference::Articulated),
    ("free-free", Reference::MeanAxis),
];

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    effective(report)?;
    modes(report, progress)?;
    frames(report, progress)?;
    Ok(())
}

fn modal(count: usize, reference: Reference, rotary: RotaryInertia) -> Rod {
    let modes = ChosenModes { count: Some(count), ..Default::default() };
    Rod { reference, rotary, modes: Some(modes), ..Rod::published(ELEMENTS) }
}

fn effective(report: &mut StudyReport) -> Result<(), Trouble> {
    let modes = ChosenModes { below: Some(EFFECTIVE), ..Default::default() };
    let below = ElasticCrank::new(&TABLE_2, &Rod { modes: Some(modes), ..Rod::published(ELEMENTS) })?.shapes;
    let all = ElasticCrank::new(&TABLE_2, &Rod::published(ELEMENTS))?.shapes;
    report.compare(
        "modes below 1e7 Hz, clamped, 20 elements",
        "52 of 63",
        format!("{below} of {all}, of {} nodal coordinates of which {HELD} are held", all + HELD),
        below == 52 && all + HELD == 63,
        "another mesh or section",
    );
    Ok(())
}

/// Figs 30, 31.
fn modes(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    let nodal = ElasticCrank::new(&TABLE_2, &Rod::published(ELEMENTS))?.run(BATHE, STEP, END, SAMPLE)?;
    let mut runs = Vec::new();
    for (i, count) in MODES.into_iter().enumerate() {
        let rod = modal(count, Reference::Clamped, RotaryInertia::Rigid);
        runs.push(ElasticCrank::new(&TABLE_2, &rod)?.run(BATHE, STEP, END, SAMPLE)?);
        progress(0.1 + 0.5 * (i + 1) as f64 / MODES.len() as f64);
    }
    let list = |values: &[f64]| {
        MODES.iter().zip(values).map(|(n, x)| format!("{n}: {x:.1e}")).collect::<Vec<_>>().join(", ")
    };
    let before: Vec<f64> = runs.iter().map(|run| run.distance(&nodal, "slider.y", BEFORE[1])).collect();
    report.compare(
        "place of the slider across the guide by number of modes against nodal coordinates, until the first impact (m)",
        "converges (Fig. 30)",
        list(&before),
        before.windows(2).all(|pair| pair[1] < pair[0]),
        "more modes are further off",
    );
    let after: Vec<f64> = runs.iter().map(|run| run.distance(&nodal, "slider.x", f64::INFINITY)).collect();
    report.compare(
        format!("place of the slider along the guide to {END} s (m)"),
        "differences after the impact are small (Fig. 30)",
        list(&after),
        after.iter().all(|d| *d < DRAWN),
        "a figure would show it",
    );
    let impulse = nodal.first_impulse();
    let off: Vec<f64> = runs.iter().map(|run| run.first_impulse() / impulse - 1.0).collect();
    report.compare(
        format!("impulse of the first impact by number of modes, relative to {impulse:.5} N s in nodal coordinates"),
        "contact forces converge (Fig. 31)",
        list(&off),
        off.windows(2).all(|pair| pair[1] < pair[0]) && off[MODES.len() - 1].abs() < 5e-3,
        "more modes are further off",
    );
    report.note(
        "Fewer modes feel heavier at the contact: what the missing ones would give way by is missing. Before the impact few modes are as good \
         as all of them, at the impact it takes many.",
    );
    let mut columns = vec![("t (s)".to_string(), nodal.get("t").to_vec())];
    let named = MODES.iter().map(|n| format!("{n} modes")).chain(["nodal".to_string()]);
    for (name, run) in named.zip(runs.iter().chain([&nodal])) {
        columns.push((format!("slider x (m), {name}"), run.get("slider.x").to_vec()));
        columns.push((format!("slider y (m), {name}"), run.get("slider.y").to_vec()));
        columns.push((format!("normal force (N), {name}"), run.corners("force_n")));
    }
    let mut series = Series::new("Figs 30 and 31: number of modes", columns);
    for (figure, up) in [
        ("[RezaeiSchindler] Fig. 30: place of the slider by number of modes", "slider x (m)"),
        ("[RezaeiSchindler] Fig. 30: place of the slider by number of modes", "slider y (m)"),
        ("[RezaeiSchindler] Fig. 31: contact force by number of modes", "normal force (N)"),
    ] {
        let panel = Panel::new(figure, "", linear("t (s)"), linear(up)).of(up);
        series = series.drawn(panel, |column| between(column, &format!("{up}, "), ""));
    }
    report.series.push(series);
    Ok(())
}

/// Fig. 32.
fn frames(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    let end = BEFORE[0];
    let all = 3 * ELEMENTS;
    let run = |count: usize, reference, rotary| -> Result<Run, Trouble> {
        ElasticCrank::new(&TABLE_1, &modal(count, reference, rotary))?.run(BATHE, STEP, end, SAMPLE)
    };
    let cases = [
        (RotaryInertia::Full, "sections that turn with the deformation", 1e-7),
        (RotaryInertia::Rigid, "sections that turn with the frame alone", 1e-7),
    ];
    for (i, (rotary, words, close)) in cases.into_iter().enumerate() {
        let base = run(all, Reference::Clamped, rotary)?;
        let mut far = Vec::new();
        for (name, reference) in FRAMES {
            let mut by_modes = Vec::new();
            for count in [5, 20, all] {
                by_modes.push(run(count, reference, rotary)?.distance(&base, "slider.x", f64::INFINITY));
            }
            if rotary == RotaryInertia::Full {
                report.compare(
                    format!(
                        "place of the slider with 5, 20 and {all} modes in the {name} frame, {words} (m)"
                    ),
                    "two sets of modes give the same solution (App. C.8); all modes of the clamped frame are taken for it, ours",
                    by_modes.iter().map(|d| format!("{d:.1e}")).collect::<Vec<_>>().join(", "),
                    by_modes.windows(2).all(|pair| pair[1] < pair[0]) && by_modes[2] < close,
                    "the frame is seen",
                );
            }
            far.push((name, by_modes[2]));
        }
        let most = far.iter().fold(0.0_f64, |most, (_, d)| most.max(*d));
        let list: Vec<_> = far.iter().map(|(name, d)| format!("{name} {d:.1e}")).collect();
        report.compare(
            format!("four frames with all their modes, {words} (m)"),
            "the same physical deformation (App. C.8)",
            list.join(", "),
            most < close,
            "the kinetic energy of the source knows the frame: rho I l2 (angular velocity of the frame)²/2",
        );
        progress(0.6 + 0.2 * (i + 1) as f64);
    }
    report.note(
        "Frames are compared before the first impact; small differences then grow, as the source says of its Fig. 32. With all \
         modes they differ in second order of the deflection. With the rotary inertia of the source they differ however many modes there \
         are, because each frame carries it in its own direction.",
    );
    Ok(())
}
