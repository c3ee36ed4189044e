//! The book of Carom inside the program: `carom docs` shows it without a network.

/// Path and text of every page.
pub const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// Path and bytes of everything else: pictures.
pub const PICTURES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/pictures.rs"));
