//! Pairs of toothed wheels.

use super::{Builder, Built, SpaceBuilder};
use crate::check::{Check, number};
use crate::contacts;
use crate::description::{Description, GearLaw, GearPair, PlayFrom, space};
use crate::error::{ModelError, Problem};
use crate::forces;
use crate::gear::{
    Flank, Geometry, Given, Mesh, Pair, Parabola, Seat, Slice, Springs, Sprung, Teeth, Told, outline,
};
use crate::geometry::space::{V3, axes, axes_of, times};
use crate::geometry::{Plane, Space, Vector, add, norm, scale, sub};
use crate::layout::Attachment;
use crate::mechanics::Mechanics;
use crate::outline::closed;
use crate::outline::space::{PlacedSolid, Solid};
use crate::place::{Carrier, Place};
use carom_dynamics::{Configuration, ContactInfo, ContactKind};
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::Arc;

/// Stiffness of a pair of steel teeth per width (N/m²), bending included, and the modulus it belongs to. [Ebrahimi2007] (7.7)
const STEEL: (f64, f64) = (14e9, 2.1e11);
/// What is usual where nothing is given: least stiffness as a part of the largest, damping ratio, part of the base pitch over which a
/// pair comes in, sliding speed at which friction is full (m/s).
const STIFFNESS_RATIO: f64 = 0.8;
const DAMPING_RATIO: f64 = 0.05;
const ENTRY: f64 = 0.05;
const CREEP: f64 = 1e-3;
/// Slices of a helical wheel: at least so many, and so many per overlap ratio.
const SLICES: (u32, u32) = (11, 8);
/// Largest sine of the angle between two axes: what teeth of parallel axes still bear.
const LEANING: f64 = 0.02;
/// How far teeth may overlap at the start, relative to the module: round-off of numbers typed with six digits.
const OVERLAP: f64 = 1e-6;

/// What of gears differs in kind between plane and space.
pub(crate) trait Toothed: Mechanics {
    fn gears(description: &Self::Description) -> &IndexMap<String, GearPair>;

