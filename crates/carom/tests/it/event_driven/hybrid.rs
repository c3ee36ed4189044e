//! The hybrid: what it does in which way, and input that is refused.

use super::*;
use carom::Phase;

fn total(phases: &[Phase]) -> f64 {
    phases.iter().map(|p| p.time).sum()
}

/// Three balls come to rest on each other: time is spent in both ways where two impacts make a crowd, and adds up.
#[test]
fn three_balls_come_to_rest() {
    for (accuracy, crowd) in [(1e-6, "1"), (1e-8, "1"), (1e-6, "20"), (1e-8, "20")] {
        let mut changes = how("hybrid", Some(accuracy), 1e-4, 2.5);
        changes.push(("simulation.parameters.crowd", crowd.into()));
        let done = run(&gallery("three-balls", &changes));
        let phases = &done.summary.phases;
        assert_eq!(phases.len(), 2);
        assert!((total(phases) - 2.5).abs() < 1e-9, "{phases:?}");
        assert_eq!(phases.iter().map(|p| p.steps).sum::<usize>(), done.summary.steps);
        if crowd == "1" {
            assert!(phases[1].began.iter().any(|(why, n)| why == "impacts crowd" && *n > 0), "{phases:?}");
        }
        assert!(phases[0].time > phases[1].time, "{phases:?}");
        for (body, y) in [("first", 0.1), ("second", 0.3), ("third", 0.5)] {
            assert!((last(&done, &format!("{body}.y")) - y).abs() < 10.0 * accuracy, "{body}");
            assert!(last(&done, &format!("{body}.vy")).abs() < 1e-9, "{body}");
        }
        assert!((last(&done, "floor.force_n") - 3.0 * 9.81).abs() < 1e-6);
    }
}

/// The published rule, [Haddouni2015] §4.2: two impacts within h* and no rule of rest. The last bounces are stepped over, and the run
/// goes on behind them as a stack at rest.
#[test]
fn published_rule_steps_over_accumulations() {
    for (accuracy, least) in [(1e-4, "5e-7"), (1e-8, "5e-7"), (1e-6, "0")] {
        let mut changes = how("hybrid", Some(accuracy), 1e-4, 2.5);
        for (key, value) in [
            ("simulation.parameters.crowd", "1"),
            ("simulation.parameters.rest", "0"),
            ("simulation.parameters.least_step", least),
        ] {
            changes.push((key, value.into()));
        }
        let done = run(&gallery("three-balls", &changes));
        let phases = &done.summary.phases;
        assert!(phases[1].steps > 0 && phases[1].time < 0.05, "{phases:?}");
        assert!((total(phases) - 2.5).abs() < 1e-9, "{phases:?}");
        for (body, y) in [("first", 0.1), ("second", 0.3), ("third", 0.5)] {
            let off = (last(&done, &format!("{body}.y")) - y).abs();
            assert!(off < 10.0 * accuracy.max(1e-7), "{body}: {off:.1e} {phases:?}");
            assert!(last(&done, &format!("{body}.vy")).abs() < 1e-9, "{body}");
        }
        assert!((last(&done, "floor.force_n") - 3.0 * 9.81).abs() < 1e-6);
    }
}

/// Without a rule of rest and with a row of impacts that never gets long enough, what is lost in round-off is stepped over too.
#[test]
fn accumulations_are_stepped_over_without_rest() {
    let mut changes = how("hybrid", Some(1e-6), 1e-3, 4.5);
    changes.push(("simulation.parameters.crowd", "1000000".into()));
    changes.push(("simulation.parameters.rest", "0".into()));
    let done = run(&gallery("ball", &changes));
    let began = &done.summary.phases[1].began;
    assert!(began.iter().any(|(why, n)| why == "impacts accumulate" && *n > 0), "{began:?}");
    assert!((last(&done, "ball.y") - 0.2).abs() < 1e-6);
    assert!(last(&done, "ball.vy").abs() < 1e-9);
}

/// `transitions` = 1 steps over every change between sticking and sliding, as published.
#[test]
fn transitions_stepped_over() {
    let changes = |transitions: &str| {
        let mut changes = how("hybrid", Some(1e-8), 1e-3, 0.5);
        changes.push(("simulation.parameters.transitions", transitions.into()));
        changes
    };
    let exact = run(&gallery("incline", &changes("0")));
    let published = run(&gallery("incline", &changes("1")));
    assert_eq!(exact.summary.phases[1].steps, 0, "{:?}", exact.summary.phases);
    let began = &published.summary.phases[1].began;
    assert!(began.iter().any(|(why, _)| why == "sticking and sliding alternate"), "{began:?}");
    assert!((total(&published.summary.phases) - 0.5).abs() < 1e-9);
    let off = (last(&exact, "block.x") - last(&published, "block.x")).abs();
    assert!(off < 1e-7, "{off:.1e}");
}

