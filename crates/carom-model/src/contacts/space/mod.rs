//! Contact geometry in space, and the rows of joints that rub.
//!
//! Whatever touches comes down to four pairs, each in closed form:
//!
//! ```text
//!   a point or sphere on a plane, point, line or circle with a radius      [`point`], [`feature`], [`shape`]
//!   two lines that pass each other                                         [`cross`]
//!   a circle on a plane                                                    [`rim`]
//!   g_N, n, p                                                              from the touched body to the touching one
//!   ν, ṗ                                                                   how n turns and p moves; the rest is [`ContactPoint`]'s
//! ```
//!
//! [`pairs`] says which of these two bodies need: every element is a true condition, and together they are enough. What does not
//! face has gap +∞. Where many bodies may touch, [`crowd`] lists the pairs that are near. Friction of joints ([`rubbing`]) and their stops ([`stop`]) are rows of the same kind; [`play`] is
//! what touches in a joint with clearance.

mod cross;
mod crowd;
mod feature;
mod list;
mod mount;
mod overlap;
mod pairs;
mod play;
mod point;
mod resisting;
mod rim;
mod rubbing;
mod shape;
mod stop;
#[cfg(test)]
mod tests;

pub(crate) use cross::{Cross, Straight};
pub(crate) use crowd::{Crowd, CrowdLaw, MOST_MEMBERS, Member, NO_LAW, places_of};
pub(crate) use feature::Feature;
pub(crate) use list::SpaceContacts;
pub(crate) use mount::Mount;
pub(crate) use pairs::{Facing, Placement, Refused, Solid, elements};
pub(crate) use play::{ball_in_socket, box_in_guide, pin_in_bearing, thrust_faces};
pub(crate) use point::Touch;
pub(crate) use rim::Rim;
pub(crate) use rubbing::{Sliding, Turning};
pub(crate) use shape::Shape;
pub(crate) use stop::{Stopped, WIDEST};

use super::ContactPoint;
use crate::gear::Flank;
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, sub};
use crate::place::Place;
use carom_dynamics::{Configuration, Directions, NEAREST, Resistance};

/// In place of the number of a piece: nothing faces.
pub(crate) const HIDDEN: u32 = NEAREST - 1;

/// How far a normal may point past what a corner or an edge faces (sine of the angle) and still be seen. It is wide so that what
/// rocks on two corners or edges keeps both in sight; it enters no result, as each is a true condition.
pub(crate) const LEAN: f64 = 0.1;

/// Any contact element.
#[derive(Clone, Debug)]
pub enum Element {
    /// A gap between a point or sphere and a shape.
    Touch(Touch),
    /// A gap between two lines.
    Cross(Cross),
    /// A gap between a circle and a plane.
    Rim(Rim),
    /// Dry friction about an axis.
    Turning(Turning),
    /// Dry friction along an axis.
    Sliding(Sliding),
    /// A joint at an end of its range.
    Stop(Stopped),
    /// Flanks of two toothed wheels.
    Flank(Box<Flank<Space>>),
}

/// One contact at one configuration.
pub struct Found<'a> {
    pub point: ContactPoint<'a, Space>,
    /// Contact point.
    p: V3,
    /// Whether the bodies face each other here.
    seen: bool,
}

impl<'a> Found<'a> {
    #[inline]
    fn new(
        at: &Configuration,
        touching: &'a Place<Space>,
        touched: &'a Place<Space>,
        n: V3,
        p: V3,
        rubs: bool,
        seen: bool,
    ) -> Self {
        let from = |place: &Place<Space>| sub(p, Space::origin(&place.frame(at)));
        let point = ContactPoint { touching, touched, n, p_A: from(touching), p_B: from(touched), rubs };
        Self { point, p, seen }
    }
}

impl Element {
    /// Rows along normal and tangents.
    pub fn rows(&self) -> usize {
        let rubs = match self {
            Element::Touch(touch) => touch.rubs,
            Element::Cross(cross) => cross.rubs,
            Element::Rim(rim) => rim.rubs,
            Element::Flank(flank) => return flank.rows(),
            Element::Turning(_) | Element::Sliding(_) | Element::Stop(_) => false,
        };
        if rubs { 3 } else { 1 }
    }

