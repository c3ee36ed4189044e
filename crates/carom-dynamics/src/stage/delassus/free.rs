//! Ŵ of bodies that no joint and no force holds: K is diagonal, and what two contacts share is bodies.
//!
//! ```text
//!   K = D,     Ŵ_cd = Σ_b G_cb G_dbᵀ,     G_cb = W_cbᵀ D_b^-½          b a body that both touch
//! ```
//!
//! Velocities fall into units, the six of a body that turns or a single one; with K diagonal any such partition is right, and one by
//! bodies is fast: who meets whom is asked once per body, and a block is six outer products of three numbers. X and its places are
//! those of the general way, which serves all that is not of this kind.

use super::blocks::Blocks;
use crate::{Directions, System};
use carom_linear::sparse::Ldl;
use carom_solve::Law;

/// Rows of a contact here.
const ROWS: usize = 3;
/// Velocities of a unit at most.
const WIDE: usize = 6;
/// Units that a contact may touch.
const MOST_TOUCHED: usize = 4;
/// No unit.
const NONE: u32 = u32::MAX;

/// A partition of the velocities.
#[derive(Clone, Debug, Default)]
pub struct Units {
    /// Unit of each velocity, and the first velocity of each unit, then their number.
    of: Vec<u32>,
    first: Vec<u32>,
}

impl Units {
    /// Six velocities where a body turns, single ones elsewhere.
    pub fn new(system: &dyn System) -> Self {
        let n = system.structure().sizes.v;
        let mut starts: Vec<bool> = vec![true; n + 1];
        for rotation in &system.structure().rotations {
            // three of the place, three of the rotation behind them
            let range = rotation.v.saturating_sub(WIDE / 2)..rotation.v + WIDE / 2;
            if range.len() == WIDE && range.end <= n && starts[range.clone()].iter().all(|&start| start) {
                starts[range.start + 1..range.end].fill(false);
            }
        }
        let mut new = Self::default();
        for (v, &start) in starts.iter().enumerate() {
            if start {
                new.first.push(v as u32);
            }
            if v < n {
                new.of.push(new.first.len() as u32 - 1);
            }
        }
        new
    }

    fn count(&self) -> usize {
        self.first.len() - 1
    }

    fn len(&self, unit: u32) -> usize {
        (self.first[unit as usize + 1] - self.first[unit as usize]) as usize
    }
}

/// Memory for it.
#[derive(Debug, Default)]
pub struct Free {
    /// Square roots of D⁻¹ by velocity.
    root: Vec<f64>,
    /// X D^-½ of each touch, by velocity and row, and its unit; where the touches of a contact begin.
    G: Vec<[f64; ROWS * WIDE]>,
    unit: Vec<u32>,
    touches: Vec<u32>,
    /// By unit: where its touches begin, then (contact, touch), contacts ascending.
    start: Vec<u32>,
    on: Vec<(u32, u32)>,
}

impl Blocks {
    /// Forms X and Ŵ where K is diagonal and all contacts have three rows, along which impulses act as well. False where that is
    /// not so, or where most contacts are coupled with most others; then nothing is formed.
    pub fn build_free(&mut self, ldl: &Ldl, units: &Units, laws: &[Law], W: &Directions) -> bool {
        if !ldl.is_diagonal()
            || laws.iter().any(|law| law.dim() != ROWS)
            || !self.touch(ldl, units, laws.len(), W)
        {
            return false;
        }
        if !self.meet(laws.len()) {
            return false;
        }
        let (start, coupled) = (&self.start_of_row, &self.coupled);
        self.W_hat.reset(laws.iter().map(Law::dim), |c| &coupled[start[c] as usize..start[c + 1] as usize]);
        self.multiply_free(laws.len());
        true
    }

