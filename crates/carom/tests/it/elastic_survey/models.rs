//! Elastic bodies that hit, are hit, fly, and hang: models as a person writes them down, with what they must keep.
//!
//! Nothing is applied and nothing is driven, so energy may go and never come. A body that nothing holds keeps its momentum.

// the test and the long form each use a part of this
#![allow(dead_code)]

use std::fmt;

/// How the elastic body is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    Clamped,
    Pinned,
    Articulated,
    MeanAxis,
}

impl Frame {
    pub const ALL: [Self; 4] = [Self::Clamped, Self::Pinned, Self::Articulated, Self::MeanAxis];

    fn word(self) -> &'static str {
        match self {
            Self::Clamped => "clamped",
            Self::Pinned => "pinned",
            Self::Articulated => "articulated",
            Self::MeanAxis => "mean-axis",
        }
    }
}

/// What happens to the elastic body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// A beam turns about its pinned end, and its tip meets a stop.
    BeamTurns,
    /// A rigid ball meets the tip of a beam that is welded to the ground.
    BeamIsHit,
    /// A beam flies with a spin onto the floor.
    BeamFlies,
    /// A ball meets the tip of a beam; both are free.
    BallMeetsBeam,
    /// A free beam turns in flight, and nothing touches it.
    BeamSpins,
    /// A welded beam is let go under ten times its weight.
    BeamHangs,
    /// A bar flies against a wall along its own line.
    BarHits,
    /// A block falls onto a corner.
    BlockFalls,
    /// Two blocks meet in flight.
    BlocksMeet,
    /// A geometrically exact beam turns about its pinned end, and its tip meets a stop.
    ExactTurns,
    /// A geometrically exact beam flies with a spin onto the floor.
    ExactFlies,
    /// A ball meets the tip of an exact beam; both are free.
    BallMeetsExact,
}

impl Scene {
    pub const ALL: [Self; 12] = [
        Self::BeamTurns,
        Self::BeamIsHit,
        Self::BeamFlies,
        Self::BallMeetsBeam,
        Self::BeamSpins,
        Self::BeamHangs,
        Self::BarHits,
        Self::BlockFalls,
        Self::BlocksMeet,
        Self::ExactTurns,
        Self::ExactFlies,
        Self::BallMeetsExact,
    ];

    /// Whether something can touch.
    pub fn has_contact(self) -> bool {
        !matches!(self, Self::BeamSpins | Self::BeamHangs)
    }

    /// Whether the elastic body has a floating frame.
    pub fn floats(self) -> bool {
        !matches!(self, Self::BarHits | Self::ExactTurns | Self::ExactFlies | Self::BallMeetsExact)
    }

    /// Whether nothing holds the bodies, so that momentum stays.
    pub fn is_free(self) -> bool {
        matches!(self, Self::BallMeetsBeam | Self::BeamSpins | Self::BlocksMeet | Self::BallMeetsExact)
    }

    /// Period of the slowest vibration of the elastic body as it is held (s), about: (k_1 L)² of the closed forms.
    pub fn period(self) -> f64 {
        let beam = |shape: f64| std::f64::consts::TAU / (shape * bending_speed());
        match self {
            Self::BeamTurns | Self::ExactTurns => beam(15.42),
            Self::BeamIsHit | Self::BeamHangs => beam(3.516),
            Self::BeamFlies | Self::BallMeetsBeam | Self::BeamSpins => beam(22.37),
            Self::ExactFlies | Self::BallMeetsExact => beam(22.37),
            // free at both ends: 2 L/c
            Self::BarHits => 2.0 / (YOUNG / DENSITY).sqrt(),
            // about a wave up and down its longer side
            Self::BlockFalls | Self::BlocksMeet => 2.0 * 0.2 / (BLOCK_YOUNG / BLOCK_DENSITY).sqrt(),
        }
    }

