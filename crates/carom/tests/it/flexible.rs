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
        let gaps = done
            .recording
            .channels
            .iter()
            .filter(|c| c.name().starts_with("k.") && c.name().ends_with(".gap"));
        gaps.map(|c| done.recording.column(c.name()).unwrap()[0]).fold(f64::INFINITY, f64::min)
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

/// Frequency of mode k of a cantilever, Euler–Bernoulli: (β_k L)² √(EI/ρA L⁴)/2π.
fn cantilever(k: usize) -> f64 {
    let beta_l: [f64; 3] = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613];
    beta_l[k].powi(2) * (2e9_f64 * 1e-9 / (1200.0 * 1e-4)).sqrt() / std::f64::consts::TAU
}

/// Share of critical damping and frequency of one mode alone, by the logarithmic decrement after a push.
fn decay(k: usize, damping: &str) -> (f64, f64) {
    let period = 1.0 / cantilever(k);
    let done = run(&format!(
        r#"
        [bodies.rod]
        points = {{ root = [0, 0], tip = [1, 0] }}
        [bodies.rod.elastic]
        type = "beam"
        length = 1
        elements = 12
        young = 2e9
        area = 1e-4
        second_moment = 1e-9
        density = 1200
        modes = {{ numbers = [{}] }}
        {damping}
        [joints.root]
        type = "weld"
        between = ["ground", "rod.root"]
        [forces.push]
        type = "force"
        on = "rod.tip"
        force = [0, "0.01*(1 - step(t - {:e}))"]
        [simulation]
        scheme = "dopri5"
        step = {:e}
        end = {:e}
        "#,
        k + 1,
        0.5 * period,
        period / 200.0,
        8.0 * period
    ));
    let (t, y) = (done.recording.column("t").unwrap(), done.recording.column("rod.tip.y").unwrap());
    // tops of the free vibration, by parabolas
    let mut tops = Vec::new();
    for i in 1..y.len() - 1 {
        if t[i] > 0.6 * period && y[i] > y[i - 1] && y[i] >= y[i + 1] {
            let (slope, bend) = (0.5 * (y[i + 1] - y[i - 1]), y[i + 1] - 2.0 * y[i] + y[i - 1]);
            tops.push((t[i] - slope / bend * (t[i + 1] - t[i]), y[i] - 0.5 * slope * slope / bend));
        }
    }
    let (first, last, n) = (tops[0], tops[tops.len() - 1], (tops.len() - 1) as f64);
    assert!(n >= 4.0, "{tops:?}");
    let decrement = (first.1 / last.1).ln() / n / std::f64::consts::TAU;
    (decrement / (1.0 + decrement * decrement).sqrt(), n / (last.0 - first.0))
}

/// Rayleigh damping by two ratios at two frequencies: modes of these frequencies decay as asked, one in between by the closed form,
/// which is less than on the line between the two. [Ebrahimi2007] (2.46), (2.47)
#[test]
fn damping_by_two_ratios() {
    let (f_1, f_2, f_3) = (cantilever(0), cantilever(1), cantilever(2));
    for (ratios, frequencies) in [([0.02, 0.03], [f_1, f_3]), ([0.03, 0.02], [f_3, f_1])] {
        let damping = format!(
            "damping = {{ ratios = [{}, {}], frequencies = [{:e}, {:e}] }}",
            ratios[0], ratios[1], frequencies[0], frequencies[1]
        );
        for (k, asked) in [(0, 0.02), (2, 0.03)] {
            let (ratio, frequency) = decay(k, &damping);
            assert!((ratio - asked).abs() < 1e-3 * asked, "mode {k}: {ratio} for {asked}");
            assert!((frequency / cantilever(k) - 1.0).abs() < 2e-3, "mode {k}: {frequency}");
        }
        // ξ = (α/ω + β ω)/2 through both
        let (a, b) = ((0.02 * f_3 - 0.03 * f_1) * f_1 * f_3, 0.03 * f_3 - 0.02 * f_1);
        let closed = (a / f_2 + b * f_2) / (f_3 * f_3 - f_1 * f_1);
        let (between, _) = decay(1, &damping);
        assert!((between - closed).abs() < 1e-3 * closed, "{between} for {closed}");
        assert!(between < 0.02 + 0.01 * (f_2 - f_1) / (f_3 - f_1), "{between}");
    }
}

/// What cannot be is refused with its reason and what would do.
#[test]
fn damping_by_two_ratios_is_checked() {
    let model = |damping: &str| {
        format!(
            r#"
            [bodies.rod]
            [bodies.rod.elastic]
            type = "beam"
            length = 1
            elements = 4
            young = 1e9
            area = 1e-4
            second_moment = 1e-9
            density = 1000
            damping = {{ {damping} }}
            [simulation]
            step = 1e-4
            end = 1e-3
            "#
        )
    };
    for (damping, words) in [
        (
            "ratios = [0.01, 0.2], frequencies = [10, 100]",
            &["`mass` would be negative", "slower", "0.0010", "0.1000"][..],
        ),
        (
            "ratios = [0.2, 0.01], frequencies = [10, 100]",
            &["`stiffness` would be negative", "faster", "0.0200", "2.0000"],
        ),
        ("ratios = [0.01, 0.2], frequencies = [100, 10]", &["`stiffness` would be negative"]),
        ("ratios = [0.01, 0.02]", &["frequencies"]),
        ("frequencies = [10, 100]", &["ratios"]),
        ("ratios = [0.01, 0.01], frequencies = [10, 10]", &["10 Hz", "differ"]),
        ("ratios = [0.01, 0.01], frequencies = [0, 10]", &["frequency"]),
        ("ratios = [-0.01, 0.01], frequencies = [1, 10]", &["damping ratio"]),
        ("stiffness = 1e-4, ratios = [0.01, 0.01], frequencies = [1, 10]", &["twice"]),
    ] {
        let said = wrong(&model(damping));
        assert!(words.iter().all(|word| said.contains(word)), "{damping}: {said}");
    }
    // at the very ends one of the factors is none
    for damping in
        ["ratios = [0.01, 0.1], frequencies = [10, 100]", "ratios = [0.3, 0.1], frequencies = [7, 21]"]
    {
        setup(&model(damping));
    }
}

