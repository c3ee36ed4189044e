//! The shared contact stage: one place that factors, builds the Delassus operator, solves and substitutes back.
//!
//! Given the factored saddle point K of [`Operator`] and right-hand sides (r, c) it finds δv, δP_b and P with
//!
//! ```text
//!   K (δv, −δP_b) = (r + W P, c),       U = Wᵀ (v + δv) + bias,       law(U + e ∘ U⁻, P)
//! ```
//!
//! With K = L D Lᵀ and X = L⁻¹ W, y = L⁻¹ (r, c) only forward substitutions are needed before the contact problem:
//!
//! ```text
//!   Ŵ = Xᵀ D⁻¹ X,       U_free = Wᵀ v + bias + Xᵀ D⁻¹ y + e ∘ U⁻,       (δv, −δP_b) = L⁻ᵀ D⁻¹ (y + X P)
//! ```
//!
//! Half-explicit methods press along the directions F where a stage begins and ask for the law where it ends: then
//! X = L⁻¹ F, Z = L⁻¹ W and Ŵ = Zᵀ D⁻¹ X, which is not symmetric.

mod as_joints;
mod carried;
mod central;
mod decompression;
mod held;
mod pair;
mod positions;
mod rates;
mod sparse;
mod unequal;
mod watch;
pub use pair::Coupling;
pub use watch::{ProblemWatch, SeenProblem};

use crate::{Configuration, ContactKind, Directions, Extent, Operator, State, StepError, System};
use carom_solve::ldl::Ldl;
use carom_solve::{ContactProblem, ContactSolver, Delassus, Law, SolveReport, SolveStatus, SquareMatrix};
use positions::PositionProblem;
use sparse::Sparse;

/// Gaps up to this, relative to the coordinates they are computed from, count as zero: some units in the last place.
pub const GAP_ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// A relative velocity below this is none (m/s): the bounces of a body at rest shrink by e in every step and would end
/// among the subnormal numbers, where arithmetic is slow and 0.8 times the smallest number is itself.
const STILL: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Numbers in L⁻¹ W of all contacts up to which a system is small.
const SMALL: usize = 1 << 14;

/// What a contact record tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// The impulse over a step, which may be a force, an impact, or both.
    Step,
    /// A force, integrated over the step.
    Force,
    /// An impact at the end of the step.
    Impact,
}

/// One active contact after a step, for the recorder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// Index into [`System::contact_info`].
    pub contact: usize,
    /// What the impulse is.
    pub nature: Nature,
    /// U at the beginning of the step, rows (N, T) or the single row.
    pub U_minus: [f64; 2],
    /// U at its end.
    pub U_plus: [f64; 2],
    /// The part of U that does not come from v but from a surface that is moved.
    pub bias: [f64; 2],
    /// Impulse over the step.
    pub P: [f64; 2],
    /// Whether there is friction that could hold it.
    pub rubs: bool,
    /// Whether the tangential reaction is at its bound (Coulomb's, or that of a joint that rubs).
    pub slides: bool,
}

/// A joint or contact whose tangential impulse is closer to its bound than this slides.
const AT_BOUND: f64 = 1e-9;

/// Sums over the contact problems of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactWork {
    /// Contact problems solved.
    pub problems: usize,
    /// Iterations inside the solvers.
    pub iterations: usize,
    /// Problems answered by a fallback.
    pub fallbacks: usize,
    /// Residual of the last problem.
    pub residual: f64,
}

