//! A laid-out chart as SVG.

use super::shape::{Anchor, INK, Picture, Shape};
use crate::write::report::escape;
use crate::write::{number_text, push_number};
use std::fmt::Write;

/// Hundredths of a pixel are enough.
fn fine(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// The whole picture.
pub fn write(picture: &Picture) -> String {
    let [width, height] = picture.size.map(|x| number_text(fine(x)));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\" fill=\"{}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        hex(INK)
    );
    for shape in &picture.shapes {
        match shape {
            Shape::Path { runs, stroke } => {
                svg.push_str("<path d=\"");
                for run in runs {
                    for (i, p) in run.iter().enumerate() {
                        svg.push(if i == 0 { 'M' } else { 'L' });
                        push_number(&mut svg, fine(p[0]));
                        svg.push(' ');
                        push_number(&mut svg, fine(p[1]));
                    }
                }
                let (color, thick) = (hex(stroke.color), number_text(stroke.width));
                let _ = write!(svg, "\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{thick}\"");
                if !stroke.dashes.is_empty() {
                    let dashes: Vec<String> = stroke.dashes.iter().map(|d| number_text(*d)).collect();
                    let _ = write!(svg, " stroke-dasharray=\"{}\"", dashes.join(" "));
                }
                svg.push_str(" stroke-linejoin=\"round\"/>\n");
            }
            Shape::Text { at, anchor, text, size, upright } => {
                let [x, y] = at.map(|x| number_text(fine(x)));
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let size = number_text(*size);
                let _ =
                    write!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"");
                if *upright {
                    let _ = write!(svg, " transform=\"rotate(-90 {x} {y})\"");
                }
                let _ = writeln!(svg, ">{}</text>", escape(text));
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
