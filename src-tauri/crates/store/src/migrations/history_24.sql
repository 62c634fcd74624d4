-- Threads that are shared with a team.
CREATE TABLE shared (
    thread_id TEXT PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
    share TEXT NOT NULL UNIQUE,                   -- its name in the team library, a UUID
    role TEXT,                                    -- whose members may see it; none is everybody
    by_space INTEGER NOT NULL DEFAULT 0,          -- because its space is
    private INTEGER NOT NULL DEFAULT 0,           -- answers that rest on private text go along
    held INTEGER NOT NULL DEFAULT 0,              -- answers that do not
    library TEXT                                  -- the team library that has it; none before it was sent
) STRICT;
-- Spaces whose threads are shared.
CREATE TABLE shared_spaces (
    space_id TEXT PRIMARY KEY REFERENCES spaces (id) ON DELETE CASCADE,
    role TEXT
) STRICT;
-- Turns that were sent, or may have been.
CREATE TABLE shared_turns (
    share TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    PRIMARY KEY (share, turn_id)
) STRICT, WITHOUT ROWID;
-- What the team library is still to be told, in order. What a turn or a head says is read when it is sent.
CREATE TABLE outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))),
    share TEXT NOT NULL,
    kind TEXT NOT NULL,
    turn_id TEXT NOT NULL DEFAULT '',
    library TEXT,
    taken INTEGER NOT NULL DEFAULT 0              -- it is being sent: what changes now is told another time
) STRICT;
CREATE UNIQUE INDEX outbox_once ON outbox (share, kind, turn_id) WHERE taken = 0;
-- The shared thread that a thread goes on from, and whose that was.
ALTER TABLE threads ADD COLUMN origin TEXT;
ALTER TABLE threads ADD COLUMN origin_author TEXT;

CREATE TRIGGER shared_begun AFTER INSERT ON shared BEGIN
    INSERT INTO outbox (share, kind) VALUES (new.share, 'head');
    INSERT INTO outbox (share, kind, turn_id)
        SELECT new.share, 'turn', id FROM turns WHERE thread_id = new.thread_id AND state NOT IN ('running', 'interrupted') ORDER BY position;
END;
CREATE TRIGGER shared_whole AFTER UPDATE OF private ON shared WHEN new.private > old.private BEGIN
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT new.share, 'turn', t.id, new.library FROM turns t WHERE t.thread_id = new.thread_id AND t.state NOT IN ('running', 'interrupted')
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = new.share AND o.kind = 'turn' AND o.turn_id = t.id AND o.taken = 0)
        ORDER BY t.position;
END;
CREATE TRIGGER shared_ended BEFORE DELETE ON shared BEGIN
    DELETE FROM outbox WHERE share = old.share AND taken = 0;
    DELETE FROM shared_turns WHERE share = old.share;
    INSERT INTO outbox (share, kind, library) VALUES (old.share, 'withdrawn', old.library);
END;

-- Checks of watched questions count once they are settled; most of them are deleted then.
CREATE TRIGGER shared_turn_ended AFTER UPDATE OF state, second, change ON turns WHEN new.state NOT IN ('running', 'interrupted') BEGIN
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT s.share, 'turn', new.id, s.library FROM shared s WHERE s.thread_id = new.thread_id
            AND NOT EXISTS (SELECT 1 FROM watched w WHERE w.running = new.id)
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'turn' AND o.turn_id = new.id AND o.taken = 0);
END;
CREATE TRIGGER shared_turn_copied AFTER INSERT ON turns WHEN new.state NOT IN ('running', 'interrupted') BEGIN
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT s.share, 'turn', new.id, s.library FROM shared s WHERE s.thread_id = new.thread_id
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'turn' AND o.turn_id = new.id AND o.taken = 0);
END;
CREATE TRIGGER shared_check_settled AFTER UPDATE OF running ON watched WHEN old.running IS NOT NULL AND new.running IS NOT old.running BEGIN
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT s.share, 'turn', t.id, s.library FROM turns t JOIN shared s ON s.thread_id = t.thread_id
        WHERE t.id = old.running AND t.state NOT IN ('running', 'interrupted')
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'turn' AND o.turn_id = t.id AND o.taken = 0);
END;
CREATE TRIGGER shared_turn_gone AFTER DELETE ON turns BEGIN
    DELETE FROM outbox WHERE kind = 'turn' AND turn_id = old.id AND taken = 0;
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT s.share, 'turn_withdrawn', old.id, s.library FROM shared s JOIN shared_turns x ON x.share = s.share AND x.turn_id = old.id
        WHERE s.thread_id = old.thread_id
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'turn_withdrawn' AND o.turn_id = old.id AND o.taken = 0);
END;
CREATE TRIGGER shared_turn_moved AFTER UPDATE OF thread_id ON turns WHEN new.thread_id != old.thread_id BEGIN
    DELETE FROM outbox WHERE kind IN ('turn', 'turn_withdrawn') AND turn_id = new.id AND taken = 0;
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT s.share, 'turn_withdrawn', new.id, s.library FROM shared s JOIN shared_turns x ON x.share = s.share AND x.turn_id = new.id
        WHERE s.thread_id = old.thread_id;
    INSERT INTO outbox (share, kind, turn_id, library)
        SELECT s.share, 'turn', new.id, s.library FROM shared s WHERE s.thread_id = new.thread_id AND new.state NOT IN ('running', 'interrupted');
