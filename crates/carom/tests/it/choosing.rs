//! `auto`: every rule met by a mechanism that asks for it, and what a setup makes of the answer.
#![allow(non_snake_case)]

use carom::{Choice, SCHEMES, Setup, State, Stiffness, SystemInfo};
use std::path::Path;

fn owned(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
}

fn with_auto(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    [owned(&[("simulation.scheme", "auto")]), owned(changes)].concat()
}

fn gallery(name: &str, changes: &[(&str, &str)]) -> Setup {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name).join("model.toml");
    Setup::open(&path, &with_auto(changes)).unwrap_or_else(|e| panic!("{e}"))
}

fn coded(name: &str, changes: &[(&str, &str)]) -> Setup {
    let info = SystemInfo::find(name).expect("it is registered");
    Setup::of_system(info, &with_auto(changes)).unwrap_or_else(|e| panic!("{e}"))
}

fn choice(setup: &Setup) -> &Choice {
    setup.choice().expect("auto was asked for")
}

fn stiffness(setup: &Setup) -> Stiffness {
    let start = setup.assembly();
    let state = State::new(setup.system(), 0.0, start.q.clone(), start.v.clone());
    Stiffness::new(setup.system(), &state, setup.settings().step)
}

/// `count` masses above a floor that they may touch, on springs and dampers, as asked for.
fn masses(count: usize, contact: bool, stiffness: f64, damping: f64) -> String {
    let mut text = String::from(
        "gravity = [0, -10]\n[ground.points]\nnail = [0, 3]\n[ground.shapes.floor]\ntype = \"line\"\n\
         through = [0, 0]\nnormal = [0, 1]\n",
    );
    for i in 0..count {
        text.push_str(&format!(
            "[bodies.b{i}]\nmass = 2\nposition = [{i}, 0.5]\nshapes.skin = {{ type = \"disk\", radius = 0.2 }}\n"
        ));
        if contact {
            text.push_str(&format!("[contacts.c{i}]\nbetween = [\"b{i}.skin\", \"ground.floor\"]\n"));
        }
        if stiffness > 0.0 || damping > 0.0 {
            text.push_str(&format!(
                "[forces.s{i}]\ntype = \"spring\"\nbetween = [\"ground.nail\", \"b{i}\"]\nstiffness = {stiffness:?}\n\
                 damping = {damping:?}\n"
            ));
        }
    }
    text + "[simulation]\nscheme = \"auto\"\nstep = 1e-3\nend = 0.01\n"
}

fn text(text: &str, changes: &[(&str, &str)]) -> Setup {
    Setup::of_text("masses", text, &owned(changes)).unwrap_or_else(|e| panic!("{e}"))
}

/// Ω of a mass on a spring, of three masses (503.3 Hz: [RezaeiSchindler] §2.8), and of the same where a joint holds the
/// stiff end: √(3k/m). Δ of a damper.
#[test]
fn vibration_and_damping_are_met() {
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
    let one = stiffness(&text(&masses(1, false, 8e4, 30.0), &[]));
    assert!(close(one.vibration, 1e-3 * (8e4_f64 / 2.0).sqrt()), "{one:?}");
    assert!(close(one.damping, 1e-3 * 30.0 / 2.0), "{one:?}");
    let three = stiffness(&coded("stiff-3dof-spring", &[("simulation.step", "1e-4")]));
    assert!(close(three.vibration, 1e-4 * std::f64::consts::TAU * 503.3), "{three:?}");
    assert_eq!(three.damping, 0.0);
    let held = stiffness(&coded("stiff-3dof-constraint", &[("simulation.step", "0.05")]));
    assert!(close(held.vibration, 0.05 * 30_f64.sqrt()), "{held:?}");
}

#[test]
fn smooth_mechanisms_get_the_highest_order() {
    for setup in [gallery("four-bar", &[]), coded("slider-crank-bilateral", &[])] {
        assert_eq!(choice(&setup).scheme, "half-explicit-4", "{}", choice(&setup));
        assert!(choice(&setup).reason.contains("nothing hits or rubs"), "{}", choice(&setup));
    }
}