    /// A wheel on a body or a point of it, with the axes of its own.
    fn seat(builder: &Builder<'_, Self>, reference: &str, path: &[&str]) -> Built<Seat<Self>>;

    /// Turns the axis of the second to that of the first; −1 where it is turned around. None where they are not parallel.
    fn align(seats: &mut [Seat<Self>; 2], at: &Configuration) -> Option<f64>;

    /// Moment of inertia about the axis of a wheel; none of ground.
    fn inertia(builder: &Builder<'_, Self>, seat: &Seat<Self>) -> Option<f64>;

    fn force(sprung: Sprung<Self>) -> Self::Force;

    fn add_flank(contacts: &mut Self::Contacts, flank: Flank<Self>);

    fn draw(builder: &mut Builder<'_, Self>, wheel: &Drawn<'_, Self>);
}

/// A wheel to draw.
pub(crate) struct Drawn<'a, S: Mechanics> {
    pub body: &'a str,
    pub seat: &'a Seat<S>,
    pub geometry: &'a Geometry,
    pub wheel: usize,
    /// Angle of the middle of a tooth in its own axes.
    pub phase: f64,
}

/// A wheel that has teeth: how many, and the angle of the middle of one in its own axes.
type Wheels<'a> = BTreeMap<&'a str, (i32, f64)>;

fn wrong<T>(path: &[&str], message: String, remedy: String) -> Built<T> {
    Err(ModelError::new(path, Problem::BadShape { message, remedy }))
}

fn mm(length: f64) -> String {
    format!("{:.6} m", length)
}

/// Plain numbers of a pair.
pub(crate) fn check(key: &str, gear: &GearPair) -> Check {
    let at = |field| ["gears", key, field];
    let [first, second] = gear.teeth;
    let names = &gear.between;
    if first <= 0 {
        return wrong(
            &at("teeth"),
            format!("the first wheel, `{}`, has {first} teeth", names[0]),
            "give it a positive number; a ring, with a negative number, comes second".into(),
        );
    }
    if second == 0 || (second < 0 && second + first >= 0) {
        return wrong(
            &at("teeth"),
            format!("`{}` with {first} teeth and `{}` with {second} do not mesh", names[0], names[1]),
            "give the second a positive number, or a ring more teeth, negative, than the wheel in it".into(),
        );
    }
    number(gear.module, "module", &at("module")).positive()?;
    number(gear.pressure_angle, "pressure angle", &at("pressure_angle")).within(0.05, 0.9)?;
    number(gear.helix_angle, "helix angle", &at("helix_angle")).within(-1.2, 1.2)?;
    for (field, pair) in [("addendum", gear.addendum), ("dedendum", gear.dedendum)] {
        pair.iter().try_for_each(|&x| number(x, "height of teeth", &at(field)).positive())?;
    }
    gear.profile_shift
        .iter()
        .try_for_each(|&x| number(x, "profile shift", &at("profile_shift")).within(-2.0, 2.0))?;
    let positive = [
        ("width", "width", gear.width),
        ("distance", "distance", gear.distance),
        ("creep", "sliding speed", gear.creep),
        ("stiffness", "stiffness", gear.stiffness),
        ("stiffness_ratio", "stiffness ratio", gear.stiffness_ratio),
        ("youngs_modulus", "Young's modulus", gear.youngs_modulus),
        ("shape_factor", "shape factor", gear.shape_factor),
        ("relief_length", "length of the relief", gear.relief_length),
    ];
    for (field, quantity, value) in positive {
        if let Some(value) = value {
            number(value, quantity, &at(field)).positive()?;
        }
    }
    let not_negative = [
        ("play", "play", gear.play),
        ("damping_ratio", "damping ratio", gear.damping_ratio),
        ("damping", "damping", gear.damping),
        ("tip_relief", "tip relief", gear.tip_relief),
    ];
    for (field, quantity, value) in not_negative {
        if let Some(value) = value {
            number(value, quantity, &at(field)).not_negative()?;
        }
    }
    if let Some(entry) = gear.entry {
        number(entry, "entry", &at("entry")).within(0.0, 0.5)?;
    }
    if let Some(ratio) = gear.stiffness_ratio {
        number(ratio, "stiffness ratio", &at("stiffness_ratio")).within(0.0, 1.0)?;
    }
    if let (Some(_), PlayFrom::Geometry) = (gear.play, gear.play_from) {
        let problem = Problem::Useless { key: "play", without: "play_from = \"mounting\"" };
        return Err(ModelError::new(&at("play"), problem));
    }
    number(gear.restitution, "restitution", &at("restitution")).within(0.0, 1.0)?;
    number(gear.friction, "friction", &at("friction")).not_negative()?;
    if gear.helix_angle != 0.0 && gear.width.is_none() {
        return Err(ModelError::new(
            &["gears", key],
            Problem::Missing { key: "width", because: "helix_angle" },
        ));
    }
    if gear.slices == Some(0) {
        return wrong(&at("slices"), "a wheel of no slices".into(), "one slice or more".into());
    }
    if gear.tip_relief.is_some_and(|relief| relief > 0.0) && gear.relief_length.is_none() {
        let problem = Problem::Missing { key: "relief_length", because: "tip_relief" };
        return Err(ModelError::new(&["gears", key], problem));
    }
    if gear.damping.is_some() && gear.damping_ratio.is_some() {
        return wrong(
            &at("damping"),
            "`damping_ratio` and `damping` are both given".into(),
            "leave one of them out".into(),
        );
    }
    let without = |key, without| Err(ModelError::new(&at(key), Problem::Useless { key, without }));
    match gear.law {
        GearLaw::Spring if gear.restitution != 0.0 => without("restitution", "law = \"hard\""),
        GearLaw::Spring if gear.stiffness.is_none() && gear.width.is_none() => {
            let problem = Problem::Missing { key: "width", because: "law = \"spring\" without stiffness" };
            Err(ModelError::new(&["gears", key], problem))
        }
        GearLaw::Spring if gear.helix_angle != 0.0 && gear.entry.is_some() => {
            without("entry", "spur wheels: helical ones come in along their width")
        }
        GearLaw::Hard => {
            let springs = [
                ("creep", gear.creep),
                ("stiffness", gear.stiffness),
                ("youngs_modulus", gear.youngs_modulus),
                ("shape_factor", gear.shape_factor),
                ("damping_ratio", gear.damping_ratio),
                ("damping", gear.damping),
                ("entry", gear.entry),
                ("tip_relief", gear.tip_relief),
                ("relief_length", gear.relief_length),
            ];
            match springs.into_iter().find(|(_, value)| value.is_some()) {
                Some((key, _)) => without(key, "law = \"spring\""),
                None => Ok(()),
            }
        }
        GearLaw::Spring => Ok(()),
    }
}

impl GearPair {
    /// The shape of both wheels.
    pub(crate) fn geometry(&self) -> Geometry {
        let teeth = |i: usize| Teeth {
            count: self.teeth[i],
            shift: self.profile_shift[i],
            addendum: self.addendum[i],
            dedendum: self.dedendum[i],
        };
        Geometry::new(Given {
            module: self.module,
            pressure_angle: self.pressure_angle,
            helix_angle: self.helix_angle,
            width: self.width.unwrap_or(0.0),
            wheels: [teeth(0), teeth(1)],
        })
    }

