//! What other programs have to be told to use the server.

use anyhow::{Context, Result};
use serde_json::{Value, json};

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

/// A piece of configuration for every program we know of.
pub fn configuration(common: &Common) -> Result<String> {
    let Server { program, args } = server(common)?;
    let program = program.as_str();
    let server = json!({"command": program, "args": args});
    let block = |value: &Value| serde_json::to_string_pretty(value);
    let whole = json!({"mcpServers": {"nexi": server}});
    let quoted: Vec<String> = std::iter::once(program).chain(args.iter().map(String::as_str)).map(quoted).collect();
    Ok(format!(
        "`nexi mcp install PROGRAM` writes these for you: claude-code, claude-desktop, cursor, vscode, codex, zed, windsurf or gemini.\n\n\
         Claude Desktop, in claude_desktop_config.json (Settings, Developer, Edit Config), and\n\
         Cursor, in ~/.cursor/mcp.json or .cursor/mcp.json of a project:\n\n{}\n\n\
         VS Code, in .vscode/mcp.json of a project, or MCP: Open User Configuration:\n\n{}\n\n\
         The Inspector, in a terminal:\n\nnpx @modelcontextprotocol/inspector {}\n\n\
         A program that speaks HTTP: run `nexi mcp --http 127.0.0.1:8765` and send the token that it prints:\n\n{}\n",
        block(&whole)?,
        block(&json!({"servers": {"nexi": {"type": "stdio", "command": program, "args": args}}}))?,
        quoted.join(" "),
        block(
            &json!({"servers": {"nexi": {"type": "http", "url": "http://127.0.0.1:8765/mcp", "headers": {"Authorization": "Bearer TOKEN"}}}})
        )?,
    ))
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:".contains(c)) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_shells() {
        assert_eq!((quoted("/a/b-c"), quoted("a b"), quoted("it's")), ("/a/b-c".into(), "'a b'".into(), "'it'\\''s'".into()));
    }
}
