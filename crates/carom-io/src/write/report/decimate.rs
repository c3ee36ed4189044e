//! Channels for display: whole if they are few, thinned without hiding peaks or gaps if they are many.

use crate::block;
use carom_dynamics::Recording;
use serde::Serialize;

/// Most values of all channels that are embedded as they are. 5 MB on the page.
const WHOLE: usize = 1_000_000;
/// Most values of thinned channels together. Each comes with its place in time, which makes 6.4 MB on the page.
const THINNED: usize = 600_000;
/// A channel that stays below this is scaled: numbers of 32 bits lose digits from 1e-38 downwards.
const LEAST: f64 = 1e-30;
/// Most channels that can be plotted.
const CHANNELS: usize = 800;

/// One channel, in the file's units.
#[derive(Serialize)]
pub(super) struct Series {
    name: String,
    unit: String,
    /// Which of the times, as a block; none if every time has a value.
    at: Option<String>,
    y: String,
    /// Half-widths beside `y`, in the same measure, of a certified run.
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<String>,
    /// One of what `y` counts in: 1, unless the numbers leave the range of 32 bits.
    scale: f64,
    /// Values of the whole recording that are shown as gaps.
    nan: usize,
}

/// All channels that are plotted, and the times they need.
pub(super) struct Channels {
    pub t: String,
    pub series: Vec<Series>,
}

/// The channels of one of `runs` runs that share a page. What had to be left out is said.
pub(super) fn channels(
    recording: &Recording,
    bands: Option<&Recording>,
    runs: usize,
    left_out: &mut Vec<String>,
) -> Channels {
    let all = recording.channels.iter().skip(1).filter(|c| c.is_plotted()).count();
    let picked = pick(recording);
    if picked.len() < all {
        left_out.push(format!("{} of {all} channels can be plotted; all are in the series.", picked.len()));
    }
    let none = Vec::new();
    let t = recording.columns.first().unwrap_or(&none);
    let band = |i: usize| bands.and_then(|bands| bands.column(recording.channels[i].name()));
    let series = |i: usize, at: Option<Vec<u32>>, kept: &[usize]| {
        let column = &recording.columns[i];
        let scale = scale(column);
        Series {
            name: recording.channels[i].name().into(),
            unit: recording.channels[i].unit.clone(),
            at: at.map(block::u32s),
            y: block::f32s::text(kept.iter().map(|&k| visible(column[k] / scale))),
            band: band(i).map(|band| block::f32s::text(kept.iter().map(|&k| visible(band[k] / scale)))),
            scale,
            nan: column.iter().filter(|x| !x.is_finite()).count(),
        }
    };
    let each = if bands.is_some() { 2 } else { 1 };
    if t.len() * picked.len() * each <= WHOLE / runs {
        let all: Vec<usize> = (0..t.len()).collect();
        let whole = |i: usize| series(i, None, &all);
        let t = block::f64s::text(t.iter().copied());
        return Channels { t, series: picked.into_iter().map(whole).collect() };
    }
    let points = THINNED / runs / picked.len();
    let keep = |i: usize, points: usize| keep_with_band(&recording.columns[i], band(i), points);
    let balance = balance(recording, &picked, points, keep);
    let kept = |&i: &usize| match &balance {
        (members, common) if members.contains(&i) => common.clone(),
        _ => keep(i, points),
    };
    let kept: Vec<Vec<usize>> = picked.iter().map(kept).collect();
    let most = kept.iter().map(Vec::len).max().unwrap_or(0);
    left_out.push(format!(
        "Of {} samples at most {most} of each channel are plotted, every peak among them; all are in the series.",
        t.len()
    ));
    // place of each sample among those that some channel needs
    let mut place = vec![u32::MAX; t.len()];
    kept.iter().flatten().for_each(|&k| place[k] = 0);
    let needed: Vec<usize> = (0..t.len()).filter(|&k| place[k] == 0).collect();
    needed.iter().zip(0..).for_each(|(&k, n)| place[k] = n);
    let thinned = |(&i, kept): (&usize, &Vec<usize>)| {
        let at = kept.iter().map(|&k| place[k]).collect();
        series(i, Some(at), kept)
    };
    Channels {
        t: block::f64s::text(needed.iter().map(|&k| t[k])),
        series: picked.iter().zip(&kept).map(thinned).collect(),
    }
}

/// The channels of the energy balance and the samples that they share: their sum is level only at common times.
fn balance(
    recording: &Recording,
    picked: &[usize],
    points: usize,
    keep: impl Fn(usize, usize) -> Vec<usize>,
) -> (Vec<usize>, Vec<usize>) {
    let of_balance = |i: &&usize| {
        let name = recording.channels[**i].name();
        name.starts_with("energy.") || name.starts_with("work.")
    };
    let members: Vec<usize> = picked.iter().filter(of_balance).copied().collect();
    let each = points / members.len().max(1);
    let mut common: Vec<usize> = members.iter().flat_map(|&i| keep(i, each)).collect();
    common.sort_unstable();
    common.dedup();
    (members, common)
}

