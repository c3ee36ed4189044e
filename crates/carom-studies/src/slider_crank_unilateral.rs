//! The slider-crank with play and friction, exact: event by event, with nothing in common with the schemes.
//!
//! With θ3 = ω3 = 0 at the start both corners of a side meet the wall together and the slider stays level, with friction
//! too: the moment of friction about its centre only shares the normal force out between the two corners, (1 ± μ b/a)/2.
//! What is left are crank and rod with the slider as a point r = l1 e(θ1) + l2 e(θ2) between walls at r_y = ± c:
//!
//! ```text
//!   flight:    M a = h                                        until g = c ∓ r_y = 0
//!   impact:    M (v⁺ − v⁻) = n Λ_N + t Λ_T,   u_N⁺ = −e u_N⁻,   u_T⁺ = 0 or Λ_T = −μ Λ_N sign u_T⁺
//!   contact:   M a = h + (n − μ σ t) N,   r̈_y = 0,   σ = sign ṙ_x      to N = 0 (release) or ṙ_x = 0 (σ turns)
//! ```
//!
//! n, t: gradients of the gap and of r_x. In contact θ1 is the coordinate and r_y = ± c gives θ2, so there is no drift; the
//! slider cannot stick, unless the whole mechanism does. Rebounds accumulate: when the next would be slower than
//! [`Precision::slowest`] the rest of them is one plastic impact, which is right to second order in that speed, because
//! the mean of the impulses to come is the force of the closed contact. In flight the gap to the wall left last is
//! integrated from its exact 0 along with the rest, so that the smallest rebounds keep their digits.
//!
//! With c = 0 both walls hold (no friction then): the bilateral slider-crank.
//!
//! This level motion is not the limit of slightly tilted starts: there one corner hits first, and alternating impacts
//! make the whole plastic.

use crate::extrapolation::{extrapolate, root};
use carom_systems::SliderCrank;

/// How finely the motion is resolved.
#[derive(Clone, Copy, Debug)]
pub struct Precision {
    /// Longest step (s).
    pub step: f64,
    /// Columns of the extrapolation: half its order.
    pub columns: usize,
    /// Slowest rebound that is followed (m/s).
    pub slowest: f64,
}

impl Default for Precision {
    fn default() -> Self {
        Self { step: 1e-4, columns: 7, slowest: 1e-9 }
    }
}

/// Where events are looked for within a step: so many equal parts.
const PARTS: usize = 4;

/// θ1, θ2, ω1, ω2, gap to the wall left last, energy lost to friction.
type Motion = [f64; 6];

/// What the mechanism is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Free; the upper (+1) or lower (−1) wall was left last.
    Flight { wall: f64 },
    /// On a wall, sliding in direction σ.
    Contact { wall: f64, sigma: f64 },
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening {
    /// An impact, with its normal impulse, both corners together (N s).
    Impact(f64),
    /// The last of an accumulation of impacts.
    Closed,
    /// The contact opened.
    Released,
    /// The slider turned.
    Turned,
}

/// A happening at the upper (+1) or lower (−1) wall.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// When (s).
    pub t: f64,
    /// What.
    pub what: Happening,
    /// Where.
    pub wall: f64,
}

/// Where the mechanism is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// θ1, θ2 (rad).
    pub theta: [f64; 2],
    /// ω1, ω2 after an impact (rad/s).
    pub omega: [f64; 2],
    /// Normal force of the upper and of the lower wall, both corners together (N).
    pub force: [f64; 2],
}

/// The beginning of a step.
#[derive(Clone, Copy, Debug)]
struct Knot {
    t: f64,
    y: Motion,
    phase: Phase,
}

/// The exact motion.
#[derive(Clone, Debug)]
pub struct Unilateral {
    crank: Crank,
    precision: Precision,
    knots: Vec<Knot>,
    events: Vec<Event>,
    /// Energy lost in impacts (J).
    impact_loss: f64,
}

