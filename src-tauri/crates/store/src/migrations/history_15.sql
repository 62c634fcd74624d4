-- What was used, in numbers alone: it stays when a thread is deleted, so that a month's spending does not shrink.
CREATE TABLE usage (
    -- Of a turn, or of a second opinion on one: its id with `#second#` and the moment behind it.
    id TEXT PRIMARY KEY,
    asked_ms INTEGER NOT NULL,
    model TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    -- Millionths of a US dollar.
    cost INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_time ON usage (asked_ms);
INSERT INTO usage (id, asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost)
    SELECT u.id, u.asked_ms, u.model, u.duration_ms, u.prompt_tokens, u.cached_tokens, u.completion_tokens, u.cost
    FROM turns u JOIN threads t ON t.id = u.thread_id
    WHERE u.state != 'running' AND u.runner != '' AND NOT (t.branched_from IS NOT NULL AND u.asked_ms < t.created_ms);
-- Only runs that end here count. Turns of a file, which nobody runs, and copies in a branch were paid for elsewhere.
CREATE TRIGGER turns_used AFTER UPDATE OF state ON turns
WHEN old.state IN ('running', 'interrupted') AND new.state != 'running' AND old.runner != '' BEGIN
    INSERT OR REPLACE INTO usage (id, asked_ms, model, duration_ms, prompt_tokens, cached_tokens, completion_tokens, cost)
        VALUES (new.id, new.asked_ms, new.model, new.duration_ms, new.prompt_tokens, new.cached_tokens, new.completion_tokens, new.cost);
END;
