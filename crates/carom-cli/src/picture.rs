//! `carom picture`: the mechanism at some instants in one drawing, with channels below it.

use crate::failure::Failure;
use crate::figure::{ImageFormat, instant, no_file, opened, pixels, save, scene_of, tell};
use crate::table::say;
use carom::chart::channels::{Source, Wish, plot};
use carom::picture::{Stage, poster};
use clap::Args;
use std::path::PathBuf;

/// Width and height of the drawing and of the chart below it (pixels).
const DRAWING: [f64; 2] = [720.0, 360.0];
const CHART: [f64; 2] = [720.0, 260.0];

/// `carom picture`.
#[derive(Debug, Args)]
pub struct Picture {
    /// Result folder, as `carom run` writes it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Instants in the unit of the model; the last one is drawn solid and the others as ghosts [default: the end, unless
    /// there is a --plot]
    #[arg(long, value_name = "T,T,...", value_delimiter = ',', allow_hyphen_values = true)]
    pub at: Vec<f64>,
    /// Channels to plot over time below the drawing; `*` stands for anything
    #[arg(long, value_name = "CHANNEL,...", value_delimiter = ',')]
    pub plot: Vec<String>,
    /// Said above the plot
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub title: String,
    /// Width and height of the drawing; an image has twice as many pixels [default: 720x360]
    #[arg(long, value_name = "WxH", value_parser = pixels)]
    pub size: Option<[f64; 2]>,
    /// Width and height of the plot [default: 720x260]
    #[arg(long, value_name = "WxH", value_parser = pixels)]
    pub plot_size: Option<[f64; 2]>,
    /// File for the picture, .svg or .png
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Draws the picture.
pub fn picture(args: &Picture) -> Result<(), Failure> {
    let file = args.out.as_deref().ok_or_else(no_file)?;
    let kind = ImageFormat::of(file)?;
    let stored = opened(&args.folder)?;
    let chart = if args.plot.is_empty() {
        None
    } else {
        let wish = Wish {
            channels: args.plot.clone(),
            title: args.title.clone(),
            size: Some(args.plot_size.unwrap_or(CHART)),
            ..Wish::default()
        };
        let drawn = plot(
            &[Source { label: String::new(), recording: &stored.recording, bands: stored.bands.as_ref() }],
            &wish,
        )?;
        tell(&drawn.notes);
        Some(drawn.chart.picture())
    };
    let drawing = if args.at.is_empty() && chart.is_some() {
        None
    } else {
        let stage = Stage::new(scene_of(&stored)?, stored.run.units);
        let mut instants = args.at.iter().map(|t| instant(&stage, *t)).collect::<Result<Vec<f64>, _>>()?;
        if instants.is_empty() {
            instants.push(stage.span()[1]);
        }
        let mut size = args.size.unwrap_or(DRAWING);
        if let Some(chart) = &chart {
            // as wide as the chart, so that the ground runs through
            size[0] = size[0].max(chart.size()[0]);
        }
        Some(poster(&stage, &instants, size))
    };
    let whole = match (drawing, chart) {
        (Some(drawing), Some(chart)) => drawing.above(chart),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return Ok(()),
    };
    save(file, kind, &whole)?;
    say(&format!("{}\n", file.display()))
}
