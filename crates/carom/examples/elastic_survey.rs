//! Every scheme on elastic bodies that hit, are hit, fly and hang, at steps that resolve them and at steps that do not.
//!
//! ```text
//! cargo run --release -p carom --example elastic_survey -- [--scheme NAME]... [--scene NAME]... [--random N] [--all] [--set k=v]...
//! ```
//!
//! Prints a line per run that made energy, lost momentum, drifted or failed (`--all`: every run), then a line per scheme.
#![allow(clippy::print_stdout)]

#[path = "../tests/it/elastic_survey/measure.rs"]
mod measure;
#[path = "../tests/it/elastic_survey/models.rs"]
mod models;

use carom::SCHEMES;
use measure::{Measured, measure};
use models::{Case, Frame, Scene};
use std::time::Duration;

/// Energy that no scheme may make, relative to what moves.
const MADE: f64 = 1e-3;
/// A run that takes longer is given up.
const LIMIT: Duration = Duration::from_secs(4);

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % sides
    }

    fn case(&mut self) -> Case {
        Case {
            scene: Scene::ALL[self.roll(Scene::ALL.len())],
            frame: Frame::ALL[self.roll(4)],
            modes: [None, None, Some(3), Some(6)][self.roll(4)],
            damping: [0.0, 0.0, 1e-6, 1e-5, 1e-4, 1e-3][self.roll(6)],
            restitution: [0.0, 0.5, 0.2, 0.9][self.roll(4)],
            friction: [0.0, 0.0, 0.3][self.roll(3)],
            steps: [20.0, 33.0, 60.0, 100.0, 300.0, 1000.0][self.roll(6)],
        }
    }
}

fn regular() -> Vec<Case> {
    let mut cases = Vec::new();
    for scene in Scene::ALL {
        let frames: &[Frame] = if scene.floats() { &Frame::ALL } else { &Frame::ALL[..1] };
        for (k, &frame) in frames.iter().enumerate() {
            for modes in [None, Some(6)] {
                if modes.is_some() && (!scene.floats() || k % 2 == 1) {
                    continue;
                }
                for damping in [0.0, 1e-4] {
                    for restitution in [0.0, 0.5] {
                        if restitution != 0.0 && (!scene.has_contact() || k > 0) {
                            continue;
                        }
                        for steps in [20.0, 100.0, 500.0] {
                            cases.push(Case {
                                scene,
                                frame,
                                modes,
                                damping,
                                restitution,
                                friction: 0.0,
                                steps,
                            });
                        }
                    }
                }
            }
        }
    }
    cases
}

fn main() {
    let (mut schemes, mut scenes, mut random, mut all, mut set) = (vec![], vec![], 0, false, vec![]);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().expect("a value");
        match word.as_str() {
            "--scheme" => schemes.push(next()),
            "--scene" => scenes.push(next()),
            "--random" => random = next().parse().expect("a number"),
            "--all" => all = true,
            "--set" => set.push(next()),
            other => panic!("{other}: --scheme, --scene, --random, --all or --set"),
        }
    }
    if schemes.is_empty() {
        schemes = SCHEMES.iter().map(|s| s.name.to_string()).collect();
    }
    let mut dice = Dice(1);
    let mut cases = if random > 0 { (0..random).map(|_| dice.case()).collect() } else { regular() };
    if !scenes.is_empty() {
        cases.retain(|case| scenes.contains(&format!("{:?}", case.scene)));
    }
    let changes: Vec<(&str, &str)> = set.iter().map(|s| s.split_once('=').expect("key=value")).collect();
    println!(
        "{:<28} {:<52} {:>9} {:>9} {:>7} {:>8} {:>8} {:>8} {:>6}  what",
        "scheme", "case", "made", "rise", "left", "linear", "angular", "drift", "again"
    );
    let mut lines = Vec::new();
    for scheme in &schemes {
        let (mut runs, mut refused, mut warned, mut made, mut failed, mut slow) = (0, 0, 0, 0, 0, 0);
        let (mut worst, mut linear, mut angular, mut seconds) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0);
        for case in &cases {
            let m: Measured = measure(case, scheme, &changes, LIMIT);
            seconds += m.seconds;
            if let Some(why) = &m.refused {
                refused += 1;
                if all {
                    println!("{scheme:<28} {:<52} refused: {}", case.to_string(), why);
                }
                continue;
            }
            runs += 1;
            let told = !m.warnings.is_empty();
            warned += usize::from(told);
            let makes = m.made > MADE || m.made.is_nan();
            let is_slow = m.failed.as_ref().is_some_and(|f| f.starts_with("slow"));
            made += usize::from(makes && !told);
            failed += usize::from(m.failed.is_some() && !is_slow && !told && !makes);
            slow += usize::from(is_slow);
            if !told {
                worst = worst.max(m.made);
                linear = linear.max(m.linear);
                angular = angular.max(m.angular);
            }
            if all || makes || m.failed.is_some() || m.linear > 1e-4 || m.angular > 1e-4 {
                println!(
                    "{scheme:<28} {:<52} {:>9.1e} {:>9.1e} {:>7.3} {:>8.1e} {:>8.1e} {:>8.1e} {:>6}  {}{}",
                    case.to_string(),
                    m.made,
                    m.rise,
                    m.left,
                    m.linear,
                    m.angular,
                    m.drift,
                    m.retries,
                    if told { "warned " } else { "" },
                    m.failed.unwrap_or_default().chars().take(60).collect::<String>()
                );
            }
        }
        let line = format!(
            "{scheme:<28} runs {runs:>4} refused {refused:>4} warned {warned:>4} | not warned: made>0.1% {made:>4} failed {failed:>4} \
             slow {slow:>3} worst made {worst:>8.1e} linear {linear:>8.1e} angular {angular:>8.1e} | {seconds:.0} s"
        );
        println!("= {line}");
        lines.push(line);
    }
    println!("\n{}", lines.join("\n"));
}
