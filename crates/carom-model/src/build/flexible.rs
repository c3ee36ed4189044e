//! Flexible bodies: their coordinates, their points, what is drawn of them.

use super::{Builder, Built};
use crate::bodies::{self, Local, Start};
use crate::description::{self, Elastic, Point};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{Angle, to_local};
use crate::geometry::{Geometry, Plane};
use crate::model::{Body, Flexibility};
use crate::place::{Base, Carried, Carrier, First, Place, Shape};
use carom_elastic::{Material, PointShapes};
use std::sync::Arc;

impl Builder<'_> {
    pub(super) fn flexible_body(
        &mut self,
        key: &str,
        body: &description::Body,
        elastic: &Elastic,
    ) -> Built<()> {
        let flexible = elastic.build(key, body, self)?;
        let start = Start {
            position: body.position,
            angle: body.angle,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
        };
        let (q, v) = flexible.start(&start);
        let slot = self.model.room(Plane::SLOT);
        let derived = self.model.room(flexible.derived_len()) as usize;
        let model = &mut self.model;
        let number = model.bodies.len() as u32;
        let own_q = model.q.len()..model.q.len() + q.len();
        let own_v = model.v.len()..model.v.len() + v.len();
        let first = First { q: own_q.start as u32, v: own_v.start as u32 };
        let offset = |&(i, j): &(u32, u32)| (i + first.v, j + first.v);
        let mass = model.structure.pattern.mass.len()
            ..model.structure.pattern.mass.len() + flexible.mass_pattern().len();
        model.structure.pattern.mass.extend(flexible.mass_pattern().iter().map(offset));
        model.mass_values.resize(mass.end, 0.0);
        let mut numbers = vec![0.0; flexible.derived_len()];
        flexible.derive(&q, &mut numbers);
        let local = Local { q: &q, v: &v, derived: &numbers };
        flexible.mass(local, &mut model.mass_values[mass.clone()]);
        model.mass.resize(own_v.end, 0.0);
        for (&(i, j), &m) in
            model.structure.pattern.mass[mass.clone()].iter().zip(&model.mass_values[mass.clone()])
        {
            if i == j {
                model.mass[i as usize] = m;
            }
        }
        model.structure.mass_is_constant &= flexible.mass_is_constant();
        let tangent = model.structure.pattern.tangent.len()
            ..model.structure.pattern.tangent.len() + flexible.tangent_pattern().len();
        model.structure.pattern.tangent.extend(flexible.tangent_pattern().iter().map(offset));
        model.weight.resize(own_v.end, 0.0);
        model.q.extend(q);
        model.v.extend(v);
        let carrier = if flexible.floats() { Carrier::Rigid(first) } else { Carrier::Ground };
        let place = Place { body: number, slot, carrier };
        let outputs = flexible.outputs().len();
        let derived = derived..derived + numbers.len();
        let flexibility = Flexibility {
            body: flexible.clone(),
            mass,
            tangent,
            derived,
            points: Vec::new(),
            shape: Vec::new(),
            knows_stress: flexible.knows_stress(),
            outputs,
        };
        model.flexible_at.push(model.bodies.len());
        let flexible_part = Some(flexibility);
        model.bodies.push(Body {
            name: key.into(),
            place,
            q: own_q,
            v: own_v,
            points: Vec::new(),
            flexible: flexible_part,
        });
        if !flexible.floats() {
            // its frame is that of its first end
            let shapes = flexible.point(Material::Node(0)).expect("a body has a first node");
            self.model.bodies[number as usize].place = self.carry(number, shapes, true);
        }
        let points = self.points_of(number, key, body, &*flexible)?;
        self.flexibility(number).points = points;
        Ok(())
    }

    /// The named points of a flexible body.
    fn points_of(
        &mut self,
        number: u32,
        key: &str,
        body: &description::Body,
        flexible: &dyn bodies::Flexible,
    ) -> Built<Vec<(String, Place)>> {
        let mut points = Vec::new();
        for (name, point) in &body.points {
            let material = match *point {
                Point::At(at) | Point::Frame { at, .. } => Material::At(at),
                Point::Node { node, .. } => Material::Node(node),
            };
            let wrong = |error| ModelError::new(&["bodies", key, "points", name], Problem::Elastic(error));
            let shapes = flexible.point(material).map_err(wrong)?;
            points.push((name.clone(), self.carry(number, shapes, true)));
        }
        Ok(points)
    }

    fn flexibility(&mut self, body: u32) -> &mut Flexibility {
        self.model.bodies[body as usize].flexible.as_mut().expect("asked of flexible bodies only")
    }

    /// A frame on a flexible body; without turning where only its place matters.
    pub(super) fn carry(&mut self, body: u32, point: PointShapes, turning: bool) -> Place {
        let slot = self.model.room(Plane::SLOT);
        let carried = Arc::new(self.carried(body, point, turning));
        self.model.carried.push((slot, carried.clone()));
        Place { body, slot, carrier: Carrier::Shapes(carried) }
    }

    fn carried(&self, body: u32, point: PointShapes, turning: bool) -> Carried {
        let owner = &self.model.bodies[body as usize];
        let (q, v) = (owner.q.start as u32, owner.v.start as u32);
        let floats = matches!(owner.place.carrier, Carrier::Rigid(_));
        let floating = floats.then_some(Base { q, v, slot: owner.place.slot });
        // coordinates of shapes come after those of the frame
        let (frame_q, frame_v) = if floats { Plane::RIGID } else { (0, 0) };
        let (first, lead) = (v + frame_v as u32, q + frame_q as u32 - v - frame_v as u32);
        let shape = |&(k, S, s): &(u32, [f64; 2], f64)| Shape {
            column: first + k,
            S,
            s: if turning { s } else { 0.0 },
        };
        let moves = |shape: &Shape| shape.S != [0.0; 2] || shape.s != 0.0;
        let shapes: Vec<Shape> = point.columns.iter().map(shape).filter(moves).collect();
        let bends = shapes.iter().any(|shape| shape.s != 0.0);
        let angle = owner.flexible.as_ref().map_or(0.0, |f| f.body.frame_angle());
        Carried { floating, origin: point.u_0, held: Angle::new(angle), shapes, bends, lead }
    }

    /// Points to draw of every flexible body, and the chains they make.
    pub(super) fn deforming_outlines(&mut self) {
        for number in self.model.flexible_at.clone() {
            let flexible = self.flexibility(number as u32).body.clone();
            let outline = flexible.outline();
            let points = bodies::shape_points(&outline);
            let number_of = |material: &Material| {
                points.iter().position(|point| point == material).expect("every point has a number")
            };
            let chains = outline.iter().map(|chain| chain.iter().map(number_of).collect()).collect();
            let carried = |material: &Material| {
                let point = flexible.point(*material).expect("an outline is made of material points");
                self.carried(number as u32, point, false)
            };
            let shape: Vec<Carried> = points.iter().map(carried).collect();
            let reference = self.undeformed(number, &shape);
            self.flexibility(number as u32).shape = shape;
            let name = &self.model.bodies[number].name;
            let outline = self.model.outlines.iter_mut().find(|outline| outline.body == *name);
            let outline = outline.expect("every body has an outline");
            (outline.deforming, outline.reference) = (chains, reference);
        }
    }

    /// Points of a body in its frame while nothing is deformed.
    fn undeformed(&self, number: usize, points: &[Carried]) -> Vec<[f64; 2]> {
        let body = &self.model.bodies[number];
        let flexible = &body.flexible.as_ref().expect("asked of flexible bodies only").body;
        if flexible.floats() {
            return points.iter().map(|point| point.origin).collect();
        }
        // without a floating frame the points are in the inertial frame, and the frame is that of the first end
        let start = Start { position: [0.0; 2], angle: 0.0, velocity: [0.0; 2], angular_velocity: 0.0 };
        let mut q = vec![0.0; self.model.q.len()];
        q[body.q.clone()].copy_from_slice(&flexible.start(&start).0);
        let Carrier::Shapes(first) = &body.place.carrier else { unreachable!("its first end is a point") };
        let [x, y, cos, sin] = first.derive(&q, &[]);
        let local = |point: &Carried| {
            let [p_x, p_y, ..] = point.derive(&q, &[]);
            to_local(cos, sin, [p_x - x, p_y - y])
        };
        points.iter().map(local).collect()
    }
}
