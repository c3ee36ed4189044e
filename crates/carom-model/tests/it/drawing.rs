//! What pictures need of the mechanics: undeformed places, stresses, where contacts act. Truth from beam theory, the patch
//! test, and the rows that push.
#![allow(non_snake_case)]

use crate::common::{self, Random, between};
use carom_dynamics::{Configuration, ContactKind, Directions, Settings, Simulation, State, System, scheme};
use carom_model::description::*;
use carom_model::{Description, Model};
use std::f64::consts::FRAC_PI_2;

fn model(description: &Description) -> Model {
    Model::new(description).unwrap_or_else(|error| panic!("{error}"))
}

/// A body alone.
fn alone(elastic: Elastic, position: [f64; 2], angle: f64) -> Model {
    let mut d = Description { version: 1, ..Description::default() };
    d.bodies.insert("body".into(), Body { elastic: Some(elastic), position, angle, ..Body::default() });
    model(&d)
}

/// Recorded values by name.
struct Seen(Vec<(String, f64)>);

impl Seen {
    fn at(model: &Model, q: &[f64], v: &[f64]) -> Self {
        let channels = &model.structure().channels;
        let mut out = vec![f64::INFINITY; channels.len()];
        model.observe(&Configuration::new(model, 0.0, q, v), &mut out);
        Self(channels.iter().map(|c| c.name().to_string()).zip(out).collect())
    }

    /// At rest.
    fn still(model: &Model, q: &[f64]) -> Self {
        Self::at(model, q, &vec![0.0; model.structure().sizes.v])
    }

    fn get(&self, name: &str) -> f64 {
        self.0.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no channel {name}")).1
    }

    fn touch(&self, contact: &str) -> [f64; 3] {
        ["x", "y", "angle"].map(|what| self.get(&format!("{contact}.touch.{what}")))
    }

    fn stresses(&self, body: &str) -> Vec<f64> {
        let of = |n: usize| {
            let name = format!("{body}.shape.{n}.stress");
            self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
        };
        (0..).map_while(of).collect()
    }

    /// Shape points minus the undeformed ones carried by the frame.
    fn deformation(&self, model: &Model, body: &str) -> Vec<[f64; 2]> {
        let outline = model.outlines().iter().find(|o| o.body == body).unwrap();
        let (s, c) = self.get(&format!("{body}.angle")).sin_cos();
        let origin = ["x", "y"].map(|what| self.get(&format!("{body}.{what}")));
        let of = |(n, [x, y]): (usize, &[f64; 2])| {
            let carried = [origin[0] + c * x - s * y, origin[1] + s * x + c * y];
            let shape = ["x", "y"].map(|what| self.get(&format!("{body}.shape.{n}.{what}")));
            [shape[0] - carried[0], shape[1] - carried[1]]
        };
        outline.reference.iter().enumerate().map(of).collect()
    }
}

const E: f64 = 2e11;
const A: f64 = 2e-4;
const I: f64 = 4.0 / 3.0 * 1e-9;
/// √(3 I/A), half the height of the rectangle with this A and I.
const C: f64 = 0.004472135954999579;

fn bar() -> Bar {
    Bar {
        length: 1.5,
        elements: 90,
        young: E,
        area: A,
        density: 7800.0,
        lumped: false,
        damping: Damping::default(),
    }
}

fn beam(elements: usize) -> Beam {
    Beam { length: 2.0, elements, young: E, area: A, second_moment: I, density: 7800.0, ..Beam::default() }
}

fn block(element: ElementKind, plane: Plane) -> Solid {
    Solid {
        block: Some(Block { size: [2.0, 1.0], elements: [4, 3], element, origin: Origin::Center }),
        plane,
        young: E,
        poisson: 0.3,
        density: 7800.0,
        thickness: 0.01,
        reference: Reference::Pinned,
        ..Solid::default()
    }
}

fn exact(order: u8) -> ExactBeam {
    ExactBeam {
        length: 1.0,
        elements: 8,
        young: 1e6,
        poisson: 0.3,
        area: 1e-2,
        second_moment: 1e-5,
        shear_area: None,
        density: 100.0,
        order,
        lumped: false,
        damping: Damping { mass: 20.0, stiffness: 0.01, ..Damping::default() },
    }
}

