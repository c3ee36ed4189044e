//! What a step asks of a model allocates nothing.
#![allow(non_snake_case, unsafe_code)]

#[path = "it/common/mod.rs"]
mod common;

use carom_dynamics::{Configuration, Directions, System};
use carom_model::{Model, Natural, Relative};
use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;
use std::sync::Arc;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { Heap.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn nothing_is_allocated_while_a_step_runs() {
    let beam = common::beam(common::soft_beam());
    for mut description in [
        common::joints(),
        common::forces(),
        common::contacts(),
        common::clearances(),
        common::bar(),
        beam,
        common::gears(),
    ] {
        let body = description.bodies.keys().next().expect("there is a body");
        let mut when = format!("{body}.x + sin({body}.vy)*t");
        if description.contacts.contains_key("disk-hump") {
            when += " - disk-hump.gap";
        }
        description.events.insert("e".into(), carom_model::description::Event::when(&when));
        let model = Arc::new(Model::new(&description).unwrap());
        let (relative, natural) = (Relative::new(model.clone()), Natural::new(model.clone()));
        let (mut q, v) = (model.described_position().to_vec(), model.described_velocity().to_vec());
        if !description.gears.is_empty() {
            // teeth that push
            q[2] += 1e-3;
        }
        let (q_natural, v_natural) = natural.start(&q, &v);
        // joints that contradict each other close in no coordinates: anywhere will do
        let n = relative.structure().sizes.v;
        ask_everything(&*model, &q, &v);
        ask_everything(&relative, &vec![0.1; n], &vec![0.2; n]);
        ask_everything(&natural, &q_natural, &v_natural);
    }
}

fn ask_everything(model: &dyn System, q: &[f64], v: &[f64]) {
    let (sizes, pattern) = (model.structure().sizes, &model.structure().pattern);
    let mut at = Configuration::new(model, 0.2, q, v);
    let mut a = vec![0.0; sizes.v];
    let mut G = vec![0.0; pattern.jacobian.len()];
    let (mut K, mut C) = (vec![0.0; pattern.tangent.len()], vec![0.0; pattern.tangent.len()]);
    let (mut rows, mut rates) = (vec![0.0; sizes.constraints], vec![0.0; sizes.constraints]);
    let (mut h, mut M) = (vec![0.0; sizes.v], vec![0.0; pattern.mass.len()]);
    let (mut gaps, mut bias) = (vec![0.0; sizes.contacts], vec![0.0; 2 * sizes.contacts]);
    let mut out = vec![0.0; model.structure().channels.len()];
    let active: Vec<usize> = (0..sizes.contacts).collect();
    let mut W = Directions::default();
    model.directions(&at, &active, &mut W);
    let mut pieces = vec![0; sizes.contacts];
    let (mut switches, mut events) = (vec![0.0; model.structure().switches], vec![0.0; 1]);

    let before = COUNT.with(Cell::get);
    at.move_to(model, 0.3, q);
    model.mass(&at, &mut M);
    model.force(&at, &mut h);
    model.forward_dynamics(&at, &h, &mut a);
    model.tangents(&at, &mut K, &mut C);
    model.constraints(&at, &mut rows);
    model.jacobian(&at, &mut G, &mut rates);
    model.constraint_bias(&at, &mut rows);
    model.gaps(&at, &mut gaps);
    W.clear();
    model.directions(&at, &active, &mut W);
    model.contact_bias(&at, &active, &mut bias);
    model.pieces(&at, &mut pieces);
    model.switch_values(&at, &mut switches);
    model.event_values(&at, &mut [], &mut events);
    model.observe(&at, &mut out);
    let energy = model.energy(&at).total() + model.power(&at).applied;
    assert_eq!(COUNT.with(Cell::get) - before, 0);
    assert!(energy.is_finite());
}
