//! Problems in the HDF5 layout of FCLIB, the collection of frictional contact problems.
//!
//! ```text
//!   /fclib_local     spacedim  W  [V  R]      vectors/{q, mu, [s]}         U = W r + V λ + q,        0 = Vᵀ r + R λ + s
//!   /fclib_global    spacedim  M  H  [G]      vectors/{f, w, mu, [b]}      M v = H r + G λ + f,  U = Hᵀ v + w,  0 = Gᵀ v + b
//!   /solution, /guesses/1, /guesses/2, …      r  [l]                       answers somebody found or began with
//!
//!   W, V, …          m  n  nz  p  i  x        nz ≥ 0: so many triplets, p columns, i rows
//!                                             nz = −1: columns j = x[p[j] .. p[j+1]], i rows;  nz = −2: rows, i columns
//! ```
//!
//! spacedim is 2 or 3. With rolling resistance it is 5, the group is `fclib_local_rolling` or `fclib_global_rolling`, and mu_r
//! stands beside mu. Equations, where there are any, become bilateral rows after the contacts: P = (r, λ) and
//! Ŵ = [W V; Vᵀ R], or H and G side by side. (FCLIB: src/fclib.h. Its comments exchange p and i of triplets; the files of
//! the collection have them as above.)
#![allow(non_snake_case)]

mod write;

pub use write::write;

use carom_solve::files::{FileProblem, friction_laws};
use carom_solve::{GlobalProblem, Law, SparseMatrix, StoredProblem};
use hdf5_pure::{Error, File, FormatError, Layout};

/// A byte of a file holds at most so many numbers: what deflate can make of zeros.
const MOST_NUMBERS_PER_BYTE: u64 = 1032;

/// What is wrong with an FCLIB file, and with which of its members.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct FclibError {
    /// Path of the dataset or group, `/` for the file itself.
    pub place: String,
    /// What is wrong there, and what would be right.
    pub what: String,
}

/// A problem and the answers that came with it.
#[derive(Clone, Debug, PartialEq)]
pub struct FclibProblem {
    /// The problem.
    pub problem: FileProblem,
    /// `solution` and `guesses/…`, with the bilateral rows last.
    pub answers: Vec<StoredAnswer>,
}

/// P from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAnswer {
    /// Its path in the file.
    pub name: String,
    /// P.
    pub P: Vec<f64>,
}

/// Whether a file begins like HDF5.
pub fn is_hdf5(bytes: &[u8]) -> bool {
    hdf5_pure::is_hdf5_bytes(bytes)
}

/// Reads a problem with the answers beside it.
pub fn parse(bytes: &[u8]) -> Result<FclibProblem, FclibError> {
    if !is_hdf5(bytes) {
        return Err(wrong("/", "not an HDF5 file"));
    }
    let opened = File::from_bytes(bytes.to_vec()).map_err(|e| wrong("/", e.to_string()))?;
    let (due, there) = (opened.superblock().eof_address, bytes.len());
    if due > there as u64 {
        return Err(wrong("/", format!("the file should have {due} bytes and has {there}: it is cut off")));
    }
    let file = Reader { file: opened, length: there };
    let problem = if file.has("/fclib_local")? {
        FileProblem::Local(local(&file, "/fclib_local")?)
    } else if file.has("/fclib_global")? {
        FileProblem::Global(global(&file, "/fclib_global")?)
    } else if file.has("/fclib_local_rolling")? {
        FileProblem::Local(local(&file, "/fclib_local_rolling")?)
    } else if file.has("/fclib_global_rolling")? {
        FileProblem::Global(global(&file, "/fclib_global_rolling")?)
    } else {
        return Err(wrong("/", "holds no problem of FCLIB: neither fclib_local nor fclib_global is there"));
    };
    let laws = match &problem {
        FileProblem::Local(local) => &local.laws,
        FileProblem::Global(global) => &global.laws,
    };
    let answers = answers(&file, laws)?;
    Ok(FclibProblem { problem, answers })
}

