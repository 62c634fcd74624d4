CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX threads_by_time ON threads (updated_ms DESC);

CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    question TEXT NOT NULL,
    effort TEXT NOT NULL,
    model TEXT NOT NULL,
    asked_ms INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    reason TEXT,
    -- The whole answer, or what had been streamed when it was last noted.
    answer TEXT NOT NULL DEFAULT '',
    steps INTEGER NOT NULL DEFAULT 0,
    prompt_tokens INTEGER NOT NULL DEFAULT 0,
    completion_tokens INTEGER NOT NULL DEFAULT 0,
    citations TEXT NOT NULL DEFAULT '[]',
    events TEXT NOT NULL DEFAULT '[]',
    -- The lifeline of the process that carries the run out.
    runner TEXT NOT NULL,
    UNIQUE (thread_id, position)
) STRICT;

CREATE INDEX turns_running ON turns (state) WHERE state IN ('running', 'interrupted');

CREATE TABLE journal (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    elapsed_ms INTEGER NOT NULL,
    input TEXT NOT NULL,
    PRIMARY KEY (turn_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    byline TEXT,
    date TEXT,
    text TEXT NOT NULL,
    lines TEXT NOT NULL,
    read_ms INTEGER NOT NULL,
    PRIMARY KEY (thread_id, number)
) STRICT;

CREATE TABLE turn_sources (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    cited INTEGER NOT NULL,
    PRIMARY KEY (turn_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE passages (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    quote TEXT NOT NULL,
    start_line INTEGER,
    end_line INTEGER,
    PRIMARY KEY (turn_id, number, ordinal)
) STRICT, WITHOUT ROWID;
