//! The scheme's effective matrix with the joints, factored.
//!
//! ```text
//!   K = [ Â  Gᵀ ]        Â = M + c_v C + c_q K      (its symmetric part)
//!       [ G  −E ]
//! ```
//!
//! Â enters only as the matrix of a Newton iteration whose residual is exact, so leaving out its skew part costs
//! iterations where it matters, never accuracy. Pattern, entries and E are those of `saddle`.

mod compliance;

use crate::diagonals::Diagonals;
use crate::saddle::Saddle;
use crate::stage::free_units::Units;
use crate::{Configuration, Momenta, Quantity, System};
use carom_linear::sparse::{Ldl, Slot};

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
    saddle: Saddle<Ldl>,
    mass_is_constant: bool,
    mass_is_diagonal: bool,
    /// M by its diagonals, where it is constant and has few.
    diagonals: Option<Diagonals>,
    /// Whether M, K and C never change; then whether K, C are known.
    is_linear: bool,
    tangents_known: bool,
    /// What the factor holds.
    factored: Factored,
    /// Velocities by bodies.
    units: Units,
    /// M⁻¹ on its own; used where M is not diagonal.
    mass_ldl: Ldl,
    mass_ldl_slot: Vec<Slot>,
    /// Where M was evaluated, and whether `mass_ldl` is its factor.
    mass_q: Vec<f64>,
    mass_factored: bool,
    /// 1/M_ii if M is diagonal.
    M_inv: Vec<f64>,
    /// M remembered from the beginning of the step, and the mean of the two — `remember_mass`, `average_mass`.
    M_n: Vec<f64>,
    M_mean: Vec<f64>,
    mean_ldl: Ldl,
    mean_is_used: bool,
    /// Which rows of joints M couples; found when first needed.
    coupling: Option<Box<compliance::Coupling>>,
    /// G in pattern order and ∂Φ/∂t — computed by `evaluate_jacobian`.
    G: Vec<f64>,
    /// G remembered from elsewhere in the step and what reactions act along — `remember_jacobian`, `evaluate_jacobian`.
    G_n: Vec<f64>,
    G_mean: Vec<f64>,
    along: Along,
    phi_t: Vec<f64>,
    scratch: Vec<f64>,
    factorisations: usize,
    tangent_factorisations: usize,
}

/// What of the matrix may be used again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Factored {
    /// Nothing.
    #[default]
    Nothing,
    /// The first block holds M alone, to be factored with other joints.
    HoldsMass,
    /// The same, and it is factored so.
    Mass,
    /// M and the remembered G at a time — `factor_at`.
    At(f64),
    /// M + c_v C + c_q K of a linear system without joints.
    Linear(f64, f64),
}

impl Factored {
    /// Whether the first block holds M alone.
    fn holds_mass(self) -> bool {
        matches!(self, Factored::HoldsMass | Factored::Mass | Factored::At(_))
    }
}

impl Operator {
    /// Sizes everything and finds the elimination order.
    pub fn new(system: &dyn System) -> Self {
        let saddle = Saddle::<Ldl>::new(system);
        let (nv, nc) = (saddle.nv(), saddle.nc());
        let (mass, jacobian) = (saddle.M.len(), saddle.jacobian_at.len());
        let (mass_ldl, mass_ldl_slot) = Ldl::new(nv, 0, &saddle.mass_at);
        Self {
            mass_is_constant: system.structure().mass_is_constant,
            mass_is_diagonal: saddle.mass_at.iter().all(|(i, j)| i == j),
            diagonals: None,
            is_linear: system.structure().mass_is_constant && system.structure().tangents_are_constant,
            tangents_known: false,
            factored: Factored::Nothing,
            units: Units::new(system),
            mass_ldl,
            mass_ldl_slot,
            mass_q: vec![f64::NAN; system.structure().sizes.q],
            mass_factored: false,
            M_inv: vec![0.0; nv],
            M_n: vec![0.0; mass],
            M_mean: vec![0.0; mass],
            mean_ldl: Ldl::new(nv, 0, &saddle.mass_at).0,
            mean_is_used: false,
            coupling: None,
            G: vec![0.0; jacobian],
            G_n: vec![0.0; jacobian],
            G_mean: vec![0.0; jacobian],
            along: Along::Evaluated,
            phi_t: vec![0.0; nc],
            scratch: vec![0.0; nv + nc],
            factorisations: 0,
            tangent_factorisations: 0,
            saddle,
        }
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.saddle.nv()
    }

