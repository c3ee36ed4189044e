//! The problem of the active contacts as it is posed: directions, laws, U⁻, what is added to U, and P.
//!
//! A contact has its law, unless it is held for a moment as if it were a joint ([`bilateral`]) or gives back in the second phase
//! of an impact ([`decompression`]).

mod acceleration_level;
mod bilateral;
mod carried;
mod central;
mod decompression;

use super::ContactStage;
use super::set::ActiveSet;
use crate::{Configuration, ContactKind, Directions, System};
use carom_solve::Law;

/// A relative velocity below this is none (m/s): the bounces of a body at rest shrink by e in every step and would end
/// among the subnormal numbers, where arithmetic is slow and 0.8 times the smallest number is itself.
const STILL: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Along what impulses act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Force {
    /// W, along which velocities are asked too.
    #[default]
    Same,
    /// Directions of their own.
    Own,
}

/// Which laws the active rows have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Laws {
    /// Those of the contacts, one each.
    #[default]
    Contact,
    /// Normal rows are joints.
    Bilateral,
    /// What compression left to be given back.
    Decompression,
}

/// Everything but Ŵ and U_free. Rows are those of the active contacts, one after the other.
#[derive(Debug, Default)]
pub(super) struct Pose {
    /// Along which velocities are asked.
    W: Directions,
    /// Directions of impulses, if they have their own; else room.
    F: Directions,
    force: Force,
    laws: Vec<Law>,
    kind: Laws,
    /// U⁻, and what is added to U before the law is asked: e ∘ U⁻ — `prepare`.
    U_minus: Vec<f64>,
    /// v⁻, where a contact in space has tangential restitution; otherwise empty.
    v_minus: Vec<f64>,
    shift: Vec<f64>,
    /// Impulses: first guess, then solution.
    pub P: Vec<f64>,
    /// Impulses that the law counts in — `carry`; else empty.
    carried: Vec<f64>,
    /// P of the compression and what decompression gives back of it — `decompress`.
    P_c: Vec<f64>,
    given: Vec<f64>,
}

impl Pose {
    /// With room for so many rows of so many velocities.
    pub fn with_room(rows: usize, velocities: usize) -> Self {
        let room = || Vec::with_capacity(rows);
        Self {
            W: Directions::with_room(rows, rows * velocities),
            F: Directions::with_room(rows, rows * velocities),
            laws: Vec::with_capacity(rows),
            U_minus: room(),
            v_minus: Vec::new(),
            shift: room(),
            P: room(),
            carried: room(),
            P_c: room(),
            given: room(),
            ..Self::default()
        }
    }

    /// A step begins: nothing is posed.
    pub fn begin(&mut self) {
        for array in [&mut self.U_minus, &mut self.shift, &mut self.P] {
            crate::poison(array);
        }
    }

    /// Directions of the velocities.
    pub fn W(&self) -> &Directions {
        &self.W
    }

    /// Directions of the impulses where they are others than W.
    pub fn own_directions(&self) -> Option<&Directions> {
        (self.force == Force::Own).then_some(&self.F)
    }

    /// Directions of the impulses.
    pub fn force_directions(&self) -> &Directions {
        self.own_directions().unwrap_or(&self.W)
    }

    /// Number of rows of a set.
    pub fn rows(&self, set: &ActiveSet) -> usize {
        if set.is_empty() { 0 } else { self.W.rows() }
    }

    /// The laws, which have all rows between them.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// U⁻ of a row.
    pub fn U_minus(&self, row: usize) -> f64 {
        self.U_minus[row]
    }

    /// Wᵀ v + bias + shift of a row: U without impulses.
    #[inline]
    pub fn asked(&self, row: usize, v: &[f64]) -> f64 {
        self.W.velocity(row, v) + self.shift[row]
    }

    fn prepare(&mut self, set: &ActiveSet, v: &[f64], restitution: bool, guess: &[f64], scale: f64) {
        let e = if restitution { 1.0 } else { 0.0 };
        for row in 0..self.W.rows() {
            let U = self.W.velocity(row, v);
            self.U_minus.push(if U.abs() < STILL { 0.0 } else { U });
        }
        for (row, contact) in set.each() {
            let (kind, from) = (set.contacts.kind(contact), set.contacts.first_row(contact));
            let dim = kind.dim();
            match kind {
                ContactKind::Dry { .. } => self.shift.push(0.0),
                _ => {
                    self.shift.push(e * kind.restitution() * self.U_minus[row]);
                    let e_T = e * kind.tangential_restitution();
                    let turning = kind.resistance().dim();
                    let tangential = &self.U_minus[row + 1..row + dim - turning];
                    self.shift.extend(tangential.iter().map(|U| e_T * U));
                    self.shift.extend((0..turning).map(|_| 0.0));
                }
            }
            if matches!(kind, ContactKind::Spatial { tangential_restitution, .. } if e * tangential_restitution != 0.0)
            {
                self.v_minus.clear();
                self.v_minus.extend_from_slice(v);
            }
            self.laws.push(kind.law());
            self.P.extend(guess[from..from + dim].iter().map(|g| scale * g));
        }
    }

