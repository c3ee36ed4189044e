//! Contact with the boundary of a flexible body: a node, corner or disk on a chain of straight segments between nodes.
//!
//! The chain is walked with the body on its left. With a, b the ends of the segment next to the touching point r,
//!
//! ```text
//!   e = (b − a)/l,   s = e·(r − a)/l,   foot x = (1−s) a + s b,   ν = (z×e)·(ḃ − ȧ)/l   turning of the segment
//!   segment:  n = −z×e,  g = n·(r − a) − ρ            node:  s ∈ {0, 1},  n = ±(r − x)/|r − x|,  g = ±|r − x| − ρ
//!   w = (ẋ_A + ω_A z×p_A) − (1−s) ȧ − s ḃ,   p = r − ρ n,   p_A = p seen from the touching place
//!   U_N = n·w = ġ_N,      U_T = t·w + g ν                the touched side seen at p too: no torque is made
//! ```
//!
//! so the rows of the touched body are, at a and b, (1−s) n and s n, and for friction (1−s) t + g/l z×e and
//! s t − g/l z×e. What depends on the motion alone, with ν_n the turning of n and β the biases of the accelerations,
//!
//! ```text
//!   ṡ = (e·(ṙ − ȧ) − ν (g + ρ) − s l̇)/l  on a segment, 0 at a node;    l̇ = e·(ḃ − ȧ)
//!   u = β_A + ω_A z×ṗ_A − (1−s) β_a − s β_b − ṡ (ḃ − ȧ)
//!   U̇_N: −ν_n t·w + n·u,   U̇_T: ν_n n·w + t·u + ν U_N + g ((z×e)·(β_b − β_a) − 2 ν l̇)/l
//! ```
//!
//! **Which place of the chain.** A segment answers where the foot is on it, a node where the foot is beyond both its
//! segments. Where the chain bends outwards by little, it stands for a smooth curve, and the node answers on both sides of the
//! chain between the normals of its segments: the normal does not jump when a point sinks in at a node, as when two round
//! bodies meet head-on. Of all that answer, the nearest. So the gap is continuous outside; inside, the way to such a node
//! is longer than that to its segments by up to 1/cos of the bend, a few per cent of the depth.
//!
//! **Numbers** of the places, for steps that must see one smooth surface, as of a path: segment i is 2 i, the node after it
//! 2 i + 1, the first node of an open chain of n segments 2 n. A segment asked for by its number has no ends.

use super::Spot;
use crate::geometry::plane::{V2, add, cross, dot, norm, perp, scale, sub};
use crate::place::{Marker, Place};
use carom_dynamics::{Configuration, Directions, NEAREST};
use std::sync::Arc;

/// Nodes that bend the chain by less than this stand for a smooth curve: cosine of 30°.
const SMOOTH: f64 = 0.866;

/// A foot this share of the length beyond an end is still on the segment.
const BEYOND: f64 = 1e-9;

/// A chain of nodes, body on its left.
#[derive(Clone, Debug)]
pub struct Chain {
    /// A closed chain does not repeat its first.
    nodes: Vec<Place>,
    closed: bool,
}

/// A touching point or disk on a chain.
#[derive(Clone, Debug)]
pub struct OnChain {
    pub touching: Marker,
    /// ρ.
    pub radius: f64,
    pub chain: Arc<Chain>,
    /// Whether there is a tangential row.
    pub rubs: bool,
}

/// What answers: a segment, or the node at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Nearest {
    segment: usize,
    /// Distance of the touching point, negative behind.
    distance: f64,
    /// s = 0 or 1 of a node.
    node: Option<f64>,
}

/// One contact at one configuration.
struct Contact<'a> {
    a: &'a Place,
    b: &'a Place,
    s: f64,
    e: V2,
    l: f64,
    n: V2,
    t: V2,
    g: f64,
    /// Touching point and contact point, from the touching place.
    arm: V2,
    p_A: V2,
    /// From the node, where a node answers and is not touched exactly.
    to_node: Option<V2>,
}

