-- A shared corpus: documents, their passages, and the queue of what is still to be read. Version 1.
CREATE SCHEMA nexi;

CREATE TABLE nexi.meta (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    version integer NOT NULL,
    -- Passages when words were counted last.
    passages bigint NOT NULL DEFAULT 0,
    counted timestamptz
);
INSERT INTO nexi.meta (version) VALUES (1);

-- Whoever is a member of the role sees what belongs to the group.
CREATE TABLE nexi.groups (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    role name NOT NULL UNIQUE
);

CREATE TABLE nexi.documents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text NOT NULL,
    -- None: for everybody who may read.
    group_id integer REFERENCES nexi.groups,
    -- SHA-256 of the file.
    hash bytea NOT NULL,
    title text NOT NULL,
    authors text[] NOT NULL,
    dated text,
    doi text,
    text text NOT NULL,
    indexed timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (address, group_id)
);

CREATE TABLE nexi.passages (
    document_id bigint NOT NULL,
    ordinal integer NOT NULL,
    group_id integer,
    heading text NOT NULL,
    body text NOT NULL,
    place jsonb NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (document_id, ordinal)
) PARTITION BY HASH (document_id);

-- The queue. `due` is when it may be taken: a lease that ran out is due again.
CREATE TABLE nexi.jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address text NOT NULL,
    group_id integer REFERENCES nexi.groups,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'taken', 'done', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    due timestamptz NOT NULL DEFAULT now(),
    worker uuid,
    why jsonb,
    changed timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (address, group_id)
);
CREATE INDEX jobs_due ON nexi.jobs (due) WHERE state IN ('waiting', 'taken');
CREATE INDEX jobs_of_worker ON nexi.jobs (worker) WHERE state = 'taken';

-- How common words are, by a sample.
CREATE TABLE nexi.frequencies (
    stem text PRIMARY KEY,
    share double precision NOT NULL
);

ALTER TABLE nexi.documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE nexi.passages ENABLE ROW LEVEL SECURITY;
CREATE POLICY readers ON nexi.documents FOR SELECT TO nexi_reader
    USING (group_id IS NULL OR group_id IN (SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.rolname = g.role WHERE pg_has_role(r.oid, 'MEMBER')));
CREATE POLICY readers ON nexi.passages FOR SELECT TO nexi_reader
    USING (group_id IS NULL OR group_id IN (SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.rolname = g.role WHERE pg_has_role(r.oid, 'MEMBER')));
CREATE POLICY writers ON nexi.documents FOR ALL TO nexi_writer USING (true) WITH CHECK (true);
CREATE POLICY writers ON nexi.passages FOR ALL TO nexi_writer USING (true) WITH CHECK (true);

-- Passages that hold rare words of a question, best first. Full-text operators are not leakproof, so that row security
-- would keep them from using an index: this looks as the owner does, and asks itself what the person may see.
CREATE FUNCTION nexi.candidates(asked text[], most integer)
RETURNS TABLE (document_id bigint, ordinal integer, heading text, body text, place jsonb, score double precision,
               title text, address text, dated text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total double precision;
    gate tsquery;
    narrow tsquery;
    queries tsquery[] := '{}';
    weights double precision[] := '{}';
    expected double precision := 0;
    word record;
BEGIN
    SELECT greatest(m.passages, 1) INTO total FROM nexi.meta m;
    -- The rarest words first: what holds none of them is not looked at.
    FOR word IN
        SELECT quote_literal(a.stem)::tsquery AS query, coalesce(f.share, 0.5 / total) AS share
        FROM unnest(asked) AS a (stem) LEFT JOIN nexi.frequencies f ON f.stem = a.stem
        ORDER BY 2
    LOOP
        queries := queries || word.query;
        weights := weights || ln(1 + 1 / word.share);
        IF gate IS NULL THEN
            gate := word.query;
            expected := word.share * total;
        ELSIF expected + word.share * total <= 4000 THEN
            gate := gate || word.query;
            expected := expected + word.share * total;
        ELSIF narrow IS NULL AND expected > 8000 THEN
            narrow := gate && word.query;
        END IF;
    END LOOP;
    IF gate IS NULL THEN
        RETURN;
    END IF;
    gate := coalesce(narrow, gate);
    RETURN QUERY
    WITH mine AS MATERIALIZED (
        -- A role may have been dropped.
        SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.rolname = g.role WHERE pg_has_role(session_user, r.oid, 'MEMBER')
    ), found AS MATERIALIZED (
        SELECT p.document_id, p.ordinal, p.words
        FROM nexi.passages p
        WHERE p.words @@ gate AND (p.group_id IS NULL OR p.group_id IN (SELECT mine.id FROM mine))
        LIMIT 40000
    ), scored AS (
        SELECT found.document_id, found.ordinal,
               (SELECT sum(weights[i] * ts_rank('{0.5,0.6,0.8,1}', found.words, queries[i], 1))
                FROM generate_subscripts(queries, 1) AS i) AS score
        FROM found
        ORDER BY 3 DESC
        LIMIT most
    )
    SELECT s.document_id, s.ordinal, p.heading, p.body, p.place, s.score, d.title, d.address, d.dated
    FROM scored s
    JOIN nexi.passages p ON p.document_id = s.document_id AND p.ordinal = s.ordinal
    JOIN nexi.documents d ON d.id = s.document_id
    ORDER BY s.score DESC;
END
$$;

-- Counts words by a sample of passages. Only one counts at a time.
CREATE FUNCTION nexi.count_words() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    total bigint;
    sampled bigint;
    share double precision;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('nexi.count_words')) THEN
        RETURN;
    END IF;
    SELECT count(*) INTO total FROM nexi.passages;
    share := least(100, 100 * 50000.0 / greatest(total, 1));
    CREATE TEMP TABLE nexi_sample ON COMMIT DROP AS
        SELECT p.words FROM nexi.passages p WHERE share >= 100 OR random() * 100 < share;
    SELECT greatest(count(*), 1) INTO sampled FROM pg_temp.nexi_sample;
    DELETE FROM nexi.frequencies;
    INSERT INTO nexi.frequencies
        SELECT word, ndoc::double precision / sampled FROM ts_stat('SELECT words FROM pg_temp.nexi_sample') WHERE ndoc > 1;
    UPDATE nexi.meta SET passages = total, counted = now();
END
$$;

REVOKE ALL ON FUNCTION nexi.candidates(text[], integer), nexi.count_words() FROM PUBLIC;
GRANT USAGE ON SCHEMA nexi TO nexi_reader, nexi_writer;
GRANT SELECT ON nexi.meta, nexi.documents, nexi.passages TO nexi_reader, nexi_writer;
GRANT SELECT ON nexi.groups TO nexi_reader, nexi_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON nexi.documents, nexi.passages, nexi.jobs TO nexi_writer;
GRANT EXECUTE ON FUNCTION nexi.candidates(text[], integer) TO nexi_reader, nexi_writer;
GRANT EXECUTE ON FUNCTION nexi.count_words() TO nexi_writer;
