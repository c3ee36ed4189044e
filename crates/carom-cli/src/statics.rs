//! `carom static`: where a mechanism rests, what holds it, and whether it stays.

use crate::args::ModelArgs;
use crate::failure::{self, Failure};
use crate::folder::Folder;
use crate::model;
use crate::table::{say, say_json, short, table};
use carom::equilibrium::{Balance, Equilibrium, Search};
use carom::picture::{Stage, poster};
use carom::units::Dimension;
use carom::{Channel, Configuration, Quantity, Recording, Rest, Scene, System, Topic, Units};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Width and height of the drawing (pixels).
const DRAWING: [f64; 2] = [720.0, 360.0];

/// `carom static`.
#[derive(Debug, Args)]
pub struct Static {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Take all contacts and joints as smooth; else friction holds what it can where it is
    #[arg(long)]
    pub without_friction: bool,
    /// Folder for the results [default: beside the model, ending in .out]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// Finds and shows the equilibrium.
pub fn statics(args: &Static) -> Result<(), Failure> {
    let mut changes = args.model.set.clone();
    changes.push(("simulation.start".into(), "equilibrium".into()));
    let (found, setup) = model::open(&args.model.model, &changes)?;
    let rest = setup.rest().expect("the start was changed to an equilibrium");
    let out = args.out.clone().unwrap_or(found.out);
    let folder = Folder::open(&out, "--out", Topic::CommandLine)?;
    let units = setup.loaded().units;
    let again;
    let equilibrium = if args.without_friction && rest.equilibrium.friction {
        again = rest
            .again(Search { friction: false })
            .map_err(|e| failure::wrong(units.speak(&e.to_string())).run())?;
        &again
    } else {
        &rest.equilibrium
    };
    let recording = recorded(rest, equilibrium);
    let shown = units.present(&recording);
    let data = data(equilibrium, &shown, rest);
    let scene = Scene::of(&recording, &rest.drawing);
    let picture = poster(&Stage::new(&scene, units), &[0.0], DRAWING);
    let json = serde_json::to_string_pretty(&data).expect("numbers and names can be written");
    for (name, content) in [
        ("equilibrium.json", json.into_bytes()),
        ("scene.json", scene.json().into_bytes()),
        ("picture.svg", picture.svg().into_bytes()),
    ] {
        carom::write_bytes(&out.join(name), &content).map_err(|e| failure::wrong(e).run())?;
    }
    folder.keep();
    if args.json {
        return say_json(&data);
    }
    let title = setup.loaded().description.title();
    let title = if title.is_empty() { String::new() } else { format!("{title}\n") };
    let where_to = out.join("picture.svg");
    say(&(title + &text(equilibrium, &shown, rest, &units) + &format!("Open {}\n", where_to.display())))
}

/// Places, reactions and contact forces as one sample of a recording, in SI.
fn recorded(rest: &Rest, equilibrium: &Equilibrium) -> Recording {
    let system: &dyn System = rest.model.system();
    let at = Configuration::new(system, 0.0, &equilibrium.q, &vec![0.0; system.structure().sizes.v]);
    let mut channels = vec![Channel::time()];
    let mut values = vec![0.0];
    let own = &system.structure().channels;
    let mut observed = vec![0.0; own.len()];
    system.observe(&at, &mut observed);
    channels.extend(own.iter().cloned());
    values.extend(observed);
    for info in &system.structure().constraints {
        channels.extend(info.reactions());
        values.extend_from_slice(&equilibrium.reactions[info.rows.clone()]);
    }
    let mut add = |subject: &str, quantity: &str, unit: &str, value: f64| {
        channels.push(Channel::new(subject, quantity, unit));
        values.push(value);
    };
    let names = numbered(equilibrium.contacts.iter().map(|contact| contact.name.as_str()));
    for (contact, name) in equilibrium.contacts.iter().zip(&names) {
        let info = &system.structure().contacts[contact.contact];
        let numbers = if info.stops_an_angle() {
            [("gap", "rad", contact.gap), ("torque", "N m", contact.force_n)]
        } else {
            [("gap", "m", contact.gap), ("force_n", "N", contact.force_n)]
        };
        for (word, unit, value) in numbers {
            if let Some(value) = value {
                add(name, word, unit, value);
            }
        }
        let unit = match &info.kind {
            carom::ContactKind::Dry { quantity: Quantity::Angle, .. } => "N m",
            _ => "N",
        };
        if let Some(value) = contact.force_t {
            add(name, "force_t", unit, value);
        }
    }
    let columns = values.into_iter().map(|value| vec![value]).collect();
    Recording { channels, columns, events: Vec::new() }
}

/// Names of contacts, with a number where several have the same one, as the corners of a box have.
fn numbered<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let number = |(i, name): (usize, &'a str)| {
        let alike = names.clone().filter(|other| *other == name).count();
        let before = names.clone().take(i).filter(|other| *other == name).count();
        if alike > 1 { format!("{name}.{}", before + 1) } else { name.to_string() }
    };
    names.clone().enumerate().map(number).collect()
}

