//! Leaving the library so that the next start need not look through it.

use std::path::Path;

use super::History;

impl History {
    /// Writes what the write-ahead log holds into the file and empties the log. Where another process reads or writes just now,
    /// the log stays for that one to empty. Blocks.
    pub fn close(&self) {
        let connection = self.connection();
        let Some(path) = connection.path().filter(|_| !self.private) else { return };
        if !has_log(Path::new(path)) {
            return;
        }
        // Busy is an answer here, and no reason to hold up the end of a program.
        let emptied = connection
            .busy_handler(None)
            .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0)));
        match emptied {
            Ok(false) => {}
            Ok(true) => tracing::debug!("another process has the library open, and closes it"),
            Err(error) => tracing::info!(%error, "the library could not be closed; the next start looks through it"),
        }
        // A run that is still being written down waits as before.
        if let Err(error) = connection.busy_handler(Some(crate::suspended::waits)) {
            tracing::info!(%error, "the library is used without waiting for others");
        }
    }
}

/// Whether the last process that had the library open went without [`History::close`]: it died, or the computer did.
pub(super) fn ended_uncleanly(path: &Path, data: &Path) -> bool {
    has_log(path) && !crate::lock::anybody_lives(data)
}

/// Whether there is anything in the write-ahead log.
fn has_log(path: &Path) -> bool {
    std::fs::metadata(format!("{}-wal", path.display())).is_ok_and(|log| log.len() > 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use nexi_core::protocol::Ending;

    use super::super::tests::question;
    use super::*;

    fn log(path: &Path) -> u64 {
        std::fs::metadata(format!("{}-wal", path.display())).map_or(0, |log| log.len())
    }

    #[test]
    fn a_library_that_was_closed_is_not_looked_through() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nexi.db");
        let history = History::open(&path).unwrap();
        let (_, turn) = history.begin_turn(&question(None)).unwrap();
        assert!(log(&path) > 0);
        // A thread that is still at work keeps the connection open when the program ends.
        history.close();
        assert_eq!(log(&path), 0);
        history.finish_turn(&turn, &Ending::failed("x", "said after closing"), &BTreeMap::new(), 1, &[]).unwrap();
        assert!(log(&path) > 0, "it can be written to all the same");
        history.close();
        assert_eq!(log(&path), 0);
    }

    #[test]
    fn somebody_who_reads_does_not_hold_up_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nexi.db");
        let (first, second) = (History::open(&path).unwrap(), History::open(&path).unwrap());
        first.begin_turn(&question(None)).unwrap();
        {
            let connection = second.connection();
            let mut reading = connection.prepare("SELECT id FROM turns").unwrap();
            let mut rows = reading.query([]).unwrap();
            rows.next().unwrap();
            first.close();
            assert!(log(&path) > 0, "it is the other's to close");
        }
        second.close();
        assert_eq!(log(&path), 0);
        History::in_memory(folder.path()).unwrap().close();
    }
}