    /// The teeth with their play at a mounting distance, or why they do not mesh there.
    fn mesh(&self, key: &str, distance: f64) -> Built<Mesh> {
        let geometry = self.geometry();
        let [first, second] = &self.between;
        let path = ["gears", key, if self.distance.is_some() { "distance" } else { "between" }];
        let tight = geometry.tight_distance();
        let fits = match tight {
            Some(tight) => format!("without play the distance is {}", mm(tight)),
            None => "with these profile shifts there is no distance without play".into(),
        };
        if geometry.contact_ratio(distance) <= 0.0 {
            let reach = (geometry.r_a[0] + geometry.r_a[1]).abs();
            let side = if geometry.sign() > 0.0 { "below" } else { "above" };
            return wrong(
                &path,
                format!(
                    "`{first}` and `{second}` are {} apart: their teeth do not reach each other",
                    mm(distance)
                ),
                format!("{fits}; the tips meet {side} {}", mm(reach)),
            );
        }
        let play = match self.play_from {
            PlayFrom::Mounting => geometry.at_mounting(self.play.unwrap_or(0.0) / geometry.cos_b, distance),
            PlayFrom::Geometry => geometry.geometric_play(),
        };
        let left = geometry.at(distance, &play).play[0];
        if left < -OVERLAP * self.module {
            let missing = tight.map_or(0.0, |tight| (tight - distance).abs());
            return wrong(
                &path,
                format!(
                    "`{first}` and `{second}` jam: at a distance of {} their teeth overlap by {}",
                    mm(distance),
                    mm(-left)
                ),
                format!("{} are missing: {fits}; or give `play` at the mounting distance", mm(missing)),
            );
        }
        if geometry.sign() > 0.0 && distance <= geometry.base() {
            return wrong(
                &path,
                format!("`{first}` and `{second}` are {} apart: their base circles overlap", mm(distance)),
                fits,
            );
        }
        Ok(Mesh { geometry, play })
    }

    /// c along the path; of hard flanks only its shape counts.
    fn parabola(&self) -> Parabola {
        let (per_width, steel) = STEEL;
        let formula = per_width * self.youngs_modulus.unwrap_or(steel) / steel
            * self.width.unwrap_or(0.0)
            * self.shape_factor.unwrap_or(1.0);
        let most = match self.law {
            GearLaw::Spring => self.stiffness.unwrap_or(formula),
            GearLaw::Hard => 1.0,
        };
        Parabola { most, ratio: self.stiffness_ratio.unwrap_or(STIFFNESS_RATIO) }
    }

    /// Slices along the width, where it matters how many.
    fn slices(&self, geometry: &Geometry, flat: bool) -> Vec<Slice> {
        let width = self.width.unwrap_or(0.0);
        let stretch = width * geometry.tan_b.abs();
        if stretch == 0.0 {
            let entry = match self.law {
                GearLaw::Spring => self.entry.unwrap_or(ENTRY) * geometry.p_b,
                GearLaw::Hard => 0.0,
            };
            let count = self.slices.unwrap_or(1);
            return sliced(width, count, |_| entry);
        }
        let plain = self.friction == 0.0 && self.tip_relief.unwrap_or(0.0) == 0.0;
        let usual = SLICES.0.max(SLICES.1 * geometry.overlap().ceil() as u32);
        // in the plane the slices of one stretch add up to one
        let count = if flat && plain { 1 } else { self.slices.unwrap_or(usual) };
        sliced(width, count, |count| stretch / f64::from(count))
    }
}

fn sliced(width: f64, count: u32, stretch: impl Fn(u32) -> f64) -> Vec<Slice> {
    let part = 1.0 / f64::from(count);
    let slice =
        |i| Slice { z: ((f64::from(i) + 0.5) * part - 0.5) * width, share: part, stretch: stretch(count) };
    (0..count).map(slice).collect()
}

impl<'a, S: Toothed> Builder<'a, S> {
    /// All pairs of wheels, in order: a wheel that has teeth already keeps them.
    pub(super) fn gears(&mut self, start: &Configuration) {
        let description = self.description;
        let mut wheels = Wheels::new();
        for (key, gear) in S::gears(description) {
            let result = self.gear(key, gear, start, &mut wheels);
            self.note(result);
        }
    }

