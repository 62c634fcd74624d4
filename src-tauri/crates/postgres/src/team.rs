//! A team library: threads that people share, as events that are appended and never changed.

use nexi_core::{ports::DatabaseCause, protocol::TeamSearch};
use serde::Serialize;
use tokio_postgres::types::{Json, ToSql};
use uuid::Uuid;

use crate::{Database, schema::owner, words, write::clean};

/// The version of its tables.
const VERSION: i32 = 1;
const TABLES: &str = include_str!("team.sql");
const FUNCTIONS: &str = include_str!("team_functions.sql");
/// The role whose members share threads and see those of others.
const ROLE: &str = "nexi_team";
/// Letters of an answer in which a search shows where its words stand.
const SHOWN: i32 = 20_000;

/// Something that happened to a shared thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamEvent {
    /// What is sent twice under it is there once.
    pub id: Uuid,
    /// The name of the thread among those that are shared.
    pub thread: Uuid,
    /// The role whose members may see the thread; none is everybody. The first event of a thread decides.
    pub role: Option<String>,
    pub what: TeamEventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TeamEventKind {
    /// It is called otherwise.
    Head { head: TeamHead },
    /// A question was answered, or answered anew.
    Turn { head: TeamHead, turn: String, body: String, asked_ms: i64, question: String, answer: String },
    /// A turn was taken back.
    TurnWithdrawn { turn: String },
    /// All of it was.
    Withdrawn,
}

/// What a thread is called, and what it goes on from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct TeamHead {
    pub title: String,
    pub description: String,
    pub tags: Vec<String>,
    pub space: Option<String>,
    pub origin: Option<Uuid>,
    pub origin_author: Option<String>,
}

impl TeamHead {
    /// JSON of PostgreSQL has no place for some characters.
    fn clean(&self) -> Self {
        Self {
            title: clean(&self.title),
            description: clean(&self.description),
            tags: self.tags.iter().map(|tag| clean(tag)).collect(),
            space: self.space.as_deref().map(clean),
            origin: self.origin,
            origin_author: self.origin_author.as_deref().map(clean),
        }
    }
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    Kept,
    /// It is there from an earlier time.
    Known,
    /// The thread was withdrawn, for good.
    Withdrawn,
    /// The thread is somebody else's.
    Foreign,
}

/// A thread that is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamThread {
    pub id: Uuid,
    pub author: String,
    /// Whether the author is who asks.
    pub is_own: bool,
    pub role: Option<String>,
    pub title: String,
    pub description: String,
    pub tags: Vec<String>,
    pub space: Option<String>,
    /// The thread that it goes on from, and whose that was.
    pub origin: Option<(Uuid, String)>,
    pub turns: i32,
    /// Unix time in milliseconds of its last turn.
    pub updated_ms: i64,
}

/// A thread that was found, with the question and answer in which the words stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamHit {
    pub thread: TeamThread,
    pub turn: Option<(String, String)>,
}

const COLUMNS: &str =
    "t.id, t.author::text, nexi_team.is_self(t.author_id), t.role::text, t.title, t.description, t.tags, t.space, t.origin,
     t.origin_author, t.turns, (extract(epoch FROM t.updated) * 1000)::int8";

impl Database {
    /// Makes the tables of a team library, and the role `nexi_team` where it is missing. Where there is a team library, it gets
    /// the functions of this program; it is false then.
    ///
    /// # Errors
    /// When the user may not make tables or roles.
    pub async fn create_team(&mut self) -> Result<bool, DatabaseCause> {
        self.check_encoding().await?;
        match self.check_team().await {
            Ok(()) => {
                self.run_script(&format!("BEGIN;\n{FUNCTIONS}\n{}\nCOMMIT;", owner("nexi_team"))).await?;
                return Ok(false);
            }
            Err(DatabaseCause::NoTeam) => {}
            Err(problem) => return Err(problem),
        }
        if !self.has_role(ROLE).await? {
            self.run_script(&format!("CREATE ROLE {ROLE} NOLOGIN")).await?;
        }
        self.run_script(&format!("BEGIN;\n{TABLES}\n{FUNCTIONS}\n{}\nCOMMIT;", owner("nexi_team"))).await?;
        Ok(true)
    }

