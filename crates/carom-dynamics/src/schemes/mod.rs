//! The schemes and their registry: what a new scheme must be named in, and the only place.

mod acceleration_lcp;
mod acceleration_radau;
mod anitescu_potra;
mod bathe;
mod constant_force;
mod ed_alpha;
mod error;
mod explicit;
mod generalized_alpha;
mod half_explicit;
mod half_explicit_acceleration;
mod implicit;
mod impulse;
mod mixed;
mod mixed_alpha;
mod momentum;
mod moreau_jean;
mod newmark_implicit;
mod penalty;
mod poisson;
mod position;
mod projection;
mod radau;
mod refusal;
mod rough_start;
mod runge_kutta;
mod schatzman_paoli;
mod stewart_trinkle;
mod tableau;
mod two_stage;

pub use acceleration_lcp::AccelerationLevel;
pub use acceleration_radau::AccelerationRadau;
pub use anitescu_potra::AnitescuPotra;
pub use bathe::Bathe;
pub use constant_force::ConstantForce;
pub use ed_alpha::EdAlpha;
pub use error::SchemeError;
pub use explicit::{MoreauExplicit, Rule};
pub use generalized_alpha::{AlphaParameters, GeneralizedAlpha};
pub use half_explicit::{HalfExplicit, StageContacts};
pub use half_explicit_acceleration::HalfExplicitAcceleration;
pub use implicit::{Joints, NEWTON_TOLERANCE};
pub use mixed::{Base, Mixed};
pub use mixed_alpha::MixedAlpha;
pub use moreau_jean::MoreauJean;
pub use newmark_implicit::NewmarkImplicit;
pub use penalty::{Penalty, Spring, SpringOptions};
pub use projection::{PROJECTION_TOLERANCE, Projected};
pub use schatzman_paoli::SchatzmanPaoli;
pub use stewart_trinkle::StewartTrinkle;
pub use tableau::{Tableau, TableauError};

pub(crate) use implicit::report;
pub(crate) use impulse::Impulse;

use crate::{
    Adams, Alpha, Bdf, Drift, EventDriven, Formulation, FrameOptions, Hem5, Hybrid, HybridOptions, Method,
    Phem56, Radau5, RungeKutta, Scheme, Symplectic,
};

/// A parameter of a scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Name, as in `--set simulation.parameters.theta=1`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// Value if left out; [`DERIVED`] if it then follows from the others.
    pub default: f64,
    /// Smallest admissible value.
    pub least: f64,
    /// Largest admissible value.
    pub most: f64,
}

/// The default of a parameter that follows from the others where it is left out.
pub const DERIVED: f64 = f64::NAN;

impl Parameter {
    /// Whether it follows from the others where it is left out.
    pub fn is_derived(&self) -> bool {
        self.default.is_nan()
    }
}

/// A scheme as the registry knows it.
#[derive(Clone, Copy, Debug)]
pub struct SchemeInfo {
    /// Name.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    build: fn(&[f64]) -> Box<dyn Scheme>,
}

const END_JOINTS: Parameter = Parameter {
    name: "end_joints",
    meaning: "1: joint impulses along the directions at the end of the step, as published; 0: along their mean, order 2",
    default: 0.0,
    least: 0.0,
    most: 1.0,
};

const PUBLISHED: Parameter = Parameter {
    name: "published",
    meaning: "with elastic bodies, 1: accelerations are added up, as published; 0: momenta, see momentum.rs",
    default: 0.0,
    least: 0.0,
    most: 1.0,
};

const THETA: Parameter = Parameter {
    name: "theta",
    meaning: "1/2 trapezoidal rule, 1 implicit Euler",
    default: 0.5,
    least: 0.0,
    most: 1.0,
};

const PARTS: Parameter = Parameter {
    name: "parts",
    meaning: "a step that ends in an impact is repeated in so many parts; 1: not at all",
    default: 1.0,
    least: 1.0,
    most: 1000.0,
};

