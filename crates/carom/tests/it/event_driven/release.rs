//! Contacts that open while nothing else happens: a particle leaves a cylinder, a ball leaves a table that shakes.

use super::*;

/// A particle slides off a cylinder. With v_0 on top it leaves where cos θ = (2 + v_0²/(g R))/3, then flies.
#[test]
fn leaves_a_cylinder() {
    let (g, r, v_0) = (10.0_f64, 0.5_f64, 0.3_f64);
    let angle = ((2.0 + v_0 * v_0 / (g * r)) / 3.0).acos();
    let rate = |theta: f64| (v_0 * v_0 + 2.0 * g * r * (1.0 - theta.cos())).sqrt() / r;
    let exact = integral(0.0, angle, |theta| 1.0 / rate(theta));
    let shapes = [
        r#"type = "disk", radius = 0.5"#,
        r#"type = "path", start = [-0.5, 0], pieces = [{ arc-to = { end = [0.5, 0], center = [0, 0], counterclockwise = false } }]"#,
    ];
    for shape in shapes {
        let text = format!(
            r#"
            gravity = [0, -10]
            [ground.shapes]
            drum = {{ {shape} }}
            [bodies.bead]
            mass = 1
            position = [0, 0.5]
            velocity = [0.3, 0]
            [contacts.on]
            between = ["bead", "ground.drum"]
            "#
        );
        for scheme in controlled() {
            let end = exact + 0.1;
            let done = run(&model(&text, &how(scheme, Some(1e-10), 1e-3, end)));
            let releases = events(&done, EventKind::Release);
            assert_eq!(done.recording.events.len(), 1, "{scheme}: {:?}", done.recording.events);
            let off = releases[0].t - exact;
            assert!(off.abs() < 1e-10 * slack(scheme), "{scheme}: leaves {off:.1e} s late");
            // flight
            let (s, c) = angle.sin_cos();
            let v = rate(angle) * r;
            let x = r * s + 0.1 * v * c;
            let y = r * c - 0.1 * v * s - 0.5 * g * 0.01;
            let far = (last(&done, "bead.x") - x).hypot(last(&done, "bead.y") - y);
            assert!(far < 1e-9 * slack(scheme), "{scheme}: {far:.1e}");
        }
    }
}

/// A ball on a table y = A (1 − cos ω t) leaves where A ω² cos ω t = −g, and comes down where the table meets its parabola.
#[test]
fn leaves_a_table_that_shakes() {
    let (g, a, w) = (10.0_f64, 0.02_f64, 30.0_f64);
    let exact = (-g / (a * w * w)).acos() / w;
    let table = |t: f64| a * (1.0 - (w * t).cos());
    let v = a * w * (w * exact).sin();
    let ball = |t: f64| table(exact) + v * (t - exact) - 0.5 * g * (t - exact).powi(2);
    let lands = zero(exact + 0.02, exact + 0.2, |t| ball(t) - table(t));
    let text = r#"
        gravity = [0, -10]
        [bodies.table]
        mass = 1
        shapes.top = { type = "line", through = [0, 0], normal = [0, 1] }
        [bodies.ball]
        mass = 0.1
        [joints]
        sideways = { type = "motion", of = "table", coordinate = "x", function = 0 }
        shake = { type = "motion", of = "table", coordinate = "y", function = "0.02*(1 - cos(30*t))" }
        [contacts.on]
        between = ["ball", "table.top"]
        restitution = 0.5
        "#;
    for scheme in controlled() {
        let done = run(&model(text, &how(scheme, Some(1e-10), 1e-3, lands + 1e-3)));
        let list = &done.recording.events;
        let kinds: Vec<EventKind> = list.iter().map(|e| e.kind).collect();
        assert_eq!(kinds, [EventKind::Release, EventKind::Impact], "{scheme}");
        assert!(
            (list[0].t - exact).abs() < 1e-9 * slack(scheme),
            "{scheme}: leaves at {} not {exact}",
            list[0].t
        );
        assert!(
            (list[1].t - lands).abs() < 1e-9 * slack(scheme),
            "{scheme}: lands at {} not {lands}",
            list[1].t
        );
        assert!(done.summary.audit.relative_numerical_loss().abs() < 1e-8 * slack(scheme), "{scheme}");
    }
}
