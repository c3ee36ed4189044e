//! The built binary, and a folder for each test.
#![allow(dead_code)] // each test file uses its part

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The command, to be run in a folder.
pub fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder).args(args);
    command
}

/// Runs it to its end.
pub fn carom(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

/// Exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("it ended by itself")
}

/// What was said to people about what is wrong.
pub fn complaint(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Standard output.
pub fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A series.csv as names and columns.
pub struct Series {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Series {
    /// Reads it.
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let mut lines = text.lines();
        let names = lines.next().unwrap().split(',').map(String::from).collect();
        let rows = lines.map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        Self { names, rows }
    }

    /// A channel.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let i = self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no channel {name}"));
        self.rows.iter().map(|row| row[i]).collect()
    }
}

/// A ball over a floor.
pub const BALL: &str = r#"version = 1
title = "Bouncing ball"
gravity = [0.0, -10.0]

[parameters]
height = 1.2
radius = "=height / 6"

[ground.shapes.floor]
type = "line"
through = [0.0, 0.0]
normal = [0.0, 1.0]

[bodies.ball]
mass = 1.0
position = [0.0, "=height"]
shapes.skin = { type = "disk", radius = "=radius" }

[contacts.bounce]
between = ["ball.skin", "ground.floor"]
restitution = 0.8

[simulation]
step = 1e-3
end = 2.0
"#;

/// A slider-crank with clearance, friction, a spring, a damper and a torque. All lengths are multiples of `s`.
pub const CRANK: &str = r#"version = 1
title = "Slider-crank"
gravity = [0, "=-9.81*s"]

[parameters]
s = 1
l1 = "=0.153*s"
l2 = "=0.306*s"

[ground.points]
bearing = [0, 0]
guide = ["=l1 + l2/2", 0]
wall = ["=3*l2", 0]

[bodies.crank]
mass = 0.038
inertia = "=7.4e-5*s^2"
position = ["=l1/2", 0]
velocity = [0, "=75*l1"]
angular_velocity = 150
points = { bearing = ["=-l1/2", 0], pin = ["=l1/2", 0] }

[bodies.rod]
mass = 0.038
inertia = "=5.9e-4*s^2"
position = ["=l1 + l2/2", 0]
velocity = [0, "=150*l1 - 37.5*l2"]
angular_velocity = -75
points = { pin = ["=-l2/2", 0], wrist = ["=l2/2", 0] }

[bodies.slider]
mass = 0.076
inertia = "=2.7e-6*s^2"
position = ["=l1 + l2", 0]
points.wrist = [0, 0]

[joints]
bearing = { type = "revolute", between = ["ground.bearing", "crank.bearing"] }
pin = { type = "revolute", between = ["crank.pin", "rod.pin"] }
wrist = { type = "revolute", between = ["rod.wrist", "slider.wrist"] }

[joints.guide]
type = "prismatic"
between = ["ground.guide", "slider.wrist"]
clearance = "=0.001*s"
size = ["=0.1*s", "=0.05*s"]
restitution = 0.4
friction = 0.01

[forces]
buffer = { type = "spring", between = ["slider.wrist", "ground.wall"], stiffness = 40, damping = 0.3 }
motor = { type = "torque", on = "crank", torque = "0.05*s^2*sin(100*t)" }

[simulation]
scheme = "moreau-jean"
step = 1e-5
end = 0.02
"#;
