//! Forces of contacts.

use super::{column, last, near, run, total};
use carom::Setup;

/// A ball of 2 kg thrown along a rough floor, bouncing.
const THROWN: &str = r#"
gravity = [0, -10]
[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]
[bodies.ball]
mass = 2
inertia = 0.008
position = [0, 0.5]
velocity = [1, 0]
shapes.rim = { type = "disk", radius = 0.1 }
[contacts.floor]
between = ["ball.rim", "ground.floor"]
restitution = 0.6
friction = 0.3
[simulation]
step = 1e-3
end = 2
output = 0.0137
"#;

#[test]
fn mean_forces_of_time_stepping_add_up_to_the_change_of_momentum() {
    for scheme in [
        "moreau-jean",
        "moreau-explicit",
        "newmark",
        "generalized-alpha",
        "schatzman-paoli",
        "stewart-trinkle",
        "anitescu-potra",
    ] {
        // contacts of Stewart and Trinkle do not bounce
        let bounces = if scheme == "stewart-trinkle" { "0" } else { "0.6" };
        let done = run(THROWN, &[("simulation.scheme", scheme), ("contacts.floor.restitution", bounces)]);
        let (vx, vy) = (column(&done, "ball.vx"), column(&done, "ball.vy"));
        // 2 kg: m Δv = P + m g T
        let exact = [2.0 * (last(vy) - vy[0]) + 2.0 * 10.0 * 2.0, 2.0 * (last(vx) - vx[0])];
        // velocities of Schatzman and Paoli are those of the middle of a step
        let tolerance = if scheme == "schatzman-paoli" { 2.0 * 10.0 * 1e-3 } else { 1e-9 * exact[0] };
        let normal = total(&done, "floor.force_n");
        assert!(near(normal, exact[0], tolerance), "{scheme}: {normal} is not {}", exact[0]);
        let impulses: f64 = column(&done, "floor.impulse_n").iter().sum();
        assert!(near(normal, impulses, tolerance), "{scheme}: {normal} is not {impulses}");
        // t is n turned by −90°
        let tangential = total(&done, "floor.force_t");
        assert!(near(tangential, exact[1], tolerance), "{scheme}: {tangential} is not {}", exact[1]);
        assert!(done.recording.column("floor.peak").is_none(), "{scheme} knows no peak");
        // no impact is missed by a sample: the first one is the strongest
        let force = column(&done, "floor.force_n");
        let most = force.iter().fold(0.0_f64, |m, f| m.max(*f));
        let first = force.iter().skip(1).find(|f| **f > 0.0).unwrap();
        assert!(*first > 0.8 * most, "{scheme}: first {first} of {most}");
    }
}

#[test]
fn with_error_control_they_add_up_as_well_and_samples_come_when_asked_for() {
    for (scheme, output) in
        [("moreau-jean", "0.05"), ("generalized-alpha", "0.013"), ("hybrid", "0.05"), ("hem5", "0.01")]
    {
        let changes =
            [("simulation.scheme", scheme), ("simulation.accuracy", "1e-4"), ("simulation.output", output)];
        let done = run(THROWN, &changes);
        let (t, every) = (column(&done, "t"), output.parse::<f64>().unwrap());
        for (k, t) in t.iter().enumerate().take(t.len() - 1) {
            assert!(near(*t, k as f64 * every, 1e-12), "{scheme}: sample {k} at {t}");
        }
        assert!(near(last(t), 2.0, 1e-12) && t.len() == (2.0 / every - 1e-9).ceil() as usize + 1, "{scheme}");
        if scheme == "moreau-jean" || scheme == "generalized-alpha" {
            let vy = column(&done, "ball.vy");
            let exact = 2.0 * (last(vy) - vy[0]) + 2.0 * 10.0 * 2.0;
            assert!(near(total(&done, "floor.force_n"), exact, 1e-9 * exact), "{scheme}");
        }
    }
}

