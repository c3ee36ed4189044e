//! Contact geometry, and the rows of joints that rub.
//!
//! A point or disk *touches*; a line, path, disk or hole is *touched* ([`path`], [`parts`]), or the boundary of a flexible
//! body ([`boundary`]). Two outlines touch each other both ways ([`meet`]). The normal n points from the touched body to
//! the touching one, t is n turned by −90°, so that on a floor n = (0, 1) and t = (1, 0). With ρ the radius of the
//! touching disk (0 for a point) and p the contact point,
//!
//! ```text
//!   p = r − ρ n,   p_A, p_B = p seen from the two places
//!   u = (ẋ_A + ω_A z×p_A) − (ẋ_B + ω_B z×p_B)             touching minus touched, x their places
//!   U_N = n·u = ġ_N,      U_T = t·u
//!   u̇ bias = (bias of ẍ_A) + ω_A z×ṗ_A − …_B,   ṗ = ṙ − ρ ṅ,   ṅ = ν z×n = −ν t,   ṫ = ν n
//! ```
//!
//! Exchanging the partners turns n and t around and changes the sign of u, so U_N and U_T of a closed contact do not
//! depend on the order in which a model names them. Only the turning rate ν of the normal depends on the shape ([`feature`]):
//! with κ the curvature at the foot, D = g + ρ the distance of the centre and ṙ_B its velocity seen from the touched body,
//!
//! ```text
//!   ν = ω_B + κ t·ṙ_B/(1 − κ D)
//! ```
//!
//! A contact may be held to one smooth piece of its surface, prolonged, by its number ([`Configuration::pieces`]); the
//! numbers are those of [`path`] and [`boundary`].

mod boundary;
mod bounds;
mod feature;
mod list;
mod meet;
mod parabola;
mod parts;
mod path;
mod piece;
mod roots;
mod spline;
mod stop;

pub(crate) use boundary::{Chain, OnChain, Vicinity};
pub(crate) use bounds::Bounds;
pub(crate) use feature::Feature;
pub(crate) use list::PlaneContacts;
pub(crate) use meet::{Meet, Meeting, touchers};
pub(crate) use parabola::Parabola;
pub(crate) use parts::Parts;
pub(crate) use path::Path;
pub(crate) use spline::{Cubic, Folded, Knots, cubics, spans};
pub(crate) use stop::{Coordinate, Stopped};

use super::ContactPoint;
use super::touch::TouchVelocities;
use crate::gear::Flank;
use crate::geometry::Plane;
use crate::geometry::plane::{V2, add, dot, perp, scale, sub, turn};
use crate::joints::{PointOnCurve, Prismatic};
use crate::place::{Marker, Place};
use carom_dynamics::{Configuration, Directions, NEAREST};

/// Any contact element.
#[derive(Clone, Debug)]
pub enum Element {
    /// A gap that may close.
    Touch(Touch),
    /// A gap between two outlines.
    Meet(Meet),
    /// A gap to the boundary of a flexible body.
    OnChain(OnChain),
    /// A joint at an end of its range.
    Stop(Stopped),
    /// Flanks of two toothed wheels.
    Flank(Box<Flank<Plane>>),
    /// Dry friction in a pivot: U = ω_1 − ω_2.
    Turning { first: Place, second: Place },
    /// Dry friction in a guide: U = velocity of the slider along the guide.
    Sliding(Prismatic),
    /// Dry friction on a curve: U = velocity of the point along it.
    Along(PointOnCurve),
}

/// What contacts are written against, by number.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    pub paths: Vec<Path>,
    pub parts: Vec<Parts>,
    pub meetings: Vec<Meeting>,
}

/// In place of the number of a piece: nothing is shown.
pub(crate) const HIDDEN: u32 = NEAREST - 1;

/// What a touching point or disk may touch, in the frame of the touched body.
#[derive(Clone, Debug)]
pub enum Shape {
    /// One feature everywhere.
    One(Feature),
    /// The nearest place of path number `path`.
    Nearest { path: usize },
    /// Part number `part` of path number `path`, shared out as `parts` says.
    Part { path: usize, parts: usize, part: u32 },
}

