//! The plain numbers of flexible bodies.

use super::{Check, number};
use crate::description::{Bar, Beam, Damping, Elastic, ExactBeam, Solid};
use crate::error::{ModelError, Problem};

/// The numbers of the flexible body `key`.
pub(super) fn check(key: &str, elastic: &Elastic) -> Check {
    match elastic {
        Elastic::Bar(bar) => self::bar(key, bar),
        Elastic::Beam(beam) => self::beam(key, beam),
        Elastic::ExactBeam(beam) => exact_beam(key, beam),
        Elastic::Solid(solid) => self::solid(key, solid),
    }
}

/// Positive numbers at `bodies.<key>.elastic.<field>`: (field, name in messages, value).
fn positive(key: &str, numbers: &[(&str, &'static str, f64)]) -> Check {
    numbers.iter().try_for_each(|&(field, quantity, value)| {
        number(value, quantity, &["bodies", key, "elastic", field]).positive()
    })
}

fn elements(key: &str, count: usize) -> Check {
    if count == 0 {
        return Err(ModelError::new(&["bodies", key, "elastic", "elements"], Problem::NoElements));
    }
    Ok(())
}

fn damping(key: &str, damping: &Damping) -> Check {
    let at = |field| ["bodies", key, "elastic", "damping", field];
    number(damping.mass, "damping by mass", &at("mass")).not_negative()?;
    number(damping.stiffness, "damping by stiffness", &at("stiffness")).not_negative()?;
    let wrong = |field, words: &str, remedy: &str| {
        Err(ModelError::new(&at(field), Problem::Elastic(carom_elastic::ElasticError::other(words, remedy))))
    };
    let ([xi_1, xi_2], [f_1, f_2]) = match (damping.ratios, damping.frequencies) {
        (None, None) => return Ok(()),
        (Some(ratios), Some(frequencies)) => (ratios, frequencies),
        (Some(_), None) => {
            return wrong("ratios", "two damping ratios need two frequencies", "give `frequencies` (Hz) too");
        }
        (None, Some(_)) => {
            return wrong("frequencies", "two frequencies need two damping ratios", "give `ratios` too");
        }
    };
    if [damping.mass, damping.stiffness] != [0.0; 2] {
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
    let [alpha, beta] = damping.factors();
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

fn bar(key: &str, bar: &Bar) -> Check {
    positive(
        key,
        &[
            ("length", "length", bar.length),
            ("young", "Young's modulus", bar.young),
            ("area", "area", bar.area),
            ("density", "density", bar.density),
        ],
    )?;
    elements(key, bar.elements)?;
    damping(key, &bar.damping)
}

fn exact_beam(key: &str, beam: &ExactBeam) -> Check {
    positive(
        key,
        &[
            ("length", "length", beam.length),
            ("young", "Young's modulus", beam.young),
            ("area", "area", beam.area),
            ("second_moment", "second moment of area", beam.second_moment),
            ("shear_area", "shear area", beam.shear_area.unwrap_or(beam.area)),
            ("density", "density", beam.density),
        ],
    )?;
    elements(key, beam.elements)?;
    damping(key, &beam.damping)
}

fn beam(key: &str, beam: &Beam) -> Check {
    positive(
        key,
        &[
            ("length", "length", beam.length),
            ("young", "Young's modulus", beam.young),
            ("area", "area", beam.area),
            ("second_moment", "second moment of area", beam.second_moment),
            ("height", "height", beam.height.unwrap_or(1.0)),
            ("density", "density", beam.density),
        ],
    )?;
    elements(key, beam.elements)?;
    damping(key, &beam.damping)?;
    ratios(key, &beam.damping_ratios)
}

/// Shape and mesh are checked where they are built.
fn solid(key: &str, solid: &Solid) -> Check {
    positive(
        key,
        &[
            ("thickness", "thickness", solid.thickness),
            ("young", "Young's modulus", solid.young),
            ("density", "density", solid.density),
        ],
    )?;
    damping(key, &solid.damping)?;
    ratios(key, &solid.damping_ratios)
}

fn ratios(key: &str, ratios: &[f64]) -> Check {
    ratios.iter().enumerate().try_for_each(|(i, &ratio)| {
        let at = ["bodies", key, "elastic", "damping_ratios", &i.to_string()];
        number(ratio, "damping ratio", &at).not_negative()
    })
}
