//! Who touches whom: groups, materials, exceptions, and contacts that come and go.
#![allow(non_snake_case)]

use crate::space::run;
use carom_dynamics::*;
use carom_model::description::space::{
    Body, Contact, Description, Except, Joint, Material, Pairs, Repeat, Shape, Spherical,
};
use carom_model::{Model, Space};

const G: f64 = 9.81;

fn sphere(radius: f64) -> Shape {
    Shape::Sphere { center: [0.0; 3], radius, hole: false }
}

fn cuboid(size: [f64; 3]) -> Shape {
    Shape::Box { center: [0.0; 3], size, rotation: None }
}

fn body(shape: Shape, position: [f64; 3]) -> Body {
    Body { density: Some(1000.0), position, ..Body::default() }.with_shape("skin", shape)
}

fn floor() -> Description {
    let mut description = Description { gravity: [0.0, 0.0, -G], ..Description::default() };
    let plane = Shape::Plane { through: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    description.ground.shapes.insert("floor".into(), plane);
    description
}

fn touch(description: &mut Description, name: &str, between: [&str; 2], friction: f64, restitution: f64) {
    let mut contact = Contact::between(between[0], between[1]);
    (contact.friction, contact.restitution) = (Some(friction), Some(restitution));
    description.contacts.insert(name.into(), contact);
}

/// Spheres, bricks and bars above each other, turned, about to fall through one another.
fn mixed() -> Description {
    let mut description = floor();
    let bar = |half: f64| Shape::Capsule { from: [0.0, 0.0, -half], to: [0.0, 0.0, half], radius: 0.04 };
    for (i, shape) in
        [sphere(0.05), cuboid([0.2, 0.12, 0.1]), bar(0.08), sphere(0.07), cuboid([0.1, 0.1, 0.1]), bar(0.05)]
            .into_iter()
            .enumerate()
    {
        let k = i as f64;
        let mut body = body(shape, [0.03 * (k % 3.0) - 0.03, 0.02 * (k % 2.0), 0.15 + 0.22 * k]);
        body.angular_velocity = [1.0 - 0.4 * k, 0.5 * k, 0.3];
        body.velocity = [0.0, 0.0, -0.8 * k];
        description.bodies.insert(format!("b{i}"), body);
    }
    touch(&mut description, "touch", ["all", "all"], 0.4, 0.2);
    description
}

/// A model that lists all its pairs at every step, however far they are.
struct Everything(Model<Space>);

impl System for Everything {
    fn structure(&self) -> &Structure {
        self.0.structure()
    }
    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        self.0.derive(t, q, derived);
    }
    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        self.0.mass(at, M);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        self.0.force(at, h);
    }
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        self.0.tangents(at, K, C);
    }
    fn candidates(&self, at: &Configuration, _: f64, out: &mut Candidates) {
        self.0.candidates(at, 1e3, out);
    }
    fn gaps_among(&self, at: &Configuration, among: &Candidates, g_N: &mut [f64]) {
        self.0.gaps_among(at, among, g_N);
    }
    fn directions_among(&self, at: &Configuration, among: &Candidates, active: &[usize], W: &mut Directions) {
        self.0.directions_among(at, among, active, W);
    }
    fn contact_bias_among(&self, at: &Configuration, among: &Candidates, active: &[usize], bias: &mut [f64]) {
        self.0.contact_bias_among(at, among, active, bias);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        self.0.energy(at)
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        self.0.observe(at, out);
    }
}

fn begin<'s>(
    system: &'s dyn System,
    model: &Model<Space>,
    scheme_name: &str,
    step: f64,
    end: f64,
) -> Simulation<'s> {
    let (q, v) = (model.described_position().to_vec(), model.described_velocity().to_vec());
    let state = State::new(system, 0.0, q, v);
    let settings = Settings { step, end, output: None, accuracy: None };
    let solver = carom_solve::solver("auto").unwrap();
    Simulation::new(system, &*scheme(scheme_name, &[]).unwrap(), solver, state, settings).unwrap()
}

