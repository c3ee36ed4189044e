//! What is looked at before a run begins: settings, and whether scheme and solver are made for the contacts.

use super::Settings;
use crate::{ContactInfo, ContactKind, Resistance, Scheme, Setting, StartError, State, StepError, System};
use carom_solve::{ContactSolver, SOLVERS};

/// The smallest nominal step, relative to the length of the run: smaller ones never end.
const LEAST_STEP: f64 = 1e-12;

/// Refuses settings that no run can have, and states of another size.
pub(super) fn settings(
    system: &dyn System,
    scheme: &dyn Scheme,
    state: &State,
    settings: Settings,
) -> Result<(), StartError> {
    let positive = |what, value: f64| {
        let (fine, must) = (value > 0.0 && value.is_finite(), "positive and finite");
        if fine { Ok(()) } else { Err(StartError::Setting { what, value, must }) }
    };
    positive(Setting::Step, settings.step)?;
    positive(Setting::End, settings.end - state.t)?;
    if settings.step < LEAST_STEP * (settings.end - state.t) {
        let must = "at least 1e-12 of the simulated time";
        return Err(StartError::Setting { what: Setting::Step, value: settings.step, must });
    }
    let sizes = system.structure().sizes;
    if let Some(accuracy) = settings.accuracy {
        positive(Setting::Accuracy, accuracy)?;
        if sizes.contacts > 0 && !scheme.takes_accuracy() {
            return Err(StartError::NoAccuracy {
                scheme: scheme.describe(),
                reason: "lets contacts in by the length of a step before it turns them back, and an error estimate cannot tell \
                         this from a missed impact",
                instead: "another scheme",
            });
        }
    }
    if let Some(output) = settings.output {
        positive(Setting::Output, output)?;
    }
    for (what, got, want) in [("coordinates", state.q.len(), sizes.q), ("velocities", state.v.len(), sizes.v)]
    {
        if got != want {
            return Err(StartError::Size { what, got, want });
        }
    }
    Ok(())
}

/// Refuses contacts that a scheme is not made for: in space, or coming and going.
pub(super) fn contacts(system: &dyn System, scheme: &dyn Scheme, controlled: bool) -> Result<(), StepError> {
    let taken = scheme.takes_contacts();
    let wrong = |wrong: &dyn Fn(&ContactInfo) -> bool| system.structure().contacts.iter().position(wrong);
    let refused = |contact: usize, reason, remedy| {
        Err(StepError::NotFor { scheme: scheme.describe(), contact, reason, remedy })
    };
    if let Some(contact) = wrong(&|info| !taken.in_space && matches!(info.kind, ContactKind::Spatial { .. }))
    {
        let reason = "it knows friction along one direction only, and this contact slides in a plane";
        let remedy = "take `hem5` or `hybrid`, or a time-stepping scheme, such as `moreau-jean`";
        return refused(contact, reason, remedy);
    }
    if let Some(contact) = wrong(&|info| !taken.resisting && info.kind.resistance() != Resistance::None) {
        let reason = "it knows no moments in contacts, and this one resists rolling or drilling";
        let remedy =
            "take a time-stepping scheme, such as `moreau-jean`, or leave `rolling` and `drilling` out";
        return refused(contact, reason, remedy);
    }
    let changes = wrong(&|info| info.most != Some(1));
    match changes {
        Some(contact) if !taken.changing => {
            let reason = "its places come and go, and this scheme goes by a list that stays";
            refused(contact, reason, "take a time-stepping scheme, such as `moreau-jean`")
        }
        Some(contact) if controlled => {
            let reason = "its places come and go, and steps are compared by a list that stays";
            refused(contact, reason, "give a step instead of an accuracy")
        }
        _ => Ok(()),
    }
}

/// Refuses a solver that cannot carry the moments of a contact.
pub(super) fn laws(system: &dyn System, solver: &dyn ContactSolver) -> Result<(), StartError> {
    let Some(entry) = SOLVERS.iter().find(|entry| entry.name == solver.name()) else { return Ok(()) };
    let resists = |info: &&ContactInfo| info.kind.resistance() != Resistance::None;
    let mut resisting = system.structure().contacts.iter().filter(resists);
    match resisting.find(|info| !entry.takes.law(&info.kind.law())) {
        Some(info) => Err(StartError::Solver {
            solver: entry.name,
            contact: info.name.clone(),
            takes: entry.takes.to_string(),
        }),
        None => Ok(()),
    }
}
