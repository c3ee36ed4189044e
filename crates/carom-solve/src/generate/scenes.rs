//! The mechanisms.

use super::scene::{Body, GRAVITY, STEP, Scene, Seeded, Vec3, length, minus, plus, unit};
use crate::{GlobalProblem, Law, SparseMatrix};
use std::collections::BTreeMap;

const UP: Vec3 = [0.0, 0.0, 1.0];

/// The smallest of a growing family with at least so many contacts.
fn grown(contacts: usize, scene: impl Fn(usize) -> Scene) -> GlobalProblem {
    // Doubled until it is enough, then halved in between.
    let (mut too_small, mut enough) = (0, 1);
    let mut made = scene(enough);
    while made.touches.len() < contacts {
        (too_small, enough) = (enough, 2 * enough);
        made = scene(enough);
    }
    while enough - too_small > 1 {
        let middle = too_small + (enough - too_small) / 2;
        let tried = scene(middle);
        if tried.touches.len() < contacts {
            too_small = middle;
        } else {
            (made, enough) = (tried, middle);
        }
    }
    made.problem()
}

/// Round bodies that touch within this part of their size count as touching.
const REACH: f64 = 0.02;

pub(super) fn spheres(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| heap(n, false))
}

pub(super) fn disks(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| heap(n, true))
}

/// Lever arm of the rolling resistance, in metres: a twentieth of the radius.
const ROLLING: f64 = 0.025;

pub(super) fn rolling(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let mut scene = Scene { rolling: Some(ROLLING), ..heap(n, false) };
        // the box tilts: what rests on it begins to roll
        for body in &mut scene.bodies {
            body.velocity[0] += 0.5 * GRAVITY * STEP;
        }
        scene
    })
}

/// n round bodies, layer upon layer, each layer in the hollows of the one below; the box is about as wide as the heap high.
fn heap(n: usize, planar: bool) -> Scene {
    let mut rng = Seeded(17);
    let side = if planar { (n as f64).sqrt().ceil() } else { (n as f64).cbrt().ceil() } as usize;
    let mut scene = Scene { planar, ..Scene::default() };
    let mut radii = Vec::new();
    let (pitch, rise) = if planar { (1.0, 0.75_f64.sqrt()) } else { (1.0, 0.5_f64.sqrt()) };
    let depth = if planar { 1 } else { side };
    for k in 0..n {
        let (layer, in_layer) = (k / (side * depth), k % (side * depth));
        let shift = if layer % 2 == 1 { 0.5 } else { 0.0 };
        let x = pitch * ((in_layer % side) as f64 + shift);
        let y = if planar { 0.0 } else { pitch * ((in_layer / side) as f64 + shift) };
        let radius = 0.5 * (1.0 - 0.5 * REACH * rng.between(0.0, 1.0));
        let centre = [x, y, 0.5 + rise * layer as f64];
        let mut body = if planar { Body::disk(centre, radius) } else { Body::sphere(centre, radius) };
        let noise = 0.2 * GRAVITY * STEP;
        body.velocity =
            [noise * rng.next(), if planar { 0.0 } else { noise * rng.next() }, noise * rng.next()];
        body.spin = [noise * rng.next(), noise * rng.next(), noise * rng.next()];
        if planar {
            (body.spin[0], body.spin[2]) = (0.0, 0.0);
        }
        radii.push(radius);
        scene.add(body);
    }
    // Pairs, by cells a diameter wide.
    let cell = |c: Vec3| [c[0].floor() as i64, c[1].floor() as i64, c[2].floor() as i64];
    let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (k, body) in scene.bodies.iter().enumerate() {
        cells.entry(cell(body.centre)).or_default().push(k);
    }
    for k in 0..n {
        let at = cell(scene.bodies[k].centre);
        for step in 0..27 {
            let near = [at[0] + step % 3 - 1, at[1] + step / 3 % 3 - 1, at[2] + step / 9 - 1];
            for &other in cells.get(&near).into_iter().flatten().filter(|other| **other < k) {
                let apart = minus(scene.bodies[k].centre, scene.bodies[other].centre);
                if length(apart) - radii[k] - radii[other] < REACH * 0.5 {
                    let normal = unit(apart);
                    let point = plus(scene.bodies[other].centre, radii[other], normal);
                    scene.touch(k, Some(other), point, normal, 0.3);
                }
            }
        }
        // Floor and walls.
        let (low, high) = (-0.5, pitch * side as f64);
        let planes: [(Vec3, f64); 5] = [
            (UP, 0.0),
            ([1.0, 0.0, 0.0], low),
            ([-1.0, 0.0, 0.0], -high),
            ([0.0, 1.0, 0.0], low),
            ([0.0, -1.0, 0.0], -high),
        ];
        let centre = scene.bodies[k].centre;
        for (normal, offset) in planes.into_iter().take(if planar { 3 } else { 5 }) {
            let gap =
                normal[0] * centre[0] + normal[1] * centre[1] + normal[2] * centre[2] - offset - radii[k];
            if gap < REACH * 0.5 {
                scene.touch(k, None, plus(centre, -radii[k], normal), normal, 0.5);
            }
        }
    }
    scene
}

