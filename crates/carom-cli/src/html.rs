//! Text inside pages.

/// A text that a browser shows as it is, in elements and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A text as part of an address: everything but letters and digits of ASCII and a few signs as `%` and two digits.
pub fn percent(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() + text.len() / 8);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b',' => {
                encoded.push(byte as char);
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// A template with each `{{word}}` filled in. The values are not looked at again.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (word, after) = after.split_once("}}").expect("a placeholder is closed");
        let value = values.iter().find(|(name, _)| *name == word);
        filled.push_str(before);
        filled.push_str(value.unwrap_or_else(|| panic!("nothing is given for {word}")).1);
        rest = after;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_becomes_markup() {
        assert_eq!(escape("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
        assert_eq!(percent("t (s),é\n"), "t%20%28s%29,%C3%A9%0A");
        assert_eq!(fill("{{a}}-{{b}}-{{a}}", &[("a", "{{b}}"), ("b", "2")]), "{{b}}-2-{{b}}");
    }
}
