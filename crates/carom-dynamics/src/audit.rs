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

use crate::{ErrorEstimate, json_nan};
use serde::{Deserialize, Serialize};

/// The balance sheet of a run. Energies in J, since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// Kinetic + potential + strain at the start.
    #[serde(deserialize_with = "json_nan::one")]
    pub energy_start: f64,
    /// The same at the end.
    #[serde(deserialize_with = "json_nan::one")]
    pub energy_end: f64,
    /// Largest kinetic energy, or span of potential and strain energy if larger, over the samples; what errors are
    /// compared with.
    #[serde(deserialize_with = "json_nan::one")]
    pub energy_scale: f64,
    /// Largest kinetic energy over the samples.
    #[serde(default, deserialize_with = "json_nan::one")]
    pub most_kinetic: f64,
    /// Whether nothing moved, in energies or in places, by more than forces do in a step.
    #[serde(default)]
    pub at_rest: bool,
    /// Work of applied forces.
    #[serde(deserialize_with = "json_nan::one")]
    pub applied_work: f64,
    /// Work of prescribed motions.
    #[serde(deserialize_with = "json_nan::one")]
    pub prescribed_work: f64,
    /// Lost in dampers, ≥ 0.
    #[serde(deserialize_with = "json_nan::one")]
    pub damping_loss: f64,
    /// Lost in friction, contacts and joints; ≥ 0 unless tangential restitution gives energy back.
    #[serde(deserialize_with = "json_nan::one")]
    pub friction_loss: f64,
    /// Lost in normal impacts, net; what contacts made is in `energy_made`.
    #[serde(deserialize_with = "json_nan::one")]
    pub impact_loss: f64,
    /// What the scheme lost (> 0) or made (< 0): the remainder of the balance.
    #[serde(deserialize_with = "json_nan::one")]
    pub numerical_loss: f64,
    /// Made by the scheme and by contacts, ≥ 0: the largest rise over any part of the run, not netted against losses.
    #[serde(default, deserialize_with = "json_nan::one")]
    pub energy_made: f64,
    /// Lost by the scheme, ≥ 0: the largest fall over any part of the run, not netted against gains.
    #[serde(default, deserialize_with = "json_nan::one")]
    pub energy_lost: f64,
    /// Of what was made, in contacts: Newton's law with friction or several contacts can.
    #[serde(default, deserialize_with = "json_nan::one")]
    pub made_in_contacts: f64,
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
    /// Steps that were taken although their error is above the accuracy, because a shorter one helps no more.
    #[serde(default)]
    pub unmet: usize,
    /// Sum of their errors, relative to the mechanism's size or in rad.
    #[serde(default, deserialize_with = "json_nan::one")]
    pub unmet_error: f64,
    /// The first of them (s).
    #[serde(default, deserialize_with = "json_nan::one")]
    pub unmet_t: f64,
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

    /// How far to trust the run: a grade, and plain sentences with the numbers behind it. Without an estimate there is no grade
    /// but for what is plainly wrong.
    pub(crate) fn sentence(&self, length_scale: f64, estimate: Option<&ErrorEstimate>) -> String {
        let mut sentences = vec![match estimate {
            Some(estimate) => estimate.sentence(self.at_rest),
            None => self.without_estimate(length_scale),
        }];
        let mut parts = Vec::new();
        if !self.at_rest {
            parts.push(self.energies());
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
            (1, _, _) => parts.push("a step failed and was tried again smaller".into()),
            (f, _, _) => parts.push(format!("steps failed {f} times and were tried again smaller")),
        }
        if self.unmet > 0 {
            let (n, error, t) = (self.unmet, self.unmet_error, plain(self.unmet_t));
            let steps = if n == 1 { "a step was".into() } else { format!("{n} steps were") };
            parts.push(format!(
                "{steps} taken with an error above the accuracy, {error:.1e} in all, first at t = {t} s: a shorter step helps no \
                 more there, as where joints are singular or a contact opens and closes without end"
            ));
        }
        let mut facts = parts.join("; ");
        if let Some(first) = facts.get_mut(..1) {
            first.make_ascii_uppercase();
            sentences.push(format!("{facts}."));
        }
        sentences.join(" ")
    }

    /// What was lost and made of the energy, neither netted against the other.
    fn energies(&self) -> String {
        let share = |energy: f64| match energy / self.energy_scale {
            share if share < 1e-4 => format!("{share:.1e}"),
            share => format!("{:.2} %", 100.0 * share),
        };
        if ![self.energy_made, self.energy_lost, self.energy_scale].iter().all(|e| e.is_finite()) {
            return "the energies left the range of numbers".into();
        }
        let (made, lost, moved) =
            (share(self.energy_made), share(self.energy_lost), plain(self.energy_scale));
        let whole = format!("of the energy that moved ({moved} J)");
        // the smaller one is told where it is a part of the larger
        let both =
            self.energy_made.min(self.energy_lost) > WORTH_TELLING * self.energy_made.max(self.energy_lost);
        let who = if self.made_in_contacts > 0.5 * self.energy_made { "contacts" } else { "the scheme" };
        match self.energy_made > self.energy_lost {
            _ if both && who == "contacts" => {
                format!("the scheme lost {lost} and contacts made {made} {whole}")
            }
            _ if both => format!("the scheme lost {lost} and made {made} {whole}"),
            true => format!("{who} made {made} {whole}"),
            false => format!("the scheme lost {lost} {whole}"),
        }
    }

    /// A grade for what is plainly wrong.
    fn without_estimate(&self, length_scale: f64) -> String {
        let places = self.penetration.value.max(self.drift_length.value) / length_scale;
        let energy = self.energy_made.max(self.energy_lost) / self.energy_scale;
        // what is no number is the worst
        if places < PLAINLY_WRONG && (self.at_rest || energy < PLAINLY_WRONG) {
            let moved = if self.at_rest { "Nothing moved. " } else { "" };
            return format!("{moved}No estimate of the error was made.");
        }
        "Do not trust this; take a smaller step.".into()
    }
}

/// Share of the larger from which on the smaller of two is told.
const WORTH_TELLING: f64 = 0.05;
/// Energies and places that are wrong by this much need no estimate.
const PLAINLY_WRONG: f64 = 0.1;

/// Four digits, with a power of ten only where it helps.
pub(crate) fn plain(x: f64) -> String {
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
    #[serde(deserialize_with = "json_nan::one")]
    pub value: f64,
    /// Who.
    pub subject: String,
    /// When, s.
    #[serde(deserialize_with = "json_nan::one")]
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
