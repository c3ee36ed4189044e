//! Elastic bodies against closed forms.

mod beam;
mod beam_dense;
mod beam_frequencies;
mod beam_stiffening;
mod exact_beam;
mod modes;
mod modes_eigen;
mod solid;
mod solid_mesh;
