//! The drawing of a model in space, from what the model says of itself.

use super::space::{Form, Solid, SpaceAnchor, SpaceDrawing, SpaceFigure, SpaceJointMark, SpaceSpring};
use carom_dynamics::System;
use carom_model::{Attachment, Model, PlacedSolid, Space, SpaceOutline};
use std::f64::consts::TAU;

/// Edge of the tile that stands for a wall without end, in lengths of the mechanism.
const TILE: f64 = 3.0;
/// Chords of a circle.
const CHORDS: usize = 48;
/// Chords around the cross-section of a ring.
const AROUND: usize = 16;

impl SpaceDrawing {
    /// What a model looks like.
    pub fn new(model: &Model<Space>) -> Self {
        let (layout, length) = (model.layout(), model.structure().length_scale);
        Self {
            bodies: model.outlines().iter().map(|outline| figure(outline, length)).collect(),
            joints: layout.joints.iter().filter_map(joint).collect(),
            springs: layout.forces.iter().filter_map(spring).collect(),
        }
    }
}

fn figure(outline: &SpaceOutline, length: f64) -> SpaceFigure {
    let body = SpaceFigure::new(&outline.body);
    let body = outline.points.iter().fold(body, |body, (name, at)| body.point(name, *at));
    outline.solids.iter().fold(body, |body, solid| body.with(drawn(solid, length)))
}

/// A solid, or the lines of a hole, which would hide what is in it.
fn drawn(placed: &PlacedSolid, length: f64) -> Solid {
    use carom_model::Solid::{Box, Capsule, Cylinder, Plane, Ring, Sphere};
    let form = match (placed.solid, placed.hole) {
        (Sphere { radius }, false) => Form::Sphere { radius },
        (Sphere { radius }, true) => {
            let circle = |axis: usize| circle(radius, move |c, s| turned(axis, [c, s, 0.0]));
            Form::Lines { lines: (0..3).map(circle).collect() }
        }
        (Box { size }, _) => Form::Box { size },
        (Cylinder { radius, length }, false) => Form::Cylinder { radius, length },
        (Cylinder { radius, length }, true) => {
            let end = |z: f64| circle(radius, move |c, s| [c, s, z]);
            let side = |k: usize| {
                let (s, c) = (TAU * k as f64 / 8.0).sin_cos();
                vec![[radius * c, radius * s, 0.5 * length], [radius * c, radius * s, -0.5 * length]]
            };
            let ends = [end(0.5 * length), end(-0.5 * length)];
            Form::Lines { lines: ends.into_iter().chain((0..8).map(side)).collect() }
        }
        (Capsule { radius, length }, _) => Form::Capsule { radius, length },
        (Ring { circle, radius }, _) => ring(circle, radius),
        (Plane, _) => Form::Plane { size: [TILE * length; 2] },
    };
    Solid::new(form).at(placed.at).turned(placed.rotation)
}

/// The axes exchanged in turn.
fn turned(axis: usize, [x, y, z]: [f64; 3]) -> [f64; 3] {
    match axis {
        0 => [x, y, z],
        1 => [z, x, y],
        _ => [y, z, x],
    }
}

/// A circle by the place of (cos, sin) times its radius.
fn circle(radius: f64, place: impl Fn(f64, f64) -> [f64; 3]) -> Vec<[f64; 3]> {
    let at = |k: usize| {
        let (s, c) = (TAU * k as f64 / CHORDS as f64).sin_cos();
        place(radius * c, radius * s)
    };
    (0..=CHORDS).map(at).collect()
}

/// A tire as triangles.
fn ring(circle: f64, radius: f64) -> Form {
    let corner = |i: usize, j: usize| {
        let (s, c) = (TAU * i as f64 / CHORDS as f64).sin_cos();
        let (up, out) = (TAU * j as f64 / AROUND as f64).sin_cos();
        [(circle + radius * out) * c, (circle + radius * out) * s, radius * up].map(|x| x as f32)
    };
    let number = |i: usize, j: usize| (i % CHORDS * AROUND + j % AROUND) as u32;
    let all = || (0..CHORDS).flat_map(|i| (0..AROUND).map(move |j| (i, j)));
    let faces = all().flat_map(|(i, j)| {
        let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| number(i, j));
        [[a, b, c], [a, c, d]]
    });
    Form::Mesh { vertices: all().map(|(i, j)| corner(i, j)).collect(), triangles: faces.collect() }
}

fn joint(joint: &Attachment<carom_model::SpaceAnchor>) -> Option<SpaceJointMark> {
    let first = joint.anchors.first()?;
    Some(SpaceJointMark {
        name: joint.name.clone(),
        kind: joint.kind.into(),
        body: first.body.clone(),
        at: first.at,
        turn: first.rotation,
        to: joint.anchors.get(1).map(|to| SpaceAnchor::new(&to.body, to.at)),
    })
}

fn spring(force: &Attachment<carom_model::SpaceAnchor>) -> Option<SpaceSpring> {
    let [from, to] = force.anchors.as_slice() else { return None };
    let end = |anchor: &carom_model::SpaceAnchor| SpaceAnchor::new(&anchor.body, anchor.at);
    Some(SpaceSpring { name: force.name.clone(), from: end(from), to: end(to) })
}
