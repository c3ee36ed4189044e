//! Realistic contact problems of any size, the same numbers every time.
//!
//! Each is one step of a mechanism: bodies with their masses and inertias, contacts with their points and directions, the
//! velocity that gravity and what went before would give them. It is made in the global form, M v = f + H P, so that both forms
//! can be compared; [`GlobalProblem::condense`] gives Ŵ. Directions are (N, T) in the plane and (N, T1, T2) in space,
//! with rolling resistance (N, T1, T2, R1, R2).
//!
//! Sizes are numbers of contacts: the smallest mechanism of its kind with at least so many is made.
//!
//! Beside them stand [`KEPT`] problems, each of one size: hard ones as runs and tests met them.

mod kept;
mod scene;
mod scenes;

use crate::GlobalProblem;
pub use kept::{KEPT, KeptProblem, kept};
pub(crate) use scene::Seeded;

/// A kind of problem.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    /// What people write.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Rows of most contacts: 2 in the plane, 3 in space, 5 with rolling resistance.
    pub dim: usize,
    /// Whether contacts depend on each other, so that P is not unique, once there are some dozens.
    pub hyperstatic: bool,
    /// Most contacts that make sense.
    pub most: usize,
    make: fn(usize) -> GlobalProblem,
}

impl Generator {
    /// The problem with at least so many contacts, between 1 and `most`.
    pub fn problem(&self, contacts: usize) -> GlobalProblem {
        (self.make)(contacts.clamp(1, self.most))
    }
}

/// Most contacts of mechanisms of bodies: even where all share one, Ŵ need not be formed.
const BODIES: usize = 20_000;
/// Most contacts of a mesh: M is one part that is no body, so Ŵ is formed, and every contact is coupled with every other. Twenty
/// thousand would need 29 GB.
const MESH: usize = 1000;

/// All kinds.
pub const GENERATORS: &[Generator] = &[
    Generator {
        name: "spheres",
        description: "a heap of spheres of slightly different size in a box, settling",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::spheres,
    },
    Generator {
        name: "rolling",
        description: "a heap of spheres with rolling resistance in a box that tilts",
        dim: 5,
        hyperstatic: true,
        most: BODIES,
        make: scenes::rolling,
    },
    Generator {
        name: "disks",
        description: "a heap of disks of slightly different size between walls, settling",
        dim: 2,
        hyperstatic: true,
        most: BODIES,
        make: scenes::disks,
    },
    Generator {
        name: "boxes",
        description: "a tower of boxes, four contacts between neighbours, pushed at the side",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::boxes,
    },
    Generator {
        name: "heavy-top",
        description: "a tower of boxes that get heavier upwards, the last a thousand times the first",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::heavy_top,
    },
    Generator {
        name: "planks",
        description: "a tower of planks, three across three in every layer with four contacts at each crossing, hit at the top",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::planks,
    },
    Generator {
        name: "shaken",
        description: "spheres of different mass on a shaken lattice, all flying and spinning against each other",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::shaken,
    },
    Generator {
        name: "wall",
        description: "a brick wall in running bond, hit by a ball",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::wall,
    },
    Generator {
        name: "arch",
        description: "a round arch of stones, two contacts in each joint",
        dim: 2,
        hyperstatic: true,
        most: BODIES,
        make: scenes::arch,
    },
    Generator {
        name: "chain",
        description: "rods joined end to end by ball joints (bilateral rows), lying and sliding on a floor",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::chain,
    },
    Generator {
        name: "grasp",
        description: "a ball held by fingers that press on it from all sides",
        dim: 3,
        hyperstatic: false,
        most: BODIES,
        make: scenes::grasp,
    },
    Generator {
        name: "table",
        description: "one plate on many feet, sliding and turning",
        dim: 3,
        hyperstatic: true,
        most: BODIES,
        make: scenes::table,
    },
    Generator {
        name: "sliders",
        description: "blocks in a channel that push each other, touching both walls with their corners",
        dim: 2,
        hyperstatic: true,
        most: BODIES,
        make: scenes::sliders,
    },
    Generator {
        name: "mesh",
        description: "an elastic mesh of springs that lands on a floor with its lowest nodes; implicit step",
        dim: 3,
        hyperstatic: false,
        most: MESH,
        make: scenes::mesh,
    },
];

/// The generator of this name.
pub fn generator(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|g| g.name == name)
}
