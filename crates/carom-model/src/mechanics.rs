//! What a mechanism is made of in a geometry.
//!
//! [`Geometry`] is algebra; this is vocabulary: what differs in kind between plane and space, and what the common glue
//! ([`Model`], its answers to a scheme, assembly, events) asks of it. The list is what a new geometry has to bring.

use crate::bodies::Floating;
use crate::contacts::{Contacts, PlaneContacts, SpaceContacts};
use crate::description::{Description, space};
use crate::events::{AtEnd, Condition, Never};
use crate::forces::{self, Smooth};
use crate::geometry::space::{axes_of, quaternion_of};
use crate::geometry::{Geometry, Plane, Space, Vector};
use crate::joints::{self, Rows};
use crate::layout::{Layout, SpaceAnchor};
use crate::model::Model;
use crate::outline::Outline;
use crate::outline::space::SpaceOutline;
use crate::place::Place;
use carom_dynamics::rotation::{Quaternion, difference};
use carom_dynamics::{Configuration, Momenta};
use carom_elastic::{Elastic, Material, PointShapes};
use std::fmt::Debug;

/// A name and a unit.
pub type Named = (&'static str, &'static str);

/// The vocabulary of a geometry.
pub trait Mechanics: Geometry {
    /// A mechanism as plain data.
    type Description;
    /// Any joint.
    type Joint: Rows;
    /// Any force.
    type Force: Smooth;
    /// All contacts of a model.
    type Contacts: Contacts;
    /// Conditions of events that no formula says.
    type Condition: Condition;
    /// What to draw of a body.
    type Outline: Clone + Debug + Send + Sync;
    /// Where everything is, for those who draw and list.
    type Layout: Clone + Debug + Default + Send + Sync;
    /// What deforms in a floating frame.
    type Elastic;
    /// A body in a floating frame, as momenta know it.
    type Floating;
    /// A material point of a flexible body.
    type Material;
    /// How a material point moves.
    type PointShapes;
    /// An orientation as described.
    type Turned: Copy + Debug;
    /// Place and orientation as recorded.
    type Pose: AsRef<[f64]>;
    /// Velocity and angular velocity, or momentum and angular momentum.
    type Twist: Vector;

    /// The inertial axes.
    const UNTURNED: Self::Turned;
    /// What is recorded of a frame, as many as a rigid body has coordinates.
    const POSITIONS: &'static [Named];
    /// Their rates, as many as a rigid body has velocities.
    const RATES: &'static [Named];
    /// The rates of those.
    const ACCELERATIONS: &'static [Named];
    /// Momentum of the whole, angular about the origin.
    const MOMENTUM: &'static [Named];

    /// In the order of [`Self::POSITIONS`].
    fn pose(place: &Place<Self>, at: &Configuration) -> Self::Pose;

    /// How far a frame turned (rad), with a sign where there is one axis only.
    fn rotation(place: &Place<Self>, from: &Configuration, to: &Configuration) -> f64;

    /// How fast (rad/s), with a sign where there is one axis only.
    fn speed_of_rotation(omega: Self::W) -> f64;

    /// The momenta of a model, where it has them.
    fn momenta(model: &Model<Self>) -> Option<&dyn Momenta>;
}

/// Velocity and angular velocity in one.
#[inline]
pub(crate) fn twist<S: Mechanics>(v: S::V, omega: S::W) -> S::Twist {
    S::Twist::from_fn(|i| if i < S::V::LEN { v.numbers()[i] } else { omega.numbers()[i - S::V::LEN] })
}

impl Mechanics for Plane {
    type Description = Description;
    type Joint = joints::Element;
    type Force = forces::Element;
    type Contacts = PlaneContacts;
    type Condition = AtEnd;
    type Outline = Outline;
    type Layout = Layout;
    type Elastic = Elastic;
    type Floating = Floating;
    type Material = Material;
    type PointShapes = PointShapes;
    type Turned = f64;
    type Pose = [f64; 3];
    type Twist = [f64; 3];

    const UNTURNED: f64 = 0.0;
    const POSITIONS: &'static [Named] = &[("x", "m"), ("y", "m"), ("angle", "rad")];
    const RATES: &'static [Named] = &[("vx", "m/s"), ("vy", "m/s"), ("omega", "rad/s")];
    const ACCELERATIONS: &'static [Named] = &[("ax", "m/s²"), ("ay", "m/s²"), ("alpha", "rad/s²")];
    const MOMENTUM: &'static [Named] = &[("x", "N s"), ("y", "N s"), ("angular", "N m s")];

    fn pose(place: &Place, at: &Configuration) -> [f64; 3] {
        let [x, y, _, _] = place.frame(at);
        [x, y, place.angle(at)]
    }

    fn rotation(place: &Place, from: &Configuration, to: &Configuration) -> f64 {
        place.angle(to) - place.angle(from)
    }

    fn speed_of_rotation(omega: f64) -> f64 {
        omega
    }

    fn momenta(model: &Model) -> Option<&dyn Momenta> {
        model.has_momenta().then_some(model)
    }
}

/// Place, then the unit quaternion w, x, y, z.
impl Mechanics for Space {
    type Description = space::Description;
    type Joint = joints::SpaceElement;
    type Force = forces::SpaceForce;
    type Contacts = SpaceContacts;
    type Condition = Never;
    type Outline = SpaceOutline;
    type Layout = Layout<SpaceAnchor>;
    type Elastic = std::convert::Infallible;
    type Floating = std::convert::Infallible;
    type Material = std::convert::Infallible;
    type PointShapes = std::convert::Infallible;
    type Turned = Quaternion;
    type Pose = [f64; 7];
    type Twist = [f64; 6];

    const UNTURNED: Quaternion = [1.0, 0.0, 0.0, 0.0];
    const POSITIONS: &'static [Named] =
        &[("x", "m"), ("y", "m"), ("z", "m"), ("qw", ""), ("qx", ""), ("qy", ""), ("qz", "")];
    const RATES: &'static [Named] =
        &[("vx", "m/s"), ("vy", "m/s"), ("vz", "m/s"), ("wx", "rad/s"), ("wy", "rad/s"), ("wz", "rad/s")];
    const ACCELERATIONS: &'static [Named] = &[
        ("ax", "m/s²"),
        ("ay", "m/s²"),
        ("az", "m/s²"),
        ("alpha_x", "rad/s²"),
        ("alpha_y", "rad/s²"),
        ("alpha_z", "rad/s²"),
    ];
    const MOMENTUM: &'static [Named] = &[
        ("x", "N s"),
        ("y", "N s"),
        ("z", "N s"),
        ("angular_x", "N m s"),
        ("angular_y", "N m s"),
        ("angular_z", "N m s"),
    ];

    fn pose(place: &Place<Space>, at: &Configuration) -> [f64; 7] {
        let frame = place.frame(at);
        let p = quaternion_of(&axes_of(&frame));
        std::array::from_fn(|i| if i < 3 { frame[i] } else { p[i - 3] })
    }

    fn rotation(place: &Place<Space>, from: &Configuration, to: &Configuration) -> f64 {
        let [a, b] = [from, to].map(|at| quaternion_of(&axes_of(&place.frame(at))));
        difference(a, b).norm()
    }

    fn speed_of_rotation(omega: [f64; 3]) -> f64 {
        omega.norm()
    }

    fn momenta(_: &Model<Space>) -> Option<&dyn Momenta> {
        None
    }
}
