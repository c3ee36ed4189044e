//! A scene at any instant: between two frames everything moves straight.

use crate::drawing::space::SpacePose;
use crate::drawing::{Figure, Pose, Posture, Stroke};
use crate::scene::{BodyMotion, Scene, SpaceBodyMotion, SpaceTouch, Touch};
use crate::units::{Dimension, Units};
use carom_dynamics::rotation::Vector;
use carom_dynamics::{EventKind, Recording};
use std::collections::HashMap;

/// What the contacts do, for flashes and arrows; times in s.
#[derive(Clone, Debug, Default)]
pub struct Action {
    /// Times of the samples of the forces (s).
    t: Vec<f64>,
    /// Name and normal force of every contact.
    forces: Vec<(String, Vec<f64>)>,
    /// Time and contact of every impact, in order of time.
    impacts: Vec<(f64, String)>,
}

impl Action {
    /// From what was recorded, in the units of its file.
    pub fn of(recording: &Recording, units: &Units) -> Self {
        let factor = units.factor(Dimension::TIME);
        let recorded = recording.channels.iter().zip(&recording.columns);
        let pushing = recorded.filter(|(channel, _)| channel.quantity() == "force_n");
        let forces = pushing.map(|(channel, column)| (channel.subject().to_string(), column.clone()));
        let impacts = recording.events.iter().filter(|e| e.kind == EventKind::Impact);
        Self {
            t: recording.columns.first().map_or(Vec::new(), |t| t.iter().map(|t| t * factor).collect()),
            forces: forces.collect(),
            impacts: impacts.map(|e| (e.t * factor, e.subject.clone())).collect(),
        }
    }

    /// A force that few exceed between two instants, to which arrows are scaled; none if nothing presses.
    pub(crate) fn usual_force(&self, [from, to]: [f64; 2]) -> Option<f64> {
        /// Share of the samples with force that may exceed it.
        const EXCEED: f64 = 0.05;
        let range = self.t.partition_point(|t| *t < from)..self.t.partition_point(|t| *t <= to);
        let mut pressing: Vec<f64> =
            self.forces.iter().flat_map(|(_, f)| &f[range.clone()]).copied().filter(|f| *f > 0.0).collect();
        pressing.sort_by(f64::total_cmp);
        let k = ((1.0 - EXCEED) * pressing.len() as f64) as usize;
        pressing.get(k.min(pressing.len().wrapping_sub(1))).copied().filter(|f| f.is_finite())
    }

    /// Contacts that press at `t`, with their forces.
    pub(crate) fn pressing(&self, t: f64) -> impl Iterator<Item = (&str, f64)> {
        let k = self.t.partition_point(|x| *x < t).min(self.t.len().saturating_sub(1));
        self.forces
            .iter()
            .filter_map(move |(name, f)| Some((name.as_str(), *f.get(k)?)))
            .filter(|(_, f)| *f > 0.0 && f.is_finite())
    }

    /// The last impact of every contact after `from` and not after `to`.
    pub(crate) fn recent(&self, from: f64, to: f64) -> Vec<(f64, &str)> {
        let range =
            self.impacts.partition_point(|e| e.0 <= from)..self.impacts.partition_point(|e| e.0 <= to);
        let mut last: Vec<(f64, &str)> = Vec::new();
        for (t, subject) in &self.impacts[range] {
            match last.iter_mut().find(|(_, s)| s == subject) {
                Some(found) => found.0 = *t,
                None => last.push((*t, subject)),
            }
        }
        last
    }
}

/// A scene with all that is looked up in it.
#[derive(Clone, Debug)]
pub struct Stage<'a> {
    scene: &'a Scene,
    units: Units,
    action: Action,
    bodies: HashMap<&'a str, &'a BodyMotion>,
    touches: HashMap<&'a str, &'a Touch>,
    /// The same in space.
    space_bodies: HashMap<&'a str, &'a SpaceBodyMotion>,
    space_touches: HashMap<&'a str, &'a SpaceTouch>,
    /// Figure and stroke of every wall without end, and on which sides.
    endless: HashMap<(usize, usize), [bool; 2]>,
}

impl<'a> Stage<'a> {
    /// Without action; `units` are those of the scale bar and the clock.
    pub fn new(scene: &'a Scene, units: Units) -> Self {
        let space = scene.motion.space.as_ref();
        let mut stage = Self {
            space_bodies: space
                .map_or_else(HashMap::new, |s| s.bodies.iter().map(|b| (b.name.as_str(), b)).collect()),
            space_touches: space
                .map_or_else(HashMap::new, |s| s.touches.iter().map(|t| (t.name.as_str(), t)).collect()),
            scene,
            units,
            action: Action::default(),
            bodies: scene.motion.bodies.iter().map(|b| (b.name.as_str(), b)).collect(),
            touches: scene.motion.touches.iter().map(|t| (t.name.as_str(), t)).collect(),
            endless: HashMap::new(),
        };
        stage.endless = stage.walls_without_end();
        stage
    }

