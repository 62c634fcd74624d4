-- Passages are put into the full-text index by a statement of their own: one with a trigger is a savepoint for SQLite, at
-- which it writes a part of the index, however small, and puts parts together ever again.
DROP TRIGGER passages_added;