#[derive(Clone, Debug)]
pub struct Touch {
    pub touching: Marker,
    /// ρ.
    pub radius: f64,
    pub touched: Place,
    pub shape: Shape,
    /// Whether there is a tangential row.
    pub rubs: bool,
}

/// Where a contact acts, for the eye.
pub struct Spot {
    /// Contact point p, of the touching body.
    pub point: V2,
    /// Normal, from the touched body to the touching one.
    pub n: V2,
}

/// One contact at one configuration.
struct Contact<'a> {
    point: ContactPoint<'a>,
    /// Place of the touching point.
    r: V2,
    arm: V2,
    feature: Feature,
}

impl Touch {
    /// Place of the touching point in the frame of the touched body.
    #[inline]
    fn local(&self, at: &Configuration) -> V2 {
        let [x, y, c, s] = self.touched.frame(at);
        turn(c, -s, sub(self.touching.at(at).r, [x, y]))
    }

    /// What the touched body shows to the point p, if anything: on piece number `piece` prolonged, or where it is nearest.
    #[inline]
    fn feature(&self, surfaces: &Surfaces, piece: u32, p: V2) -> Option<Feature> {
        match self.shape {
            Shape::One(feature) => Some(feature),
            Shape::Nearest { path } if piece == NEAREST => {
                let path = &surfaces.paths[path];
                let feature = path.nearest(p);
                (path.closed || feature.distance(p) >= -path.depth(self.radius)).then_some(feature)
            }
            Shape::Part { path, parts, part } if piece == NEAREST => {
                let path = &surfaces.paths[path];
                surfaces.parts[parts].shown(path, part, p, path.depth(self.radius)).map(|sight| sight.feature)
            }
            Shape::Nearest { .. } | Shape::Part { .. } if piece == HIDDEN => None,
            Shape::Nearest { path } | Shape::Part { path, .. } => {
                Some(surfaces.paths[path].numbered(piece, p))
            }
        }
    }

    /// The number of what the touched body shows.
    pub fn number(&self, at: &Configuration, surfaces: &Surfaces) -> u32 {
        match self.shape {
            Shape::One(_) => 0,
            Shape::Nearest { path } => surfaces.paths[path].number(self.local(at)),
            Shape::Part { path, parts, part } => {
                let (path, p) = (&surfaces.paths[path], self.local(at));
                let sight = surfaces.parts[parts].shown(path, part, p, path.depth(self.radius));
                sight.map_or(HIDDEN, |sight| path.joined(sight.number, p))
            }
        }
    }

    /// Whether that number can change.
    pub fn has_pieces(&self, surfaces: &Surfaces) -> bool {
        match self.shape {
            Shape::One(_) => false,
            Shape::Nearest { path } => !surfaces.paths[path].is_circle(),
            Shape::Part { .. } => true,
        }
    }

    /// g_N; +∞ where nothing faces the point.
    #[inline]
    pub fn gap(&self, at: &Configuration, surfaces: &Surfaces, piece: u32) -> f64 {
        let p = self.local(at);
        let Some(feature) = (match self.shape {
            Shape::Nearest { path } if piece == NEAREST => Some(surfaces.paths[path].nearest(p)),
            _ => self.feature(surfaces, piece, p),
        }) else {
            return f64::INFINITY;
        };
        let gap = feature.gap(p, self.radius);
        match self.shape {
            Shape::Nearest { path } if piece == NEAREST && gap < -self.radius => {
                if gap + self.radius < -surfaces.paths[path].depth(self.radius) { f64::INFINITY } else { gap }
            }
            _ => gap,
        }
    }

