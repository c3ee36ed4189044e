//! Impacts one after the other, and the rest they end in.

use super::*;
use std::f64::consts::FRAC_PI_4;

/// Impact times of a ball that falls from a height, and the time they accumulate at.
fn bounces(height: f64, g: f64, e: f64, count: usize) -> (Vec<f64>, f64) {
    let t_1 = (2.0 * height / g).sqrt();
    let mut times = vec![t_1];
    for k in 1..count {
        times.push(times[k - 1] + 2.0 * t_1 * e.powi(k as i32));
    }
    (times, t_1 * (1.0 + 2.0 * e / (1.0 - e)))
}

/// The ball of the gallery in another size, run in one way: impacts, restitution, rest.
fn ball(size: f64, scheme: &str, accuracy: Option<f64>, step: f64) {
    let (g, e, height) = (10.0, 0.8, 0.801 * size);
    let (exact, accumulate) = bounces(height, g, e, 20);
    let end = 1.2 * accumulate;
    let mut changes = how(scheme, accuracy, step * size.sqrt(), end);
    changes.extend([("R", format!("{}", 0.2 * size)), ("h0", format!("{}", 1.001 * size))]);
    let setup = gallery("ball", &changes);
    let done = run(&setup);
    let what = format!("{scheme}, size {size}, accuracy {accuracy:?}, step {step}");
    let impacts = events(&done, EventKind::Impact);
    assert!(impacts.len() >= 20, "{what}: {} impacts", impacts.len());
    let v_1 = (2.0 * g * height).sqrt();
    for (k, (impact, exact)) in impacts.iter().zip(&exact).enumerate() {
        let off = (impact.t - exact).abs();
        assert!(off <= 1e-10 * size.sqrt(), "{what}: impact {k} at {}, {off:.1e} s off", impact.t);
        let e_seen = -impact.after / impact.before;
        assert!((e_seen - e).abs() < 1e-13, "{what}: restitution {e_seen} at impact {k}");
        let v = v_1 * e.powi(k as i32);
        assert!((impact.before + v).abs() < 1e-10 * v_1, "{what}: arrives with {}", impact.before);
    }
    // bounces below the height of rest take less time than this altogether
    let low = 1e-2 * accuracy.unwrap_or(1e-10) * setup.system().structure().length_scale;
    let left = 2.0 * (2.0 * low / g).sqrt() / (1.0 - e) + 1e-9 * size.sqrt();
    let rest = impacts.last().unwrap();
    // the hybrid steps over the last ones
    assert!(rest.after == 0.0 || scheme == "hybrid", "{what}: {}", rest.after);
    assert!((rest.t - accumulate).abs() <= left, "{what}: rests at {} instead of {accumulate}", rest.t);
    assert_eq!(done.summary.t, end, "{what}");
    // exactly, but for round-off where a method holds positions and not velocities
    let v = last(&done, "ball.vy").abs();
    let round_off = if scheme == "shake" { 1e-14 * size.sqrt() } else { 0.0 };
    assert!(v <= round_off, "{what}: {v:e}");
    // stepping goes as deep as the accuracy allows
    let deep = if scheme == "hybrid" { accuracy.unwrap_or(0.0) } else { 0.0 } + 1e-12;
    let depth = done.summary.audit.penetration.value;
    assert!(depth < deep * size.max(1.0), "{what}: {depth:.1e} deep");
    assert!((last(&done, "ball.y") - 0.2 * size).abs() < 1e-12 * size, "{what}");
    assert!((last(&done, "floor.force_n") - g).abs() < 1e-12 * g, "{what}");
}

/// Twenty impacts on time, restitution to the last digits, and rest at the time of accumulation, in three sizes.
#[test]
fn ball_with_accuracy() {
    for scheme in controlled() {
        for size in [1.0, 1e-3, 1e3] {
            ball(size, scheme, Some(1e-10), 1e-3);
        }
    }
}

/// The same in steps of one size: a parabola is exact for every method, so are its impacts, however long the step.
#[test]
fn ball_in_fixed_steps() {
    for scheme in holding() {
        for step in [0.4, 0.1, 0.0317, 1e-2, 1e-3] {
            ball(1.0, scheme, None, step);
        }
        for size in [1e-3, 1e3] {
            ball(size, scheme, None, 0.01);
        }
    }
}

/// Impact times of the pendulum of the gallery, by quadrature. With ψ the angle below the horizontal, ψ'² = 2 k (sin ψ − sin ψ_0).
fn pendulum(count: usize) -> Vec<f64> {
    let (k, stop, e) = (10.0 / 1.1, FRAC_PI_4, 0.8_f64);
    // ψ = ψ_0 + u² takes the root of the velocity away
    let swing = |from: f64| {
        integral(0.0, (stop - from).sqrt(), |u| {
            let half = 0.5 * u * u;
            let rate = 2.0 * k * 2.0 * (from + half).cos() * half.sin();
            if u == 0.0 { 2.0 / (2.0 * k * from.cos()).sqrt() } else { 2.0 * u / rate.sqrt() }
        })
    };
    let mut top = 0.0_f64;
    let mut times = vec![swing(top)];
    for _ in 1..count {
        top = (stop.sin() - e * e * (stop.sin() - top.sin())).asin();
        times.push(times.last().unwrap() + 2.0 * swing(top));
    }
    times
}

