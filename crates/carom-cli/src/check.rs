//! `carom check`: everything that can be known of a model without running it.

use crate::args;
use crate::failure::Failure;
use crate::model;
use crate::table::{say, say_json, short, table};
use carom::{ContactKind, Freedom, Quantity, Setup, System};
use serde_json::{Value, json};

/// Reads, builds and assembles a model and says what it is made of.
pub fn check(args: &args::Check) -> Result<(), Failure> {
    let (_, setup) = model::open(&args.model.model, &args.model.set)?;
    let freedom = setup.model().freedom(&setup.assembly().q);
    if args.json { say_json(&data(&setup, &freedom)) } else { say(&text(&setup, &freedom)) }
}

fn data(setup: &Setup, freedom: &Freedom) -> Value {
    let model = setup.model();
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
        "title": model.title(),
        "bodies": model.masses().map(|(name, mass)| json!({ "name": name, "mass": mass })).collect::<Vec<_>>(),
        "joints": model.constraint_info().iter().map(|c| &c.name).collect::<Vec<_>>(),
        "contacts": model.contact_info().iter().map(|c| &c.name).collect::<Vec<_>>(),
        "velocities": model.sizes().v,
        "constraints": model.sizes().constraints,
        "degrees_of_freedom": freedom.degrees_of_freedom,
        "redundant": redundant,
        "assembly": { "misfits": misfits, "moved": moved },
    })
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Length => "m",
        Quantity::Angle => "rad",
    }
}

fn text(setup: &Setup, freedom: &Freedom) -> String {
    let model = setup.model();
    let sizes = model.sizes();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |what: &str, value: String| rows.push(vec![what.into(), value]);

    // a forgotten inertia makes a body that cannot turn: say so
    let kind = |name: &str| match model.coordinates_of(name) {
        Some(coordinates) if coordinates.len() == 2 => " (point mass, does not turn)",
        _ => "",
    };
    let bodies: Vec<String> =
        model.masses().map(|(name, mass)| format!("{name} {} kg{}", short(mass), kind(name))).collect();
    let total: f64 = model.masses().map(|(_, mass)| mass).sum();
    row("bodies", counted(bodies.len(), &bodies));
    row("total mass", format!("{} kg", short(total)));
    let [x, y] = setup.loaded().description.gravity;
    row("gravity", format!("{}, {} m/s²", short(x), short(y)));
    let joints: Vec<String> = model.constraint_info().iter().map(|c| c.name.clone()).collect();
    row("joints", counted(joints.len(), &joints));
    let contacts: Vec<String> = model.contact_info().iter().map(|c| contact(&c.name, &c.kind)).collect();
    row("contacts", counted(contacts.len(), &contacts));
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
    let s = &setup.loaded().description.simulation;
    row(
        "to be run with",
        format!("{}, step {} s, to {} s, solver {}", s.scheme, short(s.step), short(s.end), s.solver),
    );

    let mut text = String::new();
    if !model.title().is_empty() {
        text.push_str(model.title());
        text.push_str("\n\n");
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
        ContactKind::Frictional { restitution, friction, .. } => {
            format!("{name} (restitution {restitution}, friction {friction})")
        }
        _ => format!("{name} (dry friction in the joint)"),
    }
}
