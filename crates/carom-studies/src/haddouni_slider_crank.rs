//! Figs 3.3 and 3.5b of [Haddouni2015]: five methods on the slider-crank of §3.1.2, steps, drift and time per tolerance.
//!
//! The figures are drawn, not printed: what the text says of them is compared. The data of Table 3.4 do not fit each other
//! (l_1 = l_2 with ω = (4, −2)); three readings do:
//!
//! ```text
//!   l_2 = 2 m (the default),    l_2 = 1 m with ω = (4, −4),    l_2 = 1 m with the printed ω projected
//! ```
//!
//! With equal bars the constraint is α_2 = −α_1, which every method holds: the drifts of Fig. 3.3 can only come from l_2 ≠ l_1.

use crate::figure::{Panel, logarithmic};
use crate::haddouni::{Contestant, Control, FIVE, Outcome, diagram, published, tell};
use crate::haddouni_four_bar::unprojected;
use crate::report::{Series, StudyReport};
use crate::running::Trouble;
use carom_dynamics::Simulation;
use carom_systems::dae::SLIDER_CRANK;
use carom_systems::system;

const END: f64 = 1.0;
const TOLERANCES: [f64; 9] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
/// Table 3.1; the bound on |ġ| as in Table 3.3.
const DRIFT: [f64; 2] = [1e-2, 1e-3];

/// The readings of Table 3.4 with equal bars.
const EQUAL: [(&str, &[(&str, f64)]); 2] = [
    ("l2 = 1 m, speeds (4, -4)", &[("l2", 1.0), ("omega2", -4.0)]),
    ("l2 = 1 m, speeds projected", &[("l2", 1.0)]),
];

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        characteristics(report)?;
        progress(0.3);
        equal_bars(report)?;
        progress(0.6);
        work_precision(report, &mut |p| progress(0.6 + 0.4 * p))
    })
}

/// What a logarithmic figure shows, and what "much" is taken for.
const SHOWN: f64 = 3.0;
const MUCH: f64 = 10.0;

/// Fig. 3.3.
fn characteristics(report: &mut StudyReport) -> Result<(), Trouble> {
    let name = "l2 = 2 m";
    let coded = system("slider-crank-1dof", &[]).map_err(|e| e.to_string())?;
    let start = (&coded.q[..], &coded.v[..]);
    let mut all: Vec<Vec<Outcome>> = Vec::new();
    for contestant in FIVE {
        all.push(outcomes(&*coded.system, start, contestant)?);
    }
    let columns = |pick: fn(&Outcome) -> f64| {
        let methods =
            FIVE.iter().zip(&all).map(move |(c, of)| (c.label.to_string(), of.iter().map(pick).collect()));
        std::iter::once(("tolerance".to_string(), TOLERANCES.to_vec())).chain(methods)
    };
    for (figure, pick) in [
        ("Fig. 3.3a: accepted steps", (|o: &Outcome| o.accepted as f64) as fn(&Outcome) -> f64),
        ("Fig. 3.3b: rejected steps", |o| o.rejected as f64),
        ("Fig. 3.3c: mean step (s)", |o| o.mean),
        ("Fig. 3.3d: largest |g| (m)", |o| o.g[0]),
        ("Fig. 3.3e: largest |g'| (m/s)", |o| o.g_dot[0]),
    ] {
        let (_, up) = figure.split_once(": ").unwrap_or(("", figure));
        let panel = Panel::new(
            "[Haddouni2015] Fig. 3.3: steps and drift over the tolerance",
            figure,
            logarithmic("tolerance"),
            logarithmic(up),
        );
        report
            .series
            .push(Series::new(&format!("{figure}; {name}"), columns(pick)).all_drawn(panel.marked()));
    }
    let worst = |i: usize, pick: fn(&Outcome) -> f64| all[i].iter().map(pick).fold(0.0_f64, f64::max);
    for i in [0, 1] {
        let worst = worst(i, |o| o.g_dot[0]);
        report.compare(
            format!("{name}: |g'| of {}, any tolerance", FIVE[i].label),
            "machine accuracy",
            format!("{worst:.1e} m/s"),
            worst < 1e-13,
            "it drifts",
        );
    }
    let held = worst(3, |o| o.g[0]);
    report.compare(
        format!("{name}: |g| of the position level, any tolerance"),
        "machine accuracy",
        format!("{held:.1e} m"),
        held < 1e-13,
        "it drifts",
    );
    let loose = worst(3, |o| o.g_dot[0]);
    report.compare(
        format!("{name}: |g'| of the position level, most"),
        "quite low accuracy",
        format!("{loose:.1e} m/s"),
        loose > 1e-5,
        "it is held better",
    );
    let above = |i: usize, j: usize, pick: fn(&Outcome) -> f64| {
        all[i].iter().zip(&all[j]).map(|(a, b)| pick(a) / pick(b)).collect::<Vec<f64>>()
    };
    let drift = above(1, 0, |o| o.g[0]);
    let least = drift.iter().copied().fold(f64::INFINITY, f64::min);
    report.compare(
        format!("{name}: |g| of PHEM56 over that of HEM5, least of all tolerances"),
        format!("larger (Fig. 3.3d): at least {SHOWN}, which a logarithmic figure shows"),
        format!("{least:.1}"),
        least >= SHOWN,
        "not larger",
    );
    let rkf = above(2, 0, |o| o.g[0]);
    let least = rkf.iter().skip(1).copied().fold(f64::INFINITY, f64::min);
    report.compare(
        format!("{name}: |g| of RKF over that of HEM5, least from 1e-3 on"),
        format!("much higher (Fig. 3.3d): at least {MUCH}"),
        format!("{least:.0}"),
        least >= MUCH,
        "alike",
    );
    let coarse: Vec<f64> =
        all[4].iter().zip(TOLERANCES).filter(|(_, t)| *t > 2e-6).map(|(o, _)| o.g[0]).collect();
    let least = coarse.iter().copied().fold(f64::INFINITY, f64::min);
    report.compare(
        format!("{name}: |g| of the velocity level above 1e-6, least"),
        "large",
        format!("{least:.1e} m"),
        least > 1e-5,
        "small",
    );
    let steps = |i: usize| all[i].iter().map(|o| o.accepted.to_string()).collect::<Vec<_>>().join(", ");
    report.fact(
        format!("{name}: accepted steps for 1e-2 to 1e-10"),
        FIVE.iter()
            .enumerate()
            .map(|(i, c)| format!("{} {}", c.label, steps(i)))
            .collect::<Vec<_>>()
            .join("; "),
    );
    Ok(())
}

