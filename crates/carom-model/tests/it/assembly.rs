//! Closing joints, making velocities consistent, counting freedom.

use crate::common::{Random, between};
use carom_dynamics::{Configuration, System};
use carom_model::description::*;
use carom_model::{AssemblyError, Description, Model};

fn build(d: &Description) -> Model {
    Model::new(d).unwrap_or_else(|error| panic!("{error}"))
}

/// A bar from one place to another, thin, of mass 1 per metre.
fn bar(from: [f64; 2], to: [f64; 2]) -> Body {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let l = dx.hypot(dy);
    let mut body = Body::rigid(l, l * l * l / 12.0, [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])])
        .with_point("a", [-0.5 * l, 0.0])
        .with_point("b", [0.5 * l, 0.0]);
    body.angle = dy.atan2(dx);
    body
}

fn four_bar() -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -9.81], ..Description::default() };
    d.ground.points.insert("left".into(), Point::At([0.0, 0.0]));
    d.ground.points.insert("right".into(), Point::At([4.0, 0.0]));
    d.bodies.insert("crank".into(), bar([0.0, 0.0], [0.0, 1.0]));
    d.bodies.insert("coupler".into(), bar([0.0, 1.0], [4.0, 3.0]));
    d.bodies.insert("rocker".into(), bar([4.0, 0.0], [4.0, 3.0]));
    d.joints.insert("A".into(), Joint::revolute("ground.left", "crank.a"));
    d.joints.insert("B".into(), Joint::revolute("crank.b", "coupler.a"));
    d.joints.insert("C".into(), Joint::revolute("coupler.b", "rocker.b"));
    d.joints.insert("D".into(), Joint::revolute("ground.right", "rocker.a"));
    d
}

fn residuals(model: &Model, q: &[f64], v: &[f64]) -> (f64, f64) {
    let at = Configuration::new(model, 0.0, q, v);
    let n = model.structure().sizes.constraints;
    let (mut phi, mut rate) = (vec![0.0; n], vec![0.0; n]);
    let pattern = &model.structure().pattern.jacobian;
    let mut values = vec![0.0; pattern.len()];
    model.constraints(&at, &mut phi);
    model.jacobian(&at, &mut values, &mut rate);
    pattern.iter().zip(&values).for_each(|(&(i, j), g)| rate[i as usize] += g * v[j as usize]);
    let most = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    (most(&phi), most(&rate))
}

#[test]
fn a_mechanism_that_fits_is_left_alone() {
    let model = build(&four_bar());
    let assembly = model.assemble().unwrap();
    assert!(!assembly.changed() && assembly.misfits.is_empty() && assembly.iterations == 0);
    assert_eq!(assembly.q, model.described_position());
}

#[test]
fn a_misfit_four_bar_is_closed_and_told() {
    let mut d = four_bar();
    d.bodies["coupler"].position[0] += 0.3;
    d.bodies["coupler"].angle -= 0.1;
    d.bodies["crank"].angular_velocity = 2.0;
    let model = build(&d);
    let assembly = model.assemble().unwrap();
    let (phi, rate) = residuals(&model, &assembly.q, &assembly.v);
    assert!(phi < 1e-13 && rate < 1e-12, "{phi:e} {rate:e}");
    assert_eq!(assembly.misfits.iter().map(|m| m.joint.as_str()).collect::<Vec<_>>().len(), 2);
    assert!(assembly.moved.iter().any(|m| m.body == "coupler" && m.displacement > 0.0));
    // what is left of the velocity is what the mass metric keeps: the change is orthogonal to every free motion
    let free = free_motion(&model, &assembly.q);
    let mut masses = vec![0.0; free.len()];
    let at = Configuration::new(&model, 0.0, &assembly.q, &assembly.v);
    model.mass(&at, &mut masses);
    let described = model.described_velocity();
    let power: f64 = (0..free.len()).map(|i| masses[i] * (assembly.v[i] - described[i]) * free[i]).sum();
    assert!(power.abs() < 1e-11, "{power:e}");
}

/// The one free motion of a four-bar, by driving the crank.
fn free_motion(model: &Model, q: &[f64]) -> Vec<f64> {
    let mut d = four_bar();
    for (i, body) in d.bodies.values_mut().enumerate() {
        body.position = [q[3 * i], q[3 * i + 1]];
        body.angle = q[3 * i + 2];
    }
    d.joints.insert("motor".into(), Joint::motion("crank", Coordinate::Angle, &format!("{:e} + t", q[2])));
    let driven = build(&d).assemble().unwrap();
    let (_, rate) = residuals(model, q, &driven.v);
    assert!(rate < 1e-12 && (driven.v[2] - 1.0).abs() < 1e-12);
    driven.v
}

#[test]
fn a_four_bar_has_one_degree_of_freedom() {
    let model = build(&four_bar());
    let freedom = model.freedom(&model.assemble().unwrap().q);
    assert_eq!((freedom.degrees_of_freedom, freedom.rank), (1, 8));
    assert!(freedom.redundant.is_empty());
}

