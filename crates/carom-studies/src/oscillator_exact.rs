//! The bouncing oscillator, exactly: closed form between impacts, impacts located on it.        [Chen2013] App. B
//!
//! ```text
//!   c = (q_1 + q_2)/2,  c'' = −g;        r = q_2 − q_1 − l,  r'' = −ω² r,  ω² = 2k/m;       q_1 = c − (l + r)/2
//! ```
//!
//! Written in c and r instead of the matrix exponential (B.3) of the source; the same motion. An impact is the first
//! zero of q_1 − R: bracketed by a walk that starts with a fraction of the shortest possible flight, closed by
//! bisection. Flights that shrink below `SHORTEST` (m/s of rebound) are summed as a geometric series: the accumulation.
//!
//! The oscillator amplifies: by the accumulation a change of its first spring length has grown 1e14 times. In doubles the last
//! impacts are made of round-off, so the flights are computed in 32 digits (`wide`) from the decimal numbers of the source,
//! and rounded then.

use crate::stack::Stack;
use crate::wide::{Number, Wide};

/// A rebound slower than this is the end of an accumulation (m/s).
const SHORTEST: f64 = 1e-9;
/// Steps of the walk per period of the spring.
const PER_PERIOD: f64 = 400.0;

/// A free flight from time t on.
#[derive(Clone, Copy, Debug)]
struct Flight<T> {
    t: T,
    c: T,
    c_dot: T,
    r: T,
    r_dot: T,
}

/// The motion, flight by flight.
#[derive(Clone, Copy, Debug)]
struct Motion<T> {
    gravity: T,
    omega: T,
    length: T,
    radius: T,
    flight: Flight<T>,
}

/// The motion until the first accumulation or the time asked for.
#[derive(Clone, Debug)]
pub struct Exact {
    gravity: f64,
    omega: f64,
    length: f64,
    flights: Vec<Flight<f64>>,
    /// When the lower mass came to rest on the floor after infinitely many impacts, if it did.
    pub accumulation: Option<f64>,
}

const HALF: f64 = 0.5;

/// An oscillator at rest, its spring longer by `moved`, watched until `end`.
#[derive(Clone, Copy, Debug)]
pub struct Drop<'s> {
    pub stack: &'s Stack,
    pub restitution: f64,
    pub q: [f64; 2],
    pub end: f64,
}

impl Drop<'_> {
    /// Every flight, and the accumulation, in the numbers asked for.
    fn flights<T: Number>(&self, moved: f64) -> (Motion<T>, Vec<Flight<T>>, Option<T>) {
        let (k, l) = self.stack.spring;
        let (half, zero, length) = (T::from(HALF), T::from(0.0), T::decimal(l));
        let restitution = T::decimal(self.restitution);
        let q = [T::decimal(self.q[0]), T::decimal(self.q[1]) + T::from(moved)];
        let first =
            Flight { t: zero, c: half * (q[0] + q[1]), c_dot: zero, r: q[1] - q[0] - length, r_dot: zero };
        let mut motion = Motion {
            gravity: T::decimal(self.stack.gravity),
            omega: (T::from(2.0) * T::decimal(k) / T::decimal(self.stack.mass)).sqrt(),
            length,
            radius: T::decimal(self.stack.radius),
            flight: first,
        };
        let mut flights = vec![first];
        while let Some(t) = motion.next_impact(flights.len() == 1, T::decimal(self.end)) {
            let [_, v_1, q_2, v_2] = motion.at(t);
            let v_1 = -(restitution * v_1);
            motion.flight = Flight {
                t,
                c: half * (motion.radius + q_2),
                c_dot: half * (v_1 + v_2),
                r: q_2 - motion.radius - length,
                r_dot: v_2 - v_1,
            };
            flights.push(motion.flight);
            if v_1.round() < SHORTEST {
                // flights of 2v/a, 2ev/a, 2e²v/a, ...
                let rest = T::from(2.0) * v_1 / (-motion.acceleration() * (T::from(1.0) - restitution));
                return (motion, flights, Some(t + rest));
            }
        }
        (motion, flights, None)
    }

    /// The accumulation as doubles have it.
    pub fn in_doubles(&self) -> Option<f64> {
        self.flights::<f64>(0.0).2
    }

    /// Seconds by which the accumulation moves per metre by which the spring is longer at first: the round-off of a length times
    /// this is what doubles cannot know. The change is far below double precision, and far above that of the flights.
    pub fn amplification(&self) -> Option<f64> {
        const MOVED: f64 = 1e-22;
        let instant = |moved: f64| self.flights::<Wide>(moved).2;
        Some((instant(MOVED)? - instant(-MOVED)?).round() / (2.0 * MOVED))
    }
}

impl Exact {
    /// From rest at q, up to `end`.
    pub fn new(stack: &Stack, restitution: f64, q: [f64; 2], end: f64) -> Self {
        let (motion, flights, accumulation) = Drop { stack, restitution, q, end }.flights::<Wide>(0.0);
        Self {
            gravity: motion.gravity.round(),
            omega: motion.omega.round(),
            length: motion.length.round(),
            flights: flights.iter().map(Flight::rounded).collect(),
            accumulation: accumulation.map(Number::round),
        }
    }

    /// Instants of the impacts.
    pub fn impacts(&self) -> impl Iterator<Item = f64> {
        self.flights[1..].iter().map(|f| f.t)
    }

