//! Quantities of the motion that formulas of forces know: a coordinate s(q) and its rate.
//!
//! ```text
//!   s_i = ∂s/∂δ_i = ∂ṡ/∂v_i,     ṡ = Σ s_i v_i
//!
//!   point      s = e·r           s_i = e·J_i
//!   turned     s = φ_2 − φ_1     s_i = ∂(ω_2 − ω_1)/∂v_i
//!   distance   s = |d|,  d = r_2 − r_1,  n = d/s,  b_i = n×J_i
//!              s_i = n·J_i       ∂ṡ/∂δ_j = (n×ḋ)·b_j/s + n·∂ḋ/∂δ_j      ∂s_i/∂δ_j = b_i·b_j/s + n·∂J_i/∂δ_j
//!   along      s = e·d,  e fixed to the guide, which turns with s_i:
//!              slider  e·J_i     guide  (s_i×e)·d − e·J_i
//! ```
//!
//! Where two points coincide the direction between them is undefined, and s_i is zero. A geometry may have coordinates of its own
//! ([`Scalar`]): those of joints in space, and the angular velocity of a body there, which is the rate of nothing.

use crate::geometry::plane::V2;
use crate::geometry::{Geometry, Plane, Vector, dot, norm, scale, sub};
use crate::place::{Column, Marker, Place, Placed};
use carom_dynamics::Configuration;
use std::fmt::Debug;
use std::sync::Arc;

/// A coordinate that one geometry has.
pub trait Scalar: Debug + Send + Sync {
    /// s.
    fn value(&self, at: &Configuration) -> f64;

    /// Entries s_i.
    fn row(&self, at: &Configuration, entry: &mut dyn FnMut(usize, f64));

    /// Entries ∂ṡ/∂δ_j, v held.
    fn rate_row(&self, at: &Configuration, entry: &mut dyn FnMut(usize, f64));

    /// Entries (i, j, ∂s_i/∂δ_j).
    fn curvature(&self, at: &Configuration, entry: &mut dyn FnMut(usize, usize, f64));
}

/// A coordinate s(q).
#[derive(Clone, Debug)]
pub enum Measure<S: Geometry = Plane> {
    /// Component of the place of a point.
    Point(Marker<S>, usize),
    /// Angle of the second place against the first, turns counted; where there is one angle.
    Turned([Place<S>; 2], fn(&Place<S>, &Configuration) -> f64),
    /// Distance of two points.
    Distance([Marker<S>; 2]),
    /// How far a point is along an axis.
    Along(Axis<S>),
    /// What this geometry alone has.
    Own(Arc<dyn Scalar>),
}

/// An axis fixed to a guide, and what slides along it.
#[derive(Clone, Debug)]
pub struct Axis<S: Geometry = Plane> {
    pub guide: Marker<S>,
    pub slider: Marker<S>,
    /// Unit vector in the frame of the guide.
    pub axis: S::V,
}

/// Two points at one configuration.
struct Apart<S: Geometry> {
    placed: [Placed<S>; 2],
    d: S::V,
    d_dot: S::V,
}

impl<S: Geometry> Apart<S> {
    fn new([first, second]: [&Marker<S>; 2], at: &Configuration) -> Self {
        let placed = [first.at(at), second.at(at)];
        let d_dot = sub(second.velocity(at, &placed[1]), first.velocity(at, &placed[0]));
        Self { placed, d: sub(placed[1].r, placed[0].r), d_dot }
    }

    /// n and 1/s; zero where the points coincide.
    fn direction(&self) -> (S::V, f64) {
        let s = norm(self.d);
        if s > 0.0 { (scale(1.0 / s, self.d), 1.0 / s) } else { (S::V::ZERO, 0.0) }
    }
}

impl Measure<Plane> {
    /// Angle of the second place against the first.
    pub fn turned(first: Place, second: Place) -> Self {
        Self::Turned([first, second], |place, at| place.angle(at))
    }

    /// How far a point is along an axis of direction `axis` in the frame of the guide.
    pub fn along(guide: Marker, slider: Marker, axis: V2) -> Self {
        Self::Along(Axis { guide, slider, axis })
    }
}

/// Columns of two points, those of the first with the sign −1.
fn ends<S: Geometry>(
    [first, second]: &[Marker<S>; 2],
    at: &Configuration,
    placed: &[Placed<S>; 2],
    mut each: impl FnMut(Column<S>, f64),
) {
    first.columns(at, &placed[0], |column| each(column, -1.0));
    second.columns(at, &placed[1], |column| each(column, 1.0));
}

impl<S: Geometry> Measure<S> {
    /// s.
    pub fn value(&self, at: &Configuration) -> f64 {
        match self {
            Measure::Point(marker, k) => marker.at(at).r.numbers()[*k],
            Measure::Turned([first, second], angle) => angle(second, at) - angle(first, at),
            Measure::Distance([first, second]) => norm(sub(second.at(at).r, first.at(at).r)),
            Measure::Along(along) => {
                dot(along.inertial_axis(at), sub(along.slider.at(at).r, along.guide.at(at).r))
            }
            Measure::Own(own) => own.value(at),
        }
    }

    /// ṡ.
    pub fn rate(&self, at: &Configuration) -> f64 {
        let mut rate = 0.0;
        self.row(at, |i, s_i| rate += s_i * at.v[i]);
        rate
    }

