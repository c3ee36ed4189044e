//! An elastic body ready to be carried by a floating frame: finite elements and the coordinates that deform them.
//!
//! ```text
//!   q_nodal = T q_f        T: a selection of nodal coordinates, or shapes by columns
//!   M = Tᵀ M_nodal T,  K = Tᵀ K_nodal T,  ∫ρS = (∫ρS)_nodal T, …        mass, ∫ρu_0 and ∫ρu_0·u_0 stay what they are
//!
//!   reference conditions        [RezaeiSchindler] C.8, D; [AgrawalShabana1986]
//!     clamped, pinned           q_i = 0 for three coordinates
//!     articulated               q_i = 0 at the first end, and  r_θᵀ M q = 0  with r_θ the rotation about it
//!     mean axis                 ∫ρ S q = 0,  ∫ρ (z×u_0)·S q = 0
//! ```
//!
//! The sums of the mean conditions couple all coordinates: nodal coordinates under them have full matrices. Modes do not
//! mind.

use crate::eigen::{self, Failure};
use crate::modes::{self, Modes, Shape};
use crate::rigid::{self, Elimination};
use crate::statics::{Statics, product};
use crate::{
    ElasticError, FiniteElements, Gauge, Inertia, Material, Output, PointShapes, Reference, Skew, Symmetric,
    Unit,
};
use carom_linear::{axpy, dot_8 as dot};
use std::sync::Arc;

/// How the coordinates of a body determine its nodal coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Map {
    /// Coordinate k is the nodal coordinate `free[k]`; all others are zero.
    Selection {
        /// Nodal coordinates that are free, ascending.
        free: Vec<usize>,
    },
    /// q_nodal = Σ_k columns\[k\] q_k.
    Dense {
        /// Shapes, each by all nodal coordinates.
        columns: Vec<Vec<f64>>,
    },
}

/// Damping of an elastic body.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Damping {
    /// None.
    #[default]
    None,
    /// D = α M + β K.
    Rayleigh {
        /// α (1/s).
        mass: f64,
        /// β (s).
        stiffness: f64,
    },
    /// D = Σ_k 2 ζ_k ω_k (Mφ_k)(Mφ_k)ᵀ: ratios of critical damping, one for all modes or one for each.
    Ratios(Vec<f64>),
}

/// An elastic body by its own coordinates q_f.
#[derive(Clone, Debug)]
pub struct Elastic {
    elements: Arc<dyn FiniteElements>,
    reference: Reference,
    map: Map,
    shapes: Vec<Shape>,
    inertia: Inertia,
    K: Symmetric,
    damping: Symmetric,
}

/// The nodal coordinates that a reference condition leaves, and the rigid motions among them that its mean conditions
/// must take away.
#[derive(Clone, Debug)]
pub(crate) struct Free {
    pub free: Vec<usize>,
    pub K: Symmetric,
    pub M: Symmetric,
    pub rigid: Vec<Vec<f64>>,
}

impl Free {
    fn new(
        elements: &dyn FiniteElements,
        inertia: &Inertia,
        K: &Symmetric,
        reference: Reference,
    ) -> Result<Self, ElasticError> {
        let held = elements.held(reference)?;
        let motions = rigid::left_by(elements, inertia, &held)?;
        let expected = match reference {
            Reference::Clamped | Reference::Pinned => 0,
            Reference::Articulated => 1,
            Reference::MeanAxis => 3,
        };
        if motions.len() > expected {
            return Err(ElasticError::other(
                format!(
                    "the reference condition `{}` leaves the body free to move rigidly in its frame",
                    reference.name()
                ),
                "choose `mean-axis`, or a condition that holds it at two places",
            ));
        }
        let mut is_held = vec![false; elements.dofs()];
        held.iter().for_each(|&i| is_held[i] = true);
        let free: Vec<usize> = (0..elements.dofs()).filter(|&i| !is_held[i]).collect();
        let rigid = motions.iter().map(|r| free.iter().map(|&i| r[i]).collect()).collect();
        Ok(Self { K: K.select(&free), M: inertia.M.select(&free), rigid, free })
    }

    /// The same numbers among all nodal coordinates.
    fn spread(&self, n: usize, x: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; n];
        self.free.iter().zip(x).for_each(|(&i, &x)| all[i] = x);
        all
    }
}

