//! The smooth pieces of a surface: their numbers, what a contact held to one of them sees, and parabolas against
//! closed forms.
#![allow(non_snake_case)]

use crate::common::{self, Random};
use carom_dynamics::{Configuration, Directions, Energy, NEAREST, Structure, System, check_derivatives};
use carom_model::description::*;
use carom_model::{Description, Model};

/// A ball (a point mass if `rho` is 0) of ground shape `shape`, touching under friction.
fn ball_on(shape: Shape, rho: f64, position: [f64; 2]) -> Result<Model, carom_model::ModelError> {
    let mut d = Description { version: 1, ..Description::default() };
    d.ground.shapes.insert("s".into(), shape);
    let body = if rho > 0.0 {
        Body::rigid(1.0, 1.0, position).with_shape("disk", Shape::Disk { center: [0.0; 2], radius: rho })
    } else {
        Body::point_mass(1.0, position)
    };
    d.bodies.insert("ball".into(), body);
    let name = if rho > 0.0 { "ball.disk" } else { "ball" };
    d.contacts.insert("c".into(), Contact { friction: 0.2, ..Contact::between(name, "ground.s") });
    Model::new(&d)
}

fn path(start: [f64; 2], pieces: Vec<Piece>) -> Shape {
    Shape::Path { start, pieces }
}

/// y = 0 up to the origin, then y = x²/2 to x = `to`.
fn plane_then_parabola(to: f64) -> Shape {
    let parabola = Piece::ParabolaTo { end: [to, 0.5 * to * to], control: [0.5 * to, 0.0] };
    path([-3.0, 0.0], vec![Piece::LineTo([0.0, 0.0]), parabola])
}

fn at(model: &Model, p: [f64; 2]) -> Configuration {
    let n = model.structure().sizes.v;
    let mut q = vec![0.0; n];
    q[..2].copy_from_slice(&p);
    Configuration::new(model, 0.0, &q, &vec![0.0; n])
}

fn pieces(model: &Model, p: [f64; 2]) -> Vec<u32> {
    let mut pieces = vec![NEAREST; model.structure().sizes.contacts];
    model.pieces(&at(model, p), &mut pieces);
    pieces
}

fn gaps(model: &Model, p: [f64; 2], held: &[u32]) -> Vec<f64> {
    let mut at = at(model, p);
    at.pieces = held.to_vec();
    let mut gaps = vec![f64::NAN; model.structure().sizes.contacts];
    model.gaps(&at, &mut gaps);
    gaps
}

#[test]
fn a_parabola_is_as_far_away_as_it_is() {
    // the disk touches y = x²/2 where its centre is ρ along the normal
    let rho = 0.4;
    let model = ball_on(plane_then_parabola(3.0), rho, [0.0, 5.0]).unwrap();
    assert_eq!(model.structure().contacts.len(), 1);
    for x in [0.05, 0.3, 1.0, 2.5] {
        for g in [0.0, 0.2, -0.1] {
            let length = f64::hypot(1.0, x);
            let p = [x - (rho + g) * x / length, 0.5 * x * x + (rho + g) / length];
            assert!((gaps(&model, p, &[])[0] - g).abs() < 1e-14, "{x} {g}");
            let mut W = Directions::default();
            model.directions(&at(&model, p), &[0], &mut W);
            let n = [W.velocity(0, &[1.0, 0.0, 0.0]), W.velocity(0, &[0.0, 1.0, 0.0])];
            assert!((n[0] + x / length).abs() < 1e-13 && (n[1] - 1.0 / length).abs() < 1e-13, "{n:?}");
        }
    }
    // past the end, the end itself
    let end = gaps(&model, [4.0, 4.5], &[])[0];
    assert!((end - (1.0 - rho)).abs() < 1e-15, "{end}");
}

#[test]
fn a_point_that_slides_on_a_parabola_is_pressed_as_it_should() {
    // y = x²/2: ÿ = ẋ² + x ẍ, so along the normal n·a = ẋ²/√(1+x²) if ẍ = 0; contact_bias is minus that
    let model = ball_on(plane_then_parabola(3.0), 0.0, [0.0, 5.0]).unwrap();
    for x in [1e-3f64, 0.7, 2.0] {
        let mut at = at(&model, [x, 0.5 * x * x]);
        let v = [1.7, 1.7 * x];
        at.v.copy_from_slice(&v);
        let mut bias = [0.0; 2];
        model.contact_bias(&at, &[0], &mut bias);
        let exact = -v[0] * v[0] / x.hypot(1.0);
        assert!((bias[0] - exact).abs() < 1e-13, "{} {exact}", bias[0]);
    }
}

