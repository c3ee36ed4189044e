//! The model answers a scheme.

use crate::contacts::Contacts;
use crate::description::Record;
use crate::forces::Smooth;
use crate::geometry::{Vector, add, scale};
use crate::joints::{Measured, Rows, nearest};
use crate::mechanics::{Mechanics, Named, twist};
use crate::model::{Body, Flexibility, Model};
use crate::place::{Carrier, Place};
use carom_dynamics::{
    Candidates, Channel, Configuration, Directions, Energy, Momenta, Power, Quantity, Rotation, Scratch,
    Sizes, Structure, System, VelocityInfo,
};
use std::f64::consts::TAU;

/// How near a flexible boundary must be for its contacts to have a place, in lengths of the mechanism.
const REACH: f64 = 0.05;

/// Components of places as channels name them.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// How many numbers of position and of rate are recorded of a point of a flexible body.
pub(crate) fn recorded<S: Mechanics>(place: &Place<S>) -> (usize, usize) {
    if place.turns() { S::RIGID } else { (S::V::LEN, S::V::LEN) }
}

/// Writes values to the front of what is left of `out`.
fn put(out: &mut &mut [f64], values: &[f64]) {
    let (front, rest) = std::mem::take(out).split_at_mut(values.len());
    front.copy_from_slice(values);
    *out = rest;
}

impl<S: Mechanics> System for Model<S> {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        for body in &self.bodies {
            let frame = match body.place.carrier {
                Carrier::Rigid(_) => S::of_rigid(&q[body.q.clone()]),
                Carrier::Point(_) => S::of_point(S::V::read(&q[body.q.clone()])),
                Carrier::Ground | Carrier::Shapes(_) => continue,
            };
            let slot = body.place.slot as usize;
            derived[slot..slot + S::SLOT].copy_from_slice(frame.as_ref());
        }
        derived[..S::SLOT].copy_from_slice(S::INERTIAL.as_ref());
        for (body, flexible) in self.flexible() {
            flexible.body.derive(&q[body.q.clone()], &mut derived[flexible.derived.clone()]);
        }
        for (slot, carried) in &self.carried {
            let frame = carried.derive(q, derived);
            derived[*slot as usize..*slot as usize + S::SLOT].copy_from_slice(frame.as_ref());
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
        S::momenta(self)
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&self.weight);
        for (body, flexible) in self.flexible() {
            flexible.body.add_force(body.local(flexible, at), &mut h[body.v.clone()]);
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
        self.contacts.gaps(at, g_N);
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        self.contacts.directions(at, active, W);
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        self.contacts.bias(at, active, bias);
    }

    fn candidates(&self, at: &Configuration, reach: f64, out: &mut Candidates) {
        self.contacts.candidates(at, reach, out);
    }

    fn gaps_among(&self, at: &Configuration, among: &Candidates, g_N: &mut [f64]) {
        self.contacts.gaps_among(at, among, g_N);
    }

    fn directions_among(&self, at: &Configuration, among: &Candidates, active: &[usize], W: &mut Directions) {
        self.contacts.directions_among(at, among, active, W);
    }

    fn contact_bias_among(&self, at: &Configuration, among: &Candidates, active: &[usize], bias: &mut [f64]) {
        self.contacts.bias_among(at, among, active, bias);
    }

    fn contact_tangents(&self, at: &Configuration, active: &[usize], out: &mut Vec<[[f64; 3]; 2]>) {
        self.contacts.tangents(at, active, out);
    }

    fn pieces(&self, at: &Configuration, pieces: &mut [u32]) {
        self.contacts.pieces(at, pieces);
    }

    fn switch_values(&self, at: &Configuration, values: &mut [f64]) {
        for (formula, value) in self.switches.iter().zip(values) {
            *value = formula.jet(at.t()).value;
        }
    }

