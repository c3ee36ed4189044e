//! Generated problems are what they say: mechanisms with positive semidefinite Ŵ, sizes as asked, the same every time.
#![allow(non_snake_case, missing_docs)]

use crate::common::{Seeded, law_violation};
use carom_solve::generate::{GENERATORS, generator};
use carom_solve::{
    Delassus, GlobalError, GlobalProblem, LocalForm, SolveStatus, SparseMatrix, SquareMatrix,
    natural_map_error, solver,
};

/// Number of pivots above rounding, and the smallest pivot relative to the largest.
fn rank(W: &SquareMatrix) -> (usize, f64) {
    let n = W.n();
    let (mut A, mut rank, mut smallest) = (W.clone(), 0, f64::INFINITY);
    let largest = (0..n).map(|i| W[(i, i)]).fold(0.0, f64::max);
    let mut left: Vec<usize> = (0..n).collect();
    while let Some((at, &p)) =
        left.iter().enumerate().max_by(|a, b| A[(*a.1, *a.1)].total_cmp(&A[(*b.1, *b.1)]))
    {
        let pivot = A[(p, p)];
        smallest = smallest.min(pivot);
        if pivot <= 1e-11 * largest {
            break;
        }
        rank += 1;
        left.remove(at);
        for &i in &left {
            let l = A[(i, p)] / pivot;
            for &j in &left {
                let update = l * A[(p, j)];
                A[(i, j)] -= update;
            }
        }
    }
    (rank, smallest / largest)
}

#[test]
fn sizes_and_ranks() {
    for g in GENERATORS {
        for contacts in [1, 12, 40] {
            let problem = g.problem(contacts);
            let local = problem.condense().expect("a mass matrix is positive definite");
            let touching = local.laws.iter().filter(|law| law.dim() == g.dim).count();
            assert!(
                (contacts..=3 * contacts + 30).contains(&touching),
                "{}:{contacts} has {touching}",
                g.name
            );
            assert_eq!(local.W_hat.asymmetry(), 0.0, "{}", g.name);
            let dense = local.dense();
            let (rank, smallest) = rank(&dense.W_hat);
            assert!(smallest > -1e-12, "{} is indefinite: {smallest:e}", g.name);
            assert!(rank <= problem.velocities().min(local.U_free.len()));
            if g.hyperstatic && contacts == 40 {
                assert!(rank < local.U_free.len(), "{}: {rank} of {}", g.name, local.U_free.len());
            }
            assert_eq!(problem, g.problem(contacts), "{} is the same every time", g.name);
        }
    }
}

/// Small ones are solved, and the answer obeys the laws as they are defined.
#[test]
fn small_ones_are_solved() {
    for g in GENERATORS {
        let problem = g.problem(8).condense().expect("a mass matrix is positive definite").dense();
        let mut P = vec![0.0; problem.U_free.len()];
        let report = solver("auto").expect("a known name").solve(&problem.as_problem(), &mut P);
        assert_eq!(report.status, SolveStatus::Converged, "{}: {report:?}", g.name);
        assert!(natural_map_error(&problem.as_problem(), &P) < 1e-10, "{}", g.name);
        let speed = problem.U_free.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        let impulse = P.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
        assert!(law_violation(&problem, &P, speed, impulse) < 1e-9, "{}", g.name);
    }
}

/// The lowest joint of a tower carries the weight of all boxes over one step.
#[test]
fn a_tower_carries_its_weight() {
    let global = generator("heavy-top").expect("a known name").problem(40);
    let local = global.condense().expect("a mass matrix is positive definite").dense();
    let mut P = vec![0.0; local.U_free.len()];
    let report = solver("auto").expect("a known name").solve(&local.as_problem(), &mut P);
    assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
    let ground: f64 = (0..4).map(|c| P[3 * c]).sum();
    // f holds −m g dt in the third velocity of each body, which is at rest.
    let weight: f64 = -global.f.iter().skip(2).step_by(6).sum::<f64>();
    assert!((ground - weight).abs() < 1e-9 * weight, "{ground} is not {weight}");
}

/// Many contacts in the time of few: nothing in the making is quadratic.
#[test]
fn twenty_thousand() {
    let problem = generator("spheres").expect("a known name").problem(20_000);
    let local = problem.condense().expect("a mass matrix is positive definite");
    assert!(local.laws.len() >= 20_000 && local.laws.iter().all(|law| law.disk_rows() == [2, 0]));
    let blocks = local.blocks();
    assert_eq!(blocks.W_hat.rows(), local.U_free.len());
    assert!(blocks.W_hat.blocks() < 40 * local.laws.len(), "{} blocks", blocks.W_hat.blocks());
}

