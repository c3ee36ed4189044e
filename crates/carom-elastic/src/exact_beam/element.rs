//! One element of the geometrically exact beam: what a Gauss point adds to energy, force and tangents.
//!
//! ```text
//!   r' = Σ N_i' r_i,  φ = Σ N_i φ_i,  κ = Σ N_i' φ_i − κ_0,   Λ = A(φ),  g = Λᵀ r',  Γ = g − g_0
//!   N = EA Γ_1,  Q = GA Γ_2,  M = EI κ,                       J = [0 1; −1 0] = ∂g/∂φ:  g_φ = J g
//!
//!   f_i  = w [ N_i' Λ(N,Q) ;  N_i' M + N_i m ],               m = N g_2 − Q g_1
//!   K_ij = w [ N_i' N_j' Λ C Λᵀ      N_i' N_j b
//!              N_i N_j' bᵀ           N_i' N_j' EI + N_i N_j d ]
//!   b = Λ (EA g_2 − Q, N − GA g_1),   d = EA g_2² + GA g_1² − N g_1 − Q g_2
//!
//!   damping (Kelvin–Voigt):  (N,Q,M)_d = τ (EA Γ̇_1, GA Γ̇_2, EI κ̇),   Γ̇ = ĝ + φ̇ J g,  ĝ = Λᵀ ṙ'
//! ```
//!
//! Strains and stresses depend on q alone and are kept from `derive` on: seven numbers per Gauss point.

use super::CrossSection;

/// Derived numbers per Gauss point: cos φ, sin φ, g_1, g_2, N, Q, M.
pub(super) const KEPT: usize = 7;

/// Shape functions at a Gauss point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GaussPoint<const N: usize> {
    /// Weight times ds/dξ (m).
    w: f64,
    /// N_i.
    N: [f64; N],
    /// dN_i/ds (1/m).
    dN: [f64; N],
    /// g_1, g_2, κ of the stress-free beam.
    strain_0: [f64; 3],
}

/// N nodes, G Gauss points; neighbours share one node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element<const N: usize, const G: usize> {
    point: [GaussPoint<N>; G],
    /// Arc length (m).
    pub length: f64,
}

/// Blocks of the 3×3 tangent of a Gauss point in (r', φ, κ), not yet multiplied by shape functions.
struct Tangent {
    /// ∂n/∂r'.
    D: [[f64; 2]; 2],
    /// ∂n/∂φ.
    b: [f64; 2],
    /// ∂m/∂r'.
    c: [f64; 2],
    /// ∂m/∂φ.
    d: f64,
    /// ∂M/∂κ.
    e: f64,
}

/// Shape functions of the line element with N equidistant nodes and their derivatives, at ξ in [−1, 1].
pub(super) fn shapes<const N: usize>(xi: f64) -> ([f64; N], [f64; N]) {
    let mut value = [1.0; N];
    let mut slope = [0.0; N];
    let node = |i: usize| -1.0 + 2.0 * i as f64 / (N - 1) as f64;
    for i in 0..N {
        for k in (0..N).filter(|&k| k != i) {
            // product rule, one factor at a time
            let scale = 1.0 / (node(i) - node(k));
            slope[i] = (slope[i] * (xi - node(k)) + value[i]) * scale;
            value[i] *= (xi - node(k)) * scale;
        }
    }
    (value, slope)
}

/// Points and weights of the Gauss rule with G points on [−1, 1].
pub(super) fn gauss<const G: usize>() -> [(f64, f64); G] {
    let rule: &[(f64, f64)] = match G {
        1 => &[(0.0, 2.0)],
        2 => &[(-0.577_350_269_189_625_8, 1.0), (0.577_350_269_189_625_8, 1.0)],
        3 => &[(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)],
        _ => unreachable!("elements have two or three nodes"),
    };
    std::array::from_fn(|g| rule[g])
}

impl<const N: usize, const G: usize> Element<N, G> {
    /// Numbers of the element's window in the values of a tangent; the last block is the first of the next element.
    pub const WINDOW: usize = 9 * N * N;

    /// Stress-free in the given place: x, y, angle of each node.
    pub fn new(nodes: &[f64]) -> Self {
        let rule = gauss::<G>();
        let point: [GaussPoint<N>; G] = std::array::from_fn(|g| {
            let (xi, weight) = rule[g];
            let (N_i, slope) = shapes::<N>(xi);
            let sum = |a: usize, of: &[f64; N]| (0..N).map(|i| of[i] * nodes[3 * i + a]).sum::<f64>();
            // ds/dξ
            let j = sum(0, &slope).hypot(sum(1, &slope));
            let dN = slope.map(|s| s / j);
            let (s, c) = sum(2, &N_i).sin_cos();
            let (x, y) = (sum(0, &dN), sum(1, &dN));
            let strain_0 = [c * x + s * y, c * y - s * x, sum(2, &dN)];
            GaussPoint { w: weight * j, N: N_i, dN, strain_0 }
        });
        let length = point.iter().map(|p| p.w).sum();
        Self { point, length }
    }

