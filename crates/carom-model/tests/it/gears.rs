//! Toothed wheels on bodies: derivatives, momentum, plane against space, and the closed forms of two published examples.
//! [Ebrahimi2007] ch. 7; data and digits from the spec of gears.

use crate::common::Random;
use carom_dynamics::{Configuration, System, check_derivatives};
use carom_model::description::{Body, Flanks, GearLaw, GearPair, PlayFrom, space};
use carom_model::{Description, Model, Space};

/// Two free wheels.
fn plane(gear: GearPair, distance: f64) -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    d.bodies.insert("pinion".into(), Body::rigid(1.0, 1e-3, [0.0; 2]));
    d.bodies.insert("wheel".into(), Body::rigid(2.0, 2e-3, [distance, 0.0]));
    d.gears.insert("mesh".into(), gear);
    d
}

fn in_space(gear: GearPair, distance: f64) -> space::Description {
    let mut d = space::Description { version: 1, space: true, ..space::Description::default() };
    d.bodies.insert("pinion".into(), space::Body::rigid(1.0, [2e-3, 2e-3, 1e-3], [0.0; 3]));
    d.bodies.insert("wheel".into(), space::Body::rigid(2.0, [3e-3, 3e-3, 2e-3], [distance, 0.0, 0.0]));
    d.gears.insert("mesh".into(), gear);
    d
}

fn spur(law: GearLaw) -> GearPair {
    GearPair { law, play: Some(1e-4), ..GearPair::between("pinion", "wheel", [14, 39], 5e-3) }
}

/// Springs with everything that makes tangents.
fn rich(gear: GearPair) -> GearPair {
    let soft =
        GearPair { stiffness: Some(1e6), damping: Some(30.0), friction: 0.2, creep: Some(2.0), ..gear };
    GearPair { tip_relief: Some(1e-4), relief_length: Some(5e-3), ..soft }
}

fn helical(gear: GearPair) -> GearPair {
    GearPair { helix_angle: 0.3, width: Some(0.03), slices: Some(3), ..gear }
}

fn ring(law: GearLaw) -> (GearPair, f64) {
    let gear = GearPair { teeth: [17, -61], addendum: [0.8; 2], module: 2e-3, ..spur(law) };
    (gear, 0.044)
}

fn wrong_in_plane(gear: GearPair, distance: f64) {
    let model = Model::new(&plane(gear, distance)).unwrap_or_else(|error| panic!("{error}"));
    for seed in 0..12 {
        let mut random = Random::new(seed + 1);
        let mut q = model.described_position().to_vec();
        for (i, q) in q.iter_mut().enumerate() {
            *q += random.next() * if i % 3 == 2 { 0.02 } else { 2e-4 };
        }
        let v = random.vector(6, 1.0);
        let wrong = check_derivatives(&model, 0.1, &q, &v, 2e-5);
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
    }
}

#[test]
fn derivatives_in_the_plane() {
    let distance = helical(spur(GearLaw::Hard)).module * 26.5 / 0.3f64.cos();
    wrong_in_plane(rich(spur(GearLaw::Spring)), 0.1325);
    wrong_in_plane(rich(helical(spur(GearLaw::Spring))), distance);
    let (internal, between) = ring(GearLaw::Spring);
    wrong_in_plane(
        GearPair { stiffness: Some(1e6), damping: Some(30.0), friction: 0.2, creep: Some(2.0), ..internal },
        between,
    );
    wrong_in_plane(GearPair { friction: 0.3, ..spur(GearLaw::Hard) }, 0.1325);
    wrong_in_plane(ring(GearLaw::Hard).0, between);
    wrong_in_plane(helical(spur(GearLaw::Hard)), distance);
}