pub(super) fn shaken(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let mut rng = Seeded(29);
        let side = (n as f64).cbrt().ceil() as usize;
        let mut scene = Scene { weightless: true, ..Scene::default() };
        let noise = |rng: &mut Seeded, size: f64| [size * rng.next(), size * rng.next(), size * rng.next()];
        for k in 0..n {
            let cell = [k % side, k / side % side, k / (side * side)].map(|c| c as f64);
            let mut body = Body::sphere(plus(cell, 1.0, noise(&mut rng, 0.1)), 0.5);
            let density = rng.between(-0.3, 0.3).exp();
            body.mass *= density;
            body.inertia = body.inertia.map(|inertia| density * inertia);
            body.velocity = plus([0.0, 0.0, -0.3], 1.0, noise(&mut rng, 0.2));
            body.spin = noise(&mut rng, 1.0);
            scene.add(body);
        }
        // each pushes against those before it in the lattice, straight and aslant, and the lowest against the floor
        for k in 0..n {
            let (x, y, z) = (k % side, k / side % side, k / (side * side));
            let centre = scene.bodies[k].centre;
            if z == 0 {
                scene.touch(k, None, plus(centre, -0.5, UP), UP, 0.3);
            }
            for (dx, dy, dz) in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)] {
                if x >= dx && y >= dy && z >= dz {
                    let other = ((z - dz) * side + y - dy) * side + x - dx;
                    let apart = minus(centre, scene.bodies[other].centre);
                    scene.touch(k, Some(other), plus(centre, -0.5, apart), unit(apart), 0.3);
                }
            }
        }
        scene
    })
}

pub(super) fn planks(contacts: usize) -> GlobalProblem {
    grown(contacts, |layers| {
        let (long, wide, thick) = (0.3, 0.06, 0.02);
        let places = [-0.12, 0.0, 0.12];
        let mut scene = Scene::default();
        let mut below: Vec<Option<usize>> = Vec::new();
        for layer in 0..layers {
            let along_x = layer % 2 == 0;
            let bottom = thick * layer as f64;
            let edge = if along_x { [long, wide, thick] } else { [wide, long, thick] };
            let mut row = Vec::new();
            for place in places {
                let at =
                    |own: f64, cross: f64, z: f64| if along_x { [cross, own, z] } else { [own, cross, z] };
                let plank = scene.add(Body::block(at(place, 0.0, bottom + 0.5 * thick), edge, 600.0));
                // a patch with four corners on each plank below; its own corners on the floor
                let patches: Vec<(f64, Option<usize>)> = if layer == 0 {
                    vec![(0.0, None)]
                } else {
                    places.into_iter().zip(below.iter().copied()).collect()
                };
                let (x, y) = if layer == 0 { (0.9 * long, 0.9 * wide) } else { (0.9 * wide, 0.9 * wide) };
                for (cross, under) in patches {
                    for point in corners(at(place, cross, bottom), x, y) {
                        scene.touch(plank, under, point, UP, 0.4);
                    }
                }
                row.push(Some(plank));
            }
            below = row;
        }
        // the uppermost is hit
        let top = scene.bodies.len() - 1;
        let momentum = 0.3 * scene.bodies[top].mass;
        scene.pushes.push((top, [momentum, 0.5 * momentum, 0.0]));
        scene
    })
}

