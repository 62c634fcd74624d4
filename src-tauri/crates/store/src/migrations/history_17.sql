-- What stands in the place of the oldest turns of a thread, as JSON, kept with the turn whose run made it.
ALTER TABLE turns ADD COLUMN summary TEXT;
CREATE INDEX turns_summaries ON turns (thread_id) WHERE summary IS NOT NULL;
-- One line about a thread, and whether its title is more than its first question.
ALTER TABLE threads ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE threads ADD COLUMN titled INTEGER NOT NULL DEFAULT 0;
-- A summary that covers a turn which goes, or comes back, is told no more; the next question makes another one.
CREATE TRIGGER turns_gone AFTER DELETE ON turns BEGIN
    UPDATE turns SET summary = NULL WHERE thread_id = old.thread_id AND summary IS NOT NULL
        AND coalesce((SELECT t.position FROM turns t WHERE t.id = json_extract(turns.summary, '$.through')), old.position) >= old.position;
END;
CREATE TRIGGER turns_moved AFTER UPDATE OF thread_id ON turns BEGIN
    UPDATE turns SET summary = NULL WHERE thread_id IN (old.thread_id, new.thread_id) AND summary IS NOT NULL
        AND coalesce((SELECT t.position FROM turns t WHERE t.id = json_extract(turns.summary, '$.through')), old.position) >= old.position;
END;
