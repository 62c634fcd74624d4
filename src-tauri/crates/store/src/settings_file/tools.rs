//! The tables of tools: `tools`, `commands`.

use std::collections::BTreeMap;

use nexi_core::settings::{Settings, ToolCommand, ToolServer};
use toml_edit::TableLike;

use super::Reading;

const SERVER: &[&str] =
    &["enabled", "command", "args", "env", "secrets", "url", "client_id", "redirect_port", "scopes", "timeout", "public", "local"];
const COMMAND: &[&str] = &["enabled", "description", "program", "args", "arguments", "input", "reads", "timeout", "public", "local"];

impl Reading {
    pub(super) fn tools(&mut self, table: &dyn TableLike, out: &mut Settings) {
        out.tools = self.named_tables(table, "tools", Self::tool_server);
        out.commands = self.named_tables(table, "commands", Self::tool_command);
    }

    fn tool_server(&mut self, place: &str, table: &dyn TableLike) -> ToolServer {
        let mut out = ToolServer::default();
        // `secrets` holds names, no values.
        self.unknown_keys(place, table, SERVER);
        self.switch(place, table, "enabled", &mut out.enabled);
        out.command = self.text(place, table, "command");
        self.texts(place, table, "args", &mut out.args);
        out.env = self.named_texts(place, table, "env");
        self.texts(place, table, "secrets", &mut out.secrets);
        out.url = self.text(place, table, "url");
        out.client_id = self.text(place, table, "client_id");
        out.redirect_port = self.port(place, table, "redirect_port");
        self.texts(place, table, "scopes", &mut out.scopes);
        if let Some(seconds) = self.whole(place, table, "timeout") {
            out.timeout = seconds;
        }
        self.switch(place, table, "public", &mut out.public);
        self.switch(place, table, "local", &mut out.local);
        out
    }

    fn tool_command(&mut self, place: &str, table: &dyn TableLike) -> ToolCommand {
        let mut out = ToolCommand::default();
        self.unknown_keys(place, table, COMMAND);
        self.switch(place, table, "enabled", &mut out.enabled);
        out.description = self.text(place, table, "description").unwrap_or_default();
        out.program = self.text(place, table, "program").unwrap_or_default();
        self.texts(place, table, "args", &mut out.args);
        out.arguments = self.named_texts(place, table, "arguments");
        out.input = self.text(place, table, "input");
        self.switch(place, table, "reads", &mut out.reads);
        if let Some(seconds) = self.whole(place, table, "timeout") {
            out.timeout = seconds;
        }
        self.switch(place, table, "public", &mut out.public);
        self.switch(place, table, "local", &mut out.local);
        out
    }

    fn port(&mut self, place: &str, table: &dyn TableLike, key: &str) -> Option<u16> {
        let item = table.get(key)?;
        let value = item.as_integer().and_then(|value| u16::try_from(value).ok());
        if value.is_none() {
            self.wrong(&format!("{place}{key}"), "a port from 1024 to 65535", item);
        }
        value
    }

    /// A table of texts by their names.
    fn named_texts(&mut self, place: &str, table: &dyn TableLike, key: &str) -> BTreeMap<String, String> {
        let Some(item) = table.get(key) else { return BTreeMap::new() };
        let Some(inner) = item.as_table_like() else {
            self.wrong(&format!("{place}{key}"), "a table of texts", item);
            return BTreeMap::new();
        };
        let place = format!("{place}{key}.");
        inner.iter().filter_map(|(name, _)| Some((name.to_owned(), self.text(&place, inner, name)?))).collect()
    }
}
