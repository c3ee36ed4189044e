//! How large errors and velocities are, seen from the mechanism.

use super::Motion;

/// Velocities below this part of the one that forces would give on a way as long as the mechanism are none to speak of: what rests
/// has round-off only, and errors are not compared with that.
const REST: f64 = 1e-4;

impl Motion {
    /// The fastest velocity seen, weighed (1/s), or what is to be taken for it where everything rests.
    pub fn fastest(&self) -> f64 {
        self.fastest.max(REST * self.strongest.sqrt())
    }

    /// Size of an error in positions and velocities, root of the mean square: positions relative to the mechanism (angles in
    /// rad), velocities relative to the fastest seen so far.
    pub fn error(&self, dq: impl Fn(usize) -> f64, dv: impl Fn(usize) -> f64) -> f64 {
        let fastest = self.fastest();
        let of_v = if fastest > 0.0 { 1.0 / fastest } else { 0.0 };
        let sum: f64 = (0..self.nv)
            .map(|i| {
                let (dq, dv) = (self.weight[i] * dq(i), self.weight[i] * dv(i) * of_v);
                dq * dq + dv * dv
            })
            .sum();
        let size = (0.5 * sum / self.nv.max(1) as f64).sqrt();
        if size.is_nan() { f64::INFINITY } else { size }
    }

    /// Takes note of coordinates, for their round-off.
    pub fn see_positions(&mut self, q: &[f64]) {
        self.grain = self.extent.relative(q);
    }

    /// Round-off of places relative to the mechanism's length scale, where positions were seen last.
    pub fn grain(&self) -> f64 {
        self.grain
    }

    /// The same where rows are held, whose levers have that round-off; what is free has none.
    pub fn grain_of_rows(&self) -> f64 {
        if self.rows() > 0 { self.grain } else { 0.0 }
    }

    /// Takes note of velocities, for the scale of errors.
    pub fn see_velocities(&mut self, v: &[f64]) {
        for (v, w) in v.iter().zip(&self.weight) {
            self.fastest = self.fastest.max((v * w).abs());
        }
    }

    /// The largest acceleration that h evaluated last gives by itself, weighed (1/s²): where things rest reactions cancel it to
    /// round-off.
    pub fn push(&self) -> f64 {
        let each = self.h.iter().zip(&self.saddle.M_diag).zip(&self.weight);
        each.fold(0.0, |most, ((h, m), w)| most.max((w * h / m).abs()))
    }

    /// |x| of velocity i relative to the fastest seen so far; 0 before anything moved.
    pub fn relative_speed(&self, i: usize, x: f64) -> f64 {
        let fastest = self.fastest();
        if fastest > 0.0 { (self.weight[i] * x).abs() / fastest } else { 0.0 }
    }

    /// 1 over the size that counts as one, per velocity: 1/length for lengths, 1 for angles.
    pub fn weight(&self) -> &[f64] {
        &self.weight
    }
}
