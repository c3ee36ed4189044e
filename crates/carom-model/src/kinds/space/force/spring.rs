//! Springs and dampers along a line; their data are those of the plane.

use super::ForceKind;
use crate::build::{Built, SpaceBuilder};
use crate::error::{ModelError, Problem};
use crate::forces::{self, Drive, SpaceForce};
use crate::geometry::{norm, sub};
use crate::kinds::force::Spring;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;

impl ForceKind for Spring {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let [one, two] = builder.pair("forces", key, &self.between)?;
        let (first, second) = (one.marker, two.marker);
        let now = norm(sub(first.at(start).r, second.at(start).r));
        let (stiffness, damping, length) = (self.stiffness, self.damping, self.length.unwrap_or(now));
        // with a free length or with damping it has a direction only where the points are apart
        if now == 0.0 && (length > 0.0 || damping > 0.0 || self.force.is_some()) {
            return Err(ModelError::new(&["forces", key, "between"], Problem::Coincident));
        }
        if let Some((along, load)) = self.tension(key, builder, [&first, &second], length)? {
            builder.add_force(SpaceForce::Drive(Drive { along, load, pulls: true }));
        }
        if stiffness != 0.0 || damping != 0.0 {
            let spring = forces::Spring { first, second, stiffness, damping, length };
            builder.add_force(SpaceForce::Spring(spring));
        }
        Ok(vec![one.anchor, two.anchor])
    }
}
