//! From the units of a file to SI: the dimension of every number of a description. Every field is named here, so one
//! that is added to the format and forgotten here does not compile.

use super::formula::substitute;
use crate::units::{Dimension, Units};
use carom_dynamics::PROJECTED;
use carom_model::Description;
use carom_model::description::{
    Bar, Beam, Block, Body, ChosenModes, Contact, Coordinate, Damping, Disk, Elastic, Event, ExactBeam,
    Expression, Force, Ground, InlineMesh, Joint, Mesh, Modes, Piece, Point, PointTable, Shape, Simulation,
    Solid, Terms, Through,
};
use indexmap::IndexMap;

const NONE: Dimension = Dimension::NONE;
const LENGTH: Dimension = Dimension::LENGTH;
const MASS: Dimension = Dimension::MASS;
const TIME: Dimension = Dimension::TIME;
const ANGLE: Dimension = Dimension::ANGLE;
const FORCE: Dimension = Dimension::FORCE;
const VELOCITY: Dimension = LENGTH.per(TIME);
const TORQUE: Dimension = FORCE.times(LENGTH);
const AREA: Dimension = LENGTH.times(LENGTH);
const STRESS: Dimension = FORCE.per(AREA);
const DENSITY: Dimension = MASS.per(AREA).per(LENGTH);
/// The usual exponent of `hunt-crossley`.
const HERTZ: f64 = 1.5;

/// Converts a description to SI in place.
pub(crate) fn to_si(description: &mut Description, units: &Units) {
    if *units == Units::si() {
        return;
    }
    let scale = Scale { units };
    let Description {
        version: _,
        title: _,
        gravity,
        ground,
        bodies,
        joints,
        forces,
        contacts,
        events,
        simulation,
    } = description;
    scale.all(gravity, VELOCITY.per(TIME));
    let Ground { points, shapes } = ground;
    scale.places(points, shapes);
    for body in bodies.values_mut() {
        let Body { mass, inertia, elastic, position, angle, velocity, angular_velocity, points, shapes } =
            body;
        elastic.iter_mut().for_each(|elastic| scale.elastic(elastic));
        scale.one(mass, MASS);
        scale.all(inertia, MASS.times(LENGTH).times(LENGTH));
        scale.all(position, LENGTH);
        scale.one(angle, ANGLE);
        scale.all(velocity, VELOCITY);
        scale.one(angular_velocity, ANGLE.per(TIME));
        scale.places(points, shapes);
    }
    joints.values_mut().for_each(|joint| scale.joint(joint));
    forces.values_mut().for_each(|force| scale.force(force));
    for contact in contacts.values_mut() {
        let Contact { between: _, restitution, tangential_restitution, friction, corner: _ } = contact;
        scale.all([restitution, tangential_restitution, friction], NONE);
    }
    for event in events.values_mut() {
        // The formula stays as it is written; what it names is given to it in the units of the file.
        let Event { when: _, direction: _, stop: _, terms } = event;
        let Terms { parameters: _, length, time, angle, energy } = terms;
        scale.one(length, LENGTH);
        scale.one(time, TIME);
        scale.one(angle, ANGLE);
        scale.one(energy, TORQUE);
    }
    let Simulation {
        scheme,
        parameters,
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
    } = simulation;
    scale.scheme(scheme, parameters);
    scale.all([step, end], TIME);
    scale.all(accuracy, NONE);
    scale.all(output, TIME);
}

struct Scale<'a> {
    units: &'a Units,
}

