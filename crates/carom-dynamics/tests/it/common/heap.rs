//! Disks in a box, or flying at each other: as many contacts as asked for, each between two bodies.
#![allow(non_snake_case, dead_code)]

use carom_dynamics::*;

/// Radius of the disks (m); their mass is 1 kg.
pub const RADIUS: f64 = 0.07;
/// Moment of inertia of each (kg m²).
const INERTIA: f64 = 0.5 * RADIUS * RADIUS;
/// Pairs further apart than this at the start (m) are not watched.
const APART: f64 = 6.0 * RADIUS;

/// What a disk may touch.
#[derive(Clone, Copy)]
enum With {
    Disk(usize),
    /// Outward normal and distance of the wall from the origin.
    Wall([f64; 2], f64),
}

/// Coordinates (x, y, φ) of each disk.
pub struct Heap {
    pub centres: Vec<[f64; 2]>,
    pub gravity: f64,
    touch: Vec<(usize, With)>,
    structure: Structure,
}

impl Heap {
    /// So many disks in rows of about the square root, close to each other and in a box.
    pub fn in_box(disks: usize, restitution: f64, friction: f64) -> Self {
        let wide = (disks as f64).sqrt().round().max(3.0) as usize;
        let half = (1.02 * wide as f64 + 0.5) * RADIUS;
        let mut heap = Self::new(disks, wide, 9.81, |x| x - half + 1.01 * RADIUS);
        heap.watch(restitution, friction, &[([0.0, 1.0], 0.0), ([1.0, 0.0], -half), ([-1.0, 0.0], -half)]);
        heap
    }

    /// So many disks without weight and walls; thrown at their middle by [`Heap::thrown`].
    pub fn in_space(disks: usize, friction: f64) -> Self {
        let wide = (disks as f64).sqrt().round() as usize;
        let mut heap = Self::new(disks, wide, 0.0, |x| x);
        heap.watch(0.0, friction, &[]);
        heap
    }

    fn new(disks: usize, wide: usize, gravity: f64, shift: impl Fn(f64) -> f64) -> Self {
        // offsets that are no pattern, the same every time
        let mut seed = 1_u64;
        let mut noise = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            0.01 * RADIUS * (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let centre = |k: usize| {
            let (row, column) = ((k / wide) as f64, (k % wide) as f64);
            let x = column * 2.04 * RADIUS + 0.5 * RADIUS * (row % 2.0) + noise();
            [shift(x), 1.01 * RADIUS + row * 2.03 * RADIUS + noise()]
        };
        let centres = (0..disks).map(centre).collect();
        let mass = (0..3 * disks as u32).map(|i| (i, i)).collect();
        let sizes = Sizes { q: 3 * disks, v: 3 * disks, constraints: 0, contacts: 0 };
        let structure = Structure {
            mass_is_constant: true,
            ..Structure::new(sizes, Pattern { mass, ..Default::default() }, RADIUS)
        };
        Self { centres, gravity, touch: Vec::new(), structure }
    }

    fn watch(&mut self, restitution: f64, friction: f64, walls: &[([f64; 2], f64)]) {
        let kind = ContactKind::Frictional { restitution, tangential_restitution: 0.0, friction };
        for i in 0..self.centres.len() {
            self.touch.extend(walls.iter().map(|&(normal, at)| (i, With::Wall(normal, at))));
            let near = |j: &usize| distance(self.centres[i], self.centres[*j]).1 < APART;
            self.touch.extend((0..i).filter(near).map(|j| (i, With::Disk(j))));
        }
        let info = |k: usize| ContactInfo::new(format!("contact {k}"), kind.clone());
        self.structure.contacts = (0..self.touch.len()).map(info).collect();
        self.structure.sizes.contacts = self.touch.len();
    }

    /// Coordinates at the start.
    pub fn q(&self) -> Vec<f64> {
        self.centres.iter().flat_map(|c| [c[0], c[1], 0.0]).collect()
    }

    /// All velocities point at the middle, and all disks turn.
    pub fn thrown(&self) -> Vec<f64> {
        let count = self.centres.len() as f64;
        let mean = |i: usize| self.centres.iter().map(|c| c[i]).sum::<f64>() / count;
        let (x, y) = (mean(0), mean(1));
        let turn = |k: usize| 2.0 + (k % 5) as f64;
        self.centres.iter().enumerate().flat_map(|(k, c)| [x - c[0], y - c[1], turn(k)]).collect()
    }

    /// Momentum in both directions and the moment of it about the origin.
    pub fn momentum(q: &[f64], v: &[f64]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (q, v) in q.chunks(3).zip(v.chunks(3)) {
            sum[0] += v[0];
            sum[1] += v[1];
            sum[2] += q[0] * v[1] - q[1] * v[0] + INERTIA * v[2];
        }
        sum
    }

    /// Normal of a contact and its gap.
    fn gap(&self, (i, with): (usize, With), q: &[f64]) -> ([f64; 2], f64) {
        let centre = |i: usize| [q[3 * i], q[3 * i + 1]];
        match with {
            With::Disk(j) => {
                let (normal, apart) = distance(centre(i), centre(j));
                (normal, apart - 2.0 * RADIUS)
            }
            With::Wall(n, at) => (n, n[0] * q[3 * i] + n[1] * q[3 * i + 1] - at - RADIUS),
        }
    }
}

/// Direction from b to a, and how far it is.
fn distance(a: [f64; 2], b: [f64; 2]) -> ([f64; 2], f64) {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    let apart = x.hypot(y);
    ([x / apart, y / apart], apart)
}

impl System for Heap {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        for M in M.chunks_mut(3) {
            M.copy_from_slice(&[1.0, 1.0, INERTIA]);
        }
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        for h in h.chunks_mut(3) {
            h.copy_from_slice(&[0.0, -self.gravity, 0.0]);
        }
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        for (touch, g) in self.touch.iter().zip(g_N) {
            *g = self.gap(*touch, at.q()).1;
        }
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        for &contact in active {
            let (i, with) = self.touch[contact];
            let n = self.gap((i, with), at.q()).0;
            // normal, then the tangent with what the skins turn by
            for (x, y, turn) in [(n[0], n[1], 0.0), (-n[1], n[0], -RADIUS)] {
                W.begin_row(0.0);
                W.push(3 * i, x);
                W.push(3 * i + 1, y);
                W.push(3 * i + 2, turn);
                if let With::Disk(j) = with {
                    W.push(3 * j, -x);
                    W.push(3 * j + 1, -y);
                    W.push(3 * j + 2, turn);
                }
            }
        }
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let mut energy = Energy::default();
        for (q, v) in at.q().chunks(3).zip(at.v.chunks(3)) {
            energy.kinetic += 0.5 * (v[0] * v[0] + v[1] * v[1] + INERTIA * v[2] * v[2]);
            energy.potential += self.gravity * q[1];
        }
        energy
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}
