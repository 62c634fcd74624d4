//! What the person has approved of tool servers.

use nexi_core::user_tools::{ApprovedTool, ToolDefinition};
use rusqlite::{OptionalExtension, params};

use super::History;
use crate::StoreError;

impl History {
    /// The approved tools of a server that is started or reached by this; none where another line was approved.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn approved_tools(&self, server: &str, launch: &str) -> Result<Vec<ApprovedTool>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT t.definition, t.granted FROM approved_tools t JOIN tool_servers s ON s.name = t.server
             WHERE t.server = ?1 AND s.launch = ?2 ORDER BY t.tool",
        )?;
        let rows = statement.query_map([server, launch], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
        let mut out = Vec::new();
        for row in rows {
            let (definition, granted) = row?;
            // A definition that cannot be read has to be approved again.
            if let Ok(definition) = serde_json::from_str(&definition) {
                out.push(ApprovedTool { definition, granted });
            }
        }
        Ok(out)
    }

    /// The line by which an approved server was started or reached.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn approved_launch(&self, server: &str) -> Result<Option<String>, StoreError> {
        let connection = self.connection();
        Ok(connection.query_row("SELECT launch FROM tool_servers WHERE name = ?1", [server], |row| row.get(0)).optional()?)
    }

    /// Approves tools of a server, in place of what was approved of them before. A tool that has changed loses its grant,
    /// and all do where the server is started or reached by another line.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn approve_tools(&self, server: &str, launch: &str, tools: &[ToolDefinition]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let before: Option<String> =
                transaction.query_row("SELECT launch FROM tool_servers WHERE name = ?1", [server], |row| row.get(0)).optional()?;
            if before.as_deref() != Some(launch) {
                transaction.execute("DELETE FROM approved_tools WHERE server = ?1", [server])?;
                transaction.execute("INSERT OR REPLACE INTO tool_servers (name, launch) VALUES (?1, ?2)", [server, launch])?;
            }
            for tool in tools {
                let definition = serde_json::to_string(tool)?;
                transaction.execute(
                    "INSERT INTO approved_tools (server, tool, definition) VALUES (?1, ?2, ?3)
                     ON CONFLICT (server, tool) DO UPDATE SET granted = granted AND definition = excluded.definition, definition = excluded.definition",
                    [server, &tool.name, &definition],
                )?;
            }
            Ok(())
        })
    }

    /// Grants all calls of an approved tool, or takes that back. False where no such tool is approved.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn grant_tool(&self, server: &str, tool: &str, granted: bool) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let changed = transaction
                .execute("UPDATE approved_tools SET granted = ?3 WHERE server = ?1 AND tool = ?2", params![server, tool, granted])?;
            Ok(changed > 0)
        })
    }

    /// Takes back the approval of one tool, or of a whole server.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn disapprove_tools(&self, server: &str, tool: Option<&str>) -> Result<(), StoreError> {
        self.write(|transaction| {
            match tool {
                Some(tool) => transaction.execute("DELETE FROM approved_tools WHERE server = ?1 AND tool = ?2", [server, tool])?,
                None => {
                    transaction.execute("DELETE FROM approved_tools WHERE server = ?1", [server])?;
                    transaction.execute("DELETE FROM tool_servers WHERE name = ?1", [server])?
                }
            };
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str) -> ToolDefinition {
        ToolDefinition { name: name.into(), title: None, description: description.into(), parameters: json!({}), reads: true }
    }

    #[test]
    fn what_has_changed_is_granted_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        assert!(history.approved_tools("files", "npx files").unwrap().is_empty());
        history.approve_tools("files", "npx files", &[tool("read", "Reads."), tool("list", "Lists.")]).unwrap();
        assert!(history.grant_tool("files", "read", true).unwrap() && !history.grant_tool("files", "other", true).unwrap());
        let granted = |launch: &str| -> Vec<(String, bool)> {
            history.approved_tools("files", launch).unwrap().into_iter().map(|tool| (tool.definition.name, tool.granted)).collect()
        };
        assert_eq!(granted("npx files"), [("list".into(), false), ("read".into(), true)]);
        history.approve_tools("files", "npx files", &[tool("read", "Reads.")]).unwrap();
        assert_eq!(granted("npx files")[1], ("read".into(), true), "the same word for word");
        history.approve_tools("files", "npx files", &[tool("read", "Reads everything.")]).unwrap();
        assert_eq!(granted("npx files")[1], ("read".into(), false));
        // Another program is another server, whatever its name.
        assert!(granted("npx other").is_empty());
        history.grant_tool("files", "list", true).unwrap();
        history.approve_tools("files", "npx other", &[tool("read", "Reads.")]).unwrap();
        assert_eq!(granted("npx other"), [("read".into(), false)]);
        assert_eq!(history.approved_launch("files").unwrap().as_deref(), Some("npx other"));
        history.disapprove_tools("files", None).unwrap();
        assert!(granted("npx other").is_empty() && history.approved_launch("files").unwrap().is_none());
    }
}
