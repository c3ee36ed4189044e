//! Figs 2.4 and 2.6 of [Haddouni2015]: the error estimate of HEM5 and its dense output, on the slider-crank of §3.1.2.
//!
//! ```text
//!   l = l_1² / (l_1 + c l_2),    c = 0.001 … 10                                              (2.126)–(2.128)
//!   q(θ), v(θ) by the tenth stage;   v'(θ), λ(θ) by the form of index 1 there (2.142), or λ(θ) from the stages (2.141)
//! ```
//!
//! Truth inside a step: HEM5 itself with steps so small that nothing but round-off is left, checked against the state at 1 s in
//! 34 digits.

use crate::figure::Panel;
use crate::haddouni::Driver;
use crate::measure::{Order, steps};
use crate::report::{Series, StudyReport};
use crate::running::Trouble;
use carom_dynamics::{Hem5, Knot, Method, Motion, hermite};
use carom_systems::dae::SLIDER_CRANK;
use carom_systems::{SliderCrank1Dof, Values};

/// Weights of Fig. 2.4.
const FACTORS: [f64; 5] = [0.001, 0.01, 0.1, 1.0, 10.0];
/// Steps of the estimate: small enough for its order, large enough for round-off.
const ESTIMATED: (f64, f64, usize) = (2e-2, 0.75, 14);
/// Steps of the dense output; those of the source are among them.
const STEPS: [f64; 12] = [0.05, 0.04, 0.025, 0.02, 0.0125, 0.01, 0.008, 0.005, 0.004, 0.0025, 0.002, 0.001];
/// End of the runs (s).
const END: f64 = 1.0;
/// Places inside a step where the dense output is looked at.
const PLACES: [f64; 4] = [0.2, 0.4, 0.6, 0.8];
/// Step of the reference (s): every place of every step is a multiple of it.
const FINE: f64 = 1e-4;

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        estimate(report)?;
        progress(0.2);
        dense(report, &mut |p| progress(0.2 + 0.8 * p))
    })
}

fn start(system: &SliderCrank1Dof) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
    system.start()
}

/// Fig. 2.4: the estimate of one step from the state at 0.5 s, where nothing is special.
fn estimate(report: &mut StudyReport) -> Result<(), Trouble> {
    let system = SliderCrank1Dof::of(&Values::defaults(SliderCrank1Dof::PARAMETERS));
    let from = &SLIDER_CRANK.at[0];
    let sizes = steps(ESTIMATED.0, ESTIMATED.1, ESTIMATED.2);
    let mut columns = vec![("dt (s)".to_string(), sizes.clone())];
    let mut before: Option<Vec<f64>> = None;
    for factor in FACTORS {
        let mut driver = Driver::with(&system, (&from.q, &from.v), &Hem5::with_factor(factor))?;
        let mut errors = Vec::new();
        for &dt in &sizes {
            errors.push(driver.step(dt).map_err(|e| e.explain(&system).to_string())?);
        }
        let order = Order::fit(&sizes, &errors);
        report.compare(
            format!("Fig. 2.4, c = {factor}: order of the estimate"),
            "5",
            order.to_string(),
            (order.slope - 5.0).abs() < 0.25,
            "c l_2 = O(h³) is not yet the larger part of l_1 + c l_2 with l_1 = O(h⁴): between 4 and 5 for a small c",
        );
        if let Some(before) = before {
            let falls = errors.iter().zip(&before).all(|(now, before)| now < before);
            report.compare(
                format!("Fig. 2.4, c = {factor}: below the estimate with a tenth of it"),
                "yes",
                format!("{falls}, to {:.2} of it at 1e-2 s or so", errors[2] / before[2]),
                falls,
                "it is not",
            );
        }
        columns.push((format!("c = {factor}"), errors.clone()));
        before = Some(errors);
    }
    let panel = Panel::orders(
        "[Haddouni2015] Fig. 2.4: error estimate of HEM5 for q",
        "",
        "dt (s)",
        "estimate (rad)",
        &[5.0],
    );
    report.series.push(Series::new("Fig. 2.4: error estimate of HEM5 for q (rad)", columns).all_drawn(panel));
    Ok(())
}

/// Errors of the dense output over a run.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    q: f64,
    v: f64,
    a: f64,
    lambda: f64,
    /// λ from the stages.
    stages: f64,
    /// q and v by Hermite's polynomial.
    hermite: [f64; 2],
    /// |ġ| inside.
    rows: f64,
}

