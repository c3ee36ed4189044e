//! Bad input in space: exit code 2, both places where there are two, a remedy, nothing written.

use crate::common::{carom, code, complaint, folder, said};
use std::fs;

/// A door on a hinge and a ball over a floor.
const MODEL: &str = r#"gravity = [0, 0, -9.81]

[ground.points]
post = { at = [0, 0, 0], axis = [0, 0, 1] }

[ground.shapes.floor]
type = "plane"
through = [0, 0, -2]
normal = [0, 0, 1]

[bodies.door]
mass = 20
inertia = [6, 8, 2]
position = [0.4, 0, 0]
rotation = { axis = [0, 0, 1], angle = 0 }
points.edge = { at = [-0.4, 0, 0], axis = [0, 0, 1] }
points.knob = [0.4, 0, 0]

[bodies.ball]
mass = 1
inertia = [0.004, 0.004, 0.004]
position = [0, 3, 0]
shapes.skin = { type = "sphere", radius = 0.1 }

[joints.hinge]
type = "revolute"
between = ["ground.post", "door.edge"]

[forces.closer]
type = "torsion-spring"
joint = "hinge"
stiffness = 30

[contacts.bounce]
between = ["ball.skin", "ground.floor"]
friction = 0.3

[events.open]
when = "hinge.angle - 1"

[simulation]
step = 1e-3
end = 0.01
"#;

/// What is replaced by what, the line that is named (where `at` begins), and words of the message.
struct Wrong {
    from: &'static str,
    to: &'static str,
    at: &'static str,
    words: &'static [&'static str],
}

const fn wrong(
    from: &'static str,
    to: &'static str,
    at: &'static str,
    words: &'static [&'static str],
) -> Wrong {
    Wrong { from, to, at, words }
}