#[test]
fn few_contacts_are_met_in_parts() {
    for setup in [gallery("ball", &[]), gallery("oscillator", &[]), coded("slider-crank-minimal", &[])] {
        let choice = choice(&setup);
        assert_eq!(choice.scheme, "half-explicit", "{choice}");
        assert!(choice.parameters.iter().any(|(name, x)| *name == "parts" && *x > 1.0), "{choice}");
        assert!(choice.reason.contains("contact"), "{choice}");
    }
}

/// Who asks for an accuracy gets a scheme that can keep it: event by event, or implicit of high order.
#[test]
fn an_accuracy_is_met_by_high_order() {
    let asked = [("simulation.accuracy", "1e-7")];
    for (setup, scheme, word) in [
        (gallery("four-bar", &asked), "phem56", "nothing hits"),
        (gallery("ball", &asked), "hybrid", "one contact"),
        (gallery("slider-crank", &asked), "hybrid", "4 contacts"),
        (coded("stiff-3dof-spring", &[("simulation.step", "0.05"), asked[0]]), "radau5", "implicit"),
    ] {
        let choice = choice(&setup);
        assert_eq!(choice.scheme, scheme, "{choice}");
        assert!(choice.reason.contains("accuracy") && choice.reason.contains(word), "{choice}");
        let done = setup.run(|_| true).unwrap_or_else(|e| panic!("{e}"));
        assert!(done.reached_end(), "{:?}", done.summary.stop);
        assert!(done.summary.audit.relative_numerical_loss().abs() < 1e-5, "{}", done.summary.audit.verdict);
    }
    // many contacts, or stiff ones, are for time stepping
    let heap = text(&masses(9, true, 0.0, 0.0), &asked);
    assert_eq!(choice(&heap).scheme, "half-explicit", "{}", choice(&heap));
    let stiff = text(&masses(2, true, 8e6, 0.0), &asked);
    assert_eq!(choice(&stiff).scheme, "generalized-alpha", "{}", choice(&stiff));
}

#[test]
fn heaps_and_joints_that_rub_have_their_own() {
    let heap = text(&masses(9, true, 0.0, 0.0), &[]);
    assert_eq!(
        (choice(&heap).scheme, choice(&heap).parameters.len()),
        ("half-explicit", 0),
        "{}",
        choice(&heap)
    );
    assert!(choice(&heap).reason.contains("9 contacts"), "{}", choice(&heap));
    let small = text(&masses(8, true, 0.0, 0.0), &[]);
    assert_eq!(choice(&small).parameters.len(), 1, "{}", choice(&small));
    let rubs = text(
        "gravity = [0, -10]\n[ground.points]\nnail = [0, 0]\n[bodies.rod]\nmass = 1\ninertia = 0.1\nposition = [1, 0]\n\
         points = { foot = [-1, 0] }\n[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground.nail\", \"rod.foot\"]\n\
         friction_torque = 0.2\n[simulation]\nscheme = \"auto\"\nstep = 1e-3\nend = 0.01\n",
        &[],
    );
    assert_eq!(choice(&rubs).scheme, "moreau-jean", "{}", choice(&rubs));
    assert!(choice(&rubs).reason.contains("rub"), "{}", choice(&rubs));
}

/// The same mechanism at two steps; springs or dampers, with or without contacts.
#[test]
fn stiff_mechanisms_get_an_implicit_one() {
    let coarse = coded("stiff-3dof-spring", &[("simulation.step", "0.05")]);
    assert_eq!(choice(&coarse).scheme, "ed-alpha", "{}", choice(&coarse));
    assert!(choice(&coarse).reason.contains("158"), "Ω = 0.05 s · 3162 rad/s: {}", choice(&coarse));
    let fine = coded("stiff-3dof-spring", &[("simulation.step", "1e-4")]);
    assert_eq!(choice(&fine).scheme, "half-explicit-4", "{}", choice(&fine));
    for (stiffness, damping) in [(1e6, 0.0), (0.0, 3e3)] {
        let free = text(&masses(1, false, stiffness, damping), &[]);
        let hits = text(&masses(1, true, stiffness, damping), &[]);
        assert_eq!(choice(&free).scheme, "ed-alpha", "{}", choice(&free));
        assert_eq!(choice(&hits).scheme, "generalized-alpha", "{}", choice(&hits));
    }
}

