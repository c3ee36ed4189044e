//! Geometrically exact beams.

use super::{Builder, Built};
use crate::bodies;
use crate::description::ExactBeam;
use crate::error::{ModelError, Problem};
use carom_elastic::{CrossSection, ElasticError, MassKind, Order};

/// What carries shear in a rectangle, of its area.
const SHEAR_SHARE: f64 = 5.0 / 6.0;

impl Builder<'_> {
    pub(super) fn exact_beam(&self, key: &str, beam: &ExactBeam) -> Built<bodies::ExactBeam> {
        let wrong =
            |field: &str, error| ModelError::new(&["bodies", key, "elastic", field], Problem::Elastic(error));
        let order = match beam.order {
            1 => Order::Linear,
            2 => Order::Quadratic,
            other => {
                let error = ElasticError::other(
                    format!("there are no beam elements of order {other}"),
                    "use 1 for elements of two nodes or 2 for elements of three",
                );
                return Err(wrong("order", error));
            }
        };
        let [alpha, beta] = beam.damping.factors();
        let shear_area = beam.shear_area.unwrap_or(SHEAR_SHARE * beam.area);
        let (E, nu, I) = (beam.young, beam.poisson, beam.second_moment);
        let section = CrossSection::new(E, nu, beam.area, I, shear_area, beam.density)
            .and_then(|section| section.with_damping(beta))
            .map_err(|error| wrong("poisson", error))?;
        let elements = carom_elastic::ExactBeam::straight(beam.length, beam.elements, order, section)
            .map_err(|error| wrong("elements", error))?;
        let mass = if beam.lumped { MassKind::Lumped } else { MassKind::Consistent };
        let g = self.description.gravity;
        Ok(bodies::ExactBeam::new(elements, mass, alpha, g, beam.area, I))
    }
}
