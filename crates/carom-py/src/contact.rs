//! Contact problems from arrays.                                    U = Ŵ P + U_free,  a law per contact

#![allow(non_snake_case)]

use crate::errors::{guarded, value_error};
use carom::solve::{Law, Limits, SolveReport, SparseMatrix, StoredProblem};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Entries of a sparse matrix: rows, columns, values.
type Entries<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>);

fn problem(
    W: &Entries<'_>,
    U: &PyReadonlyArray1<'_, f64>,
    laws: &[(String, f64)],
) -> PyResult<StoredProblem<SparseMatrix>> {
    let U_free = U.as_slice().map_err(|e| value_error(e.to_string()))?.to_vec();
    let n = U_free.len();
    let slices = (W.0.as_slice(), W.1.as_slice(), W.2.as_slice());
    let (Ok(rows), Ok(columns), Ok(values)) = slices else {
        return Err(value_error("the entries of W must be contiguous"));
    };
    let mut triplets = Vec::with_capacity(values.len());
    for ((&i, &j), &value) in rows.iter().zip(columns).zip(values) {
        let inside = |k: i64| usize::try_from(k).is_ok_and(|k| k < n);
        if !inside(i) || !inside(j) {
            return Err(value_error(format!("W has an entry at ({i}, {j}), and U_free {n} rows")));
        }
        triplets.push((i as u32, j as u32, value));
    }
    let law = |(name, mu): &(String, f64)| match name.as_str() {
        "unilateral" => Ok(Law::unilateral()),
        "planar" => Ok(Law::planar_coulomb(*mu)),
        "spatial" => Ok(Law::spatial_coulomb(*mu)),
        "dry" => Ok(Law::dry(*mu)),
        other => Err(value_error(format!(
            "there is no law `{other}`; the laws are unilateral, planar, spatial, dry"
        ))),
    };
    let laws = laws.iter().map(law).collect::<PyResult<Vec<_>>>()?;
    let stored = StoredProblem { W_hat: SparseMatrix::from_triplets(n, n, triplets), U_free, laws };
    stored.check().map_err(value_error)?;
    Ok(stored)
}

/// P, status, residual, iterations, solver.
type Solved<'py> = (Bound<'py, PyArray1<f64>>, String, f64, usize, &'static str);

/// Solves a problem.
#[pyfunction]
#[pyo3(signature = (W, U_free, laws, solver, tolerance, seconds, guess = None))]
pub fn solve<'py>(
    py: Python<'py>,
    W: Entries<'py>,
    U_free: PyReadonlyArray1<'py, f64>,
    laws: Vec<(String, f64)>,
    solver: &str,
    tolerance: Option<f64>,
    seconds: Option<f64>,
    guess: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Solved<'py>> {
    let stored = problem(&W, &U_free, &laws)?;
    let mut P = match &guess {
        Some(guess) if guess.len()? != stored.U_free.len() => {
            return Err(value_error(format!(
                "the guess has {} rows, U_free {}",
                guess.len()?,
                stored.U_free.len()
            )));
        }
        Some(guess) => guess.as_slice().map_err(|e| value_error(e.to_string()))?.to_vec(),
        None => vec![0.0; stored.U_free.len()],
    };
    let mut method = carom::solver(solver)
        .ok_or_else(|| value_error(format!("there is no solver `{solver}`; carom.solvers() lists them")))?;
    let mut limits = Limits::default();
    if let Some(tolerance) = tolerance {
        limits.tolerance = tolerance;
    }
    if let Some(seconds) = seconds {
        limits.seconds = seconds;
    }
    method.limit(limits);
    let SolveReport { status, residual, iterations, solver, .. } = guarded(py, || {
        Ok(py.detach(|| {
            let blocks = stored.blocks();
            method.solve(&blocks.as_problem(), &mut P)
        }))
    })?;
    let status = serde_json::to_value(status).map_err(|e| value_error(e.to_string()))?;
    Ok((P.into_pyarray(py), status.as_str().unwrap_or_default().to_string(), residual, iterations, solver))
}

/// The residual of an answer, whoever found it.
#[pyfunction]
pub fn residual(
    W: Entries<'_>,
    U_free: PyReadonlyArray1<'_, f64>,
    laws: Vec<(String, f64)>,
    P: PyReadonlyArray1<'_, f64>,
) -> PyResult<f64> {
    let stored = problem(&W, &U_free, &laws)?;
    let P = P.as_slice().map_err(|e| value_error(e.to_string()))?;
    if P.len() != stored.U_free.len() {
        return Err(value_error(format!("P has {} rows, U_free {}", P.len(), stored.U_free.len())));
    }
    Ok(carom::solve::residual(&stored.as_problem(), P))
}
