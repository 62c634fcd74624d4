//! The queue: what is to be read, who is reading it, and what became of it.

use std::time::Duration;

use nexi_core::ports::DatabaseCause;
use serde_json::Value;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{Json, ToSql};
use tokio_postgres::{Client, Transaction};
use uuid::Uuid;

use crate::{
    Database,
    write::{Job, NewDocument, Statements, Writing, clean_json},
};

/// How often a file is tried before it is given up.
pub const MAX_ATTEMPTS: i32 = 5;
/// How long a worker has a file for itself. One that is gone is missed after this.
const LEASE: Duration = Duration::from_secs(120);
/// How long a file that could not be read waits, times the attempts so far.
const PAUSE: Duration = Duration::from_secs(20);
/// How often what is in the way of others is tried again.
const DEADLOCKS: u32 = 5;
/// Addresses that are put into the queue at once.
const AT_ONCE: usize = 1000;

/// From so many tries on a file is taken by itself: whatever ends its workers does so without others.
const SUSPECT: i32 = 2;
/// Processes without a file that are remembered for it at most; one that is forgotten looks for it again.
const MOST_ABSENT: i32 = 32;

/// Whoever works on the queue, with a connection of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerId {
    id: Uuid,
    /// The same for all workers of a process, which have the same files.
    process: Uuid,
}

impl WorkerId {
    /// The workers of a process.
    pub fn of_process(count: usize) -> Vec<Self> {
        let process = Uuid::new_v4();
        std::iter::repeat_with(|| Self { id: Uuid::new_v4(), process }).take(count).collect()
    }
}

/// Documents that are removed: those at these addresses and below these folders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Removal {
    pub addresses: Vec<String>,
    /// How the addresses of what is in them begin.
    pub folders: Vec<String>,
    /// Those of this group; none are those of everybody.
    pub group: Option<i32>,
    /// Whatever the group.
    pub of_all: bool,
}

/// What became of a file.
#[derive(Debug)]
pub enum Outcome {
    Read(Box<NewDocument>),
    /// It is what is in the corpus already.
    Unchanged,
    /// It can never be read, such as a picture.
    Unreadable {
        why: Value,
    },
    /// It could not be read now; it is tried again.
    Failed {
        why: Value,
    },
    /// It is not on this computer, and waits for one that has it.
    Absent {
        why: Value,
    },
}

