//! The model answers a scheme.

use crate::contacts::{Element, HIDDEN, Meeting, Spot, Vicinity};
use crate::description::Record;
use crate::model::{Body, Flexibility, Model};
use crate::place::{Carrier, Place, SLOT, add, scale};
use carom_dynamics::{
    Channel, Configuration, Directions, Energy, Momenta, Power, Quantity, Room, Sizes, Structure, System,
    VelocityInfo,
};
use std::ops::Range;

/// Quantities of a body: name, unit, name of its rate, unit of its rate.
pub(crate) type Quantities = (&'static str, &'static str, &'static str, &'static str);
pub(crate) const QUANTITIES: [Quantities; 3] =
    [("x", "m", "vx", "m/s"), ("y", "m", "vy", "m/s"), ("angle", "rad", "omega", "rad/s")];

/// Where a contact acts and the direction of its normal, for pictures only.
///
/// A positive `force_n` pushes the partner named **first** along `touch.angle`, and a positive `force_t` pushes it along
/// `touch.angle` − 90°: n is the direction and t is n turned by −90° whichever partner is looked at (`contacts/mod.rs`).
/// The partner named second feels the opposite. Of a joint with clearance the hole or the guide is first. The place is
/// that of the touching body, which matters only while the contact is open. NaN where nothing faces what touches, and
/// where the boundary of a flexible body is further away than [`REACH`].
const TOUCH: [(&str, &str); 3] = [("touch.x", "m"), ("touch.y", "m"), ("touch.angle", "rad")];

/// How near a flexible boundary must be for its contacts to have a place, in lengths of the mechanism.
const REACH: f64 = 0.05;

/// Momentum of the whole, angular about the origin.
const MOMENTUM: [(&str, &str); 3] = [("x", "N s"), ("y", "N s"), ("angular", "N m s")];

/// What is recorded of a point of a flexible body.
pub(crate) fn quantities_of(place: &Place) -> &'static [Quantities] {
    &QUANTITIES[..if place.turns() { 3 } else { 2 }]
}

/// Writes values to the front of what is left of `out`.
fn put(out: &mut &mut [f64], values: &[f64]) {
    let (front, rest) = std::mem::take(out).split_at_mut(values.len());
    front.copy_from_slice(values);
    *out = rest;
}