impl Unilateral {
    /// From the start of the data to `end`.
    pub fn new(data: &SliderCrank, end: f64, precision: Precision) -> Self {
        assert!(data.angles[2] == 0.0 && data.speeds[2] == 0.0, "the slider starts level");
        let crank = Crank::new(*data);
        let ([theta1, theta2, _], [omega1, omega2, _]) = (data.angles, data.speeds);
        let mut y = [theta1, theta2, omega1, omega2, 0.0, 0.0];
        y[4] = data.c - crank.at(&y).r[1];
        let mut phase = Phase::Flight { wall: 1.0 };
        if data.c == 0.0 {
            assert!(data.friction == 0.0, "without play there is no friction here");
            phase = Phase::Contact { wall: 1.0, sigma: 1.0 };
        }
        let mut motion = Self { crank, precision, knots: Vec::new(), events: Vec::new(), impact_loss: 0.0 };
        let mut knot = Knot { t: 0.0, y, phase };
        while knot.t < end {
            motion.knots.push(knot);
            knot = match knot.phase {
                Phase::Flight { wall } => motion.fly(knot, wall),
                Phase::Contact { wall, sigma } => motion.slide(knot, wall, sigma),
            };
        }
        motion.knots.push(knot);
        motion
    }

    /// All events in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// At t, after the impact if there is one.
    pub fn at(&self, t: f64) -> Place {
        let k = self.knots.partition_point(|k| k.t <= t).max(1) - 1;
        let Knot { t: begin, y, phase } = self.knots[k];
        let y = self.flow(phase, &y, t - begin);
        let mut force = [0.0; 2];
        if let Phase::Contact { wall, sigma } = phase {
            // without play the other wall pulls
            let N = self.crank.contact(&y, wall, sigma).1;
            force[usize::from(wall * N < 0.0)] = N.abs();
        }
        Place { theta: [y[0], y[1]], omega: [y[2], y[3]], force }
    }

    /// Energy at the beginning less that at the end less what impacts and friction took: what the integration lost.
    pub fn energy_gap(&self) -> f64 {
        let [first, last] = [0, self.knots.len() - 1].map(|k| self.knots[k].y);
        self.crank.energy(&first) - self.crank.energy(&last) - self.impact_loss - last[5]
    }

    /// Energy at t (J).
    pub fn energy(&self, t: f64) -> f64 {
        let Place { theta, omega, .. } = self.at(t);
        self.crank.energy(&[theta[0], theta[1], omega[0], omega[1], 0.0, 0.0])
    }

    /// The motion h after y.
    fn flow(&self, phase: Phase, y: &Motion, h: f64) -> Motion {
        let crank = &self.crank;
        match phase {
            Phase::Flight { wall } => extrapolate(y, h, self.precision.columns, |y| crank.flight(y, wall)),
            Phase::Contact { wall, sigma } => {
                // θ1 and ω1 move, the rest follows
                let slope = |x: &[f64; 3]| {
                    let y = crank.on_wall(x[0], x[1], wall);
                    let (a, N) = crank.contact(&y, wall, sigma);
                    let speed = crank.at(&y).velocity(&y)[0];
                    [x[1], a[0], crank.data.friction * N * sigma * speed]
                };
                let x = extrapolate(&[y[0], y[2], y[5]], h, self.precision.columns, slope);
                let mut y = crank.on_wall(x[0], x[1], wall);
                y[5] = x[2];
                y
            }
        }
    }

