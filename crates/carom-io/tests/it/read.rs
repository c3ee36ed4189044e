//! Model files: what is read, and what bad input gets.

use carom_dynamics::{Configuration, Corner, Crossing, System};
use carom_io::{Diagnostic, LoadedModel, load, load_text, load_texts, schema};
use carom_model::Model;
use carom_model::description::{Elastic, Expression, Force, Joint, Mesh, Point, Prismatic, Torque};

/// A slider-crank with most kinds of keys; line numbers in the tests below count from its first line.
const MODEL: &str = r#"version = 1
title = "slider-crank"
gravity = [0, -9.81]

[parameters]
r = 0.1
l = "=3*r"
amplitude = 2.0

[ground.points]
pivot = [0, 0]
guide = { at = [0, 0], angle = 0 }

[bodies.crank]
mass = 1.0
inertia = "=1/12*r^2"
position = ["=r/2", 0]
points = { a = ["=-r/2", 0], b = ["=r/2", 0] }

[bodies.rod]
mass = 0.5
inertia = 1e-3
position = ["=r+l/2", 0]
points.a = ["=-l/2", 0]
points.b = ["=l/2", 0]

[bodies.slider]
mass = 0.3
inertia = 1e-4
position = ["=r+l", 0]
points.c = [0, 0]

[joints.pivot]
type = "revolute"
between = ["ground.pivot", "crank.a"]

[joints.knee]
type = "revolute"
between = ["crank.b", "rod.a"]

[joints.wrist]
type = "revolute"
between = ["rod.b", "slider.c"]

[joints.guide]
type = "prismatic"
between = ["ground.guide", "slider.c"]
clearance = 1e-3
size = [0.05, 0.02]
friction = 0.01

[forces.drive]
type = "torque"
on = "crank"
torque = "amplitude*sin(pi*t)"

[simulation]
scheme = "moreau-jean"
step = 1e-4
end = 0.5
"#;

