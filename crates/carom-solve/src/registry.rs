//! Solvers by name. A new solver is its file and one line here.

use crate::solvers::newton::equations::NewtonByBlocks;
use crate::{
    Admm, Apgd, Auto, CentralPath, ContactSolver, GaussSeidel, InteriorPoint, Lemke, Newton, Panagiotopoulos,
    Polyhedral, Prox,
};

/// One solver as the command line and the documentation know it.
#[derive(Clone, Copy, Debug)]
pub struct SolverEntry {
    /// What people write.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Makes one with default settings.
    pub make: fn() -> Box<dyn ContactSolver>,
}

/// All solvers, the default first.
pub const SOLVERS: &[SolverEntry] = &[
    SolverEntry {
        name: "auto",
        description: "closed form for one contact, else picks a solver and falls back, and says so",
        make: || Box::new(Auto::default()),
    },
    SolverEntry {
        name: "newton",
        description: "semismooth Newton on the Alart–Curnier equation; all laws, dependent contacts, full precision",
        make: || Box::new(Newton::default()),
    },
    SolverEntry {
        name: "newton-jean-moreau",
        description: "semismooth Newton by blocks on the Jean–Moreau equation, for comparison",
        make: || Box::new(NewtonByBlocks::jean_moreau()),
    },
    SolverEntry {
        name: "newton-fischer-burmeister",
        description: "semismooth Newton by blocks on the Fischer–Burmeister equation of the cones, for comparison",
        make: || Box::new(NewtonByBlocks::fischer_burmeister()),
    },
    SolverEntry {
        name: "lemke",
        description: "lexicographic pivoting on the complementarity form; everything but spatial friction",
        make: || Box::new(Lemke::default()),
    },
    SolverEntry {
        name: "gauss-seidel",
        description: "contact by contact, each in closed form; simple and sturdy, linear convergence",
        make: || Box::new(GaussSeidel::default()),
    },
    SolverEntry {
        name: "admm",
        description: "alternating directions with one factor of Ŵ + ρ; dependent and ill-conditioned contacts",
        make: || Box::new(Admm::default()),
    },
    SolverEntry {
        name: "apgd",
        description: "accelerated projected gradient, friction by a fixed point around it; no factor, cheap iterations",
        make: || Box::new(Apgd::default()),
    },
    SolverEntry {
        name: "central-path",
        description: "interior point on the contact problem itself, one factor per step; large sets of dependent contacts",
        make: || Box::new(CentralPath::default()),
    },
    SolverEntry {
        name: "interior-point",
        description: "second-order cone programs with the fixed point on the sliding velocity around them; sturdy where contacts depend",
        make: || Box::new(InteriorPoint::default()),
    },
    SolverEntry {
        name: "polyhedral",
        description: "pivoting on pyramids of friction, refined to the cones; all laws but rolling resistance, some sixty contacts in space",
        make: || Box::new(Polyhedral::default()),
    },
    SolverEntry {
        name: "panagiotopoulos",
        description: "pressure and friction in turn, each a convex problem; for comparison",
        make: || Box::new(Panagiotopoulos::default()),
    },
    SolverEntry {
        name: "prox",
        description: "proximal point iteration, all contacts at once; simplest and slowest, for comparison",
        make: || Box::new(Prox::default()),
    },
];

/// The solver of this name, with default settings.
pub fn solver(name: &str) -> Option<Box<dyn ContactSolver>> {
    SOLVERS.iter().find(|entry| entry.name == name).map(|entry| (entry.make)())
}
