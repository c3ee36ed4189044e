//! Friction in space: a ball that slides and rolls, a block pushed across a slope, oblique impacts, what slips and what is let go.

#![allow(non_snake_case)]

use super::*;

const G: f64 = 9.81;

/// Those that take friction in space: the symplectic ones do not.
fn in_space() -> Vec<&'static str> {
    let without = ["verlet", "shake", "rattle"];
    event_driven().into_iter().filter(|name| !without.contains(name)).collect()
}

/// A ball of radius 0.1 m on a table that is turned by the frame (t_1, t_2, n) in space.
fn ball([t_1, t_2, n]: [[f64; 3]; 3], v: [f64; 3], w: [f64; 3], more: &str) -> String {
    let world =
        |x: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| x[0] * t_1[i] + x[1] * t_2[i] + x[2] * n[i]) };
    format!(
        r#"
        gravity = {:?}
        [ground.shapes.table]
        type = "plane"
        through = [0, 0, 0]
        normal = {n:?}
        [bodies.ball]
        density = 1000
        position = {:?}
        velocity = {:?}
        angular_velocity = {:?}
        shapes.skin = {{ type = "sphere", radius = 0.1 }}
        [contacts.table]
        between = ["ball.skin", "ground.table"]
        friction = 0.2
        {more}
        "#,
        world([0.0, 0.0, -G]),
        world([0.0, 0.0, 0.1]),
        world(v),
        world(w),
    )
}

const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A wall, so that the tangents of the contact jump with the last bit of n_z.
const WALL: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [0.6, 0.8, 0.0], [-0.8, 0.6, 0.0]];

fn place(done: &Done, body: &str, [t_1, t_2, _]: [[f64; 3]; 3], names: [&str; 3]) -> [f64; 2] {
    let x = names.map(|name| last(done, &format!("{body}.{name}")));
    [t_1, t_2].map(|t| x[0] * t[0] + x[1] * t[1] + x[2] * t[2])
}

/// U_0 = v + ω × (−r n) goes straight to zero in 2|U_0|/(7 μ g), the ball on a parabola; then it rolls.
#[test]
fn a_ball_slides_on_a_parabola_and_rolls() {
    let (mu, r, end) = (0.2, 0.1, 0.6);
    let cases = [([2.0, 0.0], [0.0, 0.0]), ([1.0, 0.5], [-6.0, 4.0]), ([-0.3, 0.8], [5.0, -12.0])];
    for (v, w) in cases {
        for frame in if v[0] == 1.0 { [UPRIGHT, WALL].as_slice() } else { &[WALL] }.iter().copied() {
            let text = ball(frame, [v[0], v[1], 0.0], [w[0], w[1], 7.0], "");
            let slip = [v[0] - r * w[1], v[1] + r * w[0]];
            let speed = slip[0].hypot(slip[1]);
            let stop = 2.0 * speed / (7.0 * mu * G);
            let a = slip.map(|u| -mu * G * u / speed);
            let slides: f64 = f64::min(stop, end);
            let v_end: [f64; 2] = std::array::from_fn(|i| v[i] + a[i] * slides);
            let x_end: [f64; 2] = std::array::from_fn(|i| {
                v[i] * slides + 0.5 * a[i] * slides * slides + v_end[i] * (end - slides)
            });
            for scheme in in_space() {
                let done = run(&model(&text, &how(scheme, Some(1e-10), 1e-2, end)));
                let what = format!("{scheme} {v:?} {w:?} {frame:?}");
                let sticks = events(&done, EventKind::Stick);
                assert_eq!(sticks.len(), usize::from(stop < end), "{what}: {sticks:?} {stop}");
                assert_eq!(events(&done, EventKind::Slip).len(), 0, "{what}");
                let allowed = 1e-9 * slack(scheme);
                if let Some(stick) = sticks.first() {
                    assert!((stick.t - stop).abs() < allowed, "{what}: {} {stop}", stick.t);
                }
                let (x, v) = (
                    place(&done, "ball", frame, ["x", "y", "z"]),
                    place(&done, "ball", frame, ["vx", "vy", "vz"]),
                );
                for i in 0..2 {
                    assert!((x[i] - x_end[i]).abs() < allowed, "{what}: {x:?} {x_end:?}");
                    assert!((v[i] - v_end[i]).abs() < allowed, "{what}: {v:?} {v_end:?}");
                }
            }
        }
    }
}

