//! Turns: checkpoints while they run, endings, and reading them again.

use std::collections::BTreeMap;

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::{
        AnswerChange, EarlierSummary, Effort, Ending, EventEnvelope, Mode, Passage, Reasons, SecondOpinion, Source, ThreadTitle, Turn,
        TurnOutline, TurnState, Usage,
    },
    urls::site,
};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{History, unkept::UnsavedEnding, words};
use crate::StoreError;

const COLUMNS: &str = "id, thread_id, question, effort, model, asked_ms, duration_ms, state, reason, answer, steps, prompt_tokens, completion_tokens, citations, events, cost, estimated, follow_ups, mode, method, incident, cached_tokens, statements, checked, second, summary, change";

/// The turns of the thread `?1`, unless it was deleted.
const OF_THREAD: &str = "thread_id = ?1 AND EXISTS (SELECT 1 FROM threads WHERE id = ?1 AND deleted_ms IS NULL)";

impl History {
    /// Notes what has been streamed of an answer, so that it is there after a crash.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn checkpoint(
        &self,
        turn: &TurnId,
        partial: &str,
        duration_ms: u64,
        events: &[EventEnvelope],
        used: &Usage,
    ) -> Result<(), StoreError> {
        let events = serde_json::to_string(events)?;
        let [duration, prompt, completion, cost, cached] =
            [duration_ms, used.prompt, used.completion, used.cost, used.cached].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        self.write(|transaction| {
            transaction.execute(
                "UPDATE turns SET answer = ?2, duration_ms = ?3, events = ?4, prompt_tokens = ?5, completion_tokens = ?6, cost = ?7,
                     cached_tokens = ?8 WHERE id = ?1 AND state = 'running'",
                params![turn.as_str(), partial, duration, events, prompt, completion, cost, cached],
            )?;
            Ok(())
        })
    }

    /// Notes how a run ended. `events` are the run's events without answer deltas. Sources that were kept under
    /// their handles while it went on get the numbers of `numbers`.
    ///
    /// # Errors
    /// When the database refuses. The ending is shown all the same while this process lives, and
    /// [`retry_unsaved`](Self::retry_unsaved) tries again.
    pub fn finish_turn(
        &self,
        turn: &TurnId,
        ending: &Ending,
        numbers: &BTreeMap<u32, u32>,
        duration_ms: u64,
        events: &[EventEnvelope],
    ) -> Result<(), StoreError> {
        let unkept =
            UnsavedEnding { ending: ending.clone(), numbers: numbers.clone(), duration_ms, events: events.to_vec(), why: String::new() };
        self.keep_ending(turn, unkept)
    }

    pub(super) fn write_ending(&self, turn: &TurnId, what: &UnsavedEnding) -> Result<(), StoreError> {
        self.write(|transaction| {
            renumber(transaction, turn, &what.numbers)?;
            finish(transaction, turn, &what.ending, what.duration_ms, &what.events)
        })
    }

    /// A turn.
    ///
    /// # Errors
    /// When there is none of this id.
    pub fn turn(&self, turn: &TurnId) -> Result<Turn, StoreError> {
        self.mark_interrupted()?;
        let connection = self.connection();
        let row = connection
            .query_row(&format!("SELECT {COLUMNS} FROM turns WHERE id = ?1"), [turn.as_str()], |row| Ok(read_turn(row)))
            .optional()?;
        let mut turn = row.ok_or_else(|| StoreError::Missing { what: "turn", id: turn.to_string() })??;
        turn.ending.sources = read_sources(&connection, &turn.thread, &turn.id)?;
        turn.ending.upgrade();
        self.with_unsaved_ending(&mut turn);
        Ok(turn)
    }

    /// The turns of a thread without their answers, oldest first: quick however long it is.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn outlines(&self, thread: &ThreadId) -> Result<Vec<TurnOutline>, StoreError> {
        self.mark_interrupted()?;
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached(&format!("SELECT id, question, state, length(answer) FROM turns WHERE {OF_THREAD} ORDER BY position"))?;
        let rows = statement.query_map([thread.as_str()], |row| {
            let state: String = row.get(2)?;
            Ok(TurnOutline {
                id: TurnId(row.get(0)?),
                question: row.get(1)?,
                state: TurnState::parse(&state).unwrap_or(TurnState::Failed),
                length: row.get(3)?,
            })
        })?;
        let mut outlines: Vec<TurnOutline> = rows.collect::<Result<_, _>>()?;
        outlines.iter_mut().for_each(|outline| self.outline_with_unsaved_ending(outline));
        if outlines.is_empty() {
            return Err(StoreError::Missing { what: "thread", id: thread.to_string() });
        }
        Ok(outlines)
    }

    /// The turns of a thread, oldest first.
    ///
    /// # Errors
    /// When there is no such thread.
    pub fn turns(&self, thread: &ThreadId) -> Result<Vec<Turn>, StoreError> {
        self.mark_interrupted()?;
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM turns WHERE {OF_THREAD} ORDER BY position"))?;
        let mut turns: Vec<Turn> =
            statement.query_map([thread.as_str()], |row| Ok(read_turn(row)))?.collect::<Result<Result<_, _>, _>>()??;
        if turns.is_empty() {
            return Err(StoreError::Missing { what: "thread", id: thread.to_string() });
        }
        for turn in &mut turns {
            turn.ending.sources = read_sources(&connection, thread, &turn.id)?;
            turn.ending.upgrade();
            self.with_unsaved_ending(turn);
        }
        Ok(turns)
    }
}

