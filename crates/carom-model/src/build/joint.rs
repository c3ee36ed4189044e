//! What joints are made of: rows of Φ, contacts where there is clearance, dry friction, events.

use super::{Builder, Built};
use crate::contacts::{self, Contacts, Touch};
use crate::events::Event;
use crate::joints::Rows;
use crate::layout::Anchor;
use crate::mechanics::Mechanics;
use crate::place::Place;
use carom_dynamics::{ConstraintInfo, ContactInfo, ContactKind, EventInfo};
use std::ops::Range;

impl<S: Mechanics> Builder<'_, S> {
    /// The rows of a joint that has none.
    pub fn no_rows(&self) -> Range<usize> {
        self.rows..self.rows
    }

    /// Adds the rows of a joint and says which they are.
    pub fn add_joint(&mut self, key: &str, elements: Vec<S::Joint>) -> Range<usize> {
        let first_row = self.rows;
        let mut quantities = Vec::new();
        for element in elements {
            let row = self.rows as u32;
            self.rows += element.quantities().len();
            quantities.extend_from_slice(element.quantities());
            self.model.joints.push((row, element));
        }
        let rows = first_row..self.rows;
        self.model.structure.constraints.push(ConstraintInfo {
            name: key.into(),
            rows: rows.clone(),
            quantities,
        });
        rows
    }

    /// Adds the row of a joint that knows time.
    pub fn add_driven_joint(&mut self, key: &str, element: S::Joint) {
        self.model.driven.push(self.model.joints.len());
        self.add_joint(key, vec![element]);
    }

    pub fn add_event(&mut self, event: Event<S>, info: EventInfo) {
        self.model.events.push(event);
        self.model.structure.events.push(info);
    }
}

impl Builder<'_> {
    /// Two bodies that turn.
    pub fn turning_pair(
        &self,
        section: &str,
        key: &str,
        between: &[String; 2],
    ) -> Built<([Place; 2], [Anchor; 2])> {
        let (first, at) = self.turning_place(&between[0], &[section, key, "between", "0"])?;
        let (second, to) = self.turning_place(&between[1], &[section, key, "between", "1"])?;
        self.two_bodies(&first, &second, &[section, key, "between"])?;
        Ok(([first, second], [at, to]))
    }

    /// Dry friction in a joint.
    pub fn dry(&mut self, key: &str, kind: ContactKind, element: contacts::Element) {
        self.model.contacts.elements.push(element);
        self.model.structure.contacts.push(ContactInfo::new(format!("{key}.friction"), kind));
        self.model.contact_path.push(vec!["joints".into(), key.into()]);
    }

    /// A contact inside of a joint.
    pub fn clearance(&mut self, key: &str, name: String, touch: Touch, restitution: f64, friction: f64) {
        // pin and slider touch and are named second
        self.model.contacts.touches.push((self.model.contacts.len(), -1.0));
        self.model.contacts.elements.push(contacts::Element::Touch(touch));
        let kind = super::contact::kind(restitution, 0.0, friction);
        self.model.structure.contacts.push(ContactInfo::new(name, kind));
        self.model.contact_path.push(vec!["joints".into(), key.into(), "clearance".into()]);
    }
}