/// Own events that happen before, while and after it steps are told once each.
#[test]
fn own_events_are_told_once() {
    let text = r#"
        gravity = [0, -10]
        [ground.shapes]
        floor = { type = "line", through = [0, 0], normal = [0, 1] }
        [bodies.ball]
        mass = 1
        position = [0, 0.2]
        [bodies.clock]
        mass = 1
        velocity = [1, 10]
        [contacts.floor]
        between = ["ball", "ground.floor"]
        restitution = 0.5
        [events]
        before = { when = "t - 0.1" }
        while = { when = "clock.x - 0.5999" }
        after = { when = "t - 0.8", direction = "rising" }
        never = { when = "clock.x + 1" }
        "#;
    // falls for 0.2 s; impacts accumulate at 0.2 s · (1 + 2) = 0.6 s
    let mut stepped = 0;
    for accuracy in [1e-4, 1e-5, 1e-6, 1e-7] {
        let mut changes = how("hybrid", Some(accuracy), 1e-3, 1.0);
        changes.push(("simulation.parameters.least_step", "1e-3".into()));
        changes.push(("simulation.parameters.crowd", "1".into()));
        let done = run(&model(text, &changes));
        let told: Vec<(&str, f64)> =
            events(&done, EventKind::Event).iter().map(|e| (e.subject.as_str(), e.t)).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        for ((name, t), exact) in told.iter().zip([("before", 0.1), ("while", 0.5999), ("after", 0.8)]) {
            assert!(*name == exact.0 && (t - exact.1).abs() < 1.1e-3, "{told:?}");
        }
        stepped += done.summary.phases[1].steps;
    }
    assert!(stepped > 0);
}

fn refused(changes: &[Change]) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery/ball/model.toml");
    match Setup::open(&path, &own(changes)) {
        Err(wrong) => wrong.to_string(),
        Ok(setup) => setup.run(|_| true).expect_err("should be refused").to_string(),
    }
}

/// What cannot be done is said with what can.
#[test]
fn bad_input() {
    let with = |more: &[(&'static str, &str)]| {
        let mut changes: Vec<Change> = vec![("simulation.scheme", "hem5".into())];
        changes.retain(|(key, _)| !more.iter().any(|(other, _)| other == key));
        changes.extend(more.iter().map(|(k, v)| (*k, v.to_string())));
        refused(&changes)
    };
    let said =
        with(&[("simulation.parameters.least_step", "1e-2"), ("simulation.parameters.most_step", "1e-3")]);
    assert!(said.contains("`least_step`") && said.contains("`most_step`"), "{said}");
    for accuracy in ["0", "-1e-6", "nan", "inf"] {
        let said = with(&[("simulation.accuracy", accuracy)]);
        assert!(
            said.contains("accuracy")
                && ["positive", "above 0", "finite"].iter().any(|word| said.contains(word)),
            "{accuracy}: {said}"
        );
    }
    let said = with(&[("simulation.formulation", "index-9")]);
    assert!(said.contains("index-9") && said.contains("null-space"), "{said}");
    let text = "bodies.ball.mass = 1\n\n[simulation]\nscheme = \"hem5\"\nformulation = \"index-3\"\n";
    let said = Setup::of_text("ball.toml", text, &[]).expect_err("should be refused").to_string();
    assert!(said.contains("ball.toml:5") && said.contains("it takes index-2"), "{said}");
    assert!(said.contains("alpha-dae") || said.contains("dopri5"), "which schemes take it: {said}");
    let said = with(&[("simulation.formulation", "pseudo-inverse")]);
    assert!(said.contains("hem5") && said.contains("it takes") && said.contains("index-2"), "{said}");
    let said = with(&[("simulation.scheme", "moreau-jean"), ("simulation.formulation", "index-1")]);
    assert!(said.contains("form of its own"), "{said}");
    let said = with(&[("simulation.parameters.least_step", "-1")]);
    assert!(said.contains("least_step") && said.contains("between"), "{said}");
}
