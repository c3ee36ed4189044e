//! Contact of flexible boundaries: derivatives, distances against exact ones, momentum, collisions, bad input.
#![allow(non_snake_case)]

use crate::common::Random;
use carom_dynamics::{
    Configuration, Directions, Settings, Simulation, State, System, check_derivatives, scheme,
};
use carom_model::description::*;
use carom_model::{Description, Model};

fn model(description: &Description) -> Model {
    Model::new(description).unwrap_or_else(|error| panic!("{error}"))
}

fn material() -> Solid {
    Solid {
        thickness: 1.0,
        young: 1000.0,
        poisson: 0.3,
        density: 2.0,
        reference: Reference::Pinned,
        ..Solid::default()
    }
}

fn solid(solid: Solid, position: [f64; 2], angle: f64) -> Body {
    Body { elastic: Some(Elastic::Solid(Box::new(solid))), position, angle, ..Body::default() }
}

fn block(size: [f64; 2], elements: [usize; 2], element: ElementKind) -> Solid {
    Solid { block: Some(Block { size, elements, element, origin: Origin::Center }), ..material() }
}

fn disk(radius: f64, rings: usize, element: ElementKind) -> Solid {
    Solid { disk: Some(Disk { radius, rings, element }), ..material() }
}

fn rubbing(first: &str, second: &str) -> Contact {
    Contact { friction: 0.3, ..Contact::between(first, second) }
}

/// A block, a disk by its modes, a rigid box, a rigid disk, a point mass, all near each other, and a ground.
fn company() -> Description {
    let mut d = Description { version: 1, gravity: [0.2, -9.81], ..Description::default() };
    let floor = Shape::Line { through: [0.0, -0.1], normal: [0.1, 1.0] };
    d.ground.shapes.insert("floor".into(), floor);
    d.bodies.insert("a".into(), solid(block([1.0, 0.6], [2, 1], ElementKind::Q8), [0.0, 0.5], 0.1));
    let round = Solid {
        modes: Some(Modes::Count(5)),
        reference: Reference::MeanAxis,
        ..disk(0.4, 2, ElementKind::T3)
    };
    d.bodies.insert("b".into(), solid(round, [0.1, 1.4], -0.4));
    let corners = vec![[-0.3, -0.2], [0.3, -0.2], [0.0, 0.3]];
    let box_ = Body::rigid(1.0, 0.1, [-1.0, 0.5]).with_shape("wedge", Shape::Polygon { corners });
    d.bodies.insert("r".into(), box_);
    let ball =
        Body::rigid(1.0, 0.1, [1.0, 0.8]).with_shape("rim", Shape::Disk { center: [0.02, 0.0], radius: 0.2 });
    d.bodies.insert("d".into(), ball);
    d.bodies.insert("p".into(), Body::point_mass(0.4, [0.8, 1.6]));
    let mut add = |name: &str, contact: Contact| d.contacts.insert(name.into(), contact);
    add("floor", rubbing("a.bottom", "ground.floor"));
    add("soft", rubbing("a.boundary", "b.boundary"));
    add("wedge", rubbing("r.wedge", "a.left"));
    add("ball", rubbing("b.boundary", "d.rim"));
    add("point", rubbing("a.top", "p"));
    d
}

/// Places and motions around the described ones; deformations are small.
fn random_state(model: &Model, random: &mut Random, spread: f64) -> (Vec<f64>, Vec<f64>) {
    let q = model.described_position();
    let frames = ["a", "b", "r", "d", "p"];
    let n = q.len();
    let mut is_frame = vec![false; n];
    let mut first = 0;
    for (body, dofs) in frames.iter().zip(body_dofs(model)) {
        let _ = body;
        (first..first + dofs.min(3)).for_each(|i| is_frame[i] = true);
        first += dofs;
    }
    let q = (0..n).map(|i| q[i] + random.next() * if is_frame[i] { spread } else { 0.03 }).collect();
    let v = (0..n).map(|i| random.next() * if is_frame[i] { 1.5 } else { 0.5 }).collect();
    (q, v)
}