/// Factors, builds, solves, substitutes back. Owned by the simulation, sized once, grows with the active set.
#[derive(Debug)]
pub struct ContactStage {
    /// The effective matrix with the joints.
    pub operator: Operator,
    solver: Box<dyn ContactSolver>,
    kinds: Vec<ContactKind>,
    /// First row of each contact in [`State::P`].
    offset: Vec<usize>,
    /// Gaps at the point of the step where the scheme tests them — computed by `activate`.
    g_N: Vec<f64>,
    /// Contacts closed where the step began — computed by `remember_closed`.
    closed: Vec<bool>,
    any_closed: bool,
    /// Largest gap that counts as zero where gaps were evaluated last (m).
    round_off: f64,
    extent: Extent,
    active: Vec<usize>,
    W: Directions,
    /// Directions of the impulses where they differ from those of the velocities — computed by `press_along`.
    F: Directions,
    split: bool,
    laws: Vec<Law>,
    /// U⁻ and e ∘ U⁻ of the active rows — computed by `prepare`.
    U_minus: Vec<f64>,
    shift: Vec<f64>,
    /// U where the step began, rows of all contacts — `remember_begin`.
    U_begin: Vec<f64>,
    /// L⁻¹ F, one line of rows() numbers per place, and which lines are not zero; L⁻¹ W where it differs.
    X: Vec<f64>,
    touched: Vec<bool>,
    Z: Vec<f64>,
    touched_z: Vec<bool>,
    y: Vec<f64>,
    W_hat: SquareMatrix,
    /// Ŵ and X by contacts, in place of those above for the problem posed last if `by_blocks`.
    sparse: Sparse,
    by_blocks: bool,
    /// Contacts from which on blocks are looked for.
    blocks_from: usize,
    U_free: Vec<f64>,
    P: Vec<f64>,
    /// P of the compression and what decompression gives back of it, per active row — `decompress`; else empty.
    P_c: Vec<f64>,
    given: Vec<f64>,
    /// Impulses of the active rows that the law counts in — `carry`; else empty.
    carried: Vec<f64>,
    /// Whether normal rows are joints for the moment — `as_joints`.
    joined: bool,
    positions: PositionProblem,
    /// Work arrays of two stages solved together.
    pair: pair::Work,
    /// Columns of linear systems.
    held: held::Held,
    /// Columns of contacts beside joints where reactions act unequally.
    unequal: unequal::Unequal,
    records: Vec<ContactRecord>,
    work: ContactWork,
    /// Steps begun, and who looks at their problems.
    step: usize,
    watch: Option<Box<dyn ProblemWatch>>,
}

impl ContactStage {
    /// For one system and one solver.
    pub fn new(system: &dyn System, solver: Box<dyn ContactSolver>) -> Self {
        let operator = Operator::new(system);
        let extent = Extent::new(system);
        let kinds: Vec<ContactKind> = system.contact_info().iter().map(|c| c.kind.clone()).collect();
        let mut offset = Vec::with_capacity(kinds.len());
        let mut rows = 0;
        for kind in &kinds {
            offset.push(rows);
            rows += kind.dim();
        }
        let n = operator.ldl().n();
        // small systems get all their room at once; large ones as their active set grows
        let room = if n * rows <= SMALL { rows } else { 0 };
        Self {
            solver,
            offset,
            g_N: vec![0.0; kinds.len()],
            closed: vec![false; kinds.len()],
            any_closed: false,
            round_off: extent.grain(&[]),
            extent,
            active: Vec::with_capacity(kinds.len()),
            W: Directions::with_room(room, room * operator.nv()),
            F: Directions::with_room(room, room * operator.nv()),
            split: false,
            laws: Vec::with_capacity(room),
            U_minus: Vec::with_capacity(room),
            shift: Vec::with_capacity(room),
            U_begin: vec![f64::NAN; rows],
            X: Vec::with_capacity(n * room),
            touched: vec![false; n],
            Z: Vec::with_capacity(n * room),
            touched_z: vec![false; n],
            y: vec![0.0; n],
            W_hat: SquareMatrix::zeros(0),
            sparse: Sparse::default(),
            by_blocks: false,
            blocks_from: sparse::MANY,
            U_free: Vec::with_capacity(room),
            P: Vec::with_capacity(room),
            P_c: Vec::with_capacity(room),
            given: Vec::with_capacity(room),
            carried: Vec::with_capacity(room),
            joined: false,
            positions: PositionProblem::with_room(kinds.len()),
            pair: pair::Work::default(),
            held: held::Held::default(),
            unequal: unequal::Unequal::default(),
            records: Vec::with_capacity(2 * kinds.len()),
            work: ContactWork::default(),
            step: 0,
            watch: None,
            kinds,
            operator,
        }
    }

    /// Looks for blocks of Ŵ from so many contacts on, where something else than the usual number is wanted.
    pub fn look_for_blocks_from(&mut self, contacts: usize) {
        self.blocks_from = contacts;
    }

    /// Forgets the step before: call first in every step.
    pub fn begin(&mut self) {
        self.step += 1;
        self.work = ContactWork::default();
        self.active.clear();
        self.records.clear();
    }

