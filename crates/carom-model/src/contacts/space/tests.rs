//! Rows and biases against differences, gaps against distances found by search, for every pair of shapes.

use super::rim::FEET;
use super::*;
use crate::contacts::Contacts;
use crate::geometry::space_rig::{BODIES, Rig, V, somewhere};
use crate::geometry::{Vector, add, dot, norm, scale};
use crate::joints::{Coordinate, Framed, Pair};
use crate::place::Carrier;
use carom_dynamics::rotation::{Quaternion, cross as times, exp, product};
use carom_dynamics::{JointStop, Quantity};

// --- somewhere else every time ---

/// Numbers between −1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> V3 {
        [0; 3].map(|_| size * self.next())
    }

    fn turned(&mut self) -> Quaternion {
        exp(self.vector(2.0))
    }

    fn configuration(&mut self, rig: &Rig, reach: f64) -> Configuration {
        let delta: Vec<f64> = (0..V).map(|_| reach * self.next()).collect();
        let mut at = rig.moved(&somewhere(rig), &delta);
        at.v.iter_mut().for_each(|v| *v = self.next());
        at
    }
}

const SOLIDS: [Solid; 11] = [
    Solid::Point,
    Solid::Sphere { radius: 0.3 },
    Solid::Capsule { radius: 0.2, half: 0.7 },
    Solid::Box { half: [0.5, 0.3, 0.8] },
    Solid::Cylinder { radius: 0.4, half: 0.6 },
    Solid::Cylinder { radius: 0.4, half: f64::INFINITY },
    Solid::Ring { circle: 0.6, radius: 0.1 },
    Solid::HalfSpace,
    Solid::Socket { radius: 1.4 },
    Solid::Bore { radius: 1.1, half: 1.5, closed: true },
    Solid::Bore { radius: 1.1, half: 1.5, closed: false },
];

/// All that is not refused.
fn pairs() -> impl Iterator<Item = (Solid, Solid)> {
    let possible = |pair: &(Solid, Solid)| {
        let rig = Rig::new();
        let place = |k: usize| Mount::new(rig.places()[k].clone(), V3::ZERO, [1.0, 0.0, 0.0, 0.0]);
        elements(&put(pair.0, place(1)), &put(pair.1, place(2)), true).is_ok()
    };
    SOLIDS.iter().flat_map(|a| SOLIDS.iter().map(|b| (*a, *b))).filter(possible)
}

fn put(solid: Solid, mount: Mount) -> Placement {
    Placement { solid, mount }
}

fn mounted(random: &mut Random, place: &Place<Space>) -> Mount {
    Mount::new(place.clone(), random.vector(0.3), random.turned())
}

/// A mount on another body, its middle not far from that of one of some shape.
fn near(random: &mut Random, at: &Configuration, place: &Place<Space>, solid: Solid, mount: &Mount) -> Mount {
    let reach = if matches!(solid, Solid::Socket { .. } | Solid::Bore { .. }) { 0.8 } else { 1.5 };
    let (frame, body) = (mount.frame(at), place.frame(at));
    let middle = add(Space::origin(&frame), Space::turn(&frame, random.vector(reach)));
    let local = Space::to_local(&body, sub(middle, Space::origin(&body)));
    Mount::new(place.clone(), local, random.turned())
}

fn rows(element: &Element, at: &Configuration, piece: u32, resists: Resistance) -> Vec<Vec<f64>> {
    let mut W = Directions::default();
    element.directions(at, piece, resists, &mut W);
    assert_eq!(W.rows(), element.rows() + resists.dim());
    (0..W.rows())
        .map(|r| {
            let mut row = vec![0.0; V];
            let (columns, values) = W.row(r);
            columns.iter().zip(values).for_each(|(&column, value)| row[column as usize] += value);
            row
        })
        .collect()
}

/// Derivative of fourth order along δ.
fn derivative(rig: &Rig, at: &Configuration, delta: &[f64], f: &dyn Fn(&Configuration) -> f64) -> f64 {
    const EPS: f64 = 1e-4;
    let f = |k: f64| {
        let delta: Vec<f64> = delta.iter().map(|x| k * EPS * x).collect();
        f(&rig.moved(at, &delta))
    };
    (8.0 * (f(1.0) - f(-1.0)) - (f(2.0) - f(-2.0))) / (12.0 * EPS)
}

/// Round-off of the difference, 1e-11, and its error where normals turn once in a tenth of a length.
fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-7 * (1.0 + a.abs()), "{what}: {a} {b}");
}

