//! From a file to a model: what is wrong with the mechanism is shown at its line, with name and remedy.

use carom_io::{Diagnostics, Drawing, Stroke, load_text};

const BALL: &str = r#"gravity = [0, -9.81]
[ground.points]
pivot = [0, 2]
far = [9, 2]
[ground.shapes.floor]
type = "line"
through = [0, 0]
normal = [0, 1]
[bodies.ball]
mass = 1.0
inertia = 0.004
position = [0, 1]
points.top = [0, 1]
shapes.rim = { type = "disk", radius = 0.1 }
[contacts.bounce]
between = ["ball.rim", "ground.floor"]
restitution = 0.8
[simulation]
step = 1e-3
"#;

fn outcome(text: &str) -> Result<(), Diagnostics> {
    let loaded = load_text("ball.toml", text, &[])?;
    let model = loaded.build()?;
    loaded.assemble(&model).map(|_| ())
}

/// The first diagnostic after a replacement: line, column, words.
#[track_caller]
fn expect(from: &str, to: &str, line: usize, column: usize, words: &[&str]) {
    assert!(BALL.contains(from), "{from}");
    let error = outcome(&BALL.replacen(from, to, 1)).expect_err("it is bad input");
    let shown = error.to_string();
    assert_eq!((error.list[0].line, error.list[0].column), (line, column), "{shown}");
    for word in words {
        assert!(shown.contains(word), "`{word}` in\n{shown}");
    }
}

