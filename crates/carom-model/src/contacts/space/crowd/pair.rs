//! The places where two shapes of a crowd may touch, one by one: those of [`elements`](super::super::elements), in its order, made
//! when they are asked for.

use super::super::pairs::{STRAIGHT, corner};
use super::super::{Cross, Element, Rim, Shape, Solid, Straight, Touch};
use super::member::Member;
use crate::geometry::space::V3;
use crate::geometry::{Vector, scale};

/// Corners of a box, and its edges.
pub const CORNERS: u32 = 8;
pub const EDGES: u32 = 12;

/// How many places the pair has; none where no closed form is here.
pub fn count(first: &Member, second: &Member) -> Option<u32> {
    one_way(first, second).or_else(|| one_way(second, first))
}

fn one_way(first: &Member, second: &Member) -> Option<u32> {
    match (first.solid(), second.solid()) {
        (Solid::Point | Solid::Sphere { .. }, _) => second.surface().map(|_| 1),
        (Solid::Capsule { .. }, Solid::HalfSpace | Solid::Socket { .. }) => Some(2),
        (Solid::Box { .. }, Solid::HalfSpace | Solid::Socket { .. }) => Some(CORNERS),
        (Solid::Capsule { .. }, Solid::Capsule { .. }) => Some(5),
        (Solid::Capsule { .. }, Solid::Box { .. }) => Some(2 + CORNERS + EDGES),
        (Solid::Box { .. }, Solid::Box { .. }) => Some(2 * CORNERS + EDGES * EDGES),
        (Solid::Cylinder { half, .. }, Solid::HalfSpace) if half < f64::INFINITY => Some(10),
        (Solid::Ring { .. }, Solid::HalfSpace) => Some(5),
        _ => None,
    }
}

/// One of them.
pub fn element(first: &Member, second: &Member, number: u32, rubs: bool) -> Element {
    if one_way(first, second).is_some() {
        in_order(first, second, number, rubs)
    } else {
        in_order(second, first, number, rubs)
    }
}

fn in_order(first: &Member, second: &Member, number: u32, rubs: bool) -> Element {
    let (a, b) = (first.mount(), second.mount());
    let on = |centre: V3, radius: f64| {
        let shape = second.surface().expect("a pair that is counted has a surface");
        let (touching, touched) = (a.marker(centre), b.clone());
        Element::Touch(Touch { touching, radius, touched, shape, corner: None, rubs })
    };
    // a point or sphere of the second on the side of the first
    let exchanged = |centre: V3, on_second: f64, radius: f64, half: f64| {
        let shape = Shape::Capsule { radius, half, ends: false };
        let (touching, touched) = (b.marker(centre), a.clone());
        Element::Touch(Touch { touching, radius: on_second, touched, shape, corner: None, rubs })
    };
    let round = |member: &Member, half: f64, radius: f64| Straight {
        mount: member.mount().clone(),
        half,
        radius,
        edge: None,
    };
    let end = |half: f64, number: u32| [0.0, 0.0, if number == 0 { half } else { -half }];
    match (first.solid(), second.solid()) {
        (Solid::Point, _) => on(V3::ZERO, 0.0),
        (Solid::Sphere { radius }, _) => on(V3::ZERO, radius),
        (Solid::Capsule { radius, half }, _) if number < 2 => on(end(half, number), radius),
        (Solid::Capsule { radius, half }, Solid::Capsule { radius: R, half: H }) => match number {
            2 | 3 => exchanged(end(H, number - 2), R, radius, half),
            _ => {
                let (touching, touched) = (round(first, half, radius), round(second, H, R));
                Element::Cross(Cross { touching, touched, rubs })
            }
        },
        (Solid::Capsule { radius, half }, Solid::Box { half: sizes }) => match number - 2 {
            k if k < CORNERS => exchanged(corner(sizes, k), 0.0, radius, half),
            k => {
                let touched = second.edges[(k - CORNERS) as usize].clone();
                Element::Cross(Cross { touching: round(first, half, radius), touched, rubs })
            }
        },
        (Solid::Box { half }, Solid::Box { half: sizes }) => match number {
            k if k < CORNERS => corner_on(first, corner(half, k), second, sizes, rubs),
            k if k < 2 * CORNERS => corner_on(second, corner(sizes, k - CORNERS), first, half, rubs),
            k => {
                let k = k - 2 * CORNERS;
                let touching = first.edges[(k / EDGES) as usize].clone();
                let touched = second.edges[(k % EDGES) as usize].clone();
                Element::Cross(Cross { touching, touched, rubs })
            }
        },
        (Solid::Box { half }, _) => on(corner(half, number), 0.0),
        (Solid::Cylinder { radius, half }, _) => {
            let side = if number < 5 { half } else { -half };
            let end = a.moved([0.0, 0.0, side], STRAIGHT);
            rim(&end, radius, 0.0, second, number % 5, rubs)
        }
        (Solid::Ring { circle, radius }, _) => rim(a, circle, radius, second, number, rubs),
        _ => unreachable!("only pairs that are counted are asked for"),
    }
}

fn rim(
    end: &super::super::Mount,
    circle: f64,
    radius: f64,
    second: &Member,
    number: u32,
    rubs: bool,
) -> Element {
    let mut all = Rim::all(end, circle, radius, second.mount(), rubs);
    Element::Rim(all.nth(number as usize).expect("a rim has five places"))
}

/// A corner of one box on another.
fn corner_on(own: &Member, at: V3, other: &Member, half: V3, rubs: bool) -> Element {
    let normals = [0, 1, 2].map(|k| own.mount().direction(scale(1.0f64.copysign(at[k]), V3::axis(k))));
    let (touching, touched) = (own.mount().marker(at), other.mount().clone());
    let shape = Shape::Box { half };
    Element::Touch(Touch { touching, radius: 0.0, touched, shape, corner: Some(normals), rubs })
}