    /// Closes the contacts with g_N(at) ≤ 0. The only tolerance is what arithmetic cannot tell from zero,
    /// [`GAP_ROUND_OFF`]: without it a body that lies on the ground may be let go for a step by the last bit of its gap,
    /// and slips by g dt². Joints that rub are always active.
    pub fn activate(&mut self, system: &dyn System, at: &Configuration) {
        self.active.clear();
        if self.kinds.is_empty() {
            return;
        }
        self.look_at_gaps(system, at);
        for (contact, &g) in self.g_N.iter().enumerate() {
            if g <= self.round_off {
                self.active.push(contact);
            }
        }
    }

    /// Evaluates all gaps, read by [`Self::gaps`], without a change of the active set.
    pub fn evaluate_gaps(&mut self, system: &dyn System, at: &Configuration) {
        if !self.kinds.is_empty() {
            self.look_at_gaps(system, at);
        }
    }

    fn look_at_gaps(&mut self, system: &dyn System, at: &Configuration) {
        system.gaps(at, &mut self.g_N);
        self.round_off = self.extent.grain(at.q());
    }

    /// Largest gap that counts as zero where gaps were evaluated last (m), [`GAP_ROUND_OFF`] of the largest coordinate.
    pub fn round_off(&self) -> f64 {
        self.round_off
    }

    /// How large the numbers are that places are computed from.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Activates these contacts and no others; their rows follow in this order.
    pub fn set_active(&mut self, contacts: &[usize]) {
        self.active.clear();
        self.active.extend_from_slice(contacts);
    }

    /// Whether any contact is active.
    pub fn is_active(&self) -> bool {
        !self.active.is_empty()
    }

    /// Whether a contact that may open is active (not only joints that rub).
    pub fn has_closed_contacts(&self) -> bool {
        self.active.iter().any(|&c| !matches!(self.kinds[c], ContactKind::Dry { .. }))
    }

