//! Static equilibrium against closed forms and independent methods.

use super::{column, opened, run};
use carom::Configuration;
use carom::equilibrium::{Balance, Equilibrium};

const G: f64 = 9.81;

fn at_rest(model: &str) -> (carom::Setup, Equilibrium) {
    let text = format!("{model}\n[simulation]\nstart = \"equilibrium\"\n");
    let setup = opened(&text).unwrap_or_else(|e| panic!("{e}"));
    let equilibrium = setup.rest().unwrap().equilibrium.clone();
    assert!(equilibrium.residual <= 1e-10 && equilibrium.misfit <= 1e-10);
    (setup, equilibrium)
}

/// A channel of the mechanism at rest.
fn place(setup: &carom::Setup, name: &str) -> f64 {
    let rest = setup.rest().unwrap();
    let model = rest.model.system();
    let v = vec![0.0; model.structure().sizes.v];
    let at = Configuration::new(model, 0.0, &rest.equilibrium.q, &v);
    let channels = &model.structure().channels;
    let mut values = vec![0.0; channels.len()];
    model.observe(&at, &mut values);
    values[channels.iter().position(|c| c.name() == name).unwrap()]
}

fn force(equilibrium: &Equilibrium, contact: &str) -> f64 {
    let found = equilibrium.contacts.iter().find(|c| c.name == contact);
    found.and_then(|c| c.force_n).unwrap_or_else(|| panic!("{contact} is open"))
}

/// A ball between two walls at 30° and 60°, in mm: N sin of the other angle over sin of their sum.
#[test]
fn a_ball_in_a_groove() {
    let (_, found) = at_rest(
        "version = 1\nunits = \"mm\"\ngravity = [0, -9810]\n\
         [ground.shapes.left]\ntype = \"line\"\nthrough = [0, 0]\nnormal = [\"=sin(pi/6)\", \"=cos(pi/6)\"]\n\
         [ground.shapes.right]\ntype = \"line\"\nthrough = [0, 0]\nnormal = [\"=-sin(pi/3)\", \"=cos(pi/3)\"]\n\
         [bodies.ball]\nmass = 2\ninertia = 100\nposition = [3, 60]\nshapes.rim = { type = \"disk\", radius = 20 }\n\
         [contacts]\nl = { between = [\"ball.rim\", \"ground.left\"] }\nr = { between = [\"ball.rim\", \"ground.right\"] }",
    );
    let weight = 2.0 * G;
    assert!((force(&found, "l") / (weight * 3f64.sqrt() / 2.0) - 1.0).abs() < 1e-9);
    assert!((force(&found, "r") / (weight / 2.0) - 1.0).abs() < 1e-9);
    // round, it turns without force
    assert_eq!(found.stability, Balance::Neutral { free: vec![vec!["ball.angle".into()]] });
}

/// Tip of a stiff cantilever under its weight: w L⁴/(8 E I), and shear.
#[test]
fn a_cantilever_sags() {
    let (setup, found) = at_rest(
        "version = 1\ngravity = [0, -9.81]\n[ground]\npoints = { wall = [0, 0] }\n[bodies.beam]\nposition = [0, 0]\n\
         points = { root = [0, 0], tip = [2, 0] }\n[bodies.beam.elastic]\ntype = \"exact-beam\"\nlength = 2\nelements = 16\n\
         young = 210e9\narea = 1e-3\nsecond_moment = 8.3333e-7\ndensity = 7800\n\
         [joints]\nclamp = { type = \"weld\", between = [\"ground.wall\", \"beam.root\"] }",
    );
    let (w, length, bending) = (7800.0 * 1e-3 * G, 2f64, 210e9 * 8.3333e-7);
    let sag = w * length.powi(4) / (8.0 * bending);
    let tip = place(&setup, "beam.tip.y");
    // 16 linear elements, and the little that shear adds
    assert!((-tip / sag - 1.0).abs() < 5e-3, "{tip} against {sag}");
    assert!((found.reactions[1].abs() / (w * length) - 1.0).abs() < 1e-9);
    assert!(matches!(found.stability, Balance::Stable { .. }));
}