    /// X and G, and who touches which unit. False if a contact touches too many.
    fn touch(&mut self, ldl: &Ldl, units: &Units, contacts: usize, W: &Directions) -> bool {
        let Self { first, start, place, number, X, free, .. } = self;
        let Free { root, G, unit, touches, start: start_of, on } = free;
        root.clear();
        root.extend((0..units.of.len()).map(|v| ldl.d_inv(ldl.place(v)).sqrt()));
        for list in [&mut *first, &mut *start, &mut *place, &mut *number, &mut *unit, &mut *touches] {
            list.clear();
        }
        X.clear();
        G.clear();
        start_of.clear();
        start_of.resize(units.count() + 1, 0);
        for c in 0..contacts {
            first.push((ROWS * c) as u32);
            start.push(place.len() as u32);
            number.push(X.len() as u32);
            touches.push(unit.len() as u32);
            let mut touched = [NONE; MOST_TOUCHED];
            let mut count = 0;
            let mut numbers = [[0.0; ROWS * WIDE]; MOST_TOUCHED];
            for r in 0..ROWS {
                let (columns, values) = W.row(ROWS * c + r);
                for (&column, &value) in columns.iter().zip(values) {
                    let u = units.of[column as usize];
                    let t = match touched[..count].iter().position(|&touched| touched == u) {
                        Some(t) => t,
                        None if count == MOST_TOUCHED => return false,
                        None => {
                            touched[count] = u;
                            count += 1;
                            count - 1
                        }
                    };
                    numbers[t][ROWS * (column - units.first[u as usize]) as usize + r] += value;
                }
            }
            for t in 0..count {
                let (u, numbers) = (touched[t], &mut numbers[t]);
                let (from, len) = (units.first[u as usize], units.len(u));
                place.extend((0..len as u32).map(|k| ldl.place((from + k) as usize) as u32));
                X.extend_from_slice(&numbers[..ROWS * len]);
                for (k, lines) in numbers.chunks_exact_mut(ROWS).enumerate().take(len) {
                    lines.iter_mut().for_each(|x| *x *= root[from as usize + k]);
                }
                G.push(*numbers);
                unit.push(u);
                start_of[u as usize + 1] += 1;
            }
        }
        first.push((ROWS * contacts) as u32);
        start.push(place.len() as u32);
        touches.push(unit.len() as u32);
        for u in 0..units.count() {
            start_of[u + 1] += start_of[u];
        }
        on.clear();
        on.resize(unit.len(), (0, 0));
        for c in 0..contacts {
            for t in touches[c]..touches[c + 1] {
                let next = &mut start_of[unit[t as usize] as usize];
                on[*next as usize] = (c as u32, t);
                *next += 1;
            }
        }
        // each beginning has moved to the next one's
        start_of.rotate_right(1);
        start_of[0] = 0;
        true
    }

    /// Who meets whom: contacts on a unit of one's own, ascending. False if too many do.
    fn meet(&mut self, contacts: usize) -> bool {
        let most = Self::most_coupled(contacts);
        let Self { start_of_row, coupled, free, .. } = self;
        let Free { unit, touches, start, on, .. } = &*free;
        let list = |t: u32| {
            let u = unit[t as usize] as usize;
            &on[start[u] as usize..start[u + 1] as usize]
        };
        start_of_row.clear();
        coupled.clear();
        for c in 0..contacts {
            let from = coupled.len();
            start_of_row.push(from as u32);
            match touches[c + 1] - touches[c] {
                1 => coupled.extend(list(touches[c]).iter().map(|&(d, _)| d)),
                2 => {
                    let (mut a, mut b) =
                        (list(touches[c]).iter().peekable(), list(touches[c] + 1).iter().peekable());
                    loop {
                        let next = match (a.peek(), b.peek()) {
                            (Some(&&(i, _)), Some(&&(j, _))) => i.min(j),
                            (Some(&&(i, _)), None) | (None, Some(&&(i, _))) => i,
                            (None, None) => break,
                        };
                        a.next_if(|(d, _)| *d == next);
                        b.next_if(|(d, _)| *d == next);
                        coupled.push(next);
                    }
                }
                _ => {
                    for t in touches[c]..touches[c + 1] {
                        coupled.extend(list(t).iter().map(|&(d, _)| d));
                    }
                    coupled[from..].sort_unstable();
                    let mut kept = from;
                    for k in from..coupled.len() {
                        if kept == from || coupled[kept - 1] != coupled[k] {
                            coupled[kept] = coupled[k];
                            kept += 1;
                        }
                    }
                    coupled.truncate(kept);
                }
            }
            if coupled.len() > most {
                return false;
            }
        }
        start_of_row.push(coupled.len() as u32);
        true
    }

    /// Ŵ = G Gᵀ, row by row of blocks; the same products in the same order make Ŵ_dc the transpose of Ŵ_cd.
    fn multiply_free(&mut self, contacts: usize) {
        let Self { W_hat, free, .. } = self;
        let Free { G, unit, touches, start, on, .. } = &*free;
        for c in 0..contacts {
            let (coupled, numbers) = W_hat.row_mut(c);
            let blocks = numbers.as_chunks_mut::<{ ROWS * ROWS }>().0;
            for t in touches[c]..touches[c + 1] {
                let (own, u) = (&G[t as usize], unit[t as usize] as usize);
                let mut k = 0;
                for &(d, other) in &on[start[u] as usize..start[u + 1] as usize] {
                    while coupled[k] != d {
                        k += 1;
                    }
                    add_products(own, &G[other as usize], &mut blocks[k]);
                }
            }
        }
    }
}

/// block += Σ_k g_k h_kᵀ.
#[inline]
fn add_products(g: &[f64; ROWS * WIDE], h: &[f64; ROWS * WIDE], block: &mut [f64; ROWS * ROWS]) {
    let mut sum = [0.0; ROWS * ROWS];
    for (g, h) in g.as_chunks::<ROWS>().0.iter().zip(h.as_chunks::<ROWS>().0) {
        for i in 0..ROWS {
            for j in 0..ROWS {
                sum[ROWS * i + j] += g[i] * h[j];
            }
        }
    }
    for (block, sum) in block.iter_mut().zip(sum) {
        *block += sum;
    }
}
