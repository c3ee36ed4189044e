//! Paths of several pieces: smooth joints, corners that bend towards the point and away from it.

use super::*;

/// A bead on a path of the ground, without friction, free on the left.
fn bead(path: &str, position: [f64; 2], velocity: [f64; 2], gravity: f64, contact: &str) -> String {
    let ([x, y], [vx, vy]) = (position, velocity);
    format!(
        r#"
        gravity = [0, {gravity:?}]
        [ground.shapes]
        way = {{ type = "path", {path} }}
        [bodies.bead]
        mass = 2
        position = [{x:?}, {y:?}]
        velocity = [{vx:?}, {vy:?}]
        [contacts.on]
        between = ["bead", "ground.way"]
        {contact}
        "#
    )
}

/// From a line onto an arc that rises: no impact, an edge at the exact time, and the force jumps by m v²/R.
#[test]
fn line_into_arc() {
    let path = r#"start = [-1, 0], pieces = [{ line-to = [0, 0] }, { arc-to = { end = [0.5, 0.5], center = [0, 0.5], counterclockwise = true } }]"#;
    let text = bead(path, [-0.6, 0.0], [1.5, 0.0], -10.0, "");
    // up the arc to cos φ = 1 − v²/(2 g R), then back over the joint
    for scheme in controlled() {
        let mut changes = how(scheme, Some(1e-9), 1e-3, 0.5);
        changes.push(("simulation.output", "1e-3".into()));
        let done = run(&model(&text, &changes));
        let list = &done.recording.events;
        assert!(events(&done, EventKind::Impact).is_empty(), "{scheme}: {list:?}");
        let edges = events(&done, EventKind::Edge);
        assert_eq!(edges.len(), 1, "{scheme}: {list:?}");
        assert!((edges[0].t - 0.4).abs() < 1e-9 * slack(scheme), "{scheme}: {}", edges[0].t);
        // N = m g before; m g cos φ + m v²/R after, v² = v_0² − 2 g R (1 − cos φ)
        let (t, force) = (series(&done, "t"), series(&done, "on.force_n"));
        let (xs, ys) = (series(&done, "bead.x"), series(&done, "bead.y"));
        for k in 0..t.len() {
            // samples on the joint may be either side of it
            if (t[k] - 0.4).abs() < 1e-6 || t[k] == 0.0 {
                continue;
            }
            let cos = (0.5 - ys[k]) / 0.5;
            let exact = if t[k] < 0.4 { 20.0 } else { 20.0 * cos + 2.0 * (2.25 - 10.0 * (1.0 - cos)) / 0.5 };
            let off = (force[k] - exact).abs();
            assert!(off < 1e-6 * slack(scheme), "{scheme}: force {} not {exact} at {}", force[k], t[k]);
            let gap = if t[k] < 0.4 { ys[k] } else { 0.5 - xs[k].hypot(ys[k] - 0.5) };
            assert!(gap.abs() < 1e-9 * slack(scheme), "{scheme}: {gap:.1e} off the path at {}", t[k]);
        }
        let loss = done.summary.audit.relative_numerical_loss();
        assert!(loss.abs() < 1e-8 * slack(scheme), "{scheme}: {loss:.1e}");
        assert!(done.summary.steps < 4000 || scheme == "alpha-dae", "{scheme}: {} steps", done.summary.steps);
    }
}

