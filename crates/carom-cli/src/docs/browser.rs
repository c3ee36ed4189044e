//! Opening a page in the reader's browser.

use crate::html::percent;
use std::env;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::process::{Command, Stdio};

/// Opens a file at a section, if somebody sits in front of a screen. Whether it worked nobody needs to know: the path
/// has been said.
pub fn open(file: &Path, section: &str) {
    let display = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|v| !v.is_empty()));
    if !display || !stdout().is_terminal() {
        return;
    }
    let path = file.to_string_lossy().replace('\\', "/");
    let slash = if path.starts_with('/') { "" } else { "/" };
    let fragment = section.strip_prefix('#').map_or(String::new(), |id| format!("#{}", percent(id)));
    let address = format!("file://{slash}{}{fragment}", percent(&path).replace("%3A", ":"));
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