/// Three parallel rods of one length under a beam: the third adds nothing.
fn parallelogram(third: f64) -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    let mut beam = Body::rigid(3.0, 2.0, [2.0, 1.0]);
    for (i, x) in [0.0, 1.5, 4.0].iter().enumerate() {
        let length = if i == 2 { third } else { 1.0 };
        d.ground.points.insert(format!("g{i}"), Point::At([*x, 0.0]));
        beam.points.insert(format!("p{i}"), Point::At([x - 2.0, 0.0]));
        let joint = Joint::Distance(Distance {
            between: between(&format!("ground.g{i}"), &format!("beam.p{i}")),
            length: Some(length),
        });
        d.joints.insert(format!("rod{i}"), joint);
    }
    beam.velocity = [1.0, 0.0];
    d.bodies.insert("beam".into(), beam);
    d
}

#[test]
fn a_third_parallel_rod_is_redundant_and_named() {
    let model = build(&parallelogram(1.0));
    let assembly = model.assemble().unwrap();
    assert!(!assembly.changed());
    let freedom = model.freedom(&assembly.q);
    assert_eq!((freedom.degrees_of_freedom, freedom.rank), (1, 2));
    assert_eq!(freedom.redundant.len(), 1);
    assert_eq!(freedom.redundant[0].name, "rod2.force");
    assert_eq!(freedom.redundant[0].joints, ["rod0", "rod1", "rod2"]);
}

#[test]
fn velocities_are_projected_with_redundant_rows() {
    let mut d = parallelogram(1.0);
    d.bodies["beam"].velocity = [1.0, 0.5];
    d.bodies["beam"].angular_velocity = -0.3;
    let assembly = build(&d).assemble().unwrap();
    // vertical rods allow the horizontal only
    for (v, exact) in assembly.v.iter().zip([1.0, 0.0, 0.0]) {
        assert!((v - exact).abs() < 1e-13, "{:?}", assembly.v);
    }
}

#[test]
fn impossible_assemblies_name_the_joint() {
    // a beam on three rods, one of which is far too short to reach: no place for the beam at all
    let mut d = parallelogram(1.0);
    d.joints.insert(
        "stay".into(),
        Joint::Distance(Distance { between: between("ground.g0", "beam.p2"), length: Some(9.0) }),
    );
    match build(&d).assemble() {
        Err(error @ AssemblyError::Joints { .. }) => {
            assert_eq!(error.path()[0], "joints");
            assert!(error.to_string().contains("cannot all be closed"), "{error}");
            assert!(error.to_string().contains("stay") || error.to_string().contains("rod"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_motions_that_contradict() {
    let mut d = four_bar();
    d.joints.insert("m1".into(), Joint::motion("crank", Coordinate::Angle, "pi/2 + t"));
    d.joints.insert("m2".into(), Joint::motion("crank", Coordinate::Angle, "pi/2 - t"));
    let error = build(&d).assemble().unwrap_err();
    assert!(matches!(error, AssemblyError::Velocities { .. }));
    assert!(error.to_string().contains("`m1`") || error.to_string().contains("`m2`"), "{error}");
}

#[test]
fn a_contact_penetrated_once_the_joints_are_closed() {
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, 0.0], normal: [0.0, 1.0] });
    d.ground.points.insert("deep".into(), Point::At([0.0, -1.0]));
    d.bodies.insert("p".into(), Body::point_mass(1.0, [0.0, 1.0]));
    d.joints.insert("pull".into(), Joint::revolute("p", "ground.deep"));
    d.contacts.insert("c".into(), Contact::between("p", "ground.floor"));
    let error = build(&d).assemble().unwrap_err();
    assert!(matches!(error, AssemblyError::Contact(_)));
    assert_eq!(error.path(), ["contacts", "c"]);
}

fn chain(n: usize, misfit: f64) -> Description {
    let mut d = Description { version: 1, gravity: [0.0, -9.81], ..Description::default() };
    let mut random = Random::new(5);
    for i in 0..n {
        let mut link = bar([i as f64, 0.0], [i as f64 + 1.0, 0.0]);
        link.position[0] += misfit * random.next();
        link.position[1] += misfit * random.next();
        d.bodies.insert(format!("link{i}"), link);
        let before = if i == 0 { "ground".into() } else { format!("link{}.b", i - 1) };
        d.joints.insert(format!("pin{i}"), Joint::revolute(&before, &format!("link{i}.a")));
    }
    d
}

#[test]
fn a_long_chain_that_fits_costs_nothing_and_has_n_freedoms() {
    let model = build(&chain(2000, 0.0));
    let assembly = model.assemble().unwrap();
    assert!(!assembly.changed());
    assert_eq!(model.freedom(&assembly.q).degrees_of_freedom, 2000);
}

#[test]
fn a_long_chain_that_does_not_fit_is_closed() {
    // more rows than are factored densely
    let model = build(&chain(200, 0.01));
    let assembly = model.assemble().unwrap();
    let (phi, _) = residuals(&model, &assembly.q, &assembly.v);
    assert!(phi < 1e-12 * model.structure().length_scale, "{phi:e}");
    assert_eq!(assembly.misfits.len(), 200);
}
