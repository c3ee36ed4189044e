//! Every spatial model of the gallery in other frames: the world turned and shifted, the axes of the bodies turned inside
//! them, the bodies in another order. The plane of every contact is spanned otherwise in a world that is turned.

// of the list, which is one file for both kinds of models
#![allow(unused_macros)]

use crate::space::run;
use crate::space_frames::{UNTURNED, bodies_reframed, spin, vector, world_moved};
use carom::description::space::Description;
use carom::{AnyDescription, Setup};
use carom_dynamics::rotation::{exp, turn};
use std::path::PathBuf;

/// Steps of the model's own size.
const STEPS: f64 = 150.0;

fn read(name: &str) -> Description {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name).join("model.toml");
    let setup = Setup::open(&path, &[]).unwrap_or_else(|wrong| panic!("{name}:\n{wrong}"));
    match &setup.loaded().description {
        AnyDescription::Space(description) => description.clone(),
        AnyDescription::Plane(_) => panic!("{name} is a model in space"),
    }
}

/// The same with its bodies in the opposite order.
fn reordered(description: &Description) -> Description {
    let mut d = description.clone();
    d.bodies.reverse();
    d
}

fn knows_no_frame(name: &str) {
    let straight = read(name);
    let (p, shift, s) = (exp([0.4, -0.9, 0.7]), [0.3, -0.2, 0.5], exp([-0.8, 0.5, 1.1]));
    let worlds = [
        ("turned", world_moved(&straight, p, shift), p, shift),
        ("reframed", bodies_reframed(&straight, s), UNTURNED, [0.0; 3]),
        ("reordered", reordered(&straight), UNTURNED, [0.0; 3]),
    ];
    let step = straight.simulation.step;
    // rows held twice and pins that knock in their bushes pass round-off on
    let (within, spins_within) = match name {
        "bricard-linkage" => (1e-7, 5e-6),
        "landing-gear" => (2e-9, 1e-7),
        // velocities of a step have its size in them once more
        _ => (1e-10, 1e-7),
    };
    let own = straight.simulation.scheme.as_str();
    let mut schemes = vec!["moreau-jean", "generalized-alpha", "bathe"];
    if !schemes.contains(&own) {
        schemes.push(own);
    }
    // contacts inside of joints decide in which order they are hit by round-off
    if straight.contacts.is_empty() && name != "landing-gear" {
        schemes.extend(["half-explicit", "hem5"]);
    }
    for scheme in schemes {
        let one = run(&straight, scheme, step, STEPS * step);
        for (what, other, p, shift) in &worlds {
            let two = run(other, scheme, step, STEPS * step);
            for (body, described) in &straight.bodies {
                let names = ["x", "y", "z"];
                let (a, b) = (turn(*p, vector(&one, body, names)), vector(&two, body, names));
                let off = (0..3).map(|i| (b[i] - a[i] - shift[i]).abs()).fold(0.0, f64::max);
                assert!(off < within, "{name} by {scheme}, {what}: place of {body} off by {off:e}");
                if described.turns() {
                    let (a, b) = (turn(*p, spin(&one, body)), spin(&two, body));
                    let fast = 1.0 + a.iter().map(|a| a.abs()).fold(0.0, f64::max);
                    let off = (0..3).map(|i| (b[i] - a[i]).abs()).fold(0.0, f64::max) / fast;
                    assert!(off < spins_within, "{name} by {scheme}, {what}: spin of {body} off by {off:e}");
                }
            }
        }
    }
}

macro_rules! models {
    ($($test:ident $name:literal)*) => {
        $(#[test]
        fn $test() {
            knows_no_frame($name);
        })*
    };
}

include!("../shared/gallery_models.rs");
for_each_spatial_model! { models }