/// Gives the sources of a turn's thread new numbers, all at once: an old one may be the new one of another. A run
/// that has ended already has them.
fn renumber(transaction: &Transaction<'_>, turn: &TurnId, numbers: &BTreeMap<u32, u32>) -> Result<(), StoreError> {
    let thread: Option<String> = transaction
        .query_row("SELECT thread_id FROM turns WHERE id = ?1 AND state IN ('running', 'interrupted')", [turn.as_str()], |row| row.get(0))
        .optional()?;
    let Some(thread) = thread else { return Ok(()) };
    let mut set = transaction.prepare_cached("UPDATE sources SET number = ?3 WHERE thread_id = ?1 AND number = ?2")?;
    for (handle, number) in numbers.iter().filter(|(handle, number)| handle != number) {
        set.execute(params![thread, handle, -i64::from(*number)])?;
    }
    transaction.execute("UPDATE sources SET number = -number WHERE thread_id = ?1 AND number < 0", [&thread])?;
    Ok(())
}

/// Notes how a run ended, within a transaction.
pub(super) fn finish(
    transaction: &Transaction<'_>,
    turn: &TurnId,
    ending: &Ending,
    duration_ms: u64,
    events: &[EventEnvelope],
) -> Result<(), StoreError> {
    let citations = serde_json::to_string(&ending.citations)?;
    let statements = serde_json::to_string(&ending.statements)?;
    let events = serde_json::to_string(events)?;
    let follow_ups = serde_json::to_string(&ending.follow_ups)?;
    let method = ending.method.as_ref().map(serde_json::to_string).transpose()?;
    let incident = ending.incident.as_ref().map(serde_json::to_string).transpose()?;
    let checked = ending.check.as_ref().map(serde_json::to_string).transpose()?;
    // What was deleted while it was being made must not come back in it.
    let summary = ending.summary.as_deref().map(|summary| still_covers(transaction, turn, summary).map(|still| still.then_some(summary)));
    let summary = summary.transpose()?.flatten().map(serde_json::to_string).transpose()?;
    let question: Option<String> =
        transaction.query_row("SELECT question FROM turns WHERE id = ?1", [turn.as_str()], |row| row.get(0)).optional()?;
    let letters = words::letters(&format!("{}\n{}", question.unwrap_or_default(), ending.answer));
    transaction.execute(
        "UPDATE turns SET state = ?2, reason = ?3, answer = ?4, steps = ?5, prompt_tokens = ?6, completion_tokens = ?7,
                duration_ms = ?8, citations = ?9, events = ?10, cost = ?11, estimated = ?12,
                model = coalesce(?13, model), found = ?14, letters = ?15, follow_ups = ?16, method = ?17, incident = ?18, cached_tokens = ?19, statements = ?20,
                checked = ?21, summary = ?22
         WHERE id = ?1",
        params![
            turn.as_str(),
            ending.state.as_str(),
            ending.reason.to_column(),
            ending.answer,
            ending.steps,
            i64::try_from(ending.usage.prompt).unwrap_or(i64::MAX),
            i64::try_from(ending.usage.completion).unwrap_or(i64::MAX),
            i64::try_from(duration_ms).unwrap_or(i64::MAX),
            citations,
            events,
            i64::try_from(ending.usage.cost).unwrap_or(i64::MAX),
            ending.usage.estimated,
            ending.model,
            titles(&ending.sources),
            letters,
            follow_ups,
            method,
            incident,
            i64::try_from(ending.usage.cached).unwrap_or(i64::MAX),
            statements,
            checked,
            summary
        ],
    )?;
    if let Some(title) = &ending.title {
        note_title(transaction, turn, title)?;
    }
    transaction.execute("DELETE FROM turn_sources WHERE turn_id = ?1", [turn.as_str()])?;
    transaction.execute("DELETE FROM passages WHERE turn_id = ?1", [turn.as_str()])?;
    for source in &ending.sources {
        transaction.execute(
            "INSERT INTO turn_sources (turn_id, number, cited) VALUES (?1, ?2, ?3)",
            params![turn.as_str(), source.number, source.cited],
        )?;
        for (ordinal, passage) in source.passages.iter().enumerate() {
            transaction.execute(
                "INSERT INTO passages (turn_id, number, ordinal, start, end, quote, start_line, end_line, page, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    turn.as_str(),
                    source.number,
                    ordinal as i64,
                    passage.start as i64,
                    passage.end as i64,
                    passage.quote,
                    passage.start_line,
                    passage.end_line,
                    passage.page,
                    passage.place.as_ref().map(serde_json::to_string).transpose()?
                ],
            )?;
        }
    }
    Ok(())
}

