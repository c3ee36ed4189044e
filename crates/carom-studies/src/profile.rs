//! Performance profiles.                                        [DolanMore2002], [Haddouni2015] (3.10)–(3.12)
//!
//! ```text
//!   r_ps = t_ps / min_s t_ps,          ρ_s(τ) = share of the problems with r_ps ≤ τ
//! ```
//!
//! A run that failed, or was wrong, has t = ∞. ρ_s(1): how often s is the fastest; ρ_s(∞): how often it solves the problem at all.

/// Times of the contestants, problem by problem; infinite if not solved.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// r_ps, by problem.
    ratios: Vec<Vec<f64>>,
}

impl Profile {
    /// From times, problem by problem, one per contestant.
    pub fn new<'a>(times: impl IntoIterator<Item = &'a [f64]>) -> Self {
        let ratio = |row: &[f64]| {
            let least = row.iter().copied().fold(f64::INFINITY, f64::min);
            // nobody solved it: nobody is the fastest
            let of = |t: &f64| if t.is_finite() { t / least } else { f64::INFINITY };
            row.iter().map(of).collect()
        };
        Self { ratios: times.into_iter().map(ratio).collect() }
    }

    /// ρ_s(τ); for τ = ∞ the share of problems solved.
    pub fn rho(&self, s: usize, tau: f64) -> f64 {
        let within = |row: &&Vec<f64>| row[s].is_finite() && row[s] <= tau;
        self.ratios.iter().filter(within).count() as f64 / self.ratios.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three problems by hand: one that s = 0 wins, one that it loses by 3, one that it does not solve, one that nobody does.
    #[test]
    fn shares_by_hand() {
        let no = f64::INFINITY;
        let times = [[1.0, 2.0], [3.0, 1.0], [no, 5.0], [no, no]];
        let profile = Profile::new(times.iter().map(|row| row.as_slice()));
        let at = |tau| [profile.rho(0, tau), profile.rho(1, tau)];
        assert_eq!(at(1.0), [0.25, 0.5]);
        assert_eq!(at(2.0), [0.25, 0.75]);
        assert_eq!(at(3.0), [0.5, 0.75]);
        assert_eq!(at(no), [0.5, 0.75]);
    }
}
