//! Mechanisms in space on paper: parallel projection from above at an angle, z up, and the painter's way of hiding, which
//! is to draw far things first.
//!
//!   p ↦ (right · p, −up · p) · scale,     depth = −back · p
//!
//! Faces are sorted by the depth of their middles. Bodies that pass through each other, or long faces that overlap in
//! turn, may cover each other wrongly by a face's width; the page of a report, which has a depth for every pixel, does not.

use super::camera::Hull;
use super::parts::{FLASH, FORCE, tidy, tint, zigzag};
use super::stage::{Instant, Stage};
use crate::drawing::mesh::{Mesh, face_normal};
use crate::drawing::space::{Form, Solid, SpaceDrawing, SpaceFigure, SpaceJointMark, SpacePose, UPRIGHT};
use crate::shapes::{Color, INK, Pen, QUIET, Shape, Style};
use carom_dynamics::rotation::{Quaternion, Vector, cross, dot};
use std::collections::HashMap;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_3, PI};

/// Azimuth and elevation of the eye (rad), as on the page of a report: off the diagonal, so that the edges of a box do not
/// cover each other.
const AZIMUTH: f64 = -FRAC_PI_3;
const ELEVATION: f64 = PI / 7.0;
/// Pixels around a drawing.
const MARGIN: f64 = 28.0;
/// Size of signs as a share of the radius of everything, and of the reach of the usual body.
const SIGN: [f64; 2] = [0.04, 0.16];
/// Where the light of the shadow comes from, and where that of the faces.
const SUN: Vector = [0.28, -0.2, 1.0];
const LIGHT: [f64; 3] = [-0.42, 0.42, 0.8];
/// Colours of shadows and of the grid on white paper.
const SHADOW: Color = [0xc6; 3];
const GRID: Color = [0xd0; 3];
/// Planes that stand still, which lie under everything.
const FLOOR: Color = [0xee, 0xef, 0xf1];
/// Edges lie before the faces that they border by this share of the radius of their piece.
const NEARER: f64 = 1e-3;
/// Corners of a circle in signs of joints, which are some pixels wide.
const AROUND_SIGN: usize = 12;
/// The same of bars with round ends, which are thin: a picture of six is a quarter of a megabyte otherwise.
const AROUND_BAR: usize = 8;
/// Length of the arrow of a usual force, relative to the radius of everything.
const ARROW: f64 = 0.4;

/// A thing fixed to a body.
#[derive(Clone, Debug)]
struct Piece {
    body: String,
    /// In the body's frame.
    mesh: Mesh,
    /// Middle and radius of what holds it, in the body's frame; a ball is drawn as one circle.
    middle: Vector,
    radius: f64,
    is_ball: bool,
    color: Paint,
    casts: bool,
    /// The faces on both sides of every edge.
    beside: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, Debug)]
enum Paint {
    Body(usize),
    Ground,
    Floor,
    Sign,
}

impl Piece {
    fn stands_still(&self) -> bool {
        matches!(self.color, Paint::Ground | Paint::Floor)
    }
}

/// All that is drawn of a scene in space, made once for many instants.
#[derive(Clone, Debug)]
pub(crate) struct Set<'a> {
    stage: &'a Stage<'a>,
    drawing: &'a SpaceDrawing,
    pieces: Vec<Piece>,
    /// Bodies in the order of their colours.
    bodies: Vec<&'a str>,
    sign: f64,
}

/// The eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    right: Vector,
    up: Vector,
    back: Vector,
    scale: f64,
    center: [f64; 2],
    middle: [f64; 2],
    /// Radius of everything, middle of it on the ground, and height of the ground (m).
    radius: f64,
    ground: Vector,
}

