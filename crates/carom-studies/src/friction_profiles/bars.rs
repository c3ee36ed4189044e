//! What a solver of contact problems should be able to do, beside the profiles.

use super::attempt::measure;
use super::set::Case;
use crate::figure::Panel;
use crate::measure::Order;
use crate::report::{Series, StudyReport};
use carom_solve::generate::{GENERATORS, Generator, generator};
use carom_solve::{GaussSeidel, Limits, SOLVERS};
use std::time::Instant;

/// A cube at rest: residual, and iterations that are enough.
const REST: f64 = 1e-10;
const FEW_ITERATIONS: usize = 10;
/// How the load of the cube differs from that of the step before.
const LOAD: f64 = 1.01;

/// Contacts up to which pivoting is asked, and what counts as machine precision: some thousand roundings, as sums over a
/// hundred rows leave them.
const PIVOTED: [usize; 5] = [4, 20, 50, 100, 200];
const PRECISION: f64 = 1e-12;

/// Contacts of the problems on which sweeps are timed: too many for the caches near a core, in which a number costs less.
pub const SWEEP_SIZES: [usize; 6] = [1600, 2700, 4400, 7300, 12_000, 20_000];
/// Sweeps that are timed, beside those that warm up.
const SWEEPS: usize = 30;
/// Repeats, of which the fastest counts.
const REPEATS: usize = 5;
/// How much longer than reading its data a sweep may take.
const BOUND: f64 = 2.0;
/// Largest slope of log time over log contacts that counts as linear: blocks of Ŵ grow a little faster than contacts, because
/// fewer of these are at the walls.
const LINEAR: f64 = 1.2;

fn family(name: &str) -> Result<&'static Generator, String> {
    generator(name).ok_or_else(|| format!("there is no generator `{name}`"))
}

/// Four contacts that carry one cube: U is unique, P is not. The answer of a step is the first guess of the next, whose load
/// is one percent larger.
pub fn resting_cube(report: &mut StudyReport) -> Result<(), String> {
    let mut rest = family("heavy-top")?.problem(4);
    let before = Case::of("cube", &rest)?;
    rest.f.iter_mut().for_each(|f| *f *= LOAD);
    let after = Case::of("cube", &rest)?;
    let mut slow = Vec::new();
    let mut told = Vec::new();
    for entry in SOLVERS {
        let mut solver = (entry.make)();
        solver.limit(Limits { tolerance: REST, seconds: 1.0 });
        let mut P = vec![0.0; before.rows()];
        solver.solve(&before.given(), &mut P);
        let iterations = solver.solve(&after.given(), &mut P).iterations;
        let (residual, _) = measure(&after, &P);
        let words = format!("{} {iterations} ({residual:.0e})", entry.name);
        if residual > REST || iterations >= FEW_ITERATIONS {
            slow.push((entry.name, words.clone()));
        }
        told.push(words);
    }
    let auto_is_fast = !slow.iter().any(|(name, _)| *name == "auto");
    report.compare(
        format!("cube at rest on {} contacts, warm start, load 1 % up: iterations to 1e-10", after.contacts),
        format!("`auto` < {FEW_ITERATIONS} (our own bar)"),
        told.join(", "),
        auto_is_fast,
        "its chain begins with a solver that needs more",
    );
    Ok(())
}

/// Planar problems by pivoting.
pub fn pivoting(report: &mut StudyReport) -> Result<(), String> {
    let entry = SOLVERS.iter().find(|e| e.name == "lemke").ok_or("there is no solver `lemke`")?;
    for family in GENERATORS.iter().filter(|family| family.dim == 2) {
        let (mut told, mut missed) = (Vec::new(), Vec::new());
        for contacts in PIVOTED {
            let case = Case::new(family, contacts)?;
            let mut solver = (entry.make)();
            solver.limit(Limits { tolerance: PRECISION, seconds: 10.0 });
            let mut P = vec![0.0; case.rows()];
            let answer = solver.solve(&case.given(), &mut P);
            let (residual, _) = measure(&case, &P);
            told.push(format!("{}: {residual:.0e} in {} pivots", case.contacts, answer.iterations));
            if residual > PRECISION {
                missed.push(format!("{}: {:?}", case.name, answer.status));
            }
        }
        report.compare(
            format!("pivoting in the plane, {}: residual by contacts", family.name),
            format!("≤ {PRECISION:.0e} up to 200 (our own bar)"),
            told.join(", "),
            missed.is_empty(),
            &missed.join("; "),
        );
    }
    Ok(())
}

