//! `carom plot`: channels of a run, or of several, as a figure.

use crate::failure::{self, Failure};
use crate::figure::{ImageFormat, labels, no_file, opened, pixels, save, tell};
use crate::table::{say, short, table};
use carom::chart::channels::{PlotError, Source, Wish, plot as chart_of};
use carom::results::Stored;
use clap::Args;
use std::path::PathBuf;

/// Widest cell of the list (characters).
const WIDEST: usize = 60;

/// `carom plot`.
#[derive(Debug, Args)]
pub struct Plot {
    /// Result folder, as `carom run` writes it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Channels; `*` stands for anything: `ball.y 'guide.*.gap'`
    #[arg(value_name = "CHANNEL")]
    pub channels: Vec<String>,
    /// Plot against this channel instead of time
    #[arg(long, value_name = "CHANNEL")]
    pub against: Option<String>,
    /// Another result folder, for the same channels in the same figure; may be given several times
    #[arg(long, value_name = "DIR")]
    pub with: Vec<PathBuf>,
    /// First instant shown, in the unit of the model
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// Last instant shown
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub to: Option<f64>,
    /// Said above the figure
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub title: String,
    /// Width and height of the figure; an image has twice as many pixels [default: 720x400]
    #[arg(long, value_name = "WxH", value_parser = pixels)]
    pub size: Option<[f64; 2]>,
    /// One pane for every unit, or for every channel if all have one
    #[arg(long)]
    pub panes: bool,
    /// List the channels with their units and ranges
    #[arg(long)]
    pub list: bool,
    /// File for the figure, .svg or .png
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Draws the figure, or lists what could be drawn.
pub fn plot(args: &Plot) -> Result<(), Failure> {
    let stored =
        std::iter::once(&args.folder).chain(&args.with).map(|d| opened(d)).collect::<Result<Vec<_>, _>>()?;
    if args.list || args.channels.is_empty() {
        return say(&listed(&stored[0], args.list));
    }
    let file = args.out.as_deref().ok_or_else(no_file)?;
    let kind = ImageFormat::of(file)?;
    let wish = Wish {
        channels: args.channels.clone(),
        against: args.against.clone(),
        from: args.from,
        to: args.to,
        title: args.title.clone(),
        size: args.size,
        panes: args.panes,
    };
    let sources: Vec<Source<'_>> = stored
        .iter()
        .zip(labels(&stored))
        .map(|(s, label)| Source { label, recording: &s.recording, bands: s.bands.as_ref() })
        .collect();
    let drawn = chart_of(&sources, &wish)?;
    tell(&drawn.notes);
    save(file, kind, &drawn.chart.picture())?;
    say(&format!("{}\n", file.display()))
}

/// Every channel with its unit and range.
fn listed(stored: &Stored, asked: bool) -> String {
    let mut rows = vec![["channel", "unit", "from", "to", ""].map(String::from).to_vec()];
    for (channel, column) in stored.recording.channels.iter().zip(&stored.recording.columns) {
        let numbers = || column.iter().copied().filter(|x| x.is_finite());
        let (low, high) =
            numbers().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        let gaps = column.len() - numbers().count();
        let range = if low > high { [String::new(), String::new()] } else { [short(low), short(high)] };
        let [low, high] = range;
        let remark = if gaps > 0 { format!("{gaps} samples are no numbers") } else { String::new() };
        rows.push(vec![channel.name().into(), channel.unit.clone(), low, high, remark]);
    }
    let mut text = table(&rows, WIDEST);
    if !asked {
        let example = stored.recording.channels.get(1).map_or("CHANNEL", |c| c.name());
        let folder = stored.folder.display();
        text.push_str(&format!("\nName one or more of them: carom plot {folder} {example} -o fig.svg\n"));
    }
    text
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        failure::wrong(error).input()
    }
}