#[test]
fn near_pairs_move_as_all_pairs_do() {
    let model = Model::in_space(&mixed()).unwrap();
    let everything = Everything(model.clone());
    for name in ["moreau-midpoint", "moreau-jean", "moreau-explicit", "newmark", "generalized-alpha"] {
        let mut near = begin(&model, &model, name, 1e-3, 0.35);
        let mut all = begin(&everything, &model, name, 1e-3, 0.35);
        assert_eq!(near.run(|_| true), Stop::Done, "{name}");
        assert_eq!(all.run(|_| true), Stop::Done, "{name}");
        assert_eq!(near.state().q, all.state().q, "{name}");
        assert_eq!(near.state().v, all.state().v, "{name}");
        let (one, two) = (near.summary(), all.summary());
        assert_eq!((one.impacts, one.contact_iterations), (two.impacts, two.contact_iterations), "{name}");
        assert!(one.impacts > 10, "{name}: {}", one.impacts);
        let stage = near.stage();
        assert!(
            stage.contacts().generation() > 10 && stage.contacts().len() < all.stage().contacts().len() / 2,
            "{name}"
        );
    }
}

/// A column of ten spheres at rest: contact k from the top carries k weights, and nobody sinks in.
#[test]
fn a_column_carries_its_weight() {
    let (mut description, radius, count) = (floor(), 0.05, 10);
    for i in 0..count {
        description
            .bodies
            .insert(format!("b{i}"), body(sphere(radius), [0.0, 0.0, radius * (2.0 * i as f64 + 1.0)]));
    }
    touch(&mut description, "touch", ["all", "all"], 0.3, 0.0);
    let model = Model::in_space(&description).unwrap();
    let mut simulation = begin(&model, &model, "moreau-midpoint", 1e-3, 0.2);
    assert_eq!(simulation.run(|_| true), Stop::Done);
    let recording = simulation.recording();
    let column = |name: &str| {
        let place = recording.channels.iter().position(|channel| channel.name() == name);
        recording.columns[place.unwrap_or_else(|| panic!("no {name}"))].last().copied().unwrap()
    };
    let weight = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * 1000.0 * G;
    let carried = weight * (count * (count + 1) / 2) as f64;
    assert!((column("touch.force_n") / carried - 1.0).abs() < 1e-9, "{} {carried}", column("touch.force_n"));
    assert_eq!(column("touch.count"), count as f64);
    assert!(column("touch.gap").abs() < 1e-6 * radius, "{}", column("touch.gap"));
    for i in 0..count {
        let z = simulation.state().q[7 * i + 2];
        assert!((z - radius * (2.0 * i as f64 + 1.0)).abs() < 1e-6 * radius, "sphere {i}: {z}");
    }
}

