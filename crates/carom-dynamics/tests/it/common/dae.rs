//! Small systems with joints, their states of reference, and contacts that can be held, for methods on the smooth motion.
//!
//! The states of reference come from the form of index 1 by an extrapolated midpoint rule of order 22 in 34 digits.
#![allow(non_snake_case, dead_code)]

use carom_dynamics::*;
use std::f64::consts::FRAC_PI_3;
use std::sync::OnceLock;

/// A system written as plain functions; matrices by rows, full.
pub struct Coded {
    pub name: &'static str,
    pub n: usize,
    pub mass: fn(&[f64], &mut [f64]),
    pub mass_is_constant: bool,
    pub force: fn(f64, &[f64], &[f64], &mut [f64]),
    pub potential: fn(&[f64]) -> f64,
    pub phi: fn(f64, &[f64], &mut [f64]),
    pub G: fn(f64, &[f64], &mut [f64], &mut [f64]),
    pub bias: fn(f64, &[f64], &[f64], &mut [f64]),
    pub length: f64,
    pub angles: bool,
    pub q_0: Vec<f64>,
    pub v_0: Vec<f64>,
    /// A time, and (q, v, λ) then.
    pub t_1: f64,
    pub end: [Vec<f64>; 3],
    pub joints: Vec<ConstraintInfo>,
    pub contacts: Vec<ContactInfo>,
    /// Gaps, and rows (N, T) by rows with their bias, of every contact.
    pub gaps: fn(&[f64], &mut [f64]),
    pub W: fn(&[f64], &mut [f64]),
    pub contact_bias: fn(&[f64], &[f64], &mut [f64]),
    /// Made of the above when first asked.
    pub structure: OnceLock<Structure>,
}

fn lower(n: usize) -> Vec<(u32, u32)> {
    (0..n as u32).flat_map(|i| (0..=i).map(move |j| (i, j))).collect()
}

impl Coded {
    fn m(&self) -> usize {
        self.joints.iter().map(|j| j.rows.len()).sum()
    }

    fn make_structure(&self) -> Structure {
        let sizes = Sizes { q: self.n, v: self.n, constraints: self.m(), contacts: self.contacts.len() };
        let (n, m) = (self.n as u32, self.m() as u32);
        let full = |rows| (0..rows).flat_map(move |i| (0..n).map(move |j| (i, j))).collect();
        let pattern = Pattern { mass: lower(self.n), tangent: vec![], jacobian: full(m) };
        let structure = Structure {
            mass_is_constant: self.mass_is_constant,
            constraints: self.joints.clone(),
            contacts: self.contacts.clone(),
            ..Structure::new(sizes, pattern, self.length)
        };
        if self.angles { structure.of_angles() } else { structure }
    }
}

