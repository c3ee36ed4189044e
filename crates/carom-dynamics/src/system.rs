//! What a scheme may ask of a mechanism, and all it may ask.
//!
//! Two halves: a [`Structure`], plain data that is asked once, and functions of a [`Configuration`]. Matrices are sparse
//! with a fixed [`Pattern`]: `mass`, `tangents` and `jacobian` write their values in its order, so a step neither searches
//! nor allocates. Contact directions change with the active set and are pushed row by row into [`Directions`].

use crate::{Candidates, Channel, Configuration, ContactId, Momenta, Structure, chart};
use carom_solve::Law;
use serde::Serialize;
use std::ops::Range;

/// What a bilateral row measures; reactions and tolerances are scaled by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Quantity {
    /// Metres; its reaction is a force.
    Length,
    /// Radians; its reaction is a torque.
    Angle,
}

impl Quantity {
    /// Its unit: m or rad.
    pub const fn unit(self) -> &'static str {
        match self {
            Quantity::Length => "m",
            Quantity::Angle => "rad",
        }
    }
}

/// One joint as a scheme sees it.
#[derive(Clone, Debug, Serialize)]
pub struct ConstraintInfo {
    /// Name of the joint, for messages and channels.
    pub name: String,
    /// Its rows of Φ.
    pub rows: Range<usize>,
    /// What each row measures, and the word for its reaction ("x", "y", "normal", or just "force", "torque").
    pub quantities: Vec<(Quantity, &'static str)>,
}

impl ConstraintInfo {
    /// Channels of its reactions, one for each row.
    pub fn reactions(&self) -> impl Iterator<Item = Channel> {
        self.quantities.iter().map(|(quantity, word)| match quantity {
            Quantity::Length if *word == "force" => Channel::new(&self.name, "force", "N"),
            Quantity::Length => Channel::new(&self.name, &format!("force_{word}"), "N"),
            // several in one joint have a word each
            Quantity::Angle if word.starts_with("torque_") => Channel::new(&self.name, word, "N m"),
            Quantity::Angle => Channel::new(&self.name, "torque", "N m"),
        })
    }
}

/// What resists turning in a contact in space: a moment against the relative angular velocity Ω, set-valued as friction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub enum Resistance {
    /// Nothing.
    #[default]
    None,
    /// Rolling: two rows, Ω·T1 and Ω·T2, with a moment of at most this lever arm (m) times P_N.
    Rolling(f64),
    /// Drilling: one row, Ω·N, with a moment of at most this lever arm (m) times P_N.
    Drilling(f64),
}

impl Resistance {
    /// Its rows.
    #[inline]
    pub fn dim(self) -> usize {
        match self {
            Resistance::None => 0,
            Resistance::Rolling(_) => 2,
            Resistance::Drilling(_) => 1,
        }
    }
}

/// The law of one contact with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ContactKind {
    /// A gap that may close, without friction: one row.
    Unilateral {
        /// e_N in [0, 1].
        restitution: f64,
    },
    /// A gap that may close, with Coulomb friction in the plane: rows (N, T).
    Frictional {
        /// e_N in [0, 1].
        restitution: f64,
        /// e_T in [-1, 1], usually 0.
        tangential_restitution: f64,
        /// μ ≥ 0.
        friction: f64,
    },
    /// A gap that may close, with Coulomb friction in space: rows (N, T1, T2), friction in every direction of the plane that
    /// T1 and T2 span; these are orthonormal. Behind them the rows of what resists turning.
    Spatial {
        /// e_N in [0, 1].
        restitution: f64,
        /// e_T in [-1, 1], usually 0.
        tangential_restitution: f64,
        /// μ ≥ 0.
        friction: f64,
        /// What resists turning.
        resistance: Resistance,
    },
    /// A joint that rubs: one row, always active, bound = constant + coefficient · |λ(rows)|.
    Dry {
        /// Constant part of the bound: N or N m.
        constant: f64,
        /// μ (or μ times pin radius) in front of the joint's reaction.
        coefficient: f64,
        /// Rows of Φ whose reaction presses the joint together; may be empty.
        rows: Range<usize>,
        /// Whether it slides (N, m/s) or turns (N m, rad/s).
        quantity: Quantity,
    },
}

