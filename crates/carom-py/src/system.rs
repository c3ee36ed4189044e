//! A system whose functions are Python's. Matrices are dense; what a function raises is kept, and the run ends on NaN.

#![allow(non_snake_case)]

use crate::callback::Raised;
use crate::errors::value_error;
use carom::{
    Channel, Coded, Configuration, ConstraintInfo, ContactInfo, ContactKind, Directions, Energy, Pattern,
    Quantity, Sizes, Sketch, Structure, System,
};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1, PyArrayLike2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// How far M_ij and M_ji may be apart, relative to √(M_ii M_jj): some digits for those who compute both.
const SYMMETRIC: f64 = 1e-9;

/// A Python object with the functions of `carom.System`.
pub struct PythonSystem {
    object: Py<PyAny>,
    structure: Structure,
    /// First row of every contact, and the number of all rows.
    first: Vec<usize>,
    raised: Raised,
}

impl PythonSystem {
    /// Reads the structure of the object, and where it starts.
    pub fn coded(object: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Coded> {
        let vector = |name: &str| -> PyResult<Vec<f64>> {
            let value: PyArrayLike1<'_, f64, AllowTypeChange> = object
                .getattr(name)?
                .extract()
                .map_err(|_| value_error(format!("`{name}` must be a sequence of numbers")))?;
            let value: Vec<f64> = value.as_array().iter().copied().collect();
            match value.iter().find(|x| !x.is_finite()) {
                Some(x) => Err(value_error(format!("`{name}` holds {x}, not a finite number"))),
                None => Ok(value),
            }
        };
        let (q, v) = (vector("q")?, vector("v")?);
        let n = v.len();
        if q.len() != n || n == 0 {
            return Err(value_error(format!(
                "q has {} numbers and v {n}: as many, and one at least",
                q.len()
            )));
        }
        let constraints = constraints(object)?;
        let contacts = contacts(object)?;
        let rows = constraints.len();
        let sizes = Sizes { q: n, v: n, constraints: rows, contacts: contacts.len() };
        let all = |rows: usize| (0..rows as u32).flat_map(move |i| (0..n as u32).map(move |j| (i, j)));
        let pattern = Pattern {
            mass: all(n).filter(|(i, j)| i >= j).collect(),
            tangent: all(n).collect(),
            jacobian: all(rows).collect(),
        };
        let length: f64 = attribute(object, "length", "a number (m)")?;
        if !(length > 0.0 && length.is_finite()) {
            return Err(value_error(format!("`length` is {length}; it must be positive")));
        }
        let mut first = vec![0];
        for contact in &contacts {
            first.push(first[first.len() - 1] + contact.kind.dim());
        }
        let named: Vec<(String, String, String)> =
            attribute(object, "channels", "a list of (subject, quantity, unit)")?;
        let structure = Structure {
            mass_is_constant: attribute(object, "mass_is_constant", "True or False")?,
            constraints,
            contacts,
            channels: named.iter().map(|(s, q, u)| Channel::new(s, q, u)).collect(),
            ..Structure::new(sizes, pattern, length)
        };
        let object = object.clone().unbind();
        let system = Self { object, structure, first, raised: raised.clone() };
        Ok(Coded { system: Arc::new(system), q, v, sketch: Sketch::default() })
    }

    /// Calls a function of t, q and, where asked, v, and hands its answer on; keeps what is raised.
    fn ask(
        &self,
        name: &str,
        at: &Configuration,
        with_v: bool,
        take: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>,
    ) {
        // a step that runs away leaves the numbers: that is for the scheme to see
        let runs_away = |x: &[f64]| x.iter().any(|x| !x.is_finite());
        if self.raised.is_set() || runs_away(at.q()) || with_v && runs_away(&at.v) {
            return;
        }
        let outcome = Python::attach(|py| {
            let q = PyArray1::from_slice(py, at.q());
            let object = self.object.bind(py);
            let answer = if with_v {
                object.call_method1(name, (at.t(), q, PyArray1::from_slice(py, &at.v)))?
            } else {
                object.call_method1(name, (at.t(), q))?
            };
            take(&answer)
        });
        if let Err(error) = outcome {
            self.raised.keep(error);
        }
    }

    /// A vector into `out`.
    fn vector(&self, name: &str, at: &Configuration, with_v: bool, out: &mut [f64]) {
        if out.is_empty() {
            return;
        }
        out.fill(f64::NAN);
        self.ask(name, at, with_v, |answer| copy_vector(name, answer, out));
    }
}

fn copy_vector(name: &str, answer: &Bound<'_, PyAny>, out: &mut [f64]) -> PyResult<()> {
    let array: PyArrayLike1<'_, f64, AllowTypeChange> = answer
        .extract()
        .map_err(|_| value_error(format!("`{name}` must answer {} real numbers in a row", out.len())))?;
    let array = array.as_array();
    if array.len() != out.len() {
        return Err(value_error(format!("`{name}` answers {} numbers, not {}", array.len(), out.len())));
    }
    out.iter_mut().zip(array).for_each(|(out, x)| *out = *x);
    is_a_number(name, array.iter())
}

/// Complains of NaN, which nobody means. What is infinite is the fault of a step that is too long, or a gap that never closes.
fn is_a_number<'a>(name: &str, mut answer: impl Iterator<Item = &'a f64>) -> PyResult<()> {
    match answer.any(|x| x.is_nan()) {
        true => Err(value_error(format!("`{name}` answers NaN, not a number"))),
        false => Ok(()),
    }
}

