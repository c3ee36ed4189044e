//! The saddle-point matrix of a mechanism with joints: pattern, entries and regularisation, whatever factors it.
//!
//! ```text
//!   K = [ Â  Fᵀ ]        Â = c_m M + c_v C + c_q K_t
//!       [ G  −E ]
//! ```
//!
//! [`Operator`](crate::Operator) factors the symmetric form as L D Lᵀ (F = G, of C and K_t the symmetric part);
//! [`Motion`](crate::Motion) the unsymmetric one as L U. Several G live in one step (where it begins, where it ends, their
//! mean), so they belong to who evaluates them, and are handed in.
//!
//! E is zero as long as the joints are independent. When they are not, E is a small multiple of the diagonal of G M⁻¹ Gᵀ and
//! every solve is one step of a proximal point iteration centred on the reactions found so far: the reactions converge to
//! those of least norm (torques measured by the mechanism's length scale), by a factor of [`REGULARISATION`] per iteration.

mod blocks;

use crate::{Configuration, Quantity, System};
use blocks::Block;
use carom_linear::sparse::{Ldl, Slot};
use carom_linear::sparse::{Lu, LuSlot};
use std::fmt::Debug;

/// E relative to the diagonal of G M⁻¹ Gᵀ. Small enough for one refinement to reach round-off, large enough that
/// the round-off of G v, divided by it, does not show in the reactions.
pub const REGULARISATION: f64 = 1e-8;

/// A factorisation with a fixed pattern.
pub(crate) trait Factor: Debug + Sized {
    /// Where an entry stands.
    type Slot: Copy + Debug;
    /// Whether an entry stands for its mirror image too.
    const SYMMETRIC: bool;
    /// Finds the elimination order, and the slots of the entries.
    fn analyse(primal: usize, dual: usize, entries: &[(u32, u32)]) -> (Self, Vec<Self::Slot>);
    /// All entries zero.
    fn clear(&mut self);
    /// Adds to an entry.
    fn add(&mut self, slot: Self::Slot, value: f64);
    /// Writes an entry.
    fn set(&mut self, slot: Self::Slot, value: f64);
}

macro_rules! factor {
    ($type:ty, $slot:ty, $symmetric:expr) => {
        impl Factor for $type {
            type Slot = $slot;
            const SYMMETRIC: bool = $symmetric;
            fn analyse(primal: usize, dual: usize, entries: &[(u32, u32)]) -> (Self, Vec<Self::Slot>) {
                Self::new(primal, dual, entries)
            }
            #[inline]
            fn clear(&mut self) {
                self.clear();
            }
            #[inline]
            fn add(&mut self, slot: $slot, value: f64) {
                self.add(slot, value);
            }
            #[inline]
            fn set(&mut self, slot: $slot, value: f64) {
                self.set(slot, value);
            }
        }
    };
}
factor!(Ldl, Slot, true);
factor!(Lu, LuSlot, false);

/// Pattern, M, K and C at one configuration, E, and the factor they are assembled into.
#[derive(Debug)]
pub(crate) struct Saddle<F: Factor> {
    nv: usize,
    nc: usize,
    /// The factor of what was assembled last.
    pub factor: F,
    /// Rows and columns of M (lower triangle), of the tangents, of G.
    pub mass_at: Vec<(u32, u32)>,
    tangent_at: Vec<(u32, u32)>,
    pub jacobian_at: Vec<(u32, u32)>,
    mass_slot: Vec<F::Slot>,
    /// Of the entries above the diagonal; none where the factor is symmetric.
    mirror_slot: Vec<F::Slot>,
    /// With the part of an entry that is written there.
    tangent_slot: Vec<(F::Slot, f64)>,
    G_slot: Vec<F::Slot>,
    /// Of Fᵀ; none where the factor is symmetric.
    F_slot: Vec<F::Slot>,
    E_slot: Vec<F::Slot>,
    /// G in blocks, in space.
    blocks: Option<Vec<Block>>,
    /// Whether G names a place twice.
    jacobian_repeats: bool,
    /// M in pattern order and its diagonal — `evaluate_mass`.
    pub M: Vec<f64>,
    pub M_diag: Vec<f64>,
    /// K = −∂h/∂q and C = −∂h/∂v in pattern order — `evaluate_tangents`.
    K: Vec<f64>,
    C: Vec<f64>,
    /// Weight of a row's reaction in the least norm: 1 for forces, length scale² for torques.
    pub weight: Vec<f64>,
    /// E; zero, and without meaning, while the joints are independent.
    E: Vec<f64>,
    regularised: bool,
}

