//! Orders on the slider-crank without play.                                                [RezaeiSchindler] §4.1, Fig. 22
//!
//! Relative L¹ errors, `measure`, of the inclination of the rod, its angular velocity, and the normal force of the guide
//! over all steps of [0, 0.05] s. The source compares with a Simpack run; here the truth is the energy integral of
//! `slider_crank_bilateral`.

use crate::figure::Panel;
use crate::measure::{L1, Order, steps};
use crate::report::{Series, StudyReport};
use crate::running::{Method, watch};
use crate::slider_crank_bilateral::{Bilateral, Case, END, Precision};
use carom_systems::SliderCrank;

/// Step sizes per method.
const SIZES: usize = 12;
/// Step sizes of most of them, largest and smallest (s).
const USUAL: (f64, f64) = (2e-4, 8e-6);
const THIRD: (f64, f64) = (1.6e-5, 8e-6);
const FOURTH: (f64, f64) = (1e-3, 4e-5);
/// Step at which the drift is read (s).
const DRIFT_STEP: f64 = 1e-4;
const WHAT: [&str; 4] = ["position", "velocity", "force", "mean force over the step"];

/// A method, the largest and smallest of its step sizes, and the orders it should have.
struct Contestant {
    method: Method,
    /// Between these the error is that of the leading term: above two terms cancel, below iterations stop.
    steps: (f64, f64),
    /// Position, velocity, force at the end of the step; 0: nobody says.
    orders: [f64; 3],
    source: &'static str,
}

const fn plain(scheme: &'static str) -> Method {
    Method { label: scheme, scheme, parameters: &[] }
}

