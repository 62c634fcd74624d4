//! `nexi mcp install`: Nexi's entry in the configuration file of another program.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use directories::BaseDirs;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstObjectProp, CstRootNode};
use nexi_engine::write_atomically;
use nexi_messages::say;

use super::program::{Server, server};
use crate::args::{Client, Common, Install, Usage};
use crate::output::{note, print_line, tell};
use crate::{exit, start};

/// What Nexi is called in the files of others.
const NAME: &str = "nexi";

/// Where a program keeps its servers, and in which form.
struct Place {
    path: PathBuf,
    form: Form,
}

/// How a file names servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// JSON, perhaps with comments; the table of servers has this name.
    Json { table: &'static str, typed: bool },
    /// The TOML of Codex.
    Toml,
}

/// Adds the entry, or takes it away, after showing what changes.
pub async fn run(install: Install, common: Common) -> Result<u8> {
    let place = place(install.client)?;
    let shown = place.path.display().to_string();
    let path = target(&place.path)?;
    let before = match tokio::fs::read_to_string(&path).await {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| say!("nexi-mcp-unreadable", path = &shown)),
    };
    let server = server(&common)?;
    let after =
        changed(&before, place.form, (!install.remove).then_some(&server)).with_context(|| say!("nexi-mcp-not-its-own", path = &shown))?;
    if after == before {
        print_line(&match install.remove {
            true => say!("nexi-mcp-no-entry", path = shown),
            false => say!("nexi-mcp-same-entry", path = shown),
        })?;
        return Ok(exit::ANSWERED);
    }
    tell(&format!("{shown}\n{}", difference(&before, &after)));
    if !install.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Usage(say!("nexi-mcp-say-yes")).into());
        }
        if !start::agreed(&say!("nexi-mcp-change")).await? {
            print_line(&say!("nexi-mcp-unchanged"))?;
            return Ok(exit::CANCELLED);
        }
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| say!("nexi-mcp-cannot-be-made", path = folder.display().to_string()))?;
    }
    let written = path.display().to_string();
    let now = tokio::fs::read_to_string(&path).await.unwrap_or_default();
    if now != before {
        anyhow::bail!(say!("nexi-mcp-changed-meanwhile", path = written));
    }
    write_atomically(&path, after.as_bytes(), false).with_context(|| say!("nexi-mcp-unwritable", path = &written))?;
    note(&say!("nexi-mcp-changed", path = written, client = install.client.label()));
    Ok(exit::ANSWERED)
}

/// What a program's file holds that has nothing but this entry, and where the file is.
///
/// # Errors
/// When the home folder is not known.
pub(super) fn entry(client: Client, server: &Server) -> Result<(PathBuf, String)> {
    let Place { path, form } = place(client)?;
    let text = changed("", form, Some(server)).context("an empty file can be added to")?;
    Ok((path, text))
}

/// The file behind a link, or the file itself.
///
/// # Errors
/// When it is no file, or may not be written.
fn target(path: &Path) -> Result<PathBuf> {
    let shown = path.display().to_string();
    match std::fs::symlink_metadata(path) {
        Err(_) => Ok(path.to_path_buf()),
        Ok(_) => {
            let real = dunce::canonicalize(path).with_context(|| say!("nexi-mcp-dead-link", path = &shown))?;
            let known = std::fs::metadata(&real).with_context(|| say!("nexi-mcp-unreadable", path = &shown))?;
            anyhow::ensure!(known.is_file(), say!("nexi-mcp-no-file", path = shown));
            anyhow::ensure!(!known.permissions().readonly(), say!("nexi-mcp-read-only", path = shown));
            Ok(real)
        }
    }
}

/// Where the program's file is, for this person.
fn place(client: Client) -> Result<Place> {
    let base = BaseDirs::new().with_context(|| say!("nexi-mcp-no-home"))?;
    let home = base.home_dir();
    let servers = Form::Json { table: "mcpServers", typed: false };
    let (path, form) = match client {
        Client::ClaudeCode => (
            std::env::var_os("CLAUDE_CONFIG_DIR").map_or_else(|| home.to_path_buf(), PathBuf::from).join(".claude.json"),
            Form::Json { table: "mcpServers", typed: true },
        ),
        Client::ClaudeDesktop => (base.config_dir().join("Claude/claude_desktop_config.json"), servers),
        Client::Cursor => (home.join(".cursor/mcp.json"), servers),
        Client::Vscode => (base.config_dir().join("Code/User/mcp.json"), Form::Json { table: "servers", typed: true }),
        Client::Codex => {
            (std::env::var_os("CODEX_HOME").map_or_else(|| home.join(".codex"), PathBuf::from).join("config.toml"), Form::Toml)
        }
        Client::Zed => (zed(&base), Form::Json { table: "context_servers", typed: false }),
        Client::Windsurf => (home.join(".codeium/windsurf/mcp_config.json"), servers),
        Client::Gemini => (home.join(".gemini/settings.json"), servers),
    };
    Ok(Place { path, form })
}