/// The four corners of a horizontal rectangle.
fn corners(centre: Vec3, edge_x: f64, edge_y: f64) -> [Vec3; 4] {
    [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]
        .map(|(x, y)| [centre[0] + x * edge_x, centre[1] + y * edge_y, centre[2]])
}

fn tower(n: usize, density: impl Fn(usize) -> f64, push: f64) -> Scene {
    let edge = [0.4, 0.4, 0.2];
    let mut scene = Scene::default();
    for k in 0..n {
        // Every box turned in place a little sideways, so that corners are not all above each other.
        let lean = if k % 2 == 0 { 0.0 } else { 0.01 };
        let body = scene.add(Body::block([lean, 0.0, 0.1 + 0.2 * k as f64], edge, density(k)));
        for point in corners([lean, 0.0, 0.2 * k as f64], 0.38, 0.38) {
            scene.touch(body, body.checked_sub(1), point, UP, 0.4);
        }
    }
    let middle = n / 2;
    let weight = scene.bodies[middle].mass * GRAVITY * STEP;
    scene.pushes.push((middle, [push * weight, 0.1 * push * weight, 0.0]));
    scene
}

pub(super) fn boxes(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| tower(n, |_| 1000.0, 0.2))
}

pub(super) fn heavy_top(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| tower(n, |k| 100.0 * 1000_f64.powf(k as f64 / n.max(2) as f64), 0.0))
}

/// Courses of bricks, every second one shifted by half a brick with a half brick at each end.
pub(super) fn wall(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let (length, depth, height) = (0.25, 0.12, 0.07);
        // About three bricks long per course high.
        let (courses, per_course) =
            ((n as f64 / 3.0).sqrt().ceil() as usize, (3.0 * n as f64).sqrt().ceil() as usize);
        let mut scene = Scene::default();
        let mut below: Vec<(usize, f64, f64)> = Vec::new();
        for course in 0..courses {
            let mut bricks = Vec::new();
            let (mut x, z) = (0.0, height * course as f64);
            let total = per_course as f64 * length;
            while x < total - 1e-9 {
                let half = course % 2 == 1 && (x == 0.0 || total - x < 0.6 * length);
                let edge = if half { 0.5 * length } else { length };
                let body = scene.add(Body::block(
                    [x + 0.5 * edge, 0.0, z + 0.5 * height],
                    [edge, depth, height],
                    1800.0,
                ));
                bricks.push((body, x, x + edge));
                let mut patch = |other: Option<usize>, from: f64, to: f64| {
                    for point in corners([0.5 * (from + to), 0.0, z], 0.9 * (to - from), 0.9 * depth) {
                        scene.touch(body, other, point, UP, 0.6);
                    }
                };
                if course == 0 {
                    patch(None, x, x + edge);
                }
                for &(other, from, to) in &below {
                    let (from, to) = (from.max(x), to.min(x + edge));
                    if to - from > 1e-9 {
                        patch(Some(other), from, to);
                    }
                }
                x += edge;
            }
            below = bricks;
        }
        // The ball has just struck the brick in the middle of the top.
        let struck = scene.bodies.len() - 1 - per_course / 2;
        let mass = scene.bodies[struck].mass;
        scene.pushes.push((struck.min(scene.bodies.len() - 1), [0.0, 0.3 * mass, 0.0]));
        scene
    })
}

