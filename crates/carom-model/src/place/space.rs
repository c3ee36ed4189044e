//! How the columns of Ω change in space, for the tangents of torques.
//!
//! ```text
//!   s_k = ∂Ω/∂v_k:     of a rigid body its own axes,   of shapes A T_l(θ) s_k
//!   ∂Ω/∂δ_k, v fixed:  s_k×Ω,                          A (∂T_l/∂θ·s_k) θ̇
//!   ∂s_i/∂δ_j:         s_j×s_i,                        s_j×s_i for j of the floating frame, A (∂T_l/∂θ·s_j) s_i
//! ```

use super::{Carrier, Column, Place};
use crate::geometry::space::V3;
use crate::geometry::{Geometry, Space, Vector, dot};
use carom_dynamics::Configuration;
use carom_dynamics::rotation::cross;

impl Place<Space> {
    /// ∂Ω/∂δ_k of a column, v fixed.
    pub fn spin_rate(&self, at: &Configuration, column: &Column<Space>) -> V3 {
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => V3::ZERO,
            Carrier::Rigid(_) => cross(column.s, self.omega(at)),
            Carrier::Shapes(carried) => {
                match carried.shapes.iter().find(|shape| shape.column as usize == column.index) {
                    Some(shape) if carried.bends => carried.bent(at, shape.s, carried.turning(&at.v)),
                    Some(_) => V3::ZERO,
                    None => cross(column.s, self.omega(at)),
                }
            }
        }
    }

    /// Entries (i, j, w·∂s_i/∂δ_j); those that are always zero are left out.
    pub fn spin_curvature(&self, at: &Configuration, w: V3, mut entry: impl FnMut(usize, usize, f64)) {
        let mut axes = |from: usize, frame: &[f64; 12]| {
            let axis = |k: usize| Space::turn(frame, V3::axis(k));
            for i in 0..3 {
                for j in (0..3).filter(|j| *j != i) {
                    entry(from + i, from + j, dot(w, cross(axis(j), axis(i))));
                }
            }
        };
        match &self.carrier {
            Carrier::Ground | Carrier::Point(_) => {}
            Carrier::Rigid(first) => axes(first.v as usize + 3, &self.frame(at)),
            Carrier::Shapes(carried) => {
                let frame = carried.frame(at.derived());
                if let Some(base) = carried.floating {
                    let from = base.v as usize + 3;
                    axes(from, &frame);
                    if carried.bends {
                        for shape in &carried.shapes {
                            let s = carried.turned(at, shape.s);
                            for j in 0..3 {
                                let value = dot(w, cross(Space::turn(&frame, V3::axis(j)), s));
                                entry(shape.column as usize, from + j, value);
                            }
                        }
                    }
                }
                if carried.bends {
                    for i in &carried.shapes {
                        for j in &carried.shapes {
                            entry(i.column as usize, j.column as usize, dot(w, carried.bent(at, j.s, i.s)));
                        }
                    }
                }
            }
        }
    }
}
