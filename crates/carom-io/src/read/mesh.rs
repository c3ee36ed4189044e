//! Mesh files that a model names.

use super::LoadedModel;
use crate::diagnostic::{Diagnostic, Diagnostics};
use carom_model::description::{Elastic, InlineMesh, Mesh};
use std::path::Path;

impl LoadedModel {
    /// Reads the mesh files, seen from the folder of the model file, and puts what they hold in their place.
    pub(super) fn read_meshes(&mut self) -> Result<(), Diagnostics> {
        let folder = Path::new(&self.name).parent().unwrap_or(Path::new("")).to_path_buf();
        let mut read = Vec::new();
        let mut wrong: Vec<Diagnostic> = Vec::new();
        for (key, body) in &self.description.bodies {
            let Some(Elastic::Solid(solid)) = &body.elastic else { continue };
            let Some(Mesh::File(name)) = &solid.mesh else { continue };
            let file = folder.join(name);
            let mut at_mesh = |message: String, help: String| {
                wrong.push(self.diagnose(&["bodies", key, "elastic", "mesh"], message, help));
            };
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(error) => {
                    let help = "the path of a Gmsh file in ASCII, seen from the folder of the model file";
                    at_mesh(format!("cannot read the mesh `{}`: {error}", file.display()), help.into());
                    continue;
                }
            };
            match InlineMesh::from_gmsh(&text) {
                Ok(mesh) => read.push((key.clone(), mesh)),
                Err(error) => {
                    let said = error.to_string();
                    let (message, help) =
                        said.rsplit_once("; ").unwrap_or((&said, "a mesh that Gmsh can open"));
                    at_mesh(format!("`{}`: {message}", file.display()), help.into());
                }
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
}
