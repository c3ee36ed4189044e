//! Bad input: exit code 2, file and line and remedy on standard error, nothing written.

use crate::common::{BALL, carom, code, complaint, folder, said};
use std::fs;

/// Two bars on a pin, for what concerns joints.
const BARS: &str = r#"gravity = [0.0, -9.81]

[ground.points]
pivot = [0.0, 0.0]

[bodies.arm]
mass = 2.0
inertia = 0.1
position = [0.5, 0.0]
points = { root = [-0.5, 0.0], tip = [0.5, 0.0] }

[joints.pivot]
type = "revolute"
between = ["ground.pivot", "arm.root"]

[simulation]
step = 1e-3
end = 0.1
"#;

/// `model` with `from` replaced must be refused at the line of `to`, with all `words` in the message.
fn refused(name: &str, model: &str, from: &str, to: &str, words: &[&str]) {
    assert_eq!(model.matches(from).count(), 1, "{name}: `{from}` stands once in the model");
    let text = model.replace(from, to);
    refused_at(name, &text, to, words);
}

/// `text` must be refused at the line where `place` begins.
fn refused_at(name: &str, text: &str, place: &str, words: &[&str]) {
    let folder = folder(&format!("bad-{name}"));
    let line = text[..text.find(place).unwrap()].matches('\n').count() + 1;
    fs::write(folder.join("bad.toml"), text).unwrap();
    for command in ["run", "check"] {
        let output = carom(&folder, &[command, "bad.toml"]);
        let complaint = complaint(&output);
        assert_eq!(code(&output), 2, "{name}: {complaint}");
        assert_eq!(said(&output), "", "{name}: nothing on standard output");
        assert!(complaint.contains(&format!("bad.toml:{line}:")), "{name}: line {line} in\n{complaint}");
        assert!(complaint.contains("help: "), "{name}: a way out in\n{complaint}");
        for word in words {
            assert!(complaint.contains(word), "{name}: `{word}` in\n{complaint}");
        }
    }
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["bad.toml"], "{name}: nothing is written");
}

#[test]
fn an_unknown_key() {
    refused("key", BALL, "mass = 1.0", "mas = 1.0", &["`mas`", "did you mean `mass`"]);
}

#[test]
fn a_wrong_type() {
    refused("type", BALL, "mass = 1.0", "mass = true", &["mass", "number"]);
}

#[test]
fn no_toml() {
    refused("toml", BALL, "mass = 1.0", "mass = = 1.0", &["TOML"]);
}

#[test]
fn a_missing_point() {
    refused("point", BARS, "\"arm.root\"", "\"arm.roof\"", &["arm.roof", "did you mean `arm.root`"]);
}

#[test]
fn a_missing_body() {
    refused("body", BARS, "\"arm.root\"", "\"leg.root\"", &["leg"]);
}

#[test]
fn a_negative_mass() {
    refused("mass", BALL, "mass = 1.0", "mass = -1.0", &["ball", "mass is -1", "must be"]);
}

#[test]
fn a_zero_step() {
    refused("step", BALL, "step = 1e-3", "step = 0.0", &["step is 0", "above 0"]);
}

#[test]
fn restitution_outside_its_range() {
    refused(
        "restitution",
        BALL,
        "restitution = 0.8",
        "restitution = 1.5",
        &["bounce", "1.5", "between 0 and 1"],
    );
    refused(
        "suction",
        BALL,
        "restitution = 0.8",
        "restitution = -0.1",
        &["bounce", "-0.1", "between 0 and 1"],
    );
}

#[test]
fn a_circle_of_parameters() {
    refused("circle", BALL, "height = 1.2", "height = \"=2 * radius\"", &["height", "radius"]);
}

#[test]
fn not_a_number() {
    refused("nan", BALL, "mass = 1.0", "mass = nan", &["ball", "finite"]);
    refused("nan-formula", BALL, "mass = 1.0", "mass = \"=0/0\"", &["finite"]);
    refused("inf", BALL, "position = [0.0,", "position = [inf,", &["finite"]);
}

