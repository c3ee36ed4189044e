//! Two straight lines that pass each other: sides of capsules, edges of boxes.
//!
//! ```text
//!   lines a + α e (touching) and b + β k,     c = e·k,   s = |e×k|,   N = e×k/s
//!   d = a + α e − b − β k  with  d·e = d·k = 0:     s² α = c k·(a−b) − e·(a−b),     β = k·(a−b) + c α
//!   n = ±N,     g = n·d − ρ_A − ρ_B,     p = a + α e − ρ_A n
//!   seen from the touched body, w the velocity of the matter of A in a + α e, Ω_r = Ω_A − Ω_B:
//!   Ṅ = (1 − NNᵀ)((Ω_r×e)×k)/s,     s² α̇ = c k·w − e·w − d·(Ω_r×e)
//! ```
//!
//! It is seen where both feet are on their lines, not beyond their ends, and not where the lines are parallel: there the ends say it
//! all. n points from one line to the other if one of them is round, and out of both boxes if both are edges; where it would point
//! into a box the edge is not seen.

use super::mount::z_axis;
use super::overlap::Block;
use super::{Found, HIDDEN, LEAN, Mount};
use crate::contacts::ContactPoint;
use crate::contacts::touch::TouchVelocities;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, add, dot, norm, scale, sub};
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, NEAREST};

/// A straight piece along z, its middle in the origin of its mount.
#[derive(Clone, Debug)]
pub struct Straight {
    pub mount: Mount,
    pub half: f64,
    pub radius: f64,
    /// The edge of a box that lies at −x and −y of the mount and is so wide there; otherwise it is round.
    pub edge: Option<[f64; 2]>,
}

#[derive(Clone, Debug)]
pub struct Cross {
    pub touching: Straight,
    pub touched: Straight,
    /// Whether there are tangential rows.
    pub rubs: bool,
}

/// Square of the sine below which lines are parallel. Then the ends of lines of length l at distance D err by l²/8D of it at most.
const PARALLEL: f64 = 1e-8;

/// How much shorter another way apart must be.
const SHORTER: f64 = 2.0;
/// What boxes overlap less than this part of their size is not told from touching.
const SLACK: f64 = 1e-9;

/// Pieces: the sign of n along N.
const ALONG: u32 = 0;
const AGAINST: u32 = 1;

struct Feet {
    e: V3,
    k: V3,
    /// a + α e.
    foot: V3,
    d: V3,
    s: f64,
    /// N.
    across: V3,
    within: bool,
    frame_A: [f64; 12],
    frame_B: [f64; 12],
}

impl Straight {
    /// The box whose edge it is.
    fn block(&self, frame: [f64; 12]) -> Option<Block> {
        let [x, y] = self.edge?.map(|width| 0.5 * width);
        Some(Block { frame, middle: [-x, -y, 0.0], half: [x, y, self.half] })
    }
}

impl Cross {
    #[inline]
    fn feet(&self, at: &Configuration) -> Feet {
        let (frame_A, frame_B) = (self.touching.mount.frame(at), self.touched.mount.frame(at));
        let (e, k) = (z_axis(&frame_A), z_axis(&frame_B));
        let normal = cross(e, k);
        let s2 = dot(normal, normal);
        // a scheme may ask for directions where the lines have become parallel
        let s = s2.max(PARALLEL).sqrt();
        let across = if s2 > 0.0 { scale(1.0 / norm(normal), normal) } else { Space::tangents(e)[0] };
        let apart = sub(Space::origin(&frame_A), Space::origin(&frame_B));
        let c = dot(e, k);
        let alpha = (c * dot(k, apart) - dot(e, apart)) / (s * s);
        let beta = dot(k, apart) + c * alpha;
        let foot = add(Space::origin(&frame_A), scale(alpha, e));
        let d = add(apart, sub(scale(alpha, e), scale(beta, k)));
        let within = s2 >= PARALLEL && alpha.abs() <= self.touching.half && beta.abs() <= self.touched.half;
        Feet { e, k, foot, d, s, across, within, frame_A, frame_B }
    }

    /// The side on which the touching line lies; between two edges, that on which n points out of both boxes.
    #[inline]
    fn side(&self, feet: &Feet) -> u32 {
        let lies = if dot(feet.across, feet.d) >= 0.0 { ALONG } else { AGAINST };
        let both = self.touching.edge.is_some() && self.touched.edge.is_some();
        if both && !self.faces(feet, lies) { ALONG + AGAINST - lies } else { lies }
    }

