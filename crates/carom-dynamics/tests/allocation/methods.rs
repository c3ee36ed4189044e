//! No heap allocation in a warm step of a method, in any form, with joints and with contacts held, nor when it begins anew.

use crate::common::dae::*;
use crate::counting::counted;
use carom_dynamics::*;

#[test]
fn warm_steps_of_methods_do_not_allocate() {
    type Make = fn() -> Box<dyn Method>;
    let methods: [(&str, Make); 6] = [
        ("phem56", || Box::new(Phem56)),
        ("rk4", || Box::new(RungeKutta::rk4())),
        ("rkf45", || Box::new(RungeKutta::rkf45(false))),
        ("dopri5", || Box::new(RungeKutta::dopri5())),
        ("shake", || Box::new(Symplectic::shake())),
        ("rattle", || Box::new(Symplectic::rattle())),
    ];
    let slides = [ContactMode::Slide(1.0), ContactMode::Open];
    let sticks = [ContactMode::Stick, ContactMode::Open];
    let (four_bar, block, parallelogram) = (four_bar(), block(false), parallelogram());
    let systems: [(&Coded, &[ContactMode]); 4] =
        [(&four_bar, &[]), (&block, &slides), (&block, &sticks), (&parallelogram, &[])];
    for (name, make) in methods {
        for &form in make().formulations() {
            for (system, modes) in systems {
                let mut trip = Trip::new(system, make(), form, modes);
                trip.step(1e-3);
                let before = counted();
                for _ in 0..20 {
                    trip.step(1e-3);
                }
                let Trip { motion, method, to, .. } = &mut trip;
                motion.set_modes(modes);
                method.restart(system, motion, to).unwrap();
                trip.step(1e-3);
                assert_eq!(counted() - before, 0, "{name} in the {form} form on the {}", system.name);
            }
        }
    }
}
