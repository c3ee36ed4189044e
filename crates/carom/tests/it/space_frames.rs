//! Nothing depends on the frame: a world turned and shifted as a whole moves alike, and the axes of a body are anybody's
//! choice. For every joint, every force and contacts with friction, by schemes that step and schemes that find events.

#![allow(non_snake_case)]

use crate::space::{last, read, run};
use carom::Recording;
use carom::description::Expression;
use carom::description::space::{Description, Force, Point, Rotation, Shape};
use carom_dynamics::rotation::{Quaternion, exp, product, turn, turn_back};

pub(crate) const UNTURNED: Quaternion = [1.0, 0.0, 0.0, 0.0];

fn quaternion(rotation: Option<&Rotation>) -> Quaternion {
    rotation.map_or(UNTURNED, |rotation| rotation.quaternion().unwrap())
}

/// A function of places and one of directions: what a change of frame does.
struct Change<'a> {
    place: &'a dyn Fn([f64; 3]) -> [f64; 3],
    direction: &'a dyn Fn([f64; 3]) -> [f64; 3],
    orientation: &'a dyn Fn(Option<&Rotation>) -> Rotation,
}

impl Change<'_> {
    fn point(&self, point: &mut Point) {
        match point {
            Point::At(at) => *at = (self.place)(*at),
            Point::Frame { at, axis, x, rotation } => {
                *at = (self.place)(*at);
                *axis = axis.map(self.direction);
                *x = x.map(self.direction);
                if rotation.is_some() {
                    *rotation = Some((self.orientation)(rotation.as_ref()));
                }
            }
        }
    }

    fn shape(&self, shape: &mut Shape) {
        match shape {
            Shape::Sphere { center, .. } => *center = (self.place)(*center),
            Shape::Plane { through, normal } => {
                *through = (self.place)(*through);
                *normal = (self.direction)(*normal);
            }
            Shape::Box { center, rotation, .. } => {
                *center = (self.place)(*center);
                *rotation = Some((self.orientation)(rotation.as_ref()));
            }
            Shape::Cylinder { center, axis, .. } | Shape::Ring { center, axis, .. } => {
                *center = (self.place)(*center);
                *axis = (self.direction)(*axis);
            }
            Shape::Capsule { from, to, .. } => {
                *from = (self.place)(*from);
                *to = (self.place)(*to);
            }
        }
    }
}

/// The components of a load, numbers or formulas.
fn turned(load: &mut [Expression; 3], direction: &dyn Fn([f64; 3]) -> [f64; 3]) {
    let old = load.each_ref().map(|e| match e {
        Expression::Constant(value) => format!("({value:e})"),
        Expression::Formula(text) => format!("({})", text.trim_start_matches('=')),
    });
    let columns = [0, 1, 2].map(|k| direction([0, 1, 2].map(|i| f64::from(u8::from(i == k)))));
    *load = [0, 1, 2].map(|i| {
        let terms: Vec<String> = (0..3).map(|k| format!("({:e})*{}", columns[k][i], old[k])).collect();
        Expression::Formula(terms.join(" + "))
    });
}

/// The whole world turned by p, then shifted.
pub(crate) fn world_moved(description: &Description, p: Quaternion, shift: [f64; 3]) -> Description {
    let mut d = description.clone();
    let place = |at: [f64; 3]| {
        let r = turn(p, at);
        [0, 1, 2].map(|i| r[i] + shift[i])
    };
    let direction = |a: [f64; 3]| turn(p, a);
    let orientation = |rotation: Option<&Rotation>| Rotation::of_quaternion(product(p, quaternion(rotation)));
    let change = Change { place: &place, direction: &direction, orientation: &orientation };
    d.gravity = turn(p, d.gravity);
    d.ground.points.values_mut().for_each(|point| change.point(point));
    d.ground.shapes.values_mut().for_each(|shape| change.shape(shape));
    for body in d.bodies.values_mut() {
        body.position = place(body.position);
        body.velocity = turn(p, body.velocity);
        body.rotation = Some(orientation(body.rotation.as_ref()));
    }
    for force in d.forces.values_mut() {
        match force {
            Force::Force(applied) if !applied.follows => turned(&mut applied.force, &direction),
            Force::Torque(applied) if !applied.follows => turned(&mut applied.torque, &direction),
            _ => {}
        }
    }
    d
}