impl System for Coded {
    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| self.make_structure())
    }
    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        let mut full = [0.0; 36];
        (self.mass)(at.q(), &mut full);
        for (k, (i, j)) in (0..self.n).flat_map(|i| (0..=i).map(move |j| (i, j))).enumerate() {
            M[k] = full[i * self.n + j];
        }
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        (self.force)(at.t(), at.q(), &at.v, h);
    }
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        (self.phi)(at.t(), at.q(), phi);
    }
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        phi_t.fill(0.0);
        (self.G)(at.t(), at.q(), G, phi_t);
    }
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        (self.bias)(at.t(), at.q(), &at.v, bias);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        (self.gaps)(at.q(), g_N);
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let mut all = [0.0; 36];
        (self.W)(at.q(), &mut all);
        for &contact in active {
            let first: usize = self.contacts[..contact].iter().map(|c| c.kind.dim()).sum();
            for row in first..first + self.contacts[contact].kind.dim() {
                W.begin_row(0.0);
                for j in 0..self.n {
                    W.push(j, all[row * self.n + j]);
                }
            }
        }
    }
    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let mut all = [0.0; 12];
        (self.contact_bias)(at.q(), &at.v, &mut all);
        let mut k = 0;
        for &contact in active {
            let first: usize = self.contacts[..contact].iter().map(|c| c.kind.dim()).sum();
            for row in first..first + self.contacts[contact].kind.dim() {
                bias[k] = all[row];
                k += 1;
            }
        }
    }
    fn energy(&self, at: &Configuration) -> Energy {
        let (n, v) = (self.n, &at.v);
        let mut M = [0.0; 36];
        (self.mass)(at.q(), &mut M);
        let kinetic: f64 =
            (0..n).map(|i| (0..n).map(|j| 0.5 * v[i] * M[i * n + j] * v[j]).sum::<f64>()).sum();
        Energy { kinetic, potential: (self.potential)(at.q()), strain: 0.0 }
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

fn joints(rows: &[Quantity]) -> Vec<ConstraintInfo> {
    let quantities =
        rows.iter().map(|&q| (q, if q == Quantity::Length { "force" } else { "torque" })).collect();
    vec![ConstraintInfo { name: "joint".into(), rows: 0..rows.len(), quantities }]
}

/// Nothing but the name and the size: the rest is filled in by each.
pub fn bare(name: &'static str, n: usize) -> Coded {
    Coded {
        name,
        n,
        mass: |_, _| {},
        mass_is_constant: false,
        force: |_, _, _, h| h.fill(0.0),
        potential: |_| 0.0,
        phi: |_, _, _| {},
        G: |_, _, _, _| {},
        bias: |_, _, _, _| {},
        length: 1.0,
        angles: true,
        q_0: vec![0.0; n],
        v_0: vec![0.0; n],
        t_1: 0.5,
        end: [vec![], vec![], vec![]],
        joints: vec![],
        contacts: vec![],
        gaps: |_, _| {},
        W: |_, _| {},
        contact_bias: |_, _, _| {},
        structure: OnceLock::new(),
    }
}

/// Unit mass on a unit circle, Cartesian, g = 9.81; Φ = (x² + y² − 1)/2.
pub fn pendulum() -> Coded {
    Coded {
        mass: |_, M| M[..4].copy_from_slice(&[1.0, 0.0, 0.0, 1.0]),
        mass_is_constant: true,
        force: |_, _, _, h| h.copy_from_slice(&[0.0, -9.81]),
        potential: |q| 9.81 * q[1],
        phi: |_, q, phi| phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0),
        G: |_, q, G, _| G.copy_from_slice(q),
        bias: |_, _, v, bias| bias[0] = v[0] * v[0] + v[1] * v[1],
        angles: false,
        t_1: 1.0,
        q_0: vec![0.6, -0.8],
        v_0: vec![0.8, 0.6],
        end: [
            vec![-0.56680409914027, -0.8238526040486776],
            vec![-0.998184415545039, 0.6867430116121036],
            vec![-9.549982137152579],
        ],
        joints: joints(&[Quantity::Length]),
        ..bare("pendulum", 2)
    }
}

/// [Haddouni2015] §3.1.2 with l_2 = 2 and M_22 put right.
pub fn slider_crank() -> Coded {
    Coded {
        mass: |q, M| {
            let c = 3.0 * (q[1] - q[0]).cos();
            M[..4].copy_from_slice(&[1.0 / 12.0 + 2.25, c, c, 1.0 / 3.0 + 5.0]);
        },
        force: |_, q, v, h| {
            let s = 3.0 * (q[1] - q[0]).sin();
            h[0] = s * v[1] * v[1] - 2.5 * 9.81 * q[0].cos();
            h[1] = -s * v[0] * v[0] - 3.0 * 9.81 * q[1].cos();
        },
        potential: |q| 9.81 * (2.5 * q[0].sin() + 3.0 * q[1].sin()),
        phi: |_, q, phi| phi[0] = q[0].sin() + 2.0 * q[1].sin(),
        G: |_, q, G, _| G.copy_from_slice(&[q[0].cos(), 2.0 * q[1].cos()]),
        bias: |_, q, v, bias| bias[0] = -q[0].sin() * v[0] * v[0] - 2.0 * q[1].sin() * v[1] * v[1],
        v_0: vec![4.0, -2.0],
        end: [
            vec![0.5471615577908083, -0.2631595721877999],
            vec![-0.5446580964034917, 0.2408624870387676],
            vec![15.411949875144522],
        ],
        joints: joints(&[Quantity::Length]),
        ..bare("slider-crank", 2)
    }
}

