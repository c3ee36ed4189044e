//! No heap allocation in warm steps of event-driven schemes: in flight, at impacts, sticking, sliding and in between.

use crate::common::*;
use crate::counting::counted;
use carom_dynamics::*;

#[test]
fn warm_steps_and_events_do_not_allocate() {
    let ball = Ball::new(1.0, 10.0, 0.8);
    let pendulum = Pendulum::new(2, 0.5_f64.sqrt(), 0.8);
    // hits the floor and sticks before 0.2 s, slips at 0.29 s, and comes to rest on the floor once per period
    let slider = Slider::new(0.3, 0.5, 40.0, 0.0, 0.5);
    let systems: [(&str, &dyn System, &[f64], f64); 3] = [
        ("ball", &ball, &[0.801], 1.0),
        ("pendulum", &pendulum, &[1.0, 0.0, 0.0], 1.5),
        ("slider", &slider, &[0.0, 0.01], 0.2),
    ];
    for (what, system, q, warm) in systems {
        for info in SCHEMES {
            let scheme = scheme(info.name, &[]).unwrap();
            if !scheme.owns_steps() || info.name == "verlet" {
                continue;
            }
            for accuracy in [Some(1e-6), None] {
                let state = State::new(system, 0.0, q.to_vec(), vec![0.0; q.len()]);
                let solver = carom_solve::solver("auto").unwrap();
                let settings = Settings { step: 1e-3, end: 12.0, accuracy, output: Some(0.01) };
                let mut simulation = Simulation::new(system, &*scheme, solver, state, settings).unwrap();
                while simulation.state().t < warm && !simulation.is_done() {
                    simulation.advance();
                }
                let before = counted();
                while !simulation.is_done() {
                    simulation.advance();
                }
                let count = counted() - before;
                let name = format!("{} {accuracy:?} on the {what}", info.name);
                assert_eq!(simulation.summary().stop, Stop::Done, "{name}");
                let after = |kind| {
                    let events = simulation.recording().events;
                    events.iter().filter(|e| e.kind == kind && e.t > warm).count()
                };
                if what == "slider" {
                    assert!(after(EventKind::Slip) > 0, "{name}");
                } else {
                    assert!(after(EventKind::Impact) > 5, "{name}");
                }
                // the hybrid makes one configuration where it begins to step
                let summary = simulation.summary();
                let began = summary.phases.iter().skip(1).flat_map(|p| &p.began).map(|b| b.1).sum::<usize>();
                assert!(count <= 3 * began, "{name}: {count} allocations, {began} changes to stepping");
            }
        }
    }
}
