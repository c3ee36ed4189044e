//! Orders of schemes on the bouncing bar of `chen_bar`, against the wave and against the exact motion of its elements.
//!
//! No scheme carries a jump over a mesh unharmed, so orders are fractions. A front that a scheme smears by damping
//! of order m (rate ~ h^m k^{m+1}) is h^{m/(m+1)} wide, and the energy of its edge is lost:
//!
//! ```text
//!   lost energy ~ h^{1/2}   first-order schemes, m = 1        h^{3/4}   second-order with damping, m = 3
//!               ~ h         none: the stop of the foot alone, whose mass is that of its element
//! ```
//!
//! What only disperses (phase errors of order 2) has a front h^{2/3} wide with a wake, which in L¹ is a pressure of order
//! 1/2. Short waves of linear elements are too fast, those of the trapezoidal rule too slow: at the printed ratio they stay
//! behind the front and the foot does not feel them before it leaves, at the small ratios of explicit schemes they come first.

use crate::bar::trace;
use crate::bar_exact::{Chain, Wave};
use crate::chen_bar::{ELEMENTS, END, STEP, TRAPEZOIDAL, WAVE, errors, made, named};
use crate::figure::{Panel, between};
use crate::measure::{L1, Order, steps, times};
use crate::report::{Series, StudyReport};
use crate::running::{CHEN, Method};

/// Sizes for orders: elements from, factor, count.
const SIZES: (f64, f64, usize) = (40.0, 1.17, 15);
/// Where in a step the touch falls makes the error jump: errors are means over so many places, evenly spaced.
const PHASES: usize = 3;
/// The exact motion of a chain is a sum of modes: it is asked for about so often.
const SAMPLES: usize = 400;
/// Steps alone are refined on a chain of so many elements.
const SHORT: usize = 20;

/// The bar started higher by parts of a step's way.
fn phases(step: f64) -> impl Iterator<Item = Wave> {
    (0..PHASES).map(move |k| {
        let part = (k as f64 + 0.5) / PHASES as f64;
        Wave { height: WAVE.height + part * WAVE.speed * step, ..WAVE }
    })
}

/// Elements alone: their exact motion, no steps.
pub fn elements(report: &mut StudyReport) -> Result<(), String> {
    let counts: Vec<usize> = (0..14).map(|k| (10.0 * 1.25_f64.powi(k)).round() as usize).collect();
    let sizes: Vec<f64> = counts.iter().map(|n| WAVE.length / *n as f64).collect();
    let mut columns = [Vec::new(), Vec::new(), Vec::new()];
    for &n in &counts {
        let chain = Chain::new(WAVE, n).ok_or("a chain is never let go")?;
        let mut error = [L1::default(); 2];
        for t in (0..SAMPLES).map(|k| k as f64 * END / SAMPLES as f64) {
            error[0].add(chain.place(0, t), WAVE.place(0.0, t));
            error[1].add(chain.place(n, t), WAVE.place(WAVE.length, t));
        }
        columns[0].push(error[0].relative());
        columns[1].push(error[1].relative());
        columns[2].push((1.0 - chain.lasts() / WAVE.lasts()).abs());
    }
    let names = ["foot", "top", "duration of the contact"];
    for (what, column) in names.iter().zip(&columns) {
        let order = Order::fit(&sizes, column);
        let what = format!("order in elements alone (exact in time), {what}");
        let ours = format!("{order}; {:.1e} with {} elements", column[13], counts[13]);
        if what.ends_with("top") {
            // it is hit once, early, and turned: an error of its own
            report.fact(what, ours);
        } else {
            report.compare(what, "2/3: a dispersed front", ours, order.is(2.0 / 3.0), "another order");
        }
    }
    let columns = std::iter::once(("element (m)".to_string(), sizes))
        .chain(names.iter().zip(columns).map(|(name, column)| (name.to_string(), column)));
    let panel = Panel::orders(
        "Errors of linear elements, exact in time",
        "",
        "element (m)",
        "relative error",
        &[2.0 / 3.0],
    );
    report.series.push(Series::new("errors of linear elements, exact in time", columns).all_drawn(panel));
    Ok(())
}

/// Steps alone, against the exact motion of a short chain.
pub fn step_sizes(report: &mut StudyReport) -> Result<(), String> {
    let sizes = steps(2e-3, 0.83, 14);
    let last = sizes.len() - 1;
    for method in [TRAPEZOIDAL, CHEN[0], CHEN[1], CHEN[2], named("bathe"), named("half-explicit")] {
        let mut column = Vec::new();
        for &step in &sizes {
            let mut sum = 0.0;
            for wave in phases(step) {
                let chain = Chain::new(wave, SHORT).ok_or("the chain is never let go")?;
                let trace = trace(&wave, made(SHORT, 0.0), method, step, END)?;
                let mut error = L1::default();
                for (i, &t) in trace.t.iter().enumerate().step_by(trace.t.len().div_ceil(SAMPLES)) {
                    error.add(trace.foot[i], chain.place(0, t));
                }
                sum += error.relative();
            }
            column.push(sum / PHASES as f64);
        }
        let order = Order::fit(&sizes, &column);
        report.compare(
            format!("order in steps alone, foot of {SHORT} elements, {}", method.label),
            "1 or more: the impact is not located",
            format!("{order}; {:.1e} at {:.1e} s", column[last], sizes[last]),
            order.slope + 0.15 > 1.0 && order.error < 0.15,
            "another order",
        );
    }
    Ok(())
}

