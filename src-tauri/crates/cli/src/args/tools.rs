//! Arguments of `nexi tools`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::whole;

/// `nexi tools`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Tools {
    #[command(subcommand)]
    pub command: Option<ToolsCommand>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What `nexi tools` can do.
#[derive(Debug, Subcommand)]
pub enum ToolsCommand {
    /// Add a tool server: a program that speaks MCP, or an address
    Add(AddServer),
    /// List the tool servers and commands with their approved tools
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Start a server and show its tools and what has changed since you approved them
    Test {
        /// The server
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the tools of a server in full and approve them
    Approve {
        /// The server
        name: String,
        /// Only these tools (default: all that it offers)
        tools: Vec<String>,
        /// Skip confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Always allow a tool that only reads; calls that contain private text are still asked about
    Allow {
        /// The server, or `command`
        server: String,
        /// The tool
        tool: String,
    },
    /// Stop always allowing a tool; ask before each call
    Ask {
        /// The server, or `command`
        server: String,
        /// The tool
        tool: String,
    },
    /// Revoke the approval of a tool
    Revoke {
        /// The server
        server: String,
        /// The tool
        tool: String,
    },
    /// Store a secret of a server with your keys
    Secret {
        /// The server
        name: String,
        /// The environment variable; leave it out for a server at an address
        variable: Option<String>,
        /// Remove it
        #[arg(long)]
        remove: bool,
    },
    /// Sign in to a server at an address, in your browser
    SignIn {
        /// The server
        name: String,
        /// Only print the address to open
        #[arg(long)]
        no_browser: bool,
    },
    /// Sign out of a server
    SignOut {
        /// The server
        name: String,
    },
    /// Import servers from Claude Desktop, Cursor or VS Code
    Import {
        /// Only these servers (default: you are asked about each)
        names: Vec<String>,
    },
    /// Remove a server, with the approval of its tools and its secrets
    Remove {
        /// The server
        name: String,
    },
}

#[derive(Debug, Args)]
pub struct AddServer {
    /// Its name: lowercase letters, digits and hyphens
    pub name: String,
    /// The address of a server that is reached over HTTP
    #[arg(long, value_name = "URL", conflicts_with = "command")]
    pub url: Option<String>,
    /// The client ID that the server's provider gave you, if Nexi cannot register itself
    #[arg(long, value_name = "ID", requires = "url")]
    pub client_id: Option<String>,
    /// The port of this computer that a sign-in comes back to (default: any free port)
    #[arg(long, value_name = "PORT", requires = "url", allow_negative_numbers = true, value_parser = whole::<u16>(1..=65_535))]
    pub redirect_port: Option<u16>,
    /// A scope to ask for when signing in; can be repeated
    #[arg(long, value_name = "SCOPE", requires = "url")]
    pub scope: Vec<String>,
    /// An environment variable for the program; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,
    /// A secret environment variable (its value is stored with your keys); can be repeated
    #[arg(long, value_name = "NAME")]
    pub secret: Vec<String>,
    /// Treat its results as public, not as your private text
    #[arg(long)]
    pub public: bool,
    /// This server never sends data from this computer
    #[arg(long)]
    pub local: bool,
    /// Add it without starting it
    #[arg(long)]
    pub no_test: bool,
    /// The program and its arguments, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<PathBuf>,
}
