//! Meshes of blocks and disks.

use super::kind::PlaneElement;
use super::{Element, Mesh, MeshError};
use crate::ElasticError;
use std::f64::consts::{FRAC_PI_4, PI, TAU};

/// Where the frame of a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// In the middle.
    #[default]
    Centre,
    /// In the lower left corner.
    Corner,
}

impl Mesh {
    /// A rectangle of `elements[0]` × `elements[1]` quadrilaterals, each cut into two triangles for triangular kinds,
    /// with sides `bottom`, `right`, `top`, `left`. Corner nodes are numbered row by row from the lower left.
    pub fn block(
        size: [f64; 2],
        elements: [usize; 2],
        kind: PlaneElement,
        origin: Origin,
    ) -> Result<Mesh, ElasticError> {
        for (quantity, value) in [("the length of the block", size[0]), ("the height of the block", size[1])]
        {
            positive(quantity, value)?;
        }
        let [nx, ny] = elements;
        at_least("the number of elements along the block", nx, 1)?;
        at_least("the number of elements across the block", ny, 1)?;
        let start = if origin == Origin::Centre { [-0.5 * size[0], -0.5 * size[1]] } else { [0.0; 2] };
        let mut mesh = Mesh::default();
        for j in 0..=ny {
            for i in 0..=nx {
                let share = [i as f64 / nx as f64, j as f64 / ny as f64];
                mesh.nodes.push([start[0] + share[0] * size[0], start[1] + share[1] * size[1]]);
            }
        }
        let node = |i: usize, j: usize| j * (nx + 1) + i;
        for j in 0..ny {
            for i in 0..nx {
                let quad = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
                mesh.cell(quad, kind, (i + j) % 2 == 1);
            }
        }
        let (along, up) = (0..nx, 0..ny);
        mesh.sides = vec![
            ("bottom".into(), along.clone().map(|i| [node(i, 0), node(i + 1, 0)]).collect()),
            ("right".into(), up.clone().map(|j| [node(nx, j), node(nx, j + 1)]).collect()),
            ("top".into(), along.map(|i| [node(i, ny), node(i + 1, ny)]).collect()),
            ("left".into(), up.map(|j| [node(0, j), node(0, j + 1)]).collect()),
        ];
        let half = |p: [f64; 2], q: [f64; 2]| [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
        Ok(if kind.quadratic() { mesh.quadratic(half) } else { mesh })
    }

    /// A disk around the origin with `rings` layers of elements from the middle to the rim, a node at each quarter of
    /// the rim. Triangles: 6 k nodes on ring k. Quadrilaterals: a core of squares in a shell of rings, 8 ⌈rings/2⌉
    /// nodes on the rim. Mid-side nodes of the rim are on the circle.
    pub fn disk(radius: f64, rings: usize, kind: PlaneElement) -> Result<Mesh, ElasticError> {
        positive("the radius of the disk", radius)?;
        at_least("the number of rings of the disk", rings, 2)?;
        let mesh =
            if kind.triangle() { triangle_disk(radius, rings) } else { quad_disk(radius, rings, kind) };
        let on_rim = |p: [f64; 2], q: [f64; 2]| {
            let half = [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
            half.map(|x| x * radius / half[0].hypot(half[1]))
        };
        Ok(if kind.quadratic() { mesh.quadratic(on_rim) } else { mesh })
    }

    /// One quadrilateral, or the two triangles it is cut into.
    fn cell(&mut self, [a, b, c, d]: [usize; 4], kind: PlaneElement, other_diagonal: bool) {
        let triangles = if other_diagonal { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] };
        if kind.triangle() {
            let new = triangles.map(|nodes| Element { kind: PlaneElement::T3, nodes: nodes.to_vec() });
            self.elements.extend(new);
        } else {
            let kind = if kind == PlaneElement::Q8 { PlaneElement::Q4 } else { kind };
            self.elements.push(Element { kind, nodes: vec![a, b, c, d] });
        }
    }
}

fn triangle_disk(radius: f64, rings: usize) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.nodes.push([0.0; 2]);
    for ring in 1..=rings {
        let r = radius * (ring as f64 / rings as f64);
        mesh.nodes.extend((0..6 * ring).map(|i| on_circle(r, TAU * i as f64 / (6 * ring) as f64)));
    }
    let first = |ring: usize| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) };
    let node = |ring: usize, i: usize| if ring == 0 { 0 } else { first(ring) + i % (6 * ring) };
    let mut add =
        |nodes: [usize; 3]| mesh.elements.push(Element { kind: PlaneElement::T3, nodes: nodes.to_vec() });
    for ring in 1..=rings {
        for sector in 0..6 {
            // in each sixth, k triangles stand on the outer ring and k − 1 on the inner one
            for i in 0..ring {
                let (out, inn) = (sector * ring + i, sector * (ring - 1) + i);
                add([node(ring, out), node(ring, out + 1), node(ring - 1, inn)]);
                if i + 1 < ring {
                    add([node(ring - 1, inn), node(ring, out + 1), node(ring - 1, inn + 1)]);
                }
            }
        }
    }
    mesh
}