    /// A step in flight, up to an impact and through it.
    fn fly(&mut self, from: Knot, wall: f64) -> Knot {
        let Knot { t, y, phase } = from;
        let c = self.crank.data.c;
        // gap and its velocity at a wall; −1 is that on the other side of the one left last
        let gap = |y: &Motion, side: f64| {
            let speed = -side * wall * self.crank.at(y).velocity(y)[1];
            (if side > 0.0 { y[4] } else { 2.0 * c - y[4] }, speed)
        };
        let mut h = self.precision.step;
        let slope = self.crank.flight(&y, wall);
        if y[4] == 0.0 && slope[4] > 0.1 * self.precision.slowest {
            // a rebound: the first step ends on its way up
            let gamma = self.crank.gap_acceleration(&y, &[slope[2], slope[3]], wall);
            if gamma < 0.0 {
                h = h.min(-0.5 * slope[4] / gamma);
            }
        }
        let mut before = (0.0, y);
        for part in 1..=PARTS {
            let h_k = h * part as f64 / PARTS as f64;
            let now = (h_k, self.flow(phase, &y, h_k));
            for side in [1.0, -1.0] {
                let ((g_0, u_0), (g_1, u_1)) = (gap(&before.1, side), gap(&now.1, side));
                let value = |h: f64| gap(&self.flow(phase, &y, h), side).0;
                let mut closed = (g_0 > 0.0 && g_1 <= 0.0).then_some((h_k, g_1));
                if closed.is_none() && g_0 > 0.0 && u_0 < 0.0 && u_1 > 0.0 {
                    // a lowest place between: is it inside the wall?
                    let speed = |h: f64| gap(&self.flow(phase, &y, h), side).1;
                    let lowest = root(speed, (before.0, u_0), (h_k, u_1));
                    closed = Some((lowest, value(lowest))).filter(|(_, g)| *g <= 0.0);
                }
                if let Some(end) = closed {
                    let h = root(value, (before.0, g_0), end);
                    let y = self.flow(phase, &y, h);
                    return self.hit(t + h, y, side * wall);
                }
            }
            before = now;
        }
        Knot { t: t + h, y: before.1, phase }
    }

    /// An impact.
    fn hit(&mut self, t: f64, mut y: Motion, wall: f64) -> Knot {
        let (u_N, energy) = (-wall * self.crank.at(&y).velocity(&y)[1], self.crank.energy(&y));
        let (mut after, imp_N) = self.crank.impact(&y, wall, self.crank.data.restitution);
        self.events.push(Event { t, what: Happening::Impact(imp_N), wall });
        let mut phase = Phase::Flight { wall };
        if -self.crank.data.restitution * u_N < self.precision.slowest {
            // the rest of an accumulation, if the wall can hold the slider
            let (still, _) = self.crank.impact(&y, wall, 0.0);
            let sigma = self.crank.at(&still).velocity(&still)[0].signum();
            if self.crank.contact(&still, wall, sigma).1 > 0.0 {
                self.events.push(Event { t, what: Happening::Closed, wall });
                (after, phase) = (still, Phase::Contact { wall, sigma });
            }
        }
        self.impact_loss += energy - self.crank.energy(&after);
        y[2..4].copy_from_slice(&after[2..4]);
        y[4] = 0.0;
        Knot { t, y, phase }
    }

    /// A step on a wall, up to an event and through it.
    fn slide(&mut self, from: Knot, wall: f64, sigma: f64) -> Knot {
        let Knot { t, y, phase } = from;
        let h = self.precision.step;
        if self.crank.data.c == 0.0 {
            return Knot { t: t + h, y: self.flow(phase, &y, h), phase };
        }
        let force = |y: &Motion| self.crank.contact(y, wall, sigma).1;
        let ahead = |y: &Motion| sigma * self.crank.at(y).velocity(y)[0];
        let mut before = (0.0, y);
        for part in 1..=PARTS {
            let h_k = h * part as f64 / PARTS as f64;
            let now = (h_k, self.flow(phase, &y, h_k));
            let first = |f: &dyn Fn(&Motion) -> f64| {
                let (f_0, f_1) = (f(&before.1), f(&now.1));
                (f_0 > 0.0 && f_1 <= 0.0)
                    .then(|| root(|h| f(&self.flow(phase, &y, h)), (before.0, f_0), (h_k, f_1)))
            };
            let (opens, turns) = (first(&force), first(&ahead));
            let earliest = opens.unwrap_or(f64::INFINITY).min(turns.unwrap_or(f64::INFINITY));
            if earliest.is_finite() {
                let mut y = self.flow(phase, &y, earliest);
                y[4] = 0.0;
                let mut phase = Phase::Flight { wall };
                let mut what = Happening::Released;
                if opens != Some(earliest) {
                    assert!(y[2].abs() > 1e-6, "the mechanism comes to rest on a wall");
                    what = Happening::Turned;
                    if self.crank.contact(&y, wall, -sigma).1 > 0.0 {
                        phase = Phase::Contact { wall, sigma: -sigma };
                    }
                }
                self.events.push(Event { t: t + earliest, what, wall });
                return Knot { t: t + earliest, y, phase };
            }
            before = now;
        }
        Knot { t: t + h, y: before.1, phase }
    }
}