/// Rows × columns into `put`, entry by entry in order.
fn each_entry(
    name: &str,
    answer: &Bound<'_, PyAny>,
    shape: (usize, usize),
    mut put: impl FnMut(usize, usize, f64),
) -> PyResult<()> {
    let array: PyArrayLike2<'_, f64, AllowTypeChange> = answer
        .extract()
        .map_err(|_| value_error(format!("`{name}` must answer a matrix of {} by {}", shape.0, shape.1)))?;
    let array = array.as_array();
    if array.dim() != shape {
        let (rows, columns) = array.dim();
        return Err(value_error(format!(
            "`{name}` answers a matrix of {rows} by {columns}, not {} by {}",
            shape.0, shape.1
        )));
    }
    array.indexed_iter().for_each(|((i, j), x)| put(i, j, *x));
    is_a_number(name, array.iter())
}

/// An attribute that must be `what`.
fn attribute<'py, T: FromPyObjectOwned<'py>>(
    object: &Bound<'py, PyAny>,
    name: &str,
    what: &str,
) -> PyResult<T> {
    let value = object.getattr(name)?;
    value.extract().or_else(|_| {
        let shown = value.repr()?;
        Err(value_error(format!("`{name}` must be {what}, not {shown}")))
    })
}

/// Complains of a name that comes twice.
fn distinct<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> PyResult<()> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(value_error(format!("two of the `{what}` are called `{name}`")));
        }
        seen.push(name);
    }
    Ok(())
}

fn constraints(object: &Bound<'_, PyAny>) -> PyResult<Vec<ConstraintInfo>> {
    let named: Vec<(String, String)> =
        attribute(object, "constraints", "a list of (name, \"length\" or \"angle\")")?;
    distinct("constraints", named.iter().map(|(name, _)| name))?;
    let one = |(i, (name, quantity)): (usize, &(String, String))| {
        let quantity = match quantity.as_str() {
            "length" => (Quantity::Length, "force"),
            "angle" => (Quantity::Angle, "torque"),
            other => {
                return Err(value_error(format!("constraint `{name}` measures `{other}`; length or angle")));
            }
        };
        Ok(ConstraintInfo { name: name.clone(), rows: i..i + 1, quantities: vec![quantity] })
    };
    named.iter().enumerate().map(one).collect()
}