    fn gear(
        &mut self,
        key: &str,
        gear: &'a GearPair,
        start: &Configuration,
        wheels: &mut Wheels<'a>,
    ) -> Built<()> {
        let names = &gear.between;
        let mut seats = [
            S::seat(self, &names[0], &["gears", key, "between", "0"])?,
            S::seat(self, &names[1], &["gears", key, "between", "1"])?,
        ];
        let path = ["gears", key, "between"];
        self.two_bodies(&seats[0].centre.place, &seats[1].centre.place, &path)?;
        let Some(turned) = S::align(&mut seats, start) else {
            return wrong(
                &path,
                format!("the axes of `{}` and `{}` are not parallel", names[0], names[1]),
                "turn the points they sit on until z of both is along the same line: wheels with crossed axes are not known".into(),
            );
        };
        let apart = {
            let d = sub(seats[1].centre.at(start).r, seats[0].centre.at(start).r);
            match seats[0].axes.get(2) {
                None => norm(d),
                Some(&axis) => {
                    let axis = S::turn(&seats[0].centre.place.frame(start), axis);
                    norm(sub(d, scale(d.dot(axis), axis)))
                }
            }
        };
        let mesh = gear.mesh(key, gear.distance.unwrap_or(apart))?;
        let geometry = mesh.geometry;
        if geometry.contact_ratio(apart) <= 0.0 {
            return wrong(
                &path,
                format!(
                    "at the start `{}` and `{}` are {} apart: their teeth do not reach each other",
                    names[0],
                    names[1],
                    mm(apart)
                ),
                format!("begin at the mounting distance, {}", mm(gear.distance.unwrap_or(apart))),
            );
        }
        let (parabola, slices) = (gear.parabola(), gear.slices(&geometry, S::FLAT));
        let half =
            if seats[0].axes.len() == 3 && slices.len() > 1 { 0.5 * geometry.given.width } else { 0.0 };
        let inertias = [0, 1].map(|i| S::inertia(self, &seats[i]));
        let drawn = seats.clone();
        let mut pair = Pair::new(mesh, seats, half, slices);

        // teeth stand where another pair has put them
        let known = [0, 1].map(|i| {
            let (count, tooth) = wheels.get(names[i].as_str())?;
            let (own, sense) = if i == 0 { (*tooth, 1.0) } else { (*tooth * turned, turned) };
            Some((*count, own, sense))
        });
        for i in 0..2 {
            if let Some((count, ..)) = known[i]
                && count != gear.teeth[i]
            {
                return wrong(
                    &["gears", key, "teeth"],
                    format!("`{}` has {} teeth here and {count} with another wheel", names[i], gear.teeth[i]),
                    "give it one number of teeth, or name two points of the body for two wheels on it".into(),
                );
            }
        }
        let half_pitch = PI / f64::from(gear.teeth[1]);
        let phases = pair.settle(
            start,
            [known[0].map(|k| k.1), known[1].map(|k| k.1 + half_pitch)],
            gear.flanks.side(),
        );
        let teeth = [phases[0], turned * (phases[1] - half_pitch)];
        let least = [1.0, -1.0].map(|side| pair.gap(start, side)).into_iter().fold(f64::INFINITY, f64::min);
        if known[0].is_some() && known[1].is_some() && least < -OVERLAP * gear.module {
            return wrong(
                &path,
                format!(
                    "the teeth of `{}` and `{}`, which stand as other pairs have put them, overlap by {} at the start",
                    names[0],
                    names[1],
                    mm(-least)
                ),
                "turn one of the bodies so that they mesh; planets that share sun and ring fit where (sun + ring)/planets is a whole number of teeth".into(),
            );
        }
        for i in 0..2 {
            if wheels.insert(&names[i], (gear.teeth[i], teeth[i])).is_none() {
                let body = names[i].split('.').next().unwrap_or(&names[i]);
                let wheel = Drawn {
                    body,
                    seat: &drawn[i],
                    geometry: &geometry,
                    wheel: i,
                    phase: phases[i] - if i == 1 { half_pitch } else { 0.0 },
                };
                S::draw(self, &wheel);
            }
        }
        self.add_gear(key, gear, Arc::new(pair), apart, parabola, inertias)
    }

