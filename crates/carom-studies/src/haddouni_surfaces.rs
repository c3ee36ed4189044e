//! Figs 4.14 and 4.16 of [Haddouni2015]: a bead slides from a parabola onto a plane, and from a plane down a parabola.
//!
//! The surfaces meet without a bend, but the curvature jumps, and with it the acceleration and the contact force. By energy, with
//! the surface y = κ x²/2 on the side where it is curved and ẋ_0 the speed at the edge x = 0:
//!
//! ```text
//!   ẋ² = (ẋ_0² − κ g x²)/(1 + x²)                 λ = m (g + κ ẋ²)/√(1 + x²)  along the unit normal            κ = 1, −1
//!   ẋ  = ẋ_0                                      λ = m g                                                      κ = 0
//! ```
//!
//! x(t) on the parabola by an extrapolated midpoint rule of order 14, in steps of its own.

use crate::extrapolation::{extrapolate, root};
use crate::figure::{Panel, linear};
use crate::haddouni::{PARTS, costs, diagram, parts, path_error, tell};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::Trouble;
use carom_dynamics::Simulation;
use carom_model::Description;
use carom_model::description::{Body, Contact, Ground, Piece, Shape};
use indexmap::IndexMap;

const GRAVITY: f64 = 9.81;
const ACCURACY: f64 = 1e-8;
const SAMPLES: usize = 1000;
/// Steps with |x| below this are counted as near the edge (m); so many are few.
const NEAR: f64 = 0.1;
const FEW: usize = 20;
/// Longest step of the reference (s), and its columns.
const FINE: f64 = 2e-3;
const COLUMNS: usize = 7;
/// Accuracies of the diagram.
const ACCURACIES: [f64; 6] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// One of the two slides.
#[derive(Clone, Copy)]
struct Slide {
    name: &'static str,
    figure: &'static str,
    /// κ for x > 0 and for x < 0.
    curvature: [f64; 2],
    x: f64,
    speed: f64,
    end: f64,
}

const SLIDES: [Slide; 2] = [
    Slide {
        name: "parabola-plane",
        figure: "Fig. 4.14",
        curvature: [1.0, 0.0],
        x: 2.0,
        speed: -1.0,
        end: 1.0,
    },
    Slide {
        name: "plane-parabola",
        figure: "Fig. 4.16",
        curvature: [0.0, -1.0],
        x: 2.0,
        speed: -2.0,
        end: 2.0,
    },
];

impl Slide {
    fn model(&self) -> Description {
        let slide = match self.name {
            "parabola-plane" => Shape::Path {
                start: [-6.0, 0.0],
                pieces: vec![
                    Piece::LineTo([0.0, 0.0]),
                    Piece::ParabolaTo { end: [2.2, 2.42], control: [1.1, 0.0] },
                ],
            },
            _ => Shape::Path {
                start: [-5.0, -12.5],
                pieces: vec![
                    Piece::ParabolaTo { end: [0.0, 0.0], control: [-2.5, 0.0] },
                    Piece::LineTo([3.0, 0.0]),
                ],
            },
        };
        let [curved, _] = self.curvature;
        let bead = Body {
            mass: 1.0,
            position: [self.x, 0.5 * curved * self.x * self.x],
            velocity: [self.speed, curved * self.x * self.speed],
            ..Default::default()
        };
        Description {
            version: 1,
            gravity: [0.0, -GRAVITY],
            ground: Ground { shapes: IndexMap::from([("slide".to_string(), slide)]), ..Default::default() },
            bodies: IndexMap::from([("bead".to_string(), bead)]),
            contacts: IndexMap::from([("on".to_string(), Contact::between("bead", "ground.slide"))]),
            ..Default::default()
        }
    }

    fn curved(&self, x: f64) -> f64 {
        self.curvature[usize::from(x < 0.0)]
    }

    /// λ at x with speed ẋ, m = 1.
    fn force(&self, x: f64, speed: f64) -> f64 {
        let kappa = self.curved(x);
        (GRAVITY + kappa * speed * speed) / (1.0 + kappa * kappa * x * x).sqrt()
    }
}

/// x and ẋ over time: knots of the reference.
struct Exact {
    slide: Slide,
    knots: Vec<(f64, [f64; 2])>,
    /// When the edge is passed (s).
    edge: f64,
}

impl Exact {
    fn new(slide: Slide) -> Self {
        let step = |kappa: f64, y: &[f64; 2], h: f64| {
            extrapolate(y, h, COLUMNS, |&[x, u]| {
                [u, -kappa * x * (GRAVITY + kappa * u * u) / (1.0 + kappa * kappa * x * x)]
            })
        };
        let mut now = (0.0, [slide.x, slide.speed]);
        let mut knots = vec![now];
        let mut edge = f64::NAN;
        while now.0 < slide.end {
            let kappa = if edge.is_nan() { slide.curvature[0] } else { slide.curvature[1] };
            let mut next = (now.0 + FINE, step(kappa, &now.1, FINE));
            if edge.is_nan() && next.1[0] <= 0.0 {
                let s = root(|s| step(kappa, &now.1, s)[0], (0.0, now.1[0]), (FINE, next.1[0]));
                edge = now.0 + s;
                next = (edge, step(kappa, &now.1, s));
                next.1[0] = 0.0;
            }
            now = next;
            knots.push(now);
        }
        Self { slide, knots, edge }
    }

