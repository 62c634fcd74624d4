-- What people call the place of a passage, as JSON, where its document has more than lines. All files are read once more to
-- learn it.
ALTER TABLE passages ADD COLUMN place TEXT;
-- Why a document could not be read as a whole, as JSON; that it is too long is one of the reasons.
ALTER TABLE documents DROP COLUMN cut;
ALTER TABLE documents ADD COLUMN partly TEXT;
UPDATE documents SET size = -1, hash = 0;