impl View {
    /// Shows the bodies at all the instants.
    pub fn new(set: &Set<'_>, instants: &[f64], size: [f64; 2]) -> Self {
        let ((sa, ca), (se, ce)) = (AZIMUTH.sin_cos(), ELEVATION.sin_cos());
        let (right, up, back) = ([-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]);
        let (mut seen, mut depths) = (Hull::default(), Hull::default());
        let (mut low, mut box3) = (f64::INFINITY, [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]]);
        let mut hold = |p: Vector, r: f64| {
            if !p.iter().all(|x| x.is_finite()) {
                return;
            }
            let q = [dot(right, p), dot(up, p)];
            for s in [-r, r] {
                seen.hold([q[0] + s, q[1] + s]);
                depths.hold([dot(back, p) + s, 0.0]);
                for i in 0..3 {
                    (box3[0][i], box3[1][i]) = (box3[0][i].min(p[i] + s), box3[1][i].max(p[i] + s));
                }
            }
            low = low.min(p[2] - r);
        };
        for &t in instants {
            let instant = set.stage.at(t);
            for piece in set.pieces.iter().filter(|p| !p.stands_still() || !set.anything_moves()) {
                if let Some(pose) = instant.space_pose(&piece.body) {
                    hold(pose.apply(piece.middle), piece.radius);
                }
            }
            for end in set.drawing.springs.iter().flat_map(|s| [&s.from, &s.to]) {
                if let Some(pose) = instant.space_pose(&end.body) {
                    hold(pose.apply(end.at), 0.0);
                }
            }
        }
        let [a, b] = seen.bounds().unwrap_or([[-1.0; 2], [1.0; 2]]);
        if !low.is_finite() {
            box3 = [[-1.0; 3], [1.0; 3]];
            low = -1.0;
        }
        let level = set.level().unwrap_or(low);
        let wide = |i: usize| (b[i] - a[i]).max(0.05 * (b[1 - i] - a[1 - i])).max(1e-12);
        let fits = |i: usize| (size[i] - 2.0 * MARGIN).max(1.0) / wide(i);
        let half = [0, 1, 2].map(|i| 0.5 * (box3[1][i] - box3[0][i]));
        let at = [0, 1, 2].map(|i| 0.5 * (box3[1][i] + box3[0][i]));
        Self {
            right,
            up,
            back,
            scale: fits(0).min(fits(1)),
            center: [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])],
            middle: [0.5 * size[0], 0.5 * size[1]],
            radius: dot(half, half).sqrt().max(1e-12),
            ground: [at[0], at[1], level],
        }
    }

    /// The same, with the picture moved (pixels).
    pub fn shifted(mut self, by: [f64; 2]) -> Self {
        self.middle = [self.middle[0] + by[0], self.middle[1] + by[1]];
        self
    }

    /// Pixels per metre.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Pixel of a point.
    fn map(&self, p: Vector) -> [f64; 2] {
        [
            self.middle[0] + self.scale * (dot(self.right, p) - self.center[0]),
            self.middle[1] - self.scale * (dot(self.up, p) - self.center[1]),
        ]
    }

    fn depth(&self, p: Vector) -> f64 {
        -dot(self.back, p)
    }

    /// How bright a face with this normal is, 0 to 1.
    fn brightness(&self, n: Vector) -> f64 {
        let length = dot(LIGHT, LIGHT).sqrt();
        let d = LIGHT[0] * dot(n, self.right) + LIGHT[1] * dot(n, self.up) + LIGHT[2] * dot(n, self.back);
        (0.52 + 0.1 * n[2] + 0.42 * (d / length).max(0.0)).min(1.0)
    }
}

impl<'a> Set<'a> {
    /// Of a scene in space; none in the plane.
    pub fn new(stage: &'a Stage<'a>) -> Option<Self> {
        let drawing = stage.scene().drawing.space.as_ref()?;
        let named: Vec<&str> = drawing.bodies.iter().map(|f| f.body.as_str()).collect();
        // bodies that nobody drew; their named points, which have a dot, are not bodies
        let undrawn = |b: &&'a str| !b.contains('.') && !named.contains(b);
        let bodies: Vec<&'a str> = stage.space_bodies().filter(|b| !b.contains('.')).collect();
        let mut set = Self { stage, drawing, pieces: Vec::new(), bodies, sign: 0.0 };
        for figure in &drawing.bodies {
            for solid in &figure.solids {
                let color = match set.paint_of(&figure.body) {
                    Paint::Ground if matches!(solid.form, Form::Plane { .. }) => Paint::Floor,
                    other => other,
                };
                set.piece(&figure.body, solid, color);
            }
        }
        set.sign = set.sign_size();
        let empty = drawing.bodies.iter().filter(|f| f.solids.is_empty() && stage.moves_in_space(&f.body));
        let empty: Vec<SpaceFigure> = empty
            .cloned()
            .chain(set.bodies.clone().into_iter().filter(undrawn).map(SpaceFigure::new))
            .collect();
        for figure in &empty {
            set.skeleton(figure);
        }
        for joint in &drawing.joints {
            for solid in sign(joint, set.sign) {
                set.piece(&joint.body, &solid, Paint::Sign);
            }
        }
        Some(set)
    }

