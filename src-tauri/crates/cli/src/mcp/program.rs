//! How other programs start the server.

use anyhow::{Context, Result};
use nexi_messages::say;

use crate::args::Common;
use crate::start;

/// How others start this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub program: String,
    pub args: Vec<String>,
}

/// This program, with the same settings and data.
///
/// # Errors
/// When its place is not known.
pub fn server(common: &Common) -> Result<Server> {
    let program = std::env::current_exe().with_context(|| say!("nexi-mcp-no-program"))?;
    let program = program.to_str().with_context(|| say!("nexi-mcp-bad-program"))?.to_owned();
    let mut args = vec!["mcp".to_owned()];
    args.extend(start::same_places(common).into_iter().map(|word| word.to_string_lossy().into_owned()));
    Ok(Server { program, args })
}
