//! The page in front of all studies.

use super::counts::Counts;
use super::page::document;
use crate::html::{escape, fill};
use carom_studies::Study;

const INDEX: &str = include_str!("index.html");

/// Links to the pages of studies, with their verdicts counted.
pub fn index(studies: &[(&Study, Counts)]) -> String {
    let row = |(study, counts): &(&Study, Counts)| {
        format!(
            "<tr><th scope=\"row\"><a href=\"{0}.html\">{0}</a></th><td data-head=\"title\">{1}</td><td data-head=\"source\">{2}</td>\
             <td data-head=\"agree\" class=\"agrees number\">✓ {3}</td><td data-head=\"differ\" class=\"differs number\">✗ {4}</td>\
             <td data-head=\"ours alone\" class=\"ours number\">· {5}</td></tr>\n",
            study.name,
            escape(study.title),
            escape(study.source),
            counts.agree,
            counts.differ,
            counts.ours
        )
    };
    let all = studies.iter().fold(Counts::default(), |all, (_, counts)| all.and(*counts));
    let body = fill(
        INDEX,
        &[
            ("counts", &all.badges()),
            ("rows", &studies.iter().map(row).collect::<String>()),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    );
    document("Carom: published results, recomputed", &body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_studies::STUDIES;

    #[test]
    fn the_front_page_counts_all_and_links_to_each() {
        let some = Counts { agree: 3, differ: 1, ours: 2 };
        let studies: Vec<_> = STUDIES.iter().map(|study| (study, some)).collect();
        let page = index(&studies);
        for study in STUDIES {
            assert!(page.contains(&format!("<a href=\"{0}.html\">{0}</a>", study.name)));
            assert!(page.contains(&escape(study.source)));
        }
        let n = STUDIES.len();
        for words in [format!("✓ {} agree", 3 * n), format!("✗ {n} differ"), format!("· {} without", 2 * n)]
        {
            assert!(page.contains(&words), "{words}");
        }
    }
}
