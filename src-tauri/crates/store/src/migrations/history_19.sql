-- Questions that are asked often, with fields to fill in.
CREATE TABLE templates (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    used_ms INTEGER NOT NULL                      -- made, changed or asked last
) STRICT;