/// Crank and rod with the slider as a point.
#[derive(Clone, Debug)]
struct Crank {
    data: SliderCrank,
    I1: f64,
    I2: f64,
    kappa: f64,
    gamma: [f64; 2],
}

/// What depends on θ.
#[derive(Clone, Copy, Debug)]
struct Geometry {
    /// Centre of the slider.
    r: [f64; 2],
    /// ∂r_x/∂θ, ∂r_y/∂θ.
    r_x: [f64; 2],
    r_y: [f64; 2],
}

impl Geometry {
    /// ṙ.
    fn velocity(&self, y: &Motion) -> [f64; 2] {
        [self.r_x, self.r_y].map(|row| row[0] * y[2] + row[1] * y[3])
    }
}

impl Crank {
    fn new(data: SliderCrank) -> Self {
        let SliderCrank { l1, l2, m1, m2, m3, J1, J2, gravity, .. } = data;
        Self {
            data,
            I1: J1 + (m1 / 4.0 + m2 + m3) * l1 * l1,
            I2: J2 + (m2 / 4.0 + m3) * l2 * l2,
            kappa: (m2 / 2.0 + m3) * l1 * l2,
            gamma: [(m1 / 2.0 + m2 + m3) * l1 * gravity, (m2 / 2.0 + m3) * l2 * gravity],
        }
    }

    fn at(&self, y: &Motion) -> Geometry {
        let (x1, y1) = (self.data.l1 * y[0].cos(), self.data.l1 * y[0].sin());
        let (x2, y2) = (self.data.l2 * y[1].cos(), self.data.l2 * y[1].sin());
        Geometry { r: [x1 + x2, y1 + y2], r_x: [-y1, -y2], r_y: [x1, x2] }
    }

    /// M⁻¹ x.
    fn solve(&self, y: &Motion, x: [f64; 2]) -> [f64; 2] {
        let m = self.kappa * (y[0] - y[1]).cos();
        let det = self.I1 * self.I2 - m * m;
        [(self.I2 * x[0] - m * x[1]) / det, (self.I1 * x[1] - m * x[0]) / det]
    }

    /// M⁻¹ h.
    fn free(&self, y: &Motion) -> [f64; 2] {
        let turn = self.kappa * (y[0] - y[1]).sin();
        let h = [
            self.data.torque - turn * y[3] * y[3] - self.gamma[0] * y[0].cos(),
            turn * y[2] * y[2] - self.gamma[1] * y[1].cos(),
        ];
        self.solve(y, h)
    }

    /// g̈ at a wall for accelerations a.
    fn gap_acceleration(&self, y: &Motion, a: &[f64; 2], wall: f64) -> f64 {
        let at = self.at(y);
        -wall * (dot(at.r_y, *a) + at.r_x[0] * y[2] * y[2] + at.r_x[1] * y[3] * y[3])
    }

    /// y' in flight.
    fn flight(&self, y: &Motion, wall: f64) -> Motion {
        let a = self.free(y);
        [y[2], y[3], a[0], a[1], -wall * self.at(y).velocity(y)[1], 0.0]
    }

    /// The whole motion on a wall from that of the crank.
    fn on_wall(&self, theta1: f64, omega1: f64, wall: f64) -> Motion {
        let SliderCrank { l1, l2, c, .. } = self.data;
        let theta2 = ((wall * c - l1 * theta1.sin()) / l2).asin();
        [theta1, theta2, omega1, -l1 * theta1.cos() * omega1 / (l2 * theta2.cos()), 0.0, 0.0]
    }

    /// Accelerations and normal force on a wall: r̈_y = 0.
    fn contact(&self, y: &Motion, wall: f64, sigma: f64) -> ([f64; 2], f64) {
        let at = self.at(y);
        let free = self.free(y);
        let rub = self.data.friction * sigma;
        let w = self.solve(y, [0, 1].map(|i| -wall * at.r_y[i] - rub * at.r_x[i]));
        let N = self.gap_acceleration(y, &free, wall) / (wall * dot(at.r_y, w));
        ([0, 1].map(|i| free[i] + N * w[i]), N)
    }

