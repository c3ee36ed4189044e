//! Files that a model names: meshes and tables.

use std::path::Path;

/// Where they are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Files<'a> {
    /// In the folder of the model file.
    Folder,
    /// Among these names and texts, which came with the text of the model.
    Given(&'a [(&'a str, &'a str)]),
}

impl Files<'_> {
    /// Path for messages, and text; or path and what is wrong. `model` is the model file.
    pub fn read(&self, model: &str, name: &str) -> Result<(String, String), (String, String)> {
        match self {
            Files::Folder => {
                let folder = Path::new(model).parent().unwrap_or(Path::new(""));
                let file = folder.join(name);
                let shown = file.display().to_string();
                match std::fs::read_to_string(&file) {
                    Ok(text) => Ok((shown, text)),
                    Err(error) => Err((shown, error.to_string())),
                }
            }
            Files::Given(files) => match files.iter().find(|(known, _)| *known == name) {
                Some((_, text)) => Ok((name.into(), (*text).into())),
                None => Err((name.into(), format!("it did not come with `{model}`"))),
            },
        }
    }
}