#[test]
fn a_body_without_inertia_that_can_move() {
    refused("massless", BALL, "mass = 1.0", "mass = 0.0", &["ball", "no mass"]);
    refused("no-inertia", BARS, "inertia = 0.1", "inertia = 0.0", &["arm", "no moment of inertia"]);
}

#[test]
fn initial_penetration() {
    // the disk has radius 0.2 and its centre is 0.1 above the floor: 0.1 deep
    let model = BALL.replace("position = [0.0, \"=height\"]", "position = [0.0, 0.1]");
    refused(
        "penetration",
        &model,
        "[contacts.bounce]",
        "[contacts.floor]",
        &["floor", "1.000000e-1 m", "apart"],
    );
}

#[test]
fn joints_that_contradict_each_other() {
    // the tip is 1 m from the pivot; a rod of 3 m cannot be put between
    let rod =
        "[joints.rod]\ntype = \"distance\"\nlength = 3.0\nbetween = [\"ground.pivot\", \"arm.tip\"]\n\n";
    let text = BARS.replace("[simulation]\n", &format!("{rod}[simulation]\n"));
    refused_at("joints", &text, "[joints.pivot]", &["`rod`", "`pivot`", "cannot all be closed"]);
}

#[test]
fn a_scheme_a_parameter_and_a_solver_that_do_not_exist() {
    let simulation = "step = 1e-3";
    refused("scheme", BALL, simulation, "scheme = \"moreau\"", &["moreau", "generalized-alpha"]);
    refused("solver", BALL, simulation, "solver = \"lemkee\"", &["lemkee", "gauss-seidel"]);
    refused("parameter", BALL, simulation, "parameters = { rho = 0.5 }", &["rho", "theta"]);
    refused("range", BALL, simulation, "parameters = { theta = 2.0 }", &["theta", "between 0 and 1"]);
}

#[test]
fn usage() {
    let folder = folder("usage");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    for (args, word) in [
        (&["run", "bal.toml"][..], "bal.toml"),
        (&["run", "ball.toml", "--scheme", "moreau-jan"], "'moreau-jean'"),
        (&["run", "ball.toml", "--solver", "lemk"], "'lemke'"),
        (&["run", "ball.toml", "--step", "0"], "above 0"),
        (&["run", "ball.toml", "--step", "-1e-3"], "above 0"),
        (&["run", "ball.toml", "--step", "NaN"], "above 0"),
        (&["run", "ball.toml", "--end", "-1"], "above 0"),
        (&["run", "ball.toml", "--set", "heigth=2"], "did you mean `height`"),
        (&["run", "ball.toml", "--set", "height"], "KEY=VALUE"),
        (&["run", "ball.toml", "--set", "bodies.ball.mass=-3"], "must be"),
        (&["run", "ball.toml", "--out", "ball.toml"], "is a file"),
        (&["run"], "<MODEL>"),
        (&["study", "chen-bal"], "'chen-ball'"),
        (&["list", "scheme"], "'schemes'"),
        (&["convergence", "ball.toml"], "--steps"),
        (&["convergence", "ball.toml", "--steps", "1e-3"], "two step sizes"),
        (&["convergence", "ball.toml", "--steps", "1e-2,5e-3", "--channel", "ball.yy"], "`ball.y`"),
        (&["convergence", "ball.toml", "--steps", "1e-2,5e-3", "--reference", "1e-2"], "not below"),
    ] {
        let output = carom(&folder, args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(complaint(&output).contains(word), "{args:?}: `{word}` in\n{}", complaint(&output));
        assert_eq!(said(&output), "", "{args:?}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is written");
}

/// A scheme that does not take restitution refuses the model at its line, by the name of the contact.
#[test]
fn a_scheme_that_is_not_for_the_contact() {
    let text = BALL.replace("[simulation]\n", "[simulation]\nscheme = \"stewart-trinkle\"\n");
    refused_at(
        "not-for",
        &text,
        "scheme = \"stewart-trinkle\"",
        &["contact bounce", "restitution", "anitescu-potra"],
    );
}
