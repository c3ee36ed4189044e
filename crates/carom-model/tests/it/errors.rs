//! Everything that can be wrong with a description: the place, what is wrong, and the way out.

use crate::common::{between, three_bodies};
use carom_model::description::*;
use carom_model::{Description, Model, ModelError, Problem};

fn base() -> Description {
    let mut d = three_bodies();
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -5.0], normal: [0.0, 1.0] });
    d.ground.shapes.insert("wall".into(), Shape::Line { through: [-9.0, 0.0], normal: [1.0, 0.0] });
    d
}

/// The first error after a change to a model that is right.
fn error(change: impl FnOnce(&mut Description)) -> ModelError {
    let mut d = base();
    Model::new(&d).unwrap_or_else(|e| panic!("the unchanged model is wrong: {e}"));
    change(&mut d);
    Model::new(&d).expect_err("the changed model is wrong")
}

#[track_caller]
fn expect(change: impl FnOnce(&mut Description), path: &str, words: &str) -> ModelError {
    let error = error(change);
    assert_eq!(error.path.join("."), path, "{error}");
    assert!(error.to_string().contains(words), "{error}");
    assert!(!error.remedy().is_empty());
    error
}

fn join(name: &'static str, joint: Joint) -> impl FnOnce(&mut Description) {
    move |d| {
        d.joints.insert(name.into(), joint);
    }
}

fn act(name: &'static str, force: Force) -> impl FnOnce(&mut Description) {
    move |d| {
        d.forces.insert(name.into(), force);
    }
}

fn touch(contact: Contact) -> impl FnOnce(&mut Description) {
    move |d| {
        d.contacts.insert("c".into(), contact);
    }
}

fn shape(shape: Shape) -> impl FnOnce(&mut Description) {
    move |d| {
        d.bodies["a"].shapes.insert("s".into(), shape);
    }
}

#[test]
fn masses_and_numbers() {
    expect(|d| d.bodies["a"].mass = -1.0, "bodies.a.mass", "must be above 0");
    expect(|d| d.bodies["a"].mass = f64::NAN, "bodies.a.mass", "not a finite number");
    let e = expect(|d| d.bodies["a"].mass = 0.0, "bodies.a.mass", "no mass, but can move");
    assert!(matches!(e.problem, Problem::NoInertia { .. }));
    expect(|d| d.bodies["a"].inertia = Some(-0.1), "bodies.a.inertia", "must be above 0");
    expect(|d| d.bodies["a"].inertia = Some(0.0), "bodies.a.inertia", "leave `inertia` out for a point mass");
    expect(|d| d.bodies["a"].position[1] = f64::INFINITY, "bodies.a.position", "finite");
    expect(|d| d.bodies["a"].angle = f64::NAN, "bodies.a.angle", "finite");
    expect(|d| d.gravity[0] = f64::NAN, "gravity", "finite");
    expect(|d| d.version = 7, "version", "version = 1");
}

#[test]
fn how_to_run() {
    expect(|d| d.simulation.step = 0.0, "simulation.step", "must be above 0");
    expect(|d| d.simulation.step = f64::NAN, "simulation.step", "finite");
    expect(|d| d.simulation.end = -1.0, "simulation.end", "must be above 0");
    expect(|d| d.simulation.accuracy = Some(0.0), "simulation.accuracy", "must be above 0");
    expect(|d| d.simulation.output = Some(-1.0), "simulation.output", "must be above 0");
}

#[test]
fn names() {
    let rename = |new: &'static str| {
        move |d: &mut Description| {
            d.bodies.insert(new.into(), Body::point_mass(1.0, [0.0; 2]));
        }
    };
    expect(rename(""), "bodies.", "a name is empty");
    expect(rename("a.b"), "bodies.a.b", "cannot be used");
    expect(rename("ground"), "bodies.ground", "cannot be used");
    expect(join("a", Joint::revolute("a.left", "b.left")), "joints.a", "already taken by a body");
    let both = |d: &mut Description| {
        d.bodies["a"].shapes.insert("left".into(), Shape::Disk { center: [0.0; 2], radius: 1.0 });
    };
    expect(both, "bodies.a.shapes.left", "already taken by a point");
}

