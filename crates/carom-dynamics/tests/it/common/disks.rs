//! Disks without rotation that fall onto a row of posts, and onto each other: the contacts are those of near pairs, which come
//! and go, or of all pairs for good.

use carom_dynamics::*;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.05;
const POSTS: usize = 40;
const KIND: ContactKind =
    ContactKind::Frictional { restitution: 0.3, tangential_restitution: 0.0, friction: 0.2 };

/// Disks without rotation above posts at (0.08 k, 0), round with the same radius.
pub struct Disks {
    count: usize,
    /// All pairs, in the order of their ids: law 0 among disks, law 1 with posts.
    all: Vec<ContactId>,
    structure: Structure,
}

impl Disks {
    pub fn new(count: usize, changing: bool) -> Self {
        let among = (0..count as u32).flat_map(|i| (i + 1..count as u32).map(move |j| (i, j)));
        let with = (0..count as u32).flat_map(|i| (0..POSTS as u32).map(move |k| (i, k)));
        let all: Vec<ContactId> = among
            .map(|(pair, feature)| ContactId { law: 0, pair, feature })
            .chain(with.map(|(pair, feature)| ContactId { law: 1, pair, feature }))
            .collect();
        let contacts: Vec<ContactInfo> = if changing {
            let law = |name: &str| ContactInfo { most: None, ..ContactInfo::new(name, KIND) };
            vec![law("disks"), law("posts")]
        } else {
            all.iter().map(|id| ContactInfo::new(format!("{id:?}"), KIND)).collect()
        };
        let n = 2 * count;
        let sizes = Sizes { q: n, v: n, constraints: 0, contacts: contacts.len() };
        let pattern = Pattern { mass: (0..n as u32).map(|i| (i, i)).collect(), ..Pattern::default() };
        let structure = Structure { mass_is_constant: true, contacts, ..Structure::new(sizes, pattern, 0.5) };
        Self { count, all, structure }
    }

    /// From the second thing of a pair to the first: distance of the centres and its components.
    fn between(&self, q: &[f64], id: ContactId) -> (f64, [f64; 2]) {
        let disk = |i: u32| [q[2 * i as usize], q[2 * i as usize + 1]];
        let (a, b) = match id.law {
            0 => (disk(id.pair), disk(id.feature)),
            _ => (disk(id.pair), [0.08 * f64::from(id.feature), 0.0]),
        };
        let d = [a[0] - b[0], a[1] - b[1]];
        (d[0].hypot(d[1]), d)
    }

    fn gap(&self, q: &[f64], id: ContactId) -> f64 {
        self.between(q, id).0 - 2.0 * RADIUS
    }

    fn rows(&self, q: &[f64], id: ContactId, W: &mut Directions) {
        let (distance, d) = self.between(q, id);
        let n = d.map(|d| d / distance);
        for along in [n, [-n[1], n[0]]] {
            W.begin_row(0.0);
            for i in 0..2 {
                W.push(2 * id.pair as usize + i, along[i]);
                if id.law == 0 {
                    W.push(2 * id.feature as usize + i, -along[i]);
                }
            }
        }
    }

    pub fn start(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for i in 0..self.count {
            q.extend([1.0 + 0.043 * (i % 3) as f64, 0.2 + 0.13 * i as f64]);
            v.extend([0.7 - 0.1 * i as f64, 0.0]);
        }
        (q, v)
    }
}

impl System for Disks {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.iter_mut().enumerate().for_each(|(i, M)| *M = 1.0 + 0.1 * (i / 2) as f64);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        for i in 0..self.count {
            (h[2 * i], h[2 * i + 1]) = (0.0, -(1.0 + 0.1 * i as f64) * GRAVITY);
        }
    }
    fn candidates(&self, at: &Configuration, reach: f64, out: &mut Candidates) {
        let near = self.all.iter().filter(|&&id| self.gap(at.q(), id) <= reach);
        near.for_each(|&id| out.push(id));
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N.iter_mut().zip(&self.all).for_each(|(g, &id)| *g = self.gap(at.q(), id));
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        active.iter().for_each(|&contact| self.rows(at.q(), self.all[contact], W));
    }
    fn gaps_among(&self, at: &Configuration, among: &Candidates, g_N: &mut [f64]) {
        g_N.iter_mut().zip(among.ids()).for_each(|(g, &id)| *g = self.gap(at.q(), id));
    }
    fn directions_among(&self, at: &Configuration, among: &Candidates, active: &[usize], W: &mut Directions) {
        active.iter().for_each(|&contact| self.rows(at.q(), among.id(contact), W));
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let mass = |i: usize| 1.0 + 0.1 * (i / 2) as f64;
        Energy {
            kinetic: (0..at.v.len()).map(|i| 0.5 * mass(i) * at.v[i] * at.v[i]).sum(),
            potential: (0..self.count).map(|i| mass(2 * i) * GRAVITY * at.q()[2 * i + 1]).sum(),
            strain: 0.0,
        }
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}