const TABLE: &[Wrong] = &[
    // vectors of two numbers in a file in space: here and where it says that it is one
    wrong("position = [0, 3, 0]", "position = [0, 3]", "position = [0, 3]", &["three numbers", "line 1"]),
    wrong("at = [-0.4, 0, 0]", "at = [-0.4, 0]", "points.edge", &["three numbers", "line 1"]),
    wrong("normal = [0, 0, 1]", "normal = [0, 1]", "normal = [0, 1]", &["three numbers", "line 1"]),
    wrong("position = [0, 3, 0]", "position = [0, 3, 0, 1]", "position = [0, 3, 0, 1]", &["three numbers"]),
    // and three in a planar one
    wrong(
        "gravity = [0, 0, -9.81]",
        "gravity = [0, -9.81]",
        "post = ",
        &["two numbers", "line 1", "space = true"],
    ),
    // orientations
    wrong(
        "rotation = { axis = [0, 0, 1], angle = 0 }",
        "rotation = { quaternion = [0, 0, 0, 0] }",
        "rotation",
        &["quaternion", "no direction"],
    ),
    wrong(
        "rotation = { axis = [0, 0, 1], angle = 0 }",
        "rotation = { axis = [0, 0, 0], angle = 1 }",
        "rotation",
        &["axis", "no direction"],
    ),
    wrong(
        "rotation = { axis = [0, 0, 1], angle = 0 }",
        "rotation = { axis = [0, 0, 1] }",
        "rotation",
        &["angle"],
    ),
    wrong("rotation = { axis = [0, 0, 1], angle = 0 }", "angle = 0.3", "angle = 0.3", &["rotation"]),
    wrong(
        "rotation = { axis = [0, 0, 1], angle = 0 }",
        "rotation = { angles = [1, 2, 3], order = \"xxy\" }",
        "rotation",
        &["order"],
    ),
    wrong(
        "post = { at = [0, 0, 0], axis = [0, 0, 1] }",
        "post = { at = [0, 0, 0], axis = [0, 0, 0] }",
        "post",
        &["axis", "no length"],
    ),
    wrong("normal = [0, 0, 1]", "normal = [0, 0, 0]", "normal", &["normal", "length"]),
    // inertia
    wrong("inertia = [6, 8, 2]", "inertia = [6, 9, 2]", "inertia", &["9", "6", "2"]),
    wrong("inertia = [6, 8, 2]", "inertia = [6, -8, 2]", "inertia", &["-8"]),
    wrong("inertia = [6, 8, 2]", "inertia = [6, 8, 2, 5, 0, 0]", "inertia", &["principal"]),
    wrong("inertia = [6, 8, 2]", "inertia = 6", "inertia", &["three", "six"]),
    wrong("inertia = [6, 8, 2]", "inertia = [6, 8]", "inertia", &["three", "six"]),
    // joints
    wrong(
        "points.edge = { at = [-0.4, 0, 0], axis = [0, 0, 1] }",
        "points.edge = { at = [-0.4, 0, 0], axis = [0, 0, -1] }",
        "between = [\"ground.post\"",
        &["axes", "ground.post", "door.edge"],
    ),
    wrong(
        "points.edge = { at = [-0.4, 0, 0], axis = [0, 0, 1] }",
        "points.edge = { at = [-0.4, 0, 0], axis = [0, 1, 0] }",
        "between = [\"ground.post\"",
        &["axes", "ground.post", "door.edge"],
    ),
    wrong("type = \"revolute\"", "type = \"slot\"", "type = \"slot\"", &["slot"]),
    wrong("type = \"revolute\"", "type = \"angle\"", "type = \"angle\"", &["angle"]),
    wrong(
        "shapes.skin = { type = \"sphere\", radius = 0.1 }",
        "shapes.skin = { type = \"sphere\", radius = 0.1 }\npoints.top = [0, 0, 0.1]\n\
         [joints.pin]\ntype = \"revolute\"\nbetween = [\"ball.top\", \"door.knob\"]",
        "between = [\"ball.top\"",
        &["ball.top", "door.knob", "axis"],
    ),
    wrong(
        "type = \"revolute\"",
        "type = \"spherical\"\nlimits = [-1, 1]",
        "limits = [-1, 1]",
        &["limits", "keys here: type, between"],
    ),
    wrong(
        "type = \"revolute\"",
        "type = \"revolute\"\nlimits = [1, -1]",
        "limits = [1, -1]",
        &["lower", "upper"],
    ),
    wrong(
        "type = \"revolute\"",
        "type = \"revolute\"\nlimits = [0.5, 1]",
        "limits = [0.5, 1]",
        &["at the start", "hinge.lower"],
    ),
    wrong(
        "[\"ground.post\", \"door.edge\"]",
        "[\"door.knob\", \"door.edge\"]",
        "between = [\"door.knob\"",
        &["both ends", "door"],
    ),
    wrong("type = \"revolute\"", "type = \"screw\"", "[joints.hinge]", &["pitch"]),
    wrong("type = \"revolute\"", "type = \"screw\"\npitch = 0", "pitch = 0", &["pitch", "above 0"]),
    // what says that the file is one in space contradicts itself
    wrong(
        "gravity = [0, 0, -9.81]",
        "space = false\ngravity = [0, 0, -9.81]",
        "space = false",
        &["line 2", "gravity"],
    ),
    wrong(
        "gravity = [0, 0, -9.81]",
        "gravity = [0, 0, 0, -9.81]",
        "gravity = [0, 0, 0",
        &["two numbers", "three"],
    ),
    // a point mass does not turn
    wrong(
        "inertia = [0.004, 0.004, 0.004]",
        "angular_velocity = [0, 0, 3]",
        "angular_velocity",
        &["no effect", "inertia"],
    ),
    // overlap at the start
    wrong(
        "position = [0, 3, 0]",
        "position = [0, 3, -1.95]",
        "[contacts.bounce]",
        &["bounce", "5.000000e-2 m", "apart"],
    ),
    // words of the plane
    wrong(
        "inertia = [0.004, 0.004, 0.004]",
        "elastic = { type = \"beam\", length = 1 }",
        "elastic",
        &["elastic", "plane"],
    ),
    wrong(
        "shapes.skin = { type = \"sphere\", radius = 0.1 }",
        "shapes.skin = { type = \"circle\", radius = 0.1 }",
        "shapes.skin",
        &["circle", "sphere"],
    ),
    wrong("angle = 0 }", "angle = 0 }\nomega = 3", "omega = 3", &["omega"]),
    wrong("angle = 0 }", "angle = 0 }\nangular_velocity = 3", "angular_velocity = 3", &["three numbers"]),
    // forces and events
    wrong(
        "type = \"torsion-spring\"\njoint = \"hinge\"\nstiffness = 30",
        "type = \"motor\"\njoint = \"hinge\"\ntorque = \"-3*sign(rate)\"",
        "torque = ",
        &["sign", "jumps", "friction"],
    ),
    wrong(
        "type = \"torsion-spring\"\njoint = \"hinge\"\nstiffness = 30",
        "type = \"motor\"\njoint = \"hinge\"\ntorque = \"-3*door.omega\"",
        "torque = ",
        &["door.omega"],
    ),
    wrong("joint = \"hinge\"", "joint = \"hing\"", "joint = \"hing\"", &["hing", "did you mean `hinge`"]),
    wrong(
        "when = \"hinge.angle - 1\"",
        "when = \"hinge.angel - 1\"",
        "when = ",
        &["hinge.angel", "hinge.angle"],
    ),
    wrong("when = \"hinge.angle - 1\"", "when = \"door.angle - 1\"", "when = ", &["door.angle"]),
    wrong("when = \"hinge.angle - 1\"", "when = \"bounce.force_n - 1\"", "when = ", &["bounce.force_n"]),
    // resistance
    wrong("friction = 0.3", "rolling = 0.01", "rolling = 0.01", &["friction"]),
    wrong(
        "friction = 0.3",
        "friction = 0.3\nrolling = 0.01\ndrilling = 0.01",
        "drilling = 0.01",
        &["rolling", "drilling"],
    ),
    wrong(
        "friction = 0.3",
        "friction = 0.3\nrolling = 0.01",
        "[contacts.bounce]",
        &["--scheme dopri5", "moreau-jean"],
    ),
];

