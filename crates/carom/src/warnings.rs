//! A model that can be run and is hardly what is meant. Only what is certain: a warning that is wrong once is not read twice.

use crate::Setup;
use carom_io::units::Dimension;
use carom_io::{Diagnostic, LoadedModel};
use carom_model::description::Contact;
use carom_model::{AnyDescription, AnyModel, Description};

/// Standard gravity (m/s²), and how far the gravity of a planet's surface may be from it and still be meant.
const GRAVITY: f64 = 9.81;
const NEAR: f64 = 0.02;
/// An angle that is a whole multiple of this, and not small, was written in degrees.
const DEGREES: f64 = 15.0;

impl Setup {
    /// What is suspicious about the model, in the order of the file; nothing about a coded system, whose author knows.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let Some(model) = self.model() else { return Vec::new() };
        let loaded = self.loaded();
        let mut found = unused_parameters(loaded);
        found.extend(gravity(loaded));
        if let Some(description) = loaded.description.plane() {
            found.extend(angles(loaded, description));
            found.extend(still_points(loaded, description));
            found.extend(contacts(loaded, description));
        }
        found.extend(idle_bodies(loaded, model));
        found.extend(velocities(self));
        found.extend(steps(self));
        found.extend(self.unstable_bodies());
        for (gear, message, help) in model.doubtful_gears() {
            found.push(loaded.diagnose(&["gears", gear], message, help));
        }
        for redundancy in model.freedom(&self.assembly().q).redundant {
            let joint = redundancy.name.split('.').next().unwrap_or_default();
            let others: Vec<&str> =
                redundancy.joints.iter().map(String::as_str).filter(|other| *other != joint).collect();
            let by = if others.is_empty() { "its own other rows".to_string() } else { others.join(", ") };
            let message =
                format!("`{}` holds what is held already, by {by}: its force is not unique", redundancy.name);
            let help = "fine for the motion; for the force, leave a joint out or make a body flexible";
            found.push(loaded.diagnose(&["joints", joint], message, help));
        }
        let mut found: Vec<Diagnostic> = found.into_iter().map(Diagnostic::as_warning).collect();
        found.sort_by_key(|d| (d.line, d.column));
        found
    }
}

fn unused_parameters(loaded: &LoadedModel) -> Vec<Diagnostic> {
    let one = |name: &String| {
        let message = format!("nothing uses the parameter `{name}`");
        let help = format!("leave it out, or use it where it is meant, as in \"=2*{name}\"");
        loaded.diagnose_key(&["parameters", name], message, help)
    };
    loaded.unused_parameters().iter().map(one).collect()
}

/// 9.81 in other units than it is known in.
fn gravity(loaded: &LoadedModel) -> Option<Diagnostic> {
    let squares: f64 = loaded.description.gravity().iter().map(|g| g * g).sum();
    let (si, unit) = (squares.sqrt(), Dimension::LENGTH.per(Dimension::TIME).per(Dimension::TIME));
    let written = si / loaded.units.factor(unit);
    let near = |g: f64, usual: f64| (g / usual - 1.0).abs() < NEAR;
    let suspicious = !near(si, GRAVITY) && (near(written, GRAVITY) || near(written, 1e3 * GRAVITY));
    let usual = GRAVITY / loaded.units.factor(unit);
    let digits: f64 = format!("{usual:.6e}").parse().unwrap_or(usual);
    let word = loaded.units.word(unit);
    suspicious.then(|| {
        let message =
            format!("gravity is {written} {word}, which is {:.3} of that of the earth", si / GRAVITY);
        loaded.diagnose(
            &["gravity"],
            message,
            format!("in the units of this file the earth has {digits} {word}"),
        )
    })
}

/// Velocities of a run that begins at rest.
fn velocities(setup: &Setup) -> Vec<Diagnostic> {
    if setup.rest().is_none() {
        return Vec::new();
    }
    let loaded = setup.loaded();
    let moving = |key: &'static str| {
        loaded.description.bodies().into_iter().filter_map(move |name| {
            let given = moves(&loaded.description, name)[usize::from(key != "velocity")];
            let message = format!("`{name}` is given a {key}, and the run begins at rest");
            let help = "leave it out, or leave out `start = \"equilibrium\"`";
            given.then(|| loaded.diagnose(&["bodies", name, key], message, help))
        })
    };
    moving("velocity").chain(moving("angular_velocity")).collect()
}

