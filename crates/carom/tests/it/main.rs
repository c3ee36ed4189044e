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
