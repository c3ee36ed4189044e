//! From a model to results: read, build, assemble, run, write.
//!
//! The mechanism is either a model file, assembled, or a coded system; all that follows asks only its
//! [`System`](carom_dynamics::System).

use crate::coded;
use carom_dynamics::equilibrium::{Equilibrium, EquilibriumError, Search, equilibrium};
use carom_dynamics::{
    AUTO, Choice, Configuration, ContactInfo, ContactKind, Effort, PROJECTED, ProblemWatch, Progress,
    Recording, Runs, SCHEMES, Saved, Scheme, SchemeChoice, SchemeError, SchemeInfo, Settings, Simulation,
    StartError, State, Stop, Summary, System, Value, bands, choose, find_scheme,
};
use carom_io::{Diagnostic, Diagnostics, Drawing, Facts, Formats, LoadedModel, Results, RunInfo, WriteError};
use carom_model::description::{Coordinates, Start};
use carom_model::{
    AnyModel, Assembly, AssemblyError, Functions, Natural, Relative, SpaceRelative, Unreachable, suggest,
};
use carom_solve::{ContactSolver, SOLVERS, solver};
use carom_systems::{Coded, SystemInfo};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A model or a coded system that was read, built and assembled without fault: everything that can be wrong before a run is not.
#[derive(Clone, Debug)]
pub struct Setup {
    loaded: LoadedModel,
    mechanism: Mechanism,
    assembly: Assembly,
    /// q and v of the assembly in the coordinates of the system.
    start: (Vec<f64>, Vec<f64>),
    unused: Vec<String>,
    scheme: Arc<dyn Scheme>,
    choice: Option<Choice>,
    rest: Option<Box<Rest>>,
}

/// The equilibrium that a run starts from, and the model it was found with: its own joints, and those that are released.
#[derive(Clone, Debug)]
pub struct Rest {
    /// The model at rest.
    pub model: AnyModel,
    /// Where the search began.
    pub from: Vec<f64>,
    /// Where it is, and what holds it.
    pub equilibrium: Equilibrium,
    /// What it looks like.
    pub drawing: Drawing,
}

/// What is to be run.
#[derive(Clone, Debug)]
enum Mechanism {
    /// A model file, and its equations in other coordinates if asked for.
    Model(AnyModel, Form),
    /// A coded system.
    Coded(&'static SystemInfo, Coded),
    /// A system of the program around.
    Own(Coded),
}

impl Mechanism {
    /// As a scheme sees it.
    fn system(&self) -> &dyn System {
        match self {
            Mechanism::Model(model, Form::Absolute) => model.system(),
            Mechanism::Model(_, Form::Relative(relative)) => &**relative,
            Mechanism::Model(_, Form::SpaceRelative(relative)) => &**relative,
            Mechanism::Model(_, Form::Natural(natural)) => &**natural,
            Mechanism::Coded(_, coded) | Mechanism::Own(coded) => &*coded.system,
        }
    }
}

/// The coordinates of a model.
#[derive(Clone, Debug)]
enum Form {
    Absolute,
    Relative(Box<Relative>),
    SpaceRelative(Box<SpaceRelative>),
    Natural(Box<Natural>),
}

/// A run that is over, for whatever reason.
#[derive(Clone, Debug)]
pub struct Done {
    /// Channels and events, SI.
    pub recording: Recording,
    /// Counters and audit.
    pub summary: Summary,
    /// Time it took on the clock (s).
    pub wall_seconds: f64,
    /// Time that further runs took, for the estimate of the error or for the accuracy (s).
    pub estimate_seconds: f64,
    /// The run that a certified one is compared with.
    pub beside: Option<Recording>,
}

impl Setup {
    /// Reads a model file. `changes` are pairs of a key, such as `l1` (a parameter) or `simulation.step`, and a value.
    pub fn open(path: &Path, changes: &[(String, String)]) -> Result<Self, Diagnostics> {
        Self::of_loaded(carom_io::load(path, changes)?, changes)
    }