    /// The motion after an impact with restitution e, and its normal impulse: the slider stops sideways, or slides on.
    fn impact(&self, y: &Motion, wall: f64, e: f64) -> (Motion, f64) {
        let at = self.at(y);
        let (n, t) = (at.r_y.map(|r| -wall * r), at.r_x);
        let (w_n, w_t) = (self.solve(y, n), self.solve(y, t));
        let (D_nn, D_nt, D_tt) = (dot(n, w_n), dot(n, w_t), dot(t, w_t));
        let v = [y[2], y[3]];
        let (u_N, u_T) = (dot(n, v), dot(t, v));
        let (lift, stop) = (-(1.0 + e) * u_N, -(1.0 + self.data.tangential_restitution) * u_T);
        let mu = self.data.friction;
        // sticking, and sliding to either side
        let det = D_nn * D_tt - D_nt * D_nt;
        let stick = [(D_tt * lift - D_nt * stop) / det, (D_nn * stop - D_nt * lift) / det];
        let slide = |sigma: f64| {
            let N = lift / (D_nn - mu * sigma * D_nt);
            [N, -mu * sigma * N]
        };
        let offset = self.data.tangential_restitution * u_T;
        let after = |P: [f64; 2]| u_T + D_nt * P[0] + D_tt * P[1] + offset;
        let P = if stick[1].abs() <= mu * stick[0] {
            stick
        } else {
            let consistent = [1.0, -1.0].map(slide).into_iter().zip([1.0, -1.0]);
            let mut found = consistent.filter(|(P, sigma)| P[0] >= 0.0 && sigma * after(*P) > 0.0);
            found.next().expect("an impact of a single point with little friction has a solution").0
        };
        let mut y = *y;
        y[2] += w_n[0] * P[0] + w_t[0] * P[1];
        y[3] += w_n[1] * P[0] + w_t[1] * P[1];
        (y, P[0])
    }