/// Wherever a body stands, its frame carries the undeformed points to the recorded ones.
#[test]
fn the_frame_carries_the_reference_onto_the_undeformed_body() {
    let modal = Beam { modes: Some(Modes::Count(3)), reference: Reference::MeanAxis, ..beam(6) };
    let all = [
        Elastic::Bar(bar()),
        Elastic::Beam(beam(6)),
        Elastic::Beam(modal),
        Elastic::ExactBeam(exact(1)),
        Elastic::ExactBeam(exact(2)),
        Elastic::Solid(Box::new(block(ElementKind::Q8, Plane::Stress))),
    ];
    for elastic in all {
        let model = alone(elastic.clone(), [3.0, -2.0], 0.7);
        let seen = Seen::still(&model, model.described_position());
        let deformation = seen.deformation(&model, "body");
        assert!(deformation.len() > 4, "{elastic:?}");
        for d in &deformation {
            assert!(d[0].hypot(d[1]) < 1e-14, "{elastic:?}: {d:?}");
        }
        assert_eq!(seen.stresses("body").len(), deformation.len());
        assert!(seen.stresses("body").iter().all(|&s| s < 1e-5 * 1e6), "{:?}", seen.stresses("body"));
    }
}

/// A cantilever by the shape functions' own answer, exact at nodes:  w = F x² (3L − x)/6EI,  M = F (L − x). Whether the
/// height is told or taken from A and I; stretched besides.
#[test]
fn a_cantilever_is_worked_as_beam_theory_says() {
    let (n, L, F, N) = (8, 2.0, 3.0, -500.0);
    for (height, c) in [(None, C), (Some(0.01), 0.005)] {
        let model = alone(Elastic::Beam(Beam { height, ..beam(n) }), [1.0, 1.0], 0.4);
        let mut q = model.described_position().to_vec();
        for i in 1..=n {
            let x = L * i as f64 / n as f64;
            q[3 * i] = N * x / (E * A);
            q[3 * i + 1] = F * x * x * (3.0 * L - x) / (6.0 * E * I);
            q[3 * i + 2] = F * x * (2.0 * L - x) / (2.0 * E * I);
        }
        let seen = Seen::still(&model, &q);
        for (i, stress) in seen.stresses("body").into_iter().enumerate() {
            let x = L * i as f64 / n as f64;
            let truth = N.abs() / A + F * (L - x) * c / I;
            assert!((stress - truth).abs() < 1e-9 * truth, "node {i}: {stress} {truth}");
        }
        // and what is drawn is the deflection, turned with the frame
        let (s, c) = 0.4_f64.sin_cos();
        let [x, y] = seen.deformation(&model, "body")[n];
        assert!((c * y - s * x - F * L * L * L / (3.0 * E * I)).abs() < 1e-13);
        assert!((c * x + s * y - N * L / (E * A)).abs() < 1e-13);
    }
}

/// Root and tip show what the recorded section forces make, however the beam is reduced and whether or not it stiffens.
#[test]
fn stresses_are_those_of_the_section_forces() {
    let modes = Some(Modes::Count(4));
    let all = [
        beam(5),
        Beam { stiffening: true, ..beam(5) },
        Beam { reference: Reference::Articulated, ..beam(5) },
        Beam { modes: modes.clone(), ..beam(5) },
        Beam { modes, reference: Reference::MeanAxis, ..beam(5) },
    ];
    for beam in all {
        let model = alone(Elastic::Beam(beam.clone()), [0.0; 2], 0.0);
        let q = Random::new(5).vector(model.structure().sizes.q, 0.01);
        let seen = Seen::still(&model, &q);
        let stresses = seen.stresses("body");
        for (n, end) in [(0, "root"), (5, "tip")] {
            let of = |what: &str| seen.get(&format!("body.{end}.{what}")).abs();
            let truth = of("normal") / A + of("moment") * C / I;
            assert!(truth > 1e3 && (stresses[n] - truth).abs() < 1e-11 * truth, "{beam:?}");
        }
    }
}

