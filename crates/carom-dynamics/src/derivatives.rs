//! One generic test of every derivative a [`System`] claims, against central differences.

use crate::{Configuration, Directions, System};

/// Compares G, ∂Φ/∂t, the biases, K, C and the normal directions with central differences at (t, q, v) and returns a
/// sentence for each that is off by more than `tolerance`, relative to its size plus the size of its neighbours. Where bodies
/// turn in space the chart is compared too, away from its middle.
pub fn check_derivatives(system: &dyn System, t: f64, q: &[f64], v: &[f64], tolerance: f64) -> Vec<String> {
    let sizes = system.structure().sizes;
    let pattern = &system.structure().pattern;
    let mut wrong = Vec::new();
    let at = Configuration::new(system, t, q, v);
    // difference steps: small against a radian and against the mechanism
    let eps = 1e-6;
    let length = system.structure().length_scale;
    let step = |i: usize| match system.structure().velocities[i].quantity {
        crate::Quantity::Length => eps * length,
        crate::Quantity::Angle => eps,
    };
    let moved = |i: usize, by: f64| {
        let mut delta = vec![0.0; sizes.v];
        delta[i] = by;
        let mut other = at.clone();
        other.retract_to(system, t, q, &delta);
        other
    };
    // along the motion: (t, q ⊕ ε v)
    let speed = v.iter().fold(0.0, |m: f64, x| m.max(x.abs())).max(1e-3);
    let later = |by: f64| {
        let delta: Vec<f64> = v.iter().map(|v| v * by).collect();
        let mut other = at.clone();
        other.retract_to(system, t + by, q, &delta);
        other
    };
    let dt = eps / speed;
    let mut compare = |what: String, exact: f64, difference: f64, size: f64| {
        if (exact - difference).abs() > tolerance * (exact.abs() + difference.abs() + size) {
            wrong.push(format!("{what}: given {exact:e}, by differences {difference:e}"));
        }
    };

    // G, ∂Φ/∂t, bias
    let nc = sizes.constraints;
    if nc > 0 {
        let constraints = |at: &Configuration| {
            let mut phi = vec![0.0; nc];
            system.constraints(at, &mut phi);
            phi
        };
        let (mut G, mut phi_t) = (vec![0.0; pattern.jacobian.len()], vec![0.0; nc]);
        system.jacobian(&at, &mut G, &mut phi_t);
        for j in 0..sizes.v {
            let (plus, minus) = (constraints(&moved(j, step(j))), constraints(&moved(j, -step(j))));
            for i in 0..nc {
                let entry = pattern.jacobian.iter().position(|&p| p == (i as u32, j as u32));
                let given = entry.map_or(0.0, |k| G[k]);
                compare(format!("G[{i},{j}]"), given, (plus[i] - minus[i]) / (2.0 * step(j)), 1.0);
            }
        }
        let mut other = at.clone();
        other.move_to(system, t + dt, q);
        let plus = constraints(&other);
        other.move_to(system, t - dt, q);
        let minus = constraints(&other);
        for i in 0..nc {
            compare(format!("phi_t[{i}]"), phi_t[i], (plus[i] - minus[i]) / (2.0 * dt), speed * length);
        }
        let rate = |at: &Configuration| {
            let (mut G, mut rate) = (vec![0.0; pattern.jacobian.len()], vec![0.0; nc]);
            system.jacobian(at, &mut G, &mut rate);
            for (&(row, column), g) in pattern.jacobian.iter().zip(&G) {
                rate[row as usize] += g * v[column as usize];
            }
            rate
        };
        let mut bias = vec![0.0; nc];
        system.constraint_bias(&at, &mut bias);
        let (plus, minus) = (rate(&later(dt)), rate(&later(-dt)));
        for i in 0..nc {
            compare(
                format!("constraint_bias[{i}]"),
                bias[i],
                (plus[i] - minus[i]) / (2.0 * dt),
                speed * speed * length,
            );
        }
    }

    // K = −∂h/∂q, C = −∂h/∂v
    let force = |at: &Configuration| {
        let mut h = vec![0.0; sizes.v];
        system.force(at, &mut h);
        h
    };
    let (mut K, mut C) = (vec![0.0; pattern.tangent.len()], vec![0.0; pattern.tangent.len()]);
    system.tangents(&at, &mut K, &mut C);
    let size = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let strength = size(&force(&at));
    for j in 0..sizes.v {
        let (plus, minus) = (force(&moved(j, step(j))), force(&moved(j, -step(j))));
        let (mut faster, mut slower) = (at.clone(), at.clone());
        let dv = eps * speed;
        faster.v[j] += dv;
        slower.v[j] -= dv;
        let (h_faster, h_slower) = (force(&faster), force(&slower));
        for i in 0..sizes.v {
            let entry = pattern.tangent.iter().position(|&p| p == (i as u32, j as u32));
            let (k, c) = entry.map_or((0.0, 0.0), |e| (K[e], C[e]));
            let by_q = -(plus[i] - minus[i]) / (2.0 * step(j));
            compare(format!("K[{i},{j}]"), k, by_q, size(&K) + strength);
            compare(format!("C[{i},{j}]"), c, -(h_faster[i] - h_slower[i]) / (2.0 * dv), size(&C) + strength);
        }
    }

    // W: the normal row is the gradient of the gap; every row's rate is Wᵀ v' + contact_bias
    let gaps = |at: &Configuration| {
        let mut g = vec![0.0; sizes.contacts];
        system.gaps(at, &mut g);
        g
    };
    let now = gaps(&at);
    let mut W = Directions::default();
    for contact in (0..sizes.contacts).filter(|&c| now[c].is_finite()) {
        W.clear();
        system.directions(&at, &[contact], &mut W);
        for j in 0..sizes.v {
            let (plus, minus) = (gaps(&moved(j, step(j)))[contact], gaps(&moved(j, -step(j)))[contact]);
            let (columns, values) = W.row(0);
            let given: f64 =
                columns.iter().zip(values).filter(|(c, _)| **c as usize == j).map(|(_, value)| value).sum();
            compare(
                format!("W_N of contact {contact}, column {j}"),
                given,
                (plus - minus) / (2.0 * step(j)),
                1.0,
            );
        }
    }
    for contact in 0..sizes.contacts {
        if now[contact].is_infinite() && now[contact] > 0.0 {
            continue;
        }
        let velocities = |at: &Configuration| {
            let mut W = Directions::default();
            system.directions(at, &[contact], &mut W);
            (0..W.rows()).map(|row| W.velocity(row, v)).collect::<Vec<_>>()
        };
        let (plus, minus) = (velocities(&later(dt)), velocities(&later(-dt)));
        let mut bias = vec![0.0; plus.len()];
        system.contact_bias(&at, &[contact], &mut bias);
        for row in 0..bias.len() {
            let difference = (plus[row] - minus[row]) / (2.0 * dt);
            compare(
                format!("contact_bias of contact {contact}, row {row}"),
                bias[row],
                difference,
                speed * speed,
            );
        }
    }
    if !system.structure().is_flat() {
        wrong.extend(check_chart(system, t, q, v, tolerance));
    }
    wrong
}