impl Elastic {
    /// Nodal coordinates under a reference condition.
    pub fn nodal(
        elements: Arc<dyn FiniteElements>,
        reference: Reference,
        damping: &Damping,
    ) -> Result<Self, ElasticError> {
        let (inertia, K) = (elements.inertia(), elements.stiffness());
        let free = Free::new(&*elements, &inertia, &K, reference)?;
        let name = |i: usize| elements.dof_name(free.free[i]);
        let statics = Statics::new(&free.K, &free.M, &free.rigid).map_err(|loose| loose.named(name))?;
        let (map, numbers) = if statics.rigid.is_empty() {
            (Map::Selection { free: free.free.clone() }, free.free.clone())
        } else {
            let elimination = Elimination::mean(&free.M, &statics.rigid);
            let columns =
                elimination.columns().iter().map(|column| free.spread(elements.dofs(), column)).collect();
            (Map::Dense { columns }, elimination.kept.iter().map(|&k| free.free[k]).collect())
        };
        let shapes = numbers.into_iter().map(Shape::Nodal).collect();
        let mut new = Self::reduce(elements, reference, map, shapes, &inertia, &K, None);
        new.damp(damping)?;
        Ok(new)
    }

    /// Modes chosen under a reference condition.
    pub fn modal(
        elements: Arc<dyn FiniteElements>,
        reference: Reference,
        modes: &Modes,
        damping: &Damping,
    ) -> Result<Self, ElasticError> {
        let (inertia, K) = (elements.inertia(), elements.stiffness());
        let free = Free::new(&*elements, &inertia, &K, reference)?;
        let basis = modes::basis(&*elements, &free, modes)?;
        let columns = basis.columns.iter().map(|column| free.spread(elements.dofs(), column)).collect();
        let map = Map::Dense { columns };
        let mut new = Self::reduce(elements, reference, map, basis.shapes, &inertia, &K, basis.omega2);
        new.damp(damping)?;
        Ok(new)
    }

    fn reduce(
        elements: Arc<dyn FiniteElements>,
        reference: Reference,
        map: Map,
        shapes: Vec<Shape>,
        nodal: &Inertia,
        K: &Symmetric,
        omega2: Option<Vec<f64>>,
    ) -> Self {
        let rigid =
            Inertia { mass: nodal.mass, first: nodal.first, second: nodal.second, ..Inertia::default() };
        let (inertia, K) = match &map {
            Map::Selection { free } => {
                let inertia = Inertia {
                    S: free.iter().map(|&i| nodal.S[i]).collect(),
                    along: free.iter().map(|&i| nodal.along[i]).collect(),
                    across: free.iter().map(|&i| nodal.across[i]).collect(),
                    M: nodal.M.select(free),
                    B: nodal.B.select(free),
                    ..rigid
                };
                (inertia, K.select(free))
            }
            Map::Dense { columns } => {
                let along_axis = |axis: usize| -> Vec<f64> { nodal.S.iter().map(|s| s[axis]).collect() };
                let (x, y) = (along_axis(0), along_axis(1));
                let n = columns.len();
                let (M, K) = match omega2 {
                    // orthonormal shapes: what is zero is not stored
                    Some(omega2) => (
                        Symmetric::from_triplets(n, (0..n).map(|k| (k, k, 1.0))),
                        Symmetric::from_triplets(n, omega2.iter().enumerate().map(|(k, &w)| (k, k, w))),
                    ),
                    None => (congruence(&nodal.M, columns), congruence(K, columns)),
                };
                let inertia = Inertia {
                    S: columns.iter().map(|t| [dot(&x, t), dot(&y, t)]).collect(),
                    along: columns.iter().map(|t| dot(&nodal.along, t)).collect(),
                    across: columns.iter().map(|t| dot(&nodal.across, t)).collect(),
                    M,
                    B: skew_congruence(&nodal.B, columns),
                    ..rigid
                };
                (inertia, K)
            }
        };
        let damping = Symmetric::from_triplets(K.n(), []);
        Self { elements, reference, map, shapes, inertia, K, damping }
    }

