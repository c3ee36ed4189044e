//! Which corners and edges of two boxes are near enough to touch within a step.
//!
//! Nothing is near if the boxes are apart by more than the reach along one of 15 axes ([`Block::overlap`]). Then a corner counts if it
//! is no further from the other box than the reach, and two edges if each comes near the other box and their lines pass each other
//! near enough, with feet no further beyond their ends. All that can touch within the reach is among these; what is seen of them is
//! asked later, of each by itself.

use super::super::overlap::Block;
use super::super::pairs::corner;
use super::pair::{CORNERS, EDGES};
use crate::geometry::space::{V3, axes_of, transposed_times};
use crate::geometry::{Geometry, Space, Vector, dot, norm, sub};
use carom_dynamics::rotation::cross;

/// Square of the sine below which edges are parallel; their ends then say it all.
const PARALLEL: f64 = 1e-8;

/// One box seen from the other.
struct Seen {
    middle: V3,
    axes: [V3; 3],
}

fn seen(frame: &[f64; 12], from: &[f64; 12]) -> Seen {
    let (A, B) = (axes_of(frame), axes_of(from));
    let middle = transposed_times(&B, sub(Space::origin(frame), Space::origin(from)));
    let axes = [0, 1, 2].map(|k| transposed_times(&B, [A[0][k], A[1][k], A[2][k]]));
    Seen { middle, axes }
}

impl Seen {
    fn at(&self, p: V3) -> V3 {
        let [x, y, z] = self.axes;
        [0, 1, 2].map(|i| self.middle[i] + x[i] * p[0] + y[i] * p[1] + z[i] * p[2])
    }
}

/// Distance of a point to a box about the origin, 0 inside.
fn distance(p: V3, half: V3) -> f64 {
    norm::<V3>([0, 1, 2].map(|k| (p[k].abs() - half[k]).max(0.0)))
}

/// Axis and middle of an edge, in the order of [`edges`](super::super::pairs).
fn edge(half: V3, number: u32) -> (usize, V3) {
    let (k, quarter) = ((number / 4) as usize, number % 4);
    let (s_x, s_y) = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)][quarter as usize];
    let mut middle = V3::ZERO;
    middle[(k + 1) % 3] = s_x * half[(k + 1) % 3];
    middle[(k + 2) % 3] = s_y * half[(k + 2) % 3];
    (k, middle)
}

/// Edges of which no face of the other box has both ends beyond it by more than the reach, as bits.
fn near_edges(own: &Seen, half: V3, other: V3, reach: f64) -> u32 {
    let at = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| own.at(corner(half, number)));
    let mut near = 0;
    for number in 0..EDGES {
        let (k, middle) = edge(half, number);
        // the corner numbers of its ends: a set bit is the negative side
        let bit = |i: usize| u32::from(middle[i] < 0.0) << i;
        let first = bit((k + 1) % 3) | bit((k + 2) % 3);
        let (a, b) = (at[first as usize], at[(first | 1 << k) as usize]);
        let beyond = |i: usize| {
            let most = other[i] + reach;
            (a[i] > most && b[i] > most) || (a[i] < -most && b[i] < -most)
        };
        if !(beyond(0) || beyond(1) || beyond(2)) {
            near |= 1 << number;
        }
    }
    near
}

/// Calls with the numbers of the places of two boxes, ascending.
pub fn near_places(frames: [&[f64; 12]; 2], [half, other]: [V3; 2], reach: f64, mut each: impl FnMut(u32)) {
    let block = |frame: &[f64; 12], half: V3| Block { frame: *frame, middle: V3::ZERO, half };
    if -block(frames[0], half).overlap(&block(frames[1], other)) > reach {
        return;
    }
    let (first, second) = (seen(frames[0], frames[1]), seen(frames[1], frames[0]));
    for number in 0..CORNERS {
        if distance(first.at(corner(half, number)), other) <= reach {
            each(number);
        }
    }
    for number in 0..CORNERS {
        if distance(second.at(corner(other, number)), half) <= reach {
            each(CORNERS + number);
        }
    }
    let (of_first, of_second) =
        (near_edges(&first, half, other, reach), near_edges(&second, other, half, reach));
    // in the frame of the second
    for i in (0..EDGES).filter(|i| of_first >> i & 1 == 1) {
        let (k, middle) = edge(half, i);
        let (a, e) = (first.at(middle), first.axes[k]);
        for j in (0..EDGES).filter(|j| of_second >> j & 1 == 1) {
            let (l, b) = edge(other, j);
            let f = V3::axis(l);
            let normal = cross(e, f);
            let s2 = dot(normal, normal);
            if s2 < PARALLEL {
                continue;
            }
            let apart = sub(a, b);
            let c = e[l];
            let alpha = (c * apart[l] - dot(e, apart)) / s2;
            let beta = apart[l] + c * alpha;
            let passes = dot(normal, apart).abs() <= reach * s2.sqrt();
            if passes && alpha.abs() <= half[k] + reach && beta.abs() <= other[l] + reach {
                each(2 * CORNERS + EDGES * i + j);
            }
        }
    }
}
