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
use std::fs::{File, TryLockError};
use std::io::{Read, Write};
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
        let wrong = |error: std::io::Error| cannot(path, &error);
        let mut file = File::options().read(true).append(true).create(true).open(path).map_err(wrong)?;
        // two programs must not write the same rows; where a file system knows no locks, nobody is kept away
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let wrong = format!("another program is writing `{}`", path.display());
            return Err(Failure::input(
                wrong,
                "wait for it, or name another folder with --out",
                Topic::Sweep,
            ));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(wrong)?;
        // a line that was cut off goes
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(wrong)?;
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines();
        match lines.next() {
            None => writeln!(file, "{head}").map_err(wrong)?,
            Some(line) if line == head => {}
            Some(_) => {
                let wrong = format!("`{}` holds rows of another sweep", path.display());
                let help = "remove it, or name another folder with --out: the model, --vary, --measure, --shard or Carom changed";
                return Err(Failure::input(wrong, help, Topic::Sweep));
            }
        }
        let rows = lines.filter_map(|line| serde_json::from_str::<Row>(line).ok());
        let rows = rows.map(|row| (row.index, row)).collect();
        Ok(Self { path: path.into(), rows, file: Mutex::new(file) })
    }

    /// The row of a case that was run before.
    pub fn row(&self, index: usize) -> Option<Row> {
        self.rows.get(&index).cloned()
    }

    /// Keeps a row.
    pub fn add(&self, row: &Row) -> Result<(), Failure> {
        let mut file = self.file.lock().expect("no thread panics while it holds this");
        let line = serde_json::to_string(row).expect("a row is words and a number") + "\n";
        file.write_all(line.as_bytes()).map_err(|error| cannot(&self.path, &error))
    }
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

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    let wrong = format!("cannot keep rows in `{}`: {error}", path.display());
    Failure::input(wrong, "name another folder with --out", Topic::Sweep)
}