/// Fig. 2.6.
fn dense(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    let system = SliderCrank1Dof::of(&Values::defaults(SliderCrank1Dof::PARAMETERS));
    let fine = reference(&system)?;
    let end = &SLIDER_CRANK.at[1];
    let last = fine.last().ok_or("no reference")?;
    let off = (0..2).fold(0.0_f64, |most, i| most.max((last.q[i] - end.q[i]).abs()));
    report.compare(
        "reference by steps of 1e-4 s against 34 digits at 1 s",
        "0",
        format!("{off:.1e} rad"),
        off < 1e-12,
        "the reference is off",
    );
    let mut found = Vec::new();
    for (i, &dt) in STEPS.iter().enumerate() {
        found.push(inside(&system, &fine, dt)?);
        progress((i + 1) as f64 / STEPS.len() as f64);
    }
    // the finest steps end at round-off
    let fit = |pick: &dyn Fn(&Errors) -> f64, floor: f64| {
        let (x, y): (Vec<f64>, Vec<f64>) =
            STEPS.iter().zip(&found).map(|(dt, e)| (*dt, pick(e))).filter(|(_, e)| *e > floor).unzip();
        Order::fit(&x, &y)
    };
    type Case<'a> = (&'a str, &'a str, (f64, f64), &'a dyn Fn(&Errors) -> f64, f64);
    let cases: [Case<'_>; 7] = [
        ("q", "close to 5", (4.6, 5.4), &|e| e.q, 1e-13),
        ("v", "close to 5", (4.0, 5.4), &|e| e.v, 1e-12),
        ("v' by the form of index 1", "4", (4.0, 5.4), &|e| e.a, 1e-11),
        ("lambda by the form of index 1", "4", (4.0, 5.4), &|e| e.lambda, 1e-10),
        ("lambda from the stages", "3", (2.7, 3.4), &|e| e.stages, 1e-9),
        ("q by Hermite's polynomial", "", (4.6, 6.0), &|e| e.hermite[0], 1e-13),
        ("v by Hermite's polynomial", "", (4.6, 6.0), &|e| e.hermite[1], 1e-12),
    ];
    for (what, published, (least, most), pick, floor) in cases {
        let order = fit(pick, floor);
        let what = format!("Fig. 2.6: order of the error in {what}");
        if published.is_empty() {
            report.fact(what, order.to_string());
        } else {
            report.compare(
                what,
                published,
                order.to_string(),
                (least..=most).contains(&order.slope),
                "another order",
            );
        }
    }
    let worst = found.iter().fold(0.0_f64, |most, e| most.max(e.rows));
    report.compare(
        "dense output: |g'| inside steps",
        "it satisfies the velocity constraints",
        format!("{worst:.1e} m/s"),
        worst < 1e-13,
        "it does not",
    );
    let column =
        |name: &str, pick: &dyn Fn(&Errors) -> f64| (name.to_string(), found.iter().map(pick).collect());
    let panel = Panel::orders(
        "[Haddouni2015] Fig. 2.6: largest errors inside steps",
        "",
        "dt (s)",
        "error (unit in the legend)",
        &[3.0, 5.0],
    );
    let series = Series::new(
        "Fig. 2.6: largest errors inside steps",
        [
            ("dt (s)".to_string(), STEPS.to_vec()),
            column("q (rad)", &|e| e.q),
            column("v (rad/s)", &|e| e.v),
            column("v' (rad/s^2)", &|e| e.a),
            column("lambda (N)", &|e| e.lambda),
            column("lambda from the stages (N)", &|e| e.stages),
        ],
    );
    report.series.push(series.all_drawn(panel));
    report.note(
        "The dense output follows the errata: the printed (2.138) and (2.141) are of order 2 and 1, and violate the constraint.",
    );
    Ok(())
}

/// Knots every [`FINE`].
fn reference(system: &SliderCrank1Dof) -> Result<Vec<Knot>, Trouble> {
    let (q, v) = start(system)?;
    let mut driver = Driver::with(system, (&q, &v), &Hem5::default())?;
    let mut knots = vec![driver.from.clone()];
    for _ in 0..(END / FINE).round() as usize {
        driver.step(FINE).map_err(|e| e.explain(system).to_string())?;
        driver.accept()?;
        knots.push(driver.from.clone());
    }
    Ok(knots)
}

fn inside(system: &SliderCrank1Dof, fine: &[Knot], dt: f64) -> Result<Errors, Trouble> {
    let (q0, v0) = start(system)?;
    let say = |e: carom_dynamics::StepError| e.explain(system).to_string();
    let mut motion = Motion::new(system);
    motion.drift = carom_dynamics::Drift::None;
    let mut from = Knot::new(&motion);
    from.q.copy_from_slice(&q0);
    from.v.copy_from_slice(&v0);
    let mut at = motion.configuration(system, 0.0, &q0, &v0);
    motion.accelerations(system, &at, &mut from.a, &mut from.lambda).map_err(say)?;
    let mut method = Hem5::default().begin(system, &mut motion, &from).map_err(say)?;
    let mut to = from.clone();
    let (mut q, mut v) = (vec![0.0; 2], vec![0.0; 2]);
    let (mut a, mut lambda, mut rows) = (vec![0.0; 2], vec![0.0], vec![0.0]);
    let mut errors = Errors::default();
    let worse = |most: &mut f64, a: &[f64], b: &[f64]| {
        *most = a.iter().zip(b).fold(*most, |most, (a, b)| most.max((a - b).abs()));
    };
    for n in 0..(END / dt).round() as usize {
        method.step(system, &mut motion, &from, dt, &mut to).map_err(say)?;
        motion.place(system, to.t, &to.q, &to.v, &mut at);
        motion.accelerations(system, &at, &mut to.a, &mut to.lambda).map_err(say)?;
        for theta in PLACES {
            let exact = &fine[((n as f64 + theta) * dt / FINE).round() as usize];
            method.own_multipliers(theta, &mut lambda);
            worse(&mut errors.stages, &lambda, &exact.lambda);
            method.inside(system, &mut motion, &from, &to, theta, &mut q, &mut v).map_err(say)?;
            worse(&mut errors.q, &q, &exact.q);
            worse(&mut errors.v, &v, &exact.v);
            motion.place(system, exact.t, &q, &v, &mut at);
            motion.evaluate_rows(system, &at);
            motion.velocities(&v, &mut rows);
            errors.rows = errors.rows.max(rows[0].abs());
            motion.accelerations(system, &at, &mut a, &mut lambda).map_err(say)?;
            worse(&mut errors.a, &a, &exact.a);
            worse(&mut errors.lambda, &lambda, &exact.lambda);
            hermite(system, &from, &to, theta, &mut q, &mut v, motion.room());
            worse(&mut errors.hermite[0], &q, &exact.q);
            worse(&mut errors.hermite[1], &v, &exact.v);
        }
        std::mem::swap(&mut from, &mut to);
    }
    Ok(errors)
}