/// Zed keeps to the folders of Linux on a Mac, too.
fn zed(base: &BaseDirs) -> PathBuf {
    let folder = if cfg!(windows) {
        base.config_dir().join("Zed")
    } else if cfg!(target_os = "macos") {
        base.home_dir().join(".config/zed")
    } else {
        base.config_dir().join("zed")
    };
    folder.join("settings.json")
}

/// The file with the entry of this server, or without one. Everything else stays as it is written.
///
/// # Errors
/// When the file is not in its form.
fn changed(text: &str, form: Form, server: Option<&Server>) -> Result<String> {
    match form {
        Form::Json { table, typed } => json(text, table, typed, server),
        Form::Toml => toml(text, server),
    }
}

fn json(text: &str, table: &str, typed: bool, server: Option<&Server>) -> Result<String> {
    use jsonc_parser::cst::CstInputValue as Input;
    // Some editors begin a file with a mark of their own.
    let text = text.trim_start_matches('\u{feff}');
    let root = CstRootNode::parse(if text.trim().is_empty() { "{}" } else { text }, &ParseOptions::default())?;
    let whole = root.object_value().with_context(|| say!("nexi-mcp-no-object"))?;
    let Some(server) = server else {
        let servers = whole.object_value(table);
        match servers.and_then(|servers| servers.get(NAME)) {
            Some(entry) => entry.remove(),
            None => return Ok(text.to_owned()),
        }
        return Ok(root.to_string());
    };
    if let Some(known) = whole.get(table).filter(|_| whole.object_value(table).is_none()) {
        anyhow::ensure!(known.value().is_some_and(|value| value.to_string() == "null"), say!("nexi-mcp-not-an-object", name = table));
    }
    let servers = whole.object_value_or_set(table);
    let mut fields: Vec<(String, Input)> = Vec::new();
    if typed {
        fields.push(("type".into(), Input::String("stdio".into())));
    }
    fields.push(("command".into(), Input::String(server.program.clone())));
    fields.push(("args".into(), Input::Array(server.args.iter().cloned().map(Input::String).collect())));
    let known = servers.get(NAME);
    if known.as_ref().is_some_and(|known| is_same(known, server)) {
        return Ok(text.to_owned());
    }
    match (known.as_ref().and_then(CstObjectProp::object_value), known) {
        // Whatever else the entry says stays, such as variables.
        (Some(entry), _) => {
            for (name, value) in fields {
                match entry.get(&name) {
                    Some(field) => field.set_value(value),
                    None => drop(entry.append(&name, value)),
                }
            }
        }
        (None, Some(known)) => known.set_value(Input::Object(fields)),
        (None, None) => {
            whole.ensure_multiline();
            servers.ensure_multiline();
            servers.append(NAME, Input::Object(fields));
        }
    }
    let out = root.to_string();
    Ok(if out.ends_with('\n') { out } else { out + "\n" })
}

/// Whether an entry starts this server already, whatever else it says.
fn is_same(known: &CstObjectProp, server: &Server) -> bool {
    let Some(entry) = known.object_value() else { return false };
    let text = |name: &str| entry.get(name).and_then(|field| field.value()).map(|value| value.to_string());
    let wanted = |value: serde_json::Value| value.to_string();
    let compact =
        |text: Option<String>| text.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok()).map(|value| value.to_string());
    compact(text("command")) == Some(wanted(server.program.clone().into()))
        && compact(text("args")) == Some(wanted(server.args.clone().into()))
}

fn toml(text: &str, server: Option<&Server>) -> Result<String> {
    use toml_edit::{DocumentMut, Item, Table, value};
    let mut document: DocumentMut = text.parse()?;
    let Some(server) = server else {
        if let Some(servers) = document.get_mut("mcp_servers").and_then(Item::as_table_like_mut) {
            servers.remove(NAME);
        }
        return Ok(document.to_string());
    };
    let servers = document.entry("mcp_servers").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().with_context(|| say!("nexi-mcp-not-a-table", name = "mcp_servers"))?;
    let entry = servers.entry(NAME).or_insert_with(|| Item::Table(Table::new()));
    let entry = entry.as_table_like_mut().with_context(|| say!("nexi-mcp-not-a-table", name = "mcp_servers.nexi"))?;
    let args: toml_edit::Array = server.args.iter().collect();
    let same = entry.get("command").and_then(Item::as_str) == Some(&server.program)
        && entry
            .get("args")
            .and_then(Item::as_array)
            .is_some_and(|known| known.iter().map(|arg| arg.as_str()).eq(server.args.iter().map(|arg| Some(arg.as_str()))));
    if !same {
        entry.insert("command", value(&server.program));
        entry.insert("args", value(args));
    }
    Ok(document.to_string())
}