    /// (q_1, v_1, q_2, v_2) at t; after an accumulation it is not known.
    pub fn at(&self, t: f64) -> [f64; 4] {
        let i = self.flights.partition_point(|f| f.t <= t).max(1) - 1;
        let f = &self.flights[i];
        let s = t - f.t;
        let (sin, cos) = (self.omega * s).sin_cos();
        let c = f.c + f.c_dot * s - 0.5 * self.gravity * s * s;
        let c_dot = f.c_dot - self.gravity * s;
        let r = f.r * cos + f.r_dot / self.omega * sin;
        let r_dot = f.r_dot * cos - f.r * self.omega * sin;
        let half = 0.5 * (self.length + r);
        [c - half, c_dot - 0.5 * r_dot, c + half, c_dot + 0.5 * r_dot]
    }
}

impl<T: Number> Flight<T> {
    fn rounded(&self) -> Flight<f64> {
        Flight {
            t: self.t.round(),
            c: self.c.round(),
            c_dot: self.c_dot.round(),
            r: self.r.round(),
            r_dot: self.r_dot.round(),
        }
    }
}

impl<T: Number> Motion<T> {
    /// (q_1, v_1, q_2, v_2) at t of this flight.
    fn at(&self, t: T) -> [T; 4] {
        let (f, half) = (&self.flight, T::from(HALF));
        let s = t - f.t;
        let (sin, cos) = (self.omega * s).sin_cos();
        let c = f.c + (f.c_dot - half * self.gravity * s) * s;
        let c_dot = f.c_dot - self.gravity * s;
        let r = f.r * cos + f.r_dot / self.omega * sin;
        let r_dot = f.r_dot * cos - f.r * self.omega * sin;
        let spring = half * (self.length + r);
        [c - spring, c_dot - half * r_dot, c + spring, c_dot + half * r_dot]
    }

    /// q_1'' where this flight begins.
    fn acceleration(&self) -> T {
        T::from(HALF) * self.omega * self.omega * self.flight.r - self.gravity
    }

    fn next_impact(&self, first: bool, end: T) -> Option<T> {
        let f = &self.flight;
        let (zero, two) = (T::from(0.0), T::from(2.0));
        let gap = |t: T| self.at(t)[0] - self.radius;
        let speed = |t: T| self.at(t)[1];
        let longest = T::from(std::f64::consts::TAU / self.omega.round() / PER_PERIOD);
        // the shortest flight there can be after a rebound: 2 v / max |q_1''|
        let omega = self.omega.round();
        let swing = f.r.round().hypot(f.r_dot.round() / omega);
        let most = T::from(self.gravity.round() + 0.5 * omega.powi(2) * swing);
        let mut step = if first { longest } else { (speed(f.t) / most).least(longest) };
        let mut t = f.t;
        while t < end {
            let next = t + step;
            // below the floor here, or in between if the walk stepped over a short dip
            let low = if gap(next) <= zero {
                Some(next)
            } else if speed(t) < zero && speed(next) > zero {
                let lowest = bisect(t, next, speed);
                (gap(lowest) <= zero).then_some(lowest)
            } else {
                None
            };
            if let Some(low) = low {
                let high = t.most(f.t + T::from(HALF) * step);
                return Some(bisect(high, low, |t| -gap(t))).filter(|t| *t <= end);
            }
            t = next;
            step = (two * step).least(longest);
        }
        None
    }
}

/// A zero of f between a and b, where f(a) < 0 ≤ f(b), to the last bit.
fn bisect<T: Number>(mut a: T, mut b: T, f: impl Fn(T) -> T) -> T {
    loop {
        let middle = T::from(HALF) * (a + b);
        if middle <= a || middle >= b {
            return b;
        }
        if f(middle) < T::from(0.0) { a = middle } else { b = middle }
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

    /// By another program in 40 and 60 digits (`oscillator_accumulation` in `gallery/reference.py`: monotone pieces between the
    /// zeros of q_1'' and q_1', Newton's iteration inside them): both give 3.361338975177451210458478 s, 20 digits 3.361338974 s.
    #[test]
    fn accumulates_as_in_sixty_digits() {
        let stack = Stack::oscillator(1.0, 10.0, 0.2, 0.8, (1e4, 1.0));
        let exact = Exact::new(&stack, 0.8, [1.001, 2.001], 4.0);
        let t = exact.accumulation.expect("it accumulates");
        assert!((t - 3.361_338_975_177_451).abs() < 1e-14, "{t:?}");
        let impacts: Vec<f64> = exact.impacts().collect();
        for (n, t) in [
            (1, 0.400249921924),
            (2, 0.419707564078),
            (4, 1.03153270275),
            (11, 2.25347685517),
            (31, 3.35164459362),
            (81, 3.36133882628),
        ] {
            assert!((impacts[n - 1] - t).abs() < 1e-11, "impact {n}: {:?}", impacts[n - 1]);
        }
        // there by a spring 1e-40 m longer: -6.438e12
        let drop = Drop { stack: &stack, restitution: 0.8, q: [1.001, 2.001], end: 4.0 };
        let factor = drop.amplification().expect("it accumulates");
        assert!((factor / -6.438e12 - 1.0).abs() < 1e-3, "{factor:e}");
    }
}
