//! Orientations as people write them.
//!
//! ```text
//!   axis, angle        the body turns by the angle about the axis, right-handed
//!   quaternion         (w, x, y, z), of any length but zero
//!   angles, order      about the axes the order names, each the axis of the body as turned so far: "zyx" is R_z R_y R_x
//! ```

use carom_dynamics::rotation::{Quaternion, exp, product};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An orientation: about an axis, as a quaternion, or by three angles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Rotation {
    /// Axis it turns about, of any length; with `angle`.
    pub axis: Option<[f64; 3]>,
    /// Angle about `axis` (rad).
    pub angle: Option<f64>,
    /// The quaternion w, x, y, z, of any length.
    pub quaternion: Option<[f64; 4]>,
    /// Three angles (rad); with `order`.
    pub angles: Option<[f64; 3]>,
    /// Axes that `angles` turn about, one after the other, each as turned by those before: `xyz`, `zyx`, `zxz` and the like.
    pub order: Option<String>,
}

/// What is wrong with an orientation, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RotationError {
    /// The key that is wrong; none if the whole is.
    pub key: Option<&'static str>,
    /// What is wrong.
    pub wrong: String,
    /// What would be right.
    pub remedy: &'static str,
}

const FORMS: &str = "`{ axis = [0, 0, 1], angle = 0.5 }`, `{ quaternion = [1, 0, 0, 0] }` or `{ angles = [0.1, 0.2, 0.3], order = \"zyx\" }`";

fn wrong<T>(
    key: Option<&'static str>,
    wrong: impl Into<String>,
    remedy: &'static str,
) -> Result<T, RotationError> {
    Err(RotationError { key, wrong: wrong.into(), remedy })
}

impl Rotation {
    /// By an angle (rad) about an axis.
    pub fn about(axis: [f64; 3], angle: f64) -> Self {
        Self { axis: Some(axis), angle: Some(angle), ..Self::default() }
    }

    /// By a quaternion w, x, y, z.
    pub fn of_quaternion(quaternion: [f64; 4]) -> Self {
        Self { quaternion: Some(quaternion), ..Self::default() }
    }

    /// As a unit quaternion.
    pub fn quaternion(&self) -> Result<Quaternion, RotationError> {
        let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        match self {
            Rotation { axis: Some(axis), angle, quaternion: None, angles: None, order: None } => {
                let Some(angle) = angle else {
                    return wrong(Some("axis"), "an axis without an `angle` does not say how far", FORMS);
                };
                let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
                if !finite(axis) || length == 0.0 {
                    let said = format!("the axis {axis:?} has no direction");
                    return wrong(Some("axis"), said, "three finite numbers that are not all zero");
                }
                if !angle.is_finite() {
                    return wrong(Some("angle"), format!("the angle is {angle}"), "a finite number");
                }
                Ok(exp(axis.map(|x| angle * x / length)))
            }
            Rotation { axis: None, angle: None, quaternion: Some(p), angles: None, order: None } => {
                let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
                if !finite(p) || length == 0.0 {
                    let said = format!("the quaternion {p:?} has no direction");
                    return wrong(
                        Some("quaternion"),
                        said,
                        "four finite numbers w, x, y, z that are not all zero",
                    );
                }
                Ok(p.map(|x| x / length))
            }
            Rotation { axis: None, angle: None, quaternion: None, angles: Some(angles), order } => {
                let Some(order) = order else {
                    return wrong(
                        Some("angles"),
                        "three angles without an `order` are no orientation",
                        FORMS,
                    );
                };
                if !finite(angles) {
                    return wrong(Some("angles"), format!("the angles are {angles:?}"), "finite numbers");
                }
                let axes: Option<Vec<usize>> = order.chars().map(|letter| "xyz".find(letter)).collect();
                let axes = axes.filter(|a| a.len() == 3 && a[0] != a[1] && a[1] != a[2]);
                let Some(axes) = axes else {
                    let said = format!("`{order}` is no order of axes");
                    let remedy =
                        "three of the letters x, y, z, no two equal in a row, such as \"zyx\" or \"zxz\"";
                    return wrong(Some("order"), said, remedy);
                };
                let one = |axis: usize, angle: f64| {
                    exp(std::array::from_fn(|k| if k == axis { angle } else { 0.0 }))
                };
                let turn = |p: Quaternion, (axis, angle): (&usize, &f64)| product(p, one(*axis, *angle));
                Ok(axes.iter().zip(angles).fold([1.0, 0.0, 0.0, 0.0], turn))
            }
            Rotation { axis: None, angle: None, quaternion: None, angles: None, order: None } => {
                wrong(None, "the rotation says nothing", FORMS)
            }
            _ => wrong(None, "the rotation is given in more than one way, or in half of one", FORMS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_dynamics::rotation::turn;
    use std::f64::consts::FRAC_PI_2;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15)
    }

    #[test]
    fn angles_turn_about_axes_that_have_been_turned() {
        let angles = |order: &str| Rotation {
            angles: Some([FRAC_PI_2, FRAC_PI_2, 0.0]),
            order: Some(order.into()),
            ..Rotation::default()
        };
        // first x: y goes to z; then the new y, which is z of space
        let p = angles("xyz").quaternion().unwrap();
        assert!(near(turn(p, [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]), "{p:?}");
        let p = angles("zxz").quaternion().unwrap();
        // z by 90° brings x to y; about that axis by 90° z goes to x
        assert!(near(turn(p, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]), "{p:?}");
    }

    #[test]
    fn axes_and_quaternions_have_any_length() {
        let p = Rotation::about([0.0, 0.0, 7.0], FRAC_PI_2).quaternion().unwrap();
        assert!(near(turn(p, [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
        assert_eq!(
            Rotation::of_quaternion([0.0, 0.0, -3.0, 0.0]).quaternion().unwrap(),
            [0.0, 0.0, -1.0, 0.0]
        );
    }

    #[test]
    fn what_is_no_orientation_is_refused() {
        let half = Rotation { axis: Some([0.0, 0.0, 1.0]), ..Rotation::default() };
        let both =
            Rotation { quaternion: Some([1.0, 0.0, 0.0, 0.0]), ..Rotation::about([1.0, 0.0, 0.0], 1.0) };
        let order = Rotation { angles: Some([0.0; 3]), order: Some("zzx".into()), ..Rotation::default() };
        let none = Rotation::about([0.0; 3], 1.0);
        let zero = Rotation::of_quaternion([0.0; 4]);
        for bad in [half, both, order, none, zero, Rotation::default()] {
            assert!(bad.quaternion().is_err(), "{bad:?}");
        }
    }
}
