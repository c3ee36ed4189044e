//! a = M⁻¹ f in O(n): articulated bodies.                                 [Haddouni2015] §1.1.2 (recursive algorithms)
//!
//! A subtree seen through its root is a body with an inertia Â of 3×3 (force and torque about r_k per acceleration there)
//! and a force p̂ it pushes back with. From the leaves to the ground, every coordinate i with screw S = B_ki is eliminated:
//!
//! ```text
//!   U = Â S,   D = S·U,   u = f_i − S·p̂
//!   Â ← Â − U Uᵀ/D,   p̂ ← p̂ + U u/D
//! ```
//!
//! and what is left is handed to the parent, moved by X = [1 z×d; 0 1] with d = r_k − r_P: a_k = X a_P, Â_P += Xᵀ Â X,
//! p̂_P += Xᵀ p̂. From the ground to the leaves a_i = (u − U·a)/D and a ← a + S a_i. No accelerations but those of the
//! coordinates are in it: ν is part of the force already.
//!
//! Exact, no factorisation, no fill; a link costs the same however long the chain (test `cost_is_linear`). Written for any
//! scalar, so that operations can be counted.

use super::tree::Tree;
use std::ops::{Add, Div, Mul, Sub};

/// What the recursion computes with.
pub(super) trait Scalar:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
}

impl<T> Scalar for T where
    T: Copy + From<f64> + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>
{
}

/// A link: mass, moment of inertia, r_k − r_P.
pub(super) struct Step<T> {
    pub mass: T,
    pub inertia: T,
    pub arm: [T; 2],
}

/// Numbers of Â (xx, xy, yy, xφ, yφ, φφ), of p̂, and of an eliminated coordinate (U, D, u).
const INERTIA: usize = 6;
const PULL: usize = 3;
const ELIMINATED: usize = 5;

/// Work arrays.
pub(super) struct Articulated<'a, T> {
    /// Â of every link; then a of every link.
    pub inertia: &'a mut [T],
    /// p̂ of every link.
    pub pull: &'a mut [T],
    pub eliminated: &'a mut [T],
}

impl<T: Scalar> Articulated<'_, T> {
    pub fn sizes(links: usize, coordinates: usize) -> [usize; 3] {
        [INERTIA * links, PULL * links, ELIMINATED * coordinates]
    }

    pub fn solve(
        &mut self,
        tree: &Tree,
        link: impl Fn(usize) -> Step<T>,
        screw: impl Fn(usize) -> [T; 3],
        force: &[T],
        a: &mut [T],
    ) {
        let zero = T::from(0.0);
        for k in 0..tree.links.len() {
            let Step { mass, inertia, .. } = link(k);
            self.inertia[INERTIA * k..][..INERTIA].copy_from_slice(&[mass, zero, mass, zero, zero, inertia]);
            self.pull[PULL * k..][..PULL].fill(zero);
        }
        for (k, of) in tree.links.iter().enumerate().rev() {
            let mut A: [T; INERTIA] = read(self.inertia, k);
            let mut p: [T; PULL] = read(self.pull, k);
            for i in of.coordinates.clone().rev() {
                let S = screw(i);
                let U = times(&A, &S);
                let (D, u) = (product(&S, &U), force[i] - product(&S, &p));
                let [x, y, phi] = U.map(|U| U / D);
                A = [
                    A[0] - U[0] * x,
                    A[1] - U[0] * y,
                    A[2] - U[1] * y,
                    A[3] - U[0] * phi,
                    A[4] - U[1] * phi,
                    A[5] - U[2] * phi,
                ];
                p = [p[0] + x * u, p[1] + y * u, p[2] + phi * u];
                self.eliminated[ELIMINATED * i..][..ELIMINATED].copy_from_slice(&[U[0], U[1], U[2], D, u]);
            }
            if let Some(parent) = of.parent {
                hand(
                    &A,
                    &p,
                    link(k).arm,
                    &mut self.inertia[INERTIA * parent..],
                    &mut self.pull[PULL * parent..],
                );
            }
        }
        for (k, of) in tree.links.iter().enumerate() {
            let mut acceleration = [zero; 3];
            if let Some(parent) = of.parent {
                let [x, y, phi]: [T; 3] = [0, 1, 2].map(|n| self.inertia[INERTIA * parent + n]);
                let d = link(k).arm;
                acceleration = [x - phi * d[1], y + phi * d[0], phi];
            }
            for i in of.coordinates.clone() {
                let [x, y, phi, D, u]: [T; ELIMINATED] = read(self.eliminated, i);
                a[i] = (u - product(&[x, y, phi], &acceleration)) / D;
                let S = screw(i);
                acceleration = [0, 1, 2].map(|n| acceleration[n] + S[n] * a[i]);
            }
            self.inertia[INERTIA * k..][..3].copy_from_slice(&acceleration);
        }
    }
}

