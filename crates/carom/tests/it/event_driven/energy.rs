//! The balance of energy closes to the accuracy, runs repeat to the last bit, and samples change nothing.

use super::*;

/// Models of the gallery with friction, power, prescribed motions and impacts, and how long they run here.
const MODELS: [(&str, f64); 12] = [
    ("ball", 4.0),
    ("belt", 2.6),
    ("incline", 1.0),
    ("pendulum-stop", 5.0),
    ("oscillator", 5.0),
    ("woodpecker", 0.5),
    ("slider-crank", 0.05),
    ("four-bar", 0.5),
    ("four-bar-clearance", 0.1),
    ("gear-rack", 0.2),
    ("rotor-runup", 0.05),
    ("oblique-disk", 1.0),
];

#[test]
fn balance_closes() {
    let accuracy = 1e-7;
    let mut failed = Vec::new();
    for (name, end) in MODELS {
        for scheme in ["hem5", "hybrid"] {
            let setup = gallery(name, &how(scheme, Some(accuracy), 1e-4, end));
            let clock = std::time::Instant::now();
            let done = setup.run(|_| clock.elapsed().as_secs_f64() < 20.0).unwrap();
            let loss = done.summary.audit.relative_numerical_loss().abs();
            // a step of Moreau–Jean costs what it does: of first order
            let stepped = done.summary.phases.get(1).map_or(0, |p| p.steps) as f64;
            if !(done.reached_end() && loss < 10.0 * accuracy + 1e-5 * stepped) {
                failed.push(format!("{name} {scheme}: {loss:.1e} {:?}", done.summary.stop));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Two runs have the same digest; another interval of samples leaves the last state as it is, to the bit.
#[test]
fn repeats_and_samples() {
    for (name, end) in [("belt", 2.6), ("pendulum-stop", 5.0), ("three-balls", 1.2), ("incline", 1.0)] {
        for scheme in ["hem5", "hybrid", "bdf"] {
            let with = |output: &str| {
                let mut changes = how(scheme, Some(1e-7), 1e-4, end);
                changes.push(("simulation.output", output.into()));
                let setup = gallery(name, &changes);
                // one run: what is repeated for an accuracy depends on what samples show
                setup.run_with(setup.settings(), |_| true).unwrap_or_else(|e| panic!("{e}"))
            };
            if name == "three-balls" && scheme == "bdf" {
                continue;
            }
            let (a, b, c) = (with("0.01"), with("0.01"), with("0.00313"));
            assert_eq!(a.summary.digest, b.summary.digest, "{name} {scheme}");
            for channel in ["energy.kinetic", "energy.potential"] {
                assert_eq!(
                    last(&a, channel).to_bits(),
                    last(&c, channel).to_bits(),
                    "{name} {scheme} {channel}"
                );
            }
            assert_eq!(a.recording.events, c.recording.events, "{name} {scheme}");
        }
    }
}
