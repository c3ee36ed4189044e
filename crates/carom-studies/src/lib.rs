//! Published tables and figures, recomputed and compared.
//!
//! A [`Study`] sets up what a paper (or a closed form) describes, runs it with the schemes of the registry, and puts
//! what was published beside what came out. Truth comes from outside: exact solutions, independent integrations, the
//! printed numbers. What does not come out is said, with the reason as far as it is known.
#![allow(non_snake_case)]

mod acceleration_level;
mod bar;
mod bar_exact;
mod bar_orders;
mod belt;
mod chen_ball;
mod chen_bar;
mod chen_beam;
mod chen_crank_slider;
mod chen_flex;
mod chen_oscillator;
mod chen_pendulum;
mod contact_formulations;
mod ebrahimi;
mod entry;
mod extrapolation;
mod figure;
mod four_bar;
mod friction_profiles;
mod gears;
mod haddouni;
mod haddouni_balls;
mod haddouni_beam;
mod haddouni_clearance;
mod haddouni_four_bar;
mod haddouni_hem5;
mod haddouni_simeon;
mod haddouni_slider_crank;
mod haddouni_surfaces;
mod heaps;
mod iftomm;
mod lifted;
mod measure;
mod mechanism;
mod mechanisms;
mod oscillator_exact;
mod profile;
mod report;
mod restitution;
mod rezaei_ffr;
mod rezaei_modal;
mod rezaei_orders;
mod rezaei_stiff;
mod rezaei_tables;
mod rezaei_unilateral;
mod rotations;
mod running;
mod schindler_bar;
mod schindler_box;
mod schindler_crank;
mod slider_crank_bilateral;
mod slider_crank_elastic;
mod slider_crank_unilateral;
mod space_friction;
mod spectra;
mod stack;
mod stiction;
mod stiff_exact;
mod timing;
mod verdicts;
mod wide;
mod work_precision;
mod wrong_ball;

pub use figure::{Axis, Curve, Panel};
pub use measure::Order;
pub use report::{Column, Row, Series, StudyReport, Verdict};

/// A study as the command line lists it.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// Name, as in `carom study NAME`.
    pub name: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// What it is compared with.
    pub source: &'static str,
    /// Runs it; the callback hears the progress, 0 to 1.
    pub run: fn(&mut dyn FnMut(f64)) -> StudyReport,
}

