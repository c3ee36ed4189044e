//! Schemes, methods and the simulation around them.

mod ball;
mod bar;
mod candidates;
mod classic;
mod common;
mod control;
mod dae_reference;
mod ed_alpha;
mod formulations;
mod friction;
mod ggl;
mod heap;
mod joints;
mod methods_explicit;
mod methods_implicit;
mod minimal;
mod mixed;
mod rolling;
mod space;
mod spectrum;
mod watch;
