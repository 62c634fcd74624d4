-- What a corpus computes. All of it is carried out again when nexi corpus create meets a corpus, so that one that an older
-- program made has the tables and functions of a new one.

ALTER TABLE nexi.jobs ADD COLUMN IF NOT EXISTS absent uuid[] NOT NULL DEFAULT '{}', ADD COLUMN IF NOT EXISTS again boolean NOT NULL DEFAULT false;

-- Until groups went by the numbers of roles they went by their names.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = 'nexi.groups'::regclass AND a.attname = 'role_id' AND NOT a.attisdropped) THEN
        RETURN;
    END IF;
    DROP POLICY IF EXISTS readers ON nexi.documents;
    DROP POLICY IF EXISTS readers ON nexi.passages;
    ALTER TABLE nexi.groups ADD COLUMN role_id regrole;
    UPDATE nexi.groups g SET role_id = r.oid FROM pg_roles r WHERE r.rolname = g.role;
    ALTER TABLE nexi.groups DROP CONSTRAINT IF EXISTS groups_role_key;
    CREATE UNIQUE INDEX groups_role ON nexi.groups (role_id);
    CREATE POLICY readers ON nexi.documents FOR SELECT TO nexi_reader
        USING (group_id IS NULL OR group_id IN (SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.oid = g.role_id WHERE pg_has_role(r.oid, 'MEMBER')));
    CREATE POLICY readers ON nexi.passages FOR SELECT TO nexi_reader
        USING (group_id IS NULL OR group_id IN (SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.oid = g.role_id WHERE pg_has_role(r.oid, 'MEMBER')));
END
$$;

-- A dump has names instead of numbers, but the number of a role that was dropped: elsewhere it may be somebody else's.
UPDATE nexi.groups g SET role_id = NULL WHERE g.role_id IS NOT NULL AND NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = g.role_id);

-- Groups of the person, for functions that look as the owner does. Anybody may ask that of themselves. A role may have been dropped.
CREATE OR REPLACE FUNCTION nexi.own_groups() RETURNS SETOF integer
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.oid = g.role_id WHERE pg_has_role(session_user, r.oid, 'MEMBER')
$$;

