//! Checks of bodies, points and shapes in space, before anything is built.

use super::{Check, DRAWN, bad, finite_all, name, number};
use crate::description::space::{Body, MassProperties, Point, Rotation, Shape};
use crate::error::{ModelError, Problem};
use crate::geometry::Vector;
use carom_dynamics::rotation::cross;
use indexmap::IndexMap;

/// How far the largest moment of inertia may be above the sum of the others, relative to it: numbers typed with six digits pass.
const TRIANGLE: f64 = 1e-6;

/// How far the centre of mass of the shapes may be from the frame, relative to the radius of gyration: numbers typed with six digits.
const CENTRED: f64 = 1e-6;

/// Sine of the angle between two directions below which they count as one.
const PARALLEL: f64 = 1e-9;

/// The matrix of inertia of three or six numbers.
pub(crate) fn inertia_matrix(numbers: &[f64]) -> Option<[[f64; 3]; 3]> {
    match *numbers {
        [x, y, z] => Some([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]),
        [xx, yy, zz, xy, xz, yz] => Some([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
        _ => None,
    }
}

/// Principal moments of inertia, in ascending order.
pub(crate) fn principal(J: &[[f64; 3]; 3]) -> [f64; 3] {
    // Jacobi's rotations: three numbers, a few sweeps
    let mut A = *J;
    for _ in 0..30 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if A[p][q] == 0.0 {
                continue;
            }
            let theta = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (kp, kq) = (A[k][p], A[k][q]);
                (A[k][p], A[k][q]) = (c * kp - s * kq, s * kp + c * kq);
            }
            for k in 0..3 {
                let (pk, qk) = (A[p][k], A[q][k]);
                (A[p][k], A[q][k]) = (c * pk - s * qk, s * pk + c * qk);
            }
        }
    }
    let mut moments = [A[0][0], A[1][1], A[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

fn inertia(path: &[&str], numbers: &[f64]) -> Check {
    let Some(J) = inertia_matrix(numbers) else {
        let message = format!("the inertia has {} numbers", numbers.len());
        return bad(path, &message, "three principal moments, or six numbers xx, yy, zz, xy, xz, yz");
    };
    finite_all(numbers, "inertia", path)?;
    let [low, middle, high] = principal(&J);
    if low <= 0.0 {
        let message = format!(
            "the principal moments of inertia are {low:.6e}, {middle:.6e} and {high:.6e}, and one is not positive"
        );
        return bad(
            path,
            &message,
            "an inertia with three positive principal moments; leave it out for a point mass",
        );
    }
    if high > (low + middle) * (1.0 + TRIANGLE) {
        let message = format!(
            "the largest principal moment of inertia, {high:.6e}, is above the sum of the others, {low:.6e} and {middle:.6e}: no body has it"
        );
        return bad(path, &message, "moments of which none is above the sum of the other two");
    }
    Ok(())
}

/// Mass, centre and inertia of the shapes of a body with a density.
pub(crate) fn of_shapes(body: &Body, density: f64) -> Option<MassProperties> {
    let parts: Vec<MassProperties> =
        body.shapes.values().filter_map(|shape| shape.mass_properties(density)).collect();
    MassProperties::sum(&parts)
}

pub(crate) fn body(key: &str, body: &Body) -> Check {
    let at = |field| ["bodies", key, field];
    if let Some(density) = body.density {
        number(density, "density", &at("density")).positive()?;
        for (field, given) in [("mass", body.mass != 0.0), ("inertia", body.inertia.is_some())] {
            if given {
                let message =
                    format!("`{key}` has a `density` and a `{field}`, and the density gives it already");
                return bad(&at(field), &message, "leave one of the two out");
            }
        }
        let Some(whole) = of_shapes(body, density) else {
            let message = format!("`{key}` has a density, but no solid shape");
            return bad(
                &at("density"),
                &message,
                "give it a sphere, box, cylinder, ring or capsule, or `mass` and `inertia`",
            );
        };
        let gyration =
            ((whole.inertia[0][0] + whole.inertia[1][1] + whole.inertia[2][2]) / whole.mass).sqrt();
        if whole.center.norm() > CENTRED * gyration {
            let c = whole.center;
            let message = format!(
                "the centre of mass of the shapes of `{key}` is at [{:.6}, {:.6}, {:.6}] m, not in the frame of the body",
                c[0], c[1], c[2]
            );
            return bad(
                &at("density"),
                &message,
                "shift its shapes and points by minus that, and `position` by that",
            );
        }
    } else if body.mass == 0.0 {
        let problem = Problem::NoInertia { body: key.into(), quantity: "mass" };
        return Err(ModelError::new(&at("mass"), problem));
    } else {
        number(body.mass, "mass", &at("mass")).positive()?;
    }
    if let Some(numbers) = &body.inertia {
        inertia(&at("inertia"), numbers)?;
    }
    finite_all(&body.position, "position", &at("position"))?;
    finite_all(&body.velocity, "velocity", &at("velocity"))?;
    finite_all(&body.angular_velocity, "angular velocity", &at("angular_velocity"))?;
    if !body.turns() && body.angular_velocity.norm() > 0.0 {
        let problem = Problem::Useless { key: "angular_velocity", without: "inertia" };
        return Err(ModelError::new(&at("angular_velocity"), problem));
    }
    body.rotation.as_ref().map_or(Ok(()), |r| rotation(&at("rotation"), r))
}

pub(crate) fn rotation(path: &[&str], rotation: &Rotation) -> Check {
    match rotation.quaternion() {
        Ok(_) => Ok(()),
        Err(error) => {
            let path = [path, error.key.as_slice()].concat();
            bad(&path, &error.wrong, error.remedy)
        }
    }
}

fn direction(path: &[&str], quantity: &'static str, d: [f64; 3]) -> Check {
    finite_all(&d, quantity, path)?;
    if d.norm() > 0.0 { Ok(()) } else { Err(ModelError::new(path, Problem::NoDirection { quantity })) }
}

/// Points and shapes of a body; `owner` is the path to it.
pub(crate) fn places(
    owner: &[&str],
    points: &IndexMap<String, Point>,
    shapes: &IndexMap<String, Shape>,
) -> Check {
    for (key, point) in points {
        let path = [owner, &["points", key]].concat();
        name(key, &path)?;
        if owner[0] == "bodies" && DRAWN.contains(&key.as_str()) {
            return Err(ModelError::new(&path, Problem::BadName { name: key.clone() }));
        }
        finite_all(&point.place(), "place", &path)?;
        if let Point::Frame { axis, x, rotation, .. } = point {
            frame(&path, *axis, *x, rotation.as_ref())?;
        }
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

fn frame(path: &[&str], axis: Option<[f64; 3]>, x: Option<[f64; 3]>, turned: Option<&Rotation>) -> Check {
    let at = |field| [path, &[field]].concat();
    if let Some(turned) = turned {
        if axis.is_some() || x.is_some() {
            return bad(path, "the frame has a `rotation` and an `axis`", "leave one of the two out");
        }
        return rotation(&at("rotation"), turned);
    }
    if let Some(axis) = axis {
        direction(&at("axis"), "axis", axis)?;
    }
    if let Some(x) = x {
        direction(&at("x"), "x axis", x)?;
        let Some(axis) = axis else {
            return bad(
                &at("x"),
                "an x axis without an `axis` is no frame",
                "give `axis` too, or a `rotation`",
            );
        };
        if cross(axis, x).norm() <= PARALLEL * axis.norm() * x.norm() {
            return bad(&at("x"), "`x` and `axis` point the same way", "give an `x` across the axis");
        }
    }
    Ok(())
}

fn shape(path: &[&str], shape: &Shape) -> Check {
    let at = |field| [path, &[field]].concat();
    match shape {
        Shape::Sphere { center, radius, hole: _ } => {
            finite_all(center, "centre", &at("center"))?;
            number(*radius, "radius", &at("radius")).positive()
        }
        Shape::Plane { through, normal } => {
            finite_all(through, "point", &at("through"))?;
            direction(&at("normal"), "normal", *normal)
        }
        Shape::Box { center, size, rotation } => {
            finite_all(center, "centre", &at("center"))?;
            size.iter().try_for_each(|&side| number(side, "size", &at("size")).positive())?;
            rotation.as_ref().map_or(Ok(()), |r| self::rotation(&at("rotation"), r))
        }
        Shape::Cylinder { center, axis, radius, length, hole: _ } => {
            finite_all(center, "centre", &at("center"))?;
            direction(&at("axis"), "axis", *axis)?;
            number(*radius, "radius", &at("radius")).positive()?;
            number(*length, "length", &at("length")).positive()
        }
        Shape::Ring { center, axis, circle, radius } => {
            finite_all(center, "centre", &at("center"))?;
            direction(&at("axis"), "axis", *axis)?;
            number(*circle, "radius of the circle", &at("circle")).positive()?;
            number(*radius, "radius", &at("radius")).positive()
        }
        Shape::Capsule { from, to, radius } => {
            finite_all(from, "end of the capsule", &at("from"))?;
            finite_all(to, "end of the capsule", &at("to"))?;
            number(*radius, "radius", &at("radius")).positive()?;
            if from == to {
                return bad(path, "both ends of the capsule coincide", "move them apart, or use a sphere");
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_moments_are_eigenvalues() {
        // trace, sum of squares and determinant of a matrix with eigenvalues 1, 2, 4 turned by hand
        let J = inertia_matrix(&[2.0, 2.5, 2.5, 0.5, -0.5, 0.5]).unwrap();
        let [a, b, c] = principal(&J);
        let trace = J[0][0] + J[1][1] + J[2][2];
        let squares: f64 = J.iter().flatten().map(|x| x * x).sum();
        let determinant = J[0].dot(cross(J[1], J[2]));
        assert!((a + b + c - trace).abs() < 1e-14);
        assert!((a * a + b * b + c * c - squares).abs() < 1e-13);
        assert!((a * b * c - determinant).abs() < 1e-13);
    }

    #[test]
    fn no_body_has_a_moment_above_the_sum_of_the_others() {
        assert!(inertia(&["x"], &[1.0, 2.0, 3.0]).is_ok(), "a plate");
        assert!(inertia(&["x"], &[1.0, 1.0, 2.1]).is_err());
        assert!(inertia(&["x"], &[1.0, 1.0, 1.0, 1.5, 0.0, 0.0]).is_err(), "not positive");
        assert!(inertia(&["x"], &[1.0, 1.0]).is_err());
    }
}
