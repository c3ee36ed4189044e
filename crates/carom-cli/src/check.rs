//! `carom check`: everything that can be known of a model without running it.

use crate::args;
use crate::failure::Failure;
use crate::model;
use crate::table::{say, say_json, short, table};
use carom::description::Coordinates;
use carom::{AnyModel, ContactKind, Diagnostics, Freedom, Quantity, Resistance, Setup, System, SystemInfo};
use serde_json::{Value, json};

/// Reads, builds and assembles a model and says what it is made of.
pub fn check(args: &args::Check) -> Result<(), Failure> {
    let opened = model::open_or_list(&args.model.model, &args.model.set)?;
    let setup = match opened.and_then(|(_, setup)| startable(setup)) {
        Ok(setup) => setup,
        Err(wrong) => {
            if args.json {
                say_json(&json!({ "errors": wrong }))?;
            }
            return Err(wrong.into());
        }
    };
    if args.json {
        return say_json(&data(&setup));
    }
    match (setup.model(), setup.coded()) {
        (Some(model), _) => {
            let freedom = model.freedom(&setup.assembly().q);
            say(&(text(&setup, model, &freedom) + &warnings(&setup)))
        }
        (None, Some(info)) => say(&coded_text(&setup, info)),
        (None, None) => unreachable!("the command line has no systems of its own"),
    }
}

/// The same for programs.
pub fn data(setup: &Setup) -> Value {
    match (setup.model(), setup.coded()) {
        (Some(model), _) => model_data(setup, model, &model.freedom(&setup.assembly().q)),
        (None, info) => coded_data(setup, info),
    }
}

/// A model whose run can begin, with nothing done yet.
fn startable(setup: Setup) -> Result<Setup, Diagnostics> {
    match setup.simulation(setup.settings()).map(|_| ()) {
        Ok(()) => Ok(setup),
        Err(error) => Err(setup.diagnose_start(&error).into()),
    }
}

/// A coded system has coordinates of its own instead of bodies, and parameters instead of a file.
fn coded_data(setup: &Setup, info: Option<&SystemInfo>) -> Value {
    let system = setup.system();
    let sizes = system.structure().sizes;
    json!({
        "title": setup.loaded().description.title(),
        "scheme": setup.loaded().description.simulation().scheme,
        "scheme_choice": setup.choice().map(ToString::to_string),
        "source": info.map(|info| info.source),
        "parameters": setup.loaded().parameters,
        "joints": system.structure().constraints.iter().map(|c| &c.name).collect::<Vec<_>>(),
        "contacts": names(system),
        "velocities": sizes.v,
        "constraints": sizes.constraints,
        "degrees_of_freedom": sizes.v - sizes.constraints,
        "start": { "q": setup.assembly().q, "v": setup.assembly().v },
    })
}

fn coded_text(setup: &Setup, info: &SystemInfo) -> String {
    let system = setup.system();
    let sizes = system.structure().sizes;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |what: &str, value: String| rows.push(vec![what.into(), value]);
    row("source", info.source.into());
    let velocities: Vec<String> =
        (0..sizes.v).map(|i| system.structure().velocities[i].name.clone()).collect();
    row("velocities", counted(sizes.v, &velocities));
    let (joints, contacts) = connections(system);
    row("joints", joints);
    row("contacts", contacts);
    row(
        "degrees of freedom",
        format!(
            "{} = {} velocities - {} constraints",
            sizes.v - sizes.constraints,
            sizes.v,
            sizes.constraints
        ),
    );
    row("to be run with", choices(setup));
    if let Some(choice) = setup.choice() {
        row("scheme", choice.to_string());
    }
    let parameters: Vec<Vec<String>> = info
        .parameters
        .iter()
        .map(|p| {
            let value = format!("{} {}", short(setup.loaded().parameters[p.name]), p.unit);
            vec![p.name.into(), value.trim_end().into(), p.meaning.into()]
        })
        .collect();
    format!("{}\n\n{}\n{}", info.title, table(&rows, 90), table(&parameters, 90))
}

/// Contacts by name; the places of a pair of outlines have one.
fn names(system: &dyn System) -> Vec<&str> {
    let mut names: Vec<&str> = system.structure().contacts.iter().map(|c| c.name.as_str()).collect();
    names.dedup();
    names
}

/// Joints and contacts, counted and named.
fn connections(system: &dyn System) -> (String, String) {
    let joints: Vec<String> = system.structure().constraints.iter().map(|c| c.name.clone()).collect();
    let mut contacts: Vec<String> =
        system.structure().contacts.iter().map(|c| contact(&c.name, &c.kind)).collect();
    contacts.dedup();
    (counted(joints.len(), &joints), counted(contacts.len(), &contacts))
}

/// Scheme, step, end, solver.
fn choices(setup: &Setup) -> String {
    let s = setup.loaded().description.simulation();
    format!("{}, step {} s, to {} s, solver {}", s.scheme, short(s.step), short(s.end), s.solver)
}

/// Which ones, and what is left to constrain.
fn coordinates(setup: &Setup) -> String {
    let word = match setup.loaded().description.simulation().coordinates {
        Coordinates::Absolute => "absolute",
        Coordinates::Relative => "relative",
        Coordinates::Natural => "natural",
    };
    let sizes = setup.system().structure().sizes;
    let (rows, _) = connections(setup.system());
    format!("{word}: {} velocities, {} constraints; joints as constraints {rows}", sizes.v, sizes.constraints)
}

