//! What decides: runs, and what they are told, ask for and tell.

mod cause;
pub mod document_filter;
mod failure;
pub mod ids;
pub mod incident;
mod lenient;
pub mod model;
pub mod pace;
pub mod ports;
pub mod preferences;
pub mod pricing;
mod problem;
pub mod prompts;
pub mod protocol;
mod redaction;
pub mod run;
pub mod settings;
pub mod template;
pub mod tools;
mod usage;
pub mod user_tools;
mod values;