/// Whether the answered turns of a thread up to the last one of a summary are those that it was made of.
fn still_covers(transaction: &Transaction<'_>, turn: &TurnId, summary: &EarlierSummary) -> Result<bool, StoreError> {
    let sql = "SELECT count(*) FROM turns u JOIN turns last ON last.id = ?2 AND last.thread_id = u.thread_id
               WHERE u.thread_id = (SELECT thread_id FROM turns WHERE id = ?1) AND u.position <= last.position AND u.answer != ''";
    let count: u32 = transaction.query_row(sql, params![turn.as_str(), summary.through.as_str()], |row| row.get(0))?;
    Ok(count == summary.turns)
}

/// Calls the thread of a turn what its model says, unless it was given a name already.
fn note_title(transaction: &Transaction<'_>, turn: &TurnId, title: &ThreadTitle) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE threads SET title = ?2, description = ?3, titled = 1
         WHERE id = (SELECT thread_id FROM turns WHERE id = ?1) AND NOT titled",
        params![turn.as_str(), title.title, title.description.as_deref().unwrap_or_default()],
    )?;
    Ok(())
}

/// Notes what another model was asked about a turn, within a transaction.
pub(super) fn note_opinion(transaction: &Transaction<'_>, turn: &TurnId, opinion: &SecondOpinion) -> Result<(), StoreError> {
    let json = serde_json::to_string(opinion)?;
    let changed = transaction.execute("UPDATE turns SET second = ?2 WHERE id = ?1", params![turn.as_str(), json])?;
    if changed == 0 {
        return Err(StoreError::Missing { what: "turn", id: turn.to_string() });
    }
    Ok(())
}

/// Notes what changed since an earlier answer, within a transaction.
pub(super) fn note_change(transaction: &Transaction<'_>, turn: &TurnId, change: &AnswerChange) -> Result<(), StoreError> {
    let json = serde_json::to_string(change)?;
    transaction.execute("UPDATE turns SET change = ?2 WHERE id = ?1", params![turn.as_str(), json])?;
    Ok(())
}

impl History {
    /// Keeps a summary of the thread's oldest turns with this one.
    ///
    /// # Errors
    /// When there is no such turn.
    pub fn keep_summary(&self, turn: &TurnId, summary: &EarlierSummary) -> Result<(), StoreError> {
        let json = serde_json::to_string(summary)?;
        self.write(|transaction| {
            let sql = "SELECT EXISTS (SELECT 1 FROM turns WHERE id = ?1)";
            if !transaction.query_row(sql, [turn.as_str()], |row| row.get(0))? {
                return Err(StoreError::Missing { what: "turn", id: turn.to_string() });
            }
            // What was deleted while it was being made must not come back in it.
            if !still_covers(transaction, turn, summary)? {
                return Err(StoreError::Busy);
            }
            match transaction.execute("UPDATE turns SET summary = ?2 WHERE id = ?1", params![turn.as_str(), json])? {
                0 => Err(StoreError::Missing { what: "turn", id: turn.to_string() }),
                _ => Ok(()),
            }
        })
    }

    /// Keeps a second opinion with its turn, in the place of an earlier one.
    ///
    /// # Errors
    /// When there is no such turn.
    pub fn keep_opinion(&self, turn: &TurnId, opinion: &SecondOpinion) -> Result<(), StoreError> {
        self.write(|transaction| note_opinion(transaction, turn, opinion))
    }
}

