//! Models that between them have every joint, force and contact.
#![allow(dead_code)]

use carom_model::Description;
use carom_model::description::*;

/// Deterministic numbers in (-1, 1).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }
}

pub fn frame(at: [f64; 2], angle: f64) -> Point {
    Point::Frame { at, angle }
}

pub fn between(a: &str, b: &str) -> [String; 2] {
    [a.into(), b.into()]
}

/// Two rigid bodies and a point mass with points on them; nothing joined yet.
pub fn three_bodies() -> Description {
    let mut d = Description { version: 1, gravity: [0.3, -9.81], ..Description::default() };
    d.ground.points.insert("anchor".into(), Point::At([0.3, -0.2]));
    d.ground.points.insert("rail".into(), frame([-0.1, 0.4], 0.7));
    let mut a =
        Body::rigid(2.0, 0.3, [0.5, 0.2]).with_point("left", [-0.4, 0.1]).with_point("right", [0.6, -0.2]);
    a.points.insert("rail".into(), frame([0.1, 0.2], -0.4));
    a.angle = 0.3;
    let mut b =
        Body::rigid(0.7, 0.05, [1.4, 0.9]).with_point("left", [-0.3, 0.05]).with_point("right", [0.2, 0.1]);
    b.points.insert("slide".into(), frame([0.15, -0.1], 0.2));
    b.angle = -0.8;
    d.bodies.insert("a".into(), a);
    d.bodies.insert("b".into(), b);
    d.bodies.insert("p".into(), Body::point_mass(0.4, [-0.6, 1.1]));
    d
}

/// Every joint, between bodies, to ground, and with a point mass.
pub fn joints() -> Description {
    let mut d = three_bodies();
    let mut add = |name: &str, joint: Joint| d.joints.insert(name.into(), joint);
    add("rev", Joint::revolute("a.right", "b.left"));
    add("rev-ground", Joint::revolute("ground.anchor", "a.left"));
    add("rev-point", Joint::revolute("p", "b.right"));
    add("prism", Joint::prismatic("a.rail", "b.slide"));
    add("prism-ground", Joint::prismatic("ground.rail", "a.right"));
    add("prism-point", Joint::prismatic("b.slide", "p"));
    add("weld", Joint::Weld(Weld { between: between("a.rail", "b.slide") }));
    add("weld-point", Joint::Weld(Weld { between: between("a.right", "p") }));
    add("dist", Joint::Distance(Distance { between: between("a.left", "b.right"), length: None }));
    add(
        "dist-ground",
        Joint::Distance(Distance { between: between("p", "ground.anchor"), length: Some(0.4) }),
    );
    add("move-x", Joint::motion("a.right", Coordinate::X, "0.3*sin(4*t) + t^2"));
    add("move-y", Joint::motion("p", Coordinate::Y, "exp(-t)*cos(3*t)"));
    add("move-angle", Joint::motion("b.slide", Coordinate::Angle, "sqrt(1+t)"));
    add("gear", Joint::Gear(Gear { between: between("a", "b"), ratio: 2.5 }));
    add("rack", Joint::Rack(Rack { between: between("a", "b.right"), axis: [0.6, 0.9], radius: 0.2 }));
    for (name, [curve, point]) in [
        ("on-line", ["ground.track", "a.left"]),
        ("on-circle", ["a.wheel", "b.right"]),
        ("on-ellipse", ["a.oval", "p"]),
        ("on-ground-ellipse", ["ground.oval", "b"]),
        ("on-path", ["b.wire", "a.right"]),
        ("on-loop", ["ground.loop", "p"]),
    ] {
        let on = Joint::PointOnCurve(PointOnCurve {
            between: between(curve, point),
            friction: 0.3,
            friction_force: 0.1,
        });
        d.joints.insert(name.into(), on);
    }
    curves(&mut d);
    d
}

