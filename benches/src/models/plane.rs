//! Those of the plane.

use carom_model::description::{
    Bar, Body, Contact, Description, Elastic, ExactBeam, Force, Ground, Joint, Point, Shape, Simulation,
};
use carom_model::description::{Expression, Prismatic, Revolute, Torque};

fn at(x: f64, y: f64) -> Point {
    Point::At([x, y])
}

fn revolute(a: &str, b: &str) -> Joint {
    Joint::Revolute(Revolute {
        between: [a.into(), b.into()],
        clearance: None,
        restitution: 0.0,
        friction: 0.0,
        pin_radius: 0.0,
        friction_torque: 0.0,
        ..Revolute::default()
    })
}

/// Point mass over a floor, e = 0.8. [Chen2013] §5.1
pub fn ball() -> Description {
    let floor = Shape::Line { through: [0.0, 0.0], normal: [0.0, 1.0] };
    let body = Body {
        mass: 1.0,
        position: [0.0, 0.801],
        points: [("bottom".to_string(), at(0.0, 0.0))].into(),
        ..Default::default()
    };
    let touch = Contact {
        between: ["ball.bottom".into(), "ground.floor".into()],
        restitution: 0.8,
        ..Contact::default()
    };
    Description {
        version: 1,
        gravity: [0.0, -10.0],
        ground: Ground { shapes: [("floor".to_string(), floor)].into(), ..Default::default() },
        bodies: [("ball".to_string(), body)].into(),
        contacts: [("touch".to_string(), touch)].into(),
        simulation: Simulation { step: 1e-4, ..Default::default() },
        ..Default::default()
    }
}

/// Slider-crank with clearance and friction in absolute coordinates. [RezaeiSchindler] Table 1
pub fn slider_crank() -> Description {
    let (l1, l2) = (0.153, 0.306);
    let (omega1, omega2) = (150.0, -75.0);
    let bar = |mass, inertia, length: f64, x: f64, vy: f64, omega: f64| Body {
        mass,
        inertia: Some(inertia),
        position: [x, 0.0],
        velocity: [0.0, vy],
        angular_velocity: omega,
        points: [("a".to_string(), at(-0.5 * length, 0.0)), ("b".to_string(), at(0.5 * length, 0.0))].into(),
        ..Default::default()
    };
    let slider = Body {
        mass: 0.076,
        inertia: Some(2.7e-6),
        position: [l1 + l2, 0.0],
        points: [("centre".to_string(), at(0.0, 0.0))].into(),
        ..Default::default()
    };
    Description {
        version: 1,
        gravity: [0.0, -9.81],
        ground: Ground { points: [("pivot".to_string(), at(0.0, 0.0))].into(), ..Default::default() },
        bodies: [
            ("crank".to_string(), bar(0.038, 7.4e-5, l1, 0.5 * l1, 0.5 * l1 * omega1, omega1)),
            (
                "rod".to_string(),
                bar(0.038, 5.9e-4, l2, l1 + 0.5 * l2, l1 * omega1 + 0.5 * l2 * omega2, omega2),
            ),
            ("slider".to_string(), slider),
        ]
        .into(),
        joints: [
            ("pivot".to_string(), revolute("ground.pivot", "crank.a")),
            ("crank-pin".to_string(), revolute("crank.b", "rod.a")),
            ("slider-pin".to_string(), revolute("rod.b", "slider.centre")),
            (
                "guide".to_string(),
                Joint::Prismatic(Prismatic {
                    between: ["ground.pivot".into(), "slider.centre".into()],
                    clearance: Some(0.001),
                    size: Some([0.1, 0.05]),
                    restitution: 0.4,
                    friction: 0.01,
                    friction_force: 0.0,
                    ..Prismatic::default()
                }),
            ),
        ]
        .into(),
        simulation: Simulation { step: 1e-5, ..Default::default() },
        ..Default::default()
    }
}

