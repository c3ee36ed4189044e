//! Points that a smooth curve goes through, written out or from a table.

use crate::contacts::Knots;
use crate::geometry::plane::{V2, add, cross, norm, scale, sub};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Points that a spline goes through: a list of places, or a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Through {
    /// Places in order (m).
    Points(Vec<[f64; 2]>),
    /// A table, from a file or written out.
    Table(PointTable),
}

/// A table of points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PointTable {
    /// A CSV file with two columns, seen from the folder of the model file; lengths in the units of the model file.
    pub file: Option<String>,
    /// The rows themselves, instead of a file (m).
    pub points: Option<Vec<[f64; 2]>>,
    /// The columns are angle and radius, not x and y; the unit of the angle, counted counter-clockwise from x.
    pub polar: Option<AngleUnit>,
    /// Where the origin of the table is (m).
    pub center: [f64; 2],
    /// Whether the rows are walked from the last to the first.
    pub reverse: bool,
    /// Direction in which an open curve begins; any length.
    pub start_direction: Option<[f64; 2]>,
    /// Direction in which an open curve ends; any length.
    pub end_direction: Option<[f64; 2]>,
}

/// Unit of the angles of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AngleUnit {
    /// 360 make a turn.
    Degrees,
    /// 2π make a turn.
    Radians,
}

impl AngleUnit {
    /// A full turn.
    pub fn turn(self) -> f64 {
        match self {
            AngleUnit::Degrees => 360.0,
            AngleUnit::Radians => std::f64::consts::TAU,
        }
    }
}

/// Two points are one if they are nearer than this, relative to the size of all: numbers typed with nine digits.
pub(crate) const SAME: f64 = 1e-9;

/// Greatest distance of a point from the first.
pub(crate) fn extent(points: &[V2]) -> f64 {
    points.iter().fold(0.0, |most: f64, p| most.max(norm(sub(*p, points[0]))))
}

impl Through {
    /// As written: rows of the list or the table.
    pub(crate) fn rows(&self) -> &[[f64; 2]] {
        match self {
            Through::Points(points) => points,
            Through::Table(table) => table.points.as_deref().unwrap_or_default(),
        }
    }

    /// Places in the order they are walked (m).
    pub(crate) fn places(&self) -> Vec<V2> {
        let Through::Table(table) = self else { return self.rows().to_vec() };
        let place = |&[a, b]: &[f64; 2]| match table.polar {
            None => [a, b],
            Some(unit) => {
                // whole and half turns exactly, as in a table that returns to its start
                let share = (a / unit.turn()).rem_euclid(1.0);
                let (s, c) = (std::f64::consts::TAU * share).sin_cos();
                scale(b, [c, s])
            }
        };
        let mut places: Vec<V2> = self.rows().iter().map(|row| add(table.center, place(row))).collect();
        if table.reverse {
            places.reverse();
        }
        places
    }

    fn directions(&self) -> [Option<V2>; 2] {
        match self {
            Through::Points(_) => [None; 2],
            Through::Table(table) => [table.start_direction, table.end_direction],
        }
    }

    /// What the piece of a path goes through that begins at `from`, which a table may repeat. A path of this piece alone
    /// that returns to its start is closed smoothly.
    pub(crate) fn onwards(&self, from: V2, alone: bool) -> Knots {
        let mut points = vec![from];
        points.extend(self.places());
        let size = extent(&points);
        let same = |a: V2, b: V2| norm(sub(a, b)) <= SAME * size;
        if points.len() > 1 && same(points[0], points[1]) {
            points.remove(1);
        }
        let directions = self.directions();
        let last = points.len() - 1;
        let closed = alone && last > 1 && directions == [None; 2] && same(points[0], points[last]);
        if closed {
            points.pop();
        }
        Knots { points, closed, directions }
    }

    /// What a closed curve goes through: clockwise around a solid, counter-clockwise around a hole.
    pub(crate) fn around(&self, hole: bool) -> Knots {
        let mut points = self.places();
        let last = points.len().saturating_sub(1);
        if last > 0 && norm(sub(points[0], points[last])) <= SAME * extent(&points) {
            points.pop();
        }
        if (area(&points) > 0.0) != hole {
            points.reverse();
        }
        Knots { points, closed: true, directions: [None; 2] }
    }
}

/// Twice the area of the polygon, positive counter-clockwise.
pub(crate) fn area(points: &[V2]) -> f64 {
    let n = points.len();
    let from = |i: usize| sub(points[i], points[0]);
    (1..n).map(|i| cross(from(i), from((i + 1) % n))).sum()
}
