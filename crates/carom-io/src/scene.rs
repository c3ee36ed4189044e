//! `scene.json`: all that is needed to draw the motion, in SI. The drawing says what moves, the motion where it is: frames
//! spread evenly over time, and one at each of the strongest impacts, so that what flashes is seen where it hits.
//!
//! The size is bounded (see [`Scene::of`]); places are rounded to 32 bits, which is more than a screen can show.

use crate::block;
use crate::drawing::{Columns, Drawing, Pose, Posture, Track, even_samples};
use carom_dynamics::{Channel, EventKind, Recording};
use serde::{Deserialize, Serialize};

/// Version of the format that is written and read.
const FORMAT: u32 = 1;
/// Most frames, and most numbers in all of them.
const FRAMES: usize = 1500;
const NUMBERS: usize = 400_000;
/// Fewest frames, however many bodies there are.
const FEWEST: usize = 60;
/// One frame in this many may be spent on impacts.
const IMPACT_SHARE: usize = 3;

/// A mechanism and its motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// What it looks like.
    pub drawing: Drawing,
    /// Where it is.
    pub motion: Motion,
}

/// Bodies and contacts over time, SI. Every series has one number per frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Times of the frames (s).
    #[serde(with = "block::f64s")]
    pub t: Vec<f64>,
    /// Bodies, and their named points.
    pub bodies: Vec<BodyMotion>,
    /// Contacts that have a place.
    #[serde(default)]
    pub touches: Vec<Touch>,
}

/// The way of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyMotion {
    /// Name of the body, or of a point: `<body>.<point>`.
    pub name: String,
    /// Horizontal place of its frame (m).
    #[serde(with = "block::f32s")]
    pub x: Vec<f32>,
    /// Vertical place (m).
    #[serde(with = "block::f32s")]
    pub y: Vec<f32>,
    /// Angle (rad); none for what does not turn.
    #[serde(with = "block::maybe_f32s")]
    pub angle: Option<Vec<f32>>,
    /// Points of a flexible body.
    pub shape: Option<ShapeMotion>,
}

/// The points of a flexible body over time, in the inertial frame: all points of the first frame, then all of the second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShapeMotion {
    /// How many points.
    pub points: usize,
    /// Horizontal places (m).
    #[serde(with = "block::f32s")]
    pub x: Vec<f32>,
    /// Vertical places (m).
    #[serde(with = "block::f32s")]
    pub y: Vec<f32>,
    /// Stresses (Pa), if they were recorded.
    #[serde(with = "block::maybe_f32s")]
    pub stress: Option<Vec<f32>>,
}

/// Where a contact acts; not-a-number where there is nothing to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// Name of the contact.
    pub name: String,
    /// Horizontal place (m).
    #[serde(with = "block::f32s")]
    pub x: Vec<f32>,
    /// Vertical place (m).
    #[serde(with = "block::f32s")]
    pub y: Vec<f32>,
    /// Direction of the normal, from the second partner to the first (rad).
    #[serde(with = "block::f32s")]
    pub angle: Vec<f32>,
}

/// The file.
#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    #[serde(flatten)]
    scene: &'a Scene,
}

impl Scene {
    /// The scene of a recording in SI: at most 1500 frames and about 400 000 numbers.
    pub fn of(recording: &Recording, drawing: &Drawing) -> Self {
        Self { drawing: drawing.clone(), motion: Motion::of(recording) }
    }

    /// Whether there is nothing to be seen: a coded system without a sketch.
    pub fn is_empty(&self) -> bool {
        self.motion.bodies.is_empty() && self.drawing.figures.iter().all(|figure| figure.strokes.is_empty())
    }

    /// The text of `scene.json`.
    pub fn json(&self) -> String {
        let document = Document { format: FORMAT, scene: self };
        let mut text = serde_json::to_string(&document).expect("a scene is plain data with text keys");
        text.push('\n');
        text
    }

    /// Reads the text of `scene.json`; the error is a clause that says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let Version { format } = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if format != FORMAT {
            return Err(format!("its format {format} is not known, only {FORMAT} is"));
        }
        let scene: Self = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match scene.motion.misfit() {
            Some(name) => Err(format!("the series of `{name}` do not have one number per frame")),
            None => Ok(scene),
        }
    }
}

impl Motion {
    fn of(recording: &Recording) -> Self {
        let columns = Columns::new(recording);
        let tracks: Vec<(&str, Track<'_>)> = recording
            .channels
            .iter()
            .filter(|channel| channel.quantity() == "x" && channel.unit == "m")
            .filter_map(|channel| Some((channel.subject(), columns.track(channel.subject())?)))
            .collect();
        let touches = recording.channels.iter().filter(|channel| channel.quantity() == "touch.x");
        let contacts: Vec<&str> = touches.map(Channel::subject).collect();
        let of_shapes: usize = tracks.iter().map(|(_, track)| 3 * track.shape().len()).sum();
        let numbers = 3 * (tracks.len() + contacts.len()) + of_shapes;
        let frames = frames(recording, (NUMBERS / numbers.max(1)).clamp(FEWEST, FRAMES));

        let pick = |column: &[f64]| frames.iter().map(|&k| column[k] as f32).collect::<Vec<f32>>();
        let spread = |points: &[&[f64]]| {
            frames.iter().flat_map(|&k| points.iter().map(move |column| column[k] as f32)).collect()
        };
        let shape = |body: &str, track: &Track<'_>| {
            let points = track.shape().len();
            let stress: Option<Vec<&[f64]>> =
                (0..points).map(|n| columns.of(body, &format!("shape.{n}.stress"))).collect();
            let axis = |i: usize| spread(&track.shape().iter().map(|p| p[i]).collect::<Vec<_>>());
            ShapeMotion { points, x: axis(0), y: axis(1), stress: stress.map(|columns| spread(&columns)) }
        };
        let body = |(name, track): &(&str, Track<'_>)| {
            let (x, y, angle) = track.columns();
            BodyMotion {
                name: (*name).into(),
                x: pick(x),
                y: pick(y),
                angle: angle.map(pick),
                shape: (!track.shape().is_empty()).then(|| shape(name, track)),
            }
        };
        let touch = |name: &str| {
            let column = |what| Some(pick(columns.of(name, what)?));
            let (x, y, angle) = (column("touch.x")?, column("touch.y")?, column("touch.angle")?);
            Some(Touch { name: name.into(), x, y, angle })
        };
        let t = recording.columns.first().map_or(&[][..], Vec::as_slice);
        Self {
            t: frames.iter().map(|&k| t[k]).collect(),
            bodies: tracks.iter().map(body).collect(),
            touches: contacts.into_iter().filter_map(touch).collect(),
        }
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.t.len()
    }

