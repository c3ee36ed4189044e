//! Dimensions of the numbers of a description in space; see those of the plane.

use super::{Body, Contact, Description, Ground, Material, Point, Repeat, Rotation, Shape};
use crate::dimension::{Dimension, Numbers};
use indexmap::IndexMap;

const NONE: Dimension = Dimension::NONE;
const LENGTH: Dimension = Dimension::LENGTH;
const TIME: Dimension = Dimension::TIME;
const ANGLE: Dimension = Dimension::ANGLE;

impl Description {
    /// Shows every number with its dimension; those of the scheme's parameters are known to the scheme alone.
    pub fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            version: _,
            title: _,
            functions: _,
            space: _,
            gravity,
            ground,
            bodies,
            tables,
            joints,
            forces,
            materials,
            groups: _,
            contacts,
            gears,
            events,
            simulation,
            terms,
        } = self;
        // numbers of formulas, which keep the units of the file
        for table in tables.values_mut() {
            see.all(table.points.iter_mut().flatten().flatten(), Dimension::NONE);
        }
        see.all(gravity, Dimension::VELOCITY.per(TIME));
        let Ground { points, shapes, material: _ } = ground;
        places(points, shapes, see);
        bodies.values_mut().for_each(|body| body.quantities(see));
        joints.values_mut().for_each(|joint| joint.quantities(see));
        forces.values_mut().for_each(|force| force.quantities(see));
        materials.values_mut().for_each(|material| material.quantities(see));
        contacts.values_mut().for_each(|contact| contact.quantities(see));
        gears.values_mut().for_each(|gear| gear.quantities(see));
        events.values_mut().for_each(|event| event.quantities(see));
        simulation.quantities(see);
        terms.quantities(see);
    }
}

impl Body {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            mass,
            inertia,
            density,
            position,
            rotation,
            velocity,
            angular_velocity,
            points,
            shapes,
            material: _,
            repeat,
        } = self;
        if let Some(Repeat { counts: _, pitch, jitter, turned: _, seed: _ }) = repeat {
            see.all(pitch, LENGTH);
            see.number(jitter, LENGTH);
        }
        see.number(mass, Dimension::MASS);
        see.all(inertia.iter_mut().flatten(), Dimension::MASS.times(Dimension::AREA));
        see.all(density, Dimension::DENSITY);
        see.all(position, LENGTH);
        rotation.iter_mut().for_each(|rotation| rotation.quantities(see));
        see.all(velocity, Dimension::VELOCITY);
        see.all(angular_velocity, ANGLE.per(TIME));
        places(points, shapes, see);
    }
}

impl Rotation {
    pub(crate) fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { axis, angle, quaternion, angles, order: _ } = self;
        see.all(axis.iter_mut().flatten(), NONE);
        see.all(angle, ANGLE);
        see.all(quaternion.iter_mut().flatten(), NONE);
        see.all(angles.iter_mut().flatten(), ANGLE);
    }
}

fn places(points: &mut IndexMap<String, Point>, shapes: &mut IndexMap<String, Shape>, see: &mut dyn Numbers) {
    for point in points.values_mut() {
        match point {
            Point::At(at) => see.all(at, LENGTH),
            Point::Frame { at, axis, x, rotation } => {
                see.all(at, LENGTH);
                see.all(axis.iter_mut().chain(x).flatten(), NONE);
                rotation.iter_mut().for_each(|rotation| rotation.quantities(see));
            }
        }
    }
    shapes.values_mut().for_each(|shape| shape.quantities(see));
}

impl Shape {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        match self {
            Shape::Sphere { center, radius, hole: _ } => {
                see.all(center, LENGTH);
                see.number(radius, LENGTH);
            }
            Shape::Plane { through, normal } => {
                see.all(through, LENGTH);
                // A direction; its length does not matter.
                see.all(normal, NONE);
            }
            Shape::Box { center, size, rotation } => {
                see.all(center, LENGTH);
                see.all(size, LENGTH);
                rotation.iter_mut().for_each(|rotation| rotation.quantities(see));
            }
            Shape::Cylinder { center, axis, radius, length, hole: _ } => {
                see.all(center, LENGTH);
                see.all(axis, NONE);
                see.all([radius, length], LENGTH);
            }
            Shape::Ring { center, axis, circle, radius } => {
                see.all(center, LENGTH);
                see.all(axis, NONE);
                see.all([circle, radius], LENGTH);
            }
            Shape::Capsule { from, to, radius } => {
                see.all(from, LENGTH);
                see.all(to, LENGTH);
                see.number(radius, LENGTH);
            }
        }
    }
}

impl Contact {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            between: _,
            restitution,
            tangential_restitution,
            friction,
            rolling,
            drilling,
            except: _,
            pairs: _,
            overlap,
        } = self;
        see.number(overlap, LENGTH);
        see.number(tangential_restitution, NONE);
        see.all(restitution.iter_mut().chain(friction), NONE);
        see.all(rolling.iter_mut().chain(drilling), LENGTH);
    }
}

impl Material {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { restitution, friction, rolling, drilling, on: _ } = self;
        see.all([restitution, friction], NONE);
        see.all([rolling, drilling], LENGTH);
    }
}
