//! `carom spectrum`: how schemes damp and delay oscillations, as table, CSV, JSON and figure.

#![allow(non_snake_case)]

use crate::args::{self, parameter};
use crate::failure::{self, Failure};
use crate::figure::{ChartFormat, input};
use crate::table::{say, say_json, short, table};
use carom::chart::{Axis, Chart, Curve, Panel};
use carom::{Scheme, Spectrum, Stability};
use serde_json::{Value, json};

/// Lines of the table, about.
const ROWS: usize = 12;
/// Departure from linearity above which the spectrum is only a linearisation at rest.
const LINEAR: f64 = 1e-8;
/// Below this, damping and period error are round-off and not drawn.
const ROUND_OFF: f64 = 1e-11;
/// Decades of a logarithmic axis, at most.
const DECADES: f64 = 1e8;
/// Pixels of an image per pixel of the chart.
const DENSITY: f64 = 2.0;

/// A scheme and what came out.
#[derive(Debug)]
pub struct Answer {
    name: String,
    spectrum: Spectrum,
}

/// Analyses the schemes.
pub fn spectrum(args: &args::Spectrum) -> Result<(), Failure> {
    if args.from >= args.to {
        return Err(input(
            format!("the steps from {} to {} are none", args.from, args.to),
            "a larger `--to`",
        ));
    }
    let formats: Vec<_> = args.out.iter().map(|file| ChartFormat::of(file)).collect::<Result<_, _>>()?;
    let last = f64::from(args.points - 1);
    let at = |k: u16| args.from * (args.to / args.from).powf(f64::from(k) / last);
    let steps: Vec<f64> = (0..args.points).map(at).collect();
    let answers = of_schemes(&args.scheme, &args.set, args.damping, &steps)?;
    for (file, format) in args.out.iter().zip(formats) {
        let content = match format {
            ChartFormat::Csv => csv(&answers).into_bytes(),
            ChartFormat::Svg => chart(&answers, args.damping).svg().into_bytes(),
            ChartFormat::Png => chart(&answers, args.damping).png(DENSITY),
        };
        carom::write_bytes(file, &content).map_err(|e| failure::wrong(e).run())?;
    }
    if args.json {
        return say_json(&data(&answers, args.damping));
    }
    let written: String = args.out.iter().map(|file| format!("{}\n", file.display())).collect();
    say(&(text(&answers) + &written))
}

/// The spectra of schemes, each with its own parameters and with those of `set` that it has, over steps in periods.
pub fn of_schemes(
    schemes: &[String],
    set: &[(String, f64)],
    damping: f64,
    steps: &[f64],
) -> Result<Vec<Answer>, Failure> {
    let mut answers = Vec::new();
    for scheme in chosen(schemes, set)? {
        let spectrum = carom::spectrum(&*scheme, damping, steps).map_err(|wrong| match wrong {
            carom::SpectrumError::Input { .. } | carom::SpectrumError::Memory { .. } => {
                input(wrong.to_string(), "carom spectrum --help")
            }
            carom::SpectrumError::Step { .. } => {
                failure::wrong(format_args!("{}: {wrong}", scheme.describe())).run()
            }
        })?;
        answers.push(Answer { name: tidy(&scheme.describe()), spectrum });
    }
    Ok(answers)
}

/// The schemes with their own parameters, then those of `--set`.
fn chosen(schemes: &[String], set: &[(String, f64)]) -> Result<Vec<Box<dyn Scheme>>, Failure> {
    let has = |scheme: &str, key: &str| {
        carom::find_scheme(scheme).is_some_and(|s| s.parameters.iter().any(|p| p.name == key))
    };
    let mut found = Vec::new();
    for written in schemes {
        let (name, own) = written.split_once(':').unwrap_or((written, ""));
        let mut parameters = Vec::new();
        for piece in own.split(',').filter(|piece| !piece.is_empty()) {
            parameters.push(parameter(piece).map_err(|wrong| input(wrong, "SCHEME:KEY=VALUE,KEY=VALUE"))?);
        }
        // one scheme: what it does not have is an error; several: each takes what it has
        let nobody = |key: &str| !schemes.iter().any(|s| has(s.split(':').next().unwrap_or_default(), key));
        for (key, value) in set {
            if (has(name, key) || nobody(key)) && !parameters.iter().any(|(own, _)| own == key) {
                parameters.push((key.clone(), *value));
            }
        }
        let parameters: Vec<(&str, f64)> = parameters.iter().map(|(k, v)| (k.as_str(), *v)).collect();
        let made = carom::scheme(name, &parameters);
        found.push(made.map_err(|wrong| input(wrong.to_string(), "carom list schemes"))?);
    }
    Ok(found)
}

fn text(answers: &[Answer]) -> String {
    let mut text = String::new();
    for Answer { name, spectrum } in answers {
        text.push_str(&format!("{name}: {}", spectrum.stability));
        if spectrum.radius_at_infinity.is_finite() {
            text.push_str(&format!("; spectral radius at infinity {}", near(spectrum.radius_at_infinity)));
        }
        text.push_str(".\n");
        if let Some(Omega) = spectrum.oscillates_up_to {
            text.push_str(&format!("From ω dt = {} on it does not oscillate any more.\n", short(Omega)));
        }
        if spectrum.nonlinearity > LINEAR {
            text.push_str(&format!(
                "The step is not linear (by {:.1e}): this is its linearisation at rest.\n",
                spectrum.nonlinearity
            ));
        }
        let head = ["dt/T", "spectral radius", "damping ratio", "period error"];
        let mut rows = vec![head.map(String::from).to_vec()];
        let every = (spectrum.points.len() - 1).div_ceil(ROWS).max(1);
        for point in spectrum.points.iter().step_by(every) {
            let or_none = |x: Option<f64>| x.map_or("-".into(), |x| short(clean(x)));
            rows.push(vec![
                short(point.step),
                format!("{:.6}", point.radius),
                or_none(point.damping),
                or_none(point.period_error),
            ]);
        }
        text.push_str(&table(&rows, 24));
        text.push('\n');
    }
    text
}

