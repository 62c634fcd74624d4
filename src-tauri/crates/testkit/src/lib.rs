//! Stand-ins for the far ends of the internet: loopback servers that speak the real wire formats,
//! count what they are asked, and check every request they get.

mod corpus;
mod embeddings;
mod hooks;
mod llm;
mod raw;
mod services;
mod sign_in;
mod site;
mod waits;

pub use corpus::serve_pages;
pub use embeddings::{EmbeddingServer, FileServer};
pub use hooks::{HookServer, Hooked};
pub use llm::{DeepModel, End, LlmServer, Scripted, task};
pub use raw::RawServer;
pub use services::{Asked, Mood, Services};
pub use sign_in::{SignInBehaviour, SignInServer};
pub use site::{SearchServer, Site};
pub use waits::let_pass;
