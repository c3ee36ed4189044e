//! What `plot`, `picture` and `animate` share: folders in, image files out.

use crate::failure::{self, Failure};
use carom::Scene;
use carom::picture::{Picture, Stage};
use carom::report::names;
use carom::results::{self, Stored};
use std::path::Path;

/// Pixels of an image per pixel of the figure.
const DENSITY: f64 = 2.0;

/// How an image is written, from the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    Svg,
    Png,
}

impl ImageFormat {
    /// By the ending.
    pub fn of(file: &Path) -> Result<Self, Failure> {
        match ending(file).as_str() {
            "svg" => Ok(ImageFormat::Svg),
            "png" => Ok(ImageFormat::Png),
            _ => Err(input(
                format!("`{}` does not say what to write", file.display()),
                "a name that ends in .svg or .png",
            )),
        }
    }
}

/// How numbers are written: as a table, or as a chart of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartFormat {
    Csv,
    Svg,
    Png,
}

impl ChartFormat {
    /// By the ending.
    pub fn of(file: &Path) -> Result<Self, Failure> {
        match ending(file).as_str() {
            "csv" => Ok(Self::Csv),
            "svg" => Ok(Self::Svg),
            "png" => Ok(Self::Png),
            _ => Err(input(
                format!("`{}` does not say what to write", file.display()),
                "a name that ends in .csv, .svg or .png",
            )),
        }
    }
}

/// The ending of a file's name in small letters; empty if it has none.
pub fn ending(file: &Path) -> String {
    file.extension().map_or(String::new(), |e| e.to_string_lossy().to_lowercase())
}

/// Bad input, and what would be right.
pub fn input(wrong: impl AsRef<str>, right: impl AsRef<str>) -> Failure {
    failure::wrong(wrong.as_ref()).help(right.as_ref()).input()
}

/// Nobody has said where the figure goes.
pub fn no_file() -> Failure {
    input("there is no file to write to", "name one: -o FILE.svg or -o FILE.png")
}

/// The results in a folder; what is wrong with them is told.
pub fn opened(folder: &Path) -> Result<Stored, Failure> {
    let stored = results::open(folder)?;
    tell(&stored.problems);
    Ok(stored)
}

/// An instant in the unit of the model as seconds, if the run has it.
pub fn instant(stage: &Stage<'_>, t: f64) -> Result<f64, Failure> {
    let ([first, last], (unit, second)) = (stage.span(), stage.time_unit());
    let at = t * second;
    // the end of a run is known to rounding
    let slack = 1e-9 * (last - first);
    if at >= first - slack && at <= last + slack {
        return Ok(at.clamp(first, last));
    }
    let (first, last) = (first / second, last / second);
    Err(input(
        format!("there is nothing at t = {t} {unit}"),
        format!("an instant from {first} to {last} {unit}"),
    ))
}

/// The scene of a run, which old or damaged folders do not have.
pub fn scene_of(stored: &Stored) -> Result<&Scene, Failure> {
    stored.scene.as_ref().ok_or_else(|| {
        input(
            format!(
                "there is nothing to draw in {}: scene.json is missing or damaged",
                stored.folder.display()
            ),
            if stored.run.command.is_empty() {
                "run the model again".into()
            } else {
                format!("run it again: {}", stored.run.command)
            },
        )
    })
}

/// A remark on standard error for each.
pub fn tell(notes: &[String]) {
    for note in notes {
        crate::colour::grumble(&format!("note: {note}"));
    }
}

/// What distinguishes the runs; nothing if there is one only.
pub fn labels(stored: &[Stored]) -> Vec<String> {
    match stored {
        [_] => vec![String::new()],
        many => names(&many.iter().map(Stored::page).collect::<Vec<_>>()),
    }
}

/// Writes a figure; images are twice as fine.
pub fn save(file: &Path, kind: ImageFormat, picture: &Picture) -> Result<(), Failure> {
    let content = match kind {
        ImageFormat::Svg => picture.svg().into_bytes(),
        ImageFormat::Png => picture.png(DENSITY),
    };
    write(file, &content)
}

/// Writes a file whole or not at all.
pub fn write(file: &Path, content: &[u8]) -> Result<(), Failure> {
    carom::write_bytes(file, content).map_err(|e| failure::wrong(e).help("choose another file with -o").run())
}

/// `720x400` as width and height.
pub fn pixels(text: &str) -> Result<[f64; 2], String> {
    /// Smallest and largest side of a figure.
    const SIDES: [f64; 2] = [100.0, 8000.0];
    let side = |s: &str| s.trim().parse::<f64>().ok().filter(|x| (SIDES[0]..=SIDES[1]).contains(x));
    let sides = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| {
        format!("width and height in pixels, each from {} to {}, as in 720x400", SIDES[0], SIDES[1])
    })
}