    /// Reads a model from its text; `name` is shown in messages.
    pub fn of_text(name: &str, text: &str, changes: &[(String, String)]) -> Result<Self, Diagnostics> {
        Self::of_loaded(carom_io::load_text(name, text, changes)?, changes)
    }

    /// Reads a model from its text and the texts of the files that it names.
    pub fn of_texts(
        name: &str,
        text: &str,
        files: &[(&str, &str)],
        changes: &[(String, String)],
    ) -> Result<Self, Diagnostics> {
        Self::of_loaded(carom_io::load_texts(name, text, files, changes)?, changes)
    }

    /// A model that was read, with functions of the program around that formulas of its forces and events may call. `changes`
    /// are those that it was read with.
    pub fn with_functions(
        mut loaded: LoadedModel,
        functions: Functions,
        changes: &[(String, String)],
    ) -> Result<Self, Diagnostics> {
        *loaded.description.functions_mut() = functions;
        Self::of_loaded(loaded, changes)
    }

    fn of_loaded(mut loaded: LoadedModel, changes: &[(String, String)]) -> Result<Self, Diagnostics> {
        let unused = drop_foreign_parameters(&mut loaded, changes);
        let scheme = check_choices(&loaded)?;
        let rest = match loaded.description.simulation().start {
            Start::Given => None,
            Start::Equilibrium => Some(Box::new(find_rest(&mut loaded)?)),
        };
        let model = loaded.build()?;
        let assembly = match &rest {
            None => loaded.assemble(&model)?,
            Some(rest) => {
                let mut assembly =
                    model.assembled_at(rest.equilibrium.q.clone()).map_err(|e| not_closed(&loaded, &e))?;
                // that they moved is what was asked for
                assembly.moved.clear();
                assembly
            }
        };
        let (q, v) = (&assembly.q, &assembly.v);
        let (form, start) = match loaded.description.simulation().coordinates {
            Coordinates::Absolute => (Form::Absolute, (q.clone(), v.clone())),
            Coordinates::Relative => {
                let unreachable = |error: Unreachable| {
                    let said = error.complaint();
                    loaded.diagnose(&["joints", &error.joint], said.wrong, said.remedy.unwrap_or_default())
                };
                match &model {
                    AnyModel::Plane(model) => {
                        let relative = Relative::new(model.clone());
                        let start = relative.start(q, v).map_err(unreachable)?;
                        (Form::Relative(Box::new(relative)), start)
                    }
                    AnyModel::Space(model) => {
                        let relative = SpaceRelative::new(model.clone());
                        let start = relative.start(q, v).map_err(unreachable)?;
                        (Form::SpaceRelative(Box::new(relative)), start)
                    }
                }
            }
            Coordinates::Natural => {
                let Some(plane) = model.plane() else {
                    let message = "natural coordinates are for models of the plane";
                    let remedy = "leave `coordinates` out, or use `relative`";
                    return Err(loaded.diagnose(&["simulation", "coordinates"], message, remedy).into());
                };
                let natural = Natural::new(plane.clone());
                let start = natural.start(q, v);
                (Form::Natural(Box::new(natural)), start)
            }
        };
        let mut setup =
            Self::of_parts(loaded, Mechanism::Model(model, form), assembly, start, unused, scheme)?;
        setup.rest = rest;
        Ok(setup)
    }

    /// A coded system. `changes` are pairs of one of its parameters or a key such as `simulation.step`, and a value.
    pub fn of_system(info: &'static SystemInfo, changes: &[(String, String)]) -> Result<Self, Diagnostics> {
        let mut loaded = coded::load(info, changes)?;
        let unused = drop_foreign_parameters(&mut loaded, changes);
        let scheme = check_choices(&loaded)?;
        speaks_of_the_run_alone(&loaded, info.name)?;
        let coded = coded::build(info, &loaded)?;
        let (start, assembly) = as_given(&coded);
        Self::of_parts(loaded, Mechanism::Coded(info, coded), assembly, start, unused, scheme)
    }

