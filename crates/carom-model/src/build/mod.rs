//! From a description to a model: resolves names once, compiles formulas, and lets every kind of joint, force and body
//! add what it is made of.

mod contact;
mod event;
mod flexible;
mod gear;
mod joint;
mod law;
mod space;
mod space_frames;
mod table;

use crate::check;
use crate::contacts::Contacts;
use crate::description::{Description, Expression, Point, Shape, Simulation, Start};
use crate::error::{ModelError, Problem};
use crate::expression::{Callables, Formula};
use crate::forces::Smooth;
use crate::geometry::plane::V2;
use crate::geometry::{Geometry, Plane};
use crate::layout::{Anchor, BodyLayout, Mark};
use crate::mechanics::Mechanics;
use crate::model::{Body, Model, Signal};
use crate::outline::Outline;
use crate::place::{Carrier, First, Marker, Place};
use carom_dynamics::{Configuration, GAP_ROUND_OFF, Pattern, Sizes, Structure, System};
use std::collections::BTreeMap;

pub(crate) use law::{Gives, Sense, Unit, Words};
pub(crate) use space::{ANGLE_LIMITS, Ends, LIMITS, Rubbing, SpaceBuilder, framed};
pub(crate) use space_frames::Agree;

/// What a word of a formula may be.
pub(crate) const CHANNEL_OR_PARAMETER: &str = "channel or parameter";

/// How far a contact may be closed at the start, relative to the length scale: round-off of what was computed to
/// place the bodies.
pub(crate) const TOUCHING: f64 = 1e-9;

/// A misfit of the joints beyond this, relative to the length scale, is left to the assembly; the gaps are then
/// checked there.
const FITTING: f64 = 1e-9;

pub(crate) type Built<T> = Result<T, ModelError>;

/// What a reference such as `crank.tip` means.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub marker: Marker,
    /// Angle of its frame against the body.
    pub angle: f64,
    /// The place for those who draw and list.
    pub anchor: Anchor,
    /// Place in the frame of the undeformed body; a node has none of its own.
    undeformed: Option<V2>,
}

pub(crate) struct Builder<'a, S: Mechanics = Plane> {
    description: &'a S::Description,
    errors: Vec<ModelError>,
    model: Model<S>,
    /// Rows of Φ so far.
    rows: usize,
    /// Nodes of flexible bodies that may touch, by body and node.
    touching_nodes: BTreeMap<(u32, usize), Place<S>>,
    /// Curves that formulas may call.
    callables: Callables,
}

impl<'a, S: Mechanics> Builder<'a, S> {
    /// Nothing built yet; `scales` are the typical length and the largest coordinate.
    fn empty(
        description: &'a S::Description,
        title: &str,
        simulation: &Simulation,
        (length_scale, far): (f64, f64),
    ) -> Self {
        let structure = Structure {
            mass_is_constant: true,
            far,
            ..Structure::new(Sizes::default(), Pattern::default(), length_scale)
        };
        let model = Model {
            title: title.into(),
            simulation: simulation.clone(),
            structure,
            bodies: Vec::new(),
            flexible_at: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            mass: Vec::new(),
            mass_values: Vec::new(),
            products: Vec::new(),
            weight: Vec::new(),
            joints: Vec::new(),
            measured: Vec::new(),
            driven: Vec::new(),
            forces: Vec::new(),
            scatter: Vec::new(),
            contacts: S::Contacts::default(),
            gears: Vec::new(),
            contact_path: Vec::new(),
            formulas: Vec::new(),
            switches: Vec::new(),
            events: Vec::new(),
            event_angles: Vec::new(),
            carried: Vec::new(),
            outlines: Vec::new(),
            layout: S::Layout::default(),
        };
        Self {
            description,
            errors: Vec::new(),
            model,
            rows: 0,
            touching_nodes: BTreeMap::new(),
            callables: Callables::default(),
        }
    }

    fn note(&mut self, result: Built<()>) {
        self.errors.extend(result.err());
    }

    pub fn body_name(&self, place: &Place<S>) -> &str {
        self.model.bodies.get(place.body as usize).map_or("ground", |b| &b.name)
    }

    /// Two different bodies, or two points of a flexible one.
    pub fn two_bodies(&self, first: &Place<S>, second: &Place<S>, path: &[&str]) -> Built<()> {
        let apart = first.is_flexible() && first.slot != second.slot;
        if first.body == second.body && !apart {
            let body = self.body_name(first).to_string();
            return Err(ModelError::new(path, Problem::SameBody { body }));
        }
        Ok(())
    }

    fn ground(&self) -> Place<S> {
        Place { body: self.model.bodies.len() as u32, slot: 0, carrier: Carrier::Ground }
    }

