//! Mass and moment of inertia from shapes and a density, against closed forms and sums over small squares.
#![allow(non_snake_case)]

use carom_dynamics::System;
use carom_model::description::*;
use carom_model::{Description, Model, Problem};
use std::f64::consts::PI;

const DENSITY: f64 = 7850.0;
const THICKNESS: f64 = 0.01;

fn body(shapes: Vec<(&str, Shape)>) -> Body {
    let mut body = Body { density: Some(DENSITY), thickness: Some(THICKNESS), ..Body::default() };
    body.shapes.extend(shapes.into_iter().map(|(name, shape)| (name.to_string(), shape)));
    body
}

fn description(body: Body) -> Description {
    let mut d = Description::default();
    d.bodies.insert("part".into(), body);
    d
}

/// Area and polar moment about the centroid, from mass and inertia.
fn area(shapes: Vec<(&str, Shape)>) -> [f64; 2] {
    let model = Model::new(&description(body(shapes))).unwrap_or_else(|error| panic!("{error}"));
    let at = carom_dynamics::Configuration::new(&model, 0.0, &[0.0; 3], &[0.0; 3]);
    let mut M = [0.0; 3];
    model.mass(&at, &mut M);
    assert_eq!(M[0], M[1]);
    [M[0], M[2]].map(|m| m / (DENSITY * THICKNESS))
}

#[track_caller]
fn near(found: [f64; 2], exact: [f64; 2], within: f64) {
    for (found, exact) in found.into_iter().zip(exact) {
        assert!((found - exact).abs() <= within * exact.abs(), "{found} instead of {exact}");
    }
}

fn disk(center: [f64; 2], radius: f64) -> Shape {
    Shape::Disk { center, radius }
}

#[test]
fn closed_forms() {
    let r = 0.3;
    let r4 = PI * r * r * r * r;
    near(area(vec![("a", disk([0.0; 2], r))]), [PI * r * r, 0.5 * r4], 1e-15);
    let plate = Shape::Rectangle { center: [0.0; 2], size: [0.4, 0.1] };
    near(area(vec![("a", plate)]), [0.04, 0.04 * (0.16 + 0.01) / 12.0], 1e-14);
    let corners = vec![[-0.2, -0.05], [0.2, -0.05], [0.2, 0.05], [-0.2, 0.05]];
    near(area(vec![("a", Shape::Polygon { corners })]), [0.04, 0.04 * (0.16 + 0.01) / 12.0], 1e-13);
    let oval = Shape::Ellipse { center: [0.0; 2], semi_axes: [0.5, 0.2], angle: 0.3 };
    near(area(vec![("a", oval)]), [PI * 0.1, PI * 0.1 * (0.25 + 0.04) / 4.0], 1e-15);
    // rectangle 2 h by 2 r and two half disks, whose centroids are 4 r/3π beyond its ends
    let (h, r) = (0.2, 0.05);
    let capsule = Shape::Capsule { from: [-h * 0.6, -h * 0.8], to: [h * 0.6, h * 0.8], radius: r };
    let (bar, ends) = (4.0 * h * r, PI * r * r);
    let about_ends = ends * (0.5 * r * r + h * h + 2.0 * h * 4.0 * r / (3.0 * PI));
    let exact = [bar + ends, bar * (4.0 * h * h + 4.0 * r * r) / 12.0 + about_ends];
    near(area(vec![("a", capsule)]), exact, 1e-13);
    // a triangle: A (a² + b² + c²)/36
    let corners = vec![[0.0, 0.2], [-0.1, -0.1], [0.1, -0.1]];
    let sides = 0.04 + 2.0 * (0.01 + 0.09);
    near(area(vec![("a", Shape::Polygon { corners })]), [0.03, 0.03 * sides / 36.0], 1e-13);
}

