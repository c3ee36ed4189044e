//! Behaviour does not change by a bit.
//!
//! Code gets reordered, split and renamed; results must not move while that happens. For every gallery model, every coded
//! system, quick studies, hard contact problems and some written files, `digests.txt` holds one number made of all bits
//! of what came out. A test that fails here names the cells that changed. It does not say whether the new result is
//! worse: if a change of bits is meant, measure how far results move, say so in the commit, and write the file anew:
//!
//! ```text
//! CAROM_PINS=write cargo nextest run -p carom --test pins
//! ```
//!
//! Runs are short: the ends and steps beside the models are such that contacts close (`ends`). A scheme that does not take a
//! model is pinned as `refused`, one that stops early by the word `failed` and what it recorded until then; messages are
//! not pinned, they may be reworded. Counters of effort are not pinned either.
//!
//! Bits depend on the library of `sin`, `exp` and so on. A probe of these stands in the file too; where it differs, the
//! tests say so and compare nothing.

// P is the impulse; what each cell took is shown with --nocapture.
#![allow(non_snake_case, clippy::print_stdout)]

mod cells;
mod digest;
mod ends;
mod files;
mod ledger;
mod problems;
mod studies;

use ends::{GALLERY, SYSTEMS};

macro_rules! each {
    ($pin:path: $($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            $pin($name);
        })*
    };
}

include!("../shared/gallery_models.rs");

macro_rules! names {
    ($($test:ident $name:literal)*) => {
        const SPATIAL: &[&str] = &[$($name),*];
    };
}
for_each_spatial_model! { names }

mod gallery {
    for_each_gallery_model! { each super::cells::model: }
}

mod systems {
    each! { super::cells::coded:
        slider_crank_minimal "slider-crank-minimal"
        slider_crank_bilateral "slider-crank-bilateral"
        slider_crank_1dof "slider-crank-1dof"
        four_bar_minimal "four-bar-minimal"
        simeon_crank "simeon-crank"
        stiff_3dof_spring "stiff-3dof-spring"
        stiff_3dof_constraint "stiff-3dof-constraint"
        euler_top "euler-top"
        heavy_top "heavy-top"
        heavy_top_joint "heavy-top-joint"
    }
}

mod coordinates {
    each! { super::cells::in_other_coordinates:
        slider_crank "slider-crank"
        pendulum_stop "pendulum-stop"
        dominoes "dominoes"
        incline "incline"
        four_bar "four-bar"
        rotating_beam "rotating-beam"
    }
}

mod solvers {
    each! { super::cells::with_every_solver:
        slider_crank "slider-crank"
        dominoes "dominoes"
        stacked_boxes "stacked-boxes"
        incline "incline"
        belt "belt"
    }
}

mod written {
    each! { super::files::of:
        ball "ball"
        bar "bar"
        dominoes "dominoes"
        cam_flat_follower "cam-flat-follower"
        geneva_drive "geneva-drive"
        ratchet "ratchet"
        slider_crank_ffr "slider-crank-ffr"
        slider_crank_modal "slider-crank-modal"
        three_balls "three-balls"
    }
}

#[test]
fn contact_problems() {
    problems::all();
}

#[test]
fn quick_studies() {
    studies::quick();
}

/// A model or system that nobody pins is told here.
#[test]
fn nothing_is_left_out() {
    let mut folders: Vec<String> = std::fs::read_dir(cells::gallery())
        .expect("there is a gallery")
        .map(|entry| entry.expect("it can be read"))
        .filter(|entry| entry.path().join("model.toml").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    folders.retain(|name| !SPATIAL.contains(&name.as_str()));
    folders.sort();
    assert_eq!(folders, GALLERY.iter().map(|short| short.name).collect::<Vec<_>>());
    let coded: Vec<&str> = carom::SYSTEMS.iter().map(|info| info.name).collect();
    assert_eq!(coded, SYSTEMS.iter().map(|short| short.name).collect::<Vec<_>>());
    let source = [include_str!("main.rs"), include_str!("../shared/gallery_models.rs")].concat();
    for short in GALLERY.iter().chain(SYSTEMS) {
        assert!(source.contains(&format!("\"{}\"", short.name)), "{} has no test here", short.name);
    }
}