    /// A system of the program around, which starts where it says. `changes` are pairs of a key such as `simulation.step`, and a
    /// value.
    pub fn of_own(name: &str, own: Coded, changes: &[(String, String)]) -> Result<Self, Diagnostics> {
        let text = format!("title = {name:?}\n[simulation]\n");
        let mut loaded = carom_io::load_text(name, &text, changes)?;
        let unused = drop_foreign_parameters(&mut loaded, changes);
        let scheme = check_choices(&loaded)?;
        speaks_of_the_run_alone(&loaded, name)?;
        let (start, assembly) = as_given(&own);
        Self::of_parts(loaded, Mechanism::Own(own), assembly, start, unused, scheme)
    }

    /// All is read; what is left to be chosen is chosen.
    fn of_parts(
        loaded: LoadedModel,
        mechanism: Mechanism,
        assembly: Assembly,
        start: (Vec<f64>, Vec<f64>),
        unused: Vec<String>,
        scheme: Option<Arc<dyn Scheme>>,
    ) -> Result<Self, Diagnostics> {
        let (mut loaded, mut unused, mut choice) = (loaded, unused, None);
        let scheme = match scheme {
            Some(scheme) => scheme,
            None => {
                let system = mechanism.system();
                let state = State::new(system, 0.0, start.0.clone(), start.1.clone());
                let (taken, foreign) = take_what_suits(&mut loaded, system, &state);
                (choice, unused) = (Some(taken), foreign);
                check_choices(&loaded)?.expect("it was chosen just now")
            }
        };
        let setup = Self { loaded, mechanism, assembly, start, unused, scheme, choice, rest: None };
        setup.check_scheme()?;
        Ok(setup)
    }

    /// Whether the scheme is made for the mechanism.
    fn check_scheme(&self) -> Result<(), Diagnostic> {
        let system = self.system();
        self.scheme.check(system).map_err(|error| {
            let said = error.explain(system);
            self.loaded.diagnose(&["simulation", "scheme"], said.wrong, said.remedy.unwrap_or_default())
        })
    }

    /// What was read; of a coded system its title, parameters and `simulation`.
    pub fn loaded(&self) -> &LoadedModel {
        &self.loaded
    }

    /// The mechanism, as a scheme sees it.
    pub fn system(&self) -> &dyn System {
        self.mechanism.system()
    }

    /// The assembled model; none for a coded system.
    pub fn model(&self) -> Option<&AnyModel> {
        match &self.mechanism {
            Mechanism::Model(model, _) => Some(model),
            Mechanism::Coded(..) | Mechanism::Own(_) => None,
        }
    }

    /// The coded system; none for a model file or a system of the program around.
    pub fn coded(&self) -> Option<&'static SystemInfo> {
        match &self.mechanism {
            Mechanism::Model(..) | Mechanism::Own(_) => None,
            Mechanism::Coded(info, _) => Some(info),
        }
    }

    /// What the mechanism looks like.
    pub fn drawing(&self) -> Drawing {
        match &self.mechanism {
            Mechanism::Model(model, _) => self.loaded.drawing(model),
            Mechanism::Coded(_, coded) | Mechanism::Own(coded) => coded::drawing(&coded.sketch),
        }
    }

    /// What the mechanism is made of.
    pub fn facts(&self) -> Facts {
        match &self.mechanism {
            Mechanism::Model(model, _) => {
                let freedom = model.freedom(&self.assembly.q);
                Facts::of_model(model, &freedom, self.system())
            }
            Mechanism::Coded(..) | Mechanism::Own(_) => Facts::of_system(self.system()),
        }
    }

