-- A shared corpus: documents, their passages, and the queue of what is still to be read. Version 1.
CREATE SCHEMA nexi;

CREATE TABLE nexi.meta (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    version integer NOT NULL,
    -- Passages when words were counted last.
    passages bigint NOT NULL DEFAULT 0,
    counted timestamptz,
    -- The model that there are vectors of, and their length.
    embedder text,
    dimensions integer
);
INSERT INTO nexi.meta (version) VALUES (1);

-- Whoever is a member of the role sees what belongs to the group.
CREATE TABLE nexi.groups (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- What it was called when the group was made.
    role name NOT NULL,
    -- Its number, for a role that is dropped and made again is another one; dumps have its name.
    role_id regrole CONSTRAINT groups_role UNIQUE
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
    -- The day on which its file was last changed.
    modified text,
    doi text,
    -- Where the file lies, as people write it.
    path text NOT NULL,
    text text NOT NULL,
    -- For every line of the text the line, page or place of the file; empty where they are the same.
    lines integer[] NOT NULL,
    paged boolean NOT NULL,
    places jsonb NOT NULL,
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

CREATE INDEX documents_day ON nexi.documents (coalesce(dated, modified) DESC NULLS LAST, id);

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
    -- Processes that have no such file.
    absent uuid[] NOT NULL DEFAULT '{}',
    -- It was put into the queue once more while it was being read.
    again boolean NOT NULL DEFAULT false,
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
    USING (group_id IS NULL OR group_id IN (SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.oid = g.role_id WHERE pg_has_role(r.oid, 'MEMBER')));
CREATE POLICY readers ON nexi.passages FOR SELECT TO nexi_reader
    USING (group_id IS NULL OR group_id IN (SELECT g.id FROM nexi.groups g JOIN pg_roles r ON r.oid = g.role_id WHERE pg_has_role(r.oid, 'MEMBER')));
CREATE POLICY writers ON nexi.documents FOR ALL TO nexi_writer USING (true) WITH CHECK (true);
CREATE POLICY writers ON nexi.passages FOR ALL TO nexi_writer USING (true) WITH CHECK (true);

GRANT USAGE ON SCHEMA nexi TO nexi_reader, nexi_writer;
GRANT SELECT ON nexi.meta, nexi.documents, nexi.passages TO nexi_reader, nexi_writer;
GRANT SELECT ON nexi.groups TO nexi_reader, nexi_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON nexi.documents, nexi.passages, nexi.jobs TO nexi_writer;