/// A state in general position: turned as a whole, axes that lean a little.
fn somewhere(model: &Model<Space>, seed: u64, lean: f64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed + 1);
    let delta: Vec<f64> = (0..12)
        .map(|i| {
            random.next()
                * if i % 6 == 5 {
                    0.02
                } else if i % 6 > 2 {
                    lean
                } else {
                    1e-4
                }
        })
        .collect();
    let start = model.described_position();
    let mut at = Configuration::new(model, 0.0, start, &[0.0; 12]);
    at.retract_to(model, 0.0, start, &delta);
    (at.q().to_vec(), random.vector(12, 1.0))
}

#[test]
fn derivatives_in_space() {
    let distance = helical(spur(GearLaw::Hard)).module * 26.5 / 0.3f64.cos();
    let (internal, between) = ring(GearLaw::Spring);
    let cases = [
        (rich(helical(spur(GearLaw::Spring))), distance),
        (rich(GearPair { helix_angle: -0.2, ..helical(spur(GearLaw::Spring)) }), 0.1325 / 0.2f64.cos()),
        (rich(spur(GearLaw::Spring)), 0.1325),
        (GearPair { stiffness: Some(1e6), ..internal }, between),
        (GearPair { friction: 0.3, ..helical(spur(GearLaw::Hard)) }, distance),
    ];
    for (gear, distance) in cases {
        let model = Model::in_space(&in_space(gear, distance)).unwrap_or_else(|error| panic!("{error}"));
        for seed in 0..8 {
            let (q, v) = somewhere(&model, seed, 5e-3);
            let wrong = check_derivatives(&model, 0.1, &q, &v, 5e-5);
            assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
        }
    }
}

/// What both wheels feel adds up to nothing, force and moment, whatever their places: everything is inside the pair.
#[test]
fn forces_are_opposite_on_one_line() {
    let distance = helical(spur(GearLaw::Hard)).module * 26.5 / 0.3f64.cos();
    let model = Model::in_space(&in_space(rich(helical(spur(GearLaw::Spring))), distance)).unwrap();
    let mut felt = 0.0;
    for seed in 0..20 {
        let (q, v) = somewhere(&model, seed, 5e-3);
        let at = Configuration::new(&model, 0.0, &q, &v);
        let mut h = vec![0.0; 12];
        model.force(&at, &mut h);
        // turning resists in the axes of the body: leave −ω × J ω out
        let mut calm = vec![0.0; 12];
        let free = Model::in_space(&in_space(spur(GearLaw::Hard), 0.1325)).unwrap();
        free.force(&Configuration::new(&free, 0.0, &q, &v), &mut calm);
        h.iter_mut().zip(&calm).for_each(|(h, calm)| *h -= calm);
        let turned = |body: usize| -> [f64; 3] {
            let [w, x, y, z] = [3, 4, 5, 6].map(|k| q[7 * body + k]);
            let m = [h[6 * body + 3], h[6 * body + 4], h[6 * body + 5]];
            let cross = |a: [f64; 3], b: [f64; 3]| {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            };
            let u = [x, y, z];
            let once = cross(u, m).map(|a| 2.0 * a);
            let twice = cross(u, once);
            std::array::from_fn(|i| m[i] + w * once[i] + twice[i])
        };
        let (a, b) = (turned(0), turned(1));
        let f = [h[6], h[7], h[8]];
        let d = [q[7] - q[0], q[8] - q[1], q[9] - q[2]];
        let arm = [d[1] * f[2] - d[2] * f[1], d[2] * f[0] - d[0] * f[2], d[0] * f[1] - d[1] * f[0]];
        let size = f.iter().map(|f| f.abs()).fold(0.0, f64::max);
        felt += size;
        for k in 0..3 {
            assert!((h[k] + h[6 + k]).abs() <= 1e-12 * size);
            assert!((a[k] + b[k] + arm[k]).abs() <= 1e-11 * size, "{:?} {a:?} {b:?} {arm:?}", f);
        }
    }
    assert!(felt > 100.0, "the teeth touch");
}