    /// The state it starts in, in the coordinates of [`Setup::system`].
    pub fn state(&self) -> State {
        State::new(self.system(), 0.0, self.start.0.clone(), self.start.1.clone())
    }

    /// Where it starts, in absolute coordinates, and what had to be changed for it.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The equilibrium it starts from, if it does.
    pub fn rest(&self) -> Option<&Rest> {
        self.rest.as_deref()
    }

    /// Parameters in the file that belong to its own scheme and not to the one asked for instead, or that `auto` took.
    pub fn unused_parameters(&self) -> &[String] {
        &self.unused
    }

    /// What `auto` took and why; none if the scheme was given by name.
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// How to run it.
    pub fn settings(&self) -> Settings {
        settings(&self.loaded)
    }

    /// A simulation at its first sample, with settings of your own.
    pub fn simulation(&self, settings: Settings) -> Result<Simulation<'_>, StartError> {
        self.simulation_from(self.state(), settings)
    }

    /// The same from another state, in the coordinates of [`Setup::system`].
    pub fn simulation_from(&self, state: State, settings: Settings) -> Result<Simulation<'_>, StartError> {
        Simulation::new(self.system(), &*self.scheme, self.solver(), state, settings)
    }

    /// A simulation that goes on from where another one was saved.
    pub fn take_up(&self, saved: &Saved, settings: Settings) -> Result<Simulation<'_>, StartError> {
        Simulation::take_up(self.system(), &*self.scheme, self.solver(), saved, settings)
    }

    fn solver(&self) -> Box<dyn ContactSolver> {
        solver(&self.loaded.description.simulation().solver).expect("checked when the setup was made")
    }

    /// The scheme with its parameters, not started.
    pub fn scheme(&self) -> &dyn Scheme {
        &*self.scheme
    }

    /// Runs to the end, or until `watch` answers false, and says how wrong the result may be. A run that fails is over too: the
    /// summary says why.
    pub fn run(&self, watch: impl FnMut(&Progress) -> bool) -> Result<Done, StartError> {
        self.run_estimated(self.settings(), Effort::Usual, None, watch)
    }

    /// One run with settings of your own, without an estimate of the error: an accuracy is that of a step.
    pub fn run_with(
        &self,
        settings: Settings,
        watch: impl FnMut(&Progress) -> bool,
    ) -> Result<Done, StartError> {
        self.run_seen(settings, None, watch)
    }

    /// The same with somebody who looks at every contact problem.
    pub fn run_seen(
        &self,
        settings: Settings,
        problems: Option<Box<dyn ProblemWatch>>,
        watch: impl FnMut(&Progress) -> bool,
    ) -> Result<Done, StartError> {
        self.run_estimated(settings, Effort::Nothing, problems, watch)
    }

    /// Runs, and says how wrong the result may be: see [`Effort`]. With an accuracy the run is repeated until its estimated error
    /// meets it, or says how far it came.
    pub fn run_estimated(
        &self,
        settings: Settings,
        effort: Effort,
        problems: Option<Box<dyn ProblemWatch>>,
        mut watch: impl FnMut(&Progress) -> bool,
    ) -> Result<Done, StartError> {
        let clock = Instant::now();
        let runs = Runs {
            system: self.system(),
            scheme: &*self.scheme,
            solver: &|| self.solver(),
            state: self.state(),
            settings,
        };
        let mut run_seconds = None;
        let trusted = runs.run(effort, problems, &mut |progress| {
            if !progress.purpose.is_empty() && run_seconds.is_none() {
                run_seconds = Some(clock.elapsed().as_secs_f64());
            }
            watch(progress)
        })?;
        let all = clock.elapsed().as_secs_f64();
        // what was repeated took all of the time
        if trusted.summary.estimate.as_ref().is_some_and(|estimate| estimate.repeats > 0) {
            run_seconds = None;
        }
        let mut summary = trusted.summary;
        // sentences in the units of the file; numbers stay in SI
        let units = &self.loaded.units;
        summary.audit.verdict = units.speak(&summary.audit.verdict);
        if let Stop::Failed(why) = &mut summary.stop {
            why.wrong = units.speak(&why.wrong);
            why.remedy = why.remedy.as_deref().map(|remedy| units.speak(remedy));
        }
        Ok(Done {
            recording: trusted.recording,
            summary,
            wall_seconds: run_seconds.unwrap_or(all),
            estimate_seconds: all - run_seconds.unwrap_or(all),
            beside: trusted.beside,
        })
    }

    /// For the record; `command` repeats the run.
    pub fn info(&self, done: &Done, command: &str) -> RunInfo {
        RunInfo {
            command: command.into(),
            wall_seconds: done.wall_seconds,
            scheme_choice: self.choice.as_ref().map(|choice| self.loaded.units.speak(&choice.to_string())),
            ..self.loaded.run_info()
        }
    }

    /// Writes the results into `directory` and returns the paths written.
    pub fn write(
        &self,
        directory: &Path,
        done: &Done,
        command: &str,
        formats: &Formats,
    ) -> Result<Vec<PathBuf>, WriteError> {
        let (run, drawing, facts) = (self.info(done, command), self.drawing(), self.facts());
        let bands = done.bands();
        let results = Results {
            recording: &done.recording,
            summary: &done.summary,
            run: &run,
            drawing: &drawing,
            facts: Some(&facts),
            bands: bands.as_ref(),
        };
        carom_io::write_results(directory, &results, formats)
    }
}

