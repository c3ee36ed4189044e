//! Which contacts two bodies need.
//!
//! ```text
//!                 half space   sphere   capsule   box   cylinder   ring   socket   bore
//!   point              1          1        1       1        1       1       1       1 (3)
//!   sphere             1          1        1       1        1       1       1       1 (3)
//!   capsule            2          1        5      22                        2       2 (6)
//!   box                8          1       22     160                        8       8 (24)
//!   cylinder          10          1                                                 4 (22)
//!   ring               5          1
//! ```
//!
//! Numbers of contacts; of a closed bore in brackets. Two capsules: the ends of each on the other, and the sides where they cross.
//! A capsule and a box: its ends on the box, the corners of the box on its side, its side across the edges. Two boxes: the corners
//! of each on the other, and all edges across each other.
//! A cylinder in a bore is a shaft in its bearing: the ends of each that are within the other. What is left out is refused.

use super::rim::Rim;
use super::{Cross, Element, Feature, Mount, Shape, Straight, Touch};
use crate::geometry::space::V3;
use crate::geometry::{Vector, scale};
use carom_dynamics::rotation::{Quaternion, exp, product};
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt;

/// The shape of a body, in axes of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    Point,
    Sphere {
        radius: f64,
    },
    /// Along z, `half` from the middle to the centre of an end.
    Capsule {
        radius: f64,
        half: f64,
    },
    Box {
        half: V3,
    },
    /// Along z; may be infinite.
    Cylinder {
        radius: f64,
        half: f64,
    },
    /// A circle around z with a round cross-section.
    Ring {
        circle: f64,
        radius: f64,
    },
    /// All below z = 0.
    HalfSpace,
    /// All around a hollow sphere.
    Socket {
        radius: f64,
    },
    /// All around a hollow cylinder along z, which may be infinite; its ends are open or closed.
    Bore {
        radius: f64,
        half: f64,
        closed: bool,
    },
}

/// A shape on a body.
#[derive(Clone, Debug)]
pub struct Placement {
    pub solid: Solid,
    pub mount: Mount,
}

/// A contact of a pair.
#[derive(Clone, Debug)]
pub struct Facing {
    pub element: Element,
    /// + where the partner named first touches, − where it is touched.
    pub sign: f64,
}

/// Why a pair has no contacts.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// No closed form of this pair is here.
    Pair { first: &'static str, second: &'static str, instead: &'static str },
    /// A size that no body has.
    Size { of: &'static str, what: &'static str, value: f64 },
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::Pair { first, second, instead } => {
                write!(f, "there is no contact between a {first} and a {second}; {instead}")
            }
            Refused::Size { of, what, value } => {
                write!(f, "the {what} of a {of} is {value}; it must be positive")
            }
        }
    }
}

impl std::error::Error for Refused {}

