//! The pure heart of Nexi: it decides, others do.
//!
//! Nothing in this crate reads a clock, a file, a network, an environment variable or a random
//! number, and nothing here starts a thread. Whatever happens outside arrives as an
//! [`run::Input`]; whatever should happen next leaves as a [`run::Effect`].

pub mod answer_stream;
pub mod citations;
pub mod evidence;
pub mod ids;
pub mod markdown;
pub mod model;
pub mod pace;
pub mod ports;
pub mod pricing;
pub mod prompts;
pub mod protocol;
pub mod quotes;
pub mod rank;
pub mod run;
pub mod settings;
pub mod temporal;
pub mod text;
pub mod tools;
pub mod urls;
