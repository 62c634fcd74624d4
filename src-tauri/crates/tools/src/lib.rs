//! Tools of the person's own: a client for servers that speak MCP, and commands.
//!
//! Nothing here decides what may be called; that is the run's and the engine's business. What is started is put below a
//! supervisor, a process that ends all that came of it as soon as Nexi is gone.

mod command;
mod connection;
mod content;
mod definition;
mod program;
mod servers;
mod sign_in;
pub mod supervisor;

use async_trait::async_trait;
use nexi_core::{protocol::Form, text};
use serde_json::Value;

pub use command::{definition as command_definition, run as run_command, run_program};
pub use connection::{Address, Launch};
pub use servers::Servers;
pub use sign_in::{CallbackWords, ClientIdentity, SIGN_IN_TIMEOUT, SignIn, SignInClient, SignInHttp, TokenStore, is_signed_in};

/// How far a call is, as its server says.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    pub done: f64,
    pub total: Option<f64>,
    /// What it is doing.
    pub message: Option<String>,
}

/// What a person makes of a form that a server wants to have filled in.
#[derive(Debug, Clone, PartialEq)]
pub enum Filled {
    /// An object with a value for each field.
    With(Value),
    Declined,
    /// Nobody answered, or the call was stopped.
    Cancelled,
}

/// Who hears of a call while it goes on.
#[async_trait]
pub trait Observer: Send + Sync {
    /// The server tells how far it is.
    fn progress(&self, progress: Progress);

    /// The server wants to know something of the person.
    async fn fill(&self, form: Form) -> Filled;
}

/// What somebody else says, on one line that is not too long.
fn short(said: &str) -> String {
    text::truncate(&nexi_core::visible::visible(&text::fold_space(said)), 300)
}

/// What led to an error, without the words of those who only pass it on, and without what the system calls it.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let said = text::innermost(error);
    short(said.split(" (os error ").next().unwrap_or(&said))
}
