//! A spanning tree over bodies and joints, of the plane or of space.                              [Haddouni2015] §1.1.2
//!
//! Bodies are reached from the ground, nearest first and in the order of the description; a body that no joint leads to floats
//! and is the root of what hangs on it. Links are numbered depth first, so that a subtree is a range and parents come
//! before children.

use carom_dynamics::{ContactInfo, ContactKind, Structure};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

/// A joint that may be part of the tree, seen from its first and its second body.
pub(super) struct Edge<W> {
    /// Its number in the constraint info.
    pub joint: usize,
    /// Numbers of its bodies; none is the ground.
    pub ends: [Option<usize>; 2],
    /// Parent first, parent second; none where the joint cannot be used this way.
    pub ways: [Option<W>; 2],
}

/// A body in the tree.
pub(super) struct Spanned {
    pub body: usize,
    /// Link number; none is the ground.
    pub parent: Option<usize>,
    /// The edge that holds it and the end of the edge that its parent is; none floats.
    pub held: Option<(usize, usize)>,
    /// The links of its subtree, itself first.
    pub subtree: Range<usize>,
}

/// The tree over `n` bodies; those that are in no tree do not `float`.
pub(super) fn spanning<W>(n: usize, edges: &[Edge<W>], floats: impl Fn(usize) -> bool) -> Vec<Spanned> {
    // edges at each body, ground last
    let mut at: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n + 1];
    for (number, edge) in edges.iter().enumerate() {
        (0..2).for_each(|way| at[edge.ends[way].unwrap_or(n)].push((number, way)));
    }
    // body -> (parent, edge and way), nearest first
    #[allow(clippy::type_complexity)] // parent, and the joint with its way round
    let mut held: Vec<Option<(Option<usize>, Option<(usize, usize)>)>> = vec![None; n];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut roots = Vec::new();
    let mut queue: VecDeque<Option<usize>> = VecDeque::from([None]);
    let mut unseen = 0..n;
    loop {
        while let Some(parent) = queue.pop_front() {
            for &(number, way) in &at[parent.unwrap_or(n)] {
                let edge = &edges[number];
                let (Some(_), Some(child)) = (&edge.ways[way], edge.ends[1 - way]) else { continue };
                if held[child].is_some() {
                    continue;
                }
                held[child] = Some((parent, Some((number, way))));
                parent.map_or(&mut roots, |parent| &mut children[parent]).push(child);
                queue.push_back(Some(child));
            }
        }
        let Some(body) = unseen.find(|&body| held[body].is_none() && floats(body)) else { break };
        held[body] = Some((None, None));
        roots.push(body);
        queue.push_back(Some(body));
    }

    let mut links: Vec<Spanned> = Vec::new();
    let mut link_of = vec![0; n];
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(body) = stack.pop() {
        let (parent, held) = held[body].expect("it was reached");
        let (link, parent) = (links.len(), parent.map(|body| link_of[body]));
        link_of[body] = link;
        links.push(Spanned { body, parent, held, subtree: link..link + 1 });
        stack.extend(children[body].iter().rev());
    }
    for k in (0..links.len()).rev() {
        if let Some(parent) = links[k].parent {
            links[parent].subtree.end = links[parent].subtree.end.max(links[k].subtree.end);
        }
    }
    links
}

/// Numbers of the joints whose reaction no friction law wants to know: a law that asks for it needs the rows.
pub(super) fn unpressed(structure: &Structure) -> impl Iterator<Item = usize> {
    let pressed = |contact: &ContactInfo| match &contact.kind {
        ContactKind::Dry { coefficient, rows, .. } if *coefficient > 0.0 => Some(rows.start),
        _ => None,
    };
    let pressing: BTreeSet<usize> = structure.contacts.iter().filter_map(pressed).collect();
    let joints = structure.constraints.iter().enumerate();
    joints
        .filter(move |(_, info)| pressing.range(info.rows.clone()).next().is_none())
        .map(|(joint, _)| joint)
        .collect::<Vec<_>>()
        .into_iter()
}