/// Curves for points to be led on.
fn curves(d: &mut Description) {
    let ellipse = |center, semi_axes, angle| Shape::Ellipse { center, semi_axes, angle };
    let ground = &mut d.ground.shapes;
    ground.insert("track".into(), Shape::Line { through: [0.2, 0.1], normal: [1.0, 2.0] });
    ground.insert("oval".into(), ellipse([0.5, -1.0], [0.4, 3.0], 0.4));
    let corners = vec![[-3.0, 0.0], [0.0, -2.5], [3.0, 0.3], [0.2, 2.0]];
    ground.insert("loop".into(), Shape::Spline { through: Through::Points(corners), hole: true });
    let a = &mut d.bodies["a"].shapes;
    a.insert("wheel".into(), Shape::Disk { center: [0.3, 0.1], radius: 2.0 });
    a.insert("oval".into(), ellipse([-0.2, 0.1], [3.0, 1.5], -0.3));
    let pieces = vec![
        Piece::LineTo([0.0, -1.0]),
        Piece::ArcTo { end: [1.0, 0.0], center: [0.0, 0.0], counterclockwise: true },
        Piece::ParabolaTo { end: [2.0, 2.0], control: [1.0, 1.0] },
        Piece::SplineThrough(Through::Table(PointTable {
            points: Some(vec![[3.0, 2.6], [4.0, 2.2], [5.0, 2.5]]),
            start_direction: Some([1.0, 1.0]),
            ..PointTable::default()
        })),
    ];
    d.bodies["b"].shapes.insert("wire".into(), Shape::Path { start: [-2.0, -1.0], pieces });
}

/// Every force.
pub fn forces() -> Description {
    let mut d = three_bodies();
    let mut add = |name: &str, force: Force| d.forces.insert(name.into(), force);
    let spring = |a: &str, b: &str, length| {
        Force::Spring(Spring {
            between: between(a, b),
            stiffness: 300.0,
            damping: 4.0,
            length,
            ..Spring::default()
        })
    };
    add("s1", spring("a.right", "b.left", Some(0.5)));
    add("s2", spring("ground.anchor", "a", None));
    add("s3", spring("p", "b.right", Some(0.0)));
    add("s4", spring("a.left", "ground", Some(1.0)));
    add(
        "damper",
        Force::Spring(Spring {
            between: between("a", "p"),
            stiffness: 0.0,
            damping: 2.0,
            length: None,
            ..Spring::default()
        }),
    );
    let torsion = |a: &str, b: &str| {
        Force::TorsionSpring(TorsionSpring {
            between: between(a, b),
            stiffness: 20.0,
            damping: 0.7,
            angle: 0.4,
            ..TorsionSpring::default()
        })
    };
    add("t1", torsion("a", "b"));
    add("t2", torsion("b", "ground"));
    let formula = |text: &str| Expression::Formula(text.into());
    let pull = |on: &str, follows| {
        Force::Force(AppliedForce {
            on: on.into(),
            force: [formula("3*cos(5*t)"), Expression::Constant(-2.0)],
            follows,
        })
    };
    add("f1", pull("a.right", false));
    add("f2", pull("b.left", true));
    add("f3", pull("p", false));
    add("f4", pull("b", true));
    let torque = |on: &str, against: Option<&str>| {
        Force::Torque(Torque {
            on: on.into(),
            against: against.map(Into::into),
            torque: formula("2*step(t-0.1) + t"),
        })
    };
    add("m1", torque("a", Some("b")));
    add("m2", torque("b", None));
    d
}

