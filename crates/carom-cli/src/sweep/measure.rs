//! One number of a run: `CHANNEL:max`, `:min`, `:last`, `:mean`, `:rms`. Means are over time, by trapezoids between samples.

use carom::Recording;
use std::fmt;

/// How a series becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Max,
    Min,
    Last,
    Mean,
    Rms,
}

const WORDS: [(&str, How); 5] =
    [("max", How::Max), ("min", How::Min), ("last", How::Last), ("mean", How::Mean), ("rms", How::Rms)];

/// A channel and how it becomes a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    pub channel: String,
    pub how: How,
}

/// `CHANNEL:HOW`.
pub fn parse(text: &str) -> Result<Measure, String> {
    let how = |word: &str| WORDS.iter().find(|w| w.0 == word).map(|w| w.1);
    let parsed = text.rsplit_once(':').and_then(|(channel, word)| Some((channel, how(word)?)));
    match parsed {
        Some((channel, how)) if !channel.is_empty() => Ok(Measure { channel: channel.into(), how }),
        _ => Err("write CHANNEL:HOW with max, min, last, mean or rms, such as `ball.y:max`".into()),
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|w| w.1 == self.how).map_or("", |w| w.0);
        write!(f, "{}:{word}", self.channel)
    }
}

impl Measure {
    /// The number; NaN without samples. Gaps (NaN) in the series are left out of the extremes.
    pub fn of(&self, recording: &Recording) -> f64 {
        let (Some(t), Some(y)) = (recording.column("t"), recording.column(&self.channel)) else {
            return f64::NAN;
        };
        let extreme = |better: fn(f64, f64) -> f64| y.iter().copied().fold(f64::NAN, better);
        match self.how {
            How::Max => extreme(f64::max),
            How::Min => extreme(f64::min),
            How::Last => y.last().copied().unwrap_or(f64::NAN),
            How::Mean => mean(t, y, |y| y),
            How::Rms => mean(t, y, |y| y * y).sqrt(),
        }
    }
}

fn mean(t: &[f64], y: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let pairs = t.windows(2).zip(y.windows(2));
    let area: f64 = pairs.map(|(t, y)| 0.5 * (t[1] - t[0]) * (f(y[0]) + f(y[1]))).sum();
    match (t.first(), t.last()) {
        (Some(a), Some(b)) if b > a => area / (b - a),
        _ => y.first().map_or(f64::NAN, |y| f(*y)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::Channel;

    #[test]
    fn means_are_over_time() {
        let channel = |name: &str| Channel::new("", name, "");
        let recording = Recording {
            channels: vec![channel("t"), channel("y")],
            // a ramp from 0 to 1 for 1 s, then 1 for 3 s, sampled unevenly
            columns: vec![vec![0.0, 1.0, 4.0], vec![0.0, 1.0, 1.0]],
            events: Vec::new(),
        };
        let of = |how: &str| parse(&format!("y:{how}")).unwrap().of(&recording);
        assert_eq!(of("mean"), 3.5 / 4.0);
        assert_eq!((of("max"), of("min"), of("last")), (1.0, 0.0, 1.0));
        assert!(parse("y:top").is_err() && parse("y").is_err() && parse(":max").is_err());
    }
}
