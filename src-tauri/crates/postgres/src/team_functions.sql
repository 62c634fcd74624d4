-- What a team library computes, and who sees what. All of it is carried out again when nexi team create meets a team library, so
-- that one that an older program made is as a new one.
DO $$
DECLARE
    has_numbers boolean := EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = 'nexi_team.threads'::regclass AND a.attname = 'role_id' AND NOT a.attisdropped);
    has_authors boolean := EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = 'nexi_team.threads'::regclass AND a.attname = 'author_id' AND NOT a.attisdropped);
BEGIN
    -- People and roles went by their names once.
    ALTER TABLE nexi_team.threads ADD COLUMN IF NOT EXISTS role_id regrole, ADD COLUMN IF NOT EXISTS author_id regrole;
    IF NOT has_numbers THEN
        UPDATE nexi_team.threads t SET role_id = r.oid FROM pg_roles r WHERE r.rolname = t.role;
    END IF;
    IF NOT has_authors THEN
        UPDATE nexi_team.threads t SET author_id = r.oid FROM pg_roles r WHERE r.rolname = t.author;
    END IF;
    -- A dump has names instead of numbers, but the number of a role that was dropped: elsewhere it may be somebody else's.
    UPDATE nexi_team.threads t SET role_id = NULL WHERE t.role_id IS NOT NULL AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = t.role_id);
    UPDATE nexi_team.threads t SET author_id = NULL WHERE t.author_id IS NOT NULL AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = t.author_id);
END
$$;