/// Hung up and pulled: F/A everywhere. By its own weight: ρ g (L − X), which the mean of both sides of a node meets.
#[test]
fn a_bar_is_pulled_as_it_should() {
    let (bar, F) = (bar(), -1200.0);
    let (L, n) = (bar.length, bar.elements);
    let X = |i: usize| L * i as f64 / n as f64;
    let model = alone(Elastic::Bar(bar), [0.3, 0.1], -FRAC_PI_2);
    let pulled: Vec<f64> = (0..=n).map(|i| F * X(i) / (E * A)).collect();
    let stresses = Seen::still(&model, &pulled).stresses("body");
    assert_eq!(stresses.len(), 31, "at most 40 pieces");
    assert!(stresses.iter().all(|s| (s - F.abs() / A).abs() < 1e-7 * s), "{stresses:?}");
    let weight = 7800.0 * 9.81;
    let hung: Vec<f64> = (0..=n).map(|i| weight * X(i) * (L - 0.5 * X(i)) / E).collect();
    let stresses = Seen::still(&model, &hung).stresses("body");
    for (k, s) in stresses.iter().enumerate().skip(1).take(29) {
        let truth = weight * (L - X(3 * k));
        assert!((s - truth).abs() < 1e-6 * weight, "{k}: {s} {truth}");
    }
}

/// Fills nodal coordinates by their names.
fn displaced(model: &Model, nodes: &[[f64; 2]], u: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<f64> {
    let mut q = model.described_position().to_vec();
    for (i, q) in q.iter_mut().enumerate() {
        let name = model.structure().velocities[i].name.clone();
        let Some((node, axis)) = name.strip_prefix("body.node ").and_then(|rest| rest.split_once('.')) else {
            continue;
        };
        let node: usize = node.parse().unwrap();
        *q = u(nodes[node])[usize::from(axis == "y")];
    }
    q
}

/// Uniform tension σ: von Mises' stress is σ in plane stress and σ √(1 − ν + ν²) in plane strain, at every node of every
/// kind of element, distorted ones too.
#[test]
fn the_patch_test_by_stress() {
    let (sigma, nu) = (5e6_f64, 0.3_f64);
    let distorted = Mesh::Inline(InlineMesh {
        nodes: vec![
            [-1.0, -0.5],
            [0.2, -0.5],
            [1.0, -0.5],
            [-1.0, 0.1],
            [-0.1, -0.1],
            [1.0, 0.2],
            [-1.0, 0.5],
            [0.3, 0.5],
            [1.0, 0.5],
        ],
        elements: vec![vec![0, 1, 4, 3], vec![1, 2, 5, 4], vec![3, 4, 7, 6], vec![4, 5, 8, 7]],
        ..InlineMesh::default()
    });
    for plane in [Plane::Stress, Plane::Strain] {
        let kinds =
            [ElementKind::T3, ElementKind::Q4, ElementKind::Q4Incompatible, ElementKind::T6, ElementKind::Q8];
        let mut solids: Vec<Solid> = kinds.map(|kind| block(kind, plane)).into();
        for incompatible in [false, true] {
            let mesh = Some(distorted.clone());
            solids.push(Solid { block: None, mesh, incompatible, ..block(ElementKind::Q4, plane) });
        }
        for solid in solids {
            let model = alone(Elastic::Solid(Box::new(solid.clone())), [1.0, 2.0], 0.3);
            let nodes = model.elastic("body").unwrap().elements().nodes().to_vec();
            let (along, across, factor) = match plane {
                Plane::Stress => (1.0, -nu, 1.0),
                Plane::Strain => (1.0 - nu * nu, -nu * (1.0 + nu), (1.0 - nu + nu * nu).sqrt()),
            };
            // as the pinned frame sees it: the lower left corner stays, the lower right at its height
            let q = displaced(&model, &nodes, |[x, y]| {
                [sigma / E * along * (x + 1.0), sigma / E * across * (y + 0.5)]
            });
            let stresses = Seen::still(&model, &q).stresses("body");
            assert!(stresses.len() >= 8);
            for s in &stresses {
                assert!((s - sigma * factor).abs() < 1e-9 * sigma, "{solid:?}: {stresses:?}");
            }
        }
    }
}

/// Rolled into a circle: the same moment EI κ everywhere and nothing else.
#[test]
fn a_rolled_beam_is_worked_evenly() {
    let beam = exact(1);
    let (n, kappa) = (beam.elements, 2.0);
    let c = (3.0 * beam.second_moment / beam.area).sqrt();
    let truth = beam.young * c * kappa;
    let model = alone(Elastic::ExactBeam(beam), [0.0; 2], 0.0);
    let l = 1.0 / n as f64;
    let mut q = vec![0.0; model.structure().sizes.q];
    for i in 1..=n {
        let middle: f64 = kappa * l * (i as f64 - 0.5);
        q[3 * i] = q[3 * i - 3] + l * middle.cos();
        q[3 * i + 1] = q[3 * i - 2] + l * middle.sin();
        q[3 * i + 2] = kappa * l * i as f64;
    }
    let seen = Seen::still(&model, &q);
    for s in seen.stresses("body") {
        assert!((s - truth).abs() < 1e-9 * truth, "{s} {truth}");
    }
}

/// Clamped and left to its weight, almost straight: M = ρA g (L − s)²/2 at every node.
#[test]
fn a_sagging_exact_beam_is_worked_as_beam_theory_says() {
    for order in [1, 2] {
        let beam = exact(order);
        let (g, line) = (0.1, beam.density * beam.area);
        let c = (3.0 * beam.second_moment / beam.area).sqrt();
        let per_moment = c / beam.second_moment;
        let mut d = Description { version: 1, gravity: [0.0, -g], ..Description::default() };
        d.ground.points.insert("wall".into(), Point::At([0.0; 2]));
        let body = Body { elastic: Some(Elastic::ExactBeam(beam)), ..Body::default() };
        d.bodies.insert("body".into(), body.with_point("root", [0.0; 2]));
        d.joints.insert("clamp".into(), Joint::Weld(Weld { between: between("ground.wall", "body.root") }));
        let model = model(&d);
        let (q, v) = (model.described_position().to_vec(), model.described_velocity().to_vec());
        let state = State::new(&model, 0.0, q, v);
        let settings = Settings { step: 0.02, end: 20.0, accuracy: None, output: Some(20.0) };
        let (euler, solver) = (scheme("moreau-jean", &[("theta", 1.0)]), carom_solve::solver("auto"));
        let mut run = Simulation::new(&model, &*euler.unwrap(), solver.unwrap(), state, settings).unwrap();
        while !run.is_done() {
            run.advance();
        }
        let stresses = Seen::at(&model, &run.state().q, &run.state().v).stresses("body");
        let nodes = stresses.len() - 1;
        let root = line * g * 0.5 * per_moment;
        for (i, s) in stresses.iter().enumerate() {
            let rest = 1.0 - i as f64 / nodes as f64;
            // an element of length 1/8 has an error of order l²
            assert!((s - root * rest * rest).abs() < 0.02 * root, "order {order}, node {i}: {s} {root}");
        }
        assert!((stresses[0] - root).abs() < 0.01 * root, "order {order}: {} {root}", stresses[0]);
    }
}

#[test]
fn a_ball_on_a_floor() {
    for (between, angle) in
        [(["ball.rim", "ground.floor"], FRAC_PI_2), (["ground.floor", "ball.rim"], -FRAC_PI_2)]
    {
        let mut d = Description { version: 1, ..Description::default() };
        d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, 0.5], normal: [0.0, 3.0] });
        let rim = Shape::Disk { center: [0.0; 2], radius: 0.2 };
        d.bodies.insert("ball".into(), Body::rigid(1.0, 0.1, [3.0, 0.7]).with_shape("rim", rim));
        d.contacts.insert("bounce".into(), Contact::between(between[0], between[1]));
        let model = model(&d);
        let touch = Seen::still(&model, model.described_position()).touch("bounce");
        assert!((touch[0] - 3.0).abs() + (touch[1] - 0.5).abs() < 1e-15, "{touch:?}");
        assert_eq!(touch[2], angle);
    }
}

