//! `carom docs`: the book, from the binary itself, in a browser or on the terminal.

mod book;
mod browser;
mod folder;
mod render;

use crate::failure::{self, Failure};
use crate::table::say;
use book::Book;
use clap::Args;

/// `carom docs`.
#[derive(Debug, Args)]
pub struct Docs {
    /// Page, and section after a `#`: `model-file`, `theory/audit#the-verdict`, or just `audit` [default: the first]
    #[arg(value_name = "PAGE[#SECTION]")]
    pub page: Option<String>,
    /// Print the page, or the section, to the terminal, as its Markdown source
    #[arg(long, conflicts_with = "list")]
    pub print: bool,
    /// List the pages and their sections
    #[arg(long, conflicts_with = "page")]
    pub list: bool,
}

/// Shows a page of the book. It is written to a folder of the user's first; the path is always said.
pub fn docs(args: &Docs) -> Result<(), Failure> {
    let book = Book::new();
    if args.list {
        return say(&list(&book));
    }
    let (page, section) = match &args.page {
        Some(words) => book.find(words)?,
        None => (book.first(), None),
    };
    if args.print {
        return say(book.source(page, section.as_deref()));
    }
    let folder = folder::write(&render::render(&book)).map_err(|e| failure::wrong(e).run())?;
    let file = folder.join(format!("{}.html", page.name));
    let section = section.map_or(String::new(), |section| format!("#{section}"));
    say(&format!("{}{section}", file.display()))?;
    browser::open(&file, &section);
    Ok(())
}

fn list(book: &Book) -> String {
    let mut text = String::new();
    for page in &book.pages {
        text.push_str(&format!("{}  {}\n", page.name, page.title));
        for section in page.sections.iter().skip(1) {
            text.push_str(&format!("  #{}\n", section.id));
        }
    }
    text
}
