//! `scene.json`: all that is needed to draw the motion, in SI. The drawing says what moves, the motion where it is: frames
//! spread evenly over time, and one at each of the strongest impacts, so that what flashes is seen where it hits.
//!
//! Format 1 is the plane; format 2 has `drawing.space` and `motion.space` besides, which hold a mechanism in space.
//!
//! The size is bounded (see [`Scene::of`]); places are rounded to 32 bits, which is more than a screen can show.

use crate::block;
use crate::drawing::space::{SpaceDrawing, SpacePose, UPRIGHT};
use crate::drawing::{Columns, Drawing, Pose, Posture, SpaceTrack, Track, even_samples};
use carom_dynamics::{Channel, EventKind, Recording};
use serde::{Deserialize, Serialize};

/// Versions of the format that are written and read: in the plane, and in space.
const PLANE: u32 = 1;
const SPACE: u32 = 2;
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
    pub motion: SceneMotion,
}

/// Bodies and contacts over time, SI. Every series has one number per frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneMotion {
    /// Times of the frames (s).
    #[serde(with = "block::f64s")]
    pub t: Vec<f64>,
    /// Bodies, and their named points.
    pub bodies: Vec<BodyMotion>,
    /// Contacts that have a place.
    #[serde(default)]
    pub touches: Vec<Touch>,
    /// Bodies and contacts in space; none in the plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceMotion>,
}

/// Bodies and contacts in space over time, SI.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceMotion {
    /// Bodies, and their named points.
    pub bodies: Vec<SpaceBodyMotion>,
    /// Contacts that have a place.
    #[serde(default)]
    pub touches: Vec<SpaceTouch>,
}

/// The way of a body in space, frame by frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceBodyMotion {
    /// Name of the body, or of a point: `<body>.<point>`.
    pub name: String,
    /// x, y, z of its frame (m), three numbers per frame; none for a body about a fixed point.
    #[serde(with = "block::maybe_f32s")]
    pub r: Option<Vec<f32>>,
    /// Quaternion w, x, y, z, four numbers per frame; none for what does not turn.
    #[serde(with = "block::maybe_f32s")]
    pub p: Option<Vec<f32>>,
}

/// Where a contact in space acts; not-a-number where there is nothing to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpaceTouch {
    /// Name of the contact.
    pub name: String,
    /// x, y, z (m), three numbers per frame.
    #[serde(with = "block::f32s")]
    pub at: Vec<f32>,
    /// Unit normal, from the second partner to the first, three numbers per frame.
    #[serde(with = "block::f32s")]
    pub normal: Vec<f32>,
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
    /// What turns by quaternions is in space, with or without a drawing.
    pub fn of(recording: &Recording, drawing: &Drawing) -> Self {
        let mut drawing = drawing.clone();
        if drawing.space.is_none() && recording.channels.iter().any(|c| c.quantity() == "qw") {
            drawing.space = Some(SpaceDrawing::default());
        }
        let motion = if drawing.space.is_some() {
            SceneMotion::in_space(recording)
        } else {
            SceneMotion::of(recording)
        };
        Self { drawing, motion }
    }

    /// Whether it is in space.
    pub fn is_spatial(&self) -> bool {
        self.drawing.space.is_some()
    }

    /// Whether there is nothing to be seen: a coded system without a sketch.
    pub fn is_empty(&self) -> bool {
        let space = self.motion.space.as_ref().is_some_and(|space| !space.bodies.is_empty())
            || self.drawing.space.as_ref().is_some_and(|space| !space.bodies.is_empty());
        !space
            && self.motion.bodies.is_empty()
            && self.drawing.figures.iter().all(|figure| figure.strokes.is_empty())
    }

    /// The text of `scene.json`.
    pub fn json(&self) -> String {
        let format = if self.is_spatial() { SPACE } else { PLANE };
        let document = Document { format, scene: self };
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
        if ![PLANE, SPACE].contains(&format) {
            return Err(format!("its format {format} is not known, only {PLANE} and {SPACE} are"));
        }
        let scene: Self = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if let Some(wrong) =
            scene.drawing.space.as_ref().and_then(|space| space.complaints().into_iter().next())
        {
            return Err(wrong);
        }
        match scene.motion.misfit() {
            Some(name) => Err(format!("the series of `{name}` do not have one number per frame")),
            None => Ok(scene),
        }
    }
}

