//! Who touches whom, and with what surfaces.
//!
//! A partner of a contact is a shape or point (`ball.skin`), a body (`ball`: all its shapes), a group, or `all`. Names of groups and
//! of materials stand for bodies and shapes; a `*` in them stands for any letters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a surface is like. What two materials have together: restitution the lesser, friction the geometric mean, resistance
/// against rolling and drilling the larger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Material {
    /// Newton's coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Coulomb's coefficient of friction; without friction if 0.
    pub friction: f64,
    /// Rolling resistance: lever arm of the largest moment against rolling (m), times the normal force.
    pub rolling: f64,
    /// Drilling resistance: lever arm of the largest moment against turning about the normal (m); not with `rolling`.
    pub drilling: f64,
    /// Bodies and shapes that are of it, such as `"ball*"` or `"ground.floor"`, besides bodies that say so themselves.
    pub on: Vec<String>,
}

impl Material {
    /// What two surfaces have together.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            restitution: self.restitution.min(other.restitution),
            friction: (self.friction * other.friction).sqrt(),
            rolling: self.rolling.max(other.rolling),
            drilling: self.drilling.max(other.drilling),
            on: Vec::new(),
        }
    }
}

/// What takes no part in a contact between groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Except {
    /// A shape, body or group that touches nothing here.
    Thing(String),
    /// Two of them that do not touch each other.
    Pair([String; 2]),
}

/// Which pairs of a contact between groups are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pairs {
    /// Those within reach, found anew where a step begins: for many bodies, with schemes that step over impacts.
    #[default]
    Near,
    /// All of them, always: for few bodies, with any scheme.
    All,
}

/// Whether a name is meant by a pattern, in which `*` stands for any letters.
pub fn is_meant(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((first, rest)) => match name.strip_prefix(first) {
            None => false,
            Some(left) => {
                let mut ends = left.char_indices().map(|(i, _)| i).chain([left.len()]);
                ends.any(|i| is_meant(rest, &left[i..]))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, name, meant) in [
            ("ball", "ball", true),
            ("ball", "ball2", false),
            ("ball*", "ball", true),
            ("ball*", "ball-17", true),
            ("*.floor", "ground.floor", true),
            ("b*l*7", "ball-17", true),
            ("b*l*8", "ball-17", false),
            ("*", "", true),
        ] {
            assert_eq!(is_meant(pattern, name), meant, "{pattern} {name}");
        }
    }

    /// Two surfaces of one material have what the material says, and the order does not matter.
    #[test]
    fn materials_combine() {
        let steel = Material { restitution: 0.8, friction: 0.2, ..Material::default() };
        let clay = Material { restitution: 0.1, friction: 0.8, rolling: 1e-3, ..Material::default() };
        assert_eq!(steel.with(&steel), steel);
        assert_eq!(steel.with(&clay), clay.with(&steel));
        let both = steel.with(&clay);
        assert_eq!((both.restitution, both.rolling), (0.1, 1e-3));
        assert!((both.friction - 0.4).abs() < 1e-15, "{}", both.friction);
    }
}
