//! The library: finding threads again, and keeping them in order.

use std::path::Path;

use nexi_core::{
    citations,
    ids::{ThreadId, TurnId},
    protocol::{Effort, LibraryHit, LibraryPage, LibraryQuery, LibraryRow, Mode, Piece, ThreadSummary, TurnState},
    text,
};
use rusqlite::types::ToSql;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, params, params_from_iter};

use super::{History, words};
use crate::StoreError;

/// Rows of one page at most.
const MAX_ROWS: u32 = 200;
/// Threads that are deleted in one transaction.
const AT_ONCE: u32 = 500;
/// Tags are short names.
const MAX_TAG: usize = 60;
/// Tags that one thread may have.
const MAX_TAGS: usize = 20;
/// Letters of an answer that its row shows.
const BEGINNING: usize = 180;
/// Turns that are compared with each other to find the best.
const MAX_RANKED: u32 = 4000;
/// Marks of a hit in what SQLite returns; neither occurs in text that was kept.
const HIT: (char, char) = ('\u{2}', '\u{3}');

impl History {
    /// The newest threads and all that are pinned, newest first, with the state of their last turn.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn threads(&self, limit: u32) -> Result<Vec<ThreadSummary>, StoreError> {
        self.threads_in(None, limit)
    }

    /// The same of those that belong to a space.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn threads_in(&self, space: Option<&str>, limit: u32) -> Result<Vec<ThreadSummary>, StoreError> {
        self.mark_interrupted()?;
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT t.id, t.title, t.updated_ms,
                    (SELECT state FROM turns WHERE thread_id = t.id ORDER BY position DESC LIMIT 1), t.pinned,
                    EXISTS (SELECT 1 FROM watched WHERE thread_id = t.id), t.space_id
             FROM threads t WHERE t.deleted_ms IS NULL AND (?2 IS NULL OR t.space_id = ?2) AND (t.pinned = 1 OR t.id IN
                 (SELECT id FROM threads WHERE deleted_ms IS NULL AND (?2 IS NULL OR space_id = ?2)
                  ORDER BY updated_ms DESC, id DESC LIMIT ?1))
             ORDER BY t.updated_ms DESC, t.id DESC",
        )?;
        let rows = statement.query_map(params![limit, space], |row| {
            let state: Option<String> = row.get(3)?;
            Ok(ThreadSummary {
                id: ThreadId(row.get(0)?),
                title: row.get(1)?,
                updated_ms: row.get(2)?,
                state: state.and_then(|text| TurnState::parse(&text)).unwrap_or(TurnState::Failed),
                pinned: row.get(4)?,
                private: self.private,
                watched: row.get(5)?,
                space: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One page of the library, and the number of all threads in it.
    ///
    /// A later call makes an earlier one give up with [`StoreError::Superseded`].
    ///
    /// # Errors
    /// When the database refuses.
    pub fn library(&self, query: &LibraryQuery) -> Result<LibraryPage, StoreError> {
        let matched = words::expression(&query.text);
        if matched.is_none() && !query.text.trim().is_empty() {
            // Nothing but punctuation: nothing can be found.
            return Ok(LibraryPage { rows: Vec::new(), more: false });
        }
        self.searching(|connection| match &matched {
            Some(matched) => found(connection, query, matched),
            None => newest(connection, query),
        })
    }

    /// The ids of all threads that are not deleted, oldest first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn all(&self) -> Result<Vec<ThreadId>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT id FROM threads WHERE deleted_ms IS NULL ORDER BY updated_ms, id")?;
        let ids = statement.query_map([], |row| Ok(ThreadId(row.get(0)?)))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Every tag in use with the number of its threads, in order of the alphabet.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn tags(&self) -> Result<Vec<(String, u32)>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT g.tag, count(*) FROM tags g JOIN threads t ON t.id = g.thread_id WHERE t.deleted_ms IS NULL
             GROUP BY g.tag ORDER BY g.tag COLLATE NOCASE",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The name of a thread, its description, and whether it is pinned.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn title(&self, thread: &ThreadId) -> Result<(String, String, bool), StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT title, description, pinned FROM threads WHERE id = ?1")?;
        let found = statement.query_row([thread.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
        found.ok_or_else(|| StoreError::Missing { what: "thread", id: thread.to_string() })
    }

    /// The tags of a thread.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn tags_of(&self, thread: &ThreadId) -> Result<Vec<String>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT tag FROM tags WHERE thread_id = ?1 ORDER BY tag COLLATE NOCASE")?;
        let tags = statement.query_map([thread.as_str()], |row| row.get(0))?;
        Ok(tags.collect::<Result<_, _>>()?)
    }

    /// Gives a thread another name.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn rename(&self, thread: &ThreadId, title: &str) -> Result<(), StoreError> {
        let title = super::title(title);
        self.change_thread("UPDATE threads SET title = ?2, titled = 1 WHERE id = ?1", params![thread.as_str(), title], thread)
    }

    /// Keeps a thread at hand, or no longer.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn pin(&self, thread: &ThreadId, pinned: bool) -> Result<(), StoreError> {
        self.change_thread("UPDATE threads SET pinned = ?2 WHERE id = ?1", params![thread.as_str(), pinned], thread)
    }

    /// Replaces the tags of a thread. Blanks around them, empty ones and repetitions are left out.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn set_tags(&self, thread: &ThreadId, tags: &[String]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let there: bool =
                transaction.query_row("SELECT EXISTS (SELECT 1 FROM threads WHERE id = ?1)", [thread.as_str()], |row| row.get(0))?;
            if !there {
                return Err(StoreError::Missing { what: "thread", id: thread.to_string() });
            }
            set_tags(transaction, thread, tags)
        })
    }

    /// Deletes every thread in which no run is going on, for good, with the copies made before
    /// migrations, and gives their space back. Returns how many went and how many stayed.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn clear(&self) -> Result<(u64, u64), StoreError> {
        self.mark_interrupted()?;
        let (mut gone, mut last) = (0, 1);
        // Runs of others must be able to write in between.
        while last > 0 {
            last = self.write(|transaction| {
                let sql = "DELETE FROM threads WHERE id IN (SELECT id FROM threads
                     WHERE id NOT IN (SELECT thread_id FROM turns WHERE state = 'running') LIMIT ?1)";
                Ok(transaction.execute(sql, [AT_ONCE])?)
            })?;
            gone += last as u64;
        }
        let connection = self.connection();
        connection.execute("DELETE FROM usage", [])?;
        connection.execute("DELETE FROM watched_costs", [])?;
        let stayed: i64 = connection.query_row("SELECT count(*) FROM threads", [], |row| row.get(0))?;
        if let Some(path) = connection.path().map(Path::new) {
            crate::sqlite::backups(path).iter().for_each(|backup| drop(std::fs::remove_file(backup)));
            let _ = std::fs::remove_dir_all(super::backup::folder(path));
        }
        // What is deleted must not lie about in the index or in free pages. Another program that reads just now only delays that.
        if let Err(error) =
            connection.execute_batch("INSERT INTO turns_fts(turns_fts) VALUES ('optimize'); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
        {
            tracing::info!(%error, "the space of deleted threads is given back later");
        }
        Ok((gone, u64::try_from(stayed).unwrap_or_default()))
    }

    pub(super) fn change_thread(&self, sql: &str, values: &[&dyn ToSql], thread: &ThreadId) -> Result<(), StoreError> {
        self.write(|transaction| match transaction.execute(sql, values)? {
            0 => Err(StoreError::Missing { what: "thread", id: thread.to_string() }),
            _ => Ok(()),
        })
    }

    /// Runs a search that a later one interrupts, beside the connection that runs write to.
    fn searching<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if let Some(reader) = &self.reader {
            reader.interrupt.interrupt();
        }
        self.reading(work)
    }

    /// The same without interrupting one that is going on.
    pub(super) fn reading<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let Some(reader) = &self.reader else { return work(&self.connection()) };
        let connection = reader.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match work(&connection) {
            Err(StoreError::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                Err(StoreError::Superseded)
            }
            other => other,
        }
    }

    /// Like [`Self::reading`], but starts again when a search of the library interrupts it.
    pub(super) fn reading_on<T>(&self, work: impl Fn(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        loop {
            match self.reading(&work) {
                Err(StoreError::Superseded) => {}
                done => return done,
            }
        }
    }
}

