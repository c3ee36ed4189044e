//! The scheme's effective matrix with the joints, factored.
//!
//! ```text
//!   K = [ Â  Gᵀ ]        Â = M + c_v C + c_q K      (its symmetric part)
//!       [ G  −E ]
//! ```
//!
//! Â enters only as the matrix of a Newton iteration whose residual is exact, so leaving out its skew part costs
//! iterations where it matters, never accuracy. E is zero as long as the joints are independent. When they are not, E
//! is a small multiple of the diagonal of G M⁻¹ Gᵀ and every solve is one step of a proximal point iteration centred on
//! the reactions found so far: the reactions converge to those of least norm (torques measured by the mechanism's
//! length scale), by a factor of [`REGULARISATION`] per iteration.

mod compliance;

use crate::diagonals::Diagonals;
use crate::{Configuration, Momenta, Quantity, State, System};
use carom_linear::sparse::{Ldl, Slot};

/// E relative to the diagonal of G M⁻¹ Gᵀ. Small enough for one refinement to reach round-off, large enough that
/// the round-off of G v, divided by it, does not show in the reactions.
pub const REGULARISATION: f64 = 1e-8;

/// Along what the reactions of the joints act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Along {
    /// The G evaluated last, which also constrains the velocities.
    #[default]
    Evaluated,
    /// The mean of it and the G remembered.
    Mean,
    /// The G remembered.
    Remembered,
}

impl Along {
    /// The one of the three that is meant.
    fn of<'g>(self, evaluated: &'g [f64], mean: &'g [f64], remembered: &'g [f64]) -> &'g [f64] {
        match self {
            Along::Evaluated => evaluated,
            Along::Mean => mean,
            Along::Remembered => remembered,
        }
    }
}

/// M, h's tangents, G at one configuration, and the factored saddle point.
#[derive(Debug)]
pub struct Operator {
    nv: usize,
    nc: usize,
    ldl: Ldl,
    mass_slot: Vec<Slot>,
    tangent_slot: Vec<(Slot, f64)>,
    jacobian_slot: Vec<Slot>,
    /// Whether G names a place twice.
    jacobian_repeats: bool,
    dual_slot: Vec<Slot>,
    /// Rows and columns of M, of the tangents, of G.
    mass_at: Vec<(u32, u32)>,
    tangent_at: Vec<(u32, u32)>,
    jacobian_at: Vec<(u32, u32)>,
    mass_is_constant: bool,
    mass_is_diagonal: bool,
    /// M by its diagonals, where it is constant and has few.
    diagonals: Option<Diagonals>,
    /// Whether M, K and C never change; then c_v and c_q of the Â that is factored, and whether K, C are known.
    is_linear: bool,
    held: Option<(f64, f64)>,
    tangents_known: bool,
    /// M⁻¹ on its own; used where M is not diagonal.
    mass_ldl: Ldl,
    mass_ldl_slot: Vec<Slot>,
    /// M in pattern order — computed by `evaluate_mass`.
    M: Vec<f64>,
    /// Where M was evaluated, and whether `mass_ldl` is its factor.
    mass_q: Vec<f64>,
    mass_factored: bool,
    /// Where K holds M and the remembered G, factored — `factor_at`.
    factored_at: Option<f64>,
    /// 1/M_ii if M is diagonal.
    M_inv: Vec<f64>,
    M_diag: Vec<f64>,
    /// M remembered from the beginning of the step, and the mean of the two — `remember_mass`, `average_mass`.
    M_n: Vec<f64>,
    M_mean: Vec<f64>,
    mean_ldl: Ldl,
    mean_is_used: bool,
    /// Which rows of joints M couples; found when first needed.
    coupling: Option<Box<compliance::Coupling>>,
    K: Vec<f64>,
    C: Vec<f64>,
    /// G in pattern order and ∂Φ/∂t — computed by `evaluate_jacobian`.
    G: Vec<f64>,
    /// G remembered from elsewhere in the step and what reactions act along — `remember_jacobian`, `evaluate_jacobian`.
    G_n: Vec<f64>,
    G_mean: Vec<f64>,
    along: Along,
    phi_t: Vec<f64>,
    /// Weight of a row's reaction in the least norm: 1 for forces, length scale² for torques.
    weight: Vec<f64>,
    /// E; empty while the joints are independent.
    E: Vec<f64>,
    /// Whether the primal block already holds M alone, and whether it is factored so.
    holds_mass_only: bool,
    factored_mass_only: bool,
    regularised: bool,
    scratch: Vec<f64>,
    factorisations: usize,
    tangent_factorisations: usize,
}