impl Solid {
    pub fn name(&self) -> &'static str {
        match self {
            Solid::Point => "point",
            Solid::Sphere { .. } => "sphere",
            Solid::Capsule { .. } => "capsule",
            Solid::Box { .. } => "box",
            Solid::Cylinder { .. } => "cylinder",
            Solid::Ring { .. } => "ring",
            Solid::HalfSpace => "half space",
            Solid::Socket { .. } => "socket",
            Solid::Bore { .. } => "bore",
        }
    }

    fn check(&self) -> Result<(), Refused> {
        let sizes: &[(&str, f64)] = match *self {
            Solid::Point | Solid::HalfSpace => &[],
            Solid::Sphere { radius } | Solid::Socket { radius } => &[("radius", radius)],
            Solid::Capsule { radius, half }
            | Solid::Cylinder { radius, half }
            | Solid::Bore { radius, half, .. } => &[("radius", radius), ("half length", half)],
            Solid::Box { half: [x, y, z] } => {
                &[("half size along x", x), ("half size along y", y), ("half size along z", z)]
            }
            Solid::Ring { circle, radius } => {
                &[("radius of the circle", circle), ("radius of the cross-section", radius)]
            }
        };
        let wrong = sizes.iter().find(|(_, value)| value.is_nan() || *value <= 0.0);
        wrong.map_or(Ok(()), |&(what, value)| Err(Refused::Size { of: self.name(), what, value }))
    }

    /// What a point or sphere touches: one or several shapes at a time.
    fn surface(&self, mount: &Mount) -> Option<Vec<(Mount, Shape)>> {
        let of = |shape: Shape| Some(vec![(mount.clone(), shape)]);
        match *self {
            Solid::Point => None,
            Solid::Sphere { radius } => {
                of(Shape::One(Feature::Point { centre: V3::ZERO, radius, outward: true }))
            }
            Solid::Socket { radius } => {
                of(Shape::One(Feature::Point { centre: V3::ZERO, radius, outward: false }))
            }
            Solid::Capsule { radius, half } => of(Shape::Capsule { radius, half, ends: true }),
            Solid::Box { half } => of(Shape::Box { half }),
            Solid::Cylinder { radius, half } => of(Shape::Cylinder { radius, half }),
            Solid::Ring { circle, radius } => {
                of(Shape::One(Feature::Circle { centre: V3::ZERO, circle, radius }))
            }
            Solid::HalfSpace => of(FLOOR),
            Solid::Bore { radius, half, closed: false } => of(Shape::Bore { radius, half }),
            Solid::Bore { radius, half, closed: true } => {
                let ends = ends_of(mount, half).map(|end| (end, FLOOR));
                Some(
                    std::iter::once((mount.clone(), Shape::Bore { radius, half: f64::INFINITY }))
                        .chain(ends)
                        .collect(),
                )
            }
        }
    }

    /// Spheres whose hull it is, as their centres and radius.
    fn hull(&self) -> Option<(Vec<V3>, f64)> {
        match *self {
            Solid::Point => Some((vec![V3::ZERO], 0.0)),
            Solid::Sphere { radius } => Some((vec![V3::ZERO], radius)),
            Solid::Capsule { radius, half } => Some((vec![[0.0, 0.0, half], [0.0, 0.0, -half]], radius)),
            Solid::Box { half } => Some((corners(half), 0.0)),
            _ => None,
        }
    }

    /// Whether all that is between points that are free is free, too.
    fn is_hollow(&self) -> bool {
        match *self {
            Solid::HalfSpace | Solid::Socket { .. } => true,
            Solid::Bore { half, closed, .. } => closed || half == f64::INFINITY,
            _ => false,
        }
    }
}

/// Looks to z.
pub(super) const FLOOR: Shape = Shape::One(Feature::Plane { through: [0.0; 3], axis: 2, sign: 1.0 });

/// Not turned.
pub(super) const STRAIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// The ends of a closed bore, each looking in.
pub(super) fn ends_of(mount: &Mount, half: f64) -> [Mount; 2] {
    [mount.moved([0.0, 0.0, half], exp([PI, 0.0, 0.0])), mount.moved([0.0, 0.0, -half], STRAIGHT)]
}

/// One of the eight corners of a box.
pub(super) fn corner(half: V3, number: u32) -> V3 {
    [0, 1, 2].map(|k| if number >> k & 1 == 0 { half[k] } else { -half[k] })
}

/// All of them.
pub(super) fn corners(half: V3) -> Vec<V3> {
    (0..8).map(|number| corner(half, number)).collect()
}

