//! Words of a text with their lines, and numbers made of them.

use super::TextError;

/// Walks over a text word by word.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    text: &'a str,
    /// Where the walk stands, in bytes.
    at: usize,
    /// Line there, from 1.
    line: usize,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// No vector of a sound file is longer than this.
    pub fn most(&self) -> usize {
        self.text.len()
    }

    /// Line of the next word.
    pub fn peek_line(&self) -> usize {
        let mut ahead = self.clone();
        ahead.skip_space();
        ahead.line
    }

    /// An error at the next word.
    pub fn error<T>(&self, what: impl Into<String>) -> Result<T, TextError> {
        Err(TextError { line: self.peek_line(), what: what.into() })
    }

    /// An error at a line.
    pub fn error_at<T>(line: usize, what: impl Into<String>) -> Result<T, TextError> {
        Err(TextError { line, what: what.into() })
    }

    fn skip_space(&mut self) {
        for byte in self.text.as_bytes()[self.at..].iter().take_while(|b| b.is_ascii_whitespace()) {
            self.at += 1;
            self.line += usize::from(*byte == b'\n');
        }
    }

    /// The next word; `wanted` is what it should be, for the error if there is none.
    pub fn word(&mut self, wanted: &str) -> Result<&'a str, TextError> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        if length == 0 {
            return self.error(format!("the file ends where {wanted} should be"));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    /// The rest of the current line; the next word is on the next one.
    pub fn rest_of_line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim()
    }

    /// The next line that is not empty.
    pub fn line(&mut self, wanted: &str) -> Result<&'a str, TextError> {
        self.skip_space();
        match self.rest_of_line() {
            "" => self.error(format!("the file ends where {wanted} should be")),
            line => Ok(line),
        }
    }

    /// The next word as a whole number ≥ 0, if it is one; else the walk stays.
    pub fn next_if_count(&mut self) -> Option<usize> {
        let mut ahead = self.clone();
        let count = ahead.word("").ok()?.parse().ok()?;
        *self = ahead;
        Some(count)
    }

    /// A whole number ≥ 0.
    pub fn count(&mut self, wanted: &str) -> Result<usize, TextError> {
        let before = self.clone();
        let word = self.word(wanted)?;
        word.parse().or_else(|_| {
            before.error(format!("`{}` stands where {wanted} should be, a whole number", cut(word)))
        })
    }

    /// A finite number.
    pub fn number(&mut self, wanted: &str) -> Result<f64, TextError> {
        let before = self.clone();
        let word = self.word(wanted)?;
        // Fortran writes 1.0D+00
        let parsed = word.parse::<f64>().or_else(|error| {
            let fortran = word.contains(['D', 'd']).then(|| word.replace(['D', 'd'], "e").parse());
            fortran.unwrap_or(Err(error))
        });
        match parsed {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => before.error(format!("{wanted} is {}, not a finite number", cut(word))),
            Err(_) => before.error(format!("`{}` stands where {wanted} should be, a number", cut(word))),
        }
    }

    /// So many finite numbers.
    pub fn numbers(&mut self, count: usize, wanted: &str) -> Result<Vec<f64>, TextError> {
        let mut numbers = Vec::with_capacity(count.min(self.most()));
        for i in 0..count {
            numbers.push(self.number(&format!("number {} of the {count} of {wanted}", i + 1))?);
        }
        Ok(numbers)
    }
}

/// The beginning of a word that may be very long.
pub(super) fn cut(word: &str) -> String {
    /// Characters shown of a word.
    const SHOWN: usize = 24;
    if word.chars().count() <= SHOWN {
        word.into()
    } else {
        word.chars().take(SHOWN).chain(['…']).collect()
    }
}