/// The same pair in plane and space, exchanged, and with the other hand: torques are the same, axial forces change their sign.
#[test]
fn plane_space_exchange_and_hand() {
    let distance = 5e-3 * 26.5 / 0.3f64.cos();
    let soft = |gear: GearPair| GearPair { stiffness: Some(1e8), damping: Some(0.0), ..helical(gear) };
    let own = soft(spur(GearLaw::Spring));
    let torques = |model: &Model| {
        let mut q = model.described_position().to_vec();
        q[2] += 3e-3;
        let mut h = vec![0.0; 6];
        model.force(&Configuration::new(model, 0.0, &q, &[0.0; 6]), &mut h);
        h
    };
    let flat = torques(&Model::new(&plane(own.clone(), distance)).unwrap());
    assert!(flat[2] < -1.0, "{flat:?}");
    // torques in the ratio of the radii, up to the part that closes the energy
    assert!((flat[5] / flat[2] - 39.0 / 14.0).abs() < 2e-2, "{flat:?}");
    let turned_by = |hand: f64| {
        let gear = GearPair { helix_angle: hand * 0.3, ..own.clone() };
        let model = Model::in_space(&in_space(gear, distance)).unwrap();
        let start = model.described_position();
        let mut at = Configuration::new(&model, 0.0, start, &[0.0; 12]);
        let mut delta = [0.0; 12];
        delta[5] = 3e-3;
        at.retract_to(&model, 0.0, start, &delta);
        let mut h = vec![0.0; 12];
        model.force(&at, &mut h);
        h
    };
    let (right, left) = (turned_by(1.0), turned_by(-1.0));
    for (spatial, planar) in [(0, 0), (1, 1), (5, 2), (6, 3), (7, 4), (11, 5)] {
        let size = flat[1].abs();
        assert!((right[spatial] - flat[planar]).abs() < 1e-9 * size, "{right:?} {flat:?}");
        assert!((left[spatial] - flat[planar]).abs() < 1e-9 * size, "{left:?} {flat:?}");
    }
    // a right-handed driver is pushed along its rotation vector: F_a = F_t tan β
    let transverse = -flat[2] / (0.5 * 14.0 * 5e-3 / 0.3f64.cos());
    assert!((right[2] - transverse * 0.3f64.tan()).abs() < 5e-3 * right[2], "{right:?} {transverse}");
    assert!((right[2] + left[2]).abs() < 1e-9 * right[2]);
    // the second named first: it turns the other way round, so nothing else changes
    let mut exchanged =
        plane(GearPair { between: ["wheel".into(), "pinion".into()], teeth: [39, 14], ..own }, distance);
    let model = Model::new(&exchanged).unwrap();
    let again = torques(&model);
    for i in 0..6 {
        assert!((again[i] - flat[i]).abs() < 1e-6 * flat[1].abs(), "{again:?} {flat:?}");
    }
    exchanged.bodies.swap_indices(0, 1);
    assert!(Model::new(&exchanged).is_ok());
}

/// Two wheels on fixed axes, by central differences; the first driven at a constant speed, or free. Calls with time, speed of the
/// second wheel and its torque.
fn turn(
    model: &Model,
    speeds: [f64; 2],
    inertias: [f64; 2],
    driven: bool,
    end: f64,
    dt: f64,
    mut see: impl FnMut(f64, [f64; 2], [f64; 2]),
) {
    let mut q = model.described_position().to_vec();
    let mut omega = speeds;
    let steps = (end / dt).round() as usize;
    for step in 0..steps {
        q[2] += 0.5 * dt * omega[0];
        q[5] += 0.5 * dt * omega[1];
        let mut h = vec![0.0; 6];
        let v = [0.0, 0.0, omega[0], 0.0, 0.0, omega[1]];
        model.force(&Configuration::new(model, 0.0, &q, &v), &mut h);
        if !driven {
            omega[0] += dt * h[2] / inertias[0];
        }
        omega[1] += dt * h[5] / inertias[1];
        q[2] += 0.5 * dt * omega[0];
        q[5] += 0.5 * dt * omega[1];
        see((step + 1) as f64 * dt, omega, [h[2], h[5]]);
    }
}

