//! Colour for messages, on a terminal only. Messages are made plain; each line says by its shape what it is.

use std::io::{IsTerminal, Write};

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const CYAN: &str = "\x1b[36m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// Prints a message to standard error, painted if that is a terminal whose owner has not asked for none (NO_COLOR).
pub fn complain(message: &str) {
    let asked = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if std::io::stderr().is_terminal() && !asked("NO_COLOR") && !dumb {
        grumble(&paint(message.trim_end()));
    } else {
        grumble(message.trim_end());
    }
}

/// A line to standard error. Nobody is left to be told that it is closed.
pub fn grumble(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The same message in colour.
fn paint(message: &str) -> String {
    message.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn line(line: &str) -> String {
    for (word, colour) in [("error", RED), ("warning", YELLOW)] {
        if let Some(rest) = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(':')) {
            return format!("{colour}{word}{PLAIN}{BOLD}:{rest}{PLAIN}");
        }
    }
    let inner = line.trim_start();
    if let Some(rest) = inner.strip_prefix("--> ") {
        return line.replace(inner, &format!("{BLUE}-->{PLAIN} {rest}"));
    }
    for word in ["= help:", "= docs:", "= note:"] {
        if let Some(rest) = inner.strip_prefix(word) {
            return line.replace(inner, &format!("{CYAN}{word}{PLAIN}{rest}"));
        }
    }
    let Some((number, rest)) = line.split_once('|') else { return line.into() };
    match number.trim() {
        // a piece of several lines is framed: ` _____^` above it, `|_^` below
        "" if rest.trim_start_matches([' ', '_', '|']).starts_with('^') => {
            format!("{BLUE}{number}|{RED}{rest}{PLAIN}")
        }
        n if n.chars().all(|c| c.is_ascii_digit()) => format!("{BLUE}{number}|{PLAIN}{rest}"),
        _ => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_adds_nothing_but_colour() {
        let message = "error: mass | is\n --> a.toml:2:8\n  |\n2 | mass = -1 | x\n  |        ^^\n  |\n  = help: more\n\nplain | text";
        let mut painted = paint(message);
        assert!(
            painted.starts_with(RED) && painted.contains(&format!("{BLUE}2 |{PLAIN} mass")),
            "{painted:?}"
        );
        assert!(painted.contains(&format!("{RED}        ^^{PLAIN}")), "{painted:?}");
        for code in [RED, YELLOW, BLUE, CYAN, BOLD, PLAIN] {
            painted = painted.replace(code, "");
        }
        assert_eq!(painted, message);
    }
}