    /// Fails unless there is a team library of the version that is known here.
    ///
    /// # Errors
    /// When there is none, the user may not see it, or it has another version.
    pub async fn check_team(&self) -> Result<(), DatabaseCause> {
        match self.team_version().await? {
            VERSION => Ok(()),
            found => Err(DatabaseCause::OtherTeamVersion { found, known: VERSION }),
        }
    }

    async fn team_version(&self) -> Result<i32, DatabaseCause> {
        // Whoever may not look into the schema is told so.
        let there = self.row("SELECT to_regnamespace('nexi_team') IS NOT NULL", &[]).await?;
        if !there.get::<_, bool>(0) {
            return Err(DatabaseCause::NoTeam);
        }
        let row = self.row_if_any("SELECT version FROM nexi_team.meta", &[]).await?;
        row.map(|row| row.get(0)).ok_or(DatabaseCause::NoTeam)
    }

    /// What tells this team library from others, whatever its address.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn team_id(&self) -> Result<Uuid, DatabaseCause> {
        Ok(self.row("SELECT id FROM nexi_team.meta", &[]).await?.get(0))
    }

    /// Fails unless this user is a member of a role that threads are to be shared with.
    ///
    /// # Errors
    /// When there is no such role, or the user is not one of its members.
    pub async fn check_member(&self, role: &str) -> Result<(), DatabaseCause> {
        if !self.has_role(role).await? {
            return Err(DatabaseCause::NoRole { role: role.to_owned() });
        }
        match self
            .row("SELECT nexi_team.is_member($1::text::name, (SELECT oid FROM pg_roles WHERE rolname = $1::text::name))", &[&role])
            .await?
            .get::<_, bool>(0)
        {
            true => Ok(()),
            false => Err(DatabaseCause::NotMember { role: role.to_owned() }),
        }
    }

    /// Appends an event to a thread of this user's own, which its first event makes.
    ///
    /// # Errors
    /// When the user is not a member of the thread's role, or the database refuses.
    pub async fn append(&self, event: &TeamEvent) -> Result<Appended, DatabaseCause> {
        let (mut head, mut turn, mut body, mut asked, mut question, mut answer, mut vector) = (None, None, None, None, None, None, None);
        let kind = match &event.what {
            TeamEventKind::Head { head: called } => {
                head = Some(called.clean());
                "head"
            }
            TeamEventKind::Turn { head: called, turn: id, body: whole, asked_ms, question: asks, answer: says } => {
                let (called, asks, says) = (called.clean(), clean(asks), clean(says));
                vector = Some(words::vector(&[&called.title, &asks], &says));
                head = Some(called);
                (turn, body, asked) = (Some(id.as_str()), Some(whole.as_str()), Some(*asked_ms));
                (question, answer) = (Some(asks), Some(says));
                "turn"
            }
            TeamEventKind::TurnWithdrawn { turn: id } => {
                turn = Some(id.as_str());
                "turn_withdrawn"
            }
            TeamEventKind::Withdrawn => "withdrawn",
        };
        let called = head.as_ref().map(|head| words::vector(&[&head.title, &head.tags.join(" ")], &head.description));
        let head = head.as_ref().map(Json);
        let sql = "SELECT nexi_team.append($1, $2, $3::text::name, $4, $5, $6::text::tsvector, $7, $8, $9, $10, $11, $12::text::tsvector)";
        let values: [&(dyn ToSql + Sync); 12] =
            [&event.id, &event.thread, &event.role, &kind, &head, &called, &turn, &body, &asked, &question, &answer, &vector];
        let row = self.row(sql, &values).await?;
        Ok(match row.get::<_, &str>(0) {
            "kept" => Appended::Kept,
            "known" => Appended::Known,
            "foreign" => Appended::Foreign,
            "not_member" => return Err(DatabaseCause::NotMember { role: event.role.clone().unwrap_or_default() }),
            _ => Appended::Withdrawn,
        })
    }

    /// Threads that this user may see: the newest first, or the best where there are words to look for.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn team_threads(&self, query: &TeamSearch) -> Result<Vec<TeamHit>, DatabaseCause> {
        let (since, limit, offset) = (query.since_ms.map(|since| since as f64 / 1000.0), i64::from(query.limit), i64::from(query.offset));
        let Some(asked) = words::all_of(&query.text) else {
            if !query.text.trim().is_empty() {
                // Nothing but punctuation: nothing can be found.
                return Ok(Vec::new());
            }
            let sql = format!(
                "SELECT {COLUMNS} FROM nexi_team.threads t WHERE t.turns > 0 AND ($1::float8 IS NULL OR t.updated >= to_timestamp($1))
                 AND ($2::text IS NULL OR $2 = ANY (t.tags)) ORDER BY t.updated DESC, t.id LIMIT $3 OFFSET $4"
            );
            let rows = self.rows(&sql, &[&since, &query.tag, &limit, &offset]).await?;
            return Ok(rows.iter().map(|row| TeamHit { thread: thread(row), turn: None }).collect());
        };
        let sql = format!(
            "SELECT {COLUMNS}, left(f.question, {SHOWN}), left(f.answer, {SHOWN})
             FROM nexi_team.search($1::text::tsquery, to_timestamp($2::float8), $3, $4::int8::int4, $5::int8::int4) WITH ORDINALITY AS f (thread, question, answer, place)
             JOIN nexi_team.threads t ON t.id = f.thread ORDER BY f.place"
        );
        let rows = self.rows(&sql, &[&asked, &since, &query.tag, &limit, &offset]).await?;
        Ok(rows.iter().map(|row| TeamHit { thread: thread(row), turn: Some((row.get(12), row.get(13))) }).collect())
    }

    /// A thread with its turns, in the order in which they were asked: when each was told, and its body. None where there is none
    /// that this user may see.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn team_thread(&self, id: Uuid) -> Result<Option<(TeamThread, Vec<(i64, String)>)>, DatabaseCause> {
        // One statement, so that nobody withdraws a turn in between.
        let sql = format!(
            "SELECT {COLUMNS}, x.seqs, x.bodies FROM nexi_team.threads t, LATERAL (
                 SELECT array_agg(e.seq ORDER BY u.asked_ms, u.event) AS seqs, array_agg(e.body ORDER BY u.asked_ms, u.event) AS bodies
                 FROM nexi_team.turns u JOIN nexi_team.events e ON e.seq = u.event WHERE u.thread = t.id AND e.body IS NOT NULL) x
             WHERE t.id = $1 AND t.turns > 0"
        );
        let row = self.row_if_any(&sql, &[&id]).await?;
        let turns = |row: &tokio_postgres::Row| {
            let (seqs, bodies): (Option<Vec<i64>>, Option<Vec<String>>) = (row.get(12), row.get(13));
            seqs.unwrap_or_default().into_iter().zip(bodies.unwrap_or_default()).collect()
        };
        Ok(row.map(|row| (thread(&row), turns(&row))))
    }

    /// Whether a thread is there and this user's own.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn is_own(&self, id: Uuid) -> Result<bool, DatabaseCause> {
        let sql = "SELECT EXISTS (SELECT FROM nexi_team.threads WHERE id = $1 AND nexi_team.is_self(author_id) AND NOT withdrawn)";
        Ok(self.row(sql, &[&id]).await?.get(0))
    }

    /// The threads that this user may see whose ids, in small hexadecimal digits without dashes, begin or end so; two at most.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn find_team_threads(&self, part: &str) -> Result<Vec<Uuid>, DatabaseCause> {
        let sql = "SELECT id FROM nexi_team.threads t, replace(t.id::text, '-', '') AS plain
             WHERE t.turns > 0 AND (left(plain, length($1::text)) = $1 OR right(plain, length($1)) = $1) LIMIT 2";
        Ok(self.rows(sql, &[&part]).await?.iter().map(|row| row.get(0)).collect())
    }
}

fn thread(row: &tokio_postgres::Row) -> TeamThread {
    let origin: Option<Uuid> = row.get(8);
    TeamThread {
        id: row.get(0),
        author: row.get(1),
        is_own: row.get(2),
        role: row.get(3),
        title: row.get(4),
        description: row.get(5),
        tags: row.get(6),
        space: row.get(7),
        origin: origin.map(|origin| (origin, row.get::<_, Option<String>>(9).unwrap_or_default())),
        turns: row.get(10),
        updated_ms: row.get(11),
    }
}
