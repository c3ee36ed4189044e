//! The same mechanism written in SI and in millimetres, grams, milliseconds, degrees and kilonewtons is the same.

use carom_dynamics::{Configuration, System};
use carom_io::load_text;
use carom_model::Model;
use carom_model::expression::Formula;
use serde_json::Value as Json;

/// One of everything, with factors as names: in SI all are 1.
const MODEL: &str = r#"
units = { length = "mm", mass = "g", time = "ms", angle = "deg", force = "kN" }
gravity = ["=1*m/s^2", "=-9.81*m/s^2"]

[parameters]
m = 1e3
kg = 1e3
s = 1e3
rad = "=180/pi"
N = 1e-3

[ground.points]
p = ["=0.1*m", "=0.2*m"]
q = { at = ["=0.3*m", "=0.4*m"], angle = "=0.5*rad" }

[ground.shapes]
disk = { type = "disk", center = ["=0.1*m", "=0.2*m"], radius = "=0.3*m" }
line = { type = "line", through = ["=0.1*m", "=0.2*m"], normal = [3, 4] }
ellipse = { type = "ellipse", center = ["=0.1*m", "=0.2*m"], semi_axes = ["=0.3*m", "=0.4*m"], angle = "=0.5*rad" }
rectangle = { type = "rectangle", center = ["=0.1*m", "=0.2*m"], size = ["=0.3*m", "=0.4*m"] }
polygon = { type = "polygon", corners = [["=0.1*m", 0], ["=0.2*m", 0], [0, "=0.7*m"]] }
spline = { type = "spline", through = [["=0.1*m", 0], ["=0.2*m", 0], [0, "=0.7*m"]], hole = true }
capsule = { type = "capsule", from = ["=0.1*m", 0], to = ["=0.2*m", "=0.3*m"], radius = "=0.05*m" }

[ground.shapes.cam]
type = "spline"
through = { points = [[0, "=0.3*m"], [120, "=0.4*m"], [240, "=0.35*m"]], polar = "degrees", center = ["=0.1*m", 0] }

[ground.shapes.path]
type = "path"
start = ["=0.1*m", "=0.2*m"]
pieces = [
  { line-to = ["=0.3*m", "=0.2*m"] },
  { arc-to = { end = ["=0.5*m", "=0.2*m"], center = ["=0.4*m", "=0.2*m"], counterclockwise = true } },
  { parabola-to = { end = ["=0.7*m", "=0.3*m"], control = ["=0.6*m", "=0.2*m"] } },
  { spline-through = [["=0.8*m", "=0.4*m"], ["=0.9*m", "=0.3*m"]] },
  { spline-through = { points = [["=1.1*m", "=0.4*m"]], reverse = true, start_direction = [1, 0], end_direction = [0, 2] } },
]

[bodies.a]
mass = "=1.5*kg"
inertia = "=0.07*kg*m^2"
position = ["=0.1*m", "=-0.2*m"]
angle = "=0.3*rad"
velocity = ["=1.1*m/s", "=-1.2*m/s"]
angular_velocity = "=7*rad/s"
density = "=7*kg/m^3"
thickness = "=0.02*m"
points.p = ["=0.01*m", "=0.02*m"]
shapes.d = { type = "disk", radius = "=0.3*m" }

[bodies.bar]
points.n = { node = 1, angle = "=0.1*rad" }

[bodies.bar.elastic]
type = "bar"
length = "=0.5*m"
elements = 2
young = "=900*N/m^2"
area = "=0.01*m^2"
density = "=7*kg/m^3"
lumped = true
damping = { mass = "=0.1/s", stiffness = "=0.2*s" }

[bodies.blade.elastic]
type = "beam"
length = "=0.5*m"
elements = 2
young = "=900*N/m^2"
area = "=0.01*m^2"
second_moment = "=1e-5*m^4"
density = "=7*kg/m^3"
height = "=0.1*m"
rotary_inertia = "full"
reference = "pinned"
stiffening = true
damping_ratios = [0.01]
section_forces = [1]
modes = { count = 2, numbers = [1, 3], below = "=40/s", interface = ["p"], correction = ["p"] }

