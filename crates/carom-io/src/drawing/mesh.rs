//! Forms in space as flat faces and the edges that are drawn, in the frame of the form (m). Faces are named
//! counter-clockwise seen from outside.

use super::space::Form;
use carom_dynamics::rotation::{Vector, cross, dot};
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Corners of a circle; a ball has half as many rings from pole to pole.
const AROUND: usize = 32;
/// Cosine of the angle between two triangles from which their common edge is drawn: 30°.
const CREASE: f64 = 0.866;
/// Pieces along a cylinder, at most; each about as long as it is wide, so that a painter sorts them well.
const ALONG: f64 = 12.0;
/// Tiles along a side of a plane.
const TILES: usize = 8;

/// Faces and edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners.
    pub vertices: Vec<Vector>,
    /// Convex and flat, three or more corners each.
    pub faces: Vec<Vec<usize>>,
    /// Lines that are drawn.
    pub edges: Vec<[usize; 2]>,
    /// Whether the faces enclose a solid, so that those turned away are never seen.
    pub closed: bool,
}

impl Form {
    /// The form as faces and edges.
    pub fn mesh(&self) -> Mesh {
        self.mesh_with(AROUND)
    }

    /// The same with as many corners of a circle as said, a multiple of four: for what is small in a picture.
    pub fn mesh_with(&self, around: usize) -> Mesh {
        match self {
            Self::Sphere { radius } => ball(*radius, 0.0, around),
            Self::Capsule { radius, length } => ball(*radius, 0.5 * length, around),
            Self::Box { size } => cuboid(*size),
            Self::Cylinder { radius, length } => prism(*radius, *radius, *length, around),
            Self::Cone { radius, length } => prism(*radius, 0.0, *length, around),
            Self::Plane { size } => tile(*size),
            Self::Mesh { vertices, triangles } => surface(vertices, triangles),
            Self::Lines { lines } => {
                let mut mesh = Mesh::default();
                for line in lines {
                    let first = mesh.vertices.len();
                    mesh.vertices.extend(line);
                    mesh.edges.extend((first + 1..mesh.vertices.len()).map(|k| [k - 1, k]));
                }
                mesh
            }
        }
    }
}

/// A ball cut at its equator, the halves moved apart by `half` each and joined by a cylinder.
fn ball(radius: f64, half: f64, around: usize) -> Mesh {
    let mut mesh = Mesh { closed: true, ..Mesh::default() };
    let whole = around / 2;
    let apart = half > 0.0;
    // rings from the south pole to the north pole; the equator is there twice if the halves are apart
    let mut heights: Vec<(f64, f64)> = (1..whole).map(|i| (PI * i as f64 / whole as f64, -half)).collect();
    for ring in &mut heights[whole / 2..] {
        ring.1 = half;
    }
    if apart {
        heights.insert(whole / 2, (0.5 * PI, half));
    }
    for &(angle, shift) in &heights {
        let (sin, cos) = angle.sin_cos();
        for k in 0..around {
            let (s, c) = (TAU * k as f64 / around as f64).sin_cos();
            mesh.vertices.push([radius * sin * c, radius * sin * s, shift - radius * cos]);
        }
    }
    let rings = heights.len();
    let (south, north) = (rings * around, rings * around + 1);
    mesh.vertices.extend([[0.0, 0.0, -half - radius], [0.0, 0.0, half + radius]]);
    for k in 0..around {
        let next = (k + 1) % around;
        mesh.faces.push(vec![south, next, k]);
        for r in 1..rings {
            let (low, high) = ((r - 1) * around, r * around);
            mesh.faces.push(vec![low + k, low + next, high + next, high + k]);
        }
        let top = (rings - 1) * around;
        mesh.faces.push(vec![top + k, top + next, north]);
        let equator = (whole / 2 - 1) * around;
        mesh.edges.push([equator + k, equator + next]);
        if apart {
            mesh.edges.push([equator + around + k, equator + around + next]);
        }
    }
    // half a meridian, so that turning about the axis can be seen
    mesh.edges.extend((1..rings).map(|r| [(r - 1) * around, r * around]));
    mesh.edges.extend([[south, 0], [(rings - 1) * around, north]]);
    mesh
}