fn wrong(place: &str, what: impl Into<String>) -> FclibError {
    FclibError { place: place.into(), what: what.into() }
}

/// A file whose faults carry the path that was asked for.
struct Reader {
    file: File,
    /// Bytes.
    length: usize,
}

impl Reader {
    /// Whether there is anything at a path.
    fn has(&self, path: &str) -> Result<bool, FclibError> {
        match self.file.group(path) {
            Ok(_) | Err(Error::NotAGroup(_)) => Ok(true),
            Err(Error::Format(FormatError::PathNotFound(_))) => Ok(false),
            Err(other) => Err(wrong(path, other.to_string())),
        }
    }

    /// All numbers, each of them finite.
    fn numbers(&self, path: &str) -> Result<Vec<f64>, FclibError> {
        let numbers = self.any_numbers(path).map_err(|what| wrong(path, what))?;
        match numbers.iter().position(|x| !x.is_finite()) {
            Some(k) => Err(wrong(
                path,
                format!("number {} of {} is {}, not a finite number", k + 1, numbers.len(), numbers[k]),
            )),
            None => Ok(numbers),
        }
    }

    /// What stands in a dataset. The shape alone costs memory: one that the file cannot fill is refused, and so is room that
    /// nothing was ever put into, which HDF5 takes for zeros.
    fn any_numbers(&self, path: &str) -> Result<Vec<f64>, String> {
        let said = |e: Error| e.to_string();
        let dataset = self.file.dataset(path).map_err(|e| match e {
            Error::Format(FormatError::PathNotFound(_)) => "is missing".into(),
            other => said(other),
        })?;
        let shape = dataset.shape().map_err(said)?;
        let count = shape.iter().try_fold(1u64, |product, n| product.checked_mul(*n));
        match count {
            Some(0) => return Ok(Vec::new()),
            Some(count) if count <= MOST_NUMBERS_PER_BYTE.saturating_mul(self.length as u64) => {}
            _ => return Err(format!("has the shape {shape:?}, more than the file could hold")),
        }
        let written = match dataset.layout().map_err(said)? {
            Layout::Contiguous { address, .. } => address.is_some(),
            Layout::Chunked { .. } => !dataset.chunks().map_err(said)?.is_empty(),
            _ => true,
        };
        if !written {
            return Err("was never written".into());
        }
        dataset.read_f64().map_err(said)
    }

    /// So many numbers.
    fn vector(&self, path: &str, count: usize) -> Result<Vec<f64>, FclibError> {
        let numbers = self.numbers(path)?;
        if numbers.len() != count {
            return Err(wrong(path, format!("has {} numbers; the matrices ask for {count}", numbers.len())));
        }
        Ok(numbers)
    }

    /// The one whole number of a dataset.
    fn whole(&self, path: &str) -> Result<i32, FclibError> {
        match self.numbers(path)?[..] {
            [x] if x == f64::from(x as i32) => Ok(x as i32),
            [x] => Err(wrong(path, format!("is {x}; a whole number is due"))),
            ref many => Err(wrong(path, format!("has {} numbers; one is due", many.len()))),
        }
    }

    fn count(&self, path: &str) -> Result<usize, FclibError> {
        let whole = self.whole(path)?;
        usize::try_from(whole).map_err(|_| wrong(path, format!("is {whole}; it is never negative")))
    }

    /// Places in something of that size.
    fn places(&self, path: &str, size: usize) -> Result<Vec<u32>, FclibError> {
        let place = |(k, x): (usize, f64)| {
            if x >= 0.0 && x < size as f64 && x.fract() == 0.0 {
                return Ok(x as u32);
            }
            Err(wrong(path, format!("number {} is {x}; whole numbers from 0 to below {size} are due", k + 1)))
        };
        self.numbers(path)?.into_iter().enumerate().map(place).collect()
    }
}