    /// Number of joint rows.
    pub fn nc(&self) -> usize {
        self.saddle.nc()
    }

    /// The factor of K.
    pub fn ldl(&self) -> &Ldl {
        &self.saddle.factor
    }

    /// Velocities by bodies.
    pub(crate) fn units(&self) -> &Units {
        &self.units
    }

    /// Whether h depends on q or v.
    pub fn has_tangents(&self) -> bool {
        self.saddle.has_tangents()
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
        let masses = self.saddle.M_diag.iter().enumerate();
        let masses = masses.filter(|(i, _)| system.structure().velocities[*i].quantity == Quantity::Length);
        masses.fold(0.0, |most, (_, m)| m.max(most))
    }

    /// Whether dependent joints made E necessary.
    pub fn is_regularised(&self) -> bool {
        self.saddle.is_regularised()
    }

    /// M at a configuration; nothing is done where it was evaluated last. False if it is seen not to be positive
    /// definite; a full M is looked at only the first time and when it is needed.
    pub fn evaluate_mass(&mut self, system: &dyn System, at: &Configuration, first: bool) -> bool {
        if !first && (self.mass_is_constant || at.q() == self.mass_q) {
            return true;
        }
        self.mass_q.copy_from_slice(at.q());
        self.mass_factored = false;
        self.factored = Factored::Nothing;
        self.saddle.evaluate_mass(system, at);
        if self.mass_is_constant && !self.mass_is_diagonal {
            self.diagonals = Diagonals::new(self.saddle.nv(), &self.saddle.mass_at, &self.saddle.M);
        }
        if self.mass_is_diagonal {
            for (inv, m) in self.M_inv.iter_mut().zip(&self.saddle.M_diag) {
                *inv = 1.0 / m;
            }
            return self.saddle.M_diag.iter().all(|&m| m > 0.0 && m.is_finite());
        }
        !first || self.factor_mass()
    }