fn read<T: Copy, const N: usize>(from: &[T], k: usize) -> [T; N] {
    std::array::from_fn(|n| from[N * k + n])
}

fn product<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Â S.
fn times<T: Scalar>(A: &[T; INERTIA], S: &[T; 3]) -> [T; 3] {
    [
        A[0] * S[0] + A[1] * S[1] + A[3] * S[2],
        A[1] * S[0] + A[2] * S[1] + A[4] * S[2],
        A[3] * S[0] + A[4] * S[1] + A[5] * S[2],
    ]
}

/// Â_P += Xᵀ Â X,  p̂_P += Xᵀ p̂.
fn hand<T: Scalar>(A: &[T; INERTIA], p: &[T; PULL], d: [T; 2], parent: &mut [T], pull: &mut [T]) {
    let [xx, xy, yy, xp, yp, pp] = *A;
    // the column of a turning about r_P
    let x = xp - xx * d[1] + xy * d[0];
    let y = yp - xy * d[1] + yy * d[0];
    let phi = pp - xp * d[1] + yp * d[0];
    for (to, value) in parent.iter_mut().zip([xx, xy, yy, x, y, phi - x * d[1] + y * d[0]]) {
        *to = *to + value;
    }
    for (to, value) in pull.iter_mut().zip([p[0], p[1], p[2] - p[0] * d[1] + p[1] * d[0]]) {
        *to = *to + value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::description::{Body, Description, Joint};
    use std::cell::Cell;

    thread_local! {
        static OPERATIONS: Cell<usize> = const { Cell::new(0) };
    }

    /// A number that counts what is done with it.
    #[derive(Clone, Copy)]
    struct Counted(f64);

    impl From<f64> for Counted {
        fn from(x: f64) -> Self {
            Self(x)
        }
    }

    macro_rules! counted {
        ($($trait:ident $method:ident),*) => {$(
            impl $trait for Counted {
                type Output = Self;
                fn $method(self, other: Self) -> Self {
                    OPERATIONS.with(|count| count.set(count.get() + 1));
                    Self(self.0.$method(other.0))
                }
            }
        )*};
    }
    counted!(Add add, Sub sub, Mul mul, Div div);

    /// Operations for a chain of n links on revolute joints.
    fn operations(n: usize) -> usize {
        let mut d = Description::default();
        for i in 0..n {
            d.bodies.insert(
                format!("b{i}"),
                Body::rigid(1.0, 0.1, [i as f64, 0.0]).with_point("end", [1.0, 0.0]),
            );
            let to = if i == 0 { "ground".to_string() } else { format!("b{}.end", i - 1) };
            d.joints.insert(format!("j{i}"), Joint::revolute(&to, &format!("b{i}")));
        }
        let tree = Tree::new(&Model::new(&d).unwrap());
        let number = |x: f64| Counted(x);
        let mut arrays = Articulated::<Counted>::sizes(n, n).map(|size| vec![number(0.0); size]);
        let [inertia, pull, eliminated] = &mut arrays;
        let (force, mut a) = (vec![number(1.0); n], vec![number(0.0); n]);
        OPERATIONS.with(|count| count.set(0));
        let link = |_| Step { mass: number(1.0), inertia: number(0.1), arm: [number(1.0), number(0.2)] };
        let screw = |_| [number(-0.2), number(0.1), number(1.0)];
        Articulated { inertia, pull, eliminated }.solve(&tree, link, screw, &force, &mut a);
        assert!(a.iter().all(|a| a.0.is_finite()));
        OPERATIONS.with(Cell::get)
    }

    #[test]
    fn cost_is_linear() {
        let [few, some, many] = [10, 100, 1000].map(operations);
        // the first link has no parent to hand to; every other one costs the same
        assert_eq!((some - few) * 900, (many - some) * 90);
        assert!(many < 110 * 1000, "{many} operations for 1000 links");
    }
}
