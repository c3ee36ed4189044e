//! `scene.glb`: a mechanism in space and its motion in one file that browsers, Blender and office programs show. glTF 2.0,
//! binary: a header, one chunk of JSON, one of numbers. A node for every body, moved by one animation; solids are its
//! children. z is up here and y is up there, so all hangs on a node turned by −90° about x.

use crate::drawing::space::{Solid, UPRIGHT};
use crate::scene::{Scene, SpaceBodyMotion};
use crate::shapes::{COLORS, QUIET};
use serde_json::{Value, json};
use std::f64::consts::FRAC_1_SQRT_2;

/// Numbers of the format: types of components, targets of buffers, kinds of primitives.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const CORNERS: u32 = 34962;
const INDICES: u32 = 34963;
const LINES: u32 = 1;
const TRIANGLES: u32 = 4;

/// The file of a scene; none for a mechanism in the plane, which has no solids.
pub fn glb(scene: &Scene) -> Option<Vec<u8>> {
    let (drawing, motion) = (scene.drawing.space.as_ref()?, scene.motion.space.as_ref()?);
    let mut file = File::default();
    let mut channels = Vec::new();
    let mut samplers = Vec::new();
    // times grow strictly: of two frames at one instant the last counts
    let t = &scene.motion.t;
    let frames: Vec<usize> = (0..t.len()).filter(|&k| t.get(k + 1).is_none_or(|next| *next > t[k])).collect();
    let start = t.first().copied().unwrap_or(0.0);
    let times: Vec<f32> = frames.iter().map(|&k| (t[k] - start) as f32).collect();
    let clock = (times.len() > 1).then(|| file.times(&times));
    let mut roots = Vec::new();
    let drawn = drawing.bodies.iter().map(|figure| figure.body.as_str());
    let undrawn = motion
        .bodies
        .iter()
        .map(|b| b.name.as_str())
        .filter(|name| !name.contains('.') && !drawing.bodies.iter().any(|figure| figure.body == *name));
    for (n, name) in drawn.chain(undrawn).enumerate() {
        let body = motion.bodies.iter().find(|b| b.name == name);
        let rgb = if body.is_some() { COLORS[n % COLORS.len()] } else { QUIET };
        let material = file.material(rgb);
        let solids = drawing.bodies.iter().filter(|f| f.body == name).flat_map(|f| &f.solids);
        let children: Vec<usize> = solids.filter_map(|solid| file.solid(solid, material)).collect();
        let node = file.nodes.len();
        let mut value = json!({ "name": name });
        if !children.is_empty() {
            value["children"] = json!(children);
        }
        if let Some(body) = body.filter(|_| !t.is_empty()) {
            let pose = body.pose(0);
            value["translation"] = json!(pose.at);
            value["rotation"] = json!(order(pose.turn));
            if let Some(clock) = clock {
                for (path, numbers, kind) in [
                    ("translation", body.r.as_ref().map(|_| places(body, &frames)), "VEC3"),
                    ("rotation", body.p.as_ref().map(|_| turns(body, &frames)), "VEC4"),
                ] {
                    let Some(numbers) = numbers else { continue };
                    let output = file.floats(&numbers, kind, None);
                    channels.push(json!({
                        "sampler": samplers.len(), "target": { "node": node, "path": path }
                    }));
                    samplers.push(json!({ "input": clock, "output": output, "interpolation": "LINEAR" }));
                }
            }
        }
        file.nodes.push(value);
        roots.push(node);
    }
    let root = file.nodes.len();
    file.nodes.push(json!({
        "name": "carom", "children": roots, "rotation": [-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2]
    }));
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("Carom ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [root] }],
        "nodes": file.nodes,
    });
    let lists = [
        ("meshes", file.meshes),
        ("materials", file.materials),
        ("accessors", file.accessors),
        ("bufferViews", file.views),
    ];
    // an empty list is not allowed
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        document[name] = Value::Array(list);
    }
    if !channels.is_empty() {
        document["animations"] = json!([{ "name": "motion", "channels": channels, "samplers": samplers }]);
    }
    if !file.bytes.is_empty() {
        document["buffers"] = json!([{ "byteLength": file.bytes.len() }]);
    }
    Some(container(document.to_string().into_bytes(), file.bytes))
}