impl ContactKind {
    /// Rows of U and P.
    pub fn dim(&self) -> usize {
        match self {
            ContactKind::Unilateral { .. } | ContactKind::Dry { .. } => 1,
            ContactKind::Frictional { .. } => 2,
            ContactKind::Spatial { resistance, .. } => 3 + resistance.dim(),
        }
    }

    /// The law of its rows, that of a joint that rubs with its constant bound.
    pub fn law(&self) -> Law {
        match self {
            ContactKind::Unilateral { .. } => Law::unilateral(),
            ContactKind::Frictional { friction, .. } => Law::planar_coulomb(*friction),
            ContactKind::Spatial { friction, resistance, .. } => {
                let law = Law::spatial_coulomb(*friction);
                match *resistance {
                    Resistance::None => law,
                    Resistance::Rolling(arm) => law.and_disk(2, arm),
                    Resistance::Drilling(arm) => law.and_disk(1, arm),
                }
            }
            ContactKind::Dry { constant, .. } => Law::dry(*constant),
        }
    }

    /// What resists turning.
    pub fn resistance(&self) -> Resistance {
        match self {
            ContactKind::Spatial { resistance, .. } => *resistance,
            _ => Resistance::None,
        }
    }

    /// Whether it may open: it is no joint that rubs.
    pub fn has_gap(&self) -> bool {
        !matches!(self, ContactKind::Dry { .. })
    }

    /// e_N; zero for a joint that rubs.
    pub fn restitution(&self) -> f64 {
        match self {
            ContactKind::Unilateral { restitution }
            | ContactKind::Frictional { restitution, .. }
            | ContactKind::Spatial { restitution, .. } => *restitution,
            ContactKind::Dry { .. } => 0.0,
        }
    }

    /// e_T; zero where there is no friction.
    pub fn tangential_restitution(&self) -> f64 {
        match self {
            ContactKind::Frictional { tangential_restitution, .. }
            | ContactKind::Spatial { tangential_restitution, .. } => *tangential_restitution,
            ContactKind::Unilateral { .. } | ContactKind::Dry { .. } => 0.0,
        }
    }
}

/// One contact as a scheme sees it.
#[derive(Clone, Debug, Serialize)]
pub struct ContactInfo {
    /// Name, for messages and channels. Contacts in a row that have one name are places of one pair, and are recorded
    /// together.
    pub name: String,
    /// Law and parameters.
    pub kind: ContactKind,
    /// What happens when it slides over a corner of its surface.
    pub corner: Corner,
    /// How many places may touch at once; 1 for a law that is one contact, recorded as such.
    pub most: Option<usize>,
    /// Of a stop of a joint: what it stops, and where.
    pub stop: Option<JointStop>,
}

/// A stop of a joint at an end of the range of its coordinate s, an angle or a displacement.
///
/// ```text
///   lower end:  g = ℓ (s − s_0)          upper end:  g = ℓ (s_0 − s)
/// ```
///
/// ℓ = 1 of a displacement. The stop of an angle is a bumper at an arm of length ℓ: so its gap is a length, its impulse one of a
/// force, and all that gaps and forces are measured by fits it. What leaves the program is turned back: s, and torques λ ℓ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointStop {
    /// What s is.
    pub quantity: Quantity,
    /// ℓ (m) of an angle; 1 of a displacement.
    pub arm: f64,
    /// s_0 (rad or m).
    pub limit: f64,
    /// Whether it is the upper end.
    pub upper: bool,
}

impl JointStop {
    /// g.
    pub fn gap(&self, s: f64) -> f64 {
        self.arm * if self.upper { self.limit - s } else { s - self.limit }
    }

    /// s where the gap is g.
    pub fn coordinate(&self, g: f64) -> f64 {
        let inward = g / self.arm;
        if self.upper { self.limit - inward } else { self.limit + inward }
    }
}

