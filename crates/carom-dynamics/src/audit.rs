//! How far a run can be trusted: where the energy went, how well the constraints were kept, how the solvers did.
//!
//! Over every step the change of kinetic energy is the work of all impulses on the mean velocity,
//!
//! ```text
//!   ΔT = ½ (v_n + v_{n+1})ᵀ M (v_{n+1} − v_n)                           (constant M)
//! ```
//!
//! so the work of a contact impulse P is Pᵀ ½ (U_n + U_{n+1}). What is left after potential energy, applied work,
//! damping, friction and impacts is the scheme's own: `numerical`.

use serde::Serialize;

/// The balance sheet of a run. Energies in J, since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Audit {
    /// Kinetic + potential + strain at the start.
    pub energy_start: f64,
    /// The same at the end.
    pub energy_end: f64,
    /// Largest total energy in magnitude of kinetic or potential part; what errors are compared with.
    pub energy_scale: f64,
    /// Work of applied forces.
    pub applied_work: f64,
    /// Work of prescribed motions.
    pub prescribed_work: f64,
    /// Lost in dampers, ≥ 0.
    pub damping_loss: f64,
    /// Lost in friction, contacts and joints, ≥ 0.
    pub friction_loss: f64,
    /// Lost in normal impacts, ≥ 0.
    pub impact_loss: f64,
    /// What the scheme lost (> 0) or made (< 0): the remainder of the balance.
    pub numerical_loss: f64,
    /// Largest |Φ| of a length row, m, and the joint.
    pub drift_length: Worst,
    /// Largest |Φ| of an angle row, rad, and the joint.
    pub drift_angle: Worst,
    /// Deepest penetration, m (≥ 0), and the contact.
    pub penetration: Worst,
    /// Largest residual of a contact problem (dimensionless), and when.
    pub contact_residual: Worst,
    /// Contact problems answered by a fallback solver.
    pub fallbacks: usize,
    /// Contact problems or Newton iterations that did not converge (each was retried or ended the run).
    pub failures: usize,
    /// Bilateral rows that are redundant, named by joint.
    pub redundant: Vec<String>,
    /// One plain sentence.
    pub verdict: String,
}

/// A largest value, who had it, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Worst {
    /// The value.
    pub value: f64,
    /// Who.
    pub subject: String,
    /// When, s.
    pub t: f64,
}
