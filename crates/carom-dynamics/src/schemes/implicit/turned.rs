//! The matrix of the iteration where bodies turn in space.
//!
//! ω is in body axes, so the columns of G turn with the body: over a step that turns it by δ, Ḡ and G_{n+1} differ by |δ|/2, and the
//! iteration with Ḡ in both rows contracts by |dt ω|/2 only, 0.08 for a top that turns by 150 rad/s in steps of 1 ms. Nothing
//! happens that quickly: seen from space, the directions of joints turn with the swing of the body, not with its spin.
//! Ḡ and what inertia does over the step belong to its middle. So they are turned into the axes of its end,
//!
//! ```text
//!   E = exp(−δ/2),      E (J + c_v C) = J − dt/2 (J ω)~ + O(dt²),     C = ω~ J − (J ω)~,      G̃ = Ḡ Eᵀ
//!   M δv − G̃ᵀ δP_b = E (−c_v r₁ − M w + Ḡᵀ P_b),       G̃ δv = −(G v + ∂Φ/∂t)
//! ```
//!
//! The first row is exact but for a skew part, which is small against the inertia that joints make the body carry. The second
//! leaves out dt δω × (ω × r) at a point r of the body: its swing, not its spin. The tangents of −ω × J ω are not needed, and M is
//! not assembled again. The residual is the same, so is the solution. Where it is slow after all, the usual iteration takes over.

use super::{Implicit, Joints};
use crate::chart;
use crate::rotation::{dot, from_half_way};
use crate::{ContactStage, Structure, System};

/// A step that turns no body further than this (rad) needs nothing of this: half of it is how the usual iteration contracts.
const FAST: f64 = 0.05;
/// Spin is what turns a body without moving the points where joints hold it: this part of its square may be swing.
const SWING: f64 = 0.1;

/// G̃.
#[derive(Debug)]
pub(super) struct Turned {
    /// First rate of a rotation, and where a row of G has its three entries.
    threes: Vec<(u32, [u32; 3])>,
    /// G̃ in pattern order.
    G: Vec<f64>,
}

impl Turned {
    /// For joints that act along Ḡ, where turning is all that h depends on; positions that are held want G alone.
    pub fn new(structure: &Structure, joints: Joints, positions: bool) -> Option<Self> {
        let turns = structure.gyroscopic && structure.mass_is_constant && structure.sizes.constraints > 0;
        if !turns || joints != Joints::Mean || positions {
            return None;
        }
        let jacobian = &structure.pattern.jacobian;
        let mut sorted: Vec<u32> = (0..jacobian.len() as u32).collect();
        sorted.sort_by_key(|&place| jacobian[place as usize]);
        let first = |column: u32| structure.rotations.iter().any(|rotation| rotation.v as u32 == column);
        let three = |places: &[u32]| {
            let (row, column) = jacobian[places[0] as usize];
            let whole = (0..3).all(|k| jacobian[places[k as usize] as usize] == (row, column + k));
            (first(column) && whole).then_some((column, [places[0], places[1], places[2]]))
        };
        Some(Self { threes: sorted.windows(3).filter_map(three).collect(), G: vec![0.0; jacobian.len()] })
    }
}

impl Implicit {
    /// Whether bodies turn fast over the step, and about axes through their joints: Σ (g·δ)² ≪ Σ |g|² |δ|² over rows g of Ḡ.
    pub(super) fn spins(&self, stage: &ContactStage) -> bool {
        let Some(Turned { threes, .. }) = &self.turned else { return false };
        let turn = |v: u32| -> [f64; 3] { std::array::from_fn(|k| self.delta[v as usize + k]) };
        if !threes.iter().any(|&(v, _)| dot(turn(v), turn(v)) > FAST * FAST) {
            return false;
        }
        let G = stage.operator.directions();
        let (mut swing, mut all) = (0.0, 0.0);
        for &(v, places) in threes {
            let (delta, g) = (turn(v), places.map(|place| G[place as usize]));
            swing += dot(g, delta).powi(2);
            all += dot(g, g) * dot(delta, delta);
        }
        swing < SWING * all
    }

    /// Factors M with G̃.
    pub(super) fn factor_turned(&mut self, stage: &mut ContactStage) -> bool {
        let Some(Turned { threes, G }) = &mut self.turned else { return false };
        G.copy_from_slice(stage.operator.directions());
        for &(v, places) in &*threes {
            let [i, j, k] = places.map(|place| place as usize);
            let v = v as usize;
            let delta = [self.delta[v], self.delta[v + 1], self.delta[v + 2]];
            [G[i], G[j], G[k]] = from_half_way(delta, [G[i], G[j], G[k]]);
        }
        stage.operator.factor_with(G)
    }

    /// E on the first row.
    pub(super) fn turn_residual(&mut self, system: &dyn System) {
        chart::from_half_way(&system.structure().rotations, &self.delta, &mut self.dv);
    }

    /// Turns the guess of x into the axes that bodies will have at the end of the step: what accelerates them stays in space
    /// rather than in the body.
    #[inline]
    pub fn turn_guess(&mut self, system: &dyn System, v_n: &[f64], dt: f64) {
        if self.turned.is_some() {
            chart::carry_on(&system.structure().rotations, dt, v_n, &mut self.x);
        }
    }
}
