//! Which of many balls are within reach of each other: a grid of cells for every size.
//!
//! ```text
//!   level of a ball   the least L with  2 R + reach ≤ s_L,    s_L = 2^L (2 R_min + reach)
//!   R_i + R_j + reach ≤ ½ (s_i + s_j) ≤ s_L where L is the coarser level of the two:
//!   whoever is within reach is in the same cell of that level or next to it
//! ```
//!
//! Cells are folded into a table, neighbours along x side by side; a ball remembers its cell, so what only shares a place in the
//! table is told apart. Time and memory grow with the number of balls, however far they scatter. Every pair is found once, in an
//! order that depends on nothing but the balls.

use crate::geometry::space::V3;

/// Coarser levels than this are one.
const LEVELS: i32 = 24;

/// Memory of a grid, and its balls.
#[derive(Debug, Default)]
pub struct Grid {
    /// Centre and radius.
    pub balls: Vec<[f64; 4]>,
    /// Level and cell of each.
    cell: Vec<[i32; 4]>,
    /// Place of each in the table.
    place: Vec<u32>,
    /// First ball of each place, then the number of balls; and the balls by place.
    start: Vec<u32>,
    by_place: Vec<u32>,
    /// Levels that have balls, coarsest last.
    levels: Vec<i32>,
}

impl Grid {
    /// Forgets the balls.
    pub fn clear(&mut self) {
        self.balls.clear();
    }

    pub fn push(&mut self, centre: V3, radius: f64) {
        self.balls.push([centre[0], centre[1], centre[2], radius]);
    }

    /// Calls with the numbers of every two balls whose surfaces are no further apart than `reach`.
    pub fn pairs(&mut self, reach: f64, mut each: impl FnMut(u32, u32)) {
        let count = self.balls.len();
        if count < 2 {
            return;
        }
        let least = self.balls.iter().fold(f64::INFINITY, |least, ball| least.min(ball[3]));
        let finest = (2.0 * least + reach).max(f64::MIN_POSITIVE);
        let mask = (2 * count).next_power_of_two() as u32 - 1;
        self.fill(finest, reach, mask);
        let Self { balls, cell, start, by_place, levels, .. } = self;
        for (i, ball) in balls.iter().enumerate() {
            for &level in levels.iter().filter(|&&level| level >= cell[i][0]) {
                let coarser = level > cell[i][0];
                let centre = if coarser { cell_of(ball, level, finest) } else { cell[i] };
                for k in 0..9 {
                    let row = [
                        level,
                        centre[1],
                        centre[2].wrapping_add(k % 3 - 1),
                        centre[3].wrapping_add(k / 3 - 1),
                    ];
                    let first = place(row, mask).wrapping_sub(1) & mask;
                    // three cells side by side, but for the end of the table
                    let (from, to) =
                        (start[first as usize], start[(first as usize + 3).min(mask as usize + 1)]);
                    let wrapped = (first + 3).saturating_sub(mask + 1);
                    let rest = 0..start[wrapped as usize];
                    for &j in by_place[from as usize..to as usize]
                        .iter()
                        .chain(&by_place[rest.start as usize..rest.end as usize])
                    {
                        let other = &cell[j as usize];
                        let beside = other[1].wrapping_sub(row[1]).wrapping_add(1) as u32 <= 2;
                        if !beside || [other[0], other[2], other[3]] != [row[0], row[2], row[3]] {
                            continue;
                        }
                        if (coarser || j as usize > i) && within(ball, &balls[j as usize], reach) {
                            each(i as u32, j);
                        }
                    }
                }
            }
        }
    }

    /// Sorts the balls into the table.
    fn fill(&mut self, finest: f64, reach: f64, mask: u32) {
        let Self { balls, cell, place: at, start, by_place, levels } = self;
        for list in [&mut *start, &mut *by_place, &mut *at] {
            list.clear();
        }
        cell.clear();
        levels.clear();
        start.resize(mask as usize + 2, 0);
        by_place.resize(balls.len(), 0);
        for ball in balls.iter() {
            let size = 2.0 * ball[3] + reach;
            let level = ((size / finest).log2().ceil() as i32).clamp(0, LEVELS);
            // the rounding of the logarithm must not put it a level too low
            let level = if size > finest * f64::from(level).exp2() { level + 1 } else { level };
            if !levels.contains(&level) {
                levels.push(level);
            }
            let own = cell_of(ball, level, finest);
            cell.push(own);
            at.push(place(own, mask));
            start[place(own, mask) as usize + 1] += 1;
        }
        levels.sort_unstable();
        for p in 0..=mask as usize {
            start[p + 1] += start[p];
        }
        for (i, &p) in at.iter().enumerate() {
            by_place[start[p as usize] as usize] = i as u32;
            start[p as usize] += 1;
        }
        // each beginning has moved to the next one's
        start.rotate_right(1);
        start[0] = 0;
    }
}

/// Whether two surfaces are no further apart than `reach`.
#[inline]
fn within(a: &[f64; 4], b: &[f64; 4], reach: f64) -> bool {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let most = a[3] + b[3] + reach;
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most * most
}

/// The cell of a level that a centre is in. Beyond the range of numbers all is one cell.
#[inline]
fn cell_of(ball: &[f64; 4], level: i32, finest: f64) -> [i32; 4] {
    let side = finest * f64::from(level).exp2();
    let along = |k: usize| (ball[k] / side).floor() as i32;
    [level, along(0), along(1), along(2)]
}

/// Its place in the table: neighbours along x are side by side, other rows far from each other. The factors are odd and large.
#[inline]
fn place([level, x, y, z]: [i32; 4], mask: u32) -> u32 {
    let row = (y as u32).wrapping_mul(0x9E37_79B1) ^ (z as u32).wrapping_mul(0x85EB_CA77);
    let row = row ^ (level as u32).wrapping_mul(0xC2B2_AE3D);
    (x as u32).wrapping_add(row ^ (row >> 15)) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Every two balls within reach are found once, of one size or of many, dense or scattered, as trying all pairs finds them.
    #[test]
    fn pairs_are_those_of_all_tries() {
        let mut seed = 5;
        let mut grid = Grid::default();
        let mut found_any = 0;
        for (count, room, [small, large], reach) in [
            (2, 1.0, [0.5, 0.5], 0.1),
            (300, 10.0, [0.5, 0.5], 0.2),
            (300, 10.0, [0.01, 2.0], 0.0),
            (200, 1e7, [0.1, 3e6], 1.0),
            (200, 1e12, [1e9, 5e10], 0.0),
            (150, 3.0, [0.0, 0.3], 1e-3),
        ] {
            grid.clear();
            for _ in 0..count {
                let centre = [0; 3].map(|_| room * (noise(&mut seed) - 0.5));
                let radius = small + (large - small) * noise(&mut seed).powi(4);
                grid.push(centre, radius);
            }
            let mut found = Vec::new();
            grid.pairs(reach, |i, j| found.push((i.min(j), i.max(j))));
            found.sort_unstable();
            let all = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
            let near = all.filter(|&(i, j)| within(&grid.balls[i as usize], &grid.balls[j as usize], reach));
            let near: Vec<(u32, u32)> = near.collect();
            found_any += near.len();
            assert_eq!(found, near, "{count} {room}");
        }
        assert!(found_any > 1000, "{found_any}");
    }
}
