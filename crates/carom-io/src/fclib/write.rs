//! Problems into FCLIB's layout: local ones by rows, global ones as triplets, as the files of the collection have them.

use carom_solve::files::{FileProblem, NoLayout, friction_dimension};
use carom_solve::{GlobalProblem, Law, SparseMatrix, StoredProblem};
use hdf5_pure::{FileBuilder, FinishedGroup, GroupBuilder, LibVer};

/// What is to be written.
enum Tree {
    /// Named members.
    Group(Members),
    /// Whole numbers of four bytes.
    Whole(Vec<i32>),
    /// Floats of eight bytes.
    Real(Vec<f64>),
}

type Members = Vec<(&'static str, Tree)>;

/// Writes a problem: contacts first, bilateral rows after them. Any HDF5 from 1.8 (2008) on reads it.
pub fn write(problem: &FileProblem) -> Result<Vec<u8>, NoLayout> {
    let (laws, members, kind) = match problem {
        FileProblem::Local(problem) => {
            (&problem.laws, local(problem)?, ["fclib_local", "fclib_local_rolling"])
        }
        FileProblem::Global(problem) => {
            (&problem.laws, global(problem)?, ["fclib_global", "fclib_global_rolling"])
        }
    };
    let rolls = laws.iter().any(|law| law.dim() == 5);
    let name = kind[usize::from(rolls)];
    let mut file = FileBuilder::new();
    file.with_libver_bounds(LibVer::Earliest, LibVer::V18);
    let group = file.create_group(name);
    file.add_group(filled(group, members));
    file.finish().map_err(|e| NoLayout(e.to_string()))
}

fn filled(mut group: GroupBuilder, members: Members) -> FinishedGroup {
    for (name, member) in members {
        match member {
            Tree::Group(members) => {
                let inner = group.create_group(name);
                group.add_group(filled(inner, members));
            }
            Tree::Whole(numbers) => drop(group.create_dataset(name).with_i32_data(&numbers)),
            Tree::Real(numbers) => drop(group.create_dataset(name).with_f64_data(&numbers)),
        }
    }
    group.finish()
}

/// Rows of contacts and bilateral rows, in the order of the problem; dimension and laws of the contacts.
struct Split {
    /// For each row: whether it is bilateral, and its place among its kind.
    places: Vec<(bool, u32)>,
    contact_rows: usize,
    bilateral: usize,
    dim: usize,
    contacts: Vec<Law>,
}

impl Split {
    fn of(laws: &[Law]) -> Result<Self, NoLayout> {
        let contacts: Vec<Law> = laws.iter().copied().filter(|law| *law != Law::bilateral()).collect();
        let dim = friction_dimension(&contacts)?;
        let (mut places, mut contact_rows, mut bilateral) = (Vec::new(), 0, 0);
        for law in laws {
            let equation = *law == Law::bilateral();
            let next = if equation { &mut bilateral } else { &mut contact_rows };
            for _ in 0..law.dim() {
                places.push((equation, *next as u32));
                *next += 1;
            }
        }
        Ok(Self { places, contact_rows, bilateral, dim, contacts })
    }

    /// mu, and mu_r where contacts have it.
    fn coefficients(&self) -> Members {
        let numbers = |of: fn(&Law) -> f64| Tree::Real(self.contacts.iter().map(of).collect());
        let mut vectors = vec![("mu", numbers(Law::friction))];
        if self.dim == 5 {
            vectors.push(("mu_r", numbers(Law::rolling)));
        }
        vectors
    }

    /// Numbers of the contacts and of the bilateral rows.
    fn vectors(&self, all: &[f64]) -> [Vec<f64>; 2] {
        let those = |wanted: bool| {
            let rows = all.iter().zip(&self.places).filter(|(_, (equation, _))| *equation == wanted);
            rows.map(|(x, _)| *x).collect()
        };
        [those(false), those(true)]
    }
}

fn local(problem: &StoredProblem<SparseMatrix>) -> Result<Members, NoLayout> {
    let split = Split::of(&problem.laws)?;
    // W, V, its mirror image, R.
    let mut parts: [Vec<(u32, u32, f64)>; 4] = Default::default();
    for (i, j, x) in problem.W_hat.triplets() {
        let ((below, i), (right, j)) = (split.places[i], split.places[j]);
        parts[2 * usize::from(below) + usize::from(right)].push((i, j, x));
    }
    let (c, b) = (split.contact_rows, split.bilateral);
    let [W, V, mirror, R] = parts;
    let V = SparseMatrix::from_triplets(c, b, V);
    if SparseMatrix::from_triplets(b, c, mirror) != V.transposed() {
        return Err(NoLayout(
            "FCLIB holds symmetric matrices only between contacts and equations; this one is not".into(),
        ));
    }
    let [q, s] = split.vectors(&problem.U_free);
    let mut members = vec![("W", by_rows(&SparseMatrix::from_triplets(c, c, W))?)];
    let mut vectors = vec![("q", Tree::Real(q))];
    vectors.extend(split.coefficients());
    if b > 0 {
        members.push(("V", by_rows(&V)?));
        members.push(("R", by_rows(&SparseMatrix::from_triplets(b, b, R))?));
        vectors.push(("s", Tree::Real(s)));
    }
    members.push(("vectors", Tree::Group(vectors)));
    members.push(("spacedim", whole([split.dim])?));
    Ok(members)
}

fn global(problem: &GlobalProblem) -> Result<Members, NoLayout> {
    let split = Split::of(&problem.laws)?;
    let mut parts: [Vec<(u32, u32, f64)>; 2] = Default::default();
    for (i, j, x) in problem.H.triplets() {
        let (equation, j) = split.places[j];
        parts[usize::from(equation)].push((i as u32, j, x));
    }
    let n = problem.velocities();
    let [H, G] = parts;
    let [w, b] = split.vectors(&problem.b);
    let H = SparseMatrix::from_triplets(n, split.contact_rows, H);
    let mut members = vec![("M", triplets(&problem.M)?), ("H", triplets(&H)?)];
    let mut vectors = vec![("f", Tree::Real(problem.f.clone())), ("w", Tree::Real(w))];
    vectors.extend(split.coefficients());
    if split.bilateral > 0 {
        members.push(("G", triplets(&SparseMatrix::from_triplets(n, split.bilateral, G))?));
        vectors.push(("b", Tree::Real(b)));
    }
    members.push(("vectors", Tree::Group(vectors)));
    members.push(("spacedim", whole([split.dim])?));
    Ok(members)
}

/// Whole numbers, as wide as the layout has them.
fn whole(numbers: impl IntoIterator<Item = usize>) -> Result<Tree, NoLayout> {
    let narrow =
        |x: usize| i32::try_from(x).map_err(|_| NoLayout(format!("{x} is too large for this layout")));
    numbers.into_iter().map(narrow).collect::<Result<_, _>>().map(Tree::Whole)
}

/// nz = −2, as local problems of the collection have it.
fn by_rows(matrix: &SparseMatrix) -> Result<Tree, NoLayout> {
    let ends = (0..matrix.rows()).scan(0, |end, i| {
        *end += matrix.row(i).count();
        Some(*end)
    });
    let (p, i) = (whole([0].into_iter().chain(ends))?, whole(matrix.triplets().map(|(_, j, _)| j))?);
    compressed(matrix, -2, p, i)
}

/// nz ≥ 0, as global ones have it.
fn triplets(matrix: &SparseMatrix) -> Result<Tree, NoLayout> {
    let p = whole(matrix.triplets().map(|(_, j, _)| j))?;
    let i = whole(matrix.triplets().map(|(i, _, _)| i))?;
    let entries =
        i32::try_from(matrix.entries()).map_err(|_| NoLayout("too many entries for this layout".into()))?;
    compressed(matrix, entries, p, i)
}

fn compressed(matrix: &SparseMatrix, nz: i32, p: Tree, i: Tree) -> Result<Tree, NoLayout> {
    Ok(Tree::Group(vec![
        ("nzmax", whole([matrix.entries()])?),
        ("m", whole([matrix.rows()])?),
        ("n", whole([matrix.columns()])?),
        ("nz", Tree::Whole(vec![nz])),
        ("p", p),
        ("i", i),
        ("x", Tree::Real(matrix.triplets().map(|(_, _, x)| x).collect())),
    ]))
}
