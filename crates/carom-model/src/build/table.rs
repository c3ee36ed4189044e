//! The curves that formulas of forces may call.

use super::Builder;
use crate::description::Table;
use crate::error::{ModelError, Problem};
use crate::expression::{MEASURES, function_names};
use crate::mechanics::Mechanics;
use crate::table;
use indexmap::IndexMap;

impl<S: Mechanics> Builder<'_, S> {
    /// Makes the curves, or notes what is wrong with them.
    pub(super) fn make_tables(&mut self, described: &IndexMap<String, Table>) {
        for (key, table) in described {
            match points(key, table) {
                Ok(points) => {
                    self.tables.insert(key.clone(), table::Table::new(points).into());
                }
                Err(error) => self.errors.push(error),
            }
        }
    }
}

fn points<'d>(key: &str, table: &'d Table) -> Result<&'d [[f64; 2]], ModelError> {
    let wrong = |field: &str, message: String, remedy: &str| {
        let path: Vec<&str> =
            ["tables", key].into_iter().chain((!field.is_empty()).then_some(field)).collect();
        Err(ModelError::new(&path, Problem::BadTable { message, remedy: remedy.into() }))
    };
    let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !key.starts_with(|c: char| c.is_ascii_digit());
    if !plain || key == "t" || MEASURES.contains(&key) || function_names().any(|name| name == key) {
        let message = format!("a formula cannot call a table `{key}`");
        return wrong("", message, "letters, digits and `_`, and no name that formulas have already");
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