fn origin(place: &Place, at: &Configuration) -> V2 {
    let [x, y, _, _] = place.frame(at);
    [x, y]
}

impl Chain {
    /// From places in order; a closed chain repeats its first at the end.
    pub fn new(mut nodes: Vec<Place>) -> Self {
        let closed = nodes.len() > 2 && nodes.first() == nodes.last();
        if closed {
            nodes.pop();
        }
        Self { nodes, closed }
    }

    fn segments(&self) -> usize {
        self.nodes.len() - usize::from(!self.closed)
    }

    fn node(&self, i: usize) -> &Place {
        &self.nodes[if i >= self.nodes.len() { i - self.nodes.len() } else { i }]
    }

    /// The nearest place; each node is asked once, by the segment that begins there (the last of an open chain by the
    /// one that ends there).
    fn nearest(&self, at: &Configuration, r: V2) -> Nearest {
        let n = self.segments();
        let place = |i: usize| origin(self.node(i), at);
        let mut best = Nearest { segment: 0, distance: f64::INFINITY, node: None };
        let mut take = |new: Nearest| {
            if new.distance.abs() < best.distance.abs() {
                best = new;
            }
        };
        // the segment before, if any, this one, the one after
        let first = place(0);
        let mut before = self.closed.then(|| sub(first, place(n - 1)));
        let (mut a, mut b) = (first, place(1));
        let mut u = sub(b, a);
        for segment in 0..n {
            let last = segment + 1 == n;
            let next = if last && !self.closed { None } else { Some(place(segment + 2)) };
            let after = next.map(|next| sub(next, b));
            let (d_a, d_b) = (sub(r, a), sub(r, b));
            let (along, length_2) = (dot(u, d_a), dot(u, u));
            let on = along >= -BEYOND * length_2 && along <= (1.0 + BEYOND) * length_2;
            if on
                && !between_normals(before, u, d_a)
                && !after.is_some_and(|w| between_normals(Some(u), w, d_b))
            {
                // n·(r − a), n = −z×e
                let distance = -dot(perp(u), d_a) / length_2.sqrt();
                take(Nearest { segment, distance, node: None });
            }
            if let Some(distance) = node_distance(before, Some(u), d_a) {
                take(Nearest { segment, distance, node: Some(0.0) });
            }
            if let (true, Some(distance)) = (after.is_none(), node_distance(Some(u), None, d_b)) {
                take(Nearest { segment, distance, node: Some(1.0) });
            }
            before = Some(u);
            if let (Some(next), Some(after)) = (next, after) {
                (a, b, u) = (b, next, after);
            }
        }
        best
    }

    /// The number of a place.
    fn number(&self, place: Nearest) -> u32 {
        let n = self.segments();
        let number = match place.node {
            None => 2 * place.segment,
            Some(s) if s > 0.0 => 2 * place.segment + 1,
            Some(_) if place.segment > 0 => 2 * place.segment - 1,
            Some(_) if self.closed => 2 * n - 1,
            Some(_) => 2 * n,
        };
        number as u32
    }

    /// The place with this number, a segment without ends.
    fn numbered(&self, at: &Configuration, number: u32, r: V2) -> Nearest {
        let (n, i) = (self.segments(), number as usize / 2);
        let place = |i: usize| origin(self.node(i), at);
        if number.is_multiple_of(2) && i < n {
            let a = place(i);
            let u = sub(place(i + 1), a);
            return Nearest { segment: i, distance: -dot(perp(u), sub(r, a)) / norm(u), node: None };
        }
        // the first node of an open chain, or the one after segment i
        let (segment, s) = if i == n { (0, 0.0) } else { (i, 1.0) };
        let node = if i == n { 0 } else { i + 1 };
        let d = sub(r, place(node));
        let inner = self.closed || (i < n && node < n);
        let outwards = !inner || {
            let (before, after) = (sub(place(i + 1), place(i)), sub(place(i + 2), place(i + 1)));
            dot(outward(before, after), d) >= 0.0
        };
        Nearest { segment, distance: if outwards { norm(d) } else { -norm(d) }, node: Some(s) }
    }
}

