//! The format of a model file as JSON Schema, from the types that hold it: one source for the reader, for editors and
//! for the documentation.

use crate::units::Units;
use carom_model::Description;
use carom_model::description::space;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value as Json, json};
use std::sync::OnceLock;

/// Words that stand for a whole set of units.
#[derive(JsonSchema)]
#[allow(dead_code)] // only its schema is used
enum UnitsWord {
    /// Metre, kilogram, second, radian, newton.
    #[serde(rename = "SI")]
    Si,
    /// Millimetre; the rest SI, so stiffness in N/mm and gravity in mm/s².
    #[serde(rename = "mm")]
    Millimetres,
}

/// A word for a set of units, or the units one by one.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)] // only its schema is used
enum UnitsKey {
    /// A set.
    Word(UnitsWord),
    /// One by one; what is left out is SI.
    Each(Units),
}

/// The schema the reader walks: every key of a file, numbers as numbers. Made once.
pub(crate) fn strict(in_space: bool) -> &'static Json {
    static PLANE: OnceLock<Json> = OnceLock::new();
    static SPACE: OnceLock<Json> = OnceLock::new();
    match in_space {
        true => SPACE.get_or_init(|| make::<space::Description>("A mechanism in space and how to run it.")),
        false => PLANE.get_or_init(|| make::<Description>("A planar mechanism and how to run it.")),
    }
}

fn make<D: JsonSchema>(about: &str) -> Json {
    let settings = || SchemaSettings::draft2020_12().into_generator();
    let mut schema: Json = settings().into_root_schema_for::<D>().into();
    let units: Json = settings().into_root_schema_for::<UnitsKey>().into();
    schema["title"] = json!("Carom model");
    schema["description"] = json!(about);
    if let (Some(into), Json::Object(from)) = (schema["$defs"].as_object_mut(), &units["$defs"]) {
        into.extend(from.iter().map(|(k, v)| (k.clone(), v.clone())));
    }
    let properties = schema["properties"].as_object_mut().expect("a description is a table");
    properties.insert(
        "units".into(),
        json!({
            "description": "Units of all numbers in this file; results are written in them too.",
            "anyOf": units["anyOf"],
            "default": "SI",
        }),
    );
    properties.insert(
        "parameters".into(),
        json!({
            "description": "Named numbers, or \"=formulas\" of other parameters, in any order. Used as \"=l1/2\" wherever a number stands.",
            "type": "object",
            "additionalProperties": {"type": "number"},
            "default": {},
        }),
    );
    if let Some(version) = properties.get_mut("version") {
        // A file that does not say is of the first version.
        version["default"] = json!(1);
    }
    let definitions = schema["$defs"].clone();
    simplify(&mut schema, &definitions);
    schema
}

/// What may be left out is what it is when given; and a table with a `type` lists all its keys itself.
fn simplify(schema: &mut Json, definitions: &Json) {
    match schema {
        Json::Object(map) => {
            let null = json!({"type": "null"});
            let one = map.get("anyOf").and_then(Json::as_array).filter(|a| a.len() == 2 && a[1] == null);
            if let Some(name) = one.and_then(|a| a[0].get("$ref")).cloned() {
                map.remove("anyOf");
                map.insert("$ref".into(), name);
            }
            let name = map.get("$ref").and_then(Json::as_str).and_then(|r| r.strip_prefix("#/$defs/"));
            if let (true, Some(name)) = (map.contains_key("properties"), name) {
                let whole = definitions[name].clone();
                map.remove("$ref");
                for (key, value) in whole.as_object().into_iter().flatten() {
                    match (map.get_mut(key), value) {
                        (Some(Json::Object(own)), Json::Object(more)) => own.extend(more.clone()),
                        (Some(Json::Array(own)), Json::Array(more)) => own.extend(more.clone()),
                        (Some(_), _) => {}
                        (None, value) => {
                            map.insert(key.clone(), value.clone());
                        }
                    }
                }
            }
            map.values_mut().for_each(|value| simplify(value, definitions));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| simplify(item, definitions)),
        _ => {}
    }
}

/// The JSON Schema of a model file, for editors and other programs. Where a number stands, a text `"=formula"` of the
/// parameters may stand too. Files in space, with a gravity of three numbers, have a schema of their own.
pub fn schema(in_space: bool) -> String {
    let mut schema = strict(in_space).clone();
    allow_formulas(&mut schema);
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is plain data");
    text.push('\n');
    text
}

/// Lets `"=formula"` stand for every number.
fn allow_formulas(schema: &mut Json) {
    match schema {
        Json::Object(map) => {
            let is_number = match map.get("type") {
                Some(Json::String(word)) => word == "number",
                Some(Json::Array(words)) => words.contains(&json!("number")),
                _ => false,
            };
            if is_number {
                map.remove("format");
                map.insert("type".into(), json!(["number", "string"]));
                // A pattern binds texts only.
                map.insert("pattern".into(), json!("^="));
            }
            map.values_mut().for_each(allow_formulas);
        }
        Json::Array(items) => items.iter_mut().for_each(allow_formulas),
        _ => {}
    }
}
