//! The step of bodies that turn in space: momenta are added up in axes that stand still (after Simo and Wong, 1991).
//!
//! ω is in body axes. Of a body that spins, all that happens slowly in space (its swing, the torques on it, the levers of its
//! joints) turns in them by dt ω over a step, and sums over the step lose (dt ω)²/12 to (dt ω)²/8 of it. So what belongs to the beginning is turned
//! into the axes of the end first,
//!
//! ```text
//!   F = exp(−δ~) = A_{n+1}ᵀ A_n,        u = J⁻¹ F J v_c,        G̃_n = G_n Fᵀ            on the rates of rotations
//!   v_{n+1} = u + c_v x + w,            M x = h + ω × J ω,        M w = ½ (G̃_n + G_{n+1})ᵀ P_b + W P
//!   δ = δ_c + c_w (u − v_c) + c_a x + c_w w + dt²/6 ω_n × ω_{n+1}
//! ```
//!
//! Angular momenta of free bodies stay to the tolerance of the iteration. In the last line stands ½ dt (ω_n + ω_{n+1}) and, short of dt⁴, two
//! terms of dt²/12 ω_n × ω_{n+1}: one because rotations do not commute, so that turning with ω that changes steadily in space is exact; one
//! because it is Ω = A ω, not ω, that the trapezoidal rule is to be good for. What is left is dt³/12 Ω''. A heavy top that
//! turns by 0.15 rad in a step has 1/23 of the error of sums in body axes, of the same order (`tests/it/tops.rs` of `carom-systems`).
//!
//! Only what F moves is new in the iteration: u comes anew with every δ, and w takes the difference, v stays. −ω × J ω is in F, so h is free
//! of it, and so are the tangents. The derivative of F J v_c, (J ω)~ c_w, is skew, and no part of the symmetric matrix:
//!
//! ```text
//!   no joint     J δω = (1 − c_w (J ω)~ J⁻¹)⁻¹ r                  Newton's iteration
//!   it swings    exp(δ~/2) (J − c_w (J ω)~) = J + dt/2 C,         C = ω~ J − (J ω)~:  the rows are turned to the middle, with ½ (G_n + G_{n+1})
//!   it spins     (J ω)~ left out                                  small against the inertia that joints make it carry; the matrix has ½ (G̃_n + G_{n+1})
//! ```
//!
//! C of a slender body has entries on one side of its diagonal only, and does not slow the iteration. A body spins that turns by more than
//! [`FAST`], about an axis through its joints: seen in axes that turn with it, their directions would change by half of that.
//!
//! For joints along their mean directions, and a constant M that couples rotations with nothing else. A body that is round and in
//! no joint has nothing that F could move, and is left as it is.

use super::Joints;
use crate::rotation::{Vector, conjugate, cross, dot, exp, product};
use crate::{Configuration, System};

/// Rows of a matrix.
type Matrix = [Vector; 3];

/// A body that turns no further than this (rad) in a step is taken as one that swings.
const FAST: f64 = 0.05;
/// Spin is what turns a body without moving the points where joints hold it: this part of its square may be swing.
const SWING: f64 = 0.1;
/// (1/12 + 1/12) of dt² ω_n × ω_{n+1}.
const COMMUTATOR: f64 = 1.0 / 6.0;

/// A body that turns.
#[derive(Debug)]
struct Turning {
    /// Its quaternion in q and its rates in v.
    q: usize,
    v: usize,
    J: Matrix,
    J_inv: Matrix,
    /// Whether a joint holds it.
    jointed: bool,
    /// Whether its rows stay in the axes of the end.
    spins: bool,
    /// v_c as the scheme has it.
    v_c: Vector,
    /// F.
    F: Matrix,
}

/// All of them, and where G knows them.
#[derive(Debug)]
pub(super) struct Turned {
    bodies: Vec<Turning>,
    /// Number of a body, and where a row of G has its three entries.
    threes: Vec<(u32, [u32; 3])>,
    /// G_n, in pattern order.
    G_n: Vec<f64>,
    /// Whether h depends on t alone but for what turning bodies resist with.
    pub alone: bool,
}

fn times(A: &Matrix, x: Vector) -> Vector {
    [dot(A[0], x), dot(A[1], x), dot(A[2], x)]
}

fn read(x: &[f64], at: usize) -> Vector {
    [x[at], x[at + 1], x[at + 2]]
}

/// A⁻¹.
fn inverse(A: &Matrix) -> Matrix {
    let [a, b, c] = *A;
    // columns, times the determinant
    let [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)];
    let s = 1.0 / dot(a, x);
    [0, 1, 2].map(|i| [s * x[i], s * y[i], s * z[i]])
}

