//! Finding and reading: search backends, readers, the network guard, HTML to Markdown.

pub mod chain;
pub mod client;
pub mod guard;
pub mod html;
pub mod read;
pub mod search;

pub use chain::{ReaderChain, SearchChain};
pub use guard::Guard;
