//! What a mechanism is made of, for the record of a run: bodies, joints, contacts, degrees of freedom.

use carom_dynamics::{ContactKind, System};
use carom_model::{AnyModel, BodyLayout, Freedom};
use serde::{Deserialize, Serialize};

/// What a mechanism is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Moving bodies; a coded system does not tell its own.
    pub bodies: Vec<BodyFacts>,
    /// Joints.
    pub joints: Vec<JointFacts>,
    /// Contacts, those of joints with clearance included.
    pub contacts: Vec<ContactFacts>,
    /// Coordinates of the equations that are integrated.
    pub coordinates: usize,
    /// Velocities minus independent constraints.
    pub degrees_of_freedom: usize,
    /// Constraints that others imply, such as `rod.x`.
    pub redundant: Vec<String>,
    /// Size of the mechanism (m), which lengths are compared with.
    pub size: f64,
}

/// A moving body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyFacts {
    /// Its name.
    pub name: String,
    /// `rigid`, `point`, or how it deforms: `bar`, `beam`, `exact-beam`, `solid`.
    pub kind: String,
    /// Mass (kg).
    pub mass: f64,
    /// Moment of inertia about the centre of mass (kg m²) of a rigid body in the plane.
    pub inertia: Option<f64>,
    /// Matrix of inertia about the centre of mass in body axes (kg m²) of a rigid body in space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia_matrix: Option<[[f64; 3]; 3]>,
}

/// A joint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointFacts {
    /// Its name.
    pub name: String,
    /// Its type as in the model file; empty if it is not known.
    pub kind: String,
    /// What it connects; empty if it is not known.
    pub between: Vec<String>,
    /// How many constraints it is; none for a joint with clearance, which is made of contacts.
    pub rows: usize,
}

/// A contact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactFacts {
    /// Its name.
    pub name: String,
    /// How many places may touch.
    pub count: usize,
    /// Newton's coefficient of restitution.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
}

impl Facts {
    /// Facts of a model that is integrated as `system`, in whatever coordinates.
    pub fn of_model(model: &AnyModel, freedom: &Freedom, system: &dyn System) -> Self {
        let own = model.system();
        let body = |(body, (name, mass)): (&BodyLayout, (&str, f64))| BodyFacts {
            name: name.into(),
            kind: body.kind.into(),
            mass,
            inertia: body.inertia,
            inertia_matrix: body.inertia_matrix,
        };
        let joint = |(name, kind, between): (&str, &'static str, &[String])| {
            let info = own.structure().constraints.iter().find(|info| info.name == name);
            let rows = info.map_or(0, |info| info.rows.len());
            JointFacts { name: name.into(), kind: kind.into(), between: between.to_vec(), rows }
        };
        Self {
            bodies: model.bodies().iter().zip(model.masses()).map(body).collect(),
            joints: model.joints().into_iter().map(joint).collect(),
            contacts: contacts(own),
            coordinates: system.structure().sizes.q,
            degrees_of_freedom: freedom.degrees_of_freedom,
            redundant: freedom.redundant.iter().map(|r| r.name.clone()).collect(),
            size: own.structure().length_scale,
        }
    }

    /// What any system tells of itself; its constraints count as independent.
    pub fn of_system(system: &dyn System) -> Self {
        let sizes = system.structure().sizes;
        let joints = system.structure().constraints.iter().map(|info| JointFacts {
            name: info.name.clone(),
            rows: info.rows.len(),
            ..JointFacts::default()
        });
        Self {
            joints: joints.collect(),
            contacts: contacts(system),
            coordinates: sizes.q,
            degrees_of_freedom: sizes.v.saturating_sub(sizes.constraints),
            size: system.structure().length_scale,
            ..Self::default()
        }
    }
}

/// Contacts that may close, those that differ in their number alone (`foot.1`, `foot.2`) as one.
fn contacts(system: &dyn System) -> Vec<ContactFacts> {
    let mut contacts: Vec<ContactFacts> = Vec::new();
    for info in &system.structure().contacts {
        let friction = match info.kind {
            ContactKind::Unilateral { .. } => 0.0,
            ContactKind::Frictional { friction, .. } | ContactKind::Spatial { friction, .. } => friction,
            ContactKind::Dry { .. } => continue,
        };
        let numbered = info.name.rsplit_once('.').filter(|(_, number)| number.parse::<usize>().is_ok());
        let name = numbered.map_or(info.name.as_str(), |(name, _)| name);
        let restitution = info.kind.restitution();
        match contacts.last_mut() {
            Some(last) if last.name == name => last.count += 1,
            _ => contacts.push(ContactFacts { name: name.into(), count: 1, restitution, friction }),
        }
    }
    contacts
}