    /// The frame of a body by name, among `known`.
    fn place_among<'k>(
        &self,
        name: &str,
        number: Option<usize>,
        known: impl Iterator<Item = &'k String>,
        path: &[&str],
    ) -> Built<Place<S>> {
        if name == "ground" {
            return Ok(self.ground());
        }
        match number {
            Some(i) => Ok(self.model.bodies[i].place.clone()),
            None => {
                let known = known.cloned().chain(["ground".to_string()]).collect();
                Err(ModelError::new(path, Problem::Unknown { what: "body", name: name.into(), known }))
            }
        }
    }

    /// A number or a function of time.
    pub fn signal(&mut self, expression: &Expression, path: &[&str]) -> Built<Signal> {
        let text = match expression {
            Expression::Constant(value) => return Ok(Signal::Constant(*value)),
            Expression::Formula(text) => text,
        };
        let wrong = |error| ModelError::new(path, Problem::Formula { text: text.clone(), error });
        let body = text.trim_start();
        let formula = Formula::parse(body.strip_prefix('=').unwrap_or(body)).map_err(wrong)?;
        let formula = formula.bind(&|_| None).map_err(wrong)?;
        self.signal_of(formula, path)
    }

    /// A formula of time.
    fn signal_of(&mut self, formula: Formula, path: &[&str]) -> Built<Signal> {
        let value = formula.jet(0.0).value;
        if !value.is_finite() {
            return Err(ModelError::new(path, Problem::NotFinite { quantity: "value at t = 0", value }));
        }
        if formula.is_constant() {
            return Ok(Signal::Constant(value));
        }
        for switch in formula.switches() {
            if !self.model.switches.contains(&switch) {
                self.model.switches.push(switch);
            }
        }
        let from = self.model.room(3);
        self.model.formulas.push((from, formula));
        Ok(Signal::Derived(from))
    }

    /// A length typical of the mechanism (m).
    pub fn length_scale(&self) -> f64 {
        self.model.structure.length_scale
    }

    pub fn add_force(&mut self, force: S::Force) {
        self.model.forces.push(force);
    }

    /// Entries of K and C, each once: those of flexible bodies as they write them, then what the forces add, sorted;
    /// and where each entry of each force goes.
    fn tangent_pattern(&mut self) {
        let model = &mut self.model;
        let at = Configuration::new(model, 0.0, &model.q, &model.v);
        let mut entries = Vec::new();
        let (mut others, mut before) = (false, 0);
        for force in &model.forces {
            force.tangents(&at, |row, column, _, _| entries.push((row as u32, column as u32)));
            others |= !force.is_gyroscopic() && entries.len() > before;
            before = entries.len();
        }
        let gyroscopic = !others && model.structure.pattern.tangent.is_empty();
        let mut known: BTreeMap<(u32, u32), u32> = model
            .structure
            .pattern
            .tangent
            .iter()
            .enumerate()
            .map(|(place, &entry)| (entry, place as u32))
            .collect();
        let mut new: Vec<(u32, u32)> = entries.iter().filter(|e| !known.contains_key(e)).copied().collect();
        new.sort_unstable();
        new.dedup();
        for entry in new {
            known.insert(entry, model.structure.pattern.tangent.len() as u32);
            model.structure.pattern.tangent.push(entry);
        }
        model.structure.gyroscopic = gyroscopic && !entries.is_empty();
        model.scatter = entries.iter().map(|entry| known[entry]).collect();
    }

    /// Contacts must not be closed beyond touching at the start.
    fn penetration(&mut self) {
        let model = &self.model;
        let at = Configuration::new(model, 0.0, &model.q, &model.v);
        let mut phi = vec![0.0; self.rows];
        model.constraints(&at, &mut phi);
        let fitting = (FITTING * model.structure.length_scale).max(GAP_ROUND_OFF * model.structure.far);
        if phi.iter().any(|phi| phi.abs() > fitting) {
            return;
        }
        self.errors.extend(model.penetrated(&at));
    }
}

impl<'a> Builder<'a> {
    pub fn new(description: &'a Description) -> Self {
        let scales = crate::scale::scales(description);
        Self::empty(description, &description.title, &description.simulation, scales)
    }

