//! What can be asked on the command line.

use crate::report;
use carom::elastic::Reference;
use carom::{AUTO, PROJECTED, SCHEMES, SOLVERS};
use carom_studies::STUDIES;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Simulates mechanisms that hit and rub: bodies in the plane, joints, contacts, impacts, friction
#[derive(Debug, Parser)]
#[command(
    name = "carom",
    version,
    after_help = "Exit codes: 0 done; 1 the simulation failed, what was recorded is kept; 2 bad input or usage, nothing is \
                  written; 130 interrupted, what was recorded is kept."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a model and write series.csv, events.csv, summary.json and report.html
    Run(Run),
    /// Write the page of a result folder anew, or one page that compares several
    Report(report::Report),
    /// Plot channels of a run, over time or against one another
    Plot(crate::plot::Plot),
    /// Draw the mechanism at some instants, with channels below it
    Picture(crate::picture::Picture),
    /// Make a clip of the motion, and a poster of it
    Animate(crate::animate::Animate),
    /// Check a model without running it: degrees of freedom, redundant joints, masses, assembly
    Check(Check),
    /// List what there is
    List {
        /// Of what
        #[arg(value_enum)]
        what: Listed,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Recompute a published table or figure and compare: published | ours | verdict
    Study(Study),
    /// Measure the observed order of a scheme on a model
    Convergence(Convergence),
    /// Show how schemes damp and delay oscillations: spectral radius, damping ratio, period error
    Spectrum(Spectrum),
    /// Show how the elastic bodies of a model vibrate: frequencies, shapes, shares of the mass
    Modes(Modes),
    /// Find the static equilibrium of a model: places, reactions, contact forces, stability
    Static(crate::statics::Static),
    /// Solve stored contact problems, or generate some
    Solve(crate::solve::Solve),
    /// Open the book in the browser, or print it
    Docs(crate::docs::Docs),
    /// Print the JSON Schema of the model file
    Schema {
        /// That of models in space, whose gravity has three numbers
        #[arg(long)]
        space: bool,
    },
    /// Run a model with many values of its parameters and write one row for each
    Sweep(crate::sweep::Sweep),
    /// Write a commented model to start from
    New(crate::new::New),
    /// Print what a shell needs to complete commands, options and names
    Completions(crate::completions::Completions),
    /// Print a page of the manual, or write all
    Man(crate::man::Manual),
    /// Show version, build and surroundings, and check that a run gives what it must
    Doctor(crate::doctor::Doctor),
}

/// Which model, and what to change in it.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// Model file, or the name of a gallery model or a coded system (`carom list gallery`, `carom list systems`)
    pub model: String,
    /// Change a parameter, or any key of a model file: `--set l1=0.2 --set bodies.ball.mass=2`
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
}

/// How to integrate; everything left out is as the model says.
#[derive(Debug, Args)]
pub struct SchemeArgs {
    /// Time integration scheme, or `auto` to have one chosen; with `-projected` appended it is kept on its joints by
    /// projection
    #[arg(long, value_parser = scheme_names())]
    pub scheme: Option<String>,
    /// Contact solver
    #[arg(long, value_parser = PossibleValuesParser::new(SOLVERS.iter().map(|s| s.name)))]
    pub solver: Option<String>,
    /// End time, in the unit of the model (s unless it says otherwise)
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = positive)]
    pub end: Option<f64>,
}

/// `carom run`.
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Step size, in the unit of the model (s unless it says otherwise)
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = positive)]
    pub step: Option<f64>,
    /// Choose the steps so that positions are wrong by about this, relative to the size of the mechanism
    #[arg(long, value_name = "A", allow_hyphen_values = true, value_parser = positive)]
    pub accuracy: Option<f64>,
    /// Do not make the coarser runs by which the error is estimated
    #[arg(long, conflicts_with = "certify")]
    pub no_estimate: bool,
    /// Repeat with finer settings until two runs agree to A of the size of the mechanism, and draw how far they do
    #[arg(long, value_name = "A", num_args = 0..=1, require_equals = true, default_missing_value = "1e-3", value_parser = positive)]
    pub certify: Option<f64>,
    /// Folder for the results [default: MODEL.out, with the name of the model]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print summary.json, and nothing else, to standard output
    #[arg(long)]
    pub json: bool,
    /// Which series to write [default: csv]; may be given several times
    #[arg(long, value_enum)]
    pub format: Vec<Format>,
    /// Do not write report.html
    #[arg(long)]
    pub no_report: bool,
    /// Keep contact problems that needed a second solver, or were not solved, as files for `carom solve`; at most 1000
    #[arg(long, value_name = "DIR")]
    pub dump_problems: Option<PathBuf>,
    /// Keep every contact problem, not only the hard ones
    #[arg(long, requires = "dump_problems")]
    pub all_problems: bool,
    /// Say nothing unless something is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// `carom check`.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub model: ModelArgs,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `carom study`.
