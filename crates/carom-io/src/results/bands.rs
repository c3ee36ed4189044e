//! `bands.csv` read back: how wrong every channel of a certified run may be, sample by sample.

use super::series;
use carom_dynamics::Recording;
use std::fs;
use std::io;
use std::path::Path;

/// What follows from bands that cannot be used.
const CONSEQUENCE: &str = "the bands of this certified run are not shown";

/// Half-widths with the channels and samples of the series, NaN where the file has none. A run that was not certified has no file.
pub(super) fn read(folder: &Path, recording: &Recording, problems: &mut Vec<String>) -> Option<Recording> {
    let bytes = match fs::read(folder.join("bands.csv")) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return None,
        Err(e) => {
            problems.push(format!("bands.csv cannot be read, so {CONSEQUENCE}: {e}."));
            return None;
        }
    };
    let none = Vec::new();
    let t = recording.columns.first().unwrap_or(&none);
    let fits = |read: &series::Columns| match (read.names.first(), read.columns.first()) {
        (Some(name), Some(times)) if name == "t" => times.iter().zip(t).all(|(a, b)| a == b),
        _ => false,
    };
    let read = match series::table("bands.csv", &bytes, problems) {
        Ok(read) if fits(&read) => read,
        Ok(_) => {
            problems.push(format!("bands.csv has other times than the series, so {CONSEQUENCE}."));
            return None;
        }
        Err(why) => {
            problems.push(format!("bands.csv cannot be used, so {CONSEQUENCE}: {why}."));
            return None;
        }
    };
    let column = |name: &str| {
        let found = read.names.iter().position(|n| n == name).map_or(&none, |i| &read.columns[i]);
        // nobody is off by less than nothing
        let known = found.iter().map(|b| if *b >= 0.0 { *b } else { f64::NAN });
        known.chain(std::iter::repeat(f64::NAN)).take(t.len()).collect::<Vec<f64>>()
    };
    let channels = recording.channels.clone();
    let columns = channels.iter().enumerate();
    let columns = columns.map(|(i, c)| if i == 0 { t.clone() } else { column(c.name()) }).collect();
    Some(Recording { channels, columns, events: Vec::new() })
}