/// [Haddouni2015] §3.1.1 with l_2 = √0.13.
pub fn four_bar() -> Coded {
    const L: [f64; 3] = [0.3, 0.360_555_127_546_398_9, 0.4];
    Coded {
        mass: |q, M| {
            let c = 0.5 * L[0] * L[1] * (q[0] - q[1]).cos();
            M[..9].fill(0.0);
            M[0] = L[0] * L[0] * (1.0 / 3.0 + 1.0);
            (M[1], M[3]) = (c, c);
            M[4] = L[1] * L[1] / 3.0;
            M[8] = L[2] * L[2] / 3.0;
        },
        force: |_, q, v, h| {
            let s = 0.5 * L[0] * L[1] * (q[1] - q[0]).sin();
            h[0] = -1.5 * L[0] * 9.81 * q[0].cos() + s * v[1] * v[1] + 6.0;
            h[1] = -0.5 * L[1] * 9.81 * q[1].cos() - s * v[0] * v[0];
            h[2] = -0.5 * L[2] * 9.81 * q[2].cos();
        },
        phi: |_, q, phi| {
            phi[0] = L[0] * q[0].cos() + L[1] * q[1].cos() - L[2] * q[2].cos() - 0.7;
            phi[1] = L[0] * q[0].sin() + L[1] * q[1].sin() - L[2] * q[2].sin();
        },
        G: |_, q, G, _| {
            for (j, l) in [L[0], L[1], -L[2]].into_iter().enumerate() {
                (G[j], G[3 + j]) = (-l * q[j].sin(), l * q[j].cos());
            }
        },
        bias: |_, q, v, bias| {
            bias.fill(0.0);
            for (j, l) in [L[0], L[1], -L[2]].into_iter().enumerate() {
                bias[0] -= l * q[j].cos() * v[j] * v[j];
                bias[1] -= l * q[j].sin() * v[j] * v[j];
            }
        },
        length: 0.4,
        q_0: vec![FRAC_PI_3, 0.24256387409548527, 2.0 * FRAC_PI_3],
        end: [
            vec![-0.6642966296039371, -0.5364152564762455, 4.317503423217062],
            vec![-5.994571102422909, 4.85642188117914, -0.579170600472382],
            vec![9.293639457316214, 3.1178631862659825],
        ],
        joints: joints(&[Quantity::Length; 2]),
        ..bare("four-bar", 3)
    }
}