/// Replaces the tags of a thread, within a transaction.
pub(super) fn set_tags(transaction: &Transaction<'_>, thread: &ThreadId, tags: &[String]) -> Result<(), StoreError> {
    let mut wanted: Vec<String> = Vec::new();
    for tag in tags {
        let tag = nexi_core::text::truncate(&nexi_core::text::fold_space(tag.trim_start_matches('#')), MAX_TAG);
        if !tag.is_empty() && !wanted.iter().any(|known| known.eq_ignore_ascii_case(&tag)) && wanted.len() < MAX_TAGS {
            wanted.push(tag);
        }
    }
    transaction.execute("DELETE FROM tags WHERE thread_id = ?1", [thread.as_str()])?;
    for tag in &wanted {
        transaction.execute("INSERT INTO tags (thread_id, tag) VALUES (?1, ?2)", params![thread.as_str(), tag])?;
    }
    Ok(())
}

/// The conditions of the filters on `threads t`, and their values.
fn conditions(query: &LibraryQuery) -> (String, Vec<Box<dyn ToSql>>) {
    let mut sql = String::from("t.deleted_ms IS NULL");
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    let mut add = |condition: &str, value: Box<dyn ToSql>| {
        values.push(value);
        sql.push_str(" AND ");
        sql.push_str(&condition.replace('?', &format!("?{}", values.len())));
    };
    if let Some(since) = query.since_ms {
        add("t.updated_ms >= ?", Box::new(since));
    }
    if let Some(until) = query.until_ms {
        add("t.updated_ms < ?", Box::new(until));
    }
    if query.pinned {
        add("t.pinned = ?", Box::new(true));
    }
    if let Some(effort) = query.effort {
        add("t.id IN (SELECT thread_id FROM turns WHERE effort = ?)", Box::new(effort.as_str()));
    }
    if let Some(mode) = query.mode {
        add("t.id IN (SELECT thread_id FROM turns WHERE mode = ?)", Box::new(mode.as_str()));
    }
    if let Some(site) = query.site.as_ref().map(|site| site.trim().to_lowercase()).filter(|site| !site.is_empty()) {
        let site = site.strip_prefix("www.").unwrap_or(&site).to_owned();
        add("t.id IN (SELECT thread_id FROM sources WHERE site = ?)", Box::new(site));
    }
    if let Some(space) = &query.space {
        add("t.space_id = ?", Box::new(space.clone()));
    }
    if let Some(tag) = &query.tag {
        add("t.id IN (SELECT thread_id FROM tags WHERE tag = ?)", Box::new(tag.clone()));
    }
    (sql, values)
}

