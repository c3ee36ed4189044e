//! Mesh files that a model names.

use super::{Files, LoadedModel};
use crate::diagnostic::{Diagnostic, Diagnostics, Topic};
use carom_model::description::{Elastic, InlineMesh, Mesh};

impl LoadedModel {
    /// Reads the mesh files, seen from the folder of the model file, and puts what they hold in their place.
    pub(super) fn read_meshes(&mut self, files: &Files<'_>) -> Result<(), Diagnostics> {
        let mut read = Vec::new();
        let mut wrong: Vec<Diagnostic> = Vec::new();
        for (key, body) in &self.description.bodies {
            let Some(Elastic::Solid(solid)) = &body.elastic else { continue };
            let Some(Mesh::File(name)) = &solid.mesh else { continue };
            let (file, text) = match files.read(&self.name, name) {
                Ok(read) => read,
                Err((file, error)) => {
                    let help = "the path of a Gmsh file in ASCII, seen from the folder of the model file";
                    let message = format!("cannot read the mesh `{file}`: {error}");
                    wrong.push(self.diagnose(&["bodies", key, "elastic", "mesh"], message, help));
                    continue;
                }
            };
            match InlineMesh::from_gmsh(&text) {
                Ok(mesh) => read.push((key.clone(), mesh)),
                Err(error) => wrong.push(self.wrong_mesh(key, &file, &text, &error.to_string())),
            }
        }
        if !wrong.is_empty() {
            return Err(Diagnostics { list: wrong });
        }
        for (key, mesh) in read {
            if let Some(Elastic::Solid(solid)) = &mut self.description.bodies[&key].elastic {
                solid.mesh = Some(Mesh::Inline(mesh));
            }
        }
        Ok(())
    }

    /// A mesh that cannot be used: at its own line where the sentence names one, else where the model names the mesh.
    fn wrong_mesh(&self, body: &str, file: &str, text: &str, said: &str) -> Diagnostic {
        let (message, help) = said.rsplit_once("; ").unwrap_or((said, "a mesh that Gmsh can open, in ASCII"));
        let line = message.strip_prefix("line ").and_then(|rest| {
            let (number, what) = rest.split_once(" of the Gmsh file: ")?;
            Some((number.parse::<usize>().ok()?, what))
        });
        match line {
            Some((number, what)) if number > 0 => {
                let before: usize = text.split_inclusive('\n').take(number - 1).map(str::len).sum();
                let line = text.lines().nth(number - 1).unwrap_or_default();
                let message = format!("the mesh of `{body}`: {what}");
                let range = before..before + line.len();
                Diagnostic::of_text(file, text, &range, message, help, Topic::Solids)
            }
            _ => {
                let message = format!("`{file}`: {message}");
                self.diagnose(&["bodies", body, "elastic", "mesh"], message, help)
            }
        }
    }
}
