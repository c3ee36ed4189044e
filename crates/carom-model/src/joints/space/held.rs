//! Joints that hold two frames together: rows that keep dots, displacements and angles at zero.
//!
//! | joint | rows | freedom |
//! |---|---|---|
//! | weld | e_k·d; e_1a·e_2b, −e_0a·e_2b, e_0a·e_1b | 0 |
//! | revolute | e_k·d; e_1a·e_2b, −e_0a·e_2b | 1 |
//! | prismatic | e_0·d, e_1·d; e_1a·e_2b, −e_0a·e_2b, e_0a·e_1b | 1 |
//! | cylindrical | e_0·d, e_1·d; e_1a·e_2b, −e_0a·e_2b | 2 |
//! | universal | e_k·d; e_0a·e_1b | 2 |
//! | constant velocity | e_k·d; −angle: the turn from a to b has no part about the axes | 2 |
//! | planar | e_2·d; e_1a·e_2b, −e_0a·e_2b | 3 |
//! | point on a line | e_0·d, e_1·d | 4 |
//! | point on a plane | e_2·d | 5 |
//!
//! With e_k of a, and Φ = −e_k·d, the reactions are force and torque on the first body in the frame of the joint on it. (The
//! torque of a universal joint is about the axis square to both arms, that of a constant-velocity joint about the line
//! that halves the angle between the axes.) A screw is a cylindrical joint with a coupling ([`super::Coupled`]).

use super::coordinate::bias;
use super::framed::{Covector, Pair};
use super::measure::Measure;
use super::rigid::Rigid;
use carom_dynamics::{Configuration, Quantity};

/// A row: ± a measure.
type Row = (f64, Measure);

const X: Row = (-1.0, Measure::Along(0));
const Y: Row = (-1.0, Measure::Along(1));
const Z: Row = (-1.0, Measure::Along(2));
/// Torque about e_0, e_1, e_2 of a.
const ABOUT_X: Row = (1.0, Measure::Dot(1, 2));
const ABOUT_Y: Row = (-1.0, Measure::Dot(0, 2));
const ABOUT_Z: Row = (1.0, Measure::Dot(0, 1));
const TWIST: Row = (-1.0, Measure::Angle);

const FX: (Quantity, &str) = (Quantity::Length, "x");
const FY: (Quantity, &str) = (Quantity::Length, "y");
const FZ: (Quantity, &str) = (Quantity::Length, "z");
const TX: (Quantity, &str) = (Quantity::Angle, "torque_x");
const TY: (Quantity, &str) = (Quantity::Angle, "torque_y");
const TZ: (Quantity, &str) = (Quantity::Angle, "torque_z");
const T: (Quantity, &str) = (Quantity::Angle, "torque");

/// What is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    Weld,
    Revolute,
    Prismatic,
    Cylindrical,
    Universal,
    ConstantVelocity,
    Planar,
    PointOnLine,
    PointOnPlane,
}

impl Holding {
    #[inline]
    fn rows(self) -> &'static [Row] {
        match self {
            Holding::Weld => &[X, Y, Z, ABOUT_X, ABOUT_Y, ABOUT_Z],
            Holding::Revolute => &[X, Y, Z, ABOUT_X, ABOUT_Y],
            Holding::Prismatic => &[X, Y, ABOUT_X, ABOUT_Y, ABOUT_Z],
            Holding::Cylindrical => &[X, Y, ABOUT_X, ABOUT_Y],
            Holding::Universal => &[X, Y, Z, ABOUT_Z],
            Holding::ConstantVelocity => &[X, Y, Z, TWIST],
            Holding::Planar => &[Z, ABOUT_X, ABOUT_Y],
            Holding::PointOnLine => &[X, Y],
            Holding::PointOnPlane => &[Z],
        }
    }

    /// What each row measures and the word for its reaction.
    pub fn quantities(self) -> &'static [(Quantity, &'static str)] {
        match self {
            Holding::Weld => &[FX, FY, FZ, TX, TY, TZ],
            Holding::Revolute => &[FX, FY, FZ, TX, TY],
            Holding::Prismatic => &[FX, FY, TX, TY, TZ],
            Holding::Cylindrical => &[FX, FY, TX, TY],
            Holding::Universal | Holding::ConstantVelocity => &[FX, FY, FZ, T],
            Holding::Planar => &[FZ, TX, TY],
            Holding::PointOnLine => &[FX, FY],
            Holding::PointOnPlane => &[FZ],
        }
    }
}

#[derive(Clone, Debug)]
pub struct Held {
    pub pair: Pair,
    pub holding: Holding,
}

impl Held {
    pub fn quantities(&self) -> &'static [(Quantity, &'static str)] {
        self.holding.quantities()
    }

    #[inline]
    pub fn residual(&self, at: &Configuration, phi: &mut [f64]) {
        let seen = self.pair.seen(at);
        for (phi, (sign, measure)) in phi.iter_mut().zip(self.holding.rows()) {
            *phi = sign * measure.value(&seen);
        }
    }

    #[inline]
    pub fn jacobian(&self, at: &Configuration, mut entry: impl FnMut(usize, usize, f64)) {
        let rigid = Rigid::new(&self.pair, at);
        // only for what the shorter way does not know
        let mut seen = None;
        for (row, (sign, measure)) in self.holding.rows().iter().enumerate() {
            if let Some(rigid) = &rigid
                && rigid.row(*sign, *measure, |column, value| entry(row, column, value))
            {
                continue;
            }
            let seen = *seen.get_or_insert_with(|| self.pair.seen(at));
            let g = Covector::ZERO.plus(*sign, &measure.gradient(&seen));
            let put = |column, value| entry(row, column, value);
            self.pair.entries(at, &seen, &g, measure.of_points(), put);
        }
    }

    #[inline]
    pub fn bias(&self, at: &Configuration, phi: &mut [f64]) {
        let seen = self.pair.seen(at);
        let motion = self.pair.motion(at, &seen);
        let of_pair = self.pair.bias(at, &seen, &motion);
        for (phi, (sign, measure)) in phi.iter_mut().zip(self.holding.rows()) {
            *phi = sign * bias(*measure, &seen, &motion, &of_pair);
        }
    }
}
