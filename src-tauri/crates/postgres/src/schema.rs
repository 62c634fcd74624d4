//! The tables of a corpus: made, and checked before they are used.

use std::fmt::Write as _;

use crate::{Database, DatabaseProblem};

/// The version of the tables.
pub const VERSION: i32 = 1;
const TABLES: &str = include_str!("schema.sql");
/// Parts of the table of passages. More than a corpus on one machine needs, for they cannot be changed later.
const PARTITIONS: u32 = 16;
/// Roles that may read, and write.
const ROLES: [&str; 2] = ["nexi_reader", "nexi_writer"];

impl Database {
    /// Makes the tables of a corpus, with a group for each of these roles; where there are tables, the groups alone. The roles `nexi_reader` and
    /// `nexi_writer` are made where they are missing.
    ///
    /// # Errors
    /// When there is a corpus already and no group is wanted, a role does not exist, or the user may not make tables or roles.
    pub async fn create_corpus(&mut self, groups: &[String]) -> Result<(), DatabaseProblem> {
        for role in groups {
            if !self.has_role(role).await? {
                return Err(DatabaseProblem::NoRole { role: role.clone() });
            }
        }
        match self.version().await {
            Ok(_) if groups.is_empty() => return Err(DatabaseProblem::CorpusExists),
            Ok(_) => return self.add_groups(groups).await,
            Err(DatabaseProblem::NoCorpus) => {}
            Err(problem) => return Err(problem),
        }
        for role in ROLES {
            if !self.has_role(role).await? {
                self.run(&format!("CREATE ROLE {role} NOLOGIN")).await?;
            }
        }
        let mut all = format!("BEGIN;\n{TABLES}");
        for part in 0..PARTITIONS {
            let _ = writeln!(
                all,
                "CREATE TABLE nexi.passages_{part} PARTITION OF nexi.passages FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {part});"
            );
        }
        // Lists of places that are not merged yet would be searched one by one.
        all.push_str("CREATE INDEX passages_words ON nexi.passages USING gin (words) WITH (fastupdate = off);\nCOMMIT;");
        if let Err(problem) = self.run(&all).await {
            // Where it was the transaction that failed.
            let _ = self.client.batch_execute("ROLLBACK").await;
            return Err(problem);
        }
        self.add_groups(groups).await
    }

    /// Makes groups of those who are members of these roles; those that are there stay.
    async fn add_groups(&self, groups: &[String]) -> Result<(), DatabaseProblem> {
        let sql = "INSERT INTO nexi.groups (role) SELECT unnest($1::text[])::name ON CONFLICT DO NOTHING";
        self.execute(sql, &[&groups]).await.map(drop)
    }

    /// The version of the tables.
    ///
    /// # Errors
    /// When there is no corpus, or the user may not read it.
    pub async fn version(&self) -> Result<i32, DatabaseProblem> {
        // Whoever may not look into the schema is not told that it is there.
        let there = self.row("SELECT to_regnamespace('nexi') IS NOT NULL", &[]).await?;
        if !there.get::<_, bool>(0) {
            return Err(DatabaseProblem::NoCorpus);
        }
        let row = self.row_if_any("SELECT version FROM nexi.meta", &[]).await?;
        row.map(|row| row.get(0)).ok_or(DatabaseProblem::NoCorpus)
    }

    /// Fails unless the tables are of the version that is known here.
    ///
    /// # Errors
    /// When they are not, or there are none.
    pub async fn check_version(&self) -> Result<(), DatabaseProblem> {
        match self.version().await? {
            VERSION => Ok(()),
            found => Err(DatabaseProblem::OtherVersion { found, known: VERSION }),
        }
    }

    /// The number of a group; none is that of everybody.
    ///
    /// # Errors
    /// When there is no such group.
    pub async fn group(&self, role: Option<&str>) -> Result<Option<i32>, DatabaseProblem> {
        let Some(role) = role else { return Ok(None) };
        let row = self.row_if_any("SELECT id FROM nexi.groups WHERE role = $1::text::name", &[&role]).await?;
        row.map(|row| Some(row.get(0))).ok_or_else(|| DatabaseProblem::NoGroup { role: role.to_owned() })
    }

    async fn has_role(&self, role: &str) -> Result<bool, DatabaseProblem> {
        Ok(self.row_if_any("SELECT 1 FROM pg_roles WHERE rolname = $1::text::name", &[&role]).await?.is_some())
    }

    async fn run(&self, sql: &str) -> Result<(), DatabaseProblem> {
        self.client.batch_execute(sql).await.map_err(|error| self.problem(&error))
    }
}