impl ContactInfo {
    /// With Newton's law at corners.
    pub fn new(name: impl Into<String>, kind: ContactKind) -> Self {
        Self { name: name.into(), kind, corner: Corner::default(), most: Some(1), stop: None }
    }

    /// Whether it stops an angle: what it does is recorded in rad and N m.
    pub fn stops_an_angle(&self) -> bool {
        self.stop.is_some_and(|stop| stop.quantity == Quantity::Angle)
    }

    /// Length of the arm at which it acts: 1 but for a stop of an angle. Recorded gaps are divided by it, forces multiplied.
    pub fn arm(&self) -> f64 {
        self.stop.map_or(1.0, |stop| stop.arm)
    }
}

/// What happens to the velocity of a contact that slides over a bend of its surface.  [Haddouni2015] 4.3.3.1
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Corner {
    /// An impact, by Newton's law with the restitution of the contact.
    #[default]
    Newton,
    /// The impulse has the direction of the bisector of both normals, and the velocity is mirrored by it: the kinetic
    /// energy stays.
    Reflection,
    /// The normal turns steadily from that before to that after, in a time of its own, and the contact slides all the
    /// while: the kinetic energy stays.
    TimeScaling,
}

/// Something in the model's own words that is to be found where it happens: a function of the configuration crosses zero.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventInfo {
    /// Name, for messages and events.
    pub name: String,
    /// Which crossings count.
    pub crossing: Crossing,
    /// Whether the run ends there.
    pub stops: bool,
}

/// In which direction a function crosses zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Crossing {
    /// Either.
    #[default]
    Any,
    /// From below.
    Rising,
    /// From above.
    Falling,
}

/// Where the energy is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Energy {
    /// ½ vᵀ M v.
    pub kinetic: f64,
    /// Gravity, and whatever else has a potential and is no strain.
    pub potential: f64,
    /// Springs and elastic bodies.
    pub strain: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.strain
    }
}

/// Power of forces that no energy accounts for, into the mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Power {
    /// Applied forces and torques.
    pub applied: f64,
    /// Dampers; never positive.
    pub damping: f64,
}

/// Rows of Wᵀ for the active contacts, pushed one after the other: U = Wᵀ v + bias.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directions {
    start: Vec<usize>,
    column: Vec<u32>,
    value: Vec<f64>,
    bias: Vec<f64>,
}

impl Directions {
    /// With room for so many rows and entries.
    pub fn with_room(rows: usize, entries: usize) -> Self {
        Self {
            start: Vec::with_capacity(rows),
            column: Vec::with_capacity(entries),
            value: Vec::with_capacity(entries),
            bias: Vec::with_capacity(rows),
        }
    }

    /// Forgets all rows, keeps the memory.
    pub fn clear(&mut self) {
        self.start.clear();
        self.column.clear();
        self.value.clear();
        self.bias.clear();
    }

    /// Becomes equal to another one, keeps the memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.start.clone_from(&other.start);
        self.column.clone_from(&other.column);
        self.value.clone_from(&other.value);
        self.bias.clone_from(&other.bias);
    }

    /// Whether all rows are the same, whatever their biases.
    pub fn has_rows_of(&self, other: &Self) -> bool {
        self.start == other.start && self.column == other.column && self.value == other.value
    }

    /// Begins the next row; `bias` is the part of U that does not depend on v (a wall moved by a prescribed motion).
    #[inline]
    pub fn begin_row(&mut self, bias: f64) {
        self.start.push(self.column.len());
        self.bias.push(bias);
    }

    /// Adds an entry to the row begun last. An index may come twice; the values then add up.
    #[inline]
    pub fn push(&mut self, column: usize, value: f64) {
        self.column.push(column as u32);
        self.value.push(value);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.start.len()
    }

    /// Columns and values of row i.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let from = self.start[i];
        let to = self.start.get(i + 1).copied().unwrap_or(self.column.len());
        (&self.column[from..to], &self.value[from..to])
    }

    /// Bias of row i.
    #[inline]
    pub fn bias(&self, i: usize) -> f64 {
        self.bias[i]
    }

    /// (Wᵀ v + bias)_i.
    #[inline]
    pub fn velocity(&self, i: usize, v: &[f64]) -> f64 {
        let (columns, values) = self.row(i);
        columns.iter().zip(values).fold(self.bias[i], |sum, (&c, w)| sum + w * v[c as usize])
    }
}

