//! A TOML text as a tree that remembers where everything stood, and overrides put into it.

use crate::diagnostic::{Diagnostic, Diagnostics, Place, Source, Topic};
use carom_model::suggest;
use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub place: Place,
    pub value: Value,
}

/// What TOML can say.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Integer(i64),
    Number(f64),
    Text(String),
    Bool(bool),
    Date,
    List(Vec<Node>),
    Table(Table),
}

/// Entries in the order of the file.
pub(crate) type Table = IndexMap<String, Entry>;

/// A key, where it stands, and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: Place,
    pub node: Node,
}

impl Value {
    /// The word for it in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Integer(_) | Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::Bool(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Reads the text of source 0.
pub(crate) fn parse(sources: &[Source]) -> Result<Node, Diagnostics> {
    let text = &sources[0].text;
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut list: Vec<_> = errors
        .iter()
        .map(|e| {
            let range = e.span().unwrap_or(0..0);
            Diagnostic::at(
                sources,
                &Place { source: 0, range },
                e.message(),
                remedy(e.message()),
                Topic::ModelFile,
            )
        })
        .collect();
    let range = 0..0;
    let value = table_of(table.into_inner(), 0, 0, sources, &mut list);
    if list.is_empty() {
        Ok(Node { place: Place { source: 0, range }, value: Value::Table(value) })
    } else {
        Err(Diagnostics { list })
    }
}

/// What would be right where the text is no TOML.
fn remedy(message: &str) -> &'static str {
    match message {
        m if m.contains("duplicate key") => {
            "each key once in a table; leave one of the two out, or rename it"
        }
        m if m.contains("unclosed") || m.contains("missing closing") => {
            "the closing quote or bracket that belongs to the opening one"
        }
        m if m.contains("leading zero") => "a number without leading zeros, such as 0.5 or 5",
        _ => "a line of TOML: `key = value`, `[table]` or a comment; text stands in quotes",
    }
}

fn table_of(
    table: DeTable<'_>,
    source: usize,
    shift: usize,
    sources: &[Source],
    list: &mut Vec<Diagnostic>,
) -> Table {
    table
        .into_iter()
        .map(|(key, value)| {
            let place = place(key.span(), source, shift);
            let node = node_of(value, source, shift, sources, list);
            (key.into_inner().into_owned(), Entry { key: place, node })
        })
        .collect()
}

fn place(range: std::ops::Range<usize>, source: usize, shift: usize) -> Place {
    Place { source, range: range.start + shift..range.end + shift }
}

fn node_of(
    value: Spanned<DeValue<'_>>,
    source: usize,
    shift: usize,
    sources: &[Source],
    list: &mut Vec<Diagnostic>,
) -> Node {
    let place = place(value.span(), source, shift);
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => Value::Integer(n),
            Err(_) => {
                let help = "a whole number of at most 18 digits, or one with a decimal point";
                let message = "the whole number is too large";
                list.push(Diagnostic::at(sources, &place, message, help, Topic::ModelFile));
                Value::Integer(0)
            }
        },
        DeValue::Float(x) => Value::Number(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Bool(b),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => {
            Value::List(items.into_iter().map(|item| node_of(item, source, shift, sources, list)).collect())
        }
        DeValue::Table(table) => Value::Table(table_of(table, source, shift, sources, list)),
    };
    Node { place, value }
}

/// The value of override number `source`: TOML if it reads as TOML, else text (so that names need no quotes).
pub(crate) fn parse_override(sources: &[Source], source: usize, value: &str) -> Node {
    let shift = sources[source].text.len() - value.len();
    let whole = Place { source, range: shift..sources[source].text.len() };
    let mut list = Vec::new();
    match DeValue::parse(value.trim()) {
        Ok(parsed) => {
            let shift = shift + (value.len() - value.trim_start().len());
            let mut node = node_of(parsed, source, shift, sources, &mut list);
            if node.place.range.is_empty() {
                node.place = whole;
            }
            node
        }
        Err(_) => Node { place: whole, value: Value::Text(value.trim().into()) },
    }
}

/// The word that leaves a key out, so that it is as if the file did not have it. A key that takes any text takes this too.
const NONE: &str = "none";

fn is_none(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text == NONE)
}