impl Done {
    /// How wrong every channel of a certified run may be: half-widths beside its samples, SI.
    pub fn bands(&self) -> Option<Recording> {
        let (beside, estimate) = (self.beside.as_ref()?, self.summary.estimate.as_ref()?);
        Some(bands(&self.recording, beside, estimate.factor))
    }

    /// Whether the end was reached.
    pub fn reached_end(&self) -> bool {
        self.summary.stop == Stop::Done
    }
}

impl Rest {
    /// The same without friction, or with.
    pub fn again(&self, search: Search) -> Result<Equilibrium, EquilibriumError> {
        equilibrium(self.model.system(), &self.from, search)
    }
}

/// q and v of a system that is not a model file: nothing to close.
fn as_given(coded: &Coded) -> ((Vec<f64>, Vec<f64>), Assembly) {
    let (q, v) = (coded.q.clone(), coded.v.clone());
    let start = (q.clone(), v.clone());
    (start, Assembly { q, v, misfits: Vec::new(), moved: Vec::new(), iterations: 0 })
}

/// A coded system has no coordinates, start or channels to choose.
fn speaks_of_the_run_alone(loaded: &LoadedModel, name: &str) -> Result<(), Diagnostic> {
    let s = loaded.description.simulation();
    let wrong = |key: &str, why: &str| {
        let message = format!("`{name}` is a coded system and {why}");
        Err(loaded.diagnose(&["simulation", key], message, format!("leave `{key}` out")))
    };
    if s.coordinates != Coordinates::Absolute {
        return wrong("coordinates", "has coordinates of its own");
    }
    if s.start != Start::Given {
        return wrong("start", "starts where its author says");
    }
    if !s.record.is_empty() {
        return wrong("record", "has channels of its own");
    }
    Ok(())
}

fn not_closed(loaded: &LoadedModel, error: &AssemblyError) -> Diagnostic {
    let said = error.complaint();
    loaded.diagnose(&error.path(), said.wrong, said.remedy.unwrap_or_default())
}

