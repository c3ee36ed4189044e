//! The chart at q, at an increment δ that is not small, against differences.

use super::{Check, EPS};
use crate::Configuration;

impl Check<'_> {
    /// That q ⊕ δ and the difference of positions belong to each other, T with the way a change of δ moves q ⊕ δ, δ'' with the
    /// change of δ', and G T and K T with changes of Φ and h.
    pub(super) fn chart(&mut self) {
        let n = self.v.len();
        // about a radian, in no particular direction
        let delta: Vec<f64> = (0..n).map(|i| 0.8 * self.size(i) * (1.7 * i as f64 + 0.4).sin()).collect();
        let here = self.there(0.0, &delta);
        let mut back = vec![0.0; n];
        self.system.difference(self.q, here.q(), &mut back);
        for i in 0..n {
            self.compare(|| format!("difference[{i}] of a retraction"), back[i], delta[i], self.size(i));
        }
        self.chart_tangent(&delta, &here);
        self.chart_acceleration(&delta);
    }

    /// T, G T and K T, and that δ' takes T back.
    fn chart_tangent(&mut self, delta: &[f64], here: &Configuration) {
        let (system, structure) = (self.system, self.system.structure());
        let (n, nc) = (structure.sizes.v, structure.sizes.constraints);
        let answers = |at: &Configuration| {
            let (mut phi, mut h) = (vec![0.0; nc], vec![0.0; n]);
            system.constraints(at, &mut phi);
            system.force(at, &mut h);
            (phi, h)
        };
        let (mut G, mut phi_t) = (vec![0.0; structure.pattern.jacobian.len()], vec![0.0; nc]);
        system.jacobian(here, &mut G, &mut phi_t);
        let entries = structure.pattern.tangent.len();
        let (mut K, mut C) = (vec![0.0; entries], vec![0.0; entries]);
        system.tangents(here, &mut K, &mut C);
        let strength = answers(here).1.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let (mut back, mut column) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            let step = self.step(j);
            column.fill(0.0);
            column[j] = 1.0;
            system.chart_tangent(delta, &mut column);
            let [plus, minus] = [step, -step].map(|by| {
                let mut other = delta.to_vec();
                other[j] += by;
                self.there(0.0, &other)
            });
            system.difference(minus.q(), plus.q(), &mut back);
            for i in 0..n {
                let size = self.size(i) / self.size(j);
                self.compare(|| format!("T[{i},{j}]"), column[i], back[i] / (2.0 * step), size);
            }
            let (plus, minus) = (answers(&plus), answers(&minus));
            let product = |pattern: &[(u32, u32)], values: &[f64], row: usize| {
                let own = pattern.iter().zip(values).filter(|((i, _), _)| *i as usize == row);
                own.map(|((_, k), value)| value * column[*k as usize]).sum::<f64>()
            };
            for i in 0..nc {
                let given = product(&structure.pattern.jacobian, &G, i);
                let found = (plus.0[i] - minus.0[i]) / (2.0 * step);
                self.compare(|| format!("(G T)[{i},{j}]"), given, found, 1.0);
            }
            for i in 0..n {
                let given = product(&structure.pattern.tangent, &K, i);
                let found = -(plus.1[i] - minus.1[i]) / (2.0 * step);
                self.compare(|| format!("(K T)[{i},{j}]"), given, found, strength);
            }
            system.chart_rate(delta, &mut column);
            for i in 0..n {
                let one = f64::from(u8::from(i == j));
                self.compare(|| format!("(T⁻¹ T)[{i},{j}]"), column[i], one, 1.0);
            }
        }
    }

    /// δ'' along a motion with v' = (1, 2, 3, …) |v|.
    fn chart_acceleration(&mut self, delta: &[f64]) {
        let (system, v) = (self.system, self.v);
        let n = v.len();
        let a: Vec<f64> = (0..n).map(|i| self.speed * (i as f64 + 1.0) * self.size(i)).collect();
        let mut rate = v.to_vec();
        system.chart_rate(delta, &mut rate);
        let dt = EPS / self.speed;
        let [plus, minus] = [dt, -dt].map(|by| {
            let there: Vec<f64> = delta.iter().zip(&rate).map(|(d, r)| d + by * r).collect();
            let mut rate: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + by * a).collect();
            system.chart_rate(&there, &mut rate);
            rate
        });
        let mut second = a.clone();
        system.chart_acceleration(delta, v, &mut second);
        for i in 0..n {
            let found = (plus[i] - minus[i]) / (2.0 * dt);
            let size = self.speed * self.speed * self.size(i);
            self.compare(|| format!("δ''[{i}]"), second[i], found, size);
        }
    }
}
