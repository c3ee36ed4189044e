//! The drawing of every model of the gallery: what is drawn is where the mechanics have it.

use carom_dynamics::{Channel, Configuration, Recording, System};
use carom_io::drawing::Pose;
use carom_io::{Anchor, Drawing, LoadedModel, load, load_text};
use carom_model::Model;
use std::collections::HashMap;
use std::path::Path;

/// Every model of the gallery with its folder's name.
fn gallery() -> Vec<(String, LoadedModel)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the gallery is there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("plain names"))
        .filter(|name| folder.join(name).join("model.toml").exists())
        .collect();
    names.sort();
    let loaded = |name: String| {
        let model = load(&folder.join(&name).join("model.toml"), &[]);
        (name, model.unwrap_or_else(|error| panic!("{error}")))
    };
    names.into_iter().map(loaded).collect()
}

/// Channels by name at some coordinates, at rest.
struct Seen(HashMap<String, f64>);

impl Seen {
    fn at(model: &Model, q: &[f64]) -> Self {
        let channels = &model.structure().channels;
        let mut out = vec![0.0; channels.len()];
        model.observe(&Configuration::new(model, 0.0, q, &vec![0.0; model.structure().sizes.v]), &mut out);
        Self(channels.iter().map(|c| c.name().to_string()).zip(out).collect())
    }

    /// Pose of a body, or of a point of a flexible one.
    fn pose(&self, body: &str) -> Option<Pose> {
        if body == "ground" {
            return Some(Pose::default());
        }
        let of = |what: &str| self.0.get(&format!("{body}.{what}")).copied();
        Some(Pose { at: [of("x")?, of("y")?], angle: of("angle").unwrap_or(0.0) })
    }