const RESTART: Parameter = Parameter {
    name: "restart",
    meaning: "1: accelerations are computed anew after an impact; 0: those from before it are kept, as published",
    default: 1.0,
    least: 0.0,
    most: 1.0,
};

const FORCES_PUBLISHED: Parameter = Parameter {
    name: "published",
    meaning: "1: the law holds for forces where the step ends, accelerations right after an impact begin the next step, as published; 0: neither, which makes no energy",
    default: 0.0,
    least: 0.0,
    most: 1.0,
};

const RHO: Parameter = Parameter {
    name: "rho",
    meaning: "spectral radius at infinity: 1 no damping, 0 most",
    default: 0.8,
    least: 0.0,
    most: 1.0,
};

const ALPHA_M: Parameter = Parameter {
    name: "alpha_m",
    meaning: "α_m, in the place of rho; at most alpha_f, which is given with it",
    default: DERIVED,
    least: -1.0,
    most: 0.5,
};

const ALPHA_F: Parameter = Parameter {
    name: "alpha_f",
    meaning: "α_f, in the place of rho; given with alpha_m",
    default: DERIVED,
    least: -1.0,
    most: 0.5,
};

const GAMMA: Parameter = Parameter {
    name: "gamma",
    meaning: "γ; left out it is 1/2 + alpha_f - alpha_m, order 2; more is order 1 and damps more",
    default: DERIVED,
    least: 0.5,
    most: 2.0,
};

const BETA: Parameter = Parameter {
    name: "beta",
    meaning: "β; left out it is (gamma + 1/2)²/4, the most damping at infinity; at least gamma/2",
    default: DERIVED,
    least: 0.25,
    most: 2.0,
};

const STIFFNESS: Parameter = Parameter {
    name: "stiffness",
    meaning: "of a contact, N/m or N/m^exponent; 0: as stiff as the step can resolve, from the mass it meets",
    default: 0.0,
    least: 0.0,
    most: 1e18,
};

const PENETRATION: Parameter = Parameter {
    name: "penetration",
    meaning: "how deep a single impact goes (m): the stiffness follows from it, from the mass and from the speed; 0: not asked for",
    default: 0.0,
    least: 0.0,
    most: 1e3,
};

const PARABOLA: Parameter = Parameter {
    name: "parabola",
    meaning: "friction over the slip speed, 1: grows by a parabola with no kink at its top, as published; 0: by a straight line",
    default: 0.0,
    least: 0.0,
    most: 1.0,
};

const DAMPING: Parameter = Parameter {
    name: "damping",
    meaning: "of a contact, N s/m, or the hysteresis factor N s/m^(1 + exponent); 0: what gives its restitution back",
    default: 0.0,
    least: 0.0,
    most: 1e18,
};

const SLIP_SPEED: Parameter = Parameter {
    name: "slip_speed",
    meaning: "friction grows up to this speed of sliding (m/s), or to what it can stop in a step if that is more",
    default: 1e-3,
    least: 1e-12,
    most: 1e3,
};

const LEAST_STEP: Parameter = Parameter {
    name: "least_step",
    meaning: "shortest step (s); 0: a ten-billionth of the run",
    default: 0.0,
    least: 0.0,
    most: 1e9,
};

const MOST_STEP: Parameter = Parameter {
    name: "most_step",
    meaning: "longest step (s); 0: a twentieth of the run",
    default: 0.0,
    least: 0.0,
    most: 1e9,
};

const EVENT_TOLERANCE: Parameter = Parameter {
    name: "event_tolerance",
    meaning: "tolerance on the times of events (s); 0: 1e-14 of the run",
    default: 0.0,
    least: 0.0,
    most: 1.0,
};

const PROJECTION: Parameter = Parameter {
    name: "projection",
    meaning: "1: joints and closed contacts are projected after every step, in the metric of the mass; 0: they drift",
    default: 1.0,
    least: 0.0,
    most: 1.0,
};

const BAUMGARTE: Parameter = Parameter {
    name: "baumgarte",
    meaning: "rate of Baumgarte's stabilisation (1/s) in the place of the projection; 0: none",
    default: 0.0,
    least: 0.0,
    most: 1e9,
};