fn contacts(object: &Bound<'_, PyAny>) -> PyResult<Vec<ContactInfo>> {
    let named: Vec<(String, f64, Option<f64>)> =
        attribute(object, "contacts", "a list of (name, restitution, friction or None)")?;
    distinct("contacts", named.iter().map(|(name, ..)| name))?;
    let one = |(name, restitution, friction): &(String, f64, Option<f64>)| {
        let restitution = *restitution;
        if !(0.0..=1.0).contains(&restitution) {
            return Err(value_error(format!("contact `{name}` has restitution {restitution}; 0 to 1")));
        }
        let kind = match *friction {
            None => ContactKind::Unilateral { restitution },
            Some(friction) if friction >= 0.0 && friction.is_finite() => {
                ContactKind::Frictional { restitution, tangential_restitution: 0.0, friction }
            }
            Some(friction) => {
                return Err(value_error(format!("contact `{name}` has friction {friction}; 0 or more")));
            }
        };
        Ok(ContactInfo::new(name, kind))
    };
    named.iter().map(one).collect()
}

impl System for PythonSystem {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        M.fill(f64::NAN);
        let n = self.structure.sizes.v;
        self.ask("mass", at, false, |answer| {
            let mut all = vec![0.0; n * n];
            each_entry("mass", answer, (n, n), |i, j, x| all[i * n + j] = x)?;
            let mut k = 0;
            for i in 0..n {
                for j in 0..=i {
                    let (lower, upper) = (all[i * n + j], all[j * n + i]);
                    let size = (all[i * n + i] * all[j * n + j]).abs().sqrt();
                    if (lower - upper).abs() > SYMMETRIC * size {
                        return Err(value_error(format!(
                            "`mass` is not symmetric: M[{i}, {j}] = {lower}, M[{j}, {i}] = {upper}"
                        )));
                    }
                    M[k] = lower;
                    k += 1;
                }
            }
            Ok(())
        });
    }

    fn force(&self, at: &Configuration, h: &mut [f64]) {
        self.vector("force", at, true, h);
    }

    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let n = self.structure.sizes.v;
        K.fill(f64::NAN);
        C.fill(f64::NAN);
        self.ask("tangents", at, true, |answer| {
            let pair: &Bound<'_, PyTuple> =
                answer.cast().map_err(|_| value_error("`tangents` must answer a pair of matrices"))?;
            each_entry("tangents", &pair.get_item(0)?, (n, n), |i, j, x| K[i * n + j] = x)?;
            each_entry("tangents", &pair.get_item(1)?, (n, n), |i, j, x| C[i * n + j] = x)
        });
    }

    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        self.vector("closure", at, false, phi);
    }

    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let (rows, n) = (self.structure.sizes.constraints, self.structure.sizes.v);
        if rows == 0 {
            return;
        }
        G.fill(f64::NAN);
        self.ask("jacobian", at, false, |answer| {
            each_entry("jacobian", answer, (rows, n), |i, j, x| G[i * n + j] = x)
        });
        self.vector("closure_rate", at, false, phi_t);
    }

    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        self.vector("closure_bias", at, true, bias);
    }

    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        self.vector("gaps", at, false, g_N);
    }

    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let (n, rows) = (self.structure.sizes.v, self.first[self.first.len() - 1]);
        if active.is_empty() {
            return;
        }
        let mut all = vec![f64::NAN; rows * n];
        self.ask("directions", at, false, |answer| {
            each_entry("directions", answer, (rows, n), |i, j, x| all[i * n + j] = x)
        });
        for row in active.iter().flat_map(|&c| self.first[c]..self.first[c + 1]) {
            W.begin_row(0.0);
            (0..n).for_each(|j| W.push(j, all[row * n + j]));
        }
    }

    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        if active.is_empty() {
            return;
        }
        let mut all = vec![f64::NAN; self.first[self.first.len() - 1]];
        self.vector("contact_bias", at, true, &mut all);
        let rows = active.iter().flat_map(|&c| self.first[c]..self.first[c + 1]);
        bias.iter_mut().zip(rows).for_each(|(bias, row)| *bias = all[row]);
    }

    fn energy(&self, at: &Configuration) -> Energy {
        let mut parts = [f64::NAN; 2];
        self.vector("energy", at, true, &mut parts);
        Energy { kinetic: parts[0], potential: parts[1], strain: 0.0 }
    }

    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        self.vector("observe", at, true, out);
    }
}
