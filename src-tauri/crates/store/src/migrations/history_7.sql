-- What went wrong in a turn and decided who answered, as JSON; and how much of its prompts was cached.
ALTER TABLE turns ADD COLUMN incident TEXT;
ALTER TABLE turns ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
