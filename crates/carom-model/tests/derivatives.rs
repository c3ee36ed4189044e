//! Every derivative the model gives against central differences, over models that have everything, at random
//! configurations.
#![allow(non_snake_case)]

mod common;

use carom_dynamics::{Configuration, ContactKind, Directions, System};
use carom_model::{Description, Model};
use common::Random;

/// Step of the differences: their error is about eps^(2/3) of the values, which are of order 1 to 1000.
const STEP: f64 = 6e-6;
const TOLERANCE: f64 = 2e-7;

fn close(a: f64, b: f64, scale: f64, what: &str) {
    assert!((a - b).abs() <= TOLERANCE * (1.0 + scale), "{what}: {a} against {b}");
}

/// f at +s and −s along a motion, as a central difference of vectors.
fn difference(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let (plus, minus) = (f(STEP), f(-STEP));
    plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * STEP)).collect()
}

struct Asked<'a> {
    model: &'a Model,
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Asked<'_> {
    fn at(&self, dt: f64, dq: &[f64], dv: &[f64]) -> Configuration {
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
        Configuration::new(self.model, self.t + dt, &sum(&self.q, dq), &sum(&self.v, dv))
    }

    fn along(&self, i: usize, s: f64) -> Vec<f64> {
        let mut d = vec![0.0; self.q.len()];
        d[i] = s;
        d
    }

    /// The motion q + s v at t + s.
    fn moving(&self, s: f64) -> Configuration {
        let dq: Vec<f64> = self.v.iter().map(|v| s * v).collect();
        self.at(s, &dq, &vec![0.0; self.v.len()])
    }

    fn phi(&self, at: &Configuration) -> Vec<f64> {
        let mut phi = vec![f64::NAN; self.model.sizes().constraints];
        self.model.constraints(at, &mut phi);
        phi
    }

    /// G dense and Φ_t.
    fn jacobian(&self, at: &Configuration) -> (Vec<Vec<f64>>, Vec<f64>) {
        let sizes = self.model.sizes();
        let pattern = self.model.pattern().jacobian;
        let (mut G, mut phi_t) = (vec![f64::NAN; pattern.len()], vec![f64::NAN; sizes.constraints]);
        self.model.jacobian(at, &mut G, &mut phi_t);
        let mut dense = vec![vec![0.0; sizes.v]; sizes.constraints];
        let mut seen = std::collections::BTreeSet::new();
        for (&(i, j), g) in pattern.iter().zip(&G) {
            assert!(seen.insert((i, j)), "entry ({i}, {j}) of G comes twice");
            dense[i as usize][j as usize] = *g;
        }
        (dense, phi_t)
    }

    fn force(&self, at: &Configuration) -> Vec<f64> {
        let mut h = vec![f64::NAN; self.v.len()];
        self.model.force(at, &mut h);
        h
    }

    fn gaps(&self, at: &Configuration) -> Vec<f64> {
        let mut gaps = vec![f64::NAN; self.model.sizes().contacts];
        self.model.gaps(at, &mut gaps);
        gaps
    }

    /// Wᵀ v of contact i.
    fn contact_velocity(&self, at: &Configuration, i: usize) -> Vec<f64> {
        let mut W = Directions::default();
        self.model.directions(at, &[i], &mut W);
        (0..W.rows()).map(|row| W.velocity(row, &self.v)).collect()
    }
}

fn check_constraints(asked: &Asked) {
    let here = asked.moving(0.0);
    let (G, phi_t) = asked.jacobian(&here);
    let zero = vec![0.0; asked.q.len()];
    for j in 0..asked.v.len() {
        let column = difference(|s| asked.phi(&asked.at(0.0, &asked.along(j, s), &zero)));
        for i in 0..G.len() {
            close(G[i][j], column[i], G[i][j].abs(), &format!("G[{i}][{j}]"));
        }
    }
    let rate = difference(|s| asked.phi(&asked.at(s, &zero, &zero)));
    let mut bias = vec![f64::NAN; G.len()];
    asked.model.constraint_bias(&here, &mut bias);
    let bias_fd = difference(|s| {
        let (G, phi_t) = asked.jacobian(&asked.moving(s));
        (0..G.len())
            .map(|i| phi_t[i] + (0..asked.v.len()).map(|j| G[i][j] * asked.v[j]).sum::<f64>())
            .collect()
    });
    for i in 0..G.len() {
        close(phi_t[i], rate[i], rate[i].abs(), &format!("phi_t[{i}]"));
        close(bias[i], bias_fd[i], bias_fd[i].abs(), &format!("bias[{i}]"));
    }
}

