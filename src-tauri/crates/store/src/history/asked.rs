//! Questions that were asked before, and their answers.

use std::collections::HashMap;

use nexi_core::{
    ids::{ThreadId, TurnId},
    protocol::AskedBefore,
    rank::terms,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::History;
use crate::{StoreError, sqlite::quoted};

/// Questions that are looked at for one word, the newest ones.
const MOST_OF_A_WORD: u32 = 2000;
/// A word that more than this share of all questions have tells nothing, where there are rarer ones.
const COMMON: f64 = 0.05;
/// The fewest questions of a library in which a word counts as common.
const FEW: usize = 200;

/// Questions that could be the same, not compared yet.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedCandidates {
    /// Of finished turns; those that share most first.
    pub questions: Vec<AskedBefore>,
    /// All turns.
    pub total: usize,
    /// How many of them have each word in their question.
    pub counts: Vec<usize>,
}

/// An answer of the library that shares words with a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastAnswer {
    pub thread: ThreadId,
    pub question: String,
    pub answer: String,
    /// Unix milliseconds.
    pub asked_ms: i64,
}

impl History {
    /// Finished turns whose questions hold some of these words.
    ///
    /// # Errors
    /// When the database refuses, or a later search of the library took its place ([`StoreError::Superseded`]).
    pub fn asked_with(&self, words: &[String], most: usize) -> Result<AskedCandidates, StoreError> {
        self.reading(|connection| {
            let shared = sharing(connection, words, "question")?;
            let mut statement = connection.prepare_cached(
                "SELECT t.thread_id, t.id, t.question, t.asked_ms FROM turn_rows r JOIN turns t ON t.id = r.turn_id
                 JOIN threads h ON h.id = t.thread_id WHERE r.row = ?1 AND h.deleted_ms IS NULL AND t.state IN ('answered', 'partial')",
            )?;
            let mut questions = Vec::new();
            for row in shared.rows {
                questions.extend(statement.query_row(params![row], before).optional()?);
                if questions.len() == most {
                    break;
                }
            }
            Ok(AskedCandidates { questions, total: shared.total, counts: shared.counts })
        })
    }

    /// The title of a thread, and the questions and answers of its last turns.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn last_said(&self, thread: &ThreadId, most: usize) -> Result<Vec<String>, StoreError> {
        self.reading_on(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT title FROM threads WHERE id = ?1
                 UNION ALL SELECT * FROM (SELECT question || char(10) || answer FROM turns WHERE thread_id = ?1 ORDER BY position DESC LIMIT ?2)",
            )?;
            let rows = statement.query_map(params![thread.as_str(), most as i64], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Finished turns of other threads whose questions, answers or names of sources hold some of these words, those that
    /// share most first.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn past_answers(&self, words: &[String], besides: Option<&ThreadId>, most: usize) -> Result<Vec<PastAnswer>, StoreError> {
        self.reading_on(|connection| {
            let shared = sharing(connection, words, "question answer found")?;
            let mut statement = connection.prepare_cached(
                "SELECT t.thread_id, t.question, t.answer, t.asked_ms FROM turn_rows r JOIN turns t ON t.id = r.turn_id
                 JOIN threads h ON h.id = t.thread_id WHERE r.row = ?1 AND h.deleted_ms IS NULL AND t.thread_id IS NOT ?2
                 AND t.state IN ('answered', 'partial') AND t.answer != ''",
            )?;
            let mut answers = Vec::new();
            for row in shared.rows {
                let found = statement.query_row(params![row, besides.map(ThreadId::as_str)], |row| {
                    Ok(PastAnswer { thread: ThreadId(row.get(0)?), question: row.get(1)?, answer: row.get(2)?, asked_ms: row.get(3)? })
                });
                answers.extend(found.optional()?);
                if answers.len() == most {
                    break;
                }
            }
            Ok(answers)
        })
    }

    /// Whether the library holds an answer besides those of this thread.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn has_past_answers(&self, besides: Option<&ThreadId>) -> Result<bool, StoreError> {
        self.reading_on(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM turns t JOIN threads h ON h.id = t.thread_id
             WHERE h.deleted_ms IS NULL AND t.thread_id IS NOT ?1 AND t.state IN ('answered', 'partial') AND t.answer != '')",
            )?;
            Ok(statement.query_row([besides.map(ThreadId::as_str)], |row| row.get(0))?)
        })
    }
}