    /// Whether a body has a place or a turn over time.
    pub fn anything_moves(&self) -> bool {
        !self.bodies.is_empty() && !self.stage.scene().motion.t.is_empty()
    }

    fn paint_of(&self, body: &str) -> Paint {
        self.bodies.iter().position(|b| *b == body).map_or(Paint::Ground, Paint::Body)
    }

    fn piece(&mut self, body: &str, solid: &Solid, color: Paint) {
        let place = SpacePose::new(solid.at, solid.turn);
        let mut mesh = match (color, &solid.form) {
            (Paint::Sign, form) => form.mesh_with(AROUND_SIGN),
            (_, form @ Form::Capsule { .. }) => form.mesh_with(AROUND_BAR),
            (_, form) => form.mesh(),
        };
        mesh.vertices.iter_mut().for_each(|p| *p = place.apply(*p));
        let apart =
            |p: &Vector| dot([0, 1, 2].map(|i| p[i] - solid.at[i]), [0, 1, 2].map(|i| p[i] - solid.at[i]));
        let radius = mesh.vertices.iter().map(apart).fold(0.0, f64::max).sqrt();
        let mut sides: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        for (n, face) in mesh.faces.iter().enumerate() {
            for (i, &a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                sides.entry([a.min(b), a.max(b)]).or_default().push(n);
            }
        }
        let beside = |[a, b]: &[usize; 2]| sides.get(&[*a.min(b), *a.max(b)]).cloned().unwrap_or_default();
        self.pieces.push(Piece {
            beside: mesh.edges.iter().map(beside).collect(),
            body: body.into(),
            middle: solid.at,
            radius,
            is_ball: matches!(solid.form, Form::Sphere { .. }),
            color,
            casts: matches!(color, Paint::Body(_))
                && !matches!(solid.form, Form::Plane { .. } | Form::Lines { .. }),
            mesh,
        });
    }

    /// Signs are small beside everything, and beside the usual body.
    fn sign_size(&self) -> f64 {
        let reach = |body: &&str| {
            let solids = self.pieces.iter().filter(|p| p.body == **body);
            let solids = solids.map(|p| dot(p.middle, p.middle).sqrt() + p.radius);
            let named = self.drawing.bodies.iter().filter(|f| f.body == **body).flat_map(|f| &f.points);
            let joints = self.drawing.joints.iter().flat_map(|j| {
                let here = (j.body == **body).then_some(j.at);
                [here, j.to.as_ref().filter(|to| to.body == **body).map(|to| to.at)]
            });
            let spots = named.map(|p| p.at).chain(joints.flatten()).map(|p| dot(p, p).sqrt());
            solids.chain(spots).fold(0.0, f64::max)
        };
        let mut reaches: Vec<f64> = self.bodies.iter().map(reach).filter(|r| *r > 0.0).collect();
        reaches.sort_by(f64::total_cmp);
        let usual = reaches.get(reaches.len() / 2).copied().unwrap_or(f64::INFINITY);
        // the radius of everything: places of bodies at the first and the last moment
        let mut hull = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for t in self.stage.span() {
            for pose in self.bodies.iter().filter_map(|b| self.stage.at(t).space_pose(b)) {
                for (i, x) in pose.at.iter().enumerate() {
                    (hull[0][i], hull[1][i]) = (hull[0][i].min(*x), hull[1][i].max(*x));
                }
            }
        }
        let wide = [0, 1, 2].map(|i| 0.5 * (hull[1][i] - hull[0][i]));
        let most = if wide.iter().all(|x| x.is_finite()) { dot(wide, wide).sqrt() } else { 0.0 };
        let radius = most + reaches.last().copied().unwrap_or(0.0);
        match (SIGN[0] * radius).min(SIGN[1] * usual) {
            s if s > 0.0 && s.is_finite() => s,
            // one point mass that does not move
            _ => 0.05,
        }
    }

