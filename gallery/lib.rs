//! The models that come with Carom, as text inside the program: an installed `carom` runs them, studies are made of them.

/// Name and text of every model, in alphabetical order.
pub const MODELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// Tables and meshes that models name: model, name, text.
pub const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Text of the model of this name. In a constant, a name that is not in the gallery does not compile.
///
/// ```
/// const BALL: &str = carom_gallery::model("ball");
/// assert!(BALL.contains("[bodies.ball]"));
/// ```
/// ```compile_fail
/// const BALL: &str = carom_gallery::model("bal");
/// ```
///
/// # Panics
/// Outside a constant, if there is no such model.
pub const fn model(name: &str) -> &'static str {
    let mut i = 0;
    while i < MODELS.len() {
        if same(MODELS[i].0.as_bytes(), name.as_bytes()) {
            return MODELS[i].1;
        }
        i += 1;
    }
    panic!("there is no model of this name in the gallery")
}

/// Comparison that constants may use.
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