const REST: Parameter = Parameter {
    name: "rest",
    meaning: "a bounce that rises less than this part of accuracy · size of the mechanism ends in rest; 0: none does, as published",
    default: crate::events::REST,
    least: 0.0,
    most: 1.0,
};

const ADAMS_ORDER: Parameter = Parameter {
    name: "order",
    meaning: "accelerations that are looked back on",
    default: 4.0,
    least: 1.0,
    most: 5.0,
};

/// Parameters of the frame, in this order behind those of the method.
fn frame(p: &[f64]) -> FrameOptions {
    let drift = match (p[4], p.get(5)) {
        (_, Some(&rate)) if rate > 0.0 => Drift::Baumgarte { rate },
        (0.0, _) => Drift::None,
        _ => Drift::Projection,
    };
    FrameOptions { least_step: p[0], most_step: p[1], event_tolerance: p[2], rest: p[3], drift }
}

fn event_driven(method: impl Method + 'static, p: &[f64]) -> Box<dyn Scheme> {
    Box::new(EventDriven::new(Box::new(method), frame(p)))
}

fn mixed(base: impl Base + 'static, parts: f64, restart: f64) -> Box<dyn Scheme> {
    let frame = Mixed::new(base, parts as usize);
    Box::new(if restart == 0.0 { frame.without_restart() } else { frame })
}

/// Stiffness, damping, slip speed, penetration, parabola.
fn springs(p: &[f64]) -> SpringOptions {
    let (stiffness, damping, slip_speed, penetration) = (p[0], p[1], p[2], p[3]);
    SpringOptions { stiffness, penetration, damping, slip_speed, parabola: p[4] != 0.0 }
}

fn joints(end: f64) -> Joints {
    if end == 0.0 { Joints::Mean } else { Joints::End }
}

fn alpha(name: String, parameters: AlphaParameters, end_joints: f64, published: f64) -> Box<dyn Scheme> {
    let scheme = GeneralizedAlpha::new(name, parameters, joints(end_joints));
    Box::new(scheme.as_published(published != 0.0))
}

/// The α family by ρ_∞, or by α_m, α_f, γ, β where they are given, and its name with what was given.
fn family(name: &str, rho: f64, free: &[f64]) -> (String, AlphaParameters) {
    let given = [("alpha_m", free[0]), ("alpha_f", free[1]), ("gamma", free[2]), ("beta", free[3])];
    let by_rho = free[0].is_nan().then_some(("rho", rho));
    let said: Vec<String> = by_rho
        .into_iter()
        .chain(given.into_iter().filter(|(_, value)| !value.is_nan()))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let parameters = AlphaParameters::chosen(rho, free[0], free[1], free[2], free[3]);
    (format!("{name} ({})", said.join(", ")), parameters)
}

/// Whether the parameters of the α family belong together and are stable at every step.
fn check_family(info: &SchemeInfo, values: &[f64]) -> Result<(), SchemeError> {
    let value = |name: &str| info.parameters.iter().position(|p| p.name == name).map(|i| values[i]);
    let scheme = info.name;
    let parameters = match (value("alpha_m"), value("alpha_f"), value("gamma"), value("beta")) {
        (Some(alpha_m), Some(alpha_f), Some(gamma), Some(beta)) => {
            if alpha_m.is_nan() != alpha_f.is_nan() {
                let (given, missing) =
                    if alpha_f.is_nan() { ("alpha_m", "alpha_f") } else { ("alpha_f", "alpha_m") };
                return Err(SchemeError::Together { scheme, given, missing });
            }
            AlphaParameters::chosen(value("rho").unwrap_or(1.0), alpha_m, alpha_f, gamma, beta)
        }
        // Newmark
        (None, None, Some(gamma), Some(beta)) => AlphaParameters::chosen(1.0, 0.0, 0.0, gamma, beta),
        _ => return Ok(()),
    };
    match parameters.instability() {
        None => Ok(()),
        Some((parameter, value, range)) => Err(SchemeError::Unstable { scheme, parameter, value, range }),
    }
}

