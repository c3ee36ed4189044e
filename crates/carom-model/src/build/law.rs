//! Formulas of forces: words become quantities of the motion.

use super::{Builder, Built, CHANNEL_OR_PARAMETER, SpaceBuilder, direction};
use crate::description::{Description, Expression, Joint, Terms, space};
use crate::error::{ModelError, Problem};
use crate::expression::{Formula, FormulaError, MEASURES, Word};
use crate::forces::Spin;
use crate::geometry::{Plane, Space, Vector};
use crate::joints::Measured;
use crate::law::{Known, Law, Load, MOST};
use crate::measure::Measure;
use crate::mechanics::Mechanics;
use crate::model::Body;
use crate::place::{Marker, Place};
use carom_dynamics::{Configuration, Quantity};
use std::sync::Arc;

/// A word that a formula of a force may use, in SI.
#[derive(Clone, Debug)]
pub(crate) struct Sense<S: Mechanics = Plane> {
    pub word: String,
    pub known: Known<S>,
    /// Unit of what it measures, before it is a rate.
    pub unit: Unit,
}

/// What a coordinate measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Length,
    Angle,
}

/// What a formula gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    Force,
    Torque,
}

impl<S: Mechanics> Sense<S> {
    /// A coordinate under one word and its rate under another.
    pub fn pair(words: [&str; 2], of: &Measure<S>, less: f64, unit: Unit) -> [Self; 2] {
        let sense = |word: &str, rate: bool| {
            let less = if rate { 0.0 } else { less };
            Self { word: word.into(), known: Known { of: of.clone(), rate, less, unit: 1.0 }, unit }
        };
        [sense(words[0], false), sense(words[1], true)]
    }

    /// In the units of a formula.
    pub fn spoken(&self, terms: &Terms) -> Known<S> {
        let unit = match self.unit {
            Unit::Length => terms.length,
            Unit::Angle => terms.angle,
        };
        let per = if self.known.rate { terms.time } else { 1.0 };
        Known { unit: unit / per, ..self.known.clone() }
    }
}

/// What the formulas of a geometry may name.
pub(crate) trait Words: Mechanics {
    fn terms(description: &Self::Description) -> &Terms;

    /// Beginnings of names, each with its dot: a slip in what follows is told as a name.
    fn beginnings(description: &Self::Description) -> Vec<String>;

