-- What a bibliography says of a document, as a number that changes with it. All files are read once more: words of Thai,
-- Lao, Khmer and Burmese are found by themselves now.
ALTER TABLE documents ADD COLUMN reference INTEGER NOT NULL DEFAULT 0;
UPDATE documents SET size = -1, hash = 0;