impl Database {
    /// Puts files into the queue; those that are waiting there already are left as they are, those that were read before are
    /// looked at again, and those that are being read are once they have been. The number of those that wait because of this.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn enqueue(&self, addresses: &[String], group: Option<i32>) -> Result<u64, DatabaseCause> {
        let sql = "INSERT INTO nexi.jobs (address, group_id) SELECT unnest($1::text[]), $2
             ON CONFLICT (address, group_id) DO UPDATE
             SET state = CASE jobs.state WHEN 'taken' THEN 'taken' ELSE 'waiting' END, again = jobs.state = 'taken', absent = '{}', why = NULL,
                 attempts = CASE jobs.state WHEN 'taken' THEN jobs.attempts ELSE 0 END, worker = CASE jobs.state WHEN 'taken' THEN jobs.worker END,
                 due = CASE jobs.state WHEN 'taken' THEN jobs.due ELSE now() END, changed = CASE jobs.state WHEN 'taken' THEN jobs.changed ELSE now() END
             WHERE jobs.state <> 'waiting' OR jobs.absent <> '{}'";
        let mut count = 0;
        for part in addresses.chunks(AT_ONCE) {
            count += self.execute(sql, &[&part, &group]).await?;
        }
        Ok(count)
    }

    /// How many files of a group are known, as documents or in the queue, whose addresses begin like this, and how many of them
    /// are not among those that are there.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn count_others(&self, begins: &str, there: &[String], group: Option<i32>) -> Result<(i64, i64), DatabaseCause> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE t.address IS NULL) FROM (
                 SELECT address FROM nexi.documents WHERE starts_with(address, $1) AND group_id IS NOT DISTINCT FROM $3
                 UNION SELECT address FROM nexi.jobs WHERE starts_with(address, $1) AND group_id IS NOT DISTINCT FROM $3
             ) k LEFT JOIN unnest($2::text[]) AS t (address) ON t.address = k.address";
        let row = self.row(sql, &[&begins, &there, &group]).await?;
        Ok((row.get(0), row.get(1)))
    }

    /// Forgets documents of a group whose addresses begin like this and that are not among those that are there. How many.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn forget_others(&mut self, begins: &str, there: &[String], group: Option<i32>) -> Result<u64, DatabaseCause> {
        let chosen = "starts_with(address, $1) AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS t (there) WHERE t.there = address)
             AND group_id IS NOT DISTINCT FROM $3";
        let removed = remove_in_one(&mut self.client, chosen, &[&begins, &there, &group]).await;
        removed.map_err(|error| self.problem(&error))
    }

    /// Removes documents, whatever is still to be read of them with them. How many documents.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn remove_documents(&mut self, removal: &Removal) -> Result<u64, DatabaseCause> {
        let Removal { addresses, folders, group, of_all } = removal;
        let chosen = "(address = ANY ($1) OR EXISTS (SELECT FROM unnest($2::text[]) AS f (folder) WHERE starts_with(address, f.folder)))
             AND ($4 OR group_id IS NOT DISTINCT FROM $3)";
        let removed = remove_in_one(&mut self.client, chosen, &[addresses, folders, group, of_all]).await;
        removed.map_err(|error| self.problem(&error))
    }

    /// Takes up to `most` files that nobody is reading and that this process has not missed; they are this worker's until its
    /// lease ends. What was tried too often by workers that went away is given up.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn take(&self, worker: WorkerId, most: i64) -> Result<Vec<Job>, DatabaseCause> {
        let give_up = "UPDATE nexi.jobs SET state = CASE WHEN again THEN 'waiting' ELSE 'failed' END, attempts = CASE WHEN again THEN 0 ELSE attempts END,
             worker = NULL, why = '{\"code\": \"workers_died\"}', changed = now()
             WHERE state = 'taken' AND due <= now() AND attempts >= $1";
        self.execute(give_up, &[&MAX_ATTEMPTS]).await?;
        let take = "WITH due AS (
                 SELECT id, attempts FROM nexi.jobs WHERE state IN ('waiting', 'taken') AND due <= now() AND $4 <> ALL (absent)
                 ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
             ), placed AS (
                 SELECT id, row_number() OVER (ORDER BY attempts DESC, id) AS place, max(attempts) OVER () AS most FROM due
             ), mine AS (
                 SELECT id FROM placed WHERE place = 1 OR most < $5
             ), taken AS (
                 UPDATE nexi.jobs j SET state = 'taken', worker = $1, attempts = attempts + 1, again = false, changed = now(),
                     due = now() + make_interval(secs => $3)
                 FROM mine WHERE j.id = mine.id RETURNING j.id, j.address, j.group_id
             )
             SELECT t.id, t.address, t.group_id, d.hash FROM taken t
             LEFT JOIN nexi.documents d ON d.address = t.address AND d.group_id IS NOT DISTINCT FROM t.group_id";
        let rows = self.rows(take, &[&worker.id, &most, &LEASE.as_secs_f64(), &worker.process, &SUSPECT]).await?;
        let job = |row: &tokio_postgres::Row| Job { id: row.get(0), address: row.get(1), group: row.get(2), known_hash: row.get(3) };
        Ok(rows.iter().map(job).collect())
    }

    /// Says that these workers are alive: their files stay their own for another lease.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn renew(&self, workers: &[WorkerId]) -> Result<u64, DatabaseCause> {
        let sql = "UPDATE nexi.jobs SET due = now() + make_interval(secs => $2) WHERE worker = ANY ($1) AND state = 'taken'";
        self.execute(sql, &[&uuids(workers), &LEASE.as_secs_f64()]).await
    }

    /// Lets files that could not be read before be tried again now.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn try_again(&self) -> Result<u64, DatabaseCause> {
        self.execute("UPDATE nexi.jobs SET due = now() WHERE state = 'waiting' AND due > now()", &[]).await
    }

    /// Writes down what became of a file, and its passages, all at once. False where the file is another worker's by now:
    /// nothing is written then.
    ///
    /// # Errors
    /// When the database refuses; nothing is written then, either.
    pub async fn finish(&mut self, worker: WorkerId, job: &Job, outcome: &Outcome) -> Result<bool, DatabaseCause> {
        let done = write(&mut self.client, &self.statements, worker, job, outcome).await;
        done.map_err(|error| self.problem(&error))
    }

    /// Gives files back that these workers have and have not read, as if they had never taken them.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn give_back(&self, workers: &[WorkerId]) -> Result<u64, DatabaseCause> {
        let sql = "UPDATE nexi.jobs SET state = 'waiting', worker = NULL, attempts = greatest(attempts - 1, 0), due = now()
             WHERE worker = ANY ($1) AND state = 'taken'";
        self.execute(sql, &[&uuids(workers)]).await
    }

    /// Whether something was written since words were counted last.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn is_uncounted(&self) -> Result<bool, DatabaseCause> {
        let sql = "SELECT EXISTS (SELECT FROM nexi.documents d, nexi.meta m WHERE m.counted IS NULL OR d.indexed > m.counted)";
        Ok(self.row(sql, &[]).await?.get(0))
    }

    /// Counts words anew, and samples vectors, for the order of what is found.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn count_words(&self) -> Result<(), DatabaseCause> {
        self.execute("SELECT nexi.count_words()", &[]).await?;
        if self.embedder().await?.is_some() {
            self.execute("SELECT nexi.take_sample()", &[]).await?;
        }
        Ok(())
    }

    /// The time until this worker can take the next file, zero where it can now; none where no file waits for it or is being
    /// read. Files that wait for another try are not counted.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn next_due(&self, worker: WorkerId) -> Result<Option<Duration>, DatabaseCause> {
        let sql = "SELECT extract(epoch FROM min(due) - now())::float8 FROM nexi.jobs
             WHERE (state = 'taken' OR (state = 'waiting' AND attempts = 0)) AND $1 <> ALL (absent)";
        let row = self.row(sql, &[&worker.process]).await?;
        Ok(row.get::<_, Option<f64>>(0).map(|seconds| Duration::from_secs_f64(seconds.max(0.0))))
    }
}

