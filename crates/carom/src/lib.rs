//! Simulation of mechanisms that hit and rub: rigid bodies, joints, unilateral contacts, impacts with
//! restitution, Coulomb friction.
//!
//! This crate holds nothing of its own but the way from a model to results, [`Setup`]; the rest is what a Rust user
//! needs of the crates below, under one name.
//!
//! # A model file
//!
//! ```
//! let model = r#"
//!     gravity = [0.0, -10.0]
//!
//!     [ground.shapes.floor]
//!     type = "line"
//!     through = [0.0, 0.0]
//!     normal = [0.0, 1.0]
//!
//!     [bodies.ball]
//!     mass = 1.0
//!     position = [0.0, 1.2]
//!     shapes.skin = { type = "disk", radius = 0.2 }
//!
//!     [contacts.bounce]
//!     between = ["ball.skin", "ground.floor"]
//!     restitution = 0.8
//!
//!     [simulation]
//!     step = 1e-3
//!     end = 2.0
//! "#;
//! let setup = carom::Setup::of_text("ball.toml", model, &[])?;
//! let done = setup.run(|_| true)?;
//!
//! // falls 1 m in √0.2 s, and hits with √20 m/s
//! let first = &done.recording.events[0];
//! assert_eq!(first.subject, "bounce");
//! assert!((first.t - 0.2_f64.sqrt()).abs() < 1e-3);
//! assert!((first.before + 20.0_f64.sqrt()).abs() < 2e-2);
//! // rebounds to 0.8² of the height
//! let highest = done.recording.column("ball.y").unwrap()[700..].iter().fold(0.0_f64, |h, y| h.max(*y));
//! assert!((highest - (0.2 + 0.64)).abs() < 1e-2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A coded system
//!
//! ```
//! let info = carom::SystemInfo::find("stiff-3dof-constraint").unwrap();
//! let setup = carom::Setup::of_system(info, &[("k".into(), "20".into())])?;
//! assert!(setup.run(|_| true)?.reached_end());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A system of your own
//!
//! Anything that implements [`System`] runs with every scheme and every solver; [`Simulation`] shows how.

mod coded;
mod diagnose;
mod resolution;
mod setup;
mod warnings;

pub use carom_dynamics::equilibrium::{self, Balance, ContactForce, Equilibrium, EquilibriumError, Search};
pub use setup::{Done, Rest, Setup};

pub use carom_dynamics::{
    AUTO, Amplification, Audit, Channel, Choice, Complaint, Configuration, ConstraintInfo, ContactInfo,
    ContactKind, Directions, Effort, Energy, ErrorEstimate, Event, EventKind, PROJECTED, Parameter,
    ParameterKind, Pattern, Phase, Power, ProblemWatch, Progress, Quantity, Recording, Resistance, SCHEMES,
    Saved, Scheme, SchemeChoice, SchemeError, SchemeInfo, SeenProblem, Settings, Simulation, Sizes, Spectrum,
    SpectrumError, SpectrumPoint, Stability, StartError, State, StepError, StepReport, Stepper, Stiffness,
    Stop, Structure, Summary, System, Value, Worst, check_derivatives, choose, find_scheme, scheme, spectrum,
};
pub use carom_elastic as elastic;
pub use carom_io::{
    Diagnostic, Diagnostics, Drawing, Facts, Formats, LoadedModel, Results, RunInfo, Scene, Severity, Stored,
    Topic, Units, WriteError, animation, chart, drawing, fclib, load, load_text, load_texts, picture,
    report_page, results, scene, schema, units, write::csv::events as events_csv, write::report,
    write::summary::json as summary_json, write_bytes, write_results,
};
pub use carom_model::{
    AnyDescription, AnyModel, Assembly, AssemblyError, Description, Freedom, Functions, MOST_ARGUMENTS,
    Misfit, Model, ModelError, Moved, Natural, OuterFunction, Redundancy, Relative, Space, SpaceRelative,
    Unreachable, description, suggest,
};
pub use carom_solve as solve;
pub use carom_solve::{ContactProblem, ContactSolver, SOLVERS, SolverEntry, solver};
pub use carom_systems::{Coded, SYSTEMS, Sketch, SystemError, SystemInfo, SystemParameter, system};

/// The Rust in the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