/// W_N is the derivative of the gap, the bias the rate of W v.
fn check(rig: &Rig, at: &Configuration, element: &Element, what: &str) {
    let piece = element.number(at);
    if element.gap(at, NEAREST).is_finite() {
        assert_eq!(
            element.gap(at, NEAREST),
            element.gap(at, piece),
            "{what}: a piece held where it is nearest"
        );
        let row = &rows(element, at, piece, Resistance::None)[0];
        for i in 0..V {
            let mut delta = vec![0.0; V];
            delta[i] = 1.0;
            close(row[i], derivative(rig, at, &delta, &|at| element.gap(at, piece)), what);
        }
    }
    let may_resist = element.rows() == 3;
    for resists in [Resistance::None, Resistance::Rolling(0.1), Resistance::Drilling(0.1)] {
        if resists != Resistance::None && !may_resist {
            continue;
        }
        let mut bias = vec![0.0; element.rows() + resists.dim()];
        element.bias(at, piece, resists, &mut bias);
        for (r, bias) in bias.iter().enumerate() {
            let U = |at: &Configuration| {
                rows(element, at, piece, resists)[r].iter().zip(&at.v).map(|(w, v)| w * v).sum()
            };
            close(*bias, derivative(rig, at, &at.v, &U), &format!("bias of row {r} of {what}"));
        }
    }
}

#[test]
fn rows_and_biases_are_differences() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(3);
    for (a, b) in pairs() {
        let mut seen = 0;
        for _ in 0..8 {
            let at = random.configuration(&rig, 0.5);
            for (i, j) in [(1, 2), (4, 1), (0, 2), (2, 5), (3, 1)] {
                let second = mounted(&mut random, &places[j]);
                let first = near(&mut random, &at, &places[i], b, &second);
                let all = elements(&put(a, first), &put(b, second), true).expect("a possible pair");
                for Facing { element, .. } in &all {
                    assert!(!element.gap(&at, NEAREST).is_nan());
                    // one of each is enough of those that look alike
                    if element.number(&at) != HIDDEN
                        && element.gap(&at, NEAREST) > -0.3
                        && random.next() > 0.6
                    {
                        check(&rig, &at, element, &format!("{a:?} on {b:?}"));
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 0, "{a:?} never faced {b:?}");
    }
}

#[test]
fn rows_of_joints_are_differences() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(5);
    for _ in 0..10 {
        let at = random.configuration(&rig, 0.5);
        for (i, j) in [(1, 2), (4, 1), (0, 2), (2, 5), (5, 4)] {
            let axis = scale(1.0 / 3.0, [1.0, -2.0, 2.0]);
            let (first, second) = (places[i].clone(), places[j].clone());
            check(&rig, &at, &Element::Turning(Turning { first, second, axis }), "turning");
            let (slider, guide) =
                (mounted(&mut random, &places[i]).marker([0.1, 0.2, 0.3]), mounted(&mut random, &places[j]));
            check(&rig, &at, &Element::Sliding(Sliding { slider, guide }), "sliding");
            let framed =
                |mount: Mount, turned: Quaternion| Framed::new(mount.marker([0.1, -0.2, 0.1]), turned);
            let (a, b) = (mounted(&mut random, &places[i]), mounted(&mut random, &places[j]));
            let pair = Pair { a: framed(a, random.turned()), b: framed(b, random.turned()) };
            let angle = Coordinate::angle(pair.clone(), 1.0);
            let displacement = Coordinate::displacement(pair);
            for upper in [true, false] {
                let stop = |coordinate: &Coordinate, quantity, arm, gain, shift| {
                    let stop = JointStop { quantity, arm, limit: 0.7, upper };
                    Element::Stop(Stopped { coordinate: coordinate.clone(), gain, shift, stop })
                };
                check(&rig, &at, &stop(&angle, Quantity::Angle, 0.3, 1.0, 0.0), "stop of an angle");
                check(&rig, &at, &stop(&displacement, Quantity::Length, 1.0, 1.0, 0.0), "stop of a way");
                check(&rig, &at, &stop(&displacement, Quantity::Angle, 0.3, -5.0, 0.4), "stop of a screw");
            }
        }
    }
}

#[test]
fn rows_of_joints_with_play_are_differences() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(23);
    for _ in 0..10 {
        let at = random.configuration(&rig, 0.5);
        for (i, j) in [(1, 2), (4, 1), (0, 2), (2, 5), (5, 4)] {
            let (a, b) = (mounted(&mut random, &places[i]), mounted(&mut random, &places[j]));
            let mut all = vec![ball_in_socket(&a, &b, 0.2, 0.1, true)];
            all.extend(pin_in_bearing(&a, &b, [0.2, 0.5], 0.1, true));
            all.extend(thrust_faces(&a, &b, [0.2, 0.5], 0.1, true).into_iter().flatten());
            all.extend(thrust_faces(&a, &b, [0.0, 0.5], 0.1, true).into_iter().flatten());
            all.extend(box_in_guide(&a, &b, [0.1, 0.2, 0.5], 0.1, true).into_iter().flat_map(|c| c.1));
            all.iter().for_each(|facing| check(&rig, &at, &facing.element, "play"));
        }
    }
}