fn newest(connection: &Connection, query: &LibraryQuery) -> Result<LibraryPage, StoreError> {
    let (sql, values) = conditions(query);
    let limit = query.limit.clamp(1, MAX_ROWS);
    let sql =
        format!("SELECT t.id FROM threads t WHERE {sql} ORDER BY t.updated_ms DESC, t.id DESC LIMIT {} OFFSET {}", limit + 1, query.offset);
    let mut statement = connection.prepare_cached(&sql)?;
    let ids: Vec<String> = statement.query_map(params_from_iter(values), |row| row.get(0))?.collect::<Result<_, _>>()?;
    page(connection, ids.into_iter().map(|id| (id, None)).collect(), limit)
}

fn found(connection: &Connection, query: &LibraryQuery, matched: &words::Expression) -> Result<LibraryPage, StoreError> {
    let (sql, mut values) = conditions(query);
    let limit = query.limit.clamp(1, MAX_ROWS) as usize;
    values.push(Box::new(matched.text.clone()));
    // The best of what stands everywhere would cost a look at all of it: of one word, and of several that many turns
    // hold, the newest are shown, otherwise the best.
    let order = if matched.ranked && !is_frequent(connection, matched)? { "f.rank" } else { "f.rowid DESC" };
    let sql = format!(
        "SELECT u.thread_id, u.id, f.rowid FROM turns_fts f JOIN turn_rows r ON r.row = f.rowid JOIN turns u ON u.id = r.turn_id
         JOIN threads t ON t.id = u.thread_id WHERE f.turns_fts MATCH ?{} AND {sql} ORDER BY {order}",
        values.len()
    );
    let wanted = query.offset as usize + limit + 1;
    let mut threads: Vec<(String, Option<(String, i64)>)> = Vec::new();
    {
        let mut seen = std::collections::HashSet::new();
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while threads.len() < wanted
            && let Some(row) = rows.next()?
        {
            let thread: String = row.get(0)?;
            if seen.insert(thread.clone()) {
                threads.push((thread, Some((row.get(1)?, row.get(2)?))));
            }
        }
    }
    let hits: Vec<(String, Option<(String, i64)>)> = threads.into_iter().skip(query.offset as usize).collect();
    let mut out = Vec::with_capacity(hits.len());
    for (thread, hit) in hits {
        let hit = match hit {
            Some((turn, row)) => Some(LibraryHit { turn: TurnId(turn), pieces: snippet(connection, matched, row)? }),
            None => None,
        };
        out.push((thread, hit));
    }
    page(connection, out, u32::try_from(limit).unwrap_or(MAX_ROWS))
}