/// Four coordinates, two rows, the first one depends on time.
pub fn generic() -> Coded {
    Coded {
        mass: |q, M| {
            for i in 0..4 {
                for j in 0..4 {
                    M[4 * i + j] = (q[i] * q[j]).sin() / 10.0;
                }
                M[5 * i] = [2.0, 3.0, 2.0, 1.0][i] + (2.0 * q[i]).cos() / 5.0;
            }
        },
        force: |t, q, v, h| {
            h[0] = -q[0] + v[1] * v[2] / 3.0 - q[2].sin();
            h[1] = -2.0 * q[1] + v[0] * v[0] / 4.0 + t.cos() / 5.0;
            h[2] = -q[2] * q[3] - v[3] * v[0] / 5.0;
            h[3] = 1.0 - q[0] * q[3] - v[2] * v[2] / 10.0;
        },
        phi: |t, q, phi| {
            phi[0] = q[0] * q[0] + q[1] * q[1] + 0.3 * q[2] * q[3] - 1.0 - t.sin() / 5.0;
            phi[1] = q[2] + q[0] * q[3] * q[3] / 2.0 - q[1].powi(3) / 10.0 - 0.2;
        },
        G: |t, q, G, phi_t| {
            G[..4].copy_from_slice(&[2.0 * q[0], 2.0 * q[1], 0.3 * q[3], 0.3 * q[2]]);
            G[4..].copy_from_slice(&[q[3] * q[3] / 2.0, -0.3 * q[1] * q[1], 1.0, q[0] * q[3]]);
            phi_t[0] = -t.cos() / 5.0;
        },
        bias: |t, q, v, bias| {
            bias[0] = 2.0 * (v[0] * v[0] + v[1] * v[1]) + 0.6 * v[2] * v[3] + t.sin() / 5.0;
            bias[1] = 2.0 * v[0] * v[3] * q[3] + q[0] * v[3] * v[3] - 0.6 * q[1] * v[1] * v[1];
        },
        angles: false,
        t_1: 1.0,
        q_0: vec![0.6, 0.8, 0.0, 0.9150591966279195],
        v_0: vec![0.3, -0.09418761515499542, -0.03387691851440879, -0.2],
        end: [
            vec![0.8859296933871359, 0.6334055038159226, -0.07229294064250344, 0.8198014342631817],
            vec![0.2570809440919563, -0.2545066205310251, -0.10345636715608722, -0.01867720772607154],
            vec![0.39474785381392896, -0.2404157324246696],
        ],
        joints: joints(&[Quantity::Length; 2]),
        ..bare("generic", 4)
    }
}

/// The four with states of reference.
pub fn references() -> [Coded; 4] {
    [pendulum(), slider_crank(), four_bar(), generic()]
}

/// A double pendulum, two unit masses on unit rods, Cartesian.
pub fn double_pendulum() -> Coded {
    Coded {
        mass: |_, M| {
            M[..16].fill(0.0);
            (0..4).for_each(|i| M[5 * i] = 1.0);
        },
        mass_is_constant: true,
        force: |_, _, _, h| h.copy_from_slice(&[0.0, -9.81, 0.0, -9.81]),
        potential: |q| 9.81 * (q[1] + q[3]),
        phi: |_, q, phi| {
            phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
            phi[1] = 0.5 * ((q[2] - q[0]).powi(2) + (q[3] - q[1]).powi(2) - 1.0);
        },
        G: |_, q, G, _| {
            let (x, y) = (q[2] - q[0], q[3] - q[1]);
            G.copy_from_slice(&[q[0], q[1], 0.0, 0.0, -x, -y, x, y]);
        },
        bias: |_, _, v, bias| {
            bias[0] = v[0] * v[0] + v[1] * v[1];
            bias[1] = (v[2] - v[0]).powi(2) + (v[3] - v[1]).powi(2);
        },
        angles: false,
        q_0: vec![0.6, -0.8, 1.4, -1.4],
        joints: joints(&[Quantity::Length; 2]),
        ..bare("double pendulum", 4)
    }
}