#[test]
fn pendulum_against_a_stop() {
    let exact = pendulum(15);
    for scheme in controlled() {
        let accuracy = if scheme == "alpha-dae" { 1e-9 } else { 1e-10 };
        let done = run(&gallery("pendulum-stop", &how(scheme, Some(accuracy), 1e-3, 4.8)));
        let impacts = events(&done, EventKind::Impact);
        let worst = impacts.iter().zip(&exact).fold(0.0, |most: f64, (i, t)| most.max((i.t - t).abs()));
        assert!(impacts.len() > 30, "{scheme}");
        assert!(worst < 1e-9 * slack(scheme), "{scheme}: {worst:.1e} s off");
    }
}

/// After an event, at rest or nearly so, starters of several steps converge too: runs through the accumulation of impacts.
#[test]
fn goes_on_after_coming_to_rest() {
    for scheme in controlled() {
        for accuracy in [1e-5, 1e-6, 1e-7, 1e-8] {
            let done = run(&gallery("pendulum-stop", &how(scheme, Some(accuracy), 1e-3, 6.0)));
            assert!(last(&done, "pendulum.omega").abs() < 1e-12, "{scheme} {accuracy:e}");
            assert_eq!(done.summary.retries, 0, "{scheme} {accuracy:e}");
        }
    }
}

/// With `rest` = 0 nothing comes to rest: the run ends at the accumulation, and says at which contact and what to do. It does not
/// hang, and does not go through the floor. 0.2 s down, then bounces of 0.4 s · (½ + ¼ + …): 0.6 s.
#[test]
fn without_rest_an_accumulation_is_told() {
    let text = |units: &str, k: f64| {
        format!(
            r#"
            {units}
            gravity = [0, {}]
            [ground.shapes]
            floor = {{ type = "line", through = [0, 0], normal = [0, 1] }}
            [bodies.ball]
            mass = 1
            position = [0, {}]
            [bodies.clock]
            mass = 1
            velocity = [{}, 0]
            [contacts.floor]
            between = ["ball", "ground.floor"]
            restitution = 0.5
            "#,
            -10.0 * k,
            0.2 * k,
            // as fast as nothing, or much faster than the ball
            if k == 1.0 { 0.0 } else { 1e3 * k },
        )
    };
    for scheme in event_driven().into_iter().filter(|&name| name != "hybrid" && name != "verlet") {
        for (units, k) in [("", 1.0), ("units = \"mm\"", 1e3)] {
            let slow = ["shake", "rattle"].contains(&scheme);
            let mut changes = how(scheme, (!slow).then_some(1e-5), 1e-3, 1.0);
            let before = run(&model(&text(units, k), &changes));
            assert!(last(&before, "ball.y").abs() < 1e-9 * k, "{scheme}");
            changes.push(("simulation.parameters.rest", "0".into()));
            let done = model(&text(units, k), &changes).run(|_| true).unwrap_or_else(|e| panic!("{e}"));
            let carom::Stop::Failed(why) = &done.summary.stop else {
                panic!("{scheme}: {:?} at {}", done.summary.stop, done.summary.t);
            };
            for word in ["impacts accumulate", "contact floor", "`rest`", "`hybrid`"] {
                assert!(why.to_string().contains(word), "{scheme}: {why}");
            }
            assert!((done.summary.t - 0.6).abs() < 1e-5, "{scheme}: {}", done.summary.t);
            assert!(done.summary.steps < 20_000, "{scheme}: {}", done.summary.steps);
            assert!(done.summary.audit.penetration.value < 1e-10, "{scheme}");
            assert!(events(&done, EventKind::Impact).len() >= 20, "{scheme}");
        }
    }
}

/// A larger `rest` makes higher bounces end in rest: the last one that is followed rises higher than that, the next would not.
#[test]
fn rest_is_a_height() {
    for rest in [1.0, 1e-2, 1e-4] {
        let mut changes = how("hem5", Some(1e-5), 1e-3, 4.5);
        changes.push(("simulation.parameters.rest", format!("{rest}")));
        let setup = gallery("ball", &changes);
        let done = run(&setup);
        let low = rest * 1e-5 * setup.system().structure().length_scale;
        let height = |v: f64| v * v / 20.0;
        let impacts = events(&done, EventKind::Impact);
        let (end, bounces) = impacts.split_last().unwrap();
        assert_eq!(end.after, 0.0);
        assert!(bounces.iter().all(|impact| height(impact.after) > low), "rest {rest}");
        assert!(height(0.8 * end.before) <= low * (1.0 + 1e-6), "rest {rest}");
    }
}