    /// Whether the system has contacts at all.
    pub fn has_contacts(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Opens the active contacts that are open at another configuration.
    pub fn keep_closed(&mut self, system: &dyn System, at: &Configuration) {
        if !self.active.is_empty() {
            self.look_at_gaps(system, at);
            let (g_N, round_off) = (&self.g_N, self.round_off);
            self.active.retain(|&contact| g_N[contact] <= round_off);
        }
    }

    /// Opens the active contacts whose normal velocity is outside a range at a configuration with its velocities.
    pub fn keep_slow(&mut self, system: &dyn System, at: &Configuration, (least, most): (f64, f64)) {
        if self.active.is_empty() {
            return;
        }
        self.W.clear();
        system.directions(at, &self.active, &mut self.W);
        let (W, kinds) = (&self.W, &self.kinds);
        let mut next = 0;
        self.active.retain(|&contact| {
            let row = next;
            next += kinds[contact].dim();
            let U = W.velocity(row, &at.v);
            matches!(kinds[contact], ContactKind::Dry { .. }) || (least <= U && U <= most)
        });
    }

    /// The largest |U⁻| of the active rows.
    pub fn fastest(&self) -> f64 {
        self.U_minus.iter().fold(0.0, |most: f64, U| most.max(U.abs()))
    }

    /// Whether a contact is inside the other body at a configuration, by more than round-off.
    pub fn penetrates(&mut self, system: &dyn System, at: &Configuration) -> bool {
        if self.kinds.is_empty() {
            return false;
        }
        self.look_at_gaps(system, at);
        self.g_N.iter().any(|g| g.is_finite() && *g < -self.round_off)
    }

    /// Opens all contacts, but not the joints that rub.
    pub fn let_go(&mut self) {
        let kinds = &self.kinds;
        self.active.retain(|&contact| matches!(kinds[contact], ContactKind::Dry { .. }));
    }

    /// Takes the contacts active now for those that are closed where the step begins.
    pub fn remember_closed(&mut self) {
        self.any_closed = !self.active.is_empty();
        self.closed.fill(false);
        for &contact in &self.active {
            self.closed[contact] = true;
        }
    }

    /// Activates the contacts closed where the step began, of these only the ones closed at `at` too if it is given.
    pub fn activate_closed(&mut self, system: &dyn System, at: Option<&Configuration>) {
        self.active.clear();
        if !self.any_closed {
            return;
        }
        self.active.extend((0..self.closed.len()).filter(|&contact| self.closed[contact]));
        if let Some(at) = at {
            self.keep_closed(system, at);
        }
    }

    /// Counts a closed contact as open where the step begins: it approaches, and what comes is an impact.
    pub fn expect_impact(&mut self, contact: usize) {
        self.closed[contact] = false;
    }

    /// Activates as [`Self::activate`]; whether a contact is among them that was open where the step began.
    pub fn activate_new(&mut self, system: &dyn System, at: &Configuration) -> bool {
        self.activate(system, at);
        self.active.iter().any(|&contact| !self.closed[contact])
    }

    /// The active contacts, by index into [`System::contact_info`].
    pub fn active(&self) -> &[usize] {
        &self.active
    }

    /// Gaps evaluated last, of all contacts.
    pub fn gaps(&self) -> &[f64] {
        &self.g_N
    }

    /// Law and parameters of a contact.
    pub fn kind(&self, contact: usize) -> &ContactKind {
        &self.kinds[contact]
    }

    /// Makes the active contacts ready for their problem: U⁻ at a configuration with its velocities, the laws, the
    /// restitution e ∘ U⁻ if an impact is meant, and `scale` times `guess` (all rows) as first guess of P.
    pub fn prepare(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        restitution: bool,
        guess: &[f64],
        scale: f64,
    ) {
        self.U_minus.clear();
        self.shift.clear();
        self.laws.clear();
        self.P.clear();
        self.given.clear();
        self.carried.clear();
        self.split = false;
        self.joined = false;
        if self.active.is_empty() {
            return;
        }
        let e = if restitution { 1.0 } else { 0.0 };
        self.W.clear();
        system.directions(at, &self.active, &mut self.W);
        for row in 0..self.W.rows() {
            let U = self.W.velocity(row, &at.v);
            self.U_minus.push(if U.abs() < STILL { 0.0 } else { U });
        }
        let mut row = 0;
        for &contact in &self.active {
            let from = self.offset[contact];
            match self.kinds[contact] {
                ContactKind::Unilateral { restitution } => {
                    self.shift.push(e * restitution * self.U_minus[row]);
                    self.laws.push(Law::unilateral());
                }
                ContactKind::Frictional { restitution, tangential_restitution, friction } => {
                    self.shift.push(e * restitution * self.U_minus[row]);
                    self.shift.push(e * tangential_restitution * self.U_minus[row + 1]);
                    self.laws.push(Law::planar_coulomb(friction));
                }
                ContactKind::Dry { constant, .. } => {
                    self.shift.push(0.0);
                    self.laws.push(Law::dry(constant));
                }
            }
            let dim = self.kinds[contact].dim();
            self.P.extend(guess[from..from + dim].iter().map(|g| scale * g));
            row += dim;
        }
    }

    /// W at the configuration where the step needs it.
    pub fn evaluate_directions(&mut self, system: &dyn System, at: &Configuration) {
        if !self.active.is_empty() {
            self.W.clear();
            system.directions(at, &self.active, &mut self.W);
        }
    }

    /// Forgets W; rows are then added by [`Self::add_directions`].
    pub fn forget_directions(&mut self) {
        self.W.clear();
    }

    /// Adds the rows of W of a range of the active contacts: not all of them need the same configuration.
    pub fn add_directions(&mut self, system: &dyn System, at: &Configuration, range: std::ops::Range<usize>) {
        if !range.is_empty() {
            system.directions(at, &self.active[range], &mut self.W);
        }
    }

    /// Impulses act along the directions at `at`, while the law goes on to hold for the velocities along W.
    pub fn press_along(&mut self, system: &dyn System, at: &Configuration) {
        self.split = !self.active.is_empty();
        if self.split {
            self.F.clear();
            system.directions(at, &self.active, &mut self.F);
        }
    }

    /// What is added to the velocities before the law is asked, per active row; `prepare` writes e ∘ U⁻.
    pub fn shift_mut(&mut self) -> &mut [f64] {
        &mut self.shift
    }

    /// Wᵀ v + bias of an active row.
    pub fn velocity(&self, row: usize, v: &[f64]) -> f64 {
        self.W.velocity(row, v)
    }

    /// The part of an active row's velocity that does not come from v.
    pub fn bias(&self, row: usize) -> f64 {
        self.W.bias(row)
    }

    /// Whether an active joint rubs with a bound that depends on its own reaction.
    pub fn bounds_depend_on_joints(&self) -> bool {
        self.active
            .iter()
            .any(|&c| matches!(self.kinds[c], ContactKind::Dry { coefficient, .. } if coefficient != 0.0))
    }

    /// Bounds of the joints that rub, over a step dt with the joint impulses P_b found so far; where contacts are held,
    /// those of their friction too, and whether these stand.
    pub fn update_bounds(&mut self, dt: f64, P_b: &[f64]) -> bool {
        if self.joined {
            return self.update_as_joints(dt, P_b);
        }
        if self.is_decompressing() {
            self.update_decompression(P_b);
        } else {
            bound_by(&mut self.laws, &self.active, &self.kinds, dt, P_b);
        }
        true
    }

    /// Finds δv, δP_b and P. On entry `dv` = r and `dP_b` = c; the contact law holds for the velocities v + δv.
    pub fn solve(&mut self, t: f64, v: &[f64], dv: &mut [f64], dP_b: &mut [f64]) -> Result<(), StepError> {
        self.substitute_forward(dv, dP_b);
        let rows = if self.active.is_empty() { 0 } else { self.W.rows() };
        if rows > 0 {
            self.U_free.clear();
            for row in 0..rows {
                self.U_free.push(self.W.velocity(row, v) + self.shift[row]);
            }
            let F = self.split.then_some(&self.F);
            let ldl = self.operator.ldl();
            self.by_blocks =
                self.laws.len() >= self.blocks_from && self.sparse.build(ldl, &self.laws, &self.W, F);
            if self.by_blocks {
                self.sparse.add_free_velocity(ldl, &self.y, self.split, &mut self.U_free);
                self.solve_problem(t, v)?;
                self.sparse.add_impulses(&self.P, &mut self.y);
            } else {
                self.build(rows);
                self.solve_problem(t, v)?;
                self.add_dense_impulses(rows);
            }
        }
        self.substitute_backward(dv, dP_b);
        Ok(())
    }

    /// The full Ŵ and U_free += Zᵀ D⁻¹ y.
    fn build(&mut self, rows: usize) {
        let ldl = self.operator.ldl();
        let F = if self.split { &self.F } else { &self.W };
        substitute(ldl, F, rows, &mut self.X, &mut self.touched);
        self.W_hat.resize(rows);
        if !self.split {
            symmetric_delassus(ldl, (&self.X, &self.touched), &self.y, &mut self.W_hat, &mut self.U_free);
            return;
        }
        // Ŵ = Zᵀ D⁻¹ X
        substitute(ldl, &self.W, rows, &mut self.Z, &mut self.touched_z);
        for place in 0..ldl.n() {
            if !self.touched_z[place] {
                continue;
            }
            let x = &self.X[place * rows..(place + 1) * rows];
            let z = &self.Z[place * rows..(place + 1) * rows];
            let d_inv = ldl.d_inv(place);
            let y_d = self.y[place] * d_inv;
            for i in 0..rows {
                self.U_free[i] += z[i] * y_d;
                let z_d = z[i] * d_inv;
                for (w, x_j) in self.W_hat.row_mut(i).iter_mut().zip(x) {
                    *w += z_d * x_j;
                }
            }
        }
    }

    /// y += X P.
    fn add_dense_impulses(&mut self, rows: usize) {
        for (place, y) in self.y.iter_mut().enumerate() {
            if self.touched[place] {
                let x = &self.X[place * rows..(place + 1) * rows];
                *y += x.iter().zip(&self.P).map(|(x, p)| x * p).sum::<f64>();
            }
        }
    }

    /// y = L⁻¹ (r, c).
    fn substitute_forward(&mut self, r: &[f64], c: &[f64]) {
        let ldl = self.operator.ldl();
        if ldl.is_in_order() {
            self.y.copy_from_slice(r);
        } else {
            for (i, r) in r.iter().chain(c).enumerate() {
                self.y[ldl.place(i)] = *r;
            }
        }
        ldl.forward(&mut self.y);
    }

    /// (r, −c) = L⁻ᵀ D⁻¹ y.
    fn substitute_backward(&mut self, r: &mut [f64], c: &mut [f64]) {
        let ldl = self.operator.ldl();
        ldl.divide_backward(&mut self.y);
        if ldl.is_in_order() {
            return r.copy_from_slice(&self.y);
        }
        for (i, r) in r.iter_mut().enumerate() {
            *r = self.y[ldl.place(i)];
        }
        for (i, c) in c.iter_mut().enumerate() {
            *c = -self.y[ldl.place(self.operator.nv() + i)];
        }
    }

    /// P from Ŵ, U_free and the laws; `v` names the culprit where numbers are not finite.
    fn solve_problem(&mut self, t: f64, v: &[f64]) -> Result<(), StepError> {
        if !self.carried.is_empty() {
            self.count_in_carried();
        }
        let W_hat: &dyn Delassus = if self.by_blocks { &self.sparse.W_hat } else { &self.W_hat };
        let problem = ContactProblem { W_hat, U_free: &self.U_free, laws: &self.laws };
        let report = self.solver.solve(&problem, &mut self.P);
        watch::show(&mut self.watch, (t, self.step), problem, &self.P, report);
        self.count(&report);
        if !report.residual.is_finite() {
            let size = |i: &usize| if v[*i].is_finite() { v[*i].abs() } else { f64::INFINITY };
            let velocity = (0..v.len()).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(0);
            return Err(StepError::NotFinite { t, velocity });
        }
        if report.status != SolveStatus::Converged {
            return Err(self.contact_error(t, report));
        }
        self.count_out_carried();
        Ok(())
    }

    /// out += W P, with the directions that impulses act along.
    pub fn add_contact_impulses(&self, out: &mut [f64]) {
        if self.active.is_empty() {
            return;
        }
        let F = if self.split { &self.F } else { &self.W };
        for (row, &p) in self.P.iter().enumerate() {
            let (columns, values) = F.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                out[column as usize] += w * p;
            }
        }
    }