    /// How long it is looked at, in those periods.
    fn periods(self) -> f64 {
        match self {
            Self::BeamIsHit | Self::BeamHangs => 4.0,
            Self::BlockFalls | Self::BlocksMeet => 60.0,
            Self::BarHits => 20.0,
            _ => 10.0,
        }
    }
}

/// Steel, 1 m by 10 mm by 10 mm.
const YOUNG: f64 = 2.1e11;
const DENSITY: f64 = 7800.0;
const SECTION: &str = "young = 2.1e11, area = 1e-4, second_moment = \"=1e-8/12\", density = 7800";
/// Rubber.
const BLOCK_YOUNG: f64 = 1e7;
const BLOCK_DENSITY: f64 = 1000.0;
/// Of the welded beam (m/s²).
const HEAVY: f64 = 98.1;

/// √(EI/ρA) over L² (1/s).
fn bending_speed() -> f64 {
    (YOUNG * 1e-8 / 12.0 / (DENSITY * 1e-4)).sqrt()
}

/// One model and how it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub scene: Scene,
    pub frame: Frame,
    /// Eigenmodes; none: all nodal coordinates.
    pub modes: Option<usize>,
    /// Factor of K in the damping (s).
    pub damping: f64,
    pub restitution: f64,
    pub friction: f64,
    /// Steps per slowest period.
    pub steps: f64,
}

impl Case {
    /// Step (s).
    pub fn step(&self) -> f64 {
        self.scene.period() / self.steps
    }

    /// End (s).
    pub fn end(&self) -> f64 {
        self.scene.periods() * self.scene.period()
    }

    /// Energy that moves, if it is not there from the start (J): half of what the weight does on the static sag, all of
    /// which the straight beam has above its place of rest, (ρAg)² L⁵/(40 EI).
    pub fn energy(&self) -> Option<f64> {
        let load = DENSITY * 1e-4 * HEAVY;
        (self.scene == Scene::BeamHangs).then(|| load * load / (40.0 * YOUNG * 1e-8 / 12.0))
    }

