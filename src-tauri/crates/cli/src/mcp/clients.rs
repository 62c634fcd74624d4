//! What other programs have to be told to use the server.

use anyhow::Result;
use clap::ValueEnum;
use nexi_messages::say;
use serde_json::{Value, json};

use super::install;
use super::program::server;
use crate::args::{Client, Common};

/// A piece of configuration for every program we know of.
pub fn configuration(common: &Common) -> Result<String> {
    let server = server(common)?;
    let block = |value: &Value| serde_json::to_string_pretty(value);
    let words = std::iter::once(server.program.as_str()).chain(server.args.iter().map(String::as_str));
    let quoted: Vec<String> = words.map(quoted).collect();
    let mut out = format!("{}\n", say!("nexi-mcp-writes-these"));
    for client in Client::value_variants() {
        let (path, entry) = install::entry(*client, &server)?;
        let place = say!("nexi-mcp-in-file", client = client.label(), path = path.display().to_string());
        out.push_str(&format!("\n{place}\n\n{}\n", entry.trim()));
    }
    let http = json!({"type": "http", "url": "http://127.0.0.1:8765/mcp", "headers": {"Authorization": "Bearer TOKEN"}});
    out.push_str(&format!(
        "\n{}\n\nnpx @modelcontextprotocol/inspector {}\n\n{}\n\n{}\n\n{}\n\n{}\n",
        say!("nexi-mcp-inspector"),
        quoted.join(" "),
        say!("nexi-mcp-over-http"),
        block(&json!({"servers": {"nexi": http}}))?,
        say!("nexi-mcp-in-others"),
        block(&json!({"mcpServers": {"nexi": http}}))?,
    ));
    Ok(out)
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