impl<F: Factor> Saddle<F> {
    /// Sizes everything and finds the elimination order.
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.structure().sizes;
        let pattern = &system.structure().pattern;
        let (nv, nc) = (sizes.v, sizes.constraints);
        let dual = |row: u32| row + nv as u32;
        let mut entries: Vec<(u32, u32)> = pattern.mass.clone();
        if !F::SYMMETRIC {
            entries.extend(pattern.mass.iter().map(|&(i, j)| (j, i)));
        }
        entries.extend(&pattern.tangent);
        if !F::SYMMETRIC {
            entries.extend(pattern.jacobian.iter().map(|&(row, column)| (column, dual(row))));
        }
        entries.extend(pattern.jacobian.iter().map(|&(row, column)| (dual(row), column)));
        entries.extend((0..nc as u32).map(|row| (dual(row), dual(row))));
        let (factor, slots) = F::analyse(nv, nc, &entries);
        let mut rest = slots.as_slice();
        let mut take = |n: usize| {
            let (front, back) = rest.split_at(n);
            rest = back;
            front.to_vec()
        };
        let twice = |n: usize| if F::SYMMETRIC { 0 } else { n };
        let (mass_slot, mirror_slot) = (take(pattern.mass.len()), take(twice(pattern.mass.len())));
        // an entry off the diagonal that stands for its mirror image too: half of it makes the symmetric part
        let part = |i, j| if F::SYMMETRIC && i != j { 0.5 } else { 1.0 };
        let tangent_slot = take(pattern.tangent.len());
        let tangent_slot = tangent_slot.into_iter().zip(&pattern.tangent);
        let tangent_slot = tangent_slot.map(|(slot, &(i, j))| (slot, part(i, j))).collect();
        let F_slot = take(twice(pattern.jacobian.len()));
        let (G_slot, E_slot) = (take(pattern.jacobian.len()), take(nc));
        let length = system.structure().length_scale;
        let mut weight = vec![1.0; nc];
        for joint in &system.structure().constraints {
            for (row, (quantity, _)) in joint.rows.clone().zip(&joint.quantities) {
                if *quantity == Quantity::Angle {
                    weight[row] = length * length;
                }
            }
        }
        Self {
            nv,
            nc,
            factor,
            mass_slot,
            mirror_slot,
            tangent_slot,
            G_slot,
            F_slot,
            E_slot,
            blocks: blocks::blocks(&pattern.jacobian),
            jacobian_repeats: repeats(&pattern.jacobian),
            M: vec![0.0; pattern.mass.len()],
            M_diag: vec![0.0; nv],
            K: vec![0.0; pattern.tangent.len()],
            C: vec![0.0; pattern.tangent.len()],
            weight,
            E: vec![0.0; nc],
            regularised: false,
            mass_at: pattern.mass.clone(),
            tangent_at: pattern.tangent.clone(),
            jacobian_at: pattern.jacobian.clone(),
        }
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Number of joint rows.
    pub fn nc(&self) -> usize {
        self.nc
    }

    /// Whether h depends on q or v.
    pub fn has_tangents(&self) -> bool {
        !self.tangent_at.is_empty()
    }

    /// Whether dependent joints made E necessary.
    pub fn is_regularised(&self) -> bool {
        self.regularised
    }

    /// E from now on, or never again until joints are found dependent.
    pub fn set_regularised(&mut self, regularised: bool) {
        self.regularised = regularised;
    }

    /// E of a row, 0 while the joints are independent.
    pub fn regularisation(&self, row: usize) -> f64 {
        if self.regularised { self.E[row] } else { 0.0 }
    }

    /// M at a configuration.
    pub fn evaluate_mass(&mut self, system: &dyn System, at: &Configuration) {
        system.mass(at, &mut self.M);
        for (&(i, j), &m) in self.mass_at.iter().zip(&self.M) {
            if i == j {
                self.M_diag[i as usize] = m;
            }
        }
    }

    /// K and C at a configuration.
    pub fn evaluate_tangents(&mut self, system: &dyn System, at: &Configuration) {
        system.tangents(at, &mut self.K, &mut self.C);
    }

    /// The first block becomes c_m M, all others zero.
    #[inline]
    pub fn put_mass(&mut self, c_m: f64) {
        self.factor.clear();
        for (&slot, &m) in self.mass_slot.iter().zip(&self.M) {
            self.factor.add(slot, c_m * m);
        }
        for ((&slot, &m), &(i, j)) in self.mirror_slot.iter().zip(&self.M).zip(&self.mass_at) {
            if i != j {
                self.factor.add(slot, c_m * m);
            }
        }
    }

