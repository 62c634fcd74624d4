//! Tool servers that other programs know, to be taken over after a look.

use std::path::PathBuf;

use directories::BaseDirs;
use nexi_core::settings::{ToolServer, hide_keys, looks_like_key, tools::fitting_name};
use nexi_messages::say;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use super::{Engine, blocking, settings::entry_change, tools::NewToolServer};
use crate::EngineError;

/// Bytes of a file of another program.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// What names of variables with secrets hold.
const SECRET: &[&str] = &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH"];

/// A server in the file of another program.
#[derive(Debug, Clone, Serialize, TS)]
pub struct FoundServer {
    /// The program, such as `Cursor`.
    pub program: String,
    /// The name that it has there, made to fit.
    pub name: String,
    /// What is started or reached, on one line.
    pub launch: String,
    /// Whether the name is already in use.
    pub known: bool,
    /// Whether it is in use for this very server.
    pub same: bool,
    #[serde(skip)]
    #[ts(skip)]
    server: ToolServer,
    #[serde(skip)]
    #[ts(skip)]
    secrets: Vec<(String, SecretString)>,
}

impl FoundServer {
    /// Whether something secret comes with it.
    pub fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }
}

impl Engine {
    /// The servers of Claude Desktop, Cursor and VS Code on this computer. Files that are not there or not readable are
    /// passed over.
    ///
    /// # Errors
    /// When the engine ends.
    pub async fn foreign_tool_servers(&self) -> Result<Vec<FoundServer>, EngineError> {
        let known = self.settings().tools;
        let found =
            blocking(|| places().into_iter().flat_map(|(program, path, table)| read(program, &path, table)).collect::<Vec<_>>()).await?;
        let mut out: Vec<FoundServer> = Vec::new();
        for mut server in found {
            server.known = known.contains_key(&server.name);
            server.same = known.get(&server.name).is_some_and(|known| known.launch() == server.launch);
            // The same server in several programs is listed once.
            if !out.iter().any(|other| other.name == server.name && other.launch == server.launch) {
                out.push(server);
            }
        }
        Ok(out)
    }

