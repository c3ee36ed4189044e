//! How bodies, ground, joints, springs and contacts look.

use super::camera::Camera;
use super::stage::{Instant, Stage};
use crate::chart::cut;
use crate::drawing::{JointMark, Posture, Stroke};
use crate::shapes::{COLORS, Color, INK, Pen, QUIET, Shape, Style};
use std::f64::consts::TAU;

/// Colours of bodies: those of curves without black, which is for joints.
const BODIES: [Color; 6] = [COLORS[0], COLORS[1], COLORS[2], COLORS[3], COLORS[5], COLORS[6]];
const WHITE: Color = [0xff; 3];
pub(super) const FLASH: Color = [0xd5, 0x5e, 0x00];
pub(super) const FORCE: Color = [0xb0, 0x1e, 0x3c];
/// How much of a body's colour is in its inside, and how much of what is below shows through.
const SOFT: f64 = 0.24;
const THROUGH: f64 = 0.2;
/// Widths of rims and of bodies that are lines (pixels).
const RIM: f64 = 1.6;
const LINE: f64 = 3.2;
/// Strokes of hatching: distance, depth, slant (pixels).
const HATCH: [f64; 3] = [9.0, 8.0, 6.0];
/// Radius of a pin (pixels).
const PIN: f64 = 3.6;
/// Windings of a spring, and half its width (pixels).
const WINDINGS: usize = 8;
const SPRING: f64 = 6.0;
/// Length of the arrow of a usual force, relative to the smaller side of the picture.
const ARROW: f64 = 0.16;

/// Draws the parts of a scene, one after the other.
pub(crate) struct Hand<'h, 'a> {
    stage: &'h Stage<'a>,
    camera: &'h Camera,
    /// Corners of what may be drawn on.
    paper: [[f64; 2]; 2],
    smaller: f64,
    shapes: Vec<Shape>,
}

impl<'h, 'a> Hand<'h, 'a> {
    /// Between two corners of the paper.
    pub fn new(stage: &'h Stage<'a>, camera: &'h Camera, paper: [[f64; 2]; 2]) -> Self {
        let [a, b] = paper;
        Self { stage, camera, paper, smaller: (b[0] - a[0]).min(b[1] - a[1]), shapes: Vec::new() }
    }

    /// What was drawn, without what hangs on bodies that are nowhere.
    pub fn finished(mut self) -> Vec<Shape> {
        self.shapes.retain(Shape::is_somewhere);
        self.shapes
    }

    /// What stands still: lines hatched where they are solid, which is on the right of their direction.
    pub fn ground(&mut self) {
        let still = Posture::default();
        for stroke in self.stage.still() {
            match &stroke {
                Stroke::Circle { center, radius } => {
                    let (center, radius) =
                        (self.camera.map(*center), (radius * self.camera.scale()).max(1.5));
                    let style = Style::both(QUIET, 0.15, Pen::new(QUIET, RIM));
                    self.shapes.push(Shape::Circle { center, radius, style });
                }
                Stroke::Line { closed: true, .. } => {
                    let style = Style::both(QUIET, 0.15, Pen::new(QUIET, RIM));
                    self.shapes.push(Shape::area(self.mapped(&stroke, &still), style));
                }
                _ => self.wall(&self.mapped(&stroke, &still)),
            }
        }
    }

    fn mapped(&self, stroke: &Stroke, posture: &Posture) -> Vec<[f64; 2]> {
        stroke.polyline(posture).0.into_iter().map(|p| self.camera.map(p)).collect()
    }

    /// The parts of a line that are on the paper.
    fn inside(&self, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
        let mut runs: Vec<Vec<[f64; 2]>> = Vec::new();
        for [a, b] in points.windows(2).filter_map(|pair| cut(pair[0], pair[1], self.paper)) {
            match runs.last_mut() {
                Some(run) if run.last() == Some(&a) => run.push(b),
                _ => runs.push(vec![a, b]),
            }
        }
        runs
    }

