//! Every scheme that takes an accuracy on every model of the gallery: how far from a reference it ends, over what was asked.
//!
//! ```text
//! cargo run --release -p carom --example accuracy_survey -- [--scheme NAME]... [--model NAME]... [--accuracy A]... [--first] [--limit S]
//! ```
//!
//! Prints a line per run: error of the positions over the accuracy that was asked for, steps, repeats, seconds, and what the run says
//! of itself; then a line per scheme. `--first`: runs without an estimate, which are not repeated. `--table`: a table for the book.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../tests/it/event_driven/accuracy/measure.rs"]
mod measure;

use measure::{ACCURACIES, CASES, Case, Measured, Reference, SCHEMES, measure, reference};
use std::collections::BTreeMap;
use std::time::Duration;

fn main() {
    let (mut schemes, mut models, mut accuracies) = (Vec::new(), Vec::new(), Vec::new());
    let (mut first, mut table, mut limit) = (false, false, 20.0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
        match argument.as_str() {
            "--scheme" => schemes.push(value()),
            "--model" => models.push(value()),
            "--accuracy" => accuracies.push(value().parse::<f64>().expect("a number")),
            "--limit" => limit = value().parse().expect("seconds"),
            "--first" => first = true,
            "--table" => table = true,
            other => panic!("what is {other}?"),
        }
    }
    let schemes: Vec<&str> =
        if schemes.is_empty() { SCHEMES.to_vec() } else { schemes.iter().map(String::as_str).collect() };
    if accuracies.is_empty() {
        accuracies = ACCURACIES.to_vec();
    }
    let limit = Duration::from_secs_f64(limit);
    let mut all: BTreeMap<(&str, usize), Vec<Measured>> = BTreeMap::new();
    for case in CASES.iter().filter(|c| models.is_empty() || models.iter().any(|m| m == c.name)) {
        let reference = match reference(case, limit) {
            Ok(reference) => reference,
            Err(why) => {
                println!("{:<24} no reference: {why}", case.name);
                continue;
            }
        };
        let Reference { by, agree, seconds, .. } = &reference;
        println!("{:<24} reference {by}, two agree to {agree:.1e}, {seconds:.1} s", case.name);
        for &scheme in &schemes {
            for (k, &accuracy) in accuracies.iter().enumerate() {
                if *agree > 0.3 * accuracy {
                    continue;
                }
                line(&mut all, case, scheme, k, measure(case, scheme, accuracy, !first, &reference, limit));
            }
        }
    }
    summary(&schemes, &accuracies, &all, table);
}

fn line<'a>(
    all: &mut BTreeMap<(&'a str, usize), Vec<Measured>>,
    case: &Case,
    scheme: &'a str,
    k: usize,
    outcome: Result<Measured, String>,
) {
    match outcome {
        Ok(m) => {
            println!(
                "{:<24} {scheme:<22} {:.0e}  {:>9.3}  {:>8} steps {:>2} repeats {:>7.2} s  says {:.1e} {}{}",
                case.name,
                m.asked,
                m.error / m.asked,
                m.steps,
                m.repeats,
                m.seconds,
                m.claimed,
                if m.missed { "missed " } else { "" },
                m.remark
            );
            all.entry((scheme, k)).or_default().push(m);
        }
        Err(why) => println!("{:<24} {scheme:<22} {why}", case.name),
    }
}

/// Per scheme and accuracy: runs, how many within ten times, how many say that they are not, how many are wrong about it.
fn summary(schemes: &[&str], accuracies: &[f64], all: &BTreeMap<(&str, usize), Vec<Measured>>, table: bool) {
    println!();
    for scheme in schemes {
        let mut cells = Vec::new();
        for (k, accuracy) in accuracies.iter().enumerate() {
            let Some(runs) = all.get(&(*scheme, k)) else { continue };
            let met = runs.iter().filter(|m| m.error <= 10.0 * m.asked).count();
            let said = runs.iter().filter(|m| m.error > 10.0 * m.asked && m.missed).count();
            let silent = runs.len() - met - said;
            let mut ratios: Vec<f64> = runs.iter().map(|m| m.error / m.asked).collect();
            ratios.sort_by(f64::total_cmp);
            let (median, most) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
            cells.push(if table {
                format!("{met} + {said} + {silent} of {}, {median:.2}, {most:.1}", runs.len())
            } else {
                format!(
                    "{accuracy:.0e}: {met} met {said} said {silent} SILENT, median {median:.2} most {most:.1e}"
                )
            });
        }
        match table {
            true => println!("| {scheme} | {} |", cells.join(" | ")),
            false => println!("{scheme:<22} {}", cells.join("   ")),
        }
    }
}
