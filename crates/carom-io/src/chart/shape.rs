//! What a chart is made of once it is laid out.

/// A laid-out chart.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Width and height (pixels).
    pub size: [f64; 2],
    /// In drawing order.
    pub shapes: Vec<Shape>,
}

/// Something to draw.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Lines through points, one path.
    Path {
        /// Each a run of points.
        runs: Vec<Vec<[f64; 2]>>,
        /// Pen.
        stroke: Stroke,
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
        /// Turned by a quarter, to be read from below upwards.
        upright: bool,
    },
}

/// A pen.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Red, green, blue.
    pub color: [u8; 3],
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

/// Colour of text and frames.
pub const INK: [u8; 3] = [0x22, 0x22, 0x22];
