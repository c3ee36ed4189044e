//! Pairs of toothed wheels, the same words in plane and space.

use crate::dimension::{Dimension, Numbers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Two toothed wheels with play, on two rigid bodies or on ground. The axes are those of the points named: across the plane, or z of
/// the point in space. They may move: distance, angles and play are those of the moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GearPair {
    /// The two wheels: bodies, or points of bodies, in their centres. A ring comes second.
    pub between: [String; 2],
    /// `hard`: flanks do not give way, impacts have a restitution; `spring`: flanks on springs.
    #[serde(default)]
    pub law: GearLaw,
    /// Numbers of teeth; that of a ring with inner teeth is negative.
    pub teeth: [i32; 2],
    /// Normal module (m).
    pub module: f64,
    /// Normal pressure angle (rad).
    #[serde(default = "twenty_degrees")]
    pub pressure_angle: f64,
    /// Helix angle of the first wheel (rad), positive right-handed; that of the second follows.
    #[serde(default)]
    pub helix_angle: f64,
    /// Profile shifts, in modules.
    #[serde(default)]
    pub profile_shift: [f64; 2],
    /// Heights of the teeth above the pitch circle, in modules.
    #[serde(default = "addenda")]
    pub addendum: [f64; 2],
    /// Depths of the spaces below the pitch circle, in modules.
    #[serde(default = "dedenda")]
    pub dedendum: [f64; 2],
    /// Face width (m); helical wheels and stiffness by formula need it.
    pub width: Option<f64>,
    /// Mounting distance of the centres (m); that of the start if left out.
    pub distance: Option<f64>,
    /// Play normal to the flanks at the mounting distance (m).
    pub play: Option<f64>,
    /// What says the play: `mounting`, a number at the mounting distance whatever the shape of the teeth; `geometry`, what teeth
    /// and distance leave.
    #[serde(default)]
    pub play_from: PlayFrom,
    /// Which flanks touch at the start, where no other pair says how the teeth stand: a pair of them is in the pitch point.
    #[serde(default)]
    pub flanks: Flanks,
    /// Coefficient of restitution of hard flanks, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Coulomb's coefficient of friction between the flanks.
    #[serde(default)]
    pub friction: f64,
    /// Sliding speed at which the friction of flanks on springs is full (m/s).
    pub creep: Option<f64>,
    /// Largest stiffness of one pair of teeth (N/m); left out, 14e9 N/m per metre of width for steel.
    pub stiffness: Option<f64>,
    /// Least stiffness of a pair, at the ends of its path, as a part of the largest.
    pub stiffness_ratio: Option<f64>,
    /// Young's modulus of the teeth (N/m^2), for the stiffness by formula.
    pub youngs_modulus: Option<f64>,
    /// Shape factor of the stiffness by formula.
    pub shape_factor: Option<f64>,
    /// Damping ratio of one pair against both wheels.
    pub damping_ratio: Option<f64>,
    /// Damping of one pair where its stiffness is largest (N s/m), instead of the ratio.
    pub damping: Option<f64>,
    /// Part of the base pitch over which the stiffness of a spur pair comes in, which keeps its mean; 0: at once.
    pub entry: Option<f64>,
    /// Tip relief: what is taken off the flanks at the ends of the path (m).
    pub tip_relief: Option<f64>,
    /// Length of the path over which it grows (m).
    pub relief_length: Option<f64>,
    /// Slices along the width; of helical wheels usually eleven or more, of spur wheels one.
    pub slices: Option<u32>,
}

/// How the flanks of gears push.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GearLaw {
    /// They do not give way; impacts have a restitution.
    #[default]
    Hard,
    /// On springs.
    Spring,
}

/// What says the play of a pair of wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayFrom {
    /// A number, at the mounting distance.
    #[default]
    Mounting,
    /// The thickness of the teeth and the distance.
    Geometry,
}

/// Flanks that touch at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Flanks {
    /// None: in the middle of the play.
    #[default]
    Middle,
    /// Those by which a first wheel that turns positively pushes the second.
    Forward,
    /// The others.
    Backward,
}

impl Flanks {
    /// +1, 0, −1.
    pub(crate) fn side(self) -> f64 {
        match self {
            Flanks::Middle => 0.0,
            Flanks::Forward => 1.0,
            Flanks::Backward => -1.0,
        }
    }
}

fn twenty_degrees() -> f64 {
    20f64.to_radians()
}

fn addenda() -> [f64; 2] {
    [1.0; 2]
}

fn dedenda() -> [f64; 2] {
    [1.25; 2]
}

impl GearPair {
    /// Hard spur wheels without play, by teeth and module.
    pub fn between(first: &str, second: &str, teeth: [i32; 2], module: f64) -> Self {
        Self {
            between: [first.into(), second.into()],
            law: GearLaw::Hard,
            teeth,
            module,
            pressure_angle: twenty_degrees(),
            helix_angle: 0.0,
            profile_shift: [0.0; 2],
            addendum: addenda(),
            dedendum: dedenda(),
            width: None,
            distance: None,
            play: None,
            play_from: PlayFrom::Mounting,
            flanks: Flanks::Middle,
            restitution: 0.0,
            friction: 0.0,
            creep: None,
            stiffness: None,
            stiffness_ratio: None,
            youngs_modulus: None,
            shape_factor: None,
            damping_ratio: None,
            damping: None,
            entry: None,
            tip_relief: None,
            relief_length: None,
            slices: None,
        }
    }

    pub(crate) fn quantities(&mut self, see: &mut dyn Numbers) {
        let Self {
            between: _,
            law: _,
            teeth: _,
            module,
            pressure_angle,
            helix_angle,
            profile_shift,
            addendum,
            dedendum,
            width,
            distance,
            play,
            play_from: _,
            flanks: _,
            restitution,
            friction,
            creep,
            stiffness,
            stiffness_ratio,
            youngs_modulus,
            shape_factor,
            damping_ratio,
            damping,
            entry,
            tip_relief,
            relief_length,
            slices: _,
        } = self;
        const STIFFNESS: Dimension = Dimension::FORCE.per(Dimension::LENGTH);
        see.number(module, Dimension::LENGTH);
        see.all([pressure_angle, helix_angle], Dimension::ANGLE);
        see.all(profile_shift.iter_mut().chain(addendum).chain(dedendum), Dimension::NONE);
        let lengths = width.iter_mut().chain(distance).chain(play).chain(tip_relief).chain(relief_length);
        see.all(lengths, Dimension::LENGTH);
        see.all([restitution, friction], Dimension::NONE);
        see.all(creep, Dimension::VELOCITY);
        see.all(stiffness, STIFFNESS);
        see.all(youngs_modulus, Dimension::STRESS);
        see.all(
            stiffness_ratio.iter_mut().chain(shape_factor).chain(damping_ratio).chain(entry),
            Dimension::NONE,
        );
        see.all(damping, STIFFNESS.times(Dimension::TIME));
    }
}
