//! An elastic body in a floating frame: beams, solids, in nodal or modal coordinates.
//!
//! ```text
//!   r = R + A(θ) u,   u = u_0 + S q_f,   coordinates (R, θ, q_f)                       [RezaeiSchindler] (116)
//!
//!   with the shape integrals of `carom_elastic::Inertia`, in the floating frame
//!     c = ∫ρu = ∫ρu_0 + ∫ρS q_f         ċ = ∫ρS q̇_f
//!     a = ∫ρSᵀu = along + M q_f         p = ∫ρSᵀ(z×u) = across − B q_f
//!     J = ∫ρu·u = ∫ρu_0·u_0 + (along + a)·q_f
//!
//!         ( m I    A z×c   A∫ρS )
//!   M  =  (         J       pᵀ  )                                                            (127)–(140)
//!         ( symm.           M_ff)
//!
//!   h_R = A (θ̇² c − 2θ̇ z×ċ) + m g
//!   h_θ = −2θ̇ a·q̇_f + γ·(z×c)                         γ = Aᵀ g
//!   h_f = θ̇² a + 2θ̇ B q̇_f + γ·∫ρS − K q_f − D q̇_f  [− ∂U_2/∂q_f]
//! ```
//!
//! U_2 is the strain energy of second order of beams that stiffen. The forces of inertia are −∫ρ δrᵀ(r̈ without
//! accelerations), which is what Lagrange's equations give; (152) and (153) of the source need their errata for that.
//! M, K, D and B share one pattern, read row by row; everything costs as much as it has entries.

mod momenta;

use super::{Flexible, Local, Start, shape_points};
use crate::geometry::plane::{V2, add, dot, perp, scale, sub, to_local, turn};
use carom_dynamics::Quantity;
use carom_elastic::{
    Elastic, ElasticError, Gauge, Inertia, Map, Material, Output, PointShapes, Stiffening, Symmetric, Unit,
};

/// Coordinates of the frame.
const FRAME: usize = 3;

/// Derived numbers before the vectors a and p: cos θ, sin θ, c, J.
const HEAD: usize = 5;

/// Entries of M that belong to the frame alone, and those in each row of q_f before M_ff.
const FRAME_MASS: [(u32, u32); 5] = [(0, 0), (1, 1), (2, 0), (2, 1), (2, 2)];
const COUPLING: usize = 3;

/// Entries of the tangents in the column of θ and rows of the frame, and those of the coupling for each q_f.
const FRAME_TANGENT: [(u32, u32); 3] = [(0, 2), (1, 2), (2, 2)];
const TANGENT_COUPLING: usize = 4;

/// Stands for a coordinate that the reference condition holds.
const HELD: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub struct Floating {
    elastic: Elastic,
    gravity: V2,
    rows: Rows,
    stretching: Option<Stretching>,
    outputs: Vec<Output>,
    /// Of the points of the outline; none where the elements cannot tell.
    gauges: Vec<Gauge>,
    has_damping: bool,
}

/// One entry of M_ff, K, D and B.
#[derive(Clone, Copy, Debug)]
struct Entry {
    column: u32,
    M: f64,
    K: f64,
    D: f64,
    B: f64,
}

/// M_ff, K, D and B over the union of their patterns, row by row, both triangles.
#[derive(Clone, Debug)]
struct Rows {
    start: Vec<usize>,
    entries: Vec<Entry>,
}