    /// out += scale · P, out holding the rows of all contacts.
    pub fn scatter(&self, scale: f64, out: &mut [f64]) {
        let mut row = 0;
        for &contact in &self.active {
            for i in 0..self.kinds[contact].dim() {
                out[self.offset[contact] + i] += scale * self.P[row];
                row += 1;
            }
        }
    }

    /// Writes the impulses into the state and the records of the active contacts; `v` is the new velocity.
    pub fn finish(&mut self, v: &[f64], state: &mut State) {
        state.P.fill(0.0);
        self.scatter(1.0, &mut state.P);
        self.record(Nature::Step, v, &state.P);
    }

    /// Records the active contacts; `v` is the new velocity, `impulses` are those of all contacts.
    pub fn record(&mut self, nature: Nature, v: &[f64], impulses: &[f64]) {
        let mut row = 0;
        for (k, &contact) in self.active.iter().enumerate() {
            let dim = self.kinds[contact].dim();
            let (mut U_minus, mut U_plus, mut bias, mut P) = ([0.0; 2], [0.0; 2], [0.0; 2], [0.0; 2]);
            for i in 0..dim {
                U_minus[i] = self.U_minus[row + i];
                U_plus[i] = self.W.velocity(row + i, v);
                bias[i] = self.W.bias(row + i);
                P[i] = impulses[self.offset[contact] + i];
            }
            let law = &self.laws[k];
            let bound = law.bound().unwrap_or_else(|| law.friction() * (self.P[row] + self.carried(row)));
            let last = row + dim - 1;
            let slides = (self.P[last] + self.carried(last)).abs() >= bound * (1.0 - AT_BOUND);
            let rubs = bound > 0.0;
            self.records.push(ContactRecord { contact, nature, U_minus, U_plus, bias, P, rubs, slides });
            row += dim;
        }
    }

