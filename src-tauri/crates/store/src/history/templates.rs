//! Questions that are asked often.

use nexi_core::template::{self, Template};
use rusqlite::{OptionalExtension, Transaction, params};

use super::{History, new_id};
use crate::StoreError;

/// Templates that are kept at most.
const MAX_TEMPLATES: u32 = 500;
/// Bytes of one.
const MAX_TEXT: usize = 32 * 1024;

impl History {
    /// All templates, those used last first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn templates(&self) -> Result<Vec<Template>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT id, name, text FROM templates ORDER BY used_ms DESC, name")?;
        let rows = statement.query_map([], |row| {
            let text: String = row.get(2)?;
            Ok(Template { id: row.get(0)?, name: row.get(1)?, fields: template::fields(&text), text })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Keeps a template. `id` names the one that it takes the place of; none makes a new one.
    ///
    /// # Errors
    /// When the name or the text cannot be used, another one has the name, there are too many, or there is none of this
    /// id.
    pub fn keep_template(&self, id: Option<&str>, name: &str, text: &str, now_ms: i64) -> Result<Template, StoreError> {
        let (name, text) = checked(name, text)?;
        self.write(|transaction| {
            let known = id_of(transaction, &name)?;
            if known.as_deref().is_some_and(|known| Some(known) != id) {
                return Err(StoreError::TemplateTaken { name: name.clone() });
            }
            let id = match id {
                Some(id) => {
                    let sql = "UPDATE templates SET name = ?2, text = ?3, used_ms = ?4 WHERE id = ?1";
                    if transaction.execute(sql, params![id, name, text, now_ms])? == 0 {
                        return Err(StoreError::Missing { what: "template", id: id.to_owned() });
                    }
                    id.to_owned()
                }
                None => insert(transaction, &name, text, now_ms)?,
            };
            Ok(Template { id, name: name.clone(), fields: template::fields(text), text: text.to_owned() })
        })
    }

    /// Notes that a template was used, so that it stands first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn use_template(&self, id: &str, now_ms: i64) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute("UPDATE templates SET used_ms = ?2 WHERE id = ?1", params![id, now_ms])?;
            Ok(())
        })
    }

    /// Removes a template.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn remove_template(&self, id: &str) -> Result<(), StoreError> {
        self.write(|transaction| match transaction.execute("DELETE FROM templates WHERE id = ?1", [id])? {
            0 => Err(StoreError::Missing { what: "template", id: id.to_owned() }),
            _ => Ok(()),
        })
    }
}

/// Takes a template in, unless one has its name, and tells whether it is new.
pub(super) fn add(transaction: &Transaction<'_>, name: &str, text: &str) -> Result<bool, StoreError> {
    let (name, text) = checked(name, text)?;
    if id_of(transaction, &name)?.is_some() {
        return Ok(false);
    }
    insert(transaction, &name, text, 0).map(|_| true)
}

fn checked<'a>(name: &str, text: &'a str) -> Result<(String, &'a str), StoreError> {
    let (name, text) = (name.trim().trim_start_matches('/').to_lowercase(), text.trim());
    if !template::is_name(&name) {
        return Err(StoreError::TemplateName);
    }
    if text.is_empty() || text.len() > MAX_TEXT {
        return Err(StoreError::TemplateText { most: MAX_TEXT });
    }
    Ok((name, text))
}

fn id_of(transaction: &Transaction<'_>, name: &str) -> Result<Option<String>, StoreError> {
    Ok(transaction.query_row("SELECT id FROM templates WHERE name = ?1", [name], |row| row.get(0)).optional()?)
}

/// Makes a template, and returns its id.
fn insert(transaction: &Transaction<'_>, name: &str, text: &str, used_ms: i64) -> Result<String, StoreError> {
    let count: u32 = transaction.query_row("SELECT count(*) FROM templates", [], |row| row.get(0))?;
    if count >= MAX_TEMPLATES {
        return Err(StoreError::TooManyTemplates { most: MAX_TEMPLATES });
    }
    let id = new_id();
    transaction.execute("INSERT INTO templates (id, name, text, used_ms) VALUES (?1, ?2, ?3, ?4)", params![id, name, text, used_ms])?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_kept_under_names() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let first = history.keep_template(None, "/Compare", " Compare {a} with {b}. ", 1).unwrap();
        assert_eq!((first.name.as_str(), first.text.as_str(), first.fields.len()), ("compare", "Compare {a} with {b}.", 2));
        let second = history.keep_template(None, "news", "What is new about {topic}?", 2).unwrap();
        assert!(matches!(history.keep_template(None, "NEWS", "x", 3), Err(StoreError::TemplateTaken { .. })));
        assert!(matches!(history.keep_template(Some(&first.id), "news", "x", 3), Err(StoreError::TemplateTaken { .. })));
        assert!(matches!(history.keep_template(None, "two words", "x", 3), Err(StoreError::TemplateName)));
        assert!(matches!(history.keep_template(None, "x", "  ", 3), Err(StoreError::TemplateText { .. })));
        assert_eq!(history.templates().unwrap(), [second.clone(), first.clone()]);
        history.use_template(&first.id, 5).unwrap();
        assert_eq!(history.templates().unwrap()[0], first);
        let changed = history.keep_template(Some(&second.id), "latest", "What is the latest about {topic}?", 6).unwrap();
        assert_eq!((history.templates().unwrap()[0].clone(), changed.name.as_str()), (changed.clone(), "latest"));
        history.remove_template(&changed.id).unwrap();
        assert!(matches!(history.remove_template(&changed.id), Err(StoreError::Missing { .. })));
    }
}