    /// A line with hatching.
    fn wall(&mut self, points: &[[f64; 2]]) {
        let runs = self.inside(points);
        let mut hatching = Vec::new();
        let [every, depth, slant] = HATCH;
        let mut ahead = 0.5 * every;
        for pair in runs.iter().flat_map(|run| run.windows(2)) {
            let (a, b) = (pair[0], pair[1]);
            let d = [b[0] - a[0], b[1] - a[1]];
            let length = d[0].hypot(d[1]);
            let s = [d[0] / length, d[1] / length];
            // pixels count downwards, so the right of the direction is this
            let n = [-s[1], s[0]];
            while ahead < length {
                let p = [a[0] + ahead * s[0], a[1] + ahead * s[1]];
                let q = [0, 1].map(|i| p[i] + depth * n[i] - slant * s[i]);
                hatching.push(vec![p, q]);
                ahead += every;
            }
            ahead -= length;
        }
        if !runs.is_empty() {
            self.shapes.push(Shape::lines(hatching, Pen::new(QUIET, 0.8).faint(0.8)));
            self.shapes.push(Shape::lines(runs, Pen::new(QUIET, 2.0)));
        }
    }

    /// The paths of the bodies between two instants (s).
    pub fn trails(&mut self, [from, to]: [f64; 2], points: usize) {
        if from.partial_cmp(&to) != Some(std::cmp::Ordering::Less) {
            return;
        }
        let times = &self.stage.scene().motion.t;
        let inside = times.partition_point(|t| *t < from)..times.partition_point(|t| *t <= to);
        let every = inside.len().div_ceil(points).max(1);
        let instants: Vec<_> = times[inside].iter().step_by(every).copied().chain([to]).collect();
        for (n, figure) in self.stage.moving() {
            let pose = |t: &f64| self.camera.map(self.stage.at(*t).pose(&figure.body).at);
            let trail: Vec<_> = instants.iter().map(pose).collect();
            let long = trail.iter().any(|p| (p[0] - trail[0][0]).hypot(p[1] - trail[0][1]) > 2.0 * PIN);
            if long {
                self.shapes.push(Shape::line(tidy(trail), Pen::new(tint(n), 1.0).faint(0.45)));
            }
        }
    }

    /// Springs, bodies and joints at an instant; fainter ones are without joints.
    pub fn mechanism(&mut self, instant: &Instant<'_, '_>, opacity: f64) {
        let drawing = &self.stage.scene().drawing;
        for joint in drawing.joints.iter().filter(|j| j.kind == "distance") {
            self.rod(joint, instant, opacity);
        }
        for (n, figure) in self.stage.moving() {
            if let Some(posture) = instant.posture(&figure.body) {
                self.body(&figure.strokes, &posture, tint(n), opacity);
            }
        }
        for spring in &drawing.springs {
            let [a, b] =
                [&spring.from, &spring.to].map(|end| self.camera.map(instant.pose(&end.body).apply(end.at)));
            self.shapes.push(Shape::line(zigzag(a, b), Pen::new(INK, 1.3).faint(opacity)));
        }
        if opacity == 1.0 {
            for joint in &drawing.joints {
                // joints with clearance have their pin and hole among the strokes
                if !drawing.marks.iter().any(|m| belongs(&m.subject, &joint.name)) {
                    self.joint(joint, instant);
                }
            }
        }
    }

