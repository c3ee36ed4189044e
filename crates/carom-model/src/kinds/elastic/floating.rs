//! What bodies in a floating frame share: the frame, the shapes they are reduced to.

use super::{Damping, wrong};
use crate::bodies::{Flexible, Floating};
use crate::build::{Builder, Built};
use crate::description::{Body, Point};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use carom_elastic::{Choice, Elastic, ElasticError, FiniteElements, Material};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a floating frame is tied to the deformation of its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// Tangent at the first end: no displacement and no rotation there.
    #[default]
    Clamped,
    /// Its x axis goes through both ends.
    Pinned,
    /// No displacement at the first end, no angular momentum of the deformation about it.
    Articulated,
    /// No linear and no angular momentum of the deformation.
    MeanAxis,
}

/// Shapes that an elastic body is reduced to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Modes {
    /// The first so many eigenmodes.
    Count(usize),
    /// Chosen shapes.
    Chosen(ChosenModes),
}

/// Chosen shapes: eigenmodes by one of `count`, `numbers`, `below`; all of them if none is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChosenModes {
    /// The first so many eigenmodes.
    pub count: Option<usize>,
    /// Eigenmodes by their numbers; the slowest is 1.
    pub numbers: Option<Vec<usize>>,
    /// All eigenmodes below a frequency (Hz).
    pub below: Option<f64>,
    /// Points of the body whose displacements are exact for forces there (Craig–Bampton); the eigenmodes are then those
    /// with these points held.
    pub interface: Vec<String>,
    /// Points of the body for which the static deflection that the eigenmodes miss is added.
    pub correction: Vec<String>,
}

impl Modes {
    /// Shows every number with its dimension.
    pub(super) fn quantities(&mut self, see: &mut dyn Numbers) {
        let Modes::Chosen(chosen) = self else { return };
        let ChosenModes { count: _, numbers: _, below, interface: _, correction: _ } = chosen;
        see.all(below, Dimension::FREQUENCY);
    }
}

/// What carries elements, besides the elements.
pub(super) struct Carriage<'a> {
    pub reference: Reference,
    pub modes: Option<&'a Modes>,
    pub damping: &'a Damping,
    pub damping_ratios: &'a [f64],
    pub stiffening: bool,
}

impl Carriage<'_> {
    /// Any elements in a floating frame.
    pub fn build(
        &self,
        key: &str,
        body: &Body,
        elements: Arc<dyn FiniteElements>,
        builder: &Builder,
    ) -> Built<Arc<dyn Flexible>> {
        let reference = match self.reference {
            Reference::Clamped => carom_elastic::Reference::Clamped,
            Reference::Pinned => carom_elastic::Reference::Pinned,
            Reference::Articulated => carom_elastic::Reference::Articulated,
            Reference::MeanAxis => carom_elastic::Reference::MeanAxis,
        };
        let damping = self.damping(key)?;
        let elastic = match self.modes {
            None => Elastic::nodal(elements, reference, &damping),
            Some(modes) => Elastic::modal(elements, reference, &chosen(key, body, modes)?, &damping),
        };
        let field: &[&str] = if self.modes.is_some() { &["modes"] } else { &[] };
        let elastic = elastic.map_err(|error| wrong(key, field, error))?;
        let floating = Floating::new(elastic, builder.gravity(), self.stiffening);
        Ok(Arc::new(floating.map_err(|error| wrong(key, &["stiffening"], error))?))
    }

    fn damping(&self, key: &str) -> Built<carom_elastic::Damping> {
        let [mass, stiffness] = self.damping.factors();
        match (self.damping_ratios, [mass, stiffness] == [0.0; 2]) {
            ([], true) => Ok(carom_elastic::Damping::None),
            ([], false) => Ok(carom_elastic::Damping::Rayleigh { mass, stiffness }),
            (ratios, true) => Ok(carom_elastic::Damping::Ratios(ratios.to_vec())),
            (_, false) => Err(wrong(
                key,
                &["damping_ratios"],
                ElasticError::other("the damping is given twice", "leave `damping` or `damping_ratios` out"),
            )),
        }
    }
}

fn chosen(key: &str, body: &Body, modes: &Modes) -> Built<carom_elastic::Modes> {
    let chosen = match modes {
        Modes::Count(count) => return Ok(carom_elastic::Modes::lowest(*count)),
        Modes::Chosen(chosen) => chosen,
    };
    let points = |field: &str, names: &[String]| -> Built<Vec<Material>> {
        let one = |(i, name): (usize, &String)| match body.points.get(name) {
            Some(Point::At(at) | Point::Frame { at, .. }) => Ok(Material::At(*at)),
            Some(Point::Node { node, .. }) => Ok(Material::Node(*node)),
            None => {
                let known = body.points.keys().cloned().collect();
                let problem = Problem::Unknown { what: "point", name: name.clone(), known };
                let path = ["bodies", key, "elastic", "modes", field, &i.to_string()];
                Err(ModelError::new(&path, problem))
            }
        };
        names.iter().enumerate().map(one).collect()
    };
    let choice = match (chosen.count, &chosen.numbers, chosen.below) {
        (None, None, None) => Choice::All,
        (Some(count), None, None) => Choice::Lowest(count),
        (None, Some(numbers), None) => Choice::Numbers(numbers.clone()),
        (None, None, Some(frequency)) => Choice::Below(frequency),
        _ => {
            let error = ElasticError::other(
                "eigenmodes are chosen in two ways",
                "keep one of `count`, `numbers` and `below`",
            );
            return Err(wrong(key, &["modes"], error));
        }
    };
    Ok(carom_elastic::Modes {
        interface: points("interface", &chosen.interface)?,
        correction: points("correction", &chosen.correction)?,
        ..carom_elastic::Modes::eigenmodes(choice)
    })
}
