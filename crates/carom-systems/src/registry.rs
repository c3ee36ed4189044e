//! The coded systems by name: what a new system must be named in, and the only place.

use crate::{
    FourBar, FourBarMinimal, SimeonCrank, Sketch, SliderCrank, SliderCrank1Dof, SliderCrankBilateral,
    SliderCrankMinimal, Stiff3Dof, Top, TopMinimal, TopOnBallJoint, stiff_3dof, top,
};
use carom_dynamics::System;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A parameter of a coded system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SystemParameter {
    /// Name, as in `--set c=5e-4`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub meaning: &'static str,
    /// SI unit; empty for a plain number.
    pub unit: &'static str,
    /// Value if left out.
    pub default: f64,
    /// Smallest admissible value; the smallest positive number means above 0.
    pub least: f64,
    /// Largest admissible value.
    pub most: f64,
}

impl SystemParameter {
    /// Any finite number.
    pub const fn any(name: &'static str, unit: &'static str, default: f64, meaning: &'static str) -> Self {
        Self { name, meaning, unit, default, least: f64::MIN, most: f64::MAX }
    }

    /// Above zero.
    pub const fn positive(
        name: &'static str,
        unit: &'static str,
        default: f64,
        meaning: &'static str,
    ) -> Self {
        Self { name, meaning, unit, default, least: f64::MIN_POSITIVE, most: f64::MAX }
    }

    /// Zero or above, up to `most`.
    pub const fn from_zero(
        name: &'static str,
        unit: &'static str,
        default: f64,
        most: f64,
        meaning: &'static str,
    ) -> Self {
        Self { name, meaning, unit, default, least: 0.0, most }
    }

    /// The admissible values in words.
    pub fn range(&self) -> String {
        match (self.least, self.most) {
            (f64::MIN, f64::MAX) => "any finite number".into(),
            (f64::MIN_POSITIVE, f64::MAX) => "above 0".into(),
            (least, f64::MAX) => format!("at least {least}"),
            (least, most) => format!("between {least} and {most}"),
        }
    }

    /// Whether a value is admissible.
    pub fn admits(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

/// The values of all parameters of a system.
#[derive(Clone, Debug)]
pub struct Values {
    parameters: &'static [SystemParameter],
    values: Vec<f64>,
}

impl Values {
    /// Every parameter at its default.
    pub fn defaults(parameters: &'static [SystemParameter]) -> Self {
        Self { parameters, values: parameters.iter().map(|p| p.default).collect() }
    }

    /// The value of a parameter; asking for one that the system has not declared is a mistake in its code.
    pub fn get(&self, name: &str) -> f64 {
        let place = self.parameters.iter().position(|p| p.name == name);
        self.values[place.unwrap_or_else(|| panic!("`{name}` is not among the declared parameters"))]
    }
}

/// A coded system with its parameters filled in, where it starts, and what it looks like.
#[derive(Clone)]
pub struct Coded {
    /// The system.
    pub system: Arc<dyn System>,
    /// Coordinates at the start.
    pub q: Vec<f64>,
    /// Velocities at the start.
    pub v: Vec<f64>,
    /// For the eye.
    pub sketch: Sketch,
}

impl fmt::Debug for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coded").field("q", &self.q).field("v", &self.v).finish_non_exhaustive()
    }
}

/// A coded system as the registry knows it.
#[derive(Clone, Copy, Debug)]
pub struct SystemInfo {
    /// Name, as in `carom run NAME`.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its parameters.
    pub parameters: &'static [SystemParameter],
    /// Scheme it is run with unless told otherwise.
    pub scheme: &'static str,
    /// Step it is run with unless told otherwise (s).
    pub step: f64,
    /// End of its run unless told otherwise (s).
    pub end: f64,
    build: fn(&Values) -> Result<Coded, String>,
}