/// Stones of a half circle, two contacts in each joint, at the inner and the outer edge.
pub(super) fn arch(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let (inner, outer) = (2.0, 2.6);
        let mut scene = Scene { planar: true, ..Scene::default() };
        let opening = std::f64::consts::PI / n as f64;
        let at = |radius: f64, angle: f64| [-radius * angle.cos(), 0.0, radius * angle.sin()];
        for k in 0..n {
            let middle = at(0.5 * (inner + outer), (k as f64 + 0.5) * opening);
            let edge = [0.5 * (inner + outer) * opening, 1.0, outer - inner];
            scene.add(Body::block(middle, edge, 2400.0));
        }
        for joint in 0..=n {
            let angle = joint as f64 * opening;
            // From the stone before to the stone after, along the circle.
            let normal = [angle.sin(), 0.0, angle.cos()];
            for radius in [inner, outer] {
                let point = at(radius, angle);
                if joint < n {
                    scene.touch(joint, joint.checked_sub(1), point, normal, 0.7);
                } else {
                    scene.touch(n - 1, None, point, normal.map(|x| -x), 0.7);
                }
            }
        }
        scene
    })
}

/// Rods on a floor, each touching it at two points.
pub(super) fn chain(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let mut rng = Seeded(23);
        let (length, thickness) = (0.3, 0.02);
        let mut scene = Scene::default();
        let mut end = [0.0, 0.0, 0.5 * thickness];
        for k in 0..n {
            let angle = 0.4 * rng.next();
            let along = [angle.cos(), angle.sin(), 0.0];
            let mut body =
                Body::block(plus(end, 0.5 * length, along), [length, thickness, thickness], 7800.0);
            // Turned inertia is that of the rod; about its own axis it is that of a thick one, for a matrix along the axes.
            body.inertia = [body.inertia[1]; 3];
            body.velocity = [0.2, 0.1 * rng.next(), 0.0];
            let body = scene.add(body);
            if k > 0 {
                scene.joints.push((body, body - 1, end));
            }
            for part in [0.2, 0.8] {
                let mut point = plus(end, part * length, along);
                point[2] = 0.0;
                scene.touch(body, None, point, UP, 0.3);
            }
            end = plus(end, length, along);
        }
        scene
    })
}

/// Points spread evenly over a sphere.
fn spread(k: usize, n: usize) -> Vec3 {
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let z = if n == 1 { 0.0 } else { 0.9 - 1.8 * k as f64 / (n - 1) as f64 };
    let (ring, angle) = ((1.0 - z * z).sqrt(), golden * k as f64);
    [ring * angle.cos(), ring * angle.sin(), z]
}

pub(super) fn grasp(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let mut scene = Scene::default();
        let ball = scene.add(Body::sphere([0.0; 3], 0.05));
        for k in 0..n {
            let out = spread(k, n);
            let mut finger = Body::sphere(plus([0.0; 3], 0.06, out), 0.01);
            // Held by its arm: heavy for its size, and hard to turn.
            (finger.mass, finger.inertia) = (0.2, [1e-4; 3]);
            let finger = scene.add(finger);
            let press = 20.0 * STEP;
            // Its own weight is carried by the arm.
            scene
                .pushes
                .push((finger, [-press * out[0], -press * out[1], -press * out[2] + 0.2 * GRAVITY * STEP]));
            scene.touch(finger, Some(ball), plus([0.0; 3], 0.05, out), out, 0.8);
        }
        scene
    })
}

pub(super) fn table(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let mut rng = Seeded(31);
        let mut scene = Scene::default();
        let mut plate = Body::block([0.0, 0.0, 0.75], [1.6, 0.8, 0.04], 700.0);
        (plate.velocity, plate.spin) = ([0.3, -0.1, 0.0], [0.0, 0.0, 0.8]);
        let plate = scene.add(plate);
        for k in 0..n {
            let point = if k < 4 {
                corners([0.0; 3], 1.5, 0.7)[k]
            } else {
                [rng.between(-0.75, 0.75), rng.between(-0.35, 0.35), 0.0]
            };
            scene.touch(plate, None, point, UP, 0.2 + 0.05 * (k % 3) as f64);
        }
        scene
    })
}

