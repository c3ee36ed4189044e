//! The bouncing ball of [Chen2013] §5.1 (Figs 3-5, App. A).
//!
//! ```text
//!   m q'' = −m g + λ,   0 ≤ q − R ⊥ λ ≥ 0,   v⁺ = −e v⁻;      m = 1, R = 0.2, g = 10, e = 0.8, h0 = 1.001, [0, 4] s
//! ```
//!
//! Fig. 3, 5: three schemes of the registry against the exact solution. Fig. 4: two ways to go wrong, which exist only
//! here (file `wrong_ball`): the contact force integrated like a smooth one, and the contact at position level.

use crate::figure::{Panel, linear};
use crate::measure::{L1, Order, Ratio, range, steps, times};
use crate::report::{Series, StudyReport};
use crate::running::{ALPHA, CHEN, Method, NEWMARK, NONSMOOTH_NEWMARK, watch};
use crate::stack::Stack;
use crate::wrong_ball::{Level, Parameters, Treatment, WrongBall};

const MASS: f64 = 1.0;
pub(crate) const RADIUS: f64 = 0.2;
pub(crate) const GRAVITY: f64 = 10.0;
pub(crate) const RESTITUTION: f64 = 0.8;
pub(crate) const HEIGHT: f64 = 1.001;
const END: f64 = 4.0;
/// Step sizes for Fig. 5: from the nominal step down to 3e-5 s. Above it the velocity is not yet in its regime, see
/// `coarse_orders`.
const LARGEST_STEP: f64 = 1e-3;
const SIZES: usize = 22;
const RATIO: f64 = 0.85;
/// Step size of Figs 3 and 4.
const STEP: f64 = 1e-3;

/// Exact (q, v) at t. [Chen2013] (A.1)
pub(crate) fn exact(t: f64) -> (f64, f64) {
    let (g, e) = (GRAVITY, RESTITUTION);
    let fall = (2.0 * (HEIGHT - RADIUS) / g).sqrt();
    if t < fall {
        return (HEIGHT - 0.5 * g * t * t, -g * t);
    }
    if t >= fall * (1.0 + e) / (1.0 - e) {
        return (RADIUS, 0.0);
    }
    // t_n = fall (1 + 2e (1 − e^{n−1})/(1 − e)): the last impact before t
    let impact = |n: i32| fall * (1.0 + 2.0 * e * (1.0 - e.powi(n - 1)) / (1.0 - e));
    let mut n = 1;
    while impact(n + 1) <= t {
        n += 1;
    }
    let (s, speed) = (t - impact(n), e.powi(n) * g * fall);
    (RADIUS + speed * s - 0.5 * g * s * s, speed - g * s)
}

