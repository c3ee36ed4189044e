//! Mechanisms with published states, and small ones that the implicit methods meet: stiff springs, contacts that are held.
#![allow(non_snake_case, dead_code)]

use carom_dynamics::*;
use std::sync::OnceLock;

/// (t, q, Φ, G by rows, Φ_t).
type Joints = fn(f64, &[f64], &mut [f64], &mut [f64], &mut [f64]);

/// A mechanism of n coordinates and m rows written down as functions; M, K, C and G are dense.
pub struct Coded {
    pub n: usize,
    pub m: usize,
    /// (q, M by rows).
    pub mass: fn(&[f64], &mut [f64]),
    /// (t, q, v, h).
    pub force: fn(f64, &[f64], &[f64], &mut [f64]),
    pub rows: Joints,
    /// (t, q, v, bias).
    pub bias: fn(f64, &[f64], &[f64], &mut [f64]),
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Where it is at `end`: q, v, λ.
    pub end: f64,
    pub q_end: Vec<f64>,
    pub v_end: Vec<f64>,
    pub lambda_end: Vec<f64>,
    /// Whether K and C are given, by differences.
    pub tangents: bool,
    info: Vec<ConstraintInfo>,
    /// Made of the above when first asked.
    structure: OnceLock<Structure>,
}

const G_0: f64 = 9.81;

fn joints(m: usize) -> Vec<ConstraintInfo> {
    (0..m)
        .map(|row| ConstraintInfo {
            name: format!("joint {row}"),
            rows: row..row + 1,
            quantities: vec![(Quantity::Length, "force")],
        })
        .collect()
}

/// Unit mass on a unit circle, Cartesian.
pub fn pendulum() -> Coded {
    Coded {
        n: 2,
        m: 1,
        mass: |_, M| M.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]),
        force: |_, _, _, h| h.copy_from_slice(&[0.0, -G_0]),
        rows: |_, q, phi, G, phi_t| {
            phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
            G.copy_from_slice(q);
            phi_t[0] = 0.0;
        },
        bias: |_, _, v, bias| bias[0] = v[0] * v[0] + v[1] * v[1],
        q: vec![0.6, -0.8],
        v: vec![0.8, 0.6],
        end: 0.5,
        q_end: vec![0.365_008_200_464_060_3, -0.931_004_303_746_222_5],
        v_end: vec![-1.759_155_836_546_728, -0.689_692_092_345_899_9],
        lambda_end: vec![-12.703_456_659_251_325],
        tangents: false,
        info: joints(1),
        structure: OnceLock::new(),
    }
}

/// The same with two rods side by side: rows that depend on each other.
pub fn two_rods() -> Coded {
    Coded {
        m: 2,
        rows: |_, q, phi, G, phi_t| {
            phi.fill(0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0));
            G[..2].copy_from_slice(q);
            G[2..].copy_from_slice(q);
            phi_t.fill(0.0);
        },
        bias: |_, _, v, bias| bias.fill(v[0] * v[0] + v[1] * v[1]),
        lambda_end: vec![-0.5 * 12.703_456_659_251_325; 2],
        info: joints(2),
        structure: OnceLock::new(),
        ..pendulum()
    }
}

/// [Haddouni2015] §3.1.2 with l_2 = 2.
pub fn slider_crank() -> Coded {
    Coded {
        n: 2,
        m: 1,
        mass: |q, M| {
            let c = 3.0 * (q[1] - q[0]).cos();
            M.copy_from_slice(&[1.0 / 12.0 + 2.25, c, c, 4.0 / 12.0 + 1.25 * 4.0]);
        },
        force: |_, q, v, h| {
            let s = 3.0 * (q[1] - q[0]).sin();
            h[0] = s * v[1] * v[1] - 2.5 * G_0 * q[0].cos();
            h[1] = -s * v[0] * v[0] - 3.0 * G_0 * q[1].cos();
        },
        rows: |_, q, phi, G, phi_t| {
            phi[0] = q[0].sin() + 2.0 * q[1].sin();
            G.copy_from_slice(&[q[0].cos(), 2.0 * q[1].cos()]);
            phi_t[0] = 0.0;
        },
        bias: |_, q, v, bias| bias[0] = -q[0].sin() * v[0] * v[0] - 2.0 * q[1].sin() * v[1] * v[1],
        q: vec![0.0, 0.0],
        v: vec![4.0, -2.0],
        end: 0.5,
        q_end: vec![0.547_161_557_790_808_3, -0.263_159_572_187_799_9],
        v_end: vec![-0.544_658_096_403_491_7, 0.240_862_487_038_767_6],
        lambda_end: vec![15.411_949_875_144_522],
        tangents: true,
        info: joints(1),
        structure: OnceLock::new(),
    }
}

