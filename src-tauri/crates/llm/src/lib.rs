//! Models behind one port: OpenAI-compatible services, Anthropic, Gemini, Ollama, and the built-in
//! researcher, which is no AI.

mod anthropic;
pub mod builtin;
pub mod chain;
mod endpoint;
pub mod envelope;
mod facts;
mod failure;
mod gemini;
mod http;
mod json_tools;
mod keys;
mod ollama;
mod openai;
mod quirks;
mod retry;
mod shared;
mod stream;
mod think;
pub mod tokens;

pub use anthropic::anthropic;
pub use builtin::{BuiltinResearcher, LABEL as BUILTIN_LABEL, Words as BuiltinWords};
pub use chain::ModelChain;
pub use endpoint::{Endpoint, EndpointConfig};
pub use envelope::Enveloped;
pub use gemini::gemini;
pub use keys::Keys;
pub use ollama::ollama;
pub use openai::open_ai_compatible;
pub use quirks::{LearnedQuirk, Quirk, QuirkStore};
pub use shared::Registry;
