-- Deep runs: which kind of run a turn had, and how a deep one came to its report, as JSON.
ALTER TABLE turns ADD COLUMN mode TEXT NOT NULL DEFAULT 'quick';
ALTER TABLE turns ADD COLUMN method TEXT;
CREATE INDEX turns_by_mode ON turns (mode, thread_id);
