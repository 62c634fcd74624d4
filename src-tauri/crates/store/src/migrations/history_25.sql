-- SQLite takes a partial index only where a query has its very condition: an index for each of the two states that are asked for.
DROP INDEX turns_running;
CREATE INDEX turns_running ON turns (thread_id, runner) WHERE state = 'running';
CREATE INDEX turns_interrupted ON turns (asked_ms, id) WHERE state = 'interrupted';
-- The newest turns of all threads.
CREATE INDEX turns_by_time ON turns (asked_ms, id);
