//! What a note says of itself at its beginning: YAML between lines of dashes, or the keywords of Org.

use nexi_core::{document_filter::DocumentFilter, text};
use serde::Deserialize;
use serde_norway::Value;

/// Bytes of it that are looked at.
const MAX: usize = 16 * 1024;
/// Lines of an Org file among which its keywords stand.
const ORG_LINES: usize = 40;

/// Title, authors and day of a note.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FrontMatter {
    pub title: Option<String>,
    pub authors: Vec<String>,
    /// `YYYY-MM-DD`.
    pub date: Option<String>,
}

#[derive(Deserialize)]
struct Yaml {
    #[serde(default)]
    title: Option<Value>,
    #[serde(default, alias = "authors")]
    author: Option<Value>,
    #[serde(default, alias = "created")]
    date: Option<Value>,
}

impl FrontMatter {
    /// What stands at the beginning of a text; nothing where there is no such thing, or it is damaged.
    pub(super) fn of(full: &str, ending: &str) -> Self {
        match ending {
            "org" => Self::of_org(full),
            _ => Self::of_yaml(full).unwrap_or_default(),
        }
    }

    fn of_yaml(full: &str) -> Option<Self> {
        let rest = full.strip_prefix("---")?;
        let rest = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))?;
        let head = &rest[..text::floor_char(rest, MAX)];
        let end = head.find("\n---").or_else(|| head.find("\n..."))?;
        let found: Yaml = serde_norway::from_str(&head[..end]).ok()?;
        let authors = found.author.map(|value| match value {
            Value::Sequence(items) => items.iter().filter_map(words).collect(),
            value => words(&value).into_iter().collect(),
        });
        Some(Self {
            title: found.title.as_ref().and_then(words),
            authors: authors.unwrap_or_default(),
            date: found.date.as_ref().and_then(words).and_then(|date| day(&date)),
        })
    }

    fn of_org(full: &str) -> Self {
        let mut out = Self::default();
        for line in full.lines().take(ORG_LINES) {
            let Some((name, value)) = line.strip_prefix("#+").and_then(|line| line.split_once(':')) else { continue };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "title" => out.title = Some(value.to_owned()).filter(|title| !title.is_empty()),
                "author" => out.authors = value.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect(),
                "date" => out.date = day(value.trim_start_matches(['<', '['])),
                _ => {}
            }
        }
        out
    }
}

/// A value that is one line of text.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text::fold_space(text),
        Value::Number(number) => number.to_string(),
        // An author as a table with a name.
        Value::Mapping(table) => text::fold_space(table.get("name")?.as_str()?),
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

/// The day of a date, whatever stands behind it.
fn day(date: &str) -> Option<String> {
    date.get(..10).and_then(DocumentFilter::period).filter(|day| day.len() == 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_tell_their_title_authors_and_day() {
        let of = |full: &str, ending: &str| FrontMatter::of(full, ending);
        let wanted = |title: &str, authors: &[&str], date: &str| FrontMatter {
            title: Some(title.to_owned()).filter(|title| !title.is_empty()),
            authors: authors.iter().map(|name| (*name).to_owned()).collect(),
            date: Some(date.to_owned()).filter(|date| !date.is_empty()),
        };
        assert_eq!(
            of("---\ntitle: \"Roses\"\ndate: 2024-06-01T10:00:00+02:00\nauthor: Ida\n---\n# Text", "md"),
            wanted("Roses", &["Ida"], "2024-06-01")
        );
        assert_eq!(
            of("---\r\nauthors:\r\n  - Ida\r\n  - name: Bo\r\ncreated: 1999-12-31\r\n---\r\nText", "md"),
            wanted("", &["Ida", "Bo"], "1999-12-31")
        );
        assert_eq!(
            of("#+TITLE: Roses\n#+AUTHOR: Ida; Bo\n#+DATE: <2024-06-01 Sat>\n\nText", "org"),
            wanted("Roses", &["Ida", "Bo"], "2024-06-01")
        );
        for nothing in ["# Text", "---\ntitle: [\n---\n", "---\ndate: soon\n---\n", "---\nno end", "----\n", ""] {
            assert_eq!(of(nothing, "md"), FrontMatter::default(), "{nothing:?}");
        }
    }
}