/// Example 1, table 7.1: 51.450 kN, 0.56931 ms, then −0.50131 and 1.24369 rad/s: closed form of one spring between two wheels. The
/// parabola changes it by 1e-5.
#[test]
fn one_impact_of_two_equal_wheels() {
    for (ratio, tolerance) in [(1.0, 2e-6), (0.8, 3e-5)] {
        let gear = GearPair {
            width: Some(0.05),
            shape_factor: Some(0.85),
            stiffness_ratio: Some(ratio),
            dedendum: [1.0315; 2],
            damping_ratio: Some(0.0),
            // left flanks only
            play: Some(2e-3),
            flanks: Flanks::Forward,
            law: GearLaw::Spring,
            ..GearPair::between("pinion", "wheel", [97, 97], 6e-3)
        };
        let model = Model::new(&plane(gear, 0.582)).unwrap();
        let r_b = 0.291 * 20f64.to_radians().cos();
        let (mut most, mut last, mut after) = (0f64, 0.0, [0.0; 2]);
        turn(&model, [1.745, 0.0], [2.27, 4.1], false, 1e-3, 5e-8, |t, omega, [torque, _]| {
            most = most.max(-torque / r_b);
            if torque < 0.0 {
                last = t;
            }
            // the second runs the other way round
            after = [omega[0], -omega[1]];
        });
        assert!((most / 51_450.0 - 1.0).abs() < 1e-5 + tolerance, "{most}");
        assert!((last - 0.56931e-3).abs() < 1e-7, "{last}");
        assert!(
            (after[0] + 0.50131).abs() < 1e-5 + tolerance && (after[1] - 1.24369).abs() < 1e-5 + tolerance,
            "{after:?}"
        );
        // equal base radii
        let momentum = 2.27 * after[0] + 4.1 * after[1];
        assert!((momentum - 2.27 * 1.745).abs() < 3e-4 * (1.0 - ratio) + 1e-9, "{momentum}");
    }
}

/// One mass between two walls on springs and dampers, the walls moving on at a constant speed: how often it is touched, the largest
/// force, and when contacts begin. Independent of Carom.
fn between_walls(
    mass: f64,
    play: f64,
    speed: f64,
    springs: [f64; 2],
    tau: f64,
    end: f64,
) -> (usize, f64, Vec<f64>) {
    let (dt, mut x, mut v) = (1e-8, 0.0, speed);
    let (mut most, mut begun, mut touching) = (0f64, Vec::new(), false);
    for step in 0..(end / dt) as usize {
        // x: how far the driver is ahead, seen from the middle of the play
        x += 0.5 * dt * v;
        let (side, c) = if x > 0.0 { (1.0, springs[0]) } else { (-1.0, springs[1]) };
        let depth = side * x - 0.5 * play;
        let force = if depth > 0.0 { (c * (depth + tau * side * v)).max(0.0) } else { 0.0 };
        v -= dt * side * force / mass;
        x += 0.5 * dt * v;
        if (force > 0.0) != touching {
            touching = !touching;
            if touching {
                begun.push(step as f64 * dt);
            }
        }
        most = most.max(force);
    }
    (begun.len(), most, begun)
}