/// Twelve links between two hooks: an independent method shoots for the forces of the first link.
#[test]
fn a_chain_hangs() {
    let (links, hook) = (12, [8.0, 1.0]);
    let mut text =
        String::from("version = 1\ngravity = [0, -9.81]\n[ground]\npoints = { a = [0, 0], b = [8, 1] }\n");
    for i in 0..links {
        let y = if i % 2 == 0 { -0.4 } else { -0.5 };
        text += &format!(
            "[bodies.l{i}]\nmass = 1\ninertia = \"=1/12\"\nposition = [{}, {y}]\nangle = 0.1\npoints = {{ l = [-0.5, 0], r = [0.5, 0] }}\n",
            (f64::from(i) + 0.5) * 8.0 / 12.0
        );
    }
    text += "[joints]\nj0 = { type = \"revolute\", between = [\"ground.a\", \"l0.l\"] }\n";
    for i in 1..links {
        text += &format!("j{i} = {{ type = \"revolute\", between = [\"l{}.r\", \"l{i}.l\"] }}\n", i - 1);
    }
    text += "last = { type = \"revolute\", between = [\"l11.r\", \"ground.b\"] }\n";
    let (_, found) = at_rest(&text);

    // a link turns until the mean of the forces at its ends points along it
    let shape = |[h, v]: [f64; 2]| {
        let mut p = [0.0; 2];
        let angles: Vec<f64> = (0..links).map(|i| (v + G * (f64::from(i) + 0.5)).atan2(h)).collect();
        angles.iter().for_each(|a| p = [p[0] + a.cos(), p[1] + a.sin()]);
        (p, angles)
    };
    let mut force = [5.0, -0.5 * G * f64::from(links)];
    for _ in 0..50 {
        let ([x, y], _) = shape(force);
        let off = [x - hook[0], y - hook[1]];
        let d = 1e-6;
        let column = |k: usize| {
            let mut moved = force;
            moved[k] += d;
            let (p, _) = shape(moved);
            [(p[0] - x) / d, (p[1] - y) / d]
        };
        let (a, b) = (column(0), column(1));
        let det = a[0] * b[1] - a[1] * b[0];
        force[0] -= (off[0] * b[1] - off[1] * b[0]) / det;
        force[1] -= (a[0] * off[1] - a[1] * off[0]) / det;
    }
    let (_, angles) = shape(force);
    for (i, angle) in angles.iter().enumerate() {
        let turned = found.q[3 * i + 2] - angle;
        assert!(
            turned.sin().abs() < 1e-7 && turned.cos() > 0.0,
            "link {i}: {} against {angle}",
            found.q[3 * i + 2]
        );
    }
    assert!((found.reactions[0].abs() - force[0].abs()).abs() < 1e-6 * force[0].abs());
    assert!(matches!(found.stability, Balance::Stable { .. }));
}

/// A spring presses a slug against a wall, in mm and N/mm; and nothing else acts.
#[test]
fn a_preloaded_contact() {
    let (_, found) = at_rest(
        "version = 1\nunits = { length = \"mm\", force = \"N\" }\n[ground.shapes.wall]\ntype = \"line\"\nthrough = [100, 0]\nnormal = [-1, 0]\n\
         [ground]\npoints = { base = [0, 0] }\n[bodies.slug]\nmass = 0.1\nposition = [85, 0]\nshapes.rim = { type = \"disk\", radius = 10 }\n\
         [forces]\ns = { type = \"spring\", between = [\"ground.base\", \"slug\"], stiffness = 5, length = 120 }\n\
         [contacts]\nc = { between = [\"slug.rim\", \"ground.wall\"] }",
    );
    // 5 N/mm over 120 − 90 mm
    assert!((force(&found, "c") - 150.0).abs() < 1e-6, "{}", force(&found, "c"));
}

