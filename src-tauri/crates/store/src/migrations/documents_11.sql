-- Folders and files whose documents are in the index, so that those that nobody names any more can be forgotten.
CREATE TABLE roots (
    -- Absolute, with symbolic links resolved.
    path TEXT NOT NULL,
    -- The settings file that names it, itself or for a space or a watched question: several may share a data folder. Empty
    -- where it was only given with a question.
    named_by TEXT NOT NULL,
    -- As it is named there; empty where it was only given with a question.
    name TEXT NOT NULL,
    -- When it was last searched, within a day.
    used_ms INTEGER NOT NULL,
    PRIMARY KEY (path, named_by)
) STRICT;
