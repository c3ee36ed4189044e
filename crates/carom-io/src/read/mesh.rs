//! Mesh files that a model names.

use super::{Files, LoadedModel};
use crate::diagnostic::{Diagnostic, Diagnostics, Topic};
use carom_model::MeshError;
use carom_model::description::{Elastic, InlineMesh, Mesh};

impl LoadedModel {
    /// Reads the mesh files, seen from the folder of the model file, and puts what they hold in their place.
    pub(super) fn read_meshes(&mut self, files: &Files<'_>) -> Result<(), Diagnostics> {
        let mut read = Vec::new();
        let mut wrong: Vec<Diagnostic> = Vec::new();
        let Some(description) = self.description.plane() else { return Ok(()) };
        for (key, body) in &description.bodies {
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
                Err(error) => wrong.push(self.wrong_mesh(key, &file, &text, &error)),
            }
        }
        if !wrong.is_empty() {
            return Err(Diagnostics { list: wrong });
        }
        for (key, mesh) in read {
            let body = self.description.plane_mut().map(|description| &mut description.bodies[&key]);
            if let Some(Elastic::Solid(solid)) = body.and_then(|body| body.elastic.as_mut()) {
                solid.mesh = Some(Mesh::Inline(mesh));
            }
        }
        Ok(())
    }

    /// A mesh that cannot be used: at its own line where the error names one, else where the model names the mesh.
    fn wrong_mesh(&self, body: &str, file: &str, text: &str, error: &MeshError) -> Diagnostic {
        let help = error.remedy();
        match error {
            MeshError::Gmsh { line, what, .. } if *line > 0 => {
                let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
                let written = text.lines().nth(line - 1).unwrap_or_default();
                let message = format!("the mesh of `{body}`: {what}");
                let range = before..before + written.len();
                Diagnostic::of_text(file, text, &range, message, help, Topic::Solids)
            }
            _ => {
                let message = format!("`{file}`: {}", error.wrong());
                self.diagnose(&["bodies", body, "elastic", "mesh"], message, help)
            }
        }
    }
}
