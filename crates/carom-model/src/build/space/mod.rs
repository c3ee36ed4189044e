//! From a description in space to a model.

use super::space_frames::Said;
use super::{Builder, Built};
use crate::check;
use crate::description::Start;
use crate::description::space::{Body, Description, Point};
use crate::error::{ModelError, Problem};
use crate::forces::{Gyroscopic, SpaceForce};
use crate::geometry::space::{M3, V3, quaternion_of, turn_z_to};
use crate::geometry::{Geometry, Space, Vector, scale, sub};
use crate::layout::{BodyLayout, SpaceAnchor};
use crate::model::{self, Model};
use crate::outline::space::outlines;
use crate::place::{Carrier, First, Marker, Place};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::{Quaternion, cross};

mod contact;
mod crowd;
mod joint;

pub(crate) use joint::{ANGLE_LIMITS, Ends, LIMITS, Rubbing, framed};

/// The builder of models in space.
pub(crate) type SpaceBuilder<'a> = Builder<'a, Space>;

/// The frame of a body against itself.
const UNTURNED: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// What a reference such as `crank.tip` means.
#[derive(Clone, Debug)]
pub(crate) struct SpaceFrame {
    pub marker: Marker<Space>,
    /// Its axes against the body; z is the axis of a joint.
    pub held: Quaternion,
    /// How much of its axes the description says.
    pub said: Said,
    /// The place for those who draw and list.
    pub anchor: SpaceAnchor,
}

impl<'a> SpaceBuilder<'a> {
    pub fn new(description: &'a Description) -> Self {
        let scales = crate::scale::space::scales(description);
        Self::empty(description, &description.title, &description.simulation, scales)
    }

    pub fn build(mut self) -> Result<Model<Space>, Vec<ModelError>> {
        let description = self.description;
        self.check();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.rigid_bodies();
        self.model.outlines = outlines(description);
        let start = Configuration::new(&self.model, 0.0, &self.model.q, &self.model.v);
        // what couples or drives joints comes after them, whatever the order in the description
        let mut attachments = vec![None; description.joints.len()];
        // what refers to a joint that is wrong itself would only repeat the message
        let mut wrong: Vec<&str> = Vec::new();
        for second in [false, true] {
            for (i, (key, joint)) in description.joints.iter().enumerate() {
                let told = second && joint.between().iter().any(|name| wrong.contains(&name.as_str()));
                if joint.refers_to_joints() == second && !told {
                    match joint.build(key, &mut self, &start) {
                        Ok(attachment) => attachments[i] = Some(attachment),
                        Err(error) => {
                            wrong.push(key);
                            self.errors.push(error);
                        }
                    }
                }
            }
        }
        self.model.layout.joints.extend(attachments.into_iter().flatten());
        for (key, force) in &description.forces {
            if force.between().iter().any(|name| wrong.contains(&name.as_str())) {
                continue;
            }
            match force.build(key, &mut self, &start) {
                Ok(attachment) => self.model.layout.forces.push(attachment),
                Err(error) => self.errors.push(error),
            }
        }
        self.check_groups();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        for (key, contact) in
            description.contacts.iter().filter(|(_, c)| !self.is_between_groups(c)).collect::<Vec<_>>()
        {
            let result = self.contact(key, contact);
            self.note(result);
        }
        self.gears(&start);
        self.list_gears();
        // the numbers of what comes and goes are behind those of what stays
        let result = self.crowd();
        self.note(result);
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.events(&description.events);
        self.tangent_pattern();
        self.model.complete_structure();
        // an equilibrium pushes apart what overlaps
        if description.simulation.start == Start::Given {
            self.penetration();
        }
        if self.errors.is_empty() { Ok(self.model) } else { Err(self.errors) }
    }

    /// Names and plain numbers of everything.
    fn check(&mut self) {
        let description = self.description;
        if description.version > 1 {
            let problem = Problem::Version { version: description.version };
            self.errors.push(ModelError::new(&["version"], problem));
        }
        if description.bodies.is_empty() {
            self.errors.push(ModelError::new(&["bodies"], Problem::NoBodies));
        }
        check::names(check::sections!(description), &description.simulation, &mut self.errors);
        self.make_tables(&description.tables);
        self.take_functions(&description.functions);
        self.note(check::finite_all(&description.gravity, "gravity", &["gravity"]));
        let ground = &description.ground;
        self.note(check::space::places(&["ground"], &ground.points, &ground.shapes));
        for (key, body) in &description.bodies {
            self.note(check::space::body(key, body));
            self.note(check::space::places(&["bodies", key], &body.points, &body.shapes));
        }
        for (key, joint) in &description.joints {
            self.note(joint.check(key));
        }
        for (key, force) in &description.forces {
            self.note(force.check(key));
        }
        for (key, contact) in &description.contacts {
            let (e_N, mu) = (contact.restitution.unwrap_or(0.0), contact.friction.unwrap_or(0.0));
            self.note(check::surface(&["contacts", key], e_N, contact.tangential_restitution, mu));
            self.note(
                check::number(contact.overlap, "overlap", &["contacts", key, "overlap"]).not_negative(),
            );
            for (arm, field) in [(contact.rolling, "rolling"), (contact.drilling, "drilling")] {
                self.note(check::number(arm.unwrap_or(0.0), field, &["contacts", key, field]).not_negative());
            }
        }
        for (key, gear) in &description.gears {
            self.note(super::gear::check(key, gear));
        }
        self.note(check::simulation(&description.simulation));
    }

