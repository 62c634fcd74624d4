//! The library of Zotero, read while Zotero may be running: what its attached files are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::StoreError;

/// A work with a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ZoteroFile {
    /// Absolute.
    pub path: PathBuf,
    pub title: Option<String>,
    /// As they are written, first names first.
    pub authors: Vec<String>,
    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    pub date: Option<String>,
    pub doi: Option<String>,
}

/// The files of the library in this folder, which holds `zotero.sqlite` and `storage`.
///
/// # Errors
/// When there is no library, or it is none that can be read.
pub fn files(folder: &Path) -> Result<Vec<ZoteroFile>, StoreError> {
    // Zotero keeps its database locked; nothing is written here, and a change in the middle of reading is read next time.
    let address = format!("file:{}?immutable=1", percent(&folder.join("zotero.sqlite")));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address, flags)?;
    let mut works: HashMap<i64, ZoteroFile> = HashMap::new();
    let mut fields = connection.prepare(
        "SELECT d.itemID, f.fieldName, v.value FROM itemData d JOIN fields f USING (fieldID) JOIN itemDataValues v USING (valueID)
         WHERE f.fieldName IN ('title', 'date', 'DOI')",
    )?;
    let mut rows = fields.query([])?;
    while let Some(row) = rows.next()? {
        let work = works.entry(row.get(0)?).or_default();
        // Numbers are kept as numbers.
        let value: String = match row.get(2)? {
            rusqlite::types::Value::Text(text) => text,
            rusqlite::types::Value::Integer(number) => number.to_string(),
            _ => continue,
        };
        match row.get::<_, String>(1)?.as_str() {
            "title" => work.title = Some(value),
            "DOI" => work.doi = Some(value),
            _ => work.date = day(&value),
        }
    }
    let mut creators = connection.prepare(
        "SELECT ic.itemID, coalesce(c.firstName, ''), coalesce(c.lastName, '') FROM itemCreators ic JOIN creators c USING (creatorID)
         ORDER BY ic.itemID, ic.orderIndex",
    )?;
    let mut rows = creators.query([])?;
    while let Some(row) = rows.next()? {
        let name = format!("{} {}", row.get::<_, String>(1)?, row.get::<_, String>(2)?);
        works.entry(row.get(0)?).or_default().authors.push(name.trim().to_owned());
    }
    let mut attachments = connection.prepare(
        "SELECT coalesce(a.parentItemID, a.itemID), a.path, i.key FROM itemAttachments a JOIN items i USING (itemID) WHERE a.path IS NOT NULL",
    )?;
    let rows = attachments.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?)))?;
    let mut out = Vec::new();
    for row in rows {
        let (work, path, key) = row?;
        let path = match path.strip_prefix("storage:") {
            Some(name) => folder.join("storage").join(key).join(name),
            None => PathBuf::from(path),
        };
        if path.is_absolute()
            && let Some(work) = works.get(&work)
        {
            out.push(ZoteroFile { path, ..work.clone() });
        }
    }
    Ok(out)
}

/// A path within an address of SQLite's.
fn percent(path: &Path) -> String {
    let path = path.to_string_lossy();
    // Windows: without the sign of a long path, and with the slash that stands before a drive.
    let share = path.strip_prefix(r"\\?\UNC\");
    let path = share.or_else(|| path.strip_prefix(r"\\?\")).unwrap_or(&path);
    let mut out = String::from(if share.is_some() {
        "////"
    } else if path.get(1..2) == Some(":") {
        "///"
    } else {
        ""
    });
    for c in path.chars() {
        match c {
            '%' | '?' | '#' => out.push_str(&format!("%{:02x}", c as u32)),
            '\\' => out.push('/'),
            _ => out.push(c),
        }
    }
    out
}

/// The day at the beginning of a date of Zotero's, such as `2019-05-00 May 2019`, as far as it is known.
fn day(text: &str) -> Option<String> {
    let first = text.split_whitespace().next()?;
    let known: Vec<&str> =
        first.split('-').take_while(|part| part.bytes().all(|byte| byte.is_ascii_digit()) && !part.trim_matches('0').is_empty()).collect();
    (known.first()?.len() == 4).then(|| known.join("-"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The tables that are read, as Zotero 7 makes them.
    const TABLES: &str = "CREATE TABLE items (itemID INTEGER PRIMARY KEY, key TEXT);
        CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
        CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value);
        CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT);
        CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT);
        CREATE TABLE itemCreators (itemID INT, creatorID INT, orderIndex INT);
        CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, path TEXT);
        INSERT INTO fields VALUES (1, 'title'), (2, 'date'), (3, 'DOI'), (4, 'pages');
        INSERT INTO items VALUES (1, 'WORKKEY1'), (2, 'ABCD2345'), (3, 'LINKED00');
        INSERT INTO itemDataValues VALUES (1, 'The harbour wall'), (2, '1931-05-00 May 1931'), (3, '10.1000/wall'), (4, '12-40');
        INSERT INTO itemData VALUES (1, 1, 1), (1, 2, 2), (1, 3, 3), (1, 4, 4);
        INSERT INTO creators VALUES (1, 'Ada', 'Brandt'), (2, NULL, 'Harbour Office');
        INSERT INTO itemCreators VALUES (1, 2, 1), (1, 1, 0);
        INSERT INTO itemAttachments VALUES (2, 1, 'storage:wall.pdf'), (3, 1, '/elsewhere/wall.pdf');";

    #[test]
    fn files_get_what_their_work_is() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("a#b");
        std::fs::create_dir(&place).unwrap();
        // Zotero holds it open and locked.
        let running = Connection::open(place.join("zotero.sqlite")).unwrap();
        running.execute_batch(TABLES).unwrap();
        running.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let found = files(&place).unwrap();
        let paths: Vec<&Path> = found.iter().map(|file| file.path.as_path()).collect();
        assert_eq!(paths, [place.join("storage/ABCD2345/wall.pdf").as_path(), Path::new("/elsewhere/wall.pdf")]);
        let work = ZoteroFile {
            path: found[0].path.clone(),
            title: Some("The harbour wall".into()),
            authors: vec!["Ada Brandt".into(), "Harbour Office".into()],
            date: Some("1931-05".into()),
            doi: Some("10.1000/wall".into()),
        };
        assert_eq!(found[0], work);
        assert!(files(folder.path()).is_err());
        assert_eq!((day("2019-00-00 2019"), day("n.d."), day("")), (Some("2019".into()), None, None));
    }
}
