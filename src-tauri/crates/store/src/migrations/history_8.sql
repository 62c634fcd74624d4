-- The statements of an answer with their support, as JSON.
ALTER TABLE turns ADD COLUMN statements TEXT NOT NULL DEFAULT '[]';
