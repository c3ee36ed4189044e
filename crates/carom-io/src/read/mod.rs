//! Model files in: TOML with parameters, formulas and units becomes a [`Description`] in SI, or a list of what is
//! wrong with file, line, column and remedy.
//!
//! The tree of the file is walked beside the JSON Schema of the format, which comes from the types themselves: a key
//! added to `Description` is read, explained in messages, and listed by `carom schema` without a word here.

mod check;
mod dimensions;
mod files;
pub(crate) mod formula;
mod mesh;
mod points;
mod schema;
pub(crate) mod tree;

pub use schema::schema;

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, Topic};
use crate::drawing::space::SpaceDrawing;
use crate::units::{self, Dimension};
use crate::{Drawing, RunInfo, Units, parameters};
use carom_model::{AnyDescription, AnyModel, Assembly, ModelError, Problem};
use check::{Checker, Level};
use files::Files;
use formula::Written;
use indexmap::IndexMap;
use serde_json::Value as Json;
use std::path::Path;
use tree::{Node, Value};

/// Version of the format that is read.
const VERSION: u32 = 1;

/// A model file that could be read.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// What it says, in SI.
    pub description: AnyDescription,
    /// Units it is written in.
    pub units: Units,
    /// Values of its parameters, in its units.
    pub parameters: IndexMap<String, f64>,
    /// Name of the file.
    pub name: String,
    sources: Vec<Source>,
    tree: Node,
}

impl LoadedModel {
    /// Builds the model; everything that is wrong with it is shown at its line.
    pub fn build(&self) -> Result<AnyModel, Diagnostics> {
        let show = |e: &ModelError| {
            let whose = match e.path.as_slice() {
                [_, name, ..] if !e.problem.to_string().starts_with(&format!("`{name}`")) => {
                    format!("`{name}`: ")
                }
                _ => String::new(),
            };
            let (place, _) = tree::find(&self.tree, &e.path);
            let place = self.inside(&e.path, &place, &e.problem).unwrap_or(place);
            let problem = self.as_written(&e.path, &e.problem);
            let message = self.units.speak(&format!("{whose}{problem}"));
            let help = self.units.speak(&ModelError { path: e.path.clone(), problem }.remedy());
            Diagnostic::at(&self.sources, &place, message, help, Topic::of_path(&e.path))
        };
        self.description.build().map_err(|errors| Diagnostics { list: errors.iter().map(show).collect() })
    }

    /// The problem with its number in the units of the file, as it was written.
    fn as_written(&self, path: &[String], problem: &Problem) -> Problem {
        let mut problem = problem.clone();
        let factor = self.dimension_at(path).map_or(1.0, |dimension| self.units.factor(dimension));
        let back = |x: &mut f64| *x = units::rounded(*x / factor);
        match &mut problem {
            Problem::NotFinite { value, .. }
            | Problem::NotPositive { value, .. }
            | Problem::Negative { value, .. } => back(value),
            Problem::OutOfRange { value, low, high, .. } => [value, low, high].into_iter().for_each(back),
            Problem::DoesNotFit { radius, arc } => {
                let metre = self.units.length.factor();
                [radius, arc].into_iter().for_each(|x| *x = units::rounded(*x / metre));
            }
            _ => {}
        }
        problem
    }

    /// What the number at `path` measures, by the schema.
    fn dimension_at(&self, path: &[String]) -> Option<Dimension> {
        let (mut node, mut level) =
            (&self.tree, Level::top(schema::strict(self.description.space().is_some())));
        let mut dimension = None;
        for key in path {
            (node, level) = match &node.value {
                Value::Table(table) => {
                    let tag = table.get("type").and_then(|entry| match &entry.node.value {
                        Value::Text(text) => Some(text.as_str()),
                        _ => None,
                    });
                    (&table.get(key)?.node, level.key(key, tag))
                }
                Value::List(items) => (items.get(key.parse::<usize>().ok()?)?, level.item()),
                _ => return None,
            };
            dimension = level.dimension();
        }
        dimension
    }

