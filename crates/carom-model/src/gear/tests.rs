//! Formulas against drawn teeth, published tables and closed forms. Spec: `gears` section 4 and 5.

use super::geometry::{Geometry, Given, Play, Teeth};
use super::mesh::{Here, Mesh, Slice, Springs, Sum, X};
use super::outline::flank;
use super::stiffness::Parabola;

fn teeth(count: i32, shift: f64, addendum: f64, dedendum: f64) -> Teeth {
    Teeth { count, shift, addendum, dedendum }
}

fn spur(counts: [i32; 2], module: f64, heights: [f64; 2], width: f64) -> Geometry {
    let [a, d] = heights;
    Geometry::new(Given {
        module,
        pressure_angle: 20f64.to_radians(),
        helix_angle: 0.0,
        width,
        wheels: counts.map(|z| teeth(z, 0.0, a, d)),
    })
}

/// Name, teeth, shifts, module (mm), mounting distance (mm).
type Row = (&'static str, [i32; 2], [f64; 2], f64, f64);

/// The seven pairs of [Ebrahimi2007] table 7.3: teeth, shifts, module (mm), mounting distance (mm).
const GEARBOX: [Row; 7] = [
    ("D", [30, 43], [0.254, 0.149], 1.85, 80.0),
    ("4", [37, 32], [0.235, 0.299], 1.94, 80.0),
    ("3", [31, 36], [0.359, 0.357], 2.00, 80.0),
    ("2", [23, 40], [0.422, 0.226], 2.09, 80.0),
    ("1", [16, 47], [0.149, 0.149], 2.14, 80.0),
    ("R1", [16, 26], [0.149, 0.254], 2.14, 54.3),
    ("R2", [26, 42], [0.254, 0.149], 2.14, 86.0),
];

fn helical(pair: &Row) -> Geometry {
    let (_, counts, shifts, module, _) = pair;
    Geometry::new(Given {
        module: module * 1e-3,
        pressure_angle: 20f64.to_radians(),
        helix_angle: 31.5f64.to_radians(),
        width: 0.02,
        wheels: [0, 1].map(|i| teeth(counts[i], shifts[i], 1.1, 1.15)),
    })
}

fn near(ours: f64, published: f64, tolerance: f64) {
    assert!((ours - published).abs() <= tolerance, "{ours} instead of {published}");
}

/// Table 7.1 and 7.2: base radii, base pitch, path, contact ratio, the clipped one of undercut teeth.
#[test]
fn the_spur_pairs_of_the_tables() {
    let first = spur([97, 97], 6e-3, [1.0, 1.0315], 0.05);
    near(first.r_b[0], 0.2734506, 5e-8);
    near(first.r_f[0], 0.284811, 5e-7);
    near(first.p_b, 17.71279e-3, 5e-9);
    let distance = 2.0 * first.r[0];
    let at = first.at(distance, &first.geometric_play());
    near(at.ends[1][0], 16.37639e-3, 5e-9);
    near(at.ends[0][0], -16.37639e-3, 5e-9);
    near(first.contact_ratio(distance), 1.849_103, 5e-7);
    near(at.play[0], 0.0, 1e-16);

    let second = spur([14, 39], 5e-3, [1.0, 1.05], 0.02);
    near(second.r_b[0], 32.88924e-3, 5e-9);
    near(second.r_b[1], 91.62003e-3, 5e-9);
    near(second.p_b, 14.76066e-3, 5e-9);
    near(second.contact_ratio(0.1325), 1.542_354, 5e-7);
    // the stiffness of the central pair, as the path is
    let mesh = Mesh { geometry: second, play: second.at_mounting(40e-6, 0.1325) };
    let here = mesh.here(&[0.0, -second.at(0.1325, &mesh.play).f[0], 0.1325, 0.0], 0.1325, [0.0; X]);
    let mut in_pitch = f64::NAN;
    let parabola = Parabola { most: 2.8e8, ratio: 0.8 };
    mesh.in_contact(&here, &parabola, &Slice { z: 0.0, share: 1.0, stretch: 0.0 }, |xi, side, c| {
        if side > 0.0 && xi.abs() < 1e-9 {
            in_pitch = c;
        }
    });
    near(in_pitch, 2.798_508e8, 50.0);
}

/// The table of section 4.3: radii, working angles, contact ratios, overlap, play from geometry.
#[test]
fn the_gearbox_of_the_table() {
    let table = [
        ([29.932827, 42.903718], [35.050869, 48.959872], 24.43144, 1.393427, 1.798016, 0.063667),
        ([38.713123, 33.481620], [44.682686, 39.118632], 25.52009, 1.228448, 1.714603, 0.425314),
        ([33.438473, 38.831775], [39.275659, 45.135797], 25.39428, 1.372459, 1.663165, 0.043710),
        ([25.925603, 45.088006], [31.369894, 51.795538], 27.41808, 0.891700, 1.591545, 1.322392),
        ([18.466666, 54.245833], [22.751670, 61.654365], 24.64536, 1.273134, 1.554359, 0.260397),
        ([18.466666, 30.008333], [22.751670, 35.525627], 26.78223, 1.080725, 1.554359, 0.669643),
        ([30.008333, 48.474999], [35.525627, 55.379737], 24.13327, 1.466044, 1.554359, -0.144041),
    ];
    for (pair, (r_b, r_a, alpha_w, eps_a, eps_b, play)) in GEARBOX.iter().zip(table) {
        let (geometry, distance) = (helical(pair), pair.4 * 1e-3);
        for i in 0..2 {
            near(geometry.r_b[i] * 1e3, r_b[i], 5e-7);
            near(geometry.r_a[i] * 1e3, r_a[i], 5e-7);
        }
        near(geometry.working_angle(distance).to_degrees(), alpha_w, 5e-6);
        near(geometry.contact_ratio(distance), eps_a, 5e-7);
        near(geometry.overlap(), eps_b, 5e-7);
        near(geometry.at(distance, &geometry.geometric_play()).play[0] * 1e3, play, 5e-7);
    }
    let reverse = helical(&GEARBOX[6]);
    near((reverse.tight_distance().expect("it has one") - 0.086) * 1e3, 0.17526, 5e-6);
    near(reverse.tan_b.atan().to_degrees(), 29.405544, 5e-7);
    near(reverse.alpha_t.to_degrees(), 23.116394, 5e-7);
}

/// The play from geometry is what the thickness of both teeth leaves on the working circles.
#[test]
fn play_is_what_thickness_leaves() {
    for pair in &GEARBOX {
        let (geometry, distance) = (helical(pair), pair.4 * 1e-3);
        let at = geometry.at(distance, &geometry.geometric_play());
        let cos_w = geometry.working_angle(distance).cos();
        let r_w = geometry.r_b.map(|r_b| r_b / cos_w);
        let pitch = geometry.p_b / cos_w;
        let left = pitch - geometry.thickness(0, r_w[0]) - geometry.thickness(1, r_w[1]);
        near(left * cos_w, at.play[0], 1e-15);
    }
}

/// Derivatives by the distance, against differences.
#[test]
fn what_depends_on_the_distance_has_its_derivatives() {
    let ring = spur([17, -61], 2e-3, [0.8, 1.0], 0.02);
    for (geometry, distance) in
        [(helical(&GEARBOX[1]), 0.08), (ring, 0.0441), (spur([14, 39], 5e-3, [1.0, 1.05], 0.02), 0.1335)]
    {
        let play = geometry.geometric_play();
        let step = 1e-6;
        let sign = geometry.sign();
        let all = |d: f64| {
            let at = geometry.at(d, &play);
            [at.T, at.play, at.f, at.ends[0], at.ends[1], at.cos_w]
        };
        let (low, mid, high) = (all(distance - sign * step), all(distance), all(distance + sign * step));
        for i in 0..6 {
            near((high[i][0] - low[i][0]) / (2.0 * step), mid[i][1], 1e-5 * mid[i][1].abs().max(1.0));
            near((high[i][1] - low[i][1]) / (2.0 * step), mid[i][2], 1e-5 * mid[i][2].abs().max(1.0));
        }
    }
}

/// Smallest distance between the drawn flanks of one side, tooth against tooth, along their normals.
fn drawn_gap(geometry: &Geometry, distance: f64, phi: [f64; 2], side: f64, points: usize) -> f64 {
    // polygons of both flanks in a frame with the first centre in the origin and the second on x
    let polygon = |wheel: usize, tooth: i32| -> Vec<[f64; 2]> {
        let count = f64::from(geometry.given.wheels[wheel].count);
        let middle = phi[wheel] + f64::from(tooth) * std::f64::consts::TAU / count;
        flank(geometry, wheel, points)
            .into_iter()
            .map(|[radius, half]| {
                // the leading flank of the first pushes the trailing one of the second
                let angle = middle + if wheel == 0 { side * half } else { -side * half };
                let (s, c) = angle.sin_cos();
                // the second wheel looks back and runs the other way
                if wheel == 0 { [radius * c, radius * s] } else { [distance - radius * c, radius * s] }
            })
            .collect()
    };
    let mut least = f64::INFINITY;
    for k in -2..=2 {
        let one = polygon(0, k);
        for l in -2..=2 {
            let other = polygon(1, l);
            for p in &one {
                for q in other.windows(2) {
                    let (d, e) = ([q[1][0] - q[0][0], q[1][1] - q[0][1]], [p[0] - q[0][0], p[1] - q[0][1]]);
                    let t = ((d[0] * e[0] + d[1] * e[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
                    least = least.min((e[0] - t * d[0]).hypot(e[1] - t * d[1]));
                }
            }
        }
    }
    least
}

/// Drawn involutes at several distances and angles: their smallest distance is the gap of the formula, and falls with the square of
/// the number of points.
#[test]
fn drawn_teeth_are_as_far_apart_as_the_formula_says() {
    let geometry = spur([23, 40], 6e-3, [1.0, 1.25], 0.02);
    let play = geometry.geometric_play();
    let mesh = Mesh { geometry, play };
    let tight = geometry.tight_distance().expect("it has one");
    let mut worst = [0f64; 2];
    for (i, more) in [2e-4, 5e-4, 1.1e-3].into_iter().enumerate() {
        let distance = tight + more;
        let j = geometry.at(distance, &play).play[0];
        for side in [1.0, -1.0] {
            let phi_1 = 0.03 * i as f64 - 0.02;
            // the second wheel shows a space, a part of the play away from the middle
            let delta = 0.3 * j * side;
            let space = (geometry.r_b[0] * phi_1 - delta) / geometry.r_b[1];
            let phi_2 = space + std::f64::consts::PI / 40.0;
            let x = [delta, geometry.r_b[0] * phi_1 - 0.5 * delta, distance, 0.0];
            let gap = mesh.gap(&mesh.here(&x, distance, [0.0; X]), side);
            for (worst, points) in worst.iter_mut().zip([30, 480]) {
                let drawn = drawn_gap(&geometry, distance, [phi_1, phi_2], side, points);
                *worst = worst.max((drawn - gap).abs());
            }
        }
    }
    let [coarse, fine] = worst;
    assert!(fine < 1e-8, "{fine:e}");
    // sixteen times the points
    assert!(fine < coarse / 100.0, "{coarse:e} {fine:e}");
}

fn springs(most: f64, ratio: f64) -> Springs {
    Springs {
        parabola: Parabola { most, ratio },
        damping: 0.0,
        friction: 0.0,
        creep: 1e-3,
        relief: 0.0,
        relief_length: 1.0,
    }
}

fn slices(geometry: &Geometry, count: usize) -> Vec<Slice> {
    let (b, part) = (geometry.given.width, 1.0 / count as f64);
    let stretch = b * geometry.tan_b.abs() * part;
    (0..count).map(|i| Slice { z: ((i as f64 + 0.5) * part - 0.5) * b, share: part, stretch }).collect()
}

/// Stiffness of the mesh in parts of c_max with the wheels turned by P.
fn stiffness(mesh: &Mesh, distance: f64, P: f64, slices: &[Slice]) -> f64 {
    let here = mesh.here(&[0.0, P, 0.0, 0.0], distance, [0.0; X]);
    let mut sum = 0.0;
    for slice in slices {
        mesh.in_contact(&here, &Parabola { most: 1.0, ratio: 0.8 }, slice, |_, side, c| {
            if side > 0.0 {
                sum += c;
            }
        });
    }
    sum
}

/// The mean over a pitch is ε_α (1 − (1−k)/3) c_max whatever the number of slices; pair D and table 7.1 vary as published.
#[test]
fn mean_and_range_of_the_stiffness() {
    let play = |geometry: &Geometry, distance| geometry.at_mounting(0.0, distance);
    let first = spur([97, 97], 6e-3, [1.0, 1.0315], 0.05);
    let box_pair = helical(&GEARBOX[0]);
    for (geometry, distance, counts, range) in
        [(first, 0.582, vec![1], [0.999, 1.883]), (box_pair, 0.08, vec![1, 3, 16], [1.245, 1.336])]
    {
        let mesh = Mesh { geometry, play: play(&geometry, distance) };
        let expected = geometry.contact_ratio(distance) * (1.0 - 0.2 / 3.0);
        for count in counts {
            let slices = slices(&geometry, count);
            let steps = 20_000;
            let values: Vec<f64> = (0..steps)
                .map(|i| {
                    stiffness(
                        &mesh,
                        distance,
                        (f64::from(i) + 0.5) / f64::from(steps) * geometry.p_b,
                        &slices,
                    )
                })
                .collect();
            let mean = values.iter().sum::<f64>() / f64::from(steps);
            near(mean, expected, 1e-4);
            near(values.iter().copied().fold(f64::INFINITY, f64::min), range[0], 6e-4);
            near(values.iter().copied().fold(0.0, f64::max), range[1], 6e-4);
        }
    }
}

/// With a whole overlap ratio the sliced stiffness does not vary: no static transmission error.
#[test]
fn a_whole_overlap_ratio_leaves_the_stiffness_constant() {
    let mut given = helical(&GEARBOX[0]).given;
    given.width = 2.0 * given.width / helical(&GEARBOX[0]).overlap();
    let geometry = Geometry::new(given);
    near(geometry.overlap(), 2.0, 1e-12);
    let mesh = Mesh { geometry, play: geometry.at_mounting(0.0, 0.08) };
    let expected = geometry.contact_ratio(0.08) * (1.0 - 0.2 / 3.0);
    for count in [1, 5] {
        let slices = slices(&geometry, count);
        for i in 0..50 {
            near(stiffness(&mesh, 0.08, 0.02 * f64::from(i) * geometry.p_b, &slices), expected, 1e-12);
        }
    }
}

/// Two pairs carry for a part ε_α − 1 of the time.
#[test]
fn two_pairs_carry_as_long_as_the_ratio_says() {
    let geometry = spur([14, 39], 5e-3, [1.0, 1.05], 0.02);
    let mesh = Mesh { geometry, play: geometry.at_mounting(0.0, 0.1325) };
    let steps = 100_000;
    let mut two = 0;
    for i in 0..steps {
        let P = f64::from(i) / f64::from(steps) * geometry.p_b;
        let here = mesh.here(&[0.0, P, 0.0, 0.0], 0.1325, [0.0; X]);
        let mut pairs = 0;
        mesh.in_contact(
            &here,
            &Parabola { most: 1.0, ratio: 0.8 },
            &slices(&geometry, 1)[0],
            |_, side, _| {
                pairs += i32::from(side > 0.0);
            },
        );
        two += i32::from(pairs == 2);
    }
    near(f64::from(two) / f64::from(steps), 0.542_354, 2e-5);
}

fn sum_at(mesh: &Mesh, springs: &Springs, slices: &[Slice], x: [f64; X], rates: [f64; X]) -> Sum {
    let here: Here = mesh.here(&x, x[2], rates);
    let mut sum = Sum::default();
    slices.iter().for_each(|slice| mesh.add(&here, springs, slice, true, &mut sum));
    sum
}

/// Q is the slope of the energy, K and C those of Q: everything at once, damping, friction, relief, helix, entry.
#[test]
fn forces_are_slopes_and_tangents_theirs() {
    let geometry = helical(&GEARBOX[0]);
    let spur = spur([14, 39], 5e-3, [1.0, 1.05], 0.02);
    let smooth = Slice { z: 0.0, share: 1.0, stretch: 0.1 * spur.p_b };
    let cases: [(Geometry, Vec<Slice>, f64); 3] = [
        (geometry, slices(&geometry, 3), 0.08),
        (spur, vec![smooth], 0.1325),
        (spur, slices(&spur, 1), 0.1325),
    ];
    for (geometry, slices, distance) in cases {
        let mesh = Mesh { geometry, play: geometry.at_mounting(1e-5, distance) };
        for (P, delta, friction) in
            [(1e-4, 3e-5, 0.0), (2.3e-3, -2.4e-5, 0.0), (1.1e-3, 4e-5, 0.2), (4e-4, -4e-5, 0.3)]
        {
            let mut own = springs(2e8, 0.7);
            let x = [delta, P, distance + 1e-6, 2e-6];
            let rates = [0.01, 0.3, -0.02, 0.03];
            if friction == 0.0 {
                // without loss: Q = −∂U/∂x
                let Q = sum_at(&mesh, &own, &slices, x, [0.0; X]).Q;
                for i in 0..X {
                    let step = 1e-9;
                    let moved = |by: f64| {
                        let x = std::array::from_fn(|k| if k == i { x[k] + by } else { x[k] });
                        sum_at(&mesh, &own, &slices, x, [0.0; X]).strain
                    };
                    let slope = -(moved(step) - moved(-step)) / (2.0 * step);
                    near(Q[i], slope, 1e-4 * Q[0].abs());
                }
            }
            own.damping = 2e-5;
            own.friction = friction;
            own.creep = 0.5;
            own.relief = 5e-6;
            own.relief_length = 0.4 * geometry.p_b;
            let sum = sum_at(&mesh, &own, &slices, x, rates);
            let size = sum.K[0][0].abs();
            assert!(size > 1e6, "the teeth touch");
            for j in 0..X {
                let (step, speed) = (1e-9, 1e-5);
                let moved = |by: f64| {
                    let x = std::array::from_fn(|k| if k == j { x[k] + by } else { x[k] });
                    sum_at(&mesh, &own, &slices, x, rates).Q
                };
                let faster = |by: f64| {
                    let rates = std::array::from_fn(|k| if k == j { rates[k] + by } else { rates[k] });
                    sum_at(&mesh, &own, &slices, x, rates).Q
                };
                let (high, low) = (moved(step), moved(-step));
                let (quick, slow) = (faster(speed), faster(-speed));
                for i in 0..X {
                    near(sum.K[i][j], -(high[i] - low[i]) / (2.0 * step), 2e-4 * size);
                    near(
                        sum.C[i][j],
                        -(quick[i] - slow[i]) / (2.0 * speed),
                        1e-5 * sum.C[0][0].abs().max(1.0),
                    );
                }
            }
        }
    }
}

/// A distance at which the base circles would overlap leaves finite numbers.
#[test]
fn too_near_is_finite() {
    let geometry = spur([14, 39], 5e-3, [1.0, 1.05], 0.02);
    let at = geometry.at(0.1, &Play { at: 0.0, inv: 0.01 });
    assert!(at.play.iter().chain(&at.f).all(|x| x.is_finite()));
    assert!(at.play[0] < 0.0);
}

/// Mean way from the pitch point with the load shared equally: what makes the usual formula of the efficiency,
/// 1 − ε_α + ε_1² + ε_2² of half a base pitch.
#[test]
fn sliding_is_that_of_the_formula_of_the_efficiency() {
    let geometry = spur([23, 40], 2e-3, [1.0, 1.25], 0.02);
    let distance = geometry.r[0] + geometry.r[1];
    let mesh = Mesh { geometry, play: geometry.at_mounting(0.0, distance) };
    let at = geometry.at(distance, &mesh.play);
    let ends = at.ends.map(|end| end[0] / geometry.p_b);
    let ratio = ends[1] - ends[0];
    let expected = 0.5 * geometry.p_b * (1.0 - ratio + ends[0] * ends[0] + ends[1] * ends[1]);
    let steps = 20_000;
    let mut sum = 0.0;
    for i in 0..steps {
        let P = (f64::from(i) + 0.5) / f64::from(steps) * geometry.p_b;
        let here = mesh.here(&[0.0, P, 0.0, 0.0], distance, [0.0; X]);
        let [row, _] = mesh.rubbing(&here, &Parabola { most: 1.0, ratio: 1.0 }, 1.0, &slices(&geometry, 1));
        sum += row[1] / (1.0 / geometry.r_b[0] + 1.0 / geometry.r_b[1]);
    }
    near(sum / f64::from(steps), expected, 1e-4 * expected);
}
