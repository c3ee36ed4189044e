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
    /// Largest kinetic energy, or span of potential and strain energy if larger, over the samples; what errors are
    /// compared with.
    pub energy_scale: f64,
    /// Work of applied forces.
    pub applied_work: f64,
    /// Work of prescribed motions.
    pub prescribed_work: f64,
    /// Lost in dampers, ≥ 0.
    pub damping_loss: f64,
    /// Lost in friction, contacts and joints; ≥ 0 unless tangential restitution gives energy back.
    pub friction_loss: f64,
    /// Lost in normal impacts; negative only where Newton's law with friction or several contacts makes energy.
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

impl Audit {
    /// The energy the scheme lost or made, relative to the energies that moved.
    pub fn relative_numerical_loss(&self) -> f64 {
        if self.energy_scale > 0.0 { self.numerical_loss / self.energy_scale } else { 0.0 }
    }

    /// How far to trust the run, in one plain sentence with the numbers behind it.
    pub(crate) fn sentence(&self, length_scale: f64) -> String {
        let loss = self.relative_numerical_loss();
        let mut parts = Vec::new();
        let verb = if loss < 0.0 { "made" } else { "lost" };
        parts.push(format!(
            "the scheme {verb} {:.2e} of the energy that moved ({:.3e} J)",
            loss.abs(),
            self.energy_scale
        ));
        if self.drift_length.value > 0.0 {
            parts.push(format!(
                "joints drifted by at most {:.1e} m ({}), {:.1e} of the mechanism's size",
                self.drift_length.value,
                self.drift_length.subject,
                self.drift_length.value / length_scale
            ));
        }
        if self.penetration.value > 0.0 {
            parts.push(format!(
                "the deepest penetration was {:.1e} m ({}), {:.1e} of the mechanism's size",
                self.penetration.value,
                self.penetration.subject,
                self.penetration.value / length_scale
            ));
        }
        parts.push(match (self.failures, self.fallbacks) {
            (0, 0) => "every contact problem was solved at the first try".to_string(),
            (0, n) => format!("{n} contact problems needed a fallback solver and were solved"),
            (f, _) => format!("{f} steps failed and were repeated smaller"),
        });
        let grade = if loss.abs() < 1e-3 {
            "Good to about three digits in energy"
        } else if loss.abs() < 1e-2 {
            "Good to about two digits in energy"
        } else if loss.abs() < 0.1 {
            "Qualitative: take a smaller step for numbers"
        } else {
            "Do not trust this: take a smaller step"
        };
        format!("{grade}: {}.", parts.join("; "))
    }
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
