//! Studies that are quick: the numbers behind their curves and what their tables say.
//!
//! Left out, because they take more than two seconds with tests' optimisation: chen-bar, chen-beam, chen-flex, chen-oscillator,
//! contact-formulations, ebrahimi, four-bar-drift, friction-profiles, haddouni-balls, haddouni-beam, haddouni-clearance,
//! haddouni-four-bar, haddouni-simeon, haddouni-slider-crank, haddouni-surfaces, heaps, mechanisms, restitution, rezaei-ffr,
//! rezaei-modal, rezaei-orders, rezaei-tables, rezaei-unilateral, schindler-bar, schindler-crank, spectra, stiction, verdicts,
//! work-precision. Some of these also have measured times among their numbers.

use crate::digest::Digest;
use crate::ledger::compare;
use carom_studies::STUDIES;

/// Studies without measured times.
const QUICK: &[&str] =
    &["chen-ball", "chen-crank-slider", "chen-pendulum", "rezaei-stiff", "schindler-box", "haddouni-hem5"];

pub fn quick() {
    for name in QUICK {
        let study = STUDIES.iter().find(|study| study.name == *name).expect("a study of this name");
        let report = (study.run)(&mut |_| ());
        let mut digest = Digest::new();
        for column in report.series.iter().flat_map(|series| &series.columns) {
            digest.numbers(&column.values);
        }
        for row in &report.rows {
            digest.text(&row.ours);
        }
        compare("study", name, &[("-".to_string(), digest.word())]);
    }
}
