//! Which shapes an elastic body may take.
//!
//! ```text
//!   eigenmodes            K φ = ω² M φ  under the reference condition              [RezaeiSchindler] D (184)–(188)
//! ```
//!
//! and those of `interface`: Craig–Bampton shapes and static corrections.

use crate::eigen::{self, Failure};
use crate::interface::{correct, craig_bampton, directions};
use crate::reduced::Free;
use crate::statics::Statics;
use crate::{ElasticError, FiniteElements, Material, Symmetric, Unit};
use std::f64::consts::TAU;

/// Which eigenmodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// The first so many.
    Lowest(usize),
    /// By their numbers, the slowest being 1.
    Numbers(Vec<usize>),
    /// All below a frequency (Hz).
    Below(f64),
    /// All.
    All,
}

/// Shapes to reduce a body to.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Eigenmodes, or fixed-interface modes if there is an interface.
    pub choice: Choice,
    /// Interface points of Craig and Bampton; none for plain eigenmodes.
    pub interface: Vec<Material>,
    /// Points whose static deflection under forces is kept exactly.
    pub correction: Vec<Material>,
    /// Whether Craig–Bampton shapes are combined so that M and K become diagonal; otherwise the first coordinates are
    /// the displacements of the interface points.
    pub orthonormal: bool,
}

/// What one elastic coordinate is the amplitude of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A nodal coordinate.
    Nodal(usize),
    /// A mass-normalised mode.
    Mode {
        /// From the slowest, which is 1.
        number: usize,
    },
    /// The displacement of an interface point.
    Interface {
        /// Which point, from 0.
        point: usize,
        /// x is 0, y is 1; the rotation is 2.
        axis: usize,
        /// What it is measured in.
        unit: Unit,
    },
    /// A static correction, mass-normalised.
    Correction {
        /// From the slowest, which is 1.
        number: usize,
    },
}

impl Modes {
    /// Plain eigenmodes.
    pub fn eigenmodes(choice: Choice) -> Self {
        Self { choice, interface: Vec::new(), correction: Vec::new(), orthonormal: true }
    }

    /// The first `count` eigenmodes.
    pub fn lowest(count: usize) -> Self {
        Self::eigenmodes(Choice::Lowest(count))
    }

    /// Constraint modes of the interface points and chosen fixed-interface modes, made orthonormal.
    pub fn craig_bampton(interface: Vec<Material>, choice: Choice) -> Self {
        Self { interface, ..Self::eigenmodes(choice) }
    }
}

/// Shapes by free nodal coordinates.
pub(crate) struct Basis {
    pub columns: Vec<Vec<f64>>,
    pub shapes: Vec<Shape>,
    /// ω² of orthonormal shapes.
    pub omega2: Option<Vec<f64>>,
}

pub(crate) fn basis(
    elements: &dyn FiniteElements,
    free: &Free,
    modes: &Modes,
) -> Result<Basis, ElasticError> {
    let name = |i: usize| elements.dof_name(free.free[i]);
    if modes.correction.is_empty() && modes.interface.is_empty() {
        let (omega2, columns, numbers) = chosen(&free.K, &free.M, &free.rigid, &modes.choice, &name)?;
        if columns.is_empty() {
            return Err(none_chosen(&modes.choice));
        }
        let shapes = numbers.into_iter().map(|number| Shape::Mode { number }).collect();
        return Ok(Basis { columns, shapes, omega2: Some(omega2) });
    }
    let statics = Statics::new(&free.K, &free.M, &free.rigid).map_err(|loose| loose.named(name))?;
    let mut basis = if modes.interface.is_empty() {
        let (omega2, columns, numbers) = chosen(&free.K, &free.M, &free.rigid, &modes.choice, &name)?;
        let shapes = numbers.into_iter().map(|number| Shape::Mode { number }).collect();
        Basis { columns, shapes, omega2: Some(omega2) }
    } else {
        craig_bampton(elements, free, &statics, modes)?
    };
    if !modes.correction.is_empty() {
        let directions = directions(elements, free, &modes.correction)?;
        correct(free, &statics, &directions, !modes.interface.is_empty(), &mut basis)?;
    }
    if basis.columns.is_empty() {
        return Err(none_chosen(&modes.choice));
    }
    Ok(basis)
}

fn none_chosen(choice: &Choice) -> ElasticError {
    match choice {
        Choice::Below(frequency) => ElasticError::other(
            format!("no mode of the body is slower than {frequency} Hz"),
            "raise the frequency, or model the body as rigid",
        ),
        _ => ElasticError::other("no mode is chosen", "choose at least one, or model the body as rigid"),
    }
}

/// ω², shapes and numbers of the chosen eigenmodes.
pub(crate) type Chosen = (Vec<f64>, Vec<Vec<f64>>, Vec<usize>);

pub(crate) fn chosen(
    K: &Symmetric,
    M: &Symmetric,
    rigid: &[Vec<f64>],
    choice: &Choice,
    name: &dyn Fn(usize) -> String,
) -> Result<Chosen, ElasticError> {
    let free = K.n().saturating_sub(rigid.len());
    let numbers: Vec<usize> = match choice {
        Choice::Lowest(count) => (1..=*count).collect(),
        Choice::All => (1..=free).collect(),
        &Choice::Below(frequency) => {
            if frequency.is_nan() || frequency <= 0.0 {
                return Err(ElasticError::NotPositive {
                    quantity: "the frequency below which modes are kept",
                    value: frequency,
                });
            }
            (1..=eigen::count_below(K, M, rigid.len(), TAU * frequency)).collect()
        }
        Choice::Numbers(numbers) => {
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            if sorted.first() == Some(&0) {
                return Err(ElasticError::other("there is no mode 0", "the slowest mode is number 1"));
            }
            if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(ElasticError::other(
                    format!("mode {} is chosen twice", twice[0]),
                    "name it once",
                ));
            }
            sorted
        }
    };
    let count = numbers.last().copied().unwrap_or(0);
    if count > free {
        return Err(match choice {
            Choice::Numbers(_) => ElasticError::other(
                format!("mode {count} is chosen, but the body has only {free} modes"),
                "choose numbers up to that, or refine its mesh",
            ),
            _ => ElasticError::other(
                format!("{count} modes are asked for, but the body has only {free}"),
                "ask for at most that many, or refine its mesh",
            ),
        });
    }
    let mut all = eigen::modes(K, M, rigid, count).map_err(|failure: Failure| failure.named(name))?;
    let omega2 = numbers.iter().map(|&number| all.omega2[number - 1]).collect();
    let columns = numbers.iter().map(|&number| std::mem::take(&mut all.phi[number - 1])).collect();
    Ok((omega2, columns, numbers))
}
