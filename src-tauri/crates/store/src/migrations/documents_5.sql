-- The day of a document's text, `YYYY-MM-DD`, where it tells one. All files are read once more to learn it.
ALTER TABLE documents ADD COLUMN date TEXT;
UPDATE documents SET size = -1;
