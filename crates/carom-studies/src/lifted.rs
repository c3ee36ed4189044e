//! Does a mechanism of the plane move in space as it moves in the plane?
//!
//! ```text
//!   (x, y, φ)  ->  (x, y, 0) and a turn by φ about z,     J -> diag(J, J, J),     gravity (g_x, g_y, 0)
//!   joints between frames turned alike, ways along their z;     disk -> sphere, line -> plane, rectangle -> box
//! ```
//!
//! A planar description is rewritten as a spatial one ([`lift`]) and both are run with the same scheme and step. Nothing keeps the
//! bodies in their plane but their own equations. What cannot be rewritten is named with the reason. Two independent assemblies
//! of the same mechanics are compared, not the mechanics with a closed form: that is what the facts of the gallery do.

use crate::report::StudyReport;
use crate::running::{Method, watch};
use carom_model::description::space;
use carom_model::description::{self as plane, Expression};
use carom_model::{AnyDescription, AnyModel, Description, ModelError};
use indexmap::IndexMap;

/// Models of the gallery in the plane.
macro_rules! models {
    ($($name:literal)*) => { [$(($name, carom_gallery::model($name))),*] };
}
const MODELS: [(&str, &str); 39] = models! {
    "ball" "ball-in-box" "bar" "bar-steel" "belt" "block-constrained" "block-jump" "block-path" "cam-flat-follower" "crank-slider-flex"
    "crank-slider-rigid" "disks" "dominoes" "door-stop" "eccentric-beam" "four-bar" "four-bar-clearance" "gear-rack" "gear-rattle" "gearbox" "gears-1" "gears-2" "geneva-drive" "incline"
    "newtons-cradle" "oblique-disk" "oscillator" "parabola-plane" "pendulum-stop" "plane-parabola" "ratchet" "rotating-beam" "rotor-runup"
    "slider-crank" "slider-crank-ffr" "slider-crank-modal" "stacked-boxes" "three-balls" "woodpecker"
};

/// Schemes that both run with.
const METHODS: [Method; 2] = [
    Method { label: "moreau-jean", scheme: "moreau-jean", parameters: &[] },
    Method { label: "generalized-alpha", scheme: "generalized-alpha", parameters: &[] },
];
/// Steps over a run; the model's own end, if it is sooner.
const STEPS: usize = 1000;
/// What may be left of the difference (m, rad), relative to the size of the mechanism: round-off, and the tolerance of contact solves.
const SAME: f64 = 1e-10;

fn flat([x, y]: [f64; 2]) -> [f64; 3] {
    [x, y, 0.0]
}

/// A frame of the plane: turned by the angle about z.
fn frame(point: &plane::Point) -> Result<space::Point, String> {
    let at = flat(point.place().ok_or("a node of an elastic body")?);
    let rotation = Some(space::Rotation::about([0.0, 0.0, 1.0], point.angle()));
    Ok(space::Point::Frame { at, axis: None, x: None, rotation })
}

fn shape(shape: &plane::Shape) -> Result<space::Shape, String> {
    Ok(match shape {
        plane::Shape::Disk { center, radius } => {
            space::Shape::Sphere { center: flat(*center), radius: *radius, hole: false }
        }
        plane::Shape::Line { through, normal } => {
            space::Shape::Plane { through: flat(*through), normal: flat(*normal) }
        }
        plane::Shape::Rectangle { center, size: [a, b] } => {
            space::Shape::Box { center: flat(*center), size: [*a, *b, *b], rotation: None }
        }
        plane::Shape::Capsule { from, to, radius } => {
            space::Shape::Capsule { from: flat(*from), to: flat(*to), radius: *radius }
        }
        other => {
            let word = format!("{other:?}");
            let kind = word.split([' ', '{']).next().unwrap_or_default().to_lowercase();
            return Err(format!("a {kind} has no counterpart in space"));
        }
    })
}

/// What is put behind the name of a point that has its z along the x of the plane's: a way is x there and z here.
const WAY: &str = "-way";

/// A reference to a body alone is one to its origin.
fn with_point(reference: &str) -> String {
    if reference.contains('.') { reference.to_string() } else { format!("{reference}.origin") }
}