    /// The model file, without its scheme.
    pub fn text(&self) -> String {
        let frame = self.frame.word();
        let modes = self.modes.map(|n| format!(", modes = {n}")).unwrap_or_default();
        let damping = match self.damping {
            0.0 => String::new(),
            d => format!(", damping = {{ stiffness = {d:?} }}"),
        };
        let beam = format!(
            "elastic = {{ type = \"beam\", length = 1, elements = 8, {SECTION}, reference = \"{frame}\"{modes}{damping} }}\n\
             points = {{ root = {{ node = 0 }}, tip = {{ node = 8 }} }}"
        );
        let exact = format!(
            "elastic = {{ type = \"exact-beam\", length = 1, elements = 8, {SECTION}{damping} }}\n\
             points = {{ root = {{ node = 0 }}, tip = {{ node = 8 }} }}"
        );
        let block = format!(
            "elastic = {{ type = \"solid\", block = {{ size = [0.2, 0.1], elements = [4, 2] }}, young = 1e7, poisson = 0.3, \
             density = 1000, reference = \"{frame}\"{modes}{damping} }}"
        );
        let law = format!("restitution = {:?}\nfriction = {:?}", self.restitution, self.friction);
        let floor = "[ground.shapes.floor]\ntype = \"line\"\nthrough = [0, 0]\nnormal = [0, 1]";
        let pivot = "[joints.pivot]\ntype = \"revolute\"\nbetween = [\"ground\", \"body.root\"]";
        let weld = "[joints.weld]\ntype = \"weld\"\nbetween = [\"ground\", \"body.root\"]";
        let ball = |velocity: &str, position: &str| {
            format!(
                "[bodies.ball]\nmass = 0.5\ninertia = 2e-4\nposition = {position}\nvelocity = {velocity}\n\
                 shapes.skin = {{ type = \"disk\", radius = 0.02 }}"
            )
        };
        match self.scene {
            Scene::BeamTurns | Scene::ExactTurns => {
                let body = if self.scene == Scene::BeamTurns { beam } else { exact };
                // the pinned end may be anywhere in the body: the whole turns about it
                format!(
                    "[ground.shapes.stop]\ntype = \"line\"\nthrough = [0, -0.02]\nnormal = [0, 1]\n\
                     [bodies.body]\nangular_velocity = -2\n{body}\n{pivot}\n\
                     [contacts.hit]\nbetween = [\"body.tip\", \"ground.stop\"]\n{law}\n"
                )
            }
            Scene::BeamIsHit => format!(
                "[bodies.body]\n{beam}\n{weld}\n{}\n[contacts.hit]\nbetween = [\"ball.skin\", \"body.tip\"]\n{law}\n",
                ball("[0, -2]", "[1, 0.05]")
            ),
            Scene::BeamFlies | Scene::ExactFlies => {
                let body = if self.scene == Scene::BeamFlies { beam } else { exact };
                // the velocity is that of the first end
                format!(
                    "{floor}\n[bodies.body]\nposition = [0, 0.02]\nangle = 0.1\nvelocity = [0.3, -2]\nangular_velocity = 1\n{body}\n\
                     [contacts.root]\nbetween = [\"body.root\", \"ground.floor\"]\n{law}\n\
                     [contacts.tip]\nbetween = [\"body.tip\", \"ground.floor\"]\n{law}\n"
                )
            }
            Scene::BallMeetsBeam | Scene::BallMeetsExact => {
                let body = if self.scene == Scene::BallMeetsBeam { beam } else { exact };
                format!(
                    "[bodies.body]\n{body}\n{}\n[contacts.hit]\nbetween = [\"ball.skin\", \"body.tip\"]\n{law}\n",
                    ball("[0.2, -2]", "[1, 0.04]")
                )
            }
            Scene::BeamSpins => {
                format!("[bodies.body]\nvelocity = [0, 1]\nangular_velocity = 8\n{beam}\n")
            }
            Scene::BeamHangs => {
                format!("gravity = [0, {:?}]\n[bodies.body]\n{beam}\n{weld}\n", -HEAVY)
            }
            Scene::BarHits => format!(
                "[ground.shapes.wall]\ntype = \"line\"\nthrough = [1.001, 0]\nnormal = [-1, 0]\n\
                 [bodies.body]\nvelocity = [5, 0]\n\
                 elastic = {{ type = \"bar\", length = 1, elements = 20, young = 2.1e11, area = 1e-4, density = 7800{damping} }}\n\
                 points = {{ tip = {{ node = 20 }} }}\n\
                 [contacts.hit]\nbetween = [\"body.tip\", \"ground.wall\"]\nrestitution = {:?}\n",
                self.restitution
            ),
            Scene::BlockFalls => format!(
                "{floor}\n[bodies.body]\nposition = [0, 0.12]\nangle = 0.3\nvelocity = [0, -1]\n{block}\n\
                 [contacts.hit]\nbetween = [\"body.boundary\", \"ground.floor\"]\n{law}\n"
            ),
            Scene::BlocksMeet => format!(
                "[bodies.body]\nposition = [0, 0]\nvelocity = [1, 0]\n{block}\n\
                 [bodies.other]\nposition = [0.24, 0.03]\nangle = 0.2\nvelocity = [-1, 0]\n{block}\n\
                 [contacts.hit]\nbetween = [\"body.boundary\", \"other.boundary\"]\n{law}\n"
            ),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.scene)?;
        if self.scene.floats() {
            write!(f, " {}", self.frame.word())?;
            if let Some(n) = self.modes {
                write!(f, " {n} modes")?;
            }
        }
        if self.damping != 0.0 {
            write!(f, " D={:.0e}K", self.damping)?;
        }
        if self.scene.has_contact() {
            write!(f, " e={}", self.restitution)?;
            if self.friction != 0.0 {
                write!(f, " mu={}", self.friction)?;
            }
        }
        write!(f, " T/{}", self.steps)
    }
}
