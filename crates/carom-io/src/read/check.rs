//! Walks the tree of a file beside the schema of the format: every key known, every value of the right kind, formulas
//! evaluated. What is wrong is collected with its place; what is right becomes plain JSON for the types to take over.

use super::Spatial;
use super::formula::{InTime, Parameters, Written};
use super::schema::strict;
use super::tree::{Node, Table, Value};
use crate::diagnostic::{Diagnostic, Place, Source, Topic};
use crate::units::Dimension;
use carom_model::suggest::{choices, nearest};
use serde_json::{Map, Value as Json};

/// Where one stands in the schema.
#[derive(Clone, Copy)]
pub(crate) struct Level<'s> {
    root: &'s Json,
    here: &'s Json,
}

impl<'s> Level<'s> {
    /// The whole file.
    pub fn top(root: &'s Json) -> Self {
        Self { root, here: root }
    }

    fn to(self, here: &'s Json) -> Self {
        Self { root: self.root, here }.resolved()
    }

    /// Follows `$ref`.
    fn resolved(self) -> Self {
        let mut here = self.here;
        while let Some(name) = reference(here) {
            here = &self.root["$defs"][name];
        }
        Self { here, ..self }
    }

    /// The alternatives, if there are several.
    fn alternatives(self) -> Option<&'s Vec<Json>> {
        self.here.get("oneOf").or_else(|| self.here.get("anyOf"))?.as_array()
    }

    /// Whether names can be chosen freely here (bodies, points, ...).
    pub fn names_are_free(self) -> bool {
        self.here.get("additionalProperties").is_some_and(Json::is_object)
    }

    /// Keys that are known here; of several alternatives, those of all.
    pub fn keys(self) -> Vec<&'s str> {
        let mut keys: Vec<&str> = Vec::new();
        let one = std::slice::from_ref(self.here);
        for schema in self.alternatives().map_or(one, Vec::as_slice) {
            for key in self.to(schema).here["properties"].as_object().into_iter().flat_map(Map::keys) {
                if !keys.contains(&key.as_str()) {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// One key further; `tag` is the `type` of the table one stands in.
    pub fn key(self, key: &str, tag: Option<&str>) -> Self {
        let one = std::slice::from_ref(self.here);
        for schema in self.alternatives().map_or(one, Vec::as_slice) {
            let level = self.to(schema);
            let own_tag = level.here["properties"]["type"]["const"].as_str();
            let next = level.here["properties"].get(key).or_else(|| level.here.get("additionalProperties"));
            if let Some(next) = next.filter(|n| n.is_object() && (own_tag.is_none() || own_tag == tag)) {
                return self.to(next);
            }
        }
        self.to(&Json::Null)
    }

    /// Whether this word is a value here: any text is, unless it may be left out, or it is one of the words.
    pub fn takes_text(self, word: &str) -> bool {
        let one = std::slice::from_ref(self.here);
        self.alternatives().map_or(one, Vec::as_slice).iter().any(|schema| {
            let here = self.to(schema).here;
            match (here.get("enum"), here.get("const")) {
                (Some(words), _) => words.as_array().is_some_and(|words| words.iter().any(|w| w == word)),
                (_, Some(only)) => only == word,
                _ => allows(here, "string") && !allows(here, "null"),
            }
        })
    }

    /// The dimension of the numbers here, which their description ends with or has in its first sentence: `(m/s)`.
    pub fn dimension(self) -> Option<Dimension> {
        let text = self.here.get("description")?.as_str()?;
        text.split('(').skip(1).find_map(|part| Dimension::of_unit(part.split(')').next()?))
    }

    /// One entry of a list.
    pub fn item(self) -> Self {
        self.to(self.here.get("items").unwrap_or(&Json::Null))
    }
}

fn reference(schema: &Json) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The way from the plane to space.
const TO_SPACE: &str = "a gravity of three numbers, or `space = true`, makes one in space";

/// Collects what is wrong while it walks.
pub(crate) struct Checker<'a> {
    pub sources: &'a [Source],
    pub parameters: &'a Parameters,
    /// Why the file is one in space, if it is.
    pub space: Option<&'a Spatial>,
    /// Where `gravity` stands.
    pub gravity: Option<&'a Place>,
    pub wrong: Vec<Diagnostic>,
}

/// Kinds of values a schema may ask for.
fn allows(schema: &Json, word: &str) -> bool {
    match &schema["type"] {
        Json::String(one) => one == word,
        Json::Array(several) => several.iter().any(|s| s == word),
        _ => false,
    }
}

/// First sentence of the documentation of a field.
fn about(schema: &Json) -> Option<&str> {
    let text = schema.get("description")?.as_str()?;
    Some(text.split_inclusive(['.', ';']).next().unwrap_or(text).trim_end_matches(['.', ';']))
}

impl Checker<'_> {
    /// Something is wrong with the value at `path`.
    fn say(
        &mut self,
        place: &Place,
        path: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Json {
        let words: Vec<&str> = path.split('.').collect();
        let docs = Topic::of_path(&words);
        self.wrong.push(Diagnostic::at(self.sources, place, message, help, docs));
        Json::Null
    }

    /// The value at `path` as JSON. `key` is shown when the value as a whole is meant, `schema` may carry a
    /// description of its own beside its `$ref`.
    pub fn value(&mut self, node: &Node, key: &Place, level: Level<'_>, path: &str) -> Json {
        let asked = level.here;
        if reference(asked) == Some("Expression") {
            return self.expression(node, path, asked);
        }
        let level = level.resolved();
        let schema = level.here;
        if let Some(alternatives) = level.alternatives() {
            return self.one_of(node, key, level, alternatives, path);
        }
        let whole = |value: &Value| format!("`{path}` must be {}, found {}", kind_word(schema), value.kind());
        let three = self.space.is_some() && schema["minItems"] == 3 && schema["maxItems"] == 3;
        let help = || match about(asked).or(about(schema)) {
            Some(about) if three && !matches!(node.value, Value::List(_)) => {
                format!("three numbers such as [0, 0, 1]; `{}`: {about}", last(path))
            }
            Some(about) => format!("`{}`: {about}", last(path)),
            None => format!("`{}` is {}", last(path), kind_word(schema)),
        };
        match &node.value {
            Value::Bool(b) if allows(schema, "boolean") => Json::from(*b),
            _ if allows(schema, "number") => self.number(node, path, asked),
            Value::Integer(n) if allows(schema, "integer") => {
                let least = schema["minimum"].as_i64().unwrap_or(i64::MIN);
                if *n < least {
                    return self.say(
                        &node.place,
                        path,
                        format!("`{path}` must be at least {least}, found {n}"),
                        help(),
                    );
                }
                Json::from(*n)
            }
            Value::Text(text) if allows(schema, "string") => {
                let words: Vec<&str> = match (&schema["const"], &schema["enum"]) {
                    (Json::String(word), _) => vec![word],
                    (_, Json::Array(words)) => words.iter().filter_map(Json::as_str).collect(),
                    _ => return Json::from(text.as_str()),
                };
                if words.contains(&text.as_str()) {
                    return Json::from(text.as_str());
                }
                let message = format!("`{path}` cannot be `{text}`");
                self.say(&node.place, path, message, choices(text, "possible", &words))
            }
            Value::List(items) if allows(schema, "array") => self.list(node, items, level, path, &help()),
            Value::Table(table) if allows(schema, "object") => self.table(table, key, level, path),
            other if schema.get("type").is_some() => {
                let place = if matches!(other, Value::Table(_)) { key } else { &node.place };
                self.say(place, path, whole(other), help())
            }
            // A construct of the schema that is not known here: the types decide.
            other => plain(other),
        }
    }

    fn number(&mut self, node: &Node, path: &str, asked: &Json) -> Json {
        let about = about(asked).map_or(String::new(), |a| format!("; `{}`: {a}", last(path)));
        match &node.value {
            Value::Integer(n) => Json::from(*n as f64),
            Value::Number(x) if x.is_finite() => Json::from(*x),
            Value::Number(x) => {
                let message = format!("`{path}` is {}, not a finite number", x.to_string().to_lowercase());
                self.say(&node.place, path, message, format!("a finite number{about}"))
            }
            Value::Text(text) if text.trim_start().starts_with('=') => {
                match Written::new(text, &node.place).evaluate(self.parameters, self.sources) {
                    Ok(x) => Json::from(x),
                    Err(diagnostic) => {
                        self.wrong.push(diagnostic);
                        Json::Null
                    }
                }
            }
            Value::Text(text) => {
                let help = if text.trim().parse::<f64>().is_ok() {
                    format!("without quotes: {}{about}", text.trim())
                } else {
                    format!("a number, or a formula that begins with =, such as \"=2*l1\"{about}")
                };
                self.say(&node.place, path, format!("`{path}` must be a number, found text"), help)
            }
            other => {
                let message = format!("`{path}` must be a number, found {}", other.kind());
                self.say(&node.place, path, message, format!("a number such as 0.5{about}"))
            }
        }
    }

    /// A function of time: a number or a formula, with or without `=`.
    fn expression(&mut self, node: &Node, path: &str, asked: &Json) -> Json {
        match &node.value {
            Value::Text(text) => {
                let written = Written::new(text, &node.place);
                let read = if path.starts_with("forces.") {
                    written.of_motion(self.parameters, self.sources)
                } else {
                    written.in_time(self.parameters, self.sources)
                };
                match read {
                    Ok(InTime::Constant(x)) => Json::from(x),
                    Ok(InTime::Formula(text)) => Json::from(text),
                    Err(diagnostic) => {
                        self.wrong.push(diagnostic);
                        Json::Null
                    }
                }
            }
            Value::Integer(_) | Value::Number(_) => self.number(node, path, asked),
            other => {
                let message =
                    format!("`{path}` must be a number or a formula of `t`, found {}", other.kind());
                self.say(&node.place, path, message, "such as 2.5 or \"0.01*sin(10*t)\"")
            }
        }
    }

    fn list(&mut self, node: &Node, items: &[Node], level: Level<'_>, path: &str, help: &str) -> Json {
        let count = |key: &str| level.here[key].as_u64().map(|n| n as usize);
        let (least, most) = (count("minItems"), count("maxItems"));
        if least.is_some_and(|n| items.len() < n) || most.is_some_and(|n| items.len() > n) {
            let wanted = match (least, most) {
                (Some(a), Some(b)) if a == b => format!("{a}"),
                (Some(a), _) => format!("at least {a}"),
                (None, b) => format!("at most {}", b.unwrap_or(0)),
            };
            let message = format!("`{path}` must have {wanted} entries, found {}", items.len());
            let help = match (self.space, least, items.len()) {
                (Some(_), Some(3), _) if most == Some(3) => {
                    format!("three numbers: {}; {help}", self.which())
                }
                _ if path == "gravity" && !(2..=3).contains(&items.len()) => {
                    format!("two numbers for a model in the plane, three for one in space; {help}")
                }
                (None, Some(2), 3) => format!("two numbers: {}, and {TO_SPACE}; {help}", self.which()),
                _ => help.to_string(),
            };
            return self.say(&node.place, path, message, help);
        }
        let schema = level.here.get("items").unwrap_or(&Json::Null);
        let item = Level { root: level.root, here: schema };
        let each =
            items.iter().enumerate().map(|(i, n)| self.value(n, &n.place, item, &format!("{path}.{i}")));
        Json::Array(each.collect())
    }

    fn table(&mut self, table: &Table, key: &Place, level: Level<'_>, path: &str) -> Json {
        let schema = level.here;
        let mut out = Map::new();
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        for (name, entry) in table {
            let inner = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let next = properties.get(name).or(schema.get("additionalProperties").filter(|a| a.is_object()));
            if let Some(next) = next {
                let next = Level { root: level.root, here: next };
                out.insert(name.clone(), self.value(&entry.node, &entry.key, next, &inner));
                continue;
            }
            let names: Vec<&str> = properties.keys().map(String::as_str).collect();
            let place = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
            let mut help = choices(name, "keys here", &names);
            if self.is_key(path, name, self.space.is_none()) && !self.is_key(path, name, self.space.is_some())
            {
                help = match self.space {
                    Some(_) => format!("`{name}` is of the plane, and {}; {help}", self.which()),
                    None => format!("`{name}` is of space: {}, and {TO_SPACE}; {help}", self.which()),
                };
            }
            if !path.is_empty() && level.root["properties"].get(name).is_some() {
                help = format!("`{name}` belongs to the top of the file, before the first `[table]`; {help}");
            }
            self.say(&entry.key, &inner, format!("unknown key `{name}`{place}"), help);
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            // A misspelt key was reported already; that the right one is missing would be the same slip twice.
            let slipped = table.keys().any(|k| !properties.contains_key(k) && nearest(k, [name]).is_some());
            if !table.contains_key(name) && !slipped {
                let message = format!("`{path}` has no `{name}`");
                let help = match about(&properties[name]) {
                    Some(about) => format!("`{name} = ...`: {about}"),
                    None => format!("`{name} = ...`"),
                };
                self.say(key, path, message, help);
            }
        }
        Json::Object(out)
    }

    /// Whether the model is in the plane or in space, and what says so.
    fn which(&self) -> String {
        let line = |place: &Place| {
            let before = &self.sources[place.source].text[..place.range.start];
            before.matches('\n').count() + 1
        };
        match (self.space, self.gravity) {
            (Some(space), _) => {
                format!("this model is in space, since {} in line {}", space.because, line(&space.place))
            }
            (None, Some(gravity)) => {
                format!(
                    "this model is in the plane, since `gravity` has two numbers in line {}",
                    line(gravity)
                )
            }
            (None, None) => "this model is in the plane".into(),
        }
    }

    /// Whether a key exists in tables like this one, of any type, in space or in the plane.
    fn is_key(&self, path: &str, key: &str, in_space: bool) -> bool {
        let top = Level::top(strict(in_space));
        let there =
            path.split('.').filter(|word| !word.is_empty()).fold(top, |level, word| level.key(word, None));
        there.keys().contains(&key)
    }

    /// Whether a type of a joint, force or shape exists in the plane if the file is one in space, or the other way round.
    fn is_of_the_other(&self, path: &str, word: &str) -> bool {
        let kinds = match path.split('.').next() {
            Some("joints") => "Joint",
            Some("forces") => "Force",
            _ => "Shape",
        };
        let other = &strict(self.space.is_none())["$defs"][kinds]["oneOf"];
        other.as_array().into_iter().flatten().any(|kind| kind["properties"]["type"]["const"] == word)
    }

    /// Several alternatives: told apart by a word, by `type`, by their only key, or by the kind of value.
    fn one_of(&mut self, node: &Node, key: &Place, level: Level<'_>, among: &[Json], path: &str) -> Json {
        let among: Vec<Level<'_>> = among.iter().map(|schema| level.to(schema)).collect();
        let words: Vec<&str> = among.iter().flat_map(|a| words(a.here)).collect();
        let all_words = among.iter().all(|a| !words_of(a.here).is_empty());
        match &node.value {
            Value::Text(text) if words.contains(&text.as_str()) => return Json::from(text.as_str()),
            Value::Text(text) if !words.is_empty() => {
                let message = format!("`{path}` cannot be `{text}`");
                let mut help = choices(text, "possible", &words);
                // A table may stand there as well.
                if let Some(keys) = among.iter().find_map(|a| a.here["properties"].as_object()) {
                    let keys: Vec<&str> = keys.keys().map(String::as_str).collect();
                    help += &format!("; or a table with {}", keys.join(", "));
                }
                return self.say(&node.place, path, message, help);
            }
            other if all_words => {
                let message = format!("`{path}` must be a word, found {}", other.kind());
                return self.say(&node.place, path, message, format!("one of {}", words.join(", ")));
            }
            _ => {}
        }
        if let Value::Table(table) = &node.value {
            let tag = |a: &Level<'_>| a.here["properties"]["type"]["const"].as_str().map(str::to_string);
            let tags: Vec<String> = among.iter().filter_map(tag).collect();
            if tags.len() == among.len() {
                let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
                return self.by_type(table, key, &among, &tags, path);
            }
            let keys: Vec<String> = among.iter().filter_map(only_key).collect();
            if keys.len() == among.len() {
                let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                return self.by_only_key(table, key, &among, &keys, path);
            }
        }
        self.by_value(node, key, &among, path)
    }

    /// Tables told apart by their `type`, one of the `tags`.
    fn by_type(
        &mut self,
        table: &Table,
        key: &Place,
        among: &[Level<'_>],
        tags: &[&str],
        path: &str,
    ) -> Json {
        match table.get("type").map(|entry| (&entry.node.value, &entry.node.place)) {
            Some((Value::Text(word), place)) => match tags.iter().position(|t| t == word) {
                Some(i) => self.table(table, key, among[i], path),
                None => {
                    let message = format!("`{path}` has an unknown type `{word}`");
                    let help = match (self.is_of_the_other(path, word), self.space) {
                        (false, _) => choices(word, "types", tags),
                        (true, Some(_)) => {
                            format!(
                                "`{word}` is of the plane, and {}; types: {}",
                                self.which(),
                                tags.join(", ")
                            )
                        }
                        (true, None) => format!("`{word}` is of space: {}, and {TO_SPACE}", self.which()),
                    };
                    self.say(place, path, message, help)
                }
            },
            Some((other, place)) => {
                let message = format!("`{path}.type` must be a word, found {}", other.kind());
                self.say(place, path, message, format!("one of {}", tags.join(", ")))
            }
            None => {
                let message = format!("`{path}` has no `type`");
                self.say(key, path, message, format!("`type = ...`, one of {}", tags.join(", ")))
            }
        }
    }

    /// Tables told apart by the only key they have.
    fn by_only_key(
        &mut self,
        table: &Table,
        key: &Place,
        among: &[Level<'_>],
        keys: &[&str],
        path: &str,
    ) -> Json {
        if let Some(i) = keys.iter().position(|k| table.contains_key(*k)) {
            return self.table(table, key, among[i], path);
        }
        let (word, place) = table.iter().next().map_or(("", key), |(k, e)| (k.as_str(), &e.key));
        let message = format!("`{path}` must be one of {}", keys.join(", "));
        self.say(place, path, message, choices(word, "possible", keys))
    }

    /// Told apart by the kind of value, tables by the keys they need; a table that lacks them is the last kind.
    fn by_value(&mut self, node: &Node, key: &Place, among: &[Level<'_>], path: &str) -> Json {
        let wanted = match &node.value {
            Value::Integer(_) | Value::Number(_) => "number",
            Value::Text(_) => "string",
            Value::Bool(_) => "boolean",
            Value::List(_) => "array",
            Value::Table(_) => "object",
            Value::Date => "",
        };
        let has_all = |a: &Level<'_>| match &node.value {
            Value::Table(table) => {
                let mut needed = a.here["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
                needed.all(|key| table.contains_key(key))
            }
            _ => true,
        };
        let whole = matches!(node.value, Value::Integer(_));
        let fits = |a: &Level<'_>| allows(a.here, wanted) || (whole && allows(a.here, "integer"));
        let fit = || among.iter().filter(|a| fits(a));
        if let Some(a) = fit().find(|a| has_all(a)).or_else(|| fit().next_back()) {
            return self.value(node, key, *a, path);
        }
        let mut kinds: Vec<&str> = among
            .iter()
            .map(|a| if words_of(a.here).is_empty() { kind_word(a.here) } else { "a word" })
            .collect();
        kinds.dedup();
        let message = format!("`{path}` must be {}, found {}", kinds.join(" or "), node.value.kind());
        let about: Vec<&str> = among.iter().filter_map(|a| about(a.here)).collect();
        let help = if about.is_empty() { kinds.join(" or ") } else { about.join(", or ") };
        let place = if matches!(node.value, Value::Table(_)) { key } else { &node.place };
        self.say(place, path, message, help)
    }
}

/// The only key that a table has and needs, if that is so.
fn only_key(level: &Level<'_>) -> Option<String> {
    match level.here["required"].as_array().map(Vec::as_slice) {
        Some([Json::String(one)]) if level.here["properties"].as_object().is_some_and(|p| p.len() == 1) => {
            Some(one.clone())
        }
        _ => None,
    }
}

fn words_of(schema: &Json) -> Vec<&str> {
    words(schema).collect()
}

/// The words a schema admits, alternatives of words included.
fn words(schema: &Json) -> impl Iterator<Item = &str> {
    let nested = schema.get("oneOf").and_then(Json::as_array).into_iter().flatten();
    std::iter::once(schema).chain(nested).flat_map(|s| {
        let one = s.get("const").and_then(Json::as_str).into_iter();
        one.chain(s.get("enum").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str))
    })
}

fn last(path: &str) -> &str {
    path.rsplit('.').find(|word| word.parse::<usize>().is_err()).unwrap_or(path)
}

fn kind_word(schema: &Json) -> &'static str {
    let kinds = [
        ("number", "a number"),
        ("integer", "a whole number"),
        ("string", "text"),
        ("boolean", "true or false"),
        ("array", "a list"),
        ("object", "a table"),
    ];
    kinds.into_iter().find(|(word, _)| allows(schema, word)).map_or("something else", |(_, said)| said)
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Integer(n) => Json::from(*n),
        Value::Number(x) => Json::from(*x),
        Value::Text(text) => Json::from(text.as_str()),
        Value::Bool(b) => Json::from(*b),
        Value::Date => Json::Null,
        Value::List(items) => Json::Array(items.iter().map(|n| plain(&n.value)).collect()),
        Value::Table(table) => {
            Json::Object(table.iter().map(|(k, e)| (k.clone(), plain(&e.node.value))).collect())
        }
    }
}