/// Blocks of Ŵ from one contact on, and in full: bodies that nothing holds have a short way of their own to their blocks.
#[test]
fn blocks_of_free_bodies_are_those_of_the_full_matrix() {
    let (mut description, radius) = (floor(), 0.05);
    for i in 0..27 {
        let [x, y, z] = [i % 3, i / 3 % 3, i / 9].map(f64::from);
        let place = [0.1 * x + 0.013 * z, 0.1 * y - 0.007 * z, 0.05 + 0.098 * z];
        description.bodies.insert(format!("b{i}"), body(sphere(radius), place));
    }
    touch(&mut description, "touch", ["all", "all"], 0.3, 0.0);
    description.contacts["touch"].overlap = 1e-2;
    let model = Model::in_space(&description).unwrap();
    let mut states = Vec::new();
    for from in [1, 1000] {
        let mut simulation = begin(&model, &model, "moreau-midpoint", 1e-3, 5e-3);
        simulation.look_for_blocks_from(from);
        assert_eq!(simulation.run(|_| true), Stop::Done);
        assert!(simulation.stage().active().len() > 30, "{}", simulation.stage().active().len());
        states.push(simulation.state().v.clone());
    }
    let differ = states[0].iter().zip(&states[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // the solver's tolerance on velocities of some m/s
    assert!(differ < 1e-8, "{differ}");
}

/// Laws of two materials, and numbers of the contact that go before them.
#[test]
fn materials_make_the_law() {
    let mut description = floor();
    description.bodies.insert("a".into(), body(sphere(0.1), [0.0, 0.0, 1.0]));
    description.bodies.insert("b".into(), body(sphere(0.1), [0.0, 0.0, 2.0]));
    let material = |restitution, friction| Material { restitution, friction, ..Material::default() };
    description.materials.insert("steel".into(), material(0.8, 0.2));
    description
        .materials
        .insert("rubber".into(), Material { on: vec!["ground.*".into()], ..material(0.5, 0.8) });
    description.bodies["a"].material = Some("steel".into());
    description.bodies["b"].material = Some("steel".into());
    description.contacts.insert("touch".into(), Contact::between("all", "all"));
    let model = Model::in_space(&description).unwrap();
    let laws: Vec<(&str, f64, f64)> = model
        .structure()
        .contacts
        .iter()
        .map(|info| match info.kind {
            ContactKind::Spatial { restitution, friction, .. } => (info.name.as_str(), restitution, friction),
            _ => panic!("friction in space"),
        })
        .collect();
    let mixed = (0.2f64 * 0.8).sqrt();
    assert_eq!(laws, [("touch.steel-steel", 0.8, 0.2), ("touch.rubber-steel", 0.5, mixed)]);
    // a named pair of its own, with numbers of its own
    touch(&mut description, "pair", ["a", "b"], 0.7, 0.1);
    let model = Model::in_space(&description).unwrap();
    let names: Vec<&str> = model.structure().contacts.iter().map(|info| info.name.as_str()).collect();
    assert_eq!(names, ["pair", "touch.rubber-steel"], "{names:?}");
}

/// The pairs of a model as they are listed: body by body.
fn listed(model: &Model<Space>) -> usize {
    let at = Configuration::new(model, 0.0, model.described_position(), model.described_velocity());
    let mut out = Candidates::default();
    model.candidates(&at, 1e3, &mut out);
    out.len()
}

#[test]
fn exceptions_and_joints_leave_pairs_out() {
    let mut description = floor();
    for i in 0..4 {
        description.bodies.insert(format!("b{i}"), body(sphere(0.1), [0.0, 0.0, 1.0 + i as f64]));
    }
    touch(&mut description, "touch", ["all", "all"], 0.3, 0.0);
    let count = |description: &Description| listed(&Model::in_space(description).unwrap());
    // six pairs among four, four with the floor
    assert_eq!(count(&description), 10);
    description.contacts["touch"].except = vec![Except::Thing("b0".into())];
    assert_eq!(count(&description), 6);
    description.contacts["touch"].except = vec![Except::Pair(["b0".into(), "b1".into()])];
    assert_eq!(count(&description), 9);
    description.groups.insert("low".into(), vec!["b0".into(), "b1".into()]);
    description.groups.insert("high".into(), vec!["b[23]".into(), "b3".into(), "b2".into()]);
    assert!(Model::in_space(&description).unwrap_err().to_string().contains("no body or shape `b[23]`"));
    description.groups["high"].remove(0);
    description.contacts["touch"].except = vec![Except::Pair(["low".into(), "high".into()])];
    assert_eq!(count(&description), 6);
    description.contacts["touch"].between = ["low".into(), "high".into()];
    description.contacts["touch"].except = Vec::new();
    assert_eq!(count(&description), 4);
    // b1 hangs on b2
    let joint = Spherical { between: ["b1".into(), "b2".into()], ..Spherical::default() };
    description.bodies["b2"].position = [0.0, 0.0, 2.0];
    description.joints.insert("link".into(), Joint::Spherical(joint));
    description.contacts["touch"].between = ["all".into(), "all".into()];
    assert_eq!(count(&description), 9);
}

#[test]
fn what_cannot_be_is_refused() {
    let start = || {
        let mut description = floor();
        description.bodies.insert("a".into(), body(sphere(0.1), [0.0, 0.0, 0.5]));
        description.bodies.insert("b".into(), body(sphere(0.1), [0.0, 0.0, 1.0]));
        touch(&mut description, "touch", ["all", "all"], 0.3, 0.0);
        description
    };
    let expect = |change: &dyn Fn(&mut Description), place: &str, words: &str| {
        let mut description = start();
        change(&mut description);
        let error = Model::in_space(&description).unwrap_err();
        let text = error.to_string();
        assert_eq!(error.path.join("."), place, "{text}");
        assert!(text.contains(words), "{words}: {text}");
    };
    expect(&|d| drop(d.groups.insert("g".into(), vec!["c*".into()])), "groups.g", "no body or shape `c*`");
    expect(&|d| drop(d.groups.insert("g".into(), vec![])), "groups.g", "names nobody");
    expect(&|d| drop(d.groups.insert("a".into(), vec!["b".into()])), "groups.a", "already taken by a body");
    expect(
        &|d| d.contacts["touch"].between[0] = "bals".into(),
        "contacts.touch.between.0",
        "no body, shape or group `bals`",
    );
    expect(&|d| d.contacts["touch"].between[0] = "b*".into(), "contacts.touch.between.0", "is a pattern");
    expect(&|d| d.bodies["a"].material = Some("steel".into()), "bodies.a.material", "no material `steel`");
    expect(
        &|d| {
            d.materials.insert("steel".into(), Material::default());
            d.bodies["a"].material = Some("steel".into());
            (d.contacts["touch"].friction, d.contacts["touch"].restitution) = (None, None);
        },
        "contacts.touch",
        "has a material and",
    );
    let on = |name: &str| Material { on: vec![name.into()], ..Material::default() };
    expect(
        &|d| {
            d.materials.insert("steel".into(), on("a"));
            d.materials.insert("wood".into(), on("*.skin"));
        },
        "materials.wood.on",
        "is of `steel` and of `wood`",
    );
    expect(
        &|d| touch(d, "other", ["all", "all"], 0.1, 0.0),
        "contacts.other",
        "are meant by `touch` and by `other`",
    );
    expect(
        &|d| {
            let tin = Shape::Cylinder {
                center: [0.0; 3],
                axis: [0.0, 0.0, 1.0],
                radius: 0.1,
                length: 0.1,
                hole: false,
            };
            d.bodies.insert("tin".into(), body(tin, [0.0, 0.0, 2.0]));
            let crate_ = cuboid([0.1; 3]);
            d.bodies.insert("box".into(), body(crate_, [0.0, 0.0, 3.0]));
        },
        "contacts.touch.between",
        "no contact between a",
    );
    expect(
        &|d| d.contacts["touch"].except = vec![Except::Thing("all".into())],
        "contacts.touch.between",
        "no two shapes",
    );
    expect(
        &|d| {
            d.contacts["touch"].between = ["a".into(), "b".into()];
            d.contacts["touch"].pairs = Pairs::All;
        },
        "contacts.touch.pairs",
        "for contacts between groups",
    );
    // all pairs that overlap, deepest first
    expect(
        &|d| {
            d.bodies["b"].position[2] = 0.6;
            d.bodies["a"].position[2] = 0.05;
            d.bodies.insert("c".into(), body(sphere(0.1), [0.0, 0.14, 0.6]));
        },
        "contacts.touch",
        "`b.skin` and `c.skin` by 6.000e-2 m, `a.skin` and `ground.floor` by 5.000e-2 m",
    );
}

/// With all pairs for good the list never changes, so every scheme takes it; with near pairs those that go by a list refuse.
#[test]
fn all_pairs_are_for_any_scheme() {
    let mut description = floor();
    description.bodies.insert("a".into(), body(sphere(0.1), [0.0, 0.0, 0.2]));
    description.bodies.insert("b".into(), body(sphere(0.1), [0.0, 0.0, 0.5]));
    touch(&mut description, "touch", ["all", "all"], 0.0, 1.0);
    let near = Model::in_space(&description).unwrap();
    let state =
        State::new(&near, 0.0, near.described_position().to_vec(), near.described_velocity().to_vec());
    let settings = Settings { step: 1e-3, end: 0.1, output: None, accuracy: None };
    let solver = carom_solve::solver("auto").unwrap();
    let refused = Simulation::new(&near, &*scheme("hem5", &[]).unwrap(), solver, state, settings);
    let text = refused.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("come and go") && text.contains("moreau-jean"), "{text}");
    description.contacts["touch"].pairs = Pairs::All;
    let all = Model::in_space(&description).unwrap();
    // the lower one is back at its height when the fall of 0.1 m and the bounce are over; both fall alike until they meet
    let t = 0.2;
    let state = run(&all, "hem5", 1e-3, t);
    let fall = (2.0 * 0.1 / G).sqrt();
    let expected = 0.1 + G * fall * (t - fall) - 0.5 * G * (t - fall) * (t - fall);
    assert!((state.q[2] - expected).abs() < 1e-9, "{} {expected}", state.q[2]);
}

/// A block of bodies is where it should be, the same from the same seed, and its name means all of it.
#[test]
fn a_body_may_stand_for_a_block() {
    let mut description = floor();
    let mut ball = body(sphere(0.05), [0.1, 0.2, 0.3]);
    ball.repeat = Some(Repeat { counts: [3, 2, 4], pitch: [0.2, 0.3, 0.4], ..Repeat::default() });
    description.bodies.insert("ball".into(), ball.clone());
    touch(&mut description, "touch", ["ball", "all"], 0.3, 0.0);
    let model = Model::in_space(&description).unwrap();
    let names: Vec<&str> = model.body_names().collect();
    assert_eq!((names.len(), names[0], names[23]), (24, "ball-1", "ball-24"));
    // x fastest: number 8 is (1, 0, 1)
    let q = &model.described_position()[7 * 7..7 * 7 + 3];
    assert!(q.iter().zip([0.3, 0.2, 0.7]).all(|(a, b)| (a - b).abs() < 1e-15), "{q:?}");
    assert_eq!(listed(&model), 24 * 23 / 2 + 24);
    // chance: within its bounds, another with another seed
    let mut chance = |seed: u32| {
        let ball = description.bodies.get_mut("ball").unwrap();
        let repeat = Repeat { jitter: 0.01, turned: true, seed, ..ball.repeat.clone().unwrap() };
        ball.repeat = Some(repeat);
        Model::in_space(&description).unwrap().described_position().to_vec()
    };
    let (one, again, other) = (chance(1), chance(1), chance(2));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let plain = model.described_position();
    let shifts: Vec<f64> =
        (0..24).flat_map(|i| (0..3).map(move |k| 7 * i + k)).map(|i| one[i] - plain[i]).collect();
    assert!(shifts.iter().all(|s| s.abs() <= 0.01) && shifts.iter().any(|s| s.abs() > 0.008), "{shifts:?}");
    // too many, none, and on top of each other
    for (repeat, words) in [
        (Repeat { counts: [1000, 100, 100], pitch: [1.0; 3], ..Repeat::default() }, "makes 10000000 bodies"),
        (Repeat { counts: [0, 1, 1], ..Repeat::default() }, "no times"),
        (Repeat { counts: [2, 1, 1], ..Repeat::default() }, "with a pitch of 0"),
    ] {
        description.bodies.get_mut("ball").unwrap().repeat = Some(repeat);
        let text = Model::in_space(&description).unwrap_err().to_string();
        assert!(text.contains(words), "{text}");
    }
}
