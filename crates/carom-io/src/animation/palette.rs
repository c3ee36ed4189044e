//! 255 colours for a clip, by cutting boxes of colours at their medians (Heckbert, 1982). A box is represented by its most
//! frequent colour rather than by a mean, so that flat areas keep theirs exactly.

use std::collections::{BTreeMap, HashMap};

/// Colours beside the one that stands for "as before".
const COLORS: usize = 255;

/// A palette, with what was looked up in it.
pub struct Palette {
    /// Red, green and blue in turn.
    bytes: Vec<u8>,
    found: HashMap<[u8; 3], u8>,
}

/// Colours and how often they occur.
type Counted = Vec<([u8; 3], u64)>;

impl Palette {
    /// Index of what is not drawn.
    pub const THROUGH: u8 = COLORS as u8;

    /// From images with four bytes per pixel.
    pub fn of(images: impl Iterator<Item = Vec<u8>>) -> Self {
        let mut counts: BTreeMap<[u8; 3], u64> = BTreeMap::new();
        for image in images {
            // most pixels are like the one before
            let mut run = ([0; 3], 0);
            for pixel in image.chunks_exact(4) {
                let color = [pixel[0], pixel[1], pixel[2]];
                if color != run.0 {
                    *counts.entry(run.0).or_default() += run.1;
                    run = (color, 0);
                }
                run.1 += 1;
            }
            *counts.entry(run.0).or_default() += run.1;
        }
        let all: Counted = counts.into_iter().filter(|(_, n)| *n > 0).collect();
        let mut boxes = vec![all];
        while boxes.len() < COLORS {
            let Some(widest) = (0..boxes.len()).max_by_key(|&i| (spread(&boxes[i]), usize::MAX - i)) else {
                break;
            };
            let Some([a, b]) = halves(&boxes[widest]) else { break };
            boxes[widest] = a;
            boxes.push(b);
        }
        let most = |colors: &Counted| colors.iter().max_by_key(|(color, n)| (*n, *color)).map(|c| c.0);
        let mut bytes: Vec<u8> = boxes.iter().filter_map(most).flatten().collect();
        bytes.resize(3 * (COLORS + 1), 0);
        Self { bytes, found: HashMap::new() }
    }

    /// Red, green and blue of all colours in turn.
    pub fn colors(&self) -> &[u8] {
        &self.bytes
    }

    /// The nearest colours of an image with four bytes per pixel.
    pub fn indices(&mut self, image: &[u8]) -> Vec<u8> {
        let mut last = None;
        let mut one = |pixel: &[u8]| {
            let color = [pixel[0], pixel[1], pixel[2]];
            match last {
                Some((c, index)) if c == color => index,
                _ => {
                    let index = self.nearest(color);
                    last = Some((color, index));
                    index
                }
            }
        };
        image.chunks_exact(4).map(&mut one).collect()
    }

    fn nearest(&mut self, color: [u8; 3]) -> u8 {
        let bytes = &self.bytes;
        *self.found.entry(color).or_insert_with(|| {
            let away = |i: &usize| -> i32 {
                (0..3).map(|k| (i32::from(bytes[3 * i + k]) - i32::from(color[k])).pow(2)).sum()
            };
            (0..COLORS).min_by_key(away).map_or(0, |i| i as u8)
        })
    }
}

/// Longest side of the box around the colours.
fn side(colors: &Counted) -> (usize, u64) {
    let range = |k: usize| {
        let values = || colors.iter().map(|(c, _)| c[k]);
        u64::from(values().max().unwrap_or(0) - values().min().unwrap_or(0))
    };
    (0..3).map(|k| (k, range(k))).max_by_key(|(k, r)| (*r, 3 - k)).unwrap_or((0, 0))
}

/// How much is lost if all of the box becomes one colour, about.
fn spread(colors: &Counted) -> u64 {
    // what is frequent matters more, but rims of a few pixels are looked at as well
    let weight = colors.iter().map(|c| c.1).sum::<u64>();
    side(colors).1.pow(2) * (1 + u64::from(weight.max(1).ilog2()))
}

/// The box cut where half of its pixels are on each side; none if it holds one colour only.
fn halves(colors: &Counted) -> Option<[Counted; 2]> {
    let (k, range) = side(colors);
    if range == 0 {
        return None;
    }
    let mut sorted = colors.clone();
    sorted.sort_by_key(|(c, _)| (c[k], *c));
    let half = sorted.iter().map(|c| c.1).sum::<u64>() / 2;
    let mut below = 0;
    let at = sorted.iter().position(|c| {
        below += c.1;
        below > half
    });
    let at = at.unwrap_or(0).clamp(1, sorted.len() - 1);
    let upper = sorted.split_off(at);
    Some([sorted, upper])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_colors_are_kept_and_others_come_near() {
        // much white, a flat blue, and a thousand greys
        let mut image = [255, 255, 255, 255].repeat(50_000);
        image.extend([0x00, 0x72, 0xb2, 255].repeat(3000));
        for i in 0..1000u32 {
            image.extend([(i % 250) as u8, (i % 251) as u8, (i % 249) as u8, 255]);
        }
        let mut palette = Palette::of([image.clone()].into_iter());
        let indices = palette.indices(&image);
        for (pixel, index) in image.chunks_exact(4).zip(&indices) {
            let color = &palette.colors()[3 * usize::from(*index)..][..3];
            let off = (0..3).map(|k| color[k].abs_diff(pixel[k])).max().unwrap();
            assert_ne!(*index, Palette::THROUGH);
            if pixel[..3] == [255; 3] || pixel[..3] == [0x00, 0x72, 0xb2] {
                assert_eq!(off, 0, "{pixel:?}");
            }
            assert!(off < 24, "{pixel:?} became {color:?}");
        }
    }
}
