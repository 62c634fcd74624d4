//! Pages that were read before: compressed, limited in size, and never precious. The file is
//! replaced when it is damaged.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nexi_core::ports::{CachedPage, Page, PageCache, Validators};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::{
    StoreError,
    packing::{pack, unpack},
    sqlite,
};
use rusqlite_migration::{M, Migrations};

/// The version of how pages are read; copies of other versions are not used.
const FORMAT_VERSION: u32 = 1;
/// Bytes of one page, unpacked; larger ones are not kept.
const MAX_PAGE: u64 = 16 * 1024 * 1024;
/// When there is too much, so much of the limit is kept, in percent: making room takes time.
const KEEP_PERCENT: i64 = 80;

/// An older Nexi that still runs replaces pages, which fires no trigger: now and then it is counted again.
const ADD_UP: &str = "UPDATE total SET (pages, bytes) = (SELECT count(*), coalesce(sum(size), 0) FROM pages);";

const STEPS: &[M<'static>] = &[M::up(include_str!("migrations/pages_1.sql")), M::up(include_str!("migrations/pages_2.sql"))];
const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// The cache of pages.
pub struct CachedPages {
    connection: Mutex<Connection>,
    max_bytes: AtomicI64,
}

/// A page as it is packed.
#[derive(Serialize, Deserialize)]
struct Packed {
    page: Page,
    validators: Validators,
}

impl CachedPages {
    /// Opens the cache, or makes it. `max_mib` limits what is kept, packed.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn open(path: &Path, max_mib: u32) -> Result<Self, StoreError> {
        let connection = sqlite::open_rebuildable(path, &MIGRATIONS)?;
        Ok(Self { connection: Mutex::new(connection), max_bytes: AtomicI64::new(bytes(max_mib)) })
    }

    /// From now on so much is kept.
    pub fn set_limit(&self, max_mib: u32) {
        self.max_bytes.store(bytes(max_mib), Ordering::Relaxed);
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets every page.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn clear(&self) -> Result<(), StoreError> {
        Ok(self.connection().execute_batch(&format!("DELETE FROM pages; {ADD_UP} VACUUM;"))?)
    }

    /// Pages kept and their bytes, packed.
    ///
    /// # Errors
    /// When the database refuses.
    pub fn size(&self) -> Result<(u64, u64), StoreError> {
        let (count, bytes) =
            self.connection().query_row("SELECT pages, bytes FROM total", [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        Ok((u64::try_from(count).unwrap_or_default(), u64::try_from(bytes).unwrap_or_default()))
    }

    fn find(&self, key: &str) -> Result<Option<CachedPage>, StoreError> {
        let connection = self.connection();
        let row: Option<(i64, i64, Vec<u8>)> = connection
            .prepare_cached("SELECT fetched_ms, fresh_until_ms, body FROM pages WHERE key = ?1 AND read_by = ?2")?
            .query_row(params![key, FORMAT_VERSION], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let Some((fetched_ms, fresh_until_ms, body)) = row else { return Ok(None) };
        connection.prepare_cached("UPDATE pages SET used = (SELECT MAX(used) + 1 FROM pages) WHERE key = ?1")?.execute([key])?;
        drop(connection);
        let plain = unpack(&body)?;
        let Packed { page, validators } = serde_json::from_str(&plain)?;
        Ok(Some(CachedPage { page, fetched_ms, fresh_until_ms, validators }))
    }

    fn keep(&self, key: &str, page: &CachedPage) -> Result<(), StoreError> {
        let plain = serde_json::to_string(&Packed { page: page.page.clone(), validators: page.validators.clone() })?;
        if plain.len() as u64 >= MAX_PAGE {
            return Ok(());
        }
        let body = pack(&plain)?;
        let size = i64::try_from(body.len()).unwrap_or(i64::MAX);
        let connection = self.connection();
        connection
            .prepare_cached(
                // Replacing would not fire the triggers that keep the sum.
                "INSERT INTO pages (key, read_by, fetched_ms, fresh_until_ms, used, size, body)
                 VALUES (?1, ?2, ?3, ?4, (SELECT COALESCE(MAX(used), 0) + 1 FROM pages), ?5, ?6)
                 ON CONFLICT (key) DO UPDATE SET read_by = excluded.read_by, fetched_ms = excluded.fetched_ms,
                     fresh_until_ms = excluded.fresh_until_ms, used = excluded.used, size = excluded.size, body = excluded.body",
            )?
            .execute(params![key, FORMAT_VERSION, page.fetched_ms, page.fresh_until_ms, size, body])?;
        let total: i64 = connection.prepare_cached("SELECT bytes FROM total")?.query_row([], |row| row.get(0))?;
        if total > self.max_bytes.load(Ordering::Relaxed) {
            // Those that were not used for longest go first.
            connection.execute(
                "DELETE FROM pages WHERE key IN (
                     SELECT key FROM (SELECT key, SUM(size) OVER (ORDER BY used DESC) AS sum FROM pages) WHERE sum > ?1)",
                [self.max_bytes.load(Ordering::Relaxed) / 100 * KEEP_PERCENT],
            )?;
            connection.execute_batch(ADD_UP)?;
        }
        Ok(())
    }
}

fn bytes(mib: u32) -> i64 {
    i64::from(mib) * 1024 * 1024
}

impl PageCache for CachedPages {
    fn get(&self, key: &str) -> Option<CachedPage> {
        self.find(key).unwrap_or_else(|error| {
            tracing::warn!(%error, "the cache of pages could not be read");
            None
        })
    }

    fn put(&self, key: &str, page: &CachedPage) {
        if let Err(error) = self.keep(key, page) {
            tracing::warn!(%error, "the cache of pages could not be written");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> CachedPage {
        let page = Page { url: "https://e.org/".into(), text: text.into(), ..Page::default() };
        let validators = Validators { etag: Some("\"x\"".into()), last_modified: None };
        CachedPage { page, fetched_ms: 5, fresh_until_ms: 9, validators }
    }

    /// Text that does not pack well.
    fn noise(seed: u64, length: usize) -> String {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            char::from(b'!' + (state % 90) as u8)
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn pages_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.db");
        let pages = CachedPages::open(&path, 1).unwrap();
        pages.put("a", &page("Some text."));
        assert_eq!(CachedPages::open(&path, 1).unwrap().get("a"), Some(page("Some text.")));
        assert_eq!((pages.get("b"), pages.size().unwrap().0), (None, 1));
        pages.clear().unwrap();
        assert_eq!((pages.get("a"), pages.size().unwrap()), (None, (0, 0)));
    }

    #[test]
    fn the_pages_unused_for_longest_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let pages = CachedPages::open(&folder.path().join("pages.db"), 1).unwrap();
        for number in 0..20 {
            pages.put(&number.to_string(), &page(&noise(number + 1, 100_000)));
            pages.get("0");
        }
        assert!(pages.size().unwrap().1 <= 1024 * 1024);
        assert!(pages.get("0").is_some() && pages.get("19").is_some() && pages.get("1").is_none());
    }

    #[test]
    fn the_sum_is_what_adding_up_gives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.db");
        {
            // A cache as an earlier version left it.
            let mut old = Connection::open(&path).unwrap();
            Migrations::from_slice(&STEPS[..1]).to_latest(&mut old).unwrap();
            old.execute("INSERT INTO pages VALUES ('old', 1, 0, 0, 1, 2, x'0102')", []).unwrap();
        }
        let pages = CachedPages::open(&path, 1).unwrap();
        assert_eq!(pages.size().unwrap(), (1, 2));
        for number in 0..40 {
            // Some come again, longer or shorter.
            pages.put(&(number % 17).to_string(), &page(&noise(number + 1, 40_000 + 2000 * number as usize)));
        }
        let added_up: (u64, u64) = pages
            .connection()
            .query_row("SELECT count(*), sum(size) FROM pages", [], |row| Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64)))
            .unwrap();
        assert_eq!(pages.size().unwrap(), added_up);
        assert!(added_up.0 > 3 && added_up.1 <= 1024 * 1024, "{added_up:?}");
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.db");
        std::fs::write(&path, "this is no database at all, and long enough to be taken for one".repeat(20)).unwrap();
        let pages = CachedPages::open(&path, 1).unwrap();
        pages.put("a", &page("x"));
        assert!(pages.get("a").is_some());
    }
}
