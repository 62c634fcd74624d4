-- Pages that were read before, packed.
CREATE TABLE pages (
    key TEXT PRIMARY KEY,
    -- By which version of the reader.
    read_by INTEGER NOT NULL,
    fetched_ms INTEGER NOT NULL,
    fresh_until_ms INTEGER NOT NULL,
    -- Grows with every use.
    used INTEGER NOT NULL,
    size INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE INDEX pages_used ON pages (used);
