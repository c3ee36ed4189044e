//! Widths and outlines of letters: DejaVu Sans, which has Greek letters, superscripts and mathematical signs.

use ttf_parser::{Face, OutlineBuilder};

/// The font.
pub struct Font {
    face: Face<'static>,
}

impl Font {
    /// Read from the binary itself.
    pub fn new() -> Self {
        Self { face: Face::parse(dejavu::sans::regular(), 0).expect("the built-in font is sound") }
    }

    /// Width of a text (pixels) at a font size.
    pub fn width(&self, text: &str, size: f64) -> f64 {
        text.chars().map(|c| self.advance(c, size)).sum()
    }

    fn advance(&self, c: char, size: f64) -> f64 {
        let glyph = self.face.glyph_index(c).unwrap_or_default();
        let units = self.face.glyph_hor_advance(glyph).unwrap_or(self.face.units_per_em() / 2);
        f64::from(units) * size / f64::from(self.face.units_per_em())
    }

    /// Outlines of a text that begins at the origin, y upwards, in pixels.
    pub fn outline(&self, text: &str, size: f64, to: &mut dyn OutlineBuilder) {
        let scale = size / f64::from(self.face.units_per_em());
        let mut x = 0.0;
        for c in text.chars() {
            let glyph = self.face.glyph_index(c).unwrap_or_default();
            let mut moved = Moved { to: &mut *to, scale: scale as f32, x: x as f32 };
            self.face.outline_glyph(glyph, &mut moved);
            x += self.advance(c, size);
        }
    }
}

/// Letters at their place in the line.
struct Moved<'a> {
    to: &'a mut dyn OutlineBuilder,
    scale: f32,
    x: f32,
}

impl Moved<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.scale * y)
    }
}

impl OutlineBuilder for Moved<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.to.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.to.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.to.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.to.curve_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.to.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_of_a_figure_has_a_letter() {
        let font = Font::new();
        for c in "0123456789⁰¹²³⁴⁵⁶⁷⁸⁹⁻−·×|/()[]=,.αβγξρωΩΔλμθ∞ₘ₁±≤".chars()
        {
            assert!(font.face.glyph_index(c).is_some(), "no letter for {c}");
        }
        // digits are of one width, an m is wider than an i
        assert_eq!(font.width("1", 12.0), font.width("8", 12.0));
        assert!(font.width("m", 12.0) > 2.0 * font.width("i", 12.0));
    }
}