/// Blocks in a row between a lower and an upper wall, face to face.
pub(super) fn sliders(contacts: usize) -> GlobalProblem {
    grown(contacts, |n| {
        let (a, b) = (0.05, 0.025);
        let mut rng = Seeded(41);
        let mut scene = Scene { planar: true, ..Scene::default() };
        for k in 0..n {
            let x = 2.0 * a * k as f64;
            let mut body = Body::block([x, 0.0, 0.0], [2.0 * a, 0.04, 2.0 * b], 2000.0);
            body.velocity = [if k == 0 { 0.5 } else { 0.02 * rng.next() }, 0.0, 0.05 * rng.next()];
            body.spin = [0.0, 0.5 * rng.next(), 0.0];
            let body = scene.add(body);
            for (dx, z) in [(-a, -b), (a, -b), (-a, b), (a, b)] {
                let normal = [0.0, 0.0, if z < 0.0 { 1.0 } else { -1.0 }];
                scene.touch(body, None, [x + dx, 0.0, z], normal, 0.4);
            }
            if k > 0 {
                for z in [-b, b] {
                    scene.touch(body, Some(body - 1), [x - a, 0.0, z], [1.0, 0.0, 0.0], 0.2);
                }
            }
        }
        scene
    })
}

/// Stiffness of a spring of the mesh (N/m) and its share of damping (s).
const SPRING: f64 = 2e4;
const DAMPING: f64 = 1e-3;

/// Nodes on a grid with springs along the axes and across the faces; an implicit step solves with A = M + dt C + dt² K.
pub(super) fn mesh(contacts: usize) -> GlobalProblem {
    let side = (contacts as f64).sqrt().ceil().max(1.0) as usize;
    let (nx, ny, nz) = (side.max(2), contacts.div_ceil(side.max(2)).max(1), 3);
    let node = |x: usize, y: usize, z: usize| (z * ny + y) * nx + x;
    let n = 3 * nx * ny * nz;
    let mut rng = Seeded(53);
    let mass = 0.05;
    let mut A: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, i, mass)).collect();
    let mut spring = |a: usize, b: usize, along: Vec3| {
        let along = unit(along);
        let k = SPRING * STEP * (STEP + DAMPING);
        for i in 0..3 {
            for j in 0..3 {
                // Along the spring all of it, across a hundredth: threads under tension.
                let value = k * (0.99 * along[i] * along[j] + if i == j { 0.01 } else { 0.0 });
                if value != 0.0 {
                    for (p, q, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                        A.push(((3 * p + i) as u32, (3 * q + j) as u32, sign * value));
                    }
                }
            }
        }
    };
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                let steps: [[i64; 3]; 6] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]];
                for step in steps {
                    let [p, q, r] = [x + step[0] as usize, y + step[1] as usize, z + step[2] as usize];
                    if p < nx && q < ny && r < nz {
                        spring(node(x, y, z), node(p, q, r), step.map(|s| s as f64));
                    }
                }
            }
        }
    }
    // Falls and slides; the lowest nodes are at the floor.
    let velocity: Vec<f64> = (0..n)
        .map(|i| match i % 3 {
            0 => 0.3,
            1 => 0.05 * rng.next(),
            _ => -0.5 - GRAVITY * STEP + 0.05 * rng.next(),
        })
        .collect();
    let f = velocity.iter().map(|v| mass * v).collect();
    let (mut H, mut laws) = (Vec::new(), Vec::new());
    for c in 0..contacts.min(nx * ny) {
        // Rows (N, T1, T2) are (z, x, y).
        for (k, axis) in [2, 0, 1].into_iter().enumerate() {
            H.push(((3 * c + axis) as u32, (3 * c + k) as u32, 1.0));
        }
        laws.push(Law::spatial_coulomb(0.3));
    }
    let columns = 3 * laws.len();
    GlobalProblem {
        M: SparseMatrix::from_triplets(n, n, A),
        H: SparseMatrix::from_triplets(n, columns, H),
        f,
        b: vec![0.0; columns],
        laws,
    }
}