    fn event_values(&self, at: &Configuration, angles: &mut [f64], values: &mut [f64]) {
        for (&joint, angle) in self.event_angles.iter().zip(angles.iter_mut()) {
            *angle += nearest(self.measured[joint].1.values(at)[0] - *angle, TAU);
        }
        for (event, value) in self.events.iter().zip(values) {
            *value = event.value(self, at, angles);
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
            for i in body.v.clone() {
                energy.kinetic += 0.5 * self.mass[i] * at.v[i] * at.v[i];
            }
            // weight acts on the place only
            for k in 0..S::V::LEN {
                energy.potential -= self.weight[body.v.start + k] * at.q()[body.q.start + k];
            }
        }
        for &(i, j, m) in &self.products {
            energy.kinetic += m * at.v[i as usize] * at.v[j as usize];
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
                put(&mut out, &at.q()[body.q.clone()]);
                put(&mut out, &at.v[body.v.clone()]);
                for (_, marker) in &body.points {
                    let placed = marker.at(at);
                    put(&mut out, placed.r.numbers());
                    put(&mut out, marker.velocity(at, &placed).numbers());
                }
                continue;
            };
            for (place, (positions, rates)) in body.recorded(flexible) {
                put(&mut out, &S::pose(place, at).as_ref()[..positions]);
                put(&mut out, &twist::<S>(place.velocity(at), place.omega(at)).numbers()[..rates]);
            }
            let (outputs, rest) = std::mem::take(&mut out).split_at_mut(flexible.outputs);
            flexible.body.observe(body.local(flexible, at), outputs);
            out = rest;
            for carried in &flexible.shape {
                put(&mut out, S::origin(&carried.derive(at.q(), at.derived())).numbers());
            }
            if flexible.knows_stress {
                let (stresses, rest) = std::mem::take(&mut out).split_at_mut(flexible.shape.len());
                flexible.body.stresses(body.local(flexible, at), stresses);
                out = rest;
            }
        }
        for (_, coordinate) in &self.measured {
            put(&mut out, &coordinate.values(at));
        }
        for gear in &self.gears {
            put(&mut out, &gear.values(at)[..gear.channels().len()]);
        }
        let placed = self.contacts.placed().count() * S::Contacts::TOUCH.len();
        let (touches, mut out) = out.split_at_mut(placed);
        self.contacts.places(at, REACH * self.structure.length_scale, touches);
        if self.records(Record::Momentum) {
            put(&mut out, self.momentum(at).numbers());
        }
    }

    fn observe_accelerations(&self, at: &Configuration, v_dot: &[f64], mut out: &mut [f64]) {
        for body in &self.bodies {
            let Some(flexible) = &body.flexible else {
                put(&mut out, &v_dot[body.v.clone()]);
                for (_, marker) in &body.points {
                    let placed = marker.at(at);
                    let mut a = marker.bias(at, &placed);
                    marker.place.columns(at, placed.arm, |c| a = add(a, scale(v_dot[c.index], c.J)));
                    put(&mut out, a.numbers());
                }
                continue;
            };
            for (place, (_, rates)) in body.recorded(flexible) {
                let (mut a, mut alpha) = (place.bias(at), place.spin_bias(at).unwrap_or(S::W::ZERO));
                place.columns(at, S::V::ZERO, |c| {
                    a = add(a, scale(v_dot[c.index], c.J));
                    alpha = add(alpha, scale(v_dot[c.index], c.s));
                });
                put(&mut out, &twist::<S>(a, alpha).numbers()[..rates]);
            }
        }
    }
}

