//! A ball in a box without friction: [Schindler2015] §5.2, Table 4, Figs 9-11.
//!
//! ```text
//!   m r̈ = −m γ d + W λ,      g = (x − R, a − R − x, y − R, b − R − y),      e = 0.3,      dt = 5e-3 s
//! ```
//!
//! d = (cos 30°, sin 30°) says the text, d = (0, 1) says the table: both are run. With the first the ball comes to rest in
//! a corner, at two walls; with the second only the floor is ever touched. The system is linear, so free
//! flight is exact in its energy, at whichever level the forces are found. Exact: both directions are bouncing balls.

use crate::figure::{Panel, between, linear};
use crate::measure::range;
use crate::report::{Series, StudyReport};
use crate::running::{Method, watch};
use carom_dynamics::*;

const SIDE: f64 = 4.0;
const RADIUS: f64 = 1.0;
const MASS: f64 = 1.0;
const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.3;
const START: [f64; 2] = [2.0, 2.0];
const STEP: f64 = 5e-3;
/// Both directions have come to rest long before (s).
const END: f64 = 2.0;
/// Round-off in the energy, relative to m γ a.
const ROUND: f64 = 1e-14;
/// A closed contact that opens slower than gravity closes it, u < γ dt, is brought to rest at velocity level while the ball
/// moves on by dt u/2: m (γ dt u − u²)/2 is gained, at most this (J). At acceleration level it is let go instead.
const LIFT: f64 = MASS * (GRAVITY * STEP) * (GRAVITY * STEP) / 8.0;

const ACCELERATION: Method =
    Method { label: "acceleration level", scheme: "half-explicit-acceleration", parameters: &[] };
const VELOCITY: Method = Method { label: "velocity level", scheme: "half-explicit", parameters: &[] };

/// A ball between four walls.
#[derive(Clone, Debug)]
struct BallInBox {
    /// d.
    down: [f64; 2],
    structure: Structure,
}

impl BallInBox {
    fn new(down: [f64; 2]) -> Self {
        let wall = |name: &str| ContactInfo::new(name, ContactKind::Unilateral { restitution: RESTITUTION });
        let sizes = Sizes { q: 2, v: 2, constraints: 0, contacts: 4 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], ..Pattern::default() };
        let structure = Structure {
            mass_is_constant: true,
            contacts: ["left", "right", "floor", "ceiling"].map(wall).into(),
            channels: ["x", "y"].map(|quantity| Channel::new("ball", quantity, "m")).into(),
            ..Structure::new(sizes, pattern, SIDE)
        };
        Self { down, structure }
    }

    fn total_energy(&self, q: &[f64], v: &[f64]) -> f64 {
        self.parts(q, v).total()
    }

    fn parts(&self, q: &[f64], v: &[f64]) -> Energy {
        Energy {
            kinetic: 0.5 * MASS * (v[0] * v[0] + v[1] * v[1]),
            potential: MASS * GRAVITY * (self.down[0] * q[0] + self.down[1] * q[1]),
            strain: 0.0,
        }
    }

    /// Exact coordinate at t: a fall and its rebounds, or rest where gravity does not pull.
    fn exact(&self, i: usize, t: f64) -> f64 {
        let (pull, height) = (GRAVITY * self.down[i], START[i] - RADIUS);
        if pull == 0.0 {
            return START[i];
        }
        let fall = (2.0 * height / pull).sqrt();
        if t < fall {
            return START[i] - 0.5 * pull * t * t;
        }
        // impact k at fall (1 + 2 (e + ... + e^k)), rebounding with pull fall e^(k+1)
        let (mut since, mut speed) = (t - fall, RESTITUTION * pull * fall);
        while speed > f64::EPSILON * pull * fall {
            let flight = 2.0 * speed / pull;
            if since < flight {
                return RADIUS + speed * since - 0.5 * pull * since * since;
            }
            since -= flight;
            speed *= RESTITUTION;
        }
        RADIUS
    }
}