impl System for Model {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        for body in &self.bodies {
            let v = body.first;
            let (sin, cos) = match body.place.carrier {
                Carrier::Rigid(_) => q[v + 2].sin_cos(),
                Carrier::Point(_) => (0.0, 1.0),
                Carrier::Ground | Carrier::Shapes(_) => continue,
            };
            let slot = body.place.slot as usize;
            derived[slot..slot + SLOT].copy_from_slice(&[q[v], q[v + 1], cos, sin]);
        }
        derived[..SLOT].copy_from_slice(&[0.0, 0.0, 1.0, 0.0]);
        for (body, flexible) in self.flexible() {
            let own = &q[body.first..body.first + body.dofs];
            flexible.body.derive(own, &mut derived[flexible.derived.clone()]);
        }
        for (slot, carried) in &self.carried {
            let frame = carried.derive(q, derived);
            derived[*slot as usize..*slot as usize + SLOT].copy_from_slice(&frame);
        }
        for (place, formula) in &self.formulas {
            let f = formula.jet(t);
            derived[*place as usize..*place as usize + 3].copy_from_slice(&[f.value, f.first, f.second]);
        }
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        M.copy_from_slice(&self.mass_values);
        if !self.structure.mass_is_constant {
            for (body, flexible) in self.flexible().filter(|(_, f)| !f.body.mass_is_constant()) {
                flexible.body.mass(body.local(flexible, at), &mut M[flexible.mass.clone()]);
            }
        }
    }

    fn momenta(&self) -> Option<&dyn Momenta> {
        self.has_momenta().then_some(self)
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&self.weight);
        for (body, flexible) in self.flexible() {
            flexible.body.add_force(body.local(flexible, at), &mut h[body.first..body.first + body.dofs]);
        }
        for force in &self.forces {
            force.add(at, h);
        }
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let mut of_bodies = 0;
        for (body, flexible) in self.flexible() {
            let range = flexible.tangent.clone();
            of_bodies = range.end;
            flexible.body.tangents(body.local(flexible, at), &mut K[range.clone()], &mut C[range]);
        }
        K[of_bodies..].fill(0.0);
        C[of_bodies..].fill(0.0);
        let mut places = self.scatter.iter();
        for force in &self.forces {
            force.tangents(at, |_, _, k, c| {
                let place = *places.next().expect("the pattern was built from the same entries") as usize;
                K[place] += k;
                C[place] += c;
            });
        }
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        for (row, joint) in &self.joints {
            let row = *row as usize;
            joint.residual(at, &mut phi[row..row + joint.quantities().len()]);
        }
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        // An iterator, not a counter: the optimiser takes minutes over the sums of a counter in bounds checks.
        let mut places = G.iter_mut();
        for (_, joint) in &self.joints {
            joint.jacobian(at, |_, _, value| {
                *places.next().expect("the pattern was built from the same entries") = value;
            });
        }
        self.rates_of_joints(at, phi_t);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        for (row, joint) in &self.joints {
            let row = *row as usize;
            joint.bias(at, &mut bias[row..row + joint.quantities().len()]);
        }
    }

    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let mut done = 0;
        // outlines that are far apart are asked once, not each of their contacts
        for meeting in &self.surfaces.meetings {
            self.gaps_of(at, done..meeting.first, g_N);
            done = meeting.first + meeting.count;
            if meeting.is_near(at, &self.surfaces) {
                self.gaps_of(at, meeting.first..done, g_N);
            } else {
                g_N[meeting.first..done].fill(f64::INFINITY);
            }
        }
        self.gaps_of(at, done..self.contacts.len(), g_N);
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        for &i in active {
            self.contacts[i].directions(at, &self.surfaces, at.piece(i), W);
        }
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let mut row = 0;
        for &i in active {
            let rows = self.contacts[i].rows();
            self.contacts[i].bias(at, &self.surfaces, at.piece(i), &mut bias[row..row + rows]);
            row += rows;
        }
    }

    fn pieces(&self, at: &Configuration, pieces: &mut [u32]) {
        let numbers = |pieces: &mut [u32], contacts: Range<usize>| {
            for (contact, piece) in self.contacts[contacts.clone()].iter().zip(&mut pieces[contacts]) {
                *piece = contact.number(at, &self.surfaces);
            }
        };
        let mut done = 0;
        for meeting in &self.surfaces.meetings {
            numbers(pieces, done..meeting.first);
            done = meeting.first + meeting.count;
            if meeting.is_near(at, &self.surfaces) {
                numbers(pieces, meeting.first..done);
            } else {
                pieces[meeting.first..done].fill(HIDDEN);
            }
        }
        numbers(pieces, done..self.contacts.len());
    }

    fn switch_values(&self, at: &Configuration, values: &mut [f64]) {
        for (formula, value) in self.switches.iter().zip(values) {
            *value = formula.jet(at.t()).value;
        }
    }

    fn event_values(&self, at: &Configuration, values: &mut [f64]) {
        for (event, value) in self.events.iter().zip(values) {
            *value = event.value(self, at);
        }
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let mut energy = Energy::default();
        for body in &self.bodies {
            if let Some(flexible) = &body.flexible {
                let local = body.local(flexible, at);
                energy.kinetic += flexible.body.kinetic(local);
                energy.potential += flexible.body.potential(local);
                energy.strain += flexible.body.strain(local);
                continue;
            }
            for i in body.first..body.first + body.dofs {
                energy.kinetic += 0.5 * self.mass[i] * at.v[i] * at.v[i];
                energy.potential -= self.weight[i] * at.q()[i];
            }
        }
        for force in &self.forces {
            energy.strain += force.strain(at);
        }
        energy
    }

    fn power(&self, at: &Configuration) -> Power {
        let mut power = Power::default();
        for force in &self.forces {
            force.power(at, &mut power);
        }
        for (body, flexible) in self.flexible() {
            power.damping -= flexible.body.loss(body.local(flexible, at));
        }
        power
    }

    fn observe(&self, at: &Configuration, mut out: &mut [f64]) {
        for body in &self.bodies {
            let Some(flexible) = &body.flexible else {
                let (from, n) = (body.first, body.dofs);
                put(&mut out, &at.q()[from..from + n]);
                put(&mut out, &at.v[from..from + n]);
                for (_, marker) in &body.points {
                    let placed = marker.at(at);
                    put(&mut out, &placed.r);
                    put(&mut out, &marker.velocity(at, &placed));
                }
                continue;
            };
            for (place, quantities) in std::iter::once((&body.place, &QUANTITIES[..]))
                .chain(flexible.points.iter().map(|(_, place)| (place, quantities_of(place))))
            {
                let ([x, y, _, _], [vx, vy]) = (place.frame(at), place.velocity(at));
                put(&mut out, &[x, y, place.angle(at)][..quantities.len()]);
                put(&mut out, &[vx, vy, place.omega(at)][..quantities.len()]);
            }
            let (outputs, rest) = std::mem::take(&mut out).split_at_mut(flexible.outputs);
            flexible.body.observe(body.local(flexible, at), outputs);
            out = rest;
            for carried in &flexible.shape {
                put(&mut out, &carried.derive(at.q(), at.derived())[..2]);
            }
            if flexible.knows_stress {
                let (stresses, rest) = std::mem::take(&mut out).split_at_mut(flexible.shape.len());
                flexible.body.stresses(body.local(flexible, at), stresses);
                out = rest;
            }
        }
        let (reach, mut near) = (REACH * self.structure.length_scale, Vicinity::default());
        for &(contact, sign) in &self.touches {
            let (contact, sign) = match &self.contacts[contact] {
                Element::Meet(_) => match self.nearest_of(at, contact) {
                    Some(nearest) => nearest,
                    None => {
                        put(&mut out, &[f64::NAN; 3]);
                        continue;
                    }
                },
                _ => (contact, sign),
            };
            let piece = at.piece(contact);
            let spot = self.contacts[contact].spot(at, &self.surfaces, piece, reach, &mut near);
            let touch = spot.map(|Spot { point: [x, y], n }| [x, y, (sign * n[1]).atan2(sign * n[0])]);
            put(&mut out, &touch.unwrap_or([f64::NAN; 3]));
        }
        if self.records(Record::Momentum) {
            put(&mut out, &self.momentum(at));
        }
    }

    fn observe_accelerations(&self, at: &Configuration, v_dot: &[f64], mut out: &mut [f64]) {
        for body in &self.bodies {
            let Some(flexible) = &body.flexible else {
                put(&mut out, &v_dot[body.first..body.first + body.dofs]);
                for (_, marker) in &body.points {
                    let placed = marker.at(at);
                    let mut a = marker.bias(at, &placed);
                    marker.place.columns(at, placed.arm, |c| a = add(a, scale(v_dot[c.index], c.J)));
                    put(&mut out, &a);
                }
                continue;
            };
            let frame = std::iter::once((&body.place, &QUANTITIES[..]));
            for (place, quantities) in
                frame.chain(flexible.points.iter().map(|(_, place)| (place, quantities_of(place))))
            {
                let (mut a, mut alpha) = (place.bias(at), 0.0);
                place.columns(at, [0.0; 2], |c| {
                    a = add(a, scale(v_dot[c.index], c.J));
                    alpha += c.s * v_dot[c.index];
                });
                put(&mut out, &[a[0], a[1], alpha][..quantities.len()]);
            }
        }
    }
}

