//! The tables of a corpus: made, and checked before they are used.

use std::fmt::Write as _;

use nexi_core::ports::DatabaseCause;

use crate::{Database, queue};

/// The version of the tables.
pub const VERSION: i32 = 1;
const TABLES: &str = include_str!("schema.sql");
const FUNCTIONS: &str = include_str!("functions.sql");
const OWNER: &str = include_str!("owner.sql");
/// Parts of the table of passages. More than a corpus on one machine needs, for they cannot be changed later.
pub(crate) const PARTITIONS: u32 = 8;
/// Roles that may read, and write.
const ROLES: [&str; 2] = ["nexi_reader", "nexi_writer"];

/// What gives all functions of a schema to its owner.
pub(crate) fn owner(schema: &str) -> String {
    OWNER.replace("{schema}", schema)
}

impl Database {
    /// Makes the tables of a corpus, with a group for each of these roles. Where there are tables, the groups are added, and
    /// the functions become those of this program; it is false then. The roles `nexi_reader` and `nexi_writer` are made where
    /// they are missing.
    ///
    /// # Errors
    /// When a role does not exist, or the user may not make tables or roles.
    pub async fn create_corpus(&mut self, groups: &[String]) -> Result<bool, DatabaseCause> {
        self.check_encoding().await?;
        for role in groups {
            if !self.has_role(role).await? {
                return Err(DatabaseCause::NoRole { role: role.clone() });
            }
        }
        match self.check_version().await {
            Ok(()) => {
                self.renew_functions().await?;
                self.add_groups(groups).await?;
                return Ok(false);
            }
            Err(DatabaseCause::NoCorpus) => {}
            Err(problem) => return Err(problem),
        }
        for role in ROLES {
            if !self.has_role(role).await? {
                self.run(&format!("CREATE ROLE {role} NOLOGIN")).await?;
            }
        }
        let mut all = format!("BEGIN;\n{TABLES}\n{FUNCTIONS}\n{}\n", owner("nexi"));
        // Rows are compressed only where they would not fit into a block: searches read thousands of them.
        for part in 0..PARTITIONS {
            let _ = writeln!(
                all,
                "CREATE TABLE nexi.passages_{part} PARTITION OF nexi.passages FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {part})
                 WITH (toast_tuple_target = 8160);"
            );
        }
        // Words are merged into the index many passages at a time, which is several times as fast; until then searches look
        // through them one by one, so that there must not be many.
        all.push_str("CREATE INDEX passages_words ON nexi.passages USING gin (words) WITH (gin_pending_list_limit = 1024);\nCOMMIT;");
        self.run_script(&all).await?;
        self.add_groups(groups).await?;
        Ok(true)
    }

    /// Puts the functions of this program in the place of those that are there.
    async fn renew_functions(&self) -> Result<(), DatabaseCause> {
        let of_vectors = self.vector_functions().await?.unwrap_or_default();
        self.run_script(&format!("BEGIN;\n{FUNCTIONS}\n{of_vectors}\n{}\nCOMMIT;", owner("nexi"))).await
    }

    /// Carries out statements that begin and end a transaction.
    pub(crate) async fn run_script(&self, all: &str) -> Result<(), DatabaseCause> {
        let done = self.run(all).await;
        if done.is_err() {
            // Where it was the transaction that failed.
            let _ = self.client.batch_execute("ROLLBACK").await;
        }
        done
    }

    /// Makes groups of those who are members of these roles; those that are there stay. The group of a role that was dropped
    /// becomes that of the role of the same name.
    async fn add_groups(&self, groups: &[String]) -> Result<(), DatabaseCause> {
        let inherit = "UPDATE nexi.groups g SET role_id = r.oid FROM pg_roles r
             WHERE r.rolname = ANY ($1::text[]) AND NOT EXISTS (SELECT FROM nexi.groups h WHERE h.role_id = r.oid)
                 AND g.id = (SELECT min(h.id) FROM nexi.groups h WHERE h.role = r.rolname AND NOT EXISTS (SELECT FROM pg_roles o WHERE o.oid = h.role_id))";
        self.execute(inherit, &[&groups]).await?;
        let add = "INSERT INTO nexi.groups (role, role_id) SELECT r.rolname, r.oid FROM pg_roles r WHERE r.rolname = ANY ($1::text[]) ON CONFLICT DO NOTHING";
        self.execute(add, &[&groups]).await.map(drop)
    }

    /// Removes documents of the group of a role, and the group with them. How many documents.
    ///
    /// # Errors
    /// When there is no such group, or the database refuses.
    pub async fn remove_group(&mut self, role: &str) -> Result<u64, DatabaseCause> {
        let missing = || DatabaseCause::NoGroup { role: role.to_owned() };
        let removed = queue::remove_group(&mut self.client, role).await;
        removed.map_err(|error| self.problem(&error))?.ok_or_else(missing)
    }

    /// The version of the tables.
    ///
    /// # Errors
    /// When there is no corpus, or the user may not read it.
    pub async fn version(&self) -> Result<i32, DatabaseCause> {
        // Whoever may not look into the schema is not told that it is there.
        let there = self.row("SELECT to_regnamespace('nexi') IS NOT NULL", &[]).await?;
        if !there.get::<_, bool>(0) {
            return Err(DatabaseCause::NoCorpus);
        }
        let row = self.row_if_any("SELECT version FROM nexi.meta", &[]).await?;
        row.map(|row| row.get(0)).ok_or(DatabaseCause::NoCorpus)
    }

    /// Fails unless the tables are of the version that is known here.
    ///
    /// # Errors
    /// When they are not, or there are none.
    pub async fn check_version(&self) -> Result<(), DatabaseCause> {
        match self.version().await? {
            VERSION => Ok(()),
            found => Err(DatabaseCause::OtherVersion { found, known: VERSION }),
        }
    }

    /// The number of a group; none is that of everybody.
    ///
    /// # Errors
    /// When there is no such group.
    pub async fn group(&self, role: Option<&str>) -> Result<Option<i32>, DatabaseCause> {
        let Some(role) = role else { return Ok(None) };
        let sql = "SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.oid = g.role_id WHERE r.rolname = $1::text::name";
        let row = self.row_if_any(sql, &[&role]).await?;
        row.map(|row| Some(row.get(0))).ok_or_else(|| DatabaseCause::NoGroup { role: role.to_owned() })
    }

    pub(crate) async fn has_role(&self, role: &str) -> Result<bool, DatabaseCause> {
        Ok(self.row_if_any("SELECT 1 FROM pg_roles WHERE rolname = $1::text::name", &[&role]).await?.is_some())
    }

    async fn run(&self, sql: &str) -> Result<(), DatabaseCause> {
        self.client.batch_execute(sql).await.map_err(|error| self.problem(&error))
    }
}