    fn place(&self, anchor: &Anchor) -> Option<[f64; 2]> {
        Some(self.pose(&anchor.body)?.apply(anchor.at))
    }
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn undeformed_bodies_are_where_their_frames_carry_them() {
    let mut flexible = 0;
    for (name, loaded) in gallery() {
        let any = loaded.build().unwrap_or_else(|error| panic!("{error}"));
        let Some(model): Option<&Model> = any.plane().map(|model| &**model) else { continue };
        let drawing = loaded.drawing(&any);
        // as described nothing is deformed
        let seen = Seen::at(model, model.described_position());
        for figure in drawing.figures.iter().filter(|figure| !figure.reference.is_empty()) {
            flexible += 1;
            let pose = seen.pose(&figure.body).expect("a flexible body has a pose");
            for (n, &point) in figure.reference.iter().enumerate() {
                let of = |what: &str| seen.0.get(&format!("{}.shape.{n}.{what}", figure.body)).copied();
                let shape = [of("x").expect("a place"), of("y").expect("a place")];
                let far = apart(pose.apply(point), shape);
                assert!(
                    far <= 1e-12 * model.structure().length_scale,
                    "{name}: {} {n}: {far:e}",
                    figure.body
                );
                assert!(of("stress").expect("a stress").is_finite());
            }
        }
        let shapes = seen.0.keys().filter(|name| name.contains(".shape.") && name.ends_with(".x")).count();
        assert_eq!(shapes, drawing.figures.iter().map(|f| f.reference.len()).sum::<usize>(), "{name}");
    }
    assert!(flexible >= 12, "{flexible} flexible bodies");
}

#[test]
fn both_partners_have_a_joint_at_the_same_place() {
    let (mut pins, mut springs) = (0, 0);
    for (name, loaded) in gallery() {
        let any = loaded.build().unwrap_or_else(|error| panic!("{error}"));
        let Some(model): Option<&Model> = any.plane().map(|model| &**model) else { continue };
        // whatever the contacts say: a preloaded model starts from its equilibrium
        let q = model.close_joints().unwrap_or_else(|error| panic!("{error}"));
        let seen = Seen::at(model, &q);
        let drawing = loaded.drawing(&any);
        assert_eq!(drawing.joints.len(), loaded.description.joints().len(), "{name}");
        for joint in &drawing.joints {
            let of = Anchor { body: joint.body.clone(), at: joint.at };
            let at = seen.place(&of).unwrap_or_else(|| panic!("{name}: {joint:?} moves with nothing"));
            let Some(to) = &joint.to else { continue };
            let to = seen.place(to).unwrap_or_else(|| panic!("{name}: {joint:?} moves with nothing"));
            let d = [to[0] - at[0], to[1] - at[1]];
            // a hole is left by no more than its play, a guide is left along its axis only
            let play = marked_play(&loaded, &joint.name) + 1e-9 * model.structure().length_scale;
            match joint.kind.as_str() {
                "revolute" | "weld" => assert!(d[0].hypot(d[1]) <= play, "{name}: {joint:?} {d:?}"),
                "prismatic" => {
                    let angle = seen.pose(&joint.body).expect("it has a pose").angle + joint.angle;
                    let across = d[1] * angle.cos() - d[0] * angle.sin();
                    assert!(across.abs() <= play, "{name}: {joint:?} {across}");
                }
                _ => continue,
            }
            pins += 1;
        }
        for spring in &drawing.springs {
            let ends = [&spring.from, &spring.to].map(|end| seen.place(end));
            assert!(ends.iter().all(Option::is_some), "{name}: {spring:?}");
            springs += 1;
        }
    }
    assert!(pins > 30 && springs >= 3, "{pins} pins, {springs} springs");
}

/// Radial play of a hole or play of a guide.
fn marked_play(loaded: &LoadedModel, joint: &str) -> f64 {
    use carom_model::description::{Joint, Prismatic, Revolute};
    match &loaded.description.plane().unwrap().joints[joint] {
        Joint::Revolute(Revolute { clearance, .. }) | Joint::Prismatic(Prismatic { clearance, .. }) => {
            clearance.unwrap_or(0.0)
        }
        _ => 0.0,
    }
}

#[test]
fn a_drawing_is_read_back_as_it_was_written() {
    for (name, loaded) in gallery() {
        let drawing = loaded.drawing(&loaded.build().unwrap_or_else(|error| panic!("{error}")));
        let text = serde_json::to_string(&drawing).expect("a drawing is plain data");
        let back: Drawing = serde_json::from_str(&text).expect("what was written can be read");
        assert_eq!(serde_json::to_string(&back).expect("still plain data"), text, "{name}");
    }
}

/// Kinds, angles and partners as the file has them; points of a bar do not turn and have the angle of the bar instead.
#[test]
fn joints_and_springs_as_the_file_has_them() {
    let text = r#"
[ground.points]
wall = { at = [0, 1], angle = 0.5 }
[bodies.a]
mass = 1
inertia = 1
position = [0, 1]
points.left = [-1, 0]
[bodies.b]
position = [2, 1]
angle = 0.3
points.end = { at = [1, 0], angle = 0.1 }
[bodies.b.elastic]
type = "bar"
length = 1
elements = 4
young = 1e6
area = 1
density = 1
[joints.guide]
type = "prismatic"
between = ["ground.wall", "a"]
[joints.rope]
type = "distance"
between = ["b.end", "a.left"]
[joints.drive]
type = "motion"
of = "a"
coordinate = "angle"
function = "t"
[forces.coil]
type = "spring"
between = ["a.left", "b.end"]
stiffness = 1
[forces.twist]
type = "torque"
on = "a"
torque = 1
"#;
    let loaded = load_text("test.toml", text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let drawing = loaded.drawing(&loaded.build().unwrap_or_else(|error| panic!("{error}")));
    let anchor = |body: &str, at| Anchor { body: body.into(), at };
    let [guide, rope, drive] = &drawing.joints[..] else { panic!("{:?}", drawing.joints) };
    assert_eq!((guide.kind.as_str(), guide.body.as_str(), guide.at), ("prismatic", "ground", [0.0, 1.0]));
    assert_eq!((guide.angle, &guide.to), (0.5, &Some(anchor("a", [0.0; 2]))));
    assert_eq!((rope.kind.as_str(), rope.body.as_str(), rope.at), ("distance", "b.end", [0.0; 2]));
    assert!((rope.angle - 0.4).abs() < 1e-15 && rope.to == Some(anchor("a", [-1.0, 0.0])));
    assert_eq!((drive.kind.as_str(), drive.body.as_str(), &drive.to), ("motion", "a", &None));
    let [coil] = &drawing.springs[..] else { panic!("{:?}", drawing.springs) };
    let ends = (anchor("a", [-1.0, 0.0]), anchor("b.end", [0.0; 2]));
    assert_eq!((coil.name.as_str(), &coil.from, &coil.to), ("coil", &ends.0, &ends.1));
}

#[test]
fn channels_for_pictures_stay_out_of_the_table() {
    let names = ["t", "beam.x", "beam.shape.0.x", "beam.shape.12.stress", "stop.gap", "stop.touch.angle"];
    let shown: Vec<&str> = names.into_iter().filter(|name| Channel::read(name, "m").is_plotted()).collect();
    assert_eq!(shown, ["t", "beam.x", "stop.gap"]);
    let channels = names.map(|name| Channel::read(name, "m")).to_vec();
    let recording = Recording { columns: vec![vec![1.0]; channels.len()], channels, events: Vec::new() };
    let mut table = Vec::new();
    carom_io::write::csv::series(&recording, &mut table).expect("memory takes all");
    assert!(String::from_utf8(table).expect("text").starts_with("t,beam.x,stop.gap\n"));
}
