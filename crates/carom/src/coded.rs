//! A coded system on the way of a model file: its parameters and its `[simulation]` are written as the text of one and
//! read by the same reader, so that changes, formulas, messages and the record of a run are the same for both.

use carom_io::drawing::space::{
    Form, Solid, SpaceAnchor, SpaceDrawing, SpaceFigure, SpaceJointMark, UPRIGHT,
};
use carom_io::{
    Anchor, Diagnostic, Diagnostics, Drawing, Figure, JointMark, LoadedModel, Mark, Stroke, Topic,
};
use carom_model::suggest;
use carom_systems::{Coded, Sketch, SystemError, SystemInfo};
use std::fmt::Write as _;

/// The text that stands for a model file.
fn text(info: &SystemInfo) -> String {
    let mut text = format!("title = {:?}\n[parameters]\n", info.title);
    for p in info.parameters {
        writeln!(text, "{} = {:?}", p.name, p.default).expect("a string takes any text");
    }
    let SystemInfo { scheme, step, end, .. } = info;
    write!(text, "[simulation]\nscheme = {scheme:?}\nstep = {step:?}\nend = {end:?}\n")
        .expect("a string takes any text");
    text
}

/// Reads the parameters with their changes.
pub(crate) fn load(info: &SystemInfo, changes: &[(String, String)]) -> Result<LoadedModel, Diagnostics> {
    // what a model file may have besides, a coded system has not
    let known = |key: &str| {
        info.parameters.iter().any(|p| p.name == key)
            || key.split('.').next().is_some_and(|first| first.trim() == "simulation")
    };
    let foreign = |(key, value): &(String, String)| {
        let names: Vec<&str> = info.parameters.iter().map(|p| p.name).collect();
        let message = format!("system `{}` has no parameter `{key}`", info.name);
        let help = suggest::choices(key, "its parameters", &names) + ", and the keys of `simulation`";
        Diagnostic::of_change(key, value, message, help, Topic::Systems)
    };
    let list: Vec<Diagnostic> = changes.iter().filter(|(key, _)| !known(key)).map(foreign).collect();
    if list.is_empty() {
        carom_io::load_text(info.name, &text(info), changes)
    } else {
        Err(Diagnostics { list })
    }
}

/// Fills the parameters that were read into the system.
pub(crate) fn build(info: &SystemInfo, loaded: &LoadedModel) -> Result<Coded, Diagnostic> {
    let values: Vec<(&str, f64)> = loaded.parameters.iter().map(|(k, v)| (k.as_str(), *v)).collect();
    info.build(&values).map_err(|error| match &error {
        SystemError::Range { parameter, value, range, .. } => {
            let meaning = info.parameters.iter().find(|p| p.name == *parameter).map_or("", |p| p.meaning);
            let message = format!("parameter `{parameter}` is {value}; it must be {range}");
            loaded.diagnose(&["parameters", parameter], message, format!("{parameter}: {meaning}"))
        }
        other => {
            Diagnostic::of_file(info.name, other.to_string(), "parameters of this system", Topic::Systems)
        }
    })
}

/// A sketch as strokes and marks.
pub(crate) fn drawing(sketch: &Sketch) -> Drawing {
    let line = |points: &Vec<[f64; 2]>, closed| Stroke::Line { points: points.clone(), closed };
    let figures = sketch.parts.iter().map(|part| {
        let lines = part.lines.iter().map(|l| line(l, false));
        let shapes = part.shapes.iter().map(|s| line(s, true));
        let disks = part.disks.iter().map(|&(center, radius)| Stroke::Circle { center, radius });
        Figure {
            body: part.body.into(),
            strokes: lines.chain(shapes).chain(disks).collect(),
            ..Figure::default()
        }
    });
    let mark = |c: &carom_systems::Corner| Mark {
        subject: c.contact.clone(),
        body: c.body.into(),
        at: c.at,
        radius: 0.0,
    };
    let joint = |p: &carom_systems::Pivot| JointMark {
        name: p.name.into(),
        kind: p.kind.into(),
        body: p.of.0.into(),
        at: p.of.1,
        angle: 0.0,
        to: Some(Anchor { body: p.to.0.into(), at: p.to.1 }),
    };
    Drawing {
        figures: figures.collect(),
        marks: sketch.corners.iter().map(mark).collect(),
        joints: sketch.pivots.iter().map(joint).collect(),
        space: space(sketch),
        ..Drawing::default()
    }
}

/// The solids of a sketch; none in the plane.
fn space(sketch: &Sketch) -> Option<SpaceDrawing> {
    let mut bodies: Vec<SpaceFigure> = Vec::new();
    for solid in &sketch.solids {
        let form = match solid.form {
            carom_systems::Form::Ball(radius) => Form::Sphere { radius },
            carom_systems::Form::Box(size) => Form::Box { size },
            carom_systems::Form::Cylinder(radius, length) => Form::Cylinder { radius, length },
        };
        let drawn = Solid::new(form).at(solid.at);
        match bodies.iter_mut().find(|figure| figure.body == solid.body) {
            Some(figure) => figure.solids.push(drawn),
            None => bodies.push(SpaceFigure::new(solid.body).with(drawn)),
        }
    }
    let joint = |&(body, at): &(&str, [f64; 3])| SpaceJointMark {
        name: "ball".into(),
        kind: "spherical".into(),
        body: body.into(),
        at,
        turn: UPRIGHT,
        to: Some(SpaceAnchor::new("ground", [0.0; 3])),
    };
    let joints = sketch.held.iter().map(joint).collect();
    (!bodies.is_empty()).then(|| SpaceDrawing { bodies, joints, springs: Vec::new() })
}