/// Three cranks of length 0.5 carry a coupler, 1 m apart, and its angle is held besides: five rows of rank 3.
/// q = (φ_1, φ_2, φ_3, θ).
pub fn parallelogram() -> Coded {
    Coded {
        mass: |q, M| {
            M[..16].fill(0.0);
            M[0] = 1.4 + 0.2 * q[0].cos();
            (M[5], M[10], M[15]) = (0.7, 0.9, 2.0);
            (M[3], M[12]) = (0.3 * (q[0] - q[3]).cos(), 0.3 * (q[0] - q[3]).cos());
        },
        force: |_, q, v, h| {
            h[0] = 3.0 - 4.0 * q[0].cos() - 0.3 * v[0];
            h[1] = -2.0 * q[1].cos();
            h[2] = -2.5 * q[2].cos() + 0.1 * v[2] * v[2];
            h[3] = -1.0;
        },
        phi: |_, q, phi| {
            for k in 0..2 {
                let (far, j) = ((k + 1) as f64, k + 1);
                phi[2 * k] = 0.5 * (q[0].cos() - q[j].cos()) + far * (q[3].cos() - 1.0);
                phi[2 * k + 1] = 0.5 * (q[0].sin() - q[j].sin()) + far * q[3].sin();
            }
            phi[4] = q[3];
        },
        G: |_, q, G, _| {
            G.fill(0.0);
            for k in 0..2 {
                let (far, j) = ((k + 1) as f64, k + 1);
                (G[8 * k], G[8 * k + 4]) = (-0.5 * q[0].sin(), 0.5 * q[0].cos());
                (G[8 * k + j], G[8 * k + 4 + j]) = (0.5 * q[j].sin(), -0.5 * q[j].cos());
                (G[8 * k + 3], G[8 * k + 7]) = (-far * q[3].sin(), far * q[3].cos());
            }
            G[19] = 1.0;
        },
        bias: |_, q, v, bias| {
            for k in 0..2 {
                let (far, j) = ((k + 1) as f64, k + 1);
                let turn = |f: fn(f64) -> f64| {
                    0.5 * (f(q[0]) * v[0] * v[0] - f(q[j]) * v[j] * v[j]) + far * f(q[3]) * v[3] * v[3]
                };
                (bias[2 * k], bias[2 * k + 1]) = (-turn(f64::cos), -turn(f64::sin));
            }
            bias[4] = 0.0;
        },
        length: 0.5,
        q_0: vec![0.9, 0.9, 0.9, 0.0],
        v_0: vec![1.5, 1.5, 1.5, 0.0],
        joints: joints(&[
            Quantity::Length,
            Quantity::Length,
            Quantity::Length,
            Quantity::Length,
            Quantity::Angle,
        ]),
        ..bare("parallelogram", 4)
    }
}

/// Where the corners of the block are, seen from its centre.
const CORNERS: [(f64, f64); 2] = [(-0.3, -0.2), (0.3, -0.2)];

/// A block of 2 kg with two corners above a floor at y = 0, friction 0.3; q = (x, y, θ). On demand its centre hangs on a
/// rod from (0, 1) whose turning rubs, with a bound that grows with its force: a third contact.
pub fn block(rod: bool) -> Coded {
    let kind = || ContactKind::Frictional { restitution: 0.0, tangential_restitution: 0.0, friction: 0.3 };
    let mut contacts: Vec<ContactInfo> =
        ["left", "right"].iter().map(|n| ContactInfo::new(*n, kind())).collect();
    if rod {
        let kind =
            ContactKind::Dry { constant: 0.4, coefficient: 0.05, rows: 0..1, quantity: Quantity::Angle };
        contacts.push(ContactInfo::new("pin", kind));
    }
    Coded {
        mass: |_, M| {
            M[..9].fill(0.0);
            (M[0], M[4], M[8]) = (2.0, 2.0, 0.1);
        },
        mass_is_constant: true,
        force: |_, _, _, h| h.copy_from_slice(&[0.0, -2.0 * 9.81, 0.0]),
        potential: |q| 2.0 * 9.81 * q[1],
        phi: |_, q, phi| {
            if let Some(phi) = phi.first_mut() {
                *phi = 0.5 * (q[0] * q[0] + (q[1] - 1.0).powi(2) - 0.25);
            }
        },
        G: |_, q, G, _| {
            if !G.is_empty() {
                G.copy_from_slice(&[q[0], q[1] - 1.0, 0.0]);
            }
        },
        bias: |_, _, v, bias| {
            if let Some(bias) = bias.first_mut() {
                *bias = v[0] * v[0] + v[1] * v[1];
            }
        },
        angles: false,
        q_0: vec![0.0, 0.2, 0.0],
        v_0: vec![1.0, 0.0, 0.0],
        joints: if rod { joints(&[Quantity::Length]) } else { vec![] },
        contacts,
        gaps: |q, g_N| {
            let (s, c) = q[2].sin_cos();
            for (g_N, (x, y)) in g_N.iter_mut().zip(CORNERS) {
                *g_N = q[1] + s * x + c * y;
            }
            g_N[2..].fill(f64::NEG_INFINITY);
        },
        W: |q, W| {
            let (s, c) = q[2].sin_cos();
            for (k, (x, y)) in CORNERS.into_iter().enumerate() {
                let (x, y) = (c * x - s * y, s * x + c * y);
                W[6 * k..6 * k + 6].copy_from_slice(&[0.0, 1.0, x, 1.0, 0.0, -y]);
            }
            W[12..15].copy_from_slice(&[0.0, 0.0, 1.0]);
        },
        contact_bias: |q, v, bias| {
            let (s, c) = q[2].sin_cos();
            for (k, (x, y)) in CORNERS.into_iter().enumerate() {
                let (x, y) = (c * x - s * y, s * x + c * y);
                (bias[2 * k], bias[2 * k + 1]) = (-y * v[2] * v[2], -x * v[2] * v[2]);
            }
            bias[4] = 0.0;
        },
        ..bare("block", 3)
    }
}