fn cuboid(size: Vector) -> Mesh {
    let corner = |k: usize| [0, 1, 2].map(|i| if k >> i & 1 == 1 { 0.5 * size[i] } else { -0.5 * size[i] });
    let faces: [[usize; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let edges =
        (0..8).flat_map(|k: usize| (0..3).filter(move |i| k >> i & 1 == 0).map(move |i| [k, k | 1 << i]));
    Mesh {
        vertices: (0..8).map(corner).collect(),
        faces: faces.map(Vec::from).into(),
        edges: edges.collect(),
        closed: true,
    }
}

/// From a disk of one radius below to one of another above; a radius of zero above makes it a cone.
fn prism(below: f64, above: f64, length: f64, around: usize) -> Mesh {
    let mut mesh = Mesh { closed: true, ..Mesh::default() };
    let tip = above == 0.0;
    let pieces = if tip { 1 } else { (0.5 * length / below).ceil().clamp(1.0, ALONG) as usize };
    for i in 0..=pieces {
        let share = i as f64 / pieces as f64;
        let (radius, z) = (below + share * (above - below), length * (share - 0.5));
        let corners = if radius == 0.0 { 1 } else { around };
        for k in 0..corners {
            let (s, c) = (TAU * k as f64 / around as f64).sin_cos();
            mesh.vertices.push([radius * c, radius * s, z]);
        }
    }
    let top = pieces * around;
    for k in 0..around {
        let next = (k + 1) % around;
        mesh.edges.push([k, next]);
        if tip {
            mesh.faces.push(vec![k, next, around]);
            continue;
        }
        for low in (0..pieces).map(|i| i * around) {
            mesh.faces.push(vec![low + k, low + next, low + around + next, low + around + k]);
        }
        mesh.edges.push([top + k, top + next]);
    }
    mesh.faces.push((0..around).rev().collect());
    if !tip {
        mesh.faces.push((top..top + around).collect());
    }
    // a line along it, so that turning can be seen
    mesh.edges.extend((0..pieces).map(|i| [i * around, (i + 1) * around]));
    mesh
}

/// A tile in small squares: a painter sorts them better than one that reaches from front to back.
fn tile(size: [f64; 2]) -> Mesh {
    let at = |i: usize, n: usize| size[i] * (n as f64 / TILES as f64 - 0.5);
    let side = TILES + 1;
    let vertices = (0..side * side).map(|k| [at(0, k % side), at(1, k / side), 0.0]).collect();
    let mut mesh = Mesh { vertices, ..Mesh::default() };
    for j in 0..TILES {
        for i in 0..TILES {
            let k = j * side + i;
            mesh.faces.push(vec![k, k + 1, k + 1 + side, k + side]);
        }
    }
    for k in 0..TILES {
        let last = TILES * side;
        mesh.edges.extend([[k, k + 1], [last + k, last + k + 1]]);
        mesh.edges.extend([[k * side, (k + 1) * side], [k * side + TILES, (k + 1) * side + TILES]]);
    }
    mesh
}

/// Triangles with the edges where the surface ends or bends.
fn surface(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Mesh {
    let vertices: Vec<Vector> = vertices.iter().map(|p| p.map(f64::from)).collect();
    let mut beside: BTreeMap<[u32; 2], Vec<Vector>> = BTreeMap::new();
    for t in triangles {
        let normal = face_normal(&t.map(|k| vertices[k as usize]));
        for [a, b] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            beside.entry([a.min(b), a.max(b)]).or_default().push(normal);
        }
    }
    let sharp = |normals: &[Vector]| !matches!(normals, [a, b] if dot(*a, *b) > CREASE);
    let edges = beside.iter().filter(|(_, normals)| sharp(normals));
    Mesh {
        edges: edges.map(|(edge, _)| edge.map(|k| k as usize)).collect(),
        faces: triangles.iter().map(|t| t.iter().map(|&k| k as usize).collect()).collect(),
        vertices,
        closed: false,
    }
}

/// Unit normal of a flat face by its corners (Newell's sum, which no single thin corner spoils); zero if it has no area.
pub fn face_normal(corners: &[Vector]) -> Vector {
    let mut sum = [0.0; 3];
    let Some(first) = corners.first() else { return sum };
    let from = |p: &Vector| [0, 1, 2].map(|i| p[i] - first[i]);
    for pair in corners.windows(2).skip(1) {
        let n = cross(from(&pair[0]), from(&pair[1]));
        sum = [0, 1, 2].map(|i| sum[i] + n[i]);
    }
    let length = dot(sum, sum).sqrt();
    if length > 0.0 { sum.map(|x| x / length) } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume by the theorem of Gauss: one third of the flux of the place through the faces.
    fn volume(mesh: &Mesh) -> f64 {
        let fan = |face: &Vec<usize>| {
            let p = |k: usize| mesh.vertices[face[k]];
            (2..face.len()).map(|k| dot(p(0), cross(p(k - 1), p(k))) / 6.0).sum::<f64>()
        };
        mesh.faces.iter().map(fan).sum()
    }

    #[test]
    fn solids_have_their_volume_with_faces_outwards() {
        let (r, l) = (0.3, 0.8);
        let (disk, sphere) = (PI * r * r, 4.0 / 3.0 * PI * r * r * r);
        for (form, exact) in [
            (Form::Box { size: [1.0, 2.0, 3.0] }, 6.0),
            (Form::Cylinder { radius: r, length: l }, disk * l),
            (Form::Cone { radius: r, length: l }, disk * l / 3.0),
            (Form::Sphere { radius: r }, sphere),
            (Form::Capsule { radius: r, length: l }, sphere + disk * l),
        ] {
            let mesh = form.mesh();
            // 32 corners lose 1 − sin(2π/32)/(2π/32) = 0.64 % of a disk, rings of a ball as much again
            let found = volume(&mesh) / exact;
            assert!((0.975..=1.0 + 1e-12).contains(&found), "{form:?}: {found}");
            assert!(mesh.closed);
            // Euler: V − E + F = 2 for what encloses a solid, every edge of a face being shared by two
            let sides: usize = mesh.faces.iter().map(Vec::len).sum();
            assert_eq!(sides % 2, 0, "{form:?}");
            assert_eq!(mesh.vertices.len() + mesh.faces.len(), sides / 2 + 2, "{form:?}");
        }
    }

    #[test]
    fn a_mesh_shows_the_edges_where_it_bends() {
        // a square folded by 90° along its diagonal: the fold and four borders
        let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let folded = Form::Mesh { vertices, triangles: vec![[0, 1, 2], [0, 3, 1]] }.mesh();
        assert_eq!(folded.edges.len(), 5);
        let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let flat = Form::Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }.mesh();
        assert_eq!(flat.edges.len(), 4);
    }
}
