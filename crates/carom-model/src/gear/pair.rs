//! Two toothed wheels on bodies of a model: their coordinates x, forces and gaps.
//!
//! ```text
//!   l = A_1ᵀ (r_2 − r_1),  m = A_2ᵀ (r_1 − r_2)            each centre seen from the other wheel; z along the axis of the first
//!   φ_1 = τ_1 − atan2(l_y, l_x),  φ_2 = −τ_2 + atan2(m_y, m_x)       a ring: from −l
//!   |a| = ½ (|l| + |m|) across the axes,   u = ½ (m_z − l_z) − u_0
//!   p_i = r_bi φ_i,  Δ_0 = p_1 − p_2,  P = ½ (p_1 + p_2)             (`mesh`)
//!
//!   y = (l, m),  X = ∂x/∂y,  H_k = ∂²x_k/∂y²,  s = ∂ẏ/∂v           Q_y = Xᵀ Q,   h_i = Σ Q_y·s_i
//!   −∂Q_y/∂y = Xᵀ (K X + C Ż) − Σ Q_k H_k,   Ż = H ẏ               K_ij = s_iᵀ (−∂Q_y/∂y s_j + Xᵀ C X ∂ẏ/∂δ_j) − Q_y·∂s_i/∂δ_j
//! ```
//!
//! Only where the wheels are against each other enters, so momentum and moment of momentum are kept wherever the axes are. In space
//! a wheel of several slices is seen at both ends of its width; between them y is straight, and each slice has its own distance
//! and angles: shafts that lean load one end more.

use super::mesh::{Here, Mesh, Slice, Springs, Sum, X};
use super::stiffness::Parabola;
use crate::geometry::{Geometry, Vector, add, dot, scale, sub};
use crate::measure::{Axis, Measure};
use crate::place::{Carrier, Marker, Placed};
use carom_dynamics::{Configuration, Directions};
use std::sync::Arc;

/// Most numbers of y: three components, two wheels, two ends.
const Y: usize = 12;
/// Most columns: two rigid bodies in space.
const COLUMNS: usize = 12;

type Rows = [[f64; COLUMNS]; Y];

/// Two wheels on two bodies.
#[derive(Clone, Debug)]
pub struct Pair<S: Geometry> {
    pub mesh: Mesh,
    /// The centres, and the axes of each wheel in its body.
    seats: [Seat<S>; 2],
    /// What the other wheel sees of each: its centre, or both ends of its width.
    ends: Vec<[Marker<S>; 2]>,
    /// y: of each end, l then m.
    seen: Vec<Measure<S>>,
    /// Half the distance of the two ends at which y is taken; 0 with one.
    half: f64,
    /// τ_1 and τ_2.
    pub phase: [f64; 2],
    /// u_0.
    pub shift: f64,
    /// Slices along the width.
    pub slices: Arc<[Slice]>,
    /// First velocity of each body and where its columns begin; none for ground.
    bodies: [Option<(usize, usize)>; 2],
    columns: usize,
}

/// Where both wheels are at a configuration.
struct Look<S: Geometry> {
    frames: [S::Frame; 2],
    centres: [Placed<S>; 2],
    y: [f64; Y],
}

/// x at one place along the width, with derivatives by y there.
struct Local {
    /// X, by component of l and m.
    by: [[f64; 6]; X],
    /// Second derivatives of Δ_0, P and a by the transverse components of l, then of m: xx, xy, yy.
    bend: [[[f64; 3]; 2]; 3],
    here: Here,
    /// ẏ.
    y_dot: [f64; 6],
}

/// A wheel on its body.
#[derive(Clone, Debug)]
pub struct Seat<S: Geometry> {
    pub centre: Marker<S>,
    /// Its axes in its body: across, then along the axis of the first wheel where there is one.
    pub axes: Vec<S::V>,
}