/// [Haddouni2015] §3.1.1 with l_2 = √0.13.
pub fn four_bar() -> Coded {
    const L: [f64; 3] = [0.3, 0.360_555_127_546_398_93, 0.4];
    Coded {
        n: 3,
        m: 2,
        mass: |q, M| {
            let c = 0.5 * L[0] * L[1] * (q[0] - q[1]).cos();
            let (l, thin) = (L.map(|l| l * l), 1.0 / 12.0 + 0.25);
            M.copy_from_slice(&[thin * l[0] + l[0], c, 0.0, c, thin * l[1], 0.0, 0.0, 0.0, thin * l[2]]);
        },
        force: |_, q, v, h| {
            let s = 0.5 * L[0] * L[1] * (q[1] - q[0]).sin();
            h[0] = -1.5 * L[0] * G_0 * q[0].cos() + s * v[1] * v[1] + 6.0;
            h[1] = -0.5 * L[1] * G_0 * q[1].cos() - s * v[0] * v[0];
            h[2] = -0.5 * L[2] * G_0 * q[2].cos();
        },
        rows: |_, q, phi, G, phi_t| {
            let (s, c) = ([0, 1, 2].map(|i| L[i] * q[i].sin()), [0, 1, 2].map(|i| L[i] * q[i].cos()));
            phi.copy_from_slice(&[c[0] + c[1] - c[2] - 0.7, s[0] + s[1] - s[2]]);
            G.copy_from_slice(&[-s[0], -s[1], s[2], c[0], c[1], -c[2]]);
            phi_t.fill(0.0);
        },
        bias: |_, q, v, bias| {
            let of = |f: fn(f64) -> f64, i: usize| L[i] * f(q[i]) * v[i] * v[i];
            bias[0] = -of(f64::cos, 0) - of(f64::cos, 1) + of(f64::cos, 2);
            bias[1] = -of(f64::sin, 0) - of(f64::sin, 1) + of(f64::sin, 2);
        },
        q: vec![std::f64::consts::FRAC_PI_3, 0.242_563_874_095_485_27, 2.0 * std::f64::consts::FRAC_PI_3],
        v: vec![0.0; 3],
        end: 0.5,
        q_end: vec![-0.664_296_629_603_937_1, -0.536_415_256_476_245_5, 4.317_503_423_217_062],
        v_end: vec![-5.994_571_102_422_909, 4.856_421_881_179_14, -0.579_170_600_472_382],
        lambda_end: vec![9.293_639_457_316_214, 3.117_863_186_265_982_5],
        tangents: true,
        info: joints(2),
        structure: OnceLock::new(),
    }
}

/// Four coordinates, two rows, one of them moved: the system `generic` of the table of references.
pub fn generic() -> Coded {
    Coded {
        n: 4,
        m: 2,
        mass: |q, M| {
            let of = [2.0, 3.0, 2.0, 1.0];
            for i in 0..4 {
                for j in 0..4 {
                    let own = of[i] + (2.0 * q[i]).cos() / 5.0;
                    M[4 * i + j] = if i == j { own } else { (q[i] * q[j]).sin() / 10.0 };
                }
            }
        },
        force: |t, q, v, h| {
            h[0] = -q[0] + v[1] * v[2] / 3.0 - q[2].sin();
            h[1] = -2.0 * q[1] + v[0] * v[0] / 4.0 + t.cos() / 5.0;
            h[2] = -q[2] * q[3] - v[3] * v[0] / 5.0;
            h[3] = 1.0 - q[0] * q[3] - v[2] * v[2] / 10.0;
        },
        rows: |t, q, phi, G, phi_t| {
            phi[0] = q[0] * q[0] + q[1] * q[1] + 0.3 * q[2] * q[3] - 1.0 - t.sin() / 5.0;
            phi[1] = q[2] + 0.5 * q[0] * q[3] * q[3] - q[1].powi(3) / 10.0 - 0.2;
            G[..4].copy_from_slice(&[2.0 * q[0], 2.0 * q[1], 0.3 * q[3], 0.3 * q[2]]);
            G[4..].copy_from_slice(&[0.5 * q[3] * q[3], -0.3 * q[1] * q[1], 1.0, q[0] * q[3]]);
            phi_t.copy_from_slice(&[-t.cos() / 5.0, 0.0]);
        },
        bias: |t, q, v, bias| {
            bias[0] = 2.0 * v[0] * v[0] + 2.0 * v[1] * v[1] + 0.6 * v[2] * v[3] + t.sin() / 5.0;
            bias[1] = 2.0 * q[3] * v[0] * v[3] + q[0] * v[3] * v[3] - 0.6 * q[1] * v[1] * v[1];
        },
        q: vec![0.6, 0.8, 0.0, 0.915_059_196_627_919_5],
        v: vec![0.3, -0.094_187_615_154_995_42, -0.033_876_918_514_408_79, -0.2],
        end: 1.0,
        q_end: vec![
            0.885_929_693_387_135_9,
            0.633_405_503_815_922_6,
            -0.072_292_940_642_503_44,
            0.819_801_434_263_181_7,
        ],
        v_end: vec![
            0.257_080_944_091_956_3,
            -0.254_506_620_531_025_1,
            -0.103_456_367_156_087_22,
            -0.018_677_207_726_071_54,
        ],
        lambda_end: vec![0.394_747_853_813_928_96, -0.240_415_732_424_669_6],
        tangents: true,
        info: joints(2),
        structure: OnceLock::new(),
    }
}

