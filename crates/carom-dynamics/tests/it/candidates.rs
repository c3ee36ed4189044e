//! Contacts that come and go: disks that fall onto a row of posts, and onto each other. Near pairs alone are candidates, or all
//! pairs are there for good: the motion is the same to the last bit.
#![allow(non_snake_case)]

use crate::common::disks::Disks;
use crate::common::fixed;
use carom_dynamics::*;

fn begin<'s>(disks: &'s Disks, name: &str) -> Simulation<'s> {
    let (q, v) = disks.start();
    let state = State::new(disks, 0.0, q, v);
    let solver = carom_solve::solver("auto").unwrap();
    Simulation::new(disks, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 0.8)).unwrap()
}

#[test]
fn near_pairs_move_as_all_pairs_do() {
    let (fixed, changing) = (Disks::new(6, false), Disks::new(6, true));
    for name in ["moreau-jean", "moreau-explicit", "moreau-midpoint", "newmark", "hht", "generalized-alpha"] {
        let (mut a, mut b) = (begin(&fixed, name), begin(&changing, name));
        assert_eq!(a.run(|_| true), Stop::Done, "{name}");
        assert_eq!(b.run(|_| true), Stop::Done, "{name}");
        assert_eq!(a.state().q, b.state().q, "{name}");
        assert_eq!(a.state().v, b.state().v, "{name}");
        let (one, two) = (a.summary(), b.summary());
        assert_eq!(one.digest, two.digest, "{name}");
        assert_eq!((one.impacts, one.contact_iterations), (two.impacts, two.contact_iterations), "{name}");
        assert_eq!(one.audit.friction_loss, two.audit.friction_loss, "{name}");
        assert_eq!(one.audit.impact_loss, two.audit.impact_loss, "{name}");
        assert!(one.impacts > 20, "{name}: {}", one.impacts);
        // lists changed often, were short, and grew a few times only
        let stage = b.stage();
        assert!(stage.contacts().generation() > 15, "{name}: {}", stage.contacts().generation());
        assert!(stage.contacts().len() < 60 && stage.growths() < 15, "{name}: {}", stage.growths());
        // the same happens at the same times
        let kinds = |r: &Recording| r.events.iter().map(|e| (e.t.to_bits(), e.kind)).collect::<Vec<_>>();
        assert_eq!(kinds(&a.recording()), kinds(&b.recording()), "{name}");
        laws_sum_up(&a.recording(), &b.recording(), name);
    }
}

/// Of a law: the least gap where anything is near, the sum of forces, how many press.
fn laws_sum_up(all: &Recording, near: &Recording, name: &str) {
    let column = |r: &Recording, channel: &str| {
        let place = r.channels.iter().position(|c| c.name() == channel);
        r.columns[place.unwrap_or_else(|| panic!("{name}: no {channel}"))].clone()
    };
    let names: Vec<&str> = all.channels.iter().map(|c| c.name()).collect();
    for (law, prefix) in [("disks", "ContactId { law: 0"), ("posts", "ContactId { law: 1")] {
        let of = |quantity: &str| -> Vec<Vec<f64>> {
            let own = names.iter().filter(|n| n.starts_with(prefix) && n.ends_with(quantity));
            own.map(|n| column(all, n)).collect()
        };
        let (gaps, forces) = (of(".gap"), of(".force_n"));
        let (gap, force, count) = (
            column(near, &format!("{law}.gap")),
            column(near, &format!("{law}.force_n")),
            column(near, &format!("{law}.count")),
        );
        for k in 0..gap.len() {
            let least = gaps.iter().map(|g| g[k]).fold(f64::INFINITY, f64::min);
            assert!(gap[k] == least || (gap[k].is_nan() && least > 0.0), "{name} {law} {k}");
            // the order of the sum differs
            let sum: f64 = forces.iter().map(|f| f[k]).sum();
            assert!((force[k] - sum).abs() <= 1e-12 * sum.abs(), "{name} {law} {k}: {} {sum}", force[k]);
        }
        assert!(count.iter().any(|c| *c >= 1.0), "{name} {law}");
    }
}

#[test]
fn schemes_with_a_list_that_stays_refuse_it() {
    let disks = Disks::new(2, true);
    for name in ["hem5", "hybrid", "penalty", "bathe", "moreau-jean-ggl"] {
        let (q, v) = disks.start();
        let state = State::new(&disks, 0.0, q, v);
        let solver = carom_solve::solver("auto").unwrap();
        let refused = Simulation::new(&disks, &*scheme(name, &[]).unwrap(), solver, state, fixed(1e-3, 1.0));
        let text = refused.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(text.contains("come and go") && text.contains("moreau-jean"), "{name}: {text}");
    }
}