impl<S: Geometry> Pair<S> {
    /// Wheels on rigid bodies or on ground; `half` > 0: seen at both ends, `half` away from the middle.
    pub fn new(mesh: Mesh, seats: [Seat<S>; 2], half: f64, slices: Vec<Slice>) -> Self {
        let sides: &[f64] = if half > 0.0 { &[-1.0, 1.0] } else { &[0.0] };
        let end = |wheel: usize, side: f64| {
            let Seat { centre, axes } = &seats[wheel];
            let mut end = centre.clone();
            // the axis comes last
            if let Some(axis) = axes.get(2) {
                let along = |i: usize| centre.local.numbers()[i] + side * half * axis.numbers()[i];
                end.local = S::V::from_fn(along);
            }
            end
        };
        let ends: Vec<[Marker<S>; 2]> = sides.iter().map(|&side| [end(0, side), end(1, side)]).collect();
        let mut seen = Vec::new();
        for end in &ends {
            for (own, other) in [(0, 1), (1, 0)] {
                for &axis in &seats[own].axes {
                    let (guide, slider) = (seats[own].centre.clone(), end[other].clone());
                    seen.push(Measure::Along(Axis { guide, slider, axis }));
                }
            }
        }
        let mut columns = 0;
        let bodies = [0, 1].map(|i| {
            let Carrier::Rigid(first) = &seats[i].centre.place.carrier else { return None };
            let from = columns;
            columns += S::RIGID.1;
            Some((first.v as usize, from))
        });
        Self {
            mesh,
            seats,
            ends,
            seen,
            half,
            phase: [0.0; 2],
            shift: 0.0,
            slices: slices.into(),
            bodies,
            columns,
        }
    }

    /// Components of l, and of m.
    fn width(&self) -> usize {
        S::V::LEN
    }

    /// Places and arms, axes in space, and y.
    #[inline]
    fn look(&self, at: &Configuration) -> Look<S> {
        let frames = [0, 1].map(|i| self.seats[i].centre.place.frame(at));
        let centres = [0, 1].map(|i| self.seats[i].centre.at(at));
        let n = S::V::LEN;
        let mut y = [0.0; Y];
        for (e, end) in self.ends.iter().enumerate() {
            for own in 0..2 {
                let d = sub(end[1 - own].at(at).r, centres[own].r);
                let local = S::to_local(&frames[own], d);
                for (k, axis) in self.seats[own].axes.iter().enumerate() {
                    y[(2 * e + own) * n + k] = dot(*axis, local);
                }
            }
        }
        Look { frames, centres, y }
    }

    /// ẏ: what moves in the frame of the wheel that looks.
    fn rates(&self, at: &Configuration, look: &Look<S>) -> [f64; Y] {
        let n = S::V::LEN;
        let mut y_dot = [0.0; Y];
        for (e, end) in self.ends.iter().enumerate() {
            for own in 0..2 {
                let (seat, other) = (&self.seats[own].centre, &end[1 - own]);
                let placed = other.at(at);
                let d = sub(placed.r, look.centres[own].r);
                let d_dot = sub(other.velocity(at, &placed), seat.velocity(at, &look.centres[own]));
                let turned = S::swing(seat.place.omega(at), d);
                let local = S::to_local(&look.frames[own], sub(d_dot, turned));
                for (k, axis) in self.seats[own].axes.iter().enumerate() {
                    y_dot[(2 * e + own) * n + k] = dot(*axis, local);
                }
            }
        }
        y_dot
    }

    /// What Q_y is as forces on the centres of both wheels, with torques besides.
    fn wrenches(&self, at: &Configuration, look: &Look<S>, Q_y: &[f64; Y]) -> [(S::V, S::W); 2] {
        let n = S::V::LEN;
        let mut both = [(S::V::ZERO, S::W::ZERO); 2];
        for (e, end) in self.ends.iter().enumerate() {
            for own in 0..2 {
                let axes = &self.seats[own].axes;
                let local = axes
                    .iter()
                    .enumerate()
                    .fold(S::V::ZERO, |sum, (k, &axis)| add(sum, scale(Q_y[(2 * e + own) * n + k], axis)));
                let f = S::turn(&look.frames[own], local);
                let placed = end[1 - own].at(at);
                let d = sub(placed.r, look.centres[own].r);
                // e_k·δd + (δφ×e_k)·d
                both[own].0 = sub(both[own].0, f);
                both[own].1 = add(both[own].1, S::moment(f, d));
                both[1 - own].0 = add(both[1 - own].0, f);
                if self.half > 0.0 {
                    let away = sub(placed.r, look.centres[1 - own].r);
                    both[1 - own].1 = add(both[1 - own].1, S::moment(away, f));
                }
            }
        }
        both
    }