const fn alpha(label: &'static str, parameters: &'static [(&'static str, f64)]) -> Method {
    Method { label, scheme: "mixed-alpha", parameters }
}

const CONTESTANTS: [Contestant; 12] = [
    Contestant {
        method: alpha("mixed-alpha, rho = 0.8", &[("rho", 0.8)]),
        steps: USUAL,
        orders: [2.0; 3],
        source: "Fig. 22",
    },
    Contestant {
        method: alpha("mixed-alpha, rho = 0", &[("rho", 0.0)]),
        steps: USUAL,
        orders: [2.0; 3],
        source: "Fig. 22",
    },
    Contestant { method: plain("bathe"), steps: USUAL, orders: [2.0; 3], source: "Fig. 22" },
    Contestant { method: plain("ed-alpha"), steps: USUAL, orders: [2.0, 2.0, 0.0], source: "Table 4" },
    Contestant { method: plain("half-explicit"), steps: USUAL, orders: [2.0, 2.0, 0.0], source: "Table 4" },
    Contestant {
        method: plain("half-explicit-acceleration"),
        steps: USUAL,
        orders: [2.0, 2.0, 0.0],
        source: "[Schindler2015] §3",
    },
    Contestant {
        method: plain("half-explicit-3"),
        steps: THIRD,
        orders: [3.0, 3.0, 0.0],
        source: "[BraseyHairer1993]",
    },
    Contestant {
        method: plain("half-explicit-4"),
        steps: FOURTH,
        orders: [4.0, 4.0, 0.0],
        source: "[BraseyHairer1993]",
    },
    Contestant { method: plain("moreau-midpoint"), steps: USUAL, orders: [1.0, 1.0, 0.0], source: "Table 4" },
    Contestant {
        method: plain("moreau-explicit"),
        steps: USUAL,
        orders: [1.0, 1.0, 0.0],
        source: "[Schindler2015] Table 2",
    },
    Contestant {
        method: plain("moreau-jean"),
        steps: USUAL,
        orders: [2.0, 2.0, 0.0],
        source: "a step symmetric in time",
    },
    Contestant {
        method: plain("generalized-alpha"),
        steps: USUAL,
        orders: [2.0, 2.0, 0.0],
        source: "a step symmetric in time",
    },
];

/// Errors of position, velocity, force at the end of the steps, mean force over them.
fn errors(case: &Case, method: Method, step: f64) -> Result<[f64; 4], String> {
    let mut sums = [L1::default(); 4];
    watch(&case.system, method, (&case.q, &case.v), step, END, |state, _| {
        if state.t == 0.0 {
            return;
        }
        let exact = case.exact.at(state.t);
        sums[0].add(state.q[1], exact.theta[1]);
        sums[1].add(state.v[1], exact.omega[1]);
        sums[2].add(state.lambda_b[0], exact.force);
        sums[3].add(state.P_b[0] / step, case.exact.at(state.t - 0.5 * step).force);
    })?;
    Ok(sums.map(|sum| sum.relative()))
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let case = Case::table_1()?;
    reference(report, &case);
    for (i, contestant) in CONTESTANTS.iter().enumerate() {
        let (largest, smallest) = contestant.steps;
        let sizes = steps(largest, (smallest / largest).powf(1.0 / (SIZES - 1) as f64), SIZES);
        let mut columns = [const { Vec::new() }; 4];
        for (k, &step) in sizes.iter().enumerate() {
            let error = errors(&case, contestant.method, step)?;
            for (column, error) in columns.iter_mut().zip(error) {
                column.push(error);
            }
            progress((i * SIZES + k) as f64 / (CONTESTANTS.len() * SIZES) as f64);
        }
        judge(report, contestant, &sizes, &columns);
        let named = ["dt (s)", WHAT[0], WHAT[1], WHAT[2], WHAT[3]];
        let kept = std::iter::once(sizes).chain(columns);
        let mut series = Series::new(
            &format!("Fig. 22: relative L1 errors, {}", contestant.method.label),
            named.iter().map(|name| name.to_string()).zip(kept),
        );
        for what in WHAT {
            let panel = Panel::orders(
                "[RezaeiSchindler] Fig. 22: error over the step",
                what,
                "dt (s)",
                "relative L1 error",
                &[1.0, 2.0],
            );
            series =
                series.drawn(panel, |column| (column == what).then(|| contestant.method.label.to_string()));
        }
        report.series.push(series);
    }
    report.note(format!(
        "Orders are slopes over {SIZES} step sizes between {:.0e} and {:.0e} s; half-explicit-3 between {:.1e} and {:.0e} s \
         (a short range, chosen after the fact: with larger steps two terms of its error cancel and the slope swings, with smaller ones the tolerance \
         of its iteration shows), half-explicit-4 between {:.0e} and {:.0e} s.",
        USUAL.0, USUAL.1, THIRD.0, THIRD.1, FOURTH.0, FOURTH.1
    ));
    report.note(
        "Position, velocity and force are the inclination of the rod, its rate and the normal force of the guide; \
         errors are summed over all steps up to 0.05 s.",
    );
    drift(report, &case)?;
    report.note(
        "The reference of the source is a Simpack run. Ours is the exact motion: one degree of freedom, the energy \
         integral by Gauss quadrature, the force from the moment of momentum about the crank's pin.",
    );
    report.note(
        "The force at the end of a step has order 2 where a scheme solves for it there (mixed-alpha, bathe, half-explicit-acceleration). The others know \
         it as a mean over the step or a part of it: compared with the end of the step it has order 1 or what the tableau gives.",
    );
    Ok(())
}

/// How far a joint that is held in its accelerations or velocities gives way: |Φ| and |Φ'| of the guide.
fn drift(report: &mut StudyReport, case: &Case) -> Result<(), String> {
    let SliderCrank { l1, l2, .. } = *case.system.data();
    for scheme in ["half-explicit-acceleration", "half-explicit", "mixed-alpha", "bathe", "ed-alpha"] {
        let (mut place, mut speed) = (0.0_f64, 0.0_f64);
        watch(&case.system, plain(scheme), (&case.q, &case.v), DRIFT_STEP, END, |state, _| {
            let [(s1, c1), (s2, c2)] = [state.q[0], state.q[1]].map(f64::sin_cos);
            place = place.max((l1 * s1 + l2 * s2).abs());
            speed = speed.max((l1 * c1 * state.v[0] + l2 * c2 * state.v[1]).abs());
        })?;
        report.fact(
            format!("largest drift of the guide at {DRIFT_STEP:.0e} s, {scheme}"),
            format!("{place:.0e} m, {speed:.0e} m/s"),
        );
    }
    Ok(())
}

/// The reference against itself, with other panels.
fn reference(report: &mut StudyReport, case: &Case) {
    let other = Bilateral::new(SliderCrank::default(), END, Precision { panel: 0.17, points: 10 });
    let mut worst = [0.0_f64; 3];
    for k in 1..=500 {
        let t = END * f64::from(k) / 500.0;
        let (a, b) = (case.exact.at(t), other.at(t));
        let differences =
            [a.theta[1] - b.theta[1], (a.omega[1] - b.omega[1]) / 75.0, (a.force - b.force) / 100.0];
        for (worst, difference) in worst.iter_mut().zip(differences) {
            *worst = worst.max(difference.abs());
        }
    }
    report.fact(
        "reference against itself with other panels: position, velocity, force, relative",
        format!("{:.0e}, {:.0e}, {:.0e}", worst[0], worst[1], worst[2]),
    );
}

fn judge(report: &mut StudyReport, contestant: &Contestant, sizes: &[f64], columns: &[Vec<f64>; 4]) {
    let label = contestant.method.label;
    for (i, what) in WHAT.iter().enumerate() {
        let order = Order::fit(sizes, &columns[i]);
        let ours = format!("{order} (error at {:.1e} s: {:.1e})", sizes[0], columns[i][0]);
        let what = format!("order in L1, {what}, {label}");
        match contestant.orders.get(i) {
            Some(&expected) if expected > 0.0 => report.compare(
                what,
                format!("{expected} ({})", contestant.source),
                ours,
                order.is(expected),
                "the slope is another one",
            ),
            _ => report.fact(what, ours),
        }
    }
}