impl<S: Mechanics> Model<S> {
    /// Fills in what is known of the structure when everything has been built.
    pub(crate) fn complete_structure(&mut self) {
        let channels = self.own_channels();
        let accelerations = self.accelerations(&channels);
        let has_damping = |(_, flexible): (&Body<S>, &Flexibility<S>)| flexible.body.has_damping();
        self.structure = Structure {
            sizes: Sizes {
                q: self.q.len(),
                v: self.v.len(),
                constraints: self.structure.constraints.last().map_or(0, |info| info.rows.end),
                contacts: self.contacts.len(),
            },
            rotations: self.rotations(),
            tangents_are_constant: self.scatter.is_empty()
                && self.flexible().all(|(_, f)| f.body.tangents_are_constant()),
            floats: !self.structure.mass_is_constant,
            has_pieces: self.contacts.has_pieces(),
            switches: self.switches.len(),
            has_power: self.forces.iter().any(|force| force.has_power()) || self.flexible().any(has_damping),
            channels,
            accelerations,
            velocities: (0..self.v.len()).map(|i| self.velocity(i)).collect(),
            ..self.structure.clone()
        };
        self.structure.pattern.jacobian = self.jacobian_pattern();
    }

    /// Where orientations are quaternions: those of rigid bodies and of floating frames, behind their place.
    fn rotations(&self) -> Vec<Rotation> {
        let turns = |body: &&Body<S>| !S::FLAT && matches!(body.place.carrier, Carrier::Rigid(_));
        let rotation = |body: &Body<S>| Rotation { q: body.q.start + S::V::LEN, v: body.v.start + S::V::LEN };
        self.bodies.iter().filter(turns).map(rotation).collect()
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
        let mut channels: Vec<Channel> = Vec::new();
        let frame = |thing: &str, [q, v]: [&[Named]; 2], channels: &mut Vec<Channel>| {
            channels.extend(q.iter().chain(v).map(|(quantity, unit)| Channel::new(thing, quantity, unit)));
        };
        let drawn =
            |thing: &str, quantity: &str, unit: &str| Channel::new(thing, quantity, unit).for_drawing();
        let first = |(q, v): (usize, usize)| [&S::POSITIONS[..q], &S::RATES[..v]];
        for body in &self.bodies {
            let Some(flexible) = &body.flexible else {
                frame(&body.name, first((body.q.len(), body.v.len())), &mut channels);
                for (point, _) in &body.points {
                    frame(&format!("{}.{point}", body.name), first((S::V::LEN, S::V::LEN)), &mut channels);
                }
                continue;
            };
            frame(&body.name, first(S::RIGID), &mut channels);
            for (point, place) in &flexible.points {
                frame(&format!("{}.{point}", body.name), first(recorded(place)), &mut channels);
            }
            for (name, unit) in flexible.body.outputs() {
                channels.push(Channel::new(&body.name, &name, unit));
            }
            for i in 0..flexible.shape.len() {
                let components = COMPONENTS[..S::V::LEN].iter();
                channels.extend(components.map(|c| drawn(&body.name, &format!("shape.{i}.{c}"), "m")));
            }
            if flexible.knows_stress {
                let stress = |i: usize| drawn(&body.name, &format!("shape.{i}.stress"), "Pa");
                channels.extend((0..flexible.shape.len()).map(stress));
            }
        }
        for (joint, coordinate) in &self.measured {
            let both = coordinate.names().map(|(quantity, unit)| Channel::new(joint, quantity, unit));
            channels.extend(both);
        }
        for gear in &self.gears {
            let own = gear.channels().iter();
            channels.extend(own.map(|(quantity, unit)| Channel::new(&gear.name, quantity, unit)));
        }
        for contact in self.contacts.placed() {
            let name = &self.structure.contacts[contact].name;
            channels.extend(S::Contacts::TOUCH.iter().map(|(quantity, unit)| drawn(name, quantity, unit)));
        }
        if self.records(Record::Momentum) {
            channels
                .extend(S::MOMENTUM.iter().map(|(quantity, unit)| Channel::new("momentum", quantity, unit)));
        }
        channels
    }

    /// What is recorded besides where accelerations are asked for: one for every velocity among the channels.
    pub(crate) fn accelerations(&self, channels: &[Channel]) -> Vec<(Channel, usize)> {
        if !self.records(Record::Accelerations) {
            return Vec::new();
        }
        let of_rate = |(i, channel): (usize, &Channel)| {
            let rate = S::RATES.iter().position(|(name, _)| *name == channel.quantity())?;
            let (name, unit) = S::ACCELERATIONS[rate];
            Some((Channel::new(channel.subject(), name, unit), i))
        };
        channels.iter().enumerate().filter_map(of_rate).collect()
    }