    /// Where a velocity of the model is among the columns.
    #[inline]
    fn column(&self, index: usize) -> usize {
        let n = S::RIGID.1;
        let of = |body: Option<(usize, usize)>| {
            body.filter(|(v, _)| (*v..*v + n).contains(&index)).map(|(v, from)| from + index - v)
        };
        of(self.bodies[0]).or_else(|| of(self.bodies[1])).expect("a row has entries of both bodies only")
    }

    /// s, and v of the columns.
    fn rows(&self, at: &Configuration) -> (Rows, [f64; COLUMNS]) {
        let mut rows = [[0.0; COLUMNS]; Y];
        for (seen, row) in self.seen.iter().zip(&mut rows) {
            seen.row(at, |i, value| row[self.column(i)] += value);
        }
        let mut v = [0.0; COLUMNS];
        for (first, from) in self.bodies.into_iter().flatten() {
            v[from..from + S::RIGID.1].copy_from_slice(&at.v[first..first + S::RIGID.1]);
        }
        (rows, v)
    }

    /// What y at the ends says of y at z.
    fn parts(&self, z: f64) -> [f64; 2] {
        if self.half > 0.0 { [0.5 - 0.5 * z / self.half, 0.5 + 0.5 * z / self.half] } else { [1.0, 0.0] }
    }

    /// Six numbers l, m at z out of those at the ends.
    fn at_slice(&self, z: f64, y: &[f64; Y]) -> [f64; 6] {
        let n = 2 * self.width();
        let parts = self.parts(z);
        let mut own = [0.0; 6];
        for (i, own) in own.iter_mut().enumerate().take(n) {
            *own = if self.half > 0.0 { parts[0] * y[i] + parts[1] * y[n + i] } else { y[i] };
        }
        own
    }

    fn local(&self, z: f64, y: &[f64; Y], y_dot: &[f64; Y]) -> Local {
        let (own, y_dot) = (self.at_slice(z, y), self.at_slice(z, y_dot));
        let (n, geometry) = (self.width(), &self.mesh.geometry);
        let [b_1, b_2] = geometry.r_b;
        let sign = geometry.sign();
        let mut by = [[0.0; 6]; X];
        let mut bend = [[[0.0; 3]; 2]; 3];
        let mut p = [0.0; 2];
        let mut distance = 0.0;
        for wheel in 0..2 {
            let from = wheel * n;
            let (x, y) = (own[from], own[from + 1]);
            let square = x * x + y * y;
            let length = square.sqrt();
            distance += 0.5 * length;
            // the angle of the line of centres seen from the wheel
            let angle = if wheel == 0 { (sign * y).atan2(sign * x) } else { y.atan2(x) };
            let (sense, b) = if wheel == 0 { (-1.0, b_1) } else { (1.0, b_2) };
            p[wheel] = b * sense * (angle - self.phase[wheel]);
            let slope = [-y / square, x / square];
            let twice = [2.0 * x * y, y * y - x * x, -2.0 * x * y].map(|a| a / (square * square));
            // Δ_0 = p_1 − p_2, P = ½ (p_1 + p_2)
            let factors = [if wheel == 0 { 1.0 } else { -1.0 }, 0.5].map(|f: f64| f * sense * b);
            let away = [x / length, y / length];
            for i in 0..2 {
                by[0][from + i] = factors[0] * slope[i];
                by[1][from + i] = factors[1] * slope[i];
                by[2][from + i] = 0.5 * sign * away[i];
            }
            let round = [away[1] * away[1], -away[0] * away[1], away[0] * away[0]];
            for i in 0..3 {
                bend[0][wheel][i] = factors[0] * twice[i];
                bend[1][wheel][i] = factors[1] * twice[i];
                bend[2][wheel][i] = 0.5 * sign * round[i] / length;
            }
        }
        let mut u = 0.0;
        if n == 3 {
            u = 0.5 * (own[5] - own[2]) - self.shift;
            (by[3][2], by[3][5]) = (-0.5, 0.5);
        }
        let x = [p[0] - p[1], 0.5 * (p[0] + p[1]), sign * distance, u];
        let rates = by.map(|row| (0..6).map(|i| row[i] * y_dot[i]).sum());
        Local { by, bend, here: self.mesh.here(&x, distance, rates), y_dot }
    }

