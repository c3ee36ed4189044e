//! Figures as shapes on white paper, and the two writers that turn them into SVG text and into pixels: charts, pictures of
//! mechanisms and the frames of clips are laid out once and look the same in both.

pub mod font;
pub mod png;
pub mod svg;

/// Red, green, blue.
pub type Color = [u8; 3];

/// Colour of text and frames.
pub const INK: Color = [0x22, 0x22, 0x22];
/// Colour of what stands still and of remarks.
pub const QUIET: Color = [0x6b, 0x70, 0x78];
/// Colours that people with any colour vision tell apart (Okabe and Ito), without the yellow that white paper hides.
pub const COLORS: [Color; 7] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0x00, 0x00, 0x00],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
];

/// A figure that is laid out.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Width and height (pixels).
    pub(crate) size: [f64; 2],
    /// In drawing order.
    pub(crate) shapes: Vec<Shape>,
}

/// Something to draw.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Lines through points, one path.
    Path {
        /// Each a run of points.
        runs: Vec<Vec<[f64; 2]>>,
        /// Whether every run returns to its first point.
        closed: bool,
        /// How it looks.
        style: Style,
    },
    /// A full circle.
    Circle {
        /// Centre.
        center: [f64; 2],
        /// Radius (pixels).
        radius: f64,
        /// How it looks.
        style: Style,
    },
    /// A line of text.
    Text {
        /// Where its baseline is anchored.
        at: [f64; 2],
        /// Which point of the text that is.
        anchor: Anchor,
        /// What it says.
        text: String,
        /// Font size (pixels).
        size: f64,
        /// Its colour.
        color: Color,
        /// Turned by a quarter, to be read from below upwards.
        upright: bool,
    },
}

/// Inside and rim of a shape; one that has neither is not seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Colour and opacity of the inside.
    pub fill: Option<(Color, f64)>,
    /// The rim.
    pub pen: Option<Pen>,
}

/// A pen.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Its colour.
    pub color: Color,
    /// 1 hides what is below.
    pub opacity: f64,
    /// Width (pixels).
    pub width: f64,
    /// Lengths on and off in turn; empty for a whole line.
    pub dashes: &'static [f64],
}

/// Which point of a text is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Pen {
    /// A whole line that hides what is below.
    pub fn new(color: Color, width: f64) -> Self {
        Self { color, opacity: 1.0, width, dashes: &[] }
    }

    /// The same, seen through.
    pub fn faint(self, opacity: f64) -> Self {
        Self { opacity: self.opacity * opacity, ..self }
    }
}

impl Style {
    /// A rim alone.
    pub fn line(pen: Pen) -> Self {
        Self { fill: None, pen: Some(pen) }
    }

    /// An inside alone.
    pub fn fill(color: Color, opacity: f64) -> Self {
        Self { fill: Some((color, opacity)), pen: None }
    }

    /// Both.
    pub fn both(color: Color, opacity: f64, pen: Pen) -> Self {
        Self { fill: Some((color, opacity)), pen: Some(pen) }
    }
}

impl Shape {
    /// One open line.
    pub fn line(points: Vec<[f64; 2]>, pen: Pen) -> Self {
        Self::lines(vec![points], pen)
    }

    /// Several open lines.
    pub fn lines(runs: Vec<Vec<[f64; 2]>>, pen: Pen) -> Self {
        Self::Path { runs, closed: false, style: Style::line(pen) }
    }

    /// A closed line and its inside.
    pub fn area(points: Vec<[f64; 2]>, style: Style) -> Self {
        Self::Path { runs: vec![points], closed: true, style }
    }

    /// Whether all of its places are numbers.
    pub fn is_somewhere(&self) -> bool {
        let number = |p: &[f64; 2]| p[0].is_finite() && p[1].is_finite();
        match self {
            Self::Path { runs, .. } => runs.iter().flatten().all(number),
            Self::Circle { center, .. } => number(center),
            Self::Text { at, .. } => number(at),
        }
    }

    /// Text from left to right.
    pub fn text(at: [f64; 2], anchor: Anchor, text: &str, size: f64) -> Self {
        Self::Text { at, anchor, text: text.into(), size, color: INK, upright: false }
    }
}

impl Picture {
    /// This one, and the other below it; the narrower of the two in the middle.
    pub fn above(mut self, other: Self) -> Self {
        let width = self.size[0].max(other.size[0]);
        self.shift([0.5 * (width - self.size[0]), 0.0]);
        let mut other = other;
        other.shift([0.5 * (width - other.size[0]), self.size[1]]);
        self.size = [width, self.size[1] + other.size[1]];
        self.shapes.append(&mut other.shapes);
        self
    }

    fn shift(&mut self, by: [f64; 2]) {
        let moved = |p: &mut [f64; 2]| (p[0], p[1]) = (p[0] + by[0], p[1] + by[1]);
        for shape in &mut self.shapes {
            match shape {
                Shape::Path { runs, .. } => runs.iter_mut().flatten().for_each(moved),
                Shape::Circle { center, .. } => moved(center),
                Shape::Text { at, .. } => moved(at),
            }
        }
    }
}
