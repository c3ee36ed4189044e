//! LDLᵀ of a tridiagonal matrix, eliminated from both ends towards the middle.
//!
//! ```text
//!   l_i = b_i / d_i,    d_{i+1} ← d_{i+1} − l_i b_i      i = 0 … m−1        b_i couples i and i+1
//!   l_i = b_i / d_{i+1},    d_i ← d_i − l_i b_i          i = n−2 … m        m = ⌊(n−1)/2⌋
//! ```
//!
//! Every product of a substitution waits for the one before it. Two ends give two such chains that a processor works on
//! at the same time, which halves the time of a substitution; the number of operations stays the same, and nothing is
//! permuted. Bars of linear elements have such matrices.

/// What is smaller ends a substitution into unloaded elements, where numbers fall off by a factor per element until
/// they are subnormal and slow. Its square is still a normal number.
const TINY: f64 = 1e-146;
/// Elements between two looks for tiny numbers.
const STRETCH: usize = 16;

/// The factor L D Lᵀ; the matrix itself belongs to the caller.
#[derive(Clone, Debug)]
pub struct Tridiagonal {
    middle: usize,
    /// l_i, n − 1 of them.
    l: Vec<f64>,
    d_inv: Vec<f64>,
}

impl Tridiagonal {
    /// For n ≥ 2 unknowns.
    pub fn new(n: usize) -> Self {
        Self { middle: (n - 1) / 2, l: vec![0.0; n - 1], d_inv: vec![0.0; n] }
    }

    /// Factors the matrix with diagonal d and couplings b. False if it is not positive definite.
    pub fn factor(&mut self, b: &[f64], d: &[f64]) -> bool {
        let (n, m) = (self.d_inv.len(), self.middle);
        // d_inv holds d until its inverse is taken
        self.d_inv.copy_from_slice(d);
        for i in 0..m {
            let inverse = 1.0 / self.d_inv[i];
            let l = b[i] * inverse;
            self.d_inv[i + 1] -= l * b[i];
            (self.l[i], self.d_inv[i]) = (l, inverse);
        }
        for i in (m..n - 1).rev() {
            let inverse = 1.0 / self.d_inv[i + 1];
            let l = b[i] * inverse;
            self.d_inv[i] -= l * b[i];
            (self.l[i], self.d_inv[i + 1]) = (l, inverse);
        }
        self.d_inv[m] = 1.0 / self.d_inv[m];
        // a pivot that is not positive leaves its sign, one that is infinite leaves zero
        self.d_inv.iter().all(|inverse| *inverse > 0.0 && inverse.is_finite())
    }

    /// D⁻¹.
    pub fn d_inv(&self) -> &[f64] {
        &self.d_inv
    }

    /// x ← L⁻¹ x.
    pub fn forward(&self, x: &mut [f64]) {
        let m = self.middle;
        let (low, rest) = x.split_at_mut(m);
        let (middle, high) = rest.split_first_mut().expect("the middle is one of the unknowns");
        let (l_low, l_high) = self.l.split_at(m);
        // both ends at once: low[k+1] −= l low[k], high[k−1] −= l high[k]; the high end may be one longer
        let both = low.len().min(high.len());
        let extra = high.len() - both;
        let mut down = high.last().copied().unwrap_or(0.0);
        if extra == 1 && both > 0 {
            down = high[both - 1] - l_high[both] * down;
            high[both - 1] = down;
        }
        let mut up = low.first().copied().unwrap_or(0.0);
        if both > 0 {
            let (low, l_low) = (&mut low[1..], &l_low[..both - 1]);
            let (high, l_high) = (&mut high[..both - 1], &l_high[1..both]);
            let mut lows = low.chunks_mut(STRETCH).zip(l_low.chunks(STRETCH));
            let mut highs = high.rchunks_mut(STRETCH).zip(l_high.rchunks(STRETCH));
            while let (Some((low, l_low)), Some((high, l_high))) = (lows.next(), highs.next()) {
                let each = low.iter_mut().zip(l_low).zip(high.iter_mut().rev().zip(l_high.iter().rev()));
                for ((x_up, l_up), (x_down, l_down)) in each {
                    up = *x_up - l_up * up;
                    *x_up = up;
                    down = *x_down - l_down * down;
                    *x_down = down;
                }
                (up, down) = (none_if_tiny(up), none_if_tiny(down));
            }
        }
        if let Some(l) = l_low.last() {
            *middle -= l * up;
        }
        if let Some(l) = l_high.first() {
            *middle -= l * down;
        }
    }