impl System for BallInBox {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(MASS);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&self.down.map(|d| -MASS * GRAVITY * d));
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let [x, y] = [at.q()[0], at.q()[1]];
        g_N.copy_from_slice(&[x - RADIUS, SIDE - RADIUS - x, y - RADIUS, SIDE - RADIUS - y]);
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for &contact in active {
            W.begin_row(0.0);
            W.push(contact / 2, if contact % 2 == 0 { 1.0 } else { -1.0 });
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        self.parts(at.q(), &at.v)
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        out.copy_from_slice(at.q());
    }
}

/// What a figure shows of a run.
#[derive(Debug, Default)]
struct Trace {
    t: Vec<f64>,
    gaps: [Vec<f64>; 4],
    energy: Vec<f64>,
    /// Whether a wall pressed in the step.
    pressed: Vec<bool>,
    /// Largest distance from the exact motion (m).
    off: f64,
}

fn trace(ball: &BallInBox, method: Method) -> Result<Trace, String> {
    let mut trace = Trace::default();
    watch(ball, method, (&START, &[0.0; 2]), STEP, END, |state, _| {
        let at = Configuration::new(ball, state.t, &state.q, &state.v);
        let mut g_N = [0.0; 4];
        ball.gaps(&at, &mut g_N);
        trace.t.push(state.t);
        for (column, g) in trace.gaps.iter_mut().zip(g_N) {
            column.push(g);
        }
        trace.pressed.push(state.lambda.iter().any(|lambda| *lambda > 0.0));
        trace.energy.push(ball.total_energy(&state.q, &state.v));
        for i in 0..2 {
            trace.off = trace.off.max((state.q[i] - ball.exact(i, state.t)).abs());
        }
    })?;
    Ok(trace)
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let (cos, sin) = (0.75_f64.sqrt(), 0.5);
    let readings = [("along -(cos 30, sin 30)", [cos, sin], 2), ("along -y", [0.0, 1.0], 1)];
    for (i, (reading, down, walls)) in readings.into_iter().enumerate() {
        if let Err(why) = fill(&mut report, reading, &BallInBox::new(down), walls) {
            report.compare(format!("runs to the end, gravity {reading}"), "yes", why, false, "a run failed");
        }
        progress(0.5 * (i + 1) as f64);
    }
    report.note(
        "The text has gravity along -(cos 30, sin 30), Table 4 along -y; the figures need two walls, which only the first \
         reading gives.",
    );
    report.note(
        "The two levels make the same flights and impacts. Where a contact lasts, the acceleration level keeps what it has \
         of approach and sinks into the wall at a constant rate, and its energy with it; the velocity level stops. Stopping, \
         it can lift the ball once by up to m (g dt)^2/8, which no figure shows.",
    );
    report
}

