//! Scenes in space: what is written reads back, pages and pictures show it, and the plane stays as it was. The motion is
//! known in closed form: a ball on a circle, turning with it.

use crate::common::{assert_well_formed, ball, data, drawing, run_info, summary};
use carom_dynamics::{Channel, Recording};
use carom_io::drawing::space::{
    Form, Solid, SpaceAnchor, SpaceDrawing, SpaceFigure, SpaceJointMark, SpaceSpring, UPRIGHT,
};
use carom_io::picture::{Stage, poster};
use carom_io::write::report::{PageRun, html};
use carom_io::write::{gltf, vtk};
use carom_io::{Drawing, Scene, Units};

const SAMPLES: usize = 41;

/// Angle in sample `k`: one turn and a half.
fn angle(k: usize) -> f64 {
    3.0 * std::f64::consts::PI * k as f64 / (SAMPLES - 1) as f64
}

fn circling() -> Recording {
    let channel = |subject, quantity, unit| Channel::new(subject, quantity, unit);
    let channels = vec![
        Channel::read("t", "s"),
        channel("arm", "x", "m"),
        channel("arm", "y", "m"),
        channel("arm", "z", "m"),
        channel("arm", "qw", ""),
        channel("arm", "qx", ""),
        channel("arm", "qy", ""),
        channel("arm", "qz", ""),
        channel("hit", "touch.x", "m"),
        channel("hit", "touch.y", "m"),
        channel("hit", "touch.z", "m"),
        channel("hit", "touch.nx", ""),
        channel("hit", "touch.ny", ""),
        channel("hit", "touch.nz", ""),
    ];
    let row = |k: usize| {
        let (s, c) = angle(k).sin_cos();
        let (sh, ch) = (0.5 * angle(k)).sin_cos();
        let there = if k == 0 { f64::NAN } else { 0.0 };
        vec![0.1 * k as f64, c, s, 0.5, ch, 0.0, 0.0, sh, c, s, there, 0.0, 0.0, 1.0]
    };
    let rows: Vec<Vec<f64>> = (0..SAMPLES).map(row).collect();
    let columns = (0..channels.len()).map(|i| rows.iter().map(|row| row[i]).collect()).collect();
    Recording { channels, columns, events: Vec::new() }
}

fn solids() -> SpaceDrawing {
    let mesh = Form::Mesh {
        vertices: vec![[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]],
        triangles: vec![[0, 1, 2]],
    };
    let arm = SpaceFigure::new("arm")
        .solid(Form::Box { size: [0.4, 0.1, 0.1] })
        .solid(mesh)
        .point("tip", [0.2, 0.0, 0.0]);
    let table =
        SpaceFigure::new("ground").with(Solid::new(Form::Plane { size: [3.0, 3.0] }).at([0.0, 0.0, 0.1]));
    SpaceDrawing {
        bodies: vec![table, arm],
        joints: vec![SpaceJointMark {
            name: "pin".into(),
            kind: "revolute".into(),
            body: "arm".into(),
            at: [-1.0, 0.0, 0.0],
            turn: UPRIGHT,
            to: Some(SpaceAnchor::new("ground", [0.0, 0.0, 0.5])),
        }],
        springs: vec![SpaceSpring {
            name: "s".into(),
            from: SpaceAnchor::new("ground", [0.0; 3]),
            to: SpaceAnchor::new("arm", [0.0; 3]),
        }],
    }
}

#[test]
fn a_scene_in_space_reads_back_and_is_where_the_motion_is() {
    let scene = Scene::of(&circling(), &solids().into());
    let text = scene.json();
    assert!(text.starts_with("{\"format\":2,"));
    let back = Scene::read(&text).unwrap();
    // not-a-numbers are not equal to themselves: compared as written
    assert_eq!(back.json(), text);
    let body = &back.motion.space.as_ref().unwrap().bodies[0];
    for k in 0..SAMPLES {
        // the tip at 1.2 m on the same ray, to the rounding of 32 bits
        let tip = body.pose(k).apply([0.2, 0.0, 0.0]);
        let exact = [1.2 * angle(k).cos(), 1.2 * angle(k).sin(), 0.5];
        assert!((0..3).all(|i| (tip[i] - exact[i]).abs() < 5e-7), "{k}: {tip:?}");
    }
}

#[test]
fn the_plane_is_written_as_before() {
    let text = Scene::of(&ball(50), &drawing()).json();
    assert!(text.starts_with("{\"format\":1,\"drawing\":{\"figures\":"));
    assert!(!text.contains("space"), "a scene in the plane says nothing of space");
    assert!(
        Scene::read(&text.replacen("\"format\":1", "\"format\":3", 1)).unwrap_err().contains("not known")
    );
}

#[test]
fn damaged_scenes_say_what_is_wrong() {
    let text = Scene::of(&circling(), &solids().into()).json();
    let upright = "\"turn\":[1.0,0.0,0.0,0.0]";
    assert!(text.contains(upright));
    let zero = text.replacen(upright, "\"turn\":[0.0,0.0,0.0,0.0]", 1);
    assert!(Scene::read(&zero).unwrap_err().contains("turns nothing"));
    let mut short = Scene::of(&circling(), &solids().into());
    short.motion.space.as_mut().unwrap().bodies[0].r.as_mut().unwrap().pop();
    assert!(Scene::read(&short.json()).unwrap_err().contains("`arm`"));
}