    fn energy(&self, y: &Motion) -> f64 {
        let m = self.kappa * (y[0] - y[1]).cos();
        let kinetic = 0.5 * (self.I1 * y[2] * y[2] + self.I2 * y[3] * y[3]) + m * y[2] * y[3];
        let work = self.data.torque * y[0];
        kinetic + self.gamma[0] * y[0].sin() + self.gamma[1] * y[1].sin() - work
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::running::{Method, watch};
    use carom_systems::SliderCrankMinimal;

    const END: f64 = 0.1;

    fn motion(friction: f64, precision: Precision) -> Unilateral {
        Unilateral::new(&SliderCrank { friction, ..SliderCrank::default() }, END, precision)
    }

    #[test]
    fn energy_balance_closes() {
        for friction in [0.0, 0.01, 0.3] {
            let motion = motion(friction, Precision::default());
            let gap = motion.energy_gap().abs() / motion.energy(0.0);
            assert!(gap < 1e-12, "friction {friction}: {gap:e}");
        }
    }

    #[test]
    fn independent_of_its_precision() {
        let fine = motion(0.01, Precision::default());
        let coarse = motion(0.01, Precision { step: 3e-4, columns: 8, slowest: 1e-7 });
        for k in 0..=1000 {
            let t = END * f64::from(k) / 1000.0;
            let (a, b) = (fine.at(t), coarse.at(t));
            for i in 0..2 {
                let (theta, omega) = (a.theta[i] - b.theta[i], a.omega[i] - b.omega[i]);
                assert!(theta.abs() < 1e-11 && omega.abs() < 1e-9, "t = {t}: {theta:e}, {omega:e}");
            }
        }
    }

    #[test]
    fn stays_between_the_walls_and_is_pushed_only() {
        let motion = motion(0.01, Precision::default());
        let c = motion.crank.data.c;
        let mut pushed = [0; 2];
        for k in 0..20_000 {
            let Place { theta, omega, force } = motion.at(END * f64::from(k) / 20_000.0);
            let r = motion.crank.at(&[theta[0], theta[1], omega[0], omega[1], 0.0, 0.0]).r;
            assert!(r[1].abs() < c + 1e-14 && force.iter().all(|f| *f >= 0.0), "{r:?}, {force:?}");
            for i in 0..2 {
                pushed[i] += usize::from(force[i] > 0.0);
            }
        }
        assert!(pushed.iter().all(|n| *n > 500), "long contacts at both walls: {pushed:?}");
    }

    #[test]
    fn impacts_obey_the_laws() {
        // large friction, so that impacts stick and slide
        for friction in [0.01, 0.5] {
            let motion = motion(friction, Precision::default());
            let crank = &motion.crank;
            for event in motion.events().iter().filter(|e| matches!(e.what, Happening::Impact(_))) {
                let k = motion.knots.iter().position(|k| k.t == event.t).expect("an impact ends a step");
                let before = motion.flow(
                    motion.knots[k - 1].phase,
                    &motion.knots[k - 1].y,
                    event.t - motion.knots[k - 1].t,
                );
                let after = crank.impact(&before, event.wall, crank.data.restitution).0;
                let [u_0, u_1] = [before, after].map(|y| crank.at(&y).velocity(&y));
                assert!((u_1[1] + crank.data.restitution * u_0[1]).abs() < 1e-13, "{event:?}");
                // M (v⁺ − v⁻) = n Λ_N + t Λ_T solved for Λ
                let m = crank.kappa * (before[0] - before[1]).cos();
                let d = [after[2] - before[2], after[3] - before[3]];
                let jump = [crank.I1 * d[0] + m * d[1], m * d[0] + crank.I2 * d[1]];
                let at = crank.at(&before);
                let det = at.r_y[0] * at.r_x[1] - at.r_y[1] * at.r_x[0];
                let imp_N = -event.wall * (jump[0] * at.r_x[1] - jump[1] * at.r_x[0]) / det;
                let imp_T = (at.r_y[0] * jump[1] - at.r_y[1] * jump[0]) / det;
                let bound = friction * imp_N;
                // what round-off of v leaves
                let round = 1e-6 * bound + 1e-12;
                assert!(imp_N > 0.0 && imp_T.abs() <= bound + round, "{imp_N} {imp_T}");
                let slides = (imp_T + bound * u_1[0].signum()).abs() < round;
                let stops = u_1[0].abs() < 1e-10;
                assert!(slides || stops, "{event:?}: {imp_N} {imp_T} {u_1:?}");
            }
        }
    }

    /// Without play: another derivation, by energy and quadrature.
    #[test]
    fn without_play_it_is_the_bilateral_motion() {
        use crate::slider_crank_bilateral::{Bilateral, Precision as Quadrature};
        let data = SliderCrank { c: 0.0, friction: 0.0, ..SliderCrank::default() };
        let ours = Unilateral::new(&data, END, Precision::default());
        let theirs = Bilateral::new(data, END, Quadrature::default());
        for k in 1..=100 {
            let t = END * f64::from(k) / 101.0;
            let (a, b) = (ours.at(t), theirs.at(t));
            for i in 0..2 {
                assert!((a.theta[i] - b.theta[i]).abs() < 1e-11, "t = {t}: {a:?}, {b:?}");
                assert!((a.omega[i] - b.omega[i]).abs() < 1e-9, "t = {t}: {a:?}, {b:?}");
            }
            // the upper wall pushes down, the lower up
            let force = a.force[1] - a.force[0];
            assert!((force - b.force).abs() < 1e-9, "t = {t}: {force}, {}", b.force);
        }
    }

    /// The schemes share nothing with this but the data; with impacts in 100 parts the fourth-order one comes close.
    #[test]
    fn a_scheme_converges_to_it() {
        let data = SliderCrank::default();
        let motion = motion(data.friction, Precision::default());
        let system = SliderCrankMinimal::new(data);
        let method = Method { label: "", scheme: "half-explicit-4", parameters: &[("parts", 100.0)] };
        let worst = |step: f64| {
            let mut worst = 0.0_f64;
            watch(&system, method, (&data.angles, &data.speeds), step, 0.05, |state, _| {
                let Place { theta, .. } = motion.at(state.t);
                worst = worst.max((state.q[0] - theta[0]).abs()).max((state.q[1] - theta[1]).abs());
            })
            .expect("runs");
            worst
        };
        let (coarse, fine) = (worst(1e-4), worst(1e-5));
        assert!(coarse < 3e-5 && fine < 2e-6, "{coarse:e}, {fine:e}");
    }
}