/// The static equilibrium, with all joints; those that are to be released are then taken out of the description.
fn find_rest(loaded: &mut LoadedModel) -> Result<Rest, Diagnostics> {
    let model = loaded.build()?;
    let system = model.system();
    let from = model.close_joints().map_err(|e| not_closed(loaded, &e))?;
    // a frictionless equilibrium is one with friction too
    let found = equilibrium(system, &from, Search { friction: true }).or_else(|first| {
        let rubs = |info: &ContactInfo| !matches!(info.kind, ContactKind::Unilateral { .. });
        let smooth = system.structure().contacts.iter().any(rubs).then_some(Search { friction: false });
        smooth.and_then(|search| equilibrium(system, &from, search).ok()).ok_or(first)
    });
    let equilibrium = found.map_err(|error| {
        let said = error.complaint();
        let message = loaded.units.speak(&said.wrong);
        let help = loaded.units.speak(&said.remedy.unwrap_or_default());
        let path: Vec<&str> = match &error {
            EquilibriumError::Falls { body, .. } => vec!["bodies", body],
            EquilibriumError::Jammed { name, .. } if loaded.description.joints().contains(&name.as_str()) => {
                vec!["joints", name]
            }
            EquilibriumError::Jammed { name, .. }
                if loaded.description.contacts().contains(&name.as_str()) =>
            {
                vec!["contacts", name]
            }
            _ => vec!["simulation", "start"],
        };
        Diagnostics::from(loaded.diagnose(&path, message, help))
    })?;
    // led off the end of its curve, a point is nowhere
    let at = Configuration::new(system, 0.0, &equilibrium.q, &vec![0.0; system.structure().sizes.v]);
    let mut values = vec![0.0; system.structure().events.len()];
    let mut angles = system.structure().event_angles.clone();
    system.event_values(&at, &mut angles, &mut values);
    for (info, value) in system.structure().events.iter().zip(&values) {
        if let Some(joint) = info.name.strip_suffix(".end")
            && loaded.description.joints().contains(&joint)
            && *value < 0.0
        {
            let message = format!(
                "there is no equilibrium: the point that `{joint}` leads runs off the end of its curve"
            );
            let help = "make the curve longer, close it, or add a contact that stops the point";
            return Err(loaded.diagnose(&["joints", joint], message, help).into());
        }
    }
    let drawing = loaded.drawing(&model);
    for name in loaded.description.simulation().release.clone() {
        if !loaded.description.remove_joint(&name) {
            let known = loaded.description.joints();
            let message = format!("there is no joint `{name}` to release");
            let help = suggest::choices(&name, "the joints", &known);
            return Err(loaded.diagnose(&["simulation", "release"], message, help).into());
        }
    }
    Ok(Rest { model, from, equilibrium, drawing })
}

/// Another scheme asked for by a change takes over what it knows of the parameters in the file; the rest are named.
fn drop_foreign_parameters(loaded: &mut LoadedModel, changes: &[(String, String)]) -> Vec<String> {
    let changed = |key: &str| changes.iter().any(|(k, _)| k == key);
    let simulation = loaded.description.simulation_mut();
    let Some(info) = find_scheme(&simulation.scheme) else { return Vec::new() };
    if !changed("simulation.scheme") {
        return Vec::new();
    }
    let foreign = |name: &str| {
        !info.parameters.iter().any(|p| p.name == name) && !changed(&format!("simulation.parameters.{name}"))
    };
    let unused: Vec<String> = simulation.parameters.keys().filter(|name| foreign(name)).cloned().collect();
    simulation.parameters.retain(|name, _| !unused.contains(name));
    unused
}

/// Whether the scheme is still to be chosen.
fn is_auto(scheme: &str) -> bool {
    scheme.strip_suffix(PROJECTED).unwrap_or(scheme) == AUTO
}

/// How the file says to run it.
fn settings(loaded: &LoadedModel) -> Settings {
    let s = loaded.description.simulation();
    Settings { step: s.step, end: s.end, accuracy: s.accuracy, output: s.output }
}

