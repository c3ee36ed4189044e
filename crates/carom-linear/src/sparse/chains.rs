//! LDLᵀ of chains: every unknown is coupled with the one s before and the one s after it and with no others.
//!
//! ```text
//!   l_i = b_i / d_i,        d_{i+s} ← d_{i+s} − l_i b_i      from the first unknown up to the middle
//!   l_i = b_i / d_{i+s},    d_i ← d_i − l_i b_i              from the last one down          b_i couples i and i+s
//! ```
//!
//! Every product of a substitution waits for the one before it in its chain. The s chains side by side, each worked on
//! from both ends, are 2s products that wait for nobody else, and nothing is permuted. Bars of linear elements are one
//! chain; the mass of a beam with three coordinates per node is three.

/// What is smaller ends a substitution into unloaded elements, where numbers fall off by a factor per element until
/// they are subnormal and slow. Its square is still a normal number.
const TINY: f64 = 1e-146;
/// Elements between two looks for tiny numbers.
const STRETCH: usize = 16;
/// Chains side by side that are known here.
pub const MOST_CHAINS: usize = 3;

/// The factor L D Lᵀ; the matrix itself belongs to the caller.
#[derive(Clone, Debug)]
pub struct Chains {
    /// s.
    stride: usize,
    /// Where the two ways meet: first of s unknowns.
    middle: usize,
    /// l_i, n − s of them.
    l: Vec<f64>,
    d_inv: Vec<f64>,
}

/// Dispatches on the stride, so that the loops know how many chains there are.
macro_rules! strided {
    ($self:ident, $call:ident, $x:expr $(, $flag:literal)?) => {
        match $self.stride {
            1 => $self.$call::<1 $(, $flag)?>($x),
            2 => $self.$call::<2 $(, $flag)?>($x),
            _ => $self.$call::<3 $(, $flag)?>($x),
        }
    };
}

impl Chains {
    /// For n ≥ 3 s unknowns and s ≤ [`MOST_CHAINS`] chains.
    pub fn new(n: usize, stride: usize) -> Self {
        assert!((1..=MOST_CHAINS).contains(&stride) && n >= 3 * stride, "chains of some length");
        let middle = stride * ((n / stride - 1) / 2);
        Self { stride, middle, l: vec![0.0; n - stride], d_inv: vec![0.0; n] }
    }

    /// Factors the matrix with diagonal d and couplings b. False if it is not positive definite.
    pub fn factor(&mut self, b: &[f64], d: &[f64]) -> bool {
        let (n, s, m) = (self.d_inv.len(), self.stride, self.middle);
        // d_inv holds d until its inverse is taken
        self.d_inv.copy_from_slice(d);
        for i in 0..m {
            let inverse = 1.0 / self.d_inv[i];
            let l = b[i] * inverse;
            self.d_inv[i + s] -= l * b[i];
            (self.l[i], self.d_inv[i]) = (l, inverse);
        }
        for i in (m..n - s).rev() {
            let inverse = 1.0 / self.d_inv[i + s];
            let l = b[i] * inverse;
            self.d_inv[i] -= l * b[i];
            (self.l[i], self.d_inv[i + s]) = (l, inverse);
        }
        for d in &mut self.d_inv[m..m + s] {
            *d = 1.0 / *d;
        }
        // a pivot that is not positive leaves its sign, one that is infinite leaves zero
        self.d_inv.iter().all(|inverse| *inverse > 0.0 && inverse.is_finite())
    }

    /// D⁻¹.
    pub fn d_inv(&self) -> &[f64] {
        &self.d_inv
    }

    /// x ← L⁻¹ x.
    pub fn forward(&self, x: &mut [f64]) {
        strided!(self, forward_by, x);
    }

