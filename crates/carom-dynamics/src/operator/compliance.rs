//! Reactions that move velocities more than positions do.
//!
//! In the implicit schemes a reaction enters v with the factor 1 and the positions with c_w, while the smooth forces enter
//! with c_v and c_a. Where c_w c_v < c_a and K is stiff, that difference is what a joint feels: the velocity row of the
//! saddle point has a block of its own,
//!
//! ```text
//!   [ Â  Ḡᵀ ] (  y  )        E = ε Ḡ M⁻¹ Ḡᵀ
//!   [ Ḡ  −E ] ( −P' )
//! ```
//!
//! All rows of joints that touch one block of M are coupled in E. They are coupled in L already: a row goes after all
//! unknowns it touches, so E needs no room that the factor does not have.

use super::Operator;
use carom_linear::sparse::Slot;

/// Rows of G, and which of them are coupled by M⁻¹.
#[derive(Debug, Default)]
pub(super) struct Coupling {
    /// Entries of G by row: where row r begins, then (column, place in pattern order).
    start: Vec<u32>,
    entry: Vec<(u32, u32)>,
    /// Rows s ≤ r coupled with row r, and the slot of (r, s): where row r begins, then these.
    pair_start: Vec<u32>,
    pair: Vec<(u32, Slot)>,
    /// A row of G, M⁻¹ times it.
    row: Vec<f64>,
    column: Vec<f64>,
}

impl Coupling {
    fn new(operator: &Operator) -> Self {
        let (nv, nc) = (operator.nv(), operator.nc());
        let mut by_row: Vec<Vec<(u32, u32)>> = vec![Vec::new(); nc];
        for (k, &(row, column)) in operator.saddle.jacobian_at.iter().enumerate() {
            by_row[row as usize].push((column, k as u32));
        }
        // blocks of M, each named by its least index
        let mut block: Vec<u32> = (0..nv as u32).collect();
        let find = |block: &[u32], mut i: u32| {
            while block[i as usize] != i {
                i = block[i as usize];
            }
            i
        };
        for &(i, j) in &operator.saddle.mass_at {
            let (a, b) = (find(&block, i), find(&block, j));
            block[a.max(b) as usize] = a.min(b);
        }
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); nv];
        for (row, entries) in by_row.iter().enumerate() {
            for &(column, _) in entries {
                rows_of[find(&block, column) as usize].push(row as u32);
            }
        }
        let mut new = Self { row: vec![0.0; nv], column: vec![0.0; nv], ..Self::default() };
        for (row, entries) in by_row.iter().enumerate() {
            new.start.push(new.entry.len() as u32);
            new.entry.extend(entries);
            let mut with: Vec<u32> = entries
                .iter()
                .flat_map(|&(column, _)| &rows_of[find(&block, column) as usize])
                .copied()
                .filter(|&s| s as usize <= row)
                .collect();
            with.sort_unstable();
            with.dedup();
            new.pair_start.push(new.pair.len() as u32);
            new.pair.extend(with.into_iter().map(|s| {
                let slot = operator.saddle.factor.slot(nv + row, nv + s as usize);
                (s, slot.expect("rows coupled by M are coupled in L"))
            }));
        }
        new.start.push(new.entry.len() as u32);
        new.pair_start.push(new.pair.len() as u32);
        new
    }

    fn entries(&self, row: usize) -> &[(u32, u32)] {
        &self.entry[self.start[row] as usize..self.start[row + 1] as usize]
    }
}

impl Operator {
    /// Adds −ε Ḡ M⁻¹ Ḡᵀ to the block of the joints, M the mean if reactions use it.
    pub(super) fn add_compliance(&mut self, epsilon: f64) {
        if self.nc() == 0 || epsilon == 0.0 {
            return;
        }
        let mut coupling = self.coupling.take().unwrap_or_else(|| Box::new(Coupling::new(self)));
        for row in 0..self.nc() {
            coupling.row.fill(0.0);
            let directions = self.along.of(&self.G, &self.G_mean, &self.G_n);
            for k in coupling.start[row]..coupling.start[row + 1] {
                let (column, place) = coupling.entry[k as usize];
                coupling.row[column as usize] += directions[place as usize];
            }
            let Coupling { row: g, column: m, .. } = &mut *coupling;
            self.solve_reaction_mass(g, m);
            let directions = self.along.of(&self.G, &self.G_mean, &self.G_n);
            let pairs = coupling.pair_start[row] as usize..coupling.pair_start[row + 1] as usize;
            for &(other, slot) in &coupling.pair[pairs] {
                let entries = coupling.entries(other as usize).iter();
                let product: f64 =
                    entries.map(|&(j, k)| directions[k as usize] * coupling.column[j as usize]).sum();
                self.saddle.factor.add(slot, -epsilon * product);
            }
        }
        self.coupling = Some(coupling);
    }

    /// out = M⁻¹ x with the M that reactions use: the mean where one was taken for this step.
    pub fn solve_reaction_mass(&mut self, x: &[f64], out: &mut [f64]) {
        if self.mean_is_used { self.solve_average_mass(x, out) } else { self.solve_mass(x, out) }
    }

    /// Whether reactions use the mean of M from now on.
    pub fn use_mean_mass(&mut self, used: bool) {
        self.mean_is_used = used;
    }
}
