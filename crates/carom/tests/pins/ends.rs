//! Step and end of the short run of every model and system, so that something touches in it.

/// A short run.
pub struct Short {
    pub name: &'static str,
    /// s
    pub step: f64,
    /// s
    pub end: f64,
    /// Whether something must happen in it with the scheme of the model: a contact that closes, sticks, slips.
    pub touches: bool,
    /// Step and end of event-driven schemes where they take long (s).
    pub driven: Option<(f64, f64)>,
}

impl Short {
    const fn driven(self, step: f64, end: f64) -> Self {
        Self { driven: Some((step, end)), ..self }
    }
}

const fn touching(name: &'static str, step: f64, end: f64) -> Short {
    Short { name, step, end, touches: true, driven: None }
}

/// Without contacts, or already closed for good.
const fn free(name: &'static str, step: f64, end: f64) -> Short {
    Short { name, step, end, touches: false, driven: None }
}

/// Models of the gallery, by name.
pub const GALLERY: &[Short] = &[
    touching("ball", 5e-3, 1.0),
    touching("ball-in-box", 5e-3, 1.0),
    touching("bar", 5e-3, 0.6),
    touching("bar-steel", 1e-7, 1.5e-5).driven(1e-6, 1.2e-5),
    touching("belt", 2e-3, 0.4),
    touching("block-constrained", 1e-3, 0.02),
    touching("block-jump", 1e-3, 0.03),
    touching("block-path", 1e-3, 0.03),
    touching("cam-flat-follower", 2e-4, 8e-3).driven(1e-3, 4e-3),
    touching("crank-slider-flex", 2e-5, 3.2e-3),
    touching("crank-slider-rigid", 2e-5, 4e-3),
    touching("disks", 1e-5, 2.5e-4).driven(7e-5, 2.1e-4),
    touching("dominoes", 2e-3, 0.06).driven(1e-4, 2e-4),
    touching("door-stop", 2e-3, 0.5),
    free("eccentric-beam", 5e-3, 0.2),
    free("four-bar", 2e-4, 0.02),
    touching("four-bar-clearance", 5e-5, 8e-3),
    free("gear-rack", 1e-3, 0.1),
    touching("gear-rattle", 5e-5, 2e-3),
    free("gearbox", 4e-6, 2e-4),
    free("gears-1", 2e-6, 1e-4),
    free("gears-2", 5e-6, 2e-3),
    touching("geneva-drive", 5e-4, 0.14),
    touching("incline", 1e-3, 0.1),
    touching("newtons-cradle", 1e-3, 0.3),
    touching("oblique-disk", 5e-3, 0.6),
    touching("oscillator", 4e-3, 0.7),
    touching("parabola-plane", 4e-3, 0.8),
    touching("pendulum-stop", 4e-3, 0.6),
    touching("plane-parabola", 1e-2, 1.2),
    touching("ratchet", 5e-4, 0.1),
    touching("rotating-beam", 2e-3, 0.36),
    free("rotor-runup", 4e-4, 0.02),
    touching("slider-crank", 2e-5, 4e-3),
    touching("slider-crank-ffr", 2e-5, 3e-3),
    touching("slider-crank-modal", 5e-5, 8e-3),
    touching("stacked-boxes", 2e-3, 0.1),
    touching("three-balls", 4e-3, 0.5),
    touching("woodpecker", 2e-4, 0.03),
];

/// Coded systems, in the order of their registry.
pub const SYSTEMS: &[Short] = &[
    touching("slider-crank-minimal", 2e-5, 4e-3),
    free("slider-crank-bilateral", 1e-4, 1e-2),
    free("slider-crank-1dof", 1e-2, 1.0),
    free("four-bar-minimal", 1e-3, 0.1),
    free("simeon-crank", 1e-4, 1e-2),
    free("stiff-3dof-spring", 1e-3, 0.1),
    free("stiff-3dof-constraint", 1e-2, 1.0),
    free("euler-top", 0.05, 1.0),
    free("heavy-top", 1e-3, 0.03),
    free("heavy-top-joint", 1e-3, 0.03),
];