    fn factor_mass(&mut self) -> bool {
        self.mass_ldl.clear();
        for (&slot, &m) in self.mass_ldl_slot.iter().zip(&self.saddle.M) {
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
        let each = self.M_mean.iter_mut().zip(&self.mass_ldl_slot).zip(self.saddle.M.iter().zip(&self.M_n));
        for ((mean, &slot), (M, M_n)) in each {
            *mean = 0.5 * (M + M_n);
            self.mean_ldl.add(slot, *mean);
        }
        self.mean_ldl.factor()
    }

    /// out = M̄⁻¹ x, with the mean taken last.
    pub fn solve_average_mass(&mut self, x: &[f64], out: &mut [f64]) {
        self.mean_ldl.solve(x, out, &mut self.scratch[..self.saddle.nv()]);
    }

    /// out += M̄ x, with the mean taken last.
    pub fn add_average_mass(&self, x: &[f64], out: &mut [f64]) {
        self.saddle.add_product(&self.M_mean, x, out);
    }

    /// G and ∂Φ/∂t at a configuration.
    pub fn evaluate_jacobian(&mut self, system: &dyn System, at: &Configuration) {
        if self.nc() > 0 {
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
        if self.nc() > 0 {
            momenta.secant(from, to, &mut self.G, &mut self.phi_t);
        }
        self.along = Along::Evaluated;
    }

    /// Takes G where forces are meant: from now on reactions act along it, or along the mean of it and the G evaluated
    /// later.
    pub fn remember_jacobian(&mut self, system: &dyn System, at: &Configuration, along: Along) {
        if self.nc() > 0 {
            system.jacobian(at, &mut self.G_n, &mut self.phi_t);
        }
        self.along = along;
    }

    /// Reactions act along the G evaluated later.
    pub fn forget_jacobian(&mut self) {
        self.along = Along::Evaluated;
    }

    /// Along what the reactions act.
    pub(crate) fn directions(&self) -> &[f64] {
        self.along.of(&self.G, &self.G_mean, &self.G_n)
    }

    /// Evaluates and factors M with G at a configuration, along which reactions act from now on. Nothing is done where
    /// this was done last, with nothing factored since.
    pub fn factor_at(&mut self, system: &dyn System, at: &Configuration) -> bool {
        self.along = Along::Remembered;
        let same = |t: f64| (t - at.t()).abs() <= 4.0 * f64::EPSILON * at.t().abs();
        if matches!(self.factored, Factored::At(t) if same(t)) && at.q() == self.mass_q {
            return true;
        }
        if !self.evaluate_mass(system, at, false) {
            return false;
        }
        self.mass_q.copy_from_slice(at.q());
        if self.nc() > 0 {
            system.jacobian(at, &mut self.G_n, &mut self.phi_t);
        }
        let regular = self.factor(system, at, 0.0, 0.0);
        if regular {
            self.factored = Factored::At(at.t());
        }
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

    /// Factors M with a G of its own, in the pattern of G. False if M is not positive definite.
    pub(crate) fn factor_with(&mut self, G: &[f64]) -> bool {
        if !std::mem::take(&mut self.factored).holds_mass() {
            self.saddle.put_mass(1.0);
        }
        self.factored = Factored::HoldsMass;
        self.saddle.put_joints(G, G);
        self.saddle.put_regularisation(G);
        self.factorisations += 1;
        if !self.saddle.factor.factor() {
            return false;
        }
        if self.saddle.factor.is_deficient() && !self.saddle.is_regularised() {
            self.saddle.set_regularised(true);
            return self.factor_with(G);
        }
        true
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
        let before = std::mem::take(&mut self.factored);
        if with_tangents && before == Factored::Linear(c_v, c_q) {
            self.factored = before;
            return true;
        }
        if with_tangents {
            self.evaluate_tangents(system, at);
        }
        // without joints M alone stays factored until it changes
        if !with_tangents && self.nc() == 0 && matches!(before, Factored::Mass | Factored::At(_)) {
            self.factored = Factored::Mass;
            return true;
        }
        if with_tangents || !before.holds_mass() {
            self.saddle.put_mass(1.0);
        }
        if with_tangents {
            self.saddle.put_tangents(c_v, c_q);
        } else {
            self.factored = Factored::HoldsMass;
        }
        let directions = self.along.of(&self.G, &self.G_mean, &self.G_n);
        self.saddle.put_joints(directions, directions);
        self.saddle.put_regularisation(directions);
        if with_tangents {
            self.add_compliance(epsilon);
        }
        self.factorisations += 1;
        self.tangent_factorisations += usize::from(with_tangents);
        if !self.saddle.factor.factor() {
            return false;
        }
        if !with_tangents {
            self.factored = Factored::Mass;
        } else if self.is_linear && self.nc() == 0 {
            // joints turn, so only a matrix without them is worth keeping
            self.factored = Factored::Linear(c_v, c_q);
        }
        if self.saddle.factor.is_deficient() && !self.saddle.is_regularised() {
            self.saddle.set_regularised(true);
            return self.factor_unequal(system, at, c_v, c_q, epsilon);
        }
        true
    }

    /// Factors the M and G evaluated last without E, and without counting: a question about the joints.
    pub(crate) fn factor_joints_alone(&mut self) -> bool {
        self.factored = Factored::Nothing;
        self.saddle.set_regularised(false);
        self.saddle.put_mass(1.0);
        self.saddle.put_joints(&self.G, &self.G);
        self.saddle.factor.factor()
    }

    /// Joints depend on each other: E from now on.
    pub(crate) fn regularise(&mut self) {
        self.saddle.set_regularised(true);
    }

    /// Weight of a joint row's reaction in the least norm.
    pub(crate) fn reaction_weight(&self, row: usize) -> f64 {
        self.saddle.weight[row]
    }

    /// Asks something that factors, without counting it.
    pub(crate) fn uncounted<R>(&mut self, ask: impl FnOnce(&mut Self) -> R) -> R {
        let counted = (self.factorisations, self.tangent_factorisations);
        let answer = ask(self);
        (self.factorisations, self.tangent_factorisations) = counted;
        answer
    }

    fn evaluate_tangents(&mut self, system: &dyn System, at: &Configuration) {
        if !self.tangents_known {
            self.saddle.evaluate_tangents(system, at);
            self.tangents_known = self.is_linear;
        }
    }

    /// ‖M⁻¹ C‖ and ‖M⁻¹ K‖ at a configuration, M by its diagonal: largest sums of |C_ij| / √(M_ii M_jj) over a row.
    pub fn stiffness(&mut self, system: &dyn System, at: &Configuration) -> (f64, f64) {
        if !self.has_tangents() {
            return (0.0, 0.0);
        }
        self.evaluate_tangents(system, at);
        self.saddle.norms_of_tangents()
    }

    /// ∂Φ/∂t evaluated last.
    pub fn phi_t(&self) -> &[f64] {
        &self.phi_t
    }

    /// The diagonal of M.
    pub fn M_diag(&self) -> &[f64] {
        &self.saddle.M_diag
    }

    /// out = M x.
    pub fn mul_mass(&self, x: &[f64], out: &mut [f64]) {
        if self.mass_is_diagonal {
            for i in 0..self.saddle.nv() {
                out[i] = self.saddle.M_diag[i] * x[i];
            }
            return;
        }
        match &self.diagonals {
            Some(diagonals) => diagonals.mul(x, out),
            None => self.saddle.mul_mass(x, out),
        }
    }

    /// out = M⁻¹ x.
    pub fn solve_mass(&mut self, x: &[f64], out: &mut [f64]) {
        if self.mass_is_diagonal {
            for (out, (M_inv, x)) in out.iter_mut().zip(self.M_inv.iter().zip(x)) {
                *out = M_inv * x;
            }
        } else {
            // a failed factorisation shows as numbers that are not finite
            let regular = self.mass_factored || self.factor_mass();
            self.mass_ldl.solve(x, out, &mut self.scratch[..self.saddle.nv()]);
            if !regular {
                out.fill(f64::NAN);
            }
        }
    }

    /// out += (c_v C + c_q K) x, with the tangents of the last `factor` that had them.
    pub fn add_tangents(&self, c_v: f64, c_q: f64, x: &[f64], out: &mut [f64]) {
        self.saddle.add_tangents(c_v, c_q, x, out);
    }

    /// out = G x + ∂Φ/∂t.
    pub fn constraint_velocity(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.phi_t);
        self.saddle.add_rates(&self.G, x, out);
    }

    /// c = −(G a + bias): what the accelerations a lack to hold the joints.
    pub fn lacking_accelerations(&self, a: &[f64], bias: &[f64], c: &mut [f64]) {
        // `constraint_velocity` adds ∂Φ/∂t, which is no acceleration
        self.constraint_velocity(a, c);
        for (row, c) in c.iter_mut().enumerate() {
            *c = self.phi_t[row] - *c - bias[row];
        }
    }

    /// First guess of λ_b, those of the step before; where joints depend on each other an iteration looks for the least
    /// reactions, from none.
    pub fn guess_reactions(&self, before: &[f64], guess: &mut [f64]) {
        if self.is_regularised() {
            guess.fill(0.0);
        } else {
            guess.copy_from_slice(before);
        }
    }

    /// out = Ḡ x, with the G that reactions act along.
    pub fn along_joints(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.saddle.add_rates(self.directions(), x, out);
    }

    /// out += Gᵀ P_b, with the G that reactions act along.
    pub fn add_reactions(&self, P_b: &[f64], out: &mut [f64]) {
        self.add_share_of_reactions(1.0, P_b, out);
    }

    /// out += share · Gᵀ P_b, with the G that reactions act along.
    pub fn add_share_of_reactions(&self, share: f64, P_b: &[f64], out: &mut [f64]) {
        self.saddle.add_reactions(self.directions(), share, P_b, out);
    }
}