/// Time of a Gauss–Seidel sweep by contacts, in a heap of spheres; Ŵ has some ten blocks per contact, whatever the size. By one
/// thread: larger problems are swept by colour, which all threads would share, and the bandwidth is that of one.
pub fn cost_of_a_sweep(report: &mut StudyReport, sizes: &[usize]) -> Result<(), String> {
    let spheres = family("spheres")?;
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    let (mut contacts, mut blocks, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    for &size in sizes {
        let case = Case::new(spheres, size)?;
        let formed = case.given().W_hat.blocks().map(|W| W.blocks());
        contacts.push(case.contacts as f64);
        blocks.push(formed.ok_or_else(|| format!("{} is not given by blocks", case.name))? as f64);
        // the difference of a long run and a short one, so that what is done once does not count
        let time = |sweeps: usize| {
            let mut best = f64::INFINITY;
            for _ in 0..REPEATS {
                let mut solver = GaussSeidel { max_sweeps: sweeps, ..GaussSeidel::default() }.solver();
                solver.limit(Limits { tolerance: 0.0, ..Limits::default() });
                let mut P = vec![0.0; case.rows()];
                let clock = Instant::now();
                let made = solver.solve(&case.given(), &mut P).iterations;
                best = best.min(clock.elapsed().as_secs_f64());
                debug_assert!(made <= sweeps);
            }
            best
        };
        let per_sweep = alone.install(|| (time(SWEEPS + 10) - time(10)) / SWEEPS as f64);
        seconds.push(per_sweep.max(1e-9));
    }
    bandwidth_bound(report, &contacts, &blocks, &seconds);
    let fit = Order::fit(&contacts, &seconds);
    let work = Order::fit(&contacts, &blocks);
    let told: Vec<String> =
        contacts.iter().zip(&seconds).map(|(n, s)| format!("{n:.0}: {:.0} µs", 1e6 * s)).collect();
    report.compare(
        "exponent of the time of a sweep over contacts, spheres",
        format!("1 (≤ {LINEAR}, our own bar)"),
        format!("{fit}; blocks of Ŵ {work}; {}", told.join(", ")),
        fit.slope <= LINEAR,
        "a busy machine, or caches that are left; the blocks of Ŵ say what there is to do",
    );
    let panel =
        Panel::orders("Cost of a sweep", "spheres", "contacts", "time of a Gauss–Seidel sweep (s)", &[1.0]);
    let columns = [("contacts".to_string(), contacts), ("gauss-seidel".to_string(), seconds)];
    report.series.push(Series::new("time of a sweep", columns).all_drawn(panel));
    Ok(())
}

/// The time of the largest sweep over that of reading its data once, both by one thread. A contact with b blocks in its row has to
/// read b blocks of 72 bytes, b indices of 4, U_free, its law and four words about its row, and to read and write P.
fn bandwidth_bound(report: &mut StudyReport, contacts: &[f64], blocks: &[f64], seconds: &[f64]) {
    let (Some(contacts), Some(blocks), Some(time)) = (contacts.last(), blocks.last(), seconds.last()) else {
        return;
    };
    let bytes = blocks * (72.0 + 4.0) + contacts * (24.0 + 16.0 + 4.0 * 8.0 + 2.0 * 24.0);
    let speed = bandwidth();
    report.compare(
        format!("time of a sweep over {contacts} contacts, of the time to read its data, one thread"),
        format!("≤ {BOUND} (our own bar)"),
        format!(
            "{:.2}: {:.2} ms; {:.1} blocks per contact, {:.1} MB, {:.1} GB/s",
            time * speed / bytes,
            1e3 * time,
            blocks / contacts,
            1e-6 * bytes,
            1e-9 * speed
        ),
        time * speed <= BOUND * bytes,
        "a busy machine; the local answers of contacts that slide take the rest",
    );
}

/// Bytes per second of a sum over an array larger than all caches, by one thread; the best of some.
fn bandwidth() -> f64 {
    let numbers = vec![1.0_f64; 32 << 20];
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let clock = Instant::now();
        let sum = numbers.as_chunks::<8>().0.iter().fold([0.0; 8], |mut sum: [f64; 8], x| {
            (0..8).for_each(|k| sum[k] += x[k]);
            sum
        });
        std::hint::black_box(sum);
        best = best.min(clock.elapsed().as_secs_f64());
    }
    8.0 * numbers.len() as f64 / best
}
