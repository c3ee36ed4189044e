//! What a scheme is not made for is refused when it starts.

use crate::{ContactKind, StepError, System};

/// Refuses a system with a contact for which `wrong` holds.
pub fn refuse(
    system: &dyn System,
    scheme: &'static str,
    reason: &'static str,
    remedy: &'static str,
    wrong: impl Fn(&ContactKind) -> bool,
) -> Result<(), StepError> {
    match system.structure().contacts.iter().position(|info| wrong(&info.kind)) {
        Some(contact) => Err(StepError::NotFor { scheme: scheme.into(), contact, reason, remedy }),
        None => Ok(()),
    }
}

/// Refuses tangential restitution.
pub fn refuse_tangential_restitution(system: &dyn System, scheme: &'static str) -> Result<(), StepError> {
    refuse(
        system,
        scheme,
        "its law has no tangential restitution",
        "set `tangential_restitution` to 0, or take a scheme with Newton's law, such as `moreau-jean`",
        |kind| kind.tangential_restitution() != 0.0,
    )
}
