//! What a turning body resists with, to be left out of the tangents.
//!
//! ```text
//!   h_ω = −ω × J ω,      C = −∂h/∂ω = ω~ J − (J ω)~           ω and J in body axes
//! ```

use crate::rotation::{Vector, cross, dot};

/// One rotation among the velocities.
#[derive(Debug)]
pub(super) struct Spin {
    /// First of its rates.
    v: usize,
    J: [Vector; 3],
    /// Row and column of an entry within the rotation, and its place among the tangents.
    entries: Vec<(usize, usize, usize)>,
}

impl Spin {
    /// Of the rates from `v` on; entries that the pattern does not have are zero.
    pub fn new(v: usize, J: [Vector; 3], pattern: &[(u32, u32)]) -> Self {
        let own = |i: u32| (i as usize).checked_sub(v).filter(|i| *i < 3);
        let entry = |(place, &(i, j)): (usize, &(u32, u32))| Some((own(i)?, own(j)?, place));
        Self { v, J, entries: pattern.iter().enumerate().filter_map(entry).collect() }
    }

    /// C without it.
    pub fn leave_out(&self, v: &[f64], C: &mut [f64]) {
        let omega = [v[self.v], v[self.v + 1], v[self.v + 2]];
        let spin = self.J.map(|row| dot(row, omega));
        // J is symmetric: its rows are its columns
        let columns: [Vector; 3] = std::array::from_fn(|k| {
            let mut e = [0.0; 3];
            e[k] = 1.0;
            let (turned, of_e) = (cross(omega, self.J[k]), cross(spin, e));
            [0, 1, 2].map(|i| turned[i] - of_e[i])
        });
        for &(i, j, place) in &self.entries {
            C[place] -= columns[j][i];
        }
    }
}
