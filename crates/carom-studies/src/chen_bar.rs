//! The bouncing elastic bar of [Chen2013] §5.3 (Figs 9, 10).
//!
//! E = 900 Pa, ρ = 1 kg/m³, L = 10 m, no gravity; the foot comes from 5 m with 10 m/s. 200 elements, dt = 2e-3 s, e = 0:
//! a wave crosses 1.2 elements in a step. The section is not printed: 1 m². Truth is the wave itself (file `bar_exact`).
//!
//! First touch, 0.5 s, is 250 steps: round-off decides in which step the contact is found.

use crate::bar::{Make, Trace, trace};
use crate::bar_exact::Wave;
use crate::bar_orders;
use crate::figure::{Panel, between, linear};
use crate::measure::{L1, Order};
use crate::report::{Series, StudyReport};
use crate::running::{CHEN, FORMULATIONS, MOREAU, Method, NONSMOOTH_NEWMARK, stepping_schemes};

pub const WAVE: Wave = Wave { young: 900.0, density: 1.0, area: 1.0, length: 10.0, height: 5.0, speed: 10.0 };
pub const ELEMENTS: usize = 200;
pub const STEP: f64 = 2e-3;
/// Explicit schemes need less than l/(c √3) = 9.6e-4 s.
const EXPLICIT_STEP: f64 = 8e-4;
/// Long enough for the flight after the contact, which ends at 1.167 s (s).
pub const END: f64 = 1.6;
/// A run whose energy grows beyond this is unstable.
const STABLE: f64 = 1.02;
/// The force is read where fronts do not disturb it: this part of the contact is left out at both ends.
const MARGIN: f64 = 0.1;
/// Series have about this many points.
const POINTS: usize = 800;

pub const TRAPEZOIDAL: Method =
    Method { label: "Moreau-Jean, theta = 1/2", scheme: "moreau-jean", parameters: &[("theta", 0.5)] };

/// A scheme with its defaults.
pub fn named(name: &'static str) -> Method {
    Method { label: name, scheme: name, parameters: &[] }
}

/// The bar without damping.
pub fn made(elements: usize, restitution: f64) -> Make {
    Make { elements, restitution, damping: 0.0 }
}

/// Relative L¹ errors of foot, top and force.
pub fn errors(wave: &Wave, trace: &Trace) -> [f64; 3] {
    let mut errors = [L1::default(); 3];
    for (i, &t) in trace.t.iter().enumerate() {
        errors[0].add(trace.foot[i], wave.place(0.0, t));
        errors[1].add(trace.top[i], wave.place(wave.length, t));
        errors[2].add(trace.force[i], wave.force(t));
    }
    errors.map(|e| e.relative())
}

fn pressure(trace: &Trace) -> (f64, f64) {
    let margin = MARGIN * WAVE.lasts();
    let (mean, deviation) = trace.force_between(WAVE.touch() + margin, WAVE.release() - margin);
    (mean / WAVE.area, deviation / WAVE.area)
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    printed(report)?;
    progress(0.05);
    schemes(report);
    formulations(report);
    progress(0.2);
    euler(report)?;
    progress(0.4);
    restitution(report)?;
    progress(0.5);
    bar_orders::elements(report)?;
    progress(0.6);
    bar_orders::step_sizes(report)?;
    progress(0.7);
    bar_orders::both(report, &mut |p| progress(0.7 + 0.3 * p))?;
    report.note(
        "The section of the bar is not printed; pressure and relative energies do not depend on it. The mass matrix is \
         consistent.",
    );
    report.note(
        "The pressure is what a scheme reports at the end of a step, the momentum what its motion shows: where the two do not \
         fit, as with hunt-crossley in its default stiffness, the reported force is that of an inner stage.",
    );
    report.note(
        "\"Generalized-alpha loses least\" holds among the three printed schemes; the trapezoidal rule (Moreau-Jean with \
         theta = 1/2, Newmark) loses less still: nothing but the energy of the foot's own share of mass.",
    );
    Ok(())
}

