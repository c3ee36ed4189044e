//! Every problem of the table of known solutions, by every solver that treats it.
#![allow(non_snake_case, missing_docs)]

mod common;

use carom_solve::{SOLVERS, SolveStatus, residual};
use common::{distance, planar, spatial, table, velocity};

#[test]
fn friction_reactions_and_velocities() {
    let table = table();
    let planar = table.friction2d.iter().map(|case| (case, case.problem(planar)));
    let spatial = table.friction3d.iter().map(|case| (case, case.problem(spatial)));
    let mut checked = 0;
    for (case, problem) in planar.chain(spatial) {
        // The published answer itself, rounded to doubles, measures as correct.
        let measured = residual(&problem.as_problem(), &case.r);
        assert!(measured < 1e-15 * 10.0, "{}: the table's answer has residual {measured:e}", case.name);
        for entry in SOLVERS {
            let mut P = vec![0.0; case.r.len()];
            let report = (entry.make)().solve(&problem.as_problem(), &mut P);
            if report.status == SolveStatus::Unsupported {
                continue;
            }
            checked += 1;
            let what = format!("{} by {}: {report:?}", case.name, entry.name);
            assert_eq!(report.status, SolveStatus::Converged, "{what}");
            // Tolerance 1e-12 of the solver times the condition of these blocks (below 30).
            assert!(distance(&P, &case.r) < 3e-11, "{what}: P = {P:?}, not {:?}", case.r);
            assert!(distance(&velocity(&problem, &P), &case.u) < 3e-11, "{what}");
        }
    }
    assert!(checked > 20);
}