/// A matrix in any of its three storages.
fn matrix(file: &Reader, path: &str) -> Result<SparseMatrix, FclibError> {
    let member = |name: &str| format!("{path}/{name}");
    let (m, n) = (file.count(&member("m"))?, file.count(&member("n"))?);
    let nz = file.whole(&member("nz"))?;
    // The sizes alone cost memory: rows that no byte of the file speaks of are refused.
    let most = file.length;
    if m.max(n) > most {
        return Err(wrong(path, format!("is {m} × {n}, more than the file could fill")));
    }
    let x = file.numbers(&member("x"))?;
    let triplets = match nz {
        0.. => {
            let columns = file.places(&member("p"), n)?;
            let rows = file.places(&member("i"), m)?;
            let entries = nz as usize;
            if [columns.len(), rows.len(), x.len()].iter().any(|length| *length < entries) {
                let (p, i, x) = (columns.len(), rows.len(), x.len());
                return Err(wrong(path, format!("has {entries} entries by nz; p has {p}, i {i}, x {x}")));
            }
            rows.into_iter().zip(columns).zip(x).take(entries).map(|((i, j), x)| (i, j, x)).collect()
        }
        -1 | -2 => {
            let by_columns = nz == -1;
            let (many, others) = if by_columns { (n, m) } else { (m, n) };
            let start = file.places(&member("p"), x.len() + 1)?;
            let other = file.places(&member("i"), others)?;
            let rising = start.len() == many + 1 && start[0] == 0 && start.is_sorted();
            if !rising || other.len() < start[many] as usize {
                let what = format!(
                    "{} numbers that rise from 0 to the number of entries are due, and as many in i",
                    many + 1
                );
                return Err(wrong(&member("p"), what));
            }
            let mut triplets = Vec::with_capacity(x.len());
            for line in 0..many {
                for k in start[line] as usize..start[line + 1] as usize {
                    let (i, j) = if by_columns { (other[k], line as u32) } else { (line as u32, other[k]) };
                    triplets.push((i, j, x[k]));
                }
            }
            triplets
        }
        _ => {
            let what = format!("is {nz}; the number of triplets, −1 (columns) or −2 (rows) is due");
            return Err(wrong(&member("nz"), what));
        }
    };
    Ok(SparseMatrix::from_triplets(m, n, triplets))
}

/// The same, of a size that others ask for.
fn sized(file: &Reader, path: &str, rows: usize, columns: usize) -> Result<SparseMatrix, FclibError> {
    let matrix = matrix(file, path)?;
    if (matrix.rows(), matrix.columns()) != (rows, columns) {
        let what = format!("is {} × {}; {rows} × {columns} is due", matrix.rows(), matrix.columns());
        return Err(wrong(path, what));
    }
    Ok(matrix)
}

/// Laws of the contacts that own these rows.
fn laws(file: &Reader, path: &str, rows: usize) -> Result<Vec<Law>, FclibError> {
    let place = format!("{path}/spacedim");
    let dim = file.count(&place)?;
    if ![2, 3, 5].contains(&dim) {
        let what = format!("is {dim}; it is 2 in the plane, 3 in space, 5 with rolling resistance");
        return Err(wrong(&place, what));
    }
    if !rows.is_multiple_of(dim) {
        return Err(wrong(path, format!("{rows} rows are not whole contacts of dimension {dim}")));
    }
    let coefficients = |member: &str, name: &str| {
        let place = format!("{path}/vectors/{member}");
        let numbers = file.vector(&place, rows / dim)?;
        match numbers.iter().position(|x| *x < 0.0) {
            Some(k) => {
                let what = format!("the {name} of contact {} is {}; it is never negative", k + 1, numbers[k]);
                Err(wrong(&place, what))
            }
            None => Ok(numbers),
        }
    };
    let mu = coefficients("mu", "friction coefficient")?;
    let mu_r = if dim == 5 { coefficients("mu_r", "rolling resistance")? } else { Vec::new() };
    Ok(friction_laws(dim, &mu, &mu_r))
}

