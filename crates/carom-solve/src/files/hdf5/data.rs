//! Datasets: shape, number type, place.

use super::chunks::{DEFLATE_RATIO, Filter, List, filters};
use super::cursor::Cursor;
use super::header::Header;
use super::{Fault, File};

/// Messages of a dataset.
const SHAPE: u16 = 0x01;
const TYPE: u16 = 0x03;
const LAYOUT: u16 = 0x08;
const FILTERS: u16 = 0x0b;

/// All numbers of a dataset, row by row; none if room was made for them and nothing was ever put there.
pub(super) fn numbers(file: &File<'_>, header: &Header<'_>) -> Result<Option<Vec<f64>>, Fault> {
    let part =
        |kind: u16, name: &str| header.one(kind)?.ok_or_else(|| format!("is no dataset: it has no {name}"));
    let shape = shape(part(SHAPE, "shape")?)?;
    let kind = Kind::read(part(TYPE, "number type")?)?;
    let layout = part(LAYOUT, "place")?;
    let filters = header.one(FILTERS)?.map_or(Ok(Vec::new()), filters)?;
    let count = shape.iter().try_fold(1usize, |product, n| product.checked_mul(*n));
    let most = file.bytes.len().saturating_mul(if filters.is_empty() { 1 } else { DEFLATE_RATIO });
    let size = count.and_then(|count| count.checked_mul(kind.size)).filter(|size| *size <= most);
    let Some(size) = size else {
        return Err(format!("has the shape {shape:?}, more than the file could hold"));
    };
    if size == 0 {
        return Ok(Some(Vec::new()));
    }
    let Some(bytes) = place(file, layout, size, &shape, kind, &filters)? else { return Ok(None) };
    Ok(Some(bytes.chunks_exact(kind.size).map(|word| kind.number(word)).collect()))
}

fn shape(mut at: Cursor<'_>) -> Result<Vec<usize>, Fault> {
    let version = at.byte()?;
    let rank = at.count(1)?;
    at.skip(1)?;
    match version {
        1 => at.skip(5)?,
        2 => {
            if at.byte()? == 2 {
                return Ok(vec![0]);
            }
        }
        _ => return Err(format!("a shape of version {version}; 1 and 2 are known")),
    }
    (0..rank).map(|_| at.length()).collect()
}

/// How a number is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub size: usize,
    big_end_first: bool,
    float: bool,
    signed: bool,
}

impl Kind {
    fn read(mut at: Cursor<'_>) -> Result<Self, Fault> {
        let class = at.byte()? & 0x0f;
        let bits = at.whole(3)?;
        let size = at.count(4)?;
        let kind = Self { size, big_end_first: bits & 1 != 0, float: class == 1, signed: bits & 8 != 0 };
        let unknown =
            |what: &str| Err(format!("holds {what}; whole numbers and floats of 4 or 8 bytes are read"));
        // Bits before the number, bits of the number; for floats where exponent and mantissa are, and the bias.
        let standard = match (class, size) {
            (0, 1 | 2 | 4 | 8) => at.whole(2)? == 0 && at.whole(2)? == 8 * size as u64,
            (1, 4) => float_layout(&mut at)? == (0, 32, 23, 8, 0, 23, 127),
            (1, 8) => float_layout(&mut at)? == (0, 64, 52, 11, 0, 52, 1023),
            (0 | 1, _) => false,
            (3 | 9, _) => return unknown("text or lists"),
            _ => return unknown("something that is not a number"),
        };
        if standard && bits & 0x40 == 0 { Ok(kind) } else { unknown("numbers of an unusual form") }
    }

    fn number(&self, word: &[u8]) -> f64 {
        let mut bytes = [0; 8];
        bytes[..self.size].copy_from_slice(word);
        if self.big_end_first {
            bytes[..self.size].reverse();
        }
        let whole = u64::from_le_bytes(bytes);
        if self.float {
            return if self.size == 4 {
                f64::from(f32::from_bits(whole as u32))
            } else {
                f64::from_bits(whole)
            };
        }
        if !self.signed {
            return whole as f64;
        }
        let unused = 64 - 8 * self.size as u32;
        ((whole << unused) as i64 >> unused) as f64
    }
}

/// Offset, precision, place and size of exponent, place and size of mantissa, bias.
type FloatLayout = (u64, u64, u64, u64, u64, u64, u64);

fn float_layout(at: &mut Cursor<'_>) -> Result<FloatLayout, Fault> {
    Ok((at.whole(2)?, at.whole(2)?, at.whole(1)?, at.whole(1)?, at.whole(1)?, at.whole(1)?, at.whole(4)?))
}

/// The bytes of a dataset, wherever they are, if anywhere.
fn place(
    file: &File<'_>,
    mut at: Cursor<'_>,
    size: usize,
    shape: &[usize],
    kind: Kind,
    filters: &[Filter],
) -> Result<Option<Vec<u8>>, Fault> {
    let version = at.byte()?;
    let (class, rank, address) = match version {
        1 | 2 => {
            let rank = at.count(1)?;
            let class = at.byte()?;
            at.skip(5)?;
            let address = if class == 0 { None } else { at.somewhere()? };
            if class == 0 {
                at.skip(4 * rank)?;
            }
            (class, rank, address)
        }
        3 | 4 => {
            let class = at.byte()?;
            match (class, version) {
                (1, _) => (class, 0, at.somewhere()?),
                (2, 3) => (class, at.count(1)?, at.somewhere()?),
                _ => (class, 0, None),
            }
        }
        _ => return Err(format!("a place of version {version}; 1 to 4 are known")),
    };
    match class {
        0 => {
            let stored = at.count(if version <= 2 { 4 } else { 2 })?;
            let bytes = at.take(stored)?;
            match bytes.get(..size) {
                Some(bytes) => Ok(Some(bytes.to_vec())),
                None => Err(format!("has {stored} bytes of {size}")),
            }
        }
        1 => match address {
            Some(address) => file.at(address)?.take(size).map(|bytes| Some(bytes.to_vec())),
            None => Ok(None),
        },
        2 => {
            let [length] = *shape else {
                return Err("is in chunks and has more than one dimension, which is not read here".into());
            };
            let list = List { file, length, kind, filters };
            if version == 4 { list.newest(at) } else { list.in_tree(at, rank, address) }
        }
        _ => Err("is put together from other files (virtual), which is not read here".into()),
    }
}
