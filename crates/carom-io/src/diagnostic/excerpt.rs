//! A line of a text with a piece of it underlined. Columns are those of a terminal: tabs have a width, and so have letters
//! that take two cells. Of a long line only the surroundings of the piece are shown.

use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Cells of a tab.
const TAB: usize = 4;
/// Widest line that is shown whole (cells).
const WIDEST: usize = 120;
/// Of a longer one, at most this much before the piece, and this much of it all.
const BEFORE: usize = 40;
/// What stands for what is left out.
const CUT: &str = "...";

/// What is shown of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// Line from 1.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
    /// Last line of the piece.
    pub last_line: usize,
    /// The line, or the part of it around the piece, without tabs.
    pub shown: String,
    /// Cells before the piece.
    pub indent: usize,
    /// Cells of the piece on this line, at least 1.
    pub width: usize,
    /// The piece as it is written, first line of it.
    pub text: String,
}

impl Excerpt {
    /// Of bytes `range` in `text`; a range that cuts through letters is widened to whole ones.
    pub fn new(text: &str, range: &Range<usize>) -> Self {
        let start = floor(text, range.start);
        let end = ceil(text, range.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let (from, to) =
            ((start - line_start).min(line.len()), (end.min(line_end) - line_start).min(line.len()));
        let piece = line[from..to.max(from)].trim_end();
        let before_piece = &line[..from];
        let cells = |s: &str| s.chars().map(width).sum::<usize>();
        let (indent, width) = (cells(before_piece), cells(piece).max(1));
        let (shown, indent, width) = cut(line, indent, width);
        let end_of_piece = text[start..end].trim_end().len() + start;
        Self {
            line: text[..start].matches('\n').count() + 1,
            column: before_piece.chars().count() + 1,
            last_line: text[..end_of_piece].matches('\n').count() + 1,
            shown,
            indent,
            width,
            text: piece.to_string(),
        }
    }
}

/// The line without tabs, and of a long one the part around the piece, with where the piece is then.
fn cut(line: &str, indent: usize, piece: usize) -> (String, usize, usize) {
    let total: usize = line.chars().map(width).sum();
    // cells [first, last) of the line are shown
    let (first, last) = match total <= WIDEST {
        true => (0, total),
        false => {
            let first = indent.saturating_sub(BEFORE);
            (first, (first + WIDEST).min(total))
        }
    };
    let mut shown = String::new();
    let (mut at, mut skipped) = (0, 0);
    for c in line.chars() {
        let w = width(c);
        if at < first {
            skipped = at + w;
        } else if at + w <= last {
            match c {
                '\t' => shown.extend(std::iter::repeat_n(' ', TAB)),
                c if w == 0 && c.is_control() => {}
                c => shown.push(c),
            }
        }
        at += w;
    }
    let front = if first > 0 { CUT } else { "" };
    let back = if last < total { CUT } else { "" };
    let indent = indent - skipped + front.len();
    let piece = piece.min((last - first).saturating_sub(indent - front.len())).max(1);
    (format!("{front}{shown}{back}"), indent, piece)
}

/// Cells of a letter.
fn width(c: char) -> usize {
    if c == '\t' { TAB } else { c.width().unwrap_or(0) }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at.min(text.len())..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, piece: &str) -> Excerpt {
        let start = text.find(piece).unwrap();
        Excerpt::new(text, &(start..start + piece.len()))
    }

    /// What stands above the carets, by cells.
    fn above(e: &Excerpt) -> String {
        let mut at = 0;
        let mut found = String::new();
        for c in e.shown.chars() {
            if at >= e.indent && at < e.indent + e.width {
                found.push(c);
            }
            at += width(c);
        }
        found
    }

    #[test]
    fn the_underline_is_under_the_piece_whatever_stands_before_it() {
        let long = format!("a = [{} bad, {}]", "1.0, ".repeat(60), "2.0, ".repeat(60));
        let wide = format!("名前 = \"{}\" # {} bad", "球".repeat(20), "質".repeat(80));
        for text in ["mass = bad", "\tmass\t= bad", "名前 = bad", "é = bad # x", &long, &wide] {
            let e = of(text, "bad");
            assert_eq!(above(&e), "bad", "{text}\n{e:?}");
            assert_eq!(e.text, "bad");
            assert!(e.shown.chars().map(width).sum::<usize>() <= WIDEST + 2 * CUT.len() + 1);
        }
        assert_eq!(of("名前 = bad", "bad").column, 6, "columns are counted in characters");
    }

    #[test]
    fn a_piece_of_several_lines_is_shown_from_its_first() {
        let e = of("x = 1\na = [\n  1,\n  2,\n]\nb = 2\n", "[\n  1,\n  2,\n]\n");
        assert_eq!((e.line, e.column, e.last_line, e.width), (2, 5, 5, 1));
    }

    #[test]
    fn the_end_of_a_line_and_of_the_text_can_be_meant() {
        for (text, range, at) in
            [("a =\r\nb", 3..3, (1, 4)), ("a =", 3..9, (1, 4)), ("", 0..0, (1, 1)), ("a\n", 2..2, (2, 1))]
        {
            let e = Excerpt::new(text, &range);
            assert_eq!((e.line, e.column, e.width), (at.0, at.1, 1), "{text:?}");
        }
    }
}