/// As published: a soft start after impacts damps the front more.
const MIXED: Method =
    Method { label: "mixed-alpha", scheme: "mixed-alpha", parameters: &[("published", 1.0)] };

/// Elements and steps together, at the printed ratio: orders of the lost energy and of the pressure as the head says, for
/// generalized-α between those of damping and of none.
pub fn both(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    let printed = WAVE.c() * STEP * ELEMENTS as f64 / WAVE.length;
    let contestants = [
        (TRAPEZOIDAL, printed, Some("1"), 1.0, None),
        (CHEN[0], printed, None, 0.85, None),
        (CHEN[1], printed, Some("1/2"), 0.5, Some(0.5)),
        (CHEN[2], printed, Some("1/2"), 0.5, Some(0.5)),
        (MIXED, printed, Some("3/4"), 0.75, Some(0.75)),
        (named("bathe"), printed, Some("3/4"), 0.75, Some(0.75)),
        (named("ed-alpha"), printed, Some("3/4"), 0.75, Some(0.75)),
        (named("half-explicit"), 0.5, Some("1"), 1.0, Some(0.5)),
    ];
    let counts: Vec<usize> =
        (0..SIZES.2).map(|k| (SIZES.0 * SIZES.1.powi(k as i32)).round() as usize).collect();
    let sizes: Vec<f64> = counts.iter().map(|n| WAVE.length / *n as f64).collect();
    let mut series = vec![("element (m)".to_string(), sizes.clone())];
    let mut first: Option<Vec<f64>> = None;
    for (i, (method, courant, said, energy, pressure)) in contestants.into_iter().enumerate() {
        let mut columns = [const { Vec::new() }; 4];
        for (&n, l) in counts.iter().zip(&sizes) {
            let step = courant * l / WAVE.c();
            let mut sum = [0.0; 4];
            for wave in phases(step) {
                let trace = trace(&wave, made(n, 0.0), method, step, END)?;
                let error = errors(&wave, &trace);
                for (sum, e) in sum.iter_mut().zip([error[0], error[1], error[2], trace.lost()]) {
                    *sum += e / PHASES as f64;
                }
            }
            columns.iter_mut().zip(sum).for_each(|(column, e)| column.push(e));
        }
        let order = columns.each_ref().map(|column| Order::fit(&sizes, column));
        report.compare(
            format!("order of the lost energy, elements and steps together, {}", method.label),
            said.unwrap_or("between 3/4 and 1"),
            format!("{}", order[3]),
            order[3].is(energy),
            "another order",
        );
        let what = format!("order of the pressure in L1, elements and steps together, {}", method.label);
        match pressure {
            Some(expected) => {
                report.compare(
                    what,
                    format!("{expected}"),
                    format!("{}", order[2]),
                    order[2].is(expected),
                    "another order",
                );
            }
            None => report.fact(what, format!("{}", order[2])),
        }
        report.fact(
            format!("orders of foot and top in L1, elements and steps together, {}", method.label),
            format!("{}, {}", order[0], order[1]),
        );
        if let Some(first) = &first {
            report.fact(
                format!(
                    "error of the foot over that of {}, mean over the sizes, {}",
                    TRAPEZOIDAL.label, method.label
                ),
                format!("{:.1}", times(&columns[0], first)),
            );
        } else {
            first = Some(columns[0].clone());
        }
        for (name, column) in ["foot", "top", "pressure", "energy"].iter().zip(columns) {
            series.push((format!("{name}, {}", method.label), column));
        }
        progress((i + 1) as f64 / contestants.len() as f64);
    }
    let mut series = Series::new(
        "errors and lost energy over the size of an element, at a fixed ratio to the step",
        series,
    );
    for (name, up, orders) in [
        ("foot", "relative L1 error", [0.5, 1.0]),
        ("top", "relative L1 error", [0.5, 1.0]),
        ("pressure", "relative L1 error", [0.5, 0.75]),
        ("energy", "part of the energy lost", [0.5, 1.0]),
    ] {
        let panel = Panel::orders(
            "Errors and lost energy over the size of an element, at a fixed ratio to the step",
            name,
            "element (m)",
            up,
            &orders,
        );
        series = series.drawn(panel, |column| between(column, &format!("{name}, "), ""));
    }
    report.series.push(series);
    Ok(())
}
