//! Running a system with a scheme, step by step under the eyes of the study.

use carom_dynamics::{SCHEMES, Settings, Simulation, State, Stop, System, scheme};

/// A scheme with its parameters, and the name it has in the tables.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Name in the report.
    pub label: &'static str,
    /// Name in the registry.
    pub scheme: &'static str,
    /// Parameters.
    pub parameters: &'static [(&'static str, f64)],
}

/// Nonsmooth generalized-α with ρ_∞ = 0.8.
pub const ALPHA: Method = Method {
    label: "generalized-alpha",
    scheme: "generalized-alpha",
    parameters: &[("rho", 0.8), ("end_joints", 1.0), ("published", 1.0)],
};
/// Moreau–Jean with θ = 1.
pub const MOREAU: Method = Method {
    label: "Moreau-Jean",
    scheme: "moreau-jean",
    parameters: &[("theta", 1.0), ("end_joints", 1.0), ("published", 1.0)],
};
/// Fully implicit Newmark, γ = 1, β = 0.5625, reactions inside the acceleration.
pub const NEWMARK: Method =
    Method { label: "fully implicit Newmark", scheme: "newmark-implicit", parameters: &[("published", 1.0)] };
/// The three schemes of [Chen2013] §5 with its parameters, joints along G_{n+1} and elastic bodies as published.
pub const CHEN: [Method; 3] = [ALPHA, MOREAU, NEWMARK];
/// The setting of the nonsmooth family with the γ and β of [`NEWMARK`], which it is often taken for.
pub const NONSMOOTH_NEWMARK: Method = Method {
    label: "nonsmooth Newmark, gamma = 1",
    scheme: "newmark",
    parameters: &[("gamma", 1.0), ("end_joints", 1.0), ("published", 1.0)],
};

/// The contact formulations of [Ebrahimi2007]: they have a study of their own, `contact-formulations`.
pub const FORMULATIONS: [&str; 9] = [
    "acceleration-lcp",
    "acceleration-lcp-radau5",
    "multiplier",
    "velocity-lcp",
    "position-lcp-euler",
    "position-lcp-rk4",
    "position-lcp-radau5",
    "penalty",
    "hunt-crossley",
];

/// Every scheme with its defaults but the [`FORMULATIONS`], and Moreau–Jean with θ = 1.
pub fn every_scheme() -> Vec<Method> {
    let mut all: Vec<Method> = SCHEMES
        .iter()
        .filter(|s| !FORMULATIONS.contains(&s.name))
        .map(|s| Method { label: s.name, scheme: s.name, parameters: &[] })
        .collect();
    all.push(Method {
        label: "moreau-jean, theta = 1",
        scheme: "moreau-jean",
        parameters: &[("theta", 1.0)],
    });
    all
}

/// Those of them that step over what happens: not the event-driven ones, which have studies of their own, `haddouni-...`.
pub fn stepping_schemes() -> Vec<Method> {
    let mut all = every_scheme();
    all.retain(|method| scheme(method.scheme, &[]).is_ok_and(|scheme| !scheme.owns_steps()));
    all
}

/// Those of them that give a single contact its velocity back by e within one step: not Schatzman–Paoli, whose impacts
/// take two, nor Stewart–Trinkle, which takes no restitution.
pub fn bouncing_schemes() -> Vec<Method> {
    let mut all = stepping_schemes();
    all.retain(|method| !["schatzman-paoli", "stewart-trinkle"].contains(&method.scheme));
    all
}

/// Those of them that take friction: not the half-explicit rule at acceleration level.
pub fn rubbing_schemes() -> Vec<Method> {
    let mut all = stepping_schemes();
    all.retain(|method| method.scheme != "half-explicit-acceleration");
    all
}

/// Why a run of a study stopped early.
pub type Trouble = String;

/// Runs from (q, v) at t = 0 over the whole steps that fit before `end`, and shows every state, the first included.
pub fn watch<'s>(
    system: &'s dyn System,
    method: Method,
    (q, v): (&[f64], &[f64]),
    step: f64,
    end: f64,
    mut see: impl FnMut(&State, &Simulation),
) -> Result<Simulation<'s>, Trouble> {
    let mut simulation = start(system, method, (q, v), step, end)?;
    see(simulation.state(), &simulation);
    while !simulation.is_done() {
        simulation.advance();
        see(simulation.state(), &simulation);
    }
    match simulation.summary().stop {
        Stop::Done => Ok(simulation),
        Stop::Interrupted => Err("interrupted".into()),
        Stop::Failed(why) => Err(why.to_string()),
    }
}

/// A simulation that has not begun, ending at the last whole step before `end`, without samples on the way.
pub fn start<'s>(
    system: &'s dyn System,
    method: Method,
    (q, v): (&[f64], &[f64]),
    step: f64,
    end: f64,
) -> Result<Simulation<'s>, Trouble> {
    let whole = (end / step * (1.0 + 1e-12)).floor() * step;
    let settings = Settings { step, end: whole, accuracy: None, output: Some(whole) };
    let state = State::new(system, 0.0, q.to_vec(), v.to_vec());
    let scheme = scheme(method.scheme, method.parameters).map_err(|e| e.to_string())?;
    let solver = carom_solve::solver("auto").ok_or("there is no solver `auto`")?;
    Simulation::new(system, &*scheme, solver, state, settings).map_err(|e| e.to_string())
}
