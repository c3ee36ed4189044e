//! The lines of a text that a message is about, and which piece of them is meant.

use annotate_snippets::{AnnotationKind, Snippet};
use std::ops::Range;

/// What is shown of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// Line from 1; 0 if nothing is shown.
    pub line: usize,
    /// Column in characters from 1.
    pub column: usize,
    /// The lines of the piece, whole.
    pub lines: String,
    /// Bytes of the piece in `lines`.
    piece: Range<usize>,
}

impl Excerpt {
    /// Of bytes `range` in `text`; a range that cuts through letters is widened to whole ones.
    pub fn new(text: &str, range: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(range.start);
        let end = text.ceil_char_boundary(range.end).max(start);
        let end = start + text[start..end].trim_end().len();
        let first = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let last = text[end..].find('\n').map_or(text.len(), |i| end + i);
        let lines = text[first..last].trim_end_matches('\r');
        let within = |at: usize| (at - first).min(lines.len());
        Self {
            line: text[..start].matches('\n').count() + 1,
            column: text[first..start].trim_end_matches('\r').chars().count() + 1,
            lines: lines.to_string(),
            piece: within(start)..within(end),
        }
    }

    /// The piece as it is written, its first line.
    pub fn text(&self) -> &str {
        self.lines[self.piece.clone()].lines().next().unwrap_or_default()
    }

    /// To be shown with its place in `file`.
    pub fn snippet<'a>(&'a self, file: &'a str) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        Snippet::source(&self.lines)
            .line_start(self.line)
            .path(file)
            .annotation(AnnotationKind::Primary.span(self.piece.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_several_lines_is_shown_with_all_of_them() {
        let text = "x = 1\na = [\n  1,\n  2,\n]\nb = 2\n";
        let e = Excerpt::new(text, &(10..text.find('b').unwrap()));
        assert_eq!((e.line, e.column, e.text(), &*e.lines), (2, 5, "[", "a = [\n  1,\n  2,\n]"));
    }

    #[test]
    fn the_end_of_a_line_and_of_the_text_can_be_meant() {
        for (text, range, at) in
            [("a =\r\nb", 3..3, (1, 4)), ("a =", 3..9, (1, 4)), ("", 0..0, (1, 1)), ("a\n", 2..2, (2, 1))]
        {
            let e = Excerpt::new(text, &range);
            assert_eq!((e.line, e.column, e.text()), (at.0, at.1, ""), "{text:?}");
        }
    }

    #[test]
    fn letters_are_not_cut() {
        let e = Excerpt::new("é = ü", &(1..6));
        assert_eq!((e.line, e.column, e.text()), (1, 1, "é = ü"));
    }
}