    /// A body without solids: a ball, and a rod to each of its points and joints.
    fn skeleton(&mut self, figure: &SpaceFigure) {
        let color = self.paint_of(&figure.body);
        let joints = self.drawing.joints.iter().flat_map(|j| {
            let here = (j.body == figure.body).then_some(j.at);
            [here, j.to.as_ref().filter(|to| to.body == figure.body).map(|to| to.at)]
        });
        let spots: Vec<Vector> = figure.points.iter().map(|p| p.at).chain(joints.flatten()).collect();
        self.piece(&figure.body, &Solid::new(Form::Sphere { radius: 0.9 * self.sign }), color);
        for at in spots {
            let length = dot(at, at).sqrt();
            if length > 0.5 * self.sign {
                let rod = Solid::new(Form::Cylinder { radius: 0.4 * self.sign, length })
                    .at(at.map(|x| 0.5 * x))
                    .turned(from_z(at));
                self.piece(&figure.body, &rod, color);
            }
        }
    }

    /// Height of a level plane of the ground.
    fn level(&self) -> Option<f64> {
        let still = self.drawing.bodies.iter().filter(|f| !self.stage.moves_in_space(&f.body));
        let planes = still.flat_map(|f| &f.solids).filter(|s| matches!(s.form, Form::Plane { .. }));
        planes
            .filter(|s| SpacePose::new([0.0; 3], s.turn).direct([0.0, 0.0, 1.0])[2] > 0.999)
            .map(|s| s.at[2])
            .next_back()
    }

    /// Grid on the ground.
    pub fn ground(&self, view: &View, out: &mut Vec<Shape>) {
        let (unit, radius) = (self.stage.length_unit().1, view.radius);
        let power = 10f64.powf((0.5 * radius / unit).log10().floor());
        let step = [5.0, 2.0, 1.0].map(|m| m * power * unit).into_iter().find(|s| *s <= 0.5 * radius);
        let step = step.unwrap_or(power * unit);
        let n = (1.5 * radius / step).ceil().min(40.0);
        let z = view.ground[2];
        let [x, y] = [0, 1].map(|i| (view.ground[i] / step).round() * step);
        let line = |a: [f64; 2], b: [f64; 2]| {
            [a, b].map(|p| view.map([x + p[0] * step, y + p[1] * step, z])).to_vec()
        };
        let count = 2 * n as usize;
        let lines = (0..=count).flat_map(|i| {
            let k = i as f64 - n;
            [line([k, -n], [k, n]), line([-n, k], [n, k])]
        });
        for piece in self.pieces.iter().filter(|p| matches!(p.color, Paint::Floor)) {
            let mut items = Vec::new();
            self.solid(view, piece, &SpacePose::default(), 1.0, &mut items);
            items.sort_by(|a, b| b.0.total_cmp(&a.0));
            out.extend(items.into_iter().map(|(_, shape)| shape).filter(Shape::is_somewhere));
        }
        out.push(Shape::lines(lines.collect(), Pen::new(GRID, 0.8)));
    }

    /// The paths of the bodies between two instants (s).
    pub fn trails(&self, view: &View, [from, to]: [f64; 2], points: usize, out: &mut Vec<Shape>) {
        if from.partial_cmp(&to) != Some(std::cmp::Ordering::Less) {
            return;
        }
        let times = &self.stage.scene().motion.t;
        let inside = times.partition_point(|t| *t < from)..times.partition_point(|t| *t <= to);
        let every = inside.len().div_ceil(points).max(1);
        let instants: Vec<_> = times[inside].iter().step_by(every).copied().chain([to]).collect();
        for (n, body) in self.bodies.iter().enumerate() {
            let place = |t: &f64| self.stage.at(*t).space_pose(body).map(|pose| view.map(pose.at));
            let trail = tidy(instants.iter().filter_map(place).collect());
            if trail.len() > 1 {
                out.push(Shape::line(trail, Pen::new(tint(n), 1.2).faint(0.5)));
            }
        }
    }

