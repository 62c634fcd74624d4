-- What hooks are to be told of, and what came of it.
CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    hook TEXT NOT NULL,                           -- its name in the settings
    event TEXT NOT NULL,
    turn_id TEXT REFERENCES turns (id) ON DELETE CASCADE,
    body TEXT NOT NULL,                           -- empty once nothing is to be sent any more
    created_ms INTEGER NOT NULL,
    next_ms INTEGER,                              -- when it is tried; none once it is settled
    attempts INTEGER NOT NULL DEFAULT 0,
    tried_ms INTEGER,
    outcome TEXT                                  -- of the last try
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_ms) WHERE next_ms IS NOT NULL;
CREATE INDEX deliveries_of_hook ON deliveries (hook, created_ms);
CREATE INDEX deliveries_of_turn ON deliveries (turn_id);
