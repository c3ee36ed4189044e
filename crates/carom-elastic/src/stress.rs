//! How hard the material is worked at a node: one number for the eye, from rows over the elastic coordinates.
//!
//! ```text
//!   beams, bars    σ = |N|/A + |M| c/I         largest over the section, c from the axis to the extreme fibre
//!   plane stress   σ² = σ_xx² − σ_xx σ_yy + σ_yy² + 3 σ_xy²                              von Mises
//!   plane strain   the same with σ_zz = ν (σ_xx + σ_yy)
//! ```
//!
//! Stresses are those of the strains alone; what damping adds is left out, as in the section forces.

use crate::Row;

/// What three rows are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// N/A, M c/I and nothing.
    Fibre,
    /// σ_xx, σ_yy, σ_xy, nothing across.
    PlaneStress,
    /// σ_xx, σ_yy, σ_xy, with σ_zz from Poisson's ratio.
    PlaneStrain {
        /// ν.
        poisson: f64,
    },
}

impl Measure {
    /// The one number (Pa), not negative.
    #[inline]
    pub fn of(self, [a, b, c]: [f64; 3]) -> f64 {
        // half the sum of the squared differences of the normal stresses, σ_zz among them
        let mises = |z: f64| {
            let differences = (a - b) * (a - b) + (b - z) * (b - z) + (z - a) * (z - a);
            (0.5 * differences + 3.0 * c * c).sqrt()
        };
        match self {
            Measure::Fibre => a.abs() + b.abs(),
            Measure::PlaneStress => mises(0.0),
            Measure::PlaneStrain { poisson } => mises(poisson * (a + b)),
        }
    }
}

/// The stress at one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// (coordinate, its factors in the three rows), coordinates ascending.
    pub columns: Vec<(u32, [f64; 3])>,
    /// What the rows are.
    pub measure: Measure,
    /// (element, factor): with stiffening the first row gains factor times the tension that bending adds to the element.
    pub stretched: Vec<(usize, f64)>,
}

impl Gauge {
    /// Of the linear rows given.
    pub(crate) fn of_rows(rows: [Row; 3], measure: Measure) -> Self {
        let mut columns: Vec<(u32, [f64; 3])> = Vec::new();
        for (c, row) in rows.iter().enumerate() {
            for &(k, a) in row {
                let i = columns.binary_search_by_key(&k, |column| column.0).unwrap_or_else(|i| {
                    columns.insert(i, (k, [0.0; 3]));
                    i
                });
                columns[i].1[c] += a;
            }
        }
        Self { columns, measure, stretched: Vec::new() }
    }

    /// The linear rows at these coordinates.
    #[inline]
    pub fn rows(&self, q: &[f64]) -> [f64; 3] {
        self.columns.iter().fold([0.0; 3], |sum, &(k, f)| {
            let q = q[k as usize];
            [sum[0] + f[0] * q, sum[1] + f[1] * q, sum[2] + f[2] * q]
        })
    }
}

/// Distance from the axis to the extreme fibre of the rectangle with this area and second moment: h²/12 = I/A, c = h/2.
/// It stands in where a section has no height of its own; of a circle it would be 15 % more.
pub fn extreme_fibre(area: f64, second_moment: f64) -> f64 {
    (3.0 * second_moment / area).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_of_known_states() {
        assert_eq!(Measure::Fibre.of([-3.0, 2.0, 9.0]), 5.0);
        // uniaxial: the stress itself; pure shear: √3 τ; equal in both: itself without, |1 − 2ν| times with σ_zz
        assert_eq!(Measure::PlaneStress.of([-7.0, 0.0, 0.0]), 7.0);
        assert!((Measure::PlaneStress.of([0.0, 0.0, 2.0]) - 12f64.sqrt()).abs() < 1e-15);
        assert_eq!(Measure::PlaneStress.of([4.0, 4.0, 0.0]), 4.0);
        assert!((Measure::PlaneStrain { poisson: 0.3 }.of([4.0, 4.0, 0.0]) - 1.6).abs() < 1e-15);
    }

    #[test]
    fn a_rectangle_gets_its_own_height_back() {
        let (h, w) = (0.02, 0.01);
        assert!((extreme_fibre(h * w, w * h * h * h / 12.0) - 0.5 * h).abs() < 1e-17);
    }
}