#[test]
fn references() {
    expect(join("j", Joint::revolute("aa.left", "b.left")), "joints.j.between.0", "did you mean `a`?");
    expect(join("j", Joint::revolute("a.left", "b.lfet")), "joints.j.between.1", "did you mean `b.left`?");
    expect(
        join("j", Joint::revolute("zebra", "b.left")),
        "joints.j.between.0",
        "use one of: a, b, p, ground",
    );
    expect(
        touch(Contact::between("p", "ground.flor")),
        "contacts.c.between.1",
        "did you mean `ground.floor`?",
    );
    expect(
        touch(Contact::between("p", "ground")),
        "contacts.c.between.1",
        "say `ground.floor` or `ground.wall`",
    );
    expect(join("j", Joint::revolute("a.left", "a.right")), "joints.j.between", "both ends are on `a`");
    expect(touch(Contact::between("ground.anchor", "ground.floor")), "contacts.c.between", "both ends");
}

#[test]
fn surfaces() {
    let with = |contact: Contact| touch(Contact { between: between("p", "ground.floor"), ..contact });
    let c = Contact::default;
    expect(with(Contact { restitution: 1.2, ..c() }), "contacts.c.restitution", "between 0 and 1");
    expect(with(Contact { restitution: -0.1, ..c() }), "contacts.c.restitution", "between 0 and 1");
    let sticky = Contact { tangential_restitution: -1.5, ..c() };
    expect(with(sticky), "contacts.c.tangential_restitution", "between -1 and 1");
    expect(with(Contact { friction: -0.3, ..c() }), "contacts.c.friction", "must be 0 or more");
    expect(with(Contact { friction: f64::NAN, ..c() }), "contacts.c.friction", "finite");
    let lines = Contact::between("ground.floor", "b.line");
    let change = |d: &mut Description| {
        d.bodies["b"].shapes.insert("line".into(), Shape::Line { through: [0.0; 2], normal: [1.0, 0.0] });
        d.contacts.insert("c".into(), lines);
    };
    expect(change, "contacts.c.between", "a contact of a line with a line is not possible; possible are");
    expect(touch(Contact::between("a.left", "b.right")), "contacts.c.between", "a point with a point");
}