/// A number as it is plotted; what is infinite is a gap.
fn visible(x: f64) -> f32 {
    let y = x as f32;
    if y.is_finite() { y } else { f32::NAN }
}

/// 1 for what fits into 32 bits. A run that blew up, or a residual of next to nothing, is counted in its largest value.
fn scale(column: &[f64]) -> f64 {
    let largest = column.iter().filter(|x| x.is_finite()).fold(0.0_f64, |most, x| most.max(x.abs()));
    let fits = largest == 0.0 || (LEAST..=f64::from(f32::MAX)).contains(&largest);
    if fits { 1.0 } else { largest }
}

/// Which channels are plotted: all, or of too many the first and those about the mechanism as a whole.
fn pick(recording: &Recording) -> Vec<usize> {
    let plotted = |i: &usize| recording.channels[*i].is_plotted();
    let all: Vec<usize> = (1..recording.channels.len()).filter(plotted).collect();
    let whole = |i: &usize| {
        let name = recording.channels[*i].name();
        ["energy.", "work.", "audit.", "solver."].iter().any(|w| name.starts_with(w))
    };
    let room = CHANNELS.saturating_sub(all.iter().filter(|i| whole(i)).count());
    let mut parts = 0;
    let fits = |i: &usize| {
        parts += usize::from(!whole(i));
        whole(i) || parts <= room
    };
    all.into_iter().filter(fits).collect()
}

/// The same for a line and the edges of the band around it: a third of the samples for each, so that the extremes of all stay.
pub(crate) fn keep_with_band(y: &[f64], band: Option<&[f64]>, points: usize) -> Vec<usize> {
    let Some(band) = band.filter(|_| y.len() > points) else { return keep_peaks(y, points) };
    // a gap of the band is none of the line
    let edge = |sign: f64| -> Vec<f64> {
        y.iter().zip(band).map(|(y, b)| if b.is_finite() { y + sign * b } else { *y }).collect()
    };
    let lines =
        [keep_peaks(y, points / 3), keep_peaks(&edge(1.0), points / 3), keep_peaks(&edge(-1.0), points / 3)];
    let mut kept = lines.concat();
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Indices of at most `points` samples that keep the first, the last, and in each bucket the smallest, the largest, and
/// one that is no number if there is one: a gap stays a gap.
pub(crate) fn keep_peaks(y: &[f64], points: usize) -> Vec<usize> {
    let points = points.max(5);
    if y.len() <= points {
        return (0..y.len()).collect();
    }
    let per_bucket = if y.iter().all(|x| x.is_finite()) { 2 } else { 3 };
    let buckets = (points - 2) / per_bucket;
    let inner = y.len() - 2;
    let mut kept = vec![0];
    for b in 0..buckets {
        let range = 1 + b * inner / buckets..1 + (b + 1) * inner / buckets;
        let (mut low, mut high, mut gap) = (None, None, None);
        for k in range {
            if !y[k].is_finite() {
                gap = gap.or(Some(k));
                continue;
            }
            if low.is_none_or(|low: usize| y[k] < y[low]) {
                low = Some(k);
            }
            if high.is_none_or(|high: usize| y[k] > y[high]) {
                high = Some(k);
            }
        }
        let mut some: Vec<usize> = [low, high, gap].into_iter().flatten().collect();
        some.sort_unstable();
        some.dedup();
        kept.extend(some);
    }
    kept.push(y.len() - 1);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_spike_survives_thinning() {
        let mut y = vec![0.0; 100_000];
        y[77_777] = 1.0;
        y[77_778] = -2.0;
        let kept = keep_peaks(&y, 2000);
        assert!(kept.len() <= 2000);
        assert!(kept.contains(&77_777) && kept.contains(&77_778));
        assert_eq!((kept[0], *kept.last().unwrap()), (0, 99_999));
        assert!(kept.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn the_edges_of_a_band_survive_thinning() {
        let y: Vec<f64> = (0..100_000).map(|k| (1e-3 * f64::from(k)).sin()).collect();
        let mut band = vec![1e-3; y.len()];
        (band[40_404], band[50_505], band[60_606]) = (5.0, f64::NAN, 3.0);
        let kept = keep_with_band(&y, Some(&band), 2000);
        assert!(kept.len() <= 2000 && kept.windows(2).all(|w| w[0] < w[1]));
        assert!(kept.contains(&40_404) && kept.contains(&60_606));
        assert_eq!(keep_with_band(&y, None, 2000), keep_peaks(&y, 2000));
    }

    #[test]
    fn gaps_stay_gaps_and_peaks_peaks() {
        let mut y: Vec<f64> = (0..10_000).map(f64::from).collect();
        y[5000..6000].fill(f64::NAN);
        y[7777] = f64::INFINITY;
        y[7778] = 1e6;
        let kept = keep_peaks(&y, 100);
        assert!(kept.len() <= 100 && kept.windows(2).all(|w| w[0] < w[1]));
        assert!(kept.contains(&7777) && kept.contains(&7778));
        assert!(kept.iter().any(|k| (5000..6000).contains(k)));
    }
}
