//! Rows of joints that are no coordinates: they stay rows of Φ, with numbers of their own.

use carom_dynamics::{ConstraintInfo, ContactInfo, ContactKind, Structure};

#[derive(Clone, Debug)]
pub(super) struct KeptRows {
    /// Rows of the model that are rows here, in order.
    pub rows: Vec<usize>,
    /// For every row of the model its number here.
    pub row_of: Vec<Option<u32>>,
}

impl KeptRows {
    /// Those of the joints that are not in the tree, and what is known of these joints.
    pub fn new(structure: &Structure, is_tree_joint: &[bool]) -> (Self, Vec<ConstraintInfo>) {
        let (mut rows, mut row_of) = (Vec::new(), vec![None; structure.sizes.constraints]);
        let mut constraints = Vec::new();
        for (joint, info) in structure.constraints.iter().enumerate() {
            if is_tree_joint[joint] {
                continue;
            }
            let from = rows.len();
            for row in info.rows.clone() {
                row_of[row] = Some(rows.len() as u32);
                rows.push(row);
            }
            constraints.push(ConstraintInfo { rows: from..rows.len(), ..info.clone() });
        }
        (Self { rows, row_of }, constraints)
    }

    /// A contact whose law asks for rows of joints by their numbers here.
    pub fn renumbered(&self, info: &ContactInfo) -> ContactInfo {
        let mut info = info.clone();
        if let ContactKind::Dry { rows, .. } = &mut info.kind {
            // a joint of the tree has no rows; its law asks for none, or it would not be in the tree
            let first = self.row_of.get(rows.start).copied().flatten().filter(|_| rows.start < rows.end);
            *rows = first.map_or(0..0, |first| first as usize..first as usize + rows.len());
        }
        info
    }
}
