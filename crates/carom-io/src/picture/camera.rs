//! From the plane of the mechanism to the picture.

use super::stage::Stage;
use crate::drawing::{Posture, Stroke};

/// Pixels around a drawing.
const MARGIN: f64 = 24.0;
/// Ground this near to the motion is shown, relative to the size of the motion.
const NEAR: f64 = 0.4;
/// Straight bodies longer than this, relative to all the rest, are not shown whole.
const ENDLESS: f64 = 3.0;
/// Smallest ratio of the sides of the box that is shown.
const FLATTEST: f64 = 0.25;

/// Where a point of the plane (m) is in the picture.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    scale: f64,
    center: [f64; 2],
    middle: [f64; 2],
}

impl Camera {
    /// Shows the bodies at all the instants, and the ground near them.
    pub fn new(stage: &Stage<'_>, instants: &[f64], size: [f64; 2]) -> Self {
        let [low, high] = bounds(stage, instants);
        let fits = |i: usize| (size[i] - 2.0 * MARGIN).max(1.0) / (high[i] - low[i]);
        Self {
            scale: fits(0).min(fits(1)),
            center: [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])],
            middle: [0.5 * size[0], 0.5 * size[1]],
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
    pub fn map(&self, p: [f64; 2]) -> [f64; 2] {
        [
            self.middle[0] + self.scale * (p[0] - self.center[0]),
            self.middle[1] - self.scale * (p[1] - self.center[1]),
        ]
    }
}

/// The box that holds the bodies at the instants, what hangs on them, and the ground near them.
fn bounds(stage: &Stage<'_>, instants: &[f64]) -> [[f64; 2]; 2] {
    let drawing = &stage.scene().drawing;
    let mut held = Hull::default();
    let mut straight: Vec<[[f64; 2]; 2]> = Vec::new();
    for &t in instants {
        let instant = stage.at(t);
        for (_, figure) in stage.moving() {
            let Some(posture) = instant.posture(&figure.body) else { continue };
            held.hold(posture.pose.at);
            for stroke in &figure.strokes {
                match (stroke, &stroke.polyline(&posture).0[..]) {
                    (Stroke::Line { closed: false, .. }, &[a, b]) => straight.push([a, b]),
                    (_, points) => points.iter().for_each(|p| held.hold(*p)),
                }
            }
        }
        for end in drawing.springs.iter().flat_map(|s| [&s.from, &s.to]) {
            held.hold(instant.pose(&end.body).apply(end.at));
        }
        for joint in
            drawing.joints.iter().filter(|j| ["revolute", "distance", "weld"].contains(&j.kind.as_str()))
        {
            held.hold(instant.pose(&joint.body).apply(joint.at));
            joint.to.iter().for_each(|to| held.hold(instant.pose(&to.body).apply(to.at)));
        }
    }
    // a belt or a moving wall goes on and on; links do not, and their ends are held by joints anyway
    let most = held.0.map_or(0.0, |[a, b]| (b[0] - a[0]).hypot(b[1] - a[1])) * ENDLESS;
    let short = |[a, b]: &&[[f64; 2]; 2]| most == 0.0 || (b[0] - a[0]).hypot(b[1] - a[1]) < most;
    straight.iter().filter(short).flatten().for_each(|p| held.hold(*p));
    let mut ground = Vec::new();
    for figure in drawing.figures.iter().filter(|f| !stage.moves(&f.body)) {
        ground.extend(figure.strokes.iter().flat_map(|s| s.polyline(&Posture::default()).0));
    }
    if held.0.is_none() {
        ground.iter().for_each(|p| held.hold(*p));
    }
    let Some([a, b]) = held.0 else { return [[-1.0, -1.0], [1.0, 1.0]] };
    let reach = NEAR * (b[0] - a[0]).max(b[1] - a[1]);
    let near = |p: &&[f64; 2]| (0..2).all(|i| p[i] >= a[i] - reach && p[i] <= b[i] + reach);
    ground.iter().filter(near).for_each(|p| held.hold(*p));
    let [mut a, mut b] = held.0.unwrap_or([a, b]);
    let least = FLATTEST * (b[0] - a[0]).max(b[1] - a[1]).max(1e-12);
    for i in 0..2 {
        if b[i] - a[i] < least {
            let middle = 0.5 * (a[i] + b[i]);
            (a[i], b[i]) = (middle - 0.5 * least, middle + 0.5 * least);
        }
    }
    [a, b]
}

/// The smallest box around points; those that are no numbers are nowhere.
#[derive(Default)]
pub(super) struct Hull(Option<[[f64; 2]; 2]>);

impl Hull {
    pub(super) fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        self.0
    }

    pub(super) fn hold(&mut self, p: [f64; 2]) {
        if p.iter().all(|x| x.is_finite()) {
            let [a, b] = self.0.unwrap_or([p, p]);
            self.0 = Some([[a[0].min(p[0]), a[1].min(p[1])], [b[0].max(p[0]), b[1].max(p[1])]]);
        }
    }
}
