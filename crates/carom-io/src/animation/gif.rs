//! A clip as a GIF: one palette for all frames, and of every frame only what changed.

use super::Clip;
use super::palette::Palette;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;

/// Frames whose colours make the palette.
const SAMPLED: usize = 16;
/// Times of a GIF are in hundredths of a second.
const TICKS: f64 = 100.0;

/// The whole file; none if `watch` does not want it any more.
pub fn write(clip: &Clip<'_>, mut watch: impl FnMut(f64) -> bool) -> Option<Vec<u8>> {
    let every = clip.frames().div_ceil(SAMPLED);
    let mut palette = Palette::of((0..clip.frames()).step_by(every).map(|i| clip.pixels(i)));
    let [width, height] = clip.size();
    let mut out = Vec::new();
    let sides = [width, height].map(|side| u16::try_from(side).expect("the size is bounded"));
    let mut encoder =
        Encoder::new(&mut out, sides[0], sides[1], palette.colors()).expect("memory can be written to");
    encoder.set_repeat(Repeat::Infinite).expect("memory can be written to");
    let mut before: Vec<u8> = Vec::new();
    for i in 0..clip.frames() {
        if !watch(i as f64 / clip.frames() as f64) {
            return None;
        }
        let now = palette.indices(&clip.pixels(i));
        let tick = |i: usize| (TICKS * i as f64 / clip.fps()).round() as u64;
        let mut frame = if before.is_empty() {
            Frame { width: sides[0], height: sides[1], buffer: Cow::Borrowed(&now), ..Frame::default() }
        } else {
            changed(&before, &now, width as usize)
        };
        frame.delay = u16::try_from(tick(i + 1) - tick(i)).unwrap_or(u16::MAX);
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).expect("memory can be written to");
        drop(frame);
        before = now;
    }
    drop(encoder);
    Some(out)
}

/// The box in which two images differ, see-through where they do not; a single see-through pixel if they are the same.
fn changed(before: &[u8], now: &[u8], width: usize) -> Frame<'static> {
    let differ = |k: &usize| before[*k] != now[*k];
    let rows = || 0..now.len() / width;
    let row_differs = |y: &usize| before[y * width..(y + 1) * width] != now[y * width..(y + 1) * width];
    let (top, bottom) = match (rows().find(row_differs), rows().rfind(row_differs)) {
        (Some(top), Some(bottom)) => (top, bottom),
        _ => (0, 0),
    };
    let column_differs = |x: &usize| (top..=bottom).any(|y| differ(&(y * width + x)));
    let left = (0..width).find(column_differs).unwrap_or(0);
    let right = (0..width).rfind(column_differs).unwrap_or(0);
    let pixel = |k: usize| if differ(&k) { now[k] } else { Palette::THROUGH };
    let buffer = (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x)).map(pixel).collect();
    let side = |n: usize| u16::try_from(n).expect("the size is bounded");
    Frame {
        left: side(left),
        top: side(top),
        width: side(right - left + 1),
        height: side(bottom - top + 1),
        transparent: Some(Palette::THROUGH),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_written() {
        let before = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut now = before;
        (now[5], now[10]) = (7, 8);
        let frame = changed(&before, &now, 4);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (1, 1, 2, 2));
        assert_eq!(*frame.buffer, [7, Palette::THROUGH, Palette::THROUGH, 8]);
        let same = changed(&now, &now, 4);
        assert_eq!(*same.buffer, [Palette::THROUGH]);
    }
}