/// Two mounts that agree: every gap is the play, and a small way takes it where the formulas at the head of the file say.
#[test]
fn play_is_what_is_left() {
    let rig = Rig::new();
    let places = rig.places();
    let still = [1.0, 0.0, 0.0, 0.0];
    let mount = |place: &Place<Space>| Mount::new(place.clone(), V3::ZERO, still);
    let (first, second) = (mount(&places[0]), mount(&places[1]));
    let d: V3 = [0.02, -0.03, 0.04];
    let at = over_floor(&rig, d, still);
    let gap = |facing: &Facing| facing.element.gap(&at, NEAREST);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
    near(gap(&ball_in_socket(&first, &second, 0.2, 0.1, false)), 0.1 - norm(d));
    for end in pin_in_bearing(&first, &second, [0.2, 0.5], 0.1, false) {
        near(gap(&end), 0.1 - d[0].hypot(d[1]));
    }
    let [lower, upper] = thrust_faces(&first, &second, [0.2, 0.5], 0.1, false);
    let least = |of: &[Facing]| of.iter().map(gap).fold(f64::INFINITY, f64::min);
    near(least(&lower), 0.1 + d[2]);
    near(least(&upper), 0.1 - d[2]);
    for (corner, walls) in box_in_guide(&first, &second, [0.1, 0.2, 0.5], 0.1, false) {
        for k in 0..2 {
            near(gap(&walls[k]), 0.1 - corner[k].signum() * d[k]);
        }
    }
}

#[test]
fn action_is_reaction() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(7);
    for (a, b) in pairs() {
        let at = random.configuration(&rig, 0.5);
        let (first, second) = (mounted(&mut random, &places[1]), mounted(&mut random, &places[2]));
        for Facing { element, .. } in
            elements(&put(a, first), &put(b, second), true).expect("a possible pair")
        {
            for row in rows(&element, &at, NEAREST, Resistance::None) {
                let (mut force, mut moment) = (V3::ZERO, V3::ZERO);
                for place in &places[1..3] {
                    let Carrier::Rigid(first) = &place.carrier else { unreachable!("both are rigid") };
                    let frame = place.frame(&at);
                    let (f, m) = (V3::read(&row[first.v as usize..]), V3::read(&row[first.v as usize + 3..]));
                    force = add(force, f);
                    let of = add(times(Space::origin(&frame), f), Space::turn(&frame, m));
                    moment = add(moment, of);
                }
                assert!(norm(force) + norm(moment) < 1e-13, "{a:?} on {b:?}: {force:?} {moment:?}");
            }
        }
    }
}

// --- distances found by search ---

/// The least of f over the cube from −1 to 1: the best places of a grid, then steps that halve where none is better.
fn least(f: &dyn Fn(V3) -> f64) -> f64 {
    const GRID: i32 = 4;
    let mut starts = Vec::new();
    for i in -GRID..=GRID {
        for j in -GRID..=GRID {
            for k in -GRID..=GRID {
                let x = [i, j, k].map(|i| 0.9 * i as f64 / GRID as f64);
                starts.push((f(x), x));
            }
        }
    }
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let refine = |(mut value, mut x): (f64, V3)| {
        let mut step = 0.25;
        while step > 1e-9 {
            let mut better = false;
            for way in 0..27 {
                let d = [way % 3, way / 3 % 3, way / 9].map(|i: i32| step * (i - 1) as f64);
                let next = add(x, d).map(|x| x.clamp(-1.0, 1.0));
                if f(next) < value {
                    (value, x, better) = (f(next), next, true);
                }
            }
            if !better {
                step /= 2.0;
            }
        }
        value
    };
    starts.into_iter().take(3).map(refine).fold(f64::INFINITY, f64::min)
}

/// A point of the core of a solid, and its radius around that. Angles go round twice, so that no search ends at a cut.
fn core(solid: Solid, x: V3) -> (V3, f64) {
    match solid {
        Solid::Point => (V3::ZERO, 0.0),
        Solid::Sphere { radius } => (V3::ZERO, radius),
        Solid::Capsule { radius, half } => ([0.0, 0.0, half * x[2]], radius),
        Solid::Box { half } => ([0, 1, 2].map(|k| half[k] * x[k]), 0.0),
        Solid::Cylinder { radius, half } => {
            let (sin, cos) = (std::f64::consts::TAU * x[1]).sin_cos();
            let r = radius * (1.0 + x[0]) / 2.0;
            ([r * cos, r * sin, half * x[2]], 0.0)
        }
        Solid::Ring { circle, radius } => {
            let (sin, cos) = (std::f64::consts::TAU * x[1]).sin_cos();
            ([circle * cos, circle * sin, 0.0], radius)
        }
        Solid::HalfSpace | Solid::Socket { .. } | Solid::Bore { .. } => unreachable!("has no core"),
    }
}

