-- Projects: threads that belong together, with what the person wants for all of them.
CREATE TABLE spaces (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    instructions TEXT NOT NULL DEFAULT '',
    folders TEXT NOT NULL DEFAULT '[]',           -- paths, as JSON
    model TEXT,                                   -- who is asked there; none as by the settings
    created_ms INTEGER NOT NULL
) STRICT;
ALTER TABLE threads ADD COLUMN space_id TEXT REFERENCES spaces (id) ON DELETE SET NULL;
CREATE INDEX threads_by_space ON threads (space_id, updated_ms) WHERE space_id IS NOT NULL;
ALTER TABLE memories ADD COLUMN space_id TEXT REFERENCES spaces (id) ON DELETE CASCADE;
-- By name, which stays when the space goes.
ALTER TABLE usage ADD COLUMN space TEXT;
DROP TRIGGER turns_used;
CREATE TRIGGER turns_used AFTER UPDATE OF state ON turns
WHEN old.state IN ('running', 'interrupted') AND new.state != 'running' AND old.runner != '' BEGIN
    INSERT OR REPLACE INTO usage (id, asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost, space)
        VALUES (new.id, new.asked_ms, new.model, new.duration_ms, new.prompt_tokens, new.cached_tokens, new.completion_tokens, new.cost,
            (SELECT s.name FROM threads t JOIN spaces s ON s.id = t.space_id WHERE t.id = new.thread_id));
END;
