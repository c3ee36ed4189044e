//! A point that is led along a curve.

use super::JointKind;
use crate::build::{Agree, Built, SpaceBuilder};
use crate::check::{Check, bad, finite_all, number};
use crate::dimension::{Dimension, Numbers};
use crate::joints::{NoSpline, OnCurve, SpaceCurve, SpaceElement, SpaceSpline};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The second point stays on a curve in the frame of the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointOnCurve {
    /// The frame of the curve first, the point second.
    pub between: [String; 2],
    /// The curve.
    pub curve: Curve,
}

/// A curve in a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Curve {
    /// Around z of the frame.
    Circle {
        /// Radius (m).
        radius: f64,
    },
    /// Smooth through points.
    Spline {
        /// The points (m).
        through: Vec<[f64; 3]>,
        /// Whether it comes back to the first point.
        #[serde(default)]
        closed: bool,
    },
}

impl Described for PointOnCurve {
    fn kind(&self) -> &'static str {
        "point-on-curve"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, curve } = self;
        match curve {
            Curve::Circle { radius } => see.number(radius, Dimension::LENGTH),
            Curve::Spline { through, closed: _ } => {
                see.all(through.iter_mut().flatten(), Dimension::LENGTH);
            }
        }
    }

    fn check(&self, key: &str) -> Check {
        match &self.curve {
            Curve::Circle { radius } => {
                number(*radius, "radius", &["joints", key, "curve", "radius"]).positive()
            }
            Curve::Spline { through, closed } => {
                let path = ["joints", key, "curve", "through"];
                through.iter().try_for_each(|point| finite_all(point, "coordinate", &path))?;
                match SpaceSpline::new(through, *closed) {
                    Ok(_) => Ok(()),
                    Err(wrong) => wrong_spline(wrong, *closed, &path),
                }
            }
        }
    }
}

fn wrong_spline(wrong: NoSpline, closed: bool, path: &[&str]) -> Check {
    match wrong {
        NoSpline::TooFew => {
            let least = if closed { "three" } else { "two" };
            bad(path, "there are too few points for a curve", &format!("give at least {least}"))
        }
        NoSpline::Repeated(i) => bad(
            path,
            &format!("the points {} and {} are the same", i + 1, i + 2),
            "leave one out; a closed curve does not repeat its first point",
        ),
        NoSpline::Cusp(i) => bad(
            path,
            &format!("the curve turns by more than a quarter between the points {} and {}", i + 1, i + 2),
            "give more points there",
        ),
    }
}

impl JointKind for PointOnCurve {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("joints", key, &self.between, start, Agree::FirstWhole)?;
        let curve = match &self.curve {
            Curve::Circle { radius } => SpaceCurve::Circle { radius: *radius },
            Curve::Spline { through, closed } => {
                let spline = SpaceSpline::new(through, *closed).expect("splines are checked");
                SpaceCurve::Spline(Arc::new(spline))
            }
        };
        builder.add_joint(key, vec![SpaceElement::OnCurve(OnCurve { pair: joined.pair, curve })]);
        Ok(joined.anchors.into())
    }
}
