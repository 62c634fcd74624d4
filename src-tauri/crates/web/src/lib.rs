//! Finding and reading: search backends, readers, the network guard, HTML to Markdown.

pub mod chain;
pub mod client;
pub mod embedding;
mod excess_attributes;
mod freshness;
pub mod guard;
pub mod html;
pub mod page;
pub mod read;
mod registry;
pub mod search;
pub mod security;
pub mod service;
mod style;

pub use chain::{ReaderChain, SearchChain};
pub use guard::Guard;
pub use registry::{Registry, Shared};
pub use service::Service;