    fn forward_by<const S: usize>(&self, x: &mut [f64]) {
        let (low, rest) = x.split_at_mut(self.middle);
        let (middle, high) = rest.split_at_mut(S);
        let (l_low, l_high) = self.l.split_at(self.middle);
        let (low, l_low) = (low.as_chunks_mut::<S>().0, l_low.as_chunks::<S>().0);
        let ((high, odd), (l_high, l_odd)) = (high.as_chunks_mut::<S>(), l_high.as_chunks::<S>());
        // chains that are one longer, then the high end if it is
        let mut last = high.len() - 1;
        for (a, x) in odd.iter().enumerate() {
            high[last][a] -= l_odd[a] * x;
        }
        if high.len() > low.len() {
            let down = high[last];
            for a in 0..S {
                high[last - 1][a] -= l_high[last][a] * down[a];
            }
            last -= 1;
        }
        // both ends at once: low[k+1] −= l low[k], high[k−1] −= l high[k]
        let (mut up, mut down) = (low[0], high[last]);
        let (l_last, l_up) = l_low.split_last().expect("a low end");
        let (low, high, l_down) = (&mut low[1..], &mut high[..last], &l_high[1..=last]);
        let lows = low.chunks_mut(STRETCH).zip(l_up.chunks(STRETCH));
        let highs = high.rchunks_mut(STRETCH).zip(l_down.rchunks(STRETCH));
        for ((low, l_up), (high, l_down)) in lows.zip(highs) {
            let each = low.iter_mut().zip(l_up).zip(high.iter_mut().rev().zip(l_down.iter().rev()));
            for ((x_up, l_up), (x_down, l_down)) in each {
                for a in 0..S {
                    up[a] = x_up[a] - l_up[a] * up[a];
                    down[a] = x_down[a] - l_down[a] * down[a];
                }
                (*x_up, *x_down) = (up, down);
            }
            (up, down) = (none_if_tiny(up), none_if_tiny(down));
        }
        for a in 0..S {
            middle[a] -= l_last[a] * up[a] + l_high[0][a] * down[a];
        }
    }

    /// x ← L⁻ᵀ D⁻¹ x.
    pub fn divide_backward(&self, x: &mut [f64]) {
        strided!(self, backward_by, x, true);
    }

    /// x ← L⁻ᵀ x.
    pub fn backward(&self, x: &mut [f64]) {
        strided!(self, backward_by, x, false);
    }

    fn backward_by<const S: usize, const DIVIDE: bool>(&self, x: &mut [f64]) {
        let (low, rest) = x.split_at_mut(self.middle);
        let (middle, high) = rest.split_at_mut(S);
        let (l_low, l_high) = self.l.split_at(self.middle);
        let (d_low, d_rest) = self.d_inv.split_at(self.middle);
        let (d_middle, d_high) = d_rest.split_at(S);
        let (low, l_low, d_low) =
            (low.as_chunks_mut::<S>().0, l_low.as_chunks::<S>().0, d_low.as_chunks::<S>().0);
        let ((high, odd), (l_high, l_odd), (d_high, d_odd)) =
            (high.as_chunks_mut::<S>(), l_high.as_chunks::<S>(), d_high.as_chunks::<S>());
        let scaled = |x: f64, inverse: f64| if DIVIDE { x * inverse } else { x };
        for a in 0..S {
            middle[a] = scaled(middle[a], d_middle[a]);
        }
        let mut down: [f64; S] = std::array::from_fn(|a| middle[a]);
        let mut up = down;
        // both ways at once: low[k] −= l low[k+1], high[k] −= l high[k−1]
        let both = low.len().min(high.len());
        let (high, longer) = high.split_at_mut(both);
        let lows = low.rchunks_mut(STRETCH).zip(l_low.rchunks(STRETCH).zip(d_low.rchunks(STRETCH)));
        let highs =
            high.chunks_mut(STRETCH).zip(l_high[..both].chunks(STRETCH).zip(d_high[..both].chunks(STRETCH)));
        for ((low, (l_down, d_down)), (high, (l_up, d_up))) in lows.zip(highs) {
            let downwards = low.iter_mut().zip(l_down.iter().zip(d_down)).rev();
            let upwards = high.iter_mut().zip(l_up.iter().zip(d_up));
            for ((x_down, (l_down, d_down)), (x_up, (l_up, d_up))) in downwards.zip(upwards) {
                for a in 0..S {
                    down[a] = scaled(x_down[a], d_down[a]) - l_down[a] * down[a];
                    up[a] = scaled(x_up[a], d_up[a]) - l_up[a] * up[a];
                }
                (*x_down, *x_up) = (down, up);
            }
            (up, down) = (none_if_tiny(up), none_if_tiny(down));
        }
        // the high end if it is one longer, then chains that are
        for (x, (l, d)) in longer.iter_mut().zip(l_high.iter().zip(d_high).skip(both)) {
            for a in 0..S {
                up[a] = scaled(x[a], d[a]) - l[a] * up[a];
            }
            *x = up;
        }
        for (a, x) in odd.iter_mut().enumerate() {
            *x = scaled(*x, d_odd[a]) - l_odd[a] * up[a];
        }
    }