/// A mechanism, read-only while a step runs. Everything is asked at a [`Configuration`]; answers go into the caller's
/// slices. Derivatives are exact: `check_derivatives` compares any implementation with differences.
pub trait System: Send + Sync {
    /// What never changes: sizes, patterns, names, laws, channels, scales.
    fn structure(&self) -> &Structure;

    /// Fills `derived` with what the system wants to know again at this (t, q): sines, cosines, rotated points.
    fn derive(&self, t: f64, q: &[f64], derived: &mut [f64]) {
        let _ = (t, q, derived);
    }

    /// M(q), values in pattern order.
    fn mass(&self, at: &Configuration, M: &mut [f64]);

    /// Momenta and difference quotients, where elastic bodies ask for schemes in momenta.
    fn momenta(&self) -> Option<&dyn Momenta> {
        None
    }

    /// a = M⁻¹ force by the system's own means, if it has better ones than a factorisation of M; answers whether it has.
    fn forward_dynamics(&self, at: &Configuration, force: &[f64], a: &mut [f64]) -> bool {
        let _ = (at, force, a);
        false
    }

    /// h(t,q,v): every smooth force. `h` comes in with any content.
    fn force(&self, at: &Configuration, h: &mut [f64]);

    /// K = −∂h/∂q (columns are increments δ of q ⊕ δ) and C = −∂h/∂v, values in pattern order.
    fn tangents(&self, at: &Configuration, K: &mut [f64], C: &mut [f64]) {
        let _ = (at, K, C);
    }

    /// out = q ⊕ δ, the only way q moves. δ has the size of v.
    fn retract(&self, q: &[f64], delta: &[f64], out: &mut [f64]) {
        chart::retract(&self.structure().rotations, q, delta, out);
    }

    /// δ with q_a ⊕ δ = q_b, rotations the short way.
    fn difference(&self, q_a: &[f64], q_b: &[f64], delta: &mut [f64]) {
        chart::difference(&self.structure().rotations, q_a, q_b, delta);
    }

    /// v becomes the rate of δ, δ' = T⁻¹(δ) v, in the chart at any q: what a position equation adds up. Nothing to do in a
    /// vector space.
    fn chart_rate(&self, delta: &[f64], v: &mut [f64]) {
        chart::rate(&self.structure().rotations, delta, v);
    }

    /// A rate δ' becomes v = T(δ) δ'; an increment of δ becomes one at q ⊕ δ.
    fn chart_tangent(&self, delta: &[f64], rate: &mut [f64]) {
        chart::tangent(&self.structure().rotations, delta, rate);
    }

    /// v' becomes δ''.
    fn chart_acceleration(&self, delta: &[f64], v: &[f64], a: &mut [f64]) {
        chart::acceleration(&self.structure().rotations, delta, v, a);
    }

    /// Φ(t,q).
    fn constraints(&self, at: &Configuration, phi: &mut [f64]) {
        let _ = (at, phi);
    }

    /// G = ∂Φ/∂q · Y in pattern order, and Φ_t = ∂Φ/∂t, so that dΦ/dt = G v + Φ_t.
    fn jacobian(&self, at: &Configuration, G: &mut [f64], phi_t: &mut [f64]) {
        let _ = (at, G, phi_t);
    }

    /// The part of d²Φ/dt² that does not contain v': d²Φ/dt² = G v' + bias.
    fn constraint_bias(&self, at: &Configuration, bias: &mut [f64]) {
        let _ = (at, bias);
    }