    /// Where the wheels are against each other in the middle of the width.
    pub fn here(&self, at: &Configuration) -> Here {
        let look = self.look(at);
        self.local(0.0, &look.y, &self.rates(at, &look)).here
    }

    /// The same, without rates.
    fn still(&self, at: &Configuration) -> Here {
        self.local(0.0, &self.look(at).y, &[0.0; Y]).here
    }

    /// Turns the teeth on the second wheel, and on the first unless it has teeth already, so that the flanks of a side touch
    /// (0: in the middle of the play) and a pair of them is in the pitch point.
    pub fn settle(&mut self, at: &Configuration, known: [Option<f64>; 2], side: f64) -> [f64; 2] {
        self.shift = 0.0;
        self.phase = [0.0; 2];
        if self.width() == 3 {
            let y = self.at_slice(0.0, &self.look(at).y);
            self.shift = 0.5 * (y[5] - y[2]);
        }
        // with τ = 0: p_i as measured
        let seen = self.look(at).y;
        let here = self.local(0.0, &seen, &[0.0; Y]);
        let y = self.at_slice(0.0, &seen);
        let (n, geometry) = (self.width(), &self.mesh.geometry);
        let sign = geometry.sign();
        let angles = [(sign * y[1]).atan2(sign * y[0]), y[n + 1].atan2(y[n])];
        let play = here.here.at.play[0];
        let delta = 0.5 * side * play;
        let P = -side_or_first(side) * here.here.at.f[0];
        let p_1 = match known {
            [Some(tau), _] => geometry.r_b[0] * (tau - angles[0]),
            [None, Some(tau)] => geometry.r_b[1] * (angles[1] - tau) + delta,
            [None, None] => P + 0.5 * delta,
        };
        let p_2 = match known {
            [Some(_), Some(tau)] => geometry.r_b[1] * (angles[1] - tau),
            _ => p_1 - delta,
        };
        self.phase = [angles[0] + p_1 / geometry.r_b[0], angles[1] - p_2 / geometry.r_b[1]];
        self.phase
    }

    /// Calls with every slice and x there; wheels seen in their middle alone have one x for all.
    fn each_slice(&self, y: &[f64; Y], y_dot: &[f64; Y], mut each: impl FnMut(&Slice, &Local)) {
        if self.half == 0.0 {
            let local = self.local(0.0, y, y_dot);
            self.slices.iter().for_each(|slice| each(slice, &local));
            return;
        }
        for slice in self.slices.iter() {
            each(slice, &self.local(slice.z, y, y_dot));
        }
    }

    /// Forces with what is told of them, in the coordinates of the middle.
    pub fn told(&self, at: &Configuration, springs: &Springs) -> Sum {
        let look = self.look(at);
        let mut sum = Sum::default();
        self.each_slice(&look.y, &self.rates(at, &look), |slice, local| {
            self.mesh.add(&local.here, springs, slice, false, &mut sum);
        });
        sum
    }

    /// h += forces of the teeth.
    pub fn push(&self, at: &Configuration, springs: &Springs, h: &mut [f64]) {
        let look = self.look(at);
        let mut Q_y = [0.0; Y];
        let mut loaded = false;
        self.each_slice(&look.y, &self.rates(at, &look), |slice, local| {
            let mut sum = Sum::default();
            self.mesh.add(&local.here, springs, slice, false, &mut sum);
            if sum.strain > 0.0 {
                loaded = true;
                self.spread(slice, &local.gathered(&sum.Q), &mut Q_y);
            }
        });
        if !loaded {
            return;
        }
        let both = self.wrenches(at, &look, &Q_y);
        for (i, (force, torque)) in both.into_iter().enumerate() {
            let (place, arm) = (&self.seats[i].centre.place, look.centres[i].arm);
            place.row(at, force, arm, torque, |j, value| h[j] += value);
        }
    }