impl Operator {
    /// Sizes everything and finds the elimination order.
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let pattern = system.pattern();
        let (nv, nc) = (sizes.v, sizes.constraints);
        let mut entries: Vec<(u32, u32)> = pattern.mass.clone();
        entries.extend(&pattern.tangent);
        entries.extend(pattern.jacobian.iter().map(|&(row, column)| (row + nv as u32, column)));
        entries.extend((0..nc as u32).map(|row| (row + nv as u32, row + nv as u32)));
        let (ldl, slots) = Ldl::new(nv, nc, &entries);
        let (mass_slot, rest) = slots.split_at(pattern.mass.len());
        let (tangent_slot, rest) = rest.split_at(pattern.tangent.len());
        let (jacobian_slot, dual_slot) = rest.split_at(pattern.jacobian.len());
        // an entry off the diagonal stands for itself and its mirror image: half of it makes the symmetric part
        let tangent_slot = tangent_slot
            .iter()
            .zip(&pattern.tangent)
            .map(|(&slot, &(i, j))| (slot, if i == j { 1.0 } else { 0.5 }))
            .collect();
        let (mass_ldl, mass_ldl_slot) = Ldl::new(nv, 0, &pattern.mass);
        let length = system.length_scale();
        let mut weight = vec![1.0; nc];
        for joint in system.constraint_info() {
            for (row, (quantity, _)) in joint.rows.clone().zip(&joint.quantities) {
                if *quantity == Quantity::Angle {
                    weight[row] = length * length;
                }
            }
        }
        Self {
            nv,
            nc,
            ldl,
            mass_slot: mass_slot.to_vec(),
            tangent_slot,
            jacobian_slot: jacobian_slot.to_vec(),
            jacobian_repeats: repeats(&pattern.jacobian),
            dual_slot: dual_slot.to_vec(),
            mass_is_constant: system.mass_is_constant(),
            mass_is_diagonal: pattern.mass.iter().all(|(i, j)| i == j),
            diagonals: None,
            is_linear: system.mass_is_constant() && system.tangents_are_constant(),
            held: None,
            tangents_known: false,
            mass_ldl,
            mass_ldl_slot,
            M: vec![0.0; pattern.mass.len()],
            mass_q: vec![f64::NAN; sizes.q],
            mass_factored: false,
            factored_at: None,
            M_inv: vec![0.0; nv],
            M_diag: vec![0.0; nv],
            M_n: vec![0.0; pattern.mass.len()],
            M_mean: vec![0.0; pattern.mass.len()],
            mean_ldl: Ldl::new(nv, 0, &pattern.mass).0,
            mean_is_used: false,
            coupling: None,
            K: vec![0.0; pattern.tangent.len()],
            C: vec![0.0; pattern.tangent.len()],
            G: vec![0.0; pattern.jacobian.len()],
            G_n: vec![0.0; pattern.jacobian.len()],
            G_mean: vec![0.0; pattern.jacobian.len()],
            along: Along::Evaluated,
            phi_t: vec![0.0; nc],
            weight,
            E: vec![0.0; nc],
            holds_mass_only: false,
            factored_mass_only: false,
            regularised: false,
            scratch: vec![0.0; nv + nc],
            mass_at: pattern.mass,
            tangent_at: pattern.tangent,
            jacobian_at: pattern.jacobian,
            factorisations: 0,
            tangent_factorisations: 0,
        }
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Number of joint rows.
    pub fn nc(&self) -> usize {
        self.nc
    }

    /// The factor of K.
    pub fn ldl(&self) -> &Ldl {
        &self.ldl
    }

    /// Whether h depends on q or v.
    pub fn has_tangents(&self) -> bool {
        !self.tangent_at.is_empty()
    }

    /// Whether M, K and C never change: what remains to be solved in a step is linear but for joints and contacts.
    pub fn is_linear(&self) -> bool {
        self.is_linear
    }

    /// Factorisations since the start.
    pub fn factorisations(&self) -> usize {
        self.factorisations
    }

    /// Of these, factorisations with tangents.
    pub fn tangent_factorisations(&self) -> usize {
        self.tangent_factorisations
    }

