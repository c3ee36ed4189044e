//! Sums over the stages of a Runge–Kutta method, which lie one after the other in one array.
//!
//! ```text
//!   V_i = v_n + dt Σ_j a_ij A_j
//! ```

/// out += dt Σ a_j x_j. Stages that do not count are not looked at: they need not have been made.
pub(crate) fn add_stages(out: &mut [f64], dt: f64, a: &[f64], x: &[f64]) {
    if out.is_empty() {
        return;
    }
    for (a, x) in a.iter().zip(x.chunks_exact(out.len())) {
        if *a != 0.0 {
            let c = dt * a;
            for (out, x) in out.iter_mut().zip(x) {
                *out += c * x;
            }
        }
    }
}

/// out = dt Σ a_j x_j, or that beyond where it starts.
pub(crate) fn sum_stages(out: &mut [f64], start: Option<&[f64]>, dt: f64, a: &[f64], x: &[f64]) {
    match start {
        Some(start) => out.copy_from_slice(start),
        None => out.fill(0.0),
    }
    add_stages(out, dt, a, x);
}
