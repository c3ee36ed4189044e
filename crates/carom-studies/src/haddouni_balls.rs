//! Table 4.1 and Figs 4.3, 4.4 of [Haddouni2015]: a chain of three balls whose impacts accumulate, with the hybrid scheme.
//!
//! The source prints neither radii nor masses nor gaps; these are those of the gallery's `three-balls`. Truth: the motion event
//! by event, in closed form, since balls fly on parabolas:
//!
//! ```text
//!   y_i = y_i⁰ + v_i s − g s²/2,     next impact: roots of gaps between balls in flight, or of a ball above those at rest
//!   two balls in flight:  v⁺ by momentum and u⁺ = −e u⁻;      on a stack at rest:  v⁺ = −e v⁻, the stack stays (Newton's law)
//! ```
//!
//! A ball that bounces slower than [`SLOWEST`] is at rest: balls come to rest from the lowest up.

use crate::figure::{Panel, linear, logarithmic};
use crate::haddouni::{
    PARTS, RULE, Run, against_stepping, costs, diagram, parts_and, path_error, phases, tell,
};
use crate::mechanism::Mechanism;
use crate::report::{Series, StudyReport};
use crate::running::Trouble;
use carom_dynamics::{Simulation, Summary};
use carom_model::Description;
use carom_model::description::{Body, Contact, Ground, Shape};
use indexmap::IndexMap;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;
const RESTITUTION: f64 = 0.7;
/// Gaps at the start (m).
const GAPS: [f64; 3] = [0.5, 0.1, 0.04];
const END: f64 = 1.2;
/// h_min of the source (s).
const LEAST: f64 = 5e-7;
const TOLERANCES: [f64; 4] = [1e-2, 1e-4, 1e-6, 1e-8];
/// Largest violations of Table 4.1 (m), g1 to g3.
const PRINTED: [[f64; 3]; 4] = [
    [3.54e-9, 5.26e-9, 4.64e-9],
    [3.83e-9, 2.87e-9, 8.54e-9],
    [2.44e-9, 2.78e-9, 2.49e-9],
    [1.81e-9, 7.11e-9, 1.72e-9],
];
/// Violations agree if the largest of the three does within this factor: masses, radii and gaps are not printed.
const CLOSE: f64 = 10.0;
/// Tolerance on the times of events that would leave violations of the printed size (s): balls meet with some m/s.
const COARSE_EVENTS: f64 = 2e-9;
/// Samples that errors are measured on.
const SAMPLES: usize = 600;
/// Slowest bounce that is followed (m/s).
const SLOWEST: f64 = 1e-12;
const BALLS: [&str; 3] = ["first", "second", "third"];

/// A flight between two impacts: from t on, gaps and velocities, and how many balls are at rest. Gaps and not heights, so that
/// the smallest bounces keep their digits.
#[derive(Clone, Copy, Debug)]
struct Flight {
    t: f64,
    g: [f64; 3],
    v: [f64; 3],
    rest: usize,
}

impl Flight {
    /// u of a contact.
    fn u(&self, contact: usize) -> f64 {
        self.v[contact] - contact.checked_sub(1).map_or(0.0, |lower| self.v[lower])
    }

    /// After a time s of flight.
    fn after(&self, s: f64) -> Self {
        let mut next = *self;
        next.t += s;
        for i in self.rest..3 {
            let falls = if i == self.rest { 0.5 * GRAVITY * s } else { 0.0 };
            next.g[i] += s * (self.u(i) - falls);
            next.v[i] -= GRAVITY * s;
        }
        next
    }

    /// Heights of the centres.
    fn heights(&self) -> [f64; 3] {
        let mut y = -RADIUS;
        self.g.map(|g| {
            y += g + 2.0 * RADIUS;
            y
        })
    }

    /// Time to the next impact, and its contact.
    fn next(&self) -> Option<(f64, usize)> {
        let mut first: Option<(f64, usize)> = None;
        for contact in self.rest..3 {
            let (g, u) = (self.g[contact], self.u(contact));
            let s = if contact == self.rest {
                // above what stays: g + u s − gravity s²/2 = 0, the later root, without cancellation
                let root = (u * u + 2.0 * GRAVITY * g).sqrt();
                if u > 0.0 { (u + root) / GRAVITY } else { 2.0 * g / (root - u) }
            } else if u < 0.0 {
                g / -u
            } else {
                continue;
            };
            if first.is_none_or(|(best, _)| s < best) {
                first = Some((s, contact));
            }
        }
        first
    }

    fn hit(&mut self, contact: usize) {
        self.g[contact] = 0.0;
        if contact == self.rest {
            self.v[contact] *= -RESTITUTION;
            if self.v[contact] < SLOWEST {
                self.v[contact] = 0.0;
                self.rest += 1;
            }
        } else {
            let (a, b) = (self.v[contact - 1], self.v[contact]);
            let (mean, u) = (0.5 * (a + b), RESTITUTION * (a - b));
            self.v[contact - 1] = mean - 0.5 * u;
            self.v[contact] = mean + 0.5 * u;
        }
    }
}

