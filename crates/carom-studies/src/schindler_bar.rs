//! The elastic bar against a rigid obstacle of [Schindler2015] §6.1 (Table 5, Figs 13-15).
//!
//! L = 1 m, S = π 1e-4 m², ρ = 7800 kg/m³, E = 2.1e11 Pa, v_0 = 0.1 m/s; half-explicit at velocity level, dt = 1e-7 s, 50 and
//! 1000 elements. Truth is the wave (file `bar_exact`): contact for 2L/c_0, force E S v_0/c_0.
//!
//! Stiffness damping, C = β K. Printed is β = 10⁻³/E s = 4.761e-6 s, which is no identity; 10³/E = 4.762e-9 s is the one
//! reading that is stable and damps. An explicit step with C in the force needs h β ω² < 2 beside h ω < 2,
//! ω = 2 √3 c_0/l: with 1000 elements 1e-7 · 4.76e-6 · ω² = 154.
//!
//! Where the foot starts is not printed: half a step above the floor after 99 of them, so that the touch falls into the
//! middle of a step and the foot sinks in by v_0 dt/2 = 5e-9 m.

use crate::bar::{Make, Trace, trace};
use crate::bar_exact::Wave;
use crate::figure::{Panel, between, linear};
use crate::report::{Series, StudyReport};
use crate::running::Method;
use std::f64::consts::PI;

const WAVE: Wave = Wave {
    young: 2.1e11,
    density: 7800.0,
    area: PI * 1e-4,
    length: 1.0,
    height: 99.5 * STEP * 0.1,
    speed: 0.1,
};
const STEP: f64 = 1e-7;
/// The flight after the contact is as long as half of it (s).
const END: f64 = 6e-4;
/// 10³/E.
const DAMPING: f64 = 1e3 / WAVE.young;
/// As printed.
const PRINTED_DAMPING: f64 = 4.761e-6;
/// The other reading: 10⁻³/E.
const SMALL_DAMPING: f64 = 1e-3 / WAVE.young;
/// Parts of the contact where the force is read: before and after the front turns round at the top.
const HALVES: [(f64, f64); 2] = [(0.05, 0.45), (0.55, 0.95)];
/// Series have about this many points.
const POINTS: usize = 1000;

const HALF_EXPLICIT: Method = Method { label: "half-explicit", scheme: "half-explicit", parameters: &[] };

fn go(elements: usize, damping: f64) -> Result<Trace, String> {
    trace(&WAVE, Make { elements, restitution: 0.0, damping }, HALF_EXPLICIT, STEP, END)
}

/// Mean and deviation of the force in both halves of the contact.
fn forces(trace: &Trace) -> [(f64, f64); 2] {
    HALVES.map(|(from, to)| {
        trace.force_between(WAVE.touch() + from * WAVE.lasts(), WAVE.touch() + to * WAVE.lasts())
    })
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, fill)
}

fn fill(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), String> {
    table(report);
    let coarse = go(50, 0.0)?;
    progress(0.1);
    let fine = go(1000, 0.0)?;
    progress(0.4);
    let damped = go(1000, DAMPING)?;
    progress(0.7);
    for (name, trace) in
        [("50 elements", &coarse), ("1000 elements", &fine), ("1000 elements, damped", &damped)]
    {
        contact(report, name, trace);
    }
    undamped(report, &coarse, &fine);
    damping(report, &fine, &damped);
    progress(0.9);
    let columns = [("N = 50", &coarse), ("N = 1000", &fine), ("N = 1000, damped", &damped)];
    let mut series = vec![("t (s)".to_string(), fine.thinned(&fine.t, POINTS))];
    for (name, trace) in columns {
        for (what, column) in [
            ("foot (m)", &trace.foot),
            ("speed of the foot (m/s)", &trace.speed),
            ("force (N)", &trace.force),
            ("energy (J)", &trace.energy),
        ] {
            series.push((format!("{what}, {name}"), trace.thinned(column, POINTS)));
        }
    }
    let mut series = Series::new("Figs 13-15: foot, force and energy at 1e-7 s", series);
    for what in ["foot (m)", "speed of the foot (m/s)", "force (N)", "energy (J)"] {
        let figure = "[Schindler2015] Figs 13-15: foot, force and energy at 1e-7 s";
        let panel = Panel::new(figure, "", linear("t (s)"), linear(what)).of(what);
        series = series.drawn(panel, |column| between(column, &format!("{what}, "), ""));
    }
    report.series.push(series);
    report.note(format!(
        "Damping used: C = beta K with beta = 1e3/E = {DAMPING:.3e} s. Printed is \"10^-3/E s = 4.761e-6 s\", two values that \
         are not equal, and neither gives Fig. 15: the first does nothing, the second is far beyond the stability limit of an \
         explicit step with 1000 elements."
    ));
    report.note("The start of the foot is not printed; here it touches in the middle of a step.");
    Ok(())
}

fn table(report: &mut StudyReport) {
    let digits = |ours: f64, printed: f64| (ours / printed - 1.0).abs() < 5e-4;
    for (what, printed, ours) in [
        ("speed of waves c_0 (m/s)", 5.188e3, WAVE.c()),
        ("contact lasts T (s), exact", 3.854e-4, WAVE.lasts()),
        ("force of the contact tau (N), exact", 1.271e3, WAVE.pressure() * WAVE.area),
    ] {
        report.compare(
            format!("Table 5: {what}"),
            format!("{printed:.3e}"),
            format!("{ours:.5e}"),
            digits(ours, printed),
            "more than the last digit, which the table cuts off",
        );
    }
}

