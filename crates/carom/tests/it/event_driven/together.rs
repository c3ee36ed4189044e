//! Several contacts that close at one instant.

use super::*;

/// A block lands flat: both corners hit in one event and it does not turn.
#[test]
fn block_that_lands_flat() {
    let text = r#"
        gravity = [0, -10]
        [ground.shapes]
        floor = { type = "line", through = [0, 0], normal = [0, 1] }
        [bodies.block]
        mass = 1
        inertia = 0.01
        position = [0.123, 0.3]
        velocity = [0.7, 0]
        shapes.box = { type = "rectangle", size = [0.37, 0.1] }
        [contacts.feet]
        between = ["block.box", "ground.floor"]
        restitution = 0.6
        friction = 0.2
        "#;
    let first = (2.0_f64 * 0.25 / 10.0).sqrt();
    for scheme in holding() {
        for accuracy in [Some(1e-8), None] {
            if accuracy.is_some() && !controlled().contains(&scheme) {
                continue;
            }
            let done = run(&model(text, &how(scheme, accuracy, 0.013, 1.5)));
            let what = format!("{scheme} {accuracy:?}");
            let impacts = events(&done, EventKind::Impact);
            assert!(impacts.len().is_multiple_of(2) && impacts.len() > 10, "{what}: {}", impacts.len());
            for pair in impacts.chunks(2) {
                assert_eq!(pair[0].t, pair[1].t, "{what}");
            }
            assert!((impacts[0].t - first).abs() < 1e-10, "{what}");
            let turned = series(&done, "block.angle").iter().fold(0.0, |most: f64, a| most.max(a.abs()));
            assert!(turned < 1e-12, "{what}: turns by {turned:.1e}");
            assert!(last(&done, "block.vy").abs() < 1e-15, "{what}");
        }
    }
}

/// The slider-crank of the gallery: flat motion stays flat.
#[test]
fn slider_crank_stays_flat() {
    for scheme in ["hem5", "hybrid", "phem56", "dopri5"] {
        let done = run(&gallery("slider-crank", &how(scheme, Some(1e-8), 1e-5, 0.05)));
        let turned = series(&done, "slider.angle").iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        assert!(turned < 1e-9, "{scheme}: turns by {turned:.1e}");
    }
}

/// Two balls fly at one that rests between them, e = 1: they hit at once and fly back, the middle one stays.
#[test]
fn three_balls_that_meet_at_once() {
    let text = r#"
        [bodies.left]
        mass = 1
        position = [-1, 0]
        velocity = [2, 0]
        shapes.skin = { type = "disk", radius = 0.1 }
        [bodies.middle]
        mass = 1
        shapes.skin = { type = "disk", radius = 0.1 }
        [bodies.right]
        mass = 1
        position = [1, 0]
        velocity = [-2, 0]
        shapes.skin = { type = "disk", radius = 0.1 }
        [contacts]
        on-left = { between = ["left.skin", "middle.skin"], restitution = 1 }
        on-right = { between = ["right.skin", "middle.skin"], restitution = 1 }
        "#;
    for scheme in event_driven() {
        for accuracy in [Some(1e-8), None] {
            if accuracy.is_some() && !controlled().contains(&scheme) {
                continue;
            }
            let done = run(&model(text, &how(scheme, accuracy, 0.013, 1.0)));
            let what = format!("{scheme} {accuracy:?}");
            let impacts = events(&done, EventKind::Impact);
            assert_eq!(impacts.len(), 2, "{what}");
            assert_eq!(impacts[0].t, impacts[1].t, "{what}");
            assert!((impacts[0].t - 0.4).abs() < 1e-12, "{what}");
            for (body, v) in [("left", -2.0), ("middle", 0.0), ("right", 2.0)] {
                assert!((last(&done, &format!("{body}.vx")) - v).abs() < 1e-12, "{what} {body}");
            }
        }
    }
}
