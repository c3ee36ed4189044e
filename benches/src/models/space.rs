//! Those of space, as the scripts in `benches/peers` have them.

use carom_model::description::space::{
    Body, Description, Force, Ground, Joint, Point, Prismatic, Revolute, Rotation, Spherical, Torque,
    Universal,
};
use carom_model::description::{Expression, Simulation};
use std::f64::consts::PI;

/// Step of all of them, s.
const STEP: f64 = 1e-3;
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// A point with the axis of a joint.
fn axis(at: [f64; 3], axis: [f64; 3]) -> Point {
    Point::Frame { at, axis: Some(axis), x: None, rotation: None }
}

/// A point with the axis of a joint, and the direction of x.
fn frame(at: [f64; 3], axis: [f64; 3], x: [f64; 3]) -> Point {
    Point::Frame { at, axis: Some(axis), x: Some(x), rotation: None }
}

fn spherical(a: &str, b: &str) -> Joint {
    Joint::Spherical(Spherical { between: [a.into(), b.into()], ..Spherical::default() })
}

fn revolute(a: &str, b: &str) -> Joint {
    Joint::Revolute(Revolute { between: [a.into(), b.into()], ..Revolute::default() })
}

fn universal(a: &str, b: &str) -> Joint {
    Joint::Universal(Universal { between: [a.into(), b.into()] })
}

fn points<const N: usize>(points: [(&str, Point); N]) -> indexmap::IndexMap<String, Point> {
    points.into_iter().map(|(name, point)| (name.to_string(), point)).collect()
}

fn simulation() -> Simulation {
    Simulation { step: STEP, ..Default::default() }
}

/// P8: n round rods with ball joints hang from the origin, level at the start, plucked sideways: joint k has the velocity
/// 2 sin(π k/n) m/s along y.
pub fn chain(n: usize) -> Description {
    let (length, mass, radius) = (0.1, 0.1, 0.01_f64);
    let (along, across) =
        (0.5 * mass * radius * radius, mass * (3.0 * radius * radius + length * length) / 12.0);
    let sideways = |k: usize| 2.0 * (PI * k as f64 / n as f64).sin();
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for i in 0..n {
        let body = Body {
            velocity: [0.0, 0.5 * (sideways(i) + sideways(i + 1)), 0.0],
            angular_velocity: [0.0, 0.0, (sideways(i + 1) - sideways(i)) / length],
            ..Body::rigid(mass, [along, across, across], [(i as f64 + 0.5) * length, 0.0, 0.0])
        };
        let body = body.with_point("a", [-0.5 * length, 0.0, 0.0]).with_point("b", [0.5 * length, 0.0, 0.0]);
        bodies.push((format!("link{i}"), body));
        let before = if i == 0 { "ground.hook".to_string() } else { format!("link{}.b", i - 1) };
        joints.push((format!("ball{i}"), spherical(&before, &format!("link{i}.a"))));
    }
    Description {
        version: 1,
        space: true,
        gravity: GRAVITY,
        ground: Ground { points: points([("hook", Point::At([0.0; 3]))]), ..Default::default() },
        bodies: bodies.into_iter().collect(),
        joints: joints.into_iter().collect(),
        simulation: simulation(),
        ..Default::default()
    }
}

/// P9: a crank about x drives a slider along x through a rod with a ball joint and a universal joint (Haug; IFToMM).
pub fn slider_crank() -> Description {
    let x = [1.0, 0.0, 0.0];
    // z along the crank
    let crank = Body {
        velocity: [0.0, -0.24, 0.0],
        angular_velocity: [6.0, 0.0, 0.0],
        points: points([("bearing", axis([0.0, 0.0, -0.04], x)), ("pin", Point::At([0.0, 0.0, 0.04]))]),
        ..Body::rigid(0.12, [1e-4, 1e-4, 1e-5], [0.0, 0.1, 0.16])
    };
    // x along the rod; y of its fork, an arm of the cross, is across rod and rail
    let rod = Body {
        rotation: Some(Rotation::about([0.0, 2.0, -1.0], (2.0_f64 / 3.0).acos())),
        velocity: [0.12, -0.24, 0.0],
        angular_velocity: [1.28, -0.32, 1.76],
        points: points([
            ("pin", Point::At([-0.15, 0.0, 0.0])),
            ("fork", frame([0.15, 0.0, 0.0], x, [0.0, -1.0, -2.0])),
        ]),
        ..Body::rigid(0.5, [4e-4, 4e-3, 4e-3], [0.1, 0.05, 0.1])
    };
    // x of its fork, the other arm, is along the rail
    let slider = Body {
        velocity: [0.24, 0.0, 0.0],
        points: points([("rail", axis([0.0; 3], x)), ("fork", frame([0.0; 3], [0.0, 0.0, 1.0], x))]),
        ..Body::rigid(2.0, [1e-4; 3], [0.2, 0.0, 0.0])
    };
    let rail = Prismatic { between: ["ground.rail".into(), "slider.rail".into()], ..Prismatic::default() };
    Description {
        version: 1,
        space: true,
        gravity: GRAVITY,
        ground: Ground {
            points: points([("bearing", axis([0.0, 0.1, 0.12], x)), ("rail", axis([0.0; 3], x))]),
            ..Default::default()
        },
        bodies: [("crank".into(), crank), ("rod".into(), rod), ("slider".into(), slider)].into(),
        joints: [
            ("bearing".into(), revolute("ground.bearing", "crank.bearing")),
            ("ball".into(), spherical("crank.pin", "rod.pin")),
            ("cross".into(), universal("slider.fork", "rod.fork")),
            ("rail".into(), Joint::Prismatic(rail)),
        ]
        .into(),
        simulation: simulation(),
        ..Default::default()
    }
}