    fn body(&mut self, strokes: &[Stroke], posture: &Posture, tint: Color, opacity: f64) {
        let pen = |width: f64| Pen::new(tint, width).faint(opacity);
        // as soft as SOFT says, but hiding what is below
        let soft = tint.map(|c| (255.0 - SOFT * (255.0 - f64::from(c))).round() as u8);
        let inside = |seen: f64| Style::both(soft, seen * opacity, pen(RIM));
        for stroke in strokes {
            match stroke {
                Stroke::Circle { center, radius } => {
                    let [c, rim] = [*center, [center[0] + radius, center[1]]]
                        .map(|p| self.camera.map(posture.pose.apply(p)));
                    let radius = radius * self.camera.scale();
                    self.shapes.push(Shape::Circle { center: c, radius, style: inside(1.0 - THROUGH) });
                    // A spoke shows the turning of what is more than a dot.
                    if radius > 2.0 * PIN {
                        self.shapes.push(Shape::line(vec![c, rim], pen(1.2).faint(0.6)));
                    }
                }
                Stroke::Line { closed: true, .. } | Stroke::Shape { closed: true, .. } => {
                    self.shapes.push(Shape::area(self.mapped(stroke, posture), inside(1.0 - THROUGH)));
                }
                Stroke::Line { .. } | Stroke::Shape { .. } => {
                    let runs = self.inside(&self.mapped(stroke, posture));
                    self.shapes.push(Shape::lines(runs, pen(LINE)));
                }
            }
        }
    }

    fn ends(&self, joint: &JointMark, instant: &Instant<'_, '_>) -> ([f64; 2], Option<[f64; 2]>) {
        let here = self.camera.map(instant.pose(&joint.body).apply(joint.at));
        let there = joint.to.as_ref().map(|to| self.camera.map(instant.pose(&to.body).apply(to.at)));
        (here, there)
    }

    fn rod(&mut self, joint: &JointMark, instant: &Instant<'_, '_>, opacity: f64) {
        if let (a, Some(b)) = self.ends(joint, instant) {
            self.shapes.push(Shape::line(vec![a, b], Pen::new(INK, 1.6).faint(opacity)));
        }
    }

    fn joint(&mut self, joint: &JointMark, instant: &Instant<'_, '_>) {
        let (here, there) = self.ends(joint, instant);
        match joint.kind.as_str() {
            "revolute" => {
                let fixed = !self.stage.moves(&joint.body)
                    || joint.to.as_ref().is_some_and(|to| !self.stage.moves(&to.body));
                if fixed {
                    self.support(here);
                }
                self.pin(here);
            }
            "point-on-curve" => self.pin(here),
            "distance" => [Some(here), there].into_iter().flatten().for_each(|p| self.pin(p)),
            "weld" => {
                let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
                let corners = corners.map(|c| [here[0] + PIN * c[0], here[1] + PIN * c[1]]).to_vec();
                self.shapes.push(Shape::area(corners, Style::fill(INK, 1.0)));
            }
            "prismatic" => {
                let angle = instant.pose(&joint.body).angle + joint.angle;
                let there = there.unwrap_or(here);
                let s = [angle.cos(), -angle.sin()];
                // the axis of the guide, past the slider
                let along = (there[0] - here[0]) * s[0] + (there[1] - here[1]) * s[1];
                let reach = 0.12 * self.smaller;
                let at = |x: f64| [here[0] + x * s[0], here[1] + x * s[1]];
                let axis = vec![at(along.min(0.0) - reach), at(along.max(0.0) + reach)];
                let pen = Pen { dashes: &[10.0, 3.0, 2.0, 3.0], ..Pen::new(INK, 0.9) };
                self.shapes.push(Shape::line(axis, pen));
            }
            _ => {}
        }
    }

    /// A bearing on the ground: a triangle below the pin, hatched.
    fn support(&mut self, [x, y]: [f64; 2]) {
        let (half, high) = (2.1 * PIN, 3.2 * PIN);
        let style = Style::both(WHITE, 0.9, Pen::new(INK, 1.2));
        self.shapes.push(Shape::area(vec![[x, y], [x - half, y + high], [x + half, y + high]], style));
        let hatching = (0..5).map(|i| {
            let from = x - half + 0.5 * half * f64::from(i);
            vec![[from, y + high], [from - 4.0, y + high + 4.5]]
        });
        self.shapes.push(Shape::lines(hatching.collect(), Pen::new(INK, 0.9)));
    }

