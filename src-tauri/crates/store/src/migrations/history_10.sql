-- Threads that were deleted for good and may still be in backups. One that is taken in again is not among them.
CREATE TABLE forgotten (
    thread_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER threads_forgotten AFTER DELETE ON threads BEGIN
    INSERT OR IGNORE INTO forgotten (thread_id) VALUES (old.id);
END;
CREATE TRIGGER threads_known_again AFTER INSERT ON threads BEGIN
    DELETE FROM forgotten WHERE thread_id = new.id;
END;
-- Journals of runs that have ended: packed, with references to what the thread holds anyway.
CREATE TABLE journals (
    turn_id TEXT PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    packed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
-- Texts of sources that are worth it are packed; `text` is empty then.
ALTER TABLE sources ADD COLUMN packed BLOB;
