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
//! all. n points from one line to the other, which is round; where it would point into the box whose edge is touched, the edge is
//! not seen.

use super::mount::z_axis;
use super::{Found, HIDDEN, Mount};
use crate::contacts::ContactPoint;
use crate::contacts::touch::Motion;
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
}

#[derive(Clone, Debug)]
pub struct Cross {
    pub touching: Straight,
    pub touched: Straight,
    /// The touched line is the edge of a box that lies at −x and −y of its mount and is so wide there; otherwise it is round.
    pub edge: Option<[f64; 2]>,
    /// Whether there are tangential rows.
    pub rubs: bool,
}

/// Square of the sine below which lines are parallel. Then the ends of lines of length l at distance D err by l²/8D of it at most.
const PARALLEL: f64 = 1e-8;

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
    frame_B: [f64; 12],
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
        Feet { e, k, foot, d, s, across, within, frame_B }
    }

    /// The side on which the touching line lies.
    #[inline]
    fn side(feet: &Feet) -> u32 {
        if dot(feet.across, feet.d) >= 0.0 { ALONG } else { AGAINST }
    }

    /// Whether d points out of the body whose edge is touched.
    #[inline]
    fn faces(&self, feet: &Feet) -> bool {
        let out = Space::to_local(&feet.frame_B, feet.d);
        // over a face d has no component along the other but round-off
        let least = -f64::EPSILON * norm(feet.d);
        self.edge.is_none() || (out[0] >= least && out[1] >= least)
    }

    #[inline]
    fn numbered(&self, feet: &Feet, piece: u32) -> u32 {
        match piece {
            NEAREST if feet.within && self.faces(feet) => Self::side(feet),
            NEAREST => HIDDEN,
            piece => piece,
        }
    }

    /// How deep the touching line is inside the body whose edge is touched, if its foot is there: nothing else says so.
    pub fn buried(&self, at: &Configuration) -> Option<f64> {
        let widths = self.edge?;
        let feet = self.feet(at);
        let [x, y, _] = Space::to_local(&feet.frame_B, feet.d);
        let inside = feet.within && (-widths[0]..=0.0).contains(&x) && (-widths[1]..=0.0).contains(&y);
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
        let side = if number == HIDDEN { Self::side(feet) } else { number };
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
    pub fn rates(&self, at: &Configuration, point: &ContactPoint<Space>, motion: &Motion<Space>) -> [V3; 2] {
        let Motion { v_A, omega_A, v_B, omega_B } = *motion;
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