/// The axes of every body turned inside it by s.
pub(crate) fn bodies_reframed(description: &Description, s: Quaternion) -> Description {
    let mut d = description.clone();
    let direction = |a: [f64; 3]| turn_back(s, a);
    let orientation = |rotation: Option<&Rotation>| {
        let back = [s[0], -s[1], -s[2], -s[3]];
        Rotation::of_quaternion(product(back, quaternion(rotation)))
    };
    let change = Change { place: &direction, direction: &direction, orientation: &orientation };
    for body in d.bodies.values_mut().filter(|body| body.turns()) {
        body.rotation = Some(Rotation::of_quaternion(product(quaternion(body.rotation.as_ref()), s)));
        body.angular_velocity = direction(body.angular_velocity);
        body.points.values_mut().for_each(|point| change.point(point));
        body.shapes.values_mut().for_each(|shape| change.shape(shape));
        if let Some(J) = &mut body.inertia {
            let six = |k: usize| J.get(k).copied().unwrap_or(0.0);
            let old = [[six(0), six(3), six(4)], [six(3), six(1), six(5)], [six(4), six(5), six(2)]];
            // Sᵀ J S by its columns
            let axis = |k: usize| turn(s, std::array::from_fn(|i| f64::from(u8::from(i == k))));
            let times = |a: [f64; 3]| old.map(|row| row[0] * a[0] + row[1] * a[1] + row[2] * a[2]);
            let entry = |i: usize, j: usize| {
                let (a, b) = (axis(i), times(axis(j)));
                a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            };
            *J = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(i, j)| entry(i, j)).to_vec();
        }
    }
    for force in d.forces.values_mut() {
        match force {
            Force::Force(applied) if applied.follows => turned(&mut applied.force, &direction),
            Force::Torque(applied) if applied.follows => turned(&mut applied.torque, &direction),
            _ => {}
        }
    }
    d
}

pub(crate) fn vector(recording: &Recording, body: &str, names: [&str; 3]) -> [f64; 3] {
    names.map(|name| last(recording, &format!("{body}.{name}")))
}

/// Angular velocity in inertial axes.
pub(crate) fn spin(recording: &Recording, body: &str) -> [f64; 3] {
    let p = ["qw", "qx", "qy", "qz"].map(|name| last(recording, &format!("{body}.{name}")));
    turn(p, vector(recording, body, ["wx", "wy", "wz"]))
}

/// Runs a model, the same turned, and the same with other axes of its bodies.
fn same_in_any_frame(text: &str, what: &str, schemes: &[&str], end: f64, tolerance: f64) {
    let (p, shift, s) = (exp([0.4, -0.9, 0.7]), [0.3, -0.2, 0.5], exp([-0.8, 0.5, 1.1]));
    let straight = read(text);
    let worlds =
        [(world_moved(&straight, p, shift), p, shift), (bodies_reframed(&straight, s), UNTURNED, [0.0; 3])];
    for scheme in schemes {
        let one = run(&straight, scheme, 1e-3, end);
        let start = straight.bodies.values().next().unwrap().position;
        let first = straight.bodies.keys().next().unwrap();
        let way = vector(&one, first, ["x", "y", "z"]);
        assert!((0..3).any(|i| (way[i] - start[i]).abs() > 1e-4), "{what}: it moves");
        for (k, (other, p, shift)) in worlds.iter().enumerate() {
            let two = run(other, scheme, 1e-3, end);
            for (body, described) in &straight.bodies {
                let (a, b) = (vector(&one, body, ["x", "y", "z"]), vector(&two, body, ["x", "y", "z"]));
                let a = turn(*p, a);
                let off = (0..3).map(|i| (b[i] - a[i] - shift[i]).abs()).fold(0.0, f64::max);
                assert!(off < tolerance, "{what} by {scheme}, world {k}, place of {body}: {off:e}");
                if described.turns() {
                    let (a, b) = (turn(*p, spin(&one, body)), spin(&two, body));
                    let fast = 1.0 + a.iter().map(|a| a.abs()).fold(0.0, f64::max);
                    let off = (0..3).map(|i| (b[i] - a[i]).abs()).fold(0.0, f64::max) / fast;
                    assert!(off < 1e3 * tolerance, "{what} by {scheme}, world {k}, spin of {body}: {off:e}");
                }
            }
        }
    }
}

/// An arm on a tilted hinge, a leg on the arm by some joint.
fn arm_and_leg(joint: &str, more: &str) -> String {
    format!(
        r#"
        gravity = [1, 2, -9]
        [ground.points]
        hinge = {{ at = [0, 0, 1], axis = [0.3, 1, 0.2] }}
        far = [0.5, 1, 0.3]
        rail = {{ at = [0.3, 0.4, 0.5], axis = [0, 0.2, 1], x = [1, 0.1, 0] }}
        [bodies.arm]
        mass = 2
        inertia = [0.05, 0.06, 0.03, 0.002, -0.001, 0.003]
        position = [0, 0, 0.75]
        rotation = {{ axis = [1, 2, 3], angle = 0.2 }}
        points.top = {{ at = [0, 0, 0.25], axis = [0.3, 1, 0.2] }}
        points.tip = {{ at = [0.05, 0, -0.25], axis = [1, 0.4, 0.1], x = [0, 1, 0.2] }}
        [bodies.leg]
        mass = 1
        inertia = [0.02, 0.03, 0.02, 0.001, 0.002, -0.001]
        position = [0, 0, 0.3]
        points.top = [0, 0.02, 0.2]
        points.foot = [0.1, 0, -0.2]
        [joints.shoulder]
        type = "revolute"
        between = ["ground.hinge", "arm.top"]
        {joint}
        {more}"#
    )
}