/// Header and chunks; each chunk a multiple of four bytes.
fn container(mut text: Vec<u8>, mut numbers: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    numbers.resize(numbers.len().next_multiple_of(4), 0);
    let chunks: Vec<(&[u8; 4], Vec<u8>)> =
        [(b"JSON", text), (b"BIN\0", numbers)].into_iter().filter(|(_, c)| !c.is_empty()).collect();
    let length = 12 + chunks.iter().map(|(_, c)| 8 + c.len()).sum::<usize>();
    let mut out = b"glTF".to_vec();
    out.extend(2u32.to_le_bytes());
    out.extend((length as u32).to_le_bytes());
    for (kind, chunk) in chunks {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

/// x, y, z, w.
fn order([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [x, y, z, w]
}

/// Places, frame by frame; what is nowhere stays at the last place that was.
fn places(body: &SpaceBodyMotion, frames: &[usize]) -> Vec<f32> {
    let mut last = [0.0; 3];
    let place = |&k: &usize| {
        let at = body.pose(k).at;
        if at.iter().all(|x| x.is_finite()) {
            last = at;
        }
        last.map(|x| x as f32)
    };
    frames.iter().flat_map(place).collect()
}

/// Quaternions, each on the side of the one before, so that nobody turns the long way.
fn turns(body: &SpaceBodyMotion, frames: &[usize]) -> Vec<f32> {
    let mut last = UPRIGHT;
    let turn = |&k: &usize| {
        let p = body.pose(k).turn;
        if p.iter().all(|x| x.is_finite()) {
            let along = (0..4).map(|i| p[i] * last[i]).sum::<f64>();
            last = if along < 0.0 { p.map(|x| -x) } else { p };
        }
        order(last).map(|x| x as f32)
    };
    frames.iter().flat_map(turn).collect()
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
}

impl File {
    fn view(&mut self, bytes: impl Iterator<Item = [u8; 4]>, target: Option<u32>) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(bytes.flatten());
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, value: Value) -> usize {
        self.accessors.push(value);
        self.accessors.len() - 1
    }

    fn floats(&mut self, numbers: &[f32], kind: &str, target: Option<u32>) -> usize {
        let size = match kind {
            "VEC4" => 4,
            "VEC3" => 3,
            _ => 1,
        };
        let view = self.view(numbers.iter().map(|x| x.to_le_bytes()), target);
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": numbers.len() / size, "type": kind
        }))
    }

    /// Times, with the bounds that they must have.
    fn times(&mut self, t: &[f32]) -> usize {
        let at = self.floats(t, "SCALAR", None);
        self.accessors[at]["min"] = json!([t.first()]);
        self.accessors[at]["max"] = json!([t.last()]);
        at
    }

    fn material(&mut self, rgb: [u8; 3]) -> usize {
        // the format wants light, not the bytes of a screen: sRGB with a gamma of 2.2
        let [r, g, b] = rgb.map(|c| (f64::from(c) / 255.0).powf(2.2));
        self.materials.push(json!({
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.6 },
            "doubleSided": true
        }));
        self.materials.len() - 1
    }

    /// The node of a solid; none if there is nothing of it.
    fn solid(&mut self, solid: &Solid, material: usize) -> Option<usize> {
        let mesh = solid.form.mesh();
        let fan = |face: &Vec<usize>| {
            (2..face.len()).flat_map(|k| [face[0], face[k - 1], face[k]]).collect::<Vec<usize>>()
        };
        let (mode, indices): (u32, Vec<usize>) = if mesh.faces.is_empty() {
            (LINES, mesh.edges.iter().flatten().copied().collect())
        } else {
            (TRIANGLES, mesh.faces.iter().flat_map(fan).collect())
        };
        if indices.is_empty() {
            return None;
        }
        let corners: Vec<f32> = mesh.vertices.iter().flatten().map(|x| *x as f32).collect();
        let position = self.floats(&corners, "VEC3", Some(CORNERS));
        let bound = |i: usize, start: f32, pick: fn(f32, f32) -> f32| {
            corners.iter().skip(i).step_by(3).copied().fold(start, pick)
        };
        let low = [0, 1, 2].map(|i| bound(i, f32::INFINITY, f32::min));
        let high = [0, 1, 2].map(|i| bound(i, f32::NEG_INFINITY, f32::max));
        self.accessors[position]["min"] = json!(low);
        self.accessors[position]["max"] = json!(high);
        let view = self.view(indices.iter().map(|k| (*k as u32).to_le_bytes()), Some(INDICES));
        let index = self.accessor(json!({
            "bufferView": view, "componentType": UNSIGNED, "count": indices.len(), "type": "SCALAR"
        }));
        self.meshes.push(json!({ "primitives": [{
            "attributes": { "POSITION": position }, "indices": index, "material": material, "mode": mode
        }] }));
        let pose = crate::drawing::space::SpacePose::new(solid.at, solid.turn);
        self.nodes.push(json!({
            "mesh": self.meshes.len() - 1, "translation": pose.at, "rotation": order(pose.turn)
        }));
        Some(self.nodes.len() - 1)
    }
}
