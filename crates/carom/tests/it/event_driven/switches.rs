//! Loads that jump or bend are met exactly and cost a few steps, not an avalanche of rejected ones.

use super::*;

/// F = 4 step(t − 0.3): v = 2 (t − 0.3).
#[test]
fn a_load_that_jumps() {
    let text = r#"
        [bodies.block]
        mass = 2
        [forces.push]
        type = "force"
        on = "block"
        force = ["4*step(t - 0.3)", 0]
        "#;
    for scheme in event_driven() {
        for accuracy in [Some(1e-9), None] {
            if accuracy.is_some() && !controlled().contains(&scheme) {
                continue;
            }
            let done = run(&model(text, &how(scheme, accuracy, 0.07, 1.0)));
            let what = format!("{scheme} {accuracy:?}");
            let switches = events(&done, EventKind::Switch);
            assert_eq!(switches.len(), 1, "{what}: {switches:?}");
            assert!((switches[0].t - 0.3).abs() < 1e-13, "{what}: {}", switches[0].t);
            assert!((last(&done, "block.vx") - 1.4).abs() < 1e-12, "{what}: {}", last(&done, "block.vx"));
            assert!((last(&done, "block.x") - 0.49).abs() < 1e-12, "{what}: {}", last(&done, "block.x"));
            assert!(done.summary.steps + done.summary.rejected < 60, "{what}: {} steps", done.summary.steps);
        }
    }
}

/// F = |sin 3 t|, which bends at π/3 and 2π/3: v = (1 − cos 3 t)/3 + 2/3 per half wave.
#[test]
fn a_load_that_bends() {
    let text = r#"
        [bodies.block]
        mass = 1
        [forces.push]
        type = "force"
        on = "block"
        force = ["abs(sin(3*t))", 0]
        "#;
    let end = 2.5_f64;
    let v = 2.0 * 2.0 / 3.0 + (1.0 - (3.0 * end).cos()) / 3.0;
    for scheme in controlled() {
        let accuracy = 1e-10;
        let done = run(&model(text, &how(scheme, Some(accuracy), 0.07, end)));
        let times: Vec<f64> = events(&done, EventKind::Switch).iter().map(|e| e.t).collect();
        assert_eq!(times.len(), 2, "{scheme}: {times:?}");
        for (k, t) in times.iter().enumerate() {
            let exact = std::f64::consts::FRAC_PI_3 * (k as f64 + 1.0);
            assert!((t - exact).abs() < 1e-12, "{scheme}: {t}");
        }
        let off = (last(&done, "block.vx") - v).abs();
        assert!(off < 1e-9 * slack(scheme), "{scheme}: {off:.1e}");
        assert!(done.summary.rejected <= 16, "{scheme}: {} rejected", done.summary.rejected);
    }
}
