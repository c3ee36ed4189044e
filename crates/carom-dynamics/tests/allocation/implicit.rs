//! No heap allocation in a warm step of the implicit and the multistep methods: with joints, springs, contacts, restarts.

use crate::common::dae_implicit::*;
use crate::counting::counted;
use carom_dynamics::*;

/// System, what its contact does, q, v.
type Case<'s> = (&'s dyn System, Option<ContactMode>, &'s [f64], &'s [f64]);

#[test]
fn warm_steps_do_not_allocate() {
    let (four_bar, chain, bowl) = (four_bar(), Chain::new(Some(1e4)), Bowl::new(Some(0.3), false));
    let systems: [Case; 3] = [
        (&four_bar, None, &four_bar.q, &four_bar.v),
        (&chain, None, &[0.6, -0.8, 1.4, -1.4], &[0.0; 4]),
        (&bowl, Some(ContactMode::Slide(1.0)), &[-0.6, -0.8], &[2.4, -1.8]),
    ];
    for (system, mode, q, v) in systems {
        let mut index_3 = Alpha::default();
        index_3.set_formulation(Formulation::Index3);
        let methods: [Box<dyn Method>; 8] = [
            Box::new(Alpha::default()),
            Box::new(index_3),
            Box::new(Radau5::new(Formulation::Index1)),
            Box::new(Radau5::new(Formulation::Index2)),
            Box::new(Radau5::new(Formulation::Index3)),
            Box::new(Bdf::new(3)),
            Box::new(Adams::moulton(3)),
            Box::new(Adams::bashforth(2)),
        ];
        for options in methods {
            let mut motion = Motion::new(system);
            if let Some(mode) = mode {
                motion.set_modes(&[mode]);
            }
            let mut from = Knot::new(&motion);
            from.q.copy_from_slice(q);
            from.v.copy_from_slice(v);
            let mut at = motion.configuration(system, 0.0, q, v);
            motion.accelerations(system, &at, &mut from.a, &mut from.lambda).unwrap();
            let mut method = options.begin(system, &mut motion, &from).unwrap();
            let mut to = from.clone();
            let (mut q, mut v) = (from.q.clone(), from.v.clone());
            let mut before = 0;
            for i in 0..60 {
                if i == 20 {
                    before = counted();
                }
                if i == 40 {
                    method.restart(system, &mut motion, &from).unwrap();
                }
                let dt = if i % 3 == 0 { 1e-3 } else { 1.2e-3 };
                method.step(system, &mut motion, &from, dt, &mut to).unwrap();
                motion.place(system, to.t, &to.q, &to.v, &mut at);
                motion.accelerations(system, &at, &mut to.a, &mut to.lambda).unwrap();
                method.inside(system, &mut motion, &from, &to, 0.5, &mut q, &mut v).unwrap();
                method.accept(&from, &to);
                std::mem::swap(&mut from, &mut to);
            }
            let count = counted() - before;
            assert_eq!(count, 0, "{}", options.describe());
            assert!(before > 0, "nothing was counted");
        }
    }
}
