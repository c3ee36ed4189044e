//! Ŵ over bodies, without being formed.
//!
//! Where the mass matrix falls apart into bodies, M = diag(M_b) with M_b = L_b L_bᵀ, a contact acts on the few bodies it touches:
//!
//! ```text
//!   Ŵ = G Gᵀ,      G_cb = H_cbᵀ L_b⁻ᵀ            d_c rows, as many columns as body b has velocities
//!   v = Gᵀ P       (v_b = L_bᵀ × what P changes of the velocity of body b)
//!   U_c = Σ_b G_cb v_b + U_free,c
//! ```
//!
//! Two spatial contacts of a thousand on one plate are coupled, so Ŵ has a million blocks; G has a thousand. A product walks
//! G twice, a Gauss–Seidel sweep keeps v up to date contact by contact: both cost the same per contact whatever the coupling.
//! Ŵ is symmetric and positive semidefinite by construction.

use crate::{BlockMatrix, Delassus, SquareMatrix};
use std::sync::{Mutex, PoisonError};

/// Blocks per touch from which on Ŵ is better not formed: there a sweep by blocks takes longer than one over bodies.
const FULLER: usize = 40;
/// Most blocks of an Ŵ that is formed: 430 MB.
const MOST_BLOCKS: usize = 6_000_000;

/// Ŵ = G Gᵀ by contacts and bodies.
#[derive(Debug, Default)]
pub struct Bodies {
    /// First row of each contact, then the number of rows.
    pub(super) first: Vec<usize>,
    /// First touch of each contact, then the number of touches.
    pub(super) start: Vec<usize>,
    pub(super) touches: Vec<Touch>,
    /// G_cb, row by row, touch after touch.
    pub(super) G: Vec<f64>,
    /// Number of velocities of all bodies.
    pub(super) velocities: usize,
    /// Diagonal blocks of Ŵ.
    pub(super) diagonal: BlockMatrix,
    v: Mutex<Vec<f64>>,
}

/// A contact acts on a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// First velocity of the body and their number.
    pub(super) at: u32,
    pub(super) len: u32,
    /// Where its part of G begins.
    pub(super) G: usize,
}

impl Bodies {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Number of velocities of all bodies.
    pub fn velocities(&self) -> usize {
        self.velocities
    }

    /// Numbers of G.
    pub fn entries(&self) -> usize {
        self.G.len()
    }

    /// Blocks that Ŵ would have, those of two contacts that share two bodies counted twice.
    pub fn blocks(&self) -> usize {
        let mut on_body = vec![0_usize; self.velocities];
        self.touches.iter().for_each(|touch| on_body[touch.at as usize] += 1);
        on_body.iter().map(|n| n * n).sum()
    }

    /// Whether Ŵ would have many more numbers than G has.
    pub fn is_fuller_formed(&self) -> bool {
        self.blocks() > FULLER * self.touches.len()
    }

    /// Whether there is room for Ŵ.
    pub fn can_be_formed(&self) -> bool {
        self.blocks() <= MOST_BLOCKS
    }

    /// Diagonal blocks of Ŵ.
    pub(crate) fn diagonal(&self) -> &BlockMatrix {
        &self.diagonal
    }

    /// v = Gᵀ P.
    pub(crate) fn momentum(&self, P: &[f64], v: &mut [f64]) {
        v.fill(0.0);
        for c in 0..self.contacts() {
            self.push(c, &P[self.first[c]..self.first[c + 1]], v);
        }
    }

    /// v ← v + G_cᵀ δP.
    #[inline]
    pub(crate) fn push(&self, contact: usize, delta: &[f64], v: &mut [f64]) {
        for touch in &self.touches[self.start[contact]..self.start[contact + 1]] {
            let (at, len) = (touch.at as usize, touch.len as usize);
            let v = &mut v[at..at + len];
            for (delta, row) in delta.iter().zip(self.G[touch.G..].chunks_exact(len)) {
                for (v, g) in v.iter_mut().zip(row) {
                    *v += g * delta;
                }
            }
        }
    }

    /// U ← U + G_c v.
    #[inline]
    pub(crate) fn pull(&self, contact: usize, v: &[f64], U: &mut [f64]) {
        for touch in &self.touches[self.start[contact]..self.start[contact + 1]] {
            let (at, len) = (touch.at as usize, touch.len as usize);
            let v = &v[at..at + len];
            for (U, row) in U.iter_mut().zip(self.G[touch.G..].chunks_exact(len)) {
                *U += row.iter().zip(v).map(|(g, v)| g * v).sum::<f64>();
            }
        }
    }

