//! `carom modes`: how the elastic bodies of a model vibrate, as table, CSV, JSON and figure.

#![allow(non_snake_case)]

use crate::args;
use crate::failure::{self, Failure};
use crate::figure::{ChartFormat, input};
use crate::model;
use crate::table::{say, say_json, short, table};
use carom::chart::{Axis, Chart, Curve, Panel};
use carom::elastic::{Damping, Elastic, Material, Modes, Reference, Unit};
use carom::{Model, Setup};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// Modes of a body by nodal coordinates, unless told how many.
const USUAL: usize = 10;
/// Largest displacement in a figure, relative to the size of the body.
const SWING: f64 = 0.12;
/// Parts in which a figure draws an element that bends.
const FINE: usize = 8;
/// Shares of the mass below this are round-off.
const ROUND_OFF: f64 = 1e-9;
/// Pixels of an image per pixel of the chart.
const DENSITY: f64 = 2.0;

/// A body and the shapes it may take.
#[derive(Debug)]
pub struct Answer {
    body: String,
    elastic: Elastic,
    /// Whether these are the body's own coordinates, as the model has them.
    own: bool,
    modes: Vec<Mode>,
}

#[derive(Debug)]
struct Mode {
    name: String,
    /// Hz.
    frequency: f64,
    /// Shares of mass and of moment of inertia that move with a frame accelerated along x, along y, or turned.
    share: [f64; 3],
    /// Share of the displacements that is along x.
    along_x: f64,
    /// Deformed outline, by chains of points (m).
    shape: Vec<Vec<[f64; 2]>>,
}

/// Computes and shows the modes.
pub fn modes(args: &args::Modes) -> Result<(), Failure> {
    let formats: Vec<_> = args.out.iter().map(|file| ChartFormat::of(file)).collect::<Result<_, _>>()?;
    let (_, setup) = model::open(&args.model.model, &args.model.set)?;
    let answers = of_setup(&setup, args.body.as_deref(), args.count, args.reference.map(Reference::from))?;
    for (file, format) in args.out.iter().zip(formats) {
        let content = match format {
            ChartFormat::Csv => csv(&answers).into_bytes(),
            ChartFormat::Svg => chart(&answers).svg().into_bytes(),
            ChartFormat::Png => chart(&answers).png(DENSITY),
        };
        carom::write_bytes(file, &content).map_err(|e| failure::wrong(e).run())?;
    }
    if args.json {
        return say_json(&data(&answers));
    }
    let written: String = args.out.iter().map(|file| format!("{}\n", file.display())).collect();
    say(&(text(&answers) + &written))
}

/// The modes of one body or of all, with a reference condition or as the model says.
pub fn of_setup(
    setup: &Setup,
    body: Option<&str>,
    count: Option<u16>,
    reference: Option<Reference>,
) -> Result<Vec<Answer>, Failure> {
    let model = match setup.model() {
        Some(carom::AnyModel::Plane(model)) => model,
        Some(carom::AnyModel::Space(_)) => {
            return Err(input("a model in space has no elastic bodies yet", "a model file of the plane"));
        }
        None => return Err(input("a coded system has no elastic bodies", "a model file")),
    };
    let bodies = chosen(model, body)?;
    bodies.into_iter().map(|(body, elastic)| answer(body, elastic, count, reference)).collect()
}

/// The bodies to look at: the one asked for, or all that vibrate in a frame of their own.
fn chosen<'a>(model: &'a Model, name: Option<&str>) -> Result<Vec<(&'a str, &'a Elastic)>, Failure> {
    let all: Vec<(&str, &Elastic)> =
        model.body_names().filter_map(|body| Some((body, model.elastic(body)?))).collect();
    let known: Vec<&str> = all.iter().map(|(body, _)| *body).collect();
    let right = match &known[..] {
        [] => "a body with `elastic` of type \"beam\" or \"solid\"".into(),
        known => format!("the bodies with modes are {}", known.join(", ")),
    };
    match name {
        Some(name) if !model.body_names().any(|body| body == name) => {
            Err(input(format!("there is no body `{name}`"), right))
        }
        Some(name) if !known.contains(&name) => {
            Err(input(format!("body `{name}` has no floating frame to vibrate in"), right))
        }
        Some(name) => Ok(all.into_iter().filter(|(body, _)| *body == name).collect()),
        None if known.is_empty() => Err(input("no body of the model has modes", right)),
        None => Ok(all),
    }
}