/// Round paths: a full circle walked clockwise, and a ring, whose hole is walked counter-clockwise.
#[test]
fn paths_and_holes() {
    let circle = |r: f64, counterclockwise: bool| Shape::Path {
        start: [r, 0.0],
        pieces: vec![Piece::ArcTo { end: [r, 0.0], center: [0.0; 2], counterclockwise }],
    };
    let polar = |r: f64| 0.5 * PI * r.powi(4);
    near(area(vec![("a", circle(0.3, false))]), [PI * 0.09, polar(0.3)], 1e-13);
    let ring = vec![("hole", circle(0.2, true)), ("rim", disk([0.0; 2], 0.3))];
    near(area(ring), [PI * 0.05, polar(0.3) - polar(0.2)], 1e-13);
    // two disks beside each other, by Steiner
    let pair = vec![("a", disk([-0.5, 0.0], 0.1)), ("b", disk([0.5, 0.0], 0.1))];
    near(area(pair), [PI * 0.02, 2.0 * (polar(0.1) + PI * 0.01 * 0.25)], 1e-14);
    // a segment under a parabola y = 1 − x² over [−1, 1], its centroid at height 2/5
    let cap = Shape::Path {
        start: [-1.0, -0.4],
        pieces: vec![
            Piece::ParabolaTo { end: [1.0, -0.4], control: [0.0, 1.6] },
            Piece::LineTo([-1.0, -0.4]),
        ],
    };
    // ∫x² = 4/15, ∫y² = 32/105, less A·(2/5)²
    near(area(vec![("a", cap)]), [4.0 / 3.0, 4.0 / 15.0 + 32.0 / 105.0 - 4.0 / 3.0 * 0.16], 1e-13);
}

/// A cam by a spline through r = 1 + 0.2 cos 2φ: the spline itself is off by 1e-6, the sum over sectors by less.
#[test]
fn a_cam_against_quadrature() {
    let radius = |angle: f64| 1.0 + 0.2 * (2.0 * angle).cos();
    let n = 120;
    let points = (0..n)
        .map(|k| {
            let angle = 2.0 * PI * k as f64 / n as f64;
            [radius(angle) * angle.cos(), radius(angle) * angle.sin()]
        })
        .collect();
    let cam = Shape::Spline { through: Through::Points(points), hole: false };
    // of a periodic function the plain sum is exact
    let sum = |power: i32| {
        (0..1000).map(|k| radius(2.0 * PI * k as f64 / 1000.0).powi(power)).sum::<f64>() * 2.0 * PI / 1000.0
    };
    near(area(vec![("a", cam)]), [0.5 * sum(2), 0.25 * sum(4)], 1e-5);
}

#[test]
fn what_is_refused() {
    let expect = |body: Body, path: &str, words: &[&str]| {
        let error = Model::new(&description(body)).expect_err("a wrong body");
        assert_eq!(error.path.join("."), path, "{error}");
        for word in words {
            assert!(error.to_string().contains(word), "{error}");
        }
        error.problem
    };
    let wheel = || body(vec![("rim", disk([0.0; 2], 0.3))]);
    expect(Body { mass: 1.0, ..wheel() }, "bodies.part.mass", &["`mass`", "`density`"]);
    expect(Body { inertia: Some(1.0), ..wheel() }, "bodies.part.inertia", &["`inertia`", "`density`"]);
    expect(Body { thickness: None, ..wheel() }, "bodies.part.density", &["`thickness` is missing"]);
    expect(Body { density: Some(-1.0), ..wheel() }, "bodies.part.density", &["-1"]);
    let thick = Body { density: None, mass: 1.0, ..wheel() };
    expect(thick, "bodies.part.thickness", &["no effect"]);
    expect(body(vec![]), "bodies.part.density", &["`shapes` is missing"]);
    let open = Shape::Path { start: [0.0; 2], pieces: vec![Piece::LineTo([1.0, 0.0])] };
    expect(body(vec![("edge", open)]), "bodies.part.shapes.edge", &["encloses no area"]);
    let twice = body(vec![("a", disk([0.0; 2], 0.3)), ("b", disk([0.1, 0.0], 0.3))]);
    expect(twice, "bodies.part.shapes.b", &["`b` and `a` may overlap"]);
    let hole = Shape::Spline {
        through: Through::Points(vec![[2.0, 0.0], [2.1, 0.0], [2.1, 0.1], [2.0, 0.1]]),
        hole: true,
    };
    expect(
        body(vec![("a", disk([0.0; 2], 0.3)), ("h", hole)]),
        "bodies.part.shapes.h",
        &["none of the other"],
    );

    // off its centre: where it is, and where the frame belongs, turned with the body
    let off = Body { position: [1.0, 2.0], angle: 0.5 * PI, ..body(vec![("a", disk([0.25, 0.0], 0.3))]) };
    let problem = expect(off, "bodies.part.density", &["0.25", "-0.25", "2.25"]);
    let Problem::OffCentre { centroid, position, .. } = problem else { panic!("{problem:?}") };
    assert!((centroid[0] - 0.25).abs() < 1e-15 && (position[1] - 2.25).abs() < 1e-15);
}