    #[inline]
    fn contact(&self, at: &Configuration, surfaces: &Surfaces, piece: u32) -> Contact<'_> {
        let p = self.local(at);
        let feature = match (self.feature(surfaces, piece, p), &self.shape) {
            (Some(feature), _) => feature,
            // A scheme may ask for the direction where nothing faces the point any more: the nearest piece prolonged.
            (None, Shape::Part { path, parts, part }) => {
                let path = &surfaces.paths[*path];
                path.prolonged(surfaces.parts[*parts].nearest_piece(path, *part, p))
            }
            (None, Shape::Nearest { path }) => surfaces.paths[*path].nearest(p),
            (None, Shape::One(_)) => unreachable!("one feature everywhere is always shown"),
        };
        let [x, y, c, s] = self.touched.frame(at);
        let placed = self.touching.at(at);
        let n = turn(c, s, feature.normal(p));
        let [x_A, y_A, _, _] = self.touching.place.frame(at);
        let point = sub(placed.r, scale(self.radius, n));
        let point = ContactPoint {
            touching: &self.touching.place,
            touched: &self.touched,
            n,
            p_A: sub(point, [x_A, y_A]),
            p_B: sub(point, [x, y]),
            rubs: self.rubs,
        };
        Contact { point, r: placed.r, arm: placed.arm, feature }
    }

    /// Contact point and normal; none where a piece of a path does not face the point or the normal is undefined.
    fn spot(&self, at: &Configuration, surfaces: &Surfaces, piece: u32) -> Option<Spot> {
        let p = self.local(at);
        let feature = self.feature(surfaces, piece, p)?;
        if matches!(feature, Feature::Round { centre, .. } if centre == p) {
            return None;
        }
        let [_, _, c, s] = self.touched.frame(at);
        let n = turn(c, s, feature.normal(p));
        Some(Spot { point: sub(self.touching.at(at).r, scale(self.radius, n)), n })
    }

    #[inline]
    pub fn directions(&self, at: &Configuration, surfaces: &Surfaces, piece: u32, W: &mut Directions) {
        self.contact(at, surfaces, piece).point.directions(at, W);
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, surfaces: &Surfaces, piece: u32, bias: &mut [f64]) {
        let contact = self.contact(at, surfaces, piece);
        let motion = contact.point.motion(at);
        let r_dot = add(motion.v_A, scale(motion.omega_A, perp(contact.arm)));
        let t = scale(-1.0, perp(contact.point.n));
        let nu = self.turning_rate(at, &contact, &motion, r_dot, t);
        // ṅ = −ν t
        let p_dot = add(r_dot, scale(self.radius * nu, t));
        contact.point.bias(at, &motion, nu, p_dot, bias);
    }

    /// ν, from the velocity of the touching point.
    #[inline]
    fn turning_rate(
        &self,
        at: &Configuration,
        contact: &Contact,
        motion: &TouchVelocities,
        r_dot: V2,
        t: V2,
    ) -> f64 {
        let TouchVelocities { v_B, omega_B, .. } = *motion;
        match contact.feature {
            Feature::Flat { .. } => omega_B,
            Feature::Round { centre, outward, .. } => {
                // n = ±d/|d| with d from the centre of the circle:  ν = ∓ t·ḋ/|d|.
                let [x, y, c, s] = self.touched.frame(at);
                let arm = turn(c, s, centre);
                let d = sub(contact.r, add([x, y], arm));
                let d_dot = sub(r_dot, add(v_B, scale(omega_B, perp(arm))));
                let distance = dot(d, contact.point.n).abs();
                let rate = if distance > 0.0 { dot(t, d_dot) / distance } else { 0.0 };
                if outward { -rate } else { rate }
            }
            Feature::Parabola(_) | Feature::Cubic(_) => {
                let [x, y, c, s] = self.touched.frame(at);
                let arm = sub(contact.r, [x, y]);
                let p = turn(c, -s, arm);
                let r_dot_B = sub(r_dot, add(v_B, scale(omega_B, perp(arm))));
                let kappa = contact.feature.curvature(p);
                // in the centre of curvature the normal is undefined
                let room = 1.0 - kappa * contact.feature.distance(p);
                omega_B + if room == 0.0 { 0.0 } else { kappa * dot(t, r_dot_B) / room }
            }
        }
    }
}

impl Element {
    pub fn rows(&self) -> usize {
        match self {
            Element::Touch(touch) => 1 + touch.rubs as usize,
            Element::Meet(meet) => 1 + meet.rubs as usize,
            Element::OnChain(on) => 1 + on.rubs as usize,
            Element::Flank(flank) => flank.rows(),
            _ => 1,
        }
    }