#[test]
fn wrong_models_in_space_are_refused() {
    let mut failed = String::new();
    for (i, Wrong { from, to, at, words }) in TABLE.iter().enumerate() {
        assert_eq!(MODEL.matches(from).count(), 1, "`{from}` stands once in the model");
        let text = MODEL.replace(from, to);
        let folder = folder(&format!("bad-space-{i}"));
        let line = text[..text.find(at).unwrap_or_else(|| panic!("{at}"))].matches('\n').count() + 1;
        fs::write(folder.join("bad.toml"), &text).unwrap();
        let mut arguments = vec!["run", "bad.toml"];
        let mut words = words.to_vec();
        if words[0].starts_with("--") {
            arguments.extend(words.remove(0).split(' '));
        }
        let output = carom(&folder, &arguments);
        let complaint = complaint(&output);
        let mut miss = |what: String| failed += &format!("\n--- {from} -> {to}: {what}\n{complaint}");
        if code(&output) != 2 || !said(&output).is_empty() {
            miss(format!("code {}", code(&output)));
        }
        if !complaint.contains(&format!("bad.toml:{line}:")) {
            miss(format!("line {line}"));
        }
        if !complaint.contains("help: ") {
            miss("no remedy".into());
        }
        for word in words {
            if !complaint.contains(word) {
                miss(format!("`{word}`"));
            }
        }
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        if left != ["bad.toml"] {
            miss(format!("something is written: {left:?}"));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// A spatial joint in a planar file, told with what makes a file spatial.
#[test]
fn a_spatial_joint_in_a_planar_file() {
    let text = r#"gravity = [0, -9.81]

[bodies.arm]
mass = 2
inertia = 0.1
points.root = [-0.5, 0]

[joints.ball]
type = "spherical"
between = ["ground", "arm.root"]

[simulation]
step = 1e-3
end = 0.1
"#;
    for kind in ["spherical", "universal", "cylindrical", "screw", "constant-velocity", "planar"] {
        let folder = folder(&format!("bad-plane-{kind}"));
        fs::write(folder.join("bad.toml"), text.replace("spherical", kind)).unwrap();
        let output = carom(&folder, &["run", "bad.toml"]);
        let complaint = complaint(&output);
        assert_eq!(code(&output), 2, "{complaint}");
        for word in ["bad.toml:9:", "line 1", kind, "space", "help: "] {
            assert!(complaint.contains(word), "`{word}` in\n{complaint}");
        }
    }
}