fn answer(
    body: &str,
    elastic: &Elastic,
    count: Option<u16>,
    asked: Option<Reference>,
) -> Result<Answer, Failure> {
    let reference = asked.unwrap_or(elastic.reference());
    let modal = (0..elastic.n()).all(|k| elastic.unit(k) == Unit::Amplitude);
    let own = modal && count.is_none() && asked.is_none();
    let shapes = if own {
        elastic.clone()
    } else {
        let most = free(elastic, reference);
        let count = count.map_or(USUAL.min(most), usize::from);
        Elastic::modal(elastic.elements().clone(), reference, &Modes::lowest(count), &Damping::None)
            .map_err(|error| input(format!("body `{body}`: {}", error.wrong()), error.remedy()))?
    };
    let modes = (0..shapes.n()).map(|k| mode(&shapes, k)).collect();
    Ok(Answer { body: body.into(), elastic: shapes, own, modes })
}

/// How many modes there are.
fn free(elastic: &Elastic, reference: Reference) -> usize {
    let held = elastic.elements().held(reference).map_or(0, |held| held.len());
    elastic.elements().dofs() - held.max(3)
}

fn mode(body: &Elastic, k: usize) -> Mode {
    let inertia = body.inertia();
    let omega2 = body.stiffness().values()[k];
    let q: Vec<f64> = (0..body.n()).map(|i| f64::from(u8::from(i == k))).collect();
    let places = places(body);
    let displaced = |at: &Material| -> ([f64; 2], [f64; 2]) {
        let point = body.point(*at).expect("an outline is made of material points");
        let mut u = [0.0; 2];
        for &(i, S, _) in &point.columns {
            u = [u[0] + S[0] * q[i as usize], u[1] + S[1] * q[i as usize]];
        }
        (point.u_0, u)
    };
    let moved: Vec<Vec<([f64; 2], [f64; 2])>> =
        places.iter().map(|chain| chain.iter().map(displaced).collect()).collect();
    let flat = || moved.iter().flatten();
    let largest = flat().map(|(_, u)| u[0].hypot(u[1])).fold(0.0, f64::max);
    let scale = if largest > 0.0 { SWING * size(body) / largest } else { 0.0 };
    let square = |axis: usize| flat().map(|(_, u)| u[axis] * u[axis]).sum::<f64>();
    let share = |along: f64, whole: f64| along * along / whole;
    Mode {
        name: body.name(k),
        frequency: omega2.sqrt() / TAU,
        share: [
            share(inertia.S[k][0], inertia.mass),
            share(inertia.S[k][1], inertia.mass),
            share(inertia.across[k], inertia.second),
        ],
        along_x: square(0) / (square(0) + square(1)),
        shape: moved
            .iter()
            .map(|chain| chain.iter().map(|(at, u)| [at[0] + scale * u[0], at[1] + scale * u[1]]).collect())
            .collect(),
    }
}

/// Material points to draw: those of the outline, and more between them where elements bend.
fn places(body: &Elastic) -> Vec<Vec<Material>> {
    let elements = body.elements();
    let bends = (0..elements.dofs()).any(|i| elements.unit(i) == Unit::Angle);
    let nodes = elements.nodes();
    let chain = |chain: &Vec<usize>| -> Vec<Material> {
        let mut places = vec![Material::Node(chain[0])];
        for pair in chain.windows(2) {
            if bends {
                let (a, b) = (nodes[pair[0]], nodes[pair[1]]);
                let between = |i: usize| {
                    let s = i as f64 / FINE as f64;
                    Material::At([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])])
                };
                places.extend((1..FINE).map(between));
            }
            places.push(Material::Node(pair[1]));
        }
        places
    };
    elements.outline().iter().filter(|nodes| !nodes.is_empty()).map(chain).collect()
}

/// Lower left and upper right corner.
fn bounds<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> [[f64; 2]; 2] {
    points.fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], p| {
        [[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]]
    })
}

fn size(body: &Elastic) -> f64 {
    let [low, high] = bounds(body.elements().nodes().iter());
    (high[0] - low[0]).hypot(high[1] - low[1])
}

/// A share of the mass in percent.
fn percent(share: f64) -> String {
    if share < ROUND_OFF { "0".into() } else { short(100.0 * share) }
}

/// How a mode moves, in a word or two.
fn motion(answer: &Answer, mode: &Mode) -> String {
    let elements = answer.elastic.elements();
    let beam = (0..elements.dofs()).any(|i| elements.unit(i) == Unit::Angle);
    match mode.along_x {
        x if beam && x > 1.0 - 1e-6 => "stretching".into(),
        x if beam && x < 1e-6 => "bending".into(),
        x => format!("{:.0} % along x", 100.0 * x),
    }
}

