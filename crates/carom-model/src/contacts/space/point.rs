//! A point or sphere that touches a shape.
//!
//! ```text
//!   p = r − ρ n,     g = D − ρ                                   r its centre; D, n of the feature that faces it
//!   w = ṙ − (ẋ_B + Ω_B×(r − x_B))                                its velocity seen from the touched body
//!   ν = Ω_B + n × ṅ(w),     ṗ = ṙ − ρ ν×n
//! ```
//!
//! A journal in a bearing is the sphere in a bore: it has the gap, the normal and the contact point of a circle whose axis stays
//! nearly parallel to that of the bore. A bearing around a journal that reaches through it is the same with the partners
//! exchanged, and both radii negative: g = R_B − R_J − |d| and p = r − R_B d/|d|.

use super::feature::Feature;
use super::{Found, HIDDEN, Mount, Shape};
use crate::contacts::ContactPoint;
use crate::contacts::touch::TouchVelocities;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, add, scale, sub};
use crate::place::Marker;
use carom_dynamics::rotation::cross;
use carom_dynamics::{Configuration, NEAREST};

#[derive(Clone, Debug)]
pub struct Touch {
    pub touching: Marker<Space>,
    /// ρ.
    pub radius: f64,
    pub touched: Mount,
    pub shape: Shape,
    /// The touching point is a corner: the outward normals of the faces that meet in it, in the frame of its place.
    pub corner: Option<[V3; 3]>,
    /// Whether there are tangential rows.
    pub rubs: bool,
}

impl Touch {
    /// The touching point in the axes of the shape.
    #[inline]
    fn local(&self, at: &Configuration, frame: &[f64; 12]) -> V3 {
        Space::to_local(frame, sub(self.touching.at(at).r, Space::origin(frame)))
    }

    /// The piece that faces the point p.
    #[inline]
    fn facing(&self, at: &Configuration, frame: &[f64; 12], p: V3) -> u32 {
        let seen = |corner: [V3; 3]| {
            let own = self.touching.place.frame(at);
            corner.map(|normal| Space::to_local(frame, Space::turn(&own, normal)))
        };
        self.shape.number(p, self.corner.map(seen))
    }

    pub fn number(&self, at: &Configuration) -> u32 {
        let frame = self.touched.frame(at);
        self.facing(at, &frame, self.local(at, &frame))
    }

    /// The number to be seen, and its feature.
    #[inline]
    fn feature(&self, at: &Configuration, frame: &[f64; 12], piece: u32, p: V3) -> (u32, Feature) {
        let number = if piece == NEAREST { self.facing(at, frame, p) } else { piece };
        (number, self.shape.numbered(number, p))
    }

    #[inline]
    pub fn gap(&self, at: &Configuration, piece: u32) -> f64 {
        let frame = self.touched.frame(at);
        let p = self.local(at, &frame);
        match self.feature(at, &frame, piece, p) {
            (HIDDEN, _) => f64::INFINITY,
            (_, feature) => feature.distance(p) - self.radius,
        }
    }

    #[inline]
    pub fn found(&self, at: &Configuration, piece: u32) -> Found<'_> {
        let frame = self.touched.frame(at);
        let r = self.touching.at(at).r;
        let p = Space::to_local(&frame, sub(r, Space::origin(&frame)));
        let (number, feature) = self.feature(at, &frame, piece, p);
        let n = Space::turn(&frame, feature.normal(p));
        let point = sub(r, scale(self.radius, n));
        Found::new(at, &self.touching.place, &self.touched.place, n, point, self.rubs, number != HIDDEN)
    }

    /// ν and ṗ.
    #[inline]
    pub fn rates(
        &self,
        at: &Configuration,
        piece: u32,
        point: &ContactPoint<Space>,
        motion: &TouchVelocities<Space>,
    ) -> [V3; 2] {
        let TouchVelocities { v_A, omega_A, v_B, omega_B } = *motion;
        let frame = self.touched.frame(at);
        let placed = self.touching.at(at);
        let r_dot = add(v_A, cross(omega_A, placed.arm));
        let arm_B = sub(placed.r, Space::origin(&self.touched.place.frame(at)));
        let w = Space::to_local(&frame, sub(r_dot, add(v_B, cross(omega_B, arm_B))));
        let p = Space::to_local(&frame, sub(placed.r, Space::origin(&frame)));
        let n_dot = Space::turn(&frame, self.feature(at, &frame, piece, p).1.normal_rate(p, w));
        let nu = add(omega_B, cross(point.n, n_dot));
        [nu, sub(r_dot, scale(self.radius, cross(nu, point.n)))]
    }
}
