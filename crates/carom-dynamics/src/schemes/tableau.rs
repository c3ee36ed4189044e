//! Coefficients of half-explicit Runge–Kutta methods.
//!
//! ```text
//!   c | A      Q_l = q + dt Σ_{k<l} a_lk V_k,      V_l = v + dt Σ_{k<l} a_lk V'_k,      l = 1 .. s−1, c_0 = 0
//!     | b      q⁺ = q + dt Σ b_k V_k,              v⁺ = v + dt Σ b_k V'_k
//! ```
//!
//! Half-explicit: the force of a stage is found from the law at the next one, so it must push there, which takes
//! a_{l,l−1} > 0 for every stage and b_{s−1} > 0.

use thiserror::Error;

/// An explicit tableau whose stages can be solved one after the other for the forces of the stage before.
#[derive(Clone, Debug, PartialEq)]
pub struct Tableau {
    /// Row l has l entries.
    a: Vec<Vec<f64>>,
    b: Vec<f64>,
    c: Vec<f64>,
}

/// Why coefficients are no half-explicit method.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TableauError {
    /// Fewer than two stages.
    #[error("a half-explicit tableau needs two stages or more; this one has {stages}")]
    Stages {
        /// Stages given.
        stages: usize,
    },
    /// A row reaches to or beyond its own stage, or falls short of it.
    #[error("row {row} of the tableau has {given} entries; an explicit stage {row} has exactly {row}")]
    NotExplicit {
        /// The row, counted from 0.
        row: usize,
        /// Its entries.
        given: usize,
    },
    /// A force would not push where the law is asked.
    #[error(
        "the last coefficient of row {row} is {value}; it must be positive, or the force of stage {stage} cannot keep the law at the next one",
        stage = row - 1
    )]
    NoPush {
        /// The row, counted from 0; the row of weights comes last.
        row: usize,
        /// The coefficient.
        value: f64,
    },
    /// The weights do not sum to one.
    #[error("the weights sum to {sum}; they must sum to 1")]
    Weights {
        /// What they sum to.
        sum: f64,
    },
    /// A coefficient is not finite.
    #[error("a coefficient is not a finite number; all of them must be")]
    NotFinite,
}

impl Tableau {
    /// Checks the coefficients: row l of `a` has l entries, `b` one weight per stage.
    pub fn new(a: &[&[f64]], b: &[f64]) -> Result<Self, TableauError> {
        let stages = b.len();
        if stages < 2 || a.len() != stages {
            return Err(TableauError::Stages { stages: stages.min(a.len()) });
        }
        for (row, entries) in a.iter().enumerate() {
            if entries.len() != row {
                return Err(TableauError::NotExplicit { row, given: entries.len() });
            }
        }
        if a.iter().copied().flatten().chain(b).any(|x| !x.is_finite()) {
            return Err(TableauError::NotFinite);
        }
        for (row, entries) in a.iter().copied().chain([b]).enumerate().skip(1) {
            let value = entries[row - 1];
            if value <= 0.0 {
                return Err(TableauError::NoPush { row, value });
            }
        }
        let sum: f64 = b.iter().sum();
        if (sum - 1.0).abs() > 1e-12 {
            return Err(TableauError::Weights { sum });
        }
        let c = a.iter().map(|row| row.iter().sum()).collect();
        Ok(Self { a: a.iter().map(|row| row.to_vec()).collect(), b: b.to_vec(), c })
    }

    /// Trapezoidal rule, order 2. [Schindler2015] App. A
    pub fn order_2() -> Self {
        Self::known(&[&[], &[1.0]], &[0.5, 0.5])
    }

    /// Order 3. [BraseyHairer1993]
    pub fn order_3() -> Self {
        Self::known(&[&[], &[1.0 / 3.0], &[-1.0, 2.0]], &[0.0, 0.75, 0.25])
    }

    /// Order 4, five stages. [BraseyHairer1993]
    pub fn order_4() -> Self {
        let s = 6.0_f64.sqrt();
        Self::known(
            &[
                &[],
                &[0.3],
                &[(1.0 + s) / 30.0, (11.0 - 4.0 * s) / 30.0],
                &[(-79.0 - 31.0 * s) / 150.0, (-1.0 - 4.0 * s) / 30.0, (24.0 + 11.0 * s) / 25.0],
                &[(14.0 + 5.0 * s) / 6.0, (-8.0 + 7.0 * s) / 6.0, (-9.0 - 7.0 * s) / 4.0, (9.0 - s) / 4.0],
            ],
            &[0.0, 0.0, (16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0],
        )
    }

    fn known(a: &[&[f64]], b: &[f64]) -> Self {
        Self::new(a, b).expect("a published tableau is half-explicit")
    }

    /// Number of stages s.
    pub fn stages(&self) -> usize {
        self.b.len()
    }

    /// Coefficients of stage l, or the weights for l = s.
    pub fn row(&self, l: usize) -> &[f64] {
        self.a.get(l).unwrap_or(&self.b)
    }

    /// Weights.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// c_l, or 1 for l = s.
    pub fn time(&self, l: usize) -> f64 {
        self.c.get(l).copied().unwrap_or(1.0)
    }
}
