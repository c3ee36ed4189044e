//! A mechanism of the plane or of space, for those who handle both alike.

use crate::assembly::{Assembly, AssemblyError};
use crate::description::{Description, Event, Simulation, Table, Terms, space};
use crate::error::ModelError;
use crate::freedom::Freedom;
use crate::geometry::Space;
use crate::layout::BodyLayout;
use crate::model::Model;
use crate::outer::Functions;
use carom_dynamics::System;
use indexmap::IndexMap;
use serde::Serialize;
use std::sync::Arc;

/// A description of the plane or of space.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnyDescription {
    /// Vectors have two numbers.
    Plane(Description),
    /// Vectors have three numbers.
    Space(space::Description),
}

macro_rules! each {
    ($self:expr, $any:ident => $call:expr) => {
        match $self {
            Self::Plane($any) => $call,
            Self::Space($any) => $call,
        }
    };
}

impl AnyDescription {
    /// That of the plane, if it is one.
    pub fn plane(&self) -> Option<&Description> {
        match self {
            Self::Plane(description) => Some(description),
            Self::Space(_) => None,
        }
    }

    /// That of the plane, if it is one, to change it.
    pub fn plane_mut(&mut self) -> Option<&mut Description> {
        match self {
            Self::Plane(description) => Some(description),
            Self::Space(_) => None,
        }
    }

    /// That of space, if it is one.
    pub fn space(&self) -> Option<&space::Description> {
        match self {
            Self::Plane(_) => None,
            Self::Space(description) => Some(description),
        }
    }

    /// One line for people.
    pub fn title(&self) -> &str {
        each!(self, description => &description.title)
    }

    /// How to run it.
    pub fn simulation(&self) -> &Simulation {
        each!(self, description => &description.simulation)
    }

    /// How to run it, to change it.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        each!(self, description => &mut description.simulation)
    }

    /// What is to be found where it happens.
    pub fn events(&self) -> &IndexMap<String, Event> {
        each!(self, description => &description.events)
    }

    /// What is to be found where it happens, to change it.
    pub fn events_mut(&mut self) -> &mut IndexMap<String, Event> {
        each!(self, description => &mut description.events)
    }

    /// What the words of formulas of forces mean.
    pub fn terms_mut(&mut self) -> &mut Terms {
        each!(self, description => &mut description.terms)
    }

    /// Curves that formulas of forces may call.
    pub fn tables_mut(&mut self) -> &mut IndexMap<String, Table> {
        each!(self, description => &mut description.tables)
    }

    /// Functions of the program around that formulas may call.
    pub fn functions_mut(&mut self) -> &mut Functions {
        each!(self, description => &mut description.functions)
    }

    /// Gravity (m/s²), two or three numbers.
    pub fn gravity(&self) -> &[f64] {
        each!(self, description => &description.gravity)
    }

    /// Names of the bodies.
    pub fn bodies(&self) -> Vec<&str> {
        each!(self, description => description.bodies.keys().map(String::as_str).collect())
    }

    /// Names of the joints.
    pub fn joints(&self) -> Vec<&str> {
        each!(self, description => description.joints.keys().map(String::as_str).collect())
    }

    /// Names of the contacts.
    pub fn contacts(&self) -> Vec<&str> {
        each!(self, description => description.contacts.keys().map(String::as_str).collect())
    }

    /// Takes a joint out; false if there is none of that name.
    pub fn remove_joint(&mut self, name: &str) -> bool {
        each!(self, description => description.joints.shift_remove(name).is_some())
    }

    /// Checks it and builds the model; the error is a list, never empty, of all that is wrong.
    pub fn build(&self) -> Result<AnyModel, Vec<ModelError>> {
        Ok(match self {
            Self::Plane(description) => AnyModel::Plane(Arc::new(Model::build(description)?)),
            Self::Space(description) => AnyModel::Space(Arc::new(Model::build_in_space(description)?)),
        })
    }
}

/// A model of the plane or of space.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// Of the plane.
    Plane(Arc<Model>),
    /// Of space.
    Space(Arc<Model<Space>>),
}

impl AnyModel {
    /// That of the plane, if it is one.
    pub fn plane(&self) -> Option<&Arc<Model>> {
        match self {
            Self::Plane(model) => Some(model),
            Self::Space(_) => None,
        }
    }

    /// That of space, if it is one.
    pub fn space(&self) -> Option<&Arc<Model<Space>>> {
        match self {
            Self::Plane(_) => None,
            Self::Space(model) => Some(model),
        }
    }

    /// As a scheme sees it.
    pub fn system(&self) -> &dyn System {
        match self {
            Self::Plane(model) => &**model,
            Self::Space(model) => &**model,
        }
    }

    /// Closes the joints and makes the velocities compatible with them.
    pub fn assemble(&self) -> Result<Assembly, AssemblyError> {
        each!(self, model => model.assemble())
    }

    /// Positions with all joints closed.
    pub fn close_joints(&self) -> Result<Vec<f64>, AssemblyError> {
        each!(self, model => model.close_joints())
    }

    /// The assembly at positions that are known.
    pub fn assembled_at(&self, q: Vec<f64>) -> Result<Assembly, AssemblyError> {
        each!(self, model => model.assembled_at(q))
    }

    /// What is doubtful about the teeth of gears: the pair, what it is, what would help.
    pub fn doubtful_gears(&self) -> Vec<(&str, String, String)> {
        each!(self, model => model.doubtful_gears())
    }

    /// Degrees of freedom and redundant constraints at the coordinates given.
    pub fn freedom(&self, q: &[f64]) -> Freedom {
        each!(self, model => model.freedom(q))
    }

    /// The moving bodies.
    pub fn bodies(&self) -> &[BodyLayout] {
        each!(self, model => &model.layout().bodies)
    }

    /// Mass in kg of every body, in order.
    pub fn masses(&self) -> Vec<(&str, f64)> {
        each!(self, model => model.masses().collect())
    }

    /// Where the centre of mass of all bodies is at the coordinates given (m); none if a body does not say where its own is.
    pub fn centre_of_mass(&self, q: &[f64]) -> Option<Vec<f64>> {
        each!(self, model => model.centre_of_mass(q).map(|place| place.to_vec()))
    }

    /// Every joint: its name, its `type`, and what it connects as described.
    pub fn joints(&self) -> Vec<(&str, &'static str, &[String])> {
        each!(self, model => {
            let joints = model.layout().joints.iter();
            joints.map(|joint| (joint.name.as_str(), joint.kind, joint.between.as_slice())).collect()
        })
    }

    /// Whether a joint, a force or a contact refers to a body.
    pub fn refers_to(&self, body: &str) -> bool {
        each!(self, model => model.layout().refers_to(body))
    }
}
