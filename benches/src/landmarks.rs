//! What is looked at of mechanisms in space, and how far it is from the references.

use crate::references;

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub enum Landmark {
    /// Far ends of the rods N/10, 2N/10 … N of a chain.
    Rods,
    /// Angle and speed of the crank, x of the slider, which is the third body.
    SliderCrank,
    /// The centre.
    Centre,
    /// The angle of the crank about −y.
    Angle,
}

impl Landmark {
    /// At positions q and velocities v, of the body whose coordinates begin at `first`: the last of a chain.
    pub fn of(self, first: usize, q: &[f64], v: &[f64]) -> Vec<f64> {
        let rods = first / 7 + 1;
        match self {
            Landmark::Rods => (1..=10).flat_map(|k| far_end(&q[7 * (rods * k / 10 - 1)..])).collect(),
            Landmark::SliderCrank => {
                let turned = 2.0 * q[4].atan2(q[3]);
                // of all angles that are this one, that of the reference
                let turns = (references::SLIDER_CRANK[0] - turned) / std::f64::consts::TAU;
                vec![turned + std::f64::consts::TAU * turns.round(), v[3], q[14]]
            }
            Landmark::Centre => q[first..first + 3].to_vec(),
            Landmark::Angle => vec![-2.0 * q[first + 5].atan2(q[first + 3])],
        }
    }
}

/// r + 0.05 m · x of the body.
fn far_end(q: &[f64]) -> [f64; 3] {
    let (w, x, y, z) = (q[3], q[4], q[5], q[6]);
    let along = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
    [0, 1, 2].map(|i| q[i] + 0.05 * along[i])
}

/// The largest component of the difference to the reference of a row, if it has one after so many steps of 1e-3 s.
pub fn error(row: &str, steps: usize, check: &[f64]) -> Option<f64> {
    let (at, reference): (usize, &[f64]) = match row.trim_end_matches("-relative") {
        "chain-space-10" => (1000, &references::CHAIN_10),
        "chain-space-50" => (1000, &references::CHAIN_50),
        "chain-space-200" => (1000, &references::CHAIN_200),
        "slider-crank-space" => (5000, &references::SLIDER_CRANK),
        "heavy-top" => (1000, &references::TOP),
        _ => return None,
    };
    let largest = || check.iter().zip(reference).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    (steps == at).then(largest)
}
