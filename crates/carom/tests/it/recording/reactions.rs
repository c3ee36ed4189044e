//! Reactions of joints.

use super::{column, last, near, run, setup, total};

/// A pendulum of 2 kg, 0.5 m from its pivot, let go at 60° from the vertical.
const PENDULUM: &str = r#"
gravity = [0, -10]
[bodies.bob]
mass = 2
inertia = 0.05
position = ["=0.5*sin(pi/3)", "=-0.5*cos(pi/3)"]
points.pivot = ["=-0.5*sin(pi/3)", "=0.5*cos(pi/3)"]
[joints.pivot]
type = "revolute"
between = ["bob.pivot", "ground"]
[simulation]
step = 1e-3
end = 1
"#;

/// J about the pivot, m l g.
const J: f64 = 0.05 + 2.0 * 0.25;
const MLG: f64 = 2.0 * 0.5 * 10.0;

/// Force on the bob: m (a − g), with the centre at l (sin φ, −cos φ).
fn exact(phi: f64, omega: f64) -> [f64; 2] {
    let alpha = -MLG / J * phi.sin();
    let a = [
        0.5 * (alpha * phi.cos() - omega * omega * phi.sin()),
        0.5 * (alpha * phi.sin() + omega * omega * phi.cos()),
    ];
    [2.0 * a[0], 2.0 * (a[1] + 10.0)]
}

#[test]
fn the_first_sample_has_reactions() {
    let [x, y] = exact(std::f64::consts::FRAC_PI_3, 0.0);
    for scheme in
        ["moreau-jean", "newmark", "generalized-alpha", "bathe", "ed-alpha", "hem5", "radau5", "hybrid"]
    {
        for coordinates in ["absolute", "natural"] {
            let done =
                run(PENDULUM, &[("simulation.scheme", scheme), ("simulation.coordinates", coordinates)]);
            let first = [column(&done, "pivot.force_x")[0], column(&done, "pivot.force_y")[0]];
            assert!(near(first[0], x, 1e-9) && near(first[1], y, 1e-9), "{scheme} {coordinates}: {first:?}");
        }
    }
}

#[test]
fn means_over_the_interval_add_up_to_the_change_of_momentum() {
    for scheme in ["moreau-jean", "generalized-alpha", "newmark", "moreau-jean-ggl"] {
        let done = run(PENDULUM, &[("simulation.scheme", scheme), ("simulation.output", "0.01")]);
        let v = |name: &str| last(column(&done, name)) - column(&done, name)[0];
        let exact = [2.0 * v("bob.vx"), 2.0 * (v("bob.vy") + 10.0)];
        let mean = [total(&done, "pivot.force_x"), total(&done, "pivot.force_y")];
        // the alpha schemes weigh forces of both ends of a step: what they add up to differs at the ends of the run
        let tolerance = if scheme == "moreau-jean" { 1e-9 } else { 2e-2 };
        for i in 0..2 {
            assert!(near(mean[i], exact[i], tolerance), "{scheme}: {mean:?} is not {exact:?}");
        }
    }
}

#[test]
fn samples_of_one_step_have_the_mean_of_two_which_is_of_order_two_in_its_middle() {
    for scheme in ["moreau-jean", "generalized-alpha"] {
        let error = |step: f64| {
            let step = step.to_string();
            let changes =
                [("simulation.scheme", scheme), ("simulation.step", &step), ("simulation.output", &step)];
            let done = run(PENDULUM, &changes);
            let (angle, omega) = (column(&done, "bob.angle"), column(&done, "bob.omega"));
            let force = column(&done, "pivot.force_y");
            // sample k has the mean of steps k − 1 and k: the force at sample k − 1
            (3..force.len()).fold(0.0_f64, |most, k| {
                let phi = angle[k - 1] + std::f64::consts::FRAC_PI_3;
                most.max((force[k] - exact(phi, omega[k - 1])[1]).abs())
            })
        };
        let (coarse, fine) = (error(4e-3), error(1e-3));
        let order = (coarse / fine).log2() / 2.0;
        assert!(order > 1.8 && fine < 5e-3, "{scheme}: order {order}, {fine}");
    }
}

#[test]
fn a_coded_system_has_no_extra_channels() {
    let info = carom::SYSTEMS.first().unwrap();
    let change = [("simulation.record".to_string(), "[\"momentum\"]".to_string())];
    let wrong = carom::Setup::of_system(info, &change).unwrap_err().to_string();
    assert!(wrong.contains("leave `record` out"), "{wrong}");
    // and a model says what can be asked for
    let wrong =
        carom::Setup::of_text("m.toml", PENDULUM, &[("simulation.record".into(), "[\"momenta\"]".into())]);
    assert!(wrong.unwrap_err().to_string().contains("momentum"));
    assert!(setup(PENDULUM, &[]).run(|_| true).unwrap().recording.column("momentum.x").is_none());
}