/// The frames along the ways of prismatic joints, as points of their own.
fn ways(description: &Description, out: &mut space::Description) -> Result<(), String> {
    for joint in description.joints.values() {
        let plane::Joint::Prismatic(joint) = joint else { continue };
        for (k, reference) in joint.between.iter().enumerate() {
            let full = with_point(reference);
            let (body, name) = full.split_once('.').ok_or("a point without a body")?;
            let known = match body {
                "ground" => description.ground.points.get(name),
                _ => description.bodies.get(body).and_then(|body| body.points.get(name)),
            };
            let origin = plane::Point::At([0.0; 2]);
            let point = known.unwrap_or(&origin);
            let (sin, cos) = point.angle().sin_cos();
            let at = flat(point.place().ok_or("a node of an elastic body")?);
            // the second takes the axes of the first: the angle between the two stays as it is at the start
            let way = match k {
                0 => space::Point::Frame {
                    at,
                    axis: Some([cos, sin, 0.0]),
                    x: Some([0.0, 0.0, 1.0]),
                    rotation: None,
                },
                _ => space::Point::At(at),
            };
            let points = match body {
                "ground" => &mut out.ground.points,
                _ => &mut out.bodies.get_mut(body).ok_or(format!("there is no body `{body}`"))?.points,
            };
            points.insert(format!("{name}{WAY}"), way);
        }
    }
    Ok(())
}

/// The joint of the plane that turns a body against the ground; a motion of the body's angle is one of this joint.
fn hinge_of(body: &str, description: &Description) -> Option<String> {
    let is = |reference: &String, name: &str| reference.split('.').next() == Some(name);
    description.joints.iter().find_map(|(name, joint)| match joint {
        plane::Joint::Revolute(j) if is(&j.between[0], "ground") && is(&j.between[1], body) => {
            Some(name.clone())
        }
        _ => None,
    })
}

#[allow(clippy::needless_update)] // joints in space may have more keys than their ends
fn joint(joint: &plane::Joint, whole: &Description) -> Result<space::Joint, String> {
    Ok(match joint {
        plane::Joint::Revolute(j) => {
            if j.clearance.is_some() || j.limits.is_some() || j.friction != 0.0 || j.friction_torque != 0.0 {
                return Err("a revolute joint with clearance, limits or friction".into());
            }
            space::Joint::Revolute(space::Revolute { between: j.between.clone(), ..Default::default() })
        }
        plane::Joint::Prismatic(j) => {
            if j.clearance.is_some() || j.limits.is_some() || j.friction != 0.0 || j.friction_force != 0.0 {
                return Err("a prismatic joint with clearance, limits or friction".into());
            }
            let between = j.between.each_ref().map(|reference| format!("{}{WAY}", with_point(reference)));
            space::Joint::Prismatic(space::Prismatic { between, ..Default::default() })
        }
        plane::Joint::Weld(j) => space::Joint::Weld(space::Weld { between: j.between.clone() }),
        plane::Joint::Distance(j) => {
            space::Joint::Distance(space::Distance { between: j.between.clone(), length: j.length })
        }
        plane::Joint::Motion(j) => {
            let (of, coordinate) = match j.coordinate {
                plane::Coordinate::X => (j.of.clone(), space::Coordinate::X),
                plane::Coordinate::Y => (j.of.clone(), space::Coordinate::Y),
                plane::Coordinate::Angle => {
                    let hinge = hinge_of(&j.of, whole)
                        .ok_or("a driven angle of a body that no hinge holds to the ground")?;
                    let start = whole.bodies.get(&j.of).map_or(0.0, |body| body.angle);
                    if start != 0.0 {
                        return Err(
                            "a driven angle that is counted from the axes of the ground, not from the start"
                                .into(),
                        );
                    }
                    (hinge, space::Coordinate::Angle)
                }
            };
            space::Joint::Motion(space::Motion { of, coordinate, function: j.function.clone() })
        }
        _ => return Err(format!("a joint of the kind `{}`", joint.kind())),
    })
}