impl Rows {
    /// `more` are further places that tangents need.
    fn new(inertia: &Inertia, K: &Symmetric, D: &Symmetric, more: &[(u32, u32)]) -> Self {
        let n = K.n();
        let mut all: Vec<(u32, Entry)> = Vec::new();
        let mut put = |i: usize, j: usize, set: &dyn Fn(&mut Entry)| {
            let mut entry = Entry { column: j as u32, M: 0.0, K: 0.0, D: 0.0, B: 0.0 };
            set(&mut entry);
            all.push((i as u32, entry));
        };
        let mut symmetric = |A: &Symmetric, set: fn(&mut Entry, f64)| {
            for (i, j, a) in A.entries() {
                put(i, j, &|entry| set(entry, a));
                if i != j {
                    put(j, i, &|entry| set(entry, a));
                }
            }
        };
        symmetric(&inertia.M, |entry, a| entry.M = a);
        symmetric(K, |entry, a| entry.K = a);
        symmetric(D, |entry, a| entry.D = a);
        for (i, j, b) in inertia.B.entries() {
            put(i, j, &|entry| entry.B = b);
            put(j, i, &|entry| entry.B = -b);
        }
        for &(i, j) in more {
            put(i as usize, j as usize, &|_| ());
        }
        all.sort_by_key(|(i, entry)| (*i, entry.column));
        let (mut start, mut entries) = (vec![0; n + 1], Vec::<Entry>::new());
        let mut last = None;
        for (i, new) in all {
            if last == Some((i, new.column)) {
                let entry = entries.last_mut().expect("there is a last one");
                // each place is written once by each matrix
                entry.M += new.M;
                entry.K += new.K;
                entry.D += new.D;
                entry.B += new.B;
            } else {
                entries.push(new);
                last = Some((i, new.column));
            }
            start[i as usize + 1] = entries.len();
        }
        // rows without entries begin where the one before ends
        for i in 0..n {
            start[i + 1] = start[i + 1].max(start[i]);
        }
        Self { start, entries }
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = (usize, &[Entry])> {
        self.start.windows(2).enumerate().map(|(i, range)| (i, &self.entries[range[0]..range[1]]))
    }

    /// Place of an entry.
    fn find(&self, i: u32, j: u32) -> Option<usize> {
        let range = self.start[i as usize]..self.start[i as usize + 1];
        let found = self.entries[range.clone()].binary_search_by_key(&j, |entry| entry.column);
        found.ok().map(|k| range.start + k)
    }
}

/// Stiffening with the places of its terms.
#[derive(Clone, Debug)]
struct Stretching {
    stiffening: Stiffening,
    /// Coordinate of each nodal coordinate, or `HELD`.
    coordinate: Vec<u32>,
    /// Where in the tangents the 36 terms of each element go, or `HELD`.
    places: Vec<[u32; 36]>,
}

impl Stretching {
    fn gather(&self, from: usize, q_f: &[f64]) -> [f64; 6] {
        std::array::from_fn(|i| match self.coordinate[from + i] {
            HELD => 0.0,
            k => q_f[k as usize],
        })
    }

    fn energy(&self, q_f: &[f64]) -> f64 {
        let elements = self.stiffening.elements();
        elements.fold(0.0, |sum, (from, element)| sum + element.energy(&self.gather(from, q_f)))
    }

    /// h_f −= ∂U_2/∂q_f.
    fn add_force(&self, q_f: &[f64], h_f: &mut [f64]) {
        for (from, element) in self.stiffening.elements() {
            let gradient = element.gradient(&self.gather(from, q_f));
            for i in 0..6 {
                if self.coordinate[from + i] != HELD {
                    h_f[self.coordinate[from + i] as usize] -= gradient[i];
                }
            }
        }
    }

    /// h_f −= factor · the mean of ∂U_2/∂q_f on the straight way from one shape to another.
    fn add_secant_force(&self, from_q: &[f64], to_q: &[f64], factor: f64, h_f: &mut [f64]) {
        let gauss = 0.5 / 3f64.sqrt();
        for (from, element) in self.stiffening.elements() {
            let (a, b) = (self.gather(from, from_q), self.gather(from, to_q));
            for s in [0.5 - gauss, 0.5 + gauss] {
                let there = std::array::from_fn(|i| a[i] + s * (b[i] - a[i]));
                let gradient = element.gradient(&there);
                for i in 0..6 {
                    if self.coordinate[from + i] != HELD {
                        h_f[self.coordinate[from + i] as usize] -= 0.5 * factor * gradient[i];
                    }
                }
            }
        }
    }

    /// Tension of second order, in the outputs that know it.
    fn add_outputs(&self, q_f: &[f64], out: &mut [f64]) {
        for &(output, e, factor) in self.stiffening.outputs() {
            out[output] += factor * self.added_tension(e, q_f);
        }
    }