/// Whether a body is given a velocity, and an angular velocity.
fn moves(description: &AnyDescription, name: &str) -> [bool; 2] {
    match description {
        AnyDescription::Plane(d) => {
            [d.bodies[name].velocity != [0.0; 2], d.bodies[name].angular_velocity != 0.0]
        }
        AnyDescription::Space(d) => {
            [d.bodies[name].velocity, d.bodies[name].angular_velocity].map(|v| v != [0.0; 3])
        }
    }
}

/// 90 radians.
fn angles(loaded: &LoadedModel, description: &Description) -> Vec<Diagnostic> {
    let factor = loaded.units.factor(Dimension::ANGLE);
    let bodies = description.bodies.iter();
    let degrees = |angle: f64| factor == 1.0 && angle.abs() >= 2.0 * DEGREES && angle % DEGREES == 0.0;
    bodies
        .filter(|(_, body)| degrees(body.angle))
        .map(|(name, body)| {
            let message = format!("`{name}` is turned by {} rad, which looks like degrees", body.angle);
            let help = format!(
                "`\"={}*pi/180\"`, or `units = {{ angle = \"deg\" }}` for the whole file",
                body.angle
            );
            loaded.diagnose(&["bodies", name, "angle"], message, help)
        })
        .collect()
}

/// Bodies that rest for ever because nothing reaches them.
fn idle_bodies(loaded: &LoadedModel, model: &AnyModel) -> Vec<Diagnostic> {
    let d = &loaded.description;
    let mut found = Vec::new();
    for name in d.bodies() {
        let still = moves(d, name) == [false; 2];
        if still && d.gravity().iter().all(|g| *g == 0.0) && !model.refers_to(name) {
            let message = format!("`{name}` never moves: nothing pulls, holds or touches it");
            found.push(loaded.diagnose_key(
                &["bodies", name],
                message,
                "a joint, a force, a contact, gravity or a velocity",
            ));
        }
    }
    found
}

/// Point masses that are asked to turn.
fn still_points(loaded: &LoadedModel, description: &Description) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, body) in &description.bodies {
        let point = body.inertia.or(body.density).is_none() && body.elastic.is_none();
        if point && (body.angular_velocity != 0.0 || body.angle != 0.0) {
            let key = if body.angle != 0.0 { "angle" } else { "angular_velocity" };
            let message = format!(
                "`{name}` has no inertia, so it is a point mass and does not turn: `{key}` has no effect"
            );
            found.push(loaded.diagnose(&["bodies", name, key], message, "give it an `inertia`"));
        }
    }
    found
}

/// Pairs that touch twice, and keys without effect.
fn contacts(loaded: &LoadedModel, description: &Description) -> Vec<Diagnostic> {
    let contacts: Vec<_> = description.contacts.iter().collect();
    let mut found = Vec::new();
    for (i, (name, contact)) in contacts.iter().enumerate() {
        let [a, b] = &contact.between;
        let same = |other: &Contact| {
            other.between == [a.clone(), b.clone()] || other.between == [b.clone(), a.clone()]
        };
        if let Some((first, _)) = contacts[..i].iter().find(|(_, other)| same(other)) {
            let message = format!("`{name}` is the same pair as `{first}`: it counts twice");
            found.push(loaded.diagnose(&["contacts", name, "between"], message, "leave one of the two out"));
        }
        if contact.tangential_restitution != 0.0 && contact.friction == 0.0 {
            let message = format!("`{name}` has no friction, so its `tangential_restitution` has no effect");
            let help = "give it a `friction`, or leave `tangential_restitution` out";
            found.push(loaded.diagnose(&["contacts", name, "tangential_restitution"], message, help));
        }
    }
    found
}

/// A run of a single step, and samples that cannot be had.
fn steps(setup: &Setup) -> Vec<Diagnostic> {
    let (s, loaded) = (setup.settings(), setup.loaded());
    let second = loaded.units.time.factor();
    let unit = loaded.units.time.word();
    let mut found = Vec::new();
    if s.step >= s.end && s.accuracy.is_none() {
        let message = format!(
            "the step is {} {unit} and the run {} {unit}: there is one step",
            s.step / second,
            s.end / second
        );
        found.push(loaded.diagnose(&["simulation", "step"], message, "a step much shorter than the run"));
    }
    let between = !setup.scheme().owns_steps() && s.accuracy.is_none();
    if let Some(output) = s.output.filter(|output| between && *output < s.step * (1.0 - 1e-9)) {
        let message = format!(
            "samples are asked for every {} {unit}, and steps are {} {unit} long",
            output / second,
            s.step / second
        );
        let help = "an `output` of the step or longer, or a smaller `step`";
        found.push(loaded.diagnose(&["simulation", "output"], message, help));
    }
    found
}