/// The lines that change, with what stands around them.
fn difference(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same_start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let line = |mark: char, line: &str| format!("{mark} {line}\n");
    let context = |lines: &[&str]| lines.iter().map(|text| line(' ', text)).collect::<String>();
    let mut out = context(&new[same_start.saturating_sub(2)..same_start]);
    out.extend(old[same_start..old.len() - same_end].iter().map(|text| line('-', text)));
    out.extend(new[same_start..new.len() - same_end].iter().map(|text| line('+', text)));
    let end = new.len() - same_end;
    out + &context(&new[end..new.len().min(end + 2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nexi() -> Server {
        Server { program: "/usr/bin/nexi".into(), args: vec!["mcp".into()] }
    }

    #[test]
    fn what_others_wrote_stays_as_it_is() {
        let form = Form::Json { table: "context_servers", typed: false };
        let text = "// my settings\n{\n  \"theme\": \"One Dark\", // dark\n  \"context_servers\": {\n    \"other\": {\"command\": \"x\"},\n  },\n}\n";
        let after = changed(text, form, Some(&nexi())).unwrap();
        for kept in [
            "// my settings\n",
            "\"theme\": \"One Dark\", // dark",
            "\"other\": {\"command\": \"x\"}",
            "\"command\": \"/usr/bin/nexi\"",
            "[\"mcp\"]",
        ] {
            assert!(after.contains(kept), "{kept}: {after}");
        }
        assert_eq!(changed(&after, form, Some(&nexi())).unwrap(), after, "twice is once");
        let moved = Server { program: "/opt/nexi".into(), ..nexi() };
        let again = changed(&after, form, Some(&moved)).unwrap();
        assert!(again.contains("/opt/nexi") && !again.contains("/usr/bin/nexi") && again.matches("\"nexi\"").count() == 1, "{again}");
        let without = changed(&after, form, None).unwrap();
        assert!(!without.contains("nexi") && without.contains("\"other\"") && without.contains("// dark"), "{without}");
        assert_eq!(changed(text, form, None).unwrap(), text);
    }

    #[test]
    fn files_that_are_not_there_are_made_and_others_are_refused() {
        for (form, expected) in [
            (
                Form::Json { table: "mcpServers", typed: false },
                serde_json::json!({"mcpServers": {"nexi": {"command": "/usr/bin/nexi", "args": ["mcp"]}}}),
            ),
            (
                Form::Json { table: "servers", typed: true },
                serde_json::json!({"servers": {"nexi": {"type": "stdio", "command": "/usr/bin/nexi", "args": ["mcp"]}}}),
            ),
        ] {
            let text = changed("", form, Some(&nexi())).unwrap();
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), expected);
            for broken in ["[1]", "{\"a\": ", "{\"mcpServers\": 3, \"servers\": 3}", "\"text\""] {
                assert!(changed(broken, form, Some(&nexi())).is_err(), "{broken}");
            }
        }
        let text = changed("# mine\nmodel = \"o5\"\n\n[mcp_servers.other]\ncommand = \"x\"\n", Form::Toml, Some(&nexi())).unwrap();
        assert!(
            text.starts_with("# mine\nmodel = \"o5\"")
                && text.contains("[mcp_servers.nexi]\ncommand = \"/usr/bin/nexi\"\nargs = [\"mcp\"]"),
            "{text}"
        );
        assert_eq!(changed(&text, Form::Toml, Some(&nexi())).unwrap(), text);
        assert!(!changed(&text, Form::Toml, None).unwrap().contains("nexi"));
        assert!(changed("a = ", Form::Toml, Some(&nexi())).is_err() && changed("mcp_servers = 1", Form::Toml, Some(&nexi())).is_err());
    }

    #[test]
    fn the_change_is_shown_with_its_surroundings() {
        assert_eq!(difference("a\nb\nc\nd\n", "a\nb\nx\nc\nd\n"), "  a\n  b\n+ x\n  c\n  d\n");
        assert_eq!(difference("", "{\n}\n"), "+ {\n+ }\n");
        assert_eq!(difference("a\nb\n", "a\n"), "  a\n- b\n");
    }
}
