//! From a description to a model that is ready to run.

use carom_model::{Description, Model};

/// A model with a consistent start.
#[derive(Debug)]
pub struct Mechanism {
    /// The system.
    pub model: Model,
    /// Coordinates at the start.
    pub q: Vec<f64>,
    /// Velocities at the start.
    pub v: Vec<f64>,
}

impl Mechanism {
    /// Builds and assembles.
    pub fn new(description: &Description) -> Result<Self, String> {
        let model = Model::new(description).map_err(|e| e.to_string())?;
        let start = model.assemble().map_err(|e| e.to_string())?;
        Ok(Self { model, q: start.q, v: start.v })
    }

    /// (q, v) at the start.
    pub fn start(&self) -> (&[f64], &[f64]) {
        (&self.q, &self.v)
    }
}