/// A valley line–arc–line with an arc of 200°: one contact per piece, which hands the bead over without an impact.
#[test]
fn valley_with_a_large_arc() {
    // both lines lean inwards by 10°: the arc goes from angle 190° to 350° the long way round, below the centre
    let (r, alpha) = (0.5_f64, 10.0_f64.to_radians());
    let (x, y) = (r * alpha.cos(), r * alpha.sin());
    let (sx, sy) = (x - 0.5 * alpha.sin(), y + 0.5 * alpha.cos());
    let path = format!(
        "start = [{:?}, {:?}], pieces = [{{ line-to = [{:?}, {:?}] }}, {{ arc-to = {{ end = [{:?}, {:?}], center = [0, 0], \
         counterclockwise = true }} }}, {{ line-to = [{:?}, {:?}] }}]",
        -sx, sy, -x, y, x, y, sx, sy
    );
    // without gravity it slides through with constant speed; the centre of curvature holds it on the arc only
    let speed = 2.0;
    let text = bead(&path, [0.0, -r], [speed, 0.0], 0.0, "");
    let to_joint = r * (std::f64::consts::FRAC_PI_2 + alpha) / speed;
    for scheme in ["hem5", "hybrid", "dopri5", "radau5"] {
        let done = run(&model(&text, &how(scheme, Some(1e-9), 1e-3, to_joint + 0.1)));
        let list = &done.recording.events;
        assert!(events(&done, EventKind::Impact).is_empty(), "{scheme}: {list:?}");
        assert!(list.iter().any(|e| (e.t - to_joint).abs() < 1e-8), "{scheme}: {list:?}");
        let v = last(&done, "bead.vx").hypot(last(&done, "bead.vy"));
        assert!((v - speed).abs() < 1e-8, "{scheme}: {v}");
        // along the tangent of the joint, on the line
        let (px, py) = (x - 0.2 * alpha.sin(), y + 0.2 * alpha.cos());
        let far = (last(&done, "bead.x") - px).hypot(last(&done, "bead.y") - py);
        assert!(far < 1e-8, "{scheme}: {far:.1e}");
    }
}

/// A corner that bends towards the bead by 60°: an impact by Newton's law loses the normal part; Glocker's laws keep the energy.
#[test]
fn concave_corner() {
    let (s, c) = (60.0_f64.to_radians().sin(), 60.0_f64.to_radians().cos());
    let path = format!("start = [-1, 0], pieces = [{{ line-to = [0, 0] }}, {{ line-to = [{c:?}, {s:?}] }}]");
    for (law, along) in [("newton", 1.0 * c), ("time-scaling", 1.0), ("reflection", 1.0)] {
        let text = bead(&path, [-0.5, 0.0], [1.0, 0.0], 0.0, &format!("corner = \"{law}\""));
        for scheme in holding() {
            let done = run(&model(&text, &how(scheme, None, 0.013, 0.8)));
            let list = &done.recording.events;
            let (vx, vy) = (last(&done, "bead.vx"), last(&done, "bead.vy"));
            let hit = events(&done, EventKind::Impact);
            assert!(!hit.is_empty() && (hit[0].t - 0.5).abs() < 1e-12, "{scheme} {law}: {list:?}");
            let speed = vx.hypot(vy);
            if law == "reflection" {
                // mirrored at the bisector: it goes off into the free side
                assert!((speed - 1.0).abs() < 1e-12, "{scheme} {law}: {speed}");
                continue;
            }
            assert!((vx - along * c).hypot(vy - along * s) < 1e-12, "{scheme} {law}: {vx} {vy}");
            let at = 0.3 * along;
            let far = (last(&done, "bead.x") - at * c).hypot(last(&done, "bead.y") - at * s);
            assert!(far < 1e-12, "{scheme} {law}: {far:.1e} off");
        }
    }
}

/// A corner that bends away: the bead flies off, tangentially.
#[test]
fn convex_corner() {
    let path = "start = [-1, 0], pieces = [{ line-to = [0, 0] }, { line-to = [1, -1] }]";
    // x = 2 τ, y = −5 τ²: meets the slope y = −x at τ = 0.4
    let text = bead(path, [-0.5, 0.0], [2.0, 0.0], -10.0, "restitution = 0.5");
    for scheme in holding() {
        let done = run(&model(&text, &how(scheme, None, 0.013, 0.7)));
        let list = &done.recording.events;
        let hit = events(&done, EventKind::Impact);
        assert_eq!(hit.len(), 1, "{scheme}: {list:?}");
        assert!((hit[0].t - 0.65).abs() < 1e-10, "{scheme}: lands at {}", hit[0].t);
        assert!(events(&done, EventKind::Release).iter().all(|e| (e.t - 0.25).abs() < 1e-10), "{scheme}");
        assert_eq!(events(&done, EventKind::Release).len(), 1, "{scheme}");
    }
}
