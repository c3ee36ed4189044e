//! Shapes for what is attached to a body at points.
//!
//! ```text
//!   Craig–Bampton         A q = displacements of the interface points
//!     fixed-interface     K φ = ω² M φ  with  A φ = 0
//!     constraint modes    Ψ = K⁻¹ Aᵀ (A K⁻¹ Aᵀ)⁻¹,  A Ψ = 1                       [CraigBampton1968]
//!   static correction     Γ = (K⁺ − Φ Ω⁻² Φᵀ) Aᵀ: what the kept modes miss of the deflection under forces at points
//! ```
//!
//! Where the reference condition takes means (K has rigid motions R), loads at the interface are combined to those
//! that balance, RᵀAᵀλ = 0, and all shapes are made orthogonal to R. Orthonormal shapes diagonalise M and K; Γ is
//! orthogonal to eigenmodes Φ in both from the start.

use crate::eigen;
use crate::modes::{Basis, Modes, Shape, chosen};
use crate::reduced::Free;
use crate::rigid::{self, Elimination};
use crate::statics::{Statics, product};
use crate::{ElasticError, FiniteElements, Material, Symmetric, Unit};
use carom_linear::dense::{Matrix, generalised};
use carom_linear::{axpy, dot_8 as dot};

/// What is left of a static deflection counts as new when it is longer than this share of the whole.
const NEW: f64 = 1e-6;

/// One direction of a point:  displacement = Σ c_i q_i.
pub(crate) struct Direction {
    point: usize,
    axis: usize,
    unit: Unit,
    row: Vec<f64>,
}

/// Directions in which the points can be displaced: x, y, and the rotation where the elements have angles.
pub(crate) fn directions(
    elements: &dyn FiniteElements,
    free: &Free,
    points: &[Material],
) -> Result<Vec<Direction>, ElasticError> {
    let mut all = Vec::new();
    for (point, &at) in points.iter().enumerate() {
        let shapes = elements.point(at)?;
        let turns = shapes.columns.iter().any(|c| elements.unit(c.0 as usize) == Unit::Angle);
        for axis in 0..if turns { 3 } else { 2 } {
            let mut row = vec![0.0; free.free.len()];
            for &(i, S, s) in &shapes.columns {
                if let Ok(k) = free.free.binary_search(&(i as usize)) {
                    row[k] = if axis == 2 { s } else { S[axis] };
                }
            }
            let unit = if axis == 2 { Unit::Angle } else { Unit::Length };
            all.push(Direction { point, axis, unit, row });
        }
    }
    Ok(all)
}

pub(crate) fn craig_bampton(
    elements: &dyn FiniteElements,
    free: &Free,
    statics: &Statics,
    modes: &Modes,
) -> Result<Basis, ElasticError> {
    let n = free.free.len();
    let M_root = rigid::root_of_diagonal(&free.M);
    let mut directions = directions(elements, free, &modes.interface)?;
    // what the reference condition holds already, or another point moves along with
    let mut rank = 0;
    let mut kept: Vec<Vec<f64>> = Vec::new();
    directions.retain(|d| {
        kept.push(d.row.clone());
        let now = n - Elimination::new(n, &kept, &M_root).kept.len();
        let new = now > rank;
        if !new {
            kept.pop();
        }
        rank = now;
        new
    });
    if directions.is_empty() {
        return Err(ElasticError::other(
            "the interface points are all held by the reference condition",
            "choose other points, or plain eigenmodes",
        ));
    }
    let mean = !statics.rigid.is_empty();
    if mean && !modes.orthonormal {
        return Err(ElasticError::other(
            "interface displacements cannot be coordinates under a mean reference condition",
            "ask for orthonormal shapes, or choose `clamped` or `pinned`",
        ));
    }

    // fixed-interface modes
    let fixed = Elimination::new(n, &kept, &M_root);
    let loose = motions_within(&directions, statics);
    let restrict = |x: &[f64]| -> Vec<f64> { fixed.kept.iter().map(|&i| x[i]).collect() };
    let loose: Vec<Vec<f64>> = loose.iter().map(|r| restrict(r)).collect();
    let name = |i: usize| elements.dof_name(free.free[fixed.kept[i]]);
    let (_, phi, numbers) =
        chosen(&fixed.sparse(&free.K), &fixed.sparse(&free.M), &loose, &modes.choice, &name)?;
    let phi: Vec<Vec<f64>> = phi.iter().map(|y| fixed.expand(y)).collect();

    // constraint modes, up to a factor: deflections under loads at the interface that balance
    let along_rigid: Vec<Vec<f64>> =
        statics.rigid.iter().map(|r| directions.iter().map(|d| dot(&d.row, r)).collect()).collect();
    let mut scratch = vec![0.0; n];
    let deflections: Vec<Vec<f64>> = rigid::complement(directions.len(), &along_rigid)
        .iter()
        .map(|lambda| {
            let mut f = vec![0.0; n];
            lambda.iter().zip(&directions).for_each(|(l, d)| axpy(*l, &d.row, &mut f));
            statics.apply(&mut f, &mut scratch);
            f
        })
        .collect();

    if !modes.orthonormal {
        let psi = unit_displacements(&directions, &deflections)?;
        let interface =
            directions.iter().map(|d| Shape::Interface { point: d.point, axis: d.axis, unit: d.unit });
        let shapes = interface.chain(numbers.into_iter().map(|number| Shape::Mode { number })).collect();
        return Ok(Basis { columns: psi.into_iter().chain(phi).collect(), shapes, omega2: None });
    }
    let mut shapes: Vec<Vec<f64>> = deflections.into_iter().chain(phi).collect();
    shapes.iter_mut().for_each(|x| statics.remove_rigid(x));
    let (omega2, columns) = combine(free, shapes)?;
    let shapes = (1..=columns.len()).map(|number| Shape::Mode { number }).collect();
    Ok(Basis { columns, shapes, omega2: Some(omega2) })
}