    /// Entries s_i.
    pub fn row(&self, at: &Configuration, mut entry: impl FnMut(usize, f64)) {
        match self {
            Measure::Point(marker, k) => {
                marker.columns(at, &marker.at(at), |column| entry(column.index, column.J.numbers()[*k]));
            }
            Measure::Turned([first, second], _) => {
                first.turning_row(at, scale(-1.0, S::W::axis(0)), &mut entry);
                second.turning_row(at, S::W::axis(0), &mut entry);
            }
            Measure::Distance(points @ [first, second]) => {
                let apart = Apart::new([first, second], at);
                let (n, _) = apart.direction();
                ends(points, at, &apart.placed, |i, sign| entry(i.index, sign * dot(n, i.J)));
            }
            Measure::Along(along) => {
                let (apart, e) = (Apart::new([&along.guide, &along.slider], at), along.inertial_axis(at));
                along.guide.place.columns(at, apart.placed[0].arm, |i| {
                    entry(i.index, along.of_guide(&i, e, apart.d));
                });
                along.slider.columns(at, &apart.placed[1], |i| entry(i.index, dot(e, i.J)));
            }
            Measure::Own(own) => own.row(at, &mut entry),
        }
    }

    /// Entries ∂ṡ/∂δ_j, v held.
    pub fn rate_row(&self, at: &Configuration, mut entry: impl FnMut(usize, f64)) {
        match self {
            Measure::Point(marker, k) => {
                marker.columns(at, &marker.at(at), |column| entry(column.index, column.J_dot.numbers()[*k]));
            }
            Measure::Turned(..) => {}
            Measure::Distance(points @ [first, second]) => {
                let apart = Apart::new([first, second], at);
                let (n, by_s) = apart.direction();
                let across = scale(by_s, S::moment(n, apart.d_dot));
                ends(points, at, &apart.placed, |j, sign| {
                    entry(j.index, sign * (dot(across, S::moment(n, j.J)) + dot(n, j.J_dot)));
                });
            }
            Measure::Along(along) => {
                let (apart, e) = (Apart::new([&along.guide, &along.slider], at), along.inertial_axis(at));
                let omega = along.guide.place.omega(at);
                let e_dot = S::swing(omega, e);
                along.guide.place.columns(at, apart.placed[0].arm, |j| {
                    // e and ė turn with the guide
                    let turned =
                        dot(S::swing(j.s, e), apart.d_dot) + dot(S::swing_twice(j.s, omega, e), apart.d);
                    entry(j.index, turned - dot(e, j.J_dot) - dot(e_dot, j.J));
                });
                along.slider.columns(at, &apart.placed[1], |j| {
                    entry(j.index, dot(e, j.J_dot) + dot(e_dot, j.J));
                });
            }
            Measure::Own(own) => own.rate_row(at, &mut entry),
        }
    }

    /// Entries (i, j, ∂s_i/∂δ_j).
    pub fn curvature(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        match self {
            Measure::Point(marker, k) => marker.curvature(at, S::V::axis(*k), &marker.at(at), entry),
            Measure::Turned(..) => {}
            Measure::Distance(points @ [first, second]) => {
                let apart = Apart::new([first, second], at);
                let (n, by_s) = apart.direction();
                ends(points, at, &apart.placed, |i, sign| {
                    let b_i = scale(sign * by_s, S::moment(n, i.J));
                    ends(points, at, &apart.placed, |j, other| {
                        entry(i.index, j.index, other * dot(b_i, S::moment(n, j.J)));
                    });
                });
                first.curvature(at, n, &apart.placed[0], |i, j, value| entry(i, j, -value));
                second.curvature(at, n, &apart.placed[1], entry);
            }
            Measure::Along(along) => {
                let (apart, e) = (Apart::new([&along.guide, &along.slider], at), along.inertial_axis(at));
                let (guide, slider) = (&along.guide, &along.slider);
                let arm = apart.placed[0].arm;
                guide.place.columns(at, arm, |i| {
                    let e_i = S::swing(i.s, e);
                    guide.place.columns(at, arm, |j| {
                        let turned = dot(S::swing_twice(j.s, i.s, e), apart.d);
                        let shifted = dot(e_i, j.J) + dot(S::swing(j.s, e), i.J);
                        entry(i.index, j.index, turned - shifted);
                    });
                    slider.columns(at, &apart.placed[1], |j| {
                        let value = dot(e_i, j.J);
                        entry(i.index, j.index, value);
                        entry(j.index, i.index, value);
                    });
                });
                guide.place.curvature(at, e, arm, |i, j, value| entry(i, j, -value));
                slider.curvature(at, e, &apart.placed[1], entry);
            }
            Measure::Own(own) => own.curvature(at, &mut entry),
        }
    }
}

impl<S: Geometry> Axis<S> {
    /// e in the inertial frame.
    fn inertial_axis(&self, at: &Configuration) -> S::V {
        S::turn(&self.guide.place.frame(at), self.axis)
    }

    /// s_i of a column of the guide.
    fn of_guide(&self, i: &Column<S>, e: S::V, d: S::V) -> f64 {
        dot(S::swing(i.s, e), d) - dot(e, i.J)
    }
}