/// What the text and Figs 9 and 10 say of three schemes.
fn printed(report: &mut StudyReport) -> Result<(), String> {
    report.compare(
        "contact lasts 2 L (rho/E)^(1/2) (s), exact",
        "2/3",
        format!("{:.6}", WAVE.lasts()),
        (WAVE.lasts() - 2.0 / 3.0).abs() < 1e-12,
        "another duration",
    );
    let traces: Vec<Trace> = CHEN
        .into_iter()
        .map(|method| trace(&WAVE, made(ELEMENTS, 0.0), method, STEP, END))
        .collect::<Result<_, _>>()?;
    for (method, trace) in CHEN.iter().zip(&traces) {
        let lasts = trace.release() - WAVE.touch();
        report.compare(
            format!("contact lasts (s), {}", method.label),
            "2/3 (Fig. 9)",
            format!("{lasts:.3}"),
            (lasts - WAVE.lasts()).abs() < 3.0 * STEP,
            "more than three steps off: a front that damping has spread lets go of the foot early, of which the source says only that \
             generalized-alpha is better near the take-off",
        );
        let (mean, deviation) = pressure(trace);
        report.compare(
            format!("pressure on the foot (Pa), {}", method.label),
            format!("{:.0}, stable (Fig. 9)", WAVE.pressure()),
            format!("{mean:.2} ± {deviation:.2}"),
            (mean / WAVE.pressure() - 1.0).abs() < 0.01 && deviation < 0.03 * WAVE.pressure(),
            "not the pressure of the wave",
        );
    }
    let errors: Vec<[f64; 3]> = traces.iter().map(|trace| errors(&WAVE, trace)).collect();
    for (i, what) in ["position of the foot", "position of the top", "pressure"].iter().enumerate() {
        report.compare(
            format!("L1 error of the {what}: generalized-alpha, Moreau-Jean, Newmark"),
            "generalized-alpha best (Fig. 9)",
            format!("{:.1e}, {:.1e}, {:.1e}", errors[0][i], errors[1][i], errors[2][i]),
            errors[0][i] < errors[1][i] && errors[0][i] < errors[2][i],
            "another one is better",
        );
    }
    let twin = trace(&WAVE, made(ELEMENTS, 0.0), NONSMOOTH_NEWMARK, STEP, END)?;
    report.fact(
        format!(
            "contact lasts, pressure, momentum turned, L1 errors of foot and pressure, energy lost: {}",
            NONSMOOTH_NEWMARK.label
        ),
        outcome(&twin, STEP),
    );
    let lost: Vec<f64> = traces.iter().map(Trace::lost).collect();
    let trapezoidal = trace(&WAVE, made(ELEMENTS, 0.0), TRAPEZOIDAL, STEP, END)?;
    report.compare(
        "energy lost: generalized-alpha, Newmark, Moreau-Jean",
        "generalized-alpha least (Fig. 10)",
        format!("{:.2} %, {:.2} %, {:.2} %", 100.0 * lost[0], 100.0 * lost[2], 100.0 * lost[1]),
        lost[0] < lost[2] && lost[2] < lost[1],
        "another order",
    );
    let stop = WAVE.stop_loss(ELEMENTS, STEP) / WAVE.energy();
    report.compare(
        "energy lost: Moreau-Jean with theta = 1/2",
        format!("less than generalized-alpha; {:.4} % (closed form)", 100.0 * stop),
        format!("{:.4} %", 100.0 * trapezoidal.lost()),
        trapezoidal.lost() < lost[0] && (trapezoidal.lost() / stop - 1.0).abs() < 1e-6,
        "not what the stop of the foot costs",
    );
    let mut columns = vec![("t (s)".to_string(), traces[0].thinned(&traces[0].t, POINTS))];
    let exact = |f: &dyn Fn(f64) -> f64| columns[0].1.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    let truth = [
        ("foot, exact (m)", exact(&|t| WAVE.place(0.0, t))),
        ("top, exact (m)", exact(&|t| WAVE.place(WAVE.length, t))),
        ("pressure, exact (Pa)", exact(&|t| WAVE.force(t) / WAVE.area)),
    ];
    columns.extend(truth.map(|(name, values)| (name.to_string(), values)));
    for (method, trace) in CHEN.iter().zip(&traces) {
        for (name, column) in [
            ("foot", &trace.foot),
            ("top", &trace.top),
            ("pressure", &trace.force),
            ("energy", &trace.energy),
        ] {
            columns.push((format!("{name}, {}", method.label), trace.thinned(column, POINTS)));
        }
    }
    let mut series = Series::new("Figs 9 and 10: ends, pressure and energy at 2e-3 s", columns);
    for (figure, name, unit) in [
        ("[Chen2013] Fig. 9: ends and pressure at 2e-3 s", "foot", "m"),
        ("[Chen2013] Fig. 9: ends and pressure at 2e-3 s", "top", "m"),
        ("[Chen2013] Fig. 9: ends and pressure at 2e-3 s", "pressure", "Pa"),
        ("[Chen2013] Fig. 10: energy at 2e-3 s", "energy", "J"),
    ] {
        let panel = Panel::new(figure, name, linear("t (s)"), linear(&format!("{name} ({unit})")));
        series = series.drawn(panel, |column| {
            let label = between(column, &format!("{name}, "), "")?;
            Some(label.trim_end_matches(&format!(" ({unit})")).to_string())
        });
    }
    report.series.push(series);
    Ok(())
}