impl Model {
    /// Fills in what is known of the structure when everything has been built.
    pub(crate) fn complete_structure(&mut self) {
        let channels = self.own_channels();
        let accelerations = self.accelerations(&channels);
        let has_damping = |(_, flexible): (&Body, &Flexibility)| flexible.body.has_damping();
        self.structure = Structure {
            sizes: Sizes {
                q: self.q.len(),
                v: self.v.len(),
                constraints: self.structure.constraints.last().map_or(0, |info| info.rows.end),
                contacts: self.contacts.len(),
            },
            tangents_are_constant: self.scatter.is_empty()
                && self.flexible().all(|(_, f)| f.body.tangents_are_constant()),
            floats: !self.structure.mass_is_constant,
            has_pieces: self.contacts.iter().any(|contact| contact.has_pieces(&self.surfaces)),
            switches: self.switches.len(),
            has_power: self.forces.iter().any(|force| force.has_power()) || self.flexible().any(has_damping),
            channels,
            accelerations,
            velocities: (0..self.v.len()).map(|i| self.velocity(i)).collect(),
            ..self.structure.clone()
        };
        self.structure.pattern.jacobian = self.jacobian_pattern();
    }

    fn jacobian_pattern(&self) -> Vec<(u32, u32)> {
        let at = Configuration::new(self, 0.0, &self.q, &self.v);
        let mut jacobian = Vec::new();
        for (first_row, joint) in &self.joints {
            joint.jacobian(&at, |row, column, _| jacobian.push((first_row + row as u32, column as u32)));
        }
        jacobian
    }

