//! Deep runs from outside: what goes in, what comes out, and where the run stands then.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files and print figures")]

#[path = "../common/choices.rs"]
mod choices;
#[path = "../common/mod.rs"]
mod common;
mod course;
mod endings;
#[path = "../common/fold.rs"]
mod fold;
mod properties;
mod table;
mod tools;
mod world;