    /// The largest mass on the diagonal of M evaluated last, of velocities that are lengths.
    pub fn heaviest(&self, system: &dyn System) -> f64 {
        let masses = self.M_diag.iter().enumerate();
        let masses = masses.filter(|(i, _)| system.velocity_quantity(*i) == Quantity::Length);
        masses.fold(0.0, |most, (_, m)| m.max(most))
    }

    /// Whether dependent joints made E necessary.
    pub fn is_regularised(&self) -> bool {
        self.regularised
    }

    /// M at a configuration; nothing is done where it was evaluated last. False if it is seen not to be positive
    /// definite; a full M is looked at only the first time and when it is needed.
    pub fn evaluate_mass(&mut self, system: &dyn System, at: &Configuration, first: bool) -> bool {
        if !first && (self.mass_is_constant || at.q() == self.mass_q) {
            return true;
        }
        self.mass_q.copy_from_slice(at.q());
        self.mass_factored = false;
        self.factored_at = None;
        self.holds_mass_only = false;
        self.held = None;
        system.mass(at, &mut self.M);
        if self.mass_is_constant && !self.mass_is_diagonal {
            self.diagonals = Diagonals::new(self.nv, &self.mass_at, &self.M);
        }
        for (&(i, j), &m) in self.mass_at.iter().zip(&self.M) {
            if i == j {
                self.M_diag[i as usize] = m;
            }
        }
        if self.mass_is_diagonal {
            for (inv, m) in self.M_inv.iter_mut().zip(&self.M_diag) {
                *inv = 1.0 / m;
            }
            return self.M_diag.iter().all(|&m| m > 0.0 && m.is_finite());
        }
        !first || self.factor_mass()
    }

    fn factor_mass(&mut self) -> bool {
        self.mass_ldl.clear();
        for (&slot, &m) in self.mass_ldl_slot.iter().zip(&self.M) {
            self.mass_ldl.add(slot, m);
        }
        self.mass_factored = self.mass_ldl.factor();
        self.mass_factored
    }

    /// Takes M where the step begins, for `average_mass`.
    pub fn remember_mass(&mut self, system: &dyn System, at: &Configuration) {
        system.mass(at, &mut self.M_n);
    }

    /// M̄, the mean of the M remembered and the one evaluated last; false if it is not positive definite.
    pub fn average_mass(&mut self) -> bool {
        self.mean_ldl.clear();
        let each = self.M_mean.iter_mut().zip(&self.mass_ldl_slot).zip(self.M.iter().zip(&self.M_n));
        for ((mean, &slot), (M, M_n)) in each {
            *mean = 0.5 * (M + M_n);
            self.mean_ldl.add(slot, *mean);
        }
        self.mean_ldl.factor()
    }

    /// out = M̄⁻¹ x, with the mean taken last.
    pub fn solve_average_mass(&mut self, x: &[f64], out: &mut [f64]) {
        self.mean_ldl.solve(x, out, &mut self.scratch[..self.nv]);
    }

    /// out += M̄ x, with the mean taken last.
    pub fn add_average_mass(&self, x: &[f64], out: &mut [f64]) {
        for (&(i, j), &m) in self.mass_at.iter().zip(&self.M_mean) {
            let (i, j) = (i as usize, j as usize);
            out[i] += m * x[j];
            if i != j {
                out[j] += m * x[i];
            }
        }
    }

    /// G and ∂Φ/∂t at a configuration.
    pub fn evaluate_jacobian(&mut self, system: &dyn System, at: &Configuration) {
        if self.nc > 0 {
            system.jacobian(at, &mut self.G, &mut self.phi_t);
            if self.along == Along::Mean {
                for ((mean, G), G_n) in self.G_mean.iter_mut().zip(&self.G).zip(&self.G_n) {
                    *mean = 0.5 * (G + G_n);
                }
            }
        }
    }

    /// Ḡ, the difference quotient of Φ over a step, in the place of G: reactions act along it, and it is what joints move by.
    pub fn evaluate_secant(&mut self, momenta: &dyn Momenta, from: &Configuration, to: &Configuration) {
        if self.nc > 0 {
            momenta.secant(from, to, &mut self.G, &mut self.phi_t);
        }
        self.along = Along::Evaluated;
    }

    /// Takes G where forces are meant: from now on reactions act along it, or along the mean of it and the G evaluated
    /// later.
    pub fn remember_jacobian(&mut self, system: &dyn System, at: &Configuration, along: Along) {
        if self.nc > 0 {
            system.jacobian(at, &mut self.G_n, &mut self.phi_t);
        }
        self.along = along;
    }