    /// Lists the contacts within `reach` (m), ascending by id, where a step begins. A system all of whose laws are one contact
    /// each ([`ContactInfo::most`]) has a list that never changes, and is not asked; it answers [`System::gaps`],
    /// [`System::directions`] and [`System::contact_bias`]. Others answer the questions among candidates in their place.
    fn candidates(&self, at: &Configuration, reach: f64, out: &mut Candidates) {
        let _ = (at, reach);
        for law in 0..self.structure().contacts.len() {
            out.push(ContactId::only(law));
        }
    }

    /// g_N of every contact. A joint that rubs answers −∞.
    fn gaps(&self, at: &Configuration, g_N: &mut [f64]) {
        let _ = (at, g_N);
    }

    /// Pushes the rows of Wᵀ of the contacts in `active`, in that order, each with its own number of rows.
    /// The normal row is dg_N/dt.
    fn directions(&self, at: &Configuration, active: &[usize], W: &mut Directions) {
        let _ = (at, active, W);
    }

    /// The part of dU/dt that does not contain v', for the rows of `active`: dU/dt = Wᵀ v' + bias.
    fn contact_bias(&self, at: &Configuration, active: &[usize], bias: &mut [f64]) {
        let _ = (at, active, bias);
    }

    /// Pushes the tangents t_1, t_2 of the contacts in `active`, which have friction in space, as unit vectors: rows T1 and T2 of
    /// [`System::directions`] are along them. A direction of sliding is kept as a vector, so that nothing depends on how t_1 and
    /// t_2 are chosen. Unless told otherwise they never turn.
    fn contact_tangents(&self, at: &Configuration, active: &[usize], out: &mut Vec<[[f64; 3]; 2]>) {
        let _ = at;
        out.extend(active.iter().map(|_| [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]));
    }

    /// g_N of every candidate.
    fn gaps_among(&self, at: &Configuration, among: &Candidates, g_N: &mut [f64]) {
        let _ = among;
        self.gaps(at, g_N);
    }

    /// Pushes the rows of Wᵀ of the candidates in `active`, as [`System::directions`].
    fn directions_among(&self, at: &Configuration, among: &Candidates, active: &[usize], W: &mut Directions) {
        let _ = among;
        self.directions(at, active, W);
    }

    /// As [`System::contact_bias`], for the candidates in `active`.
    fn contact_bias_among(&self, at: &Configuration, among: &Candidates, active: &[usize], bias: &mut [f64]) {
        let _ = among;
        self.contact_bias(at, active, bias);
    }

    /// The smooth piece of its surface that each contact is at: another number past a corner, or where the curvature
    /// jumps. Asked without regard to [`Configuration::pieces`]. A surface that is smooth everywhere answers 0.
    fn pieces(&self, at: &Configuration, pieces: &mut [u32]) {
        let _ = at;
        pieces.fill(0);
    }

    /// Values of the functions that [`Structure::switches`] counts; h is smooth as long as none of them changes its sign.
    fn switch_values(&self, at: &Configuration, values: &mut [f64]) {
        let _ = (at, values);
    }

    /// Values of the functions of [`Structure::events`]: an event is where one crosses zero. `angles` are those of
    /// [`Structure::event_angles`] where they were seen last; each is taken on the branch nearest to that and written back, so that
    /// whole turns are counted.
    fn event_values(&self, at: &Configuration, angles: &mut [f64], values: &mut [f64]) {
        let _ = (at, angles, values);
    }

    /// Where the energy is.
    fn energy(&self, at: &Configuration) -> Energy;

    /// Power of forces without a potential. Asked only if [`Structure::has_power`].
    fn power(&self, at: &Configuration) -> Power {
        let _ = at;
        Power::default()
    }

    /// Values of [`Structure::channels`].
    fn observe(&self, at: &Configuration, out: &mut [f64]);

    /// Values of [`Structure::accelerations`] where v' is known.
    fn observe_accelerations(&self, at: &Configuration, v_dot: &[f64], out: &mut [f64]) {
        let _ = (at, v_dot, out);
    }
}