-- Whether the person is a member of this role. A role may have been dropped.
CREATE OR REPLACE FUNCTION nexi_team.is_member(wanted name, wanted_id oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT wanted IS NULL OR EXISTS (SELECT FROM pg_roles r WHERE r.oid = wanted_id AND pg_has_role(session_user, r.oid, 'MEMBER'))
$$;

-- Whether the person is this one. Whoever is given a name that somebody had before is somebody else.
CREATE OR REPLACE FUNCTION nexi_team.is_self(author_id oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM pg_roles r WHERE r.oid = author_id AND r.rolname = session_user)
$$;

-- Whether the person may see a thread.
CREATE OR REPLACE FUNCTION nexi_team.is_seen(author_id oid, role name, role_id oid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT role IS NULL OR nexi_team.is_self(author_id) OR nexi_team.is_member(role, role_id)
$$;

DROP POLICY IF EXISTS members ON nexi_team.threads;
DROP POLICY IF EXISTS members ON nexi_team.events;
DROP POLICY IF EXISTS members ON nexi_team.turns;
CREATE POLICY members ON nexi_team.threads FOR SELECT TO nexi_team USING (nexi_team.is_seen(author_id, role, role_id));
CREATE POLICY members ON nexi_team.events FOR SELECT TO nexi_team
    USING (EXISTS (SELECT FROM nexi_team.threads t WHERE t.id = thread AND nexi_team.is_seen(t.author_id, t.role, t.role_id)));
CREATE POLICY members ON nexi_team.turns FOR SELECT TO nexi_team
    USING (EXISTS (SELECT FROM nexi_team.threads t WHERE t.id = thread AND nexi_team.is_seen(t.author_id, t.role, t.role_id)));
-- As they were before people and roles went by their numbers.
DROP FUNCTION IF EXISTS nexi_team.is_seen(name, name, oid), nexi_team.is_seen(name, name), nexi_team.is_member(name);

-- Appends an event to a thread of the person's own, which the first one makes. Returns what became of it: 'kept', 'known'
-- where it is there already, 'withdrawn' where the thread is, 'foreign' where it is somebody else's, and 'not_member' where it is
-- for members of a role that the person is none of.
CREATE OR REPLACE FUNCTION nexi_team.append(
    new_id uuid, new_thread uuid, new_role name, new_kind text, new_head jsonb, new_head_words tsvector, new_turn text, new_body text,
    new_asked bigint, new_question text, new_answer text, new_words tsvector
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    known nexi_team.threads;
    new_seq bigint;
BEGIN
    -- What is withdrawn before it is there never comes.
    INSERT INTO nexi_team.threads (id, author, author_id, role, role_id)
        VALUES (new_thread, session_user, (SELECT r.oid FROM pg_roles r WHERE r.rolname = session_user), new_role, (SELECT r.oid FROM pg_roles r WHERE r.rolname = new_role)) ON CONFLICT DO NOTHING;
    -- Events of one thread come one after the other.
    SELECT * INTO known FROM nexi_team.threads t WHERE t.id = new_thread FOR UPDATE;
    IF NOT nexi_team.is_self(known.author_id) THEN
        RETURN 'foreign';
    END IF;
    IF EXISTS (SELECT FROM nexi_team.events e WHERE e.id = new_id) THEN
        RETURN 'known';
    END IF;
    IF known.withdrawn THEN
        RETURN 'withdrawn';
    END IF;
    -- Whoever has left a role can still take back.
    IF new_kind IN ('head', 'turn') AND NOT nexi_team.is_member(known.role, known.role_id) THEN
        RETURN 'not_member';
    END IF;
    INSERT INTO nexi_team.events (id, thread, kind, turn, body) VALUES (new_id, new_thread, new_kind, new_turn, new_body)
        RETURNING seq INTO new_seq;
    IF new_head IS NOT NULL THEN
        UPDATE nexi_team.threads t SET title = coalesce(new_head ->> 'title', ''), description = coalesce(new_head ->> 'description', ''),
            tags = ARRAY(SELECT jsonb_array_elements_text(coalesce(new_head -> 'tags', '[]'))), space = new_head ->> 'space',
            origin = (new_head ->> 'origin')::uuid, origin_author = new_head ->> 'origin_author', words = new_head_words
            WHERE t.id = new_thread;
    END IF;
    CASE new_kind
        WHEN 'head' THEN
            NULL;
        WHEN 'turn' THEN
            INSERT INTO nexi_team.turns (thread, turn, event, asked_ms, question, answer, words)
                VALUES (new_thread, new_turn, new_seq, new_asked, new_question, new_answer, new_words)
                ON CONFLICT (thread, turn) DO UPDATE SET event = excluded.event, asked_ms = excluded.asked_ms,
                    question = excluded.question, answer = excluded.answer, words = excluded.words;
        WHEN 'turn_withdrawn' THEN
            DELETE FROM nexi_team.turns t WHERE t.thread = new_thread AND t.turn = new_turn;
            UPDATE nexi_team.events e SET body = NULL WHERE e.thread = new_thread AND e.turn = new_turn;
        WHEN 'withdrawn' THEN
            DELETE FROM nexi_team.turns t WHERE t.thread = new_thread;
            UPDATE nexi_team.events e SET body = NULL WHERE e.thread = new_thread;
            UPDATE nexi_team.threads t SET title = '', description = '', tags = '{}', space = NULL, words = '',
                withdrawn = true WHERE t.id = new_thread;
    END CASE;
    UPDATE nexi_team.threads t SET turns = (SELECT count(*) FROM nexi_team.turns u WHERE u.thread = new_thread),
        updated = CASE WHEN new_kind = 'turn' THEN clock_timestamp() ELSE t.updated END
        WHERE t.id = new_thread;
    RETURN 'kept';
END
$$;

-- Threads that hold all of these words in a turn or in what they are called, with the best turn of each, best first. Full-text operators are not
-- leakproof, so that row security would keep them from using the index: this looks as the owner does, and asks itself what
-- the person may see.
CREATE OR REPLACE FUNCTION nexi_team.search(asked tsquery, since timestamptz, wanted_tag text, most integer, skip integer)
RETURNS TABLE (thread uuid, question text, answer text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH found AS MATERIALIZED (
        SELECT u.thread, u.question, u.answer, ts_rank(u.words, asked, 1) AS score FROM nexi_team.turns u WHERE u.words @@ asked
        UNION ALL
        SELECT t.id, '', '', 2 * ts_rank(t.words, asked, 1) FROM nexi_team.threads t WHERE t.turns > 0 AND t.words @@ asked
    ), best AS (
        -- A place in a turn says more than one in the title.
        SELECT DISTINCT ON (f.thread) f.thread, f.question, f.answer, max(f.score) OVER (PARTITION BY f.thread) AS score, t.updated
        FROM found f JOIN nexi_team.threads t ON t.id = f.thread
        WHERE nexi_team.is_seen(t.author_id, t.role, t.role_id) AND (since IS NULL OR t.updated >= since)
            AND (wanted_tag IS NULL OR wanted_tag = ANY (t.tags))
        ORDER BY f.thread, f.question = '', f.score DESC
    )
    SELECT b.thread, b.question, b.answer FROM best b ORDER BY b.score DESC, b.updated DESC, b.thread LIMIT most OFFSET skip
$$;

REVOKE ALL ON FUNCTION nexi_team.append(uuid, uuid, name, text, jsonb, tsvector, text, text, bigint, text, text, tsvector),
    nexi_team.search(tsquery, timestamptz, text, integer, integer), nexi_team.is_member(name, oid), nexi_team.is_self(oid),
    nexi_team.is_seen(oid, name, oid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION nexi_team.append(uuid, uuid, name, text, jsonb, tsvector, text, text, bigint, text, text, tsvector),
    nexi_team.search(tsquery, timestamptz, text, integer, integer), nexi_team.is_member(name, oid), nexi_team.is_self(oid),
    nexi_team.is_seen(oid, name, oid) TO nexi_team;