/// The name with numbers that people can read: 0.1667 for a sixth.
fn tidy(name: &str) -> String {
    let part = |c: char| c.is_ascii_digit() || c == '.';
    let mut tidy = String::new();
    let mut rest = name;
    while let Some(at) = rest.find(part) {
        let end = rest[at..].find(|c| !part(c)).map_or(rest.len(), |n| at + n);
        let number = &rest[at..end];
        tidy.push_str(&rest[..at]);
        match number.parse::<f64>() {
            Ok(x) if number.len() > 6 => tidy.push_str(&short(x)),
            _ => tidy.push_str(number),
        }
        rest = &rest[end..];
    }
    tidy + rest
}

/// Round-off as zero.
fn clean(x: f64) -> f64 {
    if x.abs() < ROUND_OFF { 0.0 } else { x }
}

/// A limit is known to three digits.
fn near(x: f64) -> String {
    short((x * 1e3).round() / 1e3)
}

fn csv(answers: &[Answer]) -> String {
    let mut csv = String::from("scheme,dt/T,spectral_radius,damping_ratio,period_error\n");
    for Answer { name, spectrum } in answers {
        for point in &spectrum.points {
            let or_empty = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:?}"));
            csv.push_str(&format!(
                "\"{}\",{:?},{:?},{},{}\n",
                name.replace('"', "\"\""),
                point.step,
                point.radius,
                or_empty(point.damping),
                or_empty(point.period_error)
            ));
        }
    }
    csv
}

/// For programs.
pub fn data(answers: &[Answer], damping: f64) -> Value {
    let scheme = |Answer { name, spectrum }: &Answer| {
        let points: Vec<Value> = spectrum
            .points
            .iter()
            .map(|p| {
                let eigenvalues: Vec<[f64; 2]> = p.eigenvalues.iter().map(|z| [z.re, z.im]).collect();
                json!({
                    "step": p.step, "radius": p.radius, "damping": p.damping,
                    "period_error": p.period_error, "eigenvalues": eigenvalues,
                })
            })
            .collect();
        let (stability, limit) = match spectrum.stability {
            Stability::Always => ("always", None),
            Stability::UpTo(Omega) => ("up-to", Some(Omega)),
            Stability::Never => ("never", None),
        };
        json!({
            "name": name,
            "stability": stability,
            "stable_up_to": limit,
            "radius_at_infinity": spectrum.radius_at_infinity,
            "oscillates_up_to": spectrum.oscillates_up_to,
            "nonlinearity": spectrum.nonlinearity,
            "points": points,
        })
    };
    json!({ "damping": damping, "schemes": answers.iter().map(scheme).collect::<Vec<_>>() })
}

/// Three panels over dt/T.
fn chart(answers: &[Answer], damping: f64) -> Chart {
    let x = || Axis::logarithmic("Δt/T");
    let curves = |y: &dyn Fn(&carom::SpectrumPoint) -> f64| -> Vec<Curve> {
        let curve = |a: &Answer| Curve::new(&a.name, a.spectrum.points.iter().map(|p| [p.step, y(p)]));
        answers.iter().map(curve).collect()
    };
    let or_gap = |x: Option<f64>| x.map(f64::abs).filter(|x| *x > ROUND_OFF).unwrap_or(f64::NAN);
    let panel = |title: &str, y: Axis, curves| Panel { title: title.into(), x: x(), y, curves };
    let dampings = curves(&|p| or_gap(p.damping));
    let errors = curves(&|p| or_gap(p.period_error));
    let mut chart = Chart::new(vec![
        panel("spectral radius", Axis::linear("ρ").between(0.0, 1.2), curves(&|p| p.radius)),
        panel("numerical damping", decades("damping ratio |ξ|", &dampings), dampings),
        panel("relative period error", decades("|ΔT/T|", &errors), errors),
    ]);
    if damping > 0.0 {
        chart.title = format!("oscillator with damping ratio {}", short(damping));
    }
    chart
}

/// A logarithmic axis of whole decades around the curves.
fn decades(label: &str, curves: &[Curve]) -> Axis {
    let values = || curves.iter().flat_map(|c| &c.points).map(|p| p[1]).filter(|y| y.is_finite());
    let whole = |x: f64, round: fn(f64) -> f64| 10f64.powi(round(x.log10()) as i32);
    let high = whole(values().fold(1e-2, f64::max), f64::ceil).min(10.0);
    let low = whole(values().fold(high / 10.0, f64::min), f64::floor).max(high / DECADES);
    Axis::logarithmic(label).between(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        assert_eq!(
            tidy("ed-alpha (rho = 0, alpha_ar = 0.16666666666666666)"),
            "ed-alpha (rho = 0, alpha_ar = 0.1667)"
        );
        assert_eq!(tidy("half-explicit-3"), "half-explicit-3");
    }
}