    /// The mechanism at an instant; fainter ones are without shadows and signs.
    pub fn mechanism(&self, view: &View, instant: &Instant<'_, '_>, opacity: f64, out: &mut Vec<Shape>) {
        let whole = opacity == 1.0;
        let mut items: Vec<(f64, Shape)> = Vec::new();
        let drawn = |p: &&Piece| match p.color {
            Paint::Body(_) => true,
            Paint::Floor => false,
            Paint::Ground | Paint::Sign => whole,
        };
        for piece in self.pieces.iter().filter(drawn) {
            let Some(pose) = instant.space_pose(&piece.body) else { continue };
            if whole && piece.casts {
                self.shadow(view, piece, &pose, out);
            }
            self.solid(view, piece, &pose, opacity, &mut items);
        }
        let place =
            |end: &crate::drawing::space::SpaceAnchor| Some(instant.space_pose(&end.body)?.apply(end.at));
        for spring in &self.drawing.springs {
            let (Some(a), Some(b)) = (place(&spring.from), place(&spring.to)) else { continue };
            let depth = 0.5 * (view.depth(a) + view.depth(b));
            let wire = zigzag(view.map(a), view.map(b));
            items.push((depth, Shape::line(wire, Pen::new(INK, 1.3).faint(opacity))));
        }
        for joint in self.drawing.joints.iter().filter(|j| j.kind == "distance") {
            let here = instant.space_pose(&joint.body).map(|pose| pose.apply(joint.at));
            let (Some(a), Some(b)) = (here, joint.to.as_ref().and_then(place)) else { continue };
            let depth = 0.5 * (view.depth(a) + view.depth(b));
            items.push((
                depth,
                Shape::line(vec![view.map(a), view.map(b)], Pen::new(INK, 1.8).faint(opacity)),
            ));
        }
        items.sort_by(|a, b| b.0.total_cmp(&a.0));
        out.extend(items.into_iter().map(|(_, shape)| shape).filter(Shape::is_somewhere));
    }

    /// The outline that the sun throws on the ground: of a convex form the hull of its corners.
    fn shadow(&self, view: &View, piece: &Piece, pose: &SpacePose, out: &mut Vec<Shape>) {
        let thrown = |k: &usize| {
            let p = pose.apply(piece.mesh.vertices[*k]);
            let h = p[2] - view.ground[2];
            view.map([p[0] - SUN[0] * h, p[1] - SUN[1] * h, view.ground[2]])
        };
        let all: Vec<usize> = (0..piece.mesh.vertices.len()).collect();
        let outlines: Vec<Vec<[f64; 2]>> = if piece.mesh.closed {
            vec![hull(all.iter().map(thrown).collect())]
        } else {
            piece.mesh.faces.iter().map(|face| face.iter().map(thrown).collect()).collect()
        };
        for outline in outlines.into_iter().filter(|o| o.len() > 2) {
            let style = Style::both(SHADOW, 1.0, Pen::new(SHADOW, 0.5));
            let shape = Shape::area(outline, style);
            if shape.is_somewhere() {
                out.push(shape);
            }
        }
    }

    fn solid(
        &self,
        view: &View,
        piece: &Piece,
        pose: &SpacePose,
        opacity: f64,
        items: &mut Vec<(f64, Shape)>,
    ) {
        let base = match piece.color {
            Paint::Body(n) => lighter(tint(n), 0.25),
            Paint::Ground => [0xc4, 0xc8, 0xcd],
            Paint::Floor => FLOOR,
            Paint::Sign => [0x4a, 0x50, 0x58],
        };
        let corners: Vec<Vector> = piece.mesh.vertices.iter().map(|p| pose.apply(*p)).collect();
        let ink = darker(base, 0.45);
        // depth of the faces that are seen
        let mut near = vec![f64::INFINITY; piece.mesh.faces.len()];
        if piece.is_ball {
            let (at, radius) = (pose.apply(piece.middle), piece.radius * view.scale);
            let center = view.map(at);
            let circle =
                |center: [f64; 2], radius: f64, style: Style| Shape::Circle { center, radius, style };
            let rim = Pen::new(ink, 0.9).faint(opacity);
            items
                .push((view.depth(at), circle(center, radius, Style::both(darker(base, 0.8), opacity, rim))));
            // bright towards the light
            for (share, bright) in [(0.72, 0.9), (0.42, 1.0)] {
                let off = 0.22 * radius * (1.0 - share) / 0.28;
                let to = [center[0] + off * LIGHT[0], center[1] - off * LIGHT[1]];
                items.push((
                    view.depth(at),
                    circle(to, share * radius, Style::fill(darker(base, bright), opacity)),
                ));
            }
        } else {
            for (number, face) in piece.mesh.faces.iter().enumerate() {
                let points: Vec<Vector> = face.iter().map(|&k| corners[k]).collect();
                let mut n = face_normal(&points);
                if dot(n, view.back) <= 0.0 {
                    if piece.mesh.closed {
                        continue;
                    }
                    n = n.map(|x| -x);
                }
                let color = darker(base, view.brightness(n));
                let depth = points.iter().map(|p| view.depth(*p)).sum::<f64>() / points.len() as f64;
                near[number] = depth;
                let style = Style::both(color, opacity, Pen::new(color, 0.6).faint(opacity));
                items.push((depth, Shape::area(points.iter().map(|p| view.map(*p)).collect(), style)));
            }
        }
        let width = if piece.mesh.faces.is_empty() { 2.2 } else { 0.9 };
        let color = if piece.mesh.faces.is_empty() { darker(base, 0.8) } else { ink };
        // of a solid only the edges that are turned to the eye, judged from its middle
        let middle = pose.apply(piece.middle);
        for (&[a, b], beside) in piece.mesh.edges.iter().zip(&piece.beside) {
            let (a, b) = (corners[a], corners[b]);
            let out = [0, 1, 2].map(|i| 0.5 * (a[i] + b[i]) - middle[i]);
            if piece.is_ball && dot(out, view.back) < 0.0 {
                continue;
            }
            // right after the nearer of the faces that it borders; not at all if both are turned away
            let depth = if piece.is_ball || beside.is_empty() {
                0.5 * (view.depth(a) + view.depth(b))
            } else {
                beside.iter().map(|&n| near[n]).fold(f64::INFINITY, f64::min)
            };
            if depth == f64::INFINITY {
                continue;
            }
            let depth = depth - NEARER * piece.radius;
            items.push((
                depth,
                Shape::line(vec![view.map(a), view.map(b)], Pen::new(color, width).faint(opacity)),
            ));
        }
    }