/// Puts the scheme that suits in the place of `auto`. Parameters given win over those chosen; given ones that only other schemes
/// have are not used, and named.
fn take_what_suits(loaded: &mut LoadedModel, system: &dyn System, state: &State) -> (Choice, Vec<String>) {
    let Settings { step, accuracy, .. } = settings(loaded);
    let simulation = loaded.description.simulation_mut();
    let projected = simulation.scheme.ends_with(PROJECTED);
    // event-driven schemes, which an accuracy asks for, project by themselves
    let accuracy = if projected { None } else { accuracy };
    let mut choice = choose(system, state, step, accuracy);
    simulation.scheme = format!("{}{}", choice.scheme, if projected { PROJECTED } else { "" });
    let has = |s: &SchemeInfo, name: &str| s.parameters.iter().any(|p| p.name == name);
    let foreign = |name: &str| {
        let own = find_scheme(choice.scheme).is_some_and(|s| has(s, name));
        !own && SCHEMES.iter().any(|s| has(s, name))
    };
    let unused = simulation.parameters.keys().filter(|name| foreign(name)).cloned().collect();
    simulation.parameters.retain(|name, _| !foreign(name));
    for (name, value) in &mut choice.parameters {
        let own = simulation.parameters.entry((*name).to_string()).or_insert(Value::Number(*value));
        *value = own.number().unwrap_or(*value);
    }
    (choice, unused)
}

/// The scheme, with its parameters and in the form that is asked for.
fn make_scheme(s: &carom_model::description::Simulation) -> Result<Box<dyn Scheme>, SchemeError> {
    let parameters = s.parameters.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    SchemeChoice { scheme: s.scheme.clone(), parameters, formulation: s.formulation.clone() }.make()
}

/// Checks the names of the scheme, of its parameters and of the solver, and makes the scheme; none if it is still to be chosen.
fn check_choices(loaded: &LoadedModel) -> Result<Option<Arc<dyn Scheme>>, Diagnostic> {
    let s = loaded.description.simulation();
    let made = match is_auto(&s.scheme) {
        true => None,
        false => Some(make_scheme(s).map_err(|error| not_a_scheme(loaded, &error))?),
    };
    if !SOLVERS.iter().any(|entry| entry.name == s.solver) {
        let known: Vec<&str> = SOLVERS.iter().map(|entry| entry.name).collect();
        let message = format!("there is no solver `{}`", s.solver);
        return Err(loaded.diagnose(
            &["simulation", "solver"],
            message,
            suggest::choices(&s.solver, "the solvers", &known),
        ));
    }
    Ok(made.map(Arc::from))
}

fn not_a_scheme(loaded: &LoadedModel, error: &SchemeError) -> Diagnostic {
    let said = error.complaint();
    let mut help = said.remedy.unwrap_or_default();
    if let Some(near) = near(error) {
        help = format!("did you mean `{near}`? {help}");
    }
    loaded.diagnose(&path_of_scheme(error), said.wrong, help)
}

/// Keys of what is wrong with a scheme.
pub(crate) fn path_of_scheme(error: &SchemeError) -> Vec<&str> {
    match error {
        SchemeError::UnknownFormulation { .. }
        | SchemeError::Formulation { .. }
        | SchemeError::NoFormulation { .. } => vec!["simulation", "formulation"],
        _ => match error.parameter() {
            Some(parameter) => vec!["simulation", "parameters", parameter],
            None => vec!["simulation", "scheme"],
        },
    }
}

/// The name that was probably meant.
fn near(error: &SchemeError) -> Option<&'static str> {
    match error {
        SchemeError::Unknown { name, .. } => {
            let plain = name.strip_suffix(PROJECTED).unwrap_or(name);
            suggest::nearest(plain, SCHEMES.iter().map(|s| s.name).chain([AUTO]))
        }
        SchemeError::UnknownParameter { scheme, parameter, .. } => {
            let info = find_scheme(scheme)?;
            suggest::nearest(parameter, info.parameters.iter().map(|p| p.name))
        }
        _ => None,
    }
}