/// What the library finds a turn's sources by.
pub(super) fn titles(sources: &[Source]) -> String {
    sources.iter().map(|source| format!("{} {}", source.title, source.site)).collect::<Vec<_>>().join("\n")
}

fn read_turn(row: &Row<'_>) -> Result<Turn, StoreError> {
    let number = |index: usize| -> Result<u64, StoreError> { Ok(u64::try_from(row.get::<_, i64>(index)?).unwrap_or_default()) };
    let effort: String = row.get(3)?;
    let state: String = row.get(7)?;
    let citations: String = row.get(13)?;
    let events: String = row.get(14)?;
    let mode: String = row.get(18)?;
    let method: Option<String> = row.get(19)?;
    let incident: Option<String> = row.get(20)?;
    let statements: String = row.get(22)?;
    let checked: Option<String> = row.get(23)?;
    let second: Option<String> = row.get(24)?;
    let summary: Option<String> = row.get(25)?;
    let change: Option<String> = row.get(26)?;
    Ok(Turn {
        id: TurnId(row.get(0)?),
        thread: ThreadId(row.get(1)?),
        question: row.get(2)?,
        effort: effort.parse().unwrap_or(Effort::M),
        mode: mode.parse().unwrap_or(Mode::Quick),
        model: row.get(4)?,
        asked_ms: row.get(5)?,
        duration_ms: number(6)?,
        ending: Ending {
            state: TurnState::parse(&state).unwrap_or(TurnState::Failed),
            reason: row.get::<_, Option<String>>(8)?.map(|kept| Reasons::from_column(&kept)).unwrap_or_default(),
            answer: row.get(9)?,
            sources: Vec::new(),
            citations: serde_json::from_str(&citations)?,
            statements: serde_json::from_str(&statements)?,
            steps: row.get(10)?,
            usage: Usage { cost: number(15)?, estimated: row.get(16)?, cached: number(21)?, ..Usage::tokens(number(11)?, number(12)?) },
            // The turn itself says who answered.
            model: None,
            incident: incident.as_deref().map(serde_json::from_str).transpose()?,
            follow_ups: serde_json::from_str(&row.get::<_, String>(17)?)?,
            check: checked.as_deref().map(serde_json::from_str).transpose()?,
            method: method.as_deref().map(serde_json::from_str).transpose()?,
            summary: summary.as_deref().map(serde_json::from_str).transpose()?,
            // The thread itself is called so.
            title: None,
        },
        second: second.as_deref().map(serde_json::from_str).transpose()?,
        change: change.as_deref().map(serde_json::from_str).transpose()?,
        events: serde_json::from_str(&events)?,
    })
}

fn read_sources(connection: &Connection, thread: &ThreadId, turn: &TurnId) -> Result<Vec<Source>, StoreError> {
    let mut passages: BTreeMap<u32, Vec<Passage>> = BTreeMap::new();
    let mut statement = connection.prepare_cached(
        "SELECT number, start, end, quote, start_line, end_line, page, place FROM passages WHERE turn_id = ?1 ORDER BY number, ordinal",
    )?;
    let mut rows = statement.query([turn.as_str()])?;
    while let Some(row) = rows.next()? {
        let offset = |index: usize| row.get::<_, i64>(index).map(|value| usize::try_from(value).unwrap_or_default());
        passages.entry(row.get(0)?).or_default().push(Passage {
            start: offset(1)?,
            end: offset(2)?,
            quote: row.get(3)?,
            start_line: row.get(4)?,
            end_line: row.get(5)?,
            page: row.get(6)?,
            place: row.get::<_, Option<String>>(7)?.as_deref().map(serde_json::from_str).transpose()?,
        });
    }
    let mut statement = connection.prepare_cached(
        "SELECT s.number, s.url, s.title, s.date, ts.cited, json_extract(s.more, '$.cached_ms') FROM turn_sources ts
         JOIN sources s ON s.thread_id = ?1 AND s.number = ts.number WHERE ts.turn_id = ?2 ORDER BY s.number",
    )?;
    let rows = statement.query_map(params![thread.as_str(), turn.as_str()], |row| {
        let number: u32 = row.get(0)?;
        let url: String = row.get(1)?;
        Ok(Source {
            number,
            site: site(&url),
            url,
            title: row.get(2)?,
            date: row.get(3)?,
            cited: row.get(4)?,
            cached_ms: row.get(5)?,
            passages: passages.remove(&number).unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
