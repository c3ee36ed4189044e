//! The whole: models that run, the gallery, and the book.

mod book;
mod choosing;
mod coded;
mod coordinates;
mod docs;
mod elastic_survey;
mod event_driven;
mod flexible;
mod gallery;
mod messages;
mod pages;
mod recording;
mod space;
mod space_events;
mod space_frames;
mod space_gallery;
mod space_models;
mod space_resistance;