#[test]
fn the_model_itself_is_good() {
    outcome(BALL).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_missing_point_or_shape_is_named() {
    let to = "between = [\"ball.rim\", \"ground.flor\"]";
    expect(
        "between = [\"ball.rim\", \"ground.floor\"]",
        to,
        16,
        24,
        &["flor", "did you mean `ground.floor`?", "`bounce`"],
    );
    expect("between = [\"ball.rim\"", "between = [\"bal.rim\"", 16, 12, &["bal", "did you mean `ball`?"]);
}

#[test]
fn masses_and_steps_must_be_positive() {
    expect("mass = 1.0", "mass = -1.0", 10, 8, &["`ball`", "mass is -1", "^^^^"]);
    expect("step = 1e-3", "step = 0", 19, 8, &["step", "above 0"]);
    expect("step = 1e-3", "step = -1e-3", 19, 8, &["step", "above 0"]);
    expect("radius = 0.1", "radius = 0", 14, 40, &["radius", "above 0"]);
}

#[test]
fn restitution_has_its_range() {
    expect("restitution = 0.8", "restitution = 1.2", 17, 15, &["`bounce`", "1.2", "between 0 and 1"]);
    expect("restitution = 0.8", "restitution = -0.1", 17, 15, &["`bounce`", "between 0 and 1"]);
    expect("restitution = 0.8", "friction = -0.3", 17, 12, &["`bounce`", "friction", "0 or more"]);
}

#[test]
fn a_body_without_inertia_that_can_move_is_refused() {
    expect("mass = 1.0\n", "", 9, 9, &["`ball`", "no mass", "can move", "mass above 0"]);
    expect("inertia = 0.004", "inertia = 0", 11, 11, &["`ball`", "inertia", "point mass"]);
}

#[test]
fn initial_penetration_is_refused() {
    expect(
        "position = [0, 1]",
        "position = [0, 0.05]",
        15,
        11,
        &["`bounce`", "penetrated by 5", "move the bodies apart"],
    );
}

#[test]
fn joints_that_contradict_are_named() {
    let two = "[joints.near]\ntype = \"revolute\"\nbetween = [\"ground.pivot\", \"ball.top\"]\n[joints.away]\ntype = \"revolute\"\nbetween = [\"ground.far\", \"ball.top\"]\n[simulation]";
    let error = outcome(&BALL.replacen("[simulation]", two, 1)).expect_err("two pivots, one point");
    let shown = error.to_string();
    assert!([18, 21].contains(&error.list[0].line), "{shown}");
    assert!(
        shown.contains("`near`") && shown.contains("`away`") && shown.contains("cannot all be closed"),
        "{shown}"
    );
}

#[test]
fn everything_wrong_is_told_at_once() {
    let text =
        BALL.replacen("mass = 1.0", "mass = -1.0", 1).replacen("restitution = 0.8", "restitution = 2", 1);
    let lines: Vec<_> = outcome(&text).unwrap_err().list.iter().map(|d| d.line).collect();
    assert_eq!(lines, [10, 17]);
}

#[test]
fn the_drawing_shows_bodies_and_contacts() {
    let loaded = load_text("ball.toml", BALL, &[]).unwrap();
    let drawing: Drawing = loaded.drawing(&loaded.build().unwrap());
    let ball = drawing.figures.iter().find(|f| f.body == "ball").unwrap();
    assert_eq!(ball.strokes, [Stroke::Circle { center: [0.0, 0.0], radius: 0.1 }]);
    let ground = drawing.figures.iter().find(|f| f.body == "ground").unwrap();
    // The floor is walked with its free side on the left, so from left to right.
    let Some(Stroke::Line { points, closed: false }) = ground.strokes.first() else { panic!("{ground:?}") };
    assert!(points[0][0] < points[1][0] && points[0][1] == 0.0);
    assert_eq!(drawing.marks.len(), 1);
    let mark = &drawing.marks[0];
    assert_eq!((mark.subject.as_str(), mark.body.as_str(), mark.radius), ("bounce", "ball", 0.1));
}

/// A table of a straight line is a linear damper: v = v₀ e^(−c t/m). Given as points, from a file, in millimetres.
#[test]
fn a_force_may_be_a_table() {
    let text = |table: &str, units: &str, v: f64| {
        format!(
            "{units}\n[tables.drag]\n{table}\n[bodies.sled]\nmass = 2\nvelocity = [{v}, 0]\n\
             [forces.air]\ntype = \"force\"\non = \"sled\"\nforce = [\"-drag(sled.vx)\", 0]\n"
        )
    };
    let pull = |text: &str| {
        let files = [("drag.csv", "speed,force\n0,0\n1,3\n2,6\n")];
        let loaded = carom_io::load_texts("m.toml", text, &files, &[]).unwrap_or_else(|e| panic!("{e}"));
        let any = loaded.build().unwrap_or_else(|e| panic!("{e}"));
        let model = any.system();
        let start = any.assemble().unwrap_or_else(|e| panic!("{e}"));
        let at = carom_dynamics::Configuration::new(model, 0.0, &start.q, &start.v);
        let mut h = vec![0.0; model.structure().sizes.v];
        model.force(&at, &mut h);
        h[0]
    };
    let points = "points = [[0, 0], [1, 3], [2, 6]]";
    assert!((pull(&text(points, "", 1.5)) + 4.5).abs() < 1e-12);
    assert!((pull(&text("file = \"drag.csv\"", "", 3.0)) + 9.0).abs() < 1e-12, "beyond its end");
    // mm: the table is in mm/s, as the formula is
    let slow = "points = [[0, 0], [1000, 3], [2000, 6]]";
    assert!((pull(&text(slow, "units = \"mm\"", 1500.0)) + 4.5).abs() < 1e-9);
    for (table, word) in [
        ("points = [[0, 0]]", "two points or more"),
        ("points = [[0, 0], [0, 1]]", "rises"),
        ("points = [[1, 0], [0, 1]]", "comes after"),
        ("", "no points"),
        ("points = [[0, 0], [1, 1]]\nfile = \"drag.csv\"", "leave one of them out"),
    ] {
        let wrong = outcome(&text(table, "", 1.0)).unwrap_err().to_string();
        assert!(wrong.contains(word), "{wrong}");
    }
    let unknown = text(points, "", 1.0).replace("-drag(", "-drug(");
    assert!(outcome(&unknown).unwrap_err().to_string().contains("drag"));
}
