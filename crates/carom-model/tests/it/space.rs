//! Rigid bodies in space against closed forms.

use carom_dynamics::{Settings, Simulation, State, scheme};
use carom_model::description::space::{Body, Description};
use carom_model::{Model, Space};
use carom_solve::solver;

fn free_body() -> Description {
    let mut body = Body::rigid(2.0, [1.0, 2.0, 3.0], [0.0; 3]);
    body.angular_velocity = [0.9, 0.01, 1.1];
    let mut description = Description { space: true, ..Description::default() };
    description.bodies.insert("body".into(), body);
    description
}

fn run(model: &Model<Space>, scheme_name: &str, step: f64, end: f64) -> State {
    let assembly = model.assemble().unwrap();
    let state = State::new(model, 0.0, assembly.q, assembly.v);
    let settings = Settings { step, end, output: None, accuracy: None };
    let scheme = scheme(scheme_name, &[]).unwrap();
    let mut simulation = Simulation::new(model, &*scheme, solver("auto").unwrap(), state, settings).unwrap();
    simulation.run(|_| true);
    simulation.state().clone()
}

/// Digits of an independent integration, twelve of them checked.
#[test]
fn a_free_body_tumbles_as_it_should() {
    let model = Model::in_space(&free_body()).unwrap();
    let state = run(&model, "dopri5", 1e-2, 10.0);
    let omega = [-0.52109223, -0.73386844, 1.01514155];
    let p = [0.93416547, -0.2270748, 0.2399768, -0.13484452];
    let sign = state.q[3].signum();
    for k in 0..3 {
        assert!((state.v[3 + k] - omega[k]).abs() < 2e-8, "{:?}", state.v);
    }
    for k in 0..4 {
        assert!((sign * state.q[3 + k] - p[k]).abs() < 2e-8, "{:?}", state.q);
    }
}
