-- The library: what is found again, and how it is kept in order.
ALTER TABLE threads ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
-- Set when a thread was deleted; until it is purged soon after, that can be taken back.
ALTER TABLE threads ADD COLUMN deleted_ms INTEGER;

CREATE TABLE tags (
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (thread_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_name ON tags (tag, thread_id);

-- The host of a source, without www.
ALTER TABLE sources ADD COLUMN site TEXT NOT NULL DEFAULT '';
UPDATE sources SET site = substr(url, instr(url, '://') + 3) WHERE url LIKE 'http%://%';
UPDATE sources SET site = substr(site, 1, instr(site || '/', '/') - 1);
UPDATE sources SET site = substr(site, 5) WHERE site LIKE 'www.%';
CREATE INDEX sources_by_site ON sources (site, thread_id);

CREATE INDEX turns_by_effort ON turns (effort, thread_id);

-- Titles and hosts of the sources a turn rests on.
ALTER TABLE turns ADD COLUMN found TEXT NOT NULL DEFAULT '';
-- The characters of scripts without blanks, one by one, which the tokenizer would not part.
ALTER TABLE turns ADD COLUMN letters TEXT NOT NULL DEFAULT '';
-- A list of questions, as JSON.
ALTER TABLE turns ADD COLUMN follow_ups TEXT NOT NULL DEFAULT '[]';
UPDATE turns SET found = coalesce((
    SELECT group_concat(s.title || ' ' || s.site, char(10)) FROM turn_sources ts
    JOIN sources s ON s.thread_id = turns.thread_id AND s.number = ts.number WHERE ts.turn_id = turns.id
), '');

-- Numbers that the full-text index can rely on: a row of `turns` may be renumbered by VACUUM.
CREATE TABLE turn_rows (
    row INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO turn_rows (turn_id) SELECT id FROM turns ORDER BY asked_ms, id;

CREATE VIEW turn_texts AS
    SELECT r.row AS row, t.question AS question, t.answer AS answer, t.found AS found, t.letters AS letters
    FROM turn_rows r JOIN turns t ON t.id = r.turn_id;

CREATE VIRTUAL TABLE turns_fts USING fts5 (
    question, answer, found, letters,
    content = 'turn_texts', content_rowid = 'row',
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO turns_fts (rowid, question, answer, found, letters)
    SELECT r.row, t.question, t.answer, t.found, t.letters FROM turn_rows r JOIN turns t ON t.id = r.turn_id WHERE t.state != 'running';

-- A turn is in the index unless it is running: what changes every second is not looked for.
CREATE TRIGGER turns_added AFTER INSERT ON turns BEGIN
    INSERT INTO turn_rows (turn_id) VALUES (new.id);
    INSERT INTO turns_fts (rowid, question, answer, found, letters)
        SELECT row, new.question, new.answer, new.found, new.letters FROM turn_rows WHERE turn_id = new.id AND new.state != 'running';
END;
CREATE TRIGGER turns_changed AFTER UPDATE OF question, answer, found, letters, state ON turns BEGIN
    INSERT INTO turns_fts (turns_fts, rowid, question, answer, found, letters)
        SELECT 'delete', row, old.question, old.answer, old.found, old.letters FROM turn_rows WHERE turn_id = old.id AND old.state != 'running';
    INSERT INTO turns_fts (rowid, question, answer, found, letters)
        SELECT row, new.question, new.answer, new.found, new.letters FROM turn_rows WHERE turn_id = new.id AND new.state != 'running';
END;
CREATE TRIGGER turns_removed BEFORE DELETE ON turns BEGIN
    INSERT INTO turns_fts (turns_fts, rowid, question, answer, found, letters)
        SELECT 'delete', row, old.question, old.answer, old.found, old.letters FROM turn_rows WHERE turn_id = old.id AND old.state != 'running';
    DELETE FROM turn_rows WHERE turn_id = old.id;
END;
