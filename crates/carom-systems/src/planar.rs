//! Channels of rigid bodies in the plane, named as those of an assembled model.

use carom_dynamics::{Channel, Quantity, VelocityInfo};

/// Place, angle and velocities of each body, six after six.
pub(crate) fn channels(bodies: &[&str]) -> Vec<Channel> {
    let quantities =
        [("x", "m"), ("y", "m"), ("angle", "rad"), ("vx", "m/s"), ("vy", "m/s"), ("omega", "rad/s")];
    let channel = |body: &str, (quantity, unit): (&str, &str)| Channel::new(body, quantity, unit);
    bodies.iter().flat_map(|body| quantities.map(|q| channel(body, q))).collect()
}

/// Each body turns, and that is its only velocity.
pub(crate) fn turning(bodies: &[&str]) -> Vec<VelocityInfo> {
    let velocity = |body| VelocityInfo { name: format!("{body}.omega"), quantity: Quantity::Angle };
    bodies.iter().map(velocity).collect()
}