/// Coordinates of a, b, r, d, p: a has 13 nodes and three held coordinates.
fn body_dofs(model: &Model) -> [usize; 5] {
    let dofs = [3 + 26 - 3, 3 + 5, 3, 3, 2];
    assert_eq!(model.structure().sizes.q, dofs.iter().sum::<usize>());
    dofs
}

#[test]
fn derivatives_are_exact() {
    let model = model(&company());
    let mut random = Random::new(5);
    for seed in 0..60 {
        let (q, v) = random_state(&model, &mut random, 0.35);
        let wrong = check_derivatives(&model, 0.0, &q, &v, 1e-6);
        assert!(wrong.is_empty(), "{seed}: {wrong:#?}");
    }
}

/// A contact gives both bodies opposite momenta, linear and angular, also where it is open or sunk in.
#[test]
fn rows_exchange_momentum_and_make_none() {
    let model = model(&company());
    let dofs = body_dofs(&model);
    let mut random = Random::new(11);
    let inner: Vec<usize> = (0..model.structure().sizes.contacts)
        .filter(|&i| !model.structure().contacts[i].name.starts_with("floor"))
        .collect();
    assert!(inner.len() > 30, "{}", inner.len());
    for _ in 0..50 {
        let (q, v) = random_state(&model, &mut random, 0.35);
        let at = Configuration::new(&model, 0.0, &q, &v);
        let mut W = Directions::default();
        model.directions(&at, &inner, &mut W);
        assert_eq!(W.rows(), 2 * inner.len());
        for row in 0..W.rows() {
            let (columns, values) = W.row(row);
            let mut sum = [0.0; 3];
            for (&column, value) in columns.iter().zip(values) {
                let mut first = 0;
                for dofs in dofs {
                    let local = (column as usize).wrapping_sub(first);
                    match local {
                        0 => {
                            sum[0] += value;
                            sum[2] -= q[first + 1] * value;
                        }
                        1 => {
                            sum[1] += value;
                            sum[2] += q[first] * value;
                        }
                        // the third coordinate of a frame; a point mass has two
                        2 if dofs > 2 => sum[2] += value,
                        _ => {}
                    }
                    first += dofs;
                }
            }
            assert!(sum.iter().all(|s| s.abs() < 1e-13), "row {row} makes {sum:?}");
        }
    }
}

/// Gap of a point mass at p.
fn gap(model: &Model, p: [f64; 2]) -> f64 {
    let mut q = model.described_position().to_vec();
    let n = q.len();
    q[n - 2..].copy_from_slice(&p);
    let at = Configuration::new(model, 0.0, &q, &vec![0.0; n]);
    let mut gaps = vec![f64::NAN; model.structure().sizes.contacts];
    model.gaps(&at, &mut gaps);
    gaps[0]
}

fn with_point(body: Body, boundary: &str) -> Model {
    let mut d = Description { version: 1, ..Description::default() };
    d.bodies.insert("body".into(), body);
    d.bodies.insert("p".into(), Body::point_mass(1.0, [5.0, 5.0]));
    d.contacts.insert("touch".into(), Contact::between("p", &format!("body.{boundary}")));
    model(&d)
}

#[test]
fn the_gap_to_a_block_is_the_distance_to_a_rectangle() {
    let (center, angle) = ([0.3, -0.2], 0.4_f64);
    for element in [ElementKind::T3, ElementKind::Q4, ElementKind::Q8] {
        let body = solid(block([1.0, 0.6], [3, 2], element), center, angle);
        let model = with_point(body, "boundary");
        let mut random = Random::new(3);
        for _ in 0..500 {
            let local = [1.2 * random.next(), 0.9 * random.next()];
            let (s, c) = angle.sin_cos();
            let p = [center[0] + c * local[0] - s * local[1], center[1] + s * local[0] + c * local[1]];
            let d = [local[0].abs() - 0.5, local[1].abs() - 0.3];
            let outside = d[0].max(0.0).hypot(d[1].max(0.0));
            let exact = outside + d[0].max(d[1]).min(0.0);
            let got = gap(&model, p);
            assert!((got - exact).abs() < 1e-14, "{element:?} {local:?}: {got}, {exact}");
        }
    }
}