    /// Adds c_v C + c_q K to the first block.
    pub fn put_tangents(&mut self, c_v: f64, c_q: f64) {
        for (&(slot, part), (C, K)) in self.tangent_slot.iter().zip(self.C.iter().zip(&self.K)) {
            self.factor.add(slot, part * (c_v * C + c_q * K));
        }
    }

    /// G, and F where the factor is not symmetric. A joint between two points of one body has places that are written twice:
    /// they add up.
    pub fn put_joints(&mut self, F: &[f64], G: &[f64]) {
        if F::SYMMETRIC && !self.jacobian_repeats {
            for (&slot, &g) in self.G_slot.iter().zip(G) {
                self.factor.set(slot, g);
            }
            return;
        }
        for (slots, values) in [(&self.F_slot, F), (&self.G_slot, G)] {
            for &slot in slots {
                self.factor.set(slot, 0.0);
            }
            for (&slot, &g) in slots.iter().zip(values) {
                self.factor.add(slot, g);
            }
        }
    }

    /// E = REGULARISATION · (mean of the weighted diagonal of F diag(M)⁻¹ Fᵀ) / weight, if joints depend on each other.
    pub fn put_regularisation(&mut self, F: &[f64]) {
        if !self.regularised {
            return;
        }
        self.E.fill(0.0);
        for (&(row, column), &g) in self.jacobian_at.iter().zip(F) {
            self.E[row as usize] += g * g / self.M_diag[column as usize];
        }
        let sum: f64 = self.weight.iter().zip(&self.E).map(|(w, s)| w * s).sum();
        let mean = sum / self.nc as f64;
        for row in 0..self.nc {
            self.E[row] = REGULARISATION * mean / self.weight[row];
            self.factor.set(self.E_slot[row], -self.E[row]);
        }
    }

    /// out = M x.
    pub fn mul_mass(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.add_product(&self.M, x, out);
    }

    /// out += M x for a symmetric M in the pattern of the mass.
    pub fn add_product(&self, M: &[f64], x: &[f64], out: &mut [f64]) {
        for (&(i, j), &m) in self.mass_at.iter().zip(M) {
            let (i, j) = (i as usize, j as usize);
            out[i] += m * x[j];
            if i != j {
                out[j] += m * x[i];
            }
        }
    }

    /// out += (c_v C + c_q K) x, with the tangents evaluated last.
    pub fn add_tangents(&self, c_v: f64, c_q: f64, x: &[f64], out: &mut [f64]) {
        for ((&(row, column), C), K) in self.tangent_at.iter().zip(&self.C).zip(&self.K) {
            out[row as usize] += (c_v * C + c_q * K) * x[column as usize];
        }
    }

    /// out += G x.
    #[inline]
    pub fn add_rates(&self, G: &[f64], x: &[f64], out: &mut [f64]) {
        if let Some(blocks) = &self.blocks {
            return blocks::add_rates(blocks, G, x, out);
        }
        for (&(row, column), &g) in self.jacobian_at.iter().zip(G) {
            out[row as usize] += g * x[column as usize];
        }
    }

    /// out += share · Gᵀ λ.
    #[inline]
    pub fn add_reactions(&self, G: &[f64], share: f64, lambda: &[f64], out: &mut [f64]) {
        if let Some(blocks) = &self.blocks {
            return blocks::add_reactions(blocks, G, share, lambda, out);
        }
        for (&(row, column), &g) in self.jacobian_at.iter().zip(G) {
            out[column as usize] += g * (share * lambda[row as usize]);
        }
    }

    /// ‖M⁻¹ C‖ and ‖M⁻¹ K‖ of the tangents evaluated last, M by its diagonal: largest sums of |C_ij| / √(M_ii M_jj) over a
    /// row.
    pub fn norms_of_tangents(&self) -> (f64, f64) {
        let norm = |values: &[f64]| {
            let mut sums = vec![0.0; self.nv];
            for (&(i, j), value) in self.tangent_at.iter().zip(values) {
                let (i, j) = (i as usize, j as usize);
                sums[i] += value.abs() / (self.M_diag[i] * self.M_diag[j]).sqrt();
            }
            sums.into_iter().fold(0.0, f64::max)
        };
        (norm(&self.C), norm(&self.K))
    }
}

/// Whether a pattern names a place twice.
fn repeats(pattern: &[(u32, u32)]) -> bool {
    let mut sorted = pattern.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
