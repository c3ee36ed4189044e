//! Contacts that come and go: disks that fall onto a row of posts, and onto each other. Near pairs alone are candidates, or all
//! pairs are there for good: the motion is the same to the last bit.
#![allow(non_snake_case)]

use crate::common::fixed;
use carom_dynamics::*;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.05;
const POSTS: usize = 40;
const KIND: ContactKind =
    ContactKind::Frictional { restitution: 0.3, tangential_restitution: 0.0, friction: 0.2 };

/// Disks without rotation above posts at (0.08 k, 0), round with the same radius.
struct Disks {
    count: usize,
    /// All pairs, in the order of their ids: law 0 among disks, law 1 with posts.
    all: Vec<ContactId>,
    structure: Structure,
}

impl Disks {
    fn new(count: usize, changing: bool) -> Self {
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

    fn start(&self) -> (Vec<f64>, Vec<f64>) {
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

fn begin<'s>(disks: &'s Disks, name: &str) -> Simulation<'s> {
    let (q, v) = disks.start();
    let state = State::new(disks, 0.0, q, v);
    let solver = carom_solve::solver("auto").unwrap();
    Simulation::new(disks, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 0.8)).unwrap()
}

#[test]
fn near_pairs_move_as_all_pairs_do() {
    let (fixed, changing) = (Disks::new(6, false), Disks::new(6, true));
    for name in ["moreau-jean", "moreau-explicit", "moreau-midpoint", "newmark", "hht", "generalized-alpha"] {
        let (mut a, mut b) = (begin(&fixed, name), begin(&changing, name));
        assert_eq!(a.run(|_| true), Stop::Done, "{name}");
        assert_eq!(b.run(|_| true), Stop::Done, "{name}");
        assert_eq!(a.state().q, b.state().q, "{name}");
        assert_eq!(a.state().v, b.state().v, "{name}");
        let (one, two) = (a.summary(), b.summary());
        assert_eq!(one.digest, two.digest, "{name}");
        assert_eq!((one.impacts, one.contact_iterations), (two.impacts, two.contact_iterations), "{name}");
        assert_eq!(one.audit.friction_loss, two.audit.friction_loss, "{name}");
        assert_eq!(one.audit.impact_loss, two.audit.impact_loss, "{name}");
        assert!(one.impacts > 20, "{name}: {}", one.impacts);
        // lists changed often, were short, and grew a few times only
        let stage = b.stage();
        assert!(stage.contacts().generation() > 15, "{name}: {}", stage.contacts().generation());
        assert!(stage.contacts().len() < 60 && stage.growths() < 15, "{name}: {}", stage.growths());
        // the same happens at the same times
        let kinds = |r: &Recording| r.events.iter().map(|e| (e.t.to_bits(), e.kind)).collect::<Vec<_>>();
        assert_eq!(kinds(&a.recording()), kinds(&b.recording()), "{name}");
        laws_sum_up(&a.recording(), &b.recording(), name);
    }
}

/// Of a law: the least gap where anything is near, the sum of forces, how many press.
fn laws_sum_up(all: &Recording, near: &Recording, name: &str) {
    let column = |r: &Recording, channel: &str| {
        let place = r.channels.iter().position(|c| c.name() == channel);
        r.columns[place.unwrap_or_else(|| panic!("{name}: no {channel}"))].clone()
    };
    let names: Vec<&str> = all.channels.iter().map(|c| c.name()).collect();
    for (law, prefix) in [("disks", "ContactId { law: 0"), ("posts", "ContactId { law: 1")] {
        let of = |quantity: &str| -> Vec<Vec<f64>> {
            let own = names.iter().filter(|n| n.starts_with(prefix) && n.ends_with(quantity));
            own.map(|n| column(all, n)).collect()
        };
        let (gaps, forces) = (of(".gap"), of(".force_n"));
        let (gap, force, count) = (
            column(near, &format!("{law}.gap")),
            column(near, &format!("{law}.force_n")),
            column(near, &format!("{law}.count")),
        );
        for k in 0..gap.len() {
            let least = gaps.iter().map(|g| g[k]).fold(f64::INFINITY, f64::min);
            assert!(gap[k] == least || (gap[k].is_nan() && least > 0.0), "{name} {law} {k}");
            // the order of the sum differs
            let sum: f64 = forces.iter().map(|f| f[k]).sum();
            assert!((force[k] - sum).abs() <= 1e-12 * sum.abs(), "{name} {law} {k}: {} {sum}", force[k]);
        }
        assert!(count.iter().any(|c| *c >= 1.0), "{name} {law}");
    }
}

#[test]
fn schemes_with_a_list_that_stays_refuse_it() {
    let disks = Disks::new(2, true);
    for name in ["hem5", "hybrid", "penalty", "bathe", "moreau-jean-ggl"] {
        let (q, v) = disks.start();
        let state = State::new(&disks, 0.0, q, v);
        let solver = carom_solve::solver("auto").unwrap();
        let refused = Simulation::new(&disks, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 1.0));
        let text = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(text.contains("come and go") && text.contains("moreau-jean"), "{name}: {text}");
    }
}