/// A point on a slope of the critical angle, pushed across: with u = tan(φ/2), φ the angle of v from downhill,
/// t = (1/2 − ln u − u²/2) v_0/2c, x = (4/3 − u − u³/3) v_0²/2c, y = (−1/4 − ln u + u⁴/4) v_0²/4c, c = g sin α.
fn across(t: f64) -> ([f64; 2], [f64; 2]) {
    let c = G * 0.5_f64.atan().sin();
    let u = zero(1e-300, 1.0, |u| (0.5 - u.ln() - 0.5 * u * u) / (2.0 * c) - t);
    let x = (4.0 / 3.0 - u - u.powi(3) / 3.0) / (2.0 * c);
    let y = (-0.25 - u.ln() + u.powi(4) / 4.0) / (4.0 * c);
    let (phi, v) = (2.0 * u.atan(), 0.5 * (1.0 + u * u));
    ([x, y], [v * phi.sin(), v * phi.cos()])
}

#[test]
fn a_block_pushed_across_turns_downhill() {
    let ([x, y], v) = across(1.0);
    assert!((x - 0.151929).abs() < 1e-6 && (y - 0.457262).abs() < 1e-6, "{x} {y}");
    for scheme in in_space() {
        let done = run(&gallery("block-across", &how(scheme, Some(1e-10), 1e-2, 1.0)));
        let allowed = 1e-9 * slack(scheme);
        for (channel, exact) in [("x", x), ("y", -y), ("vx", v[0]), ("vy", -v[1]), ("z", 0.0)] {
            let found = last(&done, &format!("block.{channel}"));
            assert!((found - exact).abs() < allowed, "{scheme} {channel}: {found} {exact}");
        }
        assert_eq!(done.recording.events.len(), 0, "{scheme}");
    }
}

/// An oblique impact: it sticks where |U_T| (1 + e_T) 2/7 ≤ μ (1 + e_N) v_N, and slides otherwise. Contact at rest after it: J = 2/5 m r².
#[test]
fn an_oblique_impact_sticks_or_slides() {
    let (mu, e_n, e_t) = (0.2, 0.5, 0.4);
    for v in [[0.3, -0.2, -2.0], [2.0, 1.5, -1.0]] {
        let text = ball(WALL, v, [0.0, 0.0, 3.0], "restitution = 0.5\ntangential_restitution = 0.4");
        let speed = f64::hypot(v[0], v[1]);
        // impulses over the mass
        let normal = -(1.0 + e_n) * v[2];
        let tangential = f64::min((1.0 + e_t) * speed * 2.0 / 7.0, mu * normal);
        for scheme in in_space() {
            let done = run(&model(&text, &how(scheme, Some(1e-8), 1e-3, 1e-3)));
            let v_end = place(&done, "ball", WALL, ["vx", "vy", "vz"]);
            for i in 0..2 {
                let exact = v[i] * (1.0 - tangential / speed);
                assert!((v_end[i] - exact).abs() < 1e-9, "{scheme} {v:?}: {v_end:?} {exact}");
            }
        }
    }
}

/// A force that grows in a slanting direction: it slips when c t = μ m g, then m v' = c (t − t*) along it.
#[test]
fn slips_along_the_force() {
    let (mu, m, c, end) = (0.5, 2.0, 7.0, 2.0);
    let slip: f64 = mu * m * G / c;
    let x = c * (end - slip).powi(3) / (6.0 * m);
    let text = r#"
        gravity = [0, 0, -9.81]
        forces.pull = { type = "force", on = "body", force = ["4.2*t", "5.6*t", 0] }
        [ground.shapes]
        floor = { type = "plane", through = [0, 0, 0], normal = [0, 0, 1] }
        [bodies.body]
        mass = 2
        points.foot = [0, 0, 0]
        [contacts.foot]
        between = ["body.foot", "ground.floor"]
        friction = 0.5
    "#;
    for scheme in ["hem5", "dopri5", "radau5", "hybrid"] {
        let done = run(&model(text, &how(scheme, Some(1e-6), 1e-2, end)));
        let slips = events(&done, EventKind::Slip);
        assert!(slips.len() == 1 && (slips[0].t - slip).abs() < 1e-9, "{scheme}: {slips:?} {slip}");
        for (channel, part) in [("x", 0.6), ("y", 0.8)] {
            let found = last(&done, &format!("body.{channel}"));
            assert!((found - part * x).abs() < 1e-5, "{scheme} {channel}: {found} {}", part * x);
        }
    }
}

/// Orders on the block's curved path, fitted over ten steps.
#[test]
fn orders_on_a_curved_path() {
    let ([x, y], _) = across(0.25);
    for (scheme, order) in [("hem5", 5.0), ("rk4", 4.0), ("dopri5", 5.0), ("phem56", 5.0), ("radau5", 5.0)] {
        let points: Vec<(f64, f64)> = (0..10)
            .map(|k| {
                let step = 0.25 / f64::from(3 + k);
                let done = run(&gallery("block-across", &how(scheme, None, step, 0.25)));
                let off = f64::hypot(last(&done, "block.x") - x, last(&done, "block.y") + y);
                (step.ln(), off.ln())
            })
            .collect();
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
        let slope = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum::<f64>()
            / points.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>();
        assert!(slope > order - 0.4, "{scheme}: {slope} {points:?}");
    }
}