fn text(answers: &[Answer]) -> String {
    let mut text = String::new();
    for answer in answers {
        let (body, elastic) = (&answer.body, &answer.elastic);
        let what = if answer.own { "its own shapes" } else { "the slowest modes" };
        text.push_str(&format!(
            "{body}: {what} of {} nodal coordinates, reference condition {}\n",
            elastic.elements().dofs(),
            elastic.reference().name()
        ));
        let head = ["", "frequency (Hz)", "mass along x (%)", "along y (%)", "turning (%)", "motion"];
        let mut rows = vec![head.map(String::from).to_vec()];
        for mode in &answer.modes {
            rows.push(vec![
                mode.name.clone(),
                format!("{:.6}", Digits(mode.frequency)),
                percent(mode.share[0]),
                percent(mode.share[1]),
                percent(mode.share[2]),
                motion(answer, mode),
            ]);
        }
        if answer.modes.len() > 1 {
            let sum = |i: usize| percent(answer.modes.iter().map(|m| m.share[i]).sum());
            rows.push(vec!["together".into(), String::new(), sum(0), sum(1), sum(2), String::new()]);
        }
        text.push_str(&table(&rows, 24));
        if elastic.reference() == Reference::MeanAxis {
            text.push_str(
                "On the mean axis no mode has momentum: none takes part in the motion of the frame.\n",
            );
        }
        text.push('\n');
    }
    text
}

/// A number with this many digits, in plain or in power notation.
struct Digits(f64);

impl std::fmt::Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(6);
        let power = if self.0 == 0.0 { 0 } else { self.0.abs().log10().floor() as i32 };
        if (-3..7).contains(&power) {
            write!(f, "{:.*}", (digits as i32 - 1 - power).max(0) as usize, self.0)
        } else {
            write!(f, "{:.*e}", digits - 1, self.0)
        }
    }
}

fn csv(answers: &[Answer]) -> String {
    let mut csv = String::from("body,shape,frequency,mass_share_x,mass_share_y,turning_share,along_x\n");
    for answer in answers {
        for mode in &answer.modes {
            let [x, y, turning] = mode.share;
            csv.push_str(&format!(
                "{},{},{:?},{x:?},{y:?},{turning:?},{:?}\n",
                answer.body, mode.name, mode.frequency, mode.along_x
            ));
        }
    }
    csv
}

/// For programs.
pub fn data(answers: &[Answer]) -> Value {
    let mode = |mode: &Mode| {
        json!({
            "name": mode.name, "frequency": mode.frequency,
            "mass_share": { "x": mode.share[0], "y": mode.share[1], "turning": mode.share[2] },
            "along_x": mode.along_x, "shape": mode.shape,
        })
    };
    let body = |answer: &Answer| {
        json!({
            "body": answer.body,
            "reference": answer.elastic.reference().name(),
            "nodal_coordinates": answer.elastic.elements().dofs(),
            "own": answer.own,
            "modes": answer.modes.iter().map(mode).collect::<Vec<_>>(),
        })
    };
    json!({ "bodies": answers.iter().map(body).collect::<Vec<_>>() })
}

/// A panel for every mode: the shape over the undeformed body, both axes in the same scale.
fn chart(answers: &[Answer]) -> Chart {
    let mut panels = Vec::new();
    for answer in answers {
        let elements = answer.elastic.elements();
        let still = chains(
            "undeformed",
            elements.outline().iter().map(|chain| chain.iter().map(|&node| elements.nodes()[node]).collect()),
        );
        for mode in &answer.modes {
            let shape = chains("mode shape", mode.shape.iter().cloned());
            let whose = if answers.len() > 1 { format!("{} ", answer.body) } else { String::new() };
            panels.push(Panel {
                title: format!("{whose}{}: {:.4} Hz", mode.name, Digits(mode.frequency)),
                x: Axis::linear("x (m)"),
                y: Axis::linear("y (m)"),
                curves: vec![shape, still.clone()],
            });
        }
    }
    Chart { equal: true, ..Chart::new(panels) }
}

/// One curve of several chains, with gaps between them.
fn chains(label: &str, chains: impl Iterator<Item = Vec<[f64; 2]>>) -> Curve {
    Curve::new(label, chains.flat_map(|chain| chain.into_iter().chain([[f64::NAN; 2]])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_have_six_digits() {
        let shown = [51.395825, 0.0123456789, 1234567.8, 1.5e9, 0.0].map(|f| format!("{:.6}", Digits(f)));
        assert_eq!(shown, ["51.3958", "0.0123457", "1234568", "1.50000e9", "0.00000"]);
    }
}
