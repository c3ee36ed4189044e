//! Sticking and sliding on a plane: a force that grows, a slope, a block on two corners and a particle.

use super::*;

/// What stands on the plane: a particle, or a block on two corners, which are one row too many when it sticks.
const FEET: [(&str, &str); 2] = [
    ("particle", "mass = 2\npoints.foot = [0, 0]"),
    (
        "block",
        "mass = 2\ninertia = 0.01\nshapes.foot = { type = \"rectangle\", size = [0.4, 0.02], center = [0, 0.01] }",
    ),
];

fn on_a_plane(feet: &str, slope: f64, velocity: f64, more: &str) -> String {
    format!(
        r#"
        gravity = ["=-10*sin(slope)", "=-10*cos(slope)"]
        parameters = {{ slope = {slope:?} }}
        [ground.shapes]
        floor = {{ type = "line", through = [0, 0], normal = [0, 1] }}
        [contacts.foot]
        between = ["body.foot", "ground.floor"]
        friction = 0.5
        {more}
        [bodies.body]
        velocity = [{velocity:?}, 0]
        {feet}
        "#
    )
}

/// Slips when c t = μ m g, then m v' = c (t − t*).
#[test]
fn slips_when_the_force_is_strong_enough() {
    let (mu, m, g, c, end) = (0.5, 2.0, 10.0, 7.0, 2.0);
    let slip: f64 = mu * m * g / c;
    let v: f64 = c * (end - slip).powi(2) / (2.0 * m);
    let x: f64 = c * (end - slip).powi(3) / (6.0 * m);
    for (name, feet) in FEET {
        let pull = r#"forces.pull = { type = "force", on = "body", force = ["7*t", 0] }"#;
        let text = on_a_plane(feet, 0.0, 0.0, "").replacen("parameters", &format!("{pull}\nparameters"), 1);
        for scheme in holding() {
            for accuracy in [Some(1e-8), None] {
                if accuracy.is_some() && !controlled().contains(&scheme) {
                    continue;
                }
                let done = run(&model(&text, &how(scheme, accuracy, 0.01, end)));
                let slips = events(&done, EventKind::Slip);
                let what = format!("{name} {scheme} {accuracy:?}");
                assert!(!slips.is_empty(), "{what}");
                assert!((slips[0].t - slip).abs() < 1e-10, "{what}: slips at {} not {slip}", slips[0].t);
                assert!(slips.iter().all(|e| e.t == slips[0].t), "{what}: {slips:?}");
                // the order of a method shows in x''' = const
                let order_two = ["alpha-dae", "shake", "rattle"].contains(&scheme);
                let allowed = if order_two { 1e-4 } else { 1e-8 };
                assert!((last(&done, "body.vx") - v).abs() < allowed, "{what}");
                assert!((last(&done, "body.x") - x).abs() < allowed, "{what}");
            }
        }
    }
}

/// Comes to rest after v₀/(g (μ cos α + sin α)) and stays, where μ > tan α; turns back where it is not. Positive x is uphill.
#[test]
fn stops_on_a_slope() {
    let (mu, g, v_0) = (0.5, 10.0, 1.5);
    for (name, feet) in FEET {
        for slope in [0.0_f64, 0.3, 0.6] {
            let (s, c) = slope.sin_cos();
            let stop = v_0 / (g * (mu * c + s));
            let x = 0.5 * v_0 * stop;
            let back = g * (s - mu * c).max(0.0);
            let end = if back > 0.0 { 1.0 } else { 60.0 };
            for scheme in holding() {
                for accuracy in [Some(1e-8), None] {
                    if accuracy.is_some() && !controlled().contains(&scheme) {
                        continue;
                    }
                    let step = if accuracy.is_some() { 0.01 } else { 0.037 };
                    let setup = model(&on_a_plane(feet, slope, v_0, ""), &how(scheme, accuracy, step, end));
                    let done = run(&setup);
                    let what = format!("{name} {scheme} {accuracy:?} slope {slope}");
                    let at = done.recording.events.first().unwrap_or_else(|| panic!("{what}"));
                    let first: f64 = at.t - stop;
                    let e = &done.recording.events;
                    assert!(first.abs() < 1e-10, "{what}: stops at {} not {stop}", at.t);
                    let kind = if back > 0.0 { EventKind::Slip } else { EventKind::Stick };
                    assert!(e.iter().all(|e| e.kind == kind && e.t == at.t), "{what}: {e:?}");
                    if back > 0.0 {
                        let t = end - stop;
                        assert!((last(&done, "body.vx") + back * t).abs() < 1e-9, "{what}");
                        assert!((last(&done, "body.x") - x + 0.5 * back * t * t).abs() < 1e-9, "{what}");
                    } else {
                        let (t, xs, vs) =
                            (series(&done, "t"), series(&done, "body.x"), series(&done, "body.vx"));
                        let rest = t.iter().position(|&t| t > stop + 1e-9).unwrap();
                        let creep =
                            xs[rest..].iter().fold(0.0, |most: f64, x| most.max((x - xs[rest]).abs()));
                        let speed = vs[rest..].iter().fold(0.0, |most: f64, v| most.max(v.abs()));
                        assert!((xs[rest] - x).abs() < 1e-9, "{what}: stops at {}", xs[rest]);
                        assert!(
                            creep < 1e-13 && speed <= 1e-15,
                            "{what}: creeps {creep:.1e} m, {speed:.1e} m/s"
                        );
                    }
                }
            }
        }
    }
}