    /// Whether n points out of the boxes whose edges meet.
    #[inline]
    fn faces(&self, feet: &Feet, side: u32) -> bool {
        let out_of = |line: &Straight, frame: &[f64; 12], sign: f64| {
            let out = Space::to_local(frame, scale(sign, feet.across));
            line.edge.is_none() || (out[0] >= -LEAN && out[1] >= -LEAN)
        };
        out_of(&self.touched, &feet.frame_B, sign(side)) && out_of(&self.touching, &feet.frame_A, -sign(side))
    }

    /// Whether the foot of the other line, that is at d, is in the box whose edge this is.
    #[inline]
    fn inside(line: &Straight, frame: &[f64; 12], d: V3) -> bool {
        let out = Space::to_local(frame, d);
        let within = |k: usize, width: f64| (-width..=0.0).contains(&out[k]);
        line.edge.is_some_and(|[x, y]| within(0, x) && within(1, y))
    }

    #[inline]
    fn numbered(&self, feet: &Feet, piece: u32) -> u32 {
        if piece != NEAREST {
            return piece;
        }
        let side = self.side(feet);
        if !feet.within || !self.faces(feet, side) {
            return HIDDEN;
        }
        // edges that have passed each other count if there is no way apart that is much shorter
        let depth = -sign(side) * dot(feet.across, feet.d);
        if depth > 0.0 && self.has_shorter_way(feet, depth) { HIDDEN } else { side }
    }

    #[inline]
    fn has_shorter_way(&self, feet: &Feet, depth: f64) -> bool {
        let (Some(first), Some(second)) =
            (self.touching.block(feet.frame_A), self.touched.block(feet.frame_B))
        else {
            return false;
        };
        let slack = SLACK * (norm(first.half) + norm(second.half));
        depth > SHORTER * first.overlap(&second).max(0.0) + slack
    }

    /// How deep a round line is inside the box whose edge is touched, if its foot is there: nothing else says so.
    pub fn buried(&self, at: &Configuration) -> Option<f64> {
        let feet = self.feet(at);
        let inside = feet.within && self.touching.edge.is_none();
        let inside = inside && Self::inside(&self.touched, &feet.frame_B, feet.d);
        inside.then(|| norm(feet.d) + self.touching.radius)
    }

    pub fn number(&self, at: &Configuration) -> u32 {
        self.numbered(&self.feet(at), NEAREST)
    }

    #[inline]
    pub fn gap(&self, at: &Configuration, piece: u32) -> f64 {
        let feet = self.feet(at);
        match self.numbered(&feet, piece) {
            HIDDEN => f64::INFINITY,
            number => sign(number) * dot(feet.across, feet.d) - self.touching.radius - self.touched.radius,
        }
    }

    /// n, and whether anything is seen.
    #[inline]
    fn normal(&self, feet: &Feet, piece: u32) -> (V3, bool) {
        let number = self.numbered(feet, piece);
        // what is not seen any more is prolonged on the side it lies on
        let side = if number == HIDDEN { self.side(feet) } else { number };
        (scale(sign(side), feet.across), number != HIDDEN)
    }

    #[inline]
    pub fn found(&self, at: &Configuration, piece: u32) -> Found<'_> {
        let feet = self.feet(at);
        let (n, seen) = self.normal(&feet, piece);
        let point = sub(feet.foot, scale(self.touching.radius, n));
        let (touching, touched) = (&self.touching.mount.place, &self.touched.mount.place);
        Found::new(at, touching, touched, n, point, self.rubs, seen)
    }

    /// ν and ṗ.
    #[inline]
    pub fn rates(
        &self,
        at: &Configuration,
        point: &ContactPoint<Space>,
        motion: &TouchVelocities<Space>,
    ) -> [V3; 2] {
        let TouchVelocities { v_A, omega_A, v_B, omega_B } = *motion;
        let Feet { e, k, foot, d, s, across, .. } = self.feet(at);
        let of_A = add(v_A, cross(omega_A, sub(foot, Space::origin(&point.touching.frame(at)))));
        let of_B = add(v_B, cross(omega_B, sub(foot, Space::origin(&point.touched.frame(at)))));
        let w = sub(of_A, of_B);
        let e_dot = cross(sub(omega_A, omega_B), e);
        let turned = scale(1.0 / s, cross(e_dot, k));
        let N_dot = sub(turned, scale(dot(across, turned), across));
        let alpha_dot = (dot(e, k) * dot(k, w) - dot(e, w) - dot(d, e_dot)) / (s * s);
        let nu = add(omega_B, cross(across, N_dot));
        let p_dot = add(of_A, scale(alpha_dot, e));
        [nu, sub(p_dot, scale(self.touching.radius, cross(nu, point.n)))]
    }
}

/// Of n along N.
#[inline]
fn sign(piece: u32) -> f64 {
    if piece == AGAINST { -1.0 } else { 1.0 }
}