/// The twelve edges of a box.
pub(super) fn edges(mount: &Mount, half: V3) -> Vec<Straight> {
    let mut edges = Vec::with_capacity(12);
    // x, y, z of the edge are axes k+1, k+2, k of the box
    for k in 0..3 {
        let (x, y) = ((k + 1) % 3, (k + 2) % 3);
        for quarter in 0..4 {
            // a third of a turn about (1, 1, 1) brings z to x, x to y, y to z; then a turn about the edge
            let cyclic = exp([(k as f64 + 1.0) * 2.0 * PI / 3.0 / 3.0f64.sqrt(); 3]);
            let turned = exp([0.0, 0.0, quarter as f64 * FRAC_PI_2]);
            let (s_x, s_y) = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)][quarter];
            let mut middle = V3::ZERO;
            middle[x] = s_x * half[x];
            middle[y] = s_y * half[y];
            let widths = if quarter % 2 == 0 {
                [2.0 * half[x], 2.0 * half[y]]
            } else {
                [2.0 * half[y], 2.0 * half[x]]
            };
            let edge = mount.moved(middle, product(cyclic, turned));
            edges.push(Straight { mount: edge, half: half[k], radius: 0.0, edge: Some(widths) });
        }
    }
    edges
}

/// Contacts where `first` touches `second`, if that is how they meet.
fn touching(first: &Placement, second: &Placement, rubs: bool) -> Option<Vec<Facing>> {
    let (a, b) = (&first.mount, &second.mount);
    let touch = |on: &Mount, centre: V3, radius: f64, touched: &Mount, shape: Shape| {
        let (touching, touched) = (on.marker(centre), touched.clone());
        Element::Touch(Touch { touching, radius, touched, shape, corner: None, rubs })
    };
    let same = |element: Element| Facing { element, sign: 1.0 };
    let exchanged = |element: Element| Facing { element, sign: -1.0 };
    let on_surface = |centres: Vec<V3>, radius: f64| {
        let surface = second.solid.surface(b)?;
        let each = surface
            .iter()
            .flat_map(|(mount, shape)| centres.iter().map(move |&centre| (mount, *shape, centre)));
        Some(
            each.map(|(mount, shape, centre)| same(touch(a, centre, radius, mount, shape)))
                .collect::<Vec<_>>(),
        )
    };
    let rims = |touched: &Mount, circle: f64, radius: f64, ends: &[Mount]| -> Vec<Facing> {
        ends.iter()
            .flat_map(|end| Rim::all(end, circle, radius, touched, rubs))
            .map(|rim| same(Element::Rim(rim)))
            .collect()
    };
    let across =
        |touching: Straight, touched: Straight| same(Element::Cross(Cross { touching, touched, rubs }));
    let round =
        |mount: &Mount, half: f64, radius: f64| Straight { mount: mount.clone(), half, radius, edge: None };
    match (first.solid, second.solid) {
        (Solid::Point | Solid::Sphere { .. }, _) => {
            let (centres, radius) = first.solid.hull()?;
            on_surface(centres, radius)
        }
        (_, touched) if touched.is_hollow() && first.solid.hull().is_some() => {
            let (centres, radius) = first.solid.hull()?;
            on_surface(centres, radius)
        }
        (Solid::Capsule { radius, half }, Solid::Capsule { radius: R, half: H }) => {
            let mut all = on_surface(vec![[0.0, 0.0, half], [0.0, 0.0, -half]], radius)?;
            let side = Shape::Capsule { radius, half, ends: false };
            all.extend([H, -H].map(|z| exchanged(touch(b, [0.0, 0.0, z], R, a, side))));
            all.push(across(round(a, half, radius), round(b, H, R)));
            Some(all)
        }
        (Solid::Capsule { radius, half }, Solid::Box { half: sizes }) => {
            let mut all = on_surface(vec![[0.0, 0.0, half], [0.0, 0.0, -half]], radius)?;
            let side = Shape::Capsule { radius, half, ends: false };
            all.extend(corners(sizes).into_iter().map(|corner| exchanged(touch(b, corner, 0.0, a, side))));
            all.extend(edges(b, sizes).into_iter().map(|edge| across(round(a, half, radius), edge)));
            Some(all)
        }
        (Solid::Box { half }, Solid::Box { half: sizes }) => {
            let corner = |mount: &Mount, corner: V3, touched: &Mount, half: V3| {
                let normals =
                    [0, 1, 2].map(|k| mount.direction(scale(1.0f64.copysign(corner[k]), V3::axis(k))));
                let (touching, touched) = (mount.marker(corner), touched.clone());
                let shape = Shape::Box { half };
                Element::Touch(Touch { touching, radius: 0.0, touched, shape, corner: Some(normals), rubs })
            };
            let mut all: Vec<_> = corners(half).into_iter().map(|at| same(corner(a, at, b, sizes))).collect();
            all.extend(corners(sizes).into_iter().map(|at| exchanged(corner(b, at, a, half))));
            for edge in edges(a, half) {
                all.extend(edges(b, sizes).into_iter().map(|other| across(edge.clone(), other)));
            }
            Some(all)
        }
        (Solid::Cylinder { radius, half }, Solid::HalfSpace) if half < f64::INFINITY => Some(rims(
            b,
            radius,
            0.0,
            &[0.0, 1.0].map(|low| a.moved([0.0, 0.0, half * (1.0 - 2.0 * low)], STRAIGHT)),
        )),
        (Solid::Ring { circle, radius }, Solid::HalfSpace) => {
            Some(rims(b, circle, radius, std::slice::from_ref(a)))
        }
        (Solid::Cylinder { radius, half }, Solid::Bore { radius: R, half: H, closed }) if radius < R => {
            let (mut all, reach) = (Vec::new(), R + radius);
            if half < f64::INFINITY {
                let liner = Shape::Liner { radius: R, half: H, reach };
                all.extend([half, -half].map(|z| same(touch(a, [0.0, 0.0, z], radius, b, liner))));
            }
            if H < f64::INFINITY {
                let around = Shape::Liner { radius: -radius, half, reach };
                all.extend([H, -H].map(|z| exchanged(touch(b, [0.0, 0.0, z], -R, a, around))));
            }
            if closed && half < f64::INFINITY && H < f64::INFINITY {
                let ends = [half, -half].map(|z| a.moved([0.0, 0.0, z], STRAIGHT));
                ends_of(b, H).iter().for_each(|end| all.extend(rims(end, radius, 0.0, &ends)));
            }
            (!all.is_empty()).then_some(all)
        }
        _ => None,
    }
}

