//! Numbers as text: the shortest decimal that reads back to the same bits.

/// Appends `x` to `out`.
pub(crate) fn push(out: &mut String, x: f64) {
    use std::fmt::Write;
    let from = out.len();
    write!(out, "{x:?}").expect("writing to a string cannot fail");
    if out[from..].ends_with(".0") {
        out.truncate(out.len() - 2);
    }
}

/// `x` as text.
pub(crate) fn text(x: f64) -> String {
    let mut out = String::new();
    push(&mut out, x);
    out
}

/// `x` rounded to `digits` significant digits, for pictures and pages.
pub(crate) fn rounded(x: f64, digits: usize) -> f64 {
    if !x.is_finite() {
        return x;
    }
    format!("{x:.*e}", digits.saturating_sub(1)).parse().expect("a printed number reads back")
}
