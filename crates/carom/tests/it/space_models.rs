//! Models that people would write, in round numbers and mostly in millimetres, against what mechanics says of them.

use crate::space::{last, read, run};

fn column<'r>(recording: &'r carom::Recording, name: &str) -> &'r [f64] {
    recording.column(name).unwrap_or_else(|| panic!("no channel {name}"))
}

/// A pin falls through a bore, tips over on the floor and lies there, across below the bore: it is out of it.
#[test]
fn a_pin_that_left_its_bore_is_free() {
    let text = r#"
units = "mm"
gravity = [0, 0, -9810]
[ground.shapes]
bore = { type = "cylinder", radius = 10.5, length = 100, hole = true }
floor = { type = "plane", through = [0, 0, -200], normal = [0, 0, 1] }
[bodies.pin]
mass = 0.1
inertia = [30, 30, 5]
position = [0, 0, 20]
angular_velocity = [0.5, 0.2, 10]
shapes.pin = { type = "cylinder", radius = 10, length = 60 }
[contacts]
guide = { between = ["pin.pin", "ground.bore"], friction = 0.1, restitution = 0.2 }
floor = { between = ["pin.pin", "ground.floor"], friction = 0.3, restitution = 0.1 }
"#;
    for scheme in ["moreau-jean", "generalized-alpha"] {
        let recording = run(&read(text), scheme, 2e-4, 0.6);
        assert!(last(&recording, "pin.z") < -0.15, "{scheme}: it fell through");
        assert_eq!(last(&recording, "guide.gap"), f64::INFINITY, "{scheme}");
        let deepest = column(&recording, "audit.penetration").iter().fold(0.0f64, |most, x| most.max(*x));
        assert!(deepest < 5e-4, "{scheme}: {deepest}");
    }
}

/// A jack is turned for a second and left alone: friction holds the load.
#[test]
fn a_screw_jack_holds_what_it_lifts() {
    let text = r#"
units = "mm"
gravity = [0, 0, -9810]
[ground.points.nut]
at = [0, 0, 0]
axis = [0, 0, 1]
[bodies.spindle]
mass = 50
inertia = [10000, 10000, 2000]
position = [0, 0, 100]
points.nut = { at = [0, 0, -100], axis = [0, 0, 1] }
[joints.thread]
type = "screw"
between = ["ground.nut", "spindle.nut"]
pitch = 5
friction_torque = 1000
[forces.hand]
type = "motor"
joint = "thread"
torque = "2000*step(1 - t)"
"#;
    // in SI: inertia about the axis with what the pitch adds, load on the thread
    let lever = 5e-3 / std::f64::consts::TAU;
    let inertia = 2e-3 + 50.0 * lever * lever;
    let load = 50.0 * 9.81 * lever;
    let up = (2.0 - 1.0 - load) / inertia;
    let down = (1.0 + load) / inertia;
    let angle = 0.5 * up + 0.5 * up * up / down;
    for (scheme, within) in [("moreau-jean", 5e-3), ("generalized-alpha", 5e-3), ("dopri5", 1e-6)] {
        let recording = run(&read(text), scheme, 1e-3, 2.0);
        let found = last(&recording, "thread.position") / lever;
        assert!((found / angle - 1.0).abs() < within, "{scheme}: {found} {angle}");
        assert!(last(&recording, "thread.angle_rate").abs() < 1e-9, "{scheme}: it holds");
        let z = last(&recording, "spindle.z") - 0.1;
        assert!((z - found * lever).abs() < 1e-9, "{scheme}: {z}");
    }
}

/// A box falls flat on its four corners: e = 1 gives the height back, e = 1/2 a quarter of it, and it does not turn.
#[test]
fn a_box_bounces_flat() {
    let text = |e: f64| {
        format!(
            r#"
gravity = [0, 0, -9.81]
[ground.shapes.floor]
type = "plane"
through = [0, 0, 0]
normal = [0, 0, 1]
[bodies.box]
density = 500
position = [0, 0, 0.5]
shapes.b = {{ type = "box", size = [0.2, 0.2, 0.2] }}
[contacts.floor]
between = ["box.b", "ground.floor"]
restitution = {e}
friction = 0.3
"#
        )
    };
    let falls = (2.0f64 * 0.4 / 9.81).sqrt();
    for e in [1.0, 0.5] {
        // to the top of the first bounce
        let top = falls * (1.0 + e);
        for scheme in ["moreau-jean", "generalized-alpha", "bathe", "half-explicit"] {
            let recording = run(&read(&text(e)), scheme, 5e-4, top);
            let z = last(&recording, "box.z");
            assert!((z - 0.1 - 0.4 * e * e).abs() < 4e-3, "{scheme} {e}: {z}");
            for name in ["wx", "wy", "wz", "x", "y"] {
                assert!(last(&recording, &format!("box.{name}")).abs() < 1e-9, "{scheme} {e}: {name}");
            }
        }
    }
    let recording = run(&read(&text(1.0)), "moreau-jean", 1e-3, 5.0);
    let energy = column(&recording, "energy.total");
    let (first, end) = (energy[0], *energy.last().unwrap());
    assert!((end / first - 1.0).abs() < 1e-12, "{first} {end}");
}
