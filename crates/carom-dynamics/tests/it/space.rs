//! A point mass on a plane in space: friction in two directions.
#![allow(non_snake_case)]

use crate::common::fixed;
use carom_dynamics::*;

const GRAVITY: f64 = 9.81;

/// A point of mass 2 kg on a plane that is inclined about y; coordinates are those of space.
struct Sledge {
    angle: f64,
    structure: Structure,
}

impl Sledge {
    fn new(angle: f64, friction: f64) -> Self {
        let kind = ContactKind::Spatial {
            restitution: 0.0,
            tangential_restitution: 0.0,
            friction,
            resistance: Resistance::None,
        };
        let sizes = Sizes { q: 3, v: 3, constraints: 0, contacts: 1 };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1), (2, 2)], ..Pattern::default() };
        let structure = Structure {
            mass_is_constant: true,
            contacts: vec![ContactInfo::new("plane", kind)],
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { angle, structure }
    }

    /// Normal, and two directions that are turned in the plane: down the slope is neither of them.
    fn frame(&self) -> [[f64; 3]; 3] {
        let (sin, cos) = self.angle.sin_cos();
        let (down, across) = ([cos, 0.0, -sin], [0.0, 1.0, 0.0]);
        let (s, c) = 0.7_f64.sin_cos();
        let mix = |a: f64, b: f64| std::array::from_fn(|i| a * down[i] + b * across[i]);
        [[sin, 0.0, cos], mix(c, s), mix(-s, c)]
    }
}

impl System for Sledge {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(2.0);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, 0.0, -2.0 * GRAVITY]);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        g_N[0] = self.frame()[0].iter().zip(at.q()).map(|(n, q)| n * q).sum();
    }
    fn directions(&self, _: &Configuration, active: &[usize], W: &mut Directions) {
        for _ in active {
            for row in self.frame() {
                W.begin_row(0.0);
                (0..3).for_each(|i| W.push(i, row[i]));
            }
        }
    }
    fn contact_bias(&self, _: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias.fill(0.0);
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let kinetic = at.v.iter().map(|v| v * v).sum();
        Energy { kinetic, potential: 2.0 * GRAVITY * at.q()[2], strain: 0.0 }
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

/// Schemes that take contacts in space.
const SCHEMES: [&str; 18] = [
    "hem5",
    "dopri5",
    "phem56",
    "radau5",
    "bdf",
    "moreau-jean",
    "moreau-jean-ggl",
    "moreau-explicit",
    "moreau-midpoint",
    "generalized-alpha",
    "hht",
    "newmark",
    "generalized-alpha-ggl",
    "bathe",
    "mixed-alpha",
    "ed-alpha",
    "half-explicit",
    "hybrid",
];

fn run<'s>(system: &'s Sledge, name: &str, v: [f64; 3], end: f64) -> Simulation<'s> {
    crate::common::run(system, name, &[], &[0.0; 3], &v, fixed(1e-3, end))
}

/// v²/(2 μ g) straight ahead, then rest; all of the kinetic energy is lost in friction.
#[test]
fn what_slides_stops_on_a_straight_line() {
    let (speed, mu, heading) = (3.0, 0.4, 0.3_f64);
    let way = speed * speed / (2.0 * mu * GRAVITY);
    let sledge = Sledge::new(0.0, mu);
    for name in SCHEMES {
        let run = run(&sledge, name, [speed * heading.cos(), speed * heading.sin(), 0.0], 1.2);
        let State { q, v, .. } = run.state();
        // in the step of the stop one step's way may be missing; speeds before it are those of a constant force
        assert!((q[0].hypot(q[1]) - way).abs() < 2.0 * speed * 1e-3, "{name}: {q:?} {way}");
        assert!((q[1].atan2(q[0]) - heading).abs() < 1e-9, "{name}: {q:?}");
        assert!(v.iter().all(|v| v.abs() < 1e-9) && q[2].abs() < 1e-6, "{name}: {q:?} {v:?}");
        let audit = run.summary().audit;
        assert!((audit.friction_loss - speed * speed).abs() < 1e-2 * speed * speed, "{name}: {audit:?}");
        let events = run.recording().events;
        assert!(events.iter().any(|e| e.kind == EventKind::Stick && e.subject == "plane"), "{name}");
    }
}

/// Below the cone it sticks; above, it slides down the slope by ½ (sin α − μ cos α) g t².
#[test]
fn the_cone_decides_on_a_slope() {
    let (angle, t) = (0.5_f64, 0.8);
    for name in SCHEMES {
        let holds = Sledge::new(angle, 1.01 * angle.tan());
        let run_1 = run(&holds, name, [0.0; 3], t);
        assert!(run_1.state().q.iter().all(|q| q.abs() < 1e-9), "{name}: {:?}", run_1.state().q);
        let mu = 0.6 * angle.tan();
        let slides = Sledge::new(angle, mu);
        let run_2 = run(&slides, name, [0.0; 3], t);
        let way = 0.5 * (angle.sin() - mu * angle.cos()) * GRAVITY * t * t;
        let q = &run_2.state().q;
        let down = q[0] * angle.cos() - q[2] * angle.sin();
        assert!((down - way).abs() < 1e-2 * way && q[1].abs() < 1e-9, "{name}: {q:?} {way}");
    }
}

/// Schemes that know one direction of friction only say so before anything runs.
#[test]
fn others_refuse_it() {
    let sledge = Sledge::new(0.1, 0.3);
    for name in ["shake", "rattle", "multiplier", "stewart-trinkle", "schatzman-paoli"] {
        let state = State::new(&sledge, 0.0, vec![0.0; 3], vec![0.0; 3]);
        let solver = carom_solve::solver("auto").unwrap();
        let refused = Simulation::new(&sledge, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 1.0));
        let text = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(text.contains("plane") && text.contains("moreau-jean"), "{name}: {text}");
    }
}