#[test]
fn shapes() {
    let at = "bodies.a.shapes.s";
    let disk = Shape::Disk { center: [0.0; 2], radius: 0.0 };
    expect(shape(disk), &format!("{at}.radius"), "must be above 0");
    let line = Shape::Line { through: [0.0; 2], normal: [0.0; 2] };
    expect(shape(line), &format!("{at}.normal"), "no length");
    let flat = Shape::Rectangle { center: [0.0; 2], size: [1.0, -1.0] };
    expect(shape(flat), &format!("{at}.size"), "must be above 0");
    let polygon = |corners: &[[f64; 2]]| Shape::Polygon { corners: corners.to_vec() };
    expect(shape(polygon(&[[0.0, 0.0], [1.0, 0.0]])), &format!("{at}.corners"), "at least three");
    let clockwise = polygon(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]);
    expect(shape(clockwise), &format!("{at}.corners"), "reverse their order");
    let double = polygon(&[[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    expect(shape(double), &format!("{at}.corners"), "coincide");
    let path = |pieces: Vec<Piece>| Shape::Path { start: [0.0; 2], pieces };
    expect(shape(path(vec![])), &format!("{at}.pieces"), "no pieces");
    let arc = |end, center| Piece::ArcTo { end, center, counterclockwise: true };
    let off = path(vec![Piece::LineTo([1.0, 0.0]), arc([3.0, 0.1], [2.0, 0.0])]);
    expect(shape(off), &format!("{at}.pieces.1"), "both distances are equal");
    let centred = path(vec![arc([1.0, 0.0], [0.0, 0.0])]);
    expect(shape(centred), &format!("{at}.pieces.0"), "centre of the arc is one of its ends");
    let still = path(vec![Piece::LineTo([0.0, 0.0])]);
    expect(shape(still), &format!("{at}.pieces.0"), "no length");
    let capsule = |to, radius| Shape::Capsule { from: [1.0, 0.0], to, radius };
    expect(shape(capsule([1.0, 0.0], 0.1)), at, "use a disk");
    expect(shape(capsule([2.0, 0.0], 0.0)), &format!("{at}.radius"), "must be above 0");
}

#[test]
fn splines() {
    let at = "bodies.a.shapes.s";
    let through = |points: &[[f64; 2]]| Through::Points(points.to_vec());
    let piece = |through| shape(Shape::Path { start: [0.0; 2], pieces: vec![Piece::SplineThrough(through)] });
    let on_path = format!("{at}.pieces.0.spline-through");
    expect(piece(through(&[])), &on_path, "no points");
    expect(piece(through(&[[1.0, 0.0]])), &on_path, "use `line-to`");
    expect(piece(through(&[[1.0, 0.0], [f64::NAN, 0.0]])), &format!("{on_path}.1"), "point of the spline");
    let twice = through(&[[1.0, 0.0], [2.0, 1.0], [2.0, 1.0], [3.0, 0.0]]);
    expect(piece(twice), &on_path, "points 2 and 3 of the spline coincide");

    let closed = |through, hole| shape(Shape::Spline { through, hole });
    let on_shape = format!("{at}.through");
    expect(closed(through(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), false), &on_shape, "at least three points");
    let line = through(&[[0.0, 0.0], [1.0, 0.5], [2.0, 1.0]]);
    expect(closed(line, true), &on_shape, "on a line");
    let twice = through(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    expect(closed(twice, false), &on_shape, "coincide");

    let table = |points: &[[f64; 2]]| PointTable { points: Some(points.to_vec()), ..PointTable::default() };
    let round = |table| closed(Through::Table(table), false);
    expect(round(PointTable::default()), &on_shape, "no rows");
    let unread = PointTable { file: Some("cam.csv".into()), ..PointTable::default() };
    expect(round(unread.clone()), &on_shape, "`cam.csv` was not read; load the model from its file");
    let both = PointTable { points: Some(vec![]), ..unread };
    expect(round(both), &on_shape, "both `file` and `points`");
    let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let ended = PointTable { start_direction: Some([1.0, 0.0]), ..table(&triangle) };
    expect(round(ended), &on_shape, "no ends");
    expect(round(PointTable { reverse: true, ..table(&triangle) }), &on_shape, "`hole = true`");
    let still = PointTable { end_direction: Some([0.0, 0.0]), ..table(&[[1.0, 0.0]]) };
    expect(piece(Through::Table(still)), &format!("{on_path}.end_direction"), "no length");
    let back = PointTable {
        start_direction: Some([-1.0, 0.0]),
        end_direction: Some([-1.0, 0.0]),
        ..table(&[[1.0, 0.0]])
    };
    expect(piece(Through::Table(back)), &on_path, "folds back between the start and point 1");
}

#[test]
fn polar_tables() {
    let at = "bodies.a.shapes.s.through";
    let cam = |unit, rows: &[[f64; 2]]| {
        let table = PointTable { points: Some(rows.to_vec()), polar: Some(unit), ..PointTable::default() };
        shape(Shape::Spline { through: Through::Table(table), hole: false })
    };
    use AngleUnit::{Degrees, Radians};
    let steps = |n: usize, step: f64| (0..n).map(|i| [step * i as f64, 1.0]).collect::<Vec<_>>();
    expect(cam(Radians, &steps(12, 30.0)), at, "more than a full turn of 6.28");
    expect(cam(Radians, &steps(12, 30.0)), at, "say `polar = \"degrees\"`");
    expect(cam(Degrees, &steps(7, 30.0)), at, "goes over 180 of a full turn of 360");
    expect(cam(Degrees, &steps(7, 1.0)), at, "say `polar = \"radians\"`");
    expect(cam(Degrees, &[[0.0, 1.0], [120.0, 1.0], [90.0, 1.0], [240.0, 1.0]]), at, "turn round at row 2");
    expect(cam(Degrees, &[[0.0, 1.0], [120.0, -1.0], [240.0, 1.0]]), &format!("{at}.points.1"), "radius -1");
}

#[test]
fn a_disk_too_large_for_its_groove() {
    let change = |d: &mut Description| {
        let arc = Piece::ArcTo { end: [1.0, -4.0], center: [0.0, -4.0], counterclockwise: true };
        d.ground.shapes.insert("groove".into(), Shape::Path { start: [-1.0, -4.0], pieces: vec![arc] });
        d.bodies["a"].shapes.insert("disk".into(), Shape::Disk { center: [0.0; 2], radius: 1.5 });
        d.contacts.insert("c".into(), Contact::between("a.disk", "ground.groove"));
    };
    expect(change, "contacts.c.between", "does not fit");
}

#[test]
fn joints() {
    let revolute = |change: fn(&mut Joint)| {
        let mut joint = Joint::revolute("a.left", "b.left");
        change(&mut joint);
        join("j", joint)
    };
    let clearance = revolute(|j| {
        if let Joint::Revolute(Revolute { clearance, .. }) = j {
            *clearance = Some(0.0);
        }
    });
    expect(clearance, "joints.j.clearance", "must be above 0");
    let no_pin = revolute(|j| {
        if let Joint::Revolute(Revolute { friction, .. }) = j {
            *friction = 0.1;
        }
    });
    expect(no_pin, "joints.j.friction", "`pin_radius` is missing");
    let rebound = revolute(|j| {
        if let Joint::Revolute(Revolute { restitution, .. }) = j {
            *restitution = 0.1;
        }
    });
    expect(rebound, "joints.j.restitution", "give `clearance` too");
    let mut guide = Joint::prismatic("ground.rail", "a");
    if let Joint::Prismatic(Prismatic { clearance, .. }) = &mut guide {
        *clearance = Some(0.1);
    }
    expect(join("j", guide), "joints.j.clearance", "`size` is missing");
    expect(join("j", Joint::prismatic("p", "a")), "joints.j.between.0", "`p` is a point mass");
    expect(join("j", Joint::motion("ground", Coordinate::X, "t")), "joints.j.of", "does not move");
    expect(join("j", Joint::motion("p", Coordinate::Angle, "t")), "joints.j.of", "has no angle");
    expect(join("j", Joint::motion("a", Coordinate::X, "sin(")), "joints.j.function", "column 5");
    expect(join("j", Joint::motion("a", Coordinate::X, "w*t")), "joints.j.function", "`w` is not known");
    expect(join("j", Joint::motion("a", Coordinate::X, "1/t")), "joints.j.function", "finite");
    let distance = |a: &str, b: &str, length| Joint::Distance(Distance { between: between(a, b), length });
    expect(join("j", distance("a", "b", Some(0.0))), "joints.j.length", "must be above 0");
    let gear = Joint::Gear(Gear { between: between("a", "p"), ratio: 2.0 });
    expect(join("j", gear), "joints.j.between.1", "give `p` an `inertia`");
    let gear = Joint::Gear(Gear { between: between("a", "b"), ratio: 0.0 });
    expect(join("j", gear), "joints.j.ratio", "above 0");
    let rack = |axis, radius| Joint::Rack(Rack { between: between("a", "b"), axis, radius });
    expect(join("j", rack([0.0; 2], 1.0)), "joints.j.axis", "no length");
    expect(join("j", rack([1.0, 0.0], -1.0)), "joints.j.radius", "above 0");
    let coincide = |d: &mut Description| {
        d.bodies["p"].position = [0.3, -0.2];
        d.joints.insert("j".into(), distance("ground.anchor", "p", None));
    };
    expect(coincide, "joints.j.between", "use a revolute joint");
}

#[test]
fn forces() {
    let spring =
        |k, c, length| Force::Spring(Spring { between: between("a", "b"), stiffness: k, damping: c, length });
    expect(act("f", spring(-1.0, 0.0, None)), "forces.f.stiffness", "must be 0 or more");
    expect(act("f", spring(1.0, -1.0, None)), "forces.f.damping", "must be 0 or more");
    expect(act("f", spring(1.0, 0.0, Some(-1.0))), "forces.f.length", "must be 0 or more");
    let formula = |text: &str| Expression::Formula(text.into());
    let pull = |on: &str, x: &str| {
        Force::Force(AppliedForce {
            on: on.into(),
            force: [formula(x), Expression::Constant(0.0)],
            follows: false,
        })
    };
    expect(act("f", pull("ground", "1")), "forces.f.on", "does not move");
    expect(act("f", pull("a", "2*")), "forces.f.force.0", "ends too early");
    let twist = |on: &str, against: Option<&str>| {
        Force::Torque(Torque {
            on: on.into(),
            against: against.map(Into::into),
            torque: Expression::Constant(1.0),
        })
    };
    expect(act("f", twist("p", None)), "forces.f.on", "is a point mass");
    expect(act("f", twist("a", Some("c"))), "forces.f.against", "no body `c`");
    expect(act("f", twist("a", Some("a"))), "forces.f.on", "both ends are on `a`");
    let coincide = |d: &mut Description| {
        d.bodies["p"].position = d.bodies["a"].position;
        let between = between("a", "p");
        d.forces.insert(
            "f".into(),
            Force::Spring(Spring { between, stiffness: 1.0, damping: 0.0, length: Some(0.5) }),
        );
    };
    expect(coincide, "forces.f.between", "coincide");
}

#[test]
fn limits() {
    let pivot = |limits: [f64; 2]| {
        let between = between("ground", "a");
        Joint::Revolute(Revolute { between, limits: Some(limits), ..Revolute::default() })
    };
    expect(join("j", pivot([1.0, 1.0])), "joints.j.limits", "1 rad is not below the upper limit 1 rad");
    expect(join("j", pivot([f64::NAN, 1.0])), "joints.j.limits", "not a finite number");
    let elastic = Joint::Revolute(Revolute { limit_restitution: 1.5, ..revolute_of(&pivot([0.0, 1.0])) });
    expect(join("j", elastic), "joints.j.limit_restitution", "1.5");
    let free =
        Joint::Revolute(Revolute { limit_restitution: 0.5, limits: None, ..revolute_of(&pivot([0.0, 1.0])) });
    expect(join("j", free), "joints.j.limit_restitution", "no effect");
    let point = Joint::Revolute(Revolute { between: between("p", "a"), ..revolute_of(&pivot([0.0, 1.0])) });
    expect(join("j", point), "joints.j", "no angle");
    // the joint is at the angle of the body
    let outside = |d: &mut Description| {
        d.bodies["a"].angle = 0.5;
        d.bodies["a"].position = [0.0; 2];
        d.joints.insert("j".into(), pivot([-0.25, 0.25]));
    };
    let e = expect(outside, "joints.j.limits", "0.5 rad at the start, beyond `j.upper` at 0.25 rad");
    assert!(e.remedy().contains("upper limit be at 0.5 rad"), "{}", e.remedy());
}

fn revolute_of(joint: &Joint) -> Revolute {
    let Joint::Revolute(revolute) = joint else { panic!("{joint:?}") };
    revolute.clone()
}

#[test]
fn penetration_at_the_start() {
    let sink = |by: f64| {
        move |d: &mut Description| {
            d.bodies["p"].position[1] = -5.0 - by;
            d.contacts.insert("c".into(), Contact::between("p", "ground.floor"));
        }
    };
    let e = expect(sink(1e-3), "contacts.c", "penetrated by 1.0");
    assert!(matches!(e.problem, Problem::Penetration { depth, .. } if (depth - 1e-3).abs() < 1e-12));
    // Touching up to round-off is no penetration.
    let mut d = base();
    sink(1e-12)(&mut d);
    assert!(Model::new(&d).is_ok());
}

#[test]
fn all_errors_are_told_at_once() {
    let mut d = base();
    d.bodies["a"].mass = -1.0;
    d.simulation.step = 0.0;
    d.contacts.insert("c".into(), Contact { friction: -1.0, ..Contact::between("p", "ground.floor") });
    assert_eq!(Model::build(&d).unwrap_err().len(), 3);
}
