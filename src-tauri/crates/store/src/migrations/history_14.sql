-- What the person wants Nexi to remember.
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT;