    fn velocity(&self, i: usize) -> VelocityInfo {
        let body = self.body_of(i);
        let own = i - body.v.start;
        let (name, quantity) = match &body.flexible {
            Some(flexible) => (flexible.body.coordinate_name(own), flexible.body.quantity(own)),
            None if own >= S::V::LEN => (S::RATES[own].0.into(), Quantity::Angle),
            None => (S::RATES[own].0.into(), Quantity::Length),
        };
        VelocityInfo { name: format!("{}.{name}", body.name), quantity }
    }
}

impl<S: Mechanics> Model<S> {
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

    /// Momentum, and angular momentum about the origin, of all bodies.
    ///
    /// Rigid bodies: m ṙ, m r×ṙ + J Ω. Flexible ones: [`Flexible::carries`](crate::bodies::Flexible::carries).
    fn momentum(&self, at: &Configuration) -> S::Twist {
        let (mut linear, mut angular) = (S::V::ZERO, S::W::ZERO);
        for body in self.bodies.iter().filter(|body| body.flexible.is_none()) {
            let (v, m) = (&at.v[body.v.clone()], &self.mass[body.v.clone()]);
            let (r, r_dot) = (S::V::read(&at.q()[body.q.clone()]), S::V::read(v));
            linear = add(linear, scale(m[0], r_dot));
            angular = add(angular, scale(m[0], S::moment(r, r_dot)));
            if body.place.turns() {
                let spin = S::W::from_fn(|k| m[S::V::LEN + k] * v[S::V::LEN + k]);
                let spin = self.add_products(body.v.start + S::V::LEN, &at.v, spin);
                angular = add(angular, S::turn_spin(|| body.place.frame(at), spin));
            }
        }
        let mut p = twist::<S>(linear, angular);
        if self.flexible_at.is_empty() {
            return p;
        }
        let make = || Scratch {
            inner: Configuration::new(self, at.t(), at.q(), &at.v),
            W: Directions::default(),
            work: vec![0.0; self.mass_values.len()],
        };
        at.enter(make, |room| {
            self.mass(at, &mut room.work);
            for (body, flexible) in self.flexible() {
                let local = body.local(flexible, at);
                let carries = |i: usize| flexible.body.carries(local, i - body.v.start);
                for (&(i, j), m) in self.structure.pattern.mass[flexible.mass.clone()]
                    .iter()
                    .zip(&room.work[flexible.mass.clone()])
                {
                    let (i, j) = (i as usize, j as usize);
                    let (of_i, of_j) = (carries(i), carries(j));
                    p = S::Twist::from_fn(|k| p.numbers()[k] + m * of_i.numbers()[k] * at.v[j]);
                    if i != j {
                        p = S::Twist::from_fn(|k| p.numbers()[k] + m * of_j.numbers()[k] * at.v[i]);
                    }
                }
            }
        });
        p
    }

    /// J ω with the products of inertia of the body whose first angular velocity is v_first.
    fn add_products(&self, first: usize, v: &[f64], spin: S::W) -> S::W {
        let own = self.products.iter().map(|&(i, j, m)| (i as usize, j as usize, m));
        own.filter(|(i, ..)| (first..first + S::W::LEN).contains(i)).fold(spin, |spin, (i, j, m)| {
            S::W::from_fn(|k| match first + k {
                row if row == i => spin.numbers()[k] + m * v[j],
                row if row == j => spin.numbers()[k] + m * v[i],
                _ => spin.numbers()[k],
            })
        })
    }

    /// The body that velocity i belongs to.
    pub(crate) fn body_of(&self, i: usize) -> &Body<S> {
        &self.bodies[self.bodies.partition_point(|body| body.v.start <= i) - 1]
    }
}
