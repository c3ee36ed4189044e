//! Who touches whom: groups of shapes, their materials, and what is left out.
//!
//! ```text
//!   shapes that take part    of all contacts between groups, in the order of the description
//!   class                    shapes of one kind and one material that the same names mean
//!   law of two classes       of the contact that is most particular about them: body 2, group 1, all 0, summed over both;
//!                            its surface by its own numbers, else by the two materials
//!   apart                    bodies that share a joint; a pair that a contact between shapes or bodies names has that one alone
//! ```

use super::SpaceBuilder;
use super::contact::{Surface, kind, resistance, solid};
use crate::build::Built;
use crate::contacts::space::{
    Crowd, CrowdLaw, MOST_MEMBERS, Member, Mount, NO_LAW, Placement, elements, places_of,
};
use crate::description::space::{Body, Contact, Except, Pairs, Shape, is_meant};
use crate::description::{Coordinates, Start};
use crate::error::{ModelError, Problem};
use crate::geometry::norm;
use crate::layout::Attachment;
use crate::outline;
use carom_dynamics::{ContactInfo, ContactKind, Near};
use std::collections::{BTreeMap, BTreeSet};

/// All shapes.
pub(super) const ALL: &str = "all";

/// Part of the smallest shape that forces may move something by in a step, on top of its velocity: what they add in the first step
/// from rest. Later the velocity says it.
const MARGIN: f64 = 0.02;

/// More contacts than this are too many to be looked at in every step.
const MOST_THAT_STAY: usize = 100_000;

/// More classes than this make too large a table.
const MOST_CLASSES: usize = 4096;

/// A shape of the description.
struct Named<'a> {
    body: &'a str,
    name: String,
    shape: &'a Shape,
}

/// Two sides of a contact and what is left out, each a set of shapes, and how particular it is.
struct Sides<'a> {
    key: &'a str,
    contact: &'a Contact,
    sides: [usize; 2],
    /// Pairs of sets.
    out: Vec<[usize; 2]>,
    particular: u32,
}

fn wrong(path: &[&str], message: String, remedy: &str) -> ModelError {
    ModelError::new(path, Problem::BadShape { message, remedy: remedy.into() })
}

impl<'a> SpaceBuilder<'a> {
    /// Whether a contact is one between groups.
    pub(super) fn is_between_groups(&self, contact: &Contact) -> bool {
        let group = |name: &String| {
            !self.description.bodies.contains_key(name)
                && (name == ALL || self.description.groups.contains_key(name))
        };
        contact.between.iter().any(group)
    }