    /// x ← L⁻ᵀ D⁻¹ x.
    pub fn divide_backward(&self, x: &mut [f64]) {
        let m = self.middle;
        let (low, rest) = x.split_at_mut(m);
        let (middle, high) = rest.split_first_mut().expect("the middle is one of the unknowns");
        let (l_low, l_high) = self.l.split_at(m);
        let (d_low, d_rest) = self.d_inv.split_at(m);
        let (d_middle, d_high) = d_rest.split_first().expect("as long as x");
        *middle *= d_middle;
        let (mut down, mut up) = (*middle, *middle);
        // both ways at once: low[k] −= l low[k+1], high[k] −= l high[k−1]; upwards it may be one further
        let both = low.len().min(high.len());
        let (high, last) = high.split_at_mut(both);
        let mut lows = low.rchunks_mut(STRETCH).zip(l_low.rchunks(STRETCH).zip(d_low.rchunks(STRETCH)));
        let mut highs =
            high.chunks_mut(STRETCH).zip(l_high[..both].chunks(STRETCH).zip(d_high[..both].chunks(STRETCH)));
        while let (Some((low, (l_low, d_low))), Some((high, (l_high, d_high)))) = (lows.next(), highs.next())
        {
            let down_each = low.iter_mut().rev().zip(l_low.iter().rev().zip(d_low.iter().rev()));
            let up_each = high.iter_mut().zip(l_high.iter().zip(d_high));
            for ((x_down, (l_down, d_down)), (x_up, (l_up, d_up))) in down_each.zip(up_each) {
                down = *x_down * d_down - l_down * down;
                *x_down = down;
                up = *x_up * d_up - l_up * up;
                *x_up = up;
            }
            (up, down) = (none_if_tiny(up), none_if_tiny(down));
        }
        if let [x] = last {
            *x = *x * d_high[both] - l_high[both] * up;
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64]) {
        for i in (0..self.middle).rev() {
            x[i] -= self.l[i] * x[i + 1];
        }
        for i in self.middle..self.l.len() {
            x[i + 1] -= self.l[i] * x[i];
        }
    }

    /// The columns of L in their order: (eliminated, its only row, l).
    pub fn columns(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let m = self.middle;
        let low = (0..m).map(|i| (i, i + 1, self.l[i]));
        let high = (m..self.l.len()).rev().map(|i| (i + 1, i, self.l[i]));
        low.chain(high)
    }
}

fn none_if_tiny(x: f64) -> f64 {
    if x.abs() < TINY { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// b and d of a matrix that is diagonally dominant, and a right-hand side, from a sine.
    fn example(n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let wave = |i: usize, k: f64| (k * (i + 1) as f64).sin();
        let b: Vec<f64> = (0..n - 1).map(|i| wave(i, 1.3)).collect();
        let d = (0..n).map(|i| 2.1 + wave(i, 0.7)).map(|d| d + 1.0).collect();
        (b, d, (0..n).map(|i| wave(i, 2.9)).collect())
    }

    /// The product with the matrix gives the right-hand side back, for odd and even numbers of unknowns.
    #[test]
    fn solves() {
        for n in [2, 3, 4, 5, 6, 17, 18, 33, 34, 35, 36, 100, 201] {
            let (b, d, r) = example(n);
            let mut factor = Tridiagonal::new(n);
            assert!(factor.factor(&b, &d));
            let mut x = r.clone();
            factor.forward(&mut x);
            let mut y = x.clone();
            factor.divide_backward(&mut x);
            for i in 0..n {
                let mut sum = d[i] * x[i];
                if i > 0 {
                    sum += b[i - 1] * x[i - 1];
                }
                if i + 1 < n {
                    sum += b[i] * x[i + 1];
                }
                assert!((sum - r[i]).abs() < 1e-13, "n = {n}, row {i}: {sum} is not {}", r[i]);
            }
            // the two halves apart do the same
            for (y, inverse) in y.iter_mut().zip(factor.d_inv()) {
                *y *= inverse;
            }
            factor.backward(&mut y);
            for i in 0..n {
                assert!((x[i] - y[i]).abs() < 1e-14);
            }
        }
    }

    /// An indefinite matrix is refused, wherever its pivot fails.
    #[test]
    fn refuses_indefinite_matrices() {
        for wrong in 0..7 {
            let mut d = [2.0; 7];
            d[wrong] = -0.1;
            assert!(!Tridiagonal::new(7).factor(&[0.5; 6], &d), "pivot {wrong}");
            d[wrong] = 0.0;
            assert!(!Tridiagonal::new(7).factor(&[0.0; 6], &d), "pivot {wrong}");
        }
    }

    /// One loaded end of a long chain: what arrives beyond is nothing, not a subnormal number.
    #[test]
    fn leaves_no_subnormal_numbers() {
        let n = 5001;
        let mut factor = Tridiagonal::new(n);
        assert!(factor.factor(&vec![1.0; n - 1], &vec![2.5; n]));
        let mut x = vec![0.0; n];
        x[0] = 1.0;
        factor.forward(&mut x);
        factor.divide_backward(&mut x);
        assert!(x.iter().all(|x| *x == 0.0 || x.is_normal()));
        assert_eq!(x[n - 1], 0.0);
    }
}
