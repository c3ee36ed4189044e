//! How curves are drawn: which column over which, in which frame of which figure.
//!
//! A study says it once, where it collects the numbers. Frames of one name belong together even if their curves lie in
//! several series, because each scheme has steps of its own.

use serde::Serialize;

/// Ends the name of a column that holds what the source printed; it is drawn as marks on the curve without it.
pub(crate) const PRINTED: &str = ", published";

/// One frame of a figure with curves of a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Panel {
    /// Which figure it is a part of: what that redraws, or shows. Panels of the same figure stand together.
    pub figure: String,
    /// Said above the frame; in one figure, panels of the same title are the same frame.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// Orders to draw lines for, beside curves that should have these slopes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<f64>,
    /// Curves.
    pub curves: Vec<Curve>,
    /// Few points: each is marked.
    pub marked: bool,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Quantity with its unit.
    pub label: String,
    /// Logarithmic or linear.
    pub logarithmic: bool,
    /// What is shown; all of the data if left out.
    pub range: Option<[f64; 2]>,
}

/// A curve: a column over another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// What the legend calls it; the same label is the same colour.
    pub label: String,
    /// Column across.
    pub x: usize,
    /// Column up.
    pub y: usize,
    /// What the source printed: marks, no line.
    pub published: bool,
}

/// A linear axis over all of the data.
pub(crate) fn linear(label: &str) -> Axis {
    Axis { label: label.into(), logarithmic: false, range: None }
}

/// A logarithmic axis over all of the data.
pub(crate) fn logarithmic(label: &str) -> Axis {
    Axis { label: label.into(), logarithmic: true, range: None }
}

impl Axis {
    /// The same axis showing `low` to `high`.
    pub(crate) fn between(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

impl Panel {
    /// An empty frame.
    pub(crate) fn new(figure: &str, title: &str, x: Axis, y: Axis) -> Self {
        Self {
            figure: figure.into(),
            title: title.into(),
            x,
            y,
            orders: Vec::new(),
            curves: Vec::new(),
            marked: false,
        }
    }

    /// Errors over steps, both logarithmic, each point marked, with lines for the expected orders.
    pub(crate) fn orders(figure: &str, title: &str, x: &str, y: &str, orders: &[f64]) -> Self {
        let panel = Self::new(figure, title, logarithmic(x), logarithmic(y));
        Self { orders: orders.into(), marked: true, ..panel }
    }

    /// The same frame with a mark at each point.
    pub(crate) fn marked(mut self) -> Self {
        self.marked = true;
        self
    }

    /// The same frame with a quantity, without its unit, said above it.
    pub(crate) fn of(mut self, quantity: &str) -> Self {
        self.title = quantity.split(" (").next().unwrap_or(quantity).into();
        self
    }

    /// Adds a curve: column `y` over column `x`.
    pub(crate) fn add(&mut self, label: String, x: usize, y: usize) {
        let published = label.ends_with(PRINTED);
        let label = label.strip_suffix(PRINTED).map_or(label.clone(), str::to_string);
        self.curves.push(Curve { label, x, y, published });
    }
}

/// What stands between a beginning and an end, if the name has both: labels from names of columns.
pub(crate) fn between(name: &str, begin: &str, end: &str) -> Option<String> {
    Some(name.strip_prefix(begin)?.strip_suffix(end)?.to_string())
}
