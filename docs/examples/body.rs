//! A heavy spring that travels and stretches along its own straight line, as an example of a body.
//!
//! ```text
//!   x(X) = x_0 + (X + u) e,      u linear between the two ends,      q = (u_0, u_1)
//!   K = k [1 −1; −1 1],          M = m/6 [2 1; 1 2],                 h = m/2 g·e (1, 1) − K q
//! ```
//!
//! Its waves are left out: one element. A load on one end, the other held, feels a third of its mass (Rayleigh).
#![allow(non_snake_case)]

use super::{Flexible, Local, Start};
use carom_dynamics::Quantity;
use carom_elastic::{ElasticError, Material, PointShapes};

#[derive(Clone, Debug)]
pub(crate) struct Coil {
    /// Unit vector along the spring and its angle, and the inertial place of its first end without displacement.
    pub axis: [f64; 2],
    pub angle: f64,
    pub origin: [f64; 2],
    /// Free length (m), mass (kg), stiffness (N/m), gravity along it (m/s²).
    pub length: f64,
    pub mass: f64,
    pub stiffness: f64,
    pub gravity: f64,
}

impl Coil {
    fn tension(&self, at: Local) -> f64 {
        self.stiffness * (at.q[1] - at.q[0])
    }
}

impl Flexible for Coil {
    // ---- coordinates
    fn len(&self) -> usize {
        2
    }
    fn floats(&self) -> bool {
        false
    }
    fn frame_angle(&self) -> f64 {
        self.angle
    }
    fn start(&self, start: &Start) -> (Vec<f64>, Vec<f64>) {
        let speed = start.velocity[0] * self.axis[0] + start.velocity[1] * self.axis[1];
        (vec![0.0; 2], vec![speed; 2])
    }
    fn quantity(&self, _: usize) -> Quantity {
        Quantity::Length
    }
    fn coordinate_name(&self, i: usize) -> String {
        format!("end {i}")
    }

    // ---- inertia
    fn total_mass(&self) -> f64 {
        self.mass
    }
    fn mass_pattern(&self) -> Vec<(u32, u32)> {
        vec![(0, 0), (1, 0), (1, 1)]
    }
    fn mass_is_constant(&self) -> bool {
        true
    }
    fn mass(&self, _: Local, M: &mut [f64]) {
        M.copy_from_slice(&[2.0, 1.0, 2.0].map(|part| part * self.mass / 6.0));
    }

    // ---- forces, and their tangents K = −∂h/∂q, C = −∂h/∂v
    fn add_force(&self, at: Local, h: &mut [f64]) {
        let weight = 0.5 * self.mass * self.gravity;
        h[0] += weight + self.tension(at);
        h[1] += weight - self.tension(at);
    }
    fn tangent_pattern(&self) -> Vec<(u32, u32)> {
        vec![(0, 0), (0, 1), (1, 0), (1, 1)]
    }
    fn tangents_are_constant(&self) -> bool {
        true
    }
    fn tangents(&self, _: Local, K: &mut [f64], C: &mut [f64]) {
        let k = self.stiffness;
        K.copy_from_slice(&[k, -k, -k, k]);
        C.fill(0.0);
    }

    // ---- energies
    fn kinetic(&self, at: Local) -> f64 {
        self.mass / 6.0 * (at.v[0] * at.v[0] + at.v[0] * at.v[1] + at.v[1] * at.v[1])
    }
    fn carries(&self, _: Local, _: usize) -> [f64; 3] {
        // momentum along x and y, and about the origin, of what moves along one line
        let [x, y] = self.axis;
        [x, y, self.origin[0] * y - self.origin[1] * x]
    }
    fn potential(&self, at: Local) -> f64 {
        -0.5 * self.mass * self.gravity * (at.q[0] + self.length + at.q[1])
    }
    fn strain(&self, at: Local) -> f64 {
        0.5 * self.stiffness * (at.q[1] - at.q[0]).powi(2)
    }
    fn has_damping(&self) -> bool {
        false
    }
    fn loss(&self, _: Local) -> f64 {
        0.0
    }

