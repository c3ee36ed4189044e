//! Glocker's laws at corners of a surface.                                              [Haddouni2015] (4.3)–(4.15)

use super::{Cause, Settle};
use crate::{ContactKind, ContactStage, Corner, Knot, Motion, StepError, System};

impl Settle {
    /// The two contacts of a corner that one of Glocker's laws takes: the one left, the one met, and the law.
    pub(super) fn corner(
        &self,
        system: &dyn System,
        motion: &Motion,
        cause: &Cause,
    ) -> Option<(usize, usize, Corner)> {
        let [met] = cause.closing[..] else { return None };
        let law = system.structure().contacts[met].corner;
        if law == Corner::Newton {
            return None;
        }
        // it touches the other one and does not leave it, whether it is pressed or not
        let touches = |c: usize| c != met && !matches!(motion.kind(c), ContactKind::Dry { .. });
        let mut touched = self.active.iter().copied().filter(|&c| touches(c));
        let left = touched.next()?;
        touched.next().is_none().then_some((left, met, law))
    }

    /// v⁺ past a corner.
    pub(super) fn pass_corner(
        &mut self,
        system: &dyn System,
        stage: &mut ContactStage,
        motion: &Motion,
        knot: &mut Knot,
        (left, met, law): (usize, usize, Corner),
    ) -> Result<(), StepError> {
        if !stage.operator.evaluate_mass(system, &self.at, false) {
            return Err(StepError::Singular { t: knot.t });
        }
        // unit normals in the metric of M⁻¹, as M⁻¹ n
        let nv = motion.nv();
        let normals = [&mut self.n_1, &mut self.n_2];
        for ((normal, n), contact) in self.normal.iter_mut().zip(normals).zip([left, met]) {
            self.W.clear();
            system.directions(&self.at, &[contact], &mut self.W);
            normal.fill(0.0);
            let (columns, values) = self.W.row(0);
            for (&column, w) in columns.iter().zip(values) {
                normal[column as usize] += w;
            }
            stage.operator.solve_mass(normal, n);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let [G_1, G_2] = &self.normal;
        let (size_1, size_2) = (dot(G_1, &self.n_1).sqrt(), dot(G_2, &self.n_2).sqrt());
        let (u_1, u_2) = (dot(G_1, &knot.v) / size_1, dot(G_2, &knot.v) / size_2);
        let cosine = (dot(G_1, &self.n_2) / (size_1 * size_2)).clamp(-1.0, 1.0);
        let before = u_2 * size_2;
        match law {
            // v⁺ = v⁻ − 2 M⁻¹ n_P (n_Pᵀ v⁻) / (n_Pᵀ M⁻¹ n_P),   n_P = n_1 + n_2            (4.12)–(4.14)
            Corner::Reflection | Corner::Newton => {
                let share = 2.0 * (u_1 + u_2) / (2.0 + 2.0 * cosine);
                for i in 0..nv {
                    knot.v[i] -= share * (self.n_1[i] / size_1 + self.n_2[i] / size_2);
                }
            }
            // in the plane of n_1 and e ⊥ n_1, n_2 = cos φ n_1 + sin φ e: v turns by φ      (4.3)–(4.7)
            Corner::TimeScaling => {
                let sine = (1.0 - cosine * cosine).sqrt();
                if sine > 0.0 {
                    let u_e = (u_2 - cosine * u_1) / sine;
                    let (new_1, new_e) = (cosine * u_1 - sine * u_e, sine * u_1 + cosine * u_e);
                    let (d_1, d_e) = (new_1 - u_1, new_e - u_e);
                    for i in 0..nv {
                        let (n_1, n_2) = (self.n_1[i] / size_1, self.n_2[i] / size_2);
                        knot.v[i] += d_1 * n_1 + d_e * (n_2 - cosine * n_1) / sine;
                    }
                }
            }
        }
        let after = dot(&self.normal[1], &knot.v);
        let normal = |U: f64| [U, 0.0, 0.0, 0.0, 0.0];
        stage.record_jump(met, normal(before), normal(after), normal(0.0), normal(0.0));
        self.hit.push(met);
        self.closes.fill(false);
        Ok(())
    }
}
