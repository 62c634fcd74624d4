//! Journals of runs that have ended. They are kept as long as their thread, so that a run can be replayed, but not as
//! lines of their own: texts of pages stand in the sources and earlier turns in the thread, and the rest is packed.

use nexi_core::{
    ids::{ThreadId, TurnId},
    run::{Asked, Input},
};
use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{History, Journaled, StoredSource};
use crate::StoreError;

/// What stands in the place of a text that is kept elsewhere; no text of a page or an answer begins so.
const MARK: char = '\0';
/// Journals packed in one go, so that runs can write in between.
const AT_ONCE: u32 = 20;

#[derive(Serialize, Deserialize)]
struct Line {
    elapsed_ms: u64,
    input: Input,
}

/// What a thread holds besides: its sources, and its turns with question and answer.
struct Known {
    sources: Vec<StoredSource>,
    turns: Vec<(TurnId, String, String)>,
    /// The summary that the run made, with its turn's id.
    summaries: Vec<(TurnId, String)>,
}

impl History {
    /// Packs the journal of a run that has ended. Nothing happens where it has not, or was packed already.
    ///
    /// # Errors
    /// When the database refuses; the journal is as it was then.
    pub fn pack_journal(&self, turn: &TurnId) -> Result<(), StoreError> {
        let Some(thread) = self.thread_of_ended(turn)? else { return Ok(()) };
        let journal = self.read_lines(turn)?;
        if journal.is_empty() {
            return Ok(());
        }
        let known = self.known(&thread)?;
        let count = i64::try_from(journal.len()).unwrap_or(i64::MAX);
        let mut lines = String::new();
        for Journaled { elapsed_ms, mut input } in journal {
            known.refer(&mut input);
            lines.push_str(&serde_json::to_string(&Line { elapsed_ms, input })?);
            lines.push('\n');
        }
        let packed = super::pack(&lines)?;
        self.write(|transaction| {
            let unchanged: bool =
                transaction
                    .query_row("SELECT count(*) = ?2 FROM journal WHERE turn_id = ?1", params![turn.as_str(), count], |row| row.get(0))?;
            if unchanged {
                transaction.execute("INSERT OR REPLACE INTO journals (turn_id, packed) VALUES (?1, ?2)", params![turn.as_str(), packed])?;
                transaction.execute("DELETE FROM journal WHERE turn_id = ?1", [turn.as_str()])?;
            }
            Ok(())
        })
    }