    /// Tension of second order in element e.
    fn added_tension(&self, e: usize, q_f: &[f64]) -> f64 {
        let (from, element) = self.stiffening.element(e);
        element.added_tension(&self.gather(from, q_f))
    }

    /// K_ff += ∂²U_2/∂q_f².
    fn add_tangent(&self, q_f: &[f64], K_ff: &mut [f64]) {
        for ((from, element), places) in self.stiffening.elements().zip(&self.places) {
            let H = element.hessian(&self.gather(from, q_f));
            for (place, value) in places.iter().zip(H.as_flattened()) {
                if *place != HELD {
                    K_ff[*place as usize] += value;
                }
            }
        }
    }
}

/// What `derive` computes.
struct Derived<'a> {
    cos: f64,
    sin: f64,
    c: V2,
    J: f64,
    a: &'a [f64],
    p: &'a [f64],
}

impl<'a> Derived<'a> {
    #[inline]
    fn of(at: Local<'a>) -> Self {
        let (head, vectors) = at.derived.split_at(HEAD);
        let (a, p) = vectors.split_at(vectors.len() / 2);
        Self { cos: head[0], sin: head[1], c: [head[2], head[3]], J: head[4], a, p }
    }

    fn turn(&self, x: V2) -> V2 {
        turn(self.cos, self.sin, x)
    }
}

/// Σ S_k x_k.
#[inline]
fn sum(S: &[V2], x: &[f64]) -> V2 {
    S.iter().zip(x).fold([0.0; 2], |sum, (S, x)| add(sum, scale(*x, *S)))
}

#[inline]
fn product(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |sum, (x, y)| sum + x * y)
}

impl Floating {
    /// Carries an elastic body; `stiffens` asks for the strain energy of second order.
    pub fn new(elastic: Elastic, gravity: V2, stiffens: bool) -> Result<Self, ElasticError> {
        let (inertia, K, D) = (elastic.inertia(), elastic.stiffness(), elastic.damping());
        let stiffening = match stiffens {
            true => Some(stiffening(&elastic)?),
            false => None,
        };
        let mut more = Vec::new();
        if let Some((stiffening, coordinate)) = &stiffening {
            for (from, _) in stiffening.elements() {
                let own = coordinate[from..from + 6].iter().filter(|&&k| k != HELD);
                more.extend(own.clone().flat_map(|&i| own.clone().map(move |&j| (i, j))));
            }
        }
        let rows = Rows::new(inertia, K, D, &more);
        let stretching = stiffening.map(|(stiffening, coordinate)| {
            let place = |i: u32, j: u32| match (i, j) {
                (HELD, _) | (_, HELD) => HELD,
                (i, j) => rows.find(i, j).expect("its places were asked for") as u32,
            };
            let of = |from: usize| {
                std::array::from_fn(|k| place(coordinate[from + k / 6], coordinate[from + k % 6]))
            };
            let places = stiffening.elements().map(|(from, _)| of(from)).collect();
            Stretching { stiffening, coordinate, places }
        });
        let has_damping = D.values().iter().any(|&d| d != 0.0);
        let outputs = elastic.outputs();
        let gauge = |material: Material| match material {
            Material::Node(node) => elastic.gauge(node),
            Material::At(_) => None,
        };
        let points = shape_points(&chains(&elastic));
        let gauges = points.into_iter().map(gauge).collect::<Option<Vec<_>>>().unwrap_or_default();
        Ok(Self { elastic, gravity, rows, stretching, outputs, gauges, has_damping })
    }