    fn forget(&mut self) {
        for array in [&mut self.U_minus, &mut self.shift, &mut self.P, &mut self.given, &mut self.carried] {
            array.clear();
        }
        self.laws.clear();
        self.v_minus.clear();
        (self.force, self.kind) = (Force::Same, Laws::Contact);
    }

    /// W at a configuration.
    pub fn evaluate_directions(&mut self, system: &dyn System, at: &Configuration, set: &ActiveSet) {
        if !set.is_empty() {
            self.W.clear();
            set.contacts.directions(system, at, set.active(), &mut self.W);
            if !self.v_minus.is_empty() {
                self.turn_restitution(set);
            }
        }
    }

    /// e_T U_T⁻ along the directions as they are now. In space these turn about the normal as well, by an angle that means
    /// nothing: numbers along the old ones would make the answer depend on how the plane of contact is spanned.
    fn turn_restitution(&mut self, set: &ActiveSet) {
        for (row, contact) in set.each() {
            if let ContactKind::Spatial { tangential_restitution: e_T, .. } = set.contacts.kind(contact) {
                for row in row + 1..row + 3 {
                    self.shift[row] = e_T * self.W.velocity(row, &self.v_minus);
                }
            }
        }
    }

    /// Whether W at a configuration is, to the last bit, the one evaluated last.
    pub fn directions_stand(&mut self, system: &dyn System, at: &Configuration, set: &ActiveSet) -> bool {
        self.F.clear();
        set.contacts.directions(system, at, set.active(), &mut self.F);
        self.F == self.W
    }

    /// U along the directions of the impulses.
    pub fn force_velocity(&self, row: usize, v: &[f64]) -> f64 {
        self.F.velocity(row, v)
    }

    /// U⁻ of a row becomes another one.
    pub fn set_U_minus(&mut self, row: usize, U: f64) {
        self.U_minus[row] = U;
    }

    /// out += (directions of the impulses) P.
    fn add_impulses(&self, out: &mut [f64]) {
        let F = self.force_directions();
        for (row, &p) in self.P.iter().enumerate() {
            let (columns, values) = F.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                out[column as usize] += w * p;
            }
        }
    }

    /// The bound of an active contact's tangential impulse, and that impulse, both with what was carried; k is its number among
    /// the active ones.
    pub fn friction(&self, k: usize, row: usize, dim: usize) -> (f64, f64) {
        let impulse = |i: usize| self.P[row + i] + self.carried(row + i);
        let law = &self.laws[k];
        let bound = law.bound().unwrap_or_else(|| law.friction() * impulse(0));
        (bound, if dim >= 3 { impulse(1).hypot(impulse(2)) } else { impulse(dim - 1).abs() })
    }

    /// The same laws, guesses and rows once more, for a second stage.
    pub fn double(&mut self) {
        self.laws.extend_from_within(..);
        self.P.extend_from_within(..);
    }

    /// Room for twice as many rows.
    pub fn reserve_double(&mut self, contacts: usize, rows: usize, velocities: usize) {
        self.W = Directions::with_room(rows, rows * velocities);
        self.laws.reserve(2 * contacts);
        self.P.reserve(rows);
    }

    /// W at two stages, the last one first.
    pub fn evaluate_both(&mut self, system: &dyn System, at: &[Configuration; 2], set: &ActiveSet) {
        self.W.clear();
        for at in at.iter().rev() {
            set.contacts.directions(system, at, set.active(), &mut self.W);
        }
    }

    /// Bounds of joints that rub at two stages with forces λ_b, the last one first.
    pub fn bound_both(&mut self, set: &ActiveSet, lambda_b: &[Vec<f64>; 2]) {
        let (last, first) = self.laws.split_at_mut(set.active().len());
        bound_by(last, set, 1.0, &lambda_b[1]);
        bound_by(first, set, 1.0, &lambda_b[0]);
    }
}

