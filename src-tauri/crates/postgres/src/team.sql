-- A team library: threads that people share, as events that are appended and never changed. Version 1.
CREATE SCHEMA nexi_team;

CREATE TABLE nexi_team.meta (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    version integer NOT NULL,
    -- Tells this library from others, whatever its address.
    id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO nexi_team.meta (version) VALUES (1);

-- What the events of each thread come to so far.
CREATE TABLE nexi_team.threads (
    id uuid PRIMARY KEY,
    author name NOT NULL,
    -- Its number, as below.
    author_id regrole,
    -- Whoever is a member of this role sees it; none is everybody.
    role name,
    -- Its number: a role that is dropped and made again is another one.
    role_id regrole,
    title text NOT NULL DEFAULT '',
    description text NOT NULL DEFAULT '',
    tags text[] NOT NULL DEFAULT '{}',
    space text,
    -- The thread that it goes on from, and whose that was.
    origin uuid,
    origin_author text,
    -- Those of title, description and tags.
    words tsvector NOT NULL DEFAULT '',
    turns integer NOT NULL DEFAULT 0,
    withdrawn boolean NOT NULL DEFAULT false,
    updated timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX threads_updated ON nexi_team.threads (updated DESC, id) WHERE turns > 0;
CREATE INDEX threads_words ON nexi_team.threads USING gin (words);

-- What happened, in order. What a thread is called stands with the thread alone. A body is emptied where its author takes it back; nothing else ever changes.
CREATE TABLE nexi_team.events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Made where the event was: what is sent twice is there once.
    id uuid NOT NULL UNIQUE,
    thread uuid NOT NULL REFERENCES nexi_team.threads,
    kind text NOT NULL CHECK (kind IN ('head', 'turn', 'turn_withdrawn', 'withdrawn')),
    -- The turn that it is about.
    turn text,
    body text,
    at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX events_of_thread ON nexi_team.events (thread, seq);

-- The turns that there are now.
CREATE TABLE nexi_team.turns (
    thread uuid NOT NULL REFERENCES nexi_team.threads,
    turn text NOT NULL,
    event bigint NOT NULL REFERENCES nexi_team.events,
    asked_ms bigint NOT NULL,
    -- Question and answer, for what a search shows of it.
    question text NOT NULL,
    answer text NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (thread, turn)
);
CREATE INDEX turns_words ON nexi_team.turns USING gin (words) WITH (fastupdate = off);

ALTER TABLE nexi_team.threads ENABLE ROW LEVEL SECURITY;
ALTER TABLE nexi_team.events ENABLE ROW LEVEL SECURITY;
ALTER TABLE nexi_team.turns ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA nexi_team TO nexi_team;
GRANT SELECT ON nexi_team.meta, nexi_team.threads, nexi_team.events, nexi_team.turns TO nexi_team;
