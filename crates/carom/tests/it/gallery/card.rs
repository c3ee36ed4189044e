//! The front matter of a gallery README: TOML in an HTML comment at its very top.

use super::fact::Fact;
use serde::Deserialize;

/// What a model is, where it comes from, what it costs, and what must be true of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub title: String,
    pub source: String,
    pub cost: String,
    #[serde(rename = "picture")]
    _picture: toml::Table,
    pub fact: Vec<Fact>,
}

impl Card {
    pub fn of_readme(text: &str) -> Result<Self, String> {
        let comment = text.strip_prefix("<!--").and_then(|rest| rest.split_once("-->"));
        let (front, _) = comment.ok_or("it must begin with <!-- front matter in TOML -->")?;
        let card: Self = toml::from_str(front).map_err(|e| e.to_string())?;
        for (what, text) in [("title", &card.title), ("source", &card.source), ("cost", &card.cost)] {
            if text.trim().is_empty() {
                return Err(format!("`{what}` is empty"));
            }
        }
        Ok(card)
    }
}

#[test]
fn a_misspelt_key_is_no_fact() {
    let card = |fact: &str| {
        Card::of_readme(&format!(
            "<!--\ntitle = 't'\nsource = 's'\ncost = 'c'\npicture = {{}}\n[[fact]]\nwhat = 'w'\nwhy = 'y'\n{fact}\n-->\n"
        ))
    };
    assert!(card("channel = 'ball.y'").is_ok());
    assert!(card("chanel = 'ball.y'").unwrap_err().contains("chanel"));
    assert!(Card::of_readme("# no front matter").is_err());
}