    /// Six numbers at a slice go to both ends.
    fn spread(&self, slice: &Slice, own: &[f64; 6], all: &mut [f64; Y]) {
        let n = 2 * self.width();
        let parts = self.parts(slice.z);
        let ends = if self.half > 0.0 { 2 } else { 1 };
        for end in 0..ends {
            for i in 0..n {
                all[end * n + i] += parts[end] * own[i];
            }
        }
    }

    /// Calls `entry(row, column, K, C)`: all entries of both bodies.
    pub fn tangents(
        &self,
        at: &Configuration,
        springs: &Springs,
        mut entry: impl FnMut(usize, usize, f64, f64),
    ) {
        let look = self.look(at);
        let y_dot = self.rates(at, &look);
        let (n, ends, many) = (2 * self.width(), if self.half > 0.0 { 2 } else { 1 }, self.seen.len());
        let (mut Q_y, mut K_y, mut C_y) = ([0.0; Y], [[0.0; Y]; Y], [[0.0; Y]; Y]);
        let mut loaded = false;
        self.each_slice(&look.y, &y_dot, |slice, local| {
            let mut sum = Sum::default();
            self.mesh.add(&local.here, springs, slice, true, &mut sum);
            if sum.strain == 0.0 {
                return;
            }
            loaded = true;
            self.spread(slice, &local.gathered(&sum.Q), &mut Q_y);
            let [K, C] = local.tangents(&sum, n / 2);
            let parts = self.parts(slice.z);
            for e in 0..ends {
                for f in 0..ends {
                    for i in 0..n {
                        for j in 0..n {
                            K_y[e * n + i][f * n + j] += parts[e] * parts[f] * K[i][j];
                            C_y[e * n + i][f * n + j] += parts[e] * parts[f] * C[i][j];
                        }
                    }
                }
            }
        });
        let (mut K, mut C) = ([[0.0; COLUMNS]; COLUMNS], [[0.0; COLUMNS]; COLUMNS]);
        if loaded {
            let mut changes = [[0.0; COLUMNS]; Y];
            for (k, seen) in self.seen.iter().enumerate() {
                seen.rate_row(at, |j, value| changes[k][self.column(j)] += value);
                seen.curvature(at, |i, j, value| K[self.column(i)][self.column(j)] -= Q_y[k] * value);
            }
            let s = &self.rows(at).0;
            for j in 0..self.columns {
                let mut by_q = [0.0; Y];
                let mut by_v = [0.0; Y];
                for k in 0..many {
                    for l in 0..many {
                        by_q[k] += K_y[k][l] * s[l][j] + C_y[k][l] * changes[l][j];
                        by_v[k] += C_y[k][l] * s[l][j];
                    }
                }
                for i in 0..self.columns {
                    for k in 0..many {
                        K[i][j] += s[k][i] * by_q[k];
                        C[i][j] += s[k][i] * by_v[k];
                    }
                }
            }
        }
        for (v_i, i) in self.bodies.into_iter().flatten() {
            for (v_j, j) in self.bodies.into_iter().flatten() {
                for a in 0..S::RIGID.1 {
                    for b in 0..S::RIGID.1 {
                        entry(v_i + a, v_j + b, K[i + a][j + b], C[i + a][j + b]);
                    }
                }
            }
        }
    }

    /// g_N of a side.
    pub fn gap(&self, at: &Configuration, side: f64) -> f64 {
        self.mesh.geometry.cos_b * self.mesh.gap(&self.still(at), side)
    }

    /// Rows of a side: along the normal, and that of friction.
    pub fn directions(&self, at: &Configuration, side: f64, rubs: Option<&Parabola>, W: &mut Directions) {
        let look = self.look(at);
        // rates change no row
        let local = self.local(0.0, &look.y, &[0.0; Y]);
        let mut row = |x: &[f64; X]| {
            W.begin_row(0.0);
            let mut Q_y = [0.0; Y];
            self.spread(&MIDDLE, &local.gathered(x), &mut Q_y);
            for (i, (d, turn)) in self.wrenches(at, &look, &Q_y).into_iter().enumerate() {
                let (place, arm) = (&self.seats[i].centre.place, look.centres[i].arm);
                place.row(at, d, arm, turn, |j, value| W.push(j, value));
            }
        };
        let cos_b = self.mesh.geometry.cos_b;
        row(&self.mesh.slope(&local.here, side).map(|g| cos_b * g));
        if let Some(parabola) = rubs {
            row(&self.mesh.rubbing(&local.here, parabola, side, &self.slices)[0]);
        }
    }

