//! Events: names of channels in a formula become probes.

use super::law::{Sense, Unit, Words};
use super::{Builder, Built, CHANNEL_OR_PARAMETER};
use crate::description::{Crossing, Event, Terms};
use crate::error::{ModelError, Problem};
use crate::events::{self, Probe};
use crate::expression::{Formula, Word};
use crate::geometry::plane::V2;
use crate::geometry::{Geometry, Plane, Vector};
use crate::mechanics::Mechanics;
use crate::model::Model;
use crate::place::Place;
use crate::system::recorded;
use carom_dynamics::{Configuration, ContactKind, EventInfo, Structure, recorded_channels};

/// A channel that an event may depend on.
struct Usable {
    name: String,
    unit: &'static str,
    probe: Probe,
}

impl From<Sense> for Usable {
    fn from(sense: Sense) -> Self {
        let unit = match (sense.unit, sense.known.rate) {
            (Unit::Length, false) => "m",
            (Unit::Length, true) => "m/s",
            (Unit::Angle, false) => "rad",
            (Unit::Angle, true) => "rad/s",
        };
        Self { name: sense.word, unit, probe: Probe::Known(sense.known) }
    }
}

impl Builder<'_> {
    pub(super) fn events(&mut self) {
        if self.description.events.is_empty() {
            return;
        }
        let mut usable = usable(&self.model);
        usable.extend(self.joint_senses().into_iter().map(Usable::from));
        let others = others(&self.model);
        let begins = Plane::beginnings(self.description);
        let names = usable.iter().map(|channel| &channel.name).chain(&others).chain(&begins);
        let vocabulary: Vec<Vec<char>> = names.map(|name| name.chars().collect()).collect();
        for (key, event) in &self.description.events {
            let result = self.event(key, event, &usable, &others, &vocabulary);
            self.note(result);
        }
    }

    fn event(
        &mut self,
        key: &str,
        event: &Event,
        usable: &[Usable],
        others: &[String],
        vocabulary: &[Vec<char>],
    ) -> Built<()> {
        let text = event.when.trim_start();
        let text = text.strip_prefix('=').unwrap_or(text);
        let wrong = |problem| ModelError::new(&["events", key, "when"], problem);
        let parsed = Formula::parse_with(text, vocabulary)
            .map_err(|error| wrong(Problem::Formula { text: event.when.clone(), error }))?;
        let mut probes: Vec<(Probe, f64)> = Vec::new();
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
        let compiled = events::Crossed { formula, probes, second: event.terms.time };
        let model = &mut self.model;
        let at = Configuration::new(model, 0.0, &model.q, &model.v);
        let value = compiled.value(model, &at);
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
        _ => unreachable!("channels of events are places, angles, their rates, gaps and strain energies"),
    }
}

/// Channels that are continuous functions of (t, q, v): as [`System::channels`] has them, without forces and outlines,
/// and the gaps.
fn usable(model: &Model) -> Vec<Usable> {
    let mut list = Vec::new();
    // positions and rates in turn, as many as both have
    let mut frame = |thing: &str, n: usize, probe: &dyn Fn(usize) -> [Probe; 2]| {
        for i in 0..n {
            for ((name, unit), probe) in [Plane::POSITIONS[i], Plane::RATES[i]].into_iter().zip(probe(i)) {
                list.push(Usable { name: format!("{thing}.{name}"), unit, probe });
            }
        }
    };
    let of_place = |place: &Place, i: usize| [Probe::Pose(place.clone(), i), Probe::Twist(place.clone(), i)];
    for body in &model.bodies {
        let Some(flexible) = &body.flexible else {
            let probe = |i: usize| [Probe::Coordinate(body.q.start + i), Probe::Rate(body.v.start + i)];
            frame(&body.name, body.v.len(), &probe);
            for (point, marker) in &body.points {
                let thing = format!("{}.{point}", body.name);
                let probe = |i: usize| [Probe::Point(marker.clone(), i), Probe::Velocity(marker.clone(), i)];
                frame(&thing, V2::LEN, &probe);
            }
            continue;
        };
        frame(&body.name, Plane::RIGID.1, &|i| of_place(&body.place, i));
        for (point, place) in &flexible.points {
            frame(&format!("{}.{point}", body.name), recorded(place).1, &|i| of_place(place, i));
        }
    }
    for (i, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.flexible.is_some()) {
        list.push(Usable { name: format!("{}.strain", body.name), unit: "J", probe: Probe::Strain(i) });
    }
    for (i, contact) in model.structure.contacts.iter().enumerate() {
        let joined = i > 0 && model.structure.contacts[i - 1].name == contact.name;
        if !joined && !matches!(contact.kind, ContactKind::Dry { .. }) {
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
