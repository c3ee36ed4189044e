//! Where a run was at given times, to be compared with another run of the same mechanism.

use crate::State;
use crate::chart::{Rotation, coordinate_rates, in_order_of_q, weights_of_q};

/// The coordinates at a list of times, filled as a run goes by.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// In order (s).
    times: Vec<f64>,
    /// One after the other, as many as there were times so far.
    q: Vec<f64>,
    /// Coordinates.
    n: usize,
    /// Largest velocity seen at these times, weighted.
    fastest: f64,
    /// 1 over the error that counts as one, per coordinate, and per velocity.
    weight: Vec<f64>,
    weight_v: Vec<f64>,
    /// The velocity that moves each coordinate; of a quaternion the first of its rates.
    moved_by: Vec<usize>,
    rotations: Vec<Rotation>,
    /// q' at both ends of a step.
    rates: [Vec<f64>; 2],
}

impl Trail {
    /// For these times, all after the start; `weight` is that of velocities.
    pub fn new(times: Vec<f64>, weight: &[f64], rotations: &[Rotation]) -> Self {
        let n = weight.len() + rotations.len();
        let q = Vec::with_capacity(times.len() * n);
        let numbers: Vec<usize> = (0..weight.len()).collect();
        Self {
            times,
            q,
            n,
            fastest: 0.0,
            weight: weights_of_q(rotations, weight),
            weight_v: weight.to_vec(),
            moved_by: in_order_of_q(rotations, &numbers),
            rotations: rotations.to_vec(),
            rates: [vec![0.0; n], vec![0.0; n]],
        }
    }

    /// Of the same mechanism, for other times.
    pub fn alike(&self, times: Vec<f64>) -> Self {
        Self::new(times, &self.weight_v, &self.rotations)
    }

    /// 1 over the error that counts as one of what velocity i moves.
    pub fn weight_of_velocity(&self, i: usize) -> f64 {
        self.weight_v[i]
    }

    /// The velocity that moves coordinate i.
    pub fn moved_by(&self, i: usize) -> usize {
        self.moved_by[i]
    }

    /// How many of the times have gone by.
    pub fn len(&self) -> usize {
        self.q.len() / self.n.max(1)
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.q.is_empty()
    }

    /// The next time to be seen.
    pub fn next(&self) -> Option<f64> {
        self.times.get(self.len()).copied()
    }

    /// All times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Coordinates at time number `i`.
    pub fn q(&self, i: usize) -> &[f64] {
        &self.q[i * self.n..(i + 1) * self.n]
    }

    /// Largest weighted velocity, 1/s.
    pub fn fastest(&self) -> f64 {
        self.fastest
    }

    /// 1 over the error that counts as one.
    pub fn weight(&self) -> &[f64] {
        &self.weight
    }

    /// The next time is that of the state.
    pub fn push(&mut self, state: &State) {
        self.q.extend_from_slice(&state.q[..self.n]);
        let weighted = state.v.iter().zip(&self.weight_v).map(|(v, w)| v.abs() * w);
        self.fastest = weighted.fold(self.fastest, f64::max);
    }

    /// Sees the end of a step: times inside it by the cubic of Hermite through its ends.
    ///
    /// ```text
    ///   q(s) = (1+2s)(1−s)² q₀ + s²(3−2s) q₁ + h s(1−s)² v₀ − h s²(1−s) v₁,    0 ≤ s ≤ 1
    /// ```
    pub fn see(&mut self, before: &State, after: &State) {
        let h = after.t - before.t;
        while let Some(t) = self.next() {
            if (t - after.t).abs() <= ROUND * h.abs() {
                self.push(after);
            } else if t < after.t {
                let s = (t - before.t) / h;
                let (a, b) = ((1.0 + 2.0 * s) * (1.0 - s).powi(2), s * s * (3.0 - 2.0 * s));
                let (c, d) = (h * s * (1.0 - s).powi(2), -h * s * s * (1.0 - s));
                for (rates, state) in self.rates.iter_mut().zip([before, after]) {
                    coordinate_rates(&self.rotations, &state.q, &state.v, rates);
                }
                for i in 0..self.n {
                    let rates = c * self.rates[0][i] + d * self.rates[1][i];
                    self.q.push(a * before.q[i] + b * after.q[i] + rates);
                }
            } else {
                return;
            }
        }
    }

    /// Range of the coordinates, weighted: how far things moved.
    pub fn range(&self) -> f64 {
        let mut most = 0.0_f64;
        for i in 0..self.n {
            let column = || (0..self.len()).map(|j| self.q[j * self.n + i]).filter(|q| q.is_finite());
            let (low, high) =
                column().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), q| (a.min(q), b.max(q)));
            if high > low {
                most = most.max((high - low) * self.weight[i]);
            }
        }
        most
    }

    /// Largest coordinate, weighted: what round-off is relative to.
    pub fn largest(&self) -> f64 {
        let weight = self.weight.iter().cycle();
        self.q.iter().zip(weight).map(|(q, w)| q.abs() * w).filter(|q| q.is_finite()).fold(0.0, f64::max)
    }

    /// Largest weighted difference at time number `i`, and which coordinate it is; infinite where either is not finite.
    pub fn difference(&self, other: &Self, i: usize) -> (f64, usize) {
        let mut most = (0.0, 0);
        for (k, ((a, b), w)) in self.q(i).iter().zip(other.q(i)).zip(&self.weight).enumerate() {
            let d = (a - b).abs() * w;
            if !d.is_finite() {
                return (f64::INFINITY, k);
            }
            if d > most.0 {
                most = (d, k);
            }
        }
        most
    }
}

/// Times that differ by less than this of a step are the same.
const ROUND: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;

    fn state(t: f64, q: f64, v: f64) -> State {
        State {
            t,
            q: vec![q],
            v: vec![v],
            P_b: vec![],
            P: vec![],
            lambda_b: vec![],
            contacts: Vec::new(),
            lambda: vec![],
            closed: vec![],
            memory: vec![],
        }
    }

    /// A cubic is met exactly inside a step, and the ends are those of the run.
    #[test]
    fn a_cubic_is_met() {
        let f = |t: f64| state(t, t.powi(3) - t, 3.0 * t * t - 1.0);
        let mut trail = Trail::new(vec![0.25, 0.5, 0.75, 1.0, 1.5, 3.0], &[2.0], &[]);
        for k in 0..4 {
            trail.see(&f(0.5 * f64::from(k)), &f(0.5 * f64::from(k + 1)));
        }
        assert_eq!(trail.len(), 5, "3.0 is still to come");
        for i in 0..5 {
            let t = trail.times()[i];
            assert!((trail.q(i)[0] - (t.powi(3) - t)).abs() < 1e-15);
        }
        assert_eq!(trail.range(), 2.0 * (1.5_f64.powi(3) - 1.5 + 0.375));
    }
}
