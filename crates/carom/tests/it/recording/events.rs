//! Events at an instant.

use super::{column, near, run};
use carom::{Event, EventKind};

fn impacts(done: &carom::Done) -> Vec<&Event> {
    done.recording.events.iter().filter(|e| e.kind == EventKind::Impact).collect()
}

#[test]
fn an_impact_at_the_start_is_an_event() {
    let model = r#"
        [ground.shapes.wall]
        type = "line"
        through = [0, 0]
        normal = [1, 0]
        [bodies.ball]
        mass = 2
        velocity = [-3, 0]
        [contacts.hit]
        between = ["ball", "ground.wall"]
        restitution = 0.5
        [simulation]
        step = 1e-2
        end = 0.5
    "#;
    for (scheme, accuracy) in [("hem5", "none"), ("hem5", "1e-9"), ("radau5", "1e-6"), ("hybrid", "1e-9")] {
        let done = run(model, &[("simulation.scheme", scheme), ("simulation.accuracy", accuracy)]);
        let found = impacts(&done);
        assert_eq!(found.len(), 1, "{scheme}: {found:?}");
        assert_eq!((found[0].t, found[0].before, found[0].after), (0.0, -3.0, 1.5), "{scheme}");
        assert!(near(found[0].impulse, 9.0, 1e-12) && done.summary.impacts == 1, "{scheme}");
        // ½ m (v⁻² − v⁺²) is gone, and all of it by the impact
        let audit = &done.summary.audit;
        assert!(near(audit.impact_loss, 6.75, 1e-12) && near(audit.numerical_loss, 0.0, 1e-12), "{scheme}");
        let impulses: f64 = column(&done, "hit.impulse_n").iter().sum();
        assert!(near(impulses, 9.0, 1e-12), "{scheme}: {impulses}");
        // the first sample is what was written
        assert_eq!(column(&done, "ball.vx")[0], -3.0, "{scheme}");
    }
    for scheme in ["moreau-jean", "generalized-alpha", "bathe"] {
        let done = run(model, &[("simulation.scheme", scheme)]);
        let found = impacts(&done);
        assert!(found.len() == 1 && found[0].t <= 1e-2 + 1e-12, "{scheme}: {found:?}");
        assert!(near(found[0].impulse, 9.0, 1e-9), "{scheme}: {found:?}");
    }
}

#[test]
fn impacts_that_follow_each_other_at_one_instant_are_one_per_contact() {
    // balls that touch, between a hammer and a wall: the blow goes to and fro at one instant until nothing approaches
    let mut model = String::from(
        r#"
        [ground.shapes.wall]
        type = "line"
        through = [4.5, 0]
        normal = [-1, 0]
        [bodies.hammer]
        mass = 10
        position = [0, 0]
        velocity = [2, 0]
        shapes.rim = { type = "disk", radius = 0.5 }
        [contacts.wall]
        between = ["c.rim", "ground.wall"]
        restitution = 0.5
        [simulation]
        scheme = "hem5"
        step = 1e-2
        end = 1
    "#,
    );
    for (name, x) in [("a", 2.0), ("b", 3.0), ("c", 4.0)] {
        model += &format!(
            "[bodies.{name}]\nmass = 1\nposition = [{x}, 0]\nshapes.rim = {{ type = \"disk\", radius = 0.5 }}\n"
        );
    }
    for (i, [a, b]) in [["hammer", "a"], ["a", "b"], ["b", "c"]].iter().enumerate() {
        model += &format!("[contacts.c{i}]\nbetween = [\"{a}.rim\", \"{b}.rim\"]\nrestitution = 0.5\n");
    }
    let done = run(&model, &[]);
    let found = impacts(&done);
    assert!(found.len() >= 4, "{found:?}");
    for (k, event) in found.iter().enumerate() {
        let same = |e: &&&Event| e.t == event.t && e.subject == event.subject;
        assert_eq!(found.iter().filter(same).count(), 1, "event {k}: {event:?} in {found:?}");
        assert!(event.before <= 0.0 || event.impulse > 0.0, "{event:?}");
    }
    // each with all of its impulse: the hammer's momentum is what the first contact took
    let given: f64 = found.iter().filter(|e| e.subject == "c0").map(|e| e.impulse).sum();
    let v = column(&done, "hammer.vx");
    assert!(near(given, 10.0 * (v[0] - v[v.len() - 1]), 1e-9), "{given}");
    assert_eq!(done.summary.impacts, found.len());
}