#[test]
fn the_gap_to_a_disk_is_continuous_outside_and_symmetric_inside() {
    let model = with_point(solid(disk(1.0, 4, ElementKind::T3), [0.0, 0.0], 0.0), "boundary");
    // the chords are inside the circle by 1 − cos(π/24)
    let sagitta = 1.0 - (std::f64::consts::PI / 24.0).cos();
    let at = |r: f64, a: f64| gap(&model, [r * a.cos(), r * a.sin()]);
    for r in [0.8, 0.99, 1.0, 1.01, 1.5] {
        let mut last = at(r, 0.0);
        for i in 1..=3000 {
            let a = i as f64 * 1e-3;
            let g = at(r, a);
            // inside, between the normals at a node, the way to the node is longer than that to the segments, by less
            // than 1/cos 15° where the rim bends by 15° at each node
            let slack = 1e-14 + 0.036 * (1.0 - r).max(0.0);
            assert!(g >= r - 1.0 - slack && g <= r - 1.0 + sagitta + 1e-14, "{r} {a}: {g}");
            assert!((g - last).abs() <= 1e-3 * r + slack, "{r} {a}: from {last} to {g}");
            last = g;
        }
    }
    // sunk in at a node, head-on: the normal is that of the circle
    let mut q = model.described_position().to_vec();
    let n = q.len();
    for depth in [-1e-3, 1e-9, 1e-3, 0.1] {
        q[n - 2..].copy_from_slice(&[1.0 - depth, 0.0]);
        let at = Configuration::new(&model, 0.0, &q, &vec![0.0; n]);
        let mut W = Directions::default();
        model.directions(&at, &[0], &mut W);
        let (columns, values) = W.row(0);
        let of =
            |i: usize| columns.iter().zip(values).filter(|c| *c.0 as usize == i).map(|c| c.1).sum::<f64>();
        assert!(
            (of(n - 2) - 1.0).abs() < 1e-12 && of(n - 1).abs() < 1e-12,
            "{depth}: {} {}",
            of(n - 2),
            of(n - 1)
        );
        assert!((gap(&model, [1.0 - depth, 0.0]) + depth).abs() < 1e-15);
    }
}

/// Total momentum and angular momentum about the origin.
fn momentum(model: &Model, frames: &[usize], state: &State) -> [f64; 3] {
    let pattern = &model.structure().pattern.mass;
    let mut M = vec![f64::NAN; pattern.len()];
    model.mass(&Configuration::new(model, 0.0, &state.q, &state.v), &mut M);
    let mut p = vec![0.0; state.v.len()];
    for (&(i, j), m) in pattern.iter().zip(M) {
        let (i, j) = (i as usize, j as usize);
        p[i] += m * state.v[j];
        if i != j {
            p[j] += m * state.v[i];
        }
    }
    let mut sum = [0.0; 3];
    for &f in frames {
        sum[0] += p[f];
        sum[1] += p[f + 1];
        sum[2] += p[f + 2] + state.q[f] * p[f + 1] - state.q[f + 1] * p[f];
    }
    sum
}

/// Two blocks in free flight that meet off-centre, with friction.
fn collision() -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    let soft = Solid { young: 2e4, ..block([1.0, 0.6], [2, 1], ElementKind::Q4) };
    let mut left = solid(soft.clone(), [-0.6, 0.0], 0.1);
    left.velocity = [1.0, 0.2];
    left.angular_velocity = 0.4;
    let mut right = solid(soft, [0.6, 0.25], -0.25);
    right.velocity = [-0.6, 0.0];
    d.bodies.insert("left".into(), left);
    d.bodies.insert("right".into(), right);
    d.contacts.insert("meet".into(), rubbing("left.boundary", "right.boundary"));
    d
}

