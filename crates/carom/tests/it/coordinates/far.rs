//! The same mechanisms near the origin and far from it, in metres and in millimetres, light and heavy, in steps of a microsecond: what moves
//! and what converges is the same, since no tolerance lies below the round-off of what it is compared with.
//!
//! Written after radau5, schatzman-paoli, shake, rattle, the forms of Gear, Gupta and Leimkuhler and position-lcp-… had failed 10 km from
//! the origin, where a gap of a mechanism of a metre has a round-off of 2e-12 m.

use super::{Done, SCHEMES, Setup};

/// Where, how large, how heavy, and in which steps.
#[derive(Clone, Copy, Debug)]
struct Make {
    size: f64,
    place: f64,
    mass: f64,
    step: f64,
    end: f64,
}

impl Make {
    /// A thousand steps of a second, in the time that belongs to the size.
    fn new(size: f64, place: f64, mass: f64) -> Self {
        let time = size.sqrt();
        Self { size, place, mass, step: 1e-3 * time, end: time }
    }

    fn simulation(self, scheme: &str) -> String {
        format!("[simulation]\nscheme = \"{scheme}\"\nstep = {:e}\nend = {:e}\n", self.step, self.end)
    }
}

/// A disk that bounces on a floor with friction, from a height or from just above.
fn ball(scheme: &str, e: f64, height: f64, make: Make) -> String {
    let Make { size: s, place: p, mass: m, .. } = make;
    format!(
        "gravity = [0, -9.81]\n[ground.shapes]\nfloor = {{ type = \"line\", through = [{p:e}, {p:e}], normal = [0, 1] }}\n\
         [bodies.body]\nmass = {m:e}\ninertia = {:e}\nposition = [{p:e}, {:e}]\nvelocity = [{:e}, 0]\n\
         shapes = {{ skin = {{ type = \"disk\", radius = {:e} }} }}\n\
         [contacts]\ntouch = {{ between = [\"body.skin\", \"ground.floor\"], restitution = {e}, friction = 0.2 }}\n{}",
        4e-3 * m * s * s,
        p + (0.1 + height) * s,
        s.sqrt(),
        0.1 * s,
        make.simulation(scheme)
    )
}

/// A rod on a pin that swings against a wall.
fn pendulum(scheme: &str, e: f64, make: Make) -> String {
    let Make { size: s, place: p, mass: m, .. } = make;
    format!(
        "gravity = [0, -9.81]\n[ground]\npoints = {{ pin = [{p:e}, {p:e}] }}\n\
         shapes = {{ wall = {{ type = \"line\", through = [{:e}, {p:e}], normal = [1, 0] }} }}\n\
         [bodies.body]\nmass = {m:e}\ninertia = {:e}\nposition = [{:e}, {p:e}]\n\
         points = {{ top = [{:e}, 0], tip = [{:e}, 0] }}\n\
         [joints]\npin = {{ type = \"revolute\", between = [\"ground.pin\", \"body.top\"] }}\n\
         [contacts]\nstop = {{ between = [\"body.tip\", \"ground.wall\"], restitution = {e} }}\n{}",
        p - 0.1 * s,
        m * s * s / 12.0,
        p + 0.5 * s,
        -0.5 * s,
        0.5 * s,
        make.simulation(scheme)
    )
}

/// A box that slides on two feet and comes to rest.
fn slider(scheme: &str, make: Make) -> String {
    let Make { size: s, place: p, mass: m, .. } = make;
    format!(
        "gravity = [0, -9.81]\n[ground.shapes]\nfloor = {{ type = \"line\", through = [{p:e}, {p:e}], normal = [0, 1] }}\n\
         [bodies.body]\nmass = {m:e}\ninertia = {:e}\nposition = [{p:e}, {:e}]\nvelocity = [{:e}, 0]\n\
         points = {{ a = [{:e}, {:e}], b = [{:e}, {:e}] }}\n\
         [contacts]\na = {{ between = [\"body.a\", \"ground.floor\"], friction = 0.2 }}\n\
         b = {{ between = [\"body.b\", \"ground.floor\"], friction = 0.2 }}\n{}",
        m * s * s / 12.0,
        p + 0.1 * s,
        s.sqrt(),
        -0.5 * s,
        -0.1 * s,
        0.5 * s,
        -0.1 * s,
        make.simulation(scheme)
    )
}

