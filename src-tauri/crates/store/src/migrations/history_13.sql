-- A turn that was deleted alone waits in a thread of its own, which is deleted, until that can no longer be taken back;
-- this names the thread it came from.
ALTER TABLE threads ADD COLUMN deleted_from TEXT;
-- Whether a turn was deleted that rested on private text: later answers of the thread may rest on it.
ALTER TABLE threads ADD COLUMN held_private INTEGER NOT NULL DEFAULT 0;
-- From here on `forgotten` names turns that were deleted alone, too; no thread has the id of a turn.

-- Searches of the library by their names, as JSON.
CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    search TEXT NOT NULL
) STRICT, WITHOUT ROWID;
