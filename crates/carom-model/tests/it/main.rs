//! Models of bodies, joints, forces and contacts.

mod assembly;
mod bar;
mod boundary;
mod common;
mod coordinates;
mod density;
mod derivatives;
mod drawing;
mod dry_joints;
mod errors;
mod events;
mod exact_beam;
mod expression;
mod floating;
mod floating_motion;
mod gears;
mod groups;
mod mechanics;
mod momenta;
mod outlines;
mod pieces;
mod space;
mod space_coordinates;
mod space_ends;
mod space_joints;