/// ‖e‖₁ of position and velocity for one run, and its curve.
fn errors(method: Method, step: f64, curve: Option<&mut Vec<[f64; 3]>>) -> Result<[f64; 2], String> {
    let ball = Stack::ball(MASS, GRAVITY, RADIUS, RESTITUTION, HEIGHT);
    let (mut position, mut velocity) = (L1::default(), L1::default());
    let mut kept = Vec::new();
    watch(&ball, method, (&[HEIGHT], &[0.0]), step, END, |state, _| {
        let (q, v) = exact(state.t);
        position.add(state.q[0], q);
        velocity.add(state.v[0], v);
        kept.push([state.t, state.q[0], state.v[0]]);
    })?;
    if let Some(curve) = curve {
        *curve = kept;
    }
    Ok([position.relative(), velocity.relative()])
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    let sizes = steps(LARGEST_STEP, RATIO, SIZES);
    let mut table = Vec::new();
    for (i, method) in CHEN.into_iter().enumerate() {
        let mut columns = [Vec::new(), Vec::new()];
        for (k, &step) in sizes.iter().enumerate() {
            match errors(method, step, None) {
                Ok([q, v]) => {
                    columns[0].push(q);
                    columns[1].push(v);
                }
                Err(why) => {
                    report.compare(format!("{} at {step:.2e} s", method.label), "runs", why, false, "failed");
                    return report;
                }
            }
            progress((i * SIZES + k) as f64 / (5 * SIZES) as f64);
        }
        table.push((method.label.to_string(), columns));
    }
    table
        .push(("Moreau-Jean, activated at the end".into(), errors_over(&sizes, moreau_activated_at_the_end)));
    progress(0.7);
    orders(&mut report, &sizes, &table);
    if let Err(why) = newmark_written_out(&mut report) {
        report.compare("runs to the end", "yes", why, false, "a run failed");
    }
    failures(&mut report, &sizes);
    if let Err(why) = coarse_orders(&mut report) {
        report.compare("runs to the end", "yes", why, false, "a run failed");
    }
    progress(0.9);
    curves(&mut report, &sizes, &table);
    progress(1.0);
    report.note(
        "The fully implicit Newmark has the contact force inside its acceleration, which carries it into the next step. The nonsmooth \
         scheme with the same gamma and beta (`newmark` with gamma = 1) has not; it makes the same steps as generalized-alpha on this \
         example, because gravity is constant.",
    );
    report.note(
        "Where contacts are activated decides which scheme looks better on this example. The source activates all \
         of them where the predicted step ends; with theta = 1 the impact then counts as if it came at the beginning \
         of its step, half a step early on average. Activated in the middle of the step, as Moreau does and the \
         registry's `moreau-jean` does, the mean error vanishes and the scheme is as good as the other two.",
    );
    report.note(format!(
        "Orders are slopes over {SIZES} step sizes from {LARGEST_STEP} s down at the ratio {RATIO}; errors are (42) of \
         the source on [0, {END}] s, positions measured as height of the centre. Steps above the nominal 1e-3 s were left out: with them the \
         slopes of the velocity are lower, as the last fact shows."
    ));
    report
}

type Table = [(String, [Vec<f64>; 2])];

fn orders(report: &mut StudyReport, sizes: &[f64], table: &Table) {
    for (label, columns) in table {
        for (what, column) in ["position", "velocity"].iter().zip(columns) {
            let order = Order::fit(sizes, column);
            report.compare(
                format!("order in L1, {what}, {label}"),
                "1 (Fig. 5)",
                format!("{order}"),
                order.is_one(),
                "the slope is not that of a first-order method",
            );
        }
    }
    for (i, what) in ["position", "velocity"].iter().enumerate() {
        for (label, columns) in [&table[0], &table[2]] {
            let ratio = Ratio::of(&table[3].1[i], &columns[i]);
            report.compare(
                format!("error of Moreau-Jean (activated at the end) over {label}, {what}"),
                "slightly above 1 (Fig. 5)",
                format!("{ratio}"),
                ratio.is_larger() && ratio.mean < 2.5,
                "Moreau-Jean is not slightly less accurate, or not by more than its errors scatter",
            );
        }
        let ratio = times(&table[1].1[i], &table[0].1[i]);
        report.fact(
            format!("error of Moreau-Jean (activated at the middle) over generalized-alpha, {what}"),
            format!("{ratio:.2}"),
        );
    }
}

/// The scheme of the registry against its recursion written out for the ball, and against the one it is taken for.
fn newmark_written_out(report: &mut StudyReport) -> Result<(), String> {
    let newmark = Parameters { alpha_m: 0.0, alpha_f: 0.0, beta: 0.5625, gamma: 1.0 };
    let by_hand = WrongBall { parameters: newmark, treatment: Treatment::Smooth, level: Level::Velocity };
    let (mut ours, mut twin, mut written) = (Vec::new(), Vec::new(), Vec::new());
    errors(NEWMARK, STEP, Some(&mut ours))?;
    errors(NONSMOOTH_NEWMARK, STEP, Some(&mut twin))?;
    by_hand.run(STEP, END, &mut |_, q, _| written.push(q));
    let off = |q: &mut dyn Iterator<Item = f64>| {
        ours.iter().zip(q).fold(0.0_f64, |most, (ours, q)| most.max((ours[1] - q).abs()))
    };
    let apart = off(&mut written.iter().copied());
    report.compare(
        "fully implicit Newmark at 1e-3 s, largest distance from (25), (26) with gamma = 1 written out (m)",
        "0",
        format!("{apart:.0e} over {} steps", ours.len() - 1),
        ours.len() == written.len() && apart < 1e-11,
        "another scheme",
    );
    report.fact(
        "the same, largest distance from the nonsmooth scheme with the same gamma and beta (m)",
        format!("{:.0e}", off(&mut twin.iter().map(|x| x[1]))),
    );
    Ok(())
}