/// On a slope the place is on the slope and the normal across it.
#[test]
fn a_disk_on_a_slope() {
    let (slope, rho) = (0.3_f64, 0.25);
    let (s, c) = slope.sin_cos();
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.shapes.insert("slope".into(), Shape::Line { through: [1.0, 1.0], normal: [-s, c] });
    let along = 0.8;
    let centre = [1.0 + along * c - rho * s, 1.0 + along * s + rho * c];
    let rim = Shape::Disk { center: [0.0; 2], radius: rho };
    d.bodies.insert("disk".into(), Body::rigid(1.0, 0.1, centre).with_shape("rim", rim));
    d.contacts
        .insert("roll".into(), Contact { friction: 0.4, ..Contact::between("disk.rim", "ground.slope") });
    let model = model(&d);
    for turned in [0.0, 1.0, 5.0] {
        let mut q = model.described_position().to_vec();
        q[2] = turned;
        let [x, y, angle] = Seen::still(&model, &q).touch("roll");
        assert!((x - 1.0 - along * c).abs() + (y - 1.0 - along * s).abs() < 1e-14);
        assert!((angle - FRAC_PI_2 - slope).abs() < 1e-15);
    }
}

/// A pin at the wall of its hole touches there and pushes the hole outwards; in the middle there is no direction.
#[test]
fn a_pin_in_its_hole() {
    let (pin, clearance, hole) = (0.05, 0.01, [0.4, 0.2]);
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.points.insert("hole".into(), Point::At(hole));
    let rod = Body::rigid(1.0, 0.1, [hole[0] - 0.3, hole[1]]);
    d.bodies.insert("rod".into(), rod.with_point("pin", [0.3, 0.0]));
    let Joint::Revolute(Revolute { between, .. }) = Joint::revolute("ground.hole", "rod.pin") else {
        unreachable!()
    };
    let joint = Joint::Revolute(Revolute {
        between,
        clearance: Some(clearance),
        restitution: 0.0,
        friction: 0.0,
        pin_radius: pin,
        friction_torque: 0.0,
        ..Revolute::default()
    });
    d.joints.insert("bearing".into(), joint);
    let model = model(&d);
    for direction in [0.0_f64, 1.0, 2.5, -2.0] {
        let (s, c) = direction.sin_cos();
        let q = [hole[0] + clearance * c - 0.3, hole[1] + clearance * s, 0.0];
        let [x, y, angle] = Seen::still(&model, &q).touch("bearing");
        let radius = pin + clearance;
        assert!((x - hole[0] - radius * c).abs() + (y - hole[1] - radius * s).abs() < 1e-14);
        assert!((angle - direction).abs() < 1e-12, "{angle} {direction}");
    }
    let middle = Seen::still(&model, &[hole[0] - 0.3, hole[1], 0.0]);
    assert!(middle.touch("bearing").iter().all(|x| x.is_nan()), "{:?}", middle.touch("bearing"));
}

