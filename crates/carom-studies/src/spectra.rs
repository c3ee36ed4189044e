//! Spectra of the schemes: stability, high-frequency damping, cusps, orders of the period error.
//!
//! ```text
//!   γ = ½ − α_m + α_f,   β = ¼ (1 − α_m + α_f)²                                  [RezaeiSchindler] (98), (102)
//!   λ₃^∞ = α_f / (α_f − 1),   λ₁₂^∞ = (α_f − α_m − 1) / (α_f − α_m + 1)           [RezaeiSchindler] (101), (103)
//!   stable at every step:   α_m ≤ α_f ≤ ½                                        [RezaeiSchindler] (100)
//! ```
//!
//! Everything comes out of the implemented steps; the printed limits are only compared with. A *cusp* is a spectral
//! radius that grows again with the step: the third root overtakes the principal pair.

use crate::figure::{Panel, between, linear, logarithmic};
use crate::measure::Order;
use crate::report::{Series, StudyReport};
use carom_dynamics::{
    AlphaParameters, Amplification, GeneralizedAlpha, Joints, Scheme, Spectrum, Stability, scheme, spectrum,
};
use std::f64::consts::TAU;

/// A limit at infinity is known to about this.
const LIMIT: f64 = 2e-3;
/// A spectral radius that grows again by more than this has a cusp.
const CUSP: f64 = 5e-3;
/// A resolved oscillation: ten steps in a period.
const RESOLVED: f64 = 0.1;

/// Recomputes the figures.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let parts: [fn(&mut StudyReport); 8] =
        [region, hht, optimal_family, smooth_transition, bathe, ed_alpha_cut_off, ed_alpha_radius, chen];
    for (i, part) in parts.iter().enumerate() {
        part(&mut report);
        progress((i + 1) as f64 / parts.len() as f64);
    }
    report.note(
        "Every matrix is the implemented step, run on unit vectors; tests compare it entry by entry with (96) and (106). \
         (96) is right for the state (q, Δt v, Δt² A) with A of (21), not a as printed; the rows of (106) are printed in \
         reverse order.",
    );
    report.note(
        "HHT: stable for α up to 1/2 as the text says, but beyond 1/3 the spectral radius at infinity grows again, so \
         the scheme `hht` ends there.",
    );
    report
}

/// The family with the two free parameters of Fig. 6.
fn family(alpha_m: f64, alpha_f: f64) -> Box<dyn Scheme> {
    let gamma = 0.5 - alpha_m + alpha_f;
    let beta = 0.25 * (1.0 - alpha_m + alpha_f).powi(2);
    let p = AlphaParameters { alpha_m, alpha_f, beta, gamma };
    Box::new(GeneralizedAlpha::new(format!("({alpha_m}, {alpha_f})"), p, Joints::Mean))
}

fn made(name: &str, parameters: &[(&str, f64)]) -> Box<dyn Scheme> {
    scheme(name, parameters).expect("a registered scheme with admissible parameters")
}

fn steps(from: f64, to: f64, count: usize) -> Vec<f64> {
    (0..count).map(|k| from * (to / from).powf(k as f64 / (count - 1) as f64)).collect()
}

/// Spectral radii are looked at from resolved to hopeless steps, as in the figures.
fn wide() -> Vec<f64> {
    steps(1e-2, 1e3, 201)
}

fn of(scheme: Box<dyn Scheme>) -> Spectrum {
    spectrum(&*scheme, 0.0, &wide()).expect("an implicit step on a linear system is one linear solve")
}

/// Damping ratio and period error at one dt/T.
fn at(scheme: Box<dyn Scheme>, step: f64) -> (f64, f64) {
    let found = spectrum(&*scheme, 0.0, &[step]).expect("as above");
    let point = &found.points[0];
    (point.damping.unwrap_or(f64::NAN), point.period_error.unwrap_or(f64::NAN))
}

/// Where the spectral radius turns upwards again.
fn cusp(found: &Spectrum) -> Option<f64> {
    let least = found.points.iter().min_by(|a, b| a.radius.total_cmp(&b.radius))?;
    let last = found.points.last()?;
    (last.radius > least.radius + CUSP).then_some(least.step)
}