const JOINTED: [&str; 4] = ["moreau-jean", "generalized-alpha", "hem5", "dopri5"];

#[test]
fn joints_know_no_frame() {
    let between = r#"between = ["arm.tip", "leg.top"]"#;
    for (kind, keys) in [
        ("weld", ""),
        ("revolute", ""),
        ("prismatic", ""),
        ("cylindrical", ""),
        ("screw", "pitch = 0.2"),
        ("universal", ""),
        ("constant-velocity", ""),
        ("spherical", ""),
        ("planar", ""),
        ("point-on-line", ""),
        ("point-on-plane", ""),
        (
            "point-on-curve",
            "curve = { type = \"spline\", through = [[-0.6, 0, 0], [0, 0, 0], [0.6, 0.1, 0.2], [1.2, 0.3, 0]] }",
        ),
        ("distance", "length = 0.3"),
    ] {
        let joint = format!("[joints.elbow]\ntype = \"{kind}\"\n{between}\n{keys}");
        same_in_any_frame(&arm_and_leg(&joint, ""), kind, &JOINTED, 0.15, 1e-10);
    }
}

#[test]
fn couplings_and_drives_know_no_frame() {
    let elbow = "[joints.elbow]\ntype = \"revolute\"\nbetween = [\"arm.tip\", \"leg.top\"]";
    let slide = "[joints.elbow]\ntype = \"prismatic\"\nbetween = [\"arm.tip\", \"leg.top\"]";
    for (joint, more) in [
        (elbow, "[joints.pair]\ntype = \"gear\"\njoints = [\"shoulder\", \"elbow\"]\nratio = 1.5"),
        (slide, "[joints.pair]\ntype = \"rack\"\nwheel = \"shoulder\"\nrack = \"elbow\"\nradius = 0.1"),
        (
            elbow,
            "[joints.drive]\ntype = \"motion\"\nof = \"elbow\"\ncoordinate = \"angle\"\nfunction = \"3*t^2\"",
        ),
        (
            slide,
            "[joints.drive]\ntype = \"motion\"\nof = \"elbow\"\ncoordinate = \"position\"\nfunction = \"t^2\"",
        ),
    ] {
        same_in_any_frame(&arm_and_leg(joint, more), more, &JOINTED, 0.15, 1e-10);
    }
}

#[test]
fn forces_know_no_frame() {
    let elbow = "[joints.elbow]\ntype = \"revolute\"\nbetween = [\"arm.tip\", \"leg.top\"]";
    for force in [
        "type = \"spring\"\nbetween = [\"leg.foot\", \"ground.far\"]\nstiffness = 50\ndamping = 1\nlength = 0.4",
        "type = \"force\"\non = \"leg.foot\"\nforce = [3, -4, 5]",
        "type = \"force\"\non = \"leg.foot\"\nforce = [3, -4, 5]\nfollows = true",
        "type = \"torque\"\non = \"leg\"\ntorque = [0.3, -0.4, 0.5]",
        "type = \"torque\"\non = \"leg\"\nagainst = \"arm\"\ntorque = [0.3, -0.4, 0.5]\nfollows = true",
        "type = \"torsion-spring\"\njoint = \"elbow\"\nstiffness = 2\ndamping = 0.1\nangle = 0.5",
        "type = \"motor\"\njoint = \"elbow\"\ntorque = \"0.5*sin(20*t)\"",
        "type = \"bushing\"\nbetween = [\"ground.rail\", \"leg.foot\"]\nstiffness = [90, 50, 60, 2, 3, 4]\ndamping = [1, 2, 1, 0.1, 0.1, 0.2]",
    ] {
        let more = format!("[forces.load]\n{force}");
        let schemes = ["moreau-jean", "generalized-alpha", "bathe", "dopri5"];
        same_in_any_frame(&arm_and_leg(elbow, &more), force, &schemes, 0.15, 1e-10);
    }
}

