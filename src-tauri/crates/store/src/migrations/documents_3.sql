-- Words of the file's name, and letters that are words of their own, are looked for, too. The index is built anew.
DROP TRIGGER passages_added;
DROP TRIGGER passages_removed;
DROP TABLE passages_fts;
DROP TABLE passages;
DROP TABLE documents;

CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    modified_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    title TEXT NOT NULL,
    -- Why a file could not be read, as JSON; such a file has no passages.
    skipped TEXT
) STRICT;

CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    heading TEXT NOT NULL,
    body TEXT NOT NULL,
    extra TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL
) STRICT;

CREATE INDEX passages_of_document ON passages (document_id);

CREATE VIRTUAL TABLE passages_fts USING fts5 (
    title, heading, body, extra,
    content = 'passages', content_rowid = 'id',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
    INSERT INTO passages_fts (rowid, title, heading, body, extra) VALUES (new.id, new.title, new.heading, new.body, new.extra);
END;

CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
    INSERT INTO passages_fts (passages_fts, rowid, title, heading, body, extra)
    VALUES ('delete', old.id, old.title, old.heading, old.body, old.extra);
END;
