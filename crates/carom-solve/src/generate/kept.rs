//! Problems that once stopped a solver, or that mechanisms with dependent contacts make: kept as they were met.

use crate::StoredProblem;

/// A problem that was met and kept.
#[derive(Clone, Copy, Debug)]
pub struct KeptProblem {
    /// What people write.
    pub name: &'static str,
    /// As it was stored, in JSON.
    pub text: &'static str,
}

impl KeptProblem {
    /// The problem.
    pub fn problem(&self) -> StoredProblem {
        serde_json::from_str(self.text).expect("kept problems are stored problems")
    }
}

/// The kept problem of this name.
pub fn kept(name: &str) -> Option<&'static KeptProblem> {
    KEPT.iter().find(|kept| kept.name == name)
}

macro_rules! kept {
    ($($name:literal),* $(,)?) => {
        &[$(KeptProblem { name: $name, text: include_str!(concat!("../../data/hard/", $name, ".json")) }),*]
    };
}

/// All that are kept: a file in `data/hard` and its name here. The `random_*` ones each stopped a solver when they were found, the
/// `heap_*` ones a run of twelve disks in a box; the others are mechanisms whose contacts depend on each other.
pub const KEPT: &[KeptProblem] = kept![
    "heap_of_twelve_contacts",
    "heap_slow_sweeps",
    "heap_small_bounces",
    "one_degree_of_freedom_slide",
    "one_degree_of_freedom_stick",
    "random_frictionless",
    "random_high_friction_dependent",
    "random_high_friction_pair",
    "random_high_friction_ray",
    "random_high_friction_third",
    "random_mixed_laws",
    "random_mixed_laws_pivoting",
    "random_ray",
    "random_ray_second",
    "random_spatial_needs_continuation",
    "random_spatial_unsolved",
    "redundant_joint_rows",
    "six_points_on_a_floor",
    "slider_corners_almost_flat",
    "slider_corners_jamming",
    "slider_corners_slide",
    "slider_corners_stick",
    "slider_corners_turning",
    "stack_heavy_on_top",
    "stack_of_five",
    "table_slides",
    "table_sticks",
    "wedge",
];