/// Compares the chart at q with differences, at an increment δ that is not small: that q ⊕ δ and the difference of positions belong to
/// each other, T with the way a change of δ moves q ⊕ δ, δ'' with the change of δ', and G T and K T with changes of Φ and h.
fn check_chart(system: &dyn System, t: f64, q: &[f64], v: &[f64], tolerance: f64) -> Vec<String> {
    let structure = system.structure();
    let (n, nc) = (structure.sizes.v, structure.sizes.constraints);
    let eps = 1e-6;
    let size = |i: usize| match structure.velocities[i].quantity {
        crate::Quantity::Length => structure.length_scale,
        crate::Quantity::Angle => 1.0,
    };
    let mut wrong = Vec::new();
    let mut compare = |what: String, exact: f64, difference: f64, size: f64| {
        if (exact - difference).abs() > tolerance * (exact.abs() + difference.abs() + size) {
            wrong.push(format!("{what}: given {exact:e}, by differences {difference:e}"));
        }
    };
    // about a radian, in no particular direction
    let delta: Vec<f64> = (0..n).map(|i| 0.8 * size(i) * (1.7 * i as f64 + 0.4).sin()).collect();
    let moved = |delta: &[f64]| {
        let mut at = Configuration::new(system, t, q, v);
        at.retract_to(system, t, q, delta);
        at
    };
    let here = moved(&delta);
    let mut back = vec![0.0; n];
    system.difference(q, here.q(), &mut back);
    for i in 0..n {
        compare(format!("difference[{i}] of a retraction"), back[i], delta[i], size(i));
    }

    let with = |j: usize, by: f64| {
        let mut other = delta.clone();
        other[j] += by;
        moved(&other)
    };
    let answers = |at: &Configuration| {
        let (mut phi, mut h) = (vec![0.0; nc], vec![0.0; n]);
        system.constraints(at, &mut phi);
        system.force(at, &mut h);
        (phi, h)
    };
    let (mut G, mut phi_t) = (vec![0.0; structure.pattern.jacobian.len()], vec![0.0; nc]);
    system.jacobian(&here, &mut G, &mut phi_t);
    let entries = structure.pattern.tangent.len();
    let (mut K, mut C) = (vec![0.0; entries], vec![0.0; entries]);
    system.tangents(&here, &mut K, &mut C);
    let strength = answers(&here).1.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for j in 0..n {
        let step = eps * size(j);
        let mut column = vec![0.0; n];
        column[j] = 1.0;
        system.chart_tangent(&delta, &mut column);
        let (plus, minus) = (with(j, step), with(j, -step));
        system.difference(minus.q(), plus.q(), &mut back);
        for i in 0..n {
            compare(format!("T[{i},{j}]"), column[i], back[i] / (2.0 * step), size(i) / size(j));
        }
        let (plus, minus) = (answers(&plus), answers(&minus));
        let product = |pattern: &[(u32, u32)], values: &[f64], row: usize| {
            let own = pattern.iter().zip(values).filter(|((i, _), _)| *i as usize == row);
            own.map(|((_, k), value)| value * column[*k as usize]).sum::<f64>()
        };
        for i in 0..nc {
            let given = product(&structure.pattern.jacobian, &G, i);
            compare(format!("(G T)[{i},{j}]"), given, (plus.0[i] - minus.0[i]) / (2.0 * step), 1.0);
        }
        for i in 0..n {
            let given = product(&structure.pattern.tangent, &K, i);
            compare(format!("(K T)[{i},{j}]"), given, -(plus.1[i] - minus.1[i]) / (2.0 * step), strength);
        }
        system.chart_rate(&delta, &mut column);
        for i in 0..n {
            compare(format!("(T⁻¹ T)[{i},{j}]"), column[i], f64::from(u8::from(i == j)), 1.0);
        }
    }

    // δ'' along a motion with v' = (1, 2, 3, …) |v|
    let speed = v.iter().fold(0.0, |m: f64, x| m.max(x.abs())).max(1e-3);
    let a: Vec<f64> = (0..n).map(|i| speed * (i as f64 + 1.0) * size(i)).collect();
    let mut rate = v.to_vec();
    system.chart_rate(&delta, &mut rate);
    let later = |by: f64| {
        let there: Vec<f64> = delta.iter().zip(&rate).map(|(d, r)| d + by * r).collect();
        let mut rate: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + by * a).collect();
        system.chart_rate(&there, &mut rate);
        rate
    };
    let mut second = a.clone();
    system.chart_acceleration(&delta, v, &mut second);
    let dt = eps / speed;
    let (plus, minus) = (later(dt), later(-dt));
    for i in 0..n {
        compare(format!("δ''[{i}]"), second[i], (plus[i] - minus[i]) / (2.0 * dt), speed * speed * size(i));
    }
    wrong
}