fn read(text: &str) -> LoadedModel {
    load_text("model.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn set(overrides: &[(&str, &str)]) -> Result<LoadedModel, Vec<Diagnostic>> {
    let pairs: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    load_text("model.toml", MODEL, &pairs).map_err(|e| e.list)
}

/// What is wrong after one replacement in the model.
fn wrong(from: &str, to: &str) -> Vec<Diagnostic> {
    assert!(MODEL.contains(from), "{from}");
    load_text("model.toml", &MODEL.replacen(from, to, 1), &[]).expect_err("it is bad input").list
}

/// The one diagnostic, at the line and column, with all the words.
#[track_caller]
fn expect(list: &[Diagnostic], line: usize, column: usize, words: &[&str]) {
    let shown: String = list.iter().map(|d| d.to_string()).collect();
    assert_eq!(list.len(), 1, "{shown}");
    assert_eq!((list[0].line, list[0].column), (line, column), "{shown}");
    for word in words {
        assert!(shown.contains(word), "`{word}` in\n{shown}");
    }
}

#[test]
fn parameters_and_formulas_become_numbers() {
    let model = read(MODEL);
    let d = model.description.plane().unwrap();
    assert_eq!(d.bodies.keys().collect::<Vec<_>>(), ["crank", "rod", "slider"]);
    assert_eq!(d.joints.keys().collect::<Vec<_>>(), ["pivot", "knee", "wrist", "guide"]);
    assert!((model.parameters["l"] - 0.3).abs() < 1e-16);
    assert!((d.bodies["crank"].inertia.unwrap() - 0.01 / 12.0).abs() < 1e-18);
    assert!((d.bodies["slider"].position[0] - 0.4).abs() < 1e-16);
    assert_eq!(d.bodies["crank"].points["a"], Point::At([-0.05, 0.0]));
    let Joint::Prismatic(Prismatic { clearance, size, .. }) = &d.joints["guide"] else { panic!() };
    assert_eq!((*clearance, *size), (Some(1e-3), Some([0.05, 0.02])));
    let Force::Torque(Torque { torque, .. }) = &d.forces["drive"] else { panic!() };
    assert_eq!(*torque, Expression::Formula("amplitude*sin(pi*t)".into()));
}

#[test]
fn a_model_without_version_is_of_version_one_and_another_is_refused() {
    assert_eq!(read("").description.plane().unwrap().version, 1);
    expect(&wrong("version = 1", "version = 2"), 1, 11, &["version 2", "version = 1"]);
}

#[test]
fn an_unknown_key_is_named_with_the_one_that_was_meant() {
    let list = wrong("mass = 1.0", "mas = 1.0");
    expect(
        &list,
        15,
        1,
        &["model.toml:15:1", "unknown key `mas` in `bodies.crank`", "did you mean `mass`?", "inertia", "^^^"],
    );
    expect(
        &wrong("friction = 0.01", "mu = 0.01"),
        50,
        1,
        &["`mu`", "joints.guide", "did you mean `friction`?"],
    );
    expect(&wrong("title =", "titel ="), 2, 1, &["`titel`", "did you mean `title`?"]);
    let list = wrong("angle = 0 }", "angel = 0 }");
    expect(&list, 12, 24, &["`angel` in `ground.points.guide`", "did you mean `angle`?"]);
}

#[test]
fn a_wrong_type_says_what_it_is_and_what_it_should_be() {
    expect(
        &wrong("mass = 1.0", "mass = \"1.0\""),
        15,
        8,
        &["`bodies.crank.mass`", "number", "text", "without quotes: 1.0"],
    );
    expect(&wrong("mass = 1.0", "mass = \"heavy\""), 15, 8, &["`bodies.crank.mass`", "formula"]);
    expect(&wrong("mass = 1.0", "mass = [1.0]"), 15, 8, &["must be a number, found a list"]);
    expect(&wrong("gravity = [0, -9.81]", "gravity = [0]"), 3, 11, &["2 entries, found 1", "Gravity (m/s²)"]);
    expect(
        &wrong("gravity = [0, -9.81]", "gravity = [0, true]"),
        3,
        15,
        &["`gravity.1`", "found true or false"],
    );
    expect(
        &wrong("gravity = [0, -9.81]", "gravity = -9.81"),
        3,
        11,
        &["`gravity` must be a list, found a number"],
    );
    expect(
        &wrong("between = [\"crank.b\", \"rod.a\"]", "between = \"crank.b\""),
        39,
        11,
        &["joints.knee.between", "a list, found text"],
    );
    expect(
        &wrong("pivot = [0, 0]", "pivot = 0"),
        11,
        9,
        &["`ground.points.pivot`", "a list or a table, found a number"],
    );
    expect(&wrong("title = \"slider-crank\"", "title = 7"), 2, 9, &["`title` must be text, found a number"]);
}

#[test]
fn a_missing_key_is_asked_for_at_its_table() {
    expect(
        &wrong("between = [\"crank.b\", \"rod.a\"]\n", ""),
        37,
        9,
        &["`joints.knee` has no `between`", "The two points"],
    );
    expect(&wrong("type = \"torque\"\n", ""), 52, 9, &["`forces.drive` has no `type`", "torsion-spring"]);
}

#[test]
fn an_unknown_type_lists_the_types() {
    let list = wrong("type = \"prismatic\"", "type = \"prismatik\"");
    expect(&list, 46, 8, &["unknown type `prismatik`", "did you mean `prismatic`?", "revolute", "rack"]);
}

#[test]
fn numbers_that_are_none_are_refused() {
    expect(&wrong("mass = 1.0", "mass = nan"), 15, 8, &["`bodies.crank.mass` is nan", "finite"]);
    expect(&wrong("mass = 1.0", "mass = inf"), 15, 8, &["inf", "finite"]);
    expect(&wrong("mass = 1.0", "mass = \"=sqrt(-r)\""), 15, 8, &["not a finite number", "roots"]);
    expect(&wrong("r = 0.1", "r = nan"), 6, 5, &["parameter `r`", "finite number, found NaN"]);
}

#[test]
fn a_circle_of_parameters_is_shown() {
    let list = wrong("r = 0.1", "r = \"=amplitude/l\"");
    expect(&list, 6, 5, &["circle: r → l → r", "as a number"]);
    let list = wrong("l = \"=3*r\"", "l = \"=2*l\"");
    expect(&list, 7, 5, &["l → l"]);
}

#[test]
fn formulas_are_checked_where_they_stand() {
    expect(
        &wrong("\"=1/12*r^2\"", "\"=1/12*R^2\""),
        16,
        18,
        &["unknown name `R`", "did you mean `r`?", "amplitude"],
    );
    expect(&wrong("\"=1/12*r^2\"", "\"=1/12*(r^2\""), 16, 22, &["formula", "`)`"]);
    expect(&wrong("mass = 1.0", "mass = \"=1+t\""), 15, 12, &["cannot depend on `t`"]);
    // a formula of a force may name the motion: the model finds what is wrong with it
    let model = read(&MODEL.replace("sin(pi*t)", "sinus(pi*t)"));
    expect(&model.build().expect_err("it is bad input").list, 55, 21, &["sinus", "sin"]);
    expect(&wrong("l = \"=3*r\"", "t = 3"), 7, 1, &["`t` is time"]);
    // r is used before it is needed: the order of the file does not matter.
    let model = read(&MODEL.replace("r = 0.1\nl = \"=3*r\"", "l = \"=3*r\"\nr = 0.1"));
    assert!((model.parameters["l"] - 0.3).abs() < 1e-16);
}

#[test]
fn several_slips_are_told_together_in_the_order_of_the_file() {
    let text = MODEL.replace("mass = 0.5", "mass = true").replace("end = 0.5", "ende = 0.5");
    let list = load_text("model.toml", &text, &[]).unwrap_err().list;
    let lines: Vec<_> = list.iter().map(|d| d.line).collect();
    assert_eq!(lines, [21, 60]);
}

#[test]
fn broken_toml_is_shown_where_it_breaks() {
    let list = wrong("mass = 1.0", "mass 1.0");
    assert_eq!(list[0].line, 15);
    let list = wrong("[bodies.rod]", "[bodies.crank]");
    assert_eq!(list[0].line, 20, "{}", list[0]);
}

#[test]
fn overrides_reach_parameters_and_keys() {
    let model = set(&[("r", "0.2"), ("simulation.step", "1e-5"), ("bodies.rod.mass", "=2*r")]).unwrap();
    assert!((model.parameters["l"] - 0.6).abs() < 1e-15);
    assert_eq!(model.description.simulation().step, 1e-5);
    assert_eq!(model.description.plane().unwrap().bodies["rod"].mass, 0.4);
    let model =
        set(&[("simulation.scheme", "generalized-alpha"), ("simulation.parameters.rho", "0.8")]).unwrap();
    assert_eq!(model.description.simulation().scheme, "generalized-alpha");
    assert_eq!(model.description.simulation().parameters["rho"], 0.8.into());
    let model = set(&[
        ("gravity", "[0, -1.62]"),
        ("bodies.crank.position.1", "0.5"),
        ("joints.guide.clearance", "0"),
    ]);
    let model = model.unwrap();
    let description = model.description.plane().unwrap();
    assert_eq!((description.gravity, description.bodies["crank"].position[1]), ([0.0, -1.62], 0.5));
}

#[test]
fn an_override_of_nothing_is_an_error_with_a_suggestion() {
    let bad = |key: &str, value: &str| set(&[(key, value)]).unwrap_err();
    expect(&bad("amplitud", "1"), 1, 1, &["--set", "`amplitud`", "did you mean `amplitude`?"]);
    expect(&bad("simulation.stepp", "1"), 1, 12, &["`stepp` in `simulation`", "did you mean `step`?"]);
    expect(&bad("bodies.crnk.mass", "1"), 1, 8, &["no `crnk` in `bodies`", "did you mean `crank`?"]);
    expect(&bad("bodies.rod.mass", "heavy"), 1, 17, &["--set", "`bodies.rod.mass` must be a number"]);
    expect(&bad("bodies.rod.mass.x", "1"), 1, 17, &["`bodies.rod.mass` is a number"]);
    expect(&bad("r", "fast"), 1, 3, &["parameter `r`"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = load(std::path::Path::new("no/such/model.toml"), &[]).unwrap_err();
    assert!(error.to_string().contains("no/such/model.toml"), "{error}");
}

#[test]
fn the_schema_names_every_key_and_type() {
    let schema: serde_json::Value = serde_json::from_str(&schema(false)).unwrap();
    let text = schema.to_string();
    for word in
        ["revolute", "prismatic", "weld", "distance", "motion", "gear", "rack", "torsion-spring", "polygon"]
    {
        assert!(text.contains(&format!("\"const\":\"{word}\"")), "{word}");
    }
    for key in ["parameters", "units", "bodies", "simulation", "version"] {
        assert!(schema["properties"][key]["description"].is_string(), "{key}");
    }
    let mass = &schema["$defs"]["Body"]["properties"]["mass"];
    assert_eq!(mass["type"], serde_json::json!(["number", "string"]));
    assert_eq!((&mass["pattern"], &mass["description"]), (&"^=".into(), &"Mass (kg).".into()));
    assert_eq!(schema["$defs"]["Simulation"]["properties"]["step"]["default"], 1e-3);
}

#[test]
fn later_findings_are_shown_at_their_line() {
    let model = read(MODEL);
    let found = model.diagnose(&["bodies", "rod", "mass"], "the mass is too small", "a larger one");
    assert_eq!((found.line, found.column), (21, 8));
    let found = model.diagnose(&["joints", "wrist"], "m", "h");
    assert_eq!((found.line, found.column), (41, 9));
    let found = model.diagnose(&["joints", "wrist", "between", "1"], "m", "h");
    assert_eq!((found.line, found.column), (43, 21));
    let found = model.diagnose(&["bodies", "rod", "velocity"], "m", "h");
    assert_eq!((found.line, found.column), (20, 9));
}

/// Every slip of one key: whatever is deleted, doubled or mistyped, there is an answer with a place, never a panic.
#[test]
fn no_slip_of_the_finger_goes_without_an_answer() {
    let mut refused = 0;
    for (i, c) in MODEL.char_indices() {
        let (before, after) = (&MODEL[..i], &MODEL[i + c.len_utf8()..]);
        for typed in ["", "\"", "=", "é", "\n"] {
            let outcome = load_text("model.toml", &format!("{before}{typed}{after}"), &[]);
            match outcome.and_then(|loaded| loaded.build().map(|_| ())) {
                Ok(()) => {}
                Err(wrong) => {
                    refused += 1;
                    assert!(!wrong.list.is_empty());
                    for d in &wrong.list {
                        assert!(d.line >= 1 && d.column >= 1 && !d.message.is_empty(), "{d}");
                    }
                }
            }
        }
    }
    assert!(refused > 3000, "{refused}");
}

const PLATE: &str = r#"units = "mm"
[bodies.plate]
points = { corner = [2, 1] }

[bodies.plate.elastic]
type = "solid"
mesh = "plate.msh"
thickness = 3
young = 200
poisson = 0.3
density = 1e-9
stress = ["corner"]
"#;

/// Two unit squares with a named foot.
const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 3 \"foot\"\n$EndPhysicalNames\n\
    $Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n\
    $Elements\n4\n1 1 2 3 1 1 2\n2 1 2 3 1 2 3\n3 3 2 0 1 1 2 5 4\n4 3 2 0 1 2 3 6 5\n$EndElements\n";

#[test]
fn a_mesh_is_read_from_the_folder_of_the_model_in_its_units() {
    let folder = std::env::temp_dir().join(format!("carom-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.join("model.toml").display().to_string();
    let load = || load_text(&name, PLATE, &[]).map_err(|e| e.list);

    let missing = load().unwrap_err();
    assert_eq!(missing.len(), 1);
    assert!(missing[0].message.contains("cannot read the mesh `"), "{}", missing[0].message);
    assert_eq!(missing[0].line, 7);

    std::fs::write(folder.join("plate.msh"), GMSH.replace("2.2 0 8", "2.2 1 8")).unwrap();
    let binary = load().unwrap_err();
    assert!(binary[0].message.contains("this file is binary"), "{}", binary[0]);
    assert!(binary[0].file.ends_with("plate.msh") && binary[0].line == 2, "{}", binary[0]);
    assert!(binary[0].help.contains("as version 4.1 or 2.2 in ASCII"), "{}", binary[0].help);

    std::fs::write(folder.join("plate.msh"), GMSH).unwrap();
    let plate = load().unwrap();
    let Some(Elastic::Solid(solid)) = &plate.description.plane().unwrap().bodies["plate"].elastic else {
        panic!("a solid")
    };
    let Some(Mesh::Inline(mesh)) = &solid.mesh else { panic!("the mesh has been read") };
    assert_eq!(mesh.nodes[5], [2e-3, 1e-3]);
    assert_eq!(mesh.sides["foot"], [[0, 1], [1, 2]]);
    assert!((solid.thickness - 3e-3).abs() < 1e-18);
    assert!((solid.young / 200e6 - 1.0).abs() < 1e-12);
    plate.build().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A whole number stands where a number or a table may: the first so many modes.
#[test]
fn a_count_of_modes_may_be_a_plain_number() {
    let text = r#"
        [bodies.rod]
        elastic = { type = "beam", length = 1, elements = 4, young = 1e9, area = 1e-4, second_moment = 1e-9, density = 1000, modes = 3 }
    "#;
    let loaded = load_text("model.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let json = serde_json::to_value(&loaded.description).unwrap();
    assert_eq!(json["bodies"]["rod"]["elastic"]["modes"], 3);
}

/// The model with an event whose line is the last.
fn with_event(lines: &str) -> Result<LoadedModel, Vec<Diagnostic>> {
    let text = format!("{MODEL}\n[events.turned]\n{lines}\n");
    let loaded = load_text("model.toml", &text, &[]).map_err(|wrong| wrong.list)?;
    loaded.build().map_err(|wrong| wrong.list)?;
    Ok(loaded)
}

#[test]
fn events_are_read() {
    let loaded =
        with_event("when = \"crank.angle - r*pi + l*slider.vx + guide.1.gap\"\nstop = true").unwrap();
    let any = loaded.build().unwrap();
    let model: &Model = any.plane().unwrap();
    let info = &model.structure().events[0];
    assert_eq!((info.name.as_str(), info.crossing, info.stops), ("turned", Crossing::Any, true));
    let mut v = model.described_velocity().to_vec();
    v[6] = 4.0;
    let mut value = [f64::NAN];
    model.event_values(&Configuration::new(model, 0.0, model.described_position(), &v), &mut [], &mut value);
    // angle 0, r = 0.1, l = 0.3, clearance 1e-3
    assert!((value[0] - (-0.1 * std::f64::consts::PI + 1.2 + 1e-3)).abs() < 1e-15, "{value:?}");
    for (word, crossing) in [("rising", Crossing::Rising), ("falling", Crossing::Falling)] {
        let lines = format!("when = \"=sin(t) - min(rod.y, 0.5)\"\ndirection = \"{word}\"");
        let any = with_event(&lines).unwrap().build().unwrap();
        let model = any.system();
        assert_eq!(
            (model.structure().events[0].crossing, model.structure().events[0].stops),
            (crossing, false)
        );
    }
}

#[test]
fn events_that_cannot_be_are_shown_at_the_word() {
    let line = MODEL.lines().count() + 3;
    let refused = |lines: &str, column: usize, width: usize, words: &[&str]| {
        let list = with_event(lines).expect_err("it is bad input");
        expect(&list, line, column, words);
        assert_eq!(list[0].to_string().matches('^').count(), width, "{}", list[0]);
    };
    // a slip in a channel, and one in a name that is none
    let words = ["`turned`", "there is no channel or parameter `crank.angel`", "did you mean `crank.angle`?"];
    refused("when = \"1 + crank.angel\"", 13, 11, &words);
    refused("when = \"=  2*radius\"", 14, 6, &["`radius`", "use one of: r, l, amplitude, crank.x"]);
    // channels that jump
    let words = ["`guide.2.force_n`", "jump", "places, angles, velocities or gaps", "crank.omega"];
    refused("when = \"guide.2.force_n - 3\"", 9, 15, &words);
    refused("when = \"t*pivot.force_x\"", 11, 13, &["`pivot.force_x`"]);
    refused("when = \"energy.kinetic\"", 9, 14, &["`energy.kinetic`"]);
    // functions that jump
    for (call, help) in [
        ("step(t-1)", "what stands in the brackets"),
        ("sign(rod.x)", "what stands in the brackets"),
        ("floor(t)", "sin(pi*x)"),
        ("ceil(t)", "sin(pi*x)"),
        ("mod(rod.angle, 1)", "sin(pi*x)"),
        ("atan2(rod.y, rod.x)", "sin or cos"),
        ("tan(rod.angle)", "sin instead of tan"),
    ] {
        let name = &call[..call.find('(').unwrap()];
        refused(
            &format!("when = \"2*{call}\""),
            11,
            name.len(),
            &[&format!("`{name}`"), "not continuous", help],
        );
    }
    // but not where nothing varies
    assert!(with_event("when = \"t - floor(2.5) - mod(r, 3)\"").is_ok());
    refused("when = \"2*r\"", 8, 5, &["never happens", "name `t` or a channel"]);
    refused("when = \"crank.x + * 2\"", 19, 1, &["cannot be read"]);
    refused("when = \"log(crank.x - 5)\"", 8, 18, &["value at the start"]);
    // what the schema says
    let list = with_event("when = \"t - 1\"\ndirection = \"up\"").expect_err("it is bad input");
    expect(&list, line + 1, 13, &["cannot be `up`", "any, rising, falling"]);
    let list = with_event("stop = true").expect_err("it is bad input");
    expect(&list, line - 1, 9, &["has no `when`"]);
    let list = with_event("when = \"t - 1\"\nterms = {}").expect_err("it is bad input");
    expect(&list, line + 1, 1, &["unknown key `terms`"]);
}

#[test]
fn a_law_for_corners_is_read() {
    let text = |corner: &str, second: &str| {
        format!(
            "[ground.shapes.path]\ntype = \"path\"\nstart = [0, 0]\npieces = [{{ line-to = [1, 0] }}, {second}]\n\
             [bodies.p]\nmass = 1\nposition = [0.5, 1]\n\
             [contacts.c]\nbetween = [\"p\", \"ground.path\"]\ncorner = \"{corner}\"\n"
        )
    };
    let bend = "{ line-to = [2, -1] }";
    for (word, corner) in [
        ("newton", Corner::Newton),
        ("reflection", Corner::Reflection),
        ("time-scaling", Corner::TimeScaling),
    ] {
        let any = read(&text(word, bend)).build().unwrap();
        let model = any.system();
        assert_eq!(model.structure().contacts[0].corner, corner);
    }
    let list = load_text("m.toml", &text("glocker", bend), &[]).unwrap_err().list;
    expect(&list, 10, 10, &["cannot be `glocker`", "newton, reflection, time-scaling"]);
    // a smooth joint is no corner
    let smooth = "{ parabola-to = { end = [2, 0.5], control = [1.5, 0] } }";
    let list = read(&text("reflection", smooth)).build().unwrap_err().list;
    expect(&list, 10, 10, &["`corner` has no effect here", "leave `corner` out"]);
    assert!(read(&text("newton", smooth)).build().is_ok());
}

/// A cam from a table of angles and radii (mm), closed and not, and a ramp from a table of places.
const CAM: &str = r#"units = "mm"
[bodies.cam]
mass = 1
inertia = 100
[bodies.cam.shapes.rim]
type = "spline"
through = { file = "cam.csv", polar = "degrees", center = [1, 0] }
[ground.shapes.ramp]
type = "path"
start = [-100, 0]
pieces = [{ line-to = [0, 0] }, { spline-through = { file = "ramp.csv", start_direction = [1, 0] } }]
"#;

#[test]
fn tables_of_points_are_read() {
    let round: String = (0..=12).map(|i| format!("{}, {}\n", 30 * i, 20)).collect();
    let cam = format!("angle, radius\n{round}");
    let files = [("cam.csv", cam.as_str()), ("ramp.csv", "x;y\n0;0\n50;10\n100;0\n")];
    let loaded = load_texts("m.toml", CAM, &files, &[]).unwrap_or_else(|e| panic!("{e}"));
    let any = loaded.build().unwrap_or_else(|e| panic!("{e}"));
    let outlines = any.plane().unwrap().outlines();
    // off the circle by less than a spline through twelve points may be; in m, around the centre of the table
    let rim = &outlines.iter().find(|o| o.body == "cam").unwrap().polylines[0];
    assert_eq!(rim.first(), rim.last());
    for [x, y] in rim {
        assert!(((x - 1e-3).hypot(*y) - 0.02).abs() < 0.02 * 4e-4, "{x} {y}");
    }
    // the ramp repeats its start and goes on smoothly from the line
    let ramp = &outlines.iter().find(|o| o.body == "ground").unwrap().polylines[0];
    assert_eq!((ramp[0], ramp[1], *ramp.last().unwrap()), ([-0.1, 0.0], [0.0, 0.0], [0.1, 0.0]));
    assert!(ramp.iter().all(|p| p[1] < 0.011) && ramp[2][1] / ramp[2][0] < 0.05, "{ramp:?}");

    let wrong = load_texts("m.toml", CAM, &files[..1], &[]).unwrap_err().list;
    expect(&wrong, 11, 61, &["cannot read the table `ramp.csv`", "CSV file with two columns"]);
    let broken = [("cam.csv", "0, 20\n30, 20, 7\n"), files[1]];
    let wrong = load_texts("m.toml", CAM, &broken, &[]).unwrap_err().list;
    assert_eq!((wrong[0].file.as_str(), wrong[0].line), ("cam.csv", 2));
}

#[test]
fn tables_are_seen_from_the_folder_of_the_model() {
    let folder = std::env::temp_dir().join(format!("carom-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("m.toml");
    std::fs::write(&file, CAM).unwrap();
    std::fs::write(folder.join("ramp.csv"), "0,0\n50,10\n100,0\n").unwrap();
    std::fs::write(folder.join("cam.csv"), "0, 20\n120, 2O\n").unwrap();
    let wrong = load(&file, &[]).unwrap_err().list;
    assert_eq!((wrong.len(), wrong[0].line, wrong[0].column), (1, 2, 6), "{}", wrong[0]);
    assert!(wrong[0].file.ends_with("cam.csv") && wrong[0].message.contains("`2O` is not a number"));
    std::fs::write(folder.join("cam.csv"), "0, 20\n60, 20\n120, 20\n").unwrap();
    // two thirds of the turn are missing: said at the line of the model
    let wrong = load(&file, &[]).unwrap().build().unwrap_err().list;
    expect(&wrong, 7, 1, &["goes over 120 of a full turn of 360", "rows all round"]);
    std::fs::write(folder.join("cam.csv"), "0, 20\n120, 21\n240, 22\n").unwrap();
    load(&file, &[]).unwrap().build().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