    pub fn build(mut self) -> Result<Model, Vec<ModelError>> {
        let description = self.description;
        self.check();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.bodies();
        // What refers to a body that is wrong itself would only repeat the message.
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.model.outlines = crate::outline::outlines(description, self.model.structure.length_scale);
        let start = Configuration::new(&self.model, 0.0, &self.model.q, &self.model.v);
        for (key, joint) in &description.joints {
            match joint.build(key, &mut self, &start) {
                Ok(attachment) => self.model.layout.joints.push(attachment),
                Err(error) => self.errors.push(error),
            }
        }
        for (key, force) in &description.forces {
            match force.build(key, &mut self, &start) {
                Ok(attachment) => self.model.layout.forces.push(attachment),
                Err(error) => self.errors.push(error),
            }
        }
        for (key, contact) in &description.contacts {
            let result = self.contact(key, contact);
            self.note(result);
        }
        self.gears(&start);
        self.list_gears();
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.events(&description.events);
        self.tangent_pattern();
        self.deforming_outlines();
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
        // A description built in a program may leave the version at its default.
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
        for g in description.gravity {
            self.note(check::number(g, "gravity", &["gravity"]).finite());
        }
        let ground = &description.ground;
        self.note(check::places(&["ground"], &ground.points, &ground.shapes, false));
        for (key, body) in &description.bodies {
            self.note(check::body(key, body));
            let flexible = body.elastic.is_some();
            self.note(check::places(&["bodies", key], &body.points, &body.shapes, flexible));
        }
        for (key, joint) in &description.joints {
            self.note(joint.check(key));
        }
        for (key, force) in &description.forces {
            self.note(force.check(key));
        }
        for (key, contact) in &description.contacts {
            let (e_N, e_T, mu) = (contact.restitution, contact.tangential_restitution, contact.friction);
            self.note(check::surface(&["contacts", key], e_N, e_T, mu));
        }
        for (key, gear) in &description.gears {
            self.note(gear::check(key, gear));
        }
        self.note(check::simulation(&description.simulation));
    }

    fn bodies(&mut self) {
        let ground = self.model.room(Plane::SLOT);
        debug_assert_eq!(ground, 0, "ground comes first");
        let description = self.description;
        for (key, body) in &description.bodies {
            let (mass, inertia) = match crate::area::mass_and_inertia(key, body) {
                Ok(numbers) => numbers,
                Err(error) => {
                    self.errors.push(error);
                    continue;
                }
            };
            let inertia = inertia.filter(|_| body.elastic.is_none());
            let layout = BodyLayout { name: key.clone(), kind: body.kind(), inertia, inertia_matrix: None };
            self.model.layout.bodies.push(layout);
            if let Some(elastic) = &body.elastic {
                let result = self.flexible_body(key, body, elastic);
                self.note(result);
                continue;
            }
            let slot = self.model.room(Plane::SLOT);
            let model = &mut self.model;
            let number = model.bodies.len() as u32;
            let (q, v) = (model.q.len(), model.v.len());
            let first = First { q: q as u32, v: v as u32 };
            let carrier = match inertia {
                Some(_) => Carrier::Rigid(first),
                None => Carrier::Point(first),
            };
            model.q.extend(body.position);
            model.v.extend(body.velocity);
            model.mass.extend([mass; 2]);
            model.weight.extend(description.gravity.map(|g| mass * g));
            if let Some(inertia) = inertia {
                model.q.push(body.angle);
                model.v.push(body.angular_velocity);
                model.mass.push(inertia);
                model.weight.push(0.0);
            }
            model.structure.pattern.mass.extend((v..model.v.len()).map(|i| (i as u32, i as u32)));
            model.mass_values.extend_from_slice(&model.mass[v..]);
            let place = Place { body: number, slot, carrier };
            let marker = |point: &Point| {
                let local = point.place().expect("only flexible bodies have nodes");
                Marker { place: place.clone(), local }
            };
            let points = body.points.iter().map(|(name, point)| (name.clone(), marker(point))).collect();
            let (q, v) = (q..model.q.len(), v..model.v.len());
            model.bodies.push(Body { name: key.clone(), place, q, v, points, flexible: None });
        }
    }

    /// The frame of a body by name.
    pub fn place(&self, name: &str, path: &[&str]) -> Built<Place> {
        let bodies = &self.description.bodies;
        self.place_among(name, bodies.get_index_of(name), bodies.keys(), path)
    }

    /// A body, or the body of a point; point masses have no angle and are an error.
    pub fn turning_place(&self, reference: &str, path: &[&str]) -> Built<(Place, Anchor)> {
        let Frame { marker: Marker { place, .. }, anchor, .. } = self.frame(reference, path)?;
        if !place.takes_torque() {
            return Err(ModelError::new(path, Problem::NoAngle { body: self.body_name(&place).into() }));
        }
        Ok((place, anchor))
    }

