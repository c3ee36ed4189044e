//! The smooth motion between two events, as a method for differential-algebraic equations sees it.
//!
//! ```text
//!   q' = v,      M(q) v' = h(t,q,v) + F(q)ᵀ λ,      m rows: joints, then the contacts that are held
//!   index 3:  Φ(t,q) = 0      index 2:  G v + Φ_t = 0      index 1:  G v' + bias = 0
//! ```
//!
//! Contacts that are closed stay so until an event says otherwise, so they are rows like those of joints: g_N, and U_T where
//! they stick. Forces act along F = G, but for a contact that slides, whose row is W_N − μ s W_T [Haddouni2015] (2.1), and
//! that makes every matrix here unsymmetric; in space it is W_N − μ W_T U_T/|U_T| ([`steer`]). A joint that rubs while it moves pushes with −s (b₀ + b₁ |λ_rows|), found by
//! iteration. Rows of sticking have no position; [`Motion::is_holonomic`] says so.
//!
//! A method evaluates forces where they act and rows where they are asked, factors, and solves:
//!
//! ```text
//!   [ c_m M + c_v C + c_q K   Fᵀ ] (  x )   ( r )
//!   [ G                        0 ] ( −λ ) = ( c )
//! ```
//!
//! Joints are eliminated in a sparse LU, contacts stand around it ([`border`]). Where rows depend on each other E of
//! `saddle::REGULARISATION` takes the place of 0 and solving is repeated around the λ found: the rows
//! then hold to round-off and λ is the smallest that does it.

mod border;
mod forms;
mod formulation;
mod measure;
mod mode;
mod reactions;
mod steer;

pub use formulation::Formulation;
pub use mode::ContactMode;

use crate::saddle::{REGULARISATION, Saddle};
use crate::{Configuration, ContactKind, Directions, Extent, Quantity, StepError, System};
use border::Border;
use carom_linear::sparse::Lu;
use forms::Forms;
use steer::Steered;
pub(crate) use steer::{in_basis, in_space};

/// Rows that there is room for from the beginning; more are rarely held, and take it when they are.
const FEW: usize = 8;
/// Solves around the λ found before, where rows depend on each other: each gains eight digits.
const REFINEMENTS: usize = 2;
/// Passes over the bounds of joints that rub.
const MOST_PASSES: usize = 100;
/// Bounds that change by less than this, relatively, stand.
const BOUND_STANDS: f64 = 1e-14;

/// Rows at one configuration.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// G in pattern order, ∂Φ/∂t.
    G: Vec<f64>,
    phi_t: Vec<f64>,
    /// Rows (N, T) of the contacts that are closed.
    W: Directions,
    /// Tangents of what slides in space.
    basis: Vec<[[f64; 3]; 2]>,
}

/// One row of a contact that is held.
#[derive(Clone, Copy, Debug)]
struct HeldRow {
    contact: usize,
    /// 0 normal (or the only one), then the tangential ones.
    of_contact: usize,
    /// Its place in `Rows::W`.
    w: usize,
    /// The force acts along W_N + W_T slope: −μ s where it slides, −μ e in space.
    slope: [f64; 2],
}

impl HeldRow {
    fn slides(&self) -> bool {
        self.slope != [0.0; 2]
    }

    /// The rows of W along which friction acts with parts of λ_N.
    #[inline]
    fn friction(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        let (w, slope) = (self.w, self.slope);
        let rows = if slope[1] != 0.0 { 2 } else { usize::from(slope[0] != 0.0) };
        (0..rows).map(move |i| (w + 1 + i, slope[i]))
    }
}

/// A joint that rubs while it moves: W's row, sign of its velocity.
#[derive(Clone, Copy, Debug)]
struct Rubbing {
    contact: usize,
    w: usize,
    sign: f64,
}