/// On one plate or one ball all are coupled with all: Ŵ is not formed, and means the same as factors of M do.
#[test]
fn twenty_thousand_on_one_body() {
    for name in ["table", "grasp"] {
        let problem = generator(name).expect("a known name").problem(20_000);
        let factored = problem.factor().expect("a mass matrix is positive definite");
        let Ok(LocalForm::Bodies(local)) = problem.local_form(&factored) else { panic!("{name} is formed") };
        assert!(!local.W_hat.can_be_formed() && local.W_hat.entries() < 50 * local.laws.len(), "{name}");
        let mut rng = Seeded(7);
        let P: Vec<f64> = (0..local.U_free.len()).map(|_| rng.next()).collect();
        let (mut ours, mut theirs) = (vec![0.0; P.len()], vec![0.0; P.len()]);
        local.W_hat.apply(&P, &mut ours);
        factored.apply(&P, &mut theirs);
        let size = ours.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        assert!(ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() < 1e-12 * size), "{name}");
    }
}

/// Turning parts couple the velocities of a plate without symmetry: it is no body, Ŵ would be formed, and there is no room.
#[test]
fn what_cannot_be_formed_is_refused() {
    let plate = |contacts: usize| {
        let mut problem = generator("table").expect("a known name").problem(contacts);
        let gyroscopic = [(3, 4, 0.1), (4, 3, -0.1)];
        let entries = problem.M.triplets().map(|(i, j, m)| (i as u32, j as u32, m)).chain(gyroscopic);
        problem.M = SparseMatrix::from_triplets(6, 6, entries.collect());
        let factored = problem.factor().expect("the symmetric part is positive definite");
        problem.local_form(&factored)
    };
    assert!(matches!(plate(100), Ok(LocalForm::Formed(_))));
    let refused = plate(20_000).expect_err("3.6e9 entries");
    assert!(matches!(refused, GlobalError::TooFull(entries) if entries > 1_000_000_000), "{refused}");
}

/// Contacts at which the numbers of a problem are compared with what they were.
const DIGESTED: usize = 24;

/// What the set is: who changes a generator, or what it is made of, changes all figures that were measured with it.
const DIGESTS: &[(&str, u64)] = &[
    ("spheres", 0x0edcdd304b0034ad),
    ("rolling", 0xcf101ea91fa6e67d),
    ("disks", 0x8b1d9512f60580d4),
    ("boxes", 0x1d658a55a68c6550),
    ("heavy-top", 0x5d5ade0f4cc9ff3f),
    ("planks", 0xcd6e3433181eb7e0),
    ("shaken", 0xc0a4534b3c3d524c),
    ("wall", 0xda719f18e1f8c311),
    ("arch", 0xe646145ee3a17bb0),
    ("chain", 0xe7ef75072ed1bbc7),
    ("grasp", 0x3bffdf4d88a5f0ed),
    ("table", 0x71d73b3e0c6c5626),
    ("sliders", 0x26ff1da3d2fceb81),
    ("mesh", 0x457fe9f9ff5edebd),
];

/// FNV-1a over the laws and the entries of M, H, f and b, these in units of about 10⁻⁹ of the largest of their kind: sines differ
/// in the last bit from machine to machine.
fn digest(problem: &GlobalProblem) -> u64 {
    // an odd unit: no fraction that mechanisms are made of lies in the middle between two
    const UNITS: f64 = 1.234_567_891_234_5e9;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: i64| {
        for byte in number.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for law in &problem.laws {
        add(law.dim() as i64);
        add((UNITS * law.friction()).round() as i64);
        add((UNITS * law.rolling()).round() as i64);
    }
    let column = |x: &[f64]| x.iter().enumerate().map(|(i, x)| (i, 0, *x)).collect::<Vec<_>>();
    let parts: [Vec<_>; 4] = [
        problem.M.triplets().collect(),
        problem.H.triplets().collect(),
        column(&problem.f),
        column(&problem.b),
    ];
    for part in parts {
        let largest = part.iter().fold(f64::MIN_POSITIVE, |most, (_, _, x)| most.max(x.abs()));
        for (i, j, x) in part {
            let units = (UNITS * (x / largest)).round() as i64;
            if units != 0 {
                [i as i64, j as i64, units].into_iter().for_each(&mut add);
            }
        }
    }
    hash
}

#[test]
fn the_set_is_what_it_was() {
    let digests: Vec<_> = GENERATORS.iter().map(|g| (g.name, digest(&g.problem(DIGESTED)))).collect();
    let written: Vec<String> =
        digests.iter().map(|(name, digest)| format!("    (\"{name}\", {digest:#018x}),")).collect();
    assert_eq!(
        digests,
        DIGESTS,
        "the set has changed; if that is meant, measure again and write\n{}",
        written.join("\n")
    );
}