/// Whether more turns hold what is searched for than are compared with each other.
fn is_frequent(connection: &Connection, matched: &words::Expression) -> Result<bool, StoreError> {
    let mut statement = connection.prepare_cached("SELECT count(*) FROM (SELECT 1 FROM turns_fts WHERE turns_fts MATCH ?1 LIMIT ?2)")?;
    Ok(statement.query_row(params![matched.text, MAX_RANKED + 1], |row| row.get::<_, u32>(0))? > MAX_RANKED)
}

/// The stretch of a turn that the search is about.
fn snippet(connection: &Connection, matched: &words::Expression, row: i64) -> Result<Vec<Piece>, StoreError> {
    if let Some(letters) = &matched.letters {
        let mut statement = connection.prepare_cached("SELECT question || char(10) || answer FROM turn_texts WHERE row = ?1")?;
        let text: String = statement.query_row([row], |row| row.get(0))?;
        return Ok(words::excerpt(&text, letters));
    }
    let mut statement = connection.prepare_cached(
        "SELECT snippet(turns_fts, -1, char(2), char(3), '…', 24) FROM turns_fts WHERE turns_fts MATCH ?1 AND rowid = ?2",
    )?;
    let marked: String = statement.query_row(params![matched.text, row], |row| row.get(0))?;
    Ok(pieces(&marked))
}

fn pieces(marked: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    for part in marked.split(HIT.0) {
        let (hit, rest) = part.split_once(HIT.1).map_or(("", part), |(hit, rest)| (hit, rest));
        for (text, is_hit) in [(hit, true), (rest, false)] {
            let text = unmarked(&text.replace(HIT.1, ""));
            if !text.is_empty() {
                out.push(Piece { text, hit: is_hit });
            }
        }
    }
    out
}