/// Two bodies over a floor that leans, thrown at each other.
fn thrown(first: &str, second: &str, law: &str) -> String {
    format!(
        r#"
        gravity = [1, 2, -9]
        [ground.shapes]
        floor = {{ type = "plane", through = [0, 0, 0], normal = [0.1, -0.1, 1] }}
        [bodies.one]
        mass = 1
        inertia = [0.004, 0.005, 0.006, 0.0002, 0.0003, -0.0001]
        position = [0, 0, 0.22]
        rotation = {{ axis = [1, 2, 3], angle = 0.4 }}
        velocity = [1.5, 0.5, -2]
        angular_velocity = [3, -2, 5]
        shapes.skin = {first}
        [bodies.two]
        mass = 2
        inertia = [0.01, 0.01, 0.012]
        position = [0.45, 0.15, 0.3]
        velocity = [-1.5, 0, -1]
        angular_velocity = [-1, 2, 3]
        shapes.skin = {second}
        [contacts.meet]
        between = ["one.skin", "two.skin"]
        {law}
        [contacts.floor]
        between = ["one.skin", "ground.floor"]
        {law}
        [contacts.other]
        between = ["two.skin", "ground.floor"]
        {law}"#
    )
}

const SPHERE: &str = "{ type = \"sphere\", radius = 0.1, center = [0.02, 0, 0.01] }";
const CAPSULE: &str = "{ type = \"capsule\", from = [0, 0, -0.1], to = [0.02, 0, 0.1], radius = 0.06 }";
const BLOCK: &str =
    "{ type = \"box\", size = [0.2, 0.15, 0.1], rotation = { axis = [0, 1, 0], angle = 0.3 } }";
const CYLINDER: &str = "{ type = \"cylinder\", radius = 0.1, length = 0.08, axis = [0, 1, 1] }";
const RING: &str = "{ type = \"ring\", circle = 0.09, radius = 0.03, axis = [1, 1, 0] }";

#[test]
fn contacts_with_friction_know_no_frame() {
    let law = "friction = 0.3\nrestitution = 0.4";
    for (first, second) in [
        (SPHERE, SPHERE),
        (SPHERE, CAPSULE),
        (SPHERE, BLOCK),
        (SPHERE, CYLINDER),
        (RING, SPHERE),
        (CAPSULE, CAPSULE),
        (CAPSULE, BLOCK),
        (BLOCK, BLOCK),
    ] {
        let what = format!("{first} on {second}");
        same_in_any_frame(
            &thrown(first, second, law),
            &what,
            &["moreau-jean", "generalized-alpha"],
            0.15,
            1e-10,
        );
    }
}

/// Resistance and tangential restitution.
#[test]
fn laws_of_contact_know_no_frame() {
    for law in [
        "friction = 0.3\nrestitution = 0.4\ntangential_restitution = 0.2",
        "friction = 0.3\nrestitution = 0.4\nrolling = 0.001",
        "friction = 0.3\nrestitution = 0.4\ndrilling = 0.001",
        "friction = 0.3\nrestitution = 0.4\ntangential_restitution = 0.2\nrolling = 0.001",
    ] {
        let schemes = ["moreau-jean", "half-explicit"];
        same_in_any_frame(&thrown(SPHERE, SPHERE, law), law, &schemes, 0.15, 1e-10);
    }
}

#[test]
fn contacts_found_by_events_know_no_frame() {
    let smooth = "restitution = 0.6";
    for (first, second) in [(SPHERE, SPHERE), (SPHERE, CAPSULE), (SPHERE, BLOCK), (CAPSULE, CAPSULE)] {
        let what = format!("{first} on {second}");
        same_in_any_frame(&thrown(first, second, smooth), &what, &["dopri5", "hem5"], 0.15, 1e-9);
    }
    same_in_any_frame(&thrown(SPHERE, SPHERE, "friction = 0.3"), "hybrid", &["hybrid"], 0.15, 1e-9);
}

/// A ball in a bowl and one in a tube.
#[test]
fn holes_know_no_frame() {
    let text = |hole: &str| {
        format!(
            r#"
        gravity = [1, 2, -9]
        [ground.shapes]
        bowl = {hole}
        [bodies.ball]
        mass = 1
        inertia = [0.004, 0.005, 0.006, 0.0002, 0.0003, -0.0001]
        velocity = [1.5, 0.5, -2]
        angular_velocity = [3, -2, 5]
        shapes.skin = {{ type = "sphere", radius = 0.1 }}
        [contacts.inside]
        between = ["ball.skin", "ground.bowl"]
        friction = 0.2
        restitution = 0.5"#
        )
    };
    let bowl = "{ type = \"sphere\", radius = 0.3, hole = true }";
    let tube = "{ type = \"cylinder\", radius = 0.3, length = 4, axis = [0.2, 1, 0.3], hole = true }";
    for hole in [bowl, tube] {
        same_in_any_frame(&text(hole), hole, &["moreau-jean", "generalized-alpha"], 0.3, 1e-10);
    }
}