    /// x and ẋ at t.
    fn at(&self, t: f64) -> [f64; 2] {
        let i = self.knots.partition_point(|knot| knot.0 <= t).max(1) - 1;
        let (from, y) = self.knots[i];
        let kappa = self.slide.curvature[usize::from(from >= self.edge)];
        extrapolate(&y, t - from, COLUMNS, |&[x, u]| {
            [u, -kappa * x * (GRAVITY + kappa * u * u) / (1.0 + kappa * kappa * x * x)]
        })
    }
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        for (i, slide) in SLIDES.into_iter().enumerate() {
            let exact = Exact::new(slide);
            let bead = Mechanism::new(&slide.model())?;
            for scheme in [0, 1] {
                edge(report, &bead, &exact, scheme)?;
            }
            progress(0.5 * i as f64 + 0.1);
            work_precision(report, &bead, &exact, &mut |p| progress(0.5 * i as f64 + 0.1 + 0.4 * p))?;
        }
        Ok::<(), Trouble>(())
    })
}

/// What happens at the edge.
fn edge(report: &mut StudyReport, bead: &Mechanism, exact: &Exact, scheme: usize) -> Result<(), Trouble> {
    let slide = exact.slide;
    let run = parts(ACCURACY, slide.end, SAMPLES)[scheme];
    let what = format!("{}, {}", slide.name, run.scheme);
    let mut near = 0;
    let mut found: Option<([f64; 2], [f64; 2], f64, f64)> = None;
    let summary = run.watch(&bead.model, bead.start(), |state, _| {
        near += usize::from(state.q[0].abs() < NEAR);
        if found.is_none_or(|(q, ..)| state.q[0].abs() < q[0].abs()) {
            found = Some(([state.q[0], state.q[1]], [state.v[0], state.v[1]], state.lambda[0], state.t));
        }
    })?;
    let Some((q, v, lambda, t)) = found else { return Err("there was no step".into()) };
    let [_, speed] = exact.at(exact.edge);
    report.compare(
        format!("{what}: edge found at x (m)"),
        "-1.755e-15 in example 2",
        format!("{:.1e}, at {t:.9} s, exact {:.9} s", q[0], exact.edge),
        q[0].abs() < 1e-9 && (t - exact.edge).abs() < 1e-7,
        "elsewhere",
    );
    let off = (v[0] - speed).abs().max(v[1].abs());
    report.compare(
        format!("{what}: velocity at the edge (m/s)"),
        format!("({speed:.9}, 0), without a jump"),
        format!("off by {off:.1e}, across by {:.1e}", v[1]),
        off < 1e-6 && v[1].abs() < 1e-10,
        "it jumps",
    );
    let [before, after] = slide.curvature.map(|kappa| GRAVITY + kappa * speed * speed);
    // forces at the samples, against the closed form with the exact motion
    let recording = run.finished(&bead.model, bead.start())?.recording();
    let (t, force) = (recording.column("t").unwrap_or(&[]), recording.column("on.force_n").unwrap_or(&[]));
    let mut errors = [0.0_f64; 2];
    for (t, force) in t.iter().zip(force).filter(|(t, _)| **t > 0.0 && (**t - exact.edge).abs() > 1e-7) {
        let [x, u] = exact.at(*t);
        let side = usize::from(*t > exact.edge);
        errors[side] = errors[side].max((force - slide.force(x, u)).abs());
    }
    report.compare(
        format!("{what}: force right after the edge (N)"),
        format!("jumps from {before:.6} to {after:.6}"),
        format!("{lambda:.6}; at samples before and after off by {:.1e}, {:.1e}", errors[0], errors[1]),
        (lambda - after).abs() < 1e-6 && errors.iter().all(|e| *e < 1e-5),
        "another force",
    );
    report.compare(
        format!("{what}: steps within {NEAR} m of the edge"),
        "it does not stall",
        format!("{near} of {}", summary.steps),
        near > 0 && near <= FEW,
        "it stalls",
    );
    if scheme == 0 {
        let names = ["bead.x", "bead.y", "bead.vx", "bead.vy", "on.force_n"];
        let columns =
            names.iter().filter_map(|name| Some((name.to_string(), recording.column(name)?.to_vec())));
        let figure = format!("[Haddouni2015] {}: bead on {}", slide.figure, slide.name);
        let panel = |title: &str, up| Panel::new(&figure, title, linear("x (m)"), linear(up));
        let named = |column: &str, names: [&str; 2]| names.contains(&column).then(|| column.to_string());
        report.series.push(
            Series::new(&format!("{}: {}", slide.figure, slide.name), columns)
                .drawn(panel("path", "y (m)"), |n| named(n, ["bead.y", ""]))
                .drawn(panel("velocity", "velocity (m/s)"), |n| named(n, ["bead.vx", "bead.vy"]))
                .drawn(panel("force of the contact", "force (N)"), |n| named(n, ["on.force_n", ""])),
        );
    }
    Ok(())
}

fn work_precision(
    report: &mut StudyReport,
    bead: &Mechanism,
    exact: &Exact,
    progress: &mut dyn FnMut(f64),
) -> Result<(), Trouble> {
    let error = |done: &Simulation| path_error(done, &[("bead.x", &|t| exact.at(t)[0])]);
    let runs = |accuracy| parts(accuracy, exact.slide.end, 200);
    let curves = diagram(&bead.model, bead.start(), &ACCURACIES, &runs, &error, progress)?;
    tell(report, exact.slide.name, "m, mean over the run", &PARTS[..3], &curves);
    costs(report, &curves, &format!("m, {}", exact.slide.name));
    Ok(())
}
