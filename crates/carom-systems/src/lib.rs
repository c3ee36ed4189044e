//! Coded systems: mechanisms of the literature, written out by hand in the coordinates of their source.
//!
//! An assembled model has absolute coordinates and joints; a coded system has whatever its author derived. To a scheme
//! both are a [`System`](carom_dynamics::System). This is a crate of its own beside `carom-model`, because the two
//! share nothing but that trait: a study, a benchmark or a program can use one without the other.
//!
//! By name, with parameters as the command line gives them:
//!
//! ```
//! let coded = carom_systems::system("slider-crank-minimal", &[("c", 5e-4), ("friction", 0.1)])?;
//! assert_eq!(coded.v, [150.0, -75.0, 0.0]);
//! # Ok::<(), carom_systems::SystemError>(())
//! ```
//!
//! By type, for programs:
//!
//! ```
//! use carom_systems::{SliderCrank, SliderCrankMinimal};
//! let system = SliderCrankMinimal::new(SliderCrank { c: 5e-4, ..SliderCrank::default() });
//! let (q, v) = system.start();
//! # assert_eq!((q, v), (vec![0.0; 3], vec![150.0, -75.0, 0.0]));
//! ```
#![allow(non_snake_case)]

pub mod dae;
mod four_bar;
mod planar;
mod registry;
mod simeon_crank;
mod sketch;
mod slider_crank;
mod slider_crank_1dof;
mod slider_crank_bilateral;
mod slider_crank_minimal;
mod stiff_3dof;
mod top;

pub use four_bar::{FourBar, FourBarMinimal};
pub use registry::{Coded, SYSTEMS, SystemError, SystemInfo, SystemParameter, Values, system};
pub use simeon_crank::SimeonCrank;
pub use sketch::{Corner, Form, Part, Pivot, Place, Sketch, Solid};
pub use slider_crank::SliderCrank;
pub use slider_crank_1dof::SliderCrank1Dof;
pub use slider_crank_bilateral::SliderCrankBilateral;
pub use slider_crank_minimal::SliderCrankMinimal;
pub use stiff_3dof::{Stiff3Dof, Wall};
pub use top::{Top, TopMinimal, TopOnBallJoint};
