//! The forms of the equations give one motion, each kept on its joints as it does by itself.

use super::{gallery, how, last, run};

#[test]
fn every_form_and_every_set_of_coordinates() {
    // from the turning of nothing but the crank to the first half second; in it the independent coordinates change
    for (scheme, forms) in [
        ("dopri5", &["index-1", "null-space", "pseudo-inverse", "partitioned"][..]),
        ("radau5", &["index-1", "index-2", "index-3"]),
        ("alpha-dae", &["index-2", "index-3"]),
    ] {
        let step = if scheme == "alpha-dae" { 1e-4 } else { 5e-4 };
        // order 2 leaves the square of the step; the rest is of order 5, 3 in the velocities of index 3
        let bound = if scheme == "alpha-dae" { 1e-5 } else { 1e-7 };
        let ends: Vec<[f64; 2]> = forms
            .iter()
            .map(|form| {
                let mut changes = how(scheme, None, step, 0.5);
                changes.push(("simulation.formulation", format!("\"{form}\"")));
                let done = run(&gallery("four-bar", &changes));
                let (loss, drift) =
                    (done.summary.audit.relative_numerical_loss(), done.summary.audit.drift_length.value);
                assert!(loss.abs() < bound, "{scheme} {form}: {loss:e}");
                assert!(drift < 1e-9, "{scheme} {form}: {drift:e} m");
                [last(&done, "crank.angle"), last(&done, "rocker.angle")]
            })
            .collect();
        for (form, end) in forms.iter().zip(&ends) {
            for (a, b) in end.iter().zip(&ends[0]) {
                assert!((a - b).abs() < bound, "{scheme} {form}: {a} instead of {b}");
            }
        }
    }
    // the same in joint and natural coordinates, to the accuracy
    let ends: Vec<f64> = ["absolute", "relative", "natural"]
        .iter()
        .map(|coordinates| {
            let mut changes = how("phem56", Some(1e-10), 1e-3, 0.5);
            changes.push(("simulation.coordinates", format!("\"{coordinates}\"")));
            last(&run(&gallery("four-bar", &changes)), "crank.angle")
        })
        .collect();
    for end in &ends {
        assert!((end - ends[0]).abs() < 1e-7, "{ends:?}");
    }
}
