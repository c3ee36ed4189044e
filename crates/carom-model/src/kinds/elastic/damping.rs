//! Damping of what deforms.

use crate::check::{Check, number};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use carom_elastic::ElasticError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Internal damping, C = mass · M + stiffness · K; by these factors, or by the shares of critical damping at two frequencies.
///
/// A vibration of frequency ω has the share ξ = (mass/ω + stiffness · ω)/2: larger outside of the two frequencies than the larger one
/// there, and smaller between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Damping {
    /// Factor of M (1/s).
    pub mass: f64,
    /// Factor of K (s).
    pub stiffness: f64,
    /// Shares of critical damping at the two `frequencies`, in the place of `mass` and `stiffness`.
    pub ratios: Option<[f64; 2]>,
    /// The two frequencies (Hz).
    pub frequencies: Option<[f64; 2]>,
}

/// A factor below this part of what it is computed from is none.
const NOTHING: f64 = 1e-12;

impl Damping {
    /// Factors of M (1/s) and K (s).                                                     [Ebrahimi2007] (2.45)–(2.47)
    pub fn factors(&self) -> [f64; 2] {
        let (Some([xi_1, xi_2]), Some(frequencies)) = (self.ratios, self.frequencies) else {
            return [self.mass, self.stiffness];
        };
        let [omega_1, omega_2] = frequencies.map(|f| std::f64::consts::TAU * f);
        let difference =
            |a: f64, b: f64| if (a - b).abs() <= NOTHING * (a.abs() + b.abs()) { 0.0 } else { a - b };
        let per = 2.0 / ((omega_2 - omega_1) * (omega_2 + omega_1));
        let mass = per * omega_1 * omega_2 * difference(xi_1 * omega_2, xi_2 * omega_1);
        [mass, per * difference(xi_2 * omega_2, xi_1 * omega_1)]
    }

    /// Shows every number with its dimension.
    pub(super) fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { mass, stiffness, ratios, frequencies } = self;
        see.number(mass, Dimension::FREQUENCY);
        see.number(stiffness, Dimension::TIME);
        see.all(ratios.iter_mut().flatten(), Dimension::NONE);
        see.all(frequencies.iter_mut().flatten(), Dimension::FREQUENCY);
    }

    /// The first thing that is wrong with the damping of body `key`.
    pub(super) fn check(&self, key: &str) -> Check {
        let at = |field| ["bodies", key, "elastic", "damping", field];
        number(self.mass, "damping by mass", &at("mass")).not_negative()?;
        number(self.stiffness, "damping by stiffness", &at("stiffness")).not_negative()?;
        let wrong = |field, words: &str, remedy: &str| {
            Err(ModelError::new(&at(field), Problem::Elastic(ElasticError::other(words, remedy))))
        };
        let ([xi_1, xi_2], [f_1, f_2]) = match (self.ratios, self.frequencies) {
            (None, None) => return Ok(()),
            (Some(ratios), Some(frequencies)) => (ratios, frequencies),
            (Some(_), None) => {
                return wrong(
                    "ratios",
                    "two damping ratios need two frequencies",
                    "give `frequencies` (Hz) too",
                );
            }
            (None, Some(_)) => {
                return wrong("frequencies", "two frequencies need two damping ratios", "give `ratios` too");
            }
        };
        if [self.mass, self.stiffness] != [0.0; 2] {
            let remedy = "leave out `mass` and `stiffness`, or `ratios` and `frequencies`";
            return wrong("ratios", "the damping is given twice", remedy);
        }
        for (field, name, numbers) in
            [("ratios", "damping ratio", [xi_1, xi_2]), ("frequencies", "frequency", [f_1, f_2])]
        {
            for (i, x) in numbers.into_iter().enumerate() {
                let at = ["bodies", key, "elastic", "damping", field, &i.to_string()];
                number(x, name, &at).not_negative()?;
                if field == "frequencies" {
                    number(x, name, &at).positive()?;
                }
            }
        }
        if f_1 == f_2 {
            let words = format!("both frequencies are {f_1} Hz");
            return wrong("frequencies", &words, "give two that differ, or `stiffness` alone");
        }
        // ξ_2/ξ_1 between ω_1/ω_2 and ω_2/ω_1, with ω_1 the lower
        let [alpha, beta] = self.factors();
        if alpha < 0.0 || beta < 0.0 {
            let (low, high) = if f_1 < f_2 { (xi_1, f_1 / f_2) } else { (xi_2, f_2 / f_1) };
            let (factor, where_) = if alpha < 0.0 { ("`mass`", "slower") } else { ("`stiffness`", "faster") };
            let words = format!(
                "with these ratios the factor {factor} would be negative, and vibrations {where_} than both frequencies would grow"
            );
            let remedy = format!(
                "with {low} at the lower frequency take a ratio between {:.4} and {:.4} at the higher one",
                low * high,
                low / high
            );
            return wrong("ratios", &words, &remedy);
        }
        Ok(())
    }
}
