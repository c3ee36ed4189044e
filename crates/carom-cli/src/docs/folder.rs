//! Where the rendered book lies: a folder of the user's own cache, named after version and content.

use super::render::File;
use carom::WriteError;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// FNV-1a, 64 bits: enough to tell two books apart.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// Writes what is not there yet, or is not as it should be, and returns the folder.
pub fn write(files: &[File]) -> Result<PathBuf, WriteError> {
    let name = format!("docs-{}-{:016x}", env!("CARGO_PKG_VERSION"), digest(files));
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

fn digest(files: &[File]) -> u64 {
    let bytes = files.iter().flat_map(|f| f.path.bytes().chain(f.content.iter().copied()));
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