    /// A shape by name, if there is one.
    pub fn shape(&self, reference: &str) -> Option<&'a Shape> {
        let (body, name) = reference.split_once('.')?;
        match self.description.bodies.get(body) {
            Some(body) => body.shapes.get(name),
            None if body == "ground" => self.description.ground.shapes.get(name),
            None => None,
        }
    }

    /// A body (its centre of mass) or a point of it.
    pub fn frame(&self, reference: &str, path: &[&str]) -> Built<Frame> {
        let (name, point) = match reference.split_once('.') {
            Some((body, point)) => (body, Some(point)),
            None => (reference, None),
        };
        let place = self.place(name, path)?;
        let points = match self.description.bodies.get(name) {
            Some(body) => &body.points,
            None => &self.description.ground.points,
        };
        let flexible = self.model.bodies.get(place.body as usize).and_then(|b| b.flexible.as_ref());
        let Some(point) = point else {
            if flexible.is_some() {
                let points = points.keys().cloned().collect();
                return Err(ModelError::new(path, Problem::WhichPoint { body: name.into(), points }));
            }
            let anchor = Anchor { body: name.into(), ..Anchor::default() };
            let marker = Marker { place, local: [0.0; 2] };
            return Ok(Frame { marker, angle: 0.0, anchor, undeformed: Some([0.0; 2]) });
        };
        let Some(described) = points.get(point) else {
            let known = points.keys().map(|p| format!("{name}.{p}")).collect();
            return Err(ModelError::new(
                path,
                Problem::Unknown { what: "point", name: reference.into(), known },
            ));
        };
        let (angle, undeformed) = (described.angle(), described.place());
        if let Some(flexible) = flexible {
            let carried = flexible.points.iter().find(|(name, _)| name == point);
            let (_, place) = carried.expect("every described point is carried");
            let marker = Marker { place: place.clone(), local: [0.0; 2] };
            // points that do not turn have no channel of an angle: that of their body is added here
            let turned = flexible.body.frame_angle() + angle;
            let anchor = Anchor { body: reference.into(), at: [0.0; 2], angle: turned };
            return Ok(Frame { marker, angle, anchor, undeformed });
        }
        let local = undeformed.expect("only flexible bodies have nodes");
        let anchor = Anchor { body: name.into(), at: local, angle };
        Ok(Frame { marker: Marker { place, local }, angle, anchor, undeformed })
    }

    /// Two places on two different bodies.
    pub fn pair(&self, section: &str, key: &str, between: &[String; 2]) -> Built<[Frame; 2]> {
        let first = self.frame(&between[0], &[section, key, "between", "0"])?;
        let second = self.frame(&between[1], &[section, key, "between", "1"])?;
        self.two_bodies(&first.marker.place, &second.marker.place, &[section, key, "between"])?;
        Ok([first, second])
    }

    /// Gravity (m/s²).
    pub fn gravity(&self) -> V2 {
        self.description.gravity
    }

    /// Adds to what is drawn of the body of a frame: calls with its outline, the place of the frame in the undeformed body
    /// and the direction of its x axis there.
    pub fn outline(&mut self, frame: &Frame, draw: impl FnOnce(&mut Outline, V2, V2)) {
        let Some(at) = frame.undeformed else { return };
        draw(&mut self.model.outlines[frame.marker.place.body as usize], at, direction(frame.angle));
    }

    /// Notes where a joint with clearance may touch.
    pub fn mark(&mut self, mark: Mark) {
        self.model.layout.joint_marks.push(mark);
    }
}

impl<S: Mechanics> Model<S> {
    /// Contacts closed beyond touching.
    pub(crate) fn penetrated(&self, at: &Configuration) -> Vec<ModelError> {
        let mut gaps = vec![0.0; self.contacts.len()];
        self.gaps(at, &mut gaps);
        let touching = (TOUCHING * self.structure.length_scale).max(GAP_ROUND_OFF * self.structure.far);
        let closed = (0..gaps.len()).filter(|&i| gaps[i].is_finite() && gaps[i] < -touching);
        let error = |i: usize, depth: f64| {
            let info = &self.structure.contacts[i];
            let contact = info.name.clone();
            let problem = match info.stop {
                None => Problem::Penetration { contact, depth },
                Some(stop) => Problem::BeyondLimit {
                    stop: contact,
                    value: stop.coordinate(-depth),
                    limit: stop.limit,
                    unit: stop.quantity.unit(),
                },
            };
            ModelError::new(&self.contact_path[i], problem)
        };
        let mut errors: Vec<ModelError> = Vec::new();
        let mut last = None;
        // of outlines the first place that is too deep says it for all
        for i in closed {
            let name = Some(&self.structure.contacts[i].name);
            if name != last {
                errors.push(error(i, -gaps[i]));
            }
            last = name;
        }
        let crossed = self.contacts.crossed(at, &gaps, touching);
        errors.extend(crossed.into_iter().map(|(i, depth)| error(i, depth)));
        let overlaps = self.contacts.overlaps(at, touching);
        if let Some(&(law, ..)) = overlaps.first() {
            let pairs = overlaps.into_iter().map(|(_, names, depth)| (names, depth)).collect();
            errors.push(ModelError::new(&self.contact_path[law], Problem::Overlaps { pairs }));
        }
        errors
    }
}

/// Direction of angle `angle`.
pub(crate) fn direction(angle: f64) -> V2 {
    let (s, c) = angle.sin_cos();
    [c, s]
}