    /// Dots and arrows of contacts, and flashes of impacts within `lasting` (s); `usual` is a force of ordinary length.
    pub fn contacts(
        &self,
        view: &View,
        instant: &Instant<'_, '_>,
        lasting: f64,
        usual: Option<f64>,
        out: &mut Vec<Shape>,
    ) {
        let dot_of =
            |at: Vector, radius: f64, style: Style| Shape::Circle { center: view.map(at), radius, style };
        for name in self.stage.space_touches() {
            if let Some((at, _)) = instant.space_touch(name) {
                out.push(dot_of(at, 3.0, Style::fill(FORCE, 1.0)));
            }
        }
        let action = self.stage.action();
        for (name, force) in action.pressing(instant.t) {
            let (Some((at, normal)), Some(usual)) = (instant.space_touch(name), usual) else { continue };
            let length = ARROW * view.radius * (force / usual).min(2.0);
            let tip = [0, 1, 2].map(|i| at[i] + length * normal[i]);
            let (from, to) = (view.map(at), view.map(tip));
            let d = [to[0] - from[0], to[1] - from[1]];
            let pixels = d[0].hypot(d[1]);
            if pixels.is_nan() || pixels < 4.0 {
                continue;
            }
            let s = d.map(|x| x / pixels);
            let head = (0.45 * pixels).min(9.0);
            let at = |along: f64, beside: f64| {
                [from[0] + along * s[0] - beside * s[1], from[1] + along * s[1] + beside * s[0]]
            };
            out.push(Shape::line(vec![from, at(pixels - head, 0.0)], Pen::new(FORCE, 2.0)));
            let corners = vec![to, at(pixels - head, 0.45 * head), at(pixels - head, -0.45 * head)];
            out.push(Shape::area(corners, Style::fill(FORCE, 1.0)));
        }
        for (t, subject) in action.recent(instant.t - lasting, instant.t) {
            let age = ((instant.t - t) / lasting).clamp(0.0, 1.0);
            if let Some((at, _)) = self.stage.at(t).space_touch(subject) {
                let ring = Style::both(FLASH, 0.35 * (1.0 - age), Pen::new(FLASH, 2.0).faint(1.0 - age));
                out.push(dot_of(at, 4.0 + 10.0 * age, ring));
            }
        }
    }

    /// Which way the axes point, in the corner given.
    pub fn axes(&self, view: &View, at: [f64; 2], out: &mut Vec<Shape>) {
        const LENGTH: f64 = 22.0;
        for (k, word) in ["x", "y", "z"].into_iter().enumerate() {
            let d = [LENGTH * view.right[k], -LENGTH * view.up[k]];
            let end = [at[0] + d[0], at[1] + d[1]];
            out.push(Shape::line(vec![at, end], Pen::new(QUIET, 1.4)));
            let beyond = [at[0] + 1.4 * d[0] - 3.0, at[1] + 1.4 * d[1] + 4.0];
            out.push(super::words(beyond, crate::shapes::Anchor::Start, word, 11.0));
        }
    }
}