    /// h += weight, elastic and damping forces but those of U_2, and the forces of inertia of a frame that turns with ω.
    fn add_forces(&self, at: Local, omega: f64, h: &mut [f64]) {
        let (d, inertia) = (Derived::of(at), self.inertia());
        let (q_f, v_f) = (&at.q[FRAME..], &at.v[FRAME..]);
        let gamma = to_local(d.cos, d.sin, self.gravity);
        let (h, h_f) = h.split_at_mut(FRAME);
        let c_dot = sum(&inertia.S, v_f);
        let spin = d.turn(sub(scale(omega * omega, d.c), scale(2.0 * omega, perp(c_dot))));
        h[0] += spin[0] + inertia.mass * self.gravity[0];
        h[1] += spin[1] + inertia.mass * self.gravity[1];
        h[2] += dot(gamma, perp(d.c)) - 2.0 * omega * product(d.a, v_f);
        for (i, row) in self.rows.iter() {
            let mut elastic = 0.0;
            for entry in row {
                let j = entry.column as usize;
                elastic += entry.K * q_f[j] + (entry.D - 2.0 * omega * entry.B) * v_f[j];
            }
            h_f[i] += omega * omega * d.a[i] + dot(gamma, inertia.S[i]) - elastic;
        }
    }

    fn inertia(&self) -> &Inertia {
        self.elastic.inertia()
    }

    fn n(&self) -> usize {
        self.elastic.n()
    }
}

/// The outline of a body.
fn chains(elastic: &Elastic) -> Vec<Vec<Material>> {
    let chains = elastic.elements().outline();
    chains.into_iter().map(|chain| chain.into_iter().map(Material::Node).collect()).collect()
}

/// The stiffening of a body and the coordinate of each of its nodal coordinates.
fn stiffening(elastic: &Elastic) -> Result<(Stiffening, Vec<u32>), ElasticError> {
    let Some(stiffening) = elastic.elements().stiffening() else {
        return Err(ElasticError::other("these elements do not stiffen", "leave `stiffening` out"));
    };
    let Map::Selection { free } = elastic.map() else {
        return Err(ElasticError::other(
            "shapes that bend without the stretching that goes with it would lock",
            "stiffening needs nodal coordinates in a clamped or pinned frame",
        ));
    };
    let mut coordinate = vec![HELD; elastic.elements().dofs()];
    free.iter().enumerate().for_each(|(k, &i)| coordinate[i] = k as u32);
    Ok((stiffening, coordinate))
}

impl Flexible for Floating {
    fn len(&self) -> usize {
        FRAME + self.n()
    }

    fn floats(&self) -> bool {
        true
    }

    fn elastic(&self) -> Option<&Elastic> {
        Some(&self.elastic)
    }