/// Removes the documents that this condition chooses, with their passages and jobs. How many documents.
async fn remove_in_one(client: &mut Client, chosen: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, tokio_postgres::Error> {
    let mut attempts = 0;
    loop {
        let transaction = client.transaction().await?;
        match remove(&transaction, chosen, values).await {
            // Workers may hold what is removed, each one file of it.
            Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) && attempts < DEADLOCKS => attempts += 1,
            removed => {
                let removed = removed?;
                transaction.commit().await?;
                return Ok(removed);
            }
        }
    }
}

/// A worker holds the row of its job while it writes, so that one comes first: each statement then sees what it has written.
async fn remove(transaction: &Transaction<'_>, chosen: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, tokio_postgres::Error> {
    transaction.execute(&format!("DELETE FROM nexi.jobs WHERE {chosen}"), values).await?;
    let gone = transaction.query(&format!("DELETE FROM nexi.documents WHERE {chosen} RETURNING id"), values).await?;
    let ids: Vec<i64> = gone.iter().map(|row| row.get(0)).collect();
    transaction.execute("DELETE FROM nexi.passages WHERE document_id = ANY ($1)", &[&ids]).await?;
    Ok(ids.len() as u64)
}

/// Removes the group of a role with all that it has, also where the role itself is gone. None where there is no such group.
pub(crate) async fn remove_group(client: &mut Client, role: &str) -> Result<Option<u64>, tokio_postgres::Error> {
    let transaction = client.transaction().await?;
    let sql = "SELECT g.id FROM nexi.groups g LEFT JOIN pg_roles r ON r.oid = g.role_id WHERE coalesce(r.rolname, g.role) = $1::text::name
         ORDER BY r.oid IS NULL LIMIT 1 FOR NO KEY UPDATE OF g";
    let Some(row) = transaction.query_opt(sql, &[&role]).await? else { return Ok(None) };
    let group: i32 = row.get(0);
    let removed = remove(&transaction, "group_id = $1", &[&group]).await?;
    transaction.execute("DELETE FROM nexi.groups WHERE id = $1", &[&group]).await?;
    transaction.commit().await?;
    Ok(Some(removed))
}