/// Corner 3, lower left, on the lower wall of a tilted guide: the guide is pushed away from the slider.
#[test]
fn a_slider_on_its_lower_wall() {
    let (tilt, size, clearance) = (0.2_f64, [0.3, 0.1], 0.02);
    let (s, c) = tilt.sin_cos();
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.points.insert("guide".into(), Point::Frame { at: [0.0; 2], angle: tilt });
    let mut slider = Body::rigid(1.0, 0.1, [clearance * s, -clearance * c]);
    slider.angle = tilt;
    d.bodies.insert("slider".into(), slider);
    let joint = Joint::Prismatic(Prismatic {
        between: between("ground.guide", "slider"),
        clearance: Some(clearance),
        size: Some(size),
        restitution: 0.0,
        friction: 0.1,
        friction_force: 0.0,
        ..Prismatic::default()
    });
    d.joints.insert("guide".into(), joint);
    let model = model(&d);
    let seen = Seen::still(&model, model.described_position());
    for (corner, along, side) in [(1, -0.15, 1.0), (2, 0.15, 1.0), (3, -0.15, -1.0), (4, 0.15, -1.0)] {
        let [x, y, angle] = seen.touch(&format!("guide.{corner}"));
        let up = side * 0.05 - clearance;
        let place = [along * c - up * s, along * s + up * c];
        assert!((x - place[0]).abs() + (y - place[1]).abs() < 1e-15, "{corner}");
        assert!((angle - tilt - side * FRAC_PI_2).abs() < 1e-14, "{corner}: {angle}");
    }
    // dry friction has no place
    let names: Vec<String> = model.structure().channels.iter().map(|c| c.name().to_string()).collect();
    assert!(!names.iter().any(|name| name.contains("friction.touch")));
}