/// Whether d, seen from a node where the chain bends by little, lies between the normals of both its segments, on
/// either side.
fn between_normals(before: Option<V2>, after: V2, d: V2) -> bool {
    let Some(before) = before else { return false };
    let straight = dot(before, after);
    // bent towards the body: on the free side of a hollow the segments answer, up to where they are equally near
    let smooth = cross(before, after) > 0.0
        && straight > 0.0
        && straight * straight > SMOOTH * SMOOTH * dot(before, before) * dot(after, after);
    smooth && dot(before, d) * dot(after, d) < 0.0
}

/// Signed distance of d from a node that answers.
fn node_distance(before: Option<V2>, after: Option<V2>, d: V2) -> Option<f64> {
    let beyond = |u: V2| dot(u, d) >= 0.0;
    let short = |u: V2| dot(u, d) <= 0.0;
    match (before, after) {
        (Some(before), Some(after)) => {
            let answers = (beyond(before) && short(after)) || between_normals(Some(before), after, d);
            answers.then(|| if dot(outward(before, after), d) >= 0.0 { norm(d) } else { -norm(d) })
        }
        (Some(before), None) => beyond(before).then(|| norm(d)),
        (None, Some(after)) => short(after).then(|| norm(d)),
        (None, None) => None,
    }
}

/// Sum of the unit normals of two segments, towards the free side.
fn outward(before: V2, after: V2) -> V2 {
    scale(-1.0, perp(add(scale(1.0 / norm(before), before), scale(1.0 / norm(after), after))))
}

/// The box around the chain that was asked about last; contacts with one chain come one after another.
#[derive(Default)]
pub struct Vicinity<'a> {
    chain: Option<&'a Chain>,
    low: V2,
    high: V2,
}

impl<'a> Vicinity<'a> {
    /// False only if no place of the chain is nearer to r than `reach`.
    fn may_hold(&mut self, chain: &'a Chain, at: &Configuration, r: V2, reach: f64) -> bool {
        if !self.chain.is_some_and(|known| std::ptr::eq(known, chain)) {
            (self.chain, self.low, self.high) = (Some(chain), [f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
            for node in &chain.nodes {
                let x = origin(node, at);
                for c in 0..2 {
                    (self.low[c], self.high[c]) = (self.low[c].min(x[c]), self.high[c].max(x[c]));
                }
            }
        }
        (0..2).all(|c| r[c] >= self.low[c] - reach && r[c] <= self.high[c] + reach)
    }
}

impl OnChain {
    /// The number of the place of the chain that is nearest.
    pub fn number(&self, at: &Configuration) -> u32 {
        self.chain.number(self.chain.nearest(at, self.touching.at(at).r))
    }

    /// The place with this number, or the nearest.
    #[inline]
    fn place(&self, at: &Configuration, piece: u32, r: V2) -> Nearest {
        if piece == NEAREST { self.chain.nearest(at, r) } else { self.chain.numbered(at, piece, r) }
    }

    /// g_N.
    #[inline]
    pub fn gap(&self, at: &Configuration, piece: u32) -> f64 {
        self.place(at, piece, self.touching.at(at).r).distance - self.radius
    }

    fn contact(&self, at: &Configuration, piece: u32) -> Contact<'_> {
        let placed = self.touching.at(at);
        let Nearest { segment, distance, node } = self.place(at, piece, placed.r);
        let (a, b) = (self.chain.node(segment), self.chain.node(segment + 1));
        let (x_a, x_b) = (origin(a, at), origin(b, at));
        let l = norm(sub(x_b, x_a));
        let e = scale(1.0 / l, sub(x_b, x_a));
        let s = node.unwrap_or_else(|| dot(e, sub(placed.r, x_a)) / l);
        let d = sub(placed.r, if s == 1.0 { x_b } else { x_a });
        let to_node = node.filter(|_| distance != 0.0).map(|_| d);
        let n = to_node.map_or_else(|| scale(-1.0, perp(e)), |d| scale(1.0 / distance, d));
        let point = sub(placed.r, scale(self.radius, n));
        let p_A = sub(point, origin(&self.touching.place, at));
        let t = scale(-1.0, perp(n));
        Contact { a, b, s, e, l, n, t, g: distance - self.radius, arm: placed.arm, p_A, to_node }
    }

    /// Contact point and normal, if the boundary may be nearer than `reach`: of the many pairs of a node and a boundary
    /// all but a few are far apart, and to look for the nearest place costs more than all else that is drawn.
    pub fn spot<'a>(
        &'a self,
        at: &Configuration,
        piece: u32,
        reach: f64,
        near: &mut Vicinity<'a>,
    ) -> Option<Spot> {
        if !near.may_hold(&self.chain, at, self.touching.at(at).r, reach + self.radius) {
            return None;
        }
        let Contact { n, p_A, .. } = self.contact(at, piece);
        Some(Spot { point: add(origin(&self.touching.place, at), p_A), n })
    }