fn fill(report: &mut StudyReport, reading: &str, ball: &BallInBox, walls: usize) -> Result<(), String> {
    let traces = [(ACCELERATION, trace(ball, ACCELERATION)?), (VELOCITY, trace(ball, VELOCITY)?)];
    let scale = MASS * GRAVITY * SIDE;
    for (method, trace) in &traces {
        let gained = range(trace.energy.windows(2).map(|e| e[1] - e[0])).1;
        report.compare(
            format!("largest gain of energy in a step, gravity {reading}, {}", method.label),
            "none (Fig. 10)",
            format!("{gained:.1e} of {:.1} J", trace.energy[0]),
            gained <= LIFT + ROUND * scale,
            "more than a wall can lift the ball in a step",
        );
        let closed = trace.gaps.iter().filter(|g| g.last().is_some_and(|g| *g <= 0.0)).count();
        report.compare(
            format!("walls where the ball rests, gravity {reading}, {}", method.label),
            format!("{walls}"),
            format!("{closed}"),
            closed == walls,
            "another number of closed contacts",
        );
        report.fact(
            format!("largest distance from the exact motion, gravity {reading}, {}", method.label),
            format!("{:.1e} m", trace.off),
        );
    }
    let [(_, a), (_, v)] = &traces;
    let apart = |a: &[f64], b: &[f64]| range(a.iter().zip(b).map(|(a, b)| (a - b).abs())).1;
    // steps until a contact lasts
    let free = a.pressed.iter().zip(&v.pressed).take_while(|(a, v)| !**a && !**v).count();
    let energy = apart(&a.energy[..free], &v.energy[..free]) / scale;
    report.compare(
        format!("energies of the two levels differ by at most, over m g a, until a contact lasts, gravity {reading}"),
        "they coincide (Fig. 10)",
        format!("{energy:.1e} in {:.3} s", a.t[free - 1]),
        energy <= 10.0 * ROUND,
        "free flight and impacts differ",
    );
    report.fact(
        format!("energies of the two levels differ by at most, over m g a, to {END} s, gravity {reading}"),
        format!("{:.1e}", apart(&a.energy, &v.energy) / scale),
    );
    let fastest = (2.0 * GRAVITY * (START[1] - RADIUS)).sqrt();
    let deepest = |trace: &Trace| -range(trace.gaps.iter().flatten().copied()).0;
    report.compare(
        format!("deepest penetration, gravity {reading}, {}", VELOCITY.label),
        "within a step's way (Fig. 11)",
        format!("{:.1e} m; a step's way at the first impact is {:.1e} m", deepest(v), fastest * STEP),
        deepest(v) <= fastest * STEP,
        "deeper than one step goes",
    );
    let sunk = |trace: &Trace| -range(trace.gaps.iter().map(|g| g[g.len() - 1])).0;
    report.compare(
        format!("sunk into a wall at {END} s, acceleration and velocity level, gravity {reading}"),
        "drifts off, does not (Fig. 11)",
        format!("{:.1e} m and {:.1e} m", sunk(a), sunk(v)),
        sunk(a) > 10.0 * sunk(v),
        "no drift, or at both levels",
    );
    let gaps = range(a.gaps.iter().zip(&v.gaps).map(|(a, v)| apart(a, v))).1;
    report.fact(
        format!("gaps of the two levels differ by at most, gravity {reading} (Fig. 11)"),
        format!("{gaps:.1e} m"),
    );
    let mut columns = vec![("t (s)".to_string(), a.t.clone())];
    for (method, trace) in &traces {
        columns.push((format!("energy, {} (J)", method.label), trace.energy.clone()));
        for (name, gap) in ["left", "right", "floor", "ceiling"].iter().zip(&trace.gaps) {
            columns.push((format!("gap {name}, {} (m)", method.label), gap.clone()));
        }
    }
    let mut series = Series::new(&format!("Figs 10 and 11: gravity {reading}"), columns);
    let energy = Panel::new(
        &format!("[Schindler2015] Fig. 10: energy, gravity {reading}"),
        "",
        linear("t (s)"),
        linear("energy (J)"),
    );
    series = series.drawn(energy, |column| between(column, "energy, ", " (J)"));
    for side in ["left", "right", "floor", "ceiling"] {
        let figure = format!("[Schindler2015] Fig. 11: gaps, gravity {reading}");
        let panel = Panel::new(&figure, side, linear("t (s)"), linear("gap (m)"));
        series = series.drawn(panel, |column| between(column, &format!("gap {side}, "), " (m)"));
    }
    report.series.push(series);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives() {
        let problems = check_derivatives(&BallInBox::new([0.6, 0.8]), 0.0, &[1.7, 2.2], &[0.3, -2.0], 1e-6);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn exact_motion_bounces_as_newton_says() {
        let ball = BallInBox::new([0.0, 1.0]);
        let fall = (2.0 / GRAVITY).sqrt();
        // highest after the first impact, half a flight later
        assert!(
            (ball.exact(1, fall * (1.0 + RESTITUTION)) - RADIUS - RESTITUTION * RESTITUTION).abs() < 1e-14
        );
        assert_eq!(ball.exact(1, fall * 1.3 / 0.7 + 1.0), RADIUS);
        assert_eq!(ball.exact(0, 1.0), START[0]);
    }
}