/// Every contact geometry, and every dry friction. Shapes are placed so that nothing is penetrated at the start.
pub fn contacts() -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -9.81], ..Description::default() };
    let line = Shape::Line { through: [0.0, -3.0], normal: [0.3, 2.0] };
    d.ground.shapes.insert("floor".into(), line);
    d.ground.shapes.insert(
        "valley".into(),
        Shape::Path {
            start: [-9.0, -3.0],
            pieces: vec![
                Piece::LineTo([-2.0, -10.0]),
                Piece::ArcTo { end: [2.0, -10.0], center: [0.0, -8.0], counterclockwise: true },
                Piece::LineTo([9.0, -3.0]),
            ],
        },
    );
    d.ground.shapes.insert(
        "box".into(),
        Shape::Path {
            start: [-6.0, -6.0],
            pieces: vec![
                Piece::LineTo([6.0, -6.0]),
                Piece::LineTo([6.0, 1.0]),
                Piece::ArcTo { end: [-6.0, 1.0], center: [0.0, 1.0], counterclockwise: true },
                Piece::LineTo([-6.0, -6.0]),
            ],
        },
    );
    // y = −9 + x²/8 from −8 to 4, then a kerb
    d.ground.shapes.insert(
        "dish".into(),
        Shape::Path {
            start: [-8.0, -1.0],
            pieces: vec![
                Piece::ParabolaTo { end: [4.0, -7.0], control: [-2.0, -13.0] },
                Piece::LineTo([9.0, -6.0]),
            ],
        },
    );
    // near the bodies: a trough of an arc, and y = −2 + x²/4
    d.ground.shapes.insert(
        "trough".into(),
        Shape::Path {
            start: [-3.0, 1.0],
            pieces: vec![
                Piece::ArcTo { end: [3.0, 1.0], center: [0.0, 1.0], counterclockwise: true },
                Piece::LineTo([3.0, 3.0]),
            ],
        },
    );
    d.ground.shapes.insert(
        "basin".into(),
        Shape::Path {
            start: [-4.0, 2.0],
            pieces: vec![Piece::ParabolaTo { end: [4.0, 2.0], control: [0.0, -6.0] }],
        },
    );
    d.ground.points.insert("rail".into(), frame([-0.1, 0.4], 0.3));
    let mut a = Body::rigid(2.0, 0.3, [-1.0, 0.2])
        .with_point("pin", [0.2, 0.1])
        .with_point("tip", [0.5, 0.0])
        .with_shape("disk", Shape::Disk { center: [0.1, -0.05], radius: 0.3 })
        .with_shape("plate", Shape::Rectangle { center: [0.0, 0.1], size: [0.6, 0.2] });
    a.angle = 0.2;
    let hill = Shape::Path {
        start: [-0.5, 0.0],
        pieces: vec![
            Piece::LineTo([-0.2, 0.0]),
            Piece::ArcTo { end: [0.2, 0.0], center: [0.0, 0.0], counterclockwise: false },
            Piece::LineTo([0.5, 0.0]),
        ],
    };
    let hump = Shape::Path {
        start: [-0.6, -0.5],
        pieces: vec![
            Piece::ParabolaTo { end: [0.1, 0.3], control: [-0.3, 0.4] },
            Piece::ParabolaTo { end: [0.6, 0.1], control: [0.4, 0.1] },
        ],
    };
    // a notched block, an egg of a parabola, an arc and a spline
    let notched = Shape::Polygon {
        corners: vec![
            [-0.4, -0.2],
            [0.4, -0.2],
            [0.4, 0.2],
            [0.1, 0.2],
            [0.0, 0.0],
            [-0.1, 0.2],
            [-0.4, 0.2],
        ],
    };
    let egg = Shape::Path {
        start: [-0.3, 0.0],
        pieces: vec![
            Piece::ParabolaTo { end: [0.3, 0.0], control: [0.0, 0.5] },
            Piece::ArcTo { end: [0.0, -0.3], center: [0.0, 0.0], counterclockwise: false },
            Piece::SplineThrough(Through::Points(vec![[-0.1, -0.28], [-0.2, -0.2], [-0.3, 0.0]])),
        ],
    };
    let a = a.with_shape("notched", notched).with_shape("egg", egg.clone());
    let mut b = Body::rigid(0.7, 0.05, [1.4, 0.9])
        .with_point("pin", [-0.3, 0.05])
        .with_shape("egg", egg)
        .with_shape("hump", hump)
        .with_shape("disk", Shape::Disk { center: [0.0, 0.0], radius: 0.2 })
        .with_shape("wedge", Shape::Polygon { corners: vec![[0.0, 0.0], [0.3, 0.0], [0.1, 0.4]] })
        .with_shape("wall", Shape::Line { through: [0.3, 0.0], normal: [-1.0, 0.2] })
        .with_shape("hill", hill);
    b.angle = -0.5;
    d.bodies.insert("a".into(), a);
    d.bodies.insert("b".into(), b);
    d.bodies.insert("p".into(), Body::point_mass(0.4, [0.2, 2.5]));
    let mut touch = |name: &str, a: &str, b: &str| {
        let contact = Contact { friction: 0.3, restitution: 0.5, ..Contact::between(a, b) };
        d.contacts.insert(name.into(), contact);
    };
    touch("point-line", "p", "ground.floor");
    touch("disk-line", "ground.floor", "a.disk");
    touch("corners-line", "a.plate", "ground.floor");
    touch("disk-disk", "a.disk", "b.disk");
    touch("point-disk", "b.disk", "p");
    touch("tip-wall", "a.tip", "b.wall");
    touch("disk-valley", "b.disk", "ground.valley");
    touch("point-box", "p", "ground.box");
    touch("disk-box", "a.disk", "ground.box");
    touch("disk-hill", "a.disk", "b.hill");
    touch("wedge-trough", "b.wedge", "ground.trough");
    touch("disk-wedge", "a.disk", "b.wedge");
    touch("disk-dish", "b.disk", "ground.dish");
    touch("tip-hump", "a.tip", "b.hump");
    touch("disk-hump", "a.disk", "b.hump");
    touch("egg-egg", "a.egg", "b.egg");
    touch("notched-egg", "a.notched", "b.egg");
    touch("wedge-plate", "b.wedge", "a.plate");
    touch("egg-trough", "b.egg", "ground.trough");
    touch("egg-basin", "a.egg", "ground.basin");
    touch("egg-floor", "a.egg", "ground.floor");
    d
}

