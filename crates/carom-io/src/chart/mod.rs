//! Line charts for papers: panels with linear or logarithmic axes, one legend, as SVG text or PNG image.
//!
//! A [`Chart`] is plain data. It is laid out once into shapes, which two small writers turn into SVG and
//! into pixels, so both show the same. Curves are told apart by colour, and by dashes if there are more than four of
//! them or some may coincide. Same data, same bytes. [`channels`] makes charts of what a run recorded.
//!
//! ```
//! use carom_io::chart::{Axis, Chart, Curve, Panel};
//!
//! let curve = Curve::new("order 2", (1..50).map(|k| [0.01 * k as f64, (0.01 * k as f64).powi(2)]));
//! let panel = Panel {
//!     title: "error".into(),
//!     x: Axis::logarithmic("step (s)"),
//!     y: Axis::logarithmic("error (m)"),
//!     curves: vec![curve],
//! };
//! let svg = Chart::new(vec![panel]).svg();
//! assert!(svg.contains(">order 2</text>"));
//! ```

mod axis;
mod band;
pub mod channels;
mod layout;
mod mark;

pub(crate) use layout::cut;

use crate::shapes::Picture;

/// A figure: panels in rows, and one legend for all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Said above everything; may be empty.
    pub title: String,
    /// From left to right, then down.
    pub panels: Vec<Panel>,
    /// Panels in a row.
    pub columns: usize,
    /// Width and height of a panel with its labels (pixels).
    pub panel_size: [f64; 2],
    /// Width and height of the whole (pixels), which the panels then share; if left out, that of all panels.
    pub size: Option<[f64; 2]>,
    /// Whether the panels of a column have one horizontal axis, labelled below the last of them.
    pub common_x: bool,
    /// Whether a unit is as long across as up.
    pub equal: bool,
    /// Whether few curves have dashes of their own too: some may lie on each other, as those of a comparison do.
    pub dashed: bool,
}

/// One frame with its curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Said above the frame; may be empty.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// Curves; the same label in another panel is the same colour.
    pub curves: Vec<Curve>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Quantity with its unit.
    pub label: String,
    /// Logarithmic or linear.
    pub logarithmic: bool,
    /// What is shown; all of the data if left out. Curves are cut at the frame.
    pub range: Option<[f64; 2]>,
    /// For a vertical axis: a second one on the right, for the curves that say so.
    pub right: Option<Box<Axis>>,
}

/// A line through points. Where a coordinate is not finite, or not positive on a logarithmic axis, the line has a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name in the legend; an empty one is not listed.
    pub label: String,
    /// Points (x, y).
    pub points: Vec<[f64; 2]>,
    /// Half-widths of a pale band around the line, one for each point; empty for none. Where one is no number, the band has a gap.
    pub band: Vec<f64>,
    /// Whether the axis on the right is meant.
    pub right: bool,
    /// What is drawn of it.
    pub look: Look,
}

/// What is drawn of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// A line.
    #[default]
    Line,
    /// A line with a mark at each point: few points, as measured.
    Marked,
    /// Marks alone: values to compare a line of the same label with.
    Marks,
}

impl Chart {
    /// Panels side by side, at most three in a row.
    pub fn new(panels: Vec<Panel>) -> Self {
        Self {
            title: String::new(),
            columns: panels.len().clamp(1, 3),
            panels,
            panel_size: [340.0, 280.0],
            size: None,
            common_x: false,
            equal: false,
            dashed: false,
        }
    }

    /// As SVG text.
    pub fn svg(&self) -> String {
        self.picture().svg()
    }

    /// As a PNG image; `density` is pixels of the image per pixel of the chart, 2 for print.
    pub fn png(&self, density: f64) -> Vec<u8> {
        self.picture().png(density)
    }

    /// Laid out, to be put together with others.
    pub fn picture(&self) -> Picture {
        layout::lay_out(self)
    }
}

impl Axis {
    /// A linear axis over all of the data.
    pub fn linear(label: &str) -> Self {
        Self { label: label.into(), logarithmic: false, range: None, right: None }
    }

    /// A logarithmic axis over all of the data.
    pub fn logarithmic(label: &str) -> Self {
        Self { label: label.into(), logarithmic: true, range: None, right: None }
    }

    /// The same axis showing `low` to `high`.
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }

    /// The same axis on the left, and another on the right.
    pub fn with_right(mut self, right: Axis) -> Self {
        self.right = Some(Box::new(right));
        self
    }
}

impl Curve {
    /// From a label and points.
    pub fn new(label: &str, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let points = points.into_iter().collect();
        Self { label: label.into(), points, band: Vec::new(), right: false, look: Look::Line }
    }

    /// The same curve with a band around it.
    pub fn with_band(mut self, band: Vec<f64>) -> Self {
        self.band = band;
        self
    }

    /// Points of the lower and the upper edge of the band, in order.
    pub(crate) fn edges(&self) -> impl Iterator<Item = [[f64; 2]; 2]> {
        self.points.iter().zip(&self.band).map(|([x, y], b)| [[*x, y - b], [*x, y + b]])
    }

    /// The same curve, drawn in another way.
    pub fn looking(mut self, look: Look) -> Self {
        self.look = look;
        self
    }
}
