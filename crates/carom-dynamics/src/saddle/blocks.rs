//! G in pieces that need one look each: products of joints in space.
//!
//! Entries of G come joint by joint, in the order in which its rows are written. In space most of them stand in few shapes:
//!
//! ```text
//!   Ball   (r+i, c+i), then (r+i, c+3+k) by columns        a point of a rigid body, 12 entries
//!   Six    (r, c … c+5)                                     a row on place and rotation of a body
//!   Three  (r, c … c+2)                                     a row on one of them
//! ```
//!
//! Sums are made in the order of the entries, as one by one, to the last bit.

/// Entries of G that belong together, from row and column on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    shape: Shape,
    row: u32,
    column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Ball,
    Six,
    Three,
    One,
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Ball, Shape::Six, Shape::Three, Shape::One];

    fn len(self) -> usize {
        match self {
            Shape::Ball => 12,
            Shape::Six => 6,
            Shape::Three => 3,
            Shape::One => 1,
        }
    }

    /// Row and column of an entry, from the first on.
    fn entry(self, i: u32) -> (u32, u32) {
        match self {
            Shape::Ball if i < 3 => (i, i),
            Shape::Ball => (i % 3, 2 + i / 3),
            Shape::Six | Shape::Three | Shape::One => (0, i),
        }
    }
}

/// Cuts a pattern into blocks; none where most entries stand alone.
pub(super) fn blocks(pattern: &[(u32, u32)]) -> Option<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut rest = pattern;
    while let Some(&(row, column)) = rest.first() {
        let fits = |shape: &Shape| {
            let mut places = (0..shape.len() as u32).map(|i| shape.entry(i));
            rest.len() >= shape.len()
                && rest.iter().zip(&mut places).all(|(&at, (r, c))| at == (row + r, column + c))
        };
        let shape = Shape::ALL.into_iter().find(fits).expect("one entry is a shape");
        blocks.push(Block { shape, row, column });
        rest = &rest[shape.len()..];
    }
    (2 * blocks.len() < pattern.len()).then_some(blocks)
}

/// The next N numbers.
#[inline(always)]
fn take<'a, const N: usize>(rest: &mut &'a [f64]) -> &'a [f64; N] {
    let (front, back) = rest.split_first_chunk().expect("blocks are as long as G");
    *rest = back;
    front
}

/// out += G x.
pub(super) fn add_rates(blocks: &[Block], mut G: &[f64], x: &[f64], out: &mut [f64]) {
    for block in blocks {
        let (r, c) = (block.row as usize, block.column as usize);
        match block.shape {
            Shape::Ball => {
                let g: &[f64; 12] = take(&mut G);
                let x: &[f64; 6] = x[c..].first_chunk().expect("a rigid body has six velocities");
                let out: &mut [f64; 3] = out[r..].first_chunk_mut().expect("three rows");
                for i in 0..3 {
                    out[i] = out[i] + g[i] * x[i] + g[3 + i] * x[3] + g[6 + i] * x[4] + g[9 + i] * x[5];
                }
            }
            Shape::Six => out[r] = row_product::<6>(out[r], take(&mut G), &x[c..]),
            Shape::Three => out[r] = row_product::<3>(out[r], take(&mut G), &x[c..]),
            Shape::One => out[r] += take::<1>(&mut G)[0] * x[c],
        }
    }
}

/// sum + g·x.
#[inline(always)]
fn row_product<const N: usize>(sum: f64, g: &[f64; N], x: &[f64]) -> f64 {
    let x: &[f64; N] = x.first_chunk().expect("the columns of a block");
    g.iter().zip(x).fold(sum, |sum, (g, x)| sum + g * x)
}

/// out += share · Gᵀ λ.
pub(super) fn add_reactions(blocks: &[Block], mut G: &[f64], share: f64, lambda: &[f64], out: &mut [f64]) {
    for block in blocks {
        let (r, c) = (block.row as usize, block.column as usize);
        match block.shape {
            Shape::Ball => {
                let g: &[f64; 12] = take(&mut G);
                let lambda: &[f64; 3] = lambda[r..].first_chunk().expect("three rows");
                let [a, b, d] = lambda.map(|lambda| share * lambda);
                let out: &mut [f64; 6] = out[c..].first_chunk_mut().expect("a rigid body has six velocities");
                out[0] += g[0] * a;
                out[1] += g[1] * b;
                out[2] += g[2] * d;
                for k in 0..3 {
                    out[3 + k] = out[3 + k] + g[3 + 3 * k] * a + g[4 + 3 * k] * b + g[5 + 3 * k] * d;
                }
            }
            Shape::Six => add_row::<6>(take(&mut G), share * lambda[r], &mut out[c..]),
            Shape::Three => add_row::<3>(take(&mut G), share * lambda[r], &mut out[c..]),
            Shape::One => out[c] += take::<1>(&mut G)[0] * (share * lambda[r]),
        }
    }
}

/// out += g λ.
#[inline(always)]
fn add_row<const N: usize>(g: &[f64; N], lambda: f64, out: &mut [f64]) {
    let out: &mut [f64; N] = out.first_chunk_mut().expect("the columns of a block");
    for (out, g) in out.iter_mut().zip(g) {
        *out += g * lambda;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Joints of all shapes between two bodies: the products are those entry by entry, to the last bit.
    #[test]
    fn products_are_those_of_the_entries() {
        let mut pattern: Vec<(u32, u32)> = Vec::new();
        for body in [6, 12] {
            pattern.extend((0..12).map(|i| Shape::Ball.entry(i)).map(|(r, c)| (r, body + c)));
        }
        pattern.extend([6, 12].into_iter().flat_map(|body| (0..6).map(move |k| (3, body + k))));
        pattern.extend((0..3).map(|k| (4, 15 + k)));
        pattern.push((5, 2));
        let blocks = blocks(&pattern).expect("few blocks");
        assert_eq!(blocks.len(), 6);
        let numbers = |n: usize, f: f64| (0..n).map(|i| (f * (i + 1) as f64).sin()).collect::<Vec<_>>();
        let (G, x, lambda) = (numbers(pattern.len(), 0.7), numbers(18, 1.3), numbers(6, 2.1));
        let (mut rates, mut loads) = (numbers(6, 0.3), numbers(18, 0.9));
        let (mut by_blocks, mut loads_by_blocks) = (rates.clone(), loads.clone());
        for (&(r, c), g) in pattern.iter().zip(&G) {
            rates[r as usize] += g * x[c as usize];
            loads[c as usize] += g * (0.4 * lambda[r as usize]);
        }
        add_rates(&blocks, &G, &x, &mut by_blocks);
        add_reactions(&blocks, &G, 0.4, &lambda, &mut loads_by_blocks);
        assert_eq!((rates, loads), (by_blocks, loads_by_blocks));
    }

    /// Joints of the plane are too small for blocks.
    #[test]
    fn small_joints_stay_single() {
        assert_eq!(blocks(&[(0, 0), (1, 1), (0, 2), (1, 2)]), None);
    }
}