    /// Strains and stresses at q.
    #[inline]
    pub fn derive(&self, section: &CrossSection, q: &[f64], kept: &mut [f64]) {
        let q = &q[..3 * N];
        for (p, kept) in self.point.iter().zip(kept.chunks_exact_mut(KEPT)) {
            let [x, y, kappa] = p.slopes(q);
            let phi = (0..N).map(|i| p.N[i] * q[3 * i + 2]).sum::<f64>();
            let (s, c) = phi.sin_cos();
            let g = [c * x + s * y, c * y - s * x];
            kept.copy_from_slice(&[
                c,
                s,
                g[0],
                g[1],
                section.EA * (g[0] - p.strain_0[0]),
                section.GA * (g[1] - p.strain_0[1]),
                section.EI * (kappa - p.strain_0[2]),
            ]);
        }
    }

    /// ½ Σ w (N²/EA + Q²/GA + M²/EI).
    pub fn energy(&self, section: &CrossSection, kept: &[f64]) -> f64 {
        let density = |&[.., n, q, m]: &[f64; KEPT]| {
            0.5 * (n * n / section.EA + q * q / section.GA + m * m / section.EI)
        };
        self.point.iter().zip(kept.as_chunks().0).map(|(p, kept)| p.w * density(kept)).sum()
    }

    /// out += factor · ∂U/∂q.
    #[inline]
    pub fn add_force(&self, factor: f64, kept: &[f64], out: &mut [f64]) {
        for (p, &[c, s, g_1, g_2, n, q, m]) in self.point.iter().zip(kept.as_chunks().0) {
            p.add(factor, [c, s], [g_1, g_2], [n, q, m], out);
        }
    }

    /// out += factor · force of the strain rates.
    #[inline]
    pub fn add_damping(&self, section: &CrossSection, factor: f64, kept: &[f64], v: &[f64], out: &mut [f64]) {
        for (p, &[c, s, g_1, g_2, ..]) in self.point.iter().zip(kept.as_chunks::<KEPT>().0) {
            let [rate, ..] = p.rates([c, s], [g_1, g_2], v);
            p.add(factor, [c, s], [g_1, g_2], section.damping(rate), out);
        }
    }

    /// Power that the strain rates dissipate, ≥ 0.
    pub fn dissipation(&self, section: &CrossSection, kept: &[f64], v: &[f64]) -> f64 {
        let power = |p: &GaussPoint<N>, &[c, s, g_1, g_2, ..]: &[f64; KEPT]| {
            let [rate, ..] = p.rates([c, s], [g_1, g_2], v);
            let stress = section.damping(rate);
            p.w * (stress[0] * rate[0] + stress[1] * rate[1] + stress[2] * rate[2])
        };
        self.point.iter().zip(kept.as_chunks().0).map(|(p, kept)| power(p, kept)).sum()
    }

    /// K += ∂²U/∂q².
    #[inline]
    pub fn add_tangent(&self, section: &CrossSection, kept: &[f64], K: &mut [f64]) {
        let CrossSection { EA, GA, EI, .. } = *section;
        for (p, &[c, s, g_1, g_2, n, q, _]) in self.point.iter().zip(kept.as_chunks().0) {
            let b = turn([c, s], [EA * g_2 - q, n - GA * g_1]);
            let d = EA * g_2 * g_2 + GA * g_1 * g_1 - n * g_1 - q * g_2;
            p.add_tangent(&Tangent { D: congruent([c, s], EA, GA), b, c: b, d, e: EI }, K);
        }
    }