    /// Reactions act along the G evaluated later.
    pub fn forget_jacobian(&mut self) {
        self.along = Along::Evaluated;
    }

    /// Along what the reactions act.
    fn directions(&self) -> &[f64] {
        self.along.of(&self.G, &self.G_mean, &self.G_n)
    }

    /// Evaluates and factors M with G at a configuration, along which reactions act from now on. Nothing is done where
    /// this was done last, with nothing factored since.
    pub fn factor_at(&mut self, system: &dyn System, at: &Configuration) -> bool {
        self.along = Along::Remembered;
        let same = |t: f64| (t - at.t()).abs() <= 4.0 * f64::EPSILON * at.t().abs();
        if self.factored_at.is_some_and(same) && at.q() == self.mass_q {
            return true;
        }
        if !self.evaluate_mass(system, at, false) {
            return false;
        }
        self.mass_q.copy_from_slice(at.q());
        if self.nc > 0 {
            system.jacobian(at, &mut self.G_n, &mut self.phi_t);
        }
        let regular = self.factor(system, at, 0.0, 0.0);
        self.factored_at = regular.then_some(at.t());
        regular
    }

    /// ‖G − G_remembered‖ / ‖G‖: how much the directions of the joints turned between the two.
    pub fn turn(&self) -> f64 {
        let (mut turned, mut size) = (0.0, 0.0);
        for (G, G_n) in self.G.iter().zip(&self.G_n) {
            turned += (G - G_n) * (G - G_n);
            size += G * G;
        }
        if size > 0.0 { (turned / size).sqrt() } else { 0.0 }
    }

    /// Velocities are constrained by the G that was just remembered.
    pub fn hold_remembered(&mut self) {
        self.G.copy_from_slice(&self.G_n);
    }

    /// Assembles and factors K from the M and G evaluated last, with Â = M + c_v C + c_q K at `at`. False if Â is not
    /// positive definite.
    pub fn factor(&mut self, system: &dyn System, at: &Configuration, c_v: f64, c_q: f64) -> bool {
        self.factor_unequal(system, at, c_v, c_q, 0.0)
    }

    /// The same with E = ε Ḡ M⁻¹ Ḡᵀ, see `compliance`.
    pub fn factor_unequal(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        c_v: f64,
        c_q: f64,
        epsilon: f64,
    ) -> bool {
        let with_tangents = self.has_tangents() && (c_v != 0.0 || c_q != 0.0);
        if with_tangents && self.held == Some((c_v, c_q)) {
            return true;
        }
        self.held = None;
        self.factored_at = None;
        if with_tangents {
            self.evaluate_tangents(system, at);
        }
        // without joints M alone stays factored until it changes
        if !with_tangents && self.nc == 0 && self.holds_mass_only && self.factored_mass_only {
            return true;
        }
        self.factored_mass_only = false;
        if with_tangents || !self.holds_mass_only {
            self.ldl.clear();
            for (&slot, &m) in self.mass_slot.iter().zip(&self.M) {
                self.ldl.add(slot, m);
            }
            if with_tangents {
                let values = self.C.iter().zip(&self.K);
                for (&(slot, half), (C, K)) in self.tangent_slot.iter().zip(values) {
                    self.ldl.add(slot, half * (c_v * C + c_q * K));
                }
            }
            self.holds_mass_only = !with_tangents;
        }
        self.set_joints(self.along);
        if self.regularised {
            self.set_regularisation();
        }
        if with_tangents {
            self.add_compliance(epsilon);
        }
        self.factorisations += 1;
        self.tangent_factorisations += usize::from(with_tangents);
        if !self.ldl.factor() {
            return false;
        }
        self.factored_mass_only = !with_tangents;
        // joints turn, so only a matrix without them is worth keeping
        if self.is_linear && with_tangents && self.nc == 0 {
            self.held = Some((c_v, c_q));
        }
        if self.ldl.is_deficient() && !self.regularised {
            self.regularised = true;
            return self.factor_unequal(system, at, c_v, c_q, epsilon);
        }
        true
    }

    fn evaluate_tangents(&mut self, system: &dyn System, at: &Configuration) {
        if !self.tangents_known {
            system.tangents(at, &mut self.K, &mut self.C);
            self.tangents_known = self.is_linear;
        }
    }