/// Example 2, table 7.2, rigid teeth: contacts in 60 ms, largest force, when the first three begin. The published numbers are those of one
/// pair of teeth on both sides; as the teeth stand, two pairs carry on the other side.
#[test]
fn rattle_of_a_driven_pair() {
    let (r_b1, r_b2) = (32.88924e-3, 91.62003e-3);
    let (c, inertia) = (2.798508e8, 2.214e-2);
    let mass = inertia / (r_b2 * r_b2);
    for (ratio, contacts, force, begins) in
        [(0.0, 22, 446.7715, [1.216, 3.954, 6.691]), (0.05, 10, 416.1, [1.216, 4.354, 7.958])]
    {
        let tau = 2.0 * ratio * f64::sqrt(mass / c);
        let walls = |springs| between_walls(mass, 40e-6, 0.5 * r_b1, springs, tau, 0.06);
        let published = walls([c, c]);
        assert_eq!(published.0, contacts);
        assert!((published.1 / force - 1.0).abs() < 1e-4, "{}", published.1);
        for (begun, published) in published.2.iter().zip(begins) {
            assert!((begun * 1e3 - published).abs() < 6e-4, "{begun} {published}");
        }
        let expected = walls([c, 2.0 * c]);
        let gear = GearPair {
            // constant, as in the pitch point
            stiffness: Some(c),
            stiffness_ratio: Some(1.0),
            damping: Some(tau * c),
            entry: Some(0.0),
            dedendum: [1.05; 2],
            play: Some(40e-6),
            law: GearLaw::Spring,
            ..GearPair::between("pinion", "wheel", [14, 39], 5e-3)
        };
        let model = Model::new(&plane(gear, 0.1325)).unwrap();
        let (mut begun, mut touching, mut most, mut forward) = (Vec::new(), false, 0f64, 0f64);
        turn(&model, [0.5, 0.0], [1.0, inertia], true, 0.06, 2e-7, |t, _, [_, torque]| {
            let pushed = torque != 0.0;
            if pushed && !touching {
                begun.push(t);
            }
            touching = pushed;
            most = most.max(torque.abs() / r_b2);
            // the second runs the other way round
            forward = forward.max(-torque / r_b2);
        });
        assert_eq!(begun.len(), expected.0, "{begun:?}");
        assert!((most / expected.1 - 1.0).abs() < 1e-3, "{most} {}", expected.1);
        for (begun, expected) in begun.iter().zip(&expected.2).take(4) {
            assert!((begun - expected).abs() < 2e-6, "{begun} {expected}");
        }
        if ratio == 0.0 {
            assert!((forward / force - 1.0).abs() < 1e-4, "{forward}");
        }
    }
}

#[track_caller]
fn refused(gear: GearPair, distance: f64, path: &str, words: &[&str]) {
    let error = Model::new(&plane(gear, distance)).expect_err("it is wrong");
    let text = format!("{error} {}", error.remedy());
    assert_eq!(error.path.join("."), path, "{text}");
    for word in words {
        assert!(text.contains(word), "no {word:?} in: {text}");
    }
}

#[test]
fn what_does_not_mesh_is_refused() {
    let both = ["pinion", "wheel"];
    let base = || spur(GearLaw::Hard);
    refused(GearPair { teeth: [0, 20], ..base() }, 0.1325, "gears.mesh.teeth", &["pinion"]);
    refused(GearPair { teeth: [-40, 20], ..base() }, 0.1325, "gears.mesh.teeth", &["comes second"]);
    refused(GearPair { teeth: [20, -20], ..base() }, 0.1325, "gears.mesh.teeth", &both);
    refused(GearPair { width: Some(-1.0), ..base() }, 0.1325, "gears.mesh.width", &["above 0"]);
    refused(GearPair { helix_angle: 0.2, ..base() }, 0.1325, "gears.mesh", &["width"]);
    refused(base(), 0.15, "gears.mesh.between", &["pinion", "wheel", "do not reach", "0.132500"]);
    refused(
        GearPair { restitution: 0.5, law: GearLaw::Spring, ..base() },
        0.1325,
        "gears.mesh.restitution",
        &["hard"],
    );
    refused(GearPair { law: GearLaw::Spring, ..base() }, 0.1325, "gears.mesh", &["width"]);
    // pair R2 of table 7.3 jams by 0.144 mm: 0.17526 mm of distance are missing
    let reverse = GearPair {
        teeth: [26, 42],
        module: 2.14e-3,
        profile_shift: [0.254, 0.149],
        helix_angle: 31.5f64.to_radians(),
        width: Some(0.02),
        addendum: [1.1; 2],
        dedendum: [1.15; 2],
        play: None,
        play_from: PlayFrom::Geometry,
        ..base()
    };
    refused(reverse, 0.086, "gears.mesh.between", &["jam", "0.000144", "0.000175", "pinion", "wheel"]);
}