-- Whether a document is one of those that a filter chooses: by the ending of its file, words of its path, its day.
CREATE OR REPLACE FUNCTION nexi.fits(path text, day text, filter jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT filter IS NULL OR (
        (filter -> 'endings' IS NULL
            OR (filter -> 'endings') ? coalesce(substring(lower(path) FROM '\.([^./]*)$'), '') <> coalesce((filter ->> 'others')::boolean, false))
        AND NOT EXISTS (
            SELECT FROM jsonb_array_elements_text(CASE jsonb_typeof(filter -> 'path') WHEN 'array' THEN filter -> 'path' ELSE '[]' END) AS word WHERE strpos(lower(path), lower(word)) = 0
        )
        -- A month without a day may be any day of it.
        AND (filter ->> 'after' IS NULL OR day || '~' >= (filter ->> 'after') COLLATE "C")
        AND (filter ->> 'before' IS NULL OR day <= (filter ->> 'before') || '~' COLLATE "C")
    )
$$;

-- Passages that hold rare words of a question, best first. Full-text operators are not leakproof, so that row security
-- would keep them from using an index: this looks as the owner does, and asks itself what the person may see.
CREATE OR REPLACE FUNCTION nexi.candidates(asked text[], most integer, filter jsonb)
RETURNS TABLE (document_id bigint, ordinal integer, heading text, body text, place jsonb, score double precision,
               title text, address text, dated text)
-- Compiling the query would take longer than it does.
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
    total double precision;
    gate tsquery;
    -- Whether it has something that stands elsewhere than in titles: most passages are found by that alone.
    is_of_text boolean := false;
    holds text[] := '{}';
    ranks text[] := '{}';
    -- Passages that may be looked at.
    budget double precision := 3000;
    -- Words in no more passages than this are always taken by themselves.
    alone CONSTANT double precision := 50;
    weight double precision;
    words tsquery[] := '{}';
    shares double precision[] := '{}';
    -- The same words in titles, as `words.rs` writes them, and how common they are there.
    titled tsquery[] := '{}';
    titles double precision[] := '{}';
    word record;
    pair record;
BEGIN
    SELECT greatest(m.passages, 1) INTO total FROM nexi.meta m;
    FOR word IN
        SELECT quote_literal(a.stem)::tsquery AS query, coalesce(f.share, 0.5 / total) AS share,
               quote_literal('=' || a.stem)::tsquery AS titled, coalesce(t.share, 0.5 / total) AS title
        FROM unnest(asked) AS a (stem)
        LEFT JOIN nexi.frequencies f ON f.stem = a.stem
        LEFT JOIN nexi.frequencies t ON t.stem = '=' || a.stem
        ORDER BY 2
    LOOP
        -- Told no better than by nexi.rarity.
        weight := ln(1 + 1 / greatest(word.share, 0.001));
        -- In a title a word counts for more.
        holds := holds || format('%L::float8 * ((f.words @@ %L::tsquery)::int + (f.words @@ %L::tsquery)::int)', weight, word.query, word.query::text || ':A');
        ranks := ranks || format('%L::float8 * ts_rank(''{0.5,0.6,0.8,1}'', l.words, %L::tsquery, 1)', weight, word.query);
        words := words || word.query;
        shares := shares || word.share;
        titled := titled || word.titled;
        titles := titles || word.title;
    END LOOP;
    IF array_length(words, 1) IS NULL THEN
        RETURN;
    END IF;
    -- What is looked at holds a rare word, or two that are seldom together, or has one in its title; words that are asked
    -- together are together more often than by chance. A rare word alone would not do: it may be the one that says nothing.
    -- Where a word is taken by itself, pairs of it add nothing.
    FOR pair IN
        SELECT words[i] AS query, shares[i] * total AS expected, true AS of_text FROM generate_subscripts(words, 1) AS i
        UNION ALL
        SELECT titled[i], titles[i] * total, false FROM generate_subscripts(words, 1) AS i
        UNION ALL
        SELECT words[i] && words[j], shares[i] * sqrt(shares[j]) * total, true
        FROM generate_subscripts(words, 1) AS i, generate_subscripts(words, 1) AS j
        WHERE i < j AND least(shares[i], shares[j]) * total > alone
        UNION ALL
        SELECT titled[i] && words[j], titles[i] * sqrt(shares[j]) * total, false
        FROM generate_subscripts(words, 1) AS i, generate_subscripts(words, 1) AS j
        WHERE i <> j AND least(titles[i], shares[j]) * total > alone
        ORDER BY 2 LIMIT 100
    LOOP
        EXIT WHEN pair.expected > budget AND is_of_text;
        -- The first of its kind is taken, however common it is.
        CONTINUE WHEN pair.expected > budget AND NOT pair.of_text;
        is_of_text := is_of_text OR pair.of_text;
        budget := budget - pair.expected;
        gate := CASE WHEN gate IS NULL THEN pair.query ELSE gate || pair.query END;
    END LOOP;
    -- Which of the words a passage holds is quickly told; how often, of the likeliest alone.
    RETURN QUERY EXECUTE format($query$
    WITH mine AS MATERIALIZED (
        SELECT own.id FROM nexi.own_groups() AS own (id)
    ), found AS MATERIALIZED (
        SELECT p.document_id, p.ordinal, p.words
        FROM nexi.passages p
        WHERE p.words @@ $1 AND (p.group_id IS NULL OR p.group_id IN (SELECT mine.id FROM mine))
            AND ($3 IS NULL OR EXISTS (SELECT FROM nexi.documents d WHERE d.id = p.document_id AND nexi.fits(d.path, coalesce(d.dated, d.modified), $3)))
        LIMIT 20000
    ), likely AS MATERIALIZED (
        SELECT f.document_id, f.ordinal, f.words FROM found f ORDER BY %s DESC LIMIT 5 * $2
    ), scored AS (
        SELECT l.document_id, l.ordinal, (%s)::double precision AS score FROM likely l ORDER BY 3 DESC LIMIT $2
    )
    SELECT s.document_id, s.ordinal, p.heading, p.body, p.place, s.score, d.title, d.address, d.dated
    FROM scored s
    JOIN nexi.passages p ON p.document_id = s.document_id AND p.ordinal = s.ordinal
    JOIN nexi.documents d ON d.id = s.document_id
    ORDER BY s.score DESC
    $query$, array_to_string(holds, ' + '), array_to_string(ranks, ' + ')) USING gate, most, filter;
END
$$;

-- In what share of passages each of these words stands. Words that are rare are all told alike, so that nobody learns by
-- asking what stands in documents of other groups.
-- Where there are few passages one of them tells, so that only those count which the person may see.
CREATE OR REPLACE FUNCTION nexi.rarity(asked text[]) RETURNS double precision[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    seen bigint;
    out double precision[];
BEGIN
    IF (SELECT m.passages FROM nexi.meta m) >= 20000 THEN
        SELECT array_agg(greatest(coalesce(f.share, 0), 0.001) ORDER BY a.place) INTO out
        FROM unnest(asked) WITH ORDINALITY AS a (stem, place) LEFT JOIN nexi.frequencies f ON f.stem = a.stem;
        RETURN out;
    END IF;
    SELECT count(*) INTO seen FROM nexi.passages p WHERE p.group_id IS NULL OR p.group_id IN (SELECT own.id FROM nexi.own_groups() AS own (id));
    SELECT array_agg(greatest((
            SELECT count(*) FROM nexi.passages p WHERE p.words @@ quote_literal(a.stem)::tsquery
                AND (p.group_id IS NULL OR p.group_id IN (SELECT own.id FROM nexi.own_groups() AS own (id)))
        )::double precision / greatest(seen, 1), 0.001) ORDER BY a.place) INTO out
    FROM unnest(asked) WITH ORDINALITY AS a (stem, place);
    RETURN out;
END
$$;

-- Counts words by a sample of passages, and puts what was written last into the indexes. Only one does so at a time.
CREATE OR REPLACE FUNCTION nexi.count_words() RETURNS void
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
    PERFORM gin_clean_pending_list(i.indexrelid) FROM pg_index i JOIN pg_inherits h ON h.inhrelid = i.indexrelid
        WHERE h.inhparent = 'nexi.passages_words'::regclass;
END
$$;

REVOKE ALL ON FUNCTION nexi.candidates(text[], integer, jsonb), nexi.rarity(text[]), nexi.fits(text, text, jsonb), nexi.count_words() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION nexi.candidates(text[], integer, jsonb), nexi.rarity(text[]), nexi.fits(text, text, jsonb) TO nexi_reader, nexi_writer;
GRANT EXECUTE ON FUNCTION nexi.count_words() TO nexi_writer;