    /// out ← out + Ŵ P, with memory that is kept.
    pub(crate) fn add_product(&self, P: &[f64], out: &mut [f64]) {
        let mut v = self.v.lock().unwrap_or_else(PoisonError::into_inner);
        v.resize(self.velocities, 0.0);
        self.momentum(P, &mut v);
        for c in 0..self.contacts() {
            self.pull(c, &v, &mut out[self.first[c]..self.first[c + 1]]);
        }
    }

    /// The touches of a contact with its rows of G.
    fn touches_of(&self, contact: usize) -> impl Iterator<Item = (&Touch, &[f64])> {
        let dim = self.first[contact + 1] - self.first[contact];
        let touches = &self.touches[self.start[contact]..self.start[contact + 1]];
        touches.iter().map(move |touch| (touch, &self.G[touch.G..touch.G + dim * touch.len as usize]))
    }

    /// Ŵ_cd where the two contacts share a body; zero elsewhere.
    pub(super) fn block(&self, c: usize, d: usize, out: &mut [f64]) {
        out.fill(0.0);
        let columns = self.first[d + 1] - self.first[d];
        for (a, A) in self.touches_of(c) {
            for (b, B) in self.touches_of(d).filter(|(b, _)| b.at == a.at) {
                let (m, n) = (a.len as usize, b.len as usize);
                for (row, out) in A.chunks_exact(m).zip(out.chunks_exact_mut(columns)) {
                    for (column, out) in B.chunks_exact(n).zip(out) {
                        *out += row.iter().zip(column).map(|(x, y)| x * y).sum::<f64>();
                    }
                }
            }
        }
    }

    /// Becomes S Ŵ S for another one and a diagonal S.
    pub(crate) fn copy_scaled(&mut self, other: &Self, scale: &[f64]) {
        self.first.clone_from(&other.first);
        self.start.clone_from(&other.start);
        self.touches.clone_from(&other.touches);
        self.velocities = other.velocities;
        self.diagonal.copy_scaled(&other.diagonal, scale);
        self.G.clear();
        for c in 0..other.contacts() {
            let rows = &scale[other.first[c]..other.first[c + 1]];
            for (touch, G) in other.touches_of(c) {
                for (s, row) in rows.iter().zip(G.chunks_exact(touch.len as usize)) {
                    self.G.extend(row.iter().map(|g| s * g));
                }
            }
        }
    }

    /// Ŵ by blocks of contacts, for solvers that factor it.
    pub fn to_blocks(&self) -> BlockMatrix {
        let contacts = self.contacts();
        let dims: Vec<usize> = (0..contacts).map(|c| self.first[c + 1] - self.first[c]).collect();
        let mut on_body: Vec<Vec<u32>> = vec![Vec::new(); self.velocities];
        for c in 0..contacts {
            self.touches_of(c).for_each(|(touch, _)| on_body[touch.at as usize].push(c as u32));
        }
        let mut places = Vec::new();
        let mut data = Vec::new();
        let mut near: Vec<u32> = Vec::new();
        for c in 0..contacts {
            near.clear();
            near.extend(self.touches_of(c).flat_map(|(touch, _)| &on_body[touch.at as usize]));
            near.sort_unstable();
            near.dedup();
            for &d in &near {
                let at = data.len();
                data.resize(at + dims[c] * dims[d as usize], 0.0);
                self.block(c, d as usize, &mut data[at..]);
                places.push((c, d as usize, at));
            }
        }
        let size = |c: usize, d: usize| dims[c] * dims[d];
        let blocks = places.iter().map(|&(c, d, at)| (c, d, &data[at..at + size(c, d)]));
        BlockMatrix::from_blocks(&dims, blocks).expect("blocks are cut to the contacts")
    }

    fn contact_of(&self, row: usize) -> usize {
        self.first.partition_point(|&first| first <= row) - 1
    }
}

impl Delassus for Bodies {
    fn rows(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }
    fn apply(&self, P: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.add_product(P, out);
    }
    fn entry(&self, i: usize, j: usize) -> f64 {
        let (c, d) = (self.contact_of(i), self.contact_of(j));
        let (i, j) = (i - self.first[c], j - self.first[d]);
        let mut sum = 0.0;
        for (a, A) in self.touches_of(c) {
            for (b, B) in self.touches_of(d).filter(|(b, _)| b.at == a.at) {
                let len = b.len as usize;
                let (A, B) = (&A[i * len..(i + 1) * len], &B[j * len..(j + 1) * len]);
                sum += A.iter().zip(B).map(|(x, y)| x * y).sum::<f64>();
            }
        }
        sum
    }
    fn dense(&self) -> Option<&SquareMatrix> {
        None
    }
    fn bodies(&self) -> Option<&Bodies> {
        Some(self)
    }
}
