//! Many bodies of one kind.
//!
//! ```text
//!   place of number (i, j, k):  position + (i p_x, j p_y, k p_z) + jitter,       i < n_x, j < n_y, k < n_z, x fastest
//! ```
//!
//! `[bodies.ball]` with `repeat` stands for `ball-1`, `ball-2`, and so on; `ball` is then a group of all of them, `ball.skin` one of
//! their shapes. Jitter and turns follow from the seed alone, by [Steele2014]'s generator: same file, same bodies.

use super::{Description, Rotation};
use crate::error::{ModelError, Problem};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Most bodies that one file makes.
pub const MOST_BODIES: usize = 50_000;

/// A block of bodies in the place of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Repeat {
    /// How many along x, y and z.
    pub counts: [u32; 3],
    /// From one to the next along x, y and z (m); the first is at `position`.
    pub pitch: [f64; 3],
    /// Each is shifted at random, by so much at most along each axis (m).
    pub jitter: f64,
    /// Whether each is turned at random.
    pub turned: bool,
    /// What chance follows from.
    pub seed: u32,
}

impl Default for Repeat {
    fn default() -> Self {
        Self { counts: [1; 3], pitch: [0.0; 3], jitter: 0.0, turned: false, seed: 0 }
    }
}

/// [Steele2014]'s SplitMix64.
struct Chance(u64);

impl Chance {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A rotation, all alike likely.
    fn rotation(&mut self) -> [f64; 4] {
        let [u, a, b] = [self.next(), TAU * self.next(), TAU * self.next()];
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        [r * a.sin(), r * a.cos(), s * b.sin(), s * b.cos()]
    }
}

impl Description {
    /// Whether any body stands for several.
    pub fn has_repeats(&self) -> bool {
        self.bodies.values().any(|body| body.repeat.is_some())
    }

    /// The same with every body by itself.
    pub fn expanded(&self) -> Result<Self, ModelError> {
        let mut new = Self { bodies: IndexMap::new(), ..self.clone() };
        let total: f64 = self.bodies.values().map(|b| b.repeat.as_ref().map_or(1.0, Repeat::bodies)).sum();
        for (key, body) in &self.bodies {
            let Some(repeat) = &body.repeat else {
                new.bodies.insert(key.clone(), body.clone());
                continue;
            };
            repeat.check(key, total)?;
            let begin = format!("{key}-");
            if let Some(other) = self.bodies.keys().find(|other| other.starts_with(&begin)) {
                let message = format!("`{key}` is repeated as `{begin}1` and so on, and there is `{other}`");
                return Err(wrong(&["bodies", key, "repeat"], message, "give one of the two another name"));
            }
            let groups = std::iter::once((key.clone(), format!("{begin}*")));
            let of_shapes =
                body.shapes.keys().map(|shape| (format!("{key}.{shape}"), format!("{begin}*.{shape}")));
            for (name, pattern) in groups.chain(of_shapes) {
                if new.groups.insert(name.clone(), vec![pattern]).is_some() {
                    let problem =
                        Problem::DuplicateName { name: name.clone(), other: "a body that is repeated" };
                    return Err(ModelError::new(&["groups", &name], problem));
                }
            }
            let mut chance = Chance(u64::from(repeat.seed));
            let [n_x, n_y, n_z] = repeat.counts;
            let places = (0..n_z).flat_map(|k| (0..n_y).flat_map(move |j| (0..n_x).map(move |i| [i, j, k])));
            for (number, place) in places.enumerate() {
                let mut one = body.clone();
                one.repeat = None;
                for axis in 0..3 {
                    let shift = repeat.jitter * (2.0 * chance.next() - 1.0);
                    one.position[axis] += repeat.pitch[axis] * f64::from(place[axis]) + shift;
                }
                let turned = chance.rotation();
                if repeat.turned {
                    one.rotation = Some(Rotation { quaternion: Some(turned), ..Rotation::default() });
                }
                new.bodies.insert(format!("{begin}{}", number + 1), one);
            }
        }
        Ok(new)
    }
}

impl Repeat {
    /// How many; as a number that cannot overflow.
    fn bodies(&self) -> f64 {
        self.counts.iter().map(|&n| f64::from(n)).product()
    }

    fn check(&self, key: &str, total: f64) -> Result<(), ModelError> {
        let at = |field| ["bodies", key, "repeat", field];
        if self.counts.contains(&0) {
            let message = format!("`{key}` is repeated no times along an axis");
            return Err(wrong(&at("counts"), message, "give each axis a count of 1 or more"));
        }
        if total > MOST_BODIES as f64 {
            let message = format!("`repeat` makes {} bodies of `{key}`, {total} in all", self.bodies());
            return Err(wrong(
                &at("counts"),
                message,
                &format!("{MOST_BODIES} at most: take fewer, or larger ones"),
            ));
        }
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if !self.pitch[axis].is_finite() || (self.counts[axis] > 1 && self.pitch[axis] == 0.0) {
                let message =
                    format!("`{key}` is repeated along {name} with a pitch of {}", self.pitch[axis]);
                return Err(wrong(&at("pitch"), message, "give it the distance from one to the next"));
            }
        }
        if !(self.jitter >= 0.0 && self.jitter.is_finite()) {
            let message = format!("the jitter of `{key}` is {}", self.jitter);
            return Err(wrong(&at("jitter"), message, "a length of 0 or more"));
        }
        Ok(())
    }
}

fn wrong(path: &[&str], message: String, remedy: &str) -> ModelError {
    ModelError::new(path, Problem::BadShape { message, remedy: remedy.into() })
}