fn model_data(setup: &Setup, model: &AnyModel, freedom: &Freedom) -> Value {
    let system = model.system();
    let redundant: Vec<_> =
        freedom.redundant.iter().map(|r| json!({ "row": r.name, "joints": r.joints })).collect();
    let misfits: Vec<_> = setup
        .assembly()
        .misfits
        .iter()
        .map(|m| json!({ "joint": m.joint, "residual": m.residual, "unit": unit(m.quantity) }))
        .collect();
    let moved: Vec<_> = setup
        .assembly()
        .moved
        .iter()
        .map(|m| {
            json!({
                "body": m.body, "displacement": m.displacement, "rotation": m.rotation,
                "velocity": m.velocity, "angular_velocity": m.angular_velocity,
            })
        })
        .collect();
    json!({
        "title": setup.loaded().description.title(),
        "scheme": setup.loaded().description.simulation().scheme,
        "scheme_choice": setup.choice().map(ToString::to_string),
        "bodies": model.masses().into_iter().map(|(name, mass)| json!({ "name": name, "mass": mass })).collect::<Vec<_>>(),
        "centre_of_mass": model.centre_of_mass(&setup.assembly().q),
        "joints": system.structure().constraints.iter().map(|c| &c.name).collect::<Vec<_>>(),
        "contacts": names(system),
        "velocities": system.structure().sizes.v,
        "constraints": system.structure().sizes.constraints,
        "degrees_of_freedom": freedom.degrees_of_freedom,
        "redundant": redundant,
        "assembly": { "misfits": misfits, "moved": moved },
        "warnings": setup.warnings(),
        "notes": setup.notes(),
    })
}

/// What is suspicious and what is good to know, each at its line; nothing if nothing is.
fn warnings(setup: &Setup) -> String {
    match [setup.warnings(), setup.notes()].concat() {
        none if none.is_empty() => String::new(),
        list => format!("\n{}", Diagnostics { list }),
    }
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Length => "m",
        Quantity::Angle => "rad",
    }
}

fn text(setup: &Setup, model: &AnyModel, freedom: &Freedom) -> String {
    let sizes = model.system().structure().sizes;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |what: &str, value: String| rows.push(vec![what.into(), value]);

    // a forgotten inertia makes a body that cannot turn: say so
    let kind = |i: usize| match model.bodies()[i].kind {
        "point" => " (point mass, does not turn)",
        _ => "",
    };
    let one = |(i, (name, mass)): (usize, &(&str, f64))| format!("{name} {} kg{}", short(*mass), kind(i));
    let bodies: Vec<String> = model.masses().iter().enumerate().map(one).collect();
    let total: f64 = model.masses().iter().map(|(_, mass)| mass).sum();
    row("bodies", counted(bodies.len(), &bodies));
    row("total mass", format!("{} kg", short(total)));
    if let Some(place) = model.centre_of_mass(&setup.assembly().q) {
        let place: Vec<String> = place.iter().map(|&x| format!("{} m", short(x))).collect();
        row("centre of mass", place.join(", "));
    }
    let gravity: Vec<String> = setup.loaded().description.gravity().iter().map(|&g| short(g)).collect();
    row("gravity", format!("{} m/s²", gravity.join(", ")));
    let (joints, contacts) = connections(model.system());
    row("joints", joints);
    row("contacts", contacts);
    let dofs = freedom.degrees_of_freedom;
    row(
        "degrees of freedom",
        format!("{dofs} = {} velocities - {} independent constraints", sizes.v, freedom.rank),
    );
    let redundant = match freedom.redundant.as_slice() {
        [] => "none".to_string(),
        some => {
            let one = |r: &carom::Redundancy| format!("{} (implied by {})", r.name, others(r));
            let all: Vec<String> = some.iter().map(one).collect();
            format!("{}: {}; reactions are those of least norm", some.len(), all.join(", "))
        }
    };
    row("redundant constraints", redundant);
    let changes = model::assembly_lines(setup);
    row("assembly", if changes.is_empty() { "fits as described".into() } else { changes.join("; ") });
    row("to be run with", choices(setup));
    if setup.loaded().description.simulation().coordinates != Coordinates::Absolute {
        row("coordinates", coordinates(setup));
    }
    if let Some(choice) = setup.choice() {
        row("scheme", choice.to_string());
    }

    let mut text = String::new();
    let title = setup.loaded().description.title();
    if !title.is_empty() {
        text.push_str(title);
        text.push_str("\n\n");
    }
    for row in &mut rows {
        row[1] = setup.loaded().units.speak(&row[1]);
    }
    text + &table(&rows, 90)
}

/// The joints of a redundancy other than its own, or itself if it is alone.
fn others(r: &carom::Redundancy) -> String {
    let own = r.name.rsplit_once('.').map_or(r.name.as_str(), |(joint, _)| joint);
    let others: Vec<&str> = r.joints.iter().map(String::as_str).filter(|j| *j != own).collect();
    if others.is_empty() { format!("the other rows of {own}") } else { others.join(", ") }
}

fn counted(n: usize, names: &[String]) -> String {
    /// More names than this are counted and not listed.
    const LISTED: usize = 24;
    match n {
        0 => "none".into(),
        n if n > LISTED => format!("{n}: {}, ...", names[..LISTED].join(", ")),
        n => format!("{n}: {}", names.join(", ")),
    }
}

fn contact(name: &str, kind: &ContactKind) -> String {
    match kind {
        ContactKind::Unilateral { restitution } => format!("{name} (restitution {restitution})"),
        ContactKind::Frictional { restitution, friction, .. }
        | ContactKind::Spatial { restitution, friction, .. } => {
            let resists = match kind.resistance() {
                Resistance::None => String::new(),
                Resistance::Rolling(arm) => format!(", rolling resistance {arm} m"),
                Resistance::Drilling(arm) => format!(", drilling resistance {arm} m"),
            };
            format!("{name} (restitution {restitution}, friction {friction}{resists})")
        }
        _ => format!("{name} (dry friction in the joint)"),
    }
}
