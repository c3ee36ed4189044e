//! Small sparse matrices with a fixed pattern.

/// A symmetric matrix by its lower triangle: entries (row ≥ column), sorted, each once, diagonal complete.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symmetric {
    n: usize,
    at: Vec<(u32, u32)>,
    value: Vec<f64>,
}

impl Symmetric {
    /// Adds up triplets; an entry above the diagonal stands for its mirror image, and each off-diagonal pair must come
    /// from one triangle only.
    pub fn from_triplets(n: usize, triplets: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        let mut all: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, i, 0.0)).collect();
        all.extend(triplets.into_iter().map(|(i, j, a)| (i.max(j) as u32, i.min(j) as u32, a)));
        // stable: what falls on one place is added in the order it came
        all.sort_by_key(|&(i, j, _)| (i, j));
        let mut new = Self { n, at: Vec::new(), value: Vec::new() };
        for (i, j, a) in all {
            if new.at.last() == Some(&(i, j)) {
                *new.value.last_mut().expect("as many values as places") += a;
            } else {
                new.at.push((i, j));
                new.value.push(a);
            }
        }
        new
    }

    /// Rows and columns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// (row, column) of the entries, row ≥ column.
    pub fn at(&self) -> &[(u32, u32)] {
        &self.at
    }

    /// Values in the order of [`Symmetric::at`].
    pub fn values(&self) -> &[f64] {
        &self.value
    }

    /// (row, column, value) of the lower triangle.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.at.iter().zip(&self.value).map(|(&(i, j), &a)| (i as usize, j as usize, a))
    }

    /// Rows and columns of the given unknowns, which ascend.
    pub fn select(&self, unknowns: &[usize]) -> Self {
        let mut number = vec![None; self.n];
        unknowns.iter().enumerate().for_each(|(k, &i)| number[i] = Some(k));
        let chosen = self.entries().filter_map(|(i, j, a)| Some((number[i]?, number[j]?, a)));
        Self::from_triplets(unknowns.len(), chosen)
    }

    /// out += factor · A x.
    pub fn add_product(&self, factor: f64, x: &[f64], out: &mut [f64]) {
        for (i, j, a) in self.entries() {
            out[i] += factor * a * x[j];
            if i != j {
                out[j] += factor * a * x[i];
            }
        }
    }

    /// yᵀ A x.
    pub fn form(&self, y: &[f64], x: &[f64]) -> f64 {
        self.entries()
            .map(|(i, j, a)| if i == j { a * y[i] * x[i] } else { a * (y[i] * x[j] + y[j] * x[i]) })
            .sum()
    }
}

/// A skew-symmetric matrix by its strict lower triangle: entries (row > column), sorted, each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skew {
    at: Vec<(u32, u32)>,
    value: Vec<f64>,
}

impl Skew {
    /// Adds up triplets B_ij; one above the diagonal counts as −B_ji, and each pair must come from one triangle only.
    pub fn from_triplets(triplets: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        let fold = |(i, j, b): (usize, usize, f64)| {
            if i > j { (i as u32, j as u32, b) } else { (j as u32, i as u32, -b) }
        };
        let mut all: Vec<(u32, u32, f64)> = triplets.into_iter().filter(|t| t.0 != t.1).map(fold).collect();
        all.sort_by_key(|&(i, j, _)| (i, j));
        let mut new = Self::default();
        for (i, j, b) in all {
            if new.at.last() == Some(&(i, j)) {
                *new.value.last_mut().expect("as many values as places") += b;
            } else {
                new.at.push((i, j));
                new.value.push(b);
            }
        }
        new
    }

    /// (row, column, value) of the strict lower triangle.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.at.iter().zip(&self.value).map(|(&(i, j), &b)| (i as usize, j as usize, b))
    }

    /// Rows and columns of the given unknowns, which ascend.
    pub fn select(&self, unknowns: &[usize]) -> Self {
        let last = self.at.iter().map(|&(i, _)| i as usize).chain(unknowns.iter().copied()).max();
        let mut number = vec![None; last.map_or(0, |last| last + 1)];
        unknowns.iter().enumerate().for_each(|(k, &i)| number[i] = Some(k));
        Self::from_triplets(self.entries().filter_map(|(i, j, b)| Some((number[i]?, number[j]?, b))))
    }

    /// out += factor · B x.
    pub fn add_product(&self, factor: f64, x: &[f64], out: &mut [f64]) {
        for (i, j, b) in self.entries() {
            out[i] += factor * b * x[j];
            out[j] -= factor * b * x[i];
        }
    }
}
