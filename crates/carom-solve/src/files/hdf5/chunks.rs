//! Data in chunks: a list cut into parts of one length, each packed by the same filters.

use super::cursor::Cursor;
use super::data::Kind;
use super::{Fault, File};

/// Deflated bytes never give more than so many times their number.
pub(super) const DEFLATE_RATIO: usize = 1032;

/// What was done to chunks, in this order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filter {
    Shuffle,
    Deflate,
    /// A checksum at the end, not looked at.
    Fletcher,
}

/// Reads the filters of a dataset.
pub(super) fn filters(mut at: Cursor<'_>) -> Result<Vec<Filter>, Fault> {
    let version = at.byte()?;
    let count = at.count(1)?;
    at.skip(if version == 1 { 6 } else { 0 })?;
    let mut filters = Vec::new();
    for _ in 0..count {
        let id = at.whole(2)?;
        let name = if version == 1 || id >= 256 { at.count(2)? } else { 0 };
        at.skip(2)?;
        let values = at.count(2)?;
        at.skip(if version == 1 { name.next_multiple_of(8) } else { name })?;
        at.skip(4 * values)?;
        at.skip(if version == 1 && values % 2 == 1 { 4 } else { 0 })?;
        filters.push(match id {
            1 => Filter::Deflate,
            2 => Filter::Shuffle,
            3 => Filter::Fletcher,
            _ => {
                let name = match id {
                    4 => "szip",
                    5 => "n-bit",
                    6 => "scale and offset",
                    32000 => "lzf",
                    _ => "unknown here",
                };
                return Err(format!("is packed by filter {id} ({name}); deflate and shuffle are read"));
            }
        });
    }
    Ok(filters)
}

/// A list in chunks.
pub(super) struct List<'a> {
    pub file: &'a File<'a>,
    /// Numbers in it.
    pub length: usize,
    pub kind: Kind,
    pub filters: &'a [Filter],
}

impl List<'_> {
    /// Bytes of a chunk of so many numbers. Chunks of a list have two dimensions: numbers, and bytes of a number.
    fn chunk(&self, dimensions: usize, numbers: usize) -> Result<usize, Fault> {
        match numbers.checked_mul(self.kind.size) {
            Some(bytes) if dimensions == 2 && numbers > 0 => Ok(bytes),
            _ => Err(format!("chunks of {numbers} numbers in {} dimensions", dimensions.saturating_sub(1))),
        }
    }

    /// The newest form has an index for each purpose; only that of one chunk is read.
    pub fn newest(&self, mut at: Cursor<'_>) -> Result<Option<Vec<u8>>, Fault> {
        let flags = at.byte()?;
        let dimensions = at.count(1)?;
        let width = at.count(1)?.min(8);
        let chunk = self.chunk(dimensions, at.count(width)?)?;
        at.skip(width)?;
        if at.byte()? != 1 {
            let what = "is in chunks with an index that is not read here; one chunk, no chunks, and chunks of older files are";
            return Err(what.into());
        }
        let (packed, mask) = if flags & 2 != 0 { (at.length()?, at.whole(4)? as u32) } else { (chunk, 0) };
        let Some(address) = at.somewhere()? else { return Ok(None) };
        let bytes = self.unpack(self.file.at(address)?.take(packed)?, chunk, mask)?;
        self.cut(bytes).map(Some)
    }

    /// The older form: a B-tree of chunks, taken in their order.
    pub fn in_tree(
        &self,
        mut at: Cursor<'_>,
        dimensions: usize,
        root: Option<u64>,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let chunk = self.chunk(dimensions, at.count(4)?)?;
        let Some(root) = root else { return Ok(None) };
        let mut nodes = vec![root];
        let mut entries_left = self.file.most_entries();
        let mut found = Vec::new();
        while let Some(address) = nodes.pop() {
            let mut node = self.file.at(address)?;
            node.letters("TREE")?;
            let (tree, level) = (node.byte()?, node.byte()?);
            if tree != 1 {
                return Err("a tree of something else stands where its chunks should".into());
            }
            let entries = node.count(2)?;
            entries_left = entries_left
                .checked_sub(entries)
                .ok_or("a tree of chunks without end: the file is damaged")?;
            node.somewhere()?;
            node.somewhere()?;
            for _ in 0..entries {
                let (size, mask) = (node.count(4)?, node.whole(4)? as u32);
                let first = node.count(8)?;
                node.skip(8)?;
                let address = node.address()?;
                if level > 0 {
                    nodes.push(address);
                } else {
                    found.push((first, size, mask, address));
                }
            }
        }
        found.sort_unstable_by_key(|(first, ..)| *first);
        let total = self.length * self.kind.size;
        let mut bytes = Vec::new();
        for (first, size, mask, address) in found {
            if first.checked_mul(self.kind.size) != Some(bytes.len()) || bytes.len() >= total {
                break;
            }
            bytes.extend(self.unpack(self.file.at(address)?.take(size)?, chunk, mask)?);
        }
        self.cut(bytes).map(Some)
    }

    /// Without what the last chunk has too much.
    fn cut(&self, mut bytes: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let total = self.length * self.kind.size;
        if bytes.len() < total {
            return Err(format!(
                "has {} numbers of {} in its chunks",
                bytes.len() / self.kind.size,
                self.length
            ));
        }
        bytes.truncate(total);
        Ok(bytes)
    }

    /// One chunk, filters undone from the last to the first; bit k of the mask says that filter k was left out.
    fn unpack(&self, packed: &[u8], size: usize, mask: u32) -> Result<Vec<u8>, Fault> {
        let mut bytes = packed.to_vec();
        for (k, filter) in self.filters.iter().enumerate().rev() {
            if mask.checked_shr(k as u32).unwrap_or(0) & 1 != 0 {
                continue;
            }
            match filter {
                Filter::Fletcher => bytes.truncate(bytes.len().saturating_sub(4)),
                Filter::Deflate => {
                    let most = size.saturating_add(4).min(bytes.len().saturating_mul(DEFLATE_RATIO));
                    bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&bytes, most)
                        .map_err(|_| "has a chunk that cannot be inflated: the file is damaged")?;
                }
                Filter::Shuffle => {
                    // Byte b of number i is the i-th of the b-th part.
                    let count = bytes.len() / self.kind.size;
                    let mut ordered = bytes.clone();
                    for i in 0..count {
                        for b in 0..self.kind.size {
                            ordered[i * self.kind.size + b] = bytes[b * count + i];
                        }
                    }
                    bytes = ordered;
                }
            }
        }
        if bytes.len() != size {
            return Err(format!("has a chunk of {} bytes; {size} are due", bytes.len()));
        }
        Ok(bytes)
    }
}