    /// The number of the smooth piece of the surface that the contact is at.
    pub fn number(&self, at: &Configuration, surfaces: &Surfaces) -> u32 {
        match self {
            Element::Touch(touch) => touch.number(at, surfaces),
            Element::Meet(meet) => meet.number(at, surfaces),
            Element::OnChain(on) => on.number(at),
            Element::Stop(_)
            | Element::Turning { .. }
            | Element::Sliding(_)
            | Element::Along(_)
            | Element::Flank(_) => 0,
        }
    }

    /// Whether that number can change.
    pub fn has_pieces(&self, surfaces: &Surfaces) -> bool {
        match self {
            Element::Touch(touch) => touch.has_pieces(surfaces),
            Element::Meet(_) | Element::OnChain(_) => true,
            Element::Stop(_)
            | Element::Turning { .. }
            | Element::Sliding(_)
            | Element::Along(_)
            | Element::Flank(_) => false,
        }
    }

    /// Where it acts; none where nothing faces the touching body, where a flexible boundary is further away than
    /// `reach`, for stops and for joints that rub.
    pub fn spot<'a>(
        &'a self,
        at: &Configuration,
        surfaces: &Surfaces,
        piece: u32,
        reach: f64,
        near: &mut Vicinity<'a>,
    ) -> Option<Spot> {
        match self {
            Element::Touch(touch) => touch.spot(at, surfaces, piece),
            Element::Meet(meet) => meet.spot(at, surfaces, piece),
            Element::OnChain(on) => on.spot(at, piece, reach, near),
            Element::Stop(_)
            | Element::Turning { .. }
            | Element::Sliding(_)
            | Element::Along(_)
            | Element::Flank(_) => None,
        }
    }

    #[inline]
    pub fn gap(&self, at: &Configuration, surfaces: &Surfaces, piece: u32) -> f64 {
        match self {
            Element::Touch(touch) => touch.gap(at, surfaces, piece),
            Element::Meet(meet) => meet.gap(at, surfaces, piece),
            Element::OnChain(on) => on.gap(at, piece),
            Element::Stop(stopped) => stopped.gap(at),
            Element::Flank(flank) => flank.gap(at),
            _ => f64::NEG_INFINITY,
        }
    }

    #[inline]
    pub fn directions(&self, at: &Configuration, surfaces: &Surfaces, piece: u32, W: &mut Directions) {
        match self {
            Element::Touch(touch) => touch.directions(at, surfaces, piece, W),
            Element::Meet(meet) => meet.directions(at, surfaces, piece, W),
            Element::OnChain(on) => on.directions(at, piece, W),
            Element::Stop(stopped) => stopped.directions(at, W),
            Element::Flank(flank) => flank.directions(at, W),
            Element::Turning { first, second } => {
                W.begin_row(0.0);
                for (place, sign) in [(first, 1.0), (second, -1.0)] {
                    place.turning_row(at, sign, |column, value| W.push(column, value));
                }
            }
            Element::Sliding(guide) => {
                W.begin_row(0.0);
                guide.row(at, guide.inertial_axis(at), |column, value| W.push(column, value));
            }
            Element::Along(joint) => {
                W.begin_row(0.0);
                joint.sliding(at, |column, value| W.push(column, value));
            }
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, surfaces: &Surfaces, piece: u32, bias: &mut [f64]) {
        match self {
            Element::Touch(touch) => touch.bias(at, surfaces, piece, bias),
            Element::Meet(meet) => meet.bias(at, surfaces, piece, bias),
            Element::OnChain(on) => on.bias(at, piece, bias),
            Element::Stop(stopped) => bias[0] = stopped.bias(at),
            Element::Flank(flank) => flank.bias(at, bias),
            Element::Turning { .. } => bias[0] = 0.0,
            Element::Sliding(guide) => bias[0] = guide.row_bias(at, guide.inertial_axis(at)),
            Element::Along(joint) => bias[0] = joint.biases(at)[1],
        }
    }
}
