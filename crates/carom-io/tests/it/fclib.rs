//! Problems in FCLIB's HDF5 layout: files made by h5py (`data/fclib/make.py`), what comes back after writing, and what is
//! refused by which name.
#![allow(non_snake_case)]

use carom_io::fclib::{self, FclibProblem};
use carom_solve::files::{FileProblem, parse};
use carom_solve::generate::generator;
use carom_solve::{Law, SolveStatus, SparseMatrix, StoredProblem, residual, solver};
use std::path::Path;

fn bytes(name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fclib").join(name);
    std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn local(problem: FileProblem) -> StoredProblem<SparseMatrix> {
    match problem {
        FileProblem::Local(local) => local,
        FileProblem::Global(_) => panic!("not a local problem"),
    }
}

fn refused(bytes: &[u8]) -> String {
    match fclib::parse(bytes) {
        Err(error) => error.to_string(),
        Ok(problem) => panic!("was read: {problem:?}"),
    }
}

/// The same problem as text, number by number.
#[test]
fn planar_by_columns() {
    let text = String::from_utf8(bytes("planar.dat")).expect("text");
    let from_text = local(parse(&text).expect("a sound text"));
    let FclibProblem { problem, answers } = fclib::parse(&bytes("planar.hdf5")).expect("a sound file");
    let from_hdf5 = local(problem);
    assert_eq!((&from_hdf5.U_free, &from_hdf5.laws), (&from_text.U_free, &from_text.laws));
    assert_eq!(from_hdf5.dense().W_hat, from_text.dense().W_hat);
    assert_eq!(from_hdf5.laws, [Law::planar_coulomb(0.5), Law::planar_coulomb(0.3)]);
    assert!(answers.is_empty());
}

/// Contacts that stick and equations, in the newest form of HDF5; q and s were made from the answer, Ŵ is positive definite,
/// so the answer is the only one. The guess in the file was never filled.
#[test]
fn joints_by_rows_with_their_answer() {
    let FclibProblem { problem, answers } = fclib::parse(&bytes("joints.hdf5")).expect("a sound file");
    let problem = local(problem);
    let half = Law::spatial_coulomb(0.5);
    assert_eq!(problem.laws, [half, half, Law::bilateral(), Law::bilateral()]);
    assert_eq!(problem.W_hat.asymmetry(), 0.0);
    let [answer] = &answers[..] else { panic!("one answer: {answers:?}") };
    assert_eq!(answer.name, "solution");
    assert_eq!(answer.P, [1.0, 0.25, -0.125, 2.0, 0.5, 0.75, -3.0, 0.5]);
    assert!(residual(&problem.as_problem(), &answer.P) < 1e-13);
    let mut P = vec![0.0; 8];
    let report = solver("auto").expect("a known name").solve(&problem.dense().as_problem(), &mut P);
    assert_eq!(report.status, SolveStatus::Converged);
    assert!(P.iter().zip(&answer.P).all(|(a, b)| (a - b).abs() < 1e-9), "{P:?}");
}

/// Chunks, deflated, shuffled, with checksums; numbers of 2, 4 and 8 bytes, either end first, one sort unsigned.
#[test]
fn global_in_every_number_type() {
    let read = fclib::parse(&bytes("global.hdf5")).expect("a sound file").problem;
    let FileProblem::Global(problem) = read else { panic!("a global problem") };
    let m = [2.0, 2.0, 4.0, 8.0].iter().enumerate().map(|(i, m)| (i as u32, i as u32, *m));
    assert_eq!(problem.M, SparseMatrix::from_triplets(4, 4, m.collect()));
    // Normal along the third velocity, tangents along the first two; the equation couples the last two.
    let H = vec![(2, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 3, 1.0)];
    assert_eq!(problem.H, SparseMatrix::from_triplets(4, 4, H));
    assert_eq!((&problem.f[..], &problem.b[..]), (&[-1.0, 2.0, -16.0, 24.0][..], &[0.5, 0.0, 0.0, 0.25][..]));
    assert_eq!(problem.laws, [Law::spatial_coulomb(0.75), Law::bilateral()]);
    // U_free = Hᵀ M⁻¹ f + b = (−4 + 1/2, −1/2, 1, −4 + 3 + 1/4)
    assert_eq!(problem.condense().expect("a positive mass").U_free, [-3.5, -0.5, 1.0, -0.75]);
}

/// What is written comes back to the last bit; joints, which stand between the contacts, after them.
#[test]
fn round_trips() {
    for name in ["spheres", "chain", "rolling"] {
        let problem = generator(name).expect("a known name").problem(12);
        let condensed = problem.condense().expect("a positive mass");
        for whole in [FileProblem::Global(problem), FileProblem::Local(condensed)] {
            let written = fclib::write(&whole).expect("one kind of contact");
            let again = fclib::parse(&written).expect("just written").problem;
            let sorted = fclib::write(&again).expect("just read");
            assert_eq!(written, sorted, "{name}");
            if name != "chain" {
                assert_eq!(again, whole);
            }
        }
    }
    let mixed = StoredProblem {
        W_hat: SparseMatrix::from_triplets(2, 2, vec![(0, 0, 1.0), (1, 1, 2.0)]),
        U_free: vec![0.0; 2],
        laws: vec![Law::unilateral(); 2],
    };
    let refused = fclib::write(&FileProblem::Local(mixed)).expect_err("no friction, no layout");
    assert!(refused.to_string().contains("mixes laws"), "{refused}");
}

/// A joint between contacts: rows move, the operator does not.
#[test]
fn joints_move_behind_contacts() {
    let entries =
        vec![(0, 0, 2.0), (0, 1, 0.5), (1, 0, 0.5), (1, 1, 3.0), (2, 2, 1.0), (0, 2, -0.25), (2, 0, -0.25)];
    let laws = vec![Law::bilateral(), Law::planar_coulomb(0.5)];
    let problem = StoredProblem {
        W_hat: SparseMatrix::from_triplets(3, 3, entries),
        U_free: vec![1.0, 2.0, 3.0],
        laws,
    };
    let written = fclib::write(&FileProblem::Local(problem.clone())).expect("contacts and a joint");
    let again = local(fclib::parse(&written).expect("just written").problem);
    let old_row = [1, 2, 0];
    assert_eq!(again.laws, [Law::planar_coulomb(0.5), Law::bilateral()]);
    for i in 0..3 {
        assert_eq!(again.U_free[i], problem.U_free[old_row[i]]);
        for j in 0..3 {
            assert_eq!(again.W_hat.entry(i, j), problem.W_hat.entry(old_row[i], old_row[j]));
        }
    }
    let mut skew = problem;
    skew.W_hat = SparseMatrix::from_triplets(3, 3, vec![(0, 0, 2.0), (0, 1, 0.5), (1, 1, 3.0), (2, 2, 1.0)]);
    assert!(fclib::write(&FileProblem::Local(skew)).is_err(), "V alone cannot hold it");
}

/// Every fault with the name of the dataset.
#[test]
fn faults_have_names() {
    let sound = generator("spheres").expect("a known name").problem(3);
    let condensed = sound.condense().expect("a positive mass");
    let written = |problem: &StoredProblem<SparseMatrix>| {
        fclib::write(&FileProblem::Local(problem.clone())).expect("friction everywhere")
    };
    // The one place where these eight bytes stand, exchanged.
    let swap = |mut bytes: Vec<u8>, from: [u8; 8], to: [u8; 8]| {
        let at = bytes.windows(8).position(|w| w == from).expect("is in the file");
        bytes[at..at + 8].copy_from_slice(&to);
        refused(&bytes)
    };
    let exchanged = |from: f64, to: f64| swap(written(&condensed), from.to_le_bytes(), to.to_le_bytes());
    let what = exchanged(condensed.U_free[0], f64::NAN);
    assert!(what.starts_with("/fclib_local/vectors/q: number 1 of 9 is NaN"), "{what}");
    let what = exchanged(condensed.laws[0].friction(), -0.5);
    assert!(
        what.starts_with("/fclib_local/vectors/mu: the friction coefficient of contact 1 is -0.5"),
        "{what}"
    );
    // Names in a file of the oldest form, which has no checksums.
    let renamed = |from: &[u8; 8], to: &[u8; 8]| swap(bytes("planar.hdf5"), *from, *to);
    assert_eq!(renamed(b"spacedim", b"sbacedim"), "/fclib_local/spacedim: is missing");
    assert_eq!(renamed(b"vectors\0", b"vectorz\0"), "/fclib_local/vectors/mu: is missing");
    let what = renamed(b"fclib_lo", b"fclib_xx");
    assert!(what.starts_with("/: holds no problem of FCLIB"), "{what}");
    // Sizes that disagree: one contact less in q than in W.
    let (mut q_short, whole) = (condensed.clone(), written(&condensed));
    q_short.U_free.pop();
    assert!(refused(&written(&q_short)).starts_with("/fclib_local/vectors/q: has 8 numbers"), "short q");
    let what = refused(&whole[..whole.len() - 1]);
    assert!(what.starts_with("/: the file should have"), "{what}");
    assert_eq!(refused(b"3 4 5"), "/: not an HDF5 file");
}

/// Packed by lzf, in the newest form: the same as in one piece.
#[test]
fn other_packing() {
    let [packed, plain] =
        ["packed.hdf5", "planar.hdf5"].map(|name| fclib::parse(&bytes(name)).expect("sound"));
    assert_eq!(packed, plain);
}

/// Any HDF5 from 1.8 on reads superblock 2; the same problem gives the same bytes.
#[test]
fn written_for_old_readers_and_always_the_same() {
    let problem = FileProblem::Global(generator("spheres").expect("a known name").problem(3));
    let [one, two] = [(); 2].map(|()| fclib::write(&problem).expect("one kind of contact"));
    assert_eq!(one, two);
    assert_eq!(one[8], 2, "version of the superblock");
}

/// Cut anywhere, or with any byte changed: an error or a sound problem, never a panic, and soon.
#[test]
fn damaged_files() {
    let sound_or_refused = |bytes: &[u8]| match fclib::parse(bytes).map(|read| read.problem) {
        Ok(FileProblem::Local(problem)) => problem.check().expect("sound, if read at all"),
        Ok(FileProblem::Global(problem)) => drop(problem.condense()),
        Err(error) => assert!(error.place.starts_with('/') && !error.what.is_empty()),
    };
    // Where the superblocks of versions 0 and 2 say how long the file is.
    for (name, length_at) in [("planar.hdf5", 40), ("joints.hdf5", 28), ("global.hdf5", 40)] {
        let whole = bytes(name);
        for end in (0..whole.len()).step_by(5) {
            refused(&whole[..end]);
            // The same with a superblock that knows nothing of it.
            let mut cut = whole[..end].to_vec();
            if let Some(length) = cut.get_mut(length_at..length_at + 8) {
                length.copy_from_slice(&end.to_le_bytes());
                sound_or_refused(&cut);
            }
        }
        let mut damaged = whole.clone();
        for at in 0..whole.len() {
            damaged[at] = whole[at] ^ [0xff, 0x80, 0x01][at % 3];
            sound_or_refused(&damaged);
            damaged[at] = whole[at];
        }
    }
}
