//! Checks of numbers, names and shapes, before anything is built.

pub(crate) mod space;
mod spline;

use crate::description::{Body, Expression, Piece, Point, Record, Shape, Simulation, Start};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{V2, cross, norm, sub};
use carom_dynamics::Value;

pub(crate) type Check = Result<(), ModelError>;

/// How far the end of an arc may be off its circle, relative to the radius: numbers typed with six digits pass.
const ON_CIRCLE: f64 = 1e-6;

/// Sine of the bend below which a parabola is a straight line: numbers typed with nine digits are off it by more.
const STRAIGHT: f64 = 1e-9;

/// A number, its name in messages, and its place.
pub(crate) struct Number<'a> {
    pub value: f64,
    pub quantity: &'static str,
    pub path: &'a [&'a str],
}

impl Number<'_> {
    fn fail(&self, problem: Problem) -> Check {
        Err(ModelError::new(self.path, problem))
    }

    pub fn finite(&self) -> Check {
        let Self { value, quantity, .. } = *self;
        if value.is_finite() { Ok(()) } else { self.fail(Problem::NotFinite { quantity, value }) }
    }

    pub fn positive(&self) -> Check {
        self.finite()?;
        let Self { value, quantity, .. } = *self;
        if value > 0.0 { Ok(()) } else { self.fail(Problem::NotPositive { quantity, value }) }
    }

    pub fn not_negative(&self) -> Check {
        self.finite()?;
        let Self { value, quantity, .. } = *self;
        if value >= 0.0 { Ok(()) } else { self.fail(Problem::Negative { quantity, value }) }
    }

    pub fn within(&self, low: f64, high: f64) -> Check {
        self.finite()?;
        let Self { value, quantity, .. } = *self;
        if (low..=high).contains(&value) {
            Ok(())
        } else {
            self.fail(Problem::OutOfRange { quantity, value, low, high })
        }
    }
}

pub(crate) fn number<'a>(value: f64, quantity: &'static str, path: &'a [&'a str]) -> Number<'a> {
    Number { value, quantity, path }
}

pub(crate) fn finite_all(numbers: &[f64], quantity: &'static str, path: &[&str]) -> Check {
    numbers.iter().try_for_each(|&value| number(value, quantity, path).finite())
}

pub(crate) fn finite_pair(pair: V2, quantity: &'static str, path: &[&str]) -> Check {
    finite_all(&pair, quantity, path)
}

/// A shape that cannot be: what is wrong, and what would be right.
pub(crate) fn bad(path: &[&str], message: &str, remedy: &str) -> Check {
    Err(ModelError::new(path, Problem::BadShape { message: message.into(), remedy: remedy.into() }))
}

/// Names that nothing else may have: `ground` is a body, `energy` heads the energy channels.
const RESERVED: [&str; 2] = ["ground", "energy"];
/// Names that points of bodies, which have channels of their own, may not have: they head channels for drawing.
const DRAWN: [&str; 2] = ["shape", "touch"];

fn name(name: &str, path: &[&str]) -> Check {
    if name.trim().is_empty() {
        return Err(ModelError::new(path, Problem::EmptyName));
    }
    let usable = name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    if usable && !RESERVED.contains(&name) {
        Ok(())
    } else {
        Err(ModelError::new(path, Problem::BadName { name: name.into() }))
    }
}

/// Sections of a description with their names: heading, what one is, keys.
pub(crate) type Sections<'a> = [(&'static str, &'static str, Vec<&'a String>); 6];