#[test]
fn a_disk_must_fit_into_the_parabola() {
    // least radius of curvature of y = x²/2 is 1 in the vertex, 2^{3/2} from x = 1 on
    let from_one = || path([1.0, 0.5], vec![Piece::ParabolaTo { end: [3.0, 4.5], control: [2.0, 1.5] }]);
    assert!(ball_on(plane_then_parabola(2.0), 0.99, [-2.0, 9.0]).is_ok());
    let error = ball_on(plane_then_parabola(2.0), 1.01, [-2.0, 9.0]).unwrap_err();
    assert!(error.to_string().contains("does not fit"), "{error}");
    assert!(ball_on(from_one(), 2.82, [-2.0, 9.0]).is_ok());
    assert!(ball_on(from_one(), 2.83, [-2.0, 9.0]).is_err());
    // walked the other way it is a hump, and any disk fits
    let hump = path([3.0, 4.5], vec![Piece::ParabolaTo { end: [1.0, 0.5], control: [2.0, 1.5] }]);
    assert!(ball_on(hump, 5.0, [20.0, -9.0]).is_ok());
}

#[test]
fn control_points_on_the_chord_are_refused() {
    for (control, end) in [([1.0, 1.0], [2.0, 2.0]), ([0.0, 0.0], [1.0, 0.0]), ([1.0, 0.0], [0.0, 0.0])] {
        let error = ball_on(path([0.0, 0.0], vec![Piece::ParabolaTo { end, control }]), 0.0, [0.0, 5.0]);
        let error = error.unwrap_err();
        assert_eq!(error.path.join("."), "ground.shapes.s.pieces.0");
        assert!(error.to_string().contains("there is no parabola"), "{error}");
        assert!(error.remedy().contains("line-to"), "{error}");
    }
}

