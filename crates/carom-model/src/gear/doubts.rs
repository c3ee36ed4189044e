//! Teeth that run and are hardly meant.

use super::Told;
use super::geometry::Geometry;
use crate::geometry::Geometry as Algebra;

/// How far a tip may be below the root of the other wheel, in modules: round-off.
const ROUND_OFF: f64 = 1e-9;

/// What is doubtful about a pair of wheels at a distance: what it is, and what would help.
fn doubts(geometry: &Geometry, distance: f64, names: &[String; 2]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut say = |message: String, help: &str| found.push((message, help.to_string()));
    let [first, second] = names;
    let (module, sign) = (geometry.given.module, geometry.sign());
    for (wheel, name) in names.iter().enumerate() {
        if geometry.thickness(wheel, geometry.r_a[wheel]) < 0.0 {
            say(
                format!("the teeth of `{name}` end in a point below their tip circle"),
                "a smaller `addendum` or `profile_shift`",
            );
        }
        // from the tip of one to the root of the other
        let room = sign * (sign * distance - geometry.r_a[wheel] - geometry.r_f[1 - wheel]);
        if room < -ROUND_OFF * module {
            say(
                format!("the tips of `{name}` reach {:.4} m into the root of the other wheel", -room),
                "a larger `dedendum` there, or a smaller `addendum` here",
            );
        }
    }
    let at = geometry.at(distance, &geometry.geometric_play());
    let [b_1, b_2] = geometry.r_b;
    let (T, path) = (at.T[0], (at.ends[1][0] - at.ends[0][0]) / geometry.p_b);
    let unclipped = (geometry.t[0] + geometry.t[1] - (b_1 + b_2) * T) / geometry.p_b;
    if path < unclipped - ROUND_OFF {
        let deep = if -b_1 * T > b_2 * T - geometry.t[1] { [second, first] } else { [first, second] };
        say(
            format!(
                "the tips of `{}` reach past the involutes of `{}`, which are undercut: contact ratio {path:.3} instead of {unclipped:.3}",
                deep[0], deep[1]
            ),
            "more teeth, a positive `profile_shift` of the small wheel, or a smaller `addendum`",
        );
    }
    let ratio = path + geometry.overlap();
    if ratio < 1.0 {
        say(
            format!(
                "`{first}` and `{second}` have a contact ratio of {ratio:.3}: between two pairs of teeth none touches"
            ),
            "larger `addendum`, a smaller distance, or a helix angle with a `width`",
        );
    }
    found
}

impl<S: Algebra> Told<S> {
    /// What is doubtful about the pair: what it is, and what would help.
    pub fn doubts(&self) -> Vec<(String, String)> {
        doubts(&self.pair.mesh.geometry, self.distance, &self.between)
    }
}