    #[inline]
    pub fn directions(&self, at: &Configuration, piece: u32, W: &mut Directions) {
        let Contact { a, b, s, e, l, n, t, g, p_A, .. } = self.contact(at, piece);
        let lever = scale(g / l, perp(e));
        let rows = [
            (n, scale(1.0 - s, n), scale(s, n)),
            (t, add(scale(1.0 - s, t), lever), sub(scale(s, t), lever)),
        ];
        for (d, d_a, d_b) in rows.into_iter().take(1 + self.rubs as usize) {
            W.begin_row(0.0);
            self.touching.place.row(at, d, p_A, 0.0, |column, value| W.push(column, value));
            a.row(at, scale(-1.0, d_a), [0.0; 2], 0.0, |column, value| W.push(column, value));
            b.row(at, scale(-1.0, d_b), [0.0; 2], 0.0, |column, value| W.push(column, value));
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, piece: u32, bias: &mut [f64]) {
        let Contact { a, b, s, e, l, n, t, g, arm, p_A, to_node } = self.contact(at, piece);
        let place = &self.touching.place;
        let (v_A, omega_A) = (place.velocity(at), place.omega(at));
        let (v_a, v_b) = (a.velocity(at), b.velocity(at));
        let v_ab = sub(v_b, v_a);
        let r_dot = add(v_A, scale(omega_A, perp(arm)));
        let (nu, l_dot) = (dot(perp(e), v_ab) / l, dot(e, v_ab));
        let (nu_n, s_dot) = match to_node {
            // n = ±d/|d|:  ν_n = −t·ḋ/(n·d)
            Some(d) => (-dot(t, sub(r_dot, if s == 1.0 { v_b } else { v_a })) / dot(n, d), 0.0),
            None => (nu, (dot(e, sub(r_dot, v_a)) - nu * (g + self.radius) - s * l_dot) / l),
        };
        let w = sub(add(v_A, scale(omega_A, perp(p_A))), add(scale(1.0 - s, v_a), scale(s, v_b)));
        let p_dot = add(r_dot, scale(self.radius * nu_n, t));
        let (beta_a, beta_b) = (a.bias(at), b.bias(at));
        let touching = add(place.bias(at), scale(omega_A, perp(sub(p_dot, v_A))));
        let touched = add(add(scale(1.0 - s, beta_a), scale(s, beta_b)), scale(s_dot, v_ab));
        let u = sub(touching, touched);
        bias[0] = -nu_n * dot(t, w) + dot(n, u);
        if self.rubs {
            let nu_dot = (dot(perp(e), sub(beta_b, beta_a)) - 2.0 * nu * l_dot) / l;
            bias[1] = nu_n * dot(n, w) + dot(t, u) + nu * dot(n, w) + g * nu_dot;
        }
    }
}