    /// Records an impact that was not solved here.
    pub fn record_jump(
        &mut self,
        contact: usize,
        U_minus: [f64; 2],
        U_plus: [f64; 2],
        bias: [f64; 2],
        P: [f64; 2],
    ) {
        let nature = Nature::Impact;
        let record = ContactRecord { contact, nature, U_minus, U_plus, bias, P, rubs: false, slides: false };
        self.records.push(record);
    }

    /// Bound of an active joint that rubs, as updated last.
    pub fn bound_of(&self, contact: usize) -> Option<f64> {
        let k = self.active.iter().position(|&c| c == contact)?;
        self.laws.get(k)?.bound()
    }

    /// U of the active contacts where the step begins, along the directions that impulses act along; for the records.
    pub fn remember_begin(&mut self, v: &[f64]) {
        let mut row = 0;
        for &contact in &self.active {
            for i in 0..self.kinds[contact].dim() {
                self.U_begin[self.offset[contact] + i] = self.F.velocity(row, v);
                row += 1;
            }
        }
    }

    /// Forgets what `remember_begin` took.
    pub fn forget_begin(&mut self) {
        self.U_begin.fill(f64::NAN);
    }

    /// The records' U⁻ are those of `remember_begin`, where there are any.
    pub fn recall_begin(&mut self) {
        let mut row = 0;
        for &contact in &self.active {
            for i in 0..self.kinds[contact].dim() {
                let U = self.U_begin[self.offset[contact] + i];
                if U.is_finite() {
                    self.U_minus[row] = U;
                }
                row += 1;
            }
        }
    }

