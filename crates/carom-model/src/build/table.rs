//! The curves and functions that formulas of forces and events may call.

use super::Builder;
use crate::description::Table;
use crate::error::{ModelError, Problem};
use crate::expression::{MEASURES, function_names};
use crate::mechanics::Mechanics;
use crate::outer::{Functions, MOST_ARGUMENTS};
use crate::table;
use indexmap::IndexMap;

impl<S: Mechanics> Builder<'_, S> {
    /// Makes the curves, or notes what is wrong with them.
    pub(super) fn make_tables(&mut self, described: &IndexMap<String, Table>) {
        for (key, table) in described {
            match points(key, table) {
                Ok(points) => {
                    self.callables.tables.insert(key.clone(), table::Table::new(points).into());
                }
                Err(error) => self.errors.push(error),
            }
        }
    }

    /// Takes the functions of the program around, or notes what is wrong with their names.
    pub(super) fn take_functions(&mut self, functions: &Functions) {
        for (key, function) in &functions.0 {
            let wrong = |message: String, remedy: &str| {
                let problem = Problem::BadTable { message, remedy: remedy.into() };
                ModelError::new(&["functions", key], problem)
            };
            if !can_be_called(key) {
                let message = format!("a formula cannot call a function `{key}`");
                self.errors.push(wrong(message, CALLABLE));
            } else if self.callables.tables.contains_key(key) {
                let message = format!("`{key}` is a table and a function");
                self.errors.push(wrong(message, "give one of them another name"));
            } else if function.arguments() > MOST_ARGUMENTS {
                let message = format!("`{key}` takes {} arguments", function.arguments());
                self.errors.push(wrong(message, &format!("{MOST_ARGUMENTS} at most")));
            } else {
                self.callables.functions.0.insert(key.clone(), function.clone());
            }
        }
    }
}

/// What names of tables and functions are.
const CALLABLE: &str = "letters, digits and `_`, and no name that formulas have already";

/// Whether a formula can call something by this name.
fn can_be_called(key: &str) -> bool {
    let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !key.is_empty()
        && !key.starts_with(|c: char| c.is_ascii_digit());
    plain && key != "t" && !MEASURES.contains(&key) && function_names().all(|name| name != key)
}

fn points<'d>(key: &str, table: &'d Table) -> Result<&'d [[f64; 2]], ModelError> {
    let wrong = |field: &str, message: String, remedy: &str| {
        let path: Vec<&str> =
            ["tables", key].into_iter().chain((!field.is_empty()).then_some(field)).collect();
        Err(ModelError::new(&path, Problem::BadTable { message, remedy: remedy.into() }))
    };
    if !can_be_called(key) {
        return wrong("", format!("a formula cannot call a table `{key}`"), CALLABLE);
    }
    let points = match (&table.points, &table.file) {
        (Some(points), None) => points,
        (Some(_), Some(_)) => {
            return wrong("file", format!("`{key}` has points and a file"), "leave one of them out");
        }
        _ => return wrong("", format!("`{key}` has no points"), "`points = [[x, y], ...]`, or a `file`"),
    };
    if points.len() < 2 {
        return wrong("points", format!("`{key}` has {} point", points.len()), "two points or more");
    }
    if let Some([x, y]) = points.iter().find(|[x, y]| !x.is_finite() || !y.is_finite()) {
        return wrong("points", format!("`{key}` has the point [{x}, {y}]"), "finite numbers");
    }
    match points.windows(2).find(|two| two[0][0] >= two[1][0]) {
        Some(two) => {
            let message = format!("in `{key}`, {} comes after {}", two[1][0], two[0][0]);
            wrong("points", message, "points whose first number rises")
        }
        None => Ok(points),
    }
}