/// Every coded system.
pub const SYSTEMS: &[SystemInfo] = &[
    SystemInfo {
        name: "slider-crank-minimal",
        title: "Slider-crank with clearance and friction in three angles",
        source: "[RezaeiSchindler] Table 1, App. C.7; [Schindler2015] Table 1",
        parameters: SliderCrank::PARAMETERS,
        scheme: "moreau-jean",
        step: 1e-5,
        end: 0.1375,
        build: |values| {
            let system = SliderCrankMinimal::new(SliderCrank::of(values));
            let (q, v) = system.start();
            system.admissible(&q)?;
            Ok(Coded { sketch: system.sketch(), system: Arc::new(system), q, v })
        },
    },
    SystemInfo {
        name: "slider-crank-bilateral",
        title: "Slider-crank without clearance: three angles, the guide as a joint",
        source: "[RezaeiSchindler] Table 1 with c = 0, §4.1; [Schindler2015] §5.1",
        parameters: SliderCrankBilateral::PARAMETERS,
        scheme: "moreau-jean",
        step: 1e-5,
        end: 0.1375,
        build: |values| {
            let system = SliderCrankBilateral::new(SliderCrankBilateral::of(values));
            let (q, v) = system.start()?;
            Ok(Coded { sketch: system.sketch(), system: Arc::new(system), q, v })
        },
    },
    SystemInfo {
        name: "slider-crank-1dof",
        title: "Slider-crank in the angles of crank and rod",
        source: "[Haddouni2015] §3.1.2, Table 3.4 with l2 = 2 m",
        parameters: SliderCrank1Dof::PARAMETERS,
        scheme: "half-explicit-4",
        step: 1e-3,
        end: 1.0,
        build: |values| {
            let system = SliderCrank1Dof::of(values);
            let (q, v) = system.start()?;
            Ok(Coded { sketch: system.sketch(), system: Arc::new(system), q, v })
        },
    },
    SystemInfo {
        name: "four-bar-minimal",
        title: "Four-bar linkage in three angles, driven by a torque",
        source: "[Haddouni2015] §3.1.1, Table 3.2",
        parameters: FourBar::PARAMETERS,
        scheme: "half-explicit-4",
        step: 1e-3,
        end: 3.0,
        build: |values| {
            let system = FourBarMinimal::new(FourBar::of(values));
            let (q, v) = system.start()?;
            Ok(Coded { sketch: system.sketch(), system: Arc::new(system), q, v })
        },
    },
    SystemInfo {
        name: "simeon-crank",
        title: "Driven slider-crank with an elastic rod, problem \"crank\" of the IVP test set",
        source: "[Simeon1996]; [Mazzia2008]; [Haddouni2015] §3.1.3",
        parameters: SimeonCrank::PARAMETERS,
        scheme: "generalized-alpha",
        step: 1e-5,
        end: 0.1,
        build: |values| Ok(SimeonCrank::coded(values)),
    },
    SystemInfo {
        name: "stiff-3dof-spring",
        title: "Three masses on soft springs, the last on a stiff one",
        source: "[RezaeiSchindler] §2.8, model (a)",
        parameters: stiff_3dof::WITH_SPRING,
        scheme: "generalized-alpha",
        step: 1e-3,
        end: 10.0,
        build: |values| Ok(Stiff3Dof::with_spring(values).coded()),
    },
    SystemInfo {
        name: "stiff-3dof-constraint",
        title: "Three masses on soft springs, the last held by a joint",
        source: "[RezaeiSchindler] §2.8, model (b)",
        parameters: stiff_3dof::WITH_JOINT,
        scheme: "generalized-alpha",
        step: 0.05,
        end: 10.0,
        build: |values| Ok(Stiff3Dof::with_joint(values).coded()),
    },
    SystemInfo {
        name: "euler-top",
        title: "Euler's top: a free body in space, tumbling about its middle axis",
        source: "[Hairer2006] VII.5",
        parameters: top::FREE,
        scheme: "phem56",
        step: 0.05,
        end: 10.0,
        build: |values| Ok(TopMinimal::coded(Top::free(values))),
    },
    SystemInfo {
        name: "heavy-top",
        title: "Lagrange's top about a fixed point, in steady precession",
        source: "[Hairer2006] VII.5",
        parameters: top::HEAVY,
        scheme: "phem56",
        step: 1e-3,
        end: 2.0,
        build: |values| Ok(TopMinimal::coded(Top::heavy(values))),
    },
    SystemInfo {
        name: "heavy-top-joint",
        title: "Lagrange's top as a free body on a ball joint",
        source: "[Hairer2006] VII.5",
        parameters: top::HEAVY,
        scheme: "phem56",
        step: 1e-3,
        end: 2.0,
        build: |values| TopOnBallJoint::coded(Top::heavy(values)),
    },
];

/// Why a coded system could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SystemError {
    /// No such name.
    #[error("there is no coded system `{name}`; the systems are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// No such parameter.
    #[error("system `{system}` has no parameter `{parameter}`; it has {known}")]
    UnknownParameter {
        /// The system.
        system: &'static str,
        /// What was asked for.
        parameter: String,
        /// What there is.
        known: String,
    },
    /// Outside its range.
    #[error("parameter `{parameter}` of system `{system}` is {value}; it must be {range}")]
    Range {
        /// The system.
        system: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// The admissible values, in words.
        range: String,
    },
    /// The parameters contradict each other.
    #[error("system `{system}` cannot start: {why}")]
    Misfit {
        /// The system.
        system: &'static str,
        /// What does not fit, and what would.
        why: String,
    },
}

impl SystemInfo {
    /// The system of this name.
    pub fn find(name: &str) -> Option<&'static SystemInfo> {
        SYSTEMS.iter().find(|s| s.name == name)
    }

    /// Fills in the parameters given, with defaults for the rest.
    pub fn build(&self, given: &[(&str, f64)]) -> Result<Coded, SystemError> {
        let mut filled = Values::defaults(self.parameters);
        for &(name, value) in given {
            let Some(place) = self.parameters.iter().position(|p| p.name == name) else {
                let known = self.parameters.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
                return Err(SystemError::UnknownParameter {
                    system: self.name,
                    parameter: name.into(),
                    known,
                });
            };
            let parameter = &self.parameters[place];
            if !parameter.admits(value) {
                let (system, range) = (self.name, parameter.range());
                return Err(SystemError::Range { system, parameter: parameter.name, value, range });
            }
            filled.values[place] = value;
        }
        (self.build)(&filled).map_err(|why| SystemError::Misfit { system: self.name, why })
    }
}

/// Makes a coded system by name, with the parameters given and defaults for the rest.
pub fn system(name: &str, given: &[(&str, f64)]) -> Result<Coded, SystemError> {
    let info = SystemInfo::find(name).ok_or_else(|| SystemError::Unknown {
        name: name.into(),
        known: SYSTEMS.iter().map(|s| s.name).collect::<Vec<_>>().join(", "),
    })?;
    info.build(given)
}
