//! Elastic bodies in a floating frame, from their description.

use super::{Builder, Built};
use crate::bodies::Floating;
use crate::description::{self, Beam, Body, Damping, Modes, Point};
use crate::error::{ModelError, Problem};
use carom_elastic::{
    Choice, Elastic, ElasticError, FiniteElements, Material, Reference, RotaryInertia, Section,
};
use std::sync::Arc;

/// What carries elements, besides the elements.
pub(super) struct Carriage<'a> {
    pub reference: description::Reference,
    pub modes: Option<&'a Modes>,
    pub damping: &'a Damping,
    pub damping_ratios: &'a [f64],
    pub stiffening: bool,
}

impl Builder<'_> {
    pub(super) fn beam(&self, key: &str, body: &Body, beam: &Beam) -> Built<Floating> {
        let section = Section {
            modulus: beam.young,
            area: beam.area,
            second_moment: beam.second_moment,
            density: beam.density,
            height: beam.height,
        };
        let rotary = match beam.rotary_inertia {
            description::RotaryInertia::None => RotaryInertia::None,
            description::RotaryInertia::Rigid => RotaryInertia::Rigid,
            description::RotaryInertia::Full => RotaryInertia::Full,
        };
        let at = |field: &str, error| wrong(key, &[field], error);
        let elements = carom_elastic::Beam::uniform(beam.length, beam.elements, section)
            .map_err(|error| at("elements", error))?
            .with_rotary_inertia(rotary)
            .with_outputs_at(beam.section_forces.clone())
            .map_err(|error| at("section_forces", error))?;
        let carriage = Carriage {
            reference: beam.reference,
            modes: beam.modes.as_ref(),
            damping: &beam.damping,
            damping_ratios: &beam.damping_ratios,
            stiffening: beam.stiffening,
        };
        self.floating(key, body, Arc::new(elements), &carriage)
    }

    /// Any elements in a floating frame.
    pub(super) fn floating(
        &self,
        key: &str,
        body: &Body,
        elements: Arc<dyn FiniteElements>,
        carriage: &Carriage,
    ) -> Built<Floating> {
        let reference = match carriage.reference {
            description::Reference::Clamped => Reference::Clamped,
            description::Reference::Pinned => Reference::Pinned,
            description::Reference::Articulated => Reference::Articulated,
            description::Reference::MeanAxis => Reference::MeanAxis,
        };
        let damping = damping(key, carriage)?;
        let elastic = match carriage.modes {
            None => Elastic::nodal(elements, reference, &damping),
            Some(modes) => Elastic::modal(elements, reference, &chosen(key, body, modes)?, &damping),
        };
        let field: &[&str] = if carriage.modes.is_some() { &["modes"] } else { &[] };
        let elastic = elastic.map_err(|error| wrong(key, field, error))?;
        Floating::new(elastic, self.description.gravity, carriage.stiffening)
            .map_err(|error| wrong(key, &["stiffening"], error))
    }
}

/// An error at `bodies.<key>.elastic.<fields>`.
pub(super) fn wrong(key: &str, fields: &[&str], error: ElasticError) -> ModelError {
    let path = [&["bodies", key, "elastic"], fields].concat();
    ModelError::new(&path, Problem::Elastic(error))
}

fn damping(key: &str, carriage: &Carriage) -> Built<carom_elastic::Damping> {
    let [mass, stiffness] = carriage.damping.factors();
    match (carriage.damping_ratios, [mass, stiffness] == [0.0; 2]) {
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