/// A question of the library, from the columns thread, turn, question and moment.
pub(super) fn before(row: &Row<'_>) -> rusqlite::Result<AskedBefore> {
    let (thread, turn) = (ThreadId(row.get(0)?), TurnId(row.get(1)?));
    Ok(AskedBefore { thread, turn, question: row.get(2)?, asked_ms: row.get(3)?, is_same: false })
}

/// Rows of the index that share words with a search.
struct Sharing {
    /// Those that share the rarest words first, the newest of those that share as much.
    rows: Vec<i64>,
    /// All turns.
    total: usize,
    /// How many of them have each word.
    counts: Vec<usize>,
}

/// Looks for words in these columns of the index.
fn sharing(connection: &Connection, words: &[String], columns: &str) -> Result<Sharing, StoreError> {
    let total: i64 = connection.query_row("SELECT coalesce(max(row), 0) FROM turn_rows", [], |row| row.get(0))?;
    let total = usize::try_from(total).unwrap_or_default();
    let rows = words.iter().map(|word| rows_of(connection, word, columns)).collect::<Result<Vec<Vec<i64>>, StoreError>>()?;
    let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    let is_common = |count: usize| count == MOST_OF_A_WORD as usize || (total > FEW && count as f64 > total as f64 * COMMON);
    let all_common = counts.iter().all(|count| *count == 0 || is_common(*count));
    let mut shared: HashMap<i64, f64> = HashMap::new();
    for (rows, count) in rows.iter().zip(&counts).filter(|(_, count)| all_common || !is_common(**count)) {
        let rarity = (1.0 + total as f64 / (*count as f64 + 1.0)).ln();
        for row in rows {
            *shared.entry(*row).or_default() += rarity;
        }
    }
    let mut best: Vec<(i64, f64)> = shared.into_iter().collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    Ok(Sharing { rows: best.into_iter().map(|(row, _)| row).collect(), total, counts })
}

/// The newest turns that have a word in these columns. Letters that are words of their own are found in the column for
/// them, which has those of questions and answers.
fn rows_of(connection: &Connection, word: &str, columns: &str) -> Result<Vec<i64>, StoreError> {
    let columns = if word.chars().next().is_some_and(terms::is_ideograph) { "letters" } else { columns };
    let mut statement = connection.prepare_cached("SELECT rowid FROM turns_fts WHERE turns_fts MATCH ?1 ORDER BY rowid DESC LIMIT ?2")?;
    let rows = statement.query_map(params![format!("{{{columns}}} : {}", quoted(word)), MOST_OF_A_WORD], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found_whatever_their_answers_say() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::open(&folder.path().join("nexi.db")).unwrap();
        let (_, turn) = super::super::tests::one_turn(&history);
        let ask = |text: &[&str]| {
            let words: Vec<String> = text.iter().map(|word| (*word).to_owned()).collect();
            history.asked_with(&words, 5).unwrap()
        };
        let found = ask(&["bridge", "opened", "steel"]);
        assert_eq!((found.total, found.counts, &found.questions[0].turn), (1, vec![1, 1, 0], &turn));
        // Words of answers are no words of questions, and marks of the index mean nothing.
        for nothing in [&["1931"][..], &["\" OR question: NEAR("], &["}"], &[]] {
            assert!(ask(nothing).questions.is_empty(), "{nothing:?}");
        }
        let past = |word: &str, besides| history.past_answers(&[word.to_owned()], besides, 5).unwrap();
        let (thread, found) = (&past("1931", None)[0].thread, past("1931", None));
        assert!(found.len() == 1 && history.has_past_answers(None).unwrap());
        // Not in the thread that asks, and not once it is deleted.
        assert!(past("1931", Some(thread)).is_empty() && !history.has_past_answers(Some(thread)).unwrap());
        history.delete(thread, 1).unwrap();
        assert!(past("1931", None).is_empty() && !history.has_past_answers(None).unwrap());
    }
}