/// Every study.
pub const STUDIES: &[Study] = &[
    Study {
        name: "chen-ball",
        title: "Bouncing ball: order of three schemes, and two variants that fail",
        source: "[Chen2013] §5.1, Figs 3-5, App. A",
        run: chen_ball::run,
    },
    Study {
        name: "chen-oscillator",
        title: "Bouncing oscillator: errors, energy and effort of three schemes",
        source: "[Chen2013] §5.2, Figs 6-8, Table I, App. B",
        run: chen_oscillator::run,
    },
    Study {
        name: "chen-bar",
        title: "Bouncing elastic bar: ends, pressure and energy of every scheme against the wave",
        source: "[Chen2013] §5.3, Figs 9 and 10",
        run: chen_bar::run,
    },
    Study {
        name: "chen-pendulum",
        title: "Pendulum with a stop in three coordinates: drift and order",
        source: "[Chen2013] §5.5, Figs 13-15",
        run: chen_pendulum::run,
    },
    Study {
        name: "chen-crank-slider",
        title: "Crank-slider with clearance: four corners, three schemes",
        source: "[Chen2013] §5.6.1, Figs 16 and 17",
        run: chen_crank_slider::run,
    },
    Study {
        name: "chen-beam",
        title: "Flexible pendulum with a stop: convergence, energy and closeness of three schemes",
        source: "[Chen2013] §5.4, Figs 11 and 12",
        run: chen_beam::run,
    },
    Study {
        name: "chen-flex",
        title: "Crank-slider with clearance and flexible links: closeness and effort of three schemes",
        source: "[Chen2013] §5.6.2, Figs 18 and 19, Table II",
        run: chen_flex::run,
    },
    Study {
        name: "ebrahimi-gears",
        title: "Gear wheels: one impact, and the rattle of a driven pair",
        source: "[Ebrahimi2007] §7.3, Tables 7.1 and 7.2",
        run: gears::run,
    },
    Study {
        name: "restitution",
        title: "Rebound of a ball: e for the speed, its square for the height, at every scale",
        source: "Newton's impact law",
        run: restitution::run,
    },
    Study {
        name: "stiction",
        title: "Does what should stick stick: creep, critical angle, stick-slip period",
        source: "Coulomb's law, closed forms",
        run: stiction::run,
    },
    Study {
        name: "four-bar-drift",
        title: "Four-bar linkage: drift and order of every scheme with joints",
        source: "[Haddouni2015] §3.1.1, Tables 3.2 and 3.3",
        run: four_bar::run,
    },
    Study {
        name: "rezaei-stiff",
        title: "Three masses with a stiff spring or a joint: damping, phase, drift and force of the joint",
        source: "[RezaeiSchindler] §2.8, Figs 15-18",
        run: rezaei_stiff::run,
    },
    Study {
        name: "rezaei-orders",
        title: "Slider-crank without play: orders of the mixed and the classic schemes",
        source: "[RezaeiSchindler] §4.1, Fig. 22",
        run: rezaei_orders::run,
    },
    Study {
        name: "rezaei-tables",
        title: "Slider-crank without play: error and effort of five schemes",
        source: "[RezaeiSchindler] §4.4, Tables 3 and 4",
        run: rezaei_tables::run,
    },
    Study {
        name: "rezaei-unilateral",
        title: "Slider-crank with play and friction: errors and time of mixed schemes",
        source: "[RezaeiSchindler] §4.4, Tables 5 and 6",
        run: rezaei_unilateral::run,
    },
    Study {
        name: "rezaei-ffr",
        title: "Slider-crank with an elastic rod: elements, rigid limit, stability, torque and contact force",
        source: "[RezaeiSchindler] §4.1-4.3, Tables 1 and 2, Figs 20, 21, 24-29",
        run: rezaei_ffr::run,
    },
    Study {
        name: "rezaei-modal",
        title: "Slider-crank with an elastic rod: eigenmodes and frames",
        source: "[RezaeiSchindler] §4.5, App. D, Figs 30-32",
        run: rezaei_modal::run,
    },
    Study {
        name: "schindler-crank",
        title: "Slider-crank, half-explicit: gaps, energy, forces and impulses, errors",
        source: "[Schindler2015] §3.4, §4, §5.1, Figs 4, 5, 7, 8, Tables 2 and 3",
        run: schindler_crank::run,
    },
    Study {
        name: "schindler-box",
        title: "Ball in a box, half-explicit: gaps and energy with forces from accelerations and velocities",
        source: "[Schindler2015] §5.2, Table 4, Figs 10 and 11",
        run: schindler_box::run,
    },
    Study {
        name: "schindler-bar",
        title: "Elastic bar, half-explicit: contact time, force, impulse and damping",
        source: "[Schindler2015] §6.1, Table 5, Figs 13-15",
        run: schindler_bar::run,
    },
    Study {
        name: "spectra",
        title: "Spectra: stability, high-frequency damping, cusps and period errors",
        source: "[RezaeiSchindler] Figs 6-12, App. A and B; [Chen2013] Fig. 1",
        run: spectra::run,
    },
    Study {
        name: "heaps",
        title: "Twelve disks fall into a box: which schemes come through, and at what price",
        source: "energy that nothing drives never grows",
        run: heaps::run,
    },
    Study {
        name: "contact-formulations",
        title: "Contacts in accelerations, velocities, positions, as joints and as springs: rigid bodies and an elastic bar",
        source: "[Ebrahimi2007] ch. 3-5, Fig. 5.7; closed forms",
        run: contact_formulations::run,
    },
    Study {
        name: "ebrahimi",
        title: "Elastic blocks that slide, jump and topple, and two elastic disks",
        source: "[Ebrahimi2007] §4.4, §5.6, Figs 4.4-4.5, 5.5-5.9, 5.12",
        run: ebrahimi::run,
    },
    Study {
        name: "haddouni-hem5",
        title: "HEM5: order of its error estimate and of its dense output",
        source: "[Haddouni2015] §2.2.7, §2.2.8, Figs 2.4 and 2.6",
        run: haddouni_hem5::run,
    },
    Study {
        name: "haddouni-four-bar",
        title: "Four-bar linkage: steps, drift and time of five methods for joints",
        source: "[Haddouni2015] §3.1.1, Tables 3.1-3.3, Fig. 3.5a",
        run: haddouni_four_bar::run,
    },
    Study {
        name: "haddouni-slider-crank",
        title: "Slider-crank in two angles: steps, drift and time of five methods for joints",
        source: "[Haddouni2015] §3.1.2, Table 3.4, Figs 3.3 and 3.5b",
        run: haddouni_slider_crank::run,
    },
    Study {
        name: "haddouni-simeon",
        title: "Slider-crank with an elastic rod: steps, drift and time of five methods for joints",
        source: "[Haddouni2015] §3.1.3, Table 3.5, Fig. 3.5c; [Mazzia2008]",
        run: haddouni_simeon::run,
    },
    Study {
        name: "haddouni-balls",
        title: "Three balls whose impacts accumulate: violations and time of the hybrid scheme",
        source: "[Haddouni2015] §4.3.1, Table 4.1, Figs 4.3 and 4.4; closed form",
        run: haddouni_balls::run,
    },
    Study {
        name: "haddouni-clearance",
        title: "Slider-crank with play and friction: steps and time of the hybrid scheme",
        source: "[Haddouni2015] §4.3.2, Table 4.2, Fig. 4.7; exact motion",
        run: haddouni_clearance::run,
    },
    Study {
        name: "haddouni-surfaces",
        title: "Bead from a parabola onto a plane and back down: force jumps, velocity does not",
        source: "[Haddouni2015] §4.3.3, Figs 4.14 and 4.16; closed forms",
        run: haddouni_surfaces::run,
    },
    Study {
        name: "work-precision",
        title: "What an error costs: time of every scheme on five mechanisms",
        source: "exact motions",
        run: work_precision::run,
    },
    Study {
        name: "haddouni-beam",
        title: "Eccentric beam and rotor: implicit against half-explicit steps on stiff mechanisms",
        source: "[Haddouni2015] §3.2.3, Table 3.8, Figs 3.14-3.16",
        run: haddouni_beam::run_study,
    },
    Study {
        name: "mechanisms",
        title: "Forty mechanisms in four sets: performance profiles of the event-driven schemes",
        source: "[Haddouni2015] §3.2, Tables 3.6 and 3.7, Figs 3.10-3.13",
        run: mechanisms::run_study,
    },
    Study {
        name: "friction-profiles",
        title: "Contact problems of every kind and size: performance profiles of the solvers",
        source: "bars that a solver of contact problems should clear",
        run: friction_profiles::run_study,
    },
    Study {
        name: "verdicts",
        title: "What runs say of their error, beside their error: every scheme on 35 mechanisms, coarse and fine",
        source: "closed forms, and event-driven integration to 1e-11",
        run: verdicts::run,
    },
    Study {
        name: "rotations",
        title: "Bodies that turn: orders of every scheme on a heavy top and on a spatial loop",
        source: "closed form of the top; orders that the schemes have in the plane",
        run: rotations::run,
    },
    Study {
        name: "lifted",
        title: "Every planar model of the gallery in space: does it move as it does in the plane?",
        source: "the plane",
        run: lifted::run,
    },
    Study {
        name: "space-friction",
        title: "Rolling, sliding, sticking and bouncing in space",
        source: "Coulomb's and Newton's laws, closed forms",
        run: space_friction::run,
    },
    Study {
        name: "iftomm",
        title: "Benchmark problems of the IFToMM committee: pendulum, N four-bars, Bricard, governor",
        source: "integrations in one angle",
        run: iftomm::run,
    },
];
