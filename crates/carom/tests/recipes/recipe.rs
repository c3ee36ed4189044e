//! What a how-to page changes, and how it is changed.

use crate::pages::Page;

/// One change of one file.
#[derive(Debug, PartialEq)]
pub enum Recipe {
    /// Parts of a file are replaced: (what stands there, what comes in its place).
    Change { path: String, parts: Vec<(Vec<String>, Vec<String>)> },
    /// A file comes.
    New { path: String, text: String },
}

impl Recipe {
    pub fn path(&self) -> &str {
        match self {
            Recipe::Change { path, .. } | Recipe::New { path, .. } => path,
        }
    }
}

/// All changes of a page, in order.
pub fn of_page(page: &Page) -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for fence in page.fences() {
        if fence.info == "diff" {
            recipes.push(of_diff(&fence.body));
        } else if let Some(path) = fence.info.split([' ', ',']).find_map(|word| word.strip_prefix("file=")) {
            recipes.push(Recipe::New { path: path.into(), text: own_names(path, &fence.body) });
        }
    }
    recipes
}

/// The text of a file of a crate, in which the crate is `crate`.
fn own_names(path: &str, text: &str) -> String {
    let name = path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    text.replace(&format!("{}::", name.replace('-', "_")), "crate::")
}

fn of_diff(body: &str) -> Recipe {
    let mut lines = body.lines();
    let path = lines.find_map(|line| line.strip_prefix("+++ ")).expect("a diff names its file");
    let mut parts: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for line in lines {
        if line.starts_with("@@") {
            parts.push((Vec::new(), Vec::new()));
            continue;
        }
        let (before, after) = parts.last_mut().expect("a part of a diff begins with @@");
        // a blank line may have lost its blank
        let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
        match sign {
            " " => {
                before.push(text.to_string());
                after.push(text.to_string());
            }
            "-" => before.push(text.to_string()),
            "+" => after.push(text.to_string()),
            _ => panic!("{path}: `{line}` is no line of a diff"),
        }
    }
    Recipe::Change { path: path.trim().into(), parts }
}

/// The file after a change.
pub fn apply(recipe: &Recipe, file: Option<&str>) -> Result<String, String> {
    let (path, parts) = match (recipe, file) {
        (Recipe::New { text, .. }, None) => return Ok(text.clone()),
        (Recipe::New { path, .. }, Some(_)) => return Err(format!("{path} is there already")),
        (Recipe::Change { path, .. }, None) => return Err(format!("there is no {path}")),
        (Recipe::Change { path, parts }, Some(_)) => (path, parts),
    };
    let mut lines: Vec<String> = file.unwrap_or_default().lines().map(str::to_string).collect();
    for (before, after) in parts {
        let same = |window: &[String]| window.iter().zip(before).all(|(a, b)| a.trim_end() == b.trim_end());
        let mut found = (0..=lines.len().saturating_sub(before.len()))
            .filter(|&at| lines.len() >= at + before.len() && same(&lines[at..at + before.len()]));
        let at = match (before.is_empty(), found.next(), found.next()) {
            (true, ..) => return Err(format!("{path}: a part says nowhere where it belongs")),
            (_, Some(at), None) => at,
            (_, None, _) => return Err(format!("{path} has nowhere the lines\n{}", before.join("\n"))),
            (_, Some(_), Some(_)) => {
                return Err(format!("{path} has more than once the lines\n{}", before.join("\n")));
            }
        };
        lines.splice(at..at + before.len(), after.iter().cloned());
    }
    Ok(lines.join("\n") + "\n")
}

#[test]
fn a_change_that_does_not_fit_is_refused() {
    let change = of_diff("+++ a.rs\n@@\n one\n-two\n+three\n");
    assert_eq!(apply(&change, Some("zero\none\ntwo\n")), Ok("zero\none\nthree\n".into()));
    assert!(apply(&change, Some("one\n\ntwo\n")).unwrap_err().contains("nowhere"));
    assert!(apply(&change, Some("one\ntwo\none\ntwo\n")).unwrap_err().contains("more than once"));
    assert!(apply(&change, None).unwrap_err().contains("there is no a.rs"));
    let new = Recipe::New { path: "crates/carom-solve/src/b.rs".into(), text: String::new() };
    assert!(apply(&new, Some("")).is_err());
    assert_eq!(own_names(new.path(), "use carom_solve::Law;"), "use crate::Law;");
}
