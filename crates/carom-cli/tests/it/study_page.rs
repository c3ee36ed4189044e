//! A study as a page: it says what the text and the data say, and needs nothing from elsewhere.

use crate::common::{carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;

fn unescape(text: &str) -> String {
    ["&lt;<", "&gt;>", "&quot;\"", "&#39;'", "&amp;&"].iter().fold(text.to_string(), |text, pair| {
        let (entity, sign) = pair.split_once(';').unwrap();
        text.replace(&format!("{entity};"), sign)
    })
}

/// The CSV files behind the links, as lines of cells.
fn tables(page: &str) -> Vec<Vec<Vec<String>>> {
    let links = page.split("data:text/csv;charset=utf-8,").skip(1);
    links
        .map(|rest| {
            let encoded = rest.split('"').next().unwrap();
            let mut bytes = Vec::new();
            let mut rest = encoded.as_bytes();
            while let Some((&first, after)) = rest.split_first() {
                let hex = first == b'%';
                bytes.push(if hex {
                    u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap()
                } else {
                    first
                });
                rest = if hex { &after[2..] } else { after };
            }
            let text = String::from_utf8(bytes).unwrap();
            let mut lines = text.lines();
            let head = lines.next().unwrap().trim_matches('"').split("\",\"").map(String::from).collect();
            std::iter::once(head).chain(lines.map(|l| l.split(',').map(String::from).collect())).collect()
        })
        .collect()
}

#[test]
fn a_page_says_what_the_data_say() {
    let here = folder("study_page");
    let output = carom(&here, &["study", "rezaei-tables", "--html"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert!(said(&output).starts_with("rezaei-tables.html: "), "{}", said(&output));
    let page = fs::read_to_string(here.join("rezaei-tables.html")).unwrap();
    let data: Value =
        serde_json::from_str(&said(&carom(&here, &["study", "rezaei-tables", "--json"]))).unwrap();

    // nothing from elsewhere, nothing to run
    assert!(!page.contains("<script") && !page.contains("{{"));
    assert_eq!(page.replace("http://www.w3.org/2000/svg", "").matches("http").count(), 0);

    // rows: everything but the times, which differ from run to run
    let text = unescape(&page);
    let rows = data["report"]["rows"].as_array().unwrap();
    assert_eq!(page.matches("<tr class=").count(), rows.len());
    for row in rows {
        assert!(text.contains(row["what"].as_str().unwrap()), "{row}");
        assert!(text.contains(row["published"].as_str().unwrap()), "{row}");
    }
    for word in ["✓ agrees", "✗ differs", "· ours"] {
        assert!(page.contains(word), "{word}");
    }

    // the figure: ours and the printed values, and the slopes
    let series = &data["report"]["series"][0];
    assert_eq!(
        series["panels"][0]["figure"].as_str().unwrap().split(':').next(),
        Some("[RezaeiSchindler] Table 4")
    );
    assert!(page.contains("Large marks: what the source printed."));
    assert!(page.contains(">order 1</text>") && page.contains("Fitted slopes"));
    let [table] = tables(&page).try_into().unwrap();
    for column in series["columns"].as_array().unwrap() {
        let at = table[0].iter().position(|name| *name == column["name"]).unwrap();
        for (row, value) in table[1..].iter().zip(column["values"].as_array().unwrap()) {
            let (ours, theirs): (f64, f64) = (row[at].parse().unwrap(), value.as_f64().unwrap());
            assert!((ours / theirs - 1.0).abs() < 1e-8, "{ours} {theirs}");
        }
    }
}

#[test]
fn same_study_same_bytes() {
    let here = folder("study_page_bytes");
    for file in ["a.html", "sub/b.html"] {
        let output = carom(&here, &["study", "chen-ball", "--html", "--out", file]);
        assert_eq!(code(&output), 0, "{}", complaint(&output));
    }
    let [a, b] = ["a.html", "sub/b.html"].map(|file| fs::read(here.join(file)).unwrap());
    assert!(a == b && a.len() > 10_000);
}

#[test]
fn a_page_that_cannot_be_written_is_said() {
    let here = folder("study_page_bad");
    fs::write(here.join("file"), "").unwrap();
    let output = carom(&here, &["study", "chen-ball", "--html", "--out", "file/page.html"]);
    assert_eq!(code(&output), 1);
    assert!(complaint(&output).contains("file"), "{}", complaint(&output));
    for wrong in [&["study", "chen-ball", "--out", "x.html"][..], &["study", "chen-ball", "--html", "--json"]]
    {
        assert_eq!(code(&carom(&here, wrong)), 2, "{wrong:?}");
    }
}