/// Slopes of the velocity above the nominal step.
fn coarse_orders(report: &mut StudyReport) -> Result<(), String> {
    let sizes = steps(5e-3, RATIO, 20);
    let mut slopes = Vec::new();
    for method in CHEN {
        let columns = sizes.iter().map(|&step| Ok(errors(method, step, None)?[1]));
        slopes.push(Order::fit(&sizes, &columns.collect::<Result<Vec<_>, String>>()?).slope);
    }
    let (low, high) = range(slopes);
    report.fact(
        format!("order in L1, velocity, between 5e-3 and {:.0e} s", sizes[sizes.len() - 1]),
        format!("{low:.2} to {high:.2}"),
    );
    Ok(())
}

/// The θ = 1 scheme with contacts activated where the step would end, q_n + dt v_n, as Algorithm 1 of the source
/// does for all its schemes; the registry's scheme looks at q_n + dt/2 v_n.
fn moreau_activated_at_the_end(dt: f64, see: &mut dyn FnMut(f64, f64, f64)) {
    let (mut q, mut v) = (HEIGHT, 0.0_f64);
    see(0.0, q, v);
    for n in 1..=(END / dt * (1.0 + 1e-12)) as usize {
        let v_free = v - GRAVITY * dt;
        v = if q + dt * v <= RADIUS { v_free.max(-RESTITUTION * v) } else { v_free };
        q += dt * v;
        see(n as f64 * dt, q, v);
    }
}

/// Errors of a hand-written integrator for every step size.
fn errors_over(sizes: &[f64], integrate: impl Fn(f64, &mut dyn FnMut(f64, f64, f64))) -> [Vec<f64>; 2] {
    let mut columns = [Vec::new(), Vec::new()];
    for &step in sizes {
        let (mut position, mut velocity) = (L1::default(), L1::default());
        integrate(step, &mut |t, q, v| {
            let exact = exact(t);
            position.add(q, exact.0);
            velocity.add(v, exact.1);
        });
        columns[0].push(position.relative());
        columns[1].push(velocity.relative());
    }
    columns
}

/// Height of the first rebound over the height of the fall; e² if right.
fn rebound(ball: WrongBall, step: f64) -> f64 {
    let fall = (2.0 * (HEIGHT - RADIUS) / GRAVITY).sqrt();
    let mut highest = 0.0_f64;
    // the exact second impact comes at fall (1 + 2e); look a little less far
    ball.run(step, fall * (1.0 + 1.9 * RESTITUTION), &mut |t, q, _| {
        if t > fall + 2.0 * step {
            highest = highest.max(q - RADIUS);
        }
    });
    highest / (HEIGHT - RADIUS)
}