    fn all_shapes(&self) -> Vec<Named<'a>> {
        let of = |body: &'a str, shapes: &'a indexmap::IndexMap<String, Shape>| {
            shapes.iter().map(move |(name, shape)| Named { body, name: format!("{body}.{name}"), shape })
        };
        let bodies = self.description.bodies.iter().flat_map(|(name, body)| of(name, &body.shapes));
        bodies.chain(of("ground", &self.description.ground.shapes)).collect()
    }

    /// Groups and materials say something, whether a contact asks for them or not.
    pub(super) fn check_groups(&mut self) {
        let shapes = self.all_shapes();
        let description = self.description;
        for (key, names) in &description.groups {
            let path = ["groups", key.as_str()];
            let taken = if key == ALL || key == "ground" {
                Some("carom itself")
            } else {
                description.bodies.contains_key(key).then_some("a body")
            };
            if let Some(other) = taken {
                self.errors.push(ModelError::new(&path, Problem::DuplicateName { name: key.clone(), other }));
            }
            if names.is_empty() {
                let message = format!("the group `{key}` names nobody");
                self.errors.push(wrong(
                    &path,
                    message,
                    "list bodies or shapes, such as [\"ball*\", \"ground.floor\"]",
                ));
            }
            for name in names {
                let meant = self.meant(name, &shapes, &path);
                self.note(meant.map(|_| ()));
            }
        }
        for (key, material) in &description.materials {
            let path = ["materials", key.as_str()];
            self.note(crate::check::surface(&path, material.restitution, 0.0, material.friction));
            for (arm, field) in [(material.rolling, "rolling"), (material.drilling, "drilling")] {
                self.note(crate::check::number(arm, field, &["materials", key, field]).not_negative());
            }
            if material.rolling > 0.0 && material.drilling > 0.0 {
                let message = "this material resists both rolling and drilling, and the laws of contacts carry one of them";
                self.errors.push(wrong(&path, message.into(), "keep the one that matters more"));
            }
            for name in &material.on {
                let meant = self.meant(name, &shapes, &["materials", key, "on"]);
                self.note(meant.map(|_| ()));
            }
        }
        let ground = description.ground.material.as_ref().map(|name| ("ground", name));
        let bodies = description.bodies.iter();
        let said = bodies.filter_map(|(key, body)| Some((key.as_str(), body.material.as_ref()?)));
        for (body, name) in ground.into_iter().chain(said) {
            if !description.materials.contains_key(name) {
                let known = description.materials.keys().cloned().collect();
                let problem = Problem::Unknown { what: "material", name: name.clone(), known };
                let path: &[&str] =
                    if body == "ground" { &["ground", "material"] } else { &["bodies", body, "material"] };
                self.errors.push(ModelError::new(path, problem));
            }
        }
        if description.bodies.contains_key(ALL)
            && description.contacts.values().any(|c| c.between.iter().any(|n| n == ALL))
        {
            let message = "`all` is a body here, and means all shapes in contacts".to_string();
            self.errors.push(wrong(&["bodies", ALL], message, "give the body another name"));
        }
    }

    /// The shapes that a pattern means.
    fn meant(&self, pattern: &str, shapes: &[Named<'_>], path: &[&str]) -> Built<Vec<usize>> {
        let of = |(i, shape): (usize, &Named<'_>)| {
            (is_meant(pattern, shape.body) || is_meant(pattern, &shape.name)).then_some(i)
        };
        let found: Vec<usize> = shapes.iter().enumerate().filter_map(of).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        if let Some(body) = self.description.bodies.get(pattern)
            && body.shapes.is_empty()
        {
            let message = format!("`{pattern}` has no shapes, so it cannot touch as part of a group");
            return Err(wrong(path, message, "give it `shapes`"));
        }
        let bodies = self.description.bodies.keys().cloned();
        let known = bodies.chain(shapes.iter().map(|shape| shape.name.clone())).collect();
        Err(ModelError::new(path, Problem::Unknown { what: "body or shape", name: pattern.into(), known }))
    }

    /// The shapes that a partner means, and how particular it is.
    fn partners(&self, name: &str, shapes: &[Named<'_>], path: &[&str]) -> Built<(Vec<usize>, u32)> {
        if name == ALL {
            return Ok(((0..shapes.len()).collect(), 0));
        }
        if let Some(names) = self.description.groups.get(name) {
            let mut all = BTreeSet::new();
            for name in names {
                all.extend(self.meant(name, shapes, &["groups", name])?);
            }
            return Ok((all.into_iter().collect(), 1));
        }
        if name.contains('*') {
            let message = format!("`{name}` is a pattern, and a contact is between names");
            return Err(wrong(path, message, "make a group of it, such as [groups] balls = [\"ball*\"]"));
        }
        let particular = if name.contains('.') { 3 } else { 2 };
        self.meant(name, shapes, path).map(|found| (found, particular)).map_err(|mut error| {
            if let Problem::Unknown { what, known, .. } = &mut error.problem {
                *what = "body, shape or group";
                known.extend(self.description.groups.keys().cloned());
            }
            error
        })
    }

    /// The name of the material of every shape.
    fn materials(&self, shapes: &[Named<'_>]) -> Built<Vec<Option<&'a str>>> {
        let said = |shape: &Named<'_>| match self.description.bodies.get(shape.body) {
            Some(Body { material, .. }) => material.as_deref(),
            None => self.description.ground.material.as_deref(),
        };
        let mut of: Vec<Option<&str>> = shapes.iter().map(said).collect();
        let mut by: Vec<Option<&str>> = vec![None; shapes.len()];
        for (key, material) in &self.description.materials {
            for pattern in &material.on {
                for i in self.meant(pattern, shapes, &["materials", key, "on"])? {
                    if let Some(other) = by[i].filter(|other| *other != key.as_str()) {
                        let message = format!("`{}` is of `{other}` and of `{key}`", shapes[i].name);
                        return Err(wrong(&["materials", key, "on"], message, "name it in one of the two"));
                    }
                    (of[i], by[i]) = (Some(key.as_str()), Some(key.as_str()));
                }
            }
        }
        Ok(of)
    }

    /// The material of a shape, by body and name.
    pub(super) fn material_of(&self, body: &str, shape: &str) -> Built<Option<&'a str>> {
        let shapes = self.all_shapes();
        let name = format!("{body}.{shape}");
        let place = shapes.iter().position(|shape| shape.name == name);
        Ok(place.map(|i| self.materials(&shapes).map(|all| all[i])).transpose()?.flatten())
    }

    /// All contacts between groups, as one crowd.
    pub(super) fn crowd(&mut self) -> Built<()> {
        let description = self.description;
        let between: Vec<(&'a String, &'a Contact)> =
            description.contacts.iter().filter(|(_, contact)| self.is_between_groups(contact)).collect();
        if between.is_empty() {
            return Ok(());
        }
        let shapes = self.all_shapes();
        let materials = self.materials(&shapes)?;
        // sets of shapes: two sides of each contact, and what is left out
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let mut all: Vec<Sides<'a>> = Vec::new();
        for &(key, contact) in &between {
            let mut particular = 0;
            let mut sides = [0; 2];
            for (k, name) in contact.between.iter().enumerate() {
                let number = k.to_string();
                let path = ["contacts", key, "between", &number];
                let (mut side, rank) = self.partners(name, &shapes, &path)?;
                for except in &contact.except {
                    if let Except::Thing(name) = except {
                        let (out, _) = self.partners(name, &shapes, &["contacts", key, "except"])?;
                        side.retain(|i| !out.contains(i));
                    }
                }
                particular += rank;
                sides[k] = sets.len();
                sets.push(side);
            }
            let mut out = Vec::new();
            for except in &contact.except {
                if let Except::Pair(pair) = except {
                    let mut of = |name: &String| -> Built<usize> {
                        let (set, _) = self.partners(name, &shapes, &["contacts", key, "except"])?;
                        sets.push(set);
                        Ok(sets.len() - 1)
                    };
                    out.push([of(&pair[0])?, of(&pair[1])?]);
                }
            }
            all.push(Sides { key, contact, sides, out, particular });
        }
        // pairs that contacts of their own name
        let mut own: Vec<[usize; 2]> = Vec::new();
        for (key, contact) in description.contacts.iter().filter(|(_, c)| !self.is_between_groups(c)) {
            let mut of = |name: &String| {
                let found = self.partners(name, &shapes, &["contacts", key, "between"]).map(|found| found.0);
                // points are no shapes
                sets.push(found.unwrap_or_default());
                sets.len() - 1
            };
            own.push([of(&contact.between[0]), of(&contact.between[1])]);
        }
        let mut taking_part: Vec<usize> =
            all.iter().flat_map(|a| a.sides).flat_map(|s| sets[s].clone()).collect();
        taking_part.sort_unstable();
        taking_part.dedup();
        if taking_part.len() > MOST_MEMBERS {
            let message = format!("{} shapes take part in contacts between groups", taking_part.len());
            let path = ["contacts", between[0].0.as_str(), "between"];
            return Err(wrong(&path, message, &format!("let {MOST_MEMBERS} of them take part at most")));
        }
        let (members, classes) = self.members(&taking_part, &shapes, &materials, &sets)?;
        let apart = self.share_joints();
        let count = classes.len();
        let mut table = vec![NO_LAW; count * count];
        let mut laws: Vec<CrowdLaw> = Vec::new();
        let mut law_at: BTreeMap<(usize, [Option<&str>; 2]), u32> = BTreeMap::new();
        let mut of_class: Vec<Vec<usize>> = vec![Vec::new(); count];
        members.iter().enumerate().for_each(|(i, member)| of_class[member.class as usize].push(i));
        // by contact, so that laws stand in the order of the description
        let mut chosen: Vec<Option<usize>> = vec![None; count * count];
        for a in 0..count {
            for b in a..count {
                let has = |class: usize, set: usize| classes[class].sets.contains(&set);
                let both = |pair: [usize; 2]| {
                    (has(a, pair[0]) && has(b, pair[1])) || (has(b, pair[0]) && has(a, pair[1]))
                };
                let touch =
                    |sides: &&Sides<'_>| both(sides.sides) && !sides.out.iter().any(|&pair| both(pair));
                let mut best: Option<usize> = None;
                if own.iter().any(|&pair| both(pair)) {
                    continue;
                }
                for (k, sides) in all.iter().enumerate().filter(|(_, sides)| touch(sides)) {
                    match best.map(|best| all[best].particular.cmp(&sides.particular)) {
                        Some(std::cmp::Ordering::Equal) => {
                            let (i, j) = (of_class[a][0], of_class[b].last().copied().unwrap_or(0));
                            let other = all[best.expect("one was there")].key;
                            let message = format!(
                                "`{}` and `{}` are meant by `{other}` and by `{}`, and none is more particular",
                                members[i].name, members[j].name, sides.key
                            );
                            return Err(wrong(
                                &["contacts", sides.key],
                                message,
                                "leave the pair out of one of them by `except`",
                            ));
                        }
                        Some(std::cmp::Ordering::Greater) => {}
                        _ => best = Some(k),
                    }
                }
                chosen[a * count + b] = best;
            }
        }
        let lists = Lists { members: &members, classes: &classes, chosen: &chosen, apart: &apart };
        for (k, sides) in all.iter().enumerate().filter(|(_, sides)| sides.contact.pairs == Pairs::All) {
            self.all_pairs(k, sides, &lists)?;
        }
        let near = |sides: &&Sides<'_>| sides.contact.pairs == Pairs::Near;
        let first_law = self.model.structure.contacts.len();
        for (k, sides) in all.iter().enumerate().filter(|(_, sides)| near(sides)) {
            for a in 0..count {
                for b in (a..count).filter(|&b| chosen[a * count + b] == Some(k)) {
                    let Some((i, j)) = some_pair(&of_class[a], &of_class[b], &members, &apart) else {
                        continue;
                    };
                    let (first, second) = (&members[i], &members[j]);
                    if places_of(first, second).is_none() {
                        return Err(no_pair(sides.key, first, second));
                    }
                    let mut of = [classes[a].material, classes[b].material];
                    of.sort_unstable();
                    let law = match law_at.get(&(k, of)) {
                        Some(&law) => law,
                        None => {
                            let names = [first.name.as_str(), second.name.as_str()];
                            let surface = self.surface(sides.key, sides.contact, of, names)?;
                            let law = self.crowd_law(sides, surface, of)?;
                            laws.push(law);
                            law_at.insert((k, of), laws.len() as u32 - 1);
                            laws.len() as u32 - 1
                        }
                    };
                    table[a * count + b] = law;
                    table[b * count + a] = law;
                }
            }
            if !law_at.keys().any(|(of, _)| *of == k) {
                return Err(nobody(sides.key));
            }
            self.listed(sides);
        }
        let mut in_groups: Vec<String> = taking_part.iter().map(|&i| shapes[i].body.to_string()).collect();
        in_groups.dedup();
        self.model.layout.in_groups = in_groups;
        if laws.is_empty() {
            return Ok(());
        }
        let simulation = &description.simulation;
        if simulation.coordinates != Coordinates::Absolute {
            let message =
                "contacts between groups come and go, and these coordinates go by a list that stays"
                    .to_string();
            return Err(wrong(
                &["simulation", "coordinates"],
                message,
                "leave `coordinates` out, or give the contacts `pairs = \"all\"`",
            ));
        }
        if simulation.start != Start::Given {
            let message =
                "contacts between groups come and go, and an equilibrium is looked for by a list that stays"
                    .to_string();
            return Err(wrong(
                &["simulation", "start"],
                message,
                "let the bodies come to rest in a run, or give the contacts `pairs = \"all\"`",
            ));
        }
        let finite = members.iter().filter(|member| member.bound < f64::INFINITY);
        let smallest =
            finite.clone().map(|m| m.bound).filter(|bound| *bound > 0.0).fold(f64::INFINITY, f64::min);
        if smallest < f64::INFINITY {
            let lever = finite.map(|member| member.bound + norm(member.mount().offset())).fold(0.0, f64::max);
            self.model.structure.near = Some(Near { lever, margin: MARGIN * smallest });
        }
        self.model.contacts.set_crowd(Crowd::new(members, laws, first_law, (count, table), apart));
        Ok(())
    }

    fn listed(&mut self, sides: &Sides<'_>) {
        let (name, between) = (sides.key.to_string(), sides.contact.between.to_vec());
        self.model.layout.contacts.push(Attachment { name, kind: "contact", between, anchors: Vec::new() });
    }

    /// All pairs of a contact as contacts that stay, under its name.
    fn all_pairs(&mut self, k: usize, sides: &Sides<'_>, lists: &Lists<'_, '_>) -> Built<()> {
        let Lists { members, classes, chosen, apart } = *lists;
        let (mut all, mut laws) = (Vec::new(), Vec::new());
        for (i, first) in members.iter().enumerate() {
            for second in &members[i + 1..] {
                let (a, b) = (first.class.min(second.class) as usize, first.class.max(second.class) as usize);
                let bodies = [first, second].map(|member| member.mount().place.body);
                let (low, high) = (bodies[0].min(bodies[1]), bodies[0].max(bodies[1]));
                let left_out = low == high || apart.binary_search(&(low, high)).is_ok();
                if left_out || chosen[a * classes.len() + b] != Some(k) {
                    continue;
                }
                let of = [classes[first.class as usize].material, classes[second.class as usize].material];
                let surface = self.surface(sides.key, sides.contact, of, [&first.name, &second.name])?;
                let law = self.law(sides.key, sides.contact, &surface, [&first.placed, &second.placed])?;
                let pair = elements(&first.placed, &second.placed, surface.friction > 0.0)
                    .map_err(|_| no_pair(sides.key, first, second))?;
                laws.extend(pair.iter().map(|_| law.clone()));
                all.extend(pair);
                if all.len() > MOST_THAT_STAY {
                    let message =
                        format!("all pairs of `{}` are more than {MOST_THAT_STAY} contacts", sides.key);
                    return Err(wrong(
                        &["contacts", sides.key, "pairs"],
                        message,
                        "leave `pairs` out: near pairs are listed as they come",
                    ));
                }
            }
        }
        if all.is_empty() {
            return Err(nobody(sides.key));
        }
        self.listed(sides);
        self.add_contacts(&["contacts", sides.key], sides.key, all, laws);
        Ok(())
    }

    /// Shapes as members, and their classes.
    fn members(
        &self,
        taking_part: &[usize],
        shapes: &[Named<'a>],
        materials: &[Option<&'a str>],
        sets: &[Vec<usize>],
    ) -> Built<(Vec<Member>, Vec<Class<'a>>)> {
        // which sets a shape is in
        let mut of_shape: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
        for (set, shapes) in sets.iter().enumerate() {
            shapes.iter().for_each(|&i| of_shape[i].push(set));
        }
        let mut numbers: BTreeMap<Class<'a>, u32> = BTreeMap::new();
        let mut members = Vec::new();
        for &i in taking_part {
            let Named { body, name, shape } = &shapes[i];
            let drawn = outline::space::solid(shape);
            let place = self.place(body, &["groups"])?;
            let placed =
                Placement { solid: solid(shape), mount: Mount::new(place, drawn.at, drawn.rotation) };
            let class = Class {
                kind: placed.solid.name(),
                material: materials[i],
                sets: of_shape[i].iter().copied().collect(),
            };
            let next = numbers.len() as u32;
            let class = *numbers.entry(class).or_insert(next);
            members.push(Member::new(placed, class, name.clone()));
        }
        if numbers.len() > MOST_CLASSES {
            let message = format!("contacts and exceptions tell {} kinds of shapes apart", numbers.len());
            return Err(wrong(&["contacts"], message, "name groups in the place of single bodies"));
        }
        let mut classes: Vec<(u32, Class<'a>)> =
            numbers.into_iter().map(|(class, number)| (number, class)).collect();
        classes.sort_unstable_by_key(|(number, _)| *number);
        Ok((members, classes.into_iter().map(|(_, class)| class).collect()))
    }

    /// Adds a law to the model.
    fn crowd_law(&mut self, sides: &Sides<'_>, surface: Surface, of: [Option<&str>; 2]) -> Built<CrowdLaw> {
        let resists = resistance(sides.key, &surface)?;
        let mut law = kind(surface.restitution, sides.contact.tangential_restitution, surface.friction);
        if let ContactKind::Spatial { resistance, .. } = &mut law {
            *resistance = resists;
        }
        // several laws of one contact are told apart by their materials
        let name = match of {
            [Some(a), Some(b)] if self.description.materials.len() > 1 => format!("{}.{a}-{b}", sides.key),
            _ => sides.key.to_string(),
        };
        let rubs = matches!(law, ContactKind::Spatial { .. });
        self.model.structure.contacts.push(ContactInfo { most: None, ..ContactInfo::new(name, law) });
        self.model.contact_path.push(vec!["contacts".into(), sides.key.into()]);
        Ok(CrowdLaw { rubs, resists, overlap: sides.contact.overlap })
    }

    /// Bodies that share a joint, by number.
    fn share_joints(&self) -> Vec<(u32, u32)> {
        let bodies = &self.description.bodies;
        let number = |name: &String| {
            let body = name.split('.').next().unwrap_or_default();
            match bodies.get_index_of(body) {
                Some(i) => Some(i as u32),
                None => (body == "ground").then_some(bodies.len() as u32),
            }
        };
        let mut apart: Vec<(u32, u32)> = Vec::new();
        for joint in self.description.joints.values() {
            let of: Vec<u32> = joint.between().iter().filter_map(number).collect();
            for (k, &a) in of.iter().enumerate() {
                apart.extend(of[k + 1..].iter().map(|&b| (a.min(b), a.max(b))));
            }
        }
        apart.sort_unstable();
        apart.dedup();
        apart
    }
}

/// Who takes part, and by which contact.
#[derive(Clone, Copy)]
struct Lists<'l, 'a> {
    members: &'l [Member],
    classes: &'l [Class<'a>],
    chosen: &'l [Option<usize>],
    apart: &'l [(u32, u32)],
}

fn no_pair(key: &str, first: &Member, second: &Member) -> ModelError {
    let message = format!(
        "`{}` and `{}` may touch, and there is no contact between a {} and a {} in groups",
        first.name,
        second.name,
        first.placed.solid.name(),
        second.placed.solid.name()
    );
    let remedy = "leave one of them out by `except`, or take spheres, capsules and boxes, and cylinders and rings on planes";
    wrong(&["contacts", key, "between"], message, remedy)
}

fn nobody(key: &str) -> ModelError {
    let message = "no two shapes touch by this contact".to_string();
    let remedy = "name groups with shapes on two bodies that share no joint and are not left out";
    wrong(&["contacts", key, "between"], message, remedy)
}

/// Shapes that are treated alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class<'a> {
    kind: &'static str,
    material: Option<&'a str>,
    sets: BTreeSet<usize>,
}

/// Two shapes of two classes whose bodies may touch.
fn some_pair(
    first: &[usize],
    second: &[usize],
    members: &[Member],
    apart: &[(u32, u32)],
) -> Option<(usize, usize)> {
    let may = |i: usize, j: usize| {
        let (a, b) = (members[i].mount().place.body, members[j].mount().place.body);
        a != b && apart.binary_search(&(a.min(b), a.max(b))).is_err()
    };
    first.iter().find_map(|&i| second.iter().find(|&&j| may(i, j)).map(|&j| (i, j)))
}