    fn damp(&mut self, damping: &Damping) -> Result<(), ElasticError> {
        let not_negative = |quantity: &str, value: f64| {
            let valid = value >= 0.0 && value.is_finite();
            let right = "it must be zero or greater, or the body would gain energy";
            valid.then_some(()).ok_or_else(|| ElasticError::other(format!("{quantity} is {value}"), right))
        };
        let (n, M, K) = (self.n(), &self.inertia.M, &self.K);
        self.damping = match damping {
            Damping::None => Symmetric::from_triplets(n, []),
            &Damping::Rayleigh { mass, stiffness } => {
                not_negative("damping proportional to mass", mass)?;
                not_negative("damping proportional to stiffness", stiffness)?;
                let terms = [(mass, M), (stiffness, K)].into_iter().filter(|(factor, _)| *factor != 0.0);
                Symmetric::from_triplets(
                    n,
                    terms.flat_map(|(factor, A)| A.entries().map(move |(i, j, a)| (i, j, factor * a))),
                )
            }
            Damping::Ratios(ratios) => {
                ratios.iter().try_for_each(|&ratio| not_negative("a damping ratio", ratio))?;
                if ratios.len() != 1 && ratios.len() != n {
                    return Err(ElasticError::other(
                        format!("{} damping ratios are given for {n} modes", ratios.len()),
                        "give one for all, or one for each",
                    ));
                }
                let ratio = |k: usize| ratios[if ratios.len() == 1 { 0 } else { k }];
                let all = eigen::modes(K, M, &[], n).map_err(|failure| failure.named(|i| self.name(i)))?;
                let mut triplets = Vec::new();
                for (k, (w2, phi)) in all.omega2.iter().zip(&all.phi).enumerate() {
                    let p = product(M, phi);
                    let at: Vec<usize> = (0..n).filter(|&i| p[i] != 0.0).collect();
                    let factor = 2.0 * ratio(k) * w2.sqrt();
                    for (a, &i) in at.iter().enumerate() {
                        triplets.extend(at[..=a].iter().map(|&j| (i, j, factor * p[i] * p[j])));
                    }
                }
                Symmetric::from_triplets(n, triplets)
            }
        };
        Ok(())
    }

    /// Number of elastic coordinates.
    pub fn n(&self) -> usize {
        self.shapes.len()
    }

    /// The finite elements.
    pub fn elements(&self) -> &Arc<dyn FiniteElements> {
        &self.elements
    }

    /// The reference condition that ties the frame to the deformation.
    pub fn reference(&self) -> Reference {
        self.reference
    }

    /// How q_f determines the nodal coordinates.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// What each coordinate is the amplitude of.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Shape integrals over q_f.
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// Stiffness over q_f, positive definite.
    pub fn stiffness(&self) -> &Symmetric {
        &self.K
    }

    /// Damping over q_f.
    pub fn damping(&self) -> &Symmetric {
        &self.damping
    }

    /// What coordinate k is measured in.
    pub fn unit(&self, k: usize) -> Unit {
        match &self.shapes[k] {
            Shape::Nodal(i) => self.elements.unit(*i),
            Shape::Interface { unit, .. } => *unit,
            Shape::Mode { .. } | Shape::Correction { .. } => Unit::Amplitude,
        }
    }

    /// Name of coordinate k: that of the nodal coordinate, or `mode 3`, `interface 0.x`, `correction 1`.
    pub fn name(&self, k: usize) -> String {
        match &self.shapes[k] {
            Shape::Nodal(i) => self.elements.dof_name(*i),
            Shape::Mode { number } => format!("mode {number}"),
            Shape::Interface { point, unit: Unit::Angle, .. } => format!("interface {point}.angle"),
            Shape::Interface { point, axis, .. } => format!("interface {point}.{}", ["x", "y"][*axis]),
            Shape::Correction { number } => format!("correction {number}"),
        }
    }

    /// All nodal coordinates of a deformation.
    pub fn nodal_coordinates(&self, q_f: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        match &self.map {
            Map::Selection { free } => free.iter().zip(q_f).for_each(|(&i, &q)| out[i] = q),
            Map::Dense { columns } => columns.iter().zip(q_f).for_each(|(t, &q)| axpy(q, t, out)),
        }
    }

