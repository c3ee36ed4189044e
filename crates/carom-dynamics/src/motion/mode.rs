//! What the contacts do between two events.

/// What one contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ContactMode {
    /// Nothing: the gap is open, or opens.
    #[default]
    Open,
    /// Closed, without friction: U_N = 0.
    Closed,
    /// Closed and sliding: U_N = 0, λ_T = −μ s λ_N with s the sign of U_T. A joint that rubs slides with −s times its bound.
    Slide(f64),
    /// Closed and sliding in space: U_N = 0, λ_T = −μ λ_N U_T/|U_T|, and this unit vector is the direction of U_T when the slide was
    /// decided. It goes on with U_T.
    SlideAlong([f64; 3]),
    /// Closed and at rest: U_N = 0, U_T = 0. A joint that rubs rests with U = 0.
    Stick,
}

impl ContactMode {
    /// Whether it is closed.
    pub fn is_closed(self) -> bool {
        self != ContactMode::Open
    }

    /// Whether another one is the same but for a direction that goes on by itself.
    pub fn is_like(self, other: Self) -> bool {
        let along = |mode| matches!(mode, ContactMode::SlideAlong(_));
        self == other || (along(self) && along(other))
    }
}
