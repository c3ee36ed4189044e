//! A study as one page: what is compared, the figures drawn from our run, the table, how to repeat it.

use super::counts::Counts;
use super::figures::{Figure, gather};
use crate::html::{escape, fill, percent};
use carom_studies::{Row, Study, StudyReport, Verdict};
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The page of a study.
pub fn page(study: &Study, report: &StudyReport) -> String {
    let mut figures = String::new();
    for (i, figure) in gather(&report.series).iter().enumerate() {
        figures.push_str(&drawn(study, i + 1, figure));
    }
    let notes: String = report.notes.iter().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
    let body = fill(
        PAGE,
        &[
            ("title", &escape(study.title)),
            ("source", &escape(study.source)),
            ("counts", &Counts::of(report).badges()),
            ("figures", &figures),
            ("rows", &report.rows.iter().map(row).collect::<String>()),
            ("notes", &if notes.is_empty() { notes } else { format!("<h2>Notes</h2>\n<ul>\n{notes}</ul>") }),
            ("command", &format!("carom study {} --html", study.name)),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    );
    document(&format!("{}: {}", study.name, study.title), &body)
}

/// A whole document around a body.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

fn drawn(study: &Study, number: usize, figure: &Figure) -> String {
    let caption = escape(figure.caption);
    let mut html = format!("<figure id=\"figure-{number}\">\n<figcaption><h2>{caption}</h2></figcaption>\n");
    let _ = write!(
        html,
        "<div class=\"wide\" role=\"img\" aria-label=\"{caption}\">\n{}</div>\n<div class=\"narrow\" role=\"img\" aria-label=\"{caption}\">\n{}</div>\n",
        figure.wide(),
        figure.narrow()
    );
    html.push_str("<div class=\"under\">");
    if figure.has_published() {
        html.push_str("<span>Large marks: what the source printed.</span> ");
    }
    let _ = writeln!(
        html,
        "<a download=\"{}-figure-{number}.csv\" href=\"data:text/csv;charset=utf-8,{}\">Data as CSV</a></div>",
        study.name,
        percent(&figure.csv())
    );
    if let Some(slopes) = figure.slopes() {
        html.push_str("<details open><summary>Fitted slopes, with their standard errors</summary>\n<div class=\"scroll\"><table class=\"slopes\">\n");
        for (i, row) in slopes.iter().enumerate() {
            let cell = if i == 0 { "th" } else { "td" };
            html.push_str("<tr>");
            for text in row {
                let _ = write!(html, "<{cell}>{}</{cell}>", escape(text));
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</table></div></details>\n");
    }
    html.push_str("</figure>\n");
    html
}

fn row(row: &Row) -> String {
    let (class, verdict) = match &row.verdict {
        Verdict::Agrees => ("agrees", "<b>✓ agrees</b>".to_string()),
        Verdict::Differs(why) => ("differs", format!("<b>✗ differs</b>: {}", escape(why))),
        Verdict::Ours => ("ours", "<b>· ours</b>".to_string()),
    };
    let published = if row.published.is_empty() { "–".to_string() } else { escape(&row.published) };
    format!(
        "<tr class=\"{class}\"><th scope=\"row\">{}</th><td data-head=\"published\">{published}</td>\
         <td data-head=\"ours\">{}</td><td data-head=\"verdict\" class=\"verdict\"><span>{verdict}</span></td></tr>\n",
        escape(&row.what),
        escape(&row.ours)
    )
}
