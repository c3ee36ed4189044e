//! Tables of points that a model names: CSV files with two columns.
//!
//! A row is two numbers, separated by a comma, a semicolon, a tab or blanks. Empty lines and what follows a `#` do not
//! count. The first row may be a head of words.

use super::{Files, LoadedModel};
use crate::diagnostic::{Diagnostic, Diagnostics, Topic};
use carom_model::AnyDescription;
use carom_model::description::{Piece, Shape, Through};
use std::ops::Range;

/// What is wrong with a table, at a piece of its text or as a whole.
#[derive(Debug, PartialEq)]
struct Wrong {
    range: Option<Range<usize>>,
    message: String,
    help: &'static str,
}

const ROW: &str = "two numbers in each row, such as `30, 25.4`: decimals with a point, and a comma, semicolon, tab or blanks between them";

impl LoadedModel {
    /// Reads the tables, seen from the folder of the model file, and puts their rows in their place.
    pub(super) fn read_tables(&mut self, files: &Files<'_>) -> Result<(), Diagnostics> {
        let mut wrong = Vec::new();
        let mut tables = std::mem::take(self.description.tables_mut());
        for (key, table) in &mut tables {
            // both are an error that the model finds
            let (Some(name), None) = (&table.file, &table.points) else { continue };
            let path = ["tables".to_string(), key.clone(), "file".to_string()];
            match self.rows_of(&path, name, files, Topic::Forces) {
                Ok(rows) => (table.file, table.points) = (None, Some(rows)),
                Err(diagnostic) => wrong.push(diagnostic),
            }
        }
        *self.description.tables_mut() = tables;
        self.read_outlines(files, &mut wrong);
        if wrong.is_empty() { Ok(()) } else { Err(Diagnostics { list: wrong }) }
    }

    /// The tables of points of outlines in the plane.
    fn read_outlines(&mut self, files: &Files<'_>, wrong: &mut Vec<Diagnostic>) {
        let Some(own) = self.description.plane_mut() else { return };
        let mut description = std::mem::take(own);
        let ground = (vec!["ground".to_string()], &mut description.ground.shapes);
        let bodies = description.bodies.iter_mut();
        let bodies = bodies.map(|(key, body)| (vec!["bodies".into(), key.clone()], &mut body.shapes));
        for (owner, shapes) in std::iter::once(ground).chain(bodies) {
            for (key, shape) in shapes {
                let mut path = owner.clone();
                path.extend(["shapes".into(), key.clone()]);
                each(shape, path, &mut |path, through| {
                    if let Err(diagnostic) = self.read_table(&path, through, files) {
                        wrong.push(diagnostic);
                    }
                });
            }
        }
        self.description = AnyDescription::Plane(description);
    }

    fn read_table(
        &self,
        path: &[String],
        through: &mut Through,
        files: &Files<'_>,
    ) -> Result<(), Diagnostic> {
        let Through::Table(table) = through else { return Ok(()) };
        // both are an error that the model finds
        let (Some(name), None) = (&table.file, &table.points) else { return Ok(()) };
        let path: Vec<String> = path.iter().cloned().chain(["file".into()]).collect();
        let rows = self.rows_of(&path, name, files, Topic::Shapes)?;
        (table.file, table.points) = (None, Some(rows));
        Ok(())
    }

    /// The rows of a CSV file that a table names.
    fn rows_of(
        &self,
        path: &[String],
        name: &str,
        files: &Files<'_>,
        topic: Topic,
    ) -> Result<Vec<[f64; 2]>, Diagnostic> {
        let (file, text) = files.read(&self.name, name).map_err(|(file, error)| {
            let help = "the path of a CSV file with two columns, seen from the folder of the model file";
            self.diagnose(path, format!("cannot read the table `{file}`: {error}"), help)
        })?;
        rows(&text).map_err(|Wrong { range, message, help }| match range {
            Some(range) => Diagnostic::of_text(&file, &text, &range, message, help, topic),
            None => self.diagnose(path, format!("`{file}`: {message}"), help),
        })
    }
}

/// Every list of points of a shape, with its path.
fn each(shape: &mut Shape, path: Vec<String>, see: &mut impl FnMut(Vec<String>, &mut Through)) {
    let under = |keys: &[&str]| path.iter().cloned().chain(keys.iter().map(|k| k.to_string())).collect();
    match shape {
        Shape::Spline { through, .. } => see(under(&["through"]), through),
        Shape::Path { pieces, .. } => {
            for (i, piece) in pieces.iter_mut().enumerate() {
                if let Piece::SplineThrough(through) = piece {
                    see(under(&["pieces", &i.to_string(), "spline-through"]), through);
                }
            }
        }
        _ => {}
    }
}