    /// The place of the word that is wrong in the formula of an event or a force. Other formulas were checked when they were
    /// read.
    fn inside(&self, path: &[String], place: &Place, problem: &Problem) -> Option<Place> {
        path.first().filter(|section| ["events", "forces"].contains(&section.as_str()))?;
        let text = tree::text_at(&self.tree, path)?;
        let (column, word) = problem.inside()?;
        let written = Written::new(text, place);
        let column = column.or_else(|| written.find(word))?;
        Some(written.column(&self.sources, column, word.len().max(1)))
    }

    /// Closes the joints of the model; one that cannot be closed is shown at its line.
    pub fn assemble(&self, model: &AnyModel) -> Result<Assembly, Diagnostics> {
        model.assemble().map_err(|e| {
            let said = e.complaint();
            self.diagnose(&e.path(), said.wrong, said.remedy.unwrap_or_default()).into()
        })
    }

    /// What the model looks like.
    pub fn drawing(&self, model: &AnyModel) -> Drawing {
        match model {
            AnyModel::Plane(model) => Drawing::new(model),
            AnyModel::Space(model) => SpaceDrawing::new(model).into(),
        }
    }

    /// What a run of this model is asked to do, for the record; command and wall time are the caller's.
    pub fn run_info(&self) -> RunInfo {
        let simulation = self.description.simulation();
        RunInfo {
            title: self.description.title().into(),
            model: self.name.clone(),
            step: simulation.step,
            end: simulation.end,
            solver: simulation.solver.clone(),
            scheme_parameters: simulation
                .parameters
                .iter()
                .filter_map(|(name, value)| Some((name.clone(), value.number()?)))
                .collect(),
            parameters: self.parameters.clone(),
            units: self.units,
            ..RunInfo::default()
        }
    }

    /// Something that turned out to be wrong later, shown at the line that `path` (keys and indices) leads to.
    pub fn diagnose<S: AsRef<str>>(
        &self,
        path: &[S],
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let path: Vec<String> = path.iter().map(|p| p.as_ref().to_string()).collect();
        let (place, _) = tree::find(&self.tree, &path);
        let (message, help) = (self.units.speak(&message.into()), self.units.speak(&help.into()));
        Diagnostic::at(&self.sources, &place, message, help, Topic::of_path(&path))
    }
}

impl LoadedModel {
    /// The same at the key itself, not at its value.
    pub fn diagnose_key<S: AsRef<str>>(
        &self,
        path: &[S],
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let path: Vec<String> = path.iter().map(|p| p.as_ref().to_string()).collect();
        let place = tree::find_key(&self.tree, &path);
        let (message, help) = (self.units.speak(&message.into()), self.units.speak(&help.into()));
        Diagnostic::at(&self.sources, &place, message, help, Topic::of_path(&path))
    }

    /// Parameters that no formula names, in the order of the file.
    pub fn unused_parameters(&self) -> Vec<String> {
        let mut words = Vec::new();
        tree::texts(&self.tree, &mut |text| words.extend(formula::names(text)));
        self.parameters.keys().filter(|name| !words.contains(name)).cloned().collect()
    }
}

/// Reads a model file. `overrides` are pairs of a key, such as `l1` (a parameter) or `simulation.step`, and a value.
pub fn load(path: &Path, overrides: &[(String, String)]) -> Result<LoadedModel, Diagnostics> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| {
        let message = format!("cannot read the model: {e}");
        Diagnostic::of_file(&name, message, "the path of a model file", Topic::CommandLine)
    })?;
    let text = String::from_utf8(bytes).map_err(|error| not_text(&name, &error))?;
    load_text(&name, &text, overrides)
}

/// The first byte that is no letter, where it stands.
fn not_text(name: &str, error: &std::string::FromUtf8Error) -> Diagnostic {
    let good = error.utf8_error().valid_up_to();
    let text = String::from_utf8_lossy(error.as_bytes());
    let bad = good..good + char::REPLACEMENT_CHARACTER.len_utf8();
    let help = "a model file in TOML, saved as UTF-8 by the editor";
    Diagnostic::of_text(
        name,
        &text,
        &bad,
        "the file is not text in UTF-8 from here on",
        help,
        Topic::ModelFile,
    )
}