/// Runs the collision: largest change of momentum, deepest penetration, energy at start and end, impulse exchanged.
fn collide(step: f64) -> ([f64; 3], f64, [f64; 2], f64) {
    let model = model(&collision());
    let frames = [0, model.structure().sizes.q / 2];
    let (q, v) = (model.described_position().to_vec(), model.described_velocity().to_vec());
    let start = State::new(&model, 0.0, q, v);
    let settings = Settings { step, end: 0.4, accuracy: None, output: Some(0.1) };
    let scheme = scheme("moreau-midpoint", &[]).expect("a scheme");
    let solver = carom_solve::solver("auto").expect("a solver");
    let mut simulation = Simulation::new(&model, &*scheme, solver, start, settings).expect("a good start");
    let energy = |state: &State| model.energy(&Configuration::new(&model, 0.0, &state.q, &state.v)).total();
    let (first, before) = (momentum(&model, &frames, simulation.state()), energy(simulation.state()));
    let alone = momentum(&model, &frames[..1], simulation.state());
    let (mut least, mut worst) = (f64::INFINITY, [0.0_f64; 3]);
    let mut gaps = vec![0.0; model.structure().sizes.contacts];
    while !simulation.is_done() {
        simulation.advance();
        let state = simulation.state();
        model.gaps(&Configuration::new(&model, state.t, &state.q, &state.v), &mut gaps);
        least = gaps.iter().copied().fold(least, f64::min);
        let now = momentum(&model, &frames, state);
        (0..3).for_each(|i| worst[i] = worst[i].max((now[i] - first[i]).abs()));
    }
    let state = simulation.state();
    let given = momentum(&model, &frames[..1], state)[0] - alone[0];
    (worst, -least, [before, energy(state)], given.abs())
}

/// What remains is the error of the step, since rows make no momentum: it falls with the step as the scheme's does.
#[test]
fn colliding_blocks_keep_their_momentum() {
    let (coarse, fine) = (collide(4e-4), collide(5e-5));
    let most = |worst: [f64; 3]| worst.into_iter().fold(0.0, f64::max);
    assert!(fine.3 > 0.5, "they meet: impulse {}", fine.3);
    assert!(most(fine.0) < 3e-4 * fine.3, "{:?}", fine.0);
    assert!(most(fine.0) < 0.25 * most(coarse.0), "{:?} after {:?}", fine.0, coarse.0);
    // held at velocity level: a part of the way of one step remains, 1.6 m/s · 5e-5 s
    assert!(fine.1 < 8e-5, "{}", fine.1);
    let [before, after] = fine.2;
    assert!(after < before && after > 0.5 * before, "{before} to {after}");
}

fn errors(d: &Description) -> Vec<String> {
    let errors = Model::build(d).err().unwrap_or_default();
    errors.iter().map(|e| format!("{}: {} -> {}", e.path.join("."), e.problem, e.remedy())).collect()
}