    /// The columns of L in their order: (eliminated, its only row, l).
    pub fn columns(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let (m, s) = (self.middle, self.stride);
        let low = (0..m).map(move |i| (i, i + s, self.l[i]));
        let high = (m..self.l.len()).rev().map(move |i| (i + s, i, self.l[i]));
        low.chain(high)
    }
}

fn none_if_tiny<const S: usize>(x: [f64; S]) -> [f64; S] {
    if x.iter().all(|x| x.abs() < TINY) { [0.0; S] } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// b and d of a matrix that is diagonally dominant, and a right-hand side, from sines.
    fn example(n: usize, stride: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let wave = |i: usize, k: f64| (k * (i + 1) as f64).sin();
        let b: Vec<f64> = (0..n - stride).map(|i| wave(i, 1.3)).collect();
        let d = (0..n).map(|i| 3.1 + wave(i, 0.7)).collect();
        (b, d, (0..n).map(|i| wave(i, 2.9)).collect())
    }

    /// The product with the matrix gives the right-hand side back, for all remainders of lengths and strides.
    #[test]
    fn solves() {
        for stride in 1..=MOST_CHAINS {
            for n in (9..60).chain([99, 100, 101, 201, 202]) {
                let (b, d, r) = example(n, stride);
                let mut factor = Chains::new(n, stride);
                assert!(factor.factor(&b, &d));
                let mut x = r.clone();
                factor.forward(&mut x);
                let mut y = x.clone();
                factor.divide_backward(&mut x);
                for i in 0..n {
                    let mut sum = d[i] * x[i];
                    if i >= stride {
                        sum += b[i - stride] * x[i - stride];
                    }
                    if i + stride < n {
                        sum += b[i] * x[i + stride];
                    }
                    assert!(
                        (sum - r[i]).abs() < 1e-13,
                        "{stride} chains, n = {n}, row {i}: {sum} is not {}",
                        r[i]
                    );
                }
                // the two halves apart do the same
                for (y, inverse) in y.iter_mut().zip(factor.d_inv()) {
                    *y *= inverse;
                }
                factor.backward(&mut y);
                assert_eq!(x, y);
            }
        }
    }

    /// An indefinite matrix is refused, wherever its pivot fails.
    #[test]
    fn refuses_indefinite_matrices() {
        for wrong in 0..7 {
            let mut d = [2.0; 7];
            d[wrong] = -0.1;
            assert!(!Chains::new(7, 1).factor(&[0.5; 6], &d), "pivot {wrong}");
            d[wrong] = 0.0;
            assert!(!Chains::new(7, 2).factor(&[0.0; 5], &d), "pivot {wrong}");
        }
    }

    /// One loaded end of a long chain: what arrives beyond is nothing, not a subnormal number.
    #[test]
    fn leaves_no_subnormal_numbers() {
        let n = 5001;
        let mut factor = Chains::new(n, 1);
        assert!(factor.factor(&vec![1.0; n - 1], &vec![2.5; n]));
        let mut x = vec![0.0; n];
        x[0] = 1.0;
        factor.forward(&mut x);
        factor.divide_backward(&mut x);
        assert!(x.iter().all(|x| *x == 0.0 || x.is_normal()));
        assert_eq!(x[n - 1], 0.0);
    }
}