    /// Takes a server over, with its secrets, which go where keys are kept. Its tools are approved afterwards.
    ///
    /// # Errors
    /// When a server of this name is there already, the settings cannot be written, or the keys cannot be kept.
    pub async fn take_over_tool_server(&self, found: &FoundServer) -> Result<(), EngineError> {
        self.add_tool_server(&found.name, &found.server)?;
        for (variable, value) in &found.secrets {
            let variable = Some(variable.as_str()).filter(|_| found.server.url.is_none());
            let stored = self.set_tool_secret(&found.name, variable, Some(value.expose_secret().to_owned().into())).await;
            if let Err(error) = stored {
                // All of it or nothing: what is half there could not be tried again.
                self.remove_tool_server(&found.name).await?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Adds a server as a person entered it.
    ///
    /// # Errors
    /// When something about it is wrong, the name is taken, or the file cannot be written.
    pub fn new_tool_server(&self, new: &NewToolServer) -> Result<(), EngineError> {
        let mut server = ToolServer { secrets: new.secrets.clone(), ..ToolServer::default() };
        let launch = new.launch.trim();
        if is_address(launch) {
            server.url = Some(launch.to_owned());
        } else {
            (server.command, server.args) = command_of("launch", launch)?;
        }
        for line in new.env.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once('=').ok_or_else(|| EngineError::invalid("env", say!("arguments-tool.variables")))?;
            server.env.insert(name.trim().to_owned(), value.to_owned());
        }
        self.add_tool_server(new.name.trim(), &server)
    }

    /// Adds a server to the settings.
    ///
    /// # Errors
    /// When the name is taken, something about it is wrong, or the file cannot be written.
    pub fn add_tool_server(&self, name: &str, server: &ToolServer) -> Result<(), EngineError> {
        if self.settings().tools.contains_key(name) {
            return Err(EngineError::invalid("name", say!("arguments-tool.name_taken", name = name)));
        }
        let changes = [entry_change("tools", name, server)];
        self.check_changes(&changes)?;
        self.change_settings(&changes)?;
        Ok(())
    }
}

/// Programs, their files, and what the table of servers is called there.
fn places() -> Vec<(&'static str, PathBuf, &'static str)> {
    let Some(base) = BaseDirs::new() else { return Vec::new() };
    vec![
        ("Claude Desktop", base.config_dir().join("Claude/claude_desktop_config.json"), "mcpServers"),
        ("Cursor", base.home_dir().join(".cursor/mcp.json"), "mcpServers"),
        ("VS Code", base.config_dir().join("Code/User/mcp.json"), "servers"),
    ]
}

fn read(program: &str, path: &std::path::Path, table: &str) -> Vec<FoundServer> {
    let is_small = std::fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.len() <= MAX_FILE);
    let Some(text) = is_small.then(|| std::fs::read_to_string(path).ok()).flatten() else { return Vec::new() };
    let Ok(whole) = jsonc_parser::parse_to_serde_value::<Value>(&text, &Default::default()) else { return Vec::new() };
    let Some(servers) = whole.get(table).and_then(Value::as_object) else { return Vec::new() };
    // Nexi itself is no tool of its own.
    servers.iter().filter(|(name, _)| *name != "nexi").filter_map(|(name, entry)| one(program, name, entry.as_object()?)).collect()
}

fn one(program: &str, name: &str, entry: &Map<String, Value>) -> Option<FoundServer> {
    let text = |field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
    let mut server = ToolServer { command: text("command"), url: text("url"), ..ToolServer::default() };
    if server.command.is_some() {
        server.url = None;
        server.args =
            entry.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    server.enabled = entry.get("disabled").and_then(Value::as_bool) != Some(true);
    let mut secrets = Vec::new();
    if server.command.is_some() {
        for (variable, value) in entry.get("env").and_then(Value::as_object).into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let upper = variable.to_ascii_uppercase();
            if SECRET.iter().any(|word| upper.contains(word)) || looks_like_key(&value) || holds_password(&value) {
                server.secrets.push(variable.clone());
                // A place for a value is none.
                if !value.is_empty() && !value.starts_with("${") {
                    secrets.push((variable.clone(), value.into()));
                }
            } else {
                server.env.insert(variable.clone(), value);
            }
        }
    } else {
        let header = entry.get("headers").and_then(|headers| headers.get("Authorization")?.as_str());
        if let Some(key) = header.and_then(|value| value.strip_prefix("Bearer ")).filter(|key| !key.starts_with("${")) {
            secrets.push(("key".to_owned(), key.to_owned().into()));
        }
    }
    (server.command.is_some() || server.url.is_some()).then(|| FoundServer {
        program: program.to_owned(),
        name: fitting_name(name),
        // A key among the arguments is not shown; such a server is refused when it is added.
        launch: hide_keys(&server.launch()),
        known: false,
        same: false,
        server,
        secrets,
    })
}

/// Whether a value is an address with a password, as databases have them.
fn holds_password(value: &str) -> bool {
    url::Url::parse(value).is_ok_and(|url| url.password().is_some())
}

/// Whether what a person typed is an address, and no program.
pub(super) fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// A program and its arguments, as they were typed into this field.
pub(super) fn command_of(field: &str, line: &str) -> Result<(Option<String>, Vec<String>), EngineError> {
    let mut words = words_of(line).ok_or_else(|| EngineError::invalid(field, say!("arguments-tool.open_quotation")))?.into_iter();
    let program = words.next().ok_or_else(|| EngineError::invalid(field, say!("arguments-tool.no_launch")))?;
    Ok((Some(program), words.collect()))
}

/// The words of a command line.
fn words_of(line: &str) -> Option<Vec<String>> {
    // A backslash is a part of every path there, and quotes nothing.
    if cfg!(windows) { shlex::split(&line.replace('\\', "\\\\")) } else { shlex::split(line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_of_others_are_read_and_their_secrets_kept_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mcp.json");
        let text = r#"{
            // what people write there
            "mcpServers": {
                "GitHub Server": {"command": "npx", "args": ["-y", "server-github"], "env": {"GITHUB_TOKEN": "ghp_secret", "DATABASE": "postgres://u:pw@db/x", "LOG": "info"}},
                "docs": {"url": "https://docs.example/mcp", "headers": {"Authorization": "Bearer abc"}},
                "nexi": {"command": "nexi", "args": ["mcp"]},
                "empty": {}
            }
        }"#;
        std::fs::write(&path, text).unwrap();
        let found = read("Cursor", &path, "mcpServers");
        let names: Vec<&str> = found.iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["github-server", "docs"]);
        assert_eq!(found[0].launch, "LOG=info DATABASE=*** GITHUB_TOKEN=*** npx -y server-github");
        assert_eq!(found[0].server.secrets, ["DATABASE", "GITHUB_TOKEN"]);
        assert_eq!(found[0].secrets[1].1.expose_secret(), "ghp_secret");
        assert_eq!(found[1].secrets[0].1.expose_secret(), "abc");
        assert!(!serde_json::to_string(&found).unwrap().contains("ghp_secret"));
    }
}