fn force(force: &plane::Force) -> Result<space::Force, String> {
    Ok(match force {
        plane::Force::Spring(f) if f.force.is_none() => space::Force::Spring(space::Spring {
            between: f.between.clone(),
            stiffness: f.stiffness,
            damping: f.damping,
            length: f.length,
            ..Default::default()
        }),
        plane::Force::Force(f) => space::Force::Force(space::AppliedForce {
            on: f.on.clone(),
            force: [f.force[0].clone(), f.force[1].clone(), Expression::Constant(0.0)],
            follows: f.follows,
        }),
        plane::Force::Torque(f) => space::Force::Torque(space::Torque {
            on: f.on.clone(),
            against: f.against.clone(),
            torque: [Expression::Constant(0.0), Expression::Constant(0.0), f.torque.clone()],
            follows: false,
        }),
        _ => return Err(format!("a force of the kind `{}`", force.kind())),
    })
}

/// Points as they are, frames with them.
fn points<'a>(
    all: impl Iterator<Item = (&'a String, &'a plane::Point)>,
) -> Result<Vec<(String, space::Point)>, String> {
    all.map(|(name, point)| Ok((name.clone(), frame(point)?))).collect()
}

/// Shapes that touch something.
fn shapes<'a>(
    owner: &str,
    all: impl Iterator<Item = (&'a String, &'a plane::Shape)>,
    contacts: &[&plane::Contact],
) -> Result<Vec<(String, space::Shape)>, String> {
    let touches = |name: &String| {
        let full = format!("{owner}.{name}");
        contacts.iter().flat_map(|c| &c.between).any(|partner| *partner == full || partner == owner)
    };
    all.filter(|(name, _)| touches(name)).map(|(name, s)| Ok((name.clone(), shape(s)?))).collect()
}

/// The same mechanism in space, or what stands against it.
pub fn lift(description: &Description) -> Result<space::Description, String> {
    let contacts: Vec<&plane::Contact> = description.contacts.values().collect();
    if description.gears.values().any(|gear| gear.helix_angle != 0.0) {
        return Err("helical wheels, which in space push along their axes".into());
    }
    let mut out = space::Description {
        version: 1,
        title: description.title.clone(),
        space: true,
        gravity: flat(description.gravity),
        terms: description.terms.clone(),
        gears: description.gears.clone(),
        simulation: description.simulation.clone(),
        ..Default::default()
    };
    out.ground.points.extend(points(description.ground.points.iter())?);
    out.ground.shapes.extend(shapes("ground", description.ground.shapes.iter(), &contacts)?);
    for (name, body) in &description.bodies {
        if body.elastic.is_some() {
            return Err(format!("`{name}` is elastic"));
        }
        if body.density.is_some() {
            return Err(format!("`{name}` has its mass from an area"));
        }
        let mut lifted = space::Body {
            mass: body.mass,
            inertia: body.inertia.map(|J| vec![J; 3]),
            position: flat(body.position),
            velocity: flat(body.velocity),
            ..Default::default()
        };
        if body.inertia.is_some() {
            lifted.rotation = Some(space::Rotation::about([0.0, 0.0, 1.0], body.angle));
            lifted.angular_velocity = [0.0, 0.0, body.angular_velocity];
        }
        lifted.points.extend(points(body.points.iter())?);
        lifted.shapes.extend(shapes(name, body.shapes.iter(), &contacts)?);
        out.bodies.insert(name.clone(), lifted);
    }
    ways(description, &mut out)?;
    for (name, j) in &description.joints {
        out.joints.insert(name.clone(), joint(j, description)?);
    }
    for (name, f) in &description.forces {
        out.forces.insert(name.clone(), force(f)?);
    }
    for (name, c) in &description.contacts {
        let contact = space::Contact {
            between: c.between.clone(),
            restitution: Some(c.restitution),
            tangential_restitution: c.tangential_restitution,
            friction: Some(c.friction),
            ..space::Contact::default()
        };
        out.contacts.insert(name.clone(), contact);
    }
    Ok(out)
}

/// x, y and angle of every body after every step.
fn path(
    model: &AnyModel,
    turns: &[bool],
    in_space: bool,
    method: Method,
    dt: f64,
    end: f64,
) -> Result<Vec<Vec<f64>>, String> {
    let start = model.assemble().map_err(|e| e.to_string())?;
    let mut out = Vec::new();
    watch(model.system(), method, (&start.q, &start.v), dt, end, |state, _| {
        let mut at = 0;
        let mut row = Vec::new();
        for &turns in turns {
            let q = &state.q[at..];
            row.extend([q[0], q[1]]);
            if turns {
                row.push(if in_space { 2.0 * q[6].atan2(q[3]) } else { q[2] });
            }
            at += match (in_space, turns) {
                (false, false) => 2,
                (false, true) | (true, false) => 3,
                (true, true) => 7,
            };
        }
        out.push(row);
    })?;
    Ok(out)
}