#[test]
fn smooth_joints_have_no_corner() {
    let model = ball_on(plane_then_parabola(2.0), 0.1, [0.0, 5.0]).unwrap();
    assert!(model.structure().has_pieces);
    for h in [0.1, 0.05, 0.3] {
        for (x, number) in [(-1.0, 0), (-1e-13, 0), (1e-13, 2), (1.0, 2)] {
            assert_eq!(pieces(&model, [x, h + 0.5 * f64::max(0.0, x).powi(2)]), [number], "{x} {h}");
        }
    }
    // a hump: line into arc, typed with ten digits, so that its ends do not meet the circle exactly
    let shape = || {
        path(
            [-3.0, 1.0],
            vec![
                Piece::LineTo([0.0, 1.0]),
                Piece::ArcTo { end: [0.5, 0.8660254038], center: [0.0, 0.0], counterclockwise: false },
                Piece::LineTo([2.2320508076, -0.1339745962]),
            ],
        )
    };
    let model = ball_on(shape(), 0.1, [-1.0, 5.0]).unwrap();
    let mut seen = Vec::new();
    for i in -200..=200 {
        // along the second joint, finely, at various heights
        let along = 1e-12 * f64::from(i);
        let c = 0.75f64.sqrt();
        for h in [0.0, 0.1, 0.7] {
            seen.extend(pieces(&model, [0.5 * (1.0 + h) + c * along, c * (1.0 + h) - 0.5 * along]));
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [2, 4]);
}

#[test]
fn corners_and_ends_have_numbers_of_their_own() {
    // a roof, free above
    let roof = path([-2.0, -1.0], vec![Piece::LineTo([0.0, 0.0]), Piece::LineTo([2.0, -1.0])]);
    let model = ball_on(roof, 0.2, [0.0, 5.0]).unwrap();
    for (p, number) in
        [([-1.0, 0.0], 0), ([0.0, 1.0], 1), ([1.0, 0.0], 2), ([3.0, -1.0], 3), ([-3.0, -1.0], 4)]
    {
        assert_eq!(pieces(&model, p), [number], "{p:?}");
        // held to what it is at, it sees the same
        assert_eq!(gaps(&model, p, &[number]), gaps(&model, p, &[]));
        assert_eq!(gaps(&model, p, &[NEAREST]), gaps(&model, p, &[]));
    }
    // held to the left slope, whatever is nearest: its line goes on
    let slope = f64::hypot(2.0, 1.0);
    let p = [1.0, 1.0];
    assert!((gaps(&model, p, &[0])[0] - ((2.0 - 1.0) / slope - 0.2)).abs() < 1e-15);
    assert!((gaps(&model, p, &[2])[0] - ((2.0 + 1.0) / slope - 0.2)).abs() < 1e-15);
    assert!((gaps(&model, p, &[1])[0] - (2f64.sqrt() - 0.2)).abs() < 1e-15);
    assert!((gaps(&model, p, &[4])[0] - (13f64.sqrt() - 0.2)).abs() < 1e-15);
}

#[test]
fn an_arc_goes_on_as_a_circle_and_a_parabola_as_a_whole() {
    let quarter = Piece::ArcTo { end: [1.0, 0.0], center: [0.0, 0.0], counterclockwise: false };
    let model =
        ball_on(path([0.0, 1.0], vec![quarter, Piece::LineTo([1.0, -4.0])]), 0.0, [0.0, 5.0]).unwrap();
    assert!((gaps(&model, [0.0, -3.0], &[0])[0] - 2.0).abs() < 1e-15);
    assert!((gaps(&model, [-2.0, 0.0], &[2])[0] + 3.0).abs() < 1e-15);
    // y = x²/2 at x = −1, though the piece begins at 0
    let model = ball_on(plane_then_parabola(2.0), 0.0, [0.0, 5.0]).unwrap();
    assert!(gaps(&model, [-1.0, 0.5], &[2])[0].abs() < 1e-15);
    assert!((gaps(&model, [-1.0, 0.5], &[])[0] - 0.5).abs() < 1e-15);
    assert!((gaps(&model, [1.0, 0.25], &[0])[0] - 0.25).abs() < 1e-15);
}

#[test]
fn pieces_of_a_groove_say_what_they_show() {
    // floor, step up (concave, then convex), upper floor: the floor is one contact, step and upper floor another
    let step = || {
        path(
            [-2.0, 0.0],
            vec![Piece::LineTo([0.0, 0.0]), Piece::LineTo([0.0, 1.0]), Piece::LineTo([2.0, 1.0])],
        )
    };
    const NOTHING: u32 = NEAREST - 1;
    let model = ball_on(step(), 0.1, [-1.0, 5.0]).unwrap();
    assert_eq!(model.structure().contacts.len(), 2);
    assert!(model.structure().has_pieces);
    // above the lower floor and beside the step: both are there
    assert_eq!(pieces(&model, [-0.5, 0.5]), [0, 2]);
    // beyond the upper edge: the corner
    assert_eq!(pieces(&model, [-0.5, 1.5]), [0, 3]);
    assert_eq!(pieces(&model, [1.0, 1.5]), [NOTHING, 4]);
    // past the free end of the upper floor, before the free start of the lower one
    assert_eq!(pieces(&model, [3.0, 1.5]), [NOTHING, 5]);
    assert_eq!(pieces(&model, [-3.0, 0.5])[0], 6);
    for p in [[-0.5, 0.5], [-0.5, 1.5], [1.0, 1.5], [3.0, 1.5], [-3.0, 0.5]] {
        assert_eq!(gaps(&model, p, &pieces(&model, p)), gaps(&model, p, &[]), "{p:?}");
    }
    // held: the floor goes on under the step, what is hidden stays away
    let held = gaps(&model, [0.5, 1.5], &[0, 2]);
    assert!((held[0] - 1.4).abs() < 1e-15 && (held[1] + 0.6).abs() < 1e-15);
    assert_eq!(gaps(&model, [0.5, 1.5], &[0, NOTHING])[1], f64::INFINITY);
}

#[test]
fn surfaces_without_ends_have_no_pieces() {
    let circle = Piece::ArcTo { end: [1.0, 0.0], center: [0.0, 0.0], counterclockwise: false };
    let shapes = [
        path([1.0, 0.0], vec![circle]),
        Shape::Line { through: [0.0, 0.0], normal: [0.0, 1.0] },
        Shape::Disk { center: [0.0; 2], radius: 1.0 },
    ];
    for shape in shapes {
        let model = ball_on(shape, 0.0, [0.0, 5.0]).unwrap();
        assert!(!model.structure().has_pieces);
        assert_eq!(pieces(&model, [0.0, 3.0]), [0]);
    }
}

/// A model whose contacts are held to pieces of their surfaces.
struct Held {
    model: Model,
    pieces: Vec<u32>,
}

impl Held {
    fn at(&self, at: &Configuration) -> Configuration {
        let mut at = at.clone();
        at.pieces = self.pieces.clone();
        at
    }
}

impl System for Held {
    fn structure(&self) -> &Structure {
        self.model.structure()
    }
    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        self.model.derive(t, q, derived);
    }
    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        self.model.mass(at, M);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        self.model.force(at, h);
    }
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        self.model.tangents(at, K, C);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        self.model.gaps(&self.at(at), g_N);
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        self.model.directions(&self.at(at), active, W);
    }
    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        self.model.contact_bias(&self.at(at), active, bias);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        self.model.energy(at)
    }
    fn observe(&self, at: &Configuration, out: &mut [f64]) {
        self.model.observe(at, out);
    }
}