/// Puts a value where `path` says; `none` takes away what is there. Tables of fixed keys are opened on the way; names that are free to choose (of
/// bodies, points, parameters) must be there already, so that a slip does not add a second body.
pub(crate) fn put(
    root: &mut Node,
    schema: &serde_json::Value,
    path: &[String],
    value: Node,
    sources: &[Source],
) -> Result<(), Diagnostic> {
    let source = value.place.source;
    let mut node = root;
    let mut level = super::check::Level::top(schema);
    let written = sources[source].text.split('=').next().unwrap_or_default();
    let mut offset = 0;
    for (depth, key) in path.iter().enumerate() {
        let range = if written == path.join(".") { offset..offset + key.len() } else { 0..written.len() };
        let key_place = Place { source, range };
        offset += key.len() + 1;
        let so_far = path[..depth].join(".");
        let docs = if depth == 0 { Topic::Run } else { Topic::of_path(path) };
        match &mut node.value {
            Value::List(items) => {
                let count = items.len();
                let Some(item) = key.parse::<usize>().ok().filter(|i| *i < count) else {
                    let message = format!("`{so_far}` has no entry `{key}`");
                    let help = format!("its entries are numbered 0 to {}", count.saturating_sub(1));
                    return Err(Diagnostic::at(sources, &key_place, message, help, docs));
                };
                node = &mut items[item];
                level = level.item();
            }
            Value::Table(table) => {
                if !table.contains_key(key) {
                    new_key(table, level, path, depth).map_err(|(message, help)| {
                        Diagnostic::at(sources, &key_place, message, help, docs)
                    })?;
                    let empty = Node { place: value.place.clone(), value: Value::Table(Table::new()) };
                    table.insert(key.clone(), Entry { key: key_place.clone(), node: empty });
                }
                level = level.key(key, node_tag(table).as_deref());
                if depth + 1 == path.len() && is_none(&value.value) && !level.takes_text(NONE) {
                    table.shift_remove(key);
                    return Ok(());
                }
                let entry = table.get_mut(key).expect("it is there or was put there");
                if depth + 1 == path.len() {
                    entry.key = key_place;
                    entry.node = value;
                    return Ok(());
                }
                node = &mut entry.node;
            }
            other => {
                let message = format!("`{so_far}` is {} and has no `{key}`", other.kind());
                let help = "a path to a value that exists";
                return Err(Diagnostic::at(sources, &key_place, message, help, docs));
            }
        }
    }
    *node = value;
    Ok(())
}

/// Whether the key of a path at this depth may be put into a table that does not have it; else what is wrong, and what would be right.
fn new_key(
    table: &Table,
    level: super::check::Level<'_>,
    path: &[String],
    depth: usize,
) -> Result<(), (String, String)> {
    let (key, so_far) = (&path[depth], path[..depth].join("."));
    // Scheme parameters have their defaults elsewhere and may be new here.
    if level.names_are_free() && path[..depth] != ["simulation", "parameters"] {
        let names: Vec<&str> = table.keys().map(String::as_str).collect();
        return Err((
            format!("there is no `{key}` in `{so_far}`"),
            suggest::choices(key, "names there", &names),
        ));
    }
    let known = level.keys();
    if known.is_empty() || known.contains(&key.as_str()) {
        return Ok(());
    }
    if depth > 0 {
        let help = suggest::choices(key, "keys there", &known);
        return Err((format!("unknown key `{key}` in `{so_far}`"), help));
    }
    let mut all: Vec<&str> = match table.get("parameters").map(|e| &e.node.value) {
        Some(Value::Table(parameters)) => parameters.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    all.extend(known);
    Err((format!("unknown parameter or key `{key}`"), suggest::choices(key, "parameters and keys", &all)))
}

/// The `type` of a table, if it has one.
fn node_tag(table: &Table) -> Option<String> {
    match &table.get("type")?.node.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// The place of the deepest thing on `path` that exists, and whether the path was walked to its end. A table is shown
/// by its key.
pub(crate) fn find(root: &Node, path: &[String]) -> (Place, bool) {
    let mut node = root;
    let mut place = root.place.clone();
    for key in path {
        match &node.value {
            Value::Table(table) => match table.get(key) {
                Some(entry) => {
                    node = &entry.node;
                    place = if matches!(node.value, Value::Table(_)) {
                        entry.key.clone()
                    } else {
                        node.place.clone()
                    };
                }
                None => return (place, false),
            },
            Value::List(items) => match key.parse::<usize>().ok().and_then(|i| items.get(i)) {
                Some(item) => {
                    node = item;
                    place = node.place.clone();
                }
                None => return (place, false),
            },
            _ => return (place, false),
        }
    }
    (place, true)
}

/// The text that a path leads to.
pub(crate) fn text_at<'a>(root: &'a Node, path: &[String]) -> Option<&'a str> {
    let mut node = root;
    for key in path {
        node = match &node.value {
            Value::Table(table) => &table.get(key)?.node,
            Value::List(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    match &node.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// The place of the key at the end of `path`, or of the deepest thing on the way.
pub(crate) fn find_key(root: &Node, path: &[String]) -> Place {
    let Some((last, before)) = path.split_last() else { return root.place.clone() };
    let mut node = root;
    for key in before {
        match &node.value {
            Value::Table(table) if table.contains_key(key) => node = &table[key].node,
            _ => return find(root, path).0,
        }
    }
    match &node.value {
        Value::Table(table) if table.contains_key(last) => table[last].key.clone(),
        _ => find(root, path).0,
    }
}

/// Every text of the tree but the title.
pub(crate) fn texts<'a>(node: &'a Node, visit: &mut dyn FnMut(&'a str)) {
    match &node.value {
        Value::Text(text) => visit(text),
        Value::List(items) => items.iter().for_each(|item| texts(item, visit)),
        Value::Table(table) => {
            table.iter().filter(|(key, _)| *key != "title").for_each(|(_, entry)| texts(&entry.node, visit));
        }
        _ => {}
    }
}
