//! Events that the model names: where they are, which way they cross, and runs that end there.

use super::*;

const CIRCLING: &str = r#"
    [bodies.bead]
    mass = 1
    position = [1, 0]
    velocity = [0, 2]
    [joints.arm]
    type = "distance"
    between = ["ground", "bead"]
    [events]
    up = { when = "bead.y - 0.5", direction = "rising" }
    down = { when = "bead.y - 0.5", direction = "falling" }
    both = { when = "bead.x" }
    "#;

fn named<'a>(done: &'a Done, name: &str) -> Vec<&'a Event> {
    events(done, EventKind::Event).into_iter().filter(|e| e.subject == name).collect()
}

/// A bead on a circle, φ = 2 t: y = sin φ rises through 1/2 at π/6, falls at 5π/6; x = cos φ at π/2 and 3π/2.
#[test]
fn found_where_they_are() {
    use std::f64::consts::PI;
    let exact = [
        ("up", vec![PI / 6.0, 13.0 * PI / 6.0]),
        ("down", vec![5.0 * PI / 6.0, 17.0 * PI / 6.0]),
        ("both", vec![0.5 * PI, 1.5 * PI, 2.5 * PI]),
    ];
    for scheme in controlled() {
        let done = run(&model(CIRCLING, &how(scheme, Some(1e-10), 1e-3, 4.6)));
        for (name, angles) in &exact {
            let found = named(&done, name);
            assert_eq!(found.len(), angles.len(), "{scheme} {name}");
            for (event, angle) in found.iter().zip(angles) {
                let off = (event.t - 0.5 * angle).abs();
                assert!(off < 1e-9 * slack(scheme), "{scheme} {name}: {off:.1e} s off");
            }
        }
    }
}

/// `stop = true` ends the run there; time stepping ends it with the step.
#[test]
fn end_the_run() {
    let text =
        CIRCLING.replace(r#"both = { when = "bead.x" }"#, r#"both = { when = "bead.x", stop = true }"#);
    let exact = std::f64::consts::FRAC_PI_4;
    for info in SCHEMES {
        if info.name == "verlet" {
            continue;
        }
        let step = 1e-3;
        let done = run(&model(&text, &how(info.name, None, step, 4.6)));
        let late = done.summary.t - exact;
        // explicit schemes of order 1 are off by some steps after 785 of them
        let off = if event_driven().contains(&info.name) { -1e-5..1e-5 } else { -5.0 * step..5.0 * step };
        assert!(off.contains(&late), "{}: ends {late:.1e} s late", info.name);
        assert_eq!(series(&done, "t").last(), Some(&done.summary.t), "{}", info.name);
        assert_eq!(named(&done, "both").len(), 1, "{}", info.name);
    }
}

/// Where something else happens at the same time both are told.
#[test]
fn at_an_impact() {
    let text = r#"
        gravity = [0, -10]
        [ground.shapes]
        floor = { type = "line", through = [0, 0], normal = [0, 1] }
        [bodies.ball]
        mass = 1
        position = [0, 0.45]
        [contacts.floor]
        between = ["ball", "ground.floor"]
        restitution = 0.5
        [events]
        turns = { when = "ball.vy" }
        low = { when = "ball.y - 0.1", direction = "falling" }
        "#;
    // falls for 0.3 s, rises to 0.1125 m at 0.45 s; vy changes its sign in the impact and on top
    for scheme in ["hem5", "hybrid", "radau5", "bdf"] {
        for accuracy in [Some(1e-8), None] {
            let done = run(&model(text, &how(scheme, accuracy, 0.01, 0.55)));
            let at = |name: &str| named(&done, name).iter().map(|e| e.t).collect::<Vec<_>>();
            for (name, exact) in [("low", [0.07_f64.sqrt(), 0.5]), ("turns", [0.3, 0.45])] {
                let found = at(name);
                assert_eq!(found.len(), 2, "{scheme} {name}: {found:?}");
                let off =
                    found.iter().zip(exact).fold(0.0, |most: f64, (t, exact)| most.max((t - exact).abs()));
                assert!(off < 1e-10, "{scheme} {name}: {found:?}");
            }
        }
    }
}
