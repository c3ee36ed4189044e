//! A length typical of a mechanism in space: found as in the plane.

use super::Longest;
use crate::description::space::{Body, Description, Joint, Point, Shape};
use crate::geometry::space::{V3, axes, times};
use crate::geometry::{add, norm};
use crate::outline::space::{Solid, solid};

/// The typical length, and the largest coordinate of a place, at least that length (m).
pub(crate) fn scales(description: &Description) -> (f64, f64) {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    let mut see = |p: V3| {
        for i in 0..3 {
            low[i] = low[i].min(p[i]);
            high[i] = high[i].max(p[i]);
        }
    };
    for body in description.bodies.values() {
        see(body.position);
        let p = body.rotation.as_ref().and_then(|r| r.quaternion().ok()).unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let A = axes(p);
        let place = |p: V3| add(body.position, times(&A, p));
        body.points.values().map(Point::place).for_each(|point| see(place(point)));
        body.shapes.values().for_each(|shape| corners(shape, &mut |p| see(place(p))));
    }
    description.ground.points.values().map(Point::place).for_each(&mut see);
    description.ground.shapes.values().for_each(|shape| corners(shape, &mut see));
    let diagonal = norm::<V3>(std::array::from_fn(|i| high[i] - low[i]));
    let size = description.joints.values().map(Joint::size).fold(0.0, f64::max);

    let largest = |f: &dyn Fn(&Body) -> f64| description.bodies.values().map(f).fold(0.0, f64::max);
    let speed = largest(&|b| norm(b.velocity));
    let gravity = norm(description.gravity);
    let end = description.simulation.end;
    let mut longest = Longest(0.0);
    description.joints.values().for_each(|joint| joint.clone().quantities(&mut longest));
    description.forces.values().for_each(|force| force.clone().quantities(&mut longest));
    let choices = [
        if diagonal.is_finite() { diagonal.max(size) } else { size },
        largest(&|b| norm(b.position)),
        longest.0,
        if gravity > 0.0 { speed * speed / gravity } else { 0.0 },
        (speed * end).max(0.5 * gravity * end * end),
    ];
    let length = choices.into_iter().find(|&choice| choice > 0.0 && choice.is_finite()).unwrap_or(1.0);
    let coordinates = low.into_iter().chain(high).filter(|c| c.is_finite());
    (length, coordinates.fold(length, |most, c| most.max(c.abs())))
}

/// Points that span the shape. The wall without end counts by the point it goes through.
fn corners(shape: &Shape, see: &mut dyn FnMut(V3)) {
    let placed = solid(shape);
    let A = axes(placed.rotation);
    let half = match placed.solid {
        Solid::Sphere { radius } => [radius; 3],
        Solid::Box { size } => size.map(|side| 0.5 * side),
        Solid::Cylinder { radius, length } => [radius, radius, 0.5 * length],
        Solid::Capsule { radius, length } => [radius, radius, 0.5 * length + radius],
        Solid::Plane => [0.0; 3],
    };
    for i in 0..8 {
        let corner = std::array::from_fn(|k| if i >> k & 1 == 0 { half[k] } else { -half[k] });
        see(add(placed.at, times(&A, corner)));
    }
}