/// A method with its motion, on its way.
pub struct Trip<'s> {
    pub system: &'s Coded,
    pub motion: Motion,
    pub method: Box<dyn Integrator>,
    pub from: Knot,
    pub to: Knot,
    at: Configuration,
    /// Sum of the estimates, and steps.
    pub estimates: f64,
    pub steps: usize,
}

impl<'s> Trip<'s> {
    /// From the start of a system, in a form and with contacts held on demand.
    pub fn new(
        system: &'s Coded,
        mut method: Box<dyn Method>,
        form: Formulation,
        modes: &[ContactMode],
    ) -> Self {
        let mut motion = Motion::new(system);
        motion.set_modes(modes);
        if method.formulations().contains(&form) {
            method.set_formulation(form);
        }
        let (mut from, to) = (Knot::new(&motion), Knot::new(&motion));
        from.q.copy_from_slice(&system.q_0);
        from.v.copy_from_slice(&system.v_0);
        let at = motion.configuration(system, 0.0, &from.q, &from.v);
        motion.accelerations(system, &at, &mut from.a, &mut from.lambda).unwrap();
        let method = method.begin(system, &mut motion, &from).unwrap();
        Self { system, motion, method, from, to, at, estimates: 0.0, steps: 0 }
    }

    /// One step, accepted; `to` is where it ends.
    pub fn step(&mut self, dt: f64) {
        if self.steps > 0 {
            std::mem::swap(&mut self.from, &mut self.to);
        }
        let Self { system, motion, method, from, to, at, .. } = self;
        let estimate = method.step(*system, motion, from, dt, to).unwrap();
        motion.place(*system, to.t, &to.q, &to.v, at);
        motion.accelerations(*system, at, &mut to.a, &mut to.lambda).unwrap();
        method.accept(from, to);
        self.estimates += estimate.error;
        self.steps += 1;
    }

    /// max |Φ| and max |G v + Φ_t| where the step ends.
    pub fn drift(&mut self) -> (f64, f64) {
        let m = self.motion.rows();
        let mut rows = vec![0.0; self.motion.most_rows()];
        let largest = |rows: &[f64]| rows.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
        self.motion.positions(self.system, &self.at, &mut rows);
        let phi = largest(&rows[..m]);
        self.motion.evaluate_rows(self.system, &self.at);
        self.motion.velocities(&self.to.v, &mut rows);
        (phi, largest(&rows[..m]))
    }

    /// Energy where the step ends.
    pub fn energy(&self) -> f64 {
        self.system.energy(&self.at).total()
    }
}
