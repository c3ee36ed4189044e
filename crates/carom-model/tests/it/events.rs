//! The model's own events and switches.
#![allow(non_snake_case)]

use crate::common::{self, Random};
use carom_dynamics::{Configuration, Crossing, System};
use carom_model::description::{
    self, AppliedForce, Body, Contact, Coordinate, Event, Expression, Force, Joint, Shape, Torque,
};
use carom_model::{Description, Model};

/// Every channel an event may name is the channel that is recorded under that name.
#[test]
fn channels_of_events_are_those_of_the_record() {
    let beam = common::beam(common::soft_beam());
    for mut description in [common::three_bodies(), common::contacts(), common::bar(), beam] {
        let model = Model::new(&description).unwrap();
        let usable = |unit: &str, name: &str| {
            (["m", "rad", "m/s", "rad/s"].contains(&unit)
                && ![".shape.", ".touch."].iter().any(|hidden| name.contains(hidden)))
                || name.ends_with(".strain")
        };
        let channels = &model.structure().channels;
        let chosen: Vec<usize> =
            (0..channels.len()).filter(|&i| usable(&channels[i].unit, channels[i].name())).collect();
        assert!(chosen.len() > 4);
        for &i in &chosen {
            description.events.insert(format!("e{i}"), Event::when(&format!("{} - 0.5", channels[i].name())));
        }
        for (i, contact) in model.structure().contacts.iter().enumerate() {
            description.events.insert(format!("g{i}"), Event::when(&format!("2*{}.gap", contact.name)));
        }
        let model = Model::new(&description).unwrap_or_else(|error| panic!("{error}"));
        let mut random = Random::new(9);
        let n = model.structure().sizes.q;
        let q: Vec<f64> =
            model.described_position().iter().zip(random.vector(n, 0.03)).map(|(a, b)| a + b).collect();
        let at = Configuration::new(&model, 0.3, &q, &random.vector(n, 2.0));
        let (mut out, mut gaps) = (vec![0.0; channels.len()], vec![0.0; model.structure().sizes.contacts]);
        let mut values = vec![f64::NAN; model.structure().events.len()];
        model.observe(&at, &mut out);
        model.gaps(&at, &mut gaps);
        model.event_values(&at, &mut [], &mut values);
        for (&i, value) in chosen.iter().zip(&values) {
            let exact = out[i] - 0.5;
            assert!(
                (value - exact).abs() <= 1e-15 * (1.0 + exact.abs()),
                "{}: {value} {exact}",
                channels[i].name()
            );
        }
        // places of one pair of outlines have one name, and its gap is the least of theirs
        let all = &model.structure().contacts;
        for (contact, value) in all.iter().zip(&values[chosen.len()..]) {
            let own = all.iter().zip(&gaps).filter(|(c, _)| c.name == contact.name);
            let least = own.map(|(_, gap)| *gap).fold(f64::INFINITY, f64::min);
            assert_eq!(2.0 * least, *value, "{}", contact.name);
        }
    }
}

#[test]
fn names_with_dashes_are_names() {
    let mut d = Description { version: 1, ..Description::default() };
    let mut left = Body::point_mass(1.0, [0.25, 2.0]);
    left.velocity = [3.0, -1.0];
    d.bodies.insert("arm".into(), Body::point_mass(1.0, [0.5, 1.0]));
    d.bodies.insert("arm-left".into(), left);
    d.ground.shapes.insert("floor".into(), Shape::Line { through: [0.0; 2], normal: [0.0, 1.0] });
    d.contacts.insert("arm-floor".into(), Contact::between("arm-left", "ground.floor"));
    let formulas = ["arm.x-arm-left.x", "arm-floor.gap-arm.y", "-arm-left.vx*2", "arm.x -arm-left.y-t"];
    for (i, when) in formulas.iter().enumerate() {
        d.events.insert(format!("e{i}"), Event::when(when));
    }
    let model = Model::new(&d).unwrap_or_else(|error| panic!("{error}"));
    let at = Configuration::new(&model, 0.5, model.described_position(), model.described_velocity());
    let mut values = [f64::NAN; 4];
    model.event_values(&at, &mut [], &mut values);
    assert_eq!(values, [0.25, 1.0, -6.0, -2.0]);
    // a slip behind a name with a dash is told with the whole name
    d.events.insert("e".into(), Event::when("arm-left.z"));
    let error = Model::new(&d).unwrap_err();
    assert_eq!(error.path.join("."), "events.e.when");
    assert!(
        error.to_string().contains("no channel or parameter `arm-left.z`; did you mean `arm-left."),
        "{error}"
    );
}

#[test]
fn a_contact_of_several_is_named_with_its_number() {
    let mut d = common::contacts();
    d.events.insert("e".into(), Event::when("disk-box.gap - t"));
    let error = Model::new(&d).unwrap_err();
    assert!(error.to_string().contains("`disk-box.gap`; did you mean `disk-box.1.gap`?"), "{error}");
}

#[test]
fn directions_and_stops() {
    let mut d = common::three_bodies();
    let direction = description::Crossing::Falling;
    d.events.insert("down".into(), Event { direction, stop: true, ..Event::when("a.y") });
    d.events.insert("any".into(), Event::when("t - 1"));
    let model = Model::new(&d).unwrap();
    let info = &model.structure().events;
    assert_eq!((info[0].crossing, info[0].stops), (Crossing::Falling, true));
    assert_eq!((info[1].crossing, info[1].stops), (Crossing::Any, false));
    d.events.insert("no name".into(), Event::when("t - 1"));
    assert_eq!(Model::new(&d).unwrap_err().path, ["events", "no name"]);
}

#[test]
fn loads_and_motions_tell_their_switches() {
    let mut d = common::three_bodies();
    assert_eq!(Model::new(&d).unwrap().structure().switches, 0);
    let formula = |text: &str| Expression::Formula(text.into());
    let force = [formula("step(t - 0.25)"), formula("2*step(t - 0.25) + abs(t - 0.5)")];
    d.forces.insert("push".into(), Force::Force(AppliedForce { on: "p".into(), force, follows: false }));
    let torque = formula("min(t, 0.75)*sin(t)");
    d.forces.insert("turn".into(), Force::Torque(Torque { on: "a".into(), against: None, torque }));
    d.joints.insert("move".into(), Joint::motion("b", Coordinate::X, "1.4 + max(0, t - 0.3)"));
    let model = Model::new(&d).unwrap();
    let signs = |t: f64| {
        let at = Configuration::new(&model, t, model.described_position(), model.described_velocity());
        let mut values = vec![f64::NAN; model.structure().switches];
        model.switch_values(&at, &mut values);
        values.iter().map(|v| *v > 0.0).collect::<Vec<_>>()
    };
    assert_eq!(model.structure().switches, 4);
    // each of the four times changes one sign, and nothing else does
    let times = [0.25, 0.3, 0.5, 0.75];
    let mut seen = Vec::new();
    for t in times {
        let changed: Vec<usize> = (0..4).filter(|&i| signs(t - 1e-6)[i] != signs(t + 1e-6)[i]).collect();
        assert_eq!(changed.len(), 1, "{t}");
        seen.push(changed[0]);
    }
    seen.sort_unstable();
    assert_eq!(seen, [0, 1, 2, 3]);
    for pair in [[0.0, 0.24], [0.26, 0.29], [0.31, 0.49], [0.51, 0.74], [0.76, 5.0]] {
        assert_eq!(signs(pair[0]), signs(pair[1]));
    }
}
