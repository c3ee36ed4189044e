//! Named points, accelerations, momentum.

use super::{column, last, near, run};
use carom::{EventKind, Setup};

/// A bar that turns with 2 rad/s about its end, in millimetres; and a point off its axis.
const TURNING: &str = r#"
units = "mm"
[bodies.arm]
mass = 1.5
inertia = 4000
position = [100, 0]
velocity = [0, 200]
angular_velocity = 2
points.pivot = [-100, 0]
points.pen = [80, 30]
[joints.pivot]
type = "revolute"
between = ["arm.pivot", "ground"]
[events]
top = { when = "arm.pen.y - 182.4828759089466", direction = "rising" }
[simulation]
scheme = "hem5"
record = ["accelerations", "momentum"]
step = 0.01
end = 1
"#;

#[test]
fn a_point_of_a_rigid_body_goes_its_circle() {
    // no forces but the pivot's: ω stays. r = 180, 30 turned
    let (r, at) = (180.0_f64.hypot(30.0), 30.0_f64.atan2(180.0));
    for coordinates in ["absolute", "relative", "natural"] {
        for scheme in ["hem5", "moreau-jean"] {
            let changes = [("simulation.coordinates", coordinates), ("simulation.scheme", scheme)];
            let done = run(TURNING, &changes);
            let units = Setup::of_text("t", TURNING, &[]).unwrap().loaded().units;
            let shown = units.present(&done.recording);
            let c = |name: &str| shown.column(name).unwrap_or_else(|| panic!("no channel {name}")).to_vec();
            let unit = |name: &str| &shown.channels.iter().find(|c| c.name() == name).unwrap().unit;
            assert_eq!([unit("arm.pen.x"), unit("arm.pen.vy"), unit("arm.pen.ax")], ["mm", "mm/s", "mm/s²"]);
            assert_eq!([unit("momentum.x"), unit("momentum.angular")], ["N s", "N mm s"]);
            let tolerance = if scheme == "hem5" { 1e-8 } else { 5.0 };
            for (k, t) in c("t").iter().enumerate() {
                let (s, c_) = (at + 2.0 * t).sin_cos();
                let expected = [
                    ("arm.pen.x", r * c_),
                    ("arm.pen.y", r * s),
                    ("arm.pen.vx", -2.0 * r * s),
                    ("arm.pen.vy", 2.0 * r * c_),
                ];
                for (name, value) in expected {
                    let got = c(name)[k];
                    assert!(
                        near(got, value, tolerance),
                        "{coordinates} {scheme} {name} at {t}: {got}, not {value}"
                    );
                }
                if scheme == "hem5" {
                    for (name, value) in
                        [("arm.pen.ax", -4.0 * r * c_), ("arm.pen.ay", -4.0 * r * s), ("arm.alpha", 0.0)]
                    {
                        let got = c(name)[k];
                        assert!(near(got, value, 1e-6), "{coordinates} {name} at {t}: {got}, not {value}");
                    }
                    // p = m v of the centre, L = (J + m l²) ω: 1.5 kg, 100 mm
                    let (s, c_) = (2.0 * t).sin_cos();
                    let inertia = 4000e-6 + 1.5 * 0.01;
                    for (name, value) in [
                        ("momentum.x", -1.5 * 0.2 * s),
                        ("momentum.y", 1.5 * 0.2 * c_),
                        ("momentum.angular", 1e3 * inertia * 2.0),
                    ] {
                        let got = c(name)[k];
                        assert!(near(got, value, 1e-9), "{coordinates} {name} at {t}: {got}, not {value}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_event_may_depend_on_a_point() {
    // 182.48... = r: the top of the circle, reached at (π/2 − at)/2; one below it is crossed before
    let at = 30.0_f64.atan2(180.0);
    let below = TURNING.replace("182.4828759089466", "100");
    let done = run(&below, &[]);
    let event = done.recording.events.iter().find(|e| e.kind == EventKind::Event).expect("it happens");
    let exact = ((100.0 / 180.0_f64.hypot(30.0)).asin() - at) / 2.0;
    assert!(near(event.t, exact, 1e-10), "{} is not {exact}", event.t);
    let wrong = Setup::of_text("t", &TURNING.replace("arm.pen.y", "arm.pne.y"), &[]).unwrap_err().to_string();
    assert!(wrong.contains("arm.pen.y"), "{wrong}");
    let drawn = TURNING.replace("points.pen", "points.touch").replace("arm.pen.y", "arm.touch.y");
    assert!(Setup::of_text("t", &drawn, &[]).unwrap_err().to_string().contains("`touch`"));
}

/// A stone thrown with a spin, and its accelerations.
#[test]
fn accelerations_of_time_stepping_are_means_and_of_schemes_with_forces_those_of_the_instant() {
    let pendulum = r#"
        gravity = [0, -10]
        [bodies.bob]
        mass = 2
        position = [0.6, -0.8]
        [joints.string]
        type = "distance"
        between = ["bob", "ground"]
        [simulation]
        record = ["accelerations"]
        step = 1e-3
        output = 0.05
        end = 1
    "#;
    // a = g + λ r with r·a = −v²
    let exact = |x: f64, y: f64, v2: f64| {
        let lambda = 10.0 * y - v2;
        [lambda * x, lambda * y - 10.0]
    };
    for (scheme, tolerance) in [("hem5", 1e-7), ("bathe", 5e-2), ("radau5", 1e-7)] {
        let done = run(pendulum, &[("simulation.scheme", scheme)]);
        let c = |name: &str| column(&done, name);
        for k in 0..c("t").len() {
            let v2 = c("bob.vx")[k].powi(2) + c("bob.vy")[k].powi(2);
            let [ax, ay] = exact(c("bob.x")[k], c("bob.y")[k], v2);
            let got = [c("bob.ax")[k], c("bob.ay")[k]];
            assert!(
                near(got[0], ax, tolerance) && near(got[1], ay, tolerance),
                "{scheme} {k}: {got:?}, {ax} {ay}"
            );
        }
    }
    let done = run(pendulum, &[]);
    let c = |name: &str| column(&done, name);
    let [ax, ay] = exact(0.6, -0.8, 0.0);
    assert!(near(c("bob.ax")[0], ax, 1e-9) && near(c("bob.ay")[0], ay, 1e-9));
    for k in 1..c("t").len() {
        let mean = (c("bob.vx")[k] - c("bob.vx")[k - 1]) / (c("t")[k] - c("t")[k - 1]);
        assert!(near(c("bob.ax")[k], mean, 1e-9));
    }
}

#[test]
fn the_momentum_of_two_that_collide_stays() {
    let model = r#"
        [bodies.a]
        mass = 2
        inertia = 0.1
        position = [0, 0.05]
        velocity = [3, 1]
        angular_velocity = 4
        shapes.rim = { type = "disk", radius = 0.1 }
        [bodies.b]
        mass = 5
        inertia = 0.3
        position = [1, 0.2]
        velocity = [-1, 0.5]
        shapes.rim = { type = "disk", radius = 0.2 }
        [contacts.hit]
        between = ["a.rim", "b.rim"]
        restitution = 0.3
        friction = 0.4
        [simulation]
        record = ["momentum"]
        step = 1e-3
        end = 0.5
    "#;
    for (scheme, tolerance) in [("hem5", 1e-12), ("moreau-jean", 3e-3)] {
        let done = run(model, &[("simulation.scheme", scheme)]);
        assert!(done.summary.impacts == 1, "{scheme}");
        let start = [1.0, 4.5, 0.1 * 4.0 - 2.0 * 0.05 * 3.0 + 5.0 * (0.5 + 0.2)];
        for (name, exact) in ["momentum.x", "momentum.y", "momentum.angular"].into_iter().zip(start) {
            assert!(near(column(&done, name)[0], exact, 1e-12), "{name}");
            let end = last(column(&done, name));
            assert!(near(end, exact, tolerance), "{scheme} {name}: {end} is not {exact}");
        }
    }
}

#[test]
fn flexible_bodies_have_the_momentum_of_rigid_ones_while_they_are_straight() {
    // 2 m of 3 kg, its middle at (1, 2) + turned, moving and turning as a whole: p = m v, L = m r × v + m l²/12 ω
    let beam = |kind: &str| {
        format!(
            "[bodies.b]\nposition = [1, 2]\nangle = 0.3\nvelocity = [0.5, -0.2]\nangular_velocity = 0.7\n\
             [bodies.b.elastic]\n{kind}\n[simulation]\nrecord = [\"momentum\"]\nscheme = \"moreau-jean\"\nstep = 1e-5\nend = 1e-4\n"
        )
    };
    let common = "length = 2\ndensity = 1500\nyoung = 1e9\narea = 1e-3\nsecond_moment = 1e-7\nelements = 8";
    for kind in [
        format!("type = \"exact-beam\"\npoisson = 0.3\n{common}"),
        format!("type = \"beam\"\n{common}"),
        format!("type = \"beam\"\n{common}\nreference = \"pinned\""),
        format!("type = \"beam\"\n{common}\nreference = \"mean-axis\""),
        format!("type = \"beam\"\n{common}\nmodes = 3"),
    ] {
        let Ok(setup) = Setup::of_text("b.toml", &beam(&kind), &[]) else {
            panic!("{}", Setup::of_text("b.toml", &beam(&kind), &[]).unwrap_err())
        };
        let done = setup.run(|_| true).unwrap();
        let c = |name: &str| column(&done, name)[0];
        // where the frame sits follows from its description; the middle of the beam is 1 m along it or in it
        let (x, y, angle) = (c("b.x"), c("b.y"), c("b.angle"));
        let length = |s: f64| [x + s * angle.cos(), y + s * angle.sin()];
        let [mx, my] = length(1.0);
        let (vx, vy) = (c("b.vx") - 0.7 * (my - y), c("b.vy") + 0.7 * (mx - x));
        let exact = [3.0 * vx, 3.0 * vy, 3.0 * (mx * vy - my * vx) + 3.0 * 4.0 / 12.0 * 0.7];
        for (name, exact) in ["momentum.x", "momentum.y", "momentum.angular"].into_iter().zip(exact) {
            // rotary inertia of the sections adds ρ I l ω
            assert!(near(c(name), exact, 1e-3), "{kind}: {name} {} is not {exact}", c(name));
        }
    }
}
