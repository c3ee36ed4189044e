//! Comma-separated values as RFC 4180 has them, as far as our own files use it.

/// Splits a record off the front of `bytes`: its fields, and the bytes after its end. None if the text ends before the
/// record does: a record ends with a line break, and what is cut off has none.
pub(super) fn record(bytes: &[u8]) -> Option<(Vec<String>, &[u8])> {
    let mut fields = Vec::new();
    let mut field = Vec::new();
    let mut quoted = false;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        at += 1;
        match byte {
            // two quotes within quotes are one
            b'"' if quoted && bytes.get(at) == Some(&b'"') => {
                field.push(b'"');
                at += 1;
            }
            b'"' => quoted = !quoted,
            b',' if !quoted => fields.push(take(&mut field)),
            b'\r' if !quoted && bytes.get(at) == Some(&b'\n') => {}
            b'\n' if !quoted => {
                fields.push(take(&mut field));
                return Some((fields, &bytes[at..]));
            }
            other => field.push(other),
        }
    }
    None
}

fn take(field: &mut Vec<u8>) -> String {
    String::from_utf8_lossy(&std::mem::take(field)).into_owned()
}

/// A number; NaN for what is none on purpose (`NaN`, `inf`, nothing); none for what is no number at all.
pub(super) fn number(field: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?.trim_ascii();
    if text.is_empty() {
        return Some(f64::NAN);
    }
    let x: f64 = text.parse().ok()?;
    Some(if x.is_finite() { x } else { f64::NAN })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_commas_quotes_and_lines() {
        let text = b"t,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\r\n1,2";
        let (fields, rest) = record(text).unwrap();
        assert_eq!(fields, ["t", "a,b", "say \"x\"", "two\nlines"]);
        assert_eq!(rest, b"1,2");
        assert_eq!(record(rest), None, "cut off");
        assert_eq!(record(b"\"open\n"), None);
    }

    #[test]
    fn numbers_and_what_stands_for_none() {
        assert_eq!(number(b"5e-324"), Some(5e-324));
        for gap in [&b"NaN"[..], b"nan", b"-inf", b"inf", b"", b" "] {
            assert!(number(gap).unwrap().is_nan());
        }
        for wrong in [&b"1.5x"[..], b"--1", b"\xff", b"one"] {
            assert_eq!(number(wrong), None);
        }
    }
}