#[derive(Debug, Args)]
pub struct Study {
    /// Which, or `all`
    #[arg(required_unless_present = "list", value_parser = study_names())]
    pub name: Option<String>,
    /// List the studies
    #[arg(long)]
    pub list: bool,
    /// As JSON, with the curves behind the numbers
    #[arg(long)]
    pub json: bool,
    /// As a page with the figures redrawn from the run; with `all`, a folder of pages
    #[arg(long, conflicts_with = "json")]
    pub html: bool,
    /// Where the page goes [default: NAME.html; with `all` the folder `studies`]
    #[arg(long, value_name = "FILE", requires = "html")]
    pub out: Option<PathBuf>,
}

/// `carom convergence`.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("sizes").required(true).args(["steps", "from"])))]
pub struct Convergence {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub scheme: SchemeArgs,
    /// Step sizes: `--steps 1e-3,7e-4,5e-4`
    #[arg(long, value_name = "H,H,...", value_delimiter = ',', allow_hyphen_values = true, value_parser = positive)]
    pub steps: Vec<f64>,
    /// Largest of a geometric row of step sizes
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = positive)]
    pub from: Option<f64>,
    /// Each step size is this times the one before
    #[arg(long, default_value_t = 0.7, requires = "from", value_parser = ratio)]
    pub ratio: f64,
    /// How many step sizes
    #[arg(long, default_value_t = 12, requires = "from", value_parser = clap::value_parser!(u16).range(2..=100))]
    pub count: u16,
    /// Step size of the run that the others are compared with [default: a tenth of the smallest]
    #[arg(long, value_name = "H", allow_hyphen_values = true, value_parser = positive)]
    pub reference: Option<f64>,
    /// Channel to compare; may be given several times [default: places and angles of all bodies]
    #[arg(long, value_name = "NAME")]
    pub channel: Vec<String>,
    /// As JSON
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// As CSV
    #[arg(long)]
    pub csv: bool,
}

/// `carom spectrum`.
#[derive(Debug, Args)]
pub struct Spectrum {
    /// Schemes, each with parameters if they are not the defaults: `newmark generalized-alpha:rho=0.5`
    #[arg(required = true, value_name = "SCHEME[:KEY=VALUE,...]")]
    pub scheme: Vec<String>,
    /// A parameter for all of the schemes that have it: `--set rho=0.8`
    #[arg(long, value_name = "KEY=VALUE", value_parser = parameter)]
    pub set: Vec<(String, f64)>,
    /// Damping ratio ξ of the oscillator, at least 0 and below 1
    #[arg(long, value_name = "XI", default_value_t = 0.0, allow_hyphen_values = true)]
    pub damping: f64,
    /// Smallest step, relative to the period: dt/T
    #[arg(long, default_value_t = 1e-3, allow_hyphen_values = true, value_parser = positive)]
    pub from: f64,
    /// Largest step, relative to the period
    #[arg(long, default_value_t = 1e3, allow_hyphen_values = true, value_parser = positive)]
    pub to: f64,
    /// How many steps between them
    #[arg(long, default_value_t = 241, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub points: u16,
    /// File for the curves (.csv) or a figure (.svg, .png); may be given several times
    #[arg(long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// As JSON, with all eigenvalues
    #[arg(long)]
    pub json: bool,
}

/// `carom modes`.
#[derive(Debug, Args)]
pub struct Modes {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Which body [default: all that deform in a floating frame]
    #[arg(long, value_name = "NAME")]
    pub body: Option<String>,
    /// How many modes, the slowest first [default: the shapes of the model, or 10]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    pub count: Option<u16>,
    /// How the frame is tied to the deformation [default: as the model says]
    #[arg(long, value_name = "R", value_enum)]
    pub reference: Option<Condition>,
    /// File for the numbers (.csv) or a figure (.svg, .png); may be given several times
    #[arg(long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// As JSON, with the shapes
    #[arg(long)]
    pub json: bool,
}

