-- How much there is, kept along: adding it up for every page that comes would read the whole table each time.
CREATE TABLE total (
    pages INTEGER NOT NULL,
    -- Of all bodies, packed.
    bytes INTEGER NOT NULL
) STRICT;
INSERT INTO total SELECT count(*), coalesce(sum(size), 0) FROM pages;

CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN
    UPDATE total SET pages = pages + 1, bytes = bytes + new.size;
END;

CREATE TRIGGER pages_removed AFTER DELETE ON pages BEGIN
    UPDATE total SET pages = pages - 1, bytes = bytes - old.size;
END;

CREATE TRIGGER pages_changed AFTER UPDATE OF size ON pages BEGIN
    UPDATE total SET bytes = bytes + new.size - old.size;
END;