/// Distance of a point outside a solid, or in what is hollow.
fn room([x, y, z]: V3, solid: Solid) -> f64 {
    let s = (x * x + y * y).sqrt();
    match solid {
        Solid::Point => norm([x, y, z]),
        Solid::Sphere { radius } => norm([x, y, z]) - radius,
        Solid::Capsule { radius, half } => norm([x, y, z - z.clamp(-half, half)]) - radius,
        Solid::Box { half } => norm([
            x - x.clamp(-half[0], half[0]),
            y - y.clamp(-half[1], half[1]),
            z - z.clamp(-half[2], half[2]),
        ]),
        Solid::Cylinder { radius, half } => (s - radius).max(0.0).hypot(z - z.clamp(-half, half)),
        Solid::Ring { circle, radius } => (s - circle).hypot(z) - radius,
        Solid::HalfSpace => z,
        Solid::Socket { radius } => radius - norm([x, y, z]),
        Solid::Bore { radius, half, closed: true } => (radius - s).min(half - z.abs()),
        Solid::Bore { radius, half, closed: false } if z.abs() > half => (radius - s).hypot(z.abs() - half),
        Solid::Bore { radius, .. } => radius - s,
    }
}

#[test]
fn gaps_are_distances() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(11);
    let hollow = |solid: Solid| matches!(solid, Solid::HalfSpace | Solid::Socket { .. } | Solid::Bore { .. });
    let shaft = |a: Solid, b: Solid| matches!((a, b), (Solid::Cylinder { .. }, Solid::Bore { .. }));
    for (a, b) in pairs() {
        let endless = matches!(a, Solid::Cylinder { half, .. } if half == f64::INFINITY);
        if hollow(a) || endless || shaft(a, b) {
            continue;
        }
        let mut met = 0;
        for _ in 0..12 {
            let at = random.configuration(&rig, 0.6);
            let mount = mounted(&mut random, &places[2]);
            let frame = mount.frame(&at);
            let first = near(&mut random, &at, &places[1], b, &mount);
            let frame_A = first.frame(&at);
            let distance = |x: V3| {
                let (point, radius) = core(a, x);
                let r = add(Space::origin(&frame_A), Space::turn(&frame_A, point));
                room(Space::to_local(&frame, sub(r, Space::origin(&frame))), b) - radius
            };
            let expected = least(&distance);
            // inside a massive body a distance is no depth
            let reach = |solid: Solid| core(solid, V3::ZERO).1;
            if !hollow(b) && expected <= 1e-6 - reach(a) - reach(b) {
                continue;
            }
            let mut contacts = SpaceContacts::default();
            contacts.add(elements(&put(a, first), &put(b, mount), true).expect("a possible pair"));
            let gap = contacts.named_gap(&at, 0);
            assert!((gap - expected).abs() < 1e-7, "{a:?} on {b:?}: {gap} {expected}");
            met += 1;
        }
        assert!(met > 3, "{a:?} was mostly inside {b:?}");
    }
}

/// Overlap of two boxes along the axis on which it is least, negative where they are apart: the 15 axes on which boxes part.
fn overlap(a: V3, frame_A: &[f64; 12], b: V3, frame_B: &[f64; 12]) -> f64 {
    let axis = |frame: &[f64; 12], k: usize| Space::turn(frame, V3::axis(k));
    let mut axes: Vec<V3> = (0..3).flat_map(|k| [axis(frame_A, k), axis(frame_B, k)]).collect();
    axes.extend((0..9).map(|k| times(axis(frame_A, k / 3), axis(frame_B, k % 3))));
    let apart = sub(Space::origin(frame_A), Space::origin(frame_B));
    let along = |n: V3| {
        let n = scale(1.0 / norm(n), n);
        let reach =
            |half: V3, frame: &[f64; 12]| (0..3).map(|k| half[k] * dot(n, axis(frame, k)).abs()).sum::<f64>();
        reach(a, frame_A) + reach(b, frame_B) - dot(n, apart).abs()
    };
    axes.into_iter().map(along).fold(f64::INFINITY, f64::min)
}

