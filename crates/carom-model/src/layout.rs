//! Where the things of a mechanism are attached: names of a description, resolved once when the model is built, for
//! whoever draws it, lists it or looks for what is missing.

/// A place that moves with a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchor {
    /// The body, whose pose is in the channels `<body>.x`, `.y` and `.angle`, or `ground`, which stands still. A named
    /// point of a flexible body has channels of its own: it is `<body>.<point>`, and the place is zero.
    pub body: String,
    /// Place in that frame (m).
    pub at: [f64; 2],
    /// Angle of the frame of the place against that frame (rad).
    pub angle: f64,
}

/// A place in space that moves with a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceAnchor {
    /// The body, whose pose is in the channels `<body>.x`, `.y`, `.z`, `.qw`, `.qx`, `.qy`, `.qz`, or `ground`, which stands still.
    pub body: String,
    /// Place in that frame (m).
    pub at: [f64; 3],
    /// Unit quaternion w, x, y, z of the frame of the place against that frame; its z is the axis of a joint.
    pub rotation: [f64; 4],
}

/// A moving body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyLayout {
    /// Its name.
    pub name: String,
    /// `rigid`, `point`, or how it deforms, as a model file says it.
    pub kind: &'static str,
    /// Moment of inertia about the centre of mass (kg m²) of a rigid body in the plane.
    pub inertia: Option<f64>,
    /// The matrix of inertia about the centre of mass in body axes (kg m²) of a rigid body in space.
    pub inertia_matrix: Option<[[f64; 3]; 3]>,
}

/// A joint, a force or a contact.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment<A = Anchor> {
    /// Its name.
    pub name: String,
    /// What it is, as a model file says it; a contact is a `contact`.
    pub kind: &'static str,
    /// What it refers to, as described: bodies, points, shapes.
    pub between: Vec<String>,
    /// Where it acts: of a joint first the place that carries its sign, such as a guide, then its partner if the eye is
    /// to be led there; of a spring both ends. Contacts have [`Mark`]s instead.
    pub anchors: Vec<A>,
}

/// A place of a contact, or of a joint with clearance, on the body that touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark<A = Anchor> {
    /// Name of the contact or joint, with a number where it touches in several places.
    pub subject: String,
    /// Where.
    pub at: A,
    /// Radius of the touching disk (m); 0 for a point.
    pub radius: f64,
}

/// Where the things of a mechanism are attached, in the order they are described.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout<A = Anchor> {
    /// Moving bodies.
    pub bodies: Vec<BodyLayout>,
    /// Joints, each with at least one anchor.
    pub joints: Vec<Attachment<A>>,
    /// Forces; with two anchors where they act along the line between them, without where nothing is drawn.
    pub forces: Vec<Attachment<A>>,
    /// Contacts.
    pub contacts: Vec<Attachment<A>>,
    /// Bodies that take part in contacts between groups.
    pub in_groups: Vec<String>,
    /// Places of the contacts.
    pub contact_marks: Vec<Mark<A>>,
    /// Places of the joints with clearance.
    pub joint_marks: Vec<Mark<A>>,
}

impl<A> Default for Layout<A> {
    fn default() -> Self {
        Self {
            bodies: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            contacts: Vec::new(),
            in_groups: Vec::new(),
            contact_marks: Vec::new(),
            joint_marks: Vec::new(),
        }
    }
}

impl<A> Layout<A> {
    /// Whether a joint, a force or a contact refers to a body.
    pub fn refers_to(&self, body: &str) -> bool {
        let all = [&self.joints, &self.forces, &self.contacts];
        let of = |reference: &String| reference.split('.').next() == Some(body);
        all.into_iter().flatten().any(|thing| thing.between.iter().any(of))
            || self.in_groups.iter().any(|b| b == body)
    }
}
