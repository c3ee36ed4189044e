//! Where the rendered book lies: a folder of the user's own cache, named after version and content.

use super::render::File;
use crate::digest::digest;
use carom::WriteError;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Writes what is not there yet, or is not as it should be, and returns the folder.
pub fn write(files: &[File]) -> Result<PathBuf, WriteError> {
    let content = files.iter().flat_map(|f| f.path.bytes().chain(f.content.iter().copied()));
    let name = format!("docs-{}-{}", env!("CARGO_PKG_VERSION"), digest(content));
    let homes = [cache(), Some(env::temp_dir())];
    let folders: Vec<PathBuf> =
        homes.into_iter().flatten().map(|home| home.join("carom").join(&name)).collect();
    let (last, before) = folders.split_last().expect("there is always a folder for what is temporary");
    for folder in before {
        if fill(folder, files).is_ok() {
            return Ok(folder.clone());
        }
    }
    fill(last, files).map(|()| last.clone())
}

fn fill(folder: &Path, files: &[File]) -> Result<(), WriteError> {
    for File { path, content } in files {
        let path = folder.join(path);
        if fs::read(&path).is_ok_and(|there| there == *content) {
            continue;
        }
        carom::write_bytes(&path, content)?;
    }
    Ok(())
}

/// The folder for what can be made again, as each platform has it.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| {
        if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            Some(absolute("HOME")?.join("Library/Caches"))
        } else {
            Some(absolute("HOME")?.join(".cache"))
        }
    })
}
