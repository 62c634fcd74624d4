-- What the passages mean, as vectors. Every model has a set of its own; vectors of different sets are never compared.
CREATE TABLE vector_sets (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL UNIQUE,
    -- Numbers of a vector.
    dimensions INTEGER NOT NULL,
    -- Grows with every vector that comes or goes, so that a copy in memory knows when it is old.
    changes INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    set_id INTEGER NOT NULL REFERENCES vector_sets (id) ON DELETE CASCADE,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    -- What a number of the vector is multiplied by to get the real one.
    scale REAL NOT NULL,
    -- One signed byte for each number.
    vector BLOB NOT NULL,
    UNIQUE (passage_id, set_id)
) STRICT;

CREATE TRIGGER vectors_added AFTER INSERT ON vectors BEGIN
    UPDATE vector_sets SET changes = changes + 1 WHERE id = new.set_id;
END;

CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
    UPDATE vector_sets SET changes = changes + 1 WHERE id = old.set_id;
END;
