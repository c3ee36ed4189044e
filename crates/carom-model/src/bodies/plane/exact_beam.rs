//! A geometrically exact beam that moves and bends as far as it likes: nodes in the inertial frame.
//!
//! ```text
//!   q = (x, y, φ) of node after node,   M constant,   h = M (g, 0) − ∂U/∂q − damping
//!   damping:   α M v + force of the strain rates, stress = C (strain + β · rate of strain)
//! ```
//!
//! Elements, strains and their derivatives: `carom-elastic`, `exact_beam.rs`. There is no floating frame: forces of
//! inertia are linear in v', and nothing is left of them in h. The damping by stiffness is objective: a rigid motion
//! loses nothing, whatever its size. The damping by mass holds back rigid motion too.

use super::{Flexible, Local, Start};
use carom_dynamics::Quantity;
use carom_elastic::{
    ElasticError, End, ExactBeam as Elements, MassKind, Material, PointShapes, Symmetric, extreme_fibre,
};

/// Section forces that are recorded, in the order of [`Elements::end_stress`].
const STRESSES: [(&str, &str); 3] = [("normal", "N"), ("shear", "N"), ("moment", "N m")];

#[derive(Clone, Debug)]
pub struct ExactBeam {
    elements: Elements,
    M: Symmetric,
    /// M (g, 0).
    weight: Vec<f64>,
    /// α, and its share α M of C by place in the tangent's pattern.
    by_mass: f64,
    C_mass: Vec<(u32, f64)>,
    /// 1/A and c/I.
    per_force: f64,
    per_moment: f64,
}

impl ExactBeam {
    /// Ready to move; `by_mass` is α, A and I make stresses of section forces.
    pub fn new(elements: Elements, mass: MassKind, by_mass: f64, gravity: [f64; 2], A: f64, I: f64) -> Self {
        let M = elements.mass(mass);
        let fall: Vec<f64> = (0..elements.nodes()).flat_map(|_| [gravity[0], gravity[1], 0.0]).collect();
        let mut weight = vec![0.0; elements.dofs()];
        M.add_product(1.0, &fall, &mut weight);
        let mut C_mass = Vec::new();
        if by_mass != 0.0 {
            let pattern = elements.tangent_pattern();
            let slot =
                |i: u32, j: u32| pattern.iter().position(|&at| at == (i, j)).expect("M is within K") as u32;
            for (&(i, j), m) in M.at().iter().zip(M.values()) {
                C_mass.push((slot(i, j), by_mass * m));
                if i != j {
                    C_mass.push((slot(j, i), by_mass * m));
                }
            }
        }
        let (per_force, per_moment) = (1.0 / A, extreme_fibre(A, I) / I);
        Self { elements, M, weight, by_mass, C_mass, per_force, per_moment }
    }
}

impl Flexible for ExactBeam {
    fn len(&self) -> usize {
        self.elements.dofs()
    }

    fn floats(&self) -> bool {
        false
    }

    fn rigid_motions(&self) -> usize {
        3
    }

    fn start(&self, start: &Start) -> (Vec<f64>, Vec<f64>) {
        let (s, c) = start.angle.sin_cos();
        let omega = start.angular_velocity;
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for node in self.elements.reference().chunks_exact(3) {
            let arm = [c * node[0] - s * node[1], s * node[0] + c * node[1]];
            q.extend([start.position[0] + arm[0], start.position[1] + arm[1], start.angle + node[2]]);
            v.extend([start.velocity[0] - omega * arm[1], start.velocity[1] + omega * arm[0], omega]);
        }
        (q, v)
    }

    fn derived_len(&self) -> usize {
        self.elements.derived_len()
    }

    fn derive(&self, q: &[f64], derived: &mut [f64]) {
        self.elements.derive(q, derived);
    }

    fn total_mass(&self) -> f64 {
        self.elements.section().rhoA * self.elements.length()
    }

    fn mass_pattern(&self) -> Vec<(u32, u32)> {
        self.M.at().to_vec()
    }

    fn mass_is_constant(&self) -> bool {
        true
    }

    fn mass(&self, _: Local, M: &mut [f64]) {
        M.copy_from_slice(self.M.values());
    }

    fn add_force(&self, at: Local, h: &mut [f64]) {
        for (h, weight) in h.iter_mut().zip(&self.weight) {
            *h += weight;
        }
        self.elements.add_force(-1.0, at.derived, h);
        self.elements.add_damping(-1.0, at.derived, at.v, h);
        if self.by_mass != 0.0 {
            self.M.add_product(-self.by_mass, at.v, h);
        }
    }

    fn tangent_pattern(&self) -> Vec<(u32, u32)> {
        self.elements.tangent_pattern()
    }

    fn tangents(&self, at: Local, K: &mut [f64], C: &mut [f64]) {
        K.fill(0.0);
        C.fill(0.0);
        self.elements.add_tangent(at.derived, K);
        self.elements.add_damping_tangents(at.derived, at.v, K, C);
        for &(slot, c) in &self.C_mass {
            C[slot as usize] += c;
        }
    }

    fn kinetic(&self, at: Local) -> f64 {
        0.5 * self.M.form(at.v, at.v)
    }

    fn potential(&self, at: Local) -> f64 {
        -self.weight.iter().zip(at.q).map(|(w, q)| w * q).sum::<f64>()
    }

    fn strain(&self, at: Local) -> f64 {
        self.elements.energy(at.derived)
    }

    fn has_damping(&self) -> bool {
        self.by_mass != 0.0 || self.elements.section().tau != 0.0
    }

    fn loss(&self, at: Local) -> f64 {
        self.by_mass * self.M.form(at.v, at.v) + self.elements.dissipation(at.derived, at.v)
    }

    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        self.elements.point(at)
    }

    fn carries(&self, at: Local, i: usize) -> [f64; 3] {
        match i % 3 {
            0 => [1.0, 0.0, -at.q[i + 1]],
            1 => [0.0, 1.0, at.q[i - 1]],
            _ => [0.0, 0.0, 1.0],
        }
    }

    fn quantity(&self, i: usize) -> Quantity {
        if i % 3 == 2 { Quantity::Angle } else { Quantity::Length }
    }

    fn coordinate_name(&self, i: usize) -> String {
        format!("node {}.{}", i / 3, ["x", "y", "angle"][i % 3])
    }

    fn outline(&self) -> Vec<Vec<Material>> {
        vec![(0..self.elements.nodes()).map(Material::Node).collect()]
    }

    fn knows_stress(&self) -> bool {
        true
    }

    fn stresses(&self, at: Local, out: &mut [f64]) {
        for (node, out) in out.iter_mut().enumerate() {
            let [n, m] = self.elements.node_stress(node, at.q, at.v, at.derived);
            *out = n.abs() * self.per_force + m.abs() * self.per_moment;
        }
    }

    fn outputs(&self) -> Vec<(String, &'static str)> {
        let of = |end: &'static str| STRESSES.map(|(name, unit)| (format!("{end}.{name}"), unit));
        std::iter::once(("strain".to_string(), "J")).chain(of("root")).chain(of("tip")).collect()
    }

    fn observe(&self, at: Local, out: &mut [f64]) {
        out[0] = self.strain(at);
        out[1..4].copy_from_slice(&self.elements.end_stress(End::Root, at.q, at.v, at.derived));
        out[4..7].copy_from_slice(&self.elements.end_stress(End::Tip, at.q, at.v, at.derived));
    }
}
