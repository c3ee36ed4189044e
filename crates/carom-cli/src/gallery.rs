//! The models and systems that come with Carom, and where the model of a command lies.

use crate::failure::Failure;
use carom::{SYSTEMS, SystemInfo, Topic, suggest};
pub use carom_gallery::{FILES, MODELS as GALLERY};
use std::path::{Path, PathBuf};

/// Names and texts of the files of a gallery model.
pub fn files(model: &str) -> Vec<(&'static str, &'static str)> {
    FILES.iter().filter(|(of, ..)| *of == model).map(|&(_, name, text)| (name, text)).collect()
}

/// A model that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// What messages call it: the path of the file, or the name in the gallery or of the system.
    pub name: String,
    /// What it is.
    pub what: What,
    /// Where results go unless told otherwise.
    pub out: PathBuf,
}

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum What {
    /// A file.
    File(PathBuf),
    /// The gallery: its text.
    Gallery(&'static str),
    /// A coded system.
    System(&'static SystemInfo),
}

/// A file, a folder with a `model.toml`, the name of a gallery model, or of a coded system, in this order.
pub fn find(model: &str) -> Result<Found, Failure> {
    let path = Path::new(model);
    let of_file = |file: PathBuf| Found {
        name: file.display().to_string(),
        out: file.with_extension("out"),
        what: What::File(file),
    };
    if path.is_file() {
        return Ok(of_file(path.into()));
    }
    if path.join("model.toml").is_file() {
        return Ok(of_file(path.join("model.toml")));
    }
    let named = |what| Found { name: model.into(), out: PathBuf::from(format!("{model}.out")), what };
    if let Some((_, text)) = GALLERY.iter().find(|(name, _)| *name == model) {
        return Ok(named(What::Gallery(text)));
    }
    if let Some(info) = SystemInfo::find(model) {
        return Ok(named(What::System(info)));
    }
    if path.is_dir() {
        return Err(Failure::Input(format!(
            "error: `{model}` is a folder without a model.toml\n  = help: name a model file; what is in a folder of results \
             is shown by carom report, plot, picture and animate"
        )));
    }
    Err(Failure::Input(explain_missing(model)))
}

fn explain_missing(model: &str) -> String {
    let mut message = format!(
        "error: there is no model file `{model}`, and no gallery model or coded system of this name\n"
    );
    let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    let systems: Vec<&str> = SYSTEMS.iter().map(|s| s.name).collect();
    if let Some(name) = suggest::nearest(model, names.iter().chain(&systems).copied()) {
        message.push_str(&format!("  = help: did you mean `{name}`?\n"));
    }
    if let Some((folder, file)) = Path::new(model).parent().zip(Path::new(model).file_name())
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        let file = file.to_string_lossy();
        message
            .push_str(&format!("  = help: the folder `{}` of `{file}` does not exist\n", folder.display()));
    }
    let all = if names.is_empty() { "nothing".into() } else { names.join(", ") };
    message.push_str(&format!(
        "  = help: in the gallery: {all}\n  = help: coded systems: {}\n  = help: `carom new` writes a model to \
         start from\n  = docs: {}",
        systems.join(", "),
        Topic::CommandLine
    ));
    message
}
