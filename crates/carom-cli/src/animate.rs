//! `carom animate`: the motion as a clip, and one frame of it as a poster.

use crate::args::positive;
use crate::doctor;
use crate::failure::{self, Failure};
use crate::figure::{ending, input, instant, opened, pixels, scene_of, write};
use crate::interrupt;
use crate::progress::Bar;
use crate::table::{say, short};
use carom::animation::{Clip, ClipError, Wish};
use carom::picture::{Action, Stage};
use clap::Args;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// `carom animate`.
#[derive(Debug, Args)]
pub struct Animate {
    /// Result folder, as `carom run` writes it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Clip: a .gif; an .mp4, if ffmpeg is installed; a folder, `FRAMES/`, for an image per frame; a .png for the poster
    /// alone. A poster, CLIP.png, is written beside it
    #[arg(long, short, value_name = "CLIP")]
    pub out: PathBuf,
    /// Frames per second
    #[arg(long, value_name = "N", default_value_t = 25.0, allow_hyphen_values = true, value_parser = positive)]
    pub fps: f64,
    /// Seconds of motion per second of the clip [default: so that it lasts about 8 s]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = positive)]
    pub speed: Option<f64>,
    /// Width and height (pixels)
    #[arg(long, value_name = "WxH", default_value = "960x540", value_parser = pixels)]
    pub size: [f64; 2],
    /// First instant shown, in the unit of the model
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// Last instant shown
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub to: Option<f64>,
    /// Instant of the poster [default: the first]
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub at: Option<f64>,
    /// Say nothing unless something is wrong
    #[arg(long, short)]
    pub quiet: bool,
}

/// What the name of the clip asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClipFormat {
    Gif,
    Mp4,
    Frames,
    Poster,
}

/// Draws the clip and its poster.
pub fn animate(args: &Animate) -> Result<(), Failure> {
    let kind = kind(&args.out)?;
    let encoder = if kind == ClipFormat::Mp4 { Some(ffmpeg()?) } else { None };
    let stored = opened(&args.folder)?;
    let stage = Stage::new(scene_of(&stored)?, stored.run.units)
        .with_action(Action::of(&stored.recording, &stored.run.units));
    let (_, second) = stage.time_unit();
    let wish = Wish {
        size: args.size.map(|side| side.round() as u32),
        fps: args.fps,
        speed: args.speed,
        from: args.from.map(|t| t * second),
        to: args.to.map(|t| t * second),
    };
    let clip = Clip::new(&stage, &wish)?;
    let poster = match kind {
        ClipFormat::Frames => args.out.join("poster.png"),
        ClipFormat::Poster => args.out.clone(),
        ClipFormat::Gif | ClipFormat::Mp4 => args.out.with_extension("png"),
    };
    let at = args.at.map_or(Ok(clip.time(0)), |t| instant(&stage, t))?;

    interrupt::listen();
    let bar = Bar::new(args.quiet);
    let mut watch = |part: f64| {
        bar.part(part, "drawing");
        !interrupt::asked()
    };
    let whole = match kind {
        ClipFormat::Gif => match clip.gif(&mut watch)? {
            Some(content) => write(&args.out, &content).map(|()| true),
            None => Ok(false),
        },
        ClipFormat::Mp4 => {
            encode(&clip, encoder.as_deref().unwrap_or(Path::new("ffmpeg")), &args.out, &mut watch)
        }
        ClipFormat::Frames => frames(&clip, &args.out, &mut watch),
        ClipFormat::Poster => Ok(true),
    };
    bar.clear();
    if !whole? {
        return Err(Failure::Interrupted("interrupted; the clip was not written".into()));
    }
    write(&poster, &clip.picture(at).png(1.0))?;
    if args.quiet {
        return Ok(());
    }
    let mut text = String::new();
    if kind != ClipFormat::Poster {
        let seconds = clip.frames() as f64 / clip.fps();
        text = format!(
            "{}: {} frames, {} s, {} s of motion per second\n",
            args.out.display(),
            clip.frames(),
            short(seconds),
            short(clip.speed())
        );
    }
    say(&format!("{text}{}\n", poster.display()))
}