/// Fig. 4.
fn wrong_variants() -> [(&'static str, WrongBall); 4] {
    let alpha = Parameters::generalized(0.8);
    let newmark = Parameters { alpha_m: 0.0, alpha_f: 0.0, beta: 0.5625, gamma: 1.0 };
    let variant = |parameters, treatment, level| WrongBall { parameters, treatment, level };
    [
        ("smooth generalized-alpha, velocity level", variant(alpha, Treatment::Smooth, Level::Velocity)),
        ("smooth generalized-alpha, position level", variant(alpha, Treatment::Smooth, Level::Position)),
        (
            "nonsmooth generalized-alpha, position level",
            variant(alpha, Treatment::Impulsive, Level::Position),
        ),
        ("fully implicit Newmark, position level", variant(newmark, Treatment::Smooth, Level::Position)),
    ]
}

fn failures(report: &mut StudyReport, sizes: &[f64]) {
    let right = RESTITUTION.powi(2);
    for (label, ball) in wrong_variants() {
        let [position, _] = errors_over(sizes, |step, see| ball.run(step, END, see));
        // the finest third of the sizes says whether it converges to anything
        let (low, high) = range(position[SIZES - 5..].iter().copied());
        let (least, most) = range(sizes[SIZES - 5..].iter().map(|&step| rebound(ball, step)));
        report.compare(
            format!("{label}: converges?"),
            "no (Fig. 4)",
            format!("error of the position at the five finest steps {low:.2} to {high:.2}"),
            low > 0.05,
            "it does converge",
        );
        report.fact(
            format!("{label}: first rebound, height over height of fall"),
            format!("{least:.3} to {most:.3} at the five finest steps (right: {right:.2})"),
        );
    }
}

fn curves(report: &mut StudyReport, sizes: &[f64], table: &Table) {
    for (i, what) in ["position", "velocity"].iter().enumerate() {
        let columns = std::iter::once(("dt (s)".to_string(), sizes.to_vec()))
            .chain(table.iter().map(|(label, columns)| (label.clone(), columns[i].clone())));
        let panel = Panel::orders(
            "[Chen2013] Fig. 5: error over the step",
            what,
            "dt (s)",
            "relative L1 error",
            &[1.0],
        );
        report
            .series
            .push(Series::new(&format!("Fig. 5: relative L1 error of the {what}"), columns).all_drawn(panel));
    }
    let every = 10;
    let mut kept = Vec::new();
    if errors(ALPHA, STEP, Some(&mut kept)).is_ok() {
        let thin: Vec<[f64; 3]> = kept.into_iter().step_by(every).collect();
        let column = |i: usize| thin.iter().map(|x| x[i]).collect::<Vec<_>>();
        let exact: Vec<_> = thin.iter().map(|x| exact(x[0])).collect();
        let figure = "[Chen2013] Fig. 3: generalized-alpha at 1e-3 s and the exact solution";
        let series = Series::new(
            "Fig. 3: generalized-alpha at 1e-3 s and the exact solution",
            [
                ("t (s)".to_string(), column(0)),
                ("q (m)".to_string(), column(1)),
                ("v (m/s)".to_string(), column(2)),
                ("exact q (m)".to_string(), exact.iter().map(|x| x.0).collect()),
                ("exact v (m/s)".to_string(), exact.iter().map(|x| x.1).collect()),
            ],
        );
        let named = |name: &str, what: &str| match name {
            _ if name == what => Some("generalized-alpha".to_string()),
            _ => (name == format!("exact {what}")).then(|| "exact".to_string()),
        };
        let series = series
            .drawn(Panel::new(figure, "position", linear("t (s)"), linear("q (m)")), |n| named(n, "q (m)"))
            .drawn(Panel::new(figure, "velocity", linear("t (s)"), linear("v (m/s)")), |n| {
                named(n, "v (m/s)")
            });
        report.series.push(series);
    }
    for (label, ball) in wrong_variants() {
        let (mut t, mut q, mut v) = (Vec::new(), Vec::new(), Vec::new());
        let mut n = 0;
        ball.run(STEP, END, &mut |time, position, velocity| {
            if n % every == 0 {
                t.push(time);
                q.push(position);
                v.push(velocity);
            }
            n += 1;
        });
        let columns = [("t (s)".to_string(), t), ("q (m)".to_string(), q), ("v (m/s)".to_string(), v)];
        let figure = "[Chen2013] Fig. 4: variants that fail, at 1e-3 s";
        // two of them throw the ball out of the picture
        let panel = |title: &str, up, [low, high]: [f64; 2]| {
            Panel::new(figure, title, linear("t (s)"), linear(up).between(low, high))
        };
        let series = Series::new(&format!("Fig. 4: {label}"), columns)
            .drawn(panel("position", "q (m)", [0.0, 2.5]), |n| (n == "q (m)").then(|| label.to_string()))
            .drawn(panel("velocity", "v (m/s)", [-10.0, 10.0]), |n| {
                (n == "v (m/s)").then(|| label.to_string())
            });
        report.series.push(series);
    }
}
