//! Do schemes keep on rotations the order that they have in the plane?
//!
//! ```text
//!   top     A W² cos θ − C ω W + m g l = 0: steady precession W of a symmetric top on a ball joint, in closed form
//!   loop    crank, rod and slider in space with ball, universal, revolute and prismatic joints, from rest to 0.4 s
//! ```
//!
//! The top has an exact motion. The truth of the loop is radau5 at a step of 1e-4 s; at 5 s it agrees with an integration in one
//! coordinate (the gallery's fact), but here it is Carom's own and the rows say so. Orders are slopes over ten
//! step sizes, errors are taken at the quarters of the run.

use crate::figure::Panel;
use crate::measure::{Order, steps};
use crate::report::{Series, StudyReport};
use crate::running::{Method, stepping_schemes, watch};
use carom_model::AnyModel;

const TOP: &str = carom_gallery::model("heavy-gyroscope");
const LOOP: &str = carom_gallery::model("spatial-slider-crank");
/// Ends (s) and largest steps.
const TOP_END: f64 = 0.3;
const LOOP_END: f64 = 0.4;
const LARGEST: [f64; 2] = [2e-3, 5e-3];
const SIZES: usize = 10;
/// Of one size to the next, before it is made to fit the end.
const RATIO: f64 = 0.8;

/// The order in the plane, with joints (study `four-bar-drift`).
fn expected(label: &str) -> f64 {
    match label {
        "half-explicit-4" => 4.0,
        "half-explicit-3" => 3.0,
        "moreau-jean, theta = 1" | "moreau-explicit" | "moreau-midpoint" | "newmark-implicit" => 1.0,
        "schatzman-paoli" | "stewart-trinkle" | "anitescu-potra" => 1.0,
        "hem5" | "dopri5" | "radau5" | "phem56" | "rkf45" => 5.0,
        "rk4" => 4.0,
        _ => 2.0,
    }
}

/// Event-driven ones beside those that step; the multistep ones have their own start and are left out.
fn methods() -> Vec<Method> {
    let mut all = stepping_schemes();
    for name in ["hem5", "rk4", "dopri5", "radau5", "alpha-dae", "rattle", "shake"] {
        all.push(Method { label: name, scheme: name, parameters: &[] });
    }
    all
}

fn model(name: &str, text: &str) -> Result<AnyModel, String> {
    let loaded = carom_io::load_text(name, text, &[]).map_err(|e| e.to_string())?;
    loaded.description.build().map_err(|e| e.first().map(ToString::to_string).unwrap_or_default())
}

/// Coordinates at the quarters of the run.
fn quarters(model: &AnyModel, method: Method, dt: f64, end: f64) -> Result<Vec<Vec<f64>>, String> {
    let begin = model.assemble().map_err(|e| e.to_string())?;
    let mut out = Vec::new();
    let simulation = watch(model.system(), method, (&begin.q, &begin.v), dt, end, |state, _| {
        let next = 0.25 * end * (out.len() + 1) as f64;
        if (state.t - next).abs() < 0.25 * dt {
            out.push(state.q.clone());
        }
    })?;
    drop(simulation);
    if out.len() == 4 { Ok(out) } else { Err("steps that do not meet the quarters of the run".into()) }
}

/// A mechanism with what is known of it.
struct Case {
    name: &'static str,
    model: AnyModel,
    end: f64,
    largest: f64,
    /// Errors below this are round-off, or those of the truth, and say nothing.
    floor: f64,
    /// The first coordinates at the quarters of the run.
    truth: Vec<Vec<f64>>,
    source: &'static str,
}

fn cases() -> Result<[Case; 2], String> {
    let top = model("heavy-gyroscope", TOP)?;
    let (A, C, m, g, l, w) = (0.02_f64, 0.01_f64, 1.0_f64, 9.81_f64, 0.1_f64, 150.0_f64);
    let theta = std::f64::consts::PI / 6.0;
    let root = ((C * w).powi(2) - 4.0 * A * theta.cos() * m * g * l).sqrt();
    let W = (C * w - root) / (2.0 * A * theta.cos());
    let place = |t: f64| {
        let (sin, cos) = (W * t).sin_cos();
        vec![l * theta.sin() * sin, -l * theta.sin() * cos, l * theta.cos()]
    };
    let truth = (1..=4).map(|k| place(0.25 * TOP_END * f64::from(k))).collect();
    let crank = model("spatial-slider-crank", LOOP)?;
    let radau = Method { label: "radau5", scheme: "radau5", parameters: &[] };
    let fine = quarters(&crank, radau, 1e-4, LOOP_END)?;
    Ok([
        Case {
            name: "top",
            model: top,
            end: TOP_END,
            largest: LARGEST[0],
            floor: 1e-11,
            truth,
            source: "closed form",
        },
        Case {
            name: "loop",
            model: crank,
            end: LOOP_END,
            largest: LARGEST[1],
            floor: 1e-10,
            truth: fine,
            source: "radau5 at 1e-4 s",
        },
    ])
}

fn examine(report: &mut StudyReport, case: &Case, tick: &mut dyn FnMut()) {
    // whole steps into a quarter of the run
    let sizes: Vec<f64> = steps(case.largest, RATIO, SIZES)
        .iter()
        .map(|h| 0.25 * case.end / (0.25 * case.end / h).round())
        .collect();
    let mut curves = vec![("dt (s)".to_string(), sizes.clone())];
    for method in methods() {
        let errors: Result<Vec<f64>, String> = sizes
            .iter()
            .map(|&dt| {
                let found = quarters(&case.model, method, dt, case.end)?;
                let pairs =
                    case.truth.iter().flatten().zip(found.iter().flat_map(|q| &q[..case.truth[0].len()]));
                Ok(pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt())
            })
            .collect();
        tick();
        let what = format!("{}: {}", case.name, method.label);
        let errors = match errors {
            Ok(errors) => errors,
            Err(why) => {
                report.fact(format!("{what} does not run"), why);
                continue;
            }
        };
        let seen: Vec<(f64, f64)> =
            sizes.iter().copied().zip(errors.iter().copied()).filter(|(_, e)| *e > case.floor).collect();
        if seen.len() < 5 {
            report.fact(what, format!("at round-off from {:.1e} s on", sizes[0]));
            continue;
        }
        let (x, y): (Vec<f64>, Vec<f64>) = seen.into_iter().unzip();
        let order = Order::fit(&x, &y);
        let wanted = expected(method.label);
        report.compare(
            format!("{what}, order"),
            format!("{wanted} ({})", case.source),
            format!("{order} (error at {:.1e} s: {:.1e})", sizes[SIZES - 1], errors[SIZES - 1]),
            order.is(wanted) || order.slope > wanted - 0.15,
            "below the order of the plane",
        );
        curves.push((method.label.to_string(), errors));
    }
    let panel = Panel::orders(
        "Orders on rotations",
        case.name,
        "dt (s)",
        "error at four times",
        &[1.0, 2.0, 3.0, 4.0, 5.0],
    );
    report.series.push(Series::new(&format!("error on the {}", case.name), curves).all_drawn(panel));
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        let cases = cases()?;
        let total = (cases.len() * methods().len()) as f64;
        let mut done = 0.0;
        for case in &cases {
            examine(report, case, &mut || {
                done += 1.0;
                progress(done / total);
            });
        }
        report.note(format!(
            "Ten step sizes, each about {RATIO} of the one before. An order above the expected one agrees."
        ));
        Ok::<(), String>(())
    })
}
