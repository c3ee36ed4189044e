//! The words of `--vary` and `--shard`.

use crate::failure::Failure;
use carom::{Diagnostic, Topic};
use std::ops::Range;

/// The most values of one key: more is a slip.
const MOST: usize = 100_000;

/// One key and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// As it was written.
    pub text: String,
    /// A parameter or any key, as with `--set`.
    pub key: String,
    /// Its values as `--set` takes them, each with its place in `text`.
    pub values: Vec<(String, Range<usize>)>,
}

impl Axis {
    /// `KEY=a,b,c`, `KEY=from:to:count` or `KEY=from:to:count:log`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        const HOW: &str = "KEY=a,b,c or KEY=from:to:count or KEY=from:to:count:log, such as `e=0.2:0.8:4`";
        let Some((key, list)) = text.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
            return Err(wrong(text, 0..text.len(), "this is no key with values", HOW));
        };
        let start = key.len() + 1;
        if list.trim().is_empty() {
            return Err(wrong(text, 0..text.len(), "there are no values", HOW));
        }
        let values = if list.contains(':') && !list.contains(['"', '{', '[']) {
            row(text, start, list)?
        } else {
            let mut values = Vec::new();
            for (from, piece) in pieces(list) {
                let range = start + from..start + from + piece.len();
                let value = piece.trim();
                if value.is_empty() {
                    let range = range.start..range.end.max(range.start + 1);
                    return Err(wrong(text, range, "there is no value between the commas", HOW));
                }
                values.push((value.to_string(), range));
            }
            values
        };
        Ok(Self { text: text.into(), key: key.trim().into(), values })
    }
}

/// Pieces between commas that are not inside brackets or quotes, with where they begin.
fn pieces(list: &str) -> Vec<(usize, &str)> {
    let (mut depth, mut quoted, mut from) = (0_i32, false, 0);
    let mut found = Vec::new();
    for (i, c) in list.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                found.push((from, &list[from..i]));
                from = i + 1;
            }
            _ => {}
        }
    }
    found.push((from, &list[from..]));
    found
}

/// `from:to:count` and `from:to:count:log`.
fn row(text: &str, start: usize, list: &str) -> Result<Vec<(String, Range<usize>)>, Failure> {
    let whole = start..text.len();
    let mut at = start;
    let words: Vec<(&str, Range<usize>)> = list
        .split(':')
        .map(|word| {
            let range = at..at + word.len();
            at += word.len() + 1;
            (word.trim(), range)
        })
        .collect();
    let (from, to, count, log) = match words.as_slice() {
        [from, to, count] => (from, to, count, false),
        [from, to, count, ("log", _)] => (from, to, count, true),
        [_, _, _, (_, range)] => {
            return Err(wrong(text, range.clone(), "only `log` can stand here", "from:to:count:log"));
        }
        _ => {
            return Err(wrong(text, whole, "a row has three words", "from:to:count, such as 0.1:0.9:5"));
        }
    };
    let finite = |(word, range): &(&str, Range<usize>)| match word.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => {
            Err(wrong(text, range.clone(), format!("`{word}` is no number"), "a number, such as 0.1 or 2e-3"))
        }
    };
    let (a, b) = (finite(from)?, finite(to)?);
    let n = match count.0.parse::<usize>() {
        Ok(n) if (2..=MOST).contains(&n) => n,
        _ => {
            let help = format!("a whole number from 2 to {MOST}");
            return Err(wrong(text, count.1.clone(), format!("`{}` is no count", count.0), help));
        }
    };
    if log && (a <= 0.0 || b <= 0.0) {
        let range = if a <= 0.0 { from.1.clone() } else { to.1.clone() };
        return Err(wrong(text, range, "a logarithmic row has no zero and no sign", "a number above 0"));
    }
    let one = |i: usize| {
        let part = i as f64 / (n - 1) as f64;
        match i {
            // the ends are what was written, to the bit
            0 => a,
            i if i + 1 == n => b,
            _ if log => (a.ln() + part * (b.ln() - a.ln())).exp(),
            _ => a + part * (b - a),
        }
    };
    Ok((0..n).map(|i| (crate::args::number(one(i)), whole.clone())).collect())
}

/// A complaint about a piece of the text of an option.
pub fn wrong(
    text: &str,
    range: Range<usize>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Failure {
    Failure::Input(Diagnostic::of_text("--vary", text, &range, message, help, Topic::Sweep).to_string())
}

/// No key twice.
pub fn check_keys(axes: &[Axis]) -> Result<(), Failure> {
    for (i, axis) in axes.iter().enumerate() {
        if axes[..i].iter().any(|other| other.key == axis.key) {
            let message = format!("`{}` is varied twice", axis.key);
            let help = "all values of a key in one --vary";
            return Err(wrong(&axis.text, 0..axis.key.len(), message, help));
        }
    }
    Ok(())
}

/// `k/n` with 1 ≤ k ≤ n.
pub fn shard(text: &str) -> Result<(usize, usize), String> {
    let parsed =
        text.split_once('/').and_then(|(k, n)| Some((k.trim().parse().ok()?, n.trim().parse().ok()?)));
    match parsed {
        Some((k, n)) if 1 <= k && k <= n => Ok((k, n)),
        _ => Err("write K/N with K from 1 to N, such as 2/10".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        Axis::parse(text).unwrap().values.into_iter().map(|v| v.0).collect()
    }

    #[test]
    fn lists_and_rows() {
        assert_eq!(values("e=0.1, 0.2,0.3"), ["0.1", "0.2", "0.3"]);
        assert_eq!(values("simulation.scheme=bathe,hht"), ["bathe", "hht"]);
        assert_eq!(values("bodies.a.position=[0,1],[0,2]"), ["[0,1]", "[0,2]"]);
        assert_eq!(values("e=0:1:5"), ["0.0", "0.25", "0.5", "0.75", "1.0"]);
        assert_eq!(values("e=-1:1:3"), ["-1.0", "0.0", "1.0"]);
        let log: Vec<f64> = values("k=1e-3:1e3:7:log").iter().map(|v| v.parse().unwrap()).collect();
        assert_eq!((log[0], log[6]), (1e-3, 1e3));
        for pair in log.windows(2) {
            assert!((pair[1] / pair[0] - 10.0).abs() < 1e-12, "{log:?}");
        }
    }

    #[test]
    fn slips_are_underlined() {
        for (text, column) in [
            ("e", 1),
            ("e=", 1),
            ("e=1,,2", 5),
            ("e=1:2", 3),
            ("e=1:x:3", 5),
            ("e=1:2:1", 7),
            ("e=0:2:3:log", 3),
            ("e=1:2:3:lin", 9),
        ] {
            let message = Axis::parse(text).unwrap_err().message().to_string();
            assert!(message.contains(&format!("--vary:1:{column}\n")), "{text}: {message}");
        }
    }
}
