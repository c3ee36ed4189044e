//! Questions about a mechanism that are asked once, before a run.

use crate::{Configuration, Operator, State, System};

/// Entries of a combination of rows below this part of its largest one are round-off.
const ROUND_OFF: f64 = 1e-6;

/// ½ dt² hᵀ Â⁻¹ h, Â = M + dt C + dt² K: the energy that the forces of a state give in one free step. A light stiff
/// part, such as the last node of an elastic body, gets no more than it can take.
pub(crate) fn energy_of_a_step(operator: &mut Operator, system: &dyn System, state: &State, dt: f64) -> f64 {
    let at = Configuration::new(system, state.t, &state.q, &state.v);
    let (n, size) = (operator.nv(), operator.nv() + operator.nc());
    let (mut h, mut a) = (vec![0.0; n], vec![0.0; n]);
    system.force(&at, &mut h);
    operator.forget_jacobian();
    operator.evaluate_jacobian(system, &at);
    let stiff = operator.has_tangents() && operator.uncounted(|o| o.factor(system, &at, dt, dt * dt));
    if stiff {
        let (mut right, mut x) = (h.clone(), vec![0.0; size]);
        right.resize(size, 0.0);
        operator.ldl().solve(&right, &mut x, &mut vec![0.0; size]);
        a.copy_from_slice(&x[..n]);
    } else {
        operator.solve_mass(&h, &mut a);
    }
    0.5 * dt * dt * h.iter().zip(&a).map(|(h, a)| h * a).sum::<f64>()
}

/// Joints whose rows depend on each other at a state, each dependency as one line with the names of all joints in
/// it. Evaluated with M, so that a row counts as dependent when its reaction can be carried by others.
pub(crate) fn redundant_joints(operator: &mut Operator, system: &dyn System, state: &State) -> Vec<String> {
    let (nv, nc) = (operator.nv(), operator.nc());
    if nc == 0 {
        return Vec::new();
    }
    let at = Configuration::new(system, state.t, &state.q, &state.v);
    operator.evaluate_mass(system, &at, false);
    operator.evaluate_jacobian(system, &at);
    if !operator.factor_joints_alone() || !operator.ldl().is_deficient() {
        return Vec::new();
    }
    let ldl = operator.ldl();
    let names: Vec<(String, usize)> =
        system.structure().constraints.iter().map(|j| (j.name.clone(), j.rows.end)).collect();
    let joint_of = |row: usize| names.iter().position(|(_, end)| row < *end).unwrap_or(0);
    let mut lines = Vec::new();
    for row in ldl.deficient() {
        // y with Lᵀ y = e_row is the combination of rows that vanishes: Gᵀ y = 0
        let mut y = vec![0.0; nv + nc];
        y[ldl.place(nv + row)] = 1.0;
        ldl.backward(&mut y);
        let size = |r: usize| y[ldl.place(nv + r)].abs() / operator.reaction_weight(r).sqrt();
        let most = (0..nc).map(size).fold(0.0, f64::max);
        let mut joints: Vec<usize> = (0..nc).filter(|&r| size(r) > ROUND_OFF * most).map(joint_of).collect();
        joints.dedup();
        let list: Vec<&str> = joints.iter().map(|&j| names[j].0.as_str()).collect();
        lines.push(format!("one row too many among {}", list.join(", ")));
    }
    operator.regularise();
    lines
}