fn contact(report: &mut StudyReport, name: &str, trace: &Trace) {
    let lasts = trace.release() - WAVE.touch();
    report.compare(
        format!("contact lasts (s), {name}"),
        "3.854e-4, well approximated",
        format!("{lasts:.3e}"),
        (lasts / WAVE.lasts() - 1.0).abs() < 0.02,
        "more than two percent off",
    );
    let first = trace.t.partition_point(|t| *t < WAVE.touch() + 2.0 * STEP);
    let last = trace.t.partition_point(|t| *t < trace.release() - STEP);
    let speed = trace.speed[first..last].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    report.compare(
        format!("largest speed of the foot while it is closed (m/s), and contact never lost, {name}"),
        "0 (Figs 13-15)",
        format!("{speed:.1e}"),
        speed < 1e-12 * WAVE.speed && trace.force[first..last].iter().all(|f| *f > 0.0),
        "it chatters",
    );
    let [(mean, deviation), _] = forces(trace);
    report.compare(
        format!("force in the first half of the contact (N), {name}"),
        "1.271e3, well approximated",
        format!("{mean:.2} ± {deviation:.2}"),
        (mean / (WAVE.pressure() * WAVE.area) - 1.0).abs() < 2e-3 && deviation < 0.01 * mean,
        "not constant",
    );
}

fn undamped(report: &mut StudyReport, coarse: &Trace, fine: &Trace) {
    report.compare(
        "violation of the constraint (m), 50 elements",
        "5e-9",
        format!("{:.1e}", coarse.penetration()),
        (coarse.penetration() / 5e-9 - 1.0).abs() < 0.02,
        "not half a step's way",
    );
    for (name, trace, most) in [("50 elements", coarse, 0.5), ("1000 elements", fine, 0.5)] {
        let [_, (mean, deviation)] = forces(trace);
        report.compare(
            format!("force in the second half of the contact (N), {name}"),
            "oscillates (Figs 13, 14)",
            format!("{mean:.1} ± {deviation:.1}"),
            deviation > 0.02 * mean && deviation < most * mean,
            "it does not",
        );
    }
    // the stop of the foot: impulse m̂ v_0 and energy ½ m̂ v_0², m̂ = √3/6 ρ S l
    for (name, elements, trace) in [("50 elements", 50, coarse), ("1000 elements", 1000, fine)] {
        let loss = WAVE.stop_loss(elements, 0.0);
        let impulse = 2.0 * loss / WAVE.speed;
        report.compare(
            format!("impulse (N s) and energy lost at the impact, {name}"),
            format!("{impulse:.3e}, {:.3e} (closed form), smaller with more elements", loss / WAVE.energy()),
            format!("{:.3e}, {:.3e}", trace.impulse, trace.impact_loss / WAVE.energy()),
            (trace.impulse / impulse - 1.0).abs() < 0.01 && (trace.impact_loss / loss - 1.0).abs() < 0.02,
            "not what the share of mass of the foot makes",
        );
    }
    report.compare(
        "energy lost in all, 50 and 1000 elements",
        "less with 1000 (Figs 13, 14)",
        format!("{:.3} %, {:.3} %", 100.0 * coarse.lost(), 100.0 * fine.lost()),
        fine.lost() < 0.2 * coarse.lost() && fine.lost() > 0.0,
        "not less",
    );
}

fn damping(report: &mut StudyReport, fine: &Trace, damped: &Trace) {
    let [_, (mean, before)] = forces(fine);
    let [_, (_, after)] = forces(damped);
    report.compare(
        format!(
            "force oscillates in the second half (N), 1000 elements, without and with beta = {DAMPING:.3e} s"
        ),
        "nearly damped out (Fig. 15)",
        format!("± {before:.2} and ± {after:.1e} of {mean:.0}"),
        after < 1e-3 * before,
        "it still does",
    );
    let flight = WAVE.release() + 0.1 * WAVE.lasts();
    let ((_, before), (mean, after)) = (fine.speed_after(flight), damped.speed_after(flight));
    report.compare(
        "speed of the foot after the contact (m/s), with damping",
        "smooth (Fig. 15)",
        format!("{mean:.5} ± {after:.1e}; without ± {before:.1e}"),
        after < 1e-2 * before && (mean / WAVE.speed - 1.0).abs() < 0.01,
        "it vibrates",
    );
    report.compare(
        "energy decays with damping",
        "yes (Fig. 15)",
        format!("{:.2} % lost in all, {:.2} % without", 100.0 * damped.lost(), 100.0 * fine.lost()),
        damped.lost() > 5.0 * fine.lost() && damped.most() <= 1.0 + 1e-12,
        "it does not",
    );
    let omega = 2.0 * 3f64.sqrt() * WAVE.c() * 1000.0 / WAVE.length;
    let ratio = STEP * PRINTED_DAMPING * omega * omega;
    match go(1000, PRINTED_DAMPING) {
        Err(why) => report.compare(
            "1000 elements with the printed 4.761e-6 s",
            "Fig. 15",
            why,
            false,
            &format!(
                "unstable: h beta omega^2 = {ratio:.0} for the fastest vibration, where an explicit step takes 2; with 1e3/E it is {:.2}",
                STEP * DAMPING * omega * omega
            ),
        ),
        Ok(trace) => report.fact("1000 elements with the printed 4.761e-6 s: energy lost", format!("{:.2}", trace.lost())),
    }
    if let Ok(trace) = go(1000, SMALL_DAMPING) {
        let [_, (_, deviation)] = forces(&trace);
        report.compare(
            "1000 elements with 1e-3/E = 4.762e-15 s: oscillation of the force (N)",
            "nearly damped out (Fig. 15)",
            format!("± {deviation:.2}; ± {before_force:.2} without", before_force = forces(fine)[1].1),
            deviation < 0.1 * forces(fine)[1].1,
            "too small to do anything",
        );
    }
}