/// The contacts of two bodies.
pub fn elements(first: &Placement, second: &Placement, rubs: bool) -> Result<Vec<Facing>, Refused> {
    first.solid.check()?;
    second.solid.check()?;
    if let Some(all) = touching(first, second, rubs) {
        return Ok(all);
    }
    if let Some(mut all) = touching(second, first, rubs) {
        all.iter_mut().for_each(|facing| facing.sign = -facing.sign);
        return Ok(all);
    }
    let instead = match (first.solid, second.solid) {
        (Solid::Point, Solid::Point) => "give one of them a radius",
        (
            Solid::HalfSpace | Solid::Socket { .. } | Solid::Bore { .. },
            Solid::HalfSpace | Solid::Socket { .. } | Solid::Bore { .. },
        ) => "both reach to infinity, so they always overlap",
        (Solid::Cylinder { .. }, Solid::Bore { .. }) | (Solid::Bore { .. }, Solid::Cylinder { .. }) => {
            "the cylinder must be thinner than the bore, and one of them must have an end"
        }
        (_, Solid::Bore { .. }) | (Solid::Bore { .. }, _) => {
            "close the bore, or make it infinite, or let spheres run in it"
        }
        (Solid::Cylinder { .. }, Solid::HalfSpace) | (Solid::HalfSpace, Solid::Cylinder { .. }) => {
            "an infinite cylinder has no rims to stand on; give it a length"
        }
        (Solid::Box { .. }, Solid::Box { .. }) => {
            "let capsules or spheres at its corners touch the other box"
        }
        _ => {
            "spheres touch every shape: a row of them, or a capsule on a box, half space, socket or capsule, would do"
        }
    };
    Err(Refused::Pair { first: first.solid.name(), second: second.solid.name(), instead })
}
