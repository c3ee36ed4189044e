//! How high a ball rises after its first impact, over its restitution.

use carom::{Diagnostics, EventKind, Setup};

const MODEL: &str = r#"
    gravity = [0, -10]

    [parameters]
    e = 0.5

    [ground.shapes.floor]
    type = "line"
    through = [0, 0]
    normal = [0, 1]

    [bodies.ball]
    mass = 1
    position = [0, 0.8]

    [contacts.floor]
    between = ["ball", "ground.floor"]
    restitution = "=e"

    [simulation]
    scheme = "hybrid"
    step = 1e-3
    accuracy = 1e-9
    end = 1.2
"#;

/// Pairs of restitution and height (m).
pub fn heights(restitutions: &[f64]) -> Result<Vec<(f64, f64)>, Diagnostics> {
    let mut rows = Vec::new();
    for &e in restitutions {
        let setup = Setup::of_text("ball", MODEL, &[("e".into(), e.to_string())])?;
        let done = setup.run(|_| true).expect("the start was checked");
        let hit = done.recording.events.iter().find(|event| event.kind == EventKind::Impact);
        let hit = hit.map_or(0.0, |event| event.t);
        let columns = done.recording.column("t").zip(done.recording.column("ball.y"));
        let (t, y) = columns.expect("a ball has a height");
        let after = t.iter().zip(y).filter(|(t, _)| **t > hit).map(|(_, y)| *y);
        rows.push((e, after.fold(0.0, f64::max)));
    }
    Ok(rows)
}