fn kind(out: &Path) -> Result<ClipFormat, Failure> {
    let folder = out.is_dir() || out.as_os_str().to_string_lossy().ends_with(['/', '\\']);
    match ending(out).as_str() {
        _ if folder => Ok(ClipFormat::Frames),
        "gif" => Ok(ClipFormat::Gif),
        "mp4" => Ok(ClipFormat::Mp4),
        "png" => Ok(ClipFormat::Poster),
        _ => Err(input(
            format!("`{}` does not say what to write", out.display()),
            "a name that ends in .gif, .mp4 or .png, or a folder for images: FRAMES/",
        )),
    }
}

/// An image per frame, numbered from 1; false if it was interrupted.
fn frames(clip: &Clip<'_>, folder: &Path, watch: &mut dyn FnMut(f64) -> bool) -> Result<bool, Failure> {
    let digits = clip.frames().to_string().len().max(4);
    for i in 0..clip.frames() {
        if !watch(i as f64 / clip.frames() as f64) {
            return Ok(false);
        }
        write(&folder.join(format!("frame-{:0digits$}.png", i + 1)), &clip.picture(clip.time(i)).png(1.0))?;
    }
    Ok(true)
}

/// The encoder on the search path.
fn ffmpeg() -> Result<PathBuf, Failure> {
    doctor::find(&doctor::ENCODERS).ok_or_else(|| {
        input("an .mp4 needs the program ffmpeg, which is not installed", "install ffmpeg, or write a .gif")
    })
}

/// Feeds the frames to the encoder; false if it was interrupted.
fn encode(
    clip: &Clip<'_>,
    program: &Path,
    file: &Path,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<bool, Failure> {
    let wrong = |e: &dyn std::fmt::Display| {
        failure::wrong(format_args!("ffmpeg did not write {}: {e}", file.display())).run()
    };
    if let Some(folder) = file.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|e| wrong(&e))?;
    }
    let partial = file.with_extension("partial.mp4");
    let mut child = start(clip, program, &partial).map_err(|e| wrong(&e))?;
    let mut pipe = child.stdin.take().expect("it was asked for");
    let mut fed = Ok(true);
    for i in 0..clip.frames() {
        if !watch(i as f64 / clip.frames() as f64) {
            fed = Ok(false);
            break;
        }
        if let Err(e) = pipe.write_all(&clip.pixels(i)) {
            fed = Err(e);
            break;
        }
    }
    drop(pipe);
    // what the encoder says about itself explains more than a broken pipe
    let output = child.wait_with_output().map_err(|e| wrong(&e))?;
    let outcome = match fed {
        _ if !output.status.success() => Err(wrong(&String::from_utf8_lossy(&output.stderr).trim())),
        Err(e) => Err(wrong(&e)),
        Ok(false) => Ok(false),
        Ok(true) => fs::rename(&partial, file).map(|()| true).map_err(|e| wrong(&e)),
    };
    if !matches!(outcome, Ok(true)) {
        // half a clip is of no use; that it cannot be removed adds nothing
        let _ = fs::remove_file(&partial);
    }
    outcome
}

/// H.264 with the colours that every player shows; those want even sides.
fn start(clip: &Clip<'_>, program: &Path, file: &Path) -> io::Result<Child> {
    let [width, height] = clip.size();
    Command::new(program)
        .args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba"])
        .args(["-s", &format!("{width}x{height}"), "-r", &clip.fps().to_string(), "-i", "-"])
        .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-c:v", "libx264", "-crf", "18"])
        .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}

impl From<ClipError> for Failure {
    fn from(error: ClipError) -> Self {
        failure::wrong(error).input()
    }
}
