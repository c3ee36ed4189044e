//! Friction in space: a ball that slides and rolls, a block pushed across a slope, oblique impacts, what slips and what is let go.

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
        for frame in [UPRIGHT, WALL] {
            let text = ball(frame, [v[0], v[1], 0.0], [w[0], w[1], 7.0], "");
            let U = [v[0] - r * w[1], v[1] + r * w[0]];
            let speed = U[0].hypot(U[1]);
            let stop = 2.0 * speed / (7.0 * mu * G);
            let a = U.map(|U| -mu * G * U / speed);
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

#[test]
fn debug_probe() {
    let text = ball(UPRIGHT, [2.0, 0.0, 0.0], [0.0, 0.0, 7.0], "");
    for (scheme, acc, step) in [("rk4", Some(1e-10), 1e-2), ("rk4", None, 1e-2), ("rk4", Some(1e-6), 1e-2), ("dopri5", Some(1e-10), 1e-2), ("hem5", Some(1e-10), 1e-2), ("hem5", None, 1e-2)] {
        let done = run(&model(&text, &how(scheme, acc, step, 0.6)));
        eprintln!("{scheme} {acc:?} {:?} {:?}", done.recording.events.iter().map(|e| (e.t - 0.29124799767001597, e.kind)).collect::<Vec<_>>(), done.summary.steps);
        for q in ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"] { eprint!(" {q} {:e}", last(&done, &format!("ball.{q}"))); }
        eprintln!();
    }
}