/// The other readings: nothing drifts.
fn equal_bars(report: &mut StudyReport) -> Result<(), Trouble> {
    for (name, given) in EQUAL {
        let coded = system("slider-crank-1dof", given).map_err(|e| e.to_string())?;
        let mut most: f64 = 0.0;
        let mut words = Vec::new();
        for contestant in FIVE {
            let of = outcomes(&*coded.system, (&coded.q, &coded.v), contestant)?;
            most = of.iter().flat_map(|o| [o.g[0], o.g_dot[0]]).fold(most, f64::max);
            let steps: Vec<String> = of.iter().map(|o| o.accepted.to_string()).collect();
            words.push(format!("{} {}", contestant.label, steps.join(", ")));
        }
        report.compare(
            format!("{name}: largest |g| (m) and |g'| (m/s) of all methods and tolerances"),
            "drifts of Fig. 3.3",
            format!("{most:.1e}"),
            most > 1e-6,
            "with equal bars the constraint is linear, a2 = -a1, and nothing drifts: this is not how the figure was made",
        );
        report.fact(format!("{name}: accepted steps for 1e-2 to 1e-10"), words.join("; "));
    }
    Ok(())
}

fn outcomes(
    system: &dyn carom_dynamics::System,
    start: (&[f64], &[f64]),
    contestant: Contestant,
) -> Result<Vec<Outcome>, Trouble> {
    let control =
        |tolerance| Control { tolerance, safety: 0.9, least: 1e-6, drift: DRIFT, first: 1e-3, end: END };
    TOLERANCES.iter().map(|t| published(system, start, contestant, control(*t))).collect()
}

/// Fig. 3.5b, with the default reading.
fn work_precision(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    let coded = system("slider-crank-1dof", &[]).map_err(|e| e.to_string())?;
    let exact = SLIDER_CRANK.at.iter().find(|r| r.t == END).ok_or("no reference")?;
    let error = |done: &Simulation| {
        done.state().q.iter().zip(exact.q).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    let runs = |accuracy| FIVE.map(|c| unprojected(c, accuracy, END));
    let curves = diagram(&*coded.system, (&coded.q, &coded.v), &TOLERANCES[1..], &runs, &error, progress)?;
    tell(report, "Fig. 3.5b", "rad at 1 s", &FIVE.map(|c| c.label), &curves);
    // 1e-8, where the text's ratios are read
    let at = 5;
    let ratio = |i: usize, j: usize| curves[i][at].1 / curves[j][at].1;
    for (what, published, ours, range) in [
        ("HEM5 over that of PHEM56", "about 3", ratio(0, 1), (1.5, 6.0)),
        ("the position level over that of HEM5", "5", ratio(3, 0), (2.5, 10.0)),
        ("the velocity level over that of HEM5", "2", ratio(4, 0), (1.0, 4.0)),
        ("the position level over that of the velocity level", "2 to 3", ratio(3, 4), (1.5, 4.0)),
        ("RKF over that of HEM5", "above 1, 1.2 is asked for", ratio(2, 0), (1.2, f64::INFINITY)),
    ] {
        report.compare(
            format!("time of {what} at tolerance 1e-8"),
            published,
            format!("{ours:.2}"),
            ours >= range.0 && ours <= range.1,
            "theirs are times of a Python program, in which every evaluation costs much; here the position level needs hardly more \
             steps than the velocity level, and RKF no more evaluations than HEM5",
        );
    }
    Ok(())
}
