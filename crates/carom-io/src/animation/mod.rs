//! Clips of the motion: frames drawn like [pictures](crate::picture), as a GIF, as PNG images one by one, or as raw pixels
//! for an encoder outside. Same scene, same bytes.

mod gif;
mod palette;

use crate::picture::{Camera, EDGE, Hand, Picture, STRIP, Set, Stage, View, WORDS, strip, words};
use crate::shapes::{Anchor, Shape, Style, png};
use crate::write::{number_text, rounded};

/// Length of a clip (s) whose speed is not given, about.
const LENGTH: f64 = 8.0;
/// A flash lasts this long in the clip (s).
const FLASH: f64 = 0.2;
/// Most frames: half an hour at 25 per second is not a clip.
const MOST_FRAMES: f64 = 45_000.0;
/// Frames from which the camera takes its box, at most.
const SEEN: usize = 400;
/// Smallest and largest width and height (pixels).
const SIDES: [u32; 2] = [16, 4096];
/// Most frames per second of a GIF: browsers show shorter frames longer than asked.
const FASTEST_GIF: f64 = 50.0;

/// What clip to make; times in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// Width and height (pixels).
    pub size: [u32; 2],
    /// Frames per second of the clip.
    pub fps: f64,
    /// Seconds of motion per second of the clip; so that the clip lasts about 8 s if left out.
    pub speed: Option<f64>,
    /// First instant shown.
    pub from: Option<f64>,
    /// Last instant shown.
    pub to: Option<f64>,
}

impl Default for Wish {
    fn default() -> Self {
        Self { size: [960, 540], fps: 25.0, speed: None, from: None, to: None }
    }
}

/// Why there is no clip.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{wrong}\n  = help: {right}")]
pub struct ClipError {
    /// What is wrong.
    pub wrong: String,
    /// What would be right.
    pub right: String,
}

fn error<T>(wrong: impl Into<String>, right: impl Into<String>) -> Result<T, ClipError> {
    Err(ClipError { wrong: wrong.into(), right: right.into() })
}

/// A clip that can be drawn.
#[derive(Clone, Debug)]
pub struct Clip<'a> {
    stage: &'a Stage<'a>,
    camera: Camera,
    /// What is drawn in space, and from where; none in the plane.
    space: Option<(Set<'a>, View)>,
    size: [u32; 2],
    fps: f64,
    speed: f64,
    span: [f64; 2],
    frames: usize,
    usual_force: Option<f64>,
}

