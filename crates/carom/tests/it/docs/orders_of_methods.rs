//! Forms, orders, losses and drift of event-driven schemes are those of the tables in the book.

use super::exact::{pendulum_angle, stopped_spring};
use super::orders::{is_event_driven, said_order, slope};
use crate::pages::{page, plain};
use carom::{SCHEMES, Settings, Setup, Stop};
use carom_dynamics::Formulation;
use std::collections::BTreeSet;

/// The table of forms: every event-driven scheme with the forms it takes, and no others.
#[test]
fn schemes_take_the_forms_of_the_table() {
    let rows = page("theory/methods.md").rows();
    for name in SCHEMES.iter().map(|s| s.name).filter(|name| is_event_driven(name)) {
        let row = rows.iter().find(|r| r.len() == 3 && plain(&r[0]).as_deref() == Some(name));
        let row = row.unwrap_or_else(|| panic!("the forms of {name} are not in the table"));
        for form in Formulation::ALL {
            let mut scheme = carom::scheme(name, &[]).expect("a registered scheme");
            let (takes, said) = (scheme.set_formulation(form).is_ok(), row[1].contains(&format!("`{form}`")));
            assert_eq!(takes, said, "{name} in the form {form}");
        }
    }
}

/// The table of methods: `` `scheme` (`parameter` = value) `` | smooth | joint | stop | energy lost | drift.
#[test]
fn orders_of_methods_are_those_of_the_table() {
    let (schemes, page) = (page("theory/schemes.md"), page("theory/methods.md"));
    let (spring, pendulum, stop) = (schemes.model("Spring"), schemes.model("Pendulum"), page.model("Stop"));
    // ½ φ'² = −10/1.1 sin φ, on its way down
    let angle = pendulum_angle(1.0);
    let angle = [angle, -(-20.0 / 1.1 * angle.sin()).sqrt()];
    let free = [1.0 + 0.5 * 5.0_f64.cos(), -2.5 * 5.0_f64.sin()];
    let stopped = stopped_spring(2.0);
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for row in page.rows().into_iter().filter(|r| r.len() == 6 && r[1].parse::<f64>().is_ok()) {
        let spans: Vec<&str> = row[0].split('`').skip(1).step_by(2).collect();
        let info = SCHEMES.iter().find(|i| i.name == spans[0]).unwrap_or_else(|| panic!("{row:?}"));
        let mut changes = vec![("simulation.scheme".to_string(), info.name.to_string())];
        if let Some(parameter) = spans.get(1) {
            let value = row[0].split("= ").nth(1).expect("a value").trim_end_matches(')');
            changes.push((format!("simulation.parameters.{parameter}"), value.into()));
        }
        let run = |text: &str, more: &[(String, String)], step: f64, end: f64| {
            let changes: Vec<_> = changes.iter().chain(more).cloned().collect();
            let setup = Setup::of_text("book", text, &changes).unwrap_or_else(|e| panic!("{row:?}: {e}"));
            let settings = Settings { step, end, accuracy: None, output: Some(step) };
            setup.run_with(settings, |_| true).expect("a good start")
        };
        // above order 3 errors reach round-off early
        let (first, ratio) = match said_order(&row[1]) {
            order if order > 4.5 => (21.0, 0.87_f64),
            order if order > 3.5 => (60.0, 0.87),
            _ => (100.0, 0.7),
        };
        let steps: Vec<f64> = (0..12).map(|k| 1.0 / (first / ratio.powi(k)).round()).collect();
        // of position and velocity, at the end
        let order = |text: &str, end: f64, channels: [&str; 2], exact: [f64; 2]| {
            let errors = steps.iter().map(|&step| {
                let done = run(text, &[], step, end);
                assert_eq!(done.summary.stop, Stop::Done, "{row:?}");
                let last =
                    |name: &str| *done.recording.column(name).expect("a channel").last().expect("a row");
                (last(channels[0]) - exact[0]).hypot(last(channels[1]) - exact[1])
            });
            slope(&steps, &errors.collect::<Vec<_>>())
        };
        let smooth = order(&spring, 1.0, ["mass.x", "mass.vx"], free);
        let stopped = order(&stop, 2.0, ["mass.x", "mass.vx"], stopped);
        // a dash: the scheme takes no joints
        let refused = Setup::of_text("book", &pendulum, &changes).is_err();
        assert_eq!(refused, row[2] == "–", "{row:?}: whether it takes joints");
        let joint = (!refused).then(|| order(&pendulum, 1.0, ["rod.angle", "rod.omega"], angle));
        let lost = run(&spring, &[], 1e-2, 4.0).summary.audit.relative_numerical_loss();
        let drift = (!refused).then(|| {
            let has = info.parameters.iter().any(|p| p.name == "projection");
            let free = ("simulation.parameters.projection".to_string(), "0".to_string());
            let free: &[_] = if has { &[free] } else { &[] };
            run(&pendulum, free, 1e-2, 1.0).summary.audit.drift_length.value
        });
        let text = |x: Option<f64>| x.map_or("–".to_string(), |x| format!("{x:.2}"));
        let small = drift.map_or("–".to_string(), |x| format!("{x:.1e}"));
        println!("| {} | {smooth:.2} | {} | {stopped:.2} | {lost:.1e} | {small} |", row[0], text(joint));
        let number = |cell: &String| if cell == "–" { f64::NAN } else { cell.parse().expect("a number") };
        let said: Vec<f64> = row[1..].iter().map(number).collect();
        for (what, ours, said) in
            [("smooth", Some(smooth), said[0]), ("joint", joint, said[1]), ("stop", Some(stopped), said[2])]
        {
            if ours.is_some_and(|ours| (ours - said).abs() > 0.05) {
                wrong.push(format!("{}: order {what} is {ours:?}, the book says {said}", row[0]));
            }
        }
        for (what, ours, said) in [("energy lost", Some(lost), said[3]), ("drift", drift, said[4])] {
            let Some(ours) = ours else { continue };
            let same = (ours - said).abs() <= 0.06 * said.abs() || ours.abs().max(said.abs()) < 1e-12;
            if !same {
                wrong.push(format!("{}: {what} is {ours:e}, the book says {said}", row[0]));
            }
        }
        seen.insert(info.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let driven: BTreeSet<&str> =
        SCHEMES.iter().map(|s| s.name).filter(|name| is_event_driven(name)).collect();
    assert_eq!(seen, driven, "every scheme that chooses its steps has a row");
}
