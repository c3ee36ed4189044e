//! Links of a group: a name, and the address of an object header.

use super::cursor::Cursor;
use super::header::Header;
use super::{Fault, File};

/// Messages of a group: where dense links are, a link, where the symbol table is.
const LINK_INFO: u16 = 0x02;
const LINK: u16 = 0x06;
const SYMBOLS: u16 = 0x11;

/// Address of the object of that name, if the group has it.
pub(super) fn child(file: &File<'_>, header: &Header<'_>, name: &str) -> Result<Option<u64>, Fault> {
    if let Some(mut table) = header.one(SYMBOLS)? {
        let (tree, heap) = (table.address()?, table.address()?);
        let names = heap_names(file, heap)?;
        return in_tree(file, tree, &names, name);
    }
    for link in header.all(LINK) {
        if let Some(address) = named(link, name)? {
            return Ok(Some(address));
        }
    }
    match header.one(LINK_INFO)? {
        Some(info) => in_dense(file, info, name),
        None => Ok(None),
    }
}

/// Names of a symbol table, one after another, each ended by a zero.
fn heap_names<'a>(file: &File<'a>, address: u64) -> Result<Cursor<'a>, Fault> {
    let mut heap = file.at(address)?;
    heap.letters("HEAP")?;
    heap.skip(4)?;
    let size = heap.length()?;
    heap.length()?;
    file.at(heap.address()?)?.part(size)
}

/// Looks through all nodes of a B-tree of names.
fn in_tree(file: &File<'_>, root: u64, names: &Cursor<'_>, name: &str) -> Result<Option<u64>, Fault> {
    let mut nodes = vec![root];
    let mut entries_left = file.most_entries();
    let mut spend = |entries: usize| {
        entries_left =
            entries_left.checked_sub(entries).ok_or("a tree of names without end: the file is damaged")?;
        Ok::<usize, Fault>(entries)
    };
    while let Some(address) = nodes.pop() {
        let mut node = file.at(address)?;
        if node.clone().take(4)? == b"SNOD" {
            node.skip(4 + 2)?;
            for _ in 0..spend(node.count(2)?)? {
                let (offset, object) = (node.length()?, node.address()?);
                let kind = node.whole(4)?;
                node.skip(4 + 16)?;
                let mut at = names.clone();
                at.skip(offset)?;
                let matches =
                    at.take(name.len() + 1).is_ok_and(|n| n.strip_suffix(&[0]) == Some(name.as_bytes()));
                // 2 is a symbolic link, which has no object of its own.
                if matches && kind != 2 {
                    return Ok(Some(object));
                }
            }
            continue;
        }
        node.letters("TREE")?;
        if node.byte()? != 0 {
            return Err("a tree of something else stands where its names should".into());
        }
        node.skip(1)?;
        let entries = spend(node.count(2)?)?;
        node.somewhere()?;
        node.somewhere()?;
        for _ in 0..entries {
            node.length()?;
            nodes.push(node.address()?);
        }
    }
    Ok(None)
}

/// The address in a link message, if the name is that one and the link is a hard one.
fn named(mut link: Cursor<'_>, name: &str) -> Result<Option<u64>, Fault> {
    let version = link.byte()?;
    if version != 1 {
        return Err(format!("a link of version {version}; 1 is known"));
    }
    let flags = link.byte()?;
    let hard = flags & 8 == 0 || link.byte()? == 0;
    link.skip(if flags & 4 != 0 { 8 } else { 0 })?;
    link.skip(if flags & 16 != 0 { 1 } else { 0 })?;
    let length = link.count(1 << (flags & 3))?;
    let found = link.take(length)?;
    if hard && found == name.as_bytes() { link.address().map(Some) } else { Ok(None) }
}

/// Dense links: a heap of link messages and a tree that says where in it each is. Read where the heap is one block and the
/// tree one node, which holds some twenty names.
fn in_dense(file: &File<'_>, mut info: Cursor<'_>, name: &str) -> Result<Option<u64>, Fault> {
    info.skip(1)?;
    let flags = info.byte()?;
    info.skip(if flags & 1 != 0 { 8 } else { 0 })?;
    let (Some(heap), Some(tree)) = (info.somewhere()?, info.somewhere()?) else { return Ok(None) };
    let too_many = || Fault::from("its group has too many members for what is read here");

    let mut heap = file.at(heap)?;
    heap.letters("FRHP")?;
    heap.skip(1)?;
    let id_length = heap.count(2)?;
    let filters = heap.whole(2)?;
    heap.skip(1)?;
    let largest = heap.whole(4)?;
    // Huge objects, free space and counts of managed, huge and tiny objects: twelve lengths and addresses.
    heap.length()?;
    heap.address()?;
    heap.length()?;
    heap.address()?;
    for _ in 0..8 {
        heap.length()?;
    }
    heap.skip(2)?;
    heap.length()?;
    let widest = heap.length()?;
    let offset_bytes = heap.count(2)?.div_ceil(8);
    heap.skip(2)?;
    let block = heap.somewhere()?;
    if heap.whole(2)? != 0 || filters != 0 {
        return Err(too_many());
    }
    let Some(block) = block else { return Ok(None) };
    // As many bytes as the smaller of the two bounds needs.
    let length_bytes = bytes_of(largest.min(widest as u64));

    let mut tree = file.at(tree)?;
    tree.letters("BTHD")?;
    tree.skip(2)?;
    tree.skip(4)?;
    let record = tree.count(2)?;
    let depth = tree.whole(2)?;
    tree.skip(2)?;
    let root = tree.somewhere()?;
    let records = tree.count(2)?;
    let Some(root) = root else { return Ok(None) };
    if depth != 0 {
        return Err(too_many());
    }
    let mut leaf = file.at(root)?;
    leaf.letters("BTLF")?;
    leaf.skip(2)?;
    for _ in 0..records {
        let mut id = leaf.part(record)?;
        id.skip(record.saturating_sub(id_length))?;
        // Bits 4 and 5: in the heap, too large for it, or small enough to stand here.
        if id.byte()? & 0x30 != 0 {
            return Err("a link that is kept apart, which is not read here".into());
        }
        let (offset, length) = (id.whole(offset_bytes.min(8))?, id.count(length_bytes)?);
        let place = block.checked_add(offset).ok_or("a link outside the file")?;
        if let Some(address) = named(file.at(place)?.part(length)?, name)? {
            return Ok(Some(address));
        }
    }
    Ok(None)
}

/// Bytes that a number needs.
fn bytes_of(number: u64) -> usize {
    (8 - number.leading_zeros() as usize / 8).max(1)
}