/// Friction holds a box on a slope where it is given, and where it cannot the box is named.
#[test]
fn a_box_on_a_slope() {
    let model = |mu: f64| {
        format!(
            "version = 1\ngravity = [0, -9.81]\n[ground.shapes.slope]\ntype = \"line\"\nthrough = [0, 0]\n\
             normal = [\"=-sin(pi/9)\", \"=cos(pi/9)\"]\n[bodies.crate]\nmass = 3\ninertia = 0.1\nangle = \"=pi/9\"\n\
             position = [\"=-0.1*sin(pi/9)\", \"=0.1*cos(pi/9)\"]\nshapes.rim = {{ type = \"rectangle\", size = [0.4, 0.2] }}\n\
             [contacts]\nfoot = {{ between = [\"crate.rim\", \"ground.slope\"], friction = {mu} }}"
        )
    };
    let (_, found) = at_rest(&model(0.5));
    let (normal, along) = found
        .contacts
        .iter()
        .fold((0.0, 0.0), |(n, t), c| (n + c.force_n.unwrap_or(0.0), t + c.force_t.unwrap_or(0.0)));
    let slope = std::f64::consts::PI / 9.0;
    assert!((normal / (3.0 * G * slope.cos()) - 1.0).abs() < 1e-8, "{normal}");
    assert!((along.abs() / (3.0 * G * slope.sin()) - 1.0).abs() < 1e-8, "{along}");
    let error = opened(&format!("{}\n[simulation]\nstart = \"equilibrium\"\n", model(0.2))).unwrap_err();
    assert!(error.contains("`crate`") && error.contains("no equilibrium"), "{error}");
}

#[test]
fn what_falls_is_named() {
    let model = "version = 1\ngravity = [0, -9.81]\n[bodies.stone]\nmass = 1\nposition = [0, 3]\n\
                 [simulation]\nstart = \"equilibrium\"\n";
    let error = opened(model).unwrap_err();
    assert!(error.contains("`stone` moves away") && error.contains("9.81"), "{error}");
}

/// A mass on two springs in a row begins in equilibrium and stays there; cut loose it swings as a pendulum of known period.
#[test]
fn a_run_begins_there() {
    let model = |release: &str| {
        format!(
            "version = 1\ngravity = [0, -9.81]\n[ground]\npoints = {{ top = [0, 0] }}\n[bodies.bob]\nmass = 1\nposition = [0, -1.3]\n\
             [forces]\ns = {{ type = \"spring\", between = [\"ground.top\", \"bob\"], stiffness = 50, length = 1 }}\n\
             [joints]\nrail = {{ type = \"motion\", of = \"bob\", coordinate = \"x\", function = 0 }}\n\
             hold = {{ type = \"motion\", of = \"bob\", coordinate = \"y\", function = -1.5 }}\n\
             [simulation]\nstart = \"equilibrium\"\nrelease = [{release}]\nstep = 1e-4\nend = 1.0\n"
        )
    };
    let done = run(&model("\"hold\""), &[]);
    let (t, y) = (column(&done, "t"), column(&done, "bob.y"));
    // about −(1 + g/50) with the amplitude that it was held at
    let (middle, omega) = (-(1.0 + G / 50.0), 50f64.sqrt());
    for (t, y) in t.iter().zip(y) {
        let exact = middle + (-1.5 - middle) * (omega * t).cos();
        assert!((y - exact).abs() < 1e-5, "at {t}: {y} against {exact}");
    }
    let still =
        run(&model("").replace("hold = ", "hold2 = ").replace("function = -1.5", "function = -1.1"), &[]);
    assert!(column(&still, "bob.y").iter().all(|y| (y + 1.1).abs() < 1e-9));
}

