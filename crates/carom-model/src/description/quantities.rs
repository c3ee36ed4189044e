//! Dimensions of the numbers of a description. Data are taken apart field by field: a field that is added and forgotten
//! here does not compile. Kinds of joints, forces and flexible bodies have theirs in their own files.

use super::{
    Body, Contact, Description, Event, Ground, Piece, Point, PointTable, Shape, Simulation, Terms, Through,
};
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
            gravity,
            ground,
            bodies,
            tables,
            joints,
            forces,
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
        let Ground { points, shapes } = ground;
        places(points, shapes, see);
        bodies.values_mut().for_each(|body| body.quantities(see));
        joints.values_mut().for_each(|joint| joint.quantities(see));
        forces.values_mut().for_each(|force| force.quantities(see));
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
            thickness,
            elastic,
            position,
            angle,
            velocity,
            angular_velocity,
            points,
            shapes,
        } = self;
        elastic.iter_mut().for_each(|elastic| elastic.quantities(see));
        see.number(mass, Dimension::MASS);
        see.all(inertia, Dimension::MASS.times(Dimension::AREA));
        see.all(density, Dimension::DENSITY);
        see.all(thickness, LENGTH);
        see.all(position, LENGTH);
        see.number(angle, ANGLE);
        see.all(velocity, Dimension::VELOCITY);
        see.number(angular_velocity, ANGLE.per(TIME));
        places(points, shapes, see);
    }
}

fn places(points: &mut IndexMap<String, Point>, shapes: &mut IndexMap<String, Shape>, see: &mut dyn Numbers) {
    for point in points.values_mut() {
        match point {
            Point::At(at) => see.all(at, LENGTH),
            Point::Node { node: _, angle } => see.number(angle, ANGLE),
            Point::Frame { at, angle } => {
                see.all(at, LENGTH);
                see.number(angle, ANGLE);
            }
        }
    }
    shapes.values_mut().for_each(|shape| shape.quantities(see));
}

impl Shape {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        match self {
            Shape::Disk { center, radius } => {
                see.all(center, LENGTH);
                see.number(radius, LENGTH);
            }
            Shape::Line { through, normal } => {
                see.all(through, LENGTH);
                // A direction; its length does not matter.
                see.all(normal, NONE);
            }
            Shape::Path { start, pieces } => {
                see.all(start, LENGTH);
                pieces.iter_mut().for_each(|piece| piece.quantities(see));
            }
            Shape::Rectangle { center, size } => {
                see.all(center, LENGTH);
                see.all(size, LENGTH);
            }
            Shape::Polygon { corners } => see.all(corners.iter_mut().flatten(), LENGTH),
            Shape::Spline { through, hole: _ } => through.quantities(see),
            Shape::Capsule { from, to, radius } => {
                see.all(from, LENGTH);
                see.all(to, LENGTH);
                see.number(radius, LENGTH);
            }
            Shape::Ellipse { center, semi_axes, angle } => {
                see.all(center, LENGTH);
                see.all(semi_axes, LENGTH);
                see.number(angle, ANGLE);
            }
        }
    }
}

impl Piece {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        match self {
            Piece::LineTo(end) => see.all(end, LENGTH),
            Piece::ArcTo { end, center, counterclockwise: _ } => {
                see.all(end, LENGTH);
                see.all(center, LENGTH);
            }
            Piece::ParabolaTo { end, control } => {
                see.all(end, LENGTH);
                see.all(control, LENGTH);
            }
            Piece::SplineThrough(through) => through.quantities(see),
        }
    }
}

impl Through {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        let table = match self {
            Through::Points(points) => return see.all(points.iter_mut().flatten(), LENGTH),
            Through::Table(table) => table,
        };
        let PointTable { file: _, points, polar, center, reverse: _, start_direction, end_direction } = table;
        for [first, second] in points.iter_mut().flatten() {
            // The unit of angles is that of the table.
            see.number(first, if polar.is_some() { NONE } else { LENGTH });
            see.number(second, LENGTH);
        }
        see.all(center, LENGTH);
        see.all(start_direction.iter_mut().chain(end_direction).flatten(), NONE);
    }
}

impl Contact {
    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, restitution, tangential_restitution, friction, corner: _ } = self;
        see.all([restitution, tangential_restitution, friction], NONE);
    }
}

impl Event {
    pub(super) fn quantities(&mut self, see: &mut dyn Numbers) {
        // The formula stays as it is written; what it names is given to it in the units of the file.
        let Self { when: _, direction: _, stop: _, terms } = self;
        terms.quantities(see);
    }
}

impl Terms {
    pub(super) fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { parameters: _, length, time, angle, energy, force } = self;
        see.number(length, LENGTH);
        see.number(time, TIME);
        see.number(angle, ANGLE);
        see.number(energy, Dimension::TORQUE);
        see.number(force, Dimension::FORCE);
    }
}

impl Simulation {
    pub(super) fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            scheme: _,
            parameters: _,
            step,
            end,
            solver: _,
            accuracy,
            output,
            record: _,
            formulation: _,
            coordinates: _,
            start: _,
            release: _,
        } = self;
        see.all([step, end], TIME);
        see.all(accuracy, NONE);
        see.all(output, TIME);
    }
}
