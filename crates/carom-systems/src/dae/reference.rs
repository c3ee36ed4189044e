//! The states, to the last digit of a double.

use std::f64::consts::FRAC_PI_3;

/// A state of an exact motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference<const N: usize, const M: usize> {
    /// Time (s).
    pub t: f64,
    /// Coordinates.
    pub q: [f64; N],
    /// Velocities.
    pub v: [f64; N],
    /// v'.
    pub acceleration: [f64; N],
    /// λ of M v' = h + Gᵀ λ.
    pub lambda: [f64; M],
}

/// Where a motion starts at t = 0, and states it passes: N coordinates, M rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem<const N: usize, const M: usize> {
    /// Coordinates at the start.
    pub q: [f64; N],
    /// Velocities at the start.
    pub v: [f64; N],
    /// States later on, in order of time.
    pub at: &'static [Reference<N, M>],
}

/// Motion of [`Pendulum`](super::Pendulum).
pub const PENDULUM: Problem<2, 1> = Problem {
    q: [0.6, -0.8],
    v: [0.8, 0.6],
    at: &[
        Reference {
            t: 0.5,
            q: [0.3650082004640603, -0.9310043037462225],
            v: [-1.759155836546728, -0.6896920923458999],
            acceleration: [-4.636865854866509, 2.016972822216593],
            lambda: [-12.703456659251325],
        },
        Reference {
            t: 1.0,
            q: [-0.56680409914027, -0.8238526040486776],
            v: [-0.998184415545039, 0.6867430116121036],
            acceleration: [5.412969022054438, -1.9422223476884928],
            lambda: [-9.549982137152579],
        },
        Reference {
            t: 2.0,
            q: [0.5262331724198872, -0.8503403131951943],
            v: [1.1988522671532174, 0.7419098236519748],
            acceleration: [-5.435733667624106, -1.026396624869133],
            lambda: [-10.32951541733457],
        },
    ],
};

/// Motion of [`SliderCrank1Dof`](crate::SliderCrank1Dof) with its defaults.
pub const SLIDER_CRANK: Problem<2, 1> = Problem {
    q: [0.0, 0.0],
    v: [4.0, -2.0],
    at: &[
        Reference {
            t: 0.5,
            q: [0.5471615577908083, -0.2631595721877999],
            v: [-0.5446580964034917, 0.2408624870387676],
            acceleration: [-5.667515813147509, 2.570619017254519],
            lambda: [15.411949875144522],
        },
        Reference {
            t: 1.0,
            q: [-0.7983299365234461, 0.3662276190134756],
            v: [-3.3579297171602995, 1.2549800802995872],
            acceleration: [2.783549238451876, -4.760825297776271],
            lambda: [19.525381395750763],
        },
    ],
};

/// Motion of [`FourBarMinimal`](crate::FourBarMinimal) with its defaults.
pub const FOUR_BAR: Problem<3, 2> = Problem {
    q: [FRAC_PI_3, 0.24256387409548527, 2.0943951023931957],
    v: [0.0, 0.0, 0.0],
    at: &[
        Reference {
            t: 0.5,
            q: [-0.6642966296039371, -0.5364152564762455, 4.317503423217062],
            v: [-5.994571102422909, 4.85642188117914, -0.579170600472382],
            acceleration: [74.90621133245892, -71.70736987639758, -41.18992903416606],
            lambda: [9.293639457316214, 3.1178631862659825],
        },
        Reference {
            t: 1.0,
            q: [1.5582658243646008, -0.49123225116092795, 2.810850591618609],
            v: [2.271651345752759, 11.23412592460469, -9.463125869635368],
            acceleration: [-299.48424461308656, -88.15868917051341, -6.333521653143684],
            lambda: [111.55017723696055, -44.09908322378656],
        },
    ],
};

/// Motion of [`Generic`](super::Generic).
pub const GENERIC: Problem<4, 2> = Problem {
    q: [0.6, 0.8, 0.0, 0.9150591966279195],
    v: [0.3, -0.09418761515499542, -0.03387691851440879, -0.2],
    at: &[
        Reference {
            t: 0.5,
            q: [0.7481472733117037, 0.736910014317698, -0.027120685432865835, 0.8450627181020197],
            v: [0.28961157552588207, -0.1626691765817038, -0.07415670706082762, -0.08818635250433803],
            acceleration: [
                -0.04001930101309503,
                -0.1629694549777052,
                -0.07485102461228522,
                0.17657776948827253,
            ],
            lambda: [0.5030846618676755, -0.32021608467045415],
        },
        Reference {
            t: 1.0,
            q: [0.8859296933871359, 0.6334055038159226, -0.07229294064250344, 0.8198014342631817],
            v: [0.2570809440919563, -0.2545066205310251, -0.10345636715608722, -0.01867720772607154],
            acceleration: [
                -0.09333478077175866,
                -0.2005746970527648,
                -0.0382124385929137,
                0.10686617089911356,
            ],
            lambda: [0.39474785381392896, -0.2404157324246696],
        },
    ],
};
