//! Bushings: elastic all round.

use super::ForceKind;
use crate::build::{Agree, Built, SpaceBuilder};
use crate::check::{Check, finite_all};
use crate::dimension::{Dimension, Numbers};
use crate::error::{ModelError, Problem};
use crate::forces::{self, M6, SpaceForce};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;
use carom_linear::dense::{Matrix, symmetric};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Springs and dampers in all six directions between two frames: displacement of the second point along x, y, z of the first
/// frame, and the vector of the rotation that takes the first frame to the second, less than half a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bushing {
    /// The two points.
    pub between: [String; 2],
    /// Stiffness: six numbers (three in N/m, three in N m/rad), or six rows of six.
    pub stiffness: Six,
    /// Damping: six numbers (three in N s/m, three in N m s/rad), or six rows of six.
    pub damping: Option<Six>,
}

/// A symmetric matrix of displacement and rotation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant)] // few, made once and read in order: a box would cost more than it saves
pub enum Six {
    /// Its diagonal.
    Diagonal([f64; 6]),
    /// By rows.
    Full([[f64; 6]; 6]),
}

/// How far a matrix may be off symmetry, and its least eigenvalue below zero, relative to its largest entry: numbers typed with nine
/// digits pass.
const ROUND: f64 = 1e-9;

impl Six {
    fn matrix(&self) -> M6 {
        match self {
            Six::Diagonal(d) => {
                std::array::from_fn(|i| std::array::from_fn(|j| if i == j { d[i] } else { 0.0 }))
            }
            Six::Full(rows) => *rows,
        }
    }

    /// Shows its numbers: what row i measures per what column j does, times `also`.
    fn quantities(&mut self, also: Dimension, see: &mut dyn Numbers) {
        let of = |i: usize, j: usize| {
            let force = if i < 3 { Dimension::FORCE } else { Dimension::TORQUE };
            force.per(if j < 3 { Dimension::LENGTH } else { Dimension::ANGLE }).times(also)
        };
        match self {
            Six::Diagonal(d) => d.iter_mut().enumerate().for_each(|(i, x)| see.number(x, of(i, i))),
            Six::Full(rows) => {
                for (i, row) in rows.iter_mut().enumerate() {
                    row.iter_mut().enumerate().for_each(|(j, x)| see.number(x, of(i, j)));
                }
            }
        }
    }

    fn check(&self, key: &str, field: &'static str) -> Check {
        let path = ["forces", key, field];
        let A = self.matrix();
        A.iter().try_for_each(|row| finite_all(row, field, &path))?;
        let largest = A.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        let fail = |message: String, remedy: &str| {
            Err(ModelError::new(&path, Problem::BadJoint { message, remedy: remedy.into() }))
        };
        let mut dense = Matrix::zero(6, 6);
        for i in 0..6 {
            for j in 0..6 {
                if (A[i][j] - A[j][i]).abs() > ROUND * largest {
                    let (i, j, a, b) = (i + 1, j + 1, A[i][j], A[j][i]);
                    let message =
                        format!("the matrix is not symmetric: ({i}, {j}) is {a}, ({j}, {i}) is {b}");
                    return fail(message, "make them equal: a force without potential is no bushing");
                }
                dense.row_mut(i)[j] = 0.5 * (A[i][j] + A[j][i]);
            }
        }
        let (values, _) = symmetric(dense);
        match values.iter().copied().find(|value| *value < -ROUND * largest) {
            Some(value) => fail(
                format!("the matrix has the eigenvalue {value}"),
                "none may be negative: the bushing would give energy away",
            ),
            None => Ok(()),
        }
    }
}

impl Described for Bushing {
    fn kind(&self) -> &'static str {
        "bushing"
    }

    fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self { between: _, stiffness, damping } = self;
        stiffness.quantities(Dimension::NONE, see);
        damping.iter_mut().for_each(|damping| damping.quantities(Dimension::TIME, see));
    }

    fn check(&self, key: &str) -> Check {
        self.stiffness.check(key, "stiffness")?;
        self.damping.iter().try_for_each(|damping| damping.check(key, "damping"))
    }
}

impl ForceKind for Bushing {
    fn between(&self) -> Vec<String> {
        self.between.to_vec()
    }

    fn build(&self, key: &str, builder: &mut SpaceBuilder, start: &Configuration) -> Built<Vec<SpaceAnchor>> {
        let joined = builder.joined("forces", key, &self.between, start, Agree::Bent)?;
        let (stiffness, damping) = (self.stiffness.matrix(), self.damping.as_ref());
        let damping = damping.map_or([[0.0; 6]; 6], Six::matrix);
        let bushing = forces::Bushing { pair: joined.pair, stiffness, damping };
        builder.add_force(SpaceForce::Bushing(Box::new(bushing)));
        Ok(joined.anchors.into())
    }
}
