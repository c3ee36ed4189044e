//! Plane isoparametric elements on their reference domains.
//!
//! ```text
//!   triangle 0 ≤ ξ, η, ξ + η ≤ 1      square −1 ≤ ξ, η ≤ 1
//!   x = Σ N_i(ξ, η) x_i,   J = ∂x/∂ξ,   ∂N/∂x = J⁻ᵀ ∂N/∂ξ
//! ```
//!
//! Corners come first, counter-clockwise, then the mid-side nodes, the first between corners 0 and 1.

/// Kind of a plane element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneElement {
    /// Three-node triangle: constant strain.
    T3,
    /// Four-node quadrilateral, 2 × 2 points; too stiff in bending.
    Q4,
    /// Four-node quadrilateral with the incompatible bending modes 1 − ξ², 1 − η²: right in bending.
    Q4Incompatible,
    /// Six-node triangle.
    T6,
    /// Eight-node (serendipity) quadrilateral, 3 × 3 points.
    Q8,
}

/// Shape functions at one place of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes {
    /// N_i.
    pub N: [f64; 8],
    /// (∂N_i/∂ξ, ∂N_i/∂η), or with respect to x, y once mapped.
    pub dN: [[f64; 2]; 8],
}

/// Place and weight of quadrature.
pub(super) type Point = ([f64; 2], f64);

/// Corners of the square.
const SQUARE: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
/// Corners of the triangle.
const TRIANGLE: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

impl PlaneElement {
    /// All kinds.
    pub const ALL: [PlaneElement; 5] = [
        PlaneElement::T3,
        PlaneElement::Q4,
        PlaneElement::Q4Incompatible,
        PlaneElement::T6,
        PlaneElement::Q8,
    ];

