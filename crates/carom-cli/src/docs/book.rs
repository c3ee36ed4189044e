//! The book: its pages in the order of its summary, their sections, and how they are found by name.
//!
//! A section is named as mdBook names it: lower case, blanks as dashes, letters and digits of any script kept, everything
//! else dropped; a name that is taken gets `-1`, `-2`, ...

use crate::failure::{self, Failure};
use carom::suggest;
use carom_book::PAGES;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::ops::Range;

/// The book.
#[derive(Debug)]
pub struct Book {
    /// In the order of the summary.
    pub pages: Vec<Page>,
    /// The summary: headings of parts, and pages by number.
    pub contents: Vec<Entry>,
}

/// A line of the summary.
#[derive(Debug)]
pub enum Entry {
    /// Begins a part.
    Part(String),
    /// A page.
    Page(usize),
}

/// A page.
#[derive(Debug)]
pub struct Page {
    /// Path without `.md`, such as `theory/audit`.
    pub name: String,
    /// As the summary calls it.
    pub title: String,
    /// Markdown.
    pub text: &'static str,
    /// Headings, the first of which is that of the page.
    pub sections: Vec<Section>,
}

/// A heading.
#[derive(Debug)]
pub struct Section {
    /// Anchor.
    pub id: String,
    /// Without markup.
    pub title: String,
    /// 1 for the page itself.
    pub level: usize,
    /// Where the heading stands in the text.
    pub at: Range<usize>,
}

/// What mdBook understands, as far as the book uses it.
pub fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
}

impl Book {
    /// Read from the binary itself.
    pub fn new() -> Self {
        let text = |path: &str| PAGES.iter().find(|(name, _)| *name == path).map(|(_, text)| *text);
        let mut book = Self { pages: Vec::new(), contents: Vec::new() };
        for line in text("SUMMARY.md").expect("the book has a summary").lines().skip(1) {
            if let Some(part) = line.strip_prefix("# ") {
                book.contents.push(Entry::Part(part.trim().into()));
            }
            let Some((title, path)) = link(line) else { continue };
            let Some((text, name)) = text(path).zip(path.strip_suffix(".md")) else { continue };
            book.contents.push(Entry::Page(book.pages.len()));
            let sections = sections(text);
            book.pages.push(Page { name: name.into(), title: title.into(), text, sections });
        }
        book
    }

    /// The page to begin with.
    pub fn first(&self) -> &Page {
        self.pages.first().expect("the book has a page")
    }

    /// A page by its path, or by the last part of it if no other page has the same, and a section after `#`.
    pub fn find(&self, words: &str) -> Result<(&Page, Option<String>), Failure> {
        let (name, section) = words.split_once('#').map_or((words, None), |(page, s)| (page, Some(s)));
        let name = name.trim_end_matches(".md").trim_end_matches(".html").trim_matches('/');
        let page = self.page(name)?;
        let Some(id) = section.filter(|id| !id.is_empty()) else { return Ok((page, None)) };
        if page.sections.iter().any(|s| s.id == id) {
            return Ok((page, Some(id.into())));
        }
        let ids = page.sections.iter().map(|s| s.id.as_str());
        let all: Vec<String> = page.sections.iter().map(|s| format!("#{}", s.id)).collect();
        let near = suggest::nearest(id, ids).map(|id| format!("#{id}"));
        Err(failure::wrong(format_args!("the page `{}` has no section `#{id}`", page.name))
            .did_you_mean(near)
            .help(format_args!("its sections: {}", all.join(", ")))
            .input())
    }

