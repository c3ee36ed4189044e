//! Writes a tree of groups and lists in the oldest form, which every reader knows: superblock 0, object headers 1, symbol
//! tables of one node, data in one piece. Children stand before the group that names them.

/// What is to be written.
pub(in crate::files) enum Tree {
    /// Named members, at most eight: one node of a symbol table.
    Group(Vec<(&'static str, Tree)>),
    /// Whole numbers of four bytes.
    Whole(Vec<i32>),
    /// Floats of eight bytes.
    Real(Vec<f64>),
}

/// Members of a node of a symbol table and of a tree of them are at most twice these.
const LEAF: u16 = 4;
const INTERNAL: u16 = 16;
/// The address that means nowhere.
const NOWHERE: u64 = u64::MAX;
/// Bytes of the superblock.
const SUPERBLOCK: usize = 96;

/// The whole file.
pub(in crate::files) fn write(tree: &Tree) -> Vec<u8> {
    let mut out = vec![0; SUPERBLOCK];
    let root = put(&mut out, tree);
    let mut head = super::SIGNATURE.to_vec();
    // Versions of five parts, bytes of an address and of a length in between.
    head.extend([0, 0, 0, 0, 0, 8, 8, 0]);
    head.extend([LEAF, INTERNAL].iter().flat_map(|k| k.to_le_bytes()));
    head.extend([0; 4]);
    let end = out.len() as u64;
    words(&mut head, &[0, NOWHERE, end, NOWHERE]);
    entry(&mut head, 0, root);
    out[..SUPERBLOCK].copy_from_slice(&head);
    out
}

/// Writes one object; its address.
fn put(out: &mut Vec<u8>, tree: &Tree) -> u64 {
    match tree {
        Tree::Group(members) => group(out, members),
        Tree::Whole(list) => {
            // Class 0, signed, four bytes, 32 bits from bit 0.
            let kind = [0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0];
            dataset(out, list.len(), &kind, list.iter().flat_map(|x| x.to_le_bytes()).collect())
        }
        Tree::Real(list) => {
            // Class 1, sign in bit 63, eight bytes, 64 bits; exponent of 11 bits from 52, mantissa of 52 from 0, bias 1023.
            let kind = [0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0, 0, 0, 0, 0];
            dataset(out, list.len(), &kind, list.iter().flat_map(|x| x.to_le_bytes()).collect())
        }
    }
}

fn dataset(out: &mut Vec<u8>, count: usize, kind: &[u8], bytes: Vec<u8>) -> u64 {
    let at = if bytes.is_empty() { NOWHERE } else { out.len() as u64 };
    let size = bytes.len() as u64;
    out.extend(bytes);
    align(out);
    let mut shape = vec![1, 1, 0, 0, 0, 0, 0, 0];
    words(&mut shape, &[count as u64]);
    // Space as late as possible, fill values if set, none defined.
    let fill = vec![2, 2, 2, 0, 0, 0, 0, 0];
    let mut layout = vec![3, 1];
    words(&mut layout, &[at, size]);
    layout.resize(24, 0);
    header(out, &[(0x01, shape), (0x03, kind.to_vec()), (0x05, fill), (0x08, layout)])
}

fn group(out: &mut Vec<u8>, members: &[(&'static str, Tree)]) -> u64 {
    assert!(members.len() <= 2 * usize::from(LEAF), "a group fits into one node");
    let mut placed: Vec<(&str, u64)> = members.iter().map(|(name, tree)| (*name, put(out, tree))).collect();
    placed.sort_unstable();
    // Names, each ended by a zero and filled to eight bytes; the empty one first.
    let mut names = vec![0; 8];
    let mut node = b"SNOD\x01\0".to_vec();
    node.extend((placed.len() as u16).to_le_bytes());
    let mut last = 0;
    for (name, address) in placed {
        last = names.len() as u64;
        entry(&mut node, last, address);
        names.extend(name.bytes().chain([0]));
        align(&mut names);
    }
    node.resize(8 + 2 * usize::from(LEAF) * 40, 0);
    let node_at = append(out, &node);
    let names_at = append(out, &names);
    let mut heap = b"HEAP\0\0\0\0".to_vec();
    // No free space is the number 1.
    words(&mut heap, &[names.len() as u64, 1, names_at]);
    let heap_at = append(out, &heap);
    let mut tree = b"TREE\0\0".to_vec();
    tree.extend(1u16.to_le_bytes());
    words(&mut tree, &[NOWHERE, NOWHERE, 0, node_at, last]);
    tree.resize(24 + 8 * (4 * usize::from(INTERNAL) + 1), 0);
    let tree_at = append(out, &tree);
    let mut table = Vec::new();
    words(&mut table, &[tree_at, heap_at]);
    header(out, &[(0x11, table)])
}

/// An object header with these messages, whose lengths are multiples of eight; its address.
fn header(out: &mut Vec<u8>, messages: &[(u16, Vec<u8>)]) -> u64 {
    let at = out.len() as u64;
    out.extend([1, 0]);
    out.extend((messages.len() as u16).to_le_bytes());
    out.extend(1u32.to_le_bytes());
    let size: usize = messages.iter().map(|(_, body)| 8 + body.len()).sum();
    out.extend((size as u32).to_le_bytes());
    out.extend([0; 4]);
    for (kind, body) in messages {
        out.extend(kind.to_le_bytes());
        out.extend((body.len() as u16).to_le_bytes());
        out.extend([0; 4]);
        out.extend(body);
    }
    at
}

/// A symbol table entry: place of the name, address of the object, nothing cached.
fn entry(out: &mut Vec<u8>, name: u64, address: u64) {
    words(out, &[name, address, 0, 0, 0]);
}

fn words(out: &mut Vec<u8>, words: &[u64]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn append(out: &mut Vec<u8>, bytes: &[u8]) -> u64 {
    let at = out.len() as u64;
    out.extend(bytes);
    align(out);
    at
}

fn align(out: &mut Vec<u8>) {
    out.resize(out.len().next_multiple_of(8), 0);
}