    /// Shape functions of a material point over q_f.
    pub fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        let nodal = self.elements.point(at)?;
        let columns = match &self.map {
            Map::Selection { free } => nodal
                .columns
                .iter()
                .filter_map(|&(i, S, s)| Some((free.binary_search(&(i as usize)).ok()? as u32, S, s)))
                .collect(),
            Map::Dense { columns } => columns
                .iter()
                .enumerate()
                .map(|(k, t)| {
                    let mut sum = (k as u32, [0.0; 2], 0.0);
                    for &(i, S, s) in &nodal.columns {
                        let t = t[i as usize];
                        sum = (sum.0, [sum.1[0] + S[0] * t, sum.1[1] + S[1] * t], sum.2 + s * t);
                    }
                    sum
                })
                .filter(|&(_, S, s)| S != [0.0, 0.0] || s != 0.0)
                .collect(),
        };
        Ok(PointShapes { u_0: nodal.u_0, columns })
    }

    /// Section forces and stresses over q_f.
    pub fn outputs(&self) -> Vec<Output> {
        let reduce = |row: &[(u32, f64)]| -> Vec<(u32, f64)> {
            match &self.map {
                Map::Selection { free } => row
                    .iter()
                    .filter_map(|&(i, a)| Some((free.binary_search(&(i as usize)).ok()? as u32, a)))
                    .collect(),
                Map::Dense { columns } => columns
                    .iter()
                    .enumerate()
                    .map(|(k, t)| (k as u32, row.iter().map(|&(i, a)| a * t[i as usize]).sum()))
                    .filter(|&(_, a)| a != 0.0)
                    .collect(),
            }
        };
        self.elements.outputs().into_iter().map(|o| Output { row: reduce(&o.row), ..o }).collect()
    }

    /// How hard the material is worked at a node, over q_f; `None` where the elements cannot tell.
    pub fn gauge(&self, node: usize) -> Option<Gauge> {
        let gauge = self.elements.gauge(node)?;
        let columns = match &self.map {
            Map::Selection { free } => gauge
                .columns
                .iter()
                .filter_map(|&(i, f)| Some((free.binary_search(&(i as usize)).ok()? as u32, f)))
                .collect(),
            Map::Dense { columns } => {
                let along = |t: &[f64]| {
                    gauge.columns.iter().fold([0.0; 3], |sum: [f64; 3], &(i, f)| {
                        std::array::from_fn(|c| sum[c] + f[c] * t[i as usize])
                    })
                };
                let columns = columns.iter().enumerate().map(|(k, t)| (k as u32, along(t)));
                columns.filter(|&(_, f)| f != [0.0; 3]).collect()
            }
        };
        Some(Gauge { columns, ..gauge })
    }

    /// Natural frequencies (Hz) of the body by its own coordinates, its frame standing still, ascending; the first
    /// `count`, or all if there are fewer.
    pub fn frequencies(&self, count: usize) -> Result<Vec<f64>, ElasticError> {
        let modes = eigen::modes(&self.K, &self.inertia.M, &[], count.min(self.n()))
            .map_err(|failure: Failure| failure.named(|i| self.name(i)))?;
        Ok(modes.omega2.iter().map(|w2| w2.sqrt() / std::f64::consts::TAU).collect())
    }
}

/// Tᵀ A T, T by columns.
fn congruence(A: &Symmetric, columns: &[Vec<f64>]) -> Symmetric {
    let mut triplets = Vec::new();
    for (k, t) in columns.iter().enumerate() {
        let At = product(A, t);
        triplets.extend(columns[k..].iter().enumerate().map(|(l, s)| (k + l, k, dot(s, &At))));
    }
    Symmetric::from_triplets(columns.len(), triplets)
}

/// Tᵀ B T, T by columns.
fn skew_congruence(B: &Skew, columns: &[Vec<f64>]) -> Skew {
    let mut triplets = Vec::new();
    for (k, t) in columns.iter().enumerate() {
        let mut Bt = vec![0.0; t.len()];
        B.add_product(1.0, t, &mut Bt);
        triplets.extend(columns[k..].iter().enumerate().skip(1).map(|(l, s)| (k + l, k, dot(s, &Bt))));
    }
    Skew::from_triplets(triplets.into_iter().filter(|t| t.2 != 0.0))
}