    /// The part of the second derivatives of these rows without v'.
    pub fn bias(&self, at: &Configuration, side: f64, rubs: Option<&Parabola>, bias: &mut [f64]) {
        let (rows, look) = (self.rows(at), self.look(at));
        let local = self.local(0.0, &look.y, &self.rates(at, &look));
        let mut y_bias = [0.0; Y];
        for (seen, y_bias) in self.seen.iter().zip(&mut y_bias) {
            seen.rate_row(at, |j, value| *y_bias += value * rows.1[self.column(j)]);
        }
        let own = self.at_slice(0.0, &y_bias);
        // ẍ = X ÿ + ẏᵀ H ẏ
        let turned = local.turned(self.width());
        let x_bias: [f64; X] = std::array::from_fn(|k| {
            let along: f64 = (0..6).map(|i| local.by[k][i] * own[i]).sum();
            along + (0..6).map(|i| turned[k][i] * local.y_dot[i]).sum::<f64>()
        });
        let here = &local.here;
        let g_x = self.mesh.slope(here, side);
        let a_dot = here.rates[2];
        let g = super::mesh::dot(&g_x, &x_bias) + 0.5 * here.at.play[2] * a_dot * a_dot;
        bias[0] = self.mesh.geometry.cos_b * g;
        if let Some(parabola) = rubs {
            let [row, row_dot] = self.mesh.rubbing(here, parabola, side, &self.slices);
            bias[1] = super::mesh::dot(&row, &x_bias) + super::mesh::dot(&row_dot, &here.rates);
        }
    }
}

/// The middle of the width.
const MIDDLE: Slice = Slice { z: 0.0, share: 1.0, stretch: 0.0 };

/// The side whose pair is put in the pitch point: that of the flanks that touch, of the driving ones in the middle of the play.
fn side_or_first(side: f64) -> f64 {
    if side == 0.0 { 1.0 } else { side }
}

impl Local {
    /// Xᵀ Q.
    fn gathered(&self, Q: &[f64; X]) -> [f64; 6] {
        std::array::from_fn(|i| (0..X).map(|k| self.by[k][i] * Q[k]).sum())
    }

    /// Ż = H ẏ.
    fn turned(&self, n: usize) -> [[f64; 6]; X] {
        let mut turned = [[0.0; 6]; X];
        for k in 0..3 {
            for wheel in 0..2 {
                let [xx, xy, yy] = self.bend[k][wheel];
                let from = wheel * n;
                let [x, y] = [self.y_dot[from], self.y_dot[from + 1]];
                turned[k][from] = xx * x + xy * y;
                turned[k][from + 1] = xy * x + yy * y;
            }
        }
        turned
    }

    /// K and C in y.
    fn tangents(&self, sum: &Sum, n: usize) -> [[[f64; 6]; 6]; 2] {
        let turned = self.turned(n);
        let (mut K, mut C) = ([[0.0; 6]; 6], [[0.0; 6]; 6]);
        for j in 0..2 * n {
            let mut by_q = [0.0; X];
            let mut by_v = [0.0; X];
            for k in 0..X {
                for m in 0..X {
                    by_q[k] += sum.K[k][m] * self.by[m][j] + sum.C[k][m] * turned[m][j];
                    by_v[k] += sum.C[k][m] * self.by[m][j];
                }
            }
            for i in 0..2 * n {
                for k in 0..X {
                    K[i][j] += self.by[k][i] * by_q[k];
                    C[i][j] += self.by[k][i] * by_v[k];
                }
            }
        }
        for k in 0..3 {
            for wheel in 0..2 {
                let [xx, xy, yy] = self.bend[k][wheel];
                let from = wheel * n;
                K[from][from] -= sum.Q[k] * xx;
                K[from][from + 1] -= sum.Q[k] * xy;
                K[from + 1][from] -= sum.Q[k] * xy;
                K[from + 1][from + 1] -= sum.Q[k] * yy;
            }
        }
        [K, C]
    }
}