fn check_forces(asked: &Asked) {
    let here = asked.moving(0.0);
    let n = asked.v.len();
    let pattern = asked.model.pattern().tangent;
    let (mut K, mut C) = (vec![f64::NAN; pattern.len()], vec![f64::NAN; pattern.len()]);
    asked.model.tangents(&here, &mut K, &mut C);
    let zero = vec![0.0; n];
    let dense = |values: &[f64]| {
        let mut dense = vec![vec![0.0; n]; n];
        for (&(i, j), value) in pattern.iter().zip(values) {
            dense[i as usize][j as usize] = *value;
        }
        dense
    };
    let (K, C) = (dense(&K), dense(&C));
    for j in 0..n {
        let h_q = difference(|s| asked.force(&asked.at(0.0, &asked.along(j, s), &zero)));
        let h_v = difference(|s| asked.force(&asked.at(0.0, &zero, &asked.along(j, s))));
        for i in 0..n {
            close(K[i][j], -h_q[i], 1e3, &format!("K[{i}][{j}]"));
            close(C[i][j], -h_v[i], 1e2, &format!("C[{i}][{j}]"));
        }
    }
    // h·v = −dV/dt + power: what the springs and weights give is what their energy loses.
    let h = asked.force(&here);
    let work: f64 = h.iter().zip(&asked.v).map(|(h, v)| h * v).sum();
    let stored = difference(|s| {
        let energy = asked.model.energy(&asked.moving(s));
        vec![energy.potential + energy.strain]
    })[0];
    let power = asked.model.power(&here);
    close(work, -stored + power.applied + power.damping, 1e3, "power balance");
    assert!(power.damping <= 0.0);
}

/// Checks contacts that answer a finite gap here; returns how many.
fn check_contacts(asked: &Asked, checked: &mut [bool]) {
    let here = asked.moving(0.0);
    let gaps = asked.gaps(&here);
    let zero = vec![0.0; asked.v.len()];
    for (i, info) in asked.model.contact_info().iter().enumerate() {
        let dry = matches!(info.kind, ContactKind::Dry { .. });
        if dry {
            assert_eq!(gaps[i], f64::NEG_INFINITY, "{}", info.name);
        } else if !gaps[i].is_finite() {
            continue;
        }
        checked[i] = true;
        let mut W = Directions::default();
        asked.model.directions(&here, &[i], &mut W);
        assert_eq!(W.rows(), info.kind.dim(), "{}", info.name);
        if !dry {
            for j in 0..asked.v.len() {
                let (columns, values) = W.row(0);
                let w: f64 =
                    columns.iter().zip(values).filter(|(c, _)| **c == j as u32).map(|(_, w)| w).sum();
                let g = difference(|s| asked.gaps(&asked.at(0.0, &asked.along(j, s), &zero)))[i];
                close(w, g, 1.0, &format!("{} W_N[{j}]", info.name));
            }
        }
        let mut bias = vec![f64::NAN; W.rows()];
        asked.model.contact_bias(&here, &[i], &mut bias);
        let rate = difference(|s| asked.contact_velocity(&asked.moving(s), i));
        for row in 0..W.rows() {
            close(bias[row], rate[row], rate[row].abs(), &format!("{} bias[{row}]", info.name));
        }
    }
}

fn check(description: &Description, seeds: u64, spread: f64) -> Vec<bool> {
    let model = Model::new(description).unwrap_or_else(|error| panic!("{error}"));
    let mut checked = vec![false; model.sizes().contacts];
    for seed in 0..seeds {
        let mut random = Random::new(seed + 1);
        let n = model.sizes().q;
        let q = model.described_position().iter().zip(random.vector(n, spread)).map(|(a, b)| a + b).collect();
        let t = 0.5 + 0.4 * random.next();
        let asked = Asked { model: &model, t, q, v: random.vector(n, 2.0) };
        check_constraints(&asked);
        check_forces(&asked);
        check_contacts(&asked, &mut checked);
    }
    checked
}

#[test]
fn joints() {
    check(&common::joints(), 20, 0.8);
}

#[test]
fn forces() {
    check(&common::forces(), 20, 0.8);
}

#[test]
fn contacts() {
    let description = common::contacts();
    let checked = check(&description, 200, 2.5);
    let model = Model::new(&description).unwrap();
    let never: Vec<_> =
        model.contact_info().iter().zip(&checked).filter(|c| !c.1).map(|c| &c.0.name).collect();
    assert!(never.is_empty(), "never finite: {never:?}");
}

#[test]
fn clearances_and_rubbing_joints() {
    let checked = check(&common::clearances(), 20, 0.3);
    assert!(checked.iter().all(|c| *c));
}

#[test]
fn gravity_alone_has_no_tangent() {
    let model = Model::new(&common::three_bodies()).unwrap();
    assert!(model.pattern().tangent.is_empty());
    assert!(!model.has_power());
}