fn uuids(workers: &[WorkerId]) -> Vec<Uuid> {
    workers.iter().map(|worker| worker.id).collect()
}

async fn write(
    client: &mut Client,
    statements: &Statements,
    worker: WorkerId,
    job: &Job,
    outcome: &Outcome,
) -> Result<bool, tokio_postgres::Error> {
    let writing = Writing::new(client.transaction().await?, statements);
    let own = "SELECT 1 FROM nexi.jobs WHERE id = $1 AND worker = $2 AND state = 'taken' FOR UPDATE";
    if writing.row_if_any(own, &[&job.id, &worker.id]).await?.is_none() {
        return Ok(false);
    }
    let done =
        "UPDATE nexi.jobs SET state = CASE WHEN again THEN 'waiting' ELSE 'done' END, attempts = CASE WHEN again THEN 0 ELSE attempts END,
         due = now(), worker = NULL, why = NULL, changed = now() WHERE id = $1";
    match outcome {
        Outcome::Unchanged => drop(writing.execute(done, &[&job.id]).await?),
        Outcome::Read(document) => {
            writing.put(job, document).await?;
            writing.execute(done, &[&job.id]).await?;
        }
        Outcome::Unreadable { why } => {
            writing.remove(job).await?;
            let sql = "UPDATE nexi.jobs SET state = CASE WHEN again THEN 'waiting' ELSE 'failed' END, attempts = CASE WHEN again THEN 0 ELSE attempts END,
                 due = now(), worker = NULL, why = $2, changed = now() WHERE id = $1";
            writing.execute(sql, &[&job.id, &Json(clean_json(why))]).await?;
        }
        Outcome::Failed { why } => {
            // What is in the corpus of it stays: the file may only be away for now.
            let sql = "UPDATE nexi.jobs SET state = CASE WHEN attempts >= $3 AND NOT again THEN 'failed' ELSE 'waiting' END, worker = NULL, why = $2,
                 due = CASE WHEN again THEN now() ELSE now() + make_interval(secs => $4::float8 * attempts) END,
                 attempts = CASE WHEN again THEN 0 ELSE attempts END, changed = now() WHERE id = $1";
            writing.execute(sql, &[&job.id, &Json(clean_json(why)), &MAX_ATTEMPTS, &PAUSE.as_secs_f64()]).await?;
        }
        Outcome::Absent { why } => {
            let sql = "UPDATE nexi.jobs SET state = 'waiting', attempts = greatest(attempts - 1, 0), worker = NULL, why = $2, due = now(),
                 absent = (array_append(absent, $3))[greatest(1, cardinality(absent) + 2 - $4):], changed = now() WHERE id = $1";
            writing.execute(sql, &[&job.id, &Json(clean_json(why)), &worker.process, &MOST_ABSENT]).await?;
        }
    }
    writing.commit().await?;
    Ok(true)
}