/// How far two paths are apart, relative to the size of the mechanism; angles are compared up to whole turns.
fn apart(a: &[Vec<f64>], b: &[Vec<f64>], turns: &[bool]) -> f64 {
    let mut is_angle = Vec::new();
    turns.iter().for_each(|&turns| {
        is_angle.extend(if turns { vec![false, false, true] } else { vec![false, false] })
    });
    let size = a
        .iter()
        .flatten()
        .zip(is_angle.iter().cycle())
        .filter(|(_, angle)| !**angle)
        .fold(0.0_f64, |most, (x, _)| most.max(x.abs()));
    let one = |a: f64, b: f64, angle: bool| {
        if angle { (2.0 * (0.5 * (a - b)).sin()).abs() } else { (a - b).abs() / size.max(f64::MIN_POSITIVE) }
    };
    let rows = a.iter().zip(b);
    rows.flat_map(|(a, b)| a.iter().zip(b).zip(&is_angle))
        .fold(0.0, |most, ((a, b), angle)| most.max(one(*a, *b, *angle)))
}

fn said(errors: Vec<ModelError>) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}

/// The mechanism without contacts, and with exact joints in place of those with clearance, limits and friction.
fn bare(description: &Description) -> Description {
    let mut bare = Description { contacts: IndexMap::new(), ..description.clone() };
    for joint in bare.joints.values_mut() {
        match joint {
            plane::Joint::Revolute(j) => {
                *j = plane::Revolute { between: j.between.clone(), ..Default::default() };
            }
            plane::Joint::Prismatic(j) => {
                *j = plane::Prismatic { between: j.between.clone(), ..Default::default() };
            }
            _ => {}
        }
    }
    bare
}

fn compare(report: &mut StudyReport, name: &str, description: &Description) -> Result<(), String> {
    let lifted = lift(description)?;
    let flat_model = AnyDescription::Plane(description.clone()).build().map_err(said)?;
    let wide = AnyDescription::Space(lifted).build().map_err(said)?;
    let turns: Vec<bool> = description.bodies.values().map(|body| body.inertia.is_some()).collect();
    let dt = description.simulation.step;
    let end = description.simulation.end.min(STEPS as f64 * dt);
    for method in METHODS {
        let one = path(&flat_model, &turns, false, method, dt, end)?;
        let other = path(&wide, &turns, true, method, dt, end)?;
        let off = apart(&one, &other, &turns);
        report.compare(
            format!("{name}, {}: greatest difference over {} steps", method.label, one.len() - 1),
            "0 (the same mechanics)",
            format!("{off:.1e}"),
            one.len() == other.len() && off <= SAME,
            "the motion in space is another one",
        );
    }
    Ok(())
}

fn examine(report: &mut StudyReport, name: &str, text: &str) {
    let first = |why: String| why.lines().next().unwrap_or_default().to_string();
    let loaded = match carom_io::load_text(name, text, &[]) {
        Ok(loaded) => loaded,
        Err(why) => return report.fact(format!("{name}: not lifted"), first(why.to_string())),
    };
    let Some(description) = loaded.description.plane() else { return };
    if let Err(why) = compare(report, name, description) {
        report.fact(format!("{name}: not lifted"), first(why));
        // without what stands against it
        let bare = bare(description);
        let label = format!("{name} without contacts and clearance");
        if bare != *description
            && lift(&bare).is_ok()
            && let Err(why) = compare(report, &label, &bare)
        {
            report.fact(format!("{label}: not lifted"), first(why));
        }
    }
}

/// Runs the study.
pub fn run(progress: &mut dyn FnMut(f64)) -> StudyReport {
    let mut report = StudyReport::default();
    for (i, (name, text)) in MODELS.iter().enumerate() {
        examine(&mut report, name, text);
        progress((i + 1) as f64 / MODELS.len() as f64);
    }
    report.note("Both sides are Carom: two assemblies of one mechanics. Nothing but their equations keeps the bodies in the plane.");
    report.note(format!("The step is that of the model, over {STEPS} steps at most."));
    report
}