    /// K += ∂/∂q and C += ∂/∂v of the force of the strain rates.
    pub fn add_damping_tangents(
        &self,
        section: &CrossSection,
        kept: &[f64],
        v: &[f64],
        K: &mut [f64],
        C: &mut [f64],
    ) {
        let CrossSection { EA, GA, EI, tau, .. } = *section;
        let (EA, GA, EI) = (tau * EA, tau * GA, tau * EI);
        for (p, &[c, s, g_1, g_2, ..]) in self.point.iter().zip(kept.as_chunks::<KEPT>().0) {
            let r = [c, s];
            let b = turn(r, [EA * g_2, -GA * g_1]);
            let d = EA * g_2 * g_2 + GA * g_1 * g_1;
            p.add_tangent(&Tangent { D: congruent(r, EA, GA), b, c: b, d, e: EI }, C);

            let [rate, [g_1t, g_2t, omega]] = p.rates(r, [g_1, g_2], v);
            let [n, q, _] = section.damping(rate);
            // ∂Γ̇/∂φ, in the section's frame as all that is turned below
            let rate_phi = [g_2t - omega * g_1, -g_1t - omega * g_2];
            // Λ [0 EA; −GA 0] Λᵀ φ̇
            let [left, right] = [turn(r, [0.0, -omega * GA]), turn(r, [omega * EA, 0.0])];
            let D = [
                [left[0] * c - right[0] * s, left[0] * s + right[0] * c],
                [left[1] * c - right[1] * s, left[1] * s + right[1] * c],
            ];
            let tangent = Tangent {
                D,
                b: turn(r, [EA * rate_phi[0] - q, GA * rate_phi[1] + n]),
                c: turn(r, [omega * GA * g_1 - q, omega * EA * g_2 + n]),
                d: EA * rate_phi[0] * g_2 - GA * rate_phi[1] * g_1 - n * g_1 - q * g_2,
                e: 0.0,
            };
            p.add_tangent(&tangent, K);
        }
    }

    /// ∫ N_i N_j ds, exact for straight elements.
    pub fn products(&self) -> [[f64; N]; N] {
        let mut sum = [[0.0; N]; N];
        for (xi, weight) in gauss::<3>() {
            let (shape, _) = shapes::<N>(xi);
            for i in 0..N {
                for j in 0..N {
                    sum[i][j] += 0.5 * self.length * weight * shape[i] * shape[j];
                }
            }
        }
        sum
    }
}

impl<const N: usize> GaussPoint<N> {
    /// Σ N_i' q_i.
    #[inline]
    fn slopes(&self, q: &[f64]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for i in 0..N {
            for a in 0..3 {
                sum[a] += self.dN[i] * q[3 * i + a];
            }
        }
        sum
    }

    /// (Γ̇_1, Γ̇_2, κ̇) and (ĝ_1, ĝ_2, φ̇).
    #[inline]
    fn rates(&self, [c, s]: [f64; 2], g: [f64; 2], v: &[f64]) -> [[f64; 3]; 2] {
        let [x, y, kappa] = self.slopes(v);
        let omega = (0..N).map(|i| self.N[i] * v[3 * i + 2]).sum::<f64>();
        let g_t = [c * x + s * y, c * y - s * x];
        [[g_t[0] + omega * g[1], g_t[1] - omega * g[0], kappa], [g_t[0], g_t[1], omega]]
    }

    /// out += factor · w Bᵀ (N, Q, M).
    #[inline]
    fn add(&self, factor: f64, r: [f64; 2], g: [f64; 2], [n, q, m]: [f64; 3], out: &mut [f64]) {
        let out = &mut out[..3 * N];
        let w = factor * self.w;
        let [x, y] = turn(r, [w * n, w * q]);
        let (bend, lever) = (w * m, w * (n * g[1] - q * g[0]));
        for i in 0..N {
            out[3 * i] += self.dN[i] * x;
            out[3 * i + 1] += self.dN[i] * y;
            out[3 * i + 2] += self.dN[i] * bend + self.N[i] * lever;
        }
    }

    /// Adds the blocks (i, j), row by row, each 3×3 row by row.
    #[inline]
    fn add_tangent(&self, t: &Tangent, K: &mut [f64]) {
        let K = &mut K[..9 * N * N];
        for i in 0..N {
            for j in 0..N {
                let slope = self.w * self.dN[i] * self.dN[j];
                let left = self.w * self.dN[i] * self.N[j];
                let right = self.w * self.N[i] * self.dN[j];
                let both = self.w * self.N[i] * self.N[j];
                let block = &mut K[9 * (N * i + j)..][..9];
                block[0] += slope * t.D[0][0];
                block[1] += slope * t.D[0][1];
                block[2] += left * t.b[0];
                block[3] += slope * t.D[1][0];
                block[4] += slope * t.D[1][1];
                block[5] += left * t.b[1];
                block[6] += right * t.c[0];
                block[7] += right * t.c[1];
                block[8] += slope * t.e + both * t.d;
            }
        }
    }
}

/// Λ a.
#[inline]
fn turn([c, s]: [f64; 2], a: [f64; 2]) -> [f64; 2] {
    [c * a[0] - s * a[1], s * a[0] + c * a[1]]
}

/// Λ diag(a, b) Λᵀ.
#[inline]
fn congruent([c, s]: [f64; 2], a: f64, b: f64) -> [[f64; 2]; 2] {
    let off = c * s * (a - b);
    [[c * c * a + s * s * b, off], [off, s * s * a + c * c * b]]
}