    /// Name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            PlaneElement::T3 => "t3",
            PlaneElement::Q4 => "q4",
            PlaneElement::Q4Incompatible => "q4-incompatible",
            PlaneElement::T6 => "t6",
            PlaneElement::Q8 => "q8",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<PlaneElement> {
        PlaneElement::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Nodes of the element.
    pub fn nodes(self) -> usize {
        self.corners() * if self.quadratic() { 2 } else { 1 }
    }

    /// Corners of the element.
    pub fn corners(self) -> usize {
        if self.triangle() { 3 } else { 4 }
    }

    /// Whether it has mid-side nodes.
    pub fn quadratic(self) -> bool {
        matches!(self, PlaneElement::T6 | PlaneElement::Q8)
    }

    /// Whether it is a triangle.
    pub fn triangle(self) -> bool {
        matches!(self, PlaneElement::T3 | PlaneElement::T6)
    }

    /// Reference place of node i.
    pub(super) fn node(self, i: usize) -> [f64; 2] {
        let corner = |i: usize| if self.triangle() { TRIANGLE[i] } else { SQUARE[i] };
        let corners = self.corners();
        if i < corners {
            return corner(i);
        }
        let (a, b) = (corner(i - corners), corner((i + 1) % corners));
        [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
    }

    pub(super) fn centre(self) -> [f64; 2] {
        if self.triangle() { [1.0 / 3.0; 2] } else { [0.0; 2] }
    }

    /// How far a place is outside the reference domain; not positive inside.
    pub(super) fn excess(self, [xi, eta]: [f64; 2]) -> f64 {
        if self.triangle() {
            (-xi).max(-eta).max(xi + eta - 1.0)
        } else {
            (xi.abs() - 1.0).max(eta.abs() - 1.0)
        }
    }

    /// N and ∂N/∂ξ.
    pub(super) fn shapes(self, [xi, eta]: [f64; 2]) -> Shapes {
        let mut s = Shapes { N: [0.0; 8], dN: [[0.0; 2]; 8] };
        match self {
            PlaneElement::T3 | PlaneElement::T6 => {
                // area coordinates and their derivatives
                let L = [1.0 - xi - eta, xi, eta];
                let dL = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
                for i in 0..3 {
                    if self == PlaneElement::T3 {
                        (s.N[i], s.dN[i]) = (L[i], dL[i]);
                        continue;
                    }
                    let j = (i + 1) % 3;
                    s.N[i] = L[i] * (2.0 * L[i] - 1.0);
                    s.N[i + 3] = 4.0 * L[i] * L[j];
                    for c in 0..2 {
                        s.dN[i][c] = (4.0 * L[i] - 1.0) * dL[i][c];
                        s.dN[i + 3][c] = 4.0 * (dL[i][c] * L[j] + L[i] * dL[j][c]);
                    }
                }
            }
            PlaneElement::Q4 | PlaneElement::Q4Incompatible => {
                for (i, [a, b]) in SQUARE.into_iter().enumerate() {
                    s.N[i] = 0.25 * (1.0 + a * xi) * (1.0 + b * eta);
                    s.dN[i] = [0.25 * a * (1.0 + b * eta), 0.25 * b * (1.0 + a * xi)];
                }
            }
            PlaneElement::Q8 => {
                for (i, [a, b]) in SQUARE.into_iter().enumerate() {
                    let (f, g) = (1.0 + a * xi, 1.0 + b * eta);
                    s.N[i] = 0.25 * f * g * (a * xi + b * eta - 1.0);
                    s.dN[i] =
                        [0.25 * a * g * (2.0 * a * xi + b * eta), 0.25 * b * f * (a * xi + 2.0 * b * eta)];
                }
                for i in 4..8 {
                    let [a, b] = self.node(i);
                    if a == 0.0 {
                        s.N[i] = 0.5 * (1.0 - xi * xi) * (1.0 + b * eta);
                        s.dN[i] = [-xi * (1.0 + b * eta), 0.5 * b * (1.0 - xi * xi)];
                    } else {
                        s.N[i] = 0.5 * (1.0 + a * xi) * (1.0 - eta * eta);
                        s.dN[i] = [0.5 * a * (1.0 - eta * eta), -eta * (1.0 + a * xi)];
                    }
                }
            }
        }
        s
    }

    /// Quadrature of the stiffness: exact for the element with straight sides, and ∫∂N/∂x exact for any, which is
    /// what the patch test asks for.
    pub(super) fn stiffness_rule(self) -> Vec<Point> {
        match self {
            PlaneElement::T3 => vec![([1.0 / 3.0; 2], 0.5)],
            PlaneElement::T6 => six_points(),
            PlaneElement::Q4 | PlaneElement::Q4Incompatible => square(2),
            PlaneElement::Q8 => square(3),
        }
    }

    /// Quadrature of N_i N_j det J, exact for curved sides too.
    pub(super) fn mass_rule(self) -> Vec<Point> {
        match self {
            PlaneElement::T3 => collapsed(2),
            PlaneElement::T6 => collapsed(4),
            PlaneElement::Q4 | PlaneElement::Q4Incompatible => square(2),
            PlaneElement::Q8 => square(4),
        }
    }
}

/// Gauss–Legendre points and weights on [−1, 1], exact to degree 2n − 1.
fn gauss(n: usize) -> Vec<(f64, f64)> {
    match n {
        2 => {
            let a = (1.0_f64 / 3.0).sqrt();
            vec![(-a, 1.0), (a, 1.0)]
        }
        3 => {
            let a = 0.6_f64.sqrt();
            vec![(-a, 5.0 / 9.0), (0.0, 8.0 / 9.0), (a, 5.0 / 9.0)]
        }
        4 => {
            let root = 2.0 / 7.0 * 1.2_f64.sqrt();
            let (a, b) = ((3.0 / 7.0 - root).sqrt(), (3.0 / 7.0 + root).sqrt());
            let w = 30.0_f64.sqrt();
            let (w_a, w_b) = ((18.0 + w) / 36.0, (18.0 - w) / 36.0);
            vec![(-b, w_b), (-a, w_a), (a, w_a), (b, w_b)]
        }
        _ => unreachable!("the elements ask for 2, 3 or 4 points"),
    }
}

fn square(n: usize) -> Vec<Point> {
    let line = gauss(n);
    line.iter().flat_map(|&(y, b)| line.iter().map(move |&(x, a)| ([x, y], a * b))).collect()
}

/// Square folded onto the triangle: ξ = r, η = (1 − r) s; exact to degree 2n − 2.
fn collapsed(n: usize) -> Vec<Point> {
    let fold = |([x, y], w): Point| {
        let (r, s) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
        ([r, (1.0 - r) * s], 0.25 * w * (1.0 - r))
    };
    square(n).into_iter().map(fold).collect()
}

/// Six symmetric points on the triangle, exact to degree 4.
fn six_points() -> Vec<Point> {
    let root = (38.0 - 44.0 * 0.4_f64.sqrt()).sqrt();
    let spread = (213_125.0 - 53_320.0 * 10.0_f64.sqrt()).sqrt();
    let mut points = Vec::with_capacity(6);
    for sign in [1.0, -1.0] {
        let a = (8.0 - 10.0_f64.sqrt() + sign * root) / 18.0;
        let w = 0.5 * (620.0 + sign * spread) / 3720.0;
        let b = 1.0 - 2.0 * a;
        points.extend([([a, a], w), ([b, a], w), ([a, b], w)]);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ξ^a η^b over the triangle is a! b! / (a + b + 2)!, over the square 4/((a+1)(b+1)) for even exponents, else 0.
    #[test]
    fn quadrature_is_as_exact_as_it_says() {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        let sum = |rule: &[Point], a: i32, b: i32| -> f64 {
            rule.iter().map(|(p, w)| w * p[0].powi(a) * p[1].powi(b)).sum()
        };
        for (rule, degree) in
            [(six_points(), 4), (collapsed(2), 2), (collapsed(4), 6), (PlaneElement::T3.stiffness_rule(), 1)]
        {
            for a in 0..=degree {
                for b in 0..=degree - a {
                    let exact = factorial(a) * factorial(b) / factorial(a + b + 2);
                    assert!((sum(&rule, a, b) - exact).abs() < 1e-15, "{a} {b}");
                }
            }
        }
        for n in 2..=4 {
            let degree = 2 * n - 1;
            for a in 0..=degree {
                for b in 0..=degree {
                    let line = |k: i32| if k % 2 == 0 { 2.0 / f64::from(k + 1) } else { 0.0 };
                    let got = sum(&square(n as usize), a, b);
                    assert!((got - line(a) * line(b)).abs() < 4e-15, "{n}: {a} {b} {got}");
                }
            }
        }
    }

    #[test]
    fn shape_functions_are_one_at_their_node_and_their_slopes_are_true() {
        for kind in PlaneElement::ALL {
            for i in 0..kind.nodes() {
                let s = kind.shapes(kind.node(i));
                for j in 0..kind.nodes() {
                    assert!((s.N[j] - f64::from(i == j)).abs() < 1e-15);
                }
            }
            let (at, d) = ([0.21, 0.37], 1e-6);
            let s = kind.shapes(at);
            for c in 0..2 {
                let moved = |by: f64| {
                    let mut p = at;
                    p[c] += by;
                    kind.shapes(p).N
                };
                let (up, down) = (moved(d), moved(-d));
                for j in 0..kind.nodes() {
                    assert!((s.dN[j][c] - (up[j] - down[j]) / (2.0 * d)).abs() < 1e-9, "{kind:?} {j} {c}");
                }
            }
        }
    }
}