#[test]
fn boxes_that_overlap_a_little_say_how_much() {
    let (rig, mut random) = (Rig::new(), Random(19));
    let places = rig.places();
    let (a, b) = ([0.5, 0.3, 0.8], [0.4, 0.6, 0.2]);
    let mut kinds = [0; 2];
    for _ in 0..150 {
        // brought together along a random direction until they overlap by 1e-3
        let (direction, turned) = (random.vector(1.0), [random.turned(), random.turned()]);
        let at = over_floor(&rig, V3::ZERO, [1.0, 0.0, 0.0, 0.0]);
        let still = Mount::new(places[0].clone(), V3::ZERO, turned[1]);
        let mount = |distance: f64| {
            Mount::new(places[1].clone(), scale(distance / norm(direction), direction), turned[0])
        };
        let depth = |distance: f64| overlap(a, &mount(distance).frame(&at), b, &still.frame(&at));
        let (mut near, mut far) = (0.0, 3.0);
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            if depth(middle) > 1e-3 { near = middle } else { far = middle }
        }
        let all = elements(
            &put(Solid::Box { half: a }, mount(near)),
            &put(Solid::Box { half: b }, still.clone()),
            true,
        );
        let all = all.expect("two boxes");
        let deepest =
            all.iter().min_by(|a, b| a.element.gap(&at, NEAREST).total_cmp(&b.element.gap(&at, NEAREST)));
        let deepest = &deepest.expect("there are contacts").element;
        let gap = deepest.gap(&at, NEAREST);
        kinds[matches!(deepest, Element::Cross(_)) as usize] += 1;
        assert!((gap + 1e-3).abs() < 1e-12, "{gap}");
    }
    assert!(kinds.iter().all(|seen| *seen > 20), "corners and edges: {kinds:?}");
}