    // ---- what joints, forces and contacts hold on to: u_0 and a column for each coordinate that moves the point
    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        let X = match at {
            Material::Node(node) if node < 2 => node as f64 * self.length,
            Material::Node(node) => return Err(ElasticError::NoNode { node, last: 1 }),
            Material::At([X, y]) if y == 0.0 && (0.0..=self.length).contains(&X) => X,
            Material::At([x, y]) => {
                return Err(ElasticError::Outside { x, y, low: [0.0; 2], high: [self.length, 0.0] });
            }
        };
        let s = X / self.length;
        let column = |k: u32, N: f64| (k, [N * self.axis[0], N * self.axis[1]], 0.0);
        let columns = [column(0, 1.0 - s), column(1, s)].into_iter().filter(|(_, S, _)| *S != [0.0; 2]);
        Ok(PointShapes {
            u_0: [self.origin[0] + X * self.axis[0], self.origin[1] + X * self.axis[1]],
            columns: columns.collect(),
        })
    }

    // ---- what is drawn and recorded
    fn outline(&self) -> Vec<Vec<Material>> {
        vec![vec![Material::Node(0), Material::Node(1)]]
    }
    fn knows_stress(&self) -> bool {
        false
    }
    fn stresses(&self, _: Local, _: &mut [f64]) {}
    fn outputs(&self) -> Vec<(String, &'static str)> {
        vec![("strain".into(), "J"), ("tension".into(), "N")]
    }
    fn observe(&self, at: Local, out: &mut [f64]) {
        out.copy_from_slice(&[self.strain(at), self.tension(at)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forces are the slopes of the energies, tangents the slopes of the forces, and M is that of the kinetic energy.
    #[test]
    fn the_pieces_fit_each_other() {
        let coil = Coil {
            axis: [0.6, 0.8],
            angle: f64::atan2(0.8, 0.6),
            origin: [0.1, 0.2],
            length: 0.3,
            mass: 1.2,
            stiffness: 50.0,
            gravity: -7.0,
        };
        let (q, v) = ([0.02, -0.05], [1.5, -0.4]);
        let energy = |q: [f64; 2]| {
            let at = Local { q: &q, v: &v, derived: &[] };
            coil.strain(at) + coil.potential(at)
        };
        let force = |q: [f64; 2]| {
            let mut h = [0.0; 2];
            coil.add_force(Local { q: &q, v: &v, derived: &[] }, &mut h);
            h
        };
        let at = Local { q: &q, v: &v, derived: &[] };
        let (mut M, mut K, mut C) = ([0.0; 3], [0.0; 4], [0.0; 4]);
        coil.mass(at, &mut M);
        coil.tangents(at, &mut K, &mut C);
        let step = 1e-4;
        let near = |ours: f64, other: f64| assert!((ours - other).abs() < 1e-8, "{ours} {other}");
        for j in 0..2 {
            let moved = |by: f64| std::array::from_fn(|i| if i == j { q[i] + by } else { q[i] });
            // all are polynomials of second order at most, so central differences are exact
            near(force(q)[j], -(energy(moved(step)) - energy(moved(-step))) / (2.0 * step));
            for i in 0..2 {
                near(K[2 * i + j], -(force(moved(step))[i] - force(moved(-step))[i]) / (2.0 * step));
            }
        }
        near(coil.kinetic(at), 0.5 * (M[0] * v[0] * v[0] + 2.0 * M[1] * v[0] * v[1] + M[2] * v[1] * v[1]));
        // Rayleigh: a held end leaves a third of the mass
        near(M[2], coil.mass / 3.0);
        // a rigid translation carries all of it
        near(M[0] + 2.0 * M[1] + M[2], coil.total_mass());
    }
}