/// A block that rests while a force presses it with the period of the samples.
const PRESSED: &str = r#"
gravity = [0, -10]
[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]
[bodies.block]
mass = 3
[forces.press]
type = "force"
on = "block"
force = [0, "-12*sin(20*pi*t)"]
[contacts.foot]
between = ["block", "ground.floor"]
[simulation]
step = 1e-3
end = 1
output = 0.1
"#;

#[test]
fn the_peak_is_seen_between_samples() {
    // F_N = 30 + 12 sin(20 π t): 30 at every sample, 42 between them
    for (scheme, accuracy) in
        [("bathe", None), ("mixed-alpha", None), ("hem5", None), ("hybrid", Some("1e-9"))]
    {
        let mut changes = vec![("simulation.scheme", scheme)];
        changes.extend(accuracy.map(|a| ("simulation.accuracy", a)));
        let done = run(PRESSED, &changes);
        let (force, peak) = (column(&done, "foot.force_n"), column(&done, "foot.peak"));
        for k in 1..force.len() {
            assert!(near(force[k], 30.0, 1e-2), "{scheme}: {} at sample {k}", force[k]);
            // an error-controlled step may pass over the very top
            let tolerance = if accuracy.is_some() { 1.0 } else { 1e-2 };
            assert!(near(peak[k], 42.0, tolerance), "{scheme}: {} at sample {k}", peak[k]);
        }
    }
    // a time-stepping scheme tells the mean, which is the weight
    let done = run(PRESSED, &[]);
    for force in column(&done, "foot.force_n") {
        assert!(near(*force, 30.0, 1e-6), "{force}");
    }
}

#[test]
fn the_first_sample_has_forces() {
    // on an incline of 30°, held by friction: N = m g cos 30°, T = m g sin 30°
    let incline = r#"
        gravity = [0, -10]
        [ground.shapes.slope]
        type = "line"
        through = [0, 0]
        normal = ["=-sin(pi/6)", "=cos(pi/6)"]
        [bodies.block]
        mass = 3
        [contacts.foot]
        between = ["block", "ground.slope"]
        friction = 0.8
        [simulation]
        step = 1e-3
        end = 0.1
    "#;
    let (normal, tangential) = (30.0 * 0.75_f64.sqrt(), 15.0);
    for scheme in
        ["moreau-jean", "generalized-alpha", "stewart-trinkle", "bathe", "ed-alpha", "hem5", "hybrid"]
    {
        let done = run(incline, &[("simulation.scheme", scheme)]);
        let first = [column(&done, "foot.force_n")[0], column(&done, "foot.force_t")[0]];
        assert!(
            near(first[0], normal, 1e-9) && near(first[1].abs(), tangential, 1e-9),
            "{scheme}: {first:?}"
        );
        // and it is no other than what follows
        let second = [column(&done, "foot.force_n")[1], column(&done, "foot.force_t")[1]];
        assert!(near(first[0], second[0], 1e-6) && near(first[1], second[1], 1e-6), "{scheme}: {second:?}");
    }
    // a spring that nothing has entered does not press
    let done = run(incline, &[("simulation.scheme", "penalty"), ("simulation.step", "1e-4")]);
    assert_eq!(column(&done, "foot.force_n")[0], 0.0);
}

#[test]
fn nobody_knows_the_forces_where_no_motion_goes_on() {
    // the rod of Painlevé, sliding into its tip: no accelerations
    let rod = r#"
        gravity = [0, -10]
        [ground.shapes.floor]
        type = "line"
        through = [0, 0]
        normal = [0, 1]
        [bodies.rod]
        mass = 1
        inertia = "=1/3*1"
        position = ["=-cos(1.2)", "=sin(1.2)"]
        angle = "=-1.2"
        velocity = [3, 0]
        points.tip = [1, 0]
        [contacts.tip]
        between = ["rod.tip", "ground.floor"]
        friction = 2.5
        [simulation]
        step = 1e-3
        end = 0.01
    "#;
    let setup = Setup::of_text("rod.toml", rod, &[]).unwrap();
    let done = setup.run(|_| true).unwrap();
    let force = column(&done, "tip.force_n");
    assert!(force[0].is_nan() || force[0] > 0.0, "{}", force[0]);
    assert!(force[1] > 0.0, "the step catches it");
}
