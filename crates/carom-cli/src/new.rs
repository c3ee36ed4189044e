//! `carom new`: a commented model to start from.

use crate::failure::{self, Failure};
use crate::table::{say, table};
use carom::Topic;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Name, what it shows, and text of every template.
pub const TEMPLATES: &[(&str, &str, &str)] = &[
    ("ball", "a bouncing ball: gravity, a floor, a contact", include_str!("../templates/ball.toml")),
    ("pendulum", "a rod on a pin swings against a stop", include_str!("../templates/pendulum.toml")),
    ("spring", "mass, spring, damper and stop, in mm", include_str!("../templates/spring.toml")),
    (
        "slider-crank",
        "crank, rod and slider with play, and a motor",
        include_str!("../templates/slider-crank.toml"),
    ),
    ("four-bar", "a linkage driven at constant speed", include_str!("../templates/four-bar.toml")),
    ("beam", "a flexible strip with a weight at its end", include_str!("../templates/beam.toml")),
    ("two-body", "two bodies and a joint, to build upon", include_str!("../templates/two-body.toml")),
];

/// `carom new`.
#[derive(Debug, Args)]
pub struct New {
    /// Which; left out, they are listed
    #[arg(value_parser = PossibleValuesParser::new(TEMPLATES.iter().map(|t| t.0)))]
    pub name: Option<String>,
    /// File to write [default: NAME.toml]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// List what there is
    #[arg(long)]
    pub list: bool,
    /// Overwrite the file if there is one
    #[arg(long)]
    pub force: bool,
}

/// Writes a template, or lists them.
pub fn new(args: &New) -> Result<(), Failure> {
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else {
        let rows: Vec<_> =
            TEMPLATES.iter().map(|(name, what, _)| vec![(*name).into(), (*what).into()]).collect();
        return say(&format!("{}\nTo write one: carom new NAME\n", table(&rows, 80)));
    };
    let (_, _, text) = TEMPLATES.iter().find(|t| t.0 == name).expect("clap lets no other name through");
    let file = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    if file.is_dir() {
        let wrong = format!("`{}` is a folder", file.display());
        return Err(Failure::input(wrong, "name a file with --out, such as --out my.toml", Topic::New));
    }
    if file.exists() && !args.force {
        let wrong = format!("`{}` is there already", file.display());
        return Err(Failure::input(wrong, "another name with --out, or --force to overwrite it", Topic::New));
    }
    carom::write_bytes(&file, text.as_bytes()).map_err(|e| failure::wrong(e).run())?;
    let shown = file.display().to_string();
    let word = if shown.contains([' ', '\'']) { format!("{shown:?}") } else { shown.clone() };
    say(&format!("Wrote {shown}. Next: carom run {word}\n"))
}
