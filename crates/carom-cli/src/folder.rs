//! The folder of results: opened before anything is computed, so that hours of work do not end at a folder that cannot be
//! written; and where they go if it cannot be written after all.

use crate::failure::{self, Failure};
use carom::Topic;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is written and taken away again to see whether a folder can be written.
const PROBE: &str = ".carom-probe";

/// A folder that could be written when it was opened. One that was made for the purpose goes away again unless it is kept.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Folders that were made on the way, the outermost first.
    made: Vec<PathBuf>,
}

impl Folder {
    /// Makes the folder if it is not there, and tries to write into it.
    pub fn open(path: &Path, option: &str, topic: Topic) -> Result<Self, Failure> {
        let help = format!("name another with {option}");
        if path.exists() && !path.is_dir() {
            let wrong = format!("`{}` is a file, and results need a folder", path.display());
            return Err(Failure::input(wrong, help, topic));
        }
        let mut made: Vec<PathBuf> = path
            .ancestors()
            .take_while(|p| !p.as_os_str().is_empty() && !p.exists())
            .map(Path::to_path_buf)
            .collect();
        made.reverse();
        let folder = Self { path: path.into(), made };
        folder.probe().map_err(|e| {
            Failure::input(format!("cannot write into the folder `{}`: {e}", path.display()), help, topic)
        })?;
        Ok(folder)
    }

    fn probe(&self) -> io::Result<()> {
        fs::create_dir_all(&self.path)?;
        let probe = self.path.join(PROBE);
        fs::write(&probe, "")?;
        fs::remove_file(probe)
    }

    /// There is something in it that stays.
    pub fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // those that are not empty stay, and so does what cannot be removed
        for made in self.made.iter().rev() {
            let _ = fs::remove_dir(made);
        }
    }
}

/// Writes by `write` into `out` or, if that fails now, into the first other folder that can be written: beside the current one,
/// or among temporary files. Answers where, and why not in `out`.
pub fn write_or_rescue<E: std::fmt::Display>(
    out: &Path,
    write: impl Fn(&Path) -> Result<(), E>,
) -> Result<(PathBuf, Option<String>), Failure> {
    let Err(why) = write(out) else { return Ok((out.into(), None)) };
    let mut name = out.file_name().unwrap_or("carom.out".as_ref()).to_os_string();
    name.push(format!(".rescued-{}", std::process::id()));
    for other in [PathBuf::from(&name), std::env::temp_dir().join(&name)] {
        if write(&other).is_ok() {
            return Ok((other, Some(why.to_string())));
        }
    }
    Err(failure::wrong(why).help("choose another folder with --out").run())
}

/// The failure of a command whose results went elsewhere.
pub fn rescued(why: &str, to: &Path) -> Failure {
    failure::wrong(why)
        .note(format_args!("what was computed is in {} instead", to.display()))
        .help("choose another folder with --out")
        .run()
}