/// Combinations of the rigid motions that do not move the interface.
fn motions_within(directions: &[Direction], statics: &Statics) -> Vec<Vec<f64>> {
    // rows of A R: what each direction sees of the motions
    let seen: Vec<Vec<f64>> =
        directions.iter().map(|d| statics.rigid.iter().map(|r| dot(&d.row, r)).collect()).collect();
    rigid::complement(statics.rigid.len(), &seen)
        .iter()
        .map(|c| {
            let mut motion = vec![0.0; directions[0].row.len()];
            c.iter().zip(&statics.rigid).for_each(|(c, r)| axpy(*c, r, &mut motion));
            motion
        })
        .collect()
}

/// Combinations of the deflections that displace one direction by one and the others not.
fn unit_displacements(
    directions: &[Direction],
    deflections: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, ElasticError> {
    // rows (A G | 1) to (1 | (A G)⁻¹), pivots by size
    let m = directions.len();
    let mut rows: Vec<Vec<f64>> = directions
        .iter()
        .enumerate()
        .map(|(i, d)| {
            let seen = deflections.iter().map(|g| dot(&d.row, g));
            seen.chain((0..m).map(|j| f64::from(u8::from(i == j)))).collect()
        })
        .collect();
    for k in 0..m {
        let p = (k..m).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).expect("rows are left");
        rows.swap(k, p);
        let pivot = rows[k][k];
        if pivot == 0.0 {
            return Err(ElasticError::other("two interface points move as one", "leave one of them out"));
        }
        rows[k].iter_mut().for_each(|x| *x /= pivot);
        let row = rows[k].clone();
        for (i, other) in rows.iter_mut().enumerate() {
            if i != k {
                let factor = other[k];
                axpy(-factor, &row, other);
            }
        }
    }
    Ok((0..m)
        .map(|j| {
            let mut psi = vec![0.0; deflections[0].len()];
            deflections.iter().enumerate().for_each(|(i, g)| axpy(rows[i][m + j], g, &mut psi));
            psi
        })
        .collect())
}

/// Orthonormal combinations of independent shapes: the modes of the body restricted to them.
fn combine(free: &Free, mut shapes: Vec<Vec<f64>>) -> Result<(Vec<f64>, Vec<Vec<f64>>), ElasticError> {
    for x in &mut shapes {
        let norm = free.M.form(x, x).sqrt();
        x.iter_mut().for_each(|x| *x /= norm);
    }
    let within = |A: &Symmetric| {
        let mut out = Matrix::zero(shapes.len(), shapes.len());
        for (k, x) in shapes.iter().enumerate() {
            let Ax = product(A, x);
            (k..shapes.len()).for_each(|l| out.set_pair(l, k, dot(&shapes[l], &Ax)));
        }
        out
    };
    let (omega2, s) = generalised(&within(&free.K), &within(&free.M))?;
    let mut columns: Vec<Vec<f64>> = (0..shapes.len())
        .map(|k| {
            let mut column = vec![0.0; free.free.len()];
            s.row(k).iter().zip(&shapes).for_each(|(s, x)| axpy(*s, x, &mut column));
            column
        })
        .collect();
    eigen::settle(&omega2, &mut columns);
    Ok((omega2, columns))
}

/// Adds the static deflections under forces at the points, as far as the shapes do not contain them.
pub(crate) fn correct(
    free: &Free,
    statics: &Statics,
    directions: &[Direction],
    interface: bool,
    basis: &mut Basis,
) -> Result<(), ElasticError> {
    let Some(omega2) = &mut basis.omega2 else {
        return Err(ElasticError::other(
            "static corrections need orthonormal shapes",
            "leave them out, or ask for orthonormal shapes",
        ));
    };
    let kept = basis.columns.len();
    let mut scratch = vec![0.0; free.free.len()];
    let mut span = basis.columns.clone();
    for d in directions {
        let mut gamma = d.row.clone();
        statics.apply(&mut gamma, &mut scratch);
        let before = free.M.form(&gamma, &gamma).max(0.0).sqrt();
        for _ in 0..2 {
            for x in &span {
                axpy(-free.M.form(x, &gamma), x, &mut gamma);
            }
            statics.remove_rigid(&mut gamma);
        }
        let norm = free.M.form(&gamma, &gamma).max(0.0).sqrt();
        if norm > NEW * before && span.len() + statics.rigid.len() < free.free.len() {
            gamma.iter_mut().for_each(|x| *x /= norm);
            span.push(gamma);
        }
    }
    if interface {
        // shapes that are no eigenmodes are coupled with the deflections by K
        (*omega2, basis.columns) = combine(free, span)?;
        basis.shapes = (1..=omega2.len()).map(|number| Shape::Mode { number }).collect();
        return Ok(());
    }
    let corrections = span.split_off(kept);
    if !corrections.is_empty() {
        let (w2, columns) = combine(free, corrections)?;
        basis.shapes.extend((1..=columns.len()).map(|number| Shape::Correction { number }));
        omega2.extend(w2);
        basis.columns.extend(columns);
    }
    Ok(())
}
