//! The model of a command: found, read and assembled, with what people should know about it.

use crate::colour;
use crate::failure::Failure;
use crate::gallery::{self, Found, What};
use carom::{Diagnostics, Setup, StartError};

/// Finds and reads a model.
pub fn open(model: &str, changes: &[(String, String)]) -> Result<(Found, Setup), Failure> {
    Ok(open_or_list(model, changes)??)
}

/// The same, with what is wrong in the model as a list.
pub fn open_or_list(
    model: &str,
    changes: &[(String, String)],
) -> Result<Result<(Found, Setup), Diagnostics>, Failure> {
    let found = gallery::find(model)?;
    let setup = set_up(&found, changes);
    Ok(setup.map(|setup| (found, setup)))
}

/// Reads a model that was found.
pub fn set_up(found: &Found, changes: &[(String, String)]) -> Result<Setup, Diagnostics> {
    match &found.what {
        What::File(file) => Setup::open(file, changes),
        What::Gallery(text) => Setup::of_texts(&found.name, text, &gallery::files(&found.name), changes),
        What::System(info) => Setup::of_system(info, changes),
    }
}

/// Why a run cannot begin, at the line of the model.
pub fn cannot_start(setup: &Setup, error: &StartError) -> Failure {
    Failure::Input(setup.diagnose_start(error).to_string())
}

/// What is suspicious about a model, a line each.
pub fn warn(setup: &Setup) {
    for warning in setup.warnings() {
        colour::complain(&format!("warning: {}", warning.in_a_line()));
    }
    for note in setup.notes() {
        colour::complain(&format!("note: {}", note.in_a_line()));
    }
}

/// What was changed to make the mechanism fit, one line each; none if it fits.
pub fn assembly_lines(setup: &Setup) -> Vec<String> {
    let assembly = setup.assembly();
    let mut lines: Vec<String> = assembly
        .misfits
        .iter()
        .map(|m| {
            let unit = match m.quantity {
                carom::Quantity::Length => "m",
                carom::Quantity::Angle => "rad",
            };
            format!("joint {} did not fit by {:.2e} {unit}", m.joint, m.residual)
        })
        .collect();
    for m in &assembly.moved {
        let mut changes = Vec::new();
        for (value, verb, unit) in [
            (m.displacement, "moved by", "m"),
            (m.rotation, "turned by", "rad"),
            (m.velocity, "velocity changed by", "m/s"),
            (m.angular_velocity, "angular velocity changed by", "rad/s"),
        ] {
            if value != 0.0 {
                changes.push(format!("{verb} {value:.2e} {unit}"));
            }
        }
        lines.push(format!("{} was adjusted: {}", m.body, changes.join(", ")));
    }
    lines.iter().map(|line| setup.loaded().units.speak(line)).collect()
}
