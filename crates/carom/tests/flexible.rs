//! Flexible bodies in whole models: what is easy to get wrong where they meet joints, contacts and the start of a run.

use carom::{Done, Setup, Stop};

fn setup(text: &str) -> Setup {
    Setup::of_text("model.toml", text, &[]).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn run(text: &str) -> Done {
    let done = setup(text).run(|_| true).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(done.summary.stop, Stop::Done);
    done
}

/// What is wrong with a model that must not run.
fn wrong(text: &str) -> String {
    match Setup::of_text("model.toml", text, &[]) {
        Err(wrong) => wrong.to_string(),
        Ok(_) => panic!("this should not be a model:\n{text}"),
    }
}

const BEAM: &str = r#"elastic = { type = "beam", length = 1, elements = 4, young = 1e9, area = 1e-4, second_moment = 1e-9, density = 1000 }"#;

/// A joint between two points of one body touches the same coordinates twice. Free flight with a spin: the distance is
/// kept, and momentum, which a joint within a body cannot change.
#[test]
fn a_joint_within_one_beam() {
    for scheme in ["moreau-jean", "generalized-alpha", "mixed-alpha", "bathe"] {
        let done = run(&format!(
            r#"
            [bodies.rod]
            angular_velocity = 5
            {BEAM}
            points = {{ root = {{ node = 0 }}, middle = [0.5, 0], tip = {{ node = 4 }} }}
            [joints.tie]
            type = "distance"
            between = ["rod.root", "rod.tip"]
            [simulation]
            scheme = "{scheme}"
            step = 2e-4
            end = 0.2
            "#
        ));
        let last = |name: &str| *done.recording.column(name).expect(name).last().expect("samples");
        let apart = (last("rod.tip.x") - last("rod.root.x")).hypot(last("rod.tip.y") - last("rod.root.y"));
        assert!((apart - 1.0).abs() < 1e-5, "{scheme}: {apart}");
        // the centre of mass of a nearly straight beam flies on along y with ω/2
        assert!((last("rod.middle.y") - 0.5 * 5.0 * 0.2).abs() < 0.02, "{scheme}: {}", last("rod.middle.y"));
        assert!(last("rod.middle.x") - 0.5 < 0.02, "{scheme}: {}", last("rod.middle.x"));
    }
}

/// A beam without a frame cannot be moved as a whole by the assembly: it is an error, not a torn beam.
#[test]
fn an_exact_beam_is_not_torn_to_fit() {
    let model = |spin: f64| {
        format!(
            r#"
            [bodies.rod]
            angular_velocity = {spin}
            elastic = {{ type = "exact-beam", length = 1, elements = 4, young = 1e9, area = 1e-4, second_moment = 1e-9, density = 1000 }}
            points = {{ root = {{ node = 0 }}, tip = {{ node = 4 }} }}
            [joints.pivot]
            type = "revolute"
            between = ["ground", "rod.root"]
            [joints.drive]
            type = "motion"
            of = "rod.root"
            coordinate = "angle"
            function = "10*t"
            [simulation]
            scheme = "bathe"
            step = 1e-3
            end = 0.05
            "#
        )
    };
    let said = wrong(&model(0.0));
    assert!(said.contains("`rod` would have to start bent") && said.contains("angular velocity"), "{said}");
    let done = run(&model(10.0));
    let tip = *done.recording.column("rod.tip.y").unwrap().last().unwrap();
    assert!((tip - 0.5_f64.sin()).abs() < 0.01, "{tip}");
}

/// What nothing can move cannot follow a function of time.
#[test]
fn a_motion_across_a_bar_is_refused() {
    let said = wrong(
        r#"
        [bodies.bar]
        elastic = { type = "bar", length = 1, elements = 4, young = 1e9, area = 1e-4, density = 1000 }
        points = { end = { node = 0 } }
        [joints.lift]
        type = "motion"
        of = "bar.end"
        coordinate = "y"
        function = "t"
        "#,
    );
    assert!(said.contains("lift"), "{said}");
}

/// A side names nodes that exist, a clamp needs the clamped frame, and no body touches itself, whatever the order.
#[test]
fn slips_with_solids_are_told() {
    let solid = |more: &str, contact: &str| {
        format!(
            r#"
            [bodies.b]
            elastic = {{ type = "solid", young = 1e6, poisson = 0.3, density = 1000, {more} }}
            points = {{ p = {{ node = 0 }} }}
            {contact}
            "#
        )
    };
    let block = "block = { size = [1, 1], elements = [1, 1] }";
    let mesh = "mesh = { nodes = [[0, 0], [1, 0], [1, 1], [0, 1]], elements = [[0, 1, 2, 3]], sides = { foot = [[0, 1], [1, 12]] } }";
    let said = wrong(&solid(mesh, ""));
    assert!(said.contains("side `foot` names node 12"), "{said}");
    let said = wrong(&solid(&format!("{block}, clamp = \"left\""), ""));
    assert!(said.contains("clamp") && said.contains("reference"), "{said}");
    for pair in [r#"["b.boundary", "b.p"]"#, r#"["b.p", "b.boundary"]"#] {
        let said = wrong(&solid(block, &format!("[contacts.self]\nbetween = {pair}")));
        assert!(said.contains("both ends are on `b`"), "{said}");
    }
}

/// The gap over a hollow between two elements goes on without a jump: the nearer side answers.
#[test]
fn a_hollow_has_a_continuous_gap() {
    let gap = |x: f64| {
        let done = run(&format!(
            r#"
            [bodies.v]
            elastic = {{ type = "solid", young = 1e9, poisson = 0.3, density = 1000, mesh = {{ nodes = [[-1, -1], [0, -1], [1, -1], [-1, 0.2], [0, 0], [1, 0.2]], elements = [[0, 1, 4, 3], [1, 2, 5, 4]] }} }}
            [bodies.d]
            mass = 1
            position = [{x}, 0.6]
            [contacts.k]
            between = ["d", "v.boundary"]
            [simulation]
            step = 1e-6
            end = 1e-6
            "#
        ));
        let gaps =
            done.recording.channels.iter().filter(|c| c.name.starts_with("k.") && c.name.ends_with(".gap"));
        gaps.map(|c| done.recording.column(&c.name).unwrap()[0]).fold(f64::INFINITY, f64::min)
    };
    // the nearer of two lines through the origin with slope ±0.2
    for i in -12..=12 {
        let x = 0.02 * f64::from(i);
        let exact = (0.6 - 0.2 * x.abs()) / 1.04_f64.sqrt();
        assert!((gap(x) - exact).abs() < 1e-9, "{x}: {} is not {exact}", gap(x));
    }
}

/// A loaded cantilever moves, and the verdict knows.
#[test]
fn a_loaded_cantilever_is_not_called_still() {
    let done = run(r#"
        [bodies.b]
        elastic = { type = "beam", length = 1, elements = 8, young = 2.1e11, area = 1e-4, second_moment = 8.33e-10, density = 7800 }
        points = { root = { node = 0 }, tip = { node = 8 } }
        [joints.w]
        type = "weld"
        between = ["ground", "b.root"]
        [forces.k]
        type = "force"
        on = "b.tip"
        force = [0, 10]
        [simulation]
        scheme = "bathe"
        step = 1e-3
        end = 0.1
        "#);
    // F L³ / (3 EI) = 19 mm, twice that where it swings
    let tip = done.recording.column("b.tip.y").unwrap().iter().fold(0.0, |most: f64, y| most.max(*y));
    assert!((0.030..0.042).contains(&tip), "{tip}");
    assert!(!done.summary.audit.verdict.contains("Nothing moved"), "{}", done.summary.audit.verdict);
}