/// Bodies, joints and contacts share the names of channels; a clearance joint is also a contact.
pub(crate) fn names(sections: Sections<'_>, simulation: &Simulation, errors: &mut Vec<ModelError>) {
    let mut seen: Vec<(&str, &'static str)> = Vec::new();
    for (section, kind, keys) in sections {
        for key in keys {
            let path = [section, key.as_str()];
            if let Err(error) = name(key, &path) {
                errors.push(error);
            }
            if ["forces", "events"].contains(&section) {
                continue;
            }
            if key == "momentum" && simulation.record.contains(&Record::Momentum) {
                errors.push(ModelError::new(&path, Problem::BadName { name: key.clone() }));
            }
            if let Some(&(_, other)) = seen.iter().find(|s| s.0 == key) {
                errors.push(ModelError::new(&path, Problem::DuplicateName { name: key.clone(), other }));
            }
            seen.push((key, kind));
        }
    }
}

/// The names of a description, of the plane or of space.
macro_rules! sections {
    ($description:expr) => {
        [
            ("bodies", "a body", $description.bodies.keys().collect()),
            ("joints", "a joint", $description.joints.keys().collect()),
            ("contacts", "a contact", $description.contacts.keys().collect()),
            ("gears", "a gear", $description.gears.keys().collect()),
            ("forces", "a force", $description.forces.keys().collect()),
            ("events", "an event", $description.events.keys().collect()),
        ]
    };
}
pub(crate) use sections;

pub(crate) fn body(key: &str, body: &Body) -> Check {
    let at = |field| ["bodies", key, field];
    let no_inertia =
        |field, quantity| Err(ModelError::new(&at(field), Problem::NoInertia { body: key.into(), quantity }));
    if let Some(elastic) = &body.elastic {
        let given = [
            ("mass", body.mass != 0.0),
            ("inertia", body.inertia.is_some()),
            ("density", body.density.is_some()),
            ("thickness", body.thickness.is_some()),
        ];
        if let Some((field, _)) = given.iter().find(|g| g.1) {
            return Err(ModelError::new(
                &at(field),
                Problem::OwnInertia { body: key.into(), quantity: field },
            ));
        }
        elastic.check(key)?;
    } else if let Some(density) = body.density {
        density_alone(key, body)?;
        number(density, "density", &at("density")).positive()?;
    } else if body.mass == 0.0 {
        return no_inertia("mass", "mass");
    } else {
        number(body.mass, "mass", &at("mass")).positive()?;
    }
    if let Some(inertia) = body.inertia {
        if inertia == 0.0 {
            return no_inertia("inertia", "moment of inertia");
        }
        number(inertia, "moment of inertia", &at("inertia")).positive()?;
    }
    if let (Some(_), None, None) = (body.thickness, body.density, &body.elastic) {
        let problem = Problem::Useless { key: "thickness", without: "density" };
        return Err(ModelError::new(&at("thickness"), problem));
    }
    finite_pair(body.position, "position", &at("position"))?;
    finite_pair(body.velocity, "velocity", &at("velocity"))?;
    number(body.angle, "angle", &at("angle")).finite()?;
    number(body.angular_velocity, "angular velocity", &at("angular_velocity")).finite()?;
    Ok(())
}

/// A density stands for mass and inertia, and needs a thickness.
fn density_alone(key: &str, body: &Body) -> Check {
    let at = |field| ["bodies", key, field];
    for (field, given) in [("mass", body.mass != 0.0), ("inertia", body.inertia.is_some())] {
        if given {
            return Err(ModelError::new(&at(field), Problem::Both { keys: [field, "density"] }));
        }
    }
    match body.thickness {
        Some(thickness) => number(thickness, "thickness", &at("thickness")).positive(),
        None => {
            let problem = Problem::Missing { key: "thickness", because: "density" };
            Err(ModelError::new(&at("density"), problem))
        }
    }
}

/// Points and shapes of a body; `owner` is the path to it.
pub(crate) fn places(
    owner: &[&str],
    points: &indexmap::IndexMap<String, Point>,
    shapes: &indexmap::IndexMap<String, Shape>,
    flexible: bool,
) -> Check {
    for (key, point) in points {
        let path = [owner, &["points", key]].concat();
        name(key, &path)?;
        if owner[0] == "bodies" && DRAWN.contains(&key.as_str()) {
            return Err(ModelError::new(&path, Problem::BadName { name: key.clone() }));
        }
        match point.place() {
            Some(at) => finite_pair(at, "place", &path)?,
            None if flexible => {}
            None => return Err(ModelError::new(&path, Problem::NodeOfRigid)),
        }
        number(point.angle(), "angle", &path).finite()?;
    }
    for (key, shape) in shapes {
        let path = [owner, &["shapes", key]].concat();
        name(key, &path)?;
        if points.contains_key(key) {
            let problem = Problem::DuplicateName { name: key.clone(), other: "a point of the same body" };
            return Err(ModelError::new(&path, problem));
        }
        self::shape(&path, shape)?;
    }
    Ok(())
}

fn shape(path: &[&str], shape: &Shape) -> Check {
    let at = |field| [path, &[field]].concat();
    match shape {
        Shape::Disk { center, radius } => {
            finite_pair(*center, "centre", &at("center"))?;
            number(*radius, "radius", &at("radius")).positive()
        }
        Shape::Line { through, normal } => {
            finite_pair(*through, "point", &at("through"))?;
            finite_pair(*normal, "normal", &at("normal"))?;
            if norm(*normal) > 0.0 {
                Ok(())
            } else {
                Err(ModelError::new(&at("normal"), Problem::NoDirection { quantity: "normal" }))
            }
        }
        Shape::Rectangle { center, size } => {
            finite_pair(*center, "centre", &at("center"))?;
            size.iter().try_for_each(|&side| number(side, "size", &at("size")).positive())
        }
        Shape::Polygon { corners } => {
            corners.iter().try_for_each(|&corner| finite_pair(corner, "corner", &at("corners")))?;
            if corners.len() < 3 {
                return bad(&at("corners"), "a polygon has at least three corners", "give three or more");
            }
            let area: f64 =
                (0..corners.len()).map(|i| cross(corners[i], corners[(i + 1) % corners.len()])).sum();
            let distinct = (0..corners.len()).all(|i| corners[i] != corners[(i + 1) % corners.len()]);
            if !distinct {
                return bad(&at("corners"), "two corners in a row coincide", "leave one of them out");
            }
            if area > 0.0 {
                Ok(())
            } else {
                bad(&at("corners"), "the corners do not go counter-clockwise", "reverse their order")
            }
        }
        Shape::Path { start, pieces } => {
            finite_pair(*start, "start", &at("start"))?;
            if pieces.is_empty() {
                return bad(
                    &at("pieces"),
                    "the path has no pieces",
                    "give at least one line, arc, parabola or spline",
                );
            }
            let mut from = *start;
            for (i, piece) in pieces.iter().enumerate() {
                let index = i.to_string();
                let path = [path, &["pieces", &index]].concat();
                from = self::piece(&path, from, piece, pieces.len() == 1)?;
            }
            Ok(())
        }
        Shape::Ellipse { center, semi_axes, angle } => {
            finite_pair(*center, "centre", &at("center"))?;
            number(*angle, "angle", &at("angle")).finite()?;
            semi_axes.iter().try_for_each(|&half| number(half, "semi-axis", &at("semi_axes")).positive())
        }
        Shape::Spline { through, hole } => spline::closed(path, through, *hole),
        Shape::Capsule { from, to, radius } => {
            finite_pair(*from, "end of the capsule", &at("from"))?;
            finite_pair(*to, "end of the capsule", &at("to"))?;
            number(*radius, "radius", &at("radius")).positive()?;
            if from == to {
                return bad(path, "both ends of the capsule coincide", "move them apart, or use a disk");
            }
            Ok(())
        }
    }
}

/// Checks a piece and returns its end; `alone` if the path has no other.
fn piece(path: &[&str], from: V2, piece: &Piece, alone: bool) -> Result<V2, ModelError> {
    let bad =
        |message: String, remedy: String| Err(ModelError::new(path, Problem::BadShape { message, remedy }));
    match *piece {
        Piece::SplineThrough(ref through) => spline::piece(path, from, through, alone),
        Piece::LineTo(to) => {
            finite_pair(to, "end of the line", path)?;
            if to == from {
                return bad("the line has no length".into(), "leave it out, or move its end".into());
            }
            Ok(to)
        }
        Piece::ArcTo { end, center, .. } => {
            finite_pair(end, "end of the arc", path)?;
            finite_pair(center, "centre of the arc", path)?;
            let (r_start, r_end) = (norm(sub(from, center)), norm(sub(end, center)));
            if r_start == 0.0 || r_end == 0.0 {
                return bad(
                    "the centre of the arc is one of its ends".into(),
                    "move the centre to equal distance from both ends".into(),
                );
            }
            if (r_start - r_end).abs() > ON_CIRCLE * r_start {
                return bad(
                    format!(
                        "the arc begins at distance {r_start} from its centre and ends at distance {r_end}"
                    ),
                    "move the centre or the end so that both distances are equal".into(),
                );
            }
            Ok(end)
        }
        Piece::ParabolaTo { end, control } => {
            finite_pair(end, "end of the parabola", path)?;
            finite_pair(control, "control point of the parabola", path)?;
            let (first, last) = (sub(control, from), sub(end, control));
            if cross(first, last).abs() <= STRAIGHT * norm(first) * norm(last) {
                return bad(
                    "the control point is on the line through both ends, so there is no parabola".into(),
                    "move the control point to where the tangents at both ends meet, or use `line-to`".into(),
                );
            }
            Ok(end)
        }
    }
}

/// Restitution, tangential restitution and friction at `path`.
pub(crate) fn surface(path: &[&str], e_N: f64, e_T: f64, mu: f64) -> Check {
    let at = |field| [path, &[field]].concat();
    number(e_N, "restitution", &at("restitution")).within(0.0, 1.0)?;
    number(e_T, "tangential restitution", &at("tangential_restitution")).within(-1.0, 1.0)?;
    number(mu, "friction", &at("friction")).not_negative()
}

/// A number; a formula is checked where it is built.
pub(crate) fn expression(path: &[&str], quantity: &'static str, expression: &Expression) -> Check {
    match expression {
        Expression::Constant(value) => number(*value, quantity, path).finite(),
        Expression::Formula(_) => Ok(()),
    }
}

pub(crate) fn simulation(simulation: &Simulation) -> Check {
    let at = |field| ["simulation", field];
    number(simulation.step, "step", &at("step")).positive()?;
    number(simulation.end, "end time", &at("end")).positive()?;
    if let Some(accuracy) = simulation.accuracy {
        number(accuracy, "accuracy", &at("accuracy")).positive()?;
    }
    if let Some(output) = simulation.output {
        number(output, "output interval", &at("output")).positive()?;
    }
    if let (Some(name), Start::Given) = (simulation.release.first(), simulation.start) {
        let problem = Problem::BadShape {
            message: format!("`{name}` is to be released, but nothing holds before a start as given"),
            remedy: "give `start = \"equilibrium\"` too, or leave `release` out".into(),
        };
        return Err(ModelError::new(&at("release"), problem));
    }
    for (key, value) in &simulation.parameters {
        if let Value::Number(value) = value {
            number(*value, "parameter of the scheme", &["simulation", "parameters", key]).finite()?;
        }
    }
    Ok(())
}