/// The order of |f| in dt/T over ten small steps.
fn order(scheme: Box<dyn Scheme>, f: fn(&carom_dynamics::SpectrumPoint) -> Option<f64>) -> Order {
    let steps = steps(3e-3, 3e-2, 10);
    let found = spectrum(&*scheme, 0.0, &steps).expect("as above");
    let values: Vec<f64> = found.points.iter().map(|p| f(p).unwrap_or(f64::NAN).abs()).collect();
    Order::fit(&steps, &values)
}

/// Spectral radius and period error of several schemes, as the figures show them.
fn figure(report: &mut StudyReport, name: &str, schemes: Vec<(String, Box<dyn Scheme>)>) -> Vec<Spectrum> {
    let found: Vec<(String, Spectrum)> = schemes.into_iter().map(|(label, s)| (label, of(s))).collect();
    let abscissa = |steps: &[f64]| ("dt/T".to_string(), steps.to_vec());
    let radii = found
        .iter()
        .map(|(label, s)| (format!("{label}, radius"), s.points.iter().map(|p| p.radius).collect()));
    let radius =
        Panel::new(name, "spectral radius", logarithmic("dt/T"), linear("spectral radius").between(0.0, 1.2));
    report.series.push(
        Series::new(name, std::iter::once(abscissa(&wide())).chain(radii))
            .drawn(radius, |column| between(column, "", ", radius")),
    );
    // up to half a period, where the figures end, and as long as all of them oscillate
    let shown = wide().iter().take_while(|step| **step <= 0.5).count();
    let oscillating = |s: &Spectrum| s.points.iter().take_while(|p| p.period_error.is_some()).count();
    let shown = found.iter().map(|(_, s)| oscillating(s)).fold(shown, usize::min);
    let errors = found.iter().map(|(label, s)| {
        let values = s.points[..shown].iter().filter_map(|p| p.period_error).collect();
        (format!("{label}, period error"), values)
    });
    let period = Panel::new(name, "period error", linear("dt/T"), linear("relative period error"));
    let series = Series::new(
        &format!("{name}, period error"),
        std::iter::once(abscissa(&wide()[..shown])).chain(errors),
    );
    report.series.push(series.drawn(period, |column| between(column, "", ", period error")));
    found.into_iter().map(|(_, s)| s).collect()
}

/// Published limit beside ours; stability at every step is part of it.
fn limit(report: &mut StudyReport, what: String, expected: f64, found: &Spectrum) {
    let stable = found.stability == Stability::Always;
    report.compare(
        what,
        format!("{expected:.3}"),
        format!("{:.3}, {}", found.radius_at_infinity, found.stability),
        (found.radius_at_infinity - expected).abs() < LIMIT && stable,
        "the limit or the stability is another one",
    );
}

fn in_words(cusp: Option<f64>) -> String {
    cusp.map_or("none".into(), |step| format!("at Δt/T = {step:.2}"))
}

