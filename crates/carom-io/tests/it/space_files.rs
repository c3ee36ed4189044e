//! Files in space that are wrong: each is refused where it is wrong, with what would be right.

use carom_io::load_text;

const BALL: &str = r#"gravity = [0, 0, -9.81]
[ground.shapes.table]
type = "plane"
through = [0, 0, 0]
normal = [0, 0, 1]
[bodies.ball]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0.1]
rotation = { axis = [0, 0, 1], angle = 0.5 }
shapes.skin = { type = "sphere", radius = 0.1 }
[contacts.bounce]
between = ["ball.skin", "ground.table"]
"#;

/// The message after a replacement: its line and words of it.
#[track_caller]
fn refused(from: &str, to: &str, line: usize, words: &[&str]) {
    assert!(BALL.contains(from), "{from}");
    let loaded = load_text("ball.toml", &BALL.replacen(from, to, 1), &[]);
    let error = loaded.and_then(|loaded| loaded.build().map(|_| ())).expect_err("it is bad input");
    let shown = error.to_string();
    assert_eq!(error.list[0].line, line, "{shown}");
    for word in words {
        assert!(shown.contains(word), "`{word}` in\n{shown}");
    }
}

#[test]
fn the_model_itself_is_good() {
    load_text("ball.toml", BALL, &[]).unwrap().build().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn vectors_have_three_numbers_and_both_places_are_named() {
    refused("position = [0, 0, 0.1]", "position = [0, 0.1]", 9, &["3 entries", "in space", "line 1"]);
    refused(
        "gravity = [0, 0, -9.81]",
        "gravity = [0, -9.81]",
        3,
        &["`plane`", "is of space", "space = true"],
    );
}

#[test]
fn directions_and_orientations_are_not_zero() {
    refused("normal = [0, 0, 1]", "normal = [0, 0, 0]", 5, &["no length", "not zero"]);
    refused("axis = [0, 0, 1], angle = 0.5", "axis = [0, 0, 0], angle = 0.5", 10, &["no direction"]);
    refused("axis = [0, 0, 1], angle = 0.5", "quaternion = [0, 0, 0, 0]", 10, &["no direction"]);
    refused("axis = [0, 0, 1], angle = 0.5", "axis = [0, 0, 1]", 10, &["`angle`"]);
    refused("axis = [0, 0, 1], angle = 0.5", "angles = [0, 0, 1], order = \"xxy\"", 10, &["`xxy`"]);
}

#[test]
fn no_body_has_such_an_inertia() {
    refused(
        "inertia = [0.1, 0.1, 0.1]",
        "inertia = [0.1, 0.1, 0.3]",
        8,
        &["3.000000e-1", "sum of the other"],
    );
    refused("inertia = [0.1, 0.1, 0.1]", "inertia = [0.1, 0.1]", 8, &["2 numbers", "three", "six"]);
    refused("inertia = [0.1, 0.1, 0.1]", "inertia = [0.1, 0.1, -0.1]", 8, &["not positive"]);
    refused("mass = 1", "mass = 1\ndensity = 1000", 7, &["`density`", "leave one"]);
}

#[test]
fn what_overlaps_is_refused_with_the_depth() {
    refused("position = [0, 0, 0.1]", "position = [0, 0, 0.05]", 12, &["5.000000e-2 m"]);
}

#[test]
fn joints_of_the_plane_and_of_space_are_told_apart() {
    let plane = "gravity = [0, -9.81]\n[bodies.a]\nmass = 1\ninertia = 1\npoints.p = [0, 1]\n[joints.j]\ntype = \"spherical\"\nbetween = [\"a.p\", \"ground\"]\n";
    let shown = load_text("a.toml", plane, &[]).expect_err("it is bad input").to_string();
    assert!(shown.contains("`spherical` is of space"), "{shown}");
}
