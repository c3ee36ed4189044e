//! Where the book explains what a message is about. Every link of a message is one of these; a test finds each in `docs/src`.

use serde::{Serialize, Serializer};
use std::fmt;

/// A page of the book, or a section of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // each is the section it is named after
pub enum Topic {
    ModelFile,
    TopLevel,
    Parameters,
    Units,
    Bodies,
    Flexible,
    Solids,
    Shapes,
    Joints,
    Clearance,
    Rubbing,
    Forces,
    Contacts,
    Events,
    Simulation,
    Channels,
    Choosing,
    Coordinates,
    Systems,
    Limits,
    Steps,
    CommandLine,
    Run,
    Convergence,
    New,
    Sweep,
    Solve,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 27] = [
        Self::ModelFile,
        Self::TopLevel,
        Self::Parameters,
        Self::Units,
        Self::Bodies,
        Self::Flexible,
        Self::Solids,
        Self::Shapes,
        Self::Joints,
        Self::Clearance,
        Self::Rubbing,
        Self::Forces,
        Self::Contacts,
        Self::Events,
        Self::Simulation,
        Self::Channels,
        Self::Choosing,
        Self::Coordinates,
        Self::Systems,
        Self::Limits,
        Self::Steps,
        Self::CommandLine,
        Self::Run,
        Self::Convergence,
        Self::New,
        Self::Sweep,
        Self::Solve,
    ];

    /// `PAGE` or `PAGE#SECTION`, as `carom docs` takes it.
    pub fn link(self) -> &'static str {
        match self {
            Self::ModelFile => "model-file",
            Self::TopLevel => "model-file#top-level",
            Self::Parameters => "model-file#parameters-and-formulas",
            Self::Units => "model-file#units",
            Self::Bodies => "model-file#bodies",
            Self::Flexible => "model-file#flexible-bodies",
            Self::Solids => "model-file#solids",
            Self::Shapes => "model-file#shapes",
            Self::Joints => "model-file#joints",
            Self::Clearance => "model-file#clearance",
            Self::Rubbing => "model-file#joints-that-rub",
            Self::Forces => "model-file#forces",
            Self::Contacts => "model-file#contacts",
            Self::Events => "model-file#events",
            Self::Simulation => "model-file#simulation",
            Self::Channels => "model-file#channels",
            Self::Choosing => "choosing#which-scheme-for-what",
            Self::Coordinates => "theory/coordinates",
            Self::Systems => "systems",
            Self::Limits => "limits",
            Self::Steps => "limits#steps",
            Self::CommandLine => "command-line",
            Self::Run => "command-line#carom-run",
            Self::Convergence => "command-line#carom-convergence",
            Self::New => "command-line#carom-new",
            Self::Sweep => "command-line#carom-sweep",
            Self::Solve => "command-line#carom-solve",
        }
    }

    /// What explains the key that `path` leads to.
    pub fn of_path<S: AsRef<str>>(path: &[S]) -> Self {
        let word = |i: usize| path.get(i).map_or("", AsRef::as_ref);
        match (word(0), word(2)) {
            ("parameters", _) => Self::Parameters,
            ("units", _) => Self::Units,
            ("ground", _) if word(1) == "shapes" => Self::Shapes,
            ("bodies", "shapes") => Self::Shapes,
            ("bodies", "elastic") => match word(3) {
                "block" | "disk" | "mesh" | "plane" | "thickness" | "incompatible" | "stress" | "clamp" => {
                    Self::Solids
                }
                _ => Self::Flexible,
            },
            ("bodies", _) => Self::Bodies,
            ("joints", "clearance" | "size" | "restitution") => Self::Clearance,
            ("joints", "friction" | "pin_radius" | "friction_torque" | "friction_force") => Self::Rubbing,
            ("joints", _) => Self::Joints,
            ("forces", _) => Self::Forces,
            ("contacts" | "groups" | "materials", _) => Self::Contacts,
            ("events", _) => Self::Events,
            ("simulation", _) => match word(1) {
                "scheme" => Self::Choosing,
                "coordinates" => Self::Coordinates,
                _ => Self::Simulation,
            },
            _ => Self::TopLevel,
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "carom docs {}", self.link())
    }
}

impl Serialize for Topic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.link())
    }
}