/// Clearance joints and joints that rub.
pub fn clearances() -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.points.insert("rail".into(), frame([-0.1, 0.4], 0.3));
    let mut a =
        Body::rigid(2.0, 0.3, [0.0, 0.4]).with_point("pin", [0.2, 0.1]).with_point("end", [-0.2, 0.1]);
    a.points.insert("slot".into(), frame([0.05, 0.02], -0.3));
    let b = Body::rigid(0.7, 0.05, [0.5, 0.45]).with_point("pin", [-0.3, 0.05]).with_point("end", [0.3, 0.1]);
    d.bodies.insert("a".into(), a);
    d.bodies.insert("b".into(), b);
    d.bodies.insert("p".into(), Body::point_mass(0.4, [0.2, 2.5]));
    d.joints.insert(
        "pin".into(),
        Joint::Revolute(Revolute {
            between: between("a.pin", "b.pin"),
            clearance: Some(0.3),
            restitution: 0.5,
            friction: 0.1,
            pin_radius: 0.07,
            friction_torque: 0.2,
            ..Revolute::default()
        }),
    );
    d.joints.insert(
        "guide".into(),
        Joint::Prismatic(Prismatic {
            between: between("a.slot", "b"),
            clearance: Some(0.9),
            size: Some([0.3, 0.2]),
            restitution: 0.4,
            friction: 0.2,
            friction_force: 1.0,
            ..Prismatic::default()
        }),
    );
    d.joints.insert(
        "pivot".into(),
        Joint::Revolute(Revolute {
            between: between("ground.rail", "a.end"),
            clearance: None,
            restitution: 0.0,
            friction: 0.1,
            pin_radius: 0.02,
            friction_torque: 0.3,
            ..Revolute::default()
        }),
    );
    d.joints.insert(
        "slide".into(),
        Joint::Prismatic(Prismatic {
            between: between("b.end", "p"),
            clearance: None,
            size: None,
            restitution: 0.0,
            friction: 0.25,
            friction_force: 0.5,
            ..Prismatic::default()
        }),
    );
    d
}

/// A vertical bar with a spring on an inner point, a guide, and a disk on its first end, on a floor.
#[allow(dead_code)]
pub fn bar() -> Description {
    let mut d = Description { gravity: [0.3, -9.81], ..Description::default() };
    d.ground.points.insert("anchor".into(), Point::At([0.3, -0.2]));
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -0.5], normal: [0.1, 1.0] });
    let bar = Body {
        elastic: Some(Elastic::Bar(Bar {
            length: 0.8,
            elements: 5,
            young: 900.0,
            area: 0.1,
            density: 3.0,
            lumped: false,
            damping: Damping { mass: 0.3, stiffness: 0.01, ..Damping::default() },
        })),
        position: [0.1, 0.2],
        angle: 1.2,
        points: [
            ("inner".to_string(), Point::At([0.25, 0.0])),
            ("end".to_string(), Point::Node { node: 5, angle: 0.1 }),
        ]
        .into(),
        ..Body::default()
    };
    d.bodies.insert("bar".into(), bar.with_shape("foot", Shape::Disk { center: [0.0; 2], radius: 0.05 }));
    d.bodies.insert("block".into(), Body::rigid(1.0, 0.1, [0.5, 0.9]).with_point("pin", [0.1, -0.1]));
    let spring = |a: &str, b: &str| {
        Force::Spring(Spring {
            between: [a.into(), b.into()],
            stiffness: 50.0,
            damping: 0.5,
            length: Some(0.1),
            ..Spring::default()
        })
    };
    d.forces.insert("tie".into(), spring("ground.anchor", "bar.inner"));
    d.forces.insert("link".into(), spring("bar.inner", "block.pin"));
    d.forces.insert(
        "push".into(),
        Force::Force(AppliedForce {
            on: "bar.end".into(),
            force: [Expression::Constant(0.3), Expression::Constant(0.2)],
            follows: true,
        }),
    );
    d.joints.insert("hinge".into(), Joint::revolute("bar.end", "block.pin"));
    d.contacts
        .insert("foot".into(), Contact { friction: 0.3, ..Contact::between("bar.foot", "ground.floor") });
    d
}

