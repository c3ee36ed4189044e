//! The command line from outside: what it prints, writes, and answers to wrong input.

// The book is read by the same functions as in the tests of `carom`.
#[path = "../../../carom/tests/it/pages.rs"]
mod pages;

mod animate;
mod bad_input;
mod bad_input_space;
mod book;
mod book_space;
mod common;
mod docs;
mod dump_problems;
mod invariance;
mod modes;
mod other_commands;
mod plot;
mod readme;
mod report;
mod run;
mod small_commands;
mod solve;
mod spectrum;
mod study_page;
mod sweep;
mod systems;
mod versions;
