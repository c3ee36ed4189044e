//! The models and systems that come with Carom, and where the model of a command lies.

use crate::failure::{self, Failure};
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
        let right = "name a model file; what is in a folder of results is shown by carom report, plot, picture and animate";
        return Err(failure::wrong(format_args!("`{model}` is a folder without a model.toml"))
            .help(right)
            .input());
    }
    Err(missing(model))
}

fn missing(model: &str) -> Failure {
    let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    let systems: Vec<&str> = SYSTEMS.iter().map(|s| s.name).collect();
    let near = suggest::nearest(model, names.iter().chain(&systems).copied());
    let what = format!("there is no model file `{model}`, and no gallery model or coded system of this name");
    let mut said = failure::wrong(what).did_you_mean(near);
    if let Some((folder, file)) = Path::new(model).parent().zip(Path::new(model).file_name())
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        let (folder, file) = (folder.display(), file.to_string_lossy());
        said = said.help(format_args!("the folder `{folder}` of `{file}` does not exist"));
    }
    let all = if names.is_empty() { "nothing".into() } else { names.join(", ") };
    said.help(format_args!("in the gallery: {all}"))
        .help(format_args!("coded systems: {}", systems.join(", ")))
        .help("`carom new` writes a model to start from")
        .docs(Topic::CommandLine)
        .input()
}