/// Pieces that occur at random states, held at other random states: whatever is nearest there, gaps, rows and biases
/// belong to one smooth surface.
fn held_derivatives(description: &Description, spread: f64, seeds: u64) -> usize {
    let model = Model::new(description).unwrap_or_else(|error| panic!("{error}"));
    let n = model.structure().sizes.q;
    let state = |random: &mut Random| {
        let moved = random.vector(n, spread);
        let q: Vec<f64> = model.described_position().iter().zip(moved).map(|(a, b)| a + b).collect();
        q
    };
    let mut elsewhere = 0;
    for seed in 0..seeds {
        let mut random = Random::new(seed + 77);
        let (q, other, v) = (state(&mut random), state(&mut random), random.vector(n, 2.0));
        let mut held = vec![NEAREST; model.structure().sizes.contacts];
        model.pieces(&Configuration::new(&model, 0.0, &q, &v), &mut held);
        let mut here = held.clone();
        model.pieces(&Configuration::new(&model, 0.0, &other, &v), &mut here);
        elsewhere += held.iter().zip(&here).filter(|(a, b)| a != b).count();
        let held = Held { model: model.clone(), pieces: held };
        let wrong = check_derivatives(&held, 0.3, &other, &v, 1e-6);
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
        let held = Held { pieces: here, ..held };
        let wrong = check_derivatives(&held, 0.3, &other, &v, 1e-6);
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
    }
    elsewhere
}

#[test]
fn held_contacts_have_exact_derivatives() {
    let elsewhere = held_derivatives(&common::contacts(), 2.5, 60);
    assert!(elsewhere > 300, "{elsewhere} contacts were held away from where they are");
}

/// Two soft blocks that meet, side on side.
fn blocks() -> Description {
    let mut d = Description { version: 1, ..Description::default() };
    for (name, x, angle) in [("left", 0.0, 0.0), ("right", 1.3, 0.3)] {
        let solid = Solid {
            block: Some(Block {
                size: [1.0, 0.6],
                elements: [3, 2],
                element: ElementKind::default(),
                origin: Origin::Center,
            }),
            young: 1e4,
            poisson: 0.3,
            density: 10.0,
            thickness: 1.0,
            ..Solid::default()
        };
        let body = Body {
            elastic: Some(Elastic::Solid(Box::new(solid))),
            position: [x, 0.0],
            angle,
            ..Body::default()
        };
        d.bodies.insert(name.into(), body);
    }
    let contact = Contact { friction: 0.3, ..Contact::between("left.right", "right.boundary") };
    d.contacts.insert("meet".into(), contact);
    d
}

#[test]
fn segments_and_nodes_of_a_boundary_are_pieces() {
    let elsewhere = held_derivatives(&blocks(), 0.02, 12);
    assert!(elsewhere > 0, "contacts were held away from where they are");
    // held to what it is at, a contact sees the same
    let model = Model::new(&blocks()).unwrap();
    assert!(model.structure().has_pieces);
    let n = model.structure().sizes.q;
    let mut kinds = [0; 2];
    for seed in 0..40 {
        let mut random = Random::new(seed + 5);
        let mut q: Vec<f64> = model.described_position().to_vec();
        q.iter_mut().zip(random.vector(n, 0.05)).for_each(|(q, r)| *q += r);
        let at = Configuration::new(&model, 0.0, &q, &vec![0.0; n]);
        let mut held = at.clone();
        held.pieces = vec![0; model.structure().sizes.contacts];
        model.pieces(&at, &mut held.pieces);
        let (mut free, mut same) = (vec![0.0; held.pieces.len()], vec![1.0; held.pieces.len()]);
        model.gaps(&at, &mut free);
        model.gaps(&held, &mut same);
        for i in 0..free.len() {
            kinds[(held.pieces[i] % 2) as usize] += 1;
            assert!((free[i] - same[i]).abs() <= 1e-15 * (1.0 + free[i].abs()), "{} {}", free[i], same[i]);
        }
    }
    assert!(kinds.iter().all(|&seen| seen > 10), "segments and nodes: {kinds:?}");
}

#[test]
fn a_parabola_is_drawn() {
    let model = ball_on(plane_then_parabola(2.0), 0.0, [0.0, 5.0]).unwrap();
    let ground = model.outlines().last().expect("ground has an outline");
    let line = &ground.polylines[0];
    assert!(line.len() > 20);
    let off = |p: &[f64; 2]| (p[1] - 0.5 * p[0].max(0.0) * p[0].max(0.0)).abs();
    assert!(line.iter().all(|p| off(p) < 1e-15), "{line:?}");
    assert_eq!(line.last(), Some(&[2.0, 2.0]));
}