impl Coded {
    fn make_structure(&self) -> Structure {
        let n = self.n as u32;
        let sizes = Sizes { q: self.n, v: self.n, constraints: self.m, contacts: 0 };
        let all = |rows: u32| (0..rows).flat_map(move |i| (0..n).map(move |j| (i, j)));
        let pattern = Pattern {
            mass: all(n).filter(|(i, j)| i >= j).collect(),
            tangent: if self.tangents { all(n).collect() } else { vec![] },
            jacobian: all(self.m as u32).collect(),
        };
        Structure { constraints: self.info.clone(), ..Structure::new(sizes, pattern, 1.0) }
    }
}

impl System for Coded {
    fn structure(&self) -> &Structure {
        self.structure.get_or_init(|| self.make_structure())
    }
    fn mass(&self, at: &Configuration, M: &mut [f64]) {
        let mut full = [0.0; 16];
        (self.mass)(at.q(), &mut full[..self.n * self.n]);
        let mut k = 0;
        for i in 0..self.n {
            for j in 0..=i {
                M[k] = full[i * self.n + j];
                k += 1;
            }
        }
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        (self.force)(at.t(), at.q(), &at.v, h);
    }
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        if !self.tangents {
            return;
        }
        let (n, d) = (self.n, 1e-6);
        for j in 0..n {
            for (out, of_v) in [(&mut *K, false), (&mut *C, true)] {
                let (mut above, mut below) = ([0.0; 4], [0.0; 4]);
                for (h, by) in [(&mut above, d), (&mut below, -d)] {
                    let (mut q, mut v) = ([0.0; 4], [0.0; 4]);
                    q[..n].copy_from_slice(at.q());
                    v[..n].copy_from_slice(&at.v);
                    if of_v {
                        v[j] += by
                    } else {
                        q[j] += by
                    }
                    (self.force)(at.t(), &q[..n], &v[..n], &mut h[..n]);
                }
                for i in 0..n {
                    out[i * n + j] = -(above[i] - below[i]) / (2.0 * d);
                }
            }
        }
    }
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        (self.rows)(at.t(), at.q(), phi, &mut [0.0; 16][..self.m * self.n], &mut [0.0; 4][..self.m]);
    }
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        (self.rows)(at.t(), at.q(), &mut [0.0; 4][..self.m], G, phi_t);
    }
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        (self.bias)(at.t(), at.q(), &at.v, bias);
    }
    fn energy(&self, _: &Configuration) -> Energy {
        Energy::default()
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

/// Two unit masses: the first on a rod of length 1, the second below it on another rod, or on a spring of length 1 in its place.
pub struct Chain {
    pub stiffness: Option<f64>,
    structure: Structure,
}

impl Chain {
    pub fn new(stiffness: Option<f64>) -> Self {
        let m = if stiffness.is_some() { 1 } else { 2 };
        let sizes = Sizes { q: 4, v: 4, constraints: m, contacts: 0 };
        let all = |rows: u32| (0..rows).flat_map(move |i| (0..4).map(move |j| (i, j)));
        let pattern = Pattern {
            mass: (0..4).map(|i| (i, i)).collect(),
            tangent: if stiffness.is_some() { all(4).collect() } else { vec![] },
            jacobian: all(m as u32).collect(),
        };
        let structure = Structure {
            mass_is_constant: true,
            constraints: joints(m),
            ..Structure::new(sizes, pattern, 1.0)
        };
        Self { stiffness, structure }
    }
    fn apart(q: &[f64]) -> [f64; 2] {
        [q[2] - q[0], q[3] - q[1]]
    }
}

impl System for Chain {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }
    fn force(&self, at: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -G_0, 0.0, -G_0]);
        if let Some(k) = self.stiffness {
            let e = Self::apart(at.q());
            let l = e[0].hypot(e[1]);
            for i in 0..2 {
                let f = k * (l - 1.0) * e[i] / l;
                h[i] += f;
                h[2 + i] -= f;
            }
        }
    }
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        C.fill(0.0);
        if let Some(k) = self.stiffness {
            let e = Self::apart(at.q());
            let l = e[0].hypot(e[1]);
            for i in 0..2 {
                for j in 0..2 {
                    let one = f64::from(u8::from(i == j));
                    let x = k * ((1.0 - 1.0 / l) * one + e[i] * e[j] / l.powi(3));
                    K[4 * i + j] = x;
                    K[4 * (i + 2) + j + 2] = x;
                    K[4 * i + j + 2] = -x;
                    K[4 * (i + 2) + j] = -x;
                }
            }
        }
    }
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let (q, e) = (at.q(), Self::apart(at.q()));
        phi[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
        if let Some(phi) = phi.get_mut(1) {
            *phi = 0.5 * (e[0] * e[0] + e[1] * e[1] - 1.0);
        }
    }
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let (q, e) = (at.q(), Self::apart(at.q()));
        G[..4].copy_from_slice(&[q[0], q[1], 0.0, 0.0]);
        if G.len() > 4 {
            G[4..].copy_from_slice(&[-e[0], -e[1], e[0], e[1]]);
        }
        phi_t.fill(0.0);
    }
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let v = &at.v;
        let e = Self::apart(v);
        bias[0] = v[0] * v[0] + v[1] * v[1];
        if let Some(bias) = bias.get_mut(1) {
            *bias = e[0] * e[0] + e[1] * e[1];
        }
    }
    fn energy(&self, _: &Configuration) -> Energy {
        Energy::default()
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}