impl<'a> Clip<'a> {
    /// Plans a clip of a scene.
    pub fn new(stage: &'a Stage<'a>, wish: &Wish) -> Result<Self, ClipError> {
        let [first, last] = stage.span();
        let (unit, one) = stage.time_unit();
        let span = [wish.from.unwrap_or(first).max(first), wish.to.unwrap_or(last).min(last)];
        let shown = |t: f64| number_text(rounded(t / one, 6));
        let set = Set::new(stage);
        if !set.as_ref().map_or_else(|| stage.moving().next().is_some(), Set::anything_moves) {
            return error("nothing moves in this run", "a clip needs bodies whose places were recorded");
        }
        if span[1] <= span[0] {
            return error(
                format!("there is no motion from {} to {} {unit}", shown(span[0]), shown(span[1])),
                format!("the run goes from {} to {} {unit}", shown(first), shown(last)),
            );
        }
        if wish.size.iter().any(|side| !(SIDES[0]..=SIDES[1]).contains(side)) {
            return error(
                format!("{}x{} pixels is no size for a clip", wish.size[0], wish.size[1]),
                format!("from {} to {} pixels each way", SIDES[0], SIDES[1]),
            );
        }
        let speed = wish.speed.unwrap_or_else(|| usual_speed(span[1] - span[0]));
        let frames = ((span[1] - span[0]) / speed * wish.fps).round() + 1.0;
        if !(1.0..=MOST_FRAMES).contains(&frames) {
            return error(
                format!("that would be {frames} frames"),
                "raise --speed, lower --fps, or show a part with --from and --to",
            );
        }
        let mut clip = Self {
            stage,
            camera: Camera::new(stage, &[], [1.0, 1.0]),
            space: None,
            size: wish.size,
            fps: wish.fps,
            speed,
            span,
            frames: frames as usize,
            usual_force: stage.action().usual_force(span),
        };
        let every = clip.frames.div_ceil(SEEN);
        let seen: Vec<f64> = (0..clip.frames).step_by(every).map(|i| clip.time(i)).chain([span[1]]).collect();
        let [width, height] = clip.size.map(f64::from);
        let room = [width, (height - STRIP).max(1.0)];
        match set {
            Some(set) => {
                let view = View::new(&set, &seen, room).shifted([0.0, STRIP]);
                clip.space = Some((set, view));
            }
            None => clip.camera = Camera::new(stage, &seen, room).shifted([0.0, STRIP]),
        }
        Ok(clip)
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Seconds of motion per second of the clip.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Frames per second.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// Width and height (pixels).
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Instant that a frame shows (s).
    pub fn time(&self, frame: usize) -> f64 {
        (self.span[0] + frame as f64 * self.speed / self.fps).min(self.span[1])
    }

    /// The scene at an instant (s), as the clip shows it.
    pub fn picture(&self, t: f64) -> Picture {
        let [width, height] = self.size.map(f64::from);
        let instant = self.stage.at(t);
        let (mut shapes, scale) = if let Some((set, view)) = &self.space {
            let mut shapes = Vec::new();
            set.ground(view, &mut shapes);
            set.mechanism(view, &instant, 1.0, &mut shapes);
            set.contacts(view, &instant, FLASH * self.speed, self.usual_force, &mut shapes);
            set.axes(view, [width - 40.0, height - 24.0], &mut shapes);
            (shapes, view.scale())
        } else {
            let mut hand = Hand::new(self.stage, &self.camera, [[0.0, STRIP], [width, height]]);
            hand.ground();
            hand.mechanism(&instant, 1.0);
            hand.contacts(&instant, FLASH * self.speed, self.usual_force);
            (hand.finished(), self.camera.scale())
        };
        if self.space.is_some() {
            // the grid may reach into the strip with the words
            shapes.push(Shape::area(
                vec![[0.0, 0.0], [width, 0.0], [width, STRIP], [0.0, STRIP]],
                Style::fill([0xff; 3], 1.0),
            ));
        }
        shapes.extend(strip([0.0, 0.0], width, self.stage, scale));
        let (unit, one) = self.stage.time_unit();
        // as many decimals as differ between frames
        let decimals = (-(self.speed / self.fps / one).log10()).ceil().clamp(0.0, 12.0) as usize;
        let pace = match self.speed {
            s if s < 1.0 => format!(", slowed {}×", number_text(rounded(1.0 / s, 3))),
            s if s > 1.0 => format!(", {}× as fast", number_text(rounded(s, 3))),
            _ => String::new(),
        };
        let text = format!("t = {:.decimals$} {unit}{pace}", t / one);
        shapes.push(words([EDGE, STRIP - 10.0], Anchor::Start, &text, WORDS));
        Picture { size: [width, height], shapes }
    }

    /// A frame as pixels: red, green, blue and 255 in turn, line by line.
    pub fn pixels(&self, frame: usize) -> Vec<u8> {
        png::pixels(&self.picture(self.time(frame)), 1.0).take()
    }

    /// The whole clip as a GIF. `watch` is told how far it is, 0 to 1, and may answer false to stop: then there is none.
    pub fn gif(&self, watch: impl FnMut(f64) -> bool) -> Result<Option<Vec<u8>>, ClipError> {
        if self.fps > FASTEST_GIF {
            return error(
                format!("a GIF does not show {} frames per second", self.fps),
                format!("at most {FASTEST_GIF}, or write an .mp4"),
            );
        }
        Ok(gif::write(self, watch))
    }
}

/// The round speed with which the clip lasts as long as it should, about.
fn usual_speed(duration: f64) -> f64 {
    let wanted = (duration / LENGTH).log10();
    let power = wanted.floor() as i32;
    let candidates = [1.0, 2.0, 5.0, 10.0].map(|m| m * 10f64.powi(power));
    let nearest = candidates.into_iter().min_by(|a, b| {
        let far = |x: &f64| (x.log10() - wanted).abs();
        far(a).total_cmp(&far(b))
    });
    rounded(nearest.unwrap_or(1.0), 3)
}

#[cfg(test)]
mod tests {
    use super::usual_speed;

    #[test]
    fn clips_last_about_eight_seconds() {
        for (duration, speed) in [(8.0, 1.0), (0.15, 0.02), (2.0, 0.2), (1000.0, 100.0), (15.0, 2.0)] {
            assert_eq!(usual_speed(duration), speed, "{duration} s");
        }
    }
}
