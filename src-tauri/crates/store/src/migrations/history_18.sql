-- Questions that are asked again by themselves.
CREATE TABLE watched (
    id TEXT PRIMARY KEY,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    how TEXT NOT NULL,                            -- JSON: WatchedHow
    schedule TEXT NOT NULL,                       -- "1d at 08:00"
    paused INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    next_ms INTEGER NOT NULL,
    checked_ms INTEGER,
    outcome TEXT,                                 -- JSON: CheckOutcome
    compared_with TEXT,                           -- the turn that the next answer is compared with
    running TEXT,                                 -- the turn of the check that goes on or broke off
    failures INTEGER NOT NULL DEFAULT 0,          -- in a row
    checks INTEGER NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0,
    spent INTEGER NOT NULL DEFAULT 0              -- millionths of a US dollar
) STRICT;
CREATE INDEX watched_threads ON watched (thread_id);
-- What checks have cost, so that a month has a limit; the turns of most of them are gone.
CREATE TABLE watched_costs (
    checked_ms INTEGER NOT NULL,
    cost INTEGER NOT NULL
) STRICT;
CREATE INDEX watched_costs_moments ON watched_costs (checked_ms);
-- The answers that checks found something new in; copies of them are told by nobody.
CREATE TABLE watched_changes (
    turn_id TEXT PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    watched_id TEXT NOT NULL
) STRICT;
CREATE INDEX watched_changes_questions ON watched_changes (watched_id);
-- What an answer says that an earlier one to the same question did not, as JSON.
ALTER TABLE turns ADD COLUMN change TEXT;