/// In space: a ball in the corner of three planes that are square to each other, each as steep as the others. Each carries m g/√3.
#[test]
fn a_ball_in_a_corner() {
    let walls = ["[\"=sqrt(2/3)\", 0, \"=sqrt(1/3)\"]", "[\"=-sqrt(1/6)\", \"=sqrt(1/2)\", \"=sqrt(1/3)\"]"];
    let third = "[\"=-sqrt(1/6)\", \"=-sqrt(1/2)\", \"=sqrt(1/3)\"]";
    let mut text = String::from("units = \"mm\"\ngravity = [0, 0, -9810]\n");
    for (name, normal) in ["a", "b", "c"].iter().zip(walls.iter().chain([&third])) {
        text += &format!(
            "[ground.shapes.{name}]\ntype = \"plane\"\nthrough = [0, 0, 0]\nnormal = {normal}\n\
             [contacts.on-{name}]\nbetween = [\"ball.skin\", \"ground.{name}\"]\n"
        );
    }
    text += "[bodies.ball]\nmass = 2\ninertia = [100, 100, 100]\nposition = [3, -2, 60]\n\
             shapes.skin = { type = \"sphere\", radius = 20 }\n";
    let (setup, found) = at_rest(&text);
    let expected = 2.0 * G / 3f64.sqrt();
    for wall in ["on-a", "on-b", "on-c"] {
        assert!((force(&found, wall) / expected - 1.0).abs() < 1e-9, "{wall}");
    }
    // the centre is a radius from each plane: √3 radii above the corner
    assert!((place(&setup, "ball.z") / (3f64.sqrt() * 0.02) - 1.0).abs() < 1e-9);
    // round, it turns without force about three axes
    assert!(
        matches!(&found.stability, Balance::Neutral { free } if free.len() == 3),
        "{:?}",
        found.stability
    );
}

/// In space: a block on a slope that friction holds. Normal forces add up to m g cos α, and nothing creeps when it is run.
#[test]
fn a_block_on_a_slope_in_space() {
    let block = "gravity = [0, 0, -9.81]\n\
         [ground.shapes.slope]\ntype = \"plane\"\nthrough = [0, 0, 0]\nnormal = [1, 2, 10]\n\
         [bodies.block]\nmass = 3\ninertia = [0.01, 0.02, 0.025]\nposition = [0, 0, 0.1]\n\
         shapes.skin = { type = \"box\", size = [0.1, 0.06, 0.04] }\n\
         [contacts.rest]\nbetween = [\"block.skin\", \"ground.slope\"]\nfriction = 0.3\n";
    let (_, found) = at_rest(block);
    let cos = 10.0 / 105f64.sqrt();
    let normal: f64 = found.contacts.iter().filter_map(|c| c.force_n).sum();
    assert!((normal / (3.0 * G * cos) - 1.0).abs() < 1e-9, "{normal}");
    // in the plane of contact the four are at least what holds the weight, and none more than its bound
    let tangential: f64 = found.contacts.iter().filter_map(|c| c.force_t).sum();
    assert!(tangential >= 3.0 * G * (1.0 - cos * cos).sqrt() * (1.0 - 1e-9));
    assert!(found.contacts.iter().all(|c| c.force_t <= c.bound));
    assert_eq!(found.stability, Balance::Stable { slowest: None });
    let text = format!("{block}\n[simulation]\nstart = \"equilibrium\"\nend = 1\nstep = 1e-3\n");
    let done = run(&text, &[]);
    for channel in ["block.x", "block.y", "block.z"] {
        let column = column(&done, channel);
        assert!((column[column.len() - 1] - column[0]).abs() < 1e-12, "{channel} creeps");
    }
}

/// In space: nothing holds a ball on a slope without friction.
#[test]
fn what_falls_in_space_is_named() {
    let text = "gravity = [0, 0, -9.81]\n[simulation]\nstart = \"equilibrium\"\n\
         [ground.shapes.slope]\ntype = \"plane\"\nthrough = [0, 0, 0]\nnormal = [1, 0, 2]\n\
         [bodies.ball]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 1]\nshapes.skin = { type = \"sphere\", radius = 0.1 }\n\
         [contacts.rest]\nbetween = [\"ball.skin\", \"ground.slope\"]\n";
    let error = opened(text).unwrap_err().to_string();
    assert!(error.contains("`ball` moves away"), "{error}");
}