    /// The last frame at or before `t` (s); the first if there is none.
    pub fn frame_at(&self, t: f64) -> usize {
        self.t.partition_point(|x| *x <= t).saturating_sub(1)
    }

    /// The way of a body; none if it stands still.
    pub fn body(&self, name: &str) -> Option<&BodyMotion> {
        self.bodies.iter().find(|body| body.name == name)
    }

    /// How many numbers a frame is.
    pub(crate) fn numbers_per_frame(&self) -> usize {
        let shapes = self.bodies.iter().filter_map(|b| b.shape.as_ref());
        3 * (self.bodies.len() + self.touches.len()) + shapes.map(|s| 3 * s.points).sum::<usize>()
    }

    /// The same with at most `count` frames.
    pub(crate) fn thinned(&self, count: usize) -> Self {
        let frames = even_samples(&self.t, count);
        let pick = |column: &Vec<f32>| frames.iter().map(|&k| column[k]).collect::<Vec<f32>>();
        let shape = |s: &ShapeMotion| {
            let rows = |column: &Vec<f32>| -> Vec<f32> {
                frames.iter().flat_map(|&k| &column[k * s.points..(k + 1) * s.points]).copied().collect()
            };
            ShapeMotion {
                points: s.points,
                x: rows(&s.x),
                y: rows(&s.y),
                stress: s.stress.as_ref().map(rows),
            }
        };
        let body = |b: &BodyMotion| BodyMotion {
            name: b.name.clone(),
            x: pick(&b.x),
            y: pick(&b.y),
            angle: b.angle.as_ref().map(pick),
            shape: b.shape.as_ref().map(shape),
        };
        let touch =
            |t: &Touch| Touch { name: t.name.clone(), x: pick(&t.x), y: pick(&t.y), angle: pick(&t.angle) };
        Self {
            t: frames.iter().map(|&k| self.t[k]).collect(),
            bodies: self.bodies.iter().map(body).collect(),
            touches: self.touches.iter().map(touch).collect(),
        }
    }

    /// A body or contact whose series are not as long as they should be.
    fn misfit(&self) -> Option<&str> {
        let frames = self.t.len();
        let fits = |column: &Vec<f32>| column.len() == frames;
        let shape_fits = |s: &ShapeMotion| {
            [Some(&s.x), Some(&s.y), s.stress.as_ref()]
                .into_iter()
                .flatten()
                .all(|column| Some(column.len()) == frames.checked_mul(s.points))
        };
        let body_fits = |b: &&BodyMotion| {
            fits(&b.x)
                && fits(&b.y)
                && b.angle.as_ref().is_none_or(fits)
                && b.shape.as_ref().is_none_or(shape_fits)
        };
        let touch_fits = |t: &&Touch| fits(&t.x) && fits(&t.y) && fits(&t.angle);
        let body = self.bodies.iter().find(|b| !body_fits(b)).map(|b| b.name.as_str());
        body.or_else(|| self.touches.iter().find(|t| !touch_fits(t)).map(|t| t.name.as_str()))
    }
}

impl BodyMotion {
    /// Where the body and its shape points are in frame `k`.
    pub fn posture(&self, k: usize) -> Posture {
        let angle = self.angle.as_ref().map_or(0.0, |a| f64::from(a[k]));
        let shape = self.shape.as_ref().map_or_else(Vec::new, |s| {
            let of_frame = k * s.points..(k + 1) * s.points;
            let places = s.x[of_frame.clone()].iter().zip(&s.y[of_frame]);
            places.map(|(x, y)| [f64::from(*x), f64::from(*y)]).collect()
        });
        Posture { pose: Pose { at: [f64::from(self.x[k]), f64::from(self.y[k])], angle }, shape }
    }
}

/// The samples that become frames, at most `count`: those at the strongest impacts, the rest spread evenly over time.
fn frames(recording: &Recording, count: usize) -> Vec<usize> {
    let t = recording.columns.first().map_or(&[][..], Vec::as_slice);
    if t.len() <= count {
        return (0..t.len()).collect();
    }
    let mut impacts: Vec<_> = recording.events.iter().filter(|e| e.kind == EventKind::Impact).collect();
    // stable: of equal ones the first
    impacts.sort_by(|a, b| b.impulse.abs().total_cmp(&a.impulse.abs()));
    impacts.truncate(count / IMPACT_SHARE);
    // an event carries the time of the end of its step, which is a sample unless fewer are kept
    let mut picked: Vec<usize> =
        impacts.iter().map(|e| t.partition_point(|x| *x < e.t).min(t.len() - 1)).collect();
    picked.sort_unstable();
    picked.dedup();
    let even = count - picked.len();
    picked.extend(even_samples(t, even));
    picked.sort_unstable();
    picked.dedup();
    picked
}
