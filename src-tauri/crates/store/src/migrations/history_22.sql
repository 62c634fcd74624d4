-- What questions mean, for one model at a time; made anew wherever it is missing.
CREATE TABLE question_vectors (
    row INTEGER PRIMARY KEY REFERENCES turn_rows (row) ON DELETE CASCADE,
    model TEXT NOT NULL,
    scale REAL NOT NULL,                          -- brings the numbers of `vector` back
    vector BLOB NOT NULL                          -- a signed byte for each number
) STRICT;
CREATE TRIGGER questions_changed AFTER UPDATE OF question ON turns WHEN new.question IS NOT old.question BEGIN
    DELETE FROM question_vectors WHERE row = (SELECT row FROM turn_rows WHERE turn_id = new.id);
END;