impl Scale<'_> {
    fn one(&self, x: &mut f64, dimension: Dimension) {
        if dimension != NONE {
            *x *= self.units.factor(dimension);
        }
    }

    fn all<'x>(&self, numbers: impl IntoIterator<Item = &'x mut f64>, dimension: Dimension) {
        numbers.into_iter().for_each(|x| self.one(x, dimension));
    }

    /// Parameters of a scheme: the few that are no plain numbers.
    fn scheme(&self, scheme: &str, parameters: &mut IndexMap<String, f64>) {
        // N/m and N s/m, or per m^p
        let exponent = match scheme.trim_end_matches(PROJECTED) {
            "hunt-crossley" => parameters.get("exponent").copied().unwrap_or(HERTZ),
            _ => 1.0,
        };
        let per = self.units.factor(LENGTH).powf(exponent);
        for (name, x) in parameters {
            match name.as_str() {
                "penetration" => self.one(x, LENGTH),
                "slip_speed" => self.one(x, VELOCITY),
                "stiffness" => *x *= self.units.factor(FORCE) / per,
                "damping" if scheme.starts_with("hunt-crossley") => {
                    *x *= self.units.factor(FORCE.per(VELOCITY)) / per;
                }
                "damping" => self.one(x, FORCE.per(VELOCITY)),
                "least_step" | "most_step" | "event_tolerance" => self.one(x, TIME),
                "baumgarte" => self.one(x, NONE.per(TIME)),
                _ => self.one(x, NONE),
            }
        }
    }

    /// f(t) in file units becomes factor · f(t / second).
    fn function(&self, function: &mut Expression, dimension: Dimension) {
        match function {
            Expression::Constant(x) => self.one(x, dimension),
            Expression::Formula(text) => {
                let second = self.units.factor(TIME);
                let factor = self.units.factor(dimension);
                if second != 1.0 {
                    *text = substitute(text, &|name| (name == "t").then(|| format!("(t/{second:?})")));
                }
                if factor != 1.0 {
                    *text = format!("{factor:?}*({text})");
                }
            }
        }
    }

    fn elastic(&self, elastic: &mut Elastic) {
        match elastic {
            Elastic::Bar(bar) => {
                let Bar { length, elements: _, young, area, density, lumped: _, damping } = bar;
                self.one(length, LENGTH);
                self.one(young, STRESS);
                self.one(area, AREA);
                self.one(density, DENSITY);
                self.damping(damping);
            }
            Elastic::Beam(beam) => self.beam(beam),
            Elastic::ExactBeam(beam) => self.exact_beam(beam),
            Elastic::Solid(solid) => self.solid(solid),
        }
    }

    fn exact_beam(&self, beam: &mut ExactBeam) {
        let ExactBeam {
            length,
            elements: _,
            young,
            poisson: _,
            area,
            second_moment,
            shear_area,
            density,
            order: _,
            lumped: _,
            damping,
        } = beam;
        self.one(length, LENGTH);
        self.one(young, STRESS);
        self.one(area, AREA);
        self.one(second_moment, AREA.times(AREA));
        shear_area.iter_mut().for_each(|area| self.one(area, AREA));
        self.one(density, DENSITY);
        self.damping(damping);
    }

    fn beam(&self, beam: &mut Beam) {
        let Beam {
            length,
            elements: _,
            young,
            area,
            second_moment,
            density,
            height,
            rotary_inertia: _,
            reference: _,
            stiffening: _,
            modes,
            damping,
            damping_ratios: _,
            section_forces: _,
        } = beam;
        self.one(length, LENGTH);
        self.one(young, STRESS);
        self.one(area, AREA);
        self.one(second_moment, AREA.times(AREA));
        self.one(density, DENSITY);
        height.iter_mut().for_each(|height| self.one(height, LENGTH));
        self.modes(modes);
        self.damping(damping);
    }

    fn solid(&self, solid: &mut Solid) {
        let Solid {
            block,
            disk,
            mesh,
            incompatible: _,
            plane: _,
            thickness,
            young,
            poisson: _,
            density,
            reference: _,
            clamp: _,
            modes,
            damping,
            damping_ratios: _,
            stress: _,
        } = solid;
        if let Some(Block { size, elements: _, element: _, origin: _ }) = block {
            self.all(size, LENGTH);
        }
        if let Some(Disk { radius, rings: _, element: _ }) = disk {
            self.one(radius, LENGTH);
        }
        if let Some(Mesh::Inline(InlineMesh { nodes, elements: _, sides: _ })) = mesh {
            nodes.iter_mut().for_each(|node| self.all(node, LENGTH));
        }
        self.one(thickness, LENGTH);
        self.one(young, STRESS);
        self.one(density, DENSITY);
        self.modes(modes);
        self.damping(damping);
    }

    fn modes(&self, modes: &mut Option<Modes>) {
        if let Some(Modes::Chosen(ChosenModes { below: Some(below), .. })) = modes {
            self.one(below, NONE.per(TIME));
        }
    }

    fn damping(&self, damping: &mut Damping) {
        let Damping { mass, stiffness, ratios, frequencies } = damping;
        self.all(ratios.iter_mut().flatten(), NONE);
        self.all(frequencies.iter_mut().flatten(), NONE.per(TIME));
        self.one(mass, NONE.per(TIME));
        self.one(stiffness, TIME);
    }

    fn places(&self, points: &mut IndexMap<String, Point>, shapes: &mut IndexMap<String, Shape>) {
        for point in points.values_mut() {
            match point {
                Point::At(at) => self.all(at, LENGTH),
                Point::Node { angle, .. } => self.one(angle, ANGLE),
                Point::Frame { at, angle } => {
                    self.all(at, LENGTH);
                    self.one(angle, ANGLE);
                }
            }
        }
        shapes.values_mut().for_each(|shape| self.shape(shape));
    }

    fn shape(&self, shape: &mut Shape) {
        match shape {
            Shape::Disk { center, radius } => {
                self.all(center, LENGTH);
                self.one(radius, LENGTH);
            }
            Shape::Line { through, normal } => {
                self.all(through, LENGTH);
                // A direction; its length does not matter.
                self.all(normal, NONE);
            }
            Shape::Path { start, pieces } => {
                self.all(start, LENGTH);
                for piece in pieces {
                    match piece {
                        Piece::LineTo(end) => self.all(end, LENGTH),
                        Piece::ArcTo { end, center, counterclockwise: _ } => {
                            self.all(end, LENGTH);
                            self.all(center, LENGTH);
                        }
                        Piece::ParabolaTo { end, control } => {
                            self.all(end, LENGTH);
                            self.all(control, LENGTH);
                        }
                        Piece::SplineThrough(through) => self.through(through),
                    }
                }
            }
            Shape::Ellipse { center, semi_axes, angle } => {
                self.all(center, LENGTH);
                self.all(semi_axes, LENGTH);
                self.one(angle, ANGLE);
            }
            Shape::Rectangle { center, size } => {
                self.all(center, LENGTH);
                self.all(size, LENGTH);
            }
            Shape::Polygon { corners } => self.all(corners.iter_mut().flatten(), LENGTH),
            Shape::Spline { through, hole: _ } => self.through(through),
            Shape::Capsule { from, to, radius } => {
                self.all(from, LENGTH);
                self.all(to, LENGTH);
                self.one(radius, LENGTH);
            }
        }
    }

    fn through(&self, through: &mut Through) {
        let table = match through {
            Through::Points(points) => return self.all(points.iter_mut().flatten(), LENGTH),
            Through::Table(table) => table,
        };
        let PointTable { file: _, points, polar, center, reverse: _, start_direction, end_direction } = table;
        for [first, second] in points.iter_mut().flatten() {
            // The unit of angles is that of the table.
            self.one(first, if polar.is_some() { NONE } else { LENGTH });
            self.one(second, LENGTH);
        }
        self.all(center, LENGTH);
        self.all(start_direction.iter_mut().chain(end_direction).flatten(), NONE);
    }

    fn joint(&self, joint: &mut Joint) {
        match joint {
            Joint::Revolute { between: _, clearance, restitution, friction, pin_radius, friction_torque } => {
                self.all(clearance, LENGTH);
                self.all([restitution, friction], NONE);
                self.one(pin_radius, LENGTH);
                self.one(friction_torque, TORQUE);
            }
            Joint::Prismatic { between: _, clearance, size, restitution, friction, friction_force } => {
                self.all(clearance, LENGTH);
                self.all(size.iter_mut().flatten(), LENGTH);
                self.all([restitution, friction], NONE);
                self.one(friction_force, FORCE);
            }
            Joint::Weld { between: _ } => {}
            Joint::Distance { between: _, length } => self.all(length, LENGTH),
            Joint::Motion { of: _, coordinate, function } => {
                let dimension = match coordinate {
                    Coordinate::X | Coordinate::Y => LENGTH,
                    Coordinate::Angle => ANGLE,
                };
                self.function(function, dimension);
            }
            Joint::PointOnCurve { between: _, friction, friction_force } => {
                self.one(friction, NONE);
                self.one(friction_force, FORCE);
            }
            Joint::Gear { between: _, ratio } => self.one(ratio, NONE),
            Joint::Rack { between: _, axis, radius } => {
                self.all(axis, NONE);
                // Displacement per radian, in any units.
                self.one(radius, LENGTH);
            }
        }
    }

    fn force(&self, force: &mut Force) {
        match force {
            Force::Spring { between: _, stiffness, damping, length } => {
                self.one(stiffness, FORCE.per(LENGTH));
                self.one(damping, FORCE.per(VELOCITY));
                self.all(length, LENGTH);
            }
            Force::TorsionSpring { between: _, stiffness, damping, angle } => {
                self.one(stiffness, TORQUE.per(ANGLE));
                self.one(damping, TORQUE.times(TIME).per(ANGLE));
                self.one(angle, ANGLE);
            }
            Force::Force { on: _, force, follows: _ } => {
                force.iter_mut().for_each(|component| self.function(component, FORCE));
            }
            Force::Torque { on: _, against: _, torque } => self.function(torque, TORQUE),
        }
    }
}
