//! Models behind one port: OpenAI-compatible services and the built-in researcher, which is no AI.

pub mod builtin;
pub mod chain;
pub mod openai;
mod retry;
pub mod tokens;

pub use builtin::BuiltinResearcher;
pub use chain::ModelChain;
pub use openai::{OpenAiCompatible, OpenAiConfig};