/// A(p).
fn axes([w, x, y, z]: [f64; 4]) -> Matrix {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

impl Turning {
    /// J⁻¹ F J x: an acceleration or velocity that stays in space, in the axes of the end.
    fn carry(&self, x: Vector) -> Vector {
        times(&self.J_inv, times(&self.F, times(&self.J, x)))
    }

    /// F for a turn by dt ω_n.
    fn guess(&mut self, dt: f64, v_n: &[f64]) {
        self.F = axes(exp(read(v_n, self.v).map(|omega| -dt * omega)));
    }

    /// Completes the δ of rates ω, with u where they come from.
    fn complete(&self, dt: f64, c_w: f64, v_n: &[f64], u: Vector, omega: Vector, delta: &mut [f64]) {
        // a step that knows the rates where it begins alone has its increment from them alone
        let commutator = if c_w == 0.0 { 0.0 } else { COMMUTATOR * dt * dt };
        let turn = cross(read(v_n, self.v), omega);
        for k in 0..3 {
            delta[self.v + k] += c_w * (u[k] - self.v_c[k]) + commutator * turn[k];
        }
    }

    /// The three numbers of this body.
    fn write(&self, x: Vector, out: &mut [f64]) {
        out[self.v..self.v + 3].copy_from_slice(&x);
    }
}

impl Turned {
    /// None where nothing turns, or the step is another one.
    pub fn new(system: &dyn System, at: &Configuration, joints: Joints) -> Option<Self> {
        let structure = system.structure();
        let pattern = &structure.pattern;
        if structure.rotations.is_empty() || !structure.mass_is_constant || joints != Joints::Mean {
            return None;
        }
        let mut M = vec![0.0; pattern.mass.len()];
        system.mass(at, &mut M);
        let mut bodies = Vec::new();
        let mut threes = Vec::new();
        for rotation in &structure.rotations {
            let own = rotation.v..rotation.v + 3;
            let mut J = [[0.0; 3]; 3];
            for (&(i, j), &m) in pattern.mass.iter().zip(&M) {
                let (i, j) = (i as usize, j as usize);
                match (own.contains(&i), own.contains(&j)) {
                    (true, true) => {
                        J[i - own.start][j - own.start] = m;
                        J[j - own.start][i - own.start] = m;
                    }
                    (false, false) => {}
                    _ => return None,
                }
            }
            let number = bodies.len() as u32;
            let before = threes.len();
            let mut places: Vec<(u32, [Vec<u32>; 3])> = Vec::new();
            for (place, &(row, column)) in pattern.jacobian.iter().enumerate() {
                if !own.contains(&(column as usize)) {
                    continue;
                }
                let known = match places.iter().rposition(|(of, _)| *of == row) {
                    Some(known) => known,
                    None => {
                        places.push((row, Default::default()));
                        places.len() - 1
                    }
                };
                places[known].1[column as usize - own.start].push(place as u32);
            }
            for (_, [x, y, z]) in places {
                // a row that names one rate names all three
                if x.len() != y.len() || y.len() != z.len() {
                    return None;
                }
                threes.extend((0..x.len()).map(|i| (number, [x[i], y[i], z[i]])));
            }
            let jointed = threes.len() > before;
            let round = J[0][0] == J[1][1] && J[1][1] == J[2][2] && [J[0][1], J[0][2], J[1][2]] == [0.0; 3];
            if jointed || !round {
                bodies.push(Turning {
                    q: rotation.q,
                    v: rotation.v,
                    J,
                    J_inv: inverse(&J),
                    jointed,
                    spins: false,
                    v_c: [0.0; 3],
                    F: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                });
            }
        }
        let alone = structure.gyroscopic || pattern.tangent.is_empty();
        let G_n = vec![0.0; pattern.jacobian.len()];
        (!bodies.is_empty()).then_some(Self { bodies, threes, G_n, alone })
    }

    /// First rate and J of the bodies.
    pub fn spins(&self) -> impl Iterator<Item = (usize, Matrix)> + '_ {
        self.bodies.iter().map(|body| (body.v, body.J))
    }

    /// h += ω × J ω.
    pub fn free(&self, v: &[f64], h: &mut [f64]) {
        for body in &self.bodies {
            let omega = read(v, body.v);
            let torque = cross(omega, times(&body.J, omega));
            (0..3).for_each(|k| h[body.v + k] += torque[k]);
        }
    }

    /// Completes the δ of a step without reactions; `v_c` is that of the scheme.
    pub fn predict(&mut self, dt: f64, c_w: f64, v_n: &[f64], v_c: &[f64], delta: &mut [f64]) {
        for body in &mut self.bodies {
            body.guess(dt, v_n);
            body.v_c = read(v_c, body.v);
            let u = body.carry(body.v_c);
            body.complete(dt, c_w, v_n, u, u, delta);
        }
    }

    /// Takes v_c and G_n, and turns v_c, and x as a first guess, by what dt ω_n gives for F.
    pub fn begin(&mut self, dt: f64, v_n: &[f64], G_n: &[f64], v_c: &mut [f64], x: &mut [f64]) {
        self.G_n.copy_from_slice(G_n);
        for body in &mut self.bodies {
            body.v_c = read(v_c, body.v);
            body.guess(dt, v_n);
            body.write(body.carry(body.v_c), v_c);
            body.write(body.carry(read(x, body.v)), x);
        }
    }

    /// At an iterate: F, u in the place of v_c, and G̃_n in the place of G_n; `out` += share (u before − u).
    pub fn turn(
        &mut self,
        q_n: &[f64],
        at: &Configuration,
        v_c: &mut [f64],
        (share, out): (f64, &mut [f64]),
        G: &mut [f64],
    ) {
        for body in &mut self.bodies {
            let four = |q: &[f64]| [q[body.q], q[body.q + 1], q[body.q + 2], q[body.q + 3]];
            body.F = axes(product(conjugate(four(at.q())), four(q_n)));
            let u = body.carry(body.v_c);
            for k in 0..3 {
                out[body.v + k] += share * (v_c[body.v + k] - u[k]);
            }
            body.write(u, v_c);
        }
        for &(body, places) in &self.threes {
            let [i, j, k] = places.map(|place| place as usize);
            let F = &self.bodies[body as usize].F;
            [G[i], G[j], G[k]] = times(F, [self.G_n[i], self.G_n[j], self.G_n[k]]);
        }
    }

    /// Says which bodies spin, and makes of the mean directions those that belong into the matrix, from those at the iterate.
    pub fn directions(&mut self, delta: &[f64], G: &[f64], G_mean: &mut [f64]) {
        for body in &mut self.bodies {
            let turn = read(delta, body.v);
            body.spins = dot(turn, turn) > FAST * FAST;
        }
        let mut from = 0;
        while from < self.threes.len() {
            // those of a body are neighbours
            let number = self.threes[from].0;
            let own = self.threes[from..].iter().take_while(|(body, _)| *body == number).count();
            let own = &self.threes[from..from + own];
            from += own.len();
            let body = &mut self.bodies[number as usize];
            if body.spins {
                let turn = read(delta, body.v);
                let (mut swing, mut all) = (0.0, 0.0);
                for &(_, places) in own {
                    let g = places.map(|place| G[place as usize]);
                    swing += dot(g, turn).powi(2);
                    all += dot(g, g) * dot(turn, turn);
                }
                body.spins = swing < SWING * all;
            }
            if !body.spins {
                for place in own.iter().flat_map(|(_, places)| places) {
                    let place = *place as usize;
                    G_mean[place] = 0.5 * (G[place] + self.G_n[place]);
                }
            }
        }
    }

    /// Turns the rows of the residual as the matrix has them.
    pub fn precede(&self, c_w: f64, v: &[f64], delta: &[f64], residual: &mut [f64]) {
        for body in &self.bodies {
            if body.jointed {
                if !body.spins {
                    // exp(δ~/2), short of δ³/48
                    let (r, half) = (read(residual, body.v), read(delta, body.v).map(|x| 0.5 * x));
                    let once = cross(half, r);
                    let twice = cross(half, once);
                    body.write([0, 1, 2].map(|k| r[k] + once[k] + 0.5 * twice[k]), residual);
                }
                continue;
            }
            let spin = times(&body.J, read(v, body.v)).map(|x| c_w * x);
            // columns of 1 − c_w (J ω)~ J⁻¹; J⁻¹ is symmetric
            let columns = body.J_inv.map(|column| cross(spin, column));
            let A = [0, 1, 2].map(|i| {
                let of = |j: usize| f64::from(u8::from(i == j)) - columns[j][i];
                [of(0), of(1), of(2)]
            });
            body.write(times(&inverse(&A), read(residual, body.v)), residual);
        }
    }

    /// Completes the δ of velocities v: c_w (u − v_c), and the commutator.
    pub fn complete(&self, dt: f64, c_w: f64, v_n: &[f64], v_c: &[f64], v: &[f64], delta: &mut [f64]) {
        for body in &self.bodies {
            body.complete(dt, c_w, v_n, read(v_c, body.v), read(v, body.v), delta);
        }
    }

    /// Turns accelerations of where the step begins into the axes of where it ends.
    pub fn carry(&self, x: &mut [f64]) {
        for body in &self.bodies {
            body.write(body.carry(read(x, body.v)), x);
        }
    }
}