    /// What is recorded of bodies, contacts and the whole.
    pub(crate) fn own_channels(&self) -> Vec<Channel> {
        let mut channels = Vec::new();
        let mut add = |thing: &str, quantity: &str, unit: &str| {
            let channel = Channel::new(thing, quantity, unit);
            let drawn = quantity.starts_with("shape.") || quantity.starts_with("touch.");
            channels.push(if drawn { channel.for_drawing() } else { channel });
        };
        let frame = |thing: &str, quantities: &[Quantities], add: &mut dyn FnMut(&str, &str, &str)| {
            quantities.iter().for_each(|q| add(thing, q.0, q.1));
            quantities.iter().for_each(|q| add(thing, q.2, q.3));
        };
        for body in &self.bodies {
            let Some(flexible) = &body.flexible else {
                frame(&body.name, &QUANTITIES[..body.dofs], &mut add);
                for (point, _) in &body.points {
                    frame(&format!("{}.{point}", body.name), &QUANTITIES[..2], &mut add);
                }
                continue;
            };
            frame(&body.name, &QUANTITIES, &mut add);
            for (point, place) in &flexible.points {
                frame(&format!("{}.{point}", body.name), quantities_of(place), &mut add);
            }
            for (name, unit) in flexible.body.outputs() {
                add(&body.name, &name, unit);
            }
            for i in 0..flexible.shape.len() {
                add(&body.name, &format!("shape.{i}.x"), "m");
                add(&body.name, &format!("shape.{i}.y"), "m");
            }
            if flexible.knows_stress {
                (0..flexible.shape.len()).for_each(|i| add(&body.name, &format!("shape.{i}.stress"), "Pa"));
            }
        }
        for &(contact, _) in &self.touches {
            TOUCH
                .iter()
                .for_each(|(quantity, unit)| add(&self.structure.contacts[contact].name, quantity, unit));
        }
        if self.records(Record::Momentum) {
            MOMENTUM.iter().for_each(|(quantity, unit)| add("momentum", quantity, unit));
        }
        channels
    }

    /// What is recorded besides where accelerations are asked for: one for every velocity among the channels.
    pub(crate) fn accelerations(&self, channels: &[Channel]) -> Vec<(Channel, usize)> {
        if !self.records(Record::Accelerations) {
            return Vec::new();
        }
        let of_rate = |(i, channel): (usize, &Channel)| {
            let (name, unit) = match channel.quantity() {
                "vx" => ("ax", "m/s²"),
                "vy" => ("ay", "m/s²"),
                "omega" => ("alpha", "rad/s²"),
                _ => return None,
            };
            Some((Channel::new(channel.subject(), name, unit), i))
        };
        channels.iter().enumerate().filter_map(of_rate).collect()
    }

    fn velocity(&self, i: usize) -> VelocityInfo {
        let body = self.body_of(i);
        let own = i - body.first;
        let (name, quantity) = match &body.flexible {
            Some(flexible) => (flexible.body.coordinate_name(own), flexible.body.quantity(own)),
            None if own == 2 => (QUANTITIES[own].2.into(), Quantity::Angle),
            None => (QUANTITIES[own].2.into(), Quantity::Length),
        };
        VelocityInfo { name: format!("{}.{name}", body.name), quantity }
    }
}

impl Model {
    /// ∂Φ/∂t.
    pub(crate) fn rates_of_joints(&self, at: &Configuration, phi_t: &mut [f64]) {
        phi_t.fill(0.0);
        for &driven in &self.driven {
            let (row, joint) = &self.joints[driven];
            joint.rate(at, &mut phi_t[*row as usize..*row as usize + 1]);
        }
    }