fn run(text: &str) -> Result<Done, String> {
    let setup = Setup::of_text("model.toml", text, &[]).map_err(|wrong| wrong.to_string())?;
    let done = setup.run(|_| true).map_err(|wrong| wrong.to_string())?;
    if done.reached_end() { Ok(done) } else { Err(format!("{:?}", done.summary.stop)) }
}

/// Place over size and angle at the end.
fn last(done: &Done, make: Make) -> [f64; 3] {
    let at = |name: &str| *done.recording.column(name).expect("a channel").last().expect("a sample");
    [(at("body.x") - make.place) / make.size, (at("body.y") - make.place) / make.size, at("body.angle")]
}

/// Schemes for contacts without restitution alone.
fn refuses_restitution(scheme: &str) -> bool {
    scheme == "stewart-trinkle" || scheme == "velocity-lcp" || scheme.starts_with("position-lcp")
}

/// Every mechanism as every scheme moves it here and there; positions relative to the size may differ by `within`.
fn compare(here: Make, there: Make, height: f64, within: f64) {
    let mut wrong = Vec::new();
    for scheme in SCHEMES.iter().map(|info| info.name) {
        let e = if refuses_restitution(scheme) { 0.0 } else { 0.5 };
        let all: [(&str, &dyn Fn(Make) -> String); 3] = [
            ("ball", &|make| ball(scheme, e, height, make)),
            ("pendulum", &|make| pendulum(scheme, e, make)),
            ("slider", &|make| slider(scheme, make)),
        ];
        for (name, text) in all {
            // what a scheme refuses, it refuses everywhere
            let Ok(near) = run(&text(here)) else {
                if run(&text(there)).is_ok() {
                    wrong.push(format!("{scheme}, {name}: only far away"));
                }
                continue;
            };
            match run(&text(there)) {
                Err(why) => wrong.push(format!("{scheme}, {name}: {why}")),
                Ok(far) => {
                    let (near, far) = (last(&near, here), last(&far, there));
                    let apart = near.iter().zip(&far).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
                    // what rk4 throws back is an accident of where in the step it hits, to the last bit
                    let accident = scheme.starts_with("position-lcp") && name != "slider";
                    if apart.is_nan() || (apart > within && !accident) {
                        wrong.push(format!("{scheme}, {name}: apart by {apart:e}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{here:?} and {there:?}: {wrong:#?}");
}

/// 10 km away; a gap is off by 2e-12 m, and what hits is amplified.
#[test]
fn ten_kilometres_away() {
    compare(Make::new(1.0, 0.0, 1.0), Make::new(1.0, 1e4, 1.0), 0.4, 1e-7);
}

/// A millimetre, 100 m away: places are known to five digits more than the size has.
#[test]
fn millimetres_in_a_hall() {
    compare(Make::new(1e-3, 0.0, 1e-6), Make::new(1e-3, 1e2, 1e-6), 0.4, 1e-6);
}

/// Masses do not matter where nothing but weight acts.
#[test]
fn light_and_heavy() {
    for mass in [1e-9, 1e9] {
        compare(Make::new(1.0, 0.0, 1.0), Make::new(1.0, 0.0, mass), 0.4, 1e-9);
    }
}

/// Steps of a microsecond, near and 10 km away, through an impact and into sliding.
#[test]
fn steps_of_a_microsecond() {
    let short = |place: f64| Make { step: 1e-6, end: 3e-3, ..Make::new(1.0, place, 1.0) };
    compare(short(0.0), short(1e4), 1e-5, 1e-7);
}
