//! Every sentence that a person reads, from the catalogue in `src-tauri/locales`.
//!
//! A language is a folder of Project Fluent's `.ftl` files, one file for each part of Nexi. The name
//! of a message begins with the name of its file. Programs look messages up here; the windows load
//! the same messages as a module that is generated from the same files (`tests/modules.rs`).

mod catalogue;
mod coded;
mod language;
mod pseudo;

pub use catalogue::{Messages, Value, decimal};
pub use coded::coded;
pub use language::Language;
pub use pseudo::accented;

/// A message of the catalogue, in the language of the program.
///
/// `say!("incident-again", seconds = 5)`; `.` and a name behind the message asks for one of its attributes.
#[macro_export]
macro_rules! say {
    ($id:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Messages::current().text($id, &[$((stringify!($name), $crate::Value::from($value))),*])
    };
}