#[test]
fn a_box_stands_on_another() {
    let (rig, places) = (Rig::new(), Rig::new().places());
    let still = [1.0, 0.0, 0.0, 0.0];
    let solid = |x: f64, y: f64| Solid::Box { half: [x, y, 0.1] };
    // of one size and aligned, of one size and turned by 45°, planks that cross
    let cross = exp([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    let turned = exp([0.0, 0.0, std::f64::consts::FRAC_PI_4]);
    for (a, b, yaw) in [
        (solid(0.3, 0.3), solid(0.3, 0.3), still),
        (solid(0.3, 0.3), solid(0.3, 0.3), turned),
        (solid(0.9, 0.1), solid(0.9, 0.1), cross),
    ] {
        // a little in, a little out, rocking a little
        for (z, rock) in
            [(-1e-9, V3::ZERO), (1e-9, V3::ZERO), (0.0, [1e-9, 0.0, 0.0]), (0.0, [1e-4, -3e-4, 0.0])]
        {
            let at = over_floor(&rig, [0.0, 0.0, 0.2 + z], product(exp(rock), yaw));
            let mount = |place: &Place<Space>| Mount::new(place.clone(), V3::ZERO, still);
            let all =
                elements(&put(a, mount(&places[1])), &put(b, mount(&places[0])), true).expect("two boxes");
            // what is about to touch pushes up, whatever is touched, on all four sides of the middle
            let mut quadrants = [false; 4];
            for Facing { element, sign } in &all {
                let gap = element.gap(&at, NEAREST);
                assert!(gap > -1e-3, "{gap}");
                if gap < 1e-3
                    && let Some([p, n]) = element.spot(&at, NEAREST)
                {
                    let up = *sign * n[2];
                    if up > 0.99 {
                        quadrants[(p[0] > 0.0) as usize + 2 * (p[1] > 0.0) as usize] = true;
                    } else {
                        // beside an edge, and then open
                        assert!(gap > 0.0, "{gap} {n:?}");
                    }
                }
            }
            assert!(quadrants.iter().all(|seen| *seen), "{a:?} {yaw:?} {z} {rock:?}: {quadrants:?}");
        }
    }
}

#[test]
fn depths_inside_massive_bodies_are_those_to_the_nearest_side() {
    let deep = [0.1, -0.05, 0.5];
    let depth = |shape: Shape| {
        let number = shape.number(deep, None);
        shape.numbered(number, deep).distance(deep)
    };
    assert_eq!(depth(Shape::Box { half: [0.5, 0.3, 0.8] }), -0.25);
    assert!((depth(Shape::Box { half: [0.5, 0.3, 0.6] }) + 0.1).abs() < 1e-15);
    let s = 0.1f64.hypot(0.05);
    assert_eq!(depth(Shape::Cylinder { radius: 0.4, half: 1.0 }), s - 0.4);
    assert!((depth(Shape::Cylinder { radius: 0.4, half: 0.6 }) + 0.1).abs() < 1e-15);
}

// --- particular places ---

/// The first body of the rig in r, turned, moving; with a floor on the ground.
fn over_floor(rig: &Rig, r: V3, turned: Quaternion) -> Configuration {
    let mut at = somewhere(rig);
    let mut q = at.q().to_vec();
    let first = BODIES[0].0.q as usize;
    q[first..first + 3].copy_from_slice(&r);
    q[first + 3..first + 7].copy_from_slice(&turned);
    let v = at.v.clone();
    at = Configuration::new(rig, 0.0, &q, &v);
    at
}

#[test]
fn a_coin_rolls_on_one_point_and_stands_on_many() {
    let rig = Rig::new();
    let places = rig.places();
    let still = [1.0, 0.0, 0.0, 0.0];
    let solid = Solid::Cylinder { radius: 0.5, half: 0.1 };
    let coin = put(solid, Mount::new(places[1].clone(), V3::ZERO, still));
    let floor = put(Solid::HalfSpace, Mount::new(places[0].clone(), V3::ZERO, still));
    let all = elements(&coin, &floor, true).expect("a coin on a floor");
    let closed = |at: &Configuration| {
        let touching = |facing: &&Facing| facing.element.gap(at, NEAREST).abs() < 1e-12;
        all.iter().filter(touching).filter_map(|facing| facing.element.spot(at, NEAREST)).collect::<Vec<_>>()
    };
    // rolling upright: one point of each rim
    let upright = over_floor(&rig, [0.2, 0.3, 0.5], exp([std::f64::consts::FRAC_PI_2, 0.0, 0.0]));
    let spots = closed(&upright);
    assert_eq!(spots.len(), 2);
    for [p, n] in spots {
        assert!(norm(sub(n, [0.0, 0.0, 1.0])) < 1e-15 && p[2].abs() < 1e-15 && (p[0] - 0.2).abs() < 1e-15);
        assert!(((p[1] - 0.3).abs() - 0.1).abs() < 1e-15);
    }
    // leaning: the lowest point, alone
    let lean: f64 = 0.4;
    let height = 0.5 * lean.sin() + 0.1 * lean.cos();
    let leaning = over_floor(&rig, [0.0, 0.0, height], exp([lean, 0.0, 0.0]));
    let spots = closed(&leaning);
    assert_eq!(spots.len(), 1);
    let y = -0.5 * lean.cos() + 0.1 * lean.sin();
    assert!(norm(sub(spots[0][0], [0.0, y, 0.0])) < 1e-15);
    // standing: the feet of its lower rim, that hold it against every torque in the plane
    for turned in [still, exp([0.0, 0.0, 0.7])] {
        let standing = over_floor(&rig, [0.0, 0.0, 0.1], turned);
        let spots = closed(&standing);
        assert_eq!(spots.len(), FEET as usize);
        let sum = spots.iter().fold(V3::ZERO, |sum, [p, _]| add(sum, *p));
        assert!(norm(sum) < 1e-15);
    }
    // falling flat: from where they are seen on the feet say nothing that the lowest point does not
    for lean in [1e-7, 1e-5, 1e-3, 0.05, 0.09, 0.11, 1.0f64] {
        let at =
            over_floor(&rig, [0.0, 0.0, 1.0], product(exp([0.0, 0.0, 0.3]), exp([lean, 0.1 * lean, 0.0])));
        let mut contacts = SpaceContacts::default();
        contacts.add(all.clone());
        let sine = {
            let frame = places[1].frame(&at);
            frame[9].hypot(frame[10])
        };
        let exact = 1.0 - 0.5 * sine - 0.1 * (1.0 - sine * sine).sqrt();
        // a flat rim is level to 1e-6 of its radius
        assert!((contacts.named_gap(&at, 0) - exact).abs() < 1e-6 * 0.5, "{lean}");
    }
}

#[test]
fn parallel_capsules_touch_in_the_ends_of_what_they_share() {
    let rig = Rig::new();
    let places = rig.places();
    let still = [1.0, 0.0, 0.0, 0.0];
    let capsule = |place: &Place<Space>, half: f64| {
        put(Solid::Capsule { radius: 0.1, half }, Mount::new(place.clone(), V3::ZERO, still))
    };
    let all = elements(&capsule(&places[1], 0.6), &capsule(&places[0], 0.5), true).expect("two capsules");
    let at = over_floor(&rig, [0.2, 0.0, 0.3], still);
    let closed: Vec<_> = all
        .iter()
        .filter(|facing| facing.element.gap(&at, NEAREST).abs() < 1e-15)
        .map(|facing| (facing.sign, facing.element.spot(&at, NEAREST).expect("they face each other")))
        .collect();
    assert_eq!(closed.len(), 2);
    let mut z: Vec<f64> = closed.iter().map(|(_, [p, _])| p[2]).collect();
    z.sort_by(f64::total_cmp);
    assert!((z[0] + 0.3).abs() < 1e-15 && (z[1] - 0.5).abs() < 1e-15, "{z:?}");
    // seen from the first, both normals are the same
    for (sign, [_, n]) in closed {
        assert!(norm(sub(scale(sign, n), [1.0, 0.0, 0.0])) < 1e-15);
    }
}

#[test]
fn a_shaft_in_its_bearing_is_that_of_the_formula() {
    // radii 0.4 in 0.5, the shaft longer or shorter than the bearing
    let rig = Rig::new();
    let places = rig.places();
    let still = [1.0, 0.0, 0.0, 0.0];
    for (shaft, bearing) in [(0.3, 0.8), (0.8, 0.3), (0.5, f64::INFINITY), (f64::INFINITY, 0.5)] {
        let shaft_on = |place: &Place<Space>| {
            put(Solid::Cylinder { radius: 0.4, half: shaft }, Mount::new(place.clone(), V3::ZERO, still))
        };
        let bore = Solid::Bore { radius: 0.5, half: bearing, closed: false };
        let bore = put(bore, Mount::new(places[0].clone(), V3::ZERO, still));
        let all = elements(&shaft_on(&places[1]), &bore, true).expect("a shaft in a bearing");
        // off its axis by 0.06, parallel: g = 0.04, n = −ρ, p on the journal
        let at = over_floor(&rig, [0.06, 0.0, 0.0], still);
        let seen: Vec<_> = all.iter().filter(|facing| facing.element.gap(&at, NEAREST).is_finite()).collect();
        assert_eq!(seen.len(), 2);
        for Facing { element, sign } in seen {
            let [p, n] = element.spot(&at, NEAREST).expect("it is seen");
            assert!((element.gap(&at, NEAREST) - 0.04).abs() < 1e-15);
            assert!(norm(sub(scale(*sign, n), [-1.0, 0.0, 0.0])) < 1e-15);
            let z = shaft.min(bearing);
            // that of the body which touches
            let x = if *sign > 0.0 { 0.46 } else { 0.5 };
            assert!((p[0] - x).abs() < 1e-15 && p[1].abs() < 1e-15 && (p[2].abs() - z).abs() < 1e-15);
        }
        // a shaft beside its bearing, across it or not, is not in it
        if shaft < f64::INFINITY && bearing < f64::INFINITY {
            for turned in [[0.0; 3], [0.0, 1.5, 0.0]] {
                let at = over_floor(&rig, [2.0, 0.0, 0.0], exp(turned));
                assert!(all.iter().all(|facing| facing.element.gap(&at, NEAREST) == f64::INFINITY));
            }
        }
        // tilted by θ the circle of the journal is an ellipse: true gap − formula is in [0, r (1 − cos θ)]
        if bearing == f64::INFINITY {
            let theta: f64 = 0.05;
            let at = over_floor(&rig, [0.03, 0.02, 0.0], exp([0.0, theta, 0.0]));
            let gap = all.iter().map(|facing| facing.element.gap(&at, NEAREST)).fold(f64::INFINITY, f64::min);
            let frame = places[1].frame(&at);
            let exact = least(&|x| {
                let (point, _) = core(Solid::Cylinder { radius: 0.4, half: shaft }, x);
                room(add(Space::origin(&frame), Space::turn(&frame, point)), bore.solid)
            });
            let error = exact - gap;
            assert!((-1e-8..=0.4 * (1.0 - theta.cos()) + 1e-8).contains(&error), "{error}");
        }
    }
}

#[test]
fn what_is_round_may_be_turned_in_its_body() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(13);
    for (a, b) in pairs() {
        let round = |solid: Solid| {
            matches!(
                solid,
                Solid::Capsule { .. }
                    | Solid::Ring { .. }
                    | Solid::Socket { .. }
                    | Solid::Bore { .. }
                    | Solid::Sphere { .. }
            )
        };
        if !round(a) || !round(b) {
            continue;
        }
        for _ in 0..5 {
            let at = random.configuration(&rig, 0.4);
            let (first, second) = (mounted(&mut random, &places[1]), mounted(&mut random, &places[4]));
            // about its axis, and upside down
            let over = |mount: &Mount| {
                mount.moved(V3::ZERO, product(exp([0.0, 0.0, 1.1]), exp([std::f64::consts::PI, 0.0, 0.0])))
            };
            let place = |first: &Mount, second: &Mount| {
                let mut contacts = SpaceContacts::default();
                contacts.add(
                    elements(&put(a, first.clone()), &put(b, second.clone()), true).expect("a possible pair"),
                );
                let mut out = [0.0; 6];
                contacts.places(&at, 1.0, &mut out);
                (contacts.named_gap(&at, 0), out)
            };
            let (gap, spot) = place(&first, &second);
            let (other_gap, other) = place(&over(&first), &over(&second));
            if gap.is_finite() {
                assert!((gap - other_gap).abs() < 1e-12);
                assert!(
                    spot.iter().zip(other).all(|(x, y)| (x - y).abs() < 1e-10),
                    "{a:?} on {b:?}: {spot:?} {other:?}"
                );
            } else {
                assert!(other_gap.is_infinite());
            }
        }
    }
}

#[test]
fn the_order_of_names_turns_the_normal_only() {
    let rig = Rig::new();
    let places = rig.places();
    let mut random = Random(17);
    for (a, b) in pairs() {
        let at = random.configuration(&rig, 0.4);
        let (first, second) = (mounted(&mut random, &places[1]), mounted(&mut random, &places[4]));
        let (first, second) = (put(a, first), put(b, second));
        let gap = |first: &Placement, second: &Placement| {
            let mut contacts = SpaceContacts::default();
            contacts.add(elements(first, second, false).expect("a possible pair"));
            let mut out = [0.0; 6];
            contacts.places(&at, 1.0, &mut out);
            (contacts.named_gap(&at, 0), V3::read(&out[3..]))
        };
        let ((g, n), (other, turned)) = (gap(&first, &second), gap(&second, &first));
        assert!(g == other || (g - other).abs() < 1e-12, "{a:?} on {b:?}: {g} {other}");
        if g.is_finite() {
            assert!((dot(n, turned) + 1.0).abs() < 1e-9, "{a:?} on {b:?}: {n:?} {turned:?}");
        }
    }
}

#[test]
fn where_a_normal_is_undefined_nothing_is_lost() {
    let rig = Rig::new();
    let places = rig.places();
    let still = [1.0, 0.0, 0.0, 0.0];
    let at = over_floor(&rig, V3::ZERO, still);
    let mount = |place: &Place<Space>| Mount::new(place.clone(), V3::ZERO, still);
    for (a, b) in pairs() {
        // all middles in one place, all axes along each other
        let all =
            elements(&put(a, mount(&places[1])), &put(b, mount(&places[0])), true).expect("a possible pair");
        for Facing { element, .. } in all {
            let gap = element.gap(&at, NEAREST);
            assert!(!gap.is_nan(), "{a:?} on {b:?}");
            let mut bias = vec![0.0; element.rows()];
            element.bias(&at, NEAREST, Resistance::None, &mut bias);
            assert!(
                bias.iter()
                    .chain(rows(&element, &at, NEAREST, Resistance::None).iter().flatten())
                    .all(|x| x.is_finite()),
                "{a:?} on {b:?}"
            );
        }
    }
}

#[test]
fn a_capsule_through_a_box_is_told() {
    let rig = Rig::new();
    let places = rig.places();
    let still = [1.0, 0.0, 0.0, 0.0];
    let mount = |place: &Place<Space>| Mount::new(place.clone(), V3::ZERO, still);
    let capsule = put(Solid::Capsule { radius: 0.1, half: 2.0 }, mount(&places[1]));
    let block = put(Solid::Box { half: [0.5, 0.3, 0.8] }, mount(&places[0]));
    let mut contacts = SpaceContacts::default();
    contacts.add(elements(&capsule, &block, false).expect("a capsule on a box"));
    let crossed = |x: f64| {
        let at = over_floor(&rig, [x, 0.0, 0.0], still);
        let mut gaps = vec![0.0; contacts.len()];
        contacts.gaps(&at, &mut gaps);
        contacts.crossed(&at, &gaps, 1e-6)
    };
    assert!(matches!(crossed(0.1)[..], [(0, depth)] if depth > 0.1));
    assert!(crossed(0.7).is_empty());
}

#[test]
fn what_is_not_there_is_refused() {
    let rig = Rig::new();
    let mount = || Mount::new(rig.places()[0].clone(), V3::ZERO, [1.0, 0.0, 0.0, 0.0]);
    let reason = |a: Solid, b: Solid| {
        elements(&put(a, mount()), &put(b, mount()), true).expect_err("refused").to_string()
    };
    let round = Solid::Cylinder { radius: 0.1, half: 0.2 };
    assert!(reason(round, round).contains("between a cylinder and a cylinder"));
    assert!(reason(Solid::Sphere { radius: -1.0 }, Solid::HalfSpace).contains("radius of a sphere is -1"));
    assert!(reason(Solid::Sphere { radius: f64::NAN }, Solid::HalfSpace).contains("must be positive"));
    assert!(reason(Solid::HalfSpace, Solid::HalfSpace).contains("always overlap"));
}