    /// E = REGULARISATION · (mean of the weighted diagonal of G diag(M)⁻¹ Gᵀ) / weight.
    fn set_regularisation(&mut self) {
        self.scratch[..self.nc].fill(0.0);
        let directions = self.along.of(&self.G, &self.G_mean, &self.G_n);
        for (&(row, column), &g) in self.jacobian_at.iter().zip(directions) {
            self.scratch[row as usize] += g * g / self.M_diag[column as usize];
        }
        let sum: f64 = self.weight.iter().zip(&self.scratch).map(|(w, s)| w * s).sum();
        let mean = sum / self.nc as f64;
        for row in 0..self.nc {
            self.E[row] = REGULARISATION * mean / self.weight[row];
            self.ldl.set(self.dual_slot[row], -self.E[row]);
        }
    }

    /// ‖M⁻¹ C‖ and ‖M⁻¹ K‖ at a configuration, M by its diagonal: largest sums of |C_ij| / √(M_ii M_jj) over a row.
    pub fn stiffness(&mut self, system: &dyn System, at: &Configuration) -> (f64, f64) {
        if !self.has_tangents() {
            return (0.0, 0.0);
        }
        self.evaluate_tangents(system, at);
        let norm = |values: &[f64]| {
            let mut sums = vec![0.0; self.nv];
            for (&(i, j), value) in self.tangent_at.iter().zip(values) {
                let (i, j) = (i as usize, j as usize);
                sums[i] += value.abs() / (self.M_diag[i] * self.M_diag[j]).sqrt();
            }
            sums.into_iter().fold(0.0, f64::max)
        };
        (norm(&self.C), norm(&self.K))
    }

    /// ∂Φ/∂t evaluated last.
    pub fn phi_t(&self) -> &[f64] {
        &self.phi_t
    }

    /// The diagonal of M.
    pub fn M_diag(&self) -> &[f64] {
        &self.M_diag
    }

    /// out = M x.
    pub fn mul_mass(&self, x: &[f64], out: &mut [f64]) {
        if self.mass_is_diagonal {
            for i in 0..self.nv {
                out[i] = self.M_diag[i] * x[i];
            }
            return;
        }
        if let Some(diagonals) = &self.diagonals {
            return diagonals.mul(x, out);
        }
        out.fill(0.0);
        for (&(i, j), &m) in self.mass_at.iter().zip(&self.M) {
            let (i, j) = (i as usize, j as usize);
            out[i] += m * x[j];
            if i != j {
                out[j] += m * x[i];
            }
        }
    }

    /// out = M⁻¹ x.
    pub fn solve_mass(&mut self, x: &[f64], out: &mut [f64]) {
        if self.mass_is_diagonal {
            for i in 0..self.nv {
                out[i] = self.M_inv[i] * x[i];
            }
        } else {
            // a failed factorisation shows as numbers that are not finite
            let regular = self.mass_factored || self.factor_mass();
            self.mass_ldl.solve(x, out, &mut self.scratch[..self.nv]);
            if !regular {
                out.fill(f64::NAN);
            }
        }
    }

    /// out += (c_v C + c_q K) x, with the tangents of the last `factor` that had them.
    pub fn add_tangents(&self, c_v: f64, c_q: f64, x: &[f64], out: &mut [f64]) {
        for ((&(row, column), C), K) in self.tangent_at.iter().zip(&self.C).zip(&self.K) {
            out[row as usize] += (c_v * C + c_q * K) * x[column as usize];
        }
    }