/// Fig. 6: the region in the plane of α_m and α_f, and its five points.
fn region(report: &mut StudyReport) {
    let points: [(&str, f64, f64); 5] =
        [("A", -1.0, 0.5), ("B", -1.0, 0.0), ("C", -1.0, -0.5), ("D", 0.5, 0.5), ("E", 0.0, 1.0 / 3.0)];
    for (name, alpha_m, alpha_f) in points {
        let principal: f64 = (alpha_f - alpha_m - 1.0) / (alpha_f - alpha_m + 1.0);
        let third: f64 = alpha_f / (alpha_f - 1.0);
        let what = format!("Fig. 6, point {name} ({alpha_m}, {alpha_f:.3}): ρ_∞");
        limit(report, what, principal.abs().max(third.abs()), &of(family(alpha_m, alpha_f)));
    }
    // the border along α_f, by bisection on "does anything grow"
    let grows = |alpha_m: f64, alpha_f: f64| {
        [0.1, 1.0, 10.0, 100.0, 1000.0].iter().any(|&Omega| {
            let found = Amplification::new(&*family(alpha_m, alpha_f), Omega, 0.0);
            found.is_ok_and(|a| a.radius() > 1.0 + 1e-7)
        })
    };
    let (mut across, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..=14 {
        let alpha_m = -1.0 + 0.1 * f64::from(k);
        let inside = 0.5 * (alpha_m + 0.5);
        let border = |mut inside: f64, mut outside: f64| {
            while (outside - inside).abs() > 1e-5 {
                let middle = 0.5 * (inside + outside);
                if grows(alpha_m, middle) { outside = middle } else { inside = middle }
            }
            inside
        };
        across.push(alpha_m);
        lower.push(border(inside, alpha_m - 0.3));
        upper.push(border(inside, 0.8));
    }
    let off = |found: &[f64], expected: &dyn Fn(usize) -> f64| {
        found.iter().enumerate().map(|(i, x)| (x - expected(i)).abs()).fold(0.0, f64::max)
    };
    let (off_lower, off_upper) = (off(&lower, &|i| across[i]), off(&upper, &|_| 0.5));
    for (what, published, off) in [
        ("Fig. 6: lower border of the region, α_m from −1 to 0.4", "α_f = α_m", off_lower),
        ("Fig. 6: upper border of the region, α_m from −1 to 0.4", "α_f = 1/2", off_upper),
    ] {
        report.compare(
            what,
            published,
            format!("the same within {off:.0e}"),
            off < 1e-3,
            "the border is another one",
        );
    }
    let columns = [("alpha_m", across), ("lowest alpha_f", lower), ("highest alpha_f", upper)];
    let columns = columns.map(|(name, values)| (name.to_string(), values));
    let figure = "[RezaeiSchindler] Fig. 6: border of stability";
    let panel = Panel::new(figure, "", linear("α_m"), linear("α_f")).marked();
    report.series.push(Series::new(figure, columns).all_drawn(panel));
}

/// Fig. 7: HHT, with the cusp beyond 1/3.
fn hht(report: &mut StudyReport) {
    let alphas = [0.0, 0.1, 0.2, 0.3, 1.0 / 3.0, 0.4, 0.5];
    let schemes = alphas.map(|alpha| (format!("alpha = {alpha:.3}"), family(0.0, alpha)));
    let found = figure(report, "[RezaeiSchindler] Fig. 7: HHT", schemes.into());
    for (alpha, found) in alphas.iter().zip(&found) {
        let expected = ((1.0 - alpha) / (1.0 + alpha)).max(alpha / (1.0 - alpha));
        limit(report, format!("Fig. 7, HHT α = {alpha:.3}: ρ_∞ by (101), (103)"), expected, found);
        let (published, agrees) = match *alpha > 0.34 {
            true => ("beyond point E, α = 1/3", cusp(found).is_some()),
            false => ("none up to point E", cusp(found).is_none()),
        };
        let what = format!("Fig. 7, HHT α = {alpha:.3}: cusp");
        report.compare(what, published, in_words(cusp(found)), agrees, "the radius does the opposite");
    }
}

/// Fig. 8: from no damping to annihilation along the dotted line.
fn optimal_family(report: &mut StudyReport) {
    let values = [1.0, 0.8, 0.5, 0.2, 0.0];
    let schemes = values.map(|rho| (format!("rho = {rho}"), made("generalized-alpha", &[("rho", rho)])));
    let found = figure(report, "[RezaeiSchindler] Fig. 8: generalized-alpha", schemes.into());
    for (rho, found) in values.iter().zip(&found) {
        limit(report, format!("Fig. 8, generalized-α ρ_∞ = {rho}: ρ_∞"), *rho, found);
    }
    let none = found.iter().all(|f| cusp(f).is_none());
    let ours = if none { "none" } else { "there is one" };
    report.compare("Fig. 8, all ρ_∞: cusp", "none", ours, none, "a radius grows again");
    let orders = values.map(|rho| order(made("generalized-alpha", &[("rho", rho)]), |p| p.period_error));
    let text = orders.map(|o| format!("{:.2}", o.slope)).join(", ");
    let all = orders.iter().all(|o| o.is(2.0));
    report.compare(
        "(98): order of the period error, ρ_∞ = 1 … 0",
        "2",
        text,
        all,
        "the order is another one",
    );
}

/// Fig. 9: points A and C, and the points of the dotted line with the same limit.
fn smooth_transition(report: &mut StudyReport) {
    let cases = [("A", (-1.0, 0.5), (0.5, 0.5)), ("C", (-1.0, -0.5), (-0.25, 0.25))];
    let mut schemes = Vec::new();
    for (name, rough, smooth) in cases {
        schemes.push((format!("{name} ({}, {})", rough.0, rough.1), family(rough.0, rough.1)));
        schemes.push((format!("{name} modified ({}, {})", smooth.0, smooth.1), family(smooth.0, smooth.1)));
    }
    let found = figure(report, "[RezaeiSchindler] Fig. 9: smooth transition", schemes);
    for (i, (name, rough, smooth)) in cases.into_iter().enumerate() {
        let (before, after) = (&found[2 * i], &found[2 * i + 1]);
        let same = (before.radius_at_infinity - after.radius_at_infinity).abs() < LIMIT;
        report.compare(
            format!("Fig. 9, case {name}: ρ_∞ before and after"),
            "the same",
            format!("{:.3} and {:.3}", before.radius_at_infinity, after.radius_at_infinity),
            same,
            "the modification changes the limit",
        );
        report.compare(
            format!("Fig. 9, case {name} before: cusp"),
            "expected off the dotted line",
            in_words(cusp(before)),
            cusp(before).is_some(),
            "the roots of (96) do not cross here: |λ₁₂| comes down to |λ₃| and stays above it at every step",
        );
        report.compare(
            format!("Fig. 9, case {name} after: cusp"),
            "none",
            in_words(cusp(after)),
            cusp(after).is_none(),
            "the radius grows again",
        );
        let step = 0.05;
        let damping = |(alpha_m, alpha_f): (f64, f64)| at(family(alpha_m, alpha_f), step).0;
        let (rough, smooth) = (damping(rough), damping(smooth));
        report.compare(
            format!("A, case {name}: damping at Δt/T = {step}, before and after"),
            "least on the dotted line",
            format!("{rough:.1e} and {:.1e}", smooth.max(0.0)),
            smooth < rough,
            "the modification damps low frequencies more",
        );
    }
}

/// Fig. 10: Bathe, generalized-α with the same limit, Newmark.
fn bathe(report: &mut StudyReport) {
    let names = ["Bathe", "generalized-α ρ_∞ = 0", "Newmark"];
    let three = || [made("bathe", &[]), made("generalized-alpha", &[("rho", 0.0)]), made("newmark", &[])];
    let schemes = names.map(String::from).into_iter().zip(three()).collect();
    let found = figure(report, "[RezaeiSchindler] Fig. 10: Bathe", schemes);
    for (name, (found, expected)) in names.iter().zip(found.iter().zip([0.0, 0.0, 1.0])) {
        limit(report, format!("Fig. 10, {name}: ρ_∞"), expected, found);
    }
    let [bathe, alpha, newmark] = three().map(|s| at(s, RESOLVED));
    report.compare(
        format!("Fig. 10: damping at Δt/T = {RESOLVED}, Bathe and generalized-α"),
        "Bathe damps less",
        format!("{:.1e} and {:.1e}", bathe.0, alpha.0),
        bathe.0 < alpha.0,
        "Bathe damps more",
    );
    report.compare(
        format!("Fig. 10: period error at Δt/T = {RESOLVED}, Bathe, generalized-α, Newmark"),
        "smallest for Bathe",
        format!("{:.3}, {:.3}, {:.3}", bathe.1, alpha.1, newmark.1),
        bathe.1 < alpha.1 && bathe.1 < newmark.1,
        "another one is smaller",
    );
    let order = order(made("bathe", &[]), |p| p.period_error);
    report.compare(
        "Bathe: order of the period error",
        "2",
        order.to_string(),
        order.is(2.0),
        "the order is another one",
    );
}

/// Fig. 11: ED-α with ρ_∞ = 0; α_AR moves the cut-off and leaves the limit alone.
fn ed_alpha_cut_off(report: &mut StudyReport) {
    let values = [0.1, 1.0 / 6.0, 0.25, 1.0 / 3.0];
    let with = |alpha_ar: f64| made("ed-alpha", &[("rho", 0.0), ("alpha_ar", alpha_ar)]);
    let mut schemes: Vec<_> =
        values.iter().map(|a| (format!("ED-alpha, alpha_AR = {a:.3}"), with(*a))).collect();
    schemes.push(("Bathe".into(), made("bathe", &[])));
    let found = figure(report, "[RezaeiSchindler] Fig. 11: ED-alpha with rho = 0", schemes);
    for (alpha_ar, found) in values.iter().zip(&found) {
        limit(report, format!("Fig. 11, ED-α ρ_∞ = 0, α_AR = {alpha_ar:.3}: ρ_∞"), 0.0, found);
    }
    // smallest |period error| over α_AR, on a grid of thousandths
    let grid: Vec<f64> = (0..=140).map(|k| 0.1 + 0.001 * f64::from(k)).collect();
    let error = |a: f64| at(with(a), 0.01).1.abs();
    let best = grid.iter().copied().min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(f64::NAN);
    report.compare(
        "Fig. 11: α_AR with the smallest period error, Δt/T = 0.01",
        "1/6",
        format!("{best:.3}"),
        (best - 1.0 / 6.0).abs() < 2e-3,
        "the smallest error is elsewhere",
    );
    let sixth = order(with(1.0 / 6.0), |p| p.damping);
    // an error of order 3 in one step of the oscillation shows in the damping as Ω³
    report.compare(
        "ED-α, α_AR = 1/6: order of the damping",
        "3 (third order accurate)",
        sixth.to_string(),
        sixth.is(3.0),
        "the order is another one",
    );
    let period = order(with(1.0 / 6.0), |p| p.period_error);
    report.compare(
        "ED-α, α_AR = 1/6: order of the period error",
        "at least 3",
        period.to_string(),
        period.slope > 2.85,
        "the order is lower",
    );
    let other = order(with(0.25), |p| p.period_error);
    report.compare(
        "ED-α, α_AR = 1/4: order of the period error",
        "2",
        other.to_string(),
        other.is(2.0),
        "the order is another one",
    );
}

/// Fig. 12: ED-α with α_AR = 1/6 beside generalized-α with the same limit.
fn ed_alpha_radius(report: &mut StudyReport) {
    let values = [0.0, 0.5, 0.8];
    let mut schemes = Vec::new();
    for rho in values {
        schemes.push((format!("ED-alpha, rho = {rho}"), made("ed-alpha", &[("rho", rho)])));
        schemes.push((format!("generalized-alpha, rho = {rho}"), made("generalized-alpha", &[("rho", rho)])));
    }
    let found = figure(report, "[RezaeiSchindler] Fig. 12: ED-alpha and generalized-alpha", schemes);
    for (i, rho) in values.iter().enumerate() {
        limit(report, format!("Fig. 12, ED-α ρ_∞ = {rho}, α_AR = 1/6: ρ_∞"), *rho, &found[2 * i]);
        let ed = at(made("ed-alpha", &[("rho", *rho)]), RESOLVED);
        let alpha = at(made("generalized-alpha", &[("rho", *rho)]), RESOLVED);
        report.fact(
            format!("ρ_∞ = {rho}, Δt/T = {RESOLVED}: damping and period error, ED-α; generalized-α"),
            format!("{:.1e}, {:.1e}; {:.1e}, {:.1e}", ed.0, ed.1, alpha.0, alpha.1),
        );
    }
}

/// [Chen2013] Fig. 1: spectral radius of the three schemes over ω h.
fn chen(report: &mut StudyReport) {
    let names = ["generalized-α ρ_∞ = 0.8", "fully implicit Newmark", "Moreau–Jean θ = 1"];
    let three = vec![
        (names[0].to_string(), made("generalized-alpha", &[("rho", 0.8)])),
        (names[1].to_string(), made("newmark-implicit", &[])),
        (names[2].to_string(), made("moreau-jean", &[("theta", 1.0)])),
    ];
    let found = figure(report, "[Chen2013] Fig. 1", three);
    for (name, (found, expected)) in names.iter().zip(found.iter().zip([0.8, 1.0 / 3.0, 0.0])) {
        limit(report, format!("[Chen2013] Fig. 1, {name}: ρ at infinity"), expected, found);
    }
    let ordered = (0..wide().len()).all(|k| {
        let radius = |i: usize| found[i].points[k].radius;
        radius(0) > radius(1) && radius(1) > radius(2)
    });
    report.compare(
        "[Chen2013] Fig. 1: dissipation, at every ω h",
        "generalized-α least, Moreau–Jean most",
        if ordered { "the same" } else { "the order changes" },
        ordered,
        "the curves cross",
    );
    let euler = |Omega: f64| 1.0 / Omega.hypot(1.0);
    let off = found[2].points.iter().map(|p| (p.radius - euler(TAU * p.step)).abs()).fold(0.0, f64::max);
    report.compare(
        "[Chen2013] Fig. 1: Moreau–Jean θ = 1 is implicit Euler",
        "ρ = 1/√(1 + ω²h²)",
        format!("within {off:.0e}"),
        off < 1e-10,
        "it is not",
    );
}
