//! Points of splines.

use super::{Check, bad, finite_pair};
use crate::contacts::{Folded, Knots, spans};
use crate::description::spline::{SAME, area, extent};
use crate::description::{AngleUnit, PointTable, Through};
use crate::error::{ModelError, Problem};
use crate::geometry::plane::{V2, norm, sub};

/// A table of a closed curve leaves out at most this many of its largest steps.
const MISSING: f64 = 2.0;

/// A piece of a path; returns its end.
pub(super) fn piece(path: &[&str], from: V2, through: &Through, alone: bool) -> Result<V2, ModelError> {
    let path = [path, &["spline-through"]].concat();
    self::through(&path, through)?;
    let knots = through.onwards(from, alone);
    if knots.points.len() < 2 {
        bad(&path, "the spline has no points", "give the points that it goes through after its start")?;
    }
    if knots.points.len() == 2 && knots.directions == [None; 2] {
        bad(
            &path,
            "a spline through one more point is a straight line",
            "give more points, or use `line-to`",
        )?;
    }
    let end = if knots.closed { from } else { knots.points[knots.points.len() - 1] };
    curve(&path, &knots, through)?;
    Ok(end)
}

/// A closed curve.
pub(super) fn closed(path: &[&str], through: &Through, hole: bool) -> Check {
    let path = [path, &["through"]].concat();
    self::through(&path, through)?;
    if let Through::Table(table) = through {
        if table.start_direction.is_some() || table.end_direction.is_some() {
            return bad(
                &path,
                "a closed curve has no ends, so it has no directions there",
                "leave `start_direction` and `end_direction` out",
            );
        }
        if table.reverse {
            return bad(
                &path,
                "a closed curve is solid inside whichever way its points run",
                "leave `reverse` out; for a hole say `hole = true`",
            );
        }
        goes_round(&path, table)?;
    }
    let knots = through.around(hole);
    if knots.points.len() < 3 {
        return bad(&path, "a closed curve goes through at least three points", "give three or more");
    }
    let size = extent(&knots.points);
    if area(&knots.points).abs() <= SAME * size * size {
        return bad(&path, "the points are on a line, so nothing is enclosed", "give points around an area");
    }
    curve(&path, &knots, through)
}

/// Rows of a table or list: numbers, angles.
fn through(path: &[&str], through: &Through) -> Check {
    let rows = through.rows();
    let at = |i: usize| {
        let list = matches!(through, Through::Table(_)).then_some("points");
        let path = path.iter().copied().chain(list).map(String::from);
        path.chain([i.to_string()]).collect::<Vec<_>>()
    };
    for (i, row) in rows.iter().enumerate() {
        let path = at(i);
        finite_pair(*row, "point of the spline", &path.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let Through::Table(table) = through else { return Ok(()) };
    match (&table.file, &table.points) {
        (Some(name), None) => {
            return bad(
                path,
                &format!("the table `{name}` was not read"),
                "load the model from its file, or write the rows into `points`",
            );
        }
        (None, Some(_)) => {}
        (Some(_), Some(_)) => return bad(path, "the table has both `file` and `points`", "give one of them"),
        (None, None) => {
            return bad(path, "the table has no rows", "give `file = \"cam.csv\"`, or `points`");
        }
    }
    finite_pair(table.center, "centre of the table", &[path, &["center"]].concat())?;
    for (key, direction) in
        [("start_direction", table.start_direction), ("end_direction", table.end_direction)]
    {
        let Some(direction) = direction else { continue };
        let path = [path, &[key]].concat();
        finite_pair(direction, "direction", &path)?;
        if norm(direction) == 0.0 {
            return Err(ModelError::new(&path, Problem::NoDirection { quantity: "direction" }));
        }
    }
    let Some(unit) = table.polar else { return Ok(()) };
    if let Some(i) = rows.iter().position(|row| row[1] <= 0.0) {
        let path = at(i);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        return bad(
            &path,
            &format!("row {} of the polar table has the radius {}", i + 1, rows[i][1]),
            "angle first, then a radius greater than zero",
        );
    }
    let sense = |i: usize| (rows[i + 1][0] - rows[i][0]).signum();
    if let Some(i) = (1..rows.len().saturating_sub(1)).find(|&i| sense(i) != sense(0)) {
        return bad(
            path,
            &format!("the angles of the polar table turn round at row {}", i + 1),
            "sort the rows by their angle",
        );
    }
    let span = span(rows);
    if span > unit.turn() * (1.0 + SAME) {
        let other =
            if unit == AngleUnit::Radians { "; for angles in degrees say `polar = \"degrees\"`" } else { "" };
        return bad(
            path,
            &format!(
                "the angles of the polar table go over {span}, more than a full turn of {}",
                unit.turn()
            ),
            &format!("give one turn{other}"),
        );
    }
    Ok(())
}

fn span(rows: &[[f64; 2]]) -> f64 {
    match rows {
        [first, .., last] => (last[0] - first[0]).abs(),
        _ => 0.0,
    }
}

/// A polar table of a closed curve leaves no sector out.
fn goes_round(path: &[&str], table: &PointTable) -> Check {
    let (Some(unit), Some(rows)) = (table.polar, &table.points) else { return Ok(()) };
    let largest = rows.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs()).fold(0.0, f64::max);
    let span = span(rows);
    if unit.turn() - span <= MISSING * largest * (1.0 + SAME) {
        return Ok(());
    }
    let other = if unit == AngleUnit::Degrees && span <= 1.01 * std::f64::consts::TAU {
        "; for angles in radians say `polar = \"radians\"`"
    } else {
        ""
    };
    bad(
        path,
        &format!("the polar table goes over {span} of a full turn of {}", unit.turn()),
        &format!("give rows all round{other}; an open curve is a `spline-through` of a path"),
    )
}

/// What can be wrong with the curve as a whole.
fn curve(path: &[&str], knots: &Knots, through: &Through) -> Check {
    let Knots { points, closed, .. } = knots;
    let (n, size) = (points.len(), extent(points));
    let same = |a: V2, b: V2| norm(sub(a, b)) <= SAME * size;
    // by the numbers of the rows, whichever way they are walked
    let places = through.places();
    let number = |i: usize| if reversed(through) { places.len() - i } else { i + 1 };
    let mut twice = (1..places.len()).filter(|&i| same(places[i - 1], places[i]));
    if let Some(i) = twice.next() {
        let (first, second) = (number(i - 1).min(number(i)), number(i - 1).max(number(i)));
        let message = format!("points {first} and {second} of the spline coincide");
        return bad(path, &message, "leave one of them out");
    }
    if *closed && same(points[0], points[n - 1]) {
        return bad(path, "the start of the spline is in it three times", "leave one of them out");
    }
    spans(knots).map(|_| ()).or_else(|Folded { after }| {
        let [first, second] = [after, (after + 1) % n].map(|i| name(through, points[i]));
        bad(
            path,
            &format!("the spline folds back between {first} and {second}"),
            "put the points in the order of the curve, give more of them there, or end the spline at the sharp place",
        )
    })
}

fn reversed(through: &Through) -> bool {
    matches!(through, Through::Table(table) if table.reverse)
}

/// A point by its number in the table.
fn name(through: &Through, point: V2) -> String {
    let places = through.places();
    match places.iter().position(|place| *place == point) {
        Some(i) if reversed(through) => format!("point {}", places.len() - i),
        Some(i) => format!("point {}", i + 1),
        None => "the start".into(),
    }
}
