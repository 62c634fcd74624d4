-- Passages are put into the full-text index by a statement of their own: one with a trigger is a savepoint for SQLite, at
-- which it writes a part of the index, however small, and puts parts together ever again.
DROP TRIGGER passages_added;
-- An older Nexi that still runs, and counts on the trigger, must not add passages that nobody finds: it does not know this
-- name.
ALTER TABLE documents RENAME COLUMN partly TO incomplete;
-- All files are read once more: mail has its attachments now, and more names, letters and dates are understood.
UPDATE documents SET size = -1, hash = 0;