    fn page(&self, name: &str) -> Result<&Page, Failure> {
        if name.is_empty() {
            return Ok(self.first());
        }
        let last = |page: &&Page| page.name.rsplit('/').next() == Some(name);
        if let Some(page) = self.pages.iter().find(|page| page.name == name) {
            return Ok(page);
        }
        let named: Vec<&Page> = self.pages.iter().filter(last).collect();
        let names = |pages: &[&Page]| pages.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        match named.as_slice() {
            [page] => Ok(page),
            [] => {
                let known = self
                    .pages
                    .iter()
                    .flat_map(|p| [p.name.as_str(), p.name.rsplit('/').next().unwrap_or("")]);
                let all: Vec<&Page> = self.pages.iter().collect();
                Err(failure::wrong(format_args!("the book has no page `{name}`"))
                    .did_you_mean(suggest::nearest(name, known))
                    .help(format_args!("its pages: {}", names(&all)))
                    .help("`carom docs --list` lists their sections as well")
                    .input())
            }
            several => Err(failure::wrong(format_args!("several pages are called `{name}`"))
                .help(format_args!("say which: {}", names(several)))
                .input()),
        }
    }

    /// The Markdown of a page, or of one section: up to the next heading that is not below it.
    pub fn source<'a>(&self, page: &'a Page, section: Option<&str>) -> &'a str {
        let Some(i) = section.and_then(|id| page.sections.iter().position(|s| s.id == id)) else {
            return page.text;
        };
        let this = &page.sections[i];
        let next = page.sections[i + 1..].iter().find(|s| s.level <= this.level);
        &page.text[this.at.start..next.map_or(page.text.len(), |s| s.at.start)]
    }
}

/// Text and target of the link of a line of the summary.
fn link(line: &str) -> Option<(&str, &str)> {
    let (title, path) = line.trim_start().trim_start_matches("- ").strip_prefix('[')?.split_once("](")?;
    Some((title, path.split_once(')')?.0))
}

/// The headings of a page.
fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut used = BTreeSet::new();
    let mut open: Option<(Option<String>, String)> = None;
    for (event, at) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { id, .. }) => {
                open = Some((id.map(|id| id.to_string()), String::new()));
            }
            Event::Text(t) | Event::Code(t) => {
                if let Some((_, title)) = &mut open {
                    title.push_str(&t);
                }
            }
            Event::End(TagEnd::Heading(level)) => {
                let (id, title) = open.take().expect("a heading that ends has begun");
                let wanted = id.unwrap_or_else(|| anchor(&title));
                let id = std::iter::once(wanted.clone())
                    .chain((1..).map(|n| format!("{wanted}-{n}")))
                    .find(|id| used.insert(id.clone()))
                    .expect("numbers do not end");
                found.push(Section { id, title, level: level as usize, at });
            }
            _ => {}
        }
    }
    found
}

/// How mdBook makes an anchor of a heading.
fn anchor(title: &str) -> String {
    let sign = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        _ => c.is_whitespace().then_some('-'),
    };
    title.trim().to_lowercase().chars().filter_map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_mdbook() {
        assert_eq!(anchor("A.1 Moreau–Jean: `moreau-jean`"), "a1-moreaujean-moreau-jean");
        assert_eq!(anchor("A.6 Nonsmooth generalized-α"), "a6-nonsmooth-generalized-α");
        let ids: Vec<String> =
            sections("# A\n\n## `x` y\n\n```\n# no\n```\n\n## x y\n\n## X, y!\n\nSet\n===\n")
                .into_iter()
                .map(|s| s.id)
                .collect();
        assert_eq!(ids, ["a", "x-y", "x-y-1", "x-y-2", "set"]);
    }

    #[test]
    fn a_section_ends_where_the_next_begins() {
        let text = "# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree\n\n## D\n";
        let page = Page { name: "a".into(), title: "A".into(), text, sections: sections(text) };
        let book = Book { pages: Vec::new(), contents: Vec::new() };
        assert_eq!(book.source(&page, Some("b")), "## B\n\ntwo\n\n### C\n\nthree\n\n");
        assert_eq!(book.source(&page, Some("c")), "### C\n\nthree\n\n");
        assert_eq!(book.source(&page, None), text);
    }
}