/// How rows of index 1 are kept from drifting.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drift {
    /// Not at all.
    None,
    /// By a projection in the metric of the mass after the step, [Haddouni2015] (2.12), (2.13).
    #[default]
    Projection,
    /// By d²Φ/dt² + 2α dΦ/dt + β² Φ = 0 in place of d²Φ/dt² = 0, [Haddouni2015] (2.8).
    Baumgarte {
        /// α = β (1/s).
        rate: f64,
    },
}

/// Everything a method needs to know of the motion in one mode, with its linear algebra. Owned by the scheme.
#[derive(Debug)]
pub struct Motion {
    nq: usize,
    chart_room: Vec<f64>,
    nv: usize,
    nc: usize,
    kinds: Vec<ContactKind>,
    offset: Vec<usize>,
    modes: Vec<ContactMode>,
    /// The smooth pieces of their surfaces that contacts are seen on; empty: the nearest places.
    pub pieces: Vec<u32>,
    /// How index-1 methods are kept from drifting.
    pub drift: Drift,
    /// How large the numbers are that places are computed from, and the round-off of places relative to the mechanism where
    /// velocities were seen last.
    extent: Extent,
    grain: f64,
    /// The form of the accelerations, its arrays, and whether it is being solved in.
    formulation: Formulation,
    forms: Forms,
    in_form: bool,
    /// Contacts with rows in `Rows::W`, and their held rows.
    closed: Vec<usize>,
    held: Vec<HeldRow>,
    /// Rows of `Rows::W`; what slides in space, the velocities that its directions belong to, and those that have none (m/s).
    closed_rows: usize,
    steered: Vec<Steered>,
    v_forces: Vec<f64>,
    slowest: f64,
    rubbing: Vec<Rubbing>,
    /// M, tangents, joints, and their factor.
    saddle: Saddle<Lu>,
    mass_is_constant: bool,
    mass_known: bool,
    h: Vec<f64>,
    from: Rows,
    to: Rows,
    border: Border,
    factorisations: usize,
    /// 1 over the size of an error that counts as one, per velocity; the largest weighed velocity seen.
    weight: Vec<f64>,
    fastest: f64,
    /// The largest `push` seen.
    strongest: f64,
    // room
    b: Vec<f64>,
    d: Vec<f64>,
    nu: Vec<f64>,
    bias: Vec<f64>,
    right: Vec<f64>,
    g_N: Vec<f64>,
    bounds: Vec<f64>,
}