/// The block on its path by the scheme that its source recommends, at the steps at which it once failed, against moreau-jean and the times
/// that are printed; gaps are closed to their round-off.
#[test]
fn block_path_by_positions() {
    let path =
        std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery/block-path/model.toml");
    let run = |scheme: &str, step: &str, end: &str| {
        let changes = [("simulation.scheme", scheme), ("simulation.step", step), ("simulation.end", end)];
        let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let done = Setup::open(&path, &changes).unwrap().run(|_| true).unwrap();
        assert_eq!(done.summary.stop, Stop::Done, "{scheme} {step}");
        done
    };
    let at = |done: &Done, name: &str, time: f64| {
        let (t, y) = (done.recording.column("t").unwrap(), done.recording.column(name).unwrap());
        let i = t.iter().position(|t| *t >= time - 1e-9).unwrap();
        y[i]
    };
    let slope = std::f64::consts::FRAC_PI_6;
    let other = run("moreau-jean", "5e-4", "6");
    for (step, end) in [("1e-3", "6"), ("5e-4", "6"), ("1e-4", "3")] {
        let done = run("position-lcp-rk4", step, end);
        // the front corner enters the arc at 2 s, level at 2.7 s
        assert!((at(&done, "block.front.x", 2.0) + 5.0).abs() < 0.4, "{step}");
        assert!(at(&done, "block.angle", 2.7).abs() < 0.05, "{step}");
        if end == "6" {
            // on the right incline at 4.2 s, back on the arc at 5.6 s
            assert!((at(&done, "block.angle", 4.2) - slope).abs() < 2e-3, "{step}");
            assert!((at(&done, "block.rear.x", 5.6) - 4.334).abs() < 0.2, "{step}");
        }
        for time in [1.0, 2.0, 2.7, 3.0] {
            for name in ["block.rear.x", "block.rear.y", "block.front.x", "block.angle"] {
                let apart = (at(&done, name, time) - at(&other, name, time)).abs();
                assert!(apart < 0.05, "{step}: {name} at {time}: apart by {apart}");
            }
        }
        assert!(done.summary.audit.penetration.value < 1e-12, "{step}: {:?}", done.summary.audit.penetration);
    }
}

/// The block on its path by accelerations. Soft: RADAU5 moves it as Runge–Kutta does, in steps five times as long. A million times as
/// stiff, in steps of seventy radians of its vibrations, where explicit methods burst: as the rigid block of `gallery/reference.py`.
#[test]
fn block_path_by_accelerations() {
    let path =
        std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../gallery/block-path/model.toml");
    let run = |scheme: &str, young: &str, step: &str, end: &str| {
        let changes = [
            ("simulation.scheme", scheme),
            ("simulation.step", step),
            ("simulation.end", end),
            ("parameters.young", young),
        ];
        let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Setup::open(&path, &changes).unwrap().run(|_| true).unwrap()
    };
    let at = |done: &Done, name: &str, time: f64| {
        let (t, y) = (done.recording.column("t").unwrap(), done.recording.column(name).unwrap());
        let i = t.iter().position(|t| *t >= time - 1e-9).unwrap();
        y[i]
    };
    let (explicit, implicit) =
        (run("acceleration-lcp", "1000", "1e-3", "3"), run("acceleration-lcp-radau5", "1000", "5e-3", "3"));
    assert_eq!((&explicit.summary.stop, &implicit.summary.stop), (&Stop::Done, &Stop::Done));
    for time in [0.5, 1.5, 2.0, 2.7, 3.0] {
        for name in ["block.rear.x", "block.rear.y", "block.front.x", "block.angle"] {
            let apart = (at(&explicit, name, time) - at(&implicit, name, time)).abs();
            assert!(apart < 0.02, "{name} at {time}: apart by {apart}");
        }
    }
    let stiff = run("acceleration-lcp-radau5", "1e9", "2e-3", "6");
    assert_eq!(stiff.summary.stop, Stop::Done);
    assert!(at(&stiff, "block.angle", 2.664).abs() < 0.01, "{}", at(&stiff, "block.angle", 2.664));
    let highest =
        stiff.recording.column("block.rear.x").unwrap().iter().fold(0.0, |most: f64, x| most.max(*x));
    assert!((highest - 6.9808).abs() < 0.05, "{highest}");
    // down the incline in closed form: ½ g (sin − μ cos) t²
    let (s, c) = std::f64::consts::FRAC_PI_6.sin_cos();
    let exact = -10.0 * s - 10.0 * c + 0.5 * 9.81 * (s - 0.1 * c) * c * 1.5_f64.powi(2);
    assert!(
        (at(&stiff, "block.rear.x", 1.5) - exact).abs() < 1e-4,
        "{}",
        at(&stiff, "block.rear.x", 1.5) - exact
    );
    let burst = run("acceleration-lcp", "1e9", "2e-3", "0.1");
    assert_ne!(burst.summary.stop, Stop::Done);
}
