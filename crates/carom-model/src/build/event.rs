//! Events: names of channels in a formula become probes.

use super::law::{Sense, Unit, Words};
use super::{Builder, Built, CHANNEL_OR_PARAMETER};
use crate::description::{Crossing, Event, Terms};
use crate::error::{ModelError, Problem};
use crate::events::{self, Probe};
use crate::expression::{Formula, Word};
use crate::geometry::Vector;
use crate::joints::Measured;
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::place::Place;
use crate::system::recorded;
use carom_dynamics::{Configuration, ContactKind, EventInfo, Structure, recorded_channels};
use indexmap::IndexMap;

/// A channel that an event may depend on.
pub(super) struct Usable<S: Mechanics> {
    name: String,
    unit: &'static str,
    probe: Probe<S>,
}

impl<S: Mechanics> From<Sense<S>> for Usable<S> {
    fn from(sense: Sense<S>) -> Self {
        let unit = match (sense.unit, sense.known.rate) {
            (Unit::Length, false) => "m",
            (Unit::Length, true) => "m/s",
            (Unit::Angle, false) => "rad",
            (Unit::Angle, true) => "rad/s",
        };
        Self { name: sense.word, unit, probe: Probe::Known(sense.known) }
    }
}

impl<S: Words> Builder<'_, S> {
    /// The model's own events, as described.
    pub(super) fn events(&mut self, events: &IndexMap<String, Event>) {
        if events.is_empty() {
            return;
        }
        let mut usable = usable(&self.model);
        usable.extend(S::of_joints(self).into_iter().map(Usable::from));
        let others = others(&self.model);
        let begins = S::beginnings(self.description);
        let names = usable.iter().map(|channel| &channel.name).chain(&others).chain(&begins);
        let vocabulary: Vec<Vec<char>> = names.map(|name| name.chars().collect()).collect();
        for (key, event) in events {
            let result = self.event(key, event, &usable, &others, &vocabulary);
            self.note(result);
        }
    }

    fn event(
        &mut self,
        key: &str,
        event: &Event,
        usable: &[Usable<S>],
        others: &[String],
        vocabulary: &[Vec<char>],
    ) -> Built<()> {
        let text = event.when.trim_start();
        let text = text.strip_prefix('=').unwrap_or(text);
        let wrong = |problem| ModelError::new(&["events", key, "when"], problem);
        let parsed = Formula::parse_with(text, vocabulary, &self.callables)
            .map_err(|error| wrong(Problem::Formula { text: event.when.clone(), error }))?;
        let mut probes: Vec<(Probe<S>, f64)> = Vec::new();
        let (path, mut failed) = (["events", key, "when"], None);
        let resolved = parsed.resolve(&mut |name| match usable.iter().find(|channel| channel.name == name) {
            Some(channel) => {
                probes.push((channel.probe.clone(), in_si(channel.unit, &event.terms)));
                Some(Word::Channel(probes.len() - 1))
            }
            None => match self.measured(name, &path) {
                Some(Ok(sense)) => {
                    let Usable { unit, probe, .. } = Usable::from(sense);
                    probes.push((probe, in_si(unit, &event.terms)));
                    Some(Word::Channel(probes.len() - 1))
                }
                Some(Err(error)) => {
                    failed = Some(error);
                    None
                }
                None => event.terms.parameters.get(name).map(|value| Word::Number(*value)),
            },
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let formula = resolved.map_err(|name| {
            let channels = || usable.iter().map(|channel| channel.name.clone());
            if others.iter().any(|other| other == name) {
                return wrong(Problem::ChannelJumps { name: name.into(), usable: channels().collect() });
            }
            let known = event.terms.parameters.keys().cloned().chain(channels()).collect();
            wrong(Problem::Unknown { what: CHANNEL_OR_PARAMETER, name: name.into(), known })
        })?;
        if let Some(name) = formula.jump() {
            return Err(wrong(Problem::FunctionJumps { name }));
        }
        if formula.is_constant() {
            return Err(wrong(Problem::NeverHappens));
        }
        let model = &mut self.model;
        let at = Configuration::new(model, 0.0, &model.q, &model.v);
        // turns of an angle are counted from where it is now
        for (probe, _) in &mut probes {
            if let Probe::Measured(joint, 0) = *probe
                && model.measured[joint].1.names()[0].1 == "rad"
            {
                let known = model.event_angles.iter().position(|&other| other == joint);
                *probe = Probe::Angle(known.unwrap_or(model.event_angles.len()));
                if known.is_none() {
                    model.event_angles.push(joint);
                    model.structure.event_angles.push(model.measured[joint].1.values(&at)[0]);
                }
            }
        }
        let compiled = events::Crossed { formula, probes, second: event.terms.time };
        let value = compiled.value(model, &at, &model.structure.event_angles);
        if value.is_nan() {
            return Err(wrong(Problem::NotFinite { quantity: "value at the start", value }));
        }
        let crossing = match event.direction {
            Crossing::Any => carom_dynamics::Crossing::Any,
            Crossing::Rising => carom_dynamics::Crossing::Rising,
            Crossing::Falling => carom_dynamics::Crossing::Falling,
        };
        model.events.push(events::Event::Formula(compiled));
        model.structure.events.push(EventInfo { name: key.into(), crossing, stops: event.stop });
        Ok(())
    }
}

/// One unit of the formula in SI.
fn in_si(unit: &str, terms: &Terms) -> f64 {
    match unit {
        "m" => terms.length,
        "m/s" => terms.length / terms.time,
        "rad" => terms.angle,
        "rad/s" => terms.angle / terms.time,
        "J" => terms.energy,
        // a number of a quaternion
        "" => 1.0,
        _ => unreachable!("channels of events are places, angles, their rates, gaps and strain energies"),
    }
}

/// Channels that are continuous functions of (t, q, v): as [`System::channels`] has them, without forces and outlines,
/// and the gaps.
fn usable<S: Mechanics>(model: &Model<S>) -> Vec<Usable<S>> {
    let mut list = Vec::new();
    // positions and rates in turn
    let mut frame = |thing: &str, (n_q, n_v): (usize, usize), probe: &dyn Fn(usize) -> [Probe<S>; 2]| {
        for i in 0..n_q.max(n_v) {
            let both = [S::POSITIONS[..n_q].get(i), S::RATES[..n_v].get(i)];
            for (named, probe) in both.into_iter().zip(probe(i)) {
                if let Some((name, unit)) = named {
                    list.push(Usable { name: format!("{thing}.{name}"), unit, probe });
                }
            }
        }
    };
    let of_place =
        |place: &Place<S>, i: usize| [Probe::Pose(place.clone(), i), Probe::Twist(place.clone(), i)];
    for body in &model.bodies {
        let Some(flexible) = &body.flexible else {
            let probe = |i: usize| [Probe::Coordinate(body.q.start + i), Probe::Rate(body.v.start + i)];
            frame(&body.name, (body.q.len(), body.v.len()), &probe);
            for (point, marker) in &body.points {
                let thing = format!("{}.{point}", body.name);
                let probe = |i: usize| [Probe::Point(marker.clone(), i), Probe::Velocity(marker.clone(), i)];
                frame(&thing, (S::V::LEN, S::V::LEN), &probe);
            }
            continue;
        };
        frame(&body.name, S::RIGID, &|i| of_place(&body.place, i));
        for (point, place) in &flexible.points {
            frame(&format!("{}.{point}", body.name), recorded(place), &|i| of_place(place, i));
        }
    }
    for (i, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.flexible.is_some()) {
        list.push(Usable { name: format!("{}.strain", body.name), unit: "J", probe: Probe::Strain(i) });
    }
    for (i, (joint, coordinate)) in model.measured.iter().enumerate() {
        let alone = model.measured.iter().filter(|(other, _)| other == joint).count() == 1;
        for (k, (name, unit)) in coordinate.names().into_iter().enumerate() {
            list.push(Usable { name: format!("{joint}.{name}"), unit, probe: Probe::Measured(i, k) });
            // a joint with one coordinate has one rate, as in the plane
            if k == 1 && alone {
                list.push(Usable { name: format!("{joint}.rate"), unit, probe: Probe::Measured(i, k) });
            }
        }
    }
    for (i, contact) in model.structure.contacts.iter().enumerate() {
        let joined = i > 0 && model.structure.contacts[i - 1].name == contact.name;
        // a law between groups has many gaps
        if !joined && contact.most == Some(1) && !matches!(contact.kind, ContactKind::Dry { .. }) {
            let unit = contact.stop.map_or("m", |stop| stop.quantity.unit());
            list.push(Usable { name: format!("{}.gap", contact.name), unit, probe: Probe::Gap(i) });
        }
    }
    list
}

/// Channels of a run that an event may not depend on.
pub(super) fn others<S: Mechanics>(model: &Model<S>) -> Vec<String> {
    let channels = model.own_channels();
    let accelerations = model.accelerations(&channels);
    let structure = Structure { channels, accelerations, ..model.structure.clone() };
    recorded_channels(&structure, true).into_iter().map(|channel| channel.name().to_string()).collect()
}
