//! The pure heart of Nexi: it decides, others do.
//!
//! Nothing in this crate reads a clock, a file, a network, an environment variable or a random
//! number, and nothing here starts a thread. Whatever happens outside arrives as an
//! [`run::Input`]; whatever should happen next leaves as a [`run::Effect`].
//!
//! `reading` reads text, `research` decides; the first knows nothing of the second.

mod reading;
mod research;

pub use reading::{answer_stream, citations, evidence, markdown, open_marks, place, quotes, rank, temporal, text, urls, visible};
pub use research::{
    document_filter, ids, model, pace, ports, preferences, pricing, prompts, protocol, run, settings, template, tools, user_tools,
};
