//! Groups, materials, exceptions and blocks of bodies as files say them.

use carom_io::load_text;

const HEAP: &str = r#"
gravity = [0, 0, -9.81]
units = "mm"

[ground]
material = "concrete"
shapes.floor = { type = "plane", through = [0, 0, 0], normal = [0, 0, 1] }

[bodies.ball]
density = 1e-6
material = "steel"
position = [0, 0, 60]
shapes.skin = { type = "sphere", radius = 50 }
repeat = { counts = [2, 1, 3], pitch = [110, 1, 110], jitter = 2, seed = 5 }

[materials]
steel = { friction = 0.2, restitution = 0.6 }
concrete = { friction = 0.8 }

[groups]
low = ["ball-1", "ball-2"]

[contacts.touch]
between = ["all", "all"]
except = ["ball-6", ["low", "ground"]]
"#;

#[test]
fn a_heap_is_read() {
    let loaded = load_text("heap.toml", HEAP, &[]).map_err(|wrong| wrong.to_string()).unwrap();
    let model = loaded.build().map_err(|wrong| wrong.to_string()).unwrap();
    let names: Vec<String> =
        model.system().structure().contacts.iter().map(|info| info.name.clone()).collect();
    assert_eq!(names, ["touch.steel-steel", "touch.concrete-steel"]);
    assert_eq!(model.system().structure().sizes.v, 36);
    let space = loaded.description.space().expect("a model in space");
    let ball = &space.bodies["ball"];
    let repeat = ball.repeat.as_ref().expect("it is repeated");
    // millimetres
    assert!((repeat.pitch[0] - 0.11).abs() < 1e-15 && (repeat.jitter - 2e-3).abs() < 1e-15);
}

#[test]
fn what_is_wrong_is_shown_at_its_line() {
    for (from, to, words, line) in [
        ("counts = [2, 1, 3]", "counts = [1000, 1000, 10]", "makes 10000000 bodies", 14),
        ("\"ball-1\", \"ball-2\"", "\"bull-*\"", "no body or shape `bull-*`", 21),
    ] {
        let text = HEAP.replace(from, to);
        let loaded = load_text("heap.toml", &text, &[]).map_err(|wrong| wrong.to_string()).unwrap();
        let wrong = loaded.build().expect_err("it is wrong").list.swap_remove(0);
        assert!(wrong.to_string().contains(words), "{wrong}");
        assert_eq!(wrong.line, line, "{wrong}");
    }
}