    fn add_gear(
        &mut self,
        key: &str,
        gear: &GearPair,
        pair: Arc<Pair<S>>,
        distance: f64,
        parabola: Parabola,
        inertias: [Option<f64>; 2],
    ) -> Built<()> {
        let geometry = pair.mesh.geometry;
        let mut springs = None;
        match gear.law {
            GearLaw::Spring => {
                let mut inverse = 0.0;
                for i in 0..2 {
                    let r = geometry.cos_b * geometry.r_b[i];
                    inverse += inertias[i].map_or(0.0, |J| r * r / J);
                }
                let damping = match gear.damping {
                    Some(damping) => damping / parabola.most,
                    None if inverse == 0.0 => 0.0,
                    None => {
                        let ratio = gear.damping_ratio.unwrap_or(DAMPING_RATIO);
                        2.0 * ratio / (inverse * parabola.most).sqrt()
                    }
                };
                let own = Springs {
                    parabola,
                    damping,
                    friction: gear.friction,
                    creep: gear.creep.unwrap_or(CREEP),
                    relief: gear.tip_relief.unwrap_or(0.0),
                    relief_length: gear.relief_length.unwrap_or(1.0),
                };
                self.model.forces.push(S::force(Sprung { pair: pair.clone(), springs: own }));
                springs = Some(own);
            }
            GearLaw::Hard => {
                for (name, side) in [("forward", 1.0), ("backward", -1.0)] {
                    let rubs = (gear.friction > 0.0).then_some(parabola);
                    S::add_flank(&mut self.model.contacts, Flank { pair: pair.clone(), side, rubs });
                    let (restitution, friction) = (gear.restitution, gear.friction);
                    let kind = if friction > 0.0 {
                        ContactKind::Frictional { restitution, tangential_restitution: 0.0, friction }
                    } else {
                        ContactKind::Unilateral { restitution }
                    };
                    self.model.structure.contacts.push(ContactInfo::new(format!("{key}.{name}"), kind));
                    self.model.contact_path.push(vec!["gears".into(), key.into()]);
                }
            }
        }
        let between = gear.between.clone();
        self.model.gears.push(Told { name: key.into(), between, distance, pair, parabola, springs });
        Ok(())
    }

    /// A wheel needs a body that turns and does not bend.
    fn wheel_body(&self, place: &Place<S>, reference: &str, path: &[&str]) -> Check {
        match place.carrier {
            Carrier::Ground | Carrier::Rigid(_) => Ok(()),
            Carrier::Point(_) => {
                Err(ModelError::new(path, Problem::NoAngle { body: self.body_name(place).into() }))
            }
            Carrier::Shapes(_) => wrong(
                path,
                format!("`{reference}` is on a flexible body, and teeth sit on rigid ones"),
                "weld a rigid wheel to that place and name the wheel here".into(),
            ),
        }
    }
}

fn listed<A>(key: &str, gear: &GearPair) -> Attachment<A> {
    Attachment { name: key.into(), kind: "gear", between: gear.between.to_vec(), anchors: Vec::new() }
}

/// Puts all pairs among what acts, by name.
macro_rules! list {
    ($builder:expr) => {
        for (key, gear) in &$builder.description.gears {
            let layout = &mut $builder.model.layout;
            match gear.law {
                GearLaw::Hard => layout.contacts.push(listed(key, gear)),
                GearLaw::Spring => layout.forces.push(listed(key, gear)),
            }
        }
    };
}

impl Builder<'_> {
    pub(super) fn list_gears(&mut self) {
        list!(self);
    }
}

impl SpaceBuilder<'_> {
    pub(super) fn list_gears(&mut self) {
        list!(self);
    }
}

impl Toothed for Plane {
    fn gears(description: &Description) -> &IndexMap<String, GearPair> {
        &description.gears
    }

    fn seat(builder: &Builder<'_>, reference: &str, path: &[&str]) -> Built<Seat<Plane>> {
        let frame = builder.frame(reference, path)?;
        builder.wheel_body(&frame.marker.place, reference, path)?;
        Ok(Seat { centre: frame.marker, axes: vec![[1.0, 0.0], [0.0, 1.0]] })
    }