/// Reference conditions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Condition {
    /// No displacement and no rotation at the first end
    Clamped,
    /// No displacement at the first end, none across at the last
    Pinned,
    /// No displacement at the first end, no angular momentum about it
    Articulated,
    /// No linear and no angular momentum
    MeanAxis,
}

impl From<Condition> for Reference {
    fn from(condition: Condition) -> Self {
        match condition {
            Condition::Clamped => Reference::Clamped,
            Condition::Pinned => Reference::Pinned,
            Condition::Articulated => Reference::Articulated,
            Condition::MeanAxis => Reference::MeanAxis,
        }
    }
}

/// What `carom list` knows.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Listed {
    /// Time integration schemes, with their parameters
    Schemes,
    /// Contact solvers
    Solvers,
    /// Published results that can be recomputed
    Studies,
    /// Models that come with Carom, and the coded systems after them
    Gallery,
    /// Coded systems, with their parameters
    Systems,
}

/// Formats of time series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// series.csv and events.csv
    Csv,
    /// series.npz, for NumPy
    Npz,
    /// series.pvd and frames, for ParaView
    Vtk,
    /// scene.glb, for browsers and Blender; in space only
    Gltf,
}

fn scheme_names() -> PossibleValuesParser {
    // the projected ones are accepted, and left out of the list that is shown
    let names = || SCHEMES.iter().map(|s| s.name).chain([AUTO]);
    let plain = names().map(PossibleValue::new);
    let projected = names().map(|name| {
        let name: &'static str = Box::leak(format!("{name}{PROJECTED}").into_boxed_str());
        PossibleValue::new(name).hide(true)
    });
    PossibleValuesParser::new(plain.chain(projected).collect::<Vec<_>>())
}

fn study_names() -> PossibleValuesParser {
    PossibleValuesParser::new(STUDIES.iter().map(|s| s.name).chain(["all"]))
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
            Ok((key.trim().into(), value.trim().into()))
        }
        _ => Err("write KEY=VALUE, such as `l1=0.2` or `bodies.ball.mass=2`".into()),
    }
}

/// `KEY=VALUE` with a number; true and false are 1 and 0.
pub fn parameter(text: &str) -> Result<(String, f64), String> {
    let wrong = || format!("`{text}` is not KEY=VALUE with a number, such as `rho=0.8`");
    let (key, value) = text.split_once('=').ok_or_else(wrong)?;
    let value = match value.trim() {
        "true" => "1",
        "false" => "0",
        number => number,
    };
    match value.parse::<f64>() {
        Ok(x) if x.is_finite() && !key.trim().is_empty() => Ok((key.trim().into(), x)),
        _ => Err(wrong()),
    }
}

pub fn positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        Ok(_) => Err("it must be above 0 and finite".into()),
        Err(_) => Err("it must be a number, such as 1e-4".into()),
    }
}

fn ratio(text: &str) -> Result<f64, String> {
    match positive(text)? {
        x if x < 1.0 => Ok(x),
        _ => Err("it must lie between 0 and 1".into()),
    }
}

impl SchemeArgs {
    /// The same as changes of keys of the model.
    pub fn changes(&self) -> Vec<(String, String)> {
        let mut changes = Vec::new();
        let mut change = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                changes.push((format!("simulation.{key}"), value));
            }
        };
        change("scheme", self.scheme.clone());
        change("solver", self.solver.clone());
        change("end", self.end.map(number));
        changes
    }
}

impl Run {
    /// All changes of keys of the model, `--set` first so that the short options win.
    pub fn changes(&self) -> Vec<(String, String)> {
        let mut changes = self.model.set.clone();
        changes.extend(self.scheme.changes());
        for (key, value) in [("step", self.step), ("accuracy", self.accuracy)] {
            changes.extend(value.map(|x| (format!("simulation.{key}"), number(x))));
        }
        changes
    }
}

/// A number as TOML: the shortest that reads back to the same bits, never an integer.
pub fn number(x: f64) -> String {
    format!("{x:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_keep_their_bits() {
        for x in [1e-4, 0.1, 2.0, 1.0 / 3.0, 5e-324, 1e300] {
            assert_eq!(number(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
            assert!(number(x).contains(['.', 'e']));
        }
    }
}