/// What schemes do with the problem before it is solved, and with its answer.
impl ContactStage {
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
        self.pose.forget();
        if !self.set.is_empty() {
            self.pose.evaluate_directions(system, at, &self.set);
            self.pose.prepare(&self.set, &at.v, restitution, guess, scale);
        }
    }

    /// W at the configuration where the step needs it.
    pub fn evaluate_directions(&mut self, system: &dyn System, at: &Configuration) {
        self.pose.evaluate_directions(system, at, &self.set);
    }

    /// Forgets W; rows are then added by [`Self::add_directions`].
    pub fn forget_directions(&mut self) {
        self.pose.W.clear();
    }

    /// Adds the rows of W of a range of the active contacts: not all of them need the same configuration.
    pub fn add_directions(&mut self, system: &dyn System, at: &Configuration, range: std::ops::Range<usize>) {
        if !range.is_empty() {
            self.set.contacts.directions(system, at, &self.set.active()[range], &mut self.pose.W);
        }
    }

    /// Whether the directions at a configuration are, to the last bit, those evaluated last.
    pub fn directions_stand(&mut self, system: &dyn System, at: &Configuration) -> bool {
        self.pose.directions_stand(system, at, &self.set)
    }

    /// Impulses act along the directions at `at`, while the law goes on to hold for the velocities along W.
    pub fn set_force_directions(&mut self, system: &dyn System, at: &Configuration) {
        self.pose.force = if self.set.is_empty() { Force::Same } else { Force::Own };
        if !self.set.is_empty() {
            self.pose.F.clear();
            self.set.contacts.directions(system, at, self.set.active(), &mut self.pose.F);
        }
    }

    /// The largest |U⁻| of the active rows.
    pub fn fastest(&self) -> f64 {
        self.pose.U_minus.iter().fold(0.0, |most: f64, U| most.max(U.abs()))
    }

    /// What is added to the velocities before the law is asked, per active row; `prepare` writes e ∘ U⁻.
    pub fn shift_mut(&mut self) -> &mut [f64] {
        &mut self.pose.shift
    }

    /// Wᵀ v + bias of an active row.
    pub fn velocity(&self, row: usize, v: &[f64]) -> f64 {
        self.pose.W.velocity(row, v)
    }

    /// The part of an active row's velocity that does not come from v.
    pub fn bias(&self, row: usize) -> f64 {
        self.pose.W.bias(row)
    }

    /// Impulse of an active row.
    pub fn impulse(&self, row: usize) -> f64 {
        self.pose.P[row]
    }

    /// Whether an active joint rubs with a bound that depends on its own reaction.
    pub fn bounds_depend_on_joints(&self) -> bool {
        self.set.active().iter().any(|&c| {
            matches!(self.set.contacts.kind(c), ContactKind::Dry { coefficient, .. } if *coefficient != 0.0)
        })
    }

    /// Bounds of the joints that rub, over a step dt with the joint impulses P_b found so far; where contacts are held,
    /// those of their friction too, and whether these stand.
    pub fn update_bounds(&mut self, dt: f64, P_b: &[f64]) -> bool {
        match self.pose.kind {
            Laws::Contact => bound_by(&mut self.pose.laws, &self.set, dt, P_b),
            Laws::Bilateral => return self.pose.update_bilateral(&self.set, dt, P_b),
            Laws::Decompression => self.pose.update_decompression(&self.set, P_b),
        }
        true
    }

    /// Bound of an active joint that rubs, as updated last.
    pub fn bound_of(&self, contact: usize) -> Option<f64> {
        let k = self.set.active().iter().position(|&c| c == contact)?;
        self.pose.laws.get(k)?.bound()
    }

    /// out += W P, with the directions that impulses act along.
    pub fn add_contact_impulses(&self, out: &mut [f64]) {
        if !self.set.is_empty() {
            self.pose.add_impulses(out);
        }
    }

    /// out += scale · P, out holding the rows of all contacts.
    #[inline]
    pub fn scatter(&self, scale: f64, out: &mut [f64]) {
        if !self.set.active().is_empty() {
            self.scatter_active(scale, out);
        }
    }

    fn scatter_active(&self, scale: f64, out: &mut [f64]) {
        for (row, place) in self.set.rows() {
            out[place] += scale * self.pose.P[row];
        }
    }

    /// out += W_N μ, μ with one number per contact of the system.
    pub fn add_normals(&self, mu: &[f64], out: &mut [f64]) {
        for (row, contact) in self.set.normals() {
            let (columns, values) = self.pose.W.row(row);
            for (&column, &w) in columns.iter().zip(values) {
                out[column as usize] += w * mu[contact];
            }
        }
    }
}

/// Bounds of the joints that rub, over a time dt with the joint impulses P_b.
fn bound_by(laws: &mut [Law], set: &ActiveSet, dt: f64, P_b: &[f64]) {
    for (law, &contact) in laws.iter_mut().zip(set.active()) {
        if let ContactKind::Dry { constant, coefficient, rows, .. } = set.contacts.kind(contact) {
            *law = Law::dry(dt * constant + coefficient * norm(&P_b[rows.clone()]));
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
