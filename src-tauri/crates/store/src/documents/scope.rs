//! Which documents are looked at: folders, and what a filter chooses among them.

use nexi_core::document_filter::DocumentFilter;
use rusqlite::params_from_iter;

use super::{DocumentIndex, range};
use crate::StoreError;

/// The day that counts for a document: that of its text, or that of its file.
const DAY: &str = "coalesce(d.date, strftime('%Y-%m-%d', d.modified_ns / 1000000000, 'unixepoch'))";
/// Comes behind every character of a day.
const LAST: &str = "~";

/// Documents below folders.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    pub roots: &'a [String],
    /// Those of them that are meant; none means all.
    pub filter: Option<&'a DocumentFilter>,
}

/// A document of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDocument {
    pub path: String,
    pub title: String,
    /// Of its text or its file, `YYYY-MM-DD`.
    pub day: String,
    /// Its first passage.
    pub begins: String,
}

impl<'a> Scope<'a> {
    /// All documents below these folders.
    pub fn all(roots: &'a [String]) -> Self {
        Self { roots, filter: None }
    }

    /// A condition on the document `d`, and the values of its question marks.
    pub(super) fn condition(&self) -> (String, Vec<String>) {
        let within = vec!["(d.path >= ? AND d.path < ? OR d.path = ?)"; self.roots.len()].join(" OR ");
        let mut values: Vec<String> = self.roots.iter().flat_map(|root| range(root)).collect();
        let mut parts = vec![format!("({within})")];
        let Some(filter) = self.filter else { return (parts.remove(0), values) };
        if let Some(kind) = filter.kind {
            let (all, has_one) = kind.told_by();
            let one = vec!["d.path LIKE ?"; all.len()].join(" OR ");
            parts.push(if has_one { format!("({one})") } else { format!("NOT ({one})") });
            values.extend(all.iter().map(|ending| format!("%.{ending}")));
        }
        for word in &filter.path {
            let spellings = spellings(word);
            // Letters that mean something in a pattern mean themselves.
            parts.push(format!("({})", vec!["instr(lower(d.path), ?) > 0"; spellings.len()].join(" OR ")));
            values.extend(spellings);
        }
        if let Some(after) = &filter.after {
            // A month without a day may be any day of it.
            parts.push(format!("{DAY} || '{LAST}' >= ?"));
            values.push(after.clone());
        }
        if let Some(before) = &filter.before {
            parts.push(format!("{DAY} <= ?"));
            values.push(format!("{before}{LAST}"));
        }
        (parts.join(" AND "), values)
    }
}

/// How words may stand in what SQLite makes small letters of, which leaves all but those of English as they are.
pub(super) fn spellings(words: &str) -> Vec<String> {
    let small = words.to_lowercase();
    let mut is_first = true;
    let begun: String = small
        .chars()
        .flat_map(|letter| {
            let begins = std::mem::replace(&mut is_first, !letter.is_alphanumeric());
            let large: String = if begins && !letter.is_ascii() { letter.to_uppercase().collect() } else { letter.into() };
            large.chars().collect::<Vec<_>>()
        })
        .collect();
    let large = words.to_uppercase().to_ascii_lowercase();
    let mut out = vec![small, words.to_ascii_lowercase(), begun, large];
    out.sort_unstable();
    out.dedup();
    out
}