    /// Coordinates and rates of bodies, of their points and of joints.
    fn senses(builder: &Builder<'_, Self>) -> Vec<Sense<Self>>;

    /// Coordinates and rates of joints, where the model does not record them.
    fn of_joints(builder: &Builder<'_, Self>) -> Vec<Sense<Self>>;

    /// The point that a reference means.
    fn marker(builder: &Builder<'_, Self>, reference: &str, path: &[&str]) -> Built<Marker<Self>>;
}

/// Words that begin names.
macro_rules! beginnings {
    ($described:expr) => {{
        let things =
            $described.bodies.keys().chain($described.contacts.keys()).chain($described.joints.keys());
        things.map(|thing| format!("{thing}.")).collect()
    }};
}

impl Words for Plane {
    fn terms(description: &Description) -> &Terms {
        &description.terms
    }

    fn beginnings(description: &Description) -> Vec<String> {
        beginnings!(description)
    }

    fn senses(builder: &Builder<'_>) -> Vec<Sense> {
        builder.senses()
    }

    fn of_joints(builder: &Builder<'_>) -> Vec<Sense> {
        builder.joint_senses()
    }

    fn marker(builder: &Builder<'_>, reference: &str, path: &[&str]) -> Built<Marker> {
        builder.frame(reference, path).map(|frame| frame.marker)
    }
}

impl Words for Space {
    fn terms(description: &space::Description) -> &Terms {
        &description.terms
    }

    fn beginnings(description: &space::Description) -> Vec<String> {
        beginnings!(description)
    }

    fn senses(builder: &SpaceBuilder<'_>) -> Vec<Sense<Space>> {
        builder.senses()
    }

    fn of_joints(_: &SpaceBuilder<'_>) -> Vec<Sense<Space>> {
        Vec::new()
    }

    fn marker(builder: &SpaceBuilder<'_>, reference: &str, path: &[&str]) -> Built<Marker<Space>> {
        builder.frame(reference, path).map(|frame| frame.marker)
    }
}

impl<S: Words> Builder<'_, S> {
    /// A number, a function of time, or a law. `own` are words of this force alone.
    pub fn load(
        &mut self,
        expression: &Expression,
        gives: Gives,
        own: &[Sense<S>],
        path: &[&str],
    ) -> Built<Load<S>> {
        let text = match expression {
            Expression::Constant(_) => return self.signal(expression, path).map(Load::Given),
            Expression::Formula(text) => text,
        };
        let terms = S::terms(self.description);
        let wrong = |problem| ModelError::new(path, problem);
        let unread = |error: FormulaError| wrong(Problem::Formula { text: text.clone(), error });
        let body = text.trim_start();
        let body = body.strip_prefix('=').unwrap_or(body);
        let factor = match gives {
            Gives::Force => terms.force,
            Gives::Torque => terms.energy,
        };
        let number = |name: &str| terms.parameters.get(name).map(|value| Word::Number(*value));
        let is_own = |name: &str| own.iter().any(|sense| sense.word == name);

        // of time alone, it is asked once per configuration
        if let Ok(formula) = Formula::parse_with(body, &[], &self.callables)
            && !formula.names().any(is_own)
            && let Ok(formula) = formula.resolve(&mut |name| number(name))
        {
            let formula = formula.in_units(terms.time, factor).ok_or_else(|| unread(too_deep()))?;
            return self.signal_of(formula, path).map(Load::Given);
        }

        let mut senses = own.to_vec();
        senses.extend(S::senses(self));
        let begins = S::beginnings(self.description);
        let words = senses.iter().map(|sense| &sense.word).chain(&begins);
        let vocabulary: Vec<Vec<char>> = words.map(|word| word.chars().collect()).collect();
        let parsed = Formula::parse_with(body, &vocabulary, &self.callables).map_err(unread)?;
        let mut known = Vec::new();
        let mut failed = None;
        let resolved = parsed.resolve(&mut |name| {
            let sense = senses.iter().find(|sense| sense.word == name).cloned().map(Ok);
            match sense.or_else(|| self.measured(name, path)) {
                Some(Ok(sense)) => {
                    known.push(sense.spoken(terms));
                    Some(Word::Channel(known.len() - 1))
                }
                Some(Err(error)) => {
                    failed = Some(error);
                    None
                }
                None => number(name),
            }
        });
        let formula = match (failed, resolved) {
            (Some(error), _) => return Err(error),
            (None, Ok(formula)) => formula,
            (None, Err(name)) => return Err(wrong(self.not_known(name, &senses))),
        };
        if known.len() > MOST {
            let message = format!("it names {} quantities of the motion", known.len());
            return Err(unread(FormulaError { column: 1, message, expected: format!("at most {MOST}") }));
        }
        if let Some(name) = formula.jump_of_motion() {
            return Err(wrong(Problem::ForceJumps { name }));
        }
        let law = Law { formula, known, second: terms.time, factor };
        self.begins_finite(&law).map_err(wrong)?;
        self.watch_kinks(&law, terms);
        Ok(Load::Law(law.into()))
    }

    /// Whether a law and its slopes are numbers where the run begins.
    fn begins_finite(&self, law: &Law<S>) -> Result<(), Problem> {
        let model = &self.model;
        let at = Configuration::new(model, 0.0, &model.q, &model.v);
        let value = law.value(&at);
        if !value.is_finite() {
            return Err(Problem::NotFinite { quantity: "value at the start", value });
        }
        match law.slopes(&at).iter().find(|slope| !slope.is_finite()) {
            Some(&value) => Err(Problem::NotFinite { quantity: "slope at the start", value }),
            None => Ok(()),
        }
    }

    /// Switches of time become those of the model; a kink of the motion is left to the error control: the force is continuous there.
    fn watch_kinks(&mut self, law: &Law<S>, terms: &Terms) {
        for formula in law.formula.switches().into_iter().filter(|formula| !formula.moves()) {
            if let Some(formula) = formula.in_units(terms.time, 1.0)
                && !self.model.switches.contains(&formula)
            {
                self.model.switches.push(formula);
            }
        }
    }

    fn not_known(&self, name: &str, senses: &[Sense<S>]) -> Problem {
        let words = senses.iter().map(|sense| sense.word.clone());
        if super::event::others(&self.model).iter().any(|other| other == name) || name.ends_with(".gap") {
            return Problem::NotForForces { name: name.into(), usable: words.collect() };
        }
        let known = words.chain(S::terms(self.description).parameters.keys().cloned()).collect();
        Problem::Unknown { what: CHANNEL_OR_PARAMETER, name: name.into(), known }
    }

    /// Places and velocities of bodies and of their points.
    fn places_and_velocities(&self) -> Vec<Sense<S>> {
        let mut list = Vec::new();
        let mut frame = |thing: &str, marker: &Marker<S>| {
            for k in 0..S::V::LEN {
                let (s, s_dot) = (S::POSITIONS[k].0, S::RATES[k].0);
                let words = [format!("{thing}.{s}"), format!("{thing}.{s_dot}")];
                let measure = Measure::Point(marker.clone(), k);
                list.extend(Sense::pair(words.each_ref().map(String::as_str), &measure, 0.0, Unit::Length));
            }
        };
        let origin = |place: &Place<S>| Marker { place: place.clone(), local: S::V::ZERO };
        for body in &self.model.bodies {
            frame(&body.name, &origin(&body.place));
            for (point, marker) in &body.points {
                frame(&format!("{}.{point}", body.name), marker);
            }
            for (point, place) in body.flexible.iter().flat_map(|flexible| &flexible.points) {
                frame(&format!("{}.{point}", body.name), &origin(place));
            }
        }
        list
    }

    /// `distance(a, b)` or `distance_rate(a, b)`; none if the name is no such thing.
    pub(super) fn measured(&self, name: &str, path: &[&str]) -> Option<Built<Sense<S>>> {
        let (word, rest) = name.split_once('(')?;
        let rate = MEASURES.iter().position(|known| *known == word)? == 1;
        let references: Vec<&str> = rest.trim_end_matches(')').split(',').collect();
        Some(self.apart(name, &references, rate, path))
    }

    fn apart(&self, name: &str, references: &[&str], rate: bool, path: &[&str]) -> Built<Sense<S>> {
        let &[first, second] = references else {
            let error = FormulaError {
                column: 1,
                message: format!("`{name}` names {} places", references.len()),
                expected: "two, such as `distance(crank.tip, ground.pin)`".into(),
            };
            return Err(ModelError::new(path, Problem::Formula { text: name.into(), error }));
        };
        let (first, second) = (S::marker(self, first, path)?, S::marker(self, second, path)?);
        self.two_bodies(&first.place, &second.place, path)?;
        let of = Measure::Distance([first, second]);
        Ok(Sense { word: name.into(), known: Known { of, rate, less: 0.0, unit: 1.0 }, unit: Unit::Length })
    }
}

impl SpaceBuilder<'_> {
    /// Places, velocities and angular velocities of bodies, and coordinates of joints by the words under which they are recorded.
    fn senses(&self) -> Vec<Sense<Space>> {
        let mut list = self.places_and_velocities();
        let turning = |body: &&Body<Space>| body.place.takes_torque() && body.place.moves();
        for body in self.model.bodies.iter().filter(turning) {
            for (axis, word) in ["wx", "wy", "wz"].into_iter().enumerate() {
                let of = Measure::Own(Arc::new(Spin { place: body.place.clone(), axis }));
                let known = Known { of, rate: true, less: 0.0, unit: 1.0 };
                list.push(Sense { word: format!("{}.{word}", body.name), known, unit: Unit::Angle });
            }
        }
        let measured = &self.model.measured;
        for (joint, coordinate) in measured {
            let of = Measure::Own(Arc::new(coordinate.clone()));
            let unit = match coordinate.quantity() {
                Quantity::Angle => Unit::Angle,
                Quantity::Length => Unit::Length,
            };
            let names = coordinate.names().map(|(name, _)| format!("{joint}.{name}"));
            list.extend(Sense::pair(names.each_ref().map(String::as_str), &of, 0.0, unit));
            // a joint with one coordinate has one rate, as in the plane
            if measured.iter().filter(|(other, _)| other == joint).count() == 1 {
                let [_, rate] = Sense::pair(["", &format!("{joint}.rate")], &of, 0.0, unit);
                list.push(rate);
            }
        }
        list
    }
}

impl Builder<'_> {
    /// Coordinates and rates of bodies, of their points and of joints.
    fn senses(&self) -> Vec<Sense> {
        let mut list = self.places_and_velocities();
        let ground = self.ground();
        let mut turning: Vec<(String, Place)> = Vec::new();
        for body in &self.model.bodies {
            turning.push((body.name.clone(), body.place.clone()));
            for (point, place) in body.flexible.iter().flat_map(|flexible| &flexible.points) {
                turning.push((format!("{}.{point}", body.name), place.clone()));
            }
        }
        for (thing, place) in turning.into_iter().filter(|(_, place)| place.turns()) {
            let words = [format!("{thing}.angle"), format!("{thing}.omega")];
            let measure = Measure::turned(ground.clone(), place);
            list.extend(Sense::pair(words.each_ref().map(String::as_str), &measure, 0.0, Unit::Angle));
        }
        list.extend(self.joint_senses());
        list
    }

