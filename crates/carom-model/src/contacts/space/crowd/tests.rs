//! Places of a crowd against those of pairs that are named: the same conditions, and none is left out.

use super::*;
use crate::contacts::space::{Mount, Placement, elements};
use crate::geometry::add;
use crate::geometry::space_rig::{Rig, V, somewhere};
use crate::place::{Carrier, Place};
use carom_dynamics::rotation::exp;

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> V3 {
        [0; 3].map(|_| size * self.next())
    }
}

const SOLIDS: [Solid; 8] = [
    Solid::Point,
    Solid::Sphere { radius: 0.3 },
    Solid::Capsule { radius: 0.2, half: 0.7 },
    Solid::Box { half: [0.5, 0.3, 0.8] },
    Solid::Cylinder { radius: 0.4, half: 0.6 },
    Solid::Ring { circle: 0.6, radius: 0.1 },
    Solid::HalfSpace,
    Solid::Socket { radius: 1.4 },
];

/// Two places that turn, and a configuration.
fn rig(random: &mut Random) -> (Rig, Configuration, [Place<Space>; 2]) {
    let rig = Rig::new();
    let delta: Vec<f64> = (0..V).map(|_| 0.3 * random.next()).collect();
    let at = rig.moved(&somewhere(&rig), &delta);
    let rigid = |place: &&Place<Space>| matches!(place.carrier, Carrier::Rigid(_));
    let turning: Vec<Place<Space>> = rig.places().iter().filter(rigid).cloned().collect();
    let two = [turning[0].clone(), turning[1].clone()];
    (rig, at, two)
}

fn member(solid: Solid, mount: Mount) -> Member {
    Member::new(Placement { solid, mount }, 0, String::new())
}

/// One on the first place, the other near it on the second.
fn near(
    random: &mut Random,
    at: &Configuration,
    [a, b]: &[Place<Space>; 2],
    solids: [Solid; 2],
    apart: f64,
) -> [Member; 2] {
    let first = Mount::new(a.clone(), random.vector(0.2), exp(random.vector(2.0)));
    let middle = add(first.middle(at), random.vector(apart));
    let body = b.frame(at);
    let local = Space::to_local(&body, sub(middle, Space::origin(&body)));
    let second = Mount::new(b.clone(), local, exp(random.vector(2.0)));
    [member(solids[0], first), member(solids[1], second)]
}

/// Every place of a pair is the element that naming the two shapes makes, in the same order; what has none is refused there too,
/// but for bores.
#[test]
fn places_are_those_of_named_pairs() {
    let mut random = Random(3);
    let (_, at, places) = rig(&mut random);
    let mut pairs = 0;
    for first in SOLIDS {
        for second in SOLIDS {
            let two = near(&mut random, &at, &places, [first, second], 1.0);
            let named = elements(&two[0].placed, &two[1].placed, true);
            let Some(count) = pair::count(&two[0], &two[1]) else {
                assert!(named.is_err(), "{first:?} {second:?}");
                continue;
            };
            let named = named.expect("it has places");
            assert_eq!(named.len(), count as usize, "{first:?} {second:?}");
            for (number, facing) in named.iter().enumerate() {
                let own = pair::element(&two[0], &two[1], number as u32, true);
                assert_eq!(
                    format!("{own:?}"),
                    format!("{:?}", facing.element),
                    "{first:?} {second:?} {number}"
                );
            }
            pairs += 1;
        }
    }
    assert!(pairs > 30, "{pairs}");
}

/// All places of two boxes that may touch within the reach are listed, whether seen now or not.
#[test]
fn no_place_of_two_boxes_is_left_out() {
    let mut random = Random(8);
    let (_, at, places) = rig(&mut random);
    let (half, other) = ([0.5, 0.3, 0.8], [0.2, 0.6, 0.4]);
    let (mut touching, mut left_out) = (0, 0);
    for _ in 0..400 {
        let reach = 0.05;
        let two = near(&mut random, &at, &places, [Solid::Box { half }, Solid::Box { half: other }], 1.1);
        let frames = [two[0].mount().frame(&at), two[1].mount().frame(&at)];
        let mut listed = Vec::new();
        boxes::near_places([&frames[0], &frames[1]], [half, other], reach, |number| listed.push(number));
        assert!(listed.is_sorted());
        for number in 0..pair::count(&two[0], &two[1]).unwrap() {
            let gap = pair::element(&two[0], &two[1], number, false).gap(&at, NEAREST);
            if gap.abs() <= reach {
                touching += 1;
                assert!(listed.contains(&number), "{number} {gap}");
            } else {
                left_out += usize::from(!listed.contains(&number));
            }
        }
    }
    assert!(touching > 300 && left_out > 10_000, "{touching} {left_out}");
}

/// Spheres among each other and on planes have a short way of their own to what their pieces say.
#[test]
fn the_short_way_of_balls_is_the_long_one() {
    let mut random = Random(11);
    let (_, at, places) = rig(&mut random);
    let (small, large) = (Solid::Sphere { radius: 0.3 }, Solid::Sphere { radius: 0.8 });
    for (solids, apart) in
        [([small, large], 2.0), ([small, Solid::HalfSpace], 1.0), ([Solid::HalfSpace, large], 1.0)]
    {
        for _ in 0..20 {
            let [first, second] = near(&mut random, &at, &places, solids, apart);
            let ball = ball_of(&first, &second).expect("a sphere on a sphere or plane");
            let long = pair::element(&first, &second, 0, true);
            let gap = long.gap(&at, NEAREST);
            assert!((ball.gap(&at) - gap).abs() < 1e-14, "{} {gap}", ball.gap(&at));
            let (mut own, mut other) = (Directions::default(), Directions::default());
            let resists = Resistance::Rolling(0.1);
            let point = ball.point(&at, true);
            point.directions(&at, &mut own);
            resisting::directions(&point, resists, &at, &mut own);
            long.directions(&at, NEAREST, resists, &mut other);
            assert_eq!((own.rows(), other.rows()), (5, 5));
            // the tangents of both are the same, so are all numbers
            for row in 0..5 {
                assert_eq!(own.row(row).0, other.row(row).0);
                let differ = own.row(row).1.iter().zip(other.row(row).1).map(|(a, b)| (a - b).abs());
                assert!(differ.fold(0.0, f64::max) < 1e-13, "{solids:?} row {row}");
            }
        }
    }
}
