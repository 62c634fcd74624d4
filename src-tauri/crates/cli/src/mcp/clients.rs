//! What other programs have to be told to use the server.

use anyhow::Result;
use clap::ValueEnum;
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
    let mut out = String::from("`nexi mcp install PROGRAM` writes these for you, into the file that is named.\n");
    for client in Client::value_variants() {
        let (path, entry) = install::entry(*client, &server)?;
        out.push_str(&format!("\n{}, in {}:\n\n{}\n", client.label(), path.display(), entry.trim()));
    }
    let http = json!({"type": "http", "url": "http://127.0.0.1:8765/mcp", "headers": {"Authorization": "Bearer TOKEN"}});
    out.push_str(&format!(
        "\nThe Inspector, in a terminal:\n\nnpx @modelcontextprotocol/inspector {}\n\n\
         Over HTTP: run `nexi mcp --http 127.0.0.1:8765` and send the token that it prints. In VS Code:\n\n{}\n\n\
         In Claude Code, Cursor and most others:\n\n{}\n",
        quoted.join(" "),
        block(&json!({"servers": {"nexi": http}}))?,
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
