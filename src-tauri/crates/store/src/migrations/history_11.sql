-- Where a passage begins in documents that have places other than lines and pages, as JSON.
ALTER TABLE passages ADD COLUMN place TEXT;
