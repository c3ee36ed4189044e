//! Motions of the models of the book, from elsewhere than Carom: closed forms, and one coordinate by a tiny step.

/// Exact height of the ball of the book above the floor: dropped from 0.801 m, g = 10 m/s², e = 0.8. [Chen2013] App. A
pub fn ball_height(t: f64) -> f64 {
    let (h0, g, e) = (0.801, 10.0, 0.8);
    let fall = f64::sqrt(2.0 * h0 / g);
    if t < fall {
        return h0 - 0.5 * g * t * t;
    }
    let (mut start, mut speed) = (fall, e * g * fall);
    while speed > 1e-13 {
        let flight = 2.0 * speed / g;
        if t < start + flight {
            return (speed - 0.5 * g * (t - start)) * (t - start);
        }
        start += flight;
        speed *= e;
    }
    0.0
}

/// Angle of the pendulum of the book by RK4 with a tiny step in one coordinate: (J + m l²) φ'' = −m g l cos φ.
pub fn pendulum_angle(end: f64) -> f64 {
    let n = 20_000;
    let dt = end / f64::from(n);
    let f = |s: [f64; 2]| [s[1], -10.0 / 1.1 * s[0].cos()];
    let along = |s: [f64; 2], k: [f64; 2], c: f64| [s[0] + c * k[0], s[1] + c * k[1]];
    let mut s = [0.0, 0.0];
    for _ in 0..n {
        let k1 = f(s);
        let k2 = f(along(s, k1, 0.5 * dt));
        let k3 = f(along(s, k2, 0.5 * dt));
        let k4 = f(along(s, k3, dt));
        for i in 0..2 {
            s[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    s[0]
}

/// Angle of the pendulum with a stop by RK4 with a tiny step in one coordinate, and when it hits: φ'' = −10/1.1 cos φ, thrown
/// back with half its speed where cos φ = 1/5.
pub fn stopped_angle(end: f64) -> (f64, f64) {
    let f = |s: [f64; 2]| [s[1], -10.0 / 1.1 * s[0].cos()];
    let along = |s: [f64; 2], k: [f64; 2], c: f64| [s[0] + c * k[0], s[1] + c * k[1]];
    let step = |s: [f64; 2], dt: f64| {
        let k1 = f(s);
        let k2 = f(along(s, k1, 0.5 * dt));
        let k3 = f(along(s, k2, 0.5 * dt));
        let k4 = f(along(s, k3, dt));
        [0, 1].map(|i| s[i] + dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    };
    let (mut t, mut s, mut hit) = (0.0, [0.0, 0.0], f64::NAN);
    let stop = -(0.2_f64).acos();
    while t < end {
        let dt = 1e-4_f64.min(end - t);
        let mut next = step(s, dt);
        let mut made = dt;
        if next[0] < stop {
            let (mut low, mut high) = (0.0, dt);
            for _ in 0..60 {
                made = 0.5 * (low + high);
                next = step(s, made);
                if next[0] < stop { high = made } else { low = made }
            }
            next[1] *= -0.5;
            assert!(hit.is_nan(), "it hits once");
            hit = t + made;
        }
        (t, s) = (t + made, next);
    }
    (s[0], hit)
}

/// Place and velocity of the mass of the book that a stop throws back with 0.8 of its speed: harmonic between impacts.
pub fn stopped_spring(end: f64) -> [f64; 2] {
    let (omega, wall, e) = (5.0, -0.2, 0.8);
    let (mut t, mut u, mut w) = (0.0, 0.5_f64, 0.0_f64);
    loop {
        // u = A cos(ω s + φ), down through the wall where that is acos(wall/A)
        let (A, phi) = (u.hypot(w / omega), (-w / omega).atan2(u));
        let hit = ((wall / A).acos() - phi).rem_euclid(2.0 * std::f64::consts::PI) / omega;
        if t + hit > end {
            let (sin, cos) = (omega * (end - t) + phi).sin_cos();
            return [1.0 + A * cos, -A * omega * sin];
        }
        (t, u, w) = (t + hit, wall, e * A * omega * (omega * hit + phi).sin());
    }
}
