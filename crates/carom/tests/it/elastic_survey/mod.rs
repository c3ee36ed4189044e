//! Every scheme on elastic bodies that hit something: none makes energy, or it is said before the run. The long form is
//! `examples/elastic_survey.rs`.

mod measure;
mod models;

use carom::SCHEMES;
use measure::{Measured, measure};
use models::{Case, Frame, Scene};
use std::time::Duration;

/// Energy that no scheme may make, relative to what moves.
const MADE: f64 = 1e-3;
/// Longer than any run takes; a slow machine must not change the answer.
const LIMIT: Duration = Duration::from_secs(600);

const BASE: Case = Case {
    scene: Scene::BeamIsHit,
    frame: Frame::Clamped,
    modes: None,
    damping: 0.0,
    restitution: 0.0,
    friction: 0.0,
    steps: 30.0,
};

fn run(case: &Case, scheme: &str, changes: &[(&str, &str)]) -> Measured {
    measure(case, scheme, changes, LIMIT)
}

/// One case of each kind of body, at steps that resolve little of it, with and without damping by stiffness, e = 0 and 0.5.
fn sample() -> Vec<Case> {
    vec![
        BASE,
        Case { damping: 1e-4, restitution: 0.5, ..BASE },
        Case { scene: Scene::BeamTurns, frame: Frame::Pinned, damping: 1e-5, steps: 20.0, ..BASE },
        Case {
            scene: Scene::BeamTurns,
            frame: Frame::MeanAxis,
            modes: Some(6),
            restitution: 0.5,
            friction: 0.3,
            ..BASE
        },
        Case { scene: Scene::BeamFlies, frame: Frame::Articulated, damping: 1e-4, steps: 25.0, ..BASE },
        Case { scene: Scene::BarHits, damping: 1e-4, steps: 40.0, ..BASE },
        Case { scene: Scene::BarHits, restitution: 0.5, steps: 60.0, ..BASE },
        Case { scene: Scene::BlockFalls, frame: Frame::Pinned, damping: 1e-5, steps: 20.0, ..BASE },
        Case { scene: Scene::ExactTurns, damping: 1e-4, steps: 60.0, ..BASE },
        Case { scene: Scene::BeamHangs, steps: 20.0, ..BASE },
    ]
}