impl SceneMotion {
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
            space: None,
        }
    }

    /// The motion of a mechanism in space.
    fn in_space(recording: &Recording) -> Self {
        let columns = Columns::new(recording);
        // a body is met at its z or, about a fixed point, at its qw; one that has both is taken once
        let met = |channel: &&Channel| match channel.quantity() {
            "z" => channel.unit == "m",
            "qw" => columns.of(channel.subject(), "z").is_none(),
            _ => false,
        };
        let tracks: Vec<(&str, SpaceTrack<'_>)> = recording
            .channels
            .iter()
            .filter(met)
            .filter_map(|channel| Some((channel.subject(), columns.space_track(channel.subject())?)))
            .collect();
        let touches = recording.channels.iter().filter(|channel| channel.quantity() == "touch.x");
        let contacts: Vec<&str> = touches.map(Channel::subject).collect();
        let numbers = 7 * tracks.len() + 6 * contacts.len();
        let frames = frames(recording, (NUMBERS / numbers.max(1)).clamp(FEWEST, FRAMES));

        let spread = |columns: &[&[f64]]| -> Vec<f32> {
            frames.iter().flat_map(|&k| columns.iter().map(move |column| column[k] as f32)).collect()
        };
        let body = |(name, track): &(&str, SpaceTrack<'_>)| SpaceBodyMotion {
            name: (*name).into(),
            r: track.place().map(|columns| spread(&columns)),
            p: track.turn().map(|columns| spread(&columns)),
        };
        let touch = |name: &str| {
            let three = |what: [&str; 3]| {
                let [x, y, z] = what.map(|w| columns.of(name, w));
                Some(spread(&[x?, y?, z?]))
            };
            let at = three(["touch.x", "touch.y", "touch.z"])?;
            let normal = three(["touch.nx", "touch.ny", "touch.nz"])?;
            Some(SpaceTouch { name: name.into(), at, normal })
        };
        let t = recording.columns.first().map_or(&[][..], Vec::as_slice);
        let space = SpaceMotion {
            bodies: tracks.iter().map(body).collect(),
            touches: contacts.into_iter().filter_map(touch).collect(),
        };
        Self { t: frames.iter().map(|&k| t[k]).collect(), space: Some(space), ..Self::default() }
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
        let space = self.space.as_ref().map_or(0, |s| 7 * s.bodies.len() + 6 * s.touches.len());
        space + 3 * (self.bodies.len() + self.touches.len()) + shapes.map(|s| 3 * s.points).sum::<usize>()
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
        let groups = |column: &[f32], size: usize| -> Vec<f32> {
            frames.iter().flat_map(|&k| &column[k * size..(k + 1) * size]).copied().collect()
        };
        let in_space = |s: &SpaceMotion| SpaceMotion {
            bodies: s
                .bodies
                .iter()
                .map(|b| SpaceBodyMotion {
                    name: b.name.clone(),
                    r: b.r.as_ref().map(|r| groups(r, 3)),
                    p: b.p.as_ref().map(|p| groups(p, 4)),
                })
                .collect(),
            touches: s
                .touches
                .iter()
                .map(|t| SpaceTouch {
                    name: t.name.clone(),
                    at: groups(&t.at, 3),
                    normal: groups(&t.normal, 3),
                })
                .collect(),
        };
        Self {
            t: frames.iter().map(|&k| self.t[k]).collect(),
            bodies: self.bodies.iter().map(body).collect(),
            touches: self.touches.iter().map(touch).collect(),
            space: self.space.as_ref().map(in_space),
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
        let groups = |column: &[f32], size: usize| Some(column.len()) == frames.checked_mul(size);
        let maybe = |column: &Option<Vec<f32>>, size: usize| column.as_ref().is_none_or(|c| groups(c, size));
        let in_space = |s: &'_ SpaceMotion| {
            let body = s.bodies.iter().position(|b| !(maybe(&b.r, 3) && maybe(&b.p, 4)));
            let touch = s.touches.iter().position(|t| !(groups(&t.at, 3) && groups(&t.normal, 3)));
            (body, touch)
        };
        let of_space = self.space.as_ref().and_then(|s| match in_space(s) {
            (Some(i), _) => Some(s.bodies[i].name.as_str()),
            (None, Some(i)) => Some(s.touches[i].name.as_str()),
            (None, None) => None,
        });
        body.or_else(|| self.touches.iter().find(|t| !touch_fits(t)).map(|t| t.name.as_str())).or(of_space)
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

impl SpaceBodyMotion {
    /// Where the body is in frame `k`.
    pub fn pose(&self, k: usize) -> SpacePose {
        let at = |r: &Vec<f32>| [0, 1, 2].map(|i| f64::from(r[3 * k + i]));
        let turn = |p: &Vec<f32>| [0, 1, 2, 3].map(|i| f64::from(p[4 * k + i]));
        SpacePose::new(self.r.as_ref().map_or([0.0; 3], at), self.p.as_ref().map_or(UPRIGHT, turn))
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
