//! `--resume`: finished rows on disk as they come, below a line that tells whose they are. A sweep that was cut off, by whatever,
//! goes on from them; one that is complete runs nothing. A line that was cut off itself is run again.

use super::cases::Cases;
use super::measure::Measure;
use super::row::Row;
use crate::digest::digest;
use crate::failure::Failure;
use crate::{answers, model};
use carom::Topic;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Rows that are there, and where more of them go.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    rows: HashMap<usize, Row>,
    file: Mutex<File>,
}

impl Journal {
    /// Reads what is there, and makes it ready for more.
    pub fn open(
        path: &Path,
        cases: &Cases<'_>,
        mine: &[usize],
        measures: &[Measure],
    ) -> Result<Self, Failure> {
        let head = head(cases, mine, measures);
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(cannot("read", path, &error)),
        };
        let mut lines = text.lines();
        // a head that was cut off has no rows below it
        if lines.next().is_some_and(|line| line != head) && text.contains('\n') {
            let wrong = format!("`{}` holds rows of another sweep", path.display());
            let help = "remove it, or name another folder with --out: the model, --vary, --measure, --shard or Carom changed";
            return Err(Failure::input(wrong, help, Topic::Sweep));
        }
        let rows = lines.filter_map(|line| serde_json::from_str::<Row>(line).ok());
        let rows: HashMap<usize, Row> = rows.map(|row| (row.index, row)).collect();
        // written anew and put in place at once, without the line that was cut off
        let mut whole = head + "\n";
        for index in mine {
            if let Some(row) = rows.get(index) {
                whole.push_str(&line(row));
            }
        }
        let new = path.with_extension("rows.new");
        fs::write(&new, whole)
            .and_then(|()| fs::rename(&new, path))
            .map_err(|error| cannot("write", path, &error))?;
        let file = File::options().append(true).open(path).map_err(|error| cannot("write", path, &error))?;
        Ok(Self { path: path.into(), rows, file: Mutex::new(file) })
    }

    /// The row of a case that was run before.
    pub fn row(&self, index: usize) -> Option<Row> {
        self.rows.get(&index).cloned()
    }

    /// Keeps a row.
    pub fn add(&self, row: &Row) -> Result<(), Failure> {
        let mut file = self.file.lock().expect("no thread panics while it holds this");
        file.write_all(line(row).as_bytes()).map_err(|error| cannot("write", &self.path, &error))
    }
}

fn line(row: &Row) -> String {
    serde_json::to_string(row).expect("a row is words and a number") + "\n"
}

/// Whose rows they are: all that a row depends on.
fn head(cases: &Cases<'_>, mine: &[usize], measures: &[Measure]) -> String {
    let first = mine.first().map(|&index| model::set_up(cases.found, &cases.changes(index)));
    // the cases were checked
    let setup = first.and_then(Result::ok);
    let keys: Vec<&str> = cases.axes.iter().map(|axis| axis.key.as_str()).collect();
    let values: Vec<Vec<&String>> =
        cases.axes.iter().map(|axis| axis.values.iter().map(|(value, _)| value).collect()).collect();
    let measures: Vec<String> = measures.iter().map(Measure::to_string).collect();
    let all = serde_json::json!([
        setup.as_ref().map(answers::fingerprint),
        cases.fixed,
        keys,
        values,
        measures,
        [mine.first(), mine.last()],
        mine.len(),
    ]);
    format!("# carom {} sweep {}", env!("CARGO_PKG_VERSION"), digest(all.to_string().bytes()))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    let wrong = format!("cannot {what} `{}`: {error}", path.display());
    Failure::input(wrong, "name another folder with --out", Topic::Sweep)
}