    /// Drops the records of this step, but for the first `kept`.
    pub fn forget_records(&mut self, kept: usize) {
        self.records.truncate(kept);
    }

    /// The active contacts of the last step.
    pub fn records(&self) -> &[ContactRecord] {
        &self.records
    }

    /// Sums over the contact problems of the last step.
    pub fn work(&self) -> ContactWork {
        self.work
    }

    /// First row of a contact in [`State::P`].
    pub fn offset(&self, contact: usize) -> usize {
        self.offset[contact]
    }

    fn count(&mut self, report: &SolveReport) {
        self.work.problems += 1;
        self.work.iterations += report.iterations;
        self.work.fallbacks += usize::from(report.fallbacks > 0);
        self.work.residual = report.residual;
    }

    fn contact_error(&self, t: f64, report: SolveReport) -> StepError {
        // the contact that moves the most is the one to look at
        let mut worst = (0, 0.0);
        let mut row = 0;
        for &contact in &self.active {
            let size = self.U_free[row].abs();
            if size >= worst.1 {
                worst = (contact, size);
            }
            row += self.kinds[contact].dim();
        }
        StepError::Contact {
            t,
            contact: worst.0,
            solver: report.solver,
            residual: report.residual,
            iterations: report.iterations,
        }
    }
}

/// X = L⁻¹ F, one line per place; `touched` says which lines are not zero.
fn substitute(ldl: &Ldl, F: &Directions, rows: usize, X: &mut Vec<f64>, touched: &mut [bool]) {
    X.clear();
    X.resize(ldl.n() * rows, 0.0);
    touched.fill(false);
    for row in 0..rows {
        let (columns, values) = F.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            let place = ldl.place(column as usize);
            X[place * rows + row] += value;
            touched[place] = true;
        }
    }
    ldl.forward_block(rows, X, touched);
}

/// Ŵ = Xᵀ D⁻¹ X and U_free += Xᵀ D⁻¹ y; X with its lines that are not zero.
fn symmetric_delassus(
    ldl: &Ldl,
    (X, touched): (&[f64], &[bool]),
    y: &[f64],
    W_hat: &mut SquareMatrix,
    U_free: &mut [f64],
) {
    let rows = W_hat.n();
    // lower triangle, then mirrored
    for place in 0..ldl.n() {
        if !touched[place] {
            continue;
        }
        let x = &X[place * rows..(place + 1) * rows];
        let d_inv = ldl.d_inv(place);
        let y_d = y[place] * d_inv;
        for i in 0..rows {
            U_free[i] += x[i] * y_d;
            let x_d = x[i] * d_inv;
            for (w, x_j) in W_hat.row_mut(i)[..=i].iter_mut().zip(x) {
                *w += x_d * x_j;
            }
        }
    }
    for i in 0..rows {
        for j in 0..i {
            W_hat[(j, i)] = W_hat[(i, j)];
        }
    }
}

/// Bounds of the joints that rub, over a time dt with the joint impulses P_b.
fn bound_by(laws: &mut [Law], active: &[usize], kinds: &[ContactKind], dt: f64, P_b: &[f64]) {
    for (law, &contact) in laws.iter_mut().zip(active) {
        if let ContactKind::Dry { constant, coefficient, rows, .. } = &kinds[contact] {
            let pressed = P_b[rows.clone()].iter().map(|p| p * p).sum::<f64>().sqrt();
            *law = Law::dry(dt * constant + coefficient * pressed);
        }
    }
}