/// The sign of a joint as solids: what it lets turn is round along its axis, what it lets slide is square.
fn sign(joint: &SpaceJointMark, s: f64) -> Vec<Solid> {
    const ALONG_X: Quaternion = [FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0];
    const ALONG_Y: Quaternion = [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0];
    let frame = SpacePose::new(joint.at, joint.turn);
    let at = |form: Form, within: Quaternion| {
        let pose = frame.then([0.0; 3], within);
        Solid { at: pose.at, turn: pose.turn, form }
    };
    let cylinder = |radius: f64, length: f64| Form::Cylinder { radius: radius * s, length: length * s };
    let ball = |radius: f64| Form::Sphere { radius: radius * s };
    let block = |x: f64, y: f64, z: f64| Form::Box { size: [x * s, y * s, z * s] };
    let forms = match joint.kind.as_str() {
        "revolute" => vec![cylinder(0.55, 2.2)],
        "cylindrical" | "screw" => vec![cylinder(0.65, 1.6), cylinder(0.28, 4.0)],
        "prismatic" => vec![block(1.0, 1.0, 2.0), block(0.4, 0.4, 4.0)],
        "spherical" | "ball" => vec![ball(0.85)],
        "universal" | "constant-velocity" => {
            return [ALONG_X, ALONG_Y].map(|turn| at(cylinder(0.3, 2.6), turn)).into();
        }
        "planar" => vec![block(3.0, 3.0, 0.15)],
        "weld" => vec![block(0.9, 0.9, 0.9)],
        "gear" | "rack" => vec![cylinder(1.1, 0.4)],
        "distance" => vec![ball(0.5)],
        _ => vec![ball(0.55), cylinder(0.15, 3.0)],
    };
    forms.into_iter().map(|form| at(form, UPRIGHT)).collect()
}

/// A quaternion that turns z into a direction.
pub(crate) fn from_z(d: Vector) -> Quaternion {
    let length = dot(d, d).sqrt();
    let z = [0.0, 0.0, 1.0];
    let u = d.map(|x| x / length);
    // half-way quaternion (1 + z·u, z × u); opposite to z any half turn across it
    let w = 1.0 + dot(z, u);
    if w < 1e-12 {
        return [0.0, 1.0, 0.0, 0.0];
    }
    let n = cross(z, u);
    SpacePose::new([0.0; 3], [w, n[0], n[1], n[2]]).turn
}

/// A colour with this share of its light.
fn darker(color: Color, share: f64) -> Color {
    color.map(|c| (f64::from(c) * share).round() as u8)
}

/// A colour with this share of white.
fn lighter(color: Color, share: f64) -> Color {
    color.map(|c| (f64::from(c) + share * (255.0 - f64::from(c))).round() as u8)
}

/// The convex hull of points, counter-clockwise (Andrew's monotone chain).
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.retain(|p| p.iter().all(|x| x.is_finite()));
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turns_left = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    };
    let chain = |from: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut half: Vec<[f64; 2]> = Vec::new();
        for p in from {
            while half.len() > 1 && !turns_left(half[half.len() - 2], half[half.len() - 1], p) {
                half.pop();
            }
            half.push(p);
        }
        half.pop();
        half
    };
    let mut all = chain(&mut points.iter().copied());
    all.extend(chain(&mut points.iter().rev().copied()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_dynamics::rotation::turn;

    #[test]
    fn z_is_turned_into_any_direction() {
        for d in [[0.0, 0.0, 2.0], [0.0, 0.0, -3.0], [1.0, 0.0, 0.0], [-0.3, 0.4, -0.5]] {
            let length = dot(d, d).sqrt();
            let u = turn(from_z(d), [0.0, 0.0, length]);
            assert!((0..3).all(|i| (u[i] - d[i]).abs() < 1e-14), "{d:?}: {u:?}");
        }
    }

    #[test]
    fn the_hull_of_a_square_and_what_is_in_it_is_the_square() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut points = corners.to_vec();
        points.extend([[0.5, 0.5], [0.25, 0.75], [0.5, 0.0]]);
        assert_eq!(hull(points), corners);
    }
}
