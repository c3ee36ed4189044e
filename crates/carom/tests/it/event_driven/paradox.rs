//! Painlevé's paradox: a rod that slides on its tip and is pressed in by its own friction.

use super::*;

/// A rod of length 2 l on its lower left tip, at an angle to the floor, which slides to the left or right.
fn rod(mu: f64, angle: f64, slide: f64) -> String {
    format!(
        r#"
        gravity = [0, -10]
        parameters = {{ l = 1, phi = {angle:?} }}
        [ground.shapes]
        floor = {{ type = "line", through = [0, 0], normal = [0, 1] }}
        [bodies.rod]
        mass = 1
        inertia = "=l^2/3"
        position = ["=l*cos(phi)", "=l*sin(phi)"]
        angle = "=phi"
        velocity = [{slide:?}, 0]
        points.tip = ["=-l", 0]
        [contacts.tip]
        between = ["rod.tip", "ground.floor"]
        friction = {mu:?}
        "#
    )
}

/// tan φ = 2, μ > 4/3, sliding to the left: 1 + 3 cos φ (cos φ − μ sin φ) < 0 and no accelerations fit. The tip stops at once, by
/// an impact without collision: D Λ = −U with D of the tip, v⁺ by hand.
#[test]
fn impact_without_collision() {
    let phi = 2.0_f64.atan();
    let (s, c) = phi.sin_cos();
    for (mu, slide) in [(1.8, -0.5), (2.5, -0.5), (2.5, -3.0)] {
        assert!(1.0 + 3.0 * c * (c - mu * s) < 0.0);
        // tip r = −(c, s) from the centre: u_x = v_x + ω s, u_y = v_y − ω c; m = 1, J = 1/3
        let (d_nn, d_tt, d_nt) = (1.0 + 3.0 * c * c, 1.0 + 3.0 * s * s, -3.0 * s * c);
        let det = d_nn * d_tt - d_nt * d_nt;
        let (imp_n, imp_t) = (d_nt * slide / det, -d_nn * slide / det);
        assert!(imp_n > 0.0 && imp_t.abs() < mu * imp_n, "the answer lies inside the cone");
        let (vx, vy, omega) = (slide + imp_t, imp_n, 3.0 * (s * imp_t - c * imp_n));
        for scheme in ["hem5", "hybrid", "radau5", "bdf"] {
            for accuracy in [Some(1e-8), None] {
                let done = run(&model(&rod(mu, phi, slide), &how(scheme, accuracy, 1e-6, 1e-6)));
                let what = format!("{scheme} μ = {mu}, {slide} m/s");
                let off = [("vx", vx), ("vy", vy), ("omega", omega)]
                    .map(|(name, v)| (last(&done, &format!("rod.{name}")) - v).abs());
                // 1e-6 s of gravity later
                assert!(off.iter().all(|off| *off < 1e-4), "{what}: {off:?}");
                let loss = done.summary.audit.relative_numerical_loss();
                assert!(loss.abs() < 1e-9, "{what}: {loss:.1e} of the energy went nowhere");
            }
        }
    }
}

/// The same rod sliding the other way, or with less friction, just goes on.
#[test]
fn no_paradox() {
    let phi = 2.0_f64.atan();
    for (mu, slide) in [(1.2, -0.5), (2.5, 0.5)] {
        for scheme in ["hem5", "hybrid", "radau5"] {
            let done = run(&model(&rod(mu, phi, slide), &how(scheme, Some(1e-8), 1e-6, 1e-4)));
            assert!(events(&done, EventKind::Impact).is_empty(), "{scheme} {mu} {slide}");
            assert!((last(&done, "rod.vx") - slide).abs() < 1e-2, "{scheme} {mu} {slide}");
        }
    }
}

/// A block that slides beside the rod, and has nothing to do with it, is not stopped with it.
#[test]
fn others_slide_on() {
    let phi = 2.0_f64.atan();
    let block = r#"
        friction = 2.5
        [bodies.block]
        mass = 1
        position = [5, 0]
        velocity = [3, 0]
        [contacts.foot]
        between = ["block", "ground.floor"]
        friction = 0.1
        "#;
    let text = rod(2.5, phi, -0.5).replace("friction = 2.5", block);
    for scheme in ["hem5", "hybrid"] {
        let done = run(&model(&text, &how(scheme, Some(1e-8), 1e-5, 1e-5)));
        let v = last(&done, "block.vx");
        assert!((v - 3.0).abs() < 1e-4, "{scheme}: {v}");
        assert!(last(&done, "rod.omega").abs() > 0.01, "{scheme}");
    }
}