/// Two soft blocks, one on the other, and a rigid ball beside them.
fn soft_company() -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -1.0], normal: [0.1, 1.0] });
    let soft = |position: [f64; 2], angle| Body {
        elastic: Some(Elastic::Solid(Box::new(Solid {
            young: 1e3,
            ..block(ElementKind::Q4, Plane::Stress)
        }))),
        position,
        angle,
        ..Body::default()
    };
    d.bodies.insert("low".into(), soft([0.0, 0.0], 0.1));
    d.bodies.insert("high".into(), soft([0.3, 1.3], -0.2));
    let rim = Shape::Disk { center: [0.02, 0.0], radius: 0.2 };
    d.bodies.insert("ball".into(), Body::rigid(1.0, 0.1, [-1.4, 0.4]).with_shape("rim", rim));
    let mut rub = |name: &str, a: &str, b: &str| {
        d.contacts.insert(name.into(), Contact { friction: 0.3, ..Contact::between(a, b) });
    };
    rub("stand", "low.bottom", "ground.floor");
    rub("stack", "low.top", "high.bottom");
    rub("hit", "ball.rim", "high.boundary");
    rub("struck", "low.boundary", "ball.rim");
    d
}

/// Against the rows of the equations of motion: a unit of `force_n` pushes the first partner by one along the angle, at the
/// place; a unit of `force_t` by one along the angle − 90°. The partner named second feels the opposite.
#[test]
fn contacts_push_where_and_whither_they_are_drawn() {
    let mut seen_nan = 0;
    for d in [common::contacts(), common::clearances(), soft_company()] {
        let model = model(&d);
        for seed in 0..10 {
            let mut random = Random::new(seed + 3);
            let spread = random.vector(model.structure().sizes.q, 0.05);
            let q: Vec<f64> = model.described_position().iter().zip(spread).map(|(a, b)| a + b).collect();
            let seen = Seen::still(&model, &q);
            let at = Configuration::new(&model, 0.0, &q, &vec![0.0; q.len()]);
            let mut gaps = vec![0.0; model.structure().sizes.contacts];
            model.gaps(&at, &mut gaps);
            let soft =
                |name: &str| ["stand", "stack", "hit", "struck"].iter().any(|key| name.starts_with(key));
            let all = &model.structure().contacts;
            for (i, info) in all.iter().enumerate() {
                if let ContactKind::Dry { .. } = info.kind {
                    continue;
                }
                // of all places that two outlines touch, the nearest is drawn
                let nearest = (0..all.len()).filter(|&k| all[k].name == info.name);
                if nearest.min_by(|&a, &b| gaps[a].total_cmp(&gaps[b])) != Some(i) {
                    continue;
                }
                let [x, y, angle] = seen.touch(&info.name);
                let far = gaps[i] == f64::INFINITY
                    || (soft(&info.name) && gaps[i] > 0.05 * model.structure().length_scale);
                assert!(!x.is_nan() || far, "{}", info.name);
                assert!(x.is_nan() || gaps[i] < f64::INFINITY, "{}", info.name);
                if x.is_nan() {
                    seen_nan += 1;
                    continue;
                }
                let mut W = Directions::default();
                model.directions(&at, &[i], &mut W);
                let named = |key: &str| info.name == key || info.name.starts_with(&format!("{key}."));
                let pair = match d.contacts.iter().find(|(key, _)| named(key)) {
                    Some((_, contact)) => contact.between.clone(),
                    None => match d.joints.iter().find(|(key, _)| named(key)).unwrap().1 {
                        Joint::Revolute(Revolute { between, .. })
                        | Joint::Prismatic(Prismatic { between, .. }) => between.clone(),
                        other => panic!("{other:?}"),
                    },
                };
                for (partner, sign) in pair.iter().zip([1.0, -1.0]) {
                    let body = partner.split('.').next().unwrap();
                    let Some(own) = model.coordinates_of(body) else { continue };
                    for (row, turned) in [(0, 0.0), (1, -FRAC_PI_2)].into_iter().take(W.rows()) {
                        let (columns, values) = W.row(row);
                        let force = |k: usize| -> f64 {
                            let mine =
                                columns.iter().zip(values).filter(|(c, _)| **c as usize == own.start + k);
                            mine.map(|(_, value)| value).sum()
                        };
                        let push = [(angle + turned).cos() * sign, (angle + turned).sin() * sign];
                        let what = format!("{} on {body}, row {row}", info.name);
                        assert!((force(0) - push[0]).abs() + (force(1) - push[1]).abs() < 1e-12, "{what}");
                        if own.len() > 2 {
                            let arm = [x - q[own.start], y - q[own.start + 1]];
                            let torque = arm[0] * push[1] - arm[1] * push[0];
                            assert!((force(2) - torque).abs() < 1e-12, "{what}: {} {torque}", force(2));
                        }
                    }
                }
            }
        }
    }
    assert!(seen_nan > 10, "pieces that face nothing");
}
