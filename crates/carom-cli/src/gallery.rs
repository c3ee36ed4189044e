//! The models that come with Carom, and where the model of a command lies.

use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// Name and text of every gallery model, in alphabetical order.
pub const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// A model that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What messages call it: the path of the file, or the name in the gallery.
    pub name: String,
    /// The file; none for the gallery.
    pub file: Option<PathBuf>,
    /// Text of a gallery model.
    pub text: &'static str,
    /// Where results go unless told otherwise.
    pub out: PathBuf,
}

/// A file, a folder with a `model.toml`, or the name of a gallery model, in this order.
pub fn find(model: &str) -> Result<Found, Failure> {
    let path = Path::new(model);
    let of_file = |file: PathBuf| Found {
        name: file.display().to_string(),
        out: file.with_extension("out"),
        file: Some(file),
        text: "",
    };
    if path.is_file() {
        return Ok(of_file(path.into()));
    }
    if path.join("model.toml").is_file() {
        return Ok(of_file(path.join("model.toml")));
    }
    if let Some((name, text)) = GALLERY.iter().find(|(name, _)| *name == model) {
        let out = PathBuf::from(format!("{name}.out"));
        return Ok(Found { name: (*name).into(), file: None, text, out });
    }
    Err(Failure::Input(explain_missing(model)))
}

fn explain_missing(model: &str) -> String {
    let mut message = format!("error: there is no model file `{model}`, and no gallery model of this name\n");
    let near = GALLERY
        .iter()
        .map(|(name, _)| (strsim::jaro_winkler(name, model), *name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, name)) = near {
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
    let names: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    let all = if names.is_empty() { "nothing".into() } else { names.join(", ") };
    message.push_str(&format!("  = help: in the gallery: {all}"));
    message
}