/// P10: a heavy top on a ball joint, in absolute coordinates. [BruelsCardona]
pub fn top() -> Description {
    let omega = [0.0, 150.0, -4.61538];
    let body = Body {
        // ω × r
        velocity: [-omega[2], 0.0, 0.0],
        angular_velocity: omega,
        ..Body::rigid(15.0, [0.234375, 0.46875, 0.234375], [0.0, 1.0, 0.0])
    };
    Description {
        version: 1,
        space: true,
        gravity: GRAVITY,
        ground: Ground { points: points([("foot", Point::At([0.0; 3]))]), ..Default::default() },
        bodies: [("top".into(), body.with_point("foot", [0.0, -1.0, 0.0]))].into(),
        joints: [("foot".into(), spherical("ground.foot", "top.foot"))].into(),
        simulation: simulation(),
        ..Default::default()
    }
}

/// The four-bar linkage of the plane, in x and z: with four hinges, three of whose twenty rows the others hold already, or with
/// a ball joint and a universal joint in the coupler, which hold no more than is needed.
pub fn four_bar(hinges: bool) -> Description {
    let (l1, l2, l3, d) = (0.3, 0.13_f64.sqrt(), 0.4, 0.7);
    let angles = [PI / 3.0, (3.0_f64.sqrt() / 7.0).atan(), 2.0 * PI / 3.0];
    // angles of the plane x, y turn about −y in x, z
    let across = [0.0, -1.0, 0.0];
    let bar = |length: f64, foot: [f64; 2], angle: f64| {
        let inertia = length * length / 12.0;
        let place = [foot[0] + 0.5 * length * angle.cos(), 0.0, foot[1] + 0.5 * length * angle.sin()];
        Body {
            rotation: Some(Rotation::about(across, angle)),
            points: points([
                ("a", axis([-0.5 * length, 0.0, 0.0], across)),
                ("b", axis([0.5 * length, 0.0, 0.0], across)),
                ("ball", Point::At([-0.5 * length, 0.0, 0.0])),
                ("fork", frame([0.5 * length, 0.0, 0.0], [1.0, 0.0, 0.0], across)),
                ("arm", frame([0.5 * length, 0.0, 0.0], across, [0.0, 0.0, 1.0])),
            ]),
            ..Body::rigid(1.0, [0.1 * inertia, inertia, inertia], place)
        }
    };
    let knee = [l1 * angles[0].cos(), l1 * angles[0].sin()];
    let [b, c] = if hinges {
        [revolute("crank.b", "coupler.a"), revolute("coupler.b", "rocker.b")]
    } else {
        [spherical("crank.b", "coupler.ball"), universal("coupler.fork", "rocker.arm")]
    };
    let torque = [0.0, -6.0, 0.0].map(Expression::Constant);
    Description {
        version: 1,
        space: true,
        gravity: GRAVITY,
        ground: Ground {
            points: points([("left", axis([0.0; 3], across)), ("right", axis([d, 0.0, 0.0], across))]),
            ..Default::default()
        },
        bodies: [
            ("crank".into(), bar(l1, [0.0, 0.0], angles[0])),
            ("coupler".into(), bar(l2, knee, angles[1])),
            ("rocker".into(), bar(l3, [d, 0.0], angles[2])),
        ]
        .into(),
        joints: [
            ("A".into(), revolute("ground.left", "crank.a")),
            ("B".into(), b),
            ("C".into(), c),
            ("D".into(), revolute("rocker.a", "ground.right")),
        ]
        .into(),
        forces: [(
            "drive".into(),
            Force::Torque(Torque { on: "crank".into(), against: None, torque, follows: false }),
        )]
        .into(),
        simulation: simulation(),
        ..Default::default()
    }
}