/// The rows of a table.
fn rows(text: &str) -> Result<Vec<[f64; 2]>, Wrong> {
    let mut rows: Vec<[f64; 2]> = Vec::new();
    let mut head = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let from = start;
        start += line.len();
        // a mark that some programs put before the first letter
        let own = line.strip_prefix('\u{feff}').unwrap_or(line);
        let from = from + line.len() - own.len();
        let own = own.split('#').next().unwrap_or_default();
        let content = own.trim();
        if content.is_empty() {
            continue;
        }
        let from = from + own.len() - own.trim_start().len();
        let place = |part: &str| {
            let offset = from + (part.as_ptr() as usize - content.as_ptr() as usize);
            Some(offset..offset + part.len())
        };
        let cells = cells(content);
        let numbers: Vec<Option<f64>> = cells.iter().map(|cell| cell.parse().ok()).collect();
        if rows.is_empty() && !head && numbers.iter().all(Option::is_none) {
            head = true;
            continue;
        }
        if let Some(i) = numbers.iter().position(Option::is_none) {
            let message = format!("`{}` is not a number", cells[i]);
            let range = if cells[i].is_empty() { place(content) } else { place(cells[i]) };
            return Err(Wrong { range, message, help: ROW });
        }
        let &[Some(x), Some(y)] = numbers.as_slice() else {
            let message = format!("a row of {} numbers", cells.len());
            return Err(Wrong { range: place(content), message, help: ROW });
        };
        if !(x.is_finite() && y.is_finite()) {
            let message = "a number that is not finite".into();
            return Err(Wrong { range: place(content), message, help: ROW });
        }
        if rows.last() == Some(&[x, y]) {
            let message = "the row repeats the one before".into();
            return Err(Wrong { range: place(content), message, help: "leave one of them out" });
        }
        rows.push([x, y]);
    }
    if rows.is_empty() {
        return Err(Wrong { range: None, message: "the table has no rows".into(), help: ROW });
    }
    Ok(rows)
}

/// Cells of a line; blanks separate them where nothing else does.
fn cells(content: &str) -> Vec<&str> {
    for separator in [';', ',', '\t'] {
        if content.contains(separator) {
            let mut cells: Vec<&str> = content.split(separator).map(str::trim).collect();
            // a separator at the end of each row
            if cells.len() > 2 && cells.last() == Some(&"") {
                cells.pop();
            }
            return cells;
        }
    }
    content.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_heads_and_remarks() {
        let expected = vec![[0.0, 25.0], [30.0, 25.5], [-6e1, 1e-3]];
        for text in [
            "angle,radius\n0,25\n30,25.5\n-6e1,1e-3\n",
            "0;25\r\n30;25.5\r\n-60;.001",
            "# a cam\n\n0 25\n  30\t25.5   # top\n-60   0.001\n",
            "\u{feff}\"angle\";\"radius\"\n0;25;\n30;25.5;\n-60;0.001;\n",
            "x\ty\n0\t25\n30\t25.5\n-60\t0.001",
        ] {
            assert_eq!(rows(text), Ok(expected.clone()), "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_is() {
        for (text, shown, message) in [
            ("0,25\n30,2x5\n", "2x5", "`2x5` is not a number"),
            ("0,25\n30\n", "30", "a row of 1 numbers"),
            ("a,b\n0,25,7 # three\n", "0,25,7", "a row of 3 numbers"),
            ("0,25\nangle,radius\n", "angle", "`angle` is not a number"),
            ("a,b\nc,d\n0,1\n", "c", "`c` is not a number"),
            ("0,25\n1,nan\n", "1,nan", "a number that is not finite"),
            ("0,25\n1,\n", "1,", "`` is not a number"),
            ("0,25\n 0 , 25\n", "0 , 25", "the row repeats the one before"),
            ("1,5;2,5\n2,5;3,5\n", "2,5", "`2,5` is not a number"),
        ] {
            let wrong = rows(text).unwrap_err();
            assert_eq!(wrong.message, message);
            assert_eq!(&text[wrong.range.unwrap()], shown);
        }
        for empty in ["", "# nothing\n", "x,y\n"] {
            assert_eq!(rows(empty).unwrap_err().range, None);
        }
    }
}