/// A unit mass inside a bowl, the unit circle, which turns by ψ = 0.3 sin 2t where it is told to; g = (1 − x² − y²)/2. Or on a
/// wire, the same circle, along which it rubs with μ |λ|.
pub struct Bowl {
    pub turns: f64,
    structure: Structure,
}

impl Bowl {
    pub fn new(friction: Option<f64>, turns: bool) -> Self {
        let kind = match friction {
            Some(friction) => {
                ContactKind::Frictional { restitution: 0.0, tangential_restitution: 0.0, friction }
            }
            None => ContactKind::Unilateral { restitution: 0.0 },
        };
        let turns = if turns { 0.3 } else { 0.0 };
        Self { turns, structure: Self::with(vec![], ContactInfo::new("bowl", kind)) }
    }
    pub fn wire(coefficient: f64) -> Self {
        let kind = ContactKind::Dry { constant: 0.0, coefficient, rows: 0..1, quantity: Quantity::Length };
        Self { turns: 0.0, structure: Self::with(joints(1), ContactInfo::new("wire", kind)) }
    }
    fn with(constraints: Vec<ConstraintInfo>, contact: ContactInfo) -> Structure {
        let sizes = Sizes { q: 2, v: 2, constraints: constraints.len(), contacts: 1 };
        let jacobian = if constraints.is_empty() { vec![] } else { vec![(0, 0), (0, 1)] };
        let pattern = Pattern { mass: vec![(0, 0), (1, 1)], tangent: vec![], jacobian };
        Structure {
            mass_is_constant: true,
            constraints,
            contacts: vec![contact],
            ..Structure::new(sizes, pattern, 1.0)
        }
    }
    fn is_wire(&self) -> bool {
        !self.structure.constraints.is_empty()
    }
}

impl System for Bowl {
    fn structure(&self) -> &Structure {
        &self.structure
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -G_0]);
    }
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        phi[0] = 0.5 * (at.q()[0].powi(2) + at.q()[1].powi(2) - 1.0);
    }
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        G.copy_from_slice(at.q());
        phi_t.fill(0.0);
    }
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        bias[0] = at.v[0].powi(2) + at.v[1].powi(2);
    }
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let gap = 0.5 * (1.0 - at.q()[0].powi(2) - at.q()[1].powi(2));
        g_N[0] = if self.is_wire() { f64::NEG_INFINITY } else { gap };
    }
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let q = at.q();
        for _ in active {
            if !self.is_wire() {
                W.begin_row(0.0);
                W.push(0, -q[0]);
                W.push(1, -q[1]);
            }
            if self.is_wire() || self.structure.contacts[0].kind.dim() == 2 {
                W.begin_row(-2.0 * self.turns * (2.0 * at.t()).cos());
                W.push(0, -q[1]);
                W.push(1, q[0]);
            }
        }
    }
    fn contact_bias(&self, at: &Configuration, _: &[usize], bias: &mut [f64]) {
        bias[0] = if self.is_wire() { 0.0 } else { -at.v[0].powi(2) - at.v[1].powi(2) };
        if bias.len() == 2 {
            bias[1] = 4.0 * self.turns * (2.0 * at.t()).sin();
        }
    }
    fn energy(&self, _: &Configuration) -> Energy {
        Energy::default()
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
}