#[test]
fn what_turns_by_quaternions_is_in_space_without_a_drawing() {
    let scene = Scene::of(&circling(), &Drawing::default());
    assert!(scene.is_spatial() && !scene.is_empty());
    let stage = Stage::new(&scene, Units::default());
    let svg = poster(&stage, &[0.0, 2.0], [400.0, 300.0]).svg();
    assert_well_formed(&svg);
    assert!(svg.matches("<circle").count() > 0, "a body without solids is a ball");
}

#[test]
fn only_pages_in_space_carry_what_draws_in_space() {
    let (recording, summary, run) = (circling(), summary(), run_info());
    let scene = Scene::of(&recording, &solids().into());
    let page = html(&[PageRun::new(&recording, &summary, &run, None, &scene)]);
    assert!(page.contains("webgl2"));
    assert!(data(&page)["runs"][0]["scene"]["drawing"]["space"]["bodies"].is_array());
    let (recording, plane) = (ball(50), Scene::of(&ball(50), &drawing()));
    let page = html(&[PageRun::new(&recording, &summary, &run, None, &plane)]);
    assert!(!page.contains("webgl2") && !page.contains("{{"));
}

#[test]
fn a_poster_shows_the_body_where_it_is_and_not_where_it_is_nowhere() {
    let scene = Scene::of(&circling(), &solids().into());
    let stage = Stage::new(&scene, Units::default());
    let [first, again, later] = [0.0, 0.0, 1.0].map(|t| poster(&stage, &[t], [500.0, 400.0]).svg());
    assert_well_formed(&first);
    assert_eq!(first, again);
    assert_ne!(first, later);
    let mut recording = circling();
    recording.columns[1][0] = f64::NAN;
    let scene = Scene::of(&recording, &solids().into());
    let nowhere = poster(&Stage::new(&scene, Units::default()), &[0.0], [500.0, 400.0]).svg();
    assert_well_formed(&nowhere);
    assert!(!nowhere.contains("NaN") && nowhere.len() < first.len());
}

#[test]
fn a_glb_is_a_container_whose_numbers_are_the_motion() {
    let scene = Scene::of(&circling(), &solids().into());
    let file = gltf::glb(&scene).unwrap();
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&file[..4], b"glTF");
    assert_eq!((word(4), word(8)), (2, file.len()));
    let json = word(12);
    assert_eq!(&file[16..20], b"JSON");
    let document: serde_json::Value = serde_json::from_slice(&file[20..20 + json]).unwrap();
    let numbers = &file[20 + json + 8..];
    assert_eq!((word(20 + json), &file[20 + json + 4..20 + json + 8]), (numbers.len(), &b"BIN\0"[..]));
    // every accessor lies in its view, every view in the buffer, at a multiple of its component
    let at = |v: &serde_json::Value| v.as_u64().unwrap() as usize;
    for accessor in document["accessors"].as_array().unwrap() {
        let view = &document["bufferViews"][at(&accessor["bufferView"])];
        let size = match accessor["type"].as_str().unwrap() {
            "VEC4" => 4,
            "VEC3" => 3,
            _ => 1,
        };
        assert_eq!(4 * size * at(&accessor["count"]), at(&view["byteLength"]));
        assert!(at(&view["byteOffset"]) % 4 == 0);
        assert!(at(&view["byteOffset"]) + at(&view["byteLength"]) <= numbers.len());
    }
    let animation = &document["animations"][0];
    let target = animation["channels"][0]["target"].clone();
    assert_eq!(
        (&document["nodes"][at(&target["node"])]["name"], &target["path"]),
        (&"arm".into(), &"translation".into())
    );
    let output = &document["accessors"][at(&animation["samplers"][0]["output"])];
    let from = at(&document["bufferViews"][at(&output["bufferView"])]["byteOffset"]);
    let x = |k: usize| f32::from_le_bytes(numbers[from + 12 * k..from + 12 * k + 4].try_into().unwrap());
    for k in 0..SAMPLES {
        assert_eq!(x(k), angle(k).cos() as f32);
    }
    assert!(gltf::glb(&Scene::of(&ball(50), &drawing())).is_none());
}

#[test]
fn frames_for_paraview_have_the_faces_where_the_body_is() {
    let (recording, drawing) = (circling(), Drawing::from(solids()));
    let files: Vec<_> = vtk::collection(&recording, &drawing, 3).collect();
    assert_eq!(files.len(), 4);
    for file in &files {
        assert_well_formed(&file.content);
    }
    // the box has its corner at (1 + 0.2, ±0.05, 0.5 ± 0.05) in the first frame
    assert!(files[0].content.contains("1.2 0.05 0.55"), "{}", files[0].content);
    let count =
        |word: &str| files[0].content.split(word).nth(1).unwrap().split('"').nth(1).unwrap().to_string();
    // 64 tiles, 6 faces of the box, a triangle
    assert_eq!(count("NumberOfPolys="), "71");
}
