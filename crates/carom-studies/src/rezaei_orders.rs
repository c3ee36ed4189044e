//! Orders on the slider-crank without play.                                                [RezaeiSchindler] §4.1, Fig. 22
//!
//! Relative L¹ errors, `measure`, of the inclination of the rod, its angular velocity, and the normal force of the guide
//! over all steps of [0, 0.05] s. The source compares with a Simpack run; here the truth is the energy integral of
//! `slider_crank_bilateral`.

use crate::measure::{L1, Order, range, steps};
use crate::report::{Series, StudyReport};
use crate::running::{Method, watch};
use crate::slider_crank_bilateral::{Bilateral, Case, END, Precision};
use carom_systems::SliderCrank;

/// Step sizes per method.
const SIZES: usize = 12;
const RATIO: f64 = 0.75;
const WHAT: [&str; 3] = ["position", "velocity", "force"];

/// A method, the largest of its step sizes (high orders reach round-off soon), and the orders it should have.
struct Contestant {
    method: Method,
    largest: f64,
    /// Position, velocity, force; a force that has no known order has 0.
    orders: [f64; 3],
    source: &'static str,
    /// Whether `lambda_b` is the mean over the step: compared with the exact force at its middle as well.
    mean_force: bool,
}

const fn plain(scheme: &'static str) -> Method {
    Method { label: scheme, scheme, parameters: &[] }
}

const FIGURE: &str = "Fig. 22";

fn contestants() -> Vec<Contestant> {
    let mixed = |method, source| Contestant {
        method,
        largest: 2e-4,
        orders: [2.0, 2.0, 2.0],
        source,
        mean_force: false,
    };
    let impulses = |scheme, orders| Contestant {
        method: plain(scheme),
        largest: 2e-4,
        orders,
        source: "",
        mean_force: true,
    };
    let alpha = |label, parameters| Method { label, scheme: "mixed-alpha", parameters };
    let high = |scheme, order| Contestant {
        method: plain(scheme),
        largest: 1.2e-3,
        orders: [order, order, 0.0],
        source: "[BraseyHairer1993]",
        mean_force: false,
    };
    vec![
        mixed(alpha("mixed-alpha, rho = 0.8", &[("rho", 0.8)]), FIGURE),
        mixed(alpha("mixed-alpha, rho = 0", &[("rho", 0.0)]), FIGURE),
        mixed(plain("bathe"), FIGURE),
        mixed(plain("ed-alpha"), "text of §4.4"),
        mixed(plain("half-explicit"), "text of §4.4"),
        high("half-explicit-3", 3.0),
        high("half-explicit-4", 4.0),
        Contestant { source: "Table 4", ..impulses("moreau-midpoint", [1.0; 3]) },
        Contestant { source: "[Schindler2015] Table 2", ..impulses("moreau-explicit", [1.0; 3]) },
        impulses("moreau-jean", [2.0, 2.0, 1.0]),
        impulses("generalized-alpha", [2.0, 2.0, 1.0]),
    ]
}

/// Errors of position, velocity, force at the end of the steps, force at their middle.
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
        sums[3].add(state.lambda_b[0], case.exact.at(state.t - 0.5 * step).force);
    })?;
    Ok(sums.map(|sum| sum.relative()))
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    if let Err(why) = fill(&mut report, progress) {
        report.compare("runs to the end", "yes", why, false, "a run failed");
    }
    progress(1.0);
    report
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let case = Case::table_1()?;
    reference(report, &case);
    let all = contestants();
    let mut forces_at_end: Vec<f64> = Vec::new();
    for (i, contestant) in all.iter().enumerate() {
        let sizes = steps(contestant.largest, RATIO, SIZES);
        let mut columns = [const { Vec::new() }; 4];
        for (k, &step) in sizes.iter().enumerate() {
            let error = errors(&case, contestant.method, step)?;
            for (column, error) in columns.iter_mut().zip(error) {
                column.push(error);
            }
            progress((i * SIZES + k) as f64 / (all.len() * SIZES) as f64);
        }
        judge(report, contestant, &sizes, &columns);
        if contestant.orders[2] == 2.0 {
            forces_at_end.push(Order::fit(&sizes, &columns[2]).slope);
        }
        let named = ["dt (s)", WHAT[0], WHAT[1], WHAT[2], "force, against the middle of the step"];
        let kept = std::iter::once(sizes).chain(columns);
        report.series.push(Series::new(
            &format!("Fig. 22: relative L1 errors, {}", contestant.method.label),
            named.iter().map(|name| name.to_string()).zip(kept),
        ));
    }
    let (least, most) = range(forces_at_end);
    report.note(format!(
        "Orders are slopes over {SIZES} step sizes at the ratio {RATIO}, from 2e-4 s down to 8e-6 s (half-explicit-3 and -4 from 1.2e-3 s). \
         Position, velocity and force are the inclination of the rod, its rate and the normal force of the guide. \
         The forces of the second-order mixed schemes have order {least:.2} to {most:.2}."
    ));
    report.note(
        "The reference of the source is a Simpack run. Ours is the exact motion: one degree of freedom, the energy \
         integral by Gauss quadrature, the force from the moment of momentum about the crank's pin.",
    );
    report.note(
        "Schemes with impulses over the step know the mean force of a step, not the force at its end: compared with the exact \
         force at the end of the step the error has order 1, with that at its middle the order of the scheme.",
    );
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
        let expected = contestant.orders[i];
        if contestant.source.is_empty() || expected == 0.0 {
            report.fact(what, ours);
        } else {
            report.compare(
                what,
                format!("{expected} ({})", contestant.source),
                ours,
                order.is(expected),
                "the slope is another one",
            );
        }
    }
    if contestant.mean_force {
        let order = Order::fit(sizes, &columns[3]);
        report.fact(
            format!("order in L1, mean force against the middle of the step, {label}"),
            format!("{order} (error at {:.1e} s: {:.1e})", sizes[0], columns[3][0]),
        );
    }
}