    fn rigid_bodies(&mut self) {
        let ground = self.model.room(Space::SLOT);
        debug_assert_eq!(ground, 0, "ground comes first");
        let description = self.description;
        for (key, body) in &description.bodies {
            let (mass, inertia) = inertia(body);
            let layout =
                BodyLayout { name: key.clone(), kind: body.kind(), inertia: None, inertia_matrix: inertia };
            self.model.layout.bodies.push(layout);
            let slot = self.model.room(Space::SLOT);
            let model = &mut self.model;
            let number = model.bodies.len() as u32;
            let (q, v) = (model.q.len(), model.v.len());
            let first = First { q: q as u32, v: v as u32 };
            model.q.extend(body.position);
            model.v.extend(body.velocity);
            model.mass.extend([mass; 3]);
            model.weight.extend(description.gravity.map(|g| mass * g));
            if let Some(J) = inertia {
                let turned = body.rotation.as_ref().map_or(Ok(UNTURNED), |r| r.quaternion());
                model.q.extend(turned.expect("rotations are checked"));
                model.v.extend(body.angular_velocity);
                model.mass.extend([0, 1, 2].map(|k| J[k][k]));
                model.weight.extend([0.0; 3]);
            }
            model.structure.pattern.mass.extend((v..model.v.len()).map(|i| (i as u32, i as u32)));
            model.mass_values.extend_from_slice(&model.mass[v..]);
            if let Some(J) = inertia {
                for (i, j) in [(1, 0), (2, 0), (2, 1)].into_iter().filter(|&(i, j)| J[i][j] != 0.0) {
                    let entry = ((v + 3 + i) as u32, (v + 3 + j) as u32);
                    model.structure.pattern.mass.push(entry);
                    model.mass_values.push(J[i][j]);
                    model.products.push((entry.0, entry.1, J[i][j]));
                }
                if !is_round(&J) {
                    let first = (v + 3) as u32;
                    model.forces.push(SpaceForce::Gyroscopic(Gyroscopic { first, inertia: J }));
                }
            }
            let carrier = if inertia.is_some() { Carrier::Rigid(first) } else { Carrier::Point(first) };
            let place = Place { body: number, slot, carrier };
            let marker = |point: &Point| Marker { place: place.clone(), local: point.place() };
            let points = body.points.iter().map(|(name, point)| (name.clone(), marker(point))).collect();
            let (q, v) = (q..model.q.len(), v..model.v.len());
            model.bodies.push(model::Body { name: key.clone(), place, q, v, points, flexible: None });
        }
    }

    /// The frame of a body by name.
    pub fn place(&self, name: &str, path: &[&str]) -> Built<Place<Space>> {
        let bodies = &self.description.bodies;
        self.place_among(name, bodies.get_index_of(name), bodies.keys(), path)
    }

    /// A body (its centre of mass) or a point of it.
    pub fn frame(&self, reference: &str, path: &[&str]) -> Built<SpaceFrame> {
        let (name, point) = match reference.split_once('.') {
            Some((body, point)) => (body, Some(point)),
            None => (reference, None),
        };
        let place = self.place(name, path)?;
        let points = match self.description.bodies.get(name) {
            Some(body) => &body.points,
            None => &self.description.ground.points,
        };
        let (local, held, said) = match point {
            None => ([0.0; 3], UNTURNED, Said::Nothing),
            Some(point) => match points.get(point) {
                Some(described) => (described.place(), axes_of_point(described), Said::of(described)),
                None => {
                    let known = points.keys().map(|p| format!("{name}.{p}")).collect();
                    let problem = Problem::Unknown { what: "point", name: reference.into(), known };
                    return Err(ModelError::new(path, problem));
                }
            },
        };
        let anchor = SpaceAnchor { body: name.into(), at: local, rotation: held };
        Ok(SpaceFrame { marker: Marker { place, local }, held, said, anchor })
    }

    /// Two places on two different bodies.
    pub fn pair(&self, section: &str, key: &str, between: &[String; 2]) -> Built<[SpaceFrame; 2]> {
        let first = self.frame(&between[0], &[section, key, "between", "0"])?;
        let second = self.frame(&between[1], &[section, key, "between", "1"])?;
        self.two_bodies(&first.marker.place, &second.marker.place, &[section, key, "between"])?;
        Ok([first, second])
    }
}

/// Mass, and the matrix of inertia of what turns.
fn inertia(body: &Body) -> (f64, Option<M3>) {
    match body.density {
        Some(density) => {
            let whole = check::space::of_shapes(body, density).expect("densities are checked");
            (whole.mass, Some(whole.inertia))
        }
        None => (body.mass, body.inertia.as_deref().and_then(check::space::inertia_matrix)),
    }
}

/// Whether every axis is a principal one of the same moment: then nothing is gyroscopic.
fn is_round(J: &M3) -> bool {
    J[0][0] == J[1][1] && J[1][1] == J[2][2] && [J[1][0], J[2][0], J[2][1]] == [0.0; 3]
}

/// Axes of a point against its body.
pub(crate) fn axes_of_point(point: &Point) -> Quaternion {
    let Point::Frame { axis, x, rotation, .. } = point else { return UNTURNED };
    match (rotation, axis, x) {
        (Some(rotation), ..) => rotation.quaternion().expect("rotations are checked"),
        (None, Some(axis), Some(x)) => {
            let z = scale(1.0 / axis.norm(), *axis);
            let x = sub(*x, scale(x.dot(z), z));
            let x = scale(1.0 / x.norm(), x);
            let y: V3 = cross(z, x);
            quaternion_of(&std::array::from_fn(|i| [x[i], y[i], z[i]]))
        }
        (None, Some(axis), None) => turn_z_to(*axis).expect("axes are checked"),
        (None, None, _) => UNTURNED,
    }
}