/// A stretch of Markdown without the marks of bold and struck text, of which it may have one of a pair. What stands within a
/// word or between blanks is no mark.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let here = &text[at..];
        let mark = ["**", "~~"].into_iter().find(|mark| here.starts_with(mark));
        let beside = [text[..at].chars().next_back(), here.chars().nth(2)];
        let is_word = |letter: &Option<char>| letter.is_some_and(char::is_alphanumeric);
        let is_blank = |letter: &Option<char>| letter.is_some_and(char::is_whitespace);
        if mark.is_some() && !beside.iter().all(is_word) && !beside.iter().all(is_blank) && !beside.contains(&Some('/')) {
            at += 2;
        } else {
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// How an answer begins, without its marks, the numbers of its sources, and what was struck out of it.
fn beginning(answer: &str) -> String {
    let text = text::plain(&text::without_struck(answer));
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for marker in citations::citations(&text) {
        out.push_str(text[from..marker.range.start].trim_end());
        from = marker.range.end;
    }
    out.push_str(&text[from..]);
    text::truncate_chars(out.trim(), BEGINNING)
}

/// Fills rows in; the last one too many says that there are more.
fn page(connection: &Connection, mut threads: Vec<(String, Option<LibraryHit>)>, limit: u32) -> Result<LibraryPage, StoreError> {
    let more = threads.len() > limit as usize;
    threads.truncate(limit as usize);
    let mut rows = Vec::with_capacity(threads.len());
    for (thread, hit) in threads {
        rows.push(row(connection, thread, hit)?);
    }
    Ok(LibraryPage { rows, more })
}

fn row(connection: &Connection, thread: String, hit: Option<LibraryHit>) -> Result<LibraryRow, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT t.title, t.updated_ms, t.pinned, count(u.id), coalesce(sum(u.duration_ms), 0), coalesce(sum(u.cost), 0),
                (SELECT count(*) FROM sources s WHERE s.thread_id = t.id),
                (SELECT state FROM turns WHERE thread_id = t.id ORDER BY position DESC LIMIT 1),
                (SELECT effort FROM turns WHERE thread_id = t.id ORDER BY position DESC LIMIT 1),
                EXISTS (SELECT 1 FROM turns WHERE thread_id = t.id AND mode = 'deep'),
                (SELECT substr(answer, 1, 600) FROM turns WHERE thread_id = t.id ORDER BY position DESC LIMIT 1), t.description,
                (SELECT name FROM spaces WHERE id = t.space_id)
         FROM threads t LEFT JOIN turns u ON u.thread_id = t.id WHERE t.id = ?1 GROUP BY t.id",
    )?;
    let mut row = statement.query_row([&thread], |row| {
        let state: Option<String> = row.get(7)?;
        let effort: Option<String> = row.get(8)?;
        let number = |index: usize| row.get::<_, i64>(index).map(|value| u64::try_from(value).unwrap_or_default());
        Ok(LibraryRow {
            id: ThreadId(thread.clone()),
            title: row.get(0)?,
            updated_ms: row.get(1)?,
            pinned: row.get(2)?,
            turns: row.get(3)?,
            duration_ms: number(4)?,
            cost: number(5)?,
            sources: row.get(6)?,
            state: state.and_then(|text| TurnState::parse(&text)).unwrap_or(TurnState::Failed),
            effort: effort.and_then(|text| text.parse().ok()).unwrap_or(Effort::M),
            mode: if row.get(9)? { Mode::Deep } else { Mode::Quick },
            tags: Vec::new(),
            hit: hit.clone(),
            description: row.get(11)?,
            space: row.get(12)?,
            beginning: beginning(&row.get::<_, Option<String>>(10)?.unwrap_or_default()),
        })
    })?;
    let mut statement = connection.prepare_cached("SELECT tag FROM tags WHERE thread_id = ?1 ORDER BY tag COLLATE NOCASE")?;
    row.tags = statement.query_map([&thread], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_have_no_marks_but_what_only_looks_like_some() {
        assert_eq!(unmarked("It is **long**. ~~It is yellow~~."), "It is long. It is yellow.");
        assert_eq!(unmarked("long** and ~~yellow"), "long and yellow");
        for text in ["what is 2**10", "a ** b", "src/**/x", "~5"] {
            assert_eq!(unmarked(text), text);
        }
    }
}