/// The exact motion.
struct Exact(Vec<Flight>);

impl Exact {
    fn new() -> Self {
        let mut flights = vec![Flight { t: 0.0, g: GAPS, v: [0.0; 3], rest: 0 }];
        let mut now = flights[0];
        while let Some((s, contact)) = now.next() {
            if now.t + s > END {
                break;
            }
            now = now.after(s);
            now.hit(contact);
            flights.push(now);
        }
        Self(flights)
    }

    fn at(&self, t: f64) -> [f64; 3] {
        let i = self.0.partition_point(|flight| flight.t <= t).max(1) - 1;
        self.0[i].after(t - self.0[i].t).heights()
    }
}

/// The model.
fn balls() -> Description {
    let ball = |y: f64| Body {
        mass: 1.0,
        position: [0.0, y],
        shapes: IndexMap::from([("skin".to_string(), Shape::Disk { center: [0.0; 2], radius: RADIUS })]),
        ..Default::default()
    };
    let contact = |a: &str, b: &str| Contact { restitution: RESTITUTION, ..Contact::between(a, b) };
    let floor = Shape::Line { through: [0.0; 2], normal: [0.0, 1.0] };
    let [g1, g2, g3] = GAPS;
    Description {
        version: 1,
        gravity: [0.0, -GRAVITY],
        ground: Ground { shapes: IndexMap::from([("floor".to_string(), floor)]), ..Default::default() },
        bodies: IndexMap::from([
            ("first".to_string(), ball(RADIUS + g1)),
            ("second".to_string(), ball(3.0 * RADIUS + g1 + g2)),
            ("third".to_string(), ball(5.0 * RADIUS + g1 + g2 + g3)),
        ]),
        contacts: IndexMap::from([
            ("floor".to_string(), contact("first.skin", "ground.floor")),
            ("lower".to_string(), contact("first.skin", "second.skin")),
            ("upper".to_string(), contact("second.skin", "third.skin")),
        ]),
        ..Default::default()
    }
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    StudyReport::filled(progress, |report, progress| {
        violations(report)?;
        progress(0.1);
        work_precision(report, &mut |p| progress(0.1 + 0.9 * p))
    })
}

/// The published rule and h_min.
const PUBLISHED: [(&str, f64); 4] = [RULE[0], RULE[1], RULE[2], ("least_step", LEAST)];

/// One run of the hybrid, seen at every step.
struct Seen {
    /// The largest violation of each gap (m).
    deepest: [f64; 3],
    /// t, step, and the gaps.
    curve: Vec<[f64; 5]>,
    summary: Summary,
}

