//! A figure as SVG. Text stays text, in the font the widths were taken from or the nearest one there is.

use super::{Anchor, Color, INK, Picture, Shape, Style};
use crate::write::report::escape;
use crate::write::{number_text, push_number, rounded};
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
            Shape::Path { runs, closed, style } => {
                svg.push_str("<path d=\"");
                for run in runs {
                    push_run(&mut svg, run);
                    if *closed {
                        svg.push('Z');
                    }
                }
                svg.push('"');
                push_style(&mut svg, style);
                svg.push_str("/>\n");
            }
            Shape::Circle { center, radius, style } => {
                let [x, y, r] = [center[0], center[1], *radius].map(|x| number_text(fine(x)));
                let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
                push_style(&mut svg, style);
                svg.push_str("/>\n");
            }
            Shape::Text { at, anchor, text, size, color, upright } => {
                let [x, y] = at.map(|x| number_text(fine(x)));
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let size = number_text(*size);
                let _ =
                    write!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\"");
                if *color != INK {
                    let _ = write!(svg, " fill=\"{}\"", hex(*color));
                }
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

/// Points joined by straight lines; those that the rounding puts on the one before are left out.
fn push_run(svg: &mut String, run: &[[f64; 2]]) {
    let mut before = None;
    for (i, p) in run.iter().enumerate() {
        let p = p.map(fine);
        if before == Some(p) && i > 1 {
            continue;
        }
        svg.push(if i == 0 { 'M' } else { 'L' });
        push_number(svg, p[0]);
        svg.push(' ');
        push_number(svg, p[1]);
        before = Some(p);
    }
}

fn push_style(svg: &mut String, style: &Style) {
    match style.fill {
        None => svg.push_str(" fill=\"none\""),
        Some((color, opacity)) => {
            let _ = write!(svg, " fill=\"{}\"", hex(color));
            push_opacity(svg, "fill", opacity);
        }
    }
    let Some(pen) = style.pen else { return };
    let _ = write!(svg, " stroke=\"{}\" stroke-width=\"{}\"", hex(pen.color), number_text(fine(pen.width)));
    push_opacity(svg, "stroke", pen.opacity);
    if !pen.dashes.is_empty() {
        let dashes: Vec<String> = pen.dashes.iter().map(|d| number_text(*d)).collect();
        let _ = write!(svg, " stroke-dasharray=\"{}\"", dashes.join(" "));
    }
    svg.push_str(" stroke-linejoin=\"round\"");
    if pen.dashes.is_empty() {
        svg.push_str(" stroke-linecap=\"round\"");
    }
}

fn push_opacity(svg: &mut String, of: &str, opacity: f64) {
    if opacity < 1.0 {
        let _ = write!(svg, " {of}-opacity=\"{}\"", number_text(rounded(opacity, 3)));
    }
}

fn hex([r, g, b]: Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
