//! Forces.

use super::{Builder, Built};
use crate::description::Force;
use crate::error::{ModelError, Problem};
use crate::forces::{Applied, Element, Spring, Torque, TorsionSpring};
use crate::geometry::plane::{norm, sub};
use carom_dynamics::Configuration;

impl Builder<'_> {
    pub(super) fn force(&mut self, key: &str, force: &Force, start: &Configuration) -> Built<()> {
        let element = match force {
            Force::Spring { between, stiffness, damping, length } => {
                let [first, second] = self.pair("forces", key, between)?;
                let (first, second) = (first.marker, second.marker);
                let now = norm(sub(first.at(start).r, second.at(start).r));
                let length = length.unwrap_or(now);
                // Without a free length the force k d is smooth through d = 0; with one, or with damping, it has a
                // direction only if d ≠ 0.
                if now == 0.0 && (length > 0.0 || *damping > 0.0) {
                    return Err(ModelError::new(&["forces", key, "between"], Problem::Coincident));
                }
                if *stiffness == 0.0 && *damping == 0.0 {
                    return Ok(());
                }
                Element::Spring(Spring { first, second, stiffness: *stiffness, damping: *damping, length })
            }
            Force::TorsionSpring { between, stiffness, damping, angle } => {
                let [first, second] = self.turning_pair("forces", key, between)?;
                let (stiffness, damping, angle) = (*stiffness, *damping, *angle);
                Element::TorsionSpring(TorsionSpring { first, second, stiffness, damping, angle })
            }
            Force::Force { on, force, follows } => {
                let path = ["forces", key, "on"];
                let on_marker = self.frame(on, &path)?.marker;
                if !on_marker.place.moves() {
                    return Err(ModelError::new(&path, Problem::Immovable { name: on.clone() }));
                }
                let x = self.signal(&force[0], &["forces", key, "force", "0"])?;
                let y = self.signal(&force[1], &["forces", key, "force", "1"])?;
                Element::Applied(Applied { on: on_marker, force: vec![x, y], follows: *follows })
            }
            Force::Torque { on, against, torque } => {
                let path = ["forces", key, "on"];
                let on_place = self.turning_place(on, &path)?;
                let against = against.as_deref().unwrap_or("ground");
                let against = self.turning_place(against, &["forces", key, "against"])?;
                if !on_place.moves() {
                    return Err(ModelError::new(&path, Problem::Immovable { name: on.clone() }));
                }
                self.two_bodies(&on_place, &against, &path)?;
                let torque = self.signal(torque, &["forces", key, "torque"])?;
                Element::Torque(Torque { on: on_place, against, torque })
            }
        };
        self.model.forces.push(element);
        Ok(())
    }
}