END;

CREATE TRIGGER shared_renamed AFTER UPDATE OF title, description, space_id ON threads BEGIN
    INSERT INTO outbox (share, kind, library)
        SELECT s.share, 'head', s.library FROM shared s WHERE s.thread_id = new.id
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'head' AND o.taken = 0);
END;
CREATE TRIGGER shared_tagged AFTER INSERT ON tags BEGIN
    INSERT INTO outbox (share, kind, library)
        SELECT s.share, 'head', s.library FROM shared s WHERE s.thread_id = new.thread_id
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'head' AND o.taken = 0);
END;
CREATE TRIGGER shared_untagged AFTER DELETE ON tags BEGIN
    INSERT INTO outbox (share, kind, library)
        SELECT s.share, 'head', s.library FROM shared s WHERE s.thread_id = old.thread_id
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'head' AND o.taken = 0);
END;
CREATE TRIGGER shared_space_renamed AFTER UPDATE OF name ON spaces BEGIN
    INSERT INTO outbox (share, kind, library)
        SELECT s.share, 'head', s.library FROM shared s JOIN threads t ON t.id = s.thread_id WHERE t.space_id = new.id
            AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.share = s.share AND o.kind = 'head' AND o.taken = 0);
END;

-- What is deleted here goes there, too. A thread that comes back is not shared again.
CREATE TRIGGER shared_thread_deleted AFTER UPDATE OF deleted_ms ON threads WHEN new.deleted_ms IS NOT NULL AND old.deleted_ms IS NULL BEGIN
    DELETE FROM shared WHERE thread_id = new.id;
END;
CREATE TRIGGER shared_thread_gone BEFORE DELETE ON threads BEGIN
    DELETE FROM shared WHERE thread_id = old.id;
END;
CREATE TRIGGER shared_space_begun AFTER INSERT ON shared_spaces BEGIN
    INSERT INTO shared (thread_id, share, role, by_space)
        SELECT id, lower(hex(randomblob(16))), new.role, 1 FROM threads
        WHERE space_id = new.space_id AND deleted_ms IS NULL AND id NOT IN (SELECT thread_id FROM shared);
END;
CREATE TRIGGER shared_space_ended BEFORE DELETE ON shared_spaces BEGIN
    DELETE FROM shared WHERE by_space = 1 AND thread_id IN (SELECT id FROM threads WHERE space_id = old.space_id);
END;
CREATE TRIGGER shared_space_entered AFTER INSERT ON threads WHEN new.deleted_ms IS NULL BEGIN
    INSERT INTO shared (thread_id, share, role, by_space)
        SELECT new.id, lower(hex(randomblob(16))), s.role, 1 FROM shared_spaces s WHERE s.space_id = new.space_id;
END;
CREATE TRIGGER shared_space_changed AFTER UPDATE OF space_id ON threads WHEN new.space_id IS NOT old.space_id AND new.deleted_ms IS NULL BEGIN
    DELETE FROM shared WHERE thread_id = new.id AND by_space = 1;
    INSERT INTO shared (thread_id, share, role, by_space)
        SELECT new.id, lower(hex(randomblob(16))), s.role, 1 FROM shared_spaces s
        WHERE s.space_id = new.space_id AND NOT EXISTS (SELECT 1 FROM shared WHERE thread_id = new.id);
END;
