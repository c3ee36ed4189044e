//! Methods for the smooth motion: orders, rows held, dense output.
#![allow(non_snake_case)]

use carom_dynamics::*;

/// Unit mass on a unit circle, Cartesian, g = 9.81; Φ = (x² + y² − 1)/2.
struct Pendulum(Vec<ConstraintInfo>);

impl Pendulum {
    fn new() -> Self {
        Self(vec![ConstraintInfo {
            name: "rod".into(),
            rows: 0..1,
            quantities: vec![(Quantity::Length, "force")],
        }])
    }
}

impl System for Pendulum {
    fn sizes(&self) -> Sizes {
        Sizes { q: 2, v: 2, constraints: 1, contacts: 0 }
    }
    fn pattern(&self) -> Pattern {
        Pattern { mass: vec![(0, 0), (1, 1)], tangent: vec![], jacobian: vec![(0, 0), (0, 1)] }
    }
    fn mass(&self, _: &Configuration, M: &mut [f64]) {
        M.fill(1.0);
    }
    fn mass_is_constant(&self) -> bool {
        true
    }
    fn force(&self, _: &Configuration, h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -9.81]);
    }
    fn constraint_info(&self) -> &[ConstraintInfo] {
        &self.0
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
    fn energy(&self, at: &Configuration) -> Energy {
        let kinetic = 0.5 * (at.v[0].powi(2) + at.v[1].powi(2));
        Energy { kinetic, potential: 9.81 * at.q()[1], strain: 0.0 }
    }
    fn channels(&self) -> Vec<Channel> {
        vec![]
    }
    fn observe(&self, _: &Configuration, _: &mut [f64]) {}
    fn length_scale(&self) -> f64 {
        1.0
    }
}

#[test]
fn hem5_quick() {
    let system = Pendulum::new();
    let mut errors = vec![];
    for k in 0..8 {
        let steps = 10 << k;
        let mut motion = Motion::new(&system);
        let mut method = Hem5::default();
        let (mut from, mut to) = (Knot::new(&motion), Knot::new(&motion));
        from.q = vec![0.6, -0.8];
        from.v = vec![0.8, 0.6];
        let mut at = motion.configuration(&system, 0.0, &from.q, &from.v);
        motion.accelerations(&system, &at, &mut from.a, &mut from.lambda).unwrap();
        method.restart(&system, &mut motion, &from).unwrap();
        let dt = 0.5 / steps as f64;
        let mut dense = (0.0, 0.0);
        for i in 0..steps {
            method.step(&system, &mut motion, &from, dt, &mut to).unwrap();
            motion.place(&system, to.t, &to.q, &to.v, &mut at);
            motion.accelerations(&system, &at, &mut to.a, &mut to.lambda).unwrap();
            if i == 0 {
                let (mut q, mut v) = (vec![0.0; 2], vec![0.0; 2]);
                method.inside(&system, &mut motion, &from, &to, 0.6, &mut q, &mut v).unwrap();
                let (mut q2, mut v2) = (vec![0.0; 2], vec![0.0; 2]);
                hermite(&system, &from, &to, 0.6, &mut q2, &mut v2);
                dense = ((q[0] - q2[0]).abs(), q[0] * v[0] + q[1] * v[1]);
            }
            std::mem::swap(&mut from, &mut to);
        }
        let e = (from.q[0] - 0.365_008_200_464_060_3).abs();
        let l = (from.lambda[0] + 12.703_456_659_251_325).abs();
        println!(
            "{steps} {e:.2e} {l:.2e} {dense:?} drift {:.1e}",
            from.q[0] * from.v[0] + from.q[1] * from.v[1]
        );
        errors.push(e);
    }
    assert!(errors[0] / errors[3] > 2f64.powi(14));
}
