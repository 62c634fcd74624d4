-- Pages of documents that show something and hold no letters.
CREATE TABLE scanned_pages (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    PRIMARY KEY (document_id, page)
) STRICT, WITHOUT ROWID;

-- What was recognised on them, by the content of the file, so that it is still there when the file has another place or is
-- indexed anew.
CREATE TABLE recognised_pages (
    hash INTEGER NOT NULL,
    size INTEGER NOT NULL,
    page INTEGER NOT NULL,
    -- As Tesseract takes them, such as eng+deu.
    languages TEXT NOT NULL,
    text TEXT NOT NULL,
    -- Words and where they stand, as JSON.
    words TEXT NOT NULL,
    -- It could not be read; that is tried again when the program starts anew.
    failed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (hash, size, page, languages)
) STRICT;

CREATE INDEX documents_content ON documents (hash, size);

-- How many recognised pages are among the passages, together with the languages, as a number; 0 is none.
-- Which pages are scanned is learned when the files are read once more.
ALTER TABLE documents ADD COLUMN recognised INTEGER NOT NULL DEFAULT 0;
-- Whether it is longer than what is read of a document.
ALTER TABLE documents ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;
-- Words are put in order in memory, 16 MiB at a time, before they are written: a sixteenth of the parts that have to be merged.
INSERT INTO passages_fts (passages_fts, rank) VALUES ('hashsize', 16777216);
-- All files are read once more: the names of their folders are words to find them by, and more of them say who wrote them
-- and when.
UPDATE documents SET size = -1, hash = 0;