fn hybrid(chain: &Mechanism, parameters: &[(&'static str, f64)], accuracy: f64) -> Result<Seen, Trouble> {
    let run = Run { scheme: "hybrid", parameters, form: None, accuracy: Ok(accuracy), end: END, samples: 1 };
    let heights = heights(chain)?;
    let (mut deepest, mut curve, mut before) = ([0.0_f64; 3], Vec::new(), 0.0);
    let summary = run.watch(&chain.model, chain.start(), |state, _| {
        let y = heights.map(|i| state.q[i]);
        let g = [y[0] - RADIUS, y[1] - y[0] - 2.0 * RADIUS, y[2] - y[1] - 2.0 * RADIUS];
        for (deepest, g) in deepest.iter_mut().zip(g) {
            *deepest = deepest.max(-g);
        }
        if state.t > before {
            curve.push([state.t, state.t - before, g[0], g[1], g[2]]);
        }
        before = state.t;
    })?;
    Ok(Seen { deepest, curve, summary })
}

fn three(g: [f64; 3]) -> String {
    g.map(|g| format!("{g:.1e}")).join(", ")
}

/// Table 4.1 and Fig. 4.3.
fn violations(report: &mut StudyReport) -> Result<(), Trouble> {
    let chain = Mechanism::new(&balls())?;
    let most = |g: [f64; 3]| g.into_iter().fold(0.0, f64::max);
    for (tolerance, printed) in TOLERANCES.into_iter().zip(PRINTED) {
        let seen = hybrid(&chain, &PUBLISHED, tolerance)?;
        let ratio = most(seen.deepest) / most(printed);
        report.compare(
            format!("largest violation of g1, g2, g3 (m) at tolerance {tolerance:.0e}, published rule"),
            format!("{} (Table 4.1)", three(printed)),
            three(seen.deepest),
            (1.0 / CLOSE..=CLOSE).contains(&ratio),
            if ratio > 1.0 {
                "deeper: two balls that meet within h* of another impact are stepped over with all their speed, and a step of h_min then goes \
                 h_min times that speed in"
            } else {
                "less deep: events are found to the last digits here, and what is left is what steps of h_min leave of bounces shorter than that; \
                 with times of events to some ns (rows below) violations have the printed size, and the same at all tolerances, as the source explains them"
            },
        );
        let [driven, stepping] = &seen.summary.phases[..] else { return Err("no phases".into()) };
        report.compare(
            format!("time stepping at tolerance {tolerance:.0e}, published rule"),
            "accumulations are stepped over, most steps are event-driven (text, Fig. 4.3)",
            phases(&seen.summary),
            stepping.steps > 0 && stepping.steps < driven.steps,
            if stepping.steps == 0 { "it never steps" } else { "most steps are those of Moreau-Jean" },
        );
        if tolerance == 1e-4 {
            let every = seen.curve.len().div_ceil(1500);
            let column = |k: usize| seen.curve.iter().step_by(every).map(|row| row[k]).collect::<Vec<f64>>();
            let names = ["t (s)", "step (s)", "g1 (m)", "g2 (m)", "g3 (m)"];
            let columns = names.iter().enumerate().map(|(k, name)| (name.to_string(), column(k)));
            let figure = "[Haddouni2015] Fig. 4.3: steps and gaps at a tolerance of 1e-4";
            let gaps = Panel::new(figure, "gaps", linear("t (s)"), linear("gap (m)"));
            let steps = Panel::new(figure, "steps", linear("t (s)"), logarithmic("step (s)"));
            report.series.push(
                Series::new("Fig. 4.3: steps and gaps at 1e-4", columns)
                    .drawn(gaps, |name| name.starts_with('g').then(|| name.replace(" (m)", "")))
                    .drawn(steps, |name| (name == "step (s)").then(|| "step".to_string())),
            );
        }
    }
    let coarse: Vec<_> = PUBLISHED.into_iter().chain([("event_tolerance", COARSE_EVENTS)]).collect();
    for tolerance in TOLERANCES {
        let (ours, found) = (hybrid(&chain, &[], tolerance)?, hybrid(&chain, &coarse, tolerance));
        report.fact(
            format!("largest violations (m) at tolerance {tolerance:.0e}, hybrid as it comes"),
            format!("{}; {}", three(ours.deepest), phases(&ours.summary)),
        );
        report.fact(
            format!("largest violations (m) at tolerance {tolerance:.0e}, published rule, times of events to {COARSE_EVENTS:.0e} s"),
            found.map_or_else(|why| why, |seen| three(seen.deepest)),
        );
    }
    Ok(())
}

/// Where the heights are in q.
fn heights(chain: &Mechanism) -> Result<[usize; 3], Trouble> {
    let expected =
        [GAPS[0] + RADIUS, GAPS[0] + GAPS[1] + 3.0 * RADIUS, GAPS.iter().sum::<f64>() + 5.0 * RADIUS];
    let place = |y: f64| chain.q.iter().position(|q| (q - y).abs() < 1e-12);
    match expected.map(place) {
        [Some(a), Some(b), Some(c)] => Ok([a, b, c]),
        _ => Err("the balls are not where they should be".into()),
    }
}

/// What "much longer" is taken for.
const MUCH: f64 = 3.0;
/// Accuracies of the diagram.
const ACCURACIES: [f64; 7] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// Fig. 4.4.
fn work_precision(report: &mut StudyReport, progress: &mut dyn FnMut(f64)) -> Result<(), Trouble> {
    let chain = Mechanism::new(&balls())?;
    let exact = Exact::new();
    let [first, second, third] = [0, 1, 2].map(|i| move |t: f64, exact: &Exact| exact.at(t)[i]);
    let error = |done: &Simulation| {
        let names = BALLS.map(|ball| format!("{ball}.y"));
        let all: [(&str, &dyn Fn(f64) -> f64); 3] = [
            (&names[0], &|t| first(t, &exact)),
            (&names[1], &|t| second(t, &exact)),
            (&names[2], &|t| third(t, &exact)),
        ];
        path_error(done, &all)
    };
    let runs = |accuracy| parts_and(&PUBLISHED, accuracy, END, SAMPLES);
    let curves = diagram(&chain.model, chain.start(), &ACCURACIES, &runs, &error, progress)?;
    tell(report, "Fig. 4.4", "m, mean over the run", &PARTS, &curves);
    let [hybrid, hem5, stepping, published] = curves;
    against_stepping(report, ("much longer (Fig. 4.4)", MUCH), &ACCURACIES, &stepping, &published);
    let finest = hem5.last().map_or(f64::NAN, |run| run.0);
    costs(report, &[hybrid, hem5, stepping], "m");
    report.compare(
        "mean error of hem5 at 1e-8 against the closed form (m)",
        "0",
        format!("{finest:.1e}"),
        finest < 1e-12,
        "the two motions differ",
    );
    Ok(())
}
