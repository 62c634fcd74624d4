-- Threads of an import that is going on. Those of a process that went away in the middle are taken out again.
CREATE TABLE importing (
    thread_id TEXT PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
    runner TEXT NOT NULL
) STRICT;
