//! Object headers: lists of messages, in one block or a chain of them.

use super::cursor::Cursor;
use super::{Fault, File};

/// Blocks that one header may be spread over.
const MOST_BLOCKS: usize = 256;
/// The message that names the next block.
const CONTINUED: u16 = 0x10;
/// Flag of a message that is kept elsewhere.
const SHARED: u8 = 2;

/// The messages of an object.
#[derive(Debug)]
pub(super) struct Header<'a> {
    messages: Vec<Message<'a>>,
}

#[derive(Debug)]
struct Message<'a> {
    kind: u16,
    flags: u8,
    body: Cursor<'a>,
}

impl<'a> Header<'a> {
    /// Reads all blocks of the header at an address.
    pub fn read(file: &File<'a>, address: u64) -> Result<Self, Fault> {
        let mut at = file.at(address)?;
        let second = at.clone().take(4)? == b"OHDR";
        let mut flags = 0;
        let size = if second {
            at.skip(4)?;
            version(&mut at, 2)?;
            flags = at.byte()?;
            // Four times, then two bounds for the storage of attributes.
            at.skip(if flags & 0x20 != 0 { 16 } else { 0 })?;
            at.skip(if flags & 0x10 != 0 { 4 } else { 0 })?;
            at.count(1 << (flags & 3))?
        } else {
            version(&mut at, 1)?;
            at.skip(1 + 2 + 4)?;
            let size = at.count(4)?;
            at.skip(4)?;
            size
        };
        let mut messages = Vec::new();
        let mut blocks = vec![at.part(size)?];
        let mut next = 0;
        while next < blocks.len() {
            let mut block = blocks[next].clone();
            next += 1;
            while let Some(message) = message(&mut block, second, flags)? {
                if message.kind != CONTINUED {
                    messages.push(message);
                    continue;
                }
                let mut to = message.body;
                let mut block = file.at(to.address()?)?.part(to.length()?)?;
                if second {
                    block.letters("OCHK")?;
                    let messages = block.left().checked_sub(4).ok_or("a header block of no length")?;
                    block = block.part(messages)?;
                }
                if blocks.len() == MOST_BLOCKS {
                    return Err(format!("its header has more than {MOST_BLOCKS} blocks"));
                }
                blocks.push(block);
            }
        }
        Ok(Self { messages })
    }

    /// Bodies of all messages of a kind.
    pub fn all(&self, kind: u16) -> impl Iterator<Item = Cursor<'a>> + '_ {
        self.messages.iter().filter(move |m| m.kind == kind).map(|m| m.body.clone())
    }

    /// Body of the only message of a kind, if it is there.
    pub fn one(&self, kind: u16) -> Result<Option<Cursor<'a>>, Fault> {
        let Some(message) = self.messages.iter().find(|m| m.kind == kind) else { return Ok(None) };
        if message.flags & SHARED != 0 {
            return Err(
                "its type or shape is kept elsewhere in the file (shared), which is not read here".into()
            );
        }
        Ok(Some(message.body.clone()))
    }
}

/// The next message of a block; what is too short for one is a gap.
fn message<'a>(block: &mut Cursor<'a>, second: bool, flags: u8) -> Result<Option<Message<'a>>, Fault> {
    let ordered = flags & 4 != 0;
    let head = match (second, ordered) {
        (false, _) => 8,
        (true, false) => 4,
        (true, true) => 6,
    };
    if block.left() < head {
        return Ok(None);
    }
    let kind = block.whole(if second { 1 } else { 2 })? as u16;
    let size = block.count(2)?;
    let flags = block.byte()?;
    block.skip(match (second, ordered) {
        (false, _) => 3,
        (true, false) => 0,
        (true, true) => 2,
    })?;
    Ok(Some(Message { kind, flags, body: block.part(size)? }))
}

/// A version that has to be this one.
fn version(at: &mut Cursor<'_>, wanted: u8) -> Result<(), Fault> {
    match at.byte()? {
        found if found == wanted => Ok(()),
        found => Err(format!(
            "an object header of version {found} at address {}: is the file damaged?",
            at.place() - 1
        )),
    }
}
