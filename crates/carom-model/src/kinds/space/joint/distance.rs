//! A massless rod between two points; its data are those of the plane.

use super::JointKind;
use crate::build::{Built, SpaceBuilder, TOUCHING};
use crate::error::{ModelError, Problem};
use crate::geometry::{norm, sub};
use crate::joints::{self, SpaceElement};
use crate::kinds::joint::Distance;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;

impl JointKind for Distance {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let [one, two] = builder.pair("joints", key, &self.between)?;
        let (first, second) = (one.marker, two.marker);
        let now = norm(sub(first.at(start).r, second.at(start).r));
        if now <= TOUCHING * builder.length_scale() {
            return Err(ModelError::new(&["joints", key, "between"], Problem::Coincident));
        }
        let length = self.length.unwrap_or(now);
        builder.add_joint(key, vec![SpaceElement::Distance(joints::Distance { first, second, length })]);
        Ok(vec![one.anchor, two.anchor])
    }
}