    fn start(&self, start: &Start) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; self.len()], vec![0.0; self.len()]);
        q[..FRAME].copy_from_slice(&[start.position[0], start.position[1], start.angle]);
        v[..FRAME].copy_from_slice(&[start.velocity[0], start.velocity[1], start.angular_velocity]);
        (q, v)
    }

    fn derived_len(&self) -> usize {
        HEAD + 2 * self.n()
    }

    fn derive(&self, q: &[f64], derived: &mut [f64]) {
        let (inertia, q_f) = (self.inertia(), &q[FRAME..]);
        let (head, vectors) = derived.split_at_mut(HEAD);
        let (a, p) = vectors.split_at_mut(q_f.len());
        for (i, row) in self.rows.iter() {
            let (mut Mq, mut Bq) = (0.0, 0.0);
            for entry in row {
                let q = q_f[entry.column as usize];
                Mq += entry.M * q;
                Bq += entry.B * q;
            }
            a[i] = inertia.along[i] + Mq;
            p[i] = inertia.across[i] - Bq;
        }
        let (sin, cos) = q[2].sin_cos();
        let c = add(inertia.first, sum(&inertia.S, q_f));
        let J = inertia.second + product(&inertia.along, q_f) + product(a, q_f);
        head.copy_from_slice(&[cos, sin, c[0], c[1], J]);
    }

    fn total_mass(&self) -> f64 {
        self.inertia().mass
    }

    fn mass_pattern(&self) -> Vec<(u32, u32)> {
        let frame = FRAME as u32;
        let mut pattern = FRAME_MASS.to_vec();
        pattern.extend((0..self.n() as u32).flat_map(|k| [(frame + k, 0), (frame + k, 1), (frame + k, 2)]));
        pattern.extend(self.inertia().M.at().iter().map(|&(i, j)| (frame + i, frame + j)));
        pattern
    }

    fn mass_is_constant(&self) -> bool {
        false
    }

    fn mass(&self, at: Local, M: &mut [f64]) {
        let (d, inertia) = (Derived::of(at), self.inertia());
        let (frame, rest) = M.split_at_mut(FRAME_MASS.len());
        let (coupling, M_ff) = rest.split_at_mut(COUPLING * self.n());
        let turning = d.turn(perp(d.c));
        frame.copy_from_slice(&[inertia.mass, inertia.mass, turning[0], turning[1], d.J]);
        for (k, row) in coupling.chunks_exact_mut(COUPLING).enumerate() {
            let S = d.turn(inertia.S[k]);
            row.copy_from_slice(&[S[0], S[1], d.p[k]]);
        }
        M_ff.copy_from_slice(inertia.M.values());
    }

    fn add_force(&self, at: Local, h: &mut [f64]) {
        self.add_forces(at, at.v[2], h);
        if let Some(stretching) = &self.stretching {
            stretching.add_force(&at.q[FRAME..], &mut h[FRAME..]);
        }
    }

    fn add_load(&self, at: Local, h: &mut [f64]) {
        self.add_forces(at, 0.0, h);
    }

    fn floating(&self) -> Option<&Floating> {
        Some(self)
    }

    fn tangent_pattern(&self) -> Vec<(u32, u32)> {
        let frame = FRAME as u32;
        let mut pattern = FRAME_TANGENT.to_vec();
        let coupling = |k: u32| [(0, frame + k), (1, frame + k), (2, frame + k), (frame + k, 2)];
        pattern.extend((0..self.n() as u32).flat_map(coupling));
        for (i, row) in self.rows.iter() {
            pattern.extend(row.iter().map(|entry| (frame + i as u32, frame + entry.column)));
        }
        pattern
    }

    fn tangents(&self, at: Local, K: &mut [f64], C: &mut [f64]) {
        let (d, inertia) = (Derived::of(at), self.inertia());
        let (v_f, omega) = (&at.v[FRAME..], at.v[2]);
        let gamma = to_local(d.cos, d.sin, self.gravity);
        let c_dot = sum(&inertia.S, v_f);
        let ((K, K_rest), (C, C_rest)) =
            (K.split_at_mut(FRAME_TANGENT.len()), C.split_at_mut(FRAME_TANGENT.len()));
        let couplings = TANGENT_COUPLING * self.n();
        let ((K_c, K_ff), (C_c, C_ff)) = (K_rest.split_at_mut(couplings), C_rest.split_at_mut(couplings));

        // column of θ
        let by_angle = d.turn(add(scale(omega * omega, perp(d.c)), scale(2.0 * omega, c_dot)));
        let by_omega = d.turn(sub(scale(2.0 * omega, d.c), scale(2.0, perp(c_dot))));
        K.copy_from_slice(&[-by_angle[0], -by_angle[1], dot(gamma, d.c)]);
        C.copy_from_slice(&[-by_omega[0], -by_omega[1], 2.0 * product(d.a, v_f)]);

        let (K_c, _) = K_c.as_chunks_mut::<TANGENT_COUPLING>();
        let (C_c, _) = C_c.as_chunks_mut::<TANGENT_COUPLING>();
        let mut place = 0;
        for (k, row) in self.rows.iter() {
            // K_ff = K − θ̇² M_ff, C_ff = D − 2θ̇ B, and with them the sums M_ff q̇ and B q̇
            let (mut Mv, mut Bv) = (0.0, 0.0);
            for entry in row {
                let v = v_f[entry.column as usize];
                Mv += entry.M * v;
                Bv += entry.B * v;
                K_ff[place] = entry.K - omega * omega * entry.M;
                C_ff[place] = entry.D - 2.0 * omega * entry.B;
                place += 1;
            }
            let weight = dot(gamma, perp(inertia.S[k]));
            let S = d.turn(inertia.S[k]);
            K_c[k] = [-omega * omega * S[0], -omega * omega * S[1], 2.0 * omega * Mv - weight, -weight];
            let along = 2.0 * omega * d.a[k];
            C_c[k] = [-2.0 * omega * S[1], 2.0 * omega * S[0], along, -along - 2.0 * Bv];
        }
        if let Some(stretching) = &self.stretching {
            stretching.add_tangent(&at.q[FRAME..], K_ff);
        }
    }

    fn kinetic(&self, at: Local) -> f64 {
        let (d, inertia) = (Derived::of(at), self.inertia());
        let (v_f, omega, R_dot) = (&at.v[FRAME..], at.v[2], [at.v[0], at.v[1]]);
        let momentum = d.turn(add(scale(omega, perp(d.c)), sum(&inertia.S, v_f)));
        0.5 * inertia.mass * dot(R_dot, R_dot)
            + dot(R_dot, momentum)
            + omega * (0.5 * d.J * omega + product(d.p, v_f))
            + 0.5 * inertia.M.form(v_f, v_f)
    }

    fn potential(&self, at: Local) -> f64 {
        let d = Derived::of(at);
        let centre = add(scale(self.inertia().mass, [at.q[0], at.q[1]]), d.turn(d.c));
        -dot(self.gravity, centre)
    }

    fn strain(&self, at: Local) -> f64 {
        let q_f = &at.q[FRAME..];
        let linear = 0.5 * self.elastic.stiffness().form(q_f, q_f);
        linear + self.stretching.as_ref().map_or(0.0, |stretching| stretching.energy(q_f))
    }

    fn has_damping(&self) -> bool {
        self.has_damping
    }

    fn loss(&self, at: Local) -> f64 {
        self.elastic.damping().form(&at.v[FRAME..], &at.v[FRAME..])
    }

    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        self.elastic.point(at)
    }

    fn carries(&self, at: Local, i: usize) -> [f64; 3] {
        match i {
            0 => [1.0, 0.0, -at.q[1]],
            1 => [0.0, 1.0, at.q[0]],
            2 => [0.0, 0.0, 1.0],
            _ => [0.0; 3],
        }
    }

    fn quantity(&self, i: usize) -> Quantity {
        let angle = i == 2 || i >= FRAME && self.elastic.unit(i - FRAME) == Unit::Angle;
        if angle { Quantity::Angle } else { Quantity::Length }
    }

    fn coordinate_name(&self, i: usize) -> String {
        match i {
            0 => "x".into(),
            1 => "y".into(),
            2 => "angle".into(),
            i => self.elastic.name(i - FRAME),
        }
    }

    fn outline(&self) -> Vec<Vec<Material>> {
        chains(&self.elastic)
    }

    fn knows_stress(&self) -> bool {
        !self.gauges.is_empty()
    }

    fn stresses(&self, at: Local, out: &mut [f64]) {
        let q_f = &at.q[FRAME..];
        for (out, gauge) in out.iter_mut().zip(&self.gauges) {
            let mut rows = gauge.rows(q_f);
            if let Some(stretching) = &self.stretching {
                rows[0] +=
                    gauge.stretched.iter().map(|&(e, f)| f * stretching.added_tension(e, q_f)).sum::<f64>();
            }
            *out = gauge.measure.of(rows);
        }
    }

    fn boundaries(&self) -> Vec<(String, Vec<usize>)> {
        self.elastic.elements().boundaries()
    }

    fn outputs(&self) -> Vec<(String, &'static str)> {
        let unit = |unit| match unit {
            Unit::Length | Unit::Amplitude => "m",
            Unit::Angle => "rad",
            Unit::Force => "N",
            Unit::Moment => "N m",
            Unit::Stress => "Pa",
        };
        let own = self.outputs.iter().map(|output| (output.name.clone(), unit(output.unit)));
        std::iter::once(("strain".into(), "J")).chain(own).collect()
    }

    fn observe(&self, at: Local, out: &mut [f64]) {
        let q_f = &at.q[FRAME..];
        out[0] = self.strain(at);
        for (value, output) in out[1..].iter_mut().zip(&self.outputs) {
            *value = output.row.iter().fold(0.0, |sum, &(k, a)| sum + a * q_f[k as usize]);
        }
        if let Some(stretching) = &self.stretching {
            stretching.add_outputs(q_f, &mut out[1..]);
        }
    }
}