/// What is chosen is what is run, the same every time; it says so in words.
#[test]
fn the_choice_is_what_is_run() {
    let setup = coded("slider-crank-minimal", &[("simulation.end", "1e-3")]);
    let simulation = setup.loaded().description.simulation();
    assert_eq!(simulation.scheme, choice(&setup).scheme);
    let done = setup.run(|_| true).expect("a good start");
    assert!(
        done.reached_end() && done.summary.scheme.starts_with("half-explicit"),
        "{}",
        done.summary.scheme
    );
    let info = setup.info(&done, "");
    let said = info.scheme_choice.expect("it is said");
    assert_eq!(said, choice(&setup).to_string());
    assert!(said.starts_with("auto took half-explicit (parts = "), "{said}");
    assert_eq!(choice(&setup), choice(&coded("slider-crank-minimal", &[("simulation.end", "1e-3")])));
    // a scheme by name is no choice
    let named = coded("slider-crank-minimal", &[("simulation.scheme", "bathe")]);
    assert_eq!(named.choice(), None);
}

/// Given parameters win where the chosen scheme has them, are named where only others do, and are wrong where none does.
#[test]
fn parameters_given_with_auto() {
    let file = masses(1, true, 0.0, 0.0);
    let setup = text(&file, &[("simulation.parameters.parts", "7.0"), ("simulation.parameters.rho", "0.9")]);
    assert_eq!(setup.unused_parameters(), ["rho"]);
    assert_eq!(setup.loaded().description.simulation().parameters.get("parts"), Some(&7.0.into()));
    assert!(choice(&setup).to_string().contains("parts = 7"), "{}", choice(&setup));
    let wrong = Setup::of_text("masses", &file, &owned(&[("simulation.parameters.roh", "0.9")]));
    assert!(wrong.is_err_and(|e| e.to_string().contains("no parameter `roh`")));
    let outside = Setup::of_text("masses", &file, &owned(&[("simulation.parameters.parts", "0.5")]));
    assert!(outside.is_err_and(|e| e.to_string().contains("between 1 and")));
}

/// A switch is on by `true` and by 1, and the run is the same to the last bit; a number is no switch.
#[test]
fn switches_are_words_or_numbers() {
    let with = |value: &str| {
        let changes = [("simulation.scheme", "moreau-jean"), ("simulation.parameters.end_joints", value)];
        let setup = gallery("four-bar", &[&changes[..], &[("simulation.end", "0.01")]].concat());
        setup.run(|_| true).expect("a good start").summary.digest
    };
    assert_eq!(with("true"), with("1"));
    assert_eq!(with("false"), with("0"));
    assert_ne!(with("true"), with("false"));
    let file = masses(1, true, 0.0, 0.0);
    let number = owned(&[("simulation.scheme", "moreau-jean"), ("simulation.parameters.theta", "true")]);
    let said = Setup::of_text("masses", &file, &number).unwrap_err().to_string();
    assert!(said.contains("`theta`") && said.contains("it takes a number"), "{said}");
}

#[test]
fn projection_can_be_asked_for() {
    let setup = gallery("four-bar", &[("simulation.scheme", "auto-projected"), ("simulation.end", "0.01")]);
    assert_eq!(setup.loaded().description.simulation().scheme, "half-explicit-4-projected");
    assert!(setup.run(|_| true).is_ok_and(|done| done.summary.audit.drift_length.value < 1e-13));
}

#[test]
fn whatever_is_chosen_is_registered() {
    for info in carom::SYSTEMS {
        for step in ["1e-6", "1e-4", "1e-2"] {
            let setup = coded(info.name, &[("simulation.step", step)]);
            assert!(SCHEMES.iter().any(|s| s.name == choice(&setup).scheme));
        }
    }
}
