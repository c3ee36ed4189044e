//! Orders, losses and drift of the schemes are those of the table in the book.

use super::exact::{ball_height, pendulum_angle};
use crate::pages::page;
use carom::{SCHEMES, Settings, Setup, Stop};
use std::collections::BTreeSet;

/// Twelve step sizes that are not multiples of each other.
pub fn row_of_steps(from: f64) -> Vec<f64> {
    (0..12).map(|k| from * 0.7_f64.powi(k)).collect()
}

/// Fitted slope of log error over log step.
pub fn slope(steps: &[f64], errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = steps.iter().zip(errors).map(|(h, e)| (h.ln(), e.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>();
    sum(&|p| (p.0 - x) * (p.1 - y)) / sum(&|p| (p.0 - x).powi(2))
}

/// Relative L¹ error. [Chen2013] (42)
pub fn l1(t: &[f64], y: &[f64], exact: impl Fn(f64) -> f64) -> f64 {
    let difference: f64 = t.iter().zip(y).map(|(t, y)| (y - exact(*t)).abs()).sum();
    difference / t.iter().map(|t| exact(*t).abs()).sum::<f64>()
}

pub fn said_order(cell: &str) -> f64 {
    cell.parse().expect("an order")
}

/// The table of orders: `` `scheme` (`parameter` = value) `` | smooth | joint | impacts | energy lost | drift.
#[test]
fn orders_are_those_of_the_table() {
    let page = page("theory/schemes.md");
    let (spring, pendulum, ball) = (page.model("Spring"), page.model("Pendulum"), page.model("Ball"));
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    let angle = pendulum_angle(1.0);
    for row in page.rows().into_iter().filter(|r| r.len() == 6 && r[1].parse::<f64>().is_ok()) {
        let spans: Vec<&str> = row[0].split('`').skip(1).step_by(2).collect();
        let Some(info) = spans.first().and_then(|s| SCHEMES.iter().find(|i| i.name == *s)) else { continue };
        let mut changes = vec![("simulation.scheme".to_string(), info.name.to_string())];
        if let Some(parameter) = spans.get(1) {
            let value = row[0].split("= ").nth(1).expect("a value").trim_end_matches(')');
            changes.push((format!("simulation.parameters.{parameter}"), value.into()));
        }
        let setup =
            |text: &str| Setup::of_text("book", text, &changes).unwrap_or_else(|e| panic!("{row:?}: {e}"));
        let run = |setup: &Setup, step: f64, end: f64| {
            let settings = Settings { step, end, accuracy: None, output: Some(step) };
            let done = setup.run_with(settings, |_| true).expect("a good start");
            assert_eq!(done.summary.stop, Stop::Done);
            done
        };
        let last = |setup: &Setup, step: f64, channel: &str| {
            *run(setup, step, 1.0).recording.column(channel).expect("a channel").last().expect("a sample")
        };
        let order = |from: f64, error: &dyn Fn(f64) -> f64| {
            let steps = row_of_steps(from);
            slope(&steps, &steps.iter().map(|&h| error(h)).collect::<Vec<_>>())
        };
        let (spring, pendulum) = (setup(&spring), setup(&pendulum));
        // a dash: the scheme refuses a ball that bounces
        let bounces = row[3] != "–";
        let refused = Setup::of_text("book", &ball, &changes).is_err();
        assert_ne!(refused, bounces, "{row:?}: whether it takes restitution");
        let omega = 5.0_f64;
        // above order 3 errors reach round-off early
        let high = said_order(&row[1]) > 3.5;
        let from = if high { 1e-1 } else { 1e-2 };
        let smooth = order(from, &|h| (last(&spring, h, "mass.x") - (1.0 + 0.5 * omega.cos())).abs());
        let joints = order(from, &|h| (last(&pendulum, h, "rod.angle") - angle).abs());
        let impacts = bounces.then(|| {
            let ball = setup(&ball);
            order(4e-3, &|h| {
                let recording = run(&ball, h, 4.0).recording;
                l1(recording.column("t").unwrap(), recording.column("ball.y").unwrap(), ball_height)
            })
        });
        let impacts_text = impacts.map_or("–".into(), |order| format!("{order:.2}"));
        let lost = run(&spring, 1e-2, 4.0).summary.audit.relative_numerical_loss();
        let drift = run(&pendulum, 1e-3, 1.0).summary.audit.drift_length.value;
        println!("| {} | {smooth:.2} | {joints:.2} | {impacts_text} | {lost:.1e} | {drift:.1e} |", row[0]);
        let number = |cell: &String| if cell == "–" { f64::NAN } else { cell.parse().expect("a number") };
        let said: Vec<f64> = row[1..].iter().map(number).collect();
        for (what, ours, said) in [
            ("smooth", Some(smooth), said[0]),
            ("joint", Some(joints), said[1]),
            ("impacts", impacts, said[2]),
        ] {
            let Some(ours) = ours else { continue };
            if (ours - said).abs() > 0.02 {
                wrong.push(format!("{}: order {what} is {ours:.3}, the book says {said}", row[0]));
            }
        }
        for (what, ours, said) in [("energy lost", lost, said[3]), ("drift", drift, said[4])] {
            let same = (ours - said).abs() <= 0.06 * said.abs() || ours.abs().max(said.abs()) < 1e-9;
            if !same {
                wrong.push(format!("{}: {what} is {ours:e}, the book says {said}", row[0]));
            }
        }
        seen.insert(info.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let stepping: BTreeSet<&str> =
        SCHEMES.iter().map(|s| s.name).filter(|name| !is_event_driven(name)).collect();
    assert_eq!(seen, stepping, "every scheme that does not choose its steps has a row");
}

pub fn is_event_driven(name: &str) -> bool {
    carom::scheme(name, &[]).expect("a registered scheme").owns_steps()
}
