//! Joints that are told by their two frames alone.

use super::JointKind;
use crate::build::{Agree, Built, SpaceBuilder};
use crate::check::Check;
use crate::dimension::Numbers;
use crate::joints::{Holding, SpaceElement};
use crate::kinds::Described;
use crate::layout::SpaceAnchor;
use carom_dynamics::Configuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! plain {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $agree:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The two points.
            pub between: [String; 2],
        }

        impl Described for $name {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn quantities(&mut self, _: &mut dyn Numbers) {
                let Self { between: _ } = self;
            }

            fn check(&self, _: &str) -> Check {
                Ok(())
            }
        }

        impl JointKind for $name {
            fn between(&self) -> Vec<String> {
                self.between.to_vec()
            }

            fn build(
                &self,
                key: &str,
                builder: &mut SpaceBuilder,
                start: &Configuration,
            ) -> Built<Vec<SpaceAnchor>> {
                let joined = builder.joined("joints", key, &self.between, start, $agree)?;
                let joint = SpaceElement::held(Holding::$name, joined.pair);
                builder.add_joint(key, vec![joint]);
                Ok(joined.anchors.into())
            }
        }
    };
}

plain! {
    /// Two frames are one: the points coincide, and the bodies do not turn against each other. Their relative orientation is that
    /// of the start unless both points say all of their axes.
    Weld, "weld", Agree::Whole
}

plain! {
    /// Two points coincide; x of the first and y of the second frame are the arms of the cross and stay square. z is along the
    /// shafts.
    Universal, "universal", Agree::Crossed
}

plain! {
    /// Two points coincide; the turn from the first to the second frame has no part about their z, so one shaft turns as fast as
    /// the other at any angle between them.
    ConstantVelocity, "constant-velocity", Agree::Bent
}

plain! {
    /// The second point stays in the plane square to z of the first frame, and their z stay parallel.
    Planar, "planar", Agree::Parallel
}

plain! {
    /// The second point stays on the line along z of the first frame.
    PointOnLine, "point-on-line", Agree::First
}

plain! {
    /// The second point stays in the plane square to z of the first frame.
    PointOnPlane, "point-on-plane", Agree::First
}
