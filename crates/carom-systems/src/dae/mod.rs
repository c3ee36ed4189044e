//! Problems to try a method for joints on, with states of their exact motions.
//!
//! Each is M v' = h + Gᵀ λ with rows Φ(t, q) = 0. The states come from the acceleration-level form, integrated in
//! 34-digit arithmetic by an extrapolated modified midpoint rule of order 22: two step counts agree to the printed
//! digits, and Φ and its rate hold below 1e-25.
//!
//! | problem | coordinates, rows | states |
//! |---|---|---|
//! | [`Pendulum`] | 2, 1: quadratic | [`PENDULUM`] |
//! | [`SliderCrank1Dof`](crate::SliderCrank1Dof) | 2, 1 | [`SLIDER_CRANK`] |
//! | [`FourBarMinimal`](crate::FourBarMinimal) | 3, 2 | [`FOUR_BAR`] |
//! | [`Generic`] | 4, 2: the first moves with time, M full | [`GENERIC`] |

mod generic;
mod pendulum;
mod reference;

pub use generic::Generic;
pub use pendulum::Pendulum;
pub use reference::{FOUR_BAR, GENERIC, PENDULUM, Problem, Reference, SLIDER_CRANK};