    /// The number of the smooth piece of the surface that the contact is at.
    pub fn number(&self, at: &Configuration) -> u32 {
        match self {
            Element::Touch(touch) => touch.number(at),
            Element::Cross(cross) => cross.number(at),
            Element::Rim(rim) => rim.number(at),
            Element::Turning(_) | Element::Sliding(_) | Element::Stop(_) | Element::Flank(_) => 0,
        }
    }

    /// Whether that number can change.
    pub fn has_pieces(&self) -> bool {
        match self {
            Element::Touch(touch) => touch.shape.has_pieces(),
            Element::Cross(_) | Element::Rim(_) => true,
            Element::Turning(_) | Element::Sliding(_) | Element::Stop(_) | Element::Flank(_) => false,
        }
    }

    #[inline]
    pub fn gap(&self, at: &Configuration, piece: u32) -> f64 {
        match self {
            Element::Touch(touch) => touch.gap(at, piece),
            Element::Cross(cross) => cross.gap(at, piece),
            Element::Rim(rim) => rim.gap(at, piece),
            Element::Stop(stopped) => stopped.gap(at),
            Element::Flank(flank) => flank.gap(at),
            Element::Turning(_) | Element::Sliding(_) => f64::NEG_INFINITY,
        }
    }

    /// Where it acts; none for what has no place.
    #[inline]
    fn found(&self, at: &Configuration, piece: u32) -> Option<Found<'_>> {
        match self {
            Element::Touch(touch) => Some(touch.found(at, piece)),
            Element::Cross(cross) => Some(cross.found(at, piece)),
            Element::Rim(rim) => Some(rim.found(at, piece)),
            Element::Sliding(sliding) => Some(sliding.found(at)),
            Element::Turning(_) | Element::Stop(_) | Element::Flank(_) => None,
        }
    }

    /// Contact point and normal; none where nothing faces, and for joints.
    pub fn spot(&self, at: &Configuration, piece: u32) -> Option<[V3; 2]> {
        match self {
            Element::Sliding(_) => None,
            _ => self.found(at, piece).filter(|found| found.seen).map(|found| [found.p, found.point.n]),
        }
    }

    /// The tangents of the rows T1 and T2; zero for what has no such rows.
    pub fn tangents(&self, at: &Configuration, piece: u32) -> [V3; 2] {
        self.found(at, piece).map_or([[0.0; 3]; 2], |found| Space::tangents(found.point.n))
    }

    #[inline]
    pub fn directions(&self, at: &Configuration, piece: u32, resists: Resistance, W: &mut Directions) {
        match self {
            Element::Turning(turning) => turning.directions(at, W),
            Element::Stop(stopped) => stopped.directions(at, W),
            Element::Flank(flank) => flank.directions(at, W),
            _ => {
                if let Some(found) = self.found(at, piece) {
                    found.point.directions(at, W);
                    resisting::directions(&found.point, resists, at, W);
                }
            }
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, piece: u32, resists: Resistance, bias: &mut [f64]) {
        if let Element::Flank(flank) = self {
            return flank.bias(at, bias);
        }
        let Some(Found { point, .. }) = self.found(at, piece) else {
            bias[0] = match self {
                Element::Turning(turning) => turning.bias(at),
                Element::Stop(stopped) => stopped.bias(at),
                _ => unreachable!("what has no place turns"),
            };
            return;
        };
        let motion = point.motion(at);
        let [nu, p_dot] = match self {
            Element::Touch(touch) => touch.rates(at, piece, &point, &motion),
            Element::Cross(cross) => cross.rates(at, &point, &motion),
            Element::Rim(rim) => rim.rates(at, &point, &motion),
            Element::Sliding(sliding) => sliding.rates(at, &point, &motion),
            Element::Turning(_) | Element::Stop(_) | Element::Flank(_) => {
                unreachable!("what turns has no place")
            }
        };
        let (touch, turning) = bias.split_at_mut(self.rows());
        point.bias(at, &motion, nu, p_dot, touch);
        resisting::bias(&point, resists, at, &motion, nu, turning);
    }
}