    fn align(_: &mut [Seat<Plane>; 2], _: &Configuration) -> Option<f64> {
        Some(1.0)
    }

    fn inertia(builder: &Builder<'_>, seat: &Seat<Plane>) -> Option<f64> {
        match &seat.centre.place.carrier {
            Carrier::Rigid(first) => Some(builder.model.mass[first.v as usize + 2]),
            _ => None,
        }
    }

    fn force(sprung: Sprung<Plane>) -> forces::Element {
        forces::Element::Gear(Box::new(sprung))
    }

    fn add_flank(contacts: &mut contacts::PlaneContacts, flank: Flank<Plane>) {
        contacts.elements.push(contacts::Element::Flank(Box::new(flank)));
    }

    fn draw(builder: &mut Builder<'_>, wheel: &Drawn<'_, Plane>) {
        let points = closed(outline(wheel.geometry, wheel.wheel, wheel.phase));
        let centre = wheel.seat.centre.local;
        let drawn = builder.model.outlines.iter_mut().find(|outline| outline.body == wheel.body);
        if let Some(drawn) = drawn {
            drawn.polylines.push(points.into_iter().map(|p| add(centre, p)).collect());
        }
    }
}

impl Toothed for Space {
    fn gears(description: &space::Description) -> &IndexMap<String, GearPair> {
        &description.gears
    }

    fn seat(builder: &SpaceBuilder<'_>, reference: &str, path: &[&str]) -> Built<Seat<Space>> {
        let frame = builder.frame(reference, path)?;
        builder.wheel_body(&frame.marker.place, reference, path)?;
        let A = axes(frame.held);
        let axes = [0, 1, 2].map(|k| [A[0][k], A[1][k], A[2][k]]);
        Ok(Seat { centre: frame.marker, axes: axes.to_vec() })
    }

    fn align(seats: &mut [Seat<Space>; 2], at: &Configuration) -> Option<f64> {
        let axis = |seat: &Seat<Space>| times(&axes_of(&seat.centre.place.frame(at)), seat.axes[2]);
        let cosine = axis(&seats[0]).dot(axis(&seats[1]));
        if 1.0 - cosine.abs() > 0.5 * LEANING * LEANING {
            return None;
        }
        let turned = 1f64.copysign(cosine);
        if turned < 0.0 {
            seats[1].axes[1..].iter_mut().for_each(|axis| *axis = scale(-1.0, *axis));
        }
        Some(turned)
    }

    fn inertia(builder: &SpaceBuilder<'_>, seat: &Seat<Space>) -> Option<f64> {
        let Carrier::Rigid(first) = &seat.centre.place.carrier else { return None };
        let (from, e): (usize, V3) = (first.v as usize + 3, seat.axes[2]);
        let model = &builder.model;
        let squares: f64 = (0..3).map(|k| model.mass[from + k] * e[k] * e[k]).sum();
        let products = model.products.iter().filter(|(i, ..)| (from..from + 3).contains(&(*i as usize)));
        let mixed: f64 =
            products.map(|&(i, j, J)| 2.0 * J * e[i as usize - from] * e[j as usize - from]).sum();
        Some(squares + mixed)
    }

    fn force(sprung: Sprung<Space>) -> forces::SpaceForce {
        forces::SpaceForce::Gear(Box::new(sprung))
    }

    fn add_flank(contacts: &mut contacts::SpaceContacts, flank: Flank<Space>) {
        let element = contacts::space::Element::Flank(Box::new(flank));
        contacts.add(vec![contacts::space::Facing { element, sign: 1.0 }]);
    }

    fn draw(builder: &mut SpaceBuilder<'_>, wheel: &Drawn<'_, Space>) {
        let (r, width) = (wheel.geometry.r[wheel.wheel], wheel.geometry.given.width);
        let length = if width > 0.0 { width } else { wheel.geometry.given.module };
        let rotation = crate::geometry::space::turn_z_to(wheel.seat.axes[2]);
        let drawn = builder.model.outlines.iter_mut().find(|outline| outline.body == wheel.body);
        if let (Some(drawn), Some(rotation)) = (drawn, rotation) {
            drawn.solids.push(PlacedSolid {
                solid: Solid::Cylinder { radius: r.abs(), length },
                at: wheel.seat.centre.local,
                rotation,
                hole: r < 0.0,
            });
        }
    }
}
