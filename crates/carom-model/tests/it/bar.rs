//! The bar against closed forms: natural frequencies, static stretch, and the wave that a wall sends through it.

#![allow(non_snake_case)]

use carom_dynamics::{Configuration, System};
use carom_model::Model;
use carom_model::description::{Bar, Body, Contact, Damping, Description, Elastic, Point, Shape};

fn bar(elements: usize, lumped: bool) -> Description {
    let bar = Bar {
        length: 2.0,
        elements,
        young: 7.0,
        area: 0.5,
        density: 3.0,
        lumped,
        damping: Damping::default(),
    };
    let mut d = Description { gravity: [0.0, -1.3], ..Description::default() };
    let points = [("foot".to_string(), Point::Node { node: 0, angle: 0.0 })].into();
    let body = Body {
        elastic: Some(Elastic::Bar(bar)),
        angle: std::f64::consts::FRAC_PI_2,
        points,
        ..Body::default()
    };
    d.bodies.insert("bar".into(), body);
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0, -1.0], normal: [0.0, 1.0] });
    d.contacts.insert("floor".into(), Contact::between("bar.foot", "ground.floor"));
    d
}

/// Rayleigh's quotient of the exact mode of a free bar, cos(kπX/L): c π k / L at order 2 from above (consistent mass) and
/// from below (lumped).
#[test]
fn frequencies_of_a_free_bar() {
    let exact = (7.0_f64 / 3.0).sqrt() * std::f64::consts::PI / 2.0;
    for (lumped, side) in [(false, 1.0), (true, -1.0)] {
        let error = |elements: usize| {
            let model = Model::new(&bar(elements, lumped)).unwrap();
            let mode: Vec<f64> =
                (0..=elements).map(|i| (std::f64::consts::PI * i as f64 / elements as f64).cos()).collect();
            let at = Configuration::new(&model, 0.0, &mode, &mode);
            let energy = model.energy(&at);
            let frequency = (energy.strain / energy.kinetic).sqrt();
            side * (frequency / exact - 1.0)
        };
        let (coarse, fine) = (error(20), error(40));
        assert!(coarse > 0.0 && fine > 0.0, "{lumped}: {coarse} {fine}");
        let order = (coarse / fine).log2();
        assert!((order - 2.0).abs() < 0.01, "{lumped}: {order}");
    }
}

/// Standing on its foot it is shortened by ρ g L² / (2 E) at the top, exactly at the nodes.
#[test]
fn static_stretch_is_exact_at_nodes() {
    let n = 10;
    let model = Model::new(&bar(n, false)).unwrap();
    let (L, E, rho, g) = (2.0, 7.0, 3.0, 1.3);
    let q: Vec<f64> = (0..=n)
        .map(|i| {
            let X = L * i as f64 / n as f64;
            -rho * g / E * (L * X - 0.5 * X * X)
        })
        .collect();
    let at = Configuration::new(&model, 0.0, &q, &vec![0.0; n + 1]);
    let mut h = vec![f64::NAN; n + 1];
    model.force(&at, &mut h);
    for i in 1..=n {
        assert!(h[i].abs() < 1e-14, "node {i}: {}", h[i]);
    }
    // the floor carries the weight
    assert!((h[0] + rho * 0.5 * L * g).abs() < 1e-13, "{}", h[0]);
}

/// The bar's place is that of its first end, and its points go with it.
#[test]
fn points_move_with_the_nodes() {
    let model = Model::new(&bar(4, false)).unwrap();
    let at = Configuration::new(&model, 0.0, &[0.1, 0.2, 0.3, 0.4, 0.5], &[1.0, 0.0, 0.0, 0.0, 0.0]);
    let channels = &model.structure().channels;
    let mut out = vec![f64::NAN; channels.len()];
    model.observe(&at, &mut out);
    let value =
        |name: &str| out[channels.iter().position(|c| c.name() == name).unwrap_or_else(|| panic!("{name}"))];
    assert!((value("bar.y") - 0.1).abs() < 1e-15 && value("bar.x").abs() < 1e-15);
    assert!((value("bar.foot.vy") - 1.0).abs() < 1e-15);
    assert!((value("bar.shape.4.y") - 2.5).abs() < 1e-15);
    assert!((value("bar.first.tension") - 7.0 * 0.5 * 0.1 / 0.5).abs() < 1e-13);
    let mut gap = [f64::NAN];
    model.gaps(&at, &mut gap);
    assert!((gap[0] - 1.1).abs() < 1e-15);
}
