//! How other programs start the server.

use anyhow::{Context, Result};

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
    let program = std::env::current_exe().context("the place of this program is not known")?;
    let program = program.to_str().context("the place of this program is no UTF-8 text")?.to_owned();
    let mut args = vec!["mcp".to_owned()];
    args.extend(start::same_places(common).into_iter().map(|word| word.to_string_lossy().into_owned()));
    Ok(Server { program, args })
}
