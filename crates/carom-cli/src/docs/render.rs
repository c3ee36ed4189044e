//! The book as pages for a browser: sidebar, previous and next, search; no network.

use super::book::{Book, Entry, Page, options};
use crate::html::{escape, fill};
use carom_book::PICTURES;
use pulldown_cmark::{CowStr, Event, Parser, Tag, TagEnd, html};
use serde_json::json;
use std::fmt::Write as _;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("book.css");
const SEARCH: &str = include_str!("search.js");

/// A file of the rendered book.
#[derive(Debug)]
pub struct File {
    /// Inside its folder.
    pub path: String,
    /// Bytes.
    pub content: Vec<u8>,
}

/// All files.
pub fn render(book: &Book) -> Vec<File> {
    let file = |path: String, content: &[u8]| File { path, content: content.into() };
    let mut files: Vec<File> = PICTURES.iter().map(|(path, bytes)| file((*path).into(), bytes)).collect();
    for (i, page) in book.pages.iter().enumerate() {
        files.push(file(format!("{}.html", page.name), document(book, i, page).as_bytes()));
    }
    files.push(file("book.css".into(), STYLE.as_bytes()));
    files.push(file("search.js".into(), format!("const BOOK = {};\n{SEARCH}", words(book)).as_bytes()));
    files
}

fn document(book: &Book, i: usize, page: &Page) -> String {
    let root = "../".repeat(page.name.matches('/').count());
    let mut contents = String::new();
    for entry in &book.contents {
        match entry {
            Entry::Part(title) => {
                let _ = writeln!(contents, "<li class=\"part\">{}</li>", escape(title));
            }
            Entry::Page(k) => {
                let other = &book.pages[*k];
                let here = if *k == i { " aria-current=\"page\"" } else { "" };
                let _ = writeln!(
                    contents,
                    "<li><a href=\"{root}{}.html\"{here}>{}</a></li>",
                    other.name,
                    escape(&other.title)
                );
            }
        }
    }
    let turn = |other: Option<&Page>, rel: &str, sign: [&str; 2]| {
        other.map_or("<span></span>".to_string(), |page| {
            let title = escape(&page.title);
            format!("<a rel=\"{rel}\" href=\"{root}{}.html\">{}{title}{}</a>", page.name, sign[0], sign[1])
        })
    };
    let turns = turn(i.checked_sub(1).and_then(|i| book.pages.get(i)), "prev", ["← ", ""])
        + &turn(book.pages.get(i + 1), "next", ["", " →"]);
    fill(
        PAGE,
        &[
            ("title", &escape(&page.title)),
            ("root", &root),
            ("contents", &contents),
            ("body", &body(page)),
            ("turns", &turns),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    )
}

/// The page itself: anchors at headings, links to pages instead of sources, tables that scroll by themselves.
fn body(page: &Page) -> String {
    let mut sections = page.sections.iter();
    let mut id = String::new();
    let events = Parser::new_ext(page.text, options()).flat_map(|event| match event {
        Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
            id = sections.next().expect("every heading is a section").id.clone();
            let id = Some(CowStr::from(id.clone()));
            vec![Event::Start(Tag::Heading { level, id, classes, attrs })]
        }
        Event::End(TagEnd::Heading(level)) => {
            let link = format!(
                " <a class=\"anchor\" href=\"#{0}\" aria-label=\"Link to this section\">#</a>",
                escape(&id)
            );
            vec![Event::InlineHtml(link.into()), Event::End(TagEnd::Heading(level))]
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            vec![Event::Start(Tag::Link { link_type, dest_url: rendered(&dest_url), title, id })]
        }
        Event::Start(Tag::Table(columns)) => {
            vec![Event::Html("<div class=\"scroll\">".into()), Event::Start(Tag::Table(columns))]
        }
        Event::End(TagEnd::Table) => {
            vec![Event::End(TagEnd::Table), Event::Html("</div>\n".into())]
        }
        // what looks like markup in a page is text: the book has none of its own
        Event::Html(text) => vec![Event::Text(text)],
        Event::InlineHtml(text) => vec![Event::Text(text)],
        other => vec![other],
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    body
}

/// Where a link leads in the rendered book.
fn rendered(target: &str) -> CowStr<'static> {
    let (path, section) = target.split_once('#').map_or((target, None), |(path, s)| (path, Some(s)));
    let inside = !target.contains("://") && path.ends_with(".md");
    let path = if inside { format!("{}.html", path.trim_end_matches(".md")) } else { path.to_string() };
    section.map_or(path.clone(), |section| format!("{path}#{section}")).into()
}

/// What the search looks through: page, anchor, title and plain words of every section.
fn words(book: &Book) -> String {
    let mut found = Vec::new();
    for page in &book.pages {
        for (i, section) in page.sections.iter().enumerate() {
            let end = page.sections.get(i + 1).map_or(page.text.len(), |next| next.at.start);
            let text = plain(&page.text[section.at.end..end]);
            let title =
                if i == 0 { page.title.clone() } else { format!("{}: {}", page.title, section.title) };
            found.push(json!([page.name, section.id, title, text]));
        }
    }
    serde_json::to_string(&found).expect("plain data").replace('<', "\\u003c")
}

/// Text without markup, blanks run together.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for event in Parser::new_ext(markdown, options()) {
        match event {
            Event::Text(t) | Event::Code(t) => text.push_str(&t),
            Event::SoftBreak | Event::HardBreak | Event::End(_) => text.push(' '),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