    /// Coordinates and rates of the joints that have one freedom.
    fn joint_senses(&self) -> Vec<Sense> {
        let mut list = Vec::new();
        for (key, joint) in &self.description.joints {
            let Some((measure, less, unit)) = self.coordinate(key, joint) else { continue };
            let word = match unit {
                Unit::Length => "position",
                Unit::Angle => "angle",
            };
            let words = [format!("{key}.{word}"), format!("{key}.rate")];
            list.extend(Sense::pair(words.each_ref().map(String::as_str), &measure, less, unit));
        }
        list
    }

    /// The coordinate of a joint with one freedom, and what is taken off it: the angle of the second frame against the first,
    /// or how far the slider is along the axis.
    pub fn coordinate(&self, key: &str, joint: &Joint) -> Option<(Measure, f64, Unit)> {
        let between = match joint {
            Joint::Revolute(joint) => &joint.between,
            Joint::Prismatic(joint) => &joint.between,
            _ => return None,
        };
        let [first, second] = self.pair("joints", key, between).ok()?;
        let (one, two) = (first.marker, second.marker);
        if let Joint::Prismatic(_) = joint {
            return Some((Measure::along(one, two, direction(first.angle)), 0.0, Unit::Length));
        }
        let turns = one.place.takes_torque() && two.place.takes_torque();
        let measure = Measure::turned(one.place, two.place);
        turns.then_some((measure, first.angle - second.angle, Unit::Angle))
    }

    /// What a motor drives: the joint it would need to push the other way, the coordinate, what is taken off it, and what it
    /// measures.
    pub fn driven(&self, joint: &str, path: &[&str]) -> Built<(&'static str, Measure, f64, Unit)> {
        let Some(described) = self.description.joints.get(joint) else {
            let known = self.description.joints.keys().cloned().collect();
            return Err(ModelError::new(path, Problem::Unknown { what: "joint", name: joint.into(), known }));
        };
        let Some((along, less, unit)) = self.coordinate(joint, described) else {
            return Err(ModelError::new(path, Problem::NoDrive { joint: joint.into() }));
        };
        let other = match unit {
            Unit::Length => "a revolute joint",
            Unit::Angle => "a prismatic joint",
        };
        Ok((other, along, less, unit))
    }
}

fn too_deep() -> FormulaError {
    FormulaError {
        column: 1,
        message: "the formula is nested too deeply".into(),
        expected: "fewer open operations".into(),
    }
}