fn quad_disk(radius: f64, rings: usize, kind: PlaneElement) -> Mesh {
    let half = rings.div_ceil(2);
    let (n, core) = (2 * half, radius * half as f64 / rings as f64);
    let mut mesh = Mesh::default();
    // the core: a square blown up halfway to a circle
    for j in 0..=n {
        for i in 0..=n {
            let [s, t] = [i, j].map(|k| 2.0 * k as f64 / n as f64 - 1.0);
            let (x, y) = (s * (1.0 - 0.5 * t * t).sqrt(), t * (1.0 - 0.5 * s * s).sqrt());
            mesh.nodes.push([core * 0.5 * (s + x), core * 0.5 * (t + y)]);
        }
    }
    let grid = |i: usize, j: usize| j * (n + 1) + i;
    for j in 0..n {
        for i in 0..n {
            mesh.cell([grid(i, j), grid(i + 1, j), grid(i + 1, j + 1), grid(i, j + 1)], kind, false);
        }
    }
    // its rim, counter-clockwise from the lower right corner, at equal angles
    let mut ring: Vec<usize> = Vec::with_capacity(4 * n);
    ring.extend((0..n).map(|k| grid(n, k)));
    ring.extend((0..n).map(|k| grid(n - k, n)));
    ring.extend((0..n).map(|k| grid(0, n - k)));
    ring.extend((0..n).map(|k| grid(k, 0)));
    let inner: Vec<[f64; 2]> = ring.iter().map(|&node| mesh.nodes[node]).collect();
    let layers = rings - half;
    for layer in 1..=layers {
        let share = layer as f64 / layers as f64;
        let first = mesh.nodes.len();
        for (k, p) in inner.iter().enumerate() {
            let rim = on_circle(radius, -FRAC_PI_4 + TAU * k as f64 / (4 * n) as f64);
            mesh.nodes.push([0, 1].map(|c| (1.0 - share) * p[c] + share * rim[c]));
        }
        let outer: Vec<usize> = (first..first + 4 * n).collect();
        for k in 0..4 * n {
            let next = (k + 1) % (4 * n);
            mesh.cell([ring[k], outer[k], outer[next], ring[next]], kind, false);
        }
        ring = outer;
    }
    mesh
}

/// A point of a circle; the four quarters exactly.
fn on_circle(radius: f64, angle: f64) -> [f64; 2] {
    let quarter = angle / (0.5 * PI);
    if (quarter - quarter.round()).abs() < 1e-12 {
        let unit = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
            [(quarter.round() as i64).rem_euclid(4) as usize];
        return unit.map(|x: f64| radius * x);
    }
    [radius * angle.cos(), radius * angle.sin()]
}

pub(super) fn positive(quantity: &'static str, value: f64) -> Result<(), ElasticError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ElasticError::NotPositive { quantity, value }) }
}

fn at_least(quantity: &'static str, value: usize, least: usize) -> Result<(), ElasticError> {
    if value >= least { Ok(()) } else { Err(MeshError::TooFew { quantity, value, least }.into()) }
}