    /// Whether something is to be recorded besides the usual.
    fn records(&self, what: Record) -> bool {
        self.simulation.record.contains(&what)
    }

    /// Momentum along x and y, and angular momentum about the origin, of all bodies.
    ///
    /// Rigid bodies: m ẋ, m ẏ, m (x ẏ − y ẋ) + J ω. Flexible ones: [`Flexible::carries`](crate::bodies::Flexible::carries).
    fn momentum(&self, at: &Configuration) -> [f64; 3] {
        let mut p = [0.0; 3];
        for body in self.bodies.iter().filter(|body| body.flexible.is_none()) {
            let (q, v, m) = (&at.q()[body.first..], &at.v[body.first..], &self.mass[body.first..]);
            p[0] += m[0] * v[0];
            p[1] += m[1] * v[1];
            p[2] += m[0] * (q[0] * v[1] - q[1] * v[0]);
            if body.dofs == 3 {
                p[2] += m[2] * v[2];
            }
        }
        if self.flexible_at.is_empty() {
            return p;
        }
        let make = || Room {
            inner: Configuration::new(self, at.t(), at.q(), &at.v),
            W: Directions::default(),
            work: vec![0.0; self.mass_values.len()],
        };
        at.enter(make, |room| {
            self.mass(at, &mut room.work);
            for (body, flexible) in self.flexible() {
                let local = body.local(flexible, at);
                let carries = |i: usize| flexible.body.carries(local, i - body.first);
                for (&(i, j), m) in self.structure.pattern.mass[flexible.mass.clone()]
                    .iter()
                    .zip(&room.work[flexible.mass.clone()])
                {
                    let (i, j) = (i as usize, j as usize);
                    let (of_i, of_j) = (carries(i), carries(j));
                    for k in 0..3 {
                        p[k] += m * of_i[k] * at.v[j];
                        if i != j {
                            p[k] += m * of_j[k] * at.v[i];
                        }
                    }
                }
            }
        });
        p
    }

    #[inline]
    fn gaps_of(&self, at: &Configuration, contacts: Range<usize>, g_N: &mut [f64]) {
        let gaps = g_N[contacts.clone()].iter_mut();
        for (i, (contact, gap)) in contacts.clone().zip(self.contacts[contacts].iter().zip(gaps)) {
            *gap = contact.gap(at, &self.surfaces, at.piece(i));
        }
    }

    /// Of the outlines whose contacts begin with this one: the contact with the least gap that something faces, and the sign of its
    /// normal seen from the partner named first.
    fn nearest_of(&self, at: &Configuration, first: usize) -> Option<(usize, f64)> {
        let meeting = self.meeting(first);
        let mut nearest = (f64::INFINITY, None);
        if meeting.is_near(at, &self.surfaces) {
            for i in meeting.first..meeting.first + meeting.count {
                let Element::Meet(meet) = &self.contacts[i] else { continue };
                let gap = meet.gap(at, &self.surfaces, at.piece(i));
                if gap < nearest.0 {
                    nearest = (gap, Some((i, if meet.second { -1.0 } else { 1.0 })));
                }
            }
        }
        nearest.1
    }

    fn meeting(&self, first: usize) -> &Meeting {
        let meetings = &self.surfaces.meetings;
        meetings
            .iter()
            .find(|meeting| meeting.first == first)
            .expect("outlines meet where their contacts begin")
    }

    /// The gap under the name of a contact: the least of all contacts that have it.
    pub(crate) fn named_gap(&self, at: &Configuration, first: usize) -> f64 {
        match &self.contacts[first] {
            Element::Meet(_) => match self.nearest_of(at, first) {
                Some((nearest, _)) => self.contacts[nearest].gap(at, &self.surfaces, at.piece(nearest)),
                None => f64::INFINITY,
            },
            contact => contact.gap(at, &self.surfaces, at.piece(first)),
        }
    }

    /// The body that velocity i belongs to.
    pub(crate) fn body_of(&self, i: usize) -> &Body {
        &self.bodies[self.bodies.partition_point(|body| body.first <= i) - 1]
    }
}
