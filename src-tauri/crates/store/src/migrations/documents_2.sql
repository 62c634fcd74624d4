-- Why a file could not be read, as JSON; such a file has no passages.
ALTER TABLE documents ADD COLUMN skipped TEXT;