[bodies.strip.elastic]
type = "exact-beam"
length = "=0.5*m"
elements = 2
young = "=900*N/m^2"
area = "=0.01*m^2"
density = "=7*kg/m^3"
poisson = 0.2
second_moment = "=1e-5*m^4"
shear_area = "=0.008*m^2"
order = 2
lumped = true

[bodies.slab.elastic]
type = "solid"
block = { size = ["=0.5*m", "=0.2*m"], elements = [2, 1], element = "q8", origin = "corner" }
disk = { radius = "=0.3*m", rings = 2 }
mesh = { nodes = [["=0.1*m", "=0.2*m"]], elements = [[0]], sides = { foot = [[0, 1]] } }
incompatible = true
plane = "strain"
thickness = "=0.01*m"
young = "=900*N/m^2"
poisson = 0.2
density = "=7*kg/m^3"
reference = "clamped"
clamp = "left"
modes = { below = "=30/s", interface = ["p"] }
damping = { ratios = [0.01, 0.02], frequencies = ["=1/s", "=20/s"] }
damping_ratios = [0.01]
stress = ["p"]

[joints]
revolute = { type = "revolute", between = ["a", "ground"], clearance = "=1e-3*m", restitution = 0.1, friction = 0.2, pin_radius = "=0.03*m", friction_torque = "=0.4*N*m", limits = ["=-0.5*rad", "=0.6*rad"], limit_restitution = 0.3 }
prismatic = { type = "prismatic", between = ["a", "ground"], clearance = "=1e-3*m", size = ["=0.1*m", "=0.2*m"], restitution = 0.1, friction = 0.2, friction_force = "=0.5*N", limits = ["=-0.1*m", "=0.2*m"], limit_restitution = 0.2 }
weld = { type = "weld", between = ["a", "ground"] }
distance = { type = "distance", between = ["a", "ground"], length = "=0.6*m" }
move = { type = "motion", of = "a", coordinate = "x", function = "=0.01*m*sin(10*t/s)" }
turn = { type = "motion", of = "a", coordinate = "angle", function = "2*rad*(t/s)^2" }
hold = { type = "motion", of = "a", coordinate = "y", function = "0.3*m" }
gear = { type = "gear", between = ["a", "ground"], ratio = 2.5 }
rack = { type = "rack", between = ["a", "ground"], axis = [1, 2], radius = "=0.2*m" }

[forces]
spring = { type = "spring", between = ["a", "ground"], stiffness = "=100*N/m", damping = "=3*N*s/m", length = "=0.4*m" }
torsion = { type = "torsion-spring", between = ["a", "ground"], stiffness = "=5*N*m/rad", damping = "=0.1*N*m*s/rad", angle = "=0.2*rad" }
force = { type = "force", on = "a", force = ["=3*N", "=4*N*cos(2*t/s)"], follows = true }
motor = { type = "motor", joint = "revolute", torque = "=0.3*N*m" }
torque = { type = "torque", on = "a", against = "ground", torque = "=2*N*m*(t/s)" }

[contacts.c]
between = ["a.d", "ground.line"]
restitution = 0.5
tangential_restitution = 0.1
friction = 0.3
corner = "newton"

[gears.g]
between = ["a", "ground"]
law = "spring"
teeth = [20, 30]
module = "=2e-3*m"
pressure_angle = "=0.35*rad"
helix_angle = "=0.2*rad"
profile_shift = [0.1, 0.2]
addendum = [1, 1.1]
dedendum = [1.2, 1.3]
width = "=0.02*m"
distance = "=0.05*m"
play = "=1e-4*m"
play_from = "mounting"
flanks = "forward"
restitution = 0.4
friction = 0.1
creep = "=0.01*m/s"
stiffness = "=3e8*N/m"
stiffness_ratio = 0.7
youngs_modulus = "=2e11*N/m^2"
shape_factor = 0.9
damping_ratio = 0.05
damping = "=200*N*s/m"
entry = 0.1
tip_relief = "=1e-5*m"
relief_length = "=2e-3*m"
slices = 3