    /// out = G x + ∂Φ/∂t.
    pub fn constraint_velocity(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.phi_t);
        for (&(row, column), &g) in self.jacobian_at.iter().zip(&self.G) {
            out[row as usize] += g * x[column as usize];
        }
    }

    /// out = Ḡ x, with the G that reactions act along.
    pub fn along_joints(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (&(row, column), &g) in self.jacobian_at.iter().zip(self.directions()) {
            out[row as usize] += g * x[column as usize];
        }
    }

    /// out += Gᵀ P_b, with the G that reactions act along.
    pub fn add_reactions(&self, P_b: &[f64], out: &mut [f64]) {
        self.add_share_of_reactions(1.0, P_b, out);
    }

    /// out += share · Gᵀ P_b, with the G that reactions act along.
    pub fn add_share_of_reactions(&self, share: f64, P_b: &[f64], out: &mut [f64]) {
        for (&(row, column), &g) in self.jacobian_at.iter().zip(self.directions()) {
            out[column as usize] += g * (share * P_b[row as usize]);
        }
    }

    /// ½ dt² hᵀ Â⁻¹ h, Â = M + dt C + dt² K: the energy that the forces of a state give in one free step. A light stiff
    /// part, such as the last node of an elastic body, gets no more than it can take.
    pub fn energy_of_a_step(&mut self, system: &dyn System, state: &State, dt: f64) -> f64 {
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        let (mut h, mut a) = (vec![0.0; self.nv], vec![0.0; self.nv]);
        system.force(&at, &mut h);
        self.forget_jacobian();
        self.evaluate_jacobian(system, &at);
        // a question before the run, not a part of it
        let counted = (self.factorisations, self.tangent_factorisations);
        let stiff = self.has_tangents() && self.factor(system, &at, dt, dt * dt);
        (self.factorisations, self.tangent_factorisations) = counted;
        if stiff {
            let (mut right, mut x) = (h.clone(), vec![0.0; self.nv + self.nc]);
            right.resize(self.nv + self.nc, 0.0);
            self.ldl.solve(&right, &mut x, &mut self.scratch);
            a.copy_from_slice(&x[..self.nv]);
        } else {
            self.solve_mass(&h, &mut a);
        }
        0.5 * dt * dt * h.iter().zip(&a).map(|(h, a)| h * a).sum::<f64>()
    }

    /// Joints whose rows depend on each other at a state, each dependency as one line with the names of all joints in
    /// it. Evaluated with M, so that a row counts as dependent when its reaction can be carried by others.
    pub fn redundant_joints(&mut self, system: &dyn System, state: &State) -> Vec<String> {
        if self.nc == 0 {
            return Vec::new();
        }
        let at = Configuration::new(system, state.t, &state.q, &state.v);
        self.evaluate_mass(system, &at, false);
        self.evaluate_jacobian(system, &at);
        self.regularised = false;
        for row in 0..self.nc {
            self.ldl.set(self.dual_slot[row], 0.0);
        }
        if !self.factor_once() || !self.ldl.is_deficient() {
            return Vec::new();
        }
        let rows: Vec<usize> = self.ldl.deficient().collect();
        let names: Vec<(String, usize)> =
            system.constraint_info().iter().map(|j| (j.name.clone(), j.rows.end)).collect();
        let joint_of = |row: usize| names.iter().position(|(_, end)| row < *end).unwrap_or(0);
        let mut lines = Vec::new();
        for &row in &rows {
            // y with Lᵀ y = e_row is the combination of rows that vanishes: Gᵀ y = 0
            let mut y = vec![0.0; self.nv + self.nc];
            y[self.ldl.place(self.nv + row)] = 1.0;
            self.ldl.backward(&mut y);
            let most = (0..self.nc)
                .map(|r| y[self.ldl.place(self.nv + r)].abs() / self.weight[r].sqrt())
                .fold(0.0, f64::max);
            let mut joints: Vec<usize> = (0..self.nc)
                .filter(|&r| y[self.ldl.place(self.nv + r)].abs() / self.weight[r].sqrt() > 1e-6 * most)
                .map(joint_of)
                .collect();
            joints.dedup();
            let list: Vec<&str> = joints.iter().map(|&j| names[j].0.as_str()).collect();
            lines.push(format!("one row too many among {}", list.join(", ")));
        }
        self.regularised = true;
        self.holds_mass_only = false;
        lines
    }

    /// M and G alone, without E.
    fn factor_once(&mut self) -> bool {
        self.held = None;
        self.factored_at = None;
        self.factored_mass_only = false;
        self.ldl.clear();
        self.holds_mass_only = false;
        for (&slot, &m) in self.mass_slot.iter().zip(&self.M) {
            self.ldl.add(slot, m);
        }
        self.set_joints(Along::Evaluated);
        self.ldl.factor()
    }

    /// G into K. A joint between two points of one body has places that are written twice: they add up.
    fn set_joints(&mut self, along: Along) {
        let directions = along.of(&self.G, &self.G_mean, &self.G_n);
        if !self.jacobian_repeats {
            for (&slot, &g) in self.jacobian_slot.iter().zip(directions) {
                self.ldl.set(slot, g);
            }
            return;
        }
        for &slot in &self.jacobian_slot {
            self.ldl.set(slot, 0.0);
        }
        for (&slot, &g) in self.jacobian_slot.iter().zip(directions) {
            self.ldl.add(slot, g);
        }
    }
}

/// Whether a pattern names a place twice.
fn repeats(pattern: &[(u32, u32)]) -> bool {
    let mut sorted = pattern.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
