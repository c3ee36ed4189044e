//! Text in columns, and standard output that may be closed early.

use crate::failure::{self, Failure};
use std::io::{self, Write};

/// Prints to standard output. A reader that has gone away (`carom schema | head`) is no fault.
pub fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| match text.ends_with('\n') {
        true => Ok(()),
        false => out.write_all(b"\n"),
    });
    match written.and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(failure::wrong(format_args!("cannot write to standard output: {e}")).run())
        }
        _ => Ok(()),
    }
}

/// Prints data as JSON.
pub fn say_json(data: &impl serde::Serialize) -> Result<(), Failure> {
    say(&serde_json::to_string_pretty(data).expect("plain data with text keys"))
}

/// Rows with their columns under each other; cells longer than `most` characters are folded at spaces.
pub fn table(rows: &[Vec<String>], most: usize) -> String {
    ruled(rows, most, "  ")
}

/// The same with something of your own between the columns.
pub fn ruled(rows: &[Vec<String>], most: usize, between: &str) -> String {
    let folded: Vec<Vec<Vec<String>>> =
        rows.iter().map(|row| row.iter().map(|cell| fold(cell, most)).collect()).collect();
    let columns = folded.iter().map(Vec::len).max().unwrap_or(0);
    let width: Vec<usize> = (0..columns)
        .map(|c| {
            let cells = folded.iter().filter_map(|row| row.get(c));
            cells.flatten().map(|line| line.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in &folded {
        for line in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let mut printed = String::new();
            for (c, (cell, width)) in row.iter().zip(&width).enumerate() {
                let piece = cell.get(line).map_or("", String::as_str);
                printed.push_str(if c > 0 { between } else { "" });
                printed.push_str(piece);
                printed.extend(std::iter::repeat_n(' ', width - piece.chars().count()));
            }
            text.push_str(printed.trim_end());
            text.push('\n');
        }
    }
    text
}

/// A number for people: at most four digits, in the shorter notation.
pub fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().expect("a printed number can be read");
    let (plain, power) = (format!("{rounded}"), format!("{rounded:e}"));
    if power.len() < plain.len() { power } else { plain }
}

fn fold(cell: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in cell.split_whitespace() {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= most {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.into());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([1e-5, 1.0 / 3.0, 4.0, 0.0838, 0.0].map(short), ["1e-5", "0.3333", "4", "0.0838", "0"]);
    }

    #[test]
    fn columns_are_aligned_and_long_cells_folded() {
        let rows = [["a", "one two three"], ["longer", "μ"]].map(|r| r.map(String::from).to_vec());
        assert_eq!(table(&rows, 8), "a       one two\n        three\nlonger  μ\n");
    }
}
