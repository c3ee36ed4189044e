//! The dimension of every number of a model file is that of the unit in its description. Descriptions are generated from
//! the JSON Schema with every key in them, and every kind of everything; a number whose dimension is forgotten is found.

use carom_io::schema;
use carom_model::description::Expression;
use carom_model::{Description, Dimension, Numbers};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;

/// Keys that are no part of a description, whose meaning depends on another key, or whose numbers belong to a scheme.
const LEFT_OUT: [&str; 4] = ["units", "polar", "parameters", "version"];

/// Random descriptions; enough of them to meet every kind.
const SAMPLES: usize = 400;

/// A value and, of the same shape, the unit of each number as the descriptions of keys have it.
struct Sampler<'a> {
    definitions: &'a Json,
    random: u64,
    choices: BTreeSet<(usize, usize)>,
    chosen: BTreeSet<(usize, usize)>,
}

impl Sampler<'_> {
    fn pick(&mut self, list: &[Json]) -> usize {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let at = (self.random >> 33) as usize % list.len();
        let place = list.as_ptr() as usize;
        self.choices.extend((0..list.len()).map(|i| (place, i)));
        self.chosen.insert((place, at));
        at
    }

    /// `unit` is that of what the value is part of, if its own description has none.
    fn value(&mut self, schema: &Json, unit: &str) -> (Json, Json) {
        let own = schema["description"].as_str().map_or(String::new(), written_unit);
        let unit = if own.is_empty() { unit } else { &own };
        match schema["$ref"].as_str() {
            Some(name) => self.value_of(&self.definitions[name.trim_start_matches("#/$defs/")], unit),
            None => self.value_of(schema, unit),
        }
    }

    fn value_of(&mut self, schema: &Json, unit: &str) -> (Json, Json) {
        if let Some(value) = schema.get("const") {
            return (value.clone(), Json::Null);
        }
        if let Some(Json::Array(words)) = schema.get("enum") {
            return (words[0].clone(), Json::Null);
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Json::Array(list)) = schema.get(key) {
                let at = self.pick(list);
                return self.value(&list[at], unit);
            }
        }
        let is = |word: &str| match &schema["type"] {
            Json::String(one) => one == word,
            Json::Array(several) => several.contains(&json!(word)),
            _ => false,
        };
        if is("object") {
            return self.object(schema, unit);
        }
        if is("array") {
            let n = schema["minItems"].as_u64().unwrap_or(2);
            return (0..n).map(|_| self.value(&schema["items"], unit)).unzip_json();
        }
        if is("number") {
            return (json!(1.0), json!(unit));
        }
        let plain = if is("integer") {
            json!(1)
        } else if is("boolean") {
            json!(true)
        } else {
            json!("t")
        };
        (plain, Json::Null)
    }

    fn object(&mut self, schema: &Json, unit: &str) -> (Json, Json) {
        let (mut values, mut units) = (Map::new(), Map::new());
        let properties = schema["properties"].as_object();
        // `{ line-to = [1, 2] }` is described as a whole
        let whole = if properties.is_some_and(|keys| keys.len() == 1) { unit } else { "" };
        for (key, of) in properties.into_iter().flatten() {
            if !LEFT_OUT.contains(&key.as_str()) {
                let (value, unit) = self.value(of, whole);
                values.insert(key.clone(), value);
                units.insert(key.clone(), unit);
            }
        }
        if let Some(of) = schema.get("additionalProperties").filter(|of| of.is_object()) {
            let (value, unit) = self.value(of, "");
            values.insert("x".into(), value);
            units.insert("x".into(), unit);
        }
        // of a motion: m or rad
        if values.get("coordinate") == Some(&json!("angle")) && units["function"].is_string() {
            units["function"] = json!("rad");
        }
        (Json::Object(values), Json::Object(units))
    }
}

trait UnzipJson {
    fn unzip_json(self) -> (Json, Json);
}

impl<I: Iterator<Item = (Json, Json)>> UnzipJson for I {
    fn unzip_json(self) -> (Json, Json) {
        let (a, b): (Vec<Json>, Vec<Json>) = self.unzip();
        (Json::Array(a), Json::Array(b))
    }
}

/// The first unit in brackets; empty if there is none.
fn written_unit(description: &str) -> String {
    let brackets = description.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    brackets.map(|unit| unit.replace(" or rad", "")).find(|unit| of(unit).is_some()).unwrap_or_default()
}

fn of(unit: &str) -> Option<Dimension> {
    match unit {
        "" => Some(Dimension::NONE),
        "Pa" => Some(Dimension::STRESS),
        "Hz" => Some(Dimension::FREQUENCY),
        "kg/m³" => Some(Dimension::DENSITY),
        "m⁴" => Some(Dimension::AREA.times(Dimension::AREA)),
        _ => Dimension::of_unit(unit),
    }
}

/// A number for each dimension; not 1 for a plain number, so that one that is not shown is found.
fn mark(dimension: Dimension) -> f64 {
    let primes = [2.0, 3.0, 5.0, 7.0, 11.0_f64];
    let power = |(p, e): (&f64, i8)| p.powi(e.into());
    13.0 * primes.iter().zip(dimension.exponents()).map(power).product::<f64>()
}

struct Marks;

impl Numbers for Marks {
    fn number(&mut self, x: &mut f64, dimension: Dimension) {
        *x = mark(dimension);
    }

    fn function(&mut self, function: &mut Expression, dimension: Dimension) {
        if let Expression::Constant(x) = function {
            *x = mark(dimension);
        }
    }
}

fn compare(path: &str, value: &Json, unit: &Json, seen: &mut BTreeSet<String>) {
    match unit {
        Json::Object(map) => {
            map.iter().for_each(|(k, u)| compare(&format!("{path}.{k}"), &value[k], u, seen))
        }
        Json::Array(list) => {
            list.iter().enumerate().for_each(|(i, u)| compare(path, &value[i], u, seen));
        }
        Json::String(unit) => {
            let wanted = mark(of(unit).expect("it was understood before"));
            let ours = value.as_f64().unwrap_or_else(|| panic!("{path} is {value}"));
            assert!(
                (ours / wanted - 1.0).abs() < 1e-12,
                "{path}: described in `{unit}`, shown otherwise or not"
            );
            seen.insert(path.into());
        }
        _ => {}
    }
}

#[test]
fn dimensions_are_those_of_the_units_in_the_descriptions() {
    let schema: Json = serde_json::from_str(&schema(false)).expect("it is JSON");
    let mut sampler = Sampler {
        definitions: &schema["$defs"],
        random: 1,
        choices: BTreeSet::new(),
        chosen: BTreeSet::new(),
    };
    let mut seen = BTreeSet::new();
    for _ in 0..SAMPLES {
        let (value, units) = sampler.object(&schema, "");
        let mut description: Description = serde_json::from_value(value).expect("it fits its own schema");
        description.quantities(&mut Marks);
        compare("", &serde_json::to_value(&description).expect("plain data"), &units, &mut seen);
    }
    assert_eq!(sampler.chosen, sampler.choices, "some kinds were never met");
    assert!(seen.len() > 80, "{} numbers: {seen:?}", seen.len());
}