/// The promise of the whole: exit code 0 and no word means that no energy was made.
#[test]
fn no_scheme_makes_energy_without_a_word() {
    let mut wrong = Vec::new();
    let (mut silent, mut told) = (0, 0);
    for case in sample() {
        for info in SCHEMES {
            let m = run(&case, info.name, &[]);
            if m.refused.is_some() || !m.warnings.is_empty() {
                told += 1;
                continue;
            }
            silent += 1;
            if m.made > MADE {
                wrong.push(format!("{} on {case}: {:.1e} made", info.name, m.made));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // neither all silent nor all told: the explicit ones cannot do most of these, the implicit ones can do all
    assert!(silent > 100 && told > 120, "{silent} run, {told} told of");
}

/// Where a scheme is said to be outside what it is for, it is: the words are not cheap.
#[test]
fn what_is_warned_of_comes_true() {
    for scheme in ["half-explicit", "hem5", "moreau-explicit", "rk4"] {
        let m = run(&BASE, scheme, &[]);
        assert!(
            m.warnings.iter().any(|w| w.contains("`body`") && w.contains("Ω dt")),
            "{scheme}: {:?}",
            m.warnings
        );
        assert!(m.failed.is_some() || m.made > 1.0, "{scheme}: {:.1e} made", m.made);
    }
}

/// The mixed schemes in all frames, nodal and modal, with damping from none to what is over in far less than a step; their published
/// forms on the same models, which do make energy.
#[test]
fn mixed_schemes_make_none_in_any_frame() {
    let mut published = 0.0_f64;
    for frame in Frame::ALL {
        for (modes, damping, restitution) in [(None, 1e-4, 0.0), (None, 0.0, 0.5), (Some(6), 1e-3, 0.0)] {
            let case = Case { scene: Scene::BeamTurns, frame, modes, damping, restitution, ..BASE };
            for (scheme, rho) in [
                ("bathe", None),
                ("ed-alpha", None),
                ("ed-alpha", Some("0.8")),
                ("mixed-alpha", None),
                ("mixed-alpha", Some("0")),
            ] {
                let changes: Vec<(&str, &str)> =
                    rho.map(|rho| ("simulation.parameters.rho", rho)).into_iter().collect();
                let m = run(&case, scheme, &changes);
                assert!(m.failed.is_none() && m.impacts > 0, "{scheme} on {case}: {:?}", m.failed);
                assert!(m.made <= MADE, "{scheme} {rho:?} on {case}: {:.1e} made", m.made);
            }
            for scheme in ["bathe", "mixed-alpha"] {
                published =
                    published.max(run(&case, scheme, &[("simulation.parameters.published", "1")]).made);
            }
        }
    }
    assert!(published > 1.0, "{published:.1e}");
}

/// Momentum of two free bodies that collide: not worse than the published form of bathe where little is resolved, and of second
/// order where all is.
#[test]
fn mixed_schemes_keep_momentum_to_their_order() {
    for frame in [Frame::Clamped, Frame::MeanAxis] {
        let at = |scheme: &str, changes: &[(&str, &str)], modes: Option<usize>, steps: f64| {
            let case = Case { scene: Scene::BallMeetsBeam, frame, modes, restitution: 0.5, steps, ..BASE };
            let m = run(&case, scheme, changes);
            assert!(m.failed.is_none() && m.impacts > 0, "{scheme} on {case}");
            m.linear.max(m.angular)
        };
        let before = at("bathe", &[("simulation.parameters.published", "1")], None, 20.0);
        for scheme in ["bathe", "mixed-alpha", "ed-alpha"] {
            let coarse = at(scheme, &[], None, 20.0);
            assert!(
                coarse <= 1.5 * before.max(1e-4),
                "{scheme} {frame:?}: {coarse:.1e}, bathe as published {before:.1e}"
            );
            let (wide, narrow) = (at(scheme, &[], Some(2), 300.0), at(scheme, &[], Some(2), 3000.0));
            assert!(
                narrow <= 0.05 * wide.max(1e-8),
                "{scheme} {frame:?}: {wide:.1e}, ten times finer {narrow:.1e}"
            );
        }
    }
}

/// A swinging bar hits a steel door-stop of 190 mm that is clamped in the ground; units and numbers as one writes them.
const DOOR_STOP: &str = r#"
title = "A swinging bar hits an elastic door-stop"
units = "mm"
gravity = [0, -9810]

[ground.points]
pivot = [0, 1000]
root = { at = [50, 0], angle = "=pi/2" }

[bodies.bar]
mass = 2
inertia = "=2*800^2/12"
position = [-400, 1000]
points.pivot = [400, 0]
shapes.tip = { type = "disk", center = [-400, 0], radius = 20 }

[bodies.stop]
position = [50, 0]
angle = "=pi/2"
points = { root = [0, 0], tip = [190, 0] }
elastic = { type = "beam", length = 190, elements = 8, young = 2.1e5, area = 300, second_moment = "=30*10^3/12", density = 7.85e-6, damping = { stiffness = 1e-5 } }

[joints.pivot]
type = "revolute"
between = ["ground.pivot", "bar.pivot"]

[joints.clamp]
type = "weld"
between = ["ground.root", "stop.root"]

[contacts.hit]
between = ["bar.tip", "stop.tip"]

[simulation]
scheme = "auto"
step = 2e-5
end = 0.46
"#;

fn door_stop(scheme: &str, changes: &[(&str, &str)]) -> carom::Setup {
    let mut all = vec![("simulation.scheme".to_string(), scheme.to_string())];
    all.extend(changes.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    carom::Setup::of_text("door-stop.toml", DOOR_STOP, &all).unwrap_or_else(|e| panic!("{e}"))
}

/// The bar comes down with √(3g/L), 6.07 rad/s, and the stop throws it back with what hem5 at a step that resolves all of it says:
/// every scheme is near that at 2e-5 s, where most of the vibrations are not resolved.
#[test]
fn a_door_stop_throws_back_what_it_got() {
    let speed = |setup: &carom::Setup| {
        let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{e}"));
        assert!(done.reached_end(), "{:?}", done.summary.stop);
        let parts = ["kinetic", "potential", "strain"];
        let part =
            |name: &str, i: usize| done.recording.column(&format!("energy.{name}")).expect("energies")[i];
        let total = |i: usize| parts.iter().map(|name| part(name, i)).sum::<f64>();
        let most = (0..done.recording.samples()).map(total).fold(f64::MIN, f64::max);
        // 7.85 J come down
        assert!(most - total(0) < 1e-3 * 7.85, "{}: {} J made", done.summary.scheme, most - total(0));
        *done.recording.column("bar.omega").expect("the bar turns").last().expect("samples")
    };
    // the first modes are all that the impact knows of; the fastest of 4 needs 5e-7 s
    let reduced = ("bodies.stop.elastic.modes", "4");
    let truth = speed(&door_stop("hem5", &[reduced, ("simulation.step", "1e-6")]));
    assert!((-6.0..-4.0).contains(&truth), "{truth}");
    for scheme in ["auto", "bathe", "mixed-alpha", "ed-alpha", "moreau-jean", "generalized-alpha"] {
        let found = speed(&door_stop(scheme, &[]));
        assert!((found / truth - 1.0).abs() < 0.1, "{scheme}: {found} rad/s, resolved {truth}");
    }
}

/// What the step does not resolve is counted and said, with the number of modes that it does resolve; then nothing is left to say.
#[test]
fn vibrations_that_are_not_resolved_are_said_before_the_run() {
    let setup = door_stop("auto", &[]);
    assert_eq!(setup.warnings(), []);
    let notes = setup.notes();
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.message.contains("of 24 vibrations of `stop`") && note.message.contains("Ω dt"), "{note}");
    let word = note.help.split("`modes = ").nth(1).expect("modes are proposed");
    let modes = word.split('`').next().expect("a number");
    let fast: usize = note.message.split(' ').next().expect("a number").parse().expect("a number");
    assert_eq!(fast + modes.parse::<usize>().expect("a number"), 24, "{note}");
    // with so few the fastest is resolved or nearly so: the frame of the reduced body is freer than that of the whole
    let reduced = door_stop("auto", &[("bodies.stop.elastic.modes", modes)]);
    assert!(reduced.notes().iter().all(|n| n.message.starts_with("1 of ")), "{:?}", reduced.notes());
    // an accuracy chooses its own steps
    assert_eq!(door_stop("radau5", &[("simulation.accuracy", "1e-6")]).notes(), []);
    // low spectral radii overshoot
    let low = door_stop("generalized-alpha", &[("simulation.parameters.rho", "0.2")]).warnings();
    assert!(low.len() == 1 && low[0].message.contains("overshoots"), "{low:?}");
    assert_eq!(door_stop("generalized-alpha", &[]).warnings(), []);
    // what is as published makes energy here, and says so
    for scheme in ["bathe", "mixed-alpha", "moreau-jean"] {
        let told = door_stop(scheme, &[("simulation.parameters.published", "1")]).warnings();
        assert!(told.len() == 1 && told[0].message.contains("as published"), "{scheme}: {told:?}");
        assert_eq!(door_stop(scheme, &[]).warnings(), []);
    }
}

/// The same of a stiff spring between rigid bodies: two balls that drop, the spring a thousand times stiffer than a step of 1 ms resolves.
#[test]
fn stiff_springs_make_none_either() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/oscillator/model.toml");
    for scheme in ["bathe", "mixed-alpha", "ed-alpha", "generalized-alpha", "moreau-jean"] {
        let changes = [("k", "1e7"), ("simulation.scheme", scheme), ("simulation.step", "1e-3")];
        let changes = changes.map(|(k, v)| (k.to_string(), v.to_string()));
        let setup = carom::Setup::open(&file, &changes).unwrap_or_else(|e| panic!("{e}"));
        let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{e}"));
        assert!(done.reached_end(), "{scheme}: {:?}", done.summary.stop);
        let part = |name: &str| done.recording.column(&format!("energy.{name}")).expect("energies");
        let total = |i: usize| part("kinetic")[i] + part("potential")[i] + part("strain")[i];
        let scale = part("kinetic").iter().fold(0.0_f64, |most, x| most.max(*x));
        let most = (0..done.recording.samples()).map(total).fold(f64::MIN, f64::max);
        assert!(
            most - total(0) < MADE * scale,
            "{scheme}: {:.1e} of {scale:.3} J made",
            (most - total(0)) / scale
        );
    }
}
