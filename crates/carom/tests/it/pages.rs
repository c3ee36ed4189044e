//! Reading the book: its pages, fences, tables, and what stands between backticks.
#![allow(dead_code)] // each test file uses its part

use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of the repository.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// One page.
pub struct Page {
    /// Relative to `docs/src`.
    pub path: String,
    pub text: String,
}

/// What stands between two lines of three backticks.
pub struct Fence<'a> {
    pub info: &'a str,
    pub body: String,
}

/// All files below a folder whose names end in `extension`, in alphabetical order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten() {
            if entry.path().is_dir() {
                walk(&entry.path(), extension, found);
            } else if entry.path().extension().is_some_and(|e| e == extension) {
                found.push(entry.path());
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, extension, &mut found);
    found.sort();
    found
}

/// All pages of the book.
pub fn pages() -> Vec<Page> {
    let src = root().join("docs/src");
    let page = |path: PathBuf| Page {
        text: fs::read_to_string(&path).expect("a page is text"),
        path: path.strip_prefix(&src).expect("a page lies in the book").to_string_lossy().replace('\\', "/"),
    };
    files(&src, "md").into_iter().map(page).collect()
}

/// The page of this name.
pub fn page(path: &str) -> Page {
    pages().into_iter().find(|p| p.path == path).unwrap_or_else(|| panic!("there is a page {path}"))
}

impl Page {
    pub fn fences(&self) -> Vec<Fence<'_>> {
        let mut fences: Vec<Fence> = Vec::new();
        let mut inside = false;
        for line in self.text.lines() {
            if let Some(info) = line.strip_prefix("```") {
                inside = !inside;
                if inside {
                    fences.push(Fence { info: info.trim(), body: String::new() });
                }
            } else if inside {
                let body = &mut fences.last_mut().expect("a fence is open").body;
                body.push_str(line);
                body.push('\n');
            }
        }
        assert!(!inside, "{}: a fence is not closed", self.path);
        fences
    }

    /// The text without fences.
    pub fn prose(&self) -> String {
        let mut inside = false;
        let outside = |line: &&str| {
            let fence = line.starts_with("```");
            inside ^= fence;
            !inside && !fence
        };
        self.text.lines().filter(outside).collect::<Vec<_>>().join("\n")
    }

    /// What stands between backticks in the prose, each on one line.
    pub fn spans(&self) -> Vec<String> {
        let line = |span: &str| span.split_whitespace().collect::<Vec<_>>().join(" ");
        self.prose().split('`').skip(1).step_by(2).map(line).collect()
    }

    /// Rows of tables, cell by cell; heads and rules left out. A bar within a cell is written `\|`.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let cells = |line: &str| {
            let line = line.trim().replace("\\|", "\u{0}");
            let cell = |c: &str| c.trim().replace('\u{0}', "|");
            line.trim_matches('|').split('|').map(cell).collect::<Vec<_>>()
        };
        let prose = self.prose();
        let lines: Vec<&str> = prose.lines().collect();
        (1..lines.len())
            .filter(|&i| lines[i].starts_with('|') && lines[i - 1].starts_with('|'))
            .filter(|&i| !lines[i].starts_with("|-"))
            .map(|i| cells(lines[i]))
            .collect()
    }

    /// Commands shown: lines of `console` fences after `$ `.
    pub fn commands(&self) -> Vec<String> {
        let fences = self.fences();
        let shown = fences.iter().filter(|f| f.info == "console");
        shown.flat_map(|f| f.body.lines().filter_map(|l| l.strip_prefix("$ ").map(str::to_string))).collect()
    }

    pub fn models(&self) -> Vec<String> {
        self.fences().into_iter().filter(|f| f.info == "toml model").map(|f| f.body).collect()
    }

    /// The model with this title.
    pub fn model(&self, title: &str) -> String {
        let line = format!("title = \"{title}\"");
        let mut models = self.models();
        models.retain(|m| m.lines().any(|l| l == line));
        assert_eq!(models.len(), 1, "{}: one model with the title {title}", self.path);
        models.remove(0)
    }

    /// Places that a link can lead to: headings as mdBook names them, and `<a id="…">`.
    pub fn anchors(&self) -> Vec<String> {
        let prose = self.prose();
        let headings =
            prose.lines().filter(|l| l.starts_with('#')).map(|l| anchor(l.trim_start_matches('#')));
        let marked = prose.split("<a id=\"").skip(1).filter_map(|p| p.split('"').next()).map(str::to_string);
        headings.chain(marked).collect()
    }
}

/// A heading as the end of a link: small letters, digits, `-` and `_`; blanks become dashes.
pub fn anchor(heading: &str) -> String {
    // links inside a heading count by their words
    let mut words = String::new();
    let mut rest = heading.trim();
    while let Some((before, after)) = rest.split_once("](") {
        words.push_str(&before.replace('[', ""));
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    words.push_str(rest);
    let letter = |c: char| match c {
        c if c.is_whitespace() => Some('-'),
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        _ => None,
    };
    words.to_lowercase().chars().filter_map(letter).collect()
}

pub fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(part)
            && !text[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// `` `x` `` without its backticks.
pub fn plain(cell: &str) -> Option<String> {
    Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_string())
}
