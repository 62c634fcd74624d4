//! Arguments of the commands that use single parts: search, readers, the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

#[derive(Debug, Args)]
pub struct Search {
    /// The query; up to five, each in quotation marks, are searched separately
    #[arg(value_name = "QUERY", required = true)]
    pub queries: Vec<String>,
    /// Use this search backend instead of the configured ones
    #[arg(short, long, value_name = "NAME", add = crate::complete::search_backend())]
    pub backend: Option<String>,
    /// Print one JSON object: {searches: [{query, results, error?}], provider_failures}
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Read {
    /// One to eight URLs of pages or documents
    #[arg(value_name = "URL", required = true, num_args = 1..=8, value_hint = ValueHint::AnyPath)]
    pub urls: Vec<String>,
    /// The full text, however long
    #[arg(long, conflicts_with_all = ["chunks", "instructions"])]
    pub full: bool,
    /// What to look for; prints only the best passages
    #[arg(short, long, value_name = "TEXT")]
    pub instructions: Option<String>,
    /// With --instructions: only the few best excerpts
    #[arg(long, requires = "instructions")]
    pub chunks: bool,
    /// Use this reader instead of the configured ones
    #[arg(short, long, value_name = "NAME")]
    pub backend: Option<String>,
    /// Print one JSON object: {pages: [{url, title, content, error?}], provider_failures}
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Mcp {
    #[command(subcommand)]
    pub command: Option<McpCommand>,
    #[command(flatten)]
    pub http: Http,
    /// Print the configuration for other programs, such as Claude Code, VS Code and Zed
    #[arg(long, conflicts_with_all = ["http", "token_file", "allow_host"])]
    pub print_config: bool,
}

#[derive(Debug, Args)]
pub struct Http {
    /// Serve HTTP on this address instead of standard input and output; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    pub http: Option<SocketAddr>,
    /// A file with the token that clients must send (default: NEXI_MCP_TOKEN, or a new token)
    #[arg(long, value_name = "FILE", requires = "http")]
    pub token_file: Option<PathBuf>,
    /// Another host name that clients use for this address; can be repeated
    #[arg(long, value_name = "HOST", requires = "http", value_parser = host)]
    pub allow_host: Vec<String>,
}

/// An address to listen at; a port alone is one of this computer.
fn address(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    if let Ok(port) = text.strip_prefix("localhost:").unwrap_or(text).parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse().map_err(|_| "write it like 127.0.0.1:8765, or a port alone".to_owned())
}

/// A name without scheme, port and path.
fn host(text: &str) -> Result<String, String> {
    let text = text.trim().to_ascii_lowercase();
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '[' | ']' | ':');
    match text.is_empty() || !text.chars().all(fits) || (text.contains(':') && !text.starts_with('[')) {
        true => Err("write the name alone, such as nexi.example.org".into()),
        false => Ok(text),
    }
}

#[derive(Debug, Subcommand)]
pub enum McpCommand {
    /// Add Nexi to the configuration of another program, after showing the change
    Install(Install),
}

#[derive(Debug, Args)]
pub struct Install {
    /// The program
    #[arg(value_enum, value_name = "PROGRAM")]
    pub client: Client,
    /// Take the entry away again
    #[arg(long)]
    pub remove: bool,
    /// Skip confirmation
    #[arg(short, long)]
    pub yes: bool,
}

/// A program that uses MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code, for all your projects
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex
    Codex,
    /// Zed
    Zed,
    /// Windsurf
    Windsurf,
    /// Gemini CLI
    Gemini,
}

impl Client {
    /// Its name as people know it.
    pub fn label(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::Vscode => "VS Code",
            Self::Codex => "Codex",
            Self::Zed => "Zed",
            Self::Windsurf => "Windsurf",
            Self::Gemini => "Gemini CLI",
        }
    }
}