[tables.curve]
points = [[0, 1], [2, 3]]
[events.e]
when = "a.x/m - 0.2"
direction = "rising"
stop = true

[simulation]
scheme = "x"
step = "=1e-4*s"
end = "=2*s"
solver = "y"
accuracy = 1e-3
output = "=0.01*s"
record = ["accelerations", "momentum"]
start = "equilibrium"
release = ["revolute"]
coordinates = "natural"
formulation = "index-1"
parameters = { theta = 0.5 }
"#;

fn json(text: &str) -> Json {
    let model = load_text("model.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    serde_json::to_value(&model.description).unwrap()
}

/// Numbers to round-off, formulas of t by their jets, everything else exactly.
fn compare(a: &Json, b: &Json, path: &str, numbers: &mut usize) {
    match (a, b) {
        (Json::Number(x), Json::Number(y)) => {
            let (x, y) = (x.as_f64().unwrap(), y.as_f64().unwrap());
            assert!((x - y).abs() <= 1e-15 * x.abs().max(y.abs()), "{path}: {x:?} {y:?}");
            *numbers += 1;
        }
        (Json::String(x), Json::String(y)) if x.contains('t') && path.contains("func") => {
            let jet = |text: &Json| {
                let jet = Formula::parse(text.as_str().unwrap()).unwrap().bind(&|_| None).unwrap().jet(0.7);
                [jet.value, jet.first, jet.second]
            };
            for (u, v) in jet(a).into_iter().zip(jet(b)) {
                assert!((u - v).abs() <= 1e-13 * u.abs().max(v.abs()), "{path}: {x} | {y}");
            }
            *numbers += 1;
        }
        (Json::Array(x), Json::Array(y)) => {
            assert_eq!(x.len(), y.len(), "{path}");
            for (i, (x, y)) in x.iter().zip(y).enumerate() {
                compare(x, y, &format!("{path}.{i}"), numbers);
            }
        }
        (Json::Object(x), Json::Object(y)) => {
            assert_eq!(x.keys().collect::<Vec<_>>(), y.keys().collect::<Vec<_>>(), "{path}");
            // What the words of an event mean is the business of `events_are_in_the_units_of_the_file`.
            for (key, value) in x.iter().filter(|(key, _)| *key != "terms") {
                compare(value, &y[key], &format!("{path}.{key}"), numbers);
            }
        }
        _ => assert_eq!(a, b, "{path}"),
    }
}

#[test]
fn a_twin_in_other_units_is_the_same_mechanism() {
    let si = MODEL
        .replace("length = \"mm\", mass = \"g\", time = \"ms\", angle = \"deg\", force = \"kN\"", "")
        .replace(
            "m = 1e3\nkg = 1e3\ns = 1e3\nrad = \"=180/pi\"\nN = 1e-3",
            "m = 1\nkg = 1\ns = 1\nrad = 1\nN = 1",
        );
    let (a, b) = (json(MODEL), json(&si));
    let mut numbers = 0;
    compare(&a, &b, "", &mut numbers);
    assert!(numbers > 80, "{numbers}");
    // Not by being blind: a length that is left in millimetres is found.
    assert_eq!(b["joints"]["rack"]["radius"], 0.2);
    assert_eq!(a["bodies"]["a"]["inertia"].as_f64().map(|x| (x - 0.07).abs() < 1e-16), Some(true));
}

/// A field that the twin does not use would not be compared.
#[test]
fn the_twin_uses_every_key_of_the_format() {
    fn keys(schema: &Json, found: &mut Vec<String>) {
        match schema {
            Json::Object(map) => {
                if let Some(Json::Object(properties)) = map.get("properties") {
                    found.extend(properties.keys().cloned());
                }
                map.values().for_each(|v| keys(v, found));
            }
            Json::Array(items) => items.iter().for_each(|v| keys(v, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    keys(&serde_json::from_str(&carom_io::schema(false)).unwrap(), &mut found);
    assert!(found.len() > 60);
    for key in found.iter().filter(|k| !["version", "title", "file"].contains(&k.as_str())) {
        let used = MODEL.contains(&format!("{key} ="))
            || MODEL.contains(&format!("{key}."))
            || MODEL.contains(&format!("{key}]"));
        assert!(used, "`{key}` is in the format but not in the twin: say its dimension and add it here");
    }
}

#[test]
fn millimetres_by_one_word_leave_the_rest_alone() {
    let text = "units = \"mm\"\ngravity = [0, -9810]\n[bodies.a]\nmass = 2\nposition = [250, 0]\n[forces.k]\ntype = \"spring\"\nbetween = [\"a\", \"ground\"]\nstiffness = 3 # N/mm\n";
    let model = load_text("model.toml", text, &[]).unwrap();
    let json = serde_json::to_value(&model.description).unwrap();
    assert_eq!(json["bodies"]["a"]["position"], serde_json::json!([0.25, 0.0]));
    assert_eq!(json["bodies"]["a"]["mass"], 2.0);
    assert_eq!(json["forces"]["k"]["stiffness"], 3000.0);
    assert_eq!(json["gravity"][1].as_f64().map(|g| (g + 9.81).abs() < 1e-15), Some(true));
}

#[test]
fn an_unknown_unit_lists_what_there_is() {
    let error = load_text("m.toml", "units = { length = \"furlong\" }", &[]).unwrap_err();
    let shown = error.to_string();
    assert!(shown.contains("m.toml:1:20") && shown.contains("`furlong`") && shown.contains("mm"), "{shown}");
    let shown = load_text("m.toml", "units = \"m\"", &[]).unwrap_err().to_string();
    assert!(shown.contains("`units` cannot be `m`") && shown.contains("SI, mm"), "{shown}");
    assert!(shown.contains("or a table with length, mass, time, angle, force"), "{shown}");
    let shown = load_text("m.toml", "units = { lenght = \"mm\" }", &[]).unwrap_err().to_string();
    assert!(shown.contains("did you mean `length`?"), "{shown}");
}

/// The functions of the events of one mechanism, written in SI and in the units of a workshop.
#[test]
fn events_are_in_the_units_of_the_file() {
    let model = |units: &str, m: &str, s: &str, rad: &str| {
        let text = format!(
            "units = {{ {units} }}\n[parameters]\nm = {m}\ns = {s}\nrad = \"={rad}\"\n\
             [bodies.arm-2]\nmass = 1\ninertia = 1\nposition = [\"=0.25*m\", 0]\nangle = \"=0.5*rad\"\n\
             velocity = [\"=3*m/s\", 0]\nangular_velocity = \"=2*rad/s\"\n\
             [ground.shapes.wall]\ntype = \"line\"\nthrough = [\"=1*m\", 0]\nnormal = [-1, 0]\n\
             [contacts.touch]\nbetween = [\"arm-2\", \"ground.wall\"]\n\
             [events]\nplace.when = \"arm-2.x/m - 0.2\"\nspeed.when = \"=arm-2.vx*s/m\"\n\
             angle.when = \"arm-2.angle/rad\"\nturning.when = \"arm-2.omega*s/rad\"\n\
             gap.when = \"touch.gap/m\"\ntime.when = \"t/s - 0.1\"\nraw.when = \"arm-2.x\"\n"
        );
        let model = load_text("m.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}")).build();
        let any = model.unwrap_or_else(|e| panic!("{e}"));
        let model: &Model = any.plane().unwrap();
        let (q, v) = (model.described_position(), model.described_velocity());
        let mut values = vec![f64::NAN; model.structure().events.len()];
        model.event_values(&Configuration::new(model, 0.4, q, v), &mut [], &mut values);
        values
    };
    let si = model("", "1", "1", "1");
    let workshop = model("length = \"mm\", time = \"ms\", angle = \"deg\"", "1e3", "1e3", "180/pi");
    let exact = [0.05, 3.0, 0.5, 2.0, 0.75, 0.3];
    for (i, exact) in exact.iter().enumerate() {
        assert!((si[i] - exact).abs() < 1e-15, "{i}: {} {exact}", si[i]);
        assert!((workshop[i] - exact).abs() < 1e-14, "{i}: {} {exact}", workshop[i]);
    }
    assert_eq!((si[6], workshop[6]), (0.25, 250.0));
}
