//! The bouncing oscillator, exactly: closed form between impacts, impacts located on it.        [Chen2013] App. B
//!
//! ```text
//!   c = (q_1 + q_2)/2,  c'' = −g;        r = q_2 − q_1 − l,  r'' = −ω² r,  ω² = 2k/m;       q_1 = c − (l + r)/2
//! ```
//!
//! Written in c and r instead of the matrix exponential (B.3) of the source; the same motion. An impact is the first
//! zero of q_1 − R: bracketed by a walk that starts with a fraction of the shortest possible flight, closed by
//! bisection. Flights that shrink below `SHORTEST` (m/s of rebound) are summed as a geometric series: the accumulation.

use crate::stack::Stack;

/// A rebound slower than this is the end of an accumulation (m/s).
const SHORTEST: f64 = 1e-9;
/// Steps of the walk per period of the spring.
const PER_PERIOD: f64 = 400.0;

/// A free flight from time t on.
#[derive(Clone, Copy, Debug)]
struct Flight {
    t: f64,
    c: f64,
    c_dot: f64,
    r: f64,
    r_dot: f64,
}

/// The motion until the first accumulation or the time asked for.
#[derive(Clone, Debug)]
pub struct Exact {
    gravity: f64,
    omega: f64,
    length: f64,
    flights: Vec<Flight>,
    /// When the lower mass came to rest on the floor after infinitely many impacts, if it did.
    pub accumulation: Option<f64>,
}

impl Exact {
    /// From rest at q, up to `end`.
    pub fn new(stack: &Stack, restitution: f64, q: [f64; 2], end: f64) -> Self {
        let (k, l) = stack.spring;
        let first = Flight { t: 0.0, c: 0.5 * (q[0] + q[1]), c_dot: 0.0, r: q[1] - q[0] - l, r_dot: 0.0 };
        let mut exact = Self {
            gravity: stack.gravity,
            omega: (2.0 * k / stack.mass).sqrt(),
            length: l,
            flights: vec![first],
            accumulation: None,
        };
        while let Some(t) = exact.next_impact(stack.radius, end) {
            let [_, v_1, q_2, v_2] = exact.at(t);
            let v_1 = -restitution * v_1;
            exact.flights.push(Flight {
                t,
                c: 0.5 * (stack.radius + q_2),
                c_dot: 0.5 * (v_1 + v_2),
                r: q_2 - stack.radius - l,
                r_dot: v_2 - v_1,
            });
            if v_1 < SHORTEST {
                // flights of 2v/a, 2ev/a, 2e²v/a, ...
                let a = exact.acceleration(t);
                exact.accumulation = Some(t + 2.0 * v_1 / (-a * (1.0 - restitution)));
                break;
            }
        }
        exact
    }

    /// Instants of the impacts.
    pub fn impacts(&self) -> impl Iterator<Item = f64> {
        self.flights[1..].iter().map(|f| f.t)
    }

    /// (q_1, v_1, q_2, v_2) at t; after an accumulation it is not known.
    pub fn at(&self, t: f64) -> [f64; 4] {
        let i = self.flights.partition_point(|f| f.t <= t).max(1) - 1;
        self.in_flight(&self.flights[i], t)
    }

    fn in_flight(&self, f: &Flight, t: f64) -> [f64; 4] {
        let s = t - f.t;
        let (sin, cos) = (self.omega * s).sin_cos();
        let c = f.c + f.c_dot * s - 0.5 * self.gravity * s * s;
        let c_dot = f.c_dot - self.gravity * s;
        let r = f.r * cos + f.r_dot / self.omega * sin;
        let r_dot = f.r_dot * cos - f.r * self.omega * sin;
        let half = 0.5 * (self.length + r);
        [c - half, c_dot - 0.5 * r_dot, c + half, c_dot + 0.5 * r_dot]
    }

    /// q_1'' in free flight.
    fn acceleration(&self, t: f64) -> f64 {
        let f = self.flights.last().expect("there is always a flight");
        let [q_1, _, q_2, _] = self.in_flight(f, t);
        -self.gravity + 0.5 * self.omega.powi(2) * (q_2 - q_1 - self.length)
    }

    fn next_impact(&self, radius: f64, end: f64) -> Option<f64> {
        let f = self.flights.last().expect("there is always a flight");
        let gap = |t: f64| self.in_flight(f, t)[0] - radius;
        let speed = |t: f64| self.in_flight(f, t)[1];
        let longest = std::f64::consts::TAU / self.omega / PER_PERIOD;
        // the shortest flight there can be after a rebound: 2 v / max |q_1''|
        let most = self.gravity + 0.5 * self.omega.powi(2) * f.r.hypot(f.r_dot / self.omega);
        let mut step = if self.flights.len() == 1 { longest } else { (speed(f.t) / most).min(longest) };
        let mut t = f.t;
        while t < end {
            let next = t + step;
            // below the floor here, or in between if the walk stepped over a short dip
            let low = if gap(next) <= 0.0 {
                Some(next)
            } else if speed(t) < 0.0 && speed(next) > 0.0 {
                let lowest = bisect(t, next, speed);
                (gap(lowest) <= 0.0).then_some(lowest)
            } else {
                None
            };
            if let Some(low) = low {
                return Some(bisect(t.max(f.t + 0.5 * step), low, |t| -gap(t))).filter(|t| *t <= end);
            }
            t = next;
            step = (2.0 * step).min(longest);
        }
        None
    }
}

/// A zero of f between a and b, where f(a) < 0 ≤ f(b), to the last bit.
fn bisect(mut a: f64, mut b: f64, f: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            return b;
        }
        if f(middle) < 0.0 { a = middle } else { b = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against small steps of Runge–Kutta with the impact law applied where q_1 crosses R.
    #[test]
    fn as_runge_kutta() {
        let stack = Stack::oscillator(1.0, 10.0, 0.2, 0.8, (1e4, 1.0));
        let exact = Exact::new(&stack, 0.8, [1.001, 2.001], 1.2);
        let rate = |y: [f64; 4]| {
            let f = 1e4 * (y[2] - y[0] - 1.0);
            [y[1], -10.0 + f, y[3], -10.0 - f]
        };
        let step = |y: [f64; 4], h: f64| {
            let add = |a: [f64; 4], b: [f64; 4], s: f64| std::array::from_fn(|i| a[i] + s * b[i]);
            let k1 = rate(y);
            let k2 = rate(add(y, k1, 0.5 * h));
            let k3 = rate(add(y, k2, 0.5 * h));
            let k4 = rate(add(y, k3, h));
            std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
        };
        let mut impacts = exact.impacts().peekable();
        let (mut t, mut y) = (0.0, [1.001, 0.0, 2.001, 0.0]);
        while t < 1.2 {
            let h = impacts.peek().map_or(1e-4, |impact| (impact - t).min(1e-4));
            y = step(y, h);
            t += h;
            if impacts.next_if(|impact| t >= impact - 1e-15).is_some() {
                assert!((y[0] - 0.2).abs() < 1e-8 && y[1] < 0.0, "at {t} the lower mass is at {}", y[0]);
                y[1] *= -0.8;
                t = t.next_up();
            }
            assert!(y[0] > 0.2 - 1e-8, "no impact was missed before {t}");
            let truth = exact.at(t);
            for i in 0..4 {
                assert!((y[i] - truth[i]).abs() < 1e-6, "at {t}, component {i}: {} and {}", y[i], truth[i]);
            }
        }
    }
}