    /// Packs the journals of runs that ended before they were packed. Returns how many there may be left.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn pack_old_journals(&self) -> Result<u32, StoreError> {
        let old: Vec<String> = {
            let connection = self.connection();
            let mut statement = connection.prepare(
                "SELECT DISTINCT j.turn_id FROM journal j JOIN turns t ON t.id = j.turn_id
                 WHERE t.state NOT IN ('running', 'interrupted') LIMIT ?1",
            )?;
            statement.query_map([AT_ONCE], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        for id in &old {
            self.pack_journal(&TurnId(id.clone()))?;
        }
        let texts = self.pack_old_texts()?;
        Ok(if old.len() == AT_ONCE as usize || texts { AT_ONCE } else { 0 })
    }

    /// Packs texts of sources that were kept as they are; whether there may be more.
    fn pack_old_texts(&self) -> Result<bool, StoreError> {
        self.write(|transaction| {
            let mut select =
                transaction.prepare_cached("SELECT rowid, text FROM sources WHERE packed IS NULL AND length(text) >= ?1 LIMIT ?2")?;
            let limit = params![super::WORTH_PACKING as i64, AT_ONCE];
            let rows: Vec<(i64, String)> = select.query_map(limit, |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
            let mut update = transaction.prepare_cached("UPDATE sources SET text = '', packed = ?2 WHERE rowid = ?1")?;
            for (row, text) in &rows {
                update.execute(params![row, super::pack(text)?])?;
            }
            Ok(rows.len() == AT_ONCE as usize)
        })
    }

    /// Gives the space of what was packed back to the disk, where it is worth the work.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn shrink(&self) -> Result<(), StoreError> {
        let connection = self.connection();
        let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let (free, all, size) = (number("freelist_count")?, number("page_count")?, number("page_size")?);
        if free * size > 16 * 1024 * 1024 && free * 4 > all {
            connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        }
        Ok(())
    }

    /// A packed journal, as it was; none where there is none.
    pub(super) fn unpack_journal(&self, turn: &TurnId) -> Result<Option<Vec<Journaled>>, StoreError> {
        let packed: Option<(Vec<u8>, String)> = self
            .connection()
            .query_row(
                "SELECT j.packed, t.thread_id FROM journals j JOIN turns t ON t.id = j.turn_id WHERE j.turn_id = ?1",
                [turn.as_str()],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        let Some((packed, thread)) = packed else { return Ok(None) };
        let text = super::unpack(&packed)?;
        let known = self.known(&ThreadId(thread))?;
        let mut out = Vec::new();
        for line in text.lines() {
            let Line { elapsed_ms, mut input } = serde_json::from_str(line)?;
            known.restore(&mut input);
            out.push(Journaled { elapsed_ms, input });
        }
        Ok(Some(out))
    }

    fn thread_of_ended(&self, turn: &TurnId) -> Result<Option<ThreadId>, StoreError> {
        let sql = "SELECT thread_id FROM turns WHERE id = ?1 AND state NOT IN ('running', 'interrupted')";
        Ok(self.connection().query_row(sql, [turn.as_str()], |row| row.get(0)).optional()?.map(ThreadId))
    }

    fn known(&self, thread: &ThreadId) -> Result<Known, StoreError> {
        let sources = self.sources(thread)?;
        let connection = self.connection();
        let mut statement = connection.prepare_cached("SELECT id, question, answer FROM turns WHERE thread_id = ?1 ORDER BY position")?;
        let turns = statement.query_map([thread.as_str()], |row| Ok((TurnId(row.get(0)?), row.get(1)?, row.get(2)?)))?;
        let turns = turns.collect::<Result<_, _>>()?;
        let mut statement = connection
            .prepare_cached("SELECT id, json_extract(summary, '$.text') FROM turns WHERE thread_id = ?1 AND summary IS NOT NULL")?;
        let summaries = statement.query_map([thread.as_str()], |row| Ok((TurnId(row.get(0)?), row.get(1)?)))?.collect::<Result<_, _>>()?;
        Ok(Known { sources, turns, summaries })
    }
}

impl Known {
    fn restore_summary(&self, text: &mut String) {
        if let Some(id) = text.strip_prefix(MARK) {
            let kept = self.summaries.iter().find(|(turn, _)| turn.as_str() == id);
            *text = kept.map(|(_, text)| text.clone()).unwrap_or_default();
        }
    }

    /// Puts references in the place of what the thread holds.
    fn refer(&self, input: &mut Input) {
        match input {
            Input::Of { input, .. } => self.refer(input),
            Input::PageRead { page: Ok(page), .. } => {
                let same = |source: &&StoredSource| {
                    source.page.url == page.url
                        && source.page.text == page.text
                        && source.page.links == page.links
                        && source.page.lines == page.lines
                };
                if let Some(source) = self.sources.iter().find(same) {
                    page.text = format!("{MARK}{}", source.number);
                    (page.links, page.lines) = (Vec::new(), Vec::new());
                }
            }
            Input::Asked { asked } => self.refer_earlier(asked),
            // What tells of other turns goes with them.
            Input::Replied { reply, .. } if !reply.text.is_empty() => {
                if let Some((id, _)) = self.summaries.iter().find(|(_, text)| reply.text.trim() == text) {
                    reply.text = format!("{MARK}{id}");
                }
            }
            _ => {}
        }
    }

    fn refer_earlier(&self, asked: &mut Asked) {
        for earlier in &mut asked.earlier {
            let same = |(_, question, answer): &&(TurnId, String, String)| *question == earlier.question && *answer == earlier.answer;
            if let Some((id, ..)) = self.turns.iter().find(same) {
                (earlier.question, earlier.answer) = (String::new(), format!("{MARK}{id}"));
            }
        }
        if let Some(summary) = &mut asked.summary
            && let Some((id, _)) = self.summaries.iter().find(|(_, text)| summary.text == *text)
        {
            summary.text = format!("{MARK}{id}");
        }
    }

    /// Puts back what stood in the place of the references; what was deleted since is empty.
    fn restore(&self, input: &mut Input) {
        match input {
            Input::Of { input, .. } => self.restore(input),
            Input::PageRead { page: Ok(page), .. } => {
                if let Some(number) = page.text.strip_prefix(MARK) {
                    let source = self.sources.iter().find(|source| source.number.to_string() == number);
                    let kept = source.map(|source| source.page.clone()).unwrap_or_default();
                    (page.text, page.links, page.lines) = (kept.text, kept.links, kept.lines);
                }
            }
            Input::Asked { asked } => {
                for earlier in &mut asked.earlier {
                    if let Some(id) = earlier.answer.strip_prefix(MARK) {
                        let turn = self.turns.iter().find(|(turn, ..)| turn.as_str() == id);
                        (earlier.question, earlier.answer) =
                            turn.map(|(_, question, answer)| (question.clone(), answer.clone())).unwrap_or_default();
                    }
                }
                if let Some(summary) = &mut asked.summary {
                    self.restore_summary(&mut summary.text);
                }
            }
            Input::Replied { reply, .. } => self.restore_summary(&mut reply.text),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use nexi_core::{
        ports::{Link, Page},
        protocol::{Ending, TurnState},
        run::{Earlier, Key},
    };

    use super::super::tests::{one_turn, question};
    use super::*;

    fn ended(history: &History, turn: &TurnId) {
        let ending = Ending { state: TurnState::Answered, ..Ending::failed("", "It did [1].") };
        history.finish_turn(turn, &ending, &Default::default(), 1, &[]).unwrap();
    }

    fn read(part: u32, page: Page) -> Input {
        Input::PageRead { key: Key { step: 1, call: 0, part }, page: Ok(Box::new(page)) }
    }

    #[test]
    fn journals_of_all_kinds_come_back_as_they_were() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/journals");
        let place = tempfile::tempdir().unwrap();
        let history = History::open(&place.path().join("nexi.db")).unwrap();
        let mut count = 0;
        for file in std::fs::read_dir(folder).unwrap().flatten().filter(|file| file.path().extension().is_some_and(|end| end == "jsonl")) {
            let text = std::fs::read_to_string(file.path()).unwrap();
            let inputs: Vec<Input> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let (thread, turn) = history.begin_turn(&question(None)).unwrap();
            history.journal(&turn, 0, 7, &inputs).unwrap();
            let pages = inputs.iter().filter_map(|input| match input {
                Input::PageRead { page: Ok(page), .. } => Some(page.as_ref().clone()),
                _ => None,
            });
            let sources: Vec<StoredSource> = (1..).zip(pages).map(|(number, page)| StoredSource { number, page, read_ms: 1 }).collect();
            history.add_sources(&thread, &sources).unwrap();
            ended(&history, &turn);
            let before = history.read_journal(&turn).unwrap();
            history.pack_journal(&turn).unwrap();
            history.pack_journal(&turn).unwrap();
            assert_eq!(history.read_lines(&turn).unwrap(), []);
            assert_eq!(history.read_journal(&turn).unwrap(), before, "{}", file.path().display());
            count += 1;
        }
        assert!(count > 4);
    }

    #[test]
    fn runs_that_may_go_on_keep_their_lines_and_old_libraries_shrink() {
        let place = tempfile::tempdir().unwrap();
        let history = History::open(&place.path().join("nexi.db")).unwrap();
        let mut turns = Vec::new();
        for _ in 0..25 {
            let (_, turn) = history.begin_turn(&question(None)).unwrap();
            history.journal(&turn, 0, 1, &[Input::FinishNow]).unwrap();
            turns.push(turn);
        }
        for turn in &turns[1..] {
            ended(&history, turn);
        }
        while history.pack_old_journals().unwrap() > 0 {}
        assert_eq!(history.read_lines(&turns[0]).unwrap().len(), 1, "it is still running");
        assert!(turns[1..].iter().all(|turn| history.read_lines(turn).unwrap().is_empty()));
        assert!(turns[1..].iter().all(|turn| history.read_journal(turn).unwrap().len() == 1));
        history.shrink().unwrap();
    }

    #[test]
    fn a_turn_that_read_eight_pages_takes_little_more_than_its_pages() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("nexi.db");
        let history = History::open(&path).unwrap();
        let (thread, _) = one_turn(&history);
        let size = || {
            history.connection().execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);").unwrap();
            std::fs::metadata(&path).unwrap().len()
        };
        let before = size();
        const TURNS: u32 = 12;
        for at in 0..TURNS {
            let earlier =
                (0..=at).map(|_| Earlier { question: "q".into(), answer: "A long answer. ".repeat(200), ..Earlier::default() }).collect();
            let asked = Asked { question: "When?".into(), earlier, ..Asked::default() };
            let (_, turn) = history.begin_turn(&question(Some(&thread))).unwrap();
            let mut inputs = vec![Input::Asked { asked: Box::new(asked) }];
            for part in 0..8 {
                let number = 2 + at * 8 + part;
                let text: String = (0..4500).map(|word| format!("{:x} ", (word * 7919 + number * 31) % 50_021)).collect();
                let links =
                    (0..40).map(|link| Link { text: format!("link {link}"), url: format!("https://e.org/{number}/{link}") }).collect();
                let page = Page {
                    url: format!("https://e.org/{number}"),
                    title: "T".into(),
                    text: text[..text.len().min(20_000)].into(),
                    links,
                    ..Page::default()
                };
                history.add_sources(&thread, &[StoredSource { number, page: page.clone(), read_ms: 1 }]).unwrap();
                inputs.push(read(part, page));
            }
            history.journal(&turn, 0, 1, &inputs).unwrap();
            ended(&history, &turn);
        }
        let unpacked = size() - before;
        while history.pack_old_journals().unwrap() > 0 {}
        let packed = size() - before;
        let of = |bytes: u64| bytes / u64::from(TURNS) / 1000;
        println!("a turn that read 8 pages: {} KB, and {} KB before its journal was packed", of(packed), of(unpacked));
        assert!(of(packed) <= 180, "{} KB", of(packed));
    }
}