/// Whether a channel is a rate, which is zero.
fn is_rate(channel: &Channel) -> bool {
    channel.unit.ends_with("/s")
}

fn data(equilibrium: &Equilibrium, shown: &Recording, rest: &Rest) -> Value {
    let mut values = Map::new();
    let mut units = Map::new();
    for (channel, column) in shown.channels.iter().zip(&shown.columns) {
        if channel.is_plotted() && !is_rate(channel) && channel.name() != "t" {
            values.insert(channel.name().into(), json!(column[0]));
            units.insert(channel.name().into(), json!(channel.unit));
        }
    }
    let system: &dyn System = rest.model.system();
    let at = Configuration::new(system, 0.0, &equilibrium.q, &vec![0.0; system.structure().sizes.v]);
    let energy = system.energy(&at);
    json!({
        "values": values,
        "units": units,
        "friction": equilibrium.friction,
        "stability": equilibrium.stability,
        "residual": equilibrium.residual,
        "misfit": equilibrium.misfit,
        "iterations": equilibrium.iterations,
        "redundant": equilibrium.redundant,
        "energy": { "potential": energy.potential, "strain": energy.strain },
        "q": equilibrium.q,
    })
}

fn text(equilibrium: &Equilibrium, shown: &Recording, rest: &Rest, units: &Units) -> String {
    let mut rows = Vec::new();
    for (channel, column) in shown.channels.iter().zip(&shown.columns) {
        if channel.is_plotted() && !is_rate(channel) && channel.name() != "t" {
            rows.push(vec![channel.name().into(), short(column[0]), channel.unit.clone()]);
        }
    }
    let mut text = table(&rows, 40);
    let rubs = |kind: &carom::ContactKind| !matches!(kind, carom::ContactKind::Unilateral { .. });
    if rest.model.system().structure().contacts.iter().any(|info| rubs(&info.kind)) {
        text.push_str(if equilibrium.friction {
            "Friction holds what it can, from where the bodies are given: one equilibrium of many.\n"
        } else {
            "Contacts are taken as smooth; with friction this is one equilibrium of many.\n"
        });
        let full = equilibrium.contacts.iter().filter(|c| {
            let (held, bound) = (c.force_t.unwrap_or(0.0).abs(), c.bound.unwrap_or(f64::INFINITY));
            bound > 0.0 && held >= bound * (1.0 - 1e-6)
        });
        let full: Vec<&str> = full.map(|c| c.name.as_str()).collect();
        if !full.is_empty() {
            text.push_str(&format!("On the verge of slipping: {}.\n", full.join(", ")));
        }
    }
    if equilibrium.redundant {
        text.push_str(
            "Some joints hold what others hold already: their reactions are one choice among many.\n",
        );
    }
    text.push_str(&match &equilibrium.stability {
        Balance::Stable { slowest: None } => "Stable: nothing is free to move.\n".to_string(),
        Balance::Stable { slowest: Some(hertz) } => {
            let per_time = Dimension::TIME;
            let frequency = hertz * units.factor(per_time);
            format!("Stable: the slowest vibration has {} per {}.\n", short(frequency), units.word(per_time))
        }
        Balance::Neutral { free } => {
            let list: Vec<String> = free.iter().map(|names| names.join(" with ")).collect();
            let list = if list.is_empty() { "some directions".into() } else { list.join("; ") };
            format!("Neutral: free to move without force: {list}. There are many equilibria; this one is nearest by.\n")
        }
        Balance::Unstable { along, growth } => {
            format!("Unstable: it leaves along {}, at a rate of {} /s.\n", along.join(", "), short(*growth))
        }
    });
    text.push_str(&format!(
        "Forces balance to {} of the largest, joints and contacts to {} of the size; {} steps.\n",
        short(equilibrium.residual),
        short(equilibrium.misfit),
        equilibrium.iterations
    ));
    text
}