impl DocumentIndex {
    /// The documents of a scope, the newest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn list(&self, scope: &Scope<'_>, limit: usize) -> Result<Vec<ListedDocument>, StoreError> {
        if scope.roots.is_empty() {
            return Ok(Vec::new());
        }
        let (condition, mut values) = scope.condition();
        values.push(limit.to_string());
        let sql = format!(
            "SELECT d.path, d.title, {DAY}, coalesce((SELECT p.body FROM passages p WHERE p.document_id = d.id ORDER BY p.id LIMIT 1), '')
             FROM documents d WHERE {condition} AND d.skipped IS NULL ORDER BY 3 DESC, d.path LIMIT ?"
        );
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            Ok(ListedDocument { path: row.get(0)?, title: row.get(1)?, day: row.get(2)?, begins: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use nexi_core::{document_filter::DocumentKind, place::PassagePlace};

    use super::super::{NewDocument, NewPassage, Stamp};
    use super::*;

    /// 15 June 2024, noon.
    const JUNE: i64 = 1_718_452_800 * 1_000_000_000;

    fn document(path: &str, modified_ns: i64, date: Option<&str>) -> NewDocument {
        let passage = NewPassage {
            heading: String::new(),
            body: "roses and tulips".into(),
            extra: String::new(),
            place: PassagePlace { from: 1, to: 1, place: None },
        };
        NewDocument {
            path: path.into(),
            stamp: Stamp { modified_ns, size: 1, hash: 1, reference: 0, recognised: 0 },
            title: path.into(),
            date: date.map(str::to_owned),
            passages: vec![passage],
            scanned: Vec::new(),
            partly: None,
            skipped: None,
        }
    }

    #[test]
    fn documents_are_chosen_and_listed() {
        let folder = tempfile::tempdir().unwrap();
        let index = DocumentIndex::open(&folder.path().join("d.db")).unwrap();
        index
            .put(&[
                document("/a/Notes/june.md", JUNE, None),
                document("/a/Notes/old.md", JUNE, Some("1999-12-31")),
                document("/a/bills/100%_paid.PDF", JUNE + 86_400_000_000_000, None),
                document("/a/src/main.rs", 0, None),
                document("/b/june.md", JUNE, None),
            ])
            .unwrap();
        let roots = ["/a".to_owned()];
        let of = |filter: DocumentFilter| -> Vec<String> {
            let scope = Scope { roots: &roots, filter: Some(&filter) };
            let listed = index.list(&scope, 10).unwrap();
            let mut names: Vec<&str> = listed.iter().map(|document| document.path.rsplit('/').next().unwrap()).collect();
            let found = index.search(&scope, &["tulips".to_owned()], &[], 10).unwrap();
            let mut same: Vec<&str> = found.iter().map(|passage| passage.path.rsplit('/').next().unwrap()).collect();
            let order: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            names.sort_unstable();
            same.sort_unstable();
            assert_eq!(names, same, "a search looks at the same documents");
            order
        };
        let all = DocumentFilter::default();
        assert_eq!(of(all.clone()), ["100%_paid.PDF", "june.md", "old.md", "main.rs"], "the newest first");
        assert_eq!(of(DocumentFilter { kind: Some(DocumentKind::Pdf), ..all.clone() }), ["100%_paid.PDF"]);
        assert_eq!(of(DocumentFilter { kind: Some(DocumentKind::Code), ..all.clone() }), ["main.rs"]);
        assert_eq!(of(DocumentFilter { path: vec!["notes".into(), "june".into()], ..all.clone() }), ["june.md"]);
        assert_eq!(of(DocumentFilter { path: vec!["100%_".into()], ..all.clone() }), ["100%_paid.PDF"]);
        assert_eq!(of(DocumentFilter { path: vec!["1_0%".into()], ..all.clone() }), [] as [&str; 0]);
        let days = |after: &str, before: &str| DocumentFilter {
            after: Some(after.to_owned()).filter(|day| !day.is_empty()),
            before: Some(before.to_owned()).filter(|day| !day.is_empty()),
            ..all.clone()
        };
        assert_eq!(of(days("2024-06", "2024-06")), ["100%_paid.PDF", "june.md"]);
        assert_eq!(of(days("2024-06-15", "2024-06-15")), ["june.md"]);
        assert_eq!(of(days("", "1999")), ["old.md", "main.rs"]);
        assert_eq!(of(days("2025", "")), [] as [&str; 0]);
    }
}