impl Motion {
    /// For one system, all contacts open; joints that rub stick.
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.structure().sizes;
        let saddle = Saddle::<Lu>::new(system);
        let (nv, nc) = (sizes.v, sizes.constraints);
        let length = system.structure().length_scale;
        let extent = Extent::new(system);
        let kinds: Vec<ContactKind> = system.structure().contacts.iter().map(|c| c.kind.clone()).collect();
        let rows: usize = kinds.iter().map(ContactKind::dim).sum();
        let in_space = kinds.iter().filter(|kind| kind.dim() == 3).count();
        let of = |quantity| if quantity == Quantity::Length { 1.0 / length } else { 1.0 };
        let empty = || Rows {
            G: vec![0.0; saddle.jacobian_at.len()],
            phi_t: vec![0.0; nc],
            W: Directions::with_room(rows, rows * nv.min(64)),
            basis: Vec::with_capacity(in_space),
        };
        let mut new = Self {
            nq: sizes.q,
            chart_room: crate::methods::hermite_room(system),
            nv,
            nc,
            offset: system.structure().contact_rows(),
            modes: vec![ContactMode::Open; kinds.len()],
            pieces: Vec::new(),
            drift: Drift::default(),
            grain: extent.relative(&[]),
            extent,
            formulation: Formulation::Index1,
            forms: Forms::default(),
            in_form: false,
            closed: Vec::with_capacity(kinds.len()),
            held: Vec::with_capacity(rows),
            rubbing: Vec::with_capacity(kinds.len()),
            closed_rows: 0,
            steered: Vec::with_capacity(in_space),
            v_forces: vec![0.0; if in_space > 0 { nv } else { 0 }],
            slowest: 0.0,
            mass_is_constant: system.structure().mass_is_constant,
            mass_known: false,
            h: vec![0.0; nv],
            from: empty(),
            to: empty(),
            border: Border::default(),
            factorisations: 0,
            weight: (0..nv).map(|i| of(system.structure().velocities[i].quantity)).collect(),
            fastest: 0.0,
            strongest: 0.0,
            b: vec![0.0; nv + nc],
            d: vec![0.0; rows + in_space],
            nu: vec![0.0; nc + rows],
            bias: vec![0.0; rows],
            right: vec![0.0; nc + rows],
            g_N: vec![0.0; kinds.len()],
            bounds: Vec::with_capacity(kinds.len()),
            saddle,
            kinds,
        };
        new.border.reserve(rows.min(FEW), nv + nc);
        new.let_go();
        new
    }

    /// Room that dense output takes where bodies turn in space; empty in a vector space.
    pub fn room(&mut self) -> &mut [f64] {
        &mut self.chart_room
    }

    /// Number of coordinates.
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Number of joint rows; they come first.
    pub fn nc(&self) -> usize {
        self.nc
    }

    /// Number of rows m: joints, then contacts that are held.
    pub fn rows(&self) -> usize {
        self.nc + self.held.len()
    }

    /// Most rows that any mode has.
    pub fn most_rows(&self) -> usize {
        self.right.len()
    }

    /// What every contact does.
    pub fn modes(&self) -> &[ContactMode] {
        &self.modes
    }

    /// Law and parameters of a contact.
    pub fn kind(&self, contact: usize) -> &ContactKind {
        &self.kinds[contact]
    }

    /// Whether contacts can change what they do at all.
    pub fn has_contacts(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// Factorisations since the start.
    pub fn factorisations(&self) -> usize {
        self.factorisations
    }

    /// First row of a contact among those of all contacts, as in [`crate::State::lambda`].
    pub fn first_row(&self, contact: usize) -> usize {
        self.offset[contact]
    }

    /// Whether held contacts carry more than they need to: their reactions are then the smallest ones, not the only ones.
    pub fn is_redundant(&self) -> bool {
        self.border.E > 0.0
    }

    /// Whether row i has a position; rows of sticking have none, methods that hold positions hold their velocity.
    pub fn is_holonomic(&self, row: usize) -> bool {
        row < self.nc || {
            let held = &self.held[row - self.nc];
            held.of_contact == 0 && !matches!(self.kinds[held.contact], ContactKind::Dry { .. })
        }
    }

    /// The contact and its row (0 normal, then the tangential ones) that row i ≥ nc of the motion holds.
    pub fn held(&self, row: usize) -> (usize, usize) {
        let held = &self.held[row - self.nc];
        (held.contact, held.of_contact)
    }

    /// What row i ≥ nc, which slides, pushes with along its tangential rows per λ_N.
    pub fn slope(&self, row: usize) -> [f64; 2] {
        self.held[row - self.nc].slope
    }

    /// Changes what the contacts do.
    pub fn set_modes(&mut self, modes: &[ContactMode]) {
        let mut own = std::mem::take(&mut self.modes);
        own.copy_from_slice(modes);
        self.take_modes(own);
    }

    fn take_modes(&mut self, modes: Vec<ContactMode>) {
        self.closed.clear();
        self.held.clear();
        self.rubbing.clear();
        self.steered.clear();
        let mut w = 0;
        for (contact, mode) in modes.iter().enumerate() {
            let kind = &self.kinds[contact];
            let dim = kind.dim();
            let mut hold = |of_contact, slope| {
                let slope = [slope, 0.0];
                self.held.push(HeldRow { contact, of_contact, w: w + of_contact, slope });
            };
            match (*mode, kind) {
                (ContactMode::Open, _) => continue,
                (ContactMode::Slide(sign), ContactKind::Dry { .. }) => {
                    self.rubbing.push(Rubbing { contact, w, sign });
                }
                (_, ContactKind::Dry { .. }) => hold(0, 0.0),
                (ContactMode::Slide(sign), ContactKind::Frictional { friction, .. }) => {
                    hold(0, -friction * sign);
                }
                (ContactMode::Stick, ContactKind::Frictional { .. } | ContactKind::Spatial { .. }) => {
                    for row in 0..dim {
                        hold(row, 0.0);
                    }
                }
                (ContactMode::SlideAlong(d), ContactKind::Spatial { .. }) => {
                    hold(0, 0.0);
                    self.steer_new(contact, self.held.len() - 1, w, d);
                }
                _ => hold(0, 0.0),
            }
            self.closed.push(contact);
            w += dim;
        }
        self.closed_rows = w;
        self.modes = modes;
        self.border.resize(self.held.len(), self.steered.len(), self.nv + self.nc);
        self.forms.forget();
    }

    /// All contacts open; joints that rub stick.
    pub fn let_go(&mut self) {
        let mut modes = std::mem::take(&mut self.modes);
        for (mode, kind) in modes.iter_mut().zip(&self.kinds) {
            *mode = match kind {
                ContactKind::Dry { .. } => ContactMode::Stick,
                _ => ContactMode::Open,
            };
        }
        self.take_modes(modes);
    }

    /// A configuration at a point of this motion; call it, or [`Self::place`], wherever a method starts anew.
    pub fn configuration(&self, system: &dyn System, t: f64, q: &[f64], v: &[f64]) -> Configuration {
        let mut at = Configuration::new(system, t, q, v);
        at.pieces.clone_from(&self.pieces);
        at
    }

    /// Puts a configuration at a point of this motion, with the pieces it is seen on.
    pub fn place(&self, system: &dyn System, t: f64, q: &[f64], v: &[f64], at: &mut Configuration) {
        at.pieces.clone_from(&self.pieces);
        at.move_to(system, t, q);
        at.v.copy_from_slice(v);
    }

    /// M and h at a configuration with its velocities.
    pub fn evaluate_forces(&mut self, system: &dyn System, at: &Configuration) {
        if !(self.mass_is_constant && self.mass_known) {
            self.saddle.evaluate_mass(system, at);
            self.mass_known = true;
        }
        system.force(at, &mut self.h);
        self.strongest = self.strongest.max(self.push());
        if !self.steered.is_empty() {
            self.v_forces.copy_from_slice(&at.v);
            self.steer();
        }
    }

    /// The rows at a configuration, where velocities are held from now on.
    pub fn evaluate_rows(&mut self, system: &dyn System, at: &Configuration) {
        if self.nc > 0 {
            system.jacobian(at, &mut self.to.G, &mut self.to.phi_t);
        }
        if !self.closed.is_empty() {
            self.to.W.clear();
            system.directions(at, &self.closed, &mut self.to.W);
            if !self.steered.is_empty() {
                self.evaluate_basis(system, at);
            }
        }
    }

    /// Forces act along the rows evaluated last, from now on; the next rows are evaluated elsewhere.
    pub fn push_along_rows(&mut self) {
        std::mem::swap(&mut self.from, &mut self.to);
        if !self.steered.is_empty() {
            self.steer();
        }
    }

    /// Forces act where velocities are held: along the rows evaluated last.
    pub fn push_here(&mut self) {
        self.from.G.copy_from_slice(&self.to.G);
        self.from.W.copy_from(&self.to.W);
        if !self.steered.is_empty() {
            self.from.basis.clone_from(&self.to.basis);
            self.steer();
        }
    }

    /// h evaluated last.
    pub fn h(&self) -> &[f64] {
        &self.h
    }

    /// Forces that take the place of h evaluated last; every response to them uses them up.
    pub fn load(&mut self, h: &[f64]) {
        self.h.copy_from_slice(h);
    }

    /// The diagonal of M.
    pub fn M_diag(&self) -> &[f64] {
        &self.saddle.M_diag
    }

    /// K and C at a configuration, for [`Self::factor_with`] and [`Self::add_tangents`].
    pub fn evaluate_tangents(&mut self, system: &dyn System, at: &Configuration) {
        self.saddle.evaluate_tangents(system, at);
    }

    /// Whether h depends on q or v.
    pub fn has_tangents(&self) -> bool {
        self.saddle.has_tangents()
    }

    /// out += (c_v C + c_q K) x.
    pub fn add_tangents(&self, c_v: f64, c_q: f64, x: &[f64], out: &mut [f64]) {
        self.saddle.add_tangents(c_v, c_q, x, out);
    }

    /// Factors with M. False where A is not positive definite, or rows contradict each other.
    pub fn factor(&mut self) -> bool {
        self.factor_with(1.0, 0.0, 0.0)
    }

    /// Factors with A = c_m M + c_v C + c_q K.
    pub fn factor_with(&mut self, c_m: f64, c_v: f64, c_q: f64) -> bool {
        self.factorisations += 1;
        let (saddle, F) = (&mut self.saddle, &self.from.G);
        saddle.put_mass(c_m);
        if c_v != 0.0 || c_q != 0.0 {
            saddle.put_tangents(c_v, c_q);
        }
        saddle.put_joints(F, &self.to.G);
        saddle.put_regularisation(F);
        if !saddle.factor.factor() {
            return false;
        }
        if saddle.factor.is_deficient() && !saddle.is_regularised() {
            saddle.set_regularised(true);
            saddle.put_regularisation(F);
            if !saddle.factor.factor() {
                return false;
            }
        }
        if self.held.is_empty() {
            return true;
        }
        for (k, held) in self.held.iter().enumerate() {
            let column = self.border.column(k);
            column.fill(0.0);
            add_row(&self.from.W, held.w, 1.0, column);
            for (row, slope) in held.friction() {
                add_row(&self.from.W, row, slope, column);
            }
        }
        // what turns the direction of a slide: rows with a compliance, none where it does not turn
        let p = self.held.len();
        for (k, steered) in self.steered.iter().enumerate() {
            let resists = c_v * steered.resists();
            let turns = resists > 0.0;
            self.border.soften(k, if turns { 1.0 / resists } else { 1.0 });
            let column = self.border.column(p + k);
            column.fill(0.0);
            if turns {
                add_row(&self.from.W, steered.w + 1, steered.l[0], column);
                add_row(&self.from.W, steered.w + 2, steered.l[1], column);
            }
        }
        let (held, steered, W) = (&self.held, &self.steered, &self.to.W);
        self.border.factor(&mut self.saddle.factor, REGULARISATION, |k, x| match k < p {
            true => along(W, held[k].w, x),
            false => across(W, &steered[k - p], x),
        })
    }

    /// x and λ with A x = r + Fᵀ λ, G x = c. λ is not read.
    pub fn solve(&mut self, r: &[f64], c: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        let proximal = self.saddle.is_regularised() || self.border.E > 0.0;
        self.solve_around(if proximal { REFINEMENTS } else { 0 }, r, c, x, lambda);
    }

    /// The same without solving again around the λ found, G x + E λ = c where rows depend on each other.
    fn solve_once(&mut self, r: &[f64], c: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        self.solve_around(0, r, c, x, lambda);
    }

    /// Length of a column around the factor.
    fn border_len(&self) -> usize {
        self.nv + self.nc
    }

    fn solve_around(&mut self, refinements: usize, r: &[f64], c: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        let (nv, nc, p) = (self.nv, self.nc, self.held.len());
        lambda[..nc + p].fill(0.0);
        for _ in 0..=refinements {
            // unknowns are (x, −λ); E only acts on what is new of λ
            self.b[..nv].copy_from_slice(r);
            for row in 0..nc {
                self.b[nv + row] = c[row] + self.saddle.regularisation(row) * lambda[row];
            }
            self.saddle.factor.solve(&mut self.b);
            for (k, held) in self.held.iter().enumerate() {
                let target = c[nc + k] + self.border.E * lambda[nc + k];
                self.d[k] = along(&self.to.W, held.w, &self.b) - target;
            }
            let all = p + self.steered.len();
            for (k, steered) in self.steered.iter().enumerate() {
                self.d[p + k] = across(&self.to.W, steered, &self.b);
            }
            if p > 0 {
                self.border.solve(&mut self.d[..all]);
                self.border.subtract(&self.d[..all], &mut self.b);
            }
            x.copy_from_slice(&self.b[..nv]);
            for row in 0..nc {
                lambda[row] = -self.b[nv + row];
            }
            for k in 0..p {
                lambda[nc + k] = -self.d[k];
            }
        }
    }

    /// x and λ with M x = h + Fᵀ λ + what joints that rub push with, G x = c.
    pub fn respond(&mut self, t: f64, c: &[f64], x: &mut [f64], lambda: &mut [f64]) -> Result<(), StepError> {
        self.respond_scaled(t, 1.0, c, x, lambda)
    }

    /// The same with `scale` times h and the constant part of what rubs: impulses over a span, of either sign.
    pub fn respond_scaled(
        &mut self,
        t: f64,
        scale: f64,
        c: &[f64],
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), StepError> {
        // the array is taken out, used up, and put back: h has to be evaluated anew for another solve
        let mut h = std::mem::take(&mut self.h);
        for h in &mut h {
            *h *= scale;
        }
        let outcome = self.respond_to(t, scale, &mut h, c, x, lambda);
        self.h = h;
        outcome
    }

    fn respond_to(
        &mut self,
        t: f64,
        scale: f64,
        h: &mut [f64],
        c: &[f64],
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), StepError> {
        self.solve_in_form(h, c, x, lambda);
        if self.rubbing.is_empty() {
            return Ok(());
        }
        // fixed point on the bounds, each contracts by how strongly friction presses the joint itself
        self.bounds.clear();
        self.bounds.resize(self.rubbing.len(), 0.0);
        for pass in 1..=MOST_PASSES {
            let mut stands = true;
            for k in 0..self.rubbing.len() {
                let Rubbing { contact, w, sign } = self.rubbing[k];
                // |λ| of an impulse over a negative span is that of −λ
                let bound = scale.signum() * self.bound_over(scale.abs(), contact, lambda);
                let change = bound - self.bounds[k];
                stands &= change.abs() <= BOUND_STANDS * bound.abs();
                self.bounds[k] = bound;
                add_row(&self.from.W, w, -sign * change, h);
            }
            if stands {
                break;
            }
            if pass == MOST_PASSES {
                let contact = self.rubbing[0].contact;
                return Err(StepError::JointBinds { t, contact });
            }
            self.solve_in_form(h, c, x, lambda);
        }
        Ok(())
    }

    /// Solves without multipliers where accelerations are found so.
    fn solve_in_form(&mut self, r: &[f64], c: &[f64], x: &mut [f64], lambda: &mut [f64]) {
        match self.in_form {
            true => self.forms.solve(self.formulation, r, c, x, lambda),
            false => self.solve(r, c, x, lambda),
        }
    }

    /// out = M x.
    pub fn mul_mass(&self, x: &[f64], out: &mut [f64]) {
        self.saddle.mul_mass(x, out);
    }

    /// out = G x with the rows evaluated last.
    pub fn along_rows(&self, x: &[f64], out: &mut [f64]) {
        out[..self.nc].fill(0.0);
        self.saddle.add_rates(&self.to.G, x, out);
        for (k, held) in self.held.iter().enumerate() {
            out[self.nc + k] = along(&self.to.W, held.w, x);
        }
    }

    /// out = G v + Φ_t with the rows evaluated last.
    pub fn velocities(&self, v: &[f64], out: &mut [f64]) {
        self.along_rows(v, out);
        for (out, phi_t) in out.iter_mut().zip(&self.to.phi_t) {
            *out += phi_t;
        }
        for (k, held) in self.held.iter().enumerate() {
            out[self.nc + k] += self.to.W.bias(held.w);
        }
    }

    /// out = Φ: of joints, gaps of contacts, 0 of rows that have no position.
    pub fn positions(&mut self, system: &dyn System, at: &Configuration, out: &mut [f64]) {
        if self.nc > 0 {
            system.constraints(at, &mut out[..self.nc]);
        }
        if !self.held.is_empty() {
            system.gaps(at, &mut self.g_N);
            for k in 0..self.held.len() {
                let holonomic = self.is_holonomic(self.nc + k);
                out[self.nc + k] = if holonomic { self.g_N[self.held[k].contact] } else { 0.0 };
            }
        }
    }

    /// out = the part of d²Φ/dt² that does not contain v'.
    pub fn acceleration_bias(&mut self, system: &dyn System, at: &Configuration, out: &mut [f64]) {
        if self.nc > 0 {
            system.constraint_bias(at, &mut out[..self.nc]);
        }
        if !self.held.is_empty() {
            let rows = self.to.W.rows();
            system.contact_bias(at, &self.closed, &mut self.bias[..rows]);
            for (k, held) in self.held.iter().enumerate() {
                out[self.nc + k] = self.bias[held.w];
            }
        }
    }

    /// v' and λ that belong to a configuration with its velocities: the form of index 1, [Haddouni2015] (1.25), or one of
    /// those without multipliers, which give the same.
    pub fn accelerations(
        &mut self,
        system: &dyn System,
        at: &Configuration,
        a: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<(), StepError> {
        // an open chain in joint coordinates is faster than any factor of its mass
        if self.rows() == 0 && self.rubbing.is_empty() {
            system.force(at, &mut self.h);
            if system.forward_dynamics(at, &self.h, a) {
                return finite(at.t(), a);
            }
        }
        self.evaluate_forces(system, at);
        self.evaluate_rows(system, at);
        self.push_here();
        let in_form = self.is_dense();
        if !(if in_form { self.factor_form() } else { self.factor() }) {
            return Err(StepError::Singular { t: at.t() });
        }
        let m = self.rows();
        let mut right = std::mem::take(&mut self.right);
        self.acceleration_bias(system, at, &mut right);
        if let Drift::Baumgarte { rate } = self.drift {
            // the rows' own work array is free here
            let mut work = std::mem::take(&mut self.nu);
            self.velocities(&at.v, &mut work);
            for row in 0..m {
                right[row] += 2.0 * rate * work[row];
            }
            self.positions(system, at, &mut work);
            for row in 0..m {
                right[row] += rate * rate * work[row];
            }
            self.nu = work;
        }
        for right in &mut right[..m] {
            *right = -*right;
        }
        self.in_form = in_form;
        let outcome = self.respond(at.t(), &right[..m], a, lambda);
        self.in_form = false;
        self.right = right;
        outcome?;
        finite(at.t(), a)
    }
}

/// Whether accelerations are numbers.
fn finite(t: f64, a: &[f64]) -> Result<(), StepError> {
    match a.iter().position(|a| !a.is_finite()) {
        Some(velocity) => Err(StepError::NotFinite { t, velocity }),
        None => Ok(()),
    }
}

/// out += scale · (row of W).
fn add_row(W: &Directions, row: usize, scale: f64, out: &mut [f64]) {
    let (columns, values) = W.row(row);
    for (&column, &w) in columns.iter().zip(values) {
        out[column as usize] += scale * w;
    }
}

/// pᵀ W_Tᵀ x of what slides in space.
fn across(W: &Directions, steered: &Steered, x: &[f64]) -> f64 {
    steered.p[0] * along(W, steered.w + 1, x) + steered.p[1] * along(W, steered.w + 2, x)
}

/// (row of Wᵀ) x, without the bias.
fn along(W: &Directions, row: usize, x: &[f64]) -> f64 {
    let (columns, values) = W.row(row);
    columns.iter().zip(values).map(|(&column, w)| w * x[column as usize]).sum()
}