    fn pin(&mut self, center: [f64; 2]) {
        let style = Style::both(WHITE, 1.0, Pen::new(INK, 1.3));
        self.shapes.push(Shape::Circle { center, radius: PIN, style });
    }

    /// Impacts within `lasting` (s) before the instant as flashes that fade, and forces as arrows, `usual` being one of
    /// ordinary length.
    pub fn contacts(&mut self, instant: &Instant<'_, '_>, lasting: f64, usual: Option<f64>) {
        let action = self.stage.action();
        for (name, force) in action.pressing(instant.t) {
            let (Some((at, angle)), Some(usual)) = (instant.touch(name), usual) else { continue };
            let length = ARROW * self.smaller * (force / usual).min(1.5);
            if angle.is_finite() && length > PIN {
                self.arrow(self.camera.map(at), [angle.cos(), -angle.sin()], length);
            }
        }
        for (t, subject) in action.recent(instant.t - lasting, instant.t) {
            let age = ((instant.t - t) / lasting).clamp(0.0, 1.0);
            let then = self.stage.at(t);
            let (at, own) = match then.touch(subject) {
                Some((at, _)) => (at, 0.0),
                None => {
                    let Some(mark) = self.stage.scene().drawing.marks.iter().find(|m| m.subject == subject)
                    else {
                        continue;
                    };
                    (then.pose(&mark.body).apply(mark.at), mark.radius * self.camera.scale())
                }
            };
            let center = self.camera.map(at);
            let ring = Style::both(FLASH, 0.35 * (1.0 - age), Pen::new(FLASH, 2.0).faint(1.0 - age));
            self.shapes.push(Shape::Circle { center, radius: own + 4.0 + 10.0 * age, style: ring });
        }
    }

    fn arrow(&mut self, from: [f64; 2], s: [f64; 2], length: f64) {
        let at = |along: f64, beside: f64| [0, 1].map(|i| from[i] + along * s[i] + beside * [-s[1], s[0]][i]);
        let head = (0.45 * length).min(9.0);
        self.shapes.push(Shape::line(vec![from, at(length - head, 0.0)], Pen::new(FORCE, 2.0)));
        let corners = vec![at(length, 0.0), at(length - head, 0.45 * head), at(length - head, -0.45 * head)];
        self.shapes.push(Shape::area(corners, Style::both(FORCE, 1.0, Pen::new(FORCE, 0.8))));
    }
}

/// `guide.3` belongs to `guide`.
fn belongs(subject: &str, joint: &str) -> bool {
    subject.strip_prefix(joint).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

pub(super) fn tint(n: usize) -> Color {
    BODIES[n % BODIES.len()]
}

/// Without points that are nowhere or where the one before is.
pub(super) fn tidy(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for p in points {
        let far = kept.last().is_none_or(|q| (p[0] - q[0]).hypot(p[1] - q[1]) > 0.5);
        if far && p.iter().all(|x| x.is_finite()) {
            kept.push(p);
        }
    }
    kept
}

/// A spring from `a` to `b`: straight ends and windings between, narrower when there is little room.
pub(super) fn zigzag(a: [f64; 2], b: [f64; 2]) -> Vec<[f64; 2]> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let length = d[0].hypot(d[1]);
    if length < 1.0 {
        return vec![a, b];
    }
    let n = [-d[1] / length, d[0] / length];
    let wide = SPRING.min(0.4 * length);
    let at = |along: f64, beside: f64| [0, 1].map(|i| a[i] + along * d[i] + beside * n[i]);
    let corner = |i: usize| {
        let phase = i as f64 / WINDINGS as f64;
        let side = (TAU * (0.25 + 0.5 * i as f64)).sin();
        at(0.15 + 0.7 * (phase + 0.5 / WINDINGS as f64), wide * side)
    };
    let mut points = vec![a, at(0.15, 0.0)];
    points.extend((0..WINDINGS).map(corner));
    points.extend([at(0.85, 0.0), b]);
    points
}