    /// Straight strokes of the ground that something touches, at right angles, where they are not drawn any more: a wall
    /// has no end, and of one drawn to some length more is to be shown on that side.
    fn walls_without_end(&self) -> HashMap<(usize, usize), [bool; 2]> {
        /// How far a touch may be beside the line, and must be past its end, relative to its length; and sine of the angle
        /// by which its normal may be off.
        const OFF: f64 = 0.01;
        let mut found = HashMap::new();
        for (i, figure) in self.still_figures() {
            for (j, stroke) in figure.strokes.iter().enumerate() {
                let Stroke::Line { points, closed: false } = stroke else { continue };
                let [a, b] = points[..] else { continue };
                let d = [b[0] - a[0], b[1] - a[1]];
                let length = d[0].hypot(d[1]);
                // past its beginning or its end, in lengths
                let past = |x: f32, y: f32, angle: f32, side: usize| {
                    let p = [f64::from(x) - a[0], f64::from(y) - a[1]].map(|x| x / length);
                    let s = d.map(|x| x / length);
                    let (along, beside) = (p[0] * s[0] + p[1] * s[1], p[1] * s[0] - p[0] * s[1]);
                    let (sin, cos) = f64::from(angle).sin_cos();
                    let upright = (cos * s[0] + sin * s[1]).abs() < OFF;
                    upright && beside.abs() < OFF && [along < -OFF, along > 1.0 + OFF][side]
                };
                let touched = |side: usize| {
                    let frames = |t: &Touch| (0..t.x.len()).any(|k| past(t.x[k], t.y[k], t.angle[k], side));
                    self.scene.motion.touches.iter().any(frames)
                };
                let sides = [touched(0), touched(1)];
                if sides[0] || sides[1] {
                    found.insert((i, j), sides);
                }
            }
        }
        found
    }

    fn still_figures(&self) -> impl Iterator<Item = (usize, &'a Figure)> {
        self.scene.drawing.figures.iter().enumerate().filter(|(_, f)| !self.moves(&f.body))
    }

    /// Strokes that stand still, in the inertial frame. Walls without end are drawn far longer.
    pub(crate) fn still(&self) -> Vec<Stroke> {
        /// Lengths added.
        const LONGER: f64 = 50.0;
        let mut strokes = Vec::new();
        for (i, figure) in self.still_figures() {
            for (j, stroke) in figure.strokes.iter().enumerate() {
                match (stroke, self.endless.get(&(i, j))) {
                    (Stroke::Line { points, closed }, Some(sides)) => {
                        let (a, b) = (points[0], points[1]);
                        let end = |a: [f64; 2], b: [f64; 2], far: bool| {
                            if far { [0, 1].map(|k| a[k] + LONGER * (a[k] - b[k])) } else { a }
                        };
                        let points = vec![end(a, b, sides[0]), end(b, a, sides[1])];
                        strokes.push(Stroke::Line { points, closed: *closed });
                    }
                    _ => strokes.push(stroke.clone()),
                }
            }
        }
        strokes
    }

    /// With flashes where bodies hit, and arrows where they press.
    pub fn with_action(self, action: Action) -> Self {
        Self { action, ..self }
    }

    /// First and last instant (s).
    pub fn span(&self) -> [f64; 2] {
        let t = &self.scene.motion.t;
        [t.first().copied().unwrap_or(0.0), t.last().copied().unwrap_or(0.0)]
    }