/// The option of the command line that changes a key.
fn option(key: &str) -> &'static str {
    match key {
        "simulation.scheme" => "--scheme",
        "simulation.solver" => "--solver",
        "simulation.step" => "--step",
        "simulation.end" => "--end",
        "simulation.accuracy" => "--accuracy",
        _ => "--set",
    }
}

/// Reads a model from its text; `name` is shown in messages. Files that it names are seen from the folder of `name`.
pub fn load_text(name: &str, text: &str, overrides: &[(String, String)]) -> Result<LoadedModel, Diagnostics> {
    load_from(name, text, Files::Folder, overrides)
}

/// Reads a model from its text and the texts of the files that it names.
pub fn load_texts(
    name: &str,
    text: &str,
    files: &[(&str, &str)],
    overrides: &[(String, String)],
) -> Result<LoadedModel, Diagnostics> {
    load_from(name, text, Files::Given(files), overrides)
}

fn load_from(
    name: &str,
    text: &str,
    files: Files<'_>,
    overrides: &[(String, String)],
) -> Result<LoadedModel, Diagnostics> {
    let mut sources = vec![Source { name: name.into(), text: text.into() }];
    sources.extend(
        overrides
            .iter()
            .map(|(key, value)| Source { name: option(key).into(), text: format!("{key}={value}") }),
    );
    let mut root = tree::parse(&sources)?;
    let mut space = Spatial::of(&root);
    let schema = schema::strict(space.is_some());
    let mut wrong = Vec::new();
    for (i, (key, value)) in overrides.iter().enumerate() {
        let value = tree::parse_override(&sources, i + 1, value);
        let path = override_path(&root, key);
        if let Err(diagnostic) = tree::put(&mut root, schema, &path, value, &sources) {
            wrong.push(diagnostic);
        }
    }
    if !wrong.is_empty() {
        return Err(Diagnostics { list: wrong });
    }
    let Value::Table(mut top) = root.value.clone() else { unreachable!("a TOML text is a table") };

    let parameters = parameters_of(&mut top, &sources)?;
    // a change may have made it one in space
    space = Spatial::of(&root).or(space);
    let schema = schema::strict(space.is_some());
    let gravity = match &root.value {
        Value::Table(top) => top.get("gravity").map(|entry| &entry.key),
        _ => None,
    };
    let mut checker = Checker {
        sources: &sources,
        parameters: &parameters,
        space: space.as_ref(),
        gravity,
        wrong: Vec::new(),
    };
    let json = checker.value(
        &Node { place: root.place.clone(), value: Value::Table(top) },
        &root.place,
        Level::top(schema),
        "",
    );
    let mut wrong = checker.wrong;
    wrong.extend(version(&root, &sources));
    wrong.extend(space.as_ref().and_then(|space| space.denied(&root, &sources)));
    if !wrong.is_empty() {
        // Keys are checked before missing ones; the reader goes down the page.
        wrong.sort_by_key(|d| (d.file.starts_with("--"), d.line, d.column));
        return Err(Diagnostics { list: wrong });
    }
    let (mut description, units) = take_over(json, space.is_some()).map_err(|e| {
        // the tree was checked against the same types: only a slip in Carom leads here
        let help = "this is a fault of Carom; please report the file";
        Diagnostic::of_file(name, format!("the model cannot be read: {e}"), help, Topic::ModelFile)
    })?;
    description.terms_mut().parameters.clone_from(&parameters);
    description.events_mut().values_mut().for_each(|event| event.terms.parameters.clone_from(&parameters));
    let mut loaded = LoadedModel { description, units, parameters, name: name.into(), sources, tree: root };
    loaded.read_meshes(&files)?;
    loaded.read_tables(&files)?;
    dimensions::to_si(&mut loaded.description, &units);
    Ok(loaded)
}