/// Appended to any name: the coordinates are projected onto the joints after every step.
pub const PROJECTED: &str = "-projected";

/// Every scheme.
pub const SCHEMES: &[SchemeInfo] = &[
    SchemeInfo {
        name: "moreau-jean",
        summary: "Moreau–Jean θ-scheme; robust; theta = 1/2 is second order and energy-neutral between impacts",
        parameters: &[THETA, END_JOINTS, PUBLISHED],
        build: |p| Box::new(MoreauJean::new(p[0], joints(p[1])).as_published(p[2] != 0.0)),
    },
    SchemeInfo {
        name: "moreau-explicit",
        summary: "Moreau's classic explicit scheme; cheapest step, for soft systems",
        parameters: &[],
        build: |_| Box::new(MoreauExplicit::new(Rule::Classic)),
    },
    SchemeInfo {
        name: "moreau-midpoint",
        summary: "Moreau's midpoint rule; explicit, order 2 in free flight",
        parameters: &[],
        build: |_| Box::new(MoreauExplicit::new(Rule::Midpoint)),
    },
    SchemeInfo {
        name: "schatzman-paoli",
        summary: "Schatzman–Paoli; two steps, joints and contacts at position level: no drift; order 1",
        parameters: &[],
        build: |_| Box::new(SchatzmanPaoli::default()),
    },
    SchemeInfo {
        name: "stewart-trinkle",
        summary: "Stewart–Trinkle; semi-explicit, linearised position level, contacts without restitution only; order 1",
        parameters: &[],
        build: |_| Box::new(StewartTrinkle::default()),
    },
    SchemeInfo {
        name: "anitescu-potra",
        summary: "Anitescu–Potra; backward Euler, impacts by Poisson's law instead of Newton's; order 1",
        parameters: &[],
        build: |_| Box::new(AnitescuPotra::default()),
    },
    SchemeInfo {
        name: "generalized-alpha",
        summary: "nonsmooth generalized-α; second order between impacts, damps high frequencies",
        parameters: &[RHO, END_JOINTS, PUBLISHED, ALPHA_M, ALPHA_F, GAMMA, BETA],
        build: |p| {
            let (name, parameters) = family("generalized-alpha", p[0], &p[3..]);
            alpha(name, parameters, p[1], p[2])
        },
    },
    SchemeInfo {
        name: "hht",
        summary: "nonsmooth Hilber–Hughes–Taylor",
        parameters: &[
            Parameter {
                name: "alpha",
                meaning: "α_f: 0 trapezoidal rule, 1/3 most damping",
                default: 0.1,
                least: 0.0,
                most: 1.0 / 3.0,
            },
            END_JOINTS,
            PUBLISHED,
        ],
        build: |p| alpha(format!("hht (alpha = {})", p[0]), AlphaParameters::hht(p[0]), p[1], p[2]),
    },
    SchemeInfo {
        name: "newmark",
        summary: "nonsmooth Newmark; gamma = 1/2 trapezoidal rule, gamma = 1 most damping, order 1",
        parameters: &[
            Parameter {
                name: "gamma",
                meaning: "1/2 no damping, 1 most",
                default: 0.5,
                least: 0.5,
                most: 1.0,
            },
            END_JOINTS,
            PUBLISHED,
            BETA,
        ],
        build: |p| {
            let said = if p[3].is_nan() { String::new() } else { format!(", beta = {}", p[3]) };
            let parameters = AlphaParameters::chosen(1.0, 0.0, 0.0, p[0], p[3]);
            alpha(format!("newmark (gamma = {}{said})", p[0]), parameters, p[1], p[2])
        },
    },
    SchemeInfo {
        name: "newmark-implicit",
        summary: "fully implicit Newmark, gamma = 1: reactions are part of the acceleration and drag into the next step; order 1",
        parameters: &[
            Parameter {
                name: "beta",
                meaning: "β: 1/2 no drag, 0.5625 as published",
                default: newmark_implicit::BETA,
                least: 0.5,
                most: 1.0,
            },
            PUBLISHED,
        ],
        build: |p| Box::new(NewmarkImplicit::new(p[0], p[1] != 0.0)),
    },
    SchemeInfo {
        name: "moreau-jean-ggl",
        summary: "Moreau–Jean in Gear–Gupta–Leimkuhler form: joints and contacts hold in positions and velocities, no drift, no penetration",
        // below 1/2 the positions do not see the forces of the step in time to know which contacts close
        parameters: &[Parameter { least: 0.5, ..THETA }, PUBLISHED],
        build: |p| {
            let scheme = MoreauJean::new(p[0], Joints::Mean).with_positions();
            Box::new(scheme.as_published(p[1] != 0.0))
        },
    },
    SchemeInfo {
        name: "generalized-alpha-ggl",
        summary: "nonsmooth generalized-α in Gear–Gupta–Leimkuhler form: no drift, no penetration",
        parameters: &[RHO, PUBLISHED, ALPHA_M, ALPHA_F, GAMMA, BETA],
        build: |p| {
            let (name, parameters) = family("generalized-alpha-ggl", p[0], &p[2..]);
            let scheme = GeneralizedAlpha::new(name, parameters, Joints::Mean).with_positions();
            Box::new(scheme.as_published(p[1] != 0.0))
        },
    },
    SchemeInfo {
        name: "mixed-alpha",
        summary: "mixed: generalized-α with forces, then impacts; second order with contacts and joints between impacts",
        parameters: &[RHO, PARTS, RESTART, FORCES_PUBLISHED, ALPHA_M, ALPHA_F, GAMMA, BETA],
        build: |p| {
            let (name, parameters) = family("mixed-alpha", p[0], &p[4..]);
            mixed(MixedAlpha::new(name, parameters, p[3] != 0.0), p[1], p[2])
        },
    },
    SchemeInfo {
        name: "bathe",
        summary: "mixed: Bathe's two half steps with forces, then impacts; damps high frequencies most",
        parameters: &[PARTS, RESTART, FORCES_PUBLISHED],
        build: |p| mixed(Bathe::new(p[2] != 0.0), p[0], p[1]),
    },
    SchemeInfo {
        name: "ed-alpha",
        summary: "mixed: ED-α, two stages solved together, then impacts; third order on linear systems, damps as asked",
        parameters: &[
            Parameter { default: 0.0, ..RHO },
            Parameter {
                name: "alpha_ar",
                meaning: "where damping sets in: the larger, the lower the frequency; 1/6 has the smallest error of the period",
                default: 1.0 / 6.0,
                least: 0.1,
                most: 1.0 / 3.0,
            },
            PARTS,
            RESTART,
            FORCES_PUBLISHED,
        ],
        build: |p| mixed(EdAlpha::new(p[0], p[1], p[4] != 0.0), p[2], p[3]),
    },
    SchemeInfo {
        name: "half-explicit",
        summary: "mixed: half-explicit trapezoidal rule with forces, then impacts; cheap and second order, for soft systems",
        parameters: &[
            Parameter {
                name: "predicted_contacts",
                meaning: "1: contacts press in the first stage if closed at its predicted end too; 0: if closed where the step begins",
                default: 0.0,
                least: 0.0,
                most: 1.0,
            },
            PARTS,
        ],
        build: |p| {
            let contacts = if p[0] == 0.0 { StageContacts::ClosedBefore } else { StageContacts::ClosedAfter };
            Box::new(Mixed::new(HalfExplicit::trapezoidal(contacts), p[1] as usize))
        },
    },
    SchemeInfo {
        name: "half-explicit-acceleration",
        summary: "mixed: half-explicit trapezoidal rule with forces from accelerations; frictionless, drifts, for comparison",
        parameters: &[PARTS],
        build: |p| Box::new(Mixed::new(HalfExplicitAcceleration::default(), p[0] as usize)),
    },
    SchemeInfo {
        name: "half-explicit-3",
        summary: "mixed: half-explicit Runge–Kutta method of order 3, then impacts",
        parameters: &[PARTS],
        build: |p| {
            let base = HalfExplicit::new("half-explicit-3".into(), Tableau::order_3());
            Box::new(Mixed::new(base, p[0] as usize))
        },
    },
    SchemeInfo {
        name: "half-explicit-4",
        summary: "mixed: half-explicit Runge–Kutta method of order 4, then impacts; few impacts, high accuracy",
        parameters: &[PARTS],
        build: |p| {
            let base = HalfExplicit::new("half-explicit-4".into(), Tableau::order_4());
            Box::new(Mixed::new(base, p[0] as usize))
        },
    },
    SchemeInfo {
        name: "acceleration-lcp",
        summary: "mixed: Runge–Kutta of order 4 with forces from a complementarity problem of accelerations, then impacts",
        parameters: &[PARTS],
        build: |p| Box::new(Mixed::new(AccelerationLevel::complementary(), p[0] as usize)),
    },
    SchemeInfo {
        name: "acceleration-lcp-radau5",
        summary: "mixed: RADAU5 with forces from a complementarity problem of accelerations, then impacts; stiff elastic bodies",
        parameters: &[PARTS],
        build: |p| Box::new(Mixed::new(AccelerationRadau::default(), p[0] as usize)),
    },
    SchemeInfo {
        name: "multiplier",
        summary: "mixed: Runge–Kutta of order 4 with closed contacts held like joints until they pull, then impacts",
        parameters: &[PARTS],
        build: |p| Box::new(Mixed::new(AccelerationLevel::held(), p[0] as usize)),
    },
    SchemeInfo {
        name: "position-lcp-euler",
        summary: "gaps two steps ahead linear in forces by explicit Euler; no restitution; order 1, for comparison",
        parameters: &[],
        build: |_| Box::new(ConstantForce::position_euler()),
    },
    SchemeInfo {
        name: "position-lcp-rk4",
        summary: "gaps at the end of the step by forces constant over it, Runge–Kutta of order 4; no restitution, elastic bodies",
        parameters: &[],
        build: |_| Box::new(ConstantForce::position_rk4()),
    },
    SchemeInfo {
        name: "position-lcp-radau5",
        summary: "gaps at the end of the step by forces constant over it, RADAU5; no restitution, stiff elastic bodies",
        parameters: &[],
        build: |_| Box::new(ConstantForce::position_radau5()),
    },
    SchemeInfo {
        name: "velocity-lcp",
        summary: "velocities at the end of the step by forces constant over it, Runge–Kutta of order 4; no restitution",
        parameters: &[],
        build: |_| Box::new(ConstantForce::velocity()),
    },
    SchemeInfo {
        name: "penalty",
        summary: "contacts as springs with dampers (Kelvin–Voigt), friction over a slip speed; Runge–Kutta of order 4",
        parameters: &[STIFFNESS, DAMPING, SLIP_SPEED, PENETRATION, PARABOLA],
        build: |p| Box::new(Penalty::new(Spring::KelvinVoigt, springs(p))),
    },
    SchemeInfo {
        name: "hunt-crossley",
        summary: "contacts as springs with hysteresis (Hunt–Crossley), friction over a slip speed; Runge–Kutta of order 4",
        parameters: &[
            STIFFNESS,
            DAMPING,
            SLIP_SPEED,
            Parameter {
                name: "exponent",
                meaning: "power of the depth: 3/2 for spheres by Hertz, 1 for a linear spring",
                default: 1.5,
                least: 1.0,
                most: 3.0,
            },
            PENETRATION,
            PARABOLA,
        ],
        build: |p| {
            let options = springs(&[p[0], p[1], p[2], p[4], p[5]]);
            Box::new(Penalty::new(Spring::HuntCrossley { exponent: p[3] }, options))
        },
    },
    SchemeInfo {
        name: "hem5",
        summary: "event-driven: half-explicit Runge–Kutta of order 5; few events, high accuracy, soft systems",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
        build: |p| event_driven(Hem5::default(), p),
    },
    SchemeInfo {
        name: "phem56",
        summary: "event-driven: partitioned half-explicit Runge–Kutta of order 5 in six stages; as hem5, cheaper by a quarter",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
        build: |p| event_driven(Phem56::default(), p),
    },
    SchemeInfo {
        name: "rk4",
        summary: "event-driven: the classic Runge–Kutta method of order 4 on accelerations",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
        build: |p| event_driven(RungeKutta::rk4(), p),
    },
    SchemeInfo {
        name: "rkf45",
        summary: "event-driven: Runge–Kutta–Fehlberg of order 4 or 5 on accelerations",
        parameters: &[
            Parameter {
                name: "order",
                meaning: "of the formula that goes on: 4 as published, or 5",
                default: 4.0,
                least: 4.0,
                most: 5.0,
            },
            LEAST_STEP,
            MOST_STEP,
            EVENT_TOLERANCE,
            REST,
            PROJECTION,
            BAUMGARTE,
        ],
        build: |p| event_driven(RungeKutta::rkf45(p[0] == 5.0), &p[1..]),
    },
    SchemeInfo {
        name: "dopri5",
        summary: "event-driven: Dormand–Prince of order 5 on accelerations",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
        build: |p| event_driven(RungeKutta::dopri5(), p),
    },
    SchemeInfo {
        name: "alpha-dae",
        summary: "event-driven: generalized-α for joints in velocities (index-2) or positions (index-3); stiff systems, order 2",
        parameters: &[RHO, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
        build: |p| event_driven(Alpha::new(p[0]), &p[1..]),
    },
    SchemeInfo {
        name: "radau5",
        summary: "event-driven: Radau IIA of order 5, joints in positions and velocities (index-2), or index-1, index-3; stiff systems",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION],
        build: |p| event_driven(Radau5::default(), p),
    },
    SchemeInfo {
        name: "bdf",
        summary: "event-driven: backward differentiation of order 1 to 6 on accelerations; stiff systems with few events",
        parameters: &[
            Parameter {
                name: "order",
                meaning: "steps that are looked back on",
                default: 4.0,
                least: 1.0,
                most: 6.0,
            },
            LEAST_STEP,
            MOST_STEP,
            EVENT_TOLERANCE,
            REST,
            PROJECTION,
            BAUMGARTE,
        ],
        build: |p| event_driven(Bdf::new(p[0] as usize), &p[1..]),
    },
    SchemeInfo {
        name: "adams-bashforth",
        summary: "event-driven: Adams–Bashforth of order 1 to 5 on accelerations; one evaluation per step, few events",
        parameters: &[ADAMS_ORDER, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
        build: |p| event_driven(Adams::new(p[0] as usize, 0), &p[1..]),
    },
    SchemeInfo {
        name: "adams-moulton",
        summary: "event-driven: Adams–Bashforth, corrected by Adams–Moulton, of order 1 to 5 on accelerations; few events",
        parameters: &[ADAMS_ORDER, LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST, PROJECTION, BAUMGARTE],
        build: |p| event_driven(Adams::new(p[0] as usize, 1), &p[1..]),
    },
    SchemeInfo {
        name: "verlet",
        summary: "event-driven: Störmer–Verlet, symplectic, order 2; without joints",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST],
        build: |p| event_driven(Symplectic::verlet(), &[p[0], p[1], p[2], p[3], 0.0]),
    },
    SchemeInfo {
        name: "shake",
        summary: "event-driven: SHAKE, symplectic, joints in positions; order 2, for long runs",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST],
        build: |p| event_driven(Symplectic::shake(), &[p[0], p[1], p[2], p[3], 0.0]),
    },
    SchemeInfo {
        name: "rattle",
        summary: "event-driven: RATTLE, symplectic, joints in positions and velocities; order 2, for long runs",
        parameters: &[LEAST_STEP, MOST_STEP, EVENT_TOLERANCE, REST],
        build: |p| event_driven(Symplectic::rattle(), &[p[0], p[1], p[2], p[3], 0.0]),
    },
    SchemeInfo {
        name: "hybrid",
        summary: "event-driven (hem5), and Moreau–Jean where events crowd; give it an accuracy",
        parameters: &[
            Parameter {
                meaning: "step of Moreau–Jean (s), which events closer than that are left to; 0: from the accuracy",
                ..LEAST_STEP
            },
            MOST_STEP,
            EVENT_TOLERANCE,
            REST,
            PROJECTION,
            Parameter {
                name: "transitions",
                meaning: "1: every change between sticking and sliding is stepped over, as published; 0: only crowds of them",
                default: 0.0,
                least: 0.0,
                most: 1.0,
            },
            Parameter {
                name: "crowd",
                meaning: "impacts in a row, closer than that step, that are left to Moreau–Jean; 1 as published",
                default: 12.0,
                least: 1.0,
                most: 1e6,
            },
        ],
        build: |p| {
            let options = HybridOptions { least_step: p[0], transitions: p[5] != 0.0, crowd: p[6] as usize };
            let frame = FrameOptions { least_step: 0.0, ..frame(&p[..5]) };
            Box::new(Hybrid::new(Box::new(Hem5::default()), frame, options))
        },
    },
];

