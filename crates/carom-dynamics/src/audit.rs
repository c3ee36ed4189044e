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

use crate::or_nan;
use serde::{Deserialize, Serialize};

/// The balance sheet of a run. Energies in J, since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// Kinetic + potential + strain at the start.
    #[serde(deserialize_with = "or_nan::one")]
    pub energy_start: f64,
    /// The same at the end.
    #[serde(deserialize_with = "or_nan::one")]
    pub energy_end: f64,
    /// Largest kinetic energy, or span of potential and strain energy if larger, over the samples; what errors are
    /// compared with.
    #[serde(deserialize_with = "or_nan::one")]
    pub energy_scale: f64,
    /// Work of applied forces.
    #[serde(deserialize_with = "or_nan::one")]
    pub applied_work: f64,
    /// Work of prescribed motions.
    #[serde(deserialize_with = "or_nan::one")]
    pub prescribed_work: f64,
    /// Lost in dampers, ≥ 0.
    #[serde(deserialize_with = "or_nan::one")]
    pub damping_loss: f64,
    /// Lost in friction, contacts and joints; ≥ 0 unless tangential restitution gives energy back.
    #[serde(deserialize_with = "or_nan::one")]
    pub friction_loss: f64,
    /// Lost in normal impacts; negative only where Newton's law with friction or several contacts makes energy.
    #[serde(deserialize_with = "or_nan::one")]
    pub impact_loss: f64,
    /// What the scheme lost (> 0) or made (< 0): the remainder of the balance.
    #[serde(deserialize_with = "or_nan::one")]
    pub numerical_loss: f64,
    /// Largest |Φ| of a length row, m, and the joint.
    pub drift_length: Worst,
    /// Largest |Φ| of an angle row, rad, and the joint.
    pub drift_angle: Worst,
    /// Deepest penetration, m (≥ 0), and the contact.
    pub penetration: Worst,
    /// Largest residual of a contact problem (dimensionless), and when.
    pub contact_residual: Worst,
    /// Contact problems solved.
    pub contact_problems: usize,
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

    /// How far to trust the run: a grade, and a plain sentence with the numbers behind it.
    pub(crate) fn sentence(&self, length_scale: f64, at_rest: bool) -> String {
        let loss = self.relative_numerical_loss();
        // the worse of energy and places; what is no number is the worst
        let places = self.penetration.value.max(self.drift_length.value) / length_scale;
        let (error, what) = if places > loss.abs() { (places, "position") } else { (loss.abs(), "energy") };
        let grade = match error {
            _ if at_rest => "Nothing moved".into(),
            error if error < 1e-3 => format!("Good to about three digits in {what}"),
            error if error < 1e-2 => format!("Good to about two digits in {what}"),
            error if error < 0.1 => "Qualitative; take a smaller step for numbers".into(),
            _ => "Do not trust this; take a smaller step".into(),
        };
        let verb = if loss < 0.0 { "made" } else { "lost" };
        let share = match loss.abs() {
            loss if loss < 1e-4 => format!("{loss:.1e}"),
            loss => format!("{:.2} %", 100.0 * loss),
        };
        let mut parts = Vec::new();
        if !at_rest {
            let moved = plain(self.energy_scale);
            parts.push(if loss.is_finite() && self.energy_scale.is_finite() {
                format!("the scheme {verb} {share} of the energy that moved ({moved} J)")
            } else {
                "the energies left the range of numbers".into()
            });
        }
        for (what, worst) in [
            ("joints drifted by at most", &self.drift_length),
            ("the deepest penetration was", &self.penetration),
        ] {
            if worst.value > 0.0 {
                let relative = worst.value / length_scale;
                let (value, subject) = (worst.value, &worst.subject);
                parts.push(format!(
                    "{what} {value:.1e} m ({subject}), {relative:.1e} of the mechanism's size"
                ));
            }
        }
        match (self.failures, self.fallbacks, self.contact_problems) {
            (0, 0, 0) => {}
            (0, 0, n) => parts.push(format!("all {n} contact problems were solved at the first try")),
            (0, f, n) => {
                parts.push(format!("{f} of {n} contact problems needed a fallback solver and were solved"))
            }
            (f, _, _) => parts.push(format!("steps failed {f} times and were tried again smaller")),
        }
        let mut sentence = parts.join("; ");
        if let Some(first) = sentence.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        if sentence.is_empty() { format!("{grade}.") } else { format!("{grade}. {sentence}.") }
    }
}

/// Four digits, with a power of ten only where it helps.
fn plain(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let decimals = 3 - x.abs().max(1e-3).log10().floor() as i32;
    format!("{x:.*}", decimals.max(0) as usize)
}

/// A largest value, who had it, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The value.
    #[serde(deserialize_with = "or_nan::one")]
    pub value: f64,
    /// Who.
    pub subject: String,
    /// When, s.
    #[serde(deserialize_with = "or_nan::one")]
    pub t: f64,
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn four_digits() {
        assert_eq!(plain(7.4956), "7.496");
        assert_eq!(plain(12345.6), "12346");
        assert_eq!(plain(0.012346), "0.01235");
        assert_eq!(plain(2.352e-18), "2.352e-18");
    }
}