/// Takes the parameters out of the file, with their values.
fn parameters_of(top: &mut tree::Table, sources: &[Source]) -> Result<IndexMap<String, f64>, Diagnostics> {
    match top.shift_remove("parameters").map(|e| (e.key, e.node)) {
        None => Ok(IndexMap::new()),
        Some((_, Node { value: Value::Table(table), .. })) => parameters::resolve(&table, sources),
        Some((key, node)) => {
            let message = format!("`parameters` must be a table, found {}", node.value.kind());
            let help = "[parameters] with lines such as `l1 = 0.25`";
            Err(vec![Diagnostic::at(sources, &key, message, help, Topic::Parameters)])
        }
    }
    .map_err(|list| Diagnostics { list })
}

/// Why a file is one in space.
pub(crate) struct Spatial {
    /// The key that says so.
    pub place: Place,
    /// In words.
    pub because: &'static str,
}

impl Spatial {
    /// Three numbers of gravity, or `space = true`.
    fn of(root: &Node) -> Option<Self> {
        let Value::Table(top) = &root.value else { return None };
        if let Some(entry) = top.get("space")
            && matches!(entry.node.value, Value::Bool(true))
        {
            return Some(Self { place: entry.key.clone(), because: "`space = true`" });
        }
        let entry = top.get("gravity")?;
        let three = matches!(&entry.node.value, Value::List(items) if items.len() == 3);
        three.then(|| Self { place: entry.key.clone(), because: "`gravity` has three numbers" })
    }

    /// `space = false` in a file that is one in space.
    fn denied(&self, root: &Node, sources: &[Source]) -> Option<Diagnostic> {
        let Value::Table(top) = &root.value else { return None };
        let entry = top.get("space").filter(|entry| matches!(entry.node.value, Value::Bool(false)))?;
        let text = &sources[self.place.source].text[..self.place.range.start];
        let line = text.matches('\n').count() + 1;
        let message = format!("`space = false`, and {} in line {line}", self.because);
        let help = "two numbers of gravity for a model in the plane, or leave `space` out";
        Some(Diagnostic::at(sources, &entry.node.place, message, help, Topic::ModelFile))
    }
}

/// `l1` is the parameter if there is one, `a.b.c` a path in the file.
fn override_path(root: &Node, key: &str) -> Vec<String> {
    let path: Vec<String> = key.split('.').map(|word| word.trim().to_string()).collect();
    if let (Value::Table(top), [one]) = (&root.value, path.as_slice())
        && let Some(Value::Table(parameters)) = top.get("parameters").map(|e| &e.node.value)
        && parameters.contains_key(one)
    {
        return vec!["parameters".into(), one.clone()];
    }
    path
}

/// A version that is not read here.
fn version(root: &Node, sources: &[Source]) -> Option<Diagnostic> {
    let Value::Table(top) = &root.value else { return None };
    let node = &top.get("version")?.node;
    match node.value {
        Value::Integer(n) if n != i64::from(VERSION) => {
            let message = format!("version {n} of the format is not known");
            let help = format!("`version = {VERSION}`");
            Some(Diagnostic::at(sources, &node.place, message, help, Topic::TopLevel))
        }
        _ => None,
    }
}

/// The checked tree as types.
fn take_over(mut json: Json, space: bool) -> Result<(AnyDescription, Units), serde_json::Error> {
    let top = json.as_object_mut().expect("a file is a table");
    let units = match top.shift_remove("units") {
        None => Units::si(),
        Some(Json::String(word)) if word == "mm" => Units::millimetres(),
        Some(Json::String(_)) => Units::si(),
        Some(each) => serde_json::from_value(each)?,
    };
    top.entry("version").or_insert_with(|| VERSION.into());
    let description = match space {
        true => AnyDescription::Space(serde_json::from_value(json)?),
        false => AnyDescription::Plane(serde_json::from_value(json)?),
    };
    Ok((description, units))
}