/// Four-bar linkage driven by a torque. [Haddouni2015] §3.1.1
pub fn four_bar() -> Description {
    let (l1, l2, l3, d) = (0.3, 0.13_f64.sqrt(), 0.4, 0.7);
    let angles =
        [std::f64::consts::FRAC_PI_3, (3.0_f64.sqrt() / 7.0).atan(), 2.0 * std::f64::consts::FRAC_PI_3];
    let bar = |length: f64, foot: [f64; 2], angle: f64| Body {
        mass: 1.0,
        inertia: Some(length * length / 12.0),
        position: [foot[0] + 0.5 * length * angle.cos(), foot[1] + 0.5 * length * angle.sin()],
        angle,
        points: [("a".to_string(), at(-0.5 * length, 0.0)), ("b".to_string(), at(0.5 * length, 0.0))].into(),
        ..Default::default()
    };
    let knee = [l1 * angles[0].cos(), l1 * angles[0].sin()];
    Description {
        version: 1,
        gravity: [0.0, -9.81],
        ground: Ground {
            points: [("left".to_string(), at(0.0, 0.0)), ("right".to_string(), at(d, 0.0))].into(),
            ..Default::default()
        },
        bodies: [
            ("crank".to_string(), bar(l1, [0.0, 0.0], angles[0])),
            ("coupler".to_string(), bar(l2, knee, angles[1])),
            ("rocker".to_string(), bar(l3, [d, 0.0], angles[2])),
        ]
        .into(),
        joints: [
            ("A".to_string(), revolute("ground.left", "crank.a")),
            ("B".to_string(), revolute("crank.b", "coupler.a")),
            ("C".to_string(), revolute("coupler.b", "rocker.b")),
            ("D".to_string(), revolute("rocker.a", "ground.right")),
        ]
        .into(),
        forces: [(
            "drive".to_string(),
            Force::Torque(Torque { on: "crank".into(), against: None, torque: Expression::Constant(6.0) }),
        )]
        .into(),
        simulation: Simulation { step: 1e-3, ..Default::default() },
        ..Default::default()
    }
}

/// A chain of n equal links hanging from the ground, let go horizontally.
pub fn chain(n: usize) -> Description {
    let length = 0.1;
    let mut bodies = Vec::new();
    let mut joints = Vec::new();
    for i in 0..n {
        let body = Body {
            mass: 0.1,
            inertia: Some(0.1 * length * length / 12.0),
            position: [(i as f64 + 0.5) * length, 0.0],
            points: [("a".to_string(), at(-0.5 * length, 0.0)), ("b".to_string(), at(0.5 * length, 0.0))]
                .into(),
            ..Default::default()
        };
        bodies.push((format!("link{i}"), body));
        let before = if i == 0 { "ground.hook".to_string() } else { format!("link{}.b", i - 1) };
        joints.push((format!("pin{i}"), revolute(&before, &format!("link{i}.a"))));
    }
    Description {
        version: 1,
        gravity: [0.0, -9.81],
        ground: Ground { points: [("hook".to_string(), at(0.0, 0.0))].into(), ..Default::default() },
        bodies: bodies.into_iter().collect(),
        joints: joints.into_iter().collect(),
        simulation: Simulation { step: 1e-3, ..Default::default() },
        ..Default::default()
    }
}

/// An elastic bar thrown down upright from a height of 5 m, with hard contact. [Chen2013] §5.3
pub fn bar(elements: usize) -> Description {
    let elastic = Bar {
        length: 10.0,
        elements,
        young: 900.0,
        area: 1.0,
        density: 1.0,
        lumped: false,
        damping: Default::default(),
    };
    let body = Body {
        elastic: Some(Elastic::Bar(elastic)),
        position: [0.0, 5.0],
        angle: std::f64::consts::FRAC_PI_2,
        velocity: [0.0, -10.0],
        points: [("bottom".to_string(), Point::Node { node: 0, angle: 0.0 })].into(),
        ..Default::default()
    };
    let floor = Shape::Line { through: [0.0, 0.0], normal: [0.0, 1.0] };
    let touch = Contact {
        between: ["bar.bottom".into(), "ground.floor".into()],
        restitution: 0.0,
        ..Contact::default()
    };
    Description {
        version: 1,
        ground: Ground { shapes: [("floor".to_string(), floor)].into(), ..Default::default() },
        bodies: [("bar".to_string(), body)].into(),
        contacts: [("touch".to_string(), touch)].into(),
        simulation: Simulation { step: 2e-3, ..Default::default() },
        ..Default::default()
    }
}

/// A flexible pendulum let go horizontally, geometrically exact. [Chen2013] §5.4, without its stop
pub fn beam(elements: usize) -> Description {
    let side = 0.01_f64;
    let elastic = ExactBeam {
        length: 1.0,
        elements,
        young: 2.1e11,
        poisson: 0.3,
        area: side * side,
        second_moment: side.powi(4) / 12.0,
        shear_area: None,
        density: 7800.0,
        order: 1,
        lumped: false,
        damping: Default::default(),
    };
    let body = Body {
        elastic: Some(Elastic::ExactBeam(elastic)),
        points: [("root".to_string(), Point::Node { node: 0, angle: 0.0 })].into(),
        ..Default::default()
    };
    Description {
        version: 1,
        gravity: [0.0, -10.0],
        ground: Ground { points: [("pivot".to_string(), at(0.0, 0.0))].into(), ..Default::default() },
        bodies: [("beam".to_string(), body)].into(),
        joints: [("hinge".to_string(), revolute("ground.pivot", "beam.root"))].into(),
        simulation: Simulation { step: 5e-4, ..Default::default() },
        ..Default::default()
    }
}