    pub(crate) fn scene(&self) -> &'a Scene {
        self.scene
    }

    pub(crate) fn action(&self) -> &Action {
        &self.action
    }

    /// Word of the unit of time, and one of it in s.
    pub fn time_unit(&self) -> (String, f64) {
        (self.units.word(Dimension::TIME), self.units.factor(Dimension::TIME))
    }

    pub(crate) fn length_unit(&self) -> (String, f64) {
        (self.units.word(Dimension::LENGTH), self.units.factor(Dimension::LENGTH))
    }

    /// Figures that move, in order, each with its number among them.
    pub(crate) fn moving(&self) -> impl Iterator<Item = (usize, &'a Figure)> {
        self.scene.drawing.figures.iter().filter(|f| self.moves(&f.body)).enumerate()
    }

    pub(crate) fn moves(&self, body: &str) -> bool {
        self.bodies.contains_key(body) && !self.scene.motion.t.is_empty()
    }

    /// Bodies in space, and their named points, in order.
    pub(crate) fn space_bodies(&self) -> impl Iterator<Item = &'a str> {
        let space = self.scene.motion.space.as_ref();
        space.into_iter().flat_map(|s| &s.bodies).map(|b| b.name.as_str())
    }

    /// Contacts in space, in order.
    pub(crate) fn space_touches(&self) -> impl Iterator<Item = &'a str> {
        let space = self.scene.motion.space.as_ref();
        space.into_iter().flat_map(|s| &s.touches).map(|t| t.name.as_str())
    }

    pub(crate) fn moves_in_space(&self, body: &str) -> bool {
        self.space_bodies.contains_key(body) && !self.scene.motion.t.is_empty()
    }

    /// The scene at an instant (s); before the first and after the last frame it stands still.
    pub(crate) fn at(&self, t: f64) -> Instant<'_, 'a> {
        let times = &self.scene.motion.t;
        let last = times.len().saturating_sub(1);
        let k = times.partition_point(|x| *x <= t).saturating_sub(1).min(last);
        let share = match times.get(k..k + 2) {
            Some(&[a, b]) if b > a => ((t - a) / (b - a)).clamp(0.0, 1.0),
            _ => 0.0,
        };
        Instant { stage: self, t, k, share }
    }
}

/// A scene at an instant.
pub(crate) struct Instant<'s, 'a> {
    stage: &'s Stage<'a>,
    /// Time (s).
    pub t: f64,
    /// The frame before, and how far it is to the next one, 0 to 1.
    k: usize,
    share: f64,
}

impl Instant<'_, '_> {
    /// Where a body is; none if it stands still, or is nowhere because its place is no number.
    pub fn posture(&self, body: &str) -> Option<Posture> {
        let motion = self.stage.bodies.get(body).filter(|_| !self.stage.scene.motion.t.is_empty())?;
        let mut now = motion.posture(self.k);
        if self.share > 0.0 {
            let next = motion.posture(self.k + 1);
            let between = |a: f64, b: f64| a + self.share * (b - a);
            let places = |a: [f64; 2], b: [f64; 2]| [between(a[0], b[0]), between(a[1], b[1])];
            now.pose.at = places(now.pose.at, next.pose.at);
            now.pose.angle = between(now.pose.angle, next.pose.angle);
            now.shape = now.shape.iter().zip(&next.shape).map(|(a, b)| places(*a, *b)).collect();
        }
        let numbers = now.shape.iter().flatten().chain(&now.pose.at).chain([&now.pose.angle]);
        let somewhere = numbers.copied().all(f64::is_finite);
        somewhere.then_some(now)
    }

    /// The pose of a body, or of what stands still.
    pub fn pose(&self, body: &str) -> Pose {
        let nowhere = Pose { at: [f64::NAN; 2], angle: 0.0 };
        let still = if self.stage.moves(body) { nowhere } else { Pose::default() };
        self.posture(body).map_or(still, |p| p.pose)
    }

    /// The pose in space of a body, or of what stands still; none if it is nowhere.
    pub fn space_pose(&self, body: &str) -> Option<SpacePose> {
        if !self.stage.moves_in_space(body) {
            return Some(SpacePose::default());
        }
        let motion = self.stage.space_bodies[body];
        let now = motion.pose(self.k);
        let pose = if self.share > 0.0 { now.toward(&motion.pose(self.k + 1), self.share) } else { now };
        pose.is_finite().then_some(pose)
    }

    /// Place and normal of a contact in space at its nearest frame, if it has one there.
    pub fn space_touch(&self, name: &str) -> Option<(Vector, Vector)> {
        let touch = self.stage.space_touches.get(name)?;
        let near = self.k + usize::from(self.share > 0.5);
        [near, self.k, self.k + 1].into_iter().find_map(|k| {
            let three = |of: &[f32]| {
                let p: [f32; 3] = of.get(3 * k..3 * k + 3)?.try_into().ok()?;
                p.iter().all(|x| x.is_finite()).then(|| p.map(f64::from))
            };
            Some((three(&touch.at)?, three(&touch.normal)?))
        })
    }

    /// Place and direction of the normal of a contact at its nearest frame, if it has one there.
    pub fn touch(&self, name: &str) -> Option<([f64; 2], f64)> {
        let touch = self.stage.touches.get(name)?;
        let near = self.k + usize::from(self.share > 0.5);
        [near, self.k, self.k + 1].into_iter().find_map(|k| {
            let (x, y, angle) = (*touch.x.get(k)?, *touch.y.get(k)?, *touch.angle.get(k)?);
            let there = x.is_finite() && y.is_finite();
            there.then(|| ([f64::from(x), f64::from(y)], f64::from(angle)))
        })
    }
}