#[test]
fn bad_solids_are_refused_with_place_and_remedy() {
    let said = |change: &dyn Fn(&mut Description)| {
        let mut d = company();
        change(&mut d);
        errors(&d).first().cloned().unwrap_or_else(|| "nothing".into())
    };
    let elastic = |change: &dyn Fn(&mut Solid)| {
        said(&|d| {
            let Some(Elastic::Solid(solid)) = &mut d.bodies["a"].elastic else { panic!("a solid") };
            change(solid);
        })
    };
    assert_eq!(said(&|_| ()), "nothing");
    let has = |text: String, words: &[&str]| {
        words.iter().for_each(|word| assert!(text.contains(word), "{word} is not in: {text}"));
    };
    has(elastic(&|s| s.young = 0.0), &["bodies.a.elastic.young", "0"]);
    has(elastic(&|s| s.poisson = 0.5), &["bodies.a.elastic.poisson", "less than 0.5"]);
    has(elastic(&|s| s.block = None), &["bodies.a.elastic", "no mesh", "`block`, `disk` and `mesh`"]);
    let two = elastic(&|s| s.disk = Some(Disk { radius: 1.0, rings: 2, element: ElementKind::T3 }));
    has(two, &["2 meshes: block, disk"]);
    has(
        elastic(&|s| (s.clamp, s.reference) = (Some("front".into()), Reference::Clamped)),
        &["bodies.a.elastic.clamp", "`front`", "boundary, bottom"],
    );
    has(elastic(&|s| s.stress = vec!["tip".into()]), &["bodies.a.elastic.stress.0", "`tip`"]);
    let file = |s: &mut Solid| (s.block, s.mesh) = (None, Some(Mesh::File("a.msh".into())));
    has(elastic(&file), &["bodies.a.elastic.mesh", "`a.msh` has not been read"]);
    let inverted = InlineMesh {
        nodes: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        elements: vec![vec![0, 2, 1]],
        ..InlineMesh::default()
    };
    let with = |mesh: &InlineMesh| elastic(&|s| (s.block, s.mesh) = (None, Some(Mesh::Inline(mesh.clone()))));
    has(with(&inverted), &["bodies.a.elastic.mesh", "element 0 near", "is inverted", "counter-clockwise"]);
    let five = InlineMesh { elements: vec![vec![0, 1, 2, 0, 1]], ..inverted.clone() };
    has(with(&five), &["bodies.a.elastic.mesh.elements.0", "5 nodes", "3, 4, 6 or 8"]);
    let contact = |name: &str| {
        said(&|d| {
            d.contacts.clear();
            d.contacts.insert("c".into(), Contact::between(name, "p"));
        })
    };
    has(contact("a.side"), &["contacts.c.between.0", "boundary", "a.bottom"]);
    has(contact("a"), &["contacts.c.between.0", "`a.boundary` or `a.bottom`"]);
    has(said(&|d| d.bodies["p"].position = [0.0, 0.5]), &["contacts.point"]);
}

/// A heavy rigid ball on a soft welded block: contact forces carry its weight, and the block is pressed.
#[test]
fn a_ball_rests_on_a_soft_block() {
    let mut d = Description { version: 1, gravity: [0.0, -10.0], ..Description::default() };
    let soft = Solid {
        young: 5e3,
        reference: Reference::Clamped,
        clamp: Some("bottom".into()),
        damping: Damping { mass: 5.0, stiffness: 5e-3, ..Damping::default() },
        ..block([1.0, 0.5], [5, 3], ElementKind::Q4)
    };
    let mut body = solid(soft, [0.0, 0.25], 0.0);
    body.points.insert("foot".into(), Point::At([0.0, -0.25]));
    d.bodies.insert("block".into(), body);
    let ball =
        Body::rigid(2.0, 0.05, [0.0, 0.805]).with_shape("rim", Shape::Disk { center: [0.0; 2], radius: 0.3 });
    d.bodies.insert("ball".into(), ball);
    d.joints.insert("weld".into(), Joint::Weld(Weld { between: ["ground".into(), "block.foot".into()] }));
    d.contacts.insert("press".into(), Contact::between("ball.rim", "block.top"));
    let model = model(&d);
    let (q, v) = (model.described_position().to_vec(), model.described_velocity().to_vec());
    let start = State::new(&model, 0.0, q, v);
    let settings = Settings { step: 1e-3, end: 3.0, accuracy: None, output: Some(1.0) };
    let solver = carom_solve::solver("auto").expect("a solver");
    let scheme = scheme("moreau-jean", &[]).expect("a scheme");
    let mut simulation = Simulation::new(&model, &*scheme, solver, start, settings).expect("a good start");
    while !simulation.is_done() {
        simulation.advance();
    }
    let state = simulation.state();
    let n = state.q.len();
    let (x, y) = (state.q[n - 3], state.q[n - 2]);
    // pressed in by some W/(E t): 20 N on 5e3 N/m, a few millimetres; and the symmetric start stays symmetric
    assert!(y < 0.8 - 1e-3 && y > 0.8 - 2e-2, "{y}");
    assert!(x.abs() < 1e-6, "{x}");
    assert!(state.v.iter().all(|v| v.abs() < 1e-4), "{:?}", state.v);
}
