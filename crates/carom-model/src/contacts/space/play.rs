//! What touches where a joint has play.
//!
//! ```text
//!   ball in its socket       g = c − |d|                                      one contact
//!   pin in its bearing       g = c − |d − (d·e) e| at either end of the pin    two circles, e the axis of the bearing
//!   thrust faces             the rims of the pin on planes a beyond its ends   [`Rim`], two
//!   box in its guide         g = c + h ∓ e_k·d at each corner, k = x, y         eight corners, each on two walls
//! ```
//!
//! The second body touches: pin, ball and box are its. Walls and bearing have no ends along the axis.

use super::pairs::{FLOOR, STRAIGHT, corners, ends_of};
use super::{Element, Facing, Feature, Mount, Rim, Shape, Touch};
use crate::geometry::Vector;
use crate::geometry::space::V3;
use carom_dynamics::rotation::exp;
use std::f64::consts::FRAC_PI_2;

/// A contact of the second partner on the first.
fn touched(element: Element) -> Facing {
    Facing { element, sign: -1.0 }
}

/// A sphere of the second partner, in the axes of its mount, on a shape of the first.
fn sphere(on: &Mount, centre: V3, radius: f64, of: Mount, shape: Shape, rubs: bool) -> Facing {
    touched(Element::Touch(Touch {
        touching: on.marker(centre),
        radius,
        touched: of,
        shape,
        corner: None,
        rubs,
    }))
}

/// A ball with its middle in the origin of `ball`.
pub fn ball_in_socket(socket: &Mount, ball: &Mount, radius: f64, clearance: f64, rubs: bool) -> Facing {
    let hollow = Feature::Point { centre: V3::ZERO, radius: radius + clearance, outward: false };
    sphere(ball, V3::ZERO, radius, socket.clone(), Shape::One(hollow), rubs)
}

/// The ends of a pin along z, `half` from its middle: the lower one first.
pub fn pin_in_bearing(
    bearing: &Mount,
    pin: &Mount,
    [radius, half]: [f64; 2],
    clearance: f64,
    rubs: bool,
) -> [Facing; 2] {
    let side = Shape::Liner { radius: radius + clearance, half: f64::INFINITY, reach: f64::INFINITY };
    [-half, half].map(|z| sphere(pin, [0.0, 0.0, z], radius, bearing.clone(), side, rubs))
}

/// The rims of a pin on thrust faces, `play` beyond its ends: the lower one first. A pin without radius touches with a point.
pub fn thrust_faces(
    bearing: &Mount,
    pin: &Mount,
    [radius, half]: [f64; 2],
    play: f64,
    rubs: bool,
) -> [Vec<Facing>; 2] {
    let [upper, lower] = ends_of(bearing, half + play);
    [(lower, -half), (upper, half)].map(|(face, z)| {
        if radius > 0.0 {
            let rim = pin.moved([0.0, 0.0, z], STRAIGHT);
            Rim::all(&rim, radius, 0.0, &face, rubs).map(|rim| touched(Element::Rim(rim))).collect()
        } else {
            vec![sphere(pin, [0.0, 0.0, z], 0.0, face, FLOOR, rubs)]
        }
    })
}

/// The corners of a box, each with its contacts on the two walls of the guide it can come to.
pub fn box_in_guide(
    guide: &Mount,
    slider: &Mount,
    half: V3,
    clearance: f64,
    rubs: bool,
) -> Vec<(V3, [Facing; 2])> {
    // z of the wall looks against the side of the corner
    let wall = |k: usize, side: f64| {
        let mut at = V3::ZERO;
        at[k] = side * (half[k] + clearance);
        let turned = if k == 0 { [0.0, -side * FRAC_PI_2, 0.0] } else { [side * FRAC_PI_2, 0.0, 0.0] };
        guide.moved(at, exp(turned))
    };
    let on =
        |corner: V3, k: usize| sphere(slider, corner, 0.0, wall(k, 1.0f64.copysign(corner[k])), FLOOR, rubs);
    corners(half).into_iter().map(|corner| (corner, [on(corner, 0), on(corner, 1)])).collect()
}