/// Names of the schemes that take a form of the equations, in a row.
pub(crate) fn schemes_for(formulation: Formulation) -> String {
    let takes = |info: &&SchemeInfo| {
        let usual: Vec<f64> = info.parameters.iter().map(|p| p.default).collect();
        (info.build)(&usual).formulations().contains(&formulation)
    };
    SCHEMES.iter().filter(takes).map(|info| info.name).collect::<Vec<_>>().join(", ")
}

/// Parameters that count or switch.
const WHOLE: &[&str] = &[
    "end_joints",
    "published",
    "parts",
    "restart",
    "predicted_contacts",
    "projection",
    "transitions",
    "order",
    "crowd",
    "parabola",
];

/// Parameters of which one follows from the other: not both are given.
const EITHER: &[(&str, &str)] = &[("stiffness", "penetration")];

/// Makes a scheme by name, with the parameters given and defaults for the rest.
pub fn scheme(name: &str, parameters: &[(&str, f64)]) -> Result<Box<dyn Scheme>, SchemeError> {
    let (plain, projected) = match name.strip_suffix(PROJECTED) {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    let info = SCHEMES.iter().find(|s| s.name == plain).ok_or_else(|| SchemeError::Unknown {
        name: name.into(),
        known: SCHEMES.iter().map(|s| s.name).collect::<Vec<_>>().join(", "),
    })?;
    for (given, _) in parameters {
        if !info.parameters.iter().any(|p| p.name == *given) {
            let known = match info.parameters {
                [] => "it has none".to_string(),
                some => format!("it has {}", some.iter().map(|p| p.name).collect::<Vec<_>>().join(", ")),
            };
            return Err(SchemeError::UnknownParameter {
                scheme: name.into(),
                parameter: (*given).into(),
                known,
            });
        }
    }
    let mut values = Vec::new();
    for p in info.parameters {
        let Some((_, value)) = parameters.iter().find(|(n, _)| *n == p.name) else {
            values.push(p.default);
            continue;
        };
        let value = *value;
        if !(p.least..=p.most).contains(&value) {
            return Err(SchemeError::Range {
                scheme: name.into(),
                parameter: p.name,
                value,
                least: p.least,
                most: p.most,
            });
        }
        if WHOLE.contains(&p.name) && value.fract() != 0.0 {
            return Err(SchemeError::Whole {
                scheme: name.into(),
                parameter: p.name,
                value,
                least: p.least,
                most: p.most,
            });
        }
        values.push(value);
    }
    check_family(info, &values)?;
    for &(first, second) in EITHER {
        let given = |name: &str| parameters.iter().any(|(n, value)| *n == name && *value != 0.0);
        if given(first) && given(second) {
            return Err(SchemeError::Twice { scheme: name.into(), first, second });
        }
    }
    let mut base = (info.build)(&values);
    if projected && base.own_steps().is_some() {
        return Err(SchemeError::ProjectsItself { scheme: info.name });
    }
    Ok(if projected { Box::new(Projected::new(base)) } else { base })
}
