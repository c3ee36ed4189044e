//! The table of solvers in the book goes together with itself.

use crate::pages::{page, plain};
use carom::SOLVERS;

/// Every solver has a row in the measured table of its page. A run of the study takes an hour, so the numbers are those of the run that the
/// page names; what they say must go together: shares are counts of the problems in the head, and what fails at 1e-8 is what is not
/// solved there.
#[test]
fn solvers_are_measured() {
    let page = page("theory/solvers.md");
    let text = page.prose();
    let problems = text.split("failures at 1e-8, of ").nth(1).and_then(|rest| rest.split(' ').next());
    let problems: f64 = problems.and_then(|n| n.parse().ok()).expect("the head says of how many problems");
    assert!(text.contains("numbers of this section are those of one run"), "the run is named");
    let rows = page.rows();
    for entry in SOLVERS {
        let row = rows.iter().find(|r| r.len() == 6 && plain(&r[0]).as_deref() == Some(entry.name));
        let row = row.unwrap_or_else(|| panic!("{} is not in the table of theory/solvers.md", entry.name));
        let solved = [1, 2, 3].map(|k| {
            let share = row[k].strip_suffix(" %").and_then(|share| share.parse::<f64>().ok());
            let count = 1e-2 * share.unwrap_or_else(|| panic!("{row:?}")) * problems;
            // a digit behind the point of a percentage
            assert!((count - count.round()).abs() <= 5.1e-4 * problems, "{row:?}: {count} problems");
            count.round()
        });
        // "stalled 21, iteration limit 2"
        let failed: f64 = row[5].split([' ', ',']).filter_map(|word| word.parse::<f64>().ok()).sum();
        assert_eq!(solved[1] + failed, problems, "{row:?}");
    }
}