/// A soft beam in a floating frame with everything fixed to it: at nodes, between them and off its axis.
pub fn beam(beam: Beam) -> Description {
    let mut d = three_bodies();
    let body =
        Body { elastic: Some(Elastic::Beam(beam)), position: [0.1, 0.3], angle: 0.5, ..Body::default() };
    let mut body =
        body.with_point("root", [0.0; 2]).with_point("middle", [0.37, 0.0]).with_point("arm", [0.7, 0.1]);
    body.points.insert("end".into(), Point::Node { node: 3, angle: 0.3 });
    d.bodies.insert("beam".into(), body.with_shape("tip", Shape::Disk { center: [0.9, 0.0], radius: 0.05 }));
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -3.0], normal: [0.1, 1.0] });
    let mut join = |name: &str, joint: Joint| d.joints.insert(name.into(), joint);
    join("pin", Joint::revolute("beam.middle", "a.left"));
    join("weld", Joint::Weld(Weld { between: between("beam.end", "b.left") }));
    join("slide", Joint::prismatic("beam.arm", "b.slide"));
    join("rod", Joint::Distance(Distance { between: between("beam.arm", "ground.anchor"), length: None }));
    join("move", Joint::motion("beam.root", Coordinate::Angle, "0.5 + sin(t)"));
    let mut act = |name: &str, force: Force| d.forces.insert(name.into(), force);
    let length = Some(0.1);
    act(
        "spring",
        Force::Spring(Spring {
            between: between("beam.arm", "p"),
            stiffness: 20.0,
            damping: 0.5,
            length,
            ..Spring::default()
        }),
    );
    act(
        "torsion",
        Force::TorsionSpring(TorsionSpring {
            between: between("beam.end", "a"),
            stiffness: 3.0,
            damping: 0.2,
            angle: 0.1,
            ..TorsionSpring::default()
        }),
    );
    let force = [Expression::Constant(0.3), Expression::Formula("cos(t)".into())];
    act("push", Force::Force(AppliedForce { on: "beam.arm".into(), force, follows: true }));
    act(
        "torque",
        Force::Torque(Torque {
            on: "beam.middle".into(),
            against: None,
            torque: Expression::Formula("sin(t)".into()),
        }),
    );
    d.contacts
        .insert("tip".into(), Contact { friction: 0.3, ..Contact::between("beam.tip", "ground.floor") });
    d.contacts
        .insert("arm".into(), Contact { friction: 0.3, ..Contact::between("beam.arm", "ground.floor") });
    d
}

/// Softer than anything real, so that no number dwarfs the others.
pub fn soft_beam() -> Beam {
    Beam {
        length: 0.9,
        elements: 3,
        young: 40.0,
        area: 0.2,
        second_moment: 0.05,
        density: 6.0,
        damping: Damping { mass: 0.3, stiffness: 0.02, ..Damping::default() },
        stiffening: true,
        ..Beam::default()
    }
}

/// Three wheels in a row, teeth on springs and hard flanks, both with friction; the first is turned into the second.
pub fn gears() -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    for (name, x, angle) in [("pinion", 0.0, 0.0), ("wheel", 0.1325, 0.0), ("last", 0.3275, 0.0)] {
        d.bodies.insert(name.into(), Body { angle, ..Body::rigid(1.0, 1e-3, [x, 0.0]) });
    }
    let sprung = GearPair {
        law: GearLaw::Spring,
        stiffness: Some(1e6),
        friction: 0.1,
        helix_angle: 0.1,
        width: Some(0.02),
        slices: Some(5),
        distance: Some(0.1325),
        tip_relief: Some(1e-5),
        relief_length: Some(2e-3),
        ..GearPair::between("pinion", "wheel", [14, 39], 5e-3 * 0.1f64.cos())
    };
    let hard = GearPair { friction: 0.2, ..GearPair::between("wheel", "last", [39, 39], 5e-3) };
    d.gears.insert("sprung".into(), sprung);
    d.gears.insert("hard".into(), hard);
    d
}