/// Every scheme there is, at the printed step, or if it cannot at one that explicit schemes can.
fn schemes(report: &mut StudyReport) {
    for method in stepping_schemes() {
        let attempt = |step: f64| {
            let trace = trace(&WAVE, made(ELEMENTS, 0.0), method, step, END)?;
            if trace.most() < STABLE { Ok((step, trace)) } else { Err("energy grows".to_string()) }
        };
        let what = format!(
            "contact lasts, pressure, momentum turned, L1 errors of foot and pressure, energy lost: {}",
            method.label
        );
        let expected = format!(
            "{:.4} s, {:.0} Pa, {:.0} N s, -, -, none (wave)",
            WAVE.lasts(),
            WAVE.pressure(),
            impulse()
        );
        match attempt(STEP).or_else(|_| attempt(EXPLICIT_STEP)) {
            Err(why) => report.compare(
                what,
                expected,
                why,
                false,
                "unstable at 2e-3 s and 8e-4 s: forward Euler lets an undamped vibration grow by (1 + (omega h)^2)^(1/2) a \
                 step, whatever the step",
            ),
            Ok((step, trace)) => {
                let lasts = trace.release() - WAVE.touch();
                report.compare(
                    what,
                    expected,
                    outcome(&trace, step),
                    (lasts - WAVE.lasts()).abs() < 3.0 * STEP
                        && (pressure(&trace).0 / WAVE.pressure() - 1.0).abs() < 0.01
                        && (trace.turned / impulse() - 1.0).abs() < 0.05
                        && trace.lost() > 0.0,
                    "contact more than three steps off, pressure more than one percent, momentum more than five, or energy gained",
                );
            }
        }
    }
}

/// The contact formulations of [Ebrahimi2007] with their defaults, which [Chen2013] does not know.
fn formulations(report: &mut StudyReport) {
    for name in FORMULATIONS {
        let ours = match trace(&WAVE, made(ELEMENTS, 0.0), named(name), EXPLICIT_STEP, END) {
            Err(why) => why,
            Ok(trace) if trace.most() > STABLE => "energy grows".into(),
            Ok(trace) => outcome(&trace, EXPLICIT_STEP),
        };
        report.fact(
            format!("contact lasts, pressure, momentum turned, L1 errors of foot and pressure, energy lost: {name}"),
            ours,
        );
    }
}

/// 2 m v_0: what the wall gives in all.
fn impulse() -> f64 {
    WAVE.force(WAVE.touch() + 0.5 * WAVE.lasts()) * WAVE.lasts()
}

fn outcome(trace: &Trace, step: f64) -> String {
    let ((mean, deviation), error) = (pressure(trace), errors(&WAVE, trace));
    format!(
        "{:.4} s, {mean:.1} ± {deviation:.1} Pa, {:.1} N s, {:.1e}, {:.1e}, {:.3} % at {step:.0e} s",
        trace.release() - WAVE.touch(),
        trace.turned,
        error[0],
        error[2],
        100.0 * trace.lost()
    )
}

/// Fig. 10: the finer Moreau–Jean runs, and what backward Euler makes of a front.
fn euler(report: &mut StudyReport) -> Result<(), String> {
    let sizes = [STEP, 0.1 * STEP, 0.01 * STEP];
    let mut lost = Vec::new();
    for step in sizes {
        let trace = trace(&WAVE, made(ELEMENTS, 0.0), MOREAU, step, END)?;
        let release = trace.t.partition_point(|t| *t < WAVE.release());
        let until = trace.energy[0] - trace.energy[release];
        let predicted = WAVE.euler_loss(step);
        report.compare(
            format!(
                "energy lost until take-off (J of {:.0}), Moreau-Jean, theta = 1, {step:.0e} s",
                WAVE.energy()
            ),
            format!("{predicted:.2} (closed form: a front that diffuses)"),
            format!("{until:.2}"),
            (until / predicted - 1.0).abs() < 0.02,
            "not the loss of a front that diffuses with h c²/2",
        );
        lost.push(trace.lost());
    }
    let order = Order::fit(&sizes, &lost);
    report.compare(
        "energy lost in all, Moreau-Jean, theta = 1, at 2e-3, 2e-4, 2e-5 s",
        "goes to none (Fig. 10), as h^(1/2)",
        format!(
            "{:.2} %, {:.2} %, {:.2} %: order {:.2}",
            100.0 * lost[0],
            100.0 * lost[1],
            100.0 * lost[2],
            order.slope
        ),
        order.is(0.5),
        "another rate",
    );
    Ok(())
}

/// Insensitivity to e: every run against e = 0, coarse and fine.
fn restitution(report: &mut StudyReport) -> Result<(), String> {
    for (method, values) in [(CHEN[0], &[0.5, 0.9][..]), (TRAPEZOIDAL, &[0.9])] {
        let at =
            |e: f64, fine: usize| trace(&WAVE, made(ELEMENTS * fine, e), method, STEP / fine as f64, END);
        let (coarse, fine) = (at(0.0, 1)?, at(0.0, 8)?);
        let off =
            |a: &Trace, b: &Trace| a.foot.iter().zip(&b.foot).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        for &e in values {
            let (far, near) = (off(&at(e, 1)?, &coarse), off(&at(e, 8)?, &fine));
            report.compare(
                format!("foot with e = {e} off that with e = 0 by at most, mesh and step as printed and 8 times finer, {}", method.label),
                "insensitive when refined",
                format!("{far:.1e} m, {near:.1e} m"),
                near < 0.4 * far && near < 1e-3 * WAVE.length,
                "e matters",
            );
        }
    }
    Ok(())
}