/// Entries of a matrix moved by rows and columns.
fn moved(matrix: &SparseMatrix, rows: usize, columns: usize) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
    matrix.triplets().map(move |(i, j, x)| ((i + rows) as u32, (j + columns) as u32, x))
}

fn local(file: &Reader, path: &str) -> Result<StoredProblem<SparseMatrix>, FclibError> {
    let member = |name: &str| format!("{path}/{name}");
    let W = matrix(file, &member("W"))?;
    let rows = W.rows();
    if W.columns() != rows {
        return Err(wrong(&member("W"), format!("is not square: {rows} × {}", W.columns())));
    }
    let mut laws = laws(file, path, rows)?;
    let mut U_free = file.vector(&member("vectors/q"), rows)?;
    if !file.has(&member("V"))? && !file.has(&member("R"))? {
        return Ok(StoredProblem { W_hat: W, U_free, laws });
    }
    let R = matrix(file, &member("R"))?;
    let p = R.rows();
    if R.columns() != p {
        return Err(wrong(&member("R"), format!("is not square: {p} × {}", R.columns())));
    }
    let V = sized(file, &member("V"), rows, p)?;
    U_free.extend(file.vector(&member("vectors/s"), p)?);
    laws.extend(vec![Law::bilateral(); p]);
    let mut entries: Vec<_> = moved(&W, 0, 0).chain(moved(&V, 0, rows)).collect();
    entries.extend(moved(&V.transposed(), rows, 0).chain(moved(&R, rows, rows)));
    Ok(StoredProblem { W_hat: SparseMatrix::from_triplets(rows + p, rows + p, entries), U_free, laws })
}

fn global(file: &Reader, path: &str) -> Result<GlobalProblem, FclibError> {
    let member = |name: &str| format!("{path}/{name}");
    let M = matrix(file, &member("M"))?;
    let n = M.rows();
    if M.columns() != n {
        return Err(wrong(&member("M"), format!("is not square: {n} × {}", M.columns())));
    }
    let mut H = matrix(file, &member("H"))?;
    let rows = H.columns();
    if H.rows() != n {
        return Err(wrong(&member("H"), format!("has {} rows; {n} velocities are in M", H.rows())));
    }
    let mut laws = laws(file, path, rows)?;
    let f = file.vector(&member("vectors/f"), n)?;
    let mut b = file.vector(&member("vectors/w"), rows)?;
    if file.has(&member("G"))? {
        let G = matrix(file, &member("G"))?;
        let p = G.columns();
        if G.rows() != n {
            return Err(wrong(&member("G"), format!("has {} rows; {n} velocities are in M", G.rows())));
        }
        b.extend(file.vector(&member("vectors/b"), p)?);
        laws.extend(vec![Law::bilateral(); p]);
        H = SparseMatrix::from_triplets(n, rows + p, moved(&H, 0, 0).chain(moved(&G, 0, rows)).collect());
    }
    Ok(GlobalProblem { M, H, f, b, laws })
}

/// What somebody found or began with. Room for an answer that was never filled, and answers to something else, are left out.
fn answers(file: &Reader, laws: &[Law]) -> Result<Vec<StoredAnswer>, FclibError> {
    let bilateral = laws.iter().filter(|law| **law == Law::bilateral()).count();
    let contact_rows = laws.iter().map(Law::dim).sum::<usize>() - bilateral;
    let mut names = vec![String::from("solution")];
    while file.has(&format!("/guesses/{}", names.len()))? {
        names.push(format!("guesses/{}", names.len()));
    }
    let rows = |name: &str, part: &str, count: usize| {
        if count == 0 { Ok(Vec::new()) } else { file.vector(&format!("/{name}/{part}"), count) }
    };
    let mut answers = Vec::new();
    for name in names {
        if let (Ok(mut P), Ok(lambda)) = (rows(&name, "r", contact_rows), rows(&name, "l", bilateral)) {
            P.extend(lambda);
            answers.push(StoredAnswer { name, P });
        }
    }
    Ok(answers)
}
